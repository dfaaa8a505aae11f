// What the shown scene of a Collada file leads to, into the builder: each list of polygons becomes a part, with the
// vertices that it uses in the order of their first use, and each node a node, again wherever it is shown.
#include "collada.h"
#include "model.h"

#include <math.h>
#include <string.h>

#define MAX_CONTROLLERS 8 // one after another

typedef struct dae_build {
    fr__dae *dae;
    fr__builder *builder;
    fr_uint32_array vertex_of; // vertex of the part at hand for each position; FR_NONE for those without
} dae_build;

static fr_status no_memory(dae_build *b) { return fr__reader_fail_building(b->dae->reader, NULL); }

// ---------------------------------------------------------------------------------------------------------------
// Parts

// Component `k` of an element; 0 where it has none.
static double component(const dae_build *b, const fr__dae_stream *stream, uint32_t element, int k) {
    if (stream->components[k] == FR_NONE) { return 0.0; }
    size_t at = stream->first + (size_t)element * stream->stride + stream->components[k];
    return b->builder->is_double ? b->dae->doubles.data[at] : (double)b->dae->floats.data[at];
}

// The vertex of a position, made when it is first used.
static bool take_vertex(dae_build *b, const fr__dae_stream *stream, uint32_t position, uint32_t *vertex) {
    uint32_t *place = &b->vertex_of.data[position];
    if (*place == FR_NONE) {
        void *numbers = fr__builder_vertex(b->builder);
        if (numbers == NULL || !fr__push_index(&b->dae->origins, position)) { return false; }
        for (int k = 0; k < 3; k++) {
            double value = component(b, stream, position, k);
            if (b->builder->is_double) {
                ((double *)numbers)[k] = value;
            } else {
                ((float *)numbers)[k] = (float)value;
            }
        }
        *place = (uint32_t)(b->builder->positions.count - 1 - fr__builder_last_part(b->builder)->first_vertex);
    }
    *vertex = *place;
    return true;
}

static uint8_t channel(double value) {
    return (uint8_t)(value > 0.0 ? (value < 1.0 ? value * 255.0 + 0.5 : 255.0) : 0.0);
}

// What stands at a corner, given to the corner that was added last.
static bool add_attributes(dae_build *b, const fr__dae_list *list, const uint32_t *corner) {
    const fr__dae_stream *normal = &list->streams[FR__DAE_NORMAL], *uv = &list->streams[FR__DAE_UV];
    const fr__dae_stream *paint = &list->streams[FR__DAE_PAINT];
    float values[3];
    if (normal->count > 0) {
        for (int k = 0; k < 3; k++) {
            values[k] = (float)component(b, normal, corner[normal->column], k);
        }
        if (!fr__builder_normal_corner(b->builder, values)) { return false; }
    }
    if (uv->count > 0) {
        for (int k = 0; k < 2; k++) {
            values[k] = (float)component(b, uv, corner[uv->column], k);
        }
        if (!fr__builder_uv_corner(b->builder, values)) { return false; }
    }
    if (paint->count == 0) { return true; }
    uint32_t at = corner[paint->column];
    bool has_alpha = paint->components[3] != FR_NONE;
    return fr__builder_color_corner(b->builder,
                                    (fr_color){channel(component(b, paint, at, 0)), channel(component(b, paint, at, 1)),
                                               channel(component(b, paint, at, 2)),
                                               has_alpha ? channel(component(b, paint, at, 3)) : 255});
}

static const uint32_t *corner_at(const dae_build *b, const fr__dae_list *list, uint32_t corner) {
    return b->dae->indices.data + list->first_index + (size_t)corner * list->stride;
}

static bool add_corner(dae_build *b, const fr__dae_list *list, uint32_t number) {
    const uint32_t *corner = corner_at(b, list, number);
    const fr__dae_stream *stream = &list->streams[FR__DAE_POSITION];
    uint32_t vertex = 0;
    return take_vertex(b, stream, corner[stream->column], &vertex) && fr__builder_corner(b->builder, vertex) &&
           add_attributes(b, list, corner);
}

static bool add_triangle(dae_build *b, const fr__dae_list *list, uint32_t i, uint32_t j, uint32_t k) {
    return add_corner(b, list, i) && add_corner(b, list, j) && add_corner(b, list, k) &&
           fr__builder_end_face(b->builder, 3);
}

