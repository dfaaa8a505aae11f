// Files that no one here wrote: each loads with the counts it is known for, or is refused for the right reason.
#include "shared_file.h"

#include "frame.h"

typedef struct known_file {
    const char *path;
    uint64_t vertices, faces, triangles;
    uint32_t parts;
    uint64_t warnings;
} known_file;

static const known_file known_files[] = {
    {"cad-air-compressor/Casting Mold.STL", 1794, 598, 598, 1, 0},
    {"cad-air-compressor/Closure Casing.STL", 36480, 12160, 12160, 1, 0},
    {"cad-air-compressor/Drilling Jig.STL", 38262, 12754, 12754, 1, 0},
    {"cad-air-compressor/Piston.STL", 4770, 1590, 1590, 1, 0},
    {"ccd-ipc/bunny.ply", 2503, 5002, 5002, 1, 0},
    {"ccd-ipc/cube.ply", 8, 12, 12, 1, 0},
    {"ccd-ipc/height-field.ply", 2540, 4904, 4904, 1, 0},
    {"ccd-scalable/cloth-funnel/frames/227.ply", 9450, 18484, 18484, 1, 0},
    {"ccd-scalable/rod-twist/frames/3036.ply", 39940, 79864, 79864, 1, 0},
    {"dxf-acadsharp/samples/sample_AC1009_ascii.dxf", 9, 3, 5, 1, 0},
    {"dxf-assimp/test/models/DXF/PinkEggFromLW.dxf", 1104, 288, 528, 1, 0},
    {"dxf-assimp/test/models/DXF/issue_2229.dxf", 768, 1290, 1520, 1, 0},
    {"dxf-assimp/test/models/DXF/wuson.dxf", 3205, 3732, 3732, 2, 0},
    {"dxf-ezdxf/examples_dxf/uncommon.dxf", 72, 57, 114, 1, 1},
    {"dxf-jscad/bourke/3d-entities.dxf", 7, 2, 3, 1, 0},
    {"gltf-khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb", 24, 12, 12, 1, 0},
    {"gltf-khronos/Box/glTF-Binary/Box.glb", 24, 12, 12, 2, 0},
    {"hostile-tinyobj/models/issue-161-inconsistent-f.obj", 8, 12, 12, 1, 1},
    {"hostile-tinyobj/models/issue-235-usemtl-then-o.obj", 6, 2, 2, 2, 1},
    {"hostile-tinyobj/models/issue-295-trianguation-failure.obj", 16, 14, 28, 1, 0},
    {"hostile-tinyobj/models/issue-319-002.obj", 20, 3, 14, 1, 0},
    {"hostile-tinyobj/models/issue-330.obj", 7, 2, 3, 1, 0},
    {"hostile-tinyobj/models/issue-356-leading-spaces-newmtl.obj", 0, 0, 0, 1, 2},
    {"hostile-tinyobj/models/texture-filename-with-whitespace.obj", 24, 6, 12, 6, 1},
    {"hostile-tinyobj/models/usemtl-issue-68.obj", 218, 400, 400, 1, 1},
    {"mesh-common/data/spot.obj", 2930, 5856, 5856, 1, 0},
    {"mesh-trimesh/ballA.off", 1900, 3796, 3796, 1, 0},
    {"mesh-trimesh/cube.OBJ", 8, 12, 12, 1, 0},
    {"mesh-trimesh/cube_blender_uv.ply", 24, 6, 12, 1, 0},
    {"mesh-trimesh/cycloidal.ply", 21384, 43368, 43368, 1, 0},
    {"mesh-trimesh/emptyIO/ply_points_ascii.ply", 8, 0, 0, 1, 1},
    {"mesh-trimesh/emptyIO/ply_points_bin.ply", 8, 0, 0, 1, 1},
    {"mesh-trimesh/emptyIO/stl_empty_ascii.stl", 0, 0, 0, 1, 1},
    {"mesh-trimesh/emptyIO/stl_empty_bin.stl", 0, 0, 0, 1, 1},
    {"mesh-trimesh/featuretype.STL", 10428, 3476, 3476, 1, 0},
    {"mesh-trimesh/featuretype.ply", 5096, 3476, 3476, 1, 0},
    // Its rows have nine numbers where its header names four colours.
    {"mesh-trimesh/fuze_ascii.ply", 502, 1000, 1000, 1, 1000},
    {"mesh-trimesh/negative_indices.obj", 8, 6, 12, 1, 0},
    {"mesh-trimesh/polygonfaces.obj", 5, 1, 3, 1, 1},
    {"mesh-trimesh/quadknot.obj", 1440, 1440, 2880, 1, 1},
    {"mesh-trimesh/rabbit.obj", 644, 678, 1252, 9, 1},
    {"mesh-trimesh/suzanne.ply", 1966, 500, 968, 1, 0},
    {"mesh-trimesh/two_objects.obj", 12, 16, 16, 2, 0},
    {"mesh-trimesh/two_objects_mixed_case_names.stl", 72, 24, 24, 2, 0},
    {"mesh-trimesh/unit_cube.STL", 36, 12, 12, 1, 0},
    {"mesh-trimesh/wallhole.obj", 92, 13, 66, 1, 1},
    {"mesh-viewpoint/al.obj", 3618, 7152, 7152, 1, 1},
    {"mesh-viewpoint/shuttle.obj", 310, 616, 616, 1, 1},
    {"mesh-viewpoint/slot.obj", 1956, 3856, 3856, 1, 1},
};

