// Planning problems and paths that others made: their paths are free, and ours are found.
#include "scratch.h"

#include "frame.h"

static const char *shared(const char *folder, const char *name, const char *ending, char *path, size_t size) {
    char relative[256];
    snprintf(relative, sizeof relative, "data/plan-ompl/%s/%s%s", folder, name, ending);
    return test_shared_path(relative, path, size);
}

static const char *const with_paths[][2] = {{"3D", "Easy"},      {"3D", "Twistycool"},  {"3D", "cubicles"},
                                            {"3D", "alpha-1.5"}, {"2D", "Maze_planar"}, {"2D", "BugTrap_planar"}};

static void every_path_of_theirs_is_free(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof with_paths / sizeof with_paths[0]; i++) {
        char problem[512], path[512];
        shared(with_paths[i][0], with_paths[i][1], ".cfg", problem, sizeof problem);
        shared(with_paths[i][0], with_paths[i][1], ".path", path, sizeof path);
        RUN("plan", problem, "--check", path);
        expect_answer("free: ");
    }
}

static void ways_are_found(void **state) {
    (void)state;
    static const char *const names[] = {"Easy", "cubicles", "alpha-1.5", "Home", "Twistycool"};
    uint64_t problems = test_is_long() ? 5 : 3, seeds = test_count(1, 20);
    for (uint64_t i = 0; i < problems; i++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            char problem[512], number[32];
            shared("3D", names[i], ".cfg", problem, sizeof problem);
            snprintf(number, sizeof number, "%d", (int)seed);
            RUN("--json", "plan", problem, "--seed", number, "--out", "way.path");
            expect_answer("{\"found\":true,\"checked\":true");
            RUN("plan", problem, "--check", "way.path");
            expect_answer("free: ");
        }
    }
}

static void what_is_not_planned_is_refused(void **state) {
    (void)state;
    char problem[512];
    RUN("plan", shared("2D", "Maze_kcar", ".cfg", problem, sizeof problem));
    expect_failure(3, "problems with controls are not planned");
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_path_of_theirs_is_free), cmocka_unit_test(ways_are_found),
                                       cmocka_unit_test(what_is_not_planned_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
