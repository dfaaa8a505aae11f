// Skins of H-Anim bodies: the joints that the vertices of a humanoid's skin follow, and the shapes that displacers give
// it. A vertex follows the humanoid itself by as much as no joint has of it. Its coordinates are where it is while no
// joint is turned: inverse binds change nothing.
#include "model.h"
#include "vrml.h"

#include <string.h>

// The list of a field, of a type and with an element at least; NULL where it is not there.
static const fr__value *list_of(const fr__vnode *node, const char *field, fr__storage storage) {
    const fr__value *value = fr__value_find(node, field);
    return value != NULL && value->storage == storage && value->count > 0 ? value : NULL;
}

static bool is_joint(const fr__vnode *node) { return strcmp(node->type->name, "HAnimJoint") == 0; }

static const fr__vnode *skin_coord(const fr__vnode *node) {
    return node->type->kind == FR__KIND_HUMANOID ? fr__value_node(node, "skinCoord") : NULL;
}

void fr__vrml_keep_skin(fr__vnode *humanoid) {
    fr__vnode *coord = fr__value_node(humanoid, "skinCoord");
    if (coord != NULL) { coord->flags |= FR__NODE_TARGET; }
}

fr_status fr__vrml_note_body(fr__vrml *vrml, const fr__vnode *node, uint32_t index) {
    bool is_bone = is_joint(node) && list_of(node, "skinCoordIndex", FR__WHOLES) != NULL;
    if (!is_bone && skin_coord(node) == NULL) { return FR_OK; }
    fr__vbody *place = fr__vbody_array_push(&vrml->bodies, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__vbody){node, index};
    return FR_OK;
}

