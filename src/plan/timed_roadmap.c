// The roadmap of a path in time, and safe-interval path planning over it. A node is a pose; the times at which it is
// free of all that moves are its intervals. A search goes over intervals: of each it knows the earliest arrival, since
// who arrives earlier may wait. To go from one to another it tries times of departure, the earliest first.
#include "plan/timed.h"

#include "plan/open_heap.h"

#include <string.h>

#define NEIGHBORS 12     // of a node that are tried
#define MAX_INTERVALS 64 // of a node
#define MAX_TRIES 48     // departures from one interval to another
#define TICK 0.5         // of the time that the body takes for its own reach
#define STOP_CHECKS 16

fr__timed_roadmap fr__timed_roadmap_make(fr__timed *timed, double begin, double end) {
    const fr__path_body *body = timed->body;
    const fr_allocator *allocator = &timed->allocator;
    fr__timed_roadmap map;
    memset(&map, 0, sizeof map);
    map.timed = timed;
    map.nodes = fr__timed_node_array_make(allocator);
    map.intervals = fr__timed_interval_array_make(allocator);
    map.edges = fr__state_table_make(allocator);
    map.is_edge_free = fr_uint32_array_make(allocator);
    fr__path_tree_make(&map.tree, false, body->arm, body->input->bounds.min, allocator);
    map.begin = begin;
    map.end = end;
    map.tick = fmax(TICK * body->reach / body->input->speed, (end - begin) / 4096.0);
    return map;
}

void fr__timed_roadmap_free(fr__timed_roadmap *map) {
    fr__path_tree_free(&map->tree);
    fr__timed_node_array_destroy(&map->nodes);
    fr__timed_interval_array_destroy(&map->intervals);
    fr__state_table_free(&map->edges);
    fr_uint32_array_destroy(&map->is_edge_free);
}

uint32_t fr__timed_roadmap_add(fr__timed_roadmap *map, const fr_pose *pose, uint32_t before) {
    fr__timed_node *node = fr__timed_node_array_push(&map->nodes, 1);
    uint32_t index = FR_NONE;
    if (node != NULL) {
        memset(node, 0, sizeof *node);
        index = fr__path_tree_add(&map->tree, pose, fr__path_pivot(map->timed->body, pose), before);
        if (index == FR_NONE) { map->nodes.count--; }
    }
    if (index == FR_NONE) { map->has_failed = true; }
    return index;
}

static const fr_pose *pose_of(const fr__timed_roadmap *map, uint32_t node) {
    return &fr__path_tree_at(&map->tree, node)->pose;
}

static bool is_goal(const fr__timed_roadmap *map, uint32_t node) { return node >= 1 && node <= map->goal_count; }

// ---------------------------------------------------------------------------------------------------------------
// Intervals

static bool add_interval(fr__timed_roadmap *map, uint32_t node, double begin, double end) {
    fr__timed_interval *interval = fr__timed_interval_array_push(&map->intervals, 1);
    if (interval == NULL) {
        map->has_failed = true;
        return false;
    }
    *interval = (fr__timed_interval){.begin = begin, .end = end, .node = node, .arrival = INFINITY, .parent = FR_NONE};
    map->nodes.data[node].count++;
    return true;
}

