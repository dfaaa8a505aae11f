// Planning problems in scenes, and objects made of cells.
#include "scene_text.h"

#include <math.h>

#define BOUNDS "\"bounds\":{\"min\":[0,0,0],\"max\":[8,8,8]}"
#define ENDS "\"start\":{\"position\":[1,1,1]},\"goal\":{\"position\":[7,7,7],\"rotation\":null}"
#define PLAN(more) "\"plan\":{\"robot\":\"r\"," ENDS "," BOUNDS more "}"
#define SCENE(objects, plan) "{\"fureai\":1,\"objects\":[" objects "]," plan "}"
#define ROBOT "{\"name\":\"r\",\"shape\":\"box\"}"

static void test_what_is_not_said_has_its_default(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE(ROBOT, PLAN("")));
    const fr_scene_view *view = fr_scene_get(scene);
    assert_int_equal(view->plan_count, 1);
    const fr_scene_plan *p = view->plans;
    assert_int_equal(p->robot, 0);
    assert_true(p->is_goal_turn_any && p->dimension == 3 && p->depth == 5 && p->alpha_deg == 30.0);
    assert_true(p->mode == FR_SCENE_PLAN_C && p->search == FR_SCENE_SEARCH_FACES && p->objective == FR_PATH_FIRST);
    assert_true(p->pmax == 100.0 && p->attraction == 1.0 && p->turn_cost == 3.0 && p->field_cost == 0.0);
    assert_true(p->rule == FR_OCTREE_OVERLAP && p->is_swept && p->seed == 1 && p->margin == 0.0);
    assert_true(p->threshold == (double)INFINITY);
    assert_true(fr_scene_cell_edge(scene) == 0.25);
    fr_scene_destroy(scene);
}

static void test_everything_can_be_said(void **state) {
    (void)state;
    fr_scene *scene = read_right(
        SCENE(ROBOT, "\"plan\":[{\"robot\":\"r\",\"start\":{\"position\":[1,1,0],\"rotation_deg\":90},\"goal\":{"
                     "\"position\":[2,2,0],\"axis_angle_deg\":[0,0,1,30]}," BOUNDS
                     ",\"dimension\":2,\"depth\":10,\"alpha_deg\":15,\"mode\":\"k\",\"search\":\"hill\",\"wish\":"
                     "\"clearest\",\"margin\":0.5,\"seed\":7,\"pmax\":50,\"C\":2,\"threshold\":9,\"weight\":1.25,"
                     "\"wrot\":4,\"wpot\":0.5,\"rule\":\"centre\",\"swept\":false}]"));
    const fr_scene_plan *p = fr_scene_get(scene)->plans;
    assert_true(!p->is_goal_turn_any && p->dimension == 2 && p->depth == 10 && p->alpha_deg == 15.0);
    assert_true(p->mode == FR_SCENE_PLAN_K && p->search == FR_SCENE_SEARCH_HILL && p->objective == FR_PATH_CLEAREST);
    assert_true(fabs(p->start.rotation.z - sqrt(0.5)) < 1e-15);
    assert_true(p->margin == 0.5 && p->seed == 7 && p->pmax == 50.0 && p->attraction == 2.0 && p->threshold == 9.0);
    assert_true(p->weight == 1.25 && p->turn_cost == 4.0 && p->field_cost == 0.5);
    assert_true(p->rule == FR_OCTREE_CENTER && !p->is_swept);
    fr_scene_destroy(scene);
}

static void test_a_floor_is_a_plane_too(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE(ROBOT, PLAN(",\"dimension\":2")));
    assert_int_equal(fr_scene_get(scene)->plans->plane, FR_PATH_PLANE_XY);
    fr_scene_destroy(scene);
    scene = read_right(SCENE(ROBOT,
                             "\"plan\":{\"robot\":\"r\",\"start\":{\"position\":[1,0,1],\"rotation_deg\":90},\"goal\":{"
                             "\"position\":[2,0,2]},\"bounds\":{\"min\":[0,0,0],\"max\":[4,1,8]}"
                             ",\"dimension\":2,\"depth\":3,\"plane\":\"xz\"}"));
    const fr_scene_plan *p = fr_scene_get(scene)->plans;
    assert_true(p->plane == FR_PATH_PLANE_XZ && fabs(p->start.rotation.y - sqrt(0.5)) < 1e-15);
    assert_true(fr_scene_cell_edge(scene) == 1.0);
    fr_scene_destroy(scene);
    expect_wrong(SCENE(ROBOT, PLAN(",\"plane\":\"xz\"")), "needs dimension 2", "\"xz\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"dimension\":2,\"search\":\"astar\",\"plane\":\"xz\"")), "among faces", "\"xz\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"dimension\":2,\"plane\":\"yz\"")), "yz", "\"yz\"");
}

