// The floor: what stands on it is drawn into worlds of cells (occupancy grids) of room plan, grown by the radius of a
// body, so that a body is a point.
#include "act/floor.h"

#include <math.h>
#include <string.h>

// Cells are so large, metres, or larger where the floor has more than 2^MAX_DEPTH of them in a row.
static const double EDGE = 0.05;
#define MAX_DEPTH 10u

// How near to things a body comes that goes sideways, metres; and how low things are that it steps over.
static const double TIGHT_RADIUS = 0.15, STEP_HEIGHT = 0.12;

// Metres of free floor around all that is on it.
static const double BORDER = 2.0;

#define PERSON_KEY (UINT64_C(1) << 40)

fr_status fr__floor_create(const fr__floor_def *def, fr__floor **out, fr_error *error) {
    *out = NULL;
    fr__floor *f = fr_allocate(&def->allocator, 1, sizeof *f, _Alignof(fr__floor));
    if (f == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a floor"); }
    memset(f, 0, sizeof *f);
    f->def = *def;
    f->needed = fr_bounds_empty();
    f->things = fr__floor_thing_array_make(&f->def.allocator);
    f->stands = fr__floor_stand_array_make(&f->def.allocator);
    f->footprint = fr__floor_mask_make(&f->def.allocator);
    f->grown = fr__floor_mask_make(&f->def.allocator);
    f->boxes = fr__floor_box_array_make(&f->def.allocator);
    const fr_plan_box cell = {{0, 0, 0}, {1, 1, 1}};
    fr_plan_robot_def point = fr_default_plan_robot_def();
    point.shape = (fr_plan_shape){&cell, 1, {0.5, 0.5, 0.5}};
    point.dimension = 2;
    point.alpha_deg = 90.0;
    point.allocator = f->def.allocator;
    fr_status status = fr_plan_robot_create(&point, &f->point, error);
    if (status != FR_OK) {
        fr__floor_destroy(f);
        return status;
    }
    *out = f;
    return FR_OK;
}

static void destroy_layers(fr__floor *f) {
    for (int i = 0; i < FR__FLOOR_LAYERS; i++) {
        fr_plan_world_destroy(f->layers[i]);
        f->layers[i] = NULL;
    }
}

void fr__floor_destroy(fr__floor *f) {
    if (f == NULL) { return; }
    destroy_layers(f);
    fr_plan_robot_destroy(f->point);
    fr__floor_thing_array_destroy(&f->things);
    fr__floor_stand_array_destroy(&f->stands);
    fr__floor_mask_destroy(&f->footprint);
    fr__floor_mask_destroy(&f->grown);
    fr__floor_box_array_destroy(&f->boxes);
    fr_allocator allocator = f->def.allocator;
    fr_deallocate(&allocator, f, 1, sizeof *f);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

static int64_t cell_x(const fr__floor *f, double x) { return (int64_t)floor((x - f->min_x) / f->edge); }
static int64_t cell_z(const fr__floor *f, double z) { return (int64_t)floor((z - f->min_z) / f->edge); }

bool fr__floor_is_free(const fr__floor *f, fr__floor_layer layer, fr_vec3 point) {
    return !fr_plan_world_is_black(f->layers[layer], cell_x(f, point.x), cell_z(f, point.z), 0);
}

// The corners of a triangle that lie between two heights, and where its edges go through them: at most 9.
static uint32_t clip_triangle(const fr_vec3 corners[3], double low, double high, fr_vec3 out[9]) {
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = corners[i], b = corners[(i + 1) % 3];
        if (a.y >= low && a.y <= high) { out[count++] = a; }
        const double levels[2] = {low, high};
        for (int k = 0; k < 2; k++) {
            double from = a.y - levels[k], to = b.y - levels[k];
            if ((from < 0.0) == (to < 0.0) || from == to) { continue; }
            double t = from / (from - to);
            out[count++] = fr_vec3_add_scaled(a, t, fr_vec3_sub(b, a));
        }
    }
    return count;
}

// A part of the cells: columns x .. x + width - 1 and rows z .. z + height - 1.
typedef struct cell_rect {
    int64_t x, z, width, height;
} cell_rect;

// Marks what points that are in one plane cover, as far as it lies in the rectangle. Points come from a triangle: the
// line through each two of them is inside.
static void mark_points(const fr__floor *f, const fr_vec3 *points, uint32_t count, cell_rect rect, uint8_t *mask) {
    double min_z = HUGE_VAL, max_z = -HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        min_z = fmin(min_z, points[i].z);
        max_z = fmax(max_z, points[i].z);
    }
    int64_t first = cell_z(f, min_z) - rect.z, last = cell_z(f, max_z) - rect.z;
    first = first < 0 ? 0 : first;
    last = last >= rect.height ? rect.height - 1 : last;
    for (int64_t row = first; row <= last; row++) {
        double low = f->min_z + (double)(rect.z + row) * f->edge, high = low + f->edge;
        double min_x = HUGE_VAL, max_x = -HUGE_VAL;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = i; k < count; k++) {
                fr_vec3 a = points[i], b = points[k];
                if (fmax(a.z, b.z) < low || fmin(a.z, b.z) > high) { continue; }
                double slope = a.z != b.z ? (b.x - a.x) / (b.z - a.z) : 0.0;
                double begin = a.z < low ? a.x + (low - a.z) * slope : a.z > high ? a.x + (high - a.z) * slope : a.x;
                double end = b.z < low ? a.x + (low - a.z) * slope : b.z > high ? a.x + (high - a.z) * slope : b.x;
                min_x = fmin(min_x, fmin(begin, end));
                max_x = fmax(max_x, fmax(begin, end));
            }
        }
        if (!(min_x <= max_x)) { continue; }
        int64_t from = cell_x(f, min_x) - rect.x, to = cell_x(f, max_x) - rect.x;
        from = from < 0 ? 0 : from;
        to = to >= rect.width ? rect.width - 1 : to;
        if (from <= to) { memset(mask + row * rect.width + from, 1, (size_t)(to - from + 1)); }
    }
}

