// Motion that travels and turns in one step.
//
// In a short part of the step one of the two motions is small. The mover stands still in that one, at the middle of the
// part, and follows the other as in fr_radar_move or fr_radar_turn; it is then nowhere farther than e from where it
// truly is: half the travel of the part, or half its angle times the mover's greatest distance from the axis. Faces are
// grown by e between the two bodies, so that the lower bound of the look is one of the true motion, at the same
// fraction of the part. A part that is not free is cut at that bound, which is proven, and made shorter, until e is
// within the tolerance.
#include "radar/radar.h"
#include "radar/turning.h"

#include "space/space.h"

#include <math.h>
#include <string.h>

// More looks than these are not taken: the result is then that the step is free so far.
#define MOST_LOOKS 20000

// What a travel is, in the frame whose d is the axis and whose origin is the pivot.
typedef struct journey {
    fr_radar *radar;
    const fr_radar_input *input;
    fr_radar_output *out;
    fr__axes axes;
    fr_vec3 travel; // along the axes
    double angle;
    double reach; // greatest distance of the mover from the axis
    double tolerance;
    fr_motion motion;  // of the mover, in the world
    double begin, end; // the part of the step that is looked at
    uint64_t decided;  // pairs
    bool is_full;      // no memory
} journey;

fr__step_memory fr__step_memory_make(const fr_allocator *allocator) {
    return (fr__step_memory){.velocities = fr__vec3_array_make(allocator),
                             .mover = fr__facet_array_make(allocator),
                             .others = fr__facet_array_make(allocator),
                             .sources = fr_uint32_array_make(allocator),
                             .times = fr__pairs_make(allocator)};
}

