// A served world for a long time: a server in a process of its own, recorded and stored, with ten clients that grab,
// drop, restart, leave, come back, read slowly and now and then send rubbish. Its memory stays within 1 MB after a time
// to warm up, its descriptors are as many at the end as at the beginning, and the record replays to the same hash.
// It runs for SOAK_SECONDS; `make soak` takes half an hour.
#include "client.h"
#include "frame.h"

#include "fureai/server.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

// A sanitizer keeps what was given back, and makes everything slow: its memory says nothing.
static const bool has_sanitizer = TEST_SAMPLE_DIVISOR > 1;

enum { CLIENTS = 10, SHORT_SECONDS = 20, WARM_SECONDS = 60, BLOCKS = 8, GROWTH_KB = 1024 };

static const char scene_text[] =
    "{\"fureai\":1,\"step\":0.01,\"steps\":400,\"loop\":true,\"objects\":["
    "{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.5,0],\"static\":true},"
    "{\"name\":\"fan\",\"shape\":\"box\",\"position\":[0,0.6,0],\"scale\":0.2,\"angular_velocity_deg\":[0,90,0]},"
    "{\"name\":\"block0\",\"shape\":\"box\",\"position\":[-0.4,0.0501,-0.2],\"scale\":0.1},"
    "{\"name\":\"block1\",\"shape\":\"box\",\"position\":[-0.2,0.0501,-0.2],\"scale\":0.1},"
    "{\"name\":\"block2\",\"shape\":\"box\",\"position\":[0,0.0501,-0.2],\"scale\":0.1},"
    "{\"name\":\"block3\",\"shape\":\"box\",\"position\":[0.2,0.0501,-0.2],\"scale\":0.1},"
    "{\"name\":\"block4\",\"shape\":\"box\",\"position\":[-0.4,0.0501,0.2],\"scale\":0.1},"
    "{\"name\":\"block5\",\"shape\":\"box\",\"position\":[-0.2,0.0501,0.2],\"scale\":0.1},"
    "{\"name\":\"block6\",\"shape\":\"box\",\"position\":[0,0.0501,0.2],\"scale\":0.1},"
    "{\"name\":\"block7\",\"shape\":\"sphere_168\",\"position\":[0.2,0.0501,0.2],\"scale\":0.05}],"
    "\"aid\":{\"fall\":true,\"mode\":5}}";

static char folder[] = "/tmp/fureai-soak-XXXXXX";

static void check(bool is_right, const char *what) {
    if (is_right) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

// ---------------------------------------------------------------------------------------------------------------
// The server's process

// What the server writes to the test through a pipe: at the beginning its port, at the end the rest.
typedef struct report {
    uint16_t port;
    uint64_t hash; // of the last snapshot
    uint64_t ticks, late, clients, refused, bad_messages, frames_sent;
} report;

typedef struct recorded_scene {
    fr_scene *scene;
    fr_world *world;
    fr_output_file record;
    fr_server *server;
} recorded_scene;

static recorded_scene recorded;

static void write_record(const void *bytes, size_t size, void *context) { fr_output_file_write(context, bytes, size); }

static fr_status open_recorded(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)name;
    recorded_scene *r = user;
    fr_scene_player *player = NULL;
    fr_world_def world_def = fr_scene_world_def(r->scene);
    fr_status status = fr_world_create(&world_def, &r->world, error);
    if (status == FR_OK) { status = fr_scene_player_create(NULL, &player, error); }
    fr_scene_build_input input = fr_default_scene_build_input();
    input.player = player;
    if (status == FR_OK) { status = fr_scene_build_world(r->scene, &input, r->world, NULL, error); }
    if (status == FR_OK) { status = fr_world_record(r->world, write_record, &r->record, error); }
    fr_served_scene_def def = fr_default_served_scene_def();
    def.scene = r->scene;
    def.player = player;
    def.world = r->world;
    if (status == FR_OK) { status = fr_served_scene_create(&def, out, error); }
    out->title = "a soak";
    return status;
}

static void close_recorded(fr_served_scene *scene, void *user) {
    (void)user;
    fr_served_scene_destroy(scene);
}

static void stop_server(int number) {
    (void)number;
    fr_server_stop(recorded.server);
}

