// Two that move in one step: a look along the travel of one relative to the other.
#include "radar/radar.h"

#include "space/filter.h"
#include "space/part.h"

#include <math.h>
#include <string.h>

typedef struct ball_meeting {
    fr_radar *radar;
    const fr_radar_input *input;
    fr_radar_output *out;
    fr_vec3 velocity; // whose turn it is
    bool is_full;     // no memory
    bool is_bent;     // another turns or deforms
} ball_meeting;

static fr_vec3 travel_of(const fr_space *space, fr_object_id id) {
    const fr_object_view *view = fr_object_get(space, id);
    return view->is_moving ? view->motion.travel : fr_vec3_make(0.0, 0.0, 0.0);
}

static bool are_equal(fr_vec3 a, fr_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool is_wanted(const ball_meeting *m, fr_object_id id) {
    return fr__query_accepts_object(m->input->space, &m->input->filter, id);
}

// Lists the velocities of all objects that may be met; accepts none.
static bool note_velocity(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    ball_meeting *m = context;
    if (!is_wanted(m, a)) { return false; }
    const fr_object_view *view = fr_object_get(space, a);
    fr_vec3 travel = travel_of(space, a);
    m->is_bent =
        m->is_bent || (view->is_moving && (fr_vec3_largest(view->motion.turn) > 0.0 || view->next_vertices != NULL));
    fr__vec3_array *list = &m->radar->step.velocities;
    const fr_vec3 *known = list->data;
    for (size_t i = list->count; i-- > 0;) {
        if (are_equal(known[i], travel)) { return false; }
    }
    fr_vec3 *fresh = fr__vec3_array_push(list, 1);
    m->is_full = m->is_full || fresh == NULL;
    if (fresh != NULL) { *fresh = travel; }
    return false;
}

static bool has_velocity(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    const ball_meeting *m = context;
    return are_equal(travel_of(space, a), m->velocity) && is_wanted(m, a);
}

static bool is_never(fr__facet *facet, const void *context) {
    (void)facet;
    (void)context;
    return false;
}

// The velocities of those whose boxes over the step touch what the mover's box sweeps.
static fr_status list_velocities(ball_meeting *m, fr_error *error) {
    const fr__object *mover = fr__space_find(m->input->space, m->input->mover);
    if (mover == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the mover is not in the space"); }
    fr_bounds start = fr_bounds_empty();
    for (uint32_t i = 0; i < mover->view.part_count; i++) {
        fr_bounds part = fr__part_changed_bounds(m->input->space, mover, &mover->parts[i]);
        start = fr_bounds_union(&start, &part);
    }
    fr_bounds swept = fr_bounds_with_point(&start, fr_vec3_add(start.min, m->input->travel));
    swept = fr_bounds_with_point(&swept, fr_vec3_add(start.max, m->input->travel));
    double largest = fr__greater(fr_vec3_largest(swept.min), fr_vec3_largest(swept.max));
    swept = fr_bounds_grow(&swept, 0x1p-40 * largest);
    fr_radar_input all = *m->input;
    all.filter.accept = note_velocity;
    all.filter.context = m;
    // A range image stands still.
    all.image = NULL;
    fr_vec3 *still = fr__vec3_array_reset(&m->radar->step.velocities, m->input->image != NULL ? 1 : 0);
    if (m->input->image != NULL && still == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for velocities");
    }
    if (m->input->image != NULL) { *still = fr_vec3_make(0.0, 0.0, 0.0); }
    const fr__axes axes = {.u = {1.0, 0.0, 0.0}, .v = {0.0, 1.0, 0.0}, .d = {0.0, 0.0, 1.0}};
    uint32_t parts;
    const fr__gather_input wanted = {.input = &all, .axes = &axes, .bounds = swept, .place = is_never};
    const fr__gathered gathered = {&m->radar->others, &m->radar->vertices, &parts};
    fr_status status = fr__gather_others(&wanted, &gathered, error);
    if (status == FR_OK && m->is_full) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for velocities"); }
    return status;
}

// A look along the relative travel, in fractions of the step; `out` is left alone where the two go alike.
static fr_status look(ball_meeting *m, fr_vec3 velocity, fr_radar_output *out, bool *is_seen, fr_error *error) {
    fr_radar_input query = *m->input;
    query.travel = fr_vec3_sub(m->input->travel, velocity);
    *is_seen = fr_vec3_length(query.travel) > 0.0;
    if (!*is_seen) { return FR_OK; }
    m->velocity = velocity;
    if (fr_vec3_largest(velocity) > 0.0) { query.image = NULL; }
    query.filter.accept = has_velocity;
    query.filter.context = m;
    fr_status status = fr_radar_move(m->radar, &query, out, error);
    if (status != FR_OK) { return status; }
    double length = fr_vec3_length(query.travel);
    out->distance = out->is_hit ? out->distance / length : 1.0;
    out->low /= length;
    out->high /= length;
    if (out->is_hit) { out->contact.point = fr_vec3_add_scaled(out->contact.point, out->distance, velocity); }
    return FR_OK;
}

static void add_work(fr_radar_stats *sum, const fr_radar_stats *work) {
    sum->parts += work->parts;
    sum->triangles += work->triangles;
    sum->cells += work->cells;
    sum->pairs += work->pairs;
    sum->is_mask_drawn = sum->is_mask_drawn || work->is_mask_drawn;
}

// Looks at each velocity in turn, keeps the earliest, and looks there once more where another came after it: the
// images are those of the last look.
static fr_status look_at_all(ball_meeting *m, fr_error *error) {
    size_t count = m->radar->step.velocities.count, best = count, last = count;
    fr_radar_output *out = m->out;
    fr_radar_stats work = {0};
    double low = INFINITY, high = INFINITY;
    uint32_t flags = m->is_bent ? FR_RADAR_STRAIGHT : 0u;
    *out = (fr_radar_output){.distance = 1.0, .low = INFINITY, .high = INFINITY};
    for (size_t i = 0; i < count; i++) {
        fr_radar_output one;
        bool is_seen;
        fr_vec3 velocity = m->radar->step.velocities.data[i];
        fr_status status = look(m, velocity, &one, &is_seen, error);
        if (status != FR_OK) { return status; }
        if (!is_seen) { continue; }
        last = i;
        add_work(&work, &one.stats);
        low = fr__lesser(low, one.low);
        high = fr__lesser(high, one.high);
        flags |= one.flags;
        if (best < count && (!one.is_hit || one.distance >= out->distance)) { continue; }
        best = i;
        *out = one;
    }
    if (best != last) {
        bool is_seen;
        fr_status status = look(m, m->radar->step.velocities.data[best], out, &is_seen, error);
        if (status != FR_OK) { return status; }
    }
    out->low = m->input->look == FR_RADAR_CENTRE ? 0.0 : low;
    out->high = high;
    out->flags = flags;
    out->stats = work;
    return FR_OK;
}

fr_status fr_radar_meet(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error) {
    FR_ASSERT(radar != NULL);
    memset(output, 0, sizeof *output);
    if (input->cookie != FR__RADAR_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_input"); }
    FR_ASSERT(input->space != NULL);
    if (!fr_vec3_is_finite(input->travel) || fr_vec3_largest(input->travel) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the travel is not finite");
    }
    fr_status status = fr__radar_check(input, error);
    if (status != FR_OK) { return status; }
    ball_meeting m = {.radar = radar, .input = input, .out = output};
    status = list_velocities(&m, error);
    return status == FR_OK ? look_at_all(&m, error) : status;
}
