// Changes of an input at random: what libFuzzer does in its simplest steps, for builds without it.
#ifndef FUREAI_FUZZ_MUTATE_H
#define FUREAI_FUZZ_MUTATE_H

#include "fureai/base.h"

#include <stdint.h>
#include <string.h>

enum { MUTATE_MAX_BYTES = 1 << 14, MUTATE_MAX_STEPS = 4 };

typedef struct mutate_input {
    const uint8_t *data;
    size_t size;
} mutate_input;

static inline size_t mutate_place(fr_random *random, size_t size) { return (size_t)fr_random_below(random, size); }

// Moves what lies behind a place, so that there is room for `count` bytes more; how many there is room for.
static inline size_t mutate_open(uint8_t *out, size_t *size, size_t at, size_t count) {
    if (count > MUTATE_MAX_BYTES - *size) { count = MUTATE_MAX_BYTES - *size; }
    memmove(out + at + count, out + at, *size - at);
    *size += count;
    return count;
}

// Inserts a part of another input.
static inline void mutate_splice(uint8_t *out, size_t *size, const mutate_input *other, fr_random *random) {
    if (other->size == 0) { return; }
    size_t from = mutate_place(random, other->size), count = 1 + mutate_place(random, other->size - from);
    size_t at = mutate_place(random, *size + 1);
    count = mutate_open(out, size, at, count);
    if (count > 0) { memcpy(out + at, other->data + from, count); }
}

// One change; `size` may be 0.
static inline void mutate_once(uint8_t *out, size_t *size, const mutate_input *other, fr_random *random) {
    static const uint8_t values[] = {0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff, ' ', '\n', '"', '-', '0', '9', '{', '}'};
    uint64_t kind = *size == 0 ? 5 : fr_random_below(random, 7);
    size_t at = *size == 0 ? 0 : mutate_place(random, *size);
    size_t count = *size == 0 ? 0 : 1 + mutate_place(random, *size - at);
    switch (kind) {
    case 0: out[at] ^= (uint8_t)(1u << fr_random_below(random, 8)); break;
    case 1: out[at] = values[fr_random_below(random, sizeof values)]; break;
    case 2: out[at] = (uint8_t)fr_random_bits(random); break;
    case 3: // a part goes
        memmove(out + at, out + at + count, *size - at - count);
        *size -= count;
        break;
    case 4: // a part stands twice
        count = mutate_open(out, size, at, count < 64 ? count : 64);
        if (at + 2 * count <= *size) { memcpy(out + at, out + at + count, count); }
        break;
    case 5: mutate_splice(out, size, other, random); break;
    default: memset(out + at, values[fr_random_below(random, sizeof values)], count < 8 ? count : 8); break;
    }
}

// Fills `out`, which holds MUTATE_MAX_BYTES, with a changed input; its size.
static inline size_t mutate(const mutate_input *one, const mutate_input *other, fr_random *random, uint8_t *out) {
    size_t size = one->size < MUTATE_MAX_BYTES ? one->size : MUTATE_MAX_BYTES;
    if (size > 0) { memcpy(out, one->data, size); }
    uint64_t steps = 1 + fr_random_below(random, MUTATE_MAX_STEPS);
    for (uint64_t i = 0; i < steps; i++) {
        mutate_once(out, &size, other, random);
    }
    return size;
}

#endif
