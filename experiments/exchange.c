// Exchanges on a loopback connection, timed.
#include "exchange.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_BYTES = 16, HEAD_BYTES = 8, MAX_BYTES = 4096 };

// One end that replies, on a thread of its own.
typedef struct exchange_peer {
    const exchange_input *input;
    int near, far; // descriptors of both ends
    uint32_t count;
    pthread_t thread;
    bool has_thread;
} exchange_peer;

static bool write_all(int descriptor, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(descriptor, at, size, MSG_NOSIGNAL);
        if (sent <= 0) { return false; }
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool read_all(int descriptor, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        ssize_t got = recv(descriptor, at, size, 0);
        if (got <= 0) { return false; }
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static void *reply(void *context) {
    exchange_peer *peer = context;
    const exchange_input *input = peer->input;
    char message[MAX_BYTES] = {0}, request[REQUEST_BYTES];
    bool goes_on = true;
    for (uint32_t i = 0; i < peer->count && goes_on; i++) {
        // A display that is pushed to says that it has drawn: the timing is that of pictures, not of a full buffer.
        goes_on = read_all(peer->far, request, input->mode == EXCHANGE_PUSH ? 1 : REQUEST_BYTES);
        if (input->work != NULL) { input->work(input->context); }
        if (input->mode == EXCHANGE_TWO_WRITES) {
            goes_on = goes_on && write_all(peer->far, message, HEAD_BYTES) &&
                      write_all(peer->far, message + HEAD_BYTES, input->bytes - HEAD_BYTES);
        } else {
            goes_on = goes_on && write_all(peer->far, message, input->bytes);
        }
    }
    return NULL;
}

static bool connect_pair(exchange_peer *peer, int listener, const struct sockaddr_in *address, bool has_delay) {
    peer->near = socket(AF_INET, SOCK_STREAM, 0);
    if (peer->near < 0 || connect(peer->near, (const struct sockaddr *)address, sizeof *address) != 0) { return false; }
    peer->far = accept(listener, NULL, NULL);
    int on = has_delay ? 0 : 1;
    return peer->far >= 0 && setsockopt(peer->near, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           setsockopt(peer->far, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0;
}

static bool open_peers(const exchange_input *input, exchange_peer *peers) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bool is_open = listener >= 0 && bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
                   listen(listener, 8) == 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0;
    for (uint32_t i = 0; i < input->peers; i++) {
        peers[i] = (exchange_peer){.input = input, .near = -1, .far = -1, .count = 2 * input->count * input->rounds};
    }
    for (uint32_t i = 0; i < input->peers && is_open; i++) {
        is_open = connect_pair(&peers[i], listener, &address, input->mode == EXCHANGE_TWO_WRITES) &&
                  pthread_create(&peers[i].thread, NULL, reply, &peers[i]) == 0;
        peers[i].has_thread = is_open;
    }
    if (listener >= 0) { close(listener); }
    return is_open;
}

static void close_peers(exchange_peer *peers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (peers[i].near >= 0) { shutdown(peers[i].near, SHUT_RDWR); }
        if (peers[i].has_thread) { pthread_join(peers[i].thread, NULL); }
        if (peers[i].near >= 0) { close(peers[i].near); }
        if (peers[i].far >= 0) { close(peers[i].far); }
    }
}

// Sends a request to all peers, then takes all their replies.
static bool request_all(const exchange_input *input, const exchange_peer *peers) {
    char message[MAX_BYTES];
    static const char request[REQUEST_BYTES];
    bool goes_on = true;
    for (uint32_t i = 0; i < input->peers && goes_on; i++) {
        goes_on = write_all(peers[i].near, request, input->mode == EXCHANGE_PUSH ? 1 : REQUEST_BYTES);
    }
    for (uint32_t i = 0; i < input->peers && goes_on; i++) {
        goes_on = read_all(peers[i].near, message, input->bytes);
    }
    return goes_on;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sort_times(double *times, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        double time = times[i];
        uint32_t k = i;
        for (; k > 0 && times[k - 1] > time; k--) {
            times[k] = times[k - 1];
        }
        times[k] = time;
    }
}

fr_status exchange_measure(const exchange_input *input, double *seconds, fr_error *error) {
    FR_ASSERT(input->bytes > HEAD_BYTES && input->bytes <= MAX_BYTES && input->count > 0);
    exchange_peer peers[EXCHANGE_MAX_PEERS];
    double *times = malloc(input->count * sizeof *times);
    if (times == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the times of messages"); }
    bool goes_on = open_peers(input, peers);
    // A connection sends at once at first (quick acknowledgements): as many exchanges are not timed.
    for (uint32_t i = 0; i < 2 * input->count && goes_on; i++) {
        double begin = now();
        for (uint32_t round = 0; round < input->rounds && goes_on; round++) {
            goes_on = request_all(input, peers);
        }
        if (i >= input->count) { times[i - input->count] = now() - begin; }
    }
    close_peers(peers, input->peers);
    if (goes_on) {
        sort_times(times, input->count);
        *seconds = times[input->count / 2];
    }
    free(times);
    return goes_on ? FR_OK : fr_error_set(error, FR_ERROR_SYSTEM, "no messages on the loopback of this machine");
}
