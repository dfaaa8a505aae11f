// The update of derived data: first the stages that may run out of memory, then the rest.
#include "space/broad_phase.h"
#include "space/part.h"
#include "space/record.h"
#include "space/refit.h"
#include "space/skin.h"

// The number of objects for one task.
#define BOX_GRAIN 64

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static void box_objects(size_t begin, size_t end, int worker, void *context) {
    fr_space *space = context;
    const uint32_t *changed = space->changed.data;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i])) { continue; }
        if (fr__object_moves_rigidly(object)) { (void)fr__object_fresh(space, object); }
        fr_box *boxes = space->sets[fr__set_of(object->view.flags)].boxes.data;
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            fr__part *part = &object->parts[k];
            part->bounds_world = fr__part_world_bounds(object, part);
            boxes[part->proxy] = fr_box_of_bounds(&part->bounds_world, space->origin);
        }
        space->path_sizes.data[changed[i]] = fr__object_path_size(object);
        if (object->has_new_filter) { fr__proxies_refresh(space, changed[i]); }
        object->has_new_filter = false;
    }
}

static void find_path_size(fr_space *space) {
    const double *sizes = space->path_sizes.data;
    double max = 0.0;
    for (size_t i = 0; i < space->path_sizes.count; i++) {
        max = sizes[i] > max ? sizes[i] : max;
    }
    space->path_size = max;
}

// Called after success only: a failed update leaves the lists, so that the next one does everything again. No object
// carries the number of the next update, so none is marked.
static void clear_lists(fr_space *space) {
    const uint32_t *changed = space->changed.data;
    for (size_t i = 0; space->has_deformed && i < space->changed.count; i++) {
        fr__space_objects(space)[changed[i]].has_new_vertices = false;
    }
    space->changed.count = 0;
    space->next_update++;
    space->has_new_members = false;
    space->has_deformed = false;
}

fr_status fr_space_update(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }

    if (!space->is_current) {
        // Stage 1: vertices that follow bones, and trees of deformed parts that no query refits. Stage 2: the members
        // of each set.
        status = fr__skins_update(space, tasks, error);
        if (status == FR_OK) { status = fr__trees_update(space, tasks, error); }
        if (status == FR_OK && space->has_new_members) { status = fr__proxies_collect(space, error); }
        if (status != FR_OK) { return status; }

        // Stage 3: boxes of what changed. Stage 4: trees over the boxes.
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, space->changed.count, BOX_GRAIN, box_objects, space);
        find_path_size(space);
        status = fr__proxies_update_trees(space, tasks, error);
        if (status != FR_OK) { return status; }
        clear_lists(space);
        space->is_current = true;
    }
    fr__operation operation = {.kind = FR__OPERATION_UPDATE};
    fr__record(space, &operation);
    return FR_OK;
}
