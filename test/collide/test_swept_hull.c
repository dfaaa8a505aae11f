// Swept hulls: every method reports the same pairs, and those whose hulls meet, by hulls of the test's own.
#include "collide/moving_scenes.h"
#include "failing.h"
#include "frame.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------
// Hulls of the test's own: places of a path at many times, and whether the hulls of two such sets share a point

enum { MOST_PLACES = 3 * 2100 + 6 };

typedef struct places {
    fr_vec3 at[MOST_PLACES];
    size_t count;
    fr_vec3 low, high;
    double sagitta; // no point of the path is farther from the hull of the places
} places;

static void put_place(places *out, fr_vec3 p) {
    out->low = out->count == 0 ? p : fr_vec3_min(out->low, p);
    out->high = out->count == 0 ? p : fr_vec3_max(out->high, p);
    out->at[out->count++] = p;
}

// Rot(angle k) r by Rodrigues' formula and the C library's functions.
static fr_vec3 turned(fr_vec3 r, fr_vec3 k, double angle) {
    fr_vec3 along = fr_vec3_scale(fr_vec3_dot(k, r), k), across = fr_vec3_sub(r, along);
    return fr_vec3_add(fr_vec3_add_scaled(along, cos(angle), across), fr_vec3_scale(sin(angle), fr_vec3_cross(k, r)));
}

static uint32_t first_vertex(const fr_space *space, fr_object_id id, uint32_t part) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < part; i++) {
        first += fr_mesh_get(fr_object_part(space, id, i).mesh)->vertex_count;
    }
    return first;
}

static fr_vec3 vertex_of(const fr_mesh_view *mesh, uint32_t v) {
    const float *f = mesh->positions_float + 3 * (size_t)v;
    const double *d = mesh->positions_double + 3 * (size_t)v;
    return mesh->positions_double != NULL ? fr_vec3_make(d[0], d[1], d[2])
                                          : fr_vec3_make((double)f[0], (double)f[1], (double)f[2]);
}

static void sample_path(const fr_space *space, fr_object_id id, uint32_t triangle, places *out) {
    const fr_object_view *view = fr_object_get(space, id);
    uint32_t part_index = scene_part_of(space, id, &triangle);
    fr_part_view part = fr_object_part(space, id, part_index);
    const fr_mesh_view *mesh = fr_mesh_get(part.mesh);
    uint32_t first = first_vertex(space, id, part_index);
    out->count = 0;
    out->sagitta = 0.0;
    double angle = fr_vec3_length(view->motion.turn);
    bool is_soft = view->is_moving && view->next_vertices != NULL;
    int steps = !view->is_moving || is_soft || angle == 0.0 ? 1 : 24 + (int)(32.0 * angle);
    for (int k = 0; k < 3; k++) {
        uint32_t v = mesh->triangles[3 * (size_t)triangle + (size_t)k];
        fr_vec3 local = view->vertices != NULL ? view->vertices[first + v] : vertex_of(mesh, v);
        fr_vec3 x0 = fr_pose_apply(&view->pose, fr_pose_apply(&part.pose, local));
        put_place(out, x0);
        if (!view->is_moving) { continue; }
        fr_vec3 last = is_soft ? view->next_vertices[first + v] : local;
        put_place(out, fr_pose_apply(&view->next, fr_pose_apply(&part.pose, last)));
        if (is_soft) { continue; }
        fr_vec3 c = fr_pose_apply(&view->motion.start, view->motion.pivot_local), r = fr_vec3_sub(x0, c);
        fr_vec3 axis = fr_vec3_unit(view->motion.turn, fr_vec3_make(1.0, 0.0, 0.0));
        double bend = fr_vec3_length(r) * (angle / steps) * (angle / steps) / 8.0;
        out->sagitta = bend > out->sagitta ? bend : out->sagitta;
        for (int i = 1; i <= steps; i++) {
            double t = (double)i / steps;
            put_place(out, fr_vec3_add(fr_vec3_add_scaled(c, t, view->motion.travel), turned(r, axis, t * angle)));
        }
    }
}

