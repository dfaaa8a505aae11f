// A free body that gives way to what moves into it: small truths, their least motions, edges and hostile input.
#include "touch/push_scene.h"

#include <pthread.h>

#define SKIN 1e-4

// A box of 0.1 on a floor, its lower face a skin above it, and a pusher that comes along x.
static push_scene *box_on_floor(double gap, double offset, double travel) {
    push_scene *s = scene_open(scene_box(0.1, 0.1, 0.1), at_place(0.0, 0.05 + gap, 0.0));
    scene_stand(s, scene_box(4.0, 0.2, 4.0), at_place(0.0, -0.1, 0.0));
    scene_pusher(s, scene_box(0.02, 0.04, 0.02), at_place(-0.065, 0.05, offset), fr_vec3_make(travel, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    return s;
}

static void test_a_box_is_pushed_along_the_floor(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.0, 0.05);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    // The pusher's face goes to -0.005, a skin behind the box
    assert_true(fabs(out.pose.position.x - (0.045 + SKIN)) < 0.05 * SKIN);
    assert_true(fabs(out.pose.position.y - 0.05 - SKIN) < 0.05 * SKIN && fabs(out.pose.position.z) < 1e-9);
    assert_true(fr_vec3_length(fr_quat_to_vector(out.pose.rotation)) < 1e-6);
    assert_true(out.contact_count > 0 && out.contact_count <= 6);
    scene_close(s);
}

static void test_a_push_off_centre_turns(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.03, 0.03);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    fr_vec3 turn = fr_quat_to_vector(out.pose.rotation);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    // It is pushed along x at z = 0.03 (and its corner at 0.04): it turns about y, and stays on the floor
    assert_true(turn.y > 0.05 && fabs(turn.x) < 1e-3 && fabs(turn.z) < 1e-3);
    assert_true(fabs(out.pose.position.y - 0.05 - SKIN) < 0.1 * SKIN);
    scene_close(s);
}

