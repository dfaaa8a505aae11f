// What every test may need: the size of its sample, and the folder of shared data.
//
// `make test` runs each test on a sample that ends in seconds; `make test-long` runs it once more, with FUREAI_LONG
// set, at its full count. A sanitizer's build takes a quarter of the sample: it looks for what is wrong in any case,
// not for the rare case. Data tests read models below the folder that FUREAI_SHARED names and are skipped without it.
#ifndef FUREAI_TEST_FRAME_H
#define FUREAI_TEST_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The exit status of a test that was skipped.
#define TEST_SKIPPED 77

// Whether this run is to take its full count.
static inline bool test_is_long(void) {
    const char *text = getenv("FUREAI_LONG");
    return text != NULL && text[0] != '\0' && text[0] != '0';
}

#ifdef __has_feature
#define TEST_HAS_FEATURE(x) __has_feature(x)
#else
#define TEST_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || TEST_HAS_FEATURE(address_sanitizer) ||            \
    TEST_HAS_FEATURE(thread_sanitizer)
#define TEST_SAMPLE_DIVISOR 4
#else
#define TEST_SAMPLE_DIVISOR 1
#endif

// The number of cases to try: `sample` in `make test` (a quarter under a sanitizer), `full` in `make test-long`.
static inline uint64_t test_count(uint64_t sample, uint64_t full) {
    return test_is_long() ? full : (sample + TEST_SAMPLE_DIVISOR - 1) / TEST_SAMPLE_DIVISOR;
}

// How many workers a test takes of those it wants: WebAssembly is built without threads, where there is one.
static inline int test_workers(int wanted) {
#if defined(__wasm__) && !defined(__EMSCRIPTEN_PTHREADS__)
    return wanted < 1 ? wanted : 1;
#else
    return wanted;
#endif
}

// Whether case i of `count` belongs to this part of a long run that is split (FUREAI_PART=k/n, k from 1): parts are
// equal stretches of the cases. Every case does where the run is whole.
static inline bool test_is_in_part(uint64_t i, uint64_t count) {
    const char *text = getenv("FUREAI_PART");
    unsigned part = 1, parts = 1;
    if (text != NULL && (sscanf(text, "%u/%u", &part, &parts) != 2 || part < 1 || part > parts)) {
        printf("FUREAI_PART is no part: %s\n", text);
        exit(1);
    }
    return i * parts / count == part - 1;
}

// The folder of shared data. Where FUREAI_SHARED is not set, says so and ends the program as skipped: a test program
// that calls this holds data tests alone and carries the label data.
static inline const char *test_shared_folder(void) {
    const char *folder = getenv("FUREAI_SHARED");
    if (folder == NULL || folder[0] == '\0') {
        printf("skipped: FUREAI_SHARED does not name the folder of shared data\n");
        exit(TEST_SKIPPED);
    }
    return folder;
}

// The path of a shared file, such as "data/mesh-common/cow.obj", in `path` of `size` bytes; ends the program as failed
// when it does not fit. Returns `path`.
static inline const char *test_shared_path(const char *relative, char *path, size_t size) {
    int length = snprintf(path, size, "%s/%s", test_shared_folder(), relative);
    if (length < 0 || (size_t)length >= size) {
        printf("failed: the path of %s is too long\n", relative);
        exit(EXIT_FAILURE);
    }
    return path;
}

#endif
