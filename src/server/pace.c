// The pace of ticks: when the next one is due.
#include "server/pace.h"

fr__pace fr__pace_make(double step, double speed, uint64_t now_ns) {
    double period = step / speed * 1e9;
    uint64_t whole = period < 1.0 ? 1 : (period > 1e18 ? (uint64_t)1e18 : (uint64_t)(period + 0.5));
    return (fr__pace){.period_ns = whole, .due_ns = now_ns};
}

uint64_t fr__pace_wait(const fr__pace *pace, uint64_t now_ns) {
    return pace->due_ns > now_ns ? pace->due_ns - now_ns : 0;
}

uint64_t fr__pace_next(fr__pace *pace, uint64_t now_ns) {
    pace->due_ns += pace->period_ns;
    if (now_ns < pace->due_ns + pace->period_ns) { return 0; }
    uint64_t left_out = (now_ns - pace->due_ns) / pace->period_ns;
    pace->due_ns += left_out * pace->period_ns;
    return left_out;
}
