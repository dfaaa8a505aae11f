// A scene's plan among cells: the world of cells with what stands in it, and the robot's cells.
#include "scene/scene_cells.h"

#include <math.h>
#include <string.h>

#define SCENE_CELLS_COOKIE 0x53434c53u

fr_scene_cells_input fr_default_scene_cells_input(void) { return (fr_scene_cells_input){.cookie = SCENE_CELLS_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Between metres and cells

static fr_vec3 turn_deg_of(fr_quat rotation, int dimension) {
    fr_mat3 m = fr_quat_to_mat3(rotation);
    if (dimension == 2) { return fr_vec3_make(0.0, 0.0, fr_degrees(atan2(m.row[1].x, m.row[0].x))); }
    double b = asin(fmin(fmax(-m.row[2].x, -1.0), 1.0));
    fr_vec3 out = {atan2(m.row[2].y, m.row[2].z), b, atan2(m.row[1].x, m.row[0].x)};
    if (fabs(m.row[2].x) > 1.0 - 1e-12) { out = fr_vec3_make(0.0, b, atan2(-m.row[0].y, m.row[1].y)); }
    return fr_vec3_make(fr_degrees(out.x), fr_degrees(out.y), fr_degrees(out.z));
}

// Angles that a multiple of 1e-9 degrees is near to are that: a grid of angles is met exactly.
static double rounded(double degrees) {
    double whole = round(degrees * 1e6) / 1e6;
    return fabs(whole - degrees) < 1e-9 ? whole : degrees;
}

fr_plan_place fr_scene_cells_place(const fr_scene_cells *c, const fr_pose *pose) {
    fr_vec3 p = fr_vec3_scale(1.0 / c->edge, fr_vec3_sub(pose->position, c->plan->bounds.min));
    fr_vec3 t = turn_deg_of(pose->rotation, c->plan->dimension);
    if (c->plan->dimension == 2) { p.z = 0.5; }
    return (fr_plan_place){p, fr_vec3_make(rounded(t.x), rounded(t.y), rounded(t.z))};
}

fr_pose fr_scene_cells_pose(const fr_scene_cells *c, const fr_plan_place *place) {
    const fr_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    fr_quat rx = fr_quat_from_axis_angle(x, fr_radians(place->turn_deg.x));
    fr_quat ry = fr_quat_from_axis_angle(y, fr_radians(place->turn_deg.y));
    fr_quat rz = fr_quat_from_axis_angle(z, fr_radians(place->turn_deg.z));
    fr_pose pose = fr_pose_identity();
    pose.position = fr_vec3_add_scaled(c->plan->bounds.min, c->edge, place->position);
    if (c->plan->dimension == 2) { pose.position.z = c->plan->start.position.z; }
    pose.rotation = fr_quat_multiply(rz, fr_quat_multiply(ry, rx));
    return pose;
}

// ---------------------------------------------------------------------------------------------------------------
// Obstacles

static bool is_robot(const fr_scene_cells *c, uint32_t object) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->plan_count; i++) {
        if (view->plans[i].robot == object) { return true; }
    }
    return false;
}

// An object of cells, from where its cells are given to where it stands.
static fr_status set_boxes(fr_scene_cells *c, uint32_t index, const fr_scene_object *object, const fr_pose *pose,
                           fr_error *error) {
    const fr_plan_shape shape = {object->boxes, object->box_count, object->cell_pivot};
    fr_plan_place place = fr_scene_cells_place(c, pose);
    place.position = fr_vec3_sub(place.position, object->cell_pivot);
    return fr_plan_world_set(c->world, index, &shape, &place, error);
}

static fr_status set_meshes(fr_scene_cells *c, uint32_t index, const fr_pose *pose, fr_error *error) {
    fr_object_id id = c->ids[index];
    uint32_t parts = fr_object_get(c->space, id)->part_count;
    fr_octree_clear(c->joined, FR_CELL_WHITE);
    for (uint32_t i = 0; i < parts; i++) {
        fr_part_view part = fr_object_part(c->space, id, i);
        fr_pose placed = fr_pose_compose(pose, &part.pose);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = part.mesh;
        input.pose = &placed;
        input.may_clip = true;
        fr_status status = fr_octree_build(c->builder, &input, c->tree, error);
        if (status != FR_OK) { return status; }
        (void)fr_octree_combine(FR_OCTREE_UNION, c->joined, c->tree, c->joined, NULL);
    }
    return fr_plan_world_set_cells(c->world, index, c->joined, error);
}

