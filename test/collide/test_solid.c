// The relation of closed objects whose edges run in one another's faces: boxes and L shapes with whole coordinates,
// whose insides overlap or not by integer intervals.
#include "collide/moving_scenes.h"
#include "frame.h"

// ---------------------------------------------------------------------------------------------------------------
// Solids of aligned boxes, and when their insides overlap

enum { MAX_BOXES = 3 };

// The union of boxes with whole coordinates; every mesh of it is closed.
typedef struct solid {
    int box_count;
    int low[MAX_BOXES][3], high[MAX_BOXES][3];
    fr_mesh *mesh;
} solid;

static fr_mesh *mesh_of(const double *positions, uint32_t vertices, const uint32_t *triangles, uint32_t count) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = vertices;
    def.triangles = triangles;
    def.triangle_count = count;
    def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

// Turns the faces of a mesh inside out, or takes one away.
static void change_mesh(solid *s, bool is_turned, bool is_open) {
    static scene_soup soup;
    scene_take_mesh(s->mesh, &soup);
    fr_mesh_release(s->mesh);
    for (uint32_t t = 0; is_turned && t < soup.triangle_count; t++) {
        uint32_t first = soup.triangles[3 * t];
        soup.triangles[3 * t] = soup.triangles[3 * t + 1];
        soup.triangles[3 * t + 1] = first;
    }
    s->mesh = mesh_of(soup.positions, soup.vertex_count, soup.triangles, soup.triangle_count - (is_open ? 1 : 0));
}

static solid make_box(int x, int y, int z) {
    solid s = {.box_count = 1, .low = {{-x, -y, -z}}, .high = {{x, y, z}}};
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = true;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2.0 * x, 2.0 * y, 2.0 * z), &like, &s.mesh, NULL), FR_OK);
    return s;
}

// An L, a U or a T in the plane, drawn out along z.
static solid make_profile(int kind, int half) {
    static const double outlines[3][16] = {{-2, -2, 2, -2, 2, 0, 0, 0, 0, 2, -2, 2},                 // L: 6 points
                                           {-2, -2, 2, -2, 2, 2, 1, 2, 1, -1, -1, -1, -1, 2, -2, 2}, // U: 8
                                           {-1, -2, 1, -2, 1, 0, 2, 0, 2, 2, -2, 2, -2, 0, -1, 0}};  // T: 8
    static const int boxes[3][3][4] = {{{-2, -2, 2, 0}, {-2, 0, 0, 2}, {0}},
                                       {{-2, -2, 2, -1}, {1, -1, 2, 2}, {-2, -1, -1, 2}},
                                       {{-1, -2, 1, 0}, {-2, 0, 2, 2}, {0}}};
    solid s = {.box_count = kind == 1 ? 3 : 2};
    for (int b = 0; b < s.box_count; b++) {
        const int *box = boxes[kind][b];
        const int low[3] = {box[0], box[1], -half}, high[3] = {box[2], box[3], half};
        memcpy(s.low[b], low, sizeof low);
        memcpy(s.high[b], high, sizeof high);
    }
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = true;
    const uint32_t count = kind == 0 ? 6 : 8;
    fr_vec2 points[8];
    for (uint32_t i = 0; i < count; i++) {
        points[i] = (fr_vec2){outlines[kind][2 * i], outlines[kind][2 * i + 1]};
    }
    assert_int_equal(fr_mesh_create_extrusion(points, count, 2.0 * half, &like, &s.mesh, NULL), FR_OK);
    return s;
}

static int some(fr_random *r, int low, int high) { return low + (int)fr_random_below(r, (uint64_t)(high - low + 1)); }

static solid random_solid(fr_random *r) {
    int kind = some(r, 0, 5);
    if (kind < 3) { return make_profile(kind, some(r, 1, 3)); }
    return make_box(some(r, 1, 3), some(r, 1, 3), some(r, 1, 3));
}