static bool is_orphan(void *user) { return getppid() != *(const pid_t *)user; }

static int serve(int out, pid_t parent) {
    fr_error error = {0};
    fr_output_file_def record = fr_default_output_file_def();
    fr_server_def def = fr_default_server_def();
    record.path = "soak.record";
    def.provider = (fr_scene_provider){.first = "soak", .open = open_recorded, .close = close_recorded};
    def.provider.user = &recorded;
    def.port = 0;
    def.store_path = "soak.json";
    def.viewer_folder = "";
    bool is_good = fr_scene_read(scene_text, strlen(scene_text), NULL, &recorded.scene, &error) == FR_OK &&
                   fr_output_file_open(&record, &recorded.record, &error) == FR_OK &&
                   fr_server_create(&def, &recorded.server, &error) == FR_OK;
    const fr_control control = {.stop = is_orphan, .user = &parent};
    report r = {.port = is_good ? fr_server_port(recorded.server) : 0};
    signal(SIGTERM, stop_server);
    is_good = is_good && write(out, &r, sizeof r) == sizeof r &&
              fr_server_run(recorded.server, &control, &error) == FR_OK &&
              fr_world_record(recorded.world, NULL, NULL, &error) == FR_OK &&
              fr_output_file_commit(&recorded.record, &error) == FR_OK;
    if (is_good) {
        fr_server_stats stats = fr_server_get_stats(recorded.server);
        const fr_snapshot *snapshot = fr_world_snapshot(recorded.world);
        r = (report){0,
                     fr_snapshot_hash(snapshot),
                     stats.ticks,
                     stats.late,
                     stats.clients_ever,
                     stats.refused,
                     stats.bad_messages,
                     stats.frames_sent};
        fr_snapshot_release(snapshot);
        is_good = write(out, &r, sizeof r) == sizeof r;
    }
    if (!is_good) { printf("the server failed: %s: %s\n", error.path, error.message); }
    fr_server_destroy(recorded.server);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

// ---------------------------------------------------------------------------------------------------------------
// Clients

typedef struct visitor {
    pthread_t thread;
    fr_random random;
    uint16_t port;
    uint64_t grabs, drops, restarts, visits, rubbish;
} visitor;

static atomic_bool is_over;

static uint64_t below(visitor *v, uint64_t count) { return fr_random_below(&v->random, count); }

// A block, by value: whatever comes from the server may take the mirror's own away. False: it is not there now.
static bool pick(visitor *v, test_client *c, fr_ref *ref, fr_vec3 *at) {
    char name[16];
    snprintf(name, sizeof name, "block%u", (unsigned)below(v, BLOCKS));
    const fr_mirror_object *object = fr_mirror_find(c->mirror, name);
    if (object == NULL) { return false; }
    *ref = object->ref;
    *at = object->pose.position;
    return true;
}

// Takes hold of a block, leads it about, and lets go, or leaves that to the end of the lease.
static void handle(visitor *v, test_client *c) {
    fr_ref ref;
    fr_vec3 at;
    if (!pick(v, c, &ref, &at) || client_grab(c, ref) != FR_OK) { return; }
    v->grabs++;
    fr_vec3 step = fr_vec3_make(fr_random_between(&v->random, -0.01, 0.01), fr_random_between(&v->random, -0.01, 0.01),
                                fr_random_between(&v->random, -0.01, 0.01));
    for (uint64_t i = 5 + below(v, 40); i > 0; i--) {
        at = fr_vec3_add(at, step);
        client_move(c, ref, at);
        client_follow_states(c, 1);
    }
    if (below(v, 4) != 0 && client_drop(c, ref) == FR_OK) { v->drops++; }
}

// Bytes that are no message; the server ends the connection.
static void send_rubbish(visitor *v, test_client *c) {
    unsigned char bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)fr_random_bits(&v->random);
    }
    int first = below(v, 4) == 0 ? (int)below(v, 256) : FRAME_LAST | OPCODE_BINARY;
    v->rubbish++;
    size_t size = 1 + below(v, sizeof bytes);
    bool is_sent = c->link != NULL ? client_say_bytes(c, bytes, size) : client_frame(c, first, true, bytes, size);
    if (is_sent) { wait_ms(20); }
}

