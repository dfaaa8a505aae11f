// Nodes of a glTF file: the tree, checked, and what of it the scene shows, as nodes of the builder.
#include "gltf.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Transforms

// Numbers of a transform as floats; *is_there says whether the node has them.
static fr_status read_numbers(fr__gltf *gltf, fr_json_value array, const char *key, uint32_t count, float *numbers,
                              bool *is_there) {
    *is_there = array != FR_JSON_NONE;
    if (!*is_there) { return FR_OK; }
    if (!fr_json_is(gltf->json, array, FR_JSON_ARRAY) || fr_json_count(gltf->json, array) != count) {
        return fr__gltf_fail(gltf, array, FR_ERROR_SYNTAX, "%s has %u numbers", key, count);
    }
    for (fr_json_value item = fr_json_first(gltf->json, array); item != FR_JSON_NONE;
         item = fr_json_next(gltf->json, item)) {
        double value = 0.0;
        if (!fr_json_get_number(gltf->json, item, &value) || !(value > -1e30 && value < 1e30)) {
            return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "a number is expected, of a size that floats have");
        }
        *numbers++ = (float)value;
    }
    return FR_OK;
}

static void set_rotation(const float q[4], float m[12]) {
    float x = q[0], y = q[1], z = q[2], w = q[3];
    const float rotation[3][3] = {
        {1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - z * w), 2.0f * (x * z + y * w)},
        {2.0f * (x * y + z * w), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - x * w)},
        {2.0f * (x * z - y * w), 2.0f * (y * z + x * w), 1.0f - 2.0f * (x * x + y * y)},
    };
    for (int row = 0; row < 3; row++) {
        memcpy(m + 4 * row, rotation[row], sizeof rotation[row]);
    }
}

// A matrix, or translation * rotation * scale, in floats. The file has matrices column by column.
static fr_status read_matrix(fr__gltf *gltf, fr_json_value node, float m[12]) {
    static const char *const keys[4] = {"matrix", "translation", "rotation", "scale"};
    fr_json_value values[4];
    float columns[16], numbers[4];
    bool is_there = false;
    fr_json_members(gltf->json, node, keys, 4, values);
    FR__TRY(read_numbers(gltf, values[0], keys[0], 16, columns, &is_there));
    for (int i = 0; i < 12 && is_there; i++) {
        m[i] = columns[4 * (i % 4) + i / 4];
    }
    if (is_there) { return FR_OK; }
    FR__TRY(read_numbers(gltf, values[1], keys[1], 3, numbers, &is_there));
    for (int i = 0; i < 3 && is_there; i++) {
        m[4 * i + 3] = numbers[i];
    }
    FR__TRY(read_numbers(gltf, values[2], keys[2], 4, numbers, &is_there));
    if (is_there) { set_rotation(numbers, m); }
    FR__TRY(read_numbers(gltf, values[3], keys[3], 3, numbers, &is_there));
    for (int i = 0; i < 9 && is_there; i++) {
        m[4 * (i / 3) + i % 3] *= numbers[i % 3];
    }
    for (int i = 0; i < 12; i++) {
        m[i] += 0.0f; // -0 becomes 0
    }
    return FR_OK;
}

// A matrix that lives as long as the model; *out is NULL where it changes nothing.
static fr_status keep_matrix(fr__gltf *gltf, fr_json_value node, const float m[12], const double **out) {
    bool is_identity = true;
    *out = NULL;
    for (int i = 0; i < 12; i++) {
        if (!isfinite(m[i])) {
            return fr__gltf_fail(gltf, node, FR_ERROR_NOT_FINITE, "the transform of a node is not finite");
        }
        is_identity = is_identity && m[i] == (i % 5 == 0 ? 1.0f : 0.0f);
    }
    if (is_identity) { return FR_OK; }
    double *matrix = fr__builder_alloc(&gltf->reader->builder, 12, sizeof(double), sizeof(double));
    if (matrix == NULL) { return fr__gltf_no_memory(gltf); }
    for (int i = 0; i < 12; i++) {
        matrix[i] = (double)m[i];
    }
    *out = matrix;
    return FR_OK;
}

static fr_status read_transform(fr__gltf *gltf, fr_json_value node, const double **out) {
    float m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    FR__TRY(read_matrix(gltf, node, m));
    return keep_matrix(gltf, node, m, out);
}

// ---------------------------------------------------------------------------------------------------------------
// The tree