static void test_a_wall_jams(void **state) {
    (void)state;
    push_scene *s = scene_open(scene_box(0.1, 0.1, 0.1), at_place(0.0, 0.0, 0.0));
    scene_stand(s, scene_box(0.1, 1.0, 1.0), at_place(0.12, 0.0, 0.0)); // 0.02 before it
    scene_pusher(s, scene_box(0.1, 1.0, 1.0), at_place(-0.11, 0.0, 0.0), fr_vec3_make(0.1, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_int_equal(out.end, FR_PUSH_JAMMED);
    // 0.01 until it is touched and 0.02 until the wall, less two skins
    assert_true(fabs(0.1 * out.fraction - (0.03 - 2.0 * SKIN)) < SKIN);
    assert_true(out.pose.position.x < 0.02 && out.pose.position.x > 0.02 - 2.0 * SKIN);
    // What is jammed stays jammed
    scene_go_on(s, &out);
    out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_true(out.end == FR_PUSH_JAMMED && 0.1 * out.fraction < SKIN);
    scene_close(s);
}

// A round hole along x, and a peg in it with a tenth of a millimetre all round, pushed at its end.
static void test_a_peg_slides_in_its_hole(void **state) {
    (void)state;
    fr_mesh *peg, *tube;
    fr_thread_def def = fr_default_thread_def(); // its hole: a nut far too large
    def.diameter = 0.0202;
    def.pitch = 1e-3;
    def.length = 0.03;
    def.across = 0.04;
    def.axis = FR_AXIS_X;
    assert_int_equal(fr_mesh_create_thread(&def, NULL, &tube, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_cylinder(0.0089, 0.05, 32, FR_AXIS_X, NULL, &peg, NULL), FR_OK);
    push_scene *s = scene_open(peg, at_place(0.0, 0.0, 0.0));
    scene_stand(s, tube, at_place(0.0, 0.0, 0.0));
    scene_pusher(s, scene_box(0.01, 0.004, 0.004), at_place(-0.0301, 0.004, 0.0), fr_vec3_make(0.01, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    s->input.skin = 1e-5;
    for (int i = 0; i < 2; i++) {
        fr_push_output out = scene_push(s);
        check_pieces(s, &out, 65);
        assert_int_equal(out.end, FR_PUSH_ARRIVED);
        scene_go_on(s, &out);
    }
    fr_vec3 at = s->input.pose.position;
    assert_true(at.x > 0.018 && at.x < 0.022 && fabs(at.y) < 1e-3 && fabs(at.z) < 1e-3);
    scene_close(s);
}

static void test_a_ball_rolls_off_nothing(void **state) {
    (void)state;
    fr_mesh *ball;
    assert_int_equal(fr_mesh_create_sphere(0.05, 16, 32, FR_AXIS_Y, NULL, &ball, NULL), FR_OK);
    push_scene *s = scene_open(ball, at_place(0.0, 0.0, 0.0));
    scene_pusher(s, scene_box(0.02, 0.2, 0.2), at_place(-0.08, 0.0, 0.0), fr_vec3_make(0.1, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    assert_true(fabs(out.pose.position.x - 0.08) < 2.0 * SKIN);
    assert_true(fabs(out.pose.position.y) < 1e-3 && fabs(out.pose.position.z) < 1e-3);
    scene_close(s);
}

// Nothing else that frees the box is smaller: a search over small travels and turns, weighed as the push weighs them.
static void test_no_smaller_motion_frees_it(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.02, 0.0162);
    s->pushers[0].motion.start.position.x = -0.06 - SKIN; // it begins at the face, and goes on by 16.2 mm
    s->pushers[0].motion.travel.x = 0.002;
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 65);
    assert_int_equal(out.piece_count, 1);
    const fr_motion *motion = &out.pieces[0].motion;
    double mass = 1.0 / s->input.body.inverse_mass, inertia = 1.0 / s->input.body.inverse_inertia.row[0].x;
    double cost = mass * fr_vec3_length_squared(motion->travel) + inertia * fr_vec3_length_squared(motion->turn);
    const fr_motion pusher = pusher_between(&s->pushers[0], 0.0, 1.0);
    uint64_t tries = test_count(3000, 100000);
    fr_random random = fr_random_seed(3);
    for (uint64_t i = 0; i < tries; i++) {
        fr_motion other = *motion;
        fr_vec3 more = random_about(&random, 4e-4), turn = random_about(&random, 8e-3);
        other.travel = fr_vec3_add(motion->travel, more);
        other.turn = fr_vec3_add(motion->turn, turn);
        double its = mass * fr_vec3_length_squared(other.travel) + inertia * fr_vec3_length_squared(other.turn);
        if (its >= 0.98 * cost) { continue; }
        // A skin is kept at the end: of all that are clearly smaller none ends so
        fr_push_piece piece = {1.0, 1.0, fr_motion_still(&motion->start)};
        piece.motion.start = fr_motion_pose(&other, 1.0);
        fr_move_input query = fr_default_move_input();
        query.space = s->space;
        query.parts = &s->part;
        query.part_count = 1;
        query.motion = fr_motion_still(&piece.motion.start);
        query.margin = 0.9 * SKIN;
        query.filter = &s->filter;
        fr_pose end = fr_motion_pose(&pusher, 1.0);
        assert_int_equal(fr_object_set_pose(s->space, s->ids[2], &end, NULL), FR_OK);
        assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
        fr_move_output found;
        assert_int_equal(fr_collide_move(&query, &found, NULL), FR_OK);
        assert_true(found.is_hit);
    }
    scene_close(s);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static void test_what_rests_on_a_face_steps_off(void **state) {
    (void)state;
    push_scene *s = box_on_floor(0.0, 0.0, 0.05); // its face lies in the floor's
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    assert_true(out.pieces[0].begin == 0.0 && out.pieces[0].end == 0.0);
    assert_true(out.pieces[0].motion.travel.y > 0.0 && out.pieces[0].motion.travel.y < 1.1 * SKIN);
    assert_true(fabs(out.pose.position.x - (0.045 + SKIN)) < 0.1 * SKIN);
    scene_close(s);
}

static void test_a_pusher_may_touch_already(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.0, 0.02);
    s->pushers[0].motion.start.position.x = -0.06; // its face lies in the box's
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 257);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    assert_true(fabs(out.pose.position.x - (0.02 + SKIN)) < 0.1 * SKIN);
    scene_close(s);
}

static void test_what_begins_inside_stays(void **state) {
    (void)state;
    push_scene *s = scene_open(scene_box(0.1, 0.1, 0.1), at_place(0.0, 0.0, 0.0));
    scene_stand(s, scene_box(4.0, 0.2, 4.0), at_place(0.0, -0.13, 0.0)); // 0.02 deep
    scene_pusher(s, scene_box(0.02, 0.04, 0.02), at_place(-0.1, 0.0, 0.0), fr_vec3_make(0.1, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    fr_push_output out = scene_push(s);
    assert_int_equal(out.end, FR_PUSH_INSIDE);
    assert_true(out.fraction == 0.0 && out.piece_count == 0);
    assert_memory_equal(&out.pose, &s->input.pose, sizeof out.pose);
    scene_close(s);
}

static void test_without_a_push_it_stays(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.0, 0.0);
    fr_push_output out = scene_push(s);
    assert_true(out.end == FR_PUSH_ARRIVED && out.fraction == 1.0);
    assert_memory_equal(&out.pose, &s->input.pose, sizeof out.pose);
    s->input.pusher_count = 0;
    s->input.pushers = NULL;
    out = scene_push(s);
    assert_true(out.end == FR_PUSH_ARRIVED && out.fraction == 1.0);
    scene_close(s);
}

static void test_far_from_the_origin(void **state) {
    (void)state;
    push_scene *s = scene_open(scene_box(0.1, 0.1, 0.1), at_place(1e6, 0.05 + SKIN, -1e6));
    scene_stand(s, scene_box(4.0, 0.2, 4.0), at_place(1e6, -0.1, -1e6));
    scene_pusher(s, scene_box(0.02, 0.04, 0.02), at_place(1e6 - 0.065, 0.05, -1e6), fr_vec3_make(0.05, 0.0, 0.0),
                 fr_vec3_make(0.0, 0.0, 0.0));
    scene_ready(s);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 65);
    assert_int_equal(out.end, FR_PUSH_ARRIVED);
    assert_true(fabs(out.pose.position.x - 1e6 - 0.045) < 3.0 * SKIN);
    scene_close(s);
}

static void test_what_cannot_move_jams(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.0, 0.05);
    s->input.body.inverse_mass = 0.0;
    memset(&s->input.body.inverse_inertia, 0, sizeof s->input.body.inverse_inertia);
    fr_push_output out = scene_push(s);
    check_pieces(s, &out, 65);
    assert_int_equal(out.end, FR_PUSH_JAMMED);
    assert_true(0.05 * out.fraction < 0.005 && 0.05 * out.fraction > 0.005 - 2.0 * SKIN);
    scene_close(s);
}

static void refuse(push_scene *s, fr_status status) {
    fr_push_output out;
    fr_error error;
    assert_int_equal(fr_touch_push(&s->input, &out, &error), status);
    assert_int_equal(out.piece_count, 0);
}

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.0, 0.05);
    const fr_push_input good = s->input;
    const fr_pusher pusher = s->pushers[0];
    s->input.cookie = 0;
    refuse(s, FR_ERROR_ARGUMENT);
    s->input = good;
    s->input.scratch = NULL;
    refuse(s, FR_ERROR_ARGUMENT);
    s->input = good;
    s->input.parts = NULL;
    refuse(s, FR_ERROR_ARGUMENT);
    s->input = good;
    s->input.max_pieces = FR_PUSH_MAX_PIECES + 1;
    refuse(s, FR_ERROR_ARGUMENT);
    s->input = good;
    s->input.pusher_count = FR_PUSH_MAX_PUSHERS + 1;
    refuse(s, FR_ERROR_ARGUMENT);
    const double skins[3] = {0.0, -1.0, NAN};
    for (int i = 0; i < 3; i++) {
        s->input = good;
        s->input.skin = skins[i];
        refuse(s, FR_ERROR_ARGUMENT);
    }
    s->input = good;
    s->input.pose.position.y = NAN;
    refuse(s, FR_ERROR_NOT_FINITE);
    s->input = good;
    s->input.body.center.x = INFINITY;
    refuse(s, FR_ERROR_NOT_FINITE);
    s->input = good;
    s->input.body.inverse_mass = -1.0;
    refuse(s, FR_ERROR_ARGUMENT);
    s->input = good;
    s->pushers[0].motion.travel.z = NAN;
    refuse(s, FR_ERROR_NOT_FINITE);
    s->pushers[0] = pusher;
    s->pushers[0].object.generation++;
    refuse(s, FR_ERROR_STALE_ID);
    s->pushers[0] = pusher;
    s->filter.as_object = s->ids[0];
    s->filter.as_object.generation++;
    refuse(s, FR_ERROR_STALE_ID);
    s->filter.as_object = (fr_object_id){0};
    fr_pose pose = at_place(0.0, 3.0, 0.0);
    scene_add(s, scene_box(1.0, 1.0, 1.0), pose); // no update since
    refuse(s, FR_ERROR_STALE_DATA);
    scene_close(s);
}

// ---------------------------------------------------------------------------------------------------------------
// The same from any thread

static void *push_again(void *context) {
    const push_scene *s = context;
    fr_push_output *out = calloc(1, sizeof *out);
    fr_push_input input = s->input;
    input.scratch = calloc(1, FR_PUSH_SCRATCH_BYTES);
    memset(input.scratch, 0xa5, FR_PUSH_SCRATCH_BYTES); // what was in it makes no difference
    if (fr_touch_push(&input, out, NULL) != FR_OK) { out->piece_count = UINT32_MAX; }
    free(input.scratch);
    return out;
}

static void test_two_threads_have_one_result(void **state) {
    (void)state;
    push_scene *s = box_on_floor(SKIN, 0.03, 0.05);
    fr_push_output first = scene_push(s);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, push_again, s), 0);
    }
    for (int i = 0; i < 2; i++) {
        void *out;
        assert_int_equal(pthread_join(threads[i], &out), 0);
        assert_memory_equal(out, &first, sizeof first);
        free(out);
    }
    scene_close(s);
}

