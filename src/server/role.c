// What clients may do, by their tokens.
#include "server/role.h"

#include <string.h>

enum { CODE_PROTOCOL = 1002 };

fr_role fr__role_needed(fr_message_type type, bool is_locked) {
    switch (type) {
    case FR_MESSAGE_HELLO:
    case FR_MESSAGE_KEY:
    case FR_MESSAGE_WANTS:
    case FR_MESSAGE_NEAR:
    case FR_MESSAGE_PING:
    case FR_MESSAGE_AFFORDS:
    case FR_MESSAGE_STOCK:
    case FR_MESSAGE_PEOPLE:
    case FR_MESSAGE_POSTURE: return FR_ROLE_WATCH;
    case FR_MESSAGE_GRAB:
    case FR_MESSAGE_MOVE:
    case FR_MESSAGE_DROP:
    case FR_MESSAGE_RESUME:
    case FR_MESSAGE_SET_STATE:
    case FR_MESSAGE_REMOVE_STATE:
    case FR_MESSAGE_UNDO:
    case FR_MESSAGE_COMMAND:
    case FR_MESSAGE_UPDATE:
    case FR_MESSAGE_PULL: return FR_ROLE_HANDLE;
    case FR_MESSAGE_ADD:
    case FR_MESSAGE_STAND:
    case FR_MESSAGE_NOTE_CLASH:
    case FR_MESSAGE_REMOVE: return is_locked ? FR_ROLE_NONE : FR_ROLE_HANDLE;
    default: return is_locked ? FR_ROLE_NONE : FR_ROLE_DIRECT;
    }
}

fr_status fr__role_check(const fr__client *client, fr_message_type type, fr_error *error) {
    fr_role needed = fr__role_needed(type, client->server->def.is_locked);
    if (needed == FR_ROLE_NONE) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this server is locked"); }
    if (client->role >= needed) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED,
                        needed == FR_ROLE_DIRECT ? "this is for those who direct"
                                                 : "you watch: this is for those who handle objects");
}

// ---------------------------------------------------------------------------------------------------------------
// Tokens

// After some wrong ones none is looked at until time has gone by.
fr_role fr__role_find(fr_server *server, fr__peer *peer, const char *token, const char **why) {
    size_t size = strlen(token);
    uint64_t now = fr_clock_ns();
    *why = size == 0 ? "this server needs a token" : "the token is not known here";
    if (size == 0) { return FR_ROLE_NONE; }
    if (!fr__rate_owe(&peer->mistakes, 0.0, now)) {
        *why = "too many wrong tokens came from this address: wait a while";
        return FR_ROLE_NONE;
    }
    fr_role role = fr__tokens_role(&server->tokens, token, size);
    if (role == FR_ROLE_NONE) { (void)fr__rate_owe(&peer->mistakes, 1.0, now); }
    return role;
}

void fr__client_show_key(fr__client *client, const fr_message_key *key) {
    fr_server *server = client->server;
    if (client->has_shown_key) {
        fr__client_note_refusal(client, "key", FR_ERROR_SYNTAX, "a token was shown already");
        fr__client_refuse(client, CODE_PROTOCOL, FR_ERROR_SYNTAX, "a token was shown already");
        return;
    }
    client->has_shown_key = true;
    if (server->def.token_path != NULL) {
        const char *why;
        fr__peer *peer = &server->peers.list.data[client->peer];
        client->role = fr__role_find(server, peer, key->token, &why);
        if (client->role == FR_ROLE_NONE) {
            // One without a token only learns that it needs one.
            if (key->token[0] != '\0') { fr__client_note_refusal(client, "key", FR_ERROR_UNSUPPORTED, why); }
            fr__client_refuse(client, FR_CLOSE_TOKEN, FR_ERROR_UNSUPPORTED, why);
            return;
        }
        fr__client_welcome(client);
    }
    fr_message reply = {.type = FR_MESSAGE_ROLE};
    reply.as.role = (fr_message_role){(uint8_t)client->role, server->def.is_locked};
    fr__client_say(client, &reply);
}
