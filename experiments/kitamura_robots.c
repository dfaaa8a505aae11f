// The robots of Kitamura's figures 4.7 and 4.10, and figures 4.5 and 4.7: a robot as nodes at several turns.
#include "kitamura_robots.h"

#include "kitamura_plan.h"
#include "plan/faithful/leaf_draw.h"

#include <stdio.h>

// The mesh in the length that comes nearest to the number.
fr_status make_shuttle(cell_robot *out, fr_error *error) {
    const uint64_t wanted = 74;
    fr_mesh *mesh = NULL;
    fr_octree_builder *builder = NULL;
    fr_octree *tree = NULL, *best = NULL;
    fr_octree_def def = fr_default_octree_def();
    out->boxes = fr_node_box_array_make(NULL);
    out->pivot = fr_vec3_make(16.5, 16.5, 16.5);
    fr_status status = fr_mesh_create_named("shuttle_528", NULL, &mesh, error);
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &builder, error); }
    if (status == FR_OK) { status = fr_octree_create(&def, &tree, error); }
    if (status == FR_OK) { status = fr_octree_create(&def, &best, error); }
    uint64_t least = UINT64_MAX;
    for (double length = 3.0; length < 12.0 && status == FR_OK; length += 0.0625) {
        const fr_bounds *bounds = &fr_mesh_get(mesh)->bounds;
        fr_octree_build_input input = fr_default_octree_build_input();
        fr_pose pose = fr_pose_make(out->pivot, fr_quat_identity());
        pose.scale = length / fr_vec3_largest(fr_vec3_sub(bounds->max, bounds->min));
        pose.position = fr_vec3_sub(out->pivot, fr_vec3_scale(pose.scale, fr_bounds_center(bounds)));
        input.mesh = mesh;
        input.pose = &pose;
        input.rule = FR_VOXEL_TOUCH;
        status = fr_octree_build(builder, &input, tree, error);
        uint64_t black = fr_octree_count(tree).black, off = black > wanted ? black - wanted : wanted - black;
        if (status == FR_OK && off < least) {
            least = off;
            fr_octree_copy(tree, best, NULL);
        }
    }
    if (status == FR_OK) { status = fr_black_nodes(best, &out->boxes, error); }
    fr_octree_destroy(best);
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
    fr_mesh_release(mesh);
    return status;
}

