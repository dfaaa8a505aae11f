// How the step of two parts is cut into slices: by when their balls may meet, and by how far paths bend.
#include "collide/slices.h"

#include "collide/step_judge.h"

// A path may leave its chord by this much of a face's size.
#define MOST_BULGE 0.1

// In the search for first contacts a face passes this many others in a slice, about. Things that are as round as their
// balls meet soon after these do: the first slices are the shortest.
#define FACES_PASSED 4.0
#define FACES_PASSED_FIRST 1.0
#define MOST_GROWTH 16.0
#define GROWTH 1.5

// A little longer than what counts as first after a contact at the beginning, so that such a contact ends the search.
#define AT_ONCE (2.0 * FR__FIRST_SPAN)

// Slices are no shorter than a 64th of the step and a 16th of a radian.
static double shortest_slice(const fr__course *a, const fr__course *b) {
    return 1.0 / (64.0 + 16.0 * (a->axis.angle + b->axis.angle));
}

fr__slices fr__slices_of(const fr__swept_pair *pair, bool by_time) {
    const fr__course *a = &pair->geometry->course_a, *b = &pair->geometry->course_b;
    double face = a->face_size < b->face_size ? a->face_size : b->face_size;
    double length = fr__swept_pair_slice(pair, MOST_BULGE * face), shortest = shortest_slice(a, b), first = length;
    if (by_time) {
        double speed = fr_vec3_distance(a->travel, b->travel) + a->axis.angle * (a->arm + a->radius) +
                       b->axis.angle * (b->arm + b->radius);
        double passed = face / (speed + 0x1p-1000);
        length = FACES_PASSED * passed < length ? FACES_PASSED * passed : length;
        first = FACES_PASSED_FIRST * passed;
    }
    fr__slices slices = {.pair = pair, .length = length > shortest ? length : shortest};
    first = first > slices.length / MOST_GROWTH ? first : slices.length / MOST_GROWTH;
    slices.shortest = by_time && first < slices.length ? first : slices.length;
    slices.first = by_time && AT_ONCE < slices.length ? AT_ONCE : slices.length;
    slices.clip_length = fr__swept_pair_clip_length(pair);
    slices.is_ended = !pair->has_end;
    return slices;
}

// The next time in which the balls may meet. Times that follow one another share their ends, so nothing is left
// between.
static bool next_time(fr__slices *slices) {
    while (slices->looked_to < 1.0) {
        double t0 = slices->looked_to, t1 = t0 + slices->clip_length;
        if (t1 > 1.0 || 1.0 - t1 < 0.25 * slices->clip_length) { t1 = 1.0; }
        slices->looked_to = t1;
        if (fr__swept_pair_clip(slices->pair, &t0, &t1)) {
            if (t0 > slices->t1 || slices->now == 0.0) { slices->now = slices->shortest; }
            slices->next = t0;
            slices->t1 = t1;
            return true;
        }
    }
    return false;
}

bool fr__slices_next(fr__slices *slices, fr__slice *out) {
    if (slices->next >= slices->t1 && !next_time(slices)) {
        if (slices->is_ended) { return false; }
        slices->is_ended = true;
        *out = (fr__slice){1.0, 1.0, true};
        return true;
    }
    double t0 = slices->next, length = t0 == 0.0 ? slices->first : slices->now, t1 = t0 + length;
    if (t1 + 0.25 * length > slices->t1) { t1 = slices->t1; }
    slices->now = GROWTH * slices->now < slices->length ? GROWTH * slices->now : slices->length;
    slices->next = t1;
    *out = (fr__slice){t0, t1, false};
    return true;
}

fr__swept_relation fr__slice_relate(const fr__swept_pair *pair, const fr__slice *slice) {
    return slice->is_end ? fr__swept_pair_relate_end(pair) : fr__swept_pair_relate(pair, slice->t0, slice->t1);
}
