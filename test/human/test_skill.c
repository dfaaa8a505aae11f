// Skills: each does what it says, begins at the posture and velocity of the body, and joins any other.
#include "fureai/human_skill.h"

#include "failing.h"
#include "frame.h"
#include "fureai/human_figure.h"
#include "fureai/human_files.h"
#include "fureai/human_object.h"
#include "stage.h"

static stage on;

static fr_pose facing(double x, double y, double z, double heading) {
    return fr_pose_make(fr_vec3_make(x, y, z), fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), heading));
}

static fr_vec3 hip_middle(const stage *s) {
    return fr_vec3_lerp(s->poses[FR_LINK_LEFT_THIGH].position, s->poses[FR_LINK_RIGHT_THIGH].position, 0.5);
}

static fr_task sit_on(double x, double y, double z, double heading) {
    fr_task task = stage_task(1, "sit");
    task.fields.given = FR_FIELD_TARGET;
    task.fields.target = facing(x, y, z, heading);
    return task;
}

static void refuse(const fr_task *task, const char *words) {
    fr_error error = {0};
    uint64_t hash = fr_performer_hash(on.performer);
    assert_int_equal(fr_performer_begin(on.performer, task, 1, NULL, &error), FR_ERROR_ARGUMENT);
    if (strstr(error.message, words) == NULL) { fail_msg("\"%s\" does not say \"%s\"", error.message, words); }
    assert_int_equal(fr_performer_hash(on.performer), hash);
}

// How far soles are from the ground, and how far they have moved from `places`.
static double soles_off(const stage *s, double ground) {
    double off = 0.0;
    for (int i = FR_POINT_RIGHT_HEEL; i <= FR_POINT_LEFT_TOE; i++) {
        off = fmax(off, fabs(stage_point(s, (fr_body_point)i).y - ground));
    }
    return off;
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

// Seats of all heights, places and turns: the hips end over the middle of the seat, the soles on the ground, and feet
// that stand do not slide; then the body stands up again.
static void sits_and_stands(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    uint64_t count = test_is_long() ? 2000 : 60;
    double miss = 0.0, off = 0.0, slide = 0.0, jump = 0.0, excess = 0.0;
    for (uint64_t n = 0; n < count; n++) {
        double heading = fr_random_between(&random, -3.0, 3.0), ground = fr_random_between(&random, -1.0, 1.0);
        fr_vec3 at = fr_vec3_make(fr_random_between(&random, -5, 5), ground, fr_random_between(&random, -5, 5));
        stage_stand(&on, at, heading);
        double before = fr_random_between(&random, 0.3, 0.6), beside = fr_random_between(&random, -0.15, 0.15);
        double high = fr_random_between(&random, 0.33, 0.68), turn = fr_random_between(&random, -0.5, 0.5);
        fr_task sit = sit_on(at.x - before * sin(heading) + beside * cos(heading), ground + high,
                             at.z - before * cos(heading) - beside * sin(heading), heading + turn);
        stage_begin(&on, &sit, 1);
        fr_vec3 planted[2] = {{0}};
        for (int part = 0; part < 2; part++) {
            bool is_down[2] = {false, false};
            do {
                stage_step(&on);
                uint8_t bits[2] = {on.output.posture.contact_left, on.output.posture.contact_right};
                for (int f = 0; f < 2; f++) {
                    fr_vec3 heel = stage_point(&on, f == 0 ? FR_POINT_LEFT_HEEL : FR_POINT_RIGHT_HEEL);
                    if (bits[f] == 3 && is_down[f]) { slide = fmax(slide, fr_vec3_distance(heel, planted[f])); }
                    if (bits[f] == 3 && !is_down[f]) { planted[f] = heel; }
                    is_down[f] = bits[f] == 3;
                }
            } while (fr_performer_get(on.performer).task_count > 0);
            off = fmax(off, soles_off(&on, ground));
            if (part == 1) { break; }
            fr_vec3 seat = sit.fields.target.position, hips = hip_middle(&on);
            miss = fmax(miss, hypot(hips.x - seat.x, hips.z - seat.z));
            assert_near(hips.y - seat.y, 0.117, 0.003);
            fr_task stand = stage_task(2, "stand");
            stage_begin(&on, &stand, 1);
        }
        assert_true(hip_middle(&on).y > ground + 0.86);
        jump = fmax(jump, on.jump);
        excess = fmax(excess, on.excess);
    }
    print_message("%llu seats: hips %.4f m beside, soles %.4f m off, slide %.4f m, jump %.2f rad/s, excess %.1f deg\n",
                  (unsigned long long)count, miss, off, slide, jump, fr_degrees(excess));
    assert_true(miss < 1e-3 && off < 2e-3 && slide < 5e-3 && jump < 4.0);
}

// The skin of a body that sits lies on the seat: it is pressed in by a centimetre at most.
static void sits_with_its_skin_on_the_seat(void **state) {
    (void)state;
    static fr_vec3 vertices[8000];
    fr_figure_def figure_def = fr_default_figure_def();
    figure_def.skeleton = on.skeleton;
    fr_figure *figure = NULL;
    fr_arena *arena = NULL;
    assert_int_equal(fr_figure_create(&figure_def, &figure, NULL), FR_OK);
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    const fr_figure_view *view = fr_figure_get(figure);
    uint32_t count = fr_mesh_get(view->mesh)->vertex_count;
    assert_true(count <= 8000);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task sit = sit_on(0.0, 0.44, -0.4, 0.0);
    stage_begin(&on, &sit, 1);
    (void)stage_finish(&on, 1000);
    fr_skin_input input = fr_default_skin_input();
    input.skin = view->skin;
    input.poses = on.poses;
    input.bone_count = STAGE_LINKS;
    input.scratch = arena;
    fr_skin_output output = {.vertices = vertices};
    assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
    double lowest = 10.0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_on_seat = fabs(vertices[i].z + 0.4) < 0.15 && fabs(vertices[i].x) < 0.25;
        if (is_on_seat) { lowest = fmin(lowest, vertices[i].y); }
    }
    print_message("the skin is %.1f mm above the seat\n", 1e3 * (lowest - 0.44));
    assert_true(lowest > 0.43 && lowest < 0.443);
    fr_arena_destroy(arena);
    fr_figure_release(figure);
}