// The turns whose matrices are exact: axes that change places, and half turns.
static fr_quat exact_turn(fr_random *r) {
    if (fr_random_below(r, 2) == 0) {
        double h[3];
        for (int i = 0; i < 3; i++) {
            h[i] = fr_random_below(r, 2) == 0 ? 0.5 : -0.5;
        }
        return (fr_quat){0.5, h[0], h[1], h[2]};
    }
    static const fr_quat halves[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    return halves[fr_random_below(r, 4)];
}

// A solid where it stands and how it travels.
typedef struct placed {
    const solid *solid;
    fr_quat turn;
    int position[3], travel[3];
} placed;

static void box_at(const placed *p, int b, double low[3], double high[3]) {
    const int *l = p->solid->low[b], *h = p->solid->high[b];
    fr_pose pose = fr_pose_make(fr_vec3_make(p->position[0], p->position[1], p->position[2]), p->turn);
    fr_vec3 x = fr_pose_apply(&pose, fr_vec3_make(l[0], l[1], l[2]));
    fr_vec3 y = fr_pose_apply(&pose, fr_vec3_make(h[0], h[1], h[2]));
    const double first[3] = {x.x, x.y, x.z}, second[3] = {y.x, y.y, y.z};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(first[k], second[k]);
        high[k] = fmax(first[k], second[k]);
    }
}

// When the insides of two boxes overlap, as an open interval; false: never.
static bool boxes_overlap(const placed *a, int i, const placed *b, int k, double *begin, double *end) {
    double al[3], ah[3], bl[3], bh[3];
    box_at(a, i, al, ah);
    box_at(b, k, bl, bh);
    *begin = -1e300;
    *end = 1e300;
    for (int d = 0; d < 3; d++) {
        double speed = a->travel[d] - b->travel[d], enter = bl[d] - ah[d], leave = bh[d] - al[d];
        if (speed == 0.0) {
            if (!(enter < 0.0 && leave > 0.0)) { return false; }
            continue;
        }
        double from = (speed > 0.0 ? enter : leave) / speed, to = (speed > 0.0 ? leave : enter) / speed;
        *begin = fmax(*begin, from);
        *end = fmin(*end, to);
    }
    return *begin < *end;
}

// The time in 0 .. 1 from which on the insides first overlap; 2: they never do.
static double overlap_time(const placed *a, const placed *b) {
    double first = 2.0;
    for (int i = 0; i < a->solid->box_count; i++) {
        for (int k = 0; k < b->solid->box_count; k++) {
            double begin, end;
            if (!boxes_overlap(a, i, b, k, &begin, &end) || end <= 0.0 || begin >= 1.0) { continue; }
            first = fmin(first, fmax(begin, 0.0));
        }
    }
    return first;
}

static bool overlap_now(const placed *a, const placed *b) {
    placed still_a = *a, still_b = *b;
    memset(still_a.travel, 0, sizeof still_a.travel);
    memset(still_b.travel, 0, sizeof still_b.travel);
    return overlap_time(&still_a, &still_b) < 2.0;
}

// ---------------------------------------------------------------------------------------------------------------
// The library's results

static fr_vec3 place(const placed *p, double offset, bool is_end) {
    double c[3];
    for (int k = 0; k < 3; k++) {
        c[k] = offset + p->position[k] + (is_end ? p->travel[k] : 0);
    }
    return fr_vec3_make(c[0], c[1], c[2]);
}

