// Model files that become objects of a world.
#include "failing.h"

#include "fureai/scene_import.h"

#include <string.h>

static const char box_obj[] = "v 0 0 0\nv 50 0 0\nv 0 20 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
static const char painted_obj[] = "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
static const char paint_mtl[] = "newmtl red\nKd 1 0 0\n";
static const char wrong_obj[] = "v 0 0 0\nf 1 2 3\n";
static const char base_scene[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"box\",\"shape\":\"box\"}]}";

static const struct {
    const char *path, *text;
} files[] = {{"a/box.obj", box_obj},
             {"b/box.obj", box_obj},
             {"painted.obj", painted_obj},
             {"paint.mtl", paint_mtl},
             {"lost/painted.obj", painted_obj},
             {"wrong.obj", wrong_obj},
             {"points.obj", "v 0 0 0\nv 1 0 0\n"},
             {"sheet.stl",
              "solid sheet\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
              "facet\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"}};

// How often things were called.
typedef struct calls {
    int loads, unloads, releases, missing;
    char last_missing[64];
} calls;

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    calls *c = context;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(files[i].path, path) != 0) { continue; }
        c->loads++;
        *bytes = files[i].text;
        *size = strlen(files[i].text);
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_FILE, "there is no such file");
}

static void unload(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    ((calls *)context)->unloads++;
}

static void note_missing(const char *path, void *context) {
    calls *c = context;
    c->missing++;
    snprintf(c->last_missing, sizeof c->last_missing, "%s", path);
}

static void release(void *context) { ((calls *)context)->releases++; }

static fr_scene_import_def define(const char *const *paths, uint32_t count, calls *c) {
    fr_scene_import_def def = fr_default_scene_import_def();
    def.paths = paths;
    def.path_count = count;
    def.load = load;
    def.unload = unload;
    def.missing = note_missing;
    def.release = release;
    def.context = c;
    return def;
}

// A world with one object, and the player that takes looks.
typedef struct place {
    fr_scene *scene;
    fr_scene_player *player;
    fr_world *world;
} place;

static fr_status open_place(place *p, const fr_allocator *allocator) {
    *p = (place){0};
    fr_scene_read_input reading = fr_default_scene_read_input();
    fr_scene_build_input building = fr_default_scene_build_input();
    if (allocator != NULL) { reading.allocator = building.allocator = *allocator; }
    fr_status status = fr_scene_read(base_scene, sizeof base_scene - 1, &reading, &p->scene, NULL);
    if (status == FR_OK) { status = fr_scene_player_create(allocator, &p->player, NULL); }
    if (status != FR_OK) { return status; }
    building.player = p->player;
    fr_world_def def = fr_scene_world_def(p->scene);
    if (allocator != NULL) { def.allocator = *allocator; }
    status = fr_world_create(&def, &p->world, NULL);
    return status == FR_OK ? fr_scene_build_world(p->scene, &building, p->world, NULL, NULL) : status;
}

static void close_place(place *p) {
    fr_world_destroy(p->world);
    fr_scene_player_destroy(p->player);
    fr_scene_destroy(p->scene);
}

static fr_bounds box_of(const place *p, const char *name) {
    fr_bounds box;
    assert_int_equal(fr_object_bounds(fr_world_space(p->world), fr_world_find(p->world, name), &box, NULL), FR_OK);
    return box;
}

static void models_stand_beside_one_another(void **state) {
    (void)state;
    static const char *const paths[] = {"a/box.obj", "b/box.obj", "painted.obj"};
    calls c = {0};
    place p;
    assert_int_equal(open_place(&p, NULL), FR_OK);
    assert_int_equal(fr_world_tick(p.world, NULL, NULL), FR_OK);
    fr_scene_import_def def = define(paths, 3, &c);
    fr_scene_import *import;
    assert_int_equal(fr_scene_import_create(&def, &import, NULL), FR_OK);
    assert_int_equal(fr_scene_import_add(import, p.world, p.player, NULL), FR_OK);
    assert_int_equal(fr_world_tick(p.world, NULL, NULL), FR_OK);

    // Names are of the files, with a number where one is taken; 50 units are millimetres.
    static const char *const names[] = {"box", "box 2", "box 3", "painted"};
    fr_bounds boxes[4];
    for (int i = 0; i < 4; i++) {
        boxes[i] = box_of(&p, names[i]);
        for (int k = 0; k < i; k++) {
            assert_false(fr_bounds_overlap(&boxes[i], &boxes[k]));
        }
    }
    assert_true(fabs(boxes[1].max.x - boxes[1].min.x - 0.05) < 1e-9);
    assert_true(fabs(boxes[1].min.y) < 1e-9);

    // What has no colour gets one of the palette, and another than its neighbour's; the red one keeps its own.
    fr_color first = fr_world_label(p.world, fr_world_find(p.world, "box 2")).color;
    fr_color second = fr_world_label(p.world, fr_world_find(p.world, "box 3")).color;
    assert_true(first.r != second.r || first.g != second.g);
    const fr_looks *looks = fr_scene_player_looks(p.player);
    assert_true(looks->mesh_count == 1 && looks->material_count == 1 && looks->plain_count == 2);
    assert_true(looks->materials[0].color.r == 255 && looks->materials[0].color.g == 0);

    uint32_t count;
    const fr_imported_model *models = fr_scene_import_models(import, &count);
    char text[FR_IMPORTED_TEXT_BYTES];
    fr_imported_model_text(&models[0], text);
    assert_string_equal(text, "box.obj: 50 x 20 x 10 mm, 4 triangles; guessed: unit mm, up y");
    assert_int_equal(c.missing, 0);
    assert_int_equal(c.loads, c.unloads);
    close_place(&p);
    fr_scene_import_destroy(import);
    assert_int_equal(c.releases, 1);
}