// The children of a node; each node has one parent at most.
static fr_status read_children(fr__gltf *gltf, fr_json_value array, uint32_t parent) {
    fr__gltf_node *nodes = gltf->nodes.data;
    nodes[parent].first_child = (uint32_t)gltf->children.count;
    if (!fr_json_is(gltf->json, array, FR_JSON_ARRAY)) { return FR_OK; }
    for (fr_json_value item = fr_json_first(gltf->json, array); item != FR_JSON_NONE;
         item = fr_json_next(gltf->json, item)) {
        uint64_t child = 0;
        FR__TRY(fr__gltf_index(gltf, item, FR__GLTF_NODES, "node", &child));
        if (nodes[child].parent != FR_NONE) {
            return fr__gltf_fail(gltf, item, FR_ERROR_CORRUPT, "node %llu has two parents", (unsigned long long)child);
        }
        nodes[child].parent = parent;
        uint32_t *place = fr_uint32_array_push(&gltf->children, 1);
        if (place == NULL) { return fr__gltf_no_memory(gltf); }
        *place = (uint32_t)child;
        nodes[parent].child_count++;
    }
    return FR_OK;
}

static fr_status read_node(fr__gltf *gltf, uint32_t index) {
    fr__gltf_node *node = &gltf->nodes.data[index];
    static const char *const keys[3] = {"mesh", "skin", "weights"};
    fr_json_value members[3], mesh;
    fr_json_members(gltf->json, node->value, keys, 3, members);
    mesh = members[0];
    FR__TRY(read_transform(gltf, node->value, &node->transform));
    if (members[1] != FR_JSON_NONE) {
        uint64_t skin = 0;
        FR__TRY(fr__gltf_index(gltf, members[1], FR__GLTF_SKINS, "skin", &skin));
        node->skin = (uint32_t)skin;
    }
    if (mesh != FR_JSON_NONE) {
        uint64_t number = 0;
        FR__TRY(fr__gltf_index(gltf, mesh, FR__GLTF_MESHES, "mesh", &number));
        node->mesh = (uint32_t)number;
        if (members[2] != FR_JSON_NONE) { gltf->meshes.data[number].weights = members[2]; }
    }
    return read_children(gltf, fr_json_member(gltf->json, node->value, "children"), index);
}

static fr_status add_root(fr__gltf *gltf, uint32_t node) {
    uint32_t *place = fr_uint32_array_push(&gltf->roots, 1);
    if (place == NULL) { return fr__gltf_no_memory(gltf); }
    *place = node;
    gltf->nodes.data[node].is_root = true;
    return FR_OK;
}

// The nodes at the top: those of the scene that is shown, or all without a parent.
static fr_status find_roots(fr__gltf *gltf) {
    const fr__gltf_node *nodes = gltf->nodes.data;
    fr_json_value chosen = fr_json_member(gltf->json, FR_JSON_ROOT, "scene");
    uint64_t scene = 0;
    if (chosen != FR_JSON_NONE) { FR__TRY(fr__gltf_index(gltf, chosen, FR__GLTF_SCENES, "scene", &scene)); }
    if (gltf->lists[FR__GLTF_SCENES].count == 0) {
        for (uint32_t i = 0; i < gltf->nodes.count; i++) {
            if (nodes[i].parent == FR_NONE) { FR__TRY(add_root(gltf, i)); }
        }
        return FR_OK;
    }
    fr_json_value list = fr_json_member(gltf->json, fr__gltf_item(gltf, FR__GLTF_SCENES, scene), "nodes");
    if (!fr_json_is(gltf->json, list, FR_JSON_ARRAY)) { return FR_OK; }
    for (fr_json_value item = fr_json_first(gltf->json, list); item != FR_JSON_NONE;
         item = fr_json_next(gltf->json, item)) {
        uint64_t node = 0;
        FR__TRY(fr__gltf_index(gltf, item, FR__GLTF_NODES, "node", &node));
        if (nodes[node].parent != FR_NONE) {
            return fr__gltf_fail(gltf, item, FR_ERROR_CORRUPT, "node %llu of a scene is below another node",
                                 (unsigned long long)node);
        }
        if (nodes[node].is_root) {
            fr__reader_warn(gltf->reader, NULL, "node %llu is in the scene twice; it is shown once",
                            (unsigned long long)node);
            continue;
        }
        FR__TRY(add_root(gltf, (uint32_t)node));
    }
    return FR_OK;
}

// No node is below itself, and none too deep; `top` becomes the node above all that it is below.
static fr_status find_top(fr__gltf *gltf, uint32_t index, uint32_t *top) {
    const fr__gltf_node *nodes = gltf->nodes.data;
    uint32_t nesting = gltf->reader->builder.limits.nesting, depth = 1;
    for (*top = index; nodes[*top].parent != FR_NONE; *top = nodes[*top].parent) {
        if (++depth > nesting) {
            return fr__gltf_fail(gltf, nodes[index].value, FR_ERROR_LIMIT,
                                 "more than %u nodes in one another, the limit, or a node below itself", nesting);
        }
    }
    return FR_OK;
}

