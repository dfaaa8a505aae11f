// Two processes that share a query: an fr_exchange over a socket. Each gets the whole result.
#include "fureai/fureai.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// One end of the line between the two.
typedef struct line {
    int socket;
    uint32_t rank;
    unsigned char *bytes;
    size_t ends[2];
} line;

static bool send_all(int socket, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent <= 0) { return false; }
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int socket, void *bytes, size_t size) {
    return size == 0 || recv(socket, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

// Rank 0 sends first, then rank 1. A process that has ended closes its socket, which makes this fail.
static bool gather(const void *bytes, size_t size, fr_gathered *out, void *user) {
    line *l = user;
    size_t sizes[2] = {size, size};
    uint32_t other = 1 - l->rank;
    bool is_done = l->rank == 1 || send_all(l->socket, &size, sizeof size);
    is_done = is_done && receive_all(l->socket, &sizes[other], sizeof size);
    is_done = is_done && (l->rank == 0 || send_all(l->socket, &size, sizeof size));
    unsigned char *both = is_done ? realloc(l->bytes, sizes[0] + sizes[1] + 1) : NULL;
    if (both == NULL) { return false; }
    l->bytes = both;
    l->ends[0] = sizes[0];
    l->ends[1] = sizes[0] + sizes[1];
    memcpy(both + (l->rank == 0 ? 0 : sizes[0]), bytes, size);
    is_done = l->rank == 1 || send_all(l->socket, bytes, size);
    is_done = is_done && receive_all(l->socket, both + (other == 0 ? 0 : sizes[0]), sizes[other]);
    is_done = is_done && (l->rank == 0 || send_all(l->socket, bytes, size));
    *out = (fr_gathered){l->bytes, l->ends};
    return is_done;
}

// The pairs of faces of two balls that meet; 0 on failure. The exchange may be NULL.
static size_t count_pairs(const fr_exchange *exchange) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    fr_mesh *ball = NULL;
    fr_collide *collide = NULL;
    fr_collide_output output = {0};
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status == FR_OK) { status = fr_mesh_create_named("sphere_3968", NULL, &ball, NULL); }
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = ball;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose.position.x = 0.7 * i;
        fr_object_id id;
        status = fr_object_add(space, &object, &id, NULL);
    }
    if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
    if (status == FR_OK) { status = fr_collide_create(NULL, &collide, NULL); }
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.exchange = exchange;
    if (status == FR_OK) { status = fr_collide_static(collide, &input, &output, NULL); }
    size_t count = status == FR_OK ? output.pair_count : 0;
    if (exchange != NULL) {
        printf("rank %u tested %llu pairs\n", exchange->rank, (unsigned long long)output.stats.tested);
    }
    fr_collide_destroy(collide);
    fr_mesh_release(ball);
    fr_space_destroy(space);
    return count;
}

int main(void) {
    size_t alone = count_pairs(NULL);
    int sockets[2];
    if (alone == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) { return 1; }
    pid_t child = fork();
    if (child < 0) { return 1; }
    line l = {.rank = child == 0 ? 1 : 0};
    l.socket = sockets[l.rank];
    close(sockets[1 - l.rank]);
    const fr_exchange exchange = {
        .rank = l.rank, .rank_count = 2, .cut = FR_EXCHANGE_STATIC, .gather = gather, .user = &l};
    size_t shared = count_pairs(&exchange);
    free(l.bytes);
    close(l.socket);
    if (child == 0) { return shared == alone ? 0 : 1; }
    int status = 1;
    waitpid(child, &status, 0);
    printf("%zu pairs by one process, %zu by two\n", alone, shared);
    return shared == alone && status == 0 ? 0 : 1;
}
