#include "failing.h"
#include "heap_calls.h"
#include "solids.h"

#include <string.h>

static fr_mesh *named(const char *name) {
    fr_mesh *mesh;
    fr_error error;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, &error), FR_OK);
    return mesh;
}

static fr_octree *tree_about(const fr_mesh *mesh, uint32_t depth) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    fr_octree_root_about(&fr_mesh_get(mesh)->bounds, &def);
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    return tree;
}

typedef struct turning {
    fr_octree_builder *builder;
    fr_octree *tree;
} turning;

static fr_pose random_turn(const fr_mesh *mesh, fr_random *random) {
    // About the middle of the mesh, so that it stays inside the root.
    fr_vec3 axis = random_about(random, 1.0);
    fr_quat q = fr_quat_from_axis_angle(axis, fr_random_between(random, -3.0, 3.0));
    fr_vec3 c = fr_bounds_center(&fr_mesh_get(mesh)->bounds);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    pose.position = fr_vec3_sub(c, fr_pose_apply(&pose, c));
    return pose;
}

static void voxel_middle(const fr_octree *tree, uint32_t i, fr_cell *cell, fr_vec3 *middle) {
    uint32_t depth = fr_octree_get_def(tree).depth, n = 1u << depth;
    *cell = (fr_cell){i % n, i / n % n, i / n / n, 0, FR_CELL_WHITE};
    fr_bounds b = fr_octree_cell_bounds(tree, cell);
    *middle = fr_bounds_center(&b);
}

// Against the mesh itself: the winding number at every voxel centre that is not within the rounding of the surface.
static void centres_inside_are_black(void **state) {
    (void)state;
    const char *names[] = {"sphere_360", "shuttle_528", "chair", "torus"};
    fr_random random = fr_random_seed(41);
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(NULL, &builder, &error), FR_OK);
    for (uint64_t round = 0; round < test_count(6, 200); round++) {
        fr_mesh *mesh = named(names[round % 4]);
        fr_octree *tree = tree_about(mesh, 4 + (uint32_t)(round / 4 % 2));
        double voxel = ldexp(fr_octree_get_def(tree).edge, -(int)fr_octree_get_def(tree).depth);
        fr_pose pose = random_turn(mesh, &random), back = fr_pose_inverse(&pose);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = mesh;
        input.pose = &pose;
        input.rule = FR_VOXEL_CENTER;
        assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
        assert_true(fr_octree_validate(tree, &error));
        uint32_t n = 1u << fr_octree_get_def(tree).depth;
        for (uint32_t i = 0; i < n * n * n; i++) {
            fr_cell cell;
            fr_vec3 middle;
            voxel_middle(tree, i, &cell, &middle);
            fr_vec3 local = fr_pose_apply(&back, middle);
            bool is_inside = fr_mesh_contains(mesh, local);
            if (is_black(tree, cell.x, cell.y, cell.z) == is_inside) { continue; }
            assert_true(fr_mesh_closest(mesh, local, INFINITY).distance < 2e-3 * voxel);
        }
        fr_octree_destroy(tree);
        fr_mesh_release(mesh);
    }
    fr_octree_builder_destroy(builder);
}

