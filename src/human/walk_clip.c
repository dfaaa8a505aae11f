// Lays out the steps of every clip of a walk.
//
// Times of starts, stops and turns follow the measured means: 0.2 s from the first motion to the first foot leaving,
// swings of 0.44 to 0.53 s, a first step of nearly full length, a last foot joined 0.66 s after the other has landed, a
// quarter turn on the spot in two steps of 1.44 s.
#include "human/walk_clip.h"

#include "human/walk_clear.h"

// Seconds, of legs that are as long as those of the default body. Others take the root of the ratio times as much.
static const double ONSET = 0.22, SWING = 0.45, BOTH = 0.14, SETTLE = 0.28, PUSH = 0.29, FIRST_PUSH = 0.3,
                    LAST_BOTH = 0.2, STEADY_STILL = 0.12, LONGER = 0.05, LONGER_SWING = 0.02, MIN_BOTH = 0.08,
                    AGAIN = 0.42; // a foot that goes twice in a row stands so long, for the weight to come and go
static const double DEFAULT_LEG = 0.9005; // metres

// Two long steps from standing to standing, and steps backward, take so much longer.
static const double LONG_STEPS = 1.1, BACKWARD = 1.1;

// Steps of a large turn, nearly on the spot, take so much less.
static const double TURNING = 0.8;

// The feet of a body that turns are not farther apart than this; from the larger turns on it takes more small steps.
static const double PAIR_TURN_DEG = 65.0, ASIDE_TURN_DEG = 55.0, LARGE_TURN_DEG = 75.0, LARGEST_TURN_DEG = 115.0;

// Parts of a large and of a largest turn at which the feet stand, those of an end after one another, those of a start
// before it walks.
static const double START_TURNS[2][4] = {{0.55, 0.75}, {0.36, 0.5, 0.85, 1.0}};
static const double END_TURNS[2][5] = {{0.5, 0.7, 1.0, 1.0}, {0.35, 0.5, 0.85, 1.0, 1.0}};
static const double OUTER_END_TURNS[2][5] = {{0.2, 0.6, 0.8, 1.0, 1.0}, {0.2, 0.55, 0.6, 1.0, 1.0}};

// From this turn on the foot that lands first in an end is set again, so that the feet do not meet: with the foot
// inside the turn, and outside.
static const double MIDDLE_TURN_DEG = 45.0, MIDDLE_END_TURNS[2][3] = {{0.5, 1.0, 1.0}, {0.3, 1.0, 1.0}};

typedef struct layout {
    fr__walk_timeline *t;
    double phase; // of the last event
    double pace;  // what the seconds above are multiplied by
} layout;

// A body that was doing something else needs as long to shift its weight, however short its steps are.
static double onset_of(const layout *l) { return ONSET * (l->pace > 1.0 ? l->pace : 1.0); }

static double pace_of(const fr__gait *gait) { return sqrt(gait->leg / DEFAULT_LEG); }

static fr__walk_print path_print(fr__walk_print print, double along, double heading) {
    double sine, cosine, z = print.z + along;
    fr_sincos(heading, &sine, &cosine);
    fr__walk_print out = {print.x * cosine + z * sine, z * cosine - print.x * sine, print.heading + heading};
    return out;
}

static fr__walk_print last_print(const fr__walk_timeline *t, int foot) {
    fr__walk_print print = t->begin[foot];
    for (int i = 0; i < t->move_count; i++) {
        print = t->moves[i].foot == foot ? t->moves[i].print : print;
    }
    return print;
}

static fr__walk_move *add_move(fr__walk_timeline *t, int foot, double off, double land, fr__walk_print print) {
    FR_ASSERT(t->move_count < FR__MAX_MOVES);
    fr__walk_move move = {.foot = foot, .off = off, .land = land, .print = print, .push = PUSH * pace_of(t->gait)};
    t->moves[t->move_count] = move;
    return &t->moves[t->move_count++];
}

