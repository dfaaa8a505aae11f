// The people of a world, for clients: who carries out commands, and how one is posed by hand.
#include "server/server.h"

#include "fureai/human_files.h"

#include <string.h>

enum { MAX_PEOPLE = 256 };

fr_status fr__client_people(fr__client *client, const fr_message_people *message, fr_error *error) {
    const fr_server *server = client->server;
    const fr_cast *cast = server->served.cast;
    fr_wire_person *list = fr_arena_alloc(server->arena, MAX_PEOPLE, sizeof *list, _Alignof(fr_wire_person));
    uint32_t count = 0, total = 0;
    fr_cast_person person;
    if (list == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for it"); }
    for (; cast != NULL && fr_cast_get_person(cast, total, &person); total++) {
        if (count == MAX_PEOPLE) { continue; }
        bool is_own = person.ticket >> 32 == client->number;
        list[count] = (fr_wire_person){.name = fr__server_copy_text(server->arena, person.name),
                                       .object = fr_ref_of(person.object),
                                       .motion = fr__server_copy_text(server->arena, person.motion),
                                       .doing = is_own ? (uint32_t)person.ticket : 0,
                                       .waiting = person.waiting,
                                       .head = person.head,
                                       .right = person.palms[FR_RIGHT],
                                       .left = person.palms[FR_LEFT]};
        if (list[count].name == NULL || list[count].motion == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for it");
        }
        count++;
    }
    fr_message reply = {.type = FR_MESSAGE_PEOPLE_LIST};
    reply.as.people_list = (fr_message_people_list){message->request, total, list, count};
    fr__client_say(client, &reply);
    return FR_OK;
}

fr_status fr__client_pull(fr__client *client, const fr_message_pull *message, fr_error *error) {
    fr_cast *cast = client->server->served.cast;
    if (cast == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene has no people"); }
    return fr_cast_pull(cast, message->person, (fr_pull_part)message->part, message->point, error);
}

static bool write_text(const char *bytes, size_t size, void *context) {
    char *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

fr_status fr__client_posture(fr__client *client, const fr_message_posture *message, fr_error *error) {
    fr_server *server = client->server;
    fr_clip *clip;
    if (server->served.cast == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene has no people"); }
    fr_status status = fr_cast_posture(server->served.cast, message->person, &clip, error);
    if (status != FR_OK) { return status; }
    fr_array text = fr_array_make(1, &server->allocator);
    status = fr_ahmc_write(clip, false, write_text, &text, error);
    fr_clip_release(clip);
    if (status == FR_OK && !write_text("", 1, &text)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a posture");
    }
    if (status == FR_OK) {
        fr_message reply = {.type = FR_MESSAGE_POSTURE_FILE};
        reply.as.posture_file = (fr_message_posture_file){message->request, message->person, text.data};
        fr__client_say(client, &reply);
    }
    fr_array_destroy(&text);
    return status;
}
