// From the graph to the model's tree. The first walk visits every node of the graph once: it reads Inlines, makes the
// meshes that are not made yet, and counts what each subtree comes to with all its instances. Only then, when the
// counts are within the limits, the second walk places each instance as a node of the tree.
#include "model.h"
#include "vrml.h"

#include <string.h>

static bool is_group(fr__vkind kind) { return kind >= FR__KIND_GROUP && kind <= FR__KIND_INLINE; }

// An instance of a prototype that no file gave: its children are shown, as those of a node that is not known.
static bool is_lost(const fr__vnode *node) {
    return node->type->kind == FR__KIND_PROTO && node->body == NULL && node->type->proto->urls != NULL &&
           node->type->proto->found == NULL;
}

// A Shape, or polygons that stand without one.
static bool is_shape(fr__vkind kind) {
    return kind == FR__KIND_SHAPE || (kind >= FR__KIND_FACES && kind <= FR__KIND_EXTRUSION);
}

// ---------------------------------------------------------------------------------------------------------------
// Children

static fr_status push_kid(fr__vrml *vrml, fr__vnode *node, uint32_t flags) {
    // What stands for a node gives it its name.
    const char *name = NULL;
    for (; node != NULL && node->type->kind == FR__KIND_PROTO && !is_lost(node); node = node->body) {
        if (name == NULL) { name = node->name; }
    }
    if (node == NULL) { return FR_OK; }
    if (name == NULL) { name = node->name; }
    fr__vkind kind = node->type->kind;
    bool is_held = is_lost(node) || kind == FR__KIND_UNKNOWN;
    if (is_held ? node->value_count == 0
                : !is_group(kind) && !is_shape(kind) && kind != FR__KIND_SOUND && kind != FR__KIND_NOTE) {
        return FR_OK;
    }
    fr__kid *place = fr__kid_array_push(&vrml->kids, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__kid){node, name, flags};
    return FR_OK;
}

static fr_status push_kids(fr__vrml *vrml, const fr__value *value, uint32_t flags) {
    for (uint32_t i = 0; value != NULL && i < value->count; i++) {
        FR__TRY(push_kid(vrml, value->nodes[i], flags));
    }
    return FR_OK;
}

// One of several choices; the others too, hidden, where they are wanted.
static fr_status push_choice(fr__vrml *vrml, const fr__value *value, int64_t choice) {
    bool all = vrml->reader->input->has_all_choices;
    for (uint32_t i = 0; value != NULL && i < value->count; i++) {
        if (i == choice) {
            FR__TRY(push_kid(vrml, value->nodes[i], 0));
        } else if (all) {
            FR__TRY(push_kid(vrml, value->nodes[i], FR_MODEL_HIDDEN));
        }
    }
    return FR_OK;
}

static const fr__value *either(const fr__vnode *node, const char *first, const char *second) {
    const fr__value *value = fr__value_find(node, first);
    return value != NULL ? value : fr__value_find(node, second);
}

static fr_status push_collision(fr__vrml *vrml, const fr__vnode *node) {
    bool collides = fr__value_bool(node, "collide") && fr__value_bool(node, "enabled");
    const fr__value *proxy = fr__value_find(node, "proxy");
    bool has_proxy = proxy != NULL && proxy->count > 0;
    FR__TRY(push_kids(vrml, fr__value_find(node, "children"), collides && !has_proxy ? 0 : FR_MODEL_NO_COLLIDE));
    return collides ? push_kids(vrml, proxy, FR_MODEL_PROXY) : FR_OK;
}

// The nodes of a node whose meaning is not known. Those that are used elsewhere are shown there.
static fr_status push_held(fr__vrml *vrml, const fr__vnode *node) {
    for (uint32_t i = 0; i < node->value_count; i++) {
        const fr__value *value = &node->values[i];
        if (value->storage != FR__NODES || value->is_redirect) { continue; }
        bool is_children = node->type->kind == FR__KIND_UNKNOWN || value == fr__value_find(node, "children");
        for (uint32_t k = 0; k < value->count; k++) {
            bool is_elsewhere = !is_children && (value->nodes[k]->flags & FR__NODE_USED) != 0;
            if (!is_elsewhere) { FR__TRY(push_kid(vrml, value->nodes[k], 0)); }
        }
    }
    return FR_OK;
}

