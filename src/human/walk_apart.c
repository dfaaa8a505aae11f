// Keeps the legs of a part of a walk apart.
//
// Feet are lines on the ground with a thickness, shins upright ellipses that grow from the ankle to the knee. First
// each print is shifted away from the other foot's, and each swing goes aside round the foot that stands. Where legs
// still come too near to one another, the prints about that frame are tried at other places, and the best is taken.
#include "human/walk_apart.h"

#include <math.h>
#include <string.h>

// A foot goes aside by no more than this as it passes the other one, leg lengths.
static const double MAX_ASIDE = 0.16;

// Half the width and half the depth of a shin at the ankle and at the knee, leg lengths.
static const double SHIN_WIDTH[2] = {0.043, 0.058}, SHIN_DEPTH[2] = {0.055, 0.072};

// How often a second the legs are looked at.
static const double LOOKS = 30.0;

// Soles that lack less than this do not meet, leg lengths.
static const double SOLE_SPARE = 0.02;

// The print on which a foot stands at a frame, or that it leaves.
static const fr__walk_print *print_at(const fr__walk_part *part, int foot, double frame) {
    uint32_t i;
    (void)fr__walk_stands(&part->clip, foot, frame, &i);
    return &part->prints[foot][i];
}

// Shifts a print away from one of the other foot.
static void clear_print(const fr_walk_set *set, int foot, const fr__walk_print *other, fr__walk_print *print) {
    fr_vec2 aside = fr__walk_aside_direction(foot, other->heading);
    double shift = fr__walk_clear_shift(&set->body, print, other, aside);
    print->x += shift * aside.x;
    print->z += shift * aside.y;
}

// Shifts the prints on which a foot lands within the part, but not those at its end, away from the other foot's: first
// from those on which that one stands meanwhile, then from those on which it lands before this one is lifted.
static void clear_prints(const fr_walk_set *set, fr__walk_part *part) {
    double last = (double)(part->clip.frame_count - 1);
    for (int k = 0; k < 4; k++) {
        int foot = k % 2;
        for (uint32_t i = 1; i < part->clip.contact_counts[foot]; i++) {
            const fr__walk_contact *contact = &part->clip.contacts[foot][i];
            if (contact->end >= last) { continue; }
            const fr__walk_print *other = print_at(part, 1 - foot, k < 2 ? contact->begin : contact->end);
            clear_print(set, foot, other, &part->prints[foot][i]);
        }
    }
}

// Where a foot of a figure is, seen from above.
static fr__walk_print print_below(const fr__walk_leg *leg) {
    return (fr__walk_print){leg->ankle.x, leg->ankle.z, leg->heading};
}

// How far a foot goes aside in a swing, so that it passes the other one.
static fr__walk_aside find_aside(const fr_walk_set *set, const fr__walk_part *part, int foot, double off, double land) {
    const int samples = 16;
    fr_vec2 direction = fr__walk_aside_direction(foot, print_at(part, 1 - foot, 0.5 * (off + land))->heading);
    double most = 0.0;
    for (int k = 2; k <= samples - 2; k++) {
        double u = (double)k / (double)samples;
        fr__walk_figure figure;
        uint8_t contacts[2];
        fr__walk_part_figure(set, part, off + u * (land - off), &figure, contacts);
        fr__walk_print own = print_below(&figure.legs[foot]), other = print_below(&figure.legs[1 - foot]);
        double shift = fr__walk_clear_shift(&set->body, &own, &other, direction) / fr__walk_aside_part(u);
        most = shift > most ? shift : most;
    }
    most = fmin(most, MAX_ASIDE * set->body.leg);
    return (fr__walk_aside){{most * direction.x, most * direction.y}};
}

