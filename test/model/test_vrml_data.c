// VRML and X3D files that no one here wrote: each loads.
#include "shared_file.h"
#include "vrml_text.h"

#include "frame.h"

#include <strings.h>

static fr_status load_beside(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)error;
    char full[2400];
    snprintf(full, sizeof full, "%s%s", (const char *)context, path);
    fr_array all;
    if (!load(full, &all)) { return FR_ERROR_FILE; }
    *size = all.count;
    void *copy = malloc(all.count + 1);
    assert_non_null(copy);
    if (all.count > 0) { memcpy(copy, all.data, all.count); }
    fr_array_destroy(&all);
    *bytes = copy;
    return FR_OK;
}

static void unload_beside(const void *bytes, size_t size, void *context) {
    (void)size, (void)context;
    free((void *)(uintptr_t)bytes);
}

// Reads a file with those beside it.
static fr_status read_file(const char *path, bool strict, fr_model **model, fr_error *error) {
    fr_array bytes;
    if (!load(path, &bytes)) { fail_msg("%s cannot be read", path); }
    char folder[1200];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    slash[1] = '\0';
    fr_model_read_input options = fr_default_model_read_input();
    options.name = path;
    options.is_strict = strict;
    options.files = (fr_model_files){load_beside, unload_beside, folder};
    fr_status status = read_bytes(bytes.count > 0 ? bytes.data : "", bytes.count, &options, model, error);
    fr_array_destroy(&bytes);
    return status;
}

static fr_model *read_shared(const char *relative) {
    char below[600], path[1200];
    snprintf(below, sizeof below, "data/%s", relative);
    fr_model *model;
    fr_error error;
    if (read_file(test_shared_path(below, path, sizeof path), false, &model, &error) != FR_OK) {
        fail_msg("%s:%d:%d: %s", relative, error.line, error.column, error.message);
    }
    return model;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

typedef struct walk {
    uint32_t read, old, clean, with_polygons, old_with_polygons;
    uint64_t triangles;
} walk;

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), count = strlen(end);
    return length >= count && strcasecmp(text + length - count, end) == 0;
}

static void try_file(const char *path, void *context) {
    walk *w = context;
    if (!ends_with(path, ".wrl") && !ends_with(path, ".x3d") && !ends_with(path, ".x3dv")) { return; }
    fr_model *model;
    fr_error error;
    fr_status status = read_file(path, false, &model, &error);
    if (status != FR_OK) { fail_msg("%s:%d:%d: %s", path, error.line, error.column, error.message); }
    const fr_model_view *view = fr_model_get(model);
    bool is_old = view->format == FR_MODEL_VRML_1;
    w->read++;
    w->old += is_old;
    w->old_with_polygons += is_old && view->face_count > 0;
    w->clean += view->warning_count == 0;
    w->with_polygons += view->face_count > 0;
    w->triangles += view->placed_triangle_count;
    for (uint32_t i = 0; i < view->node_count; i++) {
        assert_true(view->nodes[i].parent == FR_NONE || view->nodes[i].parent < i);
        assert_true(view->nodes[i].mesh == FR_NONE || view->nodes[i].mesh < view->mesh_count);
    }
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        bool is_of_all = strcmp(view->warnings[i].message, "the file has no polygon") == 0;
        assert_true(is_of_all || (view->warnings[i].line > 0 && view->warnings[i].column > 0));
    }
    fr_model_destroy(model);
}

static void every_file_loads(void **state) {
    (void)state;
    static const char *const sets[] = {"data/hanim-x3d",    "data/vrml-assimp",         "data/vrml-choreonoid",
                                       "data/vrml-coin",    "data/vrml-create3000",     "data/vrml-nist-wrl",
                                       "data/vrml-threejs", "data/vrml97-spec-examples"};
    walk w = {0};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char path[1200];
        each_file(test_shared_path(sets[i], path, sizeof path), try_file, &w);
    }
    printf("%u files read, %u without a warning, %u with polygons, %llu triangles; %u of VRML 1.0, %u with polygons\n",
           w.read, w.clean, w.with_polygons, (unsigned long long)w.triangles, w.old, w.old_with_polygons);
    assert_int_equal(w.old, 55);
    assert_int_equal(w.old_with_polygons, 50); // five are about texts, notes, lines, points and a file that is missing
    assert_true(w.read >= 515);
}

