// An assembler: a hand takes parts, carries them, lets them go, is refused, plays scripts and can be stopped.
#include "demo.h"
#include "failing.h"

#include "fureai/actor.h"

// The piston of the demos: parts piston, rod, pin, cap, bolt 1, bolt 2.
typedef struct bench {
    fr_scene *scene;
    fr_world *world;
    fr_space *space;
    fr_assembler *assembler;
    fr_control control;
    int turns; // of the control, before it stops; below 0: it never does
    int progress_count;
} bench;

static bool wants_stop(void *user) {
    bench *b = user;
    return b->turns >= 0 && b->turns-- == 0;
}

static void count_progress(double fraction, const char *what, void *user) {
    assert_true(fraction >= 0.0 && fraction <= 1.0 && what != NULL);
    ((bench *)user)->progress_count++;
}

static void ids_of(const bench *b, fr_object_id *ids) {
    const fr_scene_view *view = fr_scene_get(b->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        ids[i] = fr_world_find(b->world, view->objects[i].name);
    }
}

static void open_trembling(bench *b, bool has_aid, double tremor, uint64_t seed) {
    *b = (bench){.turns = -1};
    b->control = (fr_control){.stop = wants_stop, .progress = count_progress, .user = b};
    b->scene = demo_read(DEMO_FOLDER, "piston.json");
    b->world = demo_world(b->scene, DEMO_FOLDER, FR_SENSE_STATIC);
    b->space = fr_world_space(b->world);
    fr_object_id ids[DEMO_OBJECTS_MAX];
    ids_of(b, ids);
    fr_assembler_def def = fr_default_assembler_def();
    def.space = b->space;
    def.has_aid = has_aid;
    def.tremor = tremor;
    def.seed = seed;
    def.control = &b->control;
    assert_int_equal(fr_scene_build_assembly(b->scene, b->space, ids, NULL, &def.assembly, NULL), FR_OK);
    assert_int_equal(fr_assembler_create(&def, &b->assembler, NULL), FR_OK);
}

static void open_bench(bench *b, bool has_aid) { open_trembling(b, has_aid, 0.0, 1); }

static void close_bench(bench *b) {
    fr_assembler_destroy(b->assembler);
    fr_world_destroy(b->world);
    fr_scene_destroy(b->scene);
}

static uint32_t part_of(const bench *b, const char *name) {
    uint32_t part = fr_assembler_find(b->assembler, name);
    assert_int_not_equal(part, FR_NONE);
    return part;
}

static fr_pose pose_of(const bench *b, uint32_t part) {
    return fr_object_get(b->space, fr_assembly_get(fr_assembler_get(b->assembler).assembly, part)->object)->pose;
}

