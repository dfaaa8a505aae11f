// The closest point, against every triangle one by one.
#include "frame.h"
#include "scene_sets.h"

static void invalid_input_is_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_space_closest out;
    fr_vec3 zero = {0, 0, 0};
    assert_int_equal(fr_space_closest_point(s.space, zero, 1, false, NULL, &out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_closest_many(s.space, &zero, 1, 1, false, NULL, NULL, &out, NULL), FR_ERROR_STALE_DATA);
    scene_update(&s);
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(0, NAN, 0), 1, false, NULL, &out, NULL),
                     FR_ERROR_ARGUMENT);
    fr_vec3 far = {0, 0, 2 * FR_LENGTH_MAX};
    assert_int_equal(fr_space_closest_point(s.space, far, 1, false, NULL, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_closest_point(s.space, zero, -1, false, NULL, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_closest_point(s.space, zero, NAN, true, NULL, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_closest_point(s.space, zero, INFINITY, true, NULL, &out, NULL), FR_OK);
    assert_int_equal(out.object.index1, 0);
    scene_close(&s);
}

// Two boxes, one in the other: inside both the deeper one counts.
static void the_inside_is_negative(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_vec3 zero = {0, 0, 0};
    fr_object_id outer = scene_add_cube(&s, zero, 4, 0), inner = scene_add_cube(&s, zero, 1, 0);
    scene_update(&s);
    fr_space_closest out;
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(0.5, 0, 0), 0.1, true, NULL, &out, NULL), FR_OK);
    assert_true(fr_object_id_equal(out.object, outer) && out.distance == -3.5 && out.point.x == 4);
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(0.5, 0, 0), 1, false, NULL, &out, NULL), FR_OK);
    assert_true(fr_object_id_equal(out.object, inner) && out.distance == 0.5);
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = outer;
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(0.5, 0, 0), 0.1, true, &filter, &out, NULL), FR_OK);
    assert_true(fr_object_id_equal(out.object, inner) && out.distance == -0.5);
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(1, 0.25, 0), 1, true, &filter, &out, NULL), FR_OK);
    assert_true(out.distance == 0.0);
    assert_int_equal(fr_space_closest_point(s.space, fr_vec3_make(6, 0, 0), 1, true, NULL, &out, NULL), FR_OK);
    assert_int_equal(out.object.index1, 0);
    scene_close(&s);
}

typedef struct brute_closest {
    fr_vec3 point;
    fr_space_closest best;
} brute_closest;

static void brute_triangle(fr_object_id id, uint32_t triangle, const fr_vec3 corners[3], void *context) {
    brute_closest *b = context;
    fr_triangle_point at = fr_triangle_closest(corners, b->point);
    bool is_first = b->best.object.index1 == 0 && at.distance <= b->best.distance;
    if (!is_first && !(at.distance < b->best.distance)) { return; }
    b->best.object = id;
    b->best.triangle = triangle;
    b->best.distance = at.distance;
    b->best.point = at.point;
}

// The winding of a part as it stands in the world, by a mesh of its own.
static bool is_inside_part(const scene *s, fr_object_id id, uint32_t part, fr_vec3 point) {
    fr_part_view view = fr_object_part(s->space, id, part);
    const fr_mesh_view *mesh = fr_mesh_get(view.mesh);
    double *points = malloc(9 * mesh->triangle_count * sizeof *points);
    uint32_t *triangles = malloc(3 * mesh->triangle_count * sizeof *triangles);
    assert_true(points != NULL && triangles != NULL);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        fr_vec3 corners[3];
        assert_int_equal(fr_object_corners(s->space, id, view.first_triangle + t, corners, NULL), FR_OK);
        memcpy(points + 9 * (size_t)t, corners, sizeof corners);
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * t + k] = 3 * t + k;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 3 * mesh->triangle_count;
    def.triangles = triangles;
    def.triangle_count = mesh->triangle_count;
    def.is_double = true;
    fr_mesh *placed = NULL;
    assert_int_equal(fr_mesh_create(&def, &placed, NULL), FR_OK);
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    fr_topology *topology = NULL;
    assert_int_equal(fr_topology_create(placed, &topology_def, &topology, NULL), FR_OK);
    bool is_inside = topology->border_edges == 0 && fabs(fr_mesh_winding(placed, point)) > 0.5;
    fr_topology_destroy(topology);
    fr_mesh_release(placed);
    free(points);
    free(triangles);
    return is_inside;
}

