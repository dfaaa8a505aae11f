// A body that is set loose: it falls, rests, slides or stays, and never goes into anything.
#include "frame.h"
#include "mesh_object.h"
#include "random_vector.h"

#include "fureai/collide.h"
#include "fureai/touch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A body over a plate of 4 that is turned about z.
typedef struct slope {
    fr_space *space;
    fr_mesh *plate, *block;
    fr_part_def part;
    fr_fall_input input;
} slope;

// Takes over the mesh of the body, which stands at a pose over the plate as it is turned.
static void open_with(fr_mesh *block, double angle, const fr_pose *pose, slope *s) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(4.0, 0.2, 4.0), NULL, &s->plate, NULL), FR_OK);
    s->block = block;
    fr_part_def part;
    fr_object_def object = test_mesh_object(s->plate, &part);
    object.pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), angle);
    fr_object_id id;
    assert_int_equal(fr_object_add(s->space, &object, &id, NULL), FR_OK);
    // The body takes its mass from an object of its own that is taken away again
    part.mesh = s->block;
    object.pose = fr_pose_compose(&object.pose, pose);
    assert_int_equal(fr_object_add(s->space, &object, &id, NULL), FR_OK);
    static _Alignas(max_align_t) unsigned char scratch[FR_FALL_SCRATCH_BYTES];
    s->input = fr_default_fall_input();
    s->input.scratch = scratch;
    assert_int_equal(fr_rebound_body_of(s->space, id, 1000.0, &s->input.body, NULL), FR_OK);
    assert_int_equal(fr_object_remove(s->space, id, NULL), FR_OK);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    s->part = part;
    s->input.space = s->space;
    s->input.parts = &s->part;
    s->input.part_count = 1;
    s->input.pose = object.pose;
    s->input.body.friction = 0.5;
}

static fr_mesh *box_of(double x, double y, double z) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// A block of 0.1, so high above the plate.
static void open_slope(double angle, double height, slope *s) {
    fr_pose pose = fr_pose_identity();
    pose.position.y = 0.15 + height;
    open_with(box_of(0.1, 0.1, 0.1), angle, &pose, s);
}

static void close_slope(slope *s) {
    fr_space_destroy(s->space);
    fr_mesh_release(s->plate);
    fr_mesh_release(s->block);
}

static fr_fall_output step(slope *s) {
    fr_fall_output out;
    fr_error error;
    fr_status status = fr_touch_fall(&s->input, &out, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    s->input.pose = out.pose;
    s->input.body = out.body;
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_MESH;
    shape.mesh = s->block;
    shape.pose = out.pose;
    uint32_t count = 0;
    assert_int_equal(fr_space_overlap(s->space, &shape, NULL, NULL, 0, &count, NULL), FR_OK);
    assert_int_equal(count, 0);
    return out;
}

static void test_free_fall_is_galileos(void **state) {
    (void)state;
    slope s;
    open_slope(0.0, 10.0, &s);
    double begin = s.input.pose.position.y;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(step(&s).contacts, 0);
    }
    // Steps of equal velocity: g (n + 1) n / 2 steps
    assert_true(fabs(begin - s.input.pose.position.y - 9.81 * 0.01 * 0.01 * 101.0 * 100.0 / 2.0) < 1e-9);
    close_slope(&s);
}

static void test_a_block_set_down_stays(void **state) {
    (void)state;
    slope s;
    open_slope(0.0, 1e-4, &s);
    fr_vec3 begin = s.input.pose.position;
    bool rests = false;
    uint64_t steps = test_count(200, 1000);
    for (uint64_t i = 0; i < steps; i++) {
        rests = step(&s).is_resting;
    }
    assert_true(rests);
    assert_true(fr_vec3_distance(begin, s.input.pose.position) < 1e-3);
    close_slope(&s);
}

// It falls on the plate, and ends on it, a skin above.
static void test_a_block_that_falls_comes_to_rest(void **state) {
    (void)state;
    slope s;
    open_slope(0.0, 0.3, &s);
    bool rests = false;
    for (int i = 0; i < 200 && !rests; i++) {
        rests = step(&s).is_resting;
    }
    assert_true(rests);
    assert_true(fabs(s.input.pose.position.y - 0.15) < 5e-4);
    close_slope(&s);
}

static void test_a_block_slides_when_the_slope_is_steeper_than_friction(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        slope s;
        double factor = i == 0 ? 0.98 : 1.02;
        double angle = atan(0.5 * factor);
        open_slope(angle, 1e-4, &s);
        fr_vec3 begin = s.input.pose.position;
        for (int k = 0; k < 100; k++) {
            (void)step(&s);
        }
        double way = fr_vec3_distance(begin, s.input.pose.position);
        // In one second: g (sin - mu cos) / 2
        double wanted = 9.81 * (sin(angle) - 0.5 * cos(angle)) / 2.0;
        if (i == 0) {
            assert_true(way < 1e-3);
        } else {
            assert_true(fabs(way - wanted) < 0.1 * wanted + 2e-3);
        }
        close_slope(&s);
    }
}

