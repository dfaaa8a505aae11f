// docs/schema/scene.schema.json and the reader accept and refuse the same files, but for what a schema cannot say.
#include "schema.h"

#include "frame.h"

#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <string.h>

static char *schema_text;
static fr_json *schema;

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    char *text = calloc(1, 1 << 20);
    *size = text != NULL ? fread(text, 1, (1 << 20) - 1, file) : 0;
    fclose(file);
    return text;
}

static int open_schema(void **state) {
    (void)state;
    size_t size = 0;
    schema_text = read_file(SCHEMA_FILE, &size);
    if (schema_text == NULL) { return -1; }
    schema = schema_parse(schema_text, size);
    return schema != NULL ? 0 : -1;
}

static int close_schema(void **state) {
    (void)state;
    fr_json_destroy(schema);
    free(schema_text);
    return 0;
}

// What a schema cannot say, by a word of the reader's message.
static const char *const beyond[] = {
    "for the second time",  "another object has the name",
    "quaternion",           "the axis of",
    "must be greater than", "in all steps",
    "there is no object",   "there is no joint for",
    "hangs on another",     "its own ancestor",
    "one below the other",  "stands first",
    "outside its limits",   "cells need a scene",
    "lower to its higher",  "have no cell",
    "have no inside",       "mode k searches",
    "in space the depth",   "is zero",
    "is not across",        "needs an 'insertion'",
    "is no part",           "a part already",
    "comes after itself",   "counts from itself",
    "is not before it",     "leads back to",
    "does not seek",        "no skill",
    "' takes no '",         "' needs '",
    "hangs on no joint",    "the joint of this",
    "is no person",         "is a person, no",
};

static bool is_beyond(const fr_error *error) {
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        if (strstr(error->message, beyond[i]) != NULL) { return true; }
    }
    return false;
}

// Every class is a box on a hinge, but for two people.
static fr_status find_class(const char *library, const char *name, fr_scene_class *out, void *context,
                            fr_error *error) {
    static const char *const models[] = {"box.obj"};
    static const fr_scene_joint hinge = {.kind = FR_JOINT_HINGE, .axis = {0.0, 1.0, 0.0}, .low = -3.0, .high = 3.0};
    (void)library;
    (void)context;
    (void)error;
    *out = (fr_scene_class){.models = models, .model_count = 1, .joint = &hinge};
    out->is_person = strcmp(name, "ken") == 0 || strcmp(name, "hana") == 0;
    out->body = fr_default_body_def();
    return FR_OK;
}

// Asks both; returns whether the reader accepts.
static bool agree(const char *text, size_t size) {
    fr_scene *scene;
    fr_error error = {0};
    fr_scene_read_input input = fr_default_scene_read_input();
    input.classes.find = find_class;
    bool reader = fr_scene_read(text, size, &input, &scene, &error) == FR_OK;
    fr_scene_destroy(scene);
    fr_json *json = schema_parse(text, size);
    if (json == NULL) {
        assert_false(reader);
        return false;
    }
    bool by_schema = schema_accepts(schema, json);
    fr_json_destroy(json);
    if (reader && !by_schema) { fail_msg("only the reader accepts: %.*s", (int)size, text); }
    if (!reader && by_schema && !is_beyond(&error)) {
        fail_msg("only the schema accepts (%s): %.*s", error.message, (int)size, text);
    }
    return reader;
}

static void expect_right_scenes(const char *name, int least) {
    DIR *folder = opendir(name);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strstr(entry->d_name, ".json") == NULL) { continue; }
        char path[600];
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        size_t size = 0;
        char *text = read_file(path, &size);
        assert_non_null(text);
        if (!agree(text, size)) { fail_msg("%s is refused", entry->d_name); }
        free(text);
        count++;
    }
    closedir(folder);
    assert_true(count >= least);
}

static void the_scenes_of_the_tests_are_right(void **state) {
    (void)state;
    expect_right_scenes(SCENE_FOLDER, 6);
}

static void the_demos_are_right(void **state) {
    (void)state;
    expect_right_scenes(DEMO_FOLDER, 4);
}

