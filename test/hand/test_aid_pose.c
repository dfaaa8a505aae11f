// The jobs of the manipulation aid: projections, overlaps of faces, attraction.
#include "hands.h"

#include "hand/aid.h"

// ---------------------------------------------------------------------------------------------------------------
// Projection

// Faces of a corner of a cube in the planes of a corner that is turned at random: faces and planes match.
static void random_planes(fr_random *random, fr_aid_plane planes[3]) {
    fr_pose room = random_pose(random, 1.0, 3.0);
    const fr_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        planes[i].normal_local = fr_vec3_negate(axes[i]);
        planes[i].centroid_local = fr_vec3_scale(-0.5 * EDGE, axes[i]);
        planes[i].normal = fr_pose_turn(&room, axes[i]);
        planes[i].offset = fr_random_between(random, -1.0, 1.0);
    }
}

static void test_held_faces_lie_in_their_planes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    uint64_t cases = test_count(2000, 100000);
    for (uint64_t i = 0; i < cases; i++) {
        fr_aid_plane planes[3];
        random_planes(&random, planes);
        fr_pose raw = random_pose(&random, 1.0, 3.0);
        for (uint32_t count = 1; count <= 3; count++) {
            fr_aid_pivot pivot = i % 2 == 0 ? FR_AID_PIVOT_CENTROID : FR_AID_PIVOT_REFERENCE;
            fr_pose shown = fr_aid_project(&raw, planes, count, pivot);
            for (uint32_t k = 0; k < count; k++) {
                fr_vec3 m = fr_pose_turn(&shown, planes[k].normal_local);
                assert_true(fr_vec3_length(fr_vec3_add(m, planes[k].normal)) < 1e-12);
                fr_vec3 c = fr_pose_apply(&shown, planes[k].centroid_local);
                assert_true(fabs(fr_vec3_dot(c, planes[k].normal) - planes[k].offset) < 1e-12);
            }
            // What is shown is held already: nothing accumulates
            fr_pose again = fr_aid_project(&shown, planes, count, pivot);
            assert_true(fr_vec3_distance(again.position, shown.position) < 1e-12);
        }
    }
}

static void test_no_face_changes_nothing(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    fr_pose raw = random_pose(&random, 1.0, 3.0);
    fr_pose shown = fr_aid_project(&raw, NULL, 0, FR_AID_PIVOT_CENTROID);
    assert_memory_equal(&raw, &shown, sizeof raw);
}

// The rank of 6 rows of 6 numbers, by elimination with the largest element first.
static int rank_of(double m[6][6]) {
    int rank = 0;
    for (; rank < 6; rank++) {
        int row = rank, column = rank;
        for (int i = rank; i < 6; i++) {
            for (int k = rank; k < 6; k++) {
                if (fabs(m[i][k]) > fabs(m[row][column])) {
                    row = i;
                    column = k;
                }
            }
        }
        if (fabs(m[row][column]) < 1e-4) { break; }
        for (int k = 0; k < 6; k++) {
            double swap = m[rank][k];
            m[rank][k] = m[row][k];
            m[row][k] = swap;
        }
        for (int i = 0; i < 6; i++) {
            double swap = m[i][rank];
            m[i][rank] = m[i][column];
            m[i][column] = swap;
        }
        for (int i = rank + 1; i < 6; i++) {
            double factor = m[i][rank] / m[rank][rank];
            for (int k = rank; k < 6; k++) {
                m[i][k] -= factor * m[rank][k];
            }
        }
    }
    return rank;
}

// Finite differences of the map from raw to shown: translations and turns.
static int freedom_of(const fr_pose *raw, const fr_aid_plane *planes, uint32_t count, fr_aid_pivot pivot) {
    const double step = 1e-5;
    fr_pose base = fr_aid_project(raw, planes, count, pivot);
    double m[6][6];
    for (int i = 0; i < 6; i++) {
        double d[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        d[i] = step;
        fr_pose moved = *raw;
        moved.position = fr_vec3_add(raw->position, fr_vec3_make(d[0], d[1], d[2]));
        moved.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(d[3], d[4], d[5])), raw->rotation);
        fr_pose shown = fr_aid_project(&moved, planes, count, pivot);
        fr_vec3 way = fr_vec3_sub(shown.position, base.position);
        fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(shown.rotation, fr_quat_conjugate(base.rotation)));
        const double row[6] = {way.x, way.y, way.z, turn.x, turn.y, turn.z};
        for (int k = 0; k < 6; k++) {
            m[i][k] = row[k] / step;
        }
    }
    return rank_of(m);
}

