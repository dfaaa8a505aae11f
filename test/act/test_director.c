// The director: commands by what objects afford, who does them, what objects do meanwhile, and what is refused or ends.
#include "failing.h"
#include "frame.h"
#include "peopled.h"

#include "fureai/act_director.h"

#include "base/allocator.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define CUP                                                                                                            \
    "{\"fureai\":1,\"shapes\":[\"cup.obj\"],\"grip\":{\"position\":[0,0,0],\"diameter\":0.07},"                        \
    "\"frames\":[{\"name\":\"front\",\"position\":[0,0,0.1]}],\"affords\":["                                           \
    "{\"motion\":\"go "                                                                                                \
    "to\",\"words\":[\"approach\"],\"human\":[{\"skill\":\"walk\",\"parameters\":{\"goal\":[0,0,-1.5]}}]},"            \
    "{\"motion\":\"carry\",\"human\":[{\"skill\":\"walk\"},{\"skill\":\"hold_arm\",\"parameters\":{\"hand\":"          \
    "\"right\"}}],"                                                                                                    \
    "\"object\":{\"skill\":\"follow_hand\",\"parameters\":{\"threshold\":0.3}},\"asks\":[\"goal\",\"facing\","         \
    "\"frames\"]},"                                                                                                    \
    "{\"motion\":\"pace\",\"in_order\":true,\"human\":[{\"skill\":\"walk\",\"parameters\":{\"goal\":[0,0,-1.5]}},"     \
    "{\"skill\":\"turn\"}],\"asks\":[\"facing\"]}]}"

typedef struct directed {
    peopled w;
    fr_director *director;
} directed;

static fr_class *read_class(const char *text) {
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "cup";
    fr_class *c;
    fr_error error = {0};
    if (fr_class_read(text, strlen(text), &input, &c, &error) != FR_OK) { fail_msg("%s", error.message); }
    return c;
}

