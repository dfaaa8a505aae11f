// A scene's plan among cells: conversions, searches, worlds that change, teams, wrong input, memory.
#include "scene_text.h"

#include <math.h>
#include <stdio.h>

// A bar of 3 x 1 cells and a wall with a slit of 3, in a plane of 16 x 16 cells of one metre.
#define ROOM(search, more)                                                                                             \
    "{\"fureai\":1,\"step\":1,\"steps\":60,\"objects\":[{\"name\":\"walls\",\"boxes\":[[7,0,9,6],[7,9,9,16]],"         \
    "\"static\":true},{\"name\":\"bar\",\"boxes\":[[-1,0,2,1]],\"pivot\":[0.5,0.5,0]}" more                            \
    "],\"plan\":{\"robot\":\"bar\",\"start\":{\"position\":[3.5,3.5,0],\"rotation_deg\":0},\"goal\":{\"position\":"    \
    "[12.5,12.5,0],\"rotation_deg\":0},\"bounds\":{\"min\":[0,0,0],\"max\":[16,16,0]},\"dimension\":2,\"depth\":4,"    \
    "\"alpha_deg\":30,\"search\":\"" search "\"}}"

typedef struct stand {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[8];
    fr_scene_cells_input input;
} stand;

static stand set_up(const char *text) {
    stand s = {.scene = read_right(text)};
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s.space, NULL), FR_OK);
    assert_int_equal(fr_scene_build(s.scene, NULL, s.space, s.ids, NULL), FR_OK);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input = fr_default_scene_cells_input();
    s.input.scene = s.scene;
    s.input.space = s.space;
    return s;
}

static void tear_down(stand *s) {
    fr_space_destroy(s->space);
    fr_scene_destroy(s->scene);
}

static fr_path find(stand *s, fr_scene_cells_result *result) {
    fr_scene_cells *cells;
    fr_path path;
    s->input.ids = s->ids;
    assert_int_equal(fr_scene_cells_create(&s->input, &cells, NULL), FR_OK);
    assert_int_equal(fr_scene_cells_find(cells, NULL, NULL, &path, result, NULL), FR_OK);
    fr_scene_cells_destroy(cells);
    return path;
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    stand s = set_up(ROOM("astar", ""));
    fr_scene_cells *cells;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_ERROR_ARGUMENT);
    assert_null(cells);
    s.input.ids = s.ids;
    s.input.plan = 1;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_ERROR_ARGUMENT);
    s.input.plan = 0;
    s.input.cookie = 0;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_ERROR_ARGUMENT);
    tear_down(&s);

    // The sources' own searches are no part of the library.
    s = set_up(ROOM("hill\",\"mode\":\"k", ""));
    s.input.ids = s.ids;
    fr_path path;
    fr_scene_cells_result result;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_OK);
    assert_int_equal(fr_scene_cells_find(cells, NULL, NULL, &path, &result, NULL), FR_ERROR_UNSUPPORTED);
    fr_scene_cells_destroy(cells);
    fr_scene_cells_destroy(NULL);
    tear_down(&s);
}

static void places_and_poses_are_one_another(void **state) {
    (void)state;
    stand s = set_up(ROOM("astar", ""));
    s.input.ids = s.ids;
    fr_scene_cells *cells;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_OK);
    fr_plan_place place = {{2.5, 7.5, 0.5}, {0.0, 0.0, 60.0}};
    fr_pose pose = fr_scene_cells_pose(cells, &place);
    fr_plan_place back = fr_scene_cells_place(cells, &pose);
    assert_true(pose.position.x == 2.5 && pose.position.y == 7.5);
    assert_true(back.position.x == 2.5 && back.position.y == 7.5 && back.turn_deg.z == 60.0);
    assert_true(fr_scene_cells_world(cells) != NULL && fr_scene_cells_robot(cells).box_count == 1);
    assert_false(fr_scene_cells_is_moving(cells));
    fr_scene_cells_destroy(cells);
    tear_down(&s);
}

static void check_path(const fr_path *path) {
    assert_true(path->is_found && path->is_checked && path->state_count > 2);
    const fr_pose *first = &path->states[0], *last = &path->states[path->state_count - 1];
    assert_true(first->position.x == 3.5 && first->position.y == 3.5);
    assert_true(last->position.x == 12.5 && last->position.y == 12.5);
    assert_true(path->length >= sqrt(2.0 * 81.0) && path->length < 40.0);
}

static void a_path_leads_through_the_slit(void **state) {
    (void)state;
    stand s = set_up(ROOM("astar", ""));
    fr_scene_cells_result result;
    fr_path path = find(&s, &result);
    check_path(&path);
    assert_true(result.expanded > 0 && result.ticks == 0);
    fr_path_destroy(&path);
    tear_down(&s);
}

#define DOOR                                                                                                           \
    ",{\"name\":\"door\",\"boxes\":[[7,6,9,9]],\"path\":[{\"t\":0,\"position\":[0,0,0]},{\"t\":5,\"position\":[0,0,0]" \
    "},"                                                                                                               \
    "{\"t\":6,\"position\":[0,-6,0]}]}"

// A door in the slit goes away after five ticks: the robot gets there tick by tick.
static void a_world_that_changes_is_observed(void **state) {
    (void)state;
    stand s = set_up(ROOM("dstar", DOOR));
    fr_scene_cells_result result;
    fr_path path = find(&s, &result);
    assert_true(path.is_found && result.ticks > 5 && result.ticks < 60);
    assert_int_equal(path.state_count, result.ticks);
    fr_path_destroy(&path);
    tear_down(&s);
}

