// Scenes made for tests of the server, and a server that runs on a thread of its own.
#ifndef FUREAI_TEST_SERVER_PROVIDER_H
#define FUREAI_TEST_SERVER_PROVIDER_H

#include "client.h"
#include "mesh_object.h"
#include "walking_body.h"

#include "fureai/server.h"

#include <pthread.h>

#define STAGE_MAX_OBJECTS 2000

typedef struct test_scene {
    fr_world *world;
    fr_object_id ids[STAGE_MAX_OBJECTS];
    uint32_t count;     // of those that move by themselves
    bool has_bones;     // they walk
    uint32_t last_walk; // the tick after which walkers stand; 0: none
    fr_pose (*bones)[WALKER_BONES];
    int undone; // how often something was undone
} test_scene;

static inline fr_pose test_scene_pose(uint32_t object, uint64_t tick) { return walker_place(object, tick); }

static inline fr_status test_scene_propose(const fr_proposal *proposal, fr_wishes *wishes, void *user,
                                           fr_error *error) {
    const test_scene *scene = user;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < scene->count && status == FR_OK; i++) {
        uint64_t tick = proposal->tick + 1;
        if (scene->last_walk > 0 && tick > scene->last_walk) { tick = scene->last_walk; }
        fr_wish wish = {.object = scene->ids[i], .kind = FR_WISH_NEXT, .pose = test_scene_pose(i, tick)};
        status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK || !scene->has_bones) { continue; }
        walker_bones(i, tick, WALKER_JOINTS, scene->bones[i]);
        status = fr_wishes_bones(wishes, scene->ids[i], scene->bones[i], WALKER_BONES, error);
    }
    return status;
}

static inline fr_status test_scene_restart(void *user, fr_error *error) {
    test_scene *scene = user;
    fr_status status = fr_world_set_tick(scene->world, 0, NULL);
    fr_object_id all = {0, 0, 0};
    if (status == FR_OK) { status = fr_world_resume(scene->world, all, NULL); }
    for (uint32_t i = 0; i < scene->count && status == FR_OK; i++) {
        fr_pose pose = test_scene_pose(i, 0);
        status = fr_object_set_pose(fr_world_space(scene->world), scene->ids[i], &pose, error);
    }
    return status;
}

static inline fr_object_id test_scene_add(fr_world *world, const char *name, const fr_mesh *mesh, fr_pose pose,
                                          uint32_t flags) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = pose;
    def.flags = flags;
    fr_object_id id = {0, 0, 0};
    fr_label label = {name, {255, 0, 0, 255}};
    if (fr_object_add(fr_world_space(world), &def, &id, NULL) == FR_OK) {
        (void)fr_world_set_label(world, id, &label, NULL);
    }
    return id;
}

// Gives all objects that move a skin, and bones where they are at tick 0.
static inline bool test_scene_set_skins(test_scene *scene, const fr_mesh *mesh) {
    fr_space *space = fr_world_space(scene->world);
    fr_skin *skin = walker_skin(mesh);
    scene->bones = calloc(scene->count, sizeof *scene->bones);
    bool good = skin != NULL && scene->bones != NULL;
    for (uint32_t i = 0; i < scene->count && good; i++) {
        walker_bones(i, 0, WALKER_JOINTS, scene->bones[i]);
        good = fr_object_set_skin(space, scene->ids[i], 0, skin, FR_SKIN_LINEAR, NULL) == FR_OK &&
               fr_object_set_bones(space, scene->ids[i], scene->bones[i], WALKER_BONES, NULL) == FR_OK;
    }
    fr_skin_release(skin);
    scene->has_bones = true;
    return good;
}

