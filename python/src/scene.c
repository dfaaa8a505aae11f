// Scene files: read with their classes and models, and built into worlds.
#include "scene.h"

#include "fureai/file.h"

#include <stdio.h>

#define FOLDER_BYTES 4096

// Where the package keeps its classes of objects; "" where it has none.
static char package_objects[FOLDER_BYTES];

PyObject *module_set_folder(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:_set_folder", take_path, &path)) { return NULL; }
    snprintf(package_objects, sizeof package_objects, "%s/objects", PyBytes_AsString(path));
    Py_DECREF(path);
    Py_RETURN_NONE;
}

void scene_world_close(scene_world *scene) {
    fr_cast_destroy(scene->cast);
    fr_world_destroy(scene->world);
    fr_scene_player_destroy(scene->player);
    fr_scene_destroy(scene->scene);
    fr_library_finder_destroy(scene->finder);
    wish_array_destroy(&scene->wishes);
    scene->cast = NULL;
    scene->world = NULL;
    scene->player = NULL;
    scene->scene = NULL;
    scene->finder = NULL;
}

static fr_status read_scene(const scene_input *input, scene_world *out, fr_error *error) {
    fr_library_finder_def finding = fr_default_library_finder_def();
    finding.scene = input->path;
    finding.folder = input->objects;
    finding.fallback = package_objects[0] != '\0' ? package_objects : NULL;
    fr_status status = fr_library_finder_create(&finding, &out->finder, error);
    if (status != FR_OK) { return status; }

    fr_input_file_def def = fr_default_input_file_def();
    def.path = input->path;
    def.control = input->control;
    fr_input_file file;
    status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.name = input->path;
    reading.classes = fr_library_finder_classes(out->finder);
    status = fr_scene_read(file.data, file.size, &reading, &out->scene, error);
    fr_input_file_destroy(&file);
    return status;
}

static fr_status build_world(const scene_input *input, scene_world *out, fr_error *error) {
    fr_file_folder *beside = NULL;
    fr_file_folder_def folder = fr_default_file_folder_def();
    folder.path = input->path;
    folder.what = "model";
    folder.of = "scene";
    folder.control = input->control;
    fr_status status = fr_file_folder_create(&folder, &beside, error);
    if (status == FR_OK) { status = fr_scene_player_create(NULL, &out->player, error); }
    if (status == FR_OK) {
        fr_scene_build_input building = fr_default_scene_build_input();
        building.classes = fr_library_finder_classes(out->finder);
        building.load = fr_file_folder_load;
        building.unload = fr_file_folder_unload;
        building.context = beside;
        building.player = out->player;
        building.control = input->control;
        building.is_double = true;
        fr_world_def def = fr_scene_world_def(out->scene);
        def.sense = input->def.sense;
        def.want = input->def.want;
        status = fr_world_create(&def, &out->world, error);
        if (status == FR_OK) { status = fr_scene_build_world(out->scene, &building, out->world, NULL, error); }
    }
    fr_file_folder_destroy(beside);
    return status;
}

fr_status scene_world_open(const scene_input *input, scene_world *out, fr_error *error) {
    fr_status status = read_scene(input, out, error);
    if (status == FR_OK) { status = build_world(input, out, error); }
    if (status != FR_OK) { scene_world_close(out); }
    return status;
}
