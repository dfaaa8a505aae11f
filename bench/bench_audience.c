// Audiences, by the clock: 100 bodies that walk and 1,000 balls that move, at 60 ticks a second, to many watchers over
// loopback, by one server or by two edges with a Redis between. A sample is a second; what counts is the age of each
// state when a watcher has it whole, from the beginning of its tick. Watchers read on a thread of their own, which
// takes the processor's time from the servers, and is reported apart.
#include "bench.h"

#include "fureai/server_redis.h"
#include "watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEOPLE = 100, OBJECTS = 1100, WATCHERS_MAX = 400, EDGES_MAX = 2 };

// ---------------------------------------------------------------------------------------------------------------
// Servers

typedef struct part {
    served_thread server;
    fr_redis *redis;
    fr_broadcast broadcast;
} part;

typedef struct house {
    served_crowd *crowd;
    part home, edges[EDGES_MAX];
    pid_t broker; // 0: none
    char folder[64], socket[96];
} house;

static bool start_part(part *p, const house *h, served_crowd *c) {
    fr_server_def def = fr_default_server_def();
    def.port = 0;
    def.max_clients = def.max_clients_per_address = WATCHERS_MAX;
    def.viewer_folder = "";
    def.is_edge = c == NULL;
    if (c != NULL) { def.provider = served_crowd_provider(c); }
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
    return served_thread_start(&p->server, &def);
}

static void stop_part(part *p) {
    served_thread_stop(&p->server);
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
    served_crowd_destroy(h->crowd);
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

static void measure(bench *b, bench_audience *a) {
    double spent = processor_seconds();
    bench_audience_begin(a);
    while (bench_repeat(b)) {
        (void)poll(NULL, 0, (int)bench_size(b, 50, 1000));
    }
    bench_seen seen = bench_audience_end(a);
    bench_count(b, "p50_ms", seen.p50_ms);
    bench_count(b, "p99_ms", seen.p99_ms);
    bench_count(b, "states_a_second_each", seen.states_each);
    bench_count(b, "bytes_a_second_each", seen.bytes_each);
    bench_count(b, "servers_processors", (processor_seconds() - spent) / seen.seconds - seen.processors);
    bench_count(b, "watchers_processors", seen.processors);
}

static void run_audience(bench *b, size_t watchers, int edges) {
    house *h = calloc(1, sizeof *h);
    if (h != NULL) { h->crowd = served_crowd_create(PEOPLE, OBJECTS); }
    bench_audience *a = h != NULL && h->crowd != NULL ? bench_audience_create(h->crowd) : NULL;
    bool good = a != NULL && (edges == 0 || start_broker(h)) && start_part(&h->home, h, h->crowd);
    for (int i = 0; i < edges && good; i++) {
        good = start_part(&h->edges[i], h, NULL);
    }
    for (size_t i = 0; good && i < watchers; i++) {
        const part *p = edges > 0 ? &h->edges[i % (size_t)edges] : &h->home;
        good = bench_audience_join(a, fr_server_port(p->server.server));
    }
    if (good && bench_audience_start(a, (int)bench_size(b, 50, 4000))) {
        measure(b, a);
    } else {
        bench_skip(b, "a server, Redis or the watchers cannot begin");
    }
    bench_audience_destroy(a);
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