// The schema lists the shapes that there are.
static void the_shapes_are_the_same(void **state) {
    (void)state;
    const char *name;
    for (size_t i = 0; (name = fr_mesh_name(i)) != NULL; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"%s\"}]}", name);
        assert_int_equal(agree(text, strlen(text)), strchr(name, ':') == NULL);
    }
    static const char *const others[] = {"sphere:4x8",          "sphere:x8", "sphere:4x", "sphere:4x8x", "box:4x8",
                                         "sphere:1234567890x8", "sphere_25", "",          "sphere: 4x8", "SPHERE:4x8"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"%s\"}]}", others[i]);
        assert_int_equal(agree(text, strlen(text)), i == 0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Changed files

static const char *const members[] = {
    "\"unit\":\"mm\"",
    "\"unit\":0.5",
    "\"unit\":\"guess\"",
    "\"up\":\"z\"",
    "\"up\":\"guess\"",
    "\"unit\":0",
    "\"unit\":\"2\"",
    "\"up\":1",
    "\"name\":\"a\"",
    "\"model\":\"m.obj\"",
    "\"shape\":\"box\"",
    "\"position\":[1,2,3]",
    "\"rotation\":[0,1,0,0]",
    "\"axis_angle_deg\":[1,0,0,90]",
    "\"velocity\":[1,0,0]",
    "\"angular_velocity_deg\":[0,25,0]",
    "\"scale\":2",
    "\"pivot\":[0,0,1]",
    "\"static\":true",
    "\"static\":false",
    "\"path\":[{\"t\":0,\"position\":[0,0,0]}]",
    "\"path\":[{\"t\":0,\"position\":[0,0,0],\"rotation\":[1,0,0,0]},{\"t\":1,\"position\":[0,0,1]}]",
    "\"path\":[{\"t\":0,\"position\":[0,0,0],\"axis_angle_deg\":[0,1,0,9]}]",
    "\"color\":[0,128,255]",
    "\"sensor\":true",
    "\"real\":false",
    "\"self\":true",
    "\"ghost\":false",
    "\"proxy\":true",
    "\"layers\":4294967295",
    "\"mask\":0",
    "\"group\":-2147483648",
    "\"position_error\":0.01",
    "\"rotation_error_deg\":180",
    "\"latency\":1e9",
    "\"ahead\":{}",
    "\"ahead\":{\"seconds\":60}",
    "\"octree\":2",
    "\"octree\":7",
    "\"radar\":{}",
    "\"radar\":{\"range\":1e9,\"width\":1e-6,\"direction\":[0,0,-2]}",
    "\"states\":{\"open\":0.5,\"lit\":1}",
    "\"class\":\"door\"",
    "\"value\":0.5",
    "\"value_deg\":45",
    "\"data\":{\"open\":\"mine.ahmc\"}",
};
enum { MEMBER_COUNT = sizeof members / sizeof members[0] };

static const char *const values[] = {
    "null",
    "true",
    "\"x\"",
    "\"\"",
    "0",
    "-1",
    "1",
    "1.5",
    "1e15",
    "1.1e15",
    "1e300",
    "1e999",
    "-1e999",
    "[]",
    "{}",
    "[1]",
    "[1,2,3]",
    "[1,0,0,0]",
    "[1,2,\"3\"]",
    "[[1,2,3]]",
    "[1e16,0,0]",
    "[0,0,0,2e7]",
    "{\"t\":1}",
    "1e9",
    "1e10",
    "1e-16",
    "[1,2]",
    "[2,1]",
    "[0,256,0]",
    "[0,0.5,0]",
    "-1e10",
    "\"a\"",
    "\"hinge\"",
    "{\"\":1}",
    "{\"01234567890123456789012345678901\":1}",
    "{\"0123456789012345678901234567890\":1}",
};
enum { VALUE_COUNT = sizeof values / sizeof values[0] };

typedef struct text_buffer {
    char text[4096];
    size_t size;
} text_buffer;

static void put(text_buffer *b, const char *text) {
    size_t length = strlen(text);
    assert_true(b->size + length < sizeof b->text);
    memcpy(b->text + b->size, text, length + 1);
    b->size += length;
}

// An object of a few members, some of them with another value.
static void put_object(text_buffer *b, fr_random *random) {
    put(b, "{");
    bool any = false;
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        bool wanted = i == 0 ? fr_random_below(random, 20) > 0 : fr_random_below(random, MEMBER_COUNT) < 3;
        if (i == 2 && strstr(b->text, "\"model\"") == NULL) { wanted = fr_random_below(random, 8) > 0; }
        if (!wanted) { continue; }
        if (any) { put(b, ","); }
        any = true;
        const char *member = members[i];
        if (fr_random_below(random, 12) > 0) {
            put(b, member);
            continue;
        }
        size_t key = strcspn(member, ":") + 1;
        assert_true(b->size + key < sizeof b->text);
        memcpy(b->text + b->size, member, key);
        b->text[b->size += key] = '\0';
        put(b, values[fr_random_below(random, VALUE_COUNT)]);
    }
    put(b, "}");
}