// True while the connection goes on.
static bool act(visitor *v, test_client *c) {
    fr_ref ref;
    fr_vec3 at;
    switch (below(v, 24)) {
    case 0:
        if (client_play(c, FR_PLAY_RESTART) == FR_OK) { v->restarts++; }
        client_follow_states(c, 2);
        return true;
    case 1: send_rubbish(v, c); return false;
    case 2: wait_ms(200 + (long)below(v, 1500)); return true;
    case 3: (void)client_undo(c, below(v, 2) == 0); return true;
    case 4:
        if (pick(v, c, &ref, &at)) { (void)client_set_state(c, ref, "full", (double)below(v, 3)); }
        return true;
    case 5:
        if (pick(v, c, &ref, &at)) { (void)client_resume(c, ref); }
        return true;
    case 6:
        (void)client_play(c, FR_PLAY_PAUSE);
        client_follow_states(c, 3);
        (void)client_play(c, FR_PLAY_GO);
        return true;
    default: handle(v, c); return true;
    }
}

// A connection that shakes no hands, or not to its end.
static void stand_at_the_door(visitor *v, test_client *c) {
    client_connect(c, v->port);
    if (below(v, 2) == 0) { (void)client_send_text(c, "GET / HTTP/1.1\r\nHost: "); }
    wait_ms((long)below(v, 1000));
}

static void *visit(void *context) {
    visitor *v = context;
    while (!atomic_load(&is_over)) {
        test_client c;
        v->visits++;
        if (below(v, 12) == 0) {
            stand_at_the_door(v, &c);
        } else {
            if (below(v, 2) == 0) {
                client_open(&c, v->port, "visitor", CLIENT_WANTS | FR_WANTS_DRAW);
            } else {
                raw_open(&c, v->port);
                client_hello(&c, "visitor", CLIENT_WANTS | FR_WANTS_DRAW);
            }
            client_follow_states(&c, 2);
            uint64_t actions = 1 + below(v, 20);
            while (actions-- > 0 && !atomic_load(&is_over) && act(v, &c)) {}
        }
        // Some leave hard, so that the server meets a connection that is reset.
        struct linger hard = {.l_onoff = below(v, 2) == 0};
        (void)setsockopt(c.socket, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        client_close(&c);
        if (!atomic_load(&is_over)) { wait_ms((long)below(v, 500)); }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking on

static long resident_kb(pid_t process) {
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "rb");
    check(file != NULL, "the server's process is gone");
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) { kb = atol(line + 6); }
    }
    fclose(file);
    return kb;
}

static int descriptors(pid_t process) {
    char path[64];
    int count = -2;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *list = opendir(path);
    check(list != NULL, "the server's process is gone");
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    return count;
}

typedef struct watched {
    long warm_kb, highest_kb; // resident, up to the end of the time to warm up, and after it
    int most_descriptors;
} watched;

static watched watch(pid_t server, int seconds) {
    int warm = seconds >= 2 * WARM_SECONDS ? WARM_SECONDS : seconds / 2;
    watched w = {0};
    for (int i = 0; i < seconds; i++) {
        wait_ms(1000);
        long kb = resident_kb(server);
        int open_now = descriptors(server);
        if (i < warm && kb > w.warm_kb) { w.warm_kb = kb; }
        if (kb > w.highest_kb) { w.highest_kb = kb; }
        if (open_now > w.most_descriptors) { w.most_descriptors = open_now; }
        if (i % 60 == 59) {
            printf("%5d s: %ld kB resident, %d descriptors\n", i + 1, kb, open_now);
            fflush(stdout);
        }
    }
    return w;
}

