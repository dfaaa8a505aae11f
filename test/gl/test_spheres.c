// Balls against sectors by the compute shader: none that meets is missed, none that is far is told.
#include "drawn.h"

#define BALLS 3001

typedef struct balls {
    float x[BALLS], y[BALLS], z[BALLS], radius[BALLS];
    fr_spheres list;
} balls;

static void make_balls(balls *b, fr_random *random, bool has_radius) {
    for (int i = 0; i < BALLS; i++) {
        b->x[i] = (float)fr_random_between(random, -20, 20);
        b->y[i] = (float)fr_random_between(random, -20, 20);
        b->z[i] = (float)fr_random_between(random, -20, 20);
        b->radius[i] = (float)fr_random_between(random, 0, 3);
    }
    b->list = (fr_spheres){b->x, b->y, b->z, has_radius ? b->radius : NULL, BALLS};
}

static fr_sector any_sector(fr_random *random, int kind) {
    static const double angles[4] = {0.0, 0.7, 2.5, FR_PI};
    double inner = kind % 3 == 0 ? 0.0 : fr_random_between(random, 0, 8);
    fr_sector s = {.center = random_about(random, 5), .inner = inner};
    s.axis = random_beside(random, 1, 1);
    s.bisector = fr_vec3_make(1, fr_random_between(random, -1, 1), 0);
    s.outer = inner + fr_random_between(random, 0, 10);
    s.half_thickness = fr_random_between(random, 0, 5);
    s.half_angle = kind < 4 ? angles[kind] : fr_random_between(random, 0, FR_PI);
    assert_int_equal(fr_sector_check(&s, NULL), FR_OK);
    return s;
}

static bool bit_of(const uint8_t *bits, size_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

static void skip_without_compute(void) {
    if (!fr_gl_get_info(drawn_gl).has_compute) { skip(); }
}

static void check_sector(const fr_sector *s, const balls *b, const uint8_t *bits, size_t hits) {
    size_t count = 0;
    for (size_t i = 0; i < BALLS; i++) {
        fr_vec3 p = fr_vec3_make((double)b->x[i], (double)b->y[i], (double)b->z[i]);
        double radius = b->list.radius != NULL ? (double)b->radius[i] : 0.0;
        double size = 2.0 * (s->outer + s->half_thickness) + fr_vec3_length(s->center) + fr_vec3_distance(p, s->center);
        count += bit_of(bits, i) ? 1 : 0;
        if (fr_sector_overlap_sphere(s, p, radius)) { assert_true(bit_of(bits, i)); }
        if (bit_of(bits, i)) { assert_true(fr_sector_overlap_sphere(s, p, radius + 1e-5 * size)); }
    }
    assert_int_equal(count, hits);
    assert_int_equal(bits[BALLS / 8] >> (BALLS % 8), 0);
}

static void none_is_missed_and_none_is_far(void **state) {
    (void)state;
    skip_without_compute();
    enum { SECTORS = 40 };
    static balls b;
    static uint8_t bits[SECTORS][(BALLS + 7) / 8], own[(BALLS + 7) / 8];
    fr_sector sectors[SECTORS];
    size_t hits[SECTORS];
    fr_random random = fr_random_seed(12);
    uint64_t rounds = test_count(2, 100), different = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        make_balls(&b, &random, round % 2 == 0);
        for (int k = 0; k < SECTORS; k++) {
            sectors[k] = any_sector(&random, k);
        }
        fr_error error = {0};
        fr_status status = fr_gl_sector_spheres(drawn_gl, sectors, SECTORS, &b.list, &bits[0][0], hits, &error);
        if (status != FR_OK) { print_error("%s\n", error.message); }
        assert_int_equal(status, FR_OK);
        for (int k = 0; k < SECTORS; k++) {
            check_sector(&sectors[k], &b, bits[k], hits[k]);
            fr_sector_spheres(&sectors[k], &b.list, NULL, own);
            for (size_t i = 0; i < BALLS; i++) {
                different += bit_of(own, i) != bit_of(bits[k], i) ? 1 : 0;
            }
        }
    }
    printf("%llu of %llu differ from the kernel\n", (unsigned long long)different,
           (unsigned long long)(rounds * SECTORS * BALLS));
    assert_true((double)different <= 1e-4 * (double)(rounds * SECTORS * BALLS));
}

static void counts_and_bits_may_be_left_out(void **state) {
    (void)state;
    skip_without_compute();
    static balls b;
    static uint8_t bits[2][(BALLS + 7) / 8];
    fr_random random = fr_random_seed(8);
    make_balls(&b, &random, true);
    fr_sector sectors[2] = {any_sector(&random, 5), any_sector(&random, 6)};
    size_t hits[2], again[2] = {7, 7};
    assert_int_equal(fr_gl_sector_spheres(drawn_gl, sectors, 2, &b.list, &bits[0][0], NULL, NULL), FR_OK);
    assert_int_equal(fr_gl_sector_spheres(drawn_gl, sectors, 2, &b.list, NULL, hits, NULL), FR_OK);
    for (int k = 0; k < 2; k++) {
        check_sector(&sectors[k], &b, bits[k], hits[k]);
    }
    b.list.count = 0;
    assert_int_equal(fr_gl_sector_spheres(drawn_gl, sectors, 2, &b.list, &bits[0][0], again, NULL), FR_OK);
    assert_true(again[0] == 0 && again[1] == 0);
    assert_int_equal(fr_gl_sector_spheres(drawn_gl, NULL, 0, &b.list, NULL, NULL, NULL), FR_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_missed_and_none_is_far),
        cmocka_unit_test(counts_and_bits_may_be_left_out),
    };
    return drawn_run(tests, sizeof tests / sizeof tests[0]);
}
