// Pictures of a search over leaves: obstacles, explored leaves, the path and the robot along it.
#include "plan/faithful/leaf_draw.h"

static const fr_color obstacle_color = {150, 150, 160, 255}, edge_color = {110, 110, 120, 255},
                      leaf_color = {150, 190, 230, 255};
static const fr_color dot_color = {60, 120, 190, 255}, path_color = {200, 40, 40, 255},
                      robot_color = {30, 140, 60, 255};

static void put_point(fr_vec3 v, double *out) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void draw_line(const fr_draw *draw, const double *line, fr_color color, double width) {
    if (draw->lines != NULL) { draw->lines(line, 1, color, width, draw->user); }
}

typedef struct box_draw {
    const fr_draw *draw;
    int dimension;
} box_draw;

// The edges of a box whose corners are given, bit 0 of a corner's number for x and so on; in the plane four.
static void draw_edges(const box_draw *b, const fr_vec3 corner[8], fr_color color, double width) {
    for (int a = 0; a < b->dimension; a++) {
        for (int k = 0; k < (b->dimension == 3 ? 8 : 4); k++) {
            if ((k >> a & 1) != 0) { continue; }
            double line[6];
            put_point(corner[k], line);
            put_point(corner[k | 1 << a], line + 3);
            draw_line(b->draw, line, color, width);
        }
    }
}

// In the plane a box lies at z = 0.
static void corners_of(const box_draw *b, const double low[3], const double high[3], fr_vec3 corner[8]) {
    for (int k = 0; k < 8; k++) {
        double z = b->dimension == 3 ? (k & 4 ? high[2] : low[2]) : 0.0;
        corner[k] = fr_vec3_make(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], z);
    }
}

static void cell_corners(const box_draw *b, const fr_cell *cell, fr_vec3 corner[8]) {
    double size = (double)(1u << cell->level);
    const double low[3] = {cell->x, cell->y, cell->z}, high[3] = {cell->x + size, cell->y + size, cell->z + size};
    corners_of(b, low, high, corner);
}

// A black leaf: in the plane its square, in space its six faces.
static bool draw_obstacle(const fr_cell *cell, void *context) {
    const box_draw *b = context;
    static const int faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 2, 4, 6}, {1, 3, 5, 7}};
    static const int order[6] = {0, 1, 3, 0, 3, 2};
    fr_vec3 corner[8];
    cell_corners(b, cell, corner);
    for (int f = 0; f < (b->dimension == 3 ? 6 : 1) && b->draw->triangles != NULL; f++) {
        double triangles[18];
        for (int k = 0; k < 6; k++) {
            put_point(corner[faces[f][order[k]]], triangles + 3 * k);
        }
        b->draw->triangles(triangles, 2, obstacle_color, b->draw->user);
    }
    draw_edges(b, corner, edge_color, 0.5);
    return true;
}

static void draw_visits(const box_draw *b, const fr_leaf_result *result) {
    const fr_leaf_visit *visits = result->visited.data;
    for (size_t i = 0; i < result->visited.count; i++) {
        fr_vec3 corner[8];
        cell_corners(b, &visits[i].leaf, corner);
        draw_edges(b, corner, leaf_color, 1.0);
        double dot[3];
        put_point(fr_vec3_lerp(corner[0], corner[b->dimension == 3 ? 7 : 3], 0.5), dot);
        if (b->draw->points != NULL) { b->draw->points(dot, 1, dot_color, 3.0, b->draw->user); }
    }
}

static void draw_robot(const box_draw *b, const fr_plan_shape *robot, const fr_plan_place *place) {
    fr_vec3 turn = b->dimension == 3 ? place->turn_deg : fr_vec3_make(0.0, 0.0, place->turn_deg.z);
    fr_mat3 rotation = fr_octree_motion_step(fr_vec3_make(0.0, 0.0, 0.0), turn).rotation;
    for (uint32_t i = 0; i < robot->box_count; i++) {
        const fr_plan_box *box = &robot->boxes[i];
        const double low[3] = {box->low[0], box->low[1], box->low[2]};
        const double high[3] = {box->high[0], box->high[1], box->high[2]};
        fr_vec3 corner[8];
        corners_of(b, low, high, corner);
        for (int k = 0; k < 8; k++) {
            fr_vec3 moved = fr_mat3_apply(rotation, fr_vec3_sub(corner[k], robot->pivot));
            corner[k] = fr_vec3_add(moved, place->position);
            if (b->dimension == 2) { corner[k].z = 0.0; }
        }
        draw_edges(b, corner, robot_color, 1.5);
    }
}

static void draw_path(const box_draw *b, const fr_plan_shape *robot, const fr_cell_path *path) {
    for (uint32_t i = 0; i < path->state_count; i++) {
        const fr_plan_place *at = &path->states[i].place;
        bool is_end = i == 0 || i + 1 == path->state_count;
        bool is_turn = !is_end && !fr_vec3_equal(at->turn_deg, path->states[i + 1].place.turn_deg);
        if (is_end || is_turn) { draw_robot(b, robot, at); }
        if (i == 0) { continue; }
        double line[6];
        put_point(path->states[i - 1].place.position, line);
        put_point(at->position, line + 3);
        if (b->dimension == 2) { line[2] = line[5] = 0.0; }
        draw_line(b->draw, line, path_color, 2.5);
    }
}

void fr_leaf_draw_world(const fr_plan_world *world, const fr_draw *draw) {
    box_draw b = {draw, fr_plan_world_get_def(world).dimension};
    fr_octree_leaves(fr_plan_world_octree(world), FR_CELL_BLACK, draw_obstacle, &b);
}

void fr_leaf_draw(const fr_plan_world *world, const fr_plan_shape *robot, const fr_leaf_result *result,
                  const fr_draw *draw) {
    box_draw b = {draw, fr_plan_world_get_def(world).dimension};
    fr_leaf_draw_world(world, draw);
    draw_visits(&b, result);
    draw_path(&b, robot, &result->path);
}