static fr_vec3 farthest(const places *set, fr_vec3 direction) {
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < set->count; i++) {
        double along = fr_vec3_dot(direction, set->at[i]);
        if (along > most) { most = along, best = i; }
    }
    return set->at[best];
}

// The corner of the difference set a - b that is farthest along a direction.
static fr_vec3 support(const places *a, const places *b, fr_vec3 direction) {
    return fr_vec3_sub(farthest(a, direction), farthest(b, fr_vec3_negate(direction)));
}

// The weights x of the point p_0 + sum x_i (p_i - p_0) nearest to the origin, by Gauss; false: the corners have none.
// Normal equations square what a flat part loses, so a tetrahedron, which leaves no rest, has those of its coordinates.
static bool weigh(const fr_vec3 *p, int n, double x[3]) {
    double m[3][4];
    fr_vec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i + 1 < n; i++) {
        fr_vec3 row = n == 4 ? unit[i] : fr_vec3_sub(p[i + 1], p[0]);
        for (int j = 0; j + 1 < n; j++) {
            m[i][j] = fr_vec3_dot(row, fr_vec3_sub(p[j + 1], p[0]));
        }
        m[i][n - 1] = -fr_vec3_dot(row, p[0]);
    }
    for (int i = 0; i + 1 < n; i++) {
        int pivot = i;
        for (int j = i + 1; j + 1 < n; j++) {
            if (fabs(m[j][i]) > fabs(m[pivot][i])) { pivot = j; }
        }
        if (!(fabs(m[pivot][i]) > 0.0)) { return false; }
        for (int c = 0; c < n; c++) {
            double swapped = m[i][c];
            m[i][c] = m[pivot][c];
            m[pivot][c] = swapped;
        }
        for (int j = 0; j + 1 < n; j++) {
            double factor = j == i ? 0.0 : m[j][i] / m[i][i];
            for (int c = i; c < n; c++) {
                m[j][c] -= factor * m[i][c];
            }
        }
    }
    for (int i = 0; i + 1 < n; i++) {
        x[i] = m[i][n - 1] / m[i][i];
    }
    return true;
}

// The nearest point to the origin of a segment, a triangle or a tetrahedron, by trying all of its parts: those whose
// plane, line or corner has its nearest point within the part. Leaves the corners of the part in `w`.
static fr_vec3 nearest_of(fr_vec3 w[4], int *count) {
    fr_vec3 best = w[0], kept[4] = {w[0]};
    double shortest = INFINITY;
    int best_count = 1;
    for (unsigned mask = 1; mask < 1u << *count; mask++) {
        fr_vec3 p[4];
        int n = 0;
        for (int i = 0; i < *count; i++) {
            if ((mask >> i & 1u) != 0) { p[n++] = w[i]; }
        }
        double x[3] = {0.0, 0.0, 0.0}, first = 1.0;
        if (!weigh(p, n, x)) { continue; }
        bool is_within = true;
        fr_vec3 point = p[0];
        for (int i = 0; i + 1 < n; i++) {
            first -= x[i];
            is_within = is_within && x[i] >= 0.0;
            point = fr_vec3_add_scaled(point, x[i], fr_vec3_sub(p[i + 1], p[0]));
        }
        double length = fr_vec3_length(point);
        if (is_within && first >= 0.0 && length < shortest) {
            shortest = length;
            best = point;
            best_count = n;
            memcpy(kept, p, sizeof kept[0] * (size_t)n);
        }
    }
    memcpy(w, kept, sizeof kept);
    *count = best_count;
    return best;
}

typedef enum verdict { APART, MEET, UNDECIDED } verdict;

