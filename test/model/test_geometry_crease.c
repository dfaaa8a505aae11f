// Normals by crease angle, against the sum over all corners.
#include "made_part.h"

#include "fureai/shape.h"

static fr_vec3 point(const float *points, int32_t index) {
    const float *p = points + (ptrdiff_t)3 * index;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// A wavy sheet of side * side quads with a sharp step in its middle.
enum { SIDE = 14, ACROSS = SIDE + 1, POINTS = ACROSS * ACROSS, QUADS = SIDE * SIDE };

static void make_sheet(float *points, int32_t *indices) {
    fr_random random = fr_random_seed(7);
    for (int j = 0; j < ACROSS; j++) {
        for (int i = 0; i < ACROSS; i++) {
            float *p = points + (ptrdiff_t)3 * (j * ACROSS + i);
            p[0] = (float)i;
            p[1] = (float)j;
            p[2] = (float)(0.5 * fr_random_unit(&random)) + (i > SIDE / 2 ? 3.0f : 0.0f);
        }
    }
    for (int q = 0; q < QUADS; q++) {
        int32_t at = q / SIDE * ACROSS + q % SIDE;
        const int32_t quad[] = {at, at + 1, at + ACROSS + 1, at + ACROSS, -1};
        memcpy(indices + (ptrdiff_t)5 * q, quad, sizeof quad);
    }
}

// The normal of corner k of quad q by looking at every corner of every quad.
static fr_vec3 brute_normal(const float *points, const int32_t *indices, int q, int k, double angle) {
    fr_vec3 normals[QUADS], sum = {0, 0, 0};
    for (int f = 0; f < QUADS; f++) {
        fr_vec3 p[4];
        for (int c = 0; c < 4; c++) {
            p[c] = point(points, indices[5 * f + c]);
        }
        normals[f] = fr_polygon_area_vector(p, 4);
    }
    fr_vec3 up = {0, 0, 1}, own = fr_vec3_unit(normals[q], up);
    for (int f = 0; f < QUADS; f++) {
        for (int c = 0; c < 4; c++) {
            fr_vec3 other = fr_vec3_unit(normals[f], up);
            if (indices[5 * f + c] != indices[5 * q + k]) { continue; }
            if (f != q && !(fr_acos(fmin(1.0, fr_vec3_dot(own, other))) < angle)) { continue; }
            fr_vec3 at = point(points, indices[5 * f + c]);
            fr_vec3 to = fr_vec3_unit(fr_vec3_sub(point(points, indices[5 * f + (c + 1) % 4]), at), up);
            fr_vec3 from = fr_vec3_unit(fr_vec3_sub(point(points, indices[5 * f + (c + 3) % 4]), at), up);
            sum = fr_vec3_add(sum, fr_vec3_scale(fr_acos(fr_vec3_dot(to, from)), normals[f]));
        }
    }
    return fr_vec3_unit(sum, up);
}

static void corners_are_smoothed_as_by_looking_at_all(void **state) {
    (void)state;
    static float points[3 * POINTS];
    static int32_t indices[5 * QUADS];
    make_sheet(points, indices);
    const double angles[] = {0.05, 0.3, 0.7, 1.5, 3.2};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
        made m;
        begin(&m);
        fr__face_set set = fr__default_face_set();
        set.points = points;
        set.point_count = POINTS;
        set.indices = indices;
        set.index_count = sizeof indices / sizeof indices[0];
        set.crease_angle = angles[a];
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        const float *normals = finished(&m)->corner_normals;
        assert_non_null(normals);
        for (int q = 0; q < QUADS; q++) {
            for (int k = 0; k < 4; k++) {
                fr_vec3 expected = brute_normal(points, indices, q, k, angles[a]);
                fr_vec3 normal = point(normals, 4 * q + k);
                assert_true(fr_vec3_length(fr_vec3_sub(normal, expected)) < 1e-6);
            }
        }
        end(&m);
    }
}

static void a_cube_is_flat_below_its_angle_and_round_above(void **state) {
    (void)state;
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    const int32_t indices[] = {4, 5, 7, 6, -1, 1, 0, 2, 3, -1, 5, 1, 3, 7, -1,
                               0, 4, 6, 2, -1, 6, 7, 3, 2, -1, 0, 1, 5, 4, -1};
    const double angles[] = {1.57, 1.58}; // a right angle lies between
    for (int i = 0; i < 2; i++) {
        made m;
        begin(&m);
        fr__face_set set = fr__default_face_set();
        set.points = points;
        set.point_count = 8;
        set.indices = indices;
        set.index_count = 30;
        set.crease_angle = angles[i];
        assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
        const fr_model_mesh *mesh = finished(&m);
        for (uint32_t k = 0; k < 24; k++) {
            const float *p = points + (size_t)3 * mesh->corners[k], *n = mesh->corner_normals + (size_t)3 * k;
            fr_vec3 out = fr_vec3_make((double)p[0] - 0.5, (double)p[1] - 0.5, (double)p[2] - 0.5);
            fr_vec3 normal = fr_vec3_make((double)n[0], (double)n[1], (double)n[2]);
            double cosine = fr_vec3_dot(normal, fr_vec3_unit(out, out));
            assert_true(fabs(cosine - (i == 0 ? 1.0 / sqrt(3.0) : 1.0)) < 1e-6);
        }
        end(&m);
    }
}

// A fan around one vertex would take the square of its triangles.
static void a_large_fan_takes_no_square_of_time(void **state) {
    (void)state;
    enum { BLADES = 50000 };
    float *points = calloc((size_t)3 * (BLADES + 2), sizeof *points);
    int32_t *indices = calloc((size_t)4 * BLADES, sizeof *indices);
    assert_true(points != NULL && indices != NULL);
    for (int i = 0; i <= BLADES; i++) {
        double sine, cosine;
        fr_sincos(6.0 * (double)i / (double)BLADES, &sine, &cosine);
        points[3 * (i + 1)] = (float)(1000.0 * cosine);
        points[3 * (i + 1) + 1] = (float)(1000.0 * sine);
        const int32_t blade[] = {0, i + 1, i + 2, -1};
        if (i < BLADES) { memcpy(indices + (ptrdiff_t)4 * i, blade, sizeof blade); }
    }
    made m;
    begin(&m);
    fr__face_set set = fr__default_face_set();
    set.points = points;
    set.point_count = BLADES + 2;
    set.indices = indices;
    set.index_count = (size_t)4 * BLADES;
    set.crease_angle = 1.0;
    assert_int_equal(fr__add_face_set(&m.geometry, &set), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    for (uint32_t k = 0; k < 3 * mesh->face_count; k += 997) {
        assert_true(mesh->corner_normals[3 * k + 2] > 0.999f);
    }
    end(&m);
    free(points);
    free(indices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_smoothed_as_by_looking_at_all),
        cmocka_unit_test(a_cube_is_flat_below_its_angle_and_round_above),
        cmocka_unit_test(a_large_fan_takes_no_square_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
