#define _GNU_SOURCE // for nice and SCHED_BATCH

#include "disturber.h"

#include "watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Last two bytes of the addresses 127.0.A.B that they come from.
enum { FROM_SLOW = 2, FROM_GARBAGE = 3, FROM_PASSING = 4, FROM_IDLE = 256 };
enum { IDLE_A_ADDRESS = 100, IDLE_LOOK_MS = 100 };

// ---------------------------------------------------------------------------------------------------------------
// The disturbances, each on a thread

static void *read_slowly(void *context) {
    uint16_t port = *(const uint16_t *)context;
    int descriptor = -1;
    for (;;) {
        char byte;
        if (descriptor < 0) {
            descriptor = bench_connect(port, FROM_SLOW);
            if (descriptor >= 0) { (void)bench_greet(descriptor, port, FR_WANTS_POSES); }
        }
        (void)poll(NULL, 0, 1000);
        if (descriptor >= 0 && recv(descriptor, &byte, 1, MSG_DONTWAIT) == 0) {
            close(descriptor);
            descriptor = -1;
        }
    }
    return NULL;
}

// Frames of a WebSocket with bytes that are no messages, until the server has enough.
static void *send_garbage(void *context) {
    uint16_t port = *(const uint16_t *)context;
    unsigned char garbage[4096];
    fr_random random = fr_random_seed(28);
    for (;;) {
        int descriptor = bench_connect(port, FROM_GARBAGE);
        if (descriptor < 0) {
            (void)poll(NULL, 0, 1);
            continue;
        }
        bool good = bench_upgrade(descriptor, port);
        while (good) {
            for (size_t i = 0; i < sizeof garbage; i++) {
                garbage[i] = (unsigned char)fr_random_below(&random, 256);
            }
            garbage[0] = 0x82;
            garbage[1] = 0x80 | 125;
            good = send(descriptor, garbage, sizeof garbage, MSG_NOSIGNAL) > 0;
        }
        close(descriptor);
    }
    return NULL;
}

static void *open_and_close(void *context) {
    uint16_t port = *(const uint16_t *)context;
    const struct linger hard = {.l_onoff = 1};
    for (;;) {
        int descriptor = bench_connect(port, FROM_PASSING);
        if (descriptor < 0) {
            (void)poll(NULL, 0, 1);
            continue;
        }
        // Otherwise the ports of this machine are used up in a minute.
        (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(descriptor);
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The idle ones

static void come_idle(struct pollfd *place, uint32_t i, uint16_t port) {
    int descriptor = bench_connect(port, (uint16_t)(FROM_IDLE + i / IDLE_A_ADDRESS));
    *place = (struct pollfd){.fd = descriptor, .events = POLLIN};
    if (descriptor >= 0 && i % 2 == 0) { (void)bench_upgrade(descriptor, port); }
}

// Reads what came; where that is the end, the client comes again.
static void look(struct pollfd *place, uint32_t i, uint16_t port) {
    char bytes[4096];
    if (place->fd >= 0 && (place->revents & (POLLIN | POLLHUP | POLLERR)) == 0) { return; }
    if (place->fd >= 0 && recv(place->fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) { return; }
    if (place->fd >= 0 && errno == EAGAIN) { return; }
    if (place->fd >= 0) { close(place->fd); }
    come_idle(place, i, port);
}

static void stay_idle(uint32_t count, uint16_t port, int out) {
    struct pollfd *places = calloc((size_t)count + 1, sizeof *places);
    if (places == NULL) { return; }
    for (uint32_t i = 0; i < count; i++) {
        come_idle(&places[i], i, port);
    }
    if (write(out, "!", 1) != 1) { return; }
    for (;;) {
        (void)poll(NULL, 0, IDLE_LOOK_MS);
        if (poll(places, count, 0) <= 0) { continue; }
        for (uint32_t i = 0; i < count; i++) {
            look(&places[i], i, port);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------

// The kernel ends this process with its parent at the latest when it writes to nobody: it asks for that itself.
static void *follow_parent(void *context) {
    const pid_t parent = *(const pid_t *)context;
    while (getppid() == parent) {
        (void)poll(NULL, 0, 200);
    }
    _exit(EXIT_FAILURE);
}

static void disturb(uint16_t port, uint32_t kinds, uint32_t idle, int out, pid_t parent) {
    static const struct {
        disturbance kind;
        void *(*run)(void *);
    } threads[] = {{DISTURB_SLOW, read_slowly}, {DISTURB_GARBAGE, send_garbage}, {DISTURB_PASSING, open_and_close}};
    pthread_t thread;
    // Elsewhere they would have processors of their own: here they take what servers and watchers leave, also where
    // those run with the priority of real time.
    const struct sched_param none = {0};
    if (sched_setscheduler(0, SCHED_BATCH, &none) != 0) { return; }
    errno = 0;
    if (nice(19) == -1 && errno != 0) { return; }
    if (pthread_create(&thread, NULL, follow_parent, &parent) != 0) { return; }
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        bool is_of_these = (kinds & (uint32_t)threads[i].kind) != 0;
        if (is_of_these && pthread_create(&thread, NULL, threads[i].run, &port) != 0) { return; }
    }
    stay_idle((kinds & DISTURB_IDLE) != 0 ? idle : 0, port, out);
}

bool disturber_start(disturber *d, uint16_t port, uint32_t kinds, uint32_t idle) {
    *d = (disturber){0};
    int ends[2];
    if (pipe(ends) != 0) { return false; }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        disturb(port, kinds, idle, ends[1], parent);
        _exit(EXIT_FAILURE);
    }
    close(ends[1]);
    char there = 0;
    bool good = child > 0 && read(ends[0], &there, 1) == 1;
    close(ends[0]);
    if (child > 0) { d->process = child; }
    return good;
}

void disturber_stop(disturber *d) {
    if (d->process == 0) { return; }
    (void)kill(d->process, SIGKILL);
    (void)waitpid(d->process, NULL, 0);
    *d = (disturber){0};
}
