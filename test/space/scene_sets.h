// Random spaces for the tests of this folder, and the brute force they are compared with.
#ifndef FUREAI_TEST_SCENE_SETS_H
#define FUREAI_TEST_SCENE_SETS_H

#include "mesh_object.h"

#include "fureai/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_MESHES 6

typedef struct scene {
    fr_space *space;
    fr_mesh *meshes[SCENE_MESHES];
    fr_random random;
    double offset; // of everything along x
    double spread; // places are within this
} scene;

static inline double scene_between(scene *s, double low, double high) {
    return fr_random_between(&s->random, low, high);
}

static inline uint32_t scene_below(scene *s, uint32_t count) { return (uint32_t)fr_random_below(&s->random, count); }

static inline fr_vec3 scene_direction(scene *s) {
    double x = scene_between(s, -1, 1), y = scene_between(s, -1, 1), z = scene_between(s, -1, 1);
    return fr_vec3_make(x, y, z);
}

static inline fr_vec3 scene_point(scene *s) {
    fr_vec3 point = fr_vec3_scale(s->spread, scene_direction(s));
    point.x += s->offset;
    return point;
}

static inline fr_quat scene_rotation(scene *s) {
    // Often none, so that boxes and triangles touch exactly.
    if (scene_below(s, 3) == 0) { return fr_quat_identity(); }
    return fr_quat_from_vector(fr_vec3_scale(3.0, scene_direction(s)));
}

static inline fr_pose scene_pose(scene *s) {
    fr_pose pose = fr_pose_make(scene_point(s), scene_rotation(s));
    if (scene_below(s, 2) == 0) { pose.scale = scene_between(s, 0.3, 2.0); }
    if (scene_below(s, 4) == 0) {
        pose.position.x = s->offset + rint(pose.position.x - s->offset);
        pose.position.y = rint(pose.position.y);
        pose.position.z = rint(pose.position.z);
    }
    return pose;
}

