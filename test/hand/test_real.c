// Real objects: what stands is smoothed, what moves is followed, what is fast or not seen holds nothing.
#include "failing.h"
#include "frame.h"
#include "mesh_object.h"

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FRAME (1.0 / 30.0)
#define ERROR 0.001

static fr_real *begin(double error, double angle) {
    fr_real_def def = fr_default_real_def();
    def.position_error = error;
    def.rotation_error = angle;
    fr_real *real = NULL;
    assert_int_equal(fr_real_create(&def, &real, NULL), FR_OK);
    return real;
}

// A number of mean 0 and deviation 1, nearly: the sum of twelve.
static double noise(fr_random *random) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += fr_random_unit(random);
    }
    return sum;
}

static fr_vec3 noises(fr_random *random, double deviation) {
    double x = noise(random);
    double y = noise(random);
    double z = noise(random);
    return fr_vec3_scale(deviation, fr_vec3_make(x, y, z));
}

static fr_pose measured(fr_random *random, const fr_pose *truth) {
    fr_pose pose = *truth;
    pose.position = fr_vec3_add(pose.position, noises(random, ERROR));
    pose.rotation = fr_quat_multiply(fr_quat_from_vector(noises(random, fr_radians(0.3))), pose.rotation);
    return pose;
}

static void test_wrong_numbers_are_refused(void **state) {
    (void)state;
    fr_real *real = NULL;
    fr_real_def def = fr_default_real_def();
    def.cookie = 0;
    assert_int_equal(fr_real_create(&def, &real, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_real_def();
    def.slow = 0.2; // above fast
    assert_int_equal(fr_real_create(&def, &real, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_real_def();
    def.position_error = NAN;
    assert_int_equal(fr_real_create(&def, &real, NULL), FR_ERROR_ARGUMENT);

    real = begin(ERROR, 0.0);
    fr_pose pose = fr_pose_identity();
    assert_int_equal(fr_real_see(real, &pose, 1.0, NULL), FR_OK);
    fr_real_state before = fr_real_now(real, 1.5);
    assert_int_equal(fr_real_see(real, &pose, 1.0, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_real_see(real, &pose, NAN, NULL), FR_ERROR_NOT_FINITE);
    pose.position.x = INFINITY;
    assert_int_equal(fr_real_see(real, &pose, 2.0, NULL), FR_ERROR_NOT_FINITE);
    fr_real_state after = fr_real_now(real, 1.5);
    assert_true(fr_vec3_equal(after.pose.position, before.pose.position));
    assert_true(after.age == before.age && after.speed == before.speed && after.alignment == before.alignment);
    // At a time that is none it is not known where the object is.
    fr_real_state never = fr_real_now(real, NAN);
    assert_true(!never.is_usable && isinf(never.age) && isinf(never.alignment));
    fr_real_destroy(real);
}

static void test_nothing_is_known_before_the_first_measurement(void **state) {
    (void)state;
    fr_real *real = begin(ERROR, 0.0);
    fr_real_state now = fr_real_now(real, 1.0);
    assert_false(now.is_usable);
    assert_true(isinf(now.age) && isinf(now.alignment));
    fr_real_destroy(real);
}

// Noise of a millimetre on each axis is smoothed to less than half of it, and hardly ever taken for motion.
static void test_what_stands_is_smoothed(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    fr_real *real = begin(ERROR, fr_radians(0.3));
    fr_pose truth =
        fr_pose_make(fr_vec3_make(1.0, 2.0, 3.0), fr_quat_from_axis_angle(fr_vec3_make(1.0, 1.0, 0.0), 1.0));
    uint64_t frames = test_count(2000, 200000);
    uint64_t alarms = 0;
    double squares = 0.0, angles = 0.0;
    for (uint64_t i = 0; i < frames; i++) {
        double time = (double)i * FRAME;
        fr_pose seen = measured(&random, &truth);
        assert_int_equal(fr_real_see(real, &seen, time - 0.03, NULL), FR_OK);
        fr_real_state now = fr_real_now(real, time);
        assert_true(now.is_usable);
        alarms += !now.is_slow;
        squares += fr_vec3_length_squared(fr_vec3_sub(now.pose.position, truth.position)) / 3.0;
        fr_quat off = fr_quat_multiply(now.pose.rotation, fr_quat_conjugate(truth.rotation));
        angles += fr_vec3_length_squared(fr_quat_to_vector(off)) / 3.0;
    }
    assert_true(alarms <= frames / 1000);
    double left = sqrt(squares / (double)frames) / ERROR, turned = sqrt(angles / (double)frames) / fr_radians(0.3);
    assert_true(left > 0.3 && left < 0.45);
    assert_true(turned > 0.3 && turned < 0.45);
    fr_real_destroy(real);
}

// The alignment is e_p + 2 rho sin(e_r / 2) while it stands.
static void test_the_expected_alignment(void **state) {
    (void)state;
    fr_real_def def = fr_default_real_def();
    def.radius = 0.06;
    fr_real *real = NULL;
    assert_int_equal(fr_real_create(&def, &real, NULL), FR_OK);
    fr_pose pose = fr_pose_identity();
    assert_int_equal(fr_real_see(real, &pose, 0.0, NULL), FR_OK);
    double expected = 0.001 + 2.0 * 0.06 * sin(0.5 * fr_radians(0.3));
    assert_true(fabs(fr_real_now(real, 0.03).alignment - expected) < 1e-9);
    fr_real_destroy(real);
}

// Along x with this speed, or about z: seen for `seconds`.
static void travel(fr_real *real, fr_random *random, double speed, double spin, double *time, double seconds) {
    double begin_time = *time;
    while (*time < begin_time + seconds) {
        *time += FRAME;
        fr_pose truth = fr_pose_make(fr_vec3_make(speed * *time, 0.0, 0.0),
                                     fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), spin * *time));
        fr_pose seen = random != NULL ? measured(random, &truth) : truth;
        assert_int_equal(fr_real_see(real, &seen, *time, NULL), FR_OK);
    }
}

static void test_what_moves_is_followed_and_what_is_fast_holds_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    for (int k = 0; k < 2; k++) {
        fr_real *real = begin(k == 0 ? 0.0 : ERROR, k == 0 ? 0.0 : fr_radians(0.3));
        double time = 0.0;
        travel(real, k == 0 ? NULL : &random, 0.05, 0.0, &time, 1.0);
        fr_real_state now = fr_real_now(real, time);
        assert_false(now.is_slow);
        assert_true(now.is_usable);
        assert_true(fabs(now.pose.position.x - 0.05 * time) < 5.0 * ERROR); // not smoothed: no lag
        assert_true(now.speed > 0.03 && now.speed < 0.055);

        fr_real_destroy(real);
        real = begin(k == 0 ? 0.0 : ERROR, k == 0 ? 0.0 : fr_radians(0.3));
        time = 0.0;
        travel(real, k == 0 ? NULL : &random, 0.2, 0.0, &time, 0.6);
        assert_false(fr_real_now(real, time).is_usable);

        // Turning alone makes the farthest point fast: 0.1 m at 3 radians a second
        fr_real_destroy(real);
        real = begin(k == 0 ? 0.0 : ERROR, k == 0 ? 0.0 : fr_radians(0.3));
        time = 0.0;
        travel(real, k == 0 ? NULL : &random, 0.0, 3.0, &time, 0.6);
        assert_false(fr_real_now(real, time).is_usable);
        fr_real_destroy(real);
    }
}

static void test_what_is_lost_holds_nothing_until_it_is_seen_again(void **state) {
    (void)state;
    fr_real *real = begin(ERROR, 0.0);
    double time = 0.0;
    travel(real, NULL, 0.0, 0.0, &time, 0.5);
    assert_true(fr_real_now(real, time + 0.099).is_usable);
    assert_false(fr_real_now(real, time + 0.101).is_usable);
    // It was carried elsewhere meanwhile: no speed is made of that
    fr_pose there = fr_pose_make(fr_vec3_make(1.0, 0.0, 0.0), fr_quat_identity());
    assert_int_equal(fr_real_see(real, &there, time + 1.0, NULL), FR_OK);
    fr_real_state now = fr_real_now(real, time + 1.0);
    assert_true(now.is_usable && now.speed == 0.0);
    assert_true(now.pose.position.x == 1.0);
    fr_real_destroy(real);
}

// ---------------------------------------------------------------------------------------------------------------
// With the aid

static fr_object_id add_cube(fr_space *space, const fr_mesh *mesh, fr_vec3 at) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = fr_pose_make(at, fr_quat_identity());
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    return id;
}

// An empty space, an aid, and the mesh of a cube of 70 mm.
static void open_desk(fr_space **space, fr_aid **aid, fr_mesh **cube) {
    fr_space_def space_def = fr_default_space_def();
    fr_aid_def aid_def = fr_default_aid_def();
    assert_int_equal(fr_space_create(&space_def, space, NULL), FR_OK);
    assert_int_equal(fr_aid_create(&aid_def, aid, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.07, 0.07, 0.07), NULL, cube, NULL), FR_OK);
}