static void play(const bench *b, const char *script) {
    fr_error error = {0};
    if (fr_assembler_play(b->assembler, script, strlen(script), "script", &error) != FR_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The hand

static void a_part_is_taken_carried_and_let_go(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    uint32_t rod = part_of(&b, "rod");
    assert_string_equal(fr_assembler_name(b.assembler, rod), "rod");
    assert_int_equal(fr_assembler_find(b.assembler, "wing"), FR_NONE);
    fr_assembler_output out = fr_assembler_get(b.assembler);
    assert_int_equal(out.part_count, 6);
    assert_int_equal(out.held, FR_NONE);
    assert_true(fr_is_unknown(out.records[rod].taken) && fr_is_unknown(out.records[rod].fitted));
    assert_false(out.has_aid);

    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    assert_int_equal(fr_assembler_get(b.assembler).held, rod);
    fr_pose to = pose_of(&b, rod);
    to.position.y += 0.2;
    assert_int_equal(fr_assembler_go(b.assembler, &to, 0.5, NULL), FR_OK);
    out = fr_assembler_get(b.assembler);
    assert_true(fr_vec3_distance(pose_of(&b, rod).position, to.position) < 1e-12);
    assert_true(out.seconds > 0.49 && out.seconds < 0.5 + 2.0 * FR_ASSEMBLER_FRAME);
    assert_true(out.records[rod].taken == 0.0);

    // Where it is let go it stays, for nothing falls in a space.
    assert_int_equal(fr_assembler_let_go(b.assembler, NULL), FR_OK);
    out = fr_assembler_get(b.assembler);
    assert_int_equal(out.held, FR_NONE);
    assert_int_equal(out.order_count, 0);
    assert_true(fr_is_unknown(out.records[rod].fitted));
    assert_true(fr_vec3_distance(pose_of(&b, rod).position, to.position) < 1e-12);
    assert_int_equal(fr_assembler_let_go(b.assembler, NULL), FR_OK); // nothing is held
    close_bench(&b);
}

static void a_motion_without_a_time_takes_that_of_a_person(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    uint32_t rod = part_of(&b, "rod");
    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    fr_pose to = pose_of(&b, rod);
    to.position.y += 0.3;
    assert_int_equal(fr_assembler_go(b.assembler, &to, 0.0, NULL), FR_OK);
    double seconds = fr_assembler_get(b.assembler).seconds;
    assert_true(seconds > 0.5 && seconds < 3.0);
    // The hand lets go what it holds before it takes another part.
    uint32_t cap = part_of(&b, "cap");
    assert_int_equal(fr_assembler_take(b.assembler, cap, NULL), FR_OK);
    assert_int_equal(fr_assembler_get(b.assembler).held, cap);
    // With nothing held only time passes.
    assert_int_equal(fr_assembler_let_go(b.assembler, NULL), FR_OK);
    assert_int_equal(fr_assembler_go(b.assembler, &to, 1.0, NULL), FR_OK);
    assert_true(fr_assembler_get(b.assembler).seconds > seconds + 0.99);
    close_bench(&b);
}

static void all_is_put_together_and_a_part_below_another_stays(void **state) {
    (void)state;
    bench b;
    open_bench(&b, true);
    fr_error error = {0};
    if (fr_assembler_do_all(b.assembler, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_assembler_output out = fr_assembler_get(b.assembler);
    assert_true(out.has_aid);
    assert_int_equal(out.order_count, out.part_count);
    assert_int_equal(out.order[0], part_of(&b, "piston"));
    assert_true(out.event_count > 0 && b.progress_count >= 6);
    for (size_t i = 1; i < out.event_count; i++) {
        assert_true(out.events[i - 1].time <= out.events[i].time);
    }
    for (uint32_t i = 0; i < out.part_count; i++) {
        assert_true(out.records[i].fitted > out.records[i].taken && out.records[i].distance >= 0.0);
    }
    // The pin stands in the rod: the rod is refused, which is noted and no error.
    uint32_t rod = part_of(&b, "rod");
    fr_pose before = pose_of(&b, rod);
    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    out = fr_assembler_get(b.assembler);
    assert_int_equal(out.held, FR_NONE);
    assert_int_equal(out.records[rod].refused, 1);
    assert_int_not_equal(out.records[rod].held_by, FR_NONE);
    fr_pose after = pose_of(&b, rod);
    assert_memory_equal(&before, &after, sizeof before);
    close_bench(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Scripts

static void a_script_is_played_step_by_step(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    uint32_t rod = part_of(&b, "rod"), bolt = part_of(&b, "bolt 1");
    fr_vec3 begin = pose_of(&b, rod).position;
    play(&b, "# a comment, and an empty line\n\n"
             "grasp rod\nmove 0 0.2 0 in 0.5\nturn 0 1 0 90 in 0.5\nrelease\nwait 1.5\n");
    fr_assembler_output out = fr_assembler_get(b.assembler);
    assert_true(out.seconds > 2.49 && out.seconds < 2.6);
    assert_int_equal(out.held, FR_NONE);
    assert_true(pose_of(&b, rod).position.y > begin.y + 0.1);

    // A hand in the air catches nothing.
    play(&b, "grasp at 3 3 3\n");
    assert_int_equal(fr_assembler_get(b.assembler).misses, 1);

    // The end of a script opens the hand; to a place with an offset in its axes.
    play(&b, "grasp piston\nto piston 0 -0.05 0 in 1\nto piston in 1");
    out = fr_assembler_get(b.assembler);
    assert_int_equal(out.order_count, 1);
    assert_int_equal(out.order[0], part_of(&b, "piston"));
    play(&b, "grasp \"bolt 1\"\nmove 0 0.1 0 in 0.1\n");
    assert_true(fr_assembler_get(b.assembler).records[bolt].taken > 0.0);
    assert_int_equal(fr_assembler_get(b.assembler).held, FR_NONE);
    close_bench(&b);
}

static void a_wrong_script_is_reported_where_it_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_status status;
        int line, column;
        const char *message; // a piece of it
    } wrong[] = {
        {"grasp rod\n  grap rod\n", FR_ERROR_SYNTAX, 2, 3, "did you mean 'grasp'"},
        {"xyzzyxyzzy\n", FR_ERROR_SYNTAX, 1, 1, "there are grasp, move"},
        {"grasp\n", FR_ERROR_SYNTAX, 1, 6, "the name of a part is missing"},
        {"grasp rot\n", FR_ERROR_ARGUMENT, 1, 7, "did you mean 'rod'"},
        {"grasp \"bolt 1\n", FR_ERROR_ARGUMENT, 1, 7, "there is no part"},
        {"move 0 0\n", FR_ERROR_SYNTAX, 1, 9, "z is missing"},
        {"move 0 x 0\n", FR_ERROR_SYNTAX, 1, 8, "y is missing"},
        {"move 0 1e7 0\n", FR_ERROR_LIMIT, 1, 8, "from -1e+06 to 1e+06"},
        {"move 0 0 0 for 1\n", FR_ERROR_SYNTAX, 1, 12, "in SECONDS"},
        {"move 0 0 0 in -1\n", FR_ERROR_LIMIT, 1, 12, "time does not go back"},
        {"move 0 0 0 in 1 2\n", FR_ERROR_SYNTAX, 1, 17, "goes on"},
        {"\n\nturn 0 0 0 90\n", FR_ERROR_ARGUMENT, 3, 5, "the axis is zero"},
        {"release rod\n", FR_ERROR_SYNTAX, 1, 9, "goes on"},
        {"wait 601\n", FR_ERROR_LIMIT, 1, 6, "from -600 to 600"},
        {"wait -1\n", FR_ERROR_LIMIT, 1, 1, "time does not go back"},
    };
    bench b;
    open_bench(&b, false);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_error error = {0};
        fr_status status = fr_assembler_play(b.assembler, wrong[i].text, strlen(wrong[i].text), "hand.txt", &error);
        if (status != wrong[i].status || error.line != wrong[i].line || error.column != wrong[i].column ||
            strstr(error.message, wrong[i].message) == NULL) {
            fail_msg("%s: %d at %d:%d: %s", wrong[i].text, (int)status, error.line, error.column, error.message);
        }
        assert_string_equal(error.path, "hand.txt");
    }
    // Nothing was done.
    fr_assembler_output out = fr_assembler_get(b.assembler);
    assert_true(out.seconds == 0.0);
    assert_int_equal(out.held, FR_NONE);
    assert_int_equal(fr_assembler_play(b.assembler, NULL, 0, "empty", NULL), FR_OK);
    close_bench(&b);
}

static void a_script_of_more_than_an_hour_is_located(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    fr_error error = {0};
    const char text[] = "wait 600\nwait 600\nwait 600\nwait 600\nwait 600\nwait 600\nwait 600\n";
    assert_int_equal(fr_assembler_play(b.assembler, text, sizeof text - 1, "long.txt", &error), FR_ERROR_LIMIT);
    assert_true(error.line == 6 || error.line == 7);
    assert_string_equal(error.path, "long.txt");
    close_bench(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Control

static void the_control_stops_the_hand_in_any_frame(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    uint32_t rod = part_of(&b, "rod");
    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    fr_pose to = pose_of(&b, rod);
    to.position.y += 0.2;
    b.turns = 10;
    assert_int_equal(fr_assembler_go(b.assembler, &to, 1.0, NULL), FR_ERROR_STOPPED);
    assert_true(fr_assembler_get(b.assembler).seconds < 10.5 * FR_ASSEMBLER_FRAME);
    assert_int_equal(fr_assembler_get(b.assembler).held, rod);
    b.turns = 5;
    assert_int_equal(fr_assembler_play(b.assembler, "wait 1\n", 7, "script", NULL), FR_ERROR_STOPPED);
    b.turns = 100;
    assert_int_equal(fr_assembler_do_all(b.assembler, NULL), FR_ERROR_STOPPED);
    // It goes on when it is called again.
    b.turns = -1;
    assert_int_equal(fr_assembler_let_go(b.assembler, NULL), FR_OK);
    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    close_bench(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Tremor

// How far the part is from where the hand was to bring it.
static double error_of(double tremor, uint64_t seed) {
    bench b;
    open_trembling(&b, false, tremor, seed);
    uint32_t rod = part_of(&b, "rod");
    assert_int_equal(fr_assembler_take(b.assembler, rod, NULL), FR_OK);
    fr_pose to = pose_of(&b, rod);
    to.position.y += 0.2;
    assert_int_equal(fr_assembler_go(b.assembler, &to, 0.5, NULL), FR_OK);
    double height = pose_of(&b, rod).position.y - to.position.y;
    close_bench(&b);
    return height;
}

static void a_tremor_follows_its_seed(void **state) {
    (void)state;
    assert_true(error_of(0.0, 1) == 0.0);
    double first = error_of(0.001, 1);
    assert_true(first != 0.0 && first > -0.05 && first < 0.05);
    assert_true(error_of(0.001, 1) == first);
    assert_true(error_of(0.001, 2) != first);
}

// A hand takes a part, carries it, lets it go, plays a script and assembles the rest.
static fr_status assemble(const fr_allocator *allocator, void *context) {
    static const char script[] = "grasp rod\nmove 0 0.2 0 in 0.5\nrelease\n";
    bench *b = context;
    assert_int_equal(fr_scene_restart_world(b->scene, b->world, NULL), FR_OK);
    assert_int_equal(fr_space_update(b->space, NULL, NULL), FR_OK);
    fr_object_id ids[DEMO_OBJECTS_MAX];
    ids_of(b, ids);
    fr_assembler_def def = fr_default_assembler_def();
    def.space = b->space;
    def.allocator = *allocator;
    assert_int_equal(fr_scene_build_assembly(b->scene, b->space, ids, NULL, &def.assembly, NULL), FR_OK);
    fr_assembler *assembler = NULL;
    fr_status status = fr_assembler_create(&def, &assembler, NULL);
    if (status != FR_OK) {
        fr_assembly_destroy(def.assembly);
        return status;
    }
    fr_pose to = fr_pose_identity();
    to.position.y = 0.3;
    status = fr_assembler_take(assembler, fr_assembler_find(assembler, "rod"), NULL);
    if (status == FR_OK) { status = fr_assembler_go(assembler, &to, 0.2, NULL); }
    if (status == FR_OK) { status = fr_assembler_let_go(assembler, NULL); }
    if (status == FR_OK) { status = fr_assembler_play(assembler, script, sizeof script - 1, "script", NULL); }
    if (status == FR_OK) { status = fr_assembler_do_all(assembler, NULL); }
    if (status == FR_OK) { test_note_number(fr_assembler_get(assembler).order_count); }
    fr_assembler_destroy(assembler);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    bench b;
    open_bench(&b, false);
    test_every_bound(assemble, &b, true);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_is_taken_carried_and_let_go),
        cmocka_unit_test(a_motion_without_a_time_takes_that_of_a_person),
        cmocka_unit_test(all_is_put_together_and_a_part_below_another_stays),
        cmocka_unit_test(a_script_is_played_step_by_step),
        cmocka_unit_test(a_wrong_script_is_reported_where_it_is_wrong),
        cmocka_unit_test(a_script_of_more_than_an_hour_is_located),
        cmocka_unit_test(the_control_stops_the_hand_in_any_frame),
        cmocka_unit_test(a_tremor_follows_its_seed),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
