// Shapes: from the fields of a geometry node to what geometry.h takes.
#include "vrml.h"

// ---------------------------------------------------------------------------------------------------------------
// Attributes

// Numbers as wide as the builder's positions.
static fr_status widen(fr__vrml *vrml, const fr__value *value, uint32_t width, const void **numbers) {
    *numbers = NULL;
    if (value == NULL || value->count == 0) { return FR_OK; }
    *numbers = value->floats;
    bool is_double = vrml->reader->builder.is_double;
    if (value->storage == (is_double ? FR__DOUBLES : FR__FLOATS)) { return FR_OK; }
    size_t count = (size_t)value->count * width;
    void *copy = fr__vrml_alloc(vrml, count, is_double ? sizeof(double) : sizeof(float), 8);
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    for (size_t i = 0; i < count; i++) {
        if (is_double) {
            ((double *)copy)[i] = (double)value->floats[i];
        } else {
            ((float *)copy)[i] = (float)value->doubles[i];
        }
    }
    *numbers = copy;
    return FR_OK;
}

static void set_indices(const fr__vnode *node, const char *field, const int32_t **indices, size_t *count,
                        const char **at) {
    const fr__value *value = field != NULL ? fr__value_find(node, field) : NULL;
    if (value == NULL || value->count == 0) { return; }
    *indices = value->wholes;
    *count = value->count;
    *at = value->at;
}

// The attribute that a node's field holds: the list of another node.
static fr__attribute attribute(const fr__vnode *node, const char *field, const char *list, const char *indices,
                               const char *per_vertex) {
    fr__attribute found = {.at = node->at};
    const fr__vnode *holder = fr__value_node(node, field);
    const fr__value *value = holder != NULL ? fr__value_find(holder, list) : NULL;
    if (value == NULL || value->storage != FR__FLOATS || value->count == 0) { return found; }
    found.values = value->floats;
    found.count = value->count;
    found.width = fr__field_kind_of(holder->type->fields[value->field].type)->width;
    found.per_face = per_vertex != NULL && fr__has_field(node, per_vertex) && !fr__value_bool(node, per_vertex);
    found.at = value->at;
    set_indices(node, indices, &found.indices, &found.index_count, &found.index_at);
    return found;
}

