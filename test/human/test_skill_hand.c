// The motions of operators: a panel of buttons, levers, meters, a keyboard and a touch panel at random places and
// tilts. The tip of the index finger arrives, every event comes once, and no link goes through the panel (dense
// sampling).
#include "frame.h"
#include "fureai/human_object.h"
#include "fureai/human_skill.h"
#include "furniture.h"

#include <math.h>
#include <string.h>

typedef struct operator_room {
    fr_skeleton *skeleton;
    fr_figure *figure;
    fr_performer *performer;
    fr_space *space;
    fr_object_id panel, part; // the panel, and the button or lever that is used
    fr_pose frame;            // of the panel: z outward
    fr_quat turns[FR_LINK_COUNT];
    fr_posture rest;
    fr_pose poses[FR_LINK_COUNT];
} operator_room;

static void make_room(operator_room *r) {
    memset(r, 0, sizeof *r);
    fr_body_def def = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&def, &r->skeleton, NULL), FR_OK);
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = r->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&figure, &r->figure, NULL), FR_OK);
    fr_performer_def performer = fr_default_performer_def();
    performer.skeleton = r->skeleton;
    performer.figure = r->figure;
    assert_int_equal(fr_performer_create(&performer, &r->performer, NULL), FR_OK);
    r->rest = (fr_posture){.turns = r->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(r->skeleton, &r->rest, NULL), FR_OK);
}

static void destroy_room(operator_room *r) {
    fr_space_destroy(r->space);
    fr_performer_destroy(r->performer);
    fr_figure_release(r->figure);
    fr_skeleton_release(r->skeleton);
}

// A new panel before the body, somewhere and leaning somehow; the body stands at rest again.
static void put_panel(operator_room *r, fr_random *random) {
    fr_space_destroy(r->space);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &r->space, NULL), FR_OK);
    double tilt = fr_random_between(random, 0.1, 1.2), yaw = fr_random_between(random, -0.2, 0.2);
    fr_quat turn = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(0, FR_PI + yaw, 0)),
                                    fr_quat_from_vector(fr_vec3_make(-tilt, 0, 0)));
    (void)fr_quat_normalize(&turn, NULL);
    fr_vec3 at = {fr_random_between(random, -0.1, 0.1), fr_random_between(random, 0.95, 1.2),
                  fr_random_between(random, 0.45, 0.55)};
    r->frame = fr_pose_make(at, turn);
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.8, 0.4, 0.02), &like, &mesh, NULL), FR_OK);
    fr_vec3 inside = fr_pose_apply(&r->frame, fr_vec3_make(0, 0, -0.01));
    put_mesh(r->space, mesh, inside, turn, &r->panel);
    assert_int_equal(fr_performer_put(r->performer, &r->rest, NULL), FR_OK);
}

// A small box on the panel: a button's cap or a lever's handle. Its surface is at the target.
static void put_part(operator_room *r, fr_vec3 size, const fr_pose *target, double depth) {
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_box(size, &like, &mesh, NULL), FR_OK);
    put_mesh(r->space, mesh, fr_pose_apply(target, fr_vec3_make(0, 0, depth)), target->rotation, &r->part);
}

// A place on the panel, so high over it, as the frame of a target.
static fr_pose random_target(const operator_room *r, fr_random *random, double height) {
    fr_vec3 at = {fr_random_between(random, -0.35, 0.35), fr_random_between(random, -0.16, 0.16), height};
    return fr_pose_make(fr_pose_apply(&r->frame, at), r->frame.rotation);
}

static bool is_panel(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)b;
    return fr_object_id_equal(a, *(const fr_object_id *)context);
}

typedef struct tally {
    uint32_t events; // of the name that is looked for
    uint32_t tried, refused;
    double miss;  // of the tip at the event
    double depth; // in the panel
    double jump;  // of a joint's velocity
    double excess;
} tally;

static fr_vec3 tip_of(const operator_room *r, bool is_left) {
    uint32_t link = is_left ? FR_LINK_LEFT_INDEX_3 : FR_LINK_RIGHT_INDEX_3;
    return fr_pose_apply(&r->poses[link], fr_skeleton_get(r->skeleton)->tips[link]);
}

