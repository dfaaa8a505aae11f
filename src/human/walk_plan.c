// Puts the parts of a walk in a row, along a route with rounded corners.
#include "human/walk_plan.h"

// Steps that share what is too short are at most so much longer than the clip's.
static const double LONGEST_STEP = 1.04;

// A body in a step of less than this part of the clip's length comes to stand before it goes on.
static const double SHORT_STEP = 0.75;

// Below this length a walk is a turn on the spot, metres.
static const double NO_LENGTH = 1e-9;

static double distance(fr_vec2 a, fr_vec2 b) { return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)); }
static double direction_of(fr_vec2 a, fr_vec2 b) { return fr_atan2(b.x - a.x, b.y - a.y); }

// ---------------------------------------------------------------------------------------------------------------
// Route: a polygon whose corners are arcs

typedef struct rounded_corner {
    double turn;    // from the direction before to the one after
    double tangent; // metres of both sides that the arc replaces
    double arc;     // its length
} rounded_corner;

// The longer the turn the longer the arc: about two steps for 30 degrees, three for 90.
static rounded_corner corner_at(const fr__walk_plan *plan, size_t i) {
    const fr_vec2 *p = plan->points.data + i;
    double before = distance(p[-1], p[0]), after = distance(p[0], p[1]), leg = plan->set->gait.leg;
    rounded_corner c = {fr__wrap(direction_of(p[0], p[1]) - direction_of(p[-1], p[0])), 0.0, 0.0};
    double size = fabs(c.turn);
    if (size < 1e-6) { return c; }
    double sine, cosine;
    fr_sincos(0.5 * size, &sine, &cosine);
    double radius = leg * (1.0 + 0.8 * size) / size, side = 0.45 * (before < after ? before : after);
    c.tangent = radius * sine / cosine;
    if (c.tangent > side) {
        c.tangent = side;
        radius = side * cosine / sine;
    }
    c.arc = radius * size;
    return c;
}

static double route_length(const fr__walk_plan *plan) {
    double length = 0.0;
    size_t count = plan->points.count;
    for (size_t i = 0; i + 1 < count; i++) {
        length += distance(plan->points.data[i], plan->points.data[i + 1]);
    }
    for (size_t i = 1; i + 1 < count; i++) {
        rounded_corner c = corner_at(plan, i);
        length += c.arc - 2.0 * c.tangent;
    }
    return length;
}

// A place of the route while its length is walked from the beginning.
typedef struct route_walker {
    size_t leg;    // from point `leg` to the next
    double before; // length of the route at the beginning of this leg's straight
    double from;   // metres of the leg that the arc before it replaces
} route_walker;

// Where the route is at a length, which does not fall from call to call.
static fr__walk_spot route_spot(const fr__walk_plan *plan, route_walker *w, double length) {
    const fr_vec2 *points = plan->points.data;
    size_t last = plan->points.count - 1;
    for (;;) {
        fr_vec2 a = points[w->leg], b = points[w->leg + 1];
        rounded_corner c = {0.0, 0.0, 0.0};
        if (w->leg + 1 < last) { c = corner_at(plan, w->leg + 1); }
        double heading = direction_of(a, b), all = distance(a, b), straight = all - w->from - c.tangent;
        double along = length - w->before;
        if (along <= straight || w->leg + 1 == last) {
            double part = all > 0.0 ? (w->from + along) / all : 0.0;
            part = part > 1.0 ? 1.0 : part;
            return (fr__walk_spot){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), heading};
        }
        if (along < straight + c.arc) {
            double turned = c.turn * (along - straight) / c.arc, chord, sine, cosine;
            double radius = c.arc / fabs(c.turn);
            fr_sincos(0.5 * fabs(turned), &sine, &cosine);
            chord = 2.0 * radius * sine;
            double begin = 1.0 - c.tangent / all;
            fr_sincos(heading + 0.5 * turned, &sine, &cosine);
            return (fr__walk_spot){a.x + begin * (b.x - a.x) + chord * sine, a.y + begin * (b.y - a.y) + chord * cosine,
                                   fr__wrap(heading + turned)};
        }
        w->before += straight + c.arc;
        w->from = c.tangent;
        w->leg++;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

static bool add_part(fr__walk_plan *plan, uint32_t clip, bool is_mirrored, fr__walk_spot to, double end_speed) {
    fr__walk_part *part = fr__walk_set_need(plan->set, clip) ? fr__walk_parts_push(&plan->parts, 1) : NULL;
    if (part == NULL) { return false; }
    fr__walk_part *before = plan->parts.count > 1 ? part - 1 : NULL;
    fr__walk_part_input input = {clip,      is_mirrored, plan->spot,   to,
                                 end_speed, before,      plan->prints, plan->is_committed};
    fr__walk_part_set(plan->set, &input, part);
    plan->is_committed = false;
    plan->spot = to;
    return true;
}

// The clip of one or two steps, and whether it is mirrored: mirroring reverses direction and facing.
static uint32_t steps_clip(fr_clip_class clip_class, double d, double f, fr_stride stride, bool *is_mirrored) {
    int direction = fr__walk_nearest(d), facing = fr__walk_nearest(f);
    bool is_middle = direction % 6 == 0;
    *is_mirrored = is_middle ? f < 0.0 : d < 0.0;
    bool is_opposite = !is_middle && facing > 0 && facing < 6 && (d < 0.0) != (f < 0.0);
    return fr__walk_clip_index(clip_class, direction, is_opposite ? -facing : facing, stride, FR__LEFT);
}

static bool add_start(fr__walk_plan *plan, double d, fr__walk_spot to, double end_speed) {
    bool is_mirrored = d < 0.0;
    plan->front = is_mirrored ? FR__LEFT : FR__RIGHT;
    return add_part(plan, fr__walk_clip_index(FR_CLIP_START, fr__walk_nearest(d), 0, FR_STRIDE_NONE, FR__LEFT),
                    is_mirrored, to, end_speed);
}

static bool add_straight(fr__walk_plan *plan, fr__walk_spot to, double end_speed) {
    bool is_mirrored = plan->front == FR__LEFT;
    plan->front = 1 - plan->front;
    return add_part(plan, fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT), is_mirrored, to,
                    end_speed);
}

