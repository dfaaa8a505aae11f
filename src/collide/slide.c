// Move and slide: a body goes, stops, backs off, and goes on along the planes that it met.
#include "collide/containment.h"
#include "collide/move.h"
#include "collide/mover.h"
#include "shape/tree.h"
#include "space/broad_phase.h"
#include "space/filter.h"

#include <float.h>
#include <string.h>

#define SLIDE_COOKIE 0x534c4944u
#define MAX_CONTACTS 32
#define MAX_PLANES 16
#define SAME 0.9999      // cosine between normals of one plane
#define PRESSES 1e-9     // of the travel: less does not press on a plane
#define MIN_APPROACH 0.1 // of the motion's length: less counts as this, so that a grazing body does not back off far
#define MIN_REST 1e-9    // of the input's motion: less is nothing
#define STEP_ROUNDS 3    // of stepping off
#define THIN 1e-14       // of the longest edge squared: a triangle of less area has no normal

typedef struct slide_scratch {
    fr__move_memory move;
    fr_contact contacts[MAX_CONTACTS];
} slide_scratch;

_Static_assert(sizeof(slide_scratch) <= FR_SLIDE_SCRATCH_BYTES, "a call has the scratch it needs");

typedef struct slide_run {
    const fr_slide_input *input;
    fr_slide_output *output;
    slide_scratch *scratch;
    uint32_t contact_count; // in the scratch
    fr_motion rest;         // from where the body stands
    double share;           // of the rest that the leg goes: beyond it there is nothing
    double radius;          // metres from the pivot to the farthest point
    double length;          // metres of the input's motion
    fr_vec3 planes[MAX_PLANES];
    uint32_t plane_count;
    bool is_off; // the body stepped off where it stands
} slide_run;

fr_slide_input fr_default_slide_input(void) {
    fr_slide_input input;
    memset(&input, 0, sizeof input);
    input.query = fr_default_move_input();
    input.gap = 1e-4;
    input.max_rounds = 4;
    input.cookie = SLIDE_COOKIE;
    return input;
}

static fr_status check_input(const fr_slide_input *input, fr_error *error) {
    if (input->cookie != SLIDE_COOKIE) { return fr_error_set_cookie(error, "fr_default_slide_input"); }
    if (!(input->gap > 0.0 && input->gap <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the gap is not above 0");
    }
    if (input->query.may_others_move) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a body slides among objects that stand");
    }
    if (input->scratch == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input has no scratch"); }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

static fr_status query_contacts(slide_run *s, const fr_motion *motion, double margin, fr_move_output *move,
                                fr_error *error) {
    fr_move_input query = s->input->query;
    query.motion = *motion;
    query.margin = margin;
    query.contacts = s->scratch->contacts;
    query.capacity = MAX_CONTACTS;
    const fr__move_options options = {.memory = &s->scratch->move};
    fr_status status = fr__collide_move(&query, &options, move, error);
    s->contact_count = status == FR_OK ? move->contact_count : 0;
    return status;
}

static fr_vec3 position_of(const fr_mesh_view *mesh, uint32_t vertex) {
    size_t i = 3 * (size_t)vertex;
    const double *d = mesh->positions_double != NULL ? mesh->positions_double + i : NULL;
    const float *f = d == NULL ? mesh->positions_float + i : NULL;
    return d != NULL ? fr_vec3_make(d[0], d[1], d[2]) : fr_vec3_make((double)f[0], (double)f[1], (double)f[2]);
}

static double farthest_from_pivot(const fr_move_input *query) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < query->part_count; i++) {
        const fr_part_def *part = &query->parts[i];
        fr_bounds box = fr_mesh_get(part->mesh)->bounds;
        fr_vec3 center = fr_pose_apply(&part->pose, fr_bounds_center(&box));
        double radius = 0.5 * part->pose.scale * fr_vec3_distance(box.min, box.max);
        farthest = fmax(farthest, fr_vec3_distance(center, query->motion.pivot_local) + radius);
    }
    return query->motion.start.scale * farthest;
}

