// Walks at random by a set of captured steps, and what was seen of them.
#ifndef FUREAI_TEST_CELL_WALK_H
#define FUREAI_TEST_CELL_WALK_H

#include "fureai/human_cells.h"
#include "walker.h"

typedef struct walk_figures {
    double slip, depth, jump, miss, turn;
} walk_figures;

// Walks at random with a set of captured steps.
static inline walk_figures walk_about(const fr_walk_cells *cells, const fr_body_def *body, uint32_t count) {
    walk_figures f = {0};
    walker w = {0};
    assert_int_equal(fr_skeleton_create_body(body, &w.skeleton, NULL), FR_OK);
    fr_walk_set_def set_def = fr_default_walk_set_def();
    set_def.skeleton = w.skeleton;
    set_def.cells = cells;
    fr_error error = {0};
    if (fr_walk_set_create(&set_def, &w.set, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_walk_def def = fr_default_walk_def();
    def.set = w.set;
    assert_int_equal(fr_walk_create(&def, &w.walk, NULL), FR_OK);
    fr_random random = fr_random_seed(5);
    for (uint32_t i = 0; i < count; i++) {
        fr_walk_goal goal = {.has_heading = true};
        double length = fr_random_between(&random, 0.02, 8.0), toward = fr_random_between(&random, -FR_PI, FR_PI);
        goal.heading = fr_random_between(&random, -FR_PI, FR_PI);
        goal.place = fr_vec3_make(length * sin(toward), 0.0, length * cos(toward));
        walker_stand(&w, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
        assert_int_equal(fr_walk_go(w.walk, &goal, 1, 0, NULL), FR_OK);
        for (uint32_t k = 0; fr_walk_get(w.walk).is_walking && k < 100000; k++) {
            walker_step(&w);
        }
        assert_false(fr_walk_get(w.walk).is_walking);
        walker_step(&w);
        f.miss = fmax(f.miss, hypot(w.posture.place.x - goal.place.x, w.posture.place.z - goal.place.z));
        f.turn = fmax(f.turn, fabs(remainder(walker_heading(&w) - goal.heading, 2.0 * FR_PI)));
        f.slip = fmax(f.slip, w.slip);
        f.depth = fmax(f.depth, w.depth);
        f.jump = fmax(f.jump, w.jump);
    }
    walker_destroy(&w);
    return f;
}

static inline void check_walks(const walk_figures *f, const char *what) {
    print_message("%s: ends %.1e m and %.1e rad off, slip %.1e m, depth %.1e m, jump %.1f rad/s\n", what, f->miss,
                  f->turn, f->slip, f->depth, f->jump);
    assert_true(f->miss < 1e-3 && f->turn < fr_radians(0.1));
    assert_true(f->slip < 1e-3 && f->depth < 2e-3);
}

#endif
