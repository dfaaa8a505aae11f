// An L of two bars that has to go through a square window in a wall: the rivals' own problem (1.7, 1.4 and 1.0 wide).
#ifndef FUREAI_TEST_PLAN_WINDOW_H
#define FUREAI_TEST_PLAN_WINDOW_H

#include "failing.h"
#include "mesh_object.h"

#include "fureai/plan.h"

#include <stdlib.h>

// A mesh that grows by boxes whose sides are cut into squares.
typedef struct window_mesh {
    double positions[3 * 8192];
    uint32_t triangles[3 * 8192];
    uint32_t vertex_count, triangle_count;
} window_mesh;

static inline void window_add_box(window_mesh *m, const double low[3], const double high[3], uint32_t cuts) {
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        uint32_t base = m->vertex_count;
        for (uint32_t i = 0; i <= cuts; i++) {
            for (uint32_t j = 0; j <= cuts; j++) {
                double *p = m->positions + 3 * (size_t)m->vertex_count++;
                p[axis] = side % 2 != 0 ? high[axis] : low[axis];
                p[u] = low[u] + (high[u] - low[u]) * i / cuts;
                p[v] = low[v] + (high[v] - low[v]) * j / cuts;
            }
        }
        for (uint32_t i = 0; i < cuts * cuts; i++) {
            uint32_t a = base + i / cuts * (cuts + 1) + i % cuts, b = a + cuts + 1, swap = side % 2 != 0 ? 0u : 1u;
            uint32_t *t = m->triangles + 3 * (size_t)m->triangle_count;
            const uint32_t corners[6] = {a, swap ? b + 1 : b,     swap ? b : b + 1,
                                         a, swap ? a + 1 : b + 1, swap ? b + 1 : a + 1};
            for (int k = 0; k < 6; k++) {
                t[k] = corners[k];
            }
            m->triangle_count += 2;
        }
    }
}

static inline fr_mesh *window_finish(const window_mesh *m) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = m->positions;
    def.vertex_count = m->vertex_count;
    def.triangles = m->triangles;
    def.triangle_count = m->triangle_count;
    def.is_double = true;
    fr_mesh *mesh = NULL;
    (void)fr_mesh_create(&def, &mesh, NULL);
    return mesh;
}

// The L: bars of 2.0 and 1.2 with a side of 0.4, 384 triangles.
static inline fr_mesh *window_robot(void) {
    window_mesh *m = calloc(1, sizeof *m);
    const double low[2][3] = {{-0.6, -0.4, -0.2}, {-0.6, 0.0, -0.2}}, high[2][3] = {{1.4, 0.0, 0.2}, {-0.2, 0.8, 0.2}};
    window_add_box(m, low[0], high[0], 4);
    window_add_box(m, low[1], high[1], 4);
    fr_mesh *mesh = window_finish(m);
    free(m);
    return mesh;
}

// The wall across x = 0, 14 wide and high, 0.3 thick, with the window in its middle: 1728 triangles.
static inline fr_mesh *window_wall(double side) {
    window_mesh *m = calloc(1, sizeof *m);
    const double w = side / 2.0, b = 7.0, t = 0.15;
    const double low[4][3] = {{-t, -b, -b}, {-t, -b, w}, {-t, -b, -w}, {-t, w, -w}};
    const double high[4][3] = {{t, b, -w}, {t, b, b}, {t, -w, w}, {t, b, w}};
    for (int i = 0; i < 4; i++) {
        window_add_box(m, low[i], high[i], 6);
    }
    fr_mesh *mesh = window_finish(m);
    free(m);
    return mesh;
}

typedef struct window_problem {
    fr_space *space;
    fr_object_id wall;
    fr_mesh *robot;
    fr_part_def part;
    fr_path_input input; // refers to `part`
} window_problem;

static inline fr_object_id window_put(fr_space *space, fr_mesh *mesh, fr_vec3 position) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position = position;
    fr_object_id id = {0};
    (void)fr_object_add(space, &def, &id, NULL);
    fr_mesh_release(mesh);
    return id;
}

static inline void window_open(double side, window_problem *out) {
    fr_space_def def = fr_default_space_def();
    (void)fr_space_create(&def, &out->space, NULL);
    out->wall = window_put(out->space, window_wall(side), fr_vec3_make(0.0, 0.0, 0.0));
    (void)fr_space_update(out->space, NULL, NULL);
    out->robot = window_robot();
    out->part = fr_default_part_def();
    out->part.mesh = out->robot;
    out->input = fr_default_path_input();
    out->input.space = out->space;
    out->input.parts = &out->part;
    out->input.part_count = 1;
    out->input.start.position = fr_vec3_make(-3.0, 0.5, -0.5);
    out->input.goal.position = fr_vec3_make(3.0, -0.5, 0.5);
    out->input.goal.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 1.0);
    out->input.bounds = (fr_bounds){fr_vec3_make(-4.0, -4.0, -4.0), fr_vec3_make(4.0, 4.0, 4.0)};
}

static inline void window_close(window_problem *problem) {
    fr_space_destroy(problem->space);
    fr_mesh_release(problem->robot);
}

// Plans the query that `context` is with an allocator, for failures of memory.
static inline fr_status window_find(const fr_allocator *allocator, void *context) {
    fr_path_input q = *(const fr_path_input *)context;
    q.allocator = *allocator;
    fr_path path;
    fr_status status = fr_plan_path(&q, &path, NULL);
    if (status == FR_OK) { test_note(path.states, path.state_count * sizeof *path.states); }
    fr_path_destroy(&path);
    return status;
}

#endif
