// What the server keeps over a restart.
#include "provider.h"

#include <stdatomic.h>
#include <sys/stat.h>

static running_server running;

static void a_world_is_kept_over_a_restart(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-kept-%d.json", (int)getpid());
    (void)unlink(path);
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    while (c.resets == 0 || !fr_mirror_get(c.mirror)->has_state) {
        assert_true(client_take(&c));
    }
    fr_ref right = client_ref(&c, "right");
    assert_int_equal(client_grab(&c, right), FR_OK);
    client_move(&c, right, fr_vec3_make(1.0 / 3.0, 2, 3));
    assert_int_equal(client_set_state(&c, right, "open", 0.25), FR_OK);
    assert_int_equal(client_drop(&c, right), FR_OK);
    client_follow_states(&c, 5);
    assert_int_equal(client_play(&c, FR_PLAY_PAUSE), FR_OK);
    client_follow_states(&c, 3);
    uint64_t hash = fr_mirror_hash(c.mirror), tick = fr_mirror_get(c.mirror)->tick;
    client_close(&c);
    server_end(&running);

    // The same scene, the same poses, the same time.
    def.is_paused = true;
    server_start(&running, &def);
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    assert_string_equal(fr_mirror_get(c.mirror)->gallery.current, "crowd:20");
    assert_int_equal(fr_mirror_get(c.mirror)->tick, tick);
    assert_true(fr_mirror_find(c.mirror, "right")->pose.position.x == 1.0 / 3.0);
    assert_int_equal(fr_mirror_find(c.mirror, "right")->hold, FR_HOLD_PLACED);
    assert_true(fr_mirror_hash(c.mirror) == hash);
    client_close(&c);
    server_end(&running);
    FILE *file = fopen(path, "rb");
    char text[8192] = "";
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "\"states\": [{ \"name\": \"open\", \"value\": 0.25 }]"));
    (void)unlink(path);
}

// Bones are kept to the last bit, so the first tick after the restart begins where the last one ended.
static void bones_are_kept_over_a_restart(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-bones-%d.json", (int)getpid());
    (void)unlink(path);
    fr_server_def def = test_server_def("walk:3");
    def.store_path = path;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 20);
    assert_int_equal(client_play(&c, FR_PLAY_PAUSE), FR_OK);
    client_follow_states(&c, 3);
    uint64_t tick = fr_mirror_get(c.mirror)->tick;
    client_close(&c);
    server_end(&running);

    def.is_paused = true;
    server_start(&running, &def);
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    assert_int_equal(fr_mirror_get(c.mirror)->tick, tick);
    const fr_mirror_object *walker = fr_mirror_find(c.mirror, "ball1");
    assert_int_equal(walker->bone_count, WALKER_BONES);
    fr_pose expected[WALKER_BONES];
    walker_bones(1, tick, WALKER_JOINTS, expected);
    for (int i = 0; i < WALKER_BONES; i++) {
        assert_true(fr_vec3_distance(walker->bones[i].position, expected[i].position) < 1e-3);
    }
    client_close(&c);
    server_end(&running);
    (void)unlink(path);
}

static void the_store_is_written_while_it_runs(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-running-%d.json", (int)getpid());
    (void)unlink(path);
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", FR_WANTS_POSES);
    client_follow_states(&c, 150);
    assert_int_equal(access(path, F_OK), 0);
    client_close(&c);
    server_end(&running);
    (void)unlink(path);
}

static void a_store_that_is_wrong_is_refused_and_kept(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-wrong-%d.json", (int)getpid());
    static const char *const texts[] = {"{ \"fureai\": 1,\n  \"scene\": 5 }",
                                        "{ \"fureai\": 1, \"scene\": \"elsewhere\", \"tick\": 0, \"objects\": [] }"};
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    for (size_t i = 0; i < 2; i++) {
        FILE *file = fopen(path, "wb");
        fputs(texts[i], file);
        fclose(file);
        fr_server *server;
        fr_error error = {0};
        assert_int_not_equal(fr_server_create(&def, &server, &error), FR_OK);
        assert_string_equal(error.path, path);
        if (i == 0) { assert_true(error.line == 1 || error.line == 2); }
        struct stat about;
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_size, strlen(texts[i]));
    }
    (void)unlink(path);
}

// Objects that are no longer there are passed over.
static void names_that_the_scene_does_not_have_are_dropped(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-names-%d.json", (int)getpid());
    FILE *file = fopen(path, "wb");
    fputs("{ \"fureai\": 1, \"scene\": \"pair\", \"tick\": 7, \"objects\": ["
          "{ \"name\": \"nobody\", \"position\": [1,1,1], \"rotation\": [1,0,0,0], \"scale\": 1 },"
          "{ \"name\": \"floor\", \"position\": [1,1,1], \"rotation\": [1,0,0,0], \"scale\": 1 },"
          "{ \"name\": \"right\", \"position\": [1,1,1], \"rotation\": [1,0,0,0], \"scale\": 1, \"placed\": true } ] }",
          file);
    fclose(file);
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    def.is_paused = true;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    assert_int_equal(fr_mirror_get(c.mirror)->tick, 7);
    assert_true(fr_mirror_find(c.mirror, "right")->pose.position.y == 1.0);
    assert_true(fr_mirror_find(c.mirror, "floor")->pose.position.y == -9.0);
    client_close(&c);
    server_end(&running);
    (void)unlink(path);
}

