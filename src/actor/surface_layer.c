// An actor that only draws: what the faces of a world let a body do.
#include "fureai/actor.h"
#include "fureai/human_surface.h"

#include <string.h>

#define SURFACE_LAYER_COOKIE UINT32_C(0x53464c59)

typedef struct fr__surface_layer {
    fr_allocator allocator;
    fr_surfaces *surfaces;
    uint32_t ticks; // since the last look
    uint32_t count; // surfaces that are drawn
    bool is_drawn;
} fr__surface_layer;

// ---------------------------------------------------------------------------------------------------------------
// Drawing

// Bodies of people move in every tick: what they stand before is there all the same.
static bool is_furniture(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b, (void)context;
    const fr_object_view *view = fr_object_get(space, a);
    return view != NULL && (view->flags & FR_OBJECT_PROXY) == 0 && view->bone_count == 0;
}

static void paint_surfaces(const fr_draw *draw, void *user) { fr_surfaces_draw(user, draw); }

static fr_status draw(fr_painter *painter, fr__surface_layer *layer, const fr_space *space, fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_furniture;
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    input.filter = &filter;
    fr_status status = fr_surfaces_update(layer->surfaces, &input, error);
    fr_surfaces_stats stats = fr_surfaces_get_stats(layer->surfaces);
    bool has_changed = stats.looked_at > 0 || stats.count != layer->count; // those of a removed object are but fewer
    bool is_shown = layer->is_drawn && !has_changed && !fr_painter_is_new(painter);
    if (status != FR_OK || is_shown) { return status; }
    const fr_cast_layer picture = {.name = FR_SURFACE_LAYER_NAME, .paint = paint_surfaces, .user = layer->surfaces};
    layer->is_drawn = true;
    layer->count = stats.count;
    return fr_painter_draw(painter, &picture, error);
}

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    fr__surface_layer *layer = user;
    bool is_due = ++layer->ticks >= FR_SURFACE_LAYER_TICKS || !layer->is_drawn || fr_painter_is_new(painter);
    if (!is_due || !fr_space_is_current(proposal->space)) { return; }
    layer->ticks = 0;
    fr_error error = {0};
    if (draw(painter, layer, proposal->space, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "surfaces are not drawn: %s", error.message);
    }
}

static void leave(void *user) {
    fr__surface_layer *layer = user;
    fr_surfaces_destroy(layer->surfaces);
    fr_allocator allocator = layer->allocator;
    fr_deallocate(&allocator, layer, 1, sizeof *layer);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_surface_layer_def fr_default_surface_layer_def(void) {
    return (fr_surface_layer_def){.stature = fr_default_body_def().stature, .cookie = SURFACE_LAYER_COOKIE};
}

// The measures of a body of that stature; those of the usual one are known.
static fr_status measure(const fr_surface_layer_def *def, const fr_allocator *allocator, fr_body_measures *out,
                         fr_error *error) {
    fr_body_def body = fr_default_body_def();
    if (def->stature == body.stature) { return FR_OK; }
    body.stature = def->stature;
    body.allocator = *allocator;
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    if (status == FR_OK) {
        fr_figure_def shape = fr_default_figure_def();
        shape.skeleton = skeleton;
        shape.detail = FR_FIGURE_COARSE;
        shape.allocator = *allocator;
        status = fr_figure_create(&shape, &figure, error);
    }
    if (status == FR_OK) { status = fr_body_measures_of(figure, out, error); }
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
    return status;
}

fr_status fr_surface_layer_create(const fr_surface_layer_def *def, fr_actor *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    if (def->cookie != SURFACE_LAYER_COOKIE) { return fr_error_set_cookie(error, "fr_default_surface_layer_def"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_surfaces_def surfaces = fr_default_surfaces_def();
    surfaces.allocator = allocator;
    fr_status status = measure(def, &allocator, &surfaces.measures, error);
    if (status != FR_OK) { return status; }
    fr__surface_layer *layer = fr_allocate(&allocator, 1, sizeof *layer, _Alignof(fr__surface_layer));
    if (layer == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
    memset(layer, 0, sizeof *layer);
    layer->allocator = allocator;
    status = fr_surfaces_create(&surfaces, &layer->surfaces, error);
    if (status != FR_OK) {
        fr_deallocate(&allocator, layer, 1, sizeof *layer);
        return status;
    }
    *out = (fr_actor){.name = FR_SURFACE_LAYER_NAME, .paint = paint, .leave = leave, .user = layer};
    return FR_OK;
}
