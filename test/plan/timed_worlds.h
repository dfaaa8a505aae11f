// Random worlds with bodies that move, once as faces and once as cells, and what can be reached in them in time by a
// search over all states of the cells.
#ifndef FUREAI_TEST_PLAN_TIMED_WORLDS_H
#define FUREAI_TEST_PLAN_TIMED_WORLDS_H

#include "plan/lattice.h"

#include "paths.h"
#include "window.h"

// How deep a valid path may go into anything: somewhat more than 1e-6 of the world.
#define TIMED_DEPTH 1e-4

enum { TIMED_MOVERS = 3, TIMED_WALLS = 6, TIMED_SAMPLES = 3, TIMED_SLICES = 4 };

// A tick is a second, a cell a metre: the robot goes one cell or makes one turn a tick.
typedef struct timed_world {
    int dimension;
    uint32_t depth;
    double alpha_deg;
    fr_plan_box walls[TIMED_WALLS];
    fr_plan_box movers[TIMED_MOVERS]; // about the cell 0
    double turns_deg[TIMED_MOVERS][TIMED_SAMPLES];
    fr_path_sample samples[TIMED_MOVERS][TIMED_SAMPLES];
    fr_path_obstacle obstacles[TIMED_MOVERS];
    fr_plan_box robot_boxes[2];
    uint32_t robot_box_count;
    fr_plan_robot *robot;
    fr_plan_world *cells;
    fr__plan_step start, goal;
    fr_space *space;
    fr_mesh *robot_mesh;
    fr_part_def part;
    fr_path_input input; // refers to what is here: the world must not be moved
} timed_world;

static inline fr_vec3 timed_middle(const fr_plan_box *b) {
    return fr_vec3_make(0.5 * (b->low[0] + b->high[0]), 0.5 * (b->low[1] + b->high[1]), 0.5 * (b->low[2] + b->high[2]));
}

// Boxes as one mesh, about a point, each thinner by `shrink` on every side; what goes in the plane is thinner
// still across it, so that it has no faces in one plane with those of obstacles.
static inline fr_mesh *timed_mesh(const fr_plan_box *boxes, uint32_t count, fr_vec3 about, double shrink,
                                  bool is_flat) {
    window_mesh *m = calloc(1, sizeof *m);
    for (uint32_t i = 0; i < count; i++) {
        const double at[3] = {about.x, about.y, about.z};
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            double thinner = is_flat && k == 2 ? 0.25 : shrink;
            low[k] = boxes[i].low[k] - at[k] + thinner;
            high[k] = boxes[i].high[k] - at[k] - thinner;
        }
        window_add_box(m, low, high, 1);
    }
    fr_mesh *mesh = window_finish(m);
    free(m);
    return mesh;
}

static inline fr_pose timed_pose(const timed_world *w, fr__plan_step step) {
    fr__plan_bits bits = fr__plan_world_bits(w->cells);
    fr_plan_place place = fr__plan_step_place(&bits, w->robot, step);
    if (w->dimension == 2) { place.position.z = 0.5; }
    fr_quat q = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(place.turn_deg.x));
    q = fr_quat_multiply(fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(place.turn_deg.y)), q);
    q = fr_quat_multiply(fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(place.turn_deg.z)), q);
    return fr_pose_make(place.position, q);
}

// Where a mover is at a time, by its samples alone: its middle, and its turn about z.
static inline void timed_mover_at(const timed_world *w, uint32_t i, double t, fr_vec3 *middle, double *turn_deg) {
    const fr_path_obstacle *o = &w->obstacles[i];
    double local = o->period > 0.0 ? t - o->period * floor(t / o->period) : t;
    uint32_t k = 0;
    while (k + 2 < o->sample_count && o->samples[k + 1].time <= local) {
        k++;
    }
    double span = o->samples[k + 1].time - o->samples[k].time;
    double part = fmin((local - o->samples[k].time) / span, 1.0);
    *middle = fr_vec3_lerp(o->samples[k].pose.position, o->samples[k + 1].pose.position, part);
    *turn_deg = w->turns_deg[i][k] + part * (w->turns_deg[i][k + 1] - w->turns_deg[i][k]);
}