// The cells of an object between the heights that a body has; false where it has none there.
static fr_status draw_footprint(fr__floor *f, const fr_space *space, fr_object_id object, cell_rect *rect,
                                fr_error *error) {
    double low = f->def.ground + STEP_HEIGHT, high = f->def.ground + f->def.height;
    fr_bounds bounds;
    *rect = (cell_rect){0, 0, 0, 0};
    if (fr_object_bounds(space, object, &bounds, NULL) != FR_OK || fr_bounds_is_empty(&bounds)) { return FR_OK; }
    if (bounds.max.y < low || bounds.min.y > high) { return FR_OK; }
    int64_t x = cell_x(f, bounds.min.x), z = cell_z(f, bounds.min.z);
    int64_t end_x = cell_x(f, bounds.max.x), end_z = cell_z(f, bounds.max.z);
    x = x < 0 ? 0 : x;
    z = z < 0 ? 0 : z;
    end_x = end_x >= f->size ? f->size - 1 : end_x;
    end_z = end_z >= f->size ? f->size - 1 : end_z;
    if (x > end_x || z > end_z) { return FR_OK; }
    *rect = (cell_rect){x, z, end_x - x + 1, end_z - z + 1};
    f->footprint.count = 0;
    size_t cells = (size_t)(rect->width * rect->height);
    uint8_t *mask = fr__floor_mask_push(&f->footprint, cells);
    if (mask == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a floor"); }
    memset(mask, 0, cells);
    uint32_t count = fr_object_get(space, object)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 corners[3], points[9];
        if (fr_object_corners(space, object, i, corners, NULL) != FR_OK) { continue; }
        uint32_t point_count = clip_triangle(corners, low, high, points);
        if (point_count > 0) { mark_points(f, points, point_count, *rect, mask); }
    }
    return FR_OK;
}

// Every run of a row is grown by half a chord of the disc in each row that the disc reaches.
static void grow_row(const uint8_t *row, int64_t width, int64_t half, uint8_t *out) {
    for (int64_t i = 0; i < width; i++) {
        if (row[i] == 0) { continue; }
        int64_t end = i;
        while (end + 1 < width && row[end + 1] != 0) {
            end++;
        }
        memset(out + i, 1, (size_t)(end - i + 1 + 2 * half)); // `out` begins `half` columns before `row`
        i = end;
    }
}

