// What blocks the path of a part, and which parts a hand may take.
#include "assembly_bench.h"

// ---------------------------------------------------------------------------------------------------------------
// The way

static void test_what_is_in_the_way_is_named(void **state) {
    (void)state;
    bench b;
    start(&b);
    // A small thing lies in the hole
    fr_object_id thing = add_mesh(&b, box(&b, 0.004, 0.004, 0.004), fr_vec3_make(0.0, -0.01, 0.0));
    assert_int_equal(show_at(&b, PEG, 0.0, 0.014, 0.0), FR_ASSEMBLY_BLOCKED);
    assert_true(fr_object_id_equal(b.out.blocker, thing));
    assert_false(b.out.has_event);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), 0);
    // As a sensor it stops nothing
    assert_int_equal(fr_object_set_flags(b.space, thing, FR_OBJECT_SENSOR, NULL), FR_OK);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.014, 0.0), FR_ASSEMBLY_FITTED);
    finish(&b);
}

static void test_a_way_that_leads_through_a_wall_is_none(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    // The lid belongs under the socket's rim, where only the hole leads: it is too wide for it
    b.parts[LID].relative_to = FR_NONE;
    b.parts[LID].place.position = fr_vec3_make(0.0, 0.0125, 0.0);
    assert_int_equal(create(&b, NULL), FR_OK);
    assert_int_equal(show_at(&b, LID, 0.0, 0.0227, 0.0), FR_ASSEMBLY_BLOCKED);
    assert_true(fr_object_id_equal(b.out.blocker, b.socket));
    finish(&b);
}

static void test_a_part_may_touch_but_for_the_slack(void **state) {
    (void)state;
    bench b;
    start(&b);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(&b, LID, 0.0, 0.03, 0.0), FR_ASSEMBLY_FITTED);
    finish(&b);

    // The lid lies on the peg and the socket: without slack that is in its way
    open_bench(&b);
    b.parts[LID].slack = 0.0;
    assert_int_equal(create(&b, NULL), FR_OK);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(&b, LID, 0.0, 0.03, 0.0), FR_ASSEMBLY_BLOCKED);
    finish(&b);

    // Thinner by 0.1 mm a side a peg of 20.36 mm comes through a hole of 20.2 mm, one of 20.44 mm does not
    for (int thick = 0; thick < 2; thick++) {
        open_bench(&b);
        double edge = thick == 1 ? 0.02044 : 0.02036;
        b.objects[PEG] = add_mesh(&b, box(&b, edge, 0.04, edge), fr_vec3_make(0.0, 0.4, 0.0));
        b.parts[PEG].object = b.objects[PEG];
        fr_pose away = fr_pose_make(fr_vec3_make(-1.0, 0.0, 0.0), fr_quat_identity());
        put(&b, LID, &away);
        assert_int_equal(create(&b, NULL), FR_OK);
        b.parts[PEG].reach = 0.05;
        fr_assembly_destroy(b.assembly);
        assert_int_equal(create(&b, NULL), FR_OK);
        assert_int_equal(show_at(&b, PEG, 0.0, 0.045, 0.0), thick == 1 ? FR_ASSEMBLY_BLOCKED : FR_ASSEMBLY_FITTED);
        finish(&b);
    }
}

static void test_what_a_hand_led_into_something_goes_in_from_before_it(void **state) {
    (void)state;
    bench b;
    start(&b);
    // 8 mm aside, in the socket's wall: where nothing stops a hand that is no way, but the insertion is free
    assert_int_equal(show_at(&b, PEG, 0.008, 0.005, 0.0), FR_ASSEMBLY_FITTED);
    assert_at(&b.out.pose, 0.0, 0.0, 0.0);
    // The insertion is asked all the same
    assert_int_equal(fr_assembly_take(b.assembly, PEG, NULL), FR_OK);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.1, 0.0), FR_ASSEMBLY_AWAY);
    fr_object_id thing = add_mesh(&b, box(&b, 0.004, 0.004, 0.004), fr_vec3_make(0.0, 0.0, 0.0));
    assert_int_equal(show_at(&b, PEG, 0.008, 0.005, 0.0), FR_ASSEMBLY_BLOCKED);
    assert_true(fr_object_id_equal(b.out.blocker, thing));
    finish(&b);
}

