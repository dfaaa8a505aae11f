// Waiting in a loop.
#ifndef FUREAI_BASE_RELAX_H
#define FUREAI_BASE_RELAX_H

#include <sched.h>
#include <stdint.h>

// Hints to the processor that this is a waiting loop.
static inline void fr__relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Waits in a loop whose passes are counted from 0: a short wait keeps the processor, a long one lets other threads run.
static inline void fr__relax_pass(uint32_t pass) {
    if (pass < 1024) {
        fr__relax();
    } else {
        (void)sched_yield();
    }
}

#endif
