// A mirror fed with messages: right ones, wrong ones, any bytes.
#include "failing.h"
#include "sample.h"

#include <stdio.h>
#include <string.h>

static fr_mirror *make_mirror(const fr_allocator *allocator) {
    fr_mirror_def def = fr_default_mirror_def();
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_mirror *mirror = NULL;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_OK);
    return mirror;
}

static fr_status feed(fr_mirror *mirror, const fr_message *message) {
    fr_array out = fr_array_make(1, NULL);
    sample_write(message, &out);
    fr_error error = {0};
    fr_status status = fr_mirror_feed(mirror, out.data, out.count, &error);
    assert_int_equal(error.status, status);
    fr_array_destroy(&out);
    return status;
}

static fr_message object_message(uint32_t index1, uint32_t generation, const char *name, double x) {
    static const fr_wire_part part = {1, {{1, 0, 0, 0}, {0, 0, 0}, 1}};
    fr_message message = {.type = FR_MESSAGE_OBJECT};
    message.as.object = (fr_message_object){
        .object = {index1, generation}, .name = name, .parts = &part, .part_count = 1, .pose = fr_pose_identity()};
    message.as.object.pose.position.x = x;
    return message;
}

static fr_message state_message(uint64_t sequence, uint64_t since, uint32_t flags, const fr_wire_body *bodies,
                                uint32_t count) {
    fr_message message = {.type = FR_MESSAGE_STATE};
    message.as.state = (fr_message_state){sequence, since, 10 * sequence, 0.5, (uint8_t)flags, bodies, count};
    return message;
}

