// Marks of the triangles of a space's objects that have blinked, with the groups of their parts.
#include "fureai/touch.h"

#include <string.h>

FR_ARRAY_TYPE(blink_groups_array, fr_blink_groups *);
FR_ARRAY_TYPE(object_id_array, fr_object_id);

struct fr_blink_marks {
    fr_allocator allocator;
    const fr_space *space;
    uint32_t object_count;
    blink_groups_array groups;  // one a part of all objects; NULL until a triangle of the part is marked
    fr_byte_array marks;        // one a triangle of all objects
    object_id_array ids;        // one an object: the ids that the marks are of
    fr_uint32_array first_part; // one an object: its first part among all
    fr_uint32_array first_mark; // one an object and one more: its first triangle among all
    fr_uint32_array numbers;    // scratch: the triangles of one group
};

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for marks of triangles");
}

static bool number_objects(fr_blink_marks *m) {
    uint32_t parts = 0, marks = 0;
    for (uint32_t i = 0; i <= m->object_count; i++) {
        uint32_t *part = fr_uint32_array_push(&m->first_part, 1), *mark = fr_uint32_array_push(&m->first_mark, 1);
        fr_object_id *id = object_id_array_push(&m->ids, 1);
        if (part == NULL || mark == NULL || id == NULL) { return false; }
        *id = i < m->object_count ? fr_space_object_at(m->space, i) : (fr_object_id){0};
        *part = parts;
        *mark = marks;
        const fr_object_view *object = i < m->object_count ? fr_object_get(m->space, *id) : NULL;
        parts += object != NULL ? object->part_count : 0;
        marks += object != NULL ? object->triangle_count : 0;
    }
    fr_blink_groups **groups = blink_groups_array_push(&m->groups, parts);
    if (groups == NULL) { return false; }
    for (uint32_t i = 0; i < parts; i++) {
        groups[i] = NULL;
    }
    unsigned char *bytes = fr_byte_array_push(&m->marks, marks);
    if (bytes != NULL && marks > 0) { memset(bytes, 0, marks); }
    return bytes != NULL;
}

fr_status fr_blink_marks_create(const fr_space *space, const fr_allocator *given, fr_blink_marks **out,
                                fr_error *error) {
    FR_ASSERT(space != NULL && out != NULL);
    *out = NULL;
    fr_allocator allocator = fr_allocator_or_default(given);
    fr_blink_marks *m = fr_allocate(&allocator, 1, sizeof *m, 16);
    if (m == NULL) { return no_memory(error); }
    *m = (fr_blink_marks){.allocator = allocator, .space = space, .object_count = fr_space_object_places(space)};
    m->groups = blink_groups_array_make(&allocator);
    m->marks = fr_byte_array_make(&allocator);
    m->ids = object_id_array_make(&allocator);
    m->first_part = fr_uint32_array_make(&allocator);
    m->first_mark = fr_uint32_array_make(&allocator);
    m->numbers = fr_uint32_array_make(&allocator);
    if (!number_objects(m)) {
        fr_blink_marks_destroy(m);
        return no_memory(error);
    }
    *out = m;
    return FR_OK;
}

void fr_blink_marks_destroy(fr_blink_marks *m) {
    if (m == NULL) { return; }
    fr_blink_groups **groups = m->groups.data;
    for (size_t i = 0; i < m->groups.count; i++) {
        fr_blink_groups_destroy(groups[i]);
    }
    blink_groups_array_destroy(&m->groups);
    fr_byte_array_destroy(&m->marks);
    object_id_array_destroy(&m->ids);
    fr_uint32_array_destroy(&m->first_part);
    fr_uint32_array_destroy(&m->first_mark);
    fr_uint32_array_destroy(&m->numbers);
    fr_allocator allocator = m->allocator;
    fr_deallocate(&allocator, m, 1, sizeof *m);
}

static fr_status groups_of(fr_blink_marks *m, const fr_touch_hit *hit, const fr_mesh *mesh, fr_blink_groups **out,
                           fr_error *error) {
    const uint32_t *first = m->first_part.data;
    fr_blink_groups **place = m->groups.data + first[hit->object.index1 - 1] + hit->part;
    fr_status status = FR_OK;
    if (*place == NULL) {
        fr_blink_def def = fr_default_blink_def();
        def.allocator = m->allocator;
        status = fr_blink_groups_create(mesh, &def, place, error);
    }
    *out = *place;
    return status;
}

// Whether the marks are of this object, and not of one that was in its place before.
static bool is_marked(const fr_blink_marks *m, fr_object_id object) {
    if (object.index1 == 0 || object.index1 > m->object_count) { return false; }
    const fr_object_id *id = &m->ids.data[object.index1 - 1];
    return id->index1 == object.index1 && id->generation == object.generation && id->space == object.space;
}

fr_status fr_blink_marks_add(fr_blink_marks *m, const fr_touch_hit *hit, fr_error *error) {
    FR_ASSERT(m != NULL && hit != NULL);
    const fr_object_view *object = fr_object_get(m->space, hit->object);
    if (object == NULL || hit->object.index1 > m->object_count) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the hit is on no object of the space");
    }
    const uint32_t *first = m->first_mark.data + (hit->object.index1 - 1);
    if (!is_marked(m, hit->object)) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the object came after the marks were made");
    }
    if (hit->part >= object->part_count || (!fr_blink_is_whole(hit->pair) && hit->triangle >= object->triangle_count)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the hit names no triangle of its object");
    }
    unsigned char *marks = m->marks.data + first[0];
    if (fr_blink_is_whole(hit->pair)) {
        memset(marks, 1, first[1] - first[0]);
        return FR_OK;
    }
    if (marks[hit->triangle] != 0) { return FR_OK; }
    fr_part_view view = fr_object_part(m->space, hit->object, hit->part);
    fr_blink_groups *groups;
    fr_status status = groups_of(m, hit, view.mesh, &groups, error);
    if (status != FR_OK) { return status; }
    m->numbers.count = 0;
    uint32_t *numbers = fr_uint32_array_push(&m->numbers, fr_mesh_get(view.mesh)->triangle_count);
    if (numbers == NULL) { return no_memory(error); }
    uint32_t count = fr_blink_triangles(groups, hit->triangle - view.first_triangle, numbers);
    for (uint32_t i = 0; i < count; i++) {
        marks[view.first_triangle + numbers[i]] = 1;
    }
    return FR_OK;
}

const unsigned char *fr_blink_marks_get(const fr_blink_marks *m, fr_object_id object, uint32_t *count) {
    *count = 0;
    if (!is_marked(m, object)) { return NULL; }
    const uint32_t *first = m->first_mark.data + (object.index1 - 1);
    *count = first[1] - first[0];
    return m->marks.data + first[0];
}
