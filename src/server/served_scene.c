// The scene that is served: its objects, meshes and sounds are published, its world ticks, and another is opened.
#include "server/gallery_picture.h"
#include "server/server.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What is published of objects

static fr__published *published_at(fr_server *server, size_t i) { return server->published.data + i; }

// A place for what is published of the object at an index; NULL when there is no memory.
static fr__published *published_of(fr_server *server, uint32_t index) {
    while (server->published.count <= index) {
        fr__published *place = fr__published_array_push(&server->published, 1);
        if (place == NULL) { return NULL; }
        *place = (fr__published){.states = fr__state_name_array_make(&server->allocator)};
    }
    return published_at(server, index);
}

static uint32_t number_of_mesh(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    fr_server *server = user;
    const fr__numbered_mesh *meshes = server->meshes.data;
    for (size_t i = 0; i < server->meshes.count; i++) {
        if (meshes[i].mesh == mesh && meshes[i].skin == skin) { return (uint32_t)i + 1; }
    }
    return 0;
}

// Publishes the mesh of a part, with its skin, that no client was sent.
static bool announce_mesh(fr_server *server, const fr_part_view *part) {
    const fr_mesh *mesh = part->mesh;
    if (number_of_mesh(mesh, part->skin, server) != 0) { return true; }
    fr__numbered_mesh *place = fr__numbered_mesh_array_push(&server->meshes, 1);
    if (place == NULL) { return false; }
    *place = (fr__numbered_mesh){.mesh = fr_mesh_retain(mesh),
                                 .look = fr__served_look_of(server, mesh, (uint32_t)server->meshes.count),
                                 .skin = part->skin != NULL ? fr_skin_retain(part->skin) : NULL,
                                 .method = part->method};
    if (fr__feed_put_mesh(&server->scene_feed, (uint32_t)server->meshes.count) != 0) { return true; }
    fr_mesh_release(place->mesh);
    fr_skin_release(place->skin);
    server->meshes.count--;
    return false;
}

bool fr__served_write_mesh(fr_server *server, uint32_t mesh, fr_mesh_transfer *transfer, fr__packet *out) {
    if (transfer->number != mesh) {
        const fr__numbered_mesh *meshes = server->meshes.data;
        const fr__numbered_mesh *sent = &meshes[mesh - 1];
        *transfer = (fr_mesh_transfer){.mesh = sent->mesh, .number = mesh, .look = sent->look, .skin = sent->skin};
        transfer->method = sent->method;
    }
    return fr__packet_begin(out) &&
           fr_protocol_encode_mesh_piece(server->encoder, transfer, &out->bytes, NULL) == FR_OK;
}

// What is heard from an object, in the packet that announces it.
static bool add_sounds(const fr_server *server, fr_object_id id, fr__packet *packet, fr_error *error) {
    for (uint32_t i = 0; i < server->served.sound_count; i++) {
        const fr_sound *sound = &server->served.sounds[i];
        if (!fr_object_id_equal(sound->object, id)) { continue; }
        if (fr_protocol_encode_sound(sound, &packet->bytes, error) != FR_OK) { return false; }
    }
    return true;
}

// A sum over the places of an object's sounds, which differs where one of them does.
static uint64_t sum_places(const fr_server *server, fr_object_id id) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < server->served.sound_count; i++) {
        const fr_sound *sound = &server->served.sounds[i];
        if (fr_object_id_equal(sound->object, id)) { sum = fr_hash(&sound->point, sizeof sound->point, sum + 1); }
    }
    return sum;
}

// Where the sounds of an object are, again and whole when one moved.
static bool announce_places(fr_server *server, fr__published *published) {
    uint64_t sum = server->served.sound_count > 0 ? sum_places(server, published->object) : published->places_sum;
    if (sum == published->places_sum) { return true; }
    fr__packet packet = fr__packet_make(&server->allocator);
    uint32_t number = 0;
    for (uint32_t i = 0; i < server->served.sound_count; i++) {
        const fr_sound *sound = &server->served.sounds[i];
        if (!fr_object_id_equal(sound->object, published->object)) { continue; }
        fr_message message = {.type = FR_MESSAGE_SOUND_PLACE};
        message.as.sound_place = (fr_message_sound_place){fr_ref_of(published->object), number++, sound->point};
        if (!fr__packet_add(&packet, &message)) {
            fr__packet_free(&packet);
            return false;
        }
    }
    fr__feed_take(&server->scene_feed, published->places, NULL);
    published->places = fr__feed_put(&server->scene_feed, &packet);
    published->places_sum = sum;
    return published->places != 0;
}

