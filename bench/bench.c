#include "bench.h"

#include "fureai/base_order.h"
#include "fureai/math.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPEATS = 1000, MAX_COUNTERS = 8, DEFAULT_REPEATS = 9 };

typedef struct counter {
    const char *name;
    double value;
} counter;

struct bench {
    int threads;
    int repeats;
    bool smoke;
    int passes;        // calls of bench_repeat so far
    bool running;      // whether a sample is being timed
    uint64_t start_ns; // of that sample
    int sample_count;
    double samples_ms[MAX_REPEATS];
    int counter_count;
    counter counters[MAX_COUNTERS];
    double items;        // 0: not said
    const char *skipped; // reason, or NULL
};

typedef struct options {
    int threads;
    int repeats;
    bool smoke;
    bool list;
    bool json;
    const char *csv_path;
    char **names;
    int name_count;
} options;

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_pause(bench *b) {
    uint64_t end_ns = now_ns();
    if (!b->running) { return; }
    b->running = false;
    // The first pass warms caches and memory up.
    if (b->passes > 1) { b->samples_ms[b->sample_count++] = (double)(end_ns - b->start_ns) * 1e-6; }
}

bool bench_repeat(bench *b) {
    bench_pause(b);
    if (b->sample_count >= b->repeats || b->skipped != NULL) { return false; }
    b->passes++;
    b->running = true;
    b->start_ns = now_ns();
    return true;
}

void bench_count(bench *b, const char *name, double value) {
    for (int i = 0; i < b->counter_count; ++i) {
        if (strcmp(b->counters[i].name, name) == 0) {
            b->counters[i].value = value;
            return;
        }
    }
    if (b->counter_count < MAX_COUNTERS) { b->counters[b->counter_count++] = (counter){name, value}; }
}

void bench_items(bench *b, double items) { b->items = items; }

int bench_threads(const bench *b) { return b->threads; }

size_t bench_size(const bench *b, size_t smallest, size_t full) { return b->smoke ? smallest : full; }

void bench_keep(const void *result) {
    static const void *volatile kept;
    kept = result;
    (void)kept;
}

void bench_skip(bench *b, const char *reason) { b->skipped = reason; }

// The least and the middle sample; sorts the samples.
static void summarise(bench *b, double *least_ms, double *median_ms) {
    int count = b->sample_count;
    *least_ms = 0.0;
    *median_ms = 0.0;
    if (count == 0) { return; }
    fr_sort_double(b->samples_ms, (size_t)count);
    *least_ms = b->samples_ms[0];
    *median_ms = 0.5 * (b->samples_ms[(count - 1) / 2] + b->samples_ms[count / 2]);
    if (b->items > 0.0 && *least_ms > 0.0) { bench_count(b, "million_per_s", b->items / *least_ms * 1e-3); }
}

// Writes "name=value;name=value".
static void write_counters(FILE *out, const bench *b, const char *separator) {
    for (int i = 0; i < b->counter_count; ++i) {
        fprintf(out, "%s%s=%.6g", i > 0 ? separator : "", b->counters[i].name, b->counters[i].value);
    }
}

static void write_json(const bench *b, const char *name, double least_ms, double median_ms, bool first) {
    printf("%s\n  {\"name\": \"%s\", \"threads\": %d, \"repeats\": %d, ", first ? "" : ",", name, b->threads,
           b->sample_count);
    if (b->skipped != NULL) {
        printf("\"skipped\": \"%s\"}", b->skipped);
        return;
    }
    printf("\"min_ms\": %.6g, \"median_ms\": %.6g, \"counters\": {", least_ms, median_ms);
    for (int i = 0; i < b->counter_count; ++i) {
        printf("%s\"%s\": %.6g", i > 0 ? ", " : "", b->counters[i].name, b->counters[i].value);
    }
    printf("}}");
}

static void write_line(const bench *b, const char *name, double least_ms, double median_ms) {
    if (b->skipped != NULL) {
        printf("%-36s skipped: %s\n", name, b->skipped);
        return;
    }
    printf("%-36s %7d %12.4f %12.4f   ", name, b->threads, least_ms, median_ms);
    write_counters(stdout, b, " ");
    printf("\n");
    fflush(stdout);
}