static const struct {
    const char *path;
    fr_status status;
    int line;
    const char *words;
} refused_files[] = {
    {"dxf-ezdxf/examples/acistools/3dsolids.dxf", FR_ERROR_UNSUPPORTED, 2084, "ACIS"},
    {"dxf-ezdxf/examples_dxf/Minimal_DXF_AC1009.dxf", FR_ERROR_UNSUPPORTED, 0, "empty"},
    {"dxf-jscad/autocad2017/3Dboxes.dxf", FR_ERROR_UNSUPPORTED, 2070, "ACIS"},
    {"dxf-trimesh/2D/types.dxf", FR_ERROR_UNSUPPORTED, 1918, "6 lines"},
    {"dxf-trimesh/2D/versions/uc.r2013b.dxf", FR_ERROR_UNSUPPORTED, 0, "at byte 9646: this is a drawing"},
    {"hostile-assimp/OFF/invalid.off", FR_ERROR_CORRUPT, 8, "vertex 20 of 3"},
    {"hostile-assimp/invalid/empty.off", FR_ERROR_SYNTAX, 1, "the end of the file"},
    {"hostile-tinyobj/models/issue-140-zero-face-idx.obj", FR_ERROR_CORRUPT, 16, "from 1"},
    {"hostile-tinyobj/models/test-nan.obj", FR_ERROR_NOT_FINITE, 12, "'nan'"},
};

static fr_status read_shared(const char *relative, fr_model **model, fr_error *error) {
    char below[600], path[1200];
    snprintf(below, sizeof below, "data/%s", relative);
    test_shared_path(below, path, sizeof path);
    fr_array bytes;
    if (!load(path, &bytes)) { fail_msg("%s cannot be read", path); }
    fr_model_read_input options = fr_default_model_read_input();
    options.name = relative;
    fr_status status = read_bytes(bytes.count > 0 ? bytes.data : "", bytes.count, &options, model, error);
    fr_array_destroy(&bytes);
    return status;
}

static void known_files_have_their_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known_files / sizeof known_files[0]; i++) {
        const known_file *file = &known_files[i];
        fr_model *model;
        fr_error error;
        if (read_shared(file->path, &model, &error) != FR_OK) {
            fail_msg("%s:%d:%d: %s", file->path, error.line, error.column, error.message);
        }
        const fr_model_view *view = fr_model_get(model);
        bool right = view->vertex_count == file->vertices && view->face_count == file->faces &&
                     view->triangle_count == file->triangles && view->node_count == file->parts &&
                     view->warning_count == file->warnings;
        if (!right) { fail_msg("%s has other counts", file->path); }
        fr_mesh *mesh;
        fr_status status = fr_model_whole_mesh(model, NULL, &mesh, &error);
        assert_int_equal(status == FR_OK, file->triangles > 0);
        if (mesh != NULL) { assert_int_equal(fr_mesh_get(mesh)->triangle_count, file->triangles); }
        fr_mesh_release(mesh);
        fr_model_destroy(model);
    }
}

static void wrong_files_are_refused_at_their_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused_files / sizeof refused_files[0]; i++) {
        fr_model *model;
        fr_error error;
        assert_int_equal(read_shared(refused_files[i].path, &model, &error), refused_files[i].status);
        assert_int_equal(error.line, refused_files[i].line);
        assert_string_equal(error.path, refused_files[i].path);
        assert_non_null(strstr(error.message, refused_files[i].words));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Every file there is, whatever its kind, read as every format

typedef struct walk {
    uint64_t files, readings, read;
    double slowest_ms;
} walk;

static void try_file(const char *path, void *context) {
    walk *w = context;
    fr_array bytes;
    if (!load(path, &bytes)) { return; }
    w->files++;
    for (int format = FR_MODEL_AUTO; format < FR_MODEL_FORMAT_COUNT; format++) {
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = fr_default_model_read_input();
        options.format = (fr_model_format)format;
        options.name = format == FR_MODEL_AUTO ? path : NULL;
        options.allocator = fr_probe_allocator(probe);
        fr_model *model;
        fr_error error;
        uint64_t start = fr_clock_ns();
        fr_status status = read_bytes(bytes.count > 0 ? bytes.data : "", bytes.count, &options, &model, &error);
        double ms = fr_clock_ms_since(start);
        if (ms > w->slowest_ms) { w->slowest_ms = ms; }
        // VRML and X3D name primitives and instances, which cost more than their words.
        fr_model_format is = (fr_model_format)format;
        if (format == FR_MODEL_AUTO) { is = fr_model_format_detect(bytes.data, bytes.count, path); }
        bool is_vrml = is >= FR_MODEL_VRML && is <= FR_MODEL_X3D_VRML;
        uint64_t most = is_vrml ? 64 * bytes.count + (UINT64_C(8) << 20) : 32 * bytes.count + 65536;
        if (fr_probe_get(probe).peak_bytes > most) { fail_msg("%s takes too much memory", path); }
        w->readings++;
        w->read += status == FR_OK;
        fr_model_destroy(model);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
    fr_array_destroy(&bytes);
}

static void no_file_harms(void **state) {
    (void)state;
    char path[1200];
    walk w = {0};
    each_file(test_shared_path("data", path, sizeof path), try_file, &w);
    printf("%llu files, %llu readings, %llu gave a model, the slowest took %.0f ms\n", (unsigned long long)w.files,
           (unsigned long long)w.readings, (unsigned long long)w.read, w.slowest_ms);
    assert_true(w.files > 500);
    assert_true(w.slowest_ms < 5000.0);
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_files_have_their_counts),
        cmocka_unit_test(wrong_files_are_refused_at_their_place),
        cmocka_unit_test(no_file_harms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
