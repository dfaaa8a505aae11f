// People whose skills are programs, in real time: bad programs end their own motion with its reason and no other, no
// tick waits for them, and what is new in the folder is there at once.
#include "folder.h"
#include "frame.h"
#include "peopled.h"

#include "fureai/act_director.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

typedef struct stage {
    peopled w;
    fr_director *director;
    fr_plug_ins *plug_ins;
    double longest;                                 // tick, milliseconds
    char failed[FR_WORLD_STATE_NAME_MAX_BYTES + 1]; // the last event of that kind
    double ken;                                     // metres that Ken went
    uint32_t late;                                  // ticks in which a program was late
    uint64_t waits;                                 // of ticks for something, however busy the machine is
    bool ken_nods;                                  // in place of a walk
} stage;

// How often this process has waited for something.
static uint64_t waits_so_far(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_nvcsw;
}

// `is_forced`: programs do what looks at shapes, too.
static void open_stage_of(stage *s, const char *path, bool is_forced) {
    memset(s, 0, sizeof *s);
    open_world(&s->w);
    fr_plug_ins_def plug = fr_default_plug_ins_def();
    plug.ready_seconds = 60.0; // the machine may be busy
    s->plug_ins = open_folder(path, plug);
    fr_director_def def = fr_default_director_def();
    def.cast = s->w.cast;
    def.plug_ins = s->plug_ins;
    def.is_forced = is_forced;
    assert_int_equal(fr_director_create(&def, &s->director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(s->director);
    assert_int_equal(fr_cast_add(s->w.cast, &actor, NULL), FR_OK);
    fr_person_def person = person_def(&s->w);
    assert_int_equal(fr_director_add_person(s->director, &person, NULL), FR_OK);
    person.name = "Ken";
    person.skin = (fr_object_id){0, 0, 0};
    person.proxies = NULL;
    person.place.x = 5.0;
    assert_int_equal(fr_director_add_person(s->director, &person, NULL), FR_OK);
}

static void open_stage(stage *s, const char *path) { open_stage_of(s, path, false); }

// Nothing is left: no child of this process, running or not.
static void close_stage(stage *s) {
    close_world(&s->w);
    fr_plug_ins_destroy(s->plug_ins);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void step(stage *s) {
    const struct timespec moment = {.tv_nsec = 3000000};
    uint64_t begin_ns = fr_clock_ns(), waits = waits_so_far();
    tick(&s->w);
    s->waits += waits_so_far() - waits;
    s->longest = fmax(s->longest, fr_clock_ms_since(begin_ns));
    s->late += fr_director_get(s->director, 0).is_late;
    const fr_snapshot *seen = fr_world_snapshot(s->w.world);
    for (size_t i = 0; i < seen->event_count; i++) {
        bool is_failure = strncmp(seen->events[i].name, FR_DIRECTOR_FAILED, strlen(FR_DIRECTOR_FAILED)) == 0;
        if (is_failure) { memcpy(s->failed, seen->events[i].name, sizeof s->failed); }
    }
    fr_snapshot_release(seen);
    (void)nanosleep(&moment, NULL);
}

static void command(const stage *s, const fr_command *given) {
    fr_error error = {0};
    if (fr_cast_command(s->w.cast, given, &error) != FR_OK) { fail_msg("%s: %s", given->name, error.message); }
}

static fr_vec3 place_of_ken(const stage *s) {
    return fr_person_links(fr_director_get(s->director, 1).person)[0].position;
}

// Ken walks, or nods.
static void move_ken(const stage *s) {
    static const fr_command_parameter word = {"word", "nod"};
    fr_command walk = {.name = "walk", .person = "Ken", .given = FR_COMMAND_GOAL};
    walk.goal = fr_vec3_make(5.0, 0.0, place_of_ken(s).z > 5.0 ? 2.0 : 8.0);
    const fr_command nod = {.name = "gesture", .person = "Ken", .parameters = &word, .parameter_count = 1};
    if (fr_director_get(s->director, 1).motion[0] == '\0') { command(s, s->ken_nods ? &nod : &walk); }
}

// Hana does it, until it ends or `ticks` are over; Ken moves meanwhile.
static fr_command_end carry_out(stage *s, const fr_command *given, int ticks) {
    fr_command_end end = {0};
    fr_vec3 before = place_of_ken(s);
    move_ken(s);
    s->failed[0] = '\0';
    command(s, given);
    for (int i = 0; i < ticks && end.ticket == 0; i++) {
        step(s);
        while (end.ticket == 0 && fr_cast_ended(s->w.cast, &end)) {}
    }
    s->ken += fabs(place_of_ken(s).z - before.z);
    return end;
}

static void stop(stage *s) {
    const fr_command stopping = {.name = FR_DIRECTOR_STOP, .person = "Hana"};
    command(s, &stopping);
    step(s);
    fr_command_end end;
    while (fr_cast_ended(s->w.cast, &end)) {}
}

static void bad_programs_end_their_own_motion(void **state) {
    (void)state;
    const struct {
        const char *name, *message; // part of it; "": it goes on
    } cases[] = {{"hang", "ten steps were late"},
                 {"flood", ""},
                 {"fork", ""},
                 {"half", "it ended in a message"},
                 {"half_hang", "ten steps were late"},
                 {"other", "it is at another frame"},
                 {"close_stdin", "it reads no more"},
                 {"deaf", "it reads no more"},
                 {"close_stdout", "it"},
                 {"die", "it"},
                 {"garbage", "no message"},
                 {"twice", "it is at another frame"},
                 {"error", "the cup is too hot"},
                 {"refuse", "there is no cup"},
                 {"gone", "it"},
                 {"script", "it"},
                 {"plain", "it is not executable"}};
    stage s;
    open_stage(&s, folder);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fr_command bad = {.name = cases[i].name, .person = "Hana", .ticket = i + 1};
        bool is_bad = cases[i].message[0] != '\0';
        fr_command_end end = carry_out(&s, &bad, is_bad ? 4000 : 100);
        if (!is_bad) {
            if (end.ticket != 0) { fail_msg("%s: '%s'", cases[i].name, end.message); }
            stop(&s);
            continue;
        }
        bool is_right = end.ticket == i + 1 && end.status != FR_OK && strstr(end.message, cases[i].message) != NULL;
        if (!is_right) { fail_msg("%s: '%s'", cases[i].name, end.message); }
        // The page hears of it, and the person stands still.
        step(&s);
        if (strncmp(s.failed, FR_DIRECTOR_FAILED, strlen(FR_DIRECTOR_FAILED)) != 0) {
            fail_msg("%s: no event", cases[i].name);
        }
        step(&s);
        fr_vec3 palm = bone_place(&s.w, FR_LINK_RIGHT_PALM);
        step(&s);
        assert_true(fr_vec3_distance(palm, bone_place(&s.w, FR_LINK_RIGHT_PALM)) < 1e-6);
    }
    print_message("the longest tick: %.1f ms; %u ticks with a program that was late\n", s.longest, s.late);
    assert_true(s.late > 0 && s.ken > 1.0);
    assert_true(HAS_SANITIZER || s.longest < 90.0); // none has waited for a step that was due in 100 ms
    close_stage(&s);
}

// Killed at any frame, again and again.
static void programs_that_die_leave_the_rest(void **state) {
    (void)state;
    uint32_t count = test_is_long() ? 100 : 10;
    stage s;
    open_stage(&s, folder);
    for (uint32_t i = 0; i < count; i++) {
        const fr_command die = {.name = "die", .person = "Hana", .ticket = i + 1};
        fr_command_end end = carry_out(&s, &die, 4000);
        assert_true(end.ticket == i + 1 && end.status != FR_OK);
    }
    assert_int_equal(fr_director_get(s.director, 0).failed, count);
    assert_int_equal(fr_director_get(s.director, 1).failed, 0);
    close_stage(&s);
}

#define THING                                                                                                          \
    "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"affords\":[{\"motion\":\"use\",\"human\":[{\"skill\":\"gesture\","         \
    "\"frames\":900,"                                                                                                  \
    "\"parameters\":{\"word\":\"nod\"}}],\"object\":{\"skill\":\"%s\"}}]}"

// The skill of an object is a program that fails.
static void bad_programs_of_objects_end_the_motion(void **state) {
    (void)state;
    const char *const names[] = {"hang", "endless", "gone", "plain", "script"};
    stage s;
    open_stage(&s, folder);
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[1024];
        int size = snprintf(text, sizeof text, THING, names[i]);
        fr_class_read_input input = fr_default_class_read_input();
        input.name = "thing";
        fr_class *c;
        assert_int_equal(fr_class_read(text, (size_t)size, &input, &c, NULL), FR_OK);
        assert_int_equal(fr_director_set_class(s.director, s.w.thing, c, NULL), FR_OK);
        fr_class_release(c);
        const fr_command use = {.name = "use", .object = s.w.thing, .person = "Hana", .ticket = i + 1};
        fr_command_end end = carry_out(&s, &use, 4000);
        if (end.status == FR_OK) { fail_msg("%s: it is done", names[i]); }
        step(&s);
        assert_null(fr_cast_claim(s.w.cast, s.w.thing));
    }
    close_stage(&s);
}

// A program is used as soon as it is there, and the new one as soon as its file is another.
static void what_is_new_is_there_at_once(void **state) {
    (void)state;
    stage s;
    open_stage(&s, folder);
    fr_command sway = {.name = "sway", .person = "Hana", .ticket = 1};
    assert_int_equal(fr_cast_command(s.w.cast, &sway, NULL), FR_ERROR_ARGUMENT);
    assert_true(
        put_program("sway",
                    "#!/bin/sh\nread init\necho '{\"t\":\"ready\",\"frames\":0,\"error\":\"first\",\"again\":1}'\n"
                    "read next\n",
                    0755));
    fr_command_end end = carry_out(&s, &sway, 1000);
    assert_string_equal(end.message, "first");
    assert_true(put_program(
        "sway", "#!/bin/sh\nread init\necho '{\"t\":\"ready\",\"frames\":0,\"error\":\"second, longer\"}'\n", 0755));
    sway.ticket = 2;
    end = carry_out(&s, &sway, 1000);
    assert_string_equal(end.message, "second, longer");
    char path[256];
    snprintf(path, sizeof path, "%s/sway", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(fr_cast_command(s.w.cast, &sway, NULL), FR_ERROR_ARGUMENT);
    close_stage(&s);
}

// Programs of the skills in real time: people are shown a tick late, and get there all the same.
static void programs_walk_in_real_time(void **state) {
    (void)state;
    stage s;
    open_stage(&s, ALGORITHMS);
    // The second one by a process that waits.
    const fr_vec3 goals[2] = {{1.0, 0.0, 5.0}, {-1.0, 0.0, 5.0}};
    for (uint32_t i = 0; i < 2; i++) {
        fr_command walk = {.name = "walk", .person = "Hana", .given = FR_COMMAND_GOAL | FR_COMMAND_FACING};
        walk.goal = goals[i];
        walk.facing = i == 0 ? -1.5 : 1.5;
        walk.ticket = i + 1;
        fr_command_end end = carry_out(&s, &walk, 20000);
        if (end.status != FR_OK) { fail_msg("%s", end.message); }
        step(&s);
        fr_vec3 hip = bone_place(&s.w, 0);
        const fr_pose *links = fr_person_links(fr_director_get(s.director, 0).person);
        fr_vec3 ahead = fr_mat3_apply(fr_quat_to_mat3(links[0].rotation), fr_vec3_make(0.0, 0.0, 1.0));
        print_message("at %.4f %.4f, facing %.3f\n", hip.x, hip.z, atan2(ahead.x, ahead.z));
        assert_true(hypot(hip.x - goals[i].x, hip.z - goals[i].z) < 2e-3);
        assert_true(fabs(atan2(ahead.x, ahead.z) - walk.facing) < 0.05);
    }
    const fr_command_parameter angle = {"angle", "0.4"};
    const fr_command shake = {
        .name = "shake_head.py", .person = "Hana", .ticket = 3, .parameters = &angle, .parameter_count = 1};
    fr_command_end end = carry_out(&s, &shake, 20000);
    if (end.status != FR_OK) { fail_msg("%s", end.message); }
    assert_int_equal(fr_director_get(s.director, 0).done, 3);
    close_stage(&s);
}

// Kills the children of this process that run the program of that name; how many.
static int kill_program(const char *name) {
    int killed = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300], text[1024];
        long process = strtol(entry->d_name, NULL, 10), parent = 0;
        snprintf(path, sizeof path, "/proc/%ld/stat", process);
        FILE *file = process > 0 ? fopen(path, "r") : NULL;
        if (file == NULL) { continue; }
        char phase = 'Z';
        bool is_read = fscanf(file, "%*d (%1000[^)]) %c %ld", text, &phase, &parent) == 3;
        fclose(file);
        bool is_it = is_read && phase != 'Z' && parent == (long)getpid() && strcmp(text, name) == 0;
        if (is_it) { killed += kill((pid_t)process, SIGKILL) == 0; }
    }
    closedir(processes);
    return killed;
}

