// The files of OMPL.app: what they say, and where they are wrong.
#include "failing.h"

#include "fureai/scene.h"

#include <math.h>
#include <string.h>

static const char right[] = "# a problem\n"
                            "[problem]\n"
                            "name = Door\r\n"
                            "robot = a.dae # the body\n"
                            "world= walls/b.dae\n"
                            "start.x = 1\nstart.y=2\nstart.z = -3.5\nstart.theta = 1.5707963267948966\n"
                            "start.axis.x = 0\nstart.axis.y = 2\nstart.axis.z = 0\n"
                            "goal.x = 4\ngoal.y = 5\ngoal.z = 6\n"
                            "volume.min.x = -10\nvolume.min.y = -11\nvolume.min.z = -12\n"
                            "volume.max.x = 10\nvolume.max.y = 11\nvolume.max.z = 12\n"
                            "unknown = 7\n"
                            "[benchmark]\nnot a pair at all\n";

static void test_a_problem_in_space(void **state) {
    (void)state;
    fr_ompl_problem p;
    fr_error error;
    assert_int_equal(fr_ompl_read_problem(right, strlen(right), "door.cfg", &p, &error), FR_OK);
    assert_string_equal(p.name, "Door");
    assert_string_equal(p.robot, "a.dae");
    assert_string_equal(p.world, "walls/b.dae");
    assert_int_equal(p.robot_line, 4);
    assert_int_equal(p.world_line, 5);
    assert_int_equal(p.dimension, 3);
    assert_true(p.start.position.z == -3.5 && p.goal.position.x == 4.0);
    assert_true(fabs(p.start.rotation.w - sqrt(0.5)) < 1e-15 && fabs(p.start.rotation.y - sqrt(0.5)) < 1e-15);
    assert_true(p.goal.rotation.w == 1.0);
    assert_true(p.has_bounds && p.bounds.min.y == -11.0 && p.bounds.max.z == 12.0);
}

static void test_a_problem_in_the_plane(void **state) {
    (void)state;
    static const char text[] = "[problem]\nrobot = a\nworld = b\nstart.x = 1\nstart.y = 2\nstart.theta = 0.5\n"
                               "goal.x = 3\ngoal.y = 4\n";
    fr_ompl_problem p;
    assert_int_equal(fr_ompl_read_problem(text, strlen(text), NULL, &p, NULL), FR_OK);
    assert_int_equal(p.dimension, 2);
    assert_false(p.has_bounds);
    assert_true(fabs(p.start.rotation.z - sin(0.25)) < 1e-15);
}

