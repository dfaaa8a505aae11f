// Files that are read whole, alone and from the folder of another.
#include "failing.h"
#include "file_folder.h"

#include "fureai/file.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

// Reads a file of at most `limit` bytes.
static fr_status read_file(const char *path, bool is_plain, size_t limit, fr_input_file *out, fr_error *error) {
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.is_plain = is_plain;
    def.limit = limit;
    return fr_input_file_read(&def, out, error);
}

static void write_file(const char *path, const char *text) {
    fr_output_file file;
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    assert_int_equal(fr_output_file_open(&def, &file, NULL), FR_OK);
    assert_true(fr_output_file_print(&file, "%s", text));
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
}

static void expect_content(const char *path, const char *text) {
    fr_input_file file;
    assert_int_equal(read_file(path, false, 1000, &file, NULL), FR_OK);
    assert_int_equal(file.size, strlen(text));
    assert_string_equal(file.data, text);
    fr_input_file_destroy(&file);
}

static void test_reading_tells_what_is_wrong(void **state) {
    (void)state;
    fr_input_file file;
    fr_error error = {0};
    assert_int_equal(read_file("none", false, 10, &file, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "cannot open: No such file or directory");
    assert_int_equal(read_file(".", false, 10, &file, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "cannot read: it is a folder");
    assert_string_equal(error.path, ".");
    assert_int_equal(read_file("", false, 10, &file, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "the name of a file is empty");
    assert_null(file.data);
}

static void test_reading_is_bounded(void **state) {
    (void)state;
    const char *path = "a.txt";
    fr_input_file file;
    fr_error error = {0};
    write_file(path, "0123456789");
    assert_int_equal(read_file(path, true, 10, &file, &error), FR_OK);
    fr_input_file_destroy(&file);
    assert_int_equal(read_file(path, false, 9, &file, &error), FR_ERROR_LIMIT);
    assert_int_equal(read_file("/dev/zero", false, 1 << 20, &file, &error), FR_ERROR_LIMIT);
    unlink(path);
}

static void test_an_empty_file(void **state) {
    (void)state;
    expect_content("/dev/null", "");
}

// A pipe that nobody writes to would be waited for without end.
static void test_a_pipe_with_a_name_is_no_file(void **state) {
    (void)state;
    const char *path = "pipe";
    fr_input_file file;
    fr_error error = {0};
    assert_int_equal(mkfifo(path, 0600), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read_file(path, i > 0, 10, &file, &error), FR_ERROR_FILE);
        assert_string_equal(error.message, "cannot read: it is a pipe, not a file");
        assert_string_equal(error.path, path);
    }
    unlink(path);
}

static void test_a_file_names_no_device(void **state) {
    (void)state;
    fr_input_file file;
    fr_error error = {0};
    assert_int_equal(read_file("/dev/null", true, 10, &file, &error), FR_ERROR_FILE);
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
    fr_input_file file;
    assert_int_equal(write(out, "text", 4), 4);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) { // what is written late is waited for
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        _exit(write(out, " and more", 9) == 9 ? 0 : 1);
    }
    close(out);
    assert_int_equal(read_file(path, false, 100, &file, NULL), FR_OK);
    assert_string_equal(file.data, "text and more");
    fr_input_file_destroy(&file);
    fr_error error = {0};
    assert_int_equal(read_file(path, true, 100, &file, &error), FR_ERROR_FILE);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(in);
}

static volatile sig_atomic_t was_interrupted;

static void note_interrupt(int signal) {
    (void)signal;
    was_interrupted = 1;
}

static bool is_interrupted(void *user) {
    (void)user;
    return was_interrupted != 0;
}

static void test_a_signal_ends_waiting_for_a_pipe(void **state) {
    (void)state;
    char path[32];
    int in, out = open_shell_pipe(path, &in);
    fr_input_file file;
    fr_error error = {0};
    struct sigaction action = {.sa_handler = note_interrupt};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        kill(getppid(), SIGUSR1);
        _exit(0);
    }
    fr_control control = {.stop = is_interrupted};
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.control = &control;
    assert_int_equal(fr_input_file_read(&def, &file, &error), FR_ERROR_STOPPED);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(in);
    close(out);
}

// ---------------------------------------------------------------------------------------------------------------
// Folders

static fr_status refuse_secrets(const char *path, void *user, fr_error *error) {
    const char *secret = user;
    if (strstr(path, secret) == NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "it is secret");
}

