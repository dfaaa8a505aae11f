// The pen of a touch session in a world: what it feels along its path, and how its strings pull.
#include "demo.h"
#include "failing.h"
#include "frame.h"

#include "fureai/actor.h"

#include <math.h>

#define PEN(path, touch)                                                                                               \
    "{\"fureai\":1,\"step\":0.01,\"steps\":60,\"objects\":[{\"name\":\"box\",\"shape\":\"box\",\"static\":true},"      \
    "{\"name\":\"pen\",\"shape\":\"box\",\"scale\":0.1,\"path\":[" path "]}],\"touch\":{\"operated\":\"pen\"," touch   \
    "}}"
#define DOWN(x, y, to) "{\"t\":0,\"position\":[" x "," y ",0]},{\"t\":0.5,\"position\":[" x "," to ",0]}"

typedef struct session {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_pen *pen; // NULL: the scene has none
} session;

static void join(session *s) {
    s->world = demo_world(s->scene, NULL, FR_SENSE_STATIC);
    assert_int_equal(fr_scene_cast(s->scene, s->world, NULL, &s->cast, NULL), FR_OK);
    const fr_actor *pen = fr_cast_find(s->cast, "pen");
    s->pen = pen != NULL ? pen->user : NULL;
}

static void begin(const char *demo, session *s) {
    s->scene = demo_read(DEMO_FOLDER, demo);
    join(s);
}

static void begin_text(const char *text, session *s) {
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), NULL, &s->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    join(s);
}

static void end(session *s) {
    fr_cast_destroy(s->cast);
    fr_world_destroy(s->world);
    fr_scene_destroy(s->scene);
}

static uint32_t count_forces(fr_world *world) {
    uint32_t count = 0;
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *e = &snapshot->events[i];
        if (e->kind != FR_EVENT_FORCE) { continue; }
        assert_true(e->value >= 0.0 && e->value <= 4.0 + 1e-9);
        count++;
    }
    fr_snapshot_release(snapshot);
    return count;
}

// The world's mover puts the pen where the scene says; here it is put there before each tick.
static double step(session *s, uint32_t k) {
    fr_pose pose = fr_scene_pose(s->scene, fr_scene_get(s->scene)->touch->operated, k);
    assert_int_equal(fr_object_set_pose(fr_world_space(s->world), fr_pen_get(s->pen).object, &pose, NULL), FR_OK);
    assert_int_equal(fr_world_tick(s->world, NULL, NULL), FR_OK);
    return fr_vec3_length(fr_pen_get(s->pen).felt);
}

static void a_pen_feels_what_it_goes_along(void **state) {
    (void)state;
    session s;
    begin("touch.json", &s);
    uint32_t reported = 0, pressed = 0;
    for (uint32_t k = 0; k < fr_scene_get(s.scene)->steps; k++) {
        double force = step(&s, k);
        reported += count_forces(s.world);
        pressed += force > 0.0;
        fr_pen_output pen = fr_pen_get(s.pen);
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            assert_true(pen.pull.tensions[i] >= pen.strings.tension_min);
            assert_true(pen.pull.tensions[i] <= pen.strings.tension_max);
        }
        // Well inside the frame every force can be given
        assert_true(pen.pull.error <= 0.02 * force + 1e-3);
        if (pen.tip.y > 0.5) { assert_true(force == 0.0); }
    }
    assert_true(pressed > 50 && pressed < fr_scene_get(s.scene)->steps - 50);
    assert_true(reported > 4);
    end(&s);
}

