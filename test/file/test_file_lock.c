// Locks between processes: one has it, the next is refused, and a process that was killed has it no more.
#include "failing.h"
#include "file_folder.h"

#include "fureai/file.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static fr_status lock_of(const char *path, fr_file_lock **lock, fr_error *error) {
    return fr_file_lock_create(path, NULL, lock, error);
}

static void the_second_is_refused(void **state) {
    (void)state;
    fr_file_lock *first, *second;
    fr_error error = {0};
    char expected[64];
    assert_int_equal(lock_of("store", &first, NULL), FR_OK);
    assert_int_equal(access("store", F_OK), -1);
    assert_int_equal(lock_of("store", &second, &error), FR_ERROR_BUSY);
    assert_null(second);
    assert_string_equal(error.path, "store");
    snprintf(expected, sizeof expected, "process %ld uses it", (long)getpid());
    assert_non_null(strstr(error.message, expected));
    assert_int_equal(lock_of("other", &second, NULL), FR_OK);
    fr_file_lock_destroy(second);
    fr_file_lock_destroy(first);
    assert_int_equal(count_entries("."), 0);
    assert_int_equal(lock_of("store", &first, NULL), FR_OK);
    fr_file_lock_destroy(first);
    fr_file_lock_destroy(NULL);
}

static void a_link_and_its_target_are_one(void **state) {
    (void)state;
    fr_file_lock *first, *second;
    put_text("target", "x");
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(lock_of("link", &first, NULL), FR_OK);
    assert_int_equal(lock_of("target", &second, NULL), FR_ERROR_BUSY);
    fr_file_lock_destroy(first);
    assert_int_equal(system("rm link target"), 0);
}

// Starts a process that takes the lock, writes a byte and waits.
static pid_t start_holder(const char *path) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fr_file_lock *lock;
        bool is_good = lock_of(path, &lock, NULL) == FR_OK && write(ends[1], "x", 1) == 1;
        while (is_good) {
            pause();
        }
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

static void a_process_that_was_killed_has_it_no_more(void **state) {
    (void)state;
    pid_t child = start_holder("store");
    fr_file_lock *lock;
    fr_error error = {0};
    char expected[64];
    assert_int_equal(lock_of("store", &lock, &error), FR_ERROR_BUSY);
    snprintf(expected, sizeof expected, "process %ld uses it", (long)child);
    assert_non_null(strstr(error.message, expected));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access("store.lock", F_OK), 0);
    assert_int_equal(lock_of("store", &lock, NULL), FR_OK);
    fr_file_lock_destroy(lock);
    assert_int_equal(count_entries("."), 0);
}

// Many processes come and go: never do two have it at once.
static void only_one_has_it_at_any_time(void **state) {
    (void)state;
    enum { PROCESSES = 4, TURNS = 30 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] != 0) { continue; }
        for (int turn = 0; turn < TURNS;) {
            fr_file_lock *lock;
            if (lock_of("store", &lock, NULL) != FR_OK) { continue; }
            turn++;
            // It can be made only while no other has it.
            if (mkdir("mine", 0700) != 0 || rmdir("mine") != 0) { _exit(1); }
            fr_file_lock_destroy(lock);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_entries("."), 0);
}

static void what_cannot_be_locked_is_reported(void **state) {
    (void)state;
    fr_file_lock *lock;
    fr_error error = {0};
    assert_int_equal(lock_of("no/such/store", &lock, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, "no/such/store");
    assert_non_null(strstr(error.message, "cannot lock: No such file"));
    // A link in the place of the lock is not followed.
    assert_int_equal(symlink("elsewhere", "store.lock"), 0);
    assert_int_equal(lock_of("store", &lock, &error), FR_ERROR_FILE);
    assert_int_equal(access("elsewhere", F_OK), -1);
    unlink("store.lock");
}

static fr_status lock_with(const fr_allocator *allocator, void *context) {
    fr_file_lock *lock;
    fr_status status = fr_file_lock_create(context, allocator, &lock, NULL);
    if (status == FR_OK) { fr_file_lock_destroy(lock); }
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    char path[] = "store";
    assert_true(test_every_failure(lock_with, path) >= 3);
    assert_int_equal(count_entries("."), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_is_refused),
        cmocka_unit_test(a_link_and_its_target_are_one),
        cmocka_unit_test(a_process_that_was_killed_has_it_no_more),
        cmocka_unit_test(only_one_has_it_at_any_time),
        cmocka_unit_test(what_cannot_be_locked_is_reported),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
