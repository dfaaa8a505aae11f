// Objects that clients add and remove, and the classes that they may choose from.
#include "server/server.h"

#include <string.h>

enum { MAX_ADDED_BY_ADDRESS = FR_SERVER_MAX_ADDED / 2, MAX_CLASSES = 256, MAX_MOTIONS_BYTES = 400 };

const char *fr__server_copy_text(fr_arena *arena, const char *text) {
    size_t size = strlen(text != NULL ? text : "") + 1;
    char *copy = fr_arena_alloc(arena, size, 1, 1);
    if (copy != NULL) { memcpy(copy, text != NULL ? text : "", size); }
    return copy;
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

typedef struct stock_listing {
    fr_arena *arena;
    const char *wanted; // in small letters
    fr_wire_stock_class *list;
    uint32_t count, total;
    bool is_full; // there is no memory
} stock_listing;

static char small_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

// Whether a text holds another one, which is in small letters.
static bool holds(const char *text, const char *wanted) {
    for (; text[0] != '\0'; text++) {
        size_t i = 0;
        while (wanted[i] != '\0' && small_letter(text[i]) == wanted[i]) {
            i++;
        }
        if (wanted[i] == '\0') { return true; }
    }
    return wanted[0] == '\0';
}

static bool take_class(const fr_stock_entry *entry, void *context) {
    stock_listing *s = context;
    if (!holds(entry->name, s->wanted) && !holds(entry->title, s->wanted) && !holds(entry->motions, s->wanted)) {
        return true;
    }
    s->total++;
    if (s->count == MAX_CLASSES) { return true; }
    fr_wire_stock_class *to = &s->list[s->count++];
    const char *motions = strlen(entry->motions) <= MAX_MOTIONS_BYTES ? entry->motions : "";
    *to = (fr_wire_stock_class){fr__server_copy_text(s->arena, entry->name),
                                fr__server_copy_text(s->arena, entry->title), fr__server_copy_text(s->arena, motions)};
    s->is_full = to->name == NULL || to->title == NULL || to->motions == NULL;
    return !s->is_full;
}

fr_status fr__client_stock(fr__client *client, const fr_message_stock *message, fr_error *error) {
    fr_server *server = client->server;
    const fr_scene_stock *stock = &server->served.stock;
    size_t length = strlen(message->wanted);
    char *wanted = fr_arena_alloc(server->arena, length + 1, 1, 1);
    stock_listing s = {.arena = server->arena, .wanted = wanted};
    s.list = fr_arena_alloc(server->arena, MAX_CLASSES, sizeof *s.list, _Alignof(fr_wire_stock_class));
    if (stock->list == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "nothing is added to this scene"); }
    if (wanted == NULL || s.list == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for it"); }
    for (size_t i = 0; i <= length; i++) {
        wanted[i] = small_letter(message->wanted[i]);
    }
    fr_status status = stock->list(take_class, &s, stock->user, error);
    if (status != FR_OK) { return status; }
    if (s.is_full) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for it"); }
    fr_message reply = {.type = FR_MESSAGE_STOCK_LIST};
    reply.as.stock_list = (fr_message_stock_list){message->request, s.total, s.list, s.count};
    fr__client_say(client, &reply);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Adding and removing

fr_status fr__server_add(fr_server *server, const fr_scene_addition *addition, fr_error *error) {
    const fr_served_scene *served = &server->served;
    if (served->stock.add == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "nothing is added to this scene");
    }
    if (addition->class_name[0] == '\0' || addition->name[0] == '\0') {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an object that is added has a class and a name");
    }
    if (strlen(addition->name) > FR_WORLD_NAME_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a name has at most %d bytes", FR_WORLD_NAME_MAX_BYTES);
    }
    if (fr_world_find(served->world, addition->name).index1 != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is an object '%.64s' already", addition->name);
    }
    if (server->added >= FR_SERVER_MAX_ADDED) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u objects were added to this scene already", FR_SERVER_MAX_ADDED);
    }
    const fr_looks *looks = served->looks;
    uint32_t materials = looks != NULL ? looks->material_count : 0, pictures = looks != NULL ? looks->picture_count : 0;
    fr_status status = served->stock.add(addition, served->stock.user, error);
    if (status != FR_OK) { return status; }
    server->added++;
    // Before the object and its meshes, which come with the next tick.
    fr__served_renew_looks(server);
    fr__served_publish_materials(server, materials);
    if (server->has_published_pictures) { fr__served_publish_pictures(server, pictures); }
    return FR_OK;
}

static fr_status add(fr__client *client, const fr_scene_addition *addition, fr_error *error) {
    fr_server *server = client->server;
    fr__peer *peer = &server->peers.list.data[client->peer];
    if (peer->added >= MAX_ADDED_BY_ADDRESS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%d objects were added from this address already",
                            MAX_ADDED_BY_ADDRESS);
    }
    fr_status status = fr__server_add(server, addition, error);
    if (status != FR_OK) { return status; }
    peer->added++;
    fr__journal_note_add(server, addition, client->name);
    return FR_OK;
}

fr_status fr__client_add(fr__client *client, const fr_message_add *message, fr_error *error) {
    const fr_scene_addition addition = {message->class_name, message->name, message->pose, false};
    return add(client, &addition, error);
}

fr_status fr__client_stand(fr__client *client, const fr_message_stand *message, fr_error *error) {
    const fr_vec3 up = {0.0, 1.0, 0.0};
    const fr_pose pose = fr_pose_make(message->point, fr_quat_from_axis_angle(up, message->facing));
    const fr_scene_addition addition = {message->class_name, message->name, pose, true};
    if (fr_vec3_largest(message->point) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a place is farther away than 2^300");
    }
    return add(client, &addition, error);
}

fr_status fr__client_remove(fr__client *client, const fr_message_remove *message, fr_error *error) {
    const fr_server *server = client->server;
    const fr_scene_stock *stock = &server->served.stock;
    fr_object_id object = fr__served_object(server, message->object);
    if (stock->remove == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "nothing is removed from this scene");
    }
    if (object.index1 == 0) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object"); }
    return stock->remove(object, stock->user, error);
}