// Whether two hulls come within `inner` for sure, or stay apart by more than `outer`. Only a point of the difference
// set that is at the origin but for rounding shows that they meet: four corners in a plane may seem to hold it.
static verdict decide(const places *a, const places *b, double inner, double outer) {
    fr_vec3 gap = fr_vec3_max(fr_vec3_sub(a->low, b->high), fr_vec3_sub(b->low, a->high));
    if (gap.x > outer || gap.y > outer || gap.z > outer) { return APART; }
    fr_vec3 w[4] = {support(a, b, fr_vec3_make(1.0, 0.0, 0.0))};
    int count = 1;
    double reach = fr_vec3_length(w[0]);
    for (int round = 0; round < 200; round++) {
        fr_vec3 v = nearest_of(w, &count);
        double length = fr_vec3_length(v);
        if (length <= inner + 1e-14 * reach) { return MEET; }
        if (count == 4) { return UNDECIDED; }
        fr_vec3 next = support(a, b, fr_vec3_negate(v));
        if (fr_vec3_dot(next, v) / length > outer) { return APART; }
        if (length * length - fr_vec3_dot(next, v) <= 1e-12 * length * length) { return UNDECIDED; }
        w[count++] = next;
        reach = fmax(reach, fr_vec3_length(next));
    }
    return UNDECIDED;
}

typedef struct hull_tally {
    uint64_t met, apart, undecided;
} hull_tally;

static bool share_a_corner(const fr_space *space, fr_object_id id, uint32_t s, uint32_t t) {
    uint32_t part_s = scene_part_of(space, id, &s), part_t = scene_part_of(space, id, &t);
    const uint32_t *triangles = fr_mesh_get(fr_object_part(space, id, part_s).mesh)->triangles;
    for (int i = 0; part_s == part_t && i < 9; i++) {
        if (triangles[3 * s + (uint32_t)i / 3] == triangles[3 * t + (uint32_t)i % 3]) { return true; }
    }
    return false;
}

