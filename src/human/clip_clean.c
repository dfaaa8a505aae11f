// Feet that neither slide nor sink. Each time a heel or a toe stands it gets one place on the ground; the foot is put
// on these places, between them it swings with the error faded from the one to the next, and the legs follow.
#include "feet.h"
#include "fureai/human_reach.h"
#include "posture.h"

#include <math.h>
#include <string.h>

#define CLEAN_COOKIE 0x434c4541u
#define LOW 0.03            // metres above the ground below which a point may stand
#define SLOW 0.15           // metres a second below which it may
#define STANDS 3u           // frames at least
#define DRIFT 0.1           // metres by which captured feet may stand above or below the ground
#define DRIFT_SECONDS 0.15  // to both sides, over which that is averaged
#define ROUNDS 100          // in which the places of heels and toes settle at the length of the foot
#define LOWERED_SECONDS 0.2 // over which a hip that must be lowered goes down and up again

enum { HEEL, TOE };

// A time in which one point of a sole stands.
typedef struct contact_run {
    uint32_t begin, end; // frames
    double x, z;         // where
} contact_run;

FR_ARRAY_TYPE(contact_run_array, contact_run);

// One foot over all frames.
typedef struct foot_track {
    fr_vec3 *ankles;   // wanted, at first as captured
    fr_quat *turns;    // of the foot in the world, likewise
    uint32_t *runs[2]; // of each frame: index of the run of heel and toe, FR_NO_LINK for none
    contact_run_array found[2];
} foot_track;

typedef struct cleaning {
    const fr_clean_input *input;
    const fr_skeleton_view *view;
    fr__body_leg legs[2];
    uint32_t frames, links;
    double rate;
    fr_vec3 *places;
    fr_quat *turns;
    uint8_t *contacts;
    double *lowered[2]; // wanted and smooth
    foot_track feet[2];
    fr_arena *arena;
    fr_error *error;
} cleaning;

static fr_status no_memory(const cleaning *c) {
    return fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for %u frames", c->frames);
}

static fr_posture posture_at(const cleaning *c, uint32_t frame) {
    fr_posture posture = {.turns = c->turns + (size_t)frame * c->links, .count = c->links, .place = c->places[frame]};
    return posture;
}

static fr_vec3 sole_point(const cleaning *c, int side, int point, uint32_t frame) {
    const foot_track *foot = &c->feet[side];
    fr_vec3 local = point == HEEL ? c->legs[side].heel : c->legs[side].toe;
    return fr_vec3_add(foot->ankles[frame], fr__quat_turn(foot->turns[frame], local));
}