// Hana stands at (1, 0, 2); the ball, a cup for the director, at (0, 1, 9).
static void open_directed(directed *t) {
    open_world(&t->w);
    fr_director_def def = fr_default_director_def();
    def.cast = t->w.cast;
    assert_int_equal(fr_director_create(&def, &t->director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(t->director);
    assert_int_equal(fr_cast_add(t->w.cast, &actor, NULL), FR_OK);
    fr_person_def person = person_def(&t->w);
    assert_int_equal(fr_director_add_person(t->director, &person, NULL), FR_OK);
    fr_class *c = read_class(CUP);
    assert_int_equal(fr_director_set_class(t->director, t->w.thing, c, NULL), FR_OK);
    fr_class_release(c);
}

static fr_status give(const directed *t, const fr_command *command, fr_error *error) {
    return fr_cast_command(t->w.cast, command, error);
}

static void ticks(const directed *t, int count) {
    for (int i = 0; i < count; i++) {
        tick(&t->w);
    }
}

static fr_vec3 hip(const directed *t) { return bone_place(&t->w, 0); }

// ---------------------------------------------------------------------------------------------------------------

// A motion of the class is found by its name and by its words, and its end is reported with the ticket.
static void motions_are_done_and_reported(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    fr_command command = {.name = "approach", .object = t.w.thing, .person = "Hana", .ticket = 77};
    fr_error error = {0};
    if (give(&t, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
    ticks(&t, 2);
    fr_director_state now = fr_director_get(t.director, 0);
    assert_string_equal(now.motion, "approach");
    assert_true(fr_object_id_equal(now.object, t.w.thing));
    fr_command_end end;
    assert_false(fr_cast_ended(t.w.cast, &end));
    ticks(&t, 900);
    assert_true(hypot(hip(&t).x, hip(&t).z - 7.5) < 2e-3);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_true(end.ticket == 77 && end.status == FR_OK);
    assert_false(fr_cast_ended(t.w.cast, &end));
    assert_true(fr_director_get(t.director, 0).done == 1);
    close_world(&t.w);
}

// Lists follow one another; stages of a motion in order too.
static void commands_follow_one_another(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    fr_command command = {.name = "pace", .object = t.w.thing, .given = FR_COMMAND_FACING, .facing = 1.5, .ticket = 1};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    fr_command back = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}, .ticket = 2};
    assert_int_equal(give(&t, &back, NULL), FR_OK);
    assert_int_equal(fr_director_get(t.director, 0).waiting, 1);
    fr_command_end end;
    int k = 0;
    while (!fr_cast_ended(t.w.cast, &end) && k++ < 2000) {
        tick(&t.w);
    }
    assert_true(end.ticket == 1 && end.status == FR_OK);
    assert_true(hypot(hip(&t).x, hip(&t).z - 7.5) < 0.2);
    const fr_pose *links = fr_person_links(fr_director_get(t.director, 0).person);
    fr_mat3 turn = fr_quat_to_mat3(links[0].rotation);
    fr_vec3 forward = fr_mat3_apply(turn, fr_vec3_make(0.0, 0.0, 1.0));
    assert_true(fabs(atan2(forward.x, forward.z) - 1.5) < 0.05);
    ticks(&t, 1200);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_true(end.ticket == 2 && end.status == FR_OK);
    assert_true(hypot(hip(&t).x - 1.0, hip(&t).z - 3.0) < 2e-3);
    close_world(&t.w);
}

// Puts the cup where the right hand grips.
static void put_into_hand(const directed *t) {
    const fr_person *person = fr_director_get(t->director, 0).person;
    const fr_link_point *grip = &fr_skeleton_get(t->w.skeleton)->points[FR_POINT_RIGHT_GRIP];
    fr_pose pose = fr_pose_identity();
    pose.position = fr_pose_apply(&fr_person_links(person)[grip->link], grip->offset);
    pose.position.x += 0.02;
    assert_int_equal(fr_object_set_pose(fr_world_space(t->w.world), t->w.thing, &pose, NULL), FR_OK);
}

static fr_pose in_palm(const directed *t) {
    const fr_person *person = fr_director_get(t->director, 0).person;
    fr_pose back = fr_pose_inverse(&fr_person_links(person)[FR_LINK_RIGHT_PALM]);
    return fr_pose_compose(&back, &fr_object_get(fr_world_space(t->w.world), t->w.thing)->pose);
}

// The cup stays where it is in the palm, bit for bit nearly, over a walk, after it, and over the next command.
static void what_follows_a_hand_is_constant_in_the_palm(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 5.0}};
    command.ticket = 5;
    fr_error error = {0};
    if (give(&t, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
    tick(&t.w);
    fr_pose first = in_palm(&t);
    const fr_claim *claim = fr_cast_claim(t.w.cast, t.w.thing);
    assert_non_null(claim);
    assert_string_equal(claim->name, "Hana");
    double worst = 0.0;
    for (int k = 0; k < 1500; k++) {
        if (k == 500) {
            command.goal = (fr_vec3){2.0, 0.0, 2.0};
            assert_int_equal(give(&t, &command, NULL), FR_OK);
        }
        tick(&t.w);
        fr_pose now = in_palm(&t);
        worst = fmax(worst, fr_vec3_distance(first.position, now.position));
        fr_quat p = first.rotation, q = now.rotation;
        worst = fmax(worst, fabs(fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z) - 1.0));
    }
    assert_true(worst < 1e-12);
    assert_true(fr_director_get(t.director, 0).done == 2);
    assert_true(hypot(hip(&t).x - 2.0, hip(&t).z - 2.0) < 2e-3);
    close_world(&t.w);
}

// What a hand has released while the person walks on is not taken again by the skill that let it follow.
static void what_is_released_stays(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 400);
    assert_non_null(fr_cast_claim(t.w.cast, t.w.thing));
    const fr_command_parameter hand = {"hand", "right"};
    const fr_command release = {.name = "release", .object = t.w.thing, .parameters = &hand, .parameter_count = 1};
    fr_command walk = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {3.0, 0.0, 3.0}};
    walk.fused = &release;
    walk.fused_count = 1;
    fr_error error = {0};
    if (give(&t, &walk, &error) != FR_OK) { fail_msg("%s", error.message); }
    ticks(&t, 60); // it is released in the first second
    fr_pose before = fr_object_get(fr_world_space(t.w.world), t.w.thing)->pose;
    assert_null(fr_cast_claim(t.w.cast, t.w.thing));
    ticks(&t, 400);
    assert_true(fr_director_get(t.director, 0).done == 2);
    fr_pose after = fr_object_get(fr_world_space(t.w.world), t.w.thing)->pose;
    assert_true(fr_vec3_equal(before.position, after.position));
    close_world(&t.w);
}

