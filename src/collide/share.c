// Loops and gathers of a query that ranks share.
#include "collide/share.h"

#include <string.h>

// Pieces that a rank should find in a loop, so that ranks whose pieces take longer do fewer.
enum { PIECES_A_RANK = 64 };

// What every rank's bytes begin with.
typedef struct share_header {
    uint64_t check;
    uint32_t is_stopped; // 0 or 1
    uint32_t failure;    // an fr_status
} share_header;

void fr__share_make(fr__share *share, const fr_allocator *allocator) {
    *share = (fr__share){.bytes = fr_byte_array_make(allocator)};
}

void fr__share_free(fr__share *share) { fr_byte_array_destroy(&share->bytes); }

fr_status fr__share_check(const fr_exchange *exchange, fr_error *error) {
    if (exchange == NULL) { return FR_OK; }
    bool is_counter = exchange->cut == FR_EXCHANGE_COUNTER;
    bool is_whole = exchange->gather != NULL && (!is_counter || exchange->next != NULL);
    if (is_whole && exchange->rank < exchange->rank_count && (is_counter || exchange->cut == FR_EXCHANGE_STATIC)) {
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the exchange is not complete, or its rank is none of its ranks");
}

static void clear_bytes(fr__share *share) {
    share->bytes.count = 0;
    share->lacks_memory = fr_byte_array_push(&share->bytes, sizeof(share_header)) == NULL;
}

void fr__share_begin(fr__share *share, const fr_exchange *exchange, uint64_t check) {
    share->exchange = exchange != NULL && exchange->rank_count > 1 ? exchange : NULL;
    share->check = check;
    share->is_stopped = false;
    share->status = FR_OK;
    if (share->exchange != NULL) { clear_bytes(share); }
}

// ---------------------------------------------------------------------------------------------------------------
// Loops

typedef struct shared_loop {
    const fr_exchange *exchange;
    size_t count, grain;
    fr_range_fn *fn;
    void *context;
} shared_loop;

static void run_piece(const shared_loop *loop, size_t piece, int worker) {
    size_t begin = piece * loop->grain, left = loop->count - begin;
    loop->fn(begin, begin + (left < loop->grain ? left : loop->grain), worker, loop->context);
}

static size_t piece_count_of(size_t count, size_t grain) { return count / grain + (count % grain != 0); }

static void run_own(size_t begin, size_t end, int worker, void *context) {
    const shared_loop *loop = context;
    for (size_t i = begin; i < end; i++) {
        run_piece(loop, i * loop->exchange->rank_count + loop->exchange->rank, worker);
    }
}

static void run_static(const shared_loop *loop, const fr_tasks *tasks) {
    size_t pieces = piece_count_of(loop->count, loop->grain), ranks = loop->exchange->rank_count;
    size_t rank = loop->exchange->rank, own = pieces > rank ? (pieces - rank - 1) / ranks + 1 : 0;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, own, 1, run_own, (void *)loop);
}

// Each worker takes pieces until none is left. A counter that fails ends the loop; the next gather reports it.
static void run_counted(size_t begin, size_t end, int worker, void *context) {
    (void)begin, (void)end;
    const shared_loop *loop = context;
    size_t pieces = piece_count_of(loop->count, loop->grain);
    uint64_t piece;
    while (loop->exchange->next(&piece, loop->exchange->user) && piece < pieces) {
        run_piece(loop, (size_t)piece, worker);
    }
}

void fr__share_note(const fr__share *share, bool begins) {
    const fr_exchange *exchange = share->exchange;
    if (exchange != NULL && exchange->work != NULL) { exchange->work(begins, exchange->user); }
}

void fr__share_run(const fr__share *share, const fr_tasks *tasks, size_t count, size_t grain, fr_range_fn *fn,
                   void *context) {
    if (share->exchange == NULL) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, grain, fn, context);
        return;
    }
    shared_loop loop = {share->exchange, count, grain > 0 ? grain : 1, fn, context};
    fr__share_note(share, true);
    if (share->exchange->cut == FR_EXCHANGE_COUNTER && count > 0) {
        fr_tasks_run(tasks, FR_SCHEDULE_CYCLIC, (size_t)fr_tasks_worker_count(tasks), 1, run_counted, &loop);
    } else {
        run_static(&loop, tasks);
    }
    fr__share_note(share, false);
}

size_t fr__share_grain(const fr__share *share, size_t count, size_t least) {
    if (share->exchange == NULL) { return least; }
    size_t grain = count / ((size_t)share->exchange->rank_count * PIECES_A_RANK);
    return grain > least ? grain : least;
}

// ---------------------------------------------------------------------------------------------------------------
// Gathers

void *fr__share_put(fr__share *share, size_t size) {
    void *out = share->lacks_memory ? NULL : fr_byte_array_push(&share->bytes, size);
    if (out == NULL) { share->lacks_memory = true; }
    return out;
}

