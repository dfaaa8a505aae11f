// The sound of a hand: what sounds when, how high, how long, on which side; the same bytes always.
#include "failing.h"
#include "frame.h"

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define RATE 48000
#define SECOND ((size_t)RATE)

static int16_t heard[4 * RATE][2]; // what a test hears, left and right

static fr_hand_voice *voice_of(fr_aid_mode mode) {
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = mode;
    fr_hand_voice *voice;
    assert_int_equal(fr_hand_voice_create(&def, &voice, NULL), FR_OK);
    return voice;
}

static fr_hand_event event_of(fr_hand_kind kind, double time) {
    fr_hand_event event = {.kind = kind, .count = 1, .speed = 0.3, .area = 0.0049, .time = time};
    return event;
}

// The loudness of one frequency among frames [begin, begin + count): 1 for a full sine.
static double loudness(size_t begin, size_t count, double frequency) {
    double coefficient = 2.0 * cos(2.0 * FR_PI * frequency / RATE), a = 0.0, b = 0.0;
    for (size_t i = 0; i < count; i++) {
        double next = (double)heard[begin + i][0] / 32767.0 + coefficient * a - b;
        b = a;
        a = next;
    }
    return sqrt(fmax(a * a + b * b - coefficient * a * b, 0.0)) * 2.0 / (double)count;
}

// The frequency of the greatest loudness between low and high, to 1 Hz: by steps of 8 Hz, then of 1.
static double pitch(size_t begin, size_t count, double low, double high) {
    double best = low;
    for (double step = 8.0; step >= 1.0; step -= 7.0) {
        double most = 0.0, from = low, to = high;
        for (double f = from; f <= to; f += step) {
            double l = loudness(begin, count, f);
            if (l > most) {
                most = l;
                best = f;
            }
        }
        low = best - 8.0;
        high = best + 8.0;
    }
    return best;
}

static int peak(size_t begin, size_t count, int side) {
    int most = 0;
    for (size_t i = begin; i < begin + count; i++) {
        int x = heard[i][side] < 0 ? -heard[i][side] : heard[i][side];
        most = x > most ? x : most;
    }
    return most;
}

static double power(size_t begin, size_t count, int side) {
    double sum = 0.0;
    for (size_t i = begin; i < begin + count; i++) {
        sum += (double)heard[i][side] * (double)heard[i][side];
    }
    return sqrt(sum / (double)count);
}

// One event at 0 s, heard for `count` frames.
static void hear(fr_aid_mode mode, const fr_hand_event *event, size_t count) {
    fr_hand_voice *voice = voice_of(mode);
    assert_true(fr_hand_voice_add(voice, event));
    fr_hand_voice_render(voice, heard[0], count);
    fr_hand_voice_destroy(voice);
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void a_wrong_definition_is_refused(void **state) {
    (void)state;
    fr_hand_voice *voice;
    fr_hand_voice_def defs[8];
    for (int i = 0; i < 8; i++) {
        defs[i] = fr_default_hand_voice_def();
    }
    defs[0].cookie = 0;
    defs[1].rate = FR_HAND_RATE_MIN - 1;
    defs[2].rate = FR_HAND_RATE_MAX + 1;
    defs[3].half_width = 0.0;
    defs[4].volume = (double)NAN;
    defs[5].volume = 1.5;
    defs[6].hold = 0.0;
    defs[7].start = (double)INFINITY;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(fr_hand_voice_create(&defs[i], &voice, NULL), FR_ERROR_ARGUMENT);
        assert_null(voice);
    }
}

static void what_is_not_finite_is_refused(void **state) {
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    for (int i = 0; i < 3; i++) {
        fr_hand_event events[5];
        for (int k = 0; k < 5; k++) {
            events[k] = event_of(FR_HAND_SNAP, 0.0);
        }
        events[0].speed = events[1].area = events[2].pull = events[3].point.x = events[4].time = bad[i];
        for (int k = 0; k < 5; k++) {
            assert_false(fr_hand_voice_add(voice, &events[k]));
        }
    }
    fr_hand_event none = event_of((fr_hand_kind)(FR_HAND_FITTED + 1), 0.0), far = event_of(FR_HAND_SNAP, 1e300);
    assert_false(fr_hand_voice_add(voice, &none));
    assert_false(fr_hand_voice_add(voice, &far));
    assert_true(fr_hand_voice_is_silent(voice));
    fr_hand_voice_destroy(voice);
}

