// Sets of walking clips: how many there are, that they meet, what they take, and what is refused.
#include "failing.h"
#include "frame.h"
#include "human/walk_set.h"
#include "walker.h"

#include <string.h>

static fr_skeleton *skeleton;
static fr_walk_set *set;

static int set_up(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    assert_int_equal(fr_walk_set_create(&def, &set, NULL), FR_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    fr_walk_set_release(set);
    fr_skeleton_release(skeleton);
    return 0;
}

static void has_all_clips_of_the_table(void **state) {
    (void)state;
    int counts[FR_CLIP_CLASS_COUNT] = {0}, source[FR_CLIP_CLASS_COUNT] = {0};
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr_clip *clip = NULL;
        assert_int_equal(fr_walk_set_clip(set, i, NULL, &clip, NULL), FR_OK);
        const fr_clip_view *view = fr_clip_get(clip);
        counts[view->clip_class]++;
        source[view->clip_class] += view->facing >= 0.0 ? 1 : 0;
        assert_true(view->length > 0.0 && view->link_count == FR_BODY_LINK_COUNT);
        fr_clip_release(clip);
    }
    assert_int_equal(counts[FR_CLIP_ONE_STEP], 148);
    assert_int_equal(counts[FR_CLIP_TWO_STEPS], 148);
    assert_int_equal(source[FR_CLIP_ONE_STEP], 98);
    assert_int_equal(source[FR_CLIP_TWO_STEPS], 98);
    assert_int_equal(counts[FR_CLIP_START], 7);
    assert_int_equal(counts[FR_CLIP_STRAIGHT], 1);
    assert_int_equal(counts[FR_CLIP_END], 28);
    const fr_walk_set_view *view = fr_walk_set_get(set);
    print_message("%zu frames, %.2f MB, %.2f m/s, steps of %.3f m\n", view->frames, 1e-6 * (double)view->bytes,
                  view->speed, view->step);
    assert_true(view->bytes < 20000000);
    assert_int_equal(fr_walk_set_clip(set, FR_WALK_CLIPS, NULL, &(fr_clip *){NULL}, NULL), FR_ERROR_ARGUMENT);
}

// The posture of a frame of a clip, mirrored where wanted.
static void posture_of(uint32_t index, bool is_last, bool is_mirrored, fr_quat *turns, double *height) {
    const fr__walk_clip *clip = &set->clips[index];
    fr__walk_figure figure;
    fr__walk_set_figure(set, clip, is_last ? clip->frame_count - 1 : 0, &figure);
    if (is_mirrored) { fr__walk_mirror(&figure); }
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    fr__walk_pose_planned(skeleton, &set->body, &figure, &posture);
    *height = posture.place.y;
}

static double mismatch(const fr_quat *a, double height_a, const fr_quat *b, double height_b) {
    double worst = fabs(height_a - height_b);
    for (int i = 1; i < FR_BODY_LINK_COUNT; i++) {
        worst = fmax(worst, walker_angle(a[i], b[i]));
    }
    return worst;
}

static void clips_meet(void **state) {
    (void)state;
    fr_quat straight[2][FR_LINK_COUNT], stand[FR_LINK_COUNT], first[FR_LINK_COUNT], last[FR_LINK_COUNT];
    double straight_height[2], stand_height, first_height, last_height, worst = 0.0;
    uint32_t step = fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT);
    posture_of(step, false, false, straight[FR__RIGHT], &straight_height[FR__RIGHT]);
    posture_of(step, false, true, straight[FR__LEFT], &straight_height[FR__LEFT]);
    fr_posture posture = {.turns = stand, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(set, fr_vec3_make(0, 0, 0), 0.0, &posture, NULL), FR_OK);
    stand_height = posture.place.y;
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        const fr__walk_clip *clip = &set->clips[i];
        int front = clip->clip_class == FR_CLIP_END ? clip->joined : FR__RIGHT;
        bool walks_first = clip->clip_class == FR_CLIP_END || clip->clip_class == FR_CLIP_STRAIGHT;
        bool walks_last = clip->clip_class == FR_CLIP_START || clip->clip_class == FR_CLIP_STRAIGHT;
        int landing = clip->clip_class == FR_CLIP_STRAIGHT ? FR__LEFT : FR__RIGHT;
        posture_of(i, false, false, first, &first_height);
        posture_of(i, true, false, last, &last_height);
        worst = fmax(worst, walks_first ? mismatch(first, first_height, straight[front], straight_height[front])
                                        : mismatch(first, first_height, stand, stand_height));
        worst = fmax(worst, walks_last ? mismatch(last, last_height, straight[landing], straight_height[landing])
                                       : mismatch(last, last_height, stand, stand_height));
    }
    print_message("greatest mismatch %.2g\n", worst);
    assert_true(worst < 1e-6);
}

