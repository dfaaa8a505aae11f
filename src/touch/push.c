// A free body that yields. Piece by piece: what is near where a piece begins, and what was met by the motions tried
// before, makes rows; the least motion that keeps them is checked over its whole course by the exact query; what it
// meets is one more row. A motion that meets nothing is gone, one that cannot be mended as far as it is free.
#include "collide/mover.h"
#include "space/space.h"
#include "touch/push_rows.h"

#include <string.h>

#define PUSH_COOKIE 0x50555348u
#define NEAR 4.0     // skins: what is this near where a piece begins makes rows
#define MOST_NEAR 64 // skins: the same, where something farther was met
#define FARTHER 1.5  // times the gap of what was met
#define FASTER 16.0  // than the pushers: a motion that is longer is none, its rows are of a shorter one
#define AWAY 8.0     // skins that it may be longer
#define MARGIN 0.01  // skins that are kept clear in every check
#define TOLERANCE 1e-3
#define SLACK 0.01  // skins by which a row may be missed
#define MUCH 0.5    // of the farthest: a free motion that gets less far is not taken
#define CLOSER 0.5  // of the path to what is met: at least so far it goes
#define LITTLE 1e-3 // of the step: a piece that gains less is tried again with a shorter reach
#define NOTHING 0.1 // skins: pushers that get no farther than this do not go on
#define CELLS 8.0   // small places in a body's radius
#define LARGE 0.1   // radii: longer edges make a face large

enum { TRIES = 8, SHORTER = 4, LINEARIZATIONS = 8, HALVINGS = 16, STEP_ROUNDS = 3 };

fr_push_input fr_default_push_input(void) {
    fr_push_input input;
    memset(&input, 0, sizeof input);
    input.pose = fr_pose_identity();
    input.skin = 1e-4;
    input.max_pieces = FR_PUSH_MAX_PIECES;
    input.cookie = PUSH_COOKIE;
    return input;
}

typedef struct push_run {
    const fr_push_input *input;
    fr_push_output *output;
    fr__push_memory *memory;
    fr__push_rows rows;
    fr_query_filter filter; // of what stands
    fr_vec3 center_local;
    fr__motion_metric metric; // where the piece begins
    double radius;            // of the body about its centre
    double at;                // of the step that is gone
    double near;              // metres: what is this near makes rows
    double pace;              // metres a step of the fastest place of a pusher near the body, at most
    double met;               // the largest gap, where the piece begins, of what was met and stands
    fr__least_motion last;    // of the last piece
    uint32_t hit_count;
    uint32_t gathered; // how often rows were gathered
} push_run;

// A motion that is tried: the body's, while the pushers go from `at` to `end`.
typedef struct attempt {
    fr_motion motion;
    double end;
    double free; // of the motion that meets nothing, 0 .. 1, as far as it is known
    bool is_standing_checked;
} attempt;

// ---------------------------------------------------------------------------------------------------------------
// Queries

static bool accept(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const push_run *run = context;
    for (uint32_t i = 0; i < run->input->pusher_count; i++) {
        if (run->memory->pushers[i].object.index1 == a.index1) { return false; }
    }
    const fr_query_filter *filter = run->input->filter;
    return filter == NULL || filter->accept == NULL || filter->accept(space, a, b, filter->context);
}

static fr_move_input query_of(const push_run *run, const fr_motion *motion, double margin) {
    fr_move_input q = fr_default_move_input();
    q.space = run->input->space;
    q.parts = run->input->parts;
    q.part_count = run->input->part_count;
    q.motion = *motion;
    q.margin = margin;
    q.tolerance = TOLERANCE * run->input->skin;
    q.filter = &run->filter;
    q.contacts = run->memory->hits;
    q.capacity = FR__PUSH_HITS;
    return q;
}

// What the body meets on a motion: of what stands, for FR_NONE, or of a pusher that goes along a motion of its own.
static fr_status query_hits(push_run *run, const fr_motion *motion, uint32_t pusher, const fr_motion *pusher_motion,
                            double margin, fr_move_output *move, fr_error *error) {
    fr_move_input q = query_of(run, motion, margin);
    fr__move_options options = {.memory = &run->memory->move};
    if (pusher != FR_NONE) {
        options.object = run->memory->pushers[pusher].object;
        options.object_motion = pusher_motion;
    }
    run->output->checks++;
    fr_status status = fr__collide_move(&q, &options, move, error);
    run->hit_count = status == FR_OK ? move->contact_count : 0;
    return status;
}

