// Edges: what their clients see and do is what clients of the home see and do; homes, brokers and edges that go and
// come back; and anything at all that a broker may send. Without a broker of the system: test_redis.c has that.
#include "failing.h"
#include "loop_broadcast.h"
#include "provider.h"

#include "server/envelope.h"
#include "server/home.h"

#include <cmocka.h>

enum { HOME, EDGE, OTHER_EDGE, STRANGER };

static loop_broker broker;
static fr_broadcast tables[LOOP_MEMBERS];
static running_server home, edge, other_edge;

// What a client has heard of the home.
typedef struct watcher {
    test_client c; // first: client_told takes it
    uint32_t services;
    bool is_read_only;
    char sentence[128];
} watcher;

static void note_service(const fr_mirror *mirror, const fr_message *message, void *user) {
    watcher *w = user;
    client_told(mirror, message, user);
    if (message->type != FR_MESSAGE_SERVICE) { return; }
    w->services++;
    w->is_read_only = message->as.service.is_read_only != 0;
    snprintf(w->sentence, sizeof w->sentence, "%s", message->as.service.message);
}

static void watch_server(watcher *w, uint16_t port, const char *name, uint32_t wants) {
    *w = (watcher){0};
    client_open_with(&w->c, port, name, wants, note_service);
}

static void start_home(const char *scene) {
    fr_server_def def = test_server_def(scene);
    tables[HOME] = loop_table(&broker, HOME);
    def.broadcast = &tables[HOME];
    server_start(&home, &def);
}

static void start_edge(running_server *running, uint32_t member) {
    fr_server_def def = fr_default_server_def();
    tables[member] = loop_table(&broker, member);
    def.broadcast = &tables[member];
    def.is_edge = true;
    def.port = 0;
    server_start(running, &def);
}

// As by kill -9: nobody hears a word of it.
static void kill_server(running_server *running, uint32_t member) {
    pthread_mutex_lock(&broker.lock);
    broker.members[member].is_connected = false;
    pthread_mutex_unlock(&broker.lock);
    (void)server_end(running);
    loop_leave(&broker, member);
}

static int begin(void **state) {
    (void)state;
    loop_begin(&broker);
    return 0;
}

static int end(void **state) {
    (void)state;
    loop_end(&broker);
    return 0;
}

static void take(watcher *w) {
    if (!client_take(&w->c)) { fail_msg("the connection ended: %s", w->c.error_text); }
}

// Takes what comes until a condition holds; a minute is patience enough for any machine.
#define UNTIL(w, condition)                                                                                            \
    for (uint64_t begin_ns = fr_clock_ns(); !(condition);) {                                                           \
        if (fr_clock_ms_since(begin_ns) > 60000.0) { fail_msg("%s never held", #condition); }                          \
        take(w);                                                                                                       \
    }

static const fr_mirror_object *object_of(const watcher *w, const char *name) {
    return fr_mirror_find(w->c.mirror, name);
}

static uint32_t number_of(const watcher *w) { return fr_mirror_get(w->c.mirror)->welcome.client; }

// Lets time stand, and waits until both have the state that stands.
static void come_together(watcher *a, watcher *b) {
    assert_int_equal(client_play(&a->c, FR_PLAY_PAUSE), FR_OK);
    client_follow_states(&a->c, 5);
    uint64_t tick = fr_mirror_get(a->c.mirror)->tick;
    UNTIL(b, fr_mirror_get(b->c.mirror)->tick == tick &&
                 fr_mirror_get(b->c.mirror)->sequence >= fr_mirror_get(a->c.mirror)->sequence);
}

static void expect_same_world(const watcher *a, const watcher *b) {
    const fr_mirror_view *x = fr_mirror_get(a->c.mirror), *y = fr_mirror_get(b->c.mirror);
    assert_true(x->object_count > 0 && x->mesh_count > 0);
    assert_int_equal(x->object_count, y->object_count);
    assert_true(fr_mirror_hash(a->c.mirror) == fr_mirror_hash(b->c.mirror));
}

// ---------------------------------------------------------------------------------------------------------------
// Definitions

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_server *server;
    fr_error error = {0};
    fr_server_def def = fr_default_server_def();
    def.is_edge = true;
    def.port = 0;
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "an edge has a broadcast"));
    fr_broadcast table = loop_table(&broker, EDGE);
    def.broadcast = &table;
    def.store_path = "store.json";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
    assert_null(server);
}

