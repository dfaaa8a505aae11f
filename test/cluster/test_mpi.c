// fureai-mpi with real ranks: its output is that of fureai, byte for byte, and what goes wrong on one rank ends all of
// them soon, with a message once.
#include "fureai/base.h"
#include "ranks.h"

#include <math.h>
#include <time.h>

static const int rank_counts[] = {2, 1, 3, 4, 8};

// Ranks of a case: two in a sample.
static int ranks_of(uint64_t i) { return test_is_long() ? rank_counts[i % 5] : 2; }

static const char *cut_of(uint64_t i) { return i % 2 == 0 ? "counter" : "static"; }

// ---------------------------------------------------------------------------------------------------------------
// Random scenes

static void write_scene(uint64_t seed) {
    static const char *const shapes[] = {"sphere_48", "box", "sphere_168", "sphere:5x9", "chair"};
    fr_random r = fr_random_seed(seed);
    FILE *file = fopen("scene.json", "w");
    assert_non_null(file);
    int count = 2 + (int)fr_random_below(&r, 12);
    fprintf(file, "{\"fureai\":1,\"step\":0.1,\"steps\":6,\"objects\":[");
    for (int i = 0; i < count; i++) {
        double n[12];
        for (int k = 0; k < 12; k++) {
            n[k] = fr_random_between(&r, -1.0, 1.0);
        }
        fprintf(file, "%s{\"name\":\"o%d\",\"shape\":\"%s\",\"scale\":%g,\"position\":[%g,%g,%g]", i > 0 ? "," : "", i,
                shapes[fr_random_below(&r, 5)], 0.7 + 0.3 * n[0], 1.5 * n[1], 1.5 * n[2], 1.5 * n[3]);
        if (fr_random_below(&r, 4) > 0) {
            fprintf(file, ",\"velocity\":[%g,%g,%g],\"angular_velocity_deg\":[%g,%g,%g]", 2.0 * n[4], 2.0 * n[5],
                    2.0 * n[6], 300.0 * n[7], 200.0 * n[8], 100.0 * n[9]);
        }
        fprintf(file, "}");
    }
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
}

static void random_scenes_give_the_same_bytes(void **state) {
    (void)state;
    uint64_t count = test_count(2, 100);
    for (uint64_t seed = 0; seed < count; seed++) {
        write_scene(seed);
        int all = test_is_long() ? 5 : 1;
        for (int k = 0; k < all; k++) {
            check_same(ranks_of((uint64_t)k), cut_of(seed + (uint64_t)k), "sweep scene.json");
        }
        if (seed % 2 == 1) { check_same(ranks_of(seed), cut_of(seed), "clash --motion scene.json"); }
    }
}

