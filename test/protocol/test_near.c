// Receivers that want fewer states of what is far: how often objects come, and that all come in the end.
#include "failing.h"
#include "mesh_object.h"
#include "walking_body.h"

#include "fureai/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { OBJECTS = 14, MESHES = 2 };

// Every second object has bones; they stand along z, at 4 metres from one another.
typedef struct street {
    fr_world *world;
    fr_mesh *mesh;
    fr_skin *skin;
    fr_object_id ids[OBJECTS];
    fr_pose bones[OBJECTS][WALKER_BONES];
    bool is_still;
    fr_encoder *encoder;
    fr_array bytes;
} street;

// A receiver: with a backlog, or of all states.
typedef struct receiver {
    fr_mirror *mirror;
    fr_backlog *backlog; // NULL: all states
    fr_vec3 point;
    double distance;
    bool has_begun;
} receiver;

static fr_status walk(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    street *s = user;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < OBJECTS && !s->is_still && status == FR_OK; i++) {
        const fr_object_view *view = fr_object_get(proposal->space, s->ids[i]);
        if (view == NULL) { continue; }
        fr_wish wish = {.object = s->ids[i], .kind = FR_WISH_NEXT, .pose = view->pose};
        wish.pose.position.x += 0.01;
        status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK || view->bone_count == 0) { continue; }
        walker_bones(i, proposal->tick + 1, WALKER_JOINTS, s->bones[i]);
        status = fr_wishes_bones(wishes, s->ids[i], s->bones[i], WALKER_BONES, error);
    }
    return status;
}

static void add_object(street *s, uint32_t i) {
    fr_part_def part;
    fr_object_def object = test_mesh_object(s->mesh, &part);
    object.flags = FR_OBJECT_GHOST;
    object.pose.position.z = 4.0 * i;
    fr_space *space = fr_world_space(s->world);
    assert_int_equal(fr_object_add(space, &object, &s->ids[i], NULL), FR_OK);
    if (i % 2 == 0) { return; }
    walker_bones(i, 0, WALKER_JOINTS, s->bones[i]);
    assert_int_equal(fr_object_set_skin(space, s->ids[i], 0, s->skin, FR_SKIN_LINEAR, NULL), FR_OK);
    assert_int_equal(fr_object_set_bones(space, s->ids[i], s->bones[i], WALKER_BONES, NULL), FR_OK);
}

static void open_street(street *s) {
    memset(s, 0, sizeof *s);
    fr_world_def def = fr_default_world_def();
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &s->mesh, NULL), FR_OK);
    s->skin = walker_skin(s->mesh);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        add_object(s, i);
    }
    fr_corrector mover = {"walk", walk, s};
    assert_int_equal(fr_world_add_mover(s->world, &mover, NULL), FR_OK);
    assert_int_equal(fr_encoder_create(NULL, &s->encoder, NULL), FR_OK);
    s->bytes = fr_array_make(1, NULL);
}

static void close_street(street *s) {
    fr_world_destroy(s->world);
    fr_skin_release(s->skin);
    fr_mesh_release(s->mesh);
    fr_encoder_destroy(s->encoder);
    fr_array_destroy(&s->bytes);
}

static uint32_t number_of(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    (void)mesh, (void)user;
    return skin != NULL ? 2 : 1;
}

static void feed(fr_mirror *mirror, street *s) {
    fr_error error = {0};
    if (fr_mirror_feed(mirror, s->bytes.data, s->bytes.count, &error) != FR_OK) { fail_msg("%s", error.message); }
    s->bytes.count = 0;
}

static void introduce(const receiver *r, street *s, uint32_t i) {
    fr_protocol_object object = {.space = fr_world_space(s->world), .id = s->ids[i], .mesh_number = number_of};
    assert_int_equal(fr_protocol_encode_object(s->encoder, &object, &s->bytes, NULL), FR_OK);
    feed(r->mirror, s);
}

