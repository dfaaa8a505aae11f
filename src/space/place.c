// Numbered places with generations.
#include "space/place.h"

#include <string.h>

fr__places fr__places_make(const fr_allocator *allocator) {
    fr__places places = {fr_uint32_array_make(allocator), fr_byte_array_make(allocator), 0, 0};
    return places;
}

void fr__places_free(fr__places *places) {
    fr_uint32_array_destroy(&places->generations);
    fr_byte_array_destroy(&places->states);
}

bool fr__places_reserve(fr__places *places) {
    return fr_uint32_array_reserve_more(&places->generations, 1) && fr_byte_array_reserve_more(&places->states, 1);
}

static unsigned char *states_of(const fr__places *places) { return places->states.data; }
static uint32_t *generations_of(const fr__places *places) { return places->generations.data; }

static uint32_t append(fr__places *places, fr__place_state state) {
    uint32_t *generation = fr_uint32_array_push(&places->generations, 1);
    unsigned char *at = fr_byte_array_push(&places->states, 1);
    FR_ASSERT(generation != NULL && at != NULL);
    *generation = 0;
    *at = (unsigned char)state;
    return (uint32_t)(places->states.count - 1);
}

// Taking the lowest free place keeps the indices dense. The choice depends on which places are free, not on the order
// in which they became free.
uint32_t fr__places_take(fr__places *places) {
    places->used_count++;
    size_t left = places->states.count - places->lowest_free;
    unsigned char *states = states_of(places);
    unsigned char *found = left > 0 ? memchr(states + places->lowest_free, FR__PLACE_FREE, left) : NULL;
    if (found == NULL) {
        uint32_t index = append(places, FR__PLACE_USED);
        places->lowest_free = index + 1;
        return index;
    }
    *found = FR__PLACE_USED;
    places->lowest_free = (uint32_t)(found - states) + 1;
    return places->lowest_free - 1;
}

uint32_t fr__places_add_hole(fr__places *places) { return append(places, FR__PLACE_HOLE); }

static void set_free(fr__places *places, uint32_t index) {
    bool is_last = generations_of(places)[index] == UINT32_MAX;
    states_of(places)[index] = (unsigned char)(is_last ? FR__PLACE_RETIRED : FR__PLACE_FREE);
    if (!is_last && index < places->lowest_free) { places->lowest_free = index; }
}

// A place whose generations are used up is retired, so that no id is ever valid twice.
void fr__places_release(fr__places *places, uint32_t index) {
    FR_ASSERT(fr__places_is_used(places, index));
    places->used_count--;
    uint32_t *generation = &generations_of(places)[index];
    if (*generation < UINT32_MAX) { (*generation)++; }
    set_free(places, index);
}

void fr__places_restore(fr__places *places, uint32_t index, uint32_t generation) {
    generations_of(places)[index] = generation;
    if (fr__places_state(places, index) == FR__PLACE_HOLE) { set_free(places, index); }
}
