// Performer: tasks begin, fuse, replace one another and end; what does not fit is refused and changes nothing.
#include "fureai/human_skill.h"

#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "stage.h"

static stage on;

static fr_task walk_to(uint64_t id, double x, double z) {
    fr_task task = stage_task(id, "walk");
    task.fields.given = FR_FIELD_GOAL;
    task.fields.goal = fr_pose_make(fr_vec3_make(x, 0.0, z), fr_quat_identity());
    return task;
}

// A posture to go to: an elbow bent, and weights for that arm alone.
typedef struct bent_arm {
    fr_quat turns[STAGE_LINKS];
    fr_posture posture;
    double weights[STAGE_LINKS + 1];
} bent_arm;

static fr_task bend(uint64_t id, double angle, bent_arm *arm) {
    memset(arm, 0, sizeof *arm);
    arm->posture = (fr_posture){.turns = arm->turns, .count = STAGE_LINKS};
    assert_int_equal(fr_posture_rest(on.skeleton, &arm->posture, NULL), FR_OK);
    arm->turns[FR_LINK_LEFT_FOREARM] = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), angle);
    arm->weights[FR_LINK_LEFT_UPPER_ARM] = arm->weights[FR_LINK_LEFT_FOREARM] = 100.0;
    fr_task task = stage_task(id, "slerp");
    task.fields.given = FR_FIELD_POSTURE | FR_FIELD_WEIGHTS;
    task.fields.posture = &arm->posture;
    task.fields.weights = arm->weights;
    return task;
}

static void refuse(const fr_task *tasks, uint32_t count, fr_status status, const char *words) {
    fr_error error = {0};
    uint64_t hash = fr_performer_hash(on.performer);
    uint32_t task_count = fr_performer_get(on.performer).task_count;
    assert_int_equal(fr_performer_begin(on.performer, tasks, count, NULL, &error), status);
    if (strstr(error.message, words) == NULL) { fail_msg("\"%s\" does not say \"%s\"", error.message, words); }
    assert_int_equal(fr_performer_add(on.performer, tasks, count, NULL, NULL), status);
    assert_int_equal(fr_performer_hash(on.performer), hash);
    assert_int_equal(fr_performer_get(on.performer).task_count, task_count);
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void is_not_made_from_what_does_not_fit(void **state) {
    (void)state;
    fr_performer *performer = NULL;
    fr_error error = {0};
    fr_performer_def def = fr_default_performer_def();
    assert_int_equal(fr_performer_create(&def, &performer, &error), FR_ERROR_ARGUMENT);
    def.skeleton = on.skeleton;
    def.rate = 0.0;
    assert_int_equal(fr_performer_create(&def, &performer, &error), FR_ERROR_ARGUMENT);
    def.rate = 30.0;
    def.walk_set = on.set;
    assert_int_equal(fr_performer_create(&def, &performer, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "60"));
    fr_skeleton *other = default_body();
    def.rate = 60.0;
    def.skeleton = other;
    assert_int_equal(fr_performer_create(&def, &performer, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another skeleton"));
    def = fr_default_performer_def();
    def.skeleton = other;
    def.cookie = 0;
    assert_int_equal(fr_performer_create(&def, &performer, &error), FR_ERROR_ARGUMENT);
    fr_skeleton_release(other);
    assert_null(performer);
}

static void refuses_fields_that_do_not_fit(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task walk = walk_to(1, 3.0, 3.0);
    stage_begin(&on, &walk, 1);
    stage_step(&on);

    fr_task tasks[FR_MAX_TASKS + 1] = {walk_to(1, 1.0, 1.0), walk_to(2, 1.0, 1.0)};
    refuse(tasks, 2, FR_ERROR_ARGUMENT, "same time");
    tasks[1] = tasks[0];
    refuse(tasks, 0, FR_ERROR_ARGUMENT, "no task");
    refuse(tasks, 2, FR_ERROR_ARGUMENT, "id");
    for (uint32_t i = 0; i <= FR_MAX_TASKS; i++) {
        tasks[i] = walk_to(100 + i, 1.0, 1.0);
    }
    refuse(tasks, FR_MAX_TASKS + 1, FR_ERROR_LIMIT, "limit");

    fr_task one = walk_to(7, NAN, 0.0);
    refuse(&one, 1, FR_ERROR_NOT_FINITE, "goal");
    one = walk_to(7, 1.0, 0.0);
    one.fields.given = 0;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "needs a goal");
    one = walk_to(7, 5.0, 0.0);
    one.fields.given |= FR_FIELD_FRAMES;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "0 frames");
    one.fields.frames = 2;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "takes about");
    one = walk_to(7, 5.0, 0.0);
    one.fields.given |= FR_FIELD_SPEED;
    one.fields.speed = 40.0;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "m/s");
    one.fields.speed = -1.0;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "not over 0");
    one = walk_to(7, 1e8, 0.0);
    refuse(&one, 1, FR_ERROR_LIMIT, "walk");
    one = walk_to(7, 1.0, 1.0);
    one.fields.given |= FR_FIELD_HEADING;
    one.fields.heading = INFINITY;
    refuse(&one, 1, FR_ERROR_NOT_FINITE, "heading");

    uint64_t hash = fr_performer_hash(on.performer);
    fr_task_target bad = {.task = 1};
    fr_performer_input world = {.targets = &bad, .target_count = 1};
    assert_true(fr_performer_step(on.performer, &world, &on.output, NULL) != FR_OK);
    assert_int_equal(fr_performer_hash(on.performer), hash);
}

