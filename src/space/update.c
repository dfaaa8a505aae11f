// The update of derived data: first the stages that may run out of memory, then the rest.
#include "space/broad_phase.h"
#include "space/part.h"
#include "space/record.h"
#include "space/skin.h"
#include "space/vertex_box.h"

// The number of objects for one task.
#define BOX_GRAIN 64
#define TRIANGLE_GRAIN 4096

// A tree is built again when its queries cost this much more than just after it was built.
#define DEFORMED_QUALITY 2.0

// The number of refits between two checks of the quality. A check costs a fifth of a refit.
#define REFITS_A_LOOK 8

// ---------------------------------------------------------------------------------------------------------------
// Deformed parts

typedef struct deforming {
    const fr__part *part;
    const fr_vec3 *next; // at the end of the step; NULL: as they are
    fr__next_view view;  // of these
    fr__corner_box *vertices;
    fr_box *boxes;
} deforming;

// Each vertex is rounded once, not once for each of its triangles. A float next to x is within 2^-24 of it, and at
// least 2^-24 |x| or 2^-149 are subtracted: a side may be two floats too far out, never one too far in.
static void box_vertices(size_t begin, size_t end, int worker, void *context) {
    const deforming *d = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const double *x = &d->part->vertices[i].x;
        float *side = d->vertices[i].side;
        for (int k = 0; k < 3; k++) {
            float near = (float)x[k], step = fabsf(near) * 0x1p-23f + 0x1p-149f;
            side[k] = near - step;
            side[4 + k] = -near - step;
        }
        side[3] = side[7] = 0.0f;
        if (fr_vec3_largest(d->part->vertices[i]) < 0x1p+127) { continue; }
        for (int k = 0; k < 3; k++) { // so near to the largest float that the next one may be infinite
            side[k] = fr_float_down(x[k]);
            side[4 + k] = -fr_float_up(x[k]);
        }
    }
}

// The box also holds the vertices at the end of the step, as seen from the part's present frame, so it holds the
// straight path between. fr__to_part_margin bounds the error of these positions.
static void box_next_vertices(size_t begin, size_t end, int worker, void *context) {
    const deforming *d = context;
    (void)worker;
    fr__vertex_box_kernel()->join_next(&d->view, d->next + begin, end - begin, d->vertices + begin);
}

static void box_triangles(size_t begin, size_t end, int worker, void *context) {
    const deforming *d = context;
    const uint32_t *triangles = d->part->mesh->view.triangles;
    (void)worker;
    for (size_t t = begin; t < end; t++) {
        const float *a = d->vertices[triangles[3 * t]].side, *b = d->vertices[triangles[3 * t + 1]].side;
        const float *c = d->vertices[triangles[3 * t + 2]].side;
        float least[8];
        for (int k = 0; k < 8; k++) {
            float ab = a[k] < b[k] ? a[k] : b[k];
            least[k] = ab < c[k] ? ab : c[k];
        }
        d->boxes[t] = (fr_box){{least[0], least[1], least[2]}, {-least[4], -least[5], -least[6]}};
    }
}

// A part that is deformed for the first time gets its own tree.
static fr_status make_own_tree(fr_space *space, fr__part *part, const fr_box *boxes, const fr_tasks *tasks,
                               fr_error *error) {
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = part->mesh->view.triangle_count;
    def.tasks = tasks;
    def.allocator = fr__pool_allocator(&space->pool);
    fr_status status = fr_tree_create(&def, &part->own_tree, error);
    if (status == FR_OK) { part->tree = part->own_tree; }
    return status;
}

// Vertices that no triangle uses are ignored: only triangles are measured.
static void measure_part(fr__part *part) {
    const fr_box *box = &part->own_tree->header->bounds;
    part->bounds_local.min = fr_vec3_from_floats(box->min);
    part->bounds_local.max = fr_vec3_from_floats(box->max);
    part->largest = fmax(fr_vec3_largest(part->bounds_local.min), fr_vec3_largest(part->bounds_local.max));
    fr__part_measure(part);
}

