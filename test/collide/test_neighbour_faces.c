// Self-collision of faces that have corners in common: at an instant against integer arithmetic, over a step against
// dense sampling, folded cloth, seams, and the same for all methods.
#include "collide/moving_scenes.h"
#include "frame.h"

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static fr_mesh *mesh_of(const fr_vec3 *points, uint32_t vertices, const uint32_t *triangles, uint32_t count) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &points[0].x;
    def.vertex_count = vertices;
    def.triangles = triangles;
    def.triangle_count = count;
    def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

// A space with one object that may meet itself; `next` (may be NULL) are its vertices at the end of the step.
static fr_space *space_of(const fr_vec3 *points, const fr_vec3 *next, uint32_t vertices, const uint32_t *triangles,
                          uint32_t count) {
    fr_space *space = scene_space();
    fr_mesh *mesh = mesh_of(points, vertices, triangles, count);
    fr_object_id id = scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), FR_OBJECT_SELF);
    fr_mesh_release(mesh);
    if (next != NULL) { assert_int_equal(fr_object_set_next_vertices(space, id, next, vertices, NULL), FR_OK); }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

static fr_collide_output ask_static(fr_collide *collide, const fr_space *space) {
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_CONTACTS;
    return scene_ask(collide, &input);
}

static fr_collide_output ask_step(fr_collide *collide, const fr_space *space) {
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_CONTACTS;
    return scene_ask_step(collide, &input);
}

// ---------------------------------------------------------------------------------------------------------------
// At an instant, by integers

typedef struct whole {
    int64_t x, y, z;
} whole;