// ---------------------------------------------------------------------------------------------------------------
// Anything among anything

static fr_mesh *any_mesh(fr_random *random) {
    double size = fr_random_between(random, 0.05, 0.15);
    fr_mesh *mesh;
    if (fr_random_unit(random) < 0.6) { return scene_box(size, fr_random_between(random, 0.05, 0.15), 0.1); }
    assert_int_equal(fr_mesh_create_sphere(0.5 * size, 6, 10, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

static fr_pose any_pose(fr_random *random, double reach) {
    return fr_pose_make(random_about(random, reach), fr_quat_from_vector(random_about(random, 1.5)));
}

static void test_nothing_goes_through_anything(void **state) {
    (void)state;
    uint64_t scenes = test_count(40, 1000), pieces = 0, jammed = 0, inside = 0;
    for (uint64_t i = 0; i < scenes; i++) {
        fr_random random = fr_random_seed(i + 1);
        push_scene *s = scene_open(any_mesh(&random), any_pose(&random, 0.02));
        for (int k = 0; k < 3; k++) {
            fr_pose pose = any_pose(&random, 0.05);
            fr_vec3 out = fr_vec3_unit(random_about(&random, 1.0), fr_vec3_make(1.0, 0.0, 0.0));
            pose.position = fr_vec3_add_scaled(pose.position, 0.17, out);
            scene_stand(s, any_mesh(&random), pose);
        }
        for (int k = 0; k < 2; k++) {
            fr_pose pose = any_pose(&random, 0.02);
            fr_vec3 out = fr_vec3_unit(random_about(&random, 1.0), fr_vec3_make(1.0, 0.0, 0.0));
            pose.position = fr_vec3_add_scaled(pose.position, 0.2, out);
            scene_pusher(s, any_mesh(&random), pose, fr_vec3_add(fr_vec3_scale(-0.1, out), random_about(&random, 0.02)),
                         random_about(&random, 0.5));
        }
        scene_ready(s);
        for (int k = 0; k < 3; k++) {
            fr_push_output out = scene_push(s);
            check_pieces(s, &out, SAMPLES);
            pieces += out.piece_count;
            jammed += out.end == FR_PUSH_JAMMED;
            inside += out.end == FR_PUSH_INSIDE;
            scene_go_on(s, &out);
        }
        scene_close(s);
    }
    assert_true(pieces > scenes && 2 * jammed < 3 * scenes && 2 * inside < 3 * scenes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_input_is_refused),        cmocka_unit_test(test_a_box_is_pushed_along_the_floor),
        cmocka_unit_test(test_a_push_off_centre_turns),       cmocka_unit_test(test_a_wall_jams),
        cmocka_unit_test(test_a_peg_slides_in_its_hole),      cmocka_unit_test(test_a_ball_rolls_off_nothing),
        cmocka_unit_test(test_no_smaller_motion_frees_it),    cmocka_unit_test(test_what_rests_on_a_face_steps_off),
        cmocka_unit_test(test_a_pusher_may_touch_already),    cmocka_unit_test(test_what_begins_inside_stays),
        cmocka_unit_test(test_without_a_push_it_stays),       cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_what_cannot_move_jams),         cmocka_unit_test(test_two_threads_have_one_result),
        cmocka_unit_test(test_nothing_goes_through_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
