// Servers by the clock, at 60 ticks a second. write/2000: a server with a journal on the disk, to which sixteen clients
// set states, 2,000 a second in all; a sample is a second of writes until the last reply, and what counts is the time
// from a write to its reply. The journal is written in the current folder; how long the disk there takes to synchronise
// 16 KiB is measured between the samples. disturb/200: 200 watchers of 100 bodies and 1,000 balls, in turn undisturbed
// and while clients disturb the server in all ways; what counts is the age of the newest state. disturb/KIND/200: in
// one of these ways (disturber.h). memory/200: the memory of the process that serves them, a sample a second; --repeats
// 600 takes ten minutes.
#include "bench.h"

#include "disturber.h"
#include "fureai/base_order.h"
#include "served_hall.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WATCHERS = 200, IDLE = 2000, ROUNDS_MAX = 64 };
enum { WRITER_PEOPLE = 5, WRITER_OBJECTS = 20, WRITERS = 16, WRITES_A_SECOND = 2000, SAMPLES_MAX = 1 << 20 };
enum { SYNCS_A_SAMPLE = 50, SYNCS_MAX = 1 << 16, SYNC_BYTES = 1 << 14 };

static bool double_is_before(const double *a, const double *b) { return *a < *b; }

FR_SORT_TYPE(sort_doubles, double, double_is_before);

static double percentile(double *values, size_t count, double fraction) {
    if (count == 0) { return 0.0; }
    sort_doubles(values, count);
    size_t at = (size_t)(fraction * (double)count);
    return values[at < count ? at : count - 1];
}

// ---------------------------------------------------------------------------------------------------------------
// Writes

typedef struct writer {
    fr_client *client;
    uint64_t sent_ns[1 << 12]; // by the request
    uint32_t sent, replied, refused;
} writer;

static double *latencies; // milliseconds
static size_t latency_count;

static void on_message(const fr_mirror *mirror, const fr_message *message, void *user) {
    (void)mirror;
    writer *w = user;
    if (message->type != FR_MESSAGE_REPLY) { return; }
    w->replied++;
    w->refused += message->as.reply.status != FR_OK;
    uint64_t sent = w->sent_ns[message->as.reply.request % (1 << 12)];
    if (latency_count < SAMPLES_MAX) { latencies[latency_count++] = fr_clock_ms_since(sent); }
}

static bool service_all(writer *writers) {
    for (int i = 0; i < WRITERS; i++) {
        bool has_taken = true;
        while (has_taken) {
            if (fr_client_service(writers[i].client, 0, &has_taken, NULL) != FR_OK) { return false; }
        }
    }
    return true;
}

static bool send_write(writer *w, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state = (fr_message_set_state){++w->sent, object, "number", (double)w->sent};
    w->sent_ns[w->sent % (1 << 12)] = fr_clock_ns();
    return fr_client_send(w->client, &message, NULL) == FR_OK;
}

// A second of writes, evenly spread; a sample of the benchmark.
static bool write_second(writer *writers, fr_ref object, uint32_t count) {
    uint64_t begin = fr_clock_ns();
    bool good = true;
    for (uint32_t i = 0; i < count && good;) {
        uint64_t due = begin + (uint64_t)i * 1000000000 / count;
        if (fr_clock_ns() >= due) {
            good = send_write(&writers[i % WRITERS], object);
            i++;
        } else {
            // The processors are the server's meanwhile.
            const struct timespec rest = {.tv_nsec = 50000};
            good = service_all(writers);
            (void)nanosleep(&rest, NULL);
        }
    }
    bool is_replied = false;
    while (good && !is_replied && fr_clock_ms_since(begin) < 10000.0) {
        good = service_all(writers);
        is_replied = true;
        for (int i = 0; i < WRITERS; i++) {
            is_replied = is_replied && writers[i].replied == writers[i].sent;
        }
    }
    return good && is_replied;
}

static bool open_writers(writer *writers, uint16_t port, fr_ref *object) {
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)port);
    for (int i = 0; i < WRITERS; i++) {
        fr_client_def def = fr_default_client_def();
        def.url = url;
        def.received = on_message;
        def.user = &writers[i];
        if (fr_client_create(&def, &writers[i].client, NULL) != FR_OK) { return false; }
    }
    uint64_t begin = fr_clock_ns();
    const fr_mirror_object *found = NULL;
    while (found == NULL && fr_clock_ms_since(begin) < 10000.0) {
        if (!service_all(writers)) { return false; }
        for (int i = 0; i < WRITERS; i++) {
            found = fr_mirror_find(fr_client_mirror(writers[i].client), "object 0");
            if (found == NULL) { break; }
        }
    }
    if (found != NULL) { *object = found->ref; }
    return found != NULL;
}