static void refuses_postures_clips_and_sides_that_do_not_fit(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    bent_arm arm;
    fr_task one = bend(7, 1.0, &arm);
    memset(arm.weights, 0, sizeof arm.weights);
    refuse(&one, 1, FR_ERROR_ARGUMENT, "weights");
    arm.weights[3] = NAN;
    refuse(&one, 1, FR_ERROR_NOT_FINITE, "weight 3");
    one = bend(7, 1.0, &arm);
    arm.turns[5].w = NAN;
    refuse(&one, 1, FR_ERROR_NOT_FINITE, "");
    one = bend(7, 1.0, &arm);
    arm.posture.count = 3;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "");
    one.fields.posture = NULL;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "posture");
    one = stage_task(7, "mocap_play");
    refuse(&one, 1, FR_ERROR_ARGUMENT, "clip");
    one.fields.given = FR_FIELD_CLIP;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "clip");
    one = stage_task(7, "hold_arm");
    one.fields.given = FR_FIELD_SIDE;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "side");
    one.fields.side = (fr_skill_side)9;
    refuse(&one, 1, FR_ERROR_ARGUMENT, "side");
    one = (fr_task){.id = 7};
    refuse(&one, 1, FR_ERROR_ARGUMENT, "no skill");
}

// Every skill that moves arms, legs or the head says what a body without them lacks, and changes nothing.
static void refuse_all(fr_performer *performer) {
    fr_pose near = fr_pose_make(fr_vec3_make(0.1, 1.0, 0.4), fr_quat_identity());
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        fr_task task = {.id = 5, .skill = fr_skill_at(i)};
        uint32_t unfit = FR_FIELD_CLIP | FR_FIELD_POSTURE; // of another body
        if ((task.skill->needs & unfit) != 0) { continue; }
        task.fields.given = task.skill->needs | (task.skill->takes & FR_FIELD_SIDE);
        task.fields.target = task.fields.goal = near;
        task.fields.side = FR_SIDE_RIGHT;
        task.fields.value = 0.1;
        task.fields.poses = &near;
        task.fields.pose_count = 1;
        strcpy(task.fields.word, "nod");
        fr_error error = {0};
        uint64_t hash = fr_performer_hash(performer);
        fr_status status = fr_performer_begin(performer, &task, 1, NULL, &error);
        if (status == FR_OK || strlen(error.message) < 12) { fail_msg("%s: \"%s\"", task.skill->name, error.message); }
        assert_int_equal(fr_performer_hash(performer), hash);
    }
}

