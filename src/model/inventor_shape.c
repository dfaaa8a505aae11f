// The shapes of VRML 1.0 and Inventor as a Shape of VRML97 with the state's appearance.
#include "inventor.h"

#include <string.h>

static const fr__vtype *type_of(const char *name) { return fr__vtype_find((fr__span){name, strlen(name)}); }

// ---------------------------------------------------------------------------------------------------------------
// Primitives

// Those of VRML97, with a colour for each part.
#define F(field, sort, ...)                                                                                            \
    {                                                                                                                  \
        .name = {field, sizeof(field) - 1}, .type = FR__##sort, .access = FR__FIELD, .initial = { __VA_ARGS__ }        \
    }
#define PARTS F("side", SFBOOL, 1.0f), F("bottom", SFBOOL, 1.0f), F("solid", SFBOOL, 1.0f), F("partColor", SFNODE, 0.0f)
#define N(node, sort, list)                                                                                            \
    { .name = node, .kind = FR__KIND_##sort, .fields = list, .field_count = sizeof(list) / sizeof(list)[0] }

static const fr__field box_fields[] = {F("size", SFVEC3F, 2.0f, 2.0f, 2.0f), PARTS};
static const fr__field sphere_fields[] = {F("radius", SFFLOAT, 1.0f), PARTS};
static const fr__field cylinder_fields[] = {F("radius", SFFLOAT, 1.0f), F("height", SFFLOAT, 2.0f),
                                            F("top", SFBOOL, 1.0f), PARTS};
static const fr__field cone_fields[] = {F("bottomRadius", SFFLOAT, 1.0f), F("height", SFFLOAT, 2.0f), PARTS};
static const fr__vtype box_type = N("Cube", BOX, box_fields), sphere_type = N("Sphere", SPHERE, sphere_fields);
static const fr__vtype cylinder_type = N("Cylinder", CYLINDER, cylinder_fields);
static const fr__vtype cone_type = N("Cone", CONE, cone_fields);

static bool has_part(const fr__vnode *node, const char *part) {
    return fr__inventor_has_word(node, "parts", "ALL", true) || fr__inventor_has_word(node, "parts", part, true);
}

static fr_status make_cube(fr__inventor *inventor, const fr__vnode *node, fr__maker *maker) {
    float *size = fr__vrml_alloc(inventor->vrml, 3, sizeof *size, _Alignof(float));
    if (size == NULL) { return fr__vrml_memory(inventor->vrml); }
    *maker = fr__maker_make(inventor, &box_type, node, false);
    size[0] = fr__value_float(node, "width");
    size[1] = fr__value_float(node, "height");
    size[2] = fr__value_float(node, "depth");
    fr__maker_floats(maker, "size", size, 1);
    return FR_OK;
}

static void make_round(fr__inventor *inventor, const fr__vnode *node, fr__maker *maker) {
    bool is_cylinder = node->type->kind == FR__INVENTOR_CYLINDER;
    *maker = fr__maker_make(inventor, is_cylinder ? &cylinder_type : &cone_type, node, false);
    const char *radius = is_cylinder ? "radius" : "bottomRadius";
    fr__maker_copy(maker, radius, node, radius);
    fr__maker_copy(maker, "height", node, "height");
    bool has_sides = has_part(node, "SIDES"), has_bottom = has_part(node, "BOTTOM");
    bool has_top = !is_cylinder || has_part(node, "TOP");
    fr__maker_bool(maker, "side", has_sides);
    fr__maker_bool(maker, "bottom", has_bottom);
    if (is_cylinder) { fr__maker_bool(maker, "top", has_top); }
    // One that is open is seen from inside.
    fr__maker_bool(maker, "solid", has_sides && has_bottom && has_top);
}

static fr_status make_primitive(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_state *state,
                                fr__vnode **geometry) {
    fr__maker maker;
    if (node->type->kind == FR__INVENTOR_CUBE) {
        FR__TRY(make_cube(inventor, node, &maker));
    } else if (node->type->kind == FR__INVENTOR_SPHERE) {
        maker = fr__maker_make(inventor, &sphere_type, node, false);
        fr__maker_copy(&maker, "radius", node, "radius");
    } else {
        make_round(inventor, node, &maker);
    }
    if (state->colors != NULL) {
        fr__vnode *colors;
        FR__TRY(fr__inventor_colors(inventor, state->colors, &colors));
        fr__maker_node(&maker, "partColor", colors);
    }
    return fr__maker_end(&maker, geometry);
}

// ---------------------------------------------------------------------------------------------------------------
// Lines and points

// The points of a Coordinate4 without their weights.
static fr_status divide(fr__inventor *inventor, fr__value *points) {
    float *divided = fr__vrml_alloc(inventor->vrml, (size_t)3 * points->count, sizeof(float), _Alignof(float));
    if (divided == NULL) { return fr__vrml_memory(inventor->vrml); }
    for (size_t i = 0; i < points->count; i++) {
        const float *p = points->floats + 4 * i;
        for (size_t k = 0; k < 3; k++) {
            divided[3 * i + k] = p[3] != 0.0f ? p[k] / p[3] : p[k];
        }
    }
    points->floats = divided;
    return FR_OK;
}

fr_status fr__inventor_coordinate(fr__inventor *inventor, const fr__vnode *holder, fr__vnode **coordinate) {
    *coordinate = NULL;
    if (holder == NULL) { return FR_OK; }
    const fr__made_key key = {.made_for = FR__MADE_COORDINATE, .nodes = {holder}};
    FR__TRY(fr__inventor_find(inventor, &key, coordinate));
    if (*coordinate != NULL) {
        // Several shapes have points of it: each keeps those that it needs.
        (*coordinate)->flags |= FR__NODE_USED;
        return FR_OK;
    }
    const fr__value *given = fr__value_find(holder, fr__has_field(holder, "vertex") ? "vertex" : "point");
    if (given == NULL || given->count == 0) { return FR_OK; }
    fr__value points = *given;
    bool has_weights = holder->type->fields[given->field].type == FR__MFVEC4F;
    if (has_weights) { FR__TRY(divide(inventor, &points)); }
    fr__maker maker = fr__maker_make(inventor, type_of("Coordinate"), holder, false);
    fr__maker_value(&maker, "point", &points);
    FR__TRY(fr__maker_end(&maker, coordinate));
    return fr__inventor_remember(inventor, &key, *coordinate);
}

static fr_status make_points(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_state *state,
                             fr__vnode **geometry) {
    fr__vnode *coordinate;
    FR__TRY(fr__inventor_coordinate(inventor, state->coordinates, &coordinate));
    fr__maker maker = fr__maker_make(inventor, type_of("PointSet"), node, false);
    if (coordinate == NULL) { return fr__maker_end(&maker, geometry); }
    fr__value points = coordinate->values[0];
    int64_t start = fr__value_whole(node, "startIndex"), wanted = fr__value_whole(node, "numPoints");
    int64_t left = (int64_t)points.count - (start > 0 ? start : 0);
    points.count = left <= 0 ? 0 : wanted >= 0 && wanted < left ? (uint32_t)wanted : (uint32_t)left;
    fr__maker part = fr__maker_make(inventor, type_of("Coordinate"), node, false);
    fr__maker_value(&part, "point", &points);
    FR__TRY(fr__maker_end(&part, &coordinate));
    fr__maker_node(&maker, "coord", coordinate);
    return fr__maker_end(&maker, geometry);
}

static fr_status make_lines(fr__inventor *inventor, const fr__vnode *node, fr__vnode **geometry) {
    bool is_indexed = node->type->kind == FR__INVENTOR_LINES;
    fr__maker maker = fr__maker_make(inventor, type_of(is_indexed ? "IndexedLineSet" : "LineSet"), node, false);
    if (is_indexed) {
        fr__maker_copy(&maker, "coordIndex", node, "coordIndex");
    } else {
        static const int32_t rest[1] = {-1};
        const fr__value *runs = fr__value_find(node, "numVertices");
        fr__maker_wholes(&maker, "vertexCount", runs != NULL ? runs->wholes : rest, runs != NULL ? runs->count : 1,
                         node->at);
    }
    return fr__maker_end(&maker, geometry);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// The part of the state that a shape's geometry depends on.
static fr_status relevant_state(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_state *state,
                                fr__inventor_state *relevant) {
    *relevant = (fr__inventor_state){.material_binding = state->material_binding};
    fr__vkind kind = node->type->kind;
    bool is_primitive = kind <= FR__INVENTOR_CONE;
    // A cube has a part on each face; a sphere has no parts.
    uint8_t last = kind == FR__INVENTOR_CUBE     ? FR__BIND_FACE_INDEXED
                   : kind == FR__INVENTOR_SPHERE ? FR__BIND_OVERALL
                   : is_primitive                ? FR__BIND_PART_INDEXED
                                                 : FR__BIND_VERTEX_INDEXED;
    bool is_bound = relevant->material_binding > (uint8_t)FR__BIND_OVERALL && relevant->material_binding <= last;
    fr__vnode *colors = NULL;
    if (is_bound && state->colors != NULL) { FR__TRY(fr__inventor_colors(inventor, state->colors, &colors)); }
    if (colors != NULL) {
        relevant->colors = state->colors;
    } else {
        relevant->material_binding = FR__BIND_DEFAULT;
    }
    if (is_primitive) { return FR_OK; }
    relevant->coordinates = state->coordinates;
    if (kind >= FR__INVENTOR_LINES) { return FR_OK; }
    relevant->normals = state->normals;
    relevant->normal_binding = state->normal_binding;
    relevant->crease_angle = state->crease_angle;
    relevant->is_clockwise = state->is_clockwise;
    relevant->is_solid = state->is_solid;
    if (state->texture != NULL) { relevant->uvs = state->uvs; }
    return FR_OK;
}

static fr_status find_geometry(fr__inventor *inventor, fr__vnode *node, const fr__inventor_state *state,
                               fr__vnode **geometry) {
    fr__made_key key = {.made_for = FR__MADE_GEOMETRY, .nodes = {node}};
    FR__TRY(relevant_state(inventor, node, state, &key.state));
    FR__TRY(fr__inventor_find(inventor, &key, geometry));
    if (*geometry != NULL) { return FR_OK; }
    fr__vkind kind = node->type->kind;
    if (kind <= FR__INVENTOR_CONE) {
        FR__TRY(make_primitive(inventor, node, &key.state, geometry));
    } else if (kind == FR__INVENTOR_POINTS) {
        FR__TRY(make_points(inventor, node, &key.state, geometry));
    } else if (kind == FR__INVENTOR_LINES || kind == FR__INVENTOR_LINE_RUNS) {
        FR__TRY(make_lines(inventor, node, geometry));
    } else {
        // What is written once and made again is counted.
        const fr__value *indices = fr__value_find(node, "coordIndex");
        if ((node->flags & FR__NODE_BUILT) != 0 && indices != NULL) {
            FR__TRY(fr__inventor_count_corners(inventor, node, indices->count));
        }
        node->flags |= FR__NODE_BUILT;
        FR__TRY(fr__inventor_face_set(inventor, node, &key.state, geometry));
    }
    return fr__inventor_remember(inventor, &key, *geometry);
}

fr_status fr__inventor_shape(fr__inventor *inventor, fr__vnode *node, fr__vnode **shape) {
    fr__inventor_state state = inventor->state;
    fr__vnode *property = fr__value_node(node, "vertexProperty"), *appearance, *geometry;
    if (property != NULL && property->type->kind == FR__INVENTOR_VERTEX_PROPERTY) {
        fr__inventor_set_vertex_property(&state, property);
    }
    *shape = NULL;
    FR__TRY(find_geometry(inventor, node, &state, &geometry));
    if (geometry == NULL) { return FR_OK; }
    FR__TRY(fr__inventor_appearance(inventor, &state, node, &appearance));
    const fr__made_key key = {.made_for = FR__MADE_SHAPE, .nodes = {geometry, appearance}};
    FR__TRY(fr__inventor_find(inventor, &key, shape));
    if (*shape != NULL) { return FR_OK; }
    fr__maker maker = fr__maker_make(inventor, type_of("Shape"), node, true);
    fr__maker_node(&maker, "appearance", appearance);
    fr__maker_node(&maker, "geometry", geometry);
    FR__TRY(fr__maker_end(&maker, shape));
    return fr__inventor_remember(inventor, &key, *shape);
}
