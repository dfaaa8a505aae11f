// The stack that calls of core need: each runs on a thread whose stack was painted before, and what is not painted any
// more afterwards was used. None needs more than FR_MAX_STACK_BYTES beyond what an empty call needs.
#include "frame.h"
#include "hand/parts.h"
#include "plan/window.h"

#include "fureai/fureai.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define ROOM ((size_t)1 << 20)
#define PAINT 0xa5

static void require(bool holds, const char *what) {
    if (holds) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

#define REQUIRE(call) require((call) == FR_OK, #call)

// ---------------------------------------------------------------------------------------------------------------
// What the calls are about

enum { BODIES = 4, CONTACTS = 1024 };

static struct {
    fr_mesh *gear, *housing, *ball, *box;
    fr_space *space;
    fr_object_id ids[BODIES];
    fr_collide *collide;
    fr_part_def part, small_part;
    fr_contact contacts[CONTACTS];
} all;

static fr_object_id put(const fr_mesh *mesh, fr_vec3 at) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position = at;
    fr_object_id id;
    REQUIRE(fr_object_add(all.space, &def, &id, NULL));
    return id;
}

static void open_all(void) {
    fr_space_def def = fr_default_space_def();
    all.gear = part_gear();
    all.housing = part_housing(5e-4);
    REQUIRE(fr_mesh_create_sphere(0.05, 24, 48, FR_AXIS_Y, NULL, &all.ball, NULL));
    REQUIRE(fr_mesh_create_box(fr_vec3_make(0.06, 0.04, 0.05), NULL, &all.box, NULL));
    REQUIRE(fr_space_create(&def, &all.space, NULL));
    const fr_mesh *meshes[4] = {all.housing, all.gear, all.ball, all.box};
    for (int i = 0; i < BODIES; i++) {
        all.ids[i] = put(meshes[i % 4], fr_vec3_make(0.085 * i, 0.015 * (i % 2), 0.0));
        fr_pose next =
            fr_pose_make(fr_vec3_make(0.084 * i, 0.01, 0.0), fr_quat_from_vector(fr_vec3_make(0.0, 0.01, 0.0)));
        REQUIRE(fr_object_set_next(all.space, all.ids[i], &next, NULL));
    }
    REQUIRE(fr_space_update(all.space, NULL, NULL));
    REQUIRE(fr_collide_create(NULL, &all.collide, NULL));
    all.part = fr_default_part_def();
    all.part.mesh = all.gear;
    all.small_part = fr_default_part_def();
    all.small_part.mesh = all.box;
}

static void close_all(void) {
    fr_collide_destroy(all.collide);
    fr_space_destroy(all.space);
    fr_mesh_release(all.gear);
    fr_mesh_release(all.housing);
    fr_mesh_release(all.ball);
    fr_mesh_release(all.box);
}

// ---------------------------------------------------------------------------------------------------------------
// shape, octree, sector, space

static void make_and_cook_a_mesh(void) {
    static _Alignas(64) uint8_t block[1 << 20];
    fr_mesh *mesh, *cooked;
    REQUIRE(fr_mesh_create_sphere(1.0, 40, 80, FR_AXIS_Y, NULL, &mesh, NULL));
    size_t size = fr_mesh_cook(mesh, block, sizeof block);
    REQUIRE(fr_mesh_from_cooked(block, size, false, NULL, &cooked, NULL));
    fr_mesh_release(mesh);
    fr_mesh_release(cooked);
}

static void make_a_named_mesh(void) {
    for (size_t i = 0; fr_mesh_name(i) != NULL; i++) {
        fr_mesh *mesh = NULL;
        if (fr_mesh_create_named(fr_mesh_name(i), NULL, &mesh, NULL) == FR_OK) { fr_mesh_release(mesh); }
    }
}

static void find_planar_faces(void) {
    fr_topology_def topology_def = fr_default_topology_def();
    fr_planar_def def = fr_default_planar_def();
    fr_topology *topology;
    fr_planar_faces *planar;
    REQUIRE(fr_topology_create(all.gear, &topology_def, &topology, NULL));
    def.topology = topology;
    REQUIRE(fr_planar_create(all.gear, &def, &planar, NULL));
    fr_planar_destroy(planar);
    fr_topology_destroy(topology);
}

