// Roles: which message needs which, and how a client comes by its own.
#ifndef FUREAI_SERVER_ROLE_H
#define FUREAI_SERVER_ROLE_H

#include "server/server.h"

// The role that a message needs. Where the server is locked no client may add, remove or direct: FR_ROLE_NONE.
fr_role fr__role_needed(fr_message_type type, bool is_locked);

// Whether a client may send a message; FR_ERROR_UNSUPPORTED with the reason where not.
fr_status fr__role_check(const fr__client *client, fr_message_type type, fr_error *error);

// A client showed a token: it gets the role that the token gives, or is refused and closed.
void fr__client_show_key(fr__client *client, const fr_message_key *key);

// The role of a token that comes from an address; FR_ROLE_NONE with the reason. Wrong ones are counted.
fr_role fr__role_find(fr_server *server, fr__peer *peer, const char *token, const char **why);

#endif
