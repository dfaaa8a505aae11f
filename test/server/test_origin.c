// Which headers Host and Origin let a request in.
#include "server/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const allowed[] = {"https://example.org", "http://lab.example.org:8080"};
static const fr__origins loopback = {"127.0.0.1", 8420, NULL, 0, false};
static const fr__origins open_to_all = {"0.0.0.0", 8420, NULL, 0, false};
static const fr__origins with_allowed = {"127.0.0.1", 8420, allowed, 2, false};

static void origins_have_a_scheme_a_host_and_perhaps_a_port(void **state) {
    (void)state;
    static const char *const right[] = {"http://a", "https://a.b-c.org", "http://[::1]:80", "HTTP://A:65535"};
    static const char *const wrong[] = {"",           "a",           "ftp://a",    "http://",        "http:///",
                                        "http://a/",  "http://a:",   "http://a:x", "http://a:65536", "http://a:123456",
                                        "http://u@a", "http://[::1", "http://a b", "null",           "https://*"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(fr__origin_check(right[i]));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(fr__origin_check(wrong[i]));
    }
}

static void our_own_hosts_are_served(void **state) {
    (void)state;
    static const char *const ours[] = {"127.0.0.1:8420", "localhost:8420", "LOCALHOST:8420", "[::1]:8420"};
    static const char *const others[] = {"127.0.0.1",        "127.0.0.1:8421",   "localhost",      "evil.example:8420",
                                         "127.0.0.1.x:8420", "[::2]:8420",       "10.0.0.1:8420",  "",
                                         "localhost:8420x",  "localhost:08420 ", "127.0.0.1:84200"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        assert_true(fr__host_allowed(&loopback, ours[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(fr__host_allowed(&loopback, others[i]));
    }
    assert_false(fr__host_allowed(&loopback, NULL));
    fr__origins usual = {"127.0.0.1", 80, NULL, 0, false};
    assert_true(fr__host_allowed(&usual, "127.0.0.1"));
}

// A name can be pointed at any address by who owns it, a number cannot.
static void numbers_are_served_where_all_addresses_are(void **state) {
    (void)state;
    assert_true(fr__host_allowed(&open_to_all, "10.0.0.7:8420"));
    assert_false(fr__host_allowed(&open_to_all, "10.0.0.7:80"));
    assert_false(fr__host_allowed(&open_to_all, "evil.example:8420"));
    assert_false(fr__host_allowed(&open_to_all, "10.0.0.7.evil.example:8420"));
    fr__origins six = {"::", 8420, NULL, 0, false};
    assert_true(fr__host_allowed(&six, "[fe80::1]:8420"));
    assert_true(fr__host_allowed(&six, "10.0.0.7:8420"));
    assert_false(fr__host_allowed(&six, "[fe80::zz]:8420"));
    fr__origins one = {"10.0.0.7", 8420, NULL, 0, false};
    assert_true(fr__host_allowed(&one, "10.0.0.7:8420"));
    assert_false(fr__host_allowed(&one, "10.0.0.8:8420"));
}

static void pages_of_ours_may_speak(void **state) {
    (void)state;
    static const char *const right[] = {"http://127.0.0.1:8420", "https://localhost:8420", "http://[::1]:8420"};
    static const char *const wrong[] = {"null",
                                        "",
                                        "http://evil.example",
                                        "http://evil.example:8420",
                                        "http://127.0.0.1",
                                        "http://127.0.0.1:8421",
                                        "file://127.0.0.1:8420",
                                        "http://127.0.0.1:8420.evil.example",
                                        "http://127.0.0.1:8420@evil.example"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(fr__origin_allowed(&loopback, right[i], "127.0.0.1:8420"));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(fr__origin_allowed(&loopback, wrong[i], "127.0.0.1:8420"));
    }
    assert_true(fr__origin_allowed(&loopback, NULL, "127.0.0.1:8420"));
}

// Anybody may have a page at a number and our port.
static void a_page_at_a_number_speaks_to_that_number_alone(void **state) {
    (void)state;
    assert_true(fr__origin_allowed(&open_to_all, "http://10.0.0.7:8420", "10.0.0.7:8420"));
    assert_false(fr__origin_allowed(&open_to_all, "http://6.6.6.6:8420", "10.0.0.7:8420"));
    assert_false(fr__origin_allowed(&open_to_all, "http://6.6.6.6:8420", NULL));
    assert_false(fr__origin_allowed(&open_to_all, "http://10.0.0.7", "10.0.0.7:8420"));
    assert_true(fr__origin_allowed(&open_to_all, "http://localhost:8420", "127.0.0.1:8420"));
    fr__origins six = {"::", 8420, NULL, 0, false};
    assert_true(fr__origin_allowed(&six, "http://[fe80::1]:8420", "[fe80::1]:8420"));
    assert_false(fr__origin_allowed(&six, "http://[fe80::2]:8420", "[fe80::1]:8420"));
    assert_false(fr__origin_allowed(&six, "http://6.6.6.6:8420", "[fe80::1]:8420"));
}

static void what_is_allowed_may_speak_and_is_served(void **state) {
    (void)state;
    assert_true(fr__origin_allowed(&with_allowed, "https://example.org", "example.org"));
    assert_false(fr__origin_allowed(&with_allowed, "http://example.org", "example.org"));
    assert_false(fr__origin_allowed(&with_allowed, "https://example.org:444", "example.org"));
    assert_true(fr__host_allowed(&with_allowed, "example.org"));
    assert_true(fr__host_allowed(&with_allowed, "example.org:443"));
    assert_true(fr__host_allowed(&with_allowed, "lab.example.org:8080"));
    assert_true(fr__host_allowed(&with_allowed, "lab.example.org:8420"));
    assert_false(fr__host_allowed(&with_allowed, "example.org:1"));
    assert_false(fr__host_allowed(&with_allowed, "other.example.org"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(origins_have_a_scheme_a_host_and_perhaps_a_port),
        cmocka_unit_test(our_own_hosts_are_served),
        cmocka_unit_test(numbers_are_served_where_all_addresses_are),
        cmocka_unit_test(pages_of_ours_may_speak),
        cmocka_unit_test(what_is_allowed_may_speak_and_is_served),
        cmocka_unit_test(a_page_at_a_number_speaks_to_that_number_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