// Adds the events of a foot to the curve of phases: it leaves and lands.
static void add_phase(layout *l, int foot, double off, double land, double share) {
    double stance = l->t->gait->stance, leave = foot == FR__LEFT ? stance - 0.5 : stance, down = leave + 1.0 - stance;
    double base = ceil(l->phase - leave - 1e-9);
    fr__walk_curve_add(&l->t->phase, off, base + leave, share);
    fr__walk_curve_add(&l->t->phase, land, base + down, share);
    l->phase = base + down;
}

// Adds where the hips are as a foot leaves and lands: `before` and `after` of the line from one foot to the other.
static void add_path(fr__walk_timeline *t, int foot, double off, double land, fr__walk_print to, double before,
                     double after) {
    fr__walk_print from = last_print(t, foot), stand = last_print(t, 1 - foot);
    fr__walk_curve_add(&t->path, off, from.x + before * (stand.x - from.x), from.z + before * (stand.z - from.z));
    fr__walk_curve_add(&t->path, land, stand.x + after * (to.x - stand.x), stand.z + after * (to.z - stand.z));
}

// A step of a body that is between standing and standing, to where it would stand at a place with a heading.
static void stand_step(layout *l, int foot, double off, double share, double x, double z, double heading, bool is_first,
                       bool is_last) {
    fr__walk_print to = fr__walk_standing_print(l->t->body, foot, x, z, heading);
    double land = off + l->pace * SWING;
    add_phase(l, foot, off, land, share);
    add_path(l->t, foot, off, land, to, is_first ? 0.74 : 0.70, is_last ? 0.46 : 0.45);
    add_move(l->t, foot, off, land, to)->push = l->pace * PUSH;
}

static void begin_stand(layout *l, fr__walk_timeline *t) {
    l->t = t;
    l->phase = 0.0;
    l->pace = pace_of(t->gait);
    for (int foot = 0; foot < 2; foot++) {
        t->begin[foot] = fr__walk_standing_print(t->body, foot, 0.0, 0.0, 0.0);
    }
    fr__walk_curve_add(&t->path, 0.0, 0.0, 0.0);
    fr__walk_curve_add(&t->heading, 0.0, 0.0, 0.0);
}

static void end_stand(fr__walk_timeline *t, double time, double x, double z, double heading) {
    t->duration = time;
    fr__walk_curve_add(&t->path, time, x, z);
    fr__walk_curve_add(&t->heading, time - STEADY_STILL * pace_of(t->gait), heading, heading);
    fr__walk_curve_add(&t->heading, time, heading, heading);
}

// The phase stays before the first event and after the last one; slopes there are 0.
static void close_phase(fr__walk_timeline *t, double begin_phase, double end_phase, double end_share) {
    fr__walk_curve *c = &t->phase;
    for (int i = c->count; i > 0; i--) {
        c->times[i] = c->times[i - 1];
        c->values[i][0] = c->values[i - 1][0];
        c->values[i][1] = c->values[i - 1][1];
    }
    c->count++;
    c->times[0] = 0.0;
    c->values[0][0] = begin_phase;
    c->values[0][1] = 0.0;
    fr__walk_curve_add(c, t->duration, end_phase, end_share);
    fr__walk_curve_smooth(c, NULL, NULL);
}

// Slopes of path and phase in steady walking, at a landing of the right foot, along a heading.
static void steady_slopes(const fr__gait *gait, double heading, double path[2], double phase[2]) {
    double h = 1.0 / 4096.0, sine, cosine;
    fr_vec3 a = fr__walk_steady_middle(gait, 1.0 - h), b = fr__walk_steady_middle(gait, 1.0 + h);
    double x = (b.x - a.x) / (2.0 * h * gait->period), z = (b.z - a.z) / (2.0 * h * gait->period);
    fr_sincos(heading, &sine, &cosine);
    path[0] = x * cosine + z * sine;
    path[1] = z * cosine - x * sine;
    phase[0] = 1.0 / gait->period;
    phase[1] = 0.0;
}

