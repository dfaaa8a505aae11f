// The parts of an OBJ file: each `o`, or, where there is none, each name of `g`. All share one list of vertices in the
// file; here each part gets those its polygons use, in the file's order.
#include "obj.h"

#include "fureai/base_order.h"

#include <string.h>

// Work on one split: per part its segments, per vertex the part that used it last.
typedef struct split {
    fr__obj *obj;
    const fr__builder *whole; // the file as one part
    fr__builder parts;        // the result
    bool by_object;
    fr_uint32_array first_segment; // one a part: head of its list
    fr_uint32_array last_segment;  // one a part
    fr_uint32_array next_segment;  // one a segment
    fr_uint32_array owner;         // one a vertex: the part that used it last
    fr_uint32_array local;         // one a vertex: its index there
    fr_uint32_array used;          // vertices of the part at hand
} split;

static const fr__obj_segment *segment_at(const split *s, uint32_t i) { return s->obj->segments.data + i; }

static size_t segment_end(const split *s, uint32_t i) {
    return i + 1 < s->obj->segments.count ? segment_at(s, i + 1)->first_face : s->whole->face_count;
}

// The part of a segment: parts are numbered as the names are, with one in front for polygons before the first name.
static uint32_t part_of(const split *s, uint32_t i) {
    uint32_t name = s->by_object ? segment_at(s, i)->object : segment_at(s, i)->group;
    return name == FR_NONE ? 0 : name + 1;
}

static fr__span name_of(const split *s, uint32_t part) {
    if (part == 0) { return (fr__span){"", 0}; }
    return fr__names_get(s->by_object ? &s->obj->objects : &s->obj->groups, part - 1);
}

static bool fill(fr_uint32_array *array, size_t count) {
    if (!fr_uint32_array_reserve(array, count)) { return false; }
    array->count = count;
    if (count > 0) { memset(array->data, 0xff, count * sizeof(uint32_t)); }
    return true;
}

// Lists the segments of each part in order; counts the parts that have polygons, and keeps the last such part.
static bool list_segments(split *s, size_t *part_count, uint32_t *only_part) {
    size_t name_count = s->by_object ? s->obj->objects.spans.count : s->obj->groups.spans.count;
    size_t segment_count = s->obj->segments.count;
    if (!fill(&s->first_segment, name_count + 1) || !fill(&s->last_segment, name_count + 1) ||
        !fill(&s->next_segment, segment_count)) {
        return false;
    }
    uint32_t *first = s->first_segment.data, *last = s->last_segment.data, *next = s->next_segment.data;
    *part_count = 0;
    *only_part = name_count == 1 ? 1 : 0;
    for (uint32_t i = 0; i < segment_count; i++) {
        if (segment_at(s, i)->first_face == segment_end(s, i)) { continue; }
        uint32_t part = part_of(s, i);
        if (first[part] == FR_NONE) {
            first[part] = i;
            *only_part = part;
            ++*part_count;
        } else {
            next[last[part]] = i;
        }
        last[part] = i;
    }
    return true;
}

// Puts the used vertices in the file's order. They mostly lie together; then walking over that stretch beats sorting.
static void sort_used(split *s, uint32_t part) {
    uint32_t *used = s->used.data;
    size_t count = s->used.count;
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (size_t i = 0; i < count; i++) {
        if (used[i] < lowest) { lowest = used[i]; }
        if (used[i] > highest) { highest = used[i]; }
    }
    if (highest - lowest > 8 * count) {
        fr_sort_uint32(used, count);
        return;
    }
    const uint32_t *owner = s->owner.data;
    size_t found = 0;
    for (uint32_t v = lowest; found < count; v++) {
        if (owner[v] == part) { used[found++] = v; }
    }
}

static fr__file_normals normals_of(const fr__obj *obj) {
    return (fr__file_normals){.normals = obj->normals.data,
                              .count = obj->normal_numbers.count > 0 ? obj->normals.count : 0,
                              .numbers = obj->normal_numbers.data,
                              .number_count = obj->normal_numbers.count};
}

// Copies the positions of the vertices that a part uses.
static bool take_vertices(split *s, uint32_t part) {
    const uint32_t *corners = s->whole->corners.data, *next = s->next_segment.data;
    uint32_t *owner = s->owner.data, *local = s->local.data;
    s->used.count = 0;
    for (uint32_t i = s->first_segment.data[part]; i != FR_NONE; i = next[i]) {
        size_t end = fr__first_corner(s->whole, segment_end(s, i));
        for (size_t c = fr__first_corner(s->whole, segment_at(s, i)->first_face); c < end; c++) {
            if (owner[corners[c]] == part) { continue; }
            owner[corners[c]] = part;
            if (!fr__push_index(&s->used, corners[c])) { return false; }
        }
    }
    sort_used(s, part);
    const uint32_t *used = s->used.data;
    size_t bytes = s->whole->positions.element_bytes;
    for (size_t i = 0; i < s->used.count; i++) {
        void *position = fr__builder_vertex(&s->parts);
        if (position == NULL) { return false; }
        memcpy(position, fr__array_at(&s->whole->positions, used[i]), bytes);
        local[used[i]] = (uint32_t)i;
    }
    return true;
}