static fr_motion pusher_part(const push_run *run, uint32_t pusher, double begin, double end) {
    fr_motion motion = run->memory->pushers[pusher].motion;
    motion.start = fr_motion_pose(&motion, begin);
    motion.travel = fr_vec3_scale(end - begin, motion.travel);
    motion.turn = fr_vec3_scale(end - begin, motion.turn);
    return motion;
}

static fr_motion body_motion(const push_run *run, fr_vec3 travel, fr_vec3 turn) {
    return (fr_motion){run->output->pose, run->center_local, travel, turn};
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

// What is near where the next piece begins.
static fr_status gather(push_run *run, fr_error *error) {
    fr_pose pose = run->output->pose;
    fr__push_rows *rows = &run->rows;
    run->gathered++;
    fr__push_rows_clear(rows, &pose, run->near);
    const fr_motion still = fr_motion_still(&pose);
    fr_move_input q = query_of(run, &still, run->near);
    fr__move_options options = {.memory = &run->memory->move,
                                .visit = fr__push_rows_put_near,
                                .visit_context = rows,
                                .visited = &run->memory->visited};
    fr_move_output move;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < run->input->pusher_count && status == FR_OK; i++) {
        fr_motion pusher = pusher_part(run, i, run->at, run->at);
        rows->pusher = i;
        rows->other = pusher.start;
        options.object = run->memory->pushers[i].object;
        options.object_motion = &pusher;
        status = fr__collide_move(&q, &options, &move, error);
    }
    if (status != FR_OK) { return status; }
    rows->pusher = FR_NONE;
    rows->other = fr_pose_identity();
    options.object = (fr_object_id){0};
    status = fr__collide_move(&q, &options, &move, error);
    fr__push_rows_end_near(rows);
    return status;
}

// The body where it stands: its centre and its inertia go with it.
static void take_body(push_run *run) {
    const fr_push_input *in = run->input;
    fr_rebound_body *body = &run->output->body;
    fr_quat back = fr_quat_conjugate(in->pose.rotation);
    fr_mat3 turn = fr_quat_to_mat3(fr_quat_multiply(run->output->pose.rotation, back));
    *body = in->body;
    body->inverse_inertia = fr_mat3_multiply(fr_mat3_multiply(turn, in->body.inverse_inertia), fr_mat3_transpose(turn));
    body->center = fr_pose_apply(&run->output->pose, run->center_local);
    run->metric = fr__motion_metric_of(body->inverse_mass, &body->inverse_inertia);
}

// ---------------------------------------------------------------------------------------------------------------
// The least motion

static double change_of(const push_run *run, const fr__least_motion *m, const fr_motion *motion) {
    return fr_vec3_distance(m->travel, motion->travel) + run->radius * fr_vec3_distance(m->turn, motion->turn);
}

// The least motion that keeps all rows when the pushers are at `end`: linear about the one before, until it stays.
static bool solve(push_run *run, double end, bool is_kept, fr_motion *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    const double skin = run->input->skin, longest = FASTER * run->pace * (end - run->at) + AWAY * skin;
    *out = body_motion(run, zero, zero);
    for (int i = 0; i < LINEARIZATIONS; i++) {
        fr__least_motion found;
        fr__push_rows_linear(&run->rows, out, run->at, end, skin, is_kept);
        if (!fr__least_motion_find(&run->metric, run->memory->linear, run->rows.count, SLACK * skin, &found)) {
            return false;
        }
        double change = change_of(run, &found, out), turn = fr_vec3_length(found.turn);
        double length = fr_vec3_length(found.travel) + run->radius * turn;
        if (!(turn < FR_PI && length <= longest) || !isfinite(change)) { return false; }
        run->last = found;
        *out = body_motion(run, found.travel, found.turn);
        if (change <= SLACK * skin) { break; }
    }
    return true;
}

