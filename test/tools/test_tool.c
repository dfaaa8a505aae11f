// The tool's frame as a process: exit statuses, messages, help, JSON, Ctrl-C, closed pipes, full disks, pictures.
#include "process.h"

#include "fureai/math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/fureai-tool-XXXXXX";
static process p;

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); // fails when a test, or the tool, left a file behind
}

#define START(wiring, ...) assert_true(process_start(&p, (const char *const[]){FRAME_TEST, __VA_ARGS__, NULL}, wiring))

#define RUN(...)                                                                                                       \
    do {                                                                                                               \
        START(PROCESS_PIPES, __VA_ARGS__);                                                                             \
        process_finish(&p);                                                                                            \
    } while (0)

static void expect_in(const char *text, const char *part) {
    if (strstr(text, part) == NULL) { fail_msg("'%s' is not in:\n%s", part, text); }
}

// The command failed in this way, and said nothing on standard output.
static void expect_failure(int status, const char *says) {
    assert_int_equal(p.status, status);
    assert_string_equal(p.out, "");
    expect_in(p.err, says);
}

// ---------------------------------------------------------------------------------------------------------------
// Usage

static void test_no_command(void **state) {
    (void)state;
    assert_true(process_start(&p, (const char *const[]){FRAME_TEST, NULL}, PROCESS_PIPES));
    process_finish(&p);
    expect_failure(2, "usage: fureai [--json] [--quiet] [--threads N] COMMAND ...");
    expect_in(p.err, "  echo  ");
}

static void test_unknown_commands(void **state) {
    (void)state;
    RUN("ehco");
    expect_failure(2, "fureai: unknown command 'ehco'; did you mean 'echo'?\nusage: fureai");
    RUN("transmogrify");
    expect_failure(2, "fureai: unknown command 'transmogrify'; 'fureai help' lists them\n");
    RUN("help", "eco");
    expect_failure(2, "did you mean 'echo'?");
}

static void test_wrong_usage(void **state) {
    (void)state;
    RUN("--jsn", "echo");
    expect_failure(2, "unknown option '--jsn'; did you mean '--json'?");
    RUN("echo");
    expect_failure(2, "fureai: FIRST is missing\nusage: fureai echo [OPTIONS] FIRST [MORE...]\n");
    RUN("end", "clash", "more");
    expect_failure(2, "too many arguments: end takes 1");
    RUN("echo", "a", "--threads", "65");
    expect_failure(2, "--threads: 65 is outside 1 .. 64");
    RUN("echo", "a", "--simd", "mmx");
    expect_failure(2, "--simd: 'mmx' is none of baseline,avx2");
    setenv("FUREAI_SIMD", "mmx", 1);
    RUN("echo", "a");
    expect_failure(2, "FUREAI_SIMD: 'mmx' is not one of baseline, avx2");
    unsetenv("FUREAI_SIMD");
    RUN("echo", "a", "--depth", "nan");
    expect_failure(2, "--depth: 'nan' is not a whole number");
    RUN("echo", "a", "--detph", "3", "--json");
    expect_failure(2, "did you mean '--depth'?");
}

// ---------------------------------------------------------------------------------------------------------------
// Help

static size_t longest_line(const char *text) {
    size_t longest = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        longest = length > longest ? length : longest;
        text += length;
        text += *text == '\n';
    }
    return longest;
}

static void test_help(void **state) {
    (void)state;
    RUN("--help");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "");
    expect_in(p.out, "\n  work                    takes its time\n");
    assert_true(longest_line(p.out) <= 80);
    RUN("help");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "Commands:");
}

static void test_help_of_a_command(void **state) {
    (void)state;
    static char first[PROCESS_TEXT_BYTES];
    RUN("help", "echo");
    assert_int_equal(p.status, 0);
    memcpy(first, p.out, sizeof first);
    assert_true(longest_line(first) <= 80);
    expect_in(first, "fureai echo: says what it was given\n\nusage: fureai echo [OPTIONS] FIRST [MORE...]\n");
    expect_in(first, "The second has a table:\n  a   1\n  b   2\n\nArguments:\n");
    expect_in(first, "  --method METHOD         A choice. One of auto,tree,brute. Default: auto.\n");
    expect_in(first, "  --depth D               A depth. From 0 to 20. Default: 5.\n");
    expect_in(first, "Examples:\n  fureai echo here --depth 3\n      Says what it was given.\n");
    RUN("echo", "--help");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, first);
    RUN("--json", "echo", "-h");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "{\"name\":\"echo\",\"summary\":");
}

