#include "solids.h"

#include <string.h>

static fr_octree *make_placed(uint32_t depth, fr_random *random) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    def.min = fr_vec3_make(-2.0, 1.0, 0.5);
    def.edge = 4.0;
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    fill_randomly(tree, random, 8);
    return tree;
}

static fr_vec3 random_point(fr_random *random) {
    return fr_vec3_add(fr_vec3_make(0.0, 3.0, 2.5), random_about(random, 2.5));
}

static void a_point_has_the_colour_of_its_voxel(void **state) {
    (void)state;
    fr_random random = fr_random_seed(31);
    fr_octree *tree = make_placed(4, &random);
    for (int i = 0; i < 2000; i++) {
        fr_vec3 p = random_point(&random);
        int64_t x = (int64_t)floor((p.x + 2.0) * 4.0), y = (int64_t)floor((p.y - 1.0) * 4.0),
                z = (int64_t)floor((p.z - 0.5) * 4.0);
        assert_int_equal(fr_octree_at(tree, p), fr_octree_color(tree, 0, x, y, z));
    }
    assert_int_equal(fr_octree_at(tree, fr_vec3_make(NAN, 0.0, 0.0)), FR_CELL_WHITE);
    fr_octree_destroy(tree);
}

typedef struct found {
    const fr_octree *tree;
    const fr_bounds *bounds;
    size_t count;
} found;

static bool count_found(const fr_cell *cell, void *context) {
    found *f = context;
    fr_bounds b = fr_octree_cell_bounds(f->tree, cell);
    assert_int_equal(cell->color, FR_CELL_BLACK);
    assert_true(fr_bounds_overlap(&b, f->bounds));
    f->count++;
    return true;
}

static bool count_all(const fr_cell *cell, void *context) {
    found *f = context;
    fr_bounds b = fr_octree_cell_bounds(f->tree, cell);
    f->count += fr_bounds_overlap(&b, f->bounds);
    return true;
}

static void a_box_finds_all_black_leaves_it_shares_points_with(void **state) {
    (void)state;
    fr_random random = fr_random_seed(32);
    fr_octree *tree = make_placed(5, &random);
    for (int i = 0; i < 200; i++) {
        fr_vec3 a = random_point(&random), b = i % 3 == 0 ? a : random_point(&random);
        fr_bounds bounds = {fr_vec3_min(a, b), fr_vec3_max(a, b)};
        found by_tree = {tree, &bounds, 0}, by_force = {tree, &bounds, 0};
        assert_true(fr_octree_overlap(tree, &bounds, count_found, &by_tree));
        assert_true(fr_octree_leaves(tree, FR_CELL_BLACK, count_all, &by_force));
        assert_int_equal(by_tree.count, by_force.count);
    }
    fr_octree_destroy(tree);
}

typedef struct nearest {
    const fr_octree *tree;
    const fr_ray *ray;
    double best;
} nearest;

static bool find_nearest(const fr_cell *cell, void *context) {
    nearest *n = context;
    fr_bounds b = fr_octree_cell_bounds(n->tree, cell);
    const double low[3] = {b.min.x, b.min.y, b.min.z}, high[3] = {b.max.x, b.max.y, b.max.z};
    const double o[3] = {n->ray->origin.x, n->ray->origin.y, n->ray->origin.z};
    const double d[3] = {n->ray->direction.x, n->ray->direction.y, n->ray->direction.z};
    double from = 0.0, to = n->ray->limit;
    for (int a = 0; a < 3; a++) {
        if (d[a] == 0.0) {
            if (o[a] < low[a] || o[a] > high[a]) { return true; }
            continue;
        }
        double t0 = (low[a] - o[a]) / d[a], t1 = (high[a] - o[a]) / d[a];
        from = fmax(from, fmin(t0, t1));
        to = fmin(to, fmax(t0, t1));
    }
    if (from <= to && from < n->best) { n->best = from; }
    return true;
}

static void a_ray_meets_the_first_black_leaf(void **state) {
    (void)state;
    fr_random random = fr_random_seed(33);
    fr_octree *tree = make_placed(4, &random);
    int hits = 0;
    for (int i = 0; i < 600; i++) {
        fr_vec3 o = random_point(&random), d = fr_vec3_sub(random_point(&random), o);
        if (i % 4 == 0) { d.x = 0.0; }
        if (i % 8 == 0) { d = fr_vec3_make(0.0, 0.0, -1.0); }
        fr_ray ray = {o, d, i % 5 == 0 ? 0.4 : INFINITY};
        nearest n = {tree, &ray, INFINITY};
        fr_octree_leaves(tree, FR_CELL_BLACK, find_nearest, &n);
        fr_octree_hit hit = fr_octree_ray(tree, &ray);
        assert_int_equal(hit.is_hit, isfinite(n.best));
        if (hit.is_hit) { assert_true(hit.distance == n.best && hit.cell.color == FR_CELL_BLACK); }
        hits += hit.is_hit;
    }
    assert_true(hits > 100 && hits < 600);
    fr_ray none = {{0.0, 2.0, 1.0}, {0.0, 0.0, 0.0}, 1.0}, wrong = {{NAN, 2.0, 1.0}, {1.0, 0.0, 0.0}, 1.0};
    assert_false(fr_octree_ray(tree, &none).is_hit);
    assert_false(fr_octree_ray(tree, &wrong).is_hit);
    fr_octree_destroy(tree);
}

typedef struct drawn {
    size_t triangles, lines;
} drawn;

static void count_triangles(const double *points, size_t count, fr_color color, void *user) {
    (void)points;
    (void)color;
    ((drawn *)user)->triangles += count;
}

static void count_lines(const double *points, size_t count, fr_color color, double width, void *user) {
    (void)points;
    (void)color;
    (void)width;
    ((drawn *)user)->lines += count;
}

static void a_picture_shows_the_sides_that_are_not_covered(void **state) {
    (void)state;
    fr_octree *tree = make_tree(3, 3);
    drawn d = {0, 0};
    fr_draw draw = {.lines = count_lines, .triangles = count_triangles, .user = &d};
    fr_color gray = {128, 128, 128, 255}, none = {0, 0, 0, 0};
    blacken_voxel(tree, 3, 3, 3);
    blacken_voxel(tree, 4, 3, 3);
    fr_octree_draw(tree, &draw, gray, gray);
    assert_int_equal(d.triangles, 20);
    assert_int_equal(d.lines, 40);
    fr_octree_draw(tree, &draw, gray, none);
    assert_int_equal(d.lines, 40);
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_has_the_colour_of_its_voxel),
        cmocka_unit_test(a_box_finds_all_black_leaves_it_shares_points_with),
        cmocka_unit_test(a_ray_meets_the_first_black_leaf),
        cmocka_unit_test(a_picture_shows_the_sides_that_are_not_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
