// Where an object in a hand could stand: free places, and those where it would be in another one.
#include "actor/hands.h"
#include "mesh_object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Boxes whose edges run in one another's faces: no face crosses another one, wherever the smaller one is put.
static void a_place_inside_an_aligned_box_is_not_free(void **state) {
    (void)state;
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_OK);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &mesh, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    static const struct {
        fr_vec3 place;
        bool is_free;
    } cases[] = {
        {{0.5, 0.0, 0.0}, false},    {{0.0, 0.25, 0.0}, false}, {{0.5, 0.5, 0.0}, false}, {{1.0, 0.0, 0.0}, true},
        {{1.0, 0.5, 0.25}, true},    {{0.0, -1.0, 0.5}, true},  {{1.0, 1.0, 0.0}, true},  {{3.0, 0.0, 0.0}, true},
        {{0.5, 0.25, 0.125}, false}, {{1.0, 1.0, -1.0}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_pose pose = fr_pose_make(cases[i].place, fr_quat_identity());
        assert_int_equal(fr__hands_is_free(space, NULL, &part, 1, &pose), cases[i].is_free);
    }
    fr_space_destroy(space);
    fr_mesh_release(mesh);
}

// 128 faces about one corner, less than a micrometre before another face: that is as near as the aid leaves it.
static void a_place_just_before_a_face_is_free(void **state) {
    (void)state;
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_OK);
    fr_mesh *box, *ball;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &box, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere:8x128", NULL, &ball, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(box, &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    part.mesh = ball;
    fr_pose pose = fr_pose_make(fr_vec3_make(0.1, 1.5 + 6.5e-7, 0.2), fr_quat_identity());
    assert_true(fr__hands_is_free(space, NULL, &part, 1, &pose));
    pose.position.y = 1.5 - 6.5e-7;
    assert_false(fr__hands_is_free(space, NULL, &part, 1, &pose));
    fr_space_destroy(space);
    fr_mesh_release(box);
    fr_mesh_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_inside_an_aligned_box_is_not_free),
        cmocka_unit_test(a_place_just_before_a_face_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
