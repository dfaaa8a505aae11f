// Reaches among furniture: what is planned is clear at every time (dense sampling), smooth and within the limits, and
// most goals that are free are reached.
#include "frame.h"
#include "fureai/human_reach.h"
#include "furniture.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void find_poses(person *p) {
    assert_int_equal(fr_posture_poses(p->skeleton, &p->posture, 1, p->poses, NULL), FR_OK);
}

static uint32_t arm_link(fr_side side, uint32_t i) {
    return (side == FR_RIGHT ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM) + i;
}

// An arm at random within its limits, in front of the body.
static void randomize_arm(person *p, fr_random *random, fr_side side) {
    assert_int_equal(fr_posture_rest(p->skeleton, &p->posture, NULL), FR_OK);
    fr_quat raised = fr_quat_from_vector(fr_vec3_make(0, fr_random_between(random, 0.0, 1.8), 0));
    p->turns[arm_link(side, 0)] = fr_quat_multiply(p->turns[arm_link(side, 0)], raised);
    p->turns[arm_link(side, 1)] = fr_quat_from_vector(fr_vec3_make(0, fr_random_between(random, 0.1, 2.2), 0));
    for (uint32_t i = 0; i < 3; i += 2) {
        uint32_t link = arm_link(side, i);
        fr_quat turn = fr_quat_multiply(p->turns[link], fr_quat_from_vector(random_about(random, 0.6)));
        p->turns[link] = fr_skeleton_clamp(p->skeleton, link, turn);
    }
    assert_int_equal(fr_posture_check(p->skeleton, &p->posture, NULL), FR_OK);
    find_poses(p);
}

typedef struct tally {
    uint32_t tried, free_goals, reached, paths;
    double depth, jump, excess, miss, seconds;
    double deeper; // than a piece was at the start, of reaches that begin in an object
} tally;

// How deep the pieces that meet something at the start are, by more points than others: each of them counts alone.
static void depths_of_meeting(const person *p, const fr_space *space, fr_side side, uint32_t meeting,
                              double depths[ARM_PIECES]) {
    for (uint32_t i = 0; i < ARM_PIECES; i++) {
        if ((meeting >> i & 1u) == 0) { continue; }
        const fr_figure_proxy *piece = arm_piece(p->figure, side == FR_LEFT, i);
        double inside = depth_of_piece(space, piece->mesh, &p->poses[piece->link], NULL);
        depths[i] = fmax(inside, depth_of_edges(space, piece->mesh, &p->poses[piece->link]));
    }
}

// How much deeper than at the start the pieces that meet something there go on the path.
static double deeper_than_at_start(person *p, const fr_space *space, const fr_reach_plan *plan, uint32_t meeting) {
    double first[ARM_PIECES] = {0}, now[ARM_PIECES] = {0}, most = 0.0;
    uint32_t frames = (uint32_t)ceil(60.0 * plan->seconds);
    for (uint32_t k = 0; k <= frames; k++) {
        fr_reach_plan_apply(p->skeleton, plan, (double)k / frames, &p->posture);
        find_poses(p);
        depths_of_meeting(p, space, plan->side, meeting, k == 0 ? first : now);
        for (uint32_t i = 0; i < ARM_PIECES && k > 0; i++) {
            most = fmax(most, now[i] - first[i]);
        }
    }
    return most;
}

// Follows a plan: depth, jumps of velocity, limits, where it ends.
static void follow(person *p, const fr_space *space, const fr_reach_plan_output *out, const fr_pose *goal, tally *t) {
    const fr_reach_plan *plan = &out->plan;
    uint32_t frames = (uint32_t)ceil(60.0 * plan->seconds), samples = 4 * frames;
    fr_quat before[3];
    fr_vec3 velocity[3] = {{0}};
    for (uint32_t k = 0; k <= samples + 4; k++) {
        double time = (double)k / samples;
        fr_reach_plan_apply(p->skeleton, plan, time, &p->posture);
        find_poses(p);
        if (k <= samples) {
            t->depth = fmax(t->depth, depth_of_arm(space, p->figure, p->poses, plan->side == FR_LEFT, NULL));
        }
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t link = arm_link(plan->side, i);
            t->excess = fmax(t->excess, fr_skeleton_excess(p->skeleton, link, p->turns[link]));
            if (k % 4 != 0) { continue; }
            if (k > 0) {
                fr_quat turn = fr_quat_multiply(fr_quat_conjugate(before[i]), p->turns[link]);
                fr_vec3 now = fr_vec3_scale(60.0, fr_quat_to_vector(turn));
                t->jump = fmax(t->jump, fr_vec3_distance(now, velocity[i]));
                velocity[i] = now;
            }
            before[i] = p->turns[link];
        }
    }
    t->miss = fmax(t->miss, fr_vec3_distance(p->poses[arm_link(plan->side, 2)].position, goal->position));
}

