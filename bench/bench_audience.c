// Audiences, by the clock: 100 bodies that walk and 1,000 balls that move, at 60 ticks a second, to many watchers over
// loopback, by one server or by two edges with a Redis between. A sample is a second; what counts is the age of each
// state when a watcher has it whole, from the beginning of its tick. Watchers read on a thread of their own, which
// takes the processor's time from the servers, and is reported apart.
#include "bench.h"

#include "fureai/base_order.h"
#include "fureai/server.h"
#include "fureai/server_redis.h"
#include "walking_body.h"
#include "watcher.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TICKS_A_SECOND = 60,
    PEOPLE = 100,
    OBJECTS = 1100,
    WATCHERS_MAX = 400,
    EDGES_MAX = 2,
    AGES_MAX = 1 << 21,
    BUFFER_BYTES = 1 << 22,
    TICKS_KEPT = 1 << 12
};

static bool float_is_before(const float *a, const float *b) { return *a < *b; }

FR_SORT_TYPE(sort_floats, float, float_is_before);

// ---------------------------------------------------------------------------------------------------------------
// The scene

typedef struct crowd {
    fr_world *world;
    fr_object_id ids[OBJECTS];
    fr_pose bones[PEOPLE][WALKER_BONES];
} crowd;

static _Atomic uint64_t tick_ns[TICKS_KEPT]; // when each began

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    crowd *c = user;
    fr_status status = FR_OK;
    uint64_t tick = proposal->tick + 1;
    atomic_store(&tick_ns[tick % TICKS_KEPT], fr_clock_ns());
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
        status = fr_object_add_mesh(fr_world_space(c->world), ball, &pose, &c->ids[i], error);
        if (status != FR_OK || i >= PEOPLE) { continue; }
        status = fr_object_set_skin(fr_world_space(c->world), c->ids[i], 0, skin, FR_SKIN_LINEAR, error);
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
// Watchers

typedef struct watcher {
    unsigned char *buffer; // what came of a frame that is not whole
    size_t size;
    bool is_greeted; // the head of HTTP is behind
} watcher;

typedef struct audience {
    struct pollfd sockets[WATCHERS_MAX];
    watcher watchers[WATCHERS_MAX];
    size_t count;
    _Atomic uint64_t bytes, states;
    _Atomic uint64_t processor_ns; // of the watchers' thread
    atomic_bool is_over, is_measured;
    pthread_t thread;
} audience;

static float ages[AGES_MAX]; // milliseconds
static _Atomic uint64_t age_count;

