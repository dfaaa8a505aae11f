// The monotonic clock.
#include "fureai/base.h"

#include <time.h>

uint64_t fr_clock_ns(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double fr_clock_ms_since(uint64_t earlier_ns) { return (double)(fr_clock_ns() - earlier_ns) * 1e-6; }
