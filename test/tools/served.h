// The command serve as a process that clients of a test connect to.
#ifndef FUREAI_TEST_TOOLS_SERVED_H
#define FUREAI_TEST_TOOLS_SERVED_H

#include "scratch.h"
#include "server/client.h"

#include <signal.h>

static process served;

// Starts a server on a free port and gives the port, which it tells on standard error.
static inline uint16_t begin(const char *const *argv) {
    assert_true(process_start(&served, argv, PROCESS_PIPES));
    if (!process_wait_for(&served, "http://127.0.0.1:")) { fail_msg("it does not serve: %s", served.err); }
    (void)process_wait_for(&served, "\n");
    return (uint16_t)atoi(strstr(served.err, "http://127.0.0.1:") + 17);
}

#define SERVE(...) begin((const char *const[]){FUREAI_TOOL, "--json", "serve", "--port", "0", __VA_ARGS__, NULL})

// Ctrl-C ends it within a second, with status 0 and its document.
static inline void end(int number) {
    uint64_t begin_ns = fr_clock_ns();
    assert_int_equal(kill(served.id, number), 0);
    process_finish(&served);
    if (served.status != 0) { fail_msg("status %d: %s", served.status, served.err); }
    assert_true(fr_clock_ms_since(begin_ns) < 1000.0);
    expect_in(served.out, "{\"url\":\"http://127.0.0.1:");
}

#endif
