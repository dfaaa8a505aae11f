// Problems of path planning made of scenes and of files of OMPL.
#include "frame.h"
#include "plan/clearest.h"
#include "scene_text.h"

#include <math.h>

#define SCENE                                                                                                          \
    "{\"fureai\":1,\"objects\":[{\"name\":\"wall\",\"shape\":\"box\",\"position\":[0,0,0]},{\"name\":\"robot\","       \
    "\"shape\":"                                                                                                       \
    "\"box\",\"scale\":0.25,\"position\":[-2,0,0]}],\"plan\":{\"robot\":\"robot\",\"start\":{\"position\":[-2,0,0]},"  \
    "\"goal\":{\"position\":[2,0,0]},\"bounds\":{\"min\":[-3,-3,-3],\"max\":[3,3,3]},\"search\":\"faces\",\"seed\":3}" \
    "}"

static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 4 3 2\nf 5 6 7 "
                           "8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static fr_status load_cube(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context;
    if (strcmp(path, "cube.obj") != 0) { return fr_error_set(error, FR_ERROR_FILE, "there is no such file"); }
    *bytes = cube;
    *size = sizeof cube - 1;
    return FR_OK;
}

static void check_path(const fr_path_problem *problem) {
    fr_path path;
    assert_int_equal(fr_plan_path(fr_path_problem_input(problem), &path, NULL), FR_OK);
    assert_true(path.is_found && path.is_checked);
    fr_path_destroy(&path);
}

typedef struct built {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[2];
} built;

static built build(void) {
    built b = {.scene = read_right(SCENE)};
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &b.space, NULL), FR_OK);
    assert_int_equal(fr_scene_build(b.scene, NULL, b.space, b.ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(b.space, NULL, NULL), FR_OK);
    return b;
}

static void a_scene_makes_a_problem(void **state) {
    (void)state;
    built b = build();
    fr_path_problem *problem;
    assert_int_equal(fr_scene_path_problem(b.scene, b.space, b.ids, 0, NULL, &problem, NULL), FR_OK);
    const fr_path_input *input = fr_path_problem_input(problem);
    assert_true(input->part_count == 1 && input->start.scale == 0.25 && input->goal.scale == 0.25 && input->seed == 3);
    assert_true(fr_object_id_equal(input->filter->ignore, b.ids[1]) && input->space == b.space);
    check_path(problem);
    fr_path_problem_destroy(problem);
    assert_int_equal(fr_scene_path_problem(b.scene, b.space, b.ids, 1, NULL, &problem, NULL), FR_ERROR_ARGUMENT);
    assert_null(problem);
    assert_int_equal(fr_object_remove(b.space, b.ids[1], NULL), FR_OK);
    assert_int_equal(fr_scene_path_problem(b.scene, b.space, b.ids, 0, NULL, &problem, NULL), FR_ERROR_STALE_ID);
    fr_space_destroy(b.space);
    fr_scene_destroy(b.scene);
}

static const char ompl[] = "[problem]\nname = cubes\nworld = cube.obj\nrobot = cube.obj\nstart.x = -3\nstart.y = "
                           "0\nstart.z = 0\nstart.theta = 0\nstart.axis.x = 1\nstart.axis.y = 0\nstart.axis.z = 0\n"
                           "goal.x = 4\ngoal.y = 0\ngoal.z = 0\ngoal.theta = 0\ngoal.axis.x = 1\ngoal.axis.y = "
                           "0\ngoal.axis.z = 0\nvolume.min.x = -5\nvolume.min.y = -5\nvolume.min.z = -5\n"
                           "volume.max.x = 5\nvolume.max.y = 5\nvolume.max.z = 5\n";

