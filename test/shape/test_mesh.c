#include "failing.h"
#include "fureai/shape.h"

#include <float.h>
#include <string.h>

static const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const uint32_t square_triangles[] = {0, 1, 2, 0, 2, 3};

static fr_mesh_def square_def(void) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = square;
    def.vertex_count = 4;
    def.triangles = square_triangles;
    def.triangle_count = 2;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void expect_refusal(const fr_mesh_def *def, fr_status status, const char *part_of_message) {
    fr_mesh *mesh = NULL;
    fr_error error = {0};
    assert_int_equal(fr_mesh_create(def, &mesh, &error), status);
    assert_null(mesh);
    assert_int_equal(error.status, status);
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void names_the_first_defect(void **state) {
    (void)state;
    fr_mesh_def def = square_def();
    def.triangle_count = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "no triangle");

    def = square_def();
    def.positions_double = NULL;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "positions");
    float floats[12] = {0};
    def = square_def();
    def.positions_float = floats;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "one kind");

    const uint32_t wild[] = {0, 1, 2, 0, 2, 4};
    def = square_def();
    def.triangles = wild;
    expect_refusal(&def, FR_ERROR_CORRUPT, "triangle 1: corner 2 is vertex 4 of only 4");

    double broken[12];
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e39};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int keep_double = 0; keep_double < 2; keep_double++) {
            memcpy(broken, square, sizeof broken);
            broken[3 * 2 + i % 3] = bad[i];
            def = square_def();
            def.positions_double = broken;
            def.is_double = keep_double == 1;
            expect_refusal(&def, FR_ERROR_NOT_FINITE, "vertex 2");
        }
    }

    const uint32_t faces[] = {0, FR_NONE};
    def = square_def();
    def.faces = faces;
    expect_refusal(&def, FR_ERROR_CORRUPT, "triangle 1: polygon");
}

static void refuses_counts_over_the_limit(void **state) {
    (void)state;
    fr_mesh_def def = square_def();
    def.triangle_count = FR_MESH_MAX_TRIANGLES + 1;
    expect_refusal(&def, FR_ERROR_LIMIT, "triangles");
    def.triangle_count = UINT32_MAX;
    expect_refusal(&def, FR_ERROR_LIMIT, "triangles");
    def = square_def();
    def.vertex_count = FR_MESH_MAX_VERTICES + 1;
    expect_refusal(&def, FR_ERROR_LIMIT, "vertices");
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void keeps_what_it_was_given(void **state) {
    (void)state;
    const uint32_t faces[] = {0, 0};
    fr_mesh_def def = square_def();
    def.faces = faces;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_int_equal(view->vertex_count, 4);
    assert_int_equal(view->triangle_count, 2);
    assert_int_equal(view->face_count, 1);
    assert_int_equal(fr_mesh_face(mesh, 1), 0);
    assert_memory_equal(view->triangles, square_triangles, sizeof square_triangles);
    assert_non_null(view->positions_float);
    assert_null(view->positions_double);
    assert_non_null(view->tree);
    assert_true(fr_tree_validate(view->tree, NULL));
    assert_true(fr_vec3_equal(view->bounds.min, fr_vec3_make(0, 0, 0)));
    assert_true(fr_vec3_equal(view->bounds.max, fr_vec3_make(1, 1, 0)));
    assert_true(view->largest == 1.0);
    assert_int_equal(view->degenerate_count, 0);

    fr_vec3 corners[3];
    fr_mesh_corners(mesh, 1, corners);
    assert_true(fr_vec3_equal(corners[2], fr_vec3_make(0, 1, 0)));
    fr_mesh_release(mesh);
}

static void numbers_its_own_faces_where_none_are_given(void **state) {
    (void)state;
    fr_mesh_def def = square_def();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    assert_null(fr_mesh_get(mesh)->faces);
    assert_int_equal(fr_mesh_get(mesh)->face_count, 2);
    assert_int_equal(fr_mesh_face(mesh, 1), 1);
    fr_mesh_release(mesh);
}

static void reports_the_largest_rounding(void **state) {
    (void)state;
    double fine[12];
    memcpy(fine, square, sizeof fine);
    fine[4] = 1e-3;
    fine[7] = 0.1;
    fr_mesh_def def = square_def();
    def.positions_double = fine;
    fr_mesh *floats, *doubles;
    assert_int_equal(fr_mesh_create(&def, &floats, NULL), FR_OK);
    def.is_double = true;
    assert_int_equal(fr_mesh_create(&def, &doubles, NULL), FR_OK);

    assert_true(fr_mesh_get(floats)->rounding == fabs((double)(float)0.1 - 0.1));
    assert_true(fr_mesh_get(doubles)->rounding == 0.0);
    assert_memory_equal(fr_mesh_get(doubles)->positions_double, fine, sizeof fine);
    fr_mesh_release(floats);
    fr_mesh_release(doubles);
}

static void counts_its_references(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_mesh_def def = square_def();
    def.allocator = fr_probe_allocator(probe);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    assert_ptr_equal(fr_mesh_retain(mesh), mesh);
    fr_mesh_release(mesh);
    assert_int_equal(fr_mesh_get(mesh)->vertex_count, 4);
    fr_mesh_release(mesh);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    fr_mesh_release(NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges and degenerate input

static void keeps_and_marks_degenerate_triangles(void **state) {
    (void)state;
    // A point, a segment, three points in a row, a needle just above the limit, a good one; at sizes far from 1.
    const double scales[] = {1.0, 1e-30, 1e30, 1e-150, 3e38};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        double k = scales[s];
        double points[] = {0, 0, 0, k, 0, 0, k / 2, 0, 0, k / 2, 1e-6 * k, 0, 0, k, 0};
        const uint32_t triangles[] = {0, 0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 3, 0, 1, 4};
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = points;
        def.vertex_count = 5;
        def.triangles = triangles;
        def.triangle_count = 5;
        def.is_double = true;
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
        assert_int_equal(fr_mesh_get(mesh)->degenerate_count, 3);
        for (uint32_t t = 0; t < 5; t++) {
            assert_int_equal(fr_mesh_is_degenerate(mesh, t), t < 3);
        }
        assert_true(fr_tree_validate(fr_mesh_get(mesh)->tree, NULL));
        fr_mesh_release(mesh);
    }
}

static void bounds_leave_out_unused_vertices(void **state) {
    (void)state;
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 100, 100, 100};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 4;
    def.triangles = square_triangles;
    def.triangle_count = 1;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    assert_true(fr_vec3_equal(fr_mesh_get(mesh)->bounds.max, fr_vec3_make(1, 1, 0)));
    assert_true(fr_mesh_get(mesh)->largest == 100.0);
    fr_mesh_release(mesh);
}

static void takes_the_ends_of_the_floats_range(void **state) {
    (void)state;
    const float most = FLT_MAX, least = FLT_MIN / 4;
    const float points[] = {-most, -most, -most, most, least, 0, 0, most, -least};
    const uint32_t triangle[] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = points;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    assert_memory_equal(fr_mesh_get(mesh)->positions_float, points, sizeof points);
    fr_mesh_release(mesh);
}

// At the corners of a cube the three faces count alike, whatever their triangles; a vertex of no triangle gets +Y.
static void normals_are_means_of_the_triangles_around(void **state) {
    (void)state;
    fr_mesh *mesh;
    fr_vec3 normals[8];
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &mesh, NULL), FR_OK);
    fr_mesh_vertex_normals(mesh, normals);
    for (uint32_t v = 0; v < 8; v++) {
        double length = fr_vec3_length(normals[v]);
        assert_true(length > 1.0 - 1e-12 && length < 1.0 + 1e-12);
        for (uint32_t k = 0; k < 3; k++) {
            double along = k == 0 ? normals[v].x : k == 1 ? normals[v].y : normals[v].z;
            assert_true(along * (double)fr_mesh_get(mesh)->positions_float[3 * v + k] > 0.2);
        }
    }
    fr_mesh_release(mesh);
    fr_mesh_def def = square_def();
    def.triangle_count = 1;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_mesh_vertex_normals(mesh, normals);
    assert_true(normals[0].z == 1.0 && normals[3].y == 1.0);
    fr_mesh_release(mesh);
}