static void a_store_that_cannot_be_written_is_refused(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/fureai-no-folder-%d/kept.json", (int)getpid());
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    fr_server *server = NULL;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_FILE);
    assert_null(server);
    assert_string_equal(error.path, path);
}

// A link to a store stays one, and so do the permissions.
static void a_store_that_is_a_link_stays_one(void **state) {
    (void)state;
    char path[64], link[64];
    snprintf(path, sizeof path, "/tmp/fureai-target-%d.json", (int)getpid());
    snprintf(link, sizeof link, "/tmp/fureai-link-%d.json", (int)getpid());
    assert_int_equal(symlink(path, link), 0);
    fr_server_def def = test_server_def("pair");
    def.store_path = link;
    for (int i = 0; i < 2; i++) {
        server_start(&running, &def);
        server_end(&running);
        struct stat about;
        assert_true(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
        assert_true(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
        if (i == 1) { assert_int_equal(about.st_mode & 0777, 0640); }
        assert_int_equal(chmod(path, 0640), 0);
    }
    (void)unlink(path);
    (void)unlink(link);
}

static void the_second_server_of_a_store_is_refused(void **state) {
    (void)state;
    char path[64], lock[80];
    snprintf(path, sizeof path, "/tmp/fureai-shared-%d.json", (int)getpid());
    snprintf(lock, sizeof lock, "%s.lock", path);
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    server_start(&running, &def);
    fr_server *second = NULL;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &second, &error), FR_ERROR_BUSY);
    assert_null(second);
    assert_string_equal(error.path, path);
    server_end(&running);
    assert_int_equal(access(lock, F_OK), -1);
    server_start(&running, &def);
    server_end(&running);
    (void)unlink(path);
}

// A disk that can be full or not, as a test says while a server runs.
static atomic_bool is_full;
static atomic_int error_count;

static int sync_or_fail(int file, void *user) {
    (void)user;
    return atomic_load(&is_full) ? -ENOSPC : fr_system_file_ops().sync(file, NULL);
}

static void count_errors(fr_log_level level, const char *text, void *user) {
    (void)user;
    if (level == FR_LOG_ERROR && strstr(text, "No space left") != NULL) { atomic_fetch_add(&error_count, 1); }
}

static size_t read_store(const char *path, char text[8192]) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, 8192, file);
    fclose(file);
    return size;
}

// The disk fills and empties: serving goes on, the old store stays, the log says so once, and the store is written as
// soon as it can be. One that cannot be written at the end is the status of the run.
static void a_full_disk_costs_no_more_than_the_newest_store(void **state) {
    (void)state;
    char path[64], temp[80], before[8192], after[8192];
    snprintf(path, sizeof path, "/tmp/fureai-full-%d.json", (int)getpid());
    snprintf(temp, sizeof temp, "%s.new", path);
    fr_file_ops ops = fr_system_file_ops();
    ops.sync = sync_or_fail;
    fr_server_def def = test_server_def("pair");
    def.store_path = path;
    def.file_ops = &ops;
    fr_set_log(count_errors, NULL);
    atomic_store(&is_full, true);
    fr_server *refused = NULL;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &refused, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, path);
    assert_non_null(strstr(error.message, "No space left"));
    assert_int_equal(access(path, F_OK), -1);

    atomic_store(&is_full, false);
    server_start(&running, &def);
    atomic_store(&is_full, true);
    size_t size = read_store(path, before);
    test_client c;
    client_open(&c, running.port, "c", FR_WANTS_POSES);
    client_follow_states(&c, 250);
    assert_int_equal(atomic_load(&error_count), 1);
    assert_int_equal(read_store(path, after), size);
    assert_memory_equal(before, after, size);
    atomic_store(&is_full, false);
    client_follow_states(&c, 150);
    assert_true(read_store(path, after) != size || memcmp(before, after, size) != 0);

    atomic_store(&is_full, true);
    fr_server_stop(running.server);
    assert_int_equal(pthread_join(running.thread, NULL), 0);
    assert_int_equal(running.status, FR_ERROR_FILE);
    fr_server_destroy(running.server);
    client_close(&c);
    assert_int_equal(access(temp, F_OK), -1);
    fr_set_log(NULL, NULL);
    (void)unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_kept_over_a_restart),
        cmocka_unit_test(bones_are_kept_over_a_restart),
        cmocka_unit_test(the_store_is_written_while_it_runs),
        cmocka_unit_test(a_store_that_is_wrong_is_refused_and_kept),
        cmocka_unit_test(a_store_that_cannot_be_written_is_refused),
        cmocka_unit_test(names_that_the_scene_does_not_have_are_dropped),
        cmocka_unit_test(a_store_that_is_a_link_stays_one),
        cmocka_unit_test(the_second_server_of_a_store_is_refused),
        cmocka_unit_test(a_full_disk_costs_no_more_than_the_newest_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