// A body: its skeleton and its skin. The lists beside them name what stands in the skeleton
// already; what stands in a list alone is shown too.
static fr_status push_humanoid(fr__vrml *vrml, const fr__vnode *node) {
    static const char *const lists[] = {"joints", "segments", "sites"};
    FR__TRY(push_kids(vrml, fr__value_find(node, "skeleton"), 0));
    FR__TRY(push_kids(vrml, fr__value_find(node, "skin"), 0));
    FR__TRY(push_kids(vrml, fr__value_find(node, "viewpoints"), 0));
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const fr__value *value = fr__value_find(node, lists[i]);
        for (uint32_t k = 0; value != NULL && k < value->count; k++) {
            if ((value->nodes[k]->flags & FR__NODE_USED) == 0) { FR__TRY(push_kid(vrml, value->nodes[k], 0)); }
        }
    }
    return FR_OK;
}

// What stands in a group, onto the list of kids.
static fr_status push_children(fr__vrml *vrml, const fr__vnode *node) {
    const fr_model_read_input *input = vrml->reader->input;
    switch (node->type->kind) {
    case FR__KIND_COLLISION: return push_collision(vrml, node);
    case FR__KIND_HUMANOID: return push_humanoid(vrml, node);
    case FR__KIND_UNKNOWN:
    case FR__KIND_PROTO: return push_held(vrml, node);
    case FR__KIND_SWITCH:
        return push_choice(vrml, either(node, "choice", "children"), fr__value_whole(node, "whichChoice"));
    case FR__KIND_LOD: {
        const fr__value *levels = either(node, "level", "children");
        uint32_t count = levels != NULL ? levels->count : 0;
        return push_choice(vrml, levels, input->level < count ? (int64_t)input->level : (int64_t)count - 1);
    }
    case FR__KIND_BILLBOARD:
        return push_kids(vrml, fr__value_find(node, "children"),
                         FR_MODEL_BILLBOARD | (input->may_touch_billboards ? 0 : FR_MODEL_NO_COLLIDE));
    case FR__KIND_INLINE:
        for (uint32_t i = 0; node->file != NULL && i < node->file->root_count; i++) {
            FR__TRY(push_kid(vrml, node->file->roots[i], 0));
        }
        return FR_OK;
    default: return push_kids(vrml, either(node, "children", "shape"), 0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// First walk

static fr_status push_step(fr__vrml *vrml, const fr__walk_step *step) {
    fr__walk_step *place = fr__walk_step_array_push(&vrml->walk, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *step;
    return FR_OK;
}

static uint32_t add_up(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

static fr_status read_inline(fr__vrml *vrml, fr__vnode *node) {
    const fr__value *url = fr__value_find(node, "url");
    if (!fr__value_bool(node, "load")) { return FR_OK; }
    for (uint32_t i = 0; url != NULL && i < url->count; i++) {
        fr__source *source;
        FR__TRY(fr__source_open(vrml, url->strings[i], node->at, &source));
        if (source == NULL) { continue; }
        if (!source->is_read) {
            FR__TRY(fr__source_read(vrml, source));
            FR__TRY(fr__vrml_mark_targets(vrml));
        }
        if (source->is_missing) { continue; }
        FR__TRY(fr__inventor_lower(vrml, source));
        node->file = source;
        return FR_OK;
    }
    return FR_OK;
}

// What a node is made into beside its children.
static fr_status enter(fr__vrml *vrml, fr__vnode *node) {
    switch (node->type->kind) {
    case FR__KIND_INLINE: return read_inline(vrml, node);
    case FR__KIND_TRANSFORM:
    case FR__KIND_HUMANOID: {
        fr_vec3 scale = fr__value_vec3(node, "scale");
        if (node->type->kind == FR__KIND_HUMANOID) { fr__vrml_keep_skin(node); }
        if (scale.x * scale.y * scale.z != 0.0) { return FR_OK; }
        return fr__vrml_problem(vrml, node->at, "a scale of 0: what stands in it is shown and not touched");
    }
    case FR__KIND_NOTE:
    case FR__KIND_BILLBOARD: return fr__vrml_note(vrml, node);
    default: return is_shape(node->type->kind) ? fr__vrml_build_shape(vrml, node) : FR_OK;
    }
}

static void count_own(fr__vrml *vrml, fr__vnode *node) {
    const fr__builder *builder = &vrml->reader->builder;
    node->node_count = node->type->kind != FR__KIND_NOTE;
    if (!is_shape(node->type->kind) || node->mesh == FR_NONE) { return; }
    const fr__builder_part *parts = builder->parts.data, *part = &parts[node->mesh];
    bool is_last = node->mesh + 1 == builder->parts.count;
    size_t vertices = (is_last ? builder->positions.count : part[1].first_vertex) - part->first_vertex;
    size_t faces = (is_last ? builder->face_count : part[1].first_face) - part->first_face;
    size_t corners = (is_last ? builder->corners.count : part[1].first_corner) - part->first_corner;
    node->vertex_count = (uint32_t)vertices;
    node->triangle_count = (uint32_t)(corners - 2 * faces);
}

// A file that stands in itself by a path that its name did not show.
static fr_status cut_cycle(fr__vrml *vrml, fr__vnode *node) {
    for (size_t i = 0; i < vrml->kids.count; i++) {
        const fr__vnode *kid = vrml->kids.data[i].node;
        if ((kid->flags & FR__NODE_ENTERED) == 0) { continue; }
        node->file = NULL;
        vrml->kids.count = 0;
        return fr__vrml_problem(vrml, node->at, "the file would be read inside of itself");
    }
    return FR_OK;
}

static fr_status walk_step(fr__vrml *vrml) {
    fr__walk_step *top = vrml->walk.data + vrml->walk.count - 1;
    fr__vnode *node = top->node;
    vrml->made = node;
    if (!top->is_second) {
        top->is_second = true;
        if ((node->flags & (FR__NODE_COUNTED | FR__NODE_ENTERED)) != 0) {
            vrml->walk.count--;
            return FR_OK;
        }
        node->flags |= FR__NODE_ENTERED;
        FR__TRY(enter(vrml, node));
        vrml->kids.count = 0;
        FR__TRY(push_children(vrml, node));
        FR__TRY(cut_cycle(vrml, node));
        for (size_t i = vrml->kids.count; i-- > 0;) {
            fr__vnode *kid = vrml->kids.data[i].node;
            FR__TRY(push_step(vrml, &(fr__walk_step){.node = kid}));
        }
        return FR_OK;
    }
    vrml->walk.count--;
    count_own(vrml, node);
    vrml->kids.count = 0;
    FR__TRY(push_children(vrml, node));
    for (size_t i = 0; i < vrml->kids.count; i++) {
        const fr__vnode *kid = vrml->kids.data[i].node;
        node->node_count = add_up(node->node_count, kid->node_count);
        node->vertex_count = add_up(node->vertex_count, kid->vertex_count);
        node->triangle_count = add_up(node->triangle_count, kid->triangle_count);
    }
    node->flags = (uint16_t)((node->flags & ~FR__NODE_ENTERED) | FR__NODE_COUNTED);
    return FR_OK;
}

static fr_status check_limit(fr__vrml *vrml, uint64_t count, uint64_t limit, const char *what) {
    if (count <= limit) { return FR_OK; }
    return fr__vrml_fail(vrml, vrml->made->at, FR_ERROR_LIMIT, "its instances come to more than %llu %s, the limit",
                         (unsigned long long)limit, what);
}

static fr_status count_all(fr__vrml *vrml, fr__vnode **roots, uint32_t root_count) {
    const fr_model_limits *limits = &vrml->reader->builder.limits;
    uint64_t nodes = 0, vertices = 0, triangles = 0;
    const fr__vnode *heaviest = NULL;
    for (uint32_t i = 0; i < root_count; i++) {
        vrml->kids.count = 0;
        FR__TRY(push_kid(vrml, roots[i], 0));
        if (vrml->kids.count == 0) { continue; }
        fr__vnode *root = vrml->kids.data[0].node;
        FR__TRY(push_step(vrml, &(fr__walk_step){.node = root}));
        while (vrml->walk.count > 0) {
            FR__TRY(walk_step(vrml));
            if (!fr__builder_goes_on(&vrml->reader->builder, 16)) { return fr__vrml_fail_building(vrml, NULL); }
        }
        nodes += root->node_count;
        vertices += root->vertex_count;
        triangles += root->triangle_count;
        if (heaviest == NULL || root->node_count > heaviest->node_count) { heaviest = root; }
    }
    vrml->made = heaviest;
    FR__TRY(check_limit(vrml, nodes, limits->nodes, "nodes"));
    FR__TRY(check_limit(vrml, vertices, limits->placed_vertices, "vertices"));
    FR__TRY(check_limit(vrml, triangles, limits->placed_triangles, "triangles"));
    // All at once, or not at all: the nodes are the most that instances cost.
    bool has_room = nodes <= SIZE_MAX && fr__model_node_array_reserve(&vrml->reader->builder.nodes, (size_t)nodes);
    return has_room ? FR_OK : fr__vrml_memory(vrml);
}

// ---------------------------------------------------------------------------------------------------------------
// Second walk

static bool is_identity(fr_quat q) { return q.x == 0.0 && q.y == 0.0 && q.z == 0.0; }

// All places of a node have the same matrix; each has a placement of its own, which a track moves.
static fr_status set_transform(fr__vrml *vrml, fr__vnode *node, fr_model_node *placed) {
    fr__builder *builder = &vrml->reader->builder;
    fr_model_placement placement = {.translation = fr__value_vec3(node, "translation"),
                                    .center = fr__value_vec3(node, "center"),
                                    .scale = fr__value_vec3(node, "scale"),
                                    .rotation = fr__value_turn(node, "rotation"),
                                    .scale_orientation = fr__value_turn(node, "scaleOrientation")};
    fr_vec3 t = placement.translation, s = placement.scale;
    if (s.x * s.y * s.z == 0.0) { placed->flags |= FR_MODEL_NO_COLLIDE; }
    bool is_still = t.x == 0.0 && t.y == 0.0 && t.z == 0.0 && s.x == 1.0 && s.y == 1.0 && s.z == 1.0;
    if ((node->flags & FR__NODE_TARGET) != 0) {
        placed->placement = fr__model_placement_array_add(&builder->placements, &placement);
        if (placed->placement == FR_NONE) { return fr__vrml_memory(vrml); }
    } else if (is_still && is_identity(placement.rotation)) {
        return FR_OK;
    }
    if (node->matrix == NULL) {
        double *matrix = fr__builder_alloc(builder, 12, sizeof(double), _Alignof(double));
        if (matrix == NULL) { return fr__vrml_memory(vrml); }
        fr_model_placement_matrix(&placement, matrix);
        node->matrix = matrix;
    }
    placed->transform = node->matrix;
    return FR_OK;
}

// Remembers where a node that a route moves stands.
static fr_status note_place(fr__vrml *vrml, fr__vnode *node, uint32_t index) {
    if ((node->flags & FR__NODE_TARGET) == 0) { return FR_OK; }
    fr__vplace *place = fr__vplace_array_push(&vrml->places, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__vplace){index, node->first_place};
    node->first_place = (uint32_t)(vrml->places.count - 1);
    return FR_OK;
}

static fr_status place_node(fr__vrml *vrml, const fr__walk_step *step, uint32_t *index, uint32_t *flags) {
    fr__builder *builder = &vrml->reader->builder;
    fr__vnode *node = step->node;
    fr_model_node placed = fr_default_model_node();
    placed.parent = step->parent;
    placed.flags = step->flags;
    // Names that our writer makes up say nothing.
    if (step->name != NULL && strncmp(step->name, "_fr_", 4) != 0) {
        placed.name = step->name;
    } else if (step->name == NULL && strncmp(node->type->name, "HAnim", 5) == 0) {
        placed.name = fr__builder_text(builder, fr__value_string(node, "name"));
        if (placed.name == NULL) { return fr__vrml_memory(vrml); }
    }
    if (fr__is_transform(node->type->kind)) { FR__TRY(set_transform(vrml, node, &placed)); }
    if (node->type->kind == FR__KIND_PLACED && node->matrix != NULL) {
        placed.transform = node->matrix;
        if (fr__matrix_determinant(node->matrix) == 0.0) { placed.flags |= FR_MODEL_NO_COLLIDE; }
    }
    if (is_shape(node->type->kind)) { placed.mesh = node->mesh; }
    if (node->type->kind == FR__KIND_SHAPE) { placed.material = node->material; }
    *index = fr__builder_add_node(builder, &placed);
    if (*index == FR_NONE) { return fr__reader_fail_building(vrml->reader, NULL); }
    *flags = placed.flags;
    if (node->type->kind == FR__KIND_SOUND) { FR__TRY(fr__vrml_sound(vrml, node, *index)); }
    FR__TRY(fr__vrml_note_body(vrml, node, *index));
    return note_place(vrml, node, *index);
}

static fr_status place_all(fr__vrml *vrml, fr__vnode **roots, uint32_t root_count) {
    vrml->kids.count = 0;
    for (uint32_t i = 0; i < root_count; i++) {
        FR__TRY(push_kid(vrml, roots[i], 0));
    }
    for (size_t i = vrml->kids.count; i-- > 0;) {
        const fr__kid *kid = vrml->kids.data + i;
        FR__TRY(push_step(vrml, &(fr__walk_step){.node = kid->node, .name = kid->name, .parent = FR_NONE}));
    }
    while (vrml->walk.count > 0) {
        fr__walk_step step = vrml->walk.data[--vrml->walk.count];
        if (step.node->type->kind == FR__KIND_NOTE) { continue; }
        if (!fr__builder_goes_on(&vrml->reader->builder, 16)) { return fr__vrml_fail_building(vrml, NULL); }
        uint32_t index = FR_NONE, flags = 0;
        vrml->made = step.node;
        FR__TRY(place_node(vrml, &step, &index, &flags));
        vrml->kids.count = 0;
        FR__TRY(push_children(vrml, step.node));
        for (size_t i = vrml->kids.count; i-- > 0;) {
            const fr__kid *kid = vrml->kids.data + i;
            fr__walk_step next = {.node = kid->node, .name = kid->name, .parent = index, .flags = flags | kid->flags};
            FR__TRY(push_step(vrml, &next));
        }
    }
    return FR_OK;
}

fr_status fr__vrml_build(fr__vrml *vrml, fr__vnode **roots, uint32_t root_count) {
    fr__builder *builder = &vrml->reader->builder;
    vrml->walk = fr__walk_step_array_make(&builder->allocator);
    FR__TRY(fr__vrml_mark_targets(vrml));
    FR__TRY(count_all(vrml, roots, root_count));
    FR__TRY(place_all(vrml, roots, root_count));
    FR__TRY(fr__vrml_add_skins(vrml));
    FR__TRY(fr__vrml_tracks(vrml));
    if (builder->nodes.count == 0) {
        fr_model_node empty = fr_default_model_node();
        if (fr__builder_add_node(builder, &empty) == FR_NONE) { return fr__reader_fail_building(vrml->reader, NULL); }
    }
    if (builder->face_count == 0) { fr__vrml_warn(vrml, NULL, "the file has no polygon"); }
    return FR_OK;
}