static void refuse(const fr_walk_set_def *def, fr_status status, const char *part_of_message) {
    fr_walk_set *out = NULL;
    fr_error error = {0};
    assert_int_equal(fr_walk_set_create(def, &out, &error), status);
    assert_null(out);
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void names_what_is_wrong(void **state) {
    (void)state;
    fr_walk_set_def def = fr_default_walk_set_def();
    refuse(&def, FR_ERROR_ARGUMENT, "skeleton");
    def.skeleton = skeleton;
    def.frame_rate = NAN;
    refuse(&def, FR_ERROR_ARGUMENT, "frames a second");
    def.frame_rate = 5.0;
    refuse(&def, FR_ERROR_ARGUMENT, "frames a second");
    def.frame_rate = 60.0;
    def.speed = INFINITY;
    refuse(&def, FR_ERROR_NOT_FINITE, "speed");
    def.speed = -1.0;
    refuse(&def, FR_ERROR_NOT_FINITE, "speed");
    def.speed = 0.0;
    def.cookie = 0;
    refuse(&def, FR_ERROR_ARGUMENT, "fr_default_walk_set_def");

    // A skeleton without legs, and one whose feet have no soles.
    static const uint32_t parents[2] = {FR_NO_LINK, 0};
    static const char *const names[2] = {"trunk", "head"};
    static const fr_vec3 offsets[2] = {{0, 1, 0}, {0, 0.5, 0}};
    fr_skeleton_def snake = fr_default_skeleton_def();
    snake.link_count = 2;
    snake.parents = parents;
    snake.names = names;
    snake.offsets = offsets;
    fr_skeleton *legless = NULL;
    assert_int_equal(fr_skeleton_create(&snake, &legless, NULL), FR_OK);
    def = fr_default_walk_set_def();
    def.skeleton = legless;
    refuse(&def, FR_ERROR_ARGUMENT, "thighs");
    fr_skeleton_release(legless);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_skeleton_def soleless = fr_default_skeleton_def();
    soleless.link_count = view->link_count;
    soleless.parents = view->parents;
    soleless.names = view->names;
    soleless.offsets = view->offsets;
    soleless.rests = view->rests;
    soleless.roles = view->roles;
    assert_int_equal(fr_skeleton_create(&soleless, &legless, NULL), FR_OK);
    def.skeleton = legless;
    refuse(&def, FR_ERROR_ARGUMENT, "heel");
    fr_skeleton_release(legless);
}

// Steps that a child of 1.0 m and an adult of 2.0 m take are as long as their legs ask for.
static void fits_any_body(void **state) {
    (void)state;
    for (double stature = 1.0; stature <= 2.0; stature += 0.5) {
        fr_body_def body = fr_default_body_def();
        body.stature = stature;
        walker w = walker_make(&body, 0.0);
        const fr_walk_set_view *view = fr_walk_set_get(w.set);
        assert_true(fabs(view->step / view->leg - 0.5 * 2.316 * pow(0.4, 0.4534)) < 1e-9);
        assert_true(fabs(view->speed / sqrt(9.81 * view->leg) - 0.4) < 0.02);
        walker_destroy(&w);
    }
}

static fr_status make_set(const fr_allocator *allocator, void *context) {
    fr_walk_set_def def = *(const fr_walk_set_def *)context;
    def.allocator = *allocator;
    fr_walk_set *made = NULL;
    fr_status status = fr_walk_set_create(&def, &made, NULL);
    if (status != FR_OK) { return status; }
    fr_clip *clip = NULL;
    status = fr_walk_set_clip(made, 3, allocator, &clip, NULL);
    fr_clip_release(clip);
    fr_walk_set *shared = fr_walk_set_retain(made);
    fr_walk_set_release(made);
    test_note_number(fr_walk_set_get(shared)->frames);
    fr_walk_set_release(shared);
    return status;
}

// Walks by one set and by the other to the same goals; the same bits in each frame.
static void walk_side_by_side(fr_walk *const walks[2], fr_random *random) {
    fr_quat turns[2][FR_LINK_COUNT];
    fr_walk_goal goals[3];
    size_t count = 1 + fr_random_below(random, 3);
    for (size_t i = 0; i < count; i++) {
        double reach = fr_random_below(random, 3) == 0 ? 0.3 : 4.0; // some are steps and turns on the spot
        goals[i] = (fr_walk_goal){.heading = fr_random_between(random, -3.1, 3.1), .has_heading = true};
        goals[i].place =
            fr_vec3_make(fr_random_between(random, -reach, reach), 0.0, fr_random_between(random, -reach, reach));
    }
    for (int w = 0; w < 2; w++) {
        assert_int_equal(fr_walk_go(walks[w], goals, count, 0, NULL), FR_OK);
    }
    while (fr_walk_get(walks[0]).is_walking) {
        fr_posture postures[2];
        for (int w = 0; w < 2; w++) {
            postures[w] = (fr_posture){.turns = turns[w], .count = FR_LINK_COUNT};
            (void)fr_posture_rest(skeleton, &postures[w], NULL);
            assert_int_equal(fr_walk_step(walks[w], &postures[w], NULL), FR_OK);
        }
        assert_memory_equal(turns[0], turns[1], sizeof turns[0]);
        assert_memory_equal(&postures[0].place, &postures[1].place, sizeof postures[0].place);
        assert_true(postures[0].contact_left == postures[1].contact_left &&
                    postures[0].contact_right == postures[1].contact_right);
    }
    assert_false(fr_walk_get(walks[1]).is_walking);
}

// A lazy set makes only what a walk needs, and that as the other does; in whatever order.
static void a_lazy_set_has_the_same_clips(void **state) {
    (void)state;
    fr_walk_set *lazy = NULL;
    fr_walk_set_def lazily = fr_default_walk_set_def();
    lazily.skeleton = skeleton;
    lazily.is_lazy = true;
    assert_int_equal(fr_walk_set_create(&lazily, &lazy, NULL), FR_OK);
    size_t frames = fr_walk_set_get(lazy)->frames;
    assert_true(frames < 100 && fr_walk_set_get(lazy)->speed == fr_walk_set_get(set)->speed);
    assert_true(fr_walk_set_get(lazy)->step == fr_walk_set_get(set)->step);
    fr_walk_def def = fr_default_walk_def();
    fr_walk *walks[2] = {NULL, NULL};
    def.set = set;
    assert_int_equal(fr_walk_create(&def, &walks[0], NULL), FR_OK);
    def.set = lazy;
    assert_int_equal(fr_walk_create(&def, &walks[1], NULL), FR_OK);
    fr_random random = fr_random_seed(7);
    uint64_t count = test_count(60, 3000);
    for (uint64_t i = 0; i < count; i++) {
        walk_side_by_side(walks, &random);
        if (i == 0) { print_message("%zu frames after a walk\n", fr_walk_set_get(lazy)->frames); }
    }
    print_message("%zu frames after %llu walks\n", fr_walk_set_get(lazy)->frames, (unsigned long long)count);
    assert_true(fr_walk_set_get(lazy)->frames > frames);
    assert_true(fr_walk_set_get(lazy)->frames <= fr_walk_set_get(set)->frames);
    fr_walk_destroy(walks[0]);
    fr_walk_destroy(walks[1]);
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr_clip *clip;
        assert_int_equal(fr_walk_set_clip(lazy, i, NULL, &clip, NULL), FR_OK);
        fr_clip_release(clip);
        fr__walk_clip one = set->clips[i], other = lazy->clips[i];
        assert_int_equal(one.frame_count, other.frame_count);
        assert_memory_equal(&set->frames[one.first], &lazy->frames[other.first], one.frame_count * sizeof *set->frames);
        one.first = other.first;
        assert_memory_equal(&one, &other, sizeof one);
    }
    assert_int_equal(fr_walk_set_get(lazy)->frames, fr_walk_set_get(set)->frames);
    fr_walk_set_release(lazy);
}