static void refuses_seats_out_of_reach(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task far = sit_on(0.0, 0.44, -3.0, 0.0), high = sit_on(0.0, 1.1, -0.4, 0.0), low = sit_on(0.0, 0.05, -0.4, 0.0);
    fr_task turned = sit_on(0.0, 0.44, -0.4, 2.5), before = sit_on(0.0, 0.44, 0.6, 0.0);
    refuse(&far, "walk to");
    refuse(&high, "high");
    refuse(&low, "high");
    refuse(&turned, "turn first");
    refuse(&before, "out of reach");
    fr_task quick = sit_on(0.0, 0.44, -0.4, 0.0);
    quick.fields.given |= FR_FIELD_FRAMES;
    quick.fields.frames = 5;
    refuse(&quick, "takes about");
}

// A seat that moves takes the hips along.
static void follows_a_seat_that_moves(void **state) {
    (void)state;
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task sit = sit_on(0.0, 0.45, -0.4, 0.0);
    stage_begin(&on, &sit, 1);
    fr_task_target moved = {1, sit.fields.target};
    moved.target.position.x += 0.05;
    moved.target.position.y += 0.04;
    fr_performer_input world = {.targets = &moved, .target_count = 1};
    bool is_seated = false;
    while (fr_performer_get(on.performer).task_count > 0) {
        assert_int_equal(fr_performer_step(on.performer, &world, &on.output, NULL), FR_OK);
        stage_look(&on);
        for (uint32_t i = 0; i < on.output.event_count; i++) {
            is_seated = is_seated || strcmp(on.output.events[i].name, "seated") == 0;
        }
    }
    assert_true(is_seated);
    assert_near(hip_middle(&on).x, 0.05, 1e-3);
    assert_near(hip_middle(&on).y, 0.49 + 0.117, 3e-3);
}

