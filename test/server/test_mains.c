// Several programs at one server (mains): commands, affordances and added objects; and bodies that they move by
// updates: no torn frame, no lost object, leases respected, and one that is killed leaves the others running.
#include "frame.h"
#include "provider.h"

#include <math.h>
#include <stdatomic.h>

enum { MAINS = 3, OWN = 2, SHARED_Z = 100, SHORT_UPDATES = 300, LONG_UPDATES = 10000 };

// ---------------------------------------------------------------------------------------------------------------
// The scene: a body with bones and two boxes a program, and one box for all

typedef struct stage {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *mesh;
    uint64_t ticket; // of the command that is done
} stage;

static fr_object_id add_thing(stage *s, const char *name, double z, bool has_bones) {
    fr_space *space = fr_world_space(s->world);
    fr_pose pose = fr_pose_make(fr_vec3_make(0, 0, z), fr_quat_identity());
    fr_object_id id = test_scene_add(s->world, name, s->mesh, pose, 0);
    if (!has_bones) { return id; }
    fr_pose bones[WALKER_BONES];
    fr_skin *skin = walker_skin(s->mesh);
    walker_bones(0, 0, WALKER_JOINTS, bones);
    (void)fr_object_set_skin(space, id, 0, skin, FR_SKIN_LINEAR, NULL);
    (void)fr_object_set_bones(space, id, bones, WALKER_BONES, NULL);
    fr_skin_release(skin);
    return id;
}

static fr_status do_command(const fr_command *command, void *user, fr_error *error) {
    stage *s = user;
    if (strcmp(command->name, "take") != 0) { return FR_ERROR_UNSUPPORTED; }
    if (command->given != (FR_COMMAND_GOAL | FR_COMMAND_FACING) && command->fused_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "take needs a goal");
    }
    s->ticket = command->ticket;
    return FR_OK;
}

static const fr_affordance *affords(fr_object_id object, uint32_t index, void *user) {
    static const fr_affordance_field fields[] = {{"goal", true}, {"frames", false}};
    static const fr_affordance take = {"take", "Takes it in the hand.", fields, 2};
    const stage *s = user;
    bool is_shared = fr_object_id_equal(object, fr_world_find(s->world, "shared"));
    return is_shared && index == 0 ? &take : NULL;
}

static bool ended(fr_command_end *out, void *user) {
    stage *s = user;
    if (s->ticket == 0) { return false; }
    *out = (fr_command_end){.ticket = s->ticket, .status = FR_ERROR_BUSY, .message = "a person took it away"};
    s->ticket = 0;
    return true;
}

static fr_status add_object(const fr_scene_addition *addition, void *user, fr_error *error) {
    stage *s = user;
    if (strcmp(addition->class_name, "cup") != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no class '%.64s'", addition->class_name);
    }
    (void)test_scene_add(s->world, addition->name, s->mesh, addition->pose, 0);
    return FR_OK;
}

static fr_status open_stage(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)user;
    static stage s;
    fr_world_def def = fr_default_world_def();
    fr_cast_def cast = fr_default_cast_def();
    fr_remote_def remote = fr_default_remote_def();
    s = (stage){0};
    *out = (fr_served_scene){.title = name, .stock = {.add = add_object, .user = &s}, .user = &s};
    if (fr_world_create(&def, &s.world, error) != FR_OK) { return FR_ERROR_MEMORY; }
    (void)fr_mesh_create_named("sphere_168", NULL, &s.mesh, error);
    for (int i = 0; i < MAINS; i++) {
        char text[32];
        snprintf(text, sizeof text, "body%d", i);
        (void)add_thing(&s, text, 30.0 * i, true);
        for (int k = 0; k < OWN; k++) {
            snprintf(text, sizeof text, "box%d%d", i, k);
            (void)add_thing(&s, text, 30.0 * i + 5.0 * (k + 1), false);
        }
    }
    (void)add_thing(&s, "shared", SHARED_Z, false);
    cast.world = s.world;
    (void)fr_cast_create(&cast, &s.cast, error);
    remote.cast = s.cast;
    (void)fr_remote_create(&remote, &out->remote, error);
    const fr_actor actor = fr_remote_actor(out->remote);
    const fr_actor director = {
        .name = "director", .command = do_command, .affords = affords, .ended = ended, .user = &s};
    (void)fr_cast_add(s.cast, &actor, error);
    (void)fr_cast_add(s.cast, &director, error);
    out->world = s.world;
    out->cast = s.cast;
    return FR_OK;
}

