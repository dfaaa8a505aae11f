// The radar: definition, checks of a query, and the query along straight motion.
#include "radar/radar.h"

#include "space/part.h"

#include <math.h>
#include <string.h>

fr_radar_input fr_default_radar_input(void) {
    return (fr_radar_input){
        .resolution = 32, .layers = 4, .cells = 8192, .filter = fr_default_query_filter(), .cookie = FR__RADAR_COOKIE};
}

fr_status fr_radar_create(const fr_allocator *allocator, fr_radar **out, fr_error *error) {
    *out = NULL;
    fr_allocator chosen = fr_allocator_or_default(allocator);
    fr_radar *radar = fr_allocate(&chosen, 1, sizeof *radar, _Alignof(fr_radar));
    if (radar == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a radar"); }
    memset(radar, 0, sizeof *radar);
    radar->allocator = chosen;
    radar->mover.facets = fr__facet_array_make(&chosen);
    radar->others = fr__facet_array_make(&chosen);
    radar->vertices = fr__placed_vertex_array_make(&chosen);
    radar->numbers = fr_double_array_make(&chosen);
    radar->names = fr_uint32_array_make(&chosen);
    radar->points = fr__touch_point_array_make(&chosen);
    radar->hits = fr__hit_array_make(&chosen);
    radar->columns = fr__columns_make(&chosen);
    radar->batch = fr__radar_query_array_make(&chosen);
    radar->batch_facets = fr__facet_array_make(&chosen);
    radar->batch_drawings = fr__range_drawing_array_make(&chosen);
    radar->batch_masks = fr__waiting_mask_array_make(&chosen);
    radar->mask_facets = fr__facet_array_make(&chosen);
    radar->mask_drawings = fr__mask_drawing_array_make(&chosen);
    radar->search = fr__search_make(&chosen);
    radar->step = fr__step_memory_make(&chosen);
    for (int i = 0; i < FR__MASKS; i++) {
        radar->masks[i].planes = fr_double_array_make(&chosen);
    }
    *out = radar;
    return FR_OK;
}

void fr_radar_destroy(fr_radar *radar) {
    if (radar == NULL) { return; }
    fr__facet_array_destroy(&radar->mover.facets);
    fr__facet_array_destroy(&radar->others);
    fr__placed_vertex_array_destroy(&radar->vertices);
    fr_double_array_destroy(&radar->numbers);
    fr_uint32_array_destroy(&radar->names);
    fr__touch_point_array_destroy(&radar->points);
    fr__hit_array_destroy(&radar->hits);
    fr__columns_free(&radar->columns);
    fr__radar_query_array_destroy(&radar->batch);
    fr__facet_array_destroy(&radar->batch_facets);
    fr__range_drawing_array_destroy(&radar->batch_drawings);
    fr__waiting_mask_array_destroy(&radar->batch_masks);
    fr__facet_array_destroy(&radar->mask_facets);
    fr__mask_drawing_array_destroy(&radar->mask_drawings);
    fr__search_free(&radar->search);
    fr__step_memory_free(&radar->step);
    for (int i = 0; i < FR__MASKS; i++) {
        fr_double_array_destroy(&radar->masks[i].planes);
    }
    fr_allocator allocator = radar->allocator;
    fr_deallocate(&allocator, radar, 1, sizeof *radar);
}

// ---------------------------------------------------------------------------------------------------------------
// Masks

// A key for a mover of one part that keeps its shape; mesh NULL for others.
static fr__mask_key key_of(const fr_radar *radar, const fr_radar_input *input, const fr__object *object) {
    fr__mask_key key;
    memset(&key, 0, sizeof key);
    if (object->view.part_count != 1 || object->vertices != NULL) { return key; }
    key.mesh = object->parts[0].mesh;
    key.part = object->parts[0].pose;
    key.scale = object->view.pose.scale;
    key.resolution = input->resolution;
    key.layers = input->is_as_printed ? 1 : input->layers;
    key.by_backend = fr__radar_is_drawn_by_backend(radar, input);
    key.from_mask = !input->is_volume_from_mask ? 0 : input->look == FR_RADAR_CENTRE ? 1 : 2;
    // Columns are of the faces as they are: what is declared round is so for lines only.
    key.round = input->is_round && input->look == FR_RADAR_CENTRE;
    if (!key.round) {
        fr_mat3 to_body = fr_quat_to_mat3(fr_quat_conjugate(object->view.pose.rotation));
        fr_vec3 v;
        key.travel = fr_mat3_apply(to_body, fr_vec3_unit(input->travel, input->travel));
        fr__square_to(key.travel, &key.roll, &v);
    }
    return key;
}

static bool are_same(const fr_vec3 a, const fr_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// The same direction but for the rounding of a turn there and back.
static bool are_alike(fr_vec3 a, fr_vec3 b) { return fr_vec3_largest(fr_vec3_sub(a, b)) <= 1e-14; }

static bool is_key(const fr__mask_key *a, const fr__mask_key *b) {
    const fr_quat *p = &a->part.rotation, *q = &b->part.rotation;
    return a->mesh == b->mesh && a->scale == b->scale && a->resolution == b->resolution && a->layers == b->layers &&
           a->round == b->round && a->from_mask == b->from_mask && a->by_backend == b->by_backend &&
           are_alike(a->travel, b->travel) && are_alike(a->roll, b->roll) &&
           are_same(a->part.position, b->part.position) && a->part.scale == b->part.scale && p->w == q->w &&
           p->x == q->x && p->y == q->y && p->z == q->z;
}

// The mask with this key; where there is none, the one that was not used for longest, with `found` false. A mover that
// has no key takes the place of one that had none either: its mask cannot be used again.
static fr__mask *find_mask(fr_radar *radar, const fr__mask_key *key, bool *found) {
    fr__mask *oldest = &radar->masks[0];
    *found = false;
    for (int i = 0; i < FR__MASKS; i++) {
        fr__mask *m = &radar->masks[i];
        if (key->mesh != NULL && is_key(&m->key, key)) {
            *found = true;
            return m;
        }
        if (key->mesh == NULL && m->key.mesh == NULL && m->used > 0) { return m; }
        if (m->used < oldest->used) { oldest = m; }
    }
    return oldest;
}

static size_t plane_size(const fr__raster *raster) { return (size_t)raster->stride * raster->height; }

static void aim_planes(const fr__mask *m, fr__raster *raster) {
    double *plane = m->planes.data;
    size_t size = plane_size(raster);
    for (uint32_t i = 0; i < raster->layers; i++, plane += size) {
        raster->exits[i] = plane;
    }
    for (uint32_t i = 0; i < raster->layers && m->is_closed; i++, plane += size) {
        raster->entries[i] = plane;
    }
    raster->is_overflown = m->is_overflown;
}

static fr_status draw_mask(fr_radar *radar, const fr_radar_input *input, const fr__view *view, fr__mask *m,
                           fr__raster *raster, fr_error *error) {
    const fr__mover *mover = &radar->mover;
    size_t count = plane_size(raster) * raster->layers * (mover->is_closed ? 2 : 1);
    double *planes = fr_double_array_reset(&m->planes, count);
    if (planes == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mask"); }
    for (size_t i = 0; i < count; i++) {
        planes[i] = -INFINITY;
    }
    m->name = fr__backend_name();
    m->is_closed = mover->is_closed;
    m->is_overflown = false;
    aim_planes(m, raster);
    if (fr__radar_is_drawn_by_backend(radar, input)) { return fr__backend_mask(radar, view, m, raster, error); }
    const fr__facet *facets = mover->facets.data;
    fr__raster_kernel()->draw_layers(raster, raster->exits, facets, mover->ahead);
    if (mover->is_closed) {
        fr__raster_kernel()->draw_layers(raster, raster->entries, facets + mover->ahead,
                                         mover->facets.count - mover->ahead);
    }
    m->is_overflown = raster->is_overflown;
    return FR_OK;
}

// The frame of a mover whose mask is kept: that mask's image, aimed along this travel.
static void use_view(const fr__view *kept, fr__view *view) {
    view->left = kept->left;
    view->bottom = kept->bottom;
    view->pixel = kept->pixel;
    view->width = kept->width;
    view->height = kept->height;
    view->z_min = kept->z_min;
    view->z_max = kept->z_max;
    view->size = kept->size;
}

static void shape_raster(const fr_radar_input *input, const fr__view *view, fr__raster *raster) {
    *raster = (fr__raster){.width = view->width,
                           .height = view->height,
                           .stride = (view->width + 3u) & ~3u,
                           .layers = input->is_as_printed ? 1 : input->layers,
                           .as_printed = input->is_as_printed,
                           .slack = 1e-9 * (view->size + view->travel)};
}

fr_status fr__radar_look_at_mover(fr_radar *radar, const fr_radar_input *input, fr__view *view, fr__raster *raster,
                                  const fr__mask **mask, fr_radar_stats *stats, fr_error *error) {
    const fr__object *object = fr__space_find(input->space, input->mover);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the mover is not in the space"); }
    fr__mask_key key = key_of(radar, input, object);
    bool is_kept;
    fr__mask *m = find_mask(radar, &key, &is_kept);
    m->used = ++radar->queries;
    *mask = m;
    if (is_kept) {
        fr__view_aim(input, view);
        use_view(&m->view, view);
        shape_raster(input, view, raster);
        aim_planes(m, raster);
        return FR_OK;
    }
    m->key.mesh = NULL;
    fr_status status = fr__view_mover(input, false, view, &radar->mover, error);
    if (status != FR_OK) { return status; }
    if (input->is_volume_from_mask) {
        status = fr__volume_from_mask(radar, input, object, view);
        if (status != FR_OK) { return fr_error_set(error, status, "no memory for a mask"); }
    }
    shape_raster(input, view, raster);
    status = draw_mask(radar, input, view, m, raster, error);
    if (status != FR_OK) { return status; }
    m->key = key;
    m->view = *view;
    stats->is_mask_drawn = true;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

fr_status fr__radar_check(const fr_radar_input *input, fr_error *error) {
    if (input->resolution < 1 || input->resolution > FR_RADAR_MAX_RESOLUTION) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the resolution is %u, not 1 to %d", input->resolution,
                            FR_RADAR_MAX_RESOLUTION);
    }
    if (input->layers < 1 || input->layers > FR_RADAR_MAX_LAYERS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there are %u layers, not 1 to %d", input->layers,
                            FR_RADAR_MAX_LAYERS);
    }
    if ((unsigned)input->look > FR_RADAR_EXACT || !(input->tolerance >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "no such look, or a tolerance below 0");
    }
    fr_status status = input->image != NULL ? fr__image_check(input->image, input->image_jump, error) : FR_OK;
    return status == FR_OK ? fr__space_check_members(input->space, error) : status;
}

fr_status fr__radar_check_travel(const fr_radar_input *input, fr_error *error) {
    if (!fr_vec3_is_finite(input->travel) || !(fr_vec3_length(input->travel) > 0.0) ||
        fr_vec3_largest(input->travel) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the travel has no direction, or is not finite");
    }
    return fr__radar_check(input, error);
}

bool fr__radar_clear(fr_radar *radar, fr__raster *raster) {
    size_t size = (size_t)raster->stride * raster->height;
    double *numbers = fr_double_array_reset(&radar->numbers, 2 * size);
    uint32_t *names = fr_uint32_array_reset(&radar->names, 2 * size);
    if (numbers == NULL || names == NULL) { return false; }
    for (size_t i = 0; i < 2 * size; i++) {
        numbers[i] = INFINITY;
        names[i] = FR_NONE;
    }
    raster->range = numbers;
    raster->free_travel = numbers + size;
    raster->object = names;
    raster->triangle = names + size;
    return true;
}

static fr_status draw_others(fr_radar *radar, const fr_radar_input *input, const fr__view *view, const fr__mask *mask,
                             fr__raster *raster, fr_radar_stats *stats, fr_error *error) {
    if (!fr__radar_clear(radar, raster)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for images"); }
    const fr__gathered gathered = {&radar->others, &radar->vertices, &stats->parts};
    fr_status status = fr__view_others(input, view, &gathered, error);
    if (status != FR_OK) { return status; }
    stats->triangles = radar->others.count;
    stats->cells = (uint64_t)raster->width * raster->height;
    if (fr__radar_is_drawn_by_backend(radar, input)) { return fr__backend_range(radar, view, mask, raster, error); }
    fr__raster_kernel()->draw_range(raster, radar->others.data, radar->others.count);
    return FR_OK;
}

double fr__radar_least(const fr__raster *raster) {
    double least = INFINITY;
    for (uint32_t y = 0; y < raster->height; y++) {
        const double *row = raster->free_travel + (size_t)y * raster->stride;
        for (uint32_t x = 0; x < raster->width; x++) {
            least = row[x] < least ? row[x] : least;
        }
    }
    return least;
}

fr_contact fr__radar_contact(const fr_radar_input *input, const fr__axes *axes, const fr__meeting *m, fr_vec3 point,
                             double time) {
    const fr_space *space = input->space;
    fr_contact c = {
        .time = time, .time_sure = FR_UNKNOWN, .time_end = FR_UNKNOWN, .approach = FR_UNKNOWN, .sense = FR_SENSE_RADAR};
    c.normal = fr_vec3_unit(fr__axes_direction(axes, m->normal), fr_vec3_make(0.0, 0.0, 0.0));
    c.point = point;
    c.feature = m->feature;
    c.a = input->mover;
    c.triangle_a = m->mover != NULL ? m->mover->triangle : FR_NONE;
    c.triangle_b = m->other->triangle;
    if (m->other->object == FR_RADAR_IMAGE) {
        c.part_a = fr_object_part_of_triangle(space, c.a, c.triangle_a);
        c.face_a = fr_object_face(space, c.a, c.triangle_a);
        c.part_b = c.face_b = FR_NONE;
        return c;
    }
    c.b = fr__space_object_id(space, m->other->object);
    if (c.a.index1 > c.b.index1) {
        c.b = c.a;
        c.a = fr__space_object_id(space, m->other->object);
        c.triangle_b = c.triangle_a;
        c.triangle_a = m->other->triangle;
        c.normal = fr_vec3_negate(c.normal);
        if (c.feature == FR_FEATURE_VERTEX_FACE || c.feature == FR_FEATURE_FACE_VERTEX) {
            c.feature = c.feature == FR_FEATURE_VERTEX_FACE ? FR_FEATURE_FACE_VERTEX : FR_FEATURE_VERTEX_FACE;
        }
    }
    c.part_a = fr_object_part_of_triangle(space, c.a, c.triangle_a);
    c.part_b = fr_object_part_of_triangle(space, c.b, c.triangle_b);
    c.face_a = fr_object_face(space, c.a, c.triangle_a);
    c.face_b = fr_object_face(space, c.b, c.triangle_b);
    return c;
}

// Where and how it is met: from the pair that was decided, else from the images, else from the faces of the bound.
static fr_status report_contact(fr_radar *radar, const fr_radar_input *input, const fr__view *view,
                                const fr__raster *raster, double least, const fr__bracket *bracket,
                                fr_radar_output *out) {
    fr__meeting met = bracket->meeting;
    fr__facet seen = {0};
    if (least < INFINITY) {
        fr__touch touch;
        fr_status status = fr__touch_find(view, raster, least, &radar->points, &touch);
        if (status != FR_OK) { return status; }
        out->points = touch.points;
        out->kind = touch.kind;
        if (met.travel == INFINITY) {
            seen.object = raster->object[touch.pixel];
            seen.triangle = raster->triangle[touch.pixel];
            met = (fr__meeting){.other = &seen, .point = fr_vec3_make(touch.x, touch.y, touch.z)};
            met.normal = fr_vec3_negate(touch.normal);
        }
    } else if (met.travel == INFINITY && met.other != NULL) {
        const fr__facet *f = met.other;
        met.point = fr_vec3_make((f->x[0] + f->x[1] + f->x[2]) / 3.0, (f->y[0] + f->y[1] + f->y[2]) / 3.0,
                                 (f->z[0] + f->z[1] + f->z[2]) / 3.0);
    }
    if (met.other == NULL) { return FR_OK; }
    if (out->kind == 0) { out->kind = 1; }
    fr_vec3 point = fr__view_point(view, met.point.x, met.point.y, met.point.z);
    out->contact = fr__radar_contact(input, &view->axes, &met, point, out->distance / view->travel);
    bool is_first = fr_object_id_equal(out->contact.a, input->mover);
    out->contact.approach = fr_vec3_dot(out->contact.normal, input->travel) * (is_first ? 1.0 : -1.0);
    if (fabs(fr_vec3_dot(out->contact.normal, view->axes.d)) < 0.05) { out->flags |= FR_RADAR_GRAZING; }
    return FR_OK;
}

static void report_images(const fr__view *view, const fr__raster *raster, fr_radar_images *images) {
    *images = (fr_radar_images){.width = raster->width,
                                .height = raster->height,
                                .stride = raster->stride,
                                .pixel = view->pixel,
                                .corner = fr__view_point(view, 0.0, 0.0, 0.0),
                                .u = view->axes.u,
                                .v = view->axes.v,
                                .d = view->axes.d,
                                .front = raster->exits[0],
                                .range = raster->range,
                                .free_travel = raster->free_travel,
                                .object = raster->object,
                                .triangle = raster->triangle};
}

// The pixels where others are seen.
static fr__column column_of_others(const fr__view *view, const fr__facet_array *others) {
    double width = (double)view->width, height = (double)view->height;
    fr__column all = {.x0 = width, .y0 = height};
    const fr__facet *facets = others->data;
    for (size_t i = 0; i < others->count; i++) {
        for (int k = 0; k < 3; k++) {
            all.x0 = fr__lesser(all.x0, floor(facets[i].x[k]));
            all.y0 = fr__lesser(all.y0, floor(facets[i].y[k]));
            all.x1 = fr__greater(all.x1, ceil(facets[i].x[k]));
            all.y1 = fr__greater(all.y1, ceil(facets[i].y[k]));
        }
    }
    all.x0 = fr__greater(fr__lesser(all.x0, width - 1.0), 0.0);
    all.y0 = fr__greater(fr__lesser(all.y0, height - 1.0), 0.0);
    all.x1 = fr__lesser(fr__greater(all.x1, all.x0 + 1.0), width);
    all.y1 = fr__lesser(fr__greater(all.y1, all.y0 + 1.0), height);
    return all;
}

static uint32_t flags_of(const fr__raster *raster, const fr__bracket *bracket) {
    return (raster->is_behind ? FR_RADAR_AMBIGUOUS : 0u) | (raster->is_overflown ? FR_RADAR_LAYER_OVERFLOW : 0u) |
           (raster->is_inside ? FR_RADAR_START_OVERLAP : 0u) | (bracket->is_wide ? FR_RADAR_WIDE : 0u);
}

fr_status fr_radar_move(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error) {
    FR_ASSERT(radar != NULL);
    memset(output, 0, sizeof *output);
    if (input->cookie != FR__RADAR_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_input"); }
    FR_ASSERT(input->space != NULL);
    fr_status status = fr__radar_check_travel(input, error);
    if (status != FR_OK) { return status; }
    fr__view view;
    fr__raster raster;
    const fr__mask *mask;
    status = fr__radar_look_at_mover(radar, input, &view, &raster, &mask, &output->stats, error);
    if (status == FR_OK) { status = draw_others(radar, input, &view, mask, &raster, &output->stats, error); }
    if (status != FR_OK) { return status; }

    double least = fr__radar_least(&raster);
    fr__bracket bracket = {.low = 0.0, .high = least, .meeting = {.travel = INFINITY}};
    bool has_columns = input->look != FR_RADAR_CENTRE && radar->others.count > 0;
    if (has_columns && !output->stats.is_mask_drawn) {
        status = fr__view_mover(input, true, &view, &radar->mover, error);
        if (status != FR_OK) { return status; }
    }
    if (input->look != FR_RADAR_CENTRE) { bracket.low = least; }
    if (has_columns) {
        fr__column root = column_of_others(&view, &radar->others);
        status = fr__columns_search(&radar->columns, input, &fr__straight_travel, &view, &radar->mover, &radar->others,
                                    &root, least, &bracket);
        if (status != FR_OK) { return fr_error_set(error, status, "no memory for columns"); }
        output->stats.cells += bracket.cells;
        output->stats.pairs = bracket.pairs;
    }
    double found = input->look == FR_RADAR_CENTRE ? bracket.high : bracket.low;
    output->low = bracket.low;
    output->high = bracket.high;
    output->is_hit = found < view.travel;
    output->distance = output->is_hit ? found : view.travel;
    output->flags = flags_of(&raster, &bracket);
    report_images(&view, &raster, &output->images);
    if (output->is_hit) { status = report_contact(radar, input, &view, &raster, least, &bracket, output); }
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "%s", fr_status_text(status));
}
