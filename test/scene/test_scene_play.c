// Models that move by themselves in a space and a world made from a scene.
#include "fureai/scene.h"

#include "failing.h"
#include "model/glb_bytes.h"
#include "skinned_glb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A model of two triangles: one slides 10 along x in 2 seconds again and again, one stands; a third is not to be
// touched, a fourth is hidden. In the intermediate format.
static fr_array model_bytes;

static int make_model(void **state) {
    (void)state;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, keys[] = {0, 1}, travel[] = {0, 0, 0, 10, 0, 0};
    static const uint32_t corners[] = {0, 1, 2};
    const fr_model_mesh mesh = {.positions_float = positions, .vertex_count = 3, .corners = corners, .face_count = 1};
    const fr_model_placement placement = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    const fr_model_clock clock = {.cycle = 2, .is_loop = true, .is_enabled = true};
    const fr_model_track track = {FR_MODEL_TRANSLATION, 0, 0, 2, 3, keys, travel};
    fr_model_node nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i] = fr_default_model_node();
        nodes[i].mesh = 0;
    }
    nodes[0].placement = 0;
    nodes[1].material = 0;
    fr_model_material material = fr_default_model_material();
    material.diffuse[0] = 1.0f;
    material.diffuse[1] = 0.5f;
    material.diffuse[2] = -1.0f;
    nodes[2].flags = FR_MODEL_NO_COLLIDE;
    nodes[3].flags = FR_MODEL_HIDDEN;
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 4;
    def.meshes = &mesh;
    def.mesh_count = 1;
    def.materials = &material;
    def.material_count = 1;
    def.placements = &placement;
    def.placement_count = 1;
    def.clocks = &clock;
    def.clock_count = 1;
    def.tracks = &track;
    def.track_count = 1;
    const fr_model_sound sounds[] = {{.path = "beep.wav",
                                      .node = 1,
                                      .location = {1, 2, 3},
                                      .intensity = 0.5,
                                      .pitch = 1,
                                      .max_front = 9,
                                      .is_loop = true},
                                     {.path = "missing.wav", .node = 1},
                                     {.path = "beep.wav", .node = 0, .location = {0, 1, 0}}};
    def.sounds = sounds;
    def.sound_count = 3;
    fr_model *model;
    model_bytes = fr_array_make(1, NULL);
    if (fr_model_create(&def, &model, NULL) != FR_OK) { return -1; }
    fr_status status = fr_model_write(model, FR_MODEL_FRM, NULL, push_bytes, &model_bytes, NULL);
    fr_model_destroy(model);
    return status == FR_OK ? 0 : -1;
}

static int free_model(void **state) {
    (void)state;
    fr_array_destroy(&model_bytes);
    return 0;
}

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    bool is_moving = strcmp(path, "folder/moving.frm") == 0;
    if (strcmp(path, "folder/beep.wav") == 0) {
        *bytes = "RIFF";
        *size = 4;
        return FR_OK;
    }
    if (!is_moving && strcmp(path, "still.obj") != 0) { return fr_error_set(error, FR_ERROR_FILE, "no file %s", path); }
    *bytes = is_moving ? model_bytes.data : obj;
    *size = is_moving ? model_bytes.count : sizeof obj - 1;
    return FR_OK;
}

static const char scene_text[] =
    "{\"fureai\":1,\"step\":0.25,\"steps\":4,\"objects\":[\n"
    "{\"name\":\"a\",\"model\":\"folder/moving.frm\"},\n"
    "{\"name\":\"b\",\"model\":\"still.obj\",\"position\":[8.75,0,0]},\n"
    "{\"name\":\"c\",\"model\":\"folder/moving.frm\",\"position\":[0,50,0],\"color\":[1,2,3]}]}";

static fr_scene *read_scene(void) {
    fr_scene *scene;
    assert_int_equal(fr_scene_read(scene_text, strlen(scene_text), NULL, &scene, NULL), FR_OK);
    return scene;
}

static double x_of(const fr_space *space, fr_object_id id, uint32_t vertex) {
    const fr_object_view *view = fr_object_get(space, id);
    return view->vertices != NULL ? view->vertices[vertex].x : -1.0;
}