static void close_stage(fr_served_scene *served, void *user) {
    (void)user;
    stage *s = served->user;
    fr_cast_destroy(s->cast);
    fr_world_destroy(s->world);
    fr_mesh_release(s->mesh);
}

static running_server running;

static void begin(void) {
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){.first = "stage", .open = open_stage, .close = close_stage};
    def.port = 0;
    def.messages_per_second = 1000000;
    def.max_message_bytes = 1 << 20;
    server_start(&running, &def);
}

// ---------------------------------------------------------------------------------------------------------------
// A program that moves a body

typedef struct main_program {
    test_client client;
    int number;
    fr_ref body, boxes[OWN], shared;
    uint32_t count; // updates to send
    fr_random random;
    _Atomic uint32_t sent;
    bool is_taken[LONG_UPDATES + 2]; // it moved the shared box with this update, as far as it knows
    bool is_included[LONG_UPDATES + 2];
    uint32_t refusals;
    uint32_t wrong; // refusals that are none of the shared box
} main_program;

static void note_refused(main_program *m, const fr_message_refused *refused) {
    m->refusals++;
    for (uint32_t i = 0; i < refused->refusal_count; i++) {
        bool is_shared = refused->refusals[i].object.index1 == m->shared.index1;
        m->wrong += !is_shared || refused->refusals[i].status != FR_ERROR_BUSY ||
                    strstr(refused->refusals[i].message, "holds it") == NULL;
        if (is_shared && refused->sequence <= LONG_UPDATES) { m->is_taken[refused->sequence] = false; }
    }
}

static main_program programs[MAINS];

static void hear(const fr_mirror *mirror, const fr_message *message, void *user) {
    (void)mirror;
    if (message->type == FR_MESSAGE_REFUSED) { note_refused(user, &message->as.refused); }
}

