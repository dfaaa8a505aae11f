// Files that are written whole or not at all: links, permissions, devices, pipes, names.
#include "cookie.h"
#include "file_folder.h"

#include "fureai/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static fr_status open_output(fr_output_file *file, const char *path, fr_error *error) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    return fr_output_file_open(&def, file, error);
}

static void write_file(const char *path, const char *text) {
    fr_output_file file;
    fr_error error = {0};
    if (open_output(&file, path, &error) != FR_OK) { fail_msg("%s: %s", path, error.message); }
    assert_true(fr_output_file_print(&file, "%s", text));
    assert_int_equal(fr_output_file_commit(&file, &error), FR_OK);
}

static void expect_content(const char *path, const char *text) {
    if (!file_holds(path, text, strlen(text))) { fail_msg("%s does not hold '%s'", path, text); }
}

static void a_missing_cookie_is_refused(void **state) {
    (void)state;
    fr_output_file_def def = fr_default_output_file_def();
    fr_output_file file;
    def.path = "a";
    def.cookie = 0;
    fr_error error = {0};
    assert_int_equal(fr_output_file_open(&def, &file, &error), FR_ERROR_ARGUMENT);
    assert_false(file.is_open);
}

static void a_file_appears_at_the_commit(void **state) {
    (void)state;
    fr_output_file file;
    assert_int_equal(open_output(&file, "a.txt", NULL), FR_OK);
    assert_true(fr_output_file_write(&file, "whole", 5));
    assert_true(fr_output_file_flush(&file));
    assert_int_equal(access("a.txt", F_OK), -1);
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
    assert_false(file.is_open);
    expect_content("a.txt", "whole");
    assert_int_equal(count_entries("."), 1);
    unlink("a.txt");
}

static void a_discarded_file_leaves_the_old_one(void **state) {
    (void)state;
    fr_output_file file;
    write_file("a.txt", "old");
    assert_int_equal(open_output(&file, "a.txt", NULL), FR_OK);
    assert_true(fr_output_file_write(&file, "new", 3));
    fr_output_file_discard(&file);
    fr_output_file_discard(&file); // closed already: ignored
    expect_content("a.txt", "old");
    assert_int_equal(count_entries("."), 1);
    unlink("a.txt");
}

static void two_writers_of_one_file_do_not_mix(void **state) {
    (void)state;
    fr_output_file first, second;
    assert_int_equal(open_output(&first, "a.txt", NULL), FR_OK);
    assert_int_equal(open_output(&second, "a.txt", NULL), FR_OK);
    fr_output_file_print(&first, "first");
    fr_output_file_print(&second, "second");
    assert_int_equal(fr_output_file_commit(&second, NULL), FR_OK);
    expect_content("a.txt", "second");
    assert_int_equal(fr_output_file_commit(&first, NULL), FR_OK);
    expect_content("a.txt", "first");
    assert_int_equal(count_entries("."), 1);
    unlink("a.txt");
}

static void what_a_crash_left_of_a_sole_writer_is_replaced(void **state) {
    (void)state;
    put_text("a.txt.new", "half");
    fr_output_file_def def = fr_default_output_file_def();
    fr_output_file file;
    def.path = "a.txt";
    def.is_sole_writer = true;
    assert_int_equal(fr_output_file_open(&def, &file, NULL), FR_OK);
    fr_output_file_print(&file, "new");
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
    expect_content("a.txt", "new");
    assert_int_equal(count_entries("."), 1);
    unlink("a.txt");
}

