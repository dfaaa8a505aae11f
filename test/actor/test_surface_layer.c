// The layer of surfaces: what it draws, when it is drawn again, what a scene says of it, and memory that runs short.
#include "demo.h"
#include "draw_record.h"
#include "failing.h"

#include "fureai/actor.h"
#include "fureai/human_surface.h"

static const char text[] =
    "{ \"fureai\": 1, \"step\": 0.02, \"surfaces\": { \"stature\": 1.6 }, \"objects\": ["
    "  { \"name\": \"seat\", \"shape\": \"box\", \"scale\": 0.45, \"position\": [0, 0.225, 0] } ] }";

typedef struct shown_layer {
    draw_record record;
    int count;
    char name[80];
} shown_layer;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_layer *shown = user;
    if (layer->paint == NULL) { return FR_OK; }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    snprintf(shown->name, sizeof shown->name, "%s", layer->name);
    shown->count++;
    return FR_OK;
}

static void tick(fr_cast *cast, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(fr_cast_tick(cast, NULL, NULL), FR_OK);
    }
}

static void draws_again_what_moved(void **state) {
    (void)state;
    fr_scene *scene = NULL;
    fr_error error = {0};
    if (fr_scene_read(text, sizeof text - 1, NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(fr_scene_get(scene)->surfaces == 1.6);
    fr_world *world = demo_world(scene, NULL, FR_SENSE_STATIC);
    static shown_layer shown;
    shown = (shown_layer){.count = 0};
    fr_cast_def def = fr_default_cast_def();
    def.draw = show;
    def.draw_user = &shown;
    fr_cast *cast = NULL;
    assert_int_equal(fr_scene_cast(scene, world, &def, &cast, NULL), FR_OK);
    tick(cast, 1);
    assert_int_equal(shown.count, 1);
    assert_string_equal(shown.name, FR_SURFACE_LAYER_NAME);
    tick(cast, 3 * FR_SURFACE_LAYER_TICKS); // nothing moves: nothing is drawn
    assert_int_equal(shown.count, 1);
    fr_object_id seat = fr_world_find(world, "seat");
    fr_pose pose = fr_object_get(fr_world_space(world), seat)->pose;
    pose.position.x += 0.5;
    assert_int_equal(fr_object_set_pose(fr_world_space(world), seat, &pose, NULL), FR_OK);
    tick(cast, (int)FR_SURFACE_LAYER_TICKS + 1);
    assert_int_equal(shown.count, 2);
    fr_object_remove(fr_world_space(world), seat, NULL); // what is gone is drawn no more
    tick(cast, (int)FR_SURFACE_LAYER_TICKS + 1);
    assert_int_equal(shown.count, 3);
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    static const double wrong[] = {0.0, 0.99, 2.01, NAN};
    fr_actor actor;
    fr_surface_layer_def def = fr_default_surface_layer_def();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        def.stature = wrong[i];
        assert_int_equal(fr_surface_layer_create(&def, &actor, NULL), FR_ERROR_ARGUMENT);
    }
    def = fr_default_surface_layer_def();
    def.cookie = 0;
    assert_int_equal(fr_surface_layer_create(&def, &actor, NULL), FR_ERROR_ARGUMENT);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_surface_layer_def def = fr_default_surface_layer_def();
    def.allocator = *allocator;
    fr_actor actor;
    fr_status status = fr_surface_layer_create(&def, &actor, NULL);
    if (status == FR_OK) { actor.leave(actor.user); }
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(draws_again_what_moved),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
