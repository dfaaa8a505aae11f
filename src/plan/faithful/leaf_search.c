// Kitamura's planner in a static world: best-first search over the middles of white leaves.
#include "plan/faithful/leaf_search.h"

#include "fureai/base_order.h"

#include <string.h>

// A state that was reached, and from where.
typedef struct reached {
    uint32_t state, parent; // of `reached`; FR_WHITE_NONE for the start
    double key;
} reached;

FR_ARRAY_TYPE(reached_array, reached);
FR_ARRAY_TYPE(plan_state_array, fr_plan_state);

// States by key, equal ones in the order they came: a binary heap of numbers of `reached`.
typedef struct key_heap {
    fr_uint32_array items;
    const reached_array *reached;
} key_heap;

typedef struct leaf_search {
    fr_leaf_space space;
    reached_array reached;
    key_heap open, tree;
    fr_leaf_result *result;
    bool is_cut_short; // the budget is used up
} leaf_search;

static reached *reached_at(const reached_array *array, uint32_t i) { return array->data + i; }

static bool is_before(const uint32_t *a, const uint32_t *b, const reached_array *all) {
    double ka = reached_at(all, *a)->key, kb = reached_at(all, *b)->key;
    return ka < kb || (ka == kb && *a < *b);
}

FR_HEAP_TYPE_BY(reached_heap, uint32_t, 2, const reached_array *, is_before, FR_HEAP_UNPLACED);

static bool heap_push(key_heap *h, uint32_t item) {
    uint32_t *last = fr_uint32_array_push(&h->items, 1);
    if (last == NULL) { return false; }
    *last = item;
    reached_heap_sift_up(h->items.data, h->items.count - 1, h->reached);
    return true;
}

static uint32_t heap_pop(key_heap *h) { return reached_heap_pop(h->items.data, &h->items.count, h->reached); }

// ---------------------------------------------------------------------------------------------------------------
// The search

static fr_status out_of_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a search over white leaves");
}

static fr_status push_state(leaf_search *s, uint32_t state, uint32_t parent, fr_error *error) {
    reached *r = reached_array_push(&s->reached, 1);
    if (r == NULL) { return out_of_memory(error); }
    *r = (reached){state, parent, fr_leaf_space_key(&s->space, state)};
    fr_leaf_state_at(&s->space, state)->flags |= FR_LEAF_VISITED;
    return heap_push(&s->open, (uint32_t)s->reached.count - 1) ? FR_OK : out_of_memory(error);
}

static fr_status push_start(leaf_search *s, fr_error *error) {
    const fr_plan_place *start = &s->space.input.start;
    uint32_t leaf = fr_white_leaf_at(&s->space.graph, start->position);
    if (leaf == FR_WHITE_NONE) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the start is not in a white leaf"); }
    uint32_t state = fr_leaf_space_find(&s->space, leaf, 0);
    if (state == FR_WHITE_NONE) { return out_of_memory(error); }
    fr_plan_place center = fr_leaf_space_place(&s->space, leaf, 0);
    bool is_free, is_path_free;
    fr_status status = fr_leaf_space_try(&s->space, state, &is_free, error);
    if (status == FR_OK) { status = fr_leaf_space_go(&s->space, start, &center, &is_path_free, error); }
    if (status != FR_OK || !is_free || !is_path_free) { return status; }
    return push_state(s, state, FR_WHITE_NONE, error);
}

// The neighbours of a state that was taken, at its orientation.
static fr_status expand(leaf_search *s, uint32_t from, fr_error *error) {
    fr_leaf_space *space = &s->space;
    fr_leaf_state at = *fr_leaf_state_at(space, reached_at(&s->reached, from)->state);
    fr_plan_place place = fr_leaf_space_place(space, at.leaf, at.orientation);
    const uint32_t *begins = space->graph.begins.data, *edges = space->graph.edges.data;
    fr_status status = FR_OK;
    for (uint32_t e = begins[at.leaf]; e < begins[at.leaf + 1] && status == FR_OK; e++) {
        uint32_t next = fr_leaf_space_find(space, edges[e], at.orientation);
        if (next == FR_WHITE_NONE) { return out_of_memory(error); }
        if ((fr_leaf_state_at(space, next)->flags & FR_LEAF_VISITED) != 0) { continue; }
        bool is_free;
        status = fr_leaf_space_try(space, next, &is_free, error);
        if (status == FR_OK && is_free) {
            status = fr_leaf_space_cross(space, &place, at.leaf, edges[e], &is_free, error);
        }
        if (status == FR_OK && is_free) { status = push_state(s, next, from, error); }
    }
    return status;
}

