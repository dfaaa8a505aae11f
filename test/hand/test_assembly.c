// Parts, mounting places, order: what fits, when, and what is told.
#include "assembly_bench.h"
#include "failing.h"
#include "heap_calls.h"

// ---------------------------------------------------------------------------------------------------------------
// What is refused

static void assert_refused(bench *b, fr_status status, const char *name) {
    fr_error error;
    memset(&error, 0, sizeof error);
    assert_int_equal(create(b, &error), status);
    assert_null(b->assembly);
    if (strstr(error.message, name) == NULL) { fail_msg("'%s' does not name %s", error.message, name); }
}

static void test_wrong_parts_are_refused(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    const fr_assembly_part right = b.parts[LID];
#define REFUSE(member, value)                                                                                          \
    b.parts[LID].member = value;                                                                                       \
    assert_refused(&b, FR_ERROR_ARGUMENT, "'lid'");                                                                    \
    b.parts[LID] = right
    REFUSE(margin, -1.0);
    REFUSE(margin, (double)NAN);
    REFUSE(slack, -1e-9);
    REFUSE(tolerance, 0.0);
    REFUSE(tolerance, (double)INFINITY);
    REFUSE(angle, 0.0);
    REFUSE(angle, 3.2);
    REFUSE(reach, -1.0);
    REFUSE(insertion, fr_vec3_make(0.0, (double)NAN, 0.0));
    REFUSE(axis, fr_vec3_make((double)INFINITY, 0.0, 0.0));
    REFUSE(center, fr_vec3_make((double)NAN, 0.0, 0.0));
    REFUSE(fold, 2);
    REFUSE(fold, FR_ASSEMBLY_MAX_FOLD + 1);
    REFUSE(tolerance, 10.1);
    REFUSE(reach, 10.1);
    REFUSE(flip, fr_vec3_make(1.0, 0.0, 0.0));
    REFUSE(relative_to, PARTS);
    REFUSE(relative_to, LID);
    REFUSE(like, LID);
    REFUSE(like, BOLT);
    REFUSE(object, b.objects[PEG]);
    REFUSE(mode, (fr_assembly_mode)7);
#undef REFUSE
    b.parts[LID].axis = fr_vec3_make(0.0, 1.0, 0.0);
    b.parts[LID].flip = fr_vec3_make(0.0, 1.0, 0.0);
    assert_refused(&b, FR_ERROR_ARGUMENT, "across its axis");
    b.parts[LID] = right;
    b.parts[LID].reach = 0.1;
    b.parts[LID].insertion = fr_vec3_make(0.0, 0.0, 0.0);
    assert_refused(&b, FR_ERROR_ARGUMENT, "insertion");
    b.parts[LID] = right;
    b.parts[LID].place.rotation.w = 3.0;
    assert_refused(&b, FR_ERROR_ARGUMENT, "");
    b.parts[LID] = right;
    b.parts[LID].object.generation += 7;
    assert_refused(&b, FR_ERROR_STALE_ID, "'lid'");
    b.parts[LID] = right;
    b.parts[LID].name = "";
    assert_refused(&b, FR_ERROR_ARGUMENT, "no name");
    finish(&b);
}

static void test_an_order_that_leads_back_is_refused(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    uint32_t bolt[1] = {BOLT}, none[1] = {PARTS}, self[1] = {PEG};
    b.parts[PEG].after = bolt;
    b.parts[PEG].after_count = 1;
    assert_refused(&b, FR_ERROR_ARGUMENT, "leads back");
    b.parts[PEG].after = none;
    assert_refused(&b, FR_ERROR_ARGUMENT, "not there");
    b.parts[PEG].after = self;
    assert_refused(&b, FR_ERROR_ARGUMENT, "itself");
    finish(&b);
}