static fr__attribute uvs_of(const fr__vnode *node, const char *indices) {
    const fr__vnode *holder = fr__value_node(node, "texCoord");
    // Of several layers the first one is shown.
    if (holder != NULL && fr__has_field(holder, "texCoord")) {
        fr__attribute found = attribute(holder, "texCoord", "point", NULL, NULL);
        set_indices(node, indices, &found.indices, &found.index_count, &found.index_at);
        return found;
    }
    return attribute(node, "texCoord", "point", indices, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Geometry

static fr_status add_faces(fr__vrml *vrml, const fr__vnode *node, bool wants_uvs) {
    bool is_faces = node->type->kind == FR__KIND_FACES;
    fr__face_set set = fr__default_face_set();
    fr__vnode *coord = fr__value_node(node, "coord");
    const fr__value *points = coord != NULL ? fr__value_find(coord, "point") : NULL;
    FR__TRY(widen(vrml, points, 3, &set.points));
    set.point_count = set.points != NULL ? points->count : 0;
    set.at = node->at;
    set_indices(node, is_faces ? "coordIndex" : "index", &set.indices, &set.index_count, &set.index_at);
    // Faces without indices are none, where sets without a field for them take all points in order.
    bool is_indexed = is_faces || fr__has_field(node, "index");
    static const int32_t none[1];
    if (is_indexed && set.indices == NULL) { set.indices = none; }
    switch (node->type->kind) {
    case FR__KIND_TRIANGLES: set.layout = FR__TRIANGLES; break;
    case FR__KIND_QUADS: set.layout = FR__QUADS; break;
    case FR__KIND_STRIPS: set.layout = FR__TRIANGLE_STRIPS; break;
    case FR__KIND_FANS: set.layout = FR__TRIANGLE_FANS; break;
    default: set.layout = FR__POLYGONS; break;
    }
    const char *at = node->at;
    set_indices(node, node->type->kind == FR__KIND_STRIPS ? "stripCount" : "fanCount", &set.runs, &set.run_count, &at);
    set.colors = attribute(node, "color", "color", is_faces ? "colorIndex" : NULL, "colorPerVertex");
    set.normals = attribute(node, "normal", "vector", is_faces ? "normalIndex" : NULL, "normalPerVertex");
    set.uvs = uvs_of(node, is_faces ? "texCoordIndex" : NULL);
    set.ccw = fr__value_bool(node, "ccw");
    set.solid = fr__value_bool(node, "solid");
    set.convex = !is_faces || fr__value_bool(node, "convex");
    set.wants_uvs = wants_uvs;
    set.crease_angle = is_faces ? fr__value_double(node, "creaseAngle") : 0.0;
    bool is_shared = coord != NULL && (coord->flags & FR__NODE_USED) != 0;
    set.is_moved = coord != NULL && (coord->flags & FR__NODE_TARGET) != 0;
    set.only_used = is_shared && !set.is_moved;
    return fr__add_face_set(&vrml->geometry, &set);
}

static fr_status add_grid(fr__vrml *vrml, const fr__vnode *node, bool wants_uvs) {
    fr__elevation_grid grid = fr__default_elevation_grid();
    const fr__value *heights = fr__value_find(node, "height");
    FR__TRY(widen(vrml, heights, 1, &grid.heights));
    grid.height_count = grid.heights != NULL ? heights->count : 0;
    grid.x_dimension = fr__value_whole(node, "xDimension");
    grid.z_dimension = fr__value_whole(node, "zDimension");
    grid.x_spacing = fr__value_double(node, "xSpacing");
    grid.z_spacing = fr__value_double(node, "zSpacing");
    grid.colors = attribute(node, "color", "color", NULL, "colorPerVertex");
    grid.normals = attribute(node, "normal", "vector", NULL, "normalPerVertex");
    grid.uvs = uvs_of(node, NULL);
    grid.ccw = fr__value_bool(node, "ccw");
    grid.solid = fr__value_bool(node, "solid");
    grid.wants_uvs = wants_uvs;
    grid.crease_angle = fr__value_double(node, "creaseAngle");
    grid.at = node->at;
    return fr__add_elevation_grid(&vrml->geometry, &grid);
}

static void set_list(const fr__vnode *node, const char *field, const float **numbers, size_t *count) {
    const fr__value *value = fr__value_find(node, field);
    if (value == NULL || value->storage != FR__FLOATS) { return; }
    *numbers = value->floats;
    *count = value->count;
}

static fr_status add_extrusion(fr__vrml *vrml, const fr__vnode *node, bool wants_uvs) {
    fr__extrusion extrusion = fr__default_extrusion();
    set_list(node, "crossSection", &extrusion.section, &extrusion.section_count);
    set_list(node, "spine", &extrusion.spine, &extrusion.spine_count);
    set_list(node, "scale", &extrusion.scales, &extrusion.scale_count);
    set_list(node, "orientation", &extrusion.turns, &extrusion.turn_count);
    extrusion.begin_cap = fr__value_bool(node, "beginCap");
    extrusion.end_cap = fr__value_bool(node, "endCap");
    extrusion.ccw = fr__value_bool(node, "ccw");
    extrusion.solid = fr__value_bool(node, "solid");
    extrusion.convex = fr__value_bool(node, "convex");
    extrusion.wants_uvs = wants_uvs;
    extrusion.crease_angle = fr__value_double(node, "creaseAngle");
    extrusion.at = node->at;
    return fr__add_extrusion(&vrml->geometry, &extrusion);
}

static fr__primitive_node primitive_of(const fr__vnode *node, bool wants_uvs) {
    fr__primitive_node found = {.at = node->at};
    fr_model_primitive *primitive = &found.primitive;
    float size[3];
    switch (node->type->kind) {
    case FR__KIND_BOX:
        primitive->kind = FR_MODEL_BOX;
        fr__value_floats(node, "size", size, 3);
        for (int i = 0; i < 3; i++) {
            primitive->size[i] = (double)size[i];
        }
        break;
    case FR__KIND_SPHERE:
        primitive->kind = FR_MODEL_SPHERE;
        primitive->size[0] = fr__value_double(node, "radius");
        break;
    case FR__KIND_CONE:
        primitive->kind = FR_MODEL_CONE;
        primitive->size[0] = fr__value_double(node, "bottomRadius");
        primitive->size[1] = fr__value_double(node, "height");
        break;
    default:
        primitive->kind = FR_MODEL_CYLINDER;
        primitive->size[0] = fr__value_double(node, "radius");
        primitive->size[1] = fr__value_double(node, "height");
        primitive->has_top = fr__value_bool(node, "top");
        break;
    }
    bool has_ends = node->type->kind == FR__KIND_CYLINDER || node->type->kind == FR__KIND_CONE;
    primitive->has_side = !has_ends || fr__value_bool(node, "side");
    primitive->has_bottom = !has_ends || fr__value_bool(node, "bottom");
    primitive->has_top = primitive->has_top || !has_ends;
    found.solid = fr__value_bool(node, "solid");
    found.wants_uvs = wants_uvs;
    const fr__attribute colors = attribute(node, "partColor", "color", NULL, NULL);
    found.part_colors = colors.values;
    found.part_color_count = (uint32_t)colors.count;
    found.part_color_width = colors.width;
    return found;
}

static void count_lines(fr__vrml *vrml, const fr__vnode *node) {
    fr__builder *builder = &vrml->reader->builder;
    const fr__value *runs = fr__value_find(node, "vertexCount"), *indices = fr__value_find(node, "coordIndex");
    if (runs != NULL) { builder->line_count += runs->count; }
    bool is_open = false;
    for (uint32_t i = 0; indices != NULL && i < indices->count; i++) {
        bool is_end = indices->wholes[i] < 0;
        builder->line_count += is_end && is_open;
        is_open = !is_end;
    }
    builder->line_count += is_open;
}

static void count_points(fr__vrml *vrml, const fr__vnode *node) {
    const fr__vnode *coord = fr__value_node(node, "coord");
    const fr__value *points = coord != NULL ? fr__value_find(coord, "point") : NULL;
    if (points != NULL) { vrml->reader->builder.point_count += points->count; }
}

// ---------------------------------------------------------------------------------------------------------------
// Shape

// Makes the mesh of a geometry node; *mesh stays FR_NONE where it has no polygons.
static fr_status add_mesh(fr__vrml *vrml, fr__vnode *node, bool wants_uvs, uint32_t *mesh) {
    fr_status status;
    uint32_t next = (uint32_t)vrml->reader->builder.parts.count;
    switch (node->type->kind) {
    case FR__KIND_FACES:
    case FR__KIND_TRIANGLES:
    case FR__KIND_QUADS:
    case FR__KIND_STRIPS:
    case FR__KIND_FANS: status = add_faces(vrml, node, wants_uvs); break;
    case FR__KIND_ELEVATION_GRID: status = add_grid(vrml, node, wants_uvs); break;
    case FR__KIND_EXTRUSION: status = add_extrusion(vrml, node, wants_uvs); break;
    case FR__KIND_BOX:
    case FR__KIND_SPHERE:
    case FR__KIND_CYLINDER:
    case FR__KIND_CONE: {
        fr__primitive_node primitive = primitive_of(node, wants_uvs);
        status = fr__add_primitive(&vrml->geometry, &primitive, &next);
        break;
    }
    case FR__KIND_LINES:
        if ((node->flags & FR__NODE_BUILT) == 0) { count_lines(vrml, node); }
        node->flags |= FR__NODE_BUILT;
        return FR_OK;
    case FR__KIND_POINTS:
        if ((node->flags & FR__NODE_BUILT) == 0) { count_points(vrml, node); }
        node->flags |= FR__NODE_BUILT;
        return FR_OK;
    default: return FR_OK;
    }
    *mesh = next;
    bool is_builders = status == FR_ERROR_MEMORY || status == FR_ERROR_LIMIT || status == FR_ERROR_STOPPED;
    return is_builders ? fr__vrml_fail_building(vrml, node->at) : status;
}

// The geometry of a shape; that itself where a file has it without one, as Open Inventor had.
static fr_status find_geometry(fr__vrml *vrml, fr__vnode *shape, fr__vnode **geometry, bool *has_texture) {
    *geometry = shape;
    *has_texture = false;
    if (shape->type->kind != FR__KIND_SHAPE) {
        return fr__vrml_problem(vrml, shape->at, "%s without a Shape: taken as one without appearance",
                                shape->type->name);
    }
    FR__TRY(fr__vrml_material(vrml, fr__value_node(shape, "appearance"), &shape->material, has_texture));
    *geometry = fr__value_node(shape, "geometry");
    return FR_OK;
}

fr_status fr__vrml_build_shape(fr__vrml *vrml, fr__vnode *shape) {
    if ((shape->flags & FR__NODE_BUILT) != 0) { return FR_OK; }
    shape->flags |= FR__NODE_BUILT;
    bool has_texture;
    fr__vnode *geometry;
    FR__TRY(find_geometry(vrml, shape, &geometry, &has_texture));
    if (geometry == NULL) { return FR_OK; }
    uint32_t *mesh = has_texture ? &geometry->material : &geometry->mesh;
    if (*mesh == FR_NONE) {
        FR__TRY(add_mesh(vrml, geometry, has_texture, mesh));
        fr__vnode *coord = *mesh != FR_NONE ? fr__value_node(geometry, "coord") : NULL;
        if (coord != NULL && coord->name != NULL) { FR__TRY(fr__vrml_note_use(vrml, coord, *mesh)); }
    }
    shape->mesh = *mesh;
    return FR_OK;
}