static const char *const joint_members[] = {
    "\"child\":\"a\"",       "\"parent\":\"b\"", "\"position\":[1,0,0]", "\"axis\":[0,1,0]", "\"limits\":[-1,1]",
    "\"limits_deg\":[0,90]", "\"pitch\":0.001",  "\"value\":0.5",        "\"value_deg\":45",
};
enum { JOINT_MEMBER_COUNT = sizeof joint_members / sizeof joint_members[0] };

static void put_joint(text_buffer *b, fr_random *random) {
    static const char *const kinds[] = {"fixed", "attached", "hinge", "slider", "screw", "bend"};
    // By kind, the members that make a whole joint.
    static const uint32_t whole[] = {0x3, 0x3, 0x12f, 0x9b, 0x16f, 0x3};
    size_t kind = (size_t)fr_random_below(random, 6);
    put(b, "{\"kind\":\"");
    put(b, kinds[kind]);
    put(b, "\"");
    for (size_t i = 0; i < JOINT_MEMBER_COUNT; i++) {
        bool wanted = (whole[kind] >> i & 1) != 0;
        if (fr_random_below(random, 16) == 0) { wanted = !wanted; }
        if (!wanted) { continue; }
        put(b, ",");
        if (fr_random_below(random, 24) > 0) {
            put(b, joint_members[i]);
            continue;
        }
        size_t key = strcspn(joint_members[i], ":") + 1;
        memcpy(b->text + b->size, joint_members[i], key);
        b->text[b->size += key] = '\0';
        put(b, values[fr_random_below(random, VALUE_COUNT)]);
    }
    put(b, "}");
}

static void put_aid(text_buffer *b, fr_random *random) {
    static const char *const aid_members[] = {
        "\"mode\":5",        "\"magnet\":1.5", "\"blend\":0.1",   "\"fall\":true", "\"friction\":0.5",
        "\"restitution\":0", "\"undo\":8",     "\"edges\":0.005", "\"axes\":0",    "\"mod\":3"};
    put(b, ",\"aid\":{");
    bool any = false;
    for (size_t i = 0; i < sizeof aid_members / sizeof aid_members[0]; i++) {
        if (fr_random_below(random, i + 1 == sizeof aid_members / sizeof aid_members[0] ? 30 : 2) > 0) { continue; }
        if (any) { put(b, ","); }
        any = true;
        size_t key = strcspn(aid_members[i], ":") + 1;
        memcpy(b->text + b->size, aid_members[i], key);
        b->text[b->size += key] = '\0';
        put(b, fr_random_below(random, 24) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : aid_members[i] + key);
    }
    put(b, "}");
}