// Several people, who have no objects of their own, are computed on any number of threads to the same bits.
static void threads_change_nothing(void **state) {
    (void)state;
    uint64_t hashes[2] = {0, 0};
    for (int run = 0; run < 2; run++) {
        peopled w;
        open_world(&w);
        fr_task_pool *pool = NULL;
        fr_tasks tasks = {0};
        if (run == 1) {
            fr_task_pool_def pool_def = fr_default_task_pool_def();
            pool_def.worker_count = 3;
            assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
            tasks = fr_task_pool_tasks(pool);
        }
        fr_director_def def = fr_default_director_def();
        def.cast = w.cast;
        def.tasks = run == 1 ? &tasks : NULL;
        fr_director *director;
        assert_int_equal(fr_director_create(&def, &director, NULL), FR_OK);
        const fr_actor actor = fr_director_actor(director);
        assert_int_equal(fr_cast_add(w.cast, &actor, NULL), FR_OK);
        for (int i = 0; i < 9; i++) {
            char name[2] = {(char)('a' + i), '\0'};
            fr_person_def person = person_def(&w);
            person.name = name;
            person.skin = (fr_object_id){0, 0, 0};
            person.proxies = NULL;
            person.place.x = i;
            assert_int_equal(fr_director_add_person(director, &person, NULL), FR_OK);
            fr_command command = {.name = "walk", .person = name, .given = FR_COMMAND_GOAL};
            command.goal = fr_vec3_make(0.5 * i, 0.0, 5.0);
            assert_int_equal(fr_cast_command(w.cast, &command, NULL), FR_OK);
        }
        for (int k = 0; k < 200; k++) {
            tick(&w);
            uint64_t hash = fr_director_hash(director);
            hashes[run] = fr_hash(&hash, sizeof hash, hashes[run]);
        }
        close_world(&w);
        fr_task_pool_destroy(pool);
    }
    assert_true(hashes[0] == hashes[1]);
}

// A person of flesh takes the cup away: the motion ends with that reason, and the cup is that person's.
static void a_live_person_takes_it_away(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 5.0}};
    command.ticket = 5;
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 30);
    fr_claim claim = {.object = t.w.thing, .rank = FR_RANK_PERSON, .holder = 9, .name = "Mika"};
    assert_int_equal(fr_cast_grab(t.w.cast, &claim, NULL), FR_OK);
    ticks(&t, 2);
    fr_command_end end;
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_int_equal(end.status, FR_ERROR_BUSY);
    assert_string_equal(end.message, "the object was taken by Mika");
    // And who comes second is refused, by name.
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 2);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_int_equal(end.status, FR_ERROR_BUSY);
    assert_non_null(strstr(end.message, "Mika"));
    close_world(&t.w);
}

static void objects_say_what_they_afford(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    const fr_affordance *carry = fr_cast_affords(t.w.cast, t.w.thing, 1);
    assert_non_null(carry);
    assert_string_equal(carry->name, "carry");
    assert_int_equal(carry->field_count, 3);
    assert_string_equal(carry->fields[0].name, "goal");
    assert_true(carry->fields[0].is_needed);
    assert_string_equal(carry->fields[2].name, "frames");
    assert_false(carry->fields[2].is_needed);
    assert_null(fr_cast_affords(t.w.cast, t.w.thing, 3));
    assert_null(fr_cast_affords(t.w.cast, t.w.skin, 0));
    assert_int_equal(fr_director_set_class(t.director, t.w.thing, NULL, NULL), FR_OK);
    assert_null(fr_cast_affords(t.w.cast, t.w.thing, 0));
    close_world(&t.w);
}