void fr__step_memory_free(fr__step_memory *memory) {
    fr__vec3_array_destroy(&memory->velocities);
    fr__facet_array_destroy(&memory->mover);
    fr__facet_array_destroy(&memory->others);
    fr_uint32_array_destroy(&memory->sources);
    fr__pairs_free(&memory->times);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks of the query

static fr_status check(const fr_radar_input *input, fr_error *error) {
    bool is_travel = fr_vec3_is_finite(input->travel) && fr_vec3_largest(input->travel) <= FR_LENGTH_MAX;
    bool is_turn = input->angle >= 0.0 && isfinite(input->angle);
    bool has_axis = fr_vec3_is_finite(input->axis) && fr_vec3_length(input->axis) > 0.0 &&
                    fr_vec3_largest(input->axis) <= FR_LENGTH_MAX;
    bool has_pivot = fr_vec3_is_finite(input->pivot) && fr_vec3_largest(input->pivot) <= FR_LENGTH_MAX;
    if (!is_travel || !is_turn || !has_pivot || (input->angle > 0.0 && !has_axis)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the travel, the axis or the angle is not finite or below 0");
    }
    if (fr_vec3_length(input->travel) == 0.0 && input->angle == 0.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the travel has no direction and the angle is 0");
    }
    return fr__radar_check(input, error);
}

static bool is_any(fr__facet *facet, const void *context) {
    (void)facet;
    (void)context;
    return true;
}

static fr_motion motion_of(const fr_radar_input *input, fr_vec3 axis) {
    const fr_pose *pose = &fr_object_get(input->space, input->mover)->pose;
    fr_pose inverse = fr_pose_inverse(pose);
    fr_motion motion = fr_motion_still(pose);
    motion.pivot_local = fr_pose_apply(&inverse, input->pivot);
    motion.travel = input->travel;
    motion.turn = fr_vec3_scale(input->angle, axis);
    return motion;
}

// The mover and every object near its travel, in metres along the axes.
static fr_status gather(journey *j, fr_error *error) {
    const fr_radar_input *input = j->input;
    fr__step_memory *memory = &j->radar->step;
    j->axes.origin = input->pivot;
    j->axes.d = fr_vec3_unit(input->angle > 0.0 ? input->axis : input->travel, fr_vec3_make(0.0, 0.0, 1.0));
    fr__square_to(j->axes.d, &j->axes.u, &j->axes.v);
    j->travel = fr_vec3_make(fr_vec3_dot(j->axes.u, input->travel), fr_vec3_dot(j->axes.v, input->travel),
                             fr_vec3_dot(j->axes.d, input->travel));
    bool is_closed;
    fr_status status = fr__gather_mover(input, &j->axes, &memory->mover, &is_closed, error);
    if (status != FR_OK) { return status; }
    j->motion = motion_of(input, j->axes.d);
    fr__reach high = {INFINITY, -INFINITY};
    const fr__facet *facets = memory->mover.data;
    for (size_t i = 0; i < memory->mover.count; i++) {
        for (int k = 0; k < 3; k++) {
            double x = facets[i].x[k], y = facets[i].y[k], z = facets[i].z[k];
            j->reach = fr__greater(j->reach, sqrt(x * x + y * y));
            high = (fr__reach){fr__lesser(high.low, z), fr__greater(high.high, z)};
        }
    }
    double size = fr__greater(2.0 * j->reach, high.high - high.low);
    double pixel = size / (double)input->resolution;
    j->tolerance = input->tolerance > 0.0 ? input->tolerance : 0.5 * pixel;
    double slant = fr__greater(fabs(high.low), fabs(high.high));
    double far = sqrt(j->reach * j->reach + slant * slant);
    fr_bounds bounds = fr_bounds_empty();
    bounds = fr_bounds_with_point(&bounds, input->pivot);
    bounds = fr_bounds_with_point(&bounds, fr_vec3_add(input->pivot, input->travel));
    double largest = fr__greater(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max));
    bounds = fr_bounds_grow(&bounds, 1.000001 * far + 0x1p-40 * largest);
    const fr__gather_input wanted = {.input = input, .axes = &j->axes, .bounds = bounds, .place = is_any};
    const fr__gathered gathered = {&memory->others, &j->radar->vertices, &j->out->stats.parts};
    status = fr__gather_others(&wanted, &gathered, error);
    j->out->stats.triangles = memory->others.count;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// One part of the step

static fr_vec3 corner_of(const fr__facet *f, int k) { return fr_vec3_make(f->x[k], f->y[k], f->z[k]); }

static void set_corner(fr__facet *f, int k, fr_vec3 p) {
    f->x[k] = p.x;
    f->y[k] = p.y;
    f->z[k] = p.z;
}

// The mover turned by an angle, along the axes of a look (in the journey's frame).
static bool place_mover(journey *j, double angle, const fr__axes *look) {
    const fr__facet_array *from = &j->radar->step.mover;
    fr__facet *list = fr__facet_array_reset(&j->radar->mover.facets, from->count);
    if (list == NULL) { return false; }
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    for (size_t i = 0; i < from->count; i++) {
        list[i] = from->data[i];
        for (int k = 0; k < 3; k++) {
            fr_vec3 p = corner_of(&list[i], k);
            p = fr_vec3_make(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y, p.z);
            p = fr_vec3_make(fr_vec3_dot(look->u, p), fr_vec3_dot(look->v, p), fr_vec3_dot(look->d, p));
            set_corner(&list[i], k, p);
        }
    }
    // In a part of a curved path any face may be the one that meets.
    j->radar->mover.ahead = from->count;
    j->radar->mover.is_closed = false;
    return true;
}

// The objects that the view holds, seen from a place on the path.
static bool place_others(journey *j, fr_vec3 from, const fr__axes *look, const fr__view *view, bool is_turn) {
    const fr__facet_array *all = &j->radar->step.others;
    fr__facet_array *kept = &j->radar->others;
    kept->count = j->radar->step.sources.count = 0;
    double margin = 2.0 * view->widen;
    for (size_t i = 0; i < all->count; i++) {
        fr__facet f = all->data[i];
        for (int k = 0; k < 3; k++) {
            fr_vec3 p = fr_vec3_sub(corner_of(&f, k), from);
            set_corner(&f, k, fr_vec3_make(fr_vec3_dot(look->u, p), fr_vec3_dot(look->v, p), fr_vec3_dot(look->d, p)));
        }
        if (!is_turn) { fr__view_to_pixels(view, &f); }
        bool is_held = is_turn ? fr__turn_holds(view, &f, margin) : fr__view_holds(view, &f, margin);
        if (!is_held) { continue; }
        fr__facet *place = fr__facet_array_push(kept, 1);
        uint32_t *source = fr_uint32_array_push(&j->radar->step.sources, 1);
        if (place == NULL || source == NULL) { return false; }
        *place = f;
        *source = (uint32_t)i;
    }
    return true;
}

// The corners of one that is met, in the world.
static void corners_of(const journey *j, const fr__facet *other, fr_vec3 corners[3]) {
    if (other->object != FR_RADAR_IMAGE) {
        fr_object_id id = fr__space_object_id(j->input->space, other->object);
        fr_object_corners(j->input->space, id, other->triangle, corners, NULL);
        return;
    }
    const fr__facet *others = j->radar->others.data;
    uint32_t source = j->radar->step.sources.data[other - others];
    const fr__facet *f = j->radar->step.others.data + source;
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__axes_point(&j->axes, f->x[k], f->y[k], f->z[k]);
    }
}