// Moves that lie before or after the clip in steady walking, so that the feet look the same on both sides of a join.
static fr__walk_move *steady_move(fr__walk_timeline *t, int foot, double off, double land, fr__walk_print print) {
    fr__walk_move *move = add_move(t, foot, off, land, print);
    move->push = fr__walk_push(t->gait);
    move->has_steady_off = move->has_steady_land = true;
    return move;
}

// ---------------------------------------------------------------------------------------------------------------
// The classes

static void plan_straight(const fr__gait *gait, fr__walk_clip *clip, fr__walk_timeline *t) {
    double period = gait->period, stance = gait->stance;
    fr__walk_print left = fr__walk_steady_print(gait, FR__LEFT), right = fr__walk_steady_print(gait, FR__RIGHT);
    t->begin[FR__LEFT] = path_print(left, -gait->stride, 0.0);
    t->begin[FR__RIGHT] = path_print(right, -gait->stride, 0.0);
    steady_move(t, FR__RIGHT, (stance - 1.0) * period, 0.0, right);
    steady_move(t, FR__LEFT, (stance - 0.5) * period, 0.5 * period, left);
    steady_move(t, FR__RIGHT, stance * period, period, path_print(right, gait->stride, 0.0));
    t->is_table = true;
    t->duration = 0.5 * period;
    for (int i = 0; i < 2; i++) {
        double time = (double)i * t->duration;
        fr__walk_curve_add(&t->phase, time, 0.5 * (double)i, 1.0);
        fr__walk_curve_add(&t->heading, time, 0.0, 0.0);
        fr__walk_curve_add(&t->path, time, 0.0, 0.5 * (double)i * gait->stride);
    }
    double slopes[2] = {1.0 / period, 0.0};
    fr__walk_curve_smooth(&t->phase, slopes, slopes);
    fr__walk_curve_smooth(&t->heading, NULL, NULL);
    fr__walk_curve_smooth(&t->path, NULL, NULL);
    clip->travel = (fr_vec2){0.0, 0.5 * gait->stride};
}

static void plan_start(const fr__gait *gait, fr__walk_clip *clip, fr__walk_timeline *t) {
    double d = fr_radians((double)clip->direction_deg), scale = gait->leg / DEFAULT_LEG, step = 0.5 * gait->stride;
    fr__walk_print left = fr__walk_steady_print(gait, FR__LEFT), right = fr__walk_steady_print(gait, FR__RIGHT);
    layout l;
    begin_stand(&l, t);

    // A large turn takes steps nearly on the spot before the walk begins.
    double off = onset_of(&l), walking = l.pace, along = 0.0, sine, cosine;
    bool is_largest = clip->direction_deg > LARGEST_TURN_DEG;
    int turning = clip->direction_deg > LARGE_TURN_DEG ? (is_largest ? 4 : 2) : 0;
    fr_sincos(d, &sine, &cosine);
    l.pace *= TURNING;
    for (int i = 0; i < turning; i++) {
        double part = START_TURNS[is_largest][i], done = part - 0.12;
        along = (i == 0 ? 0.05 : 0.05 + 0.17 * (double)i / (double)(turning - 1)) * scale;
        stand_step(&l, i % 2 == 0 ? FR__LEFT : FR__RIGHT, off, 0.15 * (double)(i + 1), along * sine, along * cosine,
                   part * d, i == 0, false);
        fr__walk_curve_add(&t->heading, off + l.pace * SWING, done * d, (done + 0.6 * (1.0 - done)) * d);
        off += l.pace * (SWING + BOTH);
    }
    l.pace = walking;
    double length = along + (0.88 - 0.13 * fabs(sine)) * step, land = off + l.pace * SWING;
    double end = land + 0.5 * gait->period + l.pace * LONGER, leave = end - l.pace * (SWING + LONGER_SWING);
    leave = leave < land + l.pace * MIN_BOTH ? land + l.pace * MIN_BOTH : leave;
    fr__walk_print to = path_print(left, length - left.z, d);
    add_phase(&l, FR__LEFT, off, land, 0.45);
    add_path(t, FR__LEFT, off, land, to, along > 0.0 ? 0.6 : 0.74, 0.47);
    add_move(t, FR__LEFT, off, land, to)->has_steady_land = false;
    if (along <= 0.0) { fr__walk_curve_add(&t->heading, land, 0.6 * d, 0.8 * d); }

    // The walk is steady where the right foot lands.
    double path_slope[2], phase_slope[2], begin = length - left.z + gait->stride;
    fr_vec3 middle = fr__walk_steady_middle(gait, 0.0);
    double base = ceil(l.phase - 1e-9);
    steady_slopes(gait, d, path_slope, phase_slope);
    t->duration = end;
    fr__walk_print at = path_print((fr__walk_print){middle.x, middle.z, 0.0}, begin, d);
    fr__walk_curve_add(&t->path, end, at.x, at.z);
    fr__walk_curve_add(&t->heading, end, d, d);
    fr__walk_curve_add(&t->phase, leave, base - 1.0 + gait->stance, 0.75);
    close_phase(t, t->phase.values[0][0] - 0.08, base, 1.0);
    t->phase.slopes[t->phase.count - 1][0] = phase_slope[0];
    fr__walk_curve_smooth(&t->path, NULL, path_slope);
    fr__walk_curve_smooth(&t->heading, NULL, NULL);
    fr__walk_move *move = steady_move(t, FR__RIGHT, leave, end, path_print(right, begin, d));
    move->has_steady_off = false;
    move->push = l.pace * FIRST_PUSH;
    steady_move(t, FR__LEFT, end + (gait->stance - 0.5) * gait->period, end + 0.5 * gait->period,
                path_print(left, begin, d));
    t->lean = fr_radians(4.5);
    clip->travel = (fr_vec2){begin * sine, begin * cosine};
    clip->heading = d;
}