typedef enum thing_place { FAR, IN_REACH, SEAT } thing_place;

// Where the thing is for a skill, as Hana stands: in reach of the right hand and facing her, as a seat behind her, or
// far from all.
static void put_thing(const stage *s, thing_place where) {
    bool is_seat = where == SEAT;
    const fr_pose *links = fr_person_links(fr_director_get(s->director, 0).person);
    fr_vec3 ahead = fr_mat3_apply(fr_quat_to_mat3(links[0].rotation), fr_vec3_make(0.0, 0.0, 1.0));
    double heading = atan2(ahead.x, ahead.z);
    const fr_vec3 up = {0.0, 1.0, 0.0}, hip = {links[0].position.x, 0.0, links[0].position.z};
    fr_pose body = fr_pose_make(hip, fr_quat_from_axis_angle(up, heading));
    if (where == FAR) { body.position = fr_vec3_make(30.0, 0.0, 30.0); }
    fr_vec3 local = is_seat ? fr_vec3_make(0.0, 0.45, -0.2) : fr_vec3_make(-0.2, 1.15, 0.35);
    fr_quat towards = fr_quat_from_axis_angle(up, heading + (is_seat ? 0.0 : fr_radians(180.0)));
    fr_pose pose = fr_pose_make(fr_pose_apply(&body, local), towards);
    assert_int_equal(fr_object_set_pose(fr_world_space(s->w.world), s->w.thing, &pose, NULL), FR_OK);
}