// Corners `begin` to `end` - 1 as one polygon. Lines and points are counted; the vertices stay.
static bool add_polygon(dae_build *b, const fr__dae_list *list, uint32_t begin, uint32_t end) {
    const fr__dae_stream *stream = &list->streams[FR__DAE_POSITION];
    uint32_t vertex = 0;
    if (end - begin < 3) {
        b->builder->line_count += end - begin == 2;
        b->builder->point_count += end - begin == 1;
        for (uint32_t i = begin; i < end; i++) {
            if (!take_vertex(b, stream, corner_at(b, list, i)[stream->column], &vertex)) { return false; }
        }
        return true;
    }
    for (uint32_t i = begin; i < end; i++) {
        if (!add_corner(b, list, i)) { return false; }
    }
    return fr__builder_end_face(b->builder, end - begin);
}

// The triangles or lines of a strip or fan.
static bool add_strip(dae_build *b, const fr__dae_list *list, uint32_t begin, uint32_t end) {
    bool done = true;
    if (list->kind == FR__DAE_LINE_STRIPS) {
        for (uint32_t i = begin; i + 1 < end && done; i++) {
            done = add_polygon(b, list, i, i + 2);
        }
        return done;
    }
    for (uint32_t i = begin; i + 2 < end && done; i++) {
        // Every other triangle of a strip is turned about.
        uint32_t odd = (i - begin) % 2;
        done = list->kind == FR__DAE_FANS ? add_triangle(b, list, begin, i + 1, i + 2)
                                          : add_triangle(b, list, i + odd, i + 1 - odd, i + 2);
    }
    return done;
}

static bool add_polygons(dae_build *b, const fr__dae_list *list) {
    uint32_t step = list->kind == FR__DAE_TRIANGLES ? 3 : list->kind == FR__DAE_LINES ? 2 : 0;
    bool done = true;
    for (uint32_t i = 0; step > 0 && i < list->corner_count && done; i += step) {
        done = add_polygon(b, list, i, i + step);
    }
    const uint32_t *ends = b->dae->ends.data + list->first_end;
    bool is_polygons = list->kind == FR__DAE_POLYLIST || list->kind == FR__DAE_POLYGONS;
    for (uint32_t p = 0; step == 0 && p < list->end_count && done; p++) {
        uint32_t begin = p > 0 ? ends[p - 1] : 0;
        done = is_polygons ? add_polygon(b, list, begin, ends[p]) : add_strip(b, list, begin, ends[p]);
    }
    return done;
}

static fr_status add_part(dae_build *b, fr__dae_list *list) {
    const fr__dae_stream *stream = &list->streams[FR__DAE_POSITION];
    list->part = (uint32_t)b->builder->parts.count;
    list->first_origin = b->dae->origins.count;
    bool done = fr__builder_begin_part(b->builder, (fr__span){"", 0});
    while (done && b->vertex_of.count < stream->count) {
        size_t missing = stream->count - b->vertex_of.count;
        uint32_t *place = fr_uint32_array_push(&b->vertex_of, missing);
        done = place != NULL;
        if (done) { memset(place, 0xff, missing * sizeof(uint32_t)); }
    }
    if (!done || !add_polygons(b, list)) { return fr__reader_fail_building(b->dae->reader, NULL); }
    list->origin_count = b->dae->origins.count - list->first_origin;
    for (uint32_t i = 0; i < list->corner_count; i++) {
        b->vertex_of.data[corner_at(b, list, i)[stream->column]] = FR_NONE;
    }
    return FR_OK;
}