static fr_file_folder *open_folder(const char *path) {
    fr_file_folder_def def = fr_default_file_folder_def();
    def.path = path;
    def.what = "texture";
    def.of = "model";
    def.check = refuse_secrets;
    def.user = "secret";
    fr_file_folder *made;
    assert_int_equal(fr_file_folder_create(&def, &made, NULL), FR_OK);
    return made;
}

static void expect_refusal(fr_file_folder *from, const char *path, const char *message) {
    const void *bytes;
    size_t size;
    fr_error error = {0};
    assert_int_equal(fr_file_folder_load(path, &bytes, &size, from, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, message);
}

static void test_a_folder_gives_its_files_and_no_others(void **state) {
    (void)state;
    assert_int_equal(mkdir("in", 0700), 0);
    assert_int_equal(mkdir("in/below", 0700), 0);
    write_file("outside.txt", "outside");
    write_file("in/model.obj", "model");
    write_file("in/below/wood.png", "wood");
    write_file("in/secret.png", "secret");
    assert_int_equal(symlink("../outside.txt", "in/link.txt"), 0);
    assert_int_equal(mkfifo("in/pipe", 0600), 0);
    fr_file_folder *from = open_folder("in/model.obj");

    const void *wood, *model, *same;
    size_t wood_size, model_size, same_size;
    assert_int_equal(fr_file_folder_load("below/wood.png", &wood, &wood_size, from, NULL), FR_OK);
    assert_int_equal(fr_file_folder_load("below/../model.obj", &model, &model_size, from, NULL), FR_OK);
    assert_int_equal(fr_file_folder_load("below/wood.png", &same, &same_size, from, NULL), FR_OK);
    assert_int_equal(wood_size, 4);
    assert_memory_equal(wood, "wood", 5);
    assert_memory_equal(model, "model", 6);
    fr_file_folder_unload(wood, wood_size, from);
    assert_memory_equal(same, "wood", 5); // what is still loaded stays where it is; the rest goes with the folder

    expect_refusal(from, "/etc/hostname", "the texture '/etc/hostname' lies outside of the model's folder");
    expect_refusal(from, "../outside.txt", "the texture '../outside.txt' lies outside of the model's folder");
    expect_refusal(from, "link.txt", "the texture 'link.txt' lies outside of the model's folder");
    expect_refusal(from, "none.png", "none.png: No such file or directory");
    expect_refusal(from, "below", "below: cannot read: it is a folder");
    expect_refusal(from, "pipe", "pipe: cannot read: it is a pipe, not a file");
    expect_refusal(from, "secret.png", "secret.png: it is secret");
    fr_file_folder_destroy(from);

    fr_file_folder_def def = fr_default_file_folder_def();
    fr_error error = {0};
    def.path = "nowhere/model.obj";
    assert_int_equal(fr_file_folder_create(&def, &from, &error), FR_ERROR_FILE);
    assert_null(from);
    assert_int_equal(system("rm -r in outside.txt"), 0);
}

static fr_status make_and_load(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_input_file_def file_def = fr_default_input_file_def();
    file_def.path = "a.txt";
    file_def.allocator = *allocator;
    fr_input_file file;
    fr_status status = fr_input_file_read(&file_def, &file, NULL);
    fr_input_file_destroy(&file);
    if (status != FR_OK) { return status; }
    fr_file_folder_def def = fr_default_file_folder_def();
    def.path = "a.txt";
    def.allocator = *allocator;
    fr_file_folder *from;
    status = fr_file_folder_create(&def, &from, NULL);
    if (status != FR_OK) { return status; }
    const void *bytes;
    size_t size;
    status = fr_file_folder_load("a.txt", &bytes, &size, from, NULL);
    if (status == FR_OK) { test_note(bytes, size); }
    fr_file_folder_destroy(from);
    return status;
}

static void test_memory_that_runs_short(void **state) {
    (void)state;
    write_file("a.txt", "0123456789");
    test_every_failure(make_and_load, NULL);
    unlink("a.txt");
}

static void test_definitions_without_a_cookie(void **state) {
    (void)state;
    fr_input_file file;
    fr_file_folder *from;
    fr_error error = {0};
    assert_int_equal(fr_input_file_read(&(fr_input_file_def){.path = "a"}, &file, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_file_folder_create(&(fr_file_folder_def){.path = "a"}, &from, &error), FR_ERROR_ARGUMENT);
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
        cmocka_unit_test(test_a_folder_gives_its_files_and_no_others),
        cmocka_unit_test(test_memory_that_runs_short),
        cmocka_unit_test(test_definitions_without_a_cookie),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