// The boxes of a footprint that is grown by a radius.
static fr_status grow_footprint(fr__floor *f, cell_rect rect, double radius, fr_error *error) {
    const fr_status status = FR_ERROR_MEMORY;
    int64_t reach = (int64_t)floor(radius / f->edge), width = rect.width + 2 * reach, height = rect.height + 2 * reach;
    f->grown.count = f->boxes.count = 0;
    uint8_t *mask = fr__floor_mask_push(&f->grown, (size_t)(width * height));
    if (mask == NULL) { return fr_error_set(error, status, "no memory for a floor"); }
    memset(mask, 0, (size_t)(width * height));
    for (int64_t z = 0; z < rect.height; z++) {
        for (int64_t dz = -reach; dz <= reach; dz++) {
            double chord = radius / f->edge * (radius / f->edge) - (double)(dz * dz);
            int64_t half = (int64_t)floor(sqrt(fmax(chord, 0.0)));
            grow_row(f->footprint.data + z * rect.width, rect.width, half,
                     mask + (z + dz + reach) * width + reach - half);
        }
    }
    for (int64_t z = 0; z < height; z++) {
        for (int64_t x = 0; x < width; x++) {
            if (mask[z * width + x] == 0) { continue; }
            int64_t end = x;
            while (end < width && mask[z * width + end] != 0) {
                end++;
            }
            fr_plan_box *box = fr__floor_box_array_push(&f->boxes, 1);
            if (box == NULL) { return fr_error_set(error, status, "no memory for a floor"); }
            int32_t left = (int32_t)(rect.x - reach), top = (int32_t)(rect.z - reach + z);
            *box = (fr_plan_box){{left + (int32_t)x, top, 0}, {left + (int32_t)end, top + 1, 1}};
            x = end;
        }
    }
    return FR_OK;
}

static fr_status set_boxes(fr__floor *f, fr__floor_layer layer, uint64_t key, fr_error *error) {
    const fr_plan_place here = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const fr_plan_shape shape = {f->boxes.data, (uint32_t)f->boxes.count, {0.0, 0.0, 0.0}};
    if (f->boxes.count > 0) { return fr_plan_world_set(f->layers[layer], key, &shape, &here, error); }
    (void)fr_plan_world_remove(f->layers[layer], key, NULL);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Things

static fr_status draw_thing(fr__floor *f, const fr_space *space, fr_object_id object, bool *has_cells,
                            fr_error *error) {
    cell_rect rect;
    f->boxes.count = 0;
    fr_status status = draw_footprint(f, space, object, &rect, error);
    *has_cells = rect.width > 0;
    if (status == FR_OK && rect.width > 0) { status = grow_footprint(f, rect, f->def.radius, error); }
    if (status == FR_OK) { status = set_boxes(f, FR__FLOOR_ROOMY, object.index1, error); }
    if (status == FR_OK && rect.width > 0) { status = grow_footprint(f, rect, TIGHT_RADIUS, error); }
    if (status == FR_OK) { status = set_boxes(f, FR__FLOOR_TIGHT, object.index1, error); }
    return status == FR_OK ? set_boxes(f, FR__FLOOR_BARE, object.index1, error) : status;
}

static void erase_thing(fr__floor *f, uint32_t index1) {
    for (int i = 0; i < FR__FLOOR_LAYERS; i++) {
        (void)fr_plan_world_remove(f->layers[i], index1, NULL);
    }
}

static bool is_thing(const fr_object_view *view) {
    return view != NULL && (view->flags & (FR_OBJECT_GHOST | FR_OBJECT_SENSOR | FR_OBJECT_PROXY)) == 0;
}

static bool has_moved(const fr__floor_thing *thing, fr_object_id object, const fr_pose *pose, bool is_skipped) {
    return !thing->is_drawn || !fr_object_id_equal(thing->object, object) || thing->is_skipped != is_skipped ||
           memcmp(&thing->pose, pose, sizeof *pose) != 0;
}

static fr_status refresh_thing(fr__floor *f, const fr_space *space, uint32_t place, fr__floor_skip_fn *skip,
                               void *context, fr_error *error) {
    fr_object_id object = fr_space_object_at(space, place);
    const fr_object_view *view = object.index1 != 0 ? fr_object_get(space, object) : NULL;
    fr__floor_thing *thing = &f->things.data[place];
    if (!is_thing(view)) {
        if (thing->is_drawn) { erase_thing(f, thing->object.index1); }
        thing->is_drawn = false;
        return FR_OK;
    }
    bool is_skipped = skip != NULL && skip(object, context);
    if (!has_moved(thing, object, &view->pose, is_skipped)) { return FR_OK; }
    bool has_cells = false;
    thing->is_drawn = false;
    fr_status status = FR_OK;
    if (is_skipped) {
        erase_thing(f, object.index1);
    } else {
        status = draw_thing(f, space, object, &has_cells, error);
    }
    if (status == FR_OK) { *thing = (fr__floor_thing){object, view->pose, true, has_cells, is_skipped}; }
    return status;
}

// What the cells must cover: points that were named, and things as high as a body.
static void need_things(fr__floor *f, const fr_space *space) {
    double low = f->def.ground + STEP_HEIGHT, high = f->def.ground + f->def.height;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        const fr_object_view *view = object.index1 != 0 ? fr_object_get(space, object) : NULL;
        fr_bounds bounds;
        if (!is_thing(view) || fr_object_bounds(space, object, &bounds, NULL) != FR_OK) { continue; }
        if (fr_bounds_is_empty(&bounds) || bounds.max.y < low || bounds.min.y > high) { continue; }
        f->needed = fr_bounds_union(&f->needed, &bounds);
    }
}

