// When two moving triangles first come together: known cases, dense sampling, and changes that must not matter.
#include "frame.h"

#include "moving_sets.h"

static const fr_vec3 ZERO = {0.0, 0.0, 0.0};

static void still(moving_set *set, const fr_vec3 t[3]) { moving_straight(set, t, t); }

static void travel_of(const fr_vec3 t[3], fr_vec3 travel, moving_set *out) {
    fr_vec3 end[3];
    for (int i = 0; i < 3; i++) {
        end[i] = fr_vec3_add(t[i], travel);
    }
    moving_straight(out, t, end);
}

// ---------------------------------------------------------------------------------------------------------------
// Known cases

static const fr_vec3 FLOOR[3] = {{-4, 0, -4}, {4, 0, -4}, {0, 0, 6}};

static void test_a_corner_falls_on_a_face(void **state) {
    (void)state;
    fr_vec3 blade[3] = {{0, 1, 0}, {1, 2, 0}, {-1, 2, 0}};
    moving_set floor, falling;
    still(&floor, FLOOR);
    travel_of(blade, fr_vec3_make(0, -2, 0), &falling);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    assert_true(r.time <= 0.5 && r.time >= 0.5 - 1e-6);
    assert_true(r.time_sure >= 0.5 && r.time_sure <= 0.5 + 1e-5);
    assert_int_equal(r.flags, 0);
    assert_int_equal(r.feature, FR_FEATURE_VERTEX_FACE);
    assert_true(fr_vec3_distance(r.normal, fr_vec3_make(0, -1, 0)) < 1e-12);
    assert_true(fr_vec3_length(r.point) < 1e-6);
    assert_float_equal(r.approach, 2.0, 1e-12);
    assert_true(fr_triangle_time(&floor.path, &falling.path, &options, &r));
    assert_int_equal(r.feature, FR_FEATURE_FACE_VERTEX);
    assert_true(fr_vec3_distance(r.normal, fr_vec3_make(0, 1, 0)) < 1e-12);

    // Not far enough, and far enough for a separation only.
    travel_of(blade, fr_vec3_make(0, -0.875, 0), &falling);
    assert_false(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    assert_true(!r.is_hit && fr_is_unknown(r.time));
    options.separation = 0.25;
    assert_true(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    double expected = 0.75 / 0.875;
    assert_true(r.time <= expected && r.time >= expected - 2e-6);
    assert_true(r.time_sure >= expected && r.time_sure <= expected + 1e-5);
}

static void test_edges_cross(void **state) {
    (void)state;
    fr_vec3 a[3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}}, b[3] = {{0, 1, -1}, {0, 1, 1}, {0, 2, 0}};
    moving_set low, high;
    still(&low, a);
    travel_of(b, fr_vec3_make(0, -4, 0), &high);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_triangle_time(&low.path, &high.path, &options, &r));
    assert_true(r.time <= 0.25 && r.time >= 0.25 - 1e-6);
    assert_true(r.time_sure >= 0.25 && r.time_sure < 0.251);
    assert_int_equal(r.feature, FR_FEATURE_EDGE_EDGE);
    assert_true(fr_vec3_distance(r.normal, fr_vec3_make(0, 1, 0)) < 1e-9);
}

static void test_sharing_points_at_the_start_is_time_zero(void **state) {
    (void)state;
    fr_vec3 standing[3] = {{0, 0, 0}, {1, 2, 0}, {-1, 2, 0}}, in_plane[3] = {{0, 0, 0}, {9, 0, 9}, {9, 0, 0}};
    fr_vec3 through[3] = {{0, -1, 0}, {1, 2, 0}, {-1, 2, 0}};
    const struct {
        const fr_vec3 *t;
        uint32_t flags;
    } cases[] = {{standing, FR_TIME_START | FR_TIME_TOUCHING},
                 {in_plane, FR_TIME_START | FR_TIME_TOUCHING | FR_TIME_COPLANAR},
                 {through, FR_TIME_START},
                 {FLOOR, FR_TIME_START | FR_TIME_TOUCHING | FR_TIME_COPLANAR}};
    moving_set floor, leaving;
    still(&floor, FLOOR);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        travel_of(cases[i].t, fr_vec3_make(0, 5, 0), &leaving);
        fr_time_input options = fr_default_time_input();
        fr_time_output r;
        assert_true(fr_triangle_time(&floor.path, &leaving.path, &options, &r));
        assert_true(r.time == 0.0 && r.time_sure == 0.0 && r.distance == 0.0);
        assert_int_equal(r.flags, cases[i].flags);
    }
}