// The angle between where a link looks, as it does upright, and the direction from the eyes to a point.
static double off_face(const operator_room *r, fr_link link, fr_vec3 point) {
    fr_quat upright = fr_skeleton_get(r->skeleton)->uprights[link];
    fr_quat away = fr_quat_multiply(r->poses[link].rotation, fr_quat_conjugate(upright));
    fr_vec3 forward = fr_mat3_apply(fr_quat_to_mat3(away), fr_vec3_make(0, 0, 1));
    fr_vec3 eyes = fr_vec3_add(r->poses[FR_LINK_HEAD].position, fr_vec3_make(0, 0.09, 0));
    fr_vec3 to = fr_vec3_sub(point, eyes);
    return acos(fmin(1.0, fr_vec3_dot(forward, to) / fr_vec3_length(to)));
}

typedef void frame_fn(operator_room *r, const fr_performer_output *output, tally *t, const void *context);

// Performs a task to its end; each frame, and the middle between two, is looked at.
static bool perform(operator_room *r, const fr_task *task, frame_fn *look, const void *context, tally *t) {
    assert_int_equal(fr_space_update(r->space, NULL, NULL), FR_OK);
    fr_performer_input input = {.space = r->space};
    fr_error error;
    t->tried++;
    if (fr_performer_begin(r->performer, task, 1, &input, &error) != FR_OK) {
        t->refused++;
        if (getenv("FUREAI_SHOW") != NULL) { print_message("refused: %s\n", error.message); }
        return false;
    }
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_panel;
    filter.context = &r->panel;
    fr_quat last[FR_LINK_COUNT], middle[FR_LINK_COUNT];
    fr_vec3 velocity[FR_LINK_COUNT] = {{0}};
    memcpy(last, fr_performer_get(r->performer).posture.turns, sizeof last);
    for (int frame = 1; frame < 2000; frame++) {
        fr_performer_output output;
        assert_int_equal(fr_performer_step(r->performer, &input, &output, NULL), FR_OK);
        fr_posture before = output.posture, between = output.posture;
        before.turns = last;
        between.turns = middle;
        assert_int_equal(fr_posture_slerp(&before, &output.posture, 0.5, &between, NULL), FR_OK);
        for (int half = 0; half < 2; half++) {
            fr_posture *posture = half == 0 ? &between : &output.posture;
            assert_int_equal(fr_posture_poses(r->skeleton, posture, 1, r->poses, NULL), FR_OK);
            for (int side = 0; side < 2; side++) {
                t->depth = fmax(t->depth, depth_of_arm(r->space, r->figure, r->poses, side == 1, &filter));
            }
        }
        for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
            fr_quat turn = fr_quat_multiply(fr_quat_conjugate(last[i]), output.posture.turns[i]);
            fr_vec3 now = fr_vec3_scale(60.0, fr_quat_to_vector(turn));
            t->jump = fmax(t->jump, fr_vec3_distance(now, velocity[i]));
            velocity[i] = now;
            t->excess = fmax(t->excess, fr_skeleton_excess(r->skeleton, i, output.posture.turns[i]));
        }
        memcpy(last, output.posture.turns, sizeof last);
        look(r, &output, t, context);
        if (output.end_count == 0) { continue; }
        if (output.ends[0].reason != FR_TASK_DONE) { print_message("failed: %s\n", output.ends[0].message); }
        assert_int_equal(output.ends[0].reason, FR_TASK_DONE);
        return true;
    }
    fail_msg("the task does not end");
    return false;
}

static uint32_t count_events(const fr_performer_output *output, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < output->event_count; i++) {
        count += strcmp(output->events[i].name, name) == 0;
    }
    return count;
}

static fr_task task_of(const char *name, uint32_t given) {
    fr_task task = {.id = 1, .skill = fr_skill_find(name)};
    assert_non_null(task.skill);
    task.fields.given = given;
    return task;
}

static void report(const char *name, const tally *t) {
    print_message("%s: %u tried, %u refused, %u events; tip %.2e m off, depth %.2e m, jump %.2f rad/s, excess %.1e\n",
                  name, t->tried, t->refused, t->events, t->miss, t->depth, t->jump, t->excess);
    assert_true(t->miss <= 0.003);
    assert_true(t->depth <= 0.002);
    assert_true(t->jump <= 4.0);
    assert_true(t->excess <= 1e-5);
    assert_int_equal(t->refused, 0); // every place and tilt is within reach
}