// An end with the right foot in front; `facing` may be negative.
static void plan_end(const fr__gait *gait, double facing, fr__walk_clip *clip, fr__walk_timeline *t) {
    double period = gait->period, stance = gait->stance, step = 0.5 * gait->stride;
    fr__walk_print left = fr__walk_steady_print(gait, FR__LEFT), right = fr__walk_steady_print(gait, FR__RIGHT);
    t->begin[FR__LEFT] = path_print(left, -gait->stride, 0.0);
    t->begin[FR__RIGHT] = path_print(right, -gait->stride, 0.0);
    fr_vec3 middle = fr__walk_steady_middle(gait, 0.0);
    double length = right.z + (clip->stride == FR_STRIDE_NORMAL ? 0.82 : 0.40) * step, path_slope[2], phase_slope[2];
    bool is_large = fabs(facing) > fr_radians(MIDDLE_TURN_DEG);
    bool is_middle = is_large && fabs(facing) < fr_radians(LARGE_TURN_DEG);
    steady_slopes(gait, 0.0, path_slope, phase_slope);
    layout l = {t, 0.0, pace_of(gait)};

    // Stage 1: the front foot lands as in steady walking; the other goes to the goal.
    double off = (stance - 0.5) * period, land = off + l.pace * SWING;
    bool is_largest = fabs(facing) > fr_radians(LARGEST_TURN_DEG);
    const double *turns = facing > 0.0 ? END_TURNS[is_largest] : OUTER_END_TURNS[is_largest];
    turns = is_middle ? MIDDLE_END_TURNS[facing < 0.0] : turns;
    fr__walk_print to = fr__walk_standing_print(t->body, FR__LEFT, 0.0, length, is_large ? turns[0] * facing : facing);
    steady_move(t, FR__RIGHT, (stance - 1.0) * period, 0.0, right);
    fr__walk_curve_add(&t->path, 0.0, middle.x, middle.z);
    fr__walk_curve_add(&t->heading, 0.0, 0.0, 0.0);
    fr__walk_curve_add(&t->phase, 0.0, 0.0, 1.0);
    fr__walk_print stand = last_print(t, FR__RIGHT);
    fr__walk_curve_add(&t->path, land, stand.x + 0.55 * (to.x - stand.x), stand.z + 0.56 * (to.z - stand.z));
    fr__walk_curve_add(&t->phase, off, stance - 0.5, 0.95);
    fr__walk_curve_add(&t->phase, land, 0.5, 0.6);
    l.phase = 0.5;
    fr__walk_curve_add(&t->heading, land, (is_large ? 0.15 : 0.3) * facing, (is_large ? 0.3 : 0.5) * facing);
    fr__walk_move *move = add_move(t, FR__LEFT, off, land, to);
    move->has_steady_off = true;
    move->push = fr__walk_push(gait);

    // Stage 2: the front foot is joined, in a large turn both go on until they stand beside one another.
    off = land + l.pace * LAST_BOTH;
    int count = !is_large ? 1 : (is_middle ? 2 : (facing > 0.0 && !is_largest ? 3 : 4));
    l.pace *= is_large ? TURNING : 1.0;
    for (int i = 0; i < count; i++) {
        double part = is_large ? turns[i + 1] : 1.0;
        stand_step(&l, i % 2 == 0 ? FR__RIGHT : FR__LEFT, off, 0.2 / (double)(i + 1), 0.0, length, part * facing, false,
                   i + 1 == count);
        off += l.pace * SWING;
        if (i + 1 < count) {
            double done = 0.15 + 0.75 * (double)(i + 1) / (double)count;
            fr__walk_curve_add(&t->heading, off, done * facing, (done + 0.6 * (1.0 - done)) * facing);
            off += l.pace * BOTH;
        }
    }
    end_stand(t, off + l.pace * SETTLE, 0.0, length, facing);
    fr__walk_curve_add(&t->phase, t->duration, l.phase + 0.05, 0.0);
    fr__walk_curve_smooth(&t->phase, phase_slope, NULL);
    fr__walk_curve_smooth(&t->path, path_slope, NULL);
    fr__walk_curve_smooth(&t->heading, NULL, NULL);
    t->lean = fr_radians(-2.5);
    clip->travel = (fr_vec2){0.0, length};
    clip->heading = facing;
}

