// Objects that are added to a world that runs: they are of their class, stand where they are put, and go again.
#include "failing.h"
#include "furnished.h"

#include <math.h>

static fr_scene_addition addition(const char *class_name, const char *name, double x, double y, double z) {
    return (fr_scene_addition){class_name, name, fr_pose_make(fr_vec3_make(x, y, z), fr_quat_identity()), false};
}

static fr_status add(const furnished *f, const fr_scene_addition *what, fr_error *error) {
    fr_scene_stock stock = fr_additions_stock(f->additions);
    return stock.add(what, stock.user, error);
}

static fr_status take_away(const furnished *f, const char *name, fr_error *error) {
    fr_scene_stock stock = fr_additions_stock(f->additions);
    return stock.remove(fr_world_find(f->world, name), stock.user, error);
}

static double bottom(const furnished *f, const char *name) {
    fr_bounds box;
    assert_int_equal(fr_space_update(fr_world_space(f->world), NULL, NULL), FR_OK);
    assert_int_equal(fr_object_bounds(fr_world_space(f->world), fr_world_find(f->world, name), &box, NULL), FR_OK);
    return box.min.y;
}

static void what_is_added_affords_stands_and_goes(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, true);
    uint32_t materials = fr_scene_player_looks(f.player)->material_count;
    fr_scene_addition lamp = addition("lamp", "lamp 1", 3.0, 0.0, 1.0);
    fr_error error = {0};
    if (add(&f, &lamp, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_object_id object = fr_world_find(f.world, "lamp 1");
    assert_true(object.index1 != 0);
    assert_string_equal(fr_cast_affords(f.cast, object, 0)->name, "switch");
    assert_true(fr_scene_player_looks(f.player)->material_count > materials);
    assert_int_equal(add(&f, &lamp, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is an object 'lamp 1' already");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_cast_tick(f.cast, NULL, NULL), FR_OK);
    }

    // The origin of a cup is its middle: one that stands is lifted, one at a pose is not.
    fr_scene_addition cup = addition("cup", "cup 2", 2.0, 0.75, 2.0);
    assert_int_equal(add(&f, &cup, NULL), FR_OK);
    assert_true(bottom(&f, "cup 2") < 0.75 - 0.04);
    cup.name = "cup 3";
    cup.is_standing = true;
    assert_int_equal(add(&f, &cup, NULL), FR_OK);
    assert_true(fabs(bottom(&f, "cup 3") - 0.75) < 1e-9);

    assert_int_equal(take_away(&f, "floor", &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "only what was added can be removed, and 'floor' was not");
    fr_claim claim = {.object = object, .rank = FR_RANK_PERSON, .holder = 7, .name = "Ken"};
    assert_int_equal(fr_cast_grab(f.cast, &claim, NULL), FR_OK);
    assert_int_equal(take_away(&f, "lamp 1", &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "Ken holds it");
    assert_int_equal(fr_cast_let_go(f.cast, object, 7, NULL), FR_OK);
    assert_int_equal(take_away(&f, "lamp 1", NULL), FR_OK);
    assert_int_equal(fr_world_find(f.world, "lamp 1").index1, 0);
    assert_int_equal(add(&f, &lamp, NULL), FR_OK);
    assert_int_equal(fr_cast_tick(f.cast, NULL, NULL), FR_OK);
    close_furnished(&f);
}

// A door that is added hangs on its hinge, whatever its scene had.
static void what_has_a_joint_hangs_on_it(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, false);
    uint32_t before = fr_space_joint_places(fr_world_space(f.world));
    fr_scene_addition door = addition("door", "door", 4.0, 0.1, 0.0);
    door.is_standing = true;
    assert_int_equal(add(&f, &door, NULL), FR_OK);
    assert_int_equal(fr_space_joint_places(fr_world_space(f.world)), before + 1);
    assert_true(fr_object_get(fr_world_space(f.world), fr_world_find(f.world, "door"))->pose.position.y == 0.1);
    assert_int_equal(take_away(&f, "door", NULL), FR_OK);
    assert_int_equal(fr_cast_tick(f.cast, NULL, NULL), FR_OK);
    close_furnished(&f);
}

typedef struct class_search {
    const char *wanted;
    bool is_found;
    uint32_t count;
} class_search;

static bool look_for(const fr_stock_entry *entry, void *context) {
    class_search *s = context;
    s->count++;
    if (strcmp(entry->name, s->wanted) == 0) { s->is_found = strstr(entry->motions, "drink") != NULL; }
    return true;
}

static void classes_are_listed_and_wrong_ones_refused(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_scene_stock stock = fr_additions_stock(f.additions);
    class_search s = {.wanted = "cup"};
    assert_int_equal(stock.list(look_for, &s, stock.user, NULL), FR_OK);
    assert_true(s.is_found && s.count >= 12);
    fr_error error = {0};
    fr_scene_addition wrong = addition("cap", "c", 0.0, 0.0, 0.0);
    assert_int_equal(add(&f, &wrong, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "did you mean 'cup'?"));
    const char *classes[] = {"mai", "../objects/cup", "", "\xff"};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        wrong.class_name = classes[i];
        assert_int_not_equal(add(&f, &wrong, &error), FR_OK);
        assert_true(error.message[0] != '\0');
    }
    fr_scene_addition far = addition("cup", "far", NAN, 0.0, 0.0);
    assert_int_not_equal(add(&f, &far, &error), FR_OK);
    assert_int_equal(fr_world_find(f.world, "far").index1, 0);
    fr_additions_def none = fr_default_additions_def();
    none.cast = f.cast;
    fr_additions *without;
    assert_int_equal(fr_additions_create(&none, &without, NULL), FR_OK);
    fr_scene_stock empty = fr_additions_stock(without);
    assert_int_equal(empty.list(look_for, &s, empty.user, &error), FR_ERROR_FILE);
    assert_string_equal(error.message, "there is no library of objects for this scene");
    fr_additions_destroy(without);
    close_furnished(&f);
}

static fr_status make_additions(const fr_allocator *allocator, void *context) {
    const furnished *f = context;
    fr_additions_def def = fr_default_additions_def();
    def.cast = f->cast;
    def.library = f->library;
    def.allocator = *allocator;
    fr_additions *additions;
    fr_status status = fr_additions_create(&def, &additions, NULL);
    if (status != FR_OK) { return status; }
    fr_scene_stock stock = fr_additions_stock(additions);
    class_search s = {.wanted = "cup"};
    fr_scene_addition cup = addition("cup", "another", 0.0, 0.0, 0.0);
    status = stock.list(look_for, &s, stock.user, NULL);
    if (status == FR_OK) { status = stock.add(&cup, stock.user, NULL); }
    fr_object_id object = fr_world_find(f->world, "another");
    if (status == FR_OK) { status = stock.remove(object, stock.user, NULL); }
    assert_int_equal(fr_world_find(f->world, "another").index1, 0);
    fr_additions_destroy(additions);
    return status;
}

static void memory_that_runs_short_is_reported(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_additions *additions;
    fr_additions_def def = {.cast = f.cast};
    assert_int_equal(fr_additions_create(&def, &additions, NULL), FR_ERROR_ARGUMENT);
    def = fr_default_additions_def();
    assert_int_equal(fr_additions_create(&def, &additions, NULL), FR_ERROR_ARGUMENT);
    fr_additions_destroy(NULL);
    assert_true(test_every_failure(make_additions, &f) > 10);
    close_furnished(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_affords_stands_and_goes),
        cmocka_unit_test(what_has_a_joint_hangs_on_it),
        cmocka_unit_test(classes_are_listed_and_wrong_ones_refused),
        cmocka_unit_test(memory_that_runs_short_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
