// People of a scene: the objects that they become, how they stand, what they do in a world, and what is refused.
#include "scene_text.h"

#include "base/allocator.h"

#include <math.h>
#include <stdio.h>

#define ONE_PERSON                                                                                                     \
    "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"post\",\"shape\":\"box\",\"position\":[9,0,0]}],\"people\":" \
    "["                                                                                                                \
    "{\"name\":\"Hana\",\"stature\":1.6,\"seed\":3,\"detail\":\"coarse\",\"position\":[1,0,2],\"heading_deg\":90%s}]}"

static fr_scene *read_person(const char *more) {
    char text[1000];
    snprintf(text, sizeof text, ONE_PERSON, more);
    return read_right(text);
}

typedef struct built_scene {
    const fr_scene *scene;
    fr_world *world;
    fr_scene_player *player;
    fr_cast *cast;
    fr_object_id ids[64];
} built_scene;

static void build(built_scene *b, const fr_scene *scene) {
    memset(b, 0, sizeof *b);
    b->scene = scene;
    fr_world_def def = fr_scene_world_def(scene);
    assert_int_equal(fr_world_create(&def, &b->world, NULL), FR_OK);
    assert_int_equal(fr_scene_player_create(NULL, &b->player, NULL), FR_OK);
    fr_scene_build_input input = fr_default_scene_build_input();
    input.player = b->player;
    fr_error error = {0};
    if (fr_scene_build_world(scene, &input, b->world, b->ids, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static void add_cast(built_scene *b) {
    fr_error error = {0};
    if (fr_scene_cast(b->scene, b->world, NULL, &b->cast, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static void end_build(built_scene *b) {
    fr_cast_destroy(b->cast);
    fr_world_destroy(b->world);
    fr_scene_player_destroy(b->player);
}

static fr_vec3 bone_place(const built_scene *b, uint32_t object, uint32_t bone) {
    const fr_object_view *view = fr_object_get(fr_world_space(b->world), b->ids[object]);
    return fr_pose_apply(&view->pose, view->bones[bone].position);
}

// A person is a skin and 19 pieces; upright, they stand where the body's table has them, turned and carried to its
// place.
static void people_stand_where_the_file_puts_them(void **state) {
    (void)state;
    fr_scene *scene = read_person("");
    const fr_scene_view *view = fr_scene_get(scene);
    assert_int_equal(view->object_count, 21);
    assert_int_equal(view->person_count, 1);
    assert_int_equal(view->people[0].object, 1);
    assert_string_equal(view->objects[1].name, "Hana");
    assert_string_equal(view->objects[2].name, "Hana hip");
    assert_string_equal(view->objects[20].name, "Hana left_thumb");
    built_scene b;
    build(&b, scene);
    fr_body_def body = fr_default_body_def();
    body.stature = 1.6;
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_pose rest[FR_LINK_COUNT];
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(skeleton, &posture, 1, rest, NULL), FR_OK);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        fr_vec3 p = rest[i].position; // facing +Z; a quarter turn to the left takes z to x and x to -z
        fr_vec3 want = fr_vec3_make(1.0 + p.z, p.y, 2.0 - p.x);
        assert_true(fr_vec3_distance(bone_place(&b, 1, i), want) < 1e-12);
    }
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_object_view *piece = fr_object_get(fr_world_space(b.world), b.ids[2 + i]);
        assert_int_equal(piece->flags, FR_OBJECT_PROXY);
        assert_true(piece->filter.group < 0);
        fr_vec3 bone = bone_place(&b, 1, fr_figure_proxy_link(i));
        assert_true(fr_vec3_distance(piece->pose.position, bone) < 1e-12);
    }
    fr_skeleton_release(skeleton);
    const fr_looks *looks = fr_scene_player_looks(b.player);
    assert_int_equal(looks->mesh_count, 1);
    assert_int_equal(fr_mesh_get(looks->meshes[0].mesh)->triangle_count, 1320);
    assert_non_null(looks->meshes[0].colors);
    end_build(&b);
    fr_scene_destroy(scene);
}

// Pieces of one person never meet one another, but those of two people do.
static void a_person_does_not_touch_itself(void **state) {
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"detail\":\"coarse\"},"
                 "{\"name\":\"b\",\"detail\":\"coarse\",\"position\":[%d,0,0.05]}]}",
                 apart * 5);
        fr_scene *scene = read_right(text);
        built_scene b;
        build(&b, scene);
        add_cast(&b);
        assert_int_equal(fr_cast_tick(b.cast, NULL, NULL), FR_OK);
        const fr_snapshot *snapshot = fr_world_snapshot(b.world);
        if (apart == 1) { assert_int_equal(snapshot->touch_count, 0); }
        if (apart == 0) { assert_true(snapshot->touch_count > 0); }
        fr_snapshot_release(snapshot);
        end_build(&b);
        fr_scene_destroy(scene);
    }
}

static void people_of_one_look_share_a_mesh(void **state) {
    (void)state;
    fr_scene *scene = read_right(
        "{\"fureai\":1,\"objects\":[],\"people\":["
        "{\"name\":\"a\",\"detail\":\"coarse\",\"seed\":1},{\"name\":\"b\",\"detail\":\"coarse\",\"seed\":2},"
        "{\"name\":\"c\",\"detail\":\"coarse\",\"seed\":1}]}");
    built_scene b;
    build(&b, scene);
    const fr_space *space = fr_world_space(b.world);
    fr_part_view first = fr_object_part(space, b.ids[0], 0), third = fr_object_part(space, b.ids[40], 0);
    assert_ptr_not_equal(first.mesh, fr_object_part(space, b.ids[20], 0).mesh);
    assert_ptr_equal(first.mesh, third.mesh);
    assert_ptr_equal(fr_object_part(space, b.ids[5], 0).mesh, fr_object_part(space, b.ids[45], 0).mesh);
    assert_int_equal(fr_scene_player_looks(b.player)->mesh_count, 2);
    end_build(&b);
    fr_scene_destroy(scene);
}

// It walks to where the file says, and stands where it began when the scene begins again.
static void people_do_what_the_file_says(void **state) {
    (void)state;
    fr_scene *scene = read_person(
        ",\"does\":[{\"skill\":\"walk\",\"goal\":[3,0,2]},"
        "[{\"skill\":\"turn\",\"heading_deg\":0},{\"skill\":\"hold_arm\",\"side\":\"left\",\"frames\":9}]]");
    const fr_scene_person *person = &fr_scene_get(scene)->people[0];
    assert_int_equal(person->task_count, 3);
    assert_int_equal(person->tasks[0].list, 0);
    assert_int_equal(person->tasks[1].list, 1);
    assert_int_equal(person->tasks[2].list, 1);
    built_scene b;
    build(&b, scene);
    add_cast(&b);
    fr_vec3 begin = bone_place(&b, 1, 0);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 400; k++) {
            assert_int_equal(fr_cast_tick(b.cast, NULL, NULL), FR_OK);
        }
        fr_vec3 hip = bone_place(&b, 1, 0);
        assert_true(hypot(hip.x - 3.0, hip.z - 2.0) < 2e-3);
        assert_int_equal(fr_scene_restart_world(scene, b.world, NULL), FR_OK);
        assert_int_equal(fr_cast_begin(b.cast, NULL), FR_OK);
        assert_true(fr_vec3_distance(bone_place(&b, 1, 0), begin) < 1e-12);
    }
    end_build(&b);
    fr_scene_destroy(scene);
}

