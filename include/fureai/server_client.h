// Fureai server, the client: a program's connection to a served world (ws://HOST:PORT, or wss://HOST:PORT over TLS). It
// feeds a mirror with what the server sends and sends messages. Library libfureai-world.
//
// It never blocks and starts no thread: the program calls fr_client_service as often as it likes. Any server is safe:
// what breaks the rules, is too large or too slow ends the connection with a sentence. A connection that has ended is
// not begun again: a program that wants to makes another client. One thread at a time uses a client.
#ifndef FUREAI_SERVER_CLIENT_H
#define FUREAI_SERVER_CLIENT_H

#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_client fr_client;

#define FR_CLIENT_PORT 8420                // where an address names none
#define FR_CLIENT_ADDRESS_MAX_BYTES 255    // of a url
#define FR_CLIENT_MIN_BYTES 1024u          // of the three limits below
#define FR_CLIENT_MAX_BYTES (1u << 30)     // of these, the largest
#define FR_CLIENT_TIMEOUT_MAX_SECONDS 3600 // of timeout_seconds

typedef struct fr_client_def {
    const char *url; // "ws://HOST", "ws://HOST:PORT" or "ws://HOST:PORT/", or the same with wss, over TLS; HOST
                     // is a name, an IPv4 address, or an IPv6 address in brackets
    const char *authority_path; // of wss: file of certificates (PEM), one of which must have signed the server's; NULL,
                                // the default: those that the system trusts
    const char *name;           // for other people to read; default ""
    const char *token;          // that gives it a role at the server; NULL, the default: none is shown
    uint32_t wants;             // of fr_wants; default FR_WANTS_POSES
    fr_mirror_fn *received;     // called after each message was taken into the mirror; may be NULL, the default. It
                                // may call fr_client_send, but neither fr_client_service nor fr_client_destroy
    void *user;                 // given to `received`
    double timeout_seconds;     // above 0: the server must take the connection within it and never be silent for twice
                                // as long; default 5
    uint32_t max_message_bytes; // of a WebSocket message of the server; default 2^26
    uint32_t max_unsent_bytes;  // that wait to be sent; default 2^20
    uint32_t max_mirror_bytes;  // memory of the mirror; default 2^30
    fr_allocator allocator;     // default: the process default
    uint32_t cookie;            // set by fr_default_client_def
} fr_client_def;

FR_API fr_client_def fr_default_client_def(void);

// Begins to connect. A host that is a name and not a number is looked up by the system, which may take long; all else
// comes with fr_client_service. Texts of the definition are copied. FR_ERROR_ARGUMENT for an url that is none and for
// numbers outside their limits, FR_ERROR_SYSTEM for a host that is not known, FR_ERROR_FILE for an authority that
// cannot be read, FR_ERROR_MEMORY.
FR_API fr_status fr_client_create(const fr_client_def *def, fr_client **out, fr_error *error);

// Closes the connection. NULL is ignored.
FR_API void fr_client_destroy(fr_client *client);

// Sends what waits and takes in at most one WebSocket message of the server; *has_taken says whether it did, and may be
// NULL. It waits up to `wait_ns` for something to happen; 0: it returns at once. A failure ends the connection, and is
// returned by every later call: FR_ERROR_SYSTEM when the server closes or cannot be reached, FR_ERROR_STOPPED when it
// is silent, FR_ERROR_LIMIT, FR_ERROR_SYNTAX and FR_ERROR_VERSION for what it sends, FR_ERROR_MEMORY, and the statuses
// of fr_mirror_feed.
FR_API fr_status fr_client_service(fr_client *client, uint64_t wait_ns, bool *has_taken, fr_error *error);

// Sends a message, behind those that wait, as far as the socket takes it now; hello is sent by itself. FR_ERROR_LIMIT
// where more than max_unsent_bytes would wait, FR_ERROR_BUSY before the server has welcomed the client,
// FR_ERROR_STOPPED when the connection has ended, and the statuses of fr_protocol_write; nothing is sent then.
FR_API fr_status fr_client_send(fr_client *client, const fr_message *message, fr_error *error);

// Messages after one another in one WebSocket message, `size` bytes as fr_protocol_write makes them.
FR_API fr_status fr_client_send_bytes(fr_client *client, const void *bytes, size_t size, fr_error *error);

// What is known of the world, to read until the next fr_client_service.
FR_API const fr_mirror *fr_client_mirror(const fr_client *client);

typedef enum fr_client_phase {
    FR_CLIENT_CONNECTING, // up to the server's welcome
    FR_CLIENT_OPEN,
    FR_CLIENT_ENDED
} fr_client_phase;

typedef struct fr_client_state {
    fr_client_phase phase;
    uint16_t close_code;              // of RFC 6455, that the server closed with; 0: none
    uint64_t frames;                  // WebSocket messages that were taken in
    uint64_t bytes_taken, bytes_sent; // by the socket
    uint32_t unsent_bytes;            // that wait
} fr_client_state;

FR_API fr_client_state fr_client_get(const fr_client *client);

#ifdef __cplusplus
}
#endif

#endif
