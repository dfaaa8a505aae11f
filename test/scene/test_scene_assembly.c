// The assembly of a scene: what can be said, what is wrong and where, and what is made of it.
#include "scene_text.h"

#include <math.h>

#define OBJECTS                                                                                                        \
    "\"objects\":[{\"name\":\"base\",\"shape\":\"box\",\"static\":true},{\"name\":\"a\",\"shape\":\"box\"},"           \
    "{\"name\":\"b\",\"shape\":\"box\",\"position\":[5,0,0]},{\"name\":\"c\",\"shape\":\"box\",\"position\":[9,0,0]}]"
#define SCENE(assembly) "{\"fureai\":1," OBJECTS ",\"assembly\":" assembly "}"
#define PART(name, more) "{\"object\":\"" name "\",\"place\":{\"position\":[0,1,0]}" more "}"
#define PARTS(parts) SCENE("{\"parts\":[" parts "]}")

static void test_what_is_not_said_has_its_default(void **state) {
    (void)state;
    fr_scene *scene = read_right(PARTS(PART("a", "")));
    const fr_scene_view *view = fr_scene_get(scene);
    assert_int_equal(view->fit_count, 1);
    assert_int_equal(view->fits[0].object, 1);
    const fr_assembly_part *p = &view->fits[0].part, d = fr_default_assembly_part();
    assert_string_equal(p->name, "a");
    assert_true(p->tolerance == 0.015 && p->angle == d.angle && p->margin == d.margin && p->slack == d.slack);
    assert_true(p->mode == FR_ASSEMBLY_BY_BOX && p->relative_to == FR_NONE && p->like == FR_NONE && p->fold == 1);
    assert_true(p->place.position.y == 1.0 && p->after_count == 0 && p->reach == 0.0);
    fr_scene_destroy(scene);
    scene = read_right("{\"fureai\":1,\"objects\":[]}");
    assert_int_equal(fr_scene_get(scene)->fit_count, 0);
    fr_scene_destroy(scene);
}

static void test_everything_can_be_said(void **state) {
    (void)state;
    // What stands beside the parts is for all; a part may come after one that is named behind it
    fr_scene *scene = read_right(SCENE(
        "{\"tolerance\":0.02,\"tolerance_deg\":180,\"margin\":0.5,\"slack\":0.001,\"mode\":\"polygons\",\"parts\":["
        "{\"object\":\"c\",\"place\":{\"position\":[1,2,3],\"axis_angle_deg\":[0,0,1,90],\"relative_to\":\"b\"},"
        "\"after\":[\"a\",\"b\"],\"tolerance\":0.1,\"tolerance_deg\":30,\"margin\":0,\"slack\":0,\"mode\":\"box\","
        "\"insertion\":[0,-2,0],\"reach\":0.25,\"symmetry\":{\"axis\":[0,3,0],\"center\":[1,0,0],\"fold\":\"any\","
        "\"flip\":[5,0,0]}}," PART("a", "") "," PART(
            "b", ",\"like\":\"a\",\"symmetry\":{\"axis\":[1,0,0],\"fold\":6}") "]}"));
    const fr_scene_fit *fits = fr_scene_get(scene)->fits;
    const fr_assembly_part *c = &fits[0].part, *a = &fits[1].part, *b = &fits[2].part;
    assert_int_equal(fr_scene_get(scene)->fit_count, 3);
    assert_true(fits[0].object == 3 && c->relative_to == 2 && c->after_count == 2);
    assert_true(c->after[0] == 1 && c->after[1] == 2);
    assert_true(c->tolerance == 0.1 && c->angle == fr_radians(30.0) && c->margin == 0.0 && c->slack == 0.0);
    assert_true(c->mode == FR_ASSEMBLY_BY_BOX && c->insertion.y == -1.0 && c->reach == 0.25);
    assert_true(c->axis.y == 1.0 && c->center.x == 1.0 && c->fold == 0 && c->flip.x == 1.0);
    assert_true(fabs(c->place.rotation.z - sqrt(0.5)) < 1e-15);
    assert_true(a->tolerance == 0.02 && a->angle == FR_PI && a->margin == 0.5 && a->slack == 0.001);
    assert_true(a->mode == FR_ASSEMBLY_BY_POLYGONS && b->like == 1 && b->fold == 6);
    fr_scene_destroy(scene);
}