static void expect_refusal(const directed *t, const fr_command *command, const char *words) {
    fr_error error = {0};
    assert_int_not_equal(give(t, command, &error), FR_OK);
    if (strstr(error.message, words) == NULL) { fail_msg("%s", error.message); }
    assert_string_equal(fr_director_get(t->director, 0).motion, "");
}

static void wrong_commands_are_refused(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    expect_refusal(&t, &(fr_command){.name = "walk", .person = "Hanna"}, "did you mean 'Hana'?");
    expect_refusal(&t, &(fr_command){.name = "carrry", .object = t.w.thing},
                   "'cup' affords no 'carrry'; did you mean 'carry'?");
    expect_refusal(&t, &(fr_command){.name = "wolk"}, "no skill 'wolk'; did you mean 'walk'?");
    expect_refusal(&t, &(fr_command){.name = "carry", .object = t.w.thing}, "'carry' needs 'goal'");
    const fr_command_parameter hand = {"hand", "third"}, goal = {"goal", "1,2"}, frame = {"frame", "back"};
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .parameters = &hand};
    command.parameter_count = 1;
    expect_refusal(&t, &command, "'hand' is right, left or nearest, not 'third'");
    command.parameters = &frame;
    expect_refusal(&t, &command, "has no frame 'back'");
    command.given = 0;
    command.parameters = &goal;
    expect_refusal(&t, &command, "'goal' of 'carry' is 3 numbers");
    close_world(&t.w);
}

// A parameter that nothing reads is a mistake: of a motion, of a fused one, of a skill by its own name. What the class
// gives, what the skills and the object read, is none.
static void parameters_that_nothing_reads_are_refused(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    static const struct {
        const char *motion, *key, *message;
    } wrong[] = {{"carry", "hnad", "'carry' has no parameter 'hnad'; did you mean 'hand'?"},
                 {"carry", "treshold", "did you mean 'threshold'?"},
                 {"carry", "Hand", "did you mean 'hand'?"},
                 {"carry", "", "'carry' has no parameter ''"},
                 {"carry", "zzzzzzzzzz", "'carry' has no parameter 'zzzzzzzzzz'"},
                 {"carry", "word", "'carry' has no parameter 'word'"},
                 {"carry", "patience", "'carry' has no parameter 'patience'"},
                 {"walk", "sped", "'walk' has no parameter 'sped'; did you mean 'speed'?"},
                 {"walk", "hand", "'walk' has no parameter 'hand'"},
                 {"walk", "causes", "'walk' has no parameter 'causes'"}};
    fr_command walk = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const fr_command_parameter parameter = {wrong[i].key, "1"};
        fr_command command = {.name = wrong[i].motion, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}};
        if (strcmp(command.name, "carry") == 0) { command.object = t.w.thing; }
        command.parameters = &parameter;
        command.parameter_count = 1;
        expect_refusal(&t, &command, wrong[i].message);
        walk.fused = &command;
        walk.fused_count = 1;
        if (i < 4) { expect_refusal(&t, &walk, wrong[i].message); }
    }
    const fr_command_parameter right[] = {{"hand", "right"}, {"threshold", "0.2"}, {"frame", "front"}, {"size", "0.1"},
                                          {"knob", "front"}, {"speed", "0.8"},     {"causes", ""}};
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}};
    command.parameters = right;
    command.parameter_count = sizeof right / sizeof right[0];
    fr_error error = {0};
    if (give(&t, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_command_parameter wide = {"diameter", "0.05"}; // what a palm comes to
    const fr_command reach = {.name = "ik_reach", .object = t.w.thing, .parameters = &wide, .parameter_count = 1};
    if (give(&t, &reach, &error) != FR_OK) { fail_msg("%s", error.message); }
    close_world(&t.w);
}

// A heading that no object has is one of the world.
static void a_walk_ends_facing_as_asked(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    const fr_command_parameter facing = {"facing_deg", "90"};
    const fr_command walk = {.name = "walk",
                             .given = FR_COMMAND_GOAL,
                             .goal = {1.0, 0.0, 3.0},
                             .parameters = &facing,
                             .parameter_count = 1,
                             .ticket = 1};
    fr_error error = {0};
    if (give(&t, &walk, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_command_end end;
    int k = 0;
    while (!fr_cast_ended(t.w.cast, &end) && k++ < 2000) {
        tick(&t.w);
    }
    assert_int_equal(end.status, FR_OK);
    const fr_pose *links = fr_person_links(fr_director_get(t.director, 0).person);
    fr_vec3 left = links[FR_LINK_LEFT_UPPER_ARM].position, right = links[FR_LINK_RIGHT_UPPER_ARM].position;
    assert_true(right.z - left.z > 5.0 * fabs(right.x - left.x)); // towards +X
    close_world(&t.w);
}

// What is removed, stopped or begun again in mid-motion ends with a reason, and the person goes on.
static void motions_end_for_a_reason(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 5.0}};
    command.ticket = 1;
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 20);
    fr_command stop = {.name = FR_DIRECTOR_STOP};
    assert_int_equal(give(&t, &stop, NULL), FR_OK);
    tick(&t.w);
    fr_command_end end;
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_int_equal(end.status, FR_ERROR_STOPPED);
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 5);
    assert_int_equal(fr_cast_begin(t.w.cast, NULL), FR_OK);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_string_equal(end.message, "the scene began again");
    assert_true(hypot(hip(&t).x - 1.0, hip(&t).z - 2.0) < 1e-9);
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 5);
    assert_int_equal(fr_object_remove(fr_world_space(t.w.world), t.w.thing, NULL), FR_OK);
    ticks(&t, 2);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_int_not_equal(end.status, FR_OK);
    assert_non_null(strstr(end.message, "gone"));
    fr_command walk = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {0.0, 0.0, 0.0}, .ticket = 4};
    assert_int_equal(give(&t, &walk, NULL), FR_OK);
    ticks(&t, 600);
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_true(end.ticket == 4 && end.status == FR_OK);
    close_world(&t.w);
}

