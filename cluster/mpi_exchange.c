// Gathers by MPI_Iallgather and MPI_Iallgatherv, what goes from each to each by MPI_Ialltoall and MPI_Ialltoallv, and a
// counter by MPI_Fetch_and_op.
#include "mpi_exchange.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Bytes are sent in blocks of this many, so that counts, which are ints in MPI, reach 128 GiB.
enum { BLOCK_BYTES = 64 };

// Tests of a request before a rank that waits sleeps between them: ranks may be more than processors.
enum { TESTS_BEFORE_SLEEP = 200, SLEEP_NS = 50000 };

// What each rank says before it gives its bytes.
typedef struct head {
    uint64_t size, calls, has_left;
} head;

enum { HEAD_WORDS = sizeof(head) / sizeof(uint64_t) };

typedef struct mpi_ranks {
    int rank, count;
    MPI_Comm world;
    MPI_Datatype block;
    MPI_Win window; // of the counter, which rank 0 holds
    uint64_t *counter;
    uint64_t base;  // the counter's value at the last gather
    uint64_t calls; // by this rank since then
    pthread_mutex_t lock;
    bool has_ended; // a rank has left, or MPI failed
    head *heads;
    int *counts, *offsets; // in blocks
    size_t *ends;
    unsigned char *bytes;
    size_t capacity;
    uint64_t *own_sizes, *sizes;   // of what goes from each to each: to the others, and from them
    int *own_counts, *own_offsets; // of what goes to the others, in blocks
    unsigned char *own_bytes;
    size_t own_capacity;
    double began; // the work in progress
    mpi_costs costs;
} mpi_ranks;

// ---------------------------------------------------------------------------------------------------------------
// Gathers

static bool wait_for(MPI_Request *request) {
    int is_done = 0;
    for (int tests = 0;; tests++) {
        if (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) { return false; }
        if (is_done) { return true; }
        const struct timespec pause = {0, SLEEP_NS};
        if (tests > TESTS_BEFORE_SLEEP) { nanosleep(&pause, NULL); }
    }
}

// Learns what every rank is about to give. False when one has left.
static bool gather_heads(mpi_ranks *r, head own) {
    MPI_Request request;
    if (MPI_Iallgather(&own, HEAD_WORDS, MPI_UINT64_T, r->heads, HEAD_WORDS, MPI_UINT64_T, r->world, &request) !=
            MPI_SUCCESS ||
        !wait_for(&request)) {
        return false;
    }
    bool has_left = false;
    for (int i = 0; i < r->count; i++) {
        has_left = has_left || r->heads[i].has_left != 0;
        r->base += r->heads[i].calls;
    }
    return !has_left;
}

static bool provide(unsigned char **bytes, size_t *capacity, size_t wanted) {
    if (wanted <= *capacity) { return true; }
    unsigned char *larger = realloc(*bytes, wanted);
    if (larger == NULL) { return false; }
    *bytes = larger;
    *capacity = wanted;
    return true;
}

// Where blocks for or from each rank go; how many there are, or SIZE_MAX when there are too many.
static size_t place_sizes(const mpi_ranks *r, const uint64_t *sizes, size_t stride, int *counts, int *offsets) {
    size_t blocks = 0;
    for (int i = 0; i < r->count; i++) {
        uint64_t size = sizes[(size_t)i * stride];
        size_t count = (size_t)size / BLOCK_BYTES + (size % BLOCK_BYTES != 0);
        if (blocks + count > INT_MAX) { return SIZE_MAX; }
        offsets[i] = (int)blocks;
        counts[i] = (int)count;
        blocks += count;
    }
    return blocks;
}

// Makes room for what all ranks have for this one. False when it is too much or there is no memory.
static bool place_received(mpi_ranks *r, const uint64_t *sizes, size_t stride) {
    size_t blocks = place_sizes(r, sizes, stride, r->counts, r->offsets), end = 0;
    for (int i = 0; i < r->count; i++) {
        r->ends[i] = end += (size_t)sizes[(size_t)i * stride];
    }
    return blocks != SIZE_MAX && provide(&r->bytes, &r->capacity, blocks * BLOCK_BYTES);
}

// Takes out the gaps at the ends of blocks that were received.
static void close_gaps(mpi_ranks *r) {
    for (int i = 0; i < r->count; i++) {
        size_t begin = i > 0 ? r->ends[i - 1] : 0;
        if (r->ends[i] > begin) {
            memmove(r->bytes + begin, r->bytes + (size_t)r->offsets[i] * BLOCK_BYTES, r->ends[i] - begin);
        }
    }
}

static bool gather_blocks(mpi_ranks *r, const void *bytes, size_t size) {
    MPI_Request request;
    if (size > 0) { memcpy(r->bytes + (size_t)r->offsets[r->rank] * BLOCK_BYTES, bytes, size); }
    if (MPI_Iallgatherv(MPI_IN_PLACE, 0, r->block, r->bytes, r->counts, r->offsets, r->block, r->world, &request) !=
            MPI_SUCCESS ||
        !wait_for(&request)) {
        return false;
    }
    close_gaps(r);
    return true;
}

