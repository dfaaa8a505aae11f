// Who may do what: tokens, roles, the locked server, and what is written of those who are refused.
#include "frame.h"
#include "provider.h"

#include <stdatomic.h>
#include <sys/stat.h>

#define WATCH "watch-0123456789abcdef"
#define HANDLE "handle-0123456789abcdef"
#define DIRECT "direct-0123456789abcdef"

static running_server running;
static char folder[64], token_path[96], audit_path[96];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static fr_server_def key_def(void) {
    fr_server_def def = test_server_def("pair");
    def.token_path = token_path;
    def.audit_path = audit_path;
    return def;
}

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-role-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(token_path, sizeof token_path, "%s/tokens", folder);
    snprintf(audit_path, sizeof audit_path, "%s/audit", folder);
    write_file(token_path, "watch " WATCH "\nhandle " HANDLE "\ndirect " DIRECT "\n");
    return 0;
}

static int begin(void **state) {
    fr_server_def def = key_def();
    if (make_folder(state) != 0) { return -1; }
    server_start(&running, &def);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(token_path);
    unlink(audit_path);
    return rmdir(folder);
}

static int end(void **state) {
    server_end(&running);
    return remove_folder(state);
}

static char *audit_text(void) {
    static char text[1 << 20];
    FILE *file = fopen(audit_path, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) { fclose(file); }
    text[size] = '\0';
    return text;
}

static void begin_to_read(test_client *c) {
    fr_mirror_def def = fr_default_mirror_def();
    def.received = client_told;
    def.user = c;
    assert_int_equal(fr_mirror_create(&def, &c->raw_mirror, NULL), FR_OK);
    c->mirror = c->raw_mirror;
}

static void say_key(test_client *c, const char *token) {
    client_hello(c, "by token", CLIENT_WANTS);
    fr_message key = {.type = FR_MESSAGE_KEY};
    key.as.key.token = token;
    if (token != NULL) { assert_true(client_say(c, &key)); }
}

// Connects and shows a token, over a plain socket; what the server says is read by the caller.
static void show(test_client *c, uint16_t port, const char *token) {
    int status = client_upgrade(c, port, CLIENT_PROTOCOL);
    if (status != 101) { fail_msg("the handshake gave %d", status); }
    begin_to_read(c);
    say_key(c, token);
}

// Shows a token from an address and reads up to the end; false when the connection was not taken.
static bool try_token(test_client *c, uint32_t host, const char *token) {
    if (client_upgrade_from(c, running.port, host, CLIENT_PROTOCOL) != 101) {
        client_close(c);
        return false;
    }
    begin_to_read(c);
    say_key(c, token);
    client_drain(c);
    return true;
}

static void open_role(test_client *c, uint16_t port, const char *token) {
    show(c, port, token);
    client_follow_states(c, 2);
}

// ---------------------------------------------------------------------------------------------------------------
// Tokens

static void without_a_token_nothing_is_sent(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "no-such-token-000", "watch", WATCH "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_client c;
        show(&c, running.port, wrong[i]);
        client_drain(&c);
        assert_int_equal(c.close_code, FR_CLOSE_TOKEN);
        assert_string_equal(c.error_text, i == 0 ? "this server needs a token" : "the token is not known here");
        assert_int_equal(c.state_count, 0);
        assert_null(fr_mirror_find(c.mirror, "left"));
        client_close(&c);
    }
    // One who asks for something before, and one who says nothing more.
    test_client hasty, silent;
    show(&hasty, running.port, NULL);
    show(&silent, running.port, NULL);
    fr_message ping = {.type = FR_MESSAGE_PING};
    assert_true(client_say(&hasty, &ping));
    client_drain(&hasty);
    assert_int_equal(hasty.close_code, FR_CLOSE_TOKEN);
    assert_int_equal(hasty.pong, 0);
    uint64_t begin_ns = fr_clock_ns();
    client_drain(&silent);
    assert_int_equal(silent.close_code, FR_CLOSE_TOKEN);
    assert_true(fr_clock_ms_since(begin_ns) < 9000.0);
    client_close(&hasty);
    client_close(&silent);
}

static fr_message_role told_role;

static void hear_role(const fr_mirror *mirror, const fr_message *message, void *user) {
    if (message->type == FR_MESSAGE_ROLE) { told_role = message->as.role; }
    client_told(mirror, message, user);
}

