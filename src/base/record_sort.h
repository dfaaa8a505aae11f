// A stable sort of records of one type by a key of 64 bits, made for a type by FR__SORT_TYPE. It allocates nothing.
#ifndef FUREAI_BASE_RECORD_SORT_H
#define FUREAI_BASE_RECORD_SORT_H

#include "fureai/base.h"

#include <string.h>

// Up to FR__SORT_MANY records, merging sorted runs of FR__SORT_FEW is faster than counting.
enum { FR__SORT_FEW = 16, FR__SORT_MANY = 256 };

// FR__SORT_TYPE(sort_edges, edge, edge_key) makes
//     void sort_edges(edge *records, size_t count, void *scratch);
// which sorts by uint64_t edge_key(const edge *); records of equal keys keep their order. `scratch` has room for as
// many records, aligned to 64. O(n) for each byte in which keys differ.
//
// A few records are sorted in runs by insertion, and the runs are merged; of equal keys the first run's come first.
// Many are spread by one byte of the key after the other, the lowest first; bytes that are equal in all keys are passed
// over.
#define FR__SORT_TYPE(name, type, key_of)                                                                              \
    FR_INLINE void name##_few(type *records, size_t count) {                                                           \
        for (size_t i = 1; i < count; i++) {                                                                           \
            type inserted = records[i];                                                                                \
            size_t place = i;                                                                                          \
            for (; place > 0 && key_of(&records[place - 1]) > key_of(&inserted); place--) {                            \
                records[place] = records[place - 1];                                                                   \
            }                                                                                                          \
            records[place] = inserted;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_merge(const type *from, size_t first, size_t count, type *to) {                              \
        size_t i = 0, j = first;                                                                                       \
        for (size_t k = 0; k < count; k++) {                                                                           \
            bool takes_second = i == first || (j < count && key_of(&from[j]) < key_of(&from[i]));                      \
            to[k] = from[takes_second ? j : i];                                                                        \
            j += takes_second;                                                                                         \
            i += !takes_second;                                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name##_spread(const type *from, size_t count, int shift, type *to) {                                \
        size_t start[256] = {0}, sum = 0;                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            start[key_of(&from[i]) >> shift & 255u]++;                                                                 \
        }                                                                                                              \
        for (int b = 0; b < 256; b++) {                                                                                \
            size_t here = start[b];                                                                                    \
            start[b] = sum;                                                                                            \
            sum += here;                                                                                               \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            to[start[key_of(&from[i]) >> shift & 255u]++] = from[i];                                                   \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE type *name##_runs(type *records, size_t count, type *scratch) {                                          \
        for (size_t i = 0; i < count; i += FR__SORT_FEW) {                                                             \
            name##_few(records + i, count - i < FR__SORT_FEW ? count - i : FR__SORT_FEW);                              \
        }                                                                                                              \
        type *from = records, *to = scratch;                                                                           \
        for (size_t run = FR__SORT_FEW; run < count; run *= 2) {                                                       \
            for (size_t i = 0; i < count; i += 2 * run) {                                                              \
                size_t left = count - i;                                                                               \
                name##_merge(from + i, left < run ? left : run, left < 2 * run ? left : 2 * run, to + i);              \
            }                                                                                                          \
            type *swapped = from;                                                                                      \
            from = to;                                                                                                 \
            to = swapped;                                                                                              \
        }                                                                                                              \
        return from;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE type *name##_bytes(type *records, size_t count, type *scratch) {                                         \
        uint64_t differs = 0;                                                                                          \
        for (size_t i = 1; i < count; i++) {                                                                           \
            differs |= key_of(&records[i]) ^ key_of(&records[0]);                                                      \
        }                                                                                                              \
        type *from = records, *to = scratch;                                                                           \
        for (int shift = 0; shift < 64; shift += 8) {                                                                  \
            if ((differs >> shift & 255u) == 0) { continue; }                                                          \
            name##_spread(from, count, shift, to);                                                                     \
            type *swapped = from;                                                                                      \
            from = to;                                                                                                 \
            to = swapped;                                                                                              \
        }                                                                                                              \
        return from;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    FR_INLINE void name(type *records, size_t count, void *scratch) {                                                  \
        const type *sorted = count <= FR__SORT_MANY ? name##_runs(records, count, (type *)scratch)                     \
                                                    : name##_bytes(records, count, (type *)scratch);                   \
        if (sorted != records) { memcpy(records, sorted, count * sizeof *records); }                                   \
    }                                                                                                                  \
                                                                                                                       \
    typedef type name##_record /* takes the semicolon after the macro */

#endif