// Marks the meshes of all nodes that are below one of the scene's.
static fr_status mark_shown(fr__gltf *gltf) {
    const fr__gltf_node *nodes = gltf->nodes.data;
    uint32_t top = 0;
    for (uint32_t i = 0; i < gltf->nodes.count; i++) {
        FR__TRY(find_top(gltf, i, &top));
    }
    FR__TRY(find_roots(gltf));
    for (uint32_t i = 0; i < gltf->nodes.count; i++) {
        FR__TRY(find_top(gltf, i, &top));
        if (nodes[top].is_root && nodes[i].mesh != FR_NONE) { gltf->meshes.data[nodes[i].mesh].is_shown = true; }
    }
    return FR_OK;
}

fr_status fr__gltf_read_nodes(fr__gltf *gltf) {
    size_t count = gltf->lists[FR__GLTF_NODES].count, mesh_count = gltf->lists[FR__GLTF_MESHES].count;
    if (count > gltf->reader->builder.limits.nodes) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_LIMIT, "more than %llu nodes, the limit",
                             (unsigned long long)gltf->reader->builder.limits.nodes);
    }
    fr__gltf_node *nodes = fr__gltf_node_array_push(&gltf->nodes, count);
    fr__gltf_mesh *meshes = fr__gltf_mesh_array_push(&gltf->meshes, mesh_count);
    if (nodes == NULL || meshes == NULL) { return fr__gltf_no_memory(gltf); }
    for (size_t i = 0; i < count; i++) {
        nodes[i] = (fr__gltf_node){.value = fr__gltf_item(gltf, FR__GLTF_NODES, i),
                                   .parent = FR_NONE,
                                   .mesh = FR_NONE,
                                   .skin = FR_NONE,
                                   .placed = FR_NONE};
    }
    for (size_t i = 0; i < mesh_count; i++) {
        meshes[i] = (fr__gltf_mesh){.weights = FR_JSON_NONE};
    }
    for (uint32_t i = 0; i < count; i++) {
        FR__TRY(read_node(gltf, i));
    }
    return count > 0 ? mark_shown(gltf) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes of the builder

static fr_status add_one(fr__gltf *gltf, fr_model_node node, const fr__gltf_primitive *primitive, uint32_t *index) {
    if (primitive != NULL) {
        node.mesh = primitive->part;
        node.material = primitive->material;
    }
    const fr_model_deform *deform = primitive != NULL ? gltf->reader->builder.parts.data[primitive->part].deform : NULL;
    if (deform == NULL || deform->influence_count == 0) { node.skin = FR_NONE; }
    *index = fr__builder_add_node(&gltf->reader->builder, &node);
    bool is_added = *index != FR_NONE && fr__builder_goes_on(&gltf->reader->builder, 16);
    return is_added ? FR_OK : fr__reader_fail_building(gltf->reader, NULL);
}

// A node with the primitives of a mesh: one on the node itself, several on nodes below it.
static fr_status add_shape(fr__gltf *gltf, const fr_model_node *node, const fr__gltf_mesh *mesh, uint32_t *index) {
    const fr__gltf_primitive *primitives = gltf->primitives.data;
    const fr__gltf_primitive *only = mesh->primitive_count == 1 ? &primitives[mesh->first_primitive] : NULL;
    FR__TRY(add_one(gltf, *node, only, index));
    for (uint32_t i = 0; i < mesh->primitive_count && only == NULL; i++) {
        fr_model_node part = fr_default_model_node();
        uint32_t ignored = 0;
        part.name = node->name;
        part.flags = node->flags;
        part.skin = node->skin;
        part.parent = *index;
        FR__TRY(add_one(gltf, part, &primitives[mesh->first_primitive + i], &ignored));
    }
    return FR_OK;
}

// One list of a node's instances; *count is how many there are, the same for all lists, 0 while none was read.
static fr_status read_instance_list(fr__gltf *gltf, fr_json_value value, uint32_t width, size_t *count,
                                    fr_float_array *out) {
    out->count = 0;
    if (value == FR_JSON_NONE) { return FR_OK; }
    FR__TRY(fr__gltf_floats(gltf, value, width, false, out));
    FR__TRY(fr__gltf_check_finite(gltf, value, width, out));
    FR__TRY(fr__gltf_count(gltf, value, out->count / width));
    if (*count != 0 && *count != out->count / width) {
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "%zu values for %zu instances", out->count / width, *count);
    }
    *count = out->count / width;
    return FR_OK;
}