// Further people, who have no objects of their own.
static void add_other(const directed *t, const char *name, double x, double z) {
    fr_person_def person = person_def(&t->w);
    person.name = name;
    person.skin = (fr_object_id){0, 0, 0};
    person.proxies = NULL;
    person.place = fr_vec3_make(x, 0.0, z);
    assert_int_equal(fr_director_add_person(t->director, &person, NULL), FR_OK);
}

// A command for no person is done by the one nearest to the object among those who have nothing to do.
static void the_nearest_idle_person_is_chosen(void **state) {
    (void)state;
    directed t;
    open_directed(&t); // the cup is at (0, 9)
    add_other(&t, "near", -1.0, 6.5);
    add_other(&t, "nearer", 1.5, 7.0);
    fr_command busy = {.name = "walk", .person = "nearer", .given = FR_COMMAND_GOAL, .goal = {3.0, 0.0, 7.0}};
    assert_int_equal(give(&t, &busy, NULL), FR_OK);
    const fr_command command = {.name = "approach", .object = t.w.thing, .ticket = 3};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    tick(&t.w);
    assert_string_equal(fr_director_get(t.director, 1).motion, "approach");
    assert_string_equal(fr_director_get(t.director, 0).motion, "");
    assert_int_equal(fr_director_get(t.director, 2).waiting, 0);
    close_world(&t.w);
}

// Two people for one cup: the first one has it, the second is refused by the first one's name and goes on.
static void one_of_two_has_the_cup(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    add_other(&t, "Ken", 4.0, 2.0);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 5.0}};
    command.person = "Hana";
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    command.person = "Ken";
    command.ticket = 2;
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    fr_command walk = {.name = "walk", .person = "Ken", .given = FR_COMMAND_GOAL, .goal = {4.0, 0.0, 4.0}, .ticket = 3};
    assert_int_equal(give(&t, &walk, NULL), FR_OK);
    tick(&t.w);
    fr_command_end end;
    assert_true(fr_cast_ended(t.w.cast, &end));
    assert_true(end.ticket == 2 && end.status == FR_ERROR_BUSY);
    assert_string_equal(end.message, "Hana holds it");
    ticks(&t, 600);
    assert_true(fr_cast_ended(t.w.cast, &end) && end.ticket == 3 && end.status == FR_OK);
    assert_int_equal(fr_director_get(t.director, 0).failed, 0);
    close_world(&t.w);
}

