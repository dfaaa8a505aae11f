#include "failing.h"
#include "solids.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { OBJECTS = 5, DEPTH = 4 };

typedef struct scene {
    fr_environment *environment;
    fr_mesh *mesh;
    bool is_there[OBJECTS];
    fr_pose poses[OBJECTS];
} scene;

static fr_octree_def root_def(const fr_allocator *allocator) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = DEPTH;
    def.min = fr_vec3_make(-4.0, -4.0, -4.0);
    def.edge = 8.0;
    if (allocator != NULL) { def.allocator = *allocator; }
    return def;
}

static fr_mesh *small_mesh(void) {
    fr_mesh *mesh;
    fr_error error;
    assert_int_equal(fr_mesh_create_named("sphere_24", NULL, &mesh, &error), FR_OK);
    return mesh;
}

static fr_pose random_pose(fr_random *random) {
    fr_vec3 axis = random_about(random, 1.0), at = random_about(random, 3.0);
    axis.z = 0.3;
    at.x *= 1.5;
    return fr_pose_make(at, fr_quat_from_axis_angle(axis, fr_random_between(random, -3.0, 3.0)));
}

// The faces of a voxel by brute force: every triangle of every object against the voxel's box.
static size_t faces_by_force(const scene *s, const fr_bounds *voxel, fr_cell_face *out) {
    size_t count = 0;
    for (uint64_t key = 0; key < OBJECTS; key++) {
        for (uint32_t t = 0; t < fr_mesh_get(s->mesh)->triangle_count && s->is_there[key]; t++) {
            fr_vec3 corners[3];
            fr_mesh_corners(s->mesh, t, corners);
            fr_pose_apply_many(&s->poses[key], corners, 3, corners);
            if (fr_triangle_box_overlap(corners, voxel)) { out[count++] = (fr_cell_face){10 + key, t}; }
        }
    }
    return count;
}

static void expect_as_by_force(const scene *s) {
    fr_octree_def def = root_def(NULL);
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    const fr_cells *cells = fr_environment_snapshot(s->environment);
    assert_int_equal(fr_cells_octree(cells, tree, NULL), FR_OK);
    uint64_t filled = 0, faces = 0;
    for (uint32_t i = 0; i < 4096; i++) {
        fr_cell cell = {i % 16, i / 16 % 16, i / 256, 0, FR_CELL_WHITE};
        fr_bounds bounds = fr_octree_cell_bounds(tree, &cell);
        fr_cell_face wanted[OBJECTS * 24];
        size_t count = faces_by_force(s, &bounds, wanted), found_count;
        const fr_cell_face *found = fr_cells_at(cells, cell.x, cell.y, cell.z, &found_count);
        assert_int_equal(found_count, count);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(found[k].owner, wanted[k].owner);
            assert_int_equal(found[k].triangle, wanted[k].triangle);
        }
        assert_int_equal(is_black(tree, cell.x, cell.y, cell.z), count > 0);
        filled += count > 0;
        faces += count;
    }
    fr_environment_stats stats = fr_environment_get_stats(s->environment);
    assert_int_equal(stats.cells, filled);
    assert_int_equal(stats.faces, faces);
    fr_cells_release(cells);
    fr_octree_destroy(tree);
}

static void objects_that_come_move_and_go_leave_no_ghost(void **state) {
    (void)state;
    fr_random random = fr_random_seed(81);
    fr_octree_def def = root_def(NULL);
    fr_error error;
    scene s = {.mesh = small_mesh()};
    assert_int_equal(fr_environment_create(&def, &s.environment, &error), FR_OK);
    for (uint64_t step = 0; step < test_count(12, 200); step++) {
        uint64_t key = fr_random_below(&random, OBJECTS);
        if (s.is_there[key] && fr_random_below(&random, 3) == 0) {
            assert_int_equal(fr_environment_remove(s.environment, 10 + key, &error), FR_OK);
            s.is_there[key] = false;
        } else {
            s.poses[key] = random_pose(&random);
            s.is_there[key] = true;
            assert_int_equal(fr_environment_set(s.environment, 10 + key, s.mesh, &s.poses[key], &error), FR_OK);
        }
        expect_as_by_force(&s);
    }
    assert_int_equal(fr_environment_remove(s.environment, 99, &error), FR_ERROR_STALE_ID);
    fr_environment_destroy(s.environment);
    fr_mesh_release(s.mesh);
}

