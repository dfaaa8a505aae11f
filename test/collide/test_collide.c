// Every method gives the same pairs with the same flags, on random scenes of all kinds.
#include "collide/scenes.h"
#include "frame.h"

static void compare_methods(uint64_t seed, bool far_away, double margin_in_units) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, far_away, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    fr_collide *askers[3] = {scene_asker(), scene_asker(), scene_asker()};
    static const fr_collide_method methods[3] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE};
    static const char *const names[3] = {"brute", "tree", "face-octree"};
    fr_collide_output out[3];
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = scene_question(space, methods[i]);
        input.margin = margin_in_units * plan.unit;
        input.find_contained = true;
        out[i] = scene_ask(askers[i], &input);
        assert_false(out[i].partial);
        scene_check_order(&out[i]);
        if (i > 0) scene_check_equal(&out[i], &out[0], names[i], seed);
    }
    for (int i = 0; i < 3; i++)
        fr_collide_destroy(askers[i]);
    fr_space_destroy(space);
}

static void methods_agree(void **state) {
    (void)state;
    uint64_t count = test_count(300, 10000);
    for (uint64_t seed = 0; seed < count; seed++)
        compare_methods(seed, false, 0.0);
}

static void methods_agree_far_away(void **state) {
    (void)state;
    uint64_t count = test_count(60, 3000);
    for (uint64_t seed = 0; seed < count; seed++)
        compare_methods(1000000 + seed, true, 0.0);
}

static void methods_agree_with_margins(void **state) {
    (void)state;
    static const double margins[] = {1e-9, 0.01, 0.1, 0.5};
    uint64_t count = test_count(24, 1000);
    for (uint64_t seed = 0; seed < count; seed++)
        compare_methods(2000000 + seed, seed % 8 == 7, margins[seed % 4]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(methods_agree_far_away),
        cmocka_unit_test(methods_agree_with_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
