// Uncertain poses: what is refused, the bound of a vertex, simple truths, the budget, workers, methods and memory.
#include "collide/moving_scenes.h"
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"

// Two balls of radius 1 and a gap between, the second of them uncertain; a third far off, certain, in contact with a
// fourth.
typedef struct balls {
    fr_space *space;
    fr_object_id ids[4];
    fr_object_uncertainty error; // of the second
} balls;

static balls make_balls(double gap) {
    balls out;
    out.space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 8, 16, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
    const double places[4] = {0.0, 2.0 + gap, 20.0, 21.5};
    for (int i = 0; i < 4; i++) {
        fr_vec3 at = fr_vec3_make(places[i], 0.0, 0.0);
        out.ids[i] = scene_add_at(out.space, mesh, at, i >= 2 ? FR_OBJECT_REAL : 0);
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(out.space, NULL, NULL), FR_OK);
    memset(&out.error, 0, sizeof out.error);
    out.error.id = out.ids[1];
    out.error.uncertainty.position_error = 0.1;
    return out;
}

static fr_uncertain_input question(const balls *b) {
    fr_uncertain_input input = fr_default_uncertain_input();
    input.query.space = b->space;
    input.uncertainties = &b->error;
    input.uncertainty_count = 1;
    return input;
}

static fr_uncertain_output ask(fr_collide *asker, const fr_uncertain_input *input) {
    fr_uncertain_output out;
    fr_error error;
    if (fr_collide_uncertain(asker, input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void refuse(fr_collide *asker, const fr_uncertain_input *input, fr_status expected) {
    fr_uncertain_output out;
    fr_error error = {0};
    assert_int_equal(fr_collide_uncertain(asker, input, &out, &error), expected);
    assert_true(error.message[0] != '\0' && out.pairs == NULL && out.pair_count == 0);
}

static void wrong_errors_are_refused(void **state) {
    (void)state;
    balls b = make_balls(0.05);
    fr_collide *asker = scene_asker();
    const double bad[] = {-1e-9, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 15; i++) {
        balls wrong = b;
        double *numbers[5] = {&wrong.error.uncertainty.position_error, &wrong.error.uncertainty.rotation_error,
                              &wrong.error.uncertainty.latency, &wrong.error.uncertainty.speed,
                              &wrong.error.uncertainty.angular_speed};
        *numbers[i % 5] = bad[i / 5];
        fr_uncertain_input input = question(&wrong);
        refuse(asker, &input, FR_ERROR_ARGUMENT);
        fr_error_budget budget;
        assert_int_equal(fr_collide_budget(&input, wrong.error.id, &budget, NULL), FR_ERROR_ARGUMENT);
    }
    balls wrong = b;
    wrong.error.uncertainty.rotation_error = 3.2;
    fr_uncertain_input input = question(&wrong);
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    wrong.error.uncertainty.rotation_error = 0.0;
    wrong.error.uncertainty.position_error = 1e300;
    wrong.error.uncertainty.speed = wrong.error.uncertainty.latency = 1e200;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    fr_collide_destroy(asker);
    fr_space_destroy(b.space);
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    balls b = make_balls(0.05);
    fr_collide *asker = scene_asker();
    fr_uncertain_input input = question(&b);
    const fr_object_uncertainty twice[2] = {b.error, b.error};
    input.uncertainties = twice;
    input.uncertainty_count = 2;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.cookie = 0;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.draws = 65;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.query.margin = 0.1;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.query.set = FR_SET_FIRST;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.query.tolerance = -1.0;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    input.query.space = NULL;
    refuse(asker, &input, FR_ERROR_ARGUMENT);
    input = question(&b);
    assert_int_equal(fr_object_remove(b.space, b.ids[1], NULL), FR_OK);
    refuse(asker, &input, FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
    refuse(asker, &input, FR_ERROR_STALE_ID);
    fr_error_budget budget;
    assert_int_equal(fr_collide_budget(&input, b.ids[1], &budget, NULL), FR_ERROR_STALE_ID);
    fr_collide_destroy(asker);
    fr_space_destroy(b.space);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// No vertex is off by more, and a turn across its arm with a shift along the chord is off by all but a little.
static void the_bound_of_a_vertex_holds_and_is_tight(void **state) {
    (void)state;
    fr_random r = fr_random_seed(3);
    for (int i = 0; i < 20000; i++) {
        fr_uncertainty u = {.position_error = fr_random_between(&r, 0.0, 0.1)};
        u.rotation_error = fr_random_between(&r, 0.0, FR_PI);
        fr_vec3 vertex = scene_point(&r, 2.0);
        fr_vec3 shift = fr_vec3_scale(u.position_error, fr_vec3_unit(scene_point(&r, 1.0), vertex));
        fr_pose pose = fr_pose_make(shift, fr_quat_from_axis_angle(scene_point(&r, 1.0), u.rotation_error));
        double off = fr_vec3_distance(fr_pose_apply(&pose, vertex), vertex);
        assert_true(off <= fr_uncertainty_reach(&u, fr_vec3_length(vertex)) + 1e-14);
    }
    fr_uncertainty u = {0.5, 0.7, 0.1, 2.0, 3.0};
    double expected = 0.5 + 2.0 * 4.0 * fr_sin(0.35) + 0.1 * (2.0 + 4.0 * 3.0);
    assert_true(fabs(fr_uncertainty_reach(&u, 4.0) - expected) < 1e-10);
    fr_vec3 vertex = {4.0, 0.0, 0.0}, shift = {-0.5 * fr_sin(0.35), 0.5 * fr_cos(0.35), 0.0};
    fr_pose pose = fr_pose_make(shift, fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), 0.7));
    double off = fr_vec3_distance(fr_pose_apply(&pose, vertex), vertex);
    assert_true(fabs(off - (0.5 + 8.0 * fr_sin(0.35))) < 1e-14);
    u.angular_speed = 1e9; // turned anyhow, a vertex is at most on the other side
    assert_true(fabs(fr_uncertainty_reach(&u, 4.0) - (0.5 + 0.2 + 8.0)) < 1e-9);
}

static void speeds_come_from_a_motion(void **state) {
    (void)state;
    fr_pose pose = fr_pose_identity();
    fr_motion motion = fr_motion_still(&pose);
    motion.travel = fr_vec3_make(0.3, 0.0, 0.4);
    motion.turn = fr_vec3_make(0.0, 0.2, 0.0);
    fr_uncertainty u = {0.0, 0.0, 0.5, 0.0, 0.0};
    fr_uncertainty_set_speeds(&u, &motion, 0.1);
    assert_true(fabs(u.speed - 5.0) < 1e-12 && fabs(u.angular_speed - 2.0) < 1e-12);
}

static const fr_uncertain_objects *find_objects(const fr_uncertain_output *out, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < out->object_count; i++) {
        if (out->objects[i].a == a && out->objects[i].b == b) { return &out->objects[i]; }
    }
    return NULL;
}

static void a_gap_decides_the_grade(void **state) {
    (void)state;
    // Half a face's height apart, just apart, just touching, and deep in one another.
    const double gaps[] = {0.3, 0.05, -0.05, -0.8};
    fr_collide *asker = scene_asker();
    for (int i = 0; i < 4; i++) {
        balls b = make_balls(gaps[i]);
        if (i == 3) {
            b.error.uncertainty.position_error = 0.02;
        } // faces of 0.4: what is certain is clear of their borders
        fr_uncertain_input input = question(&b);
        fr_uncertain_output out = ask(asker, &input);
        const fr_uncertain_objects *two = find_objects(&out, 0, 1), *certain = find_objects(&out, 2, 3);
        assert_true(out.separation > b.error.uncertainty.position_error &&
                    out.separation < b.error.uncertainty.position_error + 1e-4);
        assert_non_null(certain);
        assert_int_equal(certain->grade, FR_GRADE_CERTAIN);
        assert_true(certain->share == 1.0f);
        for (size_t k = certain->first; k < certain->first + certain->count; k++) {
            assert_int_equal(out.pairs[k].grade, FR_GRADE_CERTAIN);
            assert_true(out.pairs[k].separation == 0.0);
            assert_true((out.pairs[k].flags & FR_CONTACT_REAL) != 0); // information only, but told
        }
        if (i == 0) {
            assert_null(two);
        } else {
            static const fr_grade grades[] = {FR_GRADE_POSSIBLE, FR_GRADE_POSSIBLE, FR_GRADE_LIKELY, FR_GRADE_CERTAIN};
            assert_non_null(two);
            assert_int_equal(two->grade, grades[i]);
            assert_true(i == 3 ? two->share == 1.0f : two->share > 0.0f && two->share < 1.0f);
            assert_true(i != 1 || two->share < 0.5f);
            assert_true(i != 2 || two->share > 0.5f);
        }
        fr_space_destroy(b.space);
    }
    fr_collide_destroy(asker);
}

static fr_object_id add_triangle(fr_space *space, const double corners[9]) {
    const uint32_t triangle[3] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = corners;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.is_double = true;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_object_id id = scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
    fr_mesh_release(mesh);
    return id;
}

// The grade of a needle of a face, given by its two ends, through a large upright triangle, with an error of 0.1.
static fr_grade grade_of_needle(fr_vec3 from, fr_vec3 to) {
    const double face[9] = {0.0, -5.0, -5.0, 0.0, 5.0, -5.0, 0.0, 0.0, 5.0};
    const double needle[9] = {from.x, from.y, from.z, to.x, to.y, to.z, to.x, to.y, to.z + 1e-3};
    fr_space *space = scene_space();
    add_triangle(space, face);
    fr_object_uncertainty error = {add_triangle(space, needle), {0.1, 0.0, 0.0, 0.0, 0.0}};
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide *asker = scene_asker();
    fr_uncertain_input input = fr_default_uncertain_input();
    input.query.space = space;
    input.uncertainties = &error;
    input.uncertainty_count = 1;
    fr_uncertain_output out = ask(asker, &input);
    assert_int_equal(out.pair_count, 1);
    fr_grade grade = out.pairs[0].grade;
    fr_collide_destroy(asker);
    fr_space_destroy(space);
    return grade;
}

static void certain_is_what_no_truth_undoes(void **state) {
    (void)state;
    // Straight through the middle; with one end too near; with the place too near the border.
    assert_int_equal(grade_of_needle(fr_vec3_make(-1.0, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0)), FR_GRADE_CERTAIN);
    assert_int_equal(grade_of_needle(fr_vec3_make(-0.11, 0.0, 0.0), fr_vec3_make(0.11, 0.0, 0.0)), FR_GRADE_CERTAIN);
    assert_int_equal(grade_of_needle(fr_vec3_make(-0.09, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0)), FR_GRADE_LIKELY);
    assert_int_equal(grade_of_needle(fr_vec3_make(-1.0, 0.0, -4.92), fr_vec3_make(1.0, 0.0, -4.92)), FR_GRADE_LIKELY);
    assert_int_equal(grade_of_needle(fr_vec3_make(-1.0, 0.0, -4.88), fr_vec3_make(1.0, 0.0, -4.88)), FR_GRADE_CERTAIN);
    // Slanted: it goes through 0.5 above the border, its ends are 0.3 from the plane, and a lift of 0.1 slides it off.
    assert_int_equal(grade_of_needle(fr_vec3_make(-0.3, 0.0, -7.5), fr_vec3_make(0.3, 0.0, -1.5)), FR_GRADE_LIKELY);
}

static void the_share_is_that_of_draws(void **state) {
    (void)state;
    // A needle that ends in the plane of the face: half of the truths collide, of 64 draws about half.
    const double face[9] = {0.0, -5.0, -5.0, 0.0, 5.0, -5.0, 0.0, 0.0, 5.0};
    const double needle[9] = {0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 3.0, 0.0, 1e-3};
    fr_space *space = scene_space();
    fr_object_id large = add_triangle(space, face);
    fr_object_uncertainty error = {add_triangle(space, needle), {0.1, 0.0, 0.0, 0.0, 0.0}};
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide *asker = scene_asker();
    fr_uncertain_input input = fr_default_uncertain_input();
    input.query.space = space;
    input.uncertainties = &error;
    input.uncertainty_count = 1;
    input.draws = 64;
    double sum = 0.0;
    for (input.seed = 0; input.seed < 40; input.seed++) {
        sum += (double)ask(asker, &input).pairs[0].share;
    }
    assert_true(fabs(sum / 40.0 - 0.5) < 0.04); // 4 standard errors of 2560 draws
    input.draws = 0;
    assert_true(ask(asker, &input).pairs[0].share < 0.0f && ask(asker, &input).objects[0].share < 0.0f);
    assert_true(large.index1 == 1);
    fr_collide_destroy(asker);
    fr_space_destroy(space);
}

// A ball that flies by another: over the step it is possible, at the instant it is not; when it flies through, certain.
static void a_step_has_grades_too(void **state) {
    (void)state;
    fr_collide *asker = scene_asker();
    for (int i = 0; i < 3; i++) {
        const double heights[] = {2.05, 1.95, 1.2};
        static const fr_grade grades[] = {FR_GRADE_POSSIBLE, FR_GRADE_LIKELY, FR_GRADE_CERTAIN};
        balls b = make_balls(4.0);
        fr_pose from = fr_pose_make(fr_vec3_make(6.0, heights[i], 0.0), fr_quat_identity());
        fr_pose next = fr_pose_make(fr_vec3_make(-6.0, heights[i], 0.0), fr_quat_identity());
        assert_int_equal(fr_object_set_pose(b.space, b.ids[1], &from, NULL), FR_OK);
        assert_int_equal(fr_object_set_next(b.space, b.ids[1], &next, NULL), FR_OK);
        assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
        if (i == 2) { b.error.uncertainty.position_error = 0.02; }
        fr_uncertain_input input = question(&b);
        input.draws = 4;
        fr_uncertain_output at_instant = ask(asker, &input);
        assert_null(find_objects(&at_instant, 0, 1));
        input.is_over_step = true;
        fr_uncertain_output out = ask(asker, &input);
        const fr_uncertain_objects *two = find_objects(&out, 0, 1);
        assert_non_null(two);
        assert_int_equal(two->grade, grades[i]);
        for (size_t k = two->first; k < two->first + two->count; k++) {
            assert_true(out.pairs[k].time > 0.2f && out.pairs[k].time < 0.8f);
        }
        fr_space_destroy(b.space);
    }
    fr_collide_destroy(asker);
}

// ---------------------------------------------------------------------------------------------------------------
// The budget

// A ball whose vertices go straight into another one: what collides where the poses have it is at least likely.
static void vertices_that_go_straight_have_grades_too(void **state) {
    (void)state;
    balls b = make_balls(0.5);
    b.error.uncertainty.position_error = 1e-4;
    b.error.uncertainty.rotation_error = 1e-4;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 8, 16, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    static fr_vec3 next[256];
    assert_true(view->vertex_count <= 256);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        const float *at = view->positions_float + 3 * (size_t)i;
        next[i] = fr_vec3_make((double)at[0] - 0.9, 1.2 * (double)at[1], (double)at[2]);
    }
    assert_int_equal(fr_object_set_next_vertices(b.space, b.ids[1], next, view->vertex_count, NULL), FR_OK);
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);

    fr_collide *asker = scene_asker(), *other = scene_asker();
    fr_uncertain_input input = question(&b);
    input.is_over_step = true;
    fr_uncertain_output out = ask(asker, &input);
    fr_collide_input certain = scene_question(b.space, FR_COLLIDE_AUTO);
    fr_collide_output step = scene_ask_step(other, &certain);
    size_t likely = 0, sure = 0, at = 0;
    for (size_t i = 0; i < step.pair_count; i++) {
        const fr_face_pair *p = &step.pairs[i];
        if (p->b != 1) { continue; }
        while (at < out.pair_count &&
               (out.pairs[at].a != p->a || out.pairs[at].b != p->b || out.pairs[at].triangle_a != p->triangle_a ||
                out.pairs[at].triangle_b != p->triangle_b)) {
            at++;
        }
        assert_true(at < out.pair_count);
        assert_true(out.pairs[at].grade >= FR_GRADE_LIKELY && out.pairs[at].time <= p->time);
        sure += out.pairs[at].grade == FR_GRADE_CERTAIN;
        likely++;
    }
    assert_true(likely > 20 && sure > 5);
    fr_collide_destroy(asker);
    fr_collide_destroy(other);
    fr_space_destroy(b.space);
}

