// Looks ahead along a walk, and leads it round obstacles.
#include "human/walk_look.h"

#include "fureai/collide.h"
#include "human/piece_depth.h"
#include "human/posture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STRIDE 2u         // frames between two postures that are looked at
#define CLEARANCE 0.005   // metres that the pieces keep away from objects
#define LOW 0.02          // metres over the ground below which nothing stops a foot
#define LEAVE_SECONDS 1.0 // within which a piece leaves what it touches when the walk begins
#define DEPTH_SLACK 5e-4  // metres that it may go deeper until then
#define TOUCHES_MAX 32u   // pieces that touch something then
#define TRIES_MAX 100u    // walks that are looked at
#define LINES_MAX 400u    // routes whose lines are looked at
#define ROUTES_MAX 120u   // that are remembered
#define VIAS_MAX 4u       // points of a route
#define BESIDE 0.48       // leg lengths from an obstacle to a point beside it
#define AROUND 0.75       // leg lengths from the ends of a walk to the points from which, or by which, it may go
#define AROUND_COUNT 8
#define NEARER 0.45 // of that distance, for places from which only a small step is free
#define SAME 0.1    // metres between two points of a route
#define STOP 0.4    // metres that a person walks farther to save a turn
#define CORE 0.11   // leg lengths: half the width of what of a body fills the whole line that it walks along

// A piece that touches an object as the walk begins.
typedef struct first_touch {
    uint32_t piece;
    fr_object_id object;
    bool is_in;   // it goes through faces of the object then, and so must come out; others are only too near
    double depth; // then, metres
    bool is_left; // by now
} first_touch;

// What is looked at, and what was found.
typedef struct look_ahead {
    const fr_skill_input *input;
    const fr_figure_view *figure;
    const fr_skeleton_view *view;
    double ground;
    fr_pose before[FR_FIGURE_PROXY_COUNT]; // of the pieces at the posture that was looked at last
    first_touch touches[TOUCHES_MAX];
    uint32_t touch_count;
    uint32_t piece; // of the query
    const first_touch *only;
    fr_posture posture;
    fr_quat turns[FR_MAX_LINKS];

    // The obstacle that was found.
    fr_contact obstacle;
    uint32_t link;
    fr_vec3 place; // of the hips
    bool is_clear;
    fr_status status;
    fr_error *error;
} look_ahead;

// ---------------------------------------------------------------------------------------------------------------
// One posture

static bool is_accepted(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const look_ahead *l = context;
    const fr_query_filter *outer = l->input->filter;
    if (l->only != NULL) { return fr_object_id_equal(a, l->only->object); }
    for (uint32_t i = 0; i < l->touch_count; i++) {
        const first_touch *touch = &l->touches[i];
        if (!touch->is_left && touch->piece == l->piece && fr_object_id_equal(a, touch->object)) { return false; }
    }
    return outer == NULL || outer->accept == NULL || outer->accept(space, a, b, outer->context);
}

static bool is_foot(uint32_t piece) {
    fr_link link = (fr_link)fr_figure_proxy_link(piece);
    return link == FR_LINK_RIGHT_FOOT || link == FR_LINK_LEFT_FOOT;
}

// Where a piece is; a foot is lifted over what is low enough to be trodden on.
static fr_pose piece_pose(const look_ahead *l, uint32_t piece, const fr_posture *posture) {
    fr_pose pose = fr__link_pose(l->view, posture, l->figure->proxies[piece].link);
    if (is_foot(piece)) { pose.position.y += LOW; }
    return pose;
}

static bool meets(look_ahead *l, uint32_t piece, const fr_motion *motion, double margin) {
    fr_part_def part = fr_default_part_def();
    part.mesh = l->figure->proxies[piece].mesh;
    fr_query_filter filter = l->input->filter != NULL ? *l->input->filter : fr_default_query_filter();
    filter.accept = is_accepted;
    filter.context = l;
    l->piece = piece;
    fr_move_input move = fr_default_move_input();
    move.space = l->input->space;
    move.parts = &part;
    move.part_count = 1;
    move.motion = *motion;
    move.margin = margin;
    move.filter = &filter;
    fr_move_output output;
    l->status = fr_collide_move(&move, &output, l->error);
    if (l->status != FR_OK) { return true; }
    if (output.is_hit) { l->obstacle = output.first; }
    return output.is_hit;
}