static void test_what_is_in_another_is_told(void **state) {
    (void)state;
    bench b;
    start(&b);
    assemble(&b);
    fr_object_id with;
    for (uint32_t i = 0; i < PARTS; i++) {
        assert_int_equal(fr_assembly_interference(b.assembly, b.space, i, &with, NULL), FR_OK);
        assert_int_equal(with.index1, 0);
    }
    // Two tenths of a millimetre deep is more than the slack; half of one is not
    for (int deep = 0; deep < 2; deep++) {
        fr_pose pose =
            fr_pose_make(fr_vec3_make(0.0, 0.0225 - (deep == 1 ? 0.0002 : 0.00005), 0.0), fr_quat_identity());
        put(&b, LID, &pose);
        assert_int_equal(fr_assembly_interference(b.assembly, b.space, LID, &with, NULL), FR_OK);
        assert_int_equal(with.index1 != 0, deep == 1);
    }
    assert_int_equal(fr_assembly_interference(b.assembly, b.space, PARTS, &with, NULL), FR_ERROR_ARGUMENT);
    finish(&b);
}

static void test_a_solid_around_the_place_is_in_the_way(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    // A bolt whose place is in the midst of a block, shown there by a hand that nothing stops
    fr_object_id block = add_mesh(&b, box(&b, 0.2, 0.2, 0.2), fr_vec3_make(2.0, 0.0, 0.0));
    b.parts[BOLT].place.position = fr_vec3_make(2.0, 0.0, 0.0);
    b.parts[BOLT].insertion = fr_vec3_make(0.0, 0.0, 0.0);
    b.parts[BOLT].after_count = 0;
    assert_int_equal(create(&b, NULL), FR_OK);
    assert_int_equal(show_at(&b, BOLT, 2.0, 0.001, 0.0), FR_ASSEMBLY_BLOCKED);
    assert_true(fr_object_id_equal(b.out.blocker, block));
    finish(&b);
}