static void test_frames_that_are_none_are_refused(void **state) {
    (void)state;
    bench b;
    start(&b);
    fr_pose pose = fr_pose_identity();
    fr_assembly_output out;
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, PARTS, &pose, 0.0, &out, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, PEG, &pose, (double)NAN, &out, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 1.0, &out, NULL), FR_OK);
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 0.9, &out, NULL), FR_ERROR_ARGUMENT);
    pose.scale = 2.0;
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 2.0, &out, NULL), FR_ERROR_ARGUMENT);
    pose.scale = 1.0;
    pose.position.x = (double)NAN;
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 2.0, &out, NULL), FR_ERROR_NOT_FINITE);
    pose.position.x = 0.0;
    assert_int_equal(fr_object_set_pose(b.space, b.objects[LID], &pose, NULL), FR_OK);
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 2.0, &out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_object_remove(b.space, b.objects[LID], NULL), FR_OK);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_assembly_frame(b.assembly, b.space, LID, &pose, 2.0, &out, NULL), FR_ERROR_STALE_ID);
    fr_assembly_find_output grasp;
    assert_int_equal(fr_assembly_find(b.assembly, b.space, fr_vec3_make((double)NAN, 0, 0), &grasp, NULL),
                     FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_assembly_take(b.assembly, PARTS, NULL), FR_ERROR_ARGUMENT);
    finish(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Fitting

static void test_a_part_is_fitted_within_the_tolerance(void **state) {
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        double off = TOLERANCE + (inside == 1 ? -EPSILON : EPSILON);
        fr_assembly_result expected = inside == 1 ? FR_ASSEMBLY_FITTED : FR_ASSEMBLY_AWAY;
        bench b;
        start(&b);
        assert_int_equal(show_at(&b, PEG, 0.0, off, 0.0), expected);
        assert_near(b.out.distance, off, 1e-15);
        assert_int_equal(b.out.place, PEG);
        assert_int_equal(b.events, inside);
        finish(&b);

        start(&b);
        double angle = fr_radians(15.0) + (inside == 1 ? -EPSILON : EPSILON);
        // Beside its place, where a turned peg is not in the socket
        b.parts[PEG].place.position = fr_vec3_make(0.0, 0.5, 0.0);
        fr_assembly_destroy(b.assembly);
        assert_int_equal(create(&b, NULL), FR_OK);
        assert_int_equal(show_turned(&b, PEG, fr_vec3_make(0.0, 0.5, 0.0), fr_vec3_make(1.0, 2.0, 3.0), angle),
                         expected);
        assert_near(b.out.turn, angle, 1e-14);
        finish(&b);
    }
}

static void test_what_is_fitted_jumps_to_its_place(void **state) {
    (void)state;
    bench b;
    start(&b);
    fr_pose way[2] = {fr_pose_make(fr_vec3_make(0.0, 0.05, 0.0), fr_quat_identity()),
                      fr_pose_make(fr_vec3_make(0.0, 0.014, 0.0), fr_quat_identity())};
    assert_int_equal(show(&b, PEG, &way[0]), FR_ASSEMBLY_AWAY);
    assert_memory_equal(&b.out.pose, &way[0], sizeof way[0]);
    assert_int_equal(show(&b, PEG, &way[1]), FR_ASSEMBLY_FITTED);
    assert_at(&b.out.pose, 0.0, 0.0, 0.0);
    assert_true(b.out.has_event);
    assert_int_equal(b.out.event.kind, FR_HAND_FITTED);
    assert_true(fr_object_id_equal(b.out.event.object, b.objects[PEG]));
    assert_near(b.out.event.speed, 3.6, 1e-9);
    assert_near(b.out.event.time, b.time, 0.0);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), 1);
    assert_int_equal(fr_assembly_in_place(b.assembly, PEG), PEG);
    finish(&b);
}

