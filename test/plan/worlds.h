// The worlds of cells that the specification of path planning names, as tables, and the making of them.
#ifndef FUREAI_TEST_PLAN_WORLDS_H
#define FUREAI_TEST_PLAN_WORLDS_H

#include "fureai/plan.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct named_world {
    const char *name;
    int dimension;
    uint32_t depth;
    fr_plan_box walls[8];
    uint32_t wall_count;
    fr_plan_box mover; // an obstacle that moves by `mover_travel` at tick `mover_tick`; none where low == high
    fr_vec3 mover_travel;
    uint32_t mover_tick;
    fr_plan_box robot[16]; // about its reference point, the middle of cell 0
    uint32_t robot_count;
    fr_plan_place start, goal; // the goal may be met at any turn
} named_world;

// In the plane: cells x0 .. x1 - 1 by y0 .. y1 - 1.
#define FLAT(x0, y0, x1, y1)                                                                                           \
    {                                                                                                                  \
        {(x0), (y0), 0}, { (x1), (y1), 1 }                                                                             \
    }
#define PLACE(x, y, z, turn)                                                                                           \
    {                                                                                                                  \
        {(x) + 0.5, (y) + 0.5, (z)}, { 0.0, 0.0, (turn) }                                                              \
    }
#define BAR_11 .robot = {FLAT(-5, -1, 6, 2)}, .robot_count = 1
#define BAR_5 .robot = {FLAT(-2, -1, 3, 2)}, .robot_count = 1
#define SLIT_5 FLAT(30, 0, 36, 30), FLAT(30, 35, 36, 64)
#define SLIT_8 FLAT(30, 0, 36, 28), FLAT(30, 36, 36, 64)
#define SLIT_4 FLAT(30, 0, 36, 30), FLAT(30, 34, 36, 64)

