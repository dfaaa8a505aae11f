// The command assemble, as a user runs it.
#include "scratch.h"

#include <signal.h>

#define PISTON DEMO_FOLDER "/piston.json"

// Reads a whole file that the tool wrote.
static size_t keep_file(const char *name, char *bytes, size_t size) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t read = fread(bytes, 1, size, file);
    fclose(file);
    return read;
}

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

static void a_hand_puts_the_piston_together(void **state) {
    (void)state;
    RUN("assemble", PISTON, "--check");
    expect_answer("6 of 6 parts fitted in ");
    expect_answer(", without aid; 0 are in something, 0 pairs of faces touch\n  piston: ");
    RUN("--json", "assemble", PISTON, "--check", "--aid");
    expect_answer("{\"aid\":true,\"fitted\":6,\"count\":6,");
    expect_answer("\"interference\":0,\"pairs\":0,");
    expect_answer("\"order\":[\"piston\",\"rod\",\"pin\",\"cap\",\"bolt 1\",\"bolt 2\"]");
}

// Whatever the trembling, all of it fits, and nothing in the end is in anything else.
static void any_seed_does(void **state) {
    (void)state;
    static const char *const seeds[] = {"2", "3"};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        RUN("assemble", PISTON, "--check", "--aid", "--tremor", "1.5", "--seed", seeds[i]);
        expect_answer("6 of 6 parts fitted");
    }
}

static void log_and_sound_are_the_same_again(void **state) {
    (void)state;
    static char logs[2][1 << 16], sounds[2][1 << 23];
    size_t log_size[2], sound_size[2];
    for (int i = 0; i < 2; i++) {
        RUN("assemble", PISTON, "--aid", "--log", "hand.csv", "--sound", "hand.wav");
        expect_answer("6 of 6");
        log_size[i] = keep_file("hand.csv", logs[i], sizeof logs[i] - 1);
        sound_size[i] = keep_file("hand.wav", sounds[i], sizeof sounds[i]);
    }
    assert_int_equal(log_size[0], log_size[1]);
    assert_memory_equal(logs[0], logs[1], log_size[0]);
    assert_int_equal(sound_size[0], sound_size[1]);
    assert_memory_equal(sounds[0], sounds[1], sound_size[0]);
    // Heard once a part
    assert_int_equal(count_of(logs[0], ",fitted,"), 6);
    assert_memory_equal(sounds[0], "RIFF", 4);
    assert_true(sound_size[0] > 48000 * 4);
}

// ---------------------------------------------------------------------------------------------------------------
// Scripts

static void a_script_is_played(void **state) {
    (void)state;
    put_file("hand.txt", "# the piston, then the rod; the piston is held by it then\n"
                         "grasp at -0.24 0.01 0.1   # what the pen catches\n"
                         "move 0 0.1 0 in 0.5\n"
                         "turn 0 1 0 180 in 0.5\n"
                         "to piston 0 -0.1 0\n"
                         "to piston in 1\n"
                         "grasp rod\n"
                         "move 0 0.2 0\n"
                         "to rod 0 -0.15 0\n"
                         "to rod\n"
                         "wait 0.1\n"
                         "grasp piston\n"
                         "move 0 0.2 0\n"
                         "grasp at 5 5 5\n");
    RUN("assemble", PISTON, "--script", "hand.txt", "--aid", "--tremor", "0.2");
    expect_answer("2 of 6 parts fitted in ");
    expect_answer("  piston: ");
    expect_answer("; refused 1 times, held by rod\n");
    expect_answer("  the hand caught nothing 1 times\n");
    RUN("assemble", PISTON, "--script", "hand.txt", "--check");
    assert_int_equal(p.status, 4);
}

static void the_order_is_kept(void **state) {
    (void)state;
    put_file("early.txt", "grasp pin\nmove 0 0.2 0\nto pin 0.02 0 0\nto pin\nmove 0.2 0 0\n");
    RUN("--json", "assemble", PISTON, "--script", "early.txt");
    expect_answer("\"fitted\":0,");
    expect_answer("\"early\":1,\"missing\":\"piston\"");
    // Taken out and put back before it has left twice the tolerance, it is not heard again
    put_file("back.txt", "grasp piston\nmove 0 0.1 0\nto piston 0 -0.1 0\nto piston\n"
                         "grasp piston\nmove 0 0.02 0\nmove 0 -0.02 0\nrelease\n");
    RUN("assemble", PISTON, "--script", "back.txt", "--log", "back.csv");
    expect_answer("1 of 6 parts fitted");
    static char log[1 << 14];
    log[keep_file("back.csv", log, sizeof log - 1)] = '\0';
    assert_int_equal(count_of(log, ",fitted,"), 1);
}

static void expect_wrong_script(const char *text, const char *message) {
    put_file("wrong.txt", text);
    RUN("assemble", PISTON, "--script", "wrong.txt");
    assert_int_equal(p.status, 3);
    expect_in(p.err, message);
    assert_int_equal(p.out_size, 0);
}