// Whether anything is near the body at all, between the postures before and now.
static bool is_anything_near(look_ahead *l, const fr_pose *now) {
    fr_bounds box = fr_bounds_empty();
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_bounds *own = &fr_mesh_get(l->figure->proxies[i].mesh)->bounds;
        double radius = 0.5 * fr_vec3_distance(own->min, own->max) + CLEARANCE;
        const fr_pose *poses[2] = {&l->before[i], &now[i]};
        for (int k = 0; k < 2; k++) {
            fr_vec3 middle = fr_pose_apply(poses[k], fr_bounds_center(own)), half = {radius, radius, radius};
            box = fr_bounds_with_point(&box, fr_vec3_sub(middle, half));
            box = fr_bounds_with_point(&box, fr_vec3_add(middle, half));
        }
    }
    box.min.y = fmax(box.min.y, l->ground + LOW - CLEARANCE);
    fr_overlap_shape shape = {.kind = FR_OVERLAP_BOX, .box = box};
    fr_space_item item;
    uint32_t count = 0;
    l->status = fr_space_overlap(l->input->space, &shape, l->input->filter, &item, 1, &count, l->error);
    return l->status != FR_OK || count > 0;
}

// A piece at a pose, and the object that it touches as the walk begins.
static fr__placed_piece placed(const look_ahead *l, const first_touch *touch, const fr_pose *pose) {
    return (fr__placed_piece){.space = l->input->space,
                              .mesh = l->figure->proxies[touch->piece].mesh,
                              .pose = *pose,
                              .object = touch->object};
}

// Whether a piece goes into an object that it was only too near to when the walk began, or deeper than it was.
static bool goes_deeper(look_ahead *l, const fr_pose *now) {
    bool is_deeper = false;
    for (uint32_t i = 0; i < l->touch_count && !is_deeper; i++) {
        const first_touch *touch = &l->touches[i];
        if (touch->is_left) { continue; }
        const fr_pose *pose = &now[touch->piece];
        l->link = l->figure->proxies[touch->piece].link;
        if (touch->is_in) {
            fr__placed_piece piece = placed(l, touch, pose);
            is_deeper = fr__piece_depth(&piece) > touch->depth + DEPTH_SLACK;
            if (is_deeper) { l->obstacle = (fr_contact){.b = touch->object}; }
            continue;
        }
        fr_motion motion = fr_motion_between(&l->before[touch->piece], pose, (fr_vec3){0.0, 0.0, 0.0});
        l->only = touch;
        is_deeper = meets(l, touch->piece, &motion, 0.0);
        l->only = NULL;
    }
    return is_deeper;
}

// Which of the first touches are left by now; one that lasts too long is an obstacle.
static bool are_touches_left(look_ahead *l, uint32_t frame, const fr_pose *now) {
    for (uint32_t i = 0; i < l->touch_count; i++) {
        first_touch *touch = &l->touches[i];
        if (touch->is_left) { continue; }
        fr_motion still = fr_motion_still(&now[touch->piece]);
        l->only = touch;
        touch->is_left = !meets(l, touch->piece, &still, CLEARANCE);
        l->only = NULL;
        l->link = l->figure->proxies[touch->piece].link;
        if (l->status != FR_OK || (!touch->is_left && frame > LEAVE_SECONDS * l->input->rate)) { return false; }
    }
    return true;
}

static bool look(const fr_posture *posture, uint32_t frame, void *context) {
    look_ahead *l = context;
    fr_pose now[FR_FIGURE_PROXY_COUNT];
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        now[i] = piece_pose(l, i, posture);
    }
    bool is_clear = true;
    l->place = posture->place;
    if (is_anything_near(l, now)) {
        is_clear = l->status == FR_OK;
        for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT && is_clear; i++) {
            fr_motion motion = fr_motion_between(&l->before[i], &now[i], (fr_vec3){0.0, 0.0, 0.0});
            l->link = l->figure->proxies[i].link;
            is_clear = !meets(l, i, &motion, CLEARANCE);
        }
        is_clear =
            is_clear && !goes_deeper(l, now) && are_touches_left(l, frame, now); // after the motion that leaves them
    }
    memcpy(l->before, now, sizeof now);
    l->is_clear = is_clear;
    return is_clear;
}

// ---------------------------------------------------------------------------------------------------------------
// One walk