// When a pair meets in its true motion, from a time on.
static bool meeting_time(const journey *j, const fr__facet *mover, const fr__facet *other, double begin,
                         fr_time_output *out) {
    const fr_space *space = j->input->space;
    fr_triangle_path a = {.motion = &j->motion}, b = {.motion = NULL};
    fr_object_corners(space, j->input->mover, mover->triangle, a.start, NULL);
    corners_of(j, other, b.start);
    memcpy(b.end, b.start, sizeof b.end);
    fr_time_input options = fr_default_time_input();
    options.tolerance = 1e-7 * j->tolerance;
    options.begin = begin;
    return fr_triangle_time(&a, &b, &options, out);
}

// Decides a pair, once for all of the step that is left; the travel is that of the look at the same fraction of the
// part.
static fr__meeting meet(const fr__view *view, const fr__facet *mover, const fr__facet *other) {
    journey *j = view->journey;
    fr__meeting m = {.travel = INFINITY, .mover = mover, .other = other};
    const fr__facet *others = j->radar->others.data;
    uint32_t source = j->radar->step.sources.data[other - others];
    bool is_new;
    double *time = fr__pairs_find(&j->radar->step.times, mover->triangle, source, &is_new);
    j->is_full = j->is_full || time == NULL;
    if (time == NULL) { return m; }
    if (is_new) {
        fr_time_output result;
        *time = meeting_time(j, mover, other, j->begin, &result) ? result.time : INFINITY;
        j->decided++;
    }
    if (*time <= j->end) { m.travel = fr__greater(*time - j->begin, 0.0) / (j->end - j->begin) * view->travel; }
    return m;
}

// The tables of both kinds of look, with the pairs decided by the true motion.
static fr__travel_table table_of(bool is_turn) {
    fr__travel_table table = is_turn ? fr__turning_travel : fr__straight_travel;
    table.meet = meet;
    return table;
}

typedef struct part_look {
    fr__view view;
    bool is_turn;
    fr__column root;
} part_look;

// How far the mover is from its true place at most, when it turns only, or goes only.
static double error_of(const journey *j, bool is_turn) {
    double share = 0.5 * (j->end - j->begin);
    return share * (is_turn ? fr_vec3_length(j->travel) : j->reach * j->angle);
}

// Places everybody for a look at the part; `widen` is half of what the bodies are grown by together.
static bool prepare(journey *j, part_look *p) {
    double middle = 0.5 * (j->begin + j->end), part = j->end - j->begin;
    p->is_turn = j->angle > 0.0 && error_of(j, true) <= error_of(j, false);
    p->view = (fr__view){.widen = 0.5 * error_of(j, p->is_turn), .journey = j};
    fr__axes look = {.u = {1.0, 0.0, 0.0}, .v = {0.0, 1.0, 0.0}, .d = {0.0, 0.0, 1.0}};
    fr_vec3 from = fr_vec3_scale(p->is_turn ? middle : j->begin, j->travel);
    if (!p->is_turn) {
        look.d = fr_vec3_unit(j->travel, look.d);
        fr__square_to(look.d, &look.u, &look.v);
    }
    if (!place_mover(j, j->angle * (p->is_turn ? j->begin : middle), &look)) { return false; }
    const fr__mover *mover = &j->radar->mover;
    if (p->is_turn) {
        fr__turn_frame(j->input->resolution, mover, &p->view);
        p->view.travel = part * j->angle;
    } else {
        p->view.travel = part * fr_vec3_length(j->travel);
        fr__view_frame(&p->view, j->input->resolution, mover->facets.data, mover->facets.count);
        for (size_t i = 0; i < mover->facets.count; i++) {
            fr__view_to_pixels(&p->view, mover->facets.data + i);
        }
    }
    double side = ceil(p->view.widen / p->view.pixel + 1e-6);
    p->root = (fr__column){-side, -side, p->view.width + side, p->view.height + side};
    return place_others(j, from, &look, &p->view, p->is_turn);
}

