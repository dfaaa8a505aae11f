// A world for many people: a scene is put on stage, and whoever opens the address sees it and may take hold of it.
// Serves for a moment; with the viewer's folder as an argument, until it is interrupted.
#include "fureai/scene.h"
#include "fureai/server.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{ \"fureai\": 1, \"steps\": 600, \"loop\": true, \"objects\": ["
    "  { \"name\": \"ball\", \"shape\": \"sphere_960\", \"position\": [-3, 0, 0], \"velocity\": [1, 0, 0] },"
    "  { \"name\": \"knot\", \"shape\": \"knot_1920\", \"angular_velocity_deg\": [0, 60, 0] } ] }";

static fr_status open_stage(const char *name, fr_stage *stage, void *scene, fr_error *error) {
    fr_world_def def = fr_default_world_def();
    fr_world *world;
    fr_object_id ids[2];
    fr_status status = fr_world_create(&def, &world, error);
    if (status != FR_OK) { return status; }
    status = fr_scene_build_world(scene, NULL, world, ids, error);
    if (status == FR_OK) {
        *stage = (fr_stage){.world = world, .title = name};
    } else {
        fr_world_destroy(world);
    }
    return status;
}

static void close_stage(fr_stage *stage, void *scene) {
    (void)scene;
    fr_world_destroy(stage->world);
}

static bool wants_stop(void *turns) { return --*(int *)turns < 0; }

int main(int argc, char **argv) {
    fr_scene *scene;
    fr_server *server;
    fr_server_def def = fr_default_server_def();
    int turns = 5;
    fr_control for_a_moment = {.stop = wants_stop, .user = &turns};
    if (fr_scene_read(text, strlen(text), NULL, &scene, NULL) != FR_OK) { return 1; }
    def.theatre = (fr_theatre){.first = "A ball and a knot", .open = open_stage, .close = close_stage, .user = scene};
    def.viewer_folder = argc > 1 ? argv[1] : NULL;
    def.port = argc > 1 ? 8420 : 0;
    fr_status status = fr_server_create(&def, &server, NULL);
    if (status == FR_OK) {
        printf("http://127.0.0.1:%u\n", (unsigned)fr_server_port(server));
        status = fr_server_run(server, argc > 1 ? NULL : &for_a_moment, NULL);
        fr_server_destroy(server);
    }
    fr_scene_destroy(scene);
    return status == FR_OK ? 0 : 1;
}
