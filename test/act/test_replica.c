// A replica: a local world goes where the served one is, its people are sent, and what is refused is taken away.
#include "failing.h"
#include "frame.h"
#include "peopled.h"

#include "fureai/act_replica.h"

#include <math.h>
#include <string.h>

#include <cmocka.h>

// Both worlds, and what the client of the local one knows.
typedef struct pair {
    peopled served, local;
    fr_director *director;
    fr_replica *replica;
    fr_mirror *mirror;
    fr_encoder *encoder;
} pair;

static void name_all(const peopled *w) {
    fr_label label = fr_default_label();
    label.name = "Hana";
    assert_int_equal(fr_world_set_label(w->world, w->skin, &label, NULL), FR_OK);
    label.name = "ball";
    assert_int_equal(fr_world_set_label(w->world, w->thing, &label, NULL), FR_OK);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "Hana %s", fr_figure_proxy_name(i));
        label.name = name;
        assert_int_equal(fr_world_set_label(w->world, w->proxies[i], &label, NULL), FR_OK);
    }
}

static uint32_t number_of(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    (void)mesh, (void)user;
    return skin != NULL ? 1 : 2;
}

// The client is sent all of the served world.
static void send_world(pair *p, bool has_ball) {
    const fr_space *space = fr_world_space(p->served.world);
    const fr_snapshot *snapshot = fr_world_snapshot(p->served.world);
    fr_array bytes = fr_array_make(1, NULL);
    fr_message welcome = {.type = FR_MESSAGE_WELCOME};
    welcome.as.welcome = (fr_message_welcome){.version = FR_PROTOCOL_VERSION, .client = 1, .step = STEP};
    assert_int_equal(fr_protocol_write(&welcome, &bytes, NULL), FR_OK);
    const fr_figure_view *figure = fr_figure_get(p->served.figure);
    fr_mesh_transfer mesh = {.mesh = figure->mesh, .number = 1, .skin = figure->skin, .method = FR_SKIN_LINEAR};
    while (!fr_mesh_transfer_is_done(&mesh)) {
        assert_int_equal(fr_protocol_encode_mesh_piece(p->encoder, &mesh, &bytes, NULL), FR_OK);
    }
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_protocol_object object = {.space = space, .id = fr_space_object_at(space, i), .mesh_number = number_of};
        if (!has_ball && fr_object_id_equal(object.id, p->served.thing)) { continue; }
        object.name = fr_world_label(p->served.world, object.id).name;
        assert_int_equal(fr_protocol_encode_object(p->encoder, &object, &bytes, NULL), FR_OK);
    }
    assert_int_equal(fr_protocol_encode_state(p->encoder, snapshot, NULL, &bytes, NULL), FR_OK);
    assert_int_equal(fr_protocol_encode_bones(p->encoder, space, snapshot, NULL, &bytes, NULL), FR_OK);
    fr_error error = {0};
    if (fr_mirror_feed(p->mirror, bytes.data, bytes.count, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_snapshot_release(snapshot);
    fr_array_destroy(&bytes);
}

static void put_served(pair *p, fr_object_id object, fr_vec3 place) {
    fr_pose pose = fr_pose_make(place, fr_quat_identity());
    assert_int_equal(fr_object_set_pose(fr_world_space(p->served.world), object, &pose, NULL), FR_OK);
    tick(&p->served);
}

static void open_pair(pair *p) {
    memset(p, 0, sizeof *p);
    open_world(&p->served);
    open_world(&p->local);
    name_all(&p->served);
    name_all(&p->local);
    // In the served world Hana stands two metres farther on.
    fr_person_def def = person_def(&p->served);
    def.place.z += 2.0;
    fr_person *there;
    assert_int_equal(fr_person_create(&def, &there, NULL), FR_OK);
    fr_person_destroy(there);
    tick(&p->served);
    fr_director_def directing = fr_default_director_def();
    directing.cast = p->local.cast;
    assert_int_equal(fr_director_create(&directing, &p->director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(p->director);
    assert_int_equal(fr_cast_add(p->local.cast, &actor, NULL), FR_OK);
    def = person_def(&p->local);
    assert_int_equal(fr_director_add_person(p->director, &def, NULL), FR_OK);
    fr_mirror_def mirror = fr_default_mirror_def();
    assert_int_equal(fr_mirror_create(&mirror, &p->mirror, NULL), FR_OK);
    assert_int_equal(fr_encoder_create(NULL, &p->encoder, NULL), FR_OK);
}

static void open_replica(pair *p) {
    fr_replica_def def = fr_default_replica_def();
    def.cast = p->local.cast;
    def.director = p->director;
    assert_int_equal(fr_replica_create(&def, &p->replica, NULL), FR_OK);
    const fr_actor actor = fr_replica_actor(p->replica);
    assert_int_equal(fr_cast_add(p->local.cast, &actor, NULL), FR_OK);
}

static void close_pair(pair *p) {
    fr_encoder_destroy(p->encoder);
    fr_mirror_destroy(p->mirror);
    close_world(&p->local);
    close_world(&p->served);
}

// Ticks until the people may be commanded.
static void get_ready(pair *p) {
    send_world(p, true);
    fr_error error = {0};
    if (fr_replica_follow(p->replica, p->mirror, &error) != FR_OK) { fail_msg("%s", error.message); }
    for (int i = 0; i < 10 && !fr_replica_get(p->replica).is_ready; i++) {
        tick(&p->local);
    }
    assert_true(fr_replica_get(p->replica).is_ready);
}

static uint32_t updates(pair *p, fr_array *bytes) {
    bytes->count = 0;
    uint64_t before = fr_replica_get(p->replica).updates;
    assert_int_equal(fr_replica_write(p->replica, 100000, bytes, NULL), FR_OK);
    return (uint32_t)(fr_replica_get(p->replica).updates - before);
}

// ---------------------------------------------------------------------------------------------------------------

static void objects_and_people_follow(void **state) {
    (void)state;
    pair p;
    open_pair(&p);
    open_replica(&p);
    assert_true(fr_director_person_count(p.director) == 1);
    // Nothing is commanded before the body is where the served one is.
    const fr_command nod = {.name = "turn", .given = FR_COMMAND_FACING, .facing = 1.0};
    tick(&p.local);
    assert_int_equal(fr_cast_command(p.local.cast, &nod, NULL), FR_ERROR_BUSY);
    get_ready(&p);
    assert_true(fabs(bone_place(&p.local, 0).z - bone_place(&p.served, 0).z) < 1e-3);
    assert_int_equal(fr_cast_command(p.local.cast, &nod, NULL), FR_OK);
    const fr_vec3 there = {3.0, 1.0, -2.0};
    put_served(&p, p.served.thing, there);
    send_world(&p, true);
    assert_int_equal(fr_replica_follow(p.replica, p.mirror, NULL), FR_OK);
    tick(&p.local);
    const fr_object_view *ball = fr_object_get(fr_world_space(p.local.world), p.local.thing);
    assert_true(fr_vec3_distance(ball->pose.position, there) < 1e-9);
    close_pair(&p);
}

static void people_are_sent_while_they_move(void **state) {
    (void)state;
    pair p;
    open_pair(&p);
    open_replica(&p);
    get_ready(&p);
    fr_array bytes = fr_array_make(1, NULL);
    uint32_t count = 0;
    // One who stands is sent now and then.
    for (uint32_t i = 0; i < 4 * FR_REPLICA_IDLE_TICKS; i++) {
        tick(&p.local);
        count += updates(&p, &bytes);
    }
    assert_true(count >= 4 && count <= 8);
    const fr_command walk = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 6.0}};
    assert_int_equal(fr_cast_command(p.local.cast, &walk, NULL), FR_OK);
    count = 0;
    for (int i = 0; i < 60; i++) {
        tick(&p.local);
        count += updates(&p, &bytes);
    }
    assert_true(count >= 58);
    // The last of them: a body with all its bones and rigid pieces, as they are here.
    fr_frame frame = {.bytes = bytes.data, .size = bytes.count, .reader = FR_READER_SERVER};
    fr_packet packet;
    fr_message message;
    fr_status status;
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    assert_true(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(fr_protocol_read(&packet, arena, &message, NULL), FR_OK);
    const fr_message_update *update = &message.as.update;
    assert_int_equal(update->body.index1, p.served.skin.index1);
    assert_int_equal(update->bone_count, FR_LINK_COUNT);
    assert_int_equal(update->object_count, FR_FIGURE_PROXY_COUNT);
    const fr_object_view *skin = fr_object_get(fr_world_space(p.local.world), p.local.skin);
    assert_memory_equal(update->bones, skin->bones, FR_LINK_COUNT * sizeof *skin->bones);
    fr_arena_destroy(arena);
    fr_array_destroy(&bytes);
    close_pair(&p);
}

static void what_is_refused_is_taken_away(void **state) {
    (void)state;
    pair p;
    open_pair(&p);
    open_replica(&p);
    get_ready(&p);
    const fr_command walk = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.0, 0.0, 6.5}, .ticket = 7};
    assert_int_equal(fr_cast_command(p.local.cast, &walk, NULL), FR_OK);
    tick(&p.local);
    const fr_wire_refusal refusal = {{p.served.skin.index1, p.served.skin.generation}, FR_ERROR_BUSY, "Bob holds it"};
    fr_message_refused refused = {.sequence = 1, .refusals = &refusal, .refusal_count = 1};
    fr_replica_refuse(p.replica, &refused);
    tick(&p.local);
    fr_command_end end;
    assert_true(fr_cast_ended(p.local.cast, &end));
    assert_true(end.ticket == 7 && end.status == FR_ERROR_BUSY);
    assert_string_equal(end.message, "Bob moves Hana");
    assert_true(fr_director_get(p.director, 0).is_away);
    fr_replica_state now = fr_replica_get(p.replica);
    assert_true(now.person_count == 0 && now.refused == 1);
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(updates(&p, &bytes), 0);
    fr_array_destroy(&bytes);
    close_pair(&p);
}

