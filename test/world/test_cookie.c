// Definitions and inputs that no fr_default_X made: every call of the core library refuses them with a status and a
// sentence that names fr_default_X.
#include "cookie.h"

#include "fureai/fureai.h"

// What the calls need beside the struct that is all zeros.
static fr_mesh *mesh;
static fr_space *space;
static fr_object_id object;
static fr_octree *octree;
static fr_octree_builder *builder;
static fr_octree_reference *reference;
static fr_collide *collide;
static fr_radar *radar;
static fr_plan_world *cells;
static fr_world *world;

// X(case, type of the struct, function that makes it, call with `given`)
#define CASES(X)                                                                                                       \
    X(task_pool, fr_task_pool_def, fr_default_task_pool_def,                                                           \
      fr_task_pool_create(&given, COOKIE_OUT(fr_task_pool), error))                                                    \
    X(tree, fr_tree_def, fr_default_tree_def, fr_tree_create(&given, COOKIE_OUT(fr_tree), error))                      \
    X(mesh_of_arrays, fr_mesh_def, fr_default_mesh_def, fr_mesh_create(&given, COOKIE_OUT(fr_mesh), error))            \
    X(mesh_box, fr_mesh_def, fr_default_mesh_def,                                                                      \
      fr_mesh_create_box(fr_vec3_make(1, 1, 1), &given, COOKIE_OUT(fr_mesh), error))                                   \
    X(topology, fr_topology_def, fr_default_topology_def,                                                              \
      fr_topology_create(mesh, &given, COOKIE_OUT(fr_topology), error))                                                \
    X(planar, fr_planar_def, fr_default_planar_def,                                                                    \
      fr_planar_create(mesh, &given, COOKIE_OUT(fr_planar_faces), error))                                              \
    X(octree_of_cells, fr_octree_def, fr_default_octree_def, fr_octree_create(&given, COOKIE_OUT(fr_octree), error))   \
    X(environment, fr_octree_def, fr_default_octree_def,                                                               \
      fr_environment_create(&given, COOKIE_OUT(fr_environment), error))                                                \
    X(octree_build, fr_octree_build_input, fr_default_octree_build_input,                                              \
      fr_octree_build(builder, &given, octree, error))                                                                 \
    X(octree_move, fr_octree_move_input, fr_default_octree_move_input,                                                 \
      fr_octree_move(reference, &given, octree, NULL, error))                                                          \
    X(space_made, fr_space_def, fr_default_space_def, fr_space_create(&given, COOKIE_OUT(fr_space), error))            \
    X(object_added, fr_object_def, fr_default_object_def,                                                              \
      fr_object_add(space, &given, &(fr_object_id){0, 0, 0}, error))                                                   \
    X(collide_static, fr_collide_input, fr_default_collide_input,                                                      \
      fr_collide_static(collide, &given, &(fr_collide_output){0}, error))                                              \
    X(collide_continuous, fr_collide_input, fr_default_collide_input,                                                  \
      fr_collide_continuous(collide, &given, &(fr_collide_output){0}, error))                                          \
    X(collide_pair, fr_collide_input, fr_default_collide_input,                                                        \
      fr_collide_static_pair(collide, &given, object, object, &(fr_collide_output){0}, error))                         \
    X(collide_uncertain, fr_uncertain_input, fr_default_uncertain_input,                                               \
      fr_collide_uncertain(collide, &given, &(fr_uncertain_output){0}, error))                                         \
    X(collide_meet, fr_meet_input, fr_default_meet_input, fr_collide_meet(&given, &(fr_move_output){0}, error))        \
    X(collide_move, fr_move_input, fr_default_move_input, fr_collide_move(&given, &(fr_move_output){0}, error))        \
    X(radar_move, fr_radar_input, fr_default_radar_input, fr_radar_move(radar, &given, &(fr_radar_output){0}, error))  \
    X(radar_turn, fr_radar_input, fr_default_radar_input, fr_radar_turn(radar, &given, &(fr_radar_output){0}, error))  \
    X(radar_meet, fr_radar_input, fr_default_radar_input, fr_radar_meet(radar, &given, &(fr_radar_output){0}, error))  \
    X(radar_travel, fr_radar_input, fr_default_radar_input,                                                            \
      fr_radar_travel(radar, &given, &(fr_radar_output){0}, error))                                                    \
    X(radar_move_many, fr_radar_input, fr_default_radar_input,                                                         \
      fr_radar_move_many(radar, &given, 1, &(fr_radar_output){0}, error))                                              \
    X(radar_search, fr_radar_search_input, fr_default_radar_search_input,                                              \
      fr_radar_search(radar, &given, &(fr_radar_search_output){0}, error))                                             \
    X(plan_world, fr_plan_world_def, fr_default_plan_world_def,                                                        \
      fr_plan_world_create(&given, COOKIE_OUT(fr_plan_world), error))                                                  \
    X(plan_field, fr_plan_field_def, fr_default_plan_field_def,                                                        \
      fr_plan_field_create(&given, cells, COOKIE_OUT(fr_plan_field), error))                                           \
    X(plan_robot, fr_plan_robot_def, fr_default_plan_robot_def,                                                        \
      fr_plan_robot_create(&given, COOKIE_OUT(fr_plan_robot), error))                                                  \
    X(plan_check, fr_plan_check_input, fr_default_plan_check_input,                                                    \
      fr_plan_check_cells(&given, &(fr_plan_check_output){0}, error))                                                  \
    X(plan_cells, fr_plan_cells_input, fr_default_plan_cells_input, fr_plan_cells(&given, &(fr_cell_path){0}, error))  \
    X(plan_agent, fr_plan_agent_def, fr_default_plan_agent_def,                                                        \
      fr_plan_agent_create(&given, COOKIE_OUT(fr_plan_agent), error))                                                  \
    X(plan_team, fr_plan_team_input, fr_default_plan_team_input, fr_plan_team_find(&given, &(fr_plan_team){0}, error)) \
    X(plan_path, fr_path_input, fr_default_path_input, fr_plan_path(&given, &(fr_path){0}, error))                     \
    X(rebound, fr_rebound_input, fr_default_rebound_input, fr_touch_rebound(&given, &(fr_rebound_output){0}, error))   \
    X(fall, fr_fall_input, fr_default_fall_input, fr_touch_fall(&given, &(fr_fall_output){0}, error))                  \
    X(touch, fr_touch_input, fr_default_touch_input, fr_touch_pairs(&given, &(uint32_t){0}, error))                    \
    X(blink, fr_blink_def, fr_default_blink_def,                                                                       \
      fr_blink_groups_create(mesh, &given, COOKIE_OUT(fr_blink_groups), error))                                        \
    X(world_made, fr_world_def, fr_default_world_def, fr_world_create(&given, COOKIE_OUT(fr_world), error))            \
    X(tick, fr_tick_input, fr_default_tick_input, fr_world_tick(world, &given, error))

