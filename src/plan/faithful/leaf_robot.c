// The robot of Kitamura's planner: its cells at a place, and the motions between two places.
#include "plan/faithful/leaf_robot.h"

#include <string.h>

fr_status fr_leaf_robot_make(const fr_plan_world *world, const fr_plan_shape *shape, const fr_allocator *allocator,
                             fr_leaf_robot *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->shape = *shape;
    fr_plan_world_def def = fr_plan_world_get_def(world);
    def.margin = 0;
    def.allocator = fr_allocator_or_default(allocator);
    return fr_plan_world_create(&def, &out->cells, error);
}

void fr_leaf_robot_free(fr_leaf_robot *r) {
    fr_plan_world_destroy(r->cells);
    r->cells = NULL;
}

// Rz Ry Rx v, of degrees.
static fr_vec3 turned(fr_vec3 turn_deg, fr_vec3 v) {
    fr_octree_motion m = fr_octree_motion_step(fr_vec3_make(0.0, 0.0, 0.0), turn_deg);
    return fr_mat3_apply(m.rotation, v);
}

// Whether every corner of every box stays in the world.
static bool is_inside(const fr_leaf_robot *r, const fr_plan_place *place) {
    fr_plan_world_def def = fr_plan_world_get_def(r->cells);
    double max = (double)(1u << def.depth) + 1e-9;
    fr_vec3 turn = def.dimension == 3 ? place->turn_deg : fr_vec3_make(0.0, 0.0, place->turn_deg.z);
    for (uint32_t i = 0; i < r->shape.box_count; i++) {
        const fr_plan_box *b = &r->shape.boxes[i];
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner = fr_vec3_make(k & 1 ? b->high[0] : b->low[0], k & 2 ? b->high[1] : b->low[1],
                                          k & 4 ? b->high[2] : b->low[2]);
            fr_vec3 p = fr_vec3_add(turned(turn, fr_vec3_sub(corner, r->shape.pivot)), place->position);
            if (def.dimension == 2) { p.z = 0.5; }
            if (p.x < -1e-9 || p.y < -1e-9 || p.z < -1e-9 || fr_vec3_largest(p) > max) { return false; }
        }
    }
    return true;
}

fr_status fr_leaf_robot_try(fr_leaf_robot *r, const fr_plan_world *world, const fr_plan_place *place, bool *is_free,
                            fr_error *error) {
    r->tests++;
    fr_plan_place moved = *place;
    moved.position = fr_vec3_sub(place->position, r->shape.pivot);
    fr_status status = fr_plan_world_set(r->cells, 0, &r->shape, &moved, error);
    if (status != FR_OK) { return status; }
    *is_free = is_inside(r, place) && !fr_octree_interfere(fr_plan_world_octree(r->cells), fr_plan_world_octree(world));
    return FR_OK;
}

void fr_leaf_robot_evaluate(const fr_leaf_robot *r, const fr_plan_field *field, double *sum, double *mean) {
    uint64_t cells = 0;
    fr_status status = fr_plan_field_tree(field, fr_plan_world_octree(r->cells), sum, &cells, NULL);
    FR_ASSERT(status == FR_OK);
    (void)status;
    *mean = cells > 0 ? *sum / (double)cells : 0.0;
}

fr_status fr_leaf_robot_sweep(const fr_leaf_robot *r, const fr_plan_world *world, const fr_plan_place *from,
                              const fr_plan_place *to, bool *is_free, fr_error *error) {
    const fr_plan_state states[2] = {{*from, 0}, {*to, 1}};
    fr_plan_check_input input = fr_default_plan_check_input();
    input.world = world;
    input.shape = &r->shape;
    input.states = states;
    input.state_count = 2;
    fr_plan_check_output check;
    fr_status status = fr_plan_check_cells(&input, &check, error);
    *is_free = status == FR_OK && check.is_free;
    return status;
}
