// The polygons of VRML 1.0 and Inventor as an IndexedFaceSet of VRML97: sets with and without indices, strips, quads,
// and how materials, normals and texture coordinates are bound to them.
#include "inventor.h"

#include <string.h>

// The corners of all polygons, one after another; -1 ends a polygon.
typedef struct corner_list {
    const int32_t *coords; // point of each corner
    const int32_t *places; // of each corner among the file's indices; NULL: its place here
    const int32_t *runs;   // number of each corner's vertex in the order of the file; NULL until it is needed
    size_t count;
    const int32_t *parts; // of each polygon; NULL: its number
    size_t face_count;
    const char *at;
} corner_list;

// ---------------------------------------------------------------------------------------------------------------
// Lists without indices, and strips

// A list while it is written; only counted while `coords` is NULL.
typedef struct writer {
    int32_t *coords, *places, *runs, *parts;
    size_t count, face_count;
} writer;

static void add_corner(writer *w, int64_t coord, int64_t place, int64_t run) {
    if (w->coords != NULL) {
        w->coords[w->count] = (int32_t)coord;
        w->places[w->count] = (int32_t)place;
        w->runs[w->count] = (int32_t)run;
    }
    w->count++;
}

static void end_polygon(writer *w, int64_t part) {
    if (w->coords != NULL) { w->parts[w->face_count] = (int32_t)part; }
    w->face_count++;
    add_corner(w, -1, -1, -1);
}

// The points of a run, or its indices: either is NULL.
typedef struct run {
    const int32_t *indices;
    int64_t first, count; // among the points or indices
    int64_t first_run;    // number of its first vertex in the order of the file
    int64_t part;
} run;

static void add_run_corner(writer *w, const run *r, int64_t k) {
    add_corner(w, r->indices != NULL ? r->indices[r->first + k] : r->first + k, r->first + k, r->first_run + k);
}

static void add_face(writer *w, const run *r) {
    for (int64_t k = 0; k < r->count; k++) {
        add_run_corner(w, r, k);
    }
    end_polygon(w, r->part);
}

// Every second triangle of a strip is turned about.
static void add_strip(writer *w, const run *r) {
    for (int64_t k = 0; k + 2 < r->count; k++) {
        bool is_odd = k % 2 != 0;
        add_run_corner(w, r, is_odd ? k + 1 : k);
        add_run_corner(w, r, is_odd ? k : k + 1);
        add_run_corner(w, r, k + 2);
        end_polygon(w, r->part);
    }
}

// The polygons of FaceSet and TriangleStripSet. True where the runs ask for more points than there are.
static bool add_runs(writer *w, const fr__vnode *node, int64_t point_count) {
    static const int32_t rest[1] = {-1};
    const fr__value *given = fr__value_find(node, "numVertices");
    const int32_t *lengths = given != NULL ? given->wholes : rest;
    uint32_t count = given != NULL ? given->count : 1;
    int64_t start = fr__value_whole(node, "startIndex");
    if (start < 0) { start = 0; }
    run r = {.first = start};
    for (uint32_t i = 0; i < count; i++) {
        int64_t left = r.first < point_count ? point_count - r.first : 0;
        bool is_over = lengths[i] > left;
        r.count = lengths[i] < 0 || is_over ? left : lengths[i];
        if (lengths[i] < 0 && left == 0) { break; }
        r.first_run = r.first - start;
        r.part = i;
        if (node->type->kind == FR__INVENTOR_STRIP_RUNS) {
            add_strip(w, &r);
        } else {
            add_face(w, &r);
        }
        r.first += r.count;
        if (is_over) { return true; }
    }
    return false;
}

// The triangles of an IndexedTriangleStripSet.
static void add_indexed_strips(writer *w, const fr__value *indices) {
    run r = {.indices = indices->wholes};
    int64_t end = 0, count = indices->count;
    for (; r.first < count; r.first = end + 1) {
        for (end = r.first; end < count && indices->wholes[end] >= 0;) {
            end++;
        }
        r.count = end - r.first;
        add_strip(w, &r);
        r.first_run += r.count;
        r.part++;
    }
}

