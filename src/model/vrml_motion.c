// Motion: routes from a TimeSensor through an interpolator to a field become tracks.
#include "vrml.h"

#include <math.h>
#include <string.h>

// What an interpolator says, as tracks have it.
typedef struct fr__keys {
    const float *keys, *values;
    uint32_t key_count, width; // 0: it says nothing that can be used
} fr__keys;

// The end of a route, behind prototypes.
typedef struct fr__route_end {
    fr__vnode *node;
    fr__span field;
} fr__route_end;

typedef struct fr__link {
    fr__route_end from, to;
    uint32_t next; // from the same interpolator
} fr__link;

FR_ARRAY_TYPE(fr__route_end_array, fr__route_end);
FR_ARRAY_TYPE(fr__link_array, fr__link);

typedef struct route_links {
    fr__vrml *vrml;
    fr__route_end_array from, to; // ends of one route
    fr__link_array drives;        // from a clock to an interpolator
    fr__link_array outs;          // from an interpolator
    uint64_t cost;
} route_links;

// ---------------------------------------------------------------------------------------------------------------
// Ends of routes

// The field that an event belongs to: without set_ or _changed.
static fr__span field_of(fr__span event) {
    if (event.length > 4 && memcmp(event.begin, "set_", 4) == 0) {
        return (fr__span){event.begin + 4, event.length - 4};
    }
    if (event.length > 8 && memcmp(event.begin + event.length - 8, "_changed", 8) == 0) {
        return (fr__span){event.begin, event.length - 8};
    }
    return event;
}

static bool is_same(fr__span a, fr__span b) { return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0; }

static bool is_field(fr__span event, const char *field) {
    fr__span name = field_of(event);
    return strlen(field) == name.length && memcmp(field, name.begin, name.length) == 0;
}

static fr_status push_end(fr__vrml *vrml, fr__route_end_array *ends, fr__vnode *node, fr__span field) {
    fr__route_end *place = fr__route_end_array_push(ends, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__route_end){node, field};
    return FR_OK;
}

// The nodes that an event of `node` comes from or goes to: itself, or what its prototype connects.
static fr_status find_ends(route_links *m, fr__vnode *node, fr__span field, fr__route_end_array *ends) {
    fr__vrml *vrml = m->vrml;
    uint64_t limit = vrml->reader->builder.limits.nodes;
    ends->count = 0;
    FR__TRY(push_end(vrml, ends, node, field));
    size_t kept = 0;
    for (size_t i = 0; i < ends->count; i++) {
        fr__route_end end = ends->data[i];
        bool is_proto = end.node->type->kind == FR__KIND_PROTO;
        m->cost += 1 + (is_proto ? end.node->connection_count / 16 : 0);
        if (m->cost > limit) {
            return fr__vrml_fail(vrml, NULL, FR_ERROR_LIMIT, "routes lead to more than %llu nodes, the limit",
                                 (unsigned long long)limit);
        }
        if (!is_proto) {
            ends->data[kept++] = end;
            continue;
        }
        for (uint32_t k = 0; k < end.node->connection_count; k++) {
            const fr__connection *connection = &end.node->connections[k];
            if (!is_same(field_of(connection->name), field_of(end.field))) { continue; }
            const fr__field *inner = &connection->node->type->fields[connection->field];
            FR__TRY(push_end(vrml, ends, connection->node, inner->name));
        }
    }
    ends->count = kept;
    return FR_OK;
}

static route_links route_links_make(fr__vrml *vrml) {
    const fr_allocator *allocator = &vrml->reader->builder.allocator;
    return (route_links){.vrml = vrml,
                         .from = fr__route_end_array_make(allocator),
                         .to = fr__route_end_array_make(allocator),
                         .drives = fr__link_array_make(allocator),
                         .outs = fr__link_array_make(allocator)};
}

static void route_links_free(route_links *m) {
    fr__route_end_array_destroy(&m->from);
    fr__route_end_array_destroy(&m->to);
    fr__link_array_destroy(&m->drives);
    fr__link_array_destroy(&m->outs);
}

static fr_status mark_targets(route_links *m) {
    fr__vrml *vrml = m->vrml;
    for (; vrml->routes_marked < vrml->routes.count; vrml->routes_marked++) {
        const fr__route *route = vrml->routes.data + vrml->routes_marked;
        FR__TRY(find_ends(m, route->to, route->to_field, &m->to));
        for (size_t i = 0; i < m->to.count; i++) {
            m->to.data[i].node->flags |= FR__NODE_TARGET;
        }
    }
    return FR_OK;
}