static double length_of(const slide_run *s, const fr_motion *motion) {
    return fr_vec3_length(motion->travel) + fr_vec3_length(motion->turn) * s->radius;
}

// No coordinate of the body where it stands is larger.
static double place_size(const slide_run *s) {
    return fr_vec3_largest(fr_pose_apply(&s->output->pose, s->rest.pivot_local)) + s->radius;
}

// ---------------------------------------------------------------------------------------------------------------
// How far there are objects

// The time, 0 .. 1, after which a ball about the pivot that holds the body is beyond a box for good: its centre goes
// straight.
static double time_beyond(const fr_bounds *box, fr_vec3 center, fr_vec3 travel, double radius) {
    const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const double at[3] = {center.x, center.y, center.z}, path[3] = {travel.x, travel.y, travel.z};
    double time = 1.0;
    for (int k = 0; k < 3; k++) {
        double left = path[k] > 0.0 ? high[k] + radius - at[k] : at[k] - (low[k] - radius);
        if (path[k] != 0.0) { time = fmin(time, fmax(left, 0.0) / fabs(path[k])); }
    }
    return time;
}

// The share of a motion on which there can be contacts. Only what is so long that the rounding of its times would be
// felt is cut: a motion's time is rounded by 2^-53, its culls by 2^-38 of the length.
static double share_among_objects(const slide_run *s, const fr_motion *motion) {
    const fr_move_input *query = &s->input->query;
    const fr_space *space = query->space;
    if (!(0x1p-36 * length_of(s, motion) > s->input->gap)) { return 1.0; }
    double radius = (s->radius + query->margin + query->tolerance + s->input->gap) * (1.0 + 0x1p-20), share = 0.0;
    fr_vec3 center = fr_pose_apply(&motion->start, motion->pivot_local);
    for (int k = 0; k < FR__SET_COUNT; k++) {
        if (space->sets[k].boxes.count == 0) { continue; }
        const fr_box *box = &space->sets[k].tree->header->bounds;
        fr_bounds bounds = {fr_vec3_add(space->origin, fr_vec3_from_floats(box->min)),
                            fr_vec3_add(space->origin, fr_vec3_from_floats(box->max))};
        share = fmax(share, time_beyond(&bounds, center, motion->travel, radius));
    }
    return fmin(share * (1.0 + 0x1p-20), 1.0);
}

static fr_motion part_of_motion(const fr_motion *motion, double share) {
    fr_motion part = *motion;
    part.travel = fr_vec3_scale(share, motion->travel);
    part.turn = fr_vec3_scale(share, motion->turn);
    return part;
}

// ---------------------------------------------------------------------------------------------------------------
// Inside

typedef struct solid_search {
    const slide_run *run;
    const fr__proxy_set *set;
    fr_vec3 point;
    bool is_inside;
} solid_search;

static bool look_inside(uint32_t item, void *context) {
    solid_search *search = context;
    const fr_move_input *query = &search->run->input->query;
    const fr__proxy *proxy = &fr__set_proxies(search->set)[item];
    if (!fr__query_accepts(query->space, query->filter, proxy)) { return true; }
    const fr__object *object = fr__space_fresh(query->space, proxy->object);
    search->is_inside = fr__part_holds(object, &object->parts[proxy->part], search->point);
    return !search->is_inside;
}