static void look_at_a_mesh(void) {
    fr_vec3 point = fr_vec3_make(0.03, 0.01, 0.02);
    fr_ray ray = {.origin = point, .direction = fr_vec3_make(0.0, 0.1, 1.0), .limit = 10.0};
    (void)fr_mesh_ray(all.gear, &ray);
    (void)fr_mesh_closest(all.gear, point, INFINITY);
    (void)fr_mesh_contains(all.gear, point);
}

static void build_and_move_an_octree(void) {
    fr_octree_def def = fr_default_octree_def();
    fr_bounds bounds = fr_mesh_get(all.gear)->bounds;
    fr_octree *tree, *moved;
    fr_octree_builder *builder;
    fr_octree_reference *reference;
    fr_octree_root_about(&bounds, &def);
    def.depth = 7;
    REQUIRE(fr_octree_create(&def, &tree, NULL));
    REQUIRE(fr_octree_create(&def, &moved, NULL));
    REQUIRE(fr_octree_builder_create(NULL, &builder, NULL));
    fr_octree_build_input mesh = fr_default_octree_build_input();
    mesh.mesh = all.gear;
    REQUIRE(fr_octree_build(builder, &mesh, tree, NULL));
    REQUIRE(fr_octree_reference_create(tree, NULL, &reference, NULL));
    fr_octree_move_input input = fr_default_octree_move_input();
    for (int rule = 0; rule < 4; rule++) {
        input.rule = (fr_octree_rule)rule;
        input.motion = fr_octree_motion_step(fr_vec3_make(1.0, 0.5, 0.2), fr_vec3_make(10.0, 20.0, 30.0));
        REQUIRE(fr_octree_move(reference, &input, moved, NULL, NULL));
        input.motion = fr_octree_motion_step(fr_vec3_make(3.0, 0.0, 1.0), fr_vec3_make(0.0, 0.0, 0.0));
        REQUIRE(fr_octree_move(reference, &input, moved, NULL, NULL));
    }
    (void)fr_octree_interfere(tree, moved);
    fr_octree_reference_destroy(reference);
    fr_octree_builder_destroy(builder);
    fr_octree_destroy(tree);
    fr_octree_destroy(moved);
}

static void sweep_a_sector(void) {
    const fr_pose from = fr_pose_identity();
    fr_pose to = fr_pose_make(fr_vec3_make(0.1, 0.2, 0.3), fr_quat_from_vector(fr_vec3_make(0.3, 0.8, 0.1)));
    fr_screw screw;
    fr_sector sector, other;
    require(fr_screw_between(&from, &to, &screw), "a screw");
    REQUIRE(fr_sector_of_mesh(all.gear, &from, &screw, &sector, NULL));
    REQUIRE(fr_sector_of_mesh(all.box, &to, &screw, &other, NULL));
    (void)fr_sector_overlap_sector(&sector, &other, 1e-6);
}

static void update_a_space(void) {
    for (int i = 0; i < BODIES; i++) {
        fr_pose pose = fr_object_get(all.space, all.ids[i])->pose;
        REQUIRE(fr_object_set_pose(all.space, all.ids[i], &pose, NULL));
        pose.position.y += i % 2 == 0 ? 0.002 : -0.002;
        REQUIRE(fr_object_set_next(all.space, all.ids[i], &pose, NULL));
    }
    REQUIRE(fr_space_update(all.space, NULL, NULL));
}

static void query_a_space(void) {
    fr_ray ray = {.origin = fr_vec3_make(-1.0, 0.01, 0.02), .direction = fr_vec3_make(1.0, 0.0, 0.0), .limit = 10.0};
    fr_space_hit hit;
    fr_space_closest closest;
    fr_object_distance separation;
    fr_overlap_shape shape = {.kind = FR_OVERLAP_MESH, .mesh = all.gear, .pose = fr_pose_identity()};
    uint32_t count = 0;
    REQUIRE(fr_space_ray(all.space, &ray, NULL, &hit, NULL));
    REQUIRE(fr_space_overlap(all.space, &shape, NULL, NULL, 0, &count, NULL));
    REQUIRE(fr_space_closest_point(all.space, ray.origin, INFINITY, true, NULL, &closest, NULL));
    REQUIRE(fr_space_distance(all.space, all.ids[0], all.ids[2], INFINITY, &separation, NULL));
    REQUIRE(fr_space_distance(all.space, all.ids[1], all.ids[3], INFINITY, &separation, NULL));
    REQUIRE(fr_space_cast_ball(all.space, ray.origin, fr_vec3_make(2.0, 0.0, 0.0), 0.01, NULL, &hit, NULL));
}

// ---------------------------------------------------------------------------------------------------------------
// collide, radar

