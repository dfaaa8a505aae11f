#include "watcher.h"

#include "fureai/base_order.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { AGES_MAX = 1 << 21, BUFFER_BYTES = 1 << 22, LOOPBACK_ONE = 1, OPCODE_PING = 9 };

static bool float_is_before(const float *a, const float *b) { return *a < *b; }

FR_SORT_TYPE(sort_floats, float, float_is_before);

typedef struct watcher {
    unsigned char *buffer; // what came of a frame that is not whole
    size_t size;
    bool is_greeted; // the head of HTTP is behind
} watcher;

struct bench_audience {
    const served_crowd *crowd;
    struct pollfd sockets[BENCH_WATCHERS_MAX];
    watcher watchers[BENCH_WATCHERS_MAX];
    size_t count;
    _Atomic uint64_t bytes, states;
    _Atomic uint64_t processor_ns; // of the watchers' thread
    atomic_bool is_over, is_measured;
    bool is_started;
    pthread_t thread;
    uint64_t begin_ns, begin_bytes, begin_states, begin_processor_ns;
    _Atomic uint64_t age_count;
    float ages[AGES_MAX]; // milliseconds
};

// ---------------------------------------------------------------------------------------------------------------
// Coming

bool bench_upgrade(int socket, uint16_t port) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Protocol: " FR_PROTOCOL_NAME "\r\n\r\n",
                          (unsigned)port);
    return send(socket, text, (size_t)length, MSG_NOSIGNAL) == length;
}

bool bench_greet(int socket, uint16_t port, uint32_t wants) {
    fr_array frame = fr_array_make(1, NULL);
    fr_message hello = {.type = FR_MESSAGE_HELLO};
    hello.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, wants, "bench"};
    unsigned char *head = fr_array_push(&frame, 6);
    bool good = head != NULL && fr_protocol_write(&hello, &frame, NULL) == FR_OK;
    if (good) {
        head = frame.data;
        memset(head, 0, 6);
        head[0] = 0x82;
        head[1] = (unsigned char)(0x80 | (frame.count - 6));
        good =
            bench_upgrade(socket, port) && send(socket, frame.data, frame.count, MSG_NOSIGNAL) == (ssize_t)frame.count;
    }
    fr_array_destroy(&frame);
    return good;
}