// Every voxel that a triangle shares a point with, by brute force.
static void touched_voxels_are_black_and_hold_the_mesh(void **state) {
    (void)state;
    const char *names[] = {"sphere_168", "chair", "cone"};
    fr_random random = fr_random_seed(42);
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(NULL, &builder, &error), FR_OK);
    for (uint64_t round = 0; round < test_count(3, 60); round++) {
        fr_mesh *mesh = named(names[round % 3]);
        fr_octree *tree = tree_about(mesh, 4), *inside = tree_about(mesh, 4), *surface = tree_about(mesh, 4);
        fr_pose pose = random_turn(mesh, &random);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = mesh;
        input.pose = &pose;
        assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
        input.is_surface_only = true;
        assert_int_equal(fr_octree_build(builder, &input, surface, &error), FR_OK);
        input.is_surface_only = false;
        input.rule = FR_VOXEL_CENTER;
        assert_int_equal(fr_octree_build(builder, &input, inside, &error), FR_OK);
        for (uint32_t i = 0; i < 4096; i++) {
            fr_cell cell;
            fr_vec3 middle;
            voxel_middle(tree, i, &cell, &middle);
            fr_bounds bounds = fr_octree_cell_bounds(tree, &cell);
            bool touches = false;
            for (uint32_t t = 0; t < fr_mesh_get(mesh)->triangle_count && !touches; t++) {
                fr_vec3 corners[3];
                fr_mesh_corners(mesh, t, corners);
                fr_pose_apply_many(&pose, corners, 3, corners);
                touches = fr_triangle_box_overlap(corners, &bounds);
            }
            bool is_inside = is_black(inside, cell.x, cell.y, cell.z);
            assert_int_equal(is_black(surface, cell.x, cell.y, cell.z), touches);
            assert_int_equal(is_black(tree, cell.x, cell.y, cell.z), touches || is_inside);
        }
        fr_octree_destroy(tree);
        fr_octree_destroy(inside);
        fr_octree_destroy(surface);
        fr_mesh_release(mesh);
    }
    fr_octree_builder_destroy(builder);
}

// A box of 12 triangles in a root of 8 voxels, without some of them.
static fr_mesh *open_box(uint32_t triangles) {
    fr_mesh *whole, *mesh;
    fr_error error;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(4.5, 4.5, 4.5), NULL, &whole, &error), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(whole);
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = view->positions_float;
    def.vertex_count = view->vertex_count;
    def.triangles = view->triangles;
    def.triangle_count = triangles;
    assert_int_equal(fr_mesh_create(&def, &mesh, &error), FR_OK);
    fr_mesh_release(whole);
    return mesh;
}

static fr_octree *tree_of_eight(void) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = 3;
    def.min = fr_vec3_make(-4.0, -4.0, -4.0);
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    return tree;
}

static void an_open_mesh_has_a_surface_and_no_inside(void **state) {
    (void)state;
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(NULL, &builder, &error), FR_OK);
    fr_octree *tree = tree_of_eight();
    for (uint32_t triangles = 11; triangles <= 12; triangles++) {
        fr_mesh *mesh = open_box(triangles);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = mesh;
        assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
        assert_int_equal(is_black(tree, 3, 3, 3), triangles == 12);
        assert_true(is_black(tree, 1, 3, 3) || is_black(tree, 6, 3, 3));
        input.rule = FR_VOXEL_CENTER;
        assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
        assert_int_equal(fr_octree_count(tree).black_voxels, triangles == 12 ? 64 : 0);
        fr_mesh_release(mesh);
    }
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
}

static void what_is_outside_the_root_is_refused_or_clipped(void **state) {
    (void)state;
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(NULL, &builder, &error), FR_OK);
    fr_octree *tree = tree_of_eight();
    fr_mesh *mesh = open_box(12);
    fr_pose pose = fr_pose_make(fr_vec3_make(-3.0, 3.0, 0.0), fr_quat_identity());
    fr_octree_build_input input = fr_default_octree_build_input();
    input.mesh = mesh;
    input.pose = &pose;
    input.rule = FR_VOXEL_CENTER;
    fr_octree_clear(tree, FR_CELL_BLACK);
    assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_ERROR_LIMIT);
    assert_int_equal(fr_octree_count(tree).white, 1);
    input.may_clip = true;
    assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
    // The box is -5.25 .. -0.75 on x, 0.75 .. 5.25 on y: 3 x 3 x 4 of its 4 x 4 x 4 voxels are inside.
    assert_int_equal(fr_octree_count(tree).black_voxels, 36);
    pose.position.x = 100.0;
    assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_ERROR_LIMIT);
    pose.position.x = NAN;
    assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_ERROR_NOT_FINITE);
    fr_octree *flat = make_tree(2, 3);
    assert_int_equal(fr_octree_build(builder, &input, flat, &error), FR_ERROR_ARGUMENT);
    fr_octree_destroy(flat);
    fr_mesh_release(mesh);
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
    fr_octree_builder_destroy(NULL);
}

