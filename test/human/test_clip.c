// Clips: what is refused with the frame named, how near the stored motion is, sampling in time, weights.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "heap_calls.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

#define FRAMES 40
#define LINKS 15

typedef struct tried {
    fr_vec3 places[FRAMES];
    fr_quat turns[FRAMES * LINKS];
    uint8_t contacts[2 * FRAMES];
    double times[3];
    float weights[3 * (LINKS + 1)];
} tried;

static fr_clip_def make_tried(fr_random *random, double reach, tried *t) {
    fr_vec3 place = random_about(random, reach);
    for (int f = 0; f < FRAMES; f++) {
        place = fr_vec3_add(place, random_about(random, 0.05));
        t->places[f] = place;
        t->contacts[2 * f] = (uint8_t)fr_random_below(random, 4);
        t->contacts[2 * f + 1] = (uint8_t)fr_random_below(random, 4);
        for (int i = 0; i < LINKS; i++) {
            t->turns[LINKS * f + i] = random_turn(random);
        }
    }
    for (int i = 0; i < 3 * (LINKS + 1); i++) {
        t->weights[i] = (float)fr_random_between(random, 0.0, 100.0);
    }
    t->times[0] = 0.0;
    t->times[1] = 0.25;
    t->times[2] = 1.0;
    fr_clip_def def = fr_default_clip_def();
    def.name = "tried";
    def.frame_count = FRAMES;
    def.link_count = LINKS;
    def.places = t->places;
    def.turns = t->turns;
    def.contacts = t->contacts;
    def.weight_key_count = 3;
    def.weight_times = t->times;
    def.weights = t->weights;
    return def;
}

static void expect_refusal(const fr_clip_def *def, fr_status status, const char *part_of_message) {
    fr_clip *clip = NULL;
    fr_error error = {0};
    assert_int_equal(fr_clip_create(def, &clip, &error), status);
    assert_null(clip);
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void names_the_first_defect(void **state) {
    (void)state;
    static tried t;
    fr_random random = fr_random_seed(1);
    const fr_clip_def good = make_tried(&random, 1.0, &t);
    fr_clip_def def = good;
    def.cookie = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "fr_default_clip_def");
    def = good;
    def.frame_count = FR_MAX_CLIP_FRAMES + 1;
    expect_refusal(&def, FR_ERROR_LIMIT, "frames");
    def.frame_count = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "frames");
    def = good;
    def.link_count = 257;
    expect_refusal(&def, FR_ERROR_LIMIT, "links");
    def = good;
    def.name = "a name of sixty-four bytes, which is one more than the names of clips may have: 64";
    expect_refusal(&def, FR_ERROR_LIMIT, "name");
    const double rates[] = {0.0, -1.0, 1e6, NAN, INFINITY, 1e-310};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        def = good;
        def.frame_rate = rates[i];
        expect_refusal(&def, FR_ERROR_ARGUMENT, "frames a second");
    }
    def = good;
    def.clip_class = FR_CLIP_CLASS_COUNT;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "class");
    def = good;
    def.direction = NAN;
    expect_refusal(&def, FR_ERROR_NOT_FINITE, "direction");
    def = good;
    def.length = -1.0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "length");

    t.contacts[7] = 4;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "frame 3");
    t.contacts[7] = 0;
    t.places[5].z = INFINITY;
    expect_refusal(&good, FR_ERROR_NOT_FINITE, "frame 5");
    t.places[5].z = 1e40;
    expect_refusal(&good, FR_ERROR_NOT_FINITE, "frame 5");
    t.places[5].z = 0.0;
    t.turns[LINKS * 9 + 4].w = NAN;
    expect_refusal(&good, FR_ERROR_NOT_FINITE, "frame 9, link 4");
    t.turns[LINKS * 9 + 4] = (fr_quat){0.0, 0.0, 0.0, 0.0};
    expect_refusal(&good, FR_ERROR_ARGUMENT, "frame 9, link 4");
    t.turns[LINKS * 9 + 4] = fr_quat_identity();
    t.times[1] = 2.0;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "key 1");
    t.times[1] = 0.5;
    t.weights[LINKS + 3] = -1.0f;
    expect_refusal(&good, FR_ERROR_ARGUMENT, "key 1");
}

