// Many queries drawn together: what each sees is put aside until a batch is full, then all are drawn at once.
#include "radar/radar.h"

#include <math.h>
#include <string.h>

// Faces of a batch: more are drawn in several.
#define MANY_FACETS 1000000

typedef struct batching {
    fr_radar *radar;
    uint64_t begun; // queries before the batch: masks used since then are waited for
} batching;

// ---------------------------------------------------------------------------------------------------------------
// Drawing

// By the radar itself, one after another.
static fr_status draw_by_itself(fr_radar *radar, const fr__radar_query *q, fr_radar_range_drawing *drawing) {
    fr__raster raster = q->raster;
    if (!fr__radar_clear(radar, &raster)) { return FR_ERROR_MEMORY; }
    fr__raster_kernel()->draw_range(&raster, drawing->triangles, drawing->count);
    drawing->is_inside = raster.is_inside;
    for (uint32_t y = 0; y < raster.height; y++) {
        for (uint32_t x = 0; x < raster.width; x++) {
            size_t at = (size_t)y * raster.stride + x;
            if (!(raster.free_travel[at] < drawing->free_min)) { continue; }
            drawing->free_min = raster.free_travel[at];
            drawing->range_at_min = raster.range[at];
            drawing->column_at_min = x;
            drawing->row_at_min = y;
            drawing->object_at_min = raster.object[at];
            drawing->triangle_at_min = raster.triangle[at];
        }
    }
    return FR_OK;
}

// The face that is met: among those of the query.
static const fr__facet *find_facet(const fr_radar_range_drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++) {
        const fr__facet *f = &drawing->triangles[i];
        if (f->object == drawing->object_at_min && f->triangle == drawing->triangle_at_min) { return f; }
    }
    return NULL;
}

static void report_contact(const fr__radar_query *q, const fr_radar_range_drawing *drawing) {
    const fr__view *view = &q->view;
    const fr__facet *f = find_facet(drawing);
    fr_radar_output *out = q->output;
    if (f == NULL) { return; }
    fr_vec3 sides[2];
    for (int k = 0; k < 2; k++) {
        sides[k] = fr_vec3_make(view->pixel * (f->x[k + 1] - f->x[0]), view->pixel * (f->y[k + 1] - f->y[0]),
                                f->z[k + 1] - f->z[0]);
    }
    fr_vec3 normal = fr_vec3_cross(sides[0], sides[1]);
    fr__meeting met = {.other = f, .normal = normal.z >= 0.0 ? normal : fr_vec3_negate(normal)};
    fr_vec3 point =
        fr__view_point(view, drawing->column_at_min + 0.5, drawing->row_at_min + 0.5, drawing->range_at_min);
    out->contact = fr__radar_contact(q->input, &view->axes, &met, point, out->distance / view->travel);
    bool is_first = fr_object_id_equal(out->contact.a, q->input->mover);
    out->contact.approach = fr_vec3_dot(out->contact.normal, q->input->travel) * (is_first ? 1.0 : -1.0);
    if (fabs(fr_vec3_dot(out->contact.normal, view->axes.d)) < 0.05) { out->flags |= FR_RADAR_GRAZING; }
    out->points = 1;
    out->kind = 1;
}

static void report(const fr__radar_query *q, const fr_radar_range_drawing *drawing) {
    fr_radar_output *out = q->output;
    out->high = drawing->free_min;
    out->is_hit = drawing->free_min < q->view.travel;
    out->distance = out->is_hit ? drawing->free_min : q->view.travel;
    out->flags =
        (q->raster.is_overflown ? FR_RADAR_LAYER_OVERFLOW : 0u) | (drawing->is_inside ? FR_RADAR_START_OVERLAP : 0u);
    if (out->is_hit) { report_contact(q, drawing); }
}