static void a_program_shows_its_token(void **state) {
    (void)state;
    static const struct {
        const char *token;
        fr_role role;
    } cases[] = {{WATCH, FR_ROLE_WATCH}, {HANDLE, FR_ROLE_HANDLE}, {DIRECT, FR_ROLE_DIRECT}};
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)running.port);
    for (size_t i = 0; i < 3; i++) {
        test_client c = {.socket = -1, .payload = fr_array_make(1, NULL)};
        fr_client_def def = fr_default_client_def();
        def.url = url;
        def.token = cases[i].token;
        def.received = hear_role;
        def.user = &c;
        told_role = (fr_message_role){0};
        assert_int_equal(fr_client_create(&def, &c.link, NULL), FR_OK);
        c.mirror = fr_client_mirror(c.link);
        client_follow_states(&c, 2);
        assert_int_equal(told_role.role, cases[i].role);
        assert_int_equal(told_role.is_locked, 0);
        client_close(&c);
    }
    fr_client_def def = fr_default_client_def();
    fr_client *wrong;
    def.url = url;
    def.token = "another-0123456789abcdef";
    assert_int_equal(fr_client_create(&def, &wrong, NULL), FR_OK);
    fr_error error = {0};
    while (fr_client_service(wrong, 100000000, NULL, &error) == FR_OK) {}
    assert_int_equal(error.status, FR_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "the token is not known here"));
    assert_int_equal(fr_client_get(wrong).close_code, FR_CLOSE_TOKEN);
    fr_client_destroy(wrong);
}

// ---------------------------------------------------------------------------------------------------------------
// Roles

static fr_status remove_state(test_client *c, fr_ref object, const char *name) {
    fr_message message = {.type = FR_MESSAGE_REMOVE_STATE};
    message.as.remove_state.object = object;
    message.as.remove_state.name = name;
    return client_ask(c, &message, &message.as.remove_state.request);
}

// What each role may do, one row a message.
static void check_role(test_client *c, fr_role role) {
    fr_status handled = role >= FR_ROLE_HANDLE ? FR_OK : FR_ERROR_UNSUPPORTED;
    fr_status directed = role >= FR_ROLE_DIRECT ? FR_OK : FR_ERROR_UNSUPPORTED;
    fr_ref right = client_ref(c, "right");
    assert_int_equal(client_grab(c, right), handled);
    client_move(c, right, fr_vec3_make(0, 0.6, 0));
    assert_int_equal(client_drop(c, right), handled);
    assert_int_equal(client_set_state(c, right, "open", 1.0), handled);
    assert_int_equal(remove_state(c, right, "open"), handled);
    assert_int_equal(client_resume(c, right), handled);
    assert_int_equal(client_play(c, FR_PLAY_PAUSE), directed);
    assert_int_equal(client_play(c, FR_PLAY_GO), directed);
    assert_int_equal(client_play(c, FR_PLAY_RESTART), directed);
    assert_int_equal(client_open_scene(c, "crowd:20"), directed);
    if (role < FR_ROLE_DIRECT) {
        assert_string_equal(c->reply_text, "this is for those who direct");
        assert_int_equal(c->resets, 0);
    } else {
        assert_int_equal(client_open_scene(c, "pair"), FR_OK);
    }
    fr_message people = {.type = FR_MESSAGE_PING};
    people.as.ping.token = 77;
    assert_true(client_say(c, &people));
    while (c->pong != 77) {
        assert_true(client_take(c));
    }
}

static void each_role_may_what_it_may(void **state) {
    (void)state;
    static const char *const tokens[] = {NULL, WATCH, HANDLE, DIRECT};
    for (int role = FR_ROLE_WATCH; role <= FR_ROLE_DIRECT; role++) {
        test_client c;
        open_role(&c, running.port, tokens[role]);
        check_role(&c, (fr_role)role);
        client_close(&c);
    }
    // Models are sent by those who direct alone, and nobody gets one without a token.
    static const struct {
        const char *method, *path, *header;
        int status;
    } requests[] = {{"POST", "/models", "Content-Length: 8\r\n", 401},
                    {"POST", "/models", "Content-Length: 8\r\nAuthorization: Bearer nothing\r\n", 401},
                    {"POST", "/models", "Content-Length: 8\r\nAuthorization: Bearer " WATCH "\r\n", 403},
                    {"POST", "/models", "Content-Length: 8\r\nAuthorization: Bearer " HANDLE "\r\n", 403},
                    {"GET", "/models/1.glb", "", 401},
                    {"GET", "/models/1.glb", "Authorization: Bearer " WATCH "\r\n", 404}};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        test_client c;
        client_connect(&c, running.port);
        assert_int_equal(client_request(&c, requests[i].method, requests[i].path, requests[i].header),
                         requests[i].status);
        client_close(&c);
    }
}