static void set_asides(const fr_walk_set *set, fr__walk_part *part) {
    memset(part->asides, 0, sizeof part->asides);
    for (int foot = 0; foot < 2; foot++) {
        const fr__walk_contact *contacts = part->clip.contacts[foot];
        for (uint32_t i = 0; i + 1 < part->clip.contact_counts[foot]; i++) {
            part->asides[foot][i] = find_aside(set, part, foot, contacts[i].end, contacts[i + 1].begin);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// How near legs come to one another

// The reach of a shin at a part 0 .. 1 of its length from the ankle, in a direction on the ground.
static double shin_reach(double part, double knee, double x, double z) {
    double s, c, width = SHIN_WIDTH[0] + part * (SHIN_WIDTH[1] - SHIN_WIDTH[0]);
    double depth = SHIN_DEPTH[0] + part * (SHIN_DEPTH[1] - SHIN_DEPTH[0]);
    fr_sincos(knee, &s, &c);
    double forward = depth * (x * s + z * c), left = width * (x * c - z * s);
    return sqrt(forward * forward + left * left);
}

// How much nearer the shins of a figure are to one another than they should be, at equal heights.
static double shins_lack(const fr__walk_body *body, const fr__walk_figure *figure) {
    const int slices = 6;
    fr_vec3 knees[2], ankles[2];
    for (int side = 0; side < 2; side++) {
        knees[side] = fr__walk_knee(body, figure, side);
        ankles[side] = figure->legs[side].ankle;
    }
    double low = fmax(ankles[0].y, ankles[1].y), high = fmin(knees[0].y, knees[1].y), worst = -body->leg;
    for (int i = 0; i <= slices && high > low; i++) {
        double y = low + (high - low) * (double)i / (double)slices, parts[2];
        fr_vec3 at[2];
        for (int side = 0; side < 2; side++) {
            parts[side] = (y - ankles[side].y) / (knees[side].y - ankles[side].y);
            at[side] = fr_vec3_lerp(ankles[side], knees[side], parts[side]);
        }
        double x = at[1].x - at[0].x, z = at[1].z - at[0].z, distance = sqrt(x * x + z * z);
        double unit = distance > 1e-9 ? 1.0 / distance : 0.0, wanted = 0.0;
        for (int side = 0; side < 2; side++) {
            wanted += body->leg * shin_reach(parts[side], figure->legs[side].knee, unit * x, unit * z);
        }
        worst = fmax(worst, wanted - distance);
    }
    return worst;
}

// How much nearer the legs of a part are to one another than they should be, at a frame.
static double lack_at(const fr_walk_set *set, const fr__walk_part *part, double frame) {
    const fr__walk_body *body = &set->body;
    fr__walk_figure figure;
    uint8_t contacts[2];
    fr__walk_part_figure(set, part, frame, &figure, contacts);
    figure.middle.y -= fmax(fr__walk_need(body, &figure, FR__LEFT), fr__walk_need(body, &figure, FR__RIGHT));
    fr__walk_print left = print_below(&figure.legs[FR__LEFT]), right = print_below(&figure.legs[FR__RIGHT]);
    double lack = fr__walk_clear_lack(body, &left, &right) - SOLE_SPARE * body->leg;
    return fmax(lack, shins_lack(body, &figure));
}

// The worst of a part, and the frame at which it is. From `limit` on the rest is not looked at.
static double find_lack(const fr_walk_set *set, const fr__walk_part *part, double limit, double *at) {
    double worst = -set->body.leg, step = set->view.frame_rate / LOOKS;
    for (double frame = 0.0; frame <= part->last && worst < limit; frame += step) {
        double lack = lack_at(set, part, frame);
        if (lack > worst) {
            worst = lack;
            *at = frame;
        }
    }
    return worst;
}

// ---------------------------------------------------------------------------------------------------------------
// Other places for prints

// Shifts of a print that are tried, leg lengths, and how often a print is shifted.
static const double SHIFTS[] = {0.02, 0.04, 0.07, 0.11, 0.16};
#define SHIFT_COUNT ((int)(sizeof SHIFTS / sizeof SHIFTS[0]))
#define MAX_ROUNDS 4

// A shift is taken where it mends so much, leg lengths.
static const double WORTH = 0.002;

// Whether a print of a part may be shifted: the body neither begins nor ends on it.
static bool may_shift(const fr__walk_part *part, int foot, uint32_t i) {
    double last = (double)(part->clip.frame_count - 1);
    return i > 0 && i < part->clip.contact_counts[foot] && part->clip.contacts[foot][i].end < last;
}

// A part with a print at another place.
typedef struct shifted_print {
    int foot;
    uint32_t contact;
    fr__walk_print print;
    double lack; // of the whole part
} shifted_print;

// Whether a print is better than the best one is known as soon as one frame is not; most fail at the worst one of
// before.
static void try_print(const fr_walk_set *set, fr__walk_part *part, int foot, uint32_t i, fr__walk_print print,
                      double worst, shifted_print *best) {
    fr__walk_print own = part->prints[foot][i];
    double at, limit = best->lack - WORTH * set->body.leg;
    part->prints[foot][i] = print;
    set_asides(set, part);
    double lack = lack_at(set, part, worst);
    if (lack < limit) { lack = find_lack(set, part, limit, &at); }
    if (lack < limit) { *best = (shifted_print){foot, i, print, lack}; }
    part->prints[foot][i] = own;
}

// Tries places for a print on four sides of it, the nearest ones first, until legs are apart.
static void try_places(const fr_walk_set *set, fr__walk_part *part, int foot, uint32_t i, double at,
                       shifted_print *best) {
    if (!may_shift(part, foot, i)) { return; }
    fr_vec2 out = fr__walk_aside_direction(foot, print_at(part, 1 - foot, at)->heading);
    const fr_vec2 sides[4] = {out, {out.y, -out.x}, {-out.y, out.x}, {-out.x, -out.y}};
    for (int k = 0; k < 4 * SHIFT_COUNT && best->lack > 0.0; k++) {
        fr__walk_print print = part->prints[foot][i];
        double by = SHIFTS[k / 4] * set->body.leg;
        print.x += by * sides[k % 4].x;
        print.z += by * sides[k % 4].y;
        try_print(set, part, foot, i, print, at, best);
    }
}

// Shifts the prints about the frame at which legs are nearest to one another. Returns what is still lacking.
static double shift_prints(const fr_walk_set *set, fr__walk_part *part) {
    double at = 0.0, lack = find_lack(set, part, HUGE_VAL, &at);
    for (int round = 0; round < MAX_ROUNDS && lack > 0.0; round++) {
        shifted_print best = {.foot = -1, .lack = lack};
        for (int foot = 0; foot < 2; foot++) {
            uint32_t i;
            bool stands = fr__walk_stands(&part->clip, foot, at, &i);
            try_places(set, part, foot, i, at, &best);
            if (!stands) { try_places(set, part, foot, i + 1, at, &best); }
        }
        if (best.foot >= 0) { part->prints[best.foot][best.contact] = best.print; }
        set_asides(set, part);
        if (best.foot < 0) { break; }
        lack = find_lack(set, part, HUGE_VAL, &at);
    }
    return lack;
}

double fr__walk_part_keep_apart(const fr_walk_set *set, fr__walk_part *part) {
    clear_prints(set, part);
    set_asides(set, part);
    return shift_prints(set, part);
}