static void the_budget_adds_up(void **state) {
    (void)state;
    balls b = make_balls(0.0);
    b.error.uncertainty = (fr_uncertainty){0.01, 0.02, 0.03, 2.0, 0.5};
    fr_uncertain_input input = question(&b);
    fr_error_budget of_one, of_other;
    assert_int_equal(fr_collide_budget(&input, b.ids[1], &of_one, NULL), FR_OK);
    double rho = of_one.rotation / (2.0 * fr_sin(0.01));
    assert_true(rho >= 1.0 && rho < 1.74); // a box about the ball of radius 1
    assert_true(of_one.position == 0.01 && fabs(of_one.prediction - 0.03 * (2.0 + 0.5 * rho)) < 1e-12);
    assert_true(of_one.path == 0.0 && of_one.arithmetic > 0.0 && of_one.arithmetic < 1e-10);
    double sum = of_one.position + of_one.rotation + of_one.prediction + of_one.path + of_one.arithmetic;
    assert_true(fabs(of_one.total - sum) < 1e-12);
    assert_int_equal(fr_collide_budget(&input, b.ids[0], &of_other, NULL), FR_OK);
    assert_true(of_other.position == 0.0 && of_other.rotation == 0.0 && of_other.prediction == 0.0);
    fr_collide *asker = scene_asker();
    fr_uncertain_output out = ask(asker, &input);
    for (size_t i = 0; i < out.pair_count; i++) {
        if (out.pairs[i].a == 0) {
            assert_true(out.pairs[i].separation <= (of_one.total + of_other.total) * (1 + 1e-9));
        }
    }
    input.is_over_step = true;
    assert_int_equal(fr_collide_budget(&input, b.ids[1], &of_one, NULL), FR_OK);
    assert_true(of_one.path == 0.5e-6);
    fr_collide_destroy(asker);
    fr_space_destroy(b.space);
}

