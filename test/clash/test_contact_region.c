// Pieces of contact joined into lines.
#include "clash/contact_region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add_segment(fr__contact_pieces *pieces, double ax, double ay, double bx, double by) {
    fr_section section = {.kind = FR_SECTION_SEGMENT, .count = 2};
    section.points[0] = fr_vec3_make(ax, ay, 0);
    section.points[1] = fr_vec3_make(bx, by, 0);
    assert_true(fr__contact_pieces_add(pieces, &section));
}

static void add_square(fr__contact_pieces *pieces, double x, double y) {
    fr_section section = {.kind = FR_SECTION_POLYGON, .is_coplanar = true, .count = 4};
    section.points[0] = fr_vec3_make(x, y, 0);
    section.points[1] = fr_vec3_make(x + 1, y, 0);
    section.points[2] = fr_vec3_make(x + 1, y + 1, 0);
    section.points[3] = fr_vec3_make(x, y + 1, 0);
    assert_true(fr__contact_pieces_add(pieces, &section));
}

static fr__contact_lines joined(fr__contact_pieces *pieces) {
    fr__contact_lines region = fr__contact_lines_make(NULL);
    assert_int_equal(fr__contact_lines_join(&region, pieces, 1e-9), FR_OK);
    fr__contact_pieces_free(pieces);
    return region;
}

static const fr_contact_line *line(const fr__contact_lines *region, size_t i) {
    return &fr__contact_lines_view(region).lines[i];
}

static fr_vec3 point(const fr__contact_lines *region, size_t i, size_t k) {
    return fr__contact_lines_view(region).points[line(region, i)->first + k];
}

static void nothing_has_no_lines(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    fr_section apart = {.kind = FR_SECTION_APART};
    assert_true(fr__contact_pieces_add(&pieces, &apart));
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 0);
    fr__contact_lines_free(&region);
}

// Given in disorder, either way round, twice, and with ends that rounding moved.
static void segments_join_to_one_line(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    add_segment(&pieces, 2, 0, 1, 0);
    add_segment(&pieces, 0, 0, 1 + 1e-12, -1e-12);
    add_segment(&pieces, 3, 0, 2, 1e-13);
    add_segment(&pieces, 1, 0, 2, 0);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 1);
    assert_int_equal(line(&region, 0)->count, 4);
    double from = point(&region, 0, 0).x, step = from == 0.0 ? 1.0 : -1.0;
    for (size_t k = 0; k < 4; k++) {
        assert_true(fabs(point(&region, 0, k).x - (from + step * (double)k)) < 1e-9);
    }
    fr__contact_lines_free(&region);
}

static void loops_end_where_they_begin(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    add_segment(&pieces, 0, 0, 1, 0);
    add_segment(&pieces, 1, 1, 0, 0);
    add_segment(&pieces, 1, 0, 1, 1);
    add_segment(&pieces, 5, 5, 6, 5);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 2);
    size_t loop = line(&region, 0)->count == 4 ? 0 : 1;
    assert_int_equal(line(&region, loop)->count, 4);
    assert_true(fr_vec3_equal(point(&region, loop, 0), point(&region, loop, 3)));
    assert_int_equal(line(&region, 1 - loop)->count, 2);
    fr__contact_lines_free(&region);
}

static void branches_part_lines(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    add_segment(&pieces, 0, 0, 1, 0);
    add_segment(&pieces, 1, 0, 2, 0);
    add_segment(&pieces, 1, 0, 1, 1);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 3);
    fr__contact_lines_free(&region);
}

// The sides that neighbours share lie inside the area; the outline remains, and a line along it counts once.
static void areas_become_outlines(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    for (int i = 0; i < 9; i++) {
        add_square(&pieces, i % 3, i / 3);
    }
    add_segment(&pieces, 0, 0, 1, 0);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 1);
    assert_int_equal(line(&region, 0)->count, 13);
    fr__contact_lines_free(&region);
}

static void lone_points_are_lines_of_one(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    fr_section section = {.kind = FR_SECTION_POINT, .count = 1};
    section.points[0] = fr_vec3_make(7, 7, 7);
    assert_true(fr__contact_pieces_add(&pieces, &section));
    section.points[0] = fr_vec3_make(1, 0, 0); // the end of a line says nothing new
    assert_true(fr__contact_pieces_add(&pieces, &section));
    add_segment(&pieces, 0, 0, 1, 0);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 2);
    assert_int_equal(line(&region, 1)->count, 1);
    assert_true(point(&region, 1, 0).z == 7.0);
    fr__contact_lines_free(&region);
}

// Coordinates beyond what cells can count make no trouble.
static void huge_coordinates_are_joined(void **state) {
    (void)state;
    fr__contact_pieces pieces = fr__contact_pieces_make(NULL);
    add_segment(&pieces, 1e200, 0, 2e200, 0);
    add_segment(&pieces, 2e200, 0, -1e300, 0);
    fr__contact_lines region = joined(&pieces);
    assert_int_equal(region.lines.count, 1);
    assert_int_equal(line(&region, 0)->count, 3);
    fr__contact_lines_free(&region);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_no_lines),        cmocka_unit_test(segments_join_to_one_line),
        cmocka_unit_test(loops_end_where_they_begin),  cmocka_unit_test(branches_part_lines),
        cmocka_unit_test(areas_become_outlines),       cmocka_unit_test(lone_points_are_lines_of_one),
        cmocka_unit_test(huge_coordinates_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