static fr_status add_parts(dae_build *b) {
    const fr__dae_geometry *geometries = b->dae->geometries.data;
    fr__dae_list *lists = b->dae->lists.data;
    for (size_t g = 0; g < b->dae->geometries.count; g++) {
        for (uint32_t i = 0; i < geometries[g].list_count && geometries[g].is_shown; i++) {
            FR__TRY(add_part(b, &lists[geometries[g].first_list + i]));
        }
        FR__TRY(fr__cursor_check_now(&b->dae->reader->cursor));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The tree

// What a node comes to with all below it and all that is shown in it, and how deep that is.
static fr_status sum_up(dae_build *b, uint32_t index, uint32_t depth);

static fr_status add_sum(dae_build *b, uint32_t index, uint32_t child, uint32_t depth) {
    fr__dae_node *nodes = b->dae->nodes.data;
    FR__TRY(sum_up(b, child, depth + 1));
    nodes[index].total += nodes[child].total;
    if (nodes[child].height + 1 > nodes[index].height) { nodes[index].height = nodes[child].height + 1; }
    return FR_OK;
}

static fr_status sum_up(dae_build *b, uint32_t index, uint32_t depth) {
    fr__dae_node *nodes = b->dae->nodes.data, *node = &nodes[index];
    const fr__dae_use *uses = b->dae->uses.data;
    fr__cursor *cursor = &b->dae->reader->cursor;
    const fr_model_limits *limits = &b->builder->limits;
    if (node->is_summed) { return FR_OK; }
    // The depth bounds this function; the height bounds all later walks.
    bool is_deep = node->is_open || depth > limits->nesting;
    node->is_open = true;
    node->total = node->is_scene ? 0 : 1;
    for (uint32_t use = node->geometry_uses.first; use != FR_NONE; use = uses[use].next) {
        node->total += uses[use].binding_count / 8;
    }
    node->height = node->is_scene ? 0 : 1;
    for (uint32_t child = node->children.first; child != FR_NONE && !is_deep; child = nodes[child].next) {
        FR__TRY(add_sum(b, index, child, depth));
    }
    for (uint32_t use = node->node_uses.first; use != FR_NONE && !is_deep; use = uses[use].next) {
        uint32_t child = uses[use].id != FR_NONE ? fr__dae_id_of(b->dae, uses[use].id)->node : FR_NONE;
        if (child != FR_NONE) { FR__TRY(add_sum(b, index, child, depth)); }
    }
    if (is_deep || node->height > limits->nesting) {
        return fr__cursor_fail(cursor, node->at, FR_ERROR_LIMIT,
                               "more than %u nodes in one another, the limit, or a node below itself", limits->nesting);
    }
    if (node->total > limits->nodes) {
        return fr__cursor_fail(cursor, node->at, FR_ERROR_LIMIT, "more than %llu nodes after instancing, the limit",
                               (unsigned long long)limits->nodes);
    }
    node->is_summed = true;
    return FR_OK;
}

// The geometry that a use shows, by itself or through controllers; FR_NONE where it is not there. *bind is where the
// outermost skin has it; NULL: as it is.
static uint32_t shown_geometry(const dae_build *b, const fr__dae_use *use, const double **bind) {
    uint32_t id = use->id;
    *bind = NULL;
    // A skin may deform a morph; longer chains, and those that come back on themselves, lead nowhere.
    for (int step = 0; step < MAX_CONTROLLERS && id != FR_NONE; step++) {
        const fr__dae_id *named = fr__dae_id_of(b->dae, id);
        if (named->geometry != FR_NONE) { return named->geometry; }
        if (named->controller == FR_NONE) { return FR_NONE; }
        const fr__dae_controller *controller = &b->dae->controllers.data[named->controller];
        if (*bind == NULL) { *bind = controller->bind; }
        id = controller->source_id;
    }
    return FR_NONE;
}

// Notes a use of what is not there: a warning, or a failure where reading is strict.
static fr_status note_use(dae_build *b, const fr__dae_use *use, const char *what) {
    if (b->dae->reader->input->is_strict) {
        return fr__cursor_fail(&b->dae->reader->cursor, use->at, FR_ERROR_SYNTAX,
                               "an instance of a %s that is not there", what);
    }
    fr__reader_warn(b->dae->reader, use->at, "an instance of a %s that is not there is passed over", what);
    return FR_OK;
}

// Uses of what is not there are noted, wherever they stand.
static fr_status check_uses(dae_build *b) {
    const fr__dae_node *nodes = b->dae->nodes.data;
    const fr__dae_use *uses = b->dae->uses.data;
    const double *bind = NULL;
    for (size_t i = 0; i < b->dae->nodes.count; i++) {
        for (uint32_t use = nodes[i].node_uses.first; use != FR_NONE; use = uses[use].next) {
            if (uses[use].id != FR_NONE && fr__dae_id_of(b->dae, uses[use].id)->node != FR_NONE) { continue; }
            FR__TRY(note_use(b, &uses[use], "node"));
        }
        for (uint32_t use = nodes[i].geometry_uses.first; use != FR_NONE; use = uses[use].next) {
            if (shown_geometry(b, &uses[use], &bind) == FR_NONE) { FR__TRY(note_use(b, &uses[use], "geometry")); }
        }
    }
    return FR_OK;
}

// Marks the geometries that a node shows, with all below it.
static void mark_shown(dae_build *b, uint32_t index) {
    fr__dae_node *nodes = b->dae->nodes.data;
    const fr__dae_use *uses = b->dae->uses.data;
    if (nodes[index].is_shown) { return; }
    nodes[index].is_shown = true;
    for (uint32_t use = nodes[index].geometry_uses.first; use != FR_NONE; use = uses[use].next) {
        const double *bind = NULL;
        uint32_t geometry = shown_geometry(b, &uses[use], &bind);
        if (geometry != FR_NONE) { b->dae->geometries.data[geometry].is_shown = true; }
    }
    for (uint32_t child = nodes[index].children.first; child != FR_NONE; child = nodes[child].next) {
        mark_shown(b, child);
    }
    for (uint32_t use = nodes[index].node_uses.first; use != FR_NONE; use = uses[use].next) {
        uint32_t child = uses[use].id != FR_NONE ? fr__dae_id_of(b->dae, uses[use].id)->node : FR_NONE;
        if (child != FR_NONE) { mark_shown(b, child); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// Binds the symbols of a use to materials, or lets them go. The first material of all, for symbols without one.
static uint32_t bind_symbols(const dae_build *b, const fr__dae_use *use, bool is_bound) {
    const fr__dae_binding *bindings = b->dae->bindings.data;
    uint32_t first = FR_NONE;
    for (uint32_t i = use->bindings.first; i != FR_NONE; i = bindings[i].next) {
        uint32_t id = bindings[i].material_id;
        uint32_t material = id != FR_NONE ? fr__dae_id_of(b->dae, id)->material : FR_NONE;
        if (first == FR_NONE) { first = material; }
        if (material != FR_NONE) { fr__dae_id_of(b->dae, bindings[i].symbol)->bound = is_bound ? material : FR_NONE; }
    }
    return first;
}

// The controller of a use that has a skin, directly above its geometry; FR_NONE for none.
static uint32_t skin_of(const dae_build *b, const fr__dae_use *use) {
    uint32_t index = use->id != FR_NONE ? fr__dae_id_of(b->dae, use->id)->controller : FR_NONE;
    if (index == FR_NONE) { return FR_NONE; }
    const fr__dae_controller *controller = &b->dae->controllers.data[index];
    bool is_direct =
        controller->source_id != FR_NONE && fr__dae_id_of(b->dae, controller->source_id)->geometry != FR_NONE;
    return is_direct && controller->joint_source != FR_NONE ? index : FR_NONE;
}

// The lists that a node shows: how many, or, where there is a parent, a node below it for each. A list that a skin
// places counts twice, so that it has a node below in any case.
static fr_status add_lists(dae_build *b, const fr__dae_node *source, fr_model_node *node, uint32_t parent,
                           uint32_t *count) {
    const fr__dae_use *uses = b->dae->uses.data;
    const fr__dae_list *lists = b->dae->lists.data;
    *count = 0;
    for (uint32_t use = source->geometry_uses.first; use != FR_NONE; use = uses[use].next) {
        const double *bind = NULL;
        uint32_t number = shown_geometry(b, &uses[use], &bind);
        if (number == FR_NONE) { continue; }
        const fr__dae_geometry *geometry = &b->dae->geometries.data[number];
        uint32_t usual = bind_symbols(b, &uses[use], true);
        for (uint32_t i = 0; i < geometry->list_count; i++) {
            const fr__dae_list *list = &lists[geometry->first_list + i];
            uint32_t bound = list->symbol != FR_NONE ? fr__dae_id_of(b->dae, list->symbol)->bound : FR_NONE;
            fr_model_node part = fr_default_model_node();
            part.name = source->name;
            part.parent = parent;
            part.transform = bind;
            part.mesh = node->mesh = list->part;
            part.material = node->material = bound != FR_NONE ? bound : usual;
            *count += bind != NULL || skin_of(b, &uses[use]) != FR_NONE ? 2 : 1;
            if (parent == FR_NONE) { continue; }
            uint32_t added = fr__builder_add_node(b->builder, &part), controller = skin_of(b, &uses[use]);
            if (added == FR_NONE) { return no_memory(b); }
            if (controller == FR_NONE) { continue; }
            fr__dae_follower follower = {added, geometry->first_list + i, use, controller};
            if (fr__dae_follower_array_add(b->dae, &b->dae->followers, follower) == FR_NONE) { return no_memory(b); }
        }
        bind_symbols(b, &uses[use], false);
    }
    return FR_OK;
}

// A node with what it shows, one list on the node itself, several on nodes below it, and all below it.
static fr_status add_node(dae_build *b, uint32_t number, uint32_t parent) {
    const fr__dae_node *nodes = b->dae->nodes.data, *source = &nodes[number];
    const fr__dae_use *uses = b->dae->uses.data;
    uint32_t index = FR_NONE, count = 0;
    if (!source->is_scene) {
        fr_model_node node = fr_default_model_node();
        FR__TRY(add_lists(b, source, &node, FR_NONE, &count));
        if (count != 1) { node.mesh = node.material = FR_NONE; }
        node.name = source->name;
        node.parent = parent;
        node.transform = source->transform;
        index = fr__builder_add_node(b->builder, &node);
        if (index == FR_NONE || !fr__builder_goes_on(b->builder, 16)) {
            return fr__reader_fail_building(b->dae->reader, NULL);
        }
        b->dae->nodes.data[number].placed = index;
        if (count > 1) { FR__TRY(add_lists(b, source, &node, index, &count)); }
    }
    for (uint32_t child = source->children.first; child != FR_NONE; child = nodes[child].next) {
        FR__TRY(add_node(b, child, index));
    }
    for (uint32_t use = source->node_uses.first; use != FR_NONE; use = uses[use].next) {
        uint32_t child = uses[use].id != FR_NONE ? fr__dae_id_of(b->dae, uses[use].id)->node : FR_NONE;
        if (child != FR_NONE) { FR__TRY(add_node(b, child, index)); }
    }
    return FR_OK;
}

// The child or use of a scene that comes to the most nodes.
static const char *find_heaviest(const dae_build *b, const fr__dae_node *scene) {
    const fr__dae_node *nodes = b->dae->nodes.data, *heaviest = scene;
    uint64_t most = 0;
    for (uint32_t child = scene->children.first; child != FR_NONE; child = nodes[child].next) {
        if (nodes[child].total <= most) { continue; }
        most = nodes[child].total;
        heaviest = &nodes[child];
    }
    return heaviest->at;
}

static fr_status build_all(dae_build *b) {
    fr__cursor *cursor = &b->dae->reader->cursor;
    uint32_t id = b->dae->shown_scene, scene = id != FR_NONE ? fr__dae_id_of(b->dae, id)->scene : FR_NONE;
    for (size_t i = 0; i < b->dae->nodes.count; i++) {
        FR__TRY(sum_up(b, (uint32_t)i, b->dae->nodes.data[i].is_scene ? 0 : 1));
    }
    FR__TRY(check_uses(b));
    if (scene == FR_NONE) {
        return fr__cursor_fail(cursor, b->dae->scene_at, FR_ERROR_CORRUPT,
                               id != FR_NONE ? "there is no visual scene of this id"
                                             : "there is no scene that names the visual scene to show");
    }
    mark_shown(b, scene);
    // All at once, or not at all: the nodes are the most that instances cost.
    const fr__dae_node *shown = &b->dae->nodes.data[scene];
    if (shown->total > SIZE_MAX || !fr__model_node_array_reserve(&b->builder->nodes, (size_t)shown->total)) {
        return fr__reader_fail_building(b->dae->reader, find_heaviest(b, shown));
    }
    FR__TRY(add_parts(b));
    FR__TRY(add_node(b, scene, FR_NONE));
    return fr__dae_add_skins(b->dae);
}

fr_status fr__dae_build(fr__dae *dae) {
    dae_build b = {.dae = dae,
                   .builder = &dae->reader->builder,
                   .vertex_of = fr_uint32_array_make(&dae->reader->builder.allocator)};
    fr_status status = build_all(&b);
    fr_uint32_array_destroy(&b.vertex_of);
    return status;
}
