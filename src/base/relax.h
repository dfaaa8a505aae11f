// Waiting in a loop.
#ifndef FUREAI_BASE_RELAX_H
#define FUREAI_BASE_RELAX_H

// Hints to the processor that this is a waiting loop.
static inline void fr__relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
