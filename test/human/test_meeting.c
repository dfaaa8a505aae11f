// Two people who meet: the place of their hands, and the skills shake_hand, hand_over and receive as pure jobs, seen at
// over 1,000 moments a second.
#include "pair.h"

#include <stdio.h>

static void open_pair(pair *p, double a, double b) {
    memset(p, 0, sizeof *p);
    pair_open_body(&p->bodies[0], a);
    pair_open_body(&p->bodies[1], b);
    p->depth = -INFINITY;
}

static fr_meeting_input input_of(const pair *p, fr_meeting_kind kind) {
    fr_meeting_input input = fr_default_meeting_input();
    input.kind = kind;
    for (int i = 0; i < 2; i++) {
        input.skeletons[i] = p->bodies[i].skeleton;
        input.places[i] = p->bodies[i].poses[0].position;
    }
    return input;
}

// Both stand before one another, at a natural distance or another.
static void face(pair *p, fr_meeting_kind kind, double more) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_meeting_input input = input_of(p, kind);
    pair_stand(&p->bodies[0], zero, 0.0);
    pair_stand(&p->bodies[1], fr_vec3_make(0.0, 0.0, fr_meeting_distance(&input) + more), FR_PI);
    p->frames = 0;
    p->depth = -INFINITY;
}

static fr_task task_of(const pair *p, const fr_meeting_output *found, int i, const char *skill) {
    fr_task task = {.id = 1, .skill = fr_skill_find(skill)};
    assert_non_null(task.skill);
    task.fields.given = FR_FIELD_TARGET | FR_FIELD_GOAL | FR_FIELD_SIDE | FR_FIELD_VALUE;
    task.fields.target = p->bodies[1 - i].poses[0];
    task.fields.goal = found->goals[i];
    task.fields.side = FR_SIDE_RIGHT;
    task.fields.value = i == 0 ? found->ratio : 1.0 / found->ratio;
    return task;
}

