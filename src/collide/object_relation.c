// The relation of two objects, by the flags of their hits and by their insides; and which of the hits are first ones.
#include "collide/object_relation.h"

#include "collide/containment.h"
#include "collide/solid_pair.h"
#include "collide/step_judge.h"

// Object pairs that a worker takes at once.
enum { PAIRS_AT_ONCE = 4 };

// The hits of one object pair while its relation is found.
typedef struct relating {
    const fr__run *run;
    fr__found *hits;
    size_t count;
    uint32_t object_a, object_b;
} relating;

static const fr_time_output *result_of(const relating *r, size_t i) {
    return fr__result_list_at(&r->run->scratch->results, r->hits[i].hit.result);
}

// ---------------------------------------------------------------------------------------------------------------
// By the hits alone

// The earliest time by which a hit is proven; FR_UNKNOWN where none is.
static double min_time_sure(const relating *r) {
    double min = FR_UNKNOWN;
    for (size_t i = 0; i < r->count; i++) {
        double sure = r->run->query.is_over_step                      ? result_of(r, i)->time_sure
                      : (r->hits[i].hit.flags & FR_CONTACT_NEAR) == 0 ? 0.0
                                                                      : FR_UNKNOWN;
        if (fr_is_unknown(min) || sure < min) { min = sure; }
    }
    return min;
}

// Takes out hits that begin later than a proven contact and a little.
static void drop_late(relating *r, double time_sure) {
    if (fr_is_unknown(time_sure)) { return; }
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (result_of(r, i)->time <= time_sure + FR__FIRST_SPAN) { r->hits[kept++] = r->hits[i]; }
    }
    r->count = kept;
}

// Over a step with a margin, what is proven to come within the margin need not touch, but for what does at the start.
static fr_relation relation_by_hits(const relating *r) {
    const fr__query *query = &r->run->query;
    fr_relation relation = FR_RELATION_NEAR;
    bool is_wide = query->is_over_step && query->margin > 0.0;
    for (size_t i = 0; i < r->count; i++) {
        uint32_t flags = query->is_over_step ? result_of(r, i)->flags : r->hits[i].hit.flags;
        if ((flags & FR_CONTACT_NEAR) != 0) { continue; }
        if (is_wide && (flags & FR_CONTACT_START) == 0) { continue; }
        if ((flags & FR_CONTACT_TOUCHING) == 0) { return FR_RELATION_CROSSING; }
        relation = FR_RELATION_TOUCHING;
    }
    return relation;
}

// ---------------------------------------------------------------------------------------------------------------
// By the insides

// Which object is inside the other at the beginning, wholly or partly; else the relation as it is.
static fr_relation relation_by_containment(const relating *r, fr_relation relation) {
    const fr_space *space = r->run->query.space;
    bool may_touch = r->count > 0;
    fr__object_place a = fr__object_place_of(space, r->object_a, r->object_b, may_touch);
    if (a == FR__OBJECT_INSIDE) { return FR_RELATION_A_INSIDE; }
    fr__object_place b = fr__object_place_of(space, r->object_b, r->object_a, may_touch);
    if (b == FR__OBJECT_INSIDE) { return FR_RELATION_B_INSIDE; }
    return a == FR__OBJECT_PARTLY_INSIDE || b == FR__OBJECT_PARTLY_INSIDE ? FR_RELATION_CROSSING : relation;
}