// Notes what the pieces touch at the body's posture.
static void begin_look(look_ahead *l, const fr_walk *walk) {
    const fr_posture *body = &l->input->body;
    l->posture = *body;
    l->posture.turns = l->turns;
    memcpy(l->turns, body->turns, body->count * sizeof *l->turns);
    l->ground = fr_walk_get(walk).place.y;
    l->touch_count = 0;
    l->only = NULL;
    l->status = FR_OK;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        l->before[i] = piece_pose(l, i, body);
        fr_motion still = fr_motion_still(&l->before[i]);
        while (l->touch_count < TOUCHES_MAX && meets(l, i, &still, CLEARANCE) && l->status == FR_OK) {
            first_touch *touch = &l->touches[l->touch_count];
            *touch = (first_touch){.piece = i, .object = l->obstacle.b};
            fr__placed_piece piece = placed(l, touch, &l->before[i]);
            touch->is_in = fr__piece_meets(&piece, 0.0);
            if (touch->is_in) { touch->depth = fr__piece_depth(&piece); }
            l->touch_count++;
        }
    }
}

static fr_status refuse(const look_ahead *l, fr_error *error) {
    char number[32];
    const fr_skill_input *input = l->input;
    const char *name = NULL;
    if (input->object_name != NULL) { name = input->object_name(l->obstacle.b, input->object_name_context); }
    if (name == NULL) {
        snprintf(number, sizeof number, "object %u", l->obstacle.b.index1 - 1);
        name = number;
    }
    double x = l->place.x - input->body.place.x, z = l->place.z - input->body.place.z;
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s blocks the walk: it would meet the %s %.1f m from here", name,
                        l->view->names[l->link], sqrt(x * x + z * z));
}

// A walk is accepted where all its postures are clear.
static fr_status accept(const fr_walk *walk, void *context, fr_error *error) {
    look_ahead *l = context;
    l->error = error;
    begin_look(l, walk);
    if (l->status != FR_OK) { return l->status; }
    l->is_clear = true;
    fr_status status = fr__walk_foresee(walk, STRIDE, &l->posture, look, l, error);
    if (status == FR_OK) { status = l->status; }
    return status != FR_OK || l->is_clear ? status : refuse(l, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Round obstacles

// Points between the body and the goal.
typedef struct route {
    fr_vec2 vias[VIAS_MAX]; // x and z
    uint32_t count;
    double length; // metres, and those that a stop at each point is worth
    bool is_tried;
    bool has_sides[2]; // it leaves the first place, or comes to the last one, by a point beside it
} route;

typedef struct routes {
    route all[ROUTES_MAX];
    uint32_t count;
    fr_vec2 from, to;
} routes;

static double distance(fr_vec2 a, fr_vec2 b) { return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

// Where a further route goes: behind the others, over one that was tried, or over the longest one.
static route *route_place(routes *r) {
    if (r->count < ROUTES_MAX) { return &r->all[r->count++]; }
    route *worst = &r->all[0];
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->all[i].is_tried) { return &r->all[i]; }
        if (r->all[i].length > worst->length) { worst = &r->all[i]; }
    }
    return worst;
}

static void add_route(routes *r, const route *one) {
    route *to = route_place(r);
    *to = *one;
    to->is_tried = false;
    to->length = STOP * one->count;
    for (uint32_t i = 0; i <= one->count; i++) {
        to->length += distance(i == 0 ? r->from : one->vias[i - 1], i == one->count ? r->to : one->vias[i]);
    }
}

// The shortest route that was not tried yet; NULL: none.
static route *next_route(routes *r) {
    route *best = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        if (!r->all[i].is_tried && (best == NULL || r->all[i].length < best->length)) { best = &r->all[i]; }
    }
    return best;
}

// Which leg of a route a place is nearest to.
static uint32_t leg_at(const routes *r, const route *one, fr_vec3 place) {
    uint32_t best = 0;
    double nearest = INFINITY;
    for (uint32_t i = 0; i <= one->count; i++) {
        fr_vec2 a = i == 0 ? r->from : one->vias[i - 1], b = i == one->count ? r->to : one->vias[i];
        double dx = b.x - a.x, dz = b.y - a.y, square = dx * dx + dz * dz;
        double t = square > 0.0 ? ((place.x - a.x) * dx + (place.z - a.y) * dz) / square : 0.0;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        double off = distance((fr_vec2){place.x, place.z}, (fr_vec2){a.x + t * dx, a.y + t * dz});
        if (off >= nearest) { continue; }
        nearest = off;
        best = i;
    }
    return best;
}