// Without tokens everybody directs, unless the server is locked.
static void a_locked_server_is_handled_and_no_more(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.is_locked = true;
    def.may_upload = true;
    running_server locked;
    server_start(&locked, &def);
    test_client c;
    client_open(&c, locked.port, "visitor", CLIENT_WANTS);
    client_follow_states(&c, 2);
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_ERROR_UNSUPPORTED);
    assert_string_equal(c.reply_text, "this server is locked");
    assert_int_equal(client_play(&c, FR_PLAY_PAUSE), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_ERROR_UNSUPPORTED);
    fr_message stand = {.type = FR_MESSAGE_STAND};
    stand.as.stand.class_name = "cup";
    stand.as.stand.name = "cup 1";
    assert_int_equal(client_ask(&c, &stand, &stand.as.stand.request), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_grab(&c, client_ref(&c, "right")), FR_OK);
    assert_int_equal(client_drop(&c, client_ref(&c, "right")), FR_OK);
    client_close(&c);
    client_connect(&c, locked.port);
    assert_int_equal(client_request(&c, "POST", "/models", "Content-Length: 8\r\n"), 403);
    client_close(&c);
    server_end(&locked);
}

// ---------------------------------------------------------------------------------------------------------------
// States that go

// Any client could leave 16 states in an object for good; they can be removed, and the store forgets them.
static void junk_states_can_be_removed(void **state) {
    (void)state;
    char store_path[96], lock_path[112];
    snprintf(store_path, sizeof store_path, "%s/store", folder);
    snprintf(lock_path, sizeof lock_path, "%s.lock", store_path);
    fr_server_def def = test_server_def("pair");
    def.store_path = store_path;
    running_server stored;
    server_start(&stored, &def);
    test_client c;
    client_open(&c, stored.port, "tidy", CLIENT_WANTS);
    client_follow_states(&c, 2);
    fr_ref right = client_ref(&c, "right");
    for (int i = 0; i < FR_WORLD_MAX_STATES; i++) {
        char name[16];
        snprintf(name, sizeof name, "junk%d", i);
        assert_int_equal(client_set_state(&c, right, name, i), FR_OK);
    }
    assert_int_equal(client_set_state(&c, right, "open", 1.0), FR_ERROR_LIMIT);
    for (int i = 0; i < FR_WORLD_MAX_STATES; i++) {
        char name[16];
        snprintf(name, sizeof name, "junk%d", i);
        assert_int_equal(remove_state(&c, right, name), FR_OK);
        assert_int_equal(remove_state(&c, right, name), FR_ERROR_ARGUMENT);
    }
    assert_int_equal(client_set_state(&c, right, "open", 1.0), FR_OK);
    client_follow_states(&c, 3);
    client_close(&c);
    server_end(&stored);
    FILE *file = fopen(store_path, "rb");
    static char text[65536];
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_null(strstr(text, "junk"));
    assert_non_null(strstr(text, "open"));
    unlink(store_path);
    unlink(lock_path);
}

// ---------------------------------------------------------------------------------------------------------------
// Who guesses

enum { GUESSES = 10000, RUDE = 9 };

// One who watches meanwhile, on a thread of its own.
typedef struct watcher {
    test_client client;
    atomic_bool is_over;
    double longest_ms, ticks_per_second;
} watcher;

static void *watch(void *context) {
    watcher *w = context;
    uint64_t first = fr_mirror_get(w->client.mirror)->tick, begin_ns = fr_clock_ns();
    while (!atomic_load(&w->is_over)) {
        uint64_t wait_ns = fr_clock_ns();
        client_follow_states(&w->client, 1);
        double ms = fr_clock_ms_since(wait_ns);
        w->longest_ms = ms > w->longest_ms ? ms : w->longest_ms;
    }
    uint64_t ticks = fr_mirror_get(w->client.mirror)->tick - first;
    w->ticks_per_second = 1e3 * (double)ticks / fr_clock_ms_since(begin_ns);
    return NULL;
}