static fr_status status_of(fr__share *share, const fr_gathered *gathered) {
    fr_status failure = FR_OK;
    bool is_alike = true;
    for (uint32_t r = 0; r < share->exchange->rank_count; r++) {
        size_t begin = r > 0 ? gathered->ends[r - 1] : 0;
        share_header header;
        if (gathered->ends[r] - begin < sizeof header) { return FR_ERROR_CORRUPT; }
        memcpy(&header, gathered->bytes + begin, sizeof header);
        if (failure == FR_OK) { failure = (fr_status)header.failure; }
        is_alike = is_alike && header.check == share->check;
        share->is_stopped = share->is_stopped || header.is_stopped != 0;
    }
    return failure != FR_OK ? failure : is_alike ? FR_OK : FR_ERROR_ARGUMENT;
}

bool fr__share_gather(fr__share *share, bool is_stopped, fr_status failure, fr_gathered *out) {
    const fr_exchange *exchange = share->exchange;
    if (failure == FR_OK && share->lacks_memory) { failure = FR_ERROR_MEMORY; }
    share_header header = {share->check, is_stopped, (uint32_t)failure};
    if (share->status != FR_OK) { return false; }
    bool is_gathered;
    if (failure != FR_OK) {
        is_gathered = exchange->gather(&header, sizeof header, out, exchange->user);
    } else {
        memcpy(share->bytes.data, &header, sizeof header);
        is_gathered = exchange->gather(share->bytes.data, share->bytes.count, out, exchange->user);
    }
    share->status = is_gathered ? status_of(share, out) : FR_ERROR_SYSTEM;
    clear_bytes(share);
    return share->status == FR_OK;
}

const unsigned char *fr__share_of(const fr_gathered *gathered, uint32_t rank, size_t *size) {
    size_t begin = (rank > 0 ? gathered->ends[rank - 1] : 0) + sizeof(share_header);
    *size = gathered->ends[rank] - begin;
    return gathered->bytes + begin;
}

void fr__share_fail(fr__share *share, fr_status failure) {
    fr_gathered ignored;
    if (share->exchange == NULL || share->status != FR_OK) { return; }
    (void)fr__share_gather(share, false, failure, &ignored);
}

fr_status fr__share_error(const fr__share *share, fr_error *error) {
    switch (share->status) {
    case FR_ERROR_MEMORY: return fr_error_set(error, FR_ERROR_MEMORY, "a rank is out of memory");
    case FR_ERROR_ARGUMENT: return fr_error_set(error, FR_ERROR_ARGUMENT, "the ranks do not have the same objects");
    case FR_ERROR_CORRUPT: return fr_error_set(error, FR_ERROR_CORRUPT, "a rank gave less than it must");
    case FR_ERROR_SYSTEM: return fr_error_set(error, FR_ERROR_SYSTEM, "another rank has ended");
    case FR_ERROR_STOPPED: return fr_error_set(error, FR_ERROR_STOPPED, "stopped");
    default: return fr_error_set(error, share->status, "another rank: %s", fr_status_text(share->status));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Arrays

// The items of a rank's pieces go after one another into its bytes, or from there.
typedef struct array_cut {
    unsigned char *data;
    size_t element_bytes, count, grain;
} array_cut;

// The next piece of a rank from `*piece` on; false: it has no more.
static bool next_piece(const array_cut *cut, size_t *piece, size_t ranks, unsigned char **begin, size_t *bytes) {
    size_t first = *piece * cut->grain;
    if (first >= cut->count) { return false; }
    size_t left = cut->count - first;
    *begin = cut->data + first * cut->element_bytes;
    *bytes = (left < cut->grain ? left : cut->grain) * cut->element_bytes;
    *piece += ranks;
    return true;
}

// False where a rank gave less than its pieces.
static bool take_array(const fr__share *share, const array_cut *cut, const fr_gathered *gathered) {
    for (uint32_t r = 0; r < share->exchange->rank_count; r++) {
        size_t piece = r, size, bytes;
        unsigned char *begin;
        const unsigned char *from = fr__share_of(gathered, r, &size);
        while (r != share->exchange->rank && next_piece(cut, &piece, share->exchange->rank_count, &begin, &bytes)) {
            if (size < bytes) { return false; }
            memcpy(begin, from, bytes);
            from += bytes;
            size -= bytes;
        }
    }
    return true;
}

bool fr__share_array(fr__share *share, const fr_tasks *tasks, void *data, size_t element_bytes, size_t count,
                     size_t grain, fr_range_fn *fn, void *context) {
    if (share->exchange == NULL) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, grain, fn, context);
        return true;
    }
    const array_cut cut = {data, element_bytes, count, grain};
    shared_loop loop = {share->exchange, count, grain, fn, context};
    fr__share_note(share, true);
    run_static(&loop, tasks);
    fr__share_note(share, false);
    size_t piece = share->exchange->rank, bytes;
    unsigned char *begin;
    while (next_piece(&cut, &piece, share->exchange->rank_count, &begin, &bytes)) {
        void *out = fr__share_put(share, bytes);
        if (out != NULL) { memcpy(out, begin, bytes); }
    }
    fr_gathered gathered;
    if (!fr__share_gather(share, false, FR_OK, &gathered)) { return false; }
    if (!take_array(share, &cut, &gathered)) { share->status = FR_ERROR_CORRUPT; }
    return share->status == FR_OK;
}