// Where a foot goes: a part of the path, and how far it has turned there.
typedef struct foot_goal {
    int foot;
    double along, turn;
} foot_goal;

#define MAX_FOOT_GOALS 6

// The other foot leads where that leaves so much more room, leg lengths.
static const double NEARER = 0.01;

// Two long steps that come nearer than that become pairs, leg lengths.
static const double TOO_NEAR = 0.2;

// By how much a foot that goes from one print to another comes too near to the other foot, the worst of the path and
// twice that of its end.
static double move_cost(const fr__walk_body *body, int foot, fr__walk_print from, fr__walk_print to,
                        const fr__walk_print *other) {
    fr_vec2 aside = fr__walk_aside_direction(foot, other->heading);
    double cost = 0.0;
    for (int k = 1; k <= 8; k++) {
        double u = (double)k / 8.0, turn = fr__wrap(to.heading - from.heading);
        fr__walk_print at = {from.x + u * (to.x - from.x), from.z + u * (to.z - from.z), from.heading + u * turn};
        double shift = (k == 8 ? 2.0 : 1.0) * fr__walk_clear_shift(body, &at, other, aside);
        cost = shift > cost ? shift : cost;
    }
    return cost;
}

// How near the feet of a pair of steps, from one part of the clip's travel and turn to another, come to one another
// when `lead` goes first: of the clip as it is and of the shortest walk that it is used for.
static double pair_cost(const fr__walk_body *body, const fr__walk_clip *clip, int lead, double turn, fr_vec2 travel,
                        double begin, double end) {
    bool is_two = clip->clip_class == FR_CLIP_TWO_STEPS, is_normal = clip->stride == FR_STRIDE_NORMAL;
    double cost = 0.0;
    for (int k = 0; k < 2; k++) {
        double ratio = k == 0 ? 1.0 : (is_two ? 0.6 : (is_normal ? 0.25 : 0.0));
        fr__walk_print from[2], to[2];
        for (int foot = 0; foot < 2; foot++) {
            double a = begin * ratio, b = end * ratio;
            from[foot] = fr__walk_standing_print(body, foot, a * travel.x, a * travel.y, begin * turn);
            to[foot] = fr__walk_standing_print(body, foot, b * travel.x, b * travel.y, end * turn);
        }
        cost += move_cost(body, lead, from[lead], to[lead], &from[1 - lead]);
        cost += move_cost(body, 1 - lead, from[1 - lead], to[1 - lead], &to[lead]);
    }
    return cost;
}

