// The hash of a mirror's content.
#include "protocol/mirror.h"

#include <string.h>

static uint64_t hash_u32(uint32_t value, uint64_t seed) {
    unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 24)};
    return fr_hash(bytes, sizeof bytes, seed);
}

static uint64_t hash_u32s(const uint32_t *values, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = hash_u32(values[i], seed);
    }
    return seed;
}

static uint64_t hash_floats(const float *values, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        seed = hash_u32(bits, seed);
    }
    return seed;
}

static uint64_t hash_pose(const fr_pose *pose, uint64_t seed) {
    double numbers[8] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z,
                         pose->position.x, pose->position.y, pose->position.z, pose->scale};
    for (size_t i = 0; i < 8; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        seed = hash_u32((uint32_t)bits, hash_u32((uint32_t)(bits >> 32), seed));
    }
    return seed;
}

// Hashes a mesh by its content; its number is the server's choice.
static uint64_t hash_mesh(const fr_mirror_mesh *mesh, uint64_t seed) {
    if (mesh == NULL || !mesh->is_whole) { return hash_u32(0, seed); }
    seed = hash_floats(mesh->positions, 3 * (size_t)mesh->vertex_count, seed);
    seed = hash_u32s(mesh->triangles, 3 * (size_t)mesh->triangle_count, seed);
    if (mesh->face_count > 0) { seed = hash_u32s(mesh->faces, mesh->triangle_count, seed); }
    size_t influences = (size_t)mesh->vertex_count * mesh->influence_count;
    seed = hash_u32s(mesh->bones, mesh->bone_count > 0 ? influences : 0, seed);
    return hash_floats(mesh->weights, mesh->bone_count > 0 ? influences : 0, seed);
}

uint64_t fr_mirror_hash(const fr_mirror *mirror) {
    const fr_mirror_view *view = &mirror->view;
    uint64_t hash = hash_u32(view->object_count, 0);
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_mirror_object *object = view->objects[i];
        hash = hash_u32(object->ref.generation, hash_u32(object->ref.index1, hash));
        hash = fr_hash(object->name, strlen(object->name), hash);
        hash = hash_u32(object->flags, hash_u32((uint32_t)object->hold, hash));
        unsigned char color[4] = {object->color.r, object->color.g, object->color.b, object->color.a};
        hash = hash_pose(&object->pose, fr_hash(color, sizeof color, hash));
        for (uint32_t k = 0; k < object->part_count; k++) {
            hash = hash_mesh(fr_mirror_mesh_of(mirror, object->parts[k].mesh), hash_pose(&object->parts[k].pose, hash));
        }
        for (uint32_t k = 0; k < object->bone_count; k++) {
            hash = hash_pose(&object->bones[k], hash);
        }
        hash = hash_floats(object->vertices, 3 * (size_t)object->vertex_count, hash);
    }
    return hash;
}