static bool is_below(const fr__builder *builder, uint32_t node, uint32_t top) {
    const fr_model_node *nodes = builder->nodes.data;
    while (node != FR_NONE && node > top) {
        node = nodes[node].parent;
    }
    return node == top;
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

// The joints of all vertices; place 0 of each is for the humanoid.
static fr_status add_joint(fr__vrml *vrml, const fr__vnode *joint, uint32_t bone, uint32_t vertices, uint32_t *bones,
                           float *weights) {
    const fr__value *indices = list_of(joint, "skinCoordIndex", FR__WHOLES);
    const fr__value *shares = list_of(joint, "skinCoordWeight", FR__FLOATS);
    bool has_wrong = false;
    for (uint32_t i = 0; i < indices->count; i++) {
        float weight = shares != NULL && i < shares->count ? shares->floats[i] : 1.0f;
        bool is_right =
            indices->wholes[i] >= 0 && (uint32_t)indices->wholes[i] < vertices && weight >= 0.0f && weight <= 1e6f;
        has_wrong = has_wrong || !is_right;
        if (!is_right) { continue; }
        size_t at = (size_t)FR_SKIN_MAX_INFLUENCES * (uint32_t)indices->wholes[i];
        fr__add_influence(bones + at, weights + at, 1, bone, weight);
    }
    if (!has_wrong) { return FR_OK; }
    return fr__vrml_problem(vrml, joint->at, "a joint has a weight, or a vertex of the skin, that cannot be");
}

// What no joint has of a vertex is the humanoid's; more than all of it is scaled.
static void fill_up(uint32_t vertices, float *weights) {
    for (uint32_t v = 0; v < vertices; v++) {
        float *w = weights + (size_t)FR_SKIN_MAX_INFLUENCES * v;
        double sum = 0.0;
        for (uint32_t k = 1; k < FR_SKIN_MAX_INFLUENCES; k++) {
            sum += (double)w[k];
        }
        w[0] = sum < 1.0 ? (float)(1.0 - sum) : 0.0f;
        for (uint32_t k = 1; k < FR_SKIN_MAX_INFLUENCES && sum > 1.0; k++) {
            w[k] = (float)((double)w[k] / sum);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

static uint32_t displacer_count(const fr__vbody *bodies, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i < count; i++) {
        const fr__value *list = fr__value_find(bodies[i].node, "displacers");
        sum += list != NULL ? list->count : 0;
    }
    return sum;
}

static void add_displacer(const fr__vnode *node, uint32_t vertices, float *target, float *weight) {
    const fr__value *indices = list_of(node, "coordIndex", FR__WHOLES);
    const fr__value *steps = list_of(node, "displacements", FR__FLOATS);
    *weight = fr__has_field(node, "weight") ? (float)fr__value_double(node, "weight") : 0.0f;
    for (uint32_t i = 0; indices != NULL && steps != NULL && i < indices->count && i < steps->count; i++) {
        if (indices->wholes[i] < 0 || (uint32_t)indices->wholes[i] >= vertices) { continue; }
        memcpy(target + (size_t)3 * (uint32_t)indices->wholes[i], steps->floats + (size_t)3 * i, 3 * sizeof(float));
    }
}

// Displacers of joints that move the skin, as shapes of it.
static fr_status add_displacers(fr__vrml *vrml, const fr__vbody *bodies, uint32_t count, uint32_t vertices,
                                fr_model_deform *deform) {
    fr__builder *builder = &vrml->reader->builder;
    uint32_t shapes = displacer_count(bodies, count), next = 0;
    if (shapes == 0) { return FR_OK; }
    if ((uint64_t)shapes * vertices > builder->limits.placed_vertices) {
        return fr__vrml_fail(vrml, bodies[0].node->at, FR_ERROR_LIMIT,
                             "displacers of a body come to more than %llu vertices, the limit",
                             (unsigned long long)builder->limits.placed_vertices);
    }
    float *targets = fr__builder_alloc(builder, shapes, 3 * (size_t)vertices * sizeof *targets, sizeof *targets);
    float *weights = fr__builder_alloc(builder, shapes, sizeof *weights, sizeof *weights);
    if (targets == NULL || weights == NULL) { return fr__vrml_memory(vrml); }
    memset(targets, 0, (size_t)shapes * 3 * vertices * sizeof *targets);
    for (uint32_t i = 1; i < count; i++) {
        const fr__value *list = fr__value_find(bodies[i].node, "displacers");
        for (uint32_t k = 0; list != NULL && k < list->count; k++, next++) {
            add_displacer(list->nodes[k], vertices, targets + (size_t)3 * vertices * next, &weights[next]);
        }
    }
    deform->target_count = shapes;
    deform->targets = targets;
    deform->target_weights = weights;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

// How the mesh of a skin is deformed by a humanoid, the first of `bodies`, and its joints.
static fr_status deform_mesh(fr__vrml *vrml, const fr__vbody *bodies, uint32_t count, uint32_t vertices,
                             fr__builder_part *part) {
    fr__builder *builder = &vrml->reader->builder;
    size_t all = (size_t)FR_SKIN_MAX_INFLUENCES * vertices;
    fr_model_deform *deform = fr__builder_alloc(builder, 1, sizeof *deform, _Alignof(fr_model_deform));
    uint32_t *bones = fr__builder_alloc(builder, all, sizeof *bones, sizeof *bones);
    float *weights = fr__builder_alloc(builder, all, sizeof *weights, sizeof *weights);
    if (deform == NULL || bones == NULL || weights == NULL) { return fr__vrml_memory(vrml); }
    memset(bones, 0, all * sizeof *bones);
    memset(weights, 0, all * sizeof *weights);
    for (uint32_t i = 1; i < count; i++) {
        FR__TRY(add_joint(vrml, bodies[i].node, i, vertices, bones, weights));
    }
    fill_up(vertices, weights);
    *deform = (fr_model_deform){
        .influence_count = FR_SKIN_MAX_INFLUENCES, .bone_count = count, .bones = bones, .weights = weights};
    FR__TRY(add_displacers(vrml, bodies, count, vertices, deform));
    part->deform = deform;
    return FR_OK;
}

// Remembers which node each displacer changes the shape of, for routes to its weight.
static fr_status note_displacers(fr__vrml *vrml, const fr__vbody *bodies, uint32_t count, uint32_t node,
                                 const fr_model_deform *deform) {
    uint32_t shape = 0;
    for (uint32_t i = 1; i < count && deform->target_count > 0; i++) {
        const fr__value *list = fr__value_find(bodies[i].node, "displacers");
        for (uint32_t k = 0; list != NULL && k < list->count; k++, shape++) {
            if (shape >= deform->target_count || vrml->displacers.count >= vrml->reader->builder.limits.nodes) {
                return FR_OK;
            }
            fr__vdisplacer *place = fr__vdisplacer_array_push(&vrml->displacers, 1);
            if (place == NULL) { return fr__vrml_memory(vrml); }
            fr__vnode *displacer = list->nodes[k];
            *place =
                (fr__vdisplacer){node, shape, deform->target_count, deform->target_weights, displacer->first_place};
            displacer->first_place = (uint32_t)(vrml->displacers.count - 1);
        }
    }
    return FR_OK;
}

static fr_status add_skin(fr__vrml *vrml, const fr__vbody *bodies, uint32_t count, uint32_t *index) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    fr__builder *builder = &vrml->reader->builder;
    uint32_t *nodes = fr__builder_alloc(builder, count, sizeof *nodes, sizeof *nodes);
    double *binds = fr__builder_alloc(builder, count, sizeof identity, _Alignof(double));
    if (nodes == NULL || binds == NULL) { return fr__vrml_memory(vrml); }
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = bodies[i].index;
        memcpy(binds + (size_t)12 * i, identity, sizeof identity);
    }
    fr_model_skin skin = {.name = builder->nodes.data[bodies[0].index].name,
                          .bone_count = count,
                          .nodes = nodes,
                          .inverse_binds = binds,
                          .root = bodies[0].index};
    *index = fr__model_skin_array_add(&builder->skins, &skin);
    return *index != FR_NONE ? FR_OK : fr__vrml_memory(vrml);
}

// The skin of a humanoid and its joints, for each mesh that has its coordinates.
static fr_status add_body(fr__vrml *vrml, const fr__vbody *bodies, uint32_t count) {
    fr__builder *builder = &vrml->reader->builder;
    const fr__vnode *coord = skin_coord(bodies[0].node);
    const fr__value *points = fr__value_find(coord, "point");
    uint32_t skin = FR_NONE;
    if (count < 2 || count > FR_SKIN_MAX_BONES || points == NULL) { return FR_OK; }
    for (uint32_t i = coord->first_place; i != FR_NONE; i = vrml->uses.data[i].next) {
        uint32_t mesh = vrml->uses.data[i].index;
        fr__builder_part *part = builder->parts.data + mesh;
        bool is_last = mesh + 1 == builder->parts.count;
        size_t vertices = (is_last ? builder->positions.count : part[1].first_vertex) - part->first_vertex;
        if (vertices != points->count) { continue; }
        if (part->deform == NULL) { FR__TRY(deform_mesh(vrml, bodies, count, points->count, part)); }
        if (part->deform->bone_count > count) { continue; }
        if (skin == FR_NONE) { FR__TRY(add_skin(vrml, bodies, count, &skin)); }
        for (uint32_t n = bodies[0].index + 1; n < builder->nodes.count; n++) {
            fr_model_node *node = builder->nodes.data + n;
            if (node->mesh != mesh || !is_below(builder, n, bodies[0].index)) { continue; }
            node->skin = skin;
            FR__TRY(note_displacers(vrml, bodies, count, n, part->deform));
        }
    }
    return FR_OK;
}

fr_status fr__vrml_add_skins(fr__vrml *vrml) {
    const fr__vbody *bodies = vrml->bodies.data;
    uint32_t all = (uint32_t)vrml->bodies.count;
    for (uint32_t i = 0; i < all; i++) {
        if (skin_coord(bodies[i].node) == NULL) { continue; }
        // Joints stand after their humanoid, until one is not below it.
        uint32_t count = 1;
        while (i + count < all && is_joint(bodies[i + count].node) &&
               is_below(&vrml->reader->builder, bodies[i + count].index, bodies[i].index)) {
            count++;
        }
        FR__TRY(add_body(vrml, bodies + i, count));
    }
    return FR_OK;
}