static void in_place_they_stay_and_begin_again_where_they_were(void **state) {
    (void)state;
    static const char *const paths[] = {"a/box.obj"};
    calls c = {0};
    place p;
    assert_int_equal(open_place(&p, NULL), FR_OK);
    fr_scene_import_def def = define(paths, 1, &c);
    def.is_in_place = true;
    def.unit = 0.01;
    def.up = FR_MODEL_UP_Z;
    fr_scene_import *import;
    assert_int_equal(fr_scene_import_create(&def, &import, NULL), FR_OK);
    assert_int_equal(fr_scene_import_add(import, p.world, p.player, NULL), FR_OK);
    assert_int_equal(fr_world_tick(p.world, NULL, NULL), FR_OK);
    fr_bounds box = box_of(&p, "box 2");
    // z of the file points up.
    assert_true(fabs(box.max.x - 0.5) < 1e-9 && fabs(box.max.y - 0.1) < 1e-9 && fabs(box.min.z + 0.2) < 1e-9);
    fr_object_id id = fr_world_find(p.world, "box 2");
    fr_pose away = fr_pose_make(fr_vec3_make(9, 9, 9), fr_quat_identity());
    assert_int_equal(fr_object_set_pose(fr_world_space(p.world), id, &away, NULL), FR_OK);
    assert_int_equal(fr_scene_import_restart(import, p.world, NULL), FR_OK);
    assert_true(fr_object_get(fr_world_space(p.world), id)->pose.position.x == 0.0);
    close_place(&p);
    fr_scene_import_destroy(import);
}

// STL repeats a vertex for every triangle; viewers get each place once.
static void vertices_of_stl_are_shared(void **state) {
    (void)state;
    static const char *const paths[] = {"sheet.stl"};
    calls c = {0};
    place p;
    assert_int_equal(open_place(&p, NULL), FR_OK);
    fr_scene_import_def def = define(paths, 1, &c);
    fr_scene_import *import;
    assert_int_equal(fr_scene_import_create(&def, &import, NULL), FR_OK);
    assert_int_equal(fr_scene_import_add(import, p.world, p.player, NULL), FR_OK);
    const fr_object_view *sheet = fr_object_get(fr_world_space(p.world), fr_world_find(p.world, "sheet"));
    assert_int_equal(sheet->triangle_count, 2);
    assert_int_equal(sheet->vertex_count, 4);
    close_place(&p);
    fr_scene_import_destroy(import);
}