// A cup in the hand: its rim comes to the mouth, it is tipped there, and the arm is back in the end.
static void drinks_with_either_hand(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        stage_stand(&on, fr_vec3_make(1.0, 0.0, 2.0), 1.0);
        fr_task drink = stage_task(1, "drink");
        drink.fields.given = FR_FIELD_SIDE;
        drink.fields.side = k == 0 ? FR_SIDE_RIGHT : FR_SIDE_LEFT;
        fr_body_point grip = k == 0 ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP;
        fr_link palm = k == 0 ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM;
        fr_link upper = k == 0 ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
        fr_quat first = fr_performer_get(on.performer).posture.turns[upper];
        stage_begin(&on, &drink, 1);
        double nearest = 1.0, upright = 0.0, tipped = 0.0;
        while (fr_performer_get(on.performer).task_count > 0) {
            stage_step(&on);
            fr_vec3 head = on.poses[FR_LINK_HEAD].position, hand = stage_point(&on, grip);
            double distance = fr_vec3_distance(head, hand);
            double up = fr_pose_turn(&on.poses[palm], fr_vec3_make(0.0, 0.0, 1.0)).y;
            nearest = fmin(nearest, distance);
            if (distance < 0.25) { upright = fmax(upright, up); }
            for (uint32_t i = 0; i < on.output.event_count; i++) {
                assert_string_equal(on.output.events[i].name, "drink");
                tipped = fr_degrees(acos(up));
            }
        }
        assert_true(nearest < 0.2);
        assert_true(upright > 0.99);
        assert_near(tipped, 52.0, 1.0);
        assert_near(angle_between(on.output.posture.turns[upper], first), 0.0, 0.01);
        stage_check_jumps(&on);
        assert_true(on.excess < 0.12);
    }
}

// Taps before the body in random places and turns: the grip of the hand comes to the tap and turns with it, or the tap
// is refused with a sentence.
static void turns_taps(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    uint64_t count = test_is_long() ? 1000 : 60, done = 0;
    double miss = 0.0, wrong = 0.0;
    for (uint64_t n = 0; n < count; n++) {
        stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
        fr_task tap = stage_task(1, "tap");
        tap.fields.given = FR_FIELD_TARGET | FR_FIELD_VALUE;
        tap.fields.target = facing(fr_random_between(&random, -0.4, 0.4), fr_random_between(&random, 0.8, 1.3),
                                   fr_random_between(&random, 0.3, 0.5), FR_PI + fr_random_between(&random, -0.3, 0.3));
        tap.fields.value = fr_random_between(&random, -0.8, 0.8);
        if (fr_performer_begin(on.performer, &tap, 1, NULL, NULL) != FR_OK) { continue; }
        done++;
        fr_quat taken[2] = {{0}};
        double turned = 0.0;
        while (fr_performer_get(on.performer).task_count > 0) {
            stage_step(&on);
            for (uint32_t i = 0; i < on.output.event_count; i++) {
                double right = fr_vec3_distance(stage_point(&on, FR_POINT_RIGHT_GRIP), tap.fields.target.position);
                double left = fr_vec3_distance(stage_point(&on, FR_POINT_LEFT_GRIP), tap.fields.target.position);
                miss = fmax(miss, fmin(left, right));
                fr_quat palm = on.poses[left < right ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM].rotation;
                if (strcmp(on.output.events[i].name, "grasp") == 0) { taken[0] = palm; }
                if (strcmp(on.output.events[i].name, "turned") != 0) { continue; }
                taken[1] = palm;
                turned = on.output.events[i].numbers[0];
            }
        }
        assert_near(turned, tap.fields.value, 0.0);
        wrong = fmax(wrong, fabs(angle_between(taken[0], taken[1]) - fabs(turned)));
        stage_check_jumps(&on);
    }
    print_message("%llu of %llu taps turned, %.4f m and %.4f rad off\n", (unsigned long long)done,
                  (unsigned long long)count, miss, wrong);
    assert_true(done >= count * 9 / 10);
    assert_true(miss < 0.012 && wrong < 0.06);
    fr_task far = stage_task(1, "tap");
    far.fields.given = FR_FIELD_TARGET;
    far.fields.target = facing(0.0, 1.0, 3.0, FR_PI);
    refuse(&far, "out of reach by");
}

