// A lattice of poses among faces, searched in time: the search where trees and roadmap found nothing. The pivot
// stands in the middles of cells and the body at some turns; a step goes one cell along an axis, makes one turn, or
// waits. Motions are checked on the faces, against what stands once and against what moves at their times. So the
// search finds a path wherever the lattice has one, however little room there is, and where nothing is left to search
// there is none at this resolution. Where nothing moves, times are not distinguished.
#include "plan/timed.h"

#include "plan/open_heap.h"

#include <string.h>

#define TURNS_2D 12 // in the plane: steps of 30 degrees
#define TURNS_3D 24 // in space: of 90 degrees about three axes
#define STEPS 13    // waiting, six moves, six turns
#define WEIGHT 1.2  // of what is left to the goal
#define STOP_STATES 64
#define MAX_TICK (1u << 24)

typedef struct lattice_node {
    uint64_t key;
    double time;     // of arrival
    uint32_t parent; // FR_NONE: the start
    bool is_closed;
} lattice_node;

FR_ARRAY_TYPE(lattice_node_array, lattice_node);

typedef struct lattice {
    fr__timed *timed;
    const fr_pose *goals;
    uint32_t goal_count;
    double edge;
    uint32_t count[3];          // cells an axis
    fr_quat turns[TURNS_3D];    // beside the start's rotation
    uint32_t next[TURNS_3D][6]; // turns one step from a turn; FR_NONE: none
    uint32_t turn_count;
    double tick, begin, end; // seconds
    uint32_t last_tick;      // after it times are not distinguished
    uint64_t last_move;
    fr__state_table table, edges;
    fr_uint32_array is_edge_free;
    lattice_node_array nodes;
    fr__plan_heap_array heap;
    bool has_failed, is_stopped;
    uint32_t arrived, goal; // the node that reached a goal
    double arrival;
} lattice;

// ---------------------------------------------------------------------------------------------------------------
// States

static uint32_t cell_count(const lattice *l) { return l->count[0] * l->count[1] * l->count[2]; }

static fr_pose pose_of(const lattice *l, uint32_t state) {
    const fr__path_body *body = l->timed->body;
    const fr_path_input *q = body->input;
    uint32_t cell = state % cell_count(l), turn = state / cell_count(l);
    const uint32_t at[3] = {cell % l->count[0], cell / l->count[0] % l->count[1], cell / l->count[0] / l->count[1]};
    fr_vec3 half = {l->edge * ((double)at[0] + 0.5), l->edge * ((double)at[1] + 0.5), l->edge * ((double)at[2] + 0.5)};
    fr_vec3 pivot = fr_vec3_add(q->bounds.min, half);
    fr_vec3 start = fr__path_pivot(body, &q->start);
    if (q->dimension == 2) { *fr__path_height(q, &pivot) = *fr__path_height(q, &start); }
    return fr__path_pose_at(body, pivot, fr_quat_multiply(l->turns[turn], q->start.rotation));
}

// The state one step from another; FR_NONE where there is none.
static uint32_t neighbor(const lattice *l, uint32_t state, uint32_t step) {
    uint32_t cells = cell_count(l), cell = state % cells, turn = state / cells;
    if (step == 0) { return state; }
    if (step > 6) {
        uint32_t turned = l->next[turn][step - 7];
        return turned == FR_NONE ? FR_NONE : turned * cells + cell;
    }
    uint32_t axis = (step - 1) / 2, stride = axis == 0 ? 1 : axis == 1 ? l->count[0] : l->count[0] * l->count[1];
    uint32_t at = cell / stride % l->count[axis];
    if (step % 2 == 1) { return at == 0 ? FR_NONE : state - stride; }
    return at + 1 == l->count[axis] ? FR_NONE : state + stride;
}