// ---------------------------------------------------------------------------------------------------------------
// Methods, workers, memory

static void check_same(const fr_uncertain_output *a, const fr_uncertain_output *b) {
    assert_int_equal(a->pair_count, b->pair_count);
    assert_int_equal(a->object_count, b->object_count);
    for (size_t i = 0; i < a->pair_count; i++) {
        const fr_uncertain_pair *p = &a->pairs[i], *q = &b->pairs[i];
        assert_true(p->a == q->a && p->b == q->b && p->triangle_a == q->triangle_a && p->triangle_b == q->triangle_b);
        assert_true(p->grade == q->grade && p->flags == q->flags && p->time == q->time && p->share == q->share);
        assert_true(p->separation == q->separation);
        if (i > 0) { // sorted, each once
            const uint32_t now[4] = {p->a, p->b, p->triangle_a, p->triangle_b};
            const uint32_t then[4] = {p[-1].a, p[-1].b, p[-1].triangle_a, p[-1].triangle_b};
            int k = 0;
            while (k < 3 && now[k] == then[k]) {
                k++;
            }
            assert_true(now[k] > then[k]);
        }
    }
    for (size_t i = 0; i < a->object_count; i++) {
        assert_true(a->objects[i].grade == b->objects[i].grade && a->objects[i].share == b->objects[i].share);
        assert_true(a->objects[i].first == b->objects[i].first && a->objects[i].count == b->objects[i].count);
    }
}

