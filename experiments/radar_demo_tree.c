// Growth of a tree: a radar at each growing point looks along the branch to come. Where another branch is, another
// direction is tried; after eight the point stops growing. What has grown is seen from then on: nothing else is kept.
#include "radar_demo.h"

#include <math.h>
#include <stdio.h>

#define RADIUS 0.05 // of a branch of length 1
#define GENERATIONS 7
#define TRIES 8
#define MOST_BRANCHES 400

typedef struct branch {
    fr_object_id id;
    uint32_t root, tip; // points it grows from and to
} branch;

typedef struct growing_point {
    fr_vec3 place, direction;
    double size; // length of the branches to come
    uint32_t generation;
} growing_point;

typedef struct growth {
    radar_demo *demo;
    fr_random random;
    fr_mesh *mesh;
    branch branches[MOST_BRANCHES];
    uint32_t branch_count;
    growing_point points[MOST_BRANCHES + 1];
    uint32_t point_count;
    uint32_t at; // the point whose radar looks
    uint32_t looks, stopped;
} growth;

// Branches that meet in the growing point are joined there, and are no obstacles.
static bool is_elsewhere(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const growth *g = context;
    (void)space;
    (void)b;
    for (uint32_t i = 0; i < g->branch_count; i++) {
        const branch *one = &g->branches[i];
        if (fr_object_id_equal(one->id, a)) { return one->root != g->at && one->tip != g->at; }
    }
    return true;
}

static fr_status is_free(growth *g, const growing_point *p, fr_vec3 direction, bool *is_clear, fr_error *error) {
    fr_radar_search_input input = fr_default_radar_search_input();
    double across = 1.2 * 2.0 * RADIUS * p->size;
    input.space = g->demo->space;
    // The volume holds the branch with both its caps.
    input.eye = fr_vec3_add_scaled(p->place, -1.2 * RADIUS * p->size, direction);
    input.direction = direction;
    input.width = input.height = across;
    input.depth = p->size * (1.0 + 2.4 * RADIUS);
    input.look = FR_RADAR_CONSERVATIVE;
    input.filter.accept = is_elsewhere;
    input.filter.context = g;
    fr_radar_search_output output;
    g->looks++;
    fr_status status = fr_radar_search(g->demo->radar, &input, &output, error);
    *is_clear = status == FR_OK && !output.is_hit;
    return status;
}

// The habit: a branch leaves its parent by 15 to 50 degrees, upwards rather than down.
static fr_vec3 choose_direction(growth *g, const growing_point *p) {
    double sine, cosine, away, along;
    fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0), x, y;
    fr_vec3 other = fabs(p->direction.y) < 0.9 ? up : fr_vec3_make(1.0, 0.0, 0.0);
    x = fr_vec3_unit(fr_vec3_cross(p->direction, other), other);
    y = fr_vec3_cross(p->direction, x);
    fr_sincos(fr_random_between(&g->random, 0.0, 2.0 * FR_PI), &sine, &cosine);
    fr_sincos(fr_radians(fr_random_between(&g->random, 15.0, 50.0)), &away, &along);
    fr_vec3 d = fr_vec3_scale(along, p->direction);
    d = fr_vec3_add_scaled(fr_vec3_add_scaled(d, away * cosine, x), away * sine, y);
    d = fr_vec3_add_scaled(d, 0.15, up);
    return fr_vec3_unit(d, up);
}

static fr_status grow_branch(growth *g, uint32_t from, fr_vec3 direction, fr_error *error) {
    growing_point p = g->points[from];
    // The capsule lies about its middle, along y.
    fr_pose pose = fr_pose_make(fr_vec3_add_scaled(p.place, 0.5 * p.size, direction),
                                fr_quat_between(fr_vec3_make(0.0, 1.0, 0.0), direction));
    pose.scale = p.size;
    demo_object like = {.model = "models/branch.obj", .is_static = true};
    snprintf(like.name, sizeof like.name, "branch %u", g->branch_count + 1);
    double green = p.generation / (double)GENERATIONS;
    like.color = (fr_color){(uint8_t)(120 - 50 * green), (uint8_t)(80 + 70 * green), (uint8_t)(50 + 10 * green), 255};
    branch *b = &g->branches[g->branch_count++];
    *b = (branch){.root = from, .tip = g->point_count};
    fr_status status = radar_demo_add(g->demo, g->mesh, &like, &pose, &b->id, error);
    g->points[g->point_count++] = (growing_point){.place = fr_vec3_add_scaled(p.place, p.size, direction),
                                                  .direction = direction,
                                                  .size = 0.78 * p.size,
                                                  .generation = p.generation + 1};
    return status == FR_OK ? fr_space_update(g->demo->space, NULL, error) : status;
}

// One shoot of a point: up to eight directions.
static fr_status shoot(growth *g, uint32_t from, bool *is_grown, fr_error *error) {
    const growing_point p = g->points[from];
    g->at = from;
    *is_grown = false;
    for (int i = 0; i < TRIES; i++) {
        fr_vec3 direction = from == 0 ? p.direction : choose_direction(g, &p);
        bool is_clear;
        fr_status status = is_free(g, &p, direction, &is_clear, error);
        if (status != FR_OK) { return status; }
        if (!is_clear) { continue; }
        *is_grown = true;
        return grow_branch(g, from, direction, error);
    }
    return FR_OK;
}

static fr_status grow(growth *g, fr_error *error) {
    g->points[0] = (growing_point){.direction = {0.0, 1.0, 0.0}, .size = 1.0};
    g->point_count = 1;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < g->point_count && status == FR_OK; i++) {
        uint32_t shoots = i == 0 ? 1 : g->points[i].generation < GENERATIONS ? 2 : 0;
        bool is_any = shoots == 0;
        for (uint32_t k = 0; k < shoots && g->branch_count < MOST_BRANCHES && status == FR_OK; k++) {
            bool is_grown;
            status = shoot(g, i, &is_grown, error);
            is_any = is_any || is_grown;
        }
        g->stopped += is_any ? 0 : 1;
    }
    return status;
}

fr_status radar_demo_tree(radar_demo *demo, const demo_look *look, fr_error *error) {
    fr_status status = radar_demo_open(demo, "A tree that grows",
                                       "Each growing point looks along the branch to come, and tries another direction "
                                       "where another branch would be hit.",
                                       error);
    growth g = {.demo = demo, .random = fr_random_seed(look->seed)};
    if (status == FR_OK) {
        status = fr_mesh_create_capsule(RADIUS, 1.0 - 2.0 * RADIUS, 6, 12, FR_AXIS_Y, NULL, &g.mesh, error);
    }
    if (status == FR_OK) { status = fr_space_update(demo->space, NULL, error); }
    if (status == FR_OK) { status = grow(&g, error); }
    fr_mesh_release(g.mesh);
    if (status != FR_OK) { return status; }
    snprintf(demo->found, sizeof demo->found, "%u branches after %u looks; %u points found no room", g.branch_count,
             g.looks, g.stopped);
    radar_demo_add_figure(demo, "branches", g.branch_count);
    radar_demo_add_figure(demo, "looks", g.looks);
    radar_demo_add_figure(demo, "stopped", g.stopped);
    return FR_OK;
}
