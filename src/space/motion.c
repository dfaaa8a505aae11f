// Poses, motions and vertices of objects: how they are set and read.
#include "space/object.h"

#include "space/part.h"
#include "space/record.h"
#include "space/skin.h"

#include <string.h>

// A still object has the motion of fr_motion_still already, except for its start.
void fr__object_place(fr__object *object, const fr_pose *pose) {
    fr_object_view *view = &object->view;
    fr_pose placed = *pose;
    if (view->is_moving) { view->motion = fr_motion_still(&placed); }
    view->pose = view->next = view->motion.start = placed;
    view->is_moving = false;
    object->frame = fr__frame_make(&placed);
}

// Makes the next update look at the object's trees and boxes.
void fr__object_mark_deformed(fr_space *space, fr__object *object) {
    object->has_new_vertices = true;
    space->has_deformed = true;
}

void fr__object_drop_next_vertices(fr_space *space, fr__object *object) {
    if (object->view.next_vertices == NULL && object->view.next_bones == NULL) { return; }
    object->view.next_vertices = NULL;
    object->view.next_bones = NULL;
    object->versions.vertices++;
    fr__object_mark_deformed(space, object);
}

// The object and its parts have the vertices that are in the object's memory for them.
static void show_vertices(fr__object *object) {
    object->view.vertices = object->vertices;
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        object->parts[i].vertices = object->vertices + object->parts[i].first_vertex;
    }
}

void fr__object_take_next_vertices(fr_space *space, fr__object *object) {
    fr_object_view *view = &object->view;
    if (view->next_bones != NULL) {
        memcpy(object->bones, view->next_bones, view->bone_count * sizeof *object->bones);
        view->bones = object->bones;
        object->has_new_bones = view->next_vertices == NULL;
    }
    if (view->next_vertices != NULL) {
        fr_vec3 *before = object->vertices;
        object->vertices = object->next_vertices;
        object->next_vertices = before;
        show_vertices(object);
    }
    fr__object_drop_next_vertices(space, object);
}

