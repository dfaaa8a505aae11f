// The command plan, as a user runs it.
#include "scratch.h"

// A cube of 1 about the origin, and a wall across x = 3 with a door of 2 in its middle.
static const char cube[] =
    "v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\n"
    "v .5 .5 .5\nv -.5 .5 .5\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char wall[] = "v 3 -9 -9\nv 3 -1 -9\nv 3 -1 9\nv 3 -9 9\nf 1 2 3 4\n"
                           "v 3 1 -9\nv 3 9 -9\nv 3 9 9\nv 3 1 9\nf 5 6 7 8\n";
#define BODY "[problem]\nname = Door\nrobot = cube.obj\nworld = wall.obj\n"
#define ROOM "volume.min.x=-1\nvolume.min.y=-8\nvolume.min.z=-8\nvolume.max.x=7\nvolume.max.y=8\nvolume.max.z=8\n"
#define FROM(x, y) "start.x = " #x "\nstart.y = " #y "\nstart.z = 0\n"
#define TO(x, y) "goal.x = " #x "\ngoal.y = " #y "\ngoal.z = 0\n"

static void put_problem(void) {
    put_file("cube.obj", cube);
    put_file("wall.obj", wall);
    put_file("door.cfg", BODY FROM(0, 4) TO(6, -4) ROOM);
}

static void a_way_is_found_and_proven(void **state) {
    (void)state;
    put_problem();
    RUN("plan", "door.cfg", "--out", "way.path");
    expect_answer("a path of ");
    expect_answer(", proven free\n");
    RUN("plan", "door.cfg", "--check", "way.path");
    expect_answer("free: ");
    RUN("--json", "plan", "door.cfg", "--wish", "shortest", "--seed", "3");
    expect_answer("{\"found\":true,\"checked\":true,\"length\":1");
    expect_answer("\"states\":[{\"position\":[0,4,0],\"rotation\":[1,0,0,0]}");
    expect_answer("\"ms\":{\"robot\":0,\"field\":");
    static char first[PROCESS_TEXT_BYTES];
    memcpy(first, p.out, sizeof first);
    RUN("--json", "plan", "door.cfg", "--wish", "shortest", "--seed", "3");
    size_t same = (size_t)(strstr(first, "\"ms\":") - first);
    assert_memory_equal(p.out, first, same);
}

static void a_path_that_fails_is_told(void **state) {
    (void)state;
    put_problem();
    put_file("straight.path", "0 4 0 0 0 0 1\n6 4 0 0 0 0 1\n");
    RUN("plan", "door.cfg", "--check", "straight.path");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "not free: between states 0 and 1, at 0.4166"); // as deep as the body may go is not in it
    RUN("--json", "plan", "door.cfg", "--check", "straight.path");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "\"checked\":false");
    put_file("out.path", "0 4 0 0 0 0 1\n-3 4 0 0 0 0 1\n");
    RUN("plan", "door.cfg", "--check", "out.path");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "it leaves the bounds");
}

static void no_is_an_answer(void **state) {
    (void)state;
    put_problem();
    put_file("blocked.cfg", BODY FROM(3, 4) TO(6, -4) ROOM);
    RUN("plan", "blocked.cfg");
    expect_answer("no path: the start is not free: triangle ");
    RUN("--json", "plan", "blocked.cfg");
    expect_answer("{\"found\":false,\"checked\":false");
    expect_answer("\"blocked\":\"start\"");
    put_file("narrow.cfg", BODY FROM(0, 4) TO(6, -4) ROOM);
    RUN("plan", "narrow.cfg", "--margin", "0.6", "--moves", "200");
    expect_answer("no path found in ");
    RUN("--json", "plan", "narrow.cfg", "--margin", "0.6", "--moves", "200");
    expect_answer("\"outcome\":\"not-found\"");
}

// Before the wall there is room for the cube as it starts, not as it is to end.
static void any_rotation_will_do_when_asked(void **state) {
    (void)state;
    put_problem();
    put_file("turned.cfg",
             BODY FROM(0, 4) TO(2.4, 4) "goal.axis.x=0\ngoal.axis.y=0\ngoal.axis.z=1\ngoal.theta=0.785\n" ROOM);
    RUN("plan", "turned.cfg");
    expect_answer("no path: the goal is not free: ");
    RUN("plan", "turned.cfg", "--any-rotation", "--depth", "3");
    expect_answer(", proven free\n");
    RUN("plan", "turned.cfg", "--depth", "1");
    expect_failure(2, "--depth: 1 is outside 2 .. ");
}

