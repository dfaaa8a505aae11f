// The events of a hand: every one says whose, where, when and how near all of it is to coming off.
#include "hands.h"

static void assert_near(fr_vec3 a, fr_vec3 b, double distance) { assert_true(fr_vec3_distance(a, b) <= distance); }

// Frames downwards until the cube is held.
static void snap(scene *s) {
    open_scene(s, fr_vec3_make(0.01, 0.1, 0.0));
    add_other(s, s->cube, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(s, NULL);
    while (s->snaps == 0) {
        assert_true(s->raw.position.y > 0.0);
        s->raw.position.y -= 0.003;
        frame(s);
    }
}

static void test_a_landing_tells_contact_then_snap(void **state) {
    (void)state;
    scene s;
    snap(&s);
    const fr_hand_event *contact = told(&s, FR_HAND_CONTACT), *held = told(&s, FR_HAND_SNAP);
    assert_non_null(contact);
    assert_non_null(held);
    assert_true(contact < held);
    const fr_vec3 middle = {0.01, 0.5 * EDGE, 0.0};
    for (const fr_hand_event *e = s.out.events; e < s.out.events + s.out.event_count; e++) {
        assert_true(fr_object_id_equal(e->object, s.held));
        assert_true(e->time == s.time);
        assert_true(e->pull == 0.0);
    }
    assert_near(held->point, middle, 2.0 * SKIN);
    assert_near(contact->point, middle, 2.0 * SKIN);
    assert_true(fabs(held->speed - 0.003 / FRAME) < 1e-9);
    assert_true(fabs(held->area - 0.06 * EDGE) < 1e-8);
    assert_int_equal(held->count, 1);
    assert_memory_equal(&held->pair, &s.out.held[0].pair, sizeof held->pair);
    assert_memory_equal(&contact->pair, &held->pair, sizeof held->pair);
    close_scene(&s);
}

static void test_sliding_tells_speed_area_and_place(void **state) {
    (void)state;
    scene s;
    snap(&s);
    s.raw.position = fr_vec3_add(s.raw.position, fr_vec3_make(0.0, -0.001, 0.002));
    frame(&s);
    const fr_hand_event *slide = told(&s, FR_HAND_SLIDE);
    assert_non_null(slide);
    assert_true(fabs(slide->speed - 0.002 / FRAME) < 1e-9);
    assert_true(fabs(slide->area - 0.06 * 0.068) < 1e-8);
    assert_near(slide->point, fr_vec3_make(0.01, 0.5 * EDGE, 0.002), 2.0 * SKIN);
    assert_int_equal(slide->count, 1);
    frame(&s);
    assert_null(told(&s, FR_HAND_SLIDE));
    close_scene(&s);
}

// Half of the way to where it comes off it begins to be told, each frame once, and grows to 1.
static void test_a_pull_is_told_from_one_half_on(void **state) {
    (void)state;
    scene s;
    snap(&s);
    double last = 0.0;
    while (s.out.held_count > 0) {
        assert_true(s.raw.position.y < 0.3);
        uint32_t before = s.pulls;
        s.raw.position.y += 0.001;
        frame(&s);
        if (s.out.held_count == 0) { break; }
        double pull = fmax(0.0, s.out.held[0].distance / s.out.held[0].threshold);
        const fr_hand_event *e = told(&s, FR_HAND_PULL);
        assert_int_equal(s.pulls - before, pull > 0.5);
        assert_true((e != NULL) == (pull > 0.5));
        if (e == NULL) { continue; }
        assert_true(e->pull == pull && e->pull > last && e->pull <= 1.0);
        assert_near(e->point, fr_vec3_make(0.01, 0.5 * EDGE, 0.0), 2.0 * SKIN);
        assert_int_equal(e->count, 1);
        last = e->pull;
    }
    assert_true(last > 0.9 && s.pulls > 10);
    const fr_hand_event *e = told(&s, FR_HAND_RELEASE);
    assert_non_null(e);
    assert_null(told(&s, FR_HAND_PULL));
    assert_true(e->pull == 1.0);
    // Where it was held, although the cube has jumped to the hand
    assert_near(e->point, fr_vec3_make(0.01, 0.5 * EDGE, 0.0), 2.0 * SKIN);
    assert_int_equal(e->count, 0);
    assert_true(fr_object_id_equal(e->object, s.held));
    close_scene(&s);
}

// One face pushed in and one pulled: the pulled one counts, and the place is its own.
static void test_the_largest_pull_of_two_faces_counts(void **state) {
    (void)state;
    scene s;
    fr_random random = fr_random_seed(11);
    open_task(&s, 2);
    do_task(&s, 2, &random);
    assert_int_equal(s.out.held_count, 2);
    assert_int_equal(s.pulls, 0);
    while (s.pulls == 0 && s.raw.position.z < 0.2) {
        s.raw.position.z += 0.001;
        frame(&s);
    }
    const fr_hand_event *e = told(&s, FR_HAND_PULL);
    assert_non_null(e);
    uint32_t pulled = s.out.held[0].distance > 0.0 ? 0 : 1;
    assert_true(s.out.held[pulled].plane.normal.z > 0.99);
    assert_near(e->point, fr_pose_apply(&s.out.shown, s.out.held[pulled].plane.centroid_local), 1e-12);
    assert_int_equal(e->count, 2);
    close_scene(&s);
}

// The hand lets go while it pulls: that is all that is told, at the middle of the object.
static void test_letting_go_tells_the_object_and_its_middle(void **state) {
    (void)state;
    scene s;
    snap(&s);
    s.raw.position.y = EDGE + 0.025;
    frame(&s);
    assert_non_null(told(&s, FR_HAND_PULL));
    fr_aid_output out = release(&s);
    assert_int_equal(out.event_count, 1);
    const fr_hand_event *e = &out.events[0];
    assert_int_equal(e->kind, FR_HAND_DONE);
    assert_true(fr_object_id_equal(e->object, s.held));
    assert_near(e->point, out.shown.position, 1e-9);
    assert_true(e->pull > 0.5 && e->pull < 1.0 && e->time == s.time);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_landing_tells_contact_then_snap),
        cmocka_unit_test(test_sliding_tells_speed_area_and_place),
        cmocka_unit_test(test_a_pull_is_told_from_one_half_on),
        cmocka_unit_test(test_the_largest_pull_of_two_faces_counts),
        cmocka_unit_test(test_letting_go_tells_the_object_and_its_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
