// The command journal, and a server with a journal that is killed in the middle of its writing.
#include "frame.h"
#include "served.h"

#include "fureai/server_journal.h"

#define SCENE(name) SCENE_FOLDER "/" name

static void open_client(test_client *c, uint16_t port) {
    client_open(c, port, "Ann", FR_WANTS_POSES);
    client_follow_states(c, 1);
}

static void a_journal_is_printed_checked_and_cut(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(SCENE("two_spheres.json"), "--store", "room.journal", "--paused");
    open_client(&c, port);
    fr_ref left = client_ref(&c, "left");
    assert_int_equal(client_set_state(&c, left, "open", 0.25), FR_OK);
    wait_ms(20);
    char text[FR_JOURNAL_TIME_BYTES];
    struct timespec now;
    assert_int_equal(timespec_get(&now, TIME_UTC), TIME_UTC);
    fr_journal_time_text((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, text);
    wait_ms(20);
    assert_int_equal(client_grab(&c, left), FR_OK);
    client_move(&c, left, fr_vec3_make(1, 2, 3));
    assert_int_equal(client_drop(&c, left), FR_OK);
    // While the server has it, it is read, and not cut.
    RUN("journal", "room.journal");
    expect_answer("  state    left by Ann  {\"name\":\"open\",\"value\":0.25}\n");
    expect_in(p.out, "  lease    left by Ann  {\"held\":true}\n");
    expect_in(p.out, "  place    left by Ann  {\"name\":\"left\",\"position\":[1,2,3]");
    RUN("journal", "room.journal", "--cut", text);
    expect_failure(1, "room.journal: process ");
    client_close(&c);
    end(SIGINT);

    RUN("--json", "journal", "room.journal");
    expect_answer(
        "\"kind\":\"state\",\"object\":\"left\",\"client\":\"Ann\",\"body\":{\"name\":\"open\",\"value\":0.25}}");
    RUN("--json", "journal", "room.journal", "--check");
    expect_answer("\"scene\":\"two_spheres\",\"tick\":0,\"objects\":2,\"added\":0,\"states\":1,\"leases\":0,"
                  "\"commands\":0,\"scenes\":1}");
    RUN("journal", "room.journal", "--cut", text);
    expect_answer(" records removed; the journal of before is room.journal.before\n");
    RUN("journal", "room.journal");
    expect_answer("  state    left by Ann");
    assert_null(strstr(p.out, "  place  "));
    RUN("journal", "room.journal.before", "--check");
    expect_answer("scene 'two_spheres'");

    // The world is as it was then.
    port = SERVE(SCENE("two_spheres.json"), "--store", "room.journal", "--paused");
    open_client(&c, port);
    assert_true(fr_mirror_find(c.mirror, "left")->pose.position.y != 2.0);
    client_close(&c);
    end(SIGINT);
}

static void wrong_usage_and_wrong_files_are_reported(void **state) {
    (void)state;
    RUN("journal", "nothing.journal");
    expect_failure(3, "nothing.journal: ");
    put_file("text", "hello");
    RUN("journal", "text", "--check");
    expect_failure(3, "text: it is neither a journal nor a store");
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "text");
    expect_failure(3, "text: it is neither a journal nor a store");
    assert_string_equal(take_file("text"), "hello");
    RUN("journal", "text", "--cut", "yesterday");
    expect_failure(2, "'yesterday' is no time such as 2026-11-18T01:02:03Z");
    RUN("journal", "text", "--check", "--cut", "2026-11-18T01:02:03Z");
    expect_failure(2, "either --check or --cut");
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "/proc/room.journal");
    expect_failure(1, "/proc/room.journal: ");
}

// A store of before becomes a journal, and stays.
static void a_store_becomes_a_journal(void **state) {
    (void)state;
    static const char store[] =
        "{ \"fureai\": 1, \"scene\": \"two_spheres\", \"tick\": 5, \"objects\": [ { \"name\": \"left\", "
        "\"position\": [7, 8, 9], \"rotation\": [1, 0, 0, 0], \"scale\": 1, \"placed\": true } ] }";
    test_client c;
    put_file("old.json", store);
    uint16_t port = SERVE(SCENE("two_spheres.json"), "--store", "old.json", "--paused");
    open_client(&c, port);
    assert_true(fr_mirror_find(c.mirror, "left")->pose.position.y == 8.0);
    assert_int_equal(fr_mirror_find(c.mirror, "left")->hold, FR_HOLD_PLACED);
    client_close(&c);
    end(SIGINT);
    assert_string_equal(take_file("old.json.store"), store);
    RUN("journal", "old.json", "--check");
    expect_answer("scene 'two_spheres' at tick 5");
}

// ---------------------------------------------------------------------------------------------------------------
// kill -9

typedef struct kept_world {
    double number; // the state of that name
    double x;      // of the object
} kept_world;

