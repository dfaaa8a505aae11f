// The addresses that connections come from: which are one, how many are remembered, and what each may do.
#include "server/peer.h"

#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <string.h>

static fr__peer_key four(const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, text, &address.sin_addr), 1);
    return fr__peer_key_of((const struct sockaddr *)&address);
}

static fr__peer_key six(const char *text) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6};
    assert_int_equal(inet_pton(AF_INET6, text, &address.sin6_addr), 1);
    return fr__peer_key_of((const struct sockaddr *)&address);
}

static bool is_same(fr__peer_key a, fr__peer_key b) { return memcmp(&a, &b, sizeof a) == 0; }

static void an_address_of_ipv6_counts_by_its_first_half(void **state) {
    (void)state;
    assert_true(is_same(six("2001:db8:1:2::1"), six("2001:db8:1:2:ffff:1:2:3")));
    assert_false(is_same(six("2001:db8:1:2::1"), six("2001:db8:1:3::1")));
    assert_false(is_same(four("10.0.0.1"), four("10.0.0.2")));
    // The same machine by either family.
    assert_true(is_same(four("10.0.0.1"), six("::ffff:10.0.0.1")));
    assert_false(is_same(six("::ffff:10.0.0.1"), six("::ffff:10.0.0.2")));
    struct sockaddr other = {.sa_family = AF_UNIX};
    assert_true(is_same(fr__peer_key_of(&other), six("::")));
}

static void addresses_are_written_as_people_write_them(void **state) {
    (void)state;
    char text[FR__PEER_TEXT_BYTES];
    fr__peer_key key = four("192.168.1.20");
    fr__peer_text(&key, text);
    assert_string_equal(text, "192.168.1.20");
    key = six("2001:db8:1:2:3:4:5:6");
    fr__peer_text(&key, text);
    assert_string_equal(text, "2001:db8:1:2::");
}

static fr__peer_key numbered(uint32_t number) {
    fr__peer_key key = four("10.0.0.0");
    for (int i = 0; i < 3; i++) {
        key.bytes[15 - i] = (unsigned char)(number >> (8 * i));
    }
    return key;
}

// Any number of addresses may come: those with connections keep their place, of the others the last ones do.
static void so_many_addresses_are_remembered_and_no_more(void **state) {
    (void)state;
    enum { CONNECTIONS = 5, COUNT = 10000 };
    fr__peers peers = fr__peers_make(CONNECTIONS, 1000.0, 1e6, NULL);
    uint32_t places[CONNECTIONS];
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        fr__peer_key key = numbered(i);
        places[i] = fr__peers_place(&peers, &key, 1 + i);
        peers.list.data[places[i]].connections = 1;
    }
    for (uint32_t i = CONNECTIONS; i < COUNT; i++) {
        fr__peer_key key = numbered(i);
        uint32_t place = fr__peers_place(&peers, &key, 1 + i);
        assert_true(place < CONNECTIONS + FR__PEERS_REMEMBERED);
        for (uint32_t k = 0; k < CONNECTIONS; k++) {
            assert_int_not_equal(place, places[k]);
        }
    }
    assert_int_equal(peers.list.count, CONNECTIONS + FR__PEERS_REMEMBERED);
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        fr__peer_key key = numbered(i);
        assert_int_equal(fr__peers_place(&peers, &key, COUNT), places[i]);
    }
    // The last one is still known with what it used up, the first one without connections is not.
    fr__peer_key last = numbered(COUNT - 1), first = numbered(CONNECTIONS);
    uint32_t place = fr__peers_place(&peers, &last, COUNT);
    peers.list.data[place].added = 7;
    assert_int_equal(peers.list.data[fr__peers_place(&peers, &last, COUNT + 1)].added, 7);
    place = fr__peers_place(&peers, &first, COUNT + 2);
    assert_int_equal(peers.list.data[place].added, 0);
    fr__peers_forget_scene(&peers);
    assert_int_equal(peers.list.data[fr__peers_place(&peers, &last, COUNT + 3)].added, 0);
    fr__peers_free(&peers);
}

// More connections than may be open, each of an address of its own.
static void without_a_place_an_address_is_refused(void **state) {
    (void)state;
    fr__peers peers = fr__peers_make(0, 1.0, 1.0, NULL);
    for (uint32_t i = 0; i < FR__PEERS_REMEMBERED; i++) {
        fr__peer_key key = numbered(i);
        uint32_t place = fr__peers_place(&peers, &key, 1);
        peers.list.data[place].connections = 1;
    }
    fr__peer_key key = numbered(FR__PEERS_REMEMBERED);
    assert_int_equal(fr__peers_place(&peers, &key, 1), UINT32_MAX);
    fr__peers_free(&peers);
}

static void *no_memory(size_t size, size_t align, void *user) {
    (void)size;
    (void)align;
    (void)user;
    return NULL;
}

static void free_nothing(void *pointer, size_t size, void *user) {
    (void)size;
    (void)user;
    assert_null(pointer);
}

static void without_memory_an_address_is_refused(void **state) {
    (void)state;
    fr_allocator none = {no_memory, free_nothing, NULL};
    fr__peers peers = fr__peers_make(8, 1.0, 1.0, &none);
    fr__peer_key key = four("10.0.0.1");
    assert_int_equal(fr__peers_place(&peers, &key, 1), UINT32_MAX);
    fr__peers_free(&peers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_of_ipv6_counts_by_its_first_half),
        cmocka_unit_test(addresses_are_written_as_people_write_them),
        cmocka_unit_test(so_many_addresses_are_remembered_and_no_more),
        cmocka_unit_test(without_a_place_an_address_is_refused),
        cmocka_unit_test(without_memory_an_address_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