// Returns the object to be changed, or NULL with the reason.
static fr__object *open_object(fr_space *space, fr_object_id id, fr_status *status, fr_error *error) {
    *status = fr__space_check_change(space, error);
    if (*status != FR_OK) { return NULL; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { *status = fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    return object;
}

// Puts a moving object on the list of the next commit.
void fr__object_list_moving(fr_space *space, uint32_t index) {
    fr__object *object = &fr__space_objects(space)[index];
    if (!object->view.is_moving || object->is_listed_moving) { return; }
    object->is_listed_moving = true;
    uint32_t *entry = fr_uint32_array_push(&space->moving, 1);
    FR_ASSERT(entry != NULL);
    *entry = index;
}

// Notes a new pose or motion: the update computes its boxes again. The vertices at the end of the step depend on it
// too.
static void note_pose(fr_space *space, uint32_t index) {
    fr__object *object = &fr__space_objects(space)[index];
    object->versions.pose++;
    if (object->view.next_vertices != NULL || object->view.next_bones != NULL) {
        fr__object_mark_deformed(space, object);
    }
    fr__space_mark_changed(space, index);
    fr__object_list_moving(space, index);
}

// The operation is large, so it is filled only while a recorder is there.
static void record_pose(fr_space *space, fr_object_id id, const fr_pose *pose) {
    if (space->recorder == NULL) { return; }
    fr__operation operation = {.kind = FR__OPERATION_SET_POSE, .object = id, .pose = *pose};
    fr__record(space, &operation);
}

fr_status fr_object_set_pose(fr_space *space, fr_object_id id, const fr_pose *pose, fr_error *error) {
    FR_ASSERT(space != NULL && pose != NULL);
    fr_status status;
    fr__object *object = open_object(space, id, &status, error);
    if (object == NULL) { return status; }
    fr_pose checked = *pose;
    status = fr_pose_check(&checked, error);
    if (status != FR_OK) { return status; }

    fr__object_drop_next_vertices(space, object);
    fr__object_place(object, &checked);
    note_pose(space, id.index1 - 1);
    record_pose(space, id, &checked);
    return FR_OK;
}

fr_status fr_object_set_next(fr_space *space, fr_object_id id, const fr_pose *next, fr_error *error) {
    FR_ASSERT(space != NULL && next != NULL);
    fr_status status;
    fr__object *object = open_object(space, id, &status, error);
    if (object == NULL) { return status; }
    fr_pose checked = *next;
    status = fr_pose_check(&checked, error);
    if (status != FR_OK) { return status; }

    object->view.next = checked;
    object->view.motion = fr_motion_between(&object->view.pose, &checked, object->view.pivot_local);
    object->view.is_moving = true;
    note_pose(space, id.index1 - 1);
    if (space->recorder == NULL) { return FR_OK; }
    fr__operation operation = {.kind = FR__OPERATION_SET_NEXT, .object = id, .pose = checked};
    fr__record(space, &operation);
    return FR_OK;
}

bool fr__object_may_set_alone(const fr_space *space, const fr__object *object) {
    const fr_object_view *view = &object->view;
    bool is_deformed = view->next_vertices != NULL || view->next_bones != NULL;
    return !is_deformed && fr__set_of(view->flags) == FR__SET_MOVING && space->recorder == NULL;
}

uint32_t fr__object_set_next_alone(fr_space *space, uint32_t index, const fr_pose *next) {
    fr__object *object = &fr__space_objects(space)[index];
    fr_object_view *view = &object->view;
    FR_ASSERT(fr__object_may_set_alone(space, object));
    uint32_t lists = FR__LIST_POSED;
    view->next = *next;
    view->motion = fr_motion_between(&view->pose, next, view->pivot_local);
    view->is_moving = true;
    object->versions.pose++;
    if (!fr__object_is_changed(space, object)) { lists |= FR__LIST_CHANGED; }
    if (!object->is_listed_moving) { lists |= FR__LIST_MOVING; }
    object->changed_for = space->next_update;
    object->is_listed_moving = true;
    return lists;
}

void fr__object_list(fr_space *space, uint32_t index, uint32_t lists) {
    if ((lists & FR__LIST_POSED) != 0) {
        space->is_current = false;
        space->sets[FR__SET_MOVING].is_changed = true;
    }
    if ((lists & FR__LIST_CHANGED) != 0) {
        FR_ASSERT(space->changed.count < space->changed.capacity);
        space->changed.data[space->changed.count++] = index;
    }
    if ((lists & FR__LIST_MOVING) != 0) {
        FR_ASSERT(space->moving.count < space->moving.capacity);
        space->moving.data[space->moving.count++] = index;
    }
}

static bool same_pose(const fr_pose *a, const fr_pose *b) {
    return a->rotation.w == b->rotation.w && a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && fr_vec3_equal(a->position, b->position) && a->scale == b->scale;
}

fr_status fr_object_set_motion(fr_space *space, fr_object_id id, const fr_motion *motion, const fr_pose *end,
                               fr_error *error) {
    FR_ASSERT(space != NULL && motion != NULL && end != NULL);
    fr_status status;
    fr__object *object = open_object(space, id, &status, error);
    if (object == NULL) { return status; }
    fr_motion checked = *motion;
    fr_pose checked_end = *end;
    status = fr_motion_check(&checked, error);
    if (status == FR_OK) { status = fr_pose_check(&checked_end, error); }
    if (status != FR_OK) { return status; }
    if (!same_pose(&checked.start, &object->view.pose)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a motion does not start at the object's pose");
    }

    object->view.next = checked_end;
    object->view.motion = checked;
    object->view.is_moving = true;
    note_pose(space, id.index1 - 1);
    if (space->recorder == NULL) { return FR_OK; }
    fr__operation operation = {.kind = FR__OPERATION_SET_MOTION, .object = id, .motion = checked, .pose = checked_end};
    fr__record(space, &operation);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

static fr_status check_vertices(const fr_vec3 *vertices, uint32_t count, fr_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        if (!fr_vec3_is_finite(vertices[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "vertex %u has a number that is not finite", i);
        }
        if (fr_vec3_largest(vertices[i]) > FR_LENGTH_MAX) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "vertex %u is farther away than 2^300", i);
        }
    }
    return FR_OK;
}

// A part that is deformed counts as closed only when its triangles close by their vertex numbers: vertices that only
// share a position may separate.
static fr_status close_by_numbers(const fr_space *space, fr__object *object, fr_error *error) {
    fr_topology_def def = fr_default_topology_def();
    def.allocator = space->allocator;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < object->view.part_count && status == FR_OK; i++) {
        fr__part *part = &object->parts[i];
        fr_topology *topology = NULL;
        if (!part->is_closed) { continue; }
        status = fr_topology_create(part->mesh, &def, &topology, error);
        if (status == FR_OK) { part->is_closed = topology->is_closed; }
        fr_topology_destroy(topology);
    }
    for (uint32_t i = 0; i < object->view.part_count && status != FR_OK; i++) {
        object->parts[i].is_closed = fr__part_is_made_closed(&object->parts[i]);
    }
    return status;
}