// ---------------------------------------------------------------------------------------------------------------
// Watching

// The oracle is a client of the home: after all that happened both mirrors hold the same, to the last bit.
// Files are the home's: an edge says so.
static void expect_no_files(uint16_t port) {
    static const char *const methods[] = {"POST", "GET"}, *const paths[] = {"/models", "/models/left.obj"};
    for (int i = 0; i < 2; i++) {
        test_client c;
        client_connect(&c, port);
        assert_int_equal(client_request(&c, methods[i], paths[i], "Content-Length: 4\r\n"), 403);
        char body[256] = "";
        long size = client_content_length(&c);
        assert_true(size > 0 && size < (long)sizeof body && client_receive(&c, body, (size_t)size));
        assert_non_null(strstr(body, "this is an edge; files are sent to and fetched from its home server"));
        client_close(&c);
    }
}

static void a_client_of_an_edge_sees_the_same_world(void **state) {
    (void)state;
    static const char *const scenes[] = {"pair", "crowd:20", "walk:3", "big"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        watcher at_home, early, late;
        start_edge(&edge, EDGE);
        watch_server(&early, edge.port, "Early", CLIENT_WANTS | FR_WANTS_DRAW); // no home is there yet
        start_home(scenes[i]);
        watch_server(&at_home, home.port, "Ann", CLIENT_WANTS | FR_WANTS_DRAW);
        client_follow_states(&at_home.c, 30);
        UNTIL(&early, early.c.state_count > 20 && !early.is_read_only);
        watch_server(&late, edge.port, "Late", FR_WANTS_POSES);
        come_together(&at_home, &early);
        expect_same_world(&at_home, &early);
        uint64_t sequence = fr_mirror_get(at_home.c.mirror)->sequence;
        client_follow(&late.c, sequence);
        expect_same_world(&at_home, &late);
        assert_string_equal(fr_mirror_get(early.c.mirror)->scene.scene, scenes[i]);
        // The gallery is that of the home, without pictures, which an edge does not have.
        const fr_message_gallery *gallery = &fr_mirror_get(early.c.mirror)->gallery;
        assert_int_equal(gallery->demo_count, 3);
        assert_string_equal(gallery->demos[1].title, "A crowd");
        assert_string_equal(gallery->demos[1].picture, "");
        expect_no_files(edge.port);
        // A client gets what it wants, and nothing else.
        assert_int_equal(late.c.events, 0);
        client_close(&at_home.c);
        client_close(&early.c);
        client_close(&late.c);
        (void)server_end(&edge);
        (void)server_end(&home);
        loop_end(&broker);
        loop_begin(&broker);
    }
}

