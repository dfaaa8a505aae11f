// A folder of plug-ins for tests of room act.
#ifndef FUREAI_TEST_ACT_FOLDER_H
#define FUREAI_TEST_ACT_FOLDER_H

#include "frame.h"

#include "fureai/act_plug_in.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Sanitizers take terabytes of address space for themselves.
#define HAS_SANITIZER (TEST_SAMPLE_DIVISOR > 1)

static inline fr_plug_ins *open_folder(const char *path, fr_plug_ins_def def) {
    fr_plug_ins *plug_ins;
    fr_error error = {0};
    def.folder = path;
    def.launcher = LAUNCHER;
    if (HAS_SANITIZER) { def.memory_bytes = UINT64_MAX; }
    if (fr_plug_ins_create(&def, &plug_ins, &error) != FR_OK) { fail_msg("%s", error.message); }
    return plug_ins;
}

// Plug-ins of a folder that may take their time: the machine may be busy.
static inline fr_plug_ins_def patient_def(const char *path, const fr_allocator *allocator) {
    fr_plug_ins_def def = fr_default_plug_ins_def();
    def.folder = path;
    def.launcher = LAUNCHER;
    if (allocator != NULL) { def.allocator = *allocator; }
    if (HAS_SANITIZER) { def.memory_bytes = UINT64_MAX; }
    def.step_seconds = 30.0;
    def.ready_seconds = 60.0;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Programs that do what they may not: bad_plug_in by many names, a file that is no program, and one that cannot be run

#ifdef BAD_PLUG_IN
static char folder[64];

static const char *const bad_names[] = {"good",         "hang",  "flood",   "fork",        "half",    "half_hang",
                                        "die",          "other", "garbage", "close_stdin", "deaf",    "twice",
                                        "close_stdout", "wrong", "error",   "late",        "endless", "refuse",
                                        "no_ready",     "gone",  "greedy",  "stubborn"};
enum { BAD_COUNT = sizeof bad_names / sizeof bad_names[0] };

static inline bool put_program(const char *name, const char *text, int mode) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) { return false; }
    fputs(text, file);
    return fclose(file) == 0 && chmod(path, (mode_t)mode) == 0;
}

static inline bool make_bad_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/fureai_plug_XXXXXX");
    if (mkdtemp(folder) == NULL) { return false; }
    for (int i = 0; i < BAD_COUNT; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, bad_names[i]);
        if (symlink(BAD_PLUG_IN, path) != 0) { return false; }
    }
    return put_program("plain", "no program\n", 0644) && put_program("script", "#!/no/such/interpreter\n", 0755);
}

static inline void remove_bad_folder(void) {
    char path[256];
    for (int i = 0; i < BAD_COUNT + 2; i++) {
        const char *name = i < BAD_COUNT ? bad_names[i] : i == BAD_COUNT ? "plain" : "script";
        snprintf(path, sizeof path, "%s/%s", folder, name);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}
#endif

#endif
