// A skin becomes a model: a person's part and bones, the same again from a GLB file.
#include "failing.h"
#include "frame.h"
#include "fureai/human_figure.h"
#include "fureai/model.h"

#include <math.h>
#include <string.h>

static fr_figure *make_person(void) {
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = skeleton;
    def.detail = FR_FIGURE_COARSE;
    fr_figure *figure = NULL;
    assert_int_equal(fr_figure_create(&def, &figure, NULL), FR_OK);
    fr_skeleton_release(skeleton);
    return figure;
}

static bool append(const void *bytes, size_t size, void *context) {
    fr_byte_array *array = context;
    unsigned char *to = fr_byte_array_push(array, size);
    if (to != NULL) { memcpy(to, bytes, size); }
    return to != NULL;
}

// The bones are nodes, parents first, and stand at the poses that the skin was bound in.
static void check_bones(const fr_model *model, const fr_figure_view *figure) {
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->skin_count, 1);
    assert_int_equal(view->skins[0].bone_count, FR_LINK_COUNT);
    for (uint32_t b = 0; b < FR_LINK_COUNT; b++) {
        uint32_t node = view->skins[0].nodes[b];
        assert_string_equal(view->nodes[node].name, fr_skeleton_get(figure->skeleton)->names[b]);
        double matrix[12];
        fr_model_node_matrix(model, node, matrix);
        fr_vec3 place = figure->binds[b].position;
        assert_true(fabs(matrix[3] - place.x) < 1e-5 && fabs(matrix[7] - place.y) < 1e-5 &&
                    fabs(matrix[11] - place.z) < 1e-5);
    }
}

static double weight_of(const fr_model_mesh *mesh, uint32_t vertex, uint32_t bone) {
    double sum = 0.0;
    for (uint32_t k = 0; k < mesh->deform->influence_count; k++) {
        uint32_t i = vertex * mesh->deform->influence_count + k;
        if (mesh->deform->bones[i] == bone) { sum += (double)mesh->deform->weights[i]; }
    }
    return sum;
}

static double position_of(const fr_model_mesh *mesh, uint32_t vertex, uint32_t axis) {
    if (mesh->positions_float != NULL) { return (double)mesh->positions_float[3 * vertex + axis]; }
    return mesh->positions_double[3 * vertex + axis];
}

static void a_person_is_the_same_from_a_glb_file(void **state) {
    (void)state;
    fr_figure *person = make_person();
    const fr_figure_view *figure = fr_figure_get(person);
    fr_model *model = NULL, *again = NULL;
    assert_int_equal(fr_model_from_skin(figure->skin, "person", figure->colors, NULL, &model, NULL), FR_OK);
    check_bones(model, figure);
    fr_byte_array bytes = fr_byte_array_make(NULL);
    fr_model_write_input options = fr_default_model_write_input();
    assert_int_equal(fr_model_write(model, FR_MODEL_GLB, &options, append, &bytes, NULL), FR_OK);
    assert_int_equal(fr_model_read(bytes.data, bytes.count, NULL, &again, NULL), FR_OK);
    check_bones(again, figure);

    const fr_model_mesh *one = &fr_model_get(model)->meshes[0], *two = &fr_model_get(again)->meshes[0];
    assert_int_equal(one->face_count, 1320);
    assert_int_equal(two->face_count, 1320);
    for (uint32_t c = 0; c < 3 * one->face_count; c++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            double apart = position_of(one, one->corners[c], axis) - position_of(two, two->corners[c], axis);
            assert_true(fabs(apart) < 1e-7);
            assert_true(fabsf(one->corner_normals[3 * c + axis] - two->corner_normals[3 * c + axis]) < 1e-6f);
        }
        for (uint32_t b = 0; b < FR_LINK_COUNT; b++) {
            assert_true(fabs(weight_of(one, one->corners[c], b) - weight_of(two, two->corners[c], b)) < 1e-6);
        }
    }
    fr_byte_array_destroy(&bytes);
    fr_model_destroy(again);
    fr_model_destroy(model);
    fr_figure_release(person);
}

// Bones in any order: the child first.
static void bones_are_placed_below_their_parents(void **state) {
    (void)state;
    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &box, NULL), FR_OK);
    uint32_t bones[8] = {0}, parents[3] = {2, FR_NONE, 1};
    float weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    double binds[3][12] = {{1, 0, 0, -3, 0, 1, 0, 0, 0, 0, 1, 0},
                           {1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0},
                           {1, 0, 0, -2, 0, 1, 0, 0, 0, 0, 1, 0}};
    fr_skin_def def = fr_default_skin_def();
    def.mesh = box;
    def.vertex_count = 8;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 1;
    def.bone_count = 3;
    def.parents = parents;
    def.inverse_binds = &binds[0][0];
    fr_skin *skin = NULL, *bare = NULL;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    fr_model *model = NULL;
    assert_int_equal(fr_model_from_skin(skin, NULL, NULL, NULL, &model, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    for (uint32_t b = 0; b < 3; b++) {
        double matrix[12];
        fr_model_node_matrix(model, view->skins[0].nodes[b], matrix);
        assert_true(matrix[3] == -binds[b][3]);
        uint32_t parent = view->nodes[view->skins[0].nodes[b]].parent;
        assert_int_equal(parent, parents[b] == FR_NONE ? FR_NONE : view->skins[0].nodes[parents[b]]);
    }
    fr_model_destroy(model);

    def.mesh = NULL;
    assert_int_equal(fr_skin_create(&def, &bare, NULL), FR_OK);
    fr_error error = {0};
    assert_int_equal(fr_model_from_skin(bare, NULL, NULL, NULL, &model, &error), FR_ERROR_ARGUMENT);
    assert_null(model);
    fr_skin_release(bare);
    fr_skin_release(skin);
    fr_mesh_release(box);
}

static fr_status make_model(const fr_allocator *allocator, void *context) {
    const fr_figure_view *figure = fr_figure_get(context);
    fr_model *model = NULL;
    fr_status status = fr_model_from_skin(figure->skin, "person", figure->colors, allocator, &model, NULL);
    if (status == FR_OK) { test_note_number(fr_model_get(model)->corner_count); }
    fr_model_destroy(model);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_figure *person = make_person();
    assert_true(test_every_failure(make_model, person) >= 2);
    fr_figure_release(person);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_the_same_from_a_glb_file),
        cmocka_unit_test(bones_are_placed_below_their_parents),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
