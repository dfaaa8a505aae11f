// Drawings handed to a radar's backend.
#include "radar/radar.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

void fr_radar_set_backend(fr_radar *radar, const fr_radar_backend *backend) {
    FR_ASSERT(radar != NULL);
    radar->backend = backend != NULL ? *backend : (fr_radar_backend){0};
    bool is_whole =
        radar->backend.draw_masks != NULL && radar->backend.draw_ranges != NULL && radar->backend.draw_turns != NULL;
    FR_ASSERT(backend == NULL || is_whole);
    (void)is_whole;
    // What another backend drew is drawn again.
    for (int i = 0; i < FR__MASKS; i++) {
        radar->masks[i].key.mesh = NULL;
    }
}

bool fr__radar_is_drawn_by_backend(const fr_radar *radar, const fr_radar_input *input) {
    return radar->backend.draw_ranges != NULL && input->look == FR_RADAR_CENTRE && !input->is_as_printed;
}

uint64_t fr__backend_name(void) {
    static _Atomic uint64_t given;
    return atomic_fetch_add_explicit(&given, 1, memory_order_relaxed) + 1;
}

// Exits or entries; false: no memory.
static bool put_aside(fr_radar *radar, const fr__view *view, fr__mask *mask, const fr__raster *raster, bool is_exit) {
    const fr__mover *mover = &radar->mover;
    const fr__facet *from = mover->facets.data;
    size_t count = is_exit ? mover->ahead : mover->facets.count - mover->ahead, first = radar->mask_facets.count;
    fr__facet *facets = fr__facet_array_push(&radar->mask_facets, count);
    fr__waiting_mask *waiting = fr__waiting_mask_array_push(&radar->batch_masks, 1);
    if (waiting == NULL || (facets == NULL && count > 0)) { return false; }
    if (count > 0) { memcpy(facets, is_exit ? from : from + mover->ahead, count * sizeof *facets); }
    *waiting = (fr__waiting_mask){.mask = mask, .first = first};
    waiting->drawing = (fr_radar_mask_drawing){.width = raster->width,
                                               .height = raster->height,
                                               .stride = raster->stride,
                                               .z_min = view->z_min,
                                               .z_max = view->z_max,
                                               .count = count,
                                               .layers = raster->layers};
    for (uint32_t i = 0; i < raster->layers; i++) {
        waiting->planes[i] = is_exit ? raster->exits[i] : raster->entries[i];
    }
    return true;
}

fr_status fr__backend_mask(fr_radar *radar, const fr__view *view, fr__mask *mask, fr__raster *raster, fr_error *error) {
    bool is_put = put_aside(radar, view, mask, raster, true);
    is_put = is_put && (!radar->mover.is_closed || put_aside(radar, view, mask, raster, false));
    if (!is_put) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mask"); }
    if (radar->is_batching) { return FR_OK; }
    fr_status status = fr__backend_waiting_masks(radar, error);
    raster->is_overflown = mask->is_overflown;
    return status;
}

fr_status fr__backend_waiting_masks(fr_radar *radar, fr_error *error) {
    size_t count = radar->batch_masks.count;
    fr__waiting_mask *waiting = radar->batch_masks.data;
    fr_radar_mask_drawing *drawings = fr__mask_drawing_array_reset(&radar->mask_drawings, count);
    fr_status status = FR_OK;
    if (drawings == NULL && count > 0) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for drawings"); }
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        drawings[i] = waiting[i].drawing;
        drawings[i].triangles = radar->mask_facets.data + waiting[i].first;
        drawings[i].planes = waiting[i].planes;
    }
    if (count > 0 && status == FR_OK) {
        status = radar->backend.draw_masks(drawings, count, radar->backend.user, error);
    }
    for (size_t i = 0; i < count; i++) {
        // What was not drawn must not be kept.
        if (status != FR_OK) { waiting[i].mask->key.mesh = NULL; }
        if (status == FR_OK && drawings[i].is_overflown) { waiting[i].mask->is_overflown = true; }
    }
    radar->batch_masks.count = radar->mask_facets.count = 0;
    return status;
}

fr_radar_range_drawing fr__backend_range_drawing(const fr__view *view, const fr__mask *mask, const fr__raster *raster) {
    return (fr_radar_range_drawing){.width = raster->width,
                                    .height = raster->height,
                                    .stride = raster->stride,
                                    .z_min = view->z_min,
                                    .depth = view->z_max - view->z_min + view->travel,
                                    .slack = raster->slack,
                                    .layers = raster->layers,
                                    .mask = mask->name,
                                    .exits = (const double *const *)raster->exits,
                                    .entries = mask->is_closed ? (const double *const *)raster->entries : NULL,
                                    .free_min = INFINITY};
}

fr_status fr__backend_range(fr_radar *radar, const fr__view *view, const fr__mask *mask, fr__raster *raster,
                            fr_error *error) {
    fr_radar_range_drawing drawing = fr__backend_range_drawing(view, mask, raster);
    drawing.triangles = radar->others.data;
    drawing.count = radar->others.count;
    drawing.range = raster->range;
    drawing.free_travel = raster->free_travel;
    drawing.object = raster->object;
    drawing.triangle = raster->triangle;
    fr_status status = radar->backend.draw_ranges(&drawing, 1, radar->backend.user, error);
    raster->is_inside = drawing.is_inside;
    return status;
}

fr_status fr__backend_turn(fr_radar *radar, const fr__view *view, const fr__raster *raster, fr_error *error) {
    fr_radar_turn_drawing drawing = {.width = raster->width,
                                     .height = raster->height,
                                     .stride = raster->stride,
                                     .left = view->left,
                                     .bottom = view->bottom,
                                     .pixel = view->pixel,
                                     .mover = radar->mover.facets.data,
                                     .others = radar->others.data,
                                     .mover_count = radar->mover.facets.count,
                                     .other_count = radar->others.count,
                                     .front = raster->exits[0],
                                     .range = raster->range,
                                     .free_travel = raster->free_travel,
                                     .object = raster->object,
                                     .triangle = raster->triangle};
    return radar->backend.draw_turns(&drawing, 1, radar->backend.user, error);
}