static bool add_end(fr__walk_plan *plan, double f, fr_stride stride, fr__walk_spot to) {
    bool is_mirrored = f < 0.0;
    int joined = is_mirrored ? 1 - plan->front : plan->front;
    plan->is_standing = true;
    return add_part(plan, fr__walk_clip_index(FR_CLIP_END, 0, fr__walk_nearest(f), stride, joined), is_mirrored, to,
                    0.0);
}

// One or two steps, or a turn on the spot. Where legs come too near to one another by the clip of the nearest
// direction, those of directions beside it are tried: of small steps, whose direction shows less, more of them.
static bool add_steps(fr__walk_plan *plan, const fr__walk_choice *choice, double d, double f, fr__walk_spot to) {
    static const double BESIDE_DEG[7] = {0.0, -30.0, 30.0, -60.0, 60.0, -90.0, 90.0};
    int tries = choice->pattern == FR_WALK_ONE_STEP && choice->stride == FR_STRIDE_SMALL ? 7 : 3;
    fr_clip_class clip_class = choice->pattern == FR_WALK_TWO_STEPS ? FR_CLIP_TWO_STEPS : FR_CLIP_ONE_STEP;
    fr__walk_part *part = fr__walk_parts_push(&plan->parts, 1);
    if (part == NULL) { return false; }
    fr__walk_part *before = plan->parts.count > 1 ? part - 1 : NULL;
    for (int i = 0; i < tries && (i == 0 || part->lack > 0.0); i++) {
        fr__walk_part tried;
        bool is_mirrored;
        double by = fr_radians(BESIDE_DEG[i]);
        uint32_t clip = steps_clip(clip_class, fr__wrap(d + by), fr__wrap(f - by), choice->stride, &is_mirrored);
        if (!fr__walk_set_need(plan->set, clip)) { return false; }
        fr__walk_part_input input = {clip, is_mirrored, plan->spot, to, 0.0, before, plan->prints, plan->is_committed};
        fr__walk_part_set(plan->set, &input, &tried);
        if (i == 0 || tried.lack < part->lack) { *part = tried; }
    }
    plan->is_committed = false;
    plan->spot = to;
    return true;
}

static bool add_turn(fr__walk_plan *plan, double heading) {
    const fr__walk_choice choice = {FR_WALK_ONE_STEP, FR_STRIDE_SMALL, 0, 0.0, 1.0, 1.0};
    fr__walk_spot to = {plan->spot.x, plan->spot.z, heading};
    return add_steps(plan, &choice, 0.0, fr__wrap(heading - plan->spot.heading), to);
}

// ---------------------------------------------------------------------------------------------------------------
// Walks between two stops

