// The broad phase: boxes of parts over the step, in two trees, and the pairs of parts whose boxes meet.
//
// A box holds every world double of its part over the whole step (part.c) and is rounded outwards to floats about the
// space's origin. So two parts with points within a margin m of each other, at any time of the step, have boxes at most
// m apart on every axis, and no such pair is lost.
#include "space/broad_phase.h"

#include "space/proxy_pairs.h"

#include <string.h>

// A tree over boxes is built again when its queries cost this much more than just after the last build.
#define QUALITY_LIMIT 1.5

// ---------------------------------------------------------------------------------------------------------------
// Proxies

void fr__proxies_refresh(fr_space *space, uint32_t index) {
    const fr__object *object = fr__space_object(space, index);
    fr__proxy_set *set = &space->sets[fr__set_of(object->view.flags)];
    fr__proxy *proxies = set->proxies.data;
    fr_box *boxes = set->boxes.data;
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr__part *part = &object->parts[i];
        fr__proxy proxy = {index, i, object->view.flags, object->view.filter};
        proxies[part->proxy] = proxy;
        boxes[part->proxy] = fr_box_of_bounds(&part->bounds_world, space->origin);
    }
}

static bool is_self(const fr_object_view *view) {
    return (view->flags & FR_OBJECT_SELF) != 0 && (view->flags & FR_OBJECT_GHOST) == 0;
}

typedef struct member_counts {
    size_t parts[FR__SET_ALL];
    size_t selves;
} member_counts;

static member_counts count_members(const fr_space *space) {
    member_counts counts;
    memset(&counts, 0, sizeof counts);
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) { continue; }
        const fr_object_view *view = &fr__space_object(space, i)->view;
        counts.parts[fr__set_of(view->flags)] += view->part_count;
        counts.selves += is_self(view);
    }
    return counts;
}

static bool reserve_members(fr_space *space, const member_counts *counts) {
    for (int i = 0; i < FR__SET_ALL; i++) {
        fr__proxy_set *set = &space->sets[i];
        if (!fr__proxy_array_reserve(&set->proxies, counts->parts[i])) { return false; }
        if (!fr__box_array_reserve(&set->boxes, counts->parts[i])) { return false; }
    }
    return fr_uint32_array_reserve(&space->self_objects, counts->selves);
}

fr_status fr__proxies_collect(fr_space *space, fr_error *error) {
    member_counts counts = count_members(space);
    if (!reserve_members(space, &counts)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for proxies"); }
    for (int i = 0; i < FR__SET_ALL; i++) {
        // A failed update before this one may have left a tree over other parts, so the tree is built from scratch.
        fr_tree_destroy(space->sets[i].tree);
        space->sets[i].tree = NULL;
        space->sets[i].proxies.count = 0;
        space->sets[i].boxes.count = 0;
    }
    space->self_objects.count = 0;
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) { continue; }
        fr__object *object = &fr__space_objects(space)[i];
        fr__proxy_set *set = &space->sets[fr__set_of(object->view.flags)];
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            object->parts[k].proxy = (uint32_t)set->proxies.count + k;
        }
        (void)fr__proxy_array_push(&set->proxies, object->view.part_count);
        (void)fr__box_array_push(&set->boxes, object->view.part_count);
        fr__proxies_refresh(space, i);
        if (is_self(&object->view)) { *(uint32_t *)fr_uint32_array_push(&space->self_objects, 1) = i; }
    }
    return FR_OK;
}

static fr_status update_set_tree(fr_space *space, fr__proxy_set *set, const fr_tasks *tasks, fr_error *error) {
    uint32_t count = (uint32_t)set->boxes.count;
    if (set->tree != NULL) {
        if (!set->is_changed || count == 0) { return FR_OK; }
        fr__tree_refit_boxes(set->tree, set->boxes.data, tasks);
        if (fr_tree_quality(set->tree) <= QUALITY_LIMIT) { return FR_OK; }
        // Without memory for a rebuild the tree is refitted only, which keeps it correct.
        fr_status status = fr_tree_update(set->tree, set->boxes.data, count, 0.0, tasks, error);
        return status == FR_ERROR_MEMORY ? FR_OK : status;
    }
    fr_tree_def def = fr_default_tree_def();
    def.boxes = set->boxes.data;
    def.count = count;
    def.tasks = tasks;
    def.allocator = fr__pool_allocator(&space->pool);
    return fr_tree_create(&def, &set->tree, error);
}

