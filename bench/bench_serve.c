// A server with a journal on the disk, by the clock: sixteen clients set states, 2,000 a second in all, while 20
// objects move at 60 ticks a second. A sample is a second of writes until the last reply; what counts is the time from
// a write to its reply. The journal is written in the current folder.
#include "bench.h"

#include "fureai/base_order.h"
#include "fureai/server.h"
#include "walking_body.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICKS_A_SECOND = 60, PEOPLE = 5, OBJECTS = 20, WRITERS = 16, WRITES_A_SECOND = 2000, SAMPLES_MAX = 1 << 20 };

static bool double_is_before(const double *a, const double *b) { return *a < *b; }

FR_SORT_TYPE(sort_doubles, double, double_is_before);

static double percentile(double *values, size_t count, double fraction) {
    if (count == 0) { return 0.0; }
    sort_doubles(values, count);
    size_t at = (size_t)(fraction * (double)count);
    return values[at < count ? at : count - 1];
}

// ---------------------------------------------------------------------------------------------------------------
// The scene: bodies that walk, and balls that move beside one another

typedef struct crowd {
    fr_world *world;
    fr_object_id ids[OBJECTS];
    fr_pose bones[PEOPLE][WALKER_BONES];
} crowd;

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    crowd *c = user;
    fr_status status = FR_OK;
    uint64_t tick = proposal->tick + 1;
    for (uint32_t i = 0; i < OBJECTS && status == FR_OK; i++) {
        fr_wish wish = {.object = c->ids[i], .kind = FR_WISH_NEXT, .pose = walker_place(i, tick)};
        status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK || i >= PEOPLE) { continue; }
        walker_bones(i, tick, WALKER_JOINTS, c->bones[i]);
        status = fr_wishes_bones(wishes, c->ids[i], c->bones[i], WALKER_BONES, error);
    }
    return status;
}

static fr_status open_crowd(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    crowd *c = user;
    fr_mesh *ball = NULL;
    fr_world_def def = fr_default_world_def();
    def.step = 1.0 / TICKS_A_SECOND;
    fr_status status = fr_world_create(&def, &c->world, error);
    if (status == FR_OK) { status = fr_mesh_create_named("sphere_168", NULL, &ball, error); }
    fr_skin *skin = status == FR_OK ? walker_skin(ball) : NULL;
    for (uint32_t i = 0; i < OBJECTS && status == FR_OK; i++) {
        const fr_pose pose = walker_place(i, 0);
        char text[24];
        snprintf(text, sizeof text, "object %u", i);
        const fr_label label = {text, {200, 200, 200, 255}};
        fr_space *space = fr_world_space(c->world);
        status = fr_object_add_mesh(space, ball, &pose, &c->ids[i], error);
        if (status == FR_OK) { status = fr_world_set_label(c->world, c->ids[i], &label, error); }
        if (status != FR_OK || i >= PEOPLE) { continue; }
        status = fr_object_set_skin(space, c->ids[i], 0, skin, FR_SKIN_LINEAR, error);
    }
    fr_corrector mover = {"crowd", propose, c};
    if (status == FR_OK) { status = fr_world_add_mover(c->world, &mover, error); }
    fr_skin_release(skin);
    fr_mesh_release(ball);
    *scene = (fr_served_scene){.world = c->world, .title = name, .user = c};
    return status;
}

static void close_crowd(fr_served_scene *scene, void *user) {
    (void)user;
    fr_world_destroy(scene->world);
}

static void *run(void *server) {
    (void)fr_server_run(server, NULL, NULL);
    return NULL;
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
            good = service_all(writers);
            (void)poll(NULL, 0, 0);
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

static void measure_writes(bench *b, fr_server *server) {
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
        if (is_first) { latency_count = 0; } // the warm-up
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
    free(writers);
}

static void writes(bench *b) {
    static const char path[] = "bench_serve.journal";
    static const char *const endings[] = {"", "-wal", "-shm", ".lock"};
    if (!fr_journal_file_is_built()) {
        bench_skip(b, "this build has no journals");
        return;
    }
    crowd *c = calloc(1, sizeof *c);
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
    fr_server *server = NULL;
    fr_server_def def = fr_default_server_def();
    def.port = 0;
    def.messages_per_second = 100000;
    def.provider = (fr_scene_provider){.first = "crowd", .open = open_crowd, .close = close_crowd, .user = c};
    fr_journal journal;
    bool good = c != NULL && latencies != NULL && fr_journal_file_create(&journal_def, &file, NULL) == FR_OK;
    if (good) {
        journal = fr_journal_file_table(file);
        def.journal = &journal;
        good = fr_server_create(&def, &server, NULL) == FR_OK;
    }
    pthread_t thread;
    if (good && pthread_create(&thread, NULL, run, server) == 0) {
        measure_writes(b, server);
        fr_server_stop(server);
        (void)pthread_join(thread, NULL);
    } else {
        bench_skip(b, "the server cannot begin");
    }
    fr_server_destroy(server);
    fr_journal_file_destroy(file);
    fr_task_pool_destroy(pool);
    char name[64];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
    free(latencies);
    free(c);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"write/2000", writes}};
    return bench_main(argc, argv, "fureai", "serve", cases, sizeof cases / sizeof cases[0]);
}