// An object that becomes one of another class ends what is done with it.
static void a_changed_object_ends_its_motion(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    const fr_command command = {.name = "approach", .object = t.w.thing, .ticket = 8};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 30);
    fr_class *c = read_class(CUP); // as when its file is read again
    assert_int_equal(fr_director_set_class(t.director, t.w.thing, c, NULL), FR_OK);
    tick(&t.w);
    fr_command_end end;
    assert_false(fr_cast_ended(t.w.cast, &end));
    assert_int_equal(fr_director_set_class(t.director, t.w.thing, NULL, NULL), FR_OK);
    tick(&t.w);
    assert_true(fr_cast_ended(t.w.cast, &end) && end.ticket == 8);
    assert_string_equal(end.message, "the object was changed");
    assert_int_equal(fr_director_set_class(t.director, t.w.thing, c, NULL), FR_OK);
    fr_class_release(c);
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 900);
    assert_true(fr_cast_ended(t.w.cast, &end) && end.status == FR_OK);
    close_world(&t.w);
}

// As many commands wait as may; one more is refused with a sentence. Ending them all takes little time.
static void commands_that_wait_are_bounded(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    fr_command command = {.name = "turn", .given = FR_COMMAND_FACING, .ticket = 1};
    for (uint32_t i = 0; i < FR_DIRECTOR_MAX_COMMANDS; i++) {
        assert_int_equal(give(&t, &command, NULL), FR_OK);
    }
    fr_error error = {0};
    assert_int_equal(give(&t, &command, &error), FR_ERROR_LIMIT);
    assert_string_equal(error.message, "16384 commands wait already");
    clock_t begin = clock();
    const fr_command stop = {.name = FR_DIRECTOR_STOP};
    assert_int_equal(give(&t, &stop, NULL), FR_OK);
    tick(&t.w);
    fr_command_end end;
    uint32_t count = 0;
    while (fr_cast_ended(t.w.cast, &end)) {
        count += end.status == FR_ERROR_STOPPED;
    }
    assert_int_equal(count, FR_DIRECTOR_MAX_COMMANDS);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 20.0);
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    close_world(&t.w);
}

// What a hand releases falls to what is below, where the cast has hands that let things fall.
static void what_is_released_falls(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    fr_hands_def def = fr_default_hands_def();
    def.world = t.w.world;
    def.settings.may_fall = true;
    fr_hands *hands;
    assert_int_equal(fr_hands_create(&def, &hands, NULL), FR_OK);
    const fr_actor actor = fr_hands_actor(hands);
    assert_int_equal(fr_cast_add(t.w.cast, &actor, NULL), FR_OK);
    fr_mesh *floor;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(40.0, 0.2, 40.0), NULL, &floor, NULL), FR_OK);
    add_mesh(t.w.world, floor, fr_vec3_make(0.0, -1.1, 0.0), FR_OBJECT_STATIC);
    fr_mesh_release(floor);
    fr_mesh *small; // the ball would lie on the body
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.03, 0.03, 0.03), NULL, &small, NULL), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(t.w.world), t.w.thing, NULL), FR_OK);
    t.w.thing = add_mesh(t.w.world, small, fr_vec3_make(0.0, 1.0, 9.0), 0);
    fr_mesh_release(small);
    fr_class *c = read_class(CUP);
    assert_int_equal(fr_director_set_class(t.director, t.w.thing, c, NULL), FR_OK);
    fr_class_release(c);
    put_into_hand(&t);
    fr_command command = {.name = "carry", .object = t.w.thing, .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 3.0}};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 400);
    double held = fr_object_get(fr_world_space(t.w.world), t.w.thing)->pose.position.y;
    const fr_command_parameter hand = {"hand", "right"};
    const fr_command release = {.name = "release", .object = t.w.thing, .parameters = &hand, .parameter_count = 1};
    assert_int_equal(give(&t, &release, NULL), FR_OK);
    ticks(&t, 240);
    double now = fr_object_get(fr_world_space(t.w.world), t.w.thing)->pose.position.y;
    print_message("from %.2f m to %.2f m\n", held, now);
    assert_true(now < held - 0.3 && now > -1.0);
    close_world(&t.w);
}