static void put_touch(text_buffer *b, fr_random *random) {
    static const char *const touch_members[] = {
        "\"pairs\":[8,6]",       "\"distance\":0.01",      "\"strategy\":\"combined\"",
        "\"closest\":true",      "\"way\":false",          "\"point\":[0,1,0]",
        "\"force\":{\"max\":2}", "\"force\":{\"max\":-2}", "\"strategy\":\"combine\"",
        "\"pairs\":[8,12]"};
    put(b, ",\"touch\":{\"operated\":\"a\"");
    for (size_t i = 0; i < sizeof touch_members / sizeof touch_members[0]; i++) {
        if (fr_random_below(random, i >= 7 ? 30 : 2) > 0) { continue; }
        put(b, ",");
        size_t key = strcspn(touch_members[i], ":") + 1;
        memcpy(b->text + b->size, touch_members[i], key);
        b->text[b->size += key] = '\0';
        put(b,
            fr_random_below(random, 24) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : touch_members[i] + key);
    }
    put(b, "}");
}

static void put_seek(text_buffer *b, fr_random *random) {
    static const char *const seek_members[] = {
        "\"speed\":2",  "\"range\":8", "\"bounds\":{\"min\":[-1,0,-1],\"max\":[1,0,1]}",
        "\"looks\":64", "\"seed\":0",  "\"bounds\":{\"min\":[1,0,1],\"max\":[-1,0,-1]}",
        "\"looks\":1.5"};
    put(b, fr_random_below(random, 4) == 0 ? ",\"seek\":{\"object\":\"a\",\"target\":\"a\""
                                           : ",\"seek\":{\"object\":\"a\",\"target\":\"b\"");
    for (size_t i = 0; i < sizeof seek_members / sizeof seek_members[0]; i++) {
        if (fr_random_below(random, i >= 5 ? 30 : 2) > 0) { continue; }
        put(b, ",");
        size_t key = strcspn(seek_members[i], ":") + 1;
        memcpy(b->text + b->size, seek_members[i], key);
        b->text[b->size += key] = '\0';
        put(b, fr_random_below(random, 24) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : seek_members[i] + key);
    }
    put(b, "}");
}

// A plan of the first object, some of whose members have another value.
static void put_plan(text_buffer *b, fr_random *random) {
    static const char *const plan_members[] = {"\"start\":{\"position\":[1,1,1],\"rotation_deg\":90}",
                                               "\"goal\":{\"position\":[7,7,7],\"rotation\":null}",
                                               "\"bounds\":{\"min\":[0,0,0],\"max\":[8,8,8]}",
                                               "\"dimension\":2",
                                               "\"plane\":\"xy\"",
                                               "\"depth\":8",
                                               "\"alpha_deg\":15",
                                               "\"search\":\"astar\"",
                                               "\"wish\":\"clearest\"",
                                               "\"margin\":0.1",
                                               "\"seed\":7",
                                               "\"pmax\":50",
                                               "\"C\":2",
                                               "\"threshold\":9",
                                               "\"weight\":1",
                                               "\"wrot\":4",
                                               "\"wpot\":0.5",
                                               "\"rule\":\"centre\"",
                                               "\"swept\":false",
                                               "\"mode\":\"k\"",
                                               "\"depth\":12",
                                               "\"rule\":\"center\""};
    put(b, ",\"plan\":{\"robot\":\"a\"");
    for (size_t i = 0; i < sizeof plan_members / sizeof plan_members[0]; i++) {
        bool wanted = i < 3 ? fr_random_below(random, 30) > 0 : fr_random_below(random, i >= 18 ? 30 : 3) == 0;
        if (!wanted) { continue; }
        put(b, ",");
        size_t key = strcspn(plan_members[i], ":") + 1;
        memcpy(b->text + b->size, plan_members[i], key);
        b->text[b->size += key] = '\0';
        put(b, fr_random_below(random, 30) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : plan_members[i] + key);
    }
    put(b, "}");
}

static const char *const part_members[] = {
    "\"place\":{\"position\":[1,2,3],\"rotation\":[0,1,0,0],\"relative_to\":\"b\"}",
    "\"after\":[\"b\"]",
    "\"tolerance\":0.5",
    "\"tolerance_deg\":20",
    "\"margin\":0",
    "\"slack\":0.001",
    "\"mode\":\"polygons\"",
    "\"insertion\":[0,0,-1]",
    "\"reach\":0.1",
    "\"symmetry\":{\"axis\":[0,1,0],\"center\":[1,2,3],\"fold\":\"any\",\"flip\":[1,0,0]}",
    "\"symmetry\":{\"axis\":[0,1,0],\"fold\":6}",
    "\"like\":\"b\"",
};
enum { PART_MEMBER_COUNT = sizeof part_members / sizeof part_members[0] };