// The first call that sets vertices allocates the memory for all later calls.
fr_status fr__object_take_vertices(fr_space *space, fr__object *object, bool has_next, fr_error *error) {
    size_t count = object->view.vertex_count;
    if (has_next && object->next_vertices == NULL) {
        object->next_vertices = fr_allocate(&space->allocator, count, sizeof *object->next_vertices, 64);
        if (object->next_vertices == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %zu vertices", count);
        }
    }
    if (object->view.vertices != NULL) { return FR_OK; }
    fr_status status = object->vertices == NULL ? close_by_numbers(space, object, error) : FR_OK;
    if (status != FR_OK) { return status; }
    if (object->vertices == NULL) {
        object->vertices = fr_allocate(&space->allocator, count, sizeof *object->vertices, 64);
    }
    if (object->vertices == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %zu vertices", count);
    }
    show_vertices(object);
    return FR_OK;
}

// Returns the checked object that gets new vertices, with memory for them, or NULL with the reason.
static fr__object *open_deformed(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                 fr_status *status, fr_error *error) {
    fr__object *object = open_object(space, id, status, error);
    if (object == NULL) { return NULL; }
    if (count != object->view.vertex_count) {
        *status = fr_error_set(error, FR_ERROR_ARGUMENT, "%u vertices for an object that has %u", count,
                               object->view.vertex_count);
        return NULL;
    }
    if (object->view.bone_count > 0) {
        *status = fr_error_set(error, FR_ERROR_UNSUPPORTED, "the vertices of this object follow its bones");
        return NULL;
    }
    *status = check_vertices(vertices, count, error);
    return *status == FR_OK ? object : NULL;
}

fr_status fr_object_set_vertices(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                 fr_error *error) {
    FR_ASSERT(space != NULL && (vertices != NULL || count == 0));
    fr_status status;
    fr__object *object = open_deformed(space, id, vertices, count, &status, error);
    if (object == NULL) { return status; }
    status = fr__object_take_vertices(space, object, false, error);
    if (status != FR_OK) { return status; }

    memmove(object->vertices, vertices, count * sizeof *vertices);
    object->view.next_vertices = NULL;
    object->versions.vertices++;
    fr__object_mark_deformed(space, object);
    fr__space_mark_changed(space, id.index1 - 1);
    fr__operation operation = {
        .kind = FR__OPERATION_SET_VERTICES, .object = id, .vertices = vertices, .vertex_count = count};
    fr__record(space, &operation);
    return FR_OK;
}