// Only objects that have moved since t_K-1 are set again.
fr_status fr_scene_cells_observe(fr_scene_cells *c, uint32_t k, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (is_robot(c, i)) { continue; }
        fr_pose pose = fr_scene_pose(c->scene, i, k);
        if (k > 0) {
            fr_pose before = fr_scene_pose(c->scene, i, k - 1);
            if (memcmp(&pose, &before, sizeof pose) == 0) { continue; }
        }
        fr_status status = view->objects[i].boxes != NULL ? set_boxes(c, i, &view->objects[i], &pose, error)
                                                          : set_meshes(c, i, &pose, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

bool fr_scene_cells_is_moving(const fr_scene_cells *c) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *o = &view->objects[i];
        if (is_robot(c, i) || o->is_static) { continue; }
        if (o->path_count > 1 || fr_vec3_length(o->velocity) > 0.0 || fr_vec3_length(o->angular_velocity) > 0.0) {
            return true;
        }
    }
    return false;
}

static fr_status make_world(fr_scene_cells *c, fr_error *error) {
    const fr_scene_plan *plan = c->plan;
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = plan->dimension;
    def.depth = plan->depth;
    def.rule = plan->rule;
    def.allocator = c->allocator;
    def.margin = (uint32_t)fmin(ceil(plan->margin / c->edge), 64.0);
    fr_octree_def tree = fr_default_octree_def();
    tree.dimension = plan->dimension;
    tree.allocator = c->allocator;
    tree.depth = plan->depth;
    tree.min = plan->bounds.min;
    tree.edge = c->edge * (double)(UINT32_C(1) << plan->depth);
    fr_status status = fr_plan_world_create(&def, &c->world, error);
    if (status == FR_OK) { status = fr_octree_builder_create(&c->allocator, &c->builder, error); }
    if (status == FR_OK) { status = fr_octree_create(&tree, &c->tree, error); }
    if (status == FR_OK) { status = fr_octree_create(&tree, &c->joined, error); }
    return status == FR_OK ? fr_scene_cells_observe(c, 0, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The robot

static bool add_leaf(const fr_cell *cell, void *context) {
    int32_t side = (int32_t)(UINT32_C(1) << cell->level), x = (int32_t)cell->x, y = (int32_t)cell->y,
            z = (int32_t)cell->z;
    fr__scene_box_array *boxes = context;
    fr_plan_box *box = fr__scene_box_array_push(boxes, 1);
    if (box == NULL) { return false; }
    *box = (fr_plan_box){{x, y, z}, {x + side, y + side, z + side}};
    return true;
}

// A robot that is a model becomes cells about its origin, which lies in the middle of one.
static fr_status shape_of_meshes(fr_scene_cells *c, fr_octree_builder *builder, uint32_t depth, fr_error *error) {
    fr_object_id id = c->ids[c->plan->robot];
    const fr_object_view *view = fr_object_get(c->space, id);
    double size = (double)(UINT32_C(1) << depth);
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    def.allocator = c->allocator;
    def.edge = size * c->edge;
    double low = -(0.5 * size + 0.5) * c->edge;
    def.min = fr_vec3_make(low, low, low);
    fr_octree *tree = NULL, *joined = NULL;
    fr_status status = fr_octree_create(&def, &tree, error);
    if (status == FR_OK) { status = fr_octree_create(&def, &joined, error); }
    for (uint32_t i = 0; i < view->part_count && status == FR_OK; i++) {
        fr_part_view part = fr_object_part(c->space, id, i);
        fr_pose pose = part.pose;
        pose.scale *= view->pose.scale;
        pose.position = fr_vec3_scale(view->pose.scale, pose.position);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = part.mesh;
        input.pose = &pose;
        status = fr_octree_build(builder, &input, tree, error);
        if (status == FR_OK) { (void)fr_octree_combine(FR_OCTREE_UNION, joined, tree, joined, NULL); }
    }
    if (status == FR_OK && !fr_octree_leaves(joined, FR_CELL_BLACK, add_leaf, &c->boxes)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the robot's cells");
    }
    fr_octree_destroy(tree);
    fr_octree_destroy(joined);
    double middle = 0.5 * size + 0.5;
    c->shape = (fr_plan_shape){c->boxes.data, (uint32_t)c->boxes.count, fr_vec3_make(middle, middle, middle)};
    return status;
}

static fr_status make_shape(fr_scene_cells *c, fr_octree_builder *builder, fr_error *error) {
    const fr_scene_object *object = &fr_scene_get(c->scene)->objects[c->plan->robot];
    if (object->boxes != NULL) {
        c->shape = (fr_plan_shape){object->boxes, object->box_count, object->cell_pivot};
        return FR_OK;
    }
    if (c->plan->dimension == 2) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED,
                            "among cells in the plane a robot is made of 'boxes' or 'rows'; models go by 'faces'");
    }
    fr_status status = FR_ERROR_LIMIT;
    for (uint32_t depth = 2; depth <= FR_PLAN_MAX_DEPTH && status == FR_ERROR_LIMIT; depth++) {
        c->boxes.count = 0;
        status = shape_of_meshes(c, builder, depth, error);
    }
    if (status == FR_ERROR_LIMIT) { fr_error_set(error, status, "the robot is larger than the world"); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and end

static fr_status check_input(const fr_scene_cells_input *in, fr_error *error) {
    if (in->cookie != SCENE_CELLS_COOKIE) { return fr_error_set_cookie(error, "fr_default_scene_cells_input"); }
    if (in->scene == NULL || in->space == NULL || in->ids == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "scene, space or ids are missing");
    }
    if (in->plan >= fr_scene_get(in->scene)->plan_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the scene has no plan %u", in->plan);
    }
    return FR_OK;
}

static fr_status allocate(const fr_scene_cells_input *in, fr_scene_cells **out, fr_error *error) {
    fr_status status = check_input(in, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&in->allocator);
    fr_scene_cells *c = fr_allocate(&allocator, 1, sizeof *c, 16);
    if (c == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the cells of a plan"); }
    *c = (fr_scene_cells){.scene = in->scene, .space = in->space, .ids = in->ids, .allocator = allocator};
    c->plan = &fr_scene_get(in->scene)->plans[in->plan];
    c->edge = fr_scene_cell_edge(in->scene);
    c->boxes = fr__scene_box_array_make(&allocator);
    c->states = fr__cell_state_array_make(&allocator);
    *out = c;
    return FR_OK;
}

static fr_status settle(fr_scene_cells *made, fr_status status, fr_scene_cells **out) {
    if (status != FR_OK) {
        fr_scene_cells_destroy(made);
        return status;
    }
    *out = made;
    return FR_OK;
}

fr_status fr__scene_cells_begin(const fr_scene_cells_input *input, fr_octree_builder *builder, fr_scene_cells **out,
                                fr_error *error) {
    fr_scene_cells *made = NULL;
    fr_status status = allocate(input, &made, error);
    if (status == FR_OK) { status = make_shape(made, builder, error); }
    return settle(made, status, out);
}

fr_status fr_scene_cells_create(const fr_scene_cells_input *input, fr_scene_cells **out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = NULL;
    fr_scene_cells *made = NULL;
    fr_status status = allocate(input, &made, error);
    if (status == FR_OK) { status = make_world(made, error); }
    if (status == FR_OK) { status = make_shape(made, made->builder, error); }
    return settle(made, status, out);
}

void fr_scene_cells_destroy(fr_scene_cells *c) {
    if (c == NULL) { return; }
    fr_plan_robot_destroy(c->robot);
    fr_plan_world_destroy(c->world);
    fr_octree_builder_destroy(c->builder);
    fr_octree_destroy(c->tree);
    fr_octree_destroy(c->joined);
    fr__scene_box_array_destroy(&c->boxes);
    fr__cell_state_array_destroy(&c->states);
    fr_allocator allocator = c->allocator;
    fr_deallocate(&allocator, c, 1, sizeof *c);
}

fr_plan_world *fr_scene_cells_world(const fr_scene_cells *c) { return c->world; }

fr_plan_shape fr_scene_cells_robot(const fr_scene_cells *c) { return c->shape; }
