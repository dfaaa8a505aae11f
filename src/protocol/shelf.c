// A list of records sorted by number.
#include "protocol/shelf.h"

#include <string.h>

static uint32_t number_at(const fr__shelf *shelf, size_t i) { return *(const uint32_t *)fr__shelf_at(shelf, i); }

// The number of entries with a lower number.
static size_t place_of(const fr__shelf *shelf, uint32_t number) {
    size_t low = 0, high = shelf->things.count;
    // Entries mostly come in order.
    if (high > 0 && number_at(shelf, high - 1) < number) { return high; }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (number_at(shelf, middle) < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const fr__shelf *shelf, size_t place, uint32_t number) {
    return place < shelf->things.count && number_at(shelf, place) == number;
}

void *fr__shelf_find(const fr__shelf *shelf, uint32_t number) {
    size_t place = place_of(shelf, number);
    return is_at(shelf, place, number) ? fr__shelf_at(shelf, place) : NULL;
}

bool fr__shelf_insert(fr__shelf *shelf, void *thing) {
    size_t place = place_of(shelf, *(const uint32_t *)thing);
    if (fr__thing_array_push(&shelf->things, 1) == NULL) { return false; }
    void **things = shelf->things.data;
    memmove(things + place + 1, things + place, (shelf->things.count - 1 - place) * sizeof *things);
    things[place] = thing;
    return true;
}

void *fr__shelf_remove(fr__shelf *shelf, uint32_t number) {
    size_t place = place_of(shelf, number);
    if (!is_at(shelf, place, number)) { return NULL; }
    void **things = shelf->things.data;
    void *thing = things[place];
    memmove(things + place, things + place + 1, (shelf->things.count - 1 - place) * sizeof *things);
    shelf->things.count--;
    return thing;
}
