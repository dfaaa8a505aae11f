// Where the objects of a scene are.
#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static fr_scene *read_text(const char *text) {
    fr_scene *scene;
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &scene, NULL), FR_OK);
    return scene;
}

static void expect_near(fr_vec3 a, fr_vec3 b) { assert_true(fr_vec3_distance(a, b) < 1e-12); }

static bool same_pose(const fr_pose *a, const fr_pose *b) { return memcmp(a, b, sizeof *a) == 0; }

static const char moving[] =
    "{\"fureai\":1,\"step\":0.25,\"steps\":8,\"objects\":["
    "{\"name\":\"go\",\"shape\":\"box\",\"position\":[1,2,3],\"velocity\":[4,0,-8]},"
    "{\"name\":\"turn\",\"shape\":\"box\",\"scale\":2,\"pivot\":[1,0,0],\"angular_velocity_deg\":[0,90,0]},"
    "{\"name\":\"stay\",\"shape\":\"box\",\"position\":[0.1,0.2,0.3]},"
    "{\"name\":\"path\",\"shape\":\"box\",\"path\":[{\"t\":0.5,\"position\":[0,0,0]},"
    "{\"t\":1.5,\"position\":[4,0,0],\"axis_angle_deg\":[0,0,1,90]}]}]}";

static void velocities_move_from_time_zero(void **state) {
    (void)state;
    fr_scene *scene = read_text(moving);
    assert_true(fr_scene_time(scene, 3) == 0.75);
    fr_pose pose = fr_scene_pose(scene, 0, 3);
    expect_near(pose.position, fr_vec3_make(4, 2, -3));

    // A quarter turn about the pivot, which stands at (2, 0, 0) in the world and stays there.
    pose = fr_scene_pose(scene, 1, 4);
    expect_near(fr_pose_apply(&pose, fr_vec3_make(1, 0, 0)), fr_vec3_make(2, 0, 0));
    expect_near(fr_pose_apply(&pose, fr_vec3_make(0, 0, 0)), fr_vec3_make(2, 0, 2));
    assert_true(pose.scale == 2.0);
    fr_scene_destroy(scene);
}

static void what_stays_keeps_its_bits(void **state) {
    (void)state;
    fr_scene *scene = read_text(moving);
    const fr_scene_object *objects = fr_scene_get(scene)->objects;
    for (uint32_t k = 0; k <= 8; k++) {
        fr_pose pose = fr_scene_pose(scene, 2, k);
        assert_true(same_pose(&pose, &objects[2].pose));
    }
    for (uint32_t i = 0; i < 4; i++) {
        fr_pose pose = fr_scene_pose(scene, i, 0);
        assert_true(same_pose(&pose, &objects[i].pose));
    }
    fr_scene_destroy(scene);
}

static void paths_go_from_sample_to_sample(void **state) {
    (void)state;
    fr_scene *scene = read_text(moving);
    fr_pose before = fr_scene_pose(scene, 3, 1), first = fr_scene_pose(scene, 3, 2);
    fr_pose middle = fr_scene_pose(scene, 3, 4), last = fr_scene_pose(scene, 3, 6), after = fr_scene_pose(scene, 3, 8);
    assert_true(same_pose(&before, &first) && same_pose(&last, &after));
    expect_near(first.position, fr_vec3_make(0, 0, 0));
    expect_near(middle.position, fr_vec3_make(2, 0, 0));
    expect_near(last.position, fr_vec3_make(4, 0, 0));
    expect_near(fr_pose_turn(&middle, fr_vec3_make(1, 0, 0)), fr_vec3_make(sqrt(0.5), sqrt(0.5), 0));
    expect_near(fr_pose_turn(&last, fr_vec3_make(1, 0, 0)), fr_vec3_make(0, 1, 0));
    fr_scene_destroy(scene);
}

static void motions_lead_to_the_next_pose(void **state) {
    (void)state;
    fr_scene *scene = read_text(moving);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 8; k++) {
            fr_motion motion = fr_scene_motion(scene, i, k);
            fr_pose start = fr_scene_pose(scene, i, k), next = fr_scene_pose(scene, i, k + 1);
            assert_true(same_pose(&motion.start, &start));
            fr_pose end = fr_motion_pose(&motion, 1.0);
            fr_vec3 point = {1, 2, 3};
            expect_near(fr_pose_apply(&end, point), fr_pose_apply(&next, point));
            assert_int_equal(fr_motion_check(&motion, NULL), FR_OK);
        }
    }
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_move_from_time_zero),
        cmocka_unit_test(what_stays_keeps_its_bits),
        cmocka_unit_test(paths_go_from_sample_to_sample),
        cmocka_unit_test(motions_lead_to_the_next_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