typedef struct killed_skill {
    const char *name, *process;
    const fr_command_parameter *parameter; // NULL: none
    thing_place place;
    uint32_t frames; // 0: as long as is natural
    bool has_goal;   // a place to walk to
} killed_skill;

// Kills the programs of skills from outside at random frames, each in turn: the person stands, with the reason, and no
// tick waits.
static void kill_in_turn(stage *s, const killed_skill *skills, uint32_t skill_count, uint32_t count, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    uint32_t killed = 0;
    uint64_t waits = 0;
    for (uint32_t i = 0; i < count; i++) {
        const killed_skill *skill = &skills[i % skill_count];
        fr_command given = {.name = skill->name, .person = "Hana", .ticket = i + 1, .frames = skill->frames};
        given.given = FR_COMMAND_FACING;
        given.facing = i % 2 == 0 ? 1.5 : -1.5;
        given.parameters = skill->parameter;
        given.parameter_count = given.parameters != NULL ? 1 : 0;
        put_thing(s, skill->place);
        if (skill->place != FAR) { given.object = s->w.thing; }
        if (skill->has_goal) {
            given.given |= FR_COMMAND_GOAL;
            const fr_pose *links = fr_person_links(fr_director_get(s->director, 0).person);
            given.goal = fr_vec3_make(1.0, 0.0, links[0].position.z > 2.0 ? -6.0 : 10.0);
        }
        // It is at work when it is killed: the first frames may still be on their way.
        uint64_t at = 20 + fr_random_below(&random, 60);
        fr_command_end end = carry_out(s, &given, (int)at);
        if (end.ticket != 0) { fail_msg("%s ended by itself: %s", given.name, end.message); }
        // On a busy machine it may not have been started yet.
        bool is_killed = kill_program(skill->process) > 0;
        for (int k = 0; k < 1000 && !is_killed; k++) {
            step(s);
            is_killed = kill_program(skill->process) > 0;
        }
        killed += is_killed;
        s->waits = 0;
        for (int k = 0; k < 4000 && end.ticket == 0; k++) {
            step(s);
            while (end.ticket == 0 && fr_cast_ended(s->w.cast, &end)) {}
        }
        waits += s->waits;
        bool is_right = end.ticket == given.ticket && end.status != FR_OK && end.message[0] != '\0';
        if (!is_right) { fail_msg("%s: %d '%s'", given.name, (int)end.status, end.message); }
    }
    print_message("%u of %u killed; ticks waited %u times meanwhile\n", killed, count, (unsigned)waits);
    assert_int_equal(killed, count);
    assert_int_equal(fr_director_get(s->director, 0).failed, count);
    assert_int_equal(fr_director_get(s->director, 1).failed, 0);
    assert_true(waits == 0);
}