// Some pairs of faces of two objects against the hulls of the test's own.
static void check_objects(const fr_space *space, uint32_t a, uint32_t b, const fr_collide_output *out, double margin,
                          fr_random *r, hull_tally *tally, uint64_t seed) {
    static places path_a, path_b;
    fr_object_id id_a = fr_space_object_at(space, a), id_b = fr_space_object_at(space, b);
    uint32_t count_a = fr_object_get(space, id_a)->triangle_count, count_b = fr_object_get(space, id_b)->triangle_count;
    for (int i = 0; i < 150; i++) {
        fr_face_pair pair = {.a = a, .b = b};
        pair.triangle_a = (uint32_t)fr_random_below(r, count_a);
        pair.triangle_b = (uint32_t)fr_random_below(r, count_b);
        if (i % 2 == 0 && out->pair_count > 0) { pair = out->pairs[fr_random_below(r, out->pair_count)]; }
        if (pair.a == pair.b) {
            fr_object_id id = fr_space_object_at(space, pair.a);
            if (share_a_corner(space, id, pair.triangle_a, pair.triangle_b)) { continue; }
        }
        sample_path(space, fr_space_object_at(space, pair.a), pair.triangle_a, &path_a);
        sample_path(space, fr_space_object_at(space, pair.b), pair.triangle_b, &path_b);
        double size = fr_vec3_distance(path_a.low, path_a.high) + fr_vec3_distance(path_b.low, path_b.high);
        double rounding = 1e-11 * (fr_vec3_largest(path_a.low) + fr_vec3_largest(path_b.low) + size);
        double outer = margin + 1e-6 + 3e-7 * size + path_a.sagitta + path_b.sagitta + rounding;
        verdict v = decide(&path_a, &path_b, margin, outer);
        bool is_reported = scene_find_pair(out, &pair) != NULL;
        if ((v == MEET && !is_reported) || (v == APART && is_reported)) {
            fail_msg("scene %llu: hulls of triangles %u of %u and %u of %u %s", (unsigned long long)seed,
                     pair.triangle_a, pair.a, pair.triangle_b, pair.b, is_reported ? "are apart" : "meet");
        }
        tally->met += v == MEET;
        tally->apart += v == APART;
        tally->undecided += v == UNDECIDED;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All methods

enum { WAYS = 9 };

// One way to query: method, workers and balance, and the set, which is the same where no time is sure.
static fr_collide_input query_by(const fr_space *space, int way, const fr_tasks *two, const fr_tasks *four) {
    static const fr_collide_method methods[WAYS] = {
        FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE, FR_COLLIDE_OCTREE,      FR_COLLIDE_AUTO,
        FR_COLLIDE_TREE,  FR_COLLIDE_TREE, FR_COLLIDE_BRUTE,       FR_COLLIDE_FACE_OCTREE,
    };
    static const fr_balance balances[WAYS] = {
        [5] = FR_BALANCE_STATIC, [6] = FR_BALANCE_DYNAMIC, [8] = FR_BALANCE_STEAL};
    fr_collide_input input = scene_question(space, methods[way]);
    input.narrow = FR_NARROW_HULL;
    input.balance = balances[way];
    input.tasks = way == 4 || way == 5 ? two : way > 5 ? four : NULL;
    input.set = way % 2 == 1 ? FR_SET_FIRST : FR_SET_ALL;
    return input;
}

typedef struct crew {
    fr_task_pool *two, *four;
    fr_tasks tasks_two, tasks_four;
} crew;

static crew make_crew(void) {
    crew c = {.two = scene_pool(2), .four = scene_pool(4)};
    c.tasks_two = fr_task_pool_tasks(c.two);
    c.tasks_four = fr_task_pool_tasks(c.four);
    return c;
}

static void end_crew(crew *c) {
    fr_task_pool_destroy(c->two);
    fr_task_pool_destroy(c->four);
}

// Queries each way, one after another in the same context, so that what it keeps from one query to the next would show;
// the output by brute force is checked against the test's own hulls. A sample takes some of the ways in turn.
static size_t compare_ways(const fr_space *space, double margin, const crew *c, hull_tally *tally, uint64_t seed) {
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = query_by(space, 0, NULL, NULL);
    input.margin = margin;
    fr_collide_output brute = scene_ask_step(first, &input);
    scene_check_order(&brute);
    assert_true(brute.free_time == (brute.pair_count > 0 ? 0.0 : 1.0));
    for (size_t i = 0; i < brute.pair_count; i++) {
        assert_true((brute.pairs[i].flags & FR_CONTACT_NEAR) != 0 && brute.pairs[i].time == 0.0f);
    }
    for (int way = 1; way < WAYS; way++) {
        if (way > 4 && !test_is_long() && (seed + (uint64_t)way) % 4 != 0) { continue; }
        input = query_by(space, way, &c->tasks_two, &c->tasks_four);
        input.margin = margin;
        fr_collide_output out = scene_ask_step(other, &input);
        char what[32];
        snprintf(what, sizeof what, "way %d", way);
        scene_check_equal(&out, &brute, what, seed);
    }
    fr_random r = fr_random_seed(seed);
    for (uint32_t a = 0; a < fr_space_object_places(space) && tally != NULL; a++) {
        for (uint32_t b = a + 1; b < fr_space_object_places(space) && a < 3 && b < 3; b++) {
            check_objects(space, a, b, &brute, margin, &r, tally, seed);
        }
    }
    size_t count = brute.pair_count;
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    return count;
}

// Gives some objects vertices that go straight.
static void soften_some(fr_random *r, fr_space *space, double unit) {
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (fr_random_below(r, 4) != 0) { continue; }
        uint32_t count = 0;
        for (uint32_t k = 0; k < fr_object_get(space, id)->part_count; k++) {
            count += fr_mesh_get(fr_object_part(space, id, k).mesh)->vertex_count;
        }
        fr_vec3 *next = malloc(count * sizeof *next), shift = fr_vec3_scale(unit, scene_point(r, 1.0));
        assert_non_null(next);
        for (uint32_t k = 0, v = 0; k < fr_object_get(space, id)->part_count; k++) {
            const fr_mesh_view *mesh = fr_mesh_get(fr_object_part(space, id, k).mesh);
            for (uint32_t j = 0; j < mesh->vertex_count; j++) {
                fr_vec3 bump = fr_vec3_scale(unit, scene_point(r, 0.1));
                next[v++] = fr_vec3_add(fr_vec3_add(vertex_of(mesh, j), shift), bump);
            }
        }
        assert_int_equal(fr_object_set_next_vertices(space, id, next, count, NULL), FR_OK);
        free(next);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
}

// Compares the ways in a random scene; whether it has pairs.
static bool compare_in_scene(uint64_t seed, const crew *c, hull_tally *tally) {
    fr_random r = fr_random_seed(7000000 + seed);
    static scene_plan plan;
    scene_random_plan(&r, seed % 6 == 5, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    scene_random_motion(&r, space, plan.unit, seed % 8 == 3 ? 60.0 : 3.0);
    if (seed % 3 == 1) { soften_some(&r, space, plan.unit); }
    bool has_pairs = compare_ways(space, seed % 8 == 7 ? 0.02 * plan.unit : 0.0, c, tally, seed) > 0;
    fr_space_destroy(space);
    return has_pairs;
}

static void methods_agree(void **state) {
    (void)state;
    uint64_t count = test_count(40, 1000), met = 0;
    hull_tally tally = {0, 0, 0};
    crew c = make_crew();
    for (uint64_t seed = 0; seed < count; seed++) {
        if (test_is_in_part(seed, count)) { met += compare_in_scene(seed, &c, &tally); }
    }
    end_crew(&c);
    print_message("%llu scenes with pairs; %llu hulls meet, %llu are apart, %llu are not decided\n",
                  (unsigned long long)met, (unsigned long long)tally.met, (unsigned long long)tally.apart,
                  (unsigned long long)tally.undecided);
    assert_true(tally.met > 0 && tally.apart > 0 && 50 * tally.undecided < tally.met + tally.apart);
}

// A face that goes straight past another, 4.5e-6 away and 1e6 from the origin: sides of its prism are parallelograms,
// and the four corners of one are a flat tetrahedron.
static void a_flat_tetrahedron_shows_no_contact(void **state) {
    (void)state;
    hull_tally tally = {0, 0, 0};
    crew c = make_crew();
    assert_true(compare_in_scene(689, &c, &tally));
    assert_true(tally.met > 0 && tally.apart > 0);
    end_crew(&c);
}

// Sixteen boxes that cross a room, of which some turn.
static void crowds_agree(void **state) {
    (void)state;
    uint64_t count = test_count(4, 100);
    crew c = make_crew();
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(8000000 + seed);
        fr_space *space = scene_space();
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 0.5, 2.0), NULL, &mesh, NULL), FR_OK);
        for (int i = 0; i < 16; i++) {
            fr_pose pose = fr_pose_make(scene_point(&r, 4.0), fr_quat_from_vector(scene_point(&r, 2.0)));
            fr_object_id id = scene_add(space, mesh, &pose, 0);
            fr_motion motion = fr_motion_still(&pose);
            motion.travel = scene_point(&r, 4.0);
            if (i % 2 == 0) { motion.turn = scene_point(&r, 3.0); }
            fr_pose end = fr_motion_pose(&motion, 1.0);
            assert_int_equal(fr_object_set_motion(space, id, &motion, &end, NULL), FR_OK);
        }
        fr_mesh_release(mesh);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        assert_true(compare_ways(space, 0.0, &c, NULL, seed) > 0);
        fr_space_destroy(space);
    }
    end_crew(&c);
}