static receiver open_receiver(street *s, fr_vec3 point, double distance) {
    receiver r = {.point = point, .distance = distance};
    fr_mirror_def def = fr_default_mirror_def();
    assert_int_equal(fr_mirror_create(&def, &r.mirror, NULL), FR_OK);
    if (distance > 0.0) { assert_int_equal(fr_backlog_create(NULL, &r.backlog, NULL), FR_OK); }
    for (uint32_t number = 1; number <= MESHES; number++) {
        fr_mesh_transfer mesh = {.mesh = s->mesh, .number = number, .skin = number == 2 ? s->skin : NULL};
        while (!fr_mesh_transfer_is_done(&mesh)) {
            assert_int_equal(fr_protocol_encode_mesh_piece(s->encoder, &mesh, &s->bytes, NULL), FR_OK);
        }
    }
    feed(r.mirror, s);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        introduce(&r, s, i);
    }
    return r;
}

static void close_receiver(receiver *r) {
    fr_mirror_destroy(r->mirror);
    fr_backlog_destroy(r->backlog);
}

// Sends a snapshot, complete where it is the first; returns the bytes.
static size_t send(receiver *r, street *s, const fr_snapshot *now, const fr_snapshot *before) {
    if (!r->has_begun || r->backlog == NULL) {
        const fr_snapshot *since = r->has_begun ? before : NULL;
        assert_int_equal(fr_protocol_encode_state(s->encoder, now, since, &s->bytes, NULL), FR_OK);
        const fr_space *space = fr_world_space(s->world);
        assert_int_equal(fr_protocol_encode_bones(s->encoder, space, now, since, &s->bytes, NULL), FR_OK);
        if (r->backlog != NULL) { fr_backlog_begin(r->backlog, now->sequence); }
    } else {
        fr_near_input input = {r->backlog, fr_world_space(s->world), now, before, r->point, r->distance};
        assert_int_equal(fr_protocol_encode_near(s->encoder, &input, &s->bytes, NULL), FR_OK);
    }
    r->has_begun = true;
    size_t bytes = s->bytes.count;
    feed(r->mirror, s);
    return bytes;
}

static const fr_snapshot *tick(const street *s) {
    assert_int_equal(fr_world_tick(s->world, NULL, NULL), FR_OK);
    return fr_world_snapshot(s->world);
}

// How often each object comes, against the rule; and when all stand, every receiver has the same.
static void what_is_far_comes_less_often(void **state) {
    (void)state;
    static street s;
    open_street(&s);
    receiver all = open_receiver(&s, fr_vec3_make(0, 0, 0), 0.0);
    receiver near = open_receiver(&s, fr_vec3_make(0, 0, 0), 5.0);
    double last[OBJECTS] = {0.0};
    int came[OBJECTS] = {0};
    size_t bytes[2] = {0, 0};
    const fr_snapshot *before = NULL;
    for (int i = 0; i < 65 + 16; i++) {
        s.is_still = i >= 65;
        const fr_snapshot *now = tick(&s);
        size_t of_all = send(&all, &s, now, before), of_near = send(&near, &s, now, before);
        bytes[0] += i > 0 ? of_all : 0;
        bytes[1] += i > 0 ? of_near : 0;
        for (uint32_t k = 0; k < OBJECTS; k++) {
            double x = fr_mirror_object_of(near.mirror, s.ids[k].index1)->pose.position.x;
            came[k] += i > 0 && i < 65 && x != last[k] ? 1 : 0;
            if (x != last[k]) { assert_true(x == now->objects[k].pose.position.x); }
            last[k] = x;
        }
        fr_snapshot_release(before);
        before = now;
    }
    for (uint32_t k = 0; k < OBJECTS; k++) {
        double length = 4.0 * k;
        int period = length < 5.0 ? 1 : length < 10.0 ? 2 : length < 20.0 ? 4 : length < 40.0 ? 8 : 16;
        assert_int_equal(came[k], 64 / period);
    }
    assert_true(fr_mirror_hash(all.mirror) == fr_mirror_hash(near.mirror));
    print_message("%d objects: %zu bytes of all states, %zu of fewer\n", OBJECTS, bytes[0], bytes[1]);
    assert_true(bytes[1] < bytes[0] / 2);
    fr_snapshot_release(before);
    close_receiver(&all);
    close_receiver(&near);
    close_street(&s);
}