static fr_space_closest brute_signed(const scene *s, const fr_query_filter *filter, fr_vec3 point, double limit) {
    fr_space_closest best;
    memset(&best, 0, sizeof best);
    for (uint32_t i = 0; i < fr_space_object_places(s->space); i++) {
        fr_object_id id = fr_space_object_at(s->space, i);
        if (id.index1 == 0 || !scene_passes(s, filter, id)) { continue; }
        for (uint32_t part = 0; part < fr_object_get(s->space, id)->part_count; part++) {
            if (!is_inside_part(s, id, part, point)) { continue; }
            brute_closest b = {.point = point};
            b.best.distance = INFINITY;
            fr_part_view view = fr_object_part(s->space, id, part);
            for (uint32_t t = 0; t < fr_mesh_get(view.mesh)->triangle_count; t++) {
                fr_vec3 corners[3];
                (void)fr_object_corners(s->space, id, view.first_triangle + t, corners, NULL);
                brute_triangle(id, view.first_triangle + t, corners, &b);
            }
            if (-b.best.distance < best.distance) {
                best = b.best;
                best.distance = -b.best.distance;
            }
        }
    }
    if (best.distance < 0.0) { return best; }
    brute_closest b = {.point = point};
    b.best.distance = limit;
    scene_each_triangle(s, filter, brute_triangle, &b);
    return b.best;
}

static void compare_point(scene *s, int time) {
    bool is_signed = time % 6 == 0;
    fr_query_filter filter;
    const fr_query_filter *given = scene_random_filter(s, &filter);
    fr_vec3 point = scene_point(s);
    double limit = scene_below(s, 2) == 0 ? INFINITY : scene_between(s, 0, 2);
    fr_object_id id = scene_any(s);
    if (scene_below(s, 4) == 0) { point = fr_object_get(s->space, id)->pose.position; }
    if (scene_below(s, 6) == 0) {
        fr_vec3 corners[3];
        (void)fr_object_corners(s->space, id, 0, corners, NULL);
        point = corners[scene_below(s, 3)];
    }
    fr_space_closest out, expected;
    if (is_signed) {
        expected = brute_signed(s, given, point, limit);
    } else {
        brute_closest b = {.point = point};
        b.best.distance = limit;
        scene_each_triangle(s, given, brute_triangle, &b);
        expected = b.best;
    }
    assert_int_equal(fr_space_closest_point(s->space, point, limit, is_signed, given, &out, NULL), FR_OK);
    assert_true(fr_object_id_equal(out.object, expected.object));
    assert_true(out.distance == expected.distance);
    assert_int_equal(out.triangle, expected.triangle);
    assert_true(fr_vec3_equal(out.point, expected.point));
}

static void points_are_as_close_as_brute_force_says(void **state) {
    (void)state;
    const scene_trial trial = {100, test_count(60, 1000), {3, 8}, 10, 60, compare_point};
    scene_compare(&trial);
}

static void many_points_are_the_same_points(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 5, 4, 0, NULL);
    scene_fill(&s, 20, false);
    scene_update(&s);
    enum { COUNT = 300 };
    static fr_vec3 points[COUNT];
    static fr_space_closest closest[COUNT];
    for (int i = 0; i < COUNT; i++) {
        points[i] = scene_point(&s);
    }
    assert_int_equal(fr_space_closest_many(s.space, points, COUNT, INFINITY, true, NULL, NULL, closest, NULL), FR_OK);
    for (int i = 0; i < COUNT; i++) {
        fr_space_closest out;
        assert_int_equal(fr_space_closest_point(s.space, points[i], INFINITY, true, NULL, &out, NULL), FR_OK);
        assert_memory_equal(&out, &closest[i], sizeof out);
    }
    points[7].x = NAN;
    assert_int_equal(fr_space_closest_many(s.space, points, COUNT, 1, true, NULL, NULL, closest, NULL),
                     FR_ERROR_ARGUMENT);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(the_inside_is_negative),
        cmocka_unit_test(points_are_as_close_as_brute_force_says),
        cmocka_unit_test(many_points_are_the_same_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