static fr_status take_kept(const fr_journal_record *record, void *context, fr_error *error) {
    (void)error;
    kept_world *kept = context;
    if (record->kind == FR_JOURNAL_STATE) { kept->number = atof(strstr(record->body, "\"value\":") + 8); }
    const char *states = strstr(record->body, "\"number\",\"value\":");
    if (record->kind == FR_JOURNAL_OBJECT && states != NULL) { kept->number = atof(states + 17); }
    const char *position = strstr(record->body, "\"position\":[");
    if (position != NULL && strcmp(record->object, "left") == 0) { kept->x = atof(position + 12); }
    return FR_OK;
}

// Writes states, several at once, for some milliseconds; the last that was acknowledged comes back, 0 where none was.
static uint32_t write_states(test_client *c, fr_ref object, uint32_t first, double ms) {
    enum { AT_ONCE = 8 };
    uint64_t begin = fr_clock_ns();
    uint32_t sent = first, acknowledged = first - 1, count = c->reply_count;
    while (fr_clock_ms_since(begin) < ms) {
        while (sent - acknowledged <= AT_ONCE && sent - first < 200) {
            fr_message message = {.type = FR_MESSAGE_SET_STATE};
            message.as.set_state =
                (fr_message_set_state){.request = sent, .object = object, .name = "number", .value = sent};
            assert_true(client_say(c, &message));
            sent++;
        }
        assert_true(client_take(c));
        if (c->reply_count == count) { continue; }
        count = c->reply_count;
        assert_int_equal(c->reply.status, FR_OK);
        acknowledged = c->reply.request;
    }
    return acknowledged;
}

// A server is killed in the middle of writing, again and again: the file is opened every time, and nothing that was
// acknowledged is missing.
static void nothing_acknowledged_is_lost_by_kill(void **state) {
    (void)state;
    fr_random random = fr_random_seed(28);
    uint64_t rounds = test_count(5, 100);
    uint32_t next = 1, acknowledged = 0;
    double x = 0.0;
    for (uint64_t i = 0; i < rounds; i++) {
        test_client c;
        uint16_t port = SERVE(SCENE("two_spheres.json"), "--store", "killed.journal", "--paused");
        open_client(&c, port);
        fr_ref left = client_ref(&c, "left");
        if (i > 0) { assert_true(fr_mirror_find(c.mirror, "left")->pose.position.x == x); }
        assert_int_equal(client_grab(&c, left), FR_OK);
        x = fr_random_between(&random, -5.0, 5.0);
        client_move(&c, left, fr_vec3_make(x, 1, 0));
        assert_int_equal(client_drop(&c, left), FR_OK);
        uint32_t last = write_states(&c, left, next, fr_random_between(&random, 1.0, 120.0));
        assert_int_equal(kill(served.id, SIGKILL), 0);
        // What was replied before the end counts, too.
        while (client_take(&c)) {}
        if (c.reply.request > last && c.reply.status == FR_OK) { last = c.reply.request; }
        if (last >= next) { acknowledged = last; }
        client_close(&c);
        process_finish(&served);
        assert_int_equal(served.status, -SIGKILL);

        kept_world kept = {0.0, 0.0};
        fr_error error = {0};
        if (fr_journal_file_read("killed.journal", take_kept, &kept, &error) != FR_OK) {
            fail_msg("%s", error.message);
        }
        if (kept.number < acknowledged || kept.x != x) {
            fail_msg("round %u: %u was acknowledged, %g is there; x %g and %g", (unsigned)i, acknowledged, kept.number,
                     x, kept.x);
        }
        next = (uint32_t)kept.number + 201;
    }
    RUN("journal", "killed.journal", "--check");
    expect_answer("scene 'two_spheres'");
}

// ---------------------------------------------------------------------------------------------------------------
// States of objects and their joints

enum { MAX_SHOWN = 64 };

// The states of objects that a server shows to a client.
typedef struct shown_states {
    struct shown_state {
        fr_ref object;
        char name[32];
        double value; // not a number: it was removed
    } list[MAX_SHOWN];
    uint32_t count;
    uint32_t ends; // of commands
    uint32_t end_status;
    char end_text[256];
} shown_states;

static void look_at_states(const fr_message *message, void *user) {
    shown_states *shown = user;
    if (message->type == FR_MESSAGE_ENDED) {
        shown->ends++;
        shown->end_status = message->as.ended.status;
        snprintf(shown->end_text, sizeof shown->end_text, "%s", message->as.ended.message);
    }
    for (uint32_t i = 0; message->type == FR_MESSAGE_EVENTS && i < message->as.events.event_count; i++) {
        const fr_wire_event *event = &message->as.events.events[i];
        if (event->kind != FR_EVENT_STATE) { continue; }
        uint32_t at = 0;
        while (at < shown->count &&
               (shown->list[at].object.index1 != event->a.index1 || strcmp(shown->list[at].name, event->name) != 0)) {
            at++;
        }
        assert_true(at < MAX_SHOWN);
        if (at == shown->count) { shown->count++; }
        shown->list[at].object = event->a;
        snprintf(shown->list[at].name, sizeof shown->list[at].name, "%s", event->name);
        shown->list[at].value = event->value;
    }
}

