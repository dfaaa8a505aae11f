// When the next tick is due: in real time, and never more than one tick behind it.
#ifndef FUREAI_SERVER_PACE_H
#define FUREAI_SERVER_PACE_H

#include "fureai/base.h"

typedef struct fr__pace {
    uint64_t period_ns; // between two ticks; at least 1
    uint64_t due_ns;    // of the next tick
} fr__pace;

// A tick every `step` seconds of a world that runs `speed` times as fast as real time; the first is due at once.
fr__pace fr__pace_make(double step, double speed, uint64_t now_ns);

// Nanoseconds until the next tick; 0: it is due.
uint64_t fr__pace_wait(const fr__pace *pace, uint64_t now_ns);

// Goes on to the next tick when one was taken. A tick that should have begun before `now_ns` is late and begins at
// once; those before it are left out. Returns how many were.
uint64_t fr__pace_next(fr__pace *pace, uint64_t now_ns);

#endif