static void test_faces_leave_3_1_0_degrees_of_freedom(void **state) {
    (void)state;
    const int wanted[4] = {6, 3, 1, 0};
    fr_random random = fr_random_seed(3);
    uint64_t cases = test_count(200, 10000);
    for (uint64_t i = 0; i < cases; i++) {
        fr_aid_plane planes[3];
        random_planes(&random, planes);
        // Near where the first face is held: far off, the swing magnifies
        fr_pose raw = random_pose(&random, 1.0, 3.0);
        raw = fr_aid_project(&raw, planes, 2, FR_AID_PIVOT_CENTROID);
        fr_quat tilt = fr_quat_from_axis_angle(random_unit(&random), 0.3);
        raw.rotation = fr_quat_multiply(tilt, raw.rotation);
        for (uint32_t count = 0; count <= 3; count++) {
            assert_int_equal(freedom_of(&raw, planes, count, FR_AID_PIVOT_CENTROID), wanted[count]);
            assert_int_equal(freedom_of(&raw, planes, count, FR_AID_PIVOT_REFERENCE), wanted[count]);
        }
    }
}

// A raw tilt about an axis in the plane moves the origin with the centroid as pivot, and not with the origin itself.
static void test_the_reference_as_pivot_keeps_its_place(void **state) {
    (void)state;
    fr_aid_plane plane = {{0.0, -1.0, 0.0}, {0.0, -0.5 * EDGE, 0.0}, {0.0, 1.0, 0.0}, 0.0};
    fr_pose raw = fr_pose_make(fr_vec3_make(0.0, 0.5 * EDGE, 0.0),
                               fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(1.0)));
    fr_pose by_reference = fr_aid_project(&raw, &plane, 1, FR_AID_PIVOT_REFERENCE);
    assert_true(fabs(by_reference.position.x) < 1e-15);
    fr_pose by_centroid = fr_aid_project(&raw, &plane, 1, FR_AID_PIVOT_CENTROID);
    assert_true(fabs(fabs(by_centroid.position.x) - 0.5 * EDGE * sin(fr_radians(1.0))) < 1e-12);
}

// ---------------------------------------------------------------------------------------------------------------
// Overlap and attraction

// Two triangles a rectangle, in the plane y = height.
static void rectangle(double x0, double x1, double z0, double z1, double height, fr_vec3 out[6]) {
    fr_vec3 a = fr_vec3_make(x0, height, z0), b = fr_vec3_make(x1, height, z0);
    fr_vec3 c = fr_vec3_make(x1, height, z1), d = fr_vec3_make(x0, height, z1);
    fr_vec3 corners[6] = {a, b, c, a, c, d};
    memcpy(out, corners, sizeof corners);
}

static const fr_vec3 up = {0.0, 1.0, 0.0};

static void test_squares_shifted_by_half_share_half(void **state) {
    (void)state;
    fr_vec3 a[6], b[6];
    rectangle(0.0, 1.0, 0.0, 1.0, 0.0, a);
    rectangle(0.5, 1.5, 0.0, 1.0, 0.3, b);
    assert_true(fabs(fr__aid_overlap(a, 2, b, 2, up) - 0.5) < 1e-15);
    assert_true(fabs(fr__aid_overlap(b, 2, a, 2, fr_vec3_negate(up)) - 0.5) < 1e-15);
    rectangle(1.0, 2.0, 0.0, 1.0, 0.0, b);
    assert_true(fr__aid_overlap(a, 2, b, 2, up) == 0.0);
    assert_true(fr__aid_overlap(a, 0, b, 2, up) == 0.0);
}