// Makes a lazy set and walks by it; without memory for a clip the walk is refused, and the body stands.
static fr_status make_lazy(const fr_allocator *allocator, void *context) {
    const fr_walk_goal *goals = context;
    fr_walk_set *lazy = NULL;
    fr_walk *walk = NULL;
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    def.is_lazy = true;
    def.allocator = *allocator;
    fr_walk_def walking = fr_default_walk_def();
    walking.allocator = *allocator;
    fr_status status = fr_walk_set_create(&def, &lazy, NULL);
    walking.set = lazy;
    if (status == FR_OK) { status = fr_walk_create(&walking, &walk, NULL); }
    if (status == FR_OK) {
        status = fr_walk_go(walk, goals, 2, 0, NULL);
        if (status != FR_OK) {
            assert_false(fr_walk_get(walk).is_walking);
            test_lift_and_compare(allocator);
            assert_int_equal(fr_walk_go(walk, goals, 2, 0, NULL), FR_OK);
        }
        fr_quat turns[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
        (void)fr_posture_rest(skeleton, &posture, NULL);
        while (fr_walk_get(walk).is_walking) {
            (void)fr_walk_step(walk, &posture, NULL);
            test_note(turns, sizeof turns);
        }
    }
    fr_walk_destroy(walk);
    fr_walk_set_release(lazy);
    return status;
}

static void a_lazy_set_survives_failures_of_memory(void **state) {
    (void)state;
    fr_walk_goal goals[2] = {{.place = {1.0, 0.0, 4.0}},
                             {.place = {2.0, 0.0, -3.0}, .heading = 2.0, .has_heading = true}};
    assert_true(test_every_failure(make_lazy, goals) >= 8);
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    def.frame_rate = FR_WALK_MIN_RATE;
    assert_true(test_every_failure(make_set, &def) >= 5);
    fr_walk_set_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_all_clips_of_the_table),
        cmocka_unit_test(clips_meet),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(fits_any_body),
        cmocka_unit_test(a_lazy_set_has_the_same_clips),
        cmocka_unit_test(a_lazy_set_survives_failures_of_memory),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