// The farthest that the pushers can go, up to `end`: all of it with the skin kept, or as near as things were, or a
// part of it.
static void solve_farthest(push_run *run, attempt *a) {
    const double begin = run->at, whole = a->end;
    if (solve(run, whole, false, &a->motion) || solve(run, whole, true, &a->motion)) { return; }
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        fr_motion motion;
        if (solve(run, begin + middle * (whole - begin), true, &motion)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    a->end = begin + low * (whole - begin);
    if (!(low > 0.0) || !solve(run, a->end, true, &a->motion)) {
        a->end = begin;
        a->motion = fr_motion_still(&run->output->pose);
        run->last.active_count = 0;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static bool is_still(const fr_motion *motion) {
    return fr_vec3_largest(motion->travel) == 0.0 && fr_vec3_largest(motion->turn) == 0.0;
}

// Whether both faces of a contact are small.
static bool is_small(const push_run *run, const fr_contact *c) {
    uint32_t triangle = c->triangle_a;
    for (uint32_t i = 0; i < c->part_a; i++) {
        triangle -= fr_mesh_get(run->input->parts[i].mesh)->triangle_count;
    }
    const fr_part_def *part = &run->input->parts[c->part_a];
    fr_vec3 a[3], b[3];
    fr_mesh_corners(part->mesh, triangle, a);
    for (int k = 0; k < 3; k++) {
        a[k] = fr_vec3_scale(run->input->pose.scale * part->pose.scale, a[k]);
    }
    return fr_object_corners(run->input->space, c->b, c->triangle_b, b, NULL) == FR_OK &&
           fr__push_rows_is_small(&run->rows, a) && fr__push_rows_is_small(&run->rows, b);
}

// Goes on with what was met: the attempt is free up to a little before.
static void take_hits(push_run *run, attempt *a, uint32_t pusher, const fr_move_output *move) {
    double approach = isfinite(move->first.approach) ? fmax(move->first.approach, 0.0) : 0.0;
    const fr__stop_rule rule = {approach, run->input->skin, CLOSER};
    a->free = fmin(a->free, fr__stop_part(move, &rule));
    const uint32_t first = run->rows.count;
    for (uint32_t i = 0; i < run->hit_count; i++) {
        const fr_contact *contact = &run->memory->hits[i];
        double time = run->at + contact->time * (a->end - run->at);
        fr__push_hit hit = {.contact = contact,
                            .motion = &a->motion,
                            .other = fr_pose_identity(),
                            .pusher = pusher,
                            .reach = a->end - run->at,
                            .skin = run->input->skin,
                            .first = first};
        hit.is_small = pusher == FR_NONE && hit.reach > 0.0 && is_small(run, contact);
        if (pusher != FR_NONE) { hit.other = fr_motion_pose(&run->memory->pushers[pusher].motion, time); }
        double gap = fr__push_rows_put_hit(&run->rows, &hit);
        if (pusher == FR_NONE) { run->met = fmax(run->met, gap); }
    }
}

static fr_status check_standing(push_run *run, attempt *a, fr_error *error) {
    fr_move_output move;
    a->is_standing_checked = true;
    if (is_still(&a->motion)) { return FR_OK; }
    fr_status status = query_hits(run, &a->motion, FR_NONE, NULL, MARGIN * run->input->skin, &move, error);
    if (status == FR_OK && move.is_hit) { take_hits(run, a, FR_NONE, &move); }
    return status;
}

// Whether the attempt meets anything. What stands is looked at where the pushers leave the motion free.
static fr_status check(push_run *run, attempt *a, fr_error *error) {
    a->free = 1.0;
    a->is_standing_checked = false;
    for (uint32_t i = 0; i < run->input->pusher_count; i++) {
        fr_motion pusher = pusher_part(run, i, run->at, a->end);
        fr_move_output move;
        if (is_still(&pusher) && is_still(&a->motion)) { continue; }
        fr_status status = query_hits(run, &a->motion, i, &pusher, MARGIN * run->input->skin, &move, error);
        if (status != FR_OK) { return status; }
        if (move.is_hit) { take_hits(run, a, i, &move); }
    }
    return a->free < 1.0 ? FR_OK : check_standing(run, a, error);
}

// Cuts an attempt to what of it is free.
static void shorten(const push_run *run, attempt *a) {
    a->end = run->at + a->free * (a->end - run->at);
    a->motion.travel = fr_vec3_scale(a->free, a->motion.travel);
    a->motion.turn = fr_vec3_scale(a->free, a->motion.turn);
    a->free = 1.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

static void put_piece(push_run *run, const fr_motion *motion, double end) {
    fr_push_output *out = run->output;
    out->pieces[out->piece_count++] = (fr_push_piece){run->at, end, *motion};
    out->pose = fr_motion_pose(motion, 1.0);
    run->at = end;
}

// How far the pushers get by an attempt, of the step.
static double reached_by(const push_run *run, const attempt *a) { return a->free * (a->end - run->at); }

// What stands was not looked at where a pusher was met first.
static fr_status cut_to_free(push_run *run, attempt *a, fr_error *error) {
    shorten(run, a);
    if (a->is_standing_checked) { return FR_OK; }
    fr_status status = check_standing(run, a, error);
    if (status == FR_OK && a->free < 1.0) { shorten(run, a); }
    return status;
}

// What was met may be much of a surface: all of it that is about as near is a row.
static fr_status look_farther(push_run *run, fr_error *error) {
    double wanted = fmin(FARTHER * run->met, MOST_NEAR * run->input->skin);
    if (wanted > run->near) {
        run->near = wanted;
        fr_status status = gather(run, error);
        if (status != FR_OK) { return status; }
    }
    fr__push_rows_begin(&run->rows, run->at);
    return FR_OK;
}

// Tries motions up to `end` until one is free. Where none is, or the pushers get much farther by one that is stopped,
// what of that one is free.
static fr_status find_free(push_run *run, double end, attempt *a, fr_error *error) {
    attempt best = {.motion = fr_motion_still(&run->output->pose), .end = run->at, .is_standing_checked = true};
    fr__least_motion held = run->last;
    uint32_t gathered = run->gathered;
    for (uint32_t i = 0; i < TRIES; i++) {
        *a = (attempt){.end = end};
        solve_farthest(run, a);
        if (run->rows.count > run->output->rows) { run->output->rows = run->rows.count; }
        fr_status status = check(run, a, error);
        if (status != FR_OK) { return status; }
        if (a->free >= 1.0 && reached_by(run, a) >= MUCH * reached_by(run, &best)) { return FR_OK; }
        if (reached_by(run, a) > reached_by(run, &best)) {
            best = *a;
            held = run->last;
            gathered = run->gathered;
        }
        if (a->free >= 1.0) { break; }
        status = look_farther(run, error);
        if (status != FR_OK) { return status; }
    }
    *a = best;
    run->last = held;
    if (gathered != run->gathered) { run->last.active_count = 0; } // its rows are gone
    return cut_to_free(run, a, error);
}

// One piece. False in `goes_on`: it is jammed.
static fr_status go_on(push_run *run, bool *goes_on, fr_error *error) {
    double reach = 1.0 - run->at;
    attempt a;
    run->met = 0.0;
    fr__push_rows_begin(&run->rows, run->at);
    *goes_on = true;
    for (int i = 0; i < SHORTER; i++, reach *= 0.125) {
        fr_status status = find_free(run, i == 0 ? 1.0 : run->at + reach, &a, error);
        if (status != FR_OK) { return status; }
        if (a.end >= 1.0 || a.end - run->at > LITTLE * (i == 0 ? 1.0 : reach)) { break; }
    }
    *goes_on = a.end >= 1.0 || run->pace * (a.end - run->at) > NOTHING * run->input->skin;
    if (a.end > run->at) { put_piece(run, &a.motion, a.end); }
    return FR_OK;
}

static void put_contacts(push_run *run) {
    fr_push_output *out = run->output;
    for (uint32_t i = 0; i < run->last.active_count && out->contact_count < FR_PUSH_MAX_CONTACTS; i++) {
        const fr__push_row *row = &run->memory->rows[run->last.active[i]];
        fr_push_contact *c = &out->contacts[out->contact_count++];
        c->object = row->object;
        c->is_pusher = row->pusher != FR_NONE;
        c->distance = fr__push_row_at(&run->rows, row, &out->pose, run->at, &c->point, &c->normal);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Stepping off

// What all objects have in common with the body on a motion, the pushers standing; contacts of all in one list.
static fr_status query_all(push_run *run, const fr_motion *motion, double margin, fr_move_output *move,
                           fr_error *error) {
    fr_status status = query_hits(run, motion, FR_NONE, NULL, margin, move, error);
    uint32_t count = run->hit_count;
    for (uint32_t i = 0; i < run->input->pusher_count && status == FR_OK; i++) {
        fr_motion pusher = pusher_part(run, i, run->at, run->at);
        fr_move_output more;
        fr_move_input q = query_of(run, motion, margin);
        q.contacts += count;
        q.capacity -= count;
        const fr__move_options options = {
            .memory = &run->memory->move, .object = run->memory->pushers[i].object, .object_motion = &pusher};
        run->output->checks++;
        status = fr__collide_move(&q, &options, &more, error);
        if (status != FR_OK) { break; }
        count += more.contact_count;
        if (more.is_hit && (!move->is_hit || more.free_time < move->free_time)) { *move = more; }
    }
    run->hit_count = move->contact_count = status == FR_OK ? count : 0;
    return status;
}

// Normals of one kind of contacts: with a flag, and no farther than a distance.
static uint32_t touched_by(const push_run *run, uint32_t flag, double max_distance, fr_vec3 normals[3],
                           double depths[3]) {
    const double margin = MARGIN * run->input->skin;
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->hit_count; i++) {
        const fr_contact *c = &run->memory->hits[i];
        if ((c->flags & flag) != flag || c->distance > max_distance) { continue; }
        if (fr_vec3_length_squared(c->normal) < 0.5) { continue; }
        uint32_t k = 0;
        while (k < count && fr_vec3_dot(normals[k], c->normal) < 0.9) {
            k++;
        }
        if (k == 3) { continue; }
        if (k == count) { normals[count++] = c->normal; }
        depths[k] = fmax(depths[k], fmin(margin - c->distance, margin + run->input->skin));
    }
    return count;
}

// Faces in one plane have the surest normals, then those that cross.
static uint32_t touched(fr_vec3 normals[3], double depths[3], void *context) {
    uint32_t count = touched_by(context, FR_CONTACT_COPLANAR, INFINITY, normals, depths);
    if (count == 0) { count = touched_by(context, 0, -0x1p-1000, normals, depths); }
    if (count == 0) { count = touched_by(context, 0, INFINITY, normals, depths); }
    return count;
}

static fr_status is_free_at(const fr_pose *pose, bool *is_free, void *context, fr_error *error) {
    push_run *run = context;
    const fr_motion still = fr_motion_still(pose);
    fr_move_output move;
    fr_status status = query_all(run, &still, MARGIN * run->input->skin, &move, error);
    *is_free = status == FR_OK && !move.is_hit;
    return status;
}

static fr_status meet(const fr_motion *motion, fr_move_output *move, const fr_contact **contacts, void *context,
                      fr_error *error) {
    push_run *run = context;
    *contacts = run->memory->hits;
    return query_all(run, motion, 0.0, move, error);
}

// A body that touches something steps off, straight, while the pushers stand.
static fr_status step_off(push_run *run, bool *is_free, fr_error *error) {
    const fr_push_input *in = run->input;
    fr_pose pose = run->output->pose;
    const fr__step_off step = {.touched = touched,
                               .is_free = is_free_at,
                               .meet = meet,
                               .context = run,
                               .gap = in->skin,
                               .margin = MARGIN * in->skin,
                               .tolerance = TOLERANCE * in->skin,
                               .rounds = STEP_ROUNDS};
    fr_status status = is_free_at(&pose, is_free, run, error);
    if (status != FR_OK || *is_free) { return status; }
    status = fr__mover_step_off(&step, &pose, is_free, error);
    if (status != FR_OK || !*is_free) { return status; }
    fr_motion motion = fr_motion_still(&run->output->pose);
    motion.pivot_local = run->center_local;
    motion.travel = fr_vec3_sub(pose.position, run->output->pose.position);
    put_piece(run, &motion, run->at);
    return gather(run, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The step

static fr_status go(push_run *run, fr_error *error) {
    fr_push_output *out = run->output;
    run->near = NEAR * run->input->skin;
    fr_status status = gather(run, error);
    bool goes_on = true;
    if (status == FR_OK && run->rows.nearest <= MARGIN * run->input->skin) {
        status = step_off(run, &goes_on, error);
        out->end = FR_PUSH_INSIDE;
    }
    if (status != FR_OK || !goes_on) { return status; }
    for (bool is_gathered = true; goes_on && run->at < 1.0; is_gathered = false) {
        out->end = FR_PUSH_PIECES;
        if (out->piece_count == run->input->max_pieces) { return FR_OK; }
        if (!is_gathered) {
            run->near = NEAR * run->input->skin;
            status = gather(run, error);
        }
        if (status != FR_OK) { return status; }
        take_body(run);
        status = go_on(run, &goes_on, error);
        if (status != FR_OK) { return status; }
    }
    out->end = goes_on ? FR_PUSH_ARRIVED : FR_PUSH_JAMMED;
    put_contacts(run);
    return FR_OK;
}

static fr_status check_body(const fr_rebound_body *body, fr_error *error) {
    bool is_finite = fr_vec3_is_finite(body->center) && isfinite(body->inverse_mass);
    for (int i = 0; i < 3; i++) {
        is_finite = is_finite && fr_vec3_is_finite(body->inverse_inertia.row[i]);
    }
    if (!is_finite) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the body's mass or centre is not finite"); }
    const fr_mat3 *m = &body->inverse_inertia;
    if (body->inverse_mass >= 0.0 && m->row[0].x >= 0.0 && m->row[1].y >= 0.0 && m->row[2].z >= 0.0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the body's inverse mass or inertia is below 0");
}

static fr_status check_input(const fr_push_input *in, fr_error *error) {
    if (in->cookie != PUSH_COOKIE) { return fr_error_set_cookie(error, "fr_default_push_input"); }
    if (!(in->skin > 0.0 && in->skin <= 1e9)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skin is not above 0");
    }
    if (in->scratch == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input has no scratch"); }
    if (in->max_pieces < 1 || in->max_pieces > FR_PUSH_MAX_PIECES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a push has 1 to %d pieces", FR_PUSH_MAX_PIECES);
    }
    if (in->pusher_count > FR_PUSH_MAX_PUSHERS || (in->pusher_count > 0 && in->pushers == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a push has up to %d pushers", FR_PUSH_MAX_PUSHERS);
    }
    fr_move_input query = fr_default_move_input();
    query.space = in->space;
    query.parts = in->parts;
    query.part_count = in->part_count;
    query.motion = fr_motion_still(&in->pose);
    fr_status status = fr__move_check_input(&query, error);
    return status == FR_OK ? check_body(&in->body, error) : status;
}

// The pushers with unit quaternions.
static fr_status take_pushers(push_run *run, fr_error *error) {
    const fr_push_input *in = run->input;
    for (uint32_t i = 0; i < in->pusher_count; i++) {
        fr_pusher *pusher = &run->memory->pushers[i];
        *pusher = in->pushers[i];
        fr_status status = fr_motion_check(&pusher->motion, error);
        if (status == FR_OK) { status = fr__check_two(in->space, pusher->object, pusher->object, error); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static double radius_of(const fr_push_input *in, fr_vec3 center_local) {
    double radius = 0.0;
    for (uint32_t i = 0; i < in->part_count; i++) {
        const fr_part_def *part = &in->parts[i];
        fr_bounds box = fr_mesh_get(part->mesh)->bounds;
        fr_vec3 center = fr_pose_apply(&part->pose, fr_bounds_center(&box));
        double reach = 0.5 * part->pose.scale * fr_vec3_distance(box.min, box.max);
        radius = fmax(radius, fr_vec3_distance(center, center_local) + reach);
    }
    return in->pose.scale * radius;
}

// How far a place in reach of the body goes with a pusher, at most.
static double pace_of(const push_run *run, const fr_motion *motion) {
    fr_vec3 pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    double arm = fr_vec3_distance(pivot, run->input->body.center) + run->radius + fr_vec3_length(motion->travel);
    return fr_vec3_length(motion->travel) + fr_vec3_length(motion->turn) * arm;
}

fr_status fr_touch_push(const fr_push_input *input, fr_push_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    push_run run = {.input = input, .output = output, .memory = input->scratch};
    status = take_pushers(&run, error);
    if (status != FR_OK) { return status; }
    output->pose = input->pose;
    status = fr_pose_check(&output->pose, error);
    if (status != FR_OK) { return status; }
    run.filter = input->filter != NULL ? *input->filter : fr_default_query_filter();
    run.filter.accept = accept;
    run.filter.context = &run;
    fr_pose back = fr_pose_inverse(&output->pose);
    run.center_local = fr_pose_apply(&back, input->body.center);
    run.radius = radius_of(input, run.center_local);
    run.rows.memory = run.memory;
    run.rows.cell = fmax(run.radius / input->pose.scale / CELLS, 1e-300);
    run.rows.large = LARGE * run.radius;
    for (uint32_t i = 0; i < input->pusher_count; i++) {
        run.pace = fmax(run.pace, pace_of(&run, &run.memory->pushers[i].motion));
    }
    status = go(&run, error);
    take_body(&run);
    output->fraction = run.at;
    if (status != FR_OK) { memset(output, 0, sizeof *output); }
    return status;
}
