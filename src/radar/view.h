// What a query sees: the mover and the possible obstacles, in the frame of the view.
#ifndef FUREAI_RADAR_VIEW_H
#define FUREAI_RADAR_VIEW_H

#include "radar/gather.h"

// The frame: x along u, y along v in pixels from the image's corner, z along d in metres from the mover's place.
typedef struct fr__view {
    fr__axes axes; // at the mover's place, d along the travel
    double left, bottom;
    double pixel; // metres
    uint32_t width, height;
    double z_min, z_max; // of the mover
    double travel;       // metres
    double size;         // the mover's longest extent in this frame
    double widen;        // metres: columns see every face grown by this on all sides
    void *journey;       // of fr_radar_travel: what pairs are decided by; NULL otherwise
} fr__view;

// Facets of the mover: those that look ahead or whose side is not known first. Of an open mover all are.
typedef struct fr__mover {
    fr__facet_array facets;
    size_t ahead; // how many look ahead
    bool is_closed;
} fr__mover;

// Aims the frame alone; the mover is there.
void fr__view_aim(const fr_radar_input *input, fr__view *view);

// Fills the frame, unless it is `framed` already, and the mover's facets. The frame's roll depends on the travel in the
// mover's own frame alone, so that a mover that turns with its travel looks the same; of a round one on the travel in
// the world.
fr_status fr__view_mover(const fr_radar_input *input, bool framed, fr__view *view, fr__mover *mover, fr_error *error);

// The image just holds facets in metres along the axes; its longer side has as many pixels as are wanted.
void fr__view_frame(fr__view *view, uint32_t resolution, const fr__facet *facets, size_t count);

// From metres along the axes into pixels.
void fr__view_to_pixels(const fr__view *view, fr__facet *facet);

// Whether a facet, in pixels, lies in the volume that the mover sweeps, or within `margin` metres of it.
bool fr__view_holds(const fr__view *view, const fr__facet *facet, double margin);

// Gathers what lies in the volume that the mover sweeps.
fr_status fr__view_others(const fr_radar_input *input, const fr__view *view, const fr__gathered *out, fr_error *error);

// Back to the world.
static inline fr_vec3 fr__view_point(const fr__view *view, double x, double y, double z) {
    return fr__axes_point(&view->axes, view->left + x * view->pixel, view->bottom + y * view->pixel, z);
}

#endif