void fr__floor_include(fr__floor *f, fr_vec3 point) { f->needed = fr_bounds_with_point(&f->needed, point); }

bool fr__floor_covers(const fr__floor *f) {
    double side = (double)f->size * f->edge;
    return f->layers[0] != NULL && f->needed.min.x >= f->min_x && f->needed.min.z >= f->min_z &&
           f->needed.max.x < f->min_x + side && f->needed.max.z < f->min_z + side;
}

// Empty layers that cover what is needed; all is drawn again.
static fr_status make_layers(fr__floor *f, fr_error *error) {
    destroy_layers(f);
    fr_vec3 extent = fr_vec3_sub(f->needed.max, f->needed.min);
    double side = fmax(extent.x, extent.z) + 2.0 * BORDER;
    uint32_t depth = 1;
    while (depth < MAX_DEPTH && EDGE * (double)(1u << depth) < side) {
        depth++;
    }
    f->size = (int64_t)1 << depth;
    f->edge = fmax(EDGE, side / (double)f->size);
    f->min_x = 0.5 * (f->needed.min.x + f->needed.max.x) - 0.5 * (double)f->size * f->edge;
    f->min_z = 0.5 * (f->needed.min.z + f->needed.max.z) - 0.5 * (double)f->size * f->edge;
    for (size_t i = 0; i < f->things.count; i++) {
        f->things.data[i].is_drawn = false;
    }
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = 2;
    def.depth = depth;
    def.allocator = f->def.allocator;
    fr_status status = FR_OK;
    for (int i = 0; i < FR__FLOOR_LAYERS && status == FR_OK; i++) {
        status = fr_plan_world_create(&def, &f->layers[i], error);
    }
    for (uint32_t i = 0; i < f->stands.count && status == FR_OK; i++) {
        if (f->stands.data[i].is_there) { status = fr__floor_put_person(f, i, f->stands.data[i].place, error); }
    }
    if (status != FR_OK) { destroy_layers(f); }
    return status;
}

