// Whether the rigid pieces of an arm stay clear of the objects of a space and of the body's own trunk: at one posture,
// and along a planned reach.
#include "human/reach_plan.h"

#include "fureai/collide.h"
#include "human/piece_depth.h"
#include "posture.h"

#include <math.h>
#include <string.h>

#define TURN_STEP 0.07   // radians that the links of an arm turn between two samples of a path, in sum
#define SAMPLES_MIN 6u   // of a path
#define SAMPLES_MAX 96u  // likewise
#define EXCESS_MAX 0.05  // radians beyond the limits that a curve is brought back by
#define DEPTH_SLACK 5e-4 // metres that a piece may go deeper into what it touches from the start
#define TOUCH_STEP 1e-3  // metres that a piece moves between two looks at what it touches from the start
#define TOUCH_LOOKS_MAX 256.0
#define FINAL_PART 0.6    // of a path, after which a piece may touch the part of the trunk that it touches at the end
#define MITTEN_SPREAD 0.1 // radians between the first joints of fingers that one mitten stands for

// ---------------------------------------------------------------------------------------------------------------
// The pieces that move

static bool is_below(const fr_skeleton_view *view, uint32_t link, uint32_t ancestor) {
    while (link != FR_NO_LINK && link != ancestor) {
        link = view->parents[link];
    }
    return link == ancestor;
}

static fr__clear_piece *add_piece(fr__clear *clear, const fr_figure_proxy *proxy, uint32_t inner_count) {
    FR_ASSERT(clear->piece_count < FR__CLEAR_MAX_PIECES);
    fr__clear_piece *piece = &clear->pieces[clear->piece_count++];
    *piece = (fr__clear_piece){.mesh = proxy->mesh, .link = proxy->link, .inner_count = inner_count};
    return piece;
}

// Whether the four fingers bend alike at their first joints, so that one mitten stands for them.
static bool is_mitten(const fr__clear *clear, uint32_t thumb_role) {
    const fr_posture *posture = clear->input->posture;
    fr_quat middle = posture->turns[clear->view->roles[thumb_role + 5]];
    for (uint32_t finger = 0; finger < 4; finger++) {
        fr_quat turn = posture->turns[clear->view->roles[thumb_role + 2 + 3 * finger]];
        fr_quat apart = fr__quat_product(fr_quat_conjugate(middle), turn);
        if (fabs(apart.w) < fr_cos(0.5 * MITTEN_SPREAD)) { return false; }
    }
    return true;
}

// The pieces of a hand: mitten and thumb, where these stand for the phalanges after them; else the phalanges alone.
static void add_hand(fr__clear *clear, const fr_figure_view *figure, bool is_left) {
    uint32_t thumb = is_left ? FR_LINK_LEFT_THUMB_1 : FR_LINK_RIGHT_THUMB_1, first = is_left ? 14 : 0;
    const fr_figure_proxy *mitten = &figure->proxies[FR_BODY_LINK_COUNT + (is_left ? 2 : 0)];
    bool may_change = clear->input->fingers != NULL && is_left == (clear->input->side == FR_LEFT);
    if (!may_change && is_mitten(clear, thumb)) { add_piece(clear, mitten, 12)->may_meet_trunk = true; }
    for (uint32_t i = 2; i < 14; i++) {
        fr__clear_piece *piece = add_piece(clear, &figure->phalanxes[first + i], 0);
        piece->is_finger = true;
        piece->is_tip = i == 4;
    }
    if (!may_change) { add_piece(clear, mitten + 1, 2); }
    for (uint32_t i = 0; i < 2; i++) {
        add_piece(clear, &figure->phalanxes[first + i], 0)->is_finger = true;
    }
}