// Moving alone has failed: the best state of the tree that can turn does. False in *is_found where none can.
static fr_status turn_somewhere(leaf_search *s, bool *is_found, fr_error *error) {
    *is_found = false;
    while (s->tree.items.count > 0) {
        uint32_t from = *s->tree.items.data, best;
        uint32_t state = reached_at(&s->reached, from)->state;
        const fr_leaf_state *at = fr_leaf_state_at(&s->space, state);
        fr_plan_place place = fr_leaf_space_place(&s->space, at->leaf, at->orientation);
        fr_status status = fr_leaf_space_best_turn(&s->space, state, &place, &best, error);
        if (status != FR_OK) { return status; }
        if (best != FR_WHITE_NONE) {
            *is_found = true;
            s->result->turns_tried++;
            return push_state(s, best, from, error);
        }
        heap_pop(&s->tree);
    }
    return FR_OK;
}

static fr_status note_visit(leaf_search *s, uint32_t state, fr_error *error) {
    fr_leaf_visit *visit = fr_leaf_visit_array_push(&s->result->visited, 1);
    if (visit == NULL) { return out_of_memory(error); }
    const fr_leaf_state *at = fr_leaf_state_at(&s->space, state);
    *visit = (fr_leaf_visit){*fr_white_leaf(&s->space.graph, at->leaf), fr_leaf_space_turn(&s->space, at->orientation)};
    return FR_OK;
}

// Whether a state's leaf holds the goal, and the motion there is free.
static fr_status is_at_goal(leaf_search *s, uint32_t state, bool *is_it, fr_error *error) {
    fr_leaf_space *space = &s->space;
    const fr_leaf_state *at = fr_leaf_state_at(space, state);
    *is_it = fr_white_leaf_at(&space->graph, space->input.goal.position) == at->leaf;
    if (!*is_it) { return FR_OK; }
    fr_plan_place from = fr_leaf_space_place(space, at->leaf, at->orientation);
    fr_plan_place to = {space->input.goal.position, from.turn_deg};
    return fr_leaf_space_go(space, &from, &to, is_it, error);
}

