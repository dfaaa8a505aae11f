// The scene file: what is read, and what is refused where.
#include "fureai/scene.h"

#include "failing.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fr_scene *read_text(const char *text) {
    fr_scene *scene;
    fr_error error = {0};
    fr_scene_read_input options = fr_default_scene_read_input();
    options.name = "s.json";
    if (fr_scene_read(text, strlen(text), &options, &scene, &error) != FR_OK) {
        char printed[600];
        fr_error_format(&error, printed, sizeof printed);
        fail_msg("%s", printed);
    }
    return scene;
}

static const char whole[] =
    "{ \"fureai\": 1, \"step\": 0.5, \"steps\": 120,\n"
    "  \"objects\": [\n"
    "    { \"name\": \"left\", \"model\": \"a/b.obj\", \"position\": [1,2,3], \"rotation\": [1,0,0,0],\n"
    "      \"velocity\": [0.1,0,0], \"angular_velocity_deg\": [0,90,0], \"scale\": 2, \"pivot\": [0,1,0],\n"
    "      \"ahead\": { \"seconds\": 0.5 }, \"octree\": 4, \"radar\": { \"range\": 9, \"direction\": [0,-2,0] } },\n"
    "    { \"name\": \"t\\u00e9\", \"shape\": \"box\", \"axis_angle_deg\": [0,0,5,180], \"static\": true,\n"
    "      \"position_error\": 0.25, \"rotation_error_deg\": 180, \"latency\": 0.5 },\n"
    "    { \"name\": \"p\", \"shape\": \"sphere:4x8\", \"path\": [\n"
    "        { \"t\": 1, \"position\": [0,0,0] },\n"
    "        { \"t\": 3, \"position\": [4,0,0], \"axis_angle_deg\": [0,1,0,90] } ] } ] }\n";

static void every_field_is_read(void **state) {
    (void)state;
    fr_scene *scene = read_text(whole);
    const fr_scene_view *view = fr_scene_get(scene);
    assert_string_equal(view->name, "s.json");
    assert_true(view->step == 0.5);
    assert_int_equal(view->steps, 120);
    assert_int_equal(view->object_count, 3);

    const fr_scene_object *left = &view->objects[0];
    assert_string_equal(left->name, "left");
    assert_string_equal(left->model, "a/b.obj");
    assert_null(left->shape);
    assert_true(fr_vec3_equal(left->pose.position, fr_vec3_make(1, 2, 3)));
    assert_true(left->pose.rotation.w == 1.0 && left->pose.scale == 2.0);
    assert_true(fr_vec3_equal(left->velocity, fr_vec3_make(0.1, 0, 0)));
    assert_true(left->angular_velocity.y == fr_radians(90.0));
    assert_true(fr_vec3_equal(left->pivot_local, fr_vec3_make(0, 1, 0)));
    assert_false(left->is_static);
    assert_true(left->ahead == 0.5 && view->objects[1].ahead == 0.0);
    assert_true(left->octree == 4 && view->objects[1].octree == 0 && view->objects[1].radar.range == 0.0);
    assert_true(left->radar.range == 9.0 && left->radar.width == 1.0);
    assert_true(fr_vec3_equal(left->radar.direction, fr_vec3_make(0, -1, 0)));
    assert_int_equal(left->line, 3);
    assert_int_equal(left->column, 32);

    const fr_scene_object *table = &view->objects[1];
    assert_string_equal(table->name, "t\xC3\xA9");
    assert_string_equal(table->shape, "box");
    assert_true(table->is_static && table->pose.scale == 1.0);
    assert_true(table->position_error == 0.25 && table->rotation_error == FR_PI && table->latency == 0.5);
    assert_true(left->position_error == 0.0 && left->rotation_error == 0.0 && left->latency == 0.0);
    assert_true(fabs(table->pose.rotation.z - 1.0) < 1e-15 && fabs(table->pose.rotation.w) < 1e-15);

    const fr_scene_object *path = &view->objects[2];
    assert_int_equal(path->path_count, 2);
    assert_true(path->path[1].time == 3.0 && path->path[1].position.x == 4.0);
    fr_scene_destroy(scene);
}

