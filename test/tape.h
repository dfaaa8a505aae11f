// A record that is kept in memory, and what is done to records that are to be survived.
#ifndef FUREAI_TEST_TAPE_H
#define FUREAI_TEST_TAPE_H

#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Begins as all zeros; its bytes are to be freed.
typedef struct tape {
    unsigned char *bytes;
    size_t size, capacity;
} tape;

// An fr_record_fn.
static inline void tape_keep(const void *bytes, size_t size, void *context) {
    tape *t = context;
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->capacity);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

// Plays a record into something new, which must be whole in the end.
typedef fr_status tape_play_fn(const void *bytes, size_t size, fr_error *error);

// Cut anywhere: a status, and what came before stands and is whole.
static inline void tape_check_cut(const tape *t, tape_play_fn *play, uint64_t tries) {
    fr_random random = fr_random_seed(1);
    for (uint64_t i = 0; i < tries; i++) {
        fr_error error = {0};
        size_t size = (size_t)fr_random_below(&random, t->size);
        fr_status status = play(t->bytes, size, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
    }
}

#endif
