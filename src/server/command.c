// Commands of clients to the people of a world, what its objects afford, and bodies that programs outside move.
#include "server/server.h"

#include <string.h>

enum { MAX_AFFORDANCES = 256, MAX_PROMPTS = 64, MAX_ENDS = 1024, MAX_COMMANDS = 1024 };

// Of the 16,384 that wait at most for the people of a world.
enum { MAX_COMMANDS_OF_ADDRESS = 4 * MAX_COMMANDS };

// The holder of a claim that a client has as a program; as a person it has its own number.
static uint64_t program_of(const fr__client *client) { return UINT64_C(1) << 32 | client->number; }

static fr_status refuse_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for it"); }

// The object that a reference names; all zeros for a zero. False: it names none.
static bool find_object(const fr_server *server, fr_ref ref, fr_object_id *out) {
    *out = fr__served_object(server, ref);
    return out->index1 != 0 || (ref.index1 == 0 && ref.generation == 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Commands

static fr_status read_motion(fr_server *server, const fr_wire_motion *motion, fr_command *out, fr_error *error) {
    *out = (fr_command){.name = motion->name,
                        .given = motion->given,
                        .point = motion->point,
                        .goal = motion->goal,
                        .facing = motion->facing,
                        .frames = motion->frames,
                        .start = motion->start};
    if (!find_object(server, motion->object, &out->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    if (motion->parameter_count == 0) { return FR_OK; }
    fr_command_parameter *parameters =
        fr_arena_alloc(server->arena, motion->parameter_count, sizeof *parameters, _Alignof(fr_command_parameter));
    if (parameters == NULL) { return refuse_memory(error); }
    for (uint32_t i = 0; i < motion->parameter_count; i++) {
        parameters[i] = (fr_command_parameter){motion->parameters[i].key, motion->parameters[i].value};
    }
    out->parameters = parameters;
    out->parameter_count = motion->parameter_count;
    return FR_OK;
}

fr_status fr__client_command(fr__client *client, const fr_message_command *message, fr_error *error) {
    fr_server *server = client->server;
    fr_cast *cast = server->served.cast;
    fr_command commands[FR_COMMAND_MAX_FUSED];
    if (cast == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene takes no commands"); }
    if (message->motion_count == 0 || message->motion_count > FR_COMMAND_MAX_FUSED) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a command has 1 .. %u motions", FR_COMMAND_MAX_FUSED);
    }
    for (uint32_t i = 0; i < message->motion_count; i++) {
        fr_status status = read_motion(server, &message->motions[i], &commands[i], error);
        if (status != FR_OK) { return status; }
    }
    if (client->commands >= MAX_COMMANDS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%d commands of yours wait already", MAX_COMMANDS);
    }
    fr__peer *peer = &server->peers.list.data[client->peer];
    if (peer->commands >= MAX_COMMANDS_OF_ADDRESS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%d commands from this address wait already",
                            MAX_COMMANDS_OF_ADDRESS);
    }
    commands[0].person = message->person;
    commands[0].fused = commands + 1;
    commands[0].fused_count = message->motion_count - 1;
    commands[0].ticket = (uint64_t)client->number << 32 | message->request;
    fr_status status = fr_cast_command(cast, &commands[0], error);
    if (status == FR_OK) {
        client->commands++;
        peer->commands++;
        fr__journal_note_command(server, &commands[0], client->name);
    }
    return status;
}

// A command of a client that is gone has ended.
static void end_command_of_gone(fr_server *server, uint32_t number) {
    fr__gone_array *gone = &server->gone;
    for (size_t i = 0; i < gone->count; i++) {
        fr__gone *at = &gone->data[i];
        if (at->client != number) { continue; }
        fr__peer *peer = &server->peers.list.data[at->peer];
        if (peer->commands > 0) { peer->commands--; }
        if (--at->commands == 0) { *at = gone->data[--gone->count]; }
        return;
    }
}

void fr__client_leave_commands(fr__client *client) {
    fr_server *server = client->server;
    fr__gone *place = client->commands > 0 ? fr__gone_array_push(&server->gone, 1) : NULL;
    if (place != NULL) { *place = (fr__gone){client->number, client->peer, client->commands}; }
}

void fr__server_forget_commands(fr_server *server) {
    server->gone.count = 0;
    fr__peers_forget_scene(&server->peers);
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        client->commands = 0;
    }
}

void fr__server_report_ends(fr_server *server) {
    fr_command_end end;
    for (int i = 0; i < MAX_ENDS && server->served.cast != NULL && fr_cast_ended(server->served.cast, &end); i++) {
        fr__client *client = fr__server_client(server, (uint32_t)(end.ticket >> 32));
        fr__journal_note_end(server, &end);
        fr_message message = {.type = FR_MESSAGE_ENDED};
        message.as.ended = (fr_message_ended){(uint32_t)end.ticket, end.status, end.message};
        if (client == NULL) {
            end_command_of_gone(server, (uint32_t)(end.ticket >> 32));
            continue;
        }
        fr__peer *peer = &server->peers.list.data[client->peer];
        if (peer->commands > 0 && client->commands > 0) { peer->commands--; }
        if (client->commands > 0) { client->commands--; }
        fr__client_say(client, &message);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What can be done

// Copies an affordance, which its actor may change when it is called again. False: there is no memory.
static bool copy_affordance(fr_arena *arena, const fr_affordance *affordance, fr_wire_affordance *out) {
    uint32_t count = affordance->field_count < MAX_PROMPTS ? affordance->field_count : MAX_PROMPTS;
    fr_wire_prompt *prompts = fr_arena_alloc(arena, count, sizeof *prompts, _Alignof(fr_wire_prompt));
    bool is_copied = prompts != NULL || count == 0;
    for (uint32_t i = 0; i < count && is_copied; i++) {
        prompts[i] =
            (fr_wire_prompt){fr__server_copy_text(arena, affordance->fields[i].name), affordance->fields[i].is_needed};
        is_copied = prompts[i].name != NULL;
    }
    *out = (fr_wire_affordance){fr__server_copy_text(arena, affordance->name),
                                fr__server_copy_text(arena, affordance->about), prompts, count};
    return is_copied && out->name != NULL && out->about != NULL;
}

fr_status fr__client_affords(fr__client *client, const fr_message_affords *message, fr_error *error) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, message->object);
    if (object.index1 == 0) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object"); }
    fr_message reply = {.type = FR_MESSAGE_AFFORDANCES};
    fr_wire_affordance *list =
        fr_arena_alloc(server->arena, MAX_AFFORDANCES, sizeof *list, _Alignof(fr_wire_affordance));
    if (list == NULL) { return refuse_memory(error); }
    uint32_t count = 0;
    const fr_affordance *affordance;
    while (count < MAX_AFFORDANCES && server->served.cast != NULL &&
           (affordance = fr_cast_affords(server->served.cast, object, count)) != NULL) {
        if (!copy_affordance(server->arena, affordance, &list[count])) { return refuse_memory(error); }
        count++;
    }
    reply.as.affordances = (fr_message_affordances){message->request, message->object, list, count};
    fr__client_say(client, &reply);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies of programs

static void report_refused(fr__client *client, uint32_t sequence, const fr_wire_refusal *refusals, uint32_t count) {
    fr_message message = {.type = FR_MESSAGE_REFUSED};
    message.as.refused = (fr_message_refused){sequence, refusals, count};
    fr__client_note_refusal(client, "update", (fr_status)refusals[0].status, refusals[0].message);
    fr__client_say(client, &message);
}

// All of an update is refused, by the name of its body.
static void report_whole(fr__client *client, const fr_message_update *message, fr_status status, const char *what) {
    const fr_wire_refusal refusal = {message->body, status, what};
    report_refused(client, message->sequence, &refusal, 1);
}

static void report_some(fr__client *client, uint32_t sequence, const fr_remote_output *output) {
    fr_wire_refusal refusals[FR_REMOTE_MAX_OBJECTS];
    for (uint32_t i = 0; i < output->refusal_count; i++) {
        const fr_remote_refusal *refusal = &output->refusals[i];
        refusals[i] = (fr_wire_refusal){fr_ref_of(refusal->object), refusal->status, refusal->reason};
    }
    report_refused(client, sequence, refusals, output->refusal_count);
}

// Objects that are not there are refused by the remote bodies; each keeps its place, so that none seems to be there
// twice.
static void read_places(const fr_server *server, const fr_message_update *message, fr_remote_place *places) {
    for (uint32_t i = 0; i < message->object_count; i++) {
        fr_ref ref = message->objects[i].object;
        places[i].object = fr__served_object(server, ref);
        if (places[i].object.index1 == 0) { places[i].object = (fr_object_id){ref.index1, ref.generation, 0}; }
        places[i].pose = message->objects[i].pose;
    }
}

void fr__client_update(fr__client *client, const fr_message_update *message) {
    fr_server *server = client->server;
    fr_remote_place places[FR_REMOTE_MAX_OBJECTS];
    fr_remote_input input = {.holder = program_of(client), .name = client->name, .pose = message->pose};
    if (server->served.remote == NULL) {
        report_whole(client, message, FR_ERROR_UNSUPPORTED, "this scene takes no updates");
        return;
    }
    if (!find_object(server, message->body, &input.body)) {
        report_whole(client, message, FR_ERROR_STALE_ID, "there is no such body");
        return;
    }
    if (message->object_count > FR_REMOTE_MAX_OBJECTS) {
        report_whole(client, message, FR_ERROR_LIMIT, "an update has too many objects");
        return;
    }
    read_places(server, message, places);
    input.bones = message->bone_count > 0 ? message->bones : NULL;
    input.bone_count = message->bone_count;
    input.objects = places;
    input.object_count = message->object_count;
    fr_remote_output output;
    fr_error error = {0};
    fr_status status = fr_remote_update(server->served.remote, &input, &output, &error);
    if (status != FR_OK) {
        report_whole(client, message, status, error.message);
    } else if (output.refusal_count > 0) {
        report_some(client, message->sequence, &output);
    }
}

void fr__client_leave_bodies(fr__client *client) {
    fr_remote *remote = client->server->served.remote;
    if (remote != NULL) { fr_remote_leave(remote, program_of(client)); }
}