// What moves past in parallel, as near as ten tolerances, needs no more than a few steps.
static void test_sliding_past_is_quick(void **state) {
    (void)state;
    fr_vec3 above[3] = {{-9, 1e-5, 0}, {-8, 1e-5, 0}, {-9, 1e-5, 1}};
    moving_set floor, sliding;
    still(&floor, FLOOR);
    travel_of(above, fr_vec3_make(20, 0, 0), &sliding);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_false(fr_triangle_time(&floor.path, &sliding.path, &options, &r));
    assert_true(r.iterations <= 4);

    // Half a tolerance away: near, and reported so.
    for (int i = 0; i < 3; i++) {
        above[i].y = 5e-7;
    }
    travel_of(above, fr_vec3_make(20, 0, 0), &sliding);
    assert_true(fr_triangle_time(&floor.path, &sliding.path, &options, &r));
    assert_int_equal(r.flags, FR_TIME_NEAR);
    assert_true(fr_is_unknown(r.time_sure));
}

// Coplanar triangles that slide into each other, and a triangle that is a segment or a point.
static void test_what_never_crosses_is_found_near(void **state) {
    (void)state;
    fr_vec3 flat[3] = {{9, 0, 0}, {10, 0, 1}, {10, 0, -1}}, segment[3] = {{0, 3, 0}, {0, 2, 0}, {0, 2.5, 0}};
    fr_vec3 point[3] = {{0, 2, 0}, {0, 2, 0}, {0, 2, 0}};
    moving_set floor, moving;
    still(&floor, FLOOR);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    travel_of(flat, fr_vec3_make(-10, 0, 0), &moving);
    assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    assert_true(r.time <= 0.66 + 1e-12 && r.time > 0.65);
    travel_of(segment, fr_vec3_make(0, -4, 0), &moving);
    assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    assert_true(r.time <= 0.5 && r.time > 0.5 - 1e-6);
    travel_of(point, fr_vec3_make(0, -4, 0), &moving);
    assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    assert_true(r.time <= 0.5 && r.time > 0.5 - 1e-6);
    assert_true((r.flags & FR_TIME_NEAR) != 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Turns

// A rod of length 4 spins about one end in the plane y = 0, from +x towards -z (about +y); a cube of edge 1/2 stands in
// its way. A sampled engine that compares end poses sees nothing.
static void spin_past(double angle_deg, double cube_deg, bool expected) {
    fr_mesh *cube;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.5, 0.5, 0.5), NULL, &cube, NULL), FR_OK);
    fr_vec3 rod[3] = {{0, 0, 0}, {4, 0, 0}, {4, 0.01, 0}};
    fr_pose pose = fr_pose_identity();
    moving_set spun, face;
    moving_rigid(&spun, rod, &pose, ZERO, ZERO, fr_vec3_make(0, fr_radians(angle_deg), 0));
    double sine, cosine;
    fr_sincos(fr_radians(cube_deg), &sine, &cosine);
    double first = 2.0, first_sure = 2.0;
    fr_time_input options = fr_default_time_input();
    for (uint32_t k = 0; k < 12; k++) {
        fr_vec3 corners[3];
        fr_mesh_corners(cube, k, corners);
        for (int i = 0; i < 3; i++) {
            corners[i] = fr_vec3_add(corners[i], fr_vec3_make(3.0 * cosine, 0.0, -3.0 * sine));
        }
        still(&face, corners);
        fr_time_output r;
        if (!fr_triangle_time(&spun.path, &face.path, &options, &r)) { continue; }
        first = r.time < first ? r.time : first;
        first_sure = r.time_sure < first_sure ? r.time_sure : first_sure;
    }
    fr_mesh_release(cube);
    assert_int_equal(first <= 1.0, expected);
    if (!expected) { return; }

    // By sampling the rod's line against the cube.
    double met = 2.0;
    for (int k = 0; k <= 100000 && met > 1.0; k++) {
        double t = k / 100000.0, s, c;
        fr_sincos(fr_radians(angle_deg * t), &s, &c);
        fr_bounds box = {fr_vec3_make(3.0 * cosine - 0.25, -0.25, -3.0 * sine - 0.25),
                         fr_vec3_make(3.0 * cosine + 0.25, 0.25, -3.0 * sine + 0.25)};
        fr_vec3 line[3] = {{0, 0, 0}, {4 * c, 0, -4 * s}, {4 * c, 0, -4 * s}};
        if (fr_triangle_box_overlap(line, &box)) { met = t; }
    }
    assert_true(first <= met && first >= met - 2e-5);
    assert_true(first_sure >= met - 1e-5 && first_sure <= met + 1e-3);
}