static void insert_via(routes *r, const route *blocked, uint32_t leg, const fr_vec2 *vias, uint32_t more) {
    if (blocked->count + more > VIAS_MAX) { return; }
    for (uint32_t i = 0; i < blocked->count; i++) {
        for (uint32_t k = 0; k < more; k++) {
            if (distance(blocked->vias[i], vias[k]) < SAME) { return; }
        }
    }
    route one = *blocked;
    memmove(&one.vias[leg + more], &one.vias[leg], (one.count - leg) * sizeof *one.vias);
    memcpy(&one.vias[leg], vias, more * sizeof *vias);
    one.count += more;
    add_route(r, &one);
}

// Adds the routes that leave the first place (end 0), or come to the last one (1), by another side.
static void add_sides(routes *r, const route *blocked, int end, double far) {
    if (blocked->has_sides[end]) { return; }
    fr_vec2 place = end == 0 ? r->from : r->to;
    route one = *blocked;
    one.has_sides[end] = true;
    for (int i = 0; i < 2 * AROUND_COUNT; i++) {
        double s, c, from = i < AROUND_COUNT ? far : NEARER * far;
        fr_sincos(2.0 * FR_PI * i / AROUND_COUNT, &s, &c);
        insert_via(r, &one, end == 0 ? 0 : one.count, &(fr_vec2){place.x + from * s, place.y + from * c}, 1);
    }
}

// Adds the routes past one corner of the obstacle, or past two beside one another, on the leg where it was met; and,
// where that was near an end of the walk, those by another side of that end.
static void add_detours(routes *r, const route *blocked, const look_ahead *l, uint32_t leg, double reach) {
    fr_bounds box;
    if (fr_object_bounds(l->input->space, l->obstacle.b, &box, NULL) != FR_OK) { return; }
    double beside = BESIDE * reach, far = AROUND * reach;
    const fr_vec2 corners[4] = {{box.min.x - beside, box.min.z - beside},
                                {box.min.x - beside, box.max.z + beside},
                                {box.max.x + beside, box.max.z + beside},
                                {box.max.x + beside, box.min.z - beside}};
    for (int i = 0; i < 4; i++) {
        const fr_vec2 pair[2] = {corners[i], corners[(i + 1) % 4]}, back[2] = {pair[1], pair[0]};
        insert_via(r, blocked, leg, pair, 1);
        insert_via(r, blocked, leg, pair, 2);
        insert_via(r, blocked, leg, back, 2);
    }
    fr_vec2 at = {l->place.x, l->place.z};
    if (distance(at, r->from) < far && leg == 0) { add_sides(r, blocked, 0, far); }
    if (distance(at, r->to) < far && leg == blocked->count) { add_sides(r, blocked, 1, far); }
}

// Whether something stands on the very line of a route, which is known without walking it: the leg, and what it is.
static bool is_line_blocked(const routes *r, const route *one, look_ahead *l, double reach, uint32_t *leg) {
    for (uint32_t i = 0; i <= one->count; i++) {
        fr_vec2 a = i == 0 ? r->from : one->vias[i - 1], b = i == one->count ? r->to : one->vias[i];
        for (int k = 0; k < 2; k++) {
            double height = l->ground + (k == 0 ? 0.4 : 1.3) * reach;
            fr_overlap_shape shape = {.kind = FR_OVERLAP_CAPSULE, .radius = CORE * reach};
            shape.points[0] = (fr_vec3){a.x, height, a.y};
            shape.points[1] = (fr_vec3){b.x, height, b.y};
            fr_space_item item;
            uint32_t count = 0;
            l->status = fr_space_overlap(l->input->space, &shape, l->input->filter, &item, 1, &count, l->error);
            if (l->status != FR_OK || count == 0) { continue; }
            l->obstacle = (fr_contact){.b = item.object};
            l->place = (fr_vec3){0.5 * (a.x + b.x), 0.0, 0.5 * (a.y + b.y)};
            *leg = i;
            return true;
        }
    }
    return false;
}