// From standing to standing along the points of the route.
static bool add_walk(fr__walk_plan *plan, double heading, bool is_first) {
    const fr_vec2 *points = plan->points.data;
    size_t count = plan->points.count;
    fr_vec2 begin = points[0], end = points[count - 1];
    double length = route_length(plan), chord = distance(begin, end);
    fr__walk_spot goal = {end.x, end.y, heading};
    if (length <= NO_LENGTH || chord <= NO_LENGTH) {
        if (is_first) { plan->pattern = FR_WALK_ONE_STEP; }
        return add_turn(plan, heading);
    }
    double d = fr__wrap(direction_of(begin, points[1]) - plan->spot.heading);
    double f = fr__wrap(heading - direction_of(points[count - 2], end));
    fr__walk_lengths lengths = fr__walk_lengths_of(plan->set, d, f);
    fr__walk_choice choice = fr__walk_choose(&lengths, length);
    if (is_first) { plan->pattern = count > 2 ? FR_WALK_ROUTE : choice.pattern; }
    if (choice.pattern == FR_WALK_ONE_STEP || choice.pattern == FR_WALK_TWO_STEPS) {
        double direct = direction_of(begin, end);
        return add_steps(plan, &choice, fr__wrap(direct - plan->spot.heading), fr__wrap(heading - direct), goal);
    }
    route_walker walker = {0, 0.0, 0.0};
    double at = lengths.start * choice.start_ratio;
    double before_end = 0.5 * (choice.end_ratio + (choice.straights > 0 ? 1.0 : choice.start_ratio));
    double after_start = choice.straights > 0 ? 0.5 * (choice.start_ratio + 1.0) : before_end;
    if (!add_start(plan, d, route_spot(plan, &walker, at), after_start)) { return false; }
    for (uint32_t i = 0; i < choice.straights; i++) {
        at += lengths.straight;
        double speed = i + 1 < choice.straights ? 1.0 : before_end;
        if (!add_straight(plan, route_spot(plan, &walker, at), speed)) { return false; }
    }
    return add_end(plan, f, choice.stride, goal);
}

// From steady walking to standing along the points of the route: all steps share what is too long or too short.
static bool add_rest(fr__walk_plan *plan, double heading) {
    size_t count = plan->points.count;
    fr_vec2 end = plan->points.data[count - 1];
    double f = fr__wrap(heading - direction_of(plan->points.data[count - 2], end)), length = route_length(plan);
    fr__walk_lengths l = fr__walk_lengths_of(plan->set, 0.0, f);
    double steps = ceil((length / LONGEST_STEP - l.end[0]) / l.straight);
    steps = steps < 0.0 ? 0.0 : steps;
    fr_stride stride = steps > 0.0 || length > 0.5 * (l.end[0] + l.end[1]) ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
    double ratio = length / (steps * l.straight + l.end[stride == FR_STRIDE_NORMAL ? 0 : 1]), at = 0.0;
    route_walker walker = {0, 0.0, 0.0};
    for (uint32_t i = 0; i < (uint32_t)steps; i++) {
        at += ratio * l.straight;
        if (!add_straight(plan, route_spot(plan, &walker, at), ratio)) { return false; }
    }
    return add_end(plan, f, stride, (fr__walk_spot){end.x, end.y, heading});
}

// How long the step that the body is in is, where the clip's own length is 1.
static double last_ratio(const fr__walk_plan *plan) {
    if (plan->parts.count == 0) { return 1.0; }
    const fr__walk_part *part = &plan->parts.data[plan->parts.count - 1];
    fr_vec2 travel = part->clip.travel;
    double ratio = part->length / sqrt(travel.x * travel.x + travel.y * travel.y);
    return ratio < 1.0 ? ratio : 1.0;
}

bool fr__walk_plan_stop(fr__walk_plan *plan, double facing) {
    fr__walk_lengths l = fr__walk_lengths_of(plan->set, 0.0, facing);
    double ratio = last_ratio(plan), sine, cosine;
    fr_stride stride = ratio < SHORT_STEP ? FR_STRIDE_SMALL : FR_STRIDE_NORMAL;
    double length = l.end[stride == FR_STRIDE_NORMAL ? 0 : 1] * 0.5 * (1.0 + ratio);
    fr_sincos(plan->spot.heading, &sine, &cosine);
    fr__walk_spot to = {plan->spot.x + length * sine, plan->spot.z + length * cosine, plan->spot.heading + facing};
    return add_end(plan, facing, stride, to);
}

static bool add_point(fr__walk_plan *plan, double x, double z) {
    fr_vec2 *point = fr__walk_points_push(&plan->points, 1);
    if (point == NULL) { return false; }
    *point = (fr_vec2){x, z};
    return true;
}

// Begins a route where the plan ends. Who walks goes on for half a step before the route turns.
static bool begin_route(fr__walk_plan *plan) {
    plan->points.count = 0;
    return add_point(plan, plan->spot.x, plan->spot.z);
}

// Whether a body that walks can go on to a place: it lies ahead, far enough, and the step that it is in is no short
// one.
static bool may_go_on(const fr__walk_plan *plan, const fr_walk_goal *goal) {
    fr_vec2 here = {plan->spot.x, plan->spot.z}, there = {goal->place.x, goal->place.z};
    double length = distance(here, there), turn = fr__wrap(direction_of(here, there) - plan->spot.heading);
    return length > 0.9 * plan->set->gait.leg && fabs(turn) <= plan->joined_turn && last_ratio(plan) >= SHORT_STEP;
}