static void another_scene_is_refused(void **state) {
    (void)state;
    pair p;
    open_pair(&p);
    open_replica(&p);
    fr_error error = {0};
    assert_int_equal(fr_replica_follow(p.replica, p.mirror, &error), FR_OK); // it knows nothing yet
    send_world(&p, false);
    assert_int_equal(fr_replica_follow(p.replica, p.mirror, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the served world has no 'ball': it is of another scene");
    fr_replica_def def = fr_default_replica_def();
    fr_replica *replica;
    assert_int_equal(fr_replica_create(&def, &replica, NULL), FR_ERROR_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(fr_replica_create(&def, &replica, NULL), FR_ERROR_ARGUMENT);
    close_pair(&p);
}

// With little memory: fr_replica_create, fr_replica_actor, fr_replica_follow, fr_replica_refuse, fr_replica_write.
static fr_status make_replica(const fr_allocator *allocator, void *context) {
    pair *p = context;
    fr_replica_def def = fr_default_replica_def();
    def.cast = p->local.cast;
    def.director = p->director;
    def.allocator = *allocator;
    fr_replica *replica;
    fr_status status = fr_replica_create(&def, &replica, NULL);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_replica_actor(replica);
    status = fr_replica_follow(replica, p->mirror, NULL);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(actor.prepare(actor.user, NULL), FR_OK);
    }
    fr_array bytes = fr_array_make(1, allocator);
    if (status == FR_OK) { status = fr_replica_write(replica, 1000, &bytes, NULL); }
    const fr_wire_refusal refusal = {{p->served.thing.index1, p->served.thing.generation}, FR_ERROR_BUSY, "it"};
    const fr_message_refused refused = {.sequence = 1, .refusals = &refusal, .refusal_count = 1};
    fr_replica_refuse(replica, &refused);
    test_note(bytes.data, bytes.count);
    fr_array_destroy(&bytes);
    actor.leave(actor.user);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    pair p;
    open_pair(&p);
    send_world(&p, true);
    test_every_failure(make_replica, &p);
    close_pair(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_people_follow),     cmocka_unit_test(people_are_sent_while_they_move),
        cmocka_unit_test(what_is_refused_is_taken_away), cmocka_unit_test(another_scene_is_refused),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}