// ---------------------------------------------------------------------------------------------------------------
// Stopping and allocation failure

typedef struct stopper {
    uint32_t calls, stop_at;
} stopper;

static bool stop_at(void *user) {
    stopper *s = user;
    return ++s->calls == s->stop_at;
}

// At every call of `stop`, in every stage: nothing is made and nothing stays behind.
static void a_making_can_be_stopped(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_mesh_def def = square_def();
    stopper s = {0, 0};
    fr_control control = {.stop = stop_at, .user = &s};
    def.control = &control;
    def.allocator = fr_probe_allocator(probe);
    fr_status status = FR_ERROR_STOPPED;
    for (uint32_t n = 1; status != FR_OK; n++) {
        s = (stopper){0, n};
        fr_mesh *mesh = NULL;
        fr_error error = {0};
        status = fr_mesh_create(&def, &mesh, &error);
        if (status != FR_OK) {
            assert_int_equal(status, FR_ERROR_STOPPED);
            assert_int_equal(error.status, FR_ERROR_STOPPED);
            assert_int_equal(s.calls, n);
            assert_null(mesh);
        }
        fr_mesh_release(mesh);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    assert_true(s.calls >= 5); // boxes, tree, edges by number, places, edges by place
    fr_probe_destroy(probe);
}

static fr_status make_sphere(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_mesh_def like = fr_default_mesh_def();
    like.allocator = *allocator;
    fr_mesh *mesh = NULL;
    fr_status status = fr_mesh_create_named("sphere_168", &like, &mesh, NULL);
    fr_mesh_release(mesh);
    return status;
}

static void survives_every_allocation_failure(void **state) {
    (void)state;
    assert_true(test_every_failure(make_sphere, NULL) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_first_defect),
        cmocka_unit_test(refuses_counts_over_the_limit),
        cmocka_unit_test(keeps_what_it_was_given),
        cmocka_unit_test(numbers_its_own_faces_where_none_are_given),
        cmocka_unit_test(reports_the_largest_rounding),
        cmocka_unit_test(counts_its_references),
        cmocka_unit_test(keeps_and_marks_degenerate_triangles),
        cmocka_unit_test(bounds_leave_out_unused_vertices),
        cmocka_unit_test(takes_the_ends_of_the_floats_range),
        cmocka_unit_test(normals_are_means_of_the_triangles_around),
        cmocka_unit_test(a_making_can_be_stopped),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
