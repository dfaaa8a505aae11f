// Admissible truths against the answer about uncertain poses: no pair of any truth is missed, what is certain collides
// in each, what is likely or more is what collides where the poses have it, and nothing comes earlier than told.
#include "collide/moving_scenes.h"
#include "frame.h"

enum { MOST = SCENE_MOST_OBJECTS };

typedef struct doubtful_scene {
    fr_space *space;
    fr_object_uncertainty errors[MOST];
    size_t error_count;
    fr_object_view measured[MOST]; // by place, as the answer was asked about
    uint32_t count;
} doubtful_scene;

static fr_vec3 direction(fr_random *r) { return fr_vec3_unit(scene_point(r, 1.0), fr_vec3_make(0.0, 0.0, 1.0)); }

// Errors of about half the objects, from a thousandth to a third of their size, and sometimes only of one kind.
static void draw_errors(fr_random *r, double unit, doubtful_scene *out) {
    static const double sizes[] = {1e-6, 1e-3, 0.02, 0.1, 0.3};
    out->error_count = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        out->measured[i] = *fr_object_get(out->space, fr_space_object_at(out->space, i));
        if (fr_random_below(r, 3) == 0) { continue; }
        double size = sizes[fr_random_below(r, 5)];
        fr_object_uncertainty *e = &out->errors[out->error_count++];
        memset(e, 0, sizeof *e);
        e->id = fr_space_object_at(out->space, i);
        uint64_t kind = fr_random_below(r, 4);
        if (kind != 1) { e->uncertainty.position_error = unit * size; }
        if (kind != 0) { e->uncertainty.rotation_error = fr_random_below(r, 20) == 0 ? FR_PI : size; }
        if (kind == 3) {
            e->uncertainty.latency = 0.02;
            e->uncertainty.speed = unit * size * 25.0;
            e->uncertainty.angular_speed = size * 10.0;
        }
    }
}

// Turned about the reference point by `turn`, and shifted.
static fr_pose displaced(const fr_pose *pose, fr_vec3 reference_local, fr_vec3 shift, fr_quat turn) {
    fr_pose out = *pose;
    out.rotation = fr_quat_multiply(turn, pose->rotation);
    assert_int_equal(fr_quat_normalize(&out.rotation, NULL), FR_OK);
    fr_vec3 arm = fr_pose_turn(&out, fr_vec3_scale(pose->scale, reference_local));
    out.position = fr_vec3_sub(fr_vec3_add(fr_pose_apply(pose, reference_local), shift), arm);
    return out;
}

// Puts all objects where one truth has them; every other draw is at the very limit of the errors.
static void set_truth(fr_random *r, const doubtful_scene *scene) {
    for (size_t i = 0; i < scene->error_count; i++) {
        const fr_uncertainty *u = &scene->errors[i].uncertainty;
        const fr_object_view *m = &scene->measured[scene->errors[i].id.index1 - 1];
        bool is_extreme = fr_random_below(r, 2) == 0;
        double length = (u->position_error + u->speed * u->latency) * (is_extreme ? 1.0 : fr_random_unit(r));
        double angle = u->rotation_error + u->angular_speed * u->latency;
        angle = (angle < FR_PI ? angle : FR_PI) * (is_extreme ? 1.0 : fr_random_unit(r));
        fr_vec3 shift = fr_vec3_scale(length, direction(r));
        fr_quat turn = fr_quat_from_axis_angle(direction(r), angle);
        fr_vec3 reference = m->is_moving ? m->motion.pivot_local : m->pivot_local;
        fr_pose start = displaced(&m->pose, reference, shift, turn);
        assert_int_equal(fr_object_set_pose(scene->space, scene->errors[i].id, &start, NULL), FR_OK);
        if (!m->is_moving) { continue; }
        fr_motion motion = m->motion;
        motion.start = fr_object_get(scene->space, scene->errors[i].id)->pose;
        fr_quat way = fr_quat_from_vector(motion.turn);
        fr_quat turn_end = fr_quat_multiply(fr_quat_multiply(way, turn), fr_quat_conjugate(way));
        fr_pose end = displaced(&m->next, reference, shift, turn_end);
        assert_int_equal(fr_object_set_motion(scene->space, scene->errors[i].id, &motion, &end, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(scene->space, NULL, NULL), FR_OK);
}

static fr_uncertain_pair *copy_pairs(const fr_uncertain_output *out) {
    fr_uncertain_pair *copy = malloc((out->pair_count + 1) * sizeof *copy);
    assert_non_null(copy);
    if (out->pair_count > 0) { memcpy(copy, out->pairs, out->pair_count * sizeof *copy); }
    return copy;
}

static int compare(const fr_uncertain_pair *p, const fr_face_pair *q) {
    const uint32_t left[4] = {p->a, p->b, p->triangle_a, p->triangle_b};
    const uint32_t right[4] = {q->a, q->b, q->triangle_a, q->triangle_b};
    for (int k = 0; k < 4; k++) {
        if (left[k] != right[k]) { return left[k] < right[k] ? -1 : 1; }
    }
    return 0;
}

typedef struct tally {
    uint64_t truths, pairs;
    uint64_t possible, likely, certain; // of uncertain objects
} tally;

// Walks both sorted lists: every pair of the truth is there and not earlier, every certain one is in the truth.
static void compare_truth(const fr_uncertain_pair *pairs, size_t count, const fr_collide_output *truth, uint64_t seed,
                          tally *sum) {
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_in_truth = k < truth->pair_count && compare(&pairs[i], &truth->pairs[k]) == 0;
        if (is_in_truth) {
            assert_true(truth->pairs[k].time >= pairs[i].time);
            k++;
        } else if (pairs[i].grade == FR_GRADE_CERTAIN) {
            fail_msg("scene %llu: a certain pair does not collide", (unsigned long long)seed);
        }
        if (k < truth->pair_count && compare(&pairs[i], &truth->pairs[k]) > 0) { break; }
    }
    if (k < truth->pair_count && (truth->pairs[k].flags & FR_CONTACT_CAPPED) == 0) {
        fail_msg("scene %llu: pair %u %u %u %u of a truth was missed", (unsigned long long)seed, truth->pairs[k].a,
                 truth->pairs[k].b, truth->pairs[k].triangle_a, truth->pairs[k].triangle_b);
    }
    sum->truths++;
    sum->pairs += truth->pair_count;
}

// What is likely or certain is the answer about the poses as they are, flags included.
static void compare_measured(const fr_uncertain_pair *pairs, size_t count, const fr_collide_output *measured,
                             tally *sum) {
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_doubtful = pairs[i].separation > 0.0;
        sum->possible += is_doubtful && pairs[i].grade == FR_GRADE_POSSIBLE;
        sum->likely += is_doubtful && pairs[i].grade == FR_GRADE_LIKELY;
        sum->certain += is_doubtful && pairs[i].grade == FR_GRADE_CERTAIN;
        assert_true(pairs[i].share >= 0.0f && pairs[i].share <= 1.0f);
        assert_true(pairs[i].grade != FR_GRADE_CERTAIN || pairs[i].share == 1.0f);
        if (pairs[i].grade == FR_GRADE_POSSIBLE) {
            assert_true((pairs[i].flags & FR_CONTACT_NEAR) != 0 && (pairs[i].flags & FR_CONTACT_START) == 0);
            continue;
        }
        assert_true(k < measured->pair_count && compare(&pairs[i], &measured->pairs[k]) == 0);
        assert_int_equal(pairs[i].flags, measured->pairs[k].flags);
        assert_true(pairs[i].time <= measured->pairs[k].time);
        k++;
    }
    assert_int_equal(k, measured->pair_count);
}

