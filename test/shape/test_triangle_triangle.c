// fr_triangle_overlap: exact for every kind of pair, by oracles that share nothing with it.
#include "frame.h"

#include "fureai/shape.h"
#include "shape/triangle_triangle.h"

#include "whole_number_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_vec3 whole_corner(fr_random *random, int range) {
    uint64_t span = (uint64_t)(2 * range + 1);
    double x = (double)fr_random_below(random, span) - range;
    double y = (double)fr_random_below(random, span) - range;
    double z = (double)fr_random_below(random, span) - range;
    return fr_vec3_make(x, y, z);
}

static void whole_triangle(fr_random *random, int range, fr_vec3 t[3]) {
    for (int i = 0; i < 3; i++) {
        t[i] = whole_corner(random, range);
    }
}

// Flattens a triangle in one of the ways that make tests fail: into a plane, a line, a point, or onto the other's
// corner or edge.
static void degrade(fr_random *random, fr_vec3 t[3], const fr_vec3 other[3]) {
    switch (fr_random_below(random, 10)) {
    case 0: t[0].z = t[1].z = t[2].z = other[0].z; break;
    case 1: t[2] = t[1]; break;
    case 2: t[1] = t[2] = t[0]; break;
    case 3: t[2] = fr_vec3_sub(fr_vec3_scale(2.0, t[1]), t[0]); break;
    case 4: t[0] = other[fr_random_below(random, 3)]; break;
    case 5: t[0] = other[1], t[1] = other[2]; break;
    case 6: t[0] = fr_vec3_sub(fr_vec3_scale(2.0, other[1]), other[2]); break;
    case 7: t[1] = fr_vec3_add(t[0], fr_vec3_sub(other[1], other[0])); break;
    default: break;
    }
}

static bool overlap_by_oracle(const fr_vec3 a[3], const fr_vec3 b[3]) { return whole_sets_overlap(a, 3, b, 3); }