static void methods_and_workers_agree(void **state) {
    (void)state;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    static scene_plan plan;
    uint64_t seeds = test_count(12, 100);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        fr_random r = fr_random_seed(seed);
        scene_random_plan(&r, false, &plan);
        fr_space *space = scene_build(&plan, &scene_as_it_is);
        bool is_over_step = seed % 3 == 0;
        if (is_over_step) { scene_random_motion(&r, space, plan.unit, 2.0); }
        fr_object_uncertainty errors[2];
        for (uint32_t i = 0; i < 2; i++) {
            memset(&errors[i], 0, sizeof errors[i]);
            errors[i].id = fr_space_object_at(space, 2 * i % plan.object_count);
            errors[i].uncertainty.position_error = 0.05 * plan.unit;
            errors[i].uncertainty.rotation_error = 0.1;
        }
        fr_collide *first = scene_asker(), *second = scene_asker();
        fr_uncertain_input input = fr_default_uncertain_input();
        input.query.space = space;
        input.is_over_step = is_over_step;
        input.uncertainties = errors;
        input.uncertainty_count = plan.object_count > 2 ? 2 : 1;
        input.draws = is_over_step ? 2 : 16;
        fr_uncertain_output expected = ask(first, &input);
        for (int k = 0; k < 4; k++) {
            input.query.method = (fr_collide_method)(k % 4);
            input.query.tasks = k % 2 == 0 ? &tasks : NULL;
            fr_uncertain_output out = ask(second, &input);
            check_same(&out, &expected);
        }
        fr_collide_destroy(first);
        fr_collide_destroy(second);
        fr_space_destroy(space);
    }
    fr_task_pool_destroy(pool);
}