static void makes_gestures(void **state) {
    (void)state;
    static const struct {
        const char *word;
        fr_link link;
        double least; // degrees that it turns at least
    } gestures[] = {{"bow", FR_LINK_CHEST, 30.0},         {"nod", FR_LINK_HEAD, 14.0},
                    {"shake", FR_LINK_HEAD, 20.0},        {"shrug", FR_LINK_LEFT_FOREARM, 40.0},
                    {"surprise", FR_LINK_HEAD, 7.0},      {"thumb_up", FR_LINK_RIGHT_INDEX_1, 60.0},
                    {"wave", FR_LINK_RIGHT_FOREARM, 80.0}};
    for (size_t k = 0; k < sizeof gestures / sizeof gestures[0]; k++) {
        stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
        fr_quat first[STAGE_LINKS];
        memcpy(first, fr_performer_get(on.performer).posture.turns, sizeof first);
        fr_task task = stage_task(1, "gesture");
        task.fields.given = FR_FIELD_WORD;
        strcpy(task.fields.word, gestures[k].word);
        stage_begin(&on, &task, 1);
        double turned = 0.0;
        while (fr_performer_get(on.performer).task_count > 0) {
            stage_step(&on);
            turned = fmax(turned, angle_between(first[gestures[k].link], on.output.posture.turns[gestures[k].link]));
        }
        if (fr_degrees(turned) < gestures[k].least) { fail_msg("%s turns %g", gestures[k].word, fr_degrees(turned)); }
        for (uint32_t i = 0; i < STAGE_LINKS; i++) {
            assert_near(angle_between(first[i], on.output.posture.turns[i]), 0.0, 1e-6);
        }
        stage_check_jumps(&on);
        assert_true(on.excess < 1e-4);
    }
    fr_task task = stage_task(1, "gesture");
    task.fields.given = FR_FIELD_WORD;
    strcpy(task.fields.word, "dance");
    refuse(&task, "there are bow");
    memset(task.fields.word, 'x', sizeof task.fields.word);
    assert_int_equal(fr_performer_begin(on.performer, &task, 1, NULL, NULL), FR_ERROR_LIMIT);
}

// ---------------------------------------------------------------------------------------------------------------
// Clips made by code