static void assert_all_agree(const fr_vec3 a[3], const fr_vec3 b[3], bool expected) {
    assert_int_equal(fr_triangle_overlap(a, b), expected);
    assert_int_equal(fr_triangle_overlap(b, a), expected);
    assert_int_equal(fr__triangle_overlap_exact(a, b), expected);
    fr__overlap_verdict cheap = fr__triangle_overlap_filter(a, b);
    if (cheap != FR__UNSURE) { assert_int_equal(cheap == FR__YES, expected); }
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

typedef struct pair_case {
    const char *what;
    fr_vec3 a[3], b[3];
    bool overlap;
} pair_case;

// b is the floor triangle (0 0 0) (4 0 0) (0 4 0) unless said otherwise.
#define FLOOR                                                                                                          \
    {                                                                                                                  \
        {0, 0, 0}, {4, 0, 0}, { 0, 4, 0 }                                                                              \
    }

static const pair_case cases[] = {
    {"pierced inside", {{1, 1, -1}, {1, 1, 1}, {9, 1, 0}}, FLOOR, true},
    {"above", {{1, 1, 1}, {2, 1, 1}, {1, 2, 2}}, FLOOR, false},
    {"straddles beside", {{3, 3, -1}, {3, 3, 1}, {9, 9, 0}}, FLOOR, false},
    {"corner on the inside", {{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}, FLOOR, true},
    {"corner on an edge", {{2, 2, 0}, {3, 3, 1}, {4, 3, 1}}, FLOOR, true},
    {"corner on a corner", {{4, 0, 0}, {5, 0, 1}, {5, 1, 1}}, FLOOR, true},
    {"corner beside an edge", {{3, 2, 0}, {3, 3, 1}, {4, 3, 1}}, FLOOR, false},
    {"edge in the inside", {{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}, FLOOR, true},
    {"edge across a corner", {{-1, 1, 0}, {1, -1, 0}, {0, 0, 3}}, FLOOR, true},
    {"edge past a corner", {{-2, 1, 0}, {1, -2, 0}, {0, 0, 3}}, FLOOR, false},
    {"edges meet in one point", {{2, -1, -1}, {2, 1, 1}, {2, -3, 3}}, FLOOR, true},
    {"shared edge", {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, FLOOR, true},
    {"coplanar inside", {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, FLOOR, true},
    {"coplanar around", {{-9, -9, 0}, {20, -9, 0}, {-9, 20, 0}}, FLOOR, true},
    {"coplanar equal", FLOOR, FLOOR, true},
    {"coplanar star", {{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}}, FLOOR, true},
    {"coplanar apart", {{5, 5, 0}, {6, 5, 0}, {5, 6, 0}}, FLOOR, false},
    {"coplanar, a corner touches", {{2, 2, 0}, {6, 5, 0}, {5, 6, 0}}, FLOOR, true},
    {"coplanar, edges touch in part", {{1, 3, 0}, {3, 1, 0}, {9, 9, 0}}, FLOOR, true},
    {"coplanar, edges in one line apart", {{5, -1, 0}, {7, -3, 0}, {9, 9, 0}}, FLOOR, false},
    {"segment through", {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}}, FLOOR, true},
    {"segment with equal corners beside", {{3, 3, -1}, {3, 3, 1}, {3, 3, 1}}, FLOOR, false},
    {"segment ends on it", {{1, 1, 0}, {1, 1, 1}, {1, 1, 1}}, FLOOR, true},
    {"segment in the plane across", {{-1, 1, 0}, {9, 1, 0}, {4, 1, 0}}, FLOOR, true},
    {"segment in the plane apart", {{-1, 9, 0}, {9, 9, 0}, {4, 9, 0}}, FLOOR, false},
    {"segment along an edge", {{1, 0, 0}, {2, 0, 0}, {9, 0, 0}}, FLOOR, true},
    {"point inside", {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, FLOOR, true},
    {"point on a corner", {{0, 4, 0}, {0, 4, 0}, {0, 4, 0}}, FLOOR, true},
    {"point above", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, FLOOR, false},
    {"point in the plane outside", {{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}, FLOOR, false},
    {"segments cross", {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, -1, 0}, {0, 1, 0}, {0, 1, 0}}, true},
    {"segments skew", {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, -1, 1}, {0, 1, 1}, {0, 1, 1}}, false},
    {"segments in one line touch", {{0, 3, 0}, {1, 2, 0}, {1, 2, 0}}, {{1, 2, 0}, {3, 0, 0}, {2, 1, 0}}, true},
    {"segments in one line apart", {{0, 3, 0}, {1, 2, 0}, {1, 2, 0}}, {{2, 1, 0}, {3, 0, 0}, {3, 0, 0}}, false},
    {"segment and point on it", {{0, 3, 1}, {2, 1, 1}, {0, 3, 1}}, {{1, 2, 1}, {1, 2, 1}, {1, 2, 1}}, true},
    {"segment and point off it", {{0, 3, 1}, {2, 1, 1}, {0, 3, 1}}, {{1, 2, 2}, {1, 2, 2}, {1, 2, 2}}, false},
    {"equal points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, true},
    {"different points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 4}, {1, 2, 4}, {1, 2, 4}}, false},
};

static void test_every_named_case(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pair_case *c = &cases[i];
        if (fr_triangle_overlap(c->a, c->b) != c->overlap) { print_message("%s\n", c->what); }
        assert_all_agree(c->a, c->b, c->overlap);
        assert_int_equal(overlap_by_oracle(c->a, c->b), c->overlap);
    }
}

// The lone corner of all 27 patterns of sides, by its definition.
static void test_lone_corner_is_alone(void **state) {
    (void)state;
    for (unsigned sides = 1; sides < 26; sides++) {
        if (sides == FR__ALL_IN_PLANE) { continue; }
        int s[3] = {(int)(sides % 3) - 1, (int)(sides / 3 % 3) - 1, (int)(sides / 9) - 1};
        unsigned lone = fr__lone_corner[sides] % 3;
        int side = fr__lone_corner[sides] >= 3 ? -1 : 1;
        assert_true(s[lone] * side >= 0);
        assert_true(s[(lone + 1) % 3] * side <= 0 && s[(lone + 2) % 3] * side <= 0);
        assert_true(s[lone] != 0 || (s[(lone + 1) % 3] != 0 && s[(lone + 2) % 3] != 0));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

static void test_small_whole_numbers_against_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(41);
    uint64_t count = test_count(150000, 3000000), hits = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        int range = (int)(1 + i % 4);
        whole_triangle(&random, range, b);
        whole_triangle(&random, range, a);
        degrade(&random, a, b);
        if (i % 3 == 0) { degrade(&random, b, a); }
        bool expected = overlap_by_oracle(a, b);
        hits += expected;
        assert_all_agree(a, b, expected);
    }
    assert_true(hits > count / 4 && hits < count * 3 / 4);
}

static void test_large_whole_numbers_against_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(42);
    uint64_t count = test_count(20000, 300000);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        whole_triangle(&random, 1 << 18, b);
        whole_triangle(&random, 1 << 18, a);
        degrade(&random, a, b);
        assert_all_agree(a, b, overlap_by_oracle(a, b));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Changes that are exact in floating point change no result

static fr_vec3 mirrored(fr_vec3 p, int axis) {
    return fr_vec3_make(axis == 0 ? -p.x : p.x, axis == 1 ? -p.y : p.y, axis == 2 ? -p.z : p.z);
}

static void assert_unchanged(const fr_vec3 a[3], const fr_vec3 b[3]) {
    static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    static const double scales[4] = {0x1p-200, 0x1p-30, 0x1p+40, 0x1p+250};
    bool expected = fr_triangle_overlap(a, b);
    for (int k = 0; k < 6; k++) {
        const int *order = permutations[k];
        fr_vec3 turned[3] = {a[order[0]], a[order[1]], a[order[2]]};
        assert_all_agree(turned, b, expected);
    }
    for (int axis = 0; axis < 3; axis++) {
        fr_vec3 p[3], q[3];
        for (int i = 0; i < 3; i++) {
            p[i] = mirrored(a[i], axis), q[i] = mirrored(b[i], axis);
        }
        assert_all_agree(p, q, expected);
    }
    for (int k = 0; k < 4; k++) {
        fr_vec3 p[3], q[3];
        for (int i = 0; i < 3; i++) {
            p[i] = fr_vec3_scale(scales[k], a[i]), q[i] = fr_vec3_scale(scales[k], b[i]);
        }
        assert_all_agree(p, q, expected);
    }
}

static void test_exact_changes_keep_the_result(void **state) {
    (void)state;
    fr_random random = fr_random_seed(43);
    uint64_t count = test_count(10000, 200000);
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3];
        whole_triangle(&random, 3, b);
        whole_triangle(&random, 3, a);
        degrade(&random, a, b);
        if (i % 2 == 0) { // full mantissas; the degraded corners are now near misses
            for (int k = 0; k < 3; k++) {
                a[k] = fr_vec3_scale(1.0 / 3.0, a[k]);
                b[k] = fr_vec3_scale(1.0 / 3.0, b[k]);
            }
        }
        assert_unchanged(a, b);
    }
}

// Far from the origin, where differences of doubles are exact for these corners and naive products are not.
static void test_offsets_of_a_million_keep_the_result(void **state) {
    (void)state;
    fr_random random = fr_random_seed(44);
    uint64_t count = test_count(20000, 300000);
    fr_vec3 offset = {1e6, -3e6, 7e6};
    for (uint64_t i = 0; i < count; i++) {
        fr_vec3 a[3], b[3], p[3], q[3];
        whole_triangle(&random, 4, b);
        whole_triangle(&random, 4, a);
        degrade(&random, a, b);
        for (int k = 0; k < 3; k++) {
            p[k] = fr_vec3_add(offset, fr_vec3_scale(0x1p-20, a[k]));
            q[k] = fr_vec3_add(offset, fr_vec3_scale(0x1p-20, b[k]));
        }
        assert_all_agree(p, q, overlap_by_oracle(a, b));
    }
}

// One ulp decides: a corner on the floor, a hair above it, a hair below it.
static void test_one_ulp_decides(void **state) {
    (void)state;
    fr_vec3 floor[3] = {{-1e6, -1e6, 1.0}, {1e6, -1e6, 1.0}, {0, 1e6, 1.0}};
    fr_vec3 a[3] = {{0.3, 0.7, 1.0}, {10, 20, 5}, {-10, 20, 5}};
    assert_true(fr_triangle_overlap(a, floor));
    a[0].z = nextafter(1.0, 2.0);
    assert_false(fr_triangle_overlap(a, floor));
    a[0].z = nextafter(1.0, 0.0);
    assert_true(fr_triangle_overlap(a, floor));
}

static void test_not_finite_ends(void **state) {
    (void)state;
    double values[] = {NAN, INFINITY, -INFINITY, 1e308, 5e-324, 0.0};
    fr_random random = fr_random_seed(45);
    for (int i = 0; i < 20000; i++) {
        fr_vec3 t[6];
        for (int k = 0; k < 6; k++) {
            t[k] = whole_corner(&random, 2);
            if (fr_random_below(&random, 3) == 0) { t[k].y = values[fr_random_below(&random, 6)]; }
        }
        (void)fr_triangle_overlap(t, t + 3);
        fr_section section;
        (void)fr_triangle_section(t, t + 3, &section);
        assert_in_range(section.count, 0, 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_named_case),
        cmocka_unit_test(test_lone_corner_is_alone),
        cmocka_unit_test(test_small_whole_numbers_against_brute_force),
        cmocka_unit_test(test_large_whole_numbers_against_brute_force),
        cmocka_unit_test(test_exact_changes_keep_the_result),
        cmocka_unit_test(test_offsets_of_a_million_keep_the_result),
        cmocka_unit_test(test_one_ulp_decides),
        cmocka_unit_test(test_not_finite_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
