// Models that are played by bones: their skins against the vertices of the same play, at many times.
#include "frame.h"
#include "shared_file.h"

#define MAX_VERTICES 40000

// ---------------------------------------------------------------------------------------------------------------
// Playing by bones and by vertices

// A part with the mesh and the skin that it was given.
typedef struct boned_parts {
    fr_model_part list[256];
    uint32_t count, skinned;
} boned_parts;

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    (void)error;
    boned_parts *parts = context;
    assert_true(parts->count < 256);
    parts->list[parts->count++] = *part;
    parts->skinned += part->skin != NULL ? 1 : 0;
    return FR_OK;
}

static boned_parts make_parts(const fr_model *model, const fr_model_play *play) {
    boned_parts parts = {.count = 0};
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.play = play;
    fr_error error = {0};
    if (fr_model_parts(model, &input, take_part, &parts, &error) != FR_OK) { fail_msg("%s", error.message); }
    return parts;
}

static void free_parts(const boned_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        fr_mesh_release(parts->list[i].mesh);
        fr_skin_release(parts->list[i].skin);
    }
}

// The largest distance of a vertex that bones take along from where the play has it, over all times and parts.
static double worst_distance(const fr_model *model, double cycle, uint32_t times, uint32_t bone_count) {
    static fr_vec3 by_bones[MAX_VERTICES], by_vertices[MAX_VERTICES];
    static fr_pose bones[256];
    fr_model_play *play;
    fr_arena *scratch;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_int_equal(fr_arena_create(0, NULL, &scratch, NULL), FR_OK);
    assert_int_equal(fr_model_play_bone_count(play), bone_count);
    boned_parts parts = make_parts(model, play);
    assert_true(parts.skinned > 0 && bone_count <= 256);
    double worst = 0.0;
    for (uint32_t i = 0; i < times; i++) {
        fr_model_play_at(play, cycle * i / times);
        assert_true(fr_model_play_bones(play, bones));
        for (uint32_t k = 0; k < parts.count; k++) {
            const fr_model_part *part = &parts.list[k];
            if (part->skin == NULL) { continue; }
            uint32_t count = fr_mesh_get(part->mesh)->vertex_count;
            assert_true(count <= MAX_VERTICES && fr_skin_validate(part->skin, NULL));
            fr_skin_input input = fr_default_skin_input();
            input.skin = part->skin;
            input.poses = bones;
            input.bone_count = bone_count;
            input.scratch = scratch;
            fr_skin_output output = {.vertices = by_bones};
            assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
            fr_model_play_vertices(play, part->node, by_vertices);
            for (uint32_t v = 0; v < count; v++) {
                worst = fmax(worst, fr_vec3_distance(by_bones[v], by_vertices[v]));
            }
        }
    }
    free_parts(&parts);
    fr_arena_destroy(scratch);
    fr_model_play_destroy(play);
    return worst;
}

// ---------------------------------------------------------------------------------------------------------------
// A body of two joints, a skin, a hat that hangs on the second joint, and a stone that stands

enum { ROOT, LOWER, UPPER, SKIN, HAT, STONE, NODES };

typedef struct body_change {
    float scale[3];     // of the upper joint at the end
    const double *root; // transform of the root; NULL: a turn, twice as large, far away
    bool is_mirrored, has_morph, has_coordinates, is_same_joint, has_no_skin;
} body_change;

static const double far_away[12] = {0, -2, 0, 1e6, 2, 0, 0, -1e6, 0, 0, 2, 3};
static const double mirror[12] = {-2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0};
static const float strip[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
static const uint32_t corners[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
static const uint32_t influences[12] = {0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0};
static const float weights[12] = {1, 0, 1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0, 1, 0};
static const float morph[18] = {0.5f};
static const double binds[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0};
static const float keys[3] = {0.0f, 0.25f, 1.0f}, ends[2] = {0.0f, 1.0f};
static const float turns[12] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0, 0.6f, 0.8f, 0};
static const float axes[12] = {0, 0, 1, 0, 0, 0, 1, 2, 1, 0, 0, 1};
static const float shifts[6] = {0, 0, 0, 3, 0, 1};
static const float moved[36] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};