static fr_wire_body body(uint32_t index1, uint32_t generation, double x) {
    fr_wire_body made = {{index1, generation}, FR_HOLD_HELD, fr_pose_identity()};
    made.pose.position.x = x;
    return made;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects and state

static void objects_come_move_and_go(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    const fr_mirror_view *view = fr_mirror_get(mirror);
    fr_message message = object_message(5, 1, "five", 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = object_message(2, 0, "two", 2);
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(view->object_count, 2);
    assert_true(view->objects[0]->ref.index1 == 2 && view->objects[1]->ref.index1 == 5);
    assert_false(view->has_state);

    fr_wire_body bodies[] = {body(2, 0, 20), body(5, 0, 50), body(6, 0, 60)};
    message = state_message(3, 0, FR_STATE_COMPLETE, bodies, 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_true(view->has_state && view->sequence == 3 && view->tick == 30);
    assert_int_equal(view->object_count, 1); // five was not listed
    assert_true(fr_mirror_find(mirror, "two")->pose.position.x == 20);
    assert_int_equal(fr_mirror_find(mirror, "two")->hold, FR_HOLD_HELD);
    assert_null(fr_mirror_find(mirror, "five"));

    // Changes: another generation and one that is not known are passed over.
    message = object_message(5, 1, "five", 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    bodies[0].pose.position.x = 21;
    message = state_message(5, 3, FR_STATE_PAUSED, bodies, 3);
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_true(view->sequence == 5 && view->state_flags == FR_STATE_PAUSED);
    assert_true(fr_mirror_object_of(mirror, 2)->pose.position.x == 21);
    assert_true(fr_mirror_object_of(mirror, 5)->pose.position.x == 1);
    assert_null(fr_mirror_object_of(mirror, 6));

    message = (fr_message){.type = FR_MESSAGE_GONE};
    message.as.gone.object = (fr_ref){2, 9};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(view->object_count, 2);
    message.as.gone.object = (fr_ref){2, 0};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(view->object_count, 1);
    fr_mirror_destroy(mirror);
}

static void states_that_do_not_follow_are_refused(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    fr_message message = object_message(1, 0, "one", 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_wire_body bodies[] = {body(1, 0, 1), body(2, 0, 2)};
    message = state_message(5, 4, 0, bodies, 1); // nothing complete came before
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    message = state_message(5, 0, FR_STATE_COMPLETE, bodies, 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    bodies[0].pose.position.x = 9;
    message = state_message(8, 6, 0, bodies, 1); // 6 was missed
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    message = state_message(4, 3, 0, bodies, 1); // the past
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    bodies[1] = bodies[0];
    message = state_message(6, 5, 0, bodies, 2); // twice the same
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    assert_true(fr_mirror_get(mirror)->sequence == 5);
    assert_true(fr_mirror_object_of(mirror, 1)->pose.position.x == 1);
    message = state_message(7, 5, 0, bodies, 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_true(fr_mirror_object_of(mirror, 1)->pose.position.x == 9);
    fr_mirror_destroy(mirror);
}

static void leases_are_known(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    fr_message message = object_message(1, 0, "one", 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_string_equal(fr_mirror_object_of(mirror, 1)->lease_name, "");
    message = (fr_message){.type = FR_MESSAGE_LEASE};
    message.as.lease = (fr_message_lease){{1, 0}, 4, "Aiko"};
    assert_int_equal(feed(mirror, &message), FR_OK);
    message.as.lease = (fr_message_lease){{1, 7}, 5, "nobody"};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(fr_mirror_object_of(mirror, 1)->lease_client, 4);
    assert_string_equal(fr_mirror_object_of(mirror, 1)->lease_name, "Aiko");
    message.as.lease = (fr_message_lease){{1, 0}, 0, ""};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(fr_mirror_object_of(mirror, 1)->lease_client, 0);
    assert_string_equal(fr_mirror_object_of(mirror, 1)->lease_name, "");
    fr_mirror_destroy(mirror);
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static fr_message mesh_message(uint32_t number, uint32_t vertices, uint32_t triangles, uint32_t faces) {
    fr_message message = {.type = FR_MESSAGE_MESH};
    message.as.mesh = (fr_message_mesh){number, vertices, triangles, faces, 0, 0, 0, 0, 0};
    return message;
}

static void pieces_have_no_gap_and_fit(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    fr_message message = mesh_message(3, 4, 2, 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    const fr_mirror_mesh *mesh = fr_mirror_mesh_of(mirror, 3);
    float xyz[15] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    message = (fr_message){.type = FR_MESSAGE_MESH_VERTICES};
    message.as.mesh_vertices = (fr_message_mesh_vertices){3, 1, xyz, 3};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT); // 0 did not come
    message.as.mesh_vertices = (fr_message_mesh_vertices){3, 0, xyz, 15};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT); // five of four
    message.as.mesh_vertices = (fr_message_mesh_vertices){3, 0, xyz, 9};
    assert_int_equal(feed(mirror, &message), FR_OK);
    message.as.mesh_vertices = (fr_message_mesh_vertices){3, UINT32_MAX, xyz, 9};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    message.as.mesh_vertices = (fr_message_mesh_vertices){3, 2, xyz + 6, 6}; // the third once more
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_memory_equal(mesh->positions, xyz, 12 * sizeof(float));
    message.as.mesh_vertices = (fr_message_mesh_vertices){99, 0, xyz, 9}; // not known
    assert_int_equal(feed(mirror, &message), FR_OK);

    uint32_t corners[] = {0, 1, 2, 1, 2, 4};
    message = (fr_message){.type = FR_MESSAGE_MESH_TRIANGLES};
    message.as.mesh_triangles = (fr_message_mesh_triangles){3, 0, corners, 6};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT); // vertex 4 of 4
    corners[5] = 3;
    assert_int_equal(feed(mirror, &message), FR_OK);
    uint32_t faces[] = {0, 1};
    message = (fr_message){.type = FR_MESSAGE_MESH_FACES};
    message.as.mesh_faces = (fr_message_mesh_faces){3, 0, faces, 2};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT); // face 1 of 1
    assert_false(mesh->is_whole);
    faces[1] = 0;
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_true(mesh->is_whole);

    message = mesh_message(3, 4, 2, 0); // announced again
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_false(fr_mirror_mesh_of(mirror, 3)->is_whole);
    assert_int_equal(fr_mirror_get(mirror)->mesh_count, 1);
    message = mesh_message(0, 4, 2, 0);
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    fr_mirror_destroy(mirror);
}

static void what_is_announced_takes_no_memory(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_mirror *mirror = make_mirror(&allocator);
    fr_probe_bound(probe, fr_probe_get(probe).live_bytes + 65536);
    fr_message message = mesh_message(UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = object_message(UINT32_MAX, UINT32_MAX, "far", 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = object_message(0, 0, "none", 0);
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    fr_mirror_destroy(mirror);
    fr_probe_destroy(probe);
}

// ---------------------------------------------------------------------------------------------------------------
// The rest

typedef struct listener {
    uint32_t count;
    fr_message_type last;
    char text[32];
} listener;

static void listen(const fr_mirror *mirror, const fr_message *message, void *user) {
    listener *heard = user;
    assert_non_null(fr_mirror_get(mirror));
    heard->count++;
    heard->last = message->type;
    if (message->type == FR_MESSAGE_REPLY) { strncpy(heard->text, message->as.reply.message, sizeof heard->text - 1); }
}

static void all_messages_are_heard(void **state) {
    (void)state;
    listener heard = {0};
    fr_mirror_def def = fr_default_mirror_def();
    def.received = listen;
    def.user = &heard;
    fr_mirror *mirror;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_OK);
    fr_message message = {.type = FR_MESSAGE_REPLY};
    message.as.reply = (fr_message_reply){4, FR_ERROR_LIMIT, "held by another"};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_true(heard.count == 1 && heard.last == FR_MESSAGE_REPLY);
    assert_string_equal(heard.text, "held by another");
    message = mesh_message(0, 0, 0, 0);
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    assert_int_equal(heard.count, 1); // a refused message is not reported
    message = (fr_message){.type = FR_MESSAGE_HELLO};
    assert_int_equal(feed(mirror, &message), FR_ERROR_UNSUPPORTED);
    fr_mirror_destroy(mirror);
}

static void feed_scene(fr_mirror *mirror) {
    fr_message message = {.type = FR_MESSAGE_WELCOME};
    message.as.welcome = (fr_message_welcome){FR_PROTOCOL_VERSION, 7, 0.01, "fureai 0.1.0", "balls", 65536};
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_wire_demo demos[] = {{"a", "A", "first", "look", "a.jpg"}, {"b", "B", "second", "", ""}};
    message = (fr_message){.type = FR_MESSAGE_GALLERY};
    message.as.gallery = (fr_message_gallery){demos, 2, "b"};
    assert_int_equal(feed(mirror, &message), FR_OK);
}

// One list of each kind; first of more than there are, which is refused.
static void feed_lists(fr_mirror *mirror) {
    fr_wire_pair pairs[] = {{1, 2, 3, 4, 5}};
    fr_message message = {.type = FR_MESSAGE_PAIRS};
    message.as.pairs = (fr_message_pairs){3, 0, pairs, 1};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT); // one of none
    message.as.pairs.total = 12;
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_wire_contact contacts[] = {{.a = 1, .b = 2, .distance = -1}};
    message = (fr_message){.type = FR_MESSAGE_CONTACTS};
    message.as.contacts = (fr_message_contacts){3, 0, contacts, 1};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    message.as.contacts.total = 1;
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_wire_face_touch touches[] = {{.a = 1, .b = 2, .id = 9, .begin = 0.5}};
    message = (fr_message){.type = FR_MESSAGE_FACE_TOUCHES};
    message.as.face_touches = (fr_message_face_touches){3, 0, touches, 1};
    assert_int_equal(feed(mirror, &message), FR_ERROR_CORRUPT);
    message.as.face_touches.total = 1;
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_wire_event events[] = {{.kind = FR_EVENT_STATE, .name = "open"}};
    message = (fr_message){.type = FR_MESSAGE_EVENTS};
    message.as.events = (fr_message_events){events, 1};
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = (fr_message){.type = FR_MESSAGE_STATS};
    message.as.stats.clients = 3;
    assert_int_equal(feed(mirror, &message), FR_OK);
}

static void scenes_and_lists_are_kept(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    const fr_mirror_view *view = fr_mirror_get(mirror);
    assert_string_equal(view->scene.scene, "");
    feed_scene(mirror);
    assert_string_equal(view->welcome.server, "fureai 0.1.0");
    assert_string_equal(view->scene.scene, "balls");
    feed_lists(mirror);
    assert_true(view->pairs.total == 12 && view->pairs.pairs[0].triangle_b == 4);
    assert_true(view->contacts.contacts[0].distance == -1 && view->stats.clients == 3);
    assert_string_equal(view->events.events[0].name, "open");
    assert_true(view->face_touches.face_touch_count == 1 && view->face_touches.face_touches[0].id == 9);

    fr_message message = object_message(1, 0, "one", 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = mesh_message(1, 0, 0, 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = state_message(100, 0, FR_STATE_COMPLETE, NULL, 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    message = (fr_message){.type = FR_MESSAGE_RESET};
    message.as.reset = (fr_message_reset){0.02, "doors"};
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_string_equal(view->scene.scene, "doors");
    assert_true(view->scene.step == 0.02 && view->welcome.client == 7 && view->gallery.demo_count == 2);
    assert_string_equal(view->gallery.demos[1].about, "second");
    assert_true(!view->has_state && view->object_count == 0 && view->mesh_count == 0 && view->pairs.total == 0 &&
                view->contacts.contact_count == 0 && view->events.event_count == 0 && view->stats.clients == 0 &&
                view->face_touches.face_touch_count == 0);
    message = state_message(1, 0, FR_STATE_COMPLETE, NULL, 0); // counts from the beginning again
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_mirror_destroy(mirror);
}

static void layers_are_replaced_and_removed(void **state) {
    (void)state;
    fr_mirror *mirror = make_mirror(NULL);
    const fr_mirror_view *view = fr_mirror_get(mirror);
    fr_wire_label label = {{1, 2, 3, 4}, 5, {0, 0, 0}, "here"};
    fr_message message = {.type = FR_MESSAGE_DRAW};
    message.as.draw = (fr_message_draw){.layer = 4, .name = "four", .labels = &label, .label_count = 1};
    assert_int_equal(feed(mirror, &message), FR_OK);
    message.as.draw.layer = 2;
    assert_int_equal(feed(mirror, &message), FR_OK);
    label.text = "there";
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(view->layer_count, 2);
    assert_true(view->layers[0]->layer == 2 && view->layers[1]->layer == 4);
    assert_string_equal(view->layers[0]->labels[0].text, "there");
    assert_string_equal(view->layers[1]->labels[0].text, "here");
    message.as.draw.label_count = 0;
    assert_int_equal(feed(mirror, &message), FR_OK);
    assert_int_equal(view->layer_count, 1);
    assert_int_equal(feed(mirror, &message), FR_OK);
    fr_mirror_destroy(mirror);
}

// ---------------------------------------------------------------------------------------------------------------
// Convergence: whoever saw every change, missed some, or came late knows the same in the end

enum { PLACES = 40, STEPS = 200 };

typedef struct little_world {
    fr_random random;
    fr_snapshot_object objects[2][PLACES]; // of this snapshot and the one before, by turns
    uint32_t generations[PLACES];
    bool is_there[PLACES];
    fr_snapshot snapshot, previous;
} little_world;

// Moves some, holds some, removes and adds some.
static void step_world(little_world *w) {
    w->previous = w->snapshot;
    fr_snapshot_object *now = w->objects[w->snapshot.sequence % 2];
    size_t count = 0, j = 0;
    for (uint32_t i = 0; i < PLACES; i++) {
        while (j < w->previous.object_count && w->previous.objects[j].id.index1 < i + 1) {
            j++;
        }
        uint64_t dice = fr_random_below(&w->random, 20);
        bool was_there = w->is_there[i];
        if (dice == 0) { w->is_there[i] = !w->is_there[i]; }
        if (was_there && !w->is_there[i]) { w->generations[i]++; }
        if (!w->is_there[i]) { continue; }
        fr_snapshot_object *object = &now[count++];
        memset(object, 0, sizeof *object);
        object->id = (fr_object_id){i + 1, w->generations[i], 1};
        object->pose = fr_pose_identity();
        if (was_there) { *object = w->previous.objects[j]; }
        if (dice > 12) { object->pose.position.y = fr_random_unit(&w->random); }
        if (dice == 12) { object->hold = (fr_hold)fr_random_below(&w->random, 3); }
    }
    w->snapshot.sequence++;
    w->snapshot.objects = now;
    w->snapshot.object_count = count;
}

// Sends objects that a mirror does not know; STATE then gives their poses.
static void send_objects(fr_mirror *mirror, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->object_count; i++) {
        fr_object_id id = snapshot->objects[i].id;
        const fr_mirror_object *known = fr_mirror_object_of(mirror, id.index1);
        if (known != NULL && known->ref.generation == id.generation) { continue; }
        char name[16];
        snprintf(name, sizeof name, "o%u", (unsigned)id.index1);
        fr_message message = object_message(id.index1, id.generation, name, -1);
        assert_int_equal(feed(mirror, &message), FR_OK);
    }
}

// Tells what went since the snapshot before.
static void send_gone(fr_mirror *mirror, const fr_snapshot *snapshot, const fr_snapshot *previous) {
    for (size_t i = 0; i < previous->object_count; i++) {
        fr_object_id id = previous->objects[i].id;
        bool is_there = false;
        for (size_t k = 0; k < snapshot->object_count; k++) {
            is_there = is_there || fr_object_id_equal(snapshot->objects[k].id, id);
        }
        if (is_there) { continue; }
        fr_message message = {.type = FR_MESSAGE_GONE};
        message.as.gone.object = fr_ref_of(id);
        assert_int_equal(feed(mirror, &message), FR_OK);
    }
}

static void send_state(fr_encoder *encoder, fr_mirror *mirror, const fr_snapshot *now, const fr_snapshot *before) {
    fr_array out = fr_array_make(1, NULL);
    send_objects(mirror, now);
    assert_int_equal(fr_protocol_encode_state(encoder, now, before, &out, NULL), FR_OK);
    assert_int_equal(fr_mirror_feed(mirror, out.data, out.count, NULL), FR_OK);
    fr_array_destroy(&out);
}

static void changes_and_whole_states_lead_to_the_same(void **state) {
    (void)state;
    static little_world w;
    memset(&w, 0, sizeof w);
    w.random = fr_random_seed(11);
    fr_encoder *encoder;
    assert_int_equal(fr_encoder_create(NULL, &encoder, NULL), FR_OK);
    fr_mirror *watching = make_mirror(NULL), *slow = make_mirror(NULL);
    uint64_t last = 0;
    for (int step = 0; step < STEPS; step++) {
        step_world(&w);
        if (step > 0) { send_gone(watching, &w.snapshot, &w.previous); }
        send_state(encoder, watching, &w.snapshot, step > 0 ? &w.previous : NULL);
        if (fr_random_below(&w.random, 3) == 0) { send_state(encoder, slow, &w.snapshot, NULL); }
        uint64_t hash = fr_mirror_hash(watching);
        assert_true(hash != last);
        last = hash;

        fr_mirror *late = make_mirror(NULL);
        send_state(encoder, late, &w.snapshot, NULL);
        assert_true(fr_mirror_hash(late) == hash);
        assert_int_equal(fr_mirror_get(late)->object_count, w.snapshot.object_count);
        fr_mirror_destroy(late);
        if (fr_mirror_get(slow)->sequence == w.snapshot.sequence) { assert_true(fr_mirror_hash(slow) == hash); }
    }
    for (size_t i = 0; i < w.snapshot.object_count; i++) {
        const fr_snapshot_object *object = &w.snapshot.objects[i];
        const fr_mirror_object *known = fr_mirror_object_of(watching, object->id.index1);
        assert_memory_equal(&known->pose, &object->pose, sizeof object->pose);
        assert_int_equal(known->hold, object->hold);
    }
    fr_mirror_destroy(watching);
    fr_mirror_destroy(slow);
    fr_encoder_destroy(encoder);
}

// ---------------------------------------------------------------------------------------------------------------
// Any bytes, memory

static void random_messages_leave_it_whole(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    fr_array out = fr_array_make(1, NULL);
    fr_mirror *mirror = make_mirror(NULL);
    uint32_t taken = 0;
    uint32_t first_message = 0; // most are a server's, some a client's
    while (fr_protocol_message_at(first_message + 7)->type != FR_MESSAGE_WELCOME) {
        first_message++;
    }
    for (int trial = 0; trial < 20000; trial++) {
        out.count = 0;
        fr_arena_reset(arena);
        const fr_protocol_message *described = fr_protocol_message_at(first_message + fr_random_below(&random, 20));
        fr_message message = sample_message(described, &random, arena);
        // Small numbers, so that messages meet.
        uint32_t *first = (uint32_t *)(void *)&message.as;
        if (described->layout.fields[0].kind == FR_KIND_U32 || described->layout.fields[0].kind == FR_KIND_REF) {
            if (message.type != FR_MESSAGE_WELCOME) { *first %= 4; }
        }
        sample_write(&message, &out);
        taken += fr_mirror_feed(mirror, out.data, out.count, NULL) == FR_OK;
        if (trial % 100 == 0) { fr_mirror_hash(mirror); }
    }
    assert_true(taken > 10000);
    fr_mirror_destroy(mirror);
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
}

// Nothing is left in *out where no mirror was made.
static void a_refusal_gives_no_mirror(void **state) {
    (void)state;
    fr_mirror_def def = fr_default_mirror_def();
    fr_mirror *real = NULL, *mirror = NULL;
    assert_int_equal(fr_mirror_create(&def, &real, NULL), FR_OK);
    mirror = real;
    def.cookie = 0;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_ERROR_ARGUMENT);
    assert_null(mirror);
    fr_mirror_destroy(real);
}

static fr_status feed_all(const fr_allocator *allocator, void *context) {
    const fr_array *bytes = context;
    fr_mirror_def def = fr_default_mirror_def();
    def.allocator = *allocator;
    fr_mirror *mirror = NULL;
    fr_error error = {0};
    fr_status status = fr_mirror_create(&def, &mirror, &error);
    if (status == FR_OK) {
        status = fr_mirror_feed(mirror, bytes->data, bytes->count, &error);
        fr_mirror_hash(mirror);
    }
    assert_int_equal(error.status, status);
    fr_mirror_destroy(mirror);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_array out = fr_array_make(1, NULL);
    fr_message message = mesh_message(1, 1, 1, 1);
    sample_write(&message, &out);
    float xyz[3] = {0};
    uint32_t numbers[3] = {0};
    message = (fr_message){.type = FR_MESSAGE_MESH_VERTICES};
    message.as.mesh_vertices = (fr_message_mesh_vertices){1, 0, xyz, 3};
    sample_write(&message, &out);
    message = (fr_message){.type = FR_MESSAGE_MESH_TRIANGLES};
    message.as.mesh_triangles = (fr_message_mesh_triangles){1, 0, numbers, 3};
    sample_write(&message, &out);
    message = (fr_message){.type = FR_MESSAGE_MESH_FACES};
    message.as.mesh_faces = (fr_message_mesh_faces){1, 0, numbers, 1};
    sample_write(&message, &out);
    message = object_message(1, 0, "one", 0);
    sample_write(&message, &out);
    sample_write(&message, &out);
    message = (fr_message){.type = FR_MESSAGE_VERTICES};
    message.as.vertices = (fr_message_vertices){{1, 0}, 0, xyz, 3};
    sample_write(&message, &out);
    message = (fr_message){.type = FR_MESSAGE_LEASE};
    message.as.lease = (fr_message_lease){{1, 0}, 4, "Aiko"};
    sample_write(&message, &out);
    fr_wire_label label = {{1, 2, 3, 4}, 5, {0, 0, 0}, "here"};
    message = (fr_message){.type = FR_MESSAGE_DRAW};
    message.as.draw = (fr_message_draw){.layer = 4, .name = "four", .labels = &label, .label_count = 1};
    sample_write(&message, &out);
    sample_write(&message, &out);
    fr_wire_pair pair = {1, 1, 0, 0, 0};
    message = (fr_message){.type = FR_MESSAGE_PAIRS};
    message.as.pairs = (fr_message_pairs){1, 1, &pair, 1};
    sample_write(&message, &out);
    message = (fr_message){.type = FR_MESSAGE_RESET};
    message.as.reset = (fr_message_reset){0.02, "doors"};
    sample_write(&message, &out);
    assert_true(test_every_failure(feed_all, &out) > 25);
    fr_array_destroy(&out);
}

// A mirror of a world that only moves allocates nothing once it is warm.
static void warm_states_allocate_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_mirror *mirror = make_mirror(&allocator);
    fr_message message = object_message(1, 0, "one", 0);
    assert_int_equal(feed(mirror, &message), FR_OK);
    uint64_t before = 0;
    for (uint64_t sequence = 1; sequence < 8; sequence++) {
        fr_wire_body one = body(1, 0, (double)sequence);
        message = state_message(sequence, sequence - 1, sequence == 1 ? FR_STATE_COMPLETE : 0, &one, 1);
        assert_int_equal(feed(mirror, &message), FR_OK);
        fr_wire_pair pair = {1, 1, 0, 0, 0};
        message = (fr_message){.type = FR_MESSAGE_PAIRS};
        message.as.pairs = (fr_message_pairs){sequence, 1, &pair, 1};
        assert_int_equal(feed(mirror, &message), FR_OK);
        if (sequence == 3) { before = fr_probe_get(probe).allocations; }
    }
    assert_int_equal(fr_probe_get(probe).allocations, before);
    fr_mirror_destroy(mirror);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_come_move_and_go),
        cmocka_unit_test(states_that_do_not_follow_are_refused),
        cmocka_unit_test(leases_are_known),
        cmocka_unit_test(pieces_have_no_gap_and_fit),
        cmocka_unit_test(what_is_announced_takes_no_memory),
        cmocka_unit_test(all_messages_are_heard),
        cmocka_unit_test(scenes_and_lists_are_kept),
        cmocka_unit_test(layers_are_replaced_and_removed),
        cmocka_unit_test(changes_and_whole_states_lead_to_the_same),
        cmocka_unit_test(random_messages_leave_it_whole),
        cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(a_refusal_gives_no_mirror),
        cmocka_unit_test(warm_states_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