// What lands flat stays flat, however it lies, goes and springs, and whatever its triangles are. The outermost places
// that carry are looked for by eight directions: the piston's rim has more corners than that. None is so fast that
// friction tips it.
static void test_a_flat_landing_does_not_turn(void **state) {
    (void)state;
    static const char *const names[] = {"box", "cylinder", "chair", "piston"};
    for (int i = 0; i < 24; i++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named(names[i % 4], NULL, &mesh, NULL), FR_OK);
        fr_pose pose = fr_pose_identity();
        pose.scale = i % 4 == 3 ? 1.0 : 0.1;
        pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), 0.3 * i);
        pose.position = fr_vec3_make(0.04 * i, 0.15 - pose.scale * fr_mesh_get(mesh)->bounds.min.y, 0.03 * i);
        slope s;
        open_with(mesh, 0.0, &pose, &s);
        s.input.body.restitution = s.input.restitution = i % 2 == 0 ? 0.0 : 0.4;
        s.input.body.velocity = fr_vec3_make(i % 3 == 0 ? 0.0 : 0.15, -0.5, i % 3 == 2 ? 0.1 : 0.0);
        bool rests = false;
        for (int k = 0; k < 200 && !rests; k++) {
            fr_fall_output out = step(&s);
            assert_true(fr_vec3_length(out.body.spin) < 1e-8);
            rests = out.is_resting;
        }
        assert_true(rests);
        fr_quat turn = fr_quat_multiply(s.input.pose.rotation, fr_quat_conjugate(pose.rotation));
        assert_true(fr_vec3_length(fr_quat_to_vector(turn)) < 1e-8);
        close_slope(&s);
    }
}

// However it is thrown: corners that catch on a face hold nothing up.
static void test_what_tumbles_comes_to_rest(void **state) {
    (void)state;
    static const char *const names[] = {"box", "chair", "gear", "piston"};
    fr_random random = fr_random_seed(21);
    uint64_t count = test_count(12, 1000);
    for (uint64_t i = 0; i < count; i++) {
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named(names[i % 4], NULL, &mesh, NULL), FR_OK);
        fr_pose pose = fr_pose_identity();
        pose.scale = i % 4 == 3 ? 1.0 : 0.1;
        pose.rotation = fr_quat_from_axis_angle(random_about(&random, 1.0), 6.0 * fr_random_unit(&random));
        pose.position = fr_vec3_make(0.0, 0.3, 0.0);
        slope s;
        open_with(mesh, 0.0, &pose, &s);
        s.input.body.restitution = s.input.restitution = i % 2 == 0 ? 0.0 : 0.3;
        s.input.body.velocity = random_about(&random, 1.0);
        s.input.body.spin = random_about(&random, 5.0);
        bool rests = false;
        for (int k = 0; k < 1000 && !rests; k++) {
            rests = step(&s).is_resting;
        }
        assert_true(rests && s.input.pose.position.y > 0.1);
        close_slope(&s);
    }
}

// With its centre over the plate's border it stays, beyond it it tips over.
static void test_what_carries_must_be_below_the_centre(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position = fr_vec3_make(i == 0 ? 1.98 : 2.02, 0.1501, 0.3);
        slope s;
        open_with(box_of(0.1, 0.1, 0.1), 0.0, &pose, &s);
        for (int k = 0; k < 28; k++) {
            (void)step(&s);
        }
        double fallen = pose.position.y - s.input.pose.position.y;
        fr_vec3 turn = fr_quat_to_vector(s.input.pose.rotation);
        assert_true(i == 0 ? fallen < 1e-3 && fr_vec3_length(turn) < 1e-8 : fallen > 0.1 && turn.z < -0.5);
        close_slope(&s);
    }
}

// The body that comes back is that of the new pose.
static void test_the_inertia_turns_with_the_body(void **state) {
    (void)state;
    slope s, there;
    fr_pose pose = fr_pose_identity();
    pose.position.y = 5.0;
    open_with(box_of(0.1, 0.2, 0.5), 0.0, &pose, &s);
    s.input.body.spin = fr_vec3_make(3.0, 2.0, -1.0);
    for (int k = 0; k < 50; k++) {
        (void)step(&s);
    }
    pose = s.input.pose;
    open_with(box_of(0.1, 0.2, 0.5), 0.0, &pose, &there);
    const fr_rebound_body *a = &s.input.body, *b = &there.input.body;
    for (int i = 0; i < 3; i++) {
        fr_vec3 off = fr_vec3_sub(a->inverse_inertia.row[i], b->inverse_inertia.row[i]);
        assert_true(fr_vec3_length(off) < 1e-9 * fr_vec3_length(b->inverse_inertia.row[i]));
    }
    assert_true(fr_vec3_distance(a->center, b->center) < 1e-9);
    close_slope(&s);
    close_slope(&there);
}

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    slope s;
    open_slope(0.0, 1.0, &s);
    fr_fall_output out;
    fr_fall_input input = s.input;
    input.cookie = 0;
    assert_int_equal(fr_touch_fall(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = s.input;
    input.step = 0.0;
    assert_int_equal(fr_touch_fall(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = s.input;
    input.skin = NAN;
    assert_int_equal(fr_touch_fall(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = s.input;
    input.scratch = NULL;
    assert_int_equal(fr_touch_fall(&input, &out, NULL), FR_ERROR_ARGUMENT);
    close_slope(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall_is_galileos),
        cmocka_unit_test(test_a_block_set_down_stays),
        cmocka_unit_test(test_a_block_that_falls_comes_to_rest),
        cmocka_unit_test(test_a_block_slides_when_the_slope_is_steeper_than_friction),
        cmocka_unit_test(test_a_flat_landing_does_not_turn),
        cmocka_unit_test(test_what_tumbles_comes_to_rest),
        cmocka_unit_test(test_what_carries_must_be_below_the_centre),
        cmocka_unit_test(test_the_inertia_turns_with_the_body),
        cmocka_unit_test(test_wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
