// Skins of objects: bones that are set, and the vertices that follow them.
//
// A call that sets bones stores them. The next update computes the vertices, so that bones that are set twice, and
// those of a ghost, cost nothing more.
#include "space/skin.h"

#include "space/object.h"
#include "space/part.h"
#include "space/record.h"

#include <string.h>

#define BONES_GRAIN 1

// ---------------------------------------------------------------------------------------------------------------
// Setting skins

static fr_status check_skin(const fr__object *object, uint32_t part, const fr_skin_view *skin, fr_error *error) {
    const fr__part *dressed = &object->parts[part];
    const fr_mesh_view *mesh = &dressed->mesh->view;
    if (skin->mesh != NULL ? skin->mesh != dressed->mesh : skin->vertex_count != mesh->vertex_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin is made for another mesh than part %u has", part);
    }
    fr_pose identity = fr_pose_identity();
    if (memcmp(&dressed->pose, &identity, sizeof identity) != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has a skin and a pose of its own", part);
    }
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr_skin *other = i != part ? object->parts[i].skin : NULL;
        if (other != NULL && fr_skin_get(other)->bone_count != skin->bone_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a skin of %u bones beside one of %u", skin->bone_count,
                                fr_skin_get(other)->bone_count);
        }
    }
    return FR_OK;
}

// What each bone takes along, in the vertices' frame when the skin was made.
static fr_bounds *make_reach(const fr_space *space, const fr_mesh *mesh, const fr_skin_view *skin) {
    fr_bounds *reach = fr_allocate(&space->allocator, skin->bone_count, sizeof *reach, _Alignof(fr_bounds));
    for (uint32_t i = 0; reach != NULL && i < skin->bone_count; i++) {
        reach[i] = fr_bounds_empty();
    }
    for (uint32_t v = 0; reach != NULL && v < skin->vertex_count; v++) {
        fr_vec3 position = fr__mesh_position(&mesh->view, v);
        for (uint32_t k = 0; k < skin->influence_count; k++) {
            size_t at = (size_t)v * skin->influence_count + k;
            fr_bounds *box = &reach[skin->bones[at]];
            if (skin->weights[at] > 0.0f) { *box = fr_bounds_with_point(box, position); }
        }
    }
    return reach;
}

void fr__part_drop_skin(const fr_space *space, fr__part *part) {
    if (part->skin == NULL) { return; }
    fr_deallocate(&space->allocator, part->reach, fr_skin_get(part->skin)->bone_count, sizeof *part->reach);
    fr_skin_release(part->skin);
    part->reach = NULL;
    part->skin = NULL;
}

// Memory for the bones of an object, now and at the end of the step.
static bool take_bones(fr_space *space, fr__object *object, uint32_t count) {
    if (object->bones != NULL) { return true; }
    object->bones = fr_allocate(&space->allocator, 2 * (size_t)count, sizeof *object->bones, _Alignof(fr_pose));
    object->view.bone_count = object->bones != NULL ? count : 0;
    space->bone_total += object->view.bone_count;
    return object->bones != NULL;
}

fr_status fr_object_set_skin(fr_space *space, fr_object_id id, uint32_t part, const fr_skin *skin,
                             fr_skin_method method, fr_error *error) {
    FR_ASSERT(space != NULL && skin != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }
    if (part >= object->view.part_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the object has no part %u", part);
    }
    bool has_own_shape = object->vertices != NULL || object->view.bones != NULL || object->view.next_bones != NULL;
    if (has_own_shape || object->parts[part].skin != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "a part that has a skin, or was deformed, gets no other one");
    }
    if ((unsigned)method > FR_SKIN_DUAL_QUATERNIONS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such method of blending");
    }
    const fr_skin_view *view = fr_skin_get(skin);
    status = check_skin(object, part, view, error);
    if (status == FR_OK) { status = fr__record_skin(space, skin, error); }
    if (status != FR_OK) { return status; }

    fr__part *dressed = &object->parts[part];
    dressed->reach = make_reach(space, dressed->mesh, view);
    if (dressed->reach == NULL || !take_bones(space, object, view->bone_count)) {
        fr_deallocate(&space->allocator, dressed->reach, view->bone_count, sizeof *dressed->reach);
        dressed->reach = NULL;
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %u bones", view->bone_count);
    }
    dressed->skin = fr_skin_retain(skin);
    dressed->method = method;
    object->versions.shape++;
    fr__space_mark_changed(space, id.index1 - 1);
    fr__record_set_skin(space, id, part);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Setting bones