static bool is_link(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

// A link that leads over another one, in another folder, to a file.
static void a_link_stays_a_link(void **state) {
    (void)state;
    assert_int_equal(mkdir("there", 0700), 0);
    assert_int_equal(symlink("there/second", "first"), 0);
    assert_int_equal(symlink("../target", "there/second"), 0);
    // It leads to nothing yet: the target is made.
    write_file("first", "made");
    expect_content("target", "made");
    assert_int_equal(chmod("target", 0640), 0);
    write_file("first", "new");
    expect_content("target", "new");
    assert_true(is_link("first") && is_link("there/second") && !is_link("target"));
    struct stat about;
    assert_int_equal(stat("target", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(system("rm -r first there target"), 0);
    assert_int_equal(symlink("self", "self"), 0);
    fr_output_file file;
    fr_error error = {0};
    assert_int_equal(open_output(&file, "self", &error), FR_ERROR_FILE);
    assert_non_null(strstr(error.message, "symbolic links"));
    assert_int_equal(count_entries("."), 1);
    unlink("self");
}

static void permissions_are_kept_and_new_files_have_the_usual_ones(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0644, 0666, 0751, 0200};
    struct stat about;
    mode_t before = umask(027);
    write_file("a.txt", "text");
    assert_int_equal(stat("a.txt", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod("a.txt", modes[i]), 0);
        write_file("a.txt", "again");
        assert_int_equal(stat("a.txt", &about), 0);
        assert_int_equal(about.st_mode & 07777, modes[i]);
    }
    umask(before);
    unlink("a.txt");
}

// Only the superuser can have a file of another owner.
static void the_owner_is_kept_where_that_can_be(void **state) {
    (void)state;
    if (geteuid() != 0) { skip(); }
    struct stat about;
    write_file("a.txt", "text");
    assert_int_equal(chown("a.txt", 4321, 1234), 0);
    write_file("a.txt", "again");
    assert_int_equal(stat("a.txt", &about), 0);
    assert_true(about.st_uid == 4321 && about.st_gid == 1234);
    unlink("a.txt");
}

static void what_cannot_be_written_is_reported(void **state) {
    (void)state;
    static const struct {
        const char *path, *says;
    } cases[] = {{"no/such/folder", "No such file"},
                 {".", "Is a directory"},
                 {"", "No such file"},
                 {"none/", "Is a directory"},
                 {"a.txt/b", "Not a directory"}};
    put_text("a.txt", "old");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_output_file file;
        fr_error error = {0};
        assert_int_equal(open_output(&file, cases[i].path, &error), FR_ERROR_FILE);
        if (strstr(error.message, cases[i].says) == NULL) { fail_msg("%s: %s", cases[i].path, error.message); }
        assert_string_equal(error.path, cases[i].path);
        assert_false(file.is_open);
    }
    assert_int_equal(count_entries("."), 1);
    unlink("a.txt");
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state) {
    (void)state;
    if (geteuid() == 0) { skip(); }
    fr_output_file file;
    write_file("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0400), 0);
    assert_int_equal(open_output(&file, "a.txt", NULL), FR_ERROR_FILE);
    expect_content("a.txt", "old");
    unlink("a.txt");
}

static void a_full_device_is_reported(void **state) {
    (void)state;
    fr_output_file file;
    fr_error error = {0};
    assert_int_equal(open_output(&file, "/dev/full", &error), FR_OK);
    fr_output_file_write(&file, "text", 4);
    assert_int_equal(fr_output_file_commit(&file, &error), FR_ERROR_FILE);
    assert_int_equal(file.error, 28);
    assert_non_null(strstr(error.message, "No space left"));
    assert_string_equal(error.path, "/dev/full");
}

static void a_named_pipe_is_written_straight(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_file("pipe", "through");
        _exit(0);
    }
    int in = open("pipe", O_RDONLY);
    char text[32] = "";
    assert_int_equal(read(in, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(in);
    assert_int_equal(waitpid(child, NULL, 0), child);
    struct stat about;
    assert_int_equal(stat("pipe", &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    unlink("pipe");
}

// The name of a descriptor is the descriptor: what was printed to it before stays, also where it is a plain file.
static void the_name_of_a_descriptor_is_the_descriptor(void **state) {
    (void)state;
    int out = open("log", O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(out >= 0);
    assert_int_equal(write(out, "before ", 7), 7);
    for (int i = 0; i < 2; i++) {
        char path[32];
        snprintf(path, sizeof path, i == 0 ? "/dev/fd/%d" : "/proc/self/fd/%d", out);
        write_file(path, "middle ");
    }
    assert_int_equal(write(out, "after", 5), 5);
    close(out);
    expect_content("log", "before middle middle after");
    unlink("log");
}

static void an_adopted_descriptor_stays_open(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fr_output_file file = fr_output_file_adopt(ends[1], NULL);
    fr_output_file_print(&file, "%d %s", 7, "text");
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
    assert_int_equal(write(ends[1], "!", 1), 1);
    char text[16] = "";
    assert_int_equal(read(ends[0], text, sizeof text), 7);
    assert_string_equal(text, "7 text!");
    close(ends[0]);
    close(ends[1]);
}

static void long_texts_are_written_whole(void **state) {
    (void)state;
    fr_output_file file;
    size_t size = 0;
    assert_int_equal(open_output(&file, "a.txt", NULL), FR_OK);
    for (int i = 0; i < 300; i++) {
        assert_true(fr_output_file_print(&file, "%*d", 500 * i % 3001 + 1, i % 10));
        size += (size_t)(500 * i % 3001 + 1);
    }
    char *large = calloc(1, 300000);
    assert_true(fr_output_file_write(&file, large, 300000));
    assert_true(fr_output_file_write(&file, "", 0));
    free(large);
    assert_int_equal(fr_output_file_commit(&file, NULL), FR_OK);
    struct stat about;
    assert_int_equal(stat("a.txt", &about), 0);
    assert_int_equal(about.st_size, size + 300000);
    unlink("a.txt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_cookie_is_refused),
        cmocka_unit_test(a_file_appears_at_the_commit),
        cmocka_unit_test(a_discarded_file_leaves_the_old_one),
        cmocka_unit_test(two_writers_of_one_file_do_not_mix),
        cmocka_unit_test(what_a_crash_left_of_a_sole_writer_is_replaced),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(permissions_are_kept_and_new_files_have_the_usual_ones),
        cmocka_unit_test(the_owner_is_kept_where_that_can_be),
        cmocka_unit_test(what_cannot_be_written_is_reported),
        cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
        cmocka_unit_test(a_full_device_is_reported),
        cmocka_unit_test(a_named_pipe_is_written_straight),
        cmocka_unit_test(the_name_of_a_descriptor_is_the_descriptor),
        cmocka_unit_test(an_adopted_descriptor_stays_open),
        cmocka_unit_test(long_texts_are_written_whole),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
