// Balls that go straight until they touch, against steps so small that nothing is passed over.
#include "frame.h"
#include "scene_sets.h"

static void what_is_no_cast_is_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_vec3 zero = {0, 0, 0}, displacement = {1, 0, 0}, wrong = {NAN, 0, 0};
    fr_space_hit hit;
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, 1, NULL, &hit, NULL), FR_ERROR_STALE_DATA);
    scene_update(&s);
    assert_int_equal(fr_space_cast_ball(s.space, wrong, displacement, 1, NULL, &hit, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_cast_ball(s.space, zero, wrong, 1, NULL, &hit, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, -1, NULL, &hit, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, NAN, NULL, &hit, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, FR_LENGTH_MAX, NULL, &hit, NULL), FR_OK);
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, 2 * FR_LENGTH_MAX, NULL, &hit, NULL),
                     FR_ERROR_ARGUMENT);
    fr_vec3 far = {0, FR_LENGTH_MAX, 0}; // a displacement that ends beyond the limit
    assert_int_equal(fr_space_cast_ball(s.space, far, fr_vec3_make(0, FR_LENGTH_MAX, 0), 1, NULL, &hit, NULL),
                     FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_cast_ball(s.space, zero, displacement, 1, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, 0);
    scene_close(&s);
}

static fr_object_id add_box(scene *s, fr_vec3 position) { return scene_add_cube(s, position, 1, 0); }

static void a_ball_stops_at_faces_edges_and_corners(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_object_id box = add_box(&s, fr_vec3_make(0, 0, 0));
    scene_update(&s);
    fr_space_hit hit;
    const struct {
        fr_vec3 from, displacement;
        double radius, distance;
    } cases[] = {
        {{-10, 0.25, 0.125}, {20, 0, 0}, 0.5, 8.5 / 20},                  // a face
        {{-10, 1.3, 0.125}, {20, 0, 0}, 0.5, (9 - 0.4) / 20},             // an edge
        {{-10, 1.3, 1.3}, {20, 0, 0}, 0.5, (9 - 0.264575131106459) / 20}, // a corner
        {{-10, 1.5, 0.125}, {20, 0, 0}, 0.5, 9.0 / 20},                   // grazes a face
        {{-10, 0, 0}, {20, 0, 0}, 0, 9.0 / 20},                           // a point
        {{-1.2, 0, 0}, {-20, 0, 0}, 0.5, 0},                              // touches at once, and leaves
        {{0, 0, 0}, {0, 0, 0}, 1.5, 0},                                   // goes nowhere
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            fr_space_cast_ball(s.space, cases[i].from, cases[i].displacement, cases[i].radius, NULL, &hit, NULL),
            FR_OK);
        assert_true(fr_object_id_equal(hit.object, box));
        assert_true(hit.distance <= cases[i].distance && hit.distance > cases[i].distance - 1e-6);
    }
    fr_vec3 from = {-10, 1.5001, 0}, displacement = {20, 0, 0}, nowhere = {0, 0, 0};
    assert_int_equal(fr_space_cast_ball(s.space, from, displacement, 0.5, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, 0);
    from.y = 0;
    displacement.x = 8.49;
    assert_int_equal(fr_space_cast_ball(s.space, from, displacement, 0.5, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, 0);
    assert_int_equal(fr_space_cast_ball(s.space, from, nowhere, 0.5, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, 0);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

typedef struct brute_cast {
    fr_vec3 from, displacement;
    double radius;
    double slack;     // what the arithmetic here rounds
    double earliest;  // that a triangle is touched for sure; above 1: never
    double at_result; // smallest gap at the returned time
    double time;      // the returned time; below 0: no hit
    double size;
} brute_cast;

static double gap_at(const brute_cast *b, const fr_vec3 corners[3], double t) {
    return fr_triangle_closest(corners, fr_vec3_add_scaled(b->from, t, b->displacement)).distance - b->radius;
}

// The least of a convex function by thirds, then the first place where it is surely below 0 by halves.
static void brute_triangle(fr_object_id id, uint32_t triangle, const fr_vec3 corners[3], void *context) {
    brute_cast *b = context;
    (void)id;
    (void)triangle;
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fr_vec3_distance(corners[k], b->from) + fr_vec3_length(b->displacement));
    }
    b->size = fmax(b->size, size);
    if (b->time >= 0.0) { b->at_result = fmin(b->at_result, gap_at(b, corners, b->time) / size); }

    double low = 0, high = 1;
    for (int i = 0; i < 80; i++) {
        double third = (high - low) / 3;
        if (gap_at(b, corners, low + third) < gap_at(b, corners, high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    double sure = -b->slack, touching = 2, apart = 0;
    const double tried[] = {high, low, 1, 0};
    for (int i = 0; i < 4; i++) {
        touching = gap_at(b, corners, tried[i]) <= sure ? fmin(touching, tried[i]) : touching;
    }
    if (touching > 1) { return; }
    for (int i = 0; i < 60 && touching > 0; i++) {
        double middle = 0.5 * (touching + apart);
        if (gap_at(b, corners, middle) <= sure) {
            touching = middle;
        } else {
            apart = middle;
        }
    }
    b->earliest = fmin(b->earliest, touching);
}

static void compare_cast(scene *s, int time) {
    (void)time;
    fr_query_filter filter;
    const fr_query_filter *given = scene_random_filter(s, &filter);
    brute_cast b = {.from = scene_point(s), .displacement = fr_vec3_scale(s->spread, scene_direction(s))};
    b.radius = scene_below(s, 4) == 0 ? 0.0 : scene_between(s, 0, 0.6);
    if (scene_below(s, 3) == 0) { b.displacement.z = 0; }
    fr_space_hit hit;
    assert_int_equal(fr_space_cast_ball(s->space, b.from, b.displacement, b.radius, given, &hit, NULL), FR_OK);
    b.time = hit.object.index1 != 0 ? hit.distance : -1;
    b.earliest = 2;
    b.slack = 1e-14 * (s->offset + 100);
    b.at_result = INFINITY;
    scene_each_triangle(s, given, brute_triangle, &b);

    // Never missed, never late, and near at the returned time.
    if (b.earliest <= 1.0) {
        assert_true(hit.object.index1 != 0);
        assert_true(hit.distance <= b.earliest);
    }
    if (hit.object.index1 == 0) { return; }
    assert_true(b.at_result <= 0x1p-40 + b.slack);
    fr_vec3 center = fr_vec3_add_scaled(b.from, hit.distance, b.displacement), corners[3];
    assert_int_equal(fr_object_corners(s->space, hit.object, hit.triangle, corners, NULL), FR_OK);
    fr_triangle_point at = fr_triangle_closest(corners, center);
    assert_true(fr_vec3_equal(at.point, hit.point));
    assert_true(at.distance <= b.radius + 0x1p-40 * b.size + b.slack);
}

static void balls_stop_where_brute_force_stops(void **state) {
    (void)state;
    const scene_trial trial = {400, test_count(30, 400), {3, 7}, 6, 12, compare_cast};
    scene_compare(&trial);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_cast_is_refused),
        cmocka_unit_test(a_ball_stops_at_faces_edges_and_corners),
        cmocka_unit_test(balls_stop_where_brute_force_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