static bool announce_object(fr_server *server, fr_object_id id, fr__published *published) {
    const fr_space *space = fr_world_space(server->served.world);
    const fr_object_view *view = fr_object_get(space, id);
    if (view == NULL) { return true; }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        if (!announce_mesh(server, &part)) { return false; }
    }
    fr_label label = fr_world_label(server->served.world, id);
    fr_protocol_object object = {.space = space,
                                 .id = id,
                                 .name = label.name,
                                 .color = label.color,
                                 .is_plain = fr__served_is_plain(server, id),
                                 .mesh_number = number_of_mesh,
                                 .user = server};
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_error error = {0};
    if (!fr__packet_begin(&packet) ||
        fr_protocol_encode_object(server->encoder, &object, &packet.bytes, &error) != FR_OK ||
        !add_sounds(server, id, &packet, &error)) {
        fr_log(FR_LOG_WARNING, "server: an object cannot be encoded: %s", error.message);
        fr__packet_free(&packet);
        return false;
    }
    published->notice = fr__feed_put(&server->scene_feed, &packet);
    if (published->notice == 0) { return false; }
    published->object = id;
    published->version = 0;
    published->places_sum = sum_places(server, id);
    return true;
}

// The vertices of a deformed object, again and whole when they changed.
static bool announce_vertices(fr_server *server, const fr_snapshot_object *object, fr__published *published) {
    const fr_space *space = fr_world_space(server->served.world);
    const fr_object_view *view = fr_object_get(space, object->id);
    bool is_by_hand = view != NULL && view->vertices != NULL && view->bone_count == 0;
    if (object->versions.vertices == published->version || !is_by_hand) { return true; }
    fr__packet packet = fr__packet_make(&server->allocator);
    if (!fr__packet_begin(&packet) ||
        fr_protocol_encode_vertices(server->encoder, space, object->id, &packet.bytes, NULL) != FR_OK) {
        fr__packet_free(&packet);
        return false;
    }
    fr__feed_take(&server->scene_feed, published->vertices, NULL);
    published->vertices = fr__feed_put(&server->scene_feed, &packet);
    published->version = object->versions.vertices;
    return published->vertices != 0;
}

static void announce_gone(fr_server *server, fr__published *published) {
    fr_message message = {.type = FR_MESSAGE_GONE};
    message.as.gone.object = fr_ref_of(published->object);
    fr__packet farewell = fr__packet_make(&server->allocator);
    bool is_made = fr__packet_add(&farewell, &message);
    if (!is_made) { fr__packet_free(&farewell); }
    fr__feed_take(&server->scene_feed, published->vertices, NULL);
    fr__feed_take(&server->scene_feed, published->places, NULL);
    fr__feed_take(&server->scene_feed, published->notice, is_made ? &farewell : NULL);
    fr__lease lease;
    if (fr__lease_end(&server->leases, published->object, &lease)) {
        fr__feed_take(&server->scene_feed, lease.notice, NULL);
    }
    fr__server_forget_layers(server, published->object);
    published->states.count = 0;
    *published = (fr__published){.states = published->states};
}

// Brings the feed to what a snapshot holds. What there is no memory for is tried again with the next one.
static void publish_objects(fr_server *server, const fr_snapshot *snapshot) {
    size_t at = 0;
    for (size_t i = 0; i < server->published.count; i++) {
        while (at < snapshot->object_count && snapshot->objects[at].id.index1 < i + 1) {
            at++;
        }
        fr__published *published = published_at(server, i);
        bool is_there = at < snapshot->object_count && fr_object_id_equal(snapshot->objects[at].id, published->object);
        if (published->object.index1 != 0 && !is_there) { announce_gone(server, published); }
    }
    for (size_t i = 0; i < snapshot->object_count; i++) {
        const fr_snapshot_object *object = &snapshot->objects[i];
        fr__published *published = published_of(server, object->id.index1 - 1);
        if (published == NULL) { return; }
        if (published->object.index1 == 0 && !announce_object(server, object->id, published)) { return; }
        if (!announce_vertices(server, object, published) || !announce_places(server, published)) { return; }
    }
}