static void ompl_makes_a_problem(void **state) {
    (void)state;
    fr_ompl_problem file;
    fr_error error = {0};
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load_cube;
    if (fr_ompl_read_problem(ompl, sizeof ompl - 1, "p.cfg", &file, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_path_problem *problem;
    assert_int_equal(fr_ompl_path_problem(&file, "p.cfg", &options, &problem, &error), FR_OK);
    const fr_path_input *input = fr_path_problem_input(problem);
    assert_true(input->parts[0].pose.position.x == -0.5 && input->bounds.max.z == 5.0);
    check_path(problem);
    fr_path_problem_destroy(problem);
    fr_path_problem_destroy(NULL);

    // A model that is not there is reported at the line that names it.
    strcpy(file.robot, "other.obj");
    assert_int_equal(fr_ompl_path_problem(&file, "p.cfg", &options, &problem, &error), FR_ERROR_FILE);
    assert_true(strcmp(error.path, "p.cfg") == 0 && error.line == 4);
}

static char text[1 << 16];

static double check_clearest(const char *file, uint64_t max_moves) {
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    fr_scene *scene = read_right(text);
    fr_object_id ids[16];
    assert_true(fr_scene_get(scene)->object_count <= 16);
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    assert_int_equal(fr_scene_build(scene, NULL, space, ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_path_problem *problem;
    assert_int_equal(fr_scene_path_problem(scene, space, ids, 0, NULL, &problem, NULL), FR_OK);
    double clearance = clearest_is_clear(fr_path_problem_input(problem), max_moves);
    fr_path_problem_destroy(problem);
    fr_space_destroy(space);
    fr_scene_destroy(scene);
    return clearance;
}

// The demo's window, and the worlds of the specification that stand still.
static void the_clearest_path_of_shipped_problems_is_clear(void **state) {
    (void)state;
    static const char *const names[] = {"window", "plan_w2", "plan_s1", "plan_s1k", "plan_s2", "plan_s3"};
    for (size_t i = 0; i < (test_is_long() ? 6 : 1); i++) {
        if (!test_is_in_part(i, test_is_long() ? 6 : 1)) { continue; }
        char file[1024];
        snprintf(file, sizeof file, "%s/%s.json", i == 0 ? DEMO_FOLDER : SCENE_FOLDER, names[i]);
        double clearance = check_clearest(file, test_is_long() ? 20000 : 1000);
        print_message("%s keeps %.4f\n", names[i], clearance);
        if (i == 0) { assert_true(clearance > 0.045); }
    }
}

static fr_status make_with(const fr_allocator *allocator, void *context) {
    built *b = context;
    fr_path_problem *problem = NULL;
    fr_status status = fr_scene_path_problem(b->scene, b->space, b->ids, 0, allocator, &problem, NULL);
    if (status == FR_OK) {
        fr_path_input query = *fr_path_problem_input(problem);
        query.allocator = *allocator;
        fr_path path = {0};
        fr_path_run run;
        status = fr_scene_find_path(b->scene, problem, &query, b->space, b->ids, &path, &run, NULL);
        if (status == FR_OK) { test_note(path.states, path.state_count * sizeof *path.states); }
        fr_path_destroy(&path);
    }
    fr_path_problem_destroy(problem);
    return status;
}

static fr_status make_ompl(const fr_allocator *allocator, void *context) {
    fr_scene_build_input options = fr_default_scene_build_input();
    options.load = load_cube;
    options.allocator = *allocator;
    fr_path_problem *problem = NULL;
    fr_status status = fr_ompl_path_problem(context, "p.cfg", &options, &problem, NULL);
    fr_path_problem_destroy(problem);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    built b = build();
    assert_true(test_every_failure(make_with, &b) >= 2);
    fr_ompl_problem file;
    assert_int_equal(fr_ompl_read_problem(ompl, sizeof ompl - 1, "p.cfg", &file, NULL), FR_OK);
    assert_true(test_every_failure(make_ompl, &file) > 3);
    fr_space_destroy(b.space);
    fr_scene_destroy(b.scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_makes_a_problem),
        cmocka_unit_test(ompl_makes_a_problem),
        cmocka_unit_test(the_clearest_path_of_shipped_problems_is_clear),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
