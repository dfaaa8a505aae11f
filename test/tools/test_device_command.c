// The command device, as a user runs it.
#include "scratch.h"

#include <signal.h>

#define TABLE                                                                                                          \
    "{\"fureai\":1,\"objects\":[{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.51,0],\"static\":true}]}"

static void a_wall_is_felt(void **state) {
    (void)state;
    RUN("device", "run", "--seconds", "0.6", "--tracker", "--csv", "felt.csv");
    expect_answer(" ticks, ");
    expect_in(p.out, " N at most, rising by ");
    expect_in(p.out, "the tracker is lost: no force"); // until three samples agree
    expect_in(take_file("felt.csv"), "time,tip_x,");
    assert_string_equal(p.err, "");
    RUN("device", "run", "--seconds", "0.6", "--magnet", "0.01");
    expect_answer("magnet: held ");
}

static void a_scene_is_felt(void **state) {
    (void)state;
    put_file("table.json", TABLE);
    double most = 0.0;
    for (int i = 0; i < 5 && most < 0.3;
         i++) { // a machine that is too busy for a thousand ticks a second feels nothing
        RUN("--json", "device", "run", "table.json", "--seconds", "0.8");
        expect_answer("{\"device\":\"simulated\",\"seconds\":");
        const char *force = strstr(p.out, "\"force_most\":");
        assert_non_null(force);
        most = strtod(force + strlen("\"force_most\":"), NULL);
    }
    assert_true(most >= 0.3);
    expect_in(p.out, "\"cpu_us\":{\"median\":");
    expect_in(p.out, "\"flags\":{\"fault\":0,");
}

// The port that a device says it waits at.
static const char *wait_for_port(process *device) {
    static char name[64];
    assert_true(process_wait_for(device, "Ctrl-C ends it"));
    const char *at = strstr(device->err, "udp:");
    assert_non_null(at);
    size_t length = strcspn(at, ";");
    assert_true(length < sizeof name);
    memcpy(name, at, length);
    name[length] = '\0';
    return name;
}

static void a_device_is_felt_through_the_network(void **state) {
    (void)state;
    static process device;
    const char *const simulate[] = {FUREAI_TOOL, "device", "simulate", "--port", "0", "--seconds", "4", NULL};
    assert_true(process_start(&device, simulate, PROCESS_PIPES));
    const char *name = wait_for_port(&device);
    RUN("--json", "device", "run", "--device", name, "--seconds", "0.6");
    expect_answer("\"network\":{\"sent\":");
    const char *taken = strstr(p.out, "\"taken\":");
    assert_non_null(taken);
    assert_true(strtod(taken + strlen("\"taken\":"), NULL) > 50.0);
    assert_int_equal(kill(device.id, SIGINT), 0);
    process_finish(&device);
    assert_int_equal(device.status, 0);
    expect_in(device.out, " commands taken, ");
}

static void a_device_that_dies_ends_the_run(void **state) {
    (void)state;
    static process device;
    const char *const simulate[] = {FUREAI_TOOL, "device", "simulate", "--port", "0", "--seconds", "0.8", NULL};
    assert_true(process_start(&device, simulate, PROCESS_PIPES));
    const char *name = wait_for_port(&device);
    RUN("device", "run", "--device", name, "--seconds", "60", "--csv", "dead.csv");
    expect_failure(1, "the device fell silent after ");
    assert_int_not_equal(access("dead.csv", F_OK), 0);
    process_finish(&device);
}

static void a_map_is_told(void **state) {
    (void)state;
    RUN("device", "map", "--csv", "map.csv", "--grid", "5,5,5");
    expect_answer("2 N at 125 tips, in 200 directions each\n");
    expect_in(p.out, "100.0 % at the best tip");
    expect_in(take_file("map.csv"), "x,y,z,share\n-0.25,-0.25,-0.25,");
    RUN("--json", "device", "map", "--grid", "2,1,1", "--force", "1");
    expect_answer("\"count\":[2,1,1]");
    expect_in(p.out, "\"shares\":[");
    // Eyelets in a plane pull to one side alone
    RUN("device", "map", "--anchors", "-0.25,-0.2,0;0.25,-0.2,0;0.25,0.2,0;-0.25,0.2,0", "--bounds",
        "-0.1,-0.1,0.2,0.1,0.1,0.3", "--grid", "3,3,3");
    expect_answer("\n0 tips at which it is given to all sides\n");
    if (!FUREAI_HAVE_PICTURES) { return; }
    RUN("device", "map", "--picture", "map.svg", "--grid", "3,3,3");
    assert_int_equal(p.status, 0);
    expect_in(take_file("map.svg"), "<svg");
}

static void a_map_can_be_stopped(void **state) {
    (void)state;
    const char *const argv[] = {FUREAI_TOOL, "device", "map", "--grid", "100,100,100", "--csv", "long.csv", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "tips ["));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    expect_failure(1, "stopped");
    assert_int_not_equal(access("long.csv", F_OK), 0);
}

static void wrong_usage_is_told(void **state) {
    (void)state;
    RUN("device", "dance");
    expect_failure(2, "'dance' is none of run, simulate and map");
    RUN("device", "run", "--device", "serial:1");
    expect_failure(2, "'serial:1' is neither simulated nor udp:ADDRESS:PORT");
    RUN("device", "run", "--device", "udp:localhost:8430");
    expect_failure(2, "localhost is no address such as 127.0.0.1");
    RUN("device", "run", "--wall", "0,0,0,1");
    expect_failure(2, "the normal is zero");
    RUN("device", "run", "--wall", "0,1e-9,0,1");
    expect_failure(2, "--wall: the plane is more than 1e+06 m away");
    RUN("device", "simulate", "--address", "localhost");
    expect_failure(2, "--address: localhost is no address such as 127.0.0.1");
    RUN("device", "run", "--place", "0,1e300,0");
    expect_failure(2, "--place: 0,1e300,0 is outside -1000000 .. 1000000");
    RUN("device", "map", "--anchors", "0,0,0;1,0,0");
    expect_failure(2, "is not four points");
    RUN("device", "map", "--anchors", "0,0,0;0,0,0;1,0,0;0,1,0");
    expect_failure(2, "anchors 0 and 1 are at one place");
    RUN("device", "map", "--grid", "2.5,1,1");
    expect_failure(2, "--grid: takes three counts from 1 to 100");
    RUN("device", "map", "--bounds", "0,0,0.1,0,0,0");
    expect_failure(2, "--bounds: the first corner is not the lower one");
    RUN("device", "run", "none.json");
    assert_int_equal(p.status, 3);
    RUN("device", "run", "none.json", "--magnet", "0.01");
    expect_failure(2, "a scene and a wall are not felt at once");
    RUN("device", "map", "none.json");
    expect_failure(2, "'map' takes no scene");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_felt),
        cmocka_unit_test(a_scene_is_felt),
        cmocka_unit_test(a_device_is_felt_through_the_network),
        cmocka_unit_test(a_device_that_dies_ends_the_run),
        cmocka_unit_test(a_map_is_told),
        cmocka_unit_test(a_map_can_be_stopped),
        cmocka_unit_test(wrong_usage_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
