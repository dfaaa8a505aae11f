// Clashes of parts at rest: kinds, depth, region, tolerance, wrong input, threads, stopping, memory.
#include "failing.h"
#include "fureai/clash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static fr_mesh *shape(const char *name) {
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

static fr_clash_part part_at(fr_mesh *mesh, double x, double y, double z, double scale) {
    fr_clash_part part = {mesh, fr_pose_identity()};
    part.pose.position = fr_vec3_make(x, y, z);
    part.pose.scale = scale;
    return part;
}

typedef struct query {
    fr_clash_finder *finder;
    fr_clash_input input;
    fr_clash_output output;
} query;

static query begin(const fr_clash_part *parts, size_t count) {
    query q = {.input = fr_default_clash_input()};
    assert_int_equal(fr_clash_finder_create(NULL, &q.finder, NULL), FR_OK);
    q.input.parts = parts;
    q.input.part_count = count;
    return q;
}

static void find(query *q) { assert_int_equal(fr_clash_find(q->finder, &q->input, &q->output, NULL), FR_OK); }

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void wrong_input_is_refused(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    fr_clash_part parts[2] = {part_at(box, 0, 0, 0, 1), part_at(box, 0.5, 0, 0, 1)};
    query q = begin(parts, 2);
    fr_error error;
    q.input.cookie = 0;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.cookie = fr_default_clash_input().cookie;
    q.input.tolerance = -1.0;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.tolerance = FR_UNKNOWN;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.tolerance = 0.0;
    q.input.parts = NULL;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.parts = parts;
    parts[1].mesh = NULL;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    parts[1] = part_at(box, FR_UNKNOWN, 0, 0, 1);
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(q.output.count, 0);
    parts[1] = part_at(box, 0.5, 0, 0, 1);
    find(&q);
    assert_int_equal(q.output.count, 1);
    fr_clash_finder_destroy(q.finder);
    fr_clash_finder_destroy(NULL);
    fr_mesh_release(box);
}

