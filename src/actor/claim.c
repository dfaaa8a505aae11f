// The table of claims of a cast: a live person goes over a program outside, and that over a virtual human.
#include "actor/claim.h"

#include "fureai/base_drawing.h"

#include <string.h>

fr__claims fr__claims_make(const fr_allocator *allocator) {
    return (fr__claims){.list = fr__claim_array_make(allocator)};
}

void fr__claims_free(fr__claims *claims) { fr__claim_array_destroy(&claims->list); }

void fr__claims_clear(fr__claims *claims) { claims->list.count = 0; }

// Where the claim on an object is, or would be: they are in the order of index1.
static size_t place_of(const fr__claims *claims, fr_object_id object) {
    size_t low = 0, high = claims->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (claims->list.data[middle].claim.object.index1 < object.index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static fr__claim_entry *find_entry(const fr__claims *claims, fr_object_id object) {
    size_t place = place_of(claims, object);
    if (place == claims->list.count) { return NULL; }
    fr__claim_entry *entry = &claims->list.data[place];
    return fr_object_id_equal(entry->claim.object, object) ? entry : NULL;
}

const fr_claim *fr__claims_find(const fr__claims *claims, fr_object_id object) {
    fr__claim_entry *entry = find_entry(claims, object);
    if (entry == NULL) { return NULL; }
    entry->claim.name = entry->name; // the array may have moved since
    return &entry->claim;
}

// The name of a holder, or what it is where it has none.
static const char *name_of(const fr_claim *claim) {
    if (claim->name[0] != '\0') { return claim->name; }
    switch (claim->rank) {
    case FR_RANK_PERSON: return "a person";
    case FR_RANK_PROGRAM: return "a program";
    default: return "a virtual human";
    }
}

fr_status fr__claims_check(const fr__claims *claims, const fr_claim *claim, fr_error *error) {
    const fr_claim *held = fr__claims_find(claims, claim->object);
    if (held == NULL || held->holder == claim->holder || held->rank < claim->rank) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_BUSY, "%s holds it", name_of(held));
}

// An object that is gone leaves its place to one of another generation, and so does its claim: there are never more
// claims than places of objects.
fr_status fr__claims_take(fr__claims *claims, const fr_claim *claim, fr_error *error) {
    size_t place = place_of(claims, claim->object), behind = claims->list.count - place;
    bool has_entry = behind > 0 && claims->list.data[place].claim.object.index1 == claim->object.index1;
    if (!has_entry) {
        if (fr__claim_array_push(&claims->list, 1) == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a claim");
        }
        memmove(&claims->list.data[place + 1], &claims->list.data[place], behind * sizeof *claims->list.data);
    }
    fr__claim_entry *entry = &claims->list.data[place];
    entry->claim = *claim;
    fr_utf8_repair(claim->name != NULL ? claim->name : "", entry->name, sizeof entry->name);
    return FR_OK;
}

bool fr__claims_end(fr__claims *claims, fr_object_id object, uint64_t holder) {
    fr__claim_entry *entry = find_entry(claims, object);
    if (entry == NULL || entry->claim.holder != holder) { return false; }
    size_t behind = claims->list.count - 1 - (size_t)(entry - claims->list.data);
    memmove(entry, entry + 1, behind * sizeof *entry);
    claims->list.count--;
    return true;
}