// Draws and results what was put aside.
static fr_status finish_batch(batching *b, fr_error *error) {
    fr_radar *radar = b->radar;
    fr__radar_query *queries = radar->batch.data;
    size_t count = radar->batch.count;
    fr_radar_range_drawing *drawings = fr__range_drawing_array_reset(&radar->batch_drawings, count);
    if (drawings == NULL && count > 0) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for drawings"); }
    fr_status status = fr__backend_waiting_masks(radar, error);
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        fr__radar_query *q = &queries[i];
        q->raster.is_overflown = q->mask->is_overflown;
        drawings[i] = fr__backend_range_drawing(&q->view, q->mask, &q->raster);
        drawings[i].triangles = radar->batch_facets.data + q->first;
        drawings[i].count = q->count;
        if (radar->backend.draw_ranges == NULL) {
            status = draw_by_itself(radar, q, &drawings[i]);
            if (status != FR_OK) { (void)fr_error_set(error, status, "no memory for images"); }
        }
    }
    if (radar->backend.draw_ranges != NULL && count > 0 && status == FR_OK) {
        status = radar->backend.draw_ranges(drawings, count, radar->backend.user, error);
    }
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        report(&queries[i], &drawings[i]);
    }
    radar->batch.count = 0;
    radar->batch_facets.count = 0;
    b->begun = radar->queries;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Putting aside

static fr_status check(const fr_radar_input *input, fr_error *error) {
    if (input->look != FR_RADAR_CENTRE || input->is_as_printed) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "many queries at once are of lines alone");
    }
    return fr__radar_check_travel(input, error);
}

static fr_status put_aside(batching *b, const fr_radar_input *input, fr_radar_output *output, fr_error *error) {
    fr_radar *radar = b->radar;
    fr__radar_query q = {.input = input, .output = output, .first = radar->batch_facets.count};
    memset(output, 0, sizeof *output);
    fr_status status = fr__radar_look_at_mover(radar, input, &q.view, &q.raster, &q.mask, &output->stats, error);
    if (status != FR_OK) { return status; }
    const fr__gathered gathered = {&radar->others, &radar->vertices, &output->stats.parts};
    status = fr__view_others(input, &q.view, &gathered, error);
    if (status != FR_OK) { return status; }
    q.count = radar->others.count;
    output->stats.triangles = q.count;
    output->stats.cells = (uint64_t)q.raster.width * q.raster.height;
    fr__facet *facets = fr__facet_array_push(&radar->batch_facets, q.count);
    fr__radar_query *place = fr__radar_query_array_push(&radar->batch, 1);
    if (place == NULL || (facets == NULL && q.count > 0)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for many queries");
    }
    if (q.count > 0) { memcpy(facets, radar->others.data, q.count * sizeof *facets); }
    *place = q;
    return FR_OK;
}

// Whether the next mask may take the place of one that is waited for.
static bool is_full(const batching *b) {
    const fr_radar *radar = b->radar;
    for (int i = 0; i < FR__MASKS; i++) {
        if (radar->masks[i].used <= b->begun) { return radar->batch_facets.count >= MANY_FACETS; }
    }
    return true;
}

fr_status fr_radar_move_many(fr_radar *radar, const fr_radar_input *inputs, size_t count, fr_radar_output *outputs,
                             fr_error *error) {
    FR_ASSERT(radar != NULL);
    fr_status status = FR_OK;
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        if (inputs[i].cookie != FR__RADAR_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_input"); }
        FR_ASSERT(inputs[i].space != NULL);
        status = check(&inputs[i], error);
    }
    batching b = {.radar = radar, .begun = radar->queries};
    radar->batch.count = 0;
    radar->batch_facets.count = 0;
    radar->is_batching = true;
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        status = put_aside(&b, &inputs[i], &outputs[i], error);
        if (status == FR_OK && (is_full(&b) || i + 1 == count)) { status = finish_batch(&b, error); }
    }
    radar->is_batching = false;
    // Masks that were put aside and never drawn.
    const fr__waiting_mask *waiting = radar->batch_masks.data;
    for (size_t i = 0; i < radar->batch_masks.count; i++) {
        waiting[i].mask->key.mesh = NULL;
    }
    radar->batch_masks.count = radar->mask_facets.count = 0;
    return status;
}