static void collide_by(fr_collide_method method, bool is_over_step, fr_contact_set set) {
    fr_collide_input input = fr_default_collide_input();
    fr_collide_output output;
    input.space = all.space;
    input.want = FR_WANT_INTERVALS;
    input.method = method;
    input.set = set;
    input.is_containment_wanted = true;
    for (int i = 0; i < 2; i++) {
        if (is_over_step) {
            REQUIRE(fr_collide_continuous(all.collide, &input, &output, NULL));
        } else {
            REQUIRE(fr_collide_static(all.collide, &input, &output, NULL));
        }
    }
}

static void collide_at_an_instant(void) { collide_by(FR_COLLIDE_TREE, false, FR_SET_ALL); }
static void collide_at_an_instant_by_cells(void) {
    collide_by(FR_COLLIDE_FACE_OCTREE, false, FR_SET_ALL);
    collide_by(FR_COLLIDE_OCTREE, false, FR_SET_ALL);
}
static void collide_over_a_step(void) { collide_by(FR_COLLIDE_TREE, true, FR_SET_ALL); }
static void collide_first_over_a_step(void) { collide_by(FR_COLLIDE_TREE, true, FR_SET_FIRST); }
static void collide_over_a_step_by_cells(void) { collide_by(FR_COLLIDE_FACE_OCTREE, true, FR_SET_ALL); }

static void collide_uncertain(void) {
    fr_uncertain_input input = fr_default_uncertain_input();
    fr_uncertain_output output;
    fr_object_uncertainty uncertainty = {.id = all.ids[1],
                                         .uncertainty = {.position_error = 1e-3, .rotation_error = 1e-3}};
    input.query.space = all.space;
    input.uncertainties = &uncertainty;
    input.uncertainty_count = 1;
    input.draws = 1;
    input.query.budget = 2000;
    for (int i = 0; i < 2; i++) {
        input.is_over_step = i == 1;
        REQUIRE(fr_collide_uncertain(all.collide, &input, &output, NULL));
    }
}

static fr_move_input move_input(void) {
    fr_move_input input = fr_default_move_input();
    input.space = all.space;
    input.parts = &all.part;
    input.part_count = 1;
    input.motion.start.position.y = 0.15;
    input.motion.travel = fr_vec3_make(0.01, -0.2, 0.005);
    input.motion.turn = fr_vec3_make(0.1, 0.4, 0.2);
    input.contacts = all.contacts;
    input.capacity = CONTACTS;
    return input;
}

static void move_in_a_space(void) {
    fr_move_output output;
    fr_move_input input = move_input();
    REQUIRE(fr_collide_move(&input, &output, NULL));
    require(output.is_hit, "a contact");
    input.may_others_move = true;
    input.margin = 0.002;
    REQUIRE(fr_collide_move(&input, &output, NULL));
}

static void meet_in_a_space(void) {
    fr_move_output output;
    fr_meet_input input = fr_default_meet_input();
    input.space = all.space;
    input.a = all.ids[0];
    input.b = all.ids[1];
    input.motion_a = fr_object_get(all.space, input.a)->motion;
    input.motion_b = fr_object_get(all.space, input.b)->motion;
    input.motion_b.travel = fr_vec3_make(-0.1, 0.0, 0.0);
    REQUIRE(fr_collide_meet(&input, &output, NULL));
    require(output.is_hit, "a meeting");
}

static void slide_in_a_space(void) {
    static _Alignas(max_align_t) unsigned char scratch[FR_SLIDE_SCRATCH_BYTES];
    fr_slide_output output;
    fr_slide_input input = fr_default_slide_input();
    input.query = move_input();
    input.scratch = scratch;
    REQUIRE(fr_collide_slide(&input, &output, NULL));
    require(output.contact_count > 0, "a stop");
}

static void look_by_radar(void) {
    fr_radar *radar;
    fr_radar_input input = fr_default_radar_input();
    fr_radar_output output;
    REQUIRE(fr_radar_create(NULL, &radar, NULL));
    input.space = all.space;
    input.mover = all.ids[1];
    input.travel = fr_vec3_make(0.0, 0.3, 0.1);
    input.axis = fr_vec3_make(0.0, 1.0, 0.0);
    input.angle = 0.5;
    for (int look = 0; look < 2; look++) {
        input.look = look == 0 ? FR_RADAR_CENTRE : FR_RADAR_EXACT;
        REQUIRE(fr_radar_move(radar, &input, &output, NULL));
        REQUIRE(fr_radar_turn(radar, &input, &output, NULL));
        REQUIRE(fr_radar_travel(radar, &input, &output, NULL));
    }
    fr_radar_search_input search = fr_default_radar_search_input();
    fr_radar_search_output found;
    search.space = all.space;
    search.direction = fr_vec3_make(0.0, -1.0, 0.0);
    search.up = fr_vec3_make(1.0, 0.0, 0.0);
    search.eye = fr_vec3_make(0.0, 0.5, 0.0);
    REQUIRE(fr_radar_search(radar, &search, &found, NULL));
    fr_radar_destroy(radar);
}

