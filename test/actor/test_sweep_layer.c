// The layer of sweeps: what turning objects are about to sweep is drawn in every tick, and nothing else.
#include "demo.h"
#include "draw_record.h"

#include "fureai/actor.h"

#include <math.h>

static const char text[] =
    "{ \"fureai\": 1, \"step\": 0.02, \"steps\": 50, \"objects\": ["
    "  { \"name\": \"door\", \"shape\": \"box\", \"position\": [4, 0, 0], \"angular_velocity_deg\": [0, 57.3, 0] },"
    "  { \"name\": \"cart\", \"shape\": \"box\", \"position\": [0, 3, 0], \"velocity\": [1, 0, 0] },"
    "  { \"name\": \"table\", \"shape\": \"box\", \"position\": [0, -3, 0], \"static\": true } ] }";

typedef struct shown_sweeps {
    draw_record record; // of the last picture
    int count;
    int removals;
} shown_sweeps;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_sweeps *shown = user;
    assert_string_equal(layer->name, "sweeps");
    assert_int_equal(layer->object.index1, 0);
    if (layer->paint == NULL) {
        shown->removals++;
        return FR_OK;
    }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    shown->count++;
    return FR_OK;
}

// Shows two ticks of the scene with sweeps of so many seconds; the door may be removed before the second.
static shown_sweeps show_scene(double seconds, bool has_door) {
    shown_sweeps shown = {.count = 0};
    fr_scene *scene;
    fr_cast *cast;
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world *world = demo_world(scene, NULL, FR_SENSE_STATIC);
    fr_cast_def def = fr_default_cast_def();
    def.draw = show;
    def.draw_user = &shown;
    assert_int_equal(fr_scene_cast(scene, world, &def, &cast, NULL), FR_OK);
    fr_sweep_layer_def layer = fr_default_sweep_layer_def();
    layer.seconds = seconds;
    fr_actor actor;
    assert_int_equal(fr_sweep_layer_create(&layer, &actor, NULL), FR_OK);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    if (!has_door) {
        assert_int_equal(fr_object_remove(fr_world_space(world), fr_world_find(world, "door"), NULL), FR_OK);
    }
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_int_equal(shown.count, 2);
    fr_cast_destroy(cast);
    assert_int_equal(shown.removals, 1);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
    return shown;
}

static void what_turns_is_drawn_about_all_that_it_sweeps(void **state) {
    (void)state;
    const draw_record record = show_scene(1.0, true).record;
    assert_true(record.triangle_count > 0 && record.line_count > 0);
    assert_int_equal(record.point_count + record.text_count, 0);
    // In a second the box of edge 1 turns by a radian, so that its corners pass the farthest place to every side.
    double reach = 0.5 * sqrt(2.0);
    assert_true(record.bounds.min.x <= 4.0 - reach + 1e-3 && record.bounds.max.x >= 4.0 + reach - 1e-3);
    assert_true(record.bounds.min.y <= -0.5 + 1e-9 && record.bounds.max.y >= 0.5 - 1e-9);
    // Neither what goes straight nor what stands is drawn.
    assert_true(record.bounds.min.x > 2.0 && record.bounds.min.y > -2.0 && record.bounds.max.y < 2.0);
}

static void nothing_is_drawn_where_nothing_turns(void **state) {
    (void)state;
    assert_int_equal(show_scene(1.0, false).record.call_count, 0);
    // A twentieth of a radian is too little to see.
    assert_int_equal(show_scene(0.05, true).record.call_count, 0);
}

static void a_time_ahead_is_above_zero(void **state) {
    (void)state;
    fr_sweep_layer_def def = fr_default_sweep_layer_def();
    fr_actor actor;
    def.seconds = 0.0;
    assert_int_equal(fr_sweep_layer_create(&def, &actor, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_turns_is_drawn_about_all_that_it_sweeps),
        cmocka_unit_test(nothing_is_drawn_where_nothing_turns),
        cmocka_unit_test(a_time_ahead_is_above_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
