// Colours, normals and texture coordinates of polygons and their corners.
#include "geometry_face_set.h"

#include <math.h>

// The value of a corner, by its own indices or by those of the points; of a polygon, by its own indices or in order.
// NULL, and a fault, where there is none.
static const float *value_at(fr__face_set_work *work, const fr__attribute *attribute, uint32_t place,
                             fr__face_fault fault) {
    size_t at = attribute->per_face ? work->face : place;
    int64_t index = attribute->per_face ? (int64_t)work->face : work->indices[place];
    if (attribute->indices != NULL) { index = at < attribute->index_count ? attribute->indices[at] : -1; }
    if (index >= 0 && (uint64_t)index < attribute->count) {
        return attribute->values + (size_t)attribute->width * (size_t)index;
    }
    fr__face_set_fault(work, fault);
    return NULL;
}

static const fr_color grey = {204, 204, 204, 255};

static bool set_normal(fr__face_set_work *work, uint32_t place, fr_vec3 area) {
    const float *value = value_at(work, &work->set->normals, place, FR__FAULT_NORMAL);
    fr_vec3 flat = fr_vec3_unit(area, fr_vec3_make(0.0, 1.0, 0.0));
    fr_vec3 unit = value != NULL ? fr_vec3_unit(fr__float_vector(value), flat) : flat;
    const float normal[3] = {(float)unit.x, (float)unit.y, (float)unit.z};
    return fr__builder_normal_corner(work->geometry->builder, normal);
}

bool fr__face_set_corner(fr__face_set_work *work, uint32_t place, fr_vec3 area) {
    const fr__face_set *set = work->set;
    fr__builder *builder = work->geometry->builder;
    if (set->normals.count > 0 && !set_normal(work, place, area)) { return false; }
    if (set->colors.count > 0 && !set->colors.per_face) {
        const float *value = value_at(work, &set->colors, place, FR__FAULT_COLOR);
        fr_color color = value != NULL ? fr__geometry_color(value, set->colors.width) : grey;
        if (!fr__builder_color_corner(builder, color)) { return false; }
    }
    if (set->uvs.count > 0) {
        const float none[2] = {0.0f, 0.0f};
        const float *value = value_at(work, &set->uvs, place, FR__FAULT_UV);
        if (!fr__builder_uv_corner(builder, value != NULL ? value : none)) { return false; }
    }
    return true;
}

bool fr__face_set_face(fr__face_set_work *work) {
    const fr__attribute *colors = &work->set->colors;
    if (colors->count == 0 || !colors->per_face) { return true; }
    const float *value = value_at(work, colors, 0, FR__FAULT_COLOR);
    fr_color color = value != NULL ? fr__geometry_color(value, colors->width) : grey;
    return fr__builder_color_face(work->geometry->builder, color);
}

bool fr__box_uvs(fr__builder *builder) {
    fr_model_mesh mesh = fr__geometry_mesh(builder);
    if (mesh.face_count == 0) { return true; }
    float *uvs = fr__geometry_uvs(builder);
    if (uvs == NULL) { return false; }
    fr_bounds box = fr_bounds_empty();
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        box = fr_bounds_with_point(&box, fr__position(&mesh, v));
    }
    const double low[3] = {box.min.x, box.min.y, box.min.z};
    const double side[3] = {box.max.x - low[0], box.max.y - low[1], box.max.z - low[2]};

    // Axes by falling length; of equal ones x comes before y and y before z.
    int s = side[1] > side[0] ? 1 : 0;
    s = side[2] > side[s] ? 2 : s;
    int t = s == 0 ? 1 : 0;
    for (int axis = t + 1; axis < 3; axis++) {
        if (axis != s && side[axis] > side[t]) { t = axis; }
    }
    double longest = side[s] > 0.0 ? side[s] : 1.0;
    uint32_t corner_count = fr__corner_count(&mesh);
    for (uint32_t k = 0; k < corner_count; k++) {
        fr_vec3 p = fr__position(&mesh, mesh.corners[k]);
        const double at[3] = {p.x, p.y, p.z};
        uvs[2 * (size_t)k] = (float)((at[s] - low[s]) / longest);
        uvs[2 * (size_t)k + 1] = (float)((at[t] - low[t]) / longest);
    }
    return true;
}
