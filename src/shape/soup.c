// Triangle soups and spindles, from which primitives are made.
#include "shape/soup.h"

#include <string.h>

void fr__soup_free(fr__soup *soup) {
    fr_deallocate(&soup->allocator, soup->points, soup->vertex_capacity, sizeof *soup->points);
    fr_deallocate(&soup->allocator, soup->triangles, soup->triangle_capacity, 3 * sizeof(uint32_t));
}

fr_status fr__soup_take(uint64_t vertex_count, uint64_t triangle_count, const fr_mesh_def *like, fr__soup *out,
                        fr_error *error) {
    memset(out, 0, sizeof *out);
    if (vertex_count > FR_MESH_MAX_VERTICES || triangle_count > FR_MESH_MAX_TRIANGLES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%llu triangles are more than a mesh may have",
                            (unsigned long long)triangle_count);
    }
    if (like != NULL) { out->allocator = like->allocator; }
    out->vertex_capacity = (uint32_t)vertex_count;
    out->triangle_capacity = (uint32_t)triangle_count;
    out->points = fr_allocate(&out->allocator, out->vertex_capacity, sizeof *out->points, _Alignof(fr_vec3));
    out->triangles = fr_allocate(&out->allocator, out->triangle_capacity, 3 * sizeof(uint32_t), _Alignof(uint32_t));
    if (out->points != NULL && out->triangles != NULL) { return FR_OK; }

    fr__soup_free(out);
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %u triangles", out->triangle_capacity);
}

void fr__soup_add_triangle(fr__soup *soup, uint32_t a, uint32_t b, uint32_t c) {
    FR_ASSERT(soup->triangle_count < soup->triangle_capacity);
    uint32_t *triangle = soup->triangles + 3 * (size_t)soup->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

uint32_t fr__soup_add_point(fr__soup *soup, fr_vec3 point) {
    FR_ASSERT(soup->vertex_count < soup->vertex_capacity);
    soup->points[soup->vertex_count] = point;
    return soup->vertex_count++;
}

fr_status fr__soup_finish(fr__soup *soup, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(soup->vertex_count == soup->vertex_capacity && soup->triangle_count == soup->triangle_capacity);
    fr_mesh_def def = fr_default_mesh_def();
    if (like != NULL && like->cookie != def.cookie) {
        fr__soup_free(soup);
        return fr_error_set_cookie(error, "fr_default_mesh_def");
    }
    if (like != NULL) {
        def.is_double = like->is_double;
        def.tasks = like->tasks;
        def.control = like->control;
        def.allocator = like->allocator;
    }
    def.positions_double = &soup->points[0].x;
    def.vertex_count = soup->vertex_count;
    def.triangles = soup->triangles;
    def.triangle_count = soup->triangle_count;
    fr_status status = fr_mesh_create(&def, out, error);
    fr__soup_free(soup);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Spindles

fr_vec3 fr__turn_to_axis(fr_vec3 p, fr_axis axis) {
    if (axis == FR_AXIS_X) { return fr_vec3_make(p.z, p.x, p.y); }
    if (axis == FR_AXIS_Y) { return fr_vec3_make(p.y, p.z, p.x); }
    return p;
}

// False: it was stopped.
static bool add_rings(const fr__spindle *spindle, const fr_control *control, fr__soup *soup) {
    for (uint32_t ring = 0; ring < spindle->rings; ring++) {
        if (fr_control_is_stopped(control)) { return false; }
        for (uint32_t slice = 0; slice < spindle->slices; slice++) {
            fr_vec3 point = spindle->point(ring, slice, spindle->context);
            fr__soup_add_point(soup, fr__turn_to_axis(point, spindle->axis));
        }
    }
    return true;
}

// The side between two neighbouring rings whose first points are `high` and `low`.
static void add_band(fr__soup *soup, uint32_t high, uint32_t low, uint32_t slices) {
    for (uint32_t j = 0; j < slices; j++) {
        uint32_t k = j + 1 == slices ? 0 : j + 1;
        fr__soup_add_triangle(soup, high + j, low + j, low + k);
        fr__soup_add_triangle(soup, high + j, low + k, high + k);
    }
}

fr_status fr__spindle_create(const fr__spindle *spindle, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    *out = NULL;
    uint64_t rings = spindle->rings, slices = spindle->slices;
    bool flat = spindle->end == FR__SPINDLE_FLAT;
    uint64_t end_triangles = flat ? slices - 2 : slices;
    fr__soup soup;
    fr_status status = fr__soup_take(rings * slices + (flat ? 0 : 2), 2 * slices * (rings - 1) + 2 * end_triangles,
                                     like, &soup, error);
    if (status != FR_OK) { return status; }

    uint32_t n = spindle->slices;
    uint32_t tip = flat ? 0 : fr__soup_add_point(&soup, fr__turn_to_axis(spindle->first, spindle->axis));
    uint32_t first = soup.vertex_count;
    uint32_t last = first + (spindle->rings - 1) * n;
    const fr_control *control = like != NULL ? like->control : NULL;
    if (!add_rings(spindle, control, &soup)) {
        fr__soup_free(&soup);
        return fr_error_set(error, FR_ERROR_STOPPED, "stopped while making a shape");
    }
    uint32_t tail = flat ? 0 : fr__soup_add_point(&soup, fr__turn_to_axis(spindle->last, spindle->axis));

    for (uint32_t j = 0; !flat && j < n; j++) {
        fr__soup_add_triangle(&soup, tip, first + j, first + (j + 1) % n);
    }
    for (uint32_t j = 1; flat && j + 1 < n; j++) {
        fr__soup_add_triangle(&soup, first, first + j, first + j + 1);
    }
    for (uint32_t ring = 0; ring + 1 < spindle->rings; ring++) {
        add_band(&soup, first + ring * n, first + (ring + 1) * n, n);
    }
    for (uint32_t j = 0; !flat && j < n; j++) {
        fr__soup_add_triangle(&soup, tail, last + (j + 1) % n, last + j);
    }
    for (uint32_t j = 1; flat && j + 1 < n; j++) {
        fr__soup_add_triangle(&soup, last, last + j + 1, last + j);
    }
    return fr__soup_finish(&soup, like, out, error);
}