typedef struct disk {
    int descriptor;
    double ms[SYNCS_MAX]; // of each synchronisation
    size_t count;
} disk;

// The file grows, as a journal does.
static void synchronise(disk *d, size_t times) {
    static char bytes[SYNC_BYTES];
    for (size_t i = 0; i < times && d->count < SYNCS_MAX; i++) {
        if (write(d->descriptor, bytes, sizeof bytes) != (ssize_t)sizeof bytes) { return; }
        uint64_t begin = fr_clock_ns();
        if (fdatasync(d->descriptor) != 0) { return; }
        d->ms[d->count++] = fr_clock_ms_since(begin);
    }
}

static void measure_writes(bench *b, fr_server *server) {
    static disk beside;
    beside.descriptor = open("bench_serve.sync", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    beside.count = 0;
    writer *writers = calloc(WRITERS, sizeof *writers);
    uint32_t count = (uint32_t)bench_size(b, 100, WRITES_A_SECOND);
    fr_ref object = {0};
    latency_count = 0;
    bool good = writers != NULL && open_writers(writers, fr_server_port(server), &object);
    if (!good) { bench_skip(b, "the writers cannot begin"); }
    bool is_first = true;
    while (good && bench_repeat(b)) {
        good = write_second(writers, object, count);
        bench_pause(b);
        synchronise(&beside, bench_size(b, 2, SYNCS_A_SAMPLE));
        if (is_first) { latency_count = beside.count = 0; } // the warm-up
        is_first = false;
    }
    uint32_t refused = 0;
    for (int i = 0; writers != NULL && i < WRITERS; i++) {
        refused += writers[i].refused;
        fr_client_destroy(writers[i].client);
    }
    bench_count(b, "writes", (double)latency_count);
    bench_count(b, "refused", refused);
    bench_count(b, "p50_ms", percentile(latencies, latency_count, 0.5));
    bench_count(b, "p99_ms", percentile(latencies, latency_count, 0.99));
    bench_count(b, "max_ms", percentile(latencies, latency_count, 1.0));
    bench_count(b, "sync_p50_ms", percentile(beside.ms, beside.count, 0.5));
    bench_count(b, "sync_p99_ms", percentile(beside.ms, beside.count, 0.99));
    (void)close(beside.descriptor);
    (void)unlink("bench_serve.sync");
    free(writers);
}

static void writes(bench *b) {
    static const char path[] = "bench_serve.journal";
    static const char *const endings[] = {"", "-wal", "-shm", ".lock"};
    if (!fr_journal_file_is_built()) {
        bench_skip(b, "this build has no journals");
        return;
    }
    served_crowd *c = served_crowd_create(WRITER_PEOPLE, WRITER_OBJECTS);
    latencies = malloc(SAMPLES_MAX * sizeof *latencies);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 2;
    fr_task_pool *pool = NULL;
    fr_tasks tasks = {0};
    if (fr_task_pool_create(&pool_def, &pool, NULL) == FR_OK) { tasks = fr_task_pool_tasks(pool); }
    fr_journal_file_def journal_def = fr_default_journal_file_def();
    journal_def.path = path;
    journal_def.tasks = &tasks;
    fr_journal_file *file = NULL;
    served_thread server = {0};
    fr_server_def def = fr_default_server_def();
    def.port = 0;
    def.messages_per_second = 100000;
    def.provider = served_crowd_provider(c);
    fr_journal journal;
    bool good = c != NULL && latencies != NULL && fr_journal_file_create(&journal_def, &file, NULL) == FR_OK;
    if (good) {
        journal = fr_journal_file_table(file);
        def.journal = &journal;
        good = served_thread_start(&server, &def);
    }
    if (good) {
        measure_writes(b, server.server);
    } else {
        bench_skip(b, "the server cannot begin");
    }
    served_thread_stop(&server);
    fr_journal_file_destroy(file);
    fr_task_pool_destroy(pool);
    char name[64];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
    free(latencies);
    served_crowd_destroy(c);
}

// ---------------------------------------------------------------------------------------------------------------
// Watchers of a server in a process of its own

// What the audience meets in some time, and the processors that the server takes.
typedef struct look {
    double p99_ms, processors;
} look;

static look look_on(bench *b, served_hall *h) {
    (void)poll(NULL, 0, (int)bench_size(b, 20, 1000)); // what was before is over
    double spent = served_hall_processor_seconds(h);
    bench_audience_begin(h->audience);
    (void)poll(NULL, 0, (int)bench_size(b, 50, 4000));
    bench_seen seen = bench_audience_end(h->audience);
    spent = served_hall_processor_seconds(h) - spent;
    return (look){seen.p99_ms, spent / seen.seconds};
}

typedef struct looks {
    double p99_ms[ROUNDS_MAX], processors[ROUNDS_MAX];
    size_t count;
} looks;

static void take_look(looks *to, look one) {
    if (to->count == ROUNDS_MAX) { return; }
    to->p99_ms[to->count] = one.p99_ms;
    to->processors[to->count++] = one.processors;
}

// A sample is a time without and a time with those who disturb.
static void disturb(bench *b, uint32_t kinds) {
    served_hall h;
    looks calm = {.count = 0}, disturbed = {.count = 0};
    bool good = served_hall_open(b, &h, bench_size(b, 4, WATCHERS), 0), is_first = true;
    while (good && bench_repeat(b)) {
        look without = look_on(b, &h);
        disturber d;
        good = disturber_start(&d, h.home.port, kinds, (uint32_t)bench_size(b, 20, IDLE));
        look with = look_on(b, &h);
        disturber_stop(&d);
        bench_pause(b);
        if (!good) { bench_skip(b, "those who disturb cannot begin"); }
        if (!is_first) { // the warm-up
            take_look(&calm, without);
            take_look(&disturbed, with);
        }
        is_first = false;
    }
    bench_count(b, "calm_p99_ms", percentile(calm.p99_ms, calm.count, 0.5));
    bench_count(b, "calm_p99_min_ms", percentile(calm.p99_ms, calm.count, 0.0));
    bench_count(b, "p99_ms", percentile(disturbed.p99_ms, disturbed.count, 0.5));
    bench_count(b, "p99_min_ms", percentile(disturbed.p99_ms, disturbed.count, 0.0));
    bench_count(b, "calm_processors", percentile(calm.processors, calm.count, 0.5));
    bench_count(b, "processors", percentile(disturbed.processors, disturbed.count, 0.5));
    served_hall_close(&h);
}

static void disturb_in_all_ways(bench *b) { disturb(b, DISTURB_ALL); }
static void disturb_by_a_slow_reader(bench *b) { disturb(b, DISTURB_SLOW); }
static void disturb_by_garbage(bench *b) { disturb(b, DISTURB_GARBAGE); }
static void disturb_by_opening(bench *b) { disturb(b, DISTURB_PASSING); }
static void disturb_by_idle_ones(bench *b) { disturb(b, DISTURB_IDLE); }

// A tenth of the samples warms up. What counts is how far the memory comes above its highest of that time.
static void memory(bench *b) {
    served_hall h;
    bool good = served_hall_open(b, &h, bench_size(b, 4, WATCHERS), 0);
    double warm_kb = 0.0, highest_kb = 0.0, last_kb = 0.0;
    size_t samples = 0, cold = 0;
    static double all_kb[1 << 10];
    if (good) { bench_audience_begin(h.audience); }
    while (good && bench_repeat(b)) {
        (void)poll(NULL, 0, (int)bench_size(b, 50, 1000));
        if (samples < sizeof all_kb / sizeof all_kb[0]) {
            all_kb[samples++] = last_kb = bench_resident_kb(h.home.process);
        }
    }
    cold = samples / 10 + 1;
    for (size_t i = 0; i < samples; i++) {
        double *highest = i < cold ? &warm_kb : &highest_kb;
        if (all_kb[i] > *highest) { *highest = all_kb[i]; }
    }
    bench_seen seen = {0};
    if (good) { seen = bench_audience_end(h.audience); }
    bench_count(b, "seconds", seen.seconds);
    bench_count(b, "p99_ms", seen.p99_ms);
    bench_count(b, "states_a_second_each", seen.states_each);
    bench_count(b, "warm_kb", warm_kb);
    bench_count(b, "highest_kb", highest_kb);
    bench_count(b, "last_kb", last_kb);
    bench_count(b, "growth_kb", highest_kb > warm_kb ? highest_kb - warm_kb : 0.0);
    served_hall_close(&h);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"write/2000", writes},
                                       {"disturb/200", disturb_in_all_ways},
                                       {"disturb/slow/200", disturb_by_a_slow_reader},
                                       {"disturb/garbage/200", disturb_by_garbage},
                                       {"disturb/passing/200", disturb_by_opening},
                                       {"disturb/idle/200", disturb_by_idle_ones},
                                       {"memory/200", memory}};
    return bench_main(argc, argv, "fureai", "serve", cases, sizeof cases / sizeof cases[0]);
}