// Remembers which states objects were given, for the store.
static void note_states(fr_server *server, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind != FR_EVENT_STATE || event->a.index1 == 0) { continue; }
        fr__published *published =
            event->a.index1 <= server->published.count ? published_at(server, event->a.index1 - 1) : NULL;
        if (published == NULL || !fr_object_id_equal(published->object, event->a)) { continue; }
        const fr__state_name *names = published->states.data;
        size_t k = 0;
        while (k < published->states.count && strcmp(names[k].text, event->name) != 0) {
            k++;
        }
        fr__state_name *place = k == published->states.count ? fr__state_name_array_push(&published->states, 1) : NULL;
        if (place != NULL) { memcpy(place->text, event->name, sizeof place->text); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Ticks

fr_object_id fr__served_object(const fr_server *server, fr_ref ref) {
    const fr_space *space = fr_world_space(server->served.world);
    fr_object_id none = {0, 0, 0};
    if (ref.index1 == 0 || ref.index1 > fr_space_object_places(space)) { return none; }
    fr_object_id id = fr_space_object_at(space, ref.index1 - 1);
    return id.generation == ref.generation ? id : none;
}

static void forget_snapshots(fr_server *server) {
    if (server->earlier != NULL) { fr_snapshot_release(server->earlier); }
    if (server->snapshot != NULL) { fr_snapshot_release(server->snapshot); }
    server->earlier = server->snapshot = NULL;
    fr__frames_begin(&server->frames, NULL, NULL, NULL);
}

// Whether the sensing of a tick is to be left as it is, because the server ends.
static bool is_ending(void *user) {
    fr_server *server = user;
    return atomic_load(&server->is_stopped) || fr_control_is_stopped(server->control);
}

fr_status fr__served_tick(fr_server *server, bool is_paused, fr_error *error) {
    fr_control control = {.stop = is_ending, .user = server};
    fr_tick_input input = fr_default_tick_input();
    input.control = &control;
    input.tasks = server->def.tasks;
    input.is_paused = is_paused;
    uint64_t begin = fr_clock_ns();
    if (server->served.record != NULL) {
        fr_status advanced = fr__served_advance_record(server, &input.is_paused, error);
        if (advanced != FR_OK) { return advanced; }
    }
    fr_status status = server->served.cast != NULL ? fr_cast_tick(server->served.cast, &input, error)
                                                   : fr_world_tick(server->served.world, &input, error);
    server->stats.ms_tick = fr_clock_ms_since(begin);
    if (status != FR_OK) { return status; }
    server->stats.ticks++;
    server->stats.ms_encode = server->frames.ms_encode;
    if (server->earlier != NULL) { fr_snapshot_release(server->earlier); }
    server->earlier = server->snapshot;
    server->snapshot = fr_world_snapshot(server->served.world);
    publish_objects(server, server->snapshot);
    if (!server->has_published_pictures) { fr__served_publish_pictures(server, 0); }
    server->has_published_pictures = true;
    note_states(server, server->snapshot);
    fr__server_report_ends(server);
    fr__journal_note_tick(server, false);
    fr__frames_begin(&server->frames, server->served.world, server->snapshot, server->earlier);
    fr__server_report_moves(server);
    return FR_OK;
}

static void wake_all(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { fr__client_wake(client); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

static void announce_gallery(fr_server *server) {
    const fr_scene_provider *provider = &server->def.provider;
    fr__packet packet = fr__packet_make(&server->allocator);
    fr_message message = {.type = FR_MESSAGE_GALLERY};
    fr_wire_demo *demos = fr_arena_alloc(server->arena, provider->entry_count, sizeof *demos, _Alignof(fr_wire_demo));
    for (uint32_t i = 0; demos != NULL && i < provider->entry_count; i++) {
        const fr_scene_entry *entry = &provider->entries[i];
        char *picture = fr_arena_alloc(server->arena, FR__PICTURE_ADDRESS_BYTES, 1, 1);
        if (picture != NULL) { fr__picture_address(provider, i, picture); }
        demos[i] = (fr_wire_demo){entry->name, entry->title, entry->about, entry->hint != NULL ? entry->hint : "",
                                  picture != NULL ? picture : ""};
    }
    message.as.gallery = (fr_message_gallery){
        .demos = demos, .demo_count = demos != NULL ? provider->entry_count : 0, .current = server->scene};
    if (fr__packet_add(&packet, &message)) {
        (void)fr__feed_put(&server->scene_feed, &packet);
    } else {
        fr__packet_free(&packet);
    }
}

// Forgets what was published, so that every client is sent everything again.
static void begin_again(fr_server *server) {
    for (size_t i = 0; i < server->published.count; i++) {
        fr__state_name_array_destroy(&published_at(server, i)->states);
    }
    server->published.count = 0;
    const fr__numbered_mesh *meshes = server->meshes.data;
    for (size_t i = 0; i < server->meshes.count; i++) {
        fr_mesh_release(meshes[i].mesh);
        fr_skin_release(meshes[i].skin);
    }
    server->meshes.count = 0;
    server->leases.list.count = 0;
    fr__feed_clear(&server->scene_feed);
    forget_snapshots(server);
    server->epoch++;
    server->has_published_pictures = false;
    announce_gallery(server);
    server->models_notice = 0;
    fr__served_publish_models(server);
    if (server->served.record != NULL) {
        server->served.record->notice = 0;
        server->served.record->published_touches = 0;
    }
    fr__served_publish_record(server, true);
    fr__served_publish_clashes(server);
    fr__served_publish_view(server);
    fr__served_publish_materials(server, 0);
}

static char *copy_name(const fr_server *server, const char *name) {
    size_t size = strlen(name) + 1;
    char *copy = fr_allocate(&server->allocator, size, 1, 1);
    if (copy != NULL) { memcpy(copy, name, size); }
    return copy;
}

void fr__served_close(fr_server *server) {
    fr__jobs_stop(&server->jobs, false);
    forget_snapshots(server);
    if (server->has_served) { server->def.provider.close(&server->served, server->def.provider.user); }
    server->has_served = false;
    if (server->scene != NULL) { fr_deallocate(&server->allocator, server->scene, strlen(server->scene) + 1, 1); }
    server->scene = NULL;
}

fr_status fr__served_open(fr_server *server, const char *name, fr_error *error) {
    const fr_scene_provider *provider = &server->def.provider;
    char *copy = copy_name(server, name);
    if (copy == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene's name"); }
    fr_served_scene scene = {0};
    fr_status status = provider->open(copy, &scene, provider->user, error);
    if (status != FR_OK) {
        fr_deallocate(&server->allocator, copy, strlen(copy) + 1, 1);
        return status;
    }
    // A scene that begins from its file again is not left.
    bool is_other = server->scene != NULL && strcmp(server->scene, name) != 0;
    if (is_other) { fr__journal_leave(server); }
    fr__served_close(server);
    server->served = scene;
    server->has_served = true;
    server->scene = copy;
    server->added = 0;
    fr__server_forget_commands(server);
    server->is_paused = server->def.is_paused;
    server->wants_step = false;
    fr__server_forget_layers_of_scene(server);
    fr__served_begin_record(server);
    begin_again(server);
    if (scene.cast != NULL) { fr_cast_set_draw(scene.cast, fr__server_draw_layer, server); }
    // Time stands still in the first tick: what is sent first is the scene's beginning.
    status = fr__served_tick(server, true, error);
    if (status == FR_OK && is_other) { status = fr__journal_return(server, error); }
    if (status != FR_OK) { return status; }
    wake_all(server);
    fr__served_draw_clashes(server);
    server->pace = fr__pace_make(server->frames.step, server->def.speed, fr_clock_ns());
    fr__journal_note_whole(server);
    if (scene.record != NULL) { return fr__served_set_speed(server, scene.record->speed, error); }
    return FR_OK;
}

fr_status fr__served_restart(fr_server *server, fr_error *error) {
    if (server->served.restart == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene cannot begin again");
    }
    // Who holds something holds it no longer; the scene puts everything back.
    for (size_t i = 0; i < server->leases.list.count; i++) {
        (void)fr_world_let_go(server->served.world, server->leases.list.data[i].object, NULL);
    }
    server->leases.list.count = 0;
    fr_status status = server->served.restart(server->served.user, error);
    if (server->served.cast != NULL) {
        fr_status begun = fr_cast_begin(server->served.cast, status == FR_OK ? error : NULL);
        if (status == FR_OK) { status = begun; }
    }
    begin_again(server);
    fr_status ticked = fr__served_tick(server, true, status == FR_OK ? error : NULL);
    wake_all(server);
    fr__journal_note_whole(server);
    return status != FR_OK ? status : ticked;
}
