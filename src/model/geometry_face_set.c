// IndexedFaceSet: polygons by indices, repaired where they can be.
#include "geometry_face_set.h"

#include "fureai/base_order.h"

#include <math.h>
#include <string.h>

fr__face_set fr__default_face_set(void) {
    return (fr__face_set){
        .colors.width = 3, .normals.width = 3, .uvs.width = 2, .ccw = true, .solid = true, .convex = true};
}

// ---------------------------------------------------------------------------------------------------------------
// Warnings

fr_status fr__face_set_warn(const fr__face_set_work *work) {
    const fr__face_set *set = work->set;
    const char *index_at = set->index_at != NULL ? set->index_at : set->at;
    const struct {
        const char *text;
        const char *at;
    } faults[FR__FAULT_COUNT] = {
        [FR__FAULT_INDEX] = {"polygons left out whose index has no point", index_at},
        [FR__FAULT_FEW] = {"polygons left out with fewer than 3 corners", index_at},
        [FR__FAULT_AREA] = {"polygons left out without area", index_at},
        [FR__FAULT_BENT] = {"polygons that are not flat", index_at},
        [FR__FAULT_CROSSED] = {"polygons that cross themselves, cut anyhow", index_at},
        [FR__FAULT_COLOR] = {"colours that are not there, grey taken", set->colors.index_at},
        [FR__FAULT_NORMAL] = {"normals that are not there, those of polygons taken", set->normals.index_at},
        [FR__FAULT_UV] = {"texture coordinates that are not there, 0 taken", set->uvs.index_at},
    };
    for (int i = 0; i < FR__FAULT_COUNT; i++) {
        if (work->faults[i] == 0) { continue; }
        FR__TRY(fr__geometry_warn(work->geometry, faults[i].at != NULL ? faults[i].at : set->at,
                                  "%s: %llu, the first at polygon %u of the node", faults[i].text,
                                  (unsigned long long)work->faults[i], work->fault_faces[i]));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Points

static fr_vec3 point_at(const fr__face_set_work *work, int32_t index) {
    if (work->geometry->builder->is_double) {
        const double *p = (const double *)work->set->points + (size_t)3 * (size_t)index;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    return fr__float_vector((const float *)work->set->points + (size_t)3 * (size_t)index);
}

static bool is_point(const fr__face_set_work *work, int32_t index) {
    return index >= 0 && (size_t)index < work->set->point_count;
}

// The points that indices name, by marking them all: for when they are not many more than the indices.
static bool keep_by_marks(fr__face_set_work *work) {
    size_t point_count = work->set->point_count;
    uint32_t *numbers = fr_arena_alloc(work->geometry->scratch, point_count, sizeof *numbers, sizeof *numbers);
    uint32_t *kept = fr_arena_alloc(work->geometry->scratch, point_count, sizeof *kept, sizeof *kept);
    if (numbers == NULL || kept == NULL) { return false; }
    memset(numbers, 0, point_count * sizeof *numbers);
    for (size_t k = 0; k < work->index_count; k++) {
        if (is_point(work, work->indices[k])) { numbers[work->indices[k]] = 1; }
    }
    for (uint32_t p = 0; p < point_count; p++) {
        if (numbers[p] == 0) { continue; }
        numbers[p] = work->kept_count;
        kept[work->kept_count++] = p;
    }
    work->numbers = numbers;
    work->kept = kept;
    return true;
}

// The same by sorting the indices: a thousand nodes with a few polygons each may share a million points.
static bool keep_by_sorting(fr__face_set_work *work) {
    uint32_t *kept = fr_arena_alloc(work->geometry->scratch, work->index_count, sizeof *kept, sizeof *kept);
    if (kept == NULL) { return false; }
    size_t count = 0;
    for (size_t k = 0; k < work->index_count; k++) {
        if (is_point(work, work->indices[k])) { kept[count++] = (uint32_t)work->indices[k]; }
    }
    fr_sort_uint32(kept, count);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || kept[k] != kept[work->kept_count - 1]) { kept[work->kept_count++] = kept[k]; }
    }
    work->kept = kept;
    return true;
}

static bool add_points(fr__face_set_work *work) {
    fr__builder *builder = work->geometry->builder;
    const fr__face_set *set = work->set;
    if (!set->only_used) { return fr__geometry_vertices(builder, set->points, set->point_count); }
    // Marks cost 8 bytes a point, of which there may be 64 an index; sorting has few indices then.
    bool by_marks = set->point_count / 64 <= work->index_count;
    if (!(by_marks ? keep_by_marks(work) : keep_by_sorting(work))) { return false; }
    size_t bytes = builder->positions.element_bytes;
    for (uint32_t i = 0; i < work->kept_count; i++) {
        void *place = fr__builder_vertex(builder);
        if (place == NULL) { return false; }
        memcpy(place, (const char *)set->points + bytes * work->kept[i], bytes);
    }
    return true;
}

// The part's vertex of a point.
static uint32_t vertex_of(const fr__face_set_work *work, uint32_t point) {
    if (work->kept == NULL) { return point; }
    if (work->numbers != NULL) { return work->numbers[point]; }
    uint32_t low = 0, high = work->kept_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (work->kept[middle] < point) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// ---------------------------------------------------------------------------------------------------------------
// Polygons

static bool is_zero(fr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// Ends the polygon whose corners were appended, with its number and what it has. Numbers of polygons that were left out
// before it are passed over.
static bool set_number(fr__face_set_work *work) {
    fr__builder *builder = work->geometry->builder;
    uint32_t id = work->first_id + work->face;
    return id == builder->next_id || fr__builder_set_id(builder, id);
}

// Appends the polygon of `count` corners at `places`.
static bool write_polygon(fr__face_set_work *work, uint32_t count, fr_vec3 area) {
    fr__builder *builder = work->geometry->builder;
    if (!set_number(work)) { return false; }
    if (!work->set->ccw) { area = fr_vec3_negate(area); }
    for (uint32_t c = 0; c < count; c++) {
        uint32_t place = work->places[work->set->ccw || c == 0 ? c : count - c];
        if (!fr__builder_corner(builder, vertex_of(work, (uint32_t)work->indices[place]))) { return false; }
        if (work->has_attributes && !fr__face_set_corner(work, place, area)) { return false; }
    }
    return fr__builder_end_face(builder, count) && (!work->has_attributes || fr__face_set_face(work));
}

// The corners of a polygon without those that repeat the one before, around the end too. 0 when an index has no point.
static uint32_t find_corners(fr__face_set_work *work, size_t begin, size_t end) {
    const int32_t *indices = work->indices;
    uint32_t count = 0;
    for (size_t k = begin; k < end; k++) {
        if (!is_point(work, indices[k])) {
            fr__face_set_fault(work, FR__FAULT_INDEX);
            return 0;
        }
        if (count > 0 && indices[k] == indices[work->places[count - 1]]) { continue; }
        work->places[count++] = (uint32_t)k;
    }
    while (count > 1 && indices[work->places[count - 1]] == indices[work->places[0]]) {
        count--;
    }
    if (count >= 3) { return count; }
    fr__face_set_fault(work, FR__FAULT_FEW);
    return 0;
}

// How far the corners are from their plane, by the size of the polygon.
static bool is_bent(const fr_vec3 *points, uint32_t count, fr_vec3 area) {
    fr_vec3 normal = fr_vec3_unit(area, area);
    double low = INFINITY, high = -INFINITY, size = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 from = fr_vec3_sub(points[i], points[0]);
        double height = fr_vec3_dot(from, normal), distance = fr_vec3_dot(from, from);
        low = fmin(low, height);
        high = fmax(high, height);
        size = fmax(size, distance);
    }
    return high - low > 2e-3 * sqrt(size);
}

// Whether a quad turns in the same sense at each corner: then it is convex, as most are, and needs no cutting to be
// known.
static bool is_convex_quad(const fr_vec3 *points, fr_vec3 area) {
    for (uint32_t i = 0; i < 4; i++) {
        fr_vec3 at = points[i];
        fr_vec3 turn = fr_vec3_cross(fr_vec3_sub(points[(i + 1) % 4], at), fr_vec3_sub(points[(i + 3) % 4], at));
        if (!(fr_vec3_dot(turn, area) > 0.0)) { return false; }
    }
    return true;
}

// Corners of a file's polygons that are cut only to see whether they cross themselves. It bounds the time that a file
// of tangles takes; what comes after is cut all the same, without a word.
#define MOST_CHECKED ((size_t)1 << 14)

// Looks at a polygon of more than 3 corners. False when there is no memory.
static bool look_at_polygon(fr__face_set_work *work, uint32_t count, fr_vec3 area) {
    if (is_bent(work->points, count, area)) { fr__face_set_fault(work, FR__FAULT_BENT); }
    if (count == 4 && is_convex_quad(work->points, area)) { return true; }
    if (count > FR_POLYGON_MAX_POINTS || count > work->geometry->builder->limits.polygon_corners) { return true; }
    if (count > MOST_CHECKED - work->geometry->checked_corners) { return true; }
    work->geometry->checked_corners += count;
    bool clean = true;
    fr_arena *scratch = work->geometry->scratch;
    fr_arena_mark mark = fr_arena_get_mark(scratch);
    fr_status status = fr_polygon_triangulate(work->points, count, scratch, work->triangles, &clean, NULL);
    fr_arena_rewind(scratch, mark);
    if (!clean) { fr__face_set_fault(work, FR__FAULT_CROSSED); }
    return status == FR_OK;
}

// Whether nothing of a polygon has an area; the parts of one that crosses itself may, though they come to none.
static bool is_flat(const fr_vec3 *points, uint32_t count) {
    for (uint32_t k = 2; k < count; k++) {
        fr_vec3 area = fr_vec3_cross(fr_vec3_sub(points[k - 1], points[0]), fr_vec3_sub(points[k], points[0]));
        if (!is_zero(area)) { return false; }
    }
    return true;
}

static bool add_polygon(fr__face_set_work *work, size_t begin, size_t end) {
    uint32_t count = find_corners(work, begin, end);
    if (count == 0) { return true; }
    for (uint32_t c = 0; c < count; c++) {
        work->points[c] = point_at(work, work->indices[work->places[c]]);
    }
    fr_vec3 area = fr_polygon_area_vector(work->points, count);
    if (is_zero(area) && !work->set->is_moved && is_flat(work->points, count)) {
        fr__face_set_fault(work, FR__FAULT_AREA);
        return true;
    }
    return (count == 3 || look_at_polygon(work, count, area)) && write_polygon(work, count, area);
}

// A triangle without defects and attributes is copied; false for all others.
static bool copy_triangle(fr__face_set_work *work, const int32_t *at) {
    if (work->has_attributes || work->kept != NULL || !is_point(work, at[0]) || !is_point(work, at[1]) ||
        !is_point(work, at[2])) {
        return false;
    }
    fr_vec3 a = point_at(work, at[0]);
    fr_vec3 area = fr_vec3_cross(fr_vec3_sub(point_at(work, at[1]), a), fr_vec3_sub(point_at(work, at[2]), a));
    fr__builder *builder = work->geometry->builder;
    if (is_zero(area) || builder->limits.corners - builder->corners.count < 3) { return false; }
    if (work->first_id + work->face != builder->next_id) { return false; }
    uint32_t *corners = fr_uint32_array_push(&builder->corners, 3);
    if (corners == NULL) { return false; }
    corners[0] = (uint32_t)at[0];
    corners[1] = (uint32_t)at[work->set->ccw ? 1 : 2];
    corners[2] = (uint32_t)at[work->set->ccw ? 2 : 1];
    if (fr__builder_end_face(builder, 3)) { return true; }
    builder->corners.count -= 3;
    return false;
}

static bool add_polygons(fr__face_set_work *work) {
    const int32_t *indices = work->indices;
    size_t count = work->index_count;
    for (size_t begin = 0; begin < count; work->face++) {
        if (count - begin >= 4 && indices[begin + 3] == -1 && copy_triangle(work, indices + begin)) {
            begin += 4;
            if (!fr__builder_goes_on(work->geometry->builder, 4)) { return false; }
            continue;
        }
        size_t end = begin;
        while (end < count && indices[end] != -1) {
            end++;
        }
        if (!add_polygon(work, begin, end) || !fr__builder_goes_on(work->geometry->builder, 4 * (end - begin + 1))) {
            return false;
        }
        begin = end + 1;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// Room for so many corners at once: a large array that grows by and by is copied again and again.
static bool reserve_corners(fr__builder *builder, size_t count) {
    if (builder->limits.corners < builder->corners.count + count) { return true; }
    return fr_uint32_array_reserve_more(&builder->corners, count);
}

// Memory for the largest polygon and for all corners. False when there is none, or when the polygons cannot be
// numbered.
static bool take_memory(fr__face_set_work *work) {
    size_t max_length = 0, length = 0, faces = 0;
    for (size_t k = 0; k < work->index_count; k++) {
        bool is_end = work->indices[k] == -1;
        faces += is_end ? 1 : 0;
        length = is_end ? 0 : length + 1;
        max_length = length > max_length ? length : max_length;
    }
    fr__builder *builder = work->geometry->builder;
    if (work->index_count > UINT32_MAX - 1 || faces >= UINT32_MAX - 1 - work->first_id) {
        return fr__builder_over(builder, "polygons", builder->limits.faces) != NULL;
    }
    if (!reserve_corners(builder, work->index_count - faces)) { return false; }
    fr_arena *scratch = work->geometry->scratch;
    work->places = fr_arena_alloc(scratch, max_length, sizeof *work->places, sizeof *work->places);
    work->points = fr_arena_alloc(scratch, max_length, sizeof *work->points, _Alignof(fr_vec3));
    work->triangles = fr_arena_alloc(scratch, 3 * max_length, sizeof *work->triangles, sizeof *work->triangles);
    return work->places != NULL && work->points != NULL && work->triangles != NULL;
}

fr_status fr__add_face_set(fr__geometry *geometry, const fr__face_set *set) {
    fr__face_set_work work = {.geometry = geometry,
                              .set = set,
                              .first_id = geometry->builder->next_id,
                              .has_attributes = set->colors.count + set->normals.count + set->uvs.count > 0};
    if (!fr__geometry_begin(geometry, set->solid) || !fr__face_set_layout(&work) || !take_memory(&work) ||
        !add_points(&work) || !fr__builder_goes_on(geometry->builder, set->point_count) || !add_polygons(&work)) {
        return fr__geometry_failed(geometry);
    }
    geometry->builder->next_id = work.first_id + work.face;
    if (set->uvs.count == 0 && set->wants_uvs && !fr__box_uvs(geometry->builder)) { return FR_ERROR_MEMORY; }
    if (set->normals.count == 0 && set->crease_angle > 0.0) {
        FR__TRY(fr__crease_normals(geometry, set->crease_angle));
    }
    return fr__face_set_warn(&work);
}
