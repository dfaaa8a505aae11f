// The body of a path query: its size, and the motion check.
#include "plan/path.h"

#include "shape/mesh_inset.h"

#include <string.h>

#define ARM 0.5            // of the reach: what a radian counts
#define SEARCH_GAP 4e-6    // of the reach, beyond the margin: what the checker cannot take back
#define JUDGE 1e-6         // of the reach
#define DEPTH_ALLOWED 1e-6 // of the world
#define MAX_DEPTH 1e-3     // of the reach

static fr_vec3 vertex_of(const fr_mesh_view *view, uint32_t i) {
    if (view->positions_double != NULL) {
        const double *p = view->positions_double + 3 * (size_t)i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = view->positions_float + 3 * (size_t)i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static void measure(fr__path_body *body) {
    const fr_path_input *q = body->input;
    double farthest = 0.0;
    for (uint32_t k = 0; k < q->part_count; k++) {
        const fr_mesh_view *view = fr_mesh_get(q->parts[k].mesh);
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            fr_vec3 p = fr_pose_apply(&q->parts[k].pose, vertex_of(view, i));
            farthest = fmax(farthest, fr_vec3_distance(p, q->pivot_local));
        }
    }
    fr_vec3 room = fr_vec3_sub(q->bounds.max, q->bounds.min);
    body->reach = fmax(q->start.scale * farthest, 1e-9 * fr_vec3_length(room));
    body->size = fr_vec3_length(room) + 2.0 * body->reach;
}

static bool is_finite(fr_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static fr_status check_numbers(const fr_path_input *q, fr_error *error) {
    if (!is_finite(q->pivot_local) || !is_finite(q->bounds.min) || !is_finite(q->bounds.max)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the pivot or the bounds are not finite");
    }
    if (fr_bounds_is_empty(&q->bounds)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the bounds have no inside"); }
    if (!(q->margin >= 0.0 && q->margin <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the margin is not in 0 .. 2^300");
    }
    for (uint32_t k = 0; k < q->part_count; k++) {
        fr_pose pose = q->parts[k].pose;
        if (q->parts[k].mesh == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has no mesh", k); }
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr__path_body_make(const fr_path_input *input, fr__path_body *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    if (input->space == NULL || input->parts == NULL || input->part_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space or no parts");
    }
    fr_status status = check_numbers(input, error);
    if (status != FR_OK) { return status; }
    if (!fr_space_is_current(input->space)) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the space was changed since its last update");
    }
    out->scratch = fr_allocate(&input->allocator, 1, sizeof *out->scratch, _Alignof(fr__path_scratch));
    if (out->scratch == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a motion's check"); }
    out->scratch->inset = NULL;
    out->scratch->status = FR_OK;
    out->input = input;
    out->depth = input->depth;
    out->seed = input->seed;
    measure(out);
    out->arm = ARM * out->reach;
    out->margin = input->margin + SEARCH_GAP * out->reach;
    out->tolerance = JUDGE * out->reach;
    return FR_OK;
}

static void free_inset(fr__path_body *body) {
    fr__path_scratch *scratch = body->scratch;
    for (uint32_t k = 0; scratch->inset != NULL && k < body->input->part_count; k++) {
        fr_mesh_release(scratch->inset[k].mesh);
    }
    fr_deallocate(&body->input->allocator, scratch->inset, body->input->part_count, sizeof *scratch->inset);
    scratch->inset = NULL;
}

fr_status fr__path_body_close(fr__path_body *body, fr_status status, fr_error *error) {
    if (status == FR_OK && body->scratch->status != FR_OK) {
        status = fr_error_set(error, body->scratch->status, "no memory for the body at rest");
    }
    free_inset(body);
    fr_deallocate(&body->input->allocator, body->scratch, 1, sizeof *body->scratch);
    body->scratch = NULL;
    return status;
}

static fr_status make_inset(fr__path_body *body, double depth) {
    const fr_path_input *q = body->input;
    const fr_allocator allocator = fr_allocator_or_default(&q->allocator);
    fr_part_def *parts = fr_allocate(&allocator, q->part_count, sizeof *parts, _Alignof(fr_part_def));
    fr_status status = parts != NULL ? FR_OK : FR_ERROR_MEMORY;
    for (uint32_t k = 0; parts != NULL && k < q->part_count; k++) {
        fr_mesh *mesh = NULL;
        parts[k] = q->parts[k];
        double scale = q->start.scale * parts[k].pose.scale;
        if (status == FR_OK) { status = fr__mesh_inset(parts[k].mesh, depth / scale, &allocator, &mesh, NULL); }
        parts[k].mesh = mesh;
    }
    body->scratch->inset = parts;
    return status;
}

void fr__path_set_inset(fr__path_body *body) {
    const double depth = fmin(MAX_DEPTH * body->reach, DEPTH_ALLOWED * body->size);
    if (body->scratch->inset == NULL) { body->scratch->status = make_inset(body, depth); }
    body->is_inset = true;
    body->margin = depth / 64.0;
    body->tolerance = depth / 256.0;
}

void fr__path_judge_strictly(fr__path_body *body) {
    body->margin = body->input->margin;
    body->tolerance = JUDGE * body->reach;
    body->is_inset = false;
}

// ---------------------------------------------------------------------------------------------------------------
// Motions

static fr_move_output check_motion(fr__path_body *body, const fr__path_others *others, const fr_motion *motion,
                                   fr_contact *contacts, uint32_t capacity) {
    const fr_path_input *q = body->input;
    fr_move_input input = fr_default_move_input();
    input.space = others->space;
    input.may_others_move = others->may_move;
    input.parts = body->is_inset ? body->scratch->inset : q->parts;
    input.part_count = q->part_count;
    input.motion = *motion;
    input.margin = body->margin;
    input.tolerance = body->tolerance;
    input.filter = others->filter;
    input.contacts = contacts;
    input.capacity = capacity;
    fr_move_output output;
    body->moves++;
    const fr__move_options options = {.memory = &body->scratch->memory};
    bool is_made = body->scratch->status == FR_OK;
    if (!is_made || fr__collide_move(&input, &options, &output, NULL) != FR_OK) {
        memset(&output, 0, sizeof output);
        output.is_hit = true;
    }
    return output;
}

fr_move_output fr__path_check_against(fr__path_body *body, const fr__path_others *others, const fr_motion *motion,
                                      fr_contact *contacts) {
    return check_motion(body, others, motion, contacts, contacts != NULL ? FR__PATH_CONTACTS : 0);
}

static fr__path_others standing(const fr__path_body *body) {
    return (fr__path_others){.space = body->input->space, .filter = body->input->filter};
}

fr_move_output fr__path_check_motion(fr__path_body *body, const fr_motion *motion, fr_contact *contacts) {
    const fr__path_others others = standing(body);
    return fr__path_check_against(body, &others, motion, contacts);
}

fr_move_output fr__path_check_pose(fr__path_body *body, const fr_pose *pose) {
    const fr__path_others others = standing(body);
    fr_motion still = fr_motion_still(pose);
    return check_motion(body, &others, &still, body->scratch->near, FR__PATH_NEAR);
}

// Leaves the displacements and turns that a body in the plane has.
static void flatten(const fr_path_input *q, fr_vec3 *displacement, fr_vec3 *turn) {
    double about = *fr__path_height(q, turn);
    *turn = fr_vec3_make(0.0, 0.0, 0.0);
    *fr__path_height(q, turn) = about;
    *fr__path_height(q, displacement) = 0.0;
}

void fr__path_slide_along(const fr__path_body *body, const fr__path_faces *faces, fr_vec3 pivot, fr_motion *motion) {
    const double arm2 = body->arm * body->arm;
    for (int round = 0; round < faces->rounds; round++) {
        bool is_done = true;
        for (uint32_t i = 0; i < faces->count; i++) {
            const fr_contact *c = &faces->contacts[i];
            fr_vec3 n = c->normal, lever = fr_vec3_cross(fr_vec3_sub(c->point, pivot), n);
            if (body->input->dimension == 2) { flatten(body->input, &n, &lever); }
            double lift = faces->lift + fmax(0.0, faces->distance - c->distance);
            double press = fr_vec3_dot(motion->travel, n) + fr_vec3_dot(motion->turn, lever) + lift;
            if (press <= 1e-9 * lift) { continue; }
            double part = press / (fr_vec3_length_squared(n) + fr_vec3_length_squared(lever) / arm2);
            if (!isfinite(part)) { continue; }
            motion->travel = fr_vec3_add_scaled(motion->travel, -part, n);
            motion->turn = fr_vec3_add_scaled(motion->turn, -part / arm2, lever);
            is_done = false;
        }
        if (is_done) { break; }
    }
}

fr_motion fr__path_motion(const fr__path_body *body, const fr_pose *from, const fr_pose *to) {
    return fr_motion_between(from, to, body->input->pivot_local);
}

double fr__path_size(const fr__path_body *body, const fr_motion *motion) {
    double turn = body->arm * fr_vec3_length(motion->turn);
    return sqrt(fr_vec3_length_squared(motion->travel) + turn * turn);
}

fr_vec3 fr__path_pivot(const fr__path_body *body, const fr_pose *pose) {
    return fr_pose_apply(pose, body->input->pivot_local);
}

bool fr__path_is_inside(const fr__path_body *body, const fr_pose *pose) {
    return fr_bounds_contain_point(&body->input->bounds, fr__path_pivot(body, pose));
}

void fr__path_report(const fr__path_body *body, const fr_pose *from, const fr_pose *to, bool is_goal) {
    const fr_path_input *q = body->input;
    if (q->on_branch == NULL) { return; }
    const fr_path_branch branch = {fr__path_pivot(body, from), fr__path_pivot(body, to), is_goal};
    q->on_branch(&branch, q->branch_context);
}

// Marsaglia: two points of the unit disc give one of the sphere in four dimensions.
fr_quat fr__path_random_turn(const fr__path_body *body, fr_random *random) {
    double a, b, c, d, ab, cd;
    do {
        a = fr_random_between(random, -1.0, 1.0);
        b = fr_random_between(random, -1.0, 1.0);
        ab = a * a + b * b;
    } while (ab >= 1.0 || ab == 0.0);
    if (body->input->dimension == 2) {
        double length = sqrt(ab);
        fr_vec3 turn = {0.0, 0.0, 0.0};
        *fr__path_height(body->input, &turn) = b / length;
        return (fr_quat){a / length, turn.x, turn.y, turn.z};
    }
    do {
        c = fr_random_between(random, -1.0, 1.0);
        d = fr_random_between(random, -1.0, 1.0);
        cd = c * c + d * d;
    } while (cd >= 1.0 || cd == 0.0);
    double s = sqrt((1.0 - ab) / cd);
    return (fr_quat){a, b, c * s, d * s};
}

fr_pose fr__path_pose_at(const fr__path_body *body, fr_vec3 pivot, fr_quat rotation) {
    fr_pose pose = {rotation, fr_vec3_make(0.0, 0.0, 0.0), body->input->start.scale};
    pose.position = fr_vec3_sub(pivot, fr_pose_apply(&pose, body->input->pivot_local));
    return pose;
}
