// The table of claims of a cast: which holder has which object, by rank.
#ifndef FUREAI_ACTOR_CLAIM_H
#define FUREAI_ACTOR_CLAIM_H

#include "fureai/actor.h"

typedef struct fr__claim_entry {
    fr_claim claim; // its name is the one below once it is handed out
    char name[FR_CLAIM_NAME_MAX_BYTES + 1];
} fr__claim_entry;

FR_ARRAY_TYPE(fr__claim_array, fr__claim_entry);

typedef struct fr__claims {
    fr__claim_array list;
} fr__claims;

fr__claims fr__claims_make(const fr_allocator *allocator);
void fr__claims_free(fr__claims *claims);
void fr__claims_clear(fr__claims *claims);

// Whether a holder may have an object: FR_ERROR_BUSY names the holder that goes first. Nothing is changed.
fr_status fr__claims_check(const fr__claims *claims, const fr_claim *claim, fr_error *error);

// Writes a claim that may be had, in place of one of a lower rank, or on an object that is gone and had the same place.
// FR_ERROR_MEMORY.
fr_status fr__claims_take(fr__claims *claims, const fr_claim *claim, fr_error *error);

// Ends the claim of a holder; false: it has none.
bool fr__claims_end(fr__claims *claims, fr_object_id object, uint64_t holder);

// The claim on an object; NULL: none.
const fr_claim *fr__claims_find(const fr__claims *claims, fr_object_id object);

#endif
