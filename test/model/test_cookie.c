// Definitions and inputs of room model that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/model.h"

// What the calls need beside the struct that is all zeros.
static fr_model *model;
static const _Alignas(64) char bytes[64];

static bool ignore(const void *piece, size_t size, void *context) {
    (void)piece;
    (void)size;
    (void)context;
    return true;
}

#define CASES(X)                                                                                                       \
    X(made, fr_model_def, fr_default_model_def, fr_model_create(&given, COOKIE_OUT(fr_model), error))                  \
    X(read, fr_model_read_input, fr_default_model_read_input,                                                          \
      fr_model_read(bytes, sizeof bytes, &given, COOKIE_OUT(fr_model), error))                                         \
    X(mapped, fr_model_read_input, fr_default_model_read_input,                                                        \
      fr_model_map(bytes, sizeof bytes, &given, COOKIE_OUT(fr_model), error))                                          \
    X(part_mesh, fr_model_mesh_input, fr_default_model_mesh_input,                                                     \
      fr_model_part_mesh(model, 0, &given, COOKIE_OUT(fr_mesh), error))                                                \
    X(whole_mesh, fr_model_mesh_input, fr_default_model_mesh_input,                                                    \
      fr_model_whole_mesh(model, &given, COOKIE_OUT(fr_mesh), error))                                                  \
    X(written, fr_model_write_input, fr_default_model_write_input,                                                     \
      fr_model_write(model, FR_MODEL_OBJ, &given, ignore, NULL, error))

COOKIE_TABLE(CASES)

static int make_all(void **state) {
    (void)state;
    fr_mesh *mesh = NULL;
    bool is_made = fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL) == FR_OK &&
                   fr_model_from_mesh(mesh, "box", NULL, &model, NULL) == FR_OK;
    fr_mesh_release(mesh);
    return is_made ? 0 : 1;
}

static int destroy_all(void **state) {
    (void)state;
    fr_model_destroy(model);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, make_all, destroy_all);
}
