// Signals that request the end of the tool.
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED_COUNT = sizeof watched / sizeof watched[0] };

static volatile sig_atomic_t requested;

static void set_action(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    // No SA_RESTART: a read or write that waits must come back, so that its caller sees the request.
    sigaction(number, &action, NULL);
}

// Calls only what POSIX allows inside a handler.
static void note_request(int number) {
    (void)number;
    requested = 1;
    for (size_t i = 0; i < WATCHED_COUNT; ++i) {
        struct sigaction now;
        if (sigaction(watched[i], NULL, &now) == 0 && now.sa_handler == note_request) {
            set_action(watched[i], SIG_DFL);
        }
    }
}

void interrupt_watch(void) {
    for (size_t i = 0; i < WATCHED_COUNT; ++i) {
        struct sigaction inherited;
        if (sigaction(watched[i], NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN) {
            set_action(watched[i], note_request);
        }
    }
    // A write that fails says so; it does not end a server in the middle of others' work.
    set_action(SIGPIPE, SIG_IGN);
    set_action(SIGXFSZ, SIG_IGN);
}

bool interrupt_requested(void) { return requested != 0; }