// The quads of a QuadMesh, row by row. True where it asks for more points than there are.
static bool add_quads(writer *w, const fr__vnode *node, int64_t point_count) {
    int64_t start = fr__value_whole(node, "startIndex"), columns = fr__value_whole(node, "verticesPerRow");
    int64_t rows = fr__value_whole(node, "verticesPerColumn");
    if (start < 0) { start = 0; }
    if (columns < 2 || rows < 2) { return false; }
    int64_t left = point_count > start ? point_count - start : 0, whole = left / columns;
    bool is_over = rows > whole;
    for (int64_t row = 0; row + 1 < (is_over ? whole : rows); row++) {
        for (int64_t column = 0; column + 1 < columns; column++) {
            int64_t at = row * columns + column;
            const int64_t corners[4] = {at, at + columns, at + columns + 1, at + 1};
            for (int k = 0; k < 4; k++) {
                add_corner(w, start + corners[k], start + corners[k], corners[k]);
            }
            end_polygon(w, row);
        }
    }
    return is_over;
}

static bool add_all(writer *w, const fr__vnode *node, int64_t point_count) {
    const fr__value *indices = fr__value_find(node, "coordIndex");
    switch (node->type->kind) {
    case FR__INVENTOR_STRIPS:
        if (indices != NULL) { add_indexed_strips(w, indices); }
        return false;
    case FR__INVENTOR_QUAD_MESH: return add_quads(w, node, point_count);
    default: return add_runs(w, node, point_count);
    }
}

static fr_status write_list(fr__inventor *inventor, const fr__vnode *node, int64_t point_count, corner_list *list) {
    fr__vrml *vrml = inventor->vrml;
    writer w = {NULL, NULL, NULL, NULL, 0, 0};
    bool is_over = add_all(&w, node, point_count);
    FR__TRY(fr__inventor_count_corners(inventor, node, w.count));
    if (is_over) {
        FR__TRY(fr__vrml_problem(vrml, node->at, "%s asks for more points than there are", node->type->name));
    }
    int32_t *numbers = fr__vrml_alloc(vrml, 3 * w.count + w.face_count, sizeof(int32_t), _Alignof(int32_t));
    if (numbers == NULL) { return fr__vrml_memory(vrml); }
    w = (writer){numbers, numbers + w.count, numbers + 2 * w.count, numbers + 3 * w.count, 0, 0};
    add_all(&w, node, point_count);
    *list = (corner_list){.coords = w.coords,
                          .places = w.places,
                          .runs = w.runs,
                          .count = w.count,
                          .parts = w.parts,
                          .face_count = w.face_count,
                          .at = node->at};
    return FR_OK;
}

