// What the tests of frozen hashes share: one hash for every instruction set and number of workers.
#ifndef FUREAI_TEST_DETERMINISM_FROZEN_H
#define FUREAI_TEST_DETERMINISM_FROZEN_H

#include "frame.h"

#include "fureai/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void require(bool holds, const char *what) {
    if (holds) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

// The hash of a whole run; without tasks everything runs in the calling thread.
typedef uint64_t frozen_fn(const fr_tasks *tasks);

// Ends the program where a hash differs from the frozen one. With --print it prints the hash and ends.
static inline void require_frozen(int argc, char **argv, frozen_fn *hash_of, uint64_t frozen) {
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        printf("0x%llx\n", (unsigned long long)hash_of(NULL));
        exit(EXIT_SUCCESS);
    }
    static const int workers[] = {1, 3, 8};
    for (int simd = FR_SIMD_BASELINE; simd <= (int)fr_simd_best(); simd++) {
        require(fr_simd_set((fr_simd)simd), "choosing an instruction set");
        for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
            fr_task_pool_def def = fr_default_task_pool_def();
            def.worker_count = test_workers(workers[i]);
            fr_task_pool *pool;
            require(fr_task_pool_create(&def, &pool, NULL) == FR_OK, "starting threads");
            fr_tasks tasks = fr_task_pool_tasks(pool);
            uint64_t hash = hash_of(&tasks);
            fr_task_pool_destroy(pool);
            if (hash == frozen) { continue; }
            printf("failed: %s, %d workers: 0x%llx\n", fr_simd_name((fr_simd)simd), workers[i],
                   (unsigned long long)hash);
            exit(EXIT_FAILURE);
        }
    }
}

#endif