// Closed, rounded, a box along the axes, an open sheet of doubles, and triangles without area.
static inline fr_mesh *scene_sheet(void) {
    static const double points[] = {0, 0, 0, 1.1, 0, 0, 1, 1, 0.25, 0, 1, 0, 2, 0.5, 0, 2, 0.5, 0};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 2, 4, 3, 3, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = 5;
    def.is_double = true;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

static inline void scene_open(scene *s, uint64_t seed, double spread, double offset, const fr_allocator *allocator) {
    memset(s, 0, sizeof *s);
    s->random = fr_random_seed(seed);
    s->spread = spread;
    s->offset = offset;
    static const char *const names[SCENE_MESHES - 1] = {"sphere_24", "box", "sphere_80", "sphere:3x5", "cone"};
    for (int i = 0; i < SCENE_MESHES - 1; i++) {
        assert_int_equal(fr_mesh_create_named(names[i], NULL, &s->meshes[i], NULL), FR_OK);
    }
    s->meshes[SCENE_MESHES - 1] = scene_sheet();
    fr_space_def def = fr_default_space_def();
    if (allocator != NULL) { def.allocator = *allocator; }
    if (scene_below(s, 2) == 0) { def.origin.x = offset; }
    assert_int_equal(fr_space_create(&def, &s->space, NULL), FR_OK);
}

static inline void scene_close(scene *s) {
    fr_space_destroy(s->space);
    for (int i = 0; i < SCENE_MESHES; i++) {
        fr_mesh_release(s->meshes[i]);
    }
}

static inline uint32_t scene_flags(scene *s) {
    uint32_t flags = 0;
    if (scene_below(s, 3) == 0) { flags |= FR_OBJECT_STATIC; }
    if (scene_below(s, 5) == 0) { flags |= FR_OBJECT_SELF; }
    if (scene_below(s, 5) == 0) { flags |= FR_OBJECT_SENSOR; }
    if (scene_below(s, 8) == 0) { flags |= FR_OBJECT_GHOST; }
    return flags;
}

static inline fr_filter scene_filter(scene *s) {
    fr_filter filter = {1, UINT32_MAX, 0};
    if (scene_below(s, 3) != 0) { return filter; }
    filter.layers = 1u << scene_below(s, 3);
    filter.mask = scene_below(s, 8);
    filter.group = (int32_t)scene_below(s, 5) - 2;
    return filter;
}

// A cube of edge 2 scale around a position.
static inline fr_object_id scene_add_cube(scene *s, fr_vec3 position, double scale, uint32_t flags) {
    fr_mesh *cube = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &cube, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(cube, &part);
    def.pose.position = position;
    def.pose.scale = scale;
    def.flags = flags;
    fr_object_id id;
    assert_int_equal(fr_object_add(s->space, &def, &id, NULL), FR_OK);
    fr_mesh_release(cube);
    return id;
}

// One object of one to three parts; mostly of one where `simple` is set.
static inline fr_object_id scene_add(scene *s, bool simple) {
    fr_part_def parts[3];
    uint32_t count = simple ? 1 : 1 + scene_below(s, 3);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = fr_default_part_def();
        parts[i].mesh = s->meshes[scene_below(s, SCENE_MESHES)];
        if (scene_below(s, 2) == 0) { continue; }
        parts[i].pose = fr_pose_make(scene_direction(s), scene_rotation(s));
        parts[i].pose.scale = scene_between(s, 0.5, 1.5);
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = count;
    def.pose = scene_pose(s);
    def.pivot_local = scene_direction(s);
    def.flags = simple ? 0 : scene_flags(s);
    if (!simple) { def.filter = scene_filter(s); }
    fr_object_id id;
    fr_error error = {0};
    if (fr_object_add(s->space, &def, &id, &error) != FR_OK) { fail_msg("%s", error.message); }
    return id;
}

static inline void scene_fill(scene *s, uint32_t count, bool simple) {
    for (uint32_t i = 0; i < count; i++) {
        (void)scene_add(s, simple);
    }
}

// An object that is there, or all zeros in an empty space.
static inline fr_object_id scene_any(scene *s) {
    fr_object_id none = {0, 0, 0};
    if (fr_space_object_count(s->space) == 0) { return none; }
    for (;;) {
        fr_object_id id = fr_space_object_at(s->space, scene_below(s, fr_space_object_places(s->space)));
        if (id.index1 != 0) { return id; }
    }
}

// fr_object_set_vertices or fr_object_set_next_vertices.
typedef fr_status scene_set_vertices_fn(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                        fr_error *error);

// New vertices near those of the meshes.
static inline void scene_deform_by(scene *s, fr_object_id id, scene_set_vertices_fn *set) {
    const fr_object_view *view = fr_object_get(s->space, id);
    fr_vec3 *vertices = malloc(view->vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    for (uint32_t part = 0; part < view->part_count; part++) {
        fr_part_view p = fr_object_part(s->space, id, part);
        const fr_mesh_view *mesh = fr_mesh_get(p.mesh);
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            fr_vec3 v;
            if (mesh->positions_double != NULL) {
                v = fr_vec3_make(mesh->positions_double[3 * i], mesh->positions_double[3 * i + 1],
                                 mesh->positions_double[3 * i + 2]);
            } else {
                v = fr_vec3_make((double)mesh->positions_float[3 * i], (double)mesh->positions_float[3 * i + 1],
                                 (double)mesh->positions_float[3 * i + 2]);
            }
            vertices[p.first_vertex + i] = fr_vec3_add_scaled(v, 0.2, scene_direction(s));
        }
    }
    assert_int_equal(set(s->space, id, vertices, view->vertex_count, NULL), FR_OK);
    free(vertices);
}

static inline void scene_deform(scene *s, fr_object_id id) { scene_deform_by(s, id, fr_object_set_vertices); }

#define SCENE_BONES 3

// A skin of a mesh: each vertex follows one to three bones.
static inline fr_skin *scene_skin(scene *s, const fr_mesh *mesh) {
    uint32_t count = fr_mesh_get(mesh)->vertex_count;
    uint32_t *bones = calloc(SCENE_BONES * (size_t)count, sizeof *bones);
    float *weights = calloc(SCENE_BONES * (size_t)count, sizeof *weights);
    assert_true(bones != NULL && weights != NULL);
    for (uint32_t i = 0; i < SCENE_BONES * count; i++) {
        bones[i] = i % SCENE_BONES;
    }
    for (uint32_t i = 0; i < count; i++) {
        double first = scene_below(s, 3) == 0 ? 1.0 : scene_between(s, 0, 1), second = scene_between(s, 0, 1.0 - first);
        weights[SCENE_BONES * i] = (float)first;
        weights[SCENE_BONES * i + 1] = (float)second;
        weights[SCENE_BONES * i + 2] = (float)(1.0 - first - second);
    }
    double inverse[12 * SCENE_BONES] = {0};
    for (int i = 0; i < SCENE_BONES; i++) {
        inverse[12 * i] = inverse[12 * i + 5] = inverse[12 * i + 10] = 1.0;
        inverse[12 * i + 7] = 0.5 * i;
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = def.bone_count = SCENE_BONES;
    def.inverse_binds = inverse;
    fr_skin *skin = NULL;
    fr_error error = {0};
    if (fr_skin_create(&def, &skin, &error) != FR_OK) { fail_msg("%s", error.message); }
    free(bones);
    free(weights);
    return skin;
}

static inline void scene_bones(scene *s, fr_pose bones[SCENE_BONES]) {
    for (int i = 0; i < SCENE_BONES; i++) {
        fr_vec3 position = fr_vec3_add_scaled(fr_vec3_make(0, -0.5 * i, 0), 0.3, scene_direction(s));
        bones[i] = fr_pose_make(position, fr_quat_from_vector(scene_direction(s)));
        if (scene_below(s, 4) == 0) { bones[i].scale = scene_between(s, 0.7, 1.4); }
    }
}

// Gives the first part that may have one a skin; none to an object that was deformed.
static inline void scene_dress(scene *s, fr_object_id id) {
    const fr_object_view *view = fr_object_get(s->space, id);
    const fr_pose identity = fr_pose_identity();
    for (uint32_t i = 0; i < view->part_count && view->vertices == NULL && view->bones == NULL; i++) {
        fr_part_view part = fr_object_part(s->space, id, i);
        if (part.skin != NULL || memcmp(&part.pose, &identity, sizeof identity) != 0) { continue; }
        fr_skin *skin = scene_skin(s, part.mesh);
        fr_skin_method method = scene_below(s, 2) == 0 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS;
        fr_status status = fr_object_set_skin(s->space, id, i, skin, method, NULL);
        assert_true(status == FR_OK || view->next_bones != NULL);
        fr_skin_release(skin);
        return;
    }
}

static inline void scene_update(scene *s) {
    fr_error error = {0};
    if (fr_space_update(s->space, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static inline void scene_validate(const scene *s) {
    fr_error error = {0};
    if (!fr_space_validate(s->space, &error)) { fail_msg("%s", error.message); }
}

// A function for every triangle of the space that a filter lets pass, lowest object and triangle first.
typedef void scene_triangle_fn(fr_object_id id, uint32_t triangle, const fr_vec3 corners[3], void *context);

static inline bool scene_passes(const scene *s, const fr_query_filter *filter, fr_object_id id) {
    const fr_object_view *view = fr_object_get(s->space, id);
    if ((view->flags & FR_OBJECT_GHOST) != 0) { return false; }
    if (filter == NULL) { return true; }
    if ((view->filter.layers & filter->mask) == 0) { return false; }
    if (fr_object_id_equal(id, filter->ignore)) { return false; }
    if (filter->as_object.index1 != 0) {
        const fr_object_view *self = fr_object_get(s->space, filter->as_object);
        bool is_out = self == view || (view->flags & FR_OBJECT_SENSOR) != 0;
        if (is_out || !fr_filter_meets(&self->filter, &view->filter)) { return false; }
    }
    fr_object_id none = {0, 0, 0};
    return filter->accept == NULL || filter->accept(s->space, id, none, filter->context);
}

static inline void scene_each_triangle(const scene *s, const fr_query_filter *filter, scene_triangle_fn *fn,
                                       void *context) {
    for (uint32_t i = 0; i < fr_space_object_places(s->space); i++) {
        fr_object_id id = fr_space_object_at(s->space, i);
        if (id.index1 == 0 || !scene_passes(s, filter, id)) { continue; }
        uint32_t count = fr_object_get(s->space, id)->triangle_count;
        for (uint32_t t = 0; t < count; t++) {
            fr_vec3 corners[3];
            assert_int_equal(fr_object_corners(s->space, id, t, corners, NULL), FR_OK);
            fn(id, t, corners, context);
        }
    }
}

static bool scene_accept_even(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    (void)b;
    (void)context;
    return a.index1 % 2 == 0;
}

// NULL, layers, one ignored, a function, or as if an object made the query.
static inline const fr_query_filter *scene_random_filter(scene *s, fr_query_filter *filter) {
    *filter = fr_default_query_filter();
    switch (scene_below(s, 5)) {
    case 0: filter->mask = scene_below(s, 8); break;
    case 1: filter->ignore = scene_any(s); break;
    case 2: filter->accept = scene_accept_even; break;
    case 3: filter->as_object = scene_any(s); break;
    default: return NULL;
    }
    return filter;
}

// Scenes for comparisons with brute force: crowded ones and others, a third of them far from the origin, an object of
// each deformed. Each is compared `times` times.
typedef struct scene_trial {
    uint64_t seed, scenes;
    double reach[2]; // of scenes by turns
    uint32_t objects;
    int times;
    void (*compare)(scene *s, int time);
} scene_trial;

static inline void scene_compare(const scene_trial *trial) {
    static const double offsets[] = {0, 1e6, 0};
    for (uint64_t i = 0; i < trial->scenes; i++) {
        scene s;
        scene_open(&s, trial->seed + i, trial->reach[i % 2], offsets[i % 3], NULL);
        scene_fill(&s, trial->objects, i % 4 == 0);
        scene_deform(&s, scene_any(&s));
        scene_update(&s);
        for (int k = 0; k < trial->times; k++) {
            trial->compare(&s, k);
        }
        scene_close(&s);
    }
}

#endif