static void begin(pair *p, int i, const fr_task *task) {
    fr_error error = {0};
    if (fr_performer_begin(p->bodies[i].performer, task, 1, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// The middle of the palm, on its inner face.
static fr_vec3 palm_middle(const pair_body *b) {
    const fr_figure_view *view = fr_figure_get(b->figure);
    double thickness = 0.0;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        if (strcmp(view->proxies[i].name, "right_palm") != 0) { continue; }
        thickness = -fr_mesh_get(view->proxies[i].mesh)->bounds.min.y;
    }
    double along = fr_skeleton_get(b->skeleton)->points[FR_POINT_RIGHT_GRIP].offset.x;
    return fr_pose_apply(&b->poses[FR_LINK_RIGHT_PALM], fr_vec3_make(along, -thickness, 0.0));
}

static double palms_apart(const pair *p) {
    return fr_vec3_distance(palm_middle(&p->bodies[0]), palm_middle(&p->bodies[1]));
}

// What was seen of two who did something together to its end.
typedef struct seen {
    double near; // seconds that the palms were within 20 mm
    double seconds;
    bool is_done;
} seen;

static seen finish(pair *p, bool is_sampled) {
    seen s = {.is_done = true};
    uint32_t near = 0;
    while (fr_performer_get(p->bodies[0].performer).task_count > 0 && p->frames < 600) {
        pair_step(p, is_sampled);
        near += palms_apart(p) < 0.020;
        for (int i = 0; i < 2; i++) {
            for (uint32_t k = 0; k < p->bodies[i].output.end_count; k++) {
                s.is_done = s.is_done && p->bodies[i].output.ends[k].reason == FR_TASK_DONE;
            }
        }
    }
    // Both end in the same frame.
    assert_int_equal(fr_performer_get(p->bodies[1].performer).task_count, 0);
    s.near = near / 60.0;
    s.seconds = p->frames / 60.0;
    return s;
}

// Of distances near the natural one the first at which both reach, as who brings two people together does it.
static fr_meeting_output meet(pair *p, fr_meeting_kind kind) {
    static const double parts[] = {1.0, 0.9, 0.8, 1.1, 1.2};
    fr_meeting_output found = {.is_reached = false};
    for (int i = 0; i < 5 && !found.is_reached; i++) {
        fr_meeting_input input = input_of(p, kind);
        face(p, kind, (parts[i] - 1.0) * fr_meeting_distance(&input));
        input = input_of(p, kind);
        assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_OK);
    }
    return found;
}

static void shake(double a, double b, bool is_sampled) {
    pair p;
    open_pair(&p, a, b);
    fr_meeting_output found = meet(&p, FR_MEETING_SHAKE_HAND);
    assert_true(found.is_reached && found.miss < 1e-6 && found.excess < 1e-6);
    for (int i = 0; i < 2; i++) {
        fr_task task = task_of(&p, &found, i, "shake_hand");
        begin(&p, i, &task);
    }
    seen s = finish(&p, is_sampled);
    print_message("%.2f and %.2f m: palms within 20 mm for %.2f of %.2f s, deepest %.2f mm (%s), jump %.2f and %.2f "
                  "rad/s, peak %.2f m/s\n",
                  a, b, s.near, s.seconds, 1e3 * p.depth, p.deepest, p.bodies[0].jump, p.bodies[1].jump,
                  p.bodies[0].peak);
    assert_true(s.is_done && s.near >= 0.5);
    assert_true(p.depth <= 0.002);
    assert_true(p.bodies[0].jump <= 4.0 && p.bodies[1].jump <= 4.0);
    pair_close(&p);
}

static void hands_are_shaken(void **state) {
    (void)state;
    shake(1.7, 1.7, true);
    shake(1.85, 1.55, true);
    shake(1.7, 1.2, true);
    shake(1.5, 1.2, false);
}

// A partner who sways is followed: the palms stay at one another.
static void hands_follow_a_body_that_moves(void **state) {
    (void)state;
    pair p;
    open_pair(&p, 1.7, 1.65);
    fr_meeting_output found = meet(&p, FR_MEETING_SHAKE_HAND);
    for (int i = 0; i < 2; i++) {
        fr_task task = task_of(&p, &found, i, "shake_hand");
        begin(&p, i, &task);
    }
    // The second one bows from the hips by and by, and comes up again.
    fr_quat turns[PAIR_LINKS];
    double weights[PAIR_LINKS + 1] = {0.0};
    fr_posture posture = {.turns = turns, .count = PAIR_LINKS};
    fr_posture now = fr_performer_get(p.bodies[1].performer).posture;
    assert_int_equal(fr_posture_copy(&now, &posture, NULL), FR_OK);
    posture.place.x += 0.03;
    posture.place.z -= 0.03;
    weights[PAIR_LINKS] = 100.0;
    fr_task sway = {.id = 2, .skill = fr_skill_find("slerp"), .start = 40};
    sway.fields.given = FR_FIELD_POSTURE | FR_FIELD_WEIGHTS | FR_FIELD_FRAMES;
    sway.fields.posture = &posture;
    sway.fields.weights = weights;
    sway.fields.frames = 60;
    fr_error error = {0};
    if (fr_performer_add(p.bodies[1].performer, &sway, 1, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    seen s = finish(&p, true);
    print_message("a body that sways: palms within 20 mm for %.2f s, deepest %.2f mm, jump %.2f rad/s\n", s.near,
                  1e3 * p.depth, p.bodies[0].jump);
    assert_true(s.near >= 0.5);
    assert_true(p.depth <= 0.002 && p.bodies[0].jump <= 4.0);
    pair_close(&p);
}

// The thing in the palm of who gives stands on the palm of who receives when both say so.
static void a_thing_is_handed_over(void **state) {
    (void)state;
    pair p;
    open_pair(&p, 1.7, 1.6);
    fr_meeting_output found = meet(&p, FR_MEETING_HAND_OVER);
    assert_true(found.is_reached);
    const fr_meeting_input input = input_of(&p, FR_MEETING_HAND_OVER);
    fr_task give = task_of(&p, &found, 0, "hand_over"), take = task_of(&p, &found, 1, "receive");
    give.fields.given |= FR_FIELD_POSES;
    give.fields.poses = &input.thing;
    give.fields.pose_count = 1;
    begin(&p, 0, &give);
    begin(&p, 1, &take);
    int given = 0;
    while (fr_performer_get(p.bodies[0].performer).task_count > 0 && p.frames < 600) {
        pair_step(&p, false);
        bool gives = false, receives = false;
        for (uint32_t i = 0; i < p.bodies[0].output.event_count; i++) {
            gives = gives || strcmp(p.bodies[0].output.events[i].name, "given") == 0;
        }
        for (uint32_t i = 0; i < p.bodies[1].output.event_count; i++) {
            receives = receives || strcmp(p.bodies[1].output.events[i].name, "received") == 0;
        }
        assert_true(gives == receives);
        if (!gives) { continue; }
        given++;
        fr_pose under = fr_pose_compose(&p.bodies[0].poses[FR_LINK_RIGHT_PALM], &input.thing);
        fr_vec3 middle = palm_middle(&p.bodies[1]);
        assert_true(hypot(under.position.x - middle.x, under.position.z - middle.z) < 0.005);
        assert_true(under.position.y > middle.y - 1e-4 && under.position.y < middle.y + 0.02);
    }
    assert_int_equal(given, 1);
    assert_true(p.bodies[0].jump <= 4.0 && p.bodies[1].jump <= 4.0);
    pair_close(&p);
}

// One who takes no part: the other does not know, and its hand comes back.
static void bad_input_is_refused(void **state) {
    (void)state;
    pair p;
    open_pair(&p, 1.7, 1.7);
    fr_meeting_output found = meet(&p, FR_MEETING_SHAKE_HAND);
    fr_meeting_input input = input_of(&p, FR_MEETING_SHAKE_HAND);
    input.cookie = 0;
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_ERROR_ARGUMENT);
    input = input_of(&p, FR_MEETING_SHAKE_HAND);
    input.sides[1] = FR_LEFT;
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_ERROR_ARGUMENT);
    input.sides[1] = FR_RIGHT;
    input.places[1] = input.places[0];
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_ERROR_ARGUMENT);
    input.places[1].x = NAN;
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_ERROR_NOT_FINITE);
    input.places[1].x = 1e3;
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_OK); // far apart: said, not refused
    assert_true(!found.is_reached && found.miss > 100.0);
    input = input_of(&p, FR_MEETING_SHAKE_HAND);
    input.skeletons[0] = NULL;
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_ERROR_ARGUMENT);

    input = input_of(&p, FR_MEETING_SHAKE_HAND);
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_OK);
    fr_error error = {0};
    fr_task task = task_of(&p, &found, 0, "shake_hand");
    task.fields.value = 20.0;
    assert_int_equal(fr_performer_begin(p.bodies[0].performer, &task, 1, NULL, &error), FR_ERROR_ARGUMENT);
    task = task_of(&p, &found, 0, "shake_hand");
    task.fields.target.position.z += 10.0;
    assert_int_equal(fr_performer_begin(p.bodies[0].performer, &task, 1, NULL, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "too far"));
    task = task_of(&p, &found, 0, "shake_hand");
    task.fields.goal.position.z += 1.0;
    assert_int_equal(fr_performer_begin(p.bodies[0].performer, &task, 1, NULL, &error), FR_ERROR_ARGUMENT);
    task = task_of(&p, &found, 0, "shake_hand");
    task.fields.given |= FR_FIELD_FRAMES;
    task.fields.frames = 10;
    assert_int_equal(fr_performer_begin(p.bodies[0].performer, &task, 1, NULL, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_performer_get(p.bodies[0].performer).task_count, 0);
    pair_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_are_shaken),
        cmocka_unit_test(hands_follow_a_body_that_moves),
        cmocka_unit_test(a_thing_is_handed_over),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
