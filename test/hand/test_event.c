// What a hand is told of, in words and colours: the log's lines, the modes, the rule of colours.
#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static fr_hand_event a_release(void) {
    fr_hand_event event = {.kind = FR_HAND_RELEASE, .object = {7, 2, 1}, .cause = FR_AID_CAUSE_DISTANCE, .count = 1};
    event.pair = (fr_aid_pair){1, 2, {9, 0, 1}, 3, 4};
    event.speed = 0.25;
    event.area = 0.0049;
    event.pull = 1.0;
    event.point = fr_vec3_make(0.1, -2.0, 1e-7);
    event.time = 12.5;
    return event;
}

static int commas_of(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++) {
        count += *text == ',';
    }
    return count;
}

static void a_line_has_the_columns_of_the_log(void **state) {
    (void)state;
    char line[FR_HAND_EVENT_BYTES];
    fr_hand_event event = a_release();
    size_t length = fr_hand_event_text(&event, line, sizeof line);
    assert_string_equal(line, "12.5,release,7,1,2,9,3,4,distance,1,0.25,0.0049,1,0.1,-2,1e-7,face");
    assert_int_equal(length, strlen(line));
    assert_int_equal(commas_of(fr_hand_event_columns()), 16);
    assert_int_equal(commas_of(line), 16);
    event.held = FR_AID_AXIS;
    fr_hand_event_text(&event, line, sizeof line);
    assert_string_equal(strrchr(line, ','), ",axis");
    assert_memory_equal(fr_hand_event_columns(), "time,event,object,", 18);
}

static void what_an_event_does_not_have_is_empty(void **state) {
    (void)state;
    char line[FR_HAND_EVENT_BYTES];
    fr_hand_event event = {.kind = FR_HAND_SLIDE, .object = {7, 0, 1}, .count = 2, .speed = 0.1};
    event.cause = FR_AID_CAUSE_GONE; // counts for a release alone
    event.area = (double)INFINITY;
    event.time = (double)NAN;
    fr_hand_event_text(&event, line, sizeof line);
    assert_string_equal(line, ",slide,7,,,,,,,2,0.1,,0,0,0,0,");
}

static void kinds_and_causes_have_names(void **state) {
    (void)state;
    for (int i = FR_HAND_CONTACT; i <= FR_HAND_FITTED; i++) {
        for (int k = FR_HAND_CONTACT; k < i; k++) {
            assert_string_not_equal(fr_hand_kind_name((fr_hand_kind)i), fr_hand_kind_name((fr_hand_kind)k));
        }
        assert_string_not_equal(fr_hand_kind_name((fr_hand_kind)i), "unknown");
    }
    assert_string_equal(fr_hand_kind_name((fr_hand_kind)(FR_HAND_FITTED + 1)), "unknown");
    assert_string_equal(fr_aid_cause_name(FR_AID_CAUSE_NONE), "none");
    assert_string_equal(fr_aid_cause_name(FR_AID_CAUSE_GONE), "gone");
    assert_string_equal(fr_aid_cause_name((fr_aid_cause)(FR_AID_CAUSE_GONE + 1)), "unknown");
    assert_string_equal(fr_aid_kind_name(FR_AID_FACE), "face");
    assert_string_equal(fr_aid_kind_name(FR_AID_AXIS), "axis");
    assert_string_equal(fr_aid_kind_name((fr_aid_kind)(FR_AID_AXIS + 1)), "unknown");
}

static void a_line_is_cut_at_any_size(void **state) {
    (void)state;
    char whole[FR_HAND_EVENT_BYTES];
    fr_hand_event event = a_release();
    size_t length = fr_hand_event_text(&event, whole, sizeof whole);
    assert_int_equal(fr_hand_event_text(&event, NULL, 0), length);
    for (size_t size = 1; size <= length + 2; size++) {
        char *text = malloc(size); // exactly so many bytes, for the sanitizer
        assert_non_null(text);
        assert_int_equal(fr_hand_event_text(&event, text, size), length);
        size_t kept = size - 1 < length ? size - 1 : length;
        assert_int_equal(strlen(text), kept);
        assert_memory_equal(text, whole, kept);
        free(text);
    }
}