static bool stop_now(void *user) {
    int *left = user;
    return --*left < 0;
}

static void what_is_left_out_is_told(void **state) {
    (void)state;
    balls b = make_balls(-0.3);
    fr_collide *asker = scene_asker();
    fr_uncertain_input input = question(&b);
    size_t all = ask(asker, &input).pair_count;
    uint64_t tested = ask(asker, &input).stats.tested;
    assert_true(!ask(asker, &input).is_partial);
    const uint64_t budgets[] = {1, tested / 2, tested};
    for (int i = 0; i < 3; i++) {
        input.query.budget = budgets[i];
        fr_uncertain_output out = ask(asker, &input);
        assert_true(i == 2 ? out.pair_count == all : out.is_partial && out.pair_count < all);
    }
    input.query.budget = 0;
    for (int left = 0; left < 40; left += 3) {
        int count = left;
        const fr_control control = {stop_now, NULL, &count};
        input.query.control = &control;
        fr_uncertain_output out = ask(asker, &input);
        assert_true(out.is_partial ? out.pair_count <= all : out.pair_count == all);
        assert_true(left > 0 || out.is_partial);
    }
    fr_collide_destroy(asker);
    fr_space_destroy(b.space);
}

static void a_warm_question_allocates_nothing(void **state) {
    (void)state;
    balls b = make_balls(-0.3);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_collide *asker;
    assert_int_equal(fr_collide_create(&allocator, &asker, NULL), FR_OK);
    fr_uncertain_input input = question(&b);
    ask(asker, &input);
    uint64_t before = test_allocations(probe);
    ask(asker, &input);
    ask(asker, &input);
    assert_int_equal(test_allocations(probe), before);
    fr_collide_destroy(asker);
    fr_probe_destroy(probe);
    fr_space_destroy(b.space);
}

