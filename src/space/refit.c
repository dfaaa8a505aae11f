// Trees of deformed parts: an update marks them stale, and the first query that meets the box of an object refits them.
//
// Queries are const and may run at once, so each object has an atomic state. The thread that changes it from stale to
// busy refits and publishes the trees; the others wait meanwhile. Boxes are a function of the vertices and frames of
// the last update, so no result depends on which thread refitted, or when. A refit takes no memory: the update reserves
// its scratch, builds missing trees and builds worn ones again.
#include "space/refit.h"

#include "base/relax.h"
#include "space/skin.h"
#include "space/vertex_box.h"

// Vertices or triangles of one task.
#define TRIANGLE_GRAIN 4096

// The trees of an object with more triangles are refitted by the update, whose workers share each of them. A query
// would do it with one thread, and others would wait for it.
#define SHARED_TRIANGLES 16384u

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

// ---------------------------------------------------------------------------------------------------------------
// Refits

// Boxes of the vertices over the step, in scratch that holds them and one more box a leaf.
static deforming box_part(const fr__object *object, const fr__part *part, fr__corner_box *scratch,
                          const fr_tasks *tasks) {
    deforming d = {.part = part, .vertices = scratch};
    uint32_t count = part->mesh->view.vertex_count;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, TRIANGLE_GRAIN, box_vertices, &d);
    if (object->view.next_vertices != NULL) {
        d.next = object->view.next_vertices + part->first_vertex;
        d.view = (fr__next_view){part->frame, fr__frame_make(&object->view.next), fr__to_part_make(object, part)};
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, TRIANGLE_GRAIN, box_next_vertices, &d);
    }
    return d;
}

static size_t scratch_size(const fr__part *part) {
    size_t leaf_count = part->own_tree != NULL ? part->own_tree->header->leaf_count : 0;
    return part->mesh->view.vertex_count + leaf_count;
}

static void refit_part(const fr__object *object, fr__part *part, fr__corner_box *scratch, const fr_tasks *tasks) {
    FR_ASSERT(part->own_tree != NULL && part->vertices != NULL);
    deforming d = box_part(object, part, scratch, tasks);
    const fr_mesh_view *view = &part->mesh->view;
    fr__tree_refit_triangles(part->own_tree, view->triangles, d.vertices, d.vertices + view->vertex_count, tasks);
    if (part->refits++ % REFITS_A_LOOK == 0) { part->is_worn = fr_tree_quality(part->own_tree) > DEFORMED_QUALITY; }
    measure_part(part);
}

// Takes the first scratch memory that is free. Whoever has one gives it back soon and waits for nothing.
static fr__refit_scratch *take_scratch(fr_space *space) {
    for (uint32_t pass = 0;; pass++) {
        for (int i = 0; i < space->refit_scratch_count; i++) {
            fr__refit_scratch *scratch = &space->refit_scratch[i];
            if (!atomic_exchange_explicit(&scratch->is_taken, true, memory_order_acquire)) { return scratch; }
        }
        fr__relax_pass(pass);
    }
}

// The trees are the one thing of an object that a const call writes; the space itself was never a const object.
void fr__object_try_refit(const fr_space *space, const fr__object *object) {
    fr_space *owner = (fr_space *)(uintptr_t)space;
    fr__object *claimed = (fr__object *)(uintptr_t)object;
    unsigned state = FR__TREES_STALE;
    if (!atomic_compare_exchange_strong_explicit(&claimed->trees, &state, FR__TREES_BUSY, memory_order_acquire,
                                                 memory_order_relaxed)) {
        return;
    }
    fr__refit_scratch *scratch = take_scratch(owner);
    for (uint32_t i = 0; i < claimed->view.part_count; i++) {
        refit_part(claimed, &claimed->parts[i], scratch->boxes.data, NULL);
    }
    atomic_store_explicit(&scratch->is_taken, false, memory_order_release);
    atomic_store_explicit(&claimed->trees, FR__TREES_FRESH, memory_order_release);
}

