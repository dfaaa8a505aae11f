// Motions of one skeleton for another, and feet that stand, on motions made here.
#include "failing.h"

#include "bvh_text.h"
#include "fureai/base_drawing.h"
#include "random_posture.h"

#include <math.h>

#define FRAMES 90u

static fr_skeleton *make_body(double stature) {
    fr_body_def def = fr_default_body_def();
    def.stature = stature;
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    return skeleton;
}

// A person who wriggles, from rest on, while the hip goes about.
static fr_clip *make_clip(const fr_skeleton *skeleton, uint64_t seed) {
    static fr_quat turns[FRAMES * FR_LINK_COUNT];
    fr_vec3 places[FRAMES], axes[FR_LINK_COUNT];
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_random random = fr_random_seed(seed);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        axes[i] = random_about(&random, i < FR_BODY_LINK_COUNT ? 0.5 : 0.0);
    }
    for (uint32_t i = 0; i < FRAMES; i++) {
        double s = sin(0.1 * i);
        places[i] = fr_vec3_add(view->offsets[0], (fr_vec3){0.1 * s, 0.02 * s, 0.01 * i});
        for (uint32_t k = 0; k < FR_LINK_COUNT; k++) {
            fr_quat wriggle = fr_quat_from_vector(fr_vec3_scale(s, axes[k]));
            turns[i * FR_LINK_COUNT + k] = fr_quat_multiply(view->rests[k], wriggle);
        }
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = FRAMES;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = turns;
    fr_clip *clip;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

// A body's own motion carried over to itself is the same, but for the height of the ground.
static void the_same_body_moves_the_same(void **state) {
    (void)state;
    fr_skeleton *body = make_body(1.7);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        fr_clip *clip = make_clip(body, seed), *out;
        fr_retarget_input input = fr_default_retarget_input();
        input.from = input.to = body;
        input.clip = clip;
        input.reference = FR_REFERENCE_REST;
        assert_int_equal(fr_retarget(&input, &out, NULL), FR_OK);
        assert_int_equal(fr_clip_get(out)->frame_count, FRAMES);
        fr_quat a_turns[FR_LINK_COUNT], b_turns[FR_LINK_COUNT];
        fr_posture a = {.turns = a_turns, .count = FR_LINK_COUNT}, b = {.turns = b_turns, .count = FR_LINK_COUNT};
        double shift = 0.0;
        for (uint32_t i = 0; i < FRAMES; i++) {
            assert_int_equal(fr_clip_frame(clip, i, &a, NULL), FR_OK);
            assert_int_equal(fr_clip_frame(out, i, &b, NULL), FR_OK);
            if (i == 0) { shift = b.place.y - a.place.y; }
            assert_near(b.place.x, a.place.x, 1e-6);
            assert_near(b.place.y - shift, a.place.y, 1e-6);
            assert_near(b.place.z, a.place.z, 1e-6);
            for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
                fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(a_turns[k], fr_quat_conjugate(b_turns[k])));
                assert_true(fr_vec3_length(off) < 2e-6);
            }
        }
        fr_clip_release(clip);
        fr_clip_release(out);
    }
    fr_skeleton_release(body);
}