static fr_status ask_once(const fr_allocator *allocator, void *context) {
    const fr_uncertain_input *input = context;
    fr_collide *asker;
    fr_status status = fr_collide_create(allocator, &asker, NULL);
    if (status != FR_OK) { return status; }
    fr_uncertain_output out;
    status = fr_collide_uncertain(asker, input, &out, NULL);
    if (status != FR_OK) {
        assert_true(out.pairs == NULL && out.pair_count == 0);
        test_lift_and_compare(allocator);
        assert_int_equal(fr_collide_uncertain(asker, input, &out, NULL), FR_OK);
    }
    test_note_number(out.pair_count);
    fr_collide_destroy(asker);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    balls b = make_balls(-0.3);
    for (int k = 0; k < 2; k++) {
        fr_uncertain_input input = question(&b);
        input.is_over_step = k == 1;
        input.draws = 1;
        assert_true(test_every_failure(ask_once, &input) > 5);
    }
    fr_space_destroy(b.space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_errors_are_refused),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(the_bound_of_a_vertex_holds_and_is_tight),
        cmocka_unit_test(speeds_come_from_a_motion),
        cmocka_unit_test(a_gap_decides_the_grade),
        cmocka_unit_test(certain_is_what_no_truth_undoes),
        cmocka_unit_test(the_share_is_that_of_draws),
        cmocka_unit_test(a_step_has_grades_too),
        cmocka_unit_test(vertices_that_go_straight_have_grades_too),
        cmocka_unit_test(the_budget_adds_up),
        cmocka_unit_test(methods_and_workers_agree),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(a_warm_question_allocates_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
