// What a pair of faces is told to be: flags, point, normal, distance, feature.
#include "collide/contact.h"
#include "collide/scenes.h"
#include "frame.h"

// Two single triangles as two objects.
typedef struct two_faces {
    fr_space *space;
    fr_collide *collide;
    fr_collide_output out;
} two_faces;

static fr_mesh *one_face(const fr_vec3 corners[3]) {
    static const uint32_t triangle[3] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &corners->x;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

static two_faces meet(const fr_vec3 a[3], const fr_vec3 b[3], double margin) {
    two_faces two;
    two.space = scene_space();
    for (int i = 0; i < 2; i++) {
        fr_mesh *mesh = one_face(i == 0 ? a : b);
        scene_add_at(two.space, mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
        fr_mesh_release(mesh);
    }
    assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
    two.collide = scene_asker();
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_CONTACTS;
    input.margin = margin;
    two.out = scene_ask(two.collide, &input);
    return two;
}

static void part_again(two_faces *two) {
    fr_collide_destroy(two->collide);
    fr_space_destroy(two->space);
}

static void assert_point(fr_vec3 p, double x, double y, double z) {
    assert_true(fr_vec3_distance(p, fr_vec3_make(x, y, z)) < 1e-12);
}

static const fr_vec3 floor_face[3] = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {0.0, 4.0, 0.0}}; // normal +z

static void a_corner_on_a_face_touches(void **state) {
    (void)state;
    const fr_vec3 b[3] = {{1.0, 1.0, 0.0}, {1.0, 2.0, 1.0}, {2.0, 1.0, 1.0}};
    two_faces two = meet(floor_face, b, 0.0);
    assert_int_equal(two.out.pair_count, 1);
    assert_int_equal(two.out.pairs[0].flags, FR_CONTACT_START | FR_CONTACT_TOUCHING);
    assert_int_equal(two.out.object_pairs[0].relation, FR_RELATION_TOUCHING);
    const fr_contact *c = &two.out.contacts[0];
    assert_int_equal(c->feature, FR_FEATURE_FACE_VERTEX);
    assert_true(c->distance == 0.0 && c->time == 0.0 && c->time_sure == 0.0);
    assert_true(fr_is_unknown(c->approach) && fr_is_unknown(c->time_end));
    assert_point(c->point, 1.0, 1.0, 0.0);
    assert_point(c->normal, 0.0, 0.0, 1.0);
    part_again(&two);
}

static void edges_that_touch_have_a_normal_across(void **state) {
    (void)state;
    const fr_vec3 a[3] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}};
    const fr_vec3 b[3] = {{0.0, -1.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    two_faces two = meet(a, b, 0.0);
    assert_int_equal(two.out.pair_count, 1);
    const fr_contact *c = &two.out.contacts[0];
    assert_int_equal(c->feature, FR_FEATURE_EDGE_EDGE);
    assert_point(c->point, 0.0, 0.0, 0.0);
    assert_point(c->normal, 0.0, 0.0, 1.0);
    part_again(&two);
}

static void faces_in_one_plane_are_coplanar(void **state) {
    (void)state;
    const fr_vec3 b[3] = {{1.0, 1.0, 0.0}, {5.0, 1.0, 0.0}, {1.0, 5.0, 0.0}};
    two_faces two = meet(floor_face, b, 0.0);
    assert_int_equal(two.out.pairs[0].flags, FR_CONTACT_START | FR_CONTACT_TOUCHING | FR_CONTACT_COPLANAR);
    const fr_contact *c = &two.out.contacts[0];
    assert_int_equal(c->feature, FR_FEATURE_UNKNOWN);
    assert_true(c->distance == 0.0);
    assert_point(c->normal, 0.0, 0.0, 1.0);
    part_again(&two);
}

static void crossing_faces_have_a_depth(void **state) {
    (void)state;
    const fr_vec3 b[3] = {{1.0, 1.0, -0.25}, {1.0, 2.0, 1.0}, {2.0, 1.0, 1.0}};
    two_faces two = meet(floor_face, b, 0.0);
    assert_int_equal(two.out.pairs[0].flags, FR_CONTACT_START);
    assert_int_equal(two.out.object_pairs[0].relation, FR_RELATION_CROSSING);
    const fr_contact *c = &two.out.contacts[0];
    assert_int_equal(c->feature, FR_FEATURE_FACE_VERTEX);
    assert_true(fabs(c->distance + 0.25) < 1e-12);
    assert_point(c->normal, 0.0, 0.0, 1.0);
    assert_true(fabs(c->point.z) < 1e-12);
    part_again(&two);
}

static void near_faces_have_a_distance(void **state) {
    (void)state;
    const fr_vec3 b[3] = {{1.0, 1.0, 0.125}, {1.0, 2.0, 1.0}, {2.0, 1.0, 1.0}};
    two_faces two = meet(floor_face, b, 0.125);
    assert_int_equal(two.out.pairs[0].flags, FR_CONTACT_NEAR);
    assert_int_equal(two.out.object_pairs[0].relation, FR_RELATION_NEAR);
    const fr_contact *c = &two.out.contacts[0];
    assert_int_equal(c->feature, FR_FEATURE_FACE_VERTEX);
    assert_true(c->distance == 0.125 && fr_is_unknown(c->time_sure));
    assert_point(c->normal, 0.0, 0.0, 1.0);
    part_again(&two);
    two = meet(floor_face, b, 0.1249);
    assert_int_equal(two.out.pair_count, 0);
    part_again(&two);
}

static void a_face_may_be_a_point(void **state) {
    (void)state;
    const fr_vec3 b[3] = {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
    two_faces two = meet(floor_face, b, 0.0);
    assert_int_equal(two.out.pair_count, 1);
    assert_true((two.out.pairs[0].flags & FR_CONTACT_TOUCHING) != 0);
    assert_true(fr_vec3_is_finite(two.out.contacts[0].normal));
    part_again(&two);
}

// Whether `face` is not nearly a line and every corner of t is clearly beside its plane.
static bool are_beside(const fr_vec3 face[3], const fr_vec3 t[3]) {
    fr_vec3 u = fr_vec3_sub(face[1], face[0]), v = fr_vec3_sub(face[2], face[0]), n = fr_vec3_cross(u, v);
    double size = fr_vec3_length(n), longest = fmax(fr_vec3_length(u), fr_vec3_length(v));
    if (size <= 1e-6 * longest * longest) { return false; }
    for (int k = 0; k < 3; k++) {
        fr_vec3 way = fr_vec3_sub(t[k], face[0]);
        if (fabs(fr_vec3_dot(n, way)) <= 1e-6 * size * fr_vec3_length(way)) { return false; }
    }
    return true;
}

// An edge that nearly lies in the other's plane meets it in a place that is only roughly known.
static bool are_clear(const fr_vec3 a[3], const fr_vec3 b[3]) { return are_beside(a, b) && are_beside(b, a); }

// Faces of one part that have a corner in common are near where elements without one are.
static bool are_neighbours(const fr_contact *c, const fr_vec3 a[3], const fr_vec3 b[3]) {
    bool is_common = false;
    for (int i = 0; i < 9; i++) {
        is_common = is_common || fr_vec3_equal(a[i / 3], b[i % 3]);
    }
    return is_common && (c->flags & FR_CONTACT_SELF) != 0 && c->part_a == c->part_b;
}

// Points lie on both faces, distances are the least ones, normals are unit or zero.
static void random_contacts_hold_together(void **state) {
    (void)state;
    uint64_t count = test_count(60, 2000);
    static scene_plan plan;
    fr_collide *collide = scene_asker();
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(4000000 + seed);
        scene_random_plan(&r, false, &plan);
        fr_space *space = scene_build(&plan, &scene_as_it_is);
        fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
        input.want = FR_WANT_CONTACTS;
        input.margin = seed % 2 == 0 ? 0.0 : 0.05 * plan.unit;
        fr_collide_output out = scene_ask(collide, &input);
        for (size_t i = 0; i < out.pair_count; i++) {
            const fr_contact *c = &out.contacts[i];
            fr_vec3 a[3], b[3];
            assert_int_equal(fr_object_corners(space, c->a, c->triangle_a, a, NULL), FR_OK);
            assert_int_equal(fr_object_corners(space, c->b, c->triangle_b, b, NULL), FR_OK);
            assert_int_equal(c->face_a, fr_object_face(space, c->a, c->triangle_a));
            assert_int_equal(c->part_b, fr_object_part_of_triangle(space, c->b, c->triangle_b));
            double length = fr_vec3_length(c->normal);
            assert_true(length == 0.0 || fabs(length - 1.0) < 1e-12);
            double away = fr_triangle_closest(a, c->point).distance + fr_triangle_closest(b, c->point).distance;
            double wanted = fr_triangle_distance(a, b, NULL, NULL);
            if (are_neighbours(c, a, b) && (c->flags & FR_CONTACT_NEAR) != 0) {
                assert_true(c->distance > 0.0 && c->distance <= input.margin);
                continue;
            }
            if (are_clear(a, b)) { assert_true(fabs(away - wanted) < 1e-6 * plan.unit); }
            assert_int_equal((c->flags & FR_CONTACT_NEAR) != 0, wanted > 0.0);
            if (wanted > 0.0) { assert_true(c->distance == wanted && wanted <= input.margin); }
            if (wanted == 0.0) { assert_true(c->distance <= 0.0); }
        }
        fr_space_destroy(space);
    }
    fr_collide_destroy(collide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_on_a_face_touches),      cmocka_unit_test(edges_that_touch_have_a_normal_across),
        cmocka_unit_test(faces_in_one_plane_are_coplanar), cmocka_unit_test(crossing_faces_have_a_depth),
        cmocka_unit_test(near_faces_have_a_distance),      cmocka_unit_test(a_face_may_be_a_point),
        cmocka_unit_test(random_contacts_hold_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