static void wrong_problems_are_explained(void **state) {
    (void)state;
    put_problem();
    RUN("plan", "nowhere.cfg");
    expect_failure(3, "nowhere.cfg");
    put_file("far.cfg", BODY FROM(0, 40) TO(6, -4) ROOM);
    RUN("plan", "far.cfg");
    expect_failure(3, "far.cfg: the start lies outside the bounds");
    put_file("lost.cfg", "[problem]\nrobot = cube.obj\nworld = no.obj\n" FROM(0, 4) TO(6, -4) ROOM);
    RUN("plan", "lost.cfg");
    expect_failure(3, "no.obj");
    put_file("car.cfg", BODY "control = car\n" FROM(0, 4) TO(6, -4) ROOM);
    RUN("plan", "car.cfg");
    expect_failure(3, "car.cfg:5:1: problems with controls are not planned");
    put_file("flat.path", "0 4 0\n6 4 0\n");
    RUN("plan", "door.cfg", "--check", "flat.path");
    expect_failure(3, "flat.path:1:1: the path has 2 dimensions, the problem 3");
}

// A gate in a slit, which opens at 2 s; the robot, a unit box, has to wait for it.
#define GATE(known) SLIT("", known)
#define SHUT SLIT(",\"scale\":7", "")
#define SLIT(size, known)                                                                                              \
    "{\"fureai\":1,\"step\":0.1,\"steps\":60,\"objects\":[{\"name\":\"walls\",\"boxes\":[[7,0,0,9,6,16],[7,10,0,9,16," \
    "16]]},"                                                                                                           \
    "{\"name\":\"robot\",\"shape\":\"box\"" size                                                                       \
    "},{\"name\":\"gate\",\"boxes\":[[-1,-2,-9,1,2,9]],\"pivot\":[0,0,0]" known                                        \
    ",\"path\":[{\"t\":0,\"position\":[8,8,8]},{\"t\":2,\"position\":[8,8,8]},{\"t\":4,\"position\":[8,8,28]}]}],"     \
    "\"plan\":{\"robot\":\"robot\",\"start\":{\"position\":[3,8,8]},\"goal\":{\"position\":[13,8,8]},\"speed\":4,"     \
    "\"bounds\":{\"min\":[0,0,0],\"max\":[16,16,16]},\"depth\":4}}"

// The written path is that of the body, which is scaled.
static void a_body_goes_over_a_floor(void **state) {
    (void)state;
    RUN("plan", SCENE_FOLDER "/plan_floor.json", "--out", "floor.path");
    expect_answer("proven free\n");
    RUN("plan", SCENE_FOLDER "/plan_floor.json", "--check", "floor.path");
    expect_answer("free: ");
}

static void what_moves_is_planned_in_time(void **state) {
    (void)state;
    put_file("known.json", GATE(",\"known\":true"));
    RUN("plan", "known.json", "--out", "known.path");
    expect_answer("proven free in time, against all that moves\n");
    RUN("plan", "known.json", "--check", "known.path");
    expect_answer("free in time: ");
    RUN("--json", "plan", "known.json");
    expect_answer("\"outcome\":\"found\"");
    expect_answer("\"timed\":true");
    expect_answer("\"states\":[{\"t\":0,\"position\":[3,8,8]");
    put_file("seen.json", GATE(""));
    RUN("plan", "seen.json");
    expect_answer("proven free in time, against all that moves\n");
    expect_answer("motions were seen, not known: ");
    // Straight on the gate is met; the same line long after it has opened is free, and too fast is not.
    put_file("early.path", "0 3 8 8 0 0 0 1\n4 13 8 8 0 0 0 1\n");
    RUN("plan", "seen.json", "--check", "early.path");
    assert_int_equal(p.status, 4);
    put_file("late.path", "5 3 8 8 0 0 0 1\n9 13 8 8 0 0 0 1\n");
    RUN("plan", "seen.json", "--check", "late.path");
    expect_answer("free in time: ");
    // Of the slit, 4 wide, the box of 1 leaves 1.5 on each side; what is measured is up to a thirtieth less.
    RUN("--json", "plan", "seen.json", "--check", "late.path");
    expect_answer("\"clearance\":1.");
    put_file("fast.path", "5 3 8 8 0 0 0 1\n6 13 8 8 0 0 0 1\n");
    RUN("plan", "seen.json", "--check", "fast.path");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "is faster than the problem allows");
    // A box of 7 does not pass the slit of 4 at any time.
    put_file("shut.json", SHUT);
    RUN("--json", "plan", "shut.json", "--moves", "3000");
    expect_answer("\"outcome\":\"impossible\"");
    // Without times all is taken at time 0, and the result says so.
    put_file("still.path", "3 8 8 0 0 0 1\n4 8 8 0 0 0 1\n");
    RUN("plan", "seen.json", "--check", "still.path");
    expect_answer("free, with everything taken at time 0: ");
}

