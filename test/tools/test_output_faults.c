// What every command does when its output cannot be written: a file on a disk that fails, standard output to a full
// device, to a pipe whose reader left, and closed.
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <sys/resource.h>

#define SCENE(name) SCENE_FOLDER "/" name
#define DEMO(name) DEMO_FOLDER "/" name

enum { MAX_WORDS = 16 };

typedef const char *const words[MAX_WORDS];

static void start(words line, process_wiring wiring) {
    const char *argv[MAX_WORDS + 2] = {FUREAI_TOOL};
    for (int i = 0; i < MAX_WORDS && line[i] != NULL; i++) {
        argv[i + 1] = line[i];
    }
    assert_true(process_start(&p, argv, wiring));
    process_finish(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Commands and the file that each of them writes.
static const struct {
    const char *file;
    words line;
} writers[] = {
    {"disk/x.obj", {"shape", "sphere_24", "disk/x.obj"}},
    {"disk/x.stl", {"convert", "ball.obj", "disk/x.stl"}},
    {"disk/x.ply", {"convert", "ball.obj", "disk/x.ply"}},
    {"disk/x.off", {"convert", "ball.obj", "disk/x.off"}},
    {"disk/x.wrl", {"convert", "ball.obj", "disk/x.wrl"}},
    {"disk/x.glb", {"convert", "ball.obj", "disk/x.glb"}},
    {"disk/x.frm", {"convert", "ball.obj", "disk/x.frm"}},
    {"disk/x.csv", {"clash", "ball.obj", "ball.obj", "--csv", "disk/x.csv"}},
    {"disk/x.html", {"clash", "ball.obj", "ball.obj", "--report", "disk/x.html"}},
    {"disk/x.csv", {"assist", "A", "--mode", "6", "--trials", "1", "--log", "disk/x.csv"}},
    {"disk/x.wav", {"assist", "A", "--mode", "6", "--trials", "1", "--sound", "disk/x.wav"}},
#if FUREAI_HAVE_PICTURES
    {"disk/x.svg", {"clash", "ball.obj", "ball.obj", "--picture", "disk/x.svg"}},
    {"disk/x.png", {"clash", "ball.obj", "ball.obj", "--picture", "disk/x.png"}},
#endif
#ifdef DEMO_FOLDER
    {"disk/x.csv", {"sweep", SCENE("two_spheres.json"), "--steps", "3", "--csv", "disk/x.csv"}},
    {"disk/x.record", {"sweep", SCENE("two_spheres.json"), "--steps", "3", "--record", "disk/x.record"}},
    {"disk/x.path", {"plan", SCENE("plan_d1.json"), "--out", "disk/x.path"}},
    {"disk/x.csv", {"touch", DEMO("touch.json"), "--csv", "disk/x.csv"}},
    {"disk/x.csv", {"device", "map", "--grid", "2,2,2", "--csv", "disk/x.csv"}},
    {"disk/x.csv", {"device", "run", "--seconds", "0.05", "--csv", "disk/x.csv"}},
    {"disk/x.csv", {"assemble", DEMO("piston.json"), "--log", "disk/x.csv"}},
#endif
};

enum { WRITER_COUNT = sizeof writers / sizeof writers[0] };

static int make_disk(void **state) {
    if (make_folder(state) != 0 || mkdir("disk", 0700) != 0) { return -1; }
    RUN("shape", "sphere_24", "ball.obj");
#ifdef DEMO_FOLDER
    if (p.status == 0) { RUN("sweep", SCENE("two_spheres.json"), "--steps", "3", "--record", "ball.record"); }
#endif
    return p.status;
}

static void fail_disk(const char *how) {
    assert_int_equal(setenv("FAILING_DISK", how, 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", FAILING_DISK_LIBRARY, 1), 0);
}

static void mend_disk(void) {
    assert_int_equal(unsetenv("FAILING_DISK"), 0);
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
}

// Runs a writer over an old file on a disk that fails. Only the one file is there afterwards.
static void write_on(size_t i, const char *how) {
    put_file(writers[i].file, "old");
    fail_disk(how);
    start(writers[i].line, PROCESS_PIPES);
    mend_disk();
    size_t count = 0;
    DIR *list = opendir("disk");
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    if (count != 3) { fail_msg("%s %s: %s leaves files behind", writers[i].line[0], writers[i].file, how); }
}

// The first writer meets every fault, each of the others every second one, in turn.
static size_t first_fault(size_t writer) { return writer == 0 ? 0 : writer % 2; }

static void a_disk_that_fails_leaves_the_old_file(void **state) {
    (void)state;
    static const struct {
        const char *how;
        int number;
        bool is_in_place; // the new file is there: only its folder failed
    } faults[] = {{"open:28", ENOSPC, false}, {"write:28", ENOSPC, false},  {"write:5", EIO, false},
                  {"sync:5", EIO, false},     {"close:122", EDQUOT, false}, {"rename:5", EIO, false},
                  {"folder:5", EIO, true},    {"sync2:28", ENOSPC, true}};
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        const char *file = writers[i].file;
        for (size_t k = first_fault(i); k < sizeof faults / sizeof faults[0]; k += i == 0 ? 1 : 2) {
            char says[256];
            write_on(i, faults[k].how);
            snprintf(says, sizeof says, "fureai: %s: cannot write: %s\n", file, strerror(faults[k].number));
            if (p.status != 1 || strstr(p.err, says) == NULL) {
                fail_msg("%s, %s: status %d: %s", writers[i].line[0], faults[k].how, p.status, p.err);
            }
            assert_int_equal(strcmp(take_file(file), "old") != 0, faults[k].is_in_place);
        }
        unlink(file);
    }
}

// Interrupted and short operations are continued: the file is the same to the last byte. What depends on the clock is
// left out.
static void interrupted_and_short_writes_are_continued(void **state) {
    (void)state;
    static const char *const faults[] = {"open:4", "write:4", "sync:4", "close:4", "rename:4", "sync2:4", "short:0"};
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        static char expected[PROCESS_TEXT_BYTES];
        bool is_timed = strcmp(writers[i].line[0], "device") == 0;
        write_on(i, "");
        assert_int_equal(p.status, 0);
        memcpy(expected, take_file(writers[i].file), sizeof expected);
        for (size_t k = first_fault(i); k < sizeof faults / sizeof faults[0]; k += i == 0 ? 1 : 2) {
            write_on(i, faults[k]);
            if (p.status != 0) { fail_msg("%s, %s: %s", writers[i].line[0], faults[k], p.err); }
            if (!is_timed) { assert_memory_equal(take_file(writers[i].file), expected, sizeof expected); }
        }
        unlink(writers[i].file);
    }
}

// A limit on the size of files ends no program: the write fails, and the old file stays.
static void a_limit_of_size_is_an_error(void **state) {
    (void)state;
    put_file("limited.obj", "old");
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1024;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    start((words){"shape", "sphere_960", "limited.obj"}, PROCESS_PIPES);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(p.status, 1);
    expect_in(p.err, "fureai: limited.obj: cannot write: File too large\n");
    assert_string_equal(take_file("limited.obj"), "old");
    unlink("limited.obj");
}

// ---------------------------------------------------------------------------------------------------------------
// Standard output

static words printers[] = {
    {"help"},
    {"--version"},
    {"clash", "--help"},
    {"info", "ball.obj"},
    {"--json", "info", "ball.obj"},
    {"--json", "clash", "ball.obj", "ball.obj"},
    {"octree", "ball.obj", "--depth", "4", "--code"},
    {"experiment"},
    {"--json", "assist", "A", "--mode", "6", "--trials", "1"},
    {"convert", "ball.obj", "/dev/stdout", "--format", "obj"},
#ifdef DEMO_FOLDER
    {"--json", "collide", SCENE("identical_spheres.json")},
    {"collide", SCENE("identical_spheres.json")},
    {"sweep", SCENE("two_spheres.json"), "--steps", "3", "--csv", "/dev/stdout"},
    {"--json", "sweep", SCENE("two_spheres.json"), "--steps", "3"},
    {"--json", "plan", SCENE("plan_d1.json")},
    {"--json", "touch", DEMO("touch.json")},
    {"--json", "assemble", DEMO("piston.json")},
    {"--json", "device", "map", "--grid", "2,2,2"},
    {"--json", "replay", "ball.record"},
    {"radar", SCENE("two_spheres.json"), "--mover", "left", "--move", "9,0,0", "--resolution", "8"},
#endif
};

static void standard_output_that_cannot_be_written_is_reported(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof printers / sizeof printers[0]; i++) {
        start(printers[i], PROCESS_FULL_DEVICE);
        if (p.status != 1 || strstr(p.err, "cannot write: No space left on device\n") == NULL) {
            fail_msg("%s to a full device: status %d: %s", printers[i][0], p.status, p.err);
        }
        // A reader that left wants no message.
        start(printers[i], PROCESS_CLOSED_PIPE);
        if (p.status != 1) { fail_msg("%s to a closed pipe: status %d: %s", printers[i][0], p.status, p.err); }
        start(printers[i], PROCESS_CLOSED_OUTPUT);
        if (p.status != 1 || strstr(p.err, "cannot write: Bad file descriptor\n") == NULL) {
            fail_msg("%s to nothing: status %d: %s", printers[i][0], p.status, p.err);
        }
    }
}

// A file that is opened while standard output is closed does not take what is printed.
static void nothing_is_printed_into_a_file(void **state) {
    (void)state;
    start((words){"shape", "sphere_24", "closed.obj"}, PROCESS_CLOSED_OUTPUT);
    assert_int_equal(p.status, 1);
    static char expected[PROCESS_TEXT_BYTES];
    memcpy(expected, take_file("ball.obj"), sizeof expected);
    assert_string_equal(take_file("closed.obj"), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_that_fails_leaves_the_old_file),
        cmocka_unit_test(interrupted_and_short_writes_are_continued),
        cmocka_unit_test(a_limit_of_size_is_an_error),
        cmocka_unit_test(standard_output_that_cannot_be_written_is_reported),
        cmocka_unit_test(nothing_is_printed_into_a_file),
    };
    return cmocka_run_group_tests(tests, make_disk, remove_folder);
}
