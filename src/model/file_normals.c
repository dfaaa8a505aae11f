// Normals of a file at the corners of its polygons.
#include "file_normals.h"

// The unit normal of a corner; false where it has none.
static bool find_normal(const fr__file_normals *list, const fr__builder *whole, size_t corner, fr_vec3 *out) {
    if (list->numbers != NULL && corner >= list->number_count) { return false; }
    uint32_t number = list->numbers != NULL ? list->numbers[corner] : whole->corners.data[corner];
    if (number >= list->count) { return false; }
    const float *n = list->normals[number];
    *out = fr_vec3_unit(fr_vec3_make((double)n[0], (double)n[1], (double)n[2]), fr_vec3_make(0.0, 0.0, 0.0));
    return fr_vec3_largest(*out) > 0.0;
}

bool fr__file_normals_any(const fr__file_normals *list, const fr__builder *whole, size_t begin, size_t end) {
    fr_vec3 normal;
    bool is_found = false;
    for (size_t c = begin; c < end && !is_found && list->count > 0; c++) {
        is_found = find_normal(list, whole, c, &normal);
    }
    return is_found;
}

static fr_vec3 position_of(const fr__builder *whole, size_t corner) {
    const void *p = fr__array_at(&whole->positions, whole->corners.data[corner]);
    if (whole->is_double) {
        return fr_vec3_make(((const double *)p)[0], ((const double *)p)[1], ((const double *)p)[2]);
    }
    const float *f = p;
    return fr_vec3_make((double)f[0], (double)f[1], (double)f[2]);
}

// Newell's, about the first corner.
static fr_vec3 polygon_normal(const fr__builder *whole, size_t begin, size_t end) {
    fr_vec3 sum = {0.0, 0.0, 0.0}, first = position_of(whole, begin);
    for (size_t c = begin + 1; c + 1 < end; c++) {
        fr_vec3 a = fr_vec3_sub(position_of(whole, c), first), b = fr_vec3_sub(position_of(whole, c + 1), first);
        sum = fr_vec3_add(sum, fr_vec3_cross(a, b));
    }
    return fr_vec3_unit(sum, fr_vec3_make(0.0, 1.0, 0.0));
}

void fr__file_normals_of(const fr__file_normals *list, const fr__builder *whole, size_t begin, size_t end,
                         fr__float3 *out) {
    for (size_t c = begin; c < end; c++) {
        fr_vec3 normal;
        if (!find_normal(list, whole, c, &normal)) { normal = polygon_normal(whole, begin, end); }
        out[c - begin][0] = (float)normal.x;
        out[c - begin][1] = (float)normal.y;
        out[c - begin][2] = (float)normal.z;
    }
}

bool fr__file_normals_set(const fr__file_normals *list, fr__builder *whole) {
    size_t count = whole->corners.count;
    if (!fr__file_normals_any(list, whole, 0, count)) { return true; }
    fr__float3 *normals = fr__float3_array_extend(&whole->corner_normals, 0, count);
    if (normals == NULL) { return false; }
    for (size_t face = 0; face < whole->face_count; face++) {
        size_t begin = fr__first_corner(whole, face), end = fr__first_corner(whole, face + 1);
        fr__file_normals_of(list, whole, begin, end, normals + begin);
    }
    fr__builder_last_part(whole)->has_normals = true;
    return true;
}