// A scene that is opened later, and one that begins again.
static void another_scene_comes_to_the_edge(void **state) {
    (void)state;
    watcher at_home, at_edge;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&at_home, home.port, "Ann", CLIENT_WANTS);
    watch_server(&at_edge, edge.port, "Bob", CLIENT_WANTS);
    client_follow_states(&at_edge.c, 3);
    assert_int_equal(client_open_scene(&at_home.c, "crowd:20"), FR_OK);
    UNTIL(&at_edge, object_of(&at_edge, "ball7") != NULL);
    come_together(&at_home, &at_edge);
    expect_same_world(&at_home, &at_edge);
    uint32_t resets = at_edge.c.resets;
    assert_int_equal(client_play(&at_edge.c, FR_PLAY_RESTART), FR_OK); // by the edge
    UNTIL(&at_edge, at_edge.c.resets > resets && fr_mirror_get(at_edge.c.mirror)->has_state);
    come_together(&at_home, &at_edge);
    expect_same_world(&at_home, &at_edge);
    client_close(&at_home.c);
    client_close(&at_edge.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

// ---------------------------------------------------------------------------------------------------------------
// Handling

static void objects_are_handled_over_edges(void **state) {
    (void)state;
    watcher ann, bob, eve;
    start_home("pair");
    start_edge(&edge, EDGE);
    start_edge(&other_edge, OTHER_EDGE);
    watch_server(&ann, home.port, "Ann", CLIENT_WANTS);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    watch_server(&eve, other_edge.port, "Eve", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    UNTIL(&eve, object_of(&eve, "right") != NULL && fr_mirror_get(eve.c.mirror)->has_state && !eve.is_read_only);
    fr_ref right = client_ref(&bob.c, "right");
    assert_int_equal(client_grab(&bob.c, right), FR_OK);
    // Everybody else is refused, by the name of the one who holds it, and that one knows its own number.
    assert_int_equal(client_grab(&eve.c, right), FR_ERROR_BUSY);
    assert_string_equal(eve.c.reply_text, "Bob holds it");
    client_follow_states(&ann.c, 2);
    assert_int_equal(client_grab(&ann.c, right), FR_ERROR_BUSY);
    UNTIL(&bob, object_of(&bob, "right")->lease_client == number_of(&bob));
    UNTIL(&eve, object_of(&eve, "right")->lease_client == number_of(&bob));
    assert_true(number_of(&eve) != number_of(&bob));
    client_move(&bob.c, right, fr_vec3_make(3.0, 2.0, 1.0));
    UNTIL(&ann, object_of(&ann, "right")->pose.position.x == 3.0);
    UNTIL(&bob, object_of(&bob, "right")->pose.position.x == 3.0);
    UNTIL(&eve, object_of(&eve, "right")->pose.position.x == 3.0);
    assert_int_equal(client_drop(&bob.c, right), FR_OK);
    assert_int_equal(client_set_state(&eve.c, right, "open", 0.5), FR_OK);
    UNTIL(&ann, object_of(&ann, "right")->lease_client == 0);
    UNTIL(&eve, object_of(&eve, "right")->lease_client == 0);
    // A client that goes gives back what it holds.
    assert_int_equal(client_grab(&eve.c, right), FR_OK);
    UNTIL(&bob, object_of(&bob, "right")->lease_client != 0);
    client_close(&eve.c);
    UNTIL(&bob, object_of(&bob, "right")->lease_client == 0);
    client_close(&ann.c);
    client_close(&bob.c);
    (void)server_end(&edge);
    (void)server_end(&other_edge);
    (void)server_end(&home);
}

// ---------------------------------------------------------------------------------------------------------------
// Going and coming back

static void without_its_home_an_edge_is_read_only(void **state) {
    (void)state;
    watcher bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    fr_ref right = client_ref(&bob.c, "right");
    kill_server(&home, HOME);
    UNTIL(&bob, bob.is_read_only);
    assert_non_null(strstr(bob.sentence, "the home server is gone"));
    assert_int_equal(client_grab(&bob.c, right), FR_ERROR_STOPPED);
    assert_non_null(strstr(bob.c.reply_text, "Read only"));
    assert_non_null(object_of(&bob, "right")); // the last state is still shown
    // One who comes now sees it, too, and learns why.
    watcher late;
    watch_server(&late, edge.port, "Late", FR_WANTS_POSES);
    UNTIL(&late, object_of(&late, "right") != NULL && fr_mirror_get(late.c.mirror)->has_state && late.is_read_only);
    start_home("pair");
    UNTIL(&bob, !bob.is_read_only);
    assert_string_equal(bob.sentence, "");
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state);
    assert_int_equal(client_grab(&bob.c, client_ref(&bob.c, "right")), FR_OK);
    UNTIL(&late, !late.is_read_only);
    client_close(&bob.c);
    client_close(&late.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

// An edge that begins while its home is gone shows what the broker still has.
static void an_edge_begins_from_the_board(void **state) {
    (void)state;
    watcher ann, bob;
    start_home("pair");
    watch_server(&ann, home.port, "Ann", CLIENT_WANTS);
    client_follow_states(&ann.c, 30);
    client_close(&ann.c);
    kill_server(&home, HOME);
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && bob.is_read_only);
    client_close(&bob.c);
    (void)server_end(&edge);
}

static void the_broker_goes_and_comes_back(void **state) {
    (void)state;
    watcher ann, bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&ann, home.port, "Ann", CLIENT_WANTS);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    for (int i = 0; i < 3; i++) {
        loop_cut(&broker);
        UNTIL(&bob, bob.is_read_only);
        // The home goes on with its own clients.
        client_follow_states(&ann.c, 5);
        assert_int_equal(client_grab(&ann.c, client_ref(&ann.c, "right")), FR_OK);
        client_move(&ann.c, client_ref(&ann.c, "right"), fr_vec3_make(1.0 + i, 5, 0));
        assert_int_equal(client_drop(&ann.c, client_ref(&ann.c, "right")), FR_OK);
        loop_restore(&broker);
        UNTIL(&bob, !bob.is_read_only && object_of(&bob, "right") != NULL &&
                        object_of(&bob, "right")->pose.position.x == 1.0 + i);
        assert_int_equal(client_set_state(&bob.c, client_ref(&bob.c, "right"), "open", i), FR_OK);
    }
    client_close(&ann.c);
    client_close(&bob.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

static void post_raw(const char *topic, const void *bytes, size_t size) {
    pthread_mutex_lock(&broker.lock);
    loop_send(&broker, topic, bytes, size);
    pthread_mutex_unlock(&broker.lock);
}

// What the board says of the world: its home and which world it is, without bytes.
static fr__envelope head_of_world(void) {
    fr__envelope head = {0};
    pthread_mutex_lock(&broker.lock);
    for (int i = 0; i < LOOP_ENTRIES; i++) {
        const loop_entry *entry = &broker.entries[i];
        if (entry->bytes != NULL && strcmp(entry->name, FR__HEAD_ENTRY) == 0) {
            assert_int_equal(fr__envelope_read(entry->bytes, entry->size, &head, NULL), FR_OK);
        }
    }
    pthread_mutex_unlock(&broker.lock);
    assert_true(head.home != 0);
    head.bytes = NULL;
    head.size = 0;
    return head;
}

// Has the edge hear a reply as if of its home.
static void post_reply(uint64_t home_number, uint32_t client, uint32_t request) {
    const char *topic = broker.members[EDGE].topics[1];
    fr_array bytes = fr_array_make(1, NULL);
    fr_message message = {.type = FR_MESSAGE_REPLY};
    message.as.reply = (fr_message_reply){request, FR_OK, ""};
    assert_int_equal(fr_protocol_write(&message, &bytes, NULL), FR_OK);
    const fr__envelope reply = {.kind = FR__ENVELOPE_REPLY,
                                .home = home_number,
                                .edge = strtoull(strchr(topic, '-') + 1, NULL, 16),
                                .client = client,
                                .bytes = bytes.data,
                                .size = bytes.count};
    fr_byte_array out = fr_byte_array_make(NULL);
    assert_true(fr__envelope_write(&reply, &out));
    post_raw(topic, out.data, out.count);
    fr_byte_array_destroy(&out);
    fr_array_destroy(&bytes);
}

// A request that the home took and never replied to gets a reply all the same, and not a second one when the home's
// comes late.
static void no_request_is_left_without_a_reply(void **state) {
    (void)state;
    watcher bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    uint64_t home_number = head_of_world().home;
    // The home hears nothing from now on, and goes on being heard for a moment.
    pthread_mutex_lock(&broker.lock);
    broker.members[HOME].topic_count = 0;
    pthread_mutex_unlock(&broker.lock);
    fr_message grab = {.type = FR_MESSAGE_GRAB};
    grab.as.grab = (fr_message_grab){.request = 77, .object = client_ref(&bob.c, "right")};
    assert_true(client_say(&bob.c, &grab));
    wait_ms(100);
    kill_server(&home, HOME);
    UNTIL(&bob, bob.c.reply_count == 1);
    assert_int_equal(bob.c.reply.request, 77);
    assert_int_equal(bob.c.reply.status, FR_ERROR_STOPPED);
    assert_non_null(strstr(bob.c.reply_text, "it may have done this, or not"));
    post_reply(home_number, number_of(&bob), 77);
    wait_ms(100);
    assert_int_equal(client_grab(&bob.c, client_ref(&bob.c, "right")), FR_ERROR_STOPPED);
    assert_int_equal(bob.c.reply_count, 2);
    client_close(&bob.c);
    (void)server_end(&edge);
}

// The same where another home is there before the first is missed.
static void no_request_is_left_by_a_home_that_begins_again(void **state) {
    (void)state;
    watcher bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    kill_server(&home, HOME);
    fr_message grab = {.type = FR_MESSAGE_GRAB};
    grab.as.grab = (fr_message_grab){.request = 78, .object = client_ref(&bob.c, "right")};
    assert_true(client_say(&bob.c, &grab));
    wait_ms(50);
    start_home("pair");
    UNTIL(&bob, bob.c.reply_count == 1);
    assert_int_equal(bob.c.reply.request, 78);
    assert_int_equal(bob.c.reply.status, FR_ERROR_STOPPED);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    assert_int_equal(client_grab(&bob.c, client_ref(&bob.c, "right")), FR_OK);
    client_close(&bob.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

// A broker that takes nothing any more: the home's own clients do not notice, and what waits stays bounded.
static void a_broker_that_is_stuck_disturbs_nobody(void **state) {
    (void)state;
    watcher ann, bob;
    start_home("crowd:20");
    start_edge(&edge, EDGE);
    watch_server(&ann, home.port, "Ann", CLIENT_WANTS);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    pthread_mutex_lock(&broker.lock);
    broker.members[HOME].is_stuck = true;
    pthread_mutex_unlock(&broker.lock);
    client_follow_states(&ann.c, 200);
    UNTIL(&bob, bob.is_read_only);
    pthread_mutex_lock(&broker.lock);
    size_t waiting = broker.members[HOME].stuck_bytes;
    broker.members[HOME].is_stuck = false;
    broker.members[HOME].stuck_bytes = 0;
    pthread_mutex_unlock(&broker.lock);
    assert_true(waiting < 2 << 20); // then no more states were put in
    UNTIL(&bob, !bob.is_read_only);
    come_together(&ann, &bob);
    // What was lost meanwhile, the broker does not say: the next world that is published is whole.
    loop_cut(&broker);
    loop_restore(&broker);
    UNTIL(&bob, !bob.is_read_only && fr_mirror_get(bob.c.mirror)->has_state);
    come_together(&ann, &bob);
    expect_same_world(&ann, &bob);
    client_close(&ann.c);
    client_close(&bob.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

// ---------------------------------------------------------------------------------------------------------------
// Anything at all

// Envelopes of the broker, changed at random, cut and made up: home and edge count them, and their clients notice
// nothing but perhaps what a home may send.
static void hostile_bytes_disturb_nobody(void **state) {
    (void)state;
    watcher ann, bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&ann, home.port, "Ann", CLIENT_WANTS);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    fr_random random = fr_random_seed(5);
    char topic[FR_BROADCAST_NAME_MAX_BYTES + 1];
    memcpy(topic, broker.members[EDGE].topics[1], sizeof topic);
    const char *const topics[] = {FR__WORLD_TOPIC, FR__HOME_TOPIC, topic};
    uint64_t count = test_count(3000, 100000);
    for (uint64_t i = 0; i < count; i++) {
        unsigned char bytes[512];
        size_t size = fr_random_bits(&random) % sizeof bytes;
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (unsigned char)fr_random_bits(&random);
        }
        if (i % 3 != 0) {
            fr__envelope made = {.kind = (fr__envelope_kind)(1 + fr_random_bits(&random) % 10),
                                 .flags = (uint32_t)fr_random_bits(&random) % 16 & ~(uint32_t)FR__ENVELOPE_IS_BEGIN,
                                 .home = 1 + fr_random_bits(&random) % 3,
                                 .epoch = fr_random_bits(&random) % 3,
                                 .serial = fr_random_bits(&random),
                                 .edge = fr_random_bits(&random) % 5,
                                 .client = (uint32_t)fr_random_bits(&random) | FR__GUEST_BIT,
                                 .value = (uint32_t)fr_random_bits(&random) % 5,
                                 .name = "stranger",
                                 .bytes = bytes,
                                 .size = size / 4};
            fr_byte_array out = fr_byte_array_make(NULL);
            assert_true(fr__envelope_write(&made, &out));
            if (i % 7 == 0) { out.data[fr_random_bits(&random) % out.count] ^= 0x40; }
            post_raw(topics[i % 3], out.data, out.count - (i % 11 == 0 ? out.count / 2 : 0));
            fr_byte_array_destroy(&out);
        } else {
            post_raw(topics[i / 3 % 3], bytes, size);
        }
    }
    client_follow_states(&ann.c, 5);
    client_follow_states(&bob.c, 5);
    assert_int_equal(client_grab(&bob.c, client_ref(&bob.c, "right")), FR_OK);
    client_close(&ann.c);
    client_close(&bob.c);
    fr_server_stats at_edge = server_halt(&edge), at_home = server_halt(&home);
    assert_true(at_edge.bad_messages >= count / 9 && at_home.bad_messages >= count / 9);
    fr_server_destroy(edge.server);
    fr_server_destroy(home.server);
}

// One who knows the numbers of the home and sends its own notices and states: what is no message for clients is
// refused, message by message.
static void forged_envelopes_are_checked(void **state) {
    (void)state;
    watcher bob;
    start_home("pair");
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    fr__envelope head = head_of_world();
    fr_random random = fr_random_seed(9);
    fr_array hello = fr_array_make(1, NULL);
    fr_message message = {.type = FR_MESSAGE_WELCOME};
    message.as.welcome = (fr_message_welcome){.version = FR_PROTOCOL_VERSION, .server = "x", .scene = "y"};
    assert_int_equal(fr_protocol_write(&message, &hello, NULL), FR_OK);
    uint64_t count = test_count(400, 20000);
    for (uint64_t i = 0; i < count; i++) {
        unsigned char bytes[64];
        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = (unsigned char)fr_random_bits(&random);
        }
        fr__envelope forged = {.kind = i % 3 == 0   ? FR__ENVELOPE_NOTICE
                                       : i % 3 == 1 ? FR__ENVELOPE_KEY
                                                    : FR__ENVELOPE_CHANGES,
                               .home = head.home,
                               .epoch = head.epoch,
                               .serial = UINT64_MAX - count + i,
                               .bytes = bytes,
                               .size = 1 + fr_random_bits(&random) % sizeof bytes};
        if (i % 5 == 0) {
            forged.bytes = hello.data;
            forged.size = hello.count;
        }
        fr_byte_array out = fr_byte_array_make(NULL);
        assert_true(fr__envelope_write(&forged, &out));
        post_raw(FR__WORLD_TOPIC, out.data, out.count);
        fr_byte_array_destroy(&out);
    }
    fr_array_destroy(&hello);
    client_follow_states(&bob.c, 5);
    assert_int_equal(client_grab(&bob.c, client_ref(&bob.c, "right")), FR_OK);
    client_close(&bob.c);
    assert_true(server_end(&edge).bad_messages >= count / 2);
    (void)server_end(&home);
}

// An edge of another version of Fureai, and one that was not there when the world began, on a broker that forgot it.
static void a_world_that_is_missing_is_asked_for(void **state) {
    (void)state;
    watcher bob;
    start_home("pair");
    wait_ms(300);
    pthread_mutex_lock(&broker.lock);
    loop_set(&broker, NULL, NULL, 0); // as by FLUSHALL
    pthread_mutex_unlock(&broker.lock);
    start_edge(&edge, EDGE);
    watch_server(&bob, edge.port, "Bob", CLIENT_WANTS);
    UNTIL(&bob, object_of(&bob, "right") != NULL && fr_mirror_get(bob.c.mirror)->has_state && !bob.is_read_only);
    client_close(&bob.c);
    (void)server_end(&edge);
    (void)server_end(&home);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static fr_status make_edge(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_server_def def = fr_default_server_def();
    fr_broadcast table = loop_table(&broker, STRANGER);
    def.broadcast = &table;
    def.is_edge = true;
    def.port = 0;
    def.viewer_folder = "";
    def.allocator = *allocator;
    fr_server *server;
    fr_status status = fr_server_create(&def, &server, NULL);
    if (status == FR_OK) { fr_server_destroy(server); }
    loop_leave(&broker, STRANGER);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_edge, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(wrong_definitions_are_refused),
        TEST(a_client_of_an_edge_sees_the_same_world),
        TEST(another_scene_comes_to_the_edge),
        TEST(objects_are_handled_over_edges),
        TEST(without_its_home_an_edge_is_read_only),
        TEST(an_edge_begins_from_the_board),
        TEST(the_broker_goes_and_comes_back),
        TEST(no_request_is_left_without_a_reply),
        TEST(no_request_is_left_by_a_home_that_begins_again),
        TEST(a_broker_that_is_stuck_disturbs_nobody),
        TEST(hostile_bytes_disturb_nobody),
        TEST(forged_envelopes_are_checked),
        TEST(a_world_that_is_missing_is_asked_for),
        TEST(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