static void refuses_a_body_that_lacks_the_limbs(void **state) {
    (void)state;
    uint32_t parents[2] = {FR_NO_LINK, 0};
    const char *names[2] = {"a", "b"};
    const fr_vec3 offsets[2] = {{0.0, 1.0, 0.0}, {0.0, 0.5, 0.0}};
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = 2;
    def.parents = parents;
    def.names = names;
    def.offsets = offsets;
    fr_skeleton *worm = NULL;
    assert_int_equal(fr_skeleton_create(&def, &worm, NULL), FR_OK);
    fr_performer *performer = stage_performer(worm, NULL, 0);
    uint64_t hash = fr_performer_hash(performer);
    fr_error error = {0};
    fr_task walk = walk_to(1, 1.0, 1.0);
    assert_int_equal(fr_performer_begin(performer, &walk, 1, NULL, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot walk"));
    fr_task hold = stage_task(1, "hold_arm");
    hold.fields.given = FR_FIELD_SIDE;
    hold.fields.side = FR_SIDE_LEFT;
    assert_int_equal(fr_performer_begin(performer, &hold, 1, NULL, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "arm"));
    assert_int_equal(fr_performer_hash(performer), hash);
    refuse_all(performer);
    fr_performer_destroy(performer);
    fr_skeleton_release(worm);
}

static void walks_and_turns_to_the_goal(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(1.0, 0.0, 2.0), 0.4);
    fr_task walk = walk_to(1, -2.0, 3.0);
    walk.fields.given |= FR_FIELD_HEADING;
    walk.fields.heading = 2.0;
    stage_begin(&on, &walk, 1);
    stage_finish(&on, 2000);
    assert_int_equal(on.output.end_count, 1);
    assert_int_equal(on.output.ends[0].task, 1);
    assert_int_equal(on.output.ends[0].reason, FR_TASK_DONE);
    for (int i = 0; i < 60; i++) {
        stage_step(&on);
    }
    assert_near(on.output.posture.place.x, -2.0, 0.06);
    assert_near(on.output.posture.place.z, 3.0, 0.06);
    assert_near(stage_heading(&on), 2.0, 0.02);

    fr_task turn = stage_task(2, "turn");
    turn.fields.given = FR_FIELD_HEADING;
    turn.fields.heading = -2.5;
    stage_begin(&on, &turn, 1);
    uint32_t frames = stage_finish(&on, 2000);
    assert_true(frames > 20);
    assert_near(stage_heading(&on), -2.5, 0.02);
    stage_check_jumps(&on);
}

// A walk that is stopped before its first step comes to stand: the body does not freeze in the middle of a step.
static void stops_a_walk_that_has_just_begun(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task first = walk_to(1, 0.0, 4.0), second = walk_to(2, 0.5, 6.0);
    stage_begin(&on, &first, 1);
    for (int i = 0; i < 100; i++) {
        stage_step(&on);
    }
    stage_begin(&on, &second, 1);
    assert_true(fr_performer_stop(on.performer, 2));
    for (int i = 0; i < 300; i++) {
        stage_step(&on);
    }
    assert_int_equal(on.output.posture.contact_left, 3);
    assert_int_equal(on.output.posture.contact_right, 3);
    stage_check_jumps(&on);
}

static void takes_the_frames_and_the_speed_that_are_given(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task walk = walk_to(1, 0.0, 4.0);
    stage_begin(&on, &walk, 1);
    uint32_t natural = stage_finish(&on, 2000);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    walk.fields.given |= FR_FIELD_FRAMES;
    walk.fields.frames = natural + 57;
    stage_begin(&on, &walk, 1);
    assert_int_equal(stage_finish(&on, 2000), natural + 57);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    walk.fields.given ^= FR_FIELD_FRAMES | FR_FIELD_SPEED;
    walk.fields.speed = 0.5 * fr_walk_set_get(on.set)->speed;
    stage_begin(&on, &walk, 1);
    uint32_t slow = stage_finish(&on, 2000);
    assert_near(slow, 2.0 * natural, 1.0);
    walk.fields.given = FR_FIELD_GOAL | FR_FIELD_POSES;
    fr_pose via = fr_pose_make(fr_vec3_make(3.0, 0.0, 2.0), fr_quat_identity());
    walk.fields.poses = &via;
    walk.fields.pose_count = 1;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    stage_begin(&on, &walk, 1);
    via.position.x = NAN; // the performer has its own copy
    double farthest = 0.0;
    while (fr_performer_get(on.performer).task_count > 0) {
        stage_step(&on);
        farthest = on.output.posture.place.x > farthest ? on.output.posture.place.x : farthest;
    }
    assert_near(farthest, 3.0, 0.3);
}

static void slerps_to_a_posture_in_its_frames(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    bent_arm arm;
    fr_task task = bend(1, 1.5, &arm);
    task.fields.given |= FR_FIELD_FRAMES;
    task.fields.frames = 45;
    fr_quat other = fr_performer_get(on.performer).posture.turns[FR_LINK_RIGHT_FOREARM];
    stage_begin(&on, &task, 1);
    assert_int_equal(stage_finish(&on, 100), 45);
    assert_near(angle_between(on.output.posture.turns[FR_LINK_LEFT_FOREARM], arm.turns[FR_LINK_LEFT_FOREARM]), 0.0,
                1e-9);
    assert_memory_equal(&on.output.posture.turns[FR_LINK_RIGHT_FOREARM], &other, sizeof other);
    for (int i = 0; i < 60; i++) {
        stage_step(&on);
    }
    assert_near(angle_between(on.output.posture.turns[FR_LINK_LEFT_FOREARM], arm.turns[FR_LINK_LEFT_FOREARM]), 0.0,
                1e-3);
    assert_true(on.jump < 2.0);
}

// A task that starts later begins at the frame after its start, and an arm that is held stays while the body walks.
static void fuses_and_starts_later(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    bent_arm arm;
    fr_task tasks[3] = {walk_to(1, 0.0, 5.0), bend(2, 1.6, &arm), stage_task(3, "hold_arm")};
    tasks[1].start = 30;
    tasks[1].fields.given |= FR_FIELD_FRAMES;
    tasks[1].fields.frames = 40;
    tasks[2].start = 70;
    tasks[2].fields.given = FR_FIELD_SIDE;
    tasks[2].fields.side = FR_SIDE_LEFT;
    stage_begin(&on, tasks, 3);
    memset(&arm.weights, 0xff, sizeof arm.weights); // the performer has its own copies
    fr_quat held = arm.turns[FR_LINK_LEFT_FOREARM];
    memset(&arm.turns, 0xff, sizeof arm.turns);
    for (int k = 1; k <= 200; k++) {
        stage_step(&on);
        if (k == 70) {
            assert_int_equal(on.output.end_count, 1);
            assert_int_equal(on.output.ends[0].task, 2);
        }
        if (k >= 70) { assert_near(angle_between(on.output.posture.turns[FR_LINK_LEFT_FOREARM], held), 0.0, 0.02); }
    }
    while (fr_performer_get(on.performer).task_count > 1) {
        stage_step(&on);
    }
    assert_near(angle_between(on.output.posture.turns[FR_LINK_LEFT_FOREARM], held), 0.0, 0.005);
    stage_check_jumps(&on);
}

static fr_clip *record(fr_vec3 place, double heading, uint32_t frames) {
    static fr_quat turns[400][STAGE_LINKS];
    static fr_vec3 places[400];
    stage_stand(&on, place, heading);
    fr_vec3 goal = fr_vec3_add(place, fr_vec3_make(2.0 * sin(heading), 0.0, 2.0 * cos(heading)));
    fr_task walk = walk_to(1, goal.x, goal.z);
    stage_begin(&on, &walk, 1);
    for (uint32_t k = 0; k < frames; k++) {
        fr_posture now = fr_performer_get(on.performer).posture;
        memcpy(turns[k], now.turns, sizeof turns[k]);
        places[k] = now.place;
        stage_step(&on);
    }
    fr_clip_def def = fr_default_clip_def();
    def.name = "walk";
    def.frame_count = frames;
    def.link_count = STAGE_LINKS;
    def.places = places;
    def.turns = turns[0];
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

// The clip begins where the body stands and faces; what it does relative to its first frame is the same.
static void plays_a_clip_from_where_the_body_is(void **state) {
    (void)state;
    fr_clip *clip = record(fr_vec3_make(5.0, 0.0, -2.0), 1.0, 130);
    fr_quat turns[STAGE_LINKS];
    fr_posture first = {.turns = turns, .count = STAGE_LINKS}, last = first;
    assert_int_equal(fr_clip_frame(clip, 0, &first, NULL), FR_OK);
    fr_vec3 began = first.place;
    assert_int_equal(fr_clip_frame(clip, 129, &last, NULL), FR_OK);
    double travel = hypot(last.place.x - began.x, last.place.z - began.z);
    assert_true(travel > 1.0);

    stage_stand(&on, fr_vec3_make(-1.0, 0.3, 0.5), -2.0);
    fr_vec3 from = fr_performer_get(on.performer).posture.place;
    fr_task play = stage_task(1, "mocap_play");
    play.fields.given = FR_FIELD_CLIP;
    play.fields.clip = clip;
    stage_begin(&on, &play, 1);
    assert_int_equal(stage_finish(&on, 200), 129);
    assert_near(on.output.posture.place.x, from.x + travel * sin(-2.0), 0.02);
    assert_near(on.output.posture.place.z, from.z + travel * cos(-2.0), 0.02);
    assert_near(on.output.posture.place.y, last.place.y + 0.3, 1e-5);
    stage_check_jumps(&on);

    play.fields.given |= FR_FIELD_GOAL | FR_FIELD_FRAMES;
    play.fields.goal = fr_pose_make(fr_vec3_make(4.0, 0.0, 4.0), fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), 0.5));
    play.fields.frames = 200;
    stage_begin(&on, &play, 1);
    assert_int_equal(stage_finish(&on, 300), 200);
    assert_near(on.output.posture.place.x, 4.0 + travel * sin(0.5), 0.02);
    assert_near(on.output.posture.place.z, 4.0 + travel * cos(0.5), 0.02);
    fr_clip_release(clip);
}

