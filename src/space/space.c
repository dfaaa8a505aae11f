// A space: how it is made and destroyed, when it may be queried or changed, and its commit.
#include "space/space.h"

#include "space/object.h"
#include "space/record.h"
#include "space/refit.h"

#include <string.h>

#define SPACE_DEF_COOKIE 0x53504143u

fr_space_def fr_default_space_def(void) {
    fr_space_def def;
    memset(&def, 0, sizeof def);
    def.cookie = SPACE_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

// Every space of the process has its own number, so that an id of one is stale in another. After 2^32 spaces the
// numbers repeat; 0 is left out, because no id has it.
static uint32_t next_number(void) {
    static atomic_uint made;
    uint32_t number = atomic_fetch_add(&made, 1u) + 1u;
    return number != 0 ? number : next_number();
}

static void make_arrays(fr_space *space) {
    const fr_allocator *allocator = &space->allocator;
    space->object_places = fr__places_make(allocator);
    space->objects = fr__object_array_make(allocator);
    space->path_sizes = fr_double_array_make(allocator);
    space->changed = fr_uint32_array_make(allocator);
    space->moving = fr_uint32_array_make(allocator);
    for (int i = 0; i < FR__SET_ALL; i++) {
        space->sets[i].proxies = fr__proxy_array_make(allocator);
        space->sets[i].boxes = fr__box_array_make(allocator);
    }
    space->self_objects = fr_uint32_array_make(allocator);
    space->triangle_boxes = fr__box_array_make(allocator);
    space->joint_places = fr__places_make(allocator);
    space->joints = fr__joint_array_make(allocator);
}

fr_status fr_space_create(const fr_space_def *def, fr_space **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != SPACE_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_space_def"); }
    if (!fr_vec3_is_finite(def->origin)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the origin of a space has a number that is not finite");
    }
    if (fr_vec3_largest(def->origin) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the origin of a space is farther away than 2^300");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_space *space = fr_allocate(&allocator, 1, sizeof *space, _Alignof(fr_space));
    if (space == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a space"); }

    memset(space, 0, sizeof *space);
    space->allocator = allocator;
    space->origin = def->origin;
    space->number = next_number();
    space->next_update = 1;
    fr__pool_make(&space->pool, &allocator);
    atomic_init(&space->callbacks, 0u);
    make_arrays(space);
    *out = space;
    return FR_OK;
}

static void free_arrays(fr_space *space) {
    fr__places_free(&space->object_places);
    fr__object_array_destroy(&space->objects);
    fr_double_array_destroy(&space->path_sizes);
    fr_uint32_array_destroy(&space->changed);
    fr_uint32_array_destroy(&space->moving);
    for (int i = 0; i < FR__SET_ALL; i++) {
        fr__proxy_array_destroy(&space->sets[i].proxies);
        fr__box_array_destroy(&space->sets[i].boxes);
        fr_tree_destroy(space->sets[i].tree);
    }
    fr_uint32_array_destroy(&space->self_objects);
    fr__box_array_destroy(&space->triangle_boxes);
    fr__refit_free(space);
    for (int i = 0; i < space->skin_scratch_count; i++) {
        fr_arena_destroy(space->skin_scratch[i]);
    }
    fr__places_free(&space->joint_places);
    fr__joint_array_destroy(&space->joints);
}

void fr_space_destroy(fr_space *space) {
    if (space == NULL) { return; }
    FR_ASSERT(atomic_load(&space->callbacks) == 0);
    fr__recorder_destroy(space);
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (fr__places_is_used(&space->object_places, i)) { fr__object_release(space, &fr__space_objects(space)[i]); }
    }
    free_arrays(space);
    fr__pool_free(&space->pool);
    fr_allocator allocator = space->allocator;
    fr_deallocate(&allocator, space, 1, sizeof *space);
}

// ---------------------------------------------------------------------------------------------------------------
// Current and busy

bool fr_space_is_current(const fr_space *space) {
    FR_ASSERT(space != NULL);
    return space->is_current;
}

fr_status fr__space_check_current(const fr_space *space, fr_error *error) {
    if (space->is_current) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_STALE_DATA, "the space was changed since it was last updated");
}

fr_status fr__space_check_members(const fr_space *space, fr_error *error) {
    bool was_updated = space->sets[0].tree != NULL;
    return was_updated && !space->has_new_members ? FR_OK : fr__space_check_current(space, error);
}

fr_status fr__space_check_change(const fr_space *space, fr_error *error) {
    if (atomic_load_explicit(&space->callbacks, memory_order_relaxed) == 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_BUSY, "a space cannot be changed while one of its queries calls back");
}

// The counter is the one thing a const call writes; the space itself was never a const object.
void fr__space_enter(const fr_space *space) {
    atomic_fetch_add_explicit(&((fr_space *)(uintptr_t)space)->callbacks, 1u, memory_order_relaxed);
}

void fr__space_leave(const fr_space *space) {
    atomic_fetch_sub_explicit(&((fr_space *)(uintptr_t)space)->callbacks, 1u, memory_order_relaxed);
}

// ---------------------------------------------------------------------------------------------------------------
// Commit

// The number of objects for one task.
#define COMMIT_GRAIN 128

typedef struct commit_work {
    fr_space *space;
    atomic_bool has_placed; // some object has another pose
} commit_work;

// What of a commit concerns one object alone. An object with more to do, here or in the lists of the space, stays
// listed.
static void place_moving(size_t begin, size_t end, int worker, void *context) {
    commit_work *work = context;
    fr_space *space = work->space;
    bool has_placed = false;
    const uint32_t *moving = space->moving.data;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr__object *object = &fr__space_objects(space)[moving[i]];
        fr_object_view *view = &object->view;
        object->is_listed_moving = fr__places_is_used(&space->object_places, moving[i]) && view->is_moving;
        bool is_simple = view->next_vertices == NULL && view->next_bones == NULL &&
                         fr__set_of(view->flags) == FR__SET_MOVING && fr__object_is_changed(space, object);
        if (!object->is_listed_moving || !is_simple) { continue; }
        fr__object_place(object, &view->next);
        object->versions.pose++;
        object->is_listed_moving = false;
        has_placed = true;
    }
    if (has_placed) { atomic_store_explicit(&work->has_placed, true, memory_order_relaxed); }
}

static void commit_object(fr_space *space, uint32_t index) {
    fr__object *object = &fr__space_objects(space)[index];
    object->is_listed_moving = false;
    fr__object_take_next_vertices(space, object);
    fr__object_place(object, &object->view.next);
    object->versions.pose++;
    fr__space_mark_changed(space, index);
}

fr_status fr__space_commit(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    const uint32_t *moving = space->moving.data;
    commit_work work = {.space = space};
    atomic_init(&work.has_placed, false);
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, space->moving.count, COMMIT_GRAIN, place_moving, &work);
    if (atomic_load_explicit(&work.has_placed, memory_order_relaxed)) {
        space->is_current = false;
        space->sets[FR__SET_MOVING].is_changed = true;
    }
    for (size_t i = 0; i < space->moving.count; i++) {
        if (fr__space_objects(space)[moving[i]].is_listed_moving) { commit_object(space, moving[i]); }
    }
    space->moving.count = 0;
    fr__operation operation = {.kind = FR__OPERATION_COMMIT};
    fr__record(space, &operation);
    return FR_OK;
}

fr_status fr_space_commit(fr_space *space, fr_error *error) {
    FR_ASSERT(space != NULL);
    return fr__space_commit(space, NULL, error);
}