void fr__object_refit(const fr_space *space, const fr__object *object) {
    fr__object_try_refit(space, object);
    for (uint32_t pass = 0; !fr__object_is_fresh(object); pass++) {
        fr__relax_pass(pass);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The update

static fr_status provide_scratch(fr_space *space, int count, size_t size, fr_error *error) {
    for (int i = 0; i < count; i++) {
        if (i == space->refit_scratch_count) {
            space->refit_scratch[i].boxes = fr__corner_box_array_make(&space->allocator);
            atomic_init(&space->refit_scratch[i].is_taken, false);
            space->refit_scratch_count++;
        }
        if (!fr__corner_box_array_reserve(&space->refit_scratch[i].boxes, size)) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the boxes of %zu vertices", size);
        }
    }
    return FR_OK;
}

// Builds the tree of a part for the first time, or again.
static fr_status build_part(fr_space *space, const fr__object *object, fr__part *part, const fr_tasks *tasks,
                            fr_error *error) {
    const fr_mesh_view *view = &part->mesh->view;
    if (!fr__box_array_reserve(&space->triangle_boxes, view->triangle_count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the boxes of %u triangles",
                            view->triangle_count);
    }
    fr_status status = provide_scratch(space, 1, view->vertex_count, error);
    if (status != FR_OK) { return status; }
    deforming d = box_part(object, part, space->refit_scratch[0].boxes.data, tasks);
    d.boxes = space->triangle_boxes.data;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, view->triangle_count, TRIANGLE_GRAIN, box_triangles, &d);
    if (part->own_tree == NULL) {
        status = make_own_tree(space, part, d.boxes, tasks, error);
    } else {
        // Without memory for a rebuild the tree is refitted only, which keeps it correct.
        (void)fr_tree_update(part->own_tree, d.boxes, view->triangle_count, 0.0, tasks, NULL);
        part->is_worn = false;
    }
    if (status == FR_OK) { measure_part(part); }
    return status;
}

// Builds what is missing or worn and refits the rest.
static fr_status update_trees(fr_space *space, const fr__object *object, const fr_tasks *tasks, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < object->view.part_count && status == FR_OK; i++) {
        fr__part *part = &object->parts[i];
        if (part->own_tree == NULL || part->is_worn) {
            status = build_part(space, object, part, tasks, error);
            continue;
        }
        status = provide_scratch(space, 1, scratch_size(part), error);
        if (status == FR_OK) { refit_part(object, part, space->refit_scratch[0].boxes.data, tasks); }
    }
    return status;
}

// The largest scratch of a part of an object whose trees a query may refit; 0 where the update does it.
static size_t lazy_size(const fr__object *object) {
    size_t size = 0;
    if (object->view.triangle_count > SHARED_TRIANGLES) { return 0; }
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr__part *part = &object->parts[i];
        if (part->own_tree == NULL || part->is_worn) { return 0; }
        if (scratch_size(part) > size) { size = scratch_size(part); }
    }
    return size;
}

fr_status fr__trees_update(fr_space *space, const fr_tasks *tasks, fr_error *error) {
    const uint32_t *changed = space->changed.data;
    size_t largest = 0;
    int stale_count = 0, worker_count = fr_tasks_worker_count(tasks);
    fr_status status = FR_OK;
    for (size_t i = 0; space->has_deformed && i < space->changed.count && status == FR_OK; i++) {
        fr__object *object = &fr__space_objects(space)[changed[i]];
        if (!fr__places_is_used(&space->object_places, changed[i]) || !object->has_new_vertices) { continue; }
        size_t size = fr__object_is_unskinned(object) ? 0 : lazy_size(object);
        atomic_store_explicit(&object->trees, size > 0 ? FR__TREES_STALE : FR__TREES_FRESH, memory_order_relaxed);
        if (size > 0) {
            largest = size > largest ? size : largest;
            stale_count += stale_count < worker_count;
        } else if (!fr__object_is_unskinned(object)) {
            status = update_trees(space, object, tasks, error);
        }
    }
    return status == FR_OK ? provide_scratch(space, stale_count, largest, error) : status;
}

void fr__refit_free(fr_space *space) {
    for (int i = 0; i < space->refit_scratch_count; i++) {
        fr__corner_box_array_destroy(&space->refit_scratch[i].boxes);
    }
}