static fr_status search(journey *j, const part_look *p, fr_radar_look look, fr__bracket *bracket) {
    fr_radar_input query = *j->input;
    query.look = look;
    fr__travel_table table = table_of(p->is_turn);
    *bracket = (fr__bracket){.low = INFINITY, .high = INFINITY, .meeting = {.travel = INFINITY}};
    if (j->radar->others.count == 0) { return FR_OK; }
    fr_status status = fr__columns_search(&j->radar->columns, &query, &table, &p->view, &j->radar->mover,
                                          &j->radar->others, &p->root, INFINITY, bracket);
    j->out->stats.cells += bracket->cells;
    j->out->stats.pairs = j->decided;
    return j->is_full ? FR_ERROR_MEMORY : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole step

// The contact of the pair that was decided, else of the faces that gave the bound.
static void report(journey *j, const fr__bracket *bracket, double time, bool is_decided) {
    fr_radar_output *out = j->out;
    out->is_hit = true;
    out->distance = out->low = fr__lesser(time, 1.0);
    out->high = INFINITY;
    fr__meeting met = bracket->meeting;
    if (met.other == NULL) { return; }
    fr_time_output result;
    if (is_decided && meeting_time(j, met.mover, met.other, j->begin, &result)) {
        met.feature = result.feature;
        met.point = result.point;
        met.normal = result.normal;
        if (!fr_is_unknown(result.time_sure)) { out->high = result.time_sure; }
    } else {
        fr_vec3 c[3];
        corners_of(j, met.other, c);
        met.point = fr_vec3_scale(1.0 / 3.0, fr_vec3_add(fr_vec3_add(c[0], c[1]), c[2]));
    }
    const fr__axes world = {.u = {1.0, 0.0, 0.0}, .v = {0.0, 1.0, 0.0}, .d = {0.0, 0.0, 1.0}};
    out->kind = out->points = 1;
    out->contact = fr__radar_contact(j->input, &world, &met, met.point, out->distance);
}

// Looks at the part; `is_met` where the step ends in it, else `begin` is where the rest begins.
static fr_status look_at_part(journey *j, bool *is_met) {
    part_look p;
    fr__bracket bracket;
    if (!prepare(j, &p)) { return FR_ERROR_MEMORY; }
    fr_status status = search(j, &p, FR_RADAR_CONSERVATIVE, &bracket);
    if (status != FR_OK) { return status; }
    double part = j->end - j->begin, at = bracket.low / p.view.travel;
    if (!(at < 1.0)) {
        j->begin = j->end;
        return FR_OK;
    }
    bool is_short = 2.0 * p.view.widen <= j->tolerance;
    if (!is_short) {
        j->begin += part * at;
        j->end = j->begin + 0.5 * (j->end - j->begin);
        return FR_OK;
    }
    if (j->input->look <= FR_RADAR_CONSERVATIVE) {
        *is_met = true;
        report(j, &bracket, j->begin + part * at, false);
        return FR_OK;
    }
    status = search(j, &p, FR_RADAR_EXACT, &bracket);
    if (status != FR_OK) { return status; }
    *is_met = bracket.meeting.travel <= p.view.travel;
    if (*is_met) { report(j, &bracket, j->begin + part * (bracket.meeting.travel / p.view.travel), true); }
    if (!*is_met) { j->begin = j->end; }
    return FR_OK;
}

fr_status fr_radar_travel(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error) {
    FR_ASSERT(radar != NULL);
    memset(output, 0, sizeof *output);
    if (input->cookie != FR__RADAR_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_input"); }
    FR_ASSERT(input->space != NULL);
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    journey j = {.radar = radar, .input = input, .out = output, .angle = input->angle, .end = 1.0};
    fr__pairs_clear(&radar->step.times);
    status = gather(&j, error);
    if (status != FR_OK) { return status; }
    // A look turns half a turn at most.
    double most = input->angle > FR_PI ? FR_PI / input->angle : 1.0, part = most;
    bool is_met = false;
    for (int looks = 0; j.begin < 1.0 && !is_met; looks++) {
        if (looks == MOST_LOOKS) {
            output->flags |= FR_RADAR_WIDE;
            output->is_hit = true;
            output->distance = output->low = j.begin;
            output->high = INFINITY;
            return FR_OK;
        }
        j.end = fr__lesser(j.begin + part, 1.0);
        double whole = j.end - j.begin, end = j.end;
        status = look_at_part(&j, &is_met);
        if (status != FR_OK) { return fr_error_set(error, status, "no memory for a travel"); }
        bool is_free = j.begin == end;
        part = is_free ? fr__lesser(2.0 * whole, most) : fr__greater(j.end - j.begin, 0x1p-40);
    }
    if (!is_met) {
        output->distance = 1.0;
        output->low = output->high = INFINITY;
    }
    return FR_OK;
}