// The indices of an IndexedFaceSet stay where they are.
static void take_list(const fr__vnode *node, corner_list *list) {
    const fr__value *indices = fr__value_find(node, "coordIndex");
    *list = (corner_list){.at = node->at};
    if (indices == NULL || indices->count == 0) { return; }
    list->coords = indices->wholes;
    list->count = indices->count;
    list->at = indices->at;
    for (size_t i = 0; i < list->count; i++) {
        list->face_count += list->coords[i] == -1 || i + 1 == list->count;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bindings

// Indices of an attribute as VRML97 has them: none, one a polygon, or one a corner.
typedef struct bound {
    const int32_t *indices; // NULL: polygons in order, or the points' own
    size_t count;
    bool is_per_face;
    const char *at;
} bound;

// The numbers of the vertices in the order of the file.
static const int32_t *runs_of(fr__inventor *inventor, corner_list *list) {
    if (list->runs != NULL) { return list->runs; }
    int32_t *runs = fr__vrml_alloc(inventor->vrml, list->count, sizeof *runs, _Alignof(int32_t)), next = 0;
    for (size_t i = 0; runs != NULL && i < list->count; i++) {
        runs[i] = list->coords[i] == -1 ? -1 : next++;
    }
    list->runs = runs;
    return runs;
}

// given[numbers[i]] of each; -1 where there is none.
static const int32_t *gather(fr__inventor *inventor, const fr__value *given, const int32_t *numbers, size_t count) {
    int32_t *found = fr__vrml_alloc(inventor->vrml, count, sizeof *found, _Alignof(int32_t));
    for (size_t i = 0; found != NULL && i < count; i++) {
        bool is_there = numbers[i] >= 0 && (uint32_t)numbers[i] < given->count;
        found[i] = is_there ? given->wholes[numbers[i]] : -1;
    }
    return found;
}

// The indices that a field gives; the default, a single -1, is none.
static const fr__value *given_indices(const fr__vnode *node, const char *field) {
    const fr__value *value = fr__value_find(node, field);
    bool is_given = value != NULL && value->count > 0 && !(value->count == 1 && value->wholes[0] < 0);
    return is_given ? value : NULL;
}

static fr_status bind_faces(fr__inventor *inventor, const corner_list *list, const fr__value *given, bool is_part,
                            bound *out) {
    out->is_per_face = true;
    if (is_part && list->parts != NULL) {
        out->indices = given != NULL ? gather(inventor, given, list->parts, list->face_count) : list->parts;
        out->count = list->face_count;
        return out->indices != NULL ? FR_OK : fr__vrml_memory(inventor->vrml);
    }
    if (given != NULL) {
        out->indices = given->wholes;
        out->count = given->count;
    }
    return FR_OK;
}

static fr_status bind_corners(fr__inventor *inventor, corner_list *list, const fr__value *given, bool is_indexed,
                              bound *out) {
    out->count = list->count;
    if (!is_indexed) {
        out->indices = runs_of(inventor, list);
    } else if (given != NULL && list->places != NULL) {
        out->indices = gather(inventor, given, list->places, list->count);
    } else if (given != NULL) {
        out->indices = given->wholes;
        out->count = given->count;
        return FR_OK;
    } else {
        // By the points' own indices.
        out->count = 0;
        return FR_OK;
    }
    return out->indices != NULL ? FR_OK : fr__vrml_memory(inventor->vrml);
}

static fr_status bind_all(fr__inventor *inventor, corner_list *list, bound *out) {
    int32_t *zeros = fr__vrml_alloc(inventor->vrml, list->face_count, sizeof *zeros, _Alignof(int32_t));
    if (zeros == NULL) { return fr__vrml_memory(inventor->vrml); }
    if (list->face_count > 0) { memset(zeros, 0, list->face_count * sizeof *zeros); }
    *out = (bound){.indices = zeros, .count = list->face_count, .is_per_face = true};
    return FR_OK;
}

// Sets without indices have no use for an indexed binding but to go on in order.
static fr_status bind(fr__inventor *inventor, corner_list *list, const fr__vnode *node, fr__binding binding,
                      const char *field, bound *out) {
    const fr__value *given = fr__has_field(node, field) ? given_indices(node, field) : NULL;
    bool has_indices = fr__has_field(node, "coordIndex");
    *out = (bound){.at = given != NULL ? given->at : list->at};
    switch (binding) {
    case FR__BIND_OVERALL: return bind_all(inventor, list, out);
    case FR__BIND_PART: return bind_faces(inventor, list, NULL, true, out);
    case FR__BIND_PART_INDEXED: return bind_faces(inventor, list, given, true, out);
    case FR__BIND_FACE: return bind_faces(inventor, list, NULL, false, out);
    case FR__BIND_FACE_INDEXED: return bind_faces(inventor, list, given, false, out);
    case FR__BIND_VERTEX: return bind_corners(inventor, list, NULL, false, out);
    default: return bind_corners(inventor, list, given, has_indices, out);
    }
}

// Whether there is a value for each polygon or corner.
static bool is_enough(const corner_list *list, const bound *b, uint32_t value_count) {
    if (b->is_per_face && b->indices == NULL) { return list->face_count <= value_count; }
    const int32_t *indices = b->indices != NULL ? b->indices : list->coords;
    size_t count = b->is_per_face ? list->face_count : list->count;
    if (b->indices != NULL && b->count < count) {
        // The last -1 may be missing.
        bool is_end = !b->is_per_face && count == b->count + 1 && list->coords[count - 1] == -1;
        if (!is_end) { return false; }
        count--;
    }
    for (size_t i = 0; i < count; i++) {
        if (!b->is_per_face && list->coords[i] == -1) { continue; }
        if (indices[i] < 0 || (uint32_t)indices[i] >= value_count) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Attributes

// A node of VRML97 with one list of another node.
static fr_status find_list(fr__inventor *inventor, const fr__vnode *holder, fr__made_for made_for, fr__vnode **list) {
    bool is_normal = made_for == FR__MADE_NORMAL;
    const fr__made_key key = {.made_for = made_for, .nodes = {holder}};
    FR__TRY(fr__inventor_find(inventor, &key, list));
    if (*list != NULL) { return FR_OK; }
    bool is_property = holder->type->kind == FR__INVENTOR_VERTEX_PROPERTY;
    const char *from = is_property ? is_normal ? "normal" : "texCoord" : is_normal ? "vector" : "point";
    const fr__vtype *type =
        is_normal ? fr__vtype_find((fr__span){"Normal", 6}) : fr__vtype_find((fr__span){"TextureCoordinate", 17});
    fr__maker maker = fr__maker_make(inventor, type, holder, false);
    fr__maker_copy(&maker, is_normal ? "vector" : "point", holder, from);
    FR__TRY(fr__maker_end(&maker, list));
    return fr__inventor_remember(inventor, &key, *list);
}

static void set_bound(fr__maker *maker, const bound *b, const char *index_field, const char *per_vertex) {
    if (per_vertex != NULL) { fr__maker_bool(maker, per_vertex, !b->is_per_face); }
    if (b->indices != NULL) { fr__maker_wholes(maker, index_field, b->indices, b->count, b->at); }
}

// Normals that are too few for their binding are left out: those of the crease angle take their place.
static fr_status set_normals(fr__inventor *inventor, fr__maker *maker, corner_list *list, const fr__vnode *node,
                             const fr__inventor_state *state) {
    if (state->normals == NULL) { return FR_OK; }
    fr__vnode *normals;
    FR__TRY(find_list(inventor, state->normals, FR__MADE_NORMAL, &normals));
    if (normals->value_count == 0) { return FR_OK; }
    fr__binding binding = (fr__binding)state->normal_binding;
    bound b;
    FR__TRY(bind(inventor, list, node, binding, "normalIndex", &b));
    if (!is_enough(list, &b, normals->values[0].count)) { return FR_OK; }
    fr__maker_node(maker, "normal", normals);
    set_bound(maker, &b, "normalIndex", "normalPerVertex");
    return FR_OK;
}

static fr_status set_colors(fr__inventor *inventor, fr__maker *maker, corner_list *list, const fr__vnode *node,
                            const fr__inventor_state *state) {
    if (state->colors == NULL) { return FR_OK; }
    fr__vnode *colors;
    FR__TRY(fr__inventor_colors(inventor, state->colors, &colors));
    bound b;
    FR__TRY(bind(inventor, list, node, (fr__binding)state->material_binding, "materialIndex", &b));
    fr__maker_node(maker, "color", colors);
    set_bound(maker, &b, "colorIndex", "colorPerVertex");
    return FR_OK;
}

static fr_status set_uvs(fr__inventor *inventor, fr__maker *maker, corner_list *list, const fr__vnode *node,
                         const fr__inventor_state *state) {
    if (state->uvs == NULL) { return FR_OK; }
    fr__vnode *uvs;
    FR__TRY(find_list(inventor, state->uvs, FR__MADE_UV, &uvs));
    bound b;
    FR__TRY(bind(inventor, list, node, FR__BIND_VERTEX_INDEXED, "textureCoordIndex", &b));
    fr__maker_node(maker, "texCoord", uvs);
    set_bound(maker, &b, "texCoordIndex", NULL);
    return FR_OK;
}

fr_status fr__inventor_face_set(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_state *state,
                                fr__vnode **geometry) {
    fr__vnode *coordinate;
    FR__TRY(fr__inventor_coordinate(inventor, state->coordinates, &coordinate));
    corner_list list = {0};
    if (node->type->kind == FR__INVENTOR_FACES) {
        take_list(node, &list);
    } else {
        int64_t points = coordinate != NULL ? (int64_t)coordinate->values[0].count : 0;
        FR__TRY(write_list(inventor, node, points, &list));
    }
    *geometry = NULL;
    if (list.count == 0) { return FR_OK; }
    fr__maker maker = fr__maker_make(inventor, fr__vtype_find((fr__span){"IndexedFaceSet", 14}), node, false);
    fr__maker_node(&maker, "coord", coordinate);
    fr__maker_wholes(&maker, "coordIndex", list.coords, list.count, list.at);
    FR__TRY(set_normals(inventor, &maker, &list, node, state));
    FR__TRY(set_colors(inventor, &maker, &list, node, state));
    FR__TRY(set_uvs(inventor, &maker, &list, node, state));
    float *angle = fr__vrml_alloc(inventor->vrml, 1, sizeof *angle, _Alignof(float));
    if (angle == NULL) { return fr__vrml_memory(inventor->vrml); }
    *angle = state->crease_angle;
    fr__maker_floats(&maker, "creaseAngle", angle, 1);
    if (state->is_clockwise != 0) { fr__maker_bool(&maker, "ccw", false); }
    if (state->is_solid == 0) { fr__maker_bool(&maker, "solid", false); }
    return fr__maker_end(&maker, geometry);
}
