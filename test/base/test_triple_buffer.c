#include "failing.h"
#include "fureai/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static fr_triple_buffer *make_buffer(size_t slot_bytes) {
    fr_triple_buffer *buffer = NULL;
    assert_int_equal(fr_triple_buffer_create(slot_bytes, NULL, &buffer, NULL), FR_OK);
    assert_non_null(buffer);
    return buffer;
}

static void slots_are_zeroed_and_aligned_to_64(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 63, 64, 65, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        fr_triple_buffer *buffer = make_buffer(sizes[i]);
        for (int round = 0; round < 3; ++round) {
            unsigned char *slot = fr_triple_buffer_write(buffer);
            assert_int_equal((uintptr_t)slot % 64, 0);
            for (size_t j = 0; j < sizes[i]; ++j) {
                assert_int_equal(slot[j], 0);
            }
            const unsigned char *read = fr_triple_buffer_read(buffer, NULL);
            assert_int_equal((uintptr_t)read % 64, 0);
            assert_int_equal(read[sizes[i] - 1], 0);
            fr_triple_buffer_publish(buffer);
        }
        fr_triple_buffer_destroy(buffer);
    }
}

static void the_reader_gets_the_newest_once_as_new(void **state) {
    (void)state;
    fr_triple_buffer *buffer = make_buffer(sizeof(int));
    bool is_new = true;
    assert_int_equal(*(const int *)fr_triple_buffer_read(buffer, &is_new), 0);
    assert_false(is_new);
    for (int i = 1; i <= 20; ++i) {
        for (int j = 0; j < i % 4; ++j) {
            *(int *)fr_triple_buffer_write(buffer) = -1;
            fr_triple_buffer_publish(buffer);
        }
        *(int *)fr_triple_buffer_write(buffer) = i;
        fr_triple_buffer_publish(buffer);
        assert_int_equal(*(const int *)fr_triple_buffer_read(buffer, &is_new), i);
        assert_true(is_new);
        assert_int_equal(*(const int *)fr_triple_buffer_read(buffer, &is_new), i);
        assert_false(is_new);
    }
    fr_triple_buffer_destroy(buffer);
}

static void what_is_read_stays_while_the_writer_goes_on(void **state) {
    (void)state;
    fr_triple_buffer *buffer = make_buffer(sizeof(int));
    *(int *)fr_triple_buffer_write(buffer) = 1;
    fr_triple_buffer_publish(buffer);
    const int *held = fr_triple_buffer_read(buffer, NULL);
    for (int i = 2; i < 10; ++i) {
        int *slot = fr_triple_buffer_write(buffer);
        assert_true(slot != held);
        *slot = i;
        fr_triple_buffer_publish(buffer);
        assert_int_equal(*held, 1);
    }
    assert_int_equal(*(const int *)fr_triple_buffer_read(buffer, NULL), 9);
    fr_triple_buffer_destroy(buffer);
}

static void sizes_outside_the_limits_are_refused(void **state) {
    (void)state;
    static const size_t sizes[] = {0, ((size_t)1 << 30) + 1, (size_t)1 << 31, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        fr_triple_buffer *buffer = (fr_triple_buffer *)&buffer;
        assert_int_equal(fr_triple_buffer_create(sizes[i], NULL, &buffer, NULL), FR_ERROR_ARGUMENT);
        assert_null(buffer);
    }
    fr_triple_buffer_destroy(NULL);
}

enum { WORDS = 40, PUBLISHED = 20000 };

static void *write_states(void *argument) {
    fr_triple_buffer *buffer = argument;
    for (uint64_t i = 1; i <= PUBLISHED; ++i) {
        uint64_t *slot = fr_triple_buffer_write(buffer);
        for (int j = 0; j < WORDS; ++j) {
            slot[j] = i;
        }
        fr_triple_buffer_publish(buffer);
        if (i % 64 == 0) { sched_yield(); }
    }
    return NULL;
}

static void two_threads_never_tear_a_state_or_go_back(void **state) {
    (void)state;
    fr_triple_buffer *buffer = make_buffer(WORDS * sizeof(uint64_t));
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_states, buffer), 0);
    uint64_t last = 0;
    bool torn = false, back = false, wrong_mark = false;
    while (last < PUBLISHED) {
        bool is_new;
        const uint64_t *slot = fr_triple_buffer_read(buffer, &is_new);
        for (int j = 1; j < WORDS; ++j) {
            torn = torn || slot[j] != slot[0];
        }
        back = back || slot[0] < last;
        wrong_mark = wrong_mark || is_new != (slot[0] != last);
        last = slot[0];
        if (torn || back) { break; }
        if (!is_new) { sched_yield(); }
    }
    pthread_join(writer, NULL);
    assert_false(torn);
    assert_false(back);
    assert_false(wrong_mark);
    fr_triple_buffer_destroy(buffer);
}

static fr_status make_a_buffer(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_triple_buffer *buffer = NULL;
    fr_status status = fr_triple_buffer_create(100, allocator, &buffer, NULL);
    assert_int_equal(buffer != NULL, status == FR_OK);
    fr_triple_buffer_destroy(buffer);
    return status;
}

static void allocation_failure_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_a_buffer, NULL) > 0);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_triple_buffer *buffer = NULL;
    fr_probe_bound(probe, 1 << 20);
    assert_int_equal(fr_triple_buffer_create((size_t)1 << 30, &allocator, &buffer, NULL), FR_ERROR_MEMORY);
    assert_int_equal(fr_probe_get(probe).live_bytes, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_zeroed_and_aligned_to_64),
        cmocka_unit_test(the_reader_gets_the_newest_once_as_new),
        cmocka_unit_test(what_is_read_stays_while_the_writer_goes_on),
        cmocka_unit_test(sizes_outside_the_limits_are_refused),
        cmocka_unit_test(two_threads_never_tear_a_state_or_go_back),
        cmocka_unit_test(allocation_failure_is_survived),
    };
    return cmocka_run_group_tests_name("triple_buffer", tests, NULL, NULL);
}