static fr_space *space_of(const placed pair[2], double offset) {
    fr_space *space = scene_space();
    for (int i = 0; i < 2; i++) {
        fr_pose pose = fr_pose_make(place(&pair[i], offset, false), pair[i].turn);
        fr_pose next = fr_pose_make(place(&pair[i], offset, true), pair[i].turn);
        fr_object_id id = scene_add(space, pair[i].solid->mesh, &pose, 0);
        assert_int_equal(fr_object_set_next(space, id, &next, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

static bool is_overlap(fr_relation relation) {
    return relation == FR_RELATION_CROSSING || relation == FR_RELATION_A_INSIDE || relation == FR_RELATION_B_INSIDE;
}

static void check_static(fr_collide *collide, const fr_space *space, const placed pair[2], uint64_t seed) {
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.margin = seed % 4 == 0 ? 0.125 : 0.0;
    fr_collide_output out = scene_ask(collide, &input);
    bool expected = overlap_now(&pair[0], &pair[1]);
    if (out.object_pair_count > 0 && is_overlap(out.object_pairs[0].relation) != expected) {
        fail_msg("instant %llu: relation %d, overlap %d", (unsigned long long)seed, out.object_pairs[0].relation,
                 expected);
    }
    // Solids whose faces share no point are inside one another or apart.
    input.is_containment_wanted = true;
    out = scene_ask(collide, &input);
    if (expected) { assert_int_equal(out.object_pair_count, 1); }
    bool is_found = out.object_pair_count > 0 && is_overlap(out.object_pairs[0].relation);
    if (is_found != expected) { fail_msg("instant %llu: overlap %d", (unsigned long long)seed, expected); }
    if (is_found) { assert_true(out.object_pairs[0].time_sure == 0.0); }
}

// `slack` is how much later than the overlap begins its proof may be. With a margin a proof may be missed.
static void check_step(fr_collide *collide, const fr_space *space, const placed pair[2], double slack, uint64_t seed,
                       uint64_t *missed) {
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    input.want = FR_WANT_CONTACTS;
    input.margin = seed % 4 == 0 ? 0.125 : 0.0;
    fr_collide_output out = scene_ask_step(collide, &input);
    double expected = overlap_time(&pair[0], &pair[1]);
    if (out.pair_count == 0) { return; }
    const fr_object_pair *found = &out.object_pairs[0];
    bool is_missed = expected < 2.0 && !is_overlap(found->relation);
    if (is_missed && input.margin > 0.0) { // a short overlap after the faces came within the margin
        *missed += 1;
        return;
    }
    if (is_overlap(found->relation) != (expected < 2.0)) {
        fail_msg("step %llu: relation %d, overlap from %g", (unsigned long long)seed, found->relation, expected);
    }
    double sure = 2.0;
    bool has_start = false;
    for (size_t i = 0; i < out.pair_count; i++) {
        has_start = has_start || (out.pairs[i].flags & FR_CONTACT_START) != 0;
        sure = out.contacts[i].time_sure < sure ? out.contacts[i].time_sure : sure;
    }
    if (expected == 2.0) {
        assert_true(fr_is_unknown(found->time_sure) ? sure == 2.0 : found->time_sure == sure);
        return;
    }
    // Where one begins wholly inside the other, contact is proven when it comes to the surface, at any later time.
    bool begins_inside = expected == 0.0 && overlap_now(&pair[0], &pair[1]) && !has_start;
    // Where faces are proven to meet, earlier or later, the insides are not looked at.
    bool is_by_faces = found->time_sure == sure;
    double late = found->time_sure - expected;
    if (!(late <= (begins_inside || is_by_faces ? 1.0 : slack)) || (sure == 2.0 && late < -1e-12)) {
        fail_msg("step %llu: sure at %g, overlap from %g", (unsigned long long)seed, found->time_sure, expected);
    }

    // The first contacts are those up to the proven time.
    size_t count = 0;
    for (size_t i = 0; i < out.pair_count; i++) {
        count += out.contacts[i].time <= found->time_sure + 1e-3;
    }
    input.set = FR_SET_FIRST;
    assert_int_equal(scene_ask_step(collide, &input).pair_count, count);
}

static void random_pairs(double offset, uint64_t count, double slack, uint64_t first_seed) {
    fr_collide *collide = scene_asker();
    uint64_t missed = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_random r = fr_random_seed(first_seed + i);
        solid solids[2] = {random_solid(&r), random_solid(&r)};
        placed pair[2];
        for (int k = 0; k < 2; k++) {
            change_mesh(&solids[k], fr_random_below(&r, 8) == 0, false);
            pair[k] = (placed){.solid = &solids[k], .turn = exact_turn(&r)};
            bool moves = fr_random_below(&r, 4) != 0;
            for (int d = 0; d < 3; d++) {
                pair[k].position[d] = some(&r, -3, 3);
                pair[k].travel[d] = moves && fr_random_below(&r, 2) == 0 ? some(&r, -9, 9) : 0;
            }
        }
        if (fr_random_below(&r, 8) == 0) { // equal, and often at the same place
            pair[1].solid = pair[0].solid;
            pair[1].turn = pair[0].turn;
        }
        fr_space *space = space_of(pair, offset);
        check_static(collide, space, pair, first_seed + i);
        check_step(collide, space, pair, slack, first_seed + i, &missed);
        fr_space_destroy(space);
        fr_mesh_release(solids[0].mesh);
        fr_mesh_release(solids[1].mesh);
    }
    assert_true(missed <= count / 2000);
    fr_collide_destroy(collide);
}

static void aligned_solids_overlap_as_their_intervals_do(void **state) {
    (void)state;
    random_pairs(0.0, test_count(1500, 10000), 1e-4, 1);
}

static void far_from_the_origin_too(void **state) {
    (void)state;
    random_pairs(1e6, test_count(500, 10000), 1e-3, 100000);
}

// ---------------------------------------------------------------------------------------------------------------
// Cubes as people move them

static fr_object_pair two_cubes(fr_vec3 from, fr_vec3 to, bool is_open) {
    solid cube = make_box(1, 1, 1);
    if (is_open) { change_mesh(&cube, false, true); }
    fr_space *space = scene_space();
    (void)scene_add_at(space, cube.mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
    fr_object_id moved = scene_add_at(space, cube.mesh, from, 0);
    fr_pose next = fr_pose_make(to, fr_quat_identity());
    assert_int_equal(fr_object_set_next(space, moved, &next, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide *collide = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    fr_collide_output out = scene_ask_step(collide, &input);
    assert_int_equal(out.object_pair_count, 1);
    fr_object_pair found = out.object_pairs[0];
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    fr_mesh_release(cube.mesh);
    return found;
}

static void a_cube_that_ends_half_inside_crosses(void **state) {
    (void)state;
    fr_object_pair found = two_cubes(fr_vec3_make(5.0, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0), false);
    assert_int_equal(found.relation, FR_RELATION_CROSSING);
    assert_true(found.time_sure >= 0.75 && found.time_sure < 0.7501);
}

static void a_cube_that_passes_through_crosses(void **state) {
    (void)state;
    fr_object_pair found = two_cubes(fr_vec3_make(6.0, 0.0, 0.0), fr_vec3_make(-10.0, 0.0, 0.0), false);
    assert_int_equal(found.relation, FR_RELATION_CROSSING);
    assert_true(found.time_sure >= 0.25 && found.time_sure < 0.2501);
}

static void a_cube_that_is_pushed_from_a_touch_crosses(void **state) {
    (void)state;
    fr_object_pair found = two_cubes(fr_vec3_make(2.0, 0.0, 0.0), fr_vec3_make(1.5, 0.0, 0.0), false);
    assert_int_equal(found.relation, FR_RELATION_CROSSING);
    assert_true(found.time_sure == 0.0);
}

static void a_cube_that_slides_along_a_face_only_touches(void **state) {
    (void)state;
    fr_object_pair found = two_cubes(fr_vec3_make(0.0, 2.0, 0.0), fr_vec3_make(0.5, 2.0, 1.25), false);
    assert_int_equal(found.relation, FR_RELATION_TOUCHING);
    found = two_cubes(fr_vec3_make(-4.0, 2.0, 0.0), fr_vec3_make(4.0, 2.0, 0.0), false);
    assert_int_equal(found.relation, FR_RELATION_NEAR);
}

static void open_cubes_have_no_inside(void **state) {
    (void)state;
    fr_object_pair found = two_cubes(fr_vec3_make(5.0, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0), true);
    assert_int_equal(found.relation, FR_RELATION_NEAR);
    assert_true(fr_is_unknown(found.time_sure));
    found = two_cubes(fr_vec3_make(1.0, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0), true);
    assert_int_equal(found.relation, FR_RELATION_TOUCHING);
}

// Turns about an axis of the cubes: poses on the way are rounded, and faces are aligned at the end alone.
static void a_cube_that_turns_into_place_crosses(void **state) {
    (void)state;
    solid cube = make_box(1, 1, 1);
    fr_collide *collide = scene_asker();
    for (int quarter = 1; quarter <= 4; quarter++) {
        fr_space *space = scene_space();
        (void)scene_add_at(space, cube.mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
        fr_object_id moved = scene_add_at(space, cube.mesh, fr_vec3_make(0.0, 8.0, 0.0), 0);
        fr_motion motion = fr_motion_still(&fr_object_get(space, moved)->pose);
        motion.travel = fr_vec3_make(0.0, -7.0, 0.0);
        motion.turn = fr_vec3_make(0.0, 0.5 * FR_PI * quarter, 0.0);
        fr_pose end = fr_motion_pose(&motion, 1.0);
        assert_int_equal(fr_object_set_motion(space, moved, &motion, &end, NULL), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
        fr_collide_output out = scene_ask_step(collide, &input);
        assert_int_equal(out.object_pairs[0].relation, FR_RELATION_CROSSING);
        assert_true(out.object_pairs[0].time_sure >= 6.0 / 7.0 - 1e-9 && out.object_pairs[0].time_sure < 0.86);
        fr_space_destroy(space);
    }
    fr_collide_destroy(collide);
    fr_mesh_release(cube.mesh);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges on edges

// A double pyramid whose middle is the top of a cube: they share nothing but edges, and the lower half is inside.
static void a_pyramid_on_the_edges_of_a_cube_crosses(void **state) {
    (void)state;
    for (int depth = -1; depth <= 1; depth += 2) {
        const double points[18] = {-1, 1, -1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 0, 1 + 0.25, 0, 0, 1 + 0.5 * depth, 0};
        const uint32_t down[24] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 1, 5, 0, 2, 5, 1, 3, 5, 2, 0, 5, 3};
        solid cube = make_box(1, 1, 1);
        fr_mesh *pyramid = mesh_of(points, 6, down, 8);
        fr_space *space = scene_space();
        (void)scene_add_at(space, cube.mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
        (void)scene_add_at(space, pyramid, fr_vec3_make(0.0, 0.0, 0.0), 0);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_collide *collide = scene_asker();
        fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
        fr_collide_output out = scene_ask(collide, &input);
        assert_int_equal(out.object_pair_count, 1);
        assert_int_equal(out.object_pairs[0].relation, depth < 0 ? FR_RELATION_CROSSING : FR_RELATION_TOUCHING);
        fr_collide_destroy(collide);
        fr_space_destroy(space);
        fr_mesh_release(pyramid);
        fr_mesh_release(cube.mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The same for all methods and workers

static void relations_do_not_depend_on_method_or_workers(void **state) {
    (void)state;
    fr_task_pool *pool = scene_pool(3);
    fr_collide *collide = scene_asker(), *other = scene_asker();
    for (uint64_t seed = 1; seed <= test_count(60, 600); seed++) {
        fr_random r = fr_random_seed(seed);
        fr_space *space = scene_space();
        solid solids[3] = {random_solid(&r), random_solid(&r), random_solid(&r)};
        for (int i = 0; i < 8; i++) {
            fr_vec3 at = fr_vec3_make(some(&r, -4, 4), some(&r, -4, 4), some(&r, -4, 4)), to = at;
            to.x += some(&r, -4, 4);
            fr_pose pose = fr_pose_make(at, exact_turn(&r)), next = fr_pose_make(to, pose.rotation);
            fr_object_id id = scene_add(space, solids[i % 3].mesh, &pose, 0);
            assert_int_equal(fr_object_set_next(space, id, &next, NULL), FR_OK);
        }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        for (int set = 0; set < 2; set++) {
            fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
            input.set = (fr_contact_set)set;
            fr_collide_output expected = scene_ask_step(collide, &input);
            fr_tasks tasks = fr_task_pool_tasks(pool);
            for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_BRUTE; method++) {
                input.method = (fr_collide_method)method;
                input.tasks = method % 2 == 0 ? &tasks : NULL;
                fr_collide_output out = scene_ask_step(other, &input);
                scene_check_equal(&out, &expected, "solids", seed);
                for (size_t i = 0; i < out.object_pair_count; i++) {
                    double sure = out.object_pairs[i].time_sure, wanted = expected.object_pairs[i].time_sure;
                    assert_true(sure == wanted || (fr_is_unknown(sure) && fr_is_unknown(wanted)));
                }
            }
        }
        fr_space_destroy(space);
        for (int i = 0; i < 3; i++) {
            fr_mesh_release(solids[i].mesh);
        }
    }
    fr_collide_destroy(collide);
    fr_collide_destroy(other);
    fr_task_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_that_ends_half_inside_crosses),
        cmocka_unit_test(a_cube_that_passes_through_crosses),
        cmocka_unit_test(a_cube_that_is_pushed_from_a_touch_crosses),
        cmocka_unit_test(a_cube_that_slides_along_a_face_only_touches),
        cmocka_unit_test(open_cubes_have_no_inside),
        cmocka_unit_test(a_cube_that_turns_into_place_crosses),
        cmocka_unit_test(a_pyramid_on_the_edges_of_a_cube_crosses),
        cmocka_unit_test(aligned_solids_overlap_as_their_intervals_do),
        cmocka_unit_test(far_from_the_origin_too),
        cmocka_unit_test(relations_do_not_depend_on_method_or_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
