// The clearest path against the planner itself: no path is found that keeps a ninth more.
#ifndef FUREAI_TEST_PLAN_CLEAREST_H
#define FUREAI_TEST_PLAN_CLEAREST_H

#include "failing.h"

#include "fureai/plan.h"

// Whether anything comes nearer than a distance at one of many poses of a path: queries at rest, of no search.
static inline bool clearest_is_nearer(const fr_path_input *q, const fr_path *path, double distance) {
    bool is_nearer = false;
    for (uint32_t i = 0; i + 1 < path->state_count; i++) {
        fr_motion motion = fr_motion_between(&path->states[i], &path->states[i + 1], q->pivot_local);
        for (uint32_t k = 0; k <= 8; k++) {
            fr_pose pose = fr_motion_pose(&motion, (double)k / 8.0);
            fr_move_input input = fr_default_move_input();
            input.space = q->space;
            input.parts = q->parts;
            input.part_count = q->part_count;
            input.motion = fr_motion_still(&pose);
            input.margin = distance;
            input.filter = q->filter;
            fr_move_output output;
            assert_int_equal(fr_collide_move(&input, &output, NULL), FR_OK);
            is_nearer = is_nearer || output.is_hit;
        }
    }
    return is_nearer;
}

// The clearest path keeps at least nine tenths of the largest margin for which the planner finds a path in so many
// moves. Returns its clearance.
static inline double clearest_is_clear(const fr_path_input *given, uint64_t max_moves) {
    fr_path_input q = *given;
    q.objective = FR_PATH_CLEAREST;
    fr_path path;
    assert_int_equal(fr_plan_path(&q, &path, NULL), FR_OK);
    assert_true(path.is_found && path.is_checked && path.clearance > 0.0);
    const double clearance = path.clearance;
    assert_false(clearest_is_nearer(&q, &path, 0.999 * clearance));
    fr_path_destroy(&path);
    q.objective = FR_PATH_FIRST;
    q.max_moves = max_moves;
    for (double part = 0.9; part > 0.4; part -= 0.2) {
        q.margin = clearance / part;
        assert_int_equal(fr_plan_path(&q, &path, NULL), FR_OK);
        if (path.is_found) { fail_msg("the clearest path keeps %g, another %g", clearance, q.margin); }
        fr_path_destroy(&path);
    }
    return clearance;
}

#endif
