// Any bytes as a scene of two meshes and their poses: the tree, the face octree and brute force find the same.
#include "fureai/collide.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TRIANGLES = 8, MOST_VERTICES = 12, OCTREE_DEPTH = 4 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

// Bytes as they come; zeros beyond their end.
typedef struct source {
    const uint8_t *data;
    size_t left;
} source;

static uint32_t take(source *s) {
    if (s->left == 0) { return 0; }
    s->left--;
    return *s->data++;
}

// Mostly small whole numbers and eighths, so that much touches; sometimes any double of a reasonable size.
static double take_number(source *s) {
    uint32_t kind = take(s);
    double value = ((double)take(s) - 128.0) / 16.0;
    if (kind >= 200) { value += ((double)take(s) - 128.0) * 0x1p-30; }
    if (kind >= 240) { value = ldexp(value, (int)(take(s) % 60) - 30); }
    return value;
}

static fr_mesh *take_mesh(source *s) {
    double positions[3 * MOST_VERTICES];
    uint32_t triangles[3 * MOST_TRIANGLES];
    uint32_t triangle_count = 1 + take(s) % MOST_TRIANGLES, vertex_count = 1 + take(s) % MOST_VERTICES;
    for (uint32_t i = 0; i < 3 * vertex_count; i++) {
        positions[i] = take_number(s);
    }
    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        triangles[i] = take(s) % vertex_count;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    def.is_double = take(s) % 2 == 0;
    fr_mesh *mesh;
    require(fr_mesh_create(&def, &mesh, NULL) == FR_OK);
    return mesh;
}

static fr_pose take_pose(source *s) {
    fr_pose pose = fr_pose_identity();
    uint32_t kind = take(s);
    pose.position = fr_vec3_make(take_number(s), take_number(s), take_number(s));
    if (kind % 3 == 1) { pose.rotation = (fr_quat){0.5, 0.5, -0.5, 0.5}; }
    if (kind % 3 == 2) { pose.rotation = fr_quat_from_vector(fr_vec3_make(take_number(s), 0.3, take_number(s))); }
    if (kind > 200) { pose.scale = ldexp(1.0 + take(s) / 256.0, (int)(take(s) % 8) - 4); }
    return pose;
}

static void add(fr_space *space, const fr_mesh *mesh, source *s) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    if (take(s) % 4 == 0) { part.pose = take_pose(s); }
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = take_pose(s);
    if (take(s) % 4 == 0) { def.flags = FR_OBJECT_SELF; }
    fr_object_id id;
    require(fr_object_add(space, &def, &id, NULL) == FR_OK);
}

static void compare(const fr_space *space, double margin) {
    static const fr_collide_method methods[3] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE};
    fr_collide *askers[3];
    fr_collide_output out[3];
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        input.method = methods[i];
        input.margin = margin;
        input.octree_depth = OCTREE_DEPTH;
        input.want = FR_WANT_CONTACTS;
        input.is_containment_wanted = true;
        require(fr_collide_create(NULL, &askers[i], NULL) == FR_OK);
        require(fr_collide_static(askers[i], &input, &out[i], NULL) == FR_OK);
        require(out[i].pair_count == out[0].pair_count && out[i].object_pair_count == out[0].object_pair_count);
        size_t bytes = out[i].pair_count * sizeof *out[i].pairs;
        require(bytes == 0 || memcmp(out[i].pairs, out[0].pairs, bytes) == 0);
    }
    for (int i = 0; i < 3; i++) {
        fr_collide_destroy(askers[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    source s = {data, size};
    fr_mesh *meshes[2] = {take_mesh(&s), take_mesh(&s)};
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    require(fr_space_create(&def, &space, NULL) == FR_OK);
    uint32_t count = 2 + take(&s) % 3;
    for (uint32_t i = 0; i < count; i++) {
        add(space, meshes[i % 2], &s);
    }
    require(fr_space_update(space, NULL, NULL) == FR_OK);
    compare(space, take(&s) % 4 == 0 ? fabs(take_number(&s)) : 0.0);
    fr_space_destroy(space);
    fr_mesh_release(meshes[0]);
    fr_mesh_release(meshes[1]);
    return 0;
}
