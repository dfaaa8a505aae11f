// The meshes of a mirror: announced, then received piece by piece. Memory is allocated for received data, not for
// announced data.
#include "protocol/mirror.h"

#include <string.h>

// How many elements an array of `had` has after a piece: no gap, and no more than `limit`.
static fr_status end_of_piece(size_t had, uint64_t first, uint64_t count, uint64_t limit, size_t *end,
                              fr_error *error) {
    if (first > had || count > limit || first > limit - count) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "a piece of %llu at %llu, where %zu came and %llu are due",
                            (unsigned long long)count, (unsigned long long)first, had, (unsigned long long)limit);
    }
    size_t reached = (size_t)(first + count);
    *end = reached > had ? reached : had;
    return FR_OK;
}

static fr_status no_memory_for_piece(uint64_t count, fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a piece of %llu", (unsigned long long)count);
}

fr_status fr__mirror_place_floats(fr_float_array *array, uint64_t first, const float *piece, uint64_t count,
                                  uint64_t limit, fr_error *error) {
    size_t end = 0;
    fr_status status = end_of_piece(array->count, first, count, limit, &end, error);
    if (status != FR_OK) { return status; }
    if (fr_float_array_push(array, end - array->count) == NULL) { return no_memory_for_piece(count, error); }
    if (count > 0) { memcpy(array->data + first, piece, (size_t)count * sizeof *piece); }
    return FR_OK;
}

static fr_status place_numbers(fr_uint32_array *array, uint64_t first, const uint32_t *piece, uint64_t count,
                               uint64_t limit, fr_error *error) {
    size_t end = 0;
    fr_status status = end_of_piece(array->count, first, count, limit, &end, error);
    if (status != FR_OK) { return status; }
    if (fr_uint32_array_push(array, end - array->count) == NULL) { return no_memory_for_piece(count, error); }
    if (count > 0) { memcpy(array->data + first, piece, (size_t)count * sizeof *piece); }
    return FR_OK;
}

void fr__mirror_mesh_destroy(fr_mirror *mirror, fr__mirror_mesh *mesh) {
    if (mesh == NULL) { return; }
    fr_float_array_destroy(&mesh->positions);
    fr_uint32_array_destroy(&mesh->triangles);
    fr_uint32_array_destroy(&mesh->faces);
    fr_uint32_array_destroy(&mesh->parents);
    fr_uint32_array_destroy(&mesh->bones);
    fr_float_array_destroy(&mesh->inverse_binds);
    fr_float_array_destroy(&mesh->weights);
    fr_deallocate(&mirror->allocator, mesh, 1, sizeof *mesh);
}

fr_status fr__mirror_take_mesh(fr_mirror *mirror, const fr_message_mesh *received, fr_error *error) {
    if (received->mesh == 0) { return fr_error_set(error, FR_ERROR_CORRUPT, "mesh 0; they count from 1"); }
    bool has_skin = received->bone_count > 0;
    if (received->bone_count > FR_SKIN_MAX_BONES || received->influence_count > FR_SKIN_MAX_INFLUENCES ||
        has_skin != (received->influence_count > 0)) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "a skin of %u bones with %u a vertex", received->bone_count,
                            received->influence_count);
    }
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) {
        mesh = fr_allocate(&mirror->allocator, 1, sizeof *mesh, _Alignof(fr__mirror_mesh));
        if (mesh == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mesh"); }
        memset(mesh, 0, sizeof *mesh);
        mesh->view.number = received->mesh;
        mesh->positions = fr_float_array_make(&mirror->allocator);
        mesh->triangles = fr_uint32_array_make(&mirror->allocator);
        mesh->faces = fr_uint32_array_make(&mirror->allocator);
        mesh->parents = fr_uint32_array_make(&mirror->allocator);
        mesh->bones = fr_uint32_array_make(&mirror->allocator);
        mesh->inverse_binds = fr_float_array_make(&mirror->allocator);
        mesh->weights = fr_float_array_make(&mirror->allocator);
        if (!fr__shelf_insert(&mirror->meshes, mesh)) {
            fr__mirror_mesh_destroy(mirror, mesh);
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mesh");
        }
    }

    // A mesh that is announced again begins from scratch.
    mesh->positions.count = mesh->triangles.count = mesh->faces.count = 0;
    mesh->parents.count = mesh->bones.count = mesh->inverse_binds.count = mesh->weights.count = 0;
    mesh->view =
        (fr_mirror_mesh){.number = received->mesh,
                         .vertex_count = received->vertex_count,
                         .triangle_count = received->triangle_count,
                         .face_count = received->face_count,
                         .bone_count = received->bone_count,
                         .influence_count = has_skin ? received->influence_count : 0,
                         .method = received->blend == 1 ? FR_SKIN_DUAL_QUATERNIONS : FR_SKIN_LINEAR,
                         .is_whole = received->vertex_count == 0 && received->triangle_count == 0 && !has_skin};
    return FR_OK;
}

