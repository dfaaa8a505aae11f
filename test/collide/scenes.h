// Random scenes for the tests of collide: few faces, many ways to meet.
#ifndef FUREAI_TEST_COLLIDE_SCENES_H
#define FUREAI_TEST_COLLIDE_SCENES_H

#include "failing.h"
#include "mesh_object.h"

#include "fureai/collide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// What a scene is made of. Power-of-two scales, mirrors and permutations are exact changes: answers must follow them.
typedef struct scene_change {
    double scale;  // of all lengths, a power of two
    bool mirrored; // x becomes -x (quaternions turn with it), and triangles turn round
    bool swapped;  // the second object comes first
    bool permuted; // triangles come in reverse
} scene_change;

static const scene_change scene_as_it_is = {1.0, false, false, false};

enum { SCENE_MOST_TRIANGLES = 400, SCENE_MOST_OBJECTS = 6 };

typedef struct scene_soup {
    double positions[3 * SCENE_MOST_TRIANGLES * 3];
    uint32_t triangles[3 * SCENE_MOST_TRIANGLES];
    uint32_t vertex_count, triangle_count;
} scene_soup;

static inline fr_vec3 scene_point(fr_random *r, double reach) {
    double x = fr_random_between(r, -reach, reach), y = fr_random_between(r, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(r, -reach, reach));
}

// Coordinates that are multiples of 1/4: much touches exactly.
static inline fr_vec3 scene_grid_point(fr_random *r, int reach) {
    double c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = 0.25 * ((double)fr_random_below(r, (uint64_t)(8 * reach + 1)) - 4.0 * reach);
    }
    return fr_vec3_make(c[0], c[1], c[2]);
}

static inline void scene_take_mesh(const fr_mesh *mesh, scene_soup *out) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_true(view->triangle_count <= SCENE_MOST_TRIANGLES && view->vertex_count <= 3 * SCENE_MOST_TRIANGLES);
    out->vertex_count = view->vertex_count;
    out->triangle_count = view->triangle_count;
    for (size_t i = 0; i < 3 * (size_t)view->vertex_count; i++) {
        out->positions[i] =
            view->positions_double != NULL ? view->positions_double[i] : (double)view->positions_float[i];
    }
    memcpy(out->triangles, view->triangles, 3 * sizeof(uint32_t) * (size_t)view->triangle_count);
}

// A soup of any kind: spheres of 24 to 168 faces, boxes, triangles anywhere, triangles on a grid, degenerate ones.
static inline void scene_random_soup(fr_random *r, scene_soup *out) {
    uint64_t kind = fr_random_below(r, 6);
    if (kind < 3) {
        static const uint32_t stacks[] = {3, 4, 5, 7};
        uint32_t m = stacks[fr_random_below(r, 4)];
        fr_mesh *mesh;
        fr_vec3 size = {fr_random_below(r, 2) ? 1.0 : 0.5, 1.0, 2.0};
        fr_status made = kind == 2
                             ? fr_mesh_create_box(size, NULL, &mesh, NULL)
                             : fr_mesh_create_sphere(1.0, m, 2 * m, (fr_axis)fr_random_below(r, 3), NULL, &mesh, NULL);
        assert_int_equal(made, FR_OK);
        scene_take_mesh(mesh, out);
        fr_mesh_release(mesh);
    } else {
        out->triangle_count = 24 + (uint32_t)fr_random_below(r, 60);
        out->vertex_count = out->triangle_count + 2;
        for (uint32_t i = 0; i < out->vertex_count; i++) {
            fr_vec3 p = kind == 3 ? scene_point(r, 1.0) : scene_grid_point(r, 1);
            memcpy(out->positions + 3 * (size_t)i, &p, sizeof p);
        }
        for (uint32_t i = 0; i < 3 * out->triangle_count; i++) {
            out->triangles[i] = kind == 5 ? (uint32_t)fr_random_below(r, out->vertex_count) : i / 3 + i % 3;
        }
    }
    if (fr_random_below(r, 5) == 0) out->triangle_count -= out->triangle_count / 5; // open
    if (fr_random_below(r, 5) == 0) {                                               // inside out
        for (uint32_t t = 0; t < out->triangle_count; t++) {
            uint32_t swapped = out->triangles[3 * t];
            out->triangles[3 * t] = out->triangles[3 * t + 1];
            out->triangles[3 * t + 1] = swapped;
        }
    }
}