// Copies the vertices of an object's meshes into the object, bit for bit.
static void copy_mesh_vertices(fr__object *object) {
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr__part *part = &object->parts[i];
        for (uint32_t k = 0; k < part->mesh->view.vertex_count; k++) {
            object->vertices[part->first_vertex + k] = fr__mesh_position(&part->mesh->view, k);
        }
    }
}

fr_status fr_object_set_next_vertices(fr_space *space, fr_object_id id, const fr_vec3 *vertices, uint32_t count,
                                      fr_error *error) {
    FR_ASSERT(space != NULL && (vertices != NULL || count == 0));
    fr_status status;
    fr__object *object = open_deformed(space, id, vertices, count, &status, error);
    if (object == NULL) { return status; }
    bool is_new = object->vertices == NULL;
    status = fr__object_take_vertices(space, object, true, error);
    if (status != FR_OK) { return status; }
    if (is_new) { copy_mesh_vertices(object); }

    memmove(object->next_vertices, vertices, count * sizeof *vertices);
    object->view.next_vertices = object->next_vertices;
    object->view.is_moving = true;
    object->versions.vertices++;
    fr__object_mark_deformed(space, object);
    fr__space_mark_changed(space, id.index1 - 1);
    fr__object_list_moving(space, id.index1 - 1);
    fr__operation operation = {
        .kind = FR__OPERATION_SET_NEXT_VERTICES, .object = id, .vertices = vertices, .vertex_count = count};
    fr__record(space, &operation);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

const fr_object_view *fr_object_get(const fr_space *space, fr_object_id id) {
    FR_ASSERT(space != NULL);
    const fr__object *object = fr__space_find(space, id);
    return object != NULL ? &object->view : NULL;
}

fr_part_view fr_object_part(const fr_space *space, fr_object_id id, uint32_t part) {
    FR_ASSERT(space != NULL);
    fr_part_view none = {.pose = fr_pose_identity()};
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL || part >= object->view.part_count) { return none; }
    const fr__part *found = &object->parts[part];
    fr_part_view view = {found->mesh,         found->pose, found->first_triangle,
                         found->first_vertex, found->skin, found->method};
    return view;
}

uint32_t fr_object_part_of_triangle(const fr_space *space, fr_object_id id, uint32_t triangle) {
    FR_ASSERT(space != NULL);
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL || triangle >= object->view.triangle_count) { return FR_NONE; }
    return fr__object_part_of(object, triangle);
}

fr_status fr_object_corners(const fr_space *space, fr_object_id id, uint32_t triangle, fr_vec3 corners[3],
                            fr_error *error) {
    FR_ASSERT(space != NULL && corners != NULL);
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    if (triangle >= object->view.triangle_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the object has no triangle %u", triangle);
    }
    fr_status status = fr__object_check_vertices(object, error);
    if (status != FR_OK) { return status; }
    const fr__part *part = &object->parts[fr__object_part_of(object, triangle)];
    fr__part_corners(object, part, triangle - part->first_triangle, corners);
    return FR_OK;
}

uint32_t fr_object_face(const fr_space *space, fr_object_id id, uint32_t triangle) {
    FR_ASSERT(space != NULL);
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL || triangle >= object->view.triangle_count) { return FR_NONE; }
    const fr__part *part = &object->parts[fr__object_part_of(object, triangle)];
    return fr_mesh_face(part->mesh, triangle - part->first_triangle);
}

fr_status fr_object_bounds(const fr_space *space, fr_object_id id, fr_bounds *out, fr_error *error) {
    FR_ASSERT(space != NULL && out != NULL);
    fr_status status = fr__space_check_current(space, error);
    if (status != FR_OK) { return status; }
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    *out = fr_bounds_empty();
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        *out = fr_bounds_union(out, &object->parts[i].bounds_world);
    }
    return FR_OK;
}
