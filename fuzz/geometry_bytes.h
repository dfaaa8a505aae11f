// Bytes as numbers, meshes and poses: mostly small whole numbers and eighths, so that much touches.
#ifndef FUREAI_FUZZ_GEOMETRY_BYTES_H
#define FUREAI_FUZZ_GEOMETRY_BYTES_H

#include "fureai/space.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TRIANGLES = 8, MAX_VERTICES = 12 };

static inline void require(bool holds) {
    if (!holds) { abort(); }
}

// Bytes as they come; zeros beyond their end.
typedef struct source {
    const uint8_t *data;
    size_t left;
} source;

static inline uint32_t take(source *s) {
    if (s->left == 0) { return 0; }
    s->left--;
    return *s->data++;
}

// Mostly small whole numbers and eighths, so that much touches; sometimes any double of a reasonable size.
static inline double take_number(source *s) {
    uint32_t kind = take(s);
    double value = ((double)take(s) - 128.0) / 16.0;
    if (kind >= 200) { value += ((double)take(s) - 128.0) * 0x1p-30; }
    if (kind >= 240) { value = ldexp(value, (int)(take(s) % 60) - 30); }
    return value;
}

static inline fr_mesh *take_mesh(source *s) {
    double positions[3 * MAX_VERTICES];
    uint32_t triangles[3 * MAX_TRIANGLES];
    uint32_t triangle_count = 1 + take(s) % MAX_TRIANGLES, vertex_count = 1 + take(s) % MAX_VERTICES;
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

static inline fr_pose take_pose(source *s) {
    fr_pose pose = fr_pose_identity();
    uint32_t kind = take(s);
    pose.position = fr_vec3_make(take_number(s), take_number(s), take_number(s));
    if (kind % 3 == 1) { pose.rotation = (fr_quat){0.5, 0.5, -0.5, 0.5}; }
    if (kind % 3 == 2) {
        fr_vec3 turn = fr_vec3_make(take_number(s), 0.3, take_number(s));
        if (fr_vec3_length(turn) <= FR_TURN_MAX) { pose.rotation = fr_quat_from_vector(turn); }
    }
    if (kind > 200) { pose.scale = ldexp(1.0 + take(s) / 256.0, (int)(take(s) % 8) - 4); }
    return pose;
}

static inline fr_object_id add_object(fr_space *space, const fr_mesh *mesh, source *s) {
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
    return id;
}

#endif