// ---------------------------------------------------------------------------------------------------------------
// Known motions

static fr_object_id add_moving_box(fr_space *space, fr_vec3 from, fr_vec3 travel, fr_vec3 turn) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &mesh, NULL), FR_OK);
    fr_object_id id = scene_add_at(space, mesh, from, 0);
    fr_mesh_release(mesh);
    fr_motion motion = fr_motion_still(&fr_object_get(space, id)->pose);
    motion.travel = travel;
    motion.turn = turn;
    fr_pose end = fr_motion_pose(&motion, 1.0);
    assert_int_equal(fr_object_set_motion(space, id, &motion, &end, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return id;
}

// The one box goes through a place early, the other late.
static void a_place_at_different_times_counts(void **state) {
    (void)state;
    crew c = make_crew();
    for (int turns = 0; turns < 3; turns++) {
        fr_space *space = scene_space();
        fr_vec3 turn = fr_vec3_make(0.0, 0.0, turns == 0 ? 0.0 : turns == 1 ? 0.4 : 13.0);
        add_moving_box(space, fr_vec3_make(-2.0, 0.0, 0.0), fr_vec3_make(6.0, 0.0, 0.0), turn);
        add_moving_box(space, fr_vec3_make(0.1, -9.0, 0.2), fr_vec3_make(0.0, 9.0, 0.0), fr_vec3_make(0.0, 0.0, 0.0));
        fr_collide *asker = scene_asker();
        fr_collide_input exact = scene_question(space, FR_COLLIDE_TREE);
        assert_int_equal(scene_ask_step(asker, &exact).pair_count, 0);
        hull_tally tally = {0, 0, 0};
        assert_true(compare_ways(space, 0.0, &c, &tally, (uint64_t)turns) > 0);
        fr_collide_destroy(asker);
        fr_space_destroy(space);
    }
    end_crew(&c);
}

// A corner on an arc of half a turn passes its top: a hull of the ends alone would lie below it.
static void a_hull_holds_the_arc_and_no_more(void **state) {
    (void)state;
    const double heights[2] = {1.0 + 0.49, 1.0 + 0.51}; // of the low side of a plate 0.02 thick, over an arm of 1.5
    crew c = make_crew();
    for (int i = 0; i < 2; i++) {
        fr_space *space = scene_space();
        fr_mesh *rod, *plate;
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 0.01, 0.01), NULL, &rod, NULL), FR_OK);
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(4.0, 0.02, 4.0), NULL, &plate, NULL), FR_OK);
        fr_object_id id = scene_add_at(space, rod, fr_vec3_make(1.0, 0.0, 0.0), 0);
        scene_add_at(space, plate, fr_vec3_make(0.0, heights[i] + 0.01, 0.0), 0);
        fr_motion motion = fr_motion_still(&fr_object_get(space, id)->pose);
        motion.pivot_local = fr_vec3_make(-1.0, 0.0, 0.0);
        motion.turn = fr_vec3_make(0.0, 0.0, fr_radians(180.0));
        fr_pose end = fr_motion_pose(&motion, 1.0);
        assert_int_equal(fr_object_set_motion(space, id, &motion, &end, NULL), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        size_t count = compare_ways(space, 0.0, &c, NULL, (uint64_t)i);
        assert_true(i == 0 ? count > 0 : count == 0);
        fr_mesh_release(rod);
        fr_mesh_release(plate);
        fr_space_destroy(space);
    }
    end_crew(&c);
}