// Appends one line to a file of results, with a head line when the file is new.
static bool append_csv(const char *path, const bench *b, const char *who, const char *name, double least_ms,
                       double median_ms) {
    if (b->skipped != NULL) { return true; }
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return false;
    }
    fseek(file, 0, SEEK_END);
    if (ftell(file) == 0) { fprintf(file, "who,name,threads,repeats,min_ms,median_ms,counters\n"); }
    const char *quote = strchr(name, ',') != NULL ? "\"" : "";
    fprintf(file, "%s,%s%s%s,%d,%d,%.6g,%.6g,", who, quote, name, quote, b->threads, b->sample_count, least_ms,
            median_ms);
    write_counters(file, b, ";");
    fprintf(file, "\n");
    return fclose(file) == 0;
}

// A whole number in low .. high, or -1.
static int parse_number(const char *text, int low, int high) {
    char *end;
    long value = strtol(text, &end, 10);
    return end != text && *end == '\0' && value >= low && value <= high ? (int)value : -1;
}

static bool parse_options(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--list") == 0) {
            o->list = true;
        } else if (strcmp(word, "--json") == 0) {
            o->json = true;
        } else if (strcmp(word, "--smoke") == 0) {
            o->smoke = true;
            o->repeats = 1;
        } else if (strcmp(word, "--baseline") == 0) {
            (void)fr_simd_set(FR_SIMD_BASELINE);
        } else if (strcmp(word, "--threads") == 0 && value != NULL && parse_number(value, 1, 1024) > 0) {
            o->threads = parse_number(argv[++i], 1, 1024);
        } else if (strcmp(word, "--repeats") == 0 && value != NULL && parse_number(value, 1, MAX_REPEATS) > 0) {
            o->repeats = parse_number(argv[++i], 1, MAX_REPEATS);
        } else if (strcmp(word, "--csv") == 0 && value != NULL) {
            o->csv_path = argv[++i];
        } else if (word[0] != '-') {
            o->names[o->name_count++] = argv[i];
        } else {
            return false;
        }
    }
    return true;
}

static bool is_wanted(const options *o, const char *name) {
    for (int i = 0; i < o->name_count; ++i) {
        if (strstr(name, o->names[i]) != NULL) { return true; }
    }
    return o->name_count == 0;
}

int bench_main(int argc, char **argv, const char *who, const char *topic, const bench_case *cases, size_t case_count) {
    options o = {.threads = 1, .repeats = DEFAULT_REPEATS, .names = argv};
    if (!parse_options(argc, argv, &o)) {
        fprintf(
            stderr,
            "usage: %s [--list] [--baseline] [--threads N] [--repeats N] [--smoke] [--json] [--csv FILE] [NAME]...\n",
            argv[0]);
        return 2;
    }
    if (o.json) {
        printf("{\"who\": \"%s\", \"topic\": \"%s\", \"results\": [", who, topic);
    } else if (!o.list) {
        printf("%s: %-*s %7s %12s %12s   counters\n", who, (int)(34 - (int)strlen(who)), topic, "threads", "min ms",
               "median ms");
    }

    static bench b;
    bool written = true, first = true;
    for (size_t i = 0; i < case_count; ++i) {
        const char *name = cases[i].name;
        if (!is_wanted(&o, name)) { continue; }
        if (o.list) {
            printf("%s\n", name);
            continue;
        }
        b = (bench){.threads = o.threads, .repeats = o.repeats, .smoke = o.smoke};
        cases[i].run(&b);
        double least_ms, median_ms;
        summarise(&b, &least_ms, &median_ms);
        if (o.json) {
            write_json(&b, name, least_ms, median_ms, first);
        } else {
            write_line(&b, name, least_ms, median_ms);
        }
        if (o.csv_path != NULL) { written = append_csv(o.csv_path, &b, who, name, least_ms, median_ms) && written; }
        first = false;
    }
    if (o.json) { printf("\n]}\n"); }
    return written ? 0 : 1;
}