static fr_status make_body(const body_change *change, const fr_allocator *allocator, fr_model **out) {
    const uint32_t joints[2] = {LOWER, change->is_same_joint ? LOWER : UPPER};
    const float scales[6] = {1, 1, 1, change->scale[0], change->scale[1], change->scale[2]};
    fr_model_deform skinned = {2,   2, influences, weights, change->has_morph ? 1 : 0, change->has_morph ? morph : NULL,
                               NULL};
    fr_model_mesh meshes[2] = {{.positions_float = strip, .vertex_count = 6, .face_count = 4, .corners = corners},
                               {.positions_float = strip, .vertex_count = 6, .face_count = 4, .corners = corners}};
    if (!change->has_no_skin) { meshes[0].deform = &skinned; }
    fr_model_placement placements[2] = {{.translation = {0, 0, 0.5}, .scale = {1, 1, 1}, .rotation = {1, 0, 0, 0}},
                                        {.translation = {0, 1, 0}, .center = {0.5, 0.25, 0}, .scale = {1, 1, 1}}};
    placements[0].scale_orientation = placements[1].rotation = placements[1].scale_orientation = fr_quat_identity();
    double matrices[2][12];
    fr_model_skin skin = {"skin", 2, joints, binds, ROOT};
    fr_model_node nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = fr_default_model_node();
    }
    nodes[ROOT].transform = change->is_mirrored ? mirror : change->root != NULL ? change->root : far_away;
    for (uint32_t i = 0; i < 2; i++) {
        fr_model_placement_matrix(&placements[i], matrices[i]);
        nodes[LOWER + i].placement = i;
        nodes[LOWER + i].transform = matrices[i];
        nodes[LOWER + i].parent = ROOT + i;
    }
    nodes[UPPER].name = "upper";
    nodes[SKIN].mesh = 0;
    nodes[SKIN].skin = change->has_no_skin ? FR_NONE : 0;
    nodes[HAT].mesh = nodes[STONE].mesh = 1;
    nodes[HAT].parent = UPPER;
    fr_model_clock clock = {"clock", 2.0, 0.0, 0.0, true, true};
    fr_model_track tracks[5] = {{FR_MODEL_QUATERNION, LOWER, 0, 3, 4, keys, turns},
                                {FR_MODEL_ROTATION, UPPER, 0, 3, 4, keys, axes},
                                {FR_MODEL_SCALE, UPPER, 0, 2, 3, ends, scales},
                                {FR_MODEL_TRANSLATION, LOWER, 0, 2, 3, ends, shifts},
                                {FR_MODEL_COORDINATES, 0, 0, 2, 18, ends, moved}};
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = NODES;
    def.meshes = meshes;
    def.mesh_count = 2;
    def.placements = placements;
    def.placement_count = 2;
    def.skins = &skin;
    def.skin_count = change->has_no_skin ? 0 : 1;
    def.clocks = &clock;
    def.clock_count = 1;
    def.tracks = tracks;
    def.track_count = change->has_coordinates ? 5 : 4;
    if (allocator != NULL) { def.allocator = *allocator; }
    return fr_model_create(&def, out, NULL);
}

static const body_change plain = {.scale = {2, 2, 2}};

static void bones_take_skins_and_hats_along(void **state) {
    (void)state;
    fr_model *model;
    assert_int_equal(make_body(&plain, NULL, &model), FR_OK);
    // Bodies far away are as near to the truth as their doubles allow.
    double worst = worst_distance(model, 2.0, 501, 3);
    print_message("1e6 m away: within %.2g m\n", worst);
    assert_true(worst < 1e-9);
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    boned_parts parts = make_parts(model, play);
    assert_int_equal(parts.count, 3);
    assert_true(parts.list[0].skin != NULL && parts.list[1].skin != NULL && parts.list[2].skin == NULL);
    const fr_skin_view *skin = fr_skin_get(parts.list[0].skin);
    assert_int_equal(skin->bone_count, 3); // the hat is one too
    assert_int_equal(skin->parents[0], FR_NONE);
    assert_int_equal(skin->parents[1], 0);
    assert_string_equal(skin->names[1], "upper");
    assert_true(skin->inverse_binds[12 + 3] == -0.5 && skin->inverse_binds[12 + 7] == -1.25); // about its centre
    assert_int_equal(fr_mesh_get(parts.list[1].mesh)->vertex_count, 6);
    free_parts(&parts);
    // Without a play there are no skins.
    parts = make_parts(model, NULL);
    assert_int_equal(parts.skinned, 0);
    free_parts(&parts);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static uint32_t bones_of(body_change change) {
    fr_model *model;
    fr_model_play *play;
    assert_int_equal(make_body(&change, NULL, &model), FR_OK);
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    uint32_t count = fr_model_play_bone_count(play);
    boned_parts parts = make_parts(model, play);
    assert_int_equal(parts.skinned, count > 0 ? 2 : 0);
    free_parts(&parts);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    return count;
}

static void what_poses_cannot_say_is_played_by_vertices(void **state) {
    (void)state;
    static const double stretched[12] = {1, 0, 0, 0, 0, 1.001, 0, 0, 0, 0, 1, 0};
    static const double sheared[12] = {1, 0.001, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double flat[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    static const double nearly[12] = {1, 0, 0, 0, 0, 1.000001, 0, 0, 0, 0, 1, 0};
    assert_int_equal(bones_of(plain), 3);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .root = nearly}), 3);
    assert_int_equal(bones_of((body_change){.scale = {2, 2, 2.001f}}), 0);
    assert_int_equal(bones_of((body_change){.scale = {0, 0, 0}}), 0);
    assert_int_equal(bones_of((body_change){.scale = {-1, -1, -1}}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .root = stretched}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .root = sheared}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .root = flat}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .is_mirrored = true}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .has_morph = true}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .has_coordinates = true}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .is_same_joint = true}), 0);
    assert_int_equal(bones_of((body_change){.scale = {1, 1, 1}, .has_no_skin = true}), 0);
}