// The transform of an instance, translation * rotation * scale; what has no list changes nothing.
static void set_instance(const fr__gltf *gltf, size_t i, float m[12]) {
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    memcpy(m, identity, sizeof identity);
    if (gltf->colors.count > 0) {
        // Rotations are often whole numbers of a few bits, whose length is not quite 1.
        const float *q = gltf->colors.data + 4 * i;
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        float unit[4] = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
        if (length > 0.0f) { set_rotation(unit, m); }
    }
    for (size_t k = 0; k < 9 && gltf->normals.count > 0; k++) {
        m[4 * (k / 3) + k % 3] *= gltf->normals.data[3 * i + k % 3];
    }
    for (size_t k = 0; k < 3 && gltf->positions.count > 0; k++) {
        m[4 * k + 3] = gltf->positions.data[3 * i + k];
    }
}

// A node for each place that EXT_mesh_gpu_instancing gives the mesh of a node, below that node.
static fr_status add_instances(fr__gltf *gltf, fr_json_value instancing, const fr_model_node *holder,
                               const fr__gltf_mesh *mesh, uint32_t parent) {
    static const char *const keys[3] = {"TRANSLATION", "ROTATION", "SCALE"};
    fr_json_value lists[3];
    size_t count = 0;
    fr_json_members(gltf->json, fr_json_member(gltf->json, instancing, "attributes"), keys, 3, lists);
    FR__TRY(read_instance_list(gltf, lists[0], 3, &count, &gltf->positions));
    FR__TRY(read_instance_list(gltf, lists[1], 4, &count, &gltf->colors));
    FR__TRY(read_instance_list(gltf, lists[2], 3, &count, &gltf->normals));
    for (size_t i = 0; i < count; i++) {
        fr_model_node node = fr_default_model_node();
        float m[12];
        uint32_t ignored = 0;
        set_instance(gltf, i, m);
        node.name = holder->name;
        node.flags = holder->flags;
        node.parent = parent;
        FR__TRY(keep_matrix(gltf, instancing, m, &node.transform));
        FR__TRY(add_shape(gltf, &node, mesh, &ignored));
    }
    return FR_OK;
}

// Whether KHR_node_visibility hides a node, and with it all below.
static bool is_invisible(const fr__gltf *gltf, fr_json_value extensions) {
    bool is_visible = true;
    fr_json_value visibility = fr_json_member(gltf->json, extensions, "KHR_node_visibility");
    fr_json_get_bool(gltf->json, fr_json_member(gltf->json, visibility, "visible"), &is_visible);
    return !is_visible;
}

// A node with its mesh, once or as often as it has instances, and all below it. The depth is bounded by find_top.
static fr_status add_node(fr__gltf *gltf, uint32_t number, uint32_t parent) {
    static const fr__gltf_mesh none = {.is_shown = false};
    fr__gltf_node *source = &gltf->nodes.data[number];
    fr_model_node node = fr_default_model_node();
    node.parent = parent;
    node.transform = source->transform;
    node.name = fr__gltf_text(gltf, fr_json_member(gltf->json, source->value, "name"));
    if (node.name == NULL) { return fr__gltf_no_memory(gltf); }
    const fr__gltf_mesh *mesh = source->mesh != FR_NONE ? &gltf->meshes.data[source->mesh] : &none;
    fr_json_value extensions = fr_json_member(gltf->json, source->value, "extensions");
    fr_json_value instancing = fr_json_member(gltf->json, extensions, "EXT_mesh_gpu_instancing");
    if (parent != FR_NONE) { node.flags = gltf->reader->builder.nodes.data[parent].flags; }
    if (is_invisible(gltf, extensions)) { node.flags |= FR_MODEL_HIDDEN; }
    if (instancing == FR_JSON_NONE) { node.skin = source->skin; }
    FR__TRY(add_shape(gltf, &node, instancing == FR_JSON_NONE ? mesh : &none, &source->placed));
    if (instancing != FR_JSON_NONE) { FR__TRY(add_instances(gltf, instancing, &node, mesh, source->placed)); }
    uint32_t index = source->placed;
    for (uint32_t i = 0; i < source->child_count; i++) {
        FR__TRY(add_node(gltf, gltf->children.data[source->first_child + i], index));
    }
    return FR_OK;
}

fr_status fr__gltf_add_nodes(fr__gltf *gltf) {
    for (size_t i = 0; i < gltf->roots.count; i++) {
        FR__TRY(add_node(gltf, gltf->roots.data[i], FR_NONE));
    }
    return FR_OK;
}
