// Fureai collide: faces distributed among ranks (domain decomposition), for scenes that no rank shall hold in full.
// Each rank gives some of the objects; space is cut into as many domains as there are ranks, and each rank receives the
// faces that may come into its domain and finds the pairs that belong to it.
#ifndef FUREAI_COLLIDE_DOMAIN_H
#define FUREAI_COLLIDE_DOMAIN_H

#include "collide.h"

#ifdef __cplusplus
extern "C" {
#endif

// How space is cut, and the faces that this rank holds; both last from query to query. Outputs live in it until its
// next query. One thread at a time.
typedef struct fr_domain fr_domain;

// Makes one. `allocator` may be NULL for the process default. FR_ERROR_MEMORY.
FR_API fr_status fr_domain_create(const fr_allocator *allocator, fr_domain **out, fr_error *error);
FR_API void fr_domain_destroy(fr_domain *domain); // NULL is ignored

typedef struct fr_domain_input {
    const fr_space *space;   // current; the objects that this rank gives, and perhaps others
    const uint32_t *numbers; // one a place of the space: the object's number in the whole scene, ascending, each given
                             // by one rank; FR_NONE: this rank does not give it. NULL, the default: all ranks have the
                             // same space, numbers are places, and rank r of N gives r, r + N, r + 2 N, ...
    const fr_exchange *exchange; // with all_to_all; NULL: there is only this rank
    bool is_over_step;           // about the step; default about the instant
    fr_want want;                // default pairs
    double margin;               // these three as of fr_collide_input
    double tolerance;
    double time_tolerance;
    double imbalance; // space is cut again where the most work of a rank is over so many times the mean, and a cut pays
                      // within some hundred queries; 1 or more, default 1.2
    const fr_tasks *tasks;
    const fr_control *control;
    uint32_t cookie; // set by fr_default_domain_input
} fr_domain_input;

FR_API fr_domain_input fr_default_domain_input(void);

// What the query took on this rank, but for what is said to be of all.
typedef struct fr_domain_stats {
    bool is_cut;             // space was cut and faces were sent
    uint64_t given_faces;    // of the objects that this rank gives
    uint64_t held_faces;     // received, those of its own objects included
    uint64_t home_faces;     // of these, those whose middle was in its domain; the others are ghosts
    uint64_t sent_bytes;     // of faces, to other ranks
    uint64_t gathers;        // and calls of all_to_all where space was cut
    uint64_t gathered_bytes; // received, of all
    uint64_t dropped_pairs;  // found here and belonging to another rank
    double work;             // pairs of nodes and of faces that were tested, weighted
    double balance;          // of all: the most work of a rank over the mean
} fr_domain_stats;

typedef struct fr_domain_output {
    const fr_face_pair *pairs; // all of the scene, sorted as of fr_collide_output; a and b are numbers
    size_t pair_count;
    const fr_contact *contacts; // one a pair; index1 of an id is the number + 1, all else of it 0. NULL unless wanted
    const fr_touch_interval *intervals; // NULL unless wanted
    size_t interval_count;
    bool is_partial;  // stopped by the control of some rank
    double free_time; // as of fr_collide_output
    fr_domain_stats stats;
} fr_domain_output;

// Finds the colliding faces of the objects that all ranks give: pairs, contacts, intervals and the free time are those
// of fr_collide_static or fr_collide_continuous on one space of all of them, bit for bit. How objects relate is not
// found: that takes whole objects. All ranks call it with the same options.
//
// A face is sent to every rank into whose domain it may come: its box, grown by what its object may move. While objects
// stay within that, those with vertices or bones of their own excepted, and the work is balanced, nothing is sent again
// but poses. A pair belongs to the domain that holds the low corner of what its two boxes share.
//
// FR_ERROR_ARGUMENT for an input outside its limits, an exchange without all_to_all, numbers that do not ascend or are
// given twice, or ranks with other options; FR_ERROR_STALE_DATA for a space that is not current; FR_ERROR_LIMIT for
// vertices beyond the floats' range; FR_ERROR_MEMORY and FR_ERROR_SYSTEM as of a query with an exchange. A failure of
// one rank is one of all, and the exchange is of no use after it; `output` is empty then.
FR_API fr_status fr_domain_find(fr_domain *domain, const fr_domain_input *input, fr_domain_output *output,
                                fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
