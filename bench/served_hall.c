#include "served_hall.h"

#include "fureai/server_redis.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// Clients beside the watchers disturb some of the benchmarks.
enum { PEOPLE = 100, OBJECTS = 1100, CLIENTS_MAX = 4096 };

static bool start_server(served_hall *h, served_process *process, bool is_edge) {
    fr_server_def def = fr_default_server_def();
    char url[128];
    snprintf(url, sizeof url, "unix:%s", h->socket);
    def.port = 0;
    def.max_clients = CLIENTS_MAX;
    def.max_clients_per_address = BENCH_WATCHERS_MAX;
    def.viewer_folder = "";
    def.is_edge = is_edge;
    if (!is_edge) { def.provider = served_crowd_provider(h->crowd); }
    return served_process_start(process, &def, h->broker > 0 ? url : NULL);
}

static bool start_broker(served_hall *h) {
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

bool served_hall_open(bench *b, served_hall *hall, size_t watchers, int edges) {
    *hall = (served_hall){.crowd = served_crowd_create(PEOPLE, OBJECTS)};
    if (hall->crowd != NULL) { hall->audience = bench_audience_create(hall->crowd); }
    bool good = hall->audience != NULL && (edges == 0 || start_broker(hall)) && start_server(hall, &hall->home, false);
    for (int i = 0; i < edges && good; i++) {
        good = start_server(hall, &hall->edges[i], true);
    }
    for (size_t i = 0; i < watchers && good; i++) {
        const served_process *to = edges > 0 ? &hall->edges[i % (size_t)edges] : &hall->home;
        good = bench_audience_join(hall->audience, to->port);
    }
    good = good && bench_audience_start(hall->audience, (int)bench_size(b, 50, 4000));
    if (!good) { bench_skip(b, "a server, Redis or the watchers cannot begin"); }
    return good;
}

void served_hall_close(served_hall *hall) {
    bench_audience_destroy(hall->audience);
    for (int i = 0; i < HALL_EDGES_MAX; i++) {
        served_process_stop(&hall->edges[i]);
    }
    served_process_stop(&hall->home);
    if (hall->broker > 0) {
        (void)kill(hall->broker, SIGKILL);
        (void)waitpid(hall->broker, NULL, 0);
        (void)unlink(hall->socket);
    }
    if (hall->folder[0] != '\0') { (void)rmdir(hall->folder); }
    served_crowd_destroy(hall->crowd);
    *hall = (served_hall){0};
}

double served_hall_processor_seconds(const served_hall *hall) {
    double seconds = bench_processor_seconds(hall->home.process);
    for (int i = 0; i < HALL_EDGES_MAX; i++) {
        if (hall->edges[i].process > 0) { seconds += bench_processor_seconds(hall->edges[i].process); }
    }
    return seconds;
}
