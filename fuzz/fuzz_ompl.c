// Any bytes as a problem and as a path of OMPL.app: refused with a place, or poses that are right.
#include "fureai/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void check_problem(const uint8_t *data, size_t size) {
    fr_ompl_problem problem;
    fr_error error = {0};
    fr_status status = fr_ompl_read_problem(data, size, "x", &problem, &error);
    if (status != FR_OK) {
        require(error.status == status && error.column >= 1 && error.message[0] != '\0');
        return;
    }
    require(problem.dimension == 2 || problem.dimension == 3);
    require(problem.robot[0] != '\0' && strlen(problem.robot) <= FR_SCENE_PATH_MAX_BYTES && problem.world[0] != '\0');
    require(fr_pose_check(&problem.start, NULL) == FR_OK && fr_pose_check(&problem.goal, NULL) == FR_OK);
    require(!problem.has_bounds || !fr_bounds_is_empty(&problem.bounds));
}

static void check_path(const uint8_t *data, size_t size) {
    fr_ompl_path path;
    fr_error error = {0};
    fr_status status = fr_ompl_read_path(data, size, "x", NULL, &path, &error);
    if (status != FR_OK) {
        require(error.status == status && error.column >= 1 && path.states == NULL);
        return;
    }
    require(path.state_count > 0 && path.state_count <= size);
    for (uint32_t i = 0; i < path.state_count; i++) {
        require(fr_pose_check(&path.states[i], NULL) == FR_OK);
    }
    fr_ompl_path_destroy(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_problem(data, size);
    check_path(data, size);
    return 0;
}
