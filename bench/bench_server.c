// The server: a tick of 1,000 moving objects, made into messages once and sent to 1, 8 and 64 watchers over loopback
// sockets, until the last byte is handed to the kernel; and 100 walking bodies of 43 bones of which 15 turn, by the
// clock: 60 ticks a second, and what comes to the watchers meanwhile. A thread of its own reads what comes.
#include "bench.h"

#include "server/server.h"
#include "watcher.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WATCHERS_MAX = 64, OBJECTS = 1000, WALKERS = 100, TICKS_A_SECOND = CROWD_TICKS_A_SECOND };

// ---------------------------------------------------------------------------------------------------------------
// The watchers: they read and forget

typedef struct audience {
    struct pollfd sockets[WATCHERS_MAX];
    size_t count;
    atomic_ullong received; // bytes of all
    atomic_bool is_over;
    pthread_t thread;
} audience;

static void *watch(void *context) {
    audience *a = context;
    static char bytes[1 << 20];
    while (!atomic_load(&a->is_over)) {
        if (poll(a->sockets, (nfds_t)a->count, 10) <= 0) { continue; }
        for (size_t i = 0; i < a->count; i++) {
            if ((a->sockets[i].revents & POLLIN) == 0) { continue; }
            ssize_t count = recv(a->sockets[i].fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (count > 0) { atomic_fetch_add(&a->received, (unsigned long long)count); }
        }
    }
    return NULL;
}

static bool join_audience(audience *a, uint16_t port) {
    int descriptor = bench_connect(port, 1);
    if (descriptor < 0) { return false; }
    a->sockets[a->count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    return bench_greet(descriptor, port, FR_WANTS_POSES | FR_WANTS_PAIRS);
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

static bool all_are_told(const fr_server *server) {
    for (const fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->sequence != server->frames.sequence) { return false; }
    }
    return true;
}

static void measure(bench *b, fr_server *server, audience *a) {
    while (server->stats.clients < a->count || !all_are_told(server)) {
        if (!fr__sockets_service(server, 1000000)) { break; }
    }
    uint64_t bytes = 0, ticks = 0;
    while (bench_repeat(b)) {
        uint64_t before = server->stats.bytes_sent;
        if (fr__served_tick(server, false, NULL) != FR_OK) { break; }
        fr__sockets_send_states(server);
        while (!all_are_told(server) && fr__sockets_service(server, 1000000)) {}
        bench_pause(b);
        bytes += server->stats.bytes_sent - before;
        ticks++;
    }
    bench_count(b, "ms_tick", server->stats.ms_tick);
    bench_count(b, "ms_encode", server->frames.ms_encode);
    if (ticks == 0) { return; }
    bench_count(b, "bytes", (double)(bytes / ticks));
}

// Serves what happens until a time.
static void serve_until(fr_server *server, uint64_t end) {
    for (uint64_t now = fr_clock_ns(); now < end; now = fr_clock_ns()) {
        if (!fr__sockets_service(server, end - now)) { return; }
    }
}

// 60 ticks a second by the clock. A sample is a tick and its messages, without the time until the next one.
static void measure_by_clock(bench *b, fr_server *server, audience *a) {
    const uint64_t period = UINT64_C(1000000000) / TICKS_A_SECOND;
    while (server->stats.clients < a->count || !all_are_told(server)) {
        if (!fr__sockets_service(server, 1000000)) { break; }
    }
    serve_until(server, fr_clock_ns() + 12 * period);
    uint64_t begin = fr_clock_ns(), next = begin, late = 0;
    uint64_t before = atomic_load(&a->received);
    while (bench_repeat(b)) {
        if (fr__served_tick(server, false, NULL) != FR_OK) { break; }
        fr__sockets_send_states(server);
        while (!all_are_told(server) && fr__sockets_service(server, 1000000)) {}
        bench_pause(b);
        next += period;
        late += fr_clock_ns() > next;
        serve_until(server, next);
    }
    double seconds = 1e-9 * (double)(fr_clock_ns() - begin);
    double bytes = (double)(atomic_load(&a->received) - before);
    bench_count(b, "ms_encode", server->frames.ms_encode);
    bench_count(b, "seconds", seconds);
    bench_count(b, "late_ticks", (double)late);
    bench_count(b, "bytes_a_second_each", bytes / seconds / (double)a->count);
}

static void run_watchers(bench *b, size_t watchers, bool has_bones) {
    uint32_t count = (uint32_t)bench_size(b, 20, has_bones ? WALKERS : OBJECTS);
    served_crowd *c = served_crowd_create(has_bones ? count : 0, count);
    static audience a;
    memset(&a, 0, sizeof a);
    fr_server_def def = fr_default_server_def();
    def.max_clients_per_address = def.max_clients;
    fr_server *server = NULL;
    def.port = 0;
    def.provider = served_crowd_provider(c);
    bool good = c != NULL && fr_server_create(&def, &server, NULL) == FR_OK;
    for (size_t i = 0; good && i < watchers; i++) {
        good = join_audience(&a, fr_server_port(server));
    }
    good = good && pthread_create(&a.thread, NULL, watch, &a) == 0;
    if (good) {
        (has_bones ? measure_by_clock : measure)(b, server, &a);
        atomic_store(&a.is_over, true);
        (void)pthread_join(a.thread, NULL);
    } else {
        bench_skip(b, "the server or its watchers cannot begin");
    }
    for (size_t i = 0; i < a.count; i++) {
        close(a.sockets[i].fd);
    }
    fr_server_destroy(server);
    served_crowd_destroy(c);
}

static void nobody(bench *b) { run_watchers(b, 0, false); }
static void one_watcher(bench *b) { run_watchers(b, 1, false); }
static void eight_watchers(bench *b) { run_watchers(b, 8, false); }
static void sixty_four_watchers(bench *b) { run_watchers(b, bench_size(b, 4, 64), false); }
static void bodies_with_bones(bench *b) { run_watchers(b, bench_size(b, 4, 64), true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"tick/1000/0", nobody},
                                       {"tick/1000/1", one_watcher},
                                       {"tick/1000/8", eight_watchers},
                                       {"tick/1000/64", sixty_four_watchers},
                                       {"walk/100/64", bodies_with_bones}};
    return bench_main(argc, argv, "fureai", "server", cases, sizeof cases / sizeof cases[0]);
}
