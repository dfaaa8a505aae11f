// Leases: one client an object, ended by the client or all at once.
#include "failing.h"
#include "server/lease.h"

static fr_object_id object(uint32_t index1) { return (fr_object_id){index1, 3, 1}; }

static void one_client_has_an_object(void **state) {
    (void)state;
    fr__leases leases = fr__leases_make(NULL);
    fr__lease *lease = NULL, ended;
    assert_null(fr__lease_find(&leases, object(1)));
    assert_int_equal(fr__lease_give(&leases, object(1), 7, 100, &lease), FR_OK);
    assert_int_equal(lease->client, 7);
    assert_int_equal(fr__lease_give(&leases, object(1), 8, 100, &lease), FR_ERROR_BUSY);
    assert_int_equal(fr__lease_give(&leases, object(1), 7, 200, &lease), FR_OK);
    assert_int_equal(leases.list.count, 1);
    assert_int_equal(fr__lease_find(&leases, object(1))->heard_ns, 200);

    // Another generation is another object.
    fr_object_id newer = {1, 4, 1};
    assert_null(fr__lease_find(&leases, newer));
    assert_false(fr__lease_end(&leases, newer, &ended));
    assert_true(fr__lease_end(&leases, object(1), &ended));
    assert_int_equal(ended.client, 7);
    assert_false(fr__lease_end(&leases, object(1), &ended));
    assert_int_equal(fr__lease_give(&leases, object(1), 8, 300, &lease), FR_OK);
    fr__leases_free(&leases);
}

static void leases_end_with_their_owner(void **state) {
    (void)state;
    fr__leases leases = fr__leases_make(NULL);
    fr__lease *lease, ended;
    for (uint32_t i = 1; i <= 9; i++) {
        assert_int_equal(fr__lease_give(&leases, object(i), i % 3, i, &lease), FR_OK);
    }
    int count = 0;
    while (fr__lease_end_of_client(&leases, 1, &ended)) {
        assert_int_equal(ended.object.index1 % 3, 1);
        count++;
    }
    assert_int_equal(count, 3);
    assert_int_equal(leases.list.count, 6);
    fr__leases_free(&leases);
}

static void leases_without_a_sign_of_life_end(void **state) {
    (void)state;
    fr__leases leases = fr__leases_make(NULL);
    fr__lease *lease, ended;
    assert_int_equal(fr__lease_give(&leases, object(1), 1, 100, &lease), FR_OK);
    assert_int_equal(fr__lease_give(&leases, object(2), 1, 200, &lease), FR_OK);
    assert_false(fr__lease_end_silent(&leases, 100, &ended));
    assert_true(fr__lease_end_silent(&leases, 101, &ended));
    assert_int_equal(ended.object.index1, 1);
    assert_false(fr__lease_end_silent(&leases, 101, &ended));
    fr__leases_free(&leases);
}

static void a_client_has_so_many_and_no_more(void **state) {
    (void)state;
    fr__leases leases = fr__leases_make(NULL);
    fr__lease *lease;
    for (uint32_t i = 1; i <= FR__MAX_LEASES_OF_CLIENT; i++) {
        assert_int_equal(fr__lease_give(&leases, object(i), 1, 0, &lease), FR_OK);
    }
    assert_int_equal(fr__lease_give(&leases, object(1000), 1, 0, &lease), FR_ERROR_LIMIT);
    assert_int_equal(fr__lease_give(&leases, object(1), 1, 0, &lease), FR_OK);
    assert_int_equal(fr__lease_give(&leases, object(1000), 2, 0, &lease), FR_OK);
    fr__leases_free(&leases);
}

static fr_status give_some(const fr_allocator *allocator, void *context) {
    (void)context;
    fr__leases leases = fr__leases_make(allocator);
    fr_status status = FR_OK;
    for (uint32_t i = 1; i <= 40 && status == FR_OK; i++) {
        fr__lease *lease;
        status = fr__lease_give(&leases, object(i), 1, 0, &lease);
    }
    fr__leases_free(&leases);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(give_some, NULL) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_client_has_an_object),          cmocka_unit_test(leases_end_with_their_owner),
        cmocka_unit_test(leases_without_a_sign_of_life_end), cmocka_unit_test(a_client_has_so_many_and_no_more),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