COOKIE_TABLE(CASES)

static int make_all(void **state) {
    (void)state;
    fr_space_def space_def = fr_default_space_def();
    fr_octree_def octree_def = fr_default_octree_def();
    fr_plan_world_def plan_def = fr_default_plan_world_def();
    fr_world_def world_def = fr_default_world_def();
    fr_part_def part = fr_default_part_def();
    fr_object_def object_def = fr_default_object_def();
    bool is_made = fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL) == FR_OK &&
                   fr_space_create(&space_def, &space, NULL) == FR_OK;
    part.mesh = mesh;
    object_def.parts = &part;
    object_def.part_count = 1;
    is_made = is_made && fr_object_add(space, &object_def, &object, NULL) == FR_OK &&
              fr_space_update(space, NULL, NULL) == FR_OK && fr_octree_create(&octree_def, &octree, NULL) == FR_OK &&
              fr_octree_builder_create(NULL, &builder, NULL) == FR_OK &&
              fr_octree_reference_create(octree, NULL, &reference, NULL) == FR_OK &&
              fr_collide_create(NULL, &collide, NULL) == FR_OK && fr_radar_create(NULL, &radar, NULL) == FR_OK &&
              fr_plan_world_create(&plan_def, &cells, NULL) == FR_OK &&
              fr_world_create(&world_def, &world, NULL) == FR_OK;
    return is_made ? 0 : 1;
}

static int destroy_all(void **state) {
    (void)state;
    fr_world_destroy(world);
    fr_plan_world_destroy(cells);
    fr_radar_destroy(radar);
    fr_collide_destroy(collide);
    fr_octree_reference_destroy(reference);
    fr_octree_builder_destroy(builder);
    fr_octree_destroy(octree);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, make_all, destroy_all);
}
