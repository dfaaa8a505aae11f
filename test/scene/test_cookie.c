// Definitions and inputs of room scene that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/scene.h"

// What the calls need beside the struct that is all zeros.
static const char text[] = "{\"fureai\":1,\"step\":0.5,\"steps\":4,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"}]}";
static fr_scene *scene;
static fr_space *space;

#define CASES(X)                                                                                                       \
    X(scene_read, fr_scene_read_input, fr_default_scene_read_input,                                                    \
      fr_scene_read(text, sizeof text - 1, &given, COOKIE_OUT(fr_scene), error))                                       \
    X(sector_file_read, fr_scene_read_input, fr_default_scene_read_input,                                              \
      fr_sector_file_read(text, sizeof text - 1, &given, COOKIE_OUT(fr_sector_file), error))                           \
    X(scene_build, fr_scene_build_input, fr_default_scene_build_input,                                                 \
      fr_scene_build(scene, &given, space, &(fr_object_id){0, 0, 0}, error))                                           \
    X(scene_cells, fr_scene_cells_input, fr_default_scene_cells_input,                                                 \
      fr_scene_cells_create(&given, COOKIE_OUT(fr_scene_cells), error))

COOKIE_TABLE(CASES)

static int make_all(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    bool is_made = fr_scene_read(text, sizeof text - 1, NULL, &scene, NULL) == FR_OK &&
                   fr_space_create(&def, &space, NULL) == FR_OK;
    return is_made ? 0 : 1;
}

static int destroy_all(void **state) {
    (void)state;
    fr_space_destroy(space);
    fr_scene_destroy(scene);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, make_all, destroy_all);
}