static void add_pieces(fr__clear *clear, uint32_t first_link) {
    const fr_figure_view *figure = fr_figure_get(clear->input->figure);
    const uint32_t *roles = clear->view->roles;
    for (int side = 0; side < 2; side++) {
        bool is_left = (side == 0) == (clear->input->side == FR_LEFT);
        uint32_t upper = is_left ? FR_LINK_LEFT_UPPER_ARM : FR_LINK_RIGHT_UPPER_ARM;
        if (!is_below(clear->view, roles[upper], first_link)) { continue; }
        add_hand(clear, figure, is_left);
        for (uint32_t i = 3; i > 0; i--) {
            add_piece(clear, &figure->proxies[upper + i - 1], 0)->may_meet_trunk = i > 1;
        }
        if (side == 0) { clear->arm_count = clear->piece_count; }
    }
    static const fr_link trunk[FR__CLEAR_TRUNK] = {FR_LINK_HIP, FR_LINK_CHEST, FR_LINK_HEAD, FR_LINK_RIGHT_THIGH,
                                                   FR_LINK_LEFT_THIGH};
    for (uint32_t i = 0; i < FR__CLEAR_TRUNK; i++) {
        const fr_figure_proxy *proxy = &figure->proxies[trunk[i]];
        clear->trunk[i] = proxy->mesh;
        clear->trunk_links[i] = proxy->link;
        if (is_below(clear->view, proxy->link, first_link)) { add_piece(clear, proxy, 0); }
    }
    clear->trunk_count = FR__CLEAR_TRUNK;
}

static fr_pose piece_pose(const fr__clear *clear, uint32_t piece) {
    return fr__link_pose(clear->view, &clear->posture, clear->pieces[piece].link);
}

static uint32_t thumb_role(const fr__clear *clear) {
    return clear->input->side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
}

// Puts the arm, and the fingers as they are at a parameter of the path.
static void set_turns(fr__clear *clear, const fr_reach_plan *plan, const fr__arm_turns *turns, double u) {
    for (uint32_t i = 0; clear->input->fingers != NULL && i < FR__HAND_LINKS; i++) {
        uint32_t link = clear->view->roles[thumb_role(clear) + i];
        clear->turns[link] = fr__turn_between(clear->input->posture->turns[link], clear->input->fingers[i], u);
    }
    for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
        clear->turns[plan->links[i]] = turns->turns[i];
    }
    const fr_quat *chest = &clear->input->posture->turns[plan->links[0]];
    clear->has_lean = memcmp(chest, &turns->turns[0], sizeof *chest) != 0;
}

// How many of the pieces move.
static uint32_t moving_count(const fr__clear *clear) { return clear->has_lean ? clear->piece_count : clear->arm_count; }

// ---------------------------------------------------------------------------------------------------------------
// Against the space

// Which objects a piece is checked against: the caller's, and not those that it touches from the start.
typedef struct touch_filter {
    const fr__clear *clear;
    uint32_t piece;
} touch_filter;

static bool accept(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const touch_filter *f = context;
    const fr_query_filter *outer = f->clear->input->filter;
    bool may_touch = f->clear->stage == FR__CLEAR_LEAVING ||
                     (f->clear->stage == FR__CLEAR_FINAL && f->clear->pieces[f->piece].is_finger);
    if (may_touch && fr_object_id_equal(a, f->clear->input->touched)) { return false; }
    for (uint32_t i = 0; i < f->clear->touch_count; i++) {
        const fr__clear_touch *touch = &f->clear->touches[i];
        if ((f->clear->touching >> i & 1u) == 0) { continue; }
        if (touch->piece == f->piece && fr_object_id_equal(a, touch->object)) { return false; }
    }
    return outer == NULL || outer->accept == NULL || outer->accept(space, a, b, outer->context);
}

static fr_query_filter filter_of(touch_filter *context) {
    const fr_query_filter *outer = context->clear->input->filter;
    fr_query_filter filter = outer != NULL ? *outer : fr_default_query_filter();
    filter.accept = accept;
    filter.context = context;
    return filter;
}

// Whether a piece meets something on a motion.
static bool moves_into(fr__clear *clear, uint32_t piece, const fr_motion *motion) {
    if (clear->stage == FR__CLEAR_FINAL && clear->input->is_tip && clear->pieces[piece].is_tip) { return false; }
    fr_part_def part = fr_default_part_def();
    part.mesh = clear->pieces[piece].mesh;
    touch_filter context = {clear, piece};
    fr_query_filter filter = filter_of(&context);
    fr_move_input move = fr_default_move_input();
    move.space = clear->input->space;
    move.parts = &part;
    move.part_count = 1;
    move.motion = *motion;
    move.margin = clear->input->clearance;
    move.filter = clear->touching != 0 || clear->stage != FR__CLEAR_PATH ? &filter : clear->input->filter;
    fr_move_output output;
    fr_status status = fr_collide_move(&move, &output, clear->error);
    if (status != FR_OK) {
        clear->status = status;
        return true;
    }
    if (!output.is_hit) { return false; }
    clear->obstacle = output.first;
    clear->link = clear->pieces[piece].link;
    return true;
}

