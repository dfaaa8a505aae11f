// Watches a served scene: a client follows a server and prints what moves. Without an argument the server is one of its
// own on a thread beside it; with one, the server at that address: client ws://127.0.0.1:8420.
#include "fureai/scene.h"
#include "fureai/server.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "{ \"fureai\": 1, \"step\": 0.01, \"steps\": 200, \"loop\": true, \"objects\": ["
    "  { \"name\": \"table\", \"shape\": \"box\", \"position\": [0, -0.5, 0], \"static\": true },"
    "  { \"name\": \"ball\", \"shape\": \"sphere_168\", \"scale\": 0.1, \"velocity\": [0.5, 0, 0] } ] }";

static fr_status open_scene(const char *name, fr_served_scene *out, void *scene, fr_error *error) {
    fr_world_def def = fr_scene_world_def(scene);
    *out = (fr_served_scene){.title = name};
    fr_status status = fr_world_create(&def, &out->world, error);
    if (status == FR_OK) { status = fr_scene_build_world(scene, NULL, out->world, NULL, error); }
    if (status != FR_OK) { fr_world_destroy(out->world); }
    return status;
}

static void close_scene(fr_served_scene *served, void *scene) {
    (void)scene;
    fr_world_destroy(served->world);
}

static void *serve(void *server) {
    (void)fr_server_run(server, NULL, NULL);
    return NULL;
}

// Called for every message, after the mirror has taken it in.
static void received(const fr_mirror *mirror, const fr_message *message, void *user) {
    int *states = user;
    if (message->type != FR_MESSAGE_STATE) { return; }
    ++*states;
    for (uint32_t i = 0; i < message->as.state.body_count; i++) {
        const fr_wire_body *body = &message->as.state.bodies[i];
        const fr_mirror_object *object = fr_mirror_object_of(mirror, body->object.index1);
        fr_vec3 at = body->pose.position;
        printf("%8.3f s  %s is at %.3f %.3f %.3f\n", message->as.state.time, object->name, at.x, at.y, at.z);
    }
}

// Follows a server for some states.
static int follow(const char *url, int count) {
    int states = 0;
    fr_client *client;
    fr_error error = {0};
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.name = "a watcher";
    def.received = received;
    def.user = &states;
    fr_status status = fr_client_create(&def, &client, &error);
    if (status == FR_OK) {
        while (states < count && status == FR_OK) {
            status = fr_client_service(client, 100000000, NULL, &error);
        }
        fr_client_destroy(client);
    }
    if (status != FR_OK) { fprintf(stderr, "%s: %s\n", url, error.message); }
    return status == FR_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc > 1) { return follow(argv[1], 1000); }
    fr_scene *scene;
    fr_server *server;
    pthread_t thread;
    if (fr_scene_read(text, strlen(text), NULL, &scene, NULL) != FR_OK) { return 1; }
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){.first = "A ball", .open = open_scene, .close = close_scene, .user = scene};
    def.port = 0;
    if (fr_server_create(&def, &server, NULL) != FR_OK) { return 1; }
    if (pthread_create(&thread, NULL, serve, server) != 0) { return 1; }
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)fr_server_port(server));
    int status = follow(url, 20);
    fr_server_stop(server);
    (void)pthread_join(thread, NULL);
    fr_server_destroy(server);
    fr_scene_destroy(scene);
    return status;
}