// One part as it may be, and one of a few members, some of them with another value.
static void put_assembly(text_buffer *b, fr_random *random) {
    put(b, "{\"object\":\"b\",\"place\":{\"position\":[0,0,0]}},{\"object\":");
    put(b, fr_random_below(random, 24) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : "\"a\"");
    for (size_t i = 0; i < PART_MEMBER_COUNT; i++) {
        bool wanted = i == 0 ? fr_random_below(random, 24) > 0 : fr_random_below(random, 4) == 0;
        if (!wanted) { continue; }
        put(b, ",");
        if (fr_random_below(random, 16) > 0) {
            put(b, part_members[i]);
            continue;
        }
        size_t key = strcspn(part_members[i], ":") + 1;
        memcpy(b->text + b->size, part_members[i], key);
        b->text[b->size += key] = '\0';
        put(b, values[fr_random_below(random, VALUE_COUNT)]);
    }
    put(b, "}]");
    if (fr_random_below(random, 4) > 0) { return; }
    put(b, ",\"tolerance\":");
    put(b, values[fr_random_below(random, VALUE_COUNT)]);
}

static void put_scene(text_buffer *b, fr_random *random) {
    b->size = 0;
    put(b, "{\"fureai\":");
    put(b, fr_random_below(random, 20) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : "1");
    if (fr_random_below(random, 2) == 0) {
        put(b, ",\"step\":");
        put(b, fr_random_below(random, 4) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : "0.5");
    }
    if (fr_random_below(random, 2) == 0) {
        put(b, ",\"steps\":");
        put(b, fr_random_below(random, 4) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : "12");
    }
    if (fr_random_below(random, 30) == 0) { put(b, ",\"other\":1"); }
    static const char *const extras[] = {",\"title\":", ",\"about\":", ",\"loop\":"};
    static const char *const right[] = {"\"A door\"", "\"It opens.\"", "true"};
    for (size_t i = 0; i < 3; i++) {
        if (fr_random_below(random, 4) > 0) { continue; }
        put(b, extras[i]);
        put(b, fr_random_below(random, 8) == 0 ? values[fr_random_below(random, VALUE_COUNT)] : right[i]);
    }
    if (fr_random_below(random, 4) == 0) { put_aid(b, random); }
    uint64_t kind = fr_random_below(random, 4);
    if (kind < 2 && fr_random_below(random, 4) == 0) { put_touch(b, random); }
    if (kind < 2 && fr_random_below(random, 4) == 0) { put_seek(b, random); }
    if (kind < 2 && fr_random_below(random, 4) == 0) { put_plan(b, random); }
    put(b, ",\"objects\":[");
    if (kind > 1) {
        put_object(b, random);
    } else {
        put(b, "{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\"}],");
        put(b, kind == 0 ? "\"joints\":[" : "\"assembly\":{\"parts\":[");
        kind == 0 ? put_joint(b, random) : put_assembly(b, random);
    }
    put(b, kind == 1 ? "}}" : "]}");
}

static void changed_files_are_judged_alike(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    uint64_t count = test_count(30000, 3000000), accepted = 0;
    for (uint64_t i = 0; i < count; i++) {
        text_buffer b;
        put_scene(&b, &random);
        accepted += agree(b.text, b.size);
    }
    // The sample is of use only when it holds many of both.
    assert_true(accepted > count / 20 && accepted < count - count / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenes_of_the_tests_are_right),
        cmocka_unit_test(the_demos_are_right),
        cmocka_unit_test(the_shapes_are_the_same),
        cmocka_unit_test(changed_files_are_judged_alike),
    };
    return cmocka_run_group_tests(tests, open_schema, close_schema);
}
