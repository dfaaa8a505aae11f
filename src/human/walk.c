// A body that walks: takes goals, plans, and goes on frame by frame.
#include "fureai/human_walk.h"

#include "human/posture.h"
#include "human/walk_drop.h"
#include "human/walk_fade.h"
#include "human/walk_pace.h"
#include "human/walk_plan.h"
#include "human/walk_variety.h"

#include <string.h>

#define WALK_DEF_COOKIE 0x57414c4bu

// What differs from a walk's own posture where it begins fades within this many seconds, of the feet within half of it.
static const double FADE_SECONDS = 0.4;

// Arms that are far from where a walk has them set out with up to so many radians a second squared.
static const double ARM_HASTE = 120.0;

// Likewise feet.
static const double FOOT_HASTE = 150.0;

// A body whose hips are lower than the walk's by more than this, leg lengths, rises for so many seconds more a leg
// length.
static const double LOW_HIPS = 0.04, RISING_SECONDS = 1.2;

// Who walks faster or more slowly than the clips does so within these last seconds no more.
static const double SLOWING_SECONDS = 0.55;

// Hips that are lowered are so up to this much more than a leg needs, leg lengths.
static const double SPARE = 0.012;

// The hips are lowered so many seconds before a leg needs it. They are not while the body comes to stand.
static const double DROP_SECONDS = 0.10, SETTLE_SECONDS = 0.25;

struct fr_walk {
    fr__walk_plan plan;
    uint32_t frame, frame_count; // of fr_walk_step
    double start;                // frame of the plan where the walk was planned
    double time;                 // frame of the plan now
    fr__walk_pace pace;          // by how much that grows a step
    double natural;              // frames of all parts
    double length;               // metres of all parts
    double ground;               // height
    fr__walk_fade seam;          // from a part that is left before its end to the next one
    fr__walk_fade change;        // from what was shown as the walk was planned to the plan
    fr__walk_lack drop_change;   // likewise of the drop
    fr__walk_drops drops;
    fr__walk_figure rest;            // while there is no part
    fr__walk_figure shown[2];        // in the last two steps, before the hips are lowered
    fr__walk_figure planned[2];      // likewise, of the clips alone
    uint32_t shown_now, planned_now; // which of the two is of the last step
    uint8_t planned_contacts[2];
    double shown_drops[2];
    double shown_step; // frames of the plan between the last two steps
    fr__walk_variety variety;
    size_t varied_part; // the part whose deviates are drawn
    fr_allocator allocator;
};

fr_walk_def fr_default_walk_def(void) {
    fr_walk_def def;
    memset(&def, 0, sizeof def);
    def.joined_turn = fr_radians(30.0);
    def.cookie = WALK_DEF_COOKIE;
    return def;
}

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a walk"); }