static void hostile_scripts_are_told_where(void **state) {
    (void)state;
    expect_wrong_script("grasp wheel\n", "wrong.txt:1:7: there is no part 'wheel'");
    expect_wrong_script("\ngrasp pistn\n", "wrong.txt:2:7: there is no part 'pistn'; did you mean 'piston'?");
    expect_wrong_script("grasp \"bolt 1\n", "wrong.txt:1:7: there is no part");
    expect_wrong_script("grasp rod rod\n", "wrong.txt:1:11: the line goes on");
    expect_wrong_script("move nan 0 0\n", "wrong.txt:1:6: x is missing, or no number");
    expect_wrong_script("move 0 inf 0\n", "wrong.txt:1:8: y is missing, or no number");
    expect_wrong_script("move 0 0 1e300\n", "wrong.txt:1:10: z is missing, or no number");
    expect_wrong_script("move 0 0\n", "wrong.txt:1:9: z is missing");
    expect_wrong_script("move 0 0 0 in -1\n", "time does not go back");
    expect_wrong_script("move 0 0 0 at 1\n", "wrong.txt:1:12: the line ends with 'in SECONDS'");
    expect_wrong_script("turn 0 0 0 9\n", "the axis is zero");
    expect_wrong_script("wait 1e9\n", "wrong.txt:1:6: the time is missing, or no number");
    expect_wrong_script("wait -1\n", "time does not go back");
    expect_wrong_script("grip rod\n", "wrong.txt:1:1: a hand cannot 'grip'; did you mean 'grasp'?");
    expect_wrong_script("shake\n", "wrong.txt:1:1: no step 'shake'");
    // Nothing is done of a script that is wrong in its last line
    expect_wrong_script("grasp piston\nto piston\nto nowhere\n", "wrong.txt:3:4: there is no part 'nowhere'");
}

static void an_endless_script_ends(void **state) {
    (void)state;
    char text[200] = "";
    for (int i = 0; i < 8; i++) {
        strcat(text, "wait 600\n");
    }
    expect_wrong_script(text, "wrong.txt:6:1: the hand has been at work for an hour");
}

static void an_interrupt_ends_a_long_way(void **state) {
    (void)state;
    put_file("long.txt",
             "grasp piston\nmove 0 100 0 in 600\nmove 0 -100 0 in 600\nmove 0 100 0 in 600\nmove 0 -100 0 in 600\n"
             "move 0 100 0 in 600\n");
    const char *const argv[] = {FUREAI_TOOL, "assemble", PISTON, "--aid", "--script", "long.txt", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "steps ["));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    expect_failure(1, "stopped");
}

static void an_interrupt_ends_a_long_sound(void **state) {
    (void)state;
    put_file("idle.txt", "wait 600\nwait 600\nwait 600\nwait 600\nwait 600\n");
    put_file("kept.csv", "as it was");
    const char *const argv[] = {FUREAI_TOOL, "assemble", PISTON,    "--script", "idle.txt",
                                "--log",     "kept.csv", "--sound", "idle.wav", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "sound ["));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    expect_failure(1, "stopped");
    assert_int_not_equal(access("idle.wav", F_OK), 0);
    assert_string_equal(take_file("kept.csv"), "as it was");
}

// Others go through a sensor, also when it is fitted: it blocks no path.
static void a_sensor_stays_one(void **state) {
    (void)state;
    put_file("sensor.json",
             "{\"fureai\":1,\"objects\":[{\"name\":\"field\",\"shape\":\"box\",\"position\":[0,0.6,0],\"sensor\":true},"
             "{\"name\":\"block\",\"shape\":\"box\",\"scale\":0.5,\"position\":[2,0,0]}],\"assembly\":{\"parts\":["
             "{\"object\":\"field\",\"place\":{\"position\":[0,0,0]}},"
             "{\"object\":\"block\",\"place\":{\"position\":[0,0,0]},\"after\":[\"field\"]}]}}");
    RUN("assemble", "sensor.json");
    expect_answer("2 of 2 parts fitted");
}

static void wrong_scenes_are_explained(void **state) {
    (void)state;
    RUN("assemble", DEMO_FOLDER "/door.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "the scene has no 'assembly'");
    put_file("loop.json",
             "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"}],"
             "\n\"assembly\":{\"parts\":[{\"object\":\"a\",\"place\":{\"position\":[0,0,0]},\"after\":[\"b\"]},"
             "\n{\"object\":\"b\",\"place\":{\"position\":[2,0,0]},\"after\":[\"a\"]}]}}");
    RUN("assemble", "loop.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "loop.json:2:22: the order of the parts leads back to 'a'");
    // A place that no hand reaches is the scene's fault, and the part is named
    put_file("far.json", "{\"fureai\":1,\"objects\":[{\"name\":\"near\",\"shape\":\"box\"},{\"name\":\"a far one\","
                         "\"shape\":\"box\",\"position\":[3,0,0]}],\"assembly\":{\"parts\":[{\"object\":\"a far one\","
                         "\"place\":{\"position\":[1e6,0,0]}}]}}");
    RUN("assemble", "far.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "far.json: the hand has been at work for an hour: 'a far one' has too far to go");
    RUN("assemble", PISTON, "--tremor", "-1");
    assert_int_equal(p.status, 2);
    RUN("assemble", PISTON, "--script", "nothing.txt");
    assert_int_equal(p.status, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_puts_the_piston_together),
        cmocka_unit_test(any_seed_does),
        cmocka_unit_test(log_and_sound_are_the_same_again),
        cmocka_unit_test(a_script_is_played),
        cmocka_unit_test(the_order_is_kept),
        cmocka_unit_test(hostile_scripts_are_told_where),
        cmocka_unit_test(an_endless_script_ends),
        cmocka_unit_test(an_interrupt_ends_a_long_sound),
        cmocka_unit_test(an_interrupt_ends_a_long_way),
        cmocka_unit_test(a_sensor_stays_one),
        cmocka_unit_test(wrong_scenes_are_explained),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
