// The step cut into slices of time, short enough for boxes that move along chords to follow two parts.
#ifndef FUREAI_COLLIDE_SLICES_H
#define FUREAI_COLLIDE_SLICES_H

#include "collide/swept_pair.h"

// A slice of the step, in time; the end poses are a slice of their own where they are not where the paths end.
typedef struct fr__slice {
    double t0, t1;
    bool is_end;
} fr__slice;

// The slices of two parts, one after the other: those in which their balls may meet.
typedef struct fr__slices {
    const fr__swept_pair *pair;
    double length;      // of a slice, at most
    double shortest;    // of the one that begins a time in which the balls may meet, at most; then they grow
    double now;         // of the next one, at most
    double first;       // of one that begins with the step, at most
    double clip_length; // of a time in which the balls' paths are nearly straight
    double looked_to;   // the balls were looked at up to this time
    double t1;          // the end of the time in which they may meet
    double next;        // where the next slice begins
    bool is_ended;      // the end poses came, or are no slice
} fr__slices;

// With `by_time` slices are so short that faces pass few others in one, the first ones the shortest, and the one that
// begins with the step lasts only as long as what comes together at once.
fr__slices fr__slices_of(const fr__swept_pair *pair, bool by_time);

// The next slice; false after the last one.
bool fr__slices_next(fr__slices *slices, fr__slice *out);

// The relation of the two parts over a slice.
fr__swept_relation fr__slice_relate(const fr__swept_pair *pair, const fr__slice *slice);

#endif