// Skills that look at no thing. Ken, whom another program walks, arrives.
static void any_program_may_be_killed_at_any_frame(void **state) {
    (void)state;
    static const fr_command_parameter right = {"hand", "right"}, angle = {"angle", "0.4"};
    const killed_skill skills[] = {{"turn", "turn", NULL, FAR, 300, false},
                                   {"hold_arm", "hold_arm", &right, FAR, 300, false},
                                   {"carry", "carry", &right, FAR, 300, false},
                                   {"stand", "stand", NULL, FAR, 300, false},
                                   {"shake_head.py", "python3", &angle, FAR, 300, false}};
    enum { SKILLS = sizeof skills / sizeof skills[0] };
    stage s;
    open_stage(&s, ALGORITHMS);
    kill_in_turn(&s, skills, SKILLS, test_is_long() ? 100 * SKILLS : 2 * SKILLS, 100);
    // The program of a walk makes its clips first, which takes seconds where memory is checked.
    fr_vec3 at_last = place_of_ken(&s);
    for (int k = 0; k < 20000 && s.ken + fabs(place_of_ken(&s).z - at_last.z) <= 1.0; k++) {
        step(&s);
    }
    s.ken += fabs(place_of_ken(&s).z - at_last.z);
    print_message("Ken went %.1f m\n", s.ken);
    assert_true(s.ken > 1.0);
    close_stage(&s);
}