// One reach from a posture to the palm of another, followed where it is found.
static fr_reach_result reach_once(person *p, fr_side side, const fr_pose *goal, const fr_space *space, tally *t) {
    uint32_t meeting = pieces_that_meet(space, p->figure, p->poses, side == FR_LEFT);
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = p->skeleton;
    input.figure = p->figure;
    input.posture = &p->posture;
    input.side = side;
    input.goals = goal;
    input.goal_count = 1;
    input.space = space;
    fr_reach_plan_output out;
    clock_t before = clock();
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    t->seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
    t->paths += out.path_count;
    if (out.result != FR_REACH_FOUND) { return out.result; }
    tally one = {0};
    follow(p, space, &out, goal, &one);
    if (meeting != 0) { // what it meets at first it leaves
        t->deeper = fmax(t->deeper, deeper_than_at_start(p, space, &out.plan, meeting));
        one.depth = 0.0;
    }
    t->depth = fmax(t->depth, one.depth);
    t->jump = fmax(t->jump, one.jump);
    t->excess = fmax(t->excess, one.excess);
    t->miss = fmax(t->miss, one.miss);
    return out.result;
}

// A posture from which a reach begins: at rest, or with the arm somewhere clear.
static void randomize_start(person *p, fr_random *random, fr_side side, const fr_space *space, bool is_rest) {
    do {
        randomize_arm(p, random, side);
    } while (!is_rest && depth_of_arm(space, p->figure, p->poses, side == FR_LEFT, NULL) > 0.0);
    if (!is_rest) { return; }
    assert_int_equal(fr_posture_rest(p->skeleton, &p->posture, NULL), FR_OK);
    find_poses(p);
}

// Reach number i among furniture, for which the palm of `end` is the goal; counted in the tally.
static fr_reach_result reach_at_random(person *p, person *end, uint64_t i, fr_random *random, const fr_space *space,
                                       tally *t) {
    fr_side side = i % 2 == 0 ? FR_RIGHT : FR_LEFT;
    randomize_start(p, random, side, space, i % 3 == 0);
    randomize_arm(end, random, side);
    bool is_free = depth_of_arm(space, p->figure, end->poses, side == FR_LEFT, NULL) == 0.0;
    fr_reach_result result = reach_once(p, side, &end->poses[arm_link(side, 2)], space, t);
    t->free_goals += is_free;
    t->reached += is_free && result == FR_REACH_FOUND;
    t->tried++;
    return result;
}

static void test_reaches_among_furniture(void **state) {
    (void)state;
    person p, end;
    make_person(&p);
    end = p;
    end.posture.turns = end.turns;
    tally t = {0};
    uint64_t count = test_count(300, 100000);
    fr_space *space = NULL;
    for (uint64_t i = 0; i < count; i++) {
        if (!test_is_in_part(i, count)) { continue; }
        fr_random random = fr_random_seed(i);
        if (i % 10 == 0 || space == NULL) {
            fr_space_destroy(space);
            space = random_furniture(&random);
        }
        (void)reach_at_random(&p, &end, i, &random, space, &t);
    }
    fr_space_destroy(space);
    print_message("%u of %u free goals reached; depth %.2e m, %.2e m deeper than at the start, jump %.2f rad/s, excess "
                  "%.1e, miss %.1e m; %.1f paths and "
                  "%.2f ms a goal\n",
                  t.reached, t.free_goals, t.depth, t.deeper, t.jump, t.excess, t.miss, (double)t.paths / t.tried,
                  1e3 * t.seconds / t.tried);
    assert_true(t.depth <= 0.002 && t.deeper <= 0.002);
    assert_true(t.jump <= 4.0);
    assert_true(t.excess <= 1e-5 && t.miss <= 1e-6);
    assert_true(t.reached >= 0.9 * t.free_goals);
    destroy_person(&p);
}