static void test_version(void **state) {
    (void)state;
    RUN("--version");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "fureai " FUREAI_VERSION "\nlibrary: " FUREAI_VERSION "\ncompiler: ");
    RUN("--version", "--json");
    expect_in(p.out, "{\"version\":\"" FUREAI_VERSION "\",\"library\":");
}

// ---------------------------------------------------------------------------------------------------------------
// Results

static void test_options_anywhere(void **state) {
    (void)state;
    RUN("--threads", "3", "echo", "a", "--depth=7", "-1", "--json", "--move", "-1,0.5,2", "--", "--flag");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out,
                        "{\"arguments\":[\"a\",\"-1\",\"--flag\"],\"flag\":false,\"word\":null,\"method\":\"auto\","
                        "\"depth\":7,\"size\":0.5,\"move\":[-1,0.5,2],\"threads\":3}\n");
    assert_string_equal(p.err, "");
    RUN("echo", "a");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "argument a\ndepth 5, size 0.5 m\n");
}

// A depth that is there is never printed as none, nor with digits that are what is left of rounding.
static void test_lengths(void **state) {
    (void)state;
    static const struct {
        const char *metres, *text;
    } cases[] = {
        {"0", "0 m"},        {"-0", "0 m"},       {"1.2e-17", "under 1e-9 m"}, {"-3e-10", "under 1e-9 m"},
        {"1e-9", "1e-09 m"}, {"2e-8", "2e-08 m"}, {"0.0625", "0.0625 m"},      {"-2.5", "-2.5 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char expected[64];
        snprintf(expected, sizeof expected, "depth 5, size %s\n", cases[i].text);
        RUN("echo", "a", "--size", cases[i].metres);
        expect_in(p.out, expected);
    }
}

static void test_exit_statuses(void **state) {
    (void)state;
    RUN("end", "run");
    expect_failure(1, "fureai: it did not work\n");
    RUN("end", "usage");
    expect_failure(2, "fureai: usage and that do not go together\nusage: fureai end HOW\n");
    RUN("end", "input");
    assert_int_equal(p.status, 3);
    assert_string_equal(p.err, "model.obj:7:3: a number was expected, not '?[2J'\n");
    RUN("end", "memory");
    expect_failure(1, "fureai: no memory\n");
    RUN("end", "clash");
    assert_int_equal(p.status, 4);
}

static void test_json_is_one_document_or_nothing(void **state) {
    (void)state;
    RUN("end", "clash", "--json");
    assert_int_equal(p.status, 4);
    assert_string_equal(p.out, "{\"how\":\"clash\"}\n");
    RUN("end", "input", "--json");
    expect_failure(3, "model.obj:7:3: ");
    RUN("end", "run", "--json");
    expect_failure(1, "it did not work");
    RUN("flood", "--lines", "3", "--json");
    assert_string_equal(p.out, "[0,1,2]\n");
}

static void test_input_that_cannot_be_opened(void **state) {
    (void)state;
    RUN("size", "/no/such/file");
    expect_failure(3, "/no/such/file: cannot open: No such file or directory\n");
    RUN("size", "/dev/zero");
    expect_failure(3, "/dev/zero: larger than the limit of 1000 bytes\n");
}

static void test_a_reader_that_leaves(void **state) {
    (void)state;
    START(PROCESS_CLOSED_PIPE, "flood");
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "");
    START(PROCESS_CLOSED_PIPE, "flood", "--json");
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "");
    START(PROCESS_CLOSED_PIPE, "--help");
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, "");
}

static void test_a_full_device(void **state) {
    (void)state;
    const char *says = "fureai: standard output: cannot write: No space left on device\n";
    START(PROCESS_FULL_DEVICE, "flood");
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, says);
    START(PROCESS_FULL_DEVICE, "echo", "a", "--json");
    process_finish(&p);
    assert_int_equal(p.status, 1);
    assert_string_equal(p.err, says);
    RUN("work", "--quiet", "--ms", "100", "--out", "/dev/full");
    expect_failure(1, "fureai: /dev/full: cannot write: No space left on device\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Progress and Ctrl-C

static void expect_empty_folder(void) {
    size_t count = 0;
    DIR *list = opendir(folder);
    while (readdir(list) != NULL) {
        ++count;
    }
    closedir(list);
    assert_int_equal(count, 2);
}

static void test_a_signal_ends_cleanly(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    char path[64];
    snprintf(path, sizeof path, "%s/out", folder);
    for (int i = 0; i < 3; ++i) {
        START(PROCESS_PIPES, "work", "--json", "--out", path);
        assert_true(process_wait_for(&p, "begun"));
        kill(p.id, signals[i]);
        process_finish(&p);
        expect_failure(1, "fureai: stopped\n");
        expect_empty_folder();
    }
}

static void test_a_second_signal_kills(void **state) {
    (void)state;
    START(PROCESS_PIPES, "work", "--deaf");
    assert_true(process_wait_for(&p, "begun"));
    kill(p.id, SIGINT);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); // two that wait together count as one
    kill(p.id, SIGINT);
    process_finish(&p);
    assert_int_equal(p.status, -SIGINT);
}

