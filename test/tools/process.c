#define _XOPEN_SOURCE 700 // pseudo-terminals

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, STEP_MS = 50 };

// Opens a terminal; ours and the program's end.
static bool open_terminal(int ends[2]) {
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
    if (ends[0] < 0 || grantpt(ends[0]) != 0 || unlockpt(ends[0]) != 0) { return false; }
    ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_row = 24, .ws_col = 60};
    return ends[1] >= 0 && ioctl(ends[1], TIOCSWINSZ, &size) == 0;
}

// What the child does between fork and exec. A shell that runs us in the background may have had SIGINT ignored.
static void become(const char *const *argv, int out, int err) {
    if (out >= 0) {
        dup2(out, STDOUT_FILENO);
    } else {
        close(STDOUT_FILENO);
    }
    dup2(err, STDERR_FILENO);
    for (int fd = 3; fd < 64; ++fd) {
        close(fd);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    setenv("TERM", "xterm", 1);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

bool process_start(process *p, const char *const *argv, process_wiring wiring) {
    int out[2];
    int err[2];
    memset(p, 0, sizeof *p);
    if (wiring == PROCESS_TERMINAL_OUT ? !open_terminal(out) : pipe(out) != 0) { return false; }
    if (wiring == PROCESS_TERMINAL ? !open_terminal(err) : pipe(err) != 0) { return false; }
    if (wiring == PROCESS_FULL_DEVICE) {
        close(out[1]);
        out[1] = open("/dev/full", O_WRONLY);
    }
    if (wiring == PROCESS_CLOSED_PIPE) {
        close(out[0]);
        out[0] = open("/dev/null", O_RDONLY);
    }
    p->id = fork();
    if (p->id == 0) { become(argv, wiring == PROCESS_CLOSED_OUTPUT ? -1 : out[1], err[1]); }
    close(out[1]);
    close(err[1]);
    p->out_fd = out[0];
    p->err_fd = err[0];
    return p->id > 0;
}

// Takes what can be read, and closes at the end of it (a terminal's end is an error). More than fits is dropped.
static void take(int *fd, short events, char *text, size_t *size) {
    char bytes[4096];
    if (*fd < 0 || events == 0) { return; }
    ssize_t got = read(*fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) { return; }
    if (got <= 0) {
        close(*fd);
        *fd = -1;
        return;
    }
    size_t room = PROCESS_TEXT_BYTES - 1 - *size;
    size_t kept = (size_t)got < room ? (size_t)got : room;
    memcpy(text + *size, bytes, kept);
    *size += kept;
}

// One round of reading; false when both outputs are closed.
static bool read_some(process *p) {
    struct pollfd fds[2] = {{.fd = p->out_fd, .events = POLLIN}, {.fd = p->err_fd, .events = POLLIN}};
    if (p->out_fd < 0 && p->err_fd < 0) { return false; }
    if (poll(fds, 2, STEP_MS) > 0) {
        take(&p->out_fd, fds[0].revents, p->out, &p->out_size);
        take(&p->err_fd, fds[1].revents, p->err, &p->err_size);
    }
    return true;
}

static bool wait_for(process *p, const char *said, const char *text) {
    for (int ms = 0; ms < PATIENCE_MS; ms += STEP_MS) {
        if (strstr(said, text) != NULL) { return true; }
        if (!read_some(p)) { break; }
    }
    return strstr(said, text) != NULL;
}

bool process_wait_for(process *p, const char *text) { return wait_for(p, p->err, text); }

bool process_wait_for_out(process *p, const char *text) { return wait_for(p, p->out, text); }

void process_finish(process *p) {
    int status = 0;
    while (read_some(p)) {}
    waitpid(p->id, &status, 0);
    p->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