static void skins_and_ghosts_have_no_pieces(void **state) {
    (void)state;
    static const struct solidity {
        const char *text;
        uint32_t flags;
    } cases[] = {{",\"solid\":\"skin\"", 0}, {",\"solid\":\"none\"", FR_OBJECT_GHOST}};
    for (size_t i = 0; i < 2; i++) {
        fr_scene *scene = read_person(cases[i].text);
        assert_int_equal(fr_scene_get(scene)->object_count, 2);
        assert_int_equal(fr_scene_get(scene)->objects[1].flags, cases[i].flags);
        built_scene b;
        build(&b, scene);
        add_cast(&b);
        assert_int_equal(fr_cast_tick(b.cast, NULL, NULL), FR_OK);
        end_build(&b);
        fr_scene_destroy(scene);
    }
}

static void wrong_people_are_refused(void **state) {
    (void)state;
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"stature\":1.7}]}", "name", "{\"stature\"");
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"stature\":3}]}", "stature", "3}");
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"solid\":\"bones\"}]}", "solid",
                 "\"bones\"");
    expect_wrong("{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"}],\"people\":[{\"name\":\"a\"}]}",
                 "another object has the name 'a'", "\"a\"}]}");
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"does\":[{\"skill\":\"fly\"}]}]}",
                 "no skill 'fly'", "\"fly\"");
    expect_wrong(
        "{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"does\":[{\"skill\":\"walk\",\"goal\":[0,0,0],"
        "\"object\":\"cup\"}]}]}",
        "cup", "\"cup\"");
    expect_wrong("{\"fureai\":1,\"objects\":[],\"people\":[{\"name\":\"a\",\"does\":[[]]}]}", "tasks", "[]]}");
}

// A clip that is not there is refused when the cast is made, at its line.
static void clips_are_looked_for(void **state) {
    (void)state;
    fr_scene *scene = read_person(",\"does\":[{\"skill\":\"mocap_play\",\"clip\":\"dance on\"}]");
    built_scene b;
    build(&b, scene);
    fr_error error = {0};
    assert_int_not_equal(fr_scene_cast(scene, b.world, NULL, &b.cast, &error), FR_OK);
    assert_non_null(strstr(error.message, "dance on"));
    assert_int_equal(error.line, 1);
    assert_true(error.column > 100);
    end_build(&b);
    fr_scene_destroy(scene);
}

static fr_status read_people(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.allocator = *allocator;
    fr_scene *scene;
    fr_status status = fr_scene_read(text, strlen(text), &reading, &scene, NULL);
    if (status == FR_OK) { test_note_number(fr_scene_get(scene)->object_count); }
    fr_scene_destroy(scene);
    return status;
}

static fr_status build_people(const fr_allocator *allocator, void *context) {
    fr_space *space = NULL;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_status status = fr_space_create(&def, &space, NULL);
    fr_scene_build_input input = fr_default_scene_build_input();
    input.allocator = *allocator;
    fr_object_id ids[32];
    if (status == FR_OK) { status = fr_scene_build(context, &input, space, ids, NULL); }
    if (status == FR_OK) { test_note_number(fr_space_object_count(space)); }
    fr_space_destroy(space);
    return status;
}

// A figure takes a tenth of a second: its own test fails each of its allocations.
static void memory_may_run_short(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, ONE_PERSON, ",\"does\":[{\"skill\":\"turn\",\"heading_deg\":0}]");
    test_every_failure(read_people, text);
    fr_scene *scene = read_right(text);
    test_every_bound(build_people, scene, false);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_stand_where_the_file_puts_them),
        cmocka_unit_test(a_person_does_not_touch_itself),
        cmocka_unit_test(people_of_one_look_share_a_mesh),
        cmocka_unit_test(people_do_what_the_file_says),
        cmocka_unit_test(skins_and_ghosts_have_no_pieces),
        cmocka_unit_test(wrong_people_are_refused),
        cmocka_unit_test(clips_are_looked_for),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
