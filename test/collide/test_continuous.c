// Colliding faces over a step: every method gives the same pairs, and none is missed that sampling finds.
#include "collide/moving_scenes.h"
#include "failing.h"
#include "frame.h"

// ---------------------------------------------------------------------------------------------------------------
// Methods

static void check_same_contacts(const fr_collide_output *a, const fr_collide_output *b, const char *what,
                                uint64_t seed) {
    scene_check_equal(a, b, what, seed);
    for (size_t i = 0; i < a->pair_count; i++) {
        assert_memory_equal(&a->contacts[i].time, &b->contacts[i].time, sizeof(double));
        assert_memory_equal(&a->contacts[i].point, &b->contacts[i].point, sizeof(fr_vec3));
        assert_memory_equal(&a->contacts[i].normal, &b->contacts[i].normal, sizeof(fr_vec3));
        assert_int_equal(a->contacts[i].feature, b->contacts[i].feature);
    }
}

static void compare_methods(uint64_t seed, bool far_away, double most_turn, fr_set set, double margin) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, far_away, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    scene_random_motion(&r, space, plan.unit, most_turn);
    static const fr_collide_method methods[2] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE};
    static const char *const names[2] = {"brute", "tree"};
    fr_collide *askers[2];
    fr_collide_output out[2];
    for (int i = 0; i < 2; i++) {
        askers[i] = scene_asker();
        fr_collide_input input = scene_question(space, methods[i]);
        input.want = FR_WANT_CONTACTS;
        input.set = set;
        input.margin = margin * plan.unit;
        out[i] = scene_ask_step(askers[i], &input);
        assert_false(out[i].partial);
        scene_check_order(&out[i]);
        if (i > 0) { check_same_contacts(&out[i], &out[0], names[i], seed); }
    }
    for (int i = 0; i < 2; i++) {
        fr_collide_destroy(askers[i]);
    }
    fr_space_destroy(space);
}

static void methods_agree(void **state) {
    (void)state;
    uint64_t count = test_count(60, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_methods(seed, seed % 6 == 5, seed % 4 == 3 ? 60.0 : 3.0, FR_SET_ALL, seed % 8 == 7 ? 0.02 : 0.0);
    }
}

static void methods_agree_on_first_contacts(void **state) {
    (void)state;
    uint64_t count = test_count(60, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_methods(1000000 + seed, seed % 6 == 5, seed % 4 == 3 ? 60.0 : 3.0, FR_SET_FIRST, 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(methods_agree_on_first_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
