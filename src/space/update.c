// Brings what is derived up to date: first what may fail for want of memory, then the rest.
#include "space/broad_phase.h"
#include "space/part.h"
#include "space/record.h"

// Boxes a task takes at once.
#define BOX_GRAIN 64
#define TRIANGLE_GRAIN 4096

// A tree is built anew when its queries cost this much more than just after it was built.
#define DEFORMED_QUALITY 2.0

// ---------------------------------------------------------------------------------------------------------------
// Deformed parts

typedef struct deforming {
    const fr__part *part;
    fr_box *boxes;
} deforming;

static void box_triangles(size_t begin, size_t end, int worker, void *context) {
    const deforming *d = context;
    (void)worker;
    for (size_t t = begin; t < end; t++) {
        fr_vec3 corners[3];
        fr__part_corners_local(d->part, (uint32_t)t, corners);
        fr_bounds bounds = fr_bounds_of_points(corners, 3);
        d->boxes[t] = fr_box_of_bounds(&bounds, fr_vec3_make(0.0, 0.0, 0.0));
    }
}

// A part deformed for the first time gets a tree of its own. It counts as closed only when its triangles close by their
// vertices' numbers: vertices that are merely at one place may part.
static fr_status make_own_tree(fr_space *space, fr__part *part, const fr_box *boxes, const fr_tasks *tasks,
                               fr_error *error) {
    fr_topology *topology = NULL;
    fr_status status = fr_topology_create(part->mesh, false, &space->allocator, &topology, error);
    if (status != FR_OK) return status;
    bool is_closed = topology->closed;
    fr_topology_destroy(topology);

    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = part->mesh->view.triangle_count;
    def.tasks = tasks;
    def.allocator = fr__pool_allocator(&space->pool);
    status = fr_tree_create(&def, &part->own_tree, error);
    if (status != FR_OK) return status;
    part->tree = part->own_tree;
    part->is_closed = is_closed;
    return FR_OK;
}

static void measure_vertices(fr__part *part) {
    part->largest = 0.0;
    for (uint32_t i = 0; i < part->mesh->view.vertex_count; i++)
        part->largest = fmax(part->largest, fr_vec3_largest(part->vertices[i]));
    const fr_box *box = &part->own_tree->header->bounds;
    part->bounds_local.min = fr_vec3_from_floats(box->min);
    part->bounds_local.max = fr_vec3_from_floats(box->max);
}

static fr_status update_deformed_part(fr_space *space, fr__part *part, const fr_tasks *tasks, fr_error *error) {
    uint32_t count = part->mesh->view.triangle_count;
    if (!fr_array_reserve(&space->triangle_boxes, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the boxes of %u triangles", count);
    }
    deforming d = {part, space->triangle_boxes.data};
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, TRIANGLE_GRAIN, box_triangles, &d);

    fr_status status = FR_OK;
    if (part->own_tree == NULL) {
        status = make_own_tree(space, part, d.boxes, tasks, error);
    } else {
        // Without memory to build it anew the tree is refitted all the same, and right.
        (void)fr_tree_update(part->own_tree, d.boxes, count, DEFORMED_QUALITY, tasks);
    }
    if (status == FR_OK) measure_vertices(part);
    return status;
}

static fr_status update_deformed(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    const uint32_t *changed = space->changed.data;
    for (size_t i = 0; i < space->changed.count; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i]) || !object->is_deformed_anew) continue;
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            fr_status status = update_deformed_part(space, &object->parts[k], tasks, error);
            if (status != FR_OK) return status;
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static void box_objects(size_t begin, size_t end, int worker, void *context) {
    fr_space *space = context;
    const uint32_t *changed = space->changed.data;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i])) continue;
        for (uint32_t k = 0; k < object->view.part_count; k++)
            object->parts[k].bounds_world = fr__part_world_bounds(object, &object->parts[k]);
        fr__proxies_refresh(space, changed[i]);
    }
}

static void mark_sets(fr_space *space) {
    const uint32_t *changed = space->changed.data;
    for (size_t i = 0; i < space->changed.count; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (fr__places_is_used(&space->object_places, changed[i])) {
            space->sets[fr__set_of(object->view.flags)].is_changed = true;
        }
    }
}

// A failure leaves the lists, so that the next update does all of it again.
static void clear_lists(fr_space *space) {
    const uint32_t *changed = space->changed.data;
    for (size_t i = 0; i < space->changed.count; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        object->is_listed_changed = false;
        object->is_deformed_anew = false;
    }
    space->changed.count = 0;
    space->has_new_members = false;
}

fr_status fr_space_update(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) return status;

    if (!space->is_current) {
        // Stage 1: trees of deformed parts. Stage 2: who is in which set.
        status = update_deformed(space, tasks, error);
        if (status == FR_OK && space->has_new_members) status = fr__proxies_collect(space, error);
        if (status != FR_OK) return status;

        // Stage 3: boxes of what changed. Stage 4: trees over the boxes.
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, space->changed.count, BOX_GRAIN, box_objects, space);
        mark_sets(space);
        status = fr__proxies_plant(space, tasks, error);
        if (status != FR_OK) return status;
        clear_lists(space);
        space->is_current = true;
    }
    fr__operation operation = {.kind = FR__OPERATION_UPDATE};
    fr__record(space, &operation);
    return FR_OK;
}
