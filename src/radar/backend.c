// Drawings handed to a radar's backend.
#include "radar/radar.h"

#include <math.h>
#include <stdatomic.h>

void fr_radar_set_backend(fr_radar *radar, const fr_radar_backend *backend) {
    FR_ASSERT(radar != NULL);
    radar->backend = backend != NULL ? *backend : (fr_radar_backend){0};
    bool is_whole =
        radar->backend.draw_masks != NULL && radar->backend.draw_ranges != NULL && radar->backend.draw_turns != NULL;
    FR_ASSERT(backend == NULL || is_whole);
    (void)is_whole;
    // What another backend drew is drawn anew.
    for (int i = 0; i < FR__MASKS; i++) {
        radar->masks[i].key.mesh = NULL;
    }
}

bool fr__radar_is_drawn_by_backend(const fr_radar *radar, const fr_radar_input *input) {
    return radar->backend.draw_ranges != NULL && input->look == FR_RADAR_CENTRE && !input->as_printed;
}

uint64_t fr__backend_name(void) {
    static _Atomic uint64_t given;
    return atomic_fetch_add_explicit(&given, 1, memory_order_relaxed) + 1;
}

fr_status fr__backend_mask(fr_radar *radar, const fr__view *view, fr__raster *raster, fr_error *error) {
    const fr__mover *mover = &radar->mover;
    const fr__facet *facets = mover->facets.data;
    fr_radar_mask_drawing drawings[2];
    for (int i = 0; i < 2; i++) {
        bool is_exit = i == 0;
        drawings[i] = (fr_radar_mask_drawing){.width = raster->width,
                                              .height = raster->height,
                                              .stride = raster->stride,
                                              .z_min = view->z_min,
                                              .z_max = view->z_max,
                                              .triangles = is_exit ? facets : facets + mover->ahead,
                                              .count = is_exit ? mover->ahead : mover->facets.count - mover->ahead,
                                              .layers = raster->layers,
                                              .planes = is_exit ? raster->exits : raster->entries};
    }
    size_t count = mover->is_closed ? 2 : 1;
    fr_status status = radar->backend.draw_masks(drawings, count, radar->backend.user, error);
    raster->is_overflown = drawings[0].is_overflown || (count == 2 && drawings[1].is_overflown);
    return status;
}

fr_radar_range_drawing fr__backend_range_drawing(const fr__view *view, const fr__mask *mask, const fr__raster *raster) {
    return (fr_radar_range_drawing){.width = raster->width,
                                    .height = raster->height,
                                    .stride = raster->stride,
                                    .z_min = view->z_min,
                                    .depth = view->z_max - view->z_min + view->way,
                                    .slack = raster->slack,
                                    .layers = raster->layers,
                                    .mask = mask->name,
                                    .exits = (const double *const *)raster->exits,
                                    .entries = mask->is_closed ? (const double *const *)raster->entries : NULL,
                                    .least = INFINITY};
}

fr_status fr__backend_range(fr_radar *radar, const fr__view *view, const fr__mask *mask, fr__raster *raster,
                            fr_error *error) {
    fr_radar_range_drawing drawing = fr__backend_range_drawing(view, mask, raster);
    drawing.triangles = radar->others.data;
    drawing.count = radar->others.count;
    drawing.range = raster->range;
    drawing.free_way = raster->free_way;
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
                                     .free_way = raster->free_way,
                                     .object = raster->object,
                                     .triangle = raster->triangle};
    return radar->backend.draw_turns(&drawing, 1, radar->backend.user, error);
}