// The times at which the body may stay at a node. Where it is met, the next time is looked for tick by tick, so that an
// interval may begin a little late, and never early.
static void find_intervals(fr__timed_roadmap *map, uint32_t node) {
    fr__timed_node *n = &map->nodes.data[node];
    n->has_intervals = true;
    n->first = (uint32_t)map->intervals.count;
    fr__timed_motion stay = {.motion = fr_motion_still(pose_of(map, node))};
    double t = map->begin;
    while (t <= map->end && n->count < MAX_INTERVALS && !map->has_failed) {
        stay.begin = stay.end = t;
        if (!fr__timed_check_moving(map->timed, &stay).is_hit) {
            stay.end = map->end;
            fr__timed_hit hit = fr__timed_check_moving(map->timed, &stay);
            if (hit.time >= t && !add_interval(map, node, t, hit.time)) { return; }
            if (!hit.is_hit) { return; }
            t = fmax(t, hit.time);
        }
        t = fr__timed_snap(map->timed->body->input, t + map->tick);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

// Whether the motion between two nodes is free of what stands; it is checked once.
static bool is_edge_free(fr__timed_roadmap *map, uint32_t a, uint32_t b, const fr_motion *motion) {
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    bool is_new = false;
    uint32_t index = fr__state_add(&map->edges, key, &is_new);
    uint32_t *place = index != FR__STATE_NONE && is_new ? fr_uint32_array_push(&map->is_edge_free, 1) : NULL;
    if (index == FR__STATE_NONE || (is_new && place == NULL)) {
        map->has_failed = true;
        return false;
    }
    if (is_new) { *place = fr__path_check_motion(map->timed->body, motion, NULL).is_hit ? 0 : 1; }
    return map->is_edge_free.data[index] != 0;
}

// The earliest departure from one interval by which a motion arrives in another, unmet; infinite where there is none.
static double find_departure(fr__timed_roadmap *map, const fr__timed_interval *from, const fr__timed_interval *to,
                             const fr_motion *motion, double seconds) {
    const fr_path_input *q = map->timed->body->input;
    double first = fmax(fr__timed_snap(q, fmax(from->arrival, to->begin - seconds)), from->arrival);
    double last = fmin(from->end, fmin(to->end, map->end) - seconds);
    double step = fmax(map->tick, (last - first) / MAX_TRIES);
    for (double t = first; t <= last && t + seconds < to->arrival; t = fr__timed_snap(q, t + step)) {
        fr__timed_motion timed = {.motion = *motion, .begin = t, .end = t + seconds};
        if (!fr__timed_check_moving(map->timed, &timed).is_hit) { return t; }
    }
    return INFINITY;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

// The least time from a node to a goal, were nothing in between.
static double seconds_left(const fr__timed_roadmap *map, uint32_t node) {
    double least = INFINITY;
    for (uint32_t i = 1; i <= map->goal_count; i++) {
        fr_motion motion = fr__path_motion(map->timed->body, pose_of(map, node), pose_of(map, i));
        least = fmin(least, fr__timed_duration(map->timed->body->input, &motion));
    }
    return least;
}

static void offer(fr__timed_roadmap *map, fr__plan_heap_array *heap, uint32_t interval) {
    const fr__timed_interval *to = &map->intervals.data[interval];
    fr__plan_heap_entry entry = {.rank = to->arrival + seconds_left(map, to->node), .left = 0, .node = interval};
    if (!fr__plan_heap_push(heap, entry)) { map->has_failed = true; }
}

static void go_to(fr__timed_roadmap *map, fr__plan_heap_array *heap, uint32_t interval, uint32_t node) {
    const fr__timed_interval from = map->intervals.data[interval];
    fr__path_body *body = map->timed->body;
    fr_motion motion = fr__path_motion(body, pose_of(map, from.node), pose_of(map, node));
    if (!is_edge_free(map, from.node, node, &motion)) { return; }
    double seconds = fr__timed_duration(map->timed->body->input, &motion);
    if (!map->nodes.data[node].has_intervals) { find_intervals(map, node); }
    const fr__timed_node n = map->nodes.data[node];
    for (uint32_t i = n.first; i < n.first + n.count && !map->has_failed; i++) {
        fr__timed_interval *to = &map->intervals.data[i];
        if (to->is_closed) { continue; }
        double departure = find_departure(map, &from, to, &motion, seconds);
        if (!(departure + seconds < to->arrival)) { continue; }
        to->arrival = departure + seconds;
        to->departure = departure;
        to->parent = interval;
        offer(map, heap, i);
    }
}

// Neighbours: the nearest, those before and after on a path among what stands, and the goals.
static void expand(fr__timed_roadmap *map, fr__plan_heap_array *heap, uint32_t interval) {
    uint32_t node = map->intervals.data[interval].node, near[NEIGHBORS];
    const fr_pose *pose = pose_of(map, node);
    uint32_t count =
        fr__path_tree_near(&map->tree, fr__path_pivot(map->timed->body, pose), pose->rotation, NEIGHBORS, near);
    for (uint32_t i = 0; i < count && !map->has_failed; i++) {
        go_to(map, heap, interval, near[i]);
    }
    for (uint32_t i = 0; i < map->nodes.count && !map->has_failed; i++) {
        bool is_beside = fr__path_tree_at(&map->tree, i)->parent == node ||
                         fr__path_tree_at(&map->tree, node)->parent == i || is_goal(map, i);
        if (is_beside && i != node) { go_to(map, heap, interval, i); }
    }
}

static bool begin_search(fr__timed_roadmap *map, fr__plan_heap_array *heap) {
    for (size_t i = 0; i < map->intervals.count; i++) {
        fr__timed_interval *interval = &map->intervals.data[i];
        interval->arrival = INFINITY;
        interval->parent = FR_NONE;
        interval->is_closed = false;
    }
    if (!map->nodes.data[0].has_intervals) { find_intervals(map, 0); }
    const fr__timed_node *start = &map->nodes.data[0];
    if (map->has_failed || start->count == 0) { return false; }
    fr__timed_interval *first = &map->intervals.data[start->first];
    if (first->begin > map->begin) { return false; }
    first->arrival = map->begin;
    first->parent = FR_NONE;
    offer(map, heap, start->first);
    return !map->has_failed;
}

// Whether the body may stay long enough at a goal it has reached.
static bool is_arrived(const fr__timed_roadmap *map, const fr__timed_interval *interval) {
    double until = interval->arrival + map->timed->body->input->goal_seconds;
    return is_goal(map, interval->node) && (interval->end >= until || interval->end >= map->end);
}

static bool add_state(fr__timed_roadmap *map, fr__timed_state_array *states, uint32_t node, double time) {
    fr__timed_state *state = fr__timed_state_array_push(states, 1);
    if (state == NULL) {
        map->has_failed = true;
        return false;
    }
    *state = (fr__timed_state){*pose_of(map, node), time};
    return true;
}

// Writes the states backwards, then turns them round.
static bool collect(fr__timed_roadmap *map, uint32_t last, fr__timed_state_array *states) {
    states->count = 0;
    for (uint32_t i = last; i != FR_NONE;) {
        const fr__timed_interval *interval = &map->intervals.data[i];
        if (!add_state(map, states, interval->node, interval->arrival)) { return false; }
        if (interval->parent == FR_NONE) { break; }
        const fr__timed_interval *parent = &map->intervals.data[interval->parent];
        bool is_waiting = interval->departure > parent->arrival;
        if (is_waiting && !add_state(map, states, parent->node, interval->departure)) { return false; }
        i = interval->parent;
    }
    for (size_t i = 0, k = states->count - 1; i < k; i++, k--) {
        fr__timed_state swap = states->data[i];
        states->data[i] = states->data[k];
        states->data[k] = swap;
    }
    return true;
}

bool fr__timed_roadmap_search(fr__timed_roadmap *map, fr__timed_state_array *states) {
    const fr_control *control = map->timed->body->input->control;
    fr__plan_heap_array heap = fr__plan_heap_array_make(&map->timed->allocator);
    uint32_t arrived = FR_NONE;
    bool is_begun = begin_search(map, &heap);
    for (uint64_t i = 0; is_begun && heap.count > 0 && !map->has_failed && arrived == FR_NONE; i++) {
        if (i % STOP_CHECKS == 0) { map->is_stopped = fr_control_is_stopped(control); }
        if (map->is_stopped || map->timed->body->moves >= map->last_move) { break; }
        uint32_t interval = fr__plan_heap_pop(heap.data, &heap.count).node;
        fr__timed_interval *at = &map->intervals.data[interval];
        if (at->is_closed) { continue; }
        at->is_closed = true;
        if (at->parent != FR_NONE) {
            const fr__timed_interval *before = &map->intervals.data[at->parent];
            fr__path_report(map->timed->body, pose_of(map, before->node), pose_of(map, at->node), false);
        }
        if (is_arrived(map, at)) {
            arrived = interval;
        } else {
            expand(map, &heap, interval);
        }
    }
    fr__plan_heap_array_destroy(&heap);
    return arrived != FR_NONE && collect(map, arrived, states);
}