// Returns the object whose bones are set, with the checked bones in `place`, or NULL with the reason.
static fr__object *open_boned(fr_space *space, fr_object_id id, const fr_pose *bones, uint32_t count, bool is_next,
                              fr_status *status, fr_error *error) {
    *status = fr__space_check_change(space, error);
    if (*status != FR_OK) { return NULL; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) {
        *status = fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space");
        return NULL;
    }
    if (count != object->view.bone_count || count == 0) {
        *status = fr_error_set(error, FR_ERROR_ARGUMENT, "%u bones for an object that has %u", count,
                               object->view.bone_count);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        fr_pose checked = bones[i];
        *status = fr_pose_check(&checked, NULL);
        if (*status != FR_OK) {
            (void)fr_error_set(error, *status, "bone %u has no right pose", i);
            return NULL;
        }
        if (fr_vec3_largest(checked.position) > FR_LENGTH_MAX) {
            *status = fr_error_set(error, FR_ERROR_ARGUMENT, "bone %u is farther away than 2^300", i);
            return NULL;
        }
    }
    fr_pose *place = object->bones + (is_next ? count : 0);
    for (uint32_t i = 0; i < count; i++) {
        place[i] = bones[i];
        (void)fr_pose_check(&place[i], NULL);
    }
    return object;
}

static void record_bones(fr_space *space, fr_object_id id, fr__operation_kind kind, const fr_pose *bones,
                         uint32_t count) {
    if (space->recorder == NULL) { return; }
    fr__operation operation = {.kind = kind, .object = id, .bones = bones, .bone_count = count};
    fr__record(space, &operation);
}

fr_status fr_object_set_bones(fr_space *space, fr_object_id id, const fr_pose *bones, uint32_t count, fr_error *error) {
    FR_ASSERT(space != NULL && (bones != NULL || count == 0));
    fr_status status;
    fr__object *object = open_boned(space, id, bones, count, false, &status, error);
    if (object == NULL) { return status; }
    object->view.bones = object->bones;
    object->view.next_bones = NULL;
    object->view.next_vertices = NULL;
    object->has_new_bones = true;
    object->versions.vertices++;
    fr__object_mark_deformed(space, object);
    fr__space_mark_changed(space, id.index1 - 1);
    record_bones(space, id, FR__OPERATION_SET_BONES, object->view.bones, count);
    return FR_OK;
}

fr_status fr_object_set_next_bones(fr_space *space, fr_object_id id, const fr_pose *bones, uint32_t count,
                                   fr_error *error) {
    FR_ASSERT(space != NULL && (bones != NULL || count == 0));
    fr_status status;
    fr__object *object = open_boned(space, id, bones, count, true, &status, error);
    if (object == NULL) { return status; }
    object->view.next_bones = object->bones + count;
    object->view.next_vertices = NULL;
    object->view.is_moving = true;
    object->versions.vertices++;
    fr__object_mark_deformed(space, object);
    fr__space_mark_changed(space, id.index1 - 1);
    fr__object_list_moving(space, id.index1 - 1);
    record_bones(space, id, FR__OPERATION_SET_NEXT_BONES, object->view.next_bones, count);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

// Grows a box by what bones take along. A vertex is a mean of where its bones take it, so it stays in the box of them.
static void grow_by_bones(const fr__part *part, const fr_pose *bones, uint32_t count, fr_bounds *box) {
    const double *inverse = fr_skin_get(part->skin)->inverse_binds;
    for (uint32_t i = 0; bones != NULL && i < count; i++) {
        const fr_bounds *reach = &part->reach[i];
        if (fr_bounds_is_empty(reach)) { continue; }
        for (int corner = 0; corner < 8; corner++) {
            const double at[3] = {(corner & 1) != 0 ? reach->max.x : reach->min.x,
                                  (corner & 2) != 0 ? reach->max.y : reach->min.y,
                                  (corner & 4) != 0 ? reach->max.z : reach->min.z};
            double local[3];
            for (int r = 0; r < 3; r++) {
                const double *row = inverse + 12 * (size_t)i + 4 * (size_t)r;
                local[r] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3];
            }
            *box = fr_bounds_with_point(box, fr_pose_apply(&bones[i], fr_vec3_make(local[0], local[1], local[2])));
        }
    }
}

// A ghost is never touched: its box alone is of use. The memory of vertices that it had stays.
static void box_ghost(fr__object *object) {
    object->view.vertices = NULL;
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        fr__part *part = &object->parts[i];
        part->vertices = NULL;
        if (part->skin == NULL) { continue; }
        fr_bounds box = object->view.bones == NULL ? part->mesh->view.bounds : fr_bounds_empty();
        grow_by_bones(part, object->view.bones, object->view.bone_count, &box);
        grow_by_bones(part, object->view.next_bones, object->view.bone_count, &box);
        double largest = fmax(fr_vec3_largest(box.min), fr_vec3_largest(box.max));
        part->bounds_local = fr_bounds_grow(&box, 1e-12 * largest);
        part->largest = largest * (1.0 + 1e-12);
        fr__part_measure(part);
    }
}

