// Meshes with welded vertices: the same triangles at the same places, each place once; without memory, and stopped.
#include "failing.h"
#include "text_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The faces of a grid of squares as STL repeats them: three vertices each. The caller frees it.
static char *print_grid(int side) {
    size_t size = (size_t)side * (size_t)side * 400 + 64;
    char *text = malloc(size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size, "solid grid\n");
    static const int corners[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    for (int i = 0; i < 2 * side * side; i++) {
        used += (size_t)snprintf(text + used, size - used, "facet normal 0 0 1\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            used += (size_t)snprintf(text + used, size - used, "vertex %d %d 0.1\n",
                                     i / 2 % side + corners[i % 2][k][0], i / 2 / side + corners[i % 2][k][1]);
        }
        used += (size_t)snprintf(text + used, size - used, "endloop\nendfacet\n");
    }
    snprintf(text + used, size - used, "endsolid\n");
    return text;
}

static fr_model *read_stl(const char *text, bool is_double) {
    fr_model_read_input reading = fr_default_model_read_input();
    reading.format = FR_MODEL_STL;
    if (is_double) { reading.precision = FR_MODEL_DOUBLE; }
    fr_model *model;
    assert_int_equal(fr_model_read(text, strlen(text), &reading, &model, NULL), FR_OK);
    return model;
}

static fr_mesh *make_mesh(const fr_model *model, bool is_welded, bool is_double) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_welded = is_welded;
    input.is_double = is_double;
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 0, &input, &mesh, NULL), FR_OK);
    return mesh;
}

static void the_triangles_stay_and_places_are_there_once(void **state) {
    (void)state;
    enum { SIDE = 9 };
    char *text = print_grid(SIDE);
    for (int is_double = 0; is_double < 2; is_double++) {
        fr_model *model = read_stl(text, is_double);
        fr_mesh *plain = make_mesh(model, false, is_double), *welded = make_mesh(model, true, is_double);
        const fr_mesh_view *a = fr_mesh_get(plain), *b = fr_mesh_get(welded);
        assert_int_equal(a->vertex_count, 6 * SIDE * SIDE);
        assert_int_equal(b->vertex_count, (SIDE + 1) * (SIDE + 1));
        assert_int_equal(a->triangle_count, b->triangle_count);
        for (uint32_t i = 0; i < a->triangle_count; i++) {
            fr_vec3 p[3], q[3];
            fr_mesh_corners(plain, i, p);
            fr_mesh_corners(welded, i, q);
            assert_memory_equal(p, q, sizeof p);
        }
        // Vertices are numbered as they first come.
        uint32_t next = 0;
        for (uint32_t i = 0; i < 3 * b->triangle_count; i++) {
            assert_true(b->triangles[i] <= next);
            next += b->triangles[i] == next;
        }
        fr_mesh_release(plain);
        fr_mesh_release(welded);
        fr_model_destroy(model);
    }
    free(text);
}

static void zeros_of_two_signs_are_two(void **state) {
    (void)state;
    fr_model *model =
        read_stl("solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
                 "facet\nouter loop\nvertex -0 0 0\nvertex 0 0 1\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n",
                 false);
    fr_mesh *mesh = make_mesh(model, true, false);
    assert_int_equal(fr_mesh_get(mesh)->vertex_count, 5);
    fr_mesh_release(mesh);
    fr_model_destroy(model);
}

static fr_status make_welded(const fr_allocator *allocator, void *context) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_welded = true;
    input.allocator = *allocator;
    fr_mesh *mesh;
    fr_status status = fr_model_part_mesh(context, 0, &input, &mesh, NULL);
    if (status != FR_OK) {
        assert_null(mesh);
        return status;
    }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    test_note(view->triangles, 12 * (size_t)view->triangle_count);
    fr_mesh_release(mesh);
    return FR_OK;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    char *text = print_grid(12);
    fr_model *model = read_stl(text, false);
    test_every_failure_leaves_nothing(make_welded, model);
    fr_model_destroy(model);
    free(text);
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void it_can_be_stopped(void **state) {
    (void)state;
    char *text = print_grid(120);
    fr_model *model = read_stl(text, false);
    fr_control control = {.stop = stop_now};
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_welded = true;
    input.control = &control;
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 0, &input, &mesh, NULL), FR_ERROR_STOPPED);
    assert_null(mesh);
    fr_model_destroy(model);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_triangles_stay_and_places_are_there_once),
        cmocka_unit_test(zeros_of_two_signs_are_two),
        cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