// Ten thousand wrong tokens, of them a part in the short test: ten are looked at, and one a second more, although all
// come; a right one among them does not get in. Others are not disturbed.
static void guessing_is_slow(void **state) {
    (void)state;
    static watcher calm;
    pthread_t thread;
    open_role(&calm.client, running.port, WATCH);
    assert_int_equal(pthread_create(&thread, NULL, watch, &calm), 0);
    uint64_t begin_ns = fr_clock_ns();
    int looked_at = 0, too_many = 0, turned_away = 0, count = (int)test_count(400, GUESSES);
    for (int i = 0; i < count; i++) {
        char guess[32];
        test_client c;
        snprintf(guess, sizeof guess, "guess-%020d", i);
        if (!try_token(&c, RUDE, i == 50 ? DIRECT : guess)) {
            turned_away++;
            continue;
        }
        assert_int_equal(c.state_count, 0);
        looked_at += strcmp(c.error_text, "the token is not known here") == 0;
        too_many += strncmp(c.error_text, "too many wrong tokens", 21) == 0;
        client_close(&c);
    }
    double seconds = 1e-3 * fr_clock_ms_since(begin_ns);
    atomic_store(&calm.is_over, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    print_message("%d tokens in %.1f s: %d looked at, %d not, %d connections turned away; calm: %.0f ticks a second, "
                  "longest wait %.1f ms\n",
                  count, seconds, looked_at, too_many, turned_away, calm.ticks_per_second, calm.longest_ms);
    assert_true(looked_at >= 10 && looked_at <= 12 + (int)seconds);
    assert_int_equal(looked_at + too_many + turned_away, count);
    assert_true(calm.ticks_per_second > 20.0);
    // Others at other addresses come in as before.
    test_client c;
    open_role(&c, running.port, HANDLE);
    client_close(&c);
    client_close(&calm.client);
}

static void what_is_refused_is_written(void **state) {
    (void)state;
    test_client c;
    show(&c, running.port, "a-secret-guess-of-someone");
    client_drain(&c);
    client_close(&c);
    open_role(&c, running.port, WATCH);
    assert_int_equal(client_grab(&c, client_ref(&c, "right")), FR_ERROR_UNSUPPORTED);
    client_move(&c, client_ref(&c, "right"), fr_vec3_make(0, 1, 0));
    fr_ref right = client_ref(&c, "right");
    assert_int_equal(client_set_state(&c, right, "open", 1.0), FR_ERROR_UNSUPPORTED);
    client_close(&c);
    assert_int_equal(client_upgrade(&c, running.port, CLIENT_PROTOCOL "Origin: http://evil.example\r\n"), 403);
    client_close(&c);
    // A page of another version of the protocol.
    assert_int_equal(client_upgrade(&c, running.port, "Sec-WebSocket-Protocol: fureai-1\r\n"), 400);
    client_close(&c);
    fr_server_stats stats = server_halt(&running);
    assert_true(stats.bad_messages >= 4 && stats.refused >= 2);
    fr_server_destroy(running.server);
    char *text = audit_text();
    static const char *const wanted[] = {
        "\"message\":\"key\",",
        "\"reason\":\"the token is not known here\"",
        "\"name\":\"by token\",\"message\":\"grab\",",
        "\"message\":\"move\",",
        "\"message\":\"set_state\",",
        "\"reason\":\"this origin is not allowed\"",
        "\"reason\":\"the subprotocol must be " FR_PROTOCOL_NAME "\"",
        "\"address\":\"127.0.0.1\"",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (strstr(text, wanted[i]) == NULL) { fail_msg("%s is not in %s", wanted[i], text); }
    }
    // No token, right or wrong, is ever written.
    assert_null(strstr(text, "secret-guess"));
    assert_null(strstr(text, "0123456789abcdef"));
    fr_server_def def = key_def();
    server_start(&running, &def);
}

// ---------------------------------------------------------------------------------------------------------------
// Definitions

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_server *server;
    fr_error error = {0};
    fr_server_def def = key_def();
    def.token_path = "/nowhere/tokens";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_FILE);
    def = key_def();
    def.audit_path = "/nowhere/audit";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_FILE);
    write_file(token_path, "watch " WATCH "\nking " DIRECT "\n");
    def = key_def();
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_SYNTAX);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.path, token_path);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, begin, end)
#define FILED(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(without_a_token_nothing_is_sent), SERVED(a_program_shows_its_token),
        SERVED(each_role_may_what_it_may),       FILED(a_locked_server_is_handled_and_no_more),
        FILED(junk_states_can_be_removed),       SERVED(guessing_is_slow),
        SERVED(what_is_refused_is_written),      FILED(wrong_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
