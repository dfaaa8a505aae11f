// Meshes of a model that follow bones or take shapes: their checks, and where their vertices are at rest.
#include "model.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Checks

fr_status fr__mesh_skin(const fr_model_mesh *mesh, const fr_allocator *allocator, fr_skin **out, fr_error *error) {
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = mesh->vertex_count;
    def.bones = mesh->deform->bones;
    def.weights = mesh->deform->weights;
    def.influence_count = mesh->deform->influence_count;
    def.bone_count = mesh->deform->bone_count;
    def.allocator = *allocator;
    return fr_skin_create(&def, out, error);
}

fr_status fr__check_inverse_binds(const fr_model_skin *skin, const fr_allocator *allocator, fr_error *error) {
    const uint32_t bone = 0;
    const float weight = 1.0f;
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = def.influence_count = 1;
    def.bones = &bone;
    def.weights = &weight;
    def.bone_count = skin->bone_count;
    def.inverse_binds = skin->inverse_binds;
    def.allocator = *allocator;
    fr_skin *made = NULL;
    fr_status status = fr_skin_create(&def, &made, error);
    fr_skin_release(made);
    return status;
}

static fr_status check_skin(const fr_model_def *def, uint32_t index, fr_error *error) {
    const fr_model_skin *skin = &def->skins[index];
    if (skin->bone_count == 0 || skin->bone_count > FR_SKIN_MAX_BONES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "skin %u has %u bones; 1 to %u may be", index, skin->bone_count,
                            FR_SKIN_MAX_BONES);
    }
    if (skin->nodes == NULL || skin->inverse_binds == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "skin %u has no nodes or no inverse binds", index);
    }
    for (uint32_t b = 0; b < skin->bone_count; b++) {
        if (skin->nodes[b] >= def->node_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "skin %u, bone %u is node %u of %u", index, b, skin->nodes[b],
                                def->node_count);
        }
    }
    if (skin->root != FR_NONE && skin->root >= def->node_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "skin %u has the root %u of %u nodes", index, skin->root,
                            def->node_count);
    }
    fr_error inner = {0};
    fr_status status = fr__check_inverse_binds(skin, &def->allocator, &inner);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "skin %u: %s", index, inner.message);
}

static fr_status check_targets(const fr_model_mesh *mesh, uint32_t index, fr_error *error) {
    fr_model_deform deform = fr__deform_of(mesh);
    uint64_t count = (uint64_t)3 * deform.target_count * mesh->vertex_count;
    if (deform.targets == NULL && count > 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u has %u shapes without numbers", index,
                            deform.target_count);
    }
    bool is_finite = true;
    for (uint64_t i = 0; i < count && is_finite; i++) {
        is_finite = isfinite(deform.targets[i]);
    }
    for (uint32_t i = 0; i < deform.target_count && deform.target_weights != NULL && is_finite; i++) {
        is_finite = isfinite(deform.target_weights[i]);
    }
    if (is_finite) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_NOT_FINITE, "mesh %u has a shape that is not finite", index);
}

// The bones of a mesh's vertices: those that fr_skin_create takes.
static fr_status check_influences(const fr_model_def *def, uint32_t index, fr_error *error) {
    const fr_model_mesh *mesh = &def->meshes[index];
    fr_model_deform deform = fr__deform_of(mesh);
    if (deform.influence_count == 0 || mesh->vertex_count == 0) { return FR_OK; }
    fr_skin *skin = NULL;
    fr_error inner = {0};
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_status status = fr__mesh_skin(mesh, &allocator, &skin, &inner);
    fr_skin_release(skin);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "mesh %u, %s", index, inner.message);
}

static fr_status check_node(const fr_model_def *def, uint32_t index, fr_error *error) {
    const fr_model_node *node = &def->nodes[index];
    if (node->skin == FR_NONE || def->skin_count == 0) { return FR_OK; }
    if (node->skin >= def->skin_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has skin %u of %u", index, node->skin, def->skin_count);
    }
    const fr_model_mesh *mesh = node->mesh != FR_NONE ? &def->meshes[node->mesh] : NULL;
    if (mesh == NULL || fr__deform_of(mesh).influence_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "node %u has a skin and no mesh that follows bones", index);
    }
    if (mesh->deform->bone_count > def->skins[node->skin].bone_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "mesh %u follows %u bones of a skin of only %u", node->mesh,
                            mesh->deform->bone_count, def->skins[node->skin].bone_count);
    }
    return FR_OK;
}