fr_status fr__vrml_mark_targets(fr__vrml *vrml) {
    route_links m = route_links_make(vrml);
    fr_status status = mark_targets(&m);
    route_links_free(&m);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Links

static fr_status push_link(route_links *m, fr__link_array *links, const fr__route_end *from, const fr__route_end *to,
                           bool is_chained) {
    fr__link *place = fr__link_array_push(links, 1);
    if (place == NULL) { return fr__vrml_memory(m->vrml); }
    *place = (fr__link){*from, *to, FR_NONE};
    if (is_chained) {
        place->next = from->node->first_route;
        from->node->first_route = (uint32_t)(links->count - 1);
    }
    return FR_OK;
}

static fr_status link_ends(route_links *m, const fr__route *route) {
    fr__vrml *vrml = m->vrml;
    uint64_t limit = vrml->reader->builder.limits.nodes;
    bool is_followed = false;
    for (size_t i = 0; i < m->from.count; i++) {
        const fr__route_end *from = m->from.data + i;
        for (size_t k = 0; k < m->to.count; k++) {
            const fr__route_end *to = m->to.data + k;
            if (++m->cost > limit) {
                return fr__vrml_fail(vrml, route->at, FR_ERROR_LIMIT,
                                     "routes make more than %llu connections, the limit", (unsigned long long)limit);
            }
            if (from->node->type->kind == FR__KIND_CLOCK && to->node->type->kind == FR__KIND_INTERPOLATOR &&
                is_field(from->field, "fraction") && is_field(to->field, "fraction")) {
                FR__TRY(push_link(m, &m->drives, from, to, false));
                is_followed = true;
            } else if (from->node->type->kind == FR__KIND_INTERPOLATOR && is_field(from->field, "value")) {
                FR__TRY(push_link(m, &m->outs, from, to, true));
                is_followed = true;
            }
        }
    }
    if (!is_followed) {
        fr__vrml_warn(vrml, route->at, "a route from %.*s to %.*s is not followed", FR__SHOW(route->from_field),
                      FR__SHOW(route->to_field));
    }
    return FR_OK;
}

static fr_status link_routes(route_links *m) {
    fr__vrml *vrml = m->vrml;
    const fr__route *routes = vrml->routes.data;
    for (size_t i = 0; i < vrml->routes.count; i++) {
        FR__TRY(find_ends(m, routes[i].from, routes[i].from_field, &m->from));
        for (size_t k = 0; k < m->from.count; k++) {
            m->from.data[k].node->first_route = FR_NONE;
        }
    }
    for (size_t i = 0; i < vrml->routes.count; i++) {
        FR__TRY(find_ends(m, routes[i].from, routes[i].from_field, &m->from));
        FR__TRY(find_ends(m, routes[i].to, routes[i].to_field, &m->to));
        FR__TRY(link_ends(m, &routes[i]));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Clocks and keys

static fr_status find_clock(fr__vrml *vrml, fr__vnode *node, uint32_t *clock) {
    if (node->mesh != FR_NONE) {
        *clock = node->mesh;
        return FR_OK;
    }
    fr__builder *builder = &vrml->reader->builder;
    fr_model_clock made = {.name = "",
                           .cycle = fr__value_double(node, "cycleInterval"),
                           .start = fr__value_double(node, "startTime"),
                           .stop = fr__value_double(node, "stopTime"),
                           .is_loop = fr__value_bool(node, "loop")};
    // One that neither loops nor starts after the model is loaded has ended by then; it waits for someone to start it.
    made.is_enabled = fr__value_bool(node, "enabled") && (made.is_loop || made.start > 0.0);
    if (!(made.cycle > 0.0)) {
        made.cycle = 1.0;
        FR__TRY(fr__vrml_problem(vrml, node->at, "a cycleInterval that is not above 0; 1 is taken"));
    }
    // Names that our writer makes up say nothing.
    if (node->name != NULL && strncmp(node->name, "_fr_", 4) != 0) {
        made.name = fr__builder_text(builder, (fr__span){node->name, strlen(node->name)});
    }
    if (made.name == NULL) { return fr__vrml_memory(vrml); }
    *clock = fr__model_clock_array_add(&builder->clocks, &made);
    node->mesh = *clock;
    return *clock != FR_NONE ? FR_OK : fr__vrml_memory(vrml);
}

static const char *keys_defect(const fr__value *keys, const fr__value *values) {
    if (keys->storage != FR__FLOATS || values->storage != FR__FLOATS) { return "an interpolator without keys"; }
    for (uint32_t i = 1; i < keys->count; i++) {
        if (keys->floats[i] < keys->floats[i - 1]) { return "the keys of an interpolator decrease"; }
    }
    return values->count < keys->count ? "an interpolator has fewer values than keys" : NULL;
}

static fr_status find_keys(fr__vrml *vrml, fr__vnode *node, const fr__keys **out) {
    if (node->keys != NULL) {
        *out = node->keys;
        return FR_OK;
    }
    const fr__value *keys = fr__value_find(node, "key"), *values = fr__value_find(node, "keyValue");
    fr__keys *made = fr__vrml_alloc(vrml, 1, sizeof *made, _Alignof(fr__keys));
    if (made == NULL) { return fr__vrml_memory(vrml); }
    *made = (fr__keys){.keys = NULL};
    node->keys = *out = made;
    if (keys == NULL || values == NULL || keys->count == 0 || values->count == 0) {
        fr__vrml_warn(vrml, node->at, "an interpolator without keys; its track is left out");
        return FR_OK;
    }
    const char *defect = keys_defect(keys, values);
    if (defect != NULL) { return fr__vrml_problem(vrml, node->at, "%s; its track is left out", defect); }
    // A value is one element, or as many as a key's share of the list.
    const fr__field *field = &node->type->fields[values->field];
    uint32_t width = fr__field_kind_of(field->type)->width;
    bool is_list = strcmp(node->type->name, "CoordinateInterpolator") == 0;
    if (is_list) { width *= values->count / keys->count; }
    fr__builder *builder = &vrml->reader->builder;
    float *copies = fr__builder_alloc(builder, (size_t)keys->count * (1 + (size_t)width), sizeof(float), 4);
    if (copies == NULL) { return fr__vrml_memory(vrml); }
    memcpy(copies, keys->floats, keys->count * sizeof(float));
    memcpy(copies + keys->count, values->floats, (size_t)keys->count * width * sizeof(float));
    *made = (fr__keys){copies, copies + keys->count, keys->count, width};
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Tracks

// What a field of a node is to a track: the kind and its width; 0 wide where no track moves it.
static uint32_t track_kind(const fr__route_end *to, fr_model_track_kind *kind) {
    static const struct {
        const char *field;
        fr__vkind node;
        fr_model_track_kind kind;
        uint32_t width;
    } fields[] = {{"translation", FR__KIND_TRANSFORM, FR_MODEL_TRANSLATION, 3},
                  {"rotation", FR__KIND_TRANSFORM, FR_MODEL_ROTATION, 4},
                  {"scale", FR__KIND_TRANSFORM, FR_MODEL_SCALE, 3},
                  {"center", FR__KIND_TRANSFORM, FR_MODEL_CENTER, 3},
                  {"scaleOrientation", FR__KIND_TRANSFORM, FR_MODEL_SCALE_ORIENTATION, 4},
                  {"diffuseColor", FR__KIND_MATERIAL, FR_MODEL_DIFFUSE, 3},
                  {"emissiveColor", FR__KIND_MATERIAL, FR_MODEL_EMISSIVE, 3},
                  {"specularColor", FR__KIND_MATERIAL, FR_MODEL_SPECULAR, 3},
                  {"transparency", FR__KIND_MATERIAL, FR_MODEL_TRANSPARENCY, 1},
                  {"point", FR__KIND_COORDINATE, FR_MODEL_COORDINATES, 3}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fr__vkind node = fr__is_transform(to->node->type->kind) ? FR__KIND_TRANSFORM : to->node->type->kind;
        if (fields[i].node != node || !is_field(to->field, fields[i].field)) { continue; }
        *kind = fields[i].kind;
        return fields[i].width;
    }
    return 0;
}

static fr_status add_track(route_links *m, fr_model_track *track, uint32_t target) {
    fr__vrml *vrml = m->vrml;
    fr__builder *builder = &vrml->reader->builder;
    if (builder->tracks.count >= builder->limits.nodes) {
        return fr__vrml_fail(vrml, NULL, FR_ERROR_LIMIT, "more than %llu tracks, the limit",
                             (unsigned long long)builder->limits.nodes);
    }
    track->target = target;
    return fr__model_track_array_add(&builder->tracks, track) != FR_NONE ? FR_OK : fr__vrml_memory(vrml);
}

static uint32_t vertices_of(const fr__builder *builder, uint32_t mesh) {
    const fr__builder_part *part = builder->parts.data + mesh;
    bool is_last = mesh + 1 == builder->parts.count;
    return (uint32_t)((is_last ? builder->positions.count : part[1].first_vertex) - part->first_vertex);
}

static bool is_displacer(const fr__route_end *to) {
    return strcmp(to->node->type->name, "HAnimDisplacer") == 0 && is_field(to->field, "weight");
}

// The tracks from an interpolator to the weight of a displacer: weights of all shapes of each skin that has it.
static fr_status add_weights(route_links *m, const fr__link *out, const fr__keys *keys, uint32_t clock) {
    fr__vrml *vrml = m->vrml;
    fr__builder *builder = &vrml->reader->builder;
    for (uint32_t i = out->to.node->first_place; i != FR_NONE; i = vrml->displacers.data[i].next) {
        const fr__vdisplacer *place = vrml->displacers.data + i;
        vrml->displaced += (uint64_t)keys->key_count * place->shape_count;
        if (vrml->displaced > builder->limits.placed_vertices) {
            return fr__vrml_fail(vrml, out->from.node->at, FR_ERROR_LIMIT,
                                 "displacers come to more than %llu weights, the limit",
                                 (unsigned long long)builder->limits.placed_vertices);
        }
        float *values =
            fr__builder_alloc(builder, keys->key_count, place->shape_count * sizeof *values, sizeof *values);
        if (values == NULL) { return fr__vrml_memory(vrml); }
        for (uint32_t k = 0; k < keys->key_count; k++) {
            float *row = values + (size_t)place->shape_count * k;
            memcpy(row, place->rest, place->shape_count * sizeof *row);
            row[place->shape] = keys->values[k];
        }
        fr_model_track track = {.kind = FR_MODEL_WEIGHTS,
                                .clock = clock,
                                .key_count = keys->key_count,
                                .width = place->shape_count,
                                .keys = keys->keys,
                                .values = values};
        FR__TRY(add_track(m, &track, place->node));
    }
    return FR_OK;
}

// The tracks from one interpolator to one field: one for each place that the node has in the model.
static fr_status add_tracks(route_links *m, const fr__link *out, const fr__keys *keys, uint32_t clock) {
    fr__vrml *vrml = m->vrml;
    fr_model_track track = {
        .clock = clock, .key_count = keys->key_count, .width = keys->width, .keys = keys->keys, .values = keys->values};
    if (is_displacer(&out->to) && keys->width == 1) { return add_weights(m, out, keys, clock); }
    uint32_t width = track_kind(&out->to, &track.kind);
    bool is_list = track.kind == FR_MODEL_COORDINATES && width > 0;
    if (width == 0 || (!is_list && width != keys->width)) {
        fr__vrml_warn(vrml, out->from.node->at, "a route from an interpolator to %s.%.*s is not followed",
                      out->to.node->type->name, FR__SHOW(out->to.field));
        return FR_OK;
    }
    uint32_t i = out->to.node->first_place;
    if (fr__is_transform(out->to.node->type->kind)) {
        const fr__vplace *places = vrml->places.data;
        for (; i != FR_NONE; i = places[i].next) {
            FR__TRY(add_track(m, &track, places[i].node));
        }
        return FR_OK;
    }
    const fr__vuse *uses = vrml->uses.data;
    for (; i != FR_NONE; i = uses[i].next) {
        uint32_t index = uses[i].index;
        if (is_list && keys->width != 3 * vertices_of(&vrml->reader->builder, index)) {
            fr__vrml_warn(vrml, out->from.node->at, "an interpolator gives other than one value for each point");
            continue;
        }
        FR__TRY(add_track(m, &track, index));
    }
    return FR_OK;
}

static fr_status make_tracks(route_links *m) {
    FR__TRY(link_routes(m));
    const fr__link *drives = m->drives.data, *outs = m->outs.data;
    for (size_t i = 0; i < m->drives.count; i++) {
        fr__vnode *interpolator = drives[i].to.node;
        if (interpolator->first_route == FR_NONE) { continue; }
        uint32_t clock = FR_NONE;
        const fr__keys *keys = NULL;
        FR__TRY(find_clock(m->vrml, drives[i].from.node, &clock));
        FR__TRY(find_keys(m->vrml, interpolator, &keys));
        for (uint32_t k = interpolator->first_route; k != FR_NONE && keys->key_count > 0; k = outs[k].next) {
            FR__TRY(add_tracks(m, &outs[k], keys, clock));
        }
    }
    return FR_OK;
}

fr_status fr__vrml_tracks(fr__vrml *vrml) {
    route_links m = route_links_make(vrml);
    fr_status status = make_tracks(&m);
    route_links_free(&m);
    return status;
}