fr_status fr__object_check_vertices(const fr__object *object, fr_error *error) {
    bool has_bones = object->view.bones != NULL || object->view.next_bones != NULL;
    if (!has_bones || !fr__object_is_unskinned(object)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "the vertices of a ghost that has bones are not computed");
}

typedef struct skinning {
    fr_space *space;
    atomic_int status; // of the first failure
} skinning;

// The vertices of an object where bones are; those of parts without a skin, and of all parts without bones, are the
// meshes'.
static fr_status skin_object(const fr_space *space, const fr__object *object, const fr_pose *bones, int worker,
                             fr_vec3 *vertices) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < object->view.part_count && status == FR_OK; i++) {
        const fr__part *part = &object->parts[i];
        fr_vec3 *place = vertices + part->first_vertex;
        if (part->skin == NULL || bones == NULL) {
            for (uint32_t k = 0; k < part->mesh->view.vertex_count; k++) {
                place[k] = fr__mesh_position(&part->mesh->view, k);
            }
            continue;
        }
        fr_skin_input input = fr_default_skin_input();
        input.skin = part->skin;
        input.poses = bones;
        input.bone_count = object->view.bone_count;
        input.method = part->method;
        input.positions_float = part->mesh->view.positions_float;
        input.positions_double = part->mesh->view.positions_double;
        input.scratch = space->skin_scratch[worker];
        fr_skin_output output = {.vertices = place};
        status = fr_skin_vertices(&input, &output, NULL);
    }
    return status;
}

static void skin_changed(size_t begin, size_t end, int worker, void *context) {
    skinning *s = context;
    const uint32_t *changed = s->space->changed.data;
    for (size_t i = begin; i < end; i++) {
        fr__object *object = &fr__space_objects(s->space)[changed[i]];
        bool is_used = fr__places_is_used(&s->space->object_places, changed[i]);
        if (!is_used || object->view.bone_count == 0 || !object->has_new_vertices) { continue; }
        if ((object->view.flags & FR_OBJECT_GHOST) != 0) { box_ghost(object); }
        if (fr__object_is_unskinned(object)) { continue; }
        fr_status status = FR_OK;
        if (object->has_new_bones) {
            status = skin_object(s->space, object, object->view.bones, worker, object->vertices);
            object->has_new_bones = status != FR_OK;
        }
        if (status == FR_OK && object->view.next_bones != NULL && object->view.next_vertices == NULL) {
            status = skin_object(s->space, object, object->view.next_bones, worker, object->next_vertices);
            if (status == FR_OK) { object->view.next_vertices = object->next_vertices; }
        }
        if (status != FR_OK) { atomic_store_explicit(&s->status, (int)status, memory_order_relaxed); }
    }
}

// Memory for the vertices of objects that are touched and have bones.
static fr_status take_vertices(fr_space *space, bool *has_work, fr_error *error) {
    const uint32_t *changed = space->changed.data;
    fr_status status = FR_OK;
    for (size_t i = 0; i < space->changed.count && status == FR_OK; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i])) { continue; }
        if (object->view.bone_count == 0 || !object->has_new_vertices) { continue; }
        *has_work = true;
        if (fr__object_is_unskinned(object)) { continue; }
        bool is_new = object->view.vertices == NULL;
        status = fr__object_take_vertices(space, object, object->view.next_bones != NULL, error);
        if (is_new) { object->has_new_bones = true; }
    }
    return status;
}

fr_status fr__skins_update(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    if (!space->has_deformed) { return FR_OK; }
    bool has_work = false;
    fr_status status = take_vertices(space, &has_work, error);
    if (status != FR_OK || !has_work) { return status; }
    int workers = tasks != NULL ? fr_tasks_worker_count(tasks) : 1;
    while (space->skin_scratch_count < workers && status == FR_OK) {
        status = fr_arena_create(0, &space->allocator, &space->skin_scratch[space->skin_scratch_count], error);
        if (status == FR_OK) { space->skin_scratch_count++; }
    }
    skinning s = {.space = space};
    atomic_init(&s.status, FR_OK);
    if (status == FR_OK) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, space->changed.count, BONES_GRAIN, skin_changed, &s);
        status = (fr_status)atomic_load_explicit(&s.status, memory_order_relaxed);
        if (status != FR_OK) { (void)fr_error_set(error, status, "out of memory for the bones of an object"); }
    }
    return status;
}