// ---------------------------------------------------------------------------------------------------------------
// Known ones

static void known_files_have_their_counts(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t nodes;
        uint64_t triangles;
        uint32_t tracks, textures, sounds;
    } files[] = {
        {"hanim-x3d/BoxMan.x3d", 87, 21564, 18, 0, 0},
        {"hanim-x3d/DiamondManLOA1.x3d", 126, 112, 0, 0, 0},
        {"hanim-x3d/JinLOA1.x3d", 73, 2220, 0, 0, 0},
        {"hanim-x3d/JoeKick.x3d", 116, 815, 98, 0, 0},
        {"hanim-x3d/KoreanCharacter01Jin.x3d", 73, 2220, 0, 0, 0},
        {"hanim-x3d/LOA1_WalkAnimation.x3d", 2, 0, 0, 0, 0},
        {"hanim-x3d/NancyDiving.x3d", 126, 3888, 18, 0, 0},
        {"vrml-assimp/test/models/WRL/MotionCaptureROM.WRL", 54, 2000, 70, 0, 0},
        {"vrml-assimp/test/models/WRL/Wuson.wrl", 5, 3732, 0, 0, 0},
        {"vrml-choreonoid/share/model/house/house.wrl", 481, 15547, 0, 0, 0},
        {"vrml-choreonoid/share/model/PA10/parts/BASE.wrl", 2, 44, 0, 0, 0},
        {"vrml-threejs/examples/models/vrml/house.wrl", 458, 4372, 19, 0, 0},
        {"vrml-threejs/examples/models/vrml/extrusion3.wrl", 2, 68, 0, 0, 0},
        {"vrml-nist-wrl/Geometry/ElevationGrid/heights16000.wrl", 2, 31496, 0, 0, 0},
        {"vrml-nist-wrl/Geometry/IndexedFaceSet/faces5000.wrl", 2, 10000, 0, 0, 0},
        {"vrml-nist-wrl/Miscellaneous/PROTO/fivedeepinternalroute.wrl", 22, 2992, 0, 0, 0},
        {"vrml97-spec-examples/originals/exampleD_15.wrl", 13, 5542, 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        fr_model *model = read_shared(files[i].path);
        const fr_model_view *view = fr_model_get(model);
        bool is_right = view->node_count == files[i].nodes && view->placed_triangle_count == files[i].triangles &&
                        view->track_count == files[i].tracks && view->texture_count == files[i].textures &&
                        view->sound_count == files[i].sounds;
        if (!is_right) {
            fail_msg("{\"%s\", %u, %llu, %u, %u, %u}", files[i].path, view->node_count,
                     (unsigned long long)view->placed_triangle_count, view->track_count, view->texture_count,
                     view->sound_count);
        }
        fr_model_destroy(model);
    }
}

// A person at rest stands upright: as high as people are, on the floor, as wide on the left as on the right.
static void bodies_at_rest_are_as_large_as_people(void **state) {
    (void)state;
    static const char *const bodies[] = {"BoxMan", "DiamondManLOA1", "JinLOA1", "KoreanCharacter01Jin"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char path[300];
        snprintf(path, sizeof path, "hanim-x3d/%s.x3d", bodies[i]);
        fr_model *model = read_shared(path);
        fr_bounds b = fr_model_get(model)->bounds;
        bool is_person = b.max.y - b.min.y > 1.5 && b.max.y - b.min.y < 1.9 && fabs(b.min.y) < 0.1 &&
                         fabs(b.max.x + b.min.x) < 0.02 && b.max.x < 0.5 && b.max.z - b.min.z < 0.5;
        if (!is_person) { fail_msg("%s: %g to %g high, %g to %g wide", path, b.min.y, b.max.y, b.min.x, b.max.x); }
        fr_model_destroy(model);
    }
}