// ---------------------------------------------------------------------------------------------------------------
// Buttons and the touch panel

typedef struct press_context {
    const char *event;
    fr_pose target;
    fr_vec3 goal;            // of the tip at the event
    fr_object_state *button; // the object's own skill beside the person's
    uint32_t *presses;
    double *value;
} press_context;

static void look_at_press(operator_room *r, const fr_performer_output *output, tally *t, const void *context) {
    const press_context *c = context;
    uint32_t events = count_events(output, c->event);
    fr_vec3 tips[2] = {tip_of(r, false), tip_of(r, true)};
    double distance = fmin(fr_vec3_distance(tips[0], c->goal), fr_vec3_distance(tips[1], c->goal));
    if (events > 0) {
        t->miss = fmax(t->miss, distance);
        // The head has turned by most of the angle to what the finger is at.
        assert_true(off_face(r, FR_LINK_HEAD, c->goal) < 0.6 * off_face(r, FR_LINK_HIP, c->goal));
    }
    t->events += events;
    if (c->button == NULL) { return; }
    fr_object_input input = fr_default_object_input();
    input.joint = c->target;
    input.high = 0.006;
    input.value = *c->value;
    for (int side = 0; side < 2; side++) {
        input.hands[side].is_there = true;
        input.hands[side].tip = tips[side];
    }
    fr_object_output out;
    assert_int_equal(fr_object_skill_find("button")->step(&input, c->button, &out, NULL), FR_OK);
    *c->value = out.intent.value;
    *c->presses += out.event_count;
}

static void test_buttons(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(23);
    tally t = {0};
    uint64_t count = test_count(8, 400);
    uint32_t pressed = 0;
    for (uint64_t i = 0; i < count; i++) {
        put_panel(&r, &random);
        fr_pose target = random_target(&r, &random, 0.01);
        put_part(&r, fr_vec3_make(0.02, 0.02, 0.01), &target, -0.005);
        fr_task task = task_of("press", FR_FIELD_TARGET | FR_FIELD_OBJECT);
        task.fields.target = target;
        task.fields.object = r.part;
        uint32_t before = t.events, presses = 0;
        fr_object_state button = {0};
        double value = 0.0;
        press_context context = {"press", target,   fr_pose_apply(&target, fr_vec3_make(0, 0, -0.008)),
                                 &button, &presses, &value};
        if (!perform(&r, &task, look_at_press, &context, &t)) { continue; }
        assert_int_equal(t.events - before, 1);
        assert_int_equal(presses, 1);
        assert_true(value == 0.0);
        pressed++;
    }
    assert_int_equal(pressed + t.refused, count);
    report("press", &t);
    destroy_room(&r);
}