// A reach that begins with an object within the mitten of the hand, which is wider than the fingers, and not in the
// fingers: these stay out of the object too.
static void test_fingers_stay_out_of_what_the_mitten_touches(void **state) {
    (void)state;
    person p, end;
    make_person(&p);
    end = p;
    end.posture.turns = end.turns;
    fr_random furniture = fr_random_seed(1010), random = fr_random_seed(1015);
    fr_space *space = random_furniture(&furniture);
    tally t = {0};
    assert_int_equal(reach_at_random(&p, &end, 1015, &random, space, &t), FR_REACH_FOUND);
    assert_true(t.depth == 0.0); // 29 mm where the mitten's touch lets the fingers go unlooked at
    fr_space_destroy(space);
    destroy_person(&p);
}

// Faces about the goal: the plan is refused, and says which face stops which link.
static void test_a_refusal_names_the_face(void **state) {
    (void)state;
    person p;
    make_person(&p);
    find_poses(&p);
    person there = p;
    there.posture.turns = there.turns;
    there.turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_vector(fr_vec3_make(0, 1.4, 0));
    find_poses(&there);
    fr_pose goal = there.poses[FR_LINK_RIGHT_PALM];
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    put_box(space, fr_vec3_make(0.1, 0.1, 0.1), fr_vec3_make(3, 1, 0), 0.0);
    put_box(space, fr_vec3_make(0.2, 0.02, 0.2), fr_vec3_add(goal.position, fr_vec3_make(0, -0.02, 0)), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = p.skeleton;
    input.figure = p.figure;
    input.posture = &p.posture;
    input.goals = &goal;
    input.goal_count = 1;
    input.space = space;
    fr_reach_plan_output out;
    char text[200];
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_REACH_GOAL_BLOCKED);
    assert_int_equal(out.obstacle.b.index1, 2);
    assert_true(out.link != FR_NO_LINK && out.obstacle.triangle_b < 12);
    fr_reach_plan_words(p.skeleton, &out, NULL, text, sizeof text);
    assert_non_null(strstr(text, "object 1, face"));

    // Without the space it is reached; a second goal that is free is taken instead of the first.
    fr_pose goals[2] = {goal, goal};
    fr_quat raised = fr_quat_from_vector(fr_vec3_make(0, 1.0, 0));
    there.turns[FR_LINK_RIGHT_UPPER_ARM] = fr_quat_multiply(there.turns[FR_LINK_RIGHT_UPPER_ARM], raised);
    find_poses(&there);
    goals[1] = there.poses[FR_LINK_RIGHT_PALM];
    input.goals = goals;
    input.goal_count = 2;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_true(out.result == FR_REACH_FOUND && out.goal == 1);
    input.space = NULL;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_true(out.result == FR_REACH_FOUND && out.goal == 0);

    // Out of reach: the step that is named helps.
    goal.position.z += 2.0;
    input.goals = &goal;
    input.goal_count = 1;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_true(out.result == FR_REACH_TOO_FAR && out.step.z > 0.5 && out.miss > 0.5);
    fr_reach_plan_words(p.skeleton, &out, NULL, text, sizeof text);
    assert_non_null(strstr(text, "a step of"));
    p.posture.place = fr_vec3_add(p.posture.place, out.step);
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_true(out.result != FR_REACH_TOO_FAR && out.miss < 1e-6);
    fr_space_destroy(space);
    destroy_person(&p);
}