static void test_a_rod_spun_past_a_cube_is_caught(void **state) {
    (void)state;
    spin_past(150, 75, true);
    spin_past(170, 85, true);
    spin_past(-150, -75, true);
    spin_past(150, 200, false);
    spin_past(360 * 3, 200, true);
    spin_past(360 * 10, 350, true);
}

// A vertex at distance 1 from the axis comes round once a turn; a plate rises into its circle so late that only the
// seventh turn meets it.
static void test_the_right_one_of_several_turns(void **state) {
    (void)state;
    fr_vec3 arm[3] = {{1, 0, 0}, {0.5, 0.1, 0}, {0.5, -0.1, 0}};
    fr_pose pose = fr_pose_identity();
    moving_set spun, plate;
    moving_rigid(&spun, arm, &pose, ZERO, ZERO, fr_vec3_make(0, 0, 2.0 * FR_PI * 10));
    // The plate stands across the circle at angle 90 degrees; its lower edge falls from y = 2 to y = 0.5 over the step:
    // it is below 1 from t = 2/3 on, and the arm's tip passes there at (k + 1/4) / 10, so at 0.725 first; the edge
    // ahead of the tip is there a little earlier.
    fr_vec3 start[3] = {{0, 2, -1}, {0, 2, 1}, {0, 9, 0}}, end[3] = {{0, 0.5, -1}, {0, 0.5, 1}, {0, 7.5, 0}};
    moving_straight(&plate, start, end);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_triangle_time(&spun.path, &plate.path, &options, &r));
    assert_true(r.time <= 0.725 && r.time > 0.724);
    assert_true(r.time_sure > 0.724 && r.time_sure < 0.726);
    check_against_samples(&spun, &plate, 3, &options, &r, 200000, 10.0);
}

// ---------------------------------------------------------------------------------------------------------------
// Random

static void random_pair(fr_random *random, uint64_t i, moving_set *a, moving_set *b) {
    int kind_a = (int)fr_random_below(random, 4), kind_b = (int)fr_random_below(random, 4);
    fr_vec3 offset = i % 8 == 7 ? fr_vec3_make(1e6, -2e6, 5e5) : ZERO;
    fr_vec3 center_a = fr_vec3_add(offset, random_point(random, 0.4));
    fr_vec3 center_b = fr_vec3_add(offset, random_point(random, 0.4));
    random_moving_set(random, kind_a, 10.0, center_a, random_point(random, 1.0), a);
    random_moving_set(random, kind_b, 10.0, center_b, random_point(random, 1.0), b);
}

