#include "collide/keyed.h"

#include <stdbool.h>
#include <string.h>

// Up to MANY, merging sorted runs of FEW is faster than counting.
enum { FEW = 16, MANY = 256 };

static void sort_few(fr__keyed *records, size_t count) {
    for (size_t i = 1; i < count; i++) {
        fr__keyed record = records[i];
        size_t place = i;
        for (; place > 0 && records[place - 1].key > record.key; place--) {
            records[place] = records[place - 1];
        }
        records[place] = record;
    }
}

// Merges two sorted runs that stand one after the other; of equal keys the first run's come first.
static void merge(const fr__keyed *from, size_t first, size_t count, fr__keyed *to) {
    size_t i = 0, j = first;
    for (size_t k = 0; k < count; k++) {
        bool takes_second = i == first || (j < count && from[j].key < from[i].key);
        to[k] = from[takes_second ? j : i];
        j += takes_second;
        i += !takes_second;
    }
}

static void sort_runs(fr__keyed *records, size_t count, fr__keyed *scratch) {
    for (size_t i = 0; i < count; i += FEW) {
        sort_few(records + i, count - i < FEW ? count - i : FEW);
    }
    fr__keyed *from = records, *to = scratch;
    for (size_t run = FEW; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run) {
            size_t left = count - i;
            merge(from + i, left < run ? left : run, left < 2 * run ? left : 2 * run, to + i);
        }
        fr__keyed *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != records) { memcpy(records, from, count * sizeof *records); }
}

// Spreads by one byte of the key.
static void spread(const fr__keyed *from, size_t count, int shift, fr__keyed *to) {
    size_t start[256] = {0};
    for (size_t i = 0; i < count; i++) {
        start[from[i].key >> shift & 255u]++;
    }
    size_t sum = 0;
    for (int b = 0; b < 256; b++) {
        size_t here = start[b];
        start[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[start[from[i].key >> shift & 255u]++] = from[i];
    }
}

// By the lowest byte first. Bytes that are equal in all keys are passed over.
void fr__keyed_sort(fr__keyed *records, size_t count, fr__keyed *scratch) {
    if (count <= MANY) {
        sort_runs(records, count, scratch);
        return;
    }
    uint64_t differs = 0;
    for (size_t i = 1; i < count; i++) {
        differs |= records[i].key ^ records[0].key;
    }

    fr__keyed *from = records, *to = scratch;
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differs >> shift & 255u) == 0) { continue; }
        spread(from, count, shift, to);
        fr__keyed *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != records) { memcpy(records, from, count * sizeof *records); }
}