// Likewise of two long steps, at the shortest walk that they are used for: the foot ahead lands in the middle.
static double long_cost(const fr__walk_body *body, int lead, double turn, fr_vec2 travel) {
    const double ratio = 0.6;
    double x = ratio * travel.x, z = ratio * travel.y;
    int other = 1 - lead;
    fr__walk_print from = fr__walk_standing_print(body, lead, 0.0, 0.0, 0.0);
    fr__walk_print half = fr__walk_standing_print(body, lead, 0.5 * x, 0.5 * z, 0.5 * turn);
    fr__walk_print to = fr__walk_standing_print(body, lead, x, z, turn);
    fr__walk_print other_from = fr__walk_standing_print(body, other, 0.0, 0.0, 0.0);
    fr__walk_print other_to = fr__walk_standing_print(body, other, x, z, turn);
    return move_cost(body, lead, from, half, &other_from) + move_cost(body, other, other_from, other_to, &half) +
           move_cost(body, lead, half, to, &other_to);
}

// The feet of one or two steps in the order in which they go, and how many that are. Two long steps end like a walk;
// all others are pairs: a foot goes ahead, the other is set beside it, and no pair turns by more than PAIR_TURN_DEG, or
// ASIDE_TURN_DEG where it goes aside. The foot inside the turn, or on the side to which the body goes, leads, unless
// the feet would meet.
static int order_feet(const fr__walk_body *body, const fr__walk_clip *clip, double turn, fr_vec2 travel,
                      foot_goal goals[MAX_FOOT_GOALS]) {
    bool is_two = clip->clip_class == FR_CLIP_TWO_STEPS, is_straight = clip->direction_deg % 180 == 0;
    bool is_side = clip->direction_deg > 45 && clip->direction_deg < 135;
    int lead = is_straight ? (turn > 0.0 ? FR__LEFT : FR__RIGHT) : FR__LEFT, other = 1 - lead;
    int pairs = 1 + (int)(fabs(fr_degrees(turn)) / (is_straight ? PAIR_TURN_DEG : ASIDE_TURN_DEG));
    if (is_two && !is_side && pairs == 1) {
        bool is_changed =
            long_cost(body, lead, turn, travel) > long_cost(body, other, turn, travel) + NEARER * body->leg;
        lead = is_changed ? other : lead;
        other = 1 - lead;
    }
    if (is_two && !is_side && pairs == 1 && long_cost(body, lead, turn, travel) < TOO_NEAR * body->leg) {
        goals[0] = (foot_goal){lead, 0.5, 0.5 * turn};
        goals[1] = (foot_goal){other, 1.0, turn};
        goals[2] = (foot_goal){lead, 1.0, turn};
        return 3;
    }
    pairs = is_two && pairs < 2 ? 2 : (pairs > 3 ? 3 : pairs);
    for (int i = 0; i < pairs; i++) {
        double from = (double)i / (double)pairs, part = (double)(i + 1) / (double)pairs;
        bool is_changed = pair_cost(body, clip, lead, turn, travel, from, part) >
                          pair_cost(body, clip, 1 - lead, turn, travel, from, part) + NEARER * body->leg;
        lead = is_changed ? 1 - lead : lead;
        goals[2 * i] = (foot_goal){lead, part, part * turn};
        goals[2 * i + 1] = (foot_goal){1 - lead, part, part * turn};
    }
    return 2 * pairs;
}

