// The search for the end of a contact: steps over which the triangles are proven to stay together (hold.c), because an
// edge of one goes through the other, or because two of their points stay near. Where nothing proves more than the time
// tolerance, the step is the time tolerance: a gap inside it need not be reported.
#include "shape/parting.h"

#include "shape/hold.h"

// A step is shortened by this, which covers the roundings of its computation.
#define HOLD_SAFE (1.0 - 0x1p-40)

// Steps at most, whatever the cap: what slides along without crossing takes one every time tolerance, and no end of
// them.
#define STEPS_MAX 1000u

// Times closer than this count as equal.
#define STEP_MIN 0x1p-50

// What is tried is so many times as long as what held last, and where the distance grows this part of the time that is
// left.
#define GROWTH 4.0
#define PART_OF_REST 0.9

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

// The largest speed of a corner relative to the mean velocity of all. A common velocity separates nothing.
static double relative_speed(const fr__pair_moment *now) {
    fr_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        mean = fr_vec3_add(mean, fr_vec3_add(now->a.velocity[i], now->b.velocity[i]));
    }
    mean = fr_vec3_scale(1.0 / 6.0, mean);
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        double of_a = fr_vec3_length_squared(fr_vec3_sub(now->a.velocity[i], mean));
        double of_b = fr_vec3_length_squared(fr_vec3_sub(now->b.velocity[i], mean));
        largest = larger(largest, larger(of_a, of_b));
    }
    return sqrt(largest);
}

// The time in which speed h + bend h^2 / 2 stays below `distance`.
static double time_of(double distance, double speed, double bend) {
    double root = sqrt(speed * speed + 2.0 * bend * distance);
    return speed + root > 0.0 ? 2.0 * distance / (speed + root) * HOLD_SAFE : 1.0;
}

// A search for the end of a contact.
typedef struct end_search {
    const fr__moving_pair *pair;
    double accept;       // triangles within it are in contact
    double bend, size;   // the largest bend; about how large the triangles are
    double radian;       // no set turns by more during it
    fr__pair_moment now; // up to which they were together
    double known;        // they are no farther apart now; infinite where that has to be measured
    bool has_witness;    // two points of the triangles are known that are within `accept` of each other now
    bool had_witness;    // or were so before
    fr__witness witness;
    fr_vec3 normal;  // from the one closest point to the other when these were found last; zero where there was none
    double held;     // the last step
    double longest;  // no longer step is tried; a step that failed is tried shorter
    double distance; // of the witness at its beginning; infinite where there was none
} end_search;

static end_search search_of(const fr__moving_pair *pair, double from, double distance) {
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double of_a = fr_vec3_length_squared(fr_vec3_sub(pair->a.start[j], pair->a.start[i]));
        double of_b = fr_vec3_length_squared(fr_vec3_sub(pair->b.start[j], pair->b.start[i]));
        size = larger(size, larger(of_a, of_b));
    }
    end_search s = {.pair = pair,
                    .accept = pair->separation + pair->tolerance - pair->error,
                    .bend = larger(pair->a.bend, pair->b.bend),
                    .size = sqrt(size),
                    .radian = 1.0 / larger(1.0, larger(pair->a.axis.angle, pair->b.axis.angle)),
                    .now = fr__moment_at(pair, from),
                    .known = distance,
                    .longest = 1.0,
                    .distance = (double)INFINITY};
    return s;
}

static void go_on(end_search *s, double hold) {
    double t = s->now.t + hold;
    s->has_witness = false;
    s->held = hold;
    if (t < 1.0) {
        s->now = fr__moment_at(s->pair, t);
    } else {
        s->now.t = 1.0;
    }
}

// How long a step to try with a witness `distance` apart: longer than the last one, or most of what is left where the
// points part.
static double try_length(const end_search *s, double distance, double min_step) {
    double rest = s->accept - distance, length = GROWTH * larger(s->held, min_step);
    if (distance > s->distance) { length = PART_OF_REST * rest * s->held / (distance - s->distance); }
    double bends = s->pair->a.bend + s->pair->b.bend;
    length = smaller(smaller(length, s->longest), sqrt(4.0 * rest / (bends + 0x1p-1000)));
    return smaller(length, 1.0 - s->now.t);
}

