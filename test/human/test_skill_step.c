// The skill step_reach: a goal that is out of reach of the arm is reached after a short walk.
#include "stage.h"

#include "furniture.h"

static stage on;
static fr_performer *looking; // the same body with a figure
static fr_figure *figure;

static fr_task step_to(fr_vec3 place, double heading) {
    // The palm with its fingers ahead and its thumb up, as the right hand has it before the body.
    const fr_mat3 forward = {{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}};
    fr_quat turn = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(0, heading, 0)), fr_quat_from_mat3(forward));
    fr_task task = stage_task(1, "step_reach");
    task.fields.given = FR_FIELD_GOAL | FR_FIELD_SIDE;
    task.fields.side = FR_SIDE_RIGHT;
    task.fields.goal = fr_pose_make(place, turn);
    return task;
}

// Steps until the task is over; where the palm was at the event, and how far the body went.
static bool finish(const fr_performer_input *input, const fr_pose *goal, double *miss, double *travel) {
    fr_vec3 first = fr_performer_get(on.performer).posture.place;
    bool is_reached = false;
    *miss = INFINITY;
    for (int k = 0; k < 600 && fr_performer_get(on.performer).task_count > 0; k++) {
        fr_error error = {0};
        assert_int_equal(fr_performer_step(on.performer, input, &on.output, &error), FR_OK);
        stage_look(&on);
        for (uint32_t i = 0; i < on.output.event_count; i++) {
            is_reached = is_reached || strcmp(on.output.events[i].name, "reached") == 0;
            *miss = fr_vec3_distance(on.poses[FR_LINK_RIGHT_PALM].position, goal->position);
        }
        if (on.output.end_count > 0 && on.output.ends[0].reason == FR_TASK_FAILED) {
            print_message("failed: %s\n", on.output.ends[0].message);
        }
    }
    *travel = fr_vec3_distance(on.output.posture.place, first);
    return is_reached;
}

// Before the body, beside it and behind it, higher and lower: out of reach of the arm alone, and reached.
static void reaches_after_a_step(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        double angle = 0.6 * (i - 5), far = 1.1 + 0.1 * (i % 5), high = 0.8 + 0.12 * (i % 6), miss, travel;
        fr_task task = step_to(fr_vec3_make(far * sin(angle), high, far * cos(angle)), angle), alone = task;
        stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
        alone.skill = fr_skill_find("ik_reach");
        assert_int_equal(fr_performer_begin(on.performer, &alone, 1, NULL, NULL), FR_ERROR_ARGUMENT);
        stage_begin(&on, &task, 1);
        assert_true(finish(NULL, &task.fields.goal, &miss, &travel));
        if (miss > 1e-3 || travel < 0.1 || travel > 2.0) { fail_msg("%d: %g m off after %g m", i, miss, travel); }
        stage_check_jumps(&on);
    }
}

static void reaches_from_where_it_stands_if_it_can(void **state) {
    (void)state;
    double miss, travel;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task task = step_to(fr_vec3_make(-0.2, 1.1, 0.35), 0.0);
    stage_begin(&on, &task, 1);
    assert_true(finish(NULL, &task.fields.goal, &miss, &travel));
    assert_true(miss < 1e-6 && travel == 0.0);
    stage_check_jumps(&on);
}

// What is too far, too high or asked of a body that cannot walk is refused with a sentence, and nothing has changed.
static void refuses_what_a_step_does_not_bring_near(void **state) {
    (void)state;
    const fr_vec3 places[3] = {{0.0, 1.1, 6.0}, {0.0, 2.9, 1.2}, {-0.2, 1.1, 0.35}};
    const char *const words[3] = {"farther than a step", "out of reach", "cannot walk"};
    fr_performer *lame = stage_performer(on.skeleton, NULL, 0);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    for (int i = 0; i < 3; i++) {
        fr_task task = step_to(places[i], 0.0);
        fr_performer *one = i == 2 ? lame : on.performer;
        uint64_t before = fr_performer_hash(one);
        fr_error error = {0};
        assert_int_equal(fr_performer_begin(one, &task, 1, NULL, &error), FR_ERROR_ARGUMENT);
        if (strstr(error.message, words[i]) == NULL) { fail_msg("%s", error.message); }
        assert_true(fr_performer_hash(one) == before);
    }
    fr_performer_destroy(lame);
}

// A table stands before the goal: the body stops where it is not in the table, and no piece of the arm meets it.
static void stands_before_a_table(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    put_box(space, fr_vec3_make(1.2, 0.72, 0.6), fr_vec3_make(0.0, 0.36, 1.5), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_performer *bare = on.performer;
    on.performer = looking;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task task = step_to(fr_vec3_make(-0.15, 0.9, 1.35), 0.0);
    fr_performer_input input = {.space = space};
    fr_error error = {0};
    if (fr_performer_begin(on.performer, &task, 1, &input, &error) != FR_OK) { fail_msg("%s", error.message); }
    double miss, travel, depth = 0.0;
    assert_true(finish(&input, &task.fields.goal, &miss, &travel));
    assert_true(miss < 1e-3 && travel > 0.3);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_figure_proxy *proxy = &fr_figure_get(figure)->proxies[i];
        depth = fmax(depth, depth_of_piece(space, proxy->mesh, &on.poses[proxy->link], NULL));
    }
    assert_true(depth < 2e-3);
    on.performer = bare;
    fr_space_destroy(space);
}

static int open_stage(void **state) {
    (void)state;
    on = stage_open();
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = on.skeleton;
    def.detail = FR_FIGURE_COARSE;
    if (fr_figure_create(&def, &figure, NULL) != FR_OK) { return 1; }
    fr_performer_def performer = fr_default_performer_def();
    performer.skeleton = on.skeleton;
    performer.walk_set = on.set;
    performer.figure = figure;
    return fr_performer_create(&performer, &looking, NULL) == FR_OK ? 0 : 1;
}

static int close_stage(void **state) {
    (void)state;
    fr_performer_destroy(looking);
    fr_figure_release(figure);
    stage_close(&on);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaches_after_a_step),
        cmocka_unit_test(reaches_from_where_it_stands_if_it_can),
        cmocka_unit_test(refuses_what_a_step_does_not_bring_near),
        cmocka_unit_test(stands_before_a_table),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