// Runs until a goal is reached, which becomes *goal, or nothing is left.
static fr_status run(leaf_search *s, uint32_t *goal, fr_error *error) {
    *goal = FR_WHITE_NONE;
    for (;;) {
        if (s->open.items.count == 0) {
            bool is_found;
            fr_status status = turn_somewhere(s, &is_found, error);
            if (status != FR_OK || !is_found) { return status; }
        }
        if (s->space.input.budget > 0 && s->result->path.expanded >= s->space.input.budget) {
            s->is_cut_short = true;
            return FR_OK;
        }
        uint32_t from = heap_pop(&s->open), state = reached_at(&s->reached, from)->state;
        s->result->path.expanded++;
        bool is_it;
        fr_status status = note_visit(s, state, error);
        if (status == FR_OK && !heap_push(&s->tree, from)) { status = out_of_memory(error); }
        if (status == FR_OK) { status = is_at_goal(s, state, &is_it, error); }
        if (status != FR_OK) { return status; }
        if (is_it) {
            *goal = from;
            return FR_OK;
        }
        status = expand(s, from, error);
        if (status != FR_OK) { return status; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The path line

static bool add_state(plan_state_array *states, fr_plan_place place, fr_cell_path *path) {
    fr_plan_state *state = plan_state_array_push(states, 1);
    if (state == NULL) { return false; }
    *state = (fr_plan_state){place, (uint32_t)states->count - 1};
    if (states->count > 1) { path->length += fr_vec3_distance(state[-1].place.position, place.position); }
    return true;
}

// Steps of turning from one orientation to another, by 180 degrees or less about each axis.
static uint32_t steps_between(const fr_leaf_space *space, uint32_t a, uint32_t b) {
    uint32_t n = space->steps, sum = 0;
    for (uint32_t place = 1; place <= n * n; place *= n) {
        uint32_t d = (b / place % n + n - a / place % n) % n;
        sum += d < n - d ? d : n - d;
        if (n == 1) { break; }
    }
    return sum;
}

static bool add_line(leaf_search *s, const uint32_t *leaves, size_t count, plan_state_array *states) {
    const fr_leaf_space *space = &s->space;
    fr_cell_path *path = &s->result->path;
    fr_plan_place start = space->input.start;
    bool has_memory = add_state(states, start, path);
    fr_leaf_state before = {FR_WHITE_NONE, 0, 0, 0, 0.0, 0.0};
    for (size_t i = count; i-- > 0 && has_memory;) {
        fr_leaf_state at = *fr_leaf_state_at(space, reached_at(&s->reached, leaves[i])->state);
        fr_plan_place place = fr_leaf_space_place(space, at.leaf, at.orientation);
        if (before.leaf != FR_WHITE_NONE && before.leaf != at.leaf) {
            fr_plan_place face = {fr_white_shared_face(&space->graph, before.leaf, at.leaf), place.turn_deg};
            has_memory = add_state(states, face, path);
        }
        path->turns += steps_between(space, before.orientation, at.orientation);
        s->result->nodes += before.leaf != at.leaf;
        has_memory = has_memory && add_state(states, place, path);
        before = at;
    }
    fr_plan_place goal = {space->input.goal.position, fr_leaf_space_turn(space, before.orientation)};
    return has_memory && add_state(states, goal, path);
}

static fr_status report_path(leaf_search *s, uint32_t goal, fr_error *error) {
    fr_cell_path *path = &s->result->path;
    plan_state_array states = plan_state_array_make(&path->allocator);
    fr_uint32_array leaves = fr_uint32_array_make(&path->allocator);
    bool has_memory = true;
    for (uint32_t at = goal; at != FR_WHITE_NONE && has_memory; at = reached_at(&s->reached, at)->parent) {
        uint32_t *next = fr_uint32_array_push(&leaves, 1);
        has_memory = next != NULL;
        if (has_memory) { *next = at; }
    }
    has_memory = has_memory && add_line(s, leaves.data, leaves.count, &states);
    if (has_memory) {
        path->states = fr_allocate(&path->allocator, states.count, sizeof *path->states, _Alignof(fr_plan_state));
        has_memory = path->states != NULL;
    }
    if (has_memory) {
        memcpy(path->states, states.data, states.count * sizeof *path->states);
        path->state_count = (uint32_t)states.count;
        path->is_found = true;
    }
    plan_state_array_destroy(&states);
    fr_uint32_array_destroy(&leaves);
    return has_memory ? FR_OK : out_of_memory(error);
}

fr_status fr_leaf_search_run(const fr_leaf_input *input, fr_leaf_result *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    leaf_search s;
    memset(&s, 0, sizeof s);
    s.result = out;
    fr_status status = fr_leaf_space_make(input, &s.space, error);
    if (status != FR_OK) { return status; }
    const fr_allocator *allocator = &s.space.input.allocator;
    out->path.allocator = *allocator;
    out->visited = fr_leaf_visit_array_make(allocator);
    out->leaf_count = (uint32_t)s.space.graph.leaves.count;
    s.reached = reached_array_make(allocator);
    s.open = (key_heap){fr_uint32_array_make(allocator), &s.reached};
    s.tree = (key_heap){fr_uint32_array_make(allocator), &s.reached};

    uint32_t goal = FR_WHITE_NONE;
    status = push_start(&s, error);
    if (status == FR_OK) { status = run(&s, &goal, error); }
    if (status == FR_OK && goal != FR_WHITE_NONE) { status = report_path(&s, goal, error); }
    out->path.is_exhausted = status == FR_OK && !out->path.is_found && !s.is_cut_short;
    out->path.tested = s.space.robot.tests;
    out->sweeps = s.space.sweeps;
    reached_array_destroy(&s.reached);
    fr_uint32_array_destroy(&s.open.items);
    fr_uint32_array_destroy(&s.tree.items);
    fr_leaf_space_free(&s.space);
    if (status != FR_OK) { fr_leaf_result_free(out); }
    return status;
}

void fr_leaf_result_free(fr_leaf_result *result) {
    fr_cell_path_destroy(&result->path);
    fr_leaf_visit_array_destroy(&result->visited);
}