// Whether the file gives any corner of a part a normal.
static bool has_normals(const split *s, const fr__file_normals *normals, uint32_t part) {
    bool is_found = false;
    for (uint32_t i = s->first_segment.data[part]; i != FR_NONE && !is_found; i = s->next_segment.data[i]) {
        is_found = fr__file_normals_any(normals, s->whole, fr__first_corner(s->whole, segment_at(s, i)->first_face),
                                        fr__first_corner(s->whole, segment_end(s, i)));
    }
    return is_found;
}

// The normals of the polygon that was copied last.
static bool take_normals(split *s, const fr__file_normals *normals, size_t begin, size_t end) {
    size_t count = s->parts.corners.count;
    fr__float3 *place = fr__float3_array_extend(&s->parts.corner_normals, count - (end - begin), count);
    if (place != NULL) { fr__file_normals_of(normals, s->whole, begin, end, place); }
    return place != NULL;
}

// Copies the polygons of a part.
static bool take_faces(split *s, uint32_t part) {
    const fr__file_normals normals = normals_of(s->obj);
    bool is_smooth = has_normals(s, &normals, part);
    fr__builder_last_part(&s->parts)->has_normals = is_smooth;
    const uint32_t *corners = s->whole->corners.data, *next = s->next_segment.data;
    const uint32_t *local = s->local.data, *ids = s->whole->ids.data;
    for (uint32_t i = s->first_segment.data[part]; i != FR_NONE; i = next[i]) {
        for (size_t face = segment_at(s, i)->first_face; face < segment_end(s, i); face++) {
            size_t begin = fr__first_corner(s->whole, face), end = fr__first_corner(s->whole, face + 1);
            for (size_t c = begin; c < end; c++) {
                if (!fr__builder_corner(&s->parts, local[corners[c]])) { return false; }
            }
            if (is_smooth && !take_normals(s, &normals, begin, end)) { return false; }
            if (!fr__builder_set_id(&s->parts, ids != NULL ? ids[face] : (uint32_t)face) ||
                !fr__builder_end_face(&s->parts, end - begin) ||
                !fr__builder_material_face(&s->parts, segment_at(s, i)->material)) {
                return false;
            }
        }
    }
    return true;
}

static bool take_parts(split *s) {
    size_t vertex_count = s->whole->positions.count;
    if (!fill(&s->owner, vertex_count) || !fill(&s->local, vertex_count)) { return false; }
    const uint32_t *first = s->first_segment.data;
    for (uint32_t part = 0; part < s->first_segment.count; part++) {
        if (first[part] == FR_NONE) { continue; }
        if (!fr__builder_begin_part(&s->parts, name_of(s, part)) || !take_vertices(s, part) || !take_faces(s, part)) {
            return false;
        }
    }
    return true;
}

// A file of one part stays as it is; only its name and materials are filled in.
static bool name_only_part(split *s, uint32_t part) {
    fr__builder *builder = &s->obj->reader->builder;
    const fr__file_normals normals = normals_of(s->obj);
    if (!fr__builder_rename_part(builder, name_of(s, part)) || !fr__file_normals_set(&normals, builder)) {
        return false;
    }
    if (s->obj->materials.spans.count == 0 || builder->face_count == 0) { return true; }
    uint32_t *material = fr_uint32_array_push(&builder->materials, builder->face_count);
    if (material == NULL) { return false; }
    for (uint32_t i = 0; i < s->obj->segments.count; i++) {
        for (size_t face = segment_at(s, i)->first_face; face < segment_end(s, i); face++) {
            material[face] = segment_at(s, i)->material;
        }
    }
    return true;
}

static bool add_materials(fr__builder *builder, const fr__names *materials) {
    for (uint32_t i = 0; i < materials->spans.count; i++) {
        if (!fr__builder_add_material(builder, fr__names_get(materials, i))) { return false; }
    }
    return true;
}

static bool make_parts(split *s) {
    fr__builder *builder = &s->obj->reader->builder;
    size_t part_count;
    uint32_t only_part;
    if (!list_segments(s, &part_count, &only_part)) { return false; }
    if (part_count <= 1) { return name_only_part(s, only_part) && add_materials(builder, &s->obj->materials); }
    fr__builder_set_double(&s->parts, builder->is_double);
    if (!take_parts(s) || !add_materials(&s->parts, &s->obj->materials)) {
        builder->over_what = s->parts.over_what;
        builder->over_limit = s->parts.over_limit;
        return false;
    }
    // The warnings go over to the new builder, the old one goes away with the rest of the split.
    s->parts.warning_count = builder->warning_count;
    fr__model_warning_array warnings = s->parts.warnings;
    s->parts.warnings = builder->warnings;
    builder->warnings = warnings;
    fr__builder old = *builder;
    *builder = s->parts;
    s->parts = old;
    return true;
}

fr_status fr__obj_make_parts(fr__obj *obj) {
    const fr_allocator *allocator = &obj->reader->builder.allocator;
    split s = {.obj = obj, .whole = &obj->reader->builder, .by_object = obj->objects.spans.count > 0};
    s.parts = fr__builder_make(&obj->reader->builder.limits, allocator);
    fr_uint32_array *arrays[] = {&s.first_segment, &s.last_segment, &s.next_segment, &s.owner, &s.local, &s.used};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = fr_uint32_array_make(allocator);
    }
    fr_status status = make_parts(&s) ? FR_OK : fr__reader_fail_building(obj->reader, NULL);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fr_uint32_array_destroy(arrays[i]);
    }
    fr__builder_free(&s.parts);
    return status;
}