static void kinds_have_names(void **state) {
    (void)state;
    assert_string_equal(fr_clash_kind_name(FR_CLASH_TOUCHING), "touching");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_PROTRUSION), "protrusion");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_PIERCING), "piercing");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_ENCLOSED), "enclosed");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_DUPLICATE), "duplicate");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_CLEARANCE), "clearance");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_KIND_COUNT), "unknown");
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// Boxes of edge 1: side by side, one into the other by a quarter, one of edge 0.25 inside, one far away.
static void kinds_and_depths_are_as_known(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    const fr_clash_part parts[] = {part_at(box, 0, 0, 0, 1), part_at(box, 1, 0, 0, 1), part_at(box, 0, 0.75, 0, 1),
                                   part_at(box, 0.125, -0.125, 0, 0.25), part_at(box, 9, 9, 9, 1)};
    query q = begin(parts, 5);
    find(&q);
    const fr_clash *c = q.output.clashes;
    assert_int_equal(q.output.count, 4);
    assert_true(c[0].a == 0 && c[0].b == 1 && c[0].kind == FR_CLASH_TOUCHING && fr_is_unknown(c[0].depth));
    assert_true(c[0].region.line_count > 0 && c[0].shared_count > 0 && c[0].shared_count <= c[0].count);
    assert_true(c[1].a == 0 && c[1].b == 2 && c[1].kind == FR_CLASH_PROTRUSION);
    assert_true(c[2].a == 0 && c[2].b == 3 && c[2].kind == FR_CLASH_ENCLOSED && c[2].region.line_count == 0);
    assert_true(c[2].depth == 0.375);
    assert_true(c[3].a == 1 && c[3].b == 2);
    for (size_t i = 0; i < q.output.count; i++) {
        assert_true(c[i].first + c[i].count <= q.output.pair_count);
        for (size_t k = c[i].first; k < c[i].first + c[i].count; k++) {
            assert_true(q.output.pairs[k].a == c[i].a && q.output.pairs[k].b == c[i].b);
        }
    }
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// A face without area, a needle, that begins inside a box of edge 1 and sticks out, or stays inside, whichever of its
// corners comes first.
static void a_needle_that_sticks_out_is_not_enclosed(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    for (uint32_t i = 0; i < 6; i++) {
        double end = i < 3 ? 2.0 : 0.375;
        const double points[9] = {0, 0.125, 0.0625, end, 0.125, 0.0625, 0.5 * end, 0.125, 0.0625};
        const uint32_t corners[3] = {i % 3, (i + 1) % 3, (i + 2) % 3};
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = points;
        def.vertex_count = 3;
        def.triangles = corners;
        def.triangle_count = 1;
        fr_mesh *needle;
        assert_int_equal(fr_mesh_create(&def, &needle, NULL), FR_OK);
        const fr_clash_part parts[2] = {part_at(box, 0, 0, 0, 1), part_at(needle, 0, 0, 0, 1)};
        query q = begin(parts, 2);
        find(&q);
        assert_int_equal(q.output.count, 1);
        assert_int_equal(q.output.clashes[0].kind, i < 3 ? FR_CLASH_PROTRUSION : FR_CLASH_ENCLOSED);
        fr_clash_finder_destroy(q.finder);
        fr_mesh_release(needle);
    }
    fr_mesh_release(box);
}

// Spheres of radius 1 whose centres are 1.75 apart: with a tolerance over the depth they touch, and so do spheres
// apart.
static void a_tolerance_lets_parts_touch(void **state) {
    (void)state;
    fr_mesh *sphere = shape("sphere_168");
    fr_clash_part parts[2] = {part_at(sphere, 0, 0, 0, 1), part_at(sphere, 1.75, 0, 0, 1)};
    query q = begin(parts, 2);
    find(&q);
    double depth = q.output.clashes[0].depth;
    assert_true(q.output.clashes[0].kind == FR_CLASH_PROTRUSION && depth > 0.1 && depth < 0.25);
    q.input.tolerance = depth;
    find(&q);
    assert_true(q.output.clashes[0].kind == FR_CLASH_TOUCHING && q.output.clashes[0].depth == depth);
    parts[1] = part_at(sphere, 1.9375, 0, 0, 1);
    find(&q);
    assert_true(q.output.count == 1 && q.output.clashes[0].kind == FR_CLASH_TOUCHING);
    assert_true(q.output.clashes[0].shared_count == 0 && q.output.clashes[0].count > 0);
    q.input.tolerance = 0.0;
    find(&q);
    assert_int_equal(q.output.count, 0);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(sphere);
}

static void nothing_and_one_part_do_not_clash(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    const fr_clash_part part = part_at(box, 0, 0, 0, 1);
    query q = begin(&part, 0);
    find(&q);
    assert_int_equal(q.output.count, 0);
    q.input.part_count = 1;
    find(&q);
    assert_int_equal(q.output.count, 0);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// A single triangle has no inside: it crosses, without a depth of the box's corners in it. One that is only a segment
// and one that is only a point count as what they are.
static void degenerate_and_open_parts_clash(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *flat[3];
    const float corners[3][9] = {
        {0, 0, 0, 2, 0, 0, 0, 2, 0}, {0, 0, 0, 2, 0, 0, 1, 0, 0}, {0.25f, 0, 0, 0.25f, 0, 0, 0.25f, 0, 0}};
    const uint32_t triangle[3] = {0, 1, 2};
    fr_clash_part parts[4] = {part_at(box, 0, 0, 0, 1)};
    for (int i = 0; i < 3; i++) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = corners[i];
        def.vertex_count = 3;
        def.triangles = triangle;
        def.triangle_count = 1;
        assert_int_equal(fr_mesh_create(&def, &flat[i], NULL), FR_OK);
        parts[i + 1] = part_at(flat[i], 0, 0, 0, 1);
    }
    query q = begin(parts, 4);
    find(&q);
    assert_true(q.output.count >= 2);
    for (size_t i = 0; i < q.output.count; i++) {
        const fr_clash *c = &q.output.clashes[i];
        if (c->a == 0 && c->b == 1) { assert_int_equal(c->kind, FR_CLASH_PROTRUSION); }
        if (c->a == 0 && c->b == 3) { assert_int_equal(c->kind, FR_CLASH_ENCLOSED); }
    }
    fr_clash_finder_destroy(q.finder);
    for (int i = 0; i < 3; i++) {
        fr_mesh_release(flat[i]);
    }
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// The same part twice

// A mesh of the triangles of another one, in another order and beginning at other corners, its corners moved.
static fr_mesh *rewrite(const fr_mesh *mesh, bool is_shuffled, double shift) {
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    double *points = malloc(9 * (size_t)count * sizeof *points);
    uint32_t *corners = malloc(3 * (size_t)count * sizeof *corners);
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, is_shuffled ? (i * 5 + 3) % count : i, c);
        for (uint32_t k = 0; k < 3; k++) {
            fr_vec3 p = c[is_shuffled ? (k + i) % 3 : k];
            double *to = &points[9 * (size_t)i + 3 * (size_t)k];
            to[0] = p.x + shift;
            to[1] = p.y;
            to[2] = p.z;
            corners[3 * (size_t)i + k] = 3 * i + k;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 3 * count;
    def.triangles = corners;
    def.triangle_count = count;
    def.is_double = true;
    fr_mesh *made = NULL;
    assert_int_equal(fr_mesh_create(&def, &made, NULL), FR_OK);
    free(points);
    free(corners);
    return made;
}

// Copies of one part in one place, also with other triangles' order and rounding, are its duplicates; one that is moved
// by more is not. What else is there clashes with each.
static void the_same_part_twice_is_a_duplicate(void **state) {
    (void)state;
    fr_mesh *sphere = shape("sphere_168"), *box = shape("box"); // 168 has no divisor 5
    fr_mesh *shuffled = rewrite(sphere, true, 0.0), *rounded = rewrite(sphere, false, 1e-12);
    fr_mesh *moved = rewrite(sphere, false, 1e-6);
    const fr_clash_part parts[] = {part_at(box, 1, 0, 0, 0.5),    part_at(rounded, 0, 0, 0, 1),
                                   part_at(sphere, 0, 0, 0, 1),   part_at(shuffled, 0, 0, 0, 1),
                                   part_at(sphere, 0.5, 0, 0, 1), part_at(shuffled, 0.5, 0, 0, 1),
                                   part_at(moved, 0, 0, 0, 1)};
    query q = begin(parts, 7);
    find(&q);
    size_t duplicates = 0;
    for (size_t i = 0; i < q.output.count; i++) {
        const fr_clash *c = &q.output.clashes[i];
        if (c->kind != FR_CLASH_DUPLICATE) { continue; }
        bool is_known = (c->a == 1 && (c->b == 2 || c->b == 3)) || (c->a == 4 && c->b == 5);
        assert_true(is_known && c->shared_count == 168 && c->count == 0 && fr_is_unknown(c->depth));
        duplicates++;
    }
    // 1, 2, 3 and 6 with 0, 4 and 5, which also meet 0; 1, 2 and 3 with 6; and the duplicates.
    assert_int_equal(duplicates, 3);
    assert_int_equal(q.output.count, 3 * 3 + 3 + 2 + 3 + 3);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(moved);
    fr_mesh_release(rounded);
    fr_mesh_release(shuffled);
    fr_mesh_release(sphere);
    fr_mesh_release(box);
}

// The mesh of a part with its corners in the world.
static fr_mesh *bake(const fr_clash_part *part) {
    uint32_t count = fr_mesh_get(part->mesh)->triangle_count;
    fr_vec3 *points = malloc(3 * (size_t)count * sizeof *points);
    uint32_t *corners = malloc(3 * (size_t)count * sizeof *corners);
    for (uint32_t i = 0; i < count; i++) {
        fr_mesh_corners(part->mesh, i, &points[3 * (size_t)i]);
    }
    for (uint32_t i = 0; i < 3 * count; i++) {
        points[i] = fr_pose_apply(&part->pose, points[i]);
        corners[i] = i;
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &points[0].x;
    def.vertex_count = 3 * count;
    def.triangles = corners;
    def.triangle_count = count;
    def.is_double = true;
    fr_mesh *made = NULL;
    assert_int_equal(fr_mesh_create(&def, &made, NULL), FR_OK);
    free(points);
    free(corners);
    return made;
}

// A mesh where a pose puts it has the clashes of a mesh whose corners were put there.
static void instances_clash_as_meshes_of_their_own(void **state) {
    (void)state;
    fr_mesh *knot = shape("knot_1920"), *box = shape("box");
    fr_random random = fr_random_seed(5);
    fr_clash_part parts[24], baked[24];
    for (int i = 0; i < 24; i++) {
        double n[7];
        for (int k = 0; k < 7; k++) {
            n[k] = fr_random_between(&random, -1.0, 1.0);
        }
        parts[i] = part_at(i % 3 == 0 ? box : knot, n[0], n[1], n[2], 1.0 + 0.5 * n[3]);
        double length = sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
        parts[i].pose.rotation = (fr_quat){n[3] / length, n[4] / length, n[5] / length, n[6] / length};
        assert_int_equal(fr_pose_check(&parts[i].pose, NULL), FR_OK);
        baked[i] = (fr_clash_part){bake(&parts[i]), fr_pose_identity()};
    }
    query q = begin(parts, 24), r = begin(baked, 24);
    find(&q);
    find(&r);
    assert_true(q.output.count > 20 && q.output.count == r.output.count && q.output.pair_count == r.output.pair_count);
    for (size_t i = 0; i < q.output.count; i++) {
        const fr_clash *c = &q.output.clashes[i], *d = &r.output.clashes[i];
        assert_true(c->a == d->a && c->b == d->b && c->kind == d->kind && c->shared_count == d->shared_count);
        assert_true(fr_is_unknown(c->depth) == fr_is_unknown(d->depth));
        assert_true(fr_is_unknown(c->depth) || fabs(c->depth - d->depth) < 1e-13);
        assert_int_equal(c->region.point_count, d->region.point_count);
        assert_memory_equal(c->region.points, d->region.points, c->region.point_count * sizeof(fr_vec3));
    }
    fr_clash_finder_destroy(q.finder);
    fr_clash_finder_destroy(r.finder);
    for (int i = 0; i < 24; i++) {
        fr_mesh_release(baked[i].mesh);
    }
    fr_mesh_release(knot);
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Rules, clearance, groups

// Boxes of edge 1, 0.25 and 0.5 apart.
static void parts_within_the_clearance_are_reported(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    const fr_clash_part parts[] = {part_at(box, 0, 0, 0, 1), part_at(box, 1.25, 0, 0, 1), part_at(box, 2.75, 0, 0, 1),
                                   part_at(box, 0, 1, 0, 1)};
    query q = begin(parts, 4);
    find(&q);
    assert_true(q.output.count == 1 && q.output.clashes[0].kind == FR_CLASH_TOUCHING);
    q.input.clearance = 0.25;
    find(&q);
    const fr_clash *c = q.output.clashes;
    assert_int_equal(q.output.count, 3);
    assert_true(c[0].a == 0 && c[0].b == 1 && c[0].kind == FR_CLASH_CLEARANCE && c[0].distance == 0.25);
    assert_true(c[1].a == 0 && c[1].b == 3 && c[1].kind == FR_CLASH_TOUCHING && c[1].distance == 0.0);
    assert_true(c[2].a == 1 && c[2].b == 3 && c[2].distance == 0.25 && c[2].region.line_count == 0);
    q.input.tolerance = 0.25; // what is within the tolerance touches
    q.input.clearance = 0.5;
    find(&q);
    c = q.output.clashes;
    assert_true(q.output.count == 4 && c[0].kind == FR_CLASH_TOUCHING && c[0].distance == 0.25);
    assert_true(c[2].a == 1 && c[2].b == 2 && c[2].kind == FR_CLASH_CLEARANCE && c[2].distance == 0.5);
    q.input.clearance = -1.0;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, NULL), FR_ERROR_ARGUMENT);
    q.input.clearance = FR_UNKNOWN;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, NULL), FR_ERROR_ARGUMENT);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// Whether a pattern matches, the plain way: by recursion.
static bool plainly_matches(const char *pattern, const char *name) {
    if (*pattern == '\0') { return *name == '\0'; }
    if (*pattern == '*') { return plainly_matches(pattern + 1, name) || (*name && plainly_matches(pattern, name + 1)); }
    return *name != '\0' && (*pattern == '?' || *pattern == *name) && plainly_matches(pattern + 1, name + 1);
}

// Random patterns of three letters about pairs of parts that all touch: what is compared is what the rules say.
static void rules_choose_pairs(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    fr_random random = fr_random_seed(3);
    enum { PARTS = 12, TEXT = 6 };
    fr_clash_part parts[PARTS];
    char names[PARTS][TEXT], patterns[8][TEXT];
    const char *list[PARTS];
    for (int i = 0; i < PARTS; i++) {
        parts[i] = part_at(box, 0.01 * i, 0.02 * i, 0.03 * i, 1);
        list[i] = names[i];
    }
    query q = begin(parts, PARTS);
    q.input.names = list;
    fr_clash_rule rules[4];
    q.input.rules = rules;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < PARTS + 8; i++) {
            char *text = i < PARTS ? names[i] : patterns[i - PARTS];
            int length = (int)fr_random_between(&random, 0.0, TEXT);
            for (int k = 0; k < length; k++) {
                text[k] = (i < PARTS ? "ab" : "ab?*")[(int)fr_random_between(&random, 0.0, i < PARTS ? 2.0 : 4.0)];
            }
            text[length] = '\0';
        }
        q.input.rule_count = (size_t)fr_random_between(&random, 0.0, 5.0);
        for (int i = 0; i < 4; i++) {
            fr_clash_rule_kind kind = i % 2 == 0 ? FR_CLASH_RULE_IGNORE : FR_CLASH_RULE_ONLY;
            rules[i] = (fr_clash_rule){kind, patterns[2 * i], patterns[2 * i + 1], 0.0};
        }
        find(&q);
        size_t expected = 0, at = 0;
        for (uint32_t a = 0; a < PARTS; a++) {
            for (uint32_t b = a + 1; b < PARTS; b++) {
                bool is_ignored = false, is_only = false, has_only = false;
                for (size_t i = 0; i < q.input.rule_count; i++) {
                    bool is_about = (plainly_matches(rules[i].a, names[a]) && plainly_matches(rules[i].b, names[b])) ||
                                    (plainly_matches(rules[i].a, names[b]) && plainly_matches(rules[i].b, names[a]));
                    is_ignored |= rules[i].kind == FR_CLASH_RULE_IGNORE && is_about;
                    is_only |= rules[i].kind == FR_CLASH_RULE_ONLY && is_about;
                    has_only |= rules[i].kind == FR_CLASH_RULE_ONLY;
                }
                if (is_ignored || (has_only && !is_only)) { continue; }
                expected++;
                assert_true(at < q.output.count && q.output.clashes[at].a == a && q.output.clashes[at].b == b);
                at++;
            }
        }
        assert_int_equal(q.output.count, expected);
    }
    q.input.rule_count = 1;
    q.input.names = NULL;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, NULL), FR_ERROR_ARGUMENT);
    q.input.names = list;
    q.input.rule_count = FR_CLASH_MAX_RULES + 1;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, NULL), FR_ERROR_LIMIT);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// Boxes in a row, each touching the next: by names all but one are alike, without names all.