// The worlds of the specification, by the searches that they name.
static void scenes_are_planned(void **state) {
    (void)state;
    RUN("plan", SCENE_FOLDER "/plan_s1k.json");
    expect_answer(", proven free\n");
    RUN("plan", SCENE_FOLDER "/plan_d2.json");
    expect_answer("44 m long, 3 turns, proven free among the cells; 78 ticks, 30 of them waiting\n");
    RUN("--json", "plan", SCENE_FOLDER "/plan_d4.json");
    expect_answer("\"found\":true,\"checked\":true");
    put_file("k.json",
             "{\"fureai\":1,\"objects\":[{\"name\":\"wall\",\"boxes\":[[7,0,9,5],[7,8,9,16]]},"
             "{\"name\":\"bar\",\"boxes\":[[-1,0,2,1]],\"pivot\":[0.5,0.5,0]}],\"plan\":{\"robot\":\"bar\",\"start\":"
             "{\"position\":[3.5,3.5,0]},\"goal\":{\"position\":[13.5,12.5,0],\"rotation\":null},\"bounds\":{\"min\":"
             "[0,0,0],\"max\":[16,16,0]},\"dimension\":2,\"depth\":4,\"mode\":\"k\"}}");
    RUN("plan", "k.json");
    expect_answer("a path of ");
    expect_answer("not proven");
    put_file("none.json", "{\"fureai\":1,\"objects\":[]}");
    RUN("plan", "none.json");
    expect_failure(3, "none.json:1:1: the scene has no 'plan'");
}

static void robots_go_together(void **state) {
    (void)state;
#define CROSS(name, x, y, u, v)                                                                                        \
    "{\"robot\":\"" name "\",\"start\":{\"position\":[" #x "," #y ",0]},\"goal\":{\"position\":[" #u "," #v ",0],"     \
    "\"rotation\":null},\"bounds\":{\"min\":[0,0,0],\"max\":[32,32,0]},\"dimension\":2,\"search\":\"astar\"}"
    put_file("two.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"boxes\":[[0,0,3,3]],\"pivot\":[1.5,1.5,0]},"
                         "{\"name\":\"b\",\"boxes\":[[0,0,3,3]],\"pivot\":[1.5,1.5,0]}],\"plan\":[" CROSS(
                             "a", 4.5, 16.5, 27.5, 16.5) "," CROSS("b", 27.5, 16.5, 4.5, 16.5) "]}");
    RUN("--json", "plan", "two.json");
    expect_answer("{\"found\":true");
    expect_answer("\"others\":[{\"found\":true,\"states\":[{\"position\":[27.5,16.5,0]");
}

static void ways_are_drawn(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { return; }
    put_problem();
    RUN("plan", "door.cfg", "--picture", "way.svg");
    assert_int_equal(p.status, 0);
    expect_in(take_file("way.svg"), "<svg");
}

// A model with an interpolator, what hangs on something that moves, and a box that stands.
static void what_is_taken_at_the_start_is_named(void **state) {
    (void)state;
    put_file("slider.wrl", "#VRML V2.0 utf8\nDEF b Transform { children Shape { geometry Box { } } }\n"
                           "DEF t TimeSensor { cycleInterval 4 loop TRUE }\n"
                           "DEF p PositionInterpolator { key [0 1] keyValue [0 0 0, 0 2 0] }\n"
                           "ROUTE t.fraction_changed TO p.set_fraction\nROUTE p.value_changed TO b.set_translation\n");
    put_file(
        "own.json",
        "{\"fureai\":1,\"step\":0.1,\"steps\":60,\"objects\":[{\"name\":\"robot\",\"shape\":\"box\"},"
        "{\"name\":\"slider\",\"model\":\"slider.wrl\",\"position\":[3,-6,0]},"
        "{\"name\":\"cart\",\"shape\":\"box\",\"position\":[3,6,0],\"velocity\":[0,0,0.1],\"known\":true},"
        "{\"name\":\"lid\",\"shape\":\"box\",\"position\":[5,6,0]},"
        "{\"name\":\"stone\",\"shape\":\"box\",\"position\":[3,3,0]}],"
        "\"joints\":[{\"kind\":\"hinge\",\"parent\":\"cart\",\"child\":\"lid\",\"position\":[4,6,0],\"axis\":[0,0,1]}],"
        "\"plan\":{\"robot\":\"robot\",\"start\":{\"position\":[0,0,0]},\"goal\":{\"position\":[6,0,0]},"
        "\"bounds\":{\"min\":[-1,-8,-8],\"max\":[8,8,8]}}}");
    RUN("--json", "plan", "own.json");
    expect_answer("\"taken_at_start\":[\"slider\",\"lid\"]");
    expect_in(p.err, "'slider' moves by itself or with a joint: it is taken at time 0");
    RUN("--json", "plan", "door.cfg");
    expect_answer("\"taken_at_start\":[]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_is_found_and_proven),
        cmocka_unit_test(a_path_that_fails_is_told),
        cmocka_unit_test(no_is_an_answer),
        cmocka_unit_test(any_rotation_will_do_when_asked),
        cmocka_unit_test(wrong_problems_are_explained),
        cmocka_unit_test(ways_are_drawn),
        cmocka_unit_test(what_moves_is_planned_in_time),
        cmocka_unit_test(a_body_goes_over_a_floor),
        cmocka_unit_test(what_is_taken_at_the_start_is_named),
        cmocka_unit_test(scenes_are_planned),
        cmocka_unit_test(robots_go_together),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
