// The commander: carries out lines, lets the world run until what was commanded is over, and replies.
#include "act/commander.h"
#include "act/script.h"

#include <stdalign.h>
#include <string.h>

#define COMMANDER_COOKIE UINT32_C(0x636d6472)

// A command that was started.
typedef struct started_command {
    uint64_t ticket; // the number of its line
    bool is_over, is_done;
    uint64_t frames; // from its beginning to its end
    uint64_t begin;
    char reason[FR_COMMAND_END_MAX_BYTES + 1];
} started_command;

FR_ARRAY_TYPE(started_array, started_command);

struct fr_commander {
    fr_commander_def def;
    fr_allocator allocator;
    fr_world *world;
    started_array started;
    fr_byte_array reply; // that is being written
};

fr_commander_def fr_default_commander_def(void) {
    fr_commander_def def;
    memset(&def, 0, sizeof def);
    def.max_ticks = 1000000;
    def.cookie = COMMANDER_COOKIE;
    return def;
}

fr_status fr_commander_create(const fr_commander_def *def, fr_commander **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != COMMANDER_COOKIE) { return fr_error_set_cookie(error, "fr_default_commander_def"); }
    if (def->cast == NULL || def->write == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a commander needs a cast and where replies go");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_commander *c = fr_allocate(&allocator, 1, sizeof *c, alignof(fr_commander));
    if (c == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a commander"); }
    *c = (fr_commander){.def = *def, .allocator = allocator, .world = fr_cast_world(def->cast)};
    c->started = started_array_make(&allocator);
    c->reply = fr_byte_array_make(&allocator);
    *out = c;
    return FR_OK;
}

void fr_commander_destroy(fr_commander *commander) {
    if (commander == NULL) { return; }
    started_array_destroy(&commander->started);
    fr_byte_array_destroy(&commander->reply);
    fr_allocator allocator = commander->allocator;
    fr_deallocate(&allocator, commander, 1, sizeof *commander);
}

// ---------------------------------------------------------------------------------------------------------------
// Time

static started_command *find_started(fr_commander *c, uint64_t ticket) {
    for (size_t i = 0; i < c->started.count; i++) {
        if (c->started.data[i].ticket == ticket) { return &c->started.data[i]; }
    }
    return NULL;
}

static void take_ends(fr_commander *c) {
    fr_command_end end;
    while (fr_cast_ended(c->def.cast, &end)) {
        started_command *command = find_started(c, end.ticket);
        if (command == NULL) { continue; }
        command->is_over = true;
        command->is_done = end.status == FR_OK;
        command->frames = fr_world_tick_count(c->world) - command->begin;
        memcpy(command->reason, end.message, sizeof command->reason);
    }
}

// Whether all that is waited for is over: one command, or all where the ticket is 0.
static bool is_over(const fr_commander *c, uint64_t ticket) {
    bool is_all = true;
    for (size_t i = 0; i < c->started.count && is_all; i++) {
        const started_command *command = &c->started.data[i];
        is_all = command->is_over || (ticket != 0 && command->ticket != ticket);
    }
    return is_all;
}

// Lets the world go on for so many ticks, or until what is waited for is over.
static fr_status go_on(fr_commander *c, uint64_t ticks, bool is_waiting, uint64_t ticket, fr_error *error) {
    fr_status status = FR_OK;
    for (uint64_t i = 0; i < ticks && status == FR_OK && !(is_waiting && is_over(c, ticket)); i++) {
        status = fr_cast_tick(c->def.cast, c->def.tick, error);
        if (status == FR_OK) { take_ends(c); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Replies

typedef struct line_reply {
    fr_commander *c;
    fr_json_writer j;
    uint64_t number;
} line_reply;

static bool push_bytes(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static void begin_reply(line_reply *r) {
    r->c->reply.count = 0;
    r->j = fr_json_writer_make(push_bytes, &r->c->reply, 0, &r->c->allocator);
    fr_json_write_object(&r->j);
    fr_json_write_uint_field(&r->j, "line", r->number);
}

static fr_status end_reply(line_reply *r, fr_error *error) {
    const fr_commander *c = r->c;
    fr_json_write_object_end(&r->j);
    if (!fr_json_writer_end(&r->j)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a reply"); }
    if (c->def.write(c->reply.data, c->reply.count, c->def.user)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "a reply could not be written");
}

static fr_status reply_error(line_reply *r, const fr_error *why, fr_error *error) {
    begin_reply(r);
    if (why->column > 0 && why->path[0] == '\0') { fr_json_write_int_field(&r->j, "column", why->column); }
    fr_json_write_string_field(&r->j, "error", why->message);
    return end_reply(r, error);
}

static void write_command(fr_json_writer *j, const started_command *command) {
    fr_json_write_bool_field(j, "done", command->is_done);
    if (command->is_over) { fr_json_write_uint_field(j, "frames", command->frames); }
    if (!command->is_done) {
        fr_json_write_string_field(j, "reason", command->is_over ? command->reason : "it was not over in time");
    }
}

static void write_place(fr_json_writer *j, fr_vec3 place) {
    const double position[3] = {place.x, place.y, place.z};
    fr_json_write_numbers_field(j, "position", position, 3);
}

// ---------------------------------------------------------------------------------------------------------------
// Commands

static void forget(fr_commander *c, uint64_t ticket) {
    size_t kept = 0;
    for (size_t i = 0; i < c->started.count; i++) {
        bool is_gone = ticket == 0 || c->started.data[i].ticket == ticket;
        if (!is_gone) { c->started.data[kept++] = c->started.data[i]; }
    }
    c->started.count = kept;
}

// Gives the command of a line; what is refused is in `why`.
static fr_status start(const line_reply *r, const fr_script *script, fr_error *why) {
    fr_commander *c = r->c;
    if (c->started.count == FR_COMMANDER_MAX_STARTED) {
        return fr_error_set(why, FR_ERROR_LIMIT, "%u commands were started: wait first", FR_COMMANDER_MAX_STARTED);
    }
    started_command *command = started_array_push(&c->started, 1);
    if (command == NULL) { return fr_error_set(why, FR_ERROR_MEMORY, "no memory for a command"); }
    *command = (started_command){.ticket = r->number, .begin = fr_world_tick_count(c->world)};
    fr_status status = fr__script_give(fr_script_get(script), 0, r->number, c->def.cast, why);
    bool is_stop = strcmp(fr_script_get(script)->steps[0].motion, "stop") == 0;
    if (status != FR_OK || is_stop) { c->started.count--; }
    return status;
}

static fr_status carry_out_command(line_reply *r, const fr_script *script, bool is_waiting, fr_error *error) {
    fr_commander *c = r->c;
    fr_error why = {0};
    fr_status status = start(r, script, &why);
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status != FR_OK) { return reply_error(r, &why, error); }
    const started_command *command = find_started(c, r->number);
    if (command != NULL && is_waiting) { status = go_on(c, c->def.max_ticks, true, r->number, error); }
    if (status != FR_OK) { return status; }
    begin_reply(r);
    if (command == NULL || !is_waiting) {
        fr_json_write_bool_field(&r->j, "accepted", true);
    } else {
        write_command(&r->j, find_started(c, r->number));
        forget(c, r->number);
    }
    return end_reply(r, error);
}

static fr_status wait_for_all(line_reply *r, fr_error *error) {
    fr_status status = go_on(r->c, r->c->def.max_ticks, true, 0, error);
    if (status != FR_OK) { return status; }
    begin_reply(r);
    fr_json_write_key(&r->j, "over");
    fr_json_write_array(&r->j);
    for (size_t i = 0; i < r->c->started.count; i++) {
        fr_json_write_object(&r->j);
        fr_json_write_uint_field(&r->j, "line", r->c->started.data[i].ticket);
        write_command(&r->j, &r->c->started.data[i]);
        fr_json_write_object_end(&r->j);
    }
    fr_json_write_array_end(&r->j);
    forget(r->c, 0);
    return end_reply(r, error);
}

static fr_status run_frames(line_reply *r, uint32_t frames, fr_error *error) {
    uint64_t ticks = frames < r->c->def.max_ticks ? frames : r->c->def.max_ticks;
    fr_status status = go_on(r->c, ticks, false, 0, error);
    if (status != FR_OK) { return status; }
    begin_reply(r);
    fr_json_write_uint_field(&r->j, "tick", fr_world_tick_count(r->c->world));
    return end_reply(r, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

static fr_status list_objects(line_reply *r, fr_error *error) {
    const fr_space *space = fr_world_space(r->c->world);
    begin_reply(r);
    fr_json_write_key(&r->j, "objects");
    fr_json_write_array(&r->j);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, object);
        if (view == NULL || fr_world_label(r->c->world, object).name[0] == '\0') { continue; }
        fr_json_write_object(&r->j);
        fr_json_write_string_field(&r->j, "name", fr_world_label(r->c->world, object).name);
        write_place(&r->j, view->pose.position);
        fr_json_write_object_end(&r->j);
    }
    fr_json_write_array_end(&r->j);
    return end_reply(r, error);
}

static fr_status list_people(line_reply *r, fr_error *error) {
    fr_cast_person person;
    begin_reply(r);
    fr_json_write_key(&r->j, "people");
    fr_json_write_array(&r->j);
    for (uint32_t i = 0; fr_cast_get_person(r->c->def.cast, i, &person); i++) {
        fr_json_write_object(&r->j);
        fr_json_write_string_field(&r->j, "name", person.name);
        fr_json_write_string_field(&r->j, "motion", person.motion);
        fr_json_write_uint_field(&r->j, "waiting", person.waiting);
        write_place(&r->j, person.head);
        fr_json_write_object_end(&r->j);
    }
    fr_json_write_array_end(&r->j);
    return end_reply(r, error);
}

static fr_status no_object(line_reply *r, const char *name, fr_error *error) {
    fr_error why = {0};
    fr_error_set(&why, FR_ERROR_ARGUMENT, "there is no object '%s'", name);
    return reply_error(r, &why, error);
}

static fr_status list_affordances(line_reply *r, const char *name, fr_error *error) {
    fr_object_id object = fr_world_find(r->c->world, name);
    if (object.index1 == 0) { return no_object(r, name, error); }
    const fr_affordance *affordance;
    begin_reply(r);
    fr_json_write_key(&r->j, "affords");
    fr_json_write_array(&r->j);
    for (uint32_t i = 0; (affordance = fr_cast_affords(r->c->def.cast, object, i)) != NULL; i++) {
        fr_json_write_object(&r->j);
        fr_json_write_string_field(&r->j, "motion", affordance->name);
        if (affordance->about != NULL) { fr_json_write_string_field(&r->j, "about", affordance->about); }
        fr_json_write_key(&r->j, "asks");
        fr_json_write_array(&r->j);
        for (uint32_t k = 0; k < affordance->field_count; k++) {
            fr_json_write_string(&r->j, affordance->fields[k].name);
        }
        fr_json_write_array_end(&r->j);
        fr_json_write_object_end(&r->j);
    }
    fr_json_write_array_end(&r->j);
    return end_reply(r, error);
}

static bool write_class(const fr_stock_entry *entry, void *context) {
    fr_json_writer *j = context;
    fr_json_write_object(j);
    fr_json_write_string_field(j, "name", entry->name);
    fr_json_write_string_field(j, "title", entry->title);
    fr_json_write_string_field(j, "motions", entry->motions);
    fr_json_write_object_end(j);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// What is added

static fr_status no_stock(line_reply *r, fr_error *error) {
    fr_error why = {0};
    fr_error_set(&why, FR_ERROR_UNSUPPORTED, "nothing is added to this scene");
    return reply_error(r, &why, error);
}

static fr_status list_classes(line_reply *r, fr_error *error) {
    const fr_scene_stock *stock = &r->c->def.stock;
    if (stock->list == NULL) { return no_stock(r, error); }
    fr_error why = {0};
    begin_reply(r);
    fr_json_write_key(&r->j, "classes");
    fr_json_write_array(&r->j);
    fr_status status = stock->list(write_class, &r->j, stock->user, &why);
    fr_json_write_array_end(&r->j);
    if (status == FR_OK) { return end_reply(r, error); }
    (void)fr_json_writer_cancel(&r->j);
    return reply_error(r, &why, error);
}

static fr_status change_objects(line_reply *r, const fr__commander_line *line, fr_error *error) {
    const fr_scene_stock *stock = &r->c->def.stock;
    const fr_vec3 up = {0.0, 1.0, 0.0};
    if (stock->add == NULL || stock->remove == NULL) { return no_stock(r, error); }
    fr_error why = {0};
    fr_status status;
    if (line->verb == FR__LINE_REMOVE) {
        fr_object_id object = fr_world_find(r->c->world, line->object);
        if (object.index1 == 0) { return no_object(r, line->object, error); }
        status = stock->remove(object, stock->user, &why);
    } else {
        fr_vec3 place = fr_vec3_make(line->position[0], line->position[1], line->position[2]);
        fr_pose pose = fr_pose_make(place, fr_quat_from_axis_angle(up, fr_radians(line->facing)));
        const fr_scene_addition addition = {line->class_name, line->name, pose, false};
        status = stock->add(&addition, stock->user, &why);
    }
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status != FR_OK) { return reply_error(r, &why, error); }
    begin_reply(r);
    fr_json_write_bool_field(&r->j, "done", true);
    return end_reply(r, error);
}

// ---------------------------------------------------------------------------------------------------------------
// A line

static fr_status carry_out(line_reply *r, const fr__commander_line *line, fr_error *error) {
    switch (line->verb) {
    case FR__LINE_COMMAND: return carry_out_command(r, line->script, true, error);
    case FR__LINE_START: return carry_out_command(r, line->script, false, error);
    case FR__LINE_OBJECTS: return list_objects(r, error);
    case FR__LINE_PEOPLE: return list_people(r, error);
    case FR__LINE_AFFORDS: return list_affordances(r, line->object, error);
    case FR__LINE_CLASSES: return list_classes(r, error);
    case FR__LINE_ADD:
    case FR__LINE_REMOVE: return change_objects(r, line, error);
    case FR__LINE_RUN: return run_frames(r, line->frames, error);
    default: return wait_for_all(r, error);
    }
}

fr_status fr_commander_line(fr_commander *commander, const void *bytes, size_t size, uint64_t number, fr_error *error) {
    FR_ASSERT(commander != NULL && (bytes != NULL || size == 0) && number > 0);
    line_reply r = {.c = commander, .number = number};
    fr__commander_line line;
    fr_error why = {0};
    fr_status status = fr__commander_line_read(bytes, size, &commander->allocator, &line, &why);
    if (status == FR_ERROR_MEMORY) {
        status = fr_error_set(error, status, "%s", why.message);
    } else {
        status = status == FR_OK ? carry_out(&r, &line, error) : reply_error(&r, &why, error);
    }
    fr__commander_line_free(&line);
    return status;
}