static void test_a_place_can_be_asked_for(void **state) {
    (void)state;
    bench b;
    start(&b);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.33, 0.0), fr_quat_identity());
    fr_assembly_measure_output target;
    assert_int_equal(fr_assembly_measure(b.assembly, b.space, LID, LID, &pose, &target, NULL), FR_OK);
    // On the peg, which stands at a height of 0.3
    assert_at(&target.pose, 0.0, 0.3225, 0.0);
    assert_near(target.distance, 0.0075, 1e-12);
    assert_near(target.insertion.y, -1.0, 1e-15);
    assert_int_equal(fr_assembly_measure(b.assembly, b.space, LID, PARTS, &pose, &target, NULL), FR_ERROR_ARGUMENT);
    fr_pose nowhere = pose;
    nowhere.position.x = NAN;
    assert_int_equal(fr_assembly_measure(b.assembly, b.space, LID, LID, &nowhere, &target, NULL), FR_ERROR_NOT_FINITE);
    finish(&b);
}

static void test_predecessors_come_first(void **state) {
    (void)state;
    bench b;
    start(&b);
    // The lid's place counts from the peg, wherever that is now
    fr_pose peg = fr_pose_make(fr_vec3_make(0.0, 0.3, 0.0), fr_quat_identity());
    put(&b, PEG, &peg);
    assert_int_equal(show_at(&b, LID, 0.0, 0.3235, 0.0), FR_ASSEMBLY_EARLY);
    assert_int_equal(b.out.missing, PEG);
    assert_int_equal(show_at(&b, BOLT, -0.02, 0.0401, 0.0), FR_ASSEMBLY_EARLY);
    assert_int_equal(b.out.missing, LID);
    assert_int_equal(b.events, 0);
    assert_int_equal(show_at(&b, BOLT, 0.5, 0.3, 0.0), FR_ASSEMBLY_AWAY);
    assemble(&b);
    assert_int_equal(b.events, 4);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), PARTS);
    finish(&b);
}

static void test_it_is_told_once_until_it_was_away(void **state) {
    (void)state;
    bench b;
    start(&b);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(b.events, 1);
    assert_at(&b.out.pose, 0.0, 0.0, 0.0);

    // Taken, up to twice the tolerance and back: nothing
    assert_int_equal(fr_assembly_take(b.assembly, PEG, NULL), FR_OK);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_LEAVING);
    assert_int_equal(show_at(&b, PEG, 0.0, 2.0 * TOLERANCE - EPSILON, 0.0), FR_ASSEMBLY_LEAVING);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_LEAVING);
    assert_int_equal(b.events, 1);

    // Beyond it: once more
    assert_int_equal(show_at(&b, PEG, 0.0, 2.0 * TOLERANCE + EPSILON, 0.0), FR_ASSEMBLY_AWAY);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(b.events, 2);
    assert_int_equal(fr_assembly_states(b.assembly)[PEG].fitted, 2);
    finish(&b);
}