static void test_wrong_plans_are_located(void **state) {
    (void)state;
    expect_wrong(SCENE(ROBOT, "\"plan\":{\"robot\":\"x\"," ENDS "," BOUNDS "}"), "there is no object 'x'", "\"x\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"search\":\"astra\"")), "did you mean 'astar'?", "\"astra\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"search\":\"hill\"")), "mode k searches", "\"hill\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"mode\":\"k\",\"search\":\"astar\"")), "mode k searches", "\"astar\"");
    expect_wrong(SCENE(ROBOT, PLAN(",\"depth\":9")), "at most 8", "9}");
    expect_wrong(SCENE(ROBOT, "\"plan\":{\"robot\":\"r\"," ENDS ",\"bounds\":{\"min\":[0,0,0],\"max\":[0,1,1]}}"),
                 "no inside", "{\"min\"");
    expect_wrong(SCENE("{\"name\":\"r\",\"boxes\":[[0,0,0,1,1,1]]}", "\"joints\":[]"), "cells need", "\"boxes\"");
    expect_wrong(SCENE(ROBOT ",{\"name\":\"b\",\"boxes\":[[0,0,0,1,0,1]]}", PLAN("")), "lower to its higher",
                 "[0,0,0,1,0");
    expect_wrong(SCENE(ROBOT ",{\"name\":\"b\",\"boxes\":[[0,0,0.5,1]]}", PLAN("")), "whole numbers", "[0,0,0.5");
    expect_wrong(SCENE(ROBOT ",{\"name\":\"b\",\"rows\":[\"..\",\".x\"]}", PLAN("")), "'#' and '.'", "\".x\"");
    expect_wrong(SCENE(ROBOT ",{\"name\":\"b\",\"rows\":[\"..\"]}", PLAN("")), "no cell", "[\"..\"]");
    expect_wrong(SCENE("{\"name\":\"r\",\"shape\":\"box\",\"rows\":[\"#\"]}", PLAN("")), "not two of them", "\"rows\"");
}

static void test_rows_become_boxes(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE(ROBOT ",{\"name\":\"b\",\"rows\":[\"##.#\",\"..\",\"#\"]}", PLAN("")));
    const fr_scene_object *o = &fr_scene_get(scene)->objects[1];
    assert_int_equal(o->box_count, 3);
    const fr_plan_box wanted[3] = {{{0, 2, 0}, {2, 3, 1}}, {{3, 2, 0}, {4, 3, 1}}, {{0, 0, 0}, {1, 1, 1}}};
    assert_memory_equal(o->boxes, wanted, sizeof wanted);
    fr_scene_destroy(scene);
}

// Each '#' between dots is a box of its own.
static void test_rows_have_as_many_boxes_as_an_object_may(void **state) {
    (void)state;
    enum { RUNS = 2048, ROWS = FR_SCENE_MAX_BOXES / RUNS };
    for (int more = 0; more < 2; more++) {
        fr_array text = fr_array_make(1, NULL);
        const char *begin = "{\"fureai\":1," PLAN("") ",\"objects\":[" ROBOT ",{\"name\":\"b\",\"rows\":[";
        const char *end = more == 0 ? "\".\"]}]}" : "\"#\"]}]}";
        memcpy(fr_array_push(&text, strlen(begin)), begin, strlen(begin));
        for (int row = 0; row < ROWS; row++) {
            char *at = fr_array_push(&text, 2 * RUNS + 3);
            *at++ = '"';
            for (int i = 0; i < RUNS; i++) {
                *at++ = '#';
                *at++ = '.';
            }
            *at++ = '"';
            *at = ',';
        }
        memcpy(fr_array_push(&text, strlen(end)), end, strlen(end));
        fr_scene *scene;
        fr_error error;
        fr_status status = fr_scene_read(text.data, text.count, NULL, &scene, &error);
        assert_int_equal(status, more == 0 ? FR_OK : FR_ERROR_LIMIT);
        if (more == 0) { assert_int_equal(fr_scene_get(scene)->objects[1].box_count, FR_SCENE_MAX_BOXES); }
        fr_scene_destroy(scene);
        fr_array_destroy(&text);
    }
}

// Cells stand where they are in the world, whatever they turn about.
static void test_cells_become_objects(void **state) {
    (void)state;
    static const char *const texts[] = {
        SCENE(ROBOT ",{\"name\":\"b\",\"boxes\":[[4,8,12,6,9,16]]}", PLAN("")),
        SCENE(ROBOT ",{\"name\":\"b\",\"boxes\":[[4,8,12,6,9,16]],\"pivot\":[4,8,12]}", PLAN(""))};
    for (int i = 0; i < 2; i++) {
        fr_scene *scene = read_right(texts[i]);
        fr_space_def def = fr_default_space_def();
        fr_space *space;
        assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
        fr_object_id ids[2];
        fr_error error;
        assert_int_equal(fr_scene_build(scene, NULL, space, ids, &error), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_bounds b;
        assert_int_equal(fr_object_bounds(space, ids[1], &b, NULL), FR_OK);
        assert_true(fabs(b.min.x - 1.0) < 1e-6 && fabs(b.min.y - 2.0) < 1e-6 && fabs(b.min.z - 3.0) < 1e-6);
        assert_true(fabs(b.max.x - 1.5) < 1e-6 && fabs(b.max.y - 2.25) < 1e-6 && fabs(b.max.z - 4.0) < 1e-6);
        assert_true(fabs(fr_mesh_mass(fr_object_part(space, ids[1], 0).mesh).volume - 0.125) < 1e-9);
        fr_space_destroy(space);
        fr_scene_destroy(scene);
    }
}

static fr_status make_scene(const fr_allocator *allocator, void *context) {
    fr_scene_read_input options = fr_default_scene_read_input();
    options.allocator = *allocator;
    fr_scene *scene;
    fr_status status = fr_scene_read(context, strlen(context), &options, &scene, NULL);
    fr_scene_destroy(scene);
    return status;
}

static void test_every_failure_of_memory_is_survived(void **state) {
    (void)state;
    char text[] = SCENE(ROBOT ",{\"name\":\"b\",\"rows\":[\"##.#\",\"..\",\"#\"]}", PLAN(""));
    assert_true(test_every_failure(make_scene, text) > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_said_has_its_default),
        cmocka_unit_test(test_everything_can_be_said),
        cmocka_unit_test(test_wrong_plans_are_located),
        cmocka_unit_test(test_a_floor_is_a_plane_too),
        cmocka_unit_test(test_rows_become_boxes),
        cmocka_unit_test(test_rows_have_as_many_boxes_as_an_object_may),
        cmocka_unit_test(test_cells_become_objects),
        cmocka_unit_test(test_every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