// The door of the clip, after the hands of a body that plays it: how far it opens, and where it is in the end.
static void play_door(const fr_skeleton *skeleton, const fr_clip *clip, double leg, double *widest, double *last) {
    const fr_object_skill *door = fr_object_skill_find("door");
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_object_state door_state = {0};
    fr_object_input input = fr_default_object_input();
    // z of the joint is up, x forward, y left.
    fr_mat3 axes = {{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}};
    input.joint = fr_pose_make(fr_vec3_make(0.444 * leg, 0.0, 0.46 * leg), fr_quat_from_mat3(axes));
    input.object = input.joint;
    input.low = 0.0;
    input.high = 1.9;
    input.knob = fr_vec3_make(0.0, -0.81 * leg, 1.11 * leg);
    input.threshold = 0.1 * leg;
    *widest = 0.0;
    for (uint32_t k = 0; k < fr_clip_get(clip)->frame_count; k++) {
        fr_quat turns[STAGE_LINKS];
        fr_pose poses[STAGE_LINKS];
        fr_posture posture = {.turns = turns, .count = STAGE_LINKS};
        assert_int_equal(fr_clip_frame(clip, k, &posture, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
        for (int i = 0; i < 2; i++) {
            const fr_link_point *grip = &view->points[i == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP];
            input.hands[i].is_there = true;
            input.hands[i].palm = poses[grip->link];
            input.hands[i].grip = fr_pose_apply(&poses[grip->link], grip->offset);
            input.hands[i].tip = input.hands[i].grip;
        }
        fr_object_output output;
        assert_int_equal(door->step(&input, &door_state, &output, NULL), FR_OK);
        if (output.intent.kind == FR_INTENT_JOINT) { input.value = output.intent.value; }
        *widest = fmax(*widest, input.value);
    }
    *last = input.value;
}

// Clips for an adult and a child: smooth, feet that stand do not slide, and the door follows the hands.
static void makes_clips_for_bodies(void **state) {
    (void)state;
    static const double statures[] = {1.7, 1.1};
    for (int b = 0; b < 2; b++) {
        fr_body_def body = fr_default_body_def();
        body.stature = statures[b];
        fr_skeleton *skeleton = NULL;
        fr_walk_set *set = NULL;
        assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
        fr_walk_set_def def = fr_default_walk_set_def();
        def.skeleton = skeleton;
        assert_int_equal(fr_walk_set_create(&def, &set, NULL), FR_OK);
        for (int which = 0; which < FR_MADE_CLIP_COUNT; which++) {
            fr_clip *clip = NULL;
            fr_error error = {0};
            if (fr_clip_create_made(set, (fr_made_clip)which, NULL, &clip, &error) != FR_OK) {
                fail_msg("%d: %s", which, error.message);
            }
            fr_clip_facts facts;
            assert_int_equal(fr_clip_measure(skeleton, clip, &facts, NULL), FR_OK);
            print_message("%.1f m, %s: %u frames, slide %.1f mm, jump %.2f rad/s", statures[b], fr_clip_get(clip)->name,
                          fr_clip_get(clip)->frame_count, 1e3 * facts.slide_max, facts.speed_jump);
            assert_true(facts.slide_max < 5e-3 && facts.below < 3e-3);
            assert_true(facts.speed_jump < 5.0);
            if (which == FR_MADE_DOOR) {
                double widest, last;
                play_door(skeleton, clip, fr_walk_set_get(set)->leg, &widest, &last);
                print_message(", opens by %.0f degrees, closed to %.1f", fr_degrees(widest), fr_degrees(last));
                assert_true(fr_degrees(widest) > 88.0 && fr_degrees(last) < 3.0);
            }
            print_message("\n");
            fr_clip_release(clip);
        }
        fr_clip *none = NULL;
        assert_int_equal(fr_clip_create_made(set, FR_MADE_CLIP_COUNT, NULL, &none, NULL), FR_ERROR_ARGUMENT);
        fr_walk_set_release(set);
        fr_skeleton_release(skeleton);
    }
}

static fr_status make_clip(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_clip *clip = NULL;
    fr_status status = fr_clip_create_made(on.set, FR_MADE_SIT, allocator, &clip, NULL);
    fr_clip_release(clip);
    return status;
}

static void makes_no_clip_without_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make_clip, NULL) > 8);
}