static inline fr_mesh *scene_mesh_of(const scene_soup *soup, const scene_change *change, bool keep_double) {
    static scene_soup changed;
    changed = *soup;
    for (uint32_t i = 0; i < 3 * soup->vertex_count; i++) {
        changed.positions[i] *= change->scale;
        if (change->mirrored && i % 3 == 0) { changed.positions[i] = -changed.positions[i]; }
    }
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        uint32_t from = change->permuted ? soup->triangle_count - 1 - t : t;
        for (uint32_t k = 0; k < 3; k++) {
            changed.triangles[3 * t + k] = soup->triangles[3 * from + (change->mirrored ? 2 - k : k)];
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = changed.positions;
    def.vertex_count = changed.vertex_count;
    def.triangles = changed.triangles;
    def.triangle_count = changed.triangle_count;
    def.is_double = keep_double;
    fr_mesh *mesh;
    fr_error error;
    if (fr_mesh_create(&def, &mesh, &error) != FR_OK) { fail_msg("%s", error.message); }
    return mesh;
}

static inline fr_pose scene_changed_pose(fr_pose pose, const scene_change *change) {
    pose.position = fr_vec3_scale(change->scale, pose.position);
    if (change->mirrored) { // the same turn seen in the mirror x -> -x
        pose.position.x = -pose.position.x;
        pose.rotation.y = -pose.rotation.y;
        pose.rotation.z = -pose.rotation.z;
    }
    return pose;
}

// A pose near the others, or one that makes things touch exactly.
static inline fr_pose scene_random_pose(fr_random *r, double spread, fr_vec3 offset) {
    fr_pose pose = fr_pose_identity();
    uint64_t kind = fr_random_below(r, 6);
    if (kind < 3) { pose.rotation = fr_quat_from_vector(scene_point(r, 3.0)); }
    if (kind == 3) { pose.rotation = (fr_quat){0.5, 0.5, 0.5, 0.5}; }
    pose.position = kind < 4 ? scene_point(r, spread) : scene_grid_point(r, 1);
    if (fr_random_below(r, 12) == 0) { pose.position = fr_vec3_make(0.0, 0.0, 0.0); }
    pose.position = fr_vec3_add(pose.position, offset);
    static const double scales[] = {1.0, 1.0, 1.0, 0.5, 2.0, 0.7, 1.3};
    pose.scale = scales[fr_random_below(r, 7)];
    return pose;
}

typedef struct scene_plan {
    uint32_t object_count;
    scene_soup soups[3];
    uint32_t soup_of[SCENE_MOST_OBJECTS][2];
    uint32_t part_count[SCENE_MOST_OBJECTS];
    fr_pose parts[SCENE_MOST_OBJECTS][2];
    fr_pose poses[SCENE_MOST_OBJECTS];
    uint32_t flags[SCENE_MOST_OBJECTS];
    bool keep_double;
    double unit; // lengths in the scene are about this large
} scene_plan;

// Everything about a scene that is random. `unit` scales poses and parts: 1e-3 .. 1e3.
static inline void scene_random_plan(fr_random *r, bool far_away, scene_plan *out) {
    static const double units[] = {1.0, 1.0, 1e-3, 1e3, 0x1p-10, 7.0};
    out->unit = units[fr_random_below(r, 6)];
    out->keep_double = fr_random_below(r, 2) == 0;
    out->object_count = 2 + (uint32_t)(fr_random_below(r, 4) == 0 ? fr_random_below(r, SCENE_MOST_OBJECTS - 1) : 0);
    fr_vec3 offset = fr_vec3_make(0.0, 0.0, 0.0);
    if (far_away) { offset = scene_point(r, 1e6); }
    for (int i = 0; i < 3; i++) {
        scene_random_soup(r, &out->soups[i]);
    }
    for (uint32_t i = 0; i < out->object_count; i++) {
        out->part_count[i] = fr_random_below(r, 4) == 0 ? 2 : 1;
        for (uint32_t k = 0; k < 2; k++) {
            out->soup_of[i][k] = (uint32_t)fr_random_below(r, 3);
            out->parts[i][k] = fr_pose_identity();
            if (fr_random_below(r, 3) == 0) {
                out->parts[i][k] = scene_random_pose(r, 1.0, fr_vec3_make(0.0, 0.0, 0.0));
                out->parts[i][k].position = fr_vec3_scale(out->unit, out->parts[i][k].position);
            }
        }
        out->poses[i] = scene_random_pose(r, 1.2, fr_vec3_make(0.0, 0.0, 0.0));
        out->poses[i].position = fr_vec3_add(fr_vec3_scale(out->unit, out->poses[i].position), offset);
        out->flags[i] = 0;
        if (fr_random_below(r, 12) == 0) { out->flags[i] |= FR_OBJECT_SELF; }
        if (fr_random_below(r, 12) == 0) { out->flags[i] |= FR_OBJECT_SENSOR; }
        if (fr_random_below(r, 8) == 0) { out->flags[i] |= FR_OBJECT_REAL; }
    }
    // Identical meshes in identical poses.
    if (fr_random_below(r, 20) == 0) {
        out->poses[1] = out->poses[0];
        out->part_count[1] = out->part_count[0];
        memcpy(out->soup_of[1], out->soup_of[0], sizeof out->soup_of[0]);
        memcpy(out->parts[1], out->parts[0], sizeof out->parts[0]);
    }
}

// The space of a plan. Destroy it with fr_space_destroy.
static inline fr_space *scene_build(const scene_plan *plan, const scene_change *change) {
    fr_space_def space_def = fr_default_space_def();
    space_def.origin = scene_changed_pose(plan->poses[0], change).position;
    fr_space *space;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_OK);
    fr_mesh *meshes[3];
    scene_change sized = *change;
    sized.scale *= plan->unit;
    for (int i = 0; i < 3; i++) {
        meshes[i] = scene_mesh_of(&plan->soups[i], &sized, plan->keep_double);
    }
    for (uint32_t n = 0; n < plan->object_count; n++) {
        uint32_t i = change->swapped && n < 2 ? 1 - n : n;
        fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
        for (uint32_t k = 0; k < 2; k++) {
            parts[k].mesh = meshes[plan->soup_of[i][k]];
            parts[k].pose = scene_changed_pose(plan->parts[i][k], change);
        }
        fr_object_def def = fr_default_object_def();
        def.parts = parts;
        def.part_count = plan->part_count[i];
        def.pose = scene_changed_pose(plan->poses[i], change);
        def.flags = plan->flags[i];
        fr_object_id id;
        fr_error error;
        if (fr_object_add(space, &def, &id, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
    for (int i = 0; i < 3; i++) {
        fr_mesh_release(meshes[i]);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

// Asks; the answer lives in the asker.
static inline fr_collide_output scene_ask(fr_collide *collide, const fr_collide_input *input) {
    fr_collide_output output;
    fr_error error;
    if (fr_collide_static(collide, input, &output, &error) != FR_OK) { fail_msg("%s", error.message); }
    return output;
}

static inline fr_collide *scene_asker(void) {
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    return collide;
}

static inline fr_collide_input scene_question(const fr_space *space, fr_collide_method method) {
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.method = method;
    return input;
}

// Sorted, each pair once, indices in order.
static inline void scene_check_order(const fr_collide_output *out) {
    for (size_t i = 0; i < out->pair_count; i++) {
        const fr_face_pair *p = &out->pairs[i];
        assert_true(p->a < p->b || (p->a == p->b && p->triangle_a < p->triangle_b) ||
                    (p->flags & FR_CONTACT_SELF) != 0);
        if (i == 0) { continue; }
        const fr_face_pair *before = p - 1;
        uint32_t now[4] = {p->a, p->b, p->triangle_a, p->triangle_b};
        uint32_t then[4] = {before->a, before->b, before->triangle_a, before->triangle_b};
        int k = 0;
        while (k < 4 && now[k] == then[k])
            k++;
        assert_true(k < 4 && now[k] > then[k]);
    }
}

static inline void scene_check_equal(const fr_collide_output *a, const fr_collide_output *b, const char *what,
                                     uint64_t seed) {
    if (a->pair_count != b->pair_count) {
        fail_msg("%s, scene %llu: %zu pairs, %zu expected", what, (unsigned long long)seed, a->pair_count,
                 b->pair_count);
    }
    if (a->pair_count > 0) { assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs); }
    assert_int_equal(a->object_pair_count, b->object_pair_count);
    for (size_t i = 0; i < a->object_pair_count; i++) {
        assert_int_equal(a->object_pairs[i].relation, b->object_pairs[i].relation);
        assert_int_equal(a->object_pairs[i].count, b->object_pairs[i].count);
    }
}

// A question to be asked of an asker whose memory may run out.
typedef struct scene_failing_question {
    fr_status (*ask)(fr_collide *asker, const fr_collide_input *input, fr_collide_output *out, fr_error *error);
    const fr_collide_input *input;
} scene_failing_question;

static inline fr_status scene_ask_new_asker(const fr_allocator *allocator, void *context) {
    const scene_failing_question *question = context;
    fr_collide *asker;
    fr_status status = fr_collide_create(allocator, &asker, NULL);
    if (status != FR_OK) { return status; }
    fr_collide_output out;
    status = question->ask(asker, question->input, &out, NULL);
    if (status != FR_OK) {
        assert_null(out.pairs);
        test_lift_and_compare(allocator);
        assert_int_equal(question->ask(asker, question->input, &out, NULL), FR_OK);
    }
    test_note(out.pairs, out.pair_count * sizeof *out.pairs);
    fr_collide_destroy(asker);
    return status;
}

static inline fr_task_pool *scene_pool(int workers) {
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = workers;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    return pool;
}

static inline fr_space *scene_space(void) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

static inline fr_object_id scene_add(fr_space *space, const fr_mesh *mesh, const fr_pose *pose, uint32_t flags) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = *pose;
    def.flags = flags;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    return id;
}

static inline fr_object_id scene_add_at(fr_space *space, const fr_mesh *mesh, fr_vec3 position, uint32_t flags) {
    fr_pose pose = fr_pose_make(position, fr_quat_identity());
    return scene_add(space, mesh, &pose, flags);
}

// Two spheres of one mesh about the middle of a cube of 16.
static inline fr_space *scene_two_spheres(const char *name, double distance) {
    fr_space *space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        scene_add_at(space, mesh, fr_vec3_make(8.0 + distance * i, 8.0, 8.0 + 0.1 * i), 0);
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

// Where a ball of a heap stands; the first two are large.
typedef fr_pose scene_place_fn(fr_random *r, int ball);

// Two large balls and `small` little ones about them, every seventh of which may meet itself.
static inline fr_space *scene_balls(uint32_t stacks, int small, scene_place_fn *place, uint64_t seed) {
    fr_space *space = scene_space();
    fr_mesh *meshes[2];
    assert_int_equal(fr_mesh_create_sphere(1.0, stacks, 2 * stacks, FR_AXIS_Y, NULL, &meshes[0], NULL), FR_OK);
    assert_int_equal(fr_mesh_create_sphere(0.3, 4, 8, FR_AXIS_X, NULL, &meshes[1], NULL), FR_OK);
    fr_random r = fr_random_seed(seed);
    for (int i = 0; i < small + 2; i++) {
        fr_pose pose = place(&r, i);
        scene_add(space, meshes[i < 2 ? 0 : 1], &pose, i % 7 == 5 ? FR_OBJECT_SELF : 0);
    }
    fr_mesh_release(meshes[0]);
    fr_mesh_release(meshes[1]);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

#endif