// A piece where it is, and the object that it touches from the start.
static fr__placed_piece placed(const fr__clear *clear, const fr__clear_touch *touch) {
    return (fr__placed_piece){.space = clear->input->space,
                              .mesh = clear->pieces[touch->piece].mesh,
                              .pose = piece_pose(clear, touch->piece),
                              .object = touch->object};
}

// Whether a piece is deeper in what it touches from the start than it was then; notes what all pieces have left.
static bool is_deeper(fr__clear *clear, uint32_t *left) {
    *left = 0;
    for (uint32_t i = 0; i < clear->touch_count; i++) {
        const fr__clear_touch *touch = &clear->touches[i];
        if ((clear->touching >> i & 1u) == 0) { continue; }
        fr__placed_piece piece = placed(clear, touch);
        if (!fr__piece_meets(&piece, clear->input->clearance) && !fr__piece_is_inside(&piece)) {
            *left |= 1u << i;
            continue;
        }
        if (fr__piece_depth(&piece) <= touch->depth + DEPTH_SLACK) { continue; }
        clear->obstacle = (fr_contact){.b = touch->object};
        clear->link = clear->pieces[touch->piece].link;
        return true;
    }
    return false;
}

// How far a point of a piece that still touches something moves at most from where it was, to where it is.
static double touching_travel(const fr__clear *clear, const fr_pose *before) {
    double most = 0.0;
    for (uint32_t i = 0; i < clear->touch_count; i++) {
        if ((clear->touching >> i & 1u) == 0) { continue; }
        uint32_t piece = clear->touches[i].piece;
        const fr_bounds *box = &fr_mesh_get(clear->pieces[piece].mesh)->bounds;
        fr_pose now = piece_pose(clear, piece);
        fr_quat turn = fr__quat_product(fr_quat_conjugate(before[piece].rotation), now.rotation);
        double angle = 2.0 * fr_acos(fmin(1.0, fabs(turn.w)));
        fr_vec3 center = fr_bounds_center(box);
        double travel = fr_vec3_distance(fr_pose_apply(&before[piece], center), fr_pose_apply(&now, center));
        most = fmax(most, travel + 0.5 * angle * fr_vec3_distance(box->min, box->max));
    }
    return most;
}

// Whether a piece goes deeper into what it touches from the start between two samples of a path, where `before` are the
// poses of the pieces at the first of them: it could go through a thin plate from one to the other. What it has left at
// the second counts like everything else from there on.
static bool goes_deeper(fr__clear *clear, const fr_reach_plan *plan, const fr_pose *before, double from, double to) {
    if (clear->touching == 0) { return false; }
    double looks = ceil(fmin(touching_travel(clear, before) / TOUCH_STEP, TOUCH_LOOKS_MAX));
    uint32_t left = 0;
    for (double k = 1.0; k <= fmax(looks, 1.0); k += 1.0) {
        double u = k < looks ? from + (to - from) * (k / looks) : to;
        fr__arm_turns turns = fr__reach_plan_at(clear->input->skeleton, plan, u);
        set_turns(clear, plan, &turns, u);
        if (is_deeper(clear, &left)) { return true; }
    }
    clear->touching &= ~left;
    return false;
}

static void add_touch(fr__clear *clear, uint32_t piece, fr_object_id object) {
    clear->touching |= 1u << clear->touch_count;
    fr__clear_touch *touch = &clear->touches[clear->touch_count++];
    *touch = (fr__clear_touch){.piece = piece, .object = object};
    fr__placed_piece here = placed(clear, touch);
    touch->depth = fr__piece_depth(&here);
}

