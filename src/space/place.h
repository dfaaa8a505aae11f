// Numbered places (slots) that are reused, with generations: the ids of objects and joints refer to them.
#ifndef FUREAI_SPACE_PLACE_H
#define FUREAI_SPACE_PLACE_H

#include "fureai/base.h"

typedef enum fr__place_state {
    FR__PLACE_FREE,
    FR__PLACE_USED,
    FR__PLACE_HOLE,   // made by a replay that has not described the place yet; never taken
    FR__PLACE_RETIRED // its generations are used up
} fr__place_state;

typedef struct fr__places {
    fr_uint32_array generations; // one a place
    fr_byte_array states;        // one a place, of fr__place_state
    uint32_t used_count;
    uint32_t lowest_free; // no place below is free
} fr__places;

fr__places fr__places_make(const fr_allocator *allocator);
void fr__places_free(fr__places *places);

// Reserves room so that the next fr__places_take succeeds; false without memory.
bool fr__places_reserve(fr__places *places);

// Takes the lowest free place, or a new one at the end. Call fr__places_reserve before.
uint32_t fr__places_take(fr__places *places);

// Adds a hole at the end. Call fr__places_reserve before.
uint32_t fr__places_add_hole(fr__places *places);

// Frees a place; its ids are stale from now on.
void fr__places_release(fr__places *places, uint32_t index);

// Makes a hole free, or sets the generation of a used place.
void fr__places_restore(fr__places *places, uint32_t index, uint32_t generation);

static inline uint32_t fr__places_count(const fr__places *places) { return (uint32_t)places->states.count; }

static inline fr__place_state fr__places_state(const fr__places *places, uint32_t index) {
    return (fr__place_state)places->states.data[index];
}

static inline uint32_t fr__places_generation(const fr__places *places, uint32_t index) {
    return places->generations.data[index];
}

static inline bool fr__places_is_used(const fr__places *places, uint32_t index) {
    return index < places->states.count && fr__places_state(places, index) == FR__PLACE_USED;
}

// Whether index1 and generation name a used place.
static inline bool fr__places_has(const fr__places *places, uint32_t index1, uint32_t generation) {
    return index1 != 0 && fr__places_is_used(places, index1 - 1) &&
           fr__places_generation(places, index1 - 1) == generation;
}

#endif
