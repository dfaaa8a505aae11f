// The set of processors a process is bound to is read by Linux's own call; elsewhere all that are online count.
#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#endif

#include "fureai/base.h"

#include <limits.h>
#include <unistd.h>

int fr_processor_count(void) {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        int count = CPU_COUNT(&allowed);
        if (count > 0) { return count; }
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online < 1) { return 1; }
    return online < INT_MAX ? (int)online : INT_MAX;
}
