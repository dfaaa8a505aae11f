// Skins and shapes (morph targets) of a glTF file: the bones that vertices of the part at hand follow, the shapes that
// it can take, and the nodes that are bones.
#include "gltf.h"
#include "model.h"

#include <math.h>
#include <string.h>

#define SETS 2 // of four bones each

// Notes what is wrong with a skin, which is then passed over: a warning, or a failure where reading is strict.
static fr_status note(fr__gltf *gltf, fr_json_value value, const char *message) {
    if (gltf->reader->input->is_strict) { return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "%s", message); }
    fr__reader_warn(gltf->reader, NULL, "%s", message);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Bones of vertices

// One set of four bones a vertex into the lists of the part, which have `influences` a vertex.
static fr_status read_set(fr__gltf *gltf, fr_json_value joints, fr_json_value weights, size_t vertices, uint32_t set,
                          uint32_t influences, uint32_t *bones, float *shares) {
    FR__TRY(fr__gltf_floats(gltf, joints, 4, false, &gltf->normals));
    FR__TRY(fr__gltf_count(gltf, joints, gltf->normals.count / 4));
    FR__TRY(fr__gltf_floats(gltf, weights, 4, false, &gltf->colors));
    FR__TRY(fr__gltf_check_finite(gltf, weights, 4, &gltf->colors));
    FR__TRY(fr__gltf_count(gltf, weights, gltf->colors.count / 4));
    if (gltf->normals.count != 4 * vertices || gltf->colors.count != 4 * vertices) {
        return fr__gltf_fail(gltf, joints, FR_ERROR_CORRUPT, "%zu joints and %zu weights for %zu vertices",
                             gltf->normals.count / 4, gltf->colors.count / 4, vertices);
    }
    for (size_t i = 0; i < 4 * vertices; i++) {
        float bone = gltf->normals.data[i], weight = gltf->colors.data[i];
        size_t at = i / 4 * influences + (size_t)4 * set + i % 4;
        if (!(bone >= 0.0f && bone <= 65535.0f) || bone != floorf(bone)) {
            return fr__gltf_fail(gltf, joints, FR_ERROR_CORRUPT, "vertex %zu follows bone %g", i / 4, (double)bone);
        }
        if (weight < 0.0f) {
            return fr__gltf_fail(gltf, weights, FR_ERROR_CORRUPT, "vertex %zu has the weight %g, below 0", i / 4,
                                 (double)weight);
        }
        shares[at] = weight;
        bones[at] = weight > 0.0f ? (uint32_t)bone : 0;
    }
    return FR_OK;
}

// Weights whose sum is too far from 1 are scaled; a vertex without any follows its first bone.
static fr_status mend_weights(fr__gltf *gltf, fr_json_value value, uint32_t influences, size_t vertices,
                              float *weights) {
    size_t mended = 0, first = 0;
    double found = 0.0;
    for (size_t v = 0; v < vertices; v++) {
        float *w = weights + v * influences;
        double sum = 0.0;
        for (uint32_t k = 0; k < influences; k++) {
            sum += (double)w[k];
        }
        if (fabs(sum - 1.0) <= FR_SKIN_WEIGHT_TOLERANCE) { continue; }
        if (mended++ == 0) {
            first = v;
            found = sum;
        }
        for (uint32_t k = 0; k < influences; k++) {
            w[k] = sum > 0.0 ? (float)((double)w[k] / sum) : (k == 0 ? 1.0f : 0.0f);
        }
    }
    if (mended == 0) { return FR_OK; }
    if (gltf->reader->input->is_strict) {
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "vertex %zu: the sum of its weights is %g, not 1", first,
                             found);
    }
    fr__reader_warn(gltf->reader, NULL, "vertex %zu: the sum of its weights is %g, not 1; %zu vertices are mended",
                    first, found, mended);
    return FR_OK;
}

