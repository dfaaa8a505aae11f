// The library of a scene file, and the classes that come with the project: all right, in the room where they belong.
#include "failing.h"
#include "folders.h"

#include "fureai/library.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_library_finder *make(const char *scene, const char *folder, const char *fallback) {
    fr_library_finder_def def = fr_default_library_finder_def();
    def.scene = scene;
    def.folder = folder;
    def.fallback = fallback;
    fr_library_finder *finder;
    assert_int_equal(fr_library_finder_create(&def, &finder, NULL), FR_OK);
    return finder;
}

static fr_status find(fr_library_finder *finder, const char *named, const char *name, fr_error *error) {
    fr_scene_classes classes = fr_library_finder_classes(finder);
    fr_scene_class found;
    return classes.find(named, name, &found, classes.context, error);
}

// The user's library comes first, then the scene's, then the fallback.
static void the_right_library_is_found(void **state) {
    (void)state;
    char folder[256], scene[300], mine[300], other[300];
    make_folder(folder);
    snprintf(scene, sizeof scene, "%s/scenes/a.json", folder);
    snprintf(mine, sizeof mine, "%s/mine", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    put_file(folder, "scenes/a.json", "{}");
    put_class(mine, "cup", "take");
    put_class(other, "pot", "take");
    const struct {
        const char *given, *named, *fallback, *name;
        fr_status status;
    } cases[] = {
        {NULL, "../mine", other, "cup", FR_OK},
        {other, "../mine", NULL, "pot", FR_OK},
        {NULL, "", other, "pot", FR_OK},
        {NULL, "", NULL, "pot", FR_ERROR_FILE},
        {NULL, mine, other, "cup", FR_ERROR_ARGUMENT},
        {NULL, "none", other, "pot", FR_ERROR_FILE},
        {NULL, "../mine", other, "pot", FR_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_library_finder *finder = make(scene, cases[i].given, cases[i].fallback);
        fr_error error = {0};
        fr_status status = find(finder, cases[i].named, cases[i].name, &error);
        if (status != cases[i].status) { fail_msg("case %zu: %s", i, error.message); }
        fr_library_finder_destroy(finder);
    }
    fr_library_finder_def bare = {0};
    fr_library_finder *none;
    assert_int_equal(fr_library_finder_create(&bare, &none, NULL), FR_ERROR_ARGUMENT);
    remove_folder(folder);
}

static fr_status make_finder(const fr_allocator *allocator, void *context) {
    fr_library_finder_def def = fr_default_library_finder_def();
    def.scene = "a/b.json";
    def.folder = context;
    def.allocator = *allocator;
    fr_library_finder *finder;
    fr_status status = fr_library_finder_create(&def, &finder, NULL);
    if (status != FR_OK) { return status; }
    status = fr_library_finder_open(finder, "", NULL);
    if (status == FR_OK) { status = find(finder, "", "cup", NULL); }
    if (status == FR_OK) { assert_string_equal(fr_library_finder_folder(finder), context); }
    fr_library_finder_destroy(finder);
    return status;
}

static void short_memory_is_survived(void **state) {
    (void)state;
    char folder[256];
    make_folder(folder);
    put_class(folder, "cup", "take");
    test_every_failure(make_finder, folder);
    remove_folder(folder);
}

// ---------------------------------------------------------------------------------------------------------------
// What comes with the project

static void every_class_is_right(void **state) {
    (void)state;
    fr_library_def def = fr_default_library_def();
    assert_int_equal(fr_library_folder(OBJECT_FOLDER, NULL, &def.files, NULL), FR_OK);
    fr_library *library;
    fr_library_report report;
    assert_int_equal(fr_library_create(&def, &library, NULL), FR_OK);
    assert_int_equal(fr_library_refresh(library, &report, NULL), FR_OK);
    assert_true(report.objects >= 18 && report.people >= 2);
    for (uint32_t i = 0; i < fr_library_count(library); i++) {
        const fr_library_entry *entry = fr_library_get(library, i);
        fr_error error = {0};
        if (fr_library_check(library, entry->place.name, NULL, &error) != FR_OK) {
            fail_msg("%s: %s", entry->place.name, error.message);
        }
        assert_true(entry->motion_count > 0);
        fr_class *c;
        assert_int_equal(fr_library_find(library, entry->place.name, &c, NULL), FR_OK);
        assert_true(fr_class_get(c)->bytes <= 100000);
        fr_class_release(c);
    }
    fr_library_destroy(library);
}

static char *read_text(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    *size = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

// Where a frame of an object's class is in the world.
static fr_vec3 frame_of(fr_library *library, const fr_scene_object *object, const char *name) {
    fr_class *c;
    assert_int_equal(fr_library_find(library, object->class_name, &c, NULL), FR_OK);
    const fr_class_view *v = fr_class_get(c);
    for (uint32_t i = 0; i < v->frame_count; i++) {
        if (strcmp(v->frames[i].name, name) != 0) { continue; }
        fr_vec3 point = fr_pose_apply(&object->pose, v->frames[i].pose.position);
        fr_class_release(c);
        return point;
    }
    fail_msg("%s has no frame %s", object->class_name, name);
    return (fr_vec3){0};
}

static const fr_scene_object *object_of(const fr_scene *scene, const char *name) {
    const fr_scene_view *v = fr_scene_get(scene);
    for (uint32_t i = 0; i < v->object_count; i++) {
        if (strcmp(v->objects[i].name, name) == 0) { return &v->objects[i]; }
    }
    fail_msg("%s is not in the room", name);
    return NULL;
}

// The room, read and built.
typedef struct room {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_object_id ids[12 + 1 + FR_FIGURE_PROXY_COUNT];
} room;

static void open_room(room *r) {
    size_t size;
    char *text = read_text(ROOM_FILE, &size);
    fr_error error = {0};
    assert_int_equal(fr_library_open(OBJECT_FOLDER, NULL, &r->library, NULL), FR_OK);
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(r->library);
    if (fr_scene_read(text, size, &reading, &r->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_get(r->scene)->people[0].object, 12); // those of the file come first
    assert_int_equal(fr_scene_get(r->scene)->person_count, 1);
    fr_world_def def = fr_scene_world_def(r->scene);
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(r->library);
    if (fr_scene_build_world(r->scene, &building, r->world, r->ids, &error) != FR_OK) { fail_msg("%s", error.message); }
    free(text);
}

static void close_room(room *r) {
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
    fr_library_destroy(r->library);
}

static fr_object_id id_of(const room *r, const char *name) {
    return r->ids[object_of(r->scene, name) - fr_scene_get(r->scene)->objects];
}

// The places of the thesis's room, (x, y, z) there being (Z, X, Y) here.
static void the_room_is_laid_out(void **state) {
    (void)state;
    const struct {
        const char *object, *frame;
        double x, y, z; // of the thesis
    } points[] = {{"tv", "switch", 3.2, 0.50, 0.95},      {"sink", "tap", 1.2, 4.55, 1.0},
                  {"sink", "before", 1.2, 4.1, 0.0},      {"tv", "before", 3.2, 0.95, 0.0},
                  {"chair", "before", 4.5, 1.85, 0.0},    {"door", "stand_outside", -0.6, 1.0, 0.0},
                  {"door", "stand_inside", 0.9, 1.0, 0.0}};
    room r;
    open_room(&r);
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        fr_vec3 p = frame_of(r.library, object_of(r.scene, points[i].object), points[i].frame);
        double off = fr_vec3_distance(p, fr_vec3_make(points[i].y, points[i].z, points[i].x));
        if (off > 1e-9) { fail_msg("%s of %s is off by %g", points[i].frame, points[i].object, off); }
    }
    fr_vec3 cup = object_of(r.scene, "cup")->pose.position;
    assert_true(fr_vec3_distance(cup, fr_vec3_make(2.5, 0.8, 4.0)) < 1e-12);
    close_room(&r);
}

// Polygons as the thesis's table 5.7 has them.
static void the_models_have_the_printed_polygons(void **state) {
    (void)state;
    const struct {
        const char *name;
        uint32_t polygons;
    } printed[] = {{"chair", 98}, {"table", 320}, {"door", 268}, {"floor", 10368}, {"sink", 185},     {"tv", 167},
                   {"wall 1", 2}, {"wall 2", 2},  {"bed", 94},   {"lamp", 568},    {"bookshelf", 90}, {"cup", 216}};
    room r;
    open_room(&r);
    const fr_space *space = fr_world_space(r.world);
    for (size_t i = 0; i < 12; i++) {
        fr_object_id id = id_of(&r, printed[i].name);
        uint32_t polygons = 0;
        for (uint32_t part = 0; part < fr_object_get(space, id)->part_count; part++) {
            uint32_t end = fr_mesh_get(fr_object_part(space, id, part).mesh)->face_count; // counted over the file
            if (end > polygons) { polygons = end; }
        }
        assert_int_equal(polygons, printed[i].polygons);
    }
    close_room(&r);
}

// The door goes from shut to open on its hinge, no further, and meets nothing.
static void the_door_opens(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_object_id door = id_of(&r, "door");
    const fr_space *space = fr_world_space(r.world);
    for (int tick = 0; tick < 60; tick++) {
        double angle = fr_radians(100.0) * fmin(1.0, tick / 45.0);
        fr_pose pose = fr_object_get(space, door)->pose;
        pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), angle);
        assert_int_equal(fr_world_drag(r.world, door, &pose, NULL), FR_OK);
        assert_int_equal(fr_world_tick(r.world, NULL, NULL), FR_OK);
        const fr_snapshot *snapshot = fr_world_snapshot(r.world);
        if (snapshot->touch_count > 0) { fail_msg("something is touched at %g", fr_degrees(angle)); }
        fr_snapshot_release(snapshot);
    }
    fr_pose at_end = fr_object_get(space, door)->pose;
    assert_true(fabs(at_end.rotation.y - sqrt(0.5)) < 1e-9 && fabs(at_end.position.x - 1.4) < 1e-12);
    close_room(&r);
}

// The models in the tree are those that the program makes.
static void the_models_are_made_by_the_program(void **state) {
    (void)state;
    char folder[256], command[1024];
    if (system("command -v python3 >/dev/null") != 0) { skip(); }
    make_folder(folder);
    snprintf(
        command, sizeof command,
        "python3 -B '%s/make_objects.py' '%s' && for f in $(cd '%s' && find . -type f); do cmp \"%s/$f\" \"%s/$f\" || "
        "exit 1; done",
        OBJECT_FOLDER, folder, folder, folder, OBJECT_FOLDER);
    assert_int_equal(system(command), 0);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_library_is_found),
        cmocka_unit_test(short_memory_is_survived),
        cmocka_unit_test(every_class_is_right),
        cmocka_unit_test(the_room_is_laid_out),
        cmocka_unit_test(the_models_have_the_printed_polygons),
        cmocka_unit_test(the_door_opens),
        cmocka_unit_test(the_models_are_made_by_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
