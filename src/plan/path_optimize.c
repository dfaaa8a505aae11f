// Making a path better: two points of it are chosen at random, and what is between them is replaced by something that
// costs less and is free.
#include "plan/path.h"

#include <string.h>

#define MIN_GAIN 1e-3    // of what is replaced
#define TURN_COST 20.0   // fewest turns: a radian, beside the arm
#define MOTION_COST 0.25 // fewest turns: a motion that turns, in reaches
#define TURNS 1e-9       // radians: below, a motion does not turn

typedef struct line {
    fr__path_body *body;
    fr__pose_array *poses;
    fr_path_objective objective;
    fr_random random;
} line;

static fr_pose *pose_of(const line *l, size_t i) { return l->poses->data + i; }

static double cost_between(const line *l, const fr_pose *a, const fr_pose *b) {
    fr_motion motion = fr__path_motion(l->body, a, b);
    if (l->objective != FR_PATH_FEWEST_TURNS) { return fr__path_size(l->body, &motion); }
    double turn = fr_vec3_length(motion.turn);
    double cost = fr_vec3_length(motion.travel) + TURN_COST * l->body->arm * turn;
    return turn > TURNS ? cost + MOTION_COST * l->body->reach : cost;
}

// A pose on the path: in the motion that begins at state `motion`.
static fr_pose pose_on(const line *l, size_t motion, double part) {
    fr_motion m = fr__path_motion(l->body, pose_of(l, motion), pose_of(l, motion + 1));
    return fr_motion_pose(&m, part);
}

// Puts `count` poses in the place of the states first + 1 .. last.
static bool replace(line *l, size_t first, size_t last, const fr_pose *with, size_t count) {
    size_t old = last - first, tail = l->poses->count - last - 1;
    if (count > old && fr__pose_array_push(l->poses, count - old) == NULL) { return false; }
    memmove(pose_of(l, first + 1 + count), pose_of(l, last + 1), tail * sizeof(fr_pose));
    memcpy(pose_of(l, first + 1), with, count * sizeof(fr_pose));
    l->poses->count = first + 1 + count + tail;
    return true;
}

static bool are_free(line *l, const fr_pose *poses, size_t count) {
    for (size_t i = 0; i + 1 < count; i++) {
        fr_motion motion = fr__path_motion(l->body, &poses[i], &poses[i + 1]);
        if (!fr__path_is_inside(l->body, &poses[i + 1]) || fr__path_check_motion(l->body, &motion, NULL).is_hit) {
            return false;
        }
    }
    return true;
}

// Paths from a to b: straight, or first the one and then the other of travel and turn.
static size_t propose(const line *l, uint64_t kind, const fr_pose *a, const fr_pose *b, fr_pose out[3]) {
    out[0] = *a;
    out[2] = *b;
    if (kind == 0) {
        out[1] = *b;
        return 2;
    }
    fr_vec3 at = fr__path_pivot(l->body, kind == 1 ? b : a);
    out[1] = fr__path_pose_at(l->body, at, kind == 1 ? a->rotation : b->rotation);
    return 3;
}

static void try_one(line *l) {
    size_t motions = l->poses->count - 1;
    double u = fr_random_unit(&l->random) * (double)motions, v = fr_random_unit(&l->random) * (double)motions;
    if (u > v) {
        double swap = u;
        u = v;
        v = swap;
    }
    size_t i = (size_t)u, j = (size_t)v;
    if (j >= motions) { return; }
    uint64_t kind = l->objective == FR_PATH_FEWEST_TURNS ? fr_random_below(&l->random, 3) : 0;
    // Whole states as often as points between them: they are where motions were stopped.
    fr_pose a = fr_random_below(&l->random, 2) == 0 ? *pose_of(l, i) : pose_on(l, i, u - (double)i);
    fr_pose b = fr_random_below(&l->random, 2) == 0 ? *pose_of(l, j + 1) : pose_on(l, j, v - (double)j);
    fr_pose between[5], *with = between + 1;
    size_t count = propose(l, kind, &a, &b, with);
    double old = cost_between(l, pose_of(l, i), pose_of(l, i + 1)), fresh = cost_between(l, pose_of(l, i), &a);
    for (size_t k = i + 1; k <= j; k++) {
        old += cost_between(l, pose_of(l, k), pose_of(l, k + 1));
    }
    for (size_t k = 0; k + 1 < count; k++) {
        fresh += cost_between(l, &with[k], &with[k + 1]);
    }
    fresh += cost_between(l, &b, pose_of(l, j + 1));
    if (fresh >= old * (1.0 - MIN_GAIN)) { return; }
    between[0] = *pose_of(l, i);
    with[count] = *pose_of(l, j + 1);
    if (!are_free(l, between, count + 2)) { return; }
    (void)replace(l, i, j + 1, with, count + 1);
}

