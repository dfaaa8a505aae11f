// What the ground floor costs: starting a loop on workers, hashing, scratch memory, handing a state over, sorting.
#include "bench.h"

#include "fureai/base_order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void do_nothing(size_t begin, size_t end, int worker, void *context) {
    (void)begin;
    (void)end;
    (void)worker;
    (void)context;
}

// A piece that ends only when the other one has begun: shows how long it takes to have a second worker at work.
static void meet(size_t begin, size_t end, int worker, void *context) {
    (void)begin;
    (void)end;
    (void)worker;
    atomic_int *arrived = context;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 2) {}
}

static fr_task_pool *make_pool(bench *b) {
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = bench_threads(b) > 1 ? bench_threads(b) : 2;
    fr_task_pool *pool = NULL;
    fr_error error;
    if (fr_task_pool_create(&def, &pool, &error) != FR_OK) { bench_skip(b, "no task pool"); }
    return pool;
}

// Runs `loops` loops of one piece a worker in a sample.
static void run_loops(bench *b, fr_schedule schedule, fr_range_fn *fn, size_t loops) {
    fr_task_pool *pool = make_pool(b);
    if (pool == NULL) { return; }
    fr_tasks tasks = fr_task_pool_tasks(pool);
    size_t pieces = fn == meet ? 2 : (size_t)tasks.worker_count;
    while (bench_repeat(b)) {
        for (size_t i = 0; i < loops; ++i) {
            atomic_int arrived = 0;
            fr_tasks_run(&tasks, schedule, pieces, 1, fn, &arrived);
        }
    }
    bench_items(b, (double)loops);
    bench_count(b, "workers", tasks.worker_count);
    fr_task_pool_destroy(pool);
}

static void tasks_empty_cyclic(bench *b) { run_loops(b, FR_SCHEDULE_CYCLIC, do_nothing, bench_size(b, 10, 10000)); }

static void tasks_empty_dynamic(bench *b) { run_loops(b, FR_SCHEDULE_DYNAMIC, do_nothing, bench_size(b, 10, 10000)); }

static void tasks_two_at_work(bench *b) { run_loops(b, FR_SCHEDULE_CYCLIC, meet, bench_size(b, 10, 2000)); }

// Bytes that were written, so that each page is memory of its own; NULL with the case skipped.
static unsigned char *make_bytes(bench *b, size_t count) {
    unsigned char *data = malloc(count);
    if (data == NULL) {
        bench_skip(b, "out of memory");
        return NULL;
    }
    memset(data, 7, count);
    return data;
}

// Bytes are counted as items, so that a million items a second is a megabyte a second.
static void hash_large(bench *b) {
    size_t bytes = bench_size(b, 1000, 1 << 20), rounds = bench_size(b, 1, 100);
    unsigned char *data = make_bytes(b, bytes);
    if (data == NULL) { return; }
    uint64_t hash = 0;
    while (bench_repeat(b)) {
        for (size_t i = 0; i < rounds; ++i) {
            hash = fr_hash(data, bytes, hash);
        }
    }
    bench_keep(&hash);
    bench_items(b, (double)(bytes * rounds));
    free(data);
}

static void memcpy_large(bench *b) {
    size_t bytes = bench_size(b, 1000, 1 << 20), rounds = bench_size(b, 1, 100);
    unsigned char *data = make_bytes(b, 2 * bytes);
    if (data == NULL) { return; }
    while (bench_repeat(b)) {
        for (size_t i = 0; i < rounds; ++i) {
            memcpy(data + bytes, data, bytes);
            bench_keep(data);
        }
    }
    bench_items(b, (double)(bytes * rounds));
    free(data);
}

static void hash_of_8_bytes(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    while (bench_repeat(b)) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < count; ++i) {
            sum += fr_hash(&i, sizeof i, 0);
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)count);
}

// Sizes of scratch as a step asks for it: mostly small.
static size_t scratch_bytes(size_t i) { return 16 + (i * 2654435761u >> 7) % 1000; }

static void scratch_from_arena(bench *b) {
    size_t count = bench_size(b, 100, 10000);
    fr_arena *arena;
    if (fr_arena_create(0, NULL, &arena, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
        return;
    }
    while (bench_repeat(b)) {
        for (size_t i = 0; i < count; ++i) {
            *(char *)fr_arena_alloc(arena, scratch_bytes(i), 1, 16) = 1;
        }
        fr_arena_reset(arena);
    }
    bench_items(b, (double)count);
    fr_arena_destroy(arena);
}

static void scratch_from_malloc(bench *b) {
    size_t count = bench_size(b, 100, 10000);
    void **pieces = calloc(count, sizeof *pieces);
    if (pieces == NULL) {
        bench_skip(b, "out of memory");
        return;
    }
    while (bench_repeat(b)) {
        for (size_t i = 0; i < count; ++i) {
            pieces[i] = malloc(scratch_bytes(i));
            if (pieces[i] != NULL) { *(char *)pieces[i] = 1; }
        }
        for (size_t i = 0; i < count; ++i) {
            free(pieces[i]);
        }
    }
    bench_items(b, (double)count);
    free(pieces);
}

// Pushes one by one into an array that has room already: what a step does that finds no more than the last one.
static void array_push_typed(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_uint32_array array = fr_uint32_array_make(NULL);
    while (bench_repeat(b)) {
        array.count = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t *element = fr_uint32_array_push(&array, 1);
            if (element != NULL) { *element = i; }
        }
        bench_keep(array.data);
    }
    bench_items(b, (double)count);
    fr_uint32_array_destroy(&array);
}