// The cells that movers cover during a tick: all that they cover at slices of it.
static inline void timed_observe(timed_world *w, uint32_t tick) {
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        const fr_plan_shape shape = {&w->movers[i], 1, timed_middle(&w->movers[i])};
        for (uint32_t k = 0; k <= TIMED_SLICES; k++) {
            fr_vec3 middle;
            double turn;
            timed_mover_at(w, i, (double)tick + (double)k / TIMED_SLICES, &middle, &turn);
            fr_plan_place place = {fr_vec3_sub(middle, shape.pivot), fr_vec3_make(0.0, 0.0, turn)};
            assert_int_equal(fr_plan_world_set(w->cells, 100 + (TIMED_SLICES + 1) * i + k, &shape, &place, NULL),
                             FR_OK);
        }
    }
}

// One tick of all states that are reached: a state stays, moves by a cell or turns, where that is free.
static inline void timed_spread(const timed_world *w, const uint8_t *now, uint8_t *next) {
    const fr_plan_robot *r = w->robot;
    fr__plan_bits bits = fr__plan_world_bits(w->cells);
    uint32_t cells = bits.size * bits.size * bits.layers;
    for (uint32_t state = 0; state < cells * r->orientation_count; state++) {
        if (now[state] == 0) { continue; }
        uint32_t o = state / cells, cell = state % cells;
        int32_t at[3], to[3];
        fr__plan_cell_at(&bits, cell, at);
        const fr__plan_mask *stand = fr__plan_robot_mask(r, fr__plan_stand_slot(r, o));
        if (!fr__plan_mask_is_free(stand, &bits, at)) { continue; }
        next[state] = 1;
        for (int k = 0; k < 12; k++) {
            if (k < 6) {
                if (k >= 2 * r->dimension || !fr__plan_neighbor(&bits, at, k, to)) { continue; }
                uint32_t moved = o * cells + fr__plan_cell_number(&bits, to);
                if (next[moved] == 0 && fr__plan_mask_is_free(stand, &bits, to)) { next[moved] = 1; }
                continue;
            }
            uint32_t turned = r->next[o][k - 6];
            if (turned == FR__PLAN_NONE || next[turned * cells + cell] != 0) { continue; }
            uint32_t slot = fr__plan_turning_slot(r, o, turned, k - 6);
            if (fr__plan_mask_is_free(fr__plan_robot_mask(r, slot), &bits, at)) { next[turned * cells + cell] = 1; }
        }
    }
}

// What cells in time say: the tick at which the goal is first reached, and that in which the last state that was left
// is lost to a mover; UINT32_MAX where there is none.
typedef struct timed_reached {
    uint32_t goal, lost;
} timed_reached;

static inline timed_reached timed_reach(timed_world *w, uint32_t ticks) {
    fr__plan_bits bits = fr__plan_world_bits(w->cells);
    uint32_t cells = bits.size * bits.size * bits.layers;
    timed_reached out = {UINT32_MAX, UINT32_MAX};
    size_t count = (size_t)cells * w->robot->orientation_count;
    uint8_t *now = calloc(count, 1), *next = calloc(count, 1);
    now[w->start.orientation * cells + w->start.cell] = 1;
    for (uint32_t tick = 0; tick < ticks && out.lost == UINT32_MAX; tick++) {
        if (out.goal == UINT32_MAX && now[w->goal.orientation * cells + w->goal.cell] != 0) { out.goal = tick; }
        timed_observe(w, tick);
        memset(next, 0, count);
        timed_spread(w, now, next);
        if (memchr(next, 1, count) == NULL) { out.lost = tick; }
        uint8_t *swap = now;
        now = next;
        next = swap;
    }
    free(now);
    free(next);
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static inline void timed_make_movers(fr_random *random, timed_world *w) {
    double size = (double)(1u << w->depth);
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        w->movers[i] = (fr_plan_box){{0, 0, 0}, {1, 1, 1}};
        for (int k = 0; k < w->dimension; k++) {
            w->movers[i].high[k] = 2 + (int32_t)fr_random_below(random, (uint64_t)size / 4);
        }
        double turn = fr_random_below(random, 2) == 0 ? 0.0 : fr_random_between(random, -80.0, 80.0);
        fr_vec3 ends[2];
        for (int k = 0; k < 2; k++) {
            ends[k] = fr_vec3_make(fr_random_between(random, 0.1, 0.9) * size,
                                   fr_random_between(random, 0.1, 0.9) * size, 0.5);
            if (w->dimension == 3) { ends[k].z = fr_random_between(random, 0.1, 0.9) * size; }
        }
        // To and fro, or there alone.
        bool is_again = fr_random_below(random, 3) != 0;
        double speed = fr_random_between(random, 0.15, 0.7), seconds = fr_vec3_distance(ends[0], ends[1]) / speed;
        for (uint32_t k = 0; k < TIMED_SAMPLES; k++) {
            w->turns_deg[i][k] = k == 1 ? turn : 0.0;
            fr_quat q = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(w->turns_deg[i][k]));
            w->samples[i][k] = (fr_path_sample){(double)k * (seconds + 1.0), fr_pose_make(ends[k == 1], q)};
        }
        w->obstacles[i].samples = w->samples[i];
        w->obstacles[i].sample_count = is_again ? TIMED_SAMPLES : 2;
        w->obstacles[i].period = is_again ? w->samples[i][2].time : 0.0;
    }
}

