// Fusion: the mean of the motions of one body, and transitions that keep posture and velocity (inertialization).
//
// What a link is away from the mean is a rotation vector o with turn = mean exp(o). When the motions that care for a
// link change, the mean jumps. The step of the jump and the one after it go on at the body's velocity: the first says
// how far the new mean is away, the second how fast that changes, so that o and its speed are known without asking the
// motion for either.
#include "fureai/human_fusion.h"

#include "human/posture.h"

#include <string.h>

#define FUSION_DEF_COOKIE 0x46555345u
#define MIN_SETTLING 0.3 // seconds
#define MAX_SETTLING 0.5
#define LONG_SETTLING 0.8 // of what is fast
#define BRAKING 90.0      // radians a second squared, with which a transition brakes at most before LONG_SETTLING
#define MAX_COASTING 0.1  // seconds that a link goes on at its velocity; steps are shorter as a rule
#define FAR_TURN 1.5      // radians from which on a transition takes longest
#define LEAP 18.0         // radians a second: no motion of people turns a link faster, but of a finger in a hurry
#define FAR_PLACE 0.5     // metres likewise
#define BEYOND_MAX 0.1    // radians beyond its limit from which on a link is left there
#define LONG_STEP 0.05    // seconds
#define MEANT_BEYOND 1e-3 // radians beyond a limit that a motion means
#define NEAR_BEYOND 0.97  // cosine of half the angle beyond a limit from which on a path is not brought back
#define LIMIT_HASTE 180.0 // radians a second squared with which a limit changes a link's velocity, at most

// The transition of a link, or of the place.
typedef struct transition {
    double age;      // seconds since it began; at or above `settling` there is none
    double settling; // seconds that it takes
    uint64_t carers; // a signature of the motions that care; 0: none does
    bool is_new;     // the speed of its lack is not known yet
    bool is_kept;    // the last step was brought back to the link's limit
} transition;

// What a link, or the place, lacks where its transition begins. Apart from the rest: most transitions are over, and
// their lacks are not looked at.
typedef struct lack {
    fr_vec3 offset; // from the mean when it began: a rotation vector, or metres
    fr_vec3 speed;  // its change a second then
} lack;

struct fr_fusion {
    const fr_skeleton *skeleton;
    uint32_t count;
    fr_quat *turns;          // memory of the four that follow, which change places with one another
    fr_quat *now;            // turns of the body
    fr_quat *before;         // those a step earlier
    fr_quat *goal;           // the mean, and where a link rests that no motion cares for
    fr_quat *next;           // those of the step that is computed
    transition *transitions; // of each link, and last of the place
    lack *lacks;             // likewise
    fr_vec3 place, place_before, place_goal;
    double duration; // from `before` to `now`, seconds; 0: the body was put there
    uint8_t contact_left, contact_right;
    fr_allocator allocator;
};