// One or two steps from standing to standing.
static void plan_steps(const fr__gait *gait, fr__walk_clip *clip, fr__walk_timeline *t) {
    double d = fr_radians((double)clip->direction_deg), sine, cosine, scale = gait->leg / DEFAULT_LEG;
    double turn = fr__wrap(fr_radians((double)(clip->direction_deg + clip->facing_deg)));
    bool is_two = clip->clip_class == FR_CLIP_TWO_STEPS, is_normal = clip->stride == FR_STRIDE_NORMAL;
    double full = is_two ? (is_normal ? 1.2 : 0.7) : (is_normal ? 0.6 : 0.15);
    fr_sincos(d, &sine, &cosine);
    double length = full * (1.0 - 0.35 * fabs(sine)) * (clip->direction_deg > 115 ? 0.75 : 1.0) * scale;
    foot_goal goals[MAX_FOOT_GOALS];
    int count = order_feet(t->body, clip, turn, (fr_vec2){length * sine, length * cosine}, goals);
    bool is_large = fabs(turn) > fr_radians(PAIR_TURN_DEG);

    layout l;
    begin_stand(&l, t);
    l.phase = goals[0].foot == FR__LEFT ? 0.0 : 0.5;
    l.pace *= (is_two && is_normal ? LONG_STEPS : 1.0) * (clip->direction_deg > 115 ? BACKWARD : 1.0) *
              (is_large && !is_two ? TURNING : 1.0);
    double off = onset_of(&l);
    double share = (is_two ? 0.55 : 0.35) * (is_normal ? 1.0 : 0.6) * (cosine > 0.0 ? cosine : 0.0);
    for (int i = 0; i < count; i++) {
        double along = goals[i].along * length, part = (double)(i + 1) / (double)count;
        stand_step(&l, goals[i].foot, off, share * (i + 1 < count ? 1.0 : 0.5), along * sine, along * cosine,
                   goals[i].turn, i == 0, i + 1 == count);
        if (i + 1 < count) {
            double done = is_large ? part * (0.85 + 0.15 * part) : 0.45, look = done + 0.25 * (1.0 - done);
            fr__walk_curve_add(&t->heading, off + l.pace * SWING, done * turn, look * turn);
        }
        bool is_again = i + 1 < count && goals[i + 1].foot == goals[i].foot;
        off += l.pace * (SWING + (is_again ? AGAIN : BOTH));
    }
    end_stand(t, off + l.pace * (SETTLE - BOTH), length * sine, length * cosine, turn);
    close_phase(t, t->phase.values[0][0] - 0.08, l.phase + 0.05, 0.0);
    fr__walk_curve_smooth(&t->path, NULL, NULL);
    fr__walk_curve_smooth(&t->heading, NULL, NULL);
    clip->travel = (fr_vec2){length * sine, length * cosine};
    clip->heading = turn;
}

// The contacts of the feet within the clip, in frames.
static void set_contacts(const fr__walk_timeline *t, fr__walk_clip *clip) {
    double to_frames = (double)(clip->frame_count - 1) / t->duration, last = (double)(clip->frame_count - 1);
    for (int foot = 0; foot < 2; foot++) {
        uint32_t count = 0;
        fr__walk_contact contact = {0.0, last, t->begin[foot]};
        for (int i = 0; i < t->move_count; i++) {
            const fr__walk_move *move = &t->moves[i];
            if (move->foot != foot || move->off >= t->duration) { continue; }
            if (move->off > 0.0) {
                contact.end = move->off * to_frames;
                clip->contacts[foot][count++] = contact;
            }
            contact.begin = move->land > 0.0 ? move->land * to_frames : 0.0;
            contact.end = last;
            contact.print = move->print;
        }
        contact.begin = contact.begin > last - 1e-9 ? last : contact.begin;
        clip->contacts[foot][count++] = contact;
        FR_ASSERT(count <= FR__MAX_CONTACTS);
        clip->contact_counts[foot] = count;
    }
}

static void mirror_print(fr__walk_print *print) {
    print->x = -print->x;
    print->heading = -print->heading;
}

static void mirror_contacts(fr__walk_clip *clip) {
    fr__walk_clip copy = *clip;
    for (int foot = 0; foot < 2; foot++) {
        clip->contact_counts[foot] = copy.contact_counts[1 - foot];
        for (uint32_t i = 0; i < clip->contact_counts[foot]; i++) {
            clip->contacts[foot][i] = copy.contacts[1 - foot][i];
            mirror_print(&clip->contacts[foot][i].print);
        }
    }
    clip->travel.x = -clip->travel.x;
    clip->heading = -clip->heading;
}