static void what_is_missing_is_named_and_what_is_wrong_adds_nothing(void **state) {
    (void)state;
    static const char *const lost[] = {"lost/painted.obj"};
    static const char *const wrong[] = {"a/box.obj", "wrong.obj"};
    static const char *const empty[] = {"a/box.obj", "points.obj"};
    static const char *const twice[] = {"a/box.obj", "a/box.obj"};
    static const char *const gone[] = {"gone.obj"};
    calls c = {0};
    fr_scene_import *import;
    fr_error error = {0};
    fr_scene_import_def def = define(lost, 1, &c);
    assert_int_equal(fr_scene_import_create(&def, &import, &error), FR_OK);
    assert_string_equal(c.last_missing, "lost/paint.mtl");
    assert_string_equal(fr_scene_import_file(import, 0), "lost/painted.obj");
    assert_null(fr_scene_import_file(import, 1));
    fr_scene_import_destroy(import);

    c = (calls){0};
    def = define(wrong, 2, &c);
    assert_int_not_equal(fr_scene_import_create(&def, &import, &error), FR_OK);
    assert_null(import);
    assert_string_equal(error.path, "wrong.obj");
    assert_int_equal(error.line, 2);
    assert_int_equal(c.releases, 1);
    def = define(empty, 2, &c);
    assert_int_equal(fr_scene_import_create(&def, &import, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.path, "points.obj"); // and no place in a text that nobody wrote
    assert_int_equal(error.line, 0);
    def = define(twice, 2, &c);
    assert_int_equal(fr_scene_import_create(&def, &import, &error), FR_ERROR_ARGUMENT);
    def = define(gone, 1, &c);
    assert_int_equal(fr_scene_import_create(&def, &import, &error), FR_ERROR_FILE);
    def.cookie = 0;
    assert_int_equal(fr_scene_import_create(&def, &import, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(c.releases, 5);
}

static bool append(const void *bytes, size_t size, void *context) {
    unsigned char *end = fr_byte_array_push(context, size);
    if (end != NULL) { memcpy(end, bytes, size); }
    return end != NULL;
}

// A scene that was written puts the same models to the same places, in the same colours.
static void what_is_written_reads_back(void **state) {
    (void)state;
    static const char *const paths[] = {"a/box.obj", "painted.obj"};
    static const char *const folders[] = {""};
    calls c = {0};
    place p;
    assert_int_equal(open_place(&p, NULL), FR_OK);
    fr_scene_import_def def = define(paths, 2, &c);
    fr_scene_import *import;
    assert_int_equal(fr_scene_import_create(&def, &import, NULL), FR_OK);
    assert_int_equal(fr_scene_import_add(import, p.world, p.player, NULL), FR_OK);
    fr_object_id id = fr_world_find(p.world, "painted");
    fr_pose moved = fr_pose_make(fr_vec3_make(1.25, 2.5, -3), fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), 0.5));
    assert_int_equal(fr_object_set_pose(fr_world_space(p.world), id, &moved, NULL), FR_OK);
    fr_byte_array text = fr_byte_array_make(NULL);
    fr_import_write_input input = {&import, 1, p.world, folders, "Kept"};
    assert_int_equal(fr_scene_import_write(&input, append, &text, NULL), FR_OK);

    fr_scene *scene;
    fr_error error = {0};
    if (fr_scene_read(text.data, text.count, NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_scene_view *view = fr_scene_get(scene);
    assert_string_equal(view->title, "Kept");
    assert_int_equal(view->object_count, 2);
    assert_string_equal(view->objects[0].name, "box 2");
    assert_true(view->objects[0].unit == 0.001 && view->objects[0].up == FR_MODEL_UP_Y);
    assert_true(view->objects[1].pose.position.x == 1.25 && fabs(view->objects[1].pose.rotation.y) > 0.2);
    assert_int_equal(view->objects[1].color.r, 200); // that of the file
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    fr_object_id ids[2];
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.load = load;
    building.unload = unload;
    building.context = &c;
    assert_int_equal(fr_scene_build(scene, &building, space, ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_world_tick(p.world, NULL, NULL), FR_OK);
    fr_bounds built, shown = box_of(&p, "box 2");
    assert_int_equal(fr_object_bounds(space, ids[0], &built, NULL), FR_OK);
    assert_true(fr_vec3_distance(built.min, shown.min) < 1e-9 && fr_vec3_distance(built.max, shown.max) < 1e-9);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
    fr_byte_array_destroy(&text);
    close_place(&p);
    fr_scene_import_destroy(import);
}

static fr_status import_once(const fr_allocator *allocator, void *context) {
    (void)context;
    static const char *const paths[] = {"a/box.obj", "painted.obj"};
    static const char *const folders[] = {""};
    calls c = {0};
    place p;
    fr_scene_import *import = NULL;
    fr_model *model = NULL;
    fr_byte_array text = fr_byte_array_make(NULL);
    fr_status status = open_place(&p, allocator);
    fr_scene_import_def def = define(paths, 2, &c);
    def.allocator = *allocator;
    if (status == FR_OK) { status = fr_scene_import_create(&def, &import, NULL); }
    if (status == FR_OK) { status = fr_scene_import_add(import, p.world, p.player, NULL); }
    if (status == FR_OK) { status = fr_scene_import_restart(import, p.world, NULL); }
    if (status == FR_OK) { status = fr_scene_import_model(import, 0, NULL, &model, NULL); }
    fr_import_write_input input = {&import, 1, p.world, folders, "Kept"};
    if (status == FR_OK) { status = fr_scene_import_write(&input, append, &text, NULL); }
    if (status == FR_OK) { test_note(text.data, text.count); }
    fr_byte_array_destroy(&text);
    fr_model_destroy(model);
    close_place(&p);
    fr_scene_import_destroy(import);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(import_once, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_stand_beside_one_another),
        cmocka_unit_test(in_place_they_stay_and_begin_again_where_they_were),
        cmocka_unit_test(vertices_of_stl_are_shared),
        cmocka_unit_test(what_is_missing_is_named_and_what_is_wrong_adds_nothing),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
