// Layers that are drawn over the world.
#include "server/server.h"

#include <string.h>

enum { LAYER_COUNT_MAX = 256 };

// The layer of a name, or with a name of NULL one that is not drawn; NULL where there is none.
static fr__drawn_layer *find_layer(fr_server *server, const char *name) {
    fr__drawn_layer *layers = server->layer_list.data;
    for (size_t i = 0; i < server->layer_list.count; i++) {
        bool is_it = name != NULL ? strcmp(layers[i].name, name) == 0 : layers[i].notice == 0;
        if (is_it) { return &layers[i]; }
    }
    return NULL;
}

// A new layer, in the place of one that was removed where there is such a one; NULL when there is no memory or there
// are too many.
static fr__drawn_layer *add_layer(fr_server *server, const char *name) {
    fr__drawn_layer *place = find_layer(server, NULL);
    if (place == NULL && server->layer_list.count >= LAYER_COUNT_MAX) { return NULL; }
    size_t bytes = strlen(name) + 1;
    char *copy = fr_allocate(&server->allocator, bytes, 1, 1);
    if (copy == NULL) { return NULL; }
    memcpy(copy, name, bytes);
    if (place != NULL) {
        fr_deallocate(&server->allocator, place->name, place->name_bytes, 1);
    } else {
        place = fr__drawn_layer_array_push(&server->layer_list, 1);
        if (place == NULL) {
            fr_deallocate(&server->allocator, copy, bytes, 1);
            return NULL;
        }
    }
    *place = (fr__drawn_layer){.name = copy, .name_bytes = bytes};
    return place;
}

static uint32_t number_of(const fr_server *server, const fr__drawn_layer *layer) {
    return (uint32_t)(layer - server->layer_list.data) + 1;
}

static void wake_watchers(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted && (client->wants & FR_WANTS_DRAW) != 0) { fr__client_wake(client); }
    }
}

// Takes a layer away from those who see it.
static fr_status remove_layer(fr_server *server, fr__drawn_layer *layer, fr_error *error) {
    if (layer->notice == 0) { return FR_OK; }
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_message message = {.type = FR_MESSAGE_DRAW};
    message.as.draw = (fr_message_draw){.layer = number_of(server, layer), .name = layer->name};
    if (!fr__packet_add(&packet, &message)) {
        fr__packet_free(&packet);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to draw");
    }
    fr__feed_take(&server->layer_feed, layer->notice, &packet);
    layer->notice = 0;
    layer->object = (fr_object_id){0, 0, 0};
    wake_watchers(server);
    return FR_OK;
}

// What `paint` draws, as a packet to all.
static fr_status write_layer(fr_server *server, const fr__drawn_layer *layer, fr_object_id object, fr_paint_fn *paint,
                             void *user, fr__packet *packet, fr_error *error) {
    if (server->painting == NULL && fr_layer_create(&server->allocator, &server->painting, NULL) != FR_OK) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to draw");
    }
    fr_layer_clear(server->painting);
    fr_layer_attach(server->painting, fr_ref_of(object));
    fr_draw draw = fr_layer_draw(server->painting);
    paint(&draw, user);
    if (!fr__packet_begin(packet)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to draw"); }
    uint32_t number = number_of(server, layer);
    fr_status status = fr_layer_write(server->painting, number, layer->name, &packet->bytes, error);
    if (status == FR_OK && fr__packet_size(packet) > FR_SERVER_LAYER_BYTES) {
        status = fr_error_set(error, FR_ERROR_LIMIT, "the layer '%s' takes %zu bytes, the limit is %u", layer->name,
                              fr__packet_size(packet), FR_SERVER_LAYER_BYTES);
    }
    return status;
}

static fr_status draw_layer(fr_server *server, fr_object_id object, const char *name, fr_paint_fn *paint, void *user,
                            fr_error *error) {
    fr__drawn_layer *layer = find_layer(server, name);
    if (paint == NULL) { return layer != NULL ? remove_layer(server, layer, error) : FR_OK; }
    if (layer == NULL) { layer = add_layer(server, name); }
    if (layer == NULL) {
        bool is_full = server->layer_list.count >= LAYER_COUNT_MAX && find_layer(server, NULL) == NULL;
        return fr_error_set(error, is_full ? FR_ERROR_LIMIT : FR_ERROR_MEMORY, "no room for the layer '%s'", name);
    }
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_status status = write_layer(server, layer, object, paint, user, &packet, error);
    if (status != FR_OK) {
        fr__packet_free(&packet);
        return status;
    }
    fr__feed_take(&server->layer_feed, layer->notice, NULL);
    layer->notice = fr__feed_put(&server->layer_feed, &packet);
    layer->object = object;
    if (layer->notice == 0) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to draw"); }
    wake_watchers(server);
    return FR_OK;
}

fr_status fr_server_draw(fr_server *server, const char *layer, fr_paint_fn *paint, void *user, fr_error *error) {
    FR_ASSERT(server != NULL && layer != NULL);
    return draw_layer(server, (fr_object_id){0, 0, 0}, layer, paint, user, error);
}

fr_status fr_server_draw_on(fr_server *server, fr_object_id object, const char *layer, fr_paint_fn *paint, void *user,
                            fr_error *error) {
    FR_ASSERT(server != NULL && layer != NULL);
    if (fr_object_get(fr_world_space(server->served.world), object) == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object to draw on");
    }
    return draw_layer(server, object, layer, paint, user, error);
}

void fr__server_forget_layers(fr_server *server, fr_object_id object) {
    fr__drawn_layer *layers = server->layer_list.data;
    for (size_t i = 0; i < server->layer_list.count; i++) {
        // Without memory for the word of it, the layer stays in the feed; a viewer finds no object for it.
        if (layers[i].object.index1 != 0 && fr_object_id_equal(layers[i].object, object)) {
            (void)remove_layer(server, &layers[i], NULL);
        }
    }
}

void fr__server_forget_layers_of_scene(fr_server *server) {
    fr__drawn_layer *layers = server->layer_list.data;
    for (size_t i = 0; i < server->layer_list.count; i++) {
        if (layers[i].object.index1 == 0) { continue; }
        fr__feed_take(&server->layer_feed, layers[i].notice, NULL);
        layers[i].notice = 0;
        layers[i].object = (fr_object_id){0, 0, 0};
    }
}

fr_status fr__server_draw_layer(const fr_cast_layer *layer, void *user, fr_error *error) {
    fr_server *server = user;
    return layer->object.index1 == 0 || layer->paint == NULL
               ? fr_server_draw(server, layer->name, layer->paint, layer->user, error)
               : fr_server_draw_on(server, layer->object, layer->name, layer->paint, layer->user, error);
}
