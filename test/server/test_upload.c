// Model files that clients send, get back in other formats, and keep.
#include "frame.h"
#include "provider.h"

#include <dirent.h>
#include <stdatomic.h>
#include <sys/stat.h>

static const char box_obj[] = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char painted_obj[] = "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
static const char paint_mtl[] = "newmtl red\nKd 1 0 0\n";

static running_server running;
static fr_task_pool *pool;
static fr_tasks background;
static char folder[64];
static atomic_bool is_full;

// ---------------------------------------------------------------------------------------------------------------
// A server of scenes that take models

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)user;
    static const char text[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"stand\",\"shape\":\"box\"}],"
                               "\"view\":{\"frame\":[\"stand\"]}}";
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

static ptrdiff_t write_or_full(int file, const void *bytes, size_t size, void *user) {
    (void)user;
    return atomic_load(&is_full) ? -ENOSPC : fr_system_file_ops().write(file, bytes, size, NULL);
}

static int begin(void **state) {
    (void)state;
    static const fr_scene_entry entries[] = {{"one", "One", "", NULL, NULL}, {"two", "Two", "", NULL, NULL}};
    static fr_file_ops ops;
    snprintf(folder, sizeof folder, "/tmp/fureai-keep-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    ops = fr_system_file_ops();
    ops.write = write_or_full;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 2;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
    background = fr_task_pool_tasks(pool);
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){entries, 2, "one", open_scene, close_scene, NULL};
    def.port = 0;
    def.may_upload = true;
    def.max_upload_bytes = 1 << 20;
    def.keep_folder = folder;
    def.file_ops = &ops;
    def.background = &background;
    def.is_always_ticking = true;
    server_start(&running, &def);
    return 0;
}

static int end(void **state) {
    (void)state;
    char line[128];
    server_end(&running);
    fr_task_pool_destroy(pool);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

// ---------------------------------------------------------------------------------------------------------------
// Requests

typedef struct sent_file {
    const char *name, *text;
} sent_file;

typedef struct request {
    test_client c;
    int status;
    char reply[2048];
} request;

static void put_number(unsigned char *bytes, size_t *size, uint64_t value, int count) {
    for (int i = 0; i < count; i++) {
        bytes[(*size)++] = (unsigned char)(value >> (8 * i));
    }
}

static size_t make_body(unsigned char *bytes, uint32_t flags, const sent_file *files, uint32_t count) {
    size_t size = 0;
    put_number(bytes, &size, flags, 4);
    put_number(bytes, &size, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        size_t name = strlen(files[i].name), text = strlen(files[i].text);
        put_number(bytes, &size, name, 4);
        put_number(bytes, &size, text, 8);
        memcpy(bytes + size, files[i].name, name);
        memcpy(bytes + size + name, files[i].text, text);
        size += name + text;
    }
    return size;
}

static void send_head(request *r, size_t size, const char *more) {
    char head[512];
    client_connect(&r->c, running.port);
    snprintf(head, sizeof head, "POST /models HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Length: %zu\r\n%s\r\n",
             (unsigned)running.port, size, more);
    assert_true(client_send_text(&r->c, head));
}

static void read_reply(request *r) {
    r->status = client_read_head(&r->c);
    long length = client_content_length(&r->c);
    assert_true(length >= 0 && length < (long)sizeof r->reply);
    if (!client_receive(&r->c, r->reply, (size_t)length)) { length = 0; }
    r->reply[length] = '\0';
}

static int post(request *r, uint32_t flags, const sent_file *files, uint32_t count) {
    unsigned char body[8192];
    size_t size = make_body(body, flags, files, count);
    send_head(r, size, "");
    assert_true(client_send(&r->c, body, size));
    read_reply(r);
    client_close(&r->c);
    return r->status;
}

static void expect_text(const char *text, const char *part) {
    if (strstr(text, part) == NULL) { fail_msg("'%s' is not in: %s", part, text); }
}

static void open_again(test_client *watcher) {
    while (client_open_scene(watcher, "one") == FR_ERROR_LIMIT) {
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
}

static void wait_for_object(test_client *watcher, const char *name) {
    for (int i = 0; fr_mirror_find(watcher->mirror, name) == NULL; i++) {
        assert_true(i < 2000);
        client_follow_states(watcher, 1);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void what_is_sent_appears_for_every_watcher(void **state) {
    (void)state;
    const sent_file box = {"box.obj", box_obj};
    const sent_file painted[] = {{"painted.obj", painted_obj}, {"paint.mtl", paint_mtl}};
    test_client first, second;
    request r;
    client_open(&first, running.port, "first", CLIENT_WANTS);
    client_open(&second, running.port, "second", CLIENT_WANTS);
    client_follow_states(&first, 1);
    client_follow_states(&second, 1);
    assert_int_equal(post(&r, 0, &box, 1), 200);
    expect_text(r.reply, "\"objects\":[\"box\"]");
    expect_text(r.reply, "50 x 20 x 10 mm");
    assert_int_equal(post(&r, 0, painted, 2), 200);
    wait_for_object(&first, "painted");
    wait_for_object(&second, "painted");
    wait_for_object(&second, "box");
    assert_int_equal(second.models, 2);
    assert_int_equal(second.views, 1);
    assert_int_equal(second.materials, 1);

    // Who comes later sees the same, and a restart loses nothing.
    assert_int_equal(client_play(&first, FR_PLAY_RESTART), FR_OK);
    test_client late;
    client_open(&late, running.port, "late", CLIENT_WANTS);
    wait_for_object(&late, "painted");
    assert_int_equal(late.models, 2);
    open_again(&first);
    client_follow_states(&first, 2);
    assert_null(fr_mirror_find(first.mirror, "box"));
    client_close(&late);
    client_close(&second);
    client_close(&first);
}

static void what_a_model_refers_to_is_asked_for(void **state) {
    (void)state;
    const sent_file painted = {"painted.obj", painted_obj};
    const sent_file gltf = {
        "a.gltf", "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":36}],"
                  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
                  "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],"
                  "\"scenes\":[{\"nodes\":[0]}],\"scene\":0}"};
    request r;
    assert_int_equal(post(&r, 0, &painted, 1), 424);
    expect_text(r.reply, "\"missing\":[\"paint.mtl\"]");
    assert_int_equal(post(&r, 1, &painted, 1), 200);
    assert_int_equal(post(&r, 0, &gltf, 1), 424);
    expect_text(r.reply, "a.bin");
}

static void what_is_wrong_is_refused_with_a_sentence(void **state) {
    (void)state;
    const sent_file text = {"notes.txt", "hello"}, broken = {"a.obj", "v 0 0 0\nf 1 2 3\n"};
    const sent_file renamed = {"box.stl", box_obj}, outside = {"../box.obj", box_obj};
    const sent_file companion = {"paint.mtl", paint_mtl};
    request r;
    assert_int_equal(post(&r, 0, &text, 1), 422);
    expect_text(r.reply, "none of the formats");
    assert_int_equal(post(&r, 0, &companion, 1), 422);
    assert_int_equal(post(&r, 0, &broken, 1), 422);
    expect_text(r.reply, "a.obj:2");
    // The bytes say what a file is; its ending may be wrong.
    assert_int_equal(post(&r, 0, &renamed, 1), 422);
    assert_int_equal(post(&r, 0, &outside, 1), 422);
    send_head(&r, 20, "");
    assert_true(
        client_send(&r.c, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 20));
    read_reply(&r);
    assert_int_equal(r.status, 413);
    client_close(&r.c);
}

static void who_may_send_what(void **state) {
    (void)state;
    char own[64];
    request r;
    send_head(&r, 100, "Origin: http://evil.example\r\n");
    read_reply(&r);
    assert_int_equal(r.status, 403);
    client_close(&r.c);
    send_head(&r, (1 << 20) + 1, "");
    read_reply(&r);
    assert_int_equal(r.status, 413);
    client_close(&r.c);
    send_head(&r, (size_t)3 << 30, "");
    read_reply(&r);
    assert_int_equal(r.status, 413);
    client_close(&r.c);
    send_head(&r, 0, "");
    read_reply(&r);
    assert_int_equal(r.status, 411);
    client_close(&r.c);
    const sent_file box = {"box.obj", box_obj};
    unsigned char body[1024];
    size_t size = make_body(body, 0, &box, 1);
    snprintf(own, sizeof own, "Origin: http://127.0.0.1:%u\r\n", (unsigned)running.port);
    send_head(&r, size, own);
    assert_true(client_send(&r.c, body, size));
    read_reply(&r);
    assert_int_equal(r.status, 200);
    client_close(&r.c);
}

// Those that end in the middle hold nothing: four times the limit is not reached by a hundred of them.
static void connections_that_end_leave_nothing(void **state) {
    (void)state;
    const sent_file box = {"box.obj", box_obj};
    request r;
    for (int i = 0; i < 100; i++) {
        send_head(&r, 1 << 19, "");
        assert_true(client_send(&r.c, "abc", 3));
        client_close(&r.c);
        // The server learns of it before the next one comes.
        if (i % 5 == 4) { assert_int_equal(post(&r, 0, &box, 1), 200); }
    }
}

typedef struct sender {
    pthread_t thread;
    char name[16];
    request r;
} sender;

static void *send_in_thread(void *context) {
    sender *s = context;
    const sent_file box = {s->name, box_obj};
    (void)post(&s->r, 0, &box, 1);
    return NULL;
}

static void two_at_once_both_appear(void **state) {
    (void)state;
    static sender senders[6];
    test_client watcher;
    client_open(&watcher, running.port, "watcher", CLIENT_WANTS);
    open_again(&watcher);
    for (int i = 0; i < 6; i++) {
        snprintf(senders[i].name, sizeof senders[i].name, "part%d.obj", i % 3);
        assert_int_equal(pthread_create(&senders[i].thread, NULL, send_in_thread, &senders[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(pthread_join(senders[i].thread, NULL), 0);
        assert_int_equal(senders[i].r.status, 200);
    }
    // Two of each name: the second has a number.
    static const char *const names[] = {"part0", "part0 2", "part1", "part1 2", "part2", "part2 2"};
    for (int i = 0; i < 6; i++) {
        wait_for_object(&watcher, names[i]);
    }
    client_close(&watcher);
}

static int download(request *r, const char *path) {
    client_connect(&r->c, running.port);
    r->status = client_request(&r->c, "GET", path, "");
    long length = client_content_length(&r->c);
    char *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_true(client_receive(&r->c, bytes, (size_t)length));
    fr_model *model = NULL;
    if (r->status == 200) {
        fr_model_read_input input = fr_default_model_read_input();
        input.name = path;
        assert_int_equal(fr_model_read(bytes, (size_t)length, &input, &model, NULL), FR_OK);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->triangle_count, 4);
        assert_true(fabs(view->bounds.max.x - 0.05) < 1e-6);
    }
    fr_model_destroy(model);
    free(bytes);
    client_close(&r->c);
    return r->status;
}

static void models_are_given_back_in_other_formats(void **state) {
    (void)state;
    const sent_file box = {"my box.obj", box_obj};
    test_client watcher;
    request r;
    client_open(&watcher, running.port, "watcher", CLIENT_WANTS);
    open_again(&watcher);
    assert_int_equal(post(&r, 0, &box, 1), 200);
    static const char *const paths[] = {"/models/1.glb", "/models/1.stl", "/models/1.obj"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(download(&r, paths[i]), 200);
        expect_text(r.c.head, "attachment; filename=\"my_box.");
    }
    static const char *const wrong[] = {
        "/models/2.glb",  "/models/0.glb",     "/models/1.exe", "/models/1",
        "/models/-1.glb", "/models/1.glb.obj", "/models/.glb",  "/models/99999999999999999999.glb"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        client_connect(&r.c, running.port);
        assert_int_equal(client_request(&r.c, "GET", wrong[i], ""), 404);
        client_close(&r.c);
    }
    client_close(&watcher);
}

static fr_status keep(test_client *c, const char *name) {
    fr_message message = {.type = FR_MESSAGE_KEEP};
    message.as.keep.name = name;
    return client_ask(c, &message, &message.as.keep.request);
}

static bool is_there(const char *path) {
    char whole[256];
    struct stat about;
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return stat(whole, &about) == 0;
}

static void models_are_kept_as_a_scene(void **state) {
    (void)state;
    const sent_file painted[] = {{"looks/painted.obj", painted_obj}, {"looks/paint.mtl", paint_mtl}};
    test_client c;
    request r;
    client_open(&c, running.port, "keeper", CLIENT_WANTS);
    open_again(&c);
    assert_int_equal(keep(&c, "nothing"), FR_ERROR_ARGUMENT);
    assert_int_equal(post(&r, 0, painted, 2), 200);
    static const char *const wrong[] = {"", "..", "a/b", ".hidden", "a\\b", " a", "con:", "\x01"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(keep(&c, wrong[i]), FR_ERROR_ARGUMENT);
    }

    // A full disk: a sentence, and nothing is left behind; then it can be kept all the same.
    atomic_store(&is_full, true);
    assert_int_equal(keep(&c, "kept"), FR_ERROR_FILE);
    expect_text(c.reply_text, "could not be kept");
    assert_false(is_there("kept") || is_there("kept.json"));
    atomic_store(&is_full, false);
    assert_int_equal(keep(&c, "kept"), FR_OK);
    assert_true(is_there("kept.json") && is_there("kept/1/looks/painted.obj") && is_there("kept/1/looks/paint.mtl"));
    assert_int_equal(keep(&c, "kept"), FR_ERROR_FILE);
    expect_text(c.reply_text, "choose another name");

    char path[256], text[4096] = "";
    snprintf(path, sizeof path, "%s/kept.json", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    fr_scene *scene;
    assert_int_equal(fr_scene_read(text, size, NULL, &scene, NULL), FR_OK);
    assert_string_equal(fr_scene_get(scene)->objects[0].model, "kept/1/looks/painted.obj");
    fr_scene_destroy(scene);
    client_close(&c);
}

static void a_server_may_refuse_all(void **state) {
    (void)state;
    running_server other = {0};
    fr_server_def def = test_server_def("pair");
    server_start(&other, &def);
    running_server before = running;
    running.port = other.port;
    request r;
    send_head(&r, 100, "");
    read_reply(&r);
    assert_int_equal(r.status, 403);
    expect_text(r.reply, "takes no files");
    client_close(&r.c);
    running = before;
    server_end(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_appears_for_every_watcher),
        cmocka_unit_test(what_a_model_refers_to_is_asked_for),
        cmocka_unit_test(what_is_wrong_is_refused_with_a_sentence),
        cmocka_unit_test(who_may_send_what),
        cmocka_unit_test(connections_that_end_leave_nothing),
        cmocka_unit_test(two_at_once_both_appear),
        cmocka_unit_test(models_are_given_back_in_other_formats),
        cmocka_unit_test(models_are_kept_as_a_scene),
        cmocka_unit_test(a_server_may_refuse_all),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