static void what_does_not_change_costs_no_cell(void **state) {
    (void)state;
    fr_octree_def def = root_def(NULL);
    fr_error error;
    fr_environment *e;
    fr_mesh *mesh = small_mesh();
    assert_int_equal(fr_environment_create(&def, &e, &error), FR_OK);
    fr_pose pose = fr_pose_identity();
    assert_int_equal(fr_environment_set(e, 1, mesh, &pose, &error), FR_OK);
    uint64_t all = fr_environment_get_stats(e).cells;
    assert_int_equal(fr_environment_get_stats(e).changed_cells, all);
    assert_int_equal(fr_environment_set(e, 1, mesh, &pose, &error), FR_OK);
    assert_int_equal(fr_environment_get_stats(e).changed_cells, 0);
    pose.position.x = 0.01;
    assert_int_equal(fr_environment_set(e, 1, mesh, &pose, &error), FR_OK);
    assert_true(fr_environment_get_stats(e).changed_cells < all / 2);
    pose.position.x = NAN;
    assert_int_equal(fr_environment_set(e, 1, mesh, &pose, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_environment_get_stats(e).cells > 0, 1);
    fr_environment_destroy(e);
    fr_mesh_release(mesh);
    fr_environment_destroy(NULL);
    fr_cells_release(NULL);
}

typedef struct pair_count {
    size_t pairs;
    uint64_t low, high; // owners
} pair_count;

static bool count_pair(const fr_cell *cell, const fr_cell_face *a, const fr_cell_face *b, void *context) {
    pair_count *c = context;
    assert_int_equal(cell->level, 0);
    assert_true(a->owner < b->owner);
    if (c->high != 0) { assert_true(a->owner == c->low && b->owner == c->high); }
    c->pairs++;
    return true;
}

static bool pairs_by_force(const fr_cell *cell, const fr_cell_face *faces, size_t count, void *context) {
    (void)cell;
    pair_count *c = context;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            bool is_wanted = c->high == 0 || (faces[i].owner == c->low && faces[k].owner == c->high);
            c->pairs += faces[i].owner != faces[k].owner && is_wanted;
        }
    }
    return true;
}

static void a_cell_gives_its_candidates(void **state) {
    (void)state;
    fr_random random = fr_random_seed(82);
    fr_octree_def def = root_def(NULL);
    fr_error error;
    fr_environment *e;
    fr_mesh *mesh = small_mesh();
    assert_int_equal(fr_environment_create(&def, &e, &error), FR_OK);
    for (uint64_t key = 1; key <= 3; key++) {
        fr_pose pose = random_pose(&random);
        pose.position = fr_vec3_scale(0.2, pose.position);
        assert_int_equal(fr_environment_set(e, key, mesh, &pose, &error), FR_OK);
    }
    const fr_cells *cells = fr_environment_snapshot(e);
    pair_count found = {0, 0, 0}, wanted = {0, 0, 0};
    assert_true(fr_cells_pairs(cells, count_pair, &found));
    assert_true(fr_cells_walk(cells, pairs_by_force, &wanted));
    assert_true(found.pairs > 0);
    assert_int_equal(found.pairs, wanted.pairs);
    // Of two owners, summed over the eight parts of the root.
    pair_count of_two = {0, 1, 3}, two_wanted = {0, 1, 3};
    for (uint32_t c = 0; c < 8; c++) {
        fr_cell cell = {(c & 1) * 8, (c >> 1 & 1) * 8, (c >> 2) * 8, 3, FR_CELL_GRAY};
        assert_true(fr_cells_pairs_of(cells, &cell, 3, 1, count_pair, &of_two));
    }
    assert_true(fr_cells_walk(cells, pairs_by_force, &two_wanted));
    assert_true(of_two.pairs > 0);
    assert_int_equal(of_two.pairs, two_wanted.pairs);
    fr_cells_release(cells);
    fr_environment_destroy(e);
    fr_mesh_release(mesh);
}