// Makes room for all parts that a walk through the goals can have, and one before them.
static bool reserve(fr__walk_plan *plan, const fr_walk_goal *goals, size_t count) {
    fr_vec2 at = {plan->spot.x, plan->spot.z};
    double length = 0.0;
    for (size_t i = 0; i < count; i++) {
        fr_vec2 next = {goals[i].place.x, goals[i].place.z};
        length += distance(at, next);
        at = next;
    }
    size_t steps = (size_t)(length / (0.5 * plan->set->gait.stride));
    return fr__walk_parts_reserve(&plan->parts, steps + 4 * count + 4) &&
           fr__walk_points_reserve(&plan->points, count + 2);
}

bool fr__walk_plan_go(fr__walk_plan *plan, const fr__walk_part *first, const fr_walk_goal *goals, size_t count) {
    if (!reserve(plan, goals, count)) { return false; }
    if (first != NULL) { *fr__walk_parts_push(&plan->parts, 1) = *first; }
    plan->pattern = count > 1 || !plan->is_standing ? FR_WALK_ROUTE : FR_WALK_STAND;
    bool is_first = plan->pattern == FR_WALK_STAND;
    if (!plan->is_standing && !may_go_on(plan, &goals[0])) {
        fr_vec2 here = {plan->spot.x, plan->spot.z}, there = {goals[0].place.x, goals[0].place.z};
        double turn =
            distance(here, there) > NO_LENGTH ? fr__wrap(direction_of(here, there) - plan->spot.heading) : 0.0;
        if (!fr__walk_plan_stop(plan, turn)) { return false; }
    }
    size_t next = 0;
    while (next < count) {
        bool is_rest = !plan->is_standing;
        if (!begin_route(plan)) { return false; }
        if (is_rest) {
            double sine, cosine, ahead = 0.35 * plan->set->gait.leg;
            fr_sincos(plan->spot.heading, &sine, &cosine);
            if (!add_point(plan, plan->spot.x + ahead * sine, plan->spot.z + ahead * cosine)) { return false; }
        }

        // Stage 1: goals up to the next stop.
        bool may_join = true;
        double turn = 0.0;
        while (next < count && may_join) {
            const fr_walk_goal *goal = &goals[next++];
            if (!add_point(plan, goal->place.x, goal->place.z)) { return false; }
            if (next == count) { break; }
            const fr_vec2 *p = plan->points.data + plan->points.count - 1;
            fr_vec2 after = {goals[next].place.x, goals[next].place.z};
            bool is_leg = distance(p[-1], p[0]) > NO_LENGTH && distance(p[0], after) > NO_LENGTH;
            turn = is_leg ? fr__wrap(direction_of(p[0], after) - direction_of(p[-1], p[0])) : 0.0;
            may_join = is_leg && fabs(turn) <= plan->joined_turn;
        }

        // Stage 2: the heading there: the goal's own, else the direction of the next leg or of this one.
        const fr_vec2 *p = plan->points.data + plan->points.count - 1;
        double heading = distance(p[-1], p[0]) > NO_LENGTH ? direction_of(p[-1], p[0]) : plan->spot.heading;
        heading =
            next < count ? fr__wrap(heading + turn) : (goals[next - 1].has_heading ? goals[next - 1].heading : heading);
        if (!(is_rest ? add_rest(plan, heading) : add_walk(plan, heading, is_first))) { return false; }
        is_first = false;
    }
    return true;
}

fr_status fr__walk_check_goals(const fr__walk_plan *plan, const fr_walk_goal *goals, size_t count, uint32_t frames,
                               fr_error *error) {
    if (count == 0 || goals == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a walk has a goal"); }
    if (count > FR_WALK_MAX_GOALS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu goals; the limit is %u", count, FR_WALK_MAX_GOALS);
    }
    if (frames > FR_WALK_MAX_FRAMES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u frames; the limit is %u", frames, FR_WALK_MAX_FRAMES);
    }
    double x = plan->spot.x, z = plan->spot.z, length = 0.0;
    for (size_t i = 0; i < count; i++) {
        const fr_walk_goal *goal = &goals[i];
        if (!(fr_vec3_is_finite(goal->place) && fr_vec3_largest(goal->place) <= FR_LENGTH_MAX) ||
            (goal->has_heading && !(fabs(goal->heading) <= FR_TURN_MAX))) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "goal %zu of a walk is not finite", i);
        }
        double dx = goal->place.x - x, dz = goal->place.z - z;
        length += sqrt(dx * dx + dz * dz);
        x = goal->place.x;
        z = goal->place.z;
    }
    if (length > FR_WALK_MAX_LENGTH) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a walk of %g m; the limit is %g m", length, FR_WALK_MAX_LENGTH);
    }
    return FR_OK;
}