static void array_push_untyped(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_array array = fr_array_make(sizeof(uint32_t), NULL);
    while (bench_repeat(b)) {
        array.count = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t *element = fr_array_push(&array, 1);
            if (element != NULL) { *element = i; }
        }
        bench_keep(array.data);
    }
    bench_items(b, (double)count);
    fr_array_destroy(&array);
}

static void triple_buffer_publish_and_read(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_triple_buffer *buffer;
    if (fr_triple_buffer_create(sizeof(uint64_t), NULL, &buffer, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
        return;
    }
    while (bench_repeat(b)) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < count; ++i) {
            *(uint64_t *)fr_triple_buffer_write(buffer) = i;
            fr_triple_buffer_publish(buffer);
            sum += *(const uint64_t *)fr_triple_buffer_read(buffer, NULL);
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)count);
    fr_triple_buffer_destroy(buffer);
}

static void random_bits(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_random random = fr_random_seed(1);
    while (bench_repeat(b)) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; ++i) {
            sum += fr_random_bits(&random);
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)count);
}

// Pairs of numbers, as pairs of triangles are: sorted by our sort and by that of the C library.
typedef struct number_pair {
    uint32_t a, b, c, d;
} number_pair;

static bool pair_is_before(const number_pair *x, const number_pair *y) {
    return ((uint64_t)x->a << 32 | x->b) < ((uint64_t)y->a << 32 | y->b);
}

FR_SORT_TYPE(sort_pairs, number_pair, pair_is_before);

static int compare_pairs(const void *x, const void *y) { return pair_is_before(x, y) ? -1 : pair_is_before(y, x); }

static void run_sort(bench *b, size_t length, bool is_ours) {
    size_t count = bench_size(b, 1000, 1000000) / length * length;
    number_pair *made = malloc(count * sizeof *made), *pairs = malloc(count * sizeof *pairs);
    fr_random random = fr_random_seed(1);
    for (size_t i = 0; made != NULL && i < count; i++) {
        uint64_t bits = fr_random_bits(&random);
        made[i] = (number_pair){(uint32_t)(bits % length), (uint32_t)(bits >> 40), (uint32_t)i, 0};
    }
    while (made != NULL && pairs != NULL && bench_repeat(b)) {
        memcpy(pairs, made, count * sizeof *pairs);
        for (size_t first = 0; first < count; first += length) {
            if (is_ours) {
                sort_pairs(pairs + first, length);
            } else {
                qsort(pairs + first, length, sizeof *pairs, compare_pairs);
            }
        }
        bench_keep(pairs);
    }
    bench_items(b, (double)count);
    free(made);
    free(pairs);
}

static void sort_of_100(bench *b) { run_sort(b, 100, true); }
static void qsort_of_100(bench *b) { run_sort(b, 100, false); }
static void sort_of_all(bench *b) { run_sort(b, bench_size(b, 1000, 1000000), true); }
static void qsort_of_all(bench *b) { run_sort(b, bench_size(b, 1000, 1000000), false); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"tasks_empty_cyclic", tasks_empty_cyclic},
        {"tasks_empty_dynamic", tasks_empty_dynamic},
        {"tasks_two_at_work", tasks_two_at_work},
        {"hash_large_bytes", hash_large},
        {"memcpy_large_bytes", memcpy_large},
        {"hash_of_8_bytes", hash_of_8_bytes},
        {"scratch_from_arena", scratch_from_arena},
        {"scratch_from_malloc", scratch_from_malloc},
        {"array_push_typed", array_push_typed},
        {"array_push_untyped", array_push_untyped},
        {"triple_buffer_publish_and_read", triple_buffer_publish_and_read},
        {"random_bits", random_bits},
        {"sort_of_100", sort_of_100},
        {"qsort_of_100", qsort_of_100},
        {"sort_of_1000000", sort_of_all},
        {"qsort_of_1000000", qsort_of_all},
    };
    return bench_main(argc, argv, "fureai", "base", cases, sizeof cases / sizeof cases[0]);
}