// A wall between the hand and the goal is gone round; the straight path would go through it.
static void test_a_wall_is_gone_round(void **state) {
    (void)state;
    person p;
    make_person(&p);
    fr_quat raised = fr_quat_from_vector(fr_vec3_make(0, 0.5, 0));
    p.turns[FR_LINK_RIGHT_UPPER_ARM] = fr_quat_multiply(p.turns[FR_LINK_RIGHT_UPPER_ARM], raised);
    p.turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_vector(fr_vec3_make(0, 1.0, 0));
    find_poses(&p);
    fr_pose goal = p.poses[FR_LINK_RIGHT_PALM];
    goal.position.x += 0.3;
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    put_box(space, fr_vec3_make(0.02, 0.2, 0.3), fr_vec3_add(goal.position, fr_vec3_make(-0.15, -0.02, 0.15)), 0.0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = p.skeleton;
    input.figure = p.figure;
    input.posture = &p.posture;
    input.goals = &goal;
    input.goal_count = 1;
    fr_reach_plan_output out;
    for (int i = 0; i < 2; i++) {
        input.space = i == 0 ? NULL : space;
        person q = p;
        q.posture.turns = q.turns;
        assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
        assert_int_equal(out.result, FR_REACH_FOUND);
        tally t = {0};
        follow(&q, space, &out, &goal, &t);
        assert_int_equal(t.depth > 0.002, i == 0);
        assert_int_equal(out.path_count > 1, i == 1);
        assert_true(t.miss < 1e-9 && t.jump < 4.0);
    }
    fr_space_destroy(space);
    destroy_person(&p);
}

// The tip of the index finger goes where it should; a lean brings what the arm alone does not reach.
static void test_tips_and_leans(void **state) {
    (void)state;
    person p;
    make_person(&p);
    find_poses(&p);
    fr_pose goal = p.poses[FR_LINK_RIGHT_PALM];
    for (int i = 0; i < 2; i++) {
        goal.position = fr_vec3_make(-0.2, 1.1, i == 0 ? 0.45 : 0.7);
        goal.rotation =
            fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(-1.4, 0, 0)), p.poses[FR_LINK_RIGHT_PALM].rotation);
        fr_reach_plan_input input = fr_default_reach_plan_input();
        input.skeleton = p.skeleton;
        input.figure = p.figure;
        input.posture = &p.posture;
        input.goals = &goal;
        input.goal_count = 1;
        input.is_tip = i == 0;
        fr_reach_plan_output out;
        assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
        assert_int_equal(out.result, FR_REACH_FOUND);
        assert_int_equal(out.plan.has_lean, i == 1);
        person q = p;
        q.posture.turns = q.turns;
        fr_reach_plan_apply(p.skeleton, &out.plan, 1.0, &q.posture);
        find_poses(&q);
        uint32_t link = i == 0 ? FR_LINK_RIGHT_INDEX_3 : FR_LINK_RIGHT_PALM;
        fr_vec3 tip = i == 0 ? fr_skeleton_get(p.skeleton)->tips[link] : fr_vec3_make(0, 0, 0);
        assert_true(fr_vec3_distance(fr_pose_apply(&q.poses[link], tip), goal.position) < 1e-9);
    }
    destroy_person(&p);
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    person p, other;
    make_person(&p);
    make_person(&other);
    find_poses(&p);
    fr_pose goal = p.poses[FR_LINK_LEFT_PALM];
    fr_reach_plan_output out;
    fr_reach_plan_input input = {0};
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = fr_default_reach_plan_input();
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.skeleton = p.skeleton;
    input.posture = &p.posture;
    input.goals = &goal;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.goal_count = 1;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    input.figure = other.figure;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.figure = p.figure;
    input.clearance = NAN;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.clearance = 0.0;
    goal.position.x = INFINITY;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_NOT_FINITE);
    goal.position.x = 1e6;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_REACH_TOO_FAR);
    input.lean_max = -1.0;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.lean_max = 0.0;
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    put_box(space, fr_vec3_make(1, 1, 1), fr_vec3_make(3, 0, 0), 0.0);
    input.space = space;
    assert_int_equal(fr_reach_plan_find(&input, &out, NULL), FR_ERROR_STALE_DATA);
    fr_space_destroy(space);
    destroy_person(&p);
    destroy_person(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_refusal_names_the_face),
        cmocka_unit_test(test_a_wall_is_gone_round),
        cmocka_unit_test(test_tips_and_leans),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_reaches_among_furniture),
        cmocka_unit_test(test_fingers_stay_out_of_what_the_mitten_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