fr_status fr__gltf_read_influences(fr__gltf *gltf, fr_json_value attributes, size_t vertices) {
    static const char *const keys[2 * SETS + 1] = {"JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1", "JOINTS_2"};
    fr__builder *builder = &gltf->reader->builder;
    fr_json_value lists[2 * SETS + 1];
    fr_json_members(gltf->json, attributes, keys, 2 * SETS + 1, lists);
    uint32_t sets = 0;
    while (sets < SETS && lists[2 * sets] != FR_JSON_NONE && lists[2 * sets + 1] != FR_JSON_NONE) {
        sets++;
    }
    if (sets == 0 || vertices == 0) { return FR_OK; }
    if (lists[2 * SETS] != FR_JSON_NONE) { fr__reader_warn(gltf->reader, NULL, "a vertex follows 8 bones at most"); }
    uint32_t influences = 4 * sets;
    uint32_t *bones = fr__builder_alloc(builder, vertices * influences, sizeof *bones, sizeof *bones);
    float *weights = fr__builder_alloc(builder, vertices * influences, sizeof *weights, sizeof *weights);
    fr_model_deform *deform = fr__builder_deform(builder);
    if (bones == NULL || weights == NULL || deform == NULL) { return fr__gltf_no_memory(gltf); }
    for (uint32_t set = 0; set < sets; set++) {
        FR__TRY(read_set(gltf, lists[2 * set], lists[2 * set + 1], vertices, set, influences, bones, weights));
    }
    deform->influence_count = influences;
    deform->bones = bones;
    deform->weights = weights;
    deform->bone_count = 1;
    for (size_t i = 0; i < vertices * influences; i++) {
        deform->bone_count = bones[i] >= deform->bone_count ? bones[i] + 1 : deform->bone_count;
    }
    return mend_weights(gltf, lists[1], influences, vertices, weights);
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

// The weights of a mesh's shapes at rest: those of the mesh, which a node's own take the place of.
static fr_status read_rest_weights(fr__gltf *gltf, fr_json_value weights, fr_model_deform *deform) {
    if (weights == FR_JSON_NONE) { return FR_OK; }
    float *rest = fr__builder_alloc(&gltf->reader->builder, deform->target_count, sizeof *rest, sizeof *rest);
    if (rest == NULL) { return fr__gltf_no_memory(gltf); }
    fr_json_value item = fr_json_first(gltf->json, weights);
    for (uint32_t i = 0; i < deform->target_count; i++) {
        double value = 0.0;
        if (item != FR_JSON_NONE) {
            if (!fr_json_get_number(gltf->json, item, &value) || !(fabs(value) < 1e30)) {
                return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "the weight of a shape is a number");
            }
            item = fr_json_next(gltf->json, item);
        }
        rest[i] = (float)value;
    }
    deform->target_weights = rest;
    return FR_OK;
}