static void test_the_reach_is_along_the_insertion_alone(void **state) {
    (void)state;
    const double reach = 0.05, edge = TOLERANCE + reach;
    for (int inside = 0; inside < 2; inside++) {
        bench b;
        open_bench(&b);
        b.parts[PEG].reach = reach;
        assert_int_equal(create(&b, NULL), FR_OK);
        double off = inside == 1 ? -EPSILON : EPSILON;
        fr_assembly_result expected = inside == 1 ? FR_ASSEMBLY_FITTED : FR_ASSEMBLY_AWAY;
        assert_int_equal(show_at(&b, PEG, 0.0, -TOLERANCE - EPSILON, 0.0), FR_ASSEMBLY_AWAY);
        assert_int_equal(show_at(&b, PEG, TOLERANCE + off, 0.045, 0.0), expected);
        if (inside == 1) {
            assert_int_equal(fr_assembly_take(b.assembly, PEG, NULL), FR_OK);
            assert_int_equal(show_at(&b, PEG, 0.0, edge + TOLERANCE - EPSILON, 0.0), FR_ASSEMBLY_LEAVING);
            assert_int_equal(show_at(&b, PEG, 0.0, edge + TOLERANCE + EPSILON, 0.0), FR_ASSEMBLY_AWAY);
        }
        assert_int_equal(show_at(&b, PEG, 0.0, edge + off, 0.0), expected);
        finish(&b);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Taking

static void test_a_part_is_caught_by_its_box_or_its_polygons(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    b.parts[LID].mode = FR_ASSEMBLY_BY_POLYGONS;
    b.parts[LID].margin = 0.001;
    assert_int_equal(create(&b, NULL), FR_OK);
    // The bolt: 6 x 30 x 6 mm at (0.5, 0.3, 0), caught 10 mm around; the corner of its box counts
    assert_int_equal(found(&b, 0.5 + 0.013 - EPSILON, 0.3, 0.0), BOLT);
    assert_int_equal(found(&b, 0.5 + 0.013 + EPSILON, 0.3, 0.0), FR_NONE);
    assert_int_equal(found(&b, 0.5129, 0.3249, 0.0129), BOLT);
    // The lid: its surface and its inside
    assert_int_equal(found(&b, 0.3, 0.3, 0.0), LID);
    assert_int_equal(found(&b, 0.33 + 0.001 - EPSILON, 0.3, 0.0), LID);
    assert_int_equal(found(&b, 0.33 + 0.001 + EPSILON, 0.3, 0.0), FR_NONE);
    // Of two the nearer middle
    fr_pose near = fr_pose_make(fr_vec3_make(0.51, 0.3, 0.0), fr_quat_identity());
    put(&b, TWIN, &near);
    assert_int_equal(found(&b, 0.505 - EPSILON, 0.3, 0.0), BOLT);
    assert_int_equal(found(&b, 0.505 + EPSILON, 0.3, 0.0), TWIN);
    // It turns with its object
    near.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(90.0));
    put(&b, TWIN, &near);
    assert_int_equal(found(&b, 0.51 + 0.024, 0.3, 0.0), TWIN);
    // Nowhere, in a space that is not current, and what is gone
    fr_assembly_find_output grasp;
    fr_vec3 nowhere = {(double)NAN, 0.0, 0.0}, lid = {0.3, 0.3, 0.0};
    assert_int_equal(fr_assembly_find(b.assembly, b.space, nowhere, &grasp, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_object_remove(b.space, b.objects[TWIN], NULL), FR_OK);
    assert_int_equal(fr_assembly_find(b.assembly, b.space, lid, &grasp, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
    assert_int_equal(found(&b, 0.51 + 0.024, 0.3, 0.0), FR_NONE);
    finish(&b);
}

static void test_taking_apart_goes_in_the_reverse_order(void **state) {
    (void)state;
    bench b;
    start(&b);
    assemble(&b);
    fr_error error;
    assert_int_equal(fr_assembly_take(b.assembly, PEG, &error), FR_ERROR_BUSY);
    assert_non_null(strstr(error.message, "'peg'"));
    assert_non_null(strstr(error.message, "'lid'"));
    assert_int_equal(fr_assembly_held_by(b.assembly, PEG), LID);
    assert_int_equal(fr_assembly_held_by(b.assembly, BOLT), FR_NONE);
    // What may be taken is found before what may not; what may not is told with who holds it
    fr_assembly_find_output grasp;
    assert_int_equal(fr_assembly_find(b.assembly, b.space, fr_vec3_make(-0.012, 0.0225, 0.0), &grasp, NULL), FR_OK);
    assert_int_equal(grasp.part, BOLT);
    assert_int_equal(fr_assembly_find(b.assembly, b.space, fr_vec3_make(0.0, -0.02, 0.0), &grasp, NULL), FR_OK);
    assert_int_equal(grasp.part, PEG);
    assert_int_equal(grasp.held_by, LID);
    const int order[PARTS] = {BOLT, TWIN, LID, PEG};
    for (int i = 0; i < PARTS; i++) {
        assert_int_equal(fr_assembly_take(b.assembly, (uint32_t)order[i], NULL), FR_OK);
        assert_int_equal(show_at(&b, order[i], 0.5, 0.5, 0.2 * i), FR_ASSEMBLY_AWAY);
        assert_int_equal(fr_assembly_fitted_count(b.assembly), PARTS - 1 - i);
    }
    assert_int_equal(b.events, 4);
    finish(&b);
}

static void test_states_are_plain_data(void **state) {
    (void)state;
    bench b;
    start(&b);
    fr_assembly_state saved[PARTS];
    assemble(&b);
    memcpy(saved, fr_assembly_states(b.assembly), sizeof saved);
    fr_assembly_reset(b.assembly);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), 0);
    assert_int_equal(fr_assembly_in_place(b.assembly, PEG), FR_NONE);
    assert_int_equal(fr_assembly_restore(b.assembly, saved, PARTS, NULL), FR_OK);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), PARTS);
    assert_memory_equal(saved, fr_assembly_states(b.assembly), sizeof saved);
    assert_int_equal(fr_assembly_take(b.assembly, PEG, NULL), FR_ERROR_BUSY);

    // What cannot be: another's place, a place twice, a part without its predecessor, a turn that is none
    fr_assembly_state wrong[PARTS];
#define REFUSE(part, member, value)                                                                                    \
    memcpy(wrong, saved, sizeof wrong);                                                                                \
    wrong[part].member = value;                                                                                        \
    assert_int_equal(fr_assembly_restore(b.assembly, wrong, PARTS, NULL), FR_ERROR_ARGUMENT);                          \
    assert_memory_equal(saved, fr_assembly_states(b.assembly), sizeof saved)
    REFUSE(PEG, place, LID);
    REFUSE(BOLT, place, TWIN);
    REFUSE(LID, place, FR_NONE);
    REFUSE(BOLT, place, PARTS);
    REFUSE(BOLT, left, LID);
    REFUSE(BOLT, turn.w, 5.0);
    REFUSE(BOLT, middle.x, (double)NAN);
#undef REFUSE
    assert_int_equal(fr_assembly_restore(b.assembly, saved, 2, NULL), FR_ERROR_ARGUMENT);
    finish(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_in_the_way_is_named),
        cmocka_unit_test(test_a_way_that_leads_through_a_wall_is_none),
        cmocka_unit_test(test_a_part_may_touch_but_for_the_slack),
        cmocka_unit_test(test_what_a_hand_led_into_something_goes_in_from_before_it),
        cmocka_unit_test(test_what_is_in_another_is_told),
        cmocka_unit_test(test_a_solid_around_the_place_is_in_the_way),
        cmocka_unit_test(test_the_reach_is_along_the_insertion_alone),
        cmocka_unit_test(test_a_part_is_caught_by_its_box_or_its_polygons),
        cmocka_unit_test(test_taking_apart_goes_in_the_reverse_order),
        cmocka_unit_test(test_states_are_plain_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