// A command, its ticks and its end with little memory: fr_director_create, fr_director_add_person,
// fr_director_set_class, fr_director_actor.
static fr_status make_director(const fr_allocator *allocator, void *context) {
    peopled w = *(const peopled *)context;
    fr_cast_def cast = fr_default_cast_def();
    cast.world = w.world;
    cast.allocator = *allocator;
    fr_status status = fr_cast_create(&cast, &w.cast, NULL);
    if (status != FR_OK) { return status; }
    fr_director_def def = fr_default_director_def();
    def.cast = w.cast;
    def.allocator = *allocator;
    fr_director *director = NULL;
    status = fr_director_create(&def, &director, NULL);
    if (status == FR_OK) {
        const fr_actor actor = fr_director_actor(director);
        status = fr_cast_add(w.cast, &actor, NULL);
        if (status != FR_OK) { fr_director_destroy(director); }
    }
    fr_person_def person = person_def(&w);
    person.allocator = *allocator;
    fr_class *c = read_class(CUP);
    if (status == FR_OK) { status = fr_director_add_person(director, &person, NULL); }
    if (status == FR_OK) { status = fr_director_set_class(director, w.thing, c, NULL); }
    fr_class_release(c);
    fr_clip *clip = NULL;
    if (status == FR_OK) { status = fr_cast_pull(w.cast, "Hana", FR_PULL_LEFT_PALM, fr_vec3_make(1, 1, 2), NULL); }
    if (status == FR_OK) { status = fr_cast_posture(w.cast, "Hana", &clip, NULL); }
    fr_clip_release(clip);
    const fr_command command = {.name = "go to", .object = w.thing, .ticket = 1};
    if (status == FR_OK) { status = fr_cast_command(w.cast, &command, NULL); }
    for (int k = 0; k < 3 && status == FR_OK; k++) {
        status = fr_cast_tick(w.cast, NULL, NULL);
    }
    fr_cast_destroy(w.cast);
    return status;
}

// A scene with one person whose world is there.
typedef struct peopled_scene {
    fr_scene *scene;
    fr_world *world;
} peopled_scene;

static void open_scene(peopled_scene *s) {
    const char *text =
        "{\"fureai\":1,\"step\":0.1,\"objects\":[],\"people\":[{\"name\":\"Hana\",\"detail\":\"coarse\"}]}";
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &s->scene, NULL), FR_OK);
    fr_world_def def = fr_scene_world_def(s->scene);
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    assert_int_equal(fr_scene_build_world(s->scene, NULL, s->world, NULL, NULL), FR_OK);
}

static fr_status count_person(const fr_person_def *def, void *user, fr_error *error) {
    (void)def, (void)error;
    ++*(uint32_t *)user;
    return FR_OK;
}

static fr_status add_scene_to(const fr_director_def *def, const fr_scene *scene) {
    fr_director *director;
    fr_status status = fr_director_create(def, &director, NULL);
    if (status != FR_OK) { return status; }
    status = fr_director_add_scene(director, scene, NULL);
    if (status == FR_OK) { status = fr_director_refresh(director, NULL, NULL); }
    fr_director_destroy(director);
    return status;
}

static fr_status make_scene_director(const fr_allocator *allocator, void *context) {
    const peopled_scene *s = context;
    fr_cast_def cast = fr_default_cast_def();
    cast.world = s->world;
    cast.allocator = *allocator;
    fr_director_def def = fr_default_director_def();
    def.allocator = *allocator;
    fr_status status = fr_cast_create(&cast, &def.cast, NULL);
    if (status != FR_OK) { return status; }
    uint32_t count = 0;
    status = fr_scene_people(s->scene, s->world, count_person, &count, allocator, NULL);
    if (status == FR_OK) { status = add_scene_to(&def, s->scene); }
    fr_director *director;
    if (status == FR_OK) { status = fr_director_create_for_scene(&def, s->scene, &director, NULL); }
    if (status == FR_OK) {
        assert_int_equal(count, 1);
        assert_int_equal(fr_director_person_count(director), 1);
        test_note_number(fr_director_hash(director));
    }
    fr_cast_destroy(def.cast);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    test_every_failure(make_director, &w);
    close_world(&w);
    peopled_scene s;
    open_scene(&s);
    test_every_bound(make_scene_director, &s, false);
    fr_world_destroy(s.world);
    fr_scene_destroy(s.scene);
}