static inline void timed_make_space(timed_world *w) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &w->space, NULL), FR_OK);
    for (uint32_t i = 0; i < TIMED_WALLS; i++) {
        fr_vec3 middle = timed_middle(&w->walls[i]);
        window_put(w->space, timed_mesh(&w->walls[i], 1, middle, 0.0, false), middle);
    }
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        fr_mesh *mesh = timed_mesh(&w->movers[i], 1, timed_middle(&w->movers[i]), 0.0, false);
        w->obstacles[i].object = window_put(w->space, mesh, w->samples[i][0].pose.position);
    }
    assert_int_equal(fr_space_update(w->space, NULL, NULL), FR_OK);
}

static inline void timed_close(timed_world *w) {
    fr_space_destroy(w->space);
    fr_mesh_release(w->robot_mesh);
    fr_plan_robot_destroy(w->robot);
    fr_plan_world_destroy(w->cells);
}

// False where there are no ends that are apart and free.
static inline bool timed_open(fr_random *random, int dimension, timed_world *w) {
    memset(w, 0, sizeof *w);
    w->dimension = dimension;
    w->depth = dimension == 2 ? 5 : 4;
    w->alpha_deg = dimension == 2 ? 30.0 : 90.0;
    uint32_t size = 1u << w->depth;
    w->cells = make_empty_world(dimension, w->depth);
    for (uint32_t i = 0; i < TIMED_WALLS; i++) {
        w->walls[i] = random_box(random, dimension, size, size / 3);
        put_box(w->cells, i, w->walls[i], unmoved_place());
    }
    w->robot_boxes[0] = (fr_plan_box){{-2, 0, 0}, {3, 1, 1}};
    w->robot_boxes[1] = (fr_plan_box){{-2, 1, 0}, {-1, 3, 1}};
    w->robot_box_count = 2;
    const fr_plan_shape shape = {w->robot_boxes, 2, {0.5, 0.5, 0.5}};
    w->robot = make_robot_of(&shape, dimension, w->alpha_deg);
    timed_make_movers(random, w);
    timed_make_space(w);
    w->robot_mesh = timed_mesh(w->robot_boxes, 2, shape.pivot, 0.0, dimension == 2);
    w->part = fr_default_part_def();
    w->part.mesh = w->robot_mesh;
    // The goal is chosen among what stands, the start where it is free as it all begins.
    bool has_ends = random_free_step(random, w->cells, w->robot, &w->goal);
    timed_observe(w, 0);
    has_ends = has_ends && random_free_step(random, w->cells, w->robot, &w->start);
    w->input = fr_default_path_input();
    w->input.space = w->space;
    w->input.parts = &w->part;
    w->input.part_count = 1;
    w->input.dimension = dimension;
    w->input.bounds = (fr_bounds){fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(size, size, size)};
    w->input.obstacles = w->obstacles;
    w->input.obstacle_count = TIMED_MOVERS;
    w->input.speed = 1.0;
    w->input.turn_speed = fr_radians(w->alpha_deg);
    if (has_ends) {
        w->input.start = timed_pose(w, w->start);
        w->input.goal = timed_pose(w, w->goal);
        has_ends = fr_vec3_distance(w->input.start.position, w->input.goal.position) > size / 3.0;
    }
    if (!has_ends) { timed_close(w); }
    return has_ends;
}

