// Entities of a drawing: those with polygons leave pieces, blocks that are set in leave inserts, the rest is counted.
#include "dxf.h"

#include <string.h>

// What the pairs of an entity may say.
typedef struct entity {
    const char *at;
    fr__span layer, name;
    bool is_on_paper;
    fr_vec3 points[4];
    int given[4];             // parts of each point that were given
    int64_t flags, counts[4]; // codes 70, and 71 to 74
    double numbers[60];       // codes 40 to 59
    bool has_number[60];
    fr_vec3 normal;
} entity;

static void *no_memory(fr__dxf *dxf, fr_status *status) {
    *status = fr__cursor_fail(&dxf->reader->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    return NULL;
}

static void set_part(fr_vec3 *v, int axis, double value) {
    if (axis == 0) {
        v->x = value;
    } else if (axis == 1) {
        v->y = value;
    } else {
        v->z = value;
    }
}

// One pair of an entity.
static fr_status take_pair(fr__dxf *dxf, entity *e) {
    int code = dxf->pair.code;
    int64_t whole = 0;
    if (code == 8) {
        e->layer = dxf->pair.text;
    } else if (code == 2) {
        e->name = dxf->pair.text;
    } else if (code >= 10 && code < 40 && code % 10 < 4) {
        double value = 0.0;
        FR__TRY(fr__dxf_real(dxf, &value));
        set_part(&e->points[code % 10], code / 10 - 1, value);
        e->given[code % 10] |= 1 << (code / 10 - 1);
    } else if (code >= 40 && code < 60) {
        FR__TRY(fr__dxf_real(dxf, &e->numbers[code]));
        e->has_number[code] = true;
    } else if (code == 67) {
        FR__TRY(fr__dxf_whole(dxf, &whole));
        e->is_on_paper = whole == 1;
    } else if (code == 70) {
        FR__TRY(fr__dxf_whole(dxf, &e->flags));
    } else if (code >= 71 && code <= 74) {
        FR__TRY(fr__dxf_whole(dxf, &e->counts[code - 71]));
    } else if (code == 210 || code == 220 || code == 230) {
        double value = 0.0;
        FR__TRY(fr__dxf_real(dxf, &value));
        set_part(&e->normal, code / 10 - 21, value);
    }
    return FR_OK;
}

// All pairs of the entity at the current pair.
static fr_status gather(fr__dxf *dxf, entity *e) {
    *e = (entity){.at = dxf->pair.at, .layer = {"0", 1}, .name = {"", 0}, .normal = {0.0, 0.0, 1.0}};
    FR__TRY(fr__dxf_next(dxf));
    while (dxf->pair.code > 0 || dxf->pair.code < -1) {
        FR__TRY(take_pair(dxf, e));
        FR__TRY(fr__dxf_next(dxf));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

static fr_status begin_piece(fr__dxf *dxf, const entity *e) {
    fr_status status = FR_OK;
    uint32_t layer = fr__names_find_or_append(&dxf->layers, e->layer);
    fr__dxf_piece *piece = layer != FR_NONE ? fr__dxf_piece_array_push(&dxf->pieces, 1) : no_memory(dxf, &status);
    if (piece == NULL) {
        no_memory(dxf, &status);
        return status;
    }
    *piece = (fr__dxf_piece){.container = dxf->container,
                             .layer = layer,
                             .first_id = dxf->next_id,
                             .first_point = dxf->points.count,
                             .first_face = dxf->sizes.count,
                             .first_corner = dxf->corners.count};
    return FR_OK;
}

static fr__dxf_piece *last_piece(fr__dxf *dxf) { return dxf->pieces.data + dxf->pieces.count - 1; }

static fr_status add_point(fr__dxf *dxf, fr_vec3 p) {
    fr_status status = FR_OK;
    fr_vec3 *place = fr__point_array_push(&dxf->points, 1);
    if (place == NULL) {
        no_memory(dxf, &status);
        return status;
    }
    *place = p;
    last_piece(dxf)->point_count++;
    return FR_OK;
}

static fr_status add_face(fr__dxf *dxf, const uint32_t *corners, uint32_t count) {
    fr_status status = FR_OK;
    uint32_t *place = fr_uint32_array_push(&dxf->corners, count);
    if (place == NULL || !fr__push_index(&dxf->sizes, count)) {
        no_memory(dxf, &status);
        return status;
    }
    memcpy(place, corners, count * sizeof *corners);
    last_piece(dxf)->face_count++;
    dxf->next_id++;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Entities with polygons

static bool are_equal(fr_vec3 a, fr_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static fr_status read_3dface(fr__dxf *dxf) {
    entity e;
    FR__TRY(gather(dxf, &e));
    if (e.is_on_paper) { return FR_OK; }
    if (e.given[3] == 0) { e.points[3] = e.points[2]; }
    uint32_t corners[4], count = 0;
    FR__TRY(begin_piece(dxf, &e));
    for (int i = 0; i < 4; i++) {
        bool again = are_equal(e.points[i], e.points[(i + 1) % 4]);
        if (again) { continue; }
        FR__TRY(add_point(dxf, e.points[i]));
        corners[count] = count;
        count++;
    }
    if (count >= 3) { return add_face(dxf, corners, count); }
    fr__reader_warn(dxf->reader, dxf->is_binary ? NULL : e.at,
                    "a face of fewer than 3 different corners is passed over");
    dxf->points.count -= count;
    dxf->pieces.count--;
    dxf->next_id++;
    return FR_OK;
}

// Quads between the rows of a mesh of m rows of n.
static fr_status add_grid(fr__dxf *dxf, const entity *e, uint32_t m, uint32_t n) {
    uint32_t rows = (e->flags & 1) != 0 ? m : m - 1, columns = (e->flags & 32) != 0 ? n : n - 1;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < columns; j++) {
            uint32_t below = (i + 1) % m * n, right = (j + 1) % n;
            const uint32_t corners[4] = {i * n + j, below + j, below + right, i * n + right};
            FR__TRY(add_face(dxf, corners, 4));
        }
    }
    return FR_OK;
}

// A face of a polyface: up to 4 vertices counted from 1; below 0 where the edge after it is not drawn.
static fr_status add_polyface_face(fr__dxf *dxf, const entity *vertex) {
    uint32_t corners[4], count = 0, points = last_piece(dxf)->point_count;
    for (int i = 0; i < 4 && vertex->counts[i] != 0; i++) {
        int64_t index = vertex->counts[i] < 0 ? -vertex->counts[i] : vertex->counts[i];
        if (index > points) {
            return fr__dxf_fail(dxf, vertex->at, FR_ERROR_CORRUPT, "a face has vertex %lld of %u, counted from 1",
                                (long long)index, points);
        }
        corners[count++] = (uint32_t)index - 1;
    }
    // One or two vertices are edges that are drawn.
    return count >= 3 ? add_face(dxf, corners, count) : FR_OK;
}

enum { POLYLINE_3D_MESH = 16, POLYLINE_FACES = 64, POLYLINE_SMOOTH = 4 };
enum { VERTEX_FRAME = 16, VERTEX_OF_MESH = 64, VERTEX_OF_FACES = 128 };

// The vertices after a POLYLINE, up to SEQEND; `keep` says whether they are of a mesh.
static fr_status read_vertices(fr__dxf *dxf, const entity *polyline, bool keep) {
    while (fr__dxf_is(dxf, "vertex")) {
        entity vertex;
        FR__TRY(gather(dxf, &vertex));
        if (!keep) { continue; }
        bool is_face = (polyline->flags & POLYLINE_FACES) != 0 && (vertex.flags & VERTEX_OF_FACES) != 0 &&
                       (vertex.flags & VERTEX_OF_MESH) == 0;
        bool is_frame = (polyline->flags & POLYLINE_SMOOTH) != 0 && (vertex.flags & VERTEX_FRAME) != 0;
        if (is_face) {
            FR__TRY(add_polyface_face(dxf, &vertex));
        } else if (!is_frame) {
            FR__TRY(add_point(dxf, vertex.points[0]));
        }
    }
    if (!fr__dxf_is(dxf, "seqend")) { return FR_OK; }
    entity end;
    return gather(dxf, &end);
}

static void count_drawn(fr__dxf *dxf, const char *at) {
    if (dxf->drawn++ == 0) { dxf->drawn_at = at; }
}

static fr_status read_polyline(fr__dxf *dxf) {
    entity e;
    FR__TRY(gather(dxf, &e));
    bool is_mesh = (e.flags & (POLYLINE_3D_MESH | POLYLINE_FACES)) != 0 && !e.is_on_paper;
    if (!is_mesh) {
        dxf->reader->builder.line_count++;
        count_drawn(dxf, e.at);
        return read_vertices(dxf, &e, false);
    }
    FR__TRY(begin_piece(dxf, &e));
    FR__TRY(read_vertices(dxf, &e, true));
    if ((e.flags & POLYLINE_FACES) != 0) { return FR_OK; }
    bool is_smooth = (e.flags & POLYLINE_SMOOTH) != 0 && e.counts[2] > 0 && e.counts[3] > 0;
    int64_t m = e.counts[is_smooth ? 2 : 0], n = e.counts[is_smooth ? 3 : 1];
    uint32_t points = last_piece(dxf)->point_count;
    if (m < 2 || n < 2 || m > points || n > points || (uint64_t)m * (uint64_t)n > points) {
        fr__reader_warn(dxf->reader, dxf->is_binary ? NULL : e.at,
                        "a mesh of %lld times %lld has %u vertices and is passed over", (long long)m, (long long)n,
                        points);
        return FR_OK;
    }
    return add_grid(dxf, &e, (uint32_t)m, (uint32_t)n);
}

// ---------------------------------------------------------------------------------------------------------------
// MESH: lists of vertices, of faces (a count and so many vertices), of edges and of creases, one after another

typedef struct mesh_list {
    fr_vec3 point;
    bool in_faces;
    int64_t left;            // numbers of the list of faces that are still to come
    int64_t face_left;       // vertices of the current face that are
    fr_uint32_array corners; // uint32_t, of the current face
} mesh_list;

static fr_status take_face_number(fr__dxf *dxf, mesh_list *list) {
    int64_t value = 0;
    FR__TRY(fr__dxf_whole(dxf, &value));
    list->left--;
    if (list->face_left == 0) {
        if (value < 0 || value > list->left) {
            return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_CORRUPT,
                                "a face of %lld corners, but %lld numbers are left", (long long)value,
                                (long long)list->left);
        }
        list->face_left = value;
        list->corners.count = 0;
        return FR_OK;
    }
    uint32_t points = last_piece(dxf)->point_count;
    if (value < 0 || value >= points) {
        return fr__dxf_fail(dxf, dxf->pair.at, FR_ERROR_CORRUPT, "a face has vertex %lld of %u, counted from 0",
                            (long long)value, points);
    }
    fr_status status = FR_OK;
    if (!fr__push_index(&list->corners, (uint32_t)value)) {
        no_memory(dxf, &status);
        return status;
    }
    if (--list->face_left > 0 || list->corners.count < 3) { return FR_OK; }
    return add_face(dxf, list->corners.data, (uint32_t)list->corners.count);
}

static fr_status take_mesh_pair(fr__dxf *dxf, mesh_list *list, const char *at) {
    int code = dxf->pair.code;
    int64_t whole = 0;
    double value = 0.0;
    if (code == 10 || code == 20 || code == 30) {
        FR__TRY(fr__dxf_real(dxf, &value));
        set_part(&list->point, code / 10 - 1, value);
        return code == 30 ? add_point(dxf, list->point) : FR_OK;
    }
    if (code == 93) { return fr__dxf_whole(dxf, &list->left); }
    if (code == 90 && list->left > 0) { return take_face_number(dxf, list); }
    if (code == 91) {
        FR__TRY(fr__dxf_whole(dxf, &whole));
        if (whole > 0) {
            fr__reader_warn(dxf->reader, dxf->is_binary ? NULL : at,
                            "a mesh to be subdivided %lld times is read as it is", (long long)whole);
        }
    }
    return FR_OK;
}

static fr_status read_mesh_pairs(fr__dxf *dxf, mesh_list *list) {
    entity e = {.at = dxf->pair.at, .layer = {"0", 1}};
    bool has_begun = false;
    FR__TRY(fr__dxf_next(dxf));
    for (; dxf->pair.code > 0 || dxf->pair.code < -1;) {
        if (dxf->pair.code == 8 && !has_begun) { e.layer = dxf->pair.text; }
        // The lists follow the layer; codes before them are those of any entity.
        if (dxf->pair.code == 100 && fr__span_is(dxf->pair.text, "acdbsubdmesh")) {
            has_begun = true;
            FR__TRY(begin_piece(dxf, &e));
        } else if (has_begun && dxf->pair.code < 1000) {
            FR__TRY(take_mesh_pair(dxf, list, e.at));
        }
        FR__TRY(fr__dxf_next(dxf));
    }
    return FR_OK;
}

static fr_status read_mesh(fr__dxf *dxf) {
    mesh_list list = {.corners = fr_uint32_array_make(&dxf->reader->builder.allocator)};
    fr_status status = read_mesh_pairs(dxf, &list);
    fr_uint32_array_destroy(&list.corners);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// INSERT

fr_status fr__dxf_find_block(fr__dxf *dxf, fr__span name, uint32_t *block) {
    fr_status status = FR_OK;
    uint32_t number = fr__names_find_or_append(&dxf->names, name);
    if (number == FR_NONE) {
        no_memory(dxf, &status);
        return status;
    }
    *block = number + 1;
    if (*block < dxf->blocks.count) { return FR_OK; }
    fr__dxf_block *place = fr__dxf_block_array_push(&dxf->blocks, 1);
    if (place == NULL) {
        no_memory(dxf, &status);
        return status;
    }
    *place = (fr__dxf_block){0};
    return FR_OK;
}

static void sincos_deg(double degrees, double *sine, double *cosine) {
    static const double quarters[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (int i = -4; i <= 4; i++) {
        if (degrees != 90.0 * i) { continue; }
        *sine = quarters[(i + 4) % 4][0];
        *cosine = quarters[(i + 4) % 4][1];
        return;
    }
    fr_sincos(degrees * (FR_PI / 180.0), sine, cosine);
}

// The axes of an entity's own frame, by the rule of the format: they follow from its normal alone.
static void find_axes(fr_vec3 normal, fr_vec3 axes[3]) {
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    axes[2] = fr_vec3_unit(normal, z);
    bool is_near_z = axes[2].x < 1.0 / 64 && axes[2].x > -1.0 / 64 && axes[2].y < 1.0 / 64 && axes[2].y > -1.0 / 64;
    axes[0] = fr_vec3_unit(fr_vec3_cross(is_near_z ? y : z, axes[2]), x);
    axes[1] = fr_vec3_unit(fr_vec3_cross(axes[2], axes[0]), y);
}

static fr_vec3 along(const fr_vec3 axes[3], double x, double y, double z) {
    return fr_vec3_add(fr_vec3_add(fr_vec3_scale(x, axes[0]), fr_vec3_scale(y, axes[1])), fr_vec3_scale(z, axes[2]));
}

static uint32_t at_least_one(int64_t count) { return count > 1 ? (uint32_t)(count < 65536 ? count : 65536) : 1; }

static fr_status read_insert(fr__dxf *dxf) {
    entity e;
    FR__TRY(gather(dxf, &e));
    if (e.is_on_paper) { return FR_OK; }
    fr_status status = FR_OK;
    uint32_t block = 0;
    FR__TRY(fr__dxf_find_block(dxf, e.name, &block));
    fr__dxf_insert *insert = fr__dxf_insert_array_push(&dxf->inserts, 1);
    if (insert == NULL) {
        no_memory(dxf, &status);
        return status;
    }
    *insert = (fr__dxf_insert){.container = dxf->container,
                               .block = block,
                               .columns = at_least_one(e.flags),
                               .rows = at_least_one(e.counts[0]),
                               .at = e.at};
    fr_vec3 axes[3];
    find_axes(e.normal, axes);
    double sine = 0.0, cosine = 1.0, scale[3];
    sincos_deg(e.numbers[50], &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        scale[i] = e.has_number[41 + i] ? e.numbers[41 + i] : 1.0;
    }
    const fr_vec3 columns[4] = {along(axes, scale[0] * cosine, scale[0] * sine, 0.0),
                                along(axes, -scale[1] * sine, scale[1] * cosine, 0.0), along(axes, 0.0, 0.0, scale[2]),
                                along(axes, e.points[0].x, e.points[0].y, e.points[0].z)};
    for (int i = 0; i < 4; i++) {
        insert->matrix[i] = columns[i].x;
        insert->matrix[4 + i] = columns[i].y;
        insert->matrix[8 + i] = columns[i].z;
    }
    insert->step_x = along(axes, e.numbers[44] * cosine, e.numbers[44] * sine, 0.0);
    insert->step_y = along(axes, -e.numbers[45] * sine, e.numbers[45] * cosine, 0.0);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// All

fr_status fr__dxf_read_entity(fr__dxf *dxf) {
    static const char *const solids[] = {"3dsolid",         "body",          "region",      "surface",
                                         "extrudedsurface", "loftedsurface", "nurbsurface", "planesurface",
                                         "revolvedsurface", "sweptsurface"};
    static const char *const lines[] = {"line", "lwpolyline", "circle", "arc", "ellipse", "spline", "ray", "xline"};
    if (fr__dxf_is(dxf, "3dface")) { return read_3dface(dxf); }
    if (fr__dxf_is(dxf, "polyline")) { return read_polyline(dxf); }
    if (fr__dxf_is(dxf, "mesh")) { return read_mesh(dxf); }
    if (fr__dxf_is(dxf, "insert")) { return read_insert(dxf); }
    bool is_solid = false, is_line = false;
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
        is_solid = is_solid || fr__dxf_is(dxf, solids[i]);
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        is_line = is_line || fr__dxf_is(dxf, lines[i]);
    }
    bool is_point = fr__dxf_is(dxf, "point"), is_drawn = !fr__dxf_is(dxf, "viewport");
    const char *at = dxf->pair.at;
    if (is_solid) {
        if (dxf->solids++ == 0) { dxf->solid_at = at; }
    } else if (is_drawn) {
        count_drawn(dxf, at);
    }
    dxf->reader->builder.line_count += is_line;
    dxf->reader->builder.point_count += is_point;
    // What it says is not looked at.
    do {
        FR__TRY(fr__dxf_next(dxf));
    } while (dxf->pair.code > 0 || dxf->pair.code < -1);
    return FR_OK;
}