static fr_status update_deformed_part(fr_space *space, const fr__object *object, fr__part *part, const fr_tasks *tasks,
                                      fr_error *error) {
    const fr_mesh_view *view = &part->mesh->view;
    bool is_new = part->own_tree == NULL;
    size_t leaf_count = is_new ? 0 : part->own_tree->header->leaf_count;
    if (!fr__box_array_reserve(&space->triangle_boxes, view->triangle_count) ||
        !fr__corner_box_array_reserve(&space->vertex_boxes, view->vertex_count + leaf_count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the boxes of %u triangles",
                            view->triangle_count);
    }
    deforming d = {.part = part, .vertices = space->vertex_boxes.data, .boxes = space->triangle_boxes.data};
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, view->vertex_count, TRIANGLE_GRAIN, box_vertices, &d);
    if (object->view.next_vertices != NULL) {
        d.next = object->view.next_vertices + part->first_vertex;
        d.view = (fr__next_view){part->frame, fr__frame_make(&object->view.next), fr__to_part_make(object, part)};
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, view->vertex_count, TRIANGLE_GRAIN, box_next_vertices, &d);
    }
    if (!is_new) {
        fr__corner_box *joined = d.vertices + view->vertex_count;
        fr__tree_refit_triangles(part->own_tree, view->triangles, d.vertices, joined, tasks);
    }

    fr_status status = FR_OK;
    bool is_looked_at = !is_new && part->refits++ % REFITS_A_LOOK == 0;
    if (is_new || (is_looked_at && fr_tree_quality(part->own_tree) > DEFORMED_QUALITY)) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, view->triangle_count, TRIANGLE_GRAIN, box_triangles, &d);
        if (is_new) {
            status = make_own_tree(space, part, d.boxes, tasks, error);
        } else {
            // Without memory for a rebuild the tree is refitted only, which keeps it correct.
            (void)fr_tree_update(part->own_tree, d.boxes, view->triangle_count, 0.0, tasks, NULL);
        }
    }
    if (status == FR_OK) { measure_part(part); }
    return status;
}

static fr_status update_deformed(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    const uint32_t *changed = space->changed.data;
    for (size_t i = 0; space->has_deformed && i < space->changed.count; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i]) || !object->has_new_vertices) { continue; }
        if (fr__object_is_unskinned(object)) { continue; }
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            fr_status status = update_deformed_part(space, object, &object->parts[k], tasks, error);
            if (status != FR_OK) { return status; }
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
        if (!fr__places_is_used(&space->object_places, changed[i])) { continue; }
        fr_box *boxes = space->sets[fr__set_of(object->view.flags)].boxes.data;
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            fr__part *part = &object->parts[k];
            part->bounds_world = fr__part_world_bounds(object, part);
            boxes[part->proxy] = fr_box_of_bounds(&part->bounds_world, space->origin);
        }
        if (object->has_new_filter) { fr__proxies_refresh(space, changed[i]); }
        object->has_new_filter = false;
    }
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
        // Stage 1: vertices that follow bones, and trees of deformed parts. Stage 2: the members of each set.
        status = fr__skins_update(space, tasks, error);
        if (status == FR_OK) { status = update_deformed(space, tasks, error); }
        if (status == FR_OK && space->has_new_members) { status = fr__proxies_collect(space, error); }
        if (status != FR_OK) { return status; }

        // Stage 3: boxes of what changed. Stage 4: trees over the boxes.
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, space->changed.count, BOX_GRAIN, box_objects, space);
        status = fr__proxies_update_trees(space, tasks, error);
        if (status != FR_OK) { return status; }
        clear_lists(space);
        space->is_current = true;
    }
    fr__operation operation = {.kind = FR__OPERATION_UPDATE};
    fr__record(space, &operation);
    return FR_OK;
}