// A walk that is replaced goes on; one that is cut off by an arm's task ends in steps to a stand.
static void goes_on_walking_and_comes_to_stand(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task walk = walk_to(1, 0.0, 6.0);
    stage_begin(&on, &walk, 1);
    for (int i = 0; i < 120; i++) {
        stage_step(&on);
    }
    walk = walk_to(2, 0.5, 8.0);
    assert_int_equal(fr_performer_add(on.performer, &walk, 1, NULL, NULL), FR_OK);
    stage_step(&on);
    assert_int_equal(on.output.end_count, 1);
    assert_int_equal(on.output.ends[0].task, 1);
    assert_int_equal(on.output.ends[0].reason, FR_TASK_REPLACED);
    double slowest = 100.0;
    for (int i = 0; i < 100; i++) {
        stage_step(&on);
        double speed = fr_vec3_length(on.place_velocity);
        slowest = speed < slowest ? speed : slowest;
    }
    assert_true(slowest > 0.8);

    bent_arm arm;
    fr_task task = bend(3, 1.5, &arm);
    double z = on.output.posture.place.z;
    stage_begin(&on, &task, 1);
    for (int i = 0; i < 240; i++) {
        stage_step(&on);
    }
    assert_true(on.output.posture.place.z > z + 0.3);
    assert_true(fr_vec3_length(on.place_velocity) < 1e-6);
    double left = fmax(stage_point(&on, FR_POINT_LEFT_HEEL).y, stage_point(&on, FR_POINT_LEFT_TOE).y);
    double right = fmax(stage_point(&on, FR_POINT_RIGHT_HEEL).y, stage_point(&on, FR_POINT_RIGHT_TOE).y);
    assert_near(left, 0.0, 0.01);
    assert_near(right, 0.0, 0.01);
    stage_check_jumps(&on);

    walk = walk_to(4, 0.0, 0.0);
    stage_begin(&on, &walk, 1);
    for (int i = 0; i < 60; i++) {
        stage_step(&on);
    }
    assert_true(fr_performer_stop(on.performer, 4));
    assert_false(fr_performer_stop(on.performer, 4));
    for (int i = 0; i < 240; i++) {
        stage_step(&on);
    }
    assert_true(fr_vec3_length(on.place_velocity) < 1e-6);
    stage_check_jumps(&on);
}