static void test_random_pairs_against_samples(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    uint64_t count = test_count(400, 20000), hits = 0, near = 0, capped = 0, steps = 0;
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        random_pair(&random, i, &a, &b);
        fr_time_input options = fr_default_time_input();
        if (i % 3 == 1) { options.separation = 0.05; }
        fr_time_output r;
        bool hit = fr_triangle_time(&a.path, &b.path, &options, &r);
        assert_int_equal(hit, r.is_hit);
        assert_int_equal(hit, fr_triangle_time(&a.path, &b.path, &options, NULL));
        double scale = i % 8 == 7 ? 3e6 : 5.0;
        check_against_samples(&a, &b, 3, &options, &r, 1000, scale);
        hits += hit;
        steps += r.iterations;
        near += hit && (r.flags & FR_TIME_NEAR) != 0;
        capped += hit && (r.flags & FR_TIME_CAPPED) != 0;
    }
    print_message("%llu pairs: %llu hits, %llu near, %llu capped, %.1f steps a pair\n", (unsigned long long)count,
                  (unsigned long long)hits, (unsigned long long)near, (unsigned long long)capped,
                  (double)steps / (double)count);
    assert_true(hits > count / 8 && hits < count / 2);
    assert_true(capped == 0);
}

// An end before 1 hides later results and changes no other; a later begin finds what comes after it.
static void test_begin_and_end_of_the_search(void **state) {
    (void)state;
    fr_random random = fr_random_seed(72);
    uint64_t count = test_count(400, 20000);
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        random_pair(&random, i, &a, &b);
        fr_time_input options = fr_default_time_input();
        fr_time_output whole, part;
        fr_triangle_time(&a.path, &b.path, &options, &whole);
        options.end = fr_random_below(&random, 2) == 0 && whole.is_hit ? whole.time : fr_random_unit(&random);
        fr_triangle_time(&a.path, &b.path, &options, &part);
        assert_int_equal(part.is_hit, whole.is_hit && whole.time <= options.end);
        if (part.is_hit) { assert_memory_equal(&part, &whole, sizeof part); }

        options.end = 1.0;
        options.begin = fr_random_unit(&random);
        fr_triangle_time(&a.path, &b.path, &options, &part);
        for (int k = 0; k <= 200; k++) {
            double t = options.begin + (1.0 - options.begin) * k / 200.0;
            if (moving_distance(&a, &b, 3, t) == 0.0) { assert_true(part.is_hit && part.time <= t); }
        }
        if (part.is_hit) { assert_true(part.time >= options.begin); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Changes that are exact

static double flip(double x, bool yes) { return yes ? -x : x; }

// Mirrored at x = 0, or scaled by a power of two, or both. A turn is an axial vector.
static void change(const moving_set *from, bool mirror, double scale, moving_set *to) {
    moving_copy(to, from);
    for (int i = 0; i < 3; i++) {
        to->path.start[i] = fr_vec3_scale(scale, to->path.start[i]);
        to->path.end[i] = fr_vec3_scale(scale, to->path.end[i]);
        to->path.start[i].x = flip(to->path.start[i].x, mirror);
        to->path.end[i].x = flip(to->path.end[i].x, mirror);
    }
    // The pivot, which is all that is read of the pose, at the pose's own place.
    fr_vec3 pivot = fr_pose_apply(&from->motion.start, from->motion.pivot_local);
    pivot = fr_vec3_scale(scale, pivot);
    pivot.x = flip(pivot.x, mirror);
    if (from->path.motion == NULL) { return; }
    to->motion.start = fr_pose_identity();
    to->motion.pivot_local = pivot;
    to->motion.travel = fr_vec3_scale(scale, from->motion.travel);
    to->motion.travel.x = flip(to->motion.travel.x, mirror);
    to->motion.turn.y = flip(from->motion.turn.y, mirror);
    to->motion.turn.z = flip(from->motion.turn.z, mirror);
}

static void test_swap_mirror_and_scale(void **state) {
    (void)state;
    fr_random random = fr_random_seed(73);
    uint64_t count = test_count(500, 20000);
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b, c, d;
        random_pair(&random, i, &a, &b);
        fr_time_input options = fr_default_time_input(), scaled = options;
        fr_time_output r, s;
        fr_triangle_time(&a.path, &b.path, &options, &r);
        bool sure = r.is_hit && (r.flags & FR_TIME_NEAR) == 0;

        fr_triangle_time(&b.path, &a.path, &options, &s);
        if (sure || (s.is_hit && (s.flags & FR_TIME_NEAR) == 0)) { assert_true(r.is_hit && s.is_hit); }

        change(&a, true, 1.0, &c);
        change(&b, true, 1.0, &d);
        fr_triangle_time(&c.path, &d.path, &options, &s);
        if (sure || (s.is_hit && (s.flags & FR_TIME_NEAR) == 0)) { assert_true(r.is_hit && s.is_hit); }

        // A power of two changes no bit of the search.
        double scale = i % 3 == 0 ? 8.0 : i % 3 == 1 ? 0x1p+200 : 0x1p-200;
        change(&a, false, scale, &c);
        change(&b, false, scale, &d);
        scaled.tolerance = scale * options.tolerance;
        fr_triangle_time(&c.path, &d.path, &scaled, &s);
        assert_int_equal(r.is_hit, s.is_hit);
        assert_int_equal(r.iterations, s.iterations);
        if (r.is_hit) {
            assert_true(r.time == s.time && scale * r.distance == s.distance);
            assert_int_equal(r.flags, s.flags);
        }
    }
}

// A pair that passes by at little more than the tolerance beyond the separation, the hardest there is: refused within
// the cap.
static void test_near_misses_end(void **state) {
    (void)state;
    fr_random random = fr_random_seed(77);
    uint64_t count = test_count(100, 2000), most = 0, steps = 0, tried = 0, capped = 0;
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        fr_vec3 center_a = random_point(&random, 1.5), center_b = random_point(&random, 1.5);
        random_moving_set(&random, (int)(i % 4), 10.0, center_a, random_point(&random, 1.0), &a);
        random_moving_set(&random, (int)(i / 4 % 4), 10.0, center_b, random_point(&random, 1.0), &b);
        double least = (double)INFINITY, at = 0.0;
        for (int k = 0; k <= 2000; k++) {
            double t = k / 2000.0, distance = moving_distance(&a, &b, 3, t);
            if (distance < least) { least = distance, at = t; }
        }
        if (least < 1e-3) { continue; }
        for (double width = 1.0 / 2000.0; width > 1e-12; width *= 0.6) {
            for (double t = fmax(0.0, at - width); t <= fmin(1.0, at + width); t += 0.5 * width) {
                double distance = moving_distance(&a, &b, 3, t);
                if (distance < least) { least = distance, at = t; }
            }
        }
        fr_time_input options = fr_default_time_input();
        options.separation = least - 1.2e-6;
        fr_time_output r;
        bool hit = fr_triangle_time(&a.path, &b.path, &options, &r);
        bool is_capped = hit && (r.flags & FR_TIME_CAPPED) != 0;
        // Of several turns the nearest may be one that the samples passed over.
        if (hit && moving_distance(&a, &b, 3, r.time) <= options.separation + options.tolerance) { continue; }
        assert_true(!hit || is_capped);
        tried++;
        capped += is_capped;
        steps += r.iterations;
        most = r.iterations > most ? r.iterations : most;
    }
    print_message("%llu near misses: %.0f steps each, %llu at most, %llu capped\n", (unsigned long long)tried,
                  (double)steps / (double)tried, (unsigned long long)most, (unsigned long long)capped);
    assert_true(tried > count / 2 && 500 * capped <= tried);
}

