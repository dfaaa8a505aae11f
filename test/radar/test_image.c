// A range image that the caller brings, against the objects that it shows.
#include "seen.h"

#include "failing.h"

#define SIDE 96

static const fr_quat unturned = {1, 0, 0, 0};

// Takes the picture of a space from a pose, by rays.
static void take(const fr_space *space, float *depth, fr_range_image *image) {
    for (uint32_t row = 0; row < SIDE; row++) {
        for (uint32_t column = 0; column < SIDE; column++) {
            fr_vec3 travel = fr_vec3_make((2.0 * (column + 0.5) / SIDE - 1.0) * image->tan_x,
                                          (1.0 - 2.0 * (row + 0.5) / SIDE) * image->tan_y, -1.0);
            fr_ray ray = {image->pose.position, fr_mat3_apply(fr_quat_to_mat3(image->pose.rotation), travel), INFINITY};
            fr_space_hit hit;
            assert_int_equal(fr_space_ray(space, &ray, NULL, &hit, NULL), FR_OK);
            depth[SIDE * row + column] = hit.object.index1 > 0 ? (float)hit.distance : 0.0f;
        }
    }
    image->depth = depth;
    image->columns = image->rows = SIDE;
}

typedef struct shot {
    stage s;
    float depth[SIDE * SIDE];
    fr_range_image image;
    fr_object_id mover;
} shot;

// A wall and a ball before it, seen from z = 20 downwards; then only the picture of them is left, and a mover above.
static void open_shot(shot *t) {
    stage_open(&t->s, NULL);
    fr_mesh *ball;
    assert_int_equal(fr_mesh_create_sphere(1.0, 32, 64, FR_AXIS_Y, NULL, &ball, NULL), FR_OK);
    fr_object_id ids[2] = {stage_add(&t->s, box(30, 30, 1), fr_vec3_make(0, 0, -0.5), unturned),
                           stage_add(&t->s, ball, fr_vec3_make(2, 1, 3), unturned)};
    assert_int_equal(fr_space_update(t->s.space, NULL, NULL), FR_OK);
    t->image = (fr_range_image){.tan_x = 0.4, .tan_y = 0.4};
    t->image.pose = fr_pose_make(fr_vec3_make(0, 0, 20), unturned);
    take(t->s.space, t->depth, &t->image);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fr_object_remove(t->s.space, ids[i], NULL), FR_OK);
    }
    t->mover = stage_add(&t->s, box(1, 1, 1), fr_vec3_make(-3, -2, 10), unturned);
    t->s.input.image = &t->image;
}

static void what_a_camera_sees_stands_in_the_way(void **state) {
    (void)state;
    shot t;
    open_shot(&t);
    fr_vec3 down = fr_vec3_make(0, 0, -12);
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        t.s.input.look = (fr_radar_look)look;
        stage_look(&t.s, t.mover, down);
        assert_true(t.s.output.is_hit && fabs(t.s.output.distance - 9.5) < 1e-3);
        const fr_contact *c = &t.s.output.contact;
        assert_true(fr_object_id_equal(c->a, t.mover) && c->b.index1 == 0 && c->triangle_b < 2 * SIDE * SIDE);
        assert_true(c->normal.z < -0.999);
    }
    // Above the ball: it is a net of points, each on it; between them it may lie a little deeper.
    fr_pose pose = fr_pose_make(fr_vec3_make(2, 1, 10), unturned);
    assert_int_equal(fr_object_set_pose(t.s.space, t.mover, &pose, NULL), FR_OK);
    stage_look(&t.s, t.mover, down);
    assert_true(t.s.output.is_hit && t.s.output.distance >= 5.5 - 1e-6 && t.s.output.distance < 5.6);
    // Where the camera saw nothing there is nothing.
    t.image.pose.position.x = 500.0;
    stage_look(&t.s, t.mover, down);
    assert_false(t.s.output.is_hit);
    stage_close(&t.s);
}

// The other queries see it too.
static void turns_travels_and_meetings_see_it(void **state) {
    (void)state;
    shot t;
    open_shot(&t);
    assert_int_equal(fr_space_update(t.s.space, NULL, NULL), FR_OK);
    fr_radar_input *in = &t.s.input;
    in->mover = t.mover;
    in->look = FR_RADAR_EXACT;
    in->pivot = fr_vec3_make(-3, 8, 10);
    in->axis = fr_vec3_make(1, 0, 0);
    in->angle = 6.0;
    // The box swings on an arm of 10 to the wall at z = 0, 10 below the pivot.
    assert_int_equal(fr_radar_turn(t.s.radar, in, &t.s.output, NULL), FR_OK);
    assert_true(t.s.output.is_hit && t.s.output.distance > 1.0 && t.s.output.contact.b.index1 == 0);
    in->travel = fr_vec3_make(0, 0, -12);
    in->angle = 0.3;
    in->pivot = fr_vec3_make(-3, -2, 10);
    assert_int_equal(fr_radar_travel(t.s.radar, in, &t.s.output, NULL), FR_OK);
    assert_true(t.s.output.is_hit && fabs(12.0 * t.s.output.distance - 9.4) < 0.1);
    assert_true(t.s.output.contact.b.index1 == 0);
    assert_int_equal(fr_radar_meet(t.s.radar, in, &t.s.output, NULL), FR_OK);
    assert_true(t.s.output.is_hit && fabs(12.0 * t.s.output.distance - 9.5) < 1e-3);
    stage_close(&t.s);
}

// A pixel that is far from all its neighbours is a little square.
static void a_lone_pixel_is_met(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    float depth[9] = {0, 0, 0, 0, 5, 0, 0, 0, NAN};
    fr_range_image image = {.depth = depth, .columns = 3, .rows = 3, .tan_x = 1, .tan_y = 1};
    image.pose = fr_pose_make(fr_vec3_make(0, 0, 0), unturned);
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, -1), unturned);
    s.input.image = &image;
    stage_look(&s, a, fr_vec3_make(0, 0, -9));
    assert_true(s.output.is_hit && fabs(s.output.distance - 3.5) < 1e-9);
    assert_int_equal(s.output.contact.triangle_b / 2, 4);
    stage_close(&s);
}

static void what_is_no_image_is_refused(void **state) {
    (void)state;
    shot t;
    open_shot(&t);
    assert_int_equal(fr_space_update(t.s.space, NULL, NULL), FR_OK);
    t.s.input.mover = t.mover;
    t.s.input.travel = fr_vec3_make(0, 0, -1);
    const fr_range_image right = t.image;
    for (int i = 0; i < 4; i++) {
        t.image = right;
        if (i == 0) { t.image.columns = 0; }
        if (i == 1) { t.image.tan_y = 0.0; }
        if (i == 2) { t.image.rows = 70000; }
        if (i == 3) { t.s.input.image_jump = -1.0; }
        assert_int_equal(fr_radar_move(t.s.radar, &t.s.input, &t.s.output, NULL), FR_ERROR_ARGUMENT);
    }
    t.s.input.image_jump = 0.0;
    t.image = right;
    t.image.pose.rotation.w = NAN;
    assert_true(fr_radar_move(t.s.radar, &t.s.input, &t.s.output, NULL) != FR_OK);
    stage_close(&t.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_camera_sees_stands_in_the_way),
        cmocka_unit_test(turns_travels_and_meetings_see_it),
        cmocka_unit_test(a_lone_pixel_is_met),
        cmocka_unit_test(what_is_no_image_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