static void a_space_is_put_and_moved(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    fr_scene_player *player;
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load;
    options.player = player;
    options.k = 2;
    fr_object_id ids[3];
    fr_error error = {0};
    if (fr_scene_build(scene, &options, space, ids, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_object_view *view = fr_object_get(space, ids[0]);
    assert_int_equal(view->part_count, 2); // neither what is hidden nor what is not to be touched
    assert_int_equal(view->vertex_count, 6);
    assert_true(x_of(space, ids[0], 0) == 2.5 && x_of(space, ids[0], 3) == 0.0); // at 0.5 s; the second part stands
    assert_true(x_of(space, ids[2], 1) == 3.5);
    assert_true(x_of(space, ids[1], 0) == -1.0); // without tracks its mesh's own vertices stand

    assert_int_equal(fr_scene_player_move(player, space, 0.75, NULL), FR_OK);
    assert_true(view->next_vertices != NULL && view->next_vertices[0].x == 3.75);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_space_commit(space, NULL), FR_OK);
    assert_true(x_of(space, ids[0], 0) == 3.75);
    assert_int_equal(fr_scene_player_place(player, space, 0.0, NULL), FR_OK);
    assert_true(x_of(space, ids[0], 0) == 0.0 && x_of(space, ids[2], 0) == 0.0);
    fr_space_destroy(space);
    fr_scene_player_destroy(player);
    fr_scene_player_destroy(NULL);
    fr_scene_destroy(scene);
}

// A strip that two bones bend: its vertices follow in the space.
static fr_status load_skinned(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)path;
    (void)error;
    const fr_array *file = context;
    *bytes = file->data;
    *size = file->count;
    return FR_OK;
}

static void a_skin_bends_in_a_space(void **state) {
    (void)state;
    static const char text[] =
        "{\"fureai\":1,\"step\":0.5,\"steps\":4,\"objects\":[{\"name\":\"a\",\"model\":\"a.glb\"}]}";
    skinned_binary lists = skinned_lists();
    fr_array file = glb_bytes(SKINNED_JSON, &lists, sizeof lists);
    fr_scene *scene;
    fr_scene_player *player;
    fr_space *space;
    fr_object_id id;
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &scene, NULL), FR_OK);
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load_skinned;
    options.context = &file;
    options.player = player;
    assert_int_equal(fr_scene_build(scene, &options, space, &id, NULL), FR_OK);
    for (int i = 0; i <= 8; i++) {
        double t = i / 8.0, angle = 0.5 * FR_PI * t;
        assert_int_equal(fr_scene_player_place(player, space, 2.0 * t, NULL), FR_OK);
        const fr_vec3 *v = fr_object_get(space, id)->vertices;
        assert_true(fr_vec3_distance(v[4], fr_vec3_make(-sin(angle), 1.0 + cos(angle), 0.0)) < 1e-7);
        assert_true(fr_vec3_distance(v[1], fr_vec3_make(1.0 + t, 0.0, 0.0)) < 1e-7);
    }
    fr_space_destroy(space);
    fr_scene_player_destroy(player);
    fr_scene_destroy(scene);
    fr_array_destroy(&file);
}