// Those who carry out commands are listed with what they do; one who does nothing can be posed, and read as a clip.
static void people_are_listed_and_posed(void **state) {
    (void)state;
    directed t;
    open_directed(&t);
    fr_cast_person person;
    assert_true(fr_cast_get_person(t.w.cast, 0, &person));
    assert_false(fr_cast_get_person(t.w.cast, 1, &person));
    assert_true(fr_cast_get_person(t.w.cast, 0, &person));
    assert_string_equal(person.name, "Hana");
    assert_true(person.motion[0] == '\0' && person.ticket == 0 && person.waiting == 0);
    fr_vec3 point = fr_vec3_add(person.palms[FR_RIGHT], fr_vec3_make(0.0, 0.3, 0.2));
    assert_int_equal(fr_cast_pull(t.w.cast, "Hana", FR_PULL_RIGHT_PALM, point, NULL), FR_OK);
    assert_true(fr_cast_get_person(t.w.cast, 0, &person));
    assert_true(fr_vec3_distance(person.palms[FR_RIGHT], point) < 1e-6);
    ticks(&t, 3);
    assert_true(fr_cast_get_person(t.w.cast, 0, &person));
    assert_true(fr_vec3_distance(person.palms[FR_RIGHT], point) < 1e-6);
    fr_clip *clip;
    assert_int_equal(fr_cast_posture(t.w.cast, "Hana", &clip, NULL), FR_OK);
    assert_true(fr_clip_get(clip)->frame_count == 1 && fr_clip_get(clip)->clip_class == FR_CLIP_POSE);
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_clip_frame(clip, 0, &posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(t.w.skeleton, &posture, 1, poses, NULL), FR_OK);
    assert_true(fr_vec3_distance(poses[FR_LINK_RIGHT_PALM].position, point) < 1e-5);
    fr_clip_release(clip);

    fr_error error = {0};
    assert_int_equal(fr_cast_pull(t.w.cast, "Ken", FR_PULL_HEAD, point, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no person 'Ken'");
    assert_int_equal(fr_cast_posture(t.w.cast, "Ken", &clip, NULL), FR_ERROR_ARGUMENT);
    fr_command command = {.name = "approach", .object = t.w.thing, .person = "Hana", .ticket = 77};
    assert_int_equal(give(&t, &command, NULL), FR_OK);
    ticks(&t, 2);
    assert_true(fr_cast_get_person(t.w.cast, 0, &person));
    assert_string_equal(person.motion, "approach");
    assert_true(person.ticket == 77);
    assert_int_equal(fr_cast_pull(t.w.cast, "Hana", FR_PULL_HEAD, point, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "Hana does 'approach': stop that first");
    close_world(&t.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_are_listed_and_posed),    cmocka_unit_test(motions_are_done_and_reported),
        cmocka_unit_test(commands_follow_one_another),    cmocka_unit_test(what_follows_a_hand_is_constant_in_the_palm),
        cmocka_unit_test(what_is_released_stays),         cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_live_person_takes_it_away),    cmocka_unit_test(objects_say_what_they_afford),
        cmocka_unit_test(wrong_commands_are_refused),     cmocka_unit_test(parameters_that_nothing_reads_are_refused),
        cmocka_unit_test(motions_end_for_a_reason),       cmocka_unit_test(the_nearest_idle_person_is_chosen),
        cmocka_unit_test(one_of_two_has_the_cup),         cmocka_unit_test(a_changed_object_ends_its_motion),
        cmocka_unit_test(commands_that_wait_are_bounded), cmocka_unit_test(what_is_released_falls),
        cmocka_unit_test(memory_may_run_short),           cmocka_unit_test(a_walk_ends_facing_as_asked),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}