void fr__walk_clip_plan(const fr__gait *gait, const fr__walk_body *body, double frame_rate, fr__walk_clip *clip,
                        fr__walk_timeline *t, bool *is_mirrored) {
    *t = (fr__walk_timeline){.gait = gait, .body = body};
    *is_mirrored = clip->clip_class == FR_CLIP_END && clip->joined == FR__LEFT;
    clip->heading = 0.0;
    double facing = fr_radians((double)clip->facing_deg);
    switch (clip->clip_class) {
    case FR_CLIP_STRAIGHT: plan_straight(gait, clip, t); break;
    case FR_CLIP_START: plan_start(gait, clip, t); break;
    case FR_CLIP_END: plan_end(gait, *is_mirrored ? -facing : facing, clip, t); break;
    default: plan_steps(gait, clip, t); break;
    }
    clip->frame_count = 1 + (uint32_t)floor(t->duration * frame_rate + 0.5);
    set_contacts(t, clip);
    if (*is_mirrored) { mirror_contacts(clip); }
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

static fr_quat mirrored(fr_quat q) { return (fr_quat){q.w, q.x, -q.y, -q.z}; }

static void mirror_leg(fr__walk_leg *leg) {
    leg->ankle.x = -leg->ankle.x;
    leg->heading = -leg->heading;
    leg->knee = -leg->knee;
}

void fr__walk_mirror(fr__walk_figure *figure) {
    fr__walk_figure copy = *figure;
    figure->middle.x = -figure->middle.x;
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        int from = i < FR__FIGURE_UPPER_ARM ? i : FR__FIGURE_UPPER_ARM + ((i - FR__FIGURE_UPPER_ARM) ^ 1);
        figure->turns[i] = mirrored(copy.turns[from]);
    }
    for (int side = 0; side < 2; side++) {
        figure->legs[side] = copy.legs[1 - side];
        mirror_leg(&figure->legs[side]);
    }
}

void fr__walk_store(const fr__walk_figure *figure, fr__walk_frame *frame) {
    frame->middle[0] = (float)figure->middle.x;
    frame->middle[1] = (float)figure->middle.y;
    frame->middle[2] = (float)figure->middle.z;
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        fr_quat q = figure->turns[i];
        frame->turns[i][0] = (float)q.w;
        frame->turns[i][1] = (float)q.x;
        frame->turns[i][2] = (float)q.y;
        frame->turns[i][3] = (float)q.z;
    }
    for (int side = 0; side < 2; side++) {
        const fr__walk_leg *leg = &figure->legs[side];
        const double values[6] = {leg->ankle.x, leg->ankle.y, leg->ankle.z, leg->heading, leg->pitch, leg->knee};
        for (int i = 0; i < 6; i++) {
            frame->legs[side][i] = (float)values[i];
        }
    }
}

void fr__walk_load(const fr__walk_frame *a, const fr__walk_frame *b, double part, fr__walk_figure *figure) {
    double rest = 1.0 - part;
#define MIX(field) (rest * (double)a->field + part * (double)b->field)
    figure->middle = fr_vec3_make(MIX(middle[0]), MIX(middle[1]), MIX(middle[2]));
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        fr_quat q = {MIX(turns[i][0]), MIX(turns[i][1]), MIX(turns[i][2]), MIX(turns[i][3])};
        double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        figure->turns[i] = (fr_quat){q.w / length, q.x / length, q.y / length, q.z / length};
    }
    for (int side = 0; side < 2; side++) {
        fr__walk_leg *leg = &figure->legs[side];
        leg->ankle = fr_vec3_make(MIX(legs[side][0]), MIX(legs[side][1]), MIX(legs[side][2]));
        leg->heading = MIX(legs[side][3]);
        leg->pitch = MIX(legs[side][4]);
        leg->knee = MIX(legs[side][5]);
    }
#undef MIX
}
