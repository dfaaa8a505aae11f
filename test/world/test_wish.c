// Objects whose vertices movers move: seen over the step, held or not, recorded, refused without harm.
#include "failing.h"
#include "histories.h"
#include "tape.h"

#include <math.h>

// A mover that stretches an object to the right by `by` more each tick.
typedef struct stretch {
    fr_object_id object;
    double by;
    fr_vec3 vertices[64];
    uint32_t count; // told; 0: as many as there are
} stretch;

static fr_status stretch_more(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    stretch *s = user;
    const fr_object_view *view = fr_object_get(proposal->space, s->object);
    if (view == NULL) { return FR_OK; }
    const fr_mesh_view *mesh = fr_mesh_get(fr_object_part(proposal->space, s->object, 0).mesh);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        const float *p = mesh->positions_float + (size_t)3 * i;
        s->vertices[i] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
        if (p[0] > 0.0f) { s->vertices[i].x += s->by * (double)(proposal->tick + 1); }
    }
    return fr_wishes_deform(wishes, s->object, s->vertices, s->count != 0 ? s->count : view->vertex_count, error);
}

static void world_stretch(fr_world *world, stretch *s) {
    fr_corrector mover = {"stretch", stretch_more, s};
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
}

static fr_world *open_continuous(void) {
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    fr_world *world = NULL;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    return world;
}

static void what_grows_touches_on_its_way(void **state) {
    (void)state;
    fr_world *world = open_continuous();
    fr_mesh *box = world_mesh("box");
    fr_bounds size = fr_mesh_get(box)->bounds;
    double reach = size.max.x;
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 2.0 * reach + 1.5, 0, 0);
    stretch s = {.object = a, .by = 1.0};
    world_stretch(world, &s);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, NULL), 0);
    fr_event touch = {0};
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_TOUCH_BEGIN, &touch), 1);
    assert_true(fr_object_id_equal(touch.a, a) && fr_object_id_equal(touch.b, b));
    assert_true(fabs(touch.fraction - 0.5) < 1e-3); // halfway from 1 to 2
    const fr_object_view *view = fr_object_get(fr_world_space(world), a);
    assert_non_null(view->vertices);
    double most = -INFINITY;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        most = fmax(most, view->vertices[i].x);
    }
    assert_true(most == reach + 2.0);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// Correctors may change the motion, people may hold the object: it is deformed all the same.
static fr_status push_up(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr_object_id *id = user;
    fr_pose pose = fr_object_get(proposal->space, *id)->pose;
    pose.position.y += 1.0;
    fr_wish wish = {.object = *id, .kind = FR_WISH_NEXT, .pose = pose};
    return fr_wishes_add(wishes, &wish, error);
}

static void what_is_held_or_corrected_is_deformed_too(void **state) {
    (void)state;
    fr_world *world = open_continuous();
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0);
    stretch s = {.object = a, .by = 1.0};
    world_stretch(world, &s);
    fr_corrector corrector = {"up", push_up, &a};
    assert_int_equal(fr_world_add_corrector(world, &corrector, NULL), FR_OK);
    fr_pose hand = pose_at(5, 0, 0);
    assert_int_equal(fr_world_drag(world, a, &hand, NULL), FR_OK);
    world_tick(world);
    const fr_object_view *view = fr_object_get(fr_world_space(world), a);
    assert_true(view->pose.position.x == 0.0 && view->pose.position.y == 1.0);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        assert_true(view->vertices[i].x == s.vertices[i].x);
    }
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void what_the_space_refuses_changes_nothing(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0);
    stretch s = {.object = a, .by = INFINITY};
    world_stretch(world, &s);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_ERROR_NOT_FINITE);
    assert_true(fr_world_tick_count(world) == 0);
    assert_null(fr_object_get(fr_world_space(world), a)->next_vertices);
    s.by = 1.0;
    s.count = 3;
    fr_error error;
    assert_int_equal(fr_world_tick(world, NULL, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "mover 'stretch': 3 vertices for an object of 8"));
    s.count = 0;
    world_tick(world);
    assert_int_equal(fr_object_remove(fr_world_space(world), a, NULL), FR_OK);
    world_tick(world);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void records_hold_what_was_deformed(void **state) {
    (void)state;
    fr_world *world = open_continuous(), *again = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0);
    world_add(world, box, 2.5, 0, 0);
    stretch s = {.object = a, .by = 0.3};
    world_stretch(world, &s);
    tape record = {0};
    assert_int_equal(fr_world_record(world, tape_keep, &record, NULL), FR_OK);
    for (int i = 0; i < 5; i++) {
        world_tick(world);
    }
    fr_error error = {0};
    fr_status status = fr_world_replay(again, record.bytes, record.size, NULL, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    assert_true(world_hash(world) == world_hash(again));
    free(record.bytes);
    fr_world_destroy(world);
    fr_world_destroy(again);
    fr_mesh_release(box);
}

static fr_status make_and_tick(const fr_allocator *allocator, void *context) {
    fr_world *world;
    stretch s = {.by = 1.0};
    fr_status status = world_try(allocator, context, &world, &s.object);
    fr_corrector mover = {"stretch", stretch_more, &s};
    if (status == FR_OK) { status = fr_world_add_mover(world, &mover, NULL); }
    if (status == FR_OK) { status = fr_world_tick(world, NULL, NULL); }
    fr_world_destroy(world);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    assert_true(test_every_failure(make_and_tick, box) > 5);
    fr_mesh_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_grows_touches_on_its_way),
        cmocka_unit_test(what_is_held_or_corrected_is_deformed_too),
        cmocka_unit_test(what_the_space_refuses_changes_nothing),
        cmocka_unit_test(records_hold_what_was_deformed),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