// A writer moves one object between two places; at every moment a reader finds it at exactly one of them.
typedef struct reading {
    fr_environment *environment;
    atomic_bool is_over;
    uint64_t faces[2]; // in all, at either place
    size_t wrong, looks;
} reading;

static bool count_faces(const fr_cell *cell, const fr_cell_face *faces, size_t count, void *context) {
    (void)cell;
    (void)faces;
    *(uint64_t *)context += count;
    return true;
}

static void *read_on(void *context) {
    reading *r = context;
    while (!atomic_load(&r->is_over)) {
        const fr_cells *cells = fr_environment_snapshot(r->environment);
        uint64_t faces = 0;
        fr_cells_walk(cells, count_faces, &faces);
        r->wrong += faces != r->faces[0] && faces != r->faces[1];
        r->looks++;
        fr_cells_release(cells);
    }
    return NULL;
}

static void a_snapshot_is_whole_while_another_thread_moves(void **state) {
    (void)state;
    fr_octree_def def = root_def(NULL);
    fr_error error;
    reading r = {.looks = 0};
    fr_mesh *mesh = small_mesh();
    assert_int_equal(fr_environment_create(&def, &r.environment, &error), FR_OK);
    fr_pose places[2] = {fr_pose_identity(), fr_pose_identity()};
    places[1].position = fr_vec3_make(0.7, 0.3, 0.1);
    for (int i = 1; i >= 0; i--) {
        assert_int_equal(fr_environment_set(r.environment, 7, mesh, &places[i], &error), FR_OK);
        r.faces[i] = fr_environment_get_stats(r.environment).faces;
    }
    const fr_cells *kept = fr_environment_snapshot(r.environment);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_on, &r), 0);
    for (uint64_t i = 0; i < test_count(60, 2000); i++) {
        assert_int_equal(fr_environment_set(r.environment, 7, mesh, &places[(i + 1) % 2], &error), FR_OK);
    }
    atomic_store(&r.is_over, true);
    pthread_join(thread, NULL);
    assert_int_equal(r.wrong, 0);
    // What was taken before all this is as it was.
    uint64_t faces = 0;
    fr_cells_walk(kept, count_faces, &faces);
    assert_int_equal(faces, r.faces[0]);
    fr_environment_destroy(r.environment);
    faces = 0;
    fr_cells_walk(kept, count_faces, &faces);
    assert_int_equal(faces, r.faces[0]);
    fr_cells_release(kept);
    fr_mesh_release(mesh);
}

static fr_status set_twice(const fr_allocator *allocator, void *context) {
    fr_octree_def def = root_def(allocator);
    fr_environment *e;
    fr_status status = fr_environment_create(&def, &e, NULL);
    if (status != FR_OK) { return status; }
    fr_pose pose = fr_pose_identity();
    status = fr_environment_set(e, 1, context, &pose, NULL);
    fr_environment_stats before = fr_environment_get_stats(e);
    pose.position.x = 0.4;
    if (status == FR_OK) {
        status = fr_environment_set(e, 1, context, &pose, NULL);
        if (status != FR_OK) { assert_int_equal(fr_environment_get_stats(e).faces, before.faces); }
    } else {
        assert_int_equal(before.objects, 0);
    }
    if (status == FR_OK) {
        status = fr_environment_remove(e, 1, NULL);
        if (status != FR_OK) {
            test_lift(allocator);
            assert_int_equal(fr_environment_remove(e, 1, NULL), FR_OK);
        }
        assert_int_equal(fr_environment_get_stats(e).objects, 0);
    }
    fr_environment_destroy(e);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_mesh *mesh;
    fr_error error;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.6, 0.6, 0.6), NULL, &mesh, &error), FR_OK);
    assert_true(test_every_failure(set_twice, mesh) > 20);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_that_come_move_and_go_leave_no_ghost),
        cmocka_unit_test(what_does_not_change_costs_no_cell),
        cmocka_unit_test(a_cell_gives_its_candidates),
        cmocka_unit_test(a_snapshot_is_whole_while_another_thread_moves),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