// The object that all of a piece is in, of those that it does not meet; null: none.
static fr_object_id find_outer(fr__clear *clear, uint32_t piece) {
    fr_pose pose = piece_pose(clear, piece);
    touch_filter context = {clear, piece};
    fr_query_filter filter = filter_of(&context);
    fr_space_closest closest;
    fr_vec3 point = fr_pose_apply(&pose, fr__piece_corner(fr_mesh_get(clear->pieces[piece].mesh), 0));
    clear->status = fr_space_closest_point(clear->input->space, point, 1e-6, true, &filter, &closest, clear->error);
    bool is_in = clear->status == FR_OK && closest.object.index1 != 0 && closest.distance < 0.0;
    return is_in ? closest.object : (fr_object_id){0};
}

// Notes what the pieces touch at the start, one object after another, and what they are in.
static void find_touches(fr__clear *clear) {
    for (uint32_t i = 0; i < clear->piece_count && clear->touch_count < FR__CLEAR_MAX_TOUCHES; i++) {
        fr_pose pose = piece_pose(clear, i);
        fr_motion still = fr_motion_still(&pose);
        if (clear->pieces[i].inner_count > 0) { continue; } // those that it stands for are looked at where it touches
        while (clear->touch_count < FR__CLEAR_MAX_TOUCHES && moves_into(clear, i, &still)) {
            if (clear->status != FR_OK) { return; }
            add_touch(clear, i, clear->obstacle.b);
        }
        fr_object_id outer = clear->touch_count < FR__CLEAR_MAX_TOUCHES ? find_outer(clear, i) : (fr_object_id){0};
        if (clear->status != FR_OK) { return; }
        if (outer.index1 != 0) { add_touch(clear, i, outer); }
    }
}

void fr__clear_begin(fr__clear *clear, const fr_reach_plan_input *input, uint32_t first_link, fr_error *error) {
    clear->input = input;
    clear->view = fr_skeleton_get(input->skeleton);
    clear->piece_count = clear->arm_count = clear->trunk_count = clear->touch_count = clear->touching = 0;
    clear->has_lean = false;
    clear->stage = FR__CLEAR_PATH;
    clear->obstacle = (fr_contact){0};
    clear->link = FR_NO_LINK;
    clear->status = FR_OK;
    clear->error = error;
    clear->posture = *input->posture;
    clear->posture.turns = clear->turns;
    memcpy(clear->turns, input->posture->turns, input->posture->count * sizeof *clear->turns);
    if (input->figure == NULL) { return; }
    add_pieces(clear, first_link);
    if (input->space != NULL) { find_touches(clear); }
}

// ---------------------------------------------------------------------------------------------------------------
// Against the body itself

typedef struct trunk_state {
    bool may_touch[FR__CLEAR_MAX_PIECES][FR__CLEAR_TRUNK]; // has touched from the start on
    bool is_goal[FR__CLEAR_MAX_PIECES][FR__CLEAR_TRUNK];   // touches at the end
} trunk_state;

static size_t points_of(const fr_mesh *mesh, const fr_pose *pose, fr_vec3 *points) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    uint32_t count = view->vertex_count < FR__CLEAR_POINTS ? view->vertex_count : FR__CLEAR_POINTS;
    for (uint32_t i = 0; i < count; i++) {
        points[i] = fr_pose_apply(pose, fr__piece_corner(view, i));
    }
    return count;
}

// Whether the balls about the boxes of two pieces are apart.
static bool are_balls_apart(const fr_mesh *a, const fr_pose *pose_a, const fr_mesh *b, const fr_pose *pose_b) {
    const fr_bounds *box_a = &fr_mesh_get(a)->bounds, *box_b = &fr_mesh_get(b)->bounds;
    double reach = 0.5 * (fr_vec3_distance(box_a->min, box_a->max) + fr_vec3_distance(box_b->min, box_b->max));
    fr_vec3 center_a = fr_pose_apply(pose_a, fr_bounds_center(box_a));
    return fr_vec3_distance(center_a, fr_pose_apply(pose_b, fr_bounds_center(box_b))) > reach;
}

static bool is_in_trunk(const fr__clear *clear, uint32_t piece, uint32_t trunk) {
    fr_pose pose = piece_pose(clear, piece);
    fr_pose body = fr__link_pose(clear->view, &clear->posture, clear->trunk_links[trunk]);
    const fr_mesh *mesh = clear->pieces[piece].mesh;
    if (are_balls_apart(mesh, &pose, clear->trunk[trunk], &body)) { return false; }
    fr_vec3 a[FR__CLEAR_POINTS], b[FR__CLEAR_POINTS];
    fr_convex first = {a, points_of(mesh, &pose, a), 0.0};
    fr_convex second = {b, points_of(clear->trunk[trunk], &body, b), 0.0};
    return fr_gjk(&first, &second, fr_vec3_sub(body.position, pose.position)).distance <= 0.0;
}