static void modes_say_what_is_heard(void **state) {
    (void)state;
    for (int mode = 0; mode < 8; mode++) {
        for (int kind = FR_HAND_CONTACT; kind <= FR_HAND_FITTED; kind++) {
            fr_hand_voice *voice = voice_of((fr_aid_mode)mode);
            fr_hand_event event = event_of((fr_hand_kind)kind, 0.0);
            bool with_aid = mode == FR_AID_MODE_AID_SOUND || mode == FR_AID_MODE_AID_BOTH;
            bool is_heard = mode == FR_AID_MODE_SOUND || (with_aid && kind != FR_HAND_CONTACT);
            assert_int_equal(fr_hand_voice_add(voice, &event), is_heard);
            fr_hand_voice_destroy(voice);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What sounds when

static void a_snap_has_three_partials(void **state) {
    (void)state;
    fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
    hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
    double base = pitch(0, 4800, 300.0, 500.0);
    assert_true(fabs(base - 400.0) <= 2.0);
    assert_true(fabs(pitch(0, 4800, 820.0, 1020.0) - 920.0) <= 2.0);
    assert_true(fabs(pitch(0, 4800, 1460.0, 1660.0) - 1560.0) <= 2.0);
    double first = loudness(0, 4800, 400.0), between = loudness(0, 4800, 1240.0);
    assert_true(first > 8.0 * between);
    assert_true(fabs(first / loudness(0, 4800, 920.0) - 2.0) < 0.1);
}

static void a_snap_falls_to_1_e_in_60_ms(void **state) {
    (void)state;
    fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
    hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
    for (int k = 0; k < 3; k++) {
        double f = 400.0 * (k == 0 ? 1.0 : k == 1 ? 2.3 : 3.9);
        double ratio = loudness(2880, 1200, f) / loudness(0, 1200, f);
        assert_true(fabs(ratio - exp(-1.0)) < 0.01);
    }
}

static void a_larger_face_sounds_lower(void **state) {
    (void)state;
    static const double areas[] = {0.0049, 4.0 * 0.0049, 0.0049 / 4.0, 1.0, 0.0, 1e-300, -1.0};
    static const double tones[] = {400.0, 200.0, 800.0, 200.0, 2000.0, 2000.0, 2000.0};
    for (int i = 0; i < 7; i++) {
        fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
        event.area = areas[i];
        hear(FR_AID_MODE_AID_SOUND, &event, 9600);
        assert_true(fabs(pitch(0, 9600, tones[i] - 60.0, tones[i] + 60.0) - tones[i]) <= 2.0);
    }
}

static void the_second_and_third_face_step_up(void **state) {
    (void)state;
    static const double steps[] = {0.0, 0.0, 3.0, 7.0, 7.0};
    for (uint32_t count = 0; count < 5; count++) {
        fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
        event.count = count;
        hear(FR_AID_MODE_AID_SOUND, &event, 9600);
        double tone = 400.0 * pow(2.0, steps[count] / 12.0);
        assert_true(fabs(pitch(0, 9600, 350.0, 650.0) - tone) <= 1.5);
    }
}

static void faster_is_louder_up_to_300_mm_a_second(void **state) {
    (void)state;
    static const double speeds[] = {0.3, 0.15, 0.03, 10.0, 0.0, -1.0};
    static const double levels[] = {1.0, 0.5, 0.1, 1.0, 0.0625, 0.0625};
    double full = 0.0;
    for (int i = 0; i < 6; i++) {
        fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
        event.speed = speeds[i];
        hear(FR_AID_MODE_AID_SOUND, &event, 9600);
        double level = loudness(0, 9600, 400.0);
        if (i == 0) { full = level; }
        assert_true(fabs(level / full - levels[i]) < 0.005);
    }
}

static void a_slide_is_a_band_of_noise(void **state) {
    (void)state;
    static const double speeds[] = {0.1, 0.3};
    for (int i = 0; i < 2; i++) {
        fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
        for (int k = 0; k < 40; k++) {
            fr_hand_event event = event_of(FR_HAND_SLIDE, 0.05 * k);
            event.speed = speeds[i];
            assert_true(fr_hand_voice_add(voice, &event));
        }
        fr_hand_voice_render(voice, heard[0], 2 * SECOND);
        fr_hand_voice_destroy(voice);

        // The mean loudness of bands: at the centre, and an octave and a half to either side.
        double center = 300.0 + 4000.0 * speeds[i], sums[3] = {0.0, 0.0, 0.0};
        for (int band = 0; band < 3; band++) {
            double middle = center * (band == 0 ? 1.0 : band == 1 ? 0.35 : 2.83);
            for (int j = -20; j <= 20; j++) {
                sums[band] += loudness(SECOND / 2, SECOND, middle + 5.0 * j);
            }
        }
        assert_true(sums[0] > 2.5 * sums[1] && sums[0] > 2.5 * sums[2]);

        // As loud as it should be, left and right together: 0.1 of the half volume at 300 mm/s.
        double level = hypot(power(SECOND / 2, SECOND, 0), power(SECOND / 2, SECOND, 1)) / 32767.0;
        assert_true(fabs(level / (0.05 * speeds[i] / 0.3) - 1.0) < 0.1);
    }
}

static void a_slow_slide_is_off(void **state) {
    (void)state;
    fr_hand_event event = event_of(FR_HAND_SLIDE, 0.0);
    event.speed = 0.0019;
    hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
    assert_int_equal(peak(0, SECOND, 0), 0);
    event.speed = 0.002;
    hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
    assert_true(peak(0, 4800, 0) > 20);
    assert_int_equal(peak(SECOND / 2, SECOND / 2, 0), 0); // and ends when it is told no more
}

// Frames at which a sound begins after 20 ms of quiet below 1/8 of a click.
static int begins(size_t count, size_t *at, int most) {
    int found = 0;
    size_t quiet = 960;
    for (size_t i = 0; i < count; i++) {
        int x = heard[i][0] < 0 ? -heard[i][0] : heard[i][0];
        if (x > 300 && quiet >= 960 && found < most) { at[found++] = i; }
        quiet = x > 300 ? 0 : quiet + 1;
    }
    return found;
}

static void pulling_clicks_from_2_to_15_a_second(void **state) {
    (void)state;
    static const double pulls[] = {0.5, 0.75, 1.0, 1e9};
    static const double rates[] = {2.0, 8.5, 15.0, 15.0};
    for (int i = 0; i < 4; i++) {
        fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
        for (int k = 0; k < 120; k++) {
            fr_hand_event event = event_of(FR_HAND_PULL, k / 30.0);
            event.pull = pulls[i];
            assert_true(fr_hand_voice_add(voice, &event));
        }
        fr_hand_voice_render(voice, heard[0], 4 * SECOND);
        fr_hand_voice_destroy(voice);
        size_t at[80];
        int count = begins(4 * SECOND, at, 80);
        assert_true(abs(count - (int)(4.0 * rates[i])) <= 1);
        assert_true(at[0] < 10); // the first click comes at once
        for (int k = 1; k < count; k++) {
            assert_true(fabs((double)(at[k] - at[k - 1]) - RATE / rates[i]) <= 10.0);
        }
    }
}

static void pulling_that_comes_and_goes_clicks_no_faster(void **state) {
    (void)state;
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    for (int k = 0; k < 80; k++) {
        fr_hand_event event = event_of(FR_HAND_PULL, k / 20.0);
        event.pull = k % 2 == 0 ? 0.5 : 0.3;
        assert_true(fr_hand_voice_add(voice, &event));
    }
    fr_hand_voice_render(voice, heard[0], 4 * SECOND);
    size_t at[80];
    assert_true(begins(4 * SECOND, at, 80) <= 8);
    fr_hand_voice_destroy(voice);
}

static void a_release_falls_from_600_to_200_in_80_ms(void **state) {
    (void)state;
    fr_hand_event event = event_of(FR_HAND_RELEASE, 0.0);
    hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
    assert_true(fabs(pitch(0, 480, 100.0, 800.0) - 575.0) < 40.0); // the first 10 ms
    assert_true(fabs(pitch(1680, 480, 100.0, 800.0) - 400.0) < 20.0);
    assert_true(fabs(pitch(3120, 480, 100.0, 800.0) - 250.0) < 40.0);
    assert_true(peak(3600, 240, 0) > 0);
    assert_int_equal(peak(3840, SECOND - 3840, 0), 0);

    // What nothing holds any more does not slide.
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    fr_hand_event slide = event_of(FR_HAND_SLIDE, 0.0);
    event.time = 0.05;
    event.count = 0;
    assert_true(fr_hand_voice_add(voice, &slide) && fr_hand_voice_add(voice, &event));
    fr_hand_voice_render(voice, heard[0], SECOND);
    assert_int_equal(peak(2400 + 3840, SECOND - 2400 - 3840, 0), 0);
    fr_hand_voice_destroy(voice);
}

static void done_and_fitted_have_two_notes(void **state) {
    (void)state;
    fr_hand_event done = event_of(FR_HAND_DONE, 0.0), fitted = event_of(FR_HAND_FITTED, 0.0);
    hear(FR_AID_MODE_AID_SOUND, &done, 2 * SECOND);
    assert_true(loudness(0, 7200, 600.0) > 10.0 * loudness(0, 7200, 800.0));
    assert_true(loudness(7200, 7200, 800.0) > 2.0 * loudness(7200, 7200, 600.0));
    hear(FR_AID_MODE_SOUND, &fitted, 4 * SECOND);
    assert_true(loudness(0, 4800, 880.0) > 10.0 * loudness(0, 4800, 1320.0));
    assert_true(loudness(5760, 4800, 1320.0) > 0.5 * loudness(0, 4800, 880.0));
    assert_true(peak(2 * SECOND, SECOND, 0) > 50); // a bell rings on
}

static void contacts_of_one_moment_are_one_click(void **state) {
    (void)state;
    fr_hand_event event = event_of(FR_HAND_CONTACT, 0.0);
    hear(FR_AID_MODE_SOUND, &event, 4800);
    int one = peak(0, 4800, 0);
    assert_true(fabs(pitch(0, 2400, 300.0, 700.0) - 500.0) <= 10.0);
    fr_hand_voice *voice = voice_of(FR_AID_MODE_SOUND);
    for (int i = 0; i < 16; i++) {
        assert_true(fr_hand_voice_add(voice, &event));
    }
    fr_hand_voice_render(voice, heard[0], 4800);
    assert_int_equal(peak(0, 4800, 0), one);
    fr_hand_voice_destroy(voice);
}

static void x_says_left_or_right(void **state) {
    (void)state;
    static const double places[] = {-0.5, 0.5, -1e300, 1e300, 0.0, 0.25};
    for (int i = 0; i < 6; i++) {
        fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
        event.point.x = places[i];
        hear(FR_AID_MODE_AID_SOUND, &event, 4800);
        double left = power(0, 4800, 0), right = power(0, 4800, 1);
        double pan = fmin(fmax(places[i] / 0.5, -1.0), 1.0), sum = hypot(left, right);
        assert_true(fabs(left / sum - sqrt(0.5 * (1.0 - pan))) < 1e-3);
        assert_true(fabs(right / sum - sqrt(0.5 * (1.0 + pan))) < 1e-3);
        if (pan == -1.0) { assert_int_equal(peak(0, 4800, 1), 0); }
        if (pan == 1.0) { assert_int_equal(peak(0, 4800, 0), 0); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Times, many at once, hostile events

static void an_event_is_heard_at_its_frame(void **state) {
    (void)state;
    static const size_t frames[] = {0, 1, 255, 256, 257, 1000, 12345};
    for (int i = 0; i < 7; i++) {
        fr_hand_event event = event_of(FR_HAND_SNAP, (double)frames[i] / RATE);
        hear(FR_AID_MODE_AID_SOUND, &event, SECOND);
        assert_int_equal(peak(0, frames[i], 0), 0);
        assert_int_not_equal(heard[frames[i]][0], 0);
    }
}

static void the_clock_begins_at_start(void **state) {
    (void)state;
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.start = 100.0;
    fr_hand_voice *voice;
    assert_int_equal(fr_hand_voice_create(&def, &voice, NULL), FR_OK);
    fr_hand_event event = event_of(FR_HAND_SNAP, 100.5);
    assert_true(fr_hand_voice_add(voice, &event));
    fr_hand_voice_render(voice, heard[0], SECOND);
    assert_int_equal(peak(0, SECOND / 2, 0), 0);
    assert_int_not_equal(heard[SECOND / 2][0], 0);
    fr_hand_voice_destroy(voice);
}

static void a_time_that_has_gone_by_is_now(void **state) {
    (void)state;
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    fr_hand_voice_render(voice, heard[0], SECOND);
    fr_hand_event event = event_of(FR_HAND_SNAP, -5.0);
    assert_true(fr_hand_voice_add(voice, &event));
    fr_hand_voice_render(voice, heard[0], 10);
    assert_int_not_equal(heard[0][0], 0);
    fr_hand_voice_destroy(voice);
}

static void order_of_adding_does_not_count(void **state) {
    (void)state;
    static int16_t other[4800][2];
    fr_hand_event events[3] = {event_of(FR_HAND_SNAP, 0.01), event_of(FR_HAND_SLIDE, 0.02),
                               event_of(FR_HAND_RELEASE, 0.03)};
    fr_hand_voice *a = voice_of(FR_AID_MODE_AID_SOUND), *b = voice_of(FR_AID_MODE_AID_SOUND);
    for (int i = 0; i < 3; i++) {
        assert_true(fr_hand_voice_add(a, &events[i]));
        assert_true(fr_hand_voice_add(b, &events[2 - i]));
    }
    fr_hand_voice_render(a, heard[0], 4800);
    fr_hand_voice_render(b, other[0], 4800);
    assert_memory_equal(heard, other, sizeof other);
    fr_hand_voice_destroy(a);
    fr_hand_voice_destroy(b);
}

static void all_dies_away(void **state) {
    (void)state;
    fr_hand_voice *voice = voice_of(FR_AID_MODE_SOUND);
    assert_true(fr_hand_voice_is_silent(voice));
    for (int kind = FR_HAND_CONTACT; kind <= FR_HAND_FITTED; kind++) {
        fr_hand_event event = event_of((fr_hand_kind)kind, 0.1);
        event.pull = 0.8;
        assert_true(fr_hand_voice_add(voice, &event));
    }
    assert_false(fr_hand_voice_is_silent(voice));
    int seconds = 0;
    for (; !fr_hand_voice_is_silent(voice) && seconds < 20; seconds++) {
        fr_hand_voice_render(voice, heard[0], SECOND);
    }
    assert_true(seconds < 10);
    fr_hand_voice_render(voice, heard[0], SECOND);
    assert_int_equal(peak(0, SECOND, 0) + peak(0, SECOND, 1), 0);
    fr_hand_voice_destroy(voice);
}

static void more_tones_take_the_oldest_ones_place(void **state) {
    (void)state;
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    fr_hand_event low = event_of(FR_HAND_SNAP, 0.0), high = low;
    low.area = 1.0;
    high.area = 0.0;
    high.speed = 0.0;
    fr_hand_voice *fuller = voice_of(FR_AID_MODE_AID_SOUND);
    assert_true(fr_hand_voice_add(voice, &low) && fr_hand_voice_add(fuller, &low));
    for (int i = 0; i < FR_HAND_TONES - 1; i++) {
        assert_true(fr_hand_voice_add(voice, &high) && fr_hand_voice_add(fuller, &high));
    }
    fr_hand_voice_render(voice, heard[0], 4800);
    assert_true(loudness(0, 4800, 200.0) > 0.05);
    assert_true(fr_hand_voice_add(fuller, &high));
    fr_hand_voice_render(fuller, heard[0], 4800);
    assert_true(loudness(0, 4800, 200.0) < 0.01);
    fr_hand_voice_destroy(fuller);

    fr_hand_voice_destroy(voice);
    voice = voice_of(FR_AID_MODE_AID_SOUND);
    for (int i = 0; i < FR_HAND_WAITING; i++) {
        assert_true(fr_hand_voice_add(voice, &high));
    }
    assert_false(fr_hand_voice_add(voice, &high));
    fr_hand_voice_destroy(voice);
}

static void what_is_too_loud_is_clipped(void **state) {
    (void)state;
    fr_hand_voice *voice = voice_of(FR_AID_MODE_AID_SOUND);
    fr_hand_event event = event_of(FR_HAND_SNAP, 0.0);
    for (int i = 0; i < FR_HAND_TONES; i++) {
        assert_true(fr_hand_voice_add(voice, &event));
    }
    fr_hand_voice_render(voice, heard[0], SECOND);
    assert_int_equal(peak(0, SECOND, 0), 32767);
    fr_hand_voice_destroy(voice);
}

static double any_number(fr_random *random) {
    static const double odd[] = {0.0, -0.0, 1e308, -1e308, 5e-324, 0.5, 1.0};
    uint64_t pick = fr_random_below(random, 16);
    if (pick == 7) { return (double)NAN; }
    if (pick == 8) { return (double)INFINITY; }
    return pick < 7 ? odd[pick] : fr_random_between(random, -2.0, 2.0);
}

// No number that is not finite stays in the state; sanitizers see the rest.
static void hostile_events_do_no_harm(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    fr_hand_voice *voice = voice_of(FR_AID_MODE_SOUND);
    for (uint64_t i = 0; i < test_count(4000, 200000); i++) {
        fr_hand_event event = event_of((fr_hand_kind)fr_random_below(&random, 9), any_number(&random));
        event.count = (uint32_t)fr_random_bits(&random);
        event.speed = any_number(&random);
        event.area = any_number(&random);
        event.pull = any_number(&random);
        event.point.x = any_number(&random);
        (void)fr_hand_voice_add(voice, &event);
        if (i % 4 == 0) { fr_hand_voice_render(voice, heard[0], (size_t)fr_random_below(&random, 100)); }
    }

    // When all has died away it sounds as a new one does.
    static int16_t fresh[4800][2];
    for (int seconds = 0; !fr_hand_voice_is_silent(voice) && seconds < 20; seconds++) {
        fr_hand_voice_render(voice, heard[0], SECOND);
    }
    assert_true(fr_hand_voice_is_silent(voice));
    fr_hand_voice *other = voice_of(FR_AID_MODE_SOUND);
    fr_hand_event last = event_of(FR_HAND_SNAP, 0.0);
    assert_true(fr_hand_voice_add(voice, &last) && fr_hand_voice_add(other, &last));
    fr_hand_voice_render(voice, heard[0], 4800);
    fr_hand_voice_render(other, fresh[0], 4800);
    assert_memory_equal(heard, fresh, sizeof fresh);
    fr_hand_voice_destroy(other);
    fr_hand_voice_destroy(voice);
}

// ---------------------------------------------------------------------------------------------------------------
// The same bytes

// A minute of a hand's events, 30 times a second.
static void add_minute(fr_hand_voice *voice, fr_random *random, uint32_t frame) {
    double time = frame / 30.0;
    for (uint64_t i = fr_random_below(random, 3); i > 0; i--) {
        fr_hand_event event = event_of((fr_hand_kind)fr_random_below(random, 7), time);
        event.count = (uint32_t)fr_random_below(random, 4);
        event.speed = fr_random_between(random, 0.0, 0.4);
        event.area = fr_random_between(random, 0.0, 0.02);
        event.pull = fr_random_between(random, 0.3, 1.0);
        event.point.x = fr_random_between(random, -0.6, 0.6);
        assert_true(fr_hand_voice_add(voice, &event));
    }
}

static uint64_t hash_of(uint32_t seconds, uint64_t seed) {
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = FR_AID_MODE_SOUND;
    def.seed = seed;
    def.volume = 0.3;
    fr_hand_voice *voice;
    assert_int_equal(fr_hand_voice_create(&def, &voice, NULL), FR_OK);
    fr_random random = fr_random_seed(42);
    uint64_t hash = 0;
    for (uint32_t second = 0; second < seconds; second++) {
        for (uint32_t frame = 0; frame < 30; frame++) {
            add_minute(voice, &random, 30 * second + frame);
        }
        fr_hand_voice_render(voice, heard[0], SECOND);
        uint8_t bytes[256]; // samples as a file has them, on any machine
        for (size_t i = 0; i < 2 * SECOND; i += 128) {
            for (size_t k = 0; k < 128; k++) {
                uint16_t sample = (uint16_t)(&heard[0][0])[i + k];
                bytes[2 * k] = (uint8_t)sample;
                bytes[2 * k + 1] = (uint8_t)(sample >> 8);
            }
            hash = fr_hash(bytes, sizeof bytes, hash);
        }
    }
    fr_hand_voice_destroy(voice);
    return hash;
}

static void a_minute_is_the_same_on_every_machine(void **state) {
    (void)state;
    assert_int_equal(hash_of(60, 1), UINT64_C(0xc942767077ad59fa));
    assert_int_not_equal(hash_of(2, 1), hash_of(2, 2));
}

static void lengths_rendered_at_once_do_not_count(void **state) {
    (void)state;
    static int16_t whole[2 * RATE][2];
    fr_hand_voice *a = voice_of(FR_AID_MODE_SOUND), *b = voice_of(FR_AID_MODE_SOUND);
    fr_random random = fr_random_seed(3), again = random;
    for (uint32_t frame = 0; frame < 60; frame++) {
        add_minute(a, &random, frame);
        add_minute(b, &again, frame);
    }
    fr_hand_voice_render(a, whole[0], 2 * SECOND);
    for (size_t at = 0; at < 2 * SECOND;) {
        size_t count = 1 + (size_t)fr_random_below(&random, 700);
        if (count > 2 * SECOND - at) { count = 2 * SECOND - at; }
        fr_hand_voice_render(b, heard[at], count);
        at += count;
    }
    assert_memory_equal(whole, heard, sizeof whole);
    fr_hand_voice_destroy(a);
    fr_hand_voice_destroy(b);
}

static fr_status make_voice(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.allocator = *allocator;
    fr_hand_voice *voice;
    fr_status status = fr_hand_voice_create(&def, &voice, NULL);
    fr_hand_voice_destroy(voice);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(test_every_failure(make_voice, NULL) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_definition_is_refused),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(modes_say_what_is_heard),
        cmocka_unit_test(a_snap_has_three_partials),
        cmocka_unit_test(a_snap_falls_to_1_e_in_60_ms),
        cmocka_unit_test(a_larger_face_sounds_lower),
        cmocka_unit_test(the_second_and_third_face_step_up),
        cmocka_unit_test(faster_is_louder_up_to_300_mm_a_second),
        cmocka_unit_test(a_slide_is_a_band_of_noise),
        cmocka_unit_test(a_slow_slide_is_off),
        cmocka_unit_test(pulling_clicks_from_2_to_15_a_second),
        cmocka_unit_test(pulling_that_comes_and_goes_clicks_no_faster),
        cmocka_unit_test(a_release_falls_from_600_to_200_in_80_ms),
        cmocka_unit_test(done_and_fitted_have_two_notes),
        cmocka_unit_test(contacts_of_one_moment_are_one_click),
        cmocka_unit_test(x_says_left_or_right),
        cmocka_unit_test(an_event_is_heard_at_its_frame),
        cmocka_unit_test(the_clock_begins_at_start),
        cmocka_unit_test(a_time_that_has_gone_by_is_now),
        cmocka_unit_test(order_of_adding_does_not_count),
        cmocka_unit_test(all_dies_away),
        cmocka_unit_test(more_tones_take_the_oldest_ones_place),
        cmocka_unit_test(what_is_too_loud_is_clipped),
        cmocka_unit_test(hostile_events_do_no_harm),
        cmocka_unit_test(a_minute_is_the_same_on_every_machine),
        cmocka_unit_test(lengths_rendered_at_once_do_not_count),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
