// fureai-mpi run by mpirun in a folder of its own, and what came of it beside what fureai does alone.
#ifndef FUREAI_TEST_CLUSTER_RANKS_H
#define FUREAI_TEST_CLUSTER_RANKS_H

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch_folder[64];

// Ranks are more than processors here, the tests may run as root, and no network is needed.
static inline int make_folder(void **state) {
    (void)state;
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
    setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1); // Open MPI 5
    setenv("FUREAI_MPI_PROGRAM", FUREAI_MPI, 1);
    setenv("FUREAI_PROGRAM", FUREAI_TOOL, 1);
    snprintf(scratch_folder, sizeof scratch_folder, "/tmp/fureai-mpi-XXXXXX");
    return mkdtemp(scratch_folder) != NULL && chdir(scratch_folder) == 0 ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", scratch_folder);
    return chdir("/") == 0 ? system(line) : -1;
}

// Runs a line of the shell, in which $S is fureai and $M fureai-mpi; its exit status. Files out and err get what it
// prints.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static inline int
shell(const char *format, ...) {
    static char line[1 << 20], whole[(1 << 20) + 256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    snprintf(whole, sizeof whole, "S=\"$FUREAI_PROGRAM\"; M=\"$FUREAI_MPI_PROGRAM\"; { %s; } > out 2> err", line);
    int status = system(whole);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline char *take_text(const char *name) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

static inline int count_in(const char *file, const char *part) {
    char *text = take_text(file);
    int count = 0;
    for (char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    free(text);
    return count;
}

static inline void expect_status(int got, int wanted) {
    if (got == wanted) { return; }
    fail_msg("status %d, %d expected: %.2000s", got, wanted, take_text("err"));
}

// A command by `ranks` processes prints what one process does, but for how long it took. `arguments` are those of the
// command, from its name on.
static inline void check_same(int ranks, const char *cut, const char *arguments) {
    int alone = shell("$S --quiet --threads 1 --json %s | sed 's/\"ms\":[0-9.e+-]*//' > alone", arguments);
    int shared = shell("timeout 300 mpirun -n %d $M --quiet --cut %s --json %s > shared.json && "
                       "sed 's/\"ms\":[0-9.e+-]*//' shared.json > shared",
                       ranks, cut, arguments);
    if (alone != 0 || shared != 0) { fail_msg("status %d: %.2000s", shared, take_text("err")); }
    if (shell("test -s alone && cmp alone shared") != 0) {
        fail_msg("%d ranks, cut %s, %s: %s", ranks, cut, arguments, take_text("out"));
    }
}

// The faces that collide in a step of a scene by `ranks` processes, each of which holds some of them, are those of one
// process. `models` is the scene, or what it shows.
static inline void check_same_faces(int ranks, const char *scene, const char *options, const char *models) {
    int alone = shell("$S --quiet --json collide %s %s > whole.json && "
                      "sed 's/.*\"pairs\"://; s/,\"stats\":.*//' whole.json > alone",
                      scene, options);
    int shared = shell("timeout 300 mpirun -n %d $M --quiet --json faces %s %s > shared.json && "
                       "sed 's/.*\"pairs\"://; s/}]$//' shared.json > shared",
                       ranks, options, models);
    if (alone != 0 || shared != 0) { fail_msg("status %d, %d: %.2000s", alone, shared, take_text("err")); }
    if (shell("test -s alone && cmp alone shared") != 0) {
        fail_msg("%d ranks, faces %s: %s", ranks, options, take_text("out"));
    }
}

#endif
