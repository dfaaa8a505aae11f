// A server with a journal: what it replied to is there when it is started again from the bytes that are on the disk.
#include "failing.h"
#include "failing_vfs.h"
#include "journal_files.h"
#include "journal_stage.h"

#include "server/journal_state.h"

static running_server running;
static char path[JOURNAL_PATH_BYTES], copy[JOURNAL_PATH_BYTES];

// ---------------------------------------------------------------------------------------------------------------
// A server of a journal

typedef struct journaled_server {
    fr_journal_file *file;
    fr_journal table;
    fr_task_pool *pool;
    fr_tasks tasks;
} journaled_server;

static void journaled_start(journaled_server *s, const char *file) {
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = 2;
    assert_int_equal(fr_task_pool_create(&pool, &s->pool, NULL), FR_OK);
    s->tasks = fr_task_pool_tasks(s->pool);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = file;
    def.tasks = &s->tasks;
    fr_error error = {0};
    if (fr_journal_file_create(&def, &s->file, &error) != FR_OK) { fail_msg("no journal: %s", error.message); }
    s->table = fr_journal_file_table(s->file);
    fr_server_def serving = stage_def(&s->table);
    server_start(&running, &serving);
}

static void journaled_close(journaled_server *s) {
    fr_journal_file_destroy(s->file);
    fr_task_pool_destroy(s->pool);
}

static void journaled_end(journaled_server *s) {
    server_end(&running);
    journaled_close(s);
}

static fr_status take_record(const fr_journal_record *record, void *context, fr_error *error) {
    return fr__journal_state_take(context, record, error);
}

// The world that is on the disk now: of a copy of the files, as a killed server leaves them.
static fr__journal_state on_disk(fr__store *store) {
    journal_copy(path, copy);
    fr__journal_state state = fr__journal_state_make(copy, NULL);
    fr_error error = {0};
    if (fr_journal_file_read(copy, take_record, &state, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr__journal_state_store(&state, store, &error), FR_OK);
    return state;
}

static const fr__store_object *stored(const fr__store *store, const char *name) {
    for (size_t i = 0; i < store->objects.count; i++) {
        if (strcmp(store->objects.data[i].name, name) == 0) { return &store->objects.data[i]; }
    }
    return NULL;
}

static double stored_state(const fr__store *store, const char *object, const char *name) {
    const fr__store_object *found = stored(store, object);
    for (size_t i = 0; found != NULL && i < found->state_count; i++) {
        const fr__store_state *state = &store->states.data[found->first_state + i];
        if (strcmp(state->name, name) == 0) { return state->value; }
    }
    return -1.0;
}

static fr_status client_add_ball(test_client *c, const char *name, fr_vec3 position) {
    fr_message message = {.type = FR_MESSAGE_ADD};
    message.as.add.class_name = "ball";
    message.as.add.name = name;
    message.as.add.pose = fr_pose_make(position, fr_quat_identity());
    return client_ask(c, &message, &message.as.add.request);
}

static fr_status client_remove_object(test_client *c, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_REMOVE};
    message.as.remove.object = object;
    return client_ask(c, &message, &message.as.remove.request);
}

static fr_status client_command(test_client *c, const char *name, fr_ref object) {
    fr_message message = {.type = FR_MESSAGE_COMMAND};
    const fr_wire_motion motion = {.name = name, .object = object};
    message.as.command.person = "Hana";
    message.as.command.motions = &motion;
    message.as.command.motion_count = 1;
    return client_ask(c, &message, &message.as.command.request);
}

static void open_client(test_client *c, const char *name) {
    client_open(c, running.port, name, FR_WANTS_POSES | FR_WANTS_EVENTS);
    client_follow_states(c, 1);
}

// Reads until the mirror has an object.
static fr_ref wait_for_object(test_client *c, const char *name) {
    while (fr_mirror_find(c->mirror, name) == NULL) {
        assert_true(client_take(c));
    }
    return client_ref(c, name);
}