// The names of an object's states that are set, each with a blank behind it, in the order of the class.
static const char *shown_of(const shown_states *shown, fr_ref object) {
    static const char *const names[] = {"on_bolt", "gripped", "off", "on_cover", "bolted", "loose", "lying", "in_hand"};
    static char text[128];
    text[0] = '\0';
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        for (uint32_t i = 0; i < shown->count; i++) {
            bool is_set = shown->list[i].value == shown->list[i].value && shown->list[i].value != 0.0;
            if (shown->list[i].object.index1 != object.index1 || !is_set) { continue; }
            if (strcmp(shown->list[i].name, names[k]) == 0) { strcat(strcat(text, names[k]), " "); }
        }
    }
    return text;
}

static void open_workshop(test_client *c, shown_states *shown) {
    uint16_t port = SERVE(EXAMPLE_FOLDER "/maintenance_room.json", "--store", "workshop.journal", "--speed", "8");
    memset(shown, 0, sizeof *shown);
    client_open(c, port, "Ann", FR_WANTS_POSES | FR_WANTS_EVENTS);
    c->look = look_at_states;
    c->look_user = shown;
    while (shown->count < 6) {
        assert_true(client_take(c));
    }
    client_follow_states(c, 3);
}

// Gives a command and waits until it was carried out.
static void carry_out(test_client *c, shown_states *shown, const char *name, const char *object) {
    fr_message message = {.type = FR_MESSAGE_COMMAND};
    const fr_wire_motion motion = {.name = name, .object = client_ref(c, object)};
    message.as.command.person = "Aya";
    message.as.command.motions = &motion;
    message.as.command.motion_count = 1;
    uint32_t ends = shown->ends;
    if (client_ask(c, &message, &message.as.command.request) != FR_OK) { fail_msg("%s: %s", object, c->reply_text); }
    while (shown->ends == ends) {
        assert_true(client_take(c));
    }
    if (shown->end_status != FR_OK) { fail_msg("%s %s: %s", name, object, shown->end_text); }
    // A last pose is noted when its object rests.
    uint64_t begin = fr_clock_ns();
    while (fr_clock_ms_since(begin) < 300.0) {
        assert_true(client_take(c));
    }
}

static void kill_workshop(test_client *c) {
    assert_int_equal(kill(served.id, SIGKILL), 0);
    client_close(c);
    process_finish(&served);
}

// The workshop of examples/maintenance.json: a nut that is half off is half off after the server was killed, one that
// is off is off, and the wrench is in no hand, as no one holds it any more.
static void a_maintenance_goes_on_where_it_was_killed(void **state) {
    (void)state;
    test_client c;
    shown_states shown;
    open_workshop(&c, &shown);
    carry_out(&c, &shown, "take", "wrench");
    carry_out(&c, &shown, "turn", "nut3");
    carry_out(&c, &shown, "turn", "nut3");
    assert_string_equal(shown_of(&shown, client_ref(&c, "nut3")), "on_bolt ");
    assert_string_equal(shown_of(&shown, client_ref(&c, "wrench")), "in_hand ");
    fr_pose half = fr_mirror_find(c.mirror, "nut3")->pose;
    kill_workshop(&c);

    // It needs 150 degrees, of which it had twice 60.
    open_workshop(&c, &shown);
    assert_true(fr_vec3_distance(fr_mirror_find(c.mirror, "nut3")->pose.position, half.position) < 1e-7);
    assert_string_equal(shown_of(&shown, client_ref(&c, "nut3")), "on_bolt ");
    assert_string_equal(shown_of(&shown, client_ref(&c, "wrench")), "lying ");
    carry_out(&c, &shown, "take", "wrench");
    carry_out(&c, &shown, "turn", "nut3");
    assert_string_equal(shown_of(&shown, client_ref(&c, "nut3")), "off ");
    kill_workshop(&c);

    open_workshop(&c, &shown);
    assert_string_equal(shown_of(&shown, client_ref(&c, "nut3")), "off ");
    assert_string_equal(shown_of(&shown, client_ref(&c, "nut4")), "on_bolt ");
    assert_string_equal(shown_of(&shown, client_ref(&c, "cover")), "bolted ");
    client_close(&c);
    end(SIGINT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_is_printed_checked_and_cut),
        cmocka_unit_test(wrong_usage_and_wrong_files_are_reported),
        cmocka_unit_test(a_store_becomes_a_journal),
        cmocka_unit_test(nothing_acknowledged_is_lost_by_kill),
        cmocka_unit_test(a_maintenance_goes_on_where_it_was_killed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