static void test_let_go_near_its_place_it_goes_back_without_a_sound(void **state) {
    (void)state;
    bench b;
    start(&b);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(fr_assembly_take(b.assembly, PEG, NULL), FR_OK);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.02, 0.0), FR_ASSEMBLY_LEAVING);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.02, 0.0), fr_quat_identity());
    assert_int_equal(fr_assembly_let_go(b.assembly, b.space, PEG, &pose, b.time, &b.out, NULL), FR_OK);
    assert_int_equal(b.out.result, FR_ASSEMBLY_LEAVING);
    pose.position.y = 0.008;
    put(&b, PEG, &pose);
    assert_int_equal(fr_assembly_let_go(b.assembly, b.space, PEG, &pose, b.time, &b.out, NULL), FR_OK);
    assert_int_equal(b.out.result, FR_ASSEMBLY_FITTED);
    assert_false(b.out.has_event);
    assert_int_equal(fr_assembly_fitted_count(b.assembly), 1);
    finish(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Symmetry

static void test_a_part_may_be_turned_by_its_symmetry(void **state) {
    (void)state;
    const fr_vec3 up = {0.0, 1.0, 0.0};
    bench b;
    start(&b);
    // By a quarter and 14 degrees: the next quarter is meant; half way between two nothing is
    assert_int_equal(show_turned(&b, PEG, fr_vec3_make(0.0, 0.045, 0.0), up, fr_radians(104.0)), FR_ASSEMBLY_AWAY);
    assert_near(b.out.turn, fr_radians(14.0), 1e-12);
    fr_quat quarter = fr_quat_from_axis_angle(up, fr_radians(90.0));
    assert_near(fabs(b.out.target.rotation.w), fabs(quarter.w), 1e-12);
    b.parts[PEG].reach = 0.05;
    fr_assembly_destroy(b.assembly);
    assert_int_equal(create(&b, NULL), FR_OK);
    assert_int_equal(show_turned(&b, PEG, fr_vec3_make(0.0, 0.045, 0.0), up, fr_radians(135.0)), FR_ASSEMBLY_AWAY);
    assert_int_equal(show_turned(&b, PEG, fr_vec3_make(0.0, 0.045, 0.0), up, fr_radians(104.0)), FR_ASSEMBLY_FITTED);
    assert_near(fabs(b.out.pose.rotation.w), fabs(quarter.w), 1e-12);

    // The lid's place is that of the peg without its quarter
    assert_int_equal(show_at(&b, LID, 0.0, 0.03, 0.0), FR_ASSEMBLY_FITTED);
    assert_at(&b.out.pose, 0.0, 0.0225, 0.0);
    assert_near(b.out.pose.rotation.w, 1.0, 1e-12);

    // A bolt keeps any turn about its axis, and loses its tilt
    fr_quat any = fr_quat_from_axis_angle(up, 1.234);
    fr_quat tilt = fr_quat_multiply(fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), 0.1), any);
    fr_pose pose = fr_pose_make(fr_vec3_make(-0.02, 0.05, 0.0), tilt);
    assert_int_equal(show(&b, BOLT, &pose), FR_ASSEMBLY_FITTED);
    fr_vec3 axis = fr_pose_turn(&b.out.pose, up);
    assert_near(axis.y, 1.0, 1e-12);
    assert_near(b.out.turn, 0.1, 1e-2);
    assert_true(b.out.turn <= 0.1 + 1e-12);
    finish(&b);
}

static void test_a_part_may_be_turned_over(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    b.parts[PEG].flip = fr_vec3_make(1.0, 0.0, 0.0);
    b.parts[PEG].center = fr_vec3_make(0.0, 0.002, 0.0);
    assert_int_equal(create(&b, NULL), FR_OK);
    // Over, about a point 2 mm above the middle: its middle comes 4 mm above the place
    fr_pose over = fr_pose_make(fr_vec3_make(0.0, 0.015, 0.0),
                                fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(180.0)));
    assert_int_equal(show(&b, PEG, &over), FR_ASSEMBLY_FITTED);
    assert_near(b.out.distance, 0.011, 1e-12);
    assert_at(&b.out.pose, 0.0, 0.004, 0.0);
    finish(&b);
}

