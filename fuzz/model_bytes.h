// Any bytes as a model file: what is read keeps the promises of model.h, and what is written reads back.
#ifndef FUREAI_FUZZ_MODEL_BYTES_H
#define FUREAI_FUZZ_MODEL_BYTES_H

#include "fureai/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Models of more corners, triangles or nodes are read, but not made into meshes and written again.
enum { WHOLE_MESH = 200 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static bool push_bytes(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    require(place != NULL);
    memcpy(place, bytes, size);
    return true;
}

static void check_mesh(const fr_model_mesh *mesh, uint32_t material_count) {
    uint64_t end = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        require(fr_model_face_begin(mesh, f) == end && fr_model_face_end(mesh, f) >= end + 3);
        end = fr_model_face_end(mesh, f);
        require(mesh->face_materials == NULL || mesh->face_materials[f] == FR_NONE ||
                mesh->face_materials[f] < material_count);
    }
    for (uint64_t c = 0; c < end; c++) {
        require(mesh->corners[c] < mesh->vertex_count);
    }
    for (uint64_t i = 0; i < (uint64_t)3 * mesh->vertex_count; i++) {
        require(
            isfinite(mesh->positions_double != NULL ? mesh->positions_double[i] : (double)mesh->positions_float[i]));
    }
}

// Triangles of the nodes that are written by formats without a tree, or of all meshes.
static uint64_t written_triangles(const fr_model_view *view, bool has_tree) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < view->node_count && !has_tree; i++) {
        if (view->nodes[i].mesh == FR_NONE || (view->nodes[i].flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) != 0) {
            continue;
        }
        const fr_model_mesh *mesh = &view->meshes[view->nodes[i].mesh];
        count += fr_model_face_begin(mesh, mesh->face_count) - (uint64_t)2 * mesh->face_count;
    }
    return has_tree ? view->triangle_count : count;
}

// Writing and reading again keeps the triangles that are shown; some formats are only read.
static void check_round_trip(const fr_model *model, fr_model_format format) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_status status = fr_model_write(model, format, NULL, push_bytes, &bytes, NULL);
    require(status == FR_OK || status == FR_ERROR_NOT_FINITE || status == FR_ERROR_ARGUMENT);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    fr_model *again = NULL;
    if (status == FR_OK) {
        uint64_t written = written_triangles(fr_model_get(model), format == FR_MODEL_FRM);
        status = fr_model_read(bytes.data, bytes.count, &options, &again, NULL);
        // VRML and GLB keep instances, and VRML's reader leaves out polygons without area; a GLB without
        // any is refused.
        bool is_loose = format == FR_MODEL_VRML || format == FR_MODEL_GLB;
        require(status == FR_OK || format == FR_MODEL_GLB);
        if (status == FR_OK && is_loose) { require(fr_model_get(again)->placed_triangle_count <= written); }
        if (status == FR_OK && !is_loose) { require(fr_model_get(again)->triangle_count == written); }
    }
    fr_model_destroy(again);
    fr_array_destroy(&bytes);
}

static fr_status drop_boned(const fr_model_part *part, void *context, fr_error *error) {
    (void)error;
    const fr_model_play *play = context;
    if (part->skin != NULL) { require(fr_skin_get(part->skin)->bone_count == fr_model_play_bone_count(play)); }
    require(part->skin == NULL || fr_skin_validate(part->skin, NULL));
    fr_mesh_release(part->mesh);
    fr_skin_release(part->skin);
    return FR_OK;
}

// A model that is played by bones has skins of so many, and poses that are right, or says that they are none.
static void check_bones(const fr_model *model, fr_model_play *play) {
    uint32_t count = fr_model_play_bone_count(play);
    if (count == 0) { return; }
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.play = play;
    (void)fr_model_parts(model, &input, drop_boned, play, NULL);
    fr_pose *bones = malloc(count * sizeof *bones);
    bool is_right = bones != NULL && fr_model_play_bones(play, bones);
    for (uint32_t i = 0; is_right && i < count; i++) {
        require(fr_pose_check(&bones[i], NULL) == FR_OK);
    }
    free(bones);
}

// Every node with a mesh has its vertices at any time.
static void check_play(const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    fr_model_play *play = NULL;
    require(fr_model_play_create(model, NULL, &play, NULL) == FR_OK);
    for (int time = 0; time < 2; time++) {
        fr_model_play_at(play, 0.3 * time);
        for (uint32_t i = 0; i < view->node_count; i++) {
            uint32_t count = view->nodes[i].mesh != FR_NONE ? view->meshes[view->nodes[i].mesh].vertex_count : 0;
            fr_vec3 *vertices = count > 0 ? malloc(count * sizeof *vertices) : NULL;
            if (vertices != NULL) { fr_model_play_vertices(play, i, vertices); }
            free(vertices);
        }
        check_bones(model, play);
    }
    fr_model_play_destroy(play);
}

// Closed or not, and the volume, are those of the whole mesh, bit for bit.
static void check_surface(const fr_model *model, const fr_mesh *mesh) {
    fr_model_surface_output surface;
    require(fr_model_surface(model, NULL, &surface, NULL) == FR_OK);
    if (mesh == NULL) { return; }
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    fr_topology *topology = NULL;
    require(fr_topology_create(mesh, &def, &topology, NULL) == FR_OK);
    require(surface.is_closed == topology->is_closed);
    double volume = surface.is_closed ? fr_mesh_mass(mesh).volume : 0.0;
    require(memcmp(&volume, &surface.volume, sizeof volume) == 0);
    fr_topology_destroy(topology);
}

// With options of the caller's; at most `most_bytes` of memory.
static int try_model_options(const uint8_t *data, size_t size, fr_model_read_input options, uint64_t most_bytes) {
    fr_probe *probe = fr_probe_create();
    if (probe == NULL) { return 0; }
    options.allocator = fr_probe_allocator(probe);
    fr_model *model = NULL;
    fr_error error;
    fr_status status = fr_model_read(data, size, &options, &model, &error);
    require(fr_probe_get(probe).peak_bytes <= most_bytes);
    if (status != FR_OK) {
        require(model == NULL && error.status == status && error.message[0] != '\0');
    } else {
        const fr_model_view *view = fr_model_get(model);
        for (uint32_t i = 0; i < view->mesh_count; i++) {
            check_mesh(&view->meshes[i], view->material_count);
        }
        if (view->corner_count < WHOLE_MESH && view->placed_triangle_count < WHOLE_MESH &&
            view->node_count < WHOLE_MESH) {
            fr_mesh *mesh = NULL;
            fr_model_whole_mesh(model, NULL, &mesh, NULL);
            require(mesh == NULL || fr_mesh_get(mesh)->triangle_count <= view->placed_triangle_count);
            check_surface(model, mesh);
            fr_mesh_release(mesh);
            check_play(model);
            check_round_trip(model, (fr_model_format)(1 + size % (FR_MODEL_FORMAT_COUNT - 1)));
        }
    }
    fr_model_destroy(model);
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
    return 0;
}

static inline int try_model_bytes(const uint8_t *data, size_t size, fr_model_format format) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = format;
    return try_model_options(data, size, options, 32 * (uint64_t)size + 65536);
}

#endif