static void close_desk(fr_space *space, fr_aid *aid, fr_mesh *cube) {
    fr_aid_destroy(aid);
    fr_space_destroy(space);
    fr_mesh_release(cube);
}

static void test_a_held_face_comes_off_when_its_object_is_lost(void **state) {
    (void)state;
    fr_space *space;
    fr_aid *aid;
    fr_mesh *cube;
    open_desk(&space, &aid, &cube);
    fr_object_id below = add_cube(space, cube, fr_vec3_make(0.0, 0.0, 0.0));
    fr_object_id held = add_cube(space, cube, fr_vec3_make(0.0, 0.08, 0.0));

    fr_real *real = begin(ERROR, 0.0);
    fr_pose stands = fr_pose_identity();
    assert_int_equal(fr_real_see(real, &stands, 0.0, NULL), FR_OK);
    fr_real_state now = fr_real_now(real, 0.0);
    assert_int_equal(fr_real_put(&now, space, below, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_true((fr_object_get(space, below)->flags & FR_OBJECT_REAL) != 0);
    assert_int_equal(fr_aid_grasp(aid, space, held, NULL), FR_OK);
    fr_pose raw = fr_pose_make(fr_vec3_make(0.0, 0.065, 0.0), fr_quat_identity());
    fr_aid_output out;
    assert_int_equal(fr_aid_frame(aid, space, &raw, 0.05, &out, NULL), FR_OK);
    assert_int_equal(out.held_count, 1);

    now = fr_real_now(real, 0.2);
    assert_int_equal(fr_real_put(&now, space, below, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_aid_frame(aid, space, &raw, 0.2, &out, NULL), FR_OK);
    assert_int_equal(out.held_count, 0);
    assert_true(out.event_count > 0 && out.events[0].kind == FR_HAND_RELEASE &&
                out.events[0].cause == FR_AID_CAUSE_GONE);
    assert_true(fr_vec3_distance(out.shown.position, raw.position) < 1e-12);

    fr_object_id none = {0};
    assert_int_equal(fr_real_put(&now, space, none, NULL), FR_ERROR_STALE_ID);
    close_desk(space, aid, cube);
    fr_real_destroy(real);
}

// A real cube that trembles is moved into the held one again and again, before it is held and while it is: it is
// stepped off and carried, and the face holds.
static void test_what_trembles_holds_as_well(void **state) {
    (void)state;
    fr_random random = fr_random_seed(8);
    uint64_t cases = test_count(40, 2000);
    for (uint64_t i = 0; i < cases; i++) {
        fr_space *space;
        fr_aid *aid;
        fr_mesh *cube;
        open_desk(&space, &aid, &cube);
        fr_object_id below = add_cube(space, cube, fr_vec3_make(0.0, 0.0, 0.0));
        fr_object_id held = add_cube(space, cube, fr_vec3_make(0.01, 0.09, 0.0));
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        assert_int_equal(fr_aid_grasp(aid, space, held, NULL), FR_OK);
        fr_real *real = begin(ERROR, fr_radians(0.3));
        fr_pose truth = fr_pose_identity();
        fr_quat tilt = fr_quat_from_vector(noises(&random, fr_radians(4.0)));
        fr_aid_output out;
        for (int k = 1; k <= 60; k++) {
            double time = k * FRAME;
            fr_pose seen = measured(&random, &truth);
            assert_int_equal(fr_real_see(real, &seen, time, NULL), FR_OK);
            fr_real_state now = fr_real_now(real, time);
            assert_int_equal(fr_real_put(&now, space, below, NULL), FR_OK);
            assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
            fr_pose raw = fr_pose_make(fr_vec3_make(0.01, fmax(0.09 - 0.0006 * k, 0.066), 0.0), tilt);
            assert_int_equal(fr_aid_frame(aid, space, &raw, time, &out, NULL), FR_OK);
            assert_int_equal(fr_object_set_pose(space, held, &out.shown, NULL), FR_OK);
        }
        assert_int_equal(out.held_count, 1);
        assert_true(fabs(out.shown.position.y - 0.07) < 5.0 * ERROR);
        close_desk(space, aid, cube);
        fr_real_destroy(real);
    }
}

// Two real things that stand at 90.3 degrees hold a cube by both faces; it goes into neither.
static void test_planes_that_do_not_quite_fit_hold_both(void **state) {
    (void)state;
    fr_space *space;
    fr_aid *aid;
    fr_mesh *cube;
    open_desk(&space, &aid, &cube);
    (void)add_cube(space, cube, fr_vec3_make(0.0, 0.0, 0.0));
    fr_object_id wall = add_cube(space, cube, fr_vec3_make(0.0, 0.07, -0.07));
    fr_object_id held = add_cube(space, cube, fr_vec3_make(0.0, 0.08, 0.02));
    fr_pose tilted = fr_object_get(space, wall)->pose;
    tilted.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(0.3));
    assert_int_equal(fr_object_set_pose(space, wall, &tilted, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_aid_grasp(aid, space, held, NULL), FR_OK);
    fr_aid_output out;
    for (int k = 1; k <= 40; k++) {
        double down = fmin(k, 20.0) * 0.001, back = fmax(k - 15.0, 0.0) * 0.0012;
        fr_pose raw = fr_pose_make(fr_vec3_make(0.0, 0.08 - down, 0.02 - back), fr_quat_identity());
        assert_int_equal(fr_aid_frame(aid, space, &raw, k * FRAME, &out, NULL), FR_OK);
        assert_int_equal(fr_object_set_pose(space, held, &out.shown, NULL), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    }
    assert_int_equal(out.held_count, 2);
    assert_true(fabs(out.shown.position.y - 0.07) < 1e-4);
    assert_true(fabs(out.shown.position.z) < 4e-4); // 0.3 degrees of 70 mm
    close_desk(space, aid, cube);
}

// A space with a cube, put where a measurement says.
static fr_status put_in_space(const fr_allocator *allocator, const fr_real *real) {
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status != FR_OK) { return status; }
    fr_mesh *mesh;
    fr_part_def part;
    fr_object_id id;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL), FR_OK);
    fr_object_def object = test_mesh_object(mesh, &part);
    status = fr_object_add(space, &object, &id, NULL);
    fr_real_state state = fr_real_now(real, 0.0);
    if (status == FR_OK) { status = fr_real_put(&state, space, id, NULL); }
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    return status;
}

static fr_status make_one(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_real_def def = fr_default_real_def();
    def.allocator = *allocator;
    fr_real *made = NULL;
    fr_status status = fr_real_create(&def, &made, NULL);
    assert_true((status == FR_OK) == (made != NULL));
    if (status == FR_OK) { status = put_in_space(allocator, made); }
    fr_real_destroy(made);
    return status;
}

static void test_memory_that_fails_is_reported(void **state) {
    (void)state;
    assert_true(test_every_failure(make_one, NULL) > 3);
    fr_real_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_numbers_are_refused),
        cmocka_unit_test(test_nothing_is_known_before_the_first_measurement),
        cmocka_unit_test(test_what_stands_is_smoothed),
        cmocka_unit_test(test_the_expected_alignment),
        cmocka_unit_test(test_what_moves_is_followed_and_what_is_fast_holds_nothing),
        cmocka_unit_test(test_what_is_lost_holds_nothing_until_it_is_seen_again),
        cmocka_unit_test(test_a_held_face_comes_off_when_its_object_is_lost),
        cmocka_unit_test(test_what_trembles_holds_as_well),
        cmocka_unit_test(test_planes_that_do_not_quite_fit_hold_both),
        cmocka_unit_test(test_memory_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