// ---------------------------------------------------------------------------------------------------------------
// touch, hand, plan, world

static void find_touch_pairs(void) {
    static fr_touch_hit hits[4096];
    fr_touch_input input = fr_default_touch_input();
    uint32_t count;
    input.space = all.space;
    input.parts = &all.small_part;
    input.part_count = 1;
    input.pairs = FR_TOUCH_ALL_PAIRS;
    input.hits = hits;
    input.capacity = 4096;
    REQUIRE(fr_touch_pairs(&input, &count, NULL));
}

static void fall_onto_a_body(void) {
    static _Alignas(max_align_t) unsigned char scratch[FR_FALL_SCRATCH_BYTES];
    fr_fall_input input = fr_default_fall_input();
    input.scratch = scratch;
    fr_fall_output output;
    REQUIRE(fr_rebound_body_of(all.space, all.ids[3], 1000.0, &input.body, NULL));
    input.space = all.space;
    input.parts = &all.small_part;
    input.part_count = 1;
    input.pose = fr_object_get(all.space, all.ids[3])->pose;
    input.pose.position.y += 0.03;
    input.body.center.y += 0.03;
    uint32_t contacts = 0;
    for (int i = 0; i < 16; i++) {
        REQUIRE(fr_touch_fall(&input, &output, NULL));
        input.pose = output.pose;
        input.body = output.body;
        contacts += output.contacts;
    }
    require(contacts > 0, "a contact of what falls");
}

static void drag_with_the_aid(void) {
    fr_space_def def = fr_default_space_def();
    fr_aid_def aid_def = fr_default_aid_def();
    fr_space *space, *shared = all.space;
    fr_aid *aid;
    fr_aid_output output;
    REQUIRE(fr_space_create(&def, &space, NULL));
    all.space = space;
    (void)put(all.housing, fr_vec3_make(0.0, 0.0, 0.0));
    (void)put(all.box, fr_vec3_make(0.06, 0.04, 0.0));
    fr_object_id held[2] = {put(all.gear, fr_vec3_make(0.002, 0.05, 0.001)),
                            put(all.box, fr_vec3_make(0.06, 0.2, 0.01))};
    all.space = shared;
    aid_def.edge_reach = aid_def.axis_reach = 0.005;
    REQUIRE(fr_space_update(space, NULL, NULL));
    REQUIRE(fr_aid_create(&aid_def, &aid, NULL));
    for (int k = 0; k < 2; k++) {
        fr_pose raw = fr_object_get(space, held[k])->pose;
        REQUIRE(fr_aid_grasp(aid, space, held[k], NULL));
        for (int i = 1; i <= 40; i++) {
            raw.position.y -= k == 0 ? 0.002 : 0.004;
            raw.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(0.002, 0.01, 0.0)), raw.rotation);
            REQUIRE(fr_aid_frame(aid, space, &raw, k + i / 60.0, &output, NULL));
            REQUIRE(fr_object_set_pose(space, held[k], &output.shown, NULL));
            REQUIRE(fr_space_update(space, NULL, NULL));
        }
    }
    fr_aid_destroy(aid);
    fr_space_destroy(space);
}