// Those that walk, play a motion, or act on a thing. Ken nods, since all programs of a name are killed.
static void programs_with_a_thing_may_be_killed_at_any_frame(void **state) {
    (void)state;
    static const fr_command_parameter right = {"hand", "right"}, door = {"clip", "door"};
    const killed_skill skills[] = {{"walk", "walk", NULL, FAR, 0, true},
                                   {"mocap_play", "mocap_play", &door, FAR, 0, false},
                                   {"grasp", "grasp", &right, IN_REACH, 300, false},
                                   {"ik_reach", "ik_reach", &right, IN_REACH, 300, false},
                                   {"press", "press", &right, IN_REACH, 300, false},
                                   {"look_at", "look_at", NULL, IN_REACH, 300, false},
                                   {"release", "release", &right, IN_REACH, 300, false},
                                   {"sit", "sit", NULL, SEAT, 300, false}};
    enum { SKILLS = sizeof skills / sizeof skills[0] };
    stage s;
    open_stage_of(&s, ALGORITHMS, true);
    s.ken_nods = true;
    kill_in_turn(&s, skills, SKILLS, test_is_long() ? 100 * SKILLS : 2 * SKILLS, 102);
    assert_true(fr_director_get(s.director, 1).done > 0);
    close_stage(&s);
}