static void the_longest_line_fits(void **state) {
    (void)state;
    char line[FR_HAND_EVENT_BYTES];
    fr_hand_event event = a_release();
    event.object.index1 = event.pair.part = event.pair.face = event.pair.other.index1 = UINT32_MAX;
    event.pair.other_part = event.pair.other_face = event.count = UINT32_MAX;
    event.speed = event.area = event.pull = event.time = -1.2345678901234567e-300;
    event.point = fr_vec3_make(-1.2345678901234567e-300, -1.2345678901234567e-300, -1.2345678901234567e-300);
    size_t length = fr_hand_event_text(&event, line, sizeof line);
    assert_true(length < sizeof line);
    assert_true(length + FR_NUMBER_BYTES < sizeof line); // with room to spare
}

static void modes_say_what_they_have(void **state) {
    (void)state;
    static const struct {
        bool aid, color, sound;
    } table[8] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}, {0, 0, 1}, {0, 0, 0}};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(fr_aid_mode_has_aid((fr_aid_mode)i), table[i].aid);
        assert_int_equal(fr_aid_mode_has_color((fr_aid_mode)i), table[i].color);
        assert_int_equal(fr_aid_mode_has_sound((fr_aid_mode)i), table[i].sound);
    }
}

static bool is_gray(fr_color c) { return c.r == c.g && c.g == c.b && c.a == 255; }

static bool is_same(fr_color a, fr_color b) { return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a; }

static void without_colour_all_is_gray(void **state) {
    (void)state;
    static const fr_aid_mode modes[] = {FR_AID_MODE_NOTHING, FR_AID_MODE_AID_SOUND, FR_AID_MODE_SOUND, (fr_aid_mode)0};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_true(is_gray(fr_hand_color(modes[i], 2, true, false, 0.0)));
        assert_true(is_gray(fr_hand_color(modes[i], 2, true, true, 0.0)));
    }
}

static void colours_follow_the_rule(void **state) {
    (void)state;
    fr_color yellow = fr_hand_color(FR_AID_MODE_COLOR, 0, true, false, 0.0);
    assert_true(yellow.r > 200 && yellow.g > 200 && yellow.b < 64);
    assert_true(is_gray(fr_hand_color(FR_AID_MODE_COLOR, 3, false, false, 0.0)));
    assert_true(is_gray(fr_hand_color(FR_AID_MODE_AID, 0, true, false, 0.0)));

    static const fr_aid_mode modes[] = {FR_AID_MODE_AID, FR_AID_MODE_AID_BOTH};
    for (size_t i = 0; i < 2; i++) {
        fr_color green = fr_hand_color(modes[i], 1, true, false, 0.0);
        fr_color cyan = fr_hand_color(modes[i], 2, true, false, 0.0);
        fr_color magenta = fr_hand_color(modes[i], 3, false, false, 0.0);
        assert_true(green.g > 180 && green.r < 80 && green.b < 80);
        assert_true(cyan.g > 180 && cyan.b > 180 && cyan.r < 80);
        assert_true(magenta.r > 180 && magenta.b > 180 && magenta.g < 80);
        assert_true(is_same(fr_hand_color(modes[i], UINT32_MAX, false, false, 0.0), magenta));
        fr_color blue = fr_hand_color(modes[i], 1, true, true, 0.5);
        assert_true(blue.b > 200 && blue.r < 80 && blue.g < 128);
    }
}

static void pull_fades_to_gray(void **state) {
    (void)state;
    fr_color none = fr_hand_color(FR_AID_MODE_AID, 1, false, false, 0.0);
    fr_color half = fr_hand_color(FR_AID_MODE_AID, 1, false, false, 0.5);
    assert_true(half.r > none.r && half.r < 160 && half.b > none.b && half.b < 160);
    assert_true(is_gray(fr_hand_color(FR_AID_MODE_AID, 1, false, false, 1.0)));
    assert_true(is_gray(fr_hand_color(FR_AID_MODE_AID, 1, false, false, (double)INFINITY)));
    assert_true(is_same(fr_hand_color(FR_AID_MODE_AID, 1, false, false, -1.0), none));
    assert_true(is_same(fr_hand_color(FR_AID_MODE_AID, 1, false, false, (double)NAN), none));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_columns_of_the_log),
        cmocka_unit_test(what_an_event_does_not_have_is_empty),
        cmocka_unit_test(kinds_and_causes_have_names),
        cmocka_unit_test(a_line_is_cut_at_any_size),
        cmocka_unit_test(the_longest_line_fits),
        cmocka_unit_test(modes_say_what_they_have),
        cmocka_unit_test(without_colour_all_is_gray),
        cmocka_unit_test(colours_follow_the_rule),
        cmocka_unit_test(pull_fades_to_gray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
