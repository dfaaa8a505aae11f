// Processes with pipes: starting, reading, writing, ending.
#include "act/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_LINES = 20, LOG_BYTES = 200, LOG_READS = 16 };

static void close_end(int *descriptor) {
    if (*descriptor >= 0) { close(*descriptor); }
    *descriptor = -1;
}

static bool set_up(int descriptor, bool is_ours) {
    int flags = fcntl(descriptor, F_GETFL);
    bool good = fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
    if (is_ours) { good = good && flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0; }
    // A descriptor below 3 would be replaced in the other process by one of its own three.
    return good && descriptor > 2;
}

// Ends of the pipes: [0] to read, [1] to write. The input is a pair of sockets, to which nothing is written by a
// signal.
typedef struct pipes {
    int in[2], out[2], log[2];
} pipes;

static bool open_pipes(pipes *p) {
    *p = (pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, p->in) != 0 || pipe(p->out) != 0 || pipe(p->log) != 0) { return false; }
    return set_up(p->in[0], false) && set_up(p->in[1], true) && set_up(p->out[0], true) && set_up(p->out[1], false) &&
           set_up(p->log[0], true) && set_up(p->log[1], false);
}

static void close_pipes(pipes *p) {
    for (int i = 0; i < 2; i++) {
        close_end(&p->in[i]);
        close_end(&p->out[i]);
        close_end(&p->log[i]);
    }
}

static int spawn(const char *launcher, char *const *arguments, const pipes *p, int *id) {
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
    char *environment[] = {path, locale, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t child = 0;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) { return failure; }
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGKILL);
    (void)sigdelset(&all, SIGSTOP);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failure = posix_spawn_file_actions_adddup2(&actions, p->in[0], 0);
    if (failure == 0) { failure = posix_spawn_file_actions_adddup2(&actions, p->out[1], 1); }
    if (failure == 0) { failure = posix_spawn_file_actions_adddup2(&actions, p->log[1], 2); }
    if (failure == 0) { failure = posix_spawn(&child, launcher, &actions, &attributes, arguments, environment); }
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    *id = (int)child;
    return failure;
}

fr_status fr__process_start(const char *launcher, const char *program, const fr__process_limits *limits,
                            fr__process *out, fr_error *error) {
    *out = (fr__process){.in = -1, .out = -1, .log = -1};
    char cpu[24], memory[24], files[24], parent[24];
    snprintf(cpu, sizeof cpu, "%u", (unsigned)limits->cpu_seconds);
    snprintf(memory, sizeof memory, "%llu", (unsigned long long)limits->memory_bytes);
    snprintf(files, sizeof files, "%u", (unsigned)limits->files);
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    char *arguments[] = {(char *)(uintptr_t)launcher, cpu, memory, files, parent, (char *)(uintptr_t)program, NULL};
    pipes p;
    int failure = open_pipes(&p) ? spawn(launcher, arguments, &p, &out->id) : errno;
    if (failure != 0 || out->id <= 0) {
        close_pipes(&p);
        out->id = 0;
        return fr_error_set(error, FR_ERROR_SYSTEM, "a process cannot be started: %s", strerror(failure));
    }
    close_end(&p.in[0]);
    close_end(&p.out[1]);
    close_end(&p.log[1]);
    out->in = p.in[1];
    out->out = p.out[0];
    out->log = p.log[0];
    return FR_OK;
}

bool fr__process_reap(fr__process *process, int *status) {
    if (process->id <= 0) { return true; }
    int ended = 0;
    pid_t found;
    do {
        found = waitpid((pid_t)process->id, &ended, WNOHANG);
    } while (found < 0 && errno == EINTR);
    if (found == 0) { return false; }
    // The group may outlive its first process.
    (void)kill(-(pid_t)process->id, SIGKILL);
    process->id = 0;
    if (status != NULL) { *status = ended; }
    return true;
}

bool fr__process_kill(fr__process *process) {
    close_end(&process->in);
    close_end(&process->out);
    close_end(&process->log);
    if (process->id > 0) {
        (void)kill(-(pid_t)process->id, SIGKILL);
        (void)kill((pid_t)process->id, SIGKILL);
    }
    return fr__process_reap(process, NULL);
}

long fr__process_write(fr__process *process, const void *bytes, size_t size) {
    ssize_t sent;
    do {
        sent = send(process->in, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) { return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1; }
    return (long)sent;
}

long fr__process_read(fr__process *process, void *bytes, size_t size) {
    ssize_t got;
    do {
        got = read(process->out, bytes, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0) { return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1; }
    return got == 0 ? -1 : (long)got;
}

// Logs the lines in some bytes; what would steer a terminal becomes '?'.
static void log_lines(fr__process *process, const char *name, char *bytes, size_t size) {
    for (size_t at = 0; at < size && process->log_lines < LOG_LINES;) {
        size_t length = 0;
        while (at + length < size && bytes[at + length] != '\n' && length < LOG_BYTES) {
            unsigned char c = (unsigned char)bytes[at + length];
            if (c < 0x20 || c >= 0x7f) { bytes[at + length] = '?'; }
            length++;
        }
        if (length > 0) {
            process->log_lines++;
            fr_log(FR_LOG_WARNING, "plug-in %s: %.*s", name, (int)length, bytes + at);
        }
        at += length + 1;
    }
}

void fr__process_log(fr__process *process, const char *name) {
    char bytes[16384];
    for (int i = 0; i < LOG_READS && process->log >= 0; i++) {
        ssize_t got = read(process->log, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) { continue; }
        if (got == 0) { close_end(&process->log); }
        if (got <= 0) { return; }
        process->log_bytes += (uint64_t)got;
        log_lines(process, name, bytes, (size_t)got);
    }
}

bool fr__process_reads(const fr__process *process) {
    struct pollfd watched = {.fd = process->in};
    return poll(&watched, 1, 0) <= 0 || (watched.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

void fr__process_wait(const fr__process *process, fr__process_event input, uint64_t wait_ns) {
    short wanted = input == FR__PROCESS_TAKES ? POLLOUT : 0; // an end of it is seen in any case
    struct pollfd watched[3] = {{.fd = process->out, .events = POLLIN},
                                {.fd = process->log, .events = POLLIN},
                                {.fd = input != FR__PROCESS_NOTHING ? process->in : -1, .events = wanted}};
    uint64_t ms = wait_ns / 1000000 + (wait_ns % 1000000 != 0 ? 1 : 0);
    (void)poll(watched, 3, ms < INT32_MAX ? (int)ms : INT32_MAX);
}