// What the command touch goes by, over the scene's space, bit for bit.
static void a_served_pen_feels_what_the_command_tells(void **state) {
    (void)state;
    static const char *const scenes[] = {
        PEN(DOWN("0.2", "0.6", "0.495"), "\"pairs\":[8]"),
        PEN(DOWN("0.47", "0.6", "0.54"), "\"pairs\":[6,9,10],\"closest\":true"),
        PEN(DOWN("0.2", "0.6", "0.54"), "\"pairs\":[11],\"distance\":0.02,\"force\":{\"surface\":true}"),
        PEN(DOWN("0.45", "0.6", "0.54"), "\"pairs\":[2,5,8],\"distance\":0.06,\"way\":true"),
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        session s;
        begin_text(scenes[i], &s);
        const fr_scene_view *view = fr_scene_get(s.scene);
        fr_space_def def = fr_default_space_def();
        fr_space *space;
        fr_object_id ids[2];
        fr_pen *pen;
        assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
        assert_int_equal(fr_scene_build(s.scene, NULL, space, ids, NULL), FR_OK);
        fr_pen_def pen_def = fr_default_pen_def();
        pen_def.space = space;
        pen_def.object = ids[view->touch->operated];
        pen_def.settings = view->touch->settings;
        assert_int_equal(fr_pen_create(&pen_def, &pen, NULL), FR_OK);
        double most = 0.0;
        for (uint32_t k = 0; k < view->steps; k++) {
            most = fmax(most, step(&s, k));
            assert_int_equal(fr_scene_place(s.scene, k, space, ids, NULL), FR_OK);
            assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
            assert_int_equal(fr_pen_step(pen, space, view->step, NULL, NULL), FR_OK);
            assert_true(fr_vec3_equal(fr_pen_get(pen).felt, fr_pen_get(s.pen).felt));
            assert_int_equal(fr_pen_get(pen).contact_count, fr_pen_get(s.pen).contact_count);
        }
        assert_true(most > 0.1);
        fr_pen_destroy(pen);
        fr_space_destroy(space);
        end(&s);
    }
}

// The corners of its box come to the face while the operating point is 50 mm above it.
static void the_pairs_of_the_scene_are_felt(void **state) {
    (void)state;
    session corners, point;
    begin_text(PEN(DOWN("0.2", "0.6", "0.555"), "\"pairs\":[9]"), &corners);
    begin_text(PEN(DOWN("0.2", "0.6", "0.555"), "\"pairs\":[8]"), &point);
    double felt = 0.0;
    for (uint32_t k = 0; k < 60; k++) {
        felt = step(&corners, k);
        assert_true(step(&point, k) == 0.0);
    }
    // 5 mm within the distance of 10: 400 N/m
    assert_true(felt > 1.8 && felt < 2.2 && fr_pen_get(corners.pen).felt.y > 1.8);
    end(&corners);
    end(&point);
}

// A point that meets a point has no face to lean on: a pulse reports it, once, and is over.
static void points_that_meet_give_a_pulse(void **state) {
    (void)state;
    session s;
    begin_text(PEN("{\"t\":0,\"position\":[0.5,0.6,0.5]},{\"t\":0.5,\"position\":[0.5,0.5,0.5]}",
                   "\"pairs\":[3],\"distance\":0.031,\"force\":{\"pulse\":2,\"pulse_time\":0.05}"),
               &s);
    uint32_t reported = 0, first = FR_NONE, last = 0, pushed = 0;
    double most = 0.0;
    for (uint32_t k = 0; k < 60; k++) {
        double force = step(&s, k);
        reported += count_forces(s.world);
        most = fmax(most, force);
        fr_pen_output pen = fr_pen_get(s.pen);
        pushed += pen.contact_count == 1 && fr_vec3_length(pen.contacts[0].force) == 2.0;
        if (force == 0.0) { continue; }
        first = first == FR_NONE ? k : first;
        last = k;
        assert_true(pen.felt.y > 0.99 * force); // against the motion
    }
    // It comes within 31 mm in step 35, is felt from then on, and ends after 50 ms
    assert_true(first == 36 && last >= 39 && last <= 41);
    assert_true(most > 1.9 && most <= 2.0 + 1e-9);
    assert_true(reported >= 3);
    assert_int_equal(pushed, 6); // as a touch of its own it is reported in the first step, and for 50 ms
    end(&s);
}

static void a_scene_without_a_pen_is_left_alone(void **state) {
    (void)state;
    session s;
    begin("window.json", &s);
    assert_null(s.pen);
    assert_int_equal(fr_world_tick(s.world, NULL, NULL), FR_OK);
    assert_int_equal(count_forces(s.world), 0);
    end(&s);
}