static void a_deformed_mesh_is_taken_as_it_is_now(void **state) {
    (void)state;
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(NULL, &builder, &error), FR_OK);
    fr_mesh *mesh = named("sphere_360"), *squashed;
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 *vertices = calloc(view->vertex_count, sizeof *vertices);
    double *positions = calloc(3 * (size_t)view->vertex_count, sizeof *positions);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        const float *p = view->positions_float + 3 * (size_t)i;
        vertices[i] = fr_vec3_make(0.5 * (double)p[0], (double)p[1] + 0.25 * (double)p[0], 0.75 * (double)p[2]);
        positions[3 * (size_t)i] = vertices[i].x;
        positions[3 * (size_t)i + 1] = vertices[i].y;
        positions[3 * (size_t)i + 2] = vertices[i].z;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.is_double = true;
    def.vertex_count = view->vertex_count;
    def.triangles = view->triangles;
    def.triangle_count = view->triangle_count;
    assert_int_equal(fr_mesh_create(&def, &squashed, &error), FR_OK);
    fr_octree *a = tree_about(mesh, 5), *b = tree_about(mesh, 5);
    fr_octree_build_input input = fr_default_octree_build_input();
    input.mesh = mesh;
    input.vertices = vertices;
    assert_int_equal(fr_octree_build(builder, &input, a, &error), FR_OK);
    input.mesh = squashed;
    input.vertices = NULL;
    assert_int_equal(fr_octree_build(builder, &input, b, &error), FR_OK);
    assert_true(fr_octree_equal(a, b));
    assert_true(fr_octree_count(a).black_voxels > 1000);
    fr_octree_destroy(a);
    fr_octree_destroy(b);
    fr_mesh_release(mesh);
    fr_mesh_release(squashed);
    free(vertices);
    free(positions);
    fr_octree_builder_destroy(builder);
}

static void a_warm_builder_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_error error;
    fr_octree_builder *builder;
    assert_int_equal(fr_octree_builder_create(&allocator, &builder, &error), FR_OK);
    fr_mesh *mesh = named("shuttle_528");
    fr_octree *tree = tree_about(mesh, 5);
    fr_random random = fr_random_seed(43);
    uint64_t warm = 0;
    for (int i = 0; i < 20; i++) {
        fr_pose pose = random_turn(mesh, &random);
        fr_octree_build_input input = fr_default_octree_build_input();
        input.mesh = mesh;
        input.pose = &pose;
        assert_int_equal(fr_octree_build(builder, &input, tree, &error), FR_OK);
        if (i == 0) { warm = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), warm);
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
    fr_mesh_release(mesh);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

static fr_status build_once(const fr_allocator *allocator, void *context) {
    turning *t = context;
    fr_octree_builder *builder;
    fr_status status = fr_octree_builder_create(allocator, &builder, NULL);
    if (status != FR_OK) { return status; }
    fr_mesh *mesh = named("box");
    fr_octree_build_input input = fr_default_octree_build_input();
    input.mesh = mesh;
    status = fr_octree_build(builder, &input, t->tree, NULL);
    fr_octree_builder_destroy(builder);
    fr_mesh_release(mesh);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_mesh *mesh = named("box");
    turning t = {NULL, tree_about(mesh, 4)};
    assert_true(test_every_failure(build_once, &t) > 3);
    fr_octree_destroy(t.tree);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centres_inside_are_black),
        cmocka_unit_test(touched_voxels_are_black_and_hold_the_mesh),
        cmocka_unit_test(an_open_mesh_has_a_surface_and_no_inside),
        cmocka_unit_test(what_is_outside_the_root_is_refused_or_clipped),
        cmocka_unit_test(a_deformed_mesh_is_taken_as_it_is_now),
        cmocka_unit_test(a_warm_builder_allocates_nothing),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
