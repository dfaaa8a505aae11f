// Files that are read whole.
#include "input_file.h"
#include "interrupt.h"
#include "output_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/fureai-file-XXXXXX";

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); // fails when a test left a file behind
}

static void write_file(const char *path, const char *text) {
    fr_output_file file;
    assert_int_equal(output_file_open(&file, path, NULL), FR_OK);
    assert_true(fr_output_file_print(&file, "%s", text));
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
}

static void expect_content(const char *path, const char *text) {
    input_file file;
    assert_int_equal(input_file_read(&file, path, INPUT_TYPED, 1000, NULL), FR_OK);
    assert_int_equal(file.size, strlen(text));
    assert_string_equal(file.data, text);
    input_file_release(&file);
}

static void test_reading_tells_what_is_wrong(void **state) {
    (void)state;
    input_file file;
    fr_error error = {0};
    assert_int_equal(input_file_read(&file, path_of("none"), INPUT_TYPED, 10, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "cannot open: No such file or directory");
    assert_int_equal(input_file_read(&file, folder, INPUT_TYPED, 10, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "cannot read: it is a folder");
    assert_string_equal(error.path, folder);
    assert_int_equal(input_file_read(&file, "", INPUT_TYPED, 10, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "the name of a file is empty");
    assert_null(file.data);
}

static void test_reading_is_bounded(void **state) {
    (void)state;
    const char *path = path_of("a.txt");
    input_file file;
    fr_error error = {0};
    write_file(path, "0123456789");
    assert_int_equal(input_file_read(&file, path, INPUT_QUOTED, 10, &error), FR_OK);
    input_file_release(&file);
    assert_int_equal(input_file_read(&file, path, INPUT_TYPED, 9, &error), FR_ERROR_LIMIT);
    assert_int_equal(input_file_read(&file, "/dev/zero", INPUT_TYPED, 1 << 20, &error), FR_ERROR_LIMIT);
    unlink(path);
}

static void test_an_empty_file(void **state) {
    (void)state;
    expect_content("/dev/null", "");
}

// A pipe that nobody writes to would be waited for without end.
static void test_a_pipe_with_a_name_is_no_file(void **state) {
    (void)state;
    const char *path = path_of("pipe");
    input_file file;
    fr_error error = {0};
    assert_int_equal(mkfifo(path, 0600), 0);
    for (int source = INPUT_TYPED; source <= INPUT_QUOTED; ++source) {
        assert_int_equal(input_file_read(&file, path, (input_source)source, 10, &error), FR_ERROR_FILE);
        assert_string_equal(error.message, "cannot read: it is a pipe, not a file");
        assert_string_equal(error.path, path);
    }
    unlink(path);
}

static void test_a_file_names_no_device(void **state) {
    (void)state;
    input_file file;
    fr_error error = {0};
    assert_int_equal(input_file_read(&file, "/dev/null", INPUT_QUOTED, 10, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "cannot read: it is a device, not a file");
}

// Opens a pipe as a shell does for <(...), and returns the end to write to.
static int open_shell_pipe(char path[32], int *end_to_read) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, 32, "/dev/fd/%d", ends[0]);
    *end_to_read = ends[0];
    return ends[1];
}

static void test_a_pipe_of_the_shell_is_read(void **state) {
    (void)state;
    char path[32];
    int in, out = open_shell_pipe(path, &in);
    input_file file;
    assert_int_equal(write(out, "text", 4), 4);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) { // what is written late is waited for
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        _exit(write(out, " and more", 9) == 9 ? 0 : 1);
    }
    close(out);
    assert_int_equal(input_file_read(&file, path, INPUT_TYPED, 100, NULL), FR_OK);
    assert_string_equal(file.data, "text and more");
    input_file_release(&file);
    fr_error error = {0};
    assert_int_equal(input_file_read(&file, path, INPUT_QUOTED, 100, &error), FR_ERROR_FILE);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(in);
}

// The last test: what was interrupted stays so.
static void test_a_signal_ends_waiting_for_a_pipe(void **state) {
    (void)state;
    char path[32];
    int in, out = open_shell_pipe(path, &in);
    input_file file;
    fr_error error = {0};
    interrupt_watch();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        kill(getppid(), SIGINT);
        _exit(0);
    }
    assert_int_equal(input_file_read(&file, path, INPUT_TYPED, 10, &error), FR_ERROR_STOPPED);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(in);
    close(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_tells_what_is_wrong),
        cmocka_unit_test(test_reading_is_bounded),
        cmocka_unit_test(test_an_empty_file),
        cmocka_unit_test(test_a_pipe_with_a_name_is_no_file),
        cmocka_unit_test(test_a_file_names_no_device),
        cmocka_unit_test(test_a_pipe_of_the_shell_is_read),
        cmocka_unit_test(test_a_signal_ends_waiting_for_a_pipe),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
