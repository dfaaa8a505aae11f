// What readers of a feed get: every notice, or a sign that they are too far behind.
#include "failing.h"
#include "server/feed.h"

#include <string.h>

static fr__packet letter_of(const fr_allocator *allocator, const char *text) {
    fr__packet packet = fr__packet_make(allocator);
    if (!fr__packet_append(&packet, text, strlen(text) + 1)) { fr__packet_free(&packet); }
    return packet;
}

static uint64_t put(fr__feed *feed, const char *text) {
    fr__packet packet = letter_of(NULL, text);
    return fr__feed_put(feed, &packet);
}

static void take(fr__feed *feed, uint64_t serial, const char *farewell) {
    fr__packet packet = letter_of(NULL, farewell);
    fr__feed_take(feed, serial, &packet);
}

// What a reader still has to read, with blanks between, and reads it.
static const char *read_all(const fr__feed *feed, fr__feed_cursor *mark) {
    static char text[4096];
    text[0] = '\0';
    const fr__notice *notice;
    while ((notice = fr__feed_next(feed, mark)) != NULL) {
        strncat(text, notice->mesh != 0 ? "mesh" : (const char *)fr__packet_bytes(&notice->packet), 99);
        strncat(text, " ", 2);
        mark->read = notice->serial;
    }
    return text;
}

static void notices_are_read_in_order_and_once(void **state) {
    (void)state;
    fr__feed feed = fr__feed_make(NULL);
    fr__feed_cursor early = fr__feed_join(&feed);
    put(&feed, "a");
    put(&feed, "b");
    assert_string_equal(read_all(&feed, &early), "a b ");
    assert_string_equal(read_all(&feed, &early), "");
    fr__feed_put_mesh(&feed, 4);
    put(&feed, "c");
    assert_string_equal(read_all(&feed, &early), "mesh c ");
    fr__feed_cursor late = fr__feed_join(&feed);
    assert_string_equal(read_all(&feed, &late), "a b mesh c ");
    fr__feed_free(&feed);
}

static void late_readers_get_the_state_and_not_the_history(void **state) {
    (void)state;
    fr__feed feed = fr__feed_make(NULL);
    fr__feed_cursor early = fr__feed_join(&feed);
    uint64_t a = put(&feed, "a");
    put(&feed, "b");
    assert_string_equal(read_all(&feed, &early), "a b ");
    take(&feed, a, "no-a");
    fr__feed_cursor late = fr__feed_join(&feed);
    assert_string_equal(read_all(&feed, &late), "b ");
    assert_string_equal(read_all(&feed, &early), "no-a ");

    // A notice that another replaces has no farewell.
    uint64_t layer = put(&feed, "layer1");
    fr__feed_take(&feed, layer, NULL);
    put(&feed, "layer2");
    assert_string_equal(read_all(&feed, &early), "layer2 ");
    assert_string_equal(read_all(&feed, &late), "layer2 ");
    fr__feed_free(&feed);
}

static void farewells_are_forgotten_when_all_have_read_them(void **state) {
    (void)state;
    fr__feed feed = fr__feed_make(NULL);
    fr__feed_cursor reader = fr__feed_join(&feed), slow = reader;
    for (int i = 0; i < 1000; i++) {
        uint64_t serial = put(&feed, "x");
        (void)read_all(&feed, &reader);
        take(&feed, serial, "gone");
        assert_string_equal(read_all(&feed, &reader), "gone ");
        fr__feed_sweep(&feed, reader.read);
    }
    assert_true(feed.notices.count < 100);
    assert_int_equal(feed.farewell_count, 0);
    // One that comes has no farewell to read.
    take(&feed, put(&feed, "y"), "gone");
    assert_int_equal(feed.farewell_count, 1);
    fr__feed_cursor late = fr__feed_join(&feed);
    assert_int_equal(fr__cursor_passed(&late), feed.last);
    fr__feed_sweep(&feed, fr__cursor_passed(&late));
    assert_int_equal(feed.farewell_count, 0);
    // One that was there all along and read nothing is sent nothing that it cannot do without.
    assert_string_equal(read_all(&feed, &slow), "");
    fr__feed_free(&feed);
}

static void clearing_keeps_serials_growing(void **state) {
    (void)state;
    fr__feed feed = fr__feed_make(NULL);
    uint64_t before = put(&feed, "a");
    fr__feed_cursor reader = fr__feed_join(&feed);
    fr__feed_clear(&feed);
    assert_string_equal(read_all(&feed, &reader), "");
    assert_true(put(&feed, "b") > before);
    assert_string_equal(read_all(&feed, &reader), "b ");
    fr__feed_take(&feed, before, NULL);
    fr__feed_take(&feed, 0, NULL);
    fr__feed_free(&feed);
}

static fr_status fill(const fr_allocator *allocator, void *context) {
    (void)context;
    fr__feed feed = fr__feed_make(allocator);
    bool good = true;
    for (int i = 0; i < 40 && good; i++) {
        fr__packet packet = letter_of(allocator, "text");
        good = fr__packet_size(&packet) > 0;
        if (good) { good = fr__feed_put(&feed, &packet) != 0; }
    }
    fr__feed_free(&feed);
    return good ? FR_OK : FR_ERROR_MEMORY;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(fill, NULL) > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notices_are_read_in_order_and_once),
        cmocka_unit_test(late_readers_get_the_state_and_not_the_history),
        cmocka_unit_test(farewells_are_forgotten_when_all_have_read_them),
        cmocka_unit_test(clearing_keeps_serials_growing),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