// Without shapes the same strip is played by bones: its vertices are those of the play, wherever the object is, and
// snapshots carry the bones.
static void a_skin_is_played_by_bones(void **state) {
    (void)state;
    static const char text[] =
        "{\"fureai\":1,\"step\":0.0625,\"steps\":4,\"objects\":[{\"name\":\"a\",\"model\":\"a.glb\","
        "\"position\":[1e6,-3,1e6],\"axis_angle_deg\":[1,2,3,40],\"scale\":3},"
        "{\"name\":\"b\",\"model\":\"a.glb\",\"position\":[0,9,0]}]}";
    skinned_binary lists = skinned_lists();
    fr_array file = glb_bytes(BONED_JSON, &lists, sizeof lists);
    fr_scene *scene;
    fr_scene_player *player;
    fr_world *world;
    fr_model *model;
    fr_model_play *play;
    fr_object_id ids[2];
    assert_int_equal(fr_model_read(file.data, file.count, NULL, &model, NULL), FR_OK);
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &scene, NULL), FR_OK);
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    fr_world_def def = fr_scene_world_def(scene);
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load_skinned;
    options.context = &file;
    options.player = player;
    assert_int_equal(fr_scene_build_world(scene, &options, world, ids, NULL), FR_OK);
    fr_space *space = fr_world_space(world);
    for (int tick = 1; tick <= 70; tick++) {
        assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
        fr_vec3 expected[6];
        fr_model_play_at(play, fr_world_time(world));
        fr_model_play_vertices(play, 0, expected);
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        for (int i = 0; i < 2; i++) {
            const fr_object_view *view = fr_object_get(space, ids[i]);
            assert_true(view->bone_count == 2 && view->bones != NULL && view->vertices != NULL);
            for (int v = 0; v < 6; v++) {
                assert_true(fr_vec3_distance(view->vertices[v], expected[v]) < 1e-12);
                fr_vec3 at = fr_pose_apply(&view->pose, view->vertices[v]);
                assert_true(fr_vec3_distance(at, fr_pose_apply(&view->pose, expected[v])) < 1e-9);
            }
            assert_int_equal(snapshot->objects[i].bone_count, 2);
        }
        fr_snapshot_release(snapshot);
    }
    // From scratch.
    assert_int_equal(fr_scene_restart_world(scene, world, NULL), FR_OK);
    assert_int_equal(fr_scene_player_place(player, space, 0.0, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_true(fr_vec3_distance(fr_object_get(space, ids[1])->vertices[4], fr_vec3_make(0.0, 2.0, 0.0)) < 1e-12);
    fr_world_destroy(world);
    fr_scene_player_destroy(player);
    fr_scene_destroy(scene);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    fr_array_destroy(&file);
}

static fr_world *make_world(const fr_scene *scene, fr_scene_player *player, fr_object_id *ids) {
    fr_world_def def = fr_default_world_def();
    def.step = fr_scene_get(scene)->step;
    def.sense = FR_SENSE_CONTINUOUS;
    fr_world *world;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load;
    options.player = player;
    assert_int_equal(fr_scene_build_world(scene, &options, world, ids, NULL), FR_OK);
    return world;
}

// It reaches what stands at 8.75 with its corner at 1: 7.75 on its path, after 1.55 s, in the seventh step; and behind
// the scene's last step it goes on, back at its beginning by a whole cycle.
static void a_world_sees_what_moves_by_itself(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    fr_scene_player *player;
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    fr_object_id ids[3];
    fr_world *world = make_world(scene, player, ids);
    fr_space *space = fr_world_space(world);
    for (int tick = 1; tick <= 9; tick++) {
        assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
        double at = tick <= 8 ? 1.25 * tick : 1.25;
        assert_true(fabs(x_of(space, ids[0], 0) - at) < 1e-6);
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        for (size_t i = 0; i < snapshot->event_count; i++) {
            if (snapshot->events[i].kind != FR_EVENT_TOUCH_BEGIN) { continue; }
            // Back at its beginning, it went there straight.
            assert_true(tick == 7 || tick == 9);
            if (tick == 7) { assert_true(fabs(snapshot->events[i].time - 1.55) < 1e-3); }
        }
        assert_int_equal(snapshot->touch_count > 0, tick == 7);
        fr_snapshot_release(snapshot);
    }
    // From scratch, and the same again.
    assert_int_equal(fr_scene_restart_world(scene, world, NULL), FR_OK);
    assert_int_equal(fr_scene_player_place(player, space, 0.0, NULL), FR_OK);
    assert_true(x_of(space, ids[0], 0) == 0.0);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_true(x_of(space, ids[0], 0) == 1.25);
    fr_world_destroy(world);
    fr_scene_player_destroy(player);
    fr_scene_destroy(scene);
}

static void worlds_are_the_same_each_time(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        fr_scene *scene = read_scene();
        fr_scene_player *player;
        assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
        fr_object_id ids[3];
        fr_world *world = make_world(scene, player, ids);
        for (int tick = 0; tick < 7; tick++) {
            assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
        }
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        hashes[run] = fr_snapshot_hash(snapshot);
        fr_snapshot_release(snapshot);
        fr_world_destroy(world);
        fr_scene_player_destroy(player);
        fr_scene_destroy(scene);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void objects_without_colour_have_their_models(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    fr_scene_player *player;
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    fr_object_id ids[3];
    fr_world *world = make_world(scene, player, ids);
    fr_color a = fr_world_label(world, ids[0]).color, b = fr_world_label(world, ids[1]).color;
    fr_color c = fr_world_label(world, ids[2]).color;
    assert_true(a.r == 255 && a.g == 128 && a.b == 0 && a.a == 255);
    assert_true(b.r == 200 && b.g == 200 && b.b == 200); // a model without materials
    assert_true(c.r == 1 && c.g == 2 && c.b == 3);       // the scene's word counts
    fr_world_destroy(world);
    fr_scene_player_destroy(player);
    fr_scene_destroy(scene);
}

static void sounds_are_heard_from_their_objects(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    fr_scene_player *player;
    assert_int_equal(fr_scene_player_create(NULL, &player, NULL), FR_OK);
    uint32_t count;
    fr_scene_player_sounds(player, &count);
    assert_int_equal(count, 0);
    fr_object_id ids[3];
    fr_world *world = make_world(scene, player, ids);
    const fr_sound *sounds = fr_scene_player_sounds(player, &count);
    assert_int_equal(count, 4); // of the two objects of the model; the one that is missing is left out
    assert_true(fr_object_id_equal(sounds[0].object, ids[0]) && fr_object_id_equal(sounds[1].object, ids[0]));
    assert_true(fr_object_id_equal(sounds[2].object, ids[2]) && fr_object_id_equal(sounds[3].object, ids[2]));
    assert_true(sounds[0].point.y == 2.0 && sounds[0].far == 9.0 && sounds[0].intensity == 0.5 && sounds[0].is_loop);
    assert_int_equal(sounds[1].file_bytes, 4);
    assert_memory_equal(sounds[1].file, "RIFF", 4);
    // The second one goes with its node, 5 metres a second along x.
    assert_true(sounds[1].point.x == 0.0 && sounds[1].point.y == 1.0);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_ptr_equal(fr_scene_player_sounds(player, &count), sounds);
    for (uint32_t i = 1; i < 4; i += 2) {
        assert_true(fabs(sounds[i].point.x - 2.5) < 1e-6 && sounds[i].point.y == 1.0);
        assert_true(sounds[i - 1].point.x == 1.0 && sounds[i - 1].point.y == 2.0);
    }
    fr_world_destroy(world);
    fr_scene_player_destroy(player);
    fr_scene_destroy(scene);
}

static void without_a_player_models_stand(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    fr_object_id ids[3];
    fr_world *world = make_world(scene, NULL, ids);
    assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
    assert_null(fr_object_get(fr_world_space(world), ids[0])->vertices);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

typedef struct played_files {
    const fr_scene *scene;
    fr_array *file; // of all models; NULL: those of `load`
} played_files;

static fr_status make_played(const fr_allocator *allocator, void *context) {
    const played_files *files = context;
    fr_scene_player *player;
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status != FR_OK) { return status; }
    status = fr_scene_player_create(allocator, &player, NULL);
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = files->file != NULL ? load_skinned : load;
    options.context = files->file;
    options.player = player;
    options.allocator = *allocator;
    fr_object_id ids[3];
    if (status == FR_OK) { status = fr_scene_build(files->scene, &options, space, ids, NULL); }
    if (status == FR_OK) { status = fr_scene_player_move(player, space, 1.0, NULL); }
    if (status == FR_OK) { status = fr_scene_player_place(player, space, 0.5, NULL); }
    fr_space_destroy(space);
    fr_scene_player_destroy(player);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_scene *scene = read_scene();
    skinned_binary lists = skinned_lists();
    fr_array file = glb_bytes(BONED_JSON, &lists, sizeof lists);
    assert_true(test_every_failure(make_played, &(played_files){scene, NULL}) > 20);
    assert_true(test_every_failure(make_played, &(played_files){scene, &file}) > 20);
    fr_array_destroy(&file);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_space_is_put_and_moved),
        cmocka_unit_test(a_skin_bends_in_a_space),
        cmocka_unit_test(a_skin_is_played_by_bones),
        cmocka_unit_test(a_world_sees_what_moves_by_itself),
        cmocka_unit_test(worlds_are_the_same_each_time),
        cmocka_unit_test(without_a_player_models_stand),
        cmocka_unit_test(objects_without_colour_have_their_models),
        cmocka_unit_test(sounds_are_heard_from_their_objects),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, make_model, free_model);
}