fr_status fr__model_check_skins(const fr_model_def *def, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < def->skin_count && status == FR_OK; i++) {
        status = check_skin(def, i, error);
    }
    for (uint32_t i = 0; i < def->mesh_count && status == FR_OK; i++) {
        status = check_influences(def, i, error);
        if (status == FR_OK) { status = check_targets(&def->meshes[i], i, error); }
    }
    for (uint32_t i = 0; i < def->node_count && status == FR_OK; i++) {
        status = check_node(def, i, error);
    }
    return status;
}

void fr__add_influence(uint32_t *bones, float *weights, uint32_t first, uint32_t bone, float weight) {
    uint32_t least = first;
    for (uint32_t k = first + 1; k < FR_SKIN_MAX_INFLUENCES; k++) {
        if (weights[k] < weights[least]) { least = k; }
    }
    if (!(weight > weights[least])) { return; }
    bones[least] = bone;
    weights[least] = weight;
}

// ---------------------------------------------------------------------------------------------------------------
// At rest

bool fr__model_place_bones(fr_model *model) {
    const fr_model_view *view = &model->view;
    if (view->skin_count == 0) { return true; }
    model->rest_bones =
        fr__builder_alloc(&model->store, view->skin_count, sizeof *model->rest_bones, _Alignof(double *));
    for (uint32_t i = 0; model->rest_bones != NULL && i < view->skin_count; i++) {
        const fr_model_skin *skin = &view->skins[i];
        double *bones = fr__builder_alloc(&model->store, skin->bone_count, 12 * sizeof(double), _Alignof(double));
        if (bones == NULL) { return false; }
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            double matrix[12];
            fr_model_node_matrix(model, skin->nodes[b], matrix);
            fr__matrix_multiply(matrix, skin->inverse_binds + (size_t)12 * b, bones + (size_t)12 * b);
        }
        model->rest_bones[i] = bones;
    }
    return model->rest_bones != NULL;
}

static bool has_weight(const fr_model_mesh *mesh) {
    fr_model_deform deform = fr__deform_of(mesh);
    for (uint32_t i = 0; i < deform.target_count && deform.target_weights != NULL; i++) {
        if (deform.target_weights[i] != 0.0f) { return true; }
    }
    return false;
}

fr_vec3 fr__morphed_position(const fr_model_mesh *mesh, const float *weights, uint32_t vertex) {
    fr_vec3 p = fr__position(mesh, vertex);
    for (uint32_t i = 0; i < mesh->deform->target_count; i++) {
        const float *t = mesh->deform->targets + (size_t)3 * ((size_t)i * mesh->vertex_count + vertex);
        p = fr_vec3_add_scaled(p, (double)weights[i], fr_vec3_make((double)t[0], (double)t[1], (double)t[2]));
    }
    return p;
}

bool fr__place_shape(const fr_model *model, uint32_t node, fr__placed *placed) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    uint32_t skin = model->view.nodes[node].skin;
    if (skin == FR_NONE) {
        placed->is_shaped = has_weight(placed->mesh);
        return false;
    }
    memcpy(placed->matrix, identity, sizeof identity);
    placed->bones = model->rest_bones[skin];
    placed->is_shaped = placed->is_moved = true;
    bool has_vertex = placed->mesh->vertex_count > 0;
    size_t first = has_vertex ? (size_t)12 * placed->mesh->deform->bones[0] : 0;
    placed->is_mirrored = fr__matrix_determinant(placed->bones + first) < 0.0;
    return true;
}

fr_vec3 fr__shaped_position(const fr__placed *placed, uint32_t vertex) {
    const fr_model_mesh *mesh = placed->mesh;
    const fr_model_deform *deform = mesh->deform;
    const float *rest = deform->target_weights;
    fr_vec3 p = rest != NULL ? fr__morphed_position(mesh, rest, vertex) : fr__position(mesh, vertex);
    if (placed->bones == NULL) { return p; }
    fr_vec3 sum = {0.0, 0.0, 0.0};
    double all = 0.0;
    for (uint32_t k = 0; k < deform->influence_count; k++) {
        size_t at = (size_t)vertex * deform->influence_count + k;
        double weight = (double)deform->weights[at];
        const double *m = placed->bones + (size_t)12 * deform->bones[at];
        fr_vec3 moved = {(m[0] * p.x + m[1] * p.y) + m[2] * p.z + m[3], (m[4] * p.x + m[5] * p.y) + m[6] * p.z + m[7],
                         (m[8] * p.x + m[9] * p.y) + m[10] * p.z + m[11]};
        sum = fr_vec3_add_scaled(sum, weight, moved);
        all += weight;
    }
    return fr_vec3_scale(1.0 / all, sum);
}