// A skill of a test: fails in its third frame and emits an event in each.
static fr_status fragile_init(const fr_skill_input *input, const fr_skill_state *skill_state, uint32_t *frames,
                              fr_error *error) {
    (void)skill_state, (void)error;
    *frames = input->frames;
    return FR_OK;
}

static fr_status fragile_step(const fr_skill_input *input, const fr_skill_state *skill_state, fr_skill_output *output,
                              fr_error *error) {
    *(uint32_t *)skill_state->bytes += 1;
    if (input->frame == 3) { return fr_error_set(error, FR_ERROR_BUSY, "the rope broke at %u", input->frame); }
    strcpy(output->events[output->event_count++].name, "creak");
    output->weights[0] = 1.0;
    return FR_OK;
}

static void ends_a_task_that_fails_with_its_sentence(void **state) {
    (void)state;
    const fr_skill fragile = {.name = "fragile",
                              .words = "breaks",
                              .state_bytes = sizeof(uint32_t),
                              .init = fragile_init,
                              .step = fragile_step};
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task tasks[2] = {walk_to(1, 0.0, 2.0), {.id = 9, .skill = &fragile}};
    stage_begin(&on, tasks, 2);
    stage_step(&on);
    assert_int_equal(on.output.event_count, 1);
    assert_int_equal(on.output.events[0].task, 9);
    assert_string_equal(on.output.events[0].name, "creak");
    stage_step(&on);
    stage_step(&on);
    assert_int_equal(on.output.end_count, 1);
    assert_int_equal(on.output.ends[0].task, 9);
    assert_int_equal(on.output.ends[0].reason, FR_TASK_FAILED);
    assert_int_equal(on.output.ends[0].status, FR_ERROR_BUSY);
    assert_string_equal(on.output.ends[0].message, "the rope broke at 3");
    assert_int_equal(fr_performer_get(on.performer).task_count, 1);

    // One that cannot begin when its time has come ends with its sentence, too.
    fr_task late = walk_to(5, 40.0, 0.0);
    late.fields.given |= FR_FIELD_FRAMES;
    late.fields.frames = 3;
    late.start = 2;
    assert_int_equal(fr_performer_add(on.performer, &late, 1, NULL, NULL), FR_OK);
    stage_step(&on);
    stage_step(&on);
    assert_int_equal(on.output.end_count, 0);
    stage_step(&on);
    assert_int_equal(on.output.end_count, 1);
    assert_int_equal(on.output.ends[0].reason, FR_TASK_FAILED);
    assert_int_equal(fr_performer_get(on.performer).task_count, 1);
}