// Triangles and boxes of files of VRML 1.0, as another program that follows the language's rules finds them.
static void old_files_have_their_boxes(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint64_t triangles;
        double low[3], high[3];
    } files[] = {
        {"Furniture/bookshelf.wrl", 324, {-3.2554, -4.3794, -0.754609}, {4.7454, 2.37462, 0.755399}},
        {"Furniture/couch.wrl", 1032, {46.1625, 6.51092, -1.86609}, {148.778, 38.5217, 34.059}},
        {"Household/floor.wrl", 512, {-3.455, 3.65313, -3.505}, {2.545, 3.65313, 2.495}},
        {"Household/kitchen.wrl", 1600, {-6, -0.000731707, -198}, {294, 108, 6}},
        {"Household/living_room.wrl", 672, {5, -0.000720621, -195}, {195, 98.9998, 0}},
        {"Household/pump.wrl", 2268, {-0.124001, -0.0711125, -0.037264}, {0.125999, 0.0703162, 0.037264}},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[300];
        snprintf(path, sizeof path, "vrml-create3000/Models/%s", files[i].path);
        fr_model *model = read_shared(path);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->format, FR_MODEL_VRML_1);
        assert_int_equal(view->placed_triangle_count, files[i].triangles);
        const double found[6] = {view->bounds.min.x, view->bounds.min.y, view->bounds.min.z,
                                 view->bounds.max.x, view->bounds.max.y, view->bounds.max.z};
        double size = fr_vec3_length(fr_vec3_sub(view->bounds.max, view->bounds.min));
        for (int k = 0; k < 6; k++) {
            double wanted = k < 3 ? files[i].low[k] : files[i].high[k - 3];
            if (!(fabs(found[k] - wanted) <= 1e-5 * size)) { fail_msg("%s: %g, not %g", path, found[k], wanted); }
        }
        fr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Twins

// The triangles of a model in its frame, in its order; free them.
static float *triangles_of(const fr_model *model, size_t *count) {
    fr_model_mesh_input options = fr_default_model_mesh_input();
    options.use = FR_MODEL_TO_SHOW;
    fr_mesh *mesh;
    *count = 0;
    if (fr_model_whole_mesh(model, &options, &mesh, NULL) != FR_OK) { return NULL; }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    *count = view->triangle_count;
    float *numbers = malloc(*count * 9 * sizeof(float));
    assert_non_null(numbers);
    for (size_t i = 0; i < 3 * *count; i++) {
        memcpy(numbers + 3 * i, view->positions_float + 3 * (size_t)view->triangles[i], 3 * sizeof(float));
    }
    fr_mesh_release(mesh);
    return numbers;
}

static void twins_have_the_same_triangles(void **state) {
    (void)state;
    // Not here: 15, whose X3D names a file that is not in the set; 19 and Rotor, whose X3D has nodes that the other has
    // not.
    static const char *const twins[][2] = {
        {"ChopperBody", "chopperbody"},
        {"ChopperRotor", "chopperrotor"},
        {"Example02", "exampleD_2"},
        {"Example03", "exampleD_3"},
        {"Example04", "exampleD_4"},
        {"Example05", "exampleD_5"},
        {"Example06", "exampleD_6"},
        {"Example07", "exampleD_7"},
        {"Example08", "exampleD_8"},
        {"Example09", "exampleD_9"},
        {"Example10", "exampleD_10"},
        {"Example11", "exampleD_11"},
        {"Example12", "exampleD_12"},
        {"Example13_2", "exampleD_13_2"},
        {"Example13_3", "exampleD_13_3"},
        {"Example16", "exampleD_16"},
        {"Example17", "exampleD_17"},
        {"Example18", "exampleD_18"},
        {"RefractiveMaterial", "refractivematerial"},
    };
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        char x3d[300], wrl[300];
        snprintf(x3d, sizeof x3d, "vrml97-spec-examples/%s.x3d", twins[i][0]);
        snprintf(wrl, sizeof wrl, "vrml97-spec-examples/originals/%s.wrl", twins[i][1]);
        fr_model *a = read_shared(x3d), *b = read_shared(wrl);
        size_t a_count, b_count;
        float *a_numbers = triangles_of(a, &a_count), *b_numbers = triangles_of(b, &b_count);
        bool is_same = a_count == b_count;
        for (size_t k = 0; is_same && k < 9 * a_count; k++) {
            is_same = fabsf(a_numbers[k] - b_numbers[k]) < 1e-5f;
        }
        if (!is_same) { fail_msg("%s and %s differ", x3d, wrl); }
        free(a_numbers);
        free(b_numbers);
        fr_model_destroy(a);
        fr_model_destroy(b);
    }
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_loads),
        cmocka_unit_test(known_files_have_their_counts),
        cmocka_unit_test(old_files_have_their_boxes),
        cmocka_unit_test(bodies_at_rest_are_as_large_as_people),
        cmocka_unit_test(twins_have_the_same_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