static uint64_t number_at(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

// The messages of a frame: the tick of each state says how old it is.
static void take_frame(audience *a, const unsigned char *at, size_t size) {
    while (size >= 8) {
        uint64_t type = number_at(at, 2), payload = number_at(at + 4, 4);
        if (payload > size - 8) { return; }
        if (type == FR_MESSAGE_STATE && payload >= 24) {
            uint64_t begun = atomic_load(&tick_ns[number_at(at + 24, 8) % TICKS_KEPT]);
            uint64_t place = atomic_load(&a->is_measured) ? atomic_fetch_add(&age_count, 1) : AGES_MAX;
            if (place < AGES_MAX) { ages[place] = (float)fr_clock_ms_since(begun); }
            atomic_fetch_add(&a->states, 1);
        }
        at += 8 + payload;
        size -= 8 + payload;
    }
}

// Takes whole frames out of what came; the rest stays.
static void take_frames(audience *a, watcher *w) {
    size_t at = 0;
    if (!w->is_greeted) {
        for (size_t i = 3; i < w->size && !w->is_greeted; i++) {
            w->is_greeted = memcmp(w->buffer + i - 3, "\r\n\r\n", 4) == 0;
            at = i + 1;
        }
        if (!w->is_greeted) { return; }
    }
    while (w->size - at >= 2) {
        const unsigned char *frame = w->buffer + at;
        size_t head = frame[1] < 126 ? 2 : frame[1] == 126 ? 4 : 10, size = frame[1];
        if (w->size - at < head) { break; }
        for (size_t i = 2; i < head; i++) {
            size = (i == 2 ? 0 : size << 8) | frame[i];
        }
        if (w->size - at - head < size) { break; }
        take_frame(a, frame + head, size);
        at += head + size;
    }
    memmove(w->buffer, w->buffer + at, w->size - at);
    w->size -= at;
}

static void *watch(void *context) {
    audience *a = context;
    while (!atomic_load(&a->is_over)) {
        if (poll(a->sockets, (nfds_t)a->count, 10) <= 0) { continue; }
        for (size_t i = 0; i < a->count; i++) {
            watcher *w = &a->watchers[i];
            if ((a->sockets[i].revents & POLLIN) == 0) { continue; }
            ssize_t got = recv(a->sockets[i].fd, w->buffer + w->size, BUFFER_BYTES - w->size, MSG_DONTWAIT);
            if (got <= 0) { continue; }
            w->size += (size_t)got;
            atomic_fetch_add(&a->bytes, (uint64_t)got);
            take_frames(a, w);
        }
        struct timespec time;
        if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
            atomic_store(&a->processor_ns, (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec);
        }
    }
    return NULL;
}

static bool join_audience(audience *a, uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) { return false; }
    a->watchers[a->count].buffer = malloc(BUFFER_BYTES);
    a->sockets[a->count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    (void)poll(NULL, 0, 5); // connections a second have a limit
    return a->watchers[a->count - 1].buffer != NULL &&
           connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 &&
           bench_greet(descriptor, port, FR_WANTS_POSES);
}

// ---------------------------------------------------------------------------------------------------------------
// Servers

typedef struct part {
    fr_server *server;
    fr_redis *redis;
    fr_broadcast broadcast;
    pthread_t thread;
    bool is_running;
} part;

typedef struct house {
    crowd crowd;
    part home, edges[EDGES_MAX];
    pid_t broker; // 0: none
    char folder[64], socket[96];
} house;

static bool start_part(part *p, const house *h, crowd *c) {
    fr_server_def def = fr_default_server_def();
    def.port = 0;
    def.max_clients = def.max_clients_per_address = WATCHERS_MAX;
    def.viewer_folder = "";
    def.is_edge = c == NULL;
    if (c != NULL) {
        def.provider = (fr_scene_provider){.first = "crowd", .open = open_crowd, .close = close_crowd, .user = c};
    }
    if (h->broker > 0) {
        char url[128];
        snprintf(url, sizeof url, "unix:%s", h->socket);
        fr_redis_def redis = fr_default_redis_def();
        redis.url = url;
        redis.timeout_seconds = 10.0;
        if (fr_redis_create(&redis, &p->redis, NULL) != FR_OK) { return false; }
        p->broadcast = fr_redis_table(p->redis);
        def.broadcast = &p->broadcast;
    }
    p->is_running =
        fr_server_create(&def, &p->server, NULL) == FR_OK && pthread_create(&p->thread, NULL, run, p->server) == 0;
    return p->is_running;
}

static void stop_part(part *p) {
    if (p->is_running) {
        fr_server_stop(p->server);
        (void)pthread_join(p->thread, NULL);
    }
    fr_server_destroy(p->server);
    fr_redis_destroy(p->redis);
}

static bool start_broker(house *h) {
    snprintf(h->folder, sizeof h->folder, "/tmp/fureai-bench-XXXXXX");
    if (!fr_redis_is_built() || mkdtemp(h->folder) == NULL) { return false; }
    snprintf(h->socket, sizeof h->socket, "%s/socket", h->folder);
    h->broker = fork();
    if (h->broker == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", h->socket, "--save", "", "--dir",
               h->folder, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 100 && access(h->socket, F_OK) != 0; i++) {
        (void)poll(NULL, 0, 50);
    }
    return access(h->socket, F_OK) == 0;
}

static void stop_house(house *h) {
    for (int i = 0; i < EDGES_MAX; i++) {
        stop_part(&h->edges[i]);
    }
    stop_part(&h->home);
    if (h->broker > 0) {
        (void)kill(h->broker, SIGKILL);
        (void)waitpid(h->broker, NULL, 0);
        (void)unlink(h->socket);
    }
    if (h->folder[0] != '\0') { (void)rmdir(h->folder); }
    free(h);
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

static double processor_seconds(void) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void measure(bench *b, audience *a) {
    uint64_t begin = fr_clock_ns();
    while (atomic_load(&a->states) < 20 * a->count && fr_clock_ms_since(begin) < 20000.0) {
        (void)poll(NULL, 0, 50);
    }
    // Those who joined first were not read until the last had joined: what waits for them comes now.
    (void)poll(NULL, 0, (int)bench_size(b, 50, 4000));
    atomic_store(&age_count, 0);
    atomic_store(&a->is_measured, true);
    uint64_t bytes = atomic_load(&a->bytes), states = atomic_load(&a->states);
    uint64_t watching = atomic_load(&a->processor_ns);
    double spent = processor_seconds();
    begin = fr_clock_ns();
    while (bench_repeat(b)) {
        (void)poll(NULL, 0, (int)bench_size(b, 50, 1000));
    }
    double seconds = 1e-9 * (double)(fr_clock_ns() - begin), each = seconds * (double)a->count;
    double watched = 1e-9 * (double)(atomic_load(&a->processor_ns) - watching);
    atomic_store(&a->is_measured, false);
    uint64_t count = atomic_load(&age_count);
    if (count > AGES_MAX) { count = AGES_MAX; }
    sort_floats(ages, count);
    bench_count(b, "p50_ms", count > 0 ? (double)ages[count / 2] : 0.0);
    bench_count(b, "p99_ms", count > 0 ? (double)ages[count * 99 / 100] : 0.0);
    bench_count(b, "states_a_second_each", (double)(atomic_load(&a->states) - states) / each);
    bench_count(b, "bytes_a_second_each", (double)(atomic_load(&a->bytes) - bytes) / each);
    bench_count(b, "servers_processors", (processor_seconds() - spent - watched) / seconds);
    bench_count(b, "watchers_processors", watched / seconds);
}

static void run_audience(bench *b, size_t watchers, int edges) {
    house *h = calloc(1, sizeof *h);
    static audience a;
    memset(&a, 0, sizeof a);
    bool good = h != NULL && (edges == 0 || start_broker(h)) && start_part(&h->home, h, &h->crowd);
    for (int i = 0; i < edges && good; i++) {
        good = start_part(&h->edges[i], h, NULL);
    }
    for (size_t i = 0; good && i < watchers; i++) {
        const part *p = edges > 0 ? &h->edges[i % (size_t)edges] : &h->home;
        good = join_audience(&a, fr_server_port(p->server));
    }
    good = good && pthread_create(&a.thread, NULL, watch, &a) == 0;
    if (good) {
        measure(b, &a);
        atomic_store(&a.is_over, true);
        (void)pthread_join(a.thread, NULL);
    } else {
        bench_skip(b, "a server, Redis or the watchers cannot begin");
    }
    for (size_t i = 0; i < a.count; i++) {
        close(a.sockets[i].fd);
        free(a.watchers[i].buffer);
    }
    if (h != NULL) { stop_house(h); }
}

static void one_watcher(bench *b) { run_audience(b, 1, 0); }
static void fifty_watchers(bench *b) { run_audience(b, bench_size(b, 4, 50), 0); }
static void two_hundred_watchers(bench *b) { run_audience(b, bench_size(b, 4, 200), 0); }
static void one_watcher_of_edges(bench *b) { run_audience(b, 2, 2); }
static void four_hundred_watchers_of_edges(bench *b) { run_audience(b, bench_size(b, 4, 400), 2); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"watch/1", one_watcher},
                                       {"watch/50", fifty_watchers},
                                       {"watch/200", two_hundred_watchers},
                                       {"edges/2/2", one_watcher_of_edges},
                                       {"edges/2/400", four_hundred_watchers_of_edges}};
    return bench_main(argc, argv, "fureai", "audience", cases, sizeof cases / sizeof cases[0]);
}
