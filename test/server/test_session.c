// Sessions: clients in the process, against a client over a socket of the same server.
#include "failing.h"
#include "provider.h"

enum { EVERYTHING = 127 }; // of fr_wants

typedef struct local {
    fr_server *server;
    fr_session *session;
    fr_mirror *mirror;
    uint32_t frames;
    fr_message_type last; // that came
    uint32_t request;     // of the last reply, with its status
    uint32_t status;
    char sentence[256]; // of the last reply or error
} local;

static void received(const fr_mirror *mirror, const fr_message *message, void *user) {
    (void)mirror;
    local *l = user;
    l->last = message->type;
    if (message->type == FR_MESSAGE_REPLY) {
        l->request = message->as.reply.request;
        l->status = message->as.reply.status;
        snprintf(l->sentence, sizeof l->sentence, "%s", message->as.reply.message);
    }
    if (message->type == FR_MESSAGE_ERROR) {
        snprintf(l->sentence, sizeof l->sentence, "%s", message->as.error.message);
    }
}

static void say(local *l, const fr_message *message) {
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_write(message, &bytes, NULL), FR_OK);
    assert_int_equal(fr_session_send(l->session, bytes.data, bytes.count, NULL), FR_OK);
    fr_array_destroy(&bytes);
}

static void hello(local *l, const char *name) {
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, EVERYTHING, name};
    say(l, &message);
}

static void open_session(local *l, fr_server *server) {
    fr_mirror_def def = fr_default_mirror_def();
    def.received = received;
    def.user = l;
    *l = (local){.server = server};
    assert_int_equal(fr_mirror_create(&def, &l->mirror, NULL), FR_OK);
    assert_int_equal(fr_session_create(server, &l->session, NULL), FR_OK);
}

static void close_session(local *l) {
    fr_session_destroy(l->session);
    fr_mirror_destroy(l->mirror);
}

static void take_all(local *l) {
    const void *bytes;
    size_t size;
    while (fr_session_take(l->session, &bytes, &size)) {
        l->frames++;
        assert_int_equal(fr_mirror_feed(l->mirror, bytes, size, NULL), FR_OK);
    }
}

static void step(local *l) {
    double wait = -1.0;
    assert_int_equal(fr_server_step(l->server, &wait, NULL), FR_OK);
    assert_true(wait >= 0.0 && wait <= 0.05);
    take_all(l);
    wait_ms((long)(1e3 * wait) < 2 ? 1 : 2);
}

static void follow(local *l, uint64_t sequence) {
    for (int i = 0; i < 5000 && fr_mirror_get(l->mirror)->sequence < sequence; i++) {
        step(l);
    }
    assert_true(fr_mirror_get(l->mirror)->sequence >= sequence);
}

static fr_ref ref_of(const local *l, const char *name) {
    const fr_mirror_object *object = fr_mirror_find(l->mirror, name);
    assert_non_null(object);
    return object->ref;
}

// Asks and waits for the reply.
static uint32_t ask(local *l, fr_message *message, uint32_t request) {
    say(l, message);
    for (int i = 0; i < 2000 && l->request != request; i++) {
        step(l);
    }
    assert_int_equal(l->request, request);
    return l->status;
}

static fr_server *local_server(fr_server_def *def) {
    def->is_local = true;
    fr_server *server;
    fr_error error = {0};
    if (fr_server_create(def, &server, &error) != FR_OK) { fail_msg("no server: %s", error.message); }
    return server;
}

// ---------------------------------------------------------------------------------------------------------------

static void a_local_server_ticks_for_its_session(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    local l;
    open_session(&l, local_server(&def));
    assert_int_equal(fr_server_port(l.server), 0);
    assert_int_equal(fr_server_run(l.server, NULL, NULL), FR_ERROR_ARGUMENT);
    hello(&l, "page");
    follow(&l, 5);
    assert_int_equal(fr_mirror_get(l.mirror)->object_count, 3);
    double before = fr_mirror_find(l.mirror, "left")->pose.position.x;
    follow(&l, 20);
    assert_true(fr_mirror_find(l.mirror, "left")->pose.position.x != before);
    assert_int_equal(fr_server_get_stats(l.server).clients, 1);
    close_session(&l);
    assert_int_equal(fr_server_get_stats(l.server).clients, 0);
    fr_server_destroy(l.server);
}