// Follows the pieces over one more sample at u; false where one goes into the trunk and does not end there.
static bool stays_off_trunk(fr__clear *clear, trunk_state *state, double u) {
    for (uint32_t i = 0; i < moving_count(clear); i++) {
        if (!clear->pieces[i].may_meet_trunk) { continue; }
        for (uint32_t k = 0; k < clear->trunk_count; k++) {
            bool is_in = is_in_trunk(clear, i, k), *may_touch = &state->may_touch[i][k];
            if (u == 1.0) { state->is_goal[i][k] = is_in; }
            if (u == 0.0) { *may_touch = is_in; }
            if (is_in && !*may_touch && !(u > FINAL_PART && state->is_goal[i][k])) {
                clear->obstacle = (fr_contact){0};
                clear->link = clear->pieces[i].link;
                return false;
            }
            *may_touch = *may_touch && is_in;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// At a posture, along a path

// Calls for each piece that must be looked at; a piece that stands for others is followed by them only where it hits.
static bool are_moves_clear(fr__clear *clear, const fr_pose *before) {
    for (uint32_t i = 0; i < moving_count(clear); i++) {
        fr_pose now = piece_pose(clear, i);
        fr_motion motion =
            before != NULL ? fr_motion_between(&before[i], &now, (fr_vec3){0.0, 0.0, 0.0}) : fr_motion_still(&now);
        bool is_hit = moves_into(clear, i, &motion);
        if (clear->status != FR_OK) { return false; }
        if (is_hit && clear->pieces[i].inner_count == 0) { return false; }
        if (!is_hit) { i += clear->pieces[i].inner_count; }
    }
    return true;
}

bool fr__clear_at(fr__clear *clear, const fr_reach_plan *plan, const fr__arm_turns *turns, double u) {
    set_turns(clear, plan, turns, u);
    clear->touching = 0;
    return clear->input->space == NULL || clear->piece_count == 0 || are_moves_clear(clear, NULL);
}

// Samples of a path, so near that the motion of a piece between two of them is that of its links.
static uint32_t sample_count(const fr_reach_plan *plan) {
    double sum = 0.0;
    for (uint32_t k = 1; k < plan->knot_count; k++) {
        for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
            sum += fr_vec3_distance(plan->knots[k][i], plan->knots[k - 1][i]);
        }
    }
    double wanted = ceil(sum / TURN_STEP);
    return wanted < SAMPLES_MIN ? SAMPLES_MIN : wanted > SAMPLES_MAX ? SAMPLES_MAX : (uint32_t)wanted;
}

bool fr__clear_between(fr__clear *clear, const fr_reach_plan *plan, const fr__arm_turns *from, const fr__arm_turns *to,
                       fr__clear_stage stage) {
    if (clear->input->space == NULL || clear->piece_count == 0) { return true; }
    fr_pose before[FR__CLEAR_MAX_PIECES];
    set_turns(clear, plan, from, 1.0);
    for (uint32_t i = 0; i < clear->piece_count; i++) {
        before[i] = piece_pose(clear, i);
    }
    set_turns(clear, plan, to, 1.0);
    clear->touching = 0;
    clear->stage = stage;
    bool is_clear = are_moves_clear(clear, before);
    clear->stage = FR__CLEAR_PATH;
    return is_clear;
}

bool fr__clear_along(fr__clear *clear, const fr_reach_plan *plan) {
    const fr_skeleton *skeleton = clear->input->skeleton;
    uint32_t count = sample_count(plan);
    fr_pose before[FR__CLEAR_MAX_PIECES];
    trunk_state state = {0};
    for (uint32_t k = 0; k <= count; k++) {
        if (fr__reach_plan_excess(skeleton, plan, (double)k / count) > EXCESS_MAX) { return false; }
    }
    if (clear->piece_count == 0) { return true; }
    fr__arm_turns turns = fr__reach_plan_at(skeleton, plan, 1.0);
    set_turns(clear, plan, &turns, 1.0);
    (void)stays_off_trunk(clear, &state, 1.0);
    clear->touching = (1u << clear->touch_count) - 1u;
    for (uint32_t k = 0; k <= count; k++) {
        turns = fr__reach_plan_at(skeleton, plan, (double)k / count);
        set_turns(clear, plan, &turns, (double)k / count);
        bool has_moved = k > 0 && clear->input->space != NULL;
        if (has_moved && !are_moves_clear(clear, before)) { return false; }
        if (has_moved && goes_deeper(clear, plan, before, (double)(k - 1) / count, (double)k / count)) { return false; }
        if (k < count && !stays_off_trunk(clear, &state, (double)k / count)) { return false; }
        for (uint32_t i = 0; i < clear->piece_count; i++) {
            before[i] = piece_pose(clear, i);
        }
    }
    return true;
}

bool fr__clear_course(fr__clear *clear, bool has_lean, uint32_t first, uint32_t last, fr__clear_course_fn *course,
                      void *context) {
    if (clear->piece_count == 0) { return true; }
    fr_pose before[FR__CLEAR_MAX_PIECES];
    trunk_state state = {0};
    clear->touching = 0;
    for (uint32_t k = first; k <= last; k++) {
        course(k, &clear->posture, context);
        clear->has_lean = has_lean;
        if (clear->input->space != NULL && !are_moves_clear(clear, k > first ? before : NULL)) { return false; }
        clear->has_lean = false; // the other arm is another's
        if (!stays_off_trunk(clear, &state, k > first ? 0.5 : 0.0)) { return false; }
        for (uint32_t i = 0; i < clear->piece_count; i++) {
            before[i] = piece_pose(clear, i);
        }
    }
    return true;
}

bool fr__clear_motion(fr__clear *clear, bool has_lean, uint32_t samples, fr__clear_motion_fn *motion, void *context) {
    if (clear->piece_count == 0 || clear->input->space == NULL) { return true; }
    fr_pose before[FR__CLEAR_MAX_PIECES];
    clear->touching = 0;
    for (uint32_t i = 0; i < clear->touch_count; i++) {
        bool may_touch =
            clear->stage == FR__CLEAR_LEAVING && fr_object_id_equal(clear->touches[i].object, clear->input->touched);
        clear->touching |= may_touch ? 0u : 1u << i;
    }
    for (uint32_t k = 0; k <= samples; k++) {
        motion((double)k / samples, &clear->posture, context);
        clear->has_lean = has_lean;
        if (k > 0 && !are_moves_clear(clear, before)) { return false; }
        // Between two samples a piece could go through a thin plate that it touches from the start.
        double looks = k > 0 && clear->touching != 0
                           ? fmin(ceil(touching_travel(clear, before) / TOUCH_STEP), TOUCH_LOOKS_MAX)
                           : 0.0;
        uint32_t left = 0;
        for (double i = 1.0; i <= looks; i += 1.0) {
            motion(((double)(k - 1) + i / looks) / samples, &clear->posture, context);
            if (is_deeper(clear, &left)) { return false; }
        }
        clear->touching &= ~left;
        for (uint32_t i = 0; i < clear->piece_count; i++) {
            before[i] = piece_pose(clear, i);
        }
    }
    return true;
}

bool fr__clear_hand(fr__clear *clear, const fr_posture *body, uint32_t palm_link, const fr_pose *palm) {
    if (clear->piece_count == 0 || clear->input->space == NULL) { return true; }
    memcpy(clear->turns, body->turns, body->count * sizeof *clear->turns);
    clear->posture.place = body->place;
    clear->touching = 0;
    fr_pose now = fr__link_pose(clear->view, &clear->posture, palm_link), back = fr_pose_inverse(&now);
    for (uint32_t i = 0; i < clear->arm_count; i++) {
        if (!is_below(clear->view, clear->pieces[i].link, palm_link)) { continue; }
        fr_pose pose = piece_pose(clear, i), local = fr_pose_compose(&back, &pose);
        pose = fr_pose_compose(palm, &local);
        fr_motion still = fr_motion_still(&pose);
        bool is_hit = moves_into(clear, i, &still);
        if (is_hit && clear->pieces[i].inner_count == 0) { return false; }
        if (!is_hit) { i += clear->pieces[i].inner_count; }
    }
    return true;
}