static void expect_wrong(const char *text, fr_status status, int line, int column, const char *word) {
    fr_ompl_problem p;
    fr_error error = {0};
    assert_int_equal(fr_ompl_read_problem(text, strlen(text), "x.cfg", &p, &error), status);
    if (strstr(error.message, word) == NULL) { fail_msg("%s", error.message); }
    assert_string_equal(error.path, "x.cfg");
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

static void test_wrong_problems_are_located(void **state) {
    (void)state;
    expect_wrong("[problem]\nrobot = a\nstart.x = one\n", FR_ERROR_SYNTAX, 3, 11, "not a number");
    expect_wrong("[problem]\nrobot =\n", FR_ERROR_SYNTAX, 2, 8, "missing");
    expect_wrong("[problem]\nrobot\n", FR_ERROR_SYNTAX, 2, 1, "key = value");
    expect_wrong("[problem]\ncontrol = car\n", FR_ERROR_UNSUPPORTED, 2, 1, "controls");
    expect_wrong("[problem]\nstart.x = 1e300\n", FR_ERROR_LIMIT, 2, 11, "too large");
    expect_wrong("[problem]\nstart.x = nan\n", FR_ERROR_SYNTAX, 2, 11, "not a number");
    expect_wrong("[problem]\nrobot = a\nworld = b\nstart.x = 1\nstart.y = 1\nstart.theta = -2e6\n"
                 "goal.x = 1\ngoal.y = 1\n",
                 FR_ERROR_LIMIT, 8, 1, "angle");
    expect_wrong("start.x = 1\n", FR_ERROR_SYNTAX, 1, 1, "[problem]");
    expect_wrong("[problem]\nrobot = a\nworld = b\nstart.x = 1\n", FR_ERROR_SYNTAX, 4, 1, "start");
    expect_wrong(
        "[problem]\nrobot = a\nworld = b\nstart.x = 1\nstart.y = 1\ngoal.x = 1\ngoal.y = 1\nvolume.min.x = 1\n",
        FR_ERROR_ARGUMENT, 8, 1, "volume");
    fr_ompl_problem p;
    fr_error error;
    assert_int_equal(fr_ompl_read_problem(NULL, 0, NULL, &p, &error), FR_ERROR_SYNTAX);
}

// Every prefix of a right file, and every byte of it changed, is read or refused.
static void test_damaged_problems_do_no_harm(void **state) {
    (void)state;
    char text[sizeof right];
    fr_ompl_problem p;
    fr_error error;
    for (size_t size = 0; size < strlen(right); size++) {
        (void)fr_ompl_read_problem(right, size, NULL, &p, &error);
    }
    uint64_t refused = 0;
    for (size_t i = 0; i < strlen(right); i++) {
        for (int byte = 0; byte < 256; byte += 5) {
            memcpy(text, right, sizeof text);
            text[i] = (char)byte;
            refused += fr_ompl_read_problem(text, strlen(right), NULL, &p, &error) != FR_OK ? 1 : 0;
        }
    }
    assert_true(refused > 100);
}

static void test_paths(void **state) {
    (void)state;
    static const char space[] = "1 2 3 0 0 0 1\n\n# a comment\n 4 5 6 0.6 0 0 0.8 \n";
    static const char plane[] = "1 2 0.5\r\n3 4 1";
    fr_ompl_path path;
    fr_error error;
    assert_int_equal(fr_ompl_read_path(space, strlen(space), NULL, NULL, &path, &error), FR_OK);
    assert_int_equal(path.state_count, 2);
    assert_int_equal(path.dimension, 3);
    assert_true(path.states[1].position.y == 5.0 && path.states[1].rotation.w == 0.8 &&
                path.states[1].rotation.x == 0.6);
    fr_ompl_path_destroy(&path);
    assert_int_equal(fr_ompl_read_path(plane, strlen(plane), NULL, NULL, &path, &error), FR_OK);
    assert_int_equal(path.dimension, 2);
    assert_true(fabs(path.states[1].rotation.z - sin(0.5)) < 1e-15);
    fr_ompl_path_destroy(&path);
    // A time may stand before each row.
    const char timed[] = "0 1 2 3 0 0 0 1\n2.5 4 5 6 0 0 0 1\n", flat[] = "1 4 5 1\n";
    assert_int_equal(fr_ompl_read_path(timed, strlen(timed), "p", NULL, &path, &error), FR_OK);
    assert_true(path.dimension == 3 && path.state_count == 2 && path.times[1] == 2.5 && path.states[1].position.x == 4);
    fr_ompl_path_destroy(&path);
    assert_int_equal(fr_ompl_read_path(flat, strlen(flat), "p", NULL, &path, &error), FR_OK);
    assert_true(path.dimension == 2 && path.times[0] == 1.0 && path.states[0].position.x == 4);
    fr_ompl_path_destroy(&path);
    static const struct {
        const char *text;
        int line, column;
    } wrongs[] = {{"1 2 3 4 5\n", 1, 1},
                  {"1 2 0\n1 2 2e6\n", 2, 1},
                  {"1 2 3 4\n0 2 3 4\n", 2, 1},
                  {"1 2 3 4\n2 3 4\n", 2, 1},
                  {"1 2 x\n", 1, 5},
                  {"", 0, 1},
                  {"1 2 3\n1 2 3 0 0 0 1\n", 2, 1},
                  {"1 2 3 0 0 0 2\n", 1, 1},
                  {"1 2 3 4 5 6 7 8 9\n", 1, 17},
                  {"1 2 3x\n", 1, 5}};
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        error = (fr_error){0};
        assert_int_not_equal(fr_ompl_read_path(wrongs[i].text, strlen(wrongs[i].text), "p", NULL, &path, &error),
                             FR_OK);
        assert_int_equal(error.line, wrongs[i].line);
        assert_int_equal(error.column, wrongs[i].column);
        assert_null(path.states);
    }
}