static whole minus(whole a, whole b) { return (whole){a.x - b.x, a.y - b.y, a.z - b.z}; }
static whole cross(whole a, whole b) {
    return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static int64_t dot(whole a, whole b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static bool is_zero(whole a) { return a.x == 0 && a.y == 0 && a.z == 0; }
static fr_vec3 real(whole a) { return fr_vec3_make((double)a.x, (double)a.y, (double)a.z); }

// Faces v w p and v w q, none without area, share more than the edge when they lie in one plane on the same side of it.
static bool fold_is_flat(const whole c[4]) {
    whole edge = minus(c[1], c[0]), to_p = cross(edge, minus(c[2], c[0])), to_q = cross(edge, minus(c[3], c[0]));
    return is_zero(cross(to_p, to_q)) && dot(to_p, to_q) > 0;
}

// Whether the direction d from v, in the plane of the angle v p q, goes into the closed angle; n = (p - v) x (q - v).
static bool is_in_angle(whole d, whole p, whole q, whole n) {
    return dot(cross(p, d), n) >= 0 && dot(cross(d, q), n) >= 0;
}

// Faces v p q and v r s share more than v when some direction from v goes into both angles: where the planes differ one
// of the two along their line, in one plane a side of one of the angles.
static bool corners_overlap(const whole c[5]) {
    whole p = minus(c[1], c[0]), q = minus(c[2], c[0]), r = minus(c[3], c[0]), s = minus(c[4], c[0]);
    whole n = cross(p, q), m = cross(r, s), line = cross(n, m);
    if (!is_zero(line)) {
        whole back = {-line.x, -line.y, -line.z};
        return (is_in_angle(line, p, q, n) && is_in_angle(line, r, s, m)) ||
               (is_in_angle(back, p, q, n) && is_in_angle(back, r, s, m));
    }
    return is_in_angle(p, r, s, m) || is_in_angle(q, r, s, m) || is_in_angle(r, p, q, n) || is_in_angle(s, p, q, n);
}

static whole random_whole(fr_random *r, int reach) {
    whole w = {(int64_t)fr_random_below(r, (uint64_t)(2 * reach + 1)) - reach,
               (int64_t)fr_random_below(r, (uint64_t)(2 * reach + 1)) - reach,
               (int64_t)fr_random_below(r, (uint64_t)(2 * reach + 1)) - reach};
    return w;
}

// A small reach makes planes that agree likely.
static void an_instant_is_decided_as_by_integers(void **state) {
    (void)state;
    fr_collide *collide = scene_asker();
    uint64_t hits[2] = {0, 0}, count = test_count(20000, 400000);
    for (uint64_t i = 0; i < count; i++) {
        fr_random r = fr_random_seed(i);
        bool is_fold = i % 2 == 0;
        whole c[5];
        fr_vec3 points[5];
        for (int k = 0; k < 5; k++) {
            c[k] = random_whole(&r, i % 3 == 0 ? 1 : i % 3 == 1 ? 3 : 100);
            if (i % 5 == 0) { c[k].z = 0; }
            points[k] = real(c[k]);
        }
        static const uint32_t fold[6] = {0, 1, 2, 1, 0, 3}, corner[6] = {0, 1, 2, 3, 4, 0};
        whole first = cross(minus(c[1], c[0]), minus(c[2], c[0]));
        whole second =
            is_fold ? cross(minus(c[1], c[0]), minus(c[3], c[0])) : cross(minus(c[3], c[0]), minus(c[4], c[0]));
        // More common corners than meant, or no area: decided elsewhere.
        bool is_other = is_zero(first) || is_zero(second);
        for (int k = 1; k < 3; k++) {
            for (int j = 3; j < (is_fold ? 4 : 5); j++) {
                is_other = is_other || is_zero(minus(c[k], c[j]));
            }
        }
        if (is_other) { continue; }
        bool expected = is_fold ? fold_is_flat(c) : corners_overlap(c);
        fr_space *space = space_of(points, NULL, is_fold ? 4 : 5, is_fold ? fold : corner, 2);
        fr_collide_output out = ask_static(collide, space);
        if ((out.pair_count > 0) != expected) {
            fail_msg("pair %llu: %zu found, overlap %d", (unsigned long long)i, out.pair_count, expected);
        }
        hits[is_fold] += expected;
        fr_space_destroy(space);
    }
    assert_true(hits[0] > count / 100 && hits[1] > count / 1000);
    fr_collide_destroy(collide);
}

static whole times(int64_t factor, whole a) { return (whole){factor * a.x, factor * a.y, factor * a.z}; }
static whole plus(whole a, whole b) { return (whole){a.x + b.x, a.y + b.y, a.z + b.z}; }

// A face without area, from v + i d to v - j d, has its middle corner v in common with a face v r s: they share more
// than v where the line of d goes into the angle at v. Where it only passes through v, the place of v is not one of its
// ends and is rounded in what the faces share. Corners and faces come in any order.
static void a_middle_corner_may_be_common(void **state) {
    (void)state;
    static const uint32_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    fr_collide *collide = scene_asker();
    uint64_t hits = 0, count = test_count(4000, 100000);
    for (uint64_t i = 0; i < count; i++) {
        fr_random r = fr_random_seed(i);
        whole v = random_whole(&r, 1000000), d = random_whole(&r, 1000), e = random_whole(&r, 1000);
        whole p = times(1 + (int64_t)fr_random_below(&r, 9), d), q = times(-1 - (int64_t)fr_random_below(&r, 9), d);
        whole to_r = e, to_s = random_whole(&r, 1000);
        if (i % 2 == 0) { // in one plane with d
            int64_t along = (int64_t)fr_random_below(&r, 9) - 4, across = (int64_t)fr_random_below(&r, 9) - 4;
            to_s = plus(times(along, d), times(across, to_r));
        }
        whole m = cross(to_r, to_s);
        bool has_more = is_zero(minus(to_s, p)) || is_zero(minus(to_s, q)); // common corners than meant
        if (is_zero(m) || is_zero(d) || has_more) { continue; }
        bool expected = dot(d, m) == 0 && (is_in_angle(p, to_r, to_s, m) || is_in_angle(q, to_r, to_s, m));
        fr_vec3 points[5] = {real(v), real(plus(v, p)), real(plus(v, q)), real(plus(v, to_r)), real(plus(v, to_s))};
        const uint32_t corners[2][3] = {{0, 1, 2}, {0, 3, 4}};
        uint32_t triangles[6];
        for (int k = 0; k < 6; k++) {
            uint64_t face = ((uint64_t)k / 3 + i) % 2, order = (k < 3 ? i : i / 6) % 6;
            triangles[k] = corners[face][orders[order][k % 3]];
        }
        fr_space *space = space_of(points, NULL, 5, triangles, 2);
        fr_collide_output out = ask_static(collide, space);
        if ((out.pair_count > 0) != expected) {
            fail_msg("pair %llu: %zu found, overlap %d", (unsigned long long)i, out.pair_count, expected);
        }
        hits += expected;
        fr_space_destroy(space);
    }
    assert_true(hits > count / 100 && hits < count / 2);
    fr_collide_destroy(collide);
}

// ---------------------------------------------------------------------------------------------------------------
// Over a step, by sampling

static bool overlaps_at(fr_collide *collide, const fr_vec3 *from, const fr_vec3 *to, uint32_t vertices,
                        const uint32_t *triangles, double t) {
    fr_vec3 now[5];
    for (uint32_t i = 0; i < vertices; i++) {
        now[i] = fr_vec3_lerp(from[i], to[i], t);
    }
    fr_space *space = space_of(now, NULL, vertices, triangles, 2);
    bool overlaps = ask_static(collide, space).pair_count > 0;
    fr_space_destroy(space);
    return overlaps;
}

// How near the elements without a common vertex are at a time.
static double elementary_distance(const fr_vec3 *from, const fr_vec3 *to, const uint32_t *triangles, double t) {
    fr_vec3 c[2][3];
    for (int k = 0; k < 6; k++) {
        c[k / 3][k % 3] = fr_vec3_lerp(from[triangles[k]], to[triangles[k]], t);
    }
    double least = (double)INFINITY;
    for (int side = 0; side < 2; side++) {
        const uint32_t *own = triangles + 3 * side, *other = triangles + 3 * (1 - side);
        for (int i = 0; i < 3; i++) {
            if (own[i] == other[0] || own[i] == other[1] || own[i] == other[2]) { continue; }
            least = fmin(least, fr_triangle_closest(c[1 - side], c[side][i]).distance);
        }
    }
    for (int i = 0; i < 9; i++) {
        int p = i / 3, q = i % 3, p1 = (p + 1) % 3, q1 = (q + 1) % 3;
        const uint32_t *s = triangles, *u = triangles + 3;
        if (s[p] == u[q] || s[p] == u[q1] || s[p1] == u[q] || s[p1] == u[q1]) { continue; }
        const fr_vec3 first[2] = {c[0][p], c[0][p1]}, second[2] = {c[1][q], c[1][q1]};
        least = fmin(least, fr_segment_distance(first, second, NULL, NULL));
    }
    return least;
}

static void a_step_finds_what_samples_find(void **state) {
    (void)state;
    fr_collide *collide = scene_asker(), *at = scene_asker();
    enum { SAMPLES = 100 };
    uint64_t hits = 0, count = test_count(400, 8000);
    for (uint64_t i = 0; i < count; i++) {
        fr_random r = fr_random_seed(i);
        static const uint32_t fold[6] = {0, 1, 2, 1, 0, 3}, corner[6] = {0, 1, 2, 3, 4, 0};
        const uint32_t *triangles = i % 2 == 0 ? fold : corner;
        uint32_t vertices = i % 2 == 0 ? 4 : 5;
        fr_vec3 from[5], to[5];
        for (int k = 0; k < 5; k++) {
            from[k] = scene_point(&r, 1.0);
            to[k] = fr_vec3_add(from[k], scene_point(&r, i % 3 == 0 ? 0.2 : 2.0));
        }
        fr_space *space = space_of(from, to, vertices, triangles, 2);
        fr_collide_output out = ask_step(collide, space);
        const fr_contact *contact = out.pair_count > 0 ? &out.contacts[0] : NULL;
        if (contact != NULL) {
            double apart = elementary_distance(from, to, triangles, contact->time);
            bool is_start = (out.pairs[0].flags & FR_CONTACT_START) != 0;
            assert_true(is_start || apart <= 1.1e-6);
            assert_true(fr_is_unknown(contact->time_sure) || contact->time_sure >= contact->time);
            assert_true((out.pairs[0].flags & FR_CONTACT_SELF) != 0);
            hits++;
        }
        for (int k = 0; k <= SAMPLES; k++) {
            double t = (double)k / SAMPLES;
            if ((contact != NULL && t >= contact->time) || !overlaps_at(at, from, to, vertices, triangles, t)) {
                continue;
            }
            fail_msg("step %llu: overlap at %g", (unsigned long long)i, t);
        }
        fr_space_destroy(space);
    }
    assert_true(hits > count / 20 && hits < count);
    fr_collide_destroy(collide);
    fr_collide_destroy(at);
}

// ---------------------------------------------------------------------------------------------------------------
// Cloth

enum { ROWS = 12, POINTS = (ROWS + 1) * (ROWS + 1), FACES = 2 * ROWS * ROWS };

typedef struct cloth {
    fr_vec3 points[6 * ROWS * ROWS];
    uint32_t point_count, triangles[3 * FACES];
} cloth;

// A sheet of edge ROWS in the plane z = 0.
static void make_sheet(cloth *c) {
    c->point_count = POINTS;
    for (uint32_t i = 0; i < POINTS; i++) {
        c->points[i] = fr_vec3_make(i % (ROWS + 1), i / (ROWS + 1), 0.0);
    }
    for (uint32_t i = 0; i < ROWS * ROWS; i++) {
        uint32_t v = i / ROWS * (ROWS + 1) + i % ROWS;
        const uint32_t two[6] = {v, v + 1, v + ROWS + 1, v + 1, v + ROWS + 2, v + ROWS + 1};
        memcpy(c->triangles + 6 * (size_t)i, two, sizeof two);
    }
}

// Every face gets vertices of its own, as files without shared vertices have them.
static void split(cloth *c) {
    fr_vec3 points[3 * FACES];
    for (uint32_t i = 0; i < 3 * FACES; i++) {
        points[i] = c->points[c->triangles[i]];
        c->triangles[i] = i;
    }
    memcpy(c->points, points, sizeof points);
    c->point_count = 3 * FACES;
}

// Folds what is beyond x = 6 over by an angle; 180 degrees: flat onto the rest.
static fr_vec3 folded(fr_vec3 p, double degrees) {
    if (p.x <= 6.0) { return p; }
    if (degrees == 180.0) { return fr_vec3_make(12.0 - p.x, p.y, 0.0); }
    double sine, cosine;
    fr_sincos(fr_radians(degrees), &sine, &cosine);
    return fr_vec3_make(6.0 + (p.x - 6.0) * cosine, p.y, (p.x - 6.0) * sine);
}

static void fold(cloth *c, double degrees) {
    for (uint32_t i = 0; i < c->point_count; i++) {
        c->points[i] = folded(c->points[i], degrees);
    }
}

static size_t count_static(const cloth *c) {
    fr_collide *collide = scene_asker();
    fr_space *space = space_of(c->points, NULL, c->point_count, c->triangles, FACES);
    size_t count = ask_static(collide, space).pair_count;
    fr_space_destroy(space);
    fr_collide_destroy(collide);
    return count;
}

// A flat or bent sheet meets itself nowhere; folded flat, what lies on one another does, along the fold too: of the
// diagonals that cross, each square of the one half shares areas or points with nine squares of the other.
static void a_folded_sheet_meets_itself(void **state) {
    (void)state;
    for (int is_split = 0; is_split < 2; is_split++) {
        static cloth c;
        for (int degrees = 0; degrees <= 150; degrees += 30) {
            make_sheet(&c);
            if (is_split) { split(&c); }
            fold(&c, degrees);
            assert_int_equal(count_static(&c), 0);
        }
        make_sheet(&c);
        if (is_split) { split(&c); }
        fold(&c, 180.0);
        fr_collide *collide = scene_asker();
        fr_space *space = space_of(c.points, NULL, c.point_count, c.triangles, FACES);
        fr_collide_output out = ask_static(collide, space);
        size_t at_fold = 0;
        for (size_t i = 0; i < out.pair_count; i++) {
            uint32_t a = out.pairs[i].triangle_a / 2, b = out.pairs[i].triangle_b / 2;
            assert_true((out.pairs[i].flags & FR_CONTACT_COPLANAR) != 0);
            at_fold += a / ROWS == b / ROWS && a % ROWS == 5 && b % ROWS == 6; // two squares on one another at the fold
        }
        assert_int_equal(at_fold, 4 * ROWS); // the diagonals cross: all four pairs of their faces share an area
        fr_space_destroy(space);
        fr_collide_destroy(collide);
    }
}

// Over the step one half goes down onto the other, by straight paths of its vertices.
static void a_sheet_that_is_being_folded_meets_itself(void **state) {
    (void)state;
    size_t counts[2];
    for (int is_split = 0; is_split < 2; is_split++) {
        static cloth c, end;
        make_sheet(&c);
        if (is_split) { split(&c); }
        end = c;
        fold(&c, 150.0);
        for (uint32_t i = 0; i < end.point_count; i++) {
            fr_vec3 p = end.points[i];
            end.points[i] = folded(p, 180.0);
            if (p.x > 6.0) { end.points[i].z = -0.5; } // through the rest
        }
        fr_collide *collide = scene_asker();
        fr_space *space = space_of(c.points, end.points, c.point_count, c.triangles, FACES);
        fr_collide_output out = ask_step(collide, space);
        size_t at_fold = 0;
        for (size_t i = 0; i < out.pair_count; i++) {
            uint32_t a = out.pairs[i].triangle_a / 2, b = out.pairs[i].triangle_b / 2;
            at_fold += a / ROWS == b / ROWS && a % ROWS == 5 && b % ROWS == 6;
        }
        assert_int_equal(at_fold, 4 * ROWS);
        counts[is_split] = out.pair_count;
        fr_space_destroy(space);
        fr_collide_destroy(collide);
    }
    assert_int_equal(counts[0], counts[1]);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges of the rule

// Faces without area, faces that are there twice.
static void degenerate_neighbours_are_decided(void **state) {
    (void)state;
    fr_collide *collide = scene_asker();
    const fr_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0.25, 0.25, 0}};
    static const struct {
        uint32_t triangles[6];
        size_t expected;
    } cases[] = {
        {{0, 1, 2, 0, 1, 2}, 1}, // twice
        {{0, 1, 2, 2, 1, 0}, 1}, // twice, from behind
        {{0, 1, 2, 0, 1, 1}, 0}, // an edge of the other
        {{0, 1, 2, 0, 1, 3}, 0}, // a needle along the edge, and beyond it where nothing is
        {{0, 1, 2, 0, 4, 4}, 1}, // a needle from a corner into the face
        {{0, 1, 3, 1, 3, 3}, 0}, // a needle and a part of it that ends at their common corners
        {{0, 1, 1, 1, 3, 3}, 0}, // needles end to end
        {{0, 1, 1, 0, 3, 3}, 1}, // needles on one another
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_space *space = space_of(points, NULL, 5, cases[i].triangles, 2);
        size_t count = ask_static(collide, space).pair_count;
        if (count != cases[i].expected) { fail_msg("case %zu: %zu found", i, count); }
        assert_int_equal(ask_step(collide, space).pair_count, count);
        fr_space_destroy(space);
    }
    fr_collide_destroy(collide);
}

// A body that moves as one meets itself where it does at rest.
static void a_rigid_body_meets_itself_as_at_rest(void **state) {
    (void)state;
    static cloth c;
    make_sheet(&c);
    fold(&c, 180.0);
    fr_collide *collide = scene_asker();
    fr_space *space = space_of(c.points, NULL, c.point_count, c.triangles, FACES);
    size_t at_rest = ask_static(collide, space).pair_count;
    fr_object_id id = fr_space_object_at(space, 0);
    fr_pose next = fr_pose_make(fr_vec3_make(3.0, 5.0, 0.0), fr_quat_from_vector(fr_vec3_make(0.3, 2.0, 0.1)));
    assert_int_equal(fr_object_set_next(space, id, &next, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide_output out = ask_step(collide, space);
    assert_true(at_rest > 0);
    size_t at_start = 0;
    for (size_t i = 0; i < out.pair_count; i++) {
        at_start += (out.pairs[i].flags & FR_CONTACT_START) != 0;
    }
    assert_int_equal(at_start, at_rest);
    fr_space_destroy(space);
    fr_collide_destroy(collide);
}

static void methods_and_workers_agree(void **state) {
    (void)state;
    static cloth c, end;
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_collide *collide = scene_asker(), *other = scene_asker();
    size_t found = 0;
    for (uint64_t seed = 1; seed <= test_count(6, 60); seed++) {
        fr_random r = fr_random_seed(seed);
        make_sheet(&c);
        if (seed % 3 == 0) { split(&c); }
        end = c;
        fold(&c, seed % 2 == 0 ? 180.0 : 120.0);
        for (uint32_t i = 0; i < c.point_count && seed % 3 != 0; i++) {
            c.points[i].z += fr_random_between(&r, 0.0, 0.5);
            end.points[i].z += fr_random_between(&r, 0.0, 2.0);
        }
        fr_space *space = space_of(c.points, end.points, c.point_count, c.triangles, FACES);
        for (int k = 0; k < 3; k++) { // at an instant, over the step, its first contacts
            fr_collide_input input = scene_question(space, FR_COLLIDE_BRUTE);
            input.want = FR_WANT_CONTACTS;
            input.set = k == 2 ? FR_SET_FIRST : FR_SET_ALL;
            fr_collide_output expected = k == 0 ? scene_ask(collide, &input) : scene_ask_step(collide, &input);
            found += expected.pair_count;
            for (int method = FR_COLLIDE_AUTO; method < FR_COLLIDE_BRUTE; method++) {
                input.method = (fr_collide_method)method;
                input.tasks = method % 2 == 0 ? &tasks : NULL;
                fr_collide_output out = k == 0 ? scene_ask(other, &input) : scene_ask_step(other, &input);
                scene_check_order(&out);
                scene_check_equal(&out, &expected, "neighbours", seed);
            }
        }
        fr_space_destroy(space);
    }
    assert_true(found > 1000);
    fr_collide_destroy(collide);
    fr_collide_destroy(other);
    fr_task_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degenerate_neighbours_are_decided),
        cmocka_unit_test(a_folded_sheet_meets_itself),
        cmocka_unit_test(a_sheet_that_is_being_folded_meets_itself),
        cmocka_unit_test(a_rigid_body_meets_itself_as_at_rest),
        cmocka_unit_test(an_instant_is_decided_as_by_integers),
        cmocka_unit_test(a_middle_corner_may_be_common),
        cmocka_unit_test(a_step_finds_what_samples_find),
        cmocka_unit_test(methods_and_workers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