fr_status fr__proxies_update_trees(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    for (int i = 0; i < FR__SET_COUNT; i++) {
        fr_status status = update_set_tree(space, &space->sets[i], tasks, error);
        if (status != FR_OK) { return status; }
        space->sets[i].is_changed = false;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs

typedef struct pair_search {
    const fr_space *space;
    const fr__proxy_set *set_a, *set_b;
    const fr_space_pairs_input *query;
    float margin;  // rounded up
    bool is_ended; // by the caller
    fr_part_pair_fn *found;
    void *context;
} pair_search;

// The boxes are at most the margin apart on every axis. Rounding the difference keeps its order with a float, so no
// pair is lost.
static bool boxes_meet(const fr_box *a, const fr_box *b, double margin) {
    return (double)a->min.x - margin <= (double)b->max.x && (double)b->min.x - margin <= (double)a->max.x &&
           (double)a->min.y - margin <= (double)b->max.y && (double)b->min.y - margin <= (double)a->max.y &&
           (double)a->min.z - margin <= (double)b->max.z && (double)b->min.z - margin <= (double)a->max.z;
}

static bool may_meet(const pair_search *search, const fr__proxy *a, const fr__proxy *b) {
    if (!fr_filter_meets(&a->filter, &b->filter)) { return false; }
    if (search->query->filter == NULL) { return true; }
    fr_object_id id_a = fr__space_object_id(search->space, a->object);
    fr_object_id id_b = fr__space_object_id(search->space, b->object);
    return search->query->filter(search->space, id_a, id_b, search->query->filter_context);
}

// The object with the lower index comes first.
static bool offer_pair(const pair_search *search, const fr__proxy *a, const fr__proxy *b) {
    if (a->object == b->object) { return true; }
    if (a->object > b->object) {
        const fr__proxy *c = a;
        a = b;
        b = c;
    }
    if (!may_meet(search, a, b)) { return true; }
    fr_part_pair pair = {a->object, b->object, a->part, b->part};
    return search->found(&pair, search->context);
}

// With a margin the kernel also accepts pairs that are one rounding farther away.
static bool visit_items(uint32_t item_a, uint32_t item_b, void *context) {
    pair_search *search = context;
    double margin = (double)search->margin;
    const fr_box *a = &fr__set_boxes(search->set_a)[item_a], *b = &fr__set_boxes(search->set_b)[item_b];
    if (margin > 0.0 && !boxes_meet(a, b, margin)) { return true; }
    search->is_ended =
        !offer_pair(search, &fr__set_proxies(search->set_a)[item_a], &fr__set_proxies(search->set_b)[item_b]);
    return !search->is_ended;
}

// Returns false when the caller ended the search.
static bool search_sets(pair_search *search, fr__set a, fr__set b) {
    search->set_a = &search->space->sets[a];
    search->set_b = &search->space->sets[b];
    const fr_tree *tree_a = search->set_a->tree, *tree_b = search->set_b->tree;
    fr__tree_relation relation = fr__tree_relate_same(tree_a, tree_b, (double)search->margin);
    fr__proxy_pairs_kernel()->find(tree_a, tree_b, &relation, visit_items, search);
    return !search->is_ended;
}

// Searches pairs among the parts of one object, each part with itself included.
static bool search_selves(const pair_search *search) {
    const fr_space *space = search->space;
    const uint32_t *selves = space->self_objects.data;
    for (size_t s = 0; s < space->self_objects.count; s++) {
        const fr__object *object = fr__space_object(space, selves[s]);
        const fr_box *boxes = fr__set_boxes(&space->sets[fr__set_of(object->view.flags)]);
        for (uint32_t i = 0; i < object->view.part_count; i++) {
            for (uint32_t j = i; j < object->view.part_count; j++) {
                const fr_box *a = &boxes[object->parts[i].proxy], *b = &boxes[object->parts[j].proxy];
                if (!boxes_meet(a, b, (double)search->margin)) { continue; }
                fr_part_pair pair = {selves[s], selves[s], i, j};
                if (!search->found(&pair, search->context)) { return false; }
            }
        }
    }
    return true;
}

fr_status fr_space_pairs(const fr_space *space, const fr_space_pairs_input *query, fr_part_pair_fn *found,
                         void *context, fr_error *error) {
    FR_ASSERT(space != NULL && query != NULL && found != NULL);
    if (!(query->margin >= 0.0)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a margin is below 0"); }
    fr_status status = fr__space_check_current(space, error);
    if (status != FR_OK) { return status; }
    pair_search search = {.space = space, .query = query, .found = found, .context = context};
    search.margin = fr_float_up(query->margin);
    fr__space_enter(space);
    bool go_on = search_sets(&search, FR__SET_MOVING, FR__SET_MOVING);
    go_on = go_on && search_sets(&search, FR__SET_MOVING, FR__SET_STATIC);
    if (go_on) { (void)search_selves(&search); }
    fr__space_leave(space);
    return FR_OK;
}