static void open_main(main_program *m, int number, uint32_t count) {
    memset(m, 0, sizeof *m);
    m->number = number;
    m->count = count;
    m->random = fr_random_seed((uint64_t)number + 1);
    char name[32], url[64];
    snprintf(name, sizeof name, "main %d", number);
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)running.port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.name = name;
    def.received = hear;
    def.user = m;
    def.max_unsent_bytes = FR_CLIENT_MAX_BYTES;
    fr_error error = {0};
    m->client = (test_client){.socket = -1, .payload = fr_array_make(1, NULL)};
    if (fr_client_create(&def, &m->client.link, &error) != FR_OK) { fail_msg("%s", error.message); }
    m->client.mirror = fr_client_mirror(m->client.link);
    while (!fr_mirror_get(m->client.mirror)->has_state) {
        if (fr_client_service(m->client.link, 10000000, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
    snprintf(name, sizeof name, "body%d", number);
    m->body = client_ref(&m->client, name);
    for (int k = 0; k < OWN; k++) {
        snprintf(name, sizeof name, "box%d%d", number, k);
        m->boxes[k] = client_ref(&m->client, name);
    }
    m->shared = client_ref(&m->client, "shared");
}

// Update n puts the body and its boxes at x = n; the shared box also at y = the number of the program.
static void send_update(main_program *m, uint32_t n, bool has_shared) {
    fr_wire_place places[OWN + 1];
    fr_pose bones[WALKER_BONES];
    walker_bones(0, n, WALKER_JOINTS, bones);
    bones[0].position.x = n;
    for (uint32_t i = 0; i < OWN + 1; i++) {
        bool is_shared = i == OWN;
        double z = is_shared ? SHARED_Z : 30.0 * m->number + 5.0 * (i + 1);
        places[i].object = is_shared ? m->shared : m->boxes[i];
        places[i].pose = fr_pose_make(fr_vec3_make(n, is_shared ? 10.0 * (m->number + 1) : 0.0, z), fr_quat_identity());
    }
    fr_message update = {.type = FR_MESSAGE_UPDATE};
    update.as.update =
        (fr_message_update){.sequence = n,
                            .body = m->body,
                            .pose = fr_pose_make(fr_vec3_make(n, 0, 30.0 * m->number), fr_quat_identity()),
                            .bones = bones,
                            .bone_count = WALKER_BONES,
                            .objects = places,
                            .object_count = OWN + (has_shared ? 1 : 0)};
    m->is_included[n] = m->is_taken[n] = has_shared;
    fr_error error = {0};
    if (fr_client_send(m->client.link, &update, &error) != FR_OK) { fail_msg("%s", error.message); }
    atomic_store(&m->sent, n);
}

static void *run_main(void *context) {
    main_program *m = context;
    uint64_t left = 0;
    bool has_shared = false;
    for (uint32_t n = 1; n <= m->count; n++) {
        if (left-- == 0) {
            has_shared = !has_shared;
            left = fr_random_below(&m->random, 20);
        }
        send_update(m, n, has_shared);
        uint64_t pause = fr_random_below(&m->random, 3000000);
        struct timespec time = {.tv_nsec = (long)pause};
        if (fr_random_below(&m->random, 3) > 0) { (void)nanosleep(&time, NULL); }
        bool has_taken = true;
        while (has_taken && fr_client_service(m->client.link, 0, &has_taken, NULL) == FR_OK) {}
    }
    // The last one lets the shared box go; what was refused is heard until the world shows it all.
    send_update(m, m->count + 1, false);
    while (fr_client_get(m->client.link).unsent_bytes > 0) {
        if (fr_client_service(m->client.link, 10000000, NULL, NULL) != FR_OK) { break; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// A watcher that looks at every state

typedef struct sight {
    uint32_t owner, number; // of the shared box; owner 0: none yet
    uint32_t bodies[MAINS];
} sight;

typedef struct watcher {
    test_client client;
    sight *sights;
    size_t count, capacity;
    uint32_t torn, states;
} watcher;

static uint32_t number_of(const fr_mirror *mirror, const char *name) {
    return (uint32_t)lround(fr_mirror_find(mirror, name)->pose.position.x);
}

// After each frame all of it is of one state.
static void look(watcher *w) {
    const fr_mirror *mirror = w->client.mirror;
    if (!fr_mirror_get(mirror)->has_state) { return; }
    sight s = {0};
    w->states++;
    for (int i = 0; i < MAINS; i++) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        const fr_mirror_object *body = fr_mirror_find(mirror, name);
        s.bodies[i] = (uint32_t)lround(body->pose.position.x);
        bool is_torn = s.bodies[i] > 0 && fabs(body->bones[0].position.x - s.bodies[i]) > 0.1;
        for (int k = 0; k < OWN; k++) {
            snprintf(name, sizeof name, "box%d%d", i, k);
            is_torn = is_torn || number_of(mirror, name) != s.bodies[i];
        }
        w->torn += is_torn;
    }
    const fr_mirror_object *shared = fr_mirror_find(mirror, "shared");
    s.owner = (uint32_t)lround(shared->pose.position.y / 10.0);
    s.number = (uint32_t)lround(shared->pose.position.x);
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 64;
        w->sights = realloc(w->sights, w->capacity * sizeof *w->sights);
        assert_non_null(w->sights);
    }
    w->sights[w->count++] = s;
}

static bool is_over(const watcher *w, uint32_t last) {
    for (int i = 0; i < MAINS; i++) {
        if (w->count == 0 || w->sights[w->count - 1].bodies[i] != last) { return false; }
    }
    return true;
}

// The shared box shows the last update that took it, up to the one of its owner's body.
static void check_shared(const watcher *w) {
    uint32_t changes = 0;
    for (size_t i = 0; i < w->count; i++) {
        const sight *s = &w->sights[i];
        if (s->owner == 0) { continue; }
        const main_program *m = &programs[s->owner - 1];
        uint32_t body = s->bodies[s->owner - 1];
        assert_true(s->number <= body && m->is_taken[s->number]);
        for (uint32_t n = s->number + 1; n <= body; n++) {
            if (m->is_taken[n]) { fail_msg("update %u of main %u is lost", n, s->owner); }
        }
        changes += i > 0 && w->sights[i - 1].owner != s->owner;
    }
    assert_true(changes > 1);
    // One that had it, lost it and has it again has let it go between.
    for (uint32_t m = 1; m <= MAINS; m++) {
        uint32_t last = 0;
        bool was_others = false;
        for (size_t i = 0; i < w->count; i++) {
            const sight *s = &w->sights[i];
            if (s->owner != m) {
                was_others = was_others || (s->owner != 0 && last != 0);
                continue;
            }
            bool has_let_go = !was_others;
            for (uint32_t n = last + 1; n <= s->number && !has_let_go; n++) {
                has_let_go = !programs[m - 1].is_included[n];
            }
            assert_true(has_let_go);
            last = s->number;
            was_others = false;
        }
    }
}

static void three_mains_move_their_bodies_at_one_server(void **state) {
    (void)state;
    uint32_t count = test_is_long() ? LONG_UPDATES : SHORT_UPDATES;
    pthread_t threads[MAINS];
    watcher w = {0};
    begin();
    client_open(&w.client, running.port, "watcher", FR_WANTS_POSES);
    for (int i = 0; i < MAINS; i++) {
        open_main(&programs[i], i, count);
    }
    client_follow_states(&w.client, 1);
    for (int i = 0; i < MAINS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, run_main, &programs[i]), 0);
    }
    uint64_t begin_ns = fr_clock_ns();
    while (!is_over(&w, count + 1)) {
        if (!client_take(&w.client)) { fail_msg("the connection ended: %s", w.client.error_text); }
        look(&w);
        if (fr_clock_ms_since(begin_ns) > 250e3) { fail_msg("it does not end"); }
    }
    uint32_t refusals = 0;
    for (int i = 0; i < MAINS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        // A reply to a last request comes after all refusals.
        fr_message ping = {.type = FR_MESSAGE_PING};
        assert_int_equal(fr_client_send(programs[i].client.link, &ping, NULL), FR_OK);
        for (int k = 0; k < 50; k++) {
            assert_int_equal(fr_client_service(programs[i].client.link, 2000000, NULL, NULL), FR_OK);
        }
        assert_int_equal(programs[i].wrong, 0);
        refusals += programs[i].refusals;
    }
    print_message("%u states, %u torn, %u refusals\n", w.states, w.torn, refusals);
    assert_int_equal(w.torn, 0);
    assert_true(refusals > 0);
    check_shared(&w);
    for (int i = 0; i < MAINS; i++) {
        client_close(&programs[i].client);
    }
    client_close(&w.client);
    free(w.sights);
    server_end(&running);
}

// One ends at any moment: its body stands, another may have it at once, and the others are never late.
static void a_main_that_is_killed_leaves_the_rest_running(void **state) {
    (void)state;
    int kills = test_is_long() ? 100 : 15;
    watcher w = {0};
    begin();
    client_open(&w.client, running.port, "watcher", FR_WANTS_POSES);
    client_follow_states(&w.client, 1);
    open_main(&programs[1], 1, 0);
    fr_random random = fr_random_seed(11);
    uint32_t other = 0;
    double longest = 0.0;
    for (int i = 0; i < kills; i++) {
        open_main(&programs[0], 0, 0);
        uint32_t updates = 1 + (uint32_t)fr_random_below(&random, 30);
        for (uint32_t n = 1; n <= updates; n++) {
            send_update(&programs[0], n, true);
            send_update(&programs[1], ++other, false);
            uint64_t begin_ns = fr_clock_ns();
            client_follow_states(&w.client, 1);
            longest = fmax(longest, fr_clock_ms_since(begin_ns));
            look(&w);
        }
        client_close(&programs[0].client);
        // It freezes where its last update has put it, its boxes with it.
        while (number_of(w.client.mirror, "body0") != updates) {
            client_follow_states(&w.client, 1);
            look(&w);
        }
        assert_int_equal(number_of(w.client.mirror, "box00"), updates);
        assert_int_equal(number_of(w.client.mirror, "shared"), updates);
        while (number_of(w.client.mirror, "body1") != other) {
            client_follow_states(&w.client, 1);
        }
        programs[0].refusals = 0;
    }
    assert_int_equal(w.torn, 0);
    assert_int_equal(programs[1].refusals, 0);
    client_close(&programs[1].client);
    client_close(&w.client);
    free(w.sights);
    fr_server_stats stats = server_end(&running);
    print_message("%d kills: %llu ticks, %llu left out; the longest gap %llu ticks, the longest wait %.1f ms\n", kills,
                  (unsigned long long)stats.ticks, (unsigned long long)stats.late,
                  (unsigned long long)w.client.longest_gap, longest);
    // By the server's own count, so that a busy machine counts for nothing: each of its ticks was seen.
    assert_true(TEST_SAMPLE_DIVISOR > 1 || w.client.longest_gap == 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Commands, affordances, additions

typedef struct commander {
    test_client client;
    fr_message_ended ended;
    char ended_text[128], name[32], about[64], field[32];
    uint32_t ended_count, affordance_count, affordance_replies, field_count, first_is_needed;
} commander;

static void hear_commander(const fr_mirror *mirror, const fr_message *message, void *user) {
    commander *c = user;
    client_told(mirror, message, &c->client);
    if (message->type == FR_MESSAGE_ENDED) {
        c->ended_count++;
        c->ended = message->as.ended;
        snprintf(c->ended_text, sizeof c->ended_text, "%s", message->as.ended.message);
    }
    if (message->type != FR_MESSAGE_AFFORDANCES) { return; }
    const fr_message_affordances *list = &message->as.affordances;
    c->affordance_replies++;
    c->affordance_count = list->affordance_count;
    if (list->affordance_count == 0) { return; }
    snprintf(c->name, sizeof c->name, "%s", list->affordances[0].name);
    snprintf(c->about, sizeof c->about, "%s", list->affordances[0].about);
    c->field_count = list->affordances[0].field_count;
    snprintf(c->field, sizeof c->field, "%s", list->affordances[0].fields[0].name);
    c->first_is_needed = list->affordances[0].fields[0].is_needed;
}

static void open_commander(commander *c) {
    *c = (commander){.client = {.socket = -1}};
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)running.port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.received = hear_commander;
    def.user = c;
    c->client.payload = fr_array_make(1, NULL);
    assert_int_equal(fr_client_create(&def, &c->client.link, NULL), FR_OK);
    c->client.mirror = fr_client_mirror(c->client.link);
    client_follow_states(&c->client, 1);
}

static fr_status command(commander *c, const fr_wire_motion *motions, uint32_t count) {
    fr_message message = {.type = FR_MESSAGE_COMMAND};
    message.as.command.motions = motions;
    message.as.command.motion_count = count;
    return client_ask(&c->client, &message, &message.as.command.request);
}

static void commands_are_replied_to_and_end(void **state) {
    (void)state;
    commander c;
    begin();
    open_commander(&c);
    fr_ref shared = client_ref(&c.client, "shared"), stale = {shared.index1, 7};
    fr_wire_motion take = {.name = "take", .object = shared, .given = 6, .frames = 200};
    assert_int_equal(command(&c, &take, 1), FR_OK);
    uint32_t request = c.client.reply.request;
    while (c.ended_count == 0) {
        assert_true(client_take(&c.client));
    }
    assert_int_equal(c.ended.request, request);
    assert_int_equal(c.ended.status, FR_ERROR_BUSY);
    assert_string_equal(c.ended_text, "a person took it away");
    // A list, one of whose objects is near a point.
    fr_wire_motion both[2] = {take, {.name = "take", .given = 1, .point = {0, 0, 90}}};
    assert_int_equal(command(&c, both, 2), FR_OK);

    // What is refused says why.
    take.given = 0;
    assert_int_equal(command(&c, &take, 1), FR_ERROR_ARGUMENT);
    assert_string_equal(c.client.reply_text, "take needs a goal");
    take.object = stale;
    assert_int_equal(command(&c, &take, 1), FR_ERROR_STALE_ID);
    take = (fr_wire_motion){.name = "fly", .object = shared};
    assert_int_equal(command(&c, &take, 1), FR_ERROR_UNSUPPORTED);
    assert_string_equal(c.client.reply_text, "no actor knows the command 'fly'");
    assert_int_equal(command(&c, NULL, 0), FR_ERROR_ARGUMENT);
    fr_wire_motion many[17] = {0};
    for (int i = 0; i < 17; i++) {
        many[i].name = "take";
    }
    assert_int_equal(command(&c, many, 17), FR_ERROR_ARGUMENT);
    client_close(&c.client);
    server_end(&running);
}

static void affordances_are_listed_with_their_fields(void **state) {
    (void)state;
    commander c;
    begin();
    open_commander(&c);
    fr_message message = {.type = FR_MESSAGE_AFFORDS};
    message.as.affords = (fr_message_affords){5, client_ref(&c.client, "shared")};
    assert_true(client_say(&c.client, &message));
    message.as.affords = (fr_message_affords){6, client_ref(&c.client, "body0")};
    while (c.affordance_replies == 0) {
        assert_true(client_take(&c.client));
    }
    assert_int_equal(c.affordance_count, 1);
    assert_string_equal(c.name, "take");
    assert_string_equal(c.about, "Takes it in the hand.");
    assert_string_equal(c.field, "goal");
    assert_true(c.field_count == 2 && c.first_is_needed == 1);
    assert_true(client_say(&c.client, &message));
    while (c.affordance_replies == 1) {
        assert_true(client_take(&c.client));
    }
    assert_int_equal(c.affordance_count, 0);
    message.as.affords.object = (fr_ref){99, 9};
    assert_int_equal(client_ask(&c.client, &message, &message.as.affords.request), FR_ERROR_STALE_ID);
    client_close(&c.client);
    server_end(&running);
}

static fr_status add(commander *c, const char *class_name, const char *name) {
    fr_message message = {.type = FR_MESSAGE_ADD};
    message.as.add = (fr_message_add){.class_name = class_name, .name = name, .pose = fr_pose_identity()};
    return client_ask(&c->client, &message, &message.as.add.request);
}

static void objects_are_added_or_refused(void **state) {
    (void)state;
    commander c;
    begin();
    open_commander(&c);
    assert_int_equal(add(&c, "cup", "cup1"), FR_OK);
    while (fr_mirror_find(c.client.mirror, "cup1") == NULL) {
        assert_true(client_take(&c.client));
    }
    assert_int_equal(add(&c, "cup", "cup1"), FR_ERROR_ARGUMENT);
    assert_string_equal(c.client.reply_text, "there is an object 'cup1' already");
    assert_int_equal(add(&c, "dragon", "d"), FR_ERROR_ARGUMENT);
    assert_string_equal(c.client.reply_text, "there is no class 'dragon'");
    assert_int_equal(add(&c, "cup", ""), FR_ERROR_ARGUMENT);
    assert_int_equal(add(&c, "", "x"), FR_ERROR_ARGUMENT);
    char name[300];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(add(&c, "cup", name), FR_ERROR_LIMIT);
    // One that stands is put at its point by whoever adds; lists and removals go to the same stock.
    fr_message stand = {.type = FR_MESSAGE_STAND};
    stand.as.stand = (fr_message_stand){.class_name = "cup", .name = "cup2", .point = {1.0, 2.0, 3.0}};
    assert_int_equal(client_ask(&c.client, &stand, &stand.as.stand.request), FR_OK);
    while (fr_mirror_find(c.client.mirror, "cup2") == NULL) {
        assert_true(client_take(&c.client));
    }
    fr_message removal = {.type = FR_MESSAGE_REMOVE};
    removal.as.remove.object = fr_mirror_find(c.client.mirror, "cup2")->ref;
    assert_int_equal(client_ask(&c.client, &removal, &removal.as.remove.request), FR_ERROR_UNSUPPORTED);
    fr_message stock = {.type = FR_MESSAGE_STOCK};
    assert_int_equal(client_ask(&c.client, &stock, &stock.as.stock.request), FR_ERROR_UNSUPPORTED);
    fr_message pull = {.type = FR_MESSAGE_PULL};
    pull.as.pull.person = "nobody";
    assert_int_equal(client_ask(&c.client, &pull, &pull.as.pull.request), FR_ERROR_ARGUMENT);
    assert_string_equal(c.client.reply_text, "there is no person 'nobody'");
    fr_message posture = {.type = FR_MESSAGE_POSTURE};
    posture.as.posture.person = "nobody";
    assert_int_equal(client_ask(&c.client, &posture, &posture.as.posture.request), FR_ERROR_ARGUMENT);
    client_close(&c.client);
    server_end(&running);
}

// A scene without a cast takes none of it.
static void a_scene_without_people_says_so(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    server_start(&running, &def);
    commander c;
    open_commander(&c);
    fr_wire_motion take = {.name = "take"};
    assert_int_equal(command(&c, &take, 1), FR_ERROR_UNSUPPORTED);
    assert_int_equal(add(&c, "cup", "c"), FR_ERROR_UNSUPPORTED);
    client_close(&c.client);
    server_end(&running);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_mains_move_their_bodies_at_one_server),
        cmocka_unit_test(a_main_that_is_killed_leaves_the_rest_running),
        cmocka_unit_test(commands_are_replied_to_and_end),
        cmocka_unit_test(affordances_are_listed_with_their_fields),
        cmocka_unit_test(objects_are_added_or_refused),
        cmocka_unit_test(a_scene_without_people_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
