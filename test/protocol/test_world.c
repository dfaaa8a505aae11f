// A world that ticks, seen in mirrors: by one who watched from the beginning and by one who came last.
#include "mesh_object.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { TICKS = 12 };

typedef struct fixture {
    fr_world *world;
    fr_encoder *encoder;
    fr_array bytes;
    const fr_snapshot *snapshot, *before; // before: NULL at first
} fixture;

static fr_mirror *make_mirror(void) {
    fr_mirror_def def = fr_default_mirror_def();
    fr_mirror *mirror;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_OK);
    return mirror;
}

static fr_object_id add_box(fr_world *world, const char *name, double x) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box((fr_vec3){1, 1, 1}, NULL, &mesh, NULL), FR_OK);
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position.x = x;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    fr_label label = fr_world_label(world, id);
    label.name = name;
    assert_int_equal(fr_world_set_label(world, id, &label, NULL), FR_OK);
    return id;
}

static uint32_t mesh_number(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    (void)mesh, (void)skin;
    (void)user;
    return 1;
}

static void send_object(fixture *f, fr_object_id id) {
    fr_label label = fr_world_label(f->world, id);
    fr_protocol_object object = {fr_world_space(f->world), id, label.name, label.color, false, mesh_number, NULL};
    assert_int_equal(fr_protocol_encode_object(f->encoder, &object, &f->bytes, NULL), FR_OK);
}

// What a server sends for a tick: objects added and removed, then the rest.
static void send_tick(fixture *f, fr_mirror *mirror) {
    f->bytes.count = 0;
    for (size_t i = 0; i < f->snapshot->event_count; i++) {
        const fr_event *event = &f->snapshot->events[i];
        if (event->kind == FR_EVENT_ADDED) { send_object(f, event->a); }
        if (event->kind == FR_EVENT_REMOVED) {
            fr_message gone = {.type = FR_MESSAGE_GONE};
            gone.as.gone.object = fr_ref_of(event->a);
            sample_write(&gone, &f->bytes);
        }
    }
    fr_protocol_service service = {0.5, 1, 0};
    assert_int_equal(fr_protocol_encode_state(f->encoder, f->snapshot, f->before, &f->bytes, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_pairs(f->encoder, f->snapshot, &f->bytes, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_contacts(f->encoder, f->snapshot, &f->bytes, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_events(f->encoder, f->snapshot, &f->bytes, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_stats(f->snapshot, &service, &f->bytes, NULL), FR_OK);
    assert_int_equal(fr_mirror_feed(mirror, f->bytes.data, f->bytes.count, NULL), FR_OK);
}

static void expect_seen(const fixture *f, const fr_mirror *mirror) {
    const fr_mirror_view *view = fr_mirror_get(mirror);
    const fr_snapshot *snapshot = f->snapshot;
    assert_true(view->sequence == snapshot->sequence && view->tick == snapshot->tick && view->time == snapshot->time);
    assert_int_equal(view->object_count, snapshot->object_count);
    for (size_t i = 0; i < snapshot->object_count; i++) {
        const fr_snapshot_object *object = &snapshot->objects[i];
        assert_memory_equal(&view->objects[i]->pose, &object->pose, sizeof object->pose);
        assert_true(view->objects[i]->hold == object->hold && view->objects[i]->ref.index1 == object->id.index1);
    }
    assert_int_equal(view->pairs.total, snapshot->pair_count);
    for (size_t i = 0; i < snapshot->pair_count; i++) {
        assert_int_equal(view->pairs.pairs[i].triangle_a, snapshot->pairs[i].triangle_a);
        assert_int_equal(view->pairs.pairs[i].a, snapshot->pairs[i].a + 1);
    }
    assert_int_equal(view->contacts.contact_count, snapshot->pair_count);
    assert_int_equal(view->events.event_count, snapshot->event_count);
    assert_true(view->stats.tested == snapshot->stats.collide.tested && view->stats.sequence == snapshot->sequence);
}

// One box is carried through another; a third comes and goes.
static void a_world_is_seen_in_mirrors(void **state) {
    (void)state;
    fixture f = {.bytes = fr_array_make(1, NULL)};
    fr_world_def def = fr_default_world_def();
    assert_int_equal(fr_world_create(&def, &f.world, NULL), FR_OK);
    assert_int_equal(fr_encoder_create(NULL, &f.encoder, NULL), FR_OK);
    fr_mirror *watching = make_mirror();
    add_box(f.world, "still", 0);
    fr_object_id carried = add_box(f.world, "carried", -3), guest = {0, 0, 0};
    size_t max_pairs = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        fr_pose raw = fr_pose_identity();
        raw.position = (fr_vec3){-3 + 0.5 * tick, 0.25, 0.125};
        assert_int_equal(fr_world_drag(f.world, carried, &raw, NULL), FR_OK);
        if (tick == 4) { guest = add_box(f.world, "guest", 9); }
        if (tick == 8) { assert_int_equal(fr_object_remove(fr_world_space(f.world), guest, NULL), FR_OK); }
        assert_int_equal(fr_world_tick(f.world, NULL, NULL), FR_OK);
        f.snapshot = fr_world_snapshot(f.world);
        send_tick(&f, watching);
        expect_seen(&f, watching);
        if (f.snapshot->pair_count > max_pairs) { max_pairs = f.snapshot->pair_count; }
        if (f.before != NULL) { fr_snapshot_release(f.before); }
        f.before = f.snapshot;
    }
    assert_true(max_pairs > 0);
    assert_null(fr_mirror_find(watching, "guest"));
    assert_int_equal(fr_mirror_find(watching, "carried")->hold, FR_HOLD_HELD);

    // A client that comes last gets the objects, then their poses.
    fr_mirror *late = make_mirror();
    f.bytes.count = 0;
    for (size_t i = 0; i < f.snapshot->object_count; i++) {
        send_object(&f, f.snapshot->objects[i].id);
    }
    assert_int_equal(fr_protocol_encode_state(f.encoder, f.snapshot, NULL, &f.bytes, NULL), FR_OK);
    assert_int_equal(fr_mirror_feed(late, f.bytes.data, f.bytes.count, NULL), FR_OK);
    assert_true(fr_mirror_hash(late) == fr_mirror_hash(watching));

    fr_snapshot_release(f.before);
    fr_mirror_destroy(late);
    fr_mirror_destroy(watching);
    fr_encoder_destroy(f.encoder);
    fr_world_destroy(f.world);
    fr_array_destroy(&f.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_seen_in_mirrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
