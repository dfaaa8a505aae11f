// Meshes of extruded outlines.
#include "shape/soup.h"

// Orients the outline counter-clockwise into points at the low end of the extrusion. False when a point is not finite.
static bool lay_outline(const fr_vec2 *points, uint32_t count, double low, fr__soup *soup) {
    bool clockwise = fr_polygon_area(points, count) < 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec2 p = points[clockwise ? count - 1 - i : i];
        if (!isfinite(p.x) || !isfinite(p.y)) { return false; }
        fr__soup_add_point(soup, fr_vec3_make(p.x, p.y, low));
    }
    for (uint32_t i = 0; i < count; i++) {
        fr__soup_add_point(soup, fr_vec3_make(soup->points[i].x, soup->points[i].y, -low));
    }
    return true;
}

// The two ends, cut into triangles alike. The scratch holds the triangles of one end.
static fr_status add_ends(fr__soup *soup, uint32_t count, fr_arena *scratch, fr_error *error) {
    bool clean = false;
    uint32_t *triangles = fr_arena_alloc(scratch, 3 * (size_t)(count - 2), sizeof *triangles, _Alignof(uint32_t));
    if (triangles == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an extrusion"); }
    fr_status status = fr_polygon_triangulate(soup->points, count, scratch, triangles, &clean, error);
    if (status != FR_OK) { return fr_error_set(error, status, "the outline cannot be cut into triangles"); }
    if (!clean) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the outline crosses itself or has no area"); }
    for (size_t i = 0; i < 3 * (size_t)(count - 2); i += 3) {
        uint32_t a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
        fr__soup_add_triangle(soup, a, c, b);
        fr__soup_add_triangle(soup, count + a, count + b, count + c);
    }
    return FR_OK;
}

static fr_status fill_extrusion(const fr_vec2 *points, uint32_t count, double length, fr_arena *scratch, fr__soup *soup,
                                fr_error *error) {
    if (!lay_outline(points, count, -0.5 * length, soup)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a point of the outline is not finite");
    }
    fr_status status = add_ends(soup, count, scratch, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1 == count ? 0 : i + 1;
        fr__soup_add_triangle(soup, i, next, count + next);
        fr__soup_add_triangle(soup, i, count + next, count + i);
    }
    return FR_OK;
}

fr_status fr_mesh_create_extrusion(const fr_vec2 *points, uint32_t count, double length, const fr_mesh_def *like,
                                   fr_mesh **out, fr_error *error) {
    FR_ASSERT(points != NULL && out != NULL);
    *out = NULL;
    if (count < 3 || count > FR_POLYGON_MAX_POINTS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an outline has 3 to %u points, not %u", FR_POLYGON_MAX_POINTS,
                            count);
    }
    if (!isfinite(length) || length <= 0.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an extrusion needs a finite length > 0");
    }
    fr_arena *scratch = NULL;
    fr_status status = fr_arena_create(0, like != NULL ? &like->allocator : NULL, &scratch, error);
    if (status != FR_OK) { return fr_error_set(error, status, "out of memory for an extrusion"); }
    fr__soup soup;
    status = fr__soup_take(2 * (uint64_t)count, 4 * (uint64_t)count - 4, like, &soup, error);
    if (status == FR_OK) {
        status = fill_extrusion(points, count, length, scratch, &soup, error);
        if (status == FR_OK) {
            status = fr__soup_finish(&soup, like, out, error);
        } else {
            fr__soup_free(&soup);
        }
    }
    fr_arena_destroy(scratch);
    return status;
}