static void it_grabs_moves_and_drops(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    local l;
    open_session(&l, local_server(&def));
    hello(&l, "page");
    follow(&l, 3);
    fr_message message = {.type = FR_MESSAGE_GRAB};
    message.as.grab = (fr_message_grab){7, ref_of(&l, "right")};
    assert_int_equal(ask(&l, &message, 7), FR_OK);
    message.type = FR_MESSAGE_MOVE;
    message.as.move = (fr_message_move){ref_of(&l, "right"), 1, fr_pose_identity()};
    message.as.move.raw.position = fr_vec3_make(0, 5, 0);
    say(&l, &message);
    follow(&l, fr_mirror_get(l.mirror)->sequence + 3);
    assert_true(fr_mirror_find(l.mirror, "right")->pose.position.y == 5.0);
    message.type = FR_MESSAGE_DROP;
    message.as.drop = (fr_message_drop){8, ref_of(&l, "right")};
    assert_int_equal(ask(&l, &message, 8), FR_OK);
    message.type = FR_MESSAGE_OPEN;
    message.as.open = (fr_message_open){9, "crowd:20"};
    assert_int_equal(ask(&l, &message, 9), FR_OK);
    for (int i = 0; i < 2000 && fr_mirror_get(l.mirror)->object_count != 22; i++) {
        step(&l);
    }
    assert_int_equal(fr_mirror_get(l.mirror)->object_count, 22);
    close_session(&l);
    fr_server_destroy(l.server);
}

#ifndef FUREAI_TEST_WITHOUT_SOCKETS
// The world by a session, and the one by a socket: the same, and so is what one does for the other.
static void a_socket_sees_the_same(void **state) {
    (void)state;
    fr_server_def def = test_server_def("crowd:20");
    fr_server *server;
    assert_int_equal(fr_server_create(&def, &server, NULL), FR_OK);
    local l;
    open_session(&l, server);
    hello(&l, "page");
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)fr_server_port(server));
    fr_client_def client_def = fr_default_client_def();
    client_def.url = url;
    client_def.wants = EVERYTHING;
    fr_client *client;
    assert_int_equal(fr_client_create(&client_def, &client, NULL), FR_OK);
    bool has_met = false;
    for (int i = 0; i < 5000 && !has_met; i++) {
        step(&l);
        bool has_taken = true;
        while (has_taken) {
            assert_int_equal(fr_client_service(client, 0, &has_taken, NULL), FR_OK);
        }
        const fr_mirror *other = fr_client_mirror(client);
        uint64_t sequence = fr_mirror_get(l.mirror)->sequence;
        has_met = sequence > 20 && fr_mirror_get(other)->sequence == sequence &&
                  fr_mirror_hash(other) == fr_mirror_hash(l.mirror);
    }
    assert_true(has_met);
    fr_client_destroy(client);
    close_session(&l);
    fr_server_destroy(server);
}
#endif

static void what_is_wrong_ends_it(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    local l;
    open_session(&l, local_server(&def));
    assert_int_equal(fr_session_send(l.session, "abcdefgh", 8, NULL), FR_OK);
    assert_int_equal(fr_session_close_code(l.session), 0);
    step(&l);
    assert_int_equal(l.last, FR_MESSAGE_ERROR);
    assert_true(l.sentence[0] != '\0');
    assert_int_equal(fr_session_close_code(l.session), 1002);
    assert_int_equal(fr_session_send(l.session, "", 0, NULL), FR_ERROR_STOPPED);
    close_session(&l);

    // One that says nothing is not waited for.
    open_session(&l, l.server);
    for (int i = 0; i < 8000 && fr_session_close_code(l.session) == 0; i++) {
        step(&l);
    }
    assert_int_equal(fr_session_close_code(l.session), 1008);
    close_session(&l);
    fr_server_destroy(l.server);
}

static void a_server_that_goes_ends_it(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.max_clients = 1;
    local l;
    open_session(&l, local_server(&def));
    fr_session *second;
    assert_int_equal(fr_session_create(l.server, &second, NULL), FR_ERROR_LIMIT);
    assert_null(second);
    hello(&l, "page");
    follow(&l, 2);
    fr_server_destroy(l.server);
    const void *bytes;
    size_t size;
    assert_false(fr_session_take(l.session, &bytes, &size));
    assert_int_equal(fr_session_close_code(l.session), 1001);
    assert_int_equal(fr_session_send(l.session, "", 0, NULL), FR_ERROR_STOPPED);
    close_session(&l);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

typedef struct reply {
    unsigned status;
    uint32_t count;
    char name[64];
    char text[512];
} reply;

static void replied(unsigned status, const char *type, const char *name, const void *bytes, size_t size,
                    void *context) {
    reply *r = context;
    assert_non_null(type);
    r->status = status;
    r->count++;
    snprintf(r->name, sizeof r->name, "%s", name != NULL ? name : "");
    snprintf(r->text, sizeof r->text, "%.*s", (int)(size < 500 ? size : 500), (const char *)bytes);
}

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)user;
    static const char text[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"stand\",\"shape\":\"box\"}]}";
    fr_served_scene_def def = fr_default_served_scene_def();
    fr_scene_build_input building = fr_default_scene_build_input();
    fr_status status = fr_scene_read(text, sizeof text - 1, NULL, &def.scene, error);
    if (status == FR_OK) { status = fr_scene_player_create(NULL, &def.player, error); }
    if (status != FR_OK) { return status; }
    building.player = def.player;
    fr_world_def world = fr_scene_world_def(def.scene);
    status = fr_world_create(&world, &def.world, error);
    if (status == FR_OK) { status = fr_scene_build_world(def.scene, &building, def.world, NULL, error); }
    if (status == FR_OK) { status = fr_served_scene_create(&def, out, error); }
    out->title = name;
    return status;
}