static void test_equal_parts_take_either_place(void **state) {
    (void)state;
    bench b;
    start(&b);
    assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(&b, LID, 0.0, 0.03, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(&b, BOLT, 0.02, 0.045, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(b.out.place, TWIN);
    assert_int_equal(fr_assembly_in_place(b.assembly, TWIN), BOLT);
    // That place is taken now; the other one is left
    assert_int_equal(show_at(&b, TWIN, 0.02, 0.08, 0.0), FR_ASSEMBLY_AWAY);
    assert_int_equal(b.out.place, BOLT);
    assert_int_equal(show_at(&b, TWIN, -0.02, 0.045, 0.0), FR_ASSEMBLY_FITTED);
    // A lid is held by whoever stands on it, and a bolt that leaves one place may go to the other
    fr_error error;
    assert_int_equal(fr_assembly_take(b.assembly, LID, &error), FR_ERROR_BUSY);
    assert_non_null(strstr(error.message, "'twin'"));
    assert_int_equal(fr_assembly_take(b.assembly, TWIN, NULL), FR_OK);
    assert_int_equal(fr_assembly_take(b.assembly, BOLT, NULL), FR_OK);
    fr_pose away = fr_pose_make(fr_vec3_make(0.5, 0.3, 0.2), fr_quat_identity());
    put(&b, TWIN, &away);
    assert_int_equal(show_at(&b, BOLT, 0.02, 0.05, 0.0), FR_ASSEMBLY_LEAVING);
    assert_int_equal(show_at(&b, BOLT, -0.02, 0.05, 0.0), FR_ASSEMBLY_FITTED);
    finish(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// The same again, and memory

static void test_the_same_hand_gives_the_same_answers(void **state) {
    (void)state;
    fr_assembly_output outputs[2][64];
    fr_assembly_state states[2][PARTS];
    for (int run = 0; run < 2; run++) {
        bench b;
        start(&b);
        assert_int_equal(show_at(&b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
        fr_random random = fr_random_seed(7);
        for (int i = 0; i < 64; i++) {
            double x = fr_random_between(&random, -0.01, 0.01), y = fr_random_between(&random, 0.02, 0.06);
            (void)show_turned(&b, LID, fr_vec3_make(x, y, 0.0), fr_vec3_make(0.2, 1.0, 0.1),
                              fr_random_between(&random, -0.4, 0.4));
            memcpy(&outputs[run][i], &b.out, sizeof b.out);
            outputs[run][i].blocker.space = outputs[run][i].event.object.space = 0; // which space of the process
            if (b.out.result == FR_ASSEMBLY_FITTED) {
                assert_int_equal(fr_assembly_take(b.assembly, LID, NULL), FR_OK);
            }
        }
        memcpy(states[run], fr_assembly_states(b.assembly), sizeof states[run]);
        finish(&b);
    }
    assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
    assert_memory_equal(states[0], states[1], sizeof states[0]);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    bench *b = context;
    fr_assembly_def def = fr_default_assembly_def();
    def.parts = b->parts;
    def.part_count = PARTS;
    def.allocator = *allocator;
    fr_assembly *assembly;
    fr_status status = fr_assembly_create(&def, b->space, &assembly, NULL);
    if (status == FR_OK) { fr_assembly_destroy(assembly); }
    return status;
}

static void test_no_memory_leaves_nothing(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    assert_true(test_every_failure(make, &b) > 10);
    finish(&b);
}

static void test_frames_allocate_nothing(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    fr_probe *probe = fr_probe_create();
    fr_assembly_def def = fr_default_assembly_def();
    def.parts = b.parts;
    def.part_count = PARTS;
    def.allocator = fr_probe_allocator(probe);
    assert_int_equal(fr_assembly_create(&def, b.space, &b.assembly, NULL), FR_OK);
    uint64_t before = test_allocations(probe);
    assemble(&b);
    (void)found(&b, 0.0, 0.0, 0.0);
    assert_int_equal(fr_assembly_take(b.assembly, BOLT, NULL), FR_OK);
    assert_int_equal(test_allocations(probe), before);
    finish(&b);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_parts_are_refused),
        cmocka_unit_test(test_an_order_that_leads_back_is_refused),
        cmocka_unit_test(test_frames_that_are_none_are_refused),
        cmocka_unit_test(test_a_part_is_fitted_within_the_tolerance),
        cmocka_unit_test(test_what_is_fitted_jumps_to_its_place),
        cmocka_unit_test(test_a_place_can_be_asked_for),
        cmocka_unit_test(test_predecessors_come_first),
        cmocka_unit_test(test_it_is_told_once_until_it_was_away),
        cmocka_unit_test(test_let_go_near_its_place_it_goes_back_without_a_sound),
        cmocka_unit_test(test_a_part_may_be_turned_by_its_symmetry),
        cmocka_unit_test(test_a_part_may_be_turned_over),
        cmocka_unit_test(test_equal_parts_take_either_place),
        cmocka_unit_test(test_the_same_hand_gives_the_same_answers),
        cmocka_unit_test(test_no_memory_leaves_nothing),
        cmocka_unit_test(test_frames_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
