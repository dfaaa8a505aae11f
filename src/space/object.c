// Objects: how they are added, removed and found.
#include "space/object.h"

#include "space/part.h"
#include "space/record.h"
#include "space/skin.h"

#include <string.h>

#define OBJECT_DEF_COOKIE 0x4f424a45u

fr_part_def fr_default_part_def(void) {
    fr_part_def def = {NULL, fr_pose_identity()};
    return def;
}

fr_object_def fr_default_object_def(void) {
    fr_object_def def;
    memset(&def, 0, sizeof def);
    def.pose = fr_pose_identity();
    def.filter.layers = 1;
    def.filter.mask = UINT32_MAX;
    def.cookie = OBJECT_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Checking a definition

typedef struct object_counts {
    uint64_t triangles, vertices;
} object_counts;

static fr_status check_parts(const fr_object_def *def, object_counts *counts, fr_error *error) {
    memset(counts, 0, sizeof *counts);
    for (uint32_t i = 0; i < def->part_count; i++) {
        const fr_mesh *mesh = def->parts[i].mesh;
        if (mesh == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has no mesh", i); }
        fr_pose pose = def->parts[i].pose;
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
        counts->triangles += mesh->view.triangle_count;
        counts->vertices += mesh->view.vertex_count;
    }
    return FR_OK;
}

static fr_status check_def(const fr_space *space, const fr_object_def *def, object_counts *counts, fr_error *error) {
    if (def->part_count == 0 || def->parts == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an object has at least one part");
    }
    if ((def->flags & ~FR__OBJECT_FLAGS) != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an object has flags that mean nothing");
    }
    if (!fr_vec3_is_finite(def->pivot_local)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "an object's pivot has a number that is not finite");
    }
    if (fr_vec3_largest(def->pivot_local) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an object's pivot is farther away than 2^300");
    }
    if (space->object_places.used_count >= FR_SPACE_MAX_OBJECTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a space has at most %u objects", FR_SPACE_MAX_OBJECTS);
    }
    if (def->part_count > FR_SPACE_MAX_PARTS - space->part_count) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a space has at most %u parts", FR_SPACE_MAX_PARTS);
    }
    fr_status status = check_parts(def, counts, error);
    if (status != FR_OK) { return status; }
    if (counts->triangles >= FR_NONE || counts->vertices >= FR_NONE) {
        return fr_error_set(error, FR_ERROR_LIMIT, "an object has more than 2^32 - 2 triangles or vertices");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Adding

static void fill_part(fr__part *part, const fr_part_def *def) {
    memset(part, 0, sizeof *part);
    part->mesh = fr_mesh_retain(def->mesh);
    part->pose = def->pose;
    (void)fr_pose_check(&part->pose, NULL);
    part->frame = fr__frame_make(&part->pose);
    part->tree = part->mesh->view.tree;
    part->bounds_local = part->mesh->view.bounds;
    part->largest = part->mesh->view.largest;
    part->is_closed = fr__part_is_made_closed(part);
    fr__part_measure(part);
}

static fr__part *make_parts(const fr_space *space, const fr_object_def *def) {
    fr__part *parts = fr_allocate(&space->allocator, def->part_count, sizeof *parts, _Alignof(fr__part));
    if (parts == NULL) { return NULL; }
    uint32_t first_triangle = 0, first_vertex = 0;
    for (uint32_t i = 0; i < def->part_count; i++) {
        fill_part(&parts[i], &def->parts[i]);
        parts[i].first_triangle = first_triangle;
        parts[i].first_vertex = first_vertex;
        first_triangle += parts[i].mesh->view.triangle_count;
        first_vertex += parts[i].mesh->view.vertex_count;
    }
    return parts;
}

static void release_parts(const fr_space *space, fr__part *parts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        fr_tree_destroy(parts[i].own_tree);
        fr__part_drop_skin(space, &parts[i]);
        fr_mesh_release(parts[i].mesh);
    }
    fr_deallocate(&space->allocator, parts, count, sizeof *parts);
}

bool fr__object_reserve_place(fr_space *space) {
    size_t needed = space->objects.count + 1;
    return fr__places_reserve(&space->object_places) && fr__object_array_reserve_more(&space->objects, 1) &&
           fr_double_array_reserve_more(&space->path_sizes, 1) &&
           fr_uint32_array_reserve_more(&space->changed, needed - space->changed.count) &&
           fr_uint32_array_reserve_more(&space->moving, needed - space->moving.count);
}

// The entry of a place; a place that was just made at the end gets a new entry.
static fr__object *entry_of(fr_space *space, uint32_t index) {
    if (index == space->objects.count) {
        fr__object *entry = fr__object_array_push(&space->objects, 1);
        double *size = fr_double_array_push(&space->path_sizes, 1);
        FR_ASSERT(entry != NULL && size != NULL);
        memset(entry, 0, sizeof *entry);
        *size = 0.0;
    }
    return &fr__space_objects(space)[index];
}

fr_status fr__object_add_hole(fr_space *space, fr_error *error) {
    if (!fr__object_reserve_place(space)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a place"); }
    (void)entry_of(space, fr__places_add_hole(&space->object_places));
    return FR_OK;
}

// Fills a new object into a place that may have been used: version counters continue and list marks stay.
static void fill_object(fr__object *object, const fr_object_def *def, fr__part *parts, const object_counts *counts) {
    fr_object_view *view = &object->view;
    memset(view, 0, sizeof *view);
    fr_pose pose = def->pose;
    (void)fr_pose_check(&pose, NULL);
    view->pivot_local = def->pivot_local;
    view->filter = def->filter;
    view->flags = def->flags;
    view->part_count = def->part_count;
    view->triangle_count = (uint32_t)counts->triangles;
    view->vertex_count = (uint32_t)counts->vertices;
    view->user = def->user;
    object->parts = parts;
    atomic_store_explicit(&object->trees, FR__TREES_FRESH, memory_order_relaxed);
    object->vertices = NULL;
    object->next_vertices = NULL;
    object->bones = NULL;
    object->attachments = NULL;
    object->has_new_filter = true;
    object->has_new_vertices = false;
    object->has_new_bones = false;
    object->joint_up = 0;
    object->joint_down = 0;
    fr__object_place(object, &pose);
    object->versions.shape++;
    object->versions.vertices++;
    object->versions.pose++;
    object->versions.filter++;
}

fr_status fr_object_add(fr_space *space, const fr_object_def *def, fr_object_id *out, fr_error *error) {
    FR_ASSERT(space != NULL && def != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (def->cookie != OBJECT_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_object_def"); }
    object_counts counts;
    fr_pose pose = def->pose;
    fr_status status = fr__space_check_change(space, error);
    if (status == FR_OK) { status = fr_pose_check(&pose, error); }
    if (status == FR_OK) { status = check_def(space, def, &counts, error); }
    if (status == FR_OK) { status = fr__record_meshes(space, def, error); }
    if (status != FR_OK) { return status; }

    fr__part *parts = make_parts(space, def);
    if (parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %u parts", def->part_count); }
    if (!fr__object_reserve_place(space)) {
        release_parts(space, parts, def->part_count);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an object");
    }
    uint32_t index = fr__places_take(&space->object_places);
    fill_object(entry_of(space, index), def, parts, &counts);
    space->part_count += def->part_count;
    space->has_new_members = true;
    fr__space_mark_changed(space, index);
    *out = fr__space_object_id(space, index);
    fr__record_add(space, index);
    return FR_OK;
}

fr_status fr_object_add_mesh(fr_space *space, const fr_mesh *mesh, const fr_pose *pose, fr_object_id *out,
                             fr_error *error) {
    fr_part_def part = fr_default_part_def();
    fr_object_def def = fr_default_object_def();
    part.mesh = mesh;
    def.parts = &part;
    def.part_count = 1;
    if (pose != NULL) { def.pose = *pose; }
    return fr_object_add(space, &def, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Removing

void fr__object_release(fr_space *space, fr__object *object) {
    fr__object_detach(space, object);
    fr_deallocate(&space->allocator, object->vertices, object->view.vertex_count, sizeof *object->vertices);
    fr_deallocate(&space->allocator, object->next_vertices, object->view.vertex_count, sizeof *object->next_vertices);
    fr_deallocate(&space->allocator, object->bones, 2 * (size_t)object->view.bone_count, sizeof *object->bones);
    object->vertices = NULL;
    object->next_vertices = NULL;
    object->bones = NULL;
    space->bone_total -= object->view.bone_count;
    release_parts(space, object->parts, object->view.part_count);
    object->parts = NULL;
}

fr_status fr_object_remove(fr_space *space, fr_object_id id, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no object of this space"); }

    uint32_t index = id.index1 - 1;
    fr__object_remove_joints(space, index);
    fr__object_release(space, object);
    fr__places_release(&space->object_places, index);
    space->path_sizes.data[index] = 0.0;
    space->part_count -= object->view.part_count;
    space->has_new_members = true;
    space->is_current = false;
    fr__operation operation = {.kind = FR__OPERATION_OBJECT_REMOVE, .object = id};
    fr__record(space, &operation);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Finding

bool fr_object_exists(const fr_space *space, fr_object_id id) {
    FR_ASSERT(space != NULL);
    return fr__space_find(space, id) != NULL;
}

uint32_t fr_space_object_count(const fr_space *space) {
    FR_ASSERT(space != NULL);
    return space->object_places.used_count;
}

uint32_t fr_space_object_places(const fr_space *space) {
    FR_ASSERT(space != NULL);
    return fr__places_count(&space->object_places);
}

fr_object_id fr_space_object_at(const fr_space *space, uint32_t index) {
    FR_ASSERT(space != NULL);
    fr_object_id none = {0, 0, 0};
    return fr__places_is_used(&space->object_places, index) ? fr__space_object_id(space, index) : none;
}

fr_versions fr_object_versions(const fr_space *space, fr_object_id id) {
    FR_ASSERT(space != NULL);
    fr_versions none = {0, 0, 0, 0};
    const fr__object *object = fr__space_find(space, id);
    return object != NULL ? object->versions : none;
}
