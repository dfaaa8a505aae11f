// Starts a plug-in within limits: fureai-launch CPU_SECONDS MEMORY_BYTES FILES PARENT PROGRAM. It closes all but the
// three pipes, sets the limits, has the program die with its parent, and becomes the program.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { STATUS_USAGE = 125, STATUS_NOT_RUN = 126, FIRST_OTHER = 3, MAX_DESCRIPTORS = 65536 };

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return STATUS_NOT_RUN;
}

static int limit(unsigned what, unsigned long long value) {
    struct rlimit now;
    if (getrlimit(what, &now) != 0) { return -1; }
    rlim_t wanted = (rlim_t)value;
    // More than is allowed already cannot be given.
    if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max) { wanted = now.rlim_max; }
    const struct rlimit limits = {wanted, wanted};
    return setrlimit(what, &limits);
}

static void close_others(void) {
    long max = sysconf(_SC_OPEN_MAX);
    if (max < 0 || max > MAX_DESCRIPTORS) { max = MAX_DESCRIPTORS; }
#ifdef __linux__
    if (close_range(FIRST_OTHER, ~0U, 0) == 0) { return; }
#endif
    for (int i = FIRST_OTHER; i < (int)max; i++) {
        (void)close(i);
    }
}

int main(int argc, char **argv) {
    if (argc != 6) { return STATUS_USAGE; }
    close_others();
    if (limit(RLIMIT_CPU, strtoull(argv[1], NULL, 10)) != 0) { return fail("limit of the processor"); }
    if (limit(RLIMIT_AS, strtoull(argv[2], NULL, 10)) != 0) { return fail("limit of memory"); }
    if (limit(RLIMIT_NOFILE, strtoull(argv[3], NULL, 10)) != 0) { return fail("limit of files"); }
    if (limit(RLIMIT_CORE, 0) != 0) { return fail("limit of dumps"); }
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) { return fail("the signal of a parent's death"); }
    // The parent may have died before.
    if ((long)getppid() != strtol(argv[4], NULL, 10)) { return STATUS_NOT_RUN; }
#endif
    char *arguments[] = {argv[5], NULL};
    (void)execv(argv[5], arguments);
    return fail(argv[5]);
}