// A budget leaves some out and says so; nothing is known to be free then.
static void a_budget_leaves_nothing_free(void **state) {
    (void)state;
    fr_space *space = scene_space();
    add_moving_box(space, fr_vec3_make(-2.0, 0.0, 0.0), fr_vec3_make(6.0, 0.0, 0.0), fr_vec3_make(0.0, 0.0, 0.0));
    add_moving_box(space, fr_vec3_make(0.1, -9.0, 0.2), fr_vec3_make(0.0, 9.0, 0.0), fr_vec3_make(0.0, 0.0, 0.0));
    fr_collide *asker = scene_asker();
    fr_collide_input input = query_by(space, 1, NULL, NULL);
    input.budget = 10;
    fr_collide_output out = scene_ask_step(asker, &input);
    assert_true(out.is_partial && out.free_time == 0.0 && out.stats.tested == 10);
    fr_collide_destroy(asker);
    fr_space_destroy(space);
}

static void no_memory_is_survived(void **state) {
    (void)state;
    fr_space *space = scene_space();
    add_moving_box(space, fr_vec3_make(-2.0, 0.0, 0.0), fr_vec3_make(6.0, 0.0, 0.0), fr_vec3_make(0.0, 0.0, 1.0));
    add_moving_box(space, fr_vec3_make(0.1, -9.0, 0.2), fr_vec3_make(0.0, 9.0, 0.0), fr_vec3_make(0.0, 0.0, 0.0));
    fr_collide_input input = query_by(space, 1, NULL, NULL);
    scene_failing_question question = {fr_collide_continuous, &input};
    test_every_failure(scene_ask_new_asker, &question);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_at_different_times_counts),
        cmocka_unit_test(a_hull_holds_the_arc_and_no_more),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(a_flat_tetrahedron_shows_no_contact),
        cmocka_unit_test(crowds_agree),
        cmocka_unit_test(a_budget_leaves_nothing_free),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