static void close_scene(fr_served_scene *scene, void *user) {
    (void)user;
    fr_served_scene_destroy(scene);
}

// A bundle of one file (server/bundle.h).
static size_t bundle(const char *name, const char *text, unsigned char *out) {
    const uint64_t size = strlen(text);
    const uint32_t head[] = {0, 1, (uint32_t)strlen(name)};
    size_t at = 0;
    memcpy(out, head, sizeof head);
    at += sizeof head;
    memcpy(out + at, &size, sizeof size);
    at += sizeof size;
    memcpy(out + at, name, strlen(name));
    at += strlen(name);
    memcpy(out + at, text, size);
    return at + size;
}

static void take_files(local *l, const char *path, const void *bytes, size_t size, reply *r) {
    *r = (reply){0};
    assert_int_equal(fr_session_request(l->session, path, bytes, size, replied, r, NULL), FR_OK);
    for (int i = 0; i < 2000 && r->count == 0; i++) {
        step(l);
    }
    assert_int_equal(r->count, 1);
}

static void files_become_objects(void **state) {
    (void)state;
    static const char obj[] = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    unsigned char bytes[512];
    static const fr_scene_entry entries[] = {{"one", "One", "", NULL, NULL}};
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){entries, 1, "one", open_scene, close_scene, NULL};
    def.may_upload = true;
    local l;
    reply r;
    open_session(&l, local_server(&def));
    hello(&l, "page");
    follow(&l, 2);
    take_files(&l, "/models", bytes, bundle("wedge.obj", obj, bytes), &r);
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(r.text, "\"wedge\""));
    follow(&l, fr_mirror_get(l.mirror)->sequence + 2);
    assert_non_null(fr_mirror_find(l.mirror, "wedge"));
    take_files(&l, "/models/1.stl", NULL, 0, &r);
    assert_int_equal(r.status, 200);
    assert_string_equal(r.name, "wedge.stl");
    take_files(&l, "/models/7.stl", NULL, 0, &r);
    assert_int_equal(r.status, 404);
    take_files(&l, "/models", bytes, bundle("bad.obj", "v 1 2\nf 1 2 3\n", bytes), &r);
    assert_int_equal(r.status, 422);
    assert_non_null(strstr(r.text, "bad.obj:1"));

    // A second one while the first is worked on, and one that is gone before its reply.
    size_t size = bundle("wedge.obj", obj, bytes);
    r = (reply){0};
    assert_int_equal(fr_session_request(l.session, "/models", bytes, size, replied, &r, NULL), FR_OK);
    assert_int_equal(fr_session_request(l.session, "/models", bytes, size, replied, &r, NULL), FR_ERROR_BUSY);
    close_session(&l);
    assert_int_equal(fr_server_step(l.server, NULL, NULL), FR_OK);
    fr_server_destroy(l.server);
    assert_int_equal(r.count, 0);
}

// ---------------------------------------------------------------------------------------------------------------

// A whole session; what fails says so, and leaves nothing.
static fr_status make_session(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_server_def def = test_server_def("pair");
    def.is_local = true;
    def.allocator = *allocator;
    fr_server *server;
    fr_session *session = NULL;
    fr_status status = fr_server_create(&def, &server, NULL);
    if (status != FR_OK) { return status; }
    status = fr_session_create(server, &session, NULL);
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello = (fr_message_hello){FR_PROTOCOL_VERSION, FR_WANTS_POSES, ""};
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_write(&message, &bytes, NULL), FR_OK);
    if (status == FR_OK) { status = fr_session_send(session, bytes.data, bytes.count, NULL); }
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        const void *taken;
        size_t size;
        (void)fr_server_step(server, NULL, NULL);
        while (fr_session_take(session, &taken, &size)) {}
    }
    reply r = {0};
    if (status == FR_OK) { status = fr_session_request(session, "/models/0.glb", NULL, 0, replied, &r, NULL); }
    fr_array_destroy(&bytes);
    fr_session_destroy(session);
    fr_server_destroy(server);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_session, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_server_ticks_for_its_session),
        cmocka_unit_test(it_grabs_moves_and_drops),
#ifndef FUREAI_TEST_WITHOUT_SOCKETS
        cmocka_unit_test(a_socket_sees_the_same),
#endif
        cmocka_unit_test(what_is_wrong_ends_it),
        cmocka_unit_test(a_server_that_goes_ends_it),
        cmocka_unit_test(files_become_objects),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
