// A served scene that is made of a scene file: its cast, its layers, its beginning again, and what it owns.
#include "failing.h"

#include "fureai/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "{\"fureai\": 1, \"step\": 0.02, \"steps\": 5, \"objects\": ["
                           "{\"name\": \"wheel\", \"shape\": \"box\", \"angular_velocity_deg\": [0, 90, 0]},"
                           "{\"name\": \"rest\", \"shape\": \"box\", \"position\": [3, 0, 0]}]}";

// A world of the text, or the status of what failed; nothing is left then.
static fr_status build(fr_served_scene_def *def, const fr_allocator *allocator) {
    fr_scene_read_input reading = fr_default_scene_read_input();
    fr_scene_build_input building = fr_default_scene_build_input();
    reading.allocator = building.allocator = *allocator;
    fr_status status = fr_scene_read(text, sizeof text - 1, &reading, &def->scene, NULL);
    if (status == FR_OK) { status = fr_scene_player_create(allocator, &def->player, NULL); }
    if (status != FR_OK) { return status; }
    building.player = def->player;
    fr_world_def world = fr_scene_world_def(def->scene);
    world.allocator = *allocator;
    status = fr_world_create(&world, &def->world, NULL);
    return status == FR_OK ? fr_scene_build_world(def->scene, &building, def->world, NULL, NULL) : status;
}

static void release(fr_served_scene_def *def) {
    fr_world_destroy(def->world);
    fr_scene_player_destroy(def->player);
    fr_scene_destroy(def->scene);
}

static void it_ticks_and_begins_again(void **state) {
    (void)state;
    fr_allocator allocator = fr_default_allocator();
    fr_served_octree octrees[] = {{.name = "rest", .depth = 3}, {.name = "nothing", .depth = 2}};
    fr_served_scene_def def = fr_default_served_scene_def();
    assert_int_equal(build(&def, &allocator), FR_OK);
    def.ahead = 0.5;
    def.octrees = octrees;
    def.octree_count = 2;
    fr_served_scene served;
    assert_int_equal(fr_served_scene_create(&def, &served, NULL), FR_OK);
    assert_true(octrees[0].is_found && !octrees[1].is_found);
    assert_true(served.world == def.world && fr_cast_world(served.cast) == def.world && served.looks != NULL);
    fr_object_id wheel = fr_world_find(served.world, "wheel");
    fr_pose begin = fr_object_get(fr_world_space(served.world), wheel)->pose;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_world_tick(served.world, NULL, NULL), FR_OK);
    }
    fr_pose turned = fr_object_get(fr_world_space(served.world), wheel)->pose;
    assert_true(turned.rotation.y != begin.rotation.y);
    assert_int_equal(served.restart(served.user, NULL), FR_OK);
    fr_pose again = fr_object_get(fr_world_space(served.world), wheel)->pose;
    assert_true(again.rotation.y == begin.rotation.y && fr_world_tick_count(served.world) == 0);
    fr_served_scene_destroy(&served);
}

static void what_is_missing_is_refused(void **state) {
    (void)state;
    fr_served_scene_def def = fr_default_served_scene_def();
    fr_served_scene served;
    assert_int_equal(fr_served_scene_create(&def, &served, NULL), FR_ERROR_ARGUMENT);
    fr_served_scene_destroy(&served);
}

// A model on the disk, and what it refers to.
static char folder[64];

static int make_files(void **state) {
    (void)state;
    char line[512];
    snprintf(folder, sizeof folder, "/tmp/fureai-import-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(
        line, sizeof line,
        "cd %s && mkdir looks && printf 'mtllib looks/m.mtl\\nv 0 0 0\\nv 90 0 0\\nv 0 9 0\\nusemtl r\\nf 1 2 3\\n' "
        ">a.obj && printf 'newmtl r\\nKd 1 0 0\\n' >looks/m.mtl && sed s/looks/none/ a.obj >lost.obj && "
        "printf 'v 0\\n' >wrong.obj && mkdir folder.obj",
        folder);
    return system(line);
}