// A child's links go where the adult's go; the hip travels by the ratio of the legs.
static void a_child_follows_an_adult(void **state) {
    (void)state;
    fr_skeleton *adult = make_body(1.7), *child = make_body(1.0);
    fr_clip *clip = make_clip(adult, 9), *out;
    fr_retarget_input input = fr_default_retarget_input();
    input.from = adult;
    input.to = child;
    input.clip = clip;
    input.reference = FR_REFERENCE_REST;
    input.frame_rate = 30.0;
    assert_int_equal(fr_retarget(&input, &out, NULL), FR_OK);
    assert_int_equal(fr_clip_get(out)->frame_count, FRAMES / 2);
    const fr_skeleton_view *a = fr_skeleton_get(adult), *b = fr_skeleton_get(child);
    double ratio = (fr_vec3_length(b->offsets[FR_LINK_LEFT_SHIN]) + fr_vec3_length(b->offsets[FR_LINK_LEFT_FOOT])) /
                   (fr_vec3_length(a->offsets[FR_LINK_LEFT_SHIN]) + fr_vec3_length(a->offsets[FR_LINK_LEFT_FOOT]));
    fr_quat turns[2][FR_LINK_COUNT];
    fr_pose poses[2][FR_LINK_COUNT];
    fr_vec3 first[2] = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < FRAMES / 2; i++) {
        fr_posture postures[2] = {{.turns = turns[0], .count = FR_LINK_COUNT},
                                  {.turns = turns[1], .count = FR_LINK_COUNT}};
        assert_int_equal(fr_clip_frame(clip, 2 * i, &postures[0], NULL), FR_OK);
        assert_int_equal(fr_clip_frame(out, i, &postures[1], NULL), FR_OK);
        assert_int_equal(fr_posture_poses(adult, &postures[0], 1, poses[0], NULL), FR_OK);
        assert_int_equal(fr_posture_poses(child, &postures[1], 1, poses[1], NULL), FR_OK);
        fr_vec3 middle[2];
        for (int k = 0; k < 2; k++) {
            middle[k] = fr_vec3_scale(
                0.5, fr_vec3_add(poses[k][FR_LINK_LEFT_THIGH].position, poses[k][FR_LINK_RIGHT_THIGH].position));
            if (i == 0) { first[k] = middle[k]; }
        }
        for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
            fr_quat off = fr_quat_multiply(poses[0][k].rotation, fr_quat_conjugate(poses[1][k].rotation));
            assert_true(fr_vec3_length(fr_quat_to_vector(off)) < 2e-6);
        }
        assert_near(middle[1].x - first[1].x, ratio * (middle[0].x - first[0].x), 1e-6);
        assert_near(middle[1].y - first[1].y, ratio * (middle[0].y - first[0].y), 1e-6);
    }
    fr_clip_release(clip);
    fr_clip_release(out);
    fr_skeleton_release(adult);
    fr_skeleton_release(child);
}