// Receivers that look from anywhere, with any distance, among objects that come, go and are held.
static void all_comes_in_the_end(void **state) {
    (void)state;
    static street s;
    open_street(&s);
    enum { RECEIVERS = 4 };
    receiver r[RECEIVERS];
    for (int i = 0; i < RECEIVERS; i++) {
        r[i] = open_receiver(&s, fr_vec3_make(0, 0, 0), i);
    }
    static const double distances[] = {1e-300, 0.1, 3.0, 9.0, 1e300, (double)INFINITY};
    fr_random random = fr_random_seed(5);
    const fr_snapshot *before = NULL;
    int ticks = (int)test_count(200, 4000);
    for (int i = 0; i < ticks; i++) {
        s.is_still = i % 50 >= 30;
        if (i % 50 == 10) { // another object at a place that was used
            uint32_t k = (uint32_t)fr_random_below(&random, OBJECTS);
            fr_message gone = {.type = FR_MESSAGE_GONE};
            gone.as.gone.object = fr_ref_of(s.ids[k]);
            assert_int_equal(fr_object_remove(fr_world_space(s.world), s.ids[k], NULL), FR_OK);
            add_object(&s, k);
            for (int n = 0; n < RECEIVERS; n++) {
                assert_int_equal(fr_protocol_write(&gone, &s.bytes, NULL), FR_OK);
                feed(r[n].mirror, &s);
                introduce(&r[n], &s, k);
            }
        }
        fr_object_id held = s.ids[fr_random_below(&random, OBJECTS)];
        fr_pose raw = fr_pose_make(fr_vec3_make(0.5 * i, 1.0, 0.0), fr_quat_identity());
        if (i % 50 == 20) { assert_int_equal(fr_world_drag(s.world, held, &raw, NULL), FR_OK); }
        if (i % 50 == 20) { assert_int_equal(fr_world_let_go(s.world, held, NULL), FR_OK); }
        const fr_snapshot *now = tick(&s);
        for (int n = 0; n < RECEIVERS; n++) {
            if (n > 0 && i % 7 == 0) {
                r[n].point.z = i % 21 == 0 ? 0x1p300 : fr_random_between(&random, -10, 60);
                r[n].distance = distances[fr_random_below(&random, 6)];
            }
            if (n == 3 && i % 40 == 35) { r[n].has_begun = false; } // it was too slow, and gets a complete state
            (void)send(&r[n], &s, now, before);
            bool is_over = i % 50 >= 30 + (int)FR_NEAR_MAX_PERIOD;
            if (is_over) { assert_true(fr_mirror_hash(r[n].mirror) == fr_mirror_hash(r[0].mirror)); }
        }
        fr_snapshot_release(before);
        before = now;
    }
    fr_snapshot_release(before);
    for (int i = 0; i < RECEIVERS; i++) {
        close_receiver(&r[i]);
    }
    close_street(&s);
}

static fr_status encode_near(const fr_allocator *allocator, void *context) {
    street *s = context;
    fr_encoder *encoder = NULL;
    fr_backlog *backlog = NULL;
    fr_array out = fr_array_make(1, allocator);
    const fr_snapshot *before = fr_world_snapshot(s->world), *now = tick(s);
    fr_status status = fr_encoder_create(allocator, &encoder, NULL);
    if (status == FR_OK) { status = fr_backlog_create(allocator, &backlog, NULL); }
    if (status == FR_OK) {
        fr_backlog_begin(backlog, before->sequence);
        fr_near_input input = {backlog, fr_world_space(s->world), now, before, {0, 0, 0}, 1.0};
        status = fr_protocol_encode_near(encoder, &input, &out, NULL);
        assert_true(status == FR_OK || out.count == 0);
    }
    fr_array_destroy(&out);
    fr_backlog_destroy(backlog);
    fr_encoder_destroy(encoder);
    fr_snapshot_release(before);
    fr_snapshot_release(now);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    static street s;
    open_street(&s);
    fr_snapshot_release(tick(&s));
    assert_true(test_every_failure(encode_near, &s) >= 5);
    close_street(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_comes_less_often),
        cmocka_unit_test(all_comes_in_the_end),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