// ---------------------------------------------------------------------------------------------------------------

static void a_journal_and_a_store_exclude_each_other(void **state) {
    (void)state;
    fr_journal none = {0};
    fr_server_def def = stage_def(&none);
    def.store_path = copy;
    fr_server *server;
    assert_int_equal(fr_server_create(&def, &server, NULL), FR_ERROR_ARGUMENT);
}

static void forget(fr__journal_state *world, fr__store *store) {
    fr__store_free(store);
    fr__journal_state_free(world);
}

static uint32_t leases_of(const fr__journal_state *world) {
    fr_journal_report report = {0};
    fr__journal_state_count(world, &report);
    return report.leases;
}

// A state, a lease, and the place where an object is let go, also when the last move came with the drop.
static void states_leases_and_places_are_on_the_disk(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    fr_ref right = client_ref(&c, "right");
    fr__store store;

    assert_int_equal(client_set_state(&c, right, "open", 0.1), FR_OK);
    fr__journal_state world = on_disk(&store);
    assert_true(stored_state(&store, "right", "open") == 0.1);
    forget(&world, &store);
    assert_int_equal(client_grab(&c, right), FR_OK);
    world = on_disk(&store);
    assert_int_equal(leases_of(&world), 1);
    forget(&world, &store);
    client_move(&c, right, fr_vec3_make(1.0 / 3.0, 2, 3));
    assert_int_equal(client_drop(&c, right), FR_OK);
    world = on_disk(&store);
    assert_true(stored(&store, "right")->pose.position.x == 1.0 / 3.0 && stored(&store, "right")->is_placed);
    assert_int_equal(leases_of(&world), 0);
    forget(&world, &store);
    assert_int_equal(client_resume(&c, right), FR_OK);
    world = on_disk(&store);
    assert_false(stored(&store, "right")->is_placed);
    forget(&world, &store);
    client_close(&c);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

static void additions_commands_and_scenes_are_on_the_disk(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    fr_ref right = client_ref(&c, "right");
    fr__store store;

    assert_int_equal(client_add_ball(&c, "new", fr_vec3_make(5, 6, 7)), FR_OK);
    assert_int_equal(client_add_ball(&c, "gone", fr_vec3_make(5, 8, 7)), FR_OK);
    assert_int_equal(client_remove_object(&c, wait_for_object(&c, "gone")), FR_OK);
    assert_int_equal(client_command(&c, "long", right), FR_OK);
    assert_int_equal(client_command(&c, "short", right), FR_OK);
    assert_int_equal(client_command(&c, "never", right), FR_ERROR_ARGUMENT);
    fr__journal_state world = on_disk(&store);
    assert_string_equal(stored(&store, "new")->class_name, "ball");
    assert_true(stored(&store, "new")->pose.position.y == 6.0);
    assert_true(stored(&store, "new")->has_all_states);
    assert_null(stored(&store, "gone"));
    assert_true(world.commands.count >= 1 && world.commands.count <= 2);
    assert_string_equal(world.commands.data[0].objects[0], "right");
    forget(&world, &store);

    // A scene that begins again, and another one.
    assert_int_equal(client_set_state(&c, right, "open", 0.75), FR_OK);
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    world = on_disk(&store);
    assert_string_equal(store.scene, "pair");
    assert_string_equal(stored(&store, "new")->class_name, "ball");
    forget(&world, &store);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    world = on_disk(&store);
    assert_string_equal(store.scene, "crowd:20");
    assert_null(stored(&store, "new"));
    forget(&world, &store);
    client_close(&c);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

// A server that starts with what a killed one left behind has the same objects, places and states, and carries out the
// commands that had not ended.
static void a_server_begins_where_a_killed_one_was(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    fr_ref right = client_ref(&c, "right"), left = client_ref(&c, "left"), floor = client_ref(&c, "floor");
    assert_int_equal(client_add_ball(&c, "new", fr_vec3_make(5, 6, 7)), FR_OK);
    fr_ref added = wait_for_object(&c, "new");
    assert_int_equal(client_grab(&c, added), FR_OK);
    client_move(&c, added, fr_vec3_make(0.1, 0.2, 0.3));
    assert_int_equal(client_drop(&c, added), FR_OK);
    assert_int_equal(client_set_state(&c, added, "warm", 3), FR_OK);
    assert_int_equal(client_set_state(&c, floor, "swept", 1), FR_OK);
    assert_int_equal(client_set_state(&c, right, "open", 0.25), FR_OK);
    assert_int_equal(client_grab(&c, right), FR_OK); // held when the server is killed
    assert_int_equal(client_command(&c, "long", left), FR_OK);
    assert_int_equal(client_command(&c, "short", left), FR_OK);
    client_follow_states(&c, 5);
    journal_copy(path, copy);
    client_close(&c);
    journaled_end(&s);

    journaled_start(&s, copy);
    assert_int_equal(stage.command_count, 1);
    assert_string_equal(stage.commands[0], "long left Hana");
    open_client(&c, "Bob");
    assert_true(fr_mirror_find(c.mirror, "new")->pose.position.x == 0.1);
    assert_int_equal(fr_mirror_find(c.mirror, "new")->hold, FR_HOLD_PLACED);
    assert_true(fr_world_state(stage.world, fr_world_find(stage.world, "new"), "warm") == 3.0);
    assert_true(fr_world_state(stage.world, fr_world_find(stage.world, "floor"), "swept") == 1.0);
    assert_true(fr_world_state(stage.world, fr_world_find(stage.world, "right"), "open") == 0.25);
    // Leases have ended: another may have it.
    assert_int_equal(client_grab(&c, client_ref(&c, "right")), FR_OK);
    assert_int_equal(client_remove_object(&c, client_ref(&c, "new")), FR_OK);
    client_close(&c);
    journaled_end(&s);

    // And once more: what was removed stays away, the command is still under way.
    journaled_start(&s, copy);
    assert_int_equal(fr_world_find(stage.world, "new").index1, 0);
    assert_int_equal(stage.command_count, 1);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

static void place_right(test_client *c, fr_vec3 place, double open) {
    fr_ref right = client_ref(c, "right");
    assert_int_equal(client_grab(c, right), FR_OK);
    client_move(c, right, place);
    assert_int_equal(client_drop(c, right), FR_OK);
    assert_int_equal(client_set_state(c, right, "open", open), FR_OK);
}

// What the server sees of the scene, from a tick on that begins after this.
static void look_again(void) {
    uint64_t first = 0, looks = 0, begin = fr_clock_ns();
    do {
        pthread_mutex_lock(&stage_seen.lock);
        looks = stage_seen.looks;
        pthread_mutex_unlock(&stage_seen.lock);
        first = first == 0 ? looks : first;
        assert_true(fr_clock_ms_since(begin) < 20000.0);
    } while (looks < first + 2);
}

static bool has_new(void) {
    look_again();
    pthread_mutex_lock(&stage_seen.lock);
    bool has = stage_seen.has_new;
    pthread_mutex_unlock(&stage_seen.lock);
    return has;
}

static void expect_right(fr_vec3 place, double open) {
    look_again();
    pthread_mutex_lock(&stage_seen.lock);
    fr_vec3 seen = stage_seen.place;
    fr_hold hold = stage_seen.hold;
    double value = stage_seen.open;
    pthread_mutex_unlock(&stage_seen.lock);
    assert_memory_equal(&seen, &place, sizeof place);
    assert_int_equal(hold, FR_HOLD_PLACED);
    assert_true(open >= 0.0 ? value == open : value != value);
}

// Starts again from what a killed server leaves, with the scene that was served.
static void kill_and_start(journaled_server *s, test_client *c) {
    journal_copy(path, copy);
    client_close(c);
    journaled_end(s);
    journal_copy(copy, path);
    journaled_start(s, path);
    open_client(c, "Ann");
}

// A disk that failed for a while: the worlds of all scenes are written again.
static void fail_for_a_while(test_client *c) {
    failing_vfs_fail(VFS_WRITE, 1, SQLITE_FULL, true);
    assert_int_equal(client_set_state(c, client_ref(c, "right"), "open", 0.6), FR_ERROR_FILE);
    failing_vfs_mend();
    uint64_t begin = fr_clock_ns();
    while (client_set_state(c, client_ref(c, "right"), "open", 0.75) != FR_OK) {
        assert_true(fr_clock_ms_since(begin) < 20000.0);
        client_follow_states(c, 3);
    }
}

// Another scene is opened, and the first one again: it is as it was left, also when the server was killed in between,
// and also after all worlds were written again. A scene that is opened again at once begins from its file.
static void a_scene_is_as_it_was_left(void **state) {
    (void)state;
    const fr_vec3 here = {0.1, 2, 3}, there = {7, 8, 1.0 / 3.0};
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    assert_int_equal(client_add_ball(&c, "new", fr_vec3_make(5, 6, 7)), FR_OK);
    place_right(&c, here, 0.25);
    assert_int_equal(client_command(&c, "long", client_ref(&c, "left")), FR_OK);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    client_follow_states(&c, 2);
    assert_false(has_new());
    place_right(&c, there, 0.5);

    kill_and_start(&s, &c);
    expect_right(there, 0.5);
    assert_int_equal(client_open_scene(&c, "pair"), FR_OK);
    client_follow_states(&c, 2);
    expect_right(here, 0.25);
    assert_true(has_new());
    // Its command ended with it.
    assert_int_equal(stage.command_count, 0);
    kill_and_start(&s, &c);
    expect_right(here, 0.25);
    assert_int_equal(client_remove_object(&c, wait_for_object(&c, "new")), FR_OK);
    fr_message message = {.type = FR_MESSAGE_REMOVE_STATE};
    message.as.remove_state.object = client_ref(&c, "right");
    message.as.remove_state.name = "open";
    assert_int_equal(client_ask(&c, &message, &message.as.remove_state.request), FR_OK);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    client_follow_states(&c, 2);
    expect_right(there, 0.5);
    fail_for_a_while(&c);
    kill_and_start(&s, &c);
    expect_right(there, 0.75);
    assert_int_equal(client_open_scene(&c, "pair"), FR_OK);
    client_follow_states(&c, 2);
    expect_right(here, -1.0);
    assert_false(has_new());
    fr_journal_report report;
    journal_copy(path, copy);
    assert_int_equal(fr_journal_file_check(copy, NULL, NULL, &report, NULL), FR_OK);
    assert_int_equal(report.scenes, 2);
    assert_string_equal(report.scene, "pair");

    assert_int_equal(client_open_scene(&c, "pair"), FR_OK);
    client_follow_states(&c, 2);
    assert_int_equal(fr_world_hold(stage.world, fr_world_find(stage.world, "right")), FR_HOLD_FREE);
    client_close(&c);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

// A journal without a record of all worlds, as versions before 0.12 wrote it: what they had noted of a scene that was
// left is not taken for what it was then, and all worlds are written at once.
static void a_scene_left_in_an_old_journal_begins_from_its_file(void **state) {
    (void)state;
    static const struct {
        fr_journal_kind kind;
        const char *object, *body;
    } old[] = {{FR_JOURNAL_SCENE, "", "{\"scene\":\"crowd:20\"}"},
               {FR_JOURNAL_STATE, "right", "{\"name\":\"open\",\"value\":0.25}"},
               {FR_JOURNAL_SCENE, "", "{\"scene\":\"pair\"}"},
               {FR_JOURNAL_STATE, "right", "{\"name\":\"open\",\"value\":0.5}"}};
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    for (uint64_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        const fr_journal_record record = {i + 1, (int64_t)i + 1, i, old[i].kind, old[i].object, "", old[i].body};
        assert_int_equal(journal.append(&record, 1, journal.user, NULL), FR_OK);
    }
    fr_journal_file_destroy(file);

    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    assert_true(fr_world_state(stage.world, fr_world_find(stage.world, "right"), "open") == 0.5);
    fr__store store;
    fr__journal_state world = on_disk(&store);
    assert_int_equal(world.left.count, 0);
    assert_true(world.worlds_number > sizeof old / sizeof old[0]);
    assert_true(stored_state(&store, "right", "open") == 0.5);
    forget(&world, &store);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    client_follow_states(&c, 2);
    double value = fr_world_state(stage.world, fr_world_find(stage.world, "right"), "open");
    assert_true(value != value);
    client_close(&c);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

static fr__store_has_joint joint_of_right(void) {
    fr__store store;
    fr__journal_state world = on_disk(&store);
    fr__store_has_joint has_joint = stored(&store, "right")->has_joint;
    forget(&world, &store);
    return has_joint;
}

// What hung on one object, and hangs on another that cannot be named, does not come back on the first.
static void a_joint_that_cannot_be_noted_is_none(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    for (int i = 0; i < 3; i++) {
        test_client c;
        open_client(&c, "Ann");
        assert_int_equal(client_command(&c, i == 0 ? "hang" : "hang loose", client_ref(&c, "right")), FR_OK);
        if (i == 0) {
            // When it comes back it is noted whole.
            assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
            client_follow_states(&c, 2);
            assert_int_equal(client_open_scene(&c, "pair"), FR_OK);
            client_follow_states(&c, 2);
        }
        client_close(&c);
        journaled_end(&s);
        assert_int_equal(joint_of_right(), i == 0 ? FR__JOINT_KNOWN : FR__JOINT_NONE);
        if (i < 2) { journaled_start(&s, path); }
    }
    journal_remove(path);
    journal_remove(copy);
}

enum { MODEL_NAMES = 6 };

static const char *const model_names[MODEL_NAMES] = {"left", "right", "a", "b", "c", "d"};

// What was acknowledged of the objects, as plain tables.
typedef struct world_model {
    bool is_there[MODEL_NAMES], is_placed[MODEL_NAMES];
    double states[MODEL_NAMES]; // -1: none
    fr_vec3 places[MODEL_NAMES];
} world_model;

// A random request about an object, waited for, and noted in the tables.
static void request_at_random(world_model *m, fr_random *random, test_client *clients) {
    test_client *c = &clients[fr_random_below(random, 2)];
    uint32_t n = (uint32_t)fr_random_below(random, MODEL_NAMES);
    fr_vec3 place = fr_vec3_make(fr_random_between(random, -9, 9), 3, (double)n);
    uint64_t choice = fr_random_below(random, 12);
    if (!m->is_there[n]) {
        assert_int_equal(client_add_ball(c, model_names[n], place), FR_OK);
        m->is_there[n] = true;
        m->places[n] = place;
        m->states[n] = -1.0;
        m->is_placed[n] = false;
    } else if (choice < 4) {
        fr_ref ref = wait_for_object(c, model_names[n]);
        assert_int_equal(client_grab(c, ref), FR_OK);
        client_move(c, ref, place);
        assert_int_equal(client_drop(c, ref), FR_OK);
        m->places[n] = place;
        m->is_placed[n] = true;
    } else if (n >= 2 && choice < 6) {
        assert_int_equal(client_remove_object(c, wait_for_object(c, model_names[n])), FR_OK);
        m->is_there[n] = false;
        for (int k = 0; k < 2; k++) { // its ref must not be taken for the one that comes next
            while (fr_mirror_find(clients[k].mirror, model_names[n]) != NULL) {
                assert_true(client_take(&clients[k]));
            }
        }
    } else {
        m->states[n] = fr_random_between(random, 0, 1);
        assert_int_equal(client_set_state(c, wait_for_object(c, model_names[n]), "s", m->states[n]), FR_OK);
    }
}

static void compare_disk(const world_model *m) {
    fr__store store;
    fr__journal_state world = on_disk(&store);
    for (int k = 0; k < MODEL_NAMES; k++) {
        const fr__store_object *found = stored(&store, model_names[k]);
        assert_int_equal(found != NULL, m->is_there[k]);
        if (!m->is_there[k]) { continue; }
        assert_true(stored_state(&store, model_names[k], "s") == m->states[k]);
        if (m->is_placed[k]) { assert_memory_equal(&found->pose.position, &m->places[k], sizeof m->places[k]); }
    }
    forget(&world, &store);
}

static void compare_world(const world_model *m) {
    for (int k = 0; k < MODEL_NAMES; k++) {
        fr_object_id id = fr_world_find(stage.world, model_names[k]);
        assert_int_equal(id.index1 != 0, m->is_there[k]);
        if (m->is_there[k] && m->states[k] >= 0.0) {
            assert_true(fr_world_state(stage.world, id, "s") == m->states[k]);
        }
        if (!m->is_there[k] || !m->is_placed[k]) { continue; }
        const fr_object_view *view = fr_object_get(fr_world_space(stage.world), id);
        assert_memory_equal(&view->pose.position, &m->places[k], sizeof m->places[k]);
    }
}

// Random requests of two clients, against plain tables of what was acknowledged; now and then the disk is looked at,
// and in the end a server is started from it.
static void random_requests_come_back_as_acknowledged(void **state) {
    (void)state;
    world_model m = {.is_there = {true, true}, .states = {-1, -1, -1, -1, -1, -1}};
    fr_random random = fr_random_seed(11);
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client clients[2];
    open_client(&clients[0], "Ann");
    open_client(&clients[1], "Bob");
    uint64_t count = test_count(80, 3000);
    for (uint64_t i = 0; i < count; i++) {
        request_at_random(&m, &random, clients);
        if (i % 7 == 0 || i + 1 == count) { compare_disk(&m); }
    }
    client_close(&clients[0]);
    client_close(&clients[1]);
    journaled_end(&s);
    journaled_start(&s, copy);
    compare_world(&m);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

// ---------------------------------------------------------------------------------------------------------------
// A journal that is slow, or fails

// A disk that takes its time: the world goes on, and the reply comes when the record is there.
static void replies_wait_for_the_disk_and_nobody_else_does(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c, other;
    open_client(&c, "Ann");
    open_client(&other, "Bob");
    fr_ref right = client_ref(&c, "right");
    failing_vfs.sync_us = 400000;
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state = (fr_message_set_state){.request = 1, .object = right, .name = "open", .value = 1};
    uint32_t before = c.reply_count;
    uint64_t begin = fr_clock_ns();
    assert_true(client_say(&c, &message));
    uint32_t states = other.state_count;
    while (fr_clock_ms_since(begin) < 300.0) {
        assert_true(client_take(&other));
    }
    assert_true(other.state_count - states > 5);
    while (c.reply_count == before) {
        assert_true(client_take(&c));
    }
    assert_true(fr_clock_ms_since(begin) >= 390.0);
    assert_int_equal(c.reply.status, FR_OK);
    failing_vfs.sync_us = 0;
    client_close(&c);
    client_close(&other);
    journaled_end(&s);
    journal_remove(path);
}

// A disk that cannot be written any more while the server runs.
static void a_disk_that_fails_is_said_and_disturbs_nobody(int code) {
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c, other;
    open_client(&c, "Ann");
    open_client(&other, "Bob");
    fr_ref right = client_ref(&c, "right");
    assert_int_equal(client_set_state(&c, right, "open", 0.5), FR_OK);
    assert_int_equal(client_grab(&c, right), FR_OK);
    failing_vfs_fail(VFS_WRITE, 1, code, true);
    // The first that cannot be written was done already; those after it are refused.
    assert_int_equal(client_set_state(&c, right, "open", 0.6), FR_ERROR_FILE);
    assert_non_null(strstr(c.reply_text, "may not outlast the server"));
    assert_int_equal(client_set_state(&c, right, "open", 0.7), FR_ERROR_FILE);
    assert_non_null(strstr(c.reply_text, "cannot be written"));
    assert_int_equal(client_add_ball(&c, "new", fr_vec3_make(1, 2, 3)), FR_ERROR_FILE);
    // What is held can be let go, and others go on watching.
    client_move(&c, right, fr_vec3_make(4, 5, 6));
    assert_int_equal(client_drop(&c, right), FR_ERROR_FILE);
    client_follow_states(&other, 5);
    assert_int_equal(client_play(&other, FR_PLAY_PAUSE), FR_OK);
    fr__store store;
    fr__journal_state world = on_disk(&store);
    assert_true(stored_state(&store, "right", "open") == 0.5);
    forget(&world, &store);
    // It works again: the world is written whole, and changes are taken.
    failing_vfs_mend();
    uint64_t begin = fr_clock_ns();
    while (client_set_state(&c, right, "open", 0.8) != FR_OK) {
        assert_true(fr_clock_ms_since(begin) < 20000.0);
        client_follow_states(&c, 3);
    }
    world = on_disk(&store);
    assert_true(stored_state(&store, "right", "open") == 0.8);
    assert_true(stored(&store, "right")->pose.position.y == 5.0);
    forget(&world, &store);
    client_close(&c);
    client_close(&other);
    journaled_end(&s);
    journal_remove(path);
    journal_remove(copy);
}

static void a_full_disk_is_said_and_disturbs_nobody(void **state) {
    (void)state;
    a_disk_that_fails_is_said_and_disturbs_nobody(SQLITE_FULL);
}

static void a_disk_that_is_read_only_meanwhile_is_said_and_disturbs_nobody(void **state) {
    (void)state;
    a_disk_that_fails_is_said_and_disturbs_nobody(SQLITE_READONLY);
}

// A disk that fails until the end: the run says so, and what was acknowledged is there.
static void a_journal_that_cannot_be_ended_is_reported(void **state) {
    (void)state;
    journal_remove(path);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    fr_ref right = client_ref(&c, "right");
    assert_int_equal(client_set_state(&c, right, "open", 0.5), FR_OK);
    failing_vfs_fail(VFS_SYNC, 1, SQLITE_IOERR_FSYNC, true);
    assert_int_equal(client_set_state(&c, right, "open", 0.6), FR_ERROR_FILE);
    client_close(&c);
    fr_server_stop(running.server);
    assert_int_equal(pthread_join(running.thread, NULL), 0);
    assert_int_equal(running.status, FR_ERROR_FILE);
    fr_server_destroy(running.server);
    journaled_close(&s);
    failing_vfs_mend();
    fr__store store;
    fr__journal_state world = on_disk(&store);
    assert_true(stored_state(&store, "right", "open") >= 0.5);
    forget(&world, &store);
    journal_remove(path);
    journal_remove(copy);
}

// ---------------------------------------------------------------------------------------------------------------

// A clock that was set back by a day: times go on from the last one.
static void a_clock_set_back_is_survived(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    struct timespec now;
    assert_int_equal(timespec_get(&now, TIME_UTC), TIME_UTC);
    fr_journal_record record = scene_record(1);
    record.time_ms = ((int64_t)now.tv_sec + 86400) * 1000;
    uint64_t flushed;
    assert_int_equal(journal.append(&record, 1, journal.user, NULL), FR_OK);
    assert_int_equal(journal.flushed(true, &flushed, journal.user, NULL), FR_OK);
    fr_journal_file_destroy(file);
    journaled_server s;
    journaled_start(&s, path);
    test_client c;
    open_client(&c, "Ann");
    assert_int_equal(client_set_state(&c, client_ref(&c, "right"), "open", 0.5), FR_OK);
    client_close(&c);
    journaled_end(&s);
    fr_journal_report report;
    fr_error error = {0};
    assert_int_equal(fr_journal_file_check(path, NULL, NULL, &report, &error), FR_OK);
    assert_true(report.last_ms == record.time_ms && report.states == 1);
    journal_remove(path);
}

static void a_journal_of_another_scene_is_refused_and_kept(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    fr_journal_record record = scene_record(1);
    record.body = "{\"scene\":\"elsewhere\"}";
    uint64_t flushed;
    assert_int_equal(journal.append(&record, 1, journal.user, NULL), FR_OK);
    assert_int_equal(journal.flushed(true, &flushed, journal.user, NULL), FR_OK);
    fr_server_def def = stage_def(&journal);
    fr_server *server;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "elsewhere"));
    assert_string_equal(error.path, path);
    fr_journal_file_destroy(file);
    journal_count count = {0};
    assert_int_equal(fr_journal_file_read(path, count_record, &count, NULL), FR_OK);
    assert_int_equal(count.records, 1);
    journal_remove(path);
}

// What moves by itself is noted once a second, and when it rests.
static void poses_are_noted_every_second_and_at_rest(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    fr_server_def def = test_server_def("walk:4,60");
    def.journal = &journal;
    def.is_always_ticking = true;
    server_start(&running, &def);
    wait_ms(2600);
    journal_copy(path, copy);
    server_end(&running);
    fr_journal_file_destroy(file);
    fr__store store;
    fr__journal_state world = fr__journal_state_make(copy, NULL);
    fr_error error = {0};
    assert_int_equal(fr_journal_file_read(copy, take_record, &world, &error), FR_OK);
    assert_int_equal(fr__journal_state_store(&world, &store, &error), FR_OK);
    for (uint32_t i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%u", i);
        const fr__store_object *walker = stored(&store, i == 0 ? "left" : name);
        fr_pose rest = test_scene_pose(i, 60);
        assert_memory_equal(&walker->pose.position, &rest.position, sizeof rest.position);
        assert_int_equal(walker->bone_count, WALKER_BONES);
    }
    forget(&world, &store);
    journal_remove(path);
    journal_remove(copy);
}

static fr_status make_server(const fr_allocator *allocator, void *context) {
    (void)context;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    fr_server_def def = stage_def(&journal);
    def.allocator = *allocator;
    fr_server *server;
    fr_status status = fr_server_create(&def, &server, NULL);
    fr_server_destroy(server);
    fr_journal_file_destroy(file);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_server, NULL);
    journal_remove(path);
}

int main(void) {
    journal_path(path, "served");
    journal_path(copy, "copy");
    failing_vfs_begin(); // which need not wait for a disk
    if (fr_mesh_create_named("sphere_24", NULL, &stage.mesh, NULL) != FR_OK) { return 1; }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_and_a_store_exclude_each_other),
        cmocka_unit_test(states_leases_and_places_are_on_the_disk),
        cmocka_unit_test(additions_commands_and_scenes_are_on_the_disk),
        cmocka_unit_test(a_server_begins_where_a_killed_one_was),
        cmocka_unit_test(a_scene_is_as_it_was_left),
        cmocka_unit_test(a_scene_left_in_an_old_journal_begins_from_its_file),
        cmocka_unit_test(a_joint_that_cannot_be_noted_is_none),
        cmocka_unit_test(random_requests_come_back_as_acknowledged),
        cmocka_unit_test(replies_wait_for_the_disk_and_nobody_else_does),
        cmocka_unit_test(a_full_disk_is_said_and_disturbs_nobody),
        cmocka_unit_test(a_disk_that_is_read_only_meanwhile_is_said_and_disturbs_nobody),
        cmocka_unit_test(a_journal_that_cannot_be_ended_is_reported),
        cmocka_unit_test(a_clock_set_back_is_survived),
        cmocka_unit_test(a_journal_of_another_scene_is_refused_and_kept),
        cmocka_unit_test(poses_are_noted_every_second_and_at_rest),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fr_mesh_release(stage.mesh);
    return failed;
}
