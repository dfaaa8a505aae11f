// Asks the caller whether a long call should end, once in so much work.
#ifndef FUREAI_MODEL_WORK_METER_H
#define FUREAI_MODEL_WORK_METER_H

#include "fureai/base.h"

typedef struct fr__work_meter {
    const fr_control *control; // may be NULL
    size_t work;               // since the control was called last
    bool is_stopped;
} fr__work_meter;

// A piece of work is some ten nanoseconds: a vertex, a corner. So many take about a millisecond.
#define FR__METER_WORK ((size_t)1 << 16)

// Counts `work` more and calls the control when it is time. False once the caller wants the call to end.
static inline bool fr__meter_on(fr__work_meter *meter, size_t work) {
    meter->work += work;
    if (meter->work < FR__METER_WORK) { return true; }
    meter->work = 0;
    meter->is_stopped = meter->is_stopped || fr_control_is_stopped(meter->control);
    return !meter->is_stopped;
}

#endif
