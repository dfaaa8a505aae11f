// The mirror: a client's copy of a served world, fed with messages.
#include "protocol/mirror.h"

#include <string.h>

#define MIRROR_COOKIE 0x4D495252u

fr_mirror_def fr_default_mirror_def(void) { return (fr_mirror_def){.cookie = MIRROR_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr__kept *kept_at(fr_mirror *mirror, size_t i) {
    fr__kept *all[] = {&mirror->welcome,  &mirror->scene,  &mirror->gallery,     &mirror->pairs,
                       &mirror->contacts, &mirror->events, &mirror->face_touches};
    return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

fr_status fr_mirror_create(const fr_mirror_def *def, fr_mirror **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != MIRROR_COOKIE) { return fr_error_set_cookie(error, "fr_default_mirror_def"); }
    fr_allocator kept = fr_allocator_or_default(&def->allocator);
    fr_mirror *mirror = fr_allocate(&kept, 1, sizeof *mirror, _Alignof(fr_mirror));
    if (mirror == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a mirror"); }
    memset(mirror, 0, sizeof *mirror);
    mirror->allocator = kept;
    mirror->on_message = def->received;
    mirror->user = def->user;
    mirror->meshes.things = fr__thing_array_make(&kept);
    mirror->objects.things = fr__thing_array_make(&kept);
    mirror->layers.things = fr__thing_array_make(&kept);
    mirror->view.welcome.server = mirror->view.welcome.scene = "";
    mirror->view.scene.scene = mirror->view.gallery.current = "";

    fr_status status = fr_arena_create(0, &kept, &mirror->scratch, error);
    fr__kept *pair;
    for (size_t i = 0; status == FR_OK && (pair = kept_at(mirror, i)) != NULL; i++) {
        status = fr_arena_create(0, &kept, &pair->now, error);
        if (status == FR_OK) { status = fr_arena_create(0, &kept, &pair->next, error); }
    }
    if (status != FR_OK) {
        fr_mirror_destroy(mirror);
        return fr_error_set(error, status, "no memory for a mirror");
    }
    *out = mirror;
    return FR_OK;
}

// Forgets the scene, as a reset demands.
static void forget(fr_mirror *mirror) {
    for (size_t i = 0; i < mirror->meshes.things.count; i++) {
        fr__mirror_mesh_destroy(mirror, fr__shelf_at(&mirror->meshes, i));
    }
    for (size_t i = 0; i < mirror->objects.things.count; i++) {
        fr__mirror_object_destroy(mirror, fr__shelf_at(&mirror->objects, i));
    }
    for (size_t i = 0; i < mirror->layers.things.count; i++) {
        fr__mirror_layer_destroy(mirror, fr__shelf_at(&mirror->layers, i));
    }
    mirror->meshes.things.count = mirror->objects.things.count = mirror->layers.things.count = 0;

    fr_mirror_view *view = &mirror->view;
    view->has_state = false;
    view->sequence = view->tick = 0;
    view->time = 0;
    view->state_flags = 0;
    memset(&view->pairs, 0, sizeof view->pairs);
    memset(&view->contacts, 0, sizeof view->contacts);
    memset(&view->events, 0, sizeof view->events);
    memset(&view->face_touches, 0, sizeof view->face_touches);
    memset(&view->stats, 0, sizeof view->stats);
}

void fr_mirror_destroy(fr_mirror *mirror) {
    if (mirror == NULL) { return; }
    forget(mirror);
    fr__thing_array_destroy(&mirror->meshes.things);
    fr__thing_array_destroy(&mirror->objects.things);
    fr__thing_array_destroy(&mirror->layers.things);
    fr__kept *pair;
    for (size_t i = 0; (pair = kept_at(mirror, i)) != NULL; i++) {
        fr_arena_destroy(pair->now);
        fr_arena_destroy(pair->next);
    }
    fr_arena_destroy(mirror->scratch);
    fr_allocator kept = mirror->allocator;
    fr_deallocate(&kept, mirror, 1, sizeof *mirror);
}

// ---------------------------------------------------------------------------------------------------------------
// Messages that are stored whole

fr_status fr__mirror_keep(fr_mirror *mirror, const fr_packet *packet, fr_arena **arena, fr_message *message,
                          fr_error *error) {
    fr_status status = fr_arena_create(fr_arena_used(mirror->scratch), &mirror->allocator, arena, error);
    if (status != FR_OK) { return fr_error_set(error, status, "no memory for a message"); }
    status = fr_protocol_read(packet, *arena, message, error);
    if (status != FR_OK) {
        fr_arena_destroy(*arena);
        *arena = NULL;
    }
    return status;
}

// Reads a message into the spare memory and swaps it with that of the stored one.
static fr_status keep_instead(fr__kept *kept, const fr_packet *packet, fr_message *message, fr_error *error) {
    fr_arena_reset(kept->next);
    fr_status status = fr_protocol_read(packet, kept->next, message, error);
    if (status != FR_OK) { return status; }
    fr_arena *was = kept->now;
    kept->now = kept->next;
    kept->next = was;
    return FR_OK;
}

void fr__mirror_layer_destroy(fr_mirror *mirror, fr__mirror_layer *layer) {
    if (layer == NULL) { return; }
    fr_arena_destroy(layer->arena);
    fr_deallocate(&mirror->allocator, layer, 1, sizeof *layer);
}

static bool is_empty(const fr_message_draw *draw) {
    return draw->line_count == 0 && draw->triangle_count == 0 && draw->point_count == 0 && draw->box_count == 0 &&
           draw->label_count == 0 && draw->image_count == 0 && draw->face_color_count == 0;
}

static fr_status take_draw(fr_mirror *mirror, const fr_packet *packet, const fr_message_draw *received,
                           fr_error *error) {
    fr__mirror_layer *layer = NULL;
    if (!is_empty(received)) {
        layer = fr_allocate(&mirror->allocator, 1, sizeof *layer, _Alignof(fr__mirror_layer));
        if (layer == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
        fr_message message;
        layer->arena = NULL;
        fr_status status = fr__mirror_keep(mirror, packet, &layer->arena, &message, error);
        if (status != FR_OK) {
            fr__mirror_layer_destroy(mirror, layer);
            return status;
        }
        layer->view = message.as.draw;
    }

    fr__mirror_layer *before = fr__shelf_remove(&mirror->layers, received->layer);
    if (layer != NULL && !fr__shelf_insert(&mirror->layers, layer)) {
        FR_ASSERT(before == NULL);
        fr__mirror_layer_destroy(mirror, layer);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer");
    }
    fr__mirror_layer_destroy(mirror, before);
    return FR_OK;
}

static fr_status take_welcome(fr_mirror *mirror, const fr_packet *packet, fr_error *error) {
    fr_message message;
    fr_status status = keep_instead(&mirror->welcome, packet, &message, error);
    if (status != FR_OK) { return status; }
    mirror->view.welcome = message.as.welcome;
    mirror->view.scene = (fr_message_reset){message.as.welcome.step, message.as.welcome.scene};
    return FR_OK;
}

static fr_status take_reset(fr_mirror *mirror, const fr_packet *packet, fr_error *error) {
    fr_message message;
    fr_status status = keep_instead(&mirror->scene, packet, &message, error);
    if (status != FR_OK) { return status; }
    forget(mirror);
    mirror->view.scene = message.as.reset;
    return FR_OK;
}

static fr_status take_listed(fr_mirror *mirror, const fr_packet *packet, const fr_message *received, fr_error *error) {
    fr_message message;
    fr_status status = FR_OK;
    switch (received->type) {
    case FR_MESSAGE_GALLERY:
        status = keep_instead(&mirror->gallery, packet, &message, error);
        if (status == FR_OK) { mirror->view.gallery = message.as.gallery; }
        return status;
    case FR_MESSAGE_PAIRS:
        if (received->as.pairs.pair_count > received->as.pairs.total ||
            received->as.pairs.pair_count > FR_PROTOCOL_MAX_PAIRS) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "more pairs are listed than there are or may be");
        }
        status = keep_instead(&mirror->pairs, packet, &message, error);
        if (status == FR_OK) { mirror->view.pairs = message.as.pairs; }
        return status;
    case FR_MESSAGE_CONTACTS:
        if (received->as.contacts.contact_count > received->as.contacts.total ||
            received->as.contacts.contact_count > FR_PROTOCOL_MAX_CONTACTS) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "more contacts are listed than there are or may be");
        }
        status = keep_instead(&mirror->contacts, packet, &message, error);
        if (status == FR_OK) { mirror->view.contacts = message.as.contacts; }
        return status;
    case FR_MESSAGE_FACE_TOUCHES:
        if (received->as.face_touches.face_touch_count > received->as.face_touches.total ||
            received->as.face_touches.face_touch_count > FR_PROTOCOL_MAX_FACE_TOUCHES) {
            return fr_error_set(error, FR_ERROR_CORRUPT, "more face touches are listed than there are or may be");
        }
        status = keep_instead(&mirror->face_touches, packet, &message, error);
        if (status == FR_OK) { mirror->view.face_touches = message.as.face_touches; }
        return status;
    default:
        status = keep_instead(&mirror->events, packet, &message, error);
        if (status == FR_OK) { mirror->view.events = message.as.events; }
        return status;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Feeding

static fr_status take(fr_mirror *mirror, const fr_packet *packet, const fr_message *received, fr_error *error) {
    switch (received->type) {
    case FR_MESSAGE_WELCOME: return take_welcome(mirror, packet, error);
    case FR_MESSAGE_RESET: return take_reset(mirror, packet, error);
    case FR_MESSAGE_GALLERY:
    case FR_MESSAGE_PAIRS:
    case FR_MESSAGE_CONTACTS:
    case FR_MESSAGE_EVENTS:
    case FR_MESSAGE_FACE_TOUCHES: return take_listed(mirror, packet, received, error);
    case FR_MESSAGE_MESH: return fr__mirror_take_mesh(mirror, &received->as.mesh, error);
    case FR_MESSAGE_MESH_VERTICES: return fr__mirror_take_mesh_vertices(mirror, &received->as.mesh_vertices, error);
    case FR_MESSAGE_MESH_TRIANGLES: return fr__mirror_take_mesh_triangles(mirror, &received->as.mesh_triangles, error);
    case FR_MESSAGE_MESH_FACES: return fr__mirror_take_mesh_faces(mirror, &received->as.mesh_faces, error);
    case FR_MESSAGE_MESH_BONES: return fr__mirror_take_mesh_bones(mirror, &received->as.mesh_bones, error);
    case FR_MESSAGE_MESH_WEIGHTS: return fr__mirror_take_mesh_weights(mirror, &received->as.mesh_weights, error);
    case FR_MESSAGE_BONES: return fr__mirror_take_bones(mirror, &received->as.bones, error);
    case FR_MESSAGE_OBJECT: return fr__mirror_take_object(mirror, packet, &received->as.object, error);
    case FR_MESSAGE_GONE: return fr__mirror_take_gone(mirror, &received->as.gone);
    case FR_MESSAGE_VERTICES: return fr__mirror_take_vertices(mirror, &received->as.vertices, error);
    case FR_MESSAGE_STATE: return fr__mirror_take_state(mirror, &received->as.state, error);
    case FR_MESSAGE_STATS: mirror->view.stats = received->as.stats; return FR_OK;
    case FR_MESSAGE_LEASE: return fr__mirror_take_lease(mirror, &received->as.lease, error);
    case FR_MESSAGE_DRAW: return take_draw(mirror, packet, &received->as.draw, error);
    default: return FR_OK; // SOUND, REPLY, ROLE and others are for the client alone
    }
}

// Publishes the lists in the view.
static void show(fr_mirror *mirror) {
    fr_mirror_view *view = &mirror->view;
    view->meshes = (const fr_mirror_mesh *const *)mirror->meshes.things.data;
    view->mesh_count = (uint32_t)mirror->meshes.things.count;
    view->objects = (const fr_mirror_object *const *)mirror->objects.things.data;
    view->object_count = (uint32_t)mirror->objects.things.count;
    view->layers = (const fr_message_draw *const *)mirror->layers.things.data;
    view->layer_count = (uint32_t)mirror->layers.things.count;
}

fr_status fr_mirror_feed(fr_mirror *mirror, const void *bytes, size_t size, fr_error *error) {
    fr_frame frame = {bytes, size, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    while (fr_frame_next(&frame, &packet, &status, error)) {
        fr_message message;
        fr_arena_reset(mirror->scratch);
        status = fr_protocol_read(&packet, mirror->scratch, &message, error);
        if (status == FR_OK) { status = take(mirror, &packet, &message, error); }
        show(mirror);
        if (status != FR_OK) { return status; }
        if (mirror->on_message != NULL) { mirror->on_message(mirror, &message, mirror->user); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

const fr_mirror_view *fr_mirror_get(const fr_mirror *mirror) { return &mirror->view; }

const fr_mirror_mesh *fr_mirror_mesh_of(const fr_mirror *mirror, uint32_t number) {
    return fr__shelf_find(&mirror->meshes, number);
}

const fr_mirror_object *fr_mirror_object_of(const fr_mirror *mirror, uint32_t index1) {
    return fr__shelf_find(&mirror->objects, index1);
}

const fr_mirror_object *fr_mirror_find(const fr_mirror *mirror, const char *name) {
    for (uint32_t i = 0; i < mirror->view.object_count; i++) {
        if (strcmp(mirror->view.objects[i]->name, name) == 0) { return mirror->view.objects[i]; }
    }
    return NULL;
}