// No face crosses another one. `is_limited`: hits after the first ones were not looked for, so that only what holds at
// the beginning can be said.
static fr__object_relation relate_insides(const relating *r, fr__object_relation by_hits, bool is_limited) {
    const fr__query *query = &r->run->query;
    fr__object_relation found = by_hits;
    fr__solid_pair solids;
    fr__solid_pair_make(&solids, r->run, r->object_a, r->object_b, r->hits, r->count);
    bool is_touching = by_hits.relation == FR_RELATION_TOUCHING;
    if (is_touching && fr__solid_pair_overlaps(&solids, 0.0)) {
        found.relation = FR_RELATION_CROSSING;
        found.time_sure = 0.0;
    }
    if (is_touching || query->input->is_containment_wanted) {
        found.relation = relation_by_containment(r, found.relation);
        if (found.relation >= FR_RELATION_CROSSING) { found.time_sure = 0.0; }
    }
    if (found.relation >= FR_RELATION_CROSSING || !query->is_over_step || is_limited) { return found; }
    double time = fr__solid_pair_time(&solids);
    if (fr_is_unknown(time)) { return found; }
    found.relation = FR_RELATION_CROSSING;
    if (!(found.time_sure <= time)) { found.time_sure = time; }
    return found;
}

static fr__object_relation relate(relating *r) {
    const fr__run *run = r->run;
    bool is_first = run->query.is_over_step && run->query.input->set == FR_SET_FIRST;
    fr__object_relation found = {.time_sure = min_time_sure(r)};
    bool is_limited = is_first && !fr_is_unknown(found.time_sure);
    if (is_first) { drop_late(r, found.time_sure); }
    found.relation = relation_by_hits(r);
    // Objects whose faces were not all looked at may cross, whatever their insides say.
    bool is_whole = !run->is_over_budget && !atomic_load_explicit(&run->is_stopped, memory_order_relaxed);
    bool is_hull = run->query.is_over_step && run->query.input->narrow == FR_NARROW_HULL;
    bool is_about_hits = is_hull || r->object_a == r->object_b || run->scratch->are_objects_cut;
    if (found.relation == FR_RELATION_CROSSING || !is_whole || is_about_hits) { return found; }
    found = relate_insides(r, found, is_limited);
    if (is_first) { drop_late(r, found.time_sure); }
    return found;
}

// ---------------------------------------------------------------------------------------------------------------
// All object pairs

static void relate_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    fr__run *run = context;
    fr_collide *scratch = run->scratch;
    for (size_t i = begin; i < end; i++) {
        size_t first = i == 0 ? 0 : scratch->ends.data[i - 1];
        fr__object_relation *out = &scratch->relations.data[i];
        relating r = {.run = run, .count = scratch->ends.data[i] - first};
        if (r.count > 0) { r.hits = scratch->found.data + first; }
        const fr__part_pair *parts = &run->plan.part_pairs[out->part_pair];
        r.object_a = parts->object_a;
        r.object_b = parts->object_b;
        fr__object_relation found = relate(&r);
        found.part_pair = out->part_pair;
        found.count = r.count;
        *out = found;
    }
}

// Brings the hits that are left together again.
static void close_gaps(fr__run *run) {
    fr_collide *scratch = run->scratch;
    size_t first = 0, kept = 0;
    for (uint32_t p = 0; p < run->plan.object_pair_count; p++) {
        size_t count = scratch->relations.data[p].count;
        for (size_t i = 0; i < count && kept != first; i++) {
            scratch->found.data[kept + i] = scratch->found.data[first + i];
        }
        first = scratch->ends.data[p];
        kept += count;
        scratch->ends.data[p] = kept;
    }
    scratch->found.count = kept;
}

bool fr__object_relations_find(fr__run *run, const fr_tasks *tasks) {
    fr_collide *scratch = run->scratch;
    uint32_t count = run->plan.object_pair_count;
    scratch->relations.count = 0;
    fr__object_relation *relations = fr__object_relation_array_push(&scratch->relations, count);
    if (relations == NULL) { return false; }
    uint32_t next = 0;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        if (run->plan.part_pairs[i].object_pair == next) { relations[next++].part_pair = i; }
    }
    if (!fr__share_array(&scratch->share, tasks, relations, sizeof *relations, count, PAIRS_AT_ONCE, relate_range,
                         run)) {
        return false;
    }
    close_gaps(run);
    return true;
}