int bench_connect(uint16_t port, uint16_t from) {
    struct sockaddr_in own = {.sin_family = AF_INET}, address = {.sin_family = AF_INET, .sin_port = htons(port)};
    own.sin_addr.s_addr = htonl(UINT32_C(0x7f000000) | from);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) { return -1; }
    if (bind(descriptor, (struct sockaddr *)&own, sizeof own) == 0 &&
        connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

bench_audience *bench_audience_create(const served_crowd *crowd) {
    bench_audience *a = calloc(1, sizeof *a);
    if (a != NULL) { a->crowd = crowd; }
    return a;
}

void bench_audience_destroy(bench_audience *a) {
    if (a == NULL) { return; }
    if (a->is_started) {
        atomic_store(&a->is_over, true);
        (void)pthread_join(a->thread, NULL);
    }
    for (size_t i = 0; i < a->count; i++) {
        close(a->sockets[i].fd);
        free(a->watchers[i].buffer);
    }
    free(a);
}

bool bench_audience_join(bench_audience *a, uint16_t port) {
    if (a->count == BENCH_WATCHERS_MAX) { return false; }
    int descriptor = bench_connect(port, LOOPBACK_ONE);
    if (descriptor < 0) { return false; }
    a->watchers[a->count].buffer = malloc(BUFFER_BYTES);
    a->sockets[a->count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    (void)poll(NULL, 0, 5); // connections a second have a limit
    return a->watchers[a->count - 1].buffer != NULL && bench_greet(descriptor, port, FR_WANTS_POSES);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static uint64_t number_at(const unsigned char *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

// The messages of a frame: the tick of each state says how old it is.
static void take_frame(bench_audience *a, const unsigned char *at, size_t size) {
    while (size >= 8) {
        uint64_t type = number_at(at, 2), payload = number_at(at + 4, 4);
        if (payload > size - 8) { return; }
        if (type == FR_MESSAGE_STATE && payload >= 24) {
            uint64_t begun = served_crowd_tick_ns(a->crowd, number_at(at + 24, 8));
            uint64_t place = atomic_load(&a->is_measured) ? atomic_fetch_add(&a->age_count, 1) : AGES_MAX;
            if (place < AGES_MAX) { a->ages[place] = (float)fr_clock_ms_since(begun); }
            atomic_fetch_add(&a->states, 1);
        }
        at += 8 + payload;
        size -= 8 + payload;
    }
}

// Replies to a ping, as a browser does by itself: who does not is closed after a minute. The mask is zero.
static void reply_to_ping(int socket, const unsigned char *payload, size_t size) {
    unsigned char pong[6 + 125] = {0x8a, (unsigned char)(0x80 | size)};
    if (size > 125) { return; }
    memcpy(pong + 6, payload, size);
    (void)send(socket, pong, 6 + size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Takes whole frames out of what came; the rest stays.
static void take_frames(bench_audience *a, watcher *w, int socket) {
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
        if ((frame[0] & 15) == OPCODE_PING) {
            reply_to_ping(socket, frame + head, size);
        } else {
            take_frame(a, frame + head, size);
        }
        at += head + size;
    }
    memmove(w->buffer, w->buffer + at, w->size - at);
    w->size -= at;
}

static void *watch(void *context) {
    bench_audience *a = context;
    while (!atomic_load(&a->is_over)) {
        if (poll(a->sockets, (nfds_t)a->count, 10) <= 0) { continue; }
        for (size_t i = 0; i < a->count; i++) {
            watcher *w = &a->watchers[i];
            if ((a->sockets[i].revents & POLLIN) == 0) { continue; }
            ssize_t got = recv(a->sockets[i].fd, w->buffer + w->size, BUFFER_BYTES - w->size, MSG_DONTWAIT);
            if (got <= 0) { continue; }
            w->size += (size_t)got;
            atomic_fetch_add(&a->bytes, (uint64_t)got);
            take_frames(a, w, a->sockets[i].fd);
        }
        struct timespec time;
        if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
            atomic_store(&a->processor_ns, (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec);
        }
    }
    return NULL;
}

bool bench_audience_start(bench_audience *a, int settle_ms) {
    a->is_started = pthread_create(&a->thread, NULL, watch, a) == 0;
    uint64_t begin = fr_clock_ns();
    while (a->is_started && atomic_load(&a->states) < 20 * a->count && fr_clock_ms_since(begin) < 20000.0) {
        (void)poll(NULL, 0, 50);
    }
    (void)poll(NULL, 0, settle_ms);
    return a->is_started;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

void bench_audience_begin(bench_audience *a) {
    atomic_store(&a->age_count, 0);
    atomic_store(&a->is_measured, true);
    a->begin_bytes = atomic_load(&a->bytes);
    a->begin_states = atomic_load(&a->states);
    a->begin_processor_ns = atomic_load(&a->processor_ns);
    a->begin_ns = fr_clock_ns();
}

bench_seen bench_audience_end(bench_audience *a) {
    bench_seen seen = {.seconds = 1e-9 * (double)(fr_clock_ns() - a->begin_ns)};
    double each = seen.seconds * (double)a->count;
    atomic_store(&a->is_measured, false);
    seen.processors = 1e-9 * (double)(atomic_load(&a->processor_ns) - a->begin_processor_ns) / seen.seconds;
    seen.states_each = (double)(atomic_load(&a->states) - a->begin_states) / each;
    seen.bytes_each = (double)(atomic_load(&a->bytes) - a->begin_bytes) / each;
    uint64_t count = atomic_load(&a->age_count);
    if (count > AGES_MAX) { count = AGES_MAX; }
    sort_floats(a->ages, count);
    seen.p50_ms = count > 0 ? (double)a->ages[count / 2] : 0.0;
    seen.p99_ms = count > 0 ? (double)a->ages[count * 99 / 100] : 0.0;
    return seen;
}