// Likewise the program that is the skill of an object: the motion that it is done with ends, and nobody has the object.
static void programs_of_objects_may_be_killed_at_any_frame(void **state) {
    (void)state;
    fr_random random = fr_random_seed(101);
    static const char *const names[] = {"button", "dial", "door", "follow_hand", "lever"}; // `fall` is done at once
    uint32_t skill_count = sizeof names / sizeof names[0], killed = 0;
    uint32_t count = (test_is_long() ? 100 : 2) * skill_count;
    assert_int_equal(skill_count + 1, fr_object_skill_count());
    stage s;
    open_stage(&s, ALGORITHMS);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = names[i % skill_count];
        char text[1024];
        int size = snprintf(text, sizeof text, THING, name);
        fr_class_read_input input = fr_default_class_read_input();
        input.name = "thing";
        fr_class *c;
        assert_int_equal(fr_class_read(text, (size_t)size, &input, &c, NULL), FR_OK);
        assert_int_equal(fr_director_set_class(s.director, s.w.thing, c, NULL), FR_OK);
        fr_class_release(c);
        const fr_command use = {.name = "use", .object = s.w.thing, .person = "Hana", .ticket = i + 1};
        fr_command_end end = carry_out(&s, &use, (int)(20 + fr_random_below(&random, 60)));
        if (end.ticket != 0) { fail_msg("%s ended by itself: %s", name, end.message); }
        killed += kill_program(name) > 0;
        s.waits = 0;
        for (int k = 0; k < 4000 && end.ticket == 0; k++) {
            step(&s);
            while (end.ticket == 0 && fr_cast_ended(s.w.cast, &end)) {}
        }
        bool is_right = end.ticket == use.ticket && end.status != FR_OK && end.message[0] != '\0' && s.waits == 0;
        if (!is_right) { fail_msg("%s: %d '%s', %u waits", name, (int)end.status, end.message, (unsigned)s.waits); }
        step(&s);
        assert_null(fr_cast_claim(s.w.cast, s.w.thing));
    }
    print_message("%u of %u killed\n", killed, count);
    assert_int_equal(killed, count);
    assert_int_equal(fr_director_get(s.director, 0).failed, count);
    assert_int_equal(fr_director_get(s.director, 1).failed, 0);
    // The reason of what failed is none of what is done later.
    const fr_command_parameter nod = {"word", "nod"};
    const fr_command later = {.name = "gesture",
                              .person = "Hana",
                              .ticket = count + 1,
                              .frames = 30,
                              .parameters = &nod,
                              .parameter_count = 1};
    fr_command_end end = carry_out(&s, &later, 4000);
    assert_int_equal(end.ticket, count + 1);
    assert_int_equal(end.status, FR_OK);
    assert_string_equal(end.message, "");
    close_stage(&s);
}

static int set_up(void **state) { return make_body(state) == 0 && make_bad_folder() ? 0 : 1; }

static int tear_down(void **state) {
    remove_bad_folder();
    return release_body(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_walk_in_real_time),
        cmocka_unit_test(bad_programs_end_their_own_motion),
        cmocka_unit_test(programs_that_die_leave_the_rest),
        cmocka_unit_test(bad_programs_of_objects_end_the_motion),
        cmocka_unit_test(what_is_new_is_there_at_once),
        cmocka_unit_test(any_program_may_be_killed_at_any_frame),
        cmocka_unit_test(programs_with_a_thing_may_be_killed_at_any_frame),
        cmocka_unit_test(programs_of_objects_may_be_killed_at_any_frame),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
