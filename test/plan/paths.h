// Robots and paths of cells for tests: how they are made, checked by the checker, and known to exist by searching all.
#ifndef FUREAI_TEST_PLAN_PATHS_H
#define FUREAI_TEST_PLAN_PATHS_H

#include "plan/lattice.h"

#include "worlds.h"

static inline fr_plan_robot *make_robot_of(const fr_plan_shape *shape, int dimension, double alpha_deg) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = *shape;
    def.dimension = dimension;
    def.alpha_deg = alpha_deg;
    def.is_lazy = true;
    fr_plan_robot *robot;
    fr_error error;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_OK);
    return robot;
}

static inline fr_plan_robot *make_named_robot(const named_world *n) {
    fr_plan_shape shape = named_robot(n);
    return make_robot_of(&shape, n->dimension, 30.0);
}

// No sample of a path may be in a black cell.
static inline void expect_free(const fr_plan_world *world, const fr_plan_shape *shape, const fr_plan_state *states,
                               uint32_t count) {
    fr_plan_check_output check = check_states(world, shape, states, count);
    if (!check.is_free) {
        fail_msg("after state %u of %u, at %g of the motion, %g deep in cell %d %d %d", check.state, count,
                 check.fraction, check.depth, check.cell[0], check.cell[1], check.cell[2]);
    }
}

// Every state of the lattice that can be reached from one, breadth first by the masks alone: the truth that searches
// are compared with. `steps`, by orientation and cell, gets the number of moves and turns, UINT32_MAX where there is no
// path; the caller frees it.
static inline uint32_t *reach_all(const fr_plan_world *world, const fr_plan_robot *r, fr__plan_step start) {
    fr__plan_bits bits = fr__plan_world_bits(world);
    uint32_t cells = bits.size * bits.size * bits.layers, head = 0, tail = 0;
    size_t count = (size_t)cells * r->orientation_count;
    uint32_t *steps = malloc(count * sizeof *steps), *queue = malloc(count * sizeof *queue);
    memset(steps, 0xff, count * sizeof *steps);
    queue[tail] = start.orientation * cells + start.cell;
    steps[queue[tail++]] = 0;
    while (head < tail) {
        uint32_t state = queue[head++], cell = state % cells, o = state / cells;
        int32_t at[3], to[3];
        fr__plan_cell_at(&bits, cell, at);
        const fr__plan_mask *stand = fr__plan_robot_mask(r, fr__plan_stand_slot(r, o));
        for (int k = 0; k < 12; k++) {
            uint32_t next;
            bool is_free;
            if (k < 6) {
                if (k >= 2 * r->dimension || !fr__plan_neighbor(&bits, at, k, to)) { continue; }
                next = o * cells + fr__plan_cell_number(&bits, to);
                is_free = steps[next] == UINT32_MAX && fr__plan_mask_is_free(stand, &bits, to);
            } else {
                uint32_t turned = r->next[o][k - 6];
                if (turned == FR__PLAN_NONE) { continue; }
                next = turned * cells + cell;
                uint32_t slot = fr__plan_turning_slot(r, o, turned, k - 6);
                is_free = steps[next] == UINT32_MAX && fr__plan_mask_is_free(fr__plan_robot_mask(r, slot), &bits, at);
            }
            if (!is_free) { continue; }
            steps[next] = steps[state] + 1;
            queue[tail++] = next;
        }
    }
    free(queue);
    return steps;
}

// A bar in the plane, a bent bar in space.
static inline fr_plan_robot *make_test_robot(int dimension, double alpha_deg) {
    static const fr_plan_box flat[1] = {FLAT(-4, -1, 5, 2)};
    static const fr_plan_box bent[2] = {{{-2, 0, 0}, {3, 1, 1}}, {{-2, 1, 0}, {-1, 3, 1}}};
    fr_plan_shape shape = {dimension == 2 ? flat : bent, dimension == 2 ? 1 : 2, {0.5, 0.5, 0.5}};
    return make_robot_of(&shape, dimension, alpha_deg);
}

// A random state of the lattice that is free; false where none was found.
static inline bool random_free_step(fr_random *random, const fr_plan_world *world, const fr_plan_robot *r,
                                    fr__plan_step *out) {
    fr__plan_bits bits = fr__plan_world_bits(world);
    for (int i = 0; i < 200; i++) {
        int32_t at[3] = {(int32_t)fr_random_below(random, bits.size), (int32_t)fr_random_below(random, bits.size),
                         (int32_t)fr_random_below(random, bits.layers)};
        uint32_t o = (uint32_t)fr_random_below(random, r->orientation_count);
        if (!fr__plan_mask_is_free(fr__plan_robot_mask(r, fr__plan_stand_slot(r, o)), &bits, at)) { continue; }
        *out = (fr__plan_step){fr__plan_cell_number(&bits, at), o};
        return true;
    }
    return false;
}

// Boxes that leave passages.
static inline fr_plan_world *make_random_map(fr_random *random, int dimension) {
    uint32_t depth = dimension == 2 ? 6 : 4, size = 1u << depth, boxes = dimension == 2 ? 14 : 10;
    fr_plan_world *world = make_empty_world(dimension, depth);
    for (uint32_t i = 0; i < boxes; i++) {
        put_box(world, i, random_box(random, dimension, size, size / 3), unmoved_place());
    }
    return world;
}

#endif