fr_status fr__gltf_read_targets(fr__gltf *gltf, fr_json_value list, fr_json_value weights, size_t vertices) {
    fr__builder *builder = &gltf->reader->builder;
    const fr_json *json = gltf->json;
    if (!fr_json_is(json, list, FR_JSON_ARRAY) || fr_json_count(json, list) == 0 || vertices == 0) { return FR_OK; }
    size_t count = fr_json_count(json, list), filled = 0;
    // They are counted before there is memory for them.
    for (fr_json_value item = fr_json_first(json, list); item != FR_JSON_NONE; item = fr_json_next(json, item)) {
        FR__TRY(fr__gltf_count(gltf, item, vertices));
    }
    float *targets = fr__builder_alloc(builder, count, 3 * vertices * sizeof *targets, sizeof *targets);
    fr_model_deform *deform = fr__builder_deform(builder);
    if (targets == NULL || deform == NULL) { return fr__gltf_no_memory(gltf); }
    for (fr_json_value item = fr_json_first(json, list); item != FR_JSON_NONE; item = fr_json_next(json, item)) {
        fr_json_value position = fr_json_member(json, item, "POSITION");
        float *to = targets + 3 * vertices * filled++;
        memset(to, 0, 3 * vertices * sizeof *to);
        if (position == FR_JSON_NONE) { continue; }
        FR__TRY(fr__gltf_floats(gltf, position, 3, false, &gltf->normals));
        FR__TRY(fr__gltf_check_finite(gltf, position, 3, &gltf->normals));
        if (gltf->normals.count != 3 * vertices) {
            return fr__gltf_fail(gltf, position, FR_ERROR_CORRUPT, "%zu places of a shape for %zu vertices",
                                 gltf->normals.count / 3, vertices);
        }
        memcpy(to, gltf->normals.data, 3 * vertices * sizeof *to);
    }
    deform->target_count = (uint32_t)count;
    deform->targets = targets;
    return read_rest_weights(gltf, weights, deform);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes that are bones

// The nodes of a skin's bones; *is_whole is false where one of them is not shown.
static fr_status read_bones(fr__gltf *gltf, fr_json_value joints, uint32_t *nodes, bool *is_whole) {
    const fr_json *json = gltf->json;
    *is_whole = true;
    for (fr_json_value item = fr_json_first(json, joints); item != FR_JSON_NONE; item = fr_json_next(json, item)) {
        uint64_t number = 0;
        FR__TRY(fr__gltf_index(gltf, item, FR__GLTF_NODES, "node", &number));
        *nodes = gltf->nodes.data[number].placed;
        *is_whole = *is_whole && *nodes++ != FR_NONE;
    }
    return FR_OK;
}

// Inverse binds, which the file has column by column; identities where it has none.
static fr_status read_binds(fr__gltf *gltf, fr_json_value accessor, uint32_t count, double *binds) {
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    if (accessor != FR_JSON_NONE) {
        FR__TRY(fr__gltf_floats(gltf, accessor, 16, false, &gltf->normals));
        FR__TRY(fr__gltf_check_finite(gltf, accessor, 16, &gltf->normals));
        FR__TRY(fr__gltf_count(gltf, accessor, gltf->normals.count / 16));
        if (gltf->normals.count < (size_t)16 * count) {
            return fr__gltf_fail(gltf, accessor, FR_ERROR_CORRUPT, "%zu inverse binds for %u bones",
                                 gltf->normals.count / 16, count);
        }
    }
    for (uint32_t b = 0; b < count; b++) {
        const float *columns = accessor != FR_JSON_NONE ? gltf->normals.data + (size_t)16 * b : identity;
        for (int i = 0; i < 12; i++) {
            binds[12 * (size_t)b + (size_t)i] = (double)columns[4 * (i % 4) + i / 4];
        }
    }
    return FR_OK;
}

// A skin into the builder; *index is FR_NONE where it is passed over.
static fr_status add_skin(fr__gltf *gltf, uint32_t number, uint32_t *index) {
    static const char *const keys[4] = {"joints", "inverseBindMatrices", "skeleton", "name"};
    fr__builder *builder = &gltf->reader->builder;
    fr_json_value value = fr__gltf_item(gltf, FR__GLTF_SKINS, number), members[4];
    fr_json_members(gltf->json, value, keys, 4, members);
    bool has_joints = fr_json_is(gltf->json, members[0], FR_JSON_ARRAY);
    size_t count = has_joints ? fr_json_count(gltf->json, members[0]) : 0;
    *index = FR_NONE;
    if (count == 0 || count > FR_SKIN_MAX_BONES) {
        return note(gltf, value, "a skin without bones, or with more than 65535, is passed over");
    }
    fr_model_skin skin = {.name = fr__gltf_text(gltf, members[3]), .bone_count = (uint32_t)count, .root = FR_NONE};
    uint32_t *nodes = fr__builder_alloc(builder, count, sizeof *nodes, sizeof *nodes);
    double *binds = fr__builder_alloc(builder, count, 12 * sizeof *binds, sizeof *binds);
    if (skin.name == NULL || nodes == NULL || binds == NULL) { return fr__gltf_no_memory(gltf); }
    bool is_whole = true;
    FR__TRY(read_bones(gltf, members[0], nodes, &is_whole));
    FR__TRY(read_binds(gltf, members[1], skin.bone_count, binds));
    if (members[2] != FR_JSON_NONE) {
        uint64_t root = 0;
        FR__TRY(fr__gltf_index(gltf, members[2], FR__GLTF_NODES, "node", &root));
        skin.root = gltf->nodes.data[root].placed;
    }
    if (!is_whole) { return note(gltf, value, "a skin with bones that the scene does not show is passed over"); }
    skin.nodes = nodes;
    skin.inverse_binds = binds;
    fr_error error = {0};
    fr_status status = fr__check_inverse_binds(&skin, &builder->allocator, &error);
    if (status == FR_ERROR_MEMORY) { return fr__gltf_no_memory(gltf); }
    if (status != FR_OK) { return note(gltf, value, error.message); }
    *index = fr__model_skin_array_add(&builder->skins, &skin);
    return *index != FR_NONE ? FR_OK : fr__gltf_no_memory(gltf);
}

fr_status fr__gltf_add_skins(fr__gltf *gltf) {
    fr__builder *builder = &gltf->reader->builder;
    fr_uint32_array indices = fr_uint32_array_make(&builder->allocator);
    size_t count = gltf->lists[FR__GLTF_SKINS].count;
    uint32_t *places = fr_uint32_array_push(&indices, count);
    fr_status status = places != NULL ? FR_OK : fr__gltf_no_memory(gltf);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = add_skin(gltf, i, &places[i]);
    }
    for (size_t i = 0; i < builder->nodes.count && status == FR_OK; i++) {
        fr_model_node *node = builder->nodes.data + i;
        if (node->skin == FR_NONE) { continue; }
        node->skin = places[node->skin];
        if (node->skin == FR_NONE) { continue; }
        uint32_t bones = builder->parts.data[node->mesh].deform->bone_count;
        if (bones <= builder->skins.data[node->skin].bone_count) { continue; }
        node->skin = FR_NONE;
        status = note(gltf, FR_JSON_ROOT, "a mesh that follows bones which its skin has not stands still");
    }
    fr_uint32_array_destroy(&indices);
    return status;
}