static void move_a_body(void) {
    fr_body_def def = fr_default_body_def();
    fr_fusion_def fusion_def = fr_default_fusion_def();
    fr_clip_def clip_def = fr_default_clip_def();
    static fr_quat turns[2 * FR_LINK_COUNT];
    static fr_pose poses[4 * FR_LINK_COUNT];
    double weights[FR_LINK_COUNT + 1];
    fr_skeleton *body;
    fr_fusion *fusion;
    fr_clip *clip;
    REQUIRE(fr_skeleton_create_body(&def, &body, NULL));
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT}, out = {.turns = turns, .count = FR_LINK_COUNT};
    REQUIRE(fr_posture_rest(body, &posture, NULL));
    memcpy(turns + FR_LINK_COUNT, turns, FR_LINK_COUNT * sizeof turns[0]);
    const fr_vec3 places[2] = {posture.place, posture.place};
    clip_def.frame_count = 2;
    clip_def.link_count = FR_LINK_COUNT;
    clip_def.places = places;
    clip_def.turns = turns;
    REQUIRE(fr_clip_create(&clip_def, &clip, NULL));
    REQUIRE(fr_clip_sample(clip, 0.01, &posture, NULL));
    REQUIRE(fr_clip_weights(clip, 0.5, weights, FR_LINK_COUNT + 1, NULL));
    fusion_def.skeleton = body;
    REQUIRE(fr_fusion_create(&fusion_def, &fusion, NULL));
    const fr_fused_motion motion = {1, posture, weights};
    const fr_fusion_input input = {&motion, 1, 0.01};
    REQUIRE(fr_fusion_step(fusion, &input, &out, NULL));
    REQUIRE(fr_posture_mirror(body, &out, &out, NULL));
    const fr_posture four[4] = {out, out, out, out};
    REQUIRE(fr_posture_poses(body, four, 4, poses, NULL));
    fr_fusion_destroy(fusion);
    fr_clip_release(clip);
    fr_skeleton_release(body);
}

static void plan_a_path(void) {
    window_problem p;
    fr_path path;
    window_open(1.7, &p);
    p.input.objective = FR_PATH_CLEAREST;
    p.input.max_moves = 1000;
    p.input.optimize_moves = 50;
    REQUIRE(fr_plan_path(&p.input, &path, NULL));
    fr_path_destroy(&path);
    window_close(&p);
}