// A pen with settings that are changed by `change`; the status of its making.
static fr_status try_pen(const session *s, void (*change)(fr_pen_def *def)) {
    fr_pen_def def = fr_default_pen_def();
    def.space = fr_world_space(s->world);
    def.object = fr_world_find(s->world, "pen");
    change(&def);
    fr_pen *pen = NULL;
    fr_error error = {0};
    fr_status status = fr_pen_create(&def, &pen, &error);
    assert_true((status == FR_OK) == (pen != NULL) && (status == FR_OK) == (error.message[0] == '\0'));
    fr_pen_destroy(pen);
    return status;
}

static void change_nothing(fr_pen_def *def) { (void)def; }
static void no_distance(fr_pen_def *def) { def->settings.distance = NAN; }
static void negative_distance(fr_pen_def *def) { def->settings.distance = -0.01; }
static void no_pairs(fr_pen_def *def) { def->settings.pairs = 1u << 30; }
static void no_strategy(fr_pen_def *def) { def->settings.strategy = (fr_touch_strategy)99; }
static void no_flags(fr_pen_def *def) { def->settings.flags = 1u << 30; }
static void no_point(fr_pen_def *def) { def->settings.point.y = NAN; }
static void no_stiffness(fr_pen_def *def) { def->settings.stiffness = NAN; }
static void no_reach(fr_pen_def *def) { def->reach = (fr_bounds){{-1, -1, -1}, {1, INFINITY, 1}}; }

static void wrong_settings_and_steps_are_refused(void **state) {
    (void)state;
    session s;
    begin_text(PEN(DOWN("0", "1", "0"), "\"pairs\":[8]"), &s);
    assert_int_equal(try_pen(&s, change_nothing), FR_OK);
    assert_int_equal(try_pen(&s, no_distance), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, negative_distance), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_pairs), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_strategy), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_flags), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_point), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_stiffness), FR_ERROR_ARGUMENT);
    assert_int_equal(try_pen(&s, no_reach), FR_ERROR_ARGUMENT);

    fr_space *space = fr_world_space(s.world);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    const double wrong[] = {NAN, INFINITY, 0.0, -0.01};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fr_pen_step(s.pen, space, wrong[i], NULL, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_pen_get(s.pen).steps, 0);
    }
    assert_int_equal(fr_pen_step(s.pen, space, 0.01, NULL, NULL), FR_OK);
    end(&s);
}

// A step without memory has gone by, and the pen takes the next.
static fr_status feel(const fr_allocator *allocator, void *context) {
    const session *s = context;
    const fr_scene_view *view = fr_scene_get(s->scene);
    fr_space *space = fr_world_space(s->world);
    fr_pen_def def = fr_default_pen_def();
    def.space = space;
    def.object = fr_world_find(s->world, "pen");
    def.settings = view->touch->settings;
    def.allocator = *allocator;
    fr_pen *pen = NULL;
    fr_status status = fr_pen_create(&def, &pen, NULL);
    if (status != FR_OK) { return status; }
    assert_ptr_equal(fr_pen_actor(pen).user, pen);
    for (uint32_t k = 0; k < view->steps; k++) {
        fr_pose pose = fr_scene_pose(s->scene, view->touch->operated, k);
        assert_int_equal(fr_object_set_pose(space, def.object, &pose, NULL), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_status stepped = fr_pen_step(pen, space, view->step, NULL, NULL);
        if (stepped != FR_OK) {
            status = stepped;
            test_lift(allocator);
            assert_int_equal(fr_pen_step(pen, space, view->step, NULL, NULL), FR_OK);
        }
        fr_vec3 felt = fr_pen_get(pen).felt;
        test_note(&felt, sizeof felt);
    }
    fr_pen_destroy(pen);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    session s;
    begin_text(PEN(DOWN("0.45", "0.6", "0.54"), "\"pairs\":[2,5,8],\"distance\":0.06"), &s);
    assert_true(test_every_failure(feel, &s) > 2);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pen_feels_what_it_goes_along),
        cmocka_unit_test(a_served_pen_feels_what_the_command_tells),
        cmocka_unit_test(the_pairs_of_the_scene_are_felt),
        cmocka_unit_test(points_that_meet_give_a_pulse),
        cmocka_unit_test(a_scene_without_a_pen_is_left_alone),
        cmocka_unit_test(wrong_settings_and_steps_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
