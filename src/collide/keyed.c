#include "collide/keyed.h"

#include <string.h>

// Below this an insertion sort is faster than counting.
enum { FEW = 24 };

static void sort_few(fr__keyed *records, size_t count) {
    for (size_t i = 1; i < count; i++) {
        fr__keyed record = records[i];
        size_t place = i;
        for (; place > 0 && records[place - 1].key > record.key; place--)
            records[place] = records[place - 1];
        records[place] = record;
    }
}

// Spreads by one byte of the key.
static void spread(const fr__keyed *from, size_t count, int shift, fr__keyed *to) {
    size_t start[256] = {0};
    for (size_t i = 0; i < count; i++)
        start[from[i].key >> shift & 255u]++;
    size_t sum = 0;
    for (int b = 0; b < 256; b++) {
        size_t here = start[b];
        start[b] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[start[from[i].key >> shift & 255u]++] = from[i];
}

// By the lowest byte first. Bytes that are equal in all keys are passed over.
void fr__keyed_sort(fr__keyed *records, size_t count, fr__keyed *scratch) {
    if (count <= FEW) {
        sort_few(records, count);
        return;
    }
    uint64_t differs = 0;
    for (size_t i = 1; i < count; i++)
        differs |= records[i].key ^ records[0].key;

    fr__keyed *from = records, *to = scratch;
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differs >> shift & 255u) == 0) continue;
        spread(from, count, shift, to);
        fr__keyed *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != records) memcpy(records, from, count * sizeof *records);
}