static fr_status check_def(const fr_walk_def *def, fr_error *error) {
    if (def->cookie != WALK_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_walk_def"); }
    if (def->set == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a walk has a set of clips"); }
    if (!(def->joined_turn >= 0.0 && def->joined_turn <= 0.5 * FR_PI)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "turns of up to %g radians are joined; 0 .. pi/2 is allowed",
                            def->joined_turn);
    }
    if (!(def->variety >= 0.0 && def->variety <= 2.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a variety of %g, not 0 .. 2", def->variety);
    }
    return FR_OK;
}

// Stands at the origin.
static void reset(fr_walk *walk) {
    fr__walk_plan *plan = &walk->plan;
    plan->parts.count = 0;
    plan->spot = (fr__walk_spot){0.0, 0.0, 0.0};
    plan->is_standing = true;
    plan->is_committed = false;
    plan->pattern = FR_WALK_STAND;
    for (int foot = 0; foot < 2; foot++) {
        plan->prints[foot] = fr__walk_standing_print(&plan->set->body, foot, 0.0, 0.0, 0.0);
    }
    walk->rest = plan->set->stand;
    walk->ground = 0.0;
    walk->frame = walk->frame_count = 0;
    walk->natural = walk->start = walk->time = 0.0;
    walk->seam.frames = walk->change.frames = 0.0;
    walk->shown[0] = walk->shown[1] = walk->rest;
    walk->shown_drops[0] = walk->shown_drops[1] = 0.0;
    walk->shown_step = 1.0;
}

fr_status fr_walk_create(const fr_walk_def *def, fr_walk **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_walk *walk = fr_allocate(&allocator, 1, sizeof *walk, _Alignof(fr_walk));
    if (walk == NULL) { return no_memory(error); }
    memset(walk, 0, sizeof *walk);
    walk->allocator = allocator;
    walk->plan.set = fr_walk_set_retain(def->set);
    walk->plan.joined_turn = def->joined_turn;
    fr__walk_variety_init(&walk->variety, def->person, def->variety);
    walk->plan.parts = fr__walk_parts_make(&walk->allocator);
    walk->plan.points = fr__walk_points_make(&walk->allocator);
    reset(walk);
    *out = walk;
    return FR_OK;
}

void fr_walk_destroy(fr_walk *walk) {
    if (walk == NULL) { return; }
    fr__walk_parts_destroy(&walk->plan.parts);
    fr__walk_points_destroy(&walk->plan.points);
    fr_walk_set_release(walk->plan.set);
    fr_allocator allocator = walk->allocator;
    fr_deallocate(&allocator, walk, 1, sizeof *walk);
}

// ---------------------------------------------------------------------------------------------------------------
// Where the body is

// The part at a frame of the plan, and the frame within it.
static size_t find_part(const fr_walk *walk, double time, double *within) {
    const fr__walk_part *parts = walk->plan.parts.data;
    size_t low = 0, high = walk->plan.parts.count - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (parts[middle].begin <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    *within = time - parts[low].begin;
    *within = *within > parts[low].last ? parts[low].last : *within;
    return low;
}

// How much of steady walking there is at a frame of the plan, 0 .. 1: none where the body begins and comes to stand.
static double steadiness(const fr_walk *walk, double time) {
    double within;
    const fr__walk_part *part = &walk->plan.parts.data[find_part(walk, time, &within)];
    switch (part->clip.clip_class) {
    case FR_CLIP_START: return fr__ease(2.0 * within / part->last - 1.0);
    case FR_CLIP_STRAIGHT: return 1.0;
    case FR_CLIP_END: return 1.0 - fr__ease(within / (SLOWING_SECONDS * walk->plan.set->view.frame_rate));
    default: return 0.0;
    }
}

// Frames of the plan from a step of the walk, at a frame of the plan, to the next one.
static double step_at(const fr_walk *walk, uint32_t frame, double time) {
    return fr__walk_pace_step(&walk->pace, frame, walk->pace.steady != 1.0 ? steadiness(walk, time) : 0.0);
}

// The frame of the plan so many steps of the walk farther ahead, up to its last one.
static double time_ahead(const fr_walk *walk, fr_walk_cursor *cursor, uint32_t steps) {
    uint32_t left = walk->frame_count - walk->frame, first = cursor->steps;
    double time = first > 0 ? cursor->time : walk->time;
    cursor->steps = first < left && steps < left - first ? first + steps : left;
    for (uint32_t i = first; i < cursor->steps && time < walk->natural; i++) {
        time += step_at(walk, walk->frame + i, time);
    }
    cursor->time = time;
    return cursor->steps == left || time > walk->natural ? walk->natural : time;
}

static void part_figure(const fr_walk *walk, const fr__walk_part *part, double within, fr__walk_figure *figure,
                        uint8_t contacts[2]) {
    fr__walk_part_figure(walk->plan.set, part, within, figure, contacts);
    fr__walk_variety_apply(&walk->variety, part, within, figure);
}

// The figure of the clips alone.
static void clip_figure(const fr_walk *walk, double time, fr__walk_figure *figure, uint8_t contacts[2]) {
    if (walk->plan.parts.count > 0) {
        double within;
        size_t part = find_part(walk, time, &within);
        part_figure(walk, &walk->plan.parts.data[part], within, figure, contacts);
    } else {
        *figure = walk->rest;
        contacts[0] = contacts[1] = FR_CONTACT_HEEL | FR_CONTACT_TOE;
    }
}

// Adds to a figure of the clips what is left of the fades.
static void add_fades(const fr_walk *walk, double time, fr__walk_figure *figure, uint8_t contacts[2]) {
    const fr__walk_body *body = &walk->plan.set->body;
    fr__walk_fade_apply(&walk->seam, body, time, figure, contacts);
    fr__walk_fade_apply(&walk->change, body, time, figure, contacts);
}

static void plan_figure(const fr_walk *walk, double time, fr__walk_figure *figure, uint8_t contacts[2]) {
    clip_figure(walk, time, figure, contacts);
    add_fades(walk, time, figure, contacts);
}

// How much lower than planned the hips must be at a frame of the plan. A leg that needs it gets some more room than
// that: the straighter the leg, the faster turns its knee.
static double need_at(int64_t frame, void *context) {
    const fr_walk *walk = context;
    double time = (double)frame;
    fr__walk_figure figure;
    uint8_t contacts[2];
    plan_figure(walk, time < 0.0 ? 0.0 : (time > walk->natural ? walk->natural : time), &figure, contacts);
    double left = fr__walk_need(&walk->plan.set->body, &figure, FR__LEFT);
    double right = fr__walk_need(&walk->plan.set->body, &figure, FR__RIGHT);
    double need = left > right ? left : right, leg = walk->plan.set->body.leg;
    return need + SPARE * leg * need / (need + SPARE * leg);
}

// How much the hips are lowered at a frame of the plan, without what is left of a change.
static double plan_drop(fr_walk *walk, double time) {
    if (walk->plan.parts.count == 0) { return 0.0; }
    double rate = walk->plan.set->view.frame_rate, left = (walk->natural - time) / (SETTLE_SECONDS * rate);
    return fr__ease(left) * fr__walk_drops_at(&walk->drops, time, DROP_SECONDS * rate, need_at, walk);
}

static double drop_at(fr_walk *walk, double time) {
    const fr__walk_fade *change = &walk->change;
    double drop = plan_drop(walk, time), u = (time - change->begin) / change->frames;
    if (!(change->frames > 0.0 && u >= 0.0)) { return drop; }
    return drop + fr__walk_lack_left(&walk->drop_change, u, change->frames);
}

// Draws new deviates as a part begins.
static void draw_variety(fr_walk *walk) {
    if (walk->plan.parts.count == 0 || walk->variety.scale <= 0.0) { return; }
    double within;
    size_t part = find_part(walk, walk->time, &within);
    for (; walk->varied_part < part; walk->varied_part++) {
        fr__walk_variety_step(&walk->variety);
    }
}

// Notes the figure of the clips at this step.
static void note_planned(fr_walk *walk, const fr__walk_figure *figure, const uint8_t contacts[2]) {
    walk->planned_now = 1 - walk->planned_now;
    walk->planned[walk->planned_now] = *figure;
    memcpy(walk->planned_contacts, contacts, sizeof walk->planned_contacts);
}

fr_status fr_walk_step(fr_walk *walk, fr_posture *posture, fr_error *error) {
    FR_ASSERT(walk != NULL && posture != NULL);
    const fr_walk_set *set = walk->plan.set;
    fr_status status = fr__posture_check_count(posture, fr_skeleton_get(set->view.skeleton)->link_count, error);
    if (status != FR_OK) { return status; }
    double last = walk->time;
    if (walk->frame < walk->frame_count) {
        walk->time = last + step_at(walk, walk->frame++, last);
        bool is_over = walk->frame == walk->frame_count || walk->time > walk->natural;
        walk->time = is_over ? walk->natural : walk->time;
        walk->shown_step = walk->time > last ? walk->time - last : walk->shown_step;
    }
    fr__walk_figure figure;
    uint8_t contacts[2];
    draw_variety(walk);
    double time = walk->time, drop = drop_at(walk, time);
    if (walk->seam.frames > 0.0 && last < walk->seam.begin && time >= walk->seam.begin) {
        // The clips do not meet there: the later one begins at rest.
        clip_figure(walk, walk->seam.begin, &figure, contacts);
        note_planned(walk, &figure, contacts);
    }
    clip_figure(walk, time, &figure, contacts);
    note_planned(walk, &figure, contacts);
    add_fades(walk, time, &figure, contacts);
    walk->shown_now = 1 - walk->shown_now;
    walk->shown[walk->shown_now] = figure;
    walk->shown_drops[0] = walk->shown_drops[1];
    walk->shown_drops[1] = drop;
    figure.middle.y -= drop;
    fr__walk_pose_planned(set->view.skeleton, &set->body, &figure, posture);
    posture->place.y += walk->ground;
    for (int side = 0; side < 2; side++) {
        if (contacts[side] != 0) { contacts[side] = fr__walk_contact_bits(figure.legs[side].pitch); }
    }
    posture->contact_left = contacts[FR__LEFT];
    posture->contact_right = contacts[FR__RIGHT];
    return FR_OK;
}

bool fr__walk_is_walking(const fr_walk *walk) { return walk->frame < walk->frame_count; }

const fr_walk_set *fr__walk_set_of(const fr_walk *walk) { return walk->plan.set; }

fr_walk_view fr_walk_get(const fr_walk *walk) {
    FR_ASSERT(walk != NULL);
    fr_walk_view view = {.set = walk->plan.set,
                         .pattern = walk->plan.pattern,
                         .frame = walk->frame,
                         .frame_count = walk->frame_count,
                         .part_count = (uint32_t)walk->plan.parts.count};
    fr__walk_spot spot = walk->plan.spot;
    if (walk->plan.parts.count > 0) {
        double within;
        size_t part = find_part(walk, walk->time, &within);
        spot = fr__walk_part_spot(walk->plan.set, &walk->plan.parts.data[part], within);
        view.length = walk->length;
    }
    view.place = fr_vec3_make(spot.x, walk->ground, spot.z);
    view.heading = spot.heading;
    view.is_walking = fr__walk_is_walking(walk);
    return view;
}

fr_vec3 fr_walk_place_after(const fr_walk *walk, uint32_t steps) {
    fr_walk_cursor cursor = {0, 0.0};
    return fr_walk_place_on(walk, &cursor, steps);
}

fr_vec3 fr_walk_place_on(const fr_walk *walk, fr_walk_cursor *cursor, uint32_t steps) {
    FR_ASSERT(walk != NULL && cursor != NULL);
    fr__walk_spot spot = walk->plan.spot;
    if (walk->plan.parts.count > 0) {
        double within;
        size_t part = find_part(walk, time_ahead(walk, cursor, steps), &within);
        spot = fr__walk_part_spot(walk->plan.set, &walk->plan.parts.data[part], within);
    }
    return fr_vec3_make(spot.x, walk->ground, spot.z);
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning, going, stopping

fr_status fr_walk_begin(fr_walk *walk, const fr_posture *posture, fr_error *error) {
    FR_ASSERT(walk != NULL && posture != NULL);
    const fr_walk_set *set = walk->plan.set;
    fr_status status = fr__posture_check_count(posture, fr_skeleton_get(set->view.skeleton)->link_count, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < posture->count; i++) {
        fr_quat q = posture->turns[i];
        if (!(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 0.02)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "link %u of a posture is no rotation", i);
        }
    }
    if (!(fr_vec3_is_finite(posture->place) && fr_vec3_largest(posture->place) <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place of a posture is not finite");
    }
    fr__walk_figure figure;
    double ground;
    fr__walk_read(set->view.skeleton, &set->body, posture, &figure, &ground);
    reset(walk);
    walk->ground = ground;
    fr__walk_plan *plan = &walk->plan;
    plan->spot = (fr__walk_spot){figure.middle.x, figure.middle.z, fr__walk_hip_heading(&figure)};
    for (int foot = 0; foot < 2; foot++) {
        const fr__walk_leg *leg = &figure.legs[foot];
        plan->prints[foot] = fr__walk_print_of(&set->body, leg);
    }
    walk->rest = walk->shown[0] = walk->shown[1] = figure;
    return FR_OK;
}

// What goes on while a new walk is planned: the part that the body is in, and where it is in it.
typedef struct going_on {
    fr__walk_part part;
    bool has_part;
    bool is_cut;        // the part is left before its end, both feet on the ground
    fr__walk_pair left; // figures of the clip there
} going_on;

// Leaves a part that would end with a body that stands as soon as both feet stand beside one another.
static void cut_part(const fr_walk *walk, double within, fr__walk_plan *next, going_on *going) {
    fr__walk_part *part = &going->part;
    fr__walk_part_restore(walk->plan.set, part);
    double last = fr__walk_part_stand(walk->plan.set, part, within);
    going->is_cut = last < part->last;
    if (!going->is_cut) { return; }
    uint8_t contacts[2];
    part->last = last;
    going->left.step = 1.0;
    part_figure(walk, part, last - 1.0, &going->left.first, contacts);
    part_figure(walk, part, last, &going->left.second, contacts);
    for (int foot = 0; foot < 2; foot++) {
        uint32_t contact;
        (void)fr__walk_stands(&part->clip, foot, last, &contact);
        part->clip.contact_counts[foot] = contact + 1;
    }

    // The hips come to rest a third of the fade ahead, which brakes them evenly.
    const fr__walk_figure *before = &going->left.first, *now = &going->left.second;
    double third = FADE_SECONDS * walk->plan.set->view.frame_rate / 3.0, heading = fr__walk_hip_heading(now);
    double turn = fr__wrap(heading - fr__walk_hip_heading(before));
    next->spot = (fr__walk_spot){now->middle.x + third * (now->middle.x - before->middle.x),
                                 now->middle.z + third * (now->middle.z - before->middle.z), heading + third * turn};
}

// Begins a plan where the body is: it stands, or it finishes the part that it is in.
static void begin_plan(const fr_walk *walk, bool may_cut, fr__walk_plan *next, going_on *going, double *start) {
    const fr__walk_plan *plan = &walk->plan;
    *next = *plan;
    next->parts = fr__walk_parts_make(&walk->allocator);
    *start = 0.0;
    going->has_part = going->is_cut = false;
    if (plan->parts.count == 0) { return; }
    double within;
    size_t index = find_part(walk, walk->time, &within);
    going->part = plan->parts.data[index];
    fr_clip_class clip_class = going->part.clip.clip_class;
    bool is_walking = clip_class == FR_CLIP_START || clip_class == FR_CLIP_STRAIGHT;
    if (!is_walking && within >= going->part.last) {
        for (int foot = 0; foot < 2; foot++) {
            next->prints[foot] = going->part.prints[foot][going->part.clip.contact_counts[foot] - 1];
        }
        next->spot = going->part.to;
        return;
    }
    going->has_part = true;
    *start = within;
    next->spot = going->part.to;
    next->is_standing = !is_walking;
    next->is_committed = is_walking;
    if (is_walking) {
        bool is_start = clip_class == FR_CLIP_START;
        next->front = going->part.is_mirrored == is_start ? FR__LEFT : FR__RIGHT;
    } else if (may_cut) {
        cut_part(walk, within, next, going);
    } else {
        fr__walk_part_restore(plan->set, &going->part);
    }
    going->part.begin = 0.0;
}

// The figures with which a plan that begins with a body that stands begins: it is at rest.
static fr__walk_pair resting_pair(const fr_walk *walk, double time) {
    fr__walk_pair pair = {.step = 1.0};
    clip_figure(walk, time, &pair.second, pair.contacts);
    pair.first = pair.second;
    return pair;
}

// Whether the part that the body is in does not go on at all.
static bool is_left_at_once(const going_on *going, double start) { return going->is_cut && start >= going->part.last; }

// The frames in which a foot's pitch fades without over FOOT_HASTE: what fades over T from the value o with the speed v
// begins with the acceleration 12 o / T^2 + 6 v / T.
static double foot_frames(const fr__walk_fade *change, double rate) {
    double frames = 0.0;
    for (int side = 0; side < 2; side++) {
        const fr__walk_lack *pitch = &change->legs[side].pitch;
        double haste = FOOT_HASTE / (rate * rate), speed = 3.0 * fabs(pitch->speed);
        frames = fmax(frames, (speed + sqrt(speed * speed + 12.0 * haste * fabs(pitch->value))) / haste);
    }
    return frames;
}

// Lets the plan begin where the body is, at its velocity. A part that goes on has the velocity that it had.
static void begin_change(fr_walk *walk, const going_on *going, double start) {
    const fr_walk_set *set = walk->plan.set;
    fr__walk_fade *change = &walk->change;
    double left = walk->natural - start;
    change->frames = 0.0;
    fr__walk_drops_clear(&walk->drops);
    if (!(left > 0.0)) { return; }
    double step = step_at(walk, 0, start);
    const fr__walk_figure *shown = walk->shown, *planned = walk->planned;
    uint32_t now = walk->shown_now;
    fr__walk_pair is = {.first = shown[1 - now], .second = shown[now], .step = step}, plan;
    if (going->has_part && !is_left_at_once(going, start)) {
        now = walk->planned_now;
        plan = (fr__walk_pair){.first = planned[1 - now], .second = planned[now], .step = walk->shown_step};
        memcpy(plan.contacts, walk->planned_contacts, sizeof plan.contacts);
    } else {
        plan = resting_pair(walk, start);
        note_planned(walk, &plan.second, plan.contacts);
        walk->planned[1 - walk->planned_now] = plan.first;
    }
    fr__walk_fade_set(change, &set->body, &is, &plan, start);
    double low = fabs(change->middle.y) / set->body.leg - LOW_HIPS, frames = FADE_SECONDS * set->view.frame_rate;
    change->leg_frames = fmin(fmax(0.5 * frames, foot_frames(change, set->view.frame_rate)), fmin(frames, left));
    frames += low > 0.0 ? low * RISING_SECONDS * set->view.frame_rate : 0.0;
    change->frames = fmin(frames, left);

    // What fades over T begins with twelve times its length over T squared.
    double far = sqrt(12.0 * fr__walk_fade_arms(change) / ARM_HASTE) * set->view.frame_rate;
    change->arm_frames = fmin(fmax(frames, far), left);
    double drop = plan_drop(walk, start), before = plan_drop(walk, start - step);
    walk->drop_change.value = walk->shown_drops[1] - drop;
    walk->drop_change.speed = (walk->shown_drops[1] - walk->shown_drops[0] - (drop - before)) / step;
}

// Lets the next part begin where the clip is left, at its velocity.
static void begin_seam(fr_walk *walk, const going_on *going, double start) {
    walk->seam.frames = 0.0;
    if (!going->is_cut || is_left_at_once(going, start)) { return; }
    const fr_walk_set *set = walk->plan.set;
    double begin = going->part.last;
    fr__walk_pair next = resting_pair(walk, begin);
    fr__walk_fade_set(&walk->seam, &set->body, &going->left, &next, begin);
    walk->seam.frames = FADE_SECONDS * set->view.frame_rate;
    walk->seam.leg_frames = 0.5 * walk->seam.frames;
    walk->seam.arm_frames = walk->seam.frames;
}

// Sets how the plan's frames follow the walk's: `frames` in all, unless 0, else `steady` times as fast as the clips: a
// slower walk everywhere, a faster one where it is steady. The step of a part that goes on changes smoothly.
static void set_pace(fr_walk *walk, bool goes_on, uint32_t frames, double steady) {
    double left = walk->natural - walk->start, natural = ceil(left / walk->variety.rate - 1e-9);
    double fade = FADE_SECONDS * walk->plan.set->view.frame_rate, first = goes_on ? walk->shown_step : 0.0;
    if (frames > 0 || steady <= 1.0) {
        natural = fmin(floor(natural / steady + 0.5), FR_WALK_MAX_FRAMES);
        walk->frame_count = frames > 0 ? frames : (uint32_t)natural;
        walk->pace = fr__walk_pace_even(left, walk->frame_count, first, fade);
        return;
    }
    walk->pace = (fr__walk_pace){walk->variety.rate, steady, 0.0, fade};
    if (goes_on) { walk->pace.lack = first - step_at(walk, 0, walk->start); }
    walk->frame_count = 0;
    for (double time = walk->start; time < walk->natural && walk->frame_count < FR_WALK_MAX_FRAMES;) {
        time += step_at(walk, walk->frame_count++, time);
    }
    if (walk->frame_count == FR_WALK_MAX_FRAMES) {
        walk->pace = fr__walk_pace_even(left, walk->frame_count, first, fade);
    }
}

// Takes over a plan that is complete. The parts of the old one are the caller's then.
static void accept_plan(fr_walk *walk, fr__walk_plan *next, const going_on *going, double start, uint32_t frames,
                        double steady) {
    walk->plan = *next;
    const fr__walk_part *last = &next->parts.data[next->parts.count - 1];
    walk->natural = last->begin + last->last;
    walk->length = 0.0;
    for (size_t i = 0; i < next->parts.count; i++) {
        walk->length += next->parts.data[i].length;
    }
    walk->start = walk->time = start;
    walk->frame = 0;
    walk->varied_part = 0;
    set_pace(walk, going->has_part && !is_left_at_once(going, start), frames, steady);
    begin_seam(walk, going, start);
    begin_change(walk, going, start);
}

const fr_allocator *fr__walk_allocator(const fr_walk *walk) { return &walk->allocator; }

fr_status fr__walk_foresee(const fr_walk *walk, uint32_t stride, fr_posture *posture, fr__walk_look_fn *look,
                           void *context, fr_error *error) {
    fr_walk *ahead = fr_allocate(&walk->allocator, 1, sizeof *ahead, _Alignof(fr_walk));
    if (ahead == NULL) { return no_memory(error); }
    *ahead = *walk; // reads the same parts and changes none of them
    bool goes_on = true;
    while (goes_on && ahead->frame < ahead->frame_count) {
        (void)fr_walk_step(ahead, posture, NULL);
        bool is_last = ahead->frame == ahead->frame_count;
        if (is_last || ahead->frame % stride == 0) { goes_on = look(posture, ahead->frame, context); }
    }
    fr_deallocate(&walk->allocator, ahead, 1, sizeof *ahead);
    return FR_OK;
}

// Takes over a plan where a judge accepts it; else all is as it was.
static fr_status accept_judged(fr_walk *walk, fr__walk_plan *next, const going_on *going, double start, uint32_t frames,
                               double steady, const fr__walk_judge *judge, fr_error *error) {
    fr_walk *before = fr_allocate(&walk->allocator, 1, sizeof *before, _Alignof(fr_walk));
    if (before == NULL) {
        fr__walk_parts_destroy(&next->parts);
        return no_memory(error);
    }
    *before = *walk;
    accept_plan(walk, next, going, start, frames, steady);
    fr_status status = judge->accept(walk, judge->context, error);
    if (status == FR_OK) {
        fr__walk_parts_destroy(&before->plan.parts);
    } else {
        fr__walk_parts_destroy(&walk->plan.parts);
        *walk = *before;
    }
    fr_deallocate(&walk->allocator, before, 1, sizeof *before);
    return status;
}

fr_status fr__walk_go(fr_walk *walk, const fr_walk_goal *goals, size_t count, uint32_t frames, double steady,
                      const fr__walk_judge *judge, fr_error *error) {
    FR_ASSERT(walk != NULL);
    fr_status status = fr__walk_check_goals(&walk->plan, goals, count, frames, error);
    if (status != FR_OK) { return status; }
    fr__walk_plan next;
    going_on going;
    double start;
    begin_plan(walk, true, &next, &going, &start);
    bool has_room = fr__walk_plan_go(&next, going.has_part ? &going.part : NULL, goals, count);
    walk->plan.points = next.points;
    if (!has_room) {
        fr__walk_parts_destroy(&next.parts);
        return no_memory(error);
    }
    if (judge != NULL) { return accept_judged(walk, &next, &going, start, frames, steady, judge, error); }
    fr__walk_parts old = walk->plan.parts;
    accept_plan(walk, &next, &going, start, frames, steady);
    fr__walk_parts_destroy(&old);
    return FR_OK;
}

fr_status fr_walk_go(fr_walk *walk, const fr_walk_goal *goals, size_t count, uint32_t frames, fr_error *error) {
    return fr__walk_go(walk, goals, count, frames, 1.0, NULL, error);
}

fr_status fr_walk_stop(fr_walk *walk, fr_error *error) {
    FR_ASSERT(walk != NULL);
    fr__walk_plan next;
    going_on going;
    double start;
    begin_plan(walk, false, &next, &going, &start);
    if (!going.has_part) { return FR_OK; }
    fr__walk_part *first = fr__walk_parts_push(&next.parts, 1);
    if (first != NULL) { *first = going.part; }
    if (first == NULL || (!next.is_standing && !fr__walk_plan_stop(&next, 0.0))) {
        fr__walk_parts_destroy(&next.parts);
        return no_memory(error);
    }
    next.pattern = FR_WALK_ROUTE;
    fr__walk_parts old = walk->plan.parts;
    accept_plan(walk, &next, &going, start, 0, 1.0);
    fr__walk_parts_destroy(&old);
    return FR_OK;
}
