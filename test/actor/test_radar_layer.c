// The layer of a radar: what it draws of a scene whose image is known, in the frame of its object, and what it refuses.
#include "demo.h"
#include "draw_record.h"
#include "failing.h"

#include "fureai/actor.h"

// The eye is turned about +y by -90 degrees, so that its +x is +z of the world, and half as large; a box of edge 1
// stands before it, two metres away, and another beyond its range.
static const char text[] = "{ \"fureai\": 1, \"step\": 0.02, \"objects\": ["
                           "  { \"name\": \"eye\", \"shape\": \"sphere_80\", \"position\": [5, 1, 0], \"scale\": 0.5,"
                           "    \"axis_angle_deg\": [0, 1, 0, -90], \"radar\": { \"range\": 4, \"width\": 2 } },"
                           "  { \"name\": \"box\", \"shape\": \"box\", \"position\": [5, 1, 2.5] },"
                           "  { \"name\": \"far\", \"shape\": \"box\", \"position\": [5, 1, 20], \"scale\": 3 } ] }";

typedef struct shown_layer {
    draw_record record;
    fr_object_id object;
    char name[80];
    int count;
} shown_layer;

static fr_status show(const fr_cast_layer *layer, void *user, fr_error *error) {
    (void)error;
    shown_layer *shown = user;
    if (layer->paint == NULL) { return FR_OK; }
    fr_draw draw = draw_record_begin(&shown->record);
    layer->paint(&draw, layer->user);
    shown->object = layer->object;
    snprintf(shown->name, sizeof shown->name, "%s", layer->name);
    shown->count++;
    return FR_OK;
}

typedef struct room {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    shown_layer shown;
} room;

static void open_room(room *r) {
    *r = (room){.shown = {.count = 0}};
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &r->scene, NULL), FR_OK);
    r->world = demo_world(r->scene, NULL, FR_SENSE_STATIC);
    fr_cast_def def = fr_default_cast_def();
    def.draw = show;
    def.draw_user = &r->shown;
    assert_int_equal(fr_scene_cast(r->scene, r->world, &def, &r->cast, NULL), FR_OK);
}

static void close_room(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
}

static void tick(const room *r) { assert_int_equal(fr_world_tick(r->world, NULL, NULL), FR_OK); }

static void the_volume_and_the_image_are_in_the_frame_of_the_object(void **state) {
    (void)state;
    room r;
    open_room(&r);
    tick(&r);
    assert_int_equal(r.shown.count, 1);
    assert_string_equal(r.shown.name, "radar of eye");
    assert_true(fr_object_id_equal(r.shown.object, fr_world_find(r.world, "eye")));
    const draw_record *record = &r.shown.record;
    assert_int_equal(record->line_count, 12);
    // The volume is 2 m wide and the box 1 m: its middle half along each side, a quarter of the pixels.
    const size_t half = FR_RADAR_LAYER_RESOLUTION / 2;
    assert_int_equal(record->triangle_count, 2 * half * half);
    // All of one depth, 2 of 4 m, so that one shade is enough beside the lines.
    assert_int_equal(record->call_count, 2);
    // In the object's frame lengths are twice as long, as it is half as large.
    const double close = 1e-6;
    assert_true(fabs(record->bounds.min.x) < close && fabs(record->bounds.max.x - 8.0) < close);
    assert_true(fabs(record->bounds.min.y + 2.0) < close && fabs(record->bounds.max.y - 2.0) < close);
    assert_true(fabs(record->bounds.min.z + 2.0) < close && fabs(record->bounds.max.z - 2.0) < close);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(record->triangle[i].x - 8.0) < close);
        assert_true(fabs(record->triangle[i].y) <= 1.0 + close && fabs(record->triangle[i].z) <= 1.0 + close);
    }
    close_room(&r);
}

// Every tick it looks again.
static void what_goes_away_is_no_longer_in_the_image(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_space *space = fr_world_space(r.world);
    tick(&r);
    assert_int_equal(fr_object_remove(space, fr_world_find(r.world, "box"), NULL), FR_OK);
    tick(&r);
    assert_int_equal(r.shown.count, 2);
    assert_int_equal(r.shown.record.triangle_count, 0);
    assert_int_equal(r.shown.record.line_count, 12);
    // Without its object nothing is drawn.
    assert_int_equal(fr_object_remove(space, fr_world_find(r.world, "eye"), NULL), FR_OK);
    tick(&r);
    assert_int_equal(r.shown.count, 2);
    close_room(&r);
}

static void numbers_outside_their_limits_are_refused(void **state) {
    (void)state;
    fr_radar_layer_def right = fr_default_radar_layer_def();
    right.name = "eye";
    fr_actor actor;
    for (int i = 0; i < 6; i++) {
        fr_radar_layer_def def = right;
        if (i == 0) { def.name = NULL; }
        if (i == 1) { def.range = 0.0; }
        if (i == 2) { def.range = 2.0 * FR_RADAR_LAYER_MAX; }
        if (i == 3) { def.width = NAN; }
        if (i == 4) { def.direction = fr_vec3_make(0.0, 0.0, 0.0); }
        if (i == 5) { def.direction.y = NAN; }
        fr_error error = {0};
        assert_int_equal(fr_radar_layer_create(&def, &actor, &error), FR_ERROR_ARGUMENT);
        assert_true(error.message[0] != '\0');
    }
    assert_int_equal(fr_radar_layer_create(&right, &actor, NULL), FR_OK);
    actor.leave(actor.user);
}

static fr_status make_layer(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_radar_layer_def def = fr_default_radar_layer_def();
    def.allocator = *allocator;
    def.name = "eye";
    fr_actor actor;
    fr_status status = fr_radar_layer_create(&def, &actor, NULL);
    if (status == FR_OK) { actor.leave(actor.user); }
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_layer, NULL) >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_volume_and_the_image_are_in_the_frame_of_the_object),
        cmocka_unit_test(what_goes_away_is_no_longer_in_the_image),
        cmocka_unit_test(numbers_outside_their_limits_are_refused),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