// All turns by 90 degrees about the axes, one after the other; in the plane the multiples of 30 degrees.
static void make_turns(lattice *l, const fr_path_input *q) {
    const uint32_t normal = q->plane == FR_PATH_PLANE_XZ ? 1 : 2;
    const fr_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    l->turns[0] = fr_quat_identity();
    l->turn_count = 1;
    for (uint32_t i = 0; i < l->turn_count; i++) {
        for (uint32_t k = 0; k < 6; k++) {
            l->next[i][k] = FR_NONE;
            if (q->dimension == 2 && k / 2 != normal) { continue; }
            double angle = (q->dimension == 2 ? FR_PI / 6.0 : FR_PI / 2.0) * (k % 2 == 0 ? 1.0 : -1.0);
            fr_quat turned = fr_quat_multiply(fr_quat_from_axis_angle(axes[k / 2], angle), l->turns[i]);
            uint32_t same = 0;
            for (; same < l->turn_count; same++) {
                const fr_quat *t = &l->turns[same];
                double dot = t->w * turned.w + t->x * turned.x + t->y * turned.y + t->z * turned.z;
                if (fabs(dot) > 1.0 - 1e-6) { break; }
            }
            if (same == l->turn_count && l->turn_count == (q->dimension == 2 ? TURNS_2D : TURNS_3D)) { continue; }
            if (same == l->turn_count) { l->turns[l->turn_count++] = turned; }
            l->next[i][k] = same;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Searching

// Whether a step is free of what stands; it is checked once.
static bool is_edge_free(lattice *l, uint32_t from, uint32_t step, const fr_motion *motion) {
    bool is_new = false;
    uint32_t index = fr__state_add(&l->edges, (uint64_t)from << 4 | step, &is_new);
    uint32_t *place = index != FR__STATE_NONE && is_new ? fr_uint32_array_push(&l->is_edge_free, 1) : NULL;
    if (index == FR__STATE_NONE || (is_new && place == NULL)) {
        l->has_failed = true;
        return false;
    }
    if (is_new) { *place = fr__path_check_motion(l->timed->body, motion, NULL).is_hit ? 0 : 1; }
    return l->is_edge_free.data[index] != 0;
}

static double seconds_left(const lattice *l, const fr_pose *pose) {
    const fr__path_body *body = l->timed->body;
    double least = INFINITY;
    for (uint32_t i = 0; i < l->goal_count; i++) {
        double far = fr_vec3_distance(fr__path_pivot(body, pose), fr__path_pivot(body, &l->goals[i]));
        least = fmin(least, far / body->input->speed);
    }
    return least;
}

static void offer(lattice *l, uint32_t state, double time, uint32_t parent) {
    double ticks = floor((time - l->begin) / l->tick + 1e-6);
    uint32_t tick = ticks < (double)l->last_tick ? (uint32_t)ticks : l->last_tick;
    uint64_t key = (uint64_t)tick << 32 | state;
    bool is_new = false;
    uint32_t index = fr__state_add(&l->table, key, &is_new);
    lattice_node *node = NULL;
    if (index != FR__STATE_NONE) { node = is_new ? lattice_node_array_push(&l->nodes, 1) : &l->nodes.data[index]; }
    if (node == NULL) {
        l->has_failed = true;
        return;
    }
    if (!is_new && (node->is_closed || node->time <= time)) { return; }
    *node = (lattice_node){key, time, parent, false};
    fr_pose pose = pose_of(l, state);
    fr__plan_heap_entry entry = {.rank = time + WEIGHT * seconds_left(l, &pose), .left = 0, .node = index};
    if (!fr__plan_heap_push(&l->heap, entry)) { l->has_failed = true; }
}

static bool is_free_of_motions(lattice *l, const fr__timed_motion *m) {
    return l->timed->obstacle_count == 0 || !fr__timed_check_moving(l->timed, m).is_hit;
}

// From a node in a cell beside a goal's to that goal, where the body may stay long enough.
static void try_goals(lattice *l, uint32_t index, const fr_pose *pose) {
    fr__path_body *body = l->timed->body;
    double time = l->nodes.data[index].time;
    for (uint32_t i = 0; i < l->goal_count && l->arrived == FR_NONE; i++) {
        fr_motion motion = fr__path_motion(body, pose, &l->goals[i]);
        if (fr_vec3_largest(motion.travel) > 1.0001 * l->edge) { continue; }
        double arrival = time + fr__timed_duration(body->input, &motion);
        fr__timed_motion go = {motion, time, arrival};
        fr__timed_motion stay = {fr_motion_still(&l->goals[i]), arrival,
                                 fmin(arrival + body->input->goal_seconds, fmax(l->end, arrival))};
        if (arrival > l->end && l->timed->obstacle_count > 0) { continue; }
        if (fr__path_check_motion(body, &motion, NULL).is_hit) { continue; }
        if (!is_free_of_motions(l, &go) || !is_free_of_motions(l, &stay)) { continue; }
        l->arrived = index;
        l->goal = i;
        l->arrival = arrival;
    }
}

static void expand(lattice *l, uint32_t index) {
    const lattice_node node = l->nodes.data[index];
    uint32_t state = (uint32_t)node.key, tick = (uint32_t)(node.key >> 32);
    fr_pose pose = pose_of(l, state);
    fr_pose before =
        node.parent != FR_NONE ? pose_of(l, (uint32_t)l->nodes.data[node.parent].key) : l->timed->body->input->start;
    fr__path_report(l->timed->body, &before, &pose, false);
    try_goals(l, index, &pose);
    for (uint32_t step = 0; step < STEPS && l->arrived == FR_NONE && !l->has_failed; step++) {
        // Waiting leads nowhere when nothing changes any more.
        if (step == 0 && tick == l->last_tick) { continue; }
        uint32_t to = neighbor(l, state, step);
        if (to == FR_NONE) { continue; }
        fr_pose next = pose_of(l, to);
        if (!fr__path_is_inside(l->timed->body, &next)) { continue; }
        fr_motion motion = fr__path_motion(l->timed->body, &pose, &next);
        double ticks = fmax(ceil(fr__timed_duration(l->timed->body->input, &motion) / l->tick - 1e-6), 1.0);
        fr__timed_motion timed = {motion, node.time, node.time + ticks * l->tick};
        if (timed.end > l->end && l->timed->obstacle_count > 0) { continue; }
        if (step > 0 && !is_edge_free(l, state, step, &motion)) { continue; }
        if (is_free_of_motions(l, &timed)) { offer(l, to, timed.end, index); }
    }
}

// The states about the start to which a motion leads.
static void begin_search(lattice *l) {
    const fr_path_input *q = l->timed->body->input;
    fr_vec3 at = fr_vec3_sub(fr__path_pivot(l->timed->body, &q->start), q->bounds.min);
    const double place[3] = {at.x / l->edge, at.y / l->edge, at.z / l->edge};
    for (uint32_t i = 0; i < 27 && !l->has_failed; i++) {
        const uint32_t offset[3] = {i % 3, i / 3 % 3, i / 9};
        uint32_t cell = 0, stride = 1;
        bool is_inside = true;
        for (int k = 0; k < 3; k++) {
            double c = (l->count[k] == 1 ? 0.0 : floor(place[k])) + (double)offset[k] - 1.0;
            is_inside = is_inside && c >= 0.0 && c < (double)l->count[k];
            if (is_inside) { cell += (uint32_t)c * stride; }
            stride *= l->count[k];
        }
        if (!is_inside) { continue; }
        fr_pose pose = pose_of(l, cell);
        fr_motion motion = fr__path_motion(l->timed->body, &q->start, &pose);
        double seconds = ceil(fr__timed_duration(q, &motion) / l->tick - 1e-6) * l->tick;
        fr__timed_motion timed = {motion, l->begin, l->begin + seconds};
        if (!fr__path_is_inside(l->timed->body, &pose)) { continue; }
        if (fr__path_check_motion(l->timed->body, &motion, NULL).is_hit) { continue; }
        if (is_free_of_motions(l, &timed)) { offer(l, cell, timed.end, FR_NONE); }
    }
}

static bool add_state(lattice *l, fr__timed_state_array *states, const fr_pose *pose, double time) {
    fr__timed_state *state = fr__timed_state_array_push(states, 1);
    if (state == NULL) {
        l->has_failed = true;
        return false;
    }
    *state = (fr__timed_state){*pose, time};
    return true;
}

static bool collect(lattice *l, fr__timed_state_array *states) {
    const fr_path_input *q = l->timed->body->input;
    states->count = 0;
    if (!add_state(l, states, &l->goals[l->goal], l->arrival)) { return false; }
    for (uint32_t i = l->arrived; i != FR_NONE; i = l->nodes.data[i].parent) {
        fr_pose pose = pose_of(l, (uint32_t)l->nodes.data[i].key);
        if (!add_state(l, states, &pose, l->nodes.data[i].time)) { return false; }
    }
    if (!add_state(l, states, &q->start, l->begin)) { return false; }
    for (size_t i = 0, k = states->count - 1; i < k; i++, k--) {
        fr__timed_state swap = states->data[i];
        states->data[i] = states->data[k];
        states->data[k] = swap;
    }
    return true;
}

static void run(lattice *l, fr__timed_lattice_output *out) {
    begin_search(l);
    while (l->heap.count > 0 && l->arrived == FR_NONE && !l->has_failed && !l->is_stopped) {
        uint32_t index = fr__plan_heap_pop(l->heap.data, &l->heap.count).node;
        if (l->nodes.data[index].is_closed) { continue; }
        l->nodes.data[index].is_closed = true;
        out->states++;
        expand(l, index);
        if (out->states % STOP_STATES == 0) { l->is_stopped = fr_control_is_stopped(l->timed->body->input->control); }
        l->is_stopped = l->is_stopped || l->timed->body->moves >= l->last_move;
    }
    out->is_found = l->arrived != FR_NONE;
    out->is_exhausted = !out->is_found && !l->is_stopped && !l->has_failed;
}

static void measure_lattice(lattice *l) {
    const fr_path_input *q = l->timed->body->input;
    fr_vec3 room = fr_vec3_sub(q->bounds.max, q->bounds.min);
    if (q->dimension == 2) { *fr__path_height(q, &room) = 0.0; }
    double side = fr_vec3_largest(room);
    l->edge = side / (double)(UINT32_C(1) << q->depth);
    const double sides[3] = {room.x, room.y, room.z};
    for (int k = 0; k < 3; k++) {
        l->count[k] = (uint32_t)fmax(floor(sides[k] / l->edge + 1e-6), 1.0);
    }
    fr_motion step = {.travel = {l->edge, 0.0, 0.0}};
    l->tick = fr__timed_duration(q, &step);
    double moving = l->timed->longest_period > 0.0 ? l->end : fmax(l->timed->end, l->begin);
    double ticks = l->timed->obstacle_count > 0 ? ceil((moving - l->begin) / l->tick) : 0.0;
    l->last_tick = ticks < (double)MAX_TICK ? (uint32_t)ticks : MAX_TICK;
}

fr_status fr__timed_lattice_search(fr__timed *timed, const fr__timed_lattice_input *in, fr__timed_state_array *states,
                                   fr__timed_lattice_output *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    const fr__path_body given = *timed->body;
    const fr_allocator *allocator = &given.input->allocator;
    lattice l;
    memset(&l, 0, sizeof l);
    l.timed = timed;
    l.goals = in->goals;
    l.goal_count = in->goal_count;
    l.begin = given.input->start_time;
    l.end = in->end;
    l.arrived = FR_NONE;
    l.last_move = given.moves + in->moves;
    l.table = fr__state_table_make(allocator);
    l.edges = fr__state_table_make(allocator);
    l.is_edge_free = fr_uint32_array_make(allocator);
    l.nodes = lattice_node_array_make(allocator);
    l.heap = fr__plan_heap_array_make(allocator);
    measure_lattice(&l);
    make_turns(&l, given.input);
    out->edge = l.edge;
    out->turn = given.input->dimension == 2 ? FR_PI / 6.0 : FR_PI / 2.0;
    // Cells that touch things are free: the body may slide.
    if (given.input->margin == 0.0) { fr__path_set_inset(timed->body); }
    run(&l, out);
    if (out->is_found) { (void)collect(&l, states); }
    uint64_t moves = timed->body->moves;
    *timed->body = given;
    timed->body->moves = moves;
    fr__state_table_free(&l.table);
    fr__state_table_free(&l.edges);
    fr_uint32_array_destroy(&l.is_edge_free);
    lattice_node_array_destroy(&l.nodes);
    fr__plan_heap_array_destroy(&l.heap);
    return l.has_failed ? fr_error_set(error, FR_ERROR_MEMORY, "no memory for a lattice") : FR_OK;
}
