// What clients see of the clashes of a scene, and what they decide about them.
#include "server/server.h"

#include <string.h>

#define DRAWN_PIECES 200000u // of the lines where parts meet, in one layer
static const char layer_name[] = "where parts meet";
static const fr_color line_color = {255, 45, 63, 255};

static uint64_t put_up(fr_server *server, const fr_message *message) {
    fr__packet packet = fr__packet_make(&server->allocator);
    if (fr__packet_add(&packet, message)) { return fr__feed_put(&server->scene_feed, &packet); }
    fr__packet_free(&packet);
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The list

// The box about where two parts meet: about the lines, else what their boxes share.
static fr_bounds box_of(const fr_served_clashes *c, const fr_clash *clash) {
    fr_bounds box = fr_bounds_of_points(clash->region.points, clash->region.point_count);
    if (!fr_bounds_is_empty(&box)) { return box; }
    const fr_bounds *a = &c->bounds[clash->a], *b = &c->bounds[clash->b];
    fr_bounds shared = {fr_vec3_max(a->min, b->min), fr_vec3_min(a->max, b->max)};
    return fr_bounds_is_empty(&shared) ? *a : shared;
}

// The name of a part as a message takes it.
static const char *name_of(fr_arena *arena, const char *name) {
    size_t size = strlen(name) + 1;
    char *copy = fr_arena_alloc(arena, size, 1, 1);
    if (copy != NULL) { fr__copy_for_people(copy, size, name); }
    return copy;
}

static bool describe(const fr_served_clashes *c, size_t i, fr_arena *arena, fr_wire_clash *out) {
    const fr_clash *clash = &c->found.clashes[i];
    fr_clash_note note = fr__served_clash_note(c, i);
    fr_bounds box = box_of(c, clash);
    *out = (fr_wire_clash){.a = fr_ref_of(c->objects[clash->a]),
                           .b = fr_ref_of(c->objects[clash->b]),
                           .name_a = name_of(arena, c->names[clash->a]),
                           .name_b = name_of(arena, c->names[clash->b]),
                           .kind = (uint8_t)clash->kind,
                           .depth = fr_is_unknown(clash->depth) ? -1.0 : clash->depth,
                           .pairs = clash->shared_count,
                           .min = box.min,
                           .max = box.max,
                           .verdict = (uint8_t)note.verdict,
                           .note = note.text};
    return out->name_a != NULL && out->name_b != NULL;
}

static bool publish_piece(fr_server *server, size_t first, fr_arena *arena) {
    const fr_served_clashes *c = server->served.clashes;
    size_t left = c->found.count - first, count = left < FR_PROTOCOL_MAX_CLASHES ? left : FR_PROTOCOL_MAX_CLASHES;
    fr_wire_clash *list = fr_arena_alloc(arena, count, sizeof *list, _Alignof(fr_wire_clash));
    for (size_t i = 0; i < count; i++) {
        if (list == NULL || !describe(c, first + i, arena, &list[i])) { return false; }
    }
    fr_message message = {.type = FR_MESSAGE_CLASHES};
    message.as.clashes = (fr_message_clashes){.may_note = c->notes_path != NULL,
                                              .first = (uint32_t)first,
                                              .total = (uint32_t)c->found.count,
                                              .clashes = list,
                                              .clash_count = (uint32_t)count};
    return put_up(server, &message) != 0;
}

void fr__served_publish_clashes(fr_server *server) {
    const fr_served_clashes *c = server->served.clashes;
    if (c == NULL) { return; }
    if (c->found.count > 0) { memset(c->notices, 0, c->found.count * sizeof *c->notices); }
    fr_arena *arena = NULL; // the server's holds the message that is being replied to
    bool is_put = fr_arena_create(0, &server->allocator, &arena, NULL) == FR_OK;
    // An assembly without a clash has a list, too: an empty one.
    for (size_t first = 0; is_put && (first == 0 || first < c->found.count); first += FR_PROTOCOL_MAX_CLASHES) {
        fr_arena_reset(arena);
        is_put = publish_piece(server, first, arena);
    }
    fr_arena_destroy(arena);
    if (!is_put) { fr_log(FR_LOG_WARNING, "server: no memory for the list of clashes"); }
}

// ---------------------------------------------------------------------------------------------------------------
// The lines

// What is drawn: the clashes, in the frame of the object that carries the layer.
typedef struct painting {
    const fr_served_clashes *clashes;
    fr_pose to_object;
    size_t drawn; // pieces of lines, and single points
} painting;

static void paint_line(const fr_draw *draw, painting *p, const fr_vec3 *points, size_t count) {
    fr_vec3 from = fr_pose_apply(&p->to_object, points[0]);
    if (count == 1) {
        double dot[3] = {from.x, from.y, from.z};
        fr_draw_points(draw, dot, 1, line_color, 5.0);
        p->drawn++;
    }
    for (size_t i = 1; i < count && p->drawn < DRAWN_PIECES; i++, p->drawn++) {
        fr_vec3 to = fr_pose_apply(&p->to_object, points[i]);
        double ends[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
        fr_draw_lines(draw, ends, 1, line_color, 3.0);
        from = to;
    }
}

static void paint_all(const fr_draw *draw, void *user) {
    painting *p = user;
    for (size_t i = 0; i < p->clashes->found.count; i++) {
        const fr_contact_region *region = &p->clashes->found.clashes[i].region;
        for (size_t k = 0; k < region->line_count && p->drawn < DRAWN_PIECES; k++) {
            paint_line(draw, p, region->points + region->lines[k].first, region->lines[k].count);
        }
    }
}

void fr__served_draw_clashes(fr_server *server) {
    const fr_served_clashes *c = server->served.clashes;
    if (c == NULL || c->found.count == 0) { return; }
    // On an object, so that the layer goes with the scene.
    fr_object_id object = c->objects[0];
    painting p = {.clashes = c};
    p.to_object = fr_pose_inverse(&fr_object_get(fr_world_space(c->world), object)->pose);
    fr_error error = {0};
    if (fr_server_draw_on(server, object, layer_name, paint_all, &p, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: where parts meet is not drawn: %s", error.message);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Decisions

fr_status fr__served_note_clash(fr_server *server, const fr_message_note_clash *message, fr_error *error) {
    fr_served_clashes *c = server->served.clashes;
    if (c == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene has no list of clashes"); }
    if (c->notes_path == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED,
                            "nothing is stored here: the server was started without a file of notes");
    }
    if (message->clash >= c->found.count) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such clash"); }
    if (!fr__rate_take(&c->decisions, 1.0, fr_clock_ns())) {
        return fr_error_set(error, FR_ERROR_LIMIT, "too much is decided at once: wait a moment");
    }
    fr_status status =
        fr__served_clash_decide(c, message->clash, (fr_clash_verdict)message->verdict, message->note, error);
    if (status != FR_OK) { return status; }
    fr_message note = {.type = FR_MESSAGE_CLASH_NOTE};
    note.as.clash_note = (fr_message_clash_note){message->clash, message->verdict, message->note};
    fr__feed_take(&server->scene_feed, c->notices[message->clash], NULL);
    c->notices[message->clash] = put_up(server, &note);
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { fr__client_wake(client); }
    }
    return FR_OK;
}