// "pair": left moves by itself through right, which stands; floor is static. "crowd:N": N balls that move. "walk:N": N
// bodies with bones that walk; "walk:N,LAST": until a tick. "big": a ball of many triangles. Another name is refused.
static inline fr_status test_scene_open(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    (void)user;
    fr_mesh *ball = NULL, *box = NULL;
    bool is_walk = strncmp(name, "walk:", 5) == 0, is_big = strcmp(name, "big") == 0;
    bool is_crowd = is_walk || strncmp(name, "crowd:", 6) == 0;
    uint32_t crowd = is_crowd ? (uint32_t)atoi(strchr(name, ':') + 1) : 1;
    if (strcmp(name, "pair") != 0 && !is_big && !is_crowd) {
        return fr_error_set(error, FR_ERROR_FILE, "there is no scene %s", name);
    }
    test_scene *scene = calloc(1, sizeof *scene);
    fr_world_def def = fr_default_world_def();
    bool good = scene != NULL && fr_world_create(&def, &scene->world, error) == FR_OK &&
                fr_mesh_create_named(is_big ? "sphere:200x400" : "sphere_168", NULL, &ball, error) == FR_OK &&
                fr_mesh_create_box(fr_vec3_make(9, 1, 9), NULL, &box, error) == FR_OK;
    for (uint32_t i = 0; good && i < crowd; i++) {
        char text[32];
        snprintf(text, sizeof text, "ball%u", (unsigned)i);
        scene->ids[i] = test_scene_add(scene->world, i == 0 ? "left" : text, ball, test_scene_pose(i, 0), 0);
        scene->count++;
    }
    if (good && is_walk) {
        const char *last = strchr(name, ',');
        good = test_scene_set_skins(scene, ball);
        scene->last_walk = last != NULL ? (uint32_t)atoi(last + 1) : 0;
    }
    fr_corrector mover = {"line", test_scene_propose, scene};
    if (good) {
        // Big balls do not meet: many thousands of pairs in each tick are not what is tested here.
        double height = is_big ? 50.0 : 0.5;
        (void)test_scene_add(scene->world, "right", ball, fr_pose_make(fr_vec3_make(0, height, 0), fr_quat_identity()),
                             0);
        (void)test_scene_add(scene->world, "floor", box, fr_pose_make(fr_vec3_make(0, -9, 0), fr_quat_identity()),
                             FR_OBJECT_STATIC);
        good = fr_world_add_mover(scene->world, &mover, NULL) == FR_OK;
    }
    fr_mesh_release(ball);
    fr_mesh_release(box);
    if (!good) {
        if (scene != NULL) {
            fr_world_destroy(scene->world);
            free(scene->bones);
        }
        free(scene);
        return FR_ERROR_MEMORY;
    }
    *out = (fr_served_scene){.world = scene->world, .title = name, .restart = test_scene_restart, .user = scene};
    return FR_OK;
}

static inline void test_scene_close(fr_served_scene *scene, void *user) {
    (void)user;
    test_scene *own = scene->user;
    fr_world_destroy(scene->world);
    free(own->bones);
    free(own);
}

static const fr_scene_entry test_entries[] = {{"pair", "A pair", "Two balls meet.", "Take one.", NULL},
                                              {"crowd:20", "A crowd", "Many balls move.", NULL, NULL},
                                              {"broken", "Broken", "It cannot be opened.", NULL, NULL}};

// A definition for any free port, with the scenes above.
static inline fr_server_def test_server_def(const char *first) {
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){test_entries, 3, first, test_scene_open, test_scene_close, NULL};
    def.port = 0;
    return def;
}

typedef struct running_server {
    fr_server *server;
    pthread_t thread;
    uint16_t port;
    fr_status status; // that the run ended with
} running_server;

static inline void *run_server(void *context) {
    running_server *running = context;
    running->status = fr_server_run(running->server, NULL, NULL);
    return NULL;
}

static inline void server_start(running_server *running, const fr_server_def *def) {
    fr_error error = {0};
    if (fr_server_create(def, &running->server, &error) != FR_OK) { fail_msg("no server: %s", error.message); }
    running->port = fr_server_port(running->server);
    assert_int_equal(pthread_create(&running->thread, NULL, run_server, running), 0);
}

// Ends the run, and gives the statistics; the server stays to be destroyed.
static inline fr_server_stats server_halt(running_server *running) {
    fr_server_stop(running->server);
    assert_int_equal(pthread_join(running->thread, NULL), 0);
    assert_int_equal(running->status, FR_OK);
    return fr_server_get_stats(running->server);
}

static inline fr_server_stats server_end(running_server *running) {
    fr_server_stats stats = server_halt(running);
    fr_server_destroy(running->server);
    return stats;
}

#endif
