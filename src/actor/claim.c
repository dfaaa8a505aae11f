// The table of claims of a cast: a live person goes over a program outside, and that over a virtual human.
#include "actor/claim.h"

#include <string.h>

fr__claims fr__claims_make(const fr_allocator *allocator) {
    return (fr__claims){.list = fr__claim_array_make(allocator)};
}

void fr__claims_free(fr__claims *claims) { fr__claim_array_destroy(&claims->list); }

void fr__claims_clear(fr__claims *claims) { claims->list.count = 0; }

static fr__claim_entry *find_entry(const fr__claims *claims, fr_object_id object) {
    fr__claim_entry *entries = claims->list.data;
    for (size_t i = 0; i < claims->list.count; i++) {
        if (fr_object_id_equal(entries[i].claim.object, object)) { return &entries[i]; }
    }
    return NULL;
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

static void forget_gone(fr__claims *claims, const fr_space *space) {
    fr__claim_entry *entries = claims->list.data;
    size_t kept = 0;
    for (size_t i = 0; i < claims->list.count; i++) {
        if (!fr_object_exists(space, entries[i].claim.object)) { continue; }
        if (kept != i) { entries[kept] = entries[i]; }
        kept++;
    }
    claims->list.count = kept;
}

void fr__copy_text(char *out, size_t size, const char *text) {
    size_t whole = text != NULL ? strlen(text) : 0, at = 0;
    while (at < whole) {
        size_t length = fr_utf8_length(text + at, whole - at);
        if (length == 0 || at + length >= size) { break; }
        memcpy(out + at, text + at, length);
        at += length;
    }
    out[at] = '\0';
}

fr_status fr__claims_take(fr__claims *claims, const fr_space *space, const fr_claim *claim, fr_error *error) {
    forget_gone(claims, space);
    fr__claim_entry *entry = find_entry(claims, claim->object);
    if (entry == NULL) { entry = fr__claim_array_push(&claims->list, 1); }
    if (entry == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a claim"); }
    entry->claim = *claim;
    fr__copy_text(entry->name, sizeof entry->name, claim->name);
    return FR_OK;
}

bool fr__claims_end(fr__claims *claims, fr_object_id object, uint64_t holder) {
    fr__claim_entry *entries = claims->list.data, *entry = find_entry(claims, object);
    if (entry == NULL || entry->claim.holder != holder) { return false; }
    *entry = entries[--claims->list.count];
    return true;
}
