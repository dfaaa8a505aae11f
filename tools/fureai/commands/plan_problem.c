// Planning problems as files: scenes with a plan, problems and paths of OMPL.
#include "plan_problem.h"

#include "folder.h"

#include <string.h>

#define FILE_LIMIT ((size_t)1 << 28)

const fr_scene_plan *plan_problem_plans(const plan_problem *p, uint32_t *count) {
    *count = p->scene.scene != NULL ? fr_scene_get(p->scene.scene)->plan_count : 0;
    return *count > 0 ? fr_scene_get(p->scene.scene)->plans : NULL;
}

static bool is_scene(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".json") == 0;
}

static exit_status open_scene(tool *t, const char *path, plan_problem *p) {
    exit_status result = scene_file_read(t, path, 0, &p->scene);
    if (result != EXIT_STATUS_DONE) { return result; }
    fr_error error = {0};
    fr_status status = fr_scene_path_problem(p->scene.scene, p->scene.space, p->scene.ids, 0, NULL, &p->made, &error);
    if (status == FR_ERROR_ARGUMENT) {
        fr_error_locate(&error, path, 1, 1);
        return tool_bad_input(t, &error);
    }
    if (status != FR_OK) { return tool_failed(t, &error); }
    const fr_scene_view *view = fr_scene_get(p->scene.scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (!fr_scene_is_taken_at_start(p->scene.scene, p->scene.player, i)) { continue; }
        tool_note(t, "'%s' moves by itself or with a joint: it is taken at time 0", view->objects[i].name);
    }
    return EXIT_STATUS_DONE;
}

static exit_status open_ompl(tool *t, const char *path, plan_problem *p) {
    fr_error error = {0};
    fr_input_file bytes;
    fr_status status = tool_read(t, path, FILE_LIMIT, &bytes, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    fr_ompl_problem file;
    fr_file_folder *beside = NULL;
    status = fr_ompl_read_problem(bytes.data, bytes.size, path, &file, &error);
    fr_input_file_destroy(&bytes);
    if (status == FR_OK) {
        fr_scene_build_input building = fr_default_scene_build_input();
        building.control = &t->control;
        building.memory = t->memory;
        status = folder_open(t, path, "model", "problem", &beside, &error);
        building.load = fr_file_folder_load;
        building.unload = fr_file_folder_unload;
        building.context = beside;
        if (status == FR_OK) { status = fr_ompl_path_problem(&file, path, &building, &p->made, &error); }
        fr_file_folder_destroy(beside);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

exit_status plan_problem_open(tool *t, const char *path, plan_problem *out) {
    memset(out, 0, sizeof *out);
    exit_status result = is_scene(path) ? open_scene(t, path, out) : open_ompl(t, path, out);
    if (result == EXIT_STATUS_DONE) {
        out->query = *fr_path_problem_input(out->made);
    } else {
        plan_problem_close(out);
    }
    return result;
}

void plan_problem_close(plan_problem *p) {
    fr_path_problem_destroy(p->made);
    scene_file_release(&p->scene);
    memset(p, 0, sizeof *p);
}

int plan_problem_dimension(const plan_problem *p) {
    return p->query.plane == FR_PATH_PLANE_XY ? p->query.dimension : 3;
}

exit_status plan_problem_read_path(tool *t, const plan_problem *p, const char *path, fr_ompl_path *out) {
    memset(out, 0, sizeof *out);
    fr_error error = {0};
    fr_input_file bytes;
    fr_status status = tool_read(t, path, FILE_LIMIT, &bytes, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    status = fr_ompl_read_path(bytes.data, bytes.size, path, NULL, out, &error);
    fr_input_file_destroy(&bytes);
    int dimension = plan_problem_dimension(p);
    if (status == FR_OK && out->dimension != dimension) {
        status = fr_error_set(&error, FR_ERROR_ARGUMENT, "the path has %d dimensions, the problem %d", out->dimension,
                              dimension);
        fr_error_locate(&error, path, 1, 1);
        fr_ompl_path_destroy(out);
    }
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    for (uint32_t i = 0; i < out->state_count; i++) {
        out->states[i].scale = p->query.start.scale;
        if (out->dimension == 2) { out->states[i].position.z = p->query.start.position.z; }
    }
    return EXIT_STATUS_DONE;
}
