// ElevationGrid: heights over a grid as quads.
#include "geometry_face_set.h"

#include <math.h>

fr__elevation_grid fr__default_elevation_grid(void) {
    return (fr__elevation_grid){.x_spacing = 1.0,
                                .z_spacing = 1.0,
                                .colors.width = 3,
                                .normals.width = 3,
                                .uvs.width = 2,
                                .ccw = true,
                                .solid = true};
}

// The grid while its quads are made.
typedef struct height_sheet {
    fr__geometry *geometry;
    const fr__elevation_grid *grid;
    uint32_t columns, rows; // of vertices
} height_sheet;

static double height_at(const height_sheet *s, size_t i) {
    bool is_double = s->geometry->builder->is_double;
    return is_double ? ((const double *)s->grid->heights)[i] : (double)((const float *)s->grid->heights)[i];
}

static bool add_vertices(const height_sheet *s) {
    for (uint32_t j = 0; j < s->rows; j++) {
        for (uint32_t i = 0; i < s->columns; i++) {
            fr_vec3 p = {(double)i * s->grid->x_spacing, height_at(s, (size_t)j * s->columns + i),
                         (double)j * s->grid->z_spacing};
            if (!fr__geometry_vertex(s->geometry->builder, p)) { return false; }
        }
        if (!fr__builder_goes_on(s->geometry->builder, s->columns)) { return false; }
    }
    return true;
}

// The value of a vertex or a quad; NULL where the list is too short, which was warned of.
static const float *value_at(const fr__attribute *attribute, size_t vertex, size_t quad) {
    size_t index = attribute->per_face ? quad : vertex;
    return index < attribute->count ? attribute->values + attribute->width * index : NULL;
}

static bool add_corner(const height_sheet *s, uint32_t i, uint32_t j, size_t quad) {
    const fr__elevation_grid *grid = s->grid;
    fr__builder *builder = s->geometry->builder;
    size_t vertex = (size_t)j * s->columns + i;
    if (!fr__builder_corner(builder, (uint32_t)vertex)) { return false; }
    const float *normal = value_at(&grid->normals, vertex, quad);
    if (normal != NULL) {
        fr_vec3 unit = fr_vec3_unit(fr__float_vector(normal), fr_vec3_make(0.0, 1.0, 0.0));
        const float rounded[3] = {(float)unit.x, (float)unit.y, (float)unit.z};
        if (!fr__builder_normal_corner(builder, rounded)) { return false; }
    }
    const float *color = grid->colors.per_face ? NULL : value_at(&grid->colors, vertex, quad);
    if (color != NULL && !fr__builder_color_corner(builder, fr__geometry_color(color, grid->colors.width))) {
        return false;
    }
    const float *uv = value_at(&grid->uvs, vertex, quad);
    const float even[2] = {(float)((double)i / (double)(s->columns - 1)), (float)((double)j / (double)(s->rows - 1))};
    if (uv == NULL && grid->wants_uvs) { uv = even; }
    return uv == NULL || fr__builder_uv_corner(builder, uv);
}

static bool add_quad(const height_sheet *s, uint32_t i, uint32_t j) {
    const uint32_t right = s->grid->ccw ? 0 : 1; // the second corner is the one along x where it is turned about
    size_t quad = (size_t)j * (s->columns - 1) + i;
    if (!add_corner(s, i, j, quad) || !add_corner(s, i + right, j + 1 - right, quad) ||
        !add_corner(s, i + 1, j + 1, quad) || !add_corner(s, i + 1 - right, j + right, quad) ||
        !fr__builder_end_face(s->geometry->builder, 4)) {
        return false;
    }
    const float *color = s->grid->colors.per_face ? value_at(&s->grid->colors, 0, quad) : NULL;
    if (color == NULL) { return true; }
    return fr__builder_color_face(s->geometry->builder, fr__geometry_color(color, s->grid->colors.width));
}

// Takes an attribute only where it has a value for each vertex or quad.
static fr_status check_attribute(const height_sheet *s, fr__attribute *attribute, const char *what) {
    uint64_t quads = (uint64_t)(s->columns - 1) * (s->rows - 1), vertices = (uint64_t)s->columns * s->rows;
    uint64_t needed = attribute->per_face ? quads : vertices;
    if (attribute->count == 0 || attribute->count >= needed) { return FR_OK; }
    uint64_t there = attribute->count;
    const char *at = attribute->at != NULL ? attribute->at : s->grid->at;
    attribute->count = 0;
    return fr__geometry_warn(s->geometry, at, "%llu %s for a grid that needs %llu, none taken",
                             (unsigned long long)there, what, (unsigned long long)needed);
}

// The rows that the heights fill. False where there is no quad.
static fr_status measure(height_sheet *s, bool *is_empty) {
    const fr__elevation_grid *grid = s->grid;
    *is_empty = true;
    bool has_spacing = grid->x_spacing > 0.0 && grid->z_spacing > 0.0;
    bool is_whole = grid->x_dimension >= 0 && grid->z_dimension >= 0 &&
                    grid->height_count == (uint64_t)grid->x_dimension * (uint64_t)grid->z_dimension;
    if (has_spacing && is_whole && (grid->x_dimension < 2 || grid->z_dimension < 2)) {
        return fr__geometry_note(s->geometry, grid->at, "left out: a grid of %d by %d", (int)grid->x_dimension,
                                 (int)grid->z_dimension);
    }
    if (grid->x_dimension < 2 || grid->z_dimension < 2 || !has_spacing) {
        return fr__geometry_warn(s->geometry, grid->at,
                                 "left out: a grid of %d by %d, or a spacing that is not above 0",
                                 (int)grid->x_dimension, (int)grid->z_dimension);
    }
    s->columns = (uint32_t)grid->x_dimension;
    uint64_t rows = grid->height_count / s->columns;
    uint64_t wanted = (uint64_t)grid->z_dimension;
    s->rows = (uint32_t)(rows < wanted ? rows : wanted);
    *is_empty = s->rows < 2;
    if (grid->height_count == wanted * s->columns) { return FR_OK; }
    return fr__geometry_warn(s->geometry, grid->at, "%llu heights for a grid of %d by %d, %u rows taken",
                             (unsigned long long)grid->height_count, (int)grid->x_dimension, (int)grid->z_dimension,
                             s->rows);
}

static bool add_quads(const height_sheet *s) {
    for (uint32_t j = 0; j + 1 < s->rows; j++) {
        for (uint32_t i = 0; i + 1 < s->columns; i++) {
            if (!add_quad(s, i, j)) { return false; }
        }
        if (!fr__builder_goes_on(s->geometry->builder, 8 * (size_t)s->columns)) { return false; }
    }
    return true;
}

fr_status fr__add_elevation_grid(fr__geometry *geometry, const fr__elevation_grid *given) {
    fr__elevation_grid grid = *given;
    height_sheet s = {.geometry = geometry, .grid = &grid};
    bool is_empty;
    if (!fr__geometry_begin(geometry, grid.solid)) { return fr__geometry_failed(geometry); }
    FR__TRY(measure(&s, &is_empty));
    if (is_empty) { return FR_OK; }
    FR__TRY(check_attribute(&s, &grid.colors, "colours"));
    FR__TRY(check_attribute(&s, &grid.normals, "normals"));
    FR__TRY(check_attribute(&s, &grid.uvs, "texture coordinates"));
    if (!add_vertices(&s) || !add_quads(&s)) { return fr__geometry_failed(geometry); }
    bool is_smooth = grid.normals.count == 0 && grid.crease_angle > 0.0;
    return is_smooth ? fr__crease_normals(geometry, grid.crease_angle) : FR_OK;
}
