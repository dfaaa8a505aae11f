// Which pairs of triangles of two parts were met already.
#ifndef FUREAI_COLLIDE_PAIR_SET_H
#define FUREAI_COLLIDE_PAIR_SET_H

#include "collide/candidate.h"

typedef struct fr__pair_set {
    fr_uint64_array places; // keys of pairs, or all ones where nothing is; a power of two of them
    size_t count;           // of pairs
} fr__pair_set;

void fr__pair_set_make(fr__pair_set *set, const fr_allocator *allocator);
void fr__pair_set_free(fr__pair_set *set);

// Empties it; its memory stays.
void fr__pair_set_clear(fr__pair_set *set);

// Makes sure that `places` are there: as many as another set has. Without memory it does nothing.
void fr__pair_set_provide(fr__pair_set *set, size_t places);

typedef enum fr__pair_seen { FR__PAIR_NEW, FR__PAIR_SEEN, FR__PAIR_NO_MEMORY } fr__pair_seen;

// Adds a pair.
fr__pair_seen fr__pair_set_add(fr__pair_set *set, uint32_t a, uint32_t b);

#endif