// Whether a part of the body, whose faces touch nothing at a pose, is inside a solid: then so are all of its vertices.
static fr_status is_inside(const slide_run *s, const fr_pose *pose, bool *out, fr_error *error) {
    const fr_move_input *query = &s->input->query;
    solid_search search = {.run = s};
    fr_status status = fr__query_begin(query->space, query->filter, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < query->part_count && !search.is_inside; i++) {
        const fr_mesh_view *mesh = fr_mesh_get(query->parts[i].mesh);
        fr_vec3 corner = position_of(mesh, mesh->triangles[0]);
        search.point = fr_pose_apply(pose, fr_pose_apply(&query->parts[i].pose, corner));
        fr_bounds bounds = fr_bounds_of_points(&search.point, 1);
        fr_box box = fr_box_of_bounds(&bounds, query->space->origin);
        for (int k = 0; k < FR__SET_COUNT && !search.is_inside; k++) {
            search.set = &query->space->sets[k];
            (void)fr_tree_overlap_box(search.set->tree, &box, look_inside, &search);
        }
    }
    fr__query_end(query->space, query->filter);
    *out = search.is_inside;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Along planes

static bool presses_none(const slide_run *s, fr_vec3 travel, double limit) {
    for (uint32_t i = 0; i < s->plane_count; i++) {
        if (fr_vec3_dot(s->planes[i], travel) > limit) { return false; }
    }
    return true;
}

// The travel nearest to the given one that presses on no plane: in one plane, along the crease of two, or none.
static fr_vec3 along_planes(const slide_run *s, fr_vec3 travel) {
    const double limit = PRESSES * fr_vec3_length(travel);
    fr_vec3 best = {0.0, 0.0, 0.0};
    double best_gain = 0.0;
    if (presses_none(s, travel, limit)) { return travel; }
    for (uint32_t i = 0; i < s->plane_count; i++) {
        for (uint32_t k = 0; k <= i; k++) {
            fr_vec3 n = s->planes[i], tried;
            if (k == i) {
                tried = fr_vec3_add_scaled(travel, -fr_vec3_dot(travel, n), n);
            } else {
                fr_vec3 crease = fr_vec3_cross(n, s->planes[k]);
                double length2 = fr_vec3_length_squared(crease);
                if (length2 < 1e-12) { continue; }
                tried = fr_vec3_scale(fr_vec3_dot(travel, crease) / length2, crease);
            }
            double gain = fr_vec3_dot(tried, travel);
            if (gain > best_gain && presses_none(s, tried, limit)) {
                best = tried;
                best_gain = gain;
            }
        }
    }
    return best;
}

static void add_plane(slide_run *s, fr_vec3 normal) {
    if (fr_vec3_length_squared(normal) < 0.5 || s->plane_count == MAX_PLANES) { return; }
    for (uint32_t i = 0; i < s->plane_count; i++) {
        if (fr_vec3_dot(s->planes[i], normal) > SAME) { return; }
    }
    s->planes[s->plane_count++] = normal;
}

// The deflection where the caller has none.
static bool slide_along_planes(slide_run *s, const fr_slide_stop *stop, fr_motion *rest) {
    fr_vec3 pivot = fr_pose_apply(&stop->pose, rest->pivot_local);
    for (uint32_t i = 0; i < stop->contact_count; i++) {
        const fr_contact *c = &stop->contacts[i];
        add_plane(s, c->normal);
        fr_vec3 lever = fr_vec3_cross(fr_vec3_sub(c->point, pivot), c->normal);
        if (fr_vec3_dot(rest->turn, lever) > 0.0) { rest->turn = fr_vec3_make(0.0, 0.0, 0.0); }
    }
    rest->travel = along_planes(s, rest->travel);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Legs

static void end_with(slide_run *s, fr__leg *leg, fr_slide_end end) {
    s->output->end = end;
    leg->is_last = true;
}

// The rest of the motion, changed by what stopped the last leg.
static fr_status deflect(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    slide_run *s = context;
    if (fr_control_is_stopped(s->input->control)) {
        end_with(s, leg, FR_SLIDE_STOPPED);
        return FR_OK;
    }
    if (leg->number > 0 && !s->is_off) {
        const fr_slide_stop stop = {s->output->pose, s->scratch->contacts, s->contact_count, s->output->rounds};
        bool is_on = s->input->deflect != NULL ? s->input->deflect(&stop, &s->rest, s->input->deflect_context)
                                               : slide_along_planes(s, &stop, &s->rest);
        s->rest.start = stop.pose;
        if (!is_on || !(length_of(s, &s->rest) > MIN_REST * s->length)) {
            end_with(s, leg, FR_SLIDE_HELD);
            return FR_OK;
        }
        s->output->rounds++;
    }
    s->share = share_among_objects(s, &s->rest);
    leg->motion = part_of_motion(&s->rest, s->share);
    leg->end = fr_motion_pose(&s->rest, 1.0);
    return FR_OK;
}

static fr_status check_leg(fr__leg *leg, void *context, fr_error *error) {
    slide_run *s = context;
    fr_status status = query_contacts(s, &leg->motion, s->input->query.margin, &leg->move, error);
    double length = length_of(s, &leg->motion);
    if (leg->move.is_hit) { length = fmin(length, fmax(leg->move.first.approach, MIN_APPROACH * length)); }
    leg->rule = (fr__stop_rule){.length = length, .back_off = s->input->gap, .min_share = 0.0};
    return status;
}

static bool is_thin(const fr_vec3 t[3]) {
    fr_vec3 u = fr_vec3_sub(t[1], t[0]), v = fr_vec3_sub(t[2], t[0]);
    double longest = fmax(fmax(fr_vec3_length_squared(u), fr_vec3_length_squared(v)),
                          fr_vec3_length_squared(fr_vec3_sub(t[2], t[1])));
    return !(fr_vec3_length(fr_vec3_cross(u, v)) > THIN * longest);
}

// Whether a face of a contact has no area: its normal is that of the other face, whatever side of it is touched.
static bool has_thin_face(const slide_run *s, const fr_contact *c) {
    const fr_move_input *query = &s->input->query;
    fr_vec3 corners[3];
    if (fr_object_corners(query->space, c->b, c->triangle_b, corners, NULL) == FR_OK && is_thin(corners)) {
        return true;
    }
    uint32_t triangle = c->triangle_a;
    for (uint32_t i = 0; i < c->part_a; i++) {
        triangle -= fr_mesh_get(query->parts[i].mesh)->triangle_count;
    }
    const fr_mesh_view *mesh = fr_mesh_get(query->parts[c->part_a].mesh);
    for (int k = 0; k < 3; k++) {
        corners[k] = position_of(mesh, mesh->triangles[3 * (size_t)triangle + (size_t)k]);
    }
    return is_thin(corners);
}

// What is touched by contacts of one kind: with a flag, up to a distance, and of faces with an area or of all.
static uint32_t touched_by(const slide_run *s, uint32_t flag, double max_distance, bool may_be_thin, fr_vec3 normals[3],
                           double depths[3]) {
    const double margin = s->input->query.margin;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        const fr_contact *c = &s->scratch->contacts[i];
        bool is_wanted = (c->flags & flag) == flag && c->distance <= max_distance;
        if (!is_wanted || fr_vec3_length_squared(c->normal) < 0.5) { continue; }
        if (!may_be_thin && has_thin_face(s, c)) { continue; }
        uint32_t k = 0;
        while (k < count && fr_vec3_dot(normals[k], c->normal) < 0.9) {
            k++;
        }
        if (k == 3) { continue; }
        if (k == count) { normals[count++] = c->normal; }
        depths[k] = fmax(depths[k], fmin(margin - c->distance, margin + s->input->gap));
    }
    return count;
}

// Faces in one plane have the surest normals, then those that cross; those of faces that share an edge or a corner may
// lead sideways, and those of faces without an area anywhere.
static uint32_t touched(fr_vec3 normals[3], double depths[3], void *context) {
    uint32_t count = touched_by(context, FR_CONTACT_COPLANAR, INFINITY, false, normals, depths);
    if (count == 0) { count = touched_by(context, 0, -DBL_MIN, false, normals, depths); }
    if (count == 0) { count = touched_by(context, 0, INFINITY, false, normals, depths); }
    if (count == 0) { count = touched_by(context, 0, INFINITY, true, normals, depths); }
    return count;
}

static fr_status is_free_at(const fr_pose *pose, bool *is_free, void *context, fr_error *error) {
    slide_run *s = context;
    fr_motion still = fr_motion_still(pose);
    fr_move_output move;
    fr_status status = query_contacts(s, &still, s->input->query.margin, &move, error);
    *is_free = status == FR_OK && !move.is_hit;
    return status;
}

static fr_status meet(const fr_motion *motion, fr_move_output *move, const fr_contact **contacts, void *context,
                      fr_error *error) {
    slide_run *s = context;
    *contacts = s->scratch->contacts;
    return query_contacts(s, motion, 0.0, move, error);
}

// A body that begins inside something stays where it is.
static void end_inside(slide_run *s, fr__leg *leg) {
    s->output->pose = s->input->query.motion.start;
    s->output->free_part = 0.0;
    end_with(s, leg, FR_SLIDE_INSIDE);
}

// Ends a slide that begins inside a solid, at a pose where no face of the body touches anything.
static fr_status check_inside(slide_run *s, fr__leg *leg, const fr_pose *pose, fr_error *error) {
    bool is_in = false;
    fr_status status = is_inside(s, pose, &is_in, error);
    if (is_in) { end_inside(s, leg); }
    return status;
}

// A leg that begins within the margin of something goes nowhere: the body steps off, once at a place.
static fr_status step_off(slide_run *s, fr__leg *leg, fr_error *error) {
    const fr_move_input *query = &s->input->query;
    fr__step_off step = {touched, is_free_at, meet, s, s->input->gap, query->margin, 0.0, STEP_ROUNDS};
    step.tolerance = query->tolerance + 0x1p-36 * place_size(s);
    fr_status status = fr__mover_step_off(&step, &s->output->pose, &s->is_off, error);
    s->rest.start = s->output->pose;
    if (status != FR_OK) { return status; }
    if (s->is_off) { return s->output->rounds == 0 ? check_inside(s, leg, &s->output->pose, error) : FR_OK; }
    end_with(s, leg, s->output->rounds == 0 ? FR_SLIDE_INSIDE : FR_SLIDE_HELD);
    return FR_OK;
}

static fr_status arrive(fr__leg *leg, void *context, fr_error *error) {
    slide_run *s = context;
    fr_slide_output *out = s->output;
    bool begins_free = !leg->move.is_hit || leg->move.free_time > 0.0;
    if (leg->number == 0 && begins_free) {
        fr_status status = check_inside(s, leg, &s->rest.start, error);
        if (status != FR_OK || leg->is_last) { return status; }
    }
    double part = leg->part * s->share; // of the rest
    out->pose = leg->pose;
    if (out->rounds == 0) { out->free_part += (1.0 - out->free_part) * (leg->move.is_hit ? part : 1.0); }
    if (!leg->move.is_hit) {
        end_with(s, leg, FR_SLIDE_ARRIVED);
        return FR_OK;
    }
    bool may_step_off = leg->move.free_time == 0.0 && !s->is_off;
    s->is_off = false;
    s->rest = part_of_motion(&s->rest, 1.0 - part);
    s->rest.start = leg->pose;
    if (may_step_off) { return step_off(s, leg, error); }
    if (s->input->query.contacts != NULL && out->contact_count < s->input->query.capacity) {
        s->input->query.contacts[out->contact_count++] = leg->move.first;
    }
    if (out->rounds == s->input->max_rounds) { end_with(s, leg, FR_SLIDE_ROUNDS); }
    return FR_OK;
}

fr_status fr_collide_slide(const fr_slide_input *input, fr_slide_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status == FR_OK) { status = fr__move_check_input(&input->query, error); }
    if (status != FR_OK) { return status; }
    slide_run s = {.input = input, .output = output, .scratch = input->scratch, .rest = input->query.motion};
    s.radius = farthest_from_pivot(&input->query);
    s.length = length_of(&s, &s.rest);
    output->pose = s.rest.start;
    // Every stop may take one leg more to step off
    const fr__mover_def mover = {deflect, check_leg, arrive, &s, UINT32_MAX};
    return fr__mover_run(&mover, error);
}
