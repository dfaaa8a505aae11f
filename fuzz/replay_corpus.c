// Gives every target of the folder its corpus without libFuzzer: replay_corpus NOUN FOLDER [RUNS] replays the empty
// input and every file of FOLDER in the order of the names, and then inputs changed at random from them, the same ones
// each time, until RUNS inputs were given. replay_corpus --targets FOLDER compares the targets of this program with the
// files fuzz_NOUN.c of FOLDER and its folders corpus/NOUN. An input that fails or takes too long is left in the file
// failed_NOUN.
#include "mutate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int target_fn(const uint8_t *data, size_t size);

#define FUZZ_TARGET(noun) target_fn fuzz_##noun;
#include "fuzz_targets.inc"
#undef FUZZ_TARGET

typedef struct target {
    const char *noun;
    target_fn *run;
} target;

#define FUZZ_TARGET(noun) {#noun, fuzz_##noun},
static const target targets[] = {
#include "fuzz_targets.inc"
};
#undef FUZZ_TARGET

enum { TARGET_COUNT = sizeof targets / sizeof targets[0], INPUT_SECONDS = 20, PATH_BYTES = 4096 };

// What is being given to which target, for the handler below.
static struct {
    const char *noun;
    const uint8_t *data;
    size_t size;
} current;

// ---------------------------------------------------------------------------------------------------------------
// Failures

// Sanitizers end the program by a signal, so that the handler sees every failure.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "abort_on_error=1"; }
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "abort_on_error=1:print_stacktrace=1"; }

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) { _exit(EXIT_FAILURE); }
}

// Writes the input that is being given to a file, and ends.
static void on_failure(int signal_number) {
    char path[128] = "failed_";
    strncat(path, current.noun != NULL ? current.noun : "start", sizeof path - 16);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) {
        if (write(file, current.data, current.size) < 0) { say("replay: the input could not be written to "); }
        close(file);
    }
    say(signal_number == SIGALRM ? "replay: an input takes too long: " : "replay: an input fails: ");
    say(path);
    say("\n");
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void give(const target *t, const uint8_t *data, size_t size) {
    current.data = data;
    current.size = size;
    alarm(INPUT_SECONDS);
    t->run(data, size);
    alarm(0);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Reads a file into an exact block, so that a sanitizer sees a read past the end; NULL when that fails.
static uint8_t *read_file(const char *folder, const char *name, size_t *out_size) {
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
    if (file == NULL) { return NULL; }
    uint8_t *data = NULL;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) { data = malloc(size > 0 ? (size_t)size : 1); }
    if (data != NULL && fread(data, 1, (size_t)size, file) != (size_t)size) {
        free(data);
        data = NULL;
    }
    fclose(file);
    *out_size = size >= 0 ? (size_t)size : 0;
    return data;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

typedef struct corpus {
    uint8_t **data;
    size_t *sizes;
    int count;
} corpus;

static void free_corpus(corpus *c) {
    for (int i = 0; i < c->count; i++) {
        free(c->data[i]);
    }
    free(c->data);
    free(c->sizes);
}

// Reads every file of a folder; false when one cannot be read or there is none.
static bool read_corpus(const char *folder, corpus *out) {
    *out = (corpus){NULL, NULL, 0};
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);
    if (count < 0) {
        fprintf(stderr, "replay: cannot read folder %s: %s\n", folder, strerror(errno));
        return false;
    }
    out->data = calloc((size_t)count + 1, sizeof *out->data);
    out->sizes = calloc((size_t)count + 1, sizeof *out->sizes);
    bool is_read = out->data != NULL && out->sizes != NULL && count > 0;
    for (int i = 0; i < count; i++) {
        if (is_read) {
            out->data[i] = read_file(folder, entries[i]->d_name, &out->sizes[i]);
            is_read = out->data[i] != NULL;
            if (is_read) {
                out->count++;
            } else {
                fprintf(stderr, "replay: cannot read %s/%s\n", folder, entries[i]->d_name);
            }
        }
        free(entries[i]);
    }
    free(entries);
    if (count == 0) { fprintf(stderr, "replay: no corpus in %s\n", folder); }
    return is_read;
}