// From a to b by the shorter turn.
static fr_quat part_between(fr_quat a, fr_quat b, double u) {
    fr_vec3 turn = fr_quat_to_vector(fr__quat_product(b, fr_quat_conjugate(a)));
    return fr__quat_product(fr_quat_from_vector(fr_vec3_scale(u, turn)), a);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames in

static fr_status prepare(cleaning *c) {
    size_t n = c->frames;
    c->places = fr_arena_alloc(c->arena, n, sizeof(fr_vec3), _Alignof(fr_vec3));
    c->turns = fr_arena_alloc(c->arena, n * c->links, sizeof(fr_quat), _Alignof(fr_quat));
    c->contacts = fr_arena_alloc(c->arena, 2 * n, 1, 1);
    bool has_all = c->places != NULL && c->turns != NULL && c->contacts != NULL;
    for (int i = 0; i < 2; i++) {
        foot_track *foot = &c->feet[i];
        c->lowered[i] = fr_arena_alloc(c->arena, n, sizeof(double), _Alignof(double));
        foot->ankles = fr_arena_alloc(c->arena, n, sizeof(fr_vec3), _Alignof(fr_vec3));
        foot->turns = fr_arena_alloc(c->arena, n, sizeof(fr_quat), _Alignof(fr_quat));
        has_all = has_all && c->lowered[i] != NULL && foot->ankles != NULL && foot->turns != NULL;
        for (int k = 0; k < 2; k++) {
            foot->runs[k] = fr_arena_alloc(c->arena, n, sizeof(uint32_t), _Alignof(uint32_t));
            has_all = has_all && foot->runs[k] != NULL;
        }
    }
    if (!has_all) { return no_memory(c); }
    for (uint32_t i = 0; i < c->frames; i++) {
        fr_posture posture = posture_at(c, i);
        fr_status status = fr_clip_frame(c->input->clip, i, &posture, c->error);
        if (status != FR_OK) { return status; }
        c->places[i] = posture.place;
        for (int k = 0; k < 2; k++) {
            fr_pose foot = fr__link_pose(c->view, &posture, c->legs[k].foot);
            c->feet[k].ankles[i] = foot.position;
            c->feet[k].turns[i] = foot.rotation;
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

// Metres a second of a point of a sole.
static double speed_of(const cleaning *c, int side, int point, uint32_t frame) {
    uint32_t before = frame > 0 ? frame - 1 : 0, after = frame + 1 < c->frames ? frame + 1 : frame;
    if (after == before) { return 0.0; }
    fr_vec3 a = sole_point(c, side, point, before), b = sole_point(c, side, point, after);
    return fr_vec3_distance(a, b) * c->rate / (after - before);
}

// Fills frames without a height (infinite) by straight lines between those that have one; 0 where none has.
static void fill_gaps(double *heights, uint32_t count) {
    uint32_t last = FR_NO_LINK;
    for (uint32_t i = 0; i < count; i++) {
        if (heights[i] == INFINITY) { continue; }
        for (uint32_t k = last == FR_NO_LINK ? 0 : last + 1; k < i; k++) {
            double u = last == FR_NO_LINK ? 1.0 : (double)(k - last) / (i - last);
            heights[k] = u * heights[i] + (u < 1.0 ? (1.0 - u) * heights[last] : 0.0);
        }
        last = i;
    }
    for (uint32_t k = last == FR_NO_LINK ? 0 : last + 1; k < count; k++) {
        heights[k] = last == FR_NO_LINK ? 0.0 : heights[last];
    }
}

// Captures drift up and down by some centimetres: the lowest point of a sole that hardly moves is brought to the
// ground, averaged over a while.
static void bring_down(cleaning *c) {
    double *low = c->lowered[0];
    uint32_t reach = (uint32_t)fmin(DRIFT_SECONDS * c->rate, 1000.0) + 1;
    for (uint32_t i = 0; i < c->frames; i++) {
        low[i] = INFINITY;
        for (int k = 0; k < 4; k++) {
            double height = sole_point(c, k / 2, k % 2, i).y;
            if (fabs(height) < DRIFT && speed_of(c, k / 2, k % 2, i) < SLOW) { low[i] = fmin(low[i], height); }
        }
    }
    fill_gaps(low, c->frames);
    for (uint32_t i = 0; i < c->frames; i++) {
        uint32_t begin = i > reach ? i - reach : 0, end = i + reach < c->frames ? i + reach : c->frames - 1;
        double sum = 0.0;
        for (uint32_t k = begin; k <= end; k++) {
            sum += low[k];
        }
        c->lowered[1][i] = sum / (end - begin + 1);
    }
    for (uint32_t i = 0; i < c->frames; i++) {
        c->places[i].y -= c->lowered[1][i];
        for (int side = 0; side < 2; side++) {
            c->feet[side].ankles[i].y -= c->lowered[1][i];
        }
    }
}

static bool may_stand(const cleaning *c, int side, int point, uint32_t frame) {
    return sole_point(c, side, point, frame).y < LOW && speed_of(c, side, point, frame) < SLOW;
}

// The runs of frames in which a point stands, each with its mean place.
static fr_status find_runs(cleaning *c, int side, int point) {
    foot_track *foot = &c->feet[side];
    uint32_t *runs = foot->runs[point];
    for (uint32_t i = 0; i < c->frames; i++) {
        runs[i] = FR_NO_LINK;
    }
    for (uint32_t begin = 0; begin < c->frames; begin++) {
        uint32_t end = begin;
        double x = 0.0, z = 0.0;
        while (end < c->frames && may_stand(c, side, point, end)) {
            fr_vec3 p = sole_point(c, side, point, end);
            x += p.x;
            z += p.z;
            end++;
        }
        uint32_t count = end - begin;
        if (count >= STANDS) {
            contact_run *run = contact_run_array_push(&foot->found[point], 1);
            if (run == NULL) { return no_memory(c); }
            *run = (contact_run){begin, end, x / count, z / count};
            for (uint32_t i = begin; i < end; i++) {
                runs[i] = (uint32_t)(foot->found[point].count - 1);
            }
        }
        begin = end;
    }
    return FR_OK;
}

// Moves places of heels and toes that stand at the same time until they are as far apart as they are in the foot.
static void settle(cleaning *c, int side) {
    foot_track *foot = &c->feet[side];
    fr_vec3 sole = fr_vec3_sub(c->legs[side].toe, c->legs[side].heel);
    double length = fr_vec3_length(sole);
    for (int round = 0; round < ROUNDS; round++) {
        double worst = 0.0;
        for (size_t h = 0, t = 0; h < foot->found[HEEL].count && t < foot->found[TOE].count;) {
            contact_run *heel = &foot->found[HEEL].data[h], *toe = &foot->found[TOE].data[t];
            if (heel->begin < toe->end && toe->begin < heel->end) {
                double x = toe->x - heel->x, z = toe->z - heel->z, apart = sqrt(x * x + z * z);
                double share = apart > 1e-9 ? 0.5 * (1.0 - length / apart) : 0.0;
                heel->x += share * x;
                heel->z += share * z;
                toe->x -= share * x;
                toe->z -= share * z;
                worst = fmax(worst, fabs(apart - length));
            }
            if (heel->end < toe->end) {
                h++;
            } else {
                t++;
            }
        }
        if (worst < 1e-12) { break; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Feet

static const contact_run *run_at(const foot_track *foot, int point, uint32_t frame) {
    uint32_t run = foot->runs[point][frame];
    return run == FR_NO_LINK ? NULL : &foot->found[point].data[run];
}

// The turn of a flat foot whose sole leads from the heel's place to the toe's.
static fr_quat flat_turn(const cleaning *c, int side, const contact_run *heel, const contact_run *toe) {
    fr_vec3 sole = fr_vec3_sub(c->legs[side].toe, c->legs[side].heel);
    fr_quat upright = c->view->uprights[c->legs[side].foot];
    fr_vec3 rest = fr__quat_turn(upright, sole);
    fr_vec3 wanted = {toe->x - heel->x, 0.0, toe->z - heel->z};
    double angle = fr_atan2(wanted.x, wanted.z) - fr_atan2(rest.x, rest.z);
    fr_quat turn = fr__quat_product(fr_quat_from_axis_angle((fr_vec3){0.0, 1.0, 0.0}, angle), upright);
    fr_vec3 level = fr__quat_turn(turn, sole);
    return fr__quat_product(fr_quat_between(fr_vec3_unit(level, wanted), fr_vec3_unit(wanted, level)), turn);
}

// What the captured turn of the foot is multiplied with: where heel and toe stand it makes the foot flat, and between
// such times it changes smoothly.
static void correct_turns(cleaning *c, int side) {
    foot_track *foot = &c->feet[side];
    fr_quat last = fr_quat_identity();
    uint32_t from = 0;
    bool has_last = false;
    for (uint32_t i = 0; i <= c->frames; i++) {
        const contact_run *heel = i < c->frames ? run_at(foot, HEEL, i) : NULL;
        const contact_run *toe = i < c->frames ? run_at(foot, TOE, i) : NULL;
        if (i < c->frames && (heel == NULL || toe == NULL)) { continue; }
        fr_quat flat = i < c->frames ? flat_turn(c, side, heel, toe) : fr_quat_identity();
        fr_quat next = i < c->frames ? fr__quat_product(flat, fr_quat_conjugate(foot->turns[i])) : last;
        if (!has_last) { last = next; }
        for (uint32_t k = from; k < i; k++) {
            double u = fr_reach_progress((k + 1.0 - from) / (i + 1.0 - from));
            foot->turns[k] = fr__quat_product(part_between(last, next, u), foot->turns[k]);
        }
        if (i < c->frames) { foot->turns[i] = flat; }
        last = next;
        has_last = true;
        from = i + 1;
    }
}

// Raises the end of a sole that is below the ground while the other stands on it.
static void level(cleaning *c, int side, int standing, uint32_t frame) {
    foot_track *foot = &c->feet[side];
    fr_vec3 sole = fr_vec3_sub(c->legs[side].toe, c->legs[side].heel);
    fr_vec3 world = fr__quat_turn(foot->turns[frame], standing == HEEL ? sole : fr_vec3_negate(sole));
    fr_vec3 flat = {world.x, 0.0, world.z};
    if (world.y >= 0.0 || fr_vec3_length(flat) < 1e-6) { return; }
    fr_quat up = fr_quat_between(fr_vec3_unit(world, world), fr_vec3_unit(flat, flat));
    foot->turns[frame] = fr__quat_product(up, foot->turns[frame]);
}

// Where the ankle must be for a point of the sole to stand at its place; false where nothing stands.
static bool standing_ankle(cleaning *c, int side, uint32_t frame, fr_vec3 *out) {
    const foot_track *foot = &c->feet[side];
    for (int point = HEEL; point <= TOE; point++) {
        const contact_run *run = run_at(foot, point, frame);
        if (run == NULL) { continue; }
        level(c, side, point, frame);
        fr_vec3 local = point == HEEL ? c->legs[side].heel : c->legs[side].toe;
        *out = fr_vec3_sub((fr_vec3){run->x, 0.0, run->z}, fr__quat_turn(foot->turns[frame], local));
        return true;
    }
    return false;
}

// Puts standing feet on their places and fades what that changes while they swing.
static void correct_ankles(cleaning *c, int side) {
    foot_track *foot = &c->feet[side];
    fr_vec3 last = {0.0, 0.0, 0.0};
    uint32_t from = 0;
    bool has_last = false;
    for (uint32_t i = 0; i <= c->frames; i++) {
        fr_vec3 ankle = {0.0, 0.0, 0.0};
        if (i < c->frames && !standing_ankle(c, side, i, &ankle)) { continue; }
        fr_vec3 next = i < c->frames ? fr_vec3_sub(ankle, foot->ankles[i]) : last;
        if (!has_last) { last = next; }
        for (uint32_t k = from; k < i; k++) {
            double u = fr_reach_progress((k + 1.0 - from) / (i + 1.0 - from));
            foot->ankles[k] = fr_vec3_add(foot->ankles[k], fr_vec3_lerp(last, next, u));
            double low = fmin(sole_point(c, side, HEEL, k).y, sole_point(c, side, TOE, k).y);
            if (low < 0.0) { foot->ankles[k].y -= low; }
        }
        if (i < c->frames) { foot->ankles[i] = ankle; }
        last = next;
        has_last = true;
        from = i + 1;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Legs

// How much the hip must go down for both legs to reach.
static double wanted_lowering(const cleaning *c, uint32_t frame) {
    double most = 0.0;
    fr_posture posture = posture_at(c, frame);
    for (int side = 0; side < 2; side++) {
        const fr__body_leg *leg = &c->legs[side];
        fr_pose hip = fr__link_pose(c->view, &posture, c->view->parents[leg->thigh]);
        fr_vec3 apart = fr_vec3_sub(fr_pose_apply(&hip, c->view->offsets[leg->thigh]), c->feet[side].ankles[frame]);
        double length = 0.9999 * (leg->thigh_length + leg->shin_length);
        double square = length * length - apart.x * apart.x - apart.z * apart.z;
        double height = square > 0.0 ? sqrt(square) : 0.0;
        most = fmax(most, apart.y - height);
    }
    return most;
}

// At least the wanted lowering everywhere, without a sudden change.
static void smooth_lowering(cleaning *c) {
    uint32_t reach = (uint32_t)(LOWERED_SECONDS * c->rate) + 1;
    if (reach > 1000) { reach = 1000; }
    for (uint32_t i = 0; i < c->frames; i++) {
        c->lowered[0][i] = wanted_lowering(c, i);
    }
    memset(c->lowered[1], 0, c->frames * sizeof(double));
    for (uint32_t i = 0; i < c->frames; i++) {
        if (!(c->lowered[0][i] > 0.0)) { continue; }
        uint32_t begin = i > reach ? i - reach : 0, end = i + reach < c->frames ? i + reach : c->frames - 1;
        for (uint32_t k = begin; k <= end; k++) {
            double u = 1.0 - (double)(k > i ? k - i : i - k) / (reach + 1.0);
            c->lowered[1][k] = fmax(c->lowered[1][k], c->lowered[0][i] * fr_reach_progress(u));
        }
    }
}

static fr_status place_legs(cleaning *c) {
    fr_pose poses[FR_MAX_LINKS];
    smooth_lowering(c);
    for (uint32_t i = 0; i < c->frames; i++) {
        c->places[i].y -= c->lowered[1][i];
        fr_posture posture = posture_at(c, i);
        fr_status status = fr_posture_poses(c->input->skeleton, &posture, 1, poses, c->error);
        if (status != FR_OK) { return status; }
        for (int side = 0; side < 2; side++) {
            foot_track *foot = &c->feet[side];
            fr__body_leg_place(c->view, &c->legs[side], poses, foot->ankles[i], foot->turns[i], &posture);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_clean_input fr_default_clean_input(void) {
    return (fr_clean_input){.allocator = fr_default_allocator(), .cookie = CLEAN_COOKIE};
}

static fr_status make(cleaning *c, fr_clip **out) {
    const fr_clip_view *clip = fr_clip_get(c->input->clip);
    for (uint32_t i = 0; i < c->frames; i++) {
        for (int side = 0; side < 2; side++) {
            uint8_t bits = run_at(&c->feet[side], HEEL, i) != NULL ? FR_CONTACT_HEEL : 0;
            if (run_at(&c->feet[side], TOE, i) != NULL) { bits |= FR_CONTACT_TOE; }
            c->contacts[2 * (size_t)i + (size_t)side] = bits;
        }
    }
    fr_clip_def def = fr_default_clip_def();
    def.name = clip->name;
    def.clip_class = clip->clip_class;
    def.direction = clip->direction;
    def.facing = clip->facing;
    def.stride = clip->stride;
    def.last_foot = clip->last_foot;
    def.frame_rate = clip->frame_rate;
    def.length = clip->length;
    def.frame_count = c->frames;
    def.link_count = c->links;
    def.places = c->places;
    def.turns = c->turns;
    def.contacts = c->contacts;
    def.allocator = c->input->allocator;
    return fr_clip_create(&def, out, c->error);
}

static fr_status clean(cleaning *c, fr_clip **out) {
    fr_status status = prepare(c);
    if (status == FR_OK && !c->input->is_contact_only) { bring_down(c); }
    for (int side = 0; side < 2 && status == FR_OK; side++) {
        status = find_runs(c, side, HEEL);
        if (status == FR_OK) { status = find_runs(c, side, TOE); }
        if (status != FR_OK || c->input->is_contact_only) { continue; }
        settle(c, side);
        correct_turns(c, side);
        correct_ankles(c, side);
    }
    if (status == FR_OK && !c->input->is_contact_only) { status = place_legs(c); }
    return status == FR_OK ? make(c, out) : status;
}

fr_status fr_clip_clean(const fr_clean_input *input, fr_clip **out, fr_error *error) {
    *out = NULL;
    if (input->cookie != CLEAN_COOKIE) { return fr_error_set_cookie(error, "fr_default_clean_input"); }
    if (input->skeleton == NULL || input->clip == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "cleaning needs a skeleton and a clip");
    }
    cleaning c = {.input = input, .view = fr_skeleton_get(input->skeleton), .error = error};
    c.links = c.view->link_count;
    c.frames = fr_clip_get(input->clip)->frame_count;
    c.rate = fr_clip_get(input->clip)->frame_rate;
    if (fr_clip_get(input->clip)->link_count > c.links) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the clip has %u links, the skeleton %u",
                            fr_clip_get(input->clip)->link_count, c.links);
    }
    fr_status status = fr__body_legs_find(input->skeleton, c.legs, error);
    if (status == FR_OK) { status = fr_arena_create(1 << 16, &input->allocator, &c.arena, error); }
    if (status != FR_OK) { return status; }
    for (int i = 0; i < 4; i++) {
        c.feet[i / 2].found[i % 2] = contact_run_array_make(&input->allocator);
    }
    status = clean(&c, out);
    for (int i = 0; i < 4; i++) {
        contact_run_array_destroy(&c.feet[i / 2].found[i % 2]);
    }
    fr_arena_destroy(c.arena);
    return status;
}