fr_fusion_def fr_default_fusion_def(void) {
    fr_fusion_def def;
    memset(&def, 0, sizeof def);
    def.cookie = FUSION_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_posture fr_fusion_posture(const fr_fusion *fusion) {
    FR_ASSERT(fusion != NULL);
    fr_posture posture = {fusion->place, fusion->now, fusion->count, fusion->contact_left, fusion->contact_right};
    return posture;
}

fr_status fr_fusion_put(fr_fusion *fusion, const fr_posture *posture, fr_error *error) {
    FR_ASSERT(fusion != NULL && posture != NULL);
    fr_status status = fr__posture_check_count(posture, fusion->count, error);
    if (status != FR_OK) { return status; }
    fr_posture checked = {posture->place, fusion->next, fusion->count, posture->contact_left, posture->contact_right};
    memcpy(checked.turns, posture->turns, fusion->count * sizeof *checked.turns);
    status = fr_posture_check(fusion->skeleton, &checked, error);
    if (status != FR_OK) { return status; }

    size_t bytes = fusion->count * sizeof *fusion->now;
    memcpy(fusion->now, checked.turns, bytes);
    memcpy(fusion->before, checked.turns, bytes);
    memcpy(fusion->goal, checked.turns, bytes);
    fusion->place = fusion->place_before = fusion->place_goal = checked.place;
    fusion->contact_left = checked.contact_left;
    fusion->contact_right = checked.contact_right;
    fusion->duration = 0.0;
    memset(fusion->transitions, 0, (fusion->count + 1) * sizeof *fusion->transitions);
    memset(fusion->lacks, 0, (fusion->count + 1) * sizeof *fusion->lacks);
    return FR_OK;
}

static fr_status take_memory(fr_fusion *fusion, fr_error *error) {
    fr_quat *turns = fr_allocate(&fusion->allocator, 4 * (size_t)fusion->count, sizeof *turns, 32);
    fusion->turns = fusion->now = turns;
    fusion->transitions = fr_allocate(&fusion->allocator, fusion->count + 1, sizeof(transition), _Alignof(transition));
    fusion->lacks = fr_allocate(&fusion->allocator, fusion->count + 1, sizeof(lack), _Alignof(lack));
    if (turns == NULL || fusion->transitions == NULL || fusion->lacks == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a fusion");
    }
    fusion->before = turns + fusion->count;
    fusion->goal = turns + 2 * (size_t)fusion->count;
    fusion->next = turns + 3 * (size_t)fusion->count;
    return FR_OK;
}

static fr_status put_first(fr_fusion *fusion, const fr_fusion_def *def, fr_error *error) {
    if (def->posture != NULL) { return fr_fusion_put(fusion, def->posture, error); }
    fr_posture rest = {.turns = fusion->goal, .count = fusion->count};
    fr_status status = fr_posture_rest(def->skeleton, &rest, error);
    return status == FR_OK ? fr_fusion_put(fusion, &rest, error) : status;
}

fr_status fr_fusion_create(const fr_fusion_def *def, fr_fusion **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != FUSION_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_fusion_def"); }
    if (def->skeleton == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a fusion has a skeleton"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_fusion *fusion = fr_allocate(&allocator, 1, sizeof *fusion, _Alignof(fr_fusion));
    if (fusion == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a fusion"); }
    memset(fusion, 0, sizeof *fusion);
    fusion->allocator = allocator;
    fusion->skeleton = fr_skeleton_retain(def->skeleton);
    fusion->count = fr_skeleton_get(def->skeleton)->link_count;
    fr_status status = take_memory(fusion, error);
    if (status == FR_OK) { status = put_first(fusion, def, error); }
    if (status != FR_OK) {
        fr_fusion_destroy(fusion);
        return status;
    }
    *out = fusion;
    return FR_OK;
}

void fr_fusion_destroy(fr_fusion *fusion) {
    if (fusion == NULL) { return; }
    fr_allocator allocator = fusion->allocator;
    fr_skeleton_release(fusion->skeleton);
    fr_deallocate(&allocator, fusion->turns, 4 * (size_t)fusion->count, sizeof *fusion->turns);
    fr_deallocate(&allocator, fusion->transitions, fusion->count + 1, sizeof *fusion->transitions);
    fr_deallocate(&allocator, fusion->lacks, fusion->count + 1, sizeof *fusion->lacks);
    fr_deallocate(&allocator, fusion, 1, sizeof *fusion);
}

static uint64_t hash_transition(uint64_t hash, const transition *t, const lack *l) {
    const double numbers[8] = {l->offset.x, l->offset.y, l->offset.z, l->speed.x,
                               l->speed.y,  l->speed.z,  t->age,      t->settling};
    hash = fr_hash(numbers, sizeof numbers, hash);
    uint64_t rest[3] = {t->carers, t->is_new, t->is_kept};
    return fr_hash(rest, sizeof rest, hash);
}

uint64_t fr_fusion_hash(const fr_fusion *fusion) {
    FR_ASSERT(fusion != NULL);
    size_t bytes = fusion->count * sizeof *fusion->now;
    uint64_t hash = fr_hash(fusion->now, bytes, fr_hash(fusion->before, bytes, fr_hash(fusion->goal, bytes, 0)));
    const fr_vec3 places[3] = {fusion->place, fusion->place_before, fusion->place_goal};
    hash = fr_hash(&fusion->duration, sizeof fusion->duration, fr_hash(places, sizeof places, hash));
    for (uint32_t i = 0; i <= fusion->count; i++) {
        hash = hash_transition(hash, &fusion->transitions[i], &fusion->lacks[i]);
    }
    const uint8_t contacts[2] = {fusion->contact_left, fusion->contact_right};
    return fr_hash(contacts, sizeof contacts, hash);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_motion(const fr_fused_motion *motion, uint32_t link_count, uint32_t index, fr_error *error) {
    const fr_posture *posture = &motion->posture;
    if (posture->turns == NULL || posture->count != link_count || motion->weights == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "motion %u has %u links or no weights; the body has %u", index,
                            posture->count, link_count);
    }
    if (!(fr_vec3_is_finite(posture->place) && fr_vec3_largest(posture->place) <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "motion %u: its place is not finite", index);
    }
    for (uint32_t i = 0; i < link_count; i++) {
        fr_quat q = posture->turns[i];
        double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
        // Written so that NaN is refused as well.
        if (fabs(square - 1.0) <= 2e-9) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "motion %u: the turn of link %u has length %g instead of 1",
                            index, i, sqrt(square));
    }
    return FR_OK;
}

static fr_status check_input(const fr_fusion *fusion, const fr_fusion_input *input, const fr_posture *out,
                             fr_error *error) {
    if (input->count > FR_MAX_FUSED_MOTIONS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u motions; the limit is %u", input->count,
                            FR_MAX_FUSED_MOTIONS);
    }
    if (!(input->duration > 0.0 && input->duration <= 1.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a step of %g s; up to 1 s may be", input->duration);
    }
    if (input->count > 0 && input->motions == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u motions, and none given", input->count);
    }
    fr_status status = fr__posture_check_count(out, fusion->count, error);
    for (uint32_t m = 0; status == FR_OK && m < input->count; m++) {
        status = check_motion(&input->motions[m], fusion->count, m, error);
        for (uint32_t k = 0; status == FR_OK && k < m; k++) {
            if (input->motions[k].id != input->motions[m].id) { continue; }
            status = fr_error_set(error, FR_ERROR_ARGUMENT, "motions %u and %u have one id", k, m);
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

// The rotation vector from a to b, by the shorter turn, in the axes of a.
static fr_vec3 turn_between(fr_quat a, fr_quat b) {
    fr_quat undo = {a.w, -a.x, -a.y, -a.z};
    return fr_quat_to_vector(fr__quat_multiply(undo, b));
}

// Likewise, by the shorter or the longer turn: the one that is nearer to `last`. About half a turn the shorter one
// leaps to the other side.
static fr_vec3 turn_near(fr_quat a, fr_quat b, fr_vec3 last) {
    fr_vec3 shorter = turn_between(a, b);
    double angle = fr_vec3_length(shorter);
    if (!(angle > 0.5 * FR_PI)) { return shorter; }
    fr_vec3 longer = fr_vec3_scale((angle - 2.0 * FR_PI) / angle, shorter);
    return fr_vec3_distance(longer, last) < fr_vec3_distance(shorter, last) ? longer : shorter;
}

static fr_quat turned_by(fr_quat q, fr_vec3 turn) { return fr__quat_product(q, fr_quat_from_vector(turn)); }

static double coasting_time(double duration) { return duration < MAX_COASTING ? duration : MAX_COASTING; }

static double settling_time(fr_vec3 offset, double far_away) {
    double part = fr_vec3_length(offset) / far_away;
    return MIN_SETTLING + (MAX_SETTLING - MIN_SETTLING) * (part < 1.0 ? part : 1.0);
}

// The settling time of a link whose speed away from the mean is known: the fading offset brakes it with six times the
// speed over the time.
static double braking_time(const transition *t, const lack *l) {
    double time = 6.0 * fr_vec3_length(l->speed) / BRAKING;
    time = time < LONG_SETTLING ? time : LONG_SETTLING;
    return time > t->settling ? time : t->settling;
}

// What is left of the offset after the transition's age.
static fr_vec3 offset_left(const transition *t, const lack *l) {
    double u = t->age / t->settling, v = 1.0 - u, cube = v * v * v;
    fr_vec3 slope = fr_vec3_add_scaled(fr_vec3_scale(3.0, l->offset), t->settling, l->speed);
    return fr_vec3_scale(cube, fr_vec3_add_scaled(l->offset, u, slope));
}

// A link, or the place, that no motion cares for any more goes on for a third of its speed times the settling time and
// comes to rest there: the slope of the fading offset is then that of its cube alone.
static fr_vec3 resting_travel(transition *t, lack *l, fr_vec3 velocity) {
    t->settling = MIN_SETTLING;
    fr_vec3 travel = fr_vec3_scale(t->settling / 3.0, velocity);
    l->offset = fr_vec3_negate(travel);
    l->speed = velocity;
    return travel;
}

// One number of the motions that have a weight for a link, or for the place; 0 for none.
static uint64_t carers_of(const fr_fusion_input *input, uint32_t link, uint32_t *count) {
    uint64_t signature = 0;
    *count = 0;
    for (uint32_t m = 0; m < input->count; m++) {
        // Any mixing will do that makes two sets differ: an odd factor, then the high half on the low one.
        uint64_t mixed = (input->motions[m].id + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
        if (input->motions[m].weights[link] < FR_MIN_WEIGHT) { continue; }
        signature += (mixed ^ mixed >> 31) | 1u;
        ++*count;
    }
    return signature;
}

// Goes on at a velocity for a step. A long step that would lead a link far beyond its limit ends there, at rest.
static fr_quat coast(const fr_fusion *fusion, uint32_t link, double duration, fr_vec3 *velocity) {
    double time = coasting_time(duration);
    fr_quat next = turned_by(fusion->now[link], fr_vec3_scale(time, *velocity));
    bool is_long = time > LONG_STEP && fr_skeleton_excess(fusion->skeleton, link, fusion->now[link]) <= BEYOND_MAX;
    if (!is_long || fr_skeleton_excess(fusion->skeleton, link, next) <= BEYOND_MAX) { return next; }
    *velocity = (fr_vec3){0.0, 0.0, 0.0};
    return fr_skeleton_clamp(fusion->skeleton, link, next);
}

// Where a link rests that no motion cares for: within its limit, or, where it is farther beyond than a motion of people
// leaves it, no farther beyond.
static void come_to_rest(fr_fusion *fusion, uint32_t link, fr_quat next, fr_vec3 velocity) {
    transition *t = &fusion->transitions[link];
    lack *l = &fusion->lacks[link];
    fr_quat now = fusion->now[link], goal = turned_by(next, resting_travel(t, l, velocity));
    double beyond = fr_skeleton_excess(fusion->skeleton, link, now);
    bool is_kept = beyond > BEYOND_MAX;
    if (fr_skeleton_excess(fusion->skeleton, link, goal) > (is_kept ? beyond : 0.0)) {
        goal = is_kept ? now : fr_skeleton_clamp(fusion->skeleton, link, goal);
        l->offset = turn_between(goal, next);
    }
    fusion->goal[link] = goal;
}

// The motions of a link have changed: it goes on at its velocity in this step.
static fr_quat begin_link(fr_fusion *fusion, uint32_t link, double duration) {
    transition *t = &fusion->transitions[link];
    lack *l = &fusion->lacks[link];
    fr_vec3 velocity = {0.0, 0.0, 0.0};
    if (fusion->duration > 0.0) {
        fr_vec3 turn = turn_between(fusion->before[link], fusion->now[link]);
        velocity = fr_vec3_scale(1.0 / fusion->duration, turn);
    }
    fr_quat next = coast(fusion, link, duration, &velocity);
    t->age = 0.0;
    t->is_new = t->carers != 0;
    if (t->is_new) {
        l->offset = turn_between(fusion->goal[link], next);
        t->settling = settling_time(l->offset, FAR_TURN);
    } else {
        come_to_rest(fusion, link, next, velocity);
    }
    return next;
}

static fr_quat next_turn(fr_fusion *fusion, uint32_t link, double duration) {
    transition *t = &fusion->transitions[link];
    lack *l = &fusion->lacks[link];
    fr_quat goal = fusion->goal[link];
    if (t->is_new) {
        // One more step at the velocity says how fast the offset changes.
        fr_vec3 travel = turn_between(fusion->before[link], fusion->now[link]);
        fr_quat ahead = turned_by(fusion->now[link], fr_vec3_scale(coasting_time(duration) / fusion->duration, travel));
        fr_vec3 change = fr_vec3_sub(turn_near(goal, ahead, l->offset), l->offset);
        l->speed = fr_vec3_scale(1.0 / duration, change);
        t->is_new = false;
        t->settling = braking_time(t, l);
    }
    t->age += duration;
    if (!(t->age < t->settling)) { return goal; }
    return turned_by(goal, offset_left(t, l));
}

static fr_vec3 begin_place(fr_fusion *fusion, double duration) {
    transition *t = &fusion->transitions[fusion->count];
    lack *l = &fusion->lacks[fusion->count];
    fr_vec3 velocity = {0.0, 0.0, 0.0};
    if (fusion->duration > 0.0) {
        velocity = fr_vec3_scale(1.0 / fusion->duration, fr_vec3_sub(fusion->place, fusion->place_before));
    }
    fr_vec3 next = fr_vec3_add_scaled(fusion->place, coasting_time(duration), velocity);
    t->age = 0.0;
    t->is_new = t->carers != 0;
    if (t->is_new) {
        l->offset = fr_vec3_sub(next, fusion->place_goal);
        t->settling = settling_time(l->offset, FAR_PLACE);
    } else {
        fusion->place_goal = fr_vec3_add(next, resting_travel(t, l, velocity));
    }
    return next;
}

static fr_vec3 next_place(fr_fusion *fusion, double duration) {
    transition *t = &fusion->transitions[fusion->count];
    lack *l = &fusion->lacks[fusion->count];
    if (t->is_new) {
        fr_vec3 travel = fr_vec3_sub(fusion->place, fusion->place_before);
        fr_vec3 ahead = fr_vec3_add_scaled(fusion->place, coasting_time(duration) / fusion->duration, travel);
        fr_vec3 change = fr_vec3_sub(fr_vec3_sub(ahead, fusion->place_goal), l->offset);
        l->speed = fr_vec3_scale(1.0 / duration, change);
        t->is_new = false;
    }
    t->age += duration;
    if (!(t->age < t->settling)) { return fusion->place_goal; }
    return fr_vec3_add(fusion->place_goal, offset_left(t, l));
}

// ---------------------------------------------------------------------------------------------------------------
// The step

// The mean of the motions into the goal; links that no motion cares for keep theirs.
static void find_goal(fr_fusion *fusion, const fr_fusion_input *input) {
    fr_weighted_posture motions[FR_MAX_FUSED_MOTIONS];
    for (uint32_t m = 0; m < input->count; m++) {
        motions[m] = (fr_weighted_posture){input->motions[m].posture, input->motions[m].weights};
    }
    fr_posture goal = {fusion->place_goal, fusion->goal, fusion->count, fusion->contact_left, fusion->contact_right};
    (void)fr_posture_mean(motions, input->count, &goal, &goal, NULL);
    fusion->place_goal = goal.place;
    fusion->contact_left = goal.contact_left;
    fusion->contact_right = goal.contact_right;
}

// Whether the motions of a link, or of the place, are others than in the last step; notes them, and how many they are.
static bool is_changed(fr_fusion *fusion, const fr_fusion_input *input, uint32_t link, uint32_t *count) {
    uint64_t carers = carers_of(input, link, count), last = fusion->transitions[link].carers;
    fusion->transitions[link].carers = carers;
    return carers != last;
}

// The largest part of a change that leaves a jump of a velocity within a bound: the jump is `first` without the change.
static double bounded_part(fr_vec3 first, fr_vec3 change, double bound) {
    double a = fr_vec3_dot(change, change), b = fr_vec3_dot(first, change), c = fr_vec3_dot(first, first);
    double root = b * b - a * (c - bound * bound);
    if (!(a > 0.0) || !(root > 0.0)) { return a > 0.0 && b < 0.0 ? fmin(-b / a, 1.0) : 0.0; }
    return fmax(fmin((sqrt(root) - b) / a, 1.0), 0.0);
}

// Whether what a link is to settle at is within its limit: the turns of all motions that care for it, or where it
// rests.
static bool is_meant_within(const fr_fusion *fusion, const fr_fusion_input *input, uint32_t link, uint32_t carers) {
    if (carers == 0) { return fr_skeleton_excess(fusion->skeleton, link, fusion->goal[link]) == 0.0; }
    for (uint32_t m = 0; m < input->count; m++) {
        const fr_fused_motion *motion = &input->motions[m];
        if (motion->weights[link] < FR_MIN_WEIGHT) { continue; }
        if (fr_skeleton_excess(fusion->skeleton, link, motion->posture.turns[link]) > MEANT_BEYOND) { return false; }
    }
    return true;
}

// The mean of motions that are within a link's limit, and the path from one to another, may lead a little beyond it:
// the turn of a step is brought back, as far as no velocity jumps. What a motion has beyond the limit by itself stays,
// and a link that was beyond comes back in its own time.
static fr_quat brought_back(fr_fusion *fusion, const fr_fusion_input *input, uint32_t link, uint32_t carers,
                            bool begins, fr_quat next) {
    transition *t = &fusion->transitions[link];
    fr_quat now = fusion->now[link], within = fr_skeleton_clamp(fusion->skeleton, link, next);
    double cosine = (next.w * within.w + next.x * within.x) + (next.y * within.y + next.z * within.z);
    double duration = input->duration;
    bool was_kept = t->is_kept, is_off = memcmp(&within, &next, sizeof next) != 0 && fabs(cosine) > NEAR_BEYOND;
    bool was_within = was_kept || (is_off && fr_skeleton_excess(fusion->skeleton, link, now) == 0.0);
    t->is_kept = is_off && was_within && is_meant_within(fusion, input, link, carers);
    if (!t->is_kept && !was_kept) { return next; }
    within = t->is_kept ? within : next;
    fr_vec3 last = {0.0, 0.0, 0.0};
    if (fusion->duration > 0.0) {
        last = fr_vec3_scale(1.0 / fusion->duration, turn_between(fusion->before[link], now));
    }
    fr_vec3 first = fr_vec3_sub(fr_vec3_scale(1.0 / duration, turn_between(now, next)), last);
    fr_vec3 whole = fr_vec3_sub(fr_vec3_scale(1.0 / duration, turn_between(now, within)), last);
    fr_vec3 change = fr_vec3_sub(whole, first);
    double jump = LIMIT_HASTE * duration, part = bounded_part(first, change, jump);
    if (!begins && fr_vec3_length(fr_vec3_add_scaled(first, part, change)) > 1.17 * jump) {
        // The limit has kept the link so far off its path that it cannot go on along it: another path begins.
        t->is_kept = false;
        return begin_link(fusion, link, duration);
    }
    return part < 1.0 ? turned_by(next, fr_vec3_scale(part, turn_between(next, within))) : within;
}

// Whether the mean of a link has leapt to the other side, as it does where two motions come to be over half a turn
// apart: it has turned faster than any motion of people.
static bool has_leapt(fr_quat last, fr_quat goal, double duration) {
    double cosine = (last.w * goal.w + last.x * goal.x) + (last.y * goal.y + last.z * goal.z),
           half = 0.5 * LEAP * duration;
    half = half < 0.5 * FR_PI ? half : 0.5 * FR_PI;
    return fabs(cosine) < 1.0 - 0.5 * half * half;
}

fr_status fr_fusion_step(fr_fusion *fusion, const fr_fusion_input *input, fr_posture *out, fr_error *error) {
    FR_ASSERT(fusion != NULL && input != NULL && out != NULL);
    fr_status status = check_input(fusion, input, out, error);
    if (status != FR_OK) { return status; }
    size_t bytes = fusion->count * sizeof *fusion->now;
    uint32_t carers;
    bool may_leap = input->count > 1, is_view = out->turns == fusion->now;
    if (may_leap) { memcpy(fusion->next, fusion->goal, bytes); }
    find_goal(fusion, input);
    for (uint32_t i = 0; i < fusion->count; i++) {
        bool begins = is_changed(fusion, input, i, &carers) ||
                      (may_leap && has_leapt(fusion->next[i], fusion->goal[i], input->duration));
        fr_quat next = begins ? begin_link(fusion, i, input->duration) : next_turn(fusion, i, input->duration);
        bool is_settled = !(fusion->transitions[i].age < fusion->transitions[i].settling);
        bool may_leave = i > 0 && (carers > 1 || !is_settled);
        fusion->next[i] = may_leave ? brought_back(fusion, input, i, carers, begins, next) : next;
    }
    bool place_begins = is_changed(fusion, input, fusion->count, &carers);
    fr_vec3 place = place_begins ? begin_place(fusion, input->duration) : next_place(fusion, input->duration);

    fr_quat *oldest = fusion->before;
    fusion->before = fusion->now;
    fusion->now = fusion->next;
    fusion->next = oldest;
    fusion->place_before = fusion->place;
    fusion->place = place;
    fusion->duration = input->duration;
    if (is_view) {
        out->turns = fusion->now;
    } else {
        memcpy(out->turns, fusion->now, bytes);
    }
    out->place = place;
    out->contact_left = fusion->contact_left;
    out->contact_right = fusion->contact_right;
    return FR_OK;
}

bool fr_frame_span_at(fr_frame_span span, uint64_t frame, double *fraction) {
    FR_ASSERT(fraction != NULL);
    if (frame <= span.start || frame - span.start > span.count) { return false; }
    *fraction = span.count > 1 ? (double)(frame - span.start - 1) / (double)(span.count - 1) : 0.0;
    return true;
}
