// What came over a socket and was no message: the count, by itself and over a socket of the kernel's.
#include "server/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void messages_are_no_overhead(void **state) {
    (void)state;
    fr__traffic wire = {.first = 1000};
    uint64_t bytes = 1000;
    for (int i = 0; i < 10000; i++) {
        bytes += 6 + 100;
        fr__wire_hear(&wire, 100);
        assert_int_equal(fr__wire_count(&wire, bytes), 0);
    }
}

static void what_is_no_message_is_counted_to_the_byte(void **state) {
    (void)state;
    fr__traffic wire = {0};
    assert_int_equal(fr__wire_count(&wire, 6000), 6000);
    assert_int_equal(fr__wire_count(&wire, 6000), 0);
    assert_int_equal(fr__wire_count(&wire, 7000), 1000);
    // A kernel that counts less than before is not believed.
    assert_int_equal(fr__wire_count(&wire, 10), 0);
    assert_int_equal(fr__wire_count(&wire, 7001), 1);
}

// Bytes that were read and given out later count at first, and are credited then.
static void what_is_given_out_later_is_credited(void **state) {
    (void)state;
    fr__traffic wire = {0};
    assert_int_equal(fr__wire_count(&wire, 10000), 10000);
    fr__wire_hear(&wire, 9000);
    assert_int_equal(fr__wire_count(&wire, 10000), 0);
    assert_int_equal(fr__wire_count(&wire, 19000), 0);
    assert_int_equal(fr__wire_count(&wire, 20000), 936);
}

// Messages of a whole day earn no right to a flood.
static void credit_has_a_limit(void **state) {
    (void)state;
    fr__traffic wire = {0};
    uint64_t bytes = 0;
    for (int i = 0; i < 1000000; i++) {
        bytes += 8;
        fr__wire_hear(&wire, 2);
        assert_int_equal(fr__wire_count(&wire, bytes), 0);
    }
    assert_true(fr__wire_count(&wire, bytes + 1000000) > 800000);
}

static void the_kernel_counts_what_was_read(void **state) {
    (void)state;
    int listener = socket(AF_INET, SOCK_STREAM, 0), from = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(connect(from, (struct sockaddr *)&address, size), 0);
    int to = accept(listener, NULL, NULL);
    assert_true(to >= 0);
    uint64_t bytes = 99;
    char data[1000] = {0};
    assert_true(fr__wire_read(to, &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(send(from, data, sizeof data, 0), sizeof data);
    assert_int_equal(recv(to, data, 400, MSG_WAITALL), 400);
    assert_true(fr__wire_read(to, &bytes));
    assert_int_equal(bytes, 400);
    assert_int_equal(recv(to, data, 600, MSG_WAITALL), 600);
    assert_true(fr__wire_read(to, &bytes));
    assert_int_equal(bytes, 1000);
    assert_false(fr__wire_read(-1, &bytes));
    close(to);
    close(from);
    close(listener);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_no_overhead),
        cmocka_unit_test(what_is_no_message_is_counted_to_the_byte),
        cmocka_unit_test(what_is_given_out_later_is_credited),
        cmocka_unit_test(credit_has_a_limit),
        cmocka_unit_test(the_kernel_counts_what_was_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