static fr_status try_route(const fr_skill_input *input, const route *one, const fr_walk_goal *goal, double steady,
                           const fr__walk_judge *judge, fr_error *error) {
    fr_walk_goal goals[VIAS_MAX + 1];
    for (uint32_t i = 0; i < one->count; i++) {
        goals[i] = (fr_walk_goal){.place = {one->vias[i].x, 0.0, one->vias[i].y}};
    }
    goals[one->count] = *goal;
    return fr__walk_go(input->walk, goals, one->count + 1, input->frames, steady, judge, error);
}

// Whether the body could stand at the goal: a walk to a place in a thing is refused at once.
static bool is_goal_free(look_ahead *l, const fr_walk_goal *goal) {
    const fr_walk_view walk = fr_walk_get(l->input->walk);
    l->posture = l->input->body;
    l->posture.turns = l->turns;
    memcpy(l->turns, l->input->body.turns, l->input->body.count * sizeof *l->turns);
    fr_vec3 place = {goal->place.x, walk.place.y, goal->place.z};
    if (!goal->has_heading) { return true; }
    if (fr_walk_set_stand(walk.set, place, goal->heading, &l->posture, NULL) != FR_OK) { return true; }
    l->touch_count = 0;
    l->only = NULL;
    l->place = l->posture.place;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        fr_pose pose = piece_pose(l, i, &l->posture);
        fr_motion still = fr_motion_still(&pose);
        l->link = l->figure->proxies[i].link;
        if (meets(l, i, &still, CLEARANCE)) { return false; }
    }
    return true;
}

// Tries the straight line, then the routes round what was met, the shortest first.
static fr_status find_route(look_ahead *l, routes *r, const fr_walk_goal *goal, double steady, fr_error *first,
                            fr_error *last) {
    const fr__walk_judge judge = {accept, l};
    double reach = fr_walk_set_get(fr_walk_get(l->input->walk).set)->leg;
    fr_status status = FR_OK;
    add_route(r, &(route){.count = 0});
    for (uint32_t tries = 0, lines = 0; tries < TRIES_MAX && lines < LINES_MAX; lines++) {
        route *next = next_route(r), one;
        uint32_t leg;
        if (next == NULL) { break; }
        next->is_tried = true;
        one = *next;
        if (one.count == 0 || !is_line_blocked(r, &one, l, reach, &leg)) {
            fr_error *error = tries == 0 ? first : last;
            status = try_route(l->input, &one, goal, steady, &judge, error);
            if (status != FR_ERROR_ARGUMENT) {
                *first = *error;
                return status;
            }
            tries++;
            leg = leg_at(r, &one, l->place);
        }
        add_detours(r, &one, l, leg, reach);
    }
    return status;
}

// The memory of a look: too much for a stack.
typedef struct look_memory {
    look_ahead look;
    routes routes;
    fr_error errors[2];
} look_memory;

fr_status fr__walk_look_go(const fr_skill_input *input, const fr_walk_goal *goals, size_t count, bool may_bend,
                           double steady, fr_error *error) {
    bool has_eyes = input->space != NULL && input->figure != NULL && !input->has_planned_path;
    if (!has_eyes) { return fr__walk_go(input->walk, goals, count, input->frames, steady, NULL, error); }
    const fr_allocator *allocator = fr__walk_allocator(input->walk);
    look_memory *m = fr_allocate(allocator, 1, sizeof *m, _Alignof(look_memory));
    if (m == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory to look along a walk"); }
    memset(m, 0, sizeof *m);
    look_ahead *l = &m->look;
    l->input = input;
    l->figure = fr_figure_get(input->figure);
    l->view = fr_skeleton_get(input->skeleton);
    l->ground = fr_walk_get(input->walk).place.y;
    fr_status status;
    if (!may_bend || count != 1) {
        const fr__walk_judge judge = {accept, l};
        status = fr__walk_go(input->walk, goals, count, input->frames, steady, &judge, error);
    } else if (!is_goal_free(l, goals)) {
        status = l->status != FR_OK ? l->status : refuse(l, error);
    } else {
        m->routes.from = (fr_vec2){input->body.place.x, input->body.place.z};
        m->routes.to = (fr_vec2){goals->place.x, goals->place.z};
        status = find_route(l, &m->routes, goals, steady, &m->errors[0], &m->errors[1]);
        if (status != FR_OK && error != NULL) { *error = m->errors[0]; }
    }
    fr_deallocate(allocator, m, 1, sizeof *m);
    return status;
}
