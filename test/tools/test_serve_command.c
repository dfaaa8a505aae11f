// The command serve, as a user runs it.
#include "served.h"

#include "fureai/clash_notes.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define SCENE(name) SCENE_FOLDER "/" name

static void a_scene_is_served_until_it_is_interrupted(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(SCENE("two_spheres.json"));
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 10);
    assert_non_null(fr_mirror_find(c.mirror, "left"));
    assert_int_equal(fr_mirror_get(c.mirror)->gallery.demo_count, 1);
    assert_string_equal(fr_mirror_get(c.mirror)->gallery.current, "two_spheres");
    assert_true(fr_mirror_get(c.mirror)->tick > 0);
    end(SIGINT);
    expect_in(served.out, "\"clients\":1,\"ticks\":");
    client_drain(&c);
    assert_int_equal(c.close_code, 1001);
    client_close(&c);
    SERVE(SCENE("two_spheres.json"), "--paused", "--always", "--speed", "2");
    end(SIGTERM);
}

// Model files stand side by side, in a scene of their own or beside another one; how they are read is said.
static void model_files_are_served(void **state) {
    (void)state;
    put_file("part.obj", "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    put_file("part.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    test_client c;
    uint16_t port = SERVE("part.obj", "part.off");
    expect_in(served.err, "part.obj: 50 x 20 x 10 mm, 4 triangles; guessed: unit mm, up y");
    expect_in(served.err, "part.off: 1 x 1 x 0 m");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    double right = fr_mirror_find(c.mirror, "part 2")->pose.position.x;
    assert_true(right > fr_mirror_find(c.mirror, "part")->pose.position.x + 0.05);
    client_close(&c);
    end(SIGINT);
    port = SERVE("part.obj", SCENE("two_spheres.json"), "--in-place", "--unit", "m", "--up", "z");
    expect_in(served.err, "part.obj: 50 x 10 x 20 m");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    assert_true(fr_mirror_find(c.mirror, "part")->pose.position.x == 0.0);
    assert_non_null(fr_mirror_find(c.mirror, "left"));
    client_close(&c);
    end(SIGINT);
    put_file("broken.stl", "solid x\nfacet normal 0 0\n");
    RUN("serve", "part.obj", "broken.stl");
    expect_failure(3, "broken.stl:");
    RUN("serve", "part.obj", "--unit", "parsec");
    expect_failure(2, "--unit: 'parsec' is neither");
    RUN("serve", "none.stl");
    expect_failure(3, "none.stl: cannot open");
}

// People do by themselves what their scene names; --script is done in its place, and one that is wrong is reported.
static void people_do_what_their_scene_names(void **state) {
    (void)state;
    put_file("own.json", "{\"fureai\":1,\"step\":0.02,\"steps\":500,\"loop\":true,\"script\":\"todo\",\"objects\":["
                         "{\"name\":\"floor\",\"class\":\"floor\",\"position\":[0,-0.001,0]}],\"people\":[{\"name\":"
                         "\"Mai\",\"stature\":1.6,\"position\":[1,0,1],\"heading_deg\":0}]}");
    put_file("todo", "{\"fureai\":1,\"commands\":[{\"person\":\"Mai\",\"motion\":\"walk\",\"object\":\"floor\","
                     "\"goal\":[1,0,4],\"facing_deg\":0}]}");
    put_file("nothing", "{\"fureai\":1,\"commands\":[]}");
    test_client c;
    for (int is_other = 0; is_other < 2; is_other++) {
        uint16_t port = is_other ? SERVE("own.json", "--objects", DEMO_FOLDER "/../objects", "--script", "nothing")
                                 : SERVE("own.json", "--objects", DEMO_FOLDER "/../objects");
        client_open(&c, port, "c", CLIENT_WANTS);
        client_follow_states(&c, 3);
        double start = fr_mirror_find(c.mirror, "Mai")->pose.position.z;
        client_follow_states(&c, 60);
        bool has_walked = fr_mirror_find(c.mirror, "Mai")->pose.position.z > start + 0.3;
        assert_true(has_walked == (is_other == 0));
        client_close(&c);
        end(SIGINT);
    }
    put_file("todo", "{\"fureai\":1,\n\"commands\":[{\"person\":7}]}");
    RUN("serve", "own.json", "--objects", DEMO_FOLDER "/../objects", "--port", "0");
    expect_failure(3, "todo:2:");
}

// An assembly is served with its clashes under the names that the command clash gives its parts, so that one file of
// notes holds for both.
static void clashes_are_served_and_decided(void **state) {
    (void)state;
    put_file("part.obj", "v 0 0 0\nv 5 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    put_file("other.obj", "v 0.1 0.1 0.1\nv 5 2 0\nv 0 2 2\nv 5 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    test_client c;
    uint16_t port = SERVE("--clash", "part.obj", "other.obj", "--notes", "notes.json");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    assert_non_null(fr_mirror_find(c.mirror, "part.obj"));
    assert_non_null(fr_mirror_find(c.mirror, "other.obj"));
    fr_message decision = {.type = FR_MESSAGE_NOTE_CLASH};
    decision.as.note_clash = (fr_message_note_clash){0, 0, FR_CLASH_ACCEPTED, "press fit"};
    assert_int_equal(client_ask(&c, &decision, &decision.as.note_clash.request), FR_OK);
    client_close(&c);
    end(SIGINT);
    RUN("clash", "part.obj", "other.obj", "--notes", "notes.json", "--check");
    expect_in(p.out, "accepted  (press fit)");
    assert_int_equal(unlink("notes.json"), 0);
    put_file("notes.json", "{}");
    RUN("serve", "--clash", "part.obj", "other.obj", "--notes", "notes.json");
    expect_failure(3, "notes.json:1:");
    RUN("serve", "--clash");
    expect_failure(2, "name the models of an assembly");
    RUN("serve", "--clash", SCENE("two_spheres.json"));
    expect_failure(2, "--clash takes models alone");
    RUN("serve", "--clash", "part.obj", "--octree", "part:3");
    expect_failure(2, "--octree is about scenes");
    RUN("serve", "part.obj", "--notes", "notes.json");
    expect_failure(2, "add --clash");
}

// What turns about a point beside it is drawn as a sector, anew in every tick.
static void what_will_be_swept_is_drawn(void **state) {
    (void)state;
    put_file("turn.json",
             "{\"fureai\":1,\"step\":0.02,\"steps\":500,\"objects\":[{\"name\":\"a\",\"shape\":\"box\",\"pivot\":"
             "[3,0,0],\"angular_velocity_deg\":[0,180,0]},{\"name\":\"still\",\"shape\":\"box\"}]}");
    test_client c;
    uint16_t port = SERVE("turn.json", "--ahead", "0.25");
    client_open(&c, port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    client_follow_states(&c, 10);
    const fr_mirror_view *view = fr_mirror_get(c.mirror);
    assert_int_equal(view->layer_count, 1);
    assert_string_equal(view->layers[0]->name, "ahead");
    client_close(&c);
    end(SIGINT);
    port = SERVE("turn.json");
    client_open(&c, port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    client_follow_states(&c, 10);
    assert_int_equal(fr_mirror_get(c.mirror)->layer_count, 0);
    client_close(&c);
    end(SIGINT);
}

// The octree of an object is drawn once, on the object, which may move.
static void the_octree_of_an_object_is_drawn_over_it(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(SCENE("two_spheres.json"), "--octree", "left:3,nothing:2");
    expect_in(served.err, "there is no object 'nothing' here");
    client_open(&c, port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    client_follow_states(&c, 5);
    const fr_mirror_view *view = fr_mirror_get(c.mirror);
    assert_int_equal(view->layer_count, 1);
    const fr_message_draw *drawn = view->layers[0];
    fr_ref left = client_ref(&c, "left");
    assert_string_equal(drawn->name, "octree of left");
    assert_memory_equal(&drawn->object, &left, sizeof left);
    // A ball of radius 1 in a cube whose edge is the diagonal of its box: cells of an eighth of that.
    assert_true(drawn->triangle_count == 1 && drawn->triangles[0].point_count > 9 * 12);
    double most = 0.0;
    for (uint32_t i = 0; i < drawn->triangles[0].point_count; i++) {
        most = fabs(drawn->triangles[0].points[i]) > most ? fabs(drawn->triangles[0].points[i]) : most;
    }
    assert_true(most >= 1.0 - 1e-6 && most <= 1.0 + 2.0 * sqrt(3.0) / 8.0);
    client_close(&c);
    end(SIGINT);
    RUN("serve", SCENE("two_spheres.json"), "--octree", "left");
    expect_failure(2, "--octree takes up to 16 of NAME:DEPTH");
    RUN("serve", SCENE("two_spheres.json"), "--octree", "left:8");
    expect_failure(2, "--octree takes up to 16 of NAME:DEPTH");
}

// A ball goes through a wall within one step, again and again: who senses instants alone never sees it.
static void what_passes_between_ticks_is_sensed(void **state) {
    (void)state;
    put_file("fly.json", "{\"fureai\":1,\"step\":0.05,\"steps\":4,\"loop\":true,\"objects\":[{\"name\":\"wall\","
                         "\"shape\":\"box\"},{\"name\":\"ball\",\"shape\":\"sphere_24\",\"position\":[-4.5,0.2,0.1],"
                         "\"velocity\":[60,0,0],\"scale\":0.2}]}");
    for (int i = 0; i < 2; i++) {
        test_client c;
        uint16_t port = i == 0 ? SERVE("fly.json", "--sense", "static") : SERVE("fly.json");
        client_open(&c, port, "c", CLIENT_WANTS | FR_WANTS_FACE_TOUCHES);
        client_follow_states(&c, 12);
        assert_int_equal(fr_mirror_get(c.mirror)->face_touches.total > 0, i == 1);
        client_close(&c);
        end(SIGINT);
    }
}

// The robot of a plan flies, and its path is drawn in the world.
static void the_path_of_a_robot_is_drawn(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(SCENE("plan_w2.json"), "--always");
    client_open(&c, port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    const fr_mirror_view *view = fr_mirror_get(c.mirror);
    for (int i = 0; i < 200 && view->layer_count == 0; i++) {
        client_follow_states(&c, 1);
    }
    assert_int_equal(view->layer_count, 1);
    assert_string_equal(view->layers[0]->name, "path");
    assert_true(view->layers[0]->triangle_count == 1 && view->layers[0]->line_count == 1);
    client_close(&c);
    end(SIGINT);
}

static void the_address_is_printed(void **state) {
    (void)state;
    const char *const argv[] = {FUREAI_TOOL, "serve", SCENE("two_spheres.json"), "--port", "0", NULL};
    assert_true(process_start(&served, argv, PROCESS_PIPES));
    char text[256] = "";
    assert_true(read(served.out_fd, text, sizeof text - 1) > 0);
    expect_in(text, "http://127.0.0.1:");
    assert_int_equal(kill(served.id, SIGINT), 0);
    process_finish(&served);
    assert_int_equal(served.status, 0);
}

static bool has_network(void) {
    struct ifaddrs *list = NULL;
    bool is_found = false;
    assert_int_equal(getifaddrs(&list), 0);
    for (const struct ifaddrs *each = list; each != NULL; each = each->ifa_next) {
        struct sockaddr_in four = {0};
        if (each->ifa_addr != NULL && each->ifa_addr->sa_family == AF_INET) {
            memcpy(&four, each->ifa_addr, sizeof four);
        }
        is_found = is_found || (four.sin_family == AF_INET && ntohl(four.sin_addr.s_addr) >> 24 != 127);
    }
    freeifaddrs(list);
    return is_found;
}

// On a terminal, where other machines reach it: the address by which they do, with its QR code; nowhere else.
static void a_code_of_the_address_is_printed_on_a_terminal(void **state) {
    (void)state;
    const char *const near[] = {FUREAI_TOOL, "serve", "--port", "0", SCENE("two_spheres.json"), NULL};
    const char *const far[] = {FUREAI_TOOL, "serve",   "--port",  "0",      SCENE("two_spheres.json"),
                               "--address", "0.0.0.0", "--token", "tokens", "--certificate",
                               "cert.pem",  "--key",   "key.pem", NULL};
    put_file("tokens", "direct direct-0123456789abcdef\n");
    assert_int_equal(chmod("tokens", 0600), 0);
    if (system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test "
               "-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem 2>/dev/null") != 0) {
        skip();
    }
    for (int i = 0; i < 3; i++) {
        assert_true(process_start(&served, i == 0 ? near : far, i == 2 ? PROCESS_PIPES : PROCESS_TERMINAL_OUT));
        if (!process_wait_for_out(&served, "Ctrl-C ends it")) { fail_msg("it does not serve: %s", served.err); }
        assert_int_equal(kill(served.id, SIGINT), 0);
        process_finish(&served);
        assert_int_equal(served.status, 0);
        // A machine without a network has no address to print.
        const char *code = strstr(served.out, "\u2588");
        bool may_have = i == 1 && FUREAI_HAVE_QRENCODE && has_network();
        assert_int_equal(code != NULL, may_have);
        if (code != NULL) {
            const char *url = strstr(code, "https://");
            assert_non_null(url);
            assert_true(strncmp(url, "https://0.", 10) != 0 && strncmp(url, "https://127.", 12) != 0);
        }
    }
}

static void a_port_that_is_in_use_is_told(void **state) {
    (void)state;
    uint16_t port = SERVE(SCENE("two_spheres.json"));
    char text[16], expected[128];
    snprintf(text, sizeof text, "%u", (unsigned)port);
    snprintf(expected, sizeof expected, "fureai: cannot listen on 127.0.0.1:%s: Address already in use\n", text);
    RUN("serve", SCENE("two_spheres.json"), "--port", text);
    expect_failure(1, expected);
    end(SIGINT);
    RUN("serve", SCENE("two_spheres.json"), "--address", "nowhere");
    expect_failure(1, "that is no numeric address");
}

static void objects_stay_where_they_were_put(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(SCENE("two_spheres.json"), "--store", "kept.json");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    fr_ref left = client_ref(&c, "left");
    assert_int_equal(client_grab(&c, left), FR_OK);
    client_move(&c, left, fr_vec3_make(1, 2, 3));
    while (fr_mirror_find(c.mirror, "left")->pose.position.y != 2.0) {
        client_follow_states(&c, 1);
    }
    client_close(&c);
    end(SIGINT);
    port = SERVE(SCENE("two_spheres.json"), "--store=kept.json");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    assert_true(fr_mirror_find(c.mirror, "left")->pose.position.y == 2.0);
    assert_int_equal(fr_mirror_find(c.mirror, "left")->hold, FR_HOLD_PLACED);
    client_close(&c);
    end(SIGINT);

    put_file("kept.json", "{ \"fureai\": 1,\n  \"scene\": 7, \"tick\": 0, \"objects\": [] }");
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "kept.json");
    expect_failure(3, "kept.json:2:12: scene must be");
    put_file("kept.json", "{ \"fureai\": 1, \"scene\": \"other\", \"tick\": 0, \"objects\": [] }");
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "kept.json");
    expect_failure(3, "kept.json: it is of the scene 'other', which is not served");
}

// The second server of a store is refused, also by a link; one that was killed leaves nothing that refuses the third.
static void a_store_has_one_server(void **state) {
    (void)state;
    char expected[128];
    assert_int_equal(symlink("shared.json", "link.json"), 0);
    SERVE(SCENE("two_spheres.json"), "--store", "shared.json");
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "link.json");
    snprintf(expected, sizeof expected, "fureai: link.json: process %d uses it, as the lock beside it says (.lock)\n",
             (int)served.id);
    expect_failure(1, expected);
    assert_int_equal(kill(served.id, SIGKILL), 0);
    process_finish(&served);
    assert_int_equal(served.status, -SIGKILL);
    SERVE(SCENE("two_spheres.json"), "--store", "link.json");
    end(SIGINT);
    assert_int_equal(access("shared.json.lock", F_OK), -1);
    struct stat about;
    assert_true(lstat("link.json", &about) == 0 && S_ISLNK(about.st_mode));
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--store", "no_folder/store.json");
    expect_failure(1, "no_folder/store.json: cannot lock: No such file or directory");
}

#define BALL(more) "{\"fureai\":1,\"title\":\"One " more "\",\"objects\":[{\"name\":\"" more "\",\"shape\":\"box\"}]}"

static void a_folder_is_a_gallery(void **state) {
    (void)state;
    test_client c;
    assert_int_equal(mkdir("scenes", 0700), 0);
    put_file("scenes/red.json", BALL("red"));
    put_file("scenes/blue.json", BALL("blue"));
    put_file("scenes/.hidden.json", BALL("hidden"));
    put_file("scenes/broken.json", "{\n");
    put_file("scenes/notes.txt", "no scene");
    put_file("scenes/\xff.json", BALL("odd"));
    put_file("scenes/two\nlines.json", BALL("long"));
    put_file("secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    put_file("scenes/out.json", "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"../secret.obj\"}]}");
    uint16_t port = SERVE("scenes", "--first", "red");
    expect_in(served.err, "left out: scenes/broken.json:2:1: ");
    expect_in(served.err, "the name of the file is no UTF-8 or holds a control character");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    const fr_message_gallery *gallery = &fr_mirror_get(c.mirror)->gallery;
    assert_int_equal(gallery->demo_count, 3);
    assert_string_equal(gallery->demos[0].name, "blue");
    assert_string_equal(gallery->demos[0].title, "One blue");
    assert_string_equal(gallery->demos[1].title, "out");
    assert_string_equal(gallery->current, "red");
    assert_int_equal(client_open_scene(&c, "out"), FR_ERROR_FILE);
    expect_in(c.reply_text, "lies outside of the scene's folder");
    assert_int_equal(client_open_scene(&c, "broken"), FR_ERROR_ARGUMENT);
    assert_int_equal(client_open_scene(&c, "../scenes/blue"), FR_ERROR_ARGUMENT);
    assert_int_equal(client_open_scene(&c, "blue"), FR_OK);
    while (fr_mirror_find(c.mirror, "blue") == NULL) {
        assert_true(client_take(&c));
    }
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    client_close(&c);
    end(SIGINT);
}

static void the_viewer_is_served(void **state) {
    (void)state;
    test_client c;
    assert_int_equal(mkdir("page", 0700), 0);
    put_file("page/index.html", "<p>page</p>");
    uint16_t port =
        SERVE(SCENE("two_spheres.json"), "--viewer", "page", "--origin", "https://a.example,https://b.example");
    client_connect(&c, port);
    assert_int_equal(client_request(&c, "GET", "/", ""), 200);
    client_close(&c);
    assert_int_equal(client_upgrade(&c, port, CLIENT_PROTOCOL "Origin: https://b.example\r\n"), 101);
    client_close(&c);
    assert_int_equal(client_upgrade(&c, port, CLIENT_PROTOCOL "Origin: https://c.example\r\n"), 403);
    client_close(&c);
    end(SIGINT);
    RUN("serve", SCENE("two_spheres.json"), "--port", "0", "--viewer", "no_page");
    expect_failure(3, "no_page: cannot open the viewer's folder");
}

static void wrong_usage_and_bad_input_are_told(void **state) {
    (void)state;
    RUN("serve", "none.json");
    expect_failure(3, "none.json: cannot open");
    RUN("serve", SCENE("two_spheres.json"), "--first", "other");
    expect_failure(2, "--first: there is no scene 'other'");
    RUN("serve", SCENE("two_spheres.json"), "--first", "two_sphere");
    expect_failure(2, "--first: there is no scene 'two_sphere'; did you mean 'two_spheres'?");
    RUN("serve", SCENE("two_spheres.json"), "--origin", "example.org", "--port", "0");
    expect_failure(2, "'example.org' is no origin");
    RUN("serve", SCENE("two_spheres.json"), "--port", "65536");
    expect_failure(2, "--port");
    RUN("serve", SCENE("two_spheres.json"), "--speed", "0");
    expect_failure(2, "--speed");
    RUN("serve", SCENE("two_spheres.json"), "more.json");
    expect_failure(2, "one scene or folder");
    assert_int_equal(mkdir("bare", 0700), 0);
    RUN("serve", "bare");
    expect_failure(3, "bare: there is no scene in this folder");
    put_file("own.json", BALL("own"));
    RUN("serve", "own.json", "--port", "0", "--store", "own.json");
    expect_failure(3, "--store would overwrite this file");
}

// The demo room: every object is of a class, which lies in the library that the scene names.
static void objects_of_classes_are_served(void **state) {
    (void)state;
    test_client c;
    uint16_t port = SERVE(DEMO_FOLDER "/room.json");
    client_open(&c, port, "c", CLIENT_WANTS);
    client_follow_states(&c, 5);
    assert_non_null(fr_mirror_find(c.mirror, "cup"));
    assert_non_null(fr_mirror_find(c.mirror, "door"));
    assert_true(fr_mirror_get(c.mirror)->object_count >= 12);
    client_close(&c);
    end(SIGINT);
    RUN("serve", DEMO_FOLDER "/room.json", "--port", "0", "--objects", ".");
    expect_failure(3, "there is no class 'floor'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_served_until_it_is_interrupted),
        cmocka_unit_test(model_files_are_served),
        cmocka_unit_test(people_do_what_their_scene_names),
        cmocka_unit_test(clashes_are_served_and_decided),
        cmocka_unit_test(what_will_be_swept_is_drawn),
        cmocka_unit_test(the_octree_of_an_object_is_drawn_over_it),
        cmocka_unit_test(what_passes_between_ticks_is_sensed),
        cmocka_unit_test(the_path_of_a_robot_is_drawn),
        cmocka_unit_test(the_address_is_printed),
        cmocka_unit_test(a_code_of_the_address_is_printed_on_a_terminal),
        cmocka_unit_test(a_port_that_is_in_use_is_told),
        cmocka_unit_test(objects_stay_where_they_were_put),
        cmocka_unit_test(a_store_has_one_server),
        cmocka_unit_test(a_folder_is_a_gallery),
        cmocka_unit_test(the_viewer_is_served),
        cmocka_unit_test(objects_of_classes_are_served),
        cmocka_unit_test(wrong_usage_and_bad_input_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