static void like_clashes_are_groups(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    fr_clash_part parts[6];
    const char *names[6] = {"plate", "bolt.1", "bolt.2", "bolt.30", "12", "bolt#4"};
    for (int i = 0; i < 6; i++) {
        parts[i] = part_at(box, i, 0, 0, 1);
    }
    query q = begin(parts, 6);
    find(&q);
    assert_true(q.output.count == 5 && q.output.group_count == 1 && q.output.groups[0].count == 5);
    q.input.names = names;
    find(&q);
    const fr_clash_group *g = q.output.groups;
    // plate-bolt; bolt-bolt twice; bolt-12 twice, in either order
    assert_int_equal(q.output.group_count, 3);
    const uint32_t groups[5] = {0, 1, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(q.output.clashes[i].group, groups[i]);
    }
    assert_true(g[0].first == 0 && g[0].count == 1 && g[1].first == 1 && g[1].count == 2 && g[2].first == 3);
    assert_true(g[2].count == 2 && g[0].kind == FR_CLASH_TOUCHING && fr_is_unknown(g[0].max_depth));
    assert_true(g[1].min_distance == 0.0);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads, stopping, memory

static uint64_t hash_output(const fr_clash_output *o) {
    uint64_t hash = fr_hash(&o->count, sizeof o->count, 1);
    for (size_t i = 0; i < o->count; i++) {
        const fr_clash *c = &o->clashes[i];
        const uint64_t numbers[] = {c->a, c->b, (uint64_t)c->kind, c->shared_count, c->first, c->count};
        hash = fr_hash(numbers, sizeof numbers, hash);
        hash = fr_hash(&c->depth, sizeof c->depth, hash);
        hash = fr_hash(c->region.points, c->region.point_count * sizeof(fr_vec3), hash);
        hash = fr_hash(c->region.lines, c->region.line_count * sizeof(fr_contact_line), hash);
    }
    return hash;
}

#define MANY 60

// Spheres and boxes in a small place, by a stream of random numbers.
static void scatter(fr_mesh *box, fr_mesh *sphere, fr_clash_part parts[MANY]) {
    fr_random random = fr_random_seed(21);
    for (int i = 0; i < MANY; i++) {
        double n[4];
        for (int k = 0; k < 4; k++) {
            n[k] = fr_random_between(&random, 0.0, 1.0);
        }
        parts[i] = part_at(i % 2 == 0 ? box : sphere, 4 * n[0], 4 * n[1], 4 * n[2], 0.25 + n[3]);
    }
}

static void threads_make_no_difference(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_168");
    fr_clash_part parts[MANY];
    scatter(box, sphere, parts);
    query q = begin(parts, MANY);
    find(&q);
    uint64_t hash = hash_output(&q.output);
    assert_true(q.output.count > MANY);
    for (int workers = 2; workers <= 8; workers *= 2) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = workers;
        fr_task_pool *pool;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        q.input.tasks = &tasks;
        find(&q);
        assert_true(hash_output(&q.output) == hash);
        fr_task_pool_destroy(pool);
    }
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void it_can_be_stopped_at_any_time(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_168");
    fr_clash_part parts[MANY];
    scatter(box, sphere, parts);
    query q = begin(parts, MANY);
    fr_status status = FR_ERROR_STOPPED;
    for (int calls = 0; status == FR_ERROR_STOPPED; calls = 2 * calls + 1) {
        int left = calls;
        const fr_control control = {.stop = stop_after, .user = &left};
        q.input.control = &control;
        status = fr_clash_find(q.finder, &q.input, &q.output, NULL);
        if (status == FR_ERROR_STOPPED) { assert_int_equal(q.output.count, 0); }
    }
    assert_int_equal(status, FR_OK);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

static fr_status find_with(const fr_allocator *allocator, void *context) {
    fr_clash_finder *finder = NULL;
    fr_status status = fr_clash_finder_create(allocator, &finder, NULL);
    fr_clash_output output;
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr_clash_find(finder, context, &output, NULL);
    }
    fr_clash_finder_destroy(finder);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_24");
    const fr_clash_part parts[] = {part_at(box, 0, 0, 0, 1), part_at(sphere, 0.75, 0, 0, 0.5),
                                   part_at(box, 0, 0.75, 0, 1), part_at(box, 0, 0.75, 0, 1)};
    fr_clash_input input = fr_default_clash_input();
    input.parts = parts;
    input.part_count = 4;
    const char *const names[] = {"a", "b", "c", "d"};
    const fr_clash_rule rule = {FR_CLASH_RULE_IGNORE, "a", "c?", 0.0};
    input.names = names;
    input.rules = &rule;
    input.rule_count = 1;
    assert_true(test_every_failure(find_with, &input) > 20);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(kinds_and_depths_are_as_known),
        cmocka_unit_test(a_needle_that_sticks_out_is_not_enclosed),
        cmocka_unit_test(a_tolerance_lets_parts_touch),
        cmocka_unit_test(nothing_and_one_part_do_not_clash),
        cmocka_unit_test(degenerate_and_open_parts_clash),
        cmocka_unit_test(the_same_part_twice_is_a_duplicate),
        cmocka_unit_test(instances_clash_as_meshes_of_their_own),
        cmocka_unit_test(parts_within_the_clearance_are_reported),
        cmocka_unit_test(rules_choose_pairs),
        cmocka_unit_test(like_clashes_are_groups),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(it_can_be_stopped_at_any_time),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