fr_status fr__floor_refresh(fr__floor *f, const fr_space *space, fr__floor_skip_fn *skip, void *context,
                            fr_error *error) {
    uint32_t places = fr_space_object_places(space);
    size_t known = f->things.count;
    if (places > known) {
        fr__floor_thing *more = fr__floor_thing_array_push(&f->things, places - known);
        if (more == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a floor"); }
        memset(more, 0, (places - known) * sizeof *more);
    }
    fr_status status = FR_OK;
    if (!fr__floor_covers(f)) {
        need_things(f, space);
        status = make_layers(f, error);
    }
    uint64_t before = status == FR_OK ? fr_plan_world_version(f->layers[FR__FLOOR_BARE]) : 0;
    for (uint32_t i = 0; i < places && status == FR_OK; i++) {
        status = refresh_thing(f, space, i, skip, context, error);
    }
    if (status == FR_OK) { f->version += fr_plan_world_version(f->layers[FR__FLOOR_BARE]) != before; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// People

// The cells whose middles are in a disc about a place.
static fr_status draw_disc(fr__floor *f, fr_vec3 place, double radius, fr_error *error) {
    double x = (place.x - f->min_x) / f->edge - 0.5, z = (place.z - f->min_z) / f->edge - 0.5, reach = radius / f->edge;
    f->boxes.count = 0;
    for (int32_t row = (int32_t)ceil(z - reach); (double)row <= z + reach; row++) {
        double half = sqrt(fmax(reach * reach - ((double)row - z) * ((double)row - z), 0.0));
        int32_t first = (int32_t)ceil(x - half), last = (int32_t)floor(x + half);
        fr_plan_box *box = first <= last ? fr__floor_box_array_push(&f->boxes, 1) : NULL;
        if (first > last) { continue; }
        if (box == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a floor"); }
        *box = (fr_plan_box){{first, row, 0}, {last + 1, row + 1, 1}};
    }
    return FR_OK;
}

fr_status fr__floor_put_person(fr__floor *f, uint32_t person, fr_vec3 place, fr_error *error) {
    if (person >= f->stands.count) {
        size_t more = person + 1 - f->stands.count;
        fr__floor_stand *stands = fr__floor_stand_array_push(&f->stands, more);
        if (stands == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a floor"); }
        memset(stands, 0, more * sizeof *stands);
    }
    f->stands.data[person] = (fr__floor_stand){place, true};
    fr__floor_include(f, place);
    if (!fr__floor_covers(f)) { return FR_OK; }
    fr_status status = draw_disc(f, place, f->def.clearance, error);
    if (status == FR_OK) { status = set_boxes(f, FR__FLOOR_ROOMY, PERSON_KEY + person, error); }
    return status == FR_OK ? set_boxes(f, FR__FLOOR_TIGHT, PERSON_KEY + person, error) : status;
}

void fr__floor_take_person(fr__floor *f, uint32_t person) {
    if (person >= f->stands.count || !f->stands.data[person].is_there) { return; }
    f->stands.data[person].is_there = false;
    if (f->layers[0] == NULL) { return; }
    (void)fr_plan_world_remove(f->layers[FR__FLOOR_ROOMY], PERSON_KEY + person, NULL);
    (void)fr_plan_world_remove(f->layers[FR__FLOOR_TIGHT], PERSON_KEY + person, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// One thing

bool fr__floor_has(const fr__floor *f, fr_object_id object) {
    if (object.index1 == 0 || object.index1 > f->things.count) { return false; }
    const fr__floor_thing *thing = &f->things.data[object.index1 - 1];
    return thing->is_drawn && thing->has_cells && fr_object_id_equal(thing->object, object);
}

fr_status fr__floor_find_without(fr__floor *f, const fr_space *space, fr_object_id thing, fr_vec3 start, fr_vec3 goal,
                                 bool *is_found, fr_error *error) {
    *is_found = false;
    if (!fr__floor_has(f, thing)) { return FR_OK; }
    fr__floor_path path;
    (void)fr_plan_world_remove(f->layers[FR__FLOOR_BARE], thing.index1, NULL);
    fr_status status = fr__floor_find(f, FR__FLOOR_BARE, start, goal, &path, error);
    *is_found = status == FR_OK && path.is_found;
    fr__floor_thing *entry = &f->things.data[thing.index1 - 1];
    fr_status drawn = draw_thing(f, space, thing, &entry->has_cells, error);
    entry->is_drawn = drawn == FR_OK;
    return status == FR_OK ? drawn : status;
}