static void test_touch_panel(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(24);
    tally t = {0};
    uint64_t count = test_count(4, 100);
    for (uint64_t i = 0; i < count; i++) {
        put_panel(&r, &random);
        fr_pose goal = random_target(&r, &random, 0.0);
        fr_task task = task_of("touch_panel", FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_GOAL);
        task.fields.target = r.frame;
        task.fields.object = r.panel;
        task.fields.goal = goal;
        uint32_t before = t.events;
        press_context context = {.event = "touch", .target = r.frame, .goal = goal.position};
        if (perform(&r, &task, look_at_press, &context, &t)) { assert_int_equal(t.events - before, 1); }
    }
    report("touch_panel", &t);
    assert_true(t.miss <= 0.002);
    destroy_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// The keyboard

typedef struct key_context {
    const fr_pose *keys;
    uint32_t *presses; // of each key
} key_context;

static void look_at_keys(operator_room *r, const fr_performer_output *output, tally *t, const void *context) {
    const key_context *c = context;
    for (uint32_t i = 0; i < output->event_count; i++) {
        if (strcmp(output->events[i].name, "press") != 0) { continue; }
        uint32_t key = (uint32_t)output->events[i].numbers[0];
        fr_vec3 bottom = fr_pose_apply(&c->keys[key], fr_vec3_make(0, 0, -0.003));
        t->miss = fmax(t->miss, fr_vec3_distance(tip_of(r, output->events[i].numbers[1] == 1.0), bottom));
        t->events++;
        c->presses[key]++;
    }
}

static void test_keyboard(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(25);
    tally t = {0};
    uint64_t count = test_count(2, 40);
    for (uint64_t i = 0; i < count; i++) {
        put_panel(&r, &random);
        enum { KEYS = 12 };
        fr_pose keys[KEYS];
        uint32_t presses[KEYS] = {0};
        for (int k = 0; k < KEYS; k++) {
            fr_vec3 at = {0.019 * (double)fr_random_below(&random, 14) - 0.13,
                          0.019 * (double)fr_random_below(&random, 4), 0.01};
            keys[k] = fr_pose_make(fr_pose_apply(&r.frame, at), r.frame.rotation);
        }
        fr_task task = task_of("type", FR_FIELD_POSES);
        task.fields.poses = keys;
        task.fields.pose_count = KEYS;
        key_context context = {keys, presses};
        uint64_t first = fr_performer_get(r.performer).frame;
        if (!perform(&r, &task, look_at_keys, &context, &t)) { continue; }
        double seconds = (double)(fr_performer_get(r.performer).frame - first) / 60.0;
        assert_true(seconds < 2.5 + KEYS / 6.0);
        for (int k = 0; k < KEYS; k++) {
            assert_int_equal(presses[k], 1);
        }
    }
    report("type", &t);
    destroy_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Levers

typedef struct lever_context {
    fr_pose joint;
    fr_vec3 knob;
    fr_joint_kind kind;
    double *value;
    fr_object_state *lever;
    double goal;
} lever_context;

static void look_at_lever(operator_room *r, const fr_performer_output *output, tally *t, const void *context) {
    const lever_context *c = context;
    for (uint32_t i = 0; i < output->event_count; i++) {
        if (strcmp(output->events[i].name, "moved") != 0) { continue; }
        assert_true(output->events[i].numbers[0] == c->goal);
        t->events++;
    }
    (void)r;
}

// A panel with a lever on it, and the task to move it to the end of its slider or hinge.
static fr_task put_lever(operator_room *r, fr_random *random, bool is_slider, lever_context *context) {
    put_panel(r, random);
    fr_pose target = random_target(r, random, 0.08);
    put_part(r, fr_vec3_make(0.1, 0.02, 0.02), &target, 0.0);
    fr_joint joint = {.kind = is_slider ? FR_JOINT_SLIDER : FR_JOINT_HINGE, .child = r->part};
    fr_quat turn = is_slider ? fr_quat_from_vector(fr_vec3_make(0.5 * FR_PI, 0, 0))
                             : fr_quat_from_vector(fr_vec3_make(0, 0.5 * FR_PI, 0));
    fr_pose local = fr_pose_make(fr_vec3_make(0, 0, is_slider ? 0.0 : -0.12), turn);
    joint.frame_parent = fr_pose_compose(&target, &local);
    joint.frame_child = fr_pose_identity();
    joint.low = -0.05;
    joint.high = is_slider ? 0.05 : 0.4;
    fr_joint_id id;
    assert_int_equal(fr_joint_add(r->space, &joint, &id, NULL), FR_OK);
    fr_task task = task_of("slide", FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_VALUE);
    task.fields.target = target;
    task.fields.object = r->part;
    task.fields.value = joint.high;
    *context = (lever_context){.joint = joint.frame_parent, .goal = joint.high};
    return task;
}

static void test_levers(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(26);
    tally t = {0};
    uint64_t count = test_count(4, 100);
    for (uint64_t i = 0; i < count; i++) {
        lever_context context;
        fr_task task = put_lever(&r, &random, i % 2 == 0, &context);
        uint32_t before = t.events;
        if (perform(&r, &task, look_at_lever, &context, &t)) { assert_int_equal(t.events - before, 1); }
    }
    report("slide", &t);
    destroy_room(&r);
}

// A lever whose end is so near the panel that a hand which comes to it, and is clear there, would open into the panel.
static void test_a_hand_opens_clear_of_the_panel(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(26);
    tally t = {0};
    lever_context context;
    for (int i = 0; i < 43; i++) {
        (void)put_lever(&r, &random, i % 2 == 0, &context);
    }
    fr_task task = put_lever(&r, &random, false, &context);
    assert_true(perform(&r, &task, look_at_lever, &context, &t));
    assert_int_equal(t.events, 1);
    report("slide to the panel", &t); // 2.3 mm deep where the hand's leaving is not looked at
    destroy_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Meters, pointing

static void look_at_meter(operator_room *r, const fr_performer_output *output, tally *t, const void *context) {
    const press_context *c = context;
    uint32_t events = count_events(output, c->event);
    t->events += events;
    if (events == 0) { return; }

    assert_true(off_face(r, FR_LINK_HEAD, c->target.position) < fr_radians(8.0));
}

static void look(const char *name, const char *event, uint64_t count, bool is_far) {
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(27);
    tally t = {0};
    for (uint64_t i = 0; i < count; i++) {
        put_panel(&r, &random);
        fr_task task = task_of(name, FR_FIELD_TARGET);
        task.fields.target = random_target(&r, &random, 0.0);
        if (is_far) {
            task.fields.target.position = fr_vec3_add(task.fields.target.position, fr_vec3_make(0.0, 0.8, 2.0));
        }
        uint32_t before = t.events;
        press_context context = {.event = event, .target = task.fields.target};
        if (perform(&r, &task, look_at_meter, &context, &t)) { assert_int_equal(t.events - before, 1); }
    }
    report(name, &t);
    destroy_room(&r);
}

static void test_meters(void **state) {
    (void)state;
    look("check", "seen", test_count(3, 100), false);
    look("read", "read", test_count(1, 20), false);
}

static void test_calls(void **state) {
    (void)state;
    look("call", "called", test_count(3, 100), true);
}

// ---------------------------------------------------------------------------------------------------------------
// Reaching, gripping, looking

static void look_at_nothing(operator_room *r, const fr_performer_output *output, tally *t, const void *context) {
    (void)r;
    t->events += count_events(output, context);
}

// The palm arrives at a goal beside the panel, closes on a rod that is there, and opens again.
static void test_reach_grasp_release(void **state) {
    (void)state;
    operator_room r;
    make_room(&r);
    fr_random random = fr_random_seed(28);
    put_panel(&r, &random);
    fr_quat turns[FR_LINK_COUNT];
    memcpy(turns, r.turns, sizeof turns);
    turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_vector(fr_vec3_make(0, 1.0, 0));
    fr_posture there = {.place = r.rest.place, .turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_poses(r.skeleton, &there, 1, r.poses, NULL), FR_OK);
    fr_pose palm = r.poses[FR_LINK_RIGHT_PALM];
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_cylinder(0.02, 0.15, 24, FR_AXIS_Z, &like, &mesh, NULL), FR_OK);
    put_mesh(r.space, mesh, fr_pose_apply(&palm, fr_vec3_make(-0.085, -0.05, 0)), palm.rotation, &r.part);

    tally t = {0};
    fr_task task = task_of("ik_reach", FR_FIELD_GOAL | FR_FIELD_SIDE);
    task.fields.goal = palm;
    task.fields.side = FR_SIDE_RIGHT;
    assert_true(perform(&r, &task, look_at_nothing, "reached", &t));
    assert_true(fr_vec3_distance(r.poses[FR_LINK_RIGHT_PALM].position, palm.position) < 1e-9);
    task = task_of("grasp", FR_FIELD_OBJECT | FR_FIELD_SIDE);
    task.fields.object = r.part;
    task.fields.side = FR_SIDE_RIGHT;
    assert_true(perform(&r, &task, look_at_nothing, "grasp", &t));
    assert_true(depth_of_arm(r.space, r.figure, r.poses, false, NULL) <= 0.001);
    fr_vec3 middle = fr_object_get(r.space, r.part)->pose.position;
    assert_true(fr_vec3_distance(tip_of(&r, false), middle) < 0.05);
    task = task_of("release", FR_FIELD_SIDE);
    task.fields.side = FR_SIDE_RIGHT;
    assert_true(perform(&r, &task, look_at_nothing, "release", &t));
    assert_true(fr_vec3_distance(tip_of(&r, false), middle) > 0.08);
    assert_int_equal(t.events, 3);

    // Nothing is in the left hand; a palm 3 m away is out of reach, and the step that would help is named.
    fr_performer_input input = {.space = r.space};
    fr_error error;
    task = task_of("ik_reach", FR_FIELD_GOAL);
    task.fields.goal = palm;
    task.fields.goal.position.z += 3.0;
    assert_int_equal(fr_performer_begin(r.performer, &task, 1, &input, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "a step of"));
    task = task_of("grasp", FR_FIELD_OBJECT | FR_FIELD_SIDE);
    task.fields.object = r.part;
    task.fields.side = FR_SIDE_LEFT;
    assert_int_equal(fr_performer_begin(r.performer, &task, 1, &input, &error), FR_OK);
    fr_performer_output output = {0};
    for (int i = 0; i < 100 && output.end_count == 0; i++) {
        assert_int_equal(fr_performer_step(r.performer, &input, &output, NULL), FR_OK);
    }
    assert_true(output.end_count == 1 && output.ends[0].reason == FR_TASK_FAILED);
    assert_non_null(strstr(output.ends[0].message, "nothing in the hand"));
    print_message("excess where one skill takes over from another: %.1e rad\n", t.excess);
    assert_true(t.excess < 0.01);
    t.excess = 0.0;
    report("reach, grasp, release", &t);
    destroy_room(&r);
}

// Every skill of arms, hands and eyes while the body walks: no jump, no memory for a step.
static void test_skills_while_walking(void **state) {
    (void)state;
    static const char *const names[] = {"look_at", "check", "point", "press", "ik_reach", "grasp", "release", "call"};
    operator_room r;
    make_room(&r);
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = r.skeleton;
    fr_walk_set *set = NULL;
    assert_int_equal(fr_walk_set_create(&def, &set, NULL), FR_OK);
    fr_performer_def performer = fr_default_performer_def();
    performer.skeleton = r.skeleton;
    performer.walk_set = set;
    fr_performer *p = NULL;
    assert_int_equal(fr_performer_create(&performer, &p, NULL), FR_OK);
    double worst = 0.0;
    uint32_t begun = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fr_task tasks[2] = {task_of("walk", FR_FIELD_GOAL), task_of(names[i], fr_skill_find(names[i])->needs)};
        fr_vec3 place = fr_performer_get(p).posture.place;
        tasks[1].id = 2;
        tasks[0].fields.goal = fr_pose_make(fr_vec3_make(place.x, 0, place.z + 3.0), fr_quat_identity());
        tasks[1].fields.target = fr_pose_make(fr_vec3_make(place.x - 0.2, 1.2, place.z + 0.5),
                                              fr_quat_from_vector(fr_vec3_make(0, FR_PI, 0)));
        bool is_pointing = i == 2 || i == 7; // at something far ahead
        if (is_pointing) { tasks[1].fields.target.position.z += 4.0; }
        fr_posture now = fr_performer_get(p).posture;
        assert_int_equal(fr_posture_poses(r.skeleton, &now, 1, r.poses, NULL), FR_OK);
        tasks[1].fields.goal = r.poses[FR_LINK_RIGHT_PALM];
        tasks[1].fields.goal.position.z += 0.1;
        begun += fr_performer_begin(p, tasks, 2, NULL, NULL) == FR_OK;
        fr_quat last[FR_LINK_COUNT];
        fr_vec3 velocity[FR_LINK_COUNT] = {{0}};
        for (int k = 0; k < 240; k++) {
            fr_performer_output output;
            assert_int_equal(fr_performer_step(p, NULL, &output, NULL), FR_OK);
            for (uint32_t link = FR_LINK_CHEST; link <= FR_LINK_LEFT_PALM; link++) {
                fr_quat turn = fr_quat_multiply(fr_quat_conjugate(last[link]), output.posture.turns[link]);
                fr_vec3 speed = fr_vec3_scale(60.0, fr_quat_to_vector(turn));
                if (k > 1) { worst = fmax(worst, fr_vec3_distance(speed, velocity[link])); }
                if (k > 0) { velocity[link] = speed; }
                last[link] = output.posture.turns[link];
            }
        }
    }
    print_message("%u of 8 begun while walking, jump %.2f rad/s\n", begun, worst);
    assert_int_equal(begun, 8);
    assert_true(worst <= 4.0);
    fr_performer_destroy(p);
    fr_walk_set_release(set);
    destroy_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buttons),
        cmocka_unit_test(test_touch_panel),
        cmocka_unit_test(test_keyboard),
        cmocka_unit_test(test_levers),
        cmocka_unit_test(test_a_hand_opens_clear_of_the_panel),
        cmocka_unit_test(test_meters),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_reach_grasp_release),
        cmocka_unit_test(test_skills_while_walking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