// ---------------------------------------------------------------------------------------------------------------
// Dense sampling: the body among all others at one instant after the other

typedef struct timed_watch {
    fr_space *space; // with the body in it
    fr_object_id body, movers[TIMED_MOVERS];
    fr_collide *collide;
} timed_watch;

static inline void timed_watch_open(const timed_world *w, timed_watch *out) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &out->space, NULL), FR_OK);
    for (uint32_t i = 0; i < TIMED_WALLS; i++) {
        fr_vec3 middle = timed_middle(&w->walls[i]);
        window_put(out->space, timed_mesh(&w->walls[i], 1, middle, 0.0, false), middle);
    }
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        fr_mesh *mesh = timed_mesh(&w->movers[i], 1, timed_middle(&w->movers[i]), 0.0, false);
        out->movers[i] = window_put(out->space, mesh, fr_vec3_make(0.0, 0.0, 0.0));
    }
    out->body = window_put(out->space,
                           timed_mesh(w->robot_boxes, 2, fr_vec3_make(0.5, 0.5, 0.5), TIMED_DEPTH, w->dimension == 2),
                           fr_vec3_make(0.0, 0.0, 0.0));
    assert_int_equal(fr_collide_create(NULL, &out->collide, NULL), FR_OK);
}

static inline void timed_watch_close(timed_watch *watch) {
    fr_collide_destroy(watch->collide);
    fr_space_destroy(watch->space);
}

// Whether the body at a pose touches anything at a time, or is inside it.
static inline bool timed_touches(const timed_world *w, timed_watch *watch, const fr_pose *pose, double t) {
    for (uint32_t i = 0; i < TIMED_MOVERS; i++) {
        fr_vec3 middle;
        double turn;
        timed_mover_at(w, i, t, &middle, &turn);
        fr_quat q = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(turn));
        fr_pose at = fr_pose_make(middle, q);
        assert_int_equal(fr_object_set_pose(watch->space, watch->movers[i], &at, NULL), FR_OK);
    }
    assert_int_equal(fr_object_set_pose(watch->space, watch->body, pose, NULL), FR_OK);
    assert_int_equal(fr_space_update(watch->space, NULL, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = watch->space;
    input.is_containment_wanted = true;
    fr_collide_output output;
    assert_int_equal(fr_collide_static(watch->collide, &input, &output, NULL), FR_OK);
    for (size_t i = 0; i < output.object_pair_count; i++) {
        uint32_t body = watch->body.index1 - 1;
        if (output.object_pairs[i].a == body || output.object_pairs[i].b == body) { return true; }
    }
    return false;
}

// How many samples of a path in time touch anything; `samples` counts all.
static inline uint64_t timed_count_touches(const timed_world *w, const fr_path *path, double spacing,
                                           uint64_t *samples) {
    timed_watch watch;
    timed_watch_open(w, &watch);
    uint64_t touches = 0;
    for (uint32_t i = 0; i + 1 < path->state_count; i++) {
        fr_motion motion = fr_motion_between(&path->states[i], &path->states[i + 1], w->input.pivot_local);
        double seconds = path->times[i + 1] - path->times[i];
        uint32_t steps = (uint32_t)ceil(seconds / spacing) + 1;
        for (uint32_t k = 0; k <= steps; k++) {
            double part = (double)k / steps;
            fr_pose pose = fr_motion_pose(&motion, part);
            touches += timed_touches(w, &watch, &pose, path->times[i] + part * seconds) ? 1 : 0;
            (*samples)++;
        }
    }
    timed_watch_close(&watch);
    return touches;
}

#endif