// A rank without memory for what all give cannot go on, nor can the others: it ends the whole job.
static bool gather(const void *bytes, size_t size, fr_gathered *out, void *user) {
    mpi_ranks *r = user;
    if (r->has_ended) { return false; }
    double begin = MPI_Wtime();
    const head own = {size, r->calls, 0};
    r->calls = 0;
    r->costs.gathers++;
    r->has_ended = !gather_heads(r, own);
    if (!r->has_ended && !place_received(r, &r->heads[0].size, HEAD_WORDS)) { MPI_Abort(r->world, 1); }
    r->has_ended = r->has_ended || !gather_blocks(r, bytes, size);
    r->costs.wait_s += MPI_Wtime() - begin;
    if (r->has_ended) { return false; }
    r->costs.received_bytes += r->ends[r->count - 1];
    *out = (fr_gathered){r->bytes, r->ends};
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// From each to each

// Lays out what goes to the others, in whole blocks.
static bool place_given(mpi_ranks *r, const unsigned char *bytes, const size_t *ends) {
    for (int i = 0; i < r->count; i++) {
        r->own_sizes[i] = ends[i] - (i > 0 ? ends[i - 1] : 0);
    }
    size_t blocks = place_sizes(r, r->own_sizes, 1, r->own_counts, r->own_offsets);
    if (blocks == SIZE_MAX || !provide(&r->own_bytes, &r->own_capacity, blocks * BLOCK_BYTES)) { return false; }
    for (int i = 0; i < r->count; i++) {
        if (r->own_sizes[i] == 0) { continue; }
        memcpy(r->own_bytes + (size_t)r->own_offsets[i] * BLOCK_BYTES, bytes + (i > 0 ? ends[i - 1] : 0),
               (size_t)r->own_sizes[i]);
    }
    return true;
}

static bool swap_sizes(mpi_ranks *r) {
    MPI_Request request;
    return MPI_Ialltoall(r->own_sizes, 1, MPI_UINT64_T, r->sizes, 1, MPI_UINT64_T, r->world, &request) == MPI_SUCCESS &&
           wait_for(&request);
}

static bool swap_blocks(mpi_ranks *r) {
    MPI_Request request;
    if (MPI_Ialltoallv(r->own_bytes, r->own_counts, r->own_offsets, r->block, r->bytes, r->counts, r->offsets, r->block,
                       r->world, &request) != MPI_SUCCESS ||
        !wait_for(&request)) {
        return false;
    }
    close_gaps(r);
    return true;
}

// The heads come first, as in a gather: a rank that has left has sent its last one.
static bool all_to_all(const void *bytes, const size_t *ends, fr_gathered *out, void *user) {
    mpi_ranks *r = user;
    if (r->has_ended) { return false; }
    double begin = MPI_Wtime();
    const head own = {0, r->calls, 0};
    r->calls = 0;
    r->costs.all_to_alls++;
    r->has_ended = !gather_heads(r, own);
    if (!r->has_ended && !place_given(r, bytes, ends)) { MPI_Abort(r->world, 1); }
    r->has_ended = r->has_ended || !swap_sizes(r);
    if (!r->has_ended && !place_received(r, r->sizes, 1)) { MPI_Abort(r->world, 1); }
    r->has_ended = r->has_ended || !swap_blocks(r);
    r->costs.wait_s += MPI_Wtime() - begin;
    if (r->has_ended) { return false; }
    r->costs.received_bytes += r->ends[r->count - 1];
    r->costs.faces_bytes += r->ends[r->count - 1];
    *out = (fr_gathered){r->bytes, r->ends};
    return true;
}

void mpi_exchange_leave(const fr_exchange *exchange) {
    mpi_ranks *r = exchange->user;
    if (!r->has_ended) { (void)gather_heads(r, (head){0, 0, 1}); }
    r->has_ended = true;
}

// ---------------------------------------------------------------------------------------------------------------
// The counter

static bool next(uint64_t *out, void *user) {
    mpi_ranks *r = user;
    const uint64_t one = 1;
    uint64_t value = 0;
    pthread_mutex_lock(&r->lock);
    double begin = MPI_Wtime();
    bool is_done = MPI_Fetch_and_op(&one, &value, MPI_UINT64_T, 0, 0, MPI_SUM, r->window) == MPI_SUCCESS &&
                   MPI_Win_flush(0, r->window) == MPI_SUCCESS;
    r->calls++;
    r->costs.calls++;
    r->costs.call_s += MPI_Wtime() - begin;
    pthread_mutex_unlock(&r->lock);
    *out = value - r->base;
    return is_done;
}

static void note_work(bool begins, void *user) {
    mpi_ranks *r = user;
    double now = MPI_Wtime();
    if (!begins) { r->costs.work_s += now - r->began; }
    r->began = now;
}

// ---------------------------------------------------------------------------------------------------------------
// All

// Where all ranks are on one machine the counter lies in memory that they share: then a call of it needs nothing of
// rank 0, which may be busy or not be running at all.
static bool open_window(mpi_ranks *r) {
    MPI_Comm machine;
    int count = 0;
    if (MPI_Comm_split_type(r->world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) != MPI_SUCCESS) {
        return false;
    }
    MPI_Comm_size(machine, &count);
    MPI_Comm_free(&machine);
    int is_local = count == r->count, is_local_for_all = 0;
    MPI_Allreduce(&is_local, &is_local_for_all, 1, MPI_INT, MPI_MIN, r->world);
    MPI_Aint size = r->rank == 0 ? (MPI_Aint)sizeof *r->counter : 0;
    int each = (int)sizeof *r->counter;
    return (is_local_for_all
                ? MPI_Win_allocate_shared(size, each, MPI_INFO_NULL, r->world, &r->counter, &r->window)
                : MPI_Win_allocate(size, each, MPI_INFO_NULL, r->world, &r->counter, &r->window)) == MPI_SUCCESS;
}

static bool open_ranks(mpi_ranks *r) {
    if (MPI_Comm_dup(MPI_COMM_WORLD, &r->world) != MPI_SUCCESS) { return false; }
    MPI_Comm_rank(r->world, &r->rank);
    MPI_Comm_size(r->world, &r->count);
    MPI_Type_contiguous(BLOCK_BYTES, MPI_BYTE, &r->block);
    MPI_Type_commit(&r->block);
    size_t count = (size_t)r->count;
    r->heads = calloc(count, sizeof *r->heads);
    r->counts = calloc(count, sizeof *r->counts);
    r->offsets = calloc(count, sizeof *r->offsets);
    r->ends = calloc(count, sizeof *r->ends);
    r->own_sizes = calloc(count, sizeof *r->own_sizes);
    r->sizes = calloc(count, sizeof *r->sizes);
    r->own_counts = calloc(count, sizeof *r->own_counts);
    r->own_offsets = calloc(count, sizeof *r->own_offsets);
    if (!open_window(r)) { return false; }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, r->window);
    if (r->rank == 0) { *r->counter = 0; }
    MPI_Win_sync(r->window);
    MPI_Barrier(r->world);
    pthread_mutex_init(&r->lock, NULL);
    return r->heads != NULL && r->counts != NULL && r->offsets != NULL && r->ends != NULL && r->own_sizes != NULL &&
           r->sizes != NULL && r->own_counts != NULL && r->own_offsets != NULL;
}