static int remove_files(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static void note(const char *sentence, void *context) {
    char *out = context;
    snprintf(out + strlen(out), 512 - strlen(out), "%s\n", sentence);
}

static fr_import_files_input input_of(const char *name, char path[128], const char **paths) {
    snprintf(path, 128, "%s/%s", folder, name);
    *paths = path;
    fr_import_files_input input = fr_default_import_files_input();
    input.paths = paths;
    input.path_count = 1;
    return input;
}

static void files_of_the_disk_are_added(void **state) {
    (void)state;
    fr_allocator allocator = fr_default_allocator();
    fr_served_scene_def def = fr_default_served_scene_def();
    assert_int_equal(build(&def, &allocator), FR_OK);
    fr_served_scene served;
    assert_int_equal(fr_served_scene_create(&def, &served, NULL), FR_OK);
    char path[128], said[512] = "";
    const char *paths;
    fr_error error = {0};
    fr_import_files_input input = input_of("a.obj", path, &paths);
    input.note = note;
    input.note_context = said;
    assert_int_equal(fr_served_scene_import_files(&served, &input, &error), FR_OK);
    assert_string_equal(said, "a.obj: 90 x 9 x 0 mm, 1 triangles; guessed: unit mm, up y\n");
    assert_true(served.import_count == 1 && served.looks->material_count == 1);
    said[0] = '\0';
    input = input_of("lost.obj", path, &paths);
    input.note = note;
    input.note_context = said;
    assert_int_equal(fr_served_scene_import_files(&served, &input, &error), FR_OK);
    assert_non_null(strstr(said, "refers to none/m.mtl, which is not there"));
    input = input_of("wrong.obj", path, &paths);
    assert_int_not_equal(fr_served_scene_import_files(&served, &input, &error), FR_OK);
    assert_string_equal(error.path, path);
    assert_int_equal(error.line, 1);
    static const char *const refused[] = {"none.obj", "folder.obj"};
    for (int i = 0; i < 2; i++) {
        input = input_of(refused[i], path, &paths);
        assert_int_equal(fr_served_scene_import_files(&served, &input, &error), FR_ERROR_FILE);
        assert_string_equal(error.path, path);
    }
    assert_int_equal(served.import_count, 2);
    assert_int_equal(served.restart(served.user, NULL), FR_OK);
    fr_served_scene_destroy(&served);
}

static fr_status load_text(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)path, (void)context, (void)error;
    static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    *bytes = triangle;
    *size = sizeof triangle - 1;
    return FR_OK;
}

// A model that was read elsewhere.
static fr_status import_text(fr_served_scene *served, const fr_allocator *allocator) {
    static const char *const paths[] = {"t.obj"};
    fr_scene_import_def def = fr_default_scene_import_def();
    def.paths = paths;
    def.path_count = 1;
    def.load = load_text;
    def.allocator = *allocator;
    fr_scene_import *import;
    fr_status status = fr_scene_import_create(&def, &import, NULL);
    if (status != FR_OK) { return status; }
    status = fr_served_scene_import(served, import, NULL);
    if (status != FR_OK) { fr_scene_import_destroy(import); }
    return status;
}

static fr_haptic_state read_nothing(void *user) {
    (void)user;
    return (fr_haptic_state){.tick = 1, .rotation = fr_quat_identity()};
}

static void send_nothing(const fr_haptic_contact *contact, void *user) { (void)contact, (void)user; }

static fr_status serve_once(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_served_octree octree = {.name = "rest", .depth = 3};
    fr_served_scene_def def = fr_default_served_scene_def();
    def.allocator = *allocator;
    def.ahead = 0.5;
    def.octrees = &octree;
    def.octree_count = 1;
    def.pen = (fr_pen_device){.read = read_nothing, .send = send_nothing};
    fr_served_scene served;
    fr_status status = build(&def, allocator);
    if (status == FR_OK) { status = fr_served_scene_create(&def, &served, NULL); }
    if (status != FR_OK) {
        release(&def);
        return status;
    }
    char path[128];
    const char *paths;
    fr_import_files_input input = input_of("a.obj", path, &paths);
    input.allocator = *allocator;
    status = fr_cast_tick(served.cast, NULL, NULL);
    if (status == FR_OK) { status = fr_served_scene_import_files(&served, &input, NULL); }
    if (status == FR_OK) { status = import_text(&served, allocator); }
    fr_served_scene_destroy(&served);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(serve_once, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_ticks_and_begins_again),
        cmocka_unit_test(what_is_missing_is_refused),
        cmocka_unit_test(files_of_the_disk_are_added),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