static void test_what_is_wrong_is_told_at_its_place(void **state) {
    (void)state;
    expect_wrong(SCENE("[]"), "assembly", "[]}");
    expect_wrong(SCENE("{}"), "parts", "{}}");
    expect_wrong(SCENE("{\"parts\":[]}"), "parts", "[]}");
    expect_wrong(PARTS("{\"object\":\"a\"}"), "place", "{\"object\":\"a\"}]");
    expect_wrong(PARTS(PART("x", "")), "there is no object 'x'", "\"x\"");
    expect_wrong(PARTS("{\"object\":\"base\",\"place\":{\"position\":[0,0,0]}}"), "static", "\"base\",\"place\"");
    expect_wrong(PARTS(PART("a", "") "," PART("a", ",\"mode\":\"box\"")), "'a' is a part already",
                 "\"a\",\"place\":{\"position\":[0,1,0]},\"mode\"");
    expect_wrong(PARTS(PART("a", ",\"after\":[\"c\"]")), "'c' is no part", "\"c\"]}");
    expect_wrong(PARTS(PART("a", ",\"after\":[\"a\"]")), "after itself", "\"a\"]}");
    expect_wrong(PARTS(PART("a", ",\"mode\":\"hull\"")), "'box' or 'polygons'", "\"hull\"");
    expect_wrong(PARTS(PART("a", ",\"insertion\":[0,0,0]")), "'insertion' is zero", "[0,0,0]}");
    expect_wrong(PARTS(PART("a", ",\"reach\":1")), "needs an 'insertion'", "\"reach\"");
    expect_wrong(PARTS(PART("a", ",\"tolerance\":0")), "tolerance", "0}]");
    expect_wrong(PARTS(PART("a", ",\"tolerance_deg\":181")), "tolerance_deg", "181");
    expect_wrong(PARTS(PART("a", ",\"symmetry\":{}")), "axis", "{}}]");
    expect_wrong(PARTS(PART("a", ",\"symmetry\":{\"axis\":[0,1,0],\"fold\":0}")), "fold", "0}}]");
    expect_wrong(PARTS(PART("a", ",\"symmetry\":{\"axis\":[0,1,0],\"fold\":\"all\"}")), "'any'", "\"all\"");
    expect_wrong(PARTS(PART("a", ",\"symmetry\":{\"axis\":[0,1,0],\"flip\":[0,1,1]}")), "not across", "[0,1,1]");
    expect_wrong(PARTS(PART("a", ",\"like\":\"b\"") "," PART("b", "")), "not before it", "\"b\"},{");
    expect_wrong(PARTS(PART("a", ",\"colour\":1")), "colour", "\"colour\"");
    expect_wrong(PARTS("{\"object\":\"a\",\"place\":{\"position\":[0,0,0],\"relative_to\":\"a\"}}"), "from itself",
                 "\"a\"}}");
}

static void test_an_order_that_leads_back_is_wrong(void **state) {
    (void)state;
    const char *text = PARTS(PART("c", "") "," PART("a", ",\"after\":[\"b\"]") "," PART("b", ",\"after\":[\"a\"]"));
    expect_wrong(text, "leads back to 'a'", "{\"object\":\"a\"");
    text = PARTS(PART("a", ",\"after\":[\"b\"]") ",{\"object\":\"b\",\"place\":{\"position\":[0,0,0],\"relative_to\":"
                                                 "\"a\"}}");
    expect_wrong(text, "leads back to 'a'", "{\"object\":\"a\"");
}

// ---------------------------------------------------------------------------------------------------------------
// Making

typedef struct built {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[4];
} built;

static void build(built *b, const char *text) {
    b->scene = read_right(text);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &b->space, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    assert_int_equal(fr_scene_build(b->scene, &options, b->space, b->ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(b->space, NULL, NULL), FR_OK);
}

static void leave(built *b) {
    fr_space_destroy(b->space);
    fr_scene_destroy(b->scene);
}

static void test_an_assembly_is_made_of_it(void **state) {
    (void)state;
    built b;
    build(&b, PARTS(PART("a", "") ",{\"object\":\"b\",\"place\":{\"position\":[0,1,0],\"relative_to\":\"a\"}}"));
    fr_assembly *assembly;
    assert_int_equal(fr_scene_build_assembly(b.scene, b.space, b.ids, NULL, &assembly, NULL), FR_OK);
    assert_int_equal(fr_assembly_count(assembly), 2);
    assert_int_equal(fr_assembly_part_of(assembly, b.ids[2]), 1);
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 1.01, 0.0), fr_quat_identity());
    fr_assembly_output out;
    assert_int_equal(fr_assembly_frame(assembly, b.space, 0, &pose, 0.0, &out, NULL), FR_OK);
    assert_int_equal(out.result, FR_ASSEMBLY_FITTED);
    assert_true(out.pose.position.y == 1.0);
    fr_assembly_destroy(assembly);
    leave(&b);

    fr_error error;
    build(&b, "{\"fureai\":1," OBJECTS "}");
    assert_int_equal(fr_scene_build_assembly(b.scene, b.space, b.ids, NULL, &assembly, &error), FR_ERROR_ARGUMENT);
    assert_null(assembly);
    leave(&b);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    built *b = context;
    fr_assembly *assembly;
    fr_status status = fr_scene_build_assembly(b->scene, b->space, b->ids, allocator, &assembly, NULL);
    fr_assembly_destroy(assembly);
    return status;
}

static fr_status read_only(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_scene_read_input options = fr_default_scene_read_input();
    options.allocator = *allocator;
    fr_scene *scene;
    fr_status status = fr_scene_read(text, strlen(text), &options, &scene, NULL);
    fr_scene_destroy(scene);
    return status;
}

static void test_no_memory_leaves_nothing(void **state) {
    (void)state;
    char text[] = PARTS(PART("a", "") "," PART("b", ",\"after\":[\"a\"]") "," PART("c", ",\"after\":[\"a\",\"b\"]"));
    built b;
    build(&b, text);
    assert_true(test_every_failure(make, &b) > 5);
    leave(&b);
    assert_true(test_every_failure(read_only, text) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_said_has_its_default),
        cmocka_unit_test(test_everything_can_be_said),
        cmocka_unit_test(test_what_is_wrong_is_told_at_its_place),
        cmocka_unit_test(test_an_order_that_leads_back_is_wrong),
        cmocka_unit_test(test_an_assembly_is_made_of_it),
        cmocka_unit_test(test_no_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
