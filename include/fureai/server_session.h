// Sessions: clients of a server in its own process, without sockets. A session says and hears what a client says and
// hears over WebSocket (fureai/protocol.h), byte for byte; the caller carries the bytes: to a page beside it, over a
// pipe, or nowhere. Library libfureai-world.
//
// A server whose definition has `is_local` listens nowhere: it has sessions alone, needs no network, and is stepped by
// its caller. Everything here is for the server's thread.
#ifndef FUREAI_SERVER_SESSION_H
#define FUREAI_SERVER_SESSION_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_server fr_server;
typedef struct fr_session fr_session;

// Makes a client of the server. It counts as one of max_clients, and its messages are limited as those of others are;
// where the server has tokens it must show one. FR_ERROR_LIMIT, FR_ERROR_MEMORY.
FR_API fr_status fr_session_create(fr_server *server, fr_session **out, fr_error *error);

// The client goes: its leases end. Before or after its server is destroyed. NULL is ignored.
FR_API void fr_session_destroy(fr_session *session);

// Messages for the server: what would be one WebSocket message, of up to max_message_bytes. What is wrong with them is
// said by the server, as over a socket. FR_ERROR_STOPPED where the session has ended, FR_ERROR_MEMORY.
FR_API fr_status fr_session_send(fr_session *session, const void *bytes, size_t size, fr_error *error);

// The next messages of the server, to be called until it returns false: after every fr_server_step. The bytes stay
// until the next call about the session. A caller that does not take them for a while misses states, not changes.
FR_API bool fr_session_take(fr_session *session, const void **bytes, size_t *size);

// The close code of RFC 6455 by which the server ended the session, once all was taken; 0: it has not.
FR_API uint16_t fr_session_close_code(const fr_session *session);

// Takes a reply to a request: its status of HTTP, the type of the bytes, the name of a file to be stored (NULL: none),
// and the bytes, until it returns.
typedef void fr_session_reply_fn(unsigned status, const char *type, const char *name, const void *bytes, size_t size,
                                 void *context);

// A request that clients of a socket send over HTTP: files for the scene (as POST to /models) where there are `bytes`,
// else the model /models/NUMBER.ENDING. Replied to once, at once or from fr_server_step; not after the session has
// gone. One request at a time: FR_ERROR_BUSY. FR_ERROR_STOPPED.
FR_API fr_status fr_session_request(fr_session *session, const char *path, const void *bytes, size_t size,
                                    fr_session_reply_fn *reply, void *context, fr_error *error);

// One turn of fr_server_run that waits for nothing: what is due is done. `wait_seconds`, which may be NULL, gets how
// long the caller may wait until the next tick is due. FR_ERROR_SYSTEM where the sockets fail.
FR_API fr_status fr_server_step(fr_server *server, double *wait_seconds, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