// Seat, legs, back, and a rail on it.
fr_status make_chair(cell_robot *out, fr_error *error) {
    static const fr_plan_box parts[] = {
        {{-3, 0, -3}, {4, 1, 4}}, {{-3, -5, -3}, {-2, 0, -2}}, {{3, -5, -3}, {4, 0, -2}}, {{-3, -5, 3}, {-2, 0, 4}},
        {{3, -5, 3}, {4, 0, 4}},  {{-3, 1, 3}, {4, 7, 4}},     {{-2, 7, 3}, {2, 8, 4}},
    };
    out->boxes = fr_node_box_array_make(NULL);
    out->pivot = fr_vec3_make(0.5, 0.5, 0.5);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const fr_plan_box *p = &parts[i];
        for (int32_t x = p->low[0]; x < p->high[0]; x++) {
            for (int32_t y = p->low[1]; y < p->high[1]; y++) {
                for (int32_t z = p->low[2]; z < p->high[2]; z++) {
                    fr_plan_box *box = fr_node_box_array_push(&out->boxes, 1);
                    if (box == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a chair"); }
                    *box = (fr_plan_box){{x, y, z}, {x + 1, y + 1, z + 1}};
                }
            }
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Turns

enum { FLAT_TURNS = 12, SPACE_TURNS = 10, TURNED_DEPTH = 5, APART = 16, COLUMNS = 4 };

static int turn_count(int dimension) { return dimension == 2 ? FLAT_TURNS : SPACE_TURNS; }

// A turn is by `degrees` about one axis; in space the first is none, then there are three an axis.
static int axis_of(int dimension, int turn) { return dimension == 2 || turn == 0 ? 2 : (turn - 1) / 3; }
static double degrees_of(int dimension, int turn) {
    return 30.0 * (dimension == 2 || turn == 0 ? turn : (turn - 1) % 3 + 1);
}

// Turned with the pivot in the middle of the cell `at`.
static fr_status put_turned(fr_plan_world *world, const fr_plan_shape *shape, int turn, const double at[3],
                            fr_error *error) {
    int dimension = fr_plan_world_get_def(world).dimension;
    double degrees[3] = {0.0, 0.0, 0.0};
    degrees[axis_of(dimension, turn)] = degrees_of(dimension, turn);
    fr_vec3 middle = fr_vec3_make(at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
    fr_plan_place place = {fr_vec3_sub(middle, shape->pivot), fr_vec3_make(degrees[0], degrees[1], degrees[2])};
    return fr_plan_world_set(world, (uint64_t)turn, shape, &place, error);
}

static fr_status make_turned_world(int dimension, uint32_t depth, fr_plan_world **out, fr_error *error) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = dimension;
    def.depth = depth;
    return fr_plan_world_create(&def, out, error);
}

// The world has no other robot.
static fr_status add_turn(experiment_run *run, const fr_plan_shape *shape, int dimension, int turn, double printed) {
    static const double middle[2][3] = {{16.0, 16.0, 0.0}, {16.0, 16.0, 16.0}};
    fr_plan_world *world;
    fr_status status = make_turned_world(dimension, TURNED_DEPTH, &world, run->error);
    if (status != FR_OK) { return status; }
    status = put_turned(world, shape, turn, middle[dimension - 2], run->error);
    if (status == FR_OK) {
        fr_octree_counts counts = fr_octree_count(fr_plan_world_octree(world));
        char label[96], axis = "xyz"[axis_of(dimension, turn)];
        int length = snprintf(label, sizeof label, "turned by %g about %c: ", degrees_of(dimension, turn), axis);
        snprintf(label + length, sizeof label - (size_t)length, "black nodes");
        bool is_added = experiment_put(run, "nodes", label, turn == 0 ? printed : NAN, (double)counts.black);
        snprintf(label + length, sizeof label - (size_t)length, "cells");
        is_added = is_added && experiment_put(run, "cells", label, NAN, (double)counts.black_voxels);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    fr_plan_world_destroy(world);
    return status;
}

fr_status add_turned(experiment_run *run, const fr_plan_shape *shape, int dimension, double printed) {
    fr_status status = FR_OK;
    for (int turn = 0; turn < turn_count(dimension) && status == FR_OK; turn++) {
        status = add_turn(run, shape, dimension, turn, printed);
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    return status;
}

// In rows from above; in space a row an axis, and the robot before turning is at the left of the first.
fr_status draw_turned(const fr_plan_shape *shape, int dimension, const fr_draw *draw, fr_error *error) {
    fr_plan_world *world;
    fr_status status = make_turned_world(dimension, TURNED_DEPTH + 1, &world, error);
    if (status != FR_OK) { return status; }
    for (int turn = 0; turn < turn_count(dimension) && status == FR_OK; turn++) {
        int place = dimension == 2 || turn == 0 ? turn : (turn - 1) / 3 * COLUMNS + (turn - 1) % 3 + 1;
        const double at[3] = {APART * (place % COLUMNS) + APART / 2, APART * (3 - place / COLUMNS) + APART / 2,
                              dimension == 2 ? 0.0 : APART};
        status = put_turned(world, shape, turn, at, error);
    }
    if (status == FR_OK) { fr_leaf_draw_world(world, draw); }
    fr_plan_world_destroy(world);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.7

static fr_status run_shuttle(experiment_run *run) {
    cell_robot r;
    snprintf(run->sample, sizeof run->sample, "the shuttle of 7 x 5 x 9 cells at depth 5");
    fr_status status = make_shuttle(&r, run->error);
    fr_plan_shape shape = shape_of(&r);
    if (status == FR_OK) { status = add_turned(run, &shape, 3, 74.0); }
    fr_node_box_array_destroy(&r.boxes);
    return status;
}

const experiment experiment_kitamura_4_7 = {"kitamura-4.7", "Kitamura 1996, section 4.4.2",
                                            "the shuttle as an octree, turned about each axis", run_shuttle};

fr_status draw_kitamura_4_7(const fr_draw *draw, fr_error *error) {
    cell_robot r;
    fr_status status = make_shuttle(&r, error);
    fr_plan_shape shape = shape_of(&r);
    if (status == FR_OK) { status = draw_turned(&shape, 3, draw, error); }
    fr_node_box_array_destroy(&r.boxes);
    return status;
}