static fr_uncertain_input question(const doubtful_scene *scene, bool is_over_step, uint32_t draws) {
    fr_uncertain_input input = fr_default_uncertain_input();
    input.query.space = scene->space;
    input.is_over_step = is_over_step;
    input.uncertainties = scene->errors;
    input.uncertainty_count = scene->error_count;
    input.draws = draws;
    return input;
}

static void try_scene(uint64_t seed, bool is_over_step, bool far_away, int truths, tally *sum) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, far_away, &plan);
    doubtful_scene scene = {.space = scene_build(&plan, &scene_as_it_is), .count = plan.object_count};
    if (is_over_step) { scene_random_motion(&r, scene.space, plan.unit, 7.0); }
    draw_errors(&r, plan.unit, &scene);
    fr_collide *asker = scene_asker();
    fr_uncertain_input input = question(&scene, is_over_step, is_over_step ? 2 : 8);
    input.query.tolerance = 1e-6 * plan.unit;
    fr_uncertain_output out;
    fr_error error;
    if (fr_collide_uncertain(asker, &input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    size_t count = out.pair_count;
    fr_uncertain_pair *pairs = copy_pairs(&out);

    fr_collide_input ask = input.query;
    fr_collide_output measured = is_over_step ? scene_ask_step(asker, &ask) : scene_ask(asker, &ask);
    compare_measured(pairs, count, &measured, sum);
    for (int i = 0; i < truths; i++) {
        set_truth(&r, &scene);
        fr_collide_output truth = is_over_step ? scene_ask_step(asker, &ask) : scene_ask(asker, &ask);
        compare_truth(pairs, count, &truth, seed, sum);
    }
    free(pairs);
    fr_collide_destroy(asker);
    fr_space_destroy(scene.space);
}

static void report(const char *what, const tally *sum) {
    printf("%s: %llu truths, %llu pairs in them; %llu possible, %llu likely, %llu certain\n", what,
           (unsigned long long)sum->truths, (unsigned long long)sum->pairs, (unsigned long long)sum->possible,
           (unsigned long long)sum->likely, (unsigned long long)sum->certain);
    assert_true(sum->pairs > 0 && sum->possible > 0 && sum->likely > 0 && sum->certain > 0);
}

static void no_truth_of_an_instant_is_missed(void **state) {
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 1; seed <= test_count(30, 5000); seed++) {
        try_scene(seed, false, false, 30, &sum);
    }
    report("instant", &sum);
}

static void no_truth_of_a_step_is_missed(void **state) {
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 1; seed <= test_count(12, 1000); seed++) {
        try_scene(seed, true, false, 8, &sum);
    }
    report("step", &sum);
}

static void nor_far_away(void **state) {
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 5001; seed <= 5000 + test_count(10, 2000); seed++) {
        try_scene(seed, false, true, 20, &sum);
    }
    report("instant, far away", &sum);
    memset(&sum, 0, sizeof sum);
    for (uint64_t seed = 5001; seed <= 5000 + test_count(8, 400); seed++) {
        try_scene(seed, true, true, 6, &sum);
    }
    report("step, far away", &sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_truth_of_an_instant_is_missed),
        cmocka_unit_test(no_truth_of_a_step_is_missed),
        cmocka_unit_test(nor_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