// A person who stands and slides: cleaned, the feet stay and nothing else moves much.
static void sliding_feet_are_held(void **state) {
    (void)state;
    fr_skeleton *body = make_body(1.7);
    const fr_skeleton_view *view = fr_skeleton_get(body);
    static fr_quat turns[FRAMES * FR_LINK_COUNT];
    fr_vec3 places[FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++) {
        memcpy(&turns[i * FR_LINK_COUNT], view->rests, FR_LINK_COUNT * sizeof(fr_quat));
        places[i] = fr_vec3_add(view->offsets[0], (fr_vec3){0.02 * sin(0.07 * i), 0.01 * sin(0.05 * i), 0.0});
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = FRAMES;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = turns;
    fr_clip *clip, *marked, *clean;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    fr_clean_input input = fr_default_clean_input();
    input.skeleton = body;
    input.clip = clip;
    input.is_contact_only = true;
    assert_int_equal(fr_clip_clean(&input, &marked, NULL), FR_OK);
    input.is_contact_only = false;
    assert_int_equal(fr_clip_clean(&input, &clean, NULL), FR_OK);
    fr_clip_facts before, after;
    assert_int_equal(fr_clip_measure(body, marked, &before, NULL), FR_OK);
    assert_int_equal(fr_clip_measure(body, clean, &after, NULL), FR_OK);
    assert_int_equal(before.contact_count, 4);
    assert_true(before.slide_max > 0.015);
    assert_int_equal(after.contact_count, 4);
    assert_true(after.slide_max < 1e-6 && after.below < 1e-6);
    assert_true(after.speed_jump < 4.0);
    fr_clip_release(clip);
    fr_clip_release(marked);
    fr_clip_release(clean);
    fr_skeleton_release(body);
}

// A clip is drawn in the plane z = 0: twelve postures, the ground and the speeds.
static void a_clip_is_drawn(void **state) {
    (void)state;
    fr_skeleton *body = make_body(1.7), *tree;
    fr_clip *clip = make_clip(body, 2);
    fr_drawing_def def = fr_default_drawing_def();
    fr_drawing *drawing;
    assert_int_equal(fr_drawing_create(&def, &drawing, NULL), FR_OK);
    fr_draw draw = fr_drawing_draw(drawing);
    assert_int_equal(fr_clip_draw(body, clip, &draw, NULL), FR_OK);
    fr_drawing_view view = fr_drawing_get(drawing);
    uint32_t texts = 0;
    double lowest = 0.0;
    for (size_t i = 0; i < view.count; i++) {
        texts += view.marks[i].kind == FR_DRAWING_TEXT;
    }
    for (size_t i = 0; i < view.point_count; i++) {
        assert_near(view.points[3 * i + 2], 0.0, 0.0);
        lowest = fmin(lowest, view.points[3 * i + 1]);
    }
    assert_int_equal(texts, 12 + 4); // times of the postures, two headings, the fastest speed, the duration
    assert_true(view.count > 12 * FR_LINK_COUNT + (FRAMES - 2) * FR_LINK_COUNT);
    assert_true(lowest < -4.0);
    fr_drawing_destroy(drawing);

    fr_random random = fr_random_seed(1);
    static random_tree arrays;
    fr_skeleton_def tree_def = random_skeleton_def(&random, 200, &arrays);
    assert_int_equal(fr_skeleton_create(&tree_def, &tree, NULL), FR_OK);
    assert_int_equal(fr_clip_draw(tree, clip, &draw, NULL), FR_ERROR_ARGUMENT);
    fr_skeleton_release(tree);
    fr_clip_release(clip);
    fr_skeleton_release(body);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    fr_error error;
    fr_clip *out;
    fr_retarget_input empty = {0};
    assert_int_equal(fr_retarget(&empty, &out, &error), FR_ERROR_ARGUMENT);
    fr_clean_input none = {0};
    assert_int_equal(fr_clip_clean(&none, &out, &error), FR_ERROR_ARGUMENT);

    fr_skeleton *body = make_body(1.7), *tree;
    fr_clip *clip = make_clip(body, 1);
    fr_random random = fr_random_seed(1);
    static random_tree arrays;
    fr_skeleton_def def = random_skeleton_def(&random, 50, &arrays);
    assert_int_equal(fr_skeleton_create(&def, &tree, NULL), FR_OK);
    fr_retarget_input input = fr_default_retarget_input();
    assert_int_equal(fr_retarget(&input, &out, &error), FR_ERROR_ARGUMENT);
    input.from = tree;
    input.to = body;
    input.clip = clip;
    assert_int_equal(fr_retarget(&input, &out, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "hip"));
    input.from = body;
    input.frame_rate = NAN;
    assert_int_equal(fr_retarget(&input, &out, &error), FR_ERROR_ARGUMENT);
    input.frame_rate = 2000.0;
    assert_int_equal(fr_retarget(&input, &out, &error), FR_ERROR_ARGUMENT);
    fr_clean_input clean = fr_default_clean_input();
    assert_int_equal(fr_clip_clean(&clean, &out, &error), FR_ERROR_ARGUMENT);
    clean.skeleton = tree;
    clean.clip = clip;
    assert_int_equal(fr_clip_clean(&clean, &out, &error), FR_ERROR_ARGUMENT);
    fr_clip_facts facts;
    assert_int_equal(fr_clip_measure(tree, clip, &facts, &error), FR_ERROR_ARGUMENT);
    fr_clip_release(clip);
    fr_skeleton_release(body);
    fr_skeleton_release(tree);
}

typedef struct made {
    fr_skeleton *body;
    fr_clip *clip;
} made;

static fr_status make(const fr_allocator *allocator, void *context) {
    const made *m = context;
    fr_retarget_input input = fr_default_retarget_input();
    input.from = input.to = m->body;
    input.clip = m->clip;
    input.allocator = *allocator;
    fr_clip *moved = NULL, *clean = NULL;
    fr_status status = fr_retarget(&input, &moved, NULL);
    if (status == FR_OK) {
        fr_clean_input cleaning = fr_default_clean_input();
        cleaning.skeleton = m->body;
        cleaning.clip = moved;
        cleaning.allocator = *allocator;
        status = fr_clip_clean(&cleaning, &clean, NULL);
    }
    if (status == FR_OK) { test_note_number(fr_clip_get(clean)->frame_count); }
    fr_clip_release(moved);
    fr_clip_release(clean);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    made m = {.body = make_body(1.7)};
    m.clip = make_clip(m.body, 3);
    assert_true(test_every_failure(make, &m) >= 8);
    fr_clip_release(m.clip);
    fr_skeleton_release(m.body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_body_moves_the_same), cmocka_unit_test(a_child_follows_an_adult),
        cmocka_unit_test(sliding_feet_are_held),        cmocka_unit_test(a_clip_is_drawn),
        cmocka_unit_test(bad_input_is_refused),         cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
