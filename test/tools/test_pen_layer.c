// The pen of a touch session in a world: what it feels along its path, and how its strings pull.
#include "demo.h"
#include "frame.h"

#include "pen_layer.h"

typedef struct session {
    fr_scene *scene;
    fr_world *world;
    pen_layer pen;
} session;

static void begin(const char *demo, session *s) {
    s->scene = demo_read(DEMO_FOLDER, demo);
    s->world = demo_world(s->scene, NULL, FR_SENSE_STATIC);
    assert_int_equal(pen_layer_join(&s->pen, s->scene, s->world, NULL), FR_OK);
}

static void end(session *s) {
    fr_world_destroy(s->world);
    pen_layer_leave(&s->pen);
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
static void a_pen_feels_what_it_goes_along(void **state) {
    (void)state;
    session s;
    begin("touch.json", &s);
    uint32_t told = 0, pressed = 0;
    for (uint32_t k = 0; k < fr_scene_get(s.scene)->steps; k++) {
        fr_pose pose = fr_scene_pose(s.scene, s.pen.touch.operated, k);
        assert_int_equal(fr_object_set_pose(fr_world_space(s.world), s.pen.pen, &pose, NULL), FR_OK);
        assert_int_equal(fr_world_tick(s.world, NULL, NULL), FR_OK);
        told += count_forces(s.world);
        double force = fr_vec3_length(s.pen.force);
        pressed += force > 0.0;
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            assert_true(s.pen.pull.tensions[i] >= s.pen.strings.tension_min);
            assert_true(s.pen.pull.tensions[i] <= s.pen.strings.tension_max);
        }
        // Well inside the frame every force can be given
        assert_true(s.pen.pull.error <= 0.02 * force + 1e-3);
        if (pose.position.y > 0.6) { assert_true(force == 0.0); }
    }
    assert_true(pressed > 50 && pressed < fr_scene_get(s.scene)->steps - 50);
    assert_true(told > 4);
    end(&s);
}

static void a_scene_without_a_pen_is_left_alone(void **state) {
    (void)state;
    session s;
    begin("window.json", &s);
    assert_int_equal(s.pen.pen.index1, 0);
    assert_int_equal(fr_world_tick(s.world, NULL, NULL), FR_OK);
    assert_int_equal(count_forces(s.world), 0);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pen_feels_what_it_goes_along),
        cmocka_unit_test(a_scene_without_a_pen_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