// A scene that ends long before the robot can arrive: the run goes on among what stands then.
static void a_run_goes_on_behind_the_last_step(void **state) {
    (void)state;
    static const char *const texts[4] = {ROOM("rta", DOOR), ROOM("lrta", DOOR), ROOM("astar", DOOR),
                                         ROOM("dstar", DOOR)};
    for (int i = 0; i < 4; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s", texts[i]);
        memcpy(strstr(text, "\"steps\":60"), "\"steps\": 8", 10);
        stand s = set_up(text);
        fr_scene_cells_result result;
        fr_path path = find(&s, &result);
        assert_true(path.is_found && path.is_checked && result.ticks > 8 && result.max_ticks == 100008);
        fr_path_destroy(&path);
        tear_down(&s);
    }
}

static bool stop(void *user) {
    (void)user;
    return true;
}

static void a_run_can_be_stopped(void **state) {
    (void)state;
    stand s = set_up(ROOM("dstar", DOOR));
    s.input.ids = s.ids;
    fr_scene_cells *cells;
    fr_path path;
    fr_scene_cells_result result;
    const fr_control control = {.stop = stop};
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_OK);
    assert_int_equal(fr_scene_cells_find(cells, NULL, &control, &path, &result, NULL), FR_OK);
    assert_true(!path.is_found && path.is_partial);
    fr_path_destroy(&path);
    fr_scene_cells_destroy(cells);
    tear_down(&s);
}

#define TEAM                                                                                                           \
    "{\"fureai\":1,\"objects\":[{\"name\":\"a\",\"boxes\":[[0,0,1,1]],\"pivot\":[0.5,0.5,0]},{\"name\":\"b\","         \
    "\"boxes\":[[0,0,1,1]],\"pivot\":[0.5,0.5,0]}],\"plan\":[" MEMBER("a", "1.5", "6.5") "," MEMBER("b", "6.5",        \
                                                                                                    "1.5") "]}"
#define MEMBER(name, from, to)                                                                                         \
    "{\"robot\":\"" name "\",\"start\":{\"position\":[" from ",4.5,0],\"rotation_deg\":0},\"goal\":{\"position\":[" to \
    ",4.5,0],\"rotation_deg\":0},\"bounds\":{\"min\":[0,0,0],\"max\":[8,8,0]},\"dimension\":2,\"depth\":3,"            \
    "\"alpha_deg\":90,\"search\":\"astar\"}"

static void two_robots_change_places(void **state) {
    (void)state;
    stand s = set_up(TEAM);
    s.input.ids = s.ids;
    fr_scene_cells *cells;
    fr_path paths[2];
    fr_scene_cells_result result;
    assert_int_equal(fr_scene_cells_create(&s.input, &cells, NULL), FR_OK);
    assert_int_equal(fr_scene_cells_find_team(cells, NULL, NULL, paths, &result, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(paths[i].is_found && paths[i].states[0].position.x == (i == 0 ? 1.5 : 6.5));
        assert_true(paths[i].states[paths[i].state_count - 1].position.x == (i == 0 ? 6.5 : 1.5));
        fr_path_destroy(&paths[i]);
    }
    assert_true(result.ticks >= 5);
    fr_scene_cells_destroy(cells);
    tear_down(&s);
}

static fr_status create_with(const fr_allocator *allocator, void *context) {
    stand *s = context;
    fr_scene_cells *cells = NULL;
    s->input.allocator = *allocator;
    fr_status status = fr_scene_cells_create(&s->input, &cells, NULL);
    fr_path paths[2] = {{0}};
    fr_scene_cells_result result;
    bool is_team = fr_scene_get(s->scene)->plan_count > 1;
    if (status == FR_OK) { status = fr_scene_cells_observe(cells, 0, NULL); }
    if (status == FR_OK && is_team) { status = fr_scene_cells_find_team(cells, NULL, NULL, paths, &result, NULL); }
    if (status == FR_OK && !is_team) { status = fr_scene_cells_find(cells, NULL, NULL, paths, &result, NULL); }
    const fr_plan_state still[2] = {{.place = {{2.5, 7.5, 0.5}, {0, 0, 0}}}, {.place = {{3.5, 7.5, 0.5}, {0, 0, 0}}}};
    fr_path short_path = {.is_found = true};
    if (status == FR_OK) { status = fr_scene_cells_path(cells, still, 2, &short_path, NULL); }
    fr_path_destroy(&short_path);
    if (status == FR_OK) { test_note(paths[0].states, paths[0].state_count * sizeof *paths[0].states); }
    fr_path_destroy(&paths[0]);
    fr_path_destroy(&paths[1]);
    fr_scene_cells_destroy(cells);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stand s = set_up(ROOM("astar", ""));
    s.input.ids = s.ids;
    assert_true(test_every_failure(create_with, &s) > 3);
    tear_down(&s);
    s = set_up(TEAM);
    s.input.ids = s.ids;
    assert_true(test_every_failure(create_with, &s) > 3);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(places_and_poses_are_one_another),
        cmocka_unit_test(a_path_leads_through_the_slit),
        cmocka_unit_test(a_world_that_changes_is_observed),
        cmocka_unit_test(a_run_goes_on_behind_the_last_step),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(two_robots_change_places),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
