// A scene for many people: blocks that snap, fall and can be put back, a robot that finds its path, and a pen that
// feels. It serves for a moment; with any argument, until it is interrupted.
#include "fureai/scene.h"
#include "fureai/server.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{ \"fureai\": 1, \"step\": 0.01, \"steps\": 200, \"loop\": true, \"objects\": ["
    "  { \"name\": \"table\", \"shape\": \"box\", \"position\": [0, -0.5, 0], \"static\": true },"
    "  { \"name\": \"block\", \"shape\": \"box\", \"scale\": 0.1, \"position\": [-0.2, 0.0501, 0] },"
    "  { \"name\": \"brick\", \"shape\": \"box\", \"scale\": 0.1, \"position\": [0.2, 0.0501, 0] },"
    "  { \"name\": \"robot\", \"shape\": \"sphere_168\", \"scale\": 0.05 },"
    "  { \"name\": \"pen\", \"shape\": \"box\", \"scale\": 0.02, \"path\": ["
    "    { \"t\": 0, \"position\": [0, 0.1, 0.3] }, { \"t\": 1, \"position\": [0, 0.005, 0.3] } ] } ],"
    "  \"aid\": { \"fall\": true },"
    "  \"plan\": { \"robot\": \"robot\", \"start\": { \"position\": [-0.4, 0.2, 0] },"
    "    \"goal\": { \"position\": [0.4, 0.2, 0] }, \"bounds\": { \"min\": [-1, 0, -1], \"max\": [1, 2, 1] } },"
    "  \"touch\": { \"operated\": \"pen\" } }";

static fr_status open_scene(const char *name, fr_served_scene *out, void *scene, fr_error *error) {
    fr_world_def def = fr_scene_world_def(scene);
    *out = (fr_served_scene){.title = name};
    fr_status status = fr_world_create(&def, &out->world, error);
    if (status == FR_OK) { status = fr_scene_build_world(scene, NULL, out->world, NULL, error); }
    if (status == FR_OK) { status = fr_scene_cast(scene, out->world, NULL, &out->cast, error); }
    if (status != FR_OK) { fr_world_destroy(out->world); }
    return status;
}

static void close_scene(fr_served_scene *served, void *scene) {
    (void)scene;
    fr_cast_destroy(served->cast);
    fr_world_destroy(served->world);
}

static bool wants_stop(void *turns) { return --*(int *)turns < 0; }

int main(int argc, char **argv) {
    (void)argv;
    fr_scene *scene;
    fr_server *server;
    int turns = 5;
    fr_control for_a_moment = {.stop = wants_stop, .user = &turns};
    if (fr_scene_read(text, strlen(text), NULL, &scene, NULL) != FR_OK) { return 1; }
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){.first = "A table", .open = open_scene, .close = close_scene, .user = scene};
    if (argc == 1) { def.port = 0; }
    fr_status status = fr_server_create(&def, &server, NULL);
    if (status != FR_OK) { return 1; }
    printf("http://127.0.0.1:%u\n", (unsigned)fr_server_port(server));
    status = fr_server_run(server, argc > 1 ? NULL : &for_a_moment, NULL);
    fr_server_destroy(server);
    fr_scene_destroy(scene);
    return status == FR_OK ? 0 : 1;
}