static void seekers_are_read(void **state) {
    (void)state;
    fr_scene *scene = read_text(
        "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"}],"
        "\"seek\":[{\"object\":\"b\",\"target\":\"a\"},{\"object\":\"a\",\"target\":\"b\",\"speed\":2,\"range\":3,"
        "\"looks\":4,\"seed\":5,\"bounds\":{\"min\":[-1,0,-1],\"max\":[1,0,1]}}]}");
    const fr_scene_view *view = fr_scene_get(scene);
    assert_int_equal(view->seek_count, 2);
    const fr_seeker_def usual = fr_default_seeker_def();
    assert_true(view->seeks[0].object == 1 && view->seeks[0].target == 0 && view->seeks[0].range == usual.range);
    assert_true(fr_bounds_is_empty(&view->seeks[0].bounds) && view->seeks[0].looks == usual.looks);
    const fr_scene_seek *second = &view->seeks[1];
    assert_true(second->speed == 2.0 && second->range == 3.0 && second->looks == 4 && second->seed == 5);
    assert_true(second->bounds.min.x == -1.0 && second->bounds.max.y == 0.0);
    fr_scene_destroy(scene);
}

static void what_is_left_out_has_its_default(void **state) {
    (void)state;
    fr_scene *scene = read_text("{\"objects\":[{\"shape\":\"box\",\"name\":\"a\"}],\"fureai\":1.0}");
    const fr_scene_view *view = fr_scene_get(scene);
    assert_true(view->step == 0.01);
    assert_int_equal(view->steps, 1);
    fr_pose identity = fr_pose_identity();
    assert_memory_equal(&view->objects[0].pose, &identity, sizeof identity);
    fr_scene_destroy(scene);
    scene = read_text("{\"fureai\":1,\"objects\":[]}");
    assert_int_equal(fr_scene_get(scene)->object_count, 0);
    fr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------
// What is refused

typedef struct wrong_scene {
    const char *text;
    const char *message;
} wrong_scene;

#define OBJECT(more) "{\"fureai\":1,\"objects\":[\n{\"name\":\"a\",\"shape\":\"box\"," more "}]}"

#define MODEL(more) "{\"fureai\":1,\"objects\":[\n{\"name\":\"a\",\"model\":\"a.stl\"," more "}]}"

#define JOINT(more)                                                                                                    \
    "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"},"                \
    "{\"name\":\"s\",\"shape\":\"box\",\"static\":true}],\"joints\":[\n" more "]}"

#define VIEW(value) "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"}],\"view\":\n" value "}"

#define SEEK(value)                                                                                                    \
    "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"},"                \
    "{\"name\":\"s\",\"shape\":\"box\",\"static\":true},"                                                              \
    "{\"name\":\"m\",\"shape\":\"box\",\"velocity\":[1,0,0]}],\"seek\":\n" value "}"

static const wrong_scene wrong_scenes[] = {
    {"{\"fureai\":1,\"title\":\"\",\"objects\":[]}", "s.json:1:21: title must have from 1 to 255 bytes"},
    {"{\"fureai\":1,\"about\":7,\"objects\":[]}", "s.json:1:21: about must be a string, not a number"},
    {"{\"fureai\":1,\"loop\":1,\"objects\":[]}", "s.json:1:20: loop must be true or false, not a number"},
    {OBJECT("\"color\":[1,2]"), "s.json:2:35: color must have at least 3 values, not 2"},
    {OBJECT("\"color\":[1,2,256]"), "s.json:2:40: color must be from 0 to 255"},
    {OBJECT("\"color\":[1,2,0.5]"), "s.json:2:40: color must be a whole number"},
    {OBJECT("\"sensor\":0"), "s.json:2:36: sensor must be true or false, not a number"},
    {OBJECT("\"layers\":-1"), "s.json:2:36: layers must be from 0 to 4.2949673e+09"},
    {OBJECT("\"position_error\":-1"), "s.json:2:44: position_error must be from 0 to 1e+15"},
    {OBJECT("\"rotation_error_deg\":181"), "s.json:2:48: rotation_error_deg must be from 0 to 180"},
    {OBJECT("\"latency\":\"1\""), "s.json:2:37: latency must be a number, not a string"},
    {OBJECT("\"octree\":1"), "s.json:2:36: octree must be from 2 to 7"},
    {OBJECT("\"octree\":8"), "s.json:2:36: octree must be from 2 to 7"},
    {OBJECT("\"radar\":{\"range\":0}"), "s.json:2:44: range must be from 1e-06 to 1e+09"},
    {OBJECT("\"radar\":{\"direction\":[0,0,0]}"), "s.json:2:48: 'direction' is zero"},
    {OBJECT("\"radar\":{\"depth\":1}"), "s.json:2:36: radar has no key 'depth'"},
    {OBJECT("\"ahead\":1"), "s.json:2:35: ahead must be an object, not a number"},
    {OBJECT("\"ahead\":{\"seconds\":0}"), "s.json:2:46: seconds must be from 1e-06 to 60"},
    {OBJECT("\"ahead\":{\"second\":1}"), "s.json:2:36: ahead has no key 'second'; did you mean 'seconds'?"},
    {OBJECT("\"static\":true,\"ahead\":{}"), "s.json:2:41: a static object has no 'ahead'"},
    {OBJECT("\"group\":0.5"), "s.json:2:35: group must be a whole number"},
    {OBJECT("\"group\":3e9"), "s.json:2:35: group must be from -2.14748365e+09 to 2.14748365e+09"},
    {OBJECT("\"states\":[]"), "s.json:2:36: states must be an object, not an array"},
    {OBJECT("\"states\":{\"\":1}"), "s.json:2:37: the name of a state must have from 1 to 31 bytes"},
    {OBJECT("\"states\":{\"on\":true}"), "s.json:2:42: a state must be a number, not true or false"},
    {OBJECT("\"states\":{\"on\":1,\"o\\u006e\":1}"), "s.json:2:44: 'on' stands here for the second time"},
    {OBJECT("\"states\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,"
            "\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,\"q\":1}"),
     "s.json:2:36: states must have at most 16 keys, not 17"},
    {SEEK("7"), "s.json:2:1: seek must be an object, not a number"},
    {SEEK("{\"object\":\"a\"}"), "s.json:2:1: seek lacks 'target'"},
    {SEEK("{\"object\":\"a\",\"target\":\"c\"}"), "s.json:2:24: there is no object 'c'"},
    {SEEK("{\"object\":\"a\",\"target\":\"a\"}"), "s.json:2:24: an object does not seek itself"},
    {SEEK("{\"object\":\"a\",\"target\":\"b\",\"speed\":0}"), "s.json:2:36: speed must be from 1e-06 to 1e+09"},
    {SEEK("{\"object\":\"a\",\"target\":\"b\",\"looks\":0}"), "s.json:2:36: looks must be from 1 to 1024"},
    {SEEK("{\"object\":\"a\",\"target\":\"b\",\"bounds\":{\"min\":[0,0,0],\"max\":[-1,0,0]}}"),
     "s.json:2:37: the bounds have no inside"},
    {SEEK("{\"object\":\"s\",\"target\":\"a\"}"),
     "s.json:2:11: an object that is static or moves by itself does not seek"},
    {SEEK("{\"object\":\"m\",\"target\":\"a\"}"),
     "s.json:2:11: an object that is static or moves by itself does not seek"},
    {SEEK("[]"), "s.json:2:1: seek must have at least 1 values, not 0"},
    {VIEW("{}"), "s.json:2:1: a view needs 'from' and 'to', or 'frame'"},
    {VIEW("{\"from\":[1,2,3]}"), "s.json:2:2: a view has 'from' and 'to' together"},
    {VIEW("{\"to\":[1,2,3],\"frame\":[\"a\"]}"), "s.json:2:2: a view has 'from' and 'to' together"},
    {VIEW("{\"from\":[1,2,3],\"to\":[1,2,3]}"), "s.json:2:22: 'from' and 'to' are the same point"},
    {VIEW("{\"frame\":[]}"), "s.json:2:10: frame must have at least 1 values, not 0"},
    {VIEW("{\"frame\":[\"c\"]}"), "s.json:2:11: there is no object 'c'"},
    {VIEW("{\"form\":[1,2,3]}"), "s.json:2:2: view has no key 'form'; did you mean 'from'?"},
    {JOINT("7"), "s.json:2:1: a joint must be an object, not a number"},
    {JOINT("{\"kind\":\"fixed\"}"), "s.json:2:1: a joint lacks 'child'"},
    {JOINT("{\"kind\":\"bend\",\"child\":\"a\"}"),
     "s.json:2:9: no joint 'bend'; there are fixed, hinge, slider, screw and attached"},
    {JOINT("{\"kind\":\"fixed\",\"child\":\"a\",\"axis\":[0,0,1]}"), "s.json:2:29: a joint 'fixed' has no 'axis'"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"a\"}"), "s.json:2:1: a joint 'slider' lacks 'axis'"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"c\",\"axis\":[0,0,1]}"), "s.json:2:26: there is no object 'c'"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"s\",\"axis\":[0,0,1]}"),
     "s.json:2:26: there is no joint for the static object 's'"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"a\",\"axis\":[0,0,0]}"), "s.json:2:37: the axis of a joint is zero"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"a\",\"axis\":[0,0,1],\"limits\":[1,0]}"),
     "s.json:2:54: limits: the lower one stands first"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"a\",\"axis\":[0,0,1],\"limits\":[1,2]}"),
     "s.json:2:54: the value 0 of the joint is outside its limits"},
    {JOINT("{\"kind\":\"slider\",\"child\":\"a\",\"axis\":[0,0,1],\"limits\":[1,2],\"value\":3}"),
     "s.json:2:68: the value 3 of the joint is outside its limits"},
    {JOINT("{\"kind\":\"fixed\",\"child\":\"a\"},{\"kind\":\"fixed\",\"child\":\"a\"}"),
     "s.json:2:54: 'a' hangs on another joint already"},
    {JOINT("{\"kind\":\"fixed\",\"child\":\"a\",\"parent\":\"a\"}"), "s.json:2:25: 'a' would be its own ancestor"},
    {JOINT(
         "{\"kind\":\"fixed\",\"child\":\"a\",\"parent\":\"b\"},{\"kind\":\"fixed\",\"child\":\"b\",\"parent\":\"a\"}"),
     "s.json:2:67: 'b' would be its own ancestor"},
    {"", "s.json:1:1: '{' or '[' expected, but the text ends"},
    {"[]", "s.json:1:1: a scene must be an object, not an array"},
    {"{}", "s.json:1:1: a scene lacks 'fureai'"},
    {"{\"fureai\":1}", "s.json:1:1: a scene lacks 'objects'"},
    {"{\"fureai\":2,\"objects\":[]}", "s.json:1:11: the file is of version 2; version 1 is read"},
    {"{\"fureai\":\"1\",\"objects\":[]}", "s.json:1:11: fureai must be a number, not a string"},
    {"{\"fureai\":1,\"objects\":{}}", "s.json:1:23: objects must be an array, not an object"},
    {"{\"fureai\":1,\"objects\":[],\n\"object\":[]}",
     "s.json:2:1: a scene has no key 'object'; did you mean 'objects'?"},
    {"{\"fureai\":1,\"fureai\":1,\"objects\":[]}", "s.json:1:13: 'fureai' stands here for the second time"},
    {"{\"fureai\":1,\"step\":0,\"objects\":[]}", "s.json:1:20: step must be from 1e-09 to 1e+09"},
    {"{\"fureai\":1,\"steps\":1.5,\"objects\":[]}", "s.json:1:21: steps must be a whole number"},
    {"{\"fureai\":1,\"steps\":1e99999,\"objects\":[]}", "s.json:1:21: steps must be from 1 to 1e+09"},
    {"{\"fureai\":1,\"step\":NaN,\"objects\":[]}", "s.json:1:20: a value expected, not 'N'"},
    {"{\"fureai\":1,\"objects\":[{}]}", "s.json:1:24: an object lacks 'name'"},
    {"{\"fureai\":1,\"objects\":[7]}", "s.json:1:24: an object must be an object, not a number"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"\",\"shape\":\"box\"}]}",
     "s.json:1:32: name must have from 1 to 255 bytes"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\"}]}", "s.json:1:24: an object needs 'model', 'shape' or 'class'"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"m\",\"shape\":\"box\"}]}",
     "s.json:1:48: an object has 'model', 'shape', 'boxes', 'rows' or 'class', not two of them"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"spere_960\"}]}",
     "s.json:1:44: no shape 'spere_960'; did you mean 'sphere_960'?"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"sphere:4\"}]}",
     "s.json:1:44: a sphere is named as sphere:8x16, stacks x slices"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"sphere:STACKSxSLICES\"}]}",
     "s.json:1:44: a sphere is named as sphere:8x16, stacks x slices"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"teapot\"}]}", "s.json:1:44: no shape 'teapot'"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"model\":\"a\\u0000b\"}]}",
     "s.json:1:44: model holds a control character"},
    {OBJECT("\"unit\":\"mm\""), "s.json:2:27: only an object with 'model' has 'unit'"},
    {OBJECT("\"up\":\"z\""), "s.json:2:27: only an object with 'model' has 'up'"},
    {MODEL("\"unit\":\"inch\""), "s.json:2:36: unit is mm, cm, m, km, in, ft, a number of metres, or guess"},
    {MODEL("\"unit\":\"0.1\""), "s.json:2:36: unit is mm, cm, m, km, in, ft, a number of metres, or guess"},
    {MODEL("\"unit\":0"), "s.json:2:36: unit must be from 1e-09 to 1e+09"},
    {MODEL("\"unit\":[1]"), "s.json:2:36: unit must be a string, not an array"},
    {MODEL("\"up\":\"w\""), "s.json:2:34: up is not 'w'; did you mean 'x'?"},
    {OBJECT("\"postion\":[0,0,0]"), "s.json:2:27: an object has no key 'postion'; did you mean 'position'?"},
    {OBJECT("\"position\":[0,0]"), "s.json:2:38: position must be 3 numbers, not 2"},
    {OBJECT("\"position\":[0,0,\"0\"]"), "s.json:2:43: position must be 3 numbers, not a string"},
    {OBJECT("\"position\":[0,1e16,0]"), "s.json:2:41: position must be from -1e+15 to 1e+15"},
    {OBJECT("\"rotation\":[1,1,0,0]"), "s.json:2:38: rotation must be a quaternion w, x, y, z of length 1, within 1 %"},
    {OBJECT("\"rotation\":[0,0,0,0]"), "s.json:2:38: rotation must be a quaternion w, x, y, z of length 1, within 1 %"},
    {OBJECT("\"rotation\":[1,0,0,0],\"axis_angle_deg\":[1,0,0,0]"), "s.json:2:48: rotation is given already"},
    {OBJECT("\"axis_angle_deg\":[0,0,0,0]"), "s.json:2:44: the axis of axis_angle_deg is zero"},
    {OBJECT("\"axis_angle_deg\":[0,0,1,1e8]"), "s.json:2:44: the angle of axis_angle_deg must be from -1e+07 to 1e+07"},
    {OBJECT("\"scale\":0"), "s.json:2:35: scale must be from 1e-15 to 1e+15"},
    {OBJECT("\"scale\":-1"), "s.json:2:35: scale must be from 1e-15 to 1e+15"},
    {OBJECT("\"static\":1"), "s.json:2:36: static must be true or false, not a number"},
    {OBJECT("\"static\":true,\"velocity\":[0,0,0]"), "s.json:2:41: a static object has no 'velocity'"},
    {OBJECT("\"path\":[]"), "s.json:2:34: path must have at least 1 values, not 0"},
    {OBJECT("\"path\":[{\"t\":0}]"), "s.json:2:35: a sample of path lacks 'position'"},
    {OBJECT("\"path\":[{\"t\":1,\"position\":[0,0,0]},{\"t\":1,\"position\":[0,0,0]}]"),
     "s.json:2:67: t must be greater than the 1 before it"},
    {OBJECT("\"path\":[{\"t\":0,\"position\":[0,0,0]}],\"velocity\":[1,0,0]"),
     "s.json:2:63: an object with 'path' has no 'velocity'"},
    {"{\"fureai\":1,\"steps\":100,\"step\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\",\"angular_velocity_deg\":["
     "0,1e7,0]}]}",
     "s.json:1:94: the object turns by more than 60078979.3 degrees in all steps"},
    {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"},\n"
     "{\"name\":\"b\",\"shape\":\"box\"},{\"name\":\"\\u0061\",\"shape\":\"box\"}]}",
     "s.json:2:9: another object has the name 'b'"},
};