// A bone of a scale beyond what poses have is reported, and what fits is played.
static void numbers_too_large_are_reported(void **state) {
    (void)state;
    static const double huge[12] = {1e38, 0, 0, 0, 0, 1e38, 0, 0, 0, 0, 1e38, 0};
    static fr_pose bones[3];
    const body_change change = {.scale = {1, 1, 1}, .root = huge};
    fr_model *model;
    fr_model_play *play;
    assert_int_equal(make_body(&change, NULL, &model), FR_OK);
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_int_equal(fr_model_play_bone_count(play), 3);
    fr_model_play_at(play, 0.5);
    assert_false(fr_model_play_bones(play, bones));
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// The meshes of a model without shapes.
static const fr_model_mesh *plain_meshes(const fr_model_view *view, fr_arena *arena) {
    fr_model_mesh *meshes = fr_arena_alloc(arena, view->mesh_count, sizeof *meshes, 8);
    fr_model_deform *deforms = fr_arena_alloc(arena, view->mesh_count, sizeof *deforms, 8);
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        meshes[i] = view->meshes[i];
        if (meshes[i].deform == NULL) { continue; }
        deforms[i] = *meshes[i].deform;
        deforms[i].target_count = 0;
        meshes[i].deform = &deforms[i];
    }
    return meshes;
}

// The tracks of a model but for the weights of shapes, with one scale along all axes.
static const fr_model_track *even_tracks(const fr_model_view *view, fr_arena *arena, uint32_t *count) {
    fr_model_track *tracks = fr_arena_alloc(arena, view->track_count, sizeof *tracks, 8);
    *count = 0;
    for (uint32_t i = 0; i < view->track_count; i++) {
        if (view->tracks[i].kind == FR_MODEL_WEIGHTS) { continue; }
        fr_model_track *track = &tracks[(*count)++];
        *track = view->tracks[i];
        if (track->kind != FR_MODEL_SCALE) { continue; }
        float *values = fr_arena_alloc(arena, 3 * (size_t)track->key_count, sizeof *values, 4);
        for (uint32_t k = 0; k < 3 * track->key_count; k++) {
            values[k] = track->values[k - k % 3];
        }
        track->values = values;
    }
    return tracks;
}

static void even_nodes(const fr_model_view *view, fr_arena *arena, fr_model_def *def) {
    fr_model_placement *placements = fr_arena_alloc(arena, (size_t)view->placement_count + 1, sizeof *placements, 8);
    fr_model_node *nodes = fr_arena_alloc(arena, view->node_count, sizeof *nodes, 8);
    for (uint32_t i = 0; i < view->placement_count; i++) {
        placements[i] = view->placements[i];
        placements[i].scale.y = placements[i].scale.z = placements[i].scale.x;
    }
    for (uint32_t i = 0; i < view->node_count; i++) {
        nodes[i] = view->nodes[i];
        if (nodes[i].placement == FR_NONE) { continue; }
        double *matrix = fr_arena_alloc(arena, 12, sizeof *matrix, 8);
        fr_model_placement_matrix(&placements[nodes[i].placement], matrix);
        nodes[i].transform = matrix;
    }
    def->nodes = nodes;
    def->node_count = view->node_count;
    def->placements = placements;
    def->placement_count = view->placement_count;
}