static void keeps_turns_and_places_as_promised(void **state) {
    (void)state;
    static tried t;
    fr_random random = fr_random_seed(2);
    double worst = 0.0;
    uint64_t count = test_count(50, 2000);
    for (uint64_t i = 0; i < count; i++) {
        fr_clip_def def = make_tried(&random, i % 2 == 0 ? 1.0 : 1e6, &t);
        fr_clip *clip = NULL;
        assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
        fr_quat turns[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
        for (uint32_t f = 0; f < FRAMES; f++) {
            assert_int_equal(fr_clip_frame(clip, f, &posture, NULL), FR_OK);
            double far = fr_vec3_distance(t.places[f], t.places[0]);
            double rounding = 0x1p-51 * fr_vec3_largest(t.places[f]);
            assert_true(fr_vec3_distance(posture.place, t.places[f]) <= 0x1p-23 * far + rounding);
            assert_int_equal(posture.contact_left, t.contacts[2 * f]);
            assert_int_equal(posture.contact_right, t.contacts[2 * f + 1]);
            for (uint32_t k = 0; k < LINKS; k++) {
                double angle = angle_between(turns[k], t.turns[LINKS * f + k]);
                worst = angle > worst ? angle : worst;
            }
            for (uint32_t k = LINKS; k < FR_LINK_COUNT; k++) {
                assert_true(turns[k].w == 1.0 && turns[k].x == 0.0 && turns[k].y == 0.0 && turns[k].z == 0.0);
            }
        }
        fr_clip_release(clip);
    }
    print_message("turns are stored within %.3g radians\n", worst);
    assert_true(worst <= 1.5e-7);
}

static void samples_between_frames(void **state) {
    (void)state;
    static tried t;
    fr_random random = fr_random_seed(3);
    fr_clip_def def = make_tried(&random, 1.0, &t);
    def.frame_rate = 8.0;
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_near(fr_clip_get(clip)->duration, 39.0 / 8.0, 0.0);
    fr_quat before[LINKS], after[LINKS], turns[LINKS];
    fr_posture a = {.turns = before, .count = LINKS}, b = {.turns = after, .count = LINKS};
    fr_posture p = {.turns = turns, .count = LINKS};
    for (uint32_t f = 0; f + 1 < FRAMES; f++) {
        assert_int_equal(fr_clip_frame(clip, f, &a, NULL), FR_OK);
        assert_int_equal(fr_clip_frame(clip, f + 1, &b, NULL), FR_OK);
        for (int k = 0; k < 8; k++) {
            double part = k / 8.0;
            assert_int_equal(fr_clip_sample(clip, (f + part) / 8.0, &p, NULL), FR_OK);
            fr_vec3 expected = fr_vec3_lerp(a.place, b.place, part);
            assert_true(fr_vec3_distance(p.place, expected) <= 1e-15);
            assert_int_equal(p.contact_left, a.contact_left);
            for (int i = 0; i < LINKS; i++) {
                double whole = angle_between(before[i], after[i]);
                assert_near(angle_between(before[i], turns[i]), part * whole, 1e-12);
                assert_near(angle_between(turns[i], after[i]), (1.0 - part) * whole, 1e-12);
            }
        }
    }
    const double outside[] = {-1.0, NAN, -INFINITY};
    assert_int_equal(fr_clip_frame(clip, 0, &a, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_clip_sample(clip, outside[i], &p, NULL), FR_OK);
        assert_memory_equal(turns, before, sizeof turns);
    }
    assert_int_equal(fr_clip_frame(clip, FRAMES - 1, &b, NULL), FR_OK);
    assert_int_equal(fr_clip_sample(clip, 1e300, &p, NULL), FR_OK);
    assert_memory_equal(turns, after, sizeof turns);
    assert_int_equal(fr_clip_frame(clip, FRAMES, &b, NULL), FR_ERROR_ARGUMENT);
    p.count = LINKS - 1;
    assert_int_equal(fr_clip_sample(clip, 0.0, &p, NULL), FR_ERROR_ARGUMENT);
    fr_clip_release(clip);
}

static void gives_weights_between_keys(void **state) {
    (void)state;
    static tried t;
    fr_random random = fr_random_seed(4);
    fr_clip_def def = make_tried(&random, 1.0, &t);
    fr_clip *clip = NULL;
    double weights[FR_LINK_COUNT + 1];
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_int_equal(fr_clip_weights(clip, 0.1, weights, FR_LINK_COUNT + 1, NULL), FR_OK);
    for (int i = 0; i < LINKS; i++) {
        assert_near(weights[i], 0.6 * (double)t.weights[i] + 0.4 * (double)t.weights[LINKS + 1 + i], 1e-12);
    }
    for (int i = LINKS; i < FR_LINK_COUNT; i++) {
        assert_true(weights[i] == 0.0);
    }
    double place = 0.6 * (double)t.weights[LINKS] + 0.4 * (double)t.weights[2 * LINKS + 1];
    assert_near(weights[FR_LINK_COUNT], place, 1e-12);
    assert_int_equal(fr_clip_weights(clip, 7.0, weights, LINKS + 1, NULL), FR_OK);
    assert_near(weights[3], (double)t.weights[2 * (LINKS + 1) + 3], 0.0);
    assert_int_equal(fr_clip_weights(clip, NAN, weights, LINKS + 1, NULL), FR_OK);
    assert_near(weights[3], (double)t.weights[3], 0.0);
    assert_int_equal(fr_clip_weights(clip, 0.5, weights, LINKS, NULL), FR_ERROR_ARGUMENT);
    fr_clip_release(clip);

    def.weight_key_count = 0;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_int_equal(fr_clip_weights(clip, 0.5, weights, LINKS + 1, NULL), FR_OK);
    assert_true(weights[0] == 1.0 && weights[LINKS] == 1.0);
    fr_clip_release(clip);
}

static fr_status make_clip(const fr_allocator *allocator, void *context) {
    fr_clip_def def = *(const fr_clip_def *)context;
    def.allocator = *allocator;
    fr_clip *clip = NULL;
    fr_status status = fr_clip_create(&def, &clip, NULL);
    if (status != FR_OK) { return status; }
    fr_clip *shared = fr_clip_retain(clip);
    fr_clip_release(clip);
    fr_quat turns[LINKS];
    fr_posture posture = {.turns = turns, .count = LINKS};
    uint64_t before = test_heap_calls();
    assert_int_equal(fr_clip_sample(shared, 0.33, &posture, NULL), FR_OK);
    assert_int_equal(test_heap_calls(), before);
    test_note(turns, sizeof turns);
    fr_clip_release(shared);
    return FR_OK;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    static tried t;
    fr_random random = fr_random_seed(5);
    fr_clip_def def = make_tried(&random, 1.0, &t);
    assert_true(test_every_failure(make_clip, &def) >= 2);
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    assert_true(fr_clip_get(clip)->bytes < FRAMES * (LINKS * 16 + 14) + 1024);
    fr_clip_release(clip);
    fr_clip_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_first_defect),           cmocka_unit_test(keeps_turns_and_places_as_promised),
        cmocka_unit_test(samples_between_frames),           cmocka_unit_test(gives_weights_between_keys),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
