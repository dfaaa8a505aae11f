// Skills that go through given postures look at what is around them first: drinking, turning a tap and gestures are
// refused with what is in the way, or done in another way, and no piece of an arm enters anything (dense sampling).
#include "frame.h"
#include "fureai/human_skill.h"
#include "furniture.h"

#include <string.h>

static person p;
static fr_performer *performer;

static const char *name_of(fr_object_id object, void *context) {
    (void)context;
    return object.index1 == 1 ? "the board" : NULL;
}

static fr_space *empty_space(void) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

static fr_task task_of(const char *skill, const char *word) {
    fr_task task = {.id = 1, .skill = fr_skill_find(skill)};
    assert_non_null(task.skill);
    if (word != NULL) {
        task.fields.given = FR_FIELD_WORD;
        strcpy(task.fields.word, word);
    }
    return task;
}

// A tap before the body at the side of an arm, to be turned about its outward axis.
static fr_task tap_at(double x, double y, double z) {
    fr_task task = task_of("tap", NULL);
    task.fields.given = FR_FIELD_TARGET;
    task.fields.target = fr_pose_make(fr_vec3_make(x, y, z), fr_quat_from_vector(fr_vec3_make(0, FR_PI, 0)));
    return task;
}

static fr_status begin_in(const fr_space *space, const fr_task *task, fr_error *error) {
    fr_performer_input input = {.space = space, .object_name = name_of};
    assert_int_equal(fr_performer_put(performer, &p.posture, NULL), FR_OK);
    return fr_performer_begin(performer, task, 1, &input, error);
}

// Performs to the end. Returns how deep a piece of an arm enters anything, and by which arm the most was moved.
static double perform_in(const fr_space *space, bool *is_left) {
    fr_performer_input input = {.space = space};
    fr_performer_output output;
    fr_pose poses[FR_LINK_COUNT];
    double depth = 0.0, travel[2] = {0.0, 0.0};
    for (int frame = 0; fr_performer_get(performer).task_count > 0; frame++) {
        assert_true(frame < 1000);
        assert_int_equal(fr_performer_step(performer, &input, &output, NULL), FR_OK);
        if (frame % 3 != 0) { continue; }
        assert_int_equal(fr_posture_poses(p.skeleton, &output.posture, 1, poses, NULL), FR_OK);
        for (int side = 0; side < 2; side++) {
            uint32_t palm = side == 1 ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM;
            depth = fmax(depth, depth_of_arm(space, p.figure, poses, side == 1, NULL));
            travel[side] = fmax(travel[side], fr_vec3_distance(poses[palm].position, p.poses[palm].position));
        }
    }
    if (is_left != NULL) { *is_left = travel[1] > travel[0]; }
    return depth;
}

// Refused with the name of what is in the way; the body is as it was.
static void check_refused(const fr_space *space, const fr_task *task) {
    fr_error error = {0};
    assert_int_equal(begin_in(space, task, &error), FR_ERROR_ARGUMENT);
    if (strstr(error.message, "'the board', face ") == NULL) { fail_msg("%s", error.message); }
    assert_int_equal(fr_performer_get(performer).task_count, 0);
}

