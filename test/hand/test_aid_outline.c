// What faces share by their outlines: the same as by their triangles, for any outline and holes.
#include "hands.h"
#include "parts.h"

#include "hand/aid.h"

// The largest planar face of a mesh that looks along a direction.
static uint32_t face_along(const fr_planar_faces *planar, fr_vec3 direction) {
    uint32_t best = FR_NONE;
    for (uint32_t i = 0; i < planar->face_count; i++) {
        bool is_along = fr_vec3_dot(planar->faces[i].normal, direction) > 0.999;
        if (is_along && (best == FR_NONE || planar->faces[i].area > planar->faces[best].area)) { best = i; }
    }
    assert_true(best != FR_NONE);
    return best;
}

static fr_vec3 world_corner(const fr__aid_face *face, fr_vec3 local) {
    return fr_pose_apply(&face->pose, fr_pose_apply(&face->part, local));
}

// What two faces share, triangle by triangle.
static double by_triangles(const fr__aid_face *a, const fr__aid_face *b) {
    const fr__aid_face *faces[2] = {a, b};
    fr_vec3 *corners[2];
    uint32_t counts[2];
    for (int k = 0; k < 2; k++) {
        const fr_planar_face *f = &faces[k]->planar->faces[faces[k]->face];
        counts[k] = f->triangle_count;
        corners[k] = malloc(3 * sizeof(fr_vec3) * f->triangle_count);
        assert_non_null(corners[k]);
        for (uint32_t i = 0; i < f->triangle_count; i++) {
            fr_vec3 *at = corners[k] + 3 * (size_t)i;
            fr_mesh_corners(faces[k]->mesh, faces[k]->planar->triangles[f->first_triangle + i], at);
            for (int c = 0; c < 3; c++) {
                at[c] = world_corner(faces[k], at[c]);
            }
        }
    }
    double area = fr__aid_overlap(corners[0], counts[0], corners[1], counts[1], b->normal);
    free(corners[0]);
    free(corners[1]);
    return area;
}

// Faces that look down on faces that look up, turned and moved in the plane at random.
static void compare(fr_mesh *held, fr_vec3 down, fr_mesh *other, fr_vec3 up, uint64_t cases) {
    fr_random random = fr_random_seed(13);
    scene s;
    open_scene(&s, fr_vec3_make(0.0, 1.0, 0.0));
    assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
    s.held = add_mesh(&s, held, &s.raw);
    add_other(&s, other, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(&s, NULL);
    const fr_planar_faces *planar;
    fr_aid_pair pair = {.other = s.others[0]};
    assert_int_equal(fr__aid_planar(s.aid, other, &planar, NULL), FR_OK);
    pair.other_face = face_along(planar, up);
    assert_int_equal(fr__aid_planar(s.aid, held, &planar, NULL), FR_OK);
    pair.face = face_along(planar, down);
    uint64_t shared = 0;
    for (uint64_t i = 0; i < cases; i++) {
        fr_quat lay = fr_quat_between(down, fr_vec3_negate(up));
        fr_quat twist = fr_quat_from_axis_angle(up, i % 4 == 0 ? 0.0 : fr_random_between(&random, 0.0, 6.3));
        fr_vec3 way = random_unit(&random);
        fr_vec3 at = fr_vec3_scale(i == 0 ? 0.0 : fr_random_between(&random, 0.0, 0.1), way);
        fr_pose pose = fr_pose_make(at, fr_quat_multiply(twist, lay));
        fr__aid_face a, b;
        assert_true(fr__aid_faces_of(s.aid, s.space, &pair, &pose, &a, &b));
        double area = -1.0, truth = by_triangles(&a, &b);
        assert_true(fr__aid_outline_overlap(s.aid, &a, &b, &area));
        assert_true(area >= 0.0 && fabs(area - truth) <= 1e-11 * fmin(a.area, b.area));
        shared += area > 0.0;
        // The other way round, seen along the other normal
        assert_true(fr__aid_outline_overlap(s.aid, &b, &a, &area));
        assert_true(fabs(area - truth) <= 1e-11 * fmin(a.area, b.area));
    }
    assert_true(shared > cases / 4);
    close_scene(&s);
    fr_mesh_release(held);
    if (other != held) { fr_mesh_release(other); }
}

static const fr_vec3 up = {0.0, 1.0, 0.0}, down = {0.0, -1.0, 0.0};

static void test_plates_share_what_their_triangles_share(void **state) {
    (void)state;
    compare(part_plate(0.1, 0.01, 7), down, part_plate(0.12, 0.01, 5), up, test_count(100, 10000));
}

static void test_concave_faces_share_what_their_triangles_share(void **state) {
    (void)state;
    const fr_vec2 el[6] = {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.0}, {0.0, 0.0}, {0.0, 0.05}, {-0.05, 0.05}};
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_extrusion(el, 6, 0.06, NULL, &mesh, NULL), FR_OK);
    compare(mesh, fr_vec3_make(0.0, 0.0, -1.0), mesh, fr_vec3_make(0.0, 0.0, 1.0), test_count(100, 10000));
}

// A gear with a bore on the brim of a housing: both have holes.
static void test_faces_with_holes_share_what_their_triangles_share(void **state) {
    (void)state;
    compare(part_gear(), down, part_housing(5e-4), up, test_count(12, 300));
}

// Nothing is shared, not even by rounding, where faces are beside one another.
static void test_faces_beside_one_another_share_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(14);
    scene s;
    land(&s, 0.0, NULL);
    for (uint64_t i = 0; i < 200; i++) {
        fr_pose pose = s.out.shown;
        double angle = fr_random_between(&random, 0.0, 6.3), far = EDGE * sqrt(2.0);
        pose.position = fr_vec3_add(pose.position, fr_vec3_make(far * fr_cos(angle), 0.0, far * fr_sin(angle)));
        pose.rotation = fr_quat_from_axis_angle(up, fr_random_between(&random, 0.0, 6.3));
        double ratio;
        assert_true(fr__aid_area(s.aid, s.space, &s.out.held[0].pair, &pose, &ratio) == 0.0);
        assert_true(ratio == 0.0);
    }
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plates_share_what_their_triangles_share),
        cmocka_unit_test(test_concave_faces_share_what_their_triangles_share),
        cmocka_unit_test(test_faces_with_holes_share_what_their_triangles_share),
        cmocka_unit_test(test_faces_beside_one_another_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