static void wrong_scenes_are_refused_at_their_place(void **state) {
    (void)state;
    fr_scene_read_input options = fr_default_scene_read_input();
    options.name = "s.json";
    for (size_t i = 0; i < sizeof wrong_scenes / sizeof wrong_scenes[0]; i++) {
        const char *text = wrong_scenes[i].text;
        fr_scene *scene = (fr_scene *)&options;
        fr_error error = {0};
        fr_status status = fr_scene_read(text, strlen(text), &options, &scene, &error);
        char printed[600];
        fr_error_format(&error, printed, sizeof printed);
        assert_int_not_equal(status, FR_OK);
        assert_int_equal(error.status, status);
        assert_null(scene);
        assert_string_equal(printed, wrong_scenes[i].message);
        assert_int_equal(fr_scene_read(text, strlen(text), NULL, &scene, NULL), status);
    }
}

static void a_view_says_where_the_scene_is_looked_at_from(void **state) {
    (void)state;
    const char *text =
        "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"}],"
        "\"view\":{\"from\":[1,2,3],\"to\":[0,0,1],\"frame\":[\"b\",\"a\"]}}";
    fr_scene *scene;
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &scene, NULL), FR_OK);
    const fr_scene_camera *camera = fr_scene_get(scene)->camera;
    assert_non_null(camera);
    assert_true(camera->has_eye && camera->eye.z == 3.0 && camera->target.z == 1.0);
    assert_true(camera->object_count == 2 && camera->objects[0] == 1 && camera->objects[1] == 0);
    fr_scene_destroy(scene);
    const char *plain = "{\"fureai\":1,\"objects\":[]}";
    assert_int_equal(fr_scene_read(plain, strlen(plain), NULL, &scene, NULL), FR_OK);
    assert_null(fr_scene_get(scene)->camera);
    fr_scene_destroy(scene);
}