static void check_done(const fr_space *space, const fr_task *task, bool *is_left) {
    fr_error error = {0};
    if (begin_in(space, task, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(perform_in(space, is_left) < 1e-3);
}

// A board before the face stops a cup; farther away it does not.
static void does_not_drink_through_a_board(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        fr_space *space = empty_space();
        put_box(space, fr_vec3_make(1.6, 1.0, 0.02), fr_vec3_make(0, 1.4, i == 0 ? 0.25 : 0.9), 0.0);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_task drink = task_of("drink", NULL);
        if (i == 0) {
            check_refused(space, &drink);
        } else {
            check_done(space, &drink, NULL);
        }
        fr_space_destroy(space);
    }
}

// A tap behind a board is not turned; one beside a board that stops one hand is turned with the other, but not where
// that hand was asked for.
static void does_not_reach_a_tap_through_a_board(void **state) {
    (void)state;
    fr_space *space = empty_space();
    put_box(space, fr_vec3_make(1.6, 1.6, 0.02), fr_vec3_make(0, 1.0, 0.25), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_task tap = tap_at(-0.1, 1.0, 0.45);
    check_refused(space, &tap);
    fr_space_destroy(space);

    space = empty_space();
    put_box(space, fr_vec3_make(0.02, 1.6, 0.6), fr_vec3_make(-0.1, 1.0, 0.45), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    tap = tap_at(-0.01, 1.05, 0.45);
    bool is_left = false;
    check_done(space, &tap, &is_left);
    assert_true(is_left);
    tap.fields.given |= FR_FIELD_SIDE;
    tap.fields.side = FR_SIDE_RIGHT;
    check_refused(space, &tap);
    fr_space_destroy(space);
}

// A wall on the right: waves with the left hand, unless the right one is asked for. A wall before the chest: no bow,
// but a nod.
static void does_not_gesture_through_a_wall(void **state) {
    (void)state;
    fr_space *space = empty_space();
    put_box(space, fr_vec3_make(0.02, 2.0, 1.0), fr_vec3_make(-0.42, 1.0, 0.0), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_task wave = task_of("gesture", "wave");
    bool is_left = false;
    check_done(space, &wave, &is_left);
    assert_true(is_left);
    wave.fields.given |= FR_FIELD_SIDE;
    wave.fields.side = FR_SIDE_RIGHT;
    check_refused(space, &wave);
    fr_space_destroy(space);

    space = empty_space();
    put_box(space, fr_vec3_make(2.0, 2.0, 0.02), fr_vec3_make(0, 1.0, 0.3), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_task bow = task_of("gesture", "bow"), nod = task_of("gesture", "nod");
    check_refused(space, &bow);
    check_done(space, &nod, NULL);
    fr_space_destroy(space);
}

// What a hand touches it may leave, and not push into.
static void leaves_what_it_touches(void **state) {
    (void)state;
    fr_vec3 palm = p.poses[FR_LINK_RIGHT_PALM].position;
    for (int i = 0; i < 2; i++) {
        fr_space *space = empty_space();
        // A slab that the hand is 5 mm in, under its fingers or before them.
        fr_vec3 at = i == 0 ? fr_vec3_make(palm.x, palm.y - 0.06, palm.z - 0.55) : fr_vec3_make(palm.x, 1.0, 0.3);
        put_box(space, i == 0 ? fr_vec3_make(0.3, 0.3, 1.0) : fr_vec3_make(0.5, 2.0, 0.5), at, 0.0);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_error error = {0};
        fr_task thumb = task_of("gesture", "thumb_up");
        thumb.fields.given |= FR_FIELD_SIDE;
        thumb.fields.side = FR_SIDE_RIGHT;
        double first = depth_of_arm(space, p.figure, p.poses, false, NULL);
        fr_status status = begin_in(space, &thumb, &error);
        if (status == FR_OK) { assert_true(perform_in(space, NULL) <= first + 2e-3); }
        assert_int_equal(status, i == 0 ? FR_OK : FR_ERROR_ARGUMENT);
        fr_space_destroy(space);
    }
}

// Among random furniture no arm goes more than 2 mm deeper into anything than it was in the beginning, or the task is
// refused.
static void keeps_clear_of_furniture(void **state) {
    (void)state;
    static const char *const words[] = {"bow", "nod", "shake", "shrug", "surprise", "thumb_up", "wave"};
    fr_random random = fr_random_seed(31);
    double deepest = 0.0;
    uint32_t done[3] = {0}, refused[3] = {0}, rooms = test_is_long() ? 2000 : 40;
    for (uint32_t i = 0; i < rooms; i++) {
        fr_space *space = random_furniture(&random);
        double first = fmax(depth_of_arm(space, p.figure, p.poses, false, NULL),
                            depth_of_arm(space, p.figure, p.poses, true, NULL));
        double x = fr_random_between(&random, -0.4, 0.4), y = fr_random_between(&random, 0.9, 1.3);
        fr_task tasks[3] = {task_of("drink", NULL), tap_at(x, y, fr_random_between(&random, 0.35, 0.6)),
                            task_of("gesture", words[fr_random_below(&random, 7)])};
        for (int k = 0; k < 3; k++) {
            fr_error error = {0};
            fr_status status = begin_in(space, &tasks[k], &error);
            assert_true(status == FR_OK || (status == FR_ERROR_ARGUMENT && error.message[0] != '\0'));
            if (status != FR_OK) {
                refused[k]++;
                continue;
            }
            double depth = perform_in(space, NULL) - first;
            deepest = fmax(deepest, depth);
            if (depth > 2e-3) { fail_msg("room %u, %s: %g m deep", i, tasks[k].skill->name, depth); }
            done[k]++;
        }
        fr_space_destroy(space);
    }
    print_message("done and refused: drink %u, %u; tap %u, %u; gesture %u, %u; %.2f mm deep at most\n", done[0],
                  refused[0], done[1], refused[1], done[2], refused[2], 1e3 * deepest);
    for (int k = 0; k < 3; k++) {
        assert_true(done[k] > 0 && refused[k] > 0);
    }
}

static int open_stage(void **state) {
    (void)state;
    make_person(&p);
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p.skeleton;
    def.figure = p.figure;
    return fr_performer_create(&def, &performer, NULL) == FR_OK ? 0 : 1;
}

static int close_stage(void **state) {
    (void)state;
    fr_performer_destroy(performer);
    destroy_person(&p);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_not_drink_through_a_board),  cmocka_unit_test(does_not_reach_a_tap_through_a_board),
        cmocka_unit_test(does_not_gesture_through_a_wall), cmocka_unit_test(leaves_what_it_touches),
        cmocka_unit_test(keeps_clear_of_furniture),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
