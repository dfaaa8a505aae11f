// The kernels that pass over faces of sheets, for each instruction set: the judge refuses what they drop, at an instant
// and over a step whose corners go straight.
#include "collide/moving_scenes.h"
#include "collide/neighbour_faces.h"
#include "collide/straight_cull.h"
#include "frame.h"

enum { MAX_SIDE = 6, MAX_VERTICES = (MAX_SIDE + 1) * (MAX_SIDE + 1), MAX_TRIANGLES = 2 * MAX_SIDE * MAX_SIDE };

// A sheet at both ends of a step: flat, crumpled, folded, on a grid of integers, far away, with equal vertices.
typedef struct sheet {
    uint32_t vertices, count;
    fr_vec3 start[MAX_VERTICES], end[MAX_VERTICES];
    uint32_t triangles[3 * MAX_TRIANGLES];
} sheet;

static fr_vec3 folded(double x, double y, double crease, double angle) {
    if (x <= crease) { return fr_vec3_make(x, y, 0.0); }
    return fr_vec3_make(crease + (x - crease) * fr_cos(angle), y, (x - crease) * fr_sin(angle));
}

static void make_sheet(fr_random *r, uint64_t seed, sheet *s) {
    static const double noises[] = {0.0, 1e-9, 1e-6, 0.01, 0.3, 1.0};
    uint32_t side = 2 + (uint32_t)fr_random_below(r, MAX_SIDE - 1), row = side + 1;
    double noise = noises[fr_random_below(r, 6)], motion = noises[fr_random_below(r, 6)];
    double angle = seed % 3 == 0 ? fr_random_between(r, -3.2, 3.2) : 0.0, unit = seed % 5 == 4 ? 1e-3 : 1.0;
    fr_vec3 offset = seed % 4 == 3 ? scene_point(r, 1e6) : fr_vec3_make(0.0, 0.0, 0.0);
    s->vertices = row * row;
    s->count = 0;
    for (uint32_t i = 0; i < s->vertices; i++) {
        uint32_t x = i % row, y = i / row;
        fr_vec3 at = folded((double)x, (double)y, (double)(side / 2), angle);
        at = seed % 7 == 6 ? scene_grid_point(r, 3) : fr_vec3_add(at, scene_point(r, noise));
        s->start[i] = fr_vec3_add_scaled(offset, unit, at);
        s->end[i] = fr_vec3_add(s->start[i], scene_point(r, motion * unit));
        if (x == side || y == side) { continue; }
        bool turns = fr_random_below(r, 2) == 0;
        const uint32_t of[6] = {i, i + 1, i + row + 1, i, turns ? i + row : i + row + 1, turns ? i + row + 1 : i + row};
        memcpy(s->triangles + 3 * s->count, of, sizeof of);
        s->count += 2;
    }
    if (seed % 6 == 5) { s->start[1] = s->start[0], s->end[1] = seed % 12 == 5 ? s->end[0] : s->end[1]; }
}

static fr_space *space_of(const sheet *s, const fr_pose *pose) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &s->start[0].x;
    def.vertex_count = s->vertices;
    def.triangles = s->triangles;
    def.triangle_count = s->count;
    def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_space *space = scene_space();
    fr_object_id id = scene_add(space, mesh, pose, FR_OBJECT_SELF);
    fr_mesh_release(mesh);
    assert_int_equal(fr_object_set_next_vertices(space, id, s->end, s->vertices, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

// How many pairs a kernel saw and dropped.
typedef struct tally {
    uint64_t all, dropped;
} tally;

static void check_instant(const fr__pair_geometry *g, const fr__candidate *pairs, uint32_t count, tally *sum) {
    fr__judged judged[FR__BATCH];
    uint32_t left = fr__face_judge_kernel()->judge(&g->a, &g->b, true, pairs, count, judged), next = 0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 p[3], q[3];
        fr__side_corners(&g->a, pairs[i].a, p);
        fr__side_corners(&g->b, pairs[i].b, q);
        bool is_left = next < left && judged[next].index == i;
        if (!is_left || judged[next].sure) { assert_int_equal(fr__faces_overlap(true, p, q), is_left); }
        next += is_left;
        sum->all++;
        sum->dropped += !is_left;
    }
}

static void check_step(const fr__pair_geometry *g, const fr__candidate *pairs, uint32_t count, double margin,
                       tally *sum) {
    fr__swept_candidate left[FR__BATCH];
    for (uint32_t i = 0; i < count; i++) {
        left[i] = (fr__swept_candidate){pairs[i].a, pairs[i].b, 0.0f, 1.0f};
    }
    fr_time_input options = fr_default_time_input();
    options.separation = margin;
    options.has_ends = true;
    uint32_t kept = fr__straight_cull_kernel()->cull(g, margin + options.tolerance, left, count), next = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_left = next < kept && left[next].a == pairs[i].a && left[next].b == pairs[i].b;
        next += is_left;
        sum->all++;
        sum->dropped += !is_left;
        if (is_left) { continue; }
        fr_triangle_path a, b;
        fr_time_output out;
        fr__course_path(&g->course_a, &g->a, pairs[i].a, &a);
        fr__course_path(&g->course_b, &g->b, pairs[i].b, &b);
        assert_false(fr__faces_time(true, &a, &b, &options, &out));
    }
    assert_int_equal(next, kept);
}

static void check_sheet(const sheet *s, const fr_space *space, double margin, tally *instant, tally *step) {
    static fr__candidate pairs[FR__BATCH];
    fr__pair_geometry geometry;
    uint32_t count = 0;
    fr__pair_geometry_move(space, 0, 0, 0, 0, &geometry);
    assert_true(fr__pair_goes_straight(&geometry));
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t k = i + 1; k < s->count; k++) {
            pairs[count++] = (fr__candidate){i, k};
            if (count < FR__BATCH && i + 2 < s->count) { continue; }
            check_instant(&geometry, pairs, count, instant);
            check_step(&geometry, pairs, count, margin, step);
            count = 0;
        }
    }
}

static void the_judge_refuses_what_is_dropped(void **state) {
    (void)state;
    fr_simd best = fr_simd_get();
    uint64_t count = test_count(300, 5000);
    static sheet s;
    tally instant[2] = {{0, 0}, {0, 0}}, step[2] = {{0, 0}, {0, 0}};
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(9100000 + seed);
        make_sheet(&r, seed, &s);
        fr_pose pose = seed % 2 == 0 ? fr_pose_identity() : scene_random_pose(&r, 1.0, fr_vec3_make(0.0, 0.0, 0.0));
        fr_space *space = space_of(&s, &pose);
        for (int i = 0; i < 2; i++) {
            if (!fr_simd_set(i == 0 ? FR_SIMD_BASELINE : best)) { continue; }
            check_sheet(&s, space, seed % 9 == 8 ? 0.02 : 0.0, &instant[i], &step[i]);
        }
        fr_space_destroy(space);
    }
    assert_true(fr_simd_set(best));
    printf("instant: %llu of %llu dropped; step: %llu of %llu\n", (unsigned long long)instant[0].dropped,
           (unsigned long long)instant[0].all, (unsigned long long)step[0].dropped, (unsigned long long)step[0].all);
    assert_memory_equal(&instant[0], &instant[1], sizeof instant[0]);
    assert_memory_equal(&step[0], &step[1], sizeof step[0]);
    assert_true(10 * instant[0].dropped > 7 * instant[0].all && 2 * step[0].dropped > step[0].all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_judge_refuses_what_is_dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