// The result contains the contact of the given end corners.
static void test_given_ends_belong_to_the_result(void **state) {
    (void)state;
    fr_vec3 near_floor[3] = {{0, 1, 0}, {1, 2, 0}, {-1, 2, 0}};
    fr_pose pose = fr_pose_identity();
    moving_set floor, moving;
    still(&floor, FLOOR);
    moving_rigid(&moving, near_floor, &pose, ZERO, fr_vec3_make(0, -0.5, 0), ZERO);
    for (int i = 0; i < 3; i++) {
        moving.path.end[i] = fr_vec3_add(near_floor[i], fr_vec3_make(0, -1.0, 0));
    }
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_false(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    options.has_ends = true;
    assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    assert_true(r.time == 1.0 && r.time_sure == 1.0 && r.distance == 0.0);
    options.separation = 0.25;
    for (int i = 0; i < 3; i++) {
        moving.path.end[i].y += 0.25;
    }
    assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
    assert_true(r.time == 1.0 && r.distance == 0.25 && r.normal.y == 1.0 && r.approach == 0.5);
    options.end = 0.9;
    assert_false(fr_triangle_time(&floor.path, &moving.path, &options, &r));
}

// Triangles that turn together stay as far apart as they are, and the first step finds it.
static void test_moving_together_is_found_at_once(void **state) {
    (void)state;
    fr_vec3 low[3] = {{1, 0, 0}, {2, 0, 0}, {1, 0, 1}};
    static const double gaps[] = {5e-7, 2e-6, 1e-5, 1e-3};
    for (int i = 0; i < 4; i++) {
        fr_vec3 high[3] = {{1, gaps[i], 0.5}, {2, 1, 0}, {1, 1, 1}};
        fr_pose pose = fr_pose_identity();
        moving_set a, b;
        moving_rigid(&a, low, &pose, ZERO, fr_vec3_make(3, 0, 0), fr_vec3_make(40, -5, 30));
        moving_rigid(&b, high, &pose, ZERO, fr_vec3_make(3, 0, 0), fr_vec3_make(40, -5, 30));
        fr_time_input options = fr_default_time_input();
        fr_time_output r;
        assert_int_equal(fr_triangle_time(&a.path, &b.path, &options, &r), gaps[i] < 1e-6);
        assert_int_equal(r.iterations, 1);
    }
}

// What rests a few units in the last place above a tilted face has the face's normal, not that of rounding.
static void test_the_normal_of_what_rests(void **state) {
    (void)state;
    fr_pose pose = fr_pose_make(fr_vec3_make(1.3, -2.7, 0.9), fr_quat_from_vector(fr_vec3_make(0.3, 0.5, -0.7)));
    fr_vec3 face[3] = {{-3, 0, -3}, {4, 0, -2}, {0, 0, 5}};
    fr_vec3 up = fr_mat3_apply(fr_quat_to_mat3(pose.rotation), fr_vec3_make(0, 1, 0));
    int near = 0;
    for (int i = 0; i < 500; i++) {
        fr_vec3 corner[3] = {{0.1 + 0.0004 * i, 4e-18 * i, 0.2}, {0.5, 1, 0.3}, {-0.3, 1, 0.7}};
        moving_set a, b;
        moving_rigid(&a, face, &pose, ZERO, ZERO, ZERO);
        moving_rigid(&b, corner, &pose, ZERO, fr_vec3_scale(-1e-3, up), ZERO);
        fr_time_input options = fr_default_time_input();
        fr_time_output r;
        assert_true(fr_triangle_time(&a.path, &b.path, &options, &r));
        if (r.distance == 0.0) { continue; } // no normal is reported
        near++;
        assert_true(fr_vec3_dot(r.normal, up) > 1.0 - 1e-10);
    }
    assert_true(near > 300);
}

// The search ends at its cap, with a time that is not late.
static void test_the_cap(void **state) {
    (void)state;
    fr_random random = fr_random_seed(74);
    uint64_t capped = 0;
    for (uint64_t i = 0; i < 300; i++) {
        moving_set a, b;
        random_pair(&random, i, &a, &b);
        fr_time_input options = fr_default_time_input();
        fr_time_output whole, r;
        fr_triangle_time(&a.path, &b.path, &options, &whole);
        options.cap = 1;
        fr_triangle_time(&a.path, &b.path, &options, &r);
        if (whole.is_hit) { assert_true(r.is_hit && r.time <= whole.time); }
        assert_true(r.iterations <= 1);
        capped += r.is_hit && (r.flags & FR_TIME_CAPPED) != 0;
    }
    assert_true(capped > 10);
}

static void test_numbers_that_are_not_finite_end(void **state) {
    (void)state;
    static const double wild[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, 1e-308, 0x1p-1074};
    fr_random random = fr_random_seed(75);
    for (uint64_t i = 0; i < 600; i++) {
        moving_set a, b;
        random_pair(&random, i, &a, &b);
        double value = wild[fr_random_below(&random, 6)];
        double *places[] = {&a.path.start[1].x, &b.path.start[0].y, &b.path.end[2].z, &a.motion.travel.x,
                            &b.motion.turn.y};
        *places[fr_random_below(&random, 5)] = value;
        fr_time_input options = fr_default_time_input();
        fr_time_output r;
        fr_triangle_time(&a.path, &b.path, &options, &r);
        double turn = fr_vec3_length(a.motion.turn) + fr_vec3_length(b.motion.turn);
        double more = turn > 64.0 && turn <= 2.0 * FR_TURN_MAX ? turn / 64.0 : 1.0;
        assert_true(r.iterations <= (1.0 + 1e-9) * more * options.cap);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The end of a contact

static void test_a_contact_ends(void **state) {
    (void)state;
    // A blade through the floor and on: its tip is there at 1/4, its upper edge leaves at 3/4.
    fr_vec3 blade[3] = {{0, 1, 0}, {0.5, 3, 0.25}, {-0.5, 3, 0.25}};
    moving_set floor, falling;
    still(&floor, FLOOR);
    travel_of(blade, fr_vec3_make(0, -4, 0), &falling);
    fr_time_input options = fr_default_time_input();
    fr_time_output r;
    assert_true(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    assert_true(fr_is_unknown(r.time_end));
    options.is_end_wanted = true;
    assert_true(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    assert_true(r.time <= 0.25 && r.time_end >= 0.75 && r.time_end <= 0.75 + 3e-6);
    assert_int_equal(r.flags, 0);
    options.begin = r.time_end;
    assert_false(fr_triangle_time(&falling.path, &floor.path, &options, &r));

    // It stays: the contact lasts to the end of the step.
    options.begin = 0.0;
    travel_of(blade, fr_vec3_make(0, -2, 0), &falling);
    assert_true(fr_triangle_time(&falling.path, &floor.path, &options, &r));
    assert_true(r.time_end == 1.0);
    assert_int_equal(r.flags, 0);
}

// What slides over the floor is in contact until it leaves it, whether it lies there, stands on a corner or cuts it.
static void test_a_contact_that_slides_ends(void **state) {
    (void)state;
    const fr_vec3 sliding[3][3] = {{{0, 0, -1}, {1, 0, 0}, {-1, 0, 0}},
                                   {{0, 0, 0}, {0.5, 1, 0}, {-0.5, 1, 0}},
                                   {{0, -1, 0}, {0.5, 1, 0}, {-0.5, 1, 0}}};
    moving_set floor, moving;
    still(&floor, FLOOR);
    fr_time_input options = fr_default_time_input();
    options.is_end_wanted = true;
    fr_time_output r;
    for (int k = 0; k < 6; k++) {
        fr_pose pose = fr_pose_identity();
        if (k < 3) { travel_of(sliding[k], fr_vec3_make(0, 0, -8), &moving); }
        if (k >= 3) { moving_rigid(&moving, sliding[k - 3], &pose, ZERO, fr_vec3_make(0, 0, -8), ZERO); }
        assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
        assert_true(r.time == 0.0 && r.time_end > 0.5 && r.time_end < 0.5 + 2e-6);
        assert_true((r.flags & FR_TIME_END_CAPPED) == 0);
    }

    // Slower, and turning: it lasts.
    for (int k = 0; k < 3; k++) {
        fr_pose pose = fr_pose_identity();
        moving_rigid(&moving, sliding[k], &pose, ZERO, fr_vec3_make(0, 0, -1), fr_vec3_make(0, 0.5, 0));
        assert_true(fr_triangle_time(&floor.path, &moving.path, &options, &r));
        assert_true(r.time == 0.0 && r.time_end == 1.0 && (r.flags & FR_TIME_END_CAPPED) == 0);
    }
}

// A motion of ten turns meets a plate ten times, and parts as often.
static void test_each_of_several_turns(void **state) {
    (void)state;
    fr_vec3 arm[3] = {{1, 0, 0}, {0.5, 0.1, 0}, {0.5, -0.1, 0}}, plate[3] = {{0, 0.25, -1}, {0, 0.25, 1}, {0, 9, 0}};
    fr_pose pose = fr_pose_identity();
    moving_set spun, wall;
    moving_rigid(&spun, arm, &pose, ZERO, ZERO, fr_vec3_make(0, 0, 2.0 * FR_PI * 10));
    still(&wall, plate);
    fr_time_input options = fr_default_time_input();
    options.is_end_wanted = true;
    int count = 0;
    fr_time_output r;
    for (; options.begin < 1.0 && fr_triangle_time(&spun.path, &wall.path, &options, &r); count++) {
        double passes = (count + 0.25) / 10.0;
        assert_true(r.time < passes && r.time_end > passes);
        assert_true(r.time > passes - 0.01 && r.time_end < passes + 0.01);
        assert_true((r.flags & FR_TIME_END_CAPPED) == 0);
        options.begin = r.time_end;
    }
    assert_int_equal(count, 10);
}

// Where samples overlap, some contact holds them; where they are far apart for longer than the time tolerance, none.
static void test_contacts_against_samples(void **state) {
    (void)state;
    fr_random random = fr_random_seed(76);
    uint64_t count = test_count(300, 10000), contacts = 0, capped = 0;
    for (uint64_t i = 0; i < count; i++) {
        moving_set a, b;
        random_pair(&random, i, &a, &b);
        fr_time_input options = fr_default_time_input();
        options.is_end_wanted = true;
        double begin[64], end[64];
        int found = 0;
        fr_time_output r;
        while (found < 64 && fr_triangle_time(&a.path, &b.path, &options, &r)) {
            assert_true(r.time >= options.begin && r.time_end >= r.time);
            capped += (r.flags & FR_TIME_END_CAPPED) != 0;
            begin[found] = r.time;
            end[found++] = r.time_end;
            options.begin = r.time_end;
            if (r.time_end >= 1.0) { break; }
        }
        contacts += (uint64_t)found;
        assert_true(found < 64);
        bool is_capped = found > 0 && (r.flags & FR_TIME_END_CAPPED) != 0;
        double gap = i % 8 == 7 ? 1e-5 : 2e-6;
        for (int k = 0, c = 0; k <= 1000; k++) {
            double t = k / 1000.0, distance = moving_distance(&a, &b, 3, t);
            while (c < found && end[c] < t) {
                c++;
            }
            bool inside = c < found && begin[c] <= t;
            if (distance == 0.0 && i % 8 != 7) { assert_true(inside); }
            if (!is_capped && inside && t > begin[c] + 2e-6 && t < end[c] - 2e-6) { assert_true(distance <= 20 * gap); }
        }
    }
    print_message("%llu pairs: %llu contacts, %llu with an end at the cap\n", (unsigned long long)count,
                  (unsigned long long)contacts, (unsigned long long)capped);
    assert_true(contacts > count / 8 && 50 * capped <= contacts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_corner_falls_on_a_face),
        cmocka_unit_test(test_edges_cross),
        cmocka_unit_test(test_sharing_points_at_the_start_is_time_zero),
        cmocka_unit_test(test_sliding_past_is_quick),
        cmocka_unit_test(test_what_never_crosses_is_found_near),
        cmocka_unit_test(test_a_rod_spun_past_a_cube_is_caught),
        cmocka_unit_test(test_the_right_one_of_several_turns),
        cmocka_unit_test(test_random_pairs_against_samples),
        cmocka_unit_test(test_begin_and_end_of_the_search),
        cmocka_unit_test(test_swap_mirror_and_scale),
        cmocka_unit_test(test_near_misses_end),
        cmocka_unit_test(test_a_contact_ends),
        cmocka_unit_test(test_a_contact_that_slides_ends),
        cmocka_unit_test(test_each_of_several_turns),
        cmocka_unit_test(test_contacts_against_samples),
        cmocka_unit_test(test_given_ends_belong_to_the_result),
        cmocka_unit_test(test_moving_together_is_found_at_once),
        cmocka_unit_test(test_the_normal_of_what_rests),
        cmocka_unit_test(test_the_cap),
        cmocka_unit_test(test_numbers_that_are_not_finite_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
