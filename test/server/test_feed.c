#include "failing.h"
#include "server/feed.h"

#include <string.h>

static fr__packet letter_of(const fr_allocator *allocator, const char *text) {
    fr__packet packet = fr__packet_make(allocator);
    if (!fr__packet_append(&packet, text, strlen(text) + 1)) { fr__packet_free(&packet); }
    return packet;
}

static uint64_t put(fr__feed *board, const char *text) {
    fr__packet packet = letter_of(NULL, text);
    return fr__feed_put(board, &packet);
}

static void take(fr__feed *board, uint64_t serial, const char *farewell) {
    fr__packet packet = letter_of(NULL, farewell);
    fr__feed_take(board, serial, &packet);
}

// What a reader still has to read, with blanks between, and reads it.
static const char *read_all(const fr__feed *board, fr__cursor *mark) {
    static char text[4096];
    text[0] = '\0';
    const fr__notice *notice;
    while ((notice = fr__feed_next(board, mark)) != NULL) {
        strncat(text, notice->mesh != 0 ? "mesh" : (const char *)fr__packet_bytes(&notice->packet), 99);
        strncat(text, " ", 2);
        mark->read = notice->serial;
    }
    return text;
}

static void notices_are_read_in_order_and_once(void **state) {
    (void)state;
    fr__feed board = fr__feed_make(NULL);
    fr__cursor early = fr__feed_join(&board);
    put(&board, "a");
    put(&board, "b");
    assert_string_equal(read_all(&board, &early), "a b ");
    assert_string_equal(read_all(&board, &early), "");
    fr__feed_put_mesh(&board, 4);
    put(&board, "c");
    assert_string_equal(read_all(&board, &early), "mesh c ");
    fr__cursor late = fr__feed_join(&board);
    assert_string_equal(read_all(&board, &late), "a b mesh c ");
    fr__feed_free(&board);
}

static void late_readers_are_told_the_state_and_not_the_history(void **state) {
    (void)state;
    fr__feed board = fr__feed_make(NULL);
    fr__cursor early = fr__feed_join(&board);
    uint64_t a = put(&board, "a");
    put(&board, "b");
    assert_string_equal(read_all(&board, &early), "a b ");
    take(&board, a, "no-a");
    fr__cursor late = fr__feed_join(&board);
    assert_string_equal(read_all(&board, &late), "b ");
    assert_string_equal(read_all(&board, &early), "no-a ");

    // A notice that another replaces has no farewell.
    uint64_t layer = put(&board, "layer1");
    fr__feed_take(&board, layer, NULL);
    put(&board, "layer2");
    assert_string_equal(read_all(&board, &early), "layer2 ");
    assert_string_equal(read_all(&board, &late), "layer2 ");
    fr__feed_free(&board);
}

static void farewells_are_forgotten_when_all_have_read_them(void **state) {
    (void)state;
    fr__feed board = fr__feed_make(NULL);
    fr__cursor reader = fr__feed_join(&board), slow = reader;
    for (int i = 0; i < 1000; i++) {
        uint64_t serial = put(&board, "x");
        (void)read_all(&board, &reader);
        take(&board, serial, "gone");
        assert_string_equal(read_all(&board, &reader), "gone ");
        fr__feed_sweep(&board, reader.read);
    }
    assert_true(board.notices.count < 100);
    assert_int_equal(board.farewell_count, 0);
    // One that comes has no farewell to read.
    take(&board, put(&board, "y"), "gone");
    assert_int_equal(board.farewell_count, 1);
    fr__cursor late = fr__feed_join(&board);
    assert_int_equal(fr__cursor_passed(&late), board.last);
    fr__feed_sweep(&board, fr__cursor_passed(&late));
    assert_int_equal(board.farewell_count, 0);
    // One that was there all along and read nothing is told of nothing that it cannot do without.
    assert_string_equal(read_all(&board, &slow), "");
    fr__feed_free(&board);
}

static void clearing_keeps_serials_growing(void **state) {
    (void)state;
    fr__feed board = fr__feed_make(NULL);
    uint64_t before = put(&board, "a");
    fr__cursor reader = fr__feed_join(&board);
    fr__feed_clear(&board);
    assert_string_equal(read_all(&board, &reader), "");
    assert_true(put(&board, "b") > before);
    assert_string_equal(read_all(&board, &reader), "b ");
    fr__feed_take(&board, before, NULL);
    fr__feed_take(&board, 0, NULL);
    fr__feed_free(&board);
}

static fr_status fill(const fr_allocator *allocator, void *context) {
    (void)context;
    fr__feed board = fr__feed_make(allocator);
    bool good = true;
    for (int i = 0; i < 40 && good; i++) {
        fr__packet packet = letter_of(allocator, "text");
        good = fr__packet_size(&packet) > 0;
        if (good) { good = fr__feed_put(&board, &packet) != 0; }
    }
    fr__feed_free(&board);
    return good ? FR_OK : FR_ERROR_MEMORY;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(fill, NULL) > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notices_are_read_in_order_and_once),
        cmocka_unit_test(late_readers_are_told_the_state_and_not_the_history),
        cmocka_unit_test(farewells_are_forgotten_when_all_have_read_them),
        cmocka_unit_test(clearing_keeps_serials_growing),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
