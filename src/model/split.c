// The models that one file holds: nodes with polygons gathered by shape, by name or by the top of the tree.
#include "fureai/model.h"

// The only node at the top, where it has no polygons: what is below it counts as the top. FR_NONE for none.
static uint32_t only_top(const fr_model_view *view) {
    for (uint32_t i = 1; i < view->node_count; i++) {
        if (view->nodes[i].parent == FR_NONE) { return FR_NONE; }
    }
    return view->node_count > 0 && view->nodes[0].mesh == FR_NONE ? 0 : FR_NONE;
}

// The node that stands for node `index`: groups[index].node; parents come before their children.
static void find_groups(const fr_model_view *view, fr_model_split_rule rule, fr_model_group *groups) {
    uint32_t top = only_top(view);
    for (uint32_t i = 0; i < view->node_count; i++) {
        const fr_model_node *node = &view->nodes[i];
        bool is_top = node->parent == FR_NONE || node->parent == top;
        bool is_own = rule == FR_MODEL_SPLIT_SHAPE || is_top || (rule == FR_MODEL_SPLIT_NAME && node->name[0] != '\0');
        groups[i] = (fr_model_group){.node = is_own ? i : groups[node->parent].node, .bounds = fr_bounds_empty()};
    }
}

static void add_node(const fr_model *model, uint32_t index, fr_model_group *out) {
    const fr_model_view *view = fr_model_get(model);
    const fr_model_mesh *mesh = &view->meshes[view->nodes[index].mesh];
    double m[12];
    fr_model_node_matrix(model, index, m);
    out->faces += mesh->face_count;
    if (mesh->face_count > 0) {
        out->triangles += fr_model_face_begin(mesh, mesh->face_count) - (uint64_t)2 * mesh->face_count;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            size_t at = (size_t)3 * v + (size_t)k;
            p[k] = mesh->positions_double != NULL ? mesh->positions_double[at] : (double)mesh->positions_float[at];
        }
        fr_vec3 q = {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                     m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]};
        out->bounds = fr_bounds_with_point(&out->bounds, q);
    }
}

uint32_t fr_model_split(const fr_model *model, fr_model_split_rule rule, fr_model_group *groups) {
    FR_ASSERT(model != NULL && groups != NULL);
    const fr_model_view *view = fr_model_get(model);
    find_groups(view, rule, groups);
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].mesh == FR_NONE || (view->nodes[i].flags & FR_MODEL_HIDDEN) != 0) { continue; }
        add_node(model, i, &groups[groups[i].node]);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (groups[i].node == i && groups[i].faces > 0) { groups[count++] = groups[i]; }
    }
    return count;
}