static void limits_are_kept(void **state) {
    (void)state;
    const char *text =
        "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"}]}";
    fr_scene_read_input options = fr_default_scene_read_input();
    fr_scene *scene;
    options.max_objects = 1;
    assert_int_equal(fr_scene_read(text, strlen(text), &options, &scene, NULL), FR_ERROR_LIMIT);
    options.max_objects = 2;
    options.max_bytes = strlen(text) - 1;
    assert_int_equal(fr_scene_read(text, strlen(text), &options, &scene, NULL), FR_ERROR_LIMIT);
    options.max_bytes++;
    assert_int_equal(fr_scene_read(text, strlen(text), &options, &scene, NULL), FR_OK);
    fr_scene_destroy(scene);
}

// Chains of joints are bounded, in whichever order they stand in the file.
static void long_chains_are_refused(void **state) {
    (void)state;
    enum { MOST = FR_SCENE_MAX_CHAIN + 3 };
    static char text[MOST * 200];
    for (int order = 0; order < 2; order++) {
        for (int length = FR_SCENE_MAX_CHAIN - 1; length <= FR_SCENE_MAX_CHAIN + 1; length++) {
            size_t used = (size_t)sprintf(text, "{\"fureai\":1,\"objects\":[{\"name\":\"0\",\"shape\":\"box\"}");
            for (int i = 1; i <= length; i++) {
                used += (size_t)sprintf(text + used, ",{\"name\":\"%d\",\"shape\":\"box\"}", i);
            }
            used += (size_t)sprintf(text + used, "],\"joints\":[");
            for (int i = 1; i <= length; i++) {
                int child = order == 0 ? i : length + 1 - i;
                used += (size_t)sprintf(text + used, "%s{\"kind\":\"fixed\",\"child\":\"%d\",\"parent\":\"%d\"}",
                                        i > 1 ? "," : "", child, child - 1);
            }
            used += (size_t)sprintf(text + used, "]}");
            fr_scene *scene;
            fr_status status = fr_scene_read(text, used, NULL, &scene, NULL);
            assert_int_equal(status, length <= FR_SCENE_MAX_CHAIN ? FR_OK : FR_ERROR_LIMIT);
            fr_scene_destroy(scene);
        }
    }
}