static uint64_t influences_of(const fr_mirror_mesh *mesh) {
    return (uint64_t)mesh->vertex_count * mesh->influence_count;
}

static void show(fr__mirror_mesh *mesh) {
    fr_mirror_mesh *view = &mesh->view;
    view->positions = mesh->positions.data;
    view->triangles = mesh->triangles.data;
    view->faces = mesh->faces.data;
    view->parents = mesh->parents.data;
    view->inverse_binds = mesh->inverse_binds.data;
    view->bones = mesh->bones.data;
    view->weights = mesh->weights.data;
    view->is_whole = mesh->positions.count == 3 * (size_t)view->vertex_count &&
                     mesh->triangles.count == 3 * (size_t)view->triangle_count &&
                     (view->face_count == 0 || mesh->faces.count == view->triangle_count) &&
                     mesh->parents.count == view->bone_count &&
                     mesh->inverse_binds.count == 12 * (size_t)view->bone_count &&
                     mesh->bones.count == influences_of(view) && mesh->weights.count == influences_of(view);
}

fr_status fr__mirror_take_mesh_vertices(fr_mirror *mirror, const fr_message_mesh_vertices *received, fr_error *error) {
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) { return FR_OK; }
    fr_status status = fr__mirror_place_floats(&mesh->positions, 3 * (uint64_t)received->first, received->xyz,
                                               received->xyz_count, 3 * (uint64_t)mesh->view.vertex_count, error);
    show(mesh);
    return status;
}

static fr_status check_below(const uint32_t *numbers, uint32_t count, uint32_t limit, fr_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] >= limit) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "a mesh of %u vertices or faces names number %u", limit,
                                numbers[i]);
        }
    }
    return FR_OK;
}

fr_status fr__mirror_take_mesh_triangles(fr_mirror *mirror, const fr_message_mesh_triangles *received,
                                         fr_error *error) {
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) { return FR_OK; }
    fr_status status = check_below(received->corners, received->corner_count, mesh->view.vertex_count, error);
    if (status != FR_OK) { return status; }
    status = place_numbers(&mesh->triangles, 3 * (uint64_t)received->first, received->corners, received->corner_count,
                           3 * (uint64_t)mesh->view.triangle_count, error);
    show(mesh);
    return status;
}

fr_status fr__mirror_take_mesh_faces(fr_mirror *mirror, const fr_message_mesh_faces *received, fr_error *error) {
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) { return FR_OK; }
    fr_status status = check_below(received->faces, received->face_count, mesh->view.face_count, error);
    if (status != FR_OK) { return status; }
    status = place_numbers(&mesh->faces, received->first, received->faces, received->face_count,
                           mesh->view.triangle_count, error);
    show(mesh);
    return status;
}

fr_status fr__mirror_take_mesh_bones(fr_mirror *mirror, const fr_message_mesh_bones *received, fr_error *error) {
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) { return FR_OK; }
    uint64_t bones = mesh->view.bone_count;
    if (received->number_count != 12 * (uint64_t)received->parent_count) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "%u parents beside %u numbers of inverse binds",
                            received->parent_count, received->number_count);
    }
    size_t parents = mesh->parents.count;
    fr_status status =
        place_numbers(&mesh->parents, received->first, received->parents, received->parent_count, bones, error);
    if (status == FR_OK) {
        status = fr__mirror_place_floats(&mesh->inverse_binds, 12 * (uint64_t)received->first, received->inverse_binds,
                                         received->number_count, 12 * bones, error);
    }
    if (status != FR_OK) { mesh->parents.count = parents; }
    show(mesh);
    return status;
}

fr_status fr__mirror_take_mesh_weights(fr_mirror *mirror, const fr_message_mesh_weights *received, fr_error *error) {
    fr__mirror_mesh *mesh = fr__shelf_find(&mirror->meshes, received->mesh);
    if (mesh == NULL) { return FR_OK; }
    uint64_t influences = influences_of(&mesh->view);
    fr_status status = check_below(received->bones, received->bone_count, mesh->view.bone_count, error);
    if (status == FR_OK && received->weight_count != received->bone_count) {
        status = fr_error_set(error, FR_ERROR_CORRUPT, "%u weights for %u bones", received->weight_count,
                              received->bone_count);
    }
    if (status != FR_OK) { return status; }
    size_t bones = mesh->bones.count;
    status = place_numbers(&mesh->bones, received->first, received->bones, received->bone_count, influences, error);
    if (status == FR_OK) {
        status = fr__mirror_place_floats(&mesh->weights, received->first, received->weights, received->weight_count,
                                         influences, error);
    }
    if (status != FR_OK) { mesh->bones.count = bones; }
    show(mesh);
    return status;
}