static void test_concave_faces_and_holes_are_exact(void **state) {
    (void)state;
    // An L of three squares against one square over its notch, shifted
    fr_vec3 el[18], square[6];
    rectangle(0.0, 1.0, 0.0, 1.0, 0.0, el);
    rectangle(1.0, 2.0, 0.0, 1.0, 0.0, el + 6);
    rectangle(0.0, 1.0, 1.0, 2.0, 0.0, el + 12);
    rectangle(0.75, 1.75, 0.75, 1.75, 0.0, square);
    assert_true(fabs(fr__aid_overlap(el, 6, square, 2, up) - (1.0 - 0.75 * 0.75)) < 1e-14);
    // Two L's, one turned by half a turn: together a square of 2 with both middles shared
    fr_vec3 turned[18];
    for (int i = 0; i < 18; i++) {
        turned[i] = fr_vec3_make(2.0 - el[i].x, 0.0, 2.0 - el[i].z);
    }
    assert_true(fabs(fr__aid_overlap(el, 6, turned, 6, up) - 2.0) < 1e-14);
    // A frame with a hole: what lies in the hole counts nothing
    fr_vec3 frame[24];
    rectangle(0.0, 3.0, 0.0, 1.0, 0.0, frame);
    rectangle(0.0, 3.0, 2.0, 3.0, 0.0, frame + 6);
    rectangle(0.0, 1.0, 1.0, 2.0, 0.0, frame + 12);
    rectangle(2.0, 3.0, 1.0, 2.0, 0.0, frame + 18);
    rectangle(1.25, 1.75, 1.25, 1.75, 0.0, square);
    assert_true(fr__aid_overlap(frame, 8, square, 2, up) == 0.0);
    rectangle(0.5, 2.5, 0.5, 2.5, 0.0, square);
    assert_true(fabs(fr__aid_overlap(frame, 8, square, 2, up) - 3.0) < 1e-14);
}

// Two plates of many triangles, one turned in the plane: what they share is that of the whole squares.
static void test_many_triangles_share_what_the_whole_shares(void **state) {
    (void)state;
    enum { SIDE = 30, COUNT = 2 * SIDE * SIDE };
    static fr_vec3 a[3 * COUNT], b[3 * COUNT];
    fr_quat turn = fr_quat_from_axis_angle(up, FR_PI / 4.0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i % SIDE) / SIDE - 0.5, z = (double)(i / SIDE) / SIDE - 0.5;
        rectangle(x, x + 1.0 / SIDE, z, z + 1.0 / SIDE, 0.0, a + 6 * (size_t)i);
    }
    for (int i = 0; i < 3 * COUNT; i++) {
        b[i] = fr_mat3_apply(fr_quat_to_mat3(turn), a[i]);
    }
    // Two unit squares turned by 45 degrees share a regular octagon
    assert_true(fabs(fr__aid_overlap(a, COUNT, b, COUNT, up) - 2.0 * (sqrt(2.0) - 1.0)) < 1e-12);
}

static void test_a_perpendicular_landing_draws_720(void **state) {
    (void)state;
    fr_vec3 down = fr_vec3_negate(up);
    assert_true(fabs(fr__aid_attraction(down, up, fr_vec3_scale(0.01, down), 3.0, 1.0) - 720.0) < 1e-9);
    fr_vec3 tilted = fr_vec3_make(sin(0.2), -cos(0.2), 0.0);
    double less = fr__aid_attraction(tilted, up, down, 3.0, 1.0);
    assert_true(fabs(less - (720.0 - 3.0 * fr_degrees(0.2))) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_faces_lie_in_their_planes),
        cmocka_unit_test(test_no_face_changes_nothing),
        cmocka_unit_test(test_faces_leave_3_1_0_degrees_of_freedom),
        cmocka_unit_test(test_the_reference_as_pivot_keeps_its_place),
        cmocka_unit_test(test_squares_shifted_by_half_share_half),
        cmocka_unit_test(test_concave_faces_and_holes_are_exact),
        cmocka_unit_test(test_many_triangles_share_what_the_whole_shares),
        cmocka_unit_test(test_a_perpendicular_landing_draws_720),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