// Faces that are distributed, over a step and at its beginning.
static void distributed_faces_are_those_of_one_process(void **state) {
    (void)state;
    uint64_t count = test_count(2, 100);
    for (uint64_t seed = 0; seed < count; seed++) {
        write_scene(seed);
        const char *options = seed % 3 == 0 ? "--static" : seed % 3 == 1 ? "--step 3" : "--step 2 --margin 0.05";
        for (int k = 0; k < (test_is_long() ? 5 : 1); k++) {
            check_same_faces(ranks_of((uint64_t)k), "scene.json", options, "scene.json");
        }
    }
    // Many steps, of which most need no other cut.
    expect_status(shell("mpirun -n 3 $M --cost faces scene.json --steps 6 > shared && $M --quiet faces scene.json "
                        "--steps 6 > alone && cmp alone shared"),
                  0);
    assert_int_equal(count_in("err", "faces were sent "), 1);
    assert_int_equal(count_in("err", "; modelled "), 1);
    assert_int_equal(count_in("err", "space was cut "), 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static void make_parts(void) {
    assert_int_equal(shell("$S shape sphere_960 a.stl && $S shape box b.stl && $S shape sphere_168 c.stl"), 0);
}

// A table of the first rank alone, threads in ranks, text, and the status of a check.
static void files_and_statuses_are_those_of_the_tool(void **state) {
    (void)state;
    make_parts();
    assert_int_equal(shell("$S clash --check --csv alone.csv a.stl b.stl c.stl | sed 's/ in .*ms//' > alone"), 0);
    int status = shell("mpirun -n 2 $M --threads 2 clash --check --csv shared.csv a.stl b.stl c.stl > text");
    expect_status(status, 4);
    assert_int_equal(shell("sed 's/ in .*ms//' text > shared; cmp alone shared && cmp alone.csv shared.csv"), 0);
    write_scene(5);
    assert_int_equal(shell("$S sweep --csv alone.csv --record alone.record scene.json > alone"), 0);
    expect_status(shell("mpirun -n 2 $M sweep --csv shared.csv --record shared.record scene.json > shared"), 0);
    assert_int_equal(shell("cmp alone shared && cmp alone.csv shared.csv && cmp alone.record shared.record"), 0);
}

static void help_and_costs_are_printed_once(void **state) {
    (void)state;
    expect_status(shell("mpirun -n 2 $M --help"), 0);
    assert_int_equal(count_in("out", "usage: fureai-mpi"), 1);
    assert_int_equal(count_in("out", "--cut HOW"), 1);
    make_parts();
    expect_status(shell("mpirun -n 2 $M --cost clash a.stl c.stl"), 0);
    assert_int_equal(count_in("err", "2 ranks, cut by a counter: 4 gathers of two messages"), 1);
    assert_int_equal(count_in("err", "; modelled "), 1);
    // Without mpirun there is one rank.
    expect_status(shell("$M --quiet clash a.stl c.stl"), 0);
    assert_int_equal(count_in("out", "1 clash of 2 parts"), 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Little and strange input

static void little_input_is_no_special_case(void **state) {
    (void)state;
    make_parts();
    check_same(2, "static", "clash a.stl");
    check_same(ranks_of(3), "counter", "clash a.stl a.stl c.stl c.stl"); // all in one place
    FILE *file = fopen("empty.json", "w");
    assert_non_null(file);
    fputs("{\"fureai\":1,\"step\":0.1,\"steps\":2,\"objects\":[]}", file);
    fclose(file);
    check_same(2, "counter", "sweep empty.json");
    check_same_faces(2, "empty.json", "", "empty.json");
    file = fopen("nothing.obj", "w");
    assert_non_null(file);
    fputs("v 0 0 0\n", file);
    fclose(file);
    int alone = shell("$S clash nothing.obj"), said = count_in("err", "\n");
    expect_status(shell("mpirun -q -n 2 $M clash nothing.obj"), alone);
    assert_int_equal(count_in("err", "\n"), said);
}

static void a_part_that_does_not_load_is_reported_once(void **state) {
    (void)state;
    make_parts();
    assert_int_equal(shell("echo rubbish > d.stl"), 0);
    expect_status(shell("$S clash a.stl d.stl c.stl | sed 's/ in .*ms//' > alone; mv err alone.err"), 0);
    expect_status(shell("mpirun -q -n 2 $M clash a.stl d.stl c.stl > text"), 1);
    assert_int_equal(count_in("err", "1 model could not be read and was left out"), 1);
    assert_int_equal(count_in("text", "1 clash of 2 parts"), 1);
    // A file that only one rank does not find, and a command line that is wrong everywhere.
    expect_status(shell("mpirun -q -n 1 $M clash a.stl c.stl : -n 1 $M clash a.stl gone.stl"), 1);
    assert_int_equal(count_in("err", "gone.stl"), 1);
    assert_int_equal(count_in("err", "rank 1: "), 1);
    // The second model is the second rank's.
    assert_true(shell("timeout 30 mpirun -q -n 3 $M faces a.stl gone.stl c.stl") % 124 != 0);
    assert_int_equal(count_in("err", "gone.stl"), 1);
    expect_status(shell("mpirun -q -n 3 $M clash --nonsense a.stl"), 2);
    assert_int_equal(count_in("err", "nonsense"), 1);
}

static void ranks_with_other_parts_or_builds_are_refused(void **state) {
    (void)state;
    make_parts();
    expect_status(shell("mpirun -q -n 1 $M clash a.stl c.stl : -n 1 $M clash a.stl b.stl"), 1);
    assert_int_equal(count_in("err", "the ranks do not have the same objects"), 1);
    // The same program, but for one byte of what the linker called it.
    if (shell("command -v python3") != 0) { return; }
    assert_int_equal(shell("python3 -c 'import sys; d = bytearray(open(sys.argv[1], \"rb\").read()); "
                           "i = d.index(b\"\\x14\\0\\0\\0\\3\\0\\0\\0GNU\\0\"); d[i + 20] ^= 1; open(\"other\", "
                           "\"wb\").write(d)' $M && "
                           "chmod +x other"),
                     0);
    expect_status(shell("mpirun -q -n 2 $M clash a.stl c.stl : -n 1 ./other clash a.stl c.stl"), 1);
    assert_int_equal(count_in("err", "rank 2 runs another build"), 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Ranks that die or are stopped

static void write_long_scene(void) {
    FILE *file = fopen("long.json", "w");
    assert_non_null(file);
    fputs("{\"fureai\":1,\"step\":1e-6,\"steps\":1000000,\"objects\":["
          "{\"name\":\"a\",\"shape\":\"sphere_960\",\"angular_velocity_deg\":[0,1000,0]},"
          "{\"name\":\"b\",\"shape\":\"sphere_960\",\"position\":[1.2,0,0]}]}",
          file);
    assert_int_equal(fclose(file), 0);
}

static void a_rank_that_dies_ends_the_job(void **state) {
    (void)state;
    write_scene(7);
    time_t begin = time(NULL);
    int status = shell("timeout 60 mpirun -n 1 $M sweep --steps 20000000 scene.json : "
                       "-n 1 timeout -s KILL 3 $M sweep --steps 20000000 scene.json");
    time_t took = time(NULL) - begin;
    print_message("a rank was killed after 3 s, the job ended after %d s with status %d\n", (int)took, status);
    assert_true(status != 0 && status != 124 && took < 30);
    if (!test_is_long()) { return; }
    write_long_scene();
    begin = time(NULL);
    status = shell("timeout 60 mpirun -n 1 $M faces --steps 900000 long.json : "
                   "-n 1 timeout -s KILL 3 $M faces --steps 900000 long.json");
    took = time(NULL) - begin;
    assert_true(status != 0 && status != 124 && took < 30);
}

// Ctrl-C: mpirun hands it on, and what is there of a sweep is printed once.
static void an_interrupt_ends_all_ranks(void **state) {
    (void)state;
    write_scene(7);
    time_t begin = time(NULL);
    int status = shell("timeout -s INT -k 40 3 mpirun -n 2 $M sweep --steps 20000000 scene.json");
    assert_true(status != 0 && time(NULL) - begin < 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes_give_the_same_bytes),
        cmocka_unit_test(distributed_faces_are_those_of_one_process),
        cmocka_unit_test(files_and_statuses_are_those_of_the_tool),
        cmocka_unit_test(help_and_costs_are_printed_once),
        cmocka_unit_test(little_input_is_no_special_case),
        cmocka_unit_test(a_part_that_does_not_load_is_reported_once),
        cmocka_unit_test(ranks_with_other_parts_or_builds_are_refused),
        cmocka_unit_test(a_rank_that_dies_ends_the_job),
        cmocka_unit_test(an_interrupt_ends_all_ranks),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