bool mpi_exchange_open(fr_exchange *out) {
    mpi_ranks *r = calloc(1, sizeof *r);
    if (r == NULL || !open_ranks(r)) { return false; } // the program ends, and all ranks with it
    *out = (fr_exchange){.rank = (uint32_t)r->rank,
                         .rank_count = (uint32_t)r->count,
                         .gather = gather,
                         .next = next,
                         .all_to_all = all_to_all,
                         .work = note_work,
                         .user = r};
    return true;
}

void mpi_exchange_close(fr_exchange *exchange) {
    mpi_ranks *r = exchange->user;
    MPI_Win_unlock_all(r->window);
    MPI_Win_free(&r->window);
    MPI_Type_free(&r->block);
    MPI_Comm_free(&r->world);
    pthread_mutex_destroy(&r->lock);
    free(r->heads);
    free(r->counts);
    free(r->offsets);
    free(r->ends);
    free(r->bytes);
    free(r->own_sizes);
    free(r->sizes);
    free(r->own_counts);
    free(r->own_offsets);
    free(r->own_bytes);
    free(r);
    *exchange = (fr_exchange){0};
}

mpi_costs mpi_exchange_costs(const fr_exchange *exchange) { return ((const mpi_ranks *)exchange->user)->costs; }

// A gather of few bytes takes two messages; what one of many takes longer is their bytes. The least of several, since
// other programs disturb.
mpi_link mpi_exchange_measure(const fr_exchange *exchange) {
    enum { TRIES = 20, MANY_BYTES = 1 << 20 };
    mpi_ranks *r = exchange->user;
    mpi_costs before = r->costs;
    unsigned char *many = calloc(1, MANY_BYTES);
    double least[2] = {1e9, 1e9};
    for (int i = 0; i < 2 * TRIES; i++) {
        fr_gathered ignored;
        size_t size = i % 2 == 1 && many != NULL ? MANY_BYTES : 0;
        double begin = MPI_Wtime();
        if (!gather(many, size, &ignored, r)) { break; }
        double took = MPI_Wtime() - begin;
        least[i % 2] = took < least[i % 2] ? took : least[i % 2];
    }
    free(many);
    r->costs = before;
    double more = least[1] > least[0] ? least[1] - least[0] : 1e-9;
    return (mpi_link){0.5 * least[0], (double)MANY_BYTES * r->count / more};
}