// A hand that begins beyond the limits of its fingers, as a fast one may swing, moves off smoothly.
static void grasps_from_beyond_a_limit(void **state) {
    (void)state;
    fr_quat turns[STAGE_LINKS];
    fr_posture posture = {.turns = turns, .count = STAGE_LINKS};
    assert_int_equal(fr_posture_rest(on.skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(on.set, fr_vec3_make(0.0, 0.0, 0.0), 0.0, &posture, NULL), FR_OK);
    turns[FR_LINK_LEFT_INDEX_2] = fr_quat_from_vector(fr_vec3_make(0.0, 0.0, -2.2));
    assert_true(fr_skeleton_excess(on.skeleton, FR_LINK_LEFT_INDEX_2, turns[FR_LINK_LEFT_INDEX_2]) > 0.2);
    assert_int_equal(fr_performer_put(on.performer, &posture, NULL), FR_OK);
    stage_watch(&on);
    fr_task grasp = stage_task(1, "grasp");
    grasp.fields.given = FR_FIELD_SIDE;
    grasp.fields.side = FR_SIDE_LEFT;
    stage_begin(&on, &grasp, 1);
    stage_finish(&on, 100);
    print_message("a hand from beyond its limits: %.2f rad/s\n", on.jump);
    stage_check_jumps(&on);
}

// Arms that are raised behind or above the head come down for a turn without a jerk.
static void turns_with_raised_arms(void **state) {
    (void)state;
    fr_random random = fr_random_seed(31);
    double worst = 0.0;
    for (int n = 0, count = test_is_long() ? 400 : 60; n < count; n++) {
        fr_quat turns[STAGE_LINKS];
        fr_posture posture = {.turns = turns, .count = STAGE_LINKS};
        assert_int_equal(fr_posture_rest(on.skeleton, &posture, NULL), FR_OK);
        assert_int_equal(fr_walk_set_stand(on.set, fr_vec3_make(0.0, 0.0, 0.0), 0.0, &posture, NULL), FR_OK);
        for (uint32_t i = FR_LINK_RIGHT_UPPER_ARM; i <= FR_LINK_LEFT_PALM; i++) {
            turns[i] = fr_skeleton_clamp(on.skeleton, i, fr_quat_from_vector(random_about(&random, 3.0)));
        }
        assert_int_equal(fr_performer_put(on.performer, &posture, NULL), FR_OK);
        stage_watch(&on);
        fr_task turn = stage_task(1, "turn");
        turn.fields.given = FR_FIELD_HEADING;
        turn.fields.heading = fr_random_between(&random, -3.1, 3.1);
        stage_begin(&on, &turn, 1);
        for (int k = 0; k < 60; k++) {
            stage_step(&on);
        }
        worst = fmax(worst, on.jump);
    }
    print_message("turns with raised arms: %.2f rad/s\n", worst);
    assert_true(worst <= 3.0);
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

// The direction that was up when the hand took something, as the world sees it now; and the wrist in the body's frame.
static fr_vec3 up_now(const stage *s, fr_link palm, fr_vec3 up_local) {
    return fr_pose_turn(&s->poses[palm], up_local);
}

static fr_vec3 wrist_of(const stage *s, fr_link palm) {
    fr_pose body = facing(s->poses[0].position.x, s->poses[0].position.y, s->poses[0].position.z, stage_heading(s));
    fr_pose back = fr_pose_inverse(&body);
    return fr_pose_apply(&back, s->poses[palm].position);
}

// A hand that took something at its side or before it brings it before the body with a bent elbow, and keeps it
// upright, while the body walks. Fingers that hang cannot: the arm stays as it is.
static void carries_upright_before_the_body(void **state) {
    (void)state;
    fr_random random = fr_random_seed(26);
    double tilt = 0.0, jump = 0.0, elbow = 10.0;
    for (int n = 0, count = test_is_long() ? 1000 : 60; n < count; n++) {
        bool is_left = fr_random_below(&random, 2) == 1;
        double side = is_left ? 1.0 : -1.0, yaw = fr_random_between(&random, -0.2, 0.6);
        fr_link upper = is_left ? FR_LINK_LEFT_UPPER_ARM : FR_LINK_RIGHT_UPPER_ARM, palm = (fr_link)(upper + 2);
        stage_stand(&on, fr_vec3_make(1.0, 0.0, -2.0), 0.0);
        // Fingers ahead, thumb up.
        fr_vec3 fingers = {-side * sin(yaw), 0.0, cos(yaw)}, up = {0.0, 1.0, 0.0};
        fr_vec3 x = fr_vec3_negate(fingers), z = up, y = fr_vec3_cross(z, x);
        fr_task reach = stage_task(1, "ik_reach"), carry = stage_task(2, "carry");
        reach.fields.given = FR_FIELD_GOAL | FR_FIELD_SIDE;
        reach.fields.side = is_left ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
        fr_vec3 at = {1.0 + side * fr_random_between(&random, 0.1, 0.3), fr_random_between(&random, 0.85, 1.25),
                      -2.0 + fr_random_between(&random, 0.25, 0.4)};
        reach.fields.goal = fr_pose_make(at, fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{x, y, z}})));
        if (fr_performer_begin(on.performer, &reach, 1, NULL, NULL) != FR_OK) { continue; }
        stage_finish(&on, 1000);
        fr_pose turned = fr_pose_inverse(&on.poses[palm]);
        fr_vec3 up_local = fr_pose_turn(&turned, up);
        carry.fields.given = FR_FIELD_SIDE;
        carry.fields.side = reach.fields.side;
        fr_task walk = stage_task(3, "walk");
        walk.fields.given = FR_FIELD_GOAL;
        walk.fields.goal = facing(1.0 + fr_random_between(&random, -1, 1), 0.0, 1.0, 0.0);
        const fr_task both[2] = {carry, walk};
        stage_watch(&on);
        stage_begin(&on, both, 2);
        for (int k = 0; k < 1000 && fr_performer_get(on.performer).task_count > 1; k++) {
            stage_step(&on);
            if (k < 90) { continue; }
            fr_vec3 now = up_now(&on, palm, up_local), wrist = wrist_of(&on, palm);
            tilt = fmax(tilt, acos(fmin(1.0, now.y)));
            assert_true(wrist.z > 0.1 && side * wrist.x > 0.0);
            fr_quat bend = fr_quat_multiply(fr_quat_conjugate(on.poses[upper].rotation), on.poses[upper + 1].rotation);
            elbow = fmin(elbow, 2.0 * acos(fmin(1.0, fabs(bend.w))));
        }
        jump = fmax(jump, on.jump);
    }
    print_message("carried things lean by %.0f degrees at most, elbows are bent by %.0f; jump %.1f rad/s\n",
                  fr_degrees(tilt), fr_degrees(elbow), jump);
    assert_true(tilt < fr_radians(15.0) && elbow > fr_radians(50.0) && jump <= 4.0);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task hang = stage_task(1, "carry");
    hang.fields.given = FR_FIELD_SIDE | FR_FIELD_FRAMES;
    hang.fields.side = FR_SIDE_RIGHT;
    hang.fields.frames = 60;
    stage_begin(&on, &hang, 1);
    stage_step(&on);
    fr_vec3 first = wrist_of(&on, FR_LINK_RIGHT_PALM);
    stage_finish(&on, 100);
    assert_true(fr_vec3_distance(first, wrist_of(&on, FR_LINK_RIGHT_PALM)) < 1e-3);
    hang.fields.side = FR_SIDE_NEAREST;
    refuse(&hang, "side");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sits_and_stands),
        cmocka_unit_test(sits_with_its_skin_on_the_seat),
        cmocka_unit_test(refuses_seats_out_of_reach),
        cmocka_unit_test(follows_a_seat_that_moves),
        cmocka_unit_test(carries_upright_before_the_body),
        cmocka_unit_test(drinks_with_either_hand),
        cmocka_unit_test(turns_taps),
        cmocka_unit_test(makes_gestures),
        cmocka_unit_test(makes_clips_for_bodies),
        cmocka_unit_test(makes_no_clip_without_memory),
        cmocka_unit_test(turns_with_raised_arms),
        cmocka_unit_test(grasps_from_beyond_a_limit),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
