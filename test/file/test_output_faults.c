// Disks that fail: every operation of writing a file fails in turn, by every reason, and writes take less than they are
// given. The file at the path is the old one or the new one, nothing else is left, and the error names both.
#include "failing.h"
#include "failing_file.h"
#include "file_folder.h"

#include <sys/stat.h>

enum { NEW_BYTES = 200000, MAX_NTH = 50, PIECE_BYTES = 1000 };

static char new_bytes[NEW_BYTES];
static const char old_bytes[] = "the old file";

static void fill(void) {
    for (size_t i = 0; i < NEW_BYTES; i++) {
        new_bytes[i] = (char)('a' + i % 23);
    }
}

typedef struct write_case {
    bool has_old, is_sole_writer;
    failing_files failing;
} write_case;

static fr_status write_new(write_case *c, fr_error *error) {
    fr_file_ops ops = failing_file_ops(&c->failing);
    fr_output_file_def def = fr_default_output_file_def();
    def.path = "disk/file";
    def.is_sole_writer = c->is_sole_writer;
    def.ops = &ops;
    fr_output_file file;
    fr_status status = fr_output_file_open(&def, &file, error);
    if (status != FR_OK) { return status; }
    for (size_t at = 0; at < NEW_BYTES; at += PIECE_BYTES) {
        fr_output_file_write(&file, new_bytes + at, PIECE_BYTES);
    }
    return fr_output_file_commit(&file, error);
}

// An empty folder.
static void make_disk(void) {
    (void)mkdir("disk", 0700);
    DIR *list = opendir("disk");
    assert_non_null(list);
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            assert_int_equal(unlinkat(dirfd(list), entry->d_name, 0), 0);
        }
    }
    closedir(list);
}

static bool is_old(const write_case *c) {
    return c->has_old ? file_holds("disk/file", old_bytes, sizeof old_bytes - 1) : access("disk/file", F_OK) != 0;
}

// Runs one case; false when the operation that was to fail did not come.
static bool try_case(write_case c) {
    make_disk();
    if (c.has_old) { put_text("disk/file", old_bytes); }
    size_t descriptors = count_entries("/proc/self/fd");
    fr_error error = {0};
    fr_status status = write_new(&c, &error);
    assert_int_equal(count_entries("/proc/self/fd"), descriptors);
    bool is_new = file_holds("disk/file", new_bytes, NEW_BYTES);
    const char *op = file_op_names[c.failing.op];
    if (!is_new && !is_old(&c)) { fail_msg("%s %u: neither the old file nor the new one", op, c.failing.nth); }
    // A disk that is gone lets nothing be removed either.
    if (!c.failing.is_lasting) { assert_int_equal(count_entries("disk"), is_new || c.has_old ? 1 : 0); }
    if (status == FR_OK) {
        assert_true(is_new);
    } else {
        assert_int_equal(status, FR_ERROR_FILE);
        assert_string_equal(error.path, "disk/file");
        if (strstr(error.message, strerror(c.failing.number)) == NULL) { fail_msg("%s: %s", op, error.message); }
        // Only what comes after the renaming fails with the new file in place.
        if (is_new) { assert_true(c.failing.counts[FILE_RENAME] == 1 && c.failing.op != FILE_RENAME); }
    }
    bool is_harmless = c.failing.number == EINTR || c.failing.op == FILE_REMOVE;
    if (c.failing.has_failed && !c.failing.is_lasting) { assert_int_equal(status == FR_OK, is_harmless); }
    if (!c.failing.has_failed) { assert_int_equal(status, FR_OK); }
    return c.failing.has_failed;
}

// The cases of one reason; returns how many there were.
static unsigned try_reason(int number, bool is_lasting, size_t write_bytes) {
    unsigned count = 0;
    for (int kind = 0; kind < 4; kind++) {
        for (file_op op = FILE_OPEN; op < FILE_OPS; op++) {
            for (unsigned nth = 1; nth < MAX_NTH; nth++) {
                write_case c = {.has_old = (kind & 1) != 0, .is_sole_writer = (kind & 2) != 0};
                c.failing = (failing_files){
                    .op = op, .nth = nth, .number = number, .is_lasting = is_lasting, .write_bytes = write_bytes};
                if (!try_case(c)) { break; }
                count++;
            }
        }
    }
    return count;
}