static void names_its_skills_and_fields(void **state) {
    (void)state;
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        const fr_skill *skill = fr_skill_at(i);
        assert_ptr_equal(fr_skill_find(skill->name), skill);
        assert_true(strlen(skill->words) > 10);
        assert_int_equal(skill->needs & skill->takes, 0);
        assert_true((skill->needs | skill->takes) < 1u << FR_FIELD_COUNT);
        if (i > 0) { assert_true(strcmp(fr_skill_at(i - 1)->name, skill->name) < 0); }
    }
    assert_null(fr_skill_find("fly"));
    for (uint32_t i = 0; i < FR_FIELD_COUNT; i++) {
        assert_non_null(fr_skill_field_name(1u << i));
    }
    assert_null(fr_skill_field_name(3));
    assert_null(fr_skill_field_name(1u << FR_FIELD_COUNT));
}

// The bytes of a walk by itself.
static uint64_t walk_bytes(fr_vec3 goal) {
    fr_probe *probe = fr_probe_create();
    fr_walk_def def = fr_default_walk_def();
    def.set = on.set;
    def.allocator = fr_probe_allocator(probe);
    fr_walk *walk = NULL;
    assert_int_equal(fr_walk_create(&def, &walk, NULL), FR_OK);
    assert_int_equal(fr_walk_go(walk, &(fr_walk_goal){.place = goal}, 1, 0, NULL), FR_OK);
    uint64_t bytes = fr_probe_get(probe).live_bytes;
    fr_walk_destroy(walk);
    fr_probe_destroy(probe);
    return bytes;
}