// Every beginning of a file, and every file with one byte put wrong, is read or refused, and nothing worse.
static void broken_files_are_refused(void **state) {
    (void)state;
    size_t size = strlen(whole);
    for (size_t cut = 0; cut < size - 2; cut++) {
        fr_scene *scene;
        char *copy = malloc(cut + 1);
        assert_non_null(copy);
        memcpy(copy, whole, cut);
        assert_int_not_equal(fr_scene_read(copy, cut, NULL, &scene, NULL), FR_OK);
        free(copy);
    }
    char text[sizeof whole];
    for (size_t i = 0; i < size; i++) {
        static const char bytes[] = "\0\"{}[],:0-e\\\x80\xFF ";
        for (size_t j = 0; j < sizeof bytes - 1; j++) {
            memcpy(text, whole, size);
            text[i] = bytes[j];
            fr_scene *scene;
            fr_error error = {0};
            if (fr_scene_read(text, size, NULL, &scene, &error) == FR_OK) {
                fr_scene_destroy(scene);
            } else {
                assert_true(error.line >= 1 && error.column >= 1 && error.message[0] != '\0');
            }
        }
    }
}

// A hundred thousand objects, in time that grows with the file; then the same with the last name there twice.
static void large_scenes_take_linear_time(void **state) {
    (void)state;
    size_t count = 100000, size = 0;
    char *text = malloc(64 * count);
    assert_non_null(text);
    size += (size_t)sprintf(text, "{\"fureai\":1,\"objects\":[");
    for (size_t i = 0; i < count; i++) {
        size += (size_t)sprintf(text + size, "%s\n{\"name\":\"%zu\",\"shape\":\"box\",\"position\":[%zu,0,0]}",
                                i == 0 ? "" : ",", i, i);
    }
    size += (size_t)sprintf(text + size, "]}");
    uint64_t start = fr_clock_ns();
    fr_scene *scene;
    assert_int_equal(fr_scene_read(text, size, NULL, &scene, NULL), FR_OK);
    assert_int_equal(fr_scene_get(scene)->objects[count - 1].line, (int)count + 1);
    fr_scene_destroy(scene);
    assert_true(fr_clock_ms_since(start) < 20000.0);

    char *last = strstr(text + size - 60, "\"99999\"");
    assert_non_null(last);
    memcpy(last, "\"99998\"", 7);
    fr_error error = {0};
    assert_int_equal(fr_scene_read(text, size, NULL, &scene, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(error.line, (int)count + 1);
    free(text);
}

// Files that take the most memory a byte: many tokens, many small objects, many samples.
static void memory_grows_with_the_bytes(void **state) {
    (void)state;
    static const struct {
        const char *begin, *item, *end;
    } files[] = {
        {"{\"fureai\":1,\"objects\":[0", ",0", "]}"},
        {"{\"fureai\":1,\"objects\":[[]", ",[]", "]}"},
        {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"}", ",{\"name\":\"%zu\",\"shape\":\"box\"}",
         "]}"},
        {"{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\",\"path\":[{\"t\":0,\"position\":[0,0,0]}",
         ",{\"t\":%zu,\"position\":[0,0,0]}", "]}]}"},
    };
    size_t count = 50000;
    char *text = malloc(64 * count);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t size = (size_t)sprintf(text, "%s", files[i].begin);
        for (size_t k = 1; k <= count; k++) {
            size += (size_t)snprintf(text + size, 64, files[i].item, k);
        }
        size += (size_t)sprintf(text + size, "%s", files[i].end);
        fr_probe *probe = fr_probe_create();
        fr_scene_read_input options = fr_default_scene_read_input();
        options.allocator = fr_probe_allocator(probe);
        fr_scene *scene;
        fr_status status = fr_scene_read(text, size, &options, &scene, NULL);
        assert_int_equal(status == FR_OK, i >= 2);
        fr_scene_destroy(scene);
        assert_true(fr_probe_get(probe).peak_bytes <= 64 * size + 65536);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
    free(text);
}

static void a_locale_changes_nothing(void **state) {
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "de_DE") == NULL) { skip(); }
    fr_scene *scene = read_text(whole);
    setlocale(LC_ALL, "C");
    assert_true(fr_scene_get(scene)->step == 0.5);
    fr_scene_destroy(scene);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_scene_read_input options = fr_default_scene_read_input();
    options.allocator = *allocator;
    options.name = "s.json";
    fr_scene *scene;
    fr_status status = fr_scene_read(whole, strlen(whole), &options, &scene, NULL);
    fr_scene_destroy(scene);
    return status;
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(seekers_are_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(wrong_scenes_are_refused_at_their_place),
        cmocka_unit_test(a_view_says_where_the_scene_is_looked_at_from),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(long_chains_are_refused),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(large_scenes_take_linear_time),
        cmocka_unit_test(memory_grows_with_the_bytes),
        cmocka_unit_test(a_locale_changes_nothing),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