static void each_operation_fails_in_turn(void **state) {
    (void)state;
    static const int reasons[] = {ENOSPC, EIO, EDQUOT, EINTR};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        count += try_reason(reasons[i], false, 0);
    }
    // Two files are opened and closed, two synchronised, four pieces written, one renamed; a sole writer removes.
    assert_true(count >= 4 * (4 * (2 + 4 + 2 + 2 + 1) + 2));
}

static void a_disk_that_is_gone_leaves_the_old_file(void **state) {
    (void)state;
    assert_true(try_reason(EIO, true, 0) > 40);
}

static void writes_that_take_less_are_continued(void **state) {
    (void)state;
    static const size_t sizes[] = {20000, 65535, 50001};
    for (size_t i = 0; i < 3; i++) {
        assert_true(try_reason(ENOSPC, false, sizes[i]) > 40);
    }
}

static void a_write_that_takes_nothing_is_a_failure(void **state) {
    (void)state;
    write_case c = {.has_old = true, .failing = {.op = FILE_WRITE, .nth = 2, .number = 0}};
    make_disk();
    put_text("disk/file", old_bytes);
    fr_error error = {0};
    assert_int_equal(write_new(&c, &error), FR_ERROR_FILE);
    assert_true(is_old(&c));
}

// A folder that cannot be synchronised, as on some file systems, is no failure.
static void what_a_file_system_cannot_do_is_no_failure(void **state) {
    (void)state;
    make_disk();
    write_case c = {.failing = {.op = FILE_SYNC, .nth = 2, .number = EINVAL}};
    assert_int_equal(write_new(&c, NULL), FR_OK);
    c = (write_case){.failing = {.op = FILE_OPEN, .nth = 2, .number = EACCES}};
    assert_int_equal(write_new(&c, NULL), FR_OK);
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void a_stop_ends_what_a_signal_interrupts(void **state) {
    (void)state;
    const fr_control control = {.stop = stop_now};
    for (file_op op = FILE_OPEN; op <= FILE_SYNC; op++) {
        failing_files failing = {.op = op, .nth = 1, .number = EINTR};
        fr_file_ops ops = failing_file_ops(&failing);
        fr_output_file_def def = fr_default_output_file_def();
        make_disk();
        put_text("disk/file", old_bytes);
        def.path = "disk/file";
        def.ops = &ops;
        def.control = &control;
        fr_output_file file;
        fr_status status = fr_output_file_open(&def, &file, NULL);
        if (status == FR_OK) {
            fr_output_file_write(&file, "new", 3);
            status = fr_output_file_commit(&file, NULL);
        }
        assert_int_equal(status, FR_ERROR_STOPPED);
        assert_true(file_holds("disk/file", old_bytes, sizeof old_bytes - 1));
        assert_int_equal(count_entries("disk"), 1);
    }
}

static bool print(fr_output_file *file, const char *format, ...) FR_PRINTF(2, 3);

static bool print(fr_output_file *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool is_written = fr_output_file_vprint(file, format, arguments);
    va_end(arguments);
    return is_written;
}

static fr_status write_with(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_output_file_def def = fr_default_output_file_def();
    def.path = "disk/file";
    def.allocator = *allocator;
    fr_output_file file;
    fr_status status = fr_output_file_open(&def, &file, NULL);
    if (status != FR_OK) { return status; }
    bool is_written = print(&file, "%2000d", 7);
    is_written = fr_output_file_print(&file, "%d", 8) && is_written;
    is_written = fr_output_file_write(&file, "new", 3) && is_written;
    status = fr_output_file_commit(&file, NULL);
    assert_true(is_written || status != FR_OK);
    assert_int_equal(count_entries("disk"), 1);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    make_disk();
    put_text("disk/file", old_bytes);
    assert_true(test_every_failure(write_with, NULL) >= 5);
}

int main(void) {
    fill();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_fails_in_turn),
        cmocka_unit_test(a_disk_that_is_gone_leaves_the_old_file),
        cmocka_unit_test(writes_that_take_less_are_continued),
        cmocka_unit_test(a_write_that_takes_nothing_is_a_failure),
        cmocka_unit_test(what_a_file_system_cannot_do_is_no_failure),
        cmocka_unit_test(a_stop_ends_what_a_signal_interrupts),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