// A step takes no memory, and a performer that walks and bends an arm holds 16 kB beside its walk.
static void takes_no_memory_in_a_step(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = on.skeleton;
    def.walk_set = on.set;
    def.allocator = fr_probe_allocator(probe);
    fr_performer *performer = NULL;
    assert_int_equal(fr_performer_create(&def, &performer, NULL), FR_OK);
    bent_arm arm;
    fr_task tasks[2] = {walk_to(1, 0.0, 3.0), bend(2, 1.2, &arm)};
    assert_int_equal(fr_performer_begin(performer, tasks, 2, NULL, NULL), FR_OK);
    uint64_t bytes = fr_probe_get(probe).live_bytes, walk = walk_bytes(fr_vec3_make(0.0, 0.0, 3.0));
    print_message("a performer that walks and bends an arm: %llu bytes, and %llu of its walk\n",
                  (unsigned long long)(bytes - walk), (unsigned long long)walk);
    assert_true(bytes - walk <= 16384);
    uint64_t calls = fr_probe_get(probe).allocations;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(fr_performer_step(performer, NULL, &on.output, NULL), FR_OK);
    }
    assert_int_equal(fr_performer_get(performer).task_count, 0);
    assert_int_equal(fr_probe_get(probe).allocations, calls);
    fr_performer_destroy(performer);
    fr_probe_destroy(probe);
}

// A begin that fails changes nothing: done again it gives the same.
static fr_status make_and_perform(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = on.skeleton;
    def.walk_set = on.set;
    def.allocator = *allocator;
    fr_performer *performer = NULL;
    fr_status status = fr_performer_create(&def, &performer, NULL);
    if (status != FR_OK) { return status; }
    bent_arm arm;
    fr_task tasks[3] = {walk_to(1, 0.0, 2.0), bend(2, 1.0, &arm), walk_to(3, 1.0, 2.0)};
    fr_status first = fr_performer_begin(performer, tasks, 2, NULL, NULL);
    if (first != FR_OK) {
        test_lift_and_compare(allocator);
        assert_int_equal(fr_performer_begin(performer, tasks, 2, NULL, NULL), FR_OK);
    }
    static fr_performer_output output;
    for (int i = 0; i < 40; i++) {
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
    }
    status = fr_performer_add(performer, &tasks[2], 1, NULL, NULL);
    if (status != FR_OK) {
        test_lift_and_compare(allocator);
        assert_int_equal(fr_performer_add(performer, &tasks[2], 1, NULL, NULL), FR_OK);
    }
    for (int i = 0; i < 40; i++) {
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
    }
    test_note_number(fr_performer_hash(performer));
    fr_performer_destroy(performer);
    return first != FR_OK ? first : status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make_and_perform, NULL) >= 8);
}

static int open_stage(void **state) {
    (void)state;
    on = stage_open();
    return 0;
}

static int close_stage(void **state) {
    (void)state;
    stage_close(&on);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_not_made_from_what_does_not_fit),
        cmocka_unit_test(refuses_fields_that_do_not_fit),
        cmocka_unit_test(refuses_postures_clips_and_sides_that_do_not_fit),
        cmocka_unit_test(refuses_a_body_that_lacks_the_limbs),
        cmocka_unit_test(names_its_skills_and_fields),
        cmocka_unit_test(walks_and_turns_to_the_goal),
        cmocka_unit_test(stops_a_walk_that_has_just_begun),
        cmocka_unit_test(takes_the_frames_and_the_speed_that_are_given),
        cmocka_unit_test(slerps_to_a_posture_in_its_frames),
        cmocka_unit_test(fuses_and_starts_later),
        cmocka_unit_test(plays_a_clip_from_where_the_body_is),
        cmocka_unit_test(goes_on_walking_and_comes_to_stand),
        cmocka_unit_test(ends_a_task_that_fails_with_its_sentence),
        cmocka_unit_test(takes_no_memory_in_a_step),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