static void plan_a_path_of_cells(void) {
    const fr_plan_box wall = {{8, 0, 0}, {10, 16, 32}}, bar = {{-2, -1, -1}, {3, 2, 2}};
    const fr_plan_shape walls = {&wall, 1, {0.0, 0.0, 0.0}};
    fr_plan_world_def def = fr_default_plan_world_def();
    fr_plan_robot_def robot_def = fr_default_plan_robot_def();
    fr_plan_world *world;
    fr_plan_robot *robot;
    robot_def.shape = (fr_plan_shape){&bar, 1, {0.5, 0.5, 0.5}};
    REQUIRE(fr_plan_world_create(&def, &world, NULL));
    REQUIRE(fr_plan_world_set(world, 1, &walls, &(fr_plan_place){0}, NULL));
    REQUIRE(fr_plan_robot_create(&robot_def, &robot, NULL));
    fr_plan_cells_input input = fr_default_plan_cells_input();
    fr_cell_path path;
    input.world = world;
    input.robot = robot;
    input.start.position = fr_vec3_make(3.5, 5.5, 15.5);
    input.goal.position = fr_vec3_make(20.5, 5.5, 15.5);
    REQUIRE(fr_plan_cells(&input, &path, NULL));
    require(path.is_found, "a path of cells");
    fr_cell_path_destroy(&path);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void tick_a_world(void) {
    fr_world_def def = fr_default_world_def();
    fr_world *world;
    REQUIRE(fr_world_create(&def, &world, NULL));
    fr_space *shared = all.space;
    all.space = fr_world_space(world);
    fr_object_id first = put(all.gear, fr_vec3_make(0.0, 0.1, 0.0));
    (void)put(all.housing, fr_vec3_make(0.0, 0.0, 0.0));
    all.space = shared;
    for (int i = 0; i < 4; i++) {
        fr_pose raw = fr_pose_make(fr_vec3_make(0.0, 0.1 - 0.03 * i, 0.0), fr_quat_identity());
        REQUIRE(fr_world_drag(world, first, &raw, NULL));
        REQUIRE(fr_world_tick(world, NULL, NULL));
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        (void)fr_snapshot_hash(snapshot);
        fr_snapshot_release(snapshot);
    }
    fr_world_destroy(world);
}

static void tick_senses(void) {
    fr_world_def def = fr_default_world_def();
    fr_cast_def cast_def = fr_default_cast_def();
    fr_space *before = all.space;
    REQUIRE(fr_world_create(&def, &cast_def.world, NULL));
    all.space = fr_world_space(cast_def.world);
    fr_cast *cast;
    REQUIRE(fr_cast_create(&cast_def, &cast, NULL));
    fr_seeker_def seeker_def = fr_default_seeker_def();
    seeker_def.world = cast_def.world;
    seeker_def.object = put(all.ball, fr_vec3_make(-0.3, 0.0, 0.0));
    seeker_def.target = put(all.gear, fr_vec3_make(0.3, 0.0, 0.0));
    (void)put(all.housing, fr_vec3_make(0.0, 0.0, 0.0));
    fr_seeker *seeker;
    REQUIRE(fr_seeker_create(&seeker_def, &seeker, NULL));
    fr_actor actor = fr_seeker_actor(seeker);
    REQUIRE(fr_cast_add(cast, &actor, NULL));
    fr_forecast_def forecast_def = fr_default_forecast_def();
    forecast_def.world = cast_def.world;
    fr_forecast *forecast;
    REQUIRE(fr_forecast_create(&forecast_def, &forecast, NULL));
    actor = fr_forecast_actor(forecast);
    REQUIRE(fr_cast_add(cast, &actor, NULL));
    for (int i = 0; i < 60; i++) {
        REQUIRE(fr_cast_tick(cast, NULL, NULL));
    }
    fr_cast_destroy(cast);
    fr_world_destroy(cast_def.world);
    all.space = before;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

static void do_nothing(void) {}

static void *run(void *context) {
    void (*const *call)(void) = context;
    (*call)();
    return NULL;
}

// The bytes of a painted stack that a thread used for a call. A stack grows downwards.
static size_t used_by(void (*call)(void), uint8_t *room) {
    memset(room, PAINT, ROOM);
    pthread_attr_t attributes;
    pthread_t thread;
    require(pthread_attr_init(&attributes) == 0, "a thread's attributes");
    require(pthread_attr_setstack(&attributes, room, ROOM) == 0, "a thread's stack");
    require(pthread_create(&thread, &attributes, run, (void *)&call) == 0, "a thread");
    require(pthread_join(thread, NULL) == 0, "joining a thread");
    (void)pthread_attr_destroy(&attributes);
    size_t painted = 0;
    while (painted < ROOM && room[painted] == PAINT) {
        painted++;
    }
    return ROOM - painted;
}

typedef struct measured_call {
    const char *name;
    void (*call)(void);
} measured_call;

static const measured_call calls[] = {
    {"shape: make and cook a mesh", make_and_cook_a_mesh},
    {"shape: make each named mesh", make_a_named_mesh},
    {"shape: planar faces, topology", find_planar_faces},
    {"shape: ray, closest point, inside", look_at_a_mesh},
    {"octree: build, move, interfere", build_and_move_an_octree},
    {"sector: sweep a mesh, meet", sweep_a_sector},
    {"space: update", update_a_space},
    {"space: ray, overlap, closest, distance, cast", query_a_space},
    {"collide: static by trees", collide_at_an_instant},
    {"collide: static by cells", collide_at_an_instant_by_cells},
    {"collide: continuous by trees", collide_over_a_step},
    {"collide: continuous, first", collide_first_over_a_step},
    {"collide: continuous by cells", collide_over_a_step_by_cells},
    {"collide: uncertain", collide_uncertain},
    {"collide: move", move_in_a_space},
    {"collide: meet", meet_in_a_space},
    {"collide: slide", slide_in_a_space},
    {"radar: move, turn, travel, search", look_by_radar},
    {"touch: pairs", find_touch_pairs},
    {"touch: fall", fall_onto_a_body},
    {"hand: frames of the aid", drag_with_the_aid},
    {"human: make, sample, fuse and place a body", move_a_body},
    {"plan: path among faces", plan_a_path},
    {"plan: path of cells", plan_a_path_of_cells},
    {"world: tick", tick_a_world},
    {"actor: tick of a forecast and a seeker", tick_senses},
};

#if TEST_SAMPLE_DIVISOR > 1 || !defined(__OPTIMIZE__)
#define IS_MEASURED false
#else
#define IS_MEASURED true
#endif

int main(void) {
    if (!IS_MEASURED) {
        printf("skipped: this build's frames are larger than those of a release\n");
        return TEST_SKIPPED;
    }
    uint8_t *room = aligned_alloc(4096, ROOM);
    require(room != NULL, "memory");
    open_all();
    size_t own = used_by(do_nothing, room);
    int over = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        size_t all_bytes = used_by(calls[i].call, room), bytes = all_bytes > own ? all_bytes - own : 0;
        bool is_over = bytes > FR_MAX_STACK_BYTES;
        printf("%-46s %7zu%s\n", calls[i].name, bytes, is_over ? "  too much" : "");
        over += is_over ? 1 : 0;
    }
    close_all();
    free(room);
    return over == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
