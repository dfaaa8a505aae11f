// What a client needs that predicts what it holds: how the aid is set, and which of its moves a snapshot has.
#include "server/server.h"

// The aid of the scene's hands; without hands nothing helps, and nothing stops.
static fr_message_aid aid_of(const fr_scene_view *scene) {
    fr_hands_settings settings = fr_default_hands_settings();
    bool has_hands = scene != NULL && (scene->aid != NULL || scene->fit_count > 0);
    if (!has_hands) { settings.mode = FR_AID_MODE_NOTHING; }
    if (has_hands && scene->aid != NULL) { settings = *scene->aid; }
    return (fr_message_aid){.mode = (uint8_t)settings.mode,
                            .magnet = settings.magnet,
                            .blend = settings.blend,
                            .edges = settings.edges,
                            .axes = settings.axes};
}

void fr__client_say_aid(fr__client *client) {
    if ((client->wants & FR_WANTS_MOVES) == 0) { return; }
    fr_message message = {.type = FR_MESSAGE_AID};
    message.as.aid = aid_of(client->server->served.scene);
    fr__client_say(client, &message);
}

void fr__server_report_moves(fr_server *server) {
    for (size_t i = 0; i < server->leases.list.count; i++) {
        fr__lease *lease = &server->leases.list.data[i];
        if (lease->reported == lease->move) { continue; }
        fr__client *client = fr__server_client(server, lease->client);
        lease->reported = lease->move;
        if (client == NULL || (client->wants & FR_WANTS_MOVES) == 0) { continue; }
        fr_message message = {.type = FR_MESSAGE_MOVED};
        message.as.moved = (fr_message_moved){
            .object = fr_ref_of(lease->object), .move = lease->move, .sequence = server->frames.sequence};
        fr__client_say(client, &message);
    }
}