static void test_progress_on_a_terminal(void **state) {
    (void)state;
    START(PROCESS_TERMINAL, "work", "--ms", "600");
    process_finish(&p);
    assert_int_equal(p.status, 0);
    expect_in(p.err, "working [####");
    size_t redraws = 0;
    for (const char *at = p.err; (at = strstr(at, "working [")) != NULL; ++at) {
        assert_true(strcspn(at, "\r") < 60);
        ++redraws;
    }
    assert_true(redraws >= 2 && redraws <= 13); // 20 a second
    assert_string_equal(p.err + p.err_size - 4, "\r\033[K");
}

static void test_no_progress_when_unwanted(void **state) {
    (void)state;
    START(PROCESS_TERMINAL, "work", "--ms", "400", "--quiet");
    process_finish(&p);
    assert_int_equal(p.status, 0);
    assert_string_equal(p.err, "");
    RUN("work", "--ms", "400");
    assert_string_equal(p.err, "fureai: begun\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

static void test_pictures_that_make_no_sense(void **state) {
    (void)state;
    RUN("paint", "--picture", "cube.jpg");
    expect_failure(2, "--picture: 'cube.jpg' ends in neither .svg nor .png");
    RUN("paint", "--picture", "cube.png", "--picture-size", "10x10");
    expect_failure(2, "--picture-size: '10x10' is not WxH");
    RUN("paint", "--picture", "cube.png", "--picture-size", "300");
    expect_failure(2, "--picture-size: '300' is not WxH");
    RUN("paint", "--json");
    assert_string_equal(p.out, "{\"triangles\":12}\n");
}

#if FUREAI_HAVE_PICTURES
static void test_pictures(void **state) {
    (void)state;
    char path[64];
    char missing[96];
    snprintf(path, sizeof path, "%s/cube.png", folder);
    snprintf(missing, sizeof missing, "%s/no/cube.png", folder);
    RUN("paint", "--picture", "cube.png", "--view", "0,0,0");
    expect_failure(2, "--view: the view has no direction");
    RUN("paint", "--picture", path, "--picture-size", "400x300", "--view", "0,0,1", "--perspective", "--json");
    assert_int_equal(p.status, 0);
    assert_string_equal(p.out, "{\"triangles\":12}\n");
    assert_int_equal(unlink(path), 0);
    RUN("paint", "--picture", missing);
    expect_failure(1, "cannot write: No such file or directory");
}

static size_t read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(text, 1, size - 1, file);
    fclose(file);
    unlink(path);
    text[count] = '\0';
    return count;
}

static void test_the_same_svg_again(void **state) {
    (void)state;
    static char texts[2][1 << 18];
    for (int i = 0; i < 2; ++i) {
        char path[64];
        snprintf(path, sizeof path, "%s/cube%d.svg", folder, i);
        RUN("paint", "--picture", path);
        assert_int_equal(p.status, 0);
        read_text(path, texts[i], sizeof texts[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    expect_in(texts[0], "width=\"1200px\" height=\"900px\" viewBox=\"0 0 1200 900\"");
}

// Every tag is closed in its order. Cairo writes plain tags and attributes, so a walk over '<' and '>' is enough.
static void expect_balanced(const char *text) {
    char open[32][32];
    int depth = 0;
    for (const char *at = text; (at = strchr(at, '<')) != NULL; ++at) {
        const char *end = strchr(at, '>');
        char name[32];
        assert_non_null(end);
        if (at[1] == '?') { continue; }
        bool closes = at[1] == '/';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1 + closes, " />"), at + 1 + closes);
        if (closes) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            memcpy(open[depth++], name, sizeof name);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void test_the_svg_is_well_formed(void **state) {
    (void)state;
    static char text[1 << 18];
    char path[64];
    snprintf(path, sizeof path, "%s/cube.svg", folder);
    RUN("paint", "--picture", path);
    size_t size = read_text(path, text, sizeof text);
    assert_int_equal(strlen(text), size);
    assert_memory_equal(text, "<?xml version=", 14);
    expect_balanced(text);
}
#else
static void test_no_pictures_in_this_build(void **state) {
    (void)state;
    RUN("paint", "--picture", "cube.png");
    expect_failure(1, "fureai: --picture: this build makes no pictures: cairo was missing\n");
}
#endif

// ---------------------------------------------------------------------------------------------------------------
// The program itself

// Runs a command of the tool with an instruction set that there is not, by the option and by the environment.
static void expect_simd_refused(const char *command) {
    assert_true(process_start(&p, (const char *const[]){FUREAI_TOOL, command, "--simd", "mmx", NULL}, PROCESS_PIPES));
    process_finish(&p);
    expect_failure(2, "--simd: 'mmx' is none of baseline,avx2");
    assert_true(process_start(&p, (const char *const[]){FUREAI_TOOL, command, "--help", NULL}, PROCESS_PIPES));
    process_finish(&p);
    expect_in(p.out, "--simd SET");
}

static void test_every_command_chooses_its_instruction_set(void **state) {
    (void)state;
    static const char *const commands[] = {"assemble",   "assist", "clash",  "collide", "convert", "device",
                                           "experiment", "info",   "octree", "plan",    "radar",   "replay",
                                           "sector",     "serve",  "shape",  "sweep",   "touch"};
    process help;
    assert_true(process_start(&help, (const char *const[]){FUREAI_TOOL, "--json", "help", NULL}, PROCESS_PIPES));
    process_finish(&help);
    size_t known = 0;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "{\"name\":\"%s\",\"summary\"", commands[i]);
        if (strstr(help.out, name) == NULL) { continue; } // left out of this build
        known++;
        expect_simd_refused(commands[i]);
    }
    assert_true(known > 5);

    // A set that this machine or this build lacks is wrong usage too.
    RUN("echo", "a", "--simd", "avx2");
    if (fr_simd_best() == FR_SIMD_AVX2) {
        assert_int_equal(p.status, 0);
    } else {
        expect_failure(2, "--simd: this machine or this build has no avx2");
    }
    RUN("echo", "a", "--simd", "baseline");
    assert_int_equal(p.status, 0);
}

static void test_fureai_itself(void **state) {
    (void)state;
    assert_true(process_start(&p, (const char *const[]){FUREAI_TOOL, "--json", "help", NULL}, PROCESS_PIPES));
    process_finish(&p);
    assert_int_equal(p.status, 0);
    expect_in(p.out, "{\"commands\":[");
    expect_in(p.out, "\"name\":\"help\"");

    // The commands are in alphabetical order, which is how help lists them.
    char last[64] = "";
    const char *end = strstr(p.out, "\"name\":\"json\"");
    for (const char *at = p.out; (at = strstr(at, "{\"name\":\"")) != NULL && at + 1 < end; ++at) {
        char name[64];
        bool is_command = strncmp(at + 9 + strcspn(at + 9, "\""), "\",\"summary\"", 11) == 0;
        if (!is_command) { continue; }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 9, "\""), at + 9);
        assert_true(strcmp(last, name) < 0);
        memcpy(last, name, sizeof last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_command),
        cmocka_unit_test(test_unknown_commands),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_help_of_a_command),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_options_anywhere),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_exit_statuses),
        cmocka_unit_test(test_json_is_one_document_or_nothing),
        cmocka_unit_test(test_input_that_cannot_be_opened),
        cmocka_unit_test(test_a_reader_that_leaves),
        cmocka_unit_test(test_a_full_device),
        cmocka_unit_test(test_a_signal_ends_cleanly),
        cmocka_unit_test(test_a_second_signal_kills),
        cmocka_unit_test(test_progress_on_a_terminal),
        cmocka_unit_test(test_no_progress_when_unwanted),
        cmocka_unit_test(test_pictures_that_make_no_sense),
#if FUREAI_HAVE_PICTURES
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_the_same_svg_again),
        cmocka_unit_test(test_the_svg_is_well_formed),
#else
        cmocka_unit_test(test_no_pictures_in_this_build),
#endif
        cmocka_unit_test(test_fureai_itself),
        cmocka_unit_test(test_every_command_chooses_its_instruction_set),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