static fr_vec3 mean_of(const fr_model_mesh *meshes, uint32_t mesh_count, const fr_model_node *nodes,
                       uint32_t node_count) {
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = node_count;
    def.meshes = meshes;
    def.mesh_count = mesh_count;
    fr_model *model;
    fr_vec3 mean;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    assert_int_equal(fr_ompl_mean(model, NULL, &mean, NULL), FR_OK);
    fr_model_destroy(model);
    return mean;
}

// Two triangles of a square, which have other normals at one of the two corners that they share, and one upright.
static const double corner_positions[15] = {0, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0, 0, 0, 3};
static const uint32_t corner_vertices[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
static const float corner_normals[27] = {0,    0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0.6f,
                                         0.8f, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};

static void test_the_mean_is_of_positions_and_normals(void **state) {
    (void)state;
    fr_model_node node = fr_default_model_node();
    node.mesh = 0;
    fr_model_mesh mesh = {.positions_double = corner_positions,
                          .vertex_count = 5,
                          .face_count = 3,
                          .corners = corner_vertices,
                          .corner_normals = corner_normals};
    // The third position has two normals and counts twice.
    fr_vec3 mean = mean_of(&mesh, 1, &node, 1);
    assert_true(mean.x == 9.0 / 6.0 && mean.y == 9.0 / 6.0 && mean.z == 3.0 / 6.0);
    // Without normals of the file the first and the fourth count twice: the third triangle's own differs.
    mesh.corner_normals = NULL;
    mean = mean_of(&mesh, 1, &node, 1);
    assert_true(fabs(mean.x - 6.0 / 7.0) < 1e-12 && fabs(mean.y - 9.0 / 7.0) < 1e-12);
    assert_true(fabs(mean.z - 3.0 / 7.0) < 1e-12);
}

// Each part counts by itself, where it is placed, and lines are parts.
static void test_the_mean_counts_parts_and_lines(void **state) {
    (void)state;
    static const double ends[9] = {0, 0, 6, 0, 0, 8, 0, 0, 8};
    static const double still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    fr_model_mesh meshes[2] = {
        {.positions_double = corner_positions, .vertex_count = 3, .face_count = 1, .corners = corner_vertices},
        {.positions_double = ends, .vertex_count = 3}};
    fr_model_node nodes[3] = {fr_default_model_node(), fr_default_model_node(), fr_default_model_node()};
    nodes[0].mesh = nodes[1].mesh = 0;
    nodes[1].transform = still;
    nodes[2].mesh = 1;
    fr_vec3 mean = mean_of(meshes, 2, nodes, 3);
    assert_true(mean.x == 12.0 / 8.0 && mean.y == 6.0 / 8.0 && mean.z == 14.0 / 8.0);
}

static fr_status make_mean(const fr_allocator *allocator, void *context) {
    fr_vec3 mean;
    return fr_ompl_mean(context, allocator, &mean, NULL);
}

static fr_status make_path(const fr_allocator *allocator, void *context) {
    fr_ompl_path path;
    fr_status status = fr_ompl_read_path(context, strlen(context), NULL, allocator, &path, NULL);
    fr_ompl_path_destroy(&path);
    return status;
}

static void test_every_failure_of_memory_is_survived(void **state) {
    (void)state;
    char text[] = "1 2 3\n4 5 6\n";
    assert_true(test_every_failure(make_path, text) >= 2);
    static const char square[] = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nf 1 2 3 4\n";
    fr_model_read_input input = fr_default_model_read_input();
    input.format = FR_MODEL_OBJ;
    fr_model *model;
    assert_int_equal(fr_model_read(square, strlen(square), &input, &model, NULL), FR_OK);
    assert_true(test_every_failure(make_mean, model) >= 1);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_problem_in_space),
        cmocka_unit_test(test_a_problem_in_the_plane),
        cmocka_unit_test(test_wrong_problems_are_located),
        cmocka_unit_test(test_damaged_problems_do_no_harm),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_the_mean_is_of_positions_and_normals),
        cmocka_unit_test(test_the_mean_counts_parts_and_lines),
        cmocka_unit_test(test_every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