// ---------------------------------------------------------------------------------------------------------------
// Replay

static void give_changed(const target *t, const corpus *c, long runs) {
    uint8_t *room = malloc(MUTATE_MAX_BYTES);
    if (room == NULL) { abort(); }
    fr_random random = fr_random_seed(fr_hash(t->noun, strlen(t->noun), 0));
    for (long i = 0; i < runs; i++) {
        int first = (int)fr_random_below(&random, (uint64_t)c->count);
        int second = (int)fr_random_below(&random, (uint64_t)c->count);
        mutate_input one = {c->data[first], c->sizes[first]}, other = {c->data[second], c->sizes[second]};
        size_t size = mutate(&one, &other, &random, room);
        uint8_t *exact = malloc(size > 0 ? size : 1);
        if (exact == NULL) { abort(); }
        memcpy(exact, room, size);
        give(t, exact, size);
        free(exact);
    }
    free(room);
}

static int replay(const target *t, const char *folder, long runs) {
    corpus c;
    current.noun = t->noun;
    bool is_read = read_corpus(folder, &c);
    if (is_read) {
        uint8_t nothing = 0;
        give(t, &nothing, 0);
        for (int i = 0; i < c.count; i++) {
            give(t, c.data[i], c.sizes[i]);
        }
        long changed = runs > c.count + 1 ? runs - c.count - 1 : 0;
        give_changed(t, &c, changed);
        printf("replay: %s: %d inputs and %ld changed ones\n", t->noun, c.count + 1, changed);
    }
    free_corpus(&c);
    return is_read ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const target *find(const char *noun, size_t length) {
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        if (strlen(targets[i].noun) == length && memcmp(targets[i].noun, noun, length) == 0) { return &targets[i]; }
    }
    return NULL;
}

// Whether what stands in a folder of the source has a target here each, and every target stands there.
static bool is_complete(const char *folder, const char *prefix, const char *suffix) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);
    size_t found = 0, before = strlen(prefix), after = strlen(suffix);
    bool is_whole = count >= 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        bool is_named =
            length > before + after && strncmp(name, prefix, before) == 0 && strcmp(name + length - after, suffix) == 0;
        if (is_named && find(name + before, length - before - after) == NULL) {
            fprintf(stderr, "replay: no target runs %s/%s\n", folder, name);
            is_whole = false;
        }
        found += is_named;
        free(entries[i]);
    }
    if (count >= 0) { free(entries); }
    if (is_whole && found != TARGET_COUNT) {
        fprintf(stderr, "replay: %d targets, %zu of them in %s\n", TARGET_COUNT, found, folder);
    }
    return is_whole && found == TARGET_COUNT;
}

static int check_targets(const char *folder) {
    char inputs[PATH_BYTES];
    int length = snprintf(inputs, sizeof inputs, "%s/corpus", folder);
    bool is_whole = length > 0 && (size_t)length < sizeof inputs && is_complete(folder, "fuzz_", ".c") &&
                    is_complete(inputs, "", "");
    if (is_whole) { printf("replay: %d targets, each with a corpus\n", TARGET_COUNT); }
    return is_whole ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--targets") == 0) { return check_targets(argv[2]); }
    const target *t = argc == 3 || argc == 4 ? find(argv[1], strlen(argv[1])) : NULL;
    if (t == NULL) {
        fprintf(stderr, "usage: replay_corpus NOUN FOLDER [RUNS] | --targets FOLDER\n");
        return 2;
    }
    signal(SIGABRT, on_failure);
    signal(SIGALRM, on_failure);
    return replay(t, argv[2], argc == 4 ? atol(argv[3]) : 0);
}