static const named_world named_worlds[] = {
    {.name = "S1",
     .dimension = 2,
     .depth = 6,
     .walls = {SLIT_5},
     .wall_count = 2,
     BAR_11,
     .start = PLACE(12, 32, 0.0, 90.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "S1K",
     .dimension = 2,
     .depth = 6,
     .walls = {SLIT_8},
     .wall_count = 2,
     BAR_11,
     .start = PLACE(12, 30, 0.0, 90.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "S2",
     .dimension = 2,
     .depth = 6,
     .walls = {SLIT_4},
     .wall_count = 2,
     BAR_11,
     .start = PLACE(12, 32, 0.0, 90.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "S3",
     .dimension = 2,
     .depth = 6,
     .walls = {FLAT(20, 0, 24, 40), FLAT(20, 49, 24, 64), FLAT(42, 0, 46, 15), FLAT(42, 24, 46, 64)},
     .wall_count = 4,
     .robot = {FLAT(-4, -1, 5, 2), FLAT(-4, 2, -1, 4)},
     .robot_count = 2,
     .start = PLACE(9, 10, 0.0, 0.0),
     .goal = PLACE(55, 50, 0.0, 0.0)},
    {.name = "D1",
     .dimension = 2,
     .depth = 6,
     .walls = {FLAT(40, 0, 46, 28), FLAT(40, 36, 46, 64), FLAT(0, 0, 64, 1), FLAT(0, 63, 64, 64)},
     .wall_count = 4,
     .mover = FLAT(28, 1, 36, 63),
     .mover_travel = {0.0, 31.0, 0.0},
     .mover_tick = 30,
     BAR_11,
     .start = PLACE(10, 30, 0.0, 90.0),
     .goal = PLACE(54, 32, 0.0, 0.0)},
    {.name = "D2",
     .dimension = 2,
     .depth = 6,
     .walls = {SLIT_8},
     .wall_count = 2,
     .mover = FLAT(28, 28, 34, 36),
     .mover_travel = {0.0, -20.0, 0.0},
     .mover_tick = 30,
     BAR_11,
     .start = PLACE(10, 30, 0.0, 90.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "D3",
     .dimension = 2,
     .depth = 6,
     .walls = {SLIT_5},
     .wall_count = 2,
     .mover = FLAT(28, 26, 30, 39),
     .mover_travel = {0.0, -20.0, 0.0},
     .mover_tick = 30,
     BAR_11,
     .start = PLACE(10, 30, 0.0, 90.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "D4",
     .dimension = 2,
     .depth = 6,
     .walls = {FLAT(34, 16, 38, 48), FLAT(24, 16, 38, 20), FLAT(24, 44, 38, 48)},
     .wall_count = 3,
     BAR_5,
     .start = PLACE(14, 32, 0.0, 0.0),
     .goal = PLACE(52, 32, 0.0, 0.0)},
    {.name = "W2",
     .dimension = 3,
     .depth = 5,
     // A wall at x 11 .. 12 with a hole y 13 .. 18, z 9 .. 22, one at 21 .. 22 with a hole y 9 .. 22, z 13 .. 18.
     .walls = {{{11, 0, 0}, {13, 13, 32}},
               {{11, 19, 0}, {13, 32, 32}},
               {{11, 13, 0}, {13, 19, 9}},
               {{11, 13, 23}, {13, 19, 32}},
               {{21, 0, 0}, {23, 9, 32}},
               {{21, 23, 0}, {23, 32, 32}},
               {{21, 9, 0}, {23, 23, 13}},
               {{21, 9, 19}, {23, 23, 32}}},
     .wall_count = 8,
     // Wings: |y| <= 1 or (x <= 0 and |y| <= min(4, 1 - x)), x -4 .. 4, and a fin.
     .robot = {{{-4, -4, 0}, {-2, 5, 1}},
               {{-2, -3, 0}, {-1, 4, 1}},
               {{-1, -2, 0}, {0, 3, 1}},
               {{0, -1, 0}, {5, 2, 1}},
               {{-4, 0, 1}, {-2, 1, 3}}},
     .robot_count = 5,
     .start = {{5.5, 16.5, 16.5}, {0.0, 0.0, 0.0}},
     .goal = {{27.5, 16.5, 16.5}, {0.0, 0.0, 0.0}}},
};

#define NAMED_WORLD_COUNT (sizeof named_worlds / sizeof named_worlds[0])

// Key of the obstacle that moves; the walls have 0, 1, ...
#define MOVER_KEY 1000u

static inline const named_world *named_world_of(const char *name) {
    for (size_t i = 0; i < NAMED_WORLD_COUNT; i++) {
        if (strcmp(named_worlds[i].name, name) == 0) { return &named_worlds[i]; }
    }
    fail_msg("no world %s", name);
    return NULL;
}

static inline fr_plan_place unmoved_place(void) { return (fr_plan_place){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}; }

static inline bool has_mover(const named_world *n) { return n->mover.low[0] < n->mover.high[0]; }

// Puts an obstacle of one box in, or moves it.
static inline void put_box(fr_plan_world *world, uint64_t key, fr_plan_box box, fr_plan_place place) {
    double half = 0.5 * (double)(1u << fr_plan_world_get_def(world).depth);
    fr_plan_shape shape = {&box, 1, {half, half, half}};
    fr_error error;
    assert_int_equal(fr_plan_world_set(world, key, &shape, &place, &error), FR_OK);
}

static inline fr_plan_world *make_empty_world(int dimension, uint32_t depth) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = dimension;
    def.depth = depth;
    fr_plan_world *world;
    fr_error error;
    assert_int_equal(fr_plan_world_create(&def, &world, &error), FR_OK);
    return world;
}

// The world as it is at the beginning.
static inline fr_plan_world *make_named_world(const named_world *n) {
    fr_plan_world *world = make_empty_world(n->dimension, n->depth);
    for (uint32_t i = 0; i < n->wall_count; i++) {
        put_box(world, i, n->walls[i], unmoved_place());
    }
    if (has_mover(n)) { put_box(world, MOVER_KEY, n->mover, unmoved_place()); }
    return world;
}

// What is observed when its tick has come.
static inline void move_mover(fr_plan_world *world, const named_world *n) {
    put_box(world, MOVER_KEY, n->mover, (fr_plan_place){n->mover_travel, {0.0, 0.0, 0.0}});
}

static inline fr_plan_shape named_robot(const named_world *n) {
    fr_plan_shape robot = {n->robot, n->robot_count, {0.5, 0.5, 0.5}};
    return robot;
}

// A box of cells somewhere in the world, 1 .. `largest` cells an axis.
static inline fr_plan_box random_box(fr_random *random, int dimension, uint32_t size, uint32_t largest) {
    fr_plan_box box = {{0, 0, 0}, {0, 0, 1}};
    for (int a = 0; a < dimension; a++) {
        uint32_t edge = 1 + (uint32_t)fr_random_below(random, largest);
        box.low[a] = (int32_t)fr_random_below(random, size - edge + 1);
        box.high[a] = box.low[a] + (int32_t)edge;
    }
    return box;
}

// Some boxes, turned by multiples of 15 degrees and moved a little.
static inline fr_plan_world *make_random_world(fr_random *random, int dimension, uint32_t depth, uint32_t boxes) {
    fr_plan_world *world = make_empty_world(dimension, depth);
    uint32_t size = 1u << depth;
    for (uint32_t i = 0; i < boxes; i++) {
        fr_plan_place place = unmoved_place();
        place.turn_deg.z = 15.0 * (double)fr_random_below(random, 24);
        place.position.x = fr_random_between(random, -2.0, 2.0);
        if (dimension == 3) { place.turn_deg.x = 15.0 * (double)fr_random_below(random, 24); }
        put_box(world, i, random_box(random, dimension, size, 1 + size / 4), place);
    }
    return world;
}

// What the checker says of states.
static inline fr_plan_check_output check_states(const fr_plan_world *world, const fr_plan_shape *shape,
                                                const fr_plan_state *states, uint32_t count) {
    fr_plan_check_input input = fr_default_plan_check_input();
    input.world = world;
    input.shape = shape;
    input.states = states;
    input.state_count = count;
    fr_plan_check_output check;
    fr_error error;
    assert_int_equal(fr_plan_check_cells(&input, &check, &error), FR_OK);
    return check;
}

#endif