// Two states at one place are one.
static void drop_repeats(line *l) {
    size_t count = 1;
    for (size_t i = 1; i < l->poses->count; i++) {
        fr_motion motion = fr__path_motion(l->body, pose_of(l, count - 1), pose_of(l, i));
        bool is_last = i + 1 == l->poses->count;
        if (fr__path_size(l->body, &motion) <= 1e-9 * l->body->reach) {
            if (is_last && count > 1) { *pose_of(l, count - 1) = *pose_of(l, i); }
            if (!is_last || count > 1) { continue; }
        }
        *pose_of(l, count++) = *pose_of(l, i);
    }
    l->poses->count = count;
}

bool fr__path_optimize(fr__path_body *body, fr__pose_array *poses, fr_path_objective objective, uint64_t moves) {
    line l = {body, poses, objective, fr_random_seed(body->input->seed ^ 0x706f6c697368u)};
    uint64_t first = body->moves, tries = 0;
    bool is_stopped = false;
    while (body->moves - first < moves && tries++ < 20 * moves && poses->count > 2 && !is_stopped) {
        try_one(&l);
        is_stopped = fr_control_is_stopped(body->input->control);
        if (tries % 16 == 0) {
            fr_control_progress(body->input->control, (double)(body->moves - first) / (double)moves, "improving");
        }
    }
    drop_repeats(&l);
    return is_stopped;
}

// ---------------------------------------------------------------------------------------------------------------
// Clearance

bool fr__path_is_free(fr__path_body *body, const fr_pose *poses, size_t count, size_t *motion, fr_move_output *move) {
    if (count == 1) {
        fr_motion still = fr_motion_still(poses);
        *move = fr__path_check_motion(body, &still, NULL);
        *motion = 0;
        return !move->is_hit;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        fr_motion m = fr__path_motion(body, &poses[i], &poses[i + 1]);
        *move = fr__path_check_motion(body, &m, NULL);
        *motion = i;
        if (move->is_hit) { return false; }
    }
    return true;
}

double fr__path_clearance_by(fr__path_body *body, double max_clearance, fr__path_is_free_fn *is_free, void *context) {
    const double given = body->margin;
    double low = 0.0, high = 0.0;
    // Stage 1: double while it is free; a small distance costs little to check, a large one much
    for (double part = 0x1p-20; part <= 1.0 && high == 0.0; part *= 2.0) {
        body->margin = part * max_clearance;
        *(is_free(context) ? &low : &high) = body->margin;
    }
    // Stage 2: between what is free and what is not
    for (int i = 0; i < 5 && low > 0.0 && high > 0.0; i++) {
        body->margin = 0.5 * (low + high);
        *(is_free(context) ? &low : &high) = body->margin;
    }
    body->margin = given;
    return low;
}

typedef struct still_path {
    fr__path_body *body;
    const fr_pose *poses;
    size_t count;
} still_path;

static bool is_still_free(void *context) {
    const still_path *p = context;
    fr_move_output move;
    size_t motion;
    return fr__path_is_free(p->body, p->poses, p->count, &motion, &move);
}

double fr__path_clearance(fr__path_body *body, const fr_pose *poses, size_t count, double max_clearance) {
    still_path path = {body, poses, count};
    return fr__path_clearance_by(body, max_clearance, is_still_free, &path);
}