// The same model without shapes, and with one scale along all axes where a track or a placement has three that differ
// by rounding.
static fr_model *even_model(const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    fr_model_def def = fr_default_model_def();
    even_nodes(view, arena, &def);
    def.meshes = plain_meshes(view, arena);
    def.mesh_count = view->mesh_count;
    def.materials = view->materials;
    def.material_count = view->material_count;
    def.skins = view->skins;
    def.skin_count = view->skin_count;
    def.textures = view->textures;
    def.texture_count = view->texture_count;
    def.clocks = view->clocks;
    def.clock_count = view->clock_count;
    def.tracks = even_tracks(view, arena, &def.track_count);
    fr_model *out;
    fr_error error = {0};
    if (fr_model_create(&def, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_arena_destroy(arena);
    return out;
}

static void has_no_bones(const fr_model *model) {
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_int_equal(fr_model_play_bone_count(play), 0);
    fr_model_play_destroy(play);
}

static fr_model *read_file(const fr_array *bytes, const char *path, double unit, fr_model_up up) {
    fr_model_read_input input = fr_default_model_read_input();
    input.name = path;
    input.unit = unit;
    input.up = up;
    fr_model *model;
    fr_error error = {0};
    if (fr_model_read(bytes->data, bytes->count, &input, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
    return model;
}

// A file with shapes is played by vertices, and without them by bones. Scales that exporters rounded make a micrometre;
// without this rounding there is none.
static void file_is_played(const char *relative, uint32_t bones, bool has_shapes) {
    char path[2000];
    fr_array bytes;
    if (!load(test_shared_path(relative, path, sizeof path), &bytes)) {
        print_message("%s is not there\n", relative);
        return;
    }
    static const fr_model_up ups[2] = {FR_MODEL_UP_AS_FILE, FR_MODEL_UP_Z};
    static const double units[3] = {0.0, 0.001, 1000.0};
    uint32_t times = (uint32_t)test_count(41, 1009);
    for (int i = 0; i < 6; i++) {
        fr_model *model = read_file(&bytes, path, units[i % 3], ups[i / 3]);
        const fr_model_view *view = fr_model_get(model);
        double cycle = view->clock_count > 0 ? view->clocks[0].cycle : 1.0;
        double size = fmax(1.0, fr_vec3_largest(fr_vec3_sub(view->bounds.max, view->bounds.min)));
        double worst = has_shapes ? 0.0 : worst_distance(model, cycle, times, bones);
        print_message("%s, unit %g, up %d: within %.2g m", relative, units[i % 3], (int)ups[i / 3], worst);
        assert_true(worst < 1e-6 * size);
        if (has_shapes) { has_no_bones(model); }
        fr_model *even = even_model(model);
        worst = worst_distance(even, cycle, times, bones);
        print_message("; with one scale %.2g m\n", worst);
        assert_true(worst < (units[i % 3] > 1.0 ? 1e-12 * size : 1e-9));
        fr_model_destroy(even);
        fr_model_destroy(model);
    }
    fr_array_destroy(&bytes);
}

static void files_are_played_by_bones(void **state) {
    (void)state;
    file_is_played("data/gltf-khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb", 19, false);
    file_is_played("data/gltf-khronos/RiggedSimple/glTF-Binary/RiggedSimple.glb", 2, false);
    file_is_played("data/gltf-khronos/CesiumMan/glTF-Binary/CesiumMan.glb", 19, false);
    file_is_played("data/hanim-x3d/JoeKick.x3d", 71, true);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static fr_status play_body(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_model *model = NULL;
    fr_model_play *play = NULL;
    boned_parts parts = {.count = 0};
    fr_status status = make_body(&plain, allocator, &model);
    if (status == FR_OK) { status = fr_model_play_create(model, allocator, &play, NULL); }
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.play = play;
    input.allocator = *allocator;
    if (status == FR_OK) { status = fr_model_parts(model, &input, take_part, &parts, NULL); }
    if (status == FR_OK) {
        fr_pose bones[3];
        fr_model_play_at(play, 0.5);
        assert_true(fr_model_play_bones(play, bones));
        test_note(bones, sizeof bones);
    }
    free_parts(&parts);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(play_body, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_take_skins_and_hats_along),
        cmocka_unit_test(what_poses_cannot_say_is_played_by_vertices),
        cmocka_unit_test(numbers_too_large_are_reported),
        cmocka_unit_test(files_are_played_by_bones),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