// Plays the record in a world of its own; its last hash. Every tick is compared by the replay itself.
static uint64_t replay(size_t *size) {
    FILE *file = fopen("soak.record", "rb");
    check(file != NULL && fseek(file, 0, SEEK_END) == 0, "there is no record");
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    check(bytes != NULL && fread(bytes, 1, *size, file) == *size, "the record cannot be read");
    fclose(file);
    fr_world_def def = fr_default_world_def();
    fr_world *world;
    fr_error error = {0};
    check(fr_world_create(&def, &world, &error) == FR_OK, "no world");
    if (fr_world_replay(world, bytes, *size, NULL, &error) != FR_OK) {
        printf("failed: the record does not replay: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint64_t hash = fr_snapshot_hash(snapshot);
    fr_snapshot_release(snapshot);
    fr_world_destroy(world);
    free(bytes);
    return hash;
}

static void send_visitors(visitor visitors[CLIENTS], uint16_t port) {
    for (unsigned i = 0; i < CLIENTS; i++) {
        visitors[i] = (visitor){.random = fr_random_seed(i + 1), .port = port};
        check(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]) == 0, "no thread");
    }
}

static visitor await_visitors(visitor visitors[CLIENTS]) {
    visitor sum = {0};
    atomic_store(&is_over, true);
    for (unsigned i = 0; i < CLIENTS; i++) {
        check(pthread_join(visitors[i].thread, NULL) == 0, "no end of a thread");
        sum.grabs += visitors[i].grabs;
        sum.drops += visitors[i].drops;
        sum.restarts += visitors[i].restarts;
        sum.visits += visitors[i].visits;
        sum.rubbish += visitors[i].rubbish;
    }
    return sum;
}

// Waits until the server has closed what its clients left.
static int settled_descriptors(pid_t server, int expected) {
    for (int i = 0; i < 100 && descriptors(server) != expected; i++) {
        wait_ms(100);
    }
    return descriptors(server);
}

static int soak_seconds(void) {
    const char *text = getenv("SOAK_SECONDS");
    int seconds = text != NULL ? atoi(text) : SHORT_SECONDS;
    check(seconds > 0 && seconds <= 1000000, "SOAK_SECONDS is no number of seconds");
    return seconds;
}

int main(void) {
    int ends[2], seconds = soak_seconds(), status = 0;
    check(mkdtemp(folder) != NULL && chdir(folder) == 0 && pipe(ends) == 0, "no folder");
    pid_t parent = getpid(), server = fork();
    check(server >= 0, "no process");
    if (server == 0) { return serve(ends[1], parent); }
    close(ends[1]);
    report begin, end;
    check(read(ends[0], &begin, sizeof begin) == sizeof begin && begin.port != 0, "the server does not serve");
    int before = descriptors(server);

    visitor visitors[CLIENTS];
    send_visitors(visitors, begin.port);
    watched w = watch(server, seconds);
    visitor sum = await_visitors(visitors);
    int after = settled_descriptors(server, before);

    check(kill(server, SIGTERM) == 0 && read(ends[0], &end, sizeof end) == sizeof end, "the server does not end");
    check(waitpid(server, &status, 0) == server && status == 0, "the server ends badly");
    size_t record_bytes;
    uint64_t hash = replay(&record_bytes);
    printf("%d s: %llu visits, %llu grabs, %llu drops, %llu restarts, %llu times rubbish\n", seconds,
           (unsigned long long)sum.visits, (unsigned long long)sum.grabs, (unsigned long long)sum.drops,
           (unsigned long long)sum.restarts, (unsigned long long)sum.rubbish);
    printf("%llu ticks, %llu late, %llu clients, %llu bad messages, %llu messages sent, a record of %zu bytes\n",
           (unsigned long long)end.ticks, (unsigned long long)end.late, (unsigned long long)end.clients,
           (unsigned long long)end.bad_messages, (unsigned long long)end.frames_sent, record_bytes);
    printf("resident: %ld kB while warming up, at most %ld kB; descriptors: %d, at most %d, %d at the end\n", w.warm_kb,
           w.highest_kb, before, w.most_descriptors, after);
    check(hash == end.hash, "the record replays to another hash");
    check(after == before, "descriptors stay open");
    check(w.most_descriptors <= before + 3 * CLIENTS, "descriptors pile up");
    check(has_sanitizer || w.highest_kb - w.warm_kb <= GROWTH_KB, "the memory of the server grows");
    check(sum.grabs > 0 && (has_sanitizer || (sum.restarts > 0 && sum.rubbish > 0)), "nothing happened");
    check(unlink("soak.record") == 0 && unlink("soak.json") == 0 && chdir("/") == 0 && rmdir(folder) == 0,
          "files stay behind");
    return EXIT_SUCCESS;
}