// Goes on by a step that two points which stay near allow, if one longer than `min_step` is found.
static bool go_on_near(end_search *s, double distance, double min_step) {
    double length = try_length(s, distance, min_step);
    if (!(length > min_step)) { return false; }
    fr__pair_moment then = fr__moment_at(s->pair, s->now.t + length);
    bool holds = !(fr__parted_by(&then, s->normal) > s->accept) &&
                 fr__stays_near(s->pair, &s->now, &then, s->accept, &s->witness);
    s->longest = holds ? GROWTH * length : length / GROWTH;
    if (!holds) { return false; }
    s->now = then;
    s->has_witness = true;
    s->held = length;
    return true;
}

// The closest points as witness; false where they are apart.
static bool find_witness(end_search *s) {
    fr_vec3 on_a, on_b;
    if (s->has_witness) { return true; }
    if (s->had_witness) { // the same points nearly always remain a witness
        fr__witness again = fr__witness_again(&s->now, &s->witness);
        s->has_witness = fr_vec3_length(again.apart) <= s->accept;
        if (s->has_witness) { s->witness = again; }
        if (s->has_witness) { return true; }
    }
    double distance = fr_triangle_distance(s->now.a.at, s->now.b.at, &on_a, &on_b);
    if (!(distance <= s->accept)) { return false; }
    s->witness = fr__witness_of(&s->now, on_a, on_b);
    s->had_witness = true;
    s->normal = fr_vec3_sub(on_b, on_a);
    return true;
}

// Goes on by a step over which the triangles are together, at least by `min_step`; false where they are apart.
static bool go_on_together(end_search *s, double min_step) {
    double speed = relative_speed(&s->now) + 2.0 * s->pair->error;
    double limit = smaller(smaller(1.0 - s->now.t, s->radian), s->size / speed);
    // Where they are parted along the normal nothing crosses, and beyond what counts they are apart.
    double parted = fr__parted_by(&s->now, s->normal);
    if (parted > s->accept) { return false; }
    double crossing = parted > 0.0 ? 0.0 : fr__crossing_hold(s->pair, &s->now, limit), apart = 0.0;
    bool is_measured = crossing == 0.0 && !(s->known <= s->accept);
    if (is_measured) {
        if (!find_witness(s)) { return false; }
        apart = smaller(fr_vec3_length(s->witness.apart), s->accept);
    } else if (crossing == 0.0) {
        apart = s->known;
    }
    // Each of the two points moves no farther than its corners.
    double hold = smaller(time_of(0.5 * (s->accept - apart), speed, s->bend), s->radian);
    s->known = crossing >= hold && crossing >= min_step ? 0.0 : (double)INFINITY; // what crossed up to then touches
    hold = larger(larger(hold, crossing), min_step);
    bool is_near = is_measured && go_on_near(s, apart, hold);
    if (!is_near) { go_on(s, hold); }
    s->distance = crossing == 0.0 ? apart : (double)INFINITY;
    return true;
}

double fr__parting_time(const fr__moving_pair *pair, double from, double distance, const fr_time_input *input,
                        bool *capped) {
    double min_step = input->time_tolerance > STEP_MIN ? input->time_tolerance : STEP_MIN;
    uint32_t cap = input->cap < STEPS_MAX ? input->cap : STEPS_MAX;
    *capped = false;
    if (pair->is_together) { return 1.0; }
    end_search s = search_of(pair, from, distance);
    for (uint32_t steps = 0; steps < cap && s.now.t < 1.0; steps++) {
        if (go_on_together(&s, min_step)) { continue; }
        if (s.now.t > from) { return s.now.t; }
        go_on(&s, min_step);
    }
    *capped = s.now.t < 1.0;
    return 1.0;
}
