// What is done for one request about models: files that were sent are read, or a model is written. A request comes over
// HTTP (web_models.c) or from a session in the process (session.c).
#ifndef FUREAI_SERVER_EXCHANGE_H
#define FUREAI_SERVER_EXCHANGE_H

#include "server/server.h"

enum { // statuses of HTTP
    FR__HTTP_OK = 200,
    FR__HTTP_FORBIDDEN = 403,
    FR__HTTP_NOT_FOUND = 404,
    FR__HTTP_FAILED = 500,
    FR__HTTP_BUSY = 503,
};

// What a request gets.
typedef struct fr__exchange_reply {
    unsigned status;     // of HTTP
    const char *type;    // of the bytes
    const char *name;    // of the file to be stored; NULL: none
    fr_byte_array bytes; // who replies takes them over
} fr__exchange_reply;

// The first member of what works for a request. The request and the job both refer to it until one of them ends.
typedef struct fr__exchange {
    fr__job job;
    fr_server *server;
    // Gives the reply to the requester, who refers to the exchange no longer.
    void (*respond)(struct fr__exchange *exchange, const fr__exchange_reply *reply);
    void *requester;                                // NULL: it has gone
    bool is_at_work;                                // the job is among the server's, and frees it at its end
    void (*discard)(struct fr__exchange *exchange); // frees it where the job never began
    fr_status status;
    fr_error error;
} fr__exchange;

// Why a request is not taken.
typedef struct fr__exchange_refusal {
    unsigned status; // of HTTP
    const char *reason;
} fr__exchange_refusal;

// Puts the job in. False where too many wait: the exchange is as it was.
bool fr__exchange_start(fr__exchange *exchange, fr__exchange_refusal *refusal);

// The requester goes, or has its reply: the work for it is stopped. NULL is ignored.
void fr__exchange_leave(fr__exchange *exchange);

// Replies where someone waits, and ends the waiting.
void fr__exchange_respond(fr__exchange *exchange, const fr__exchange_reply *reply);

// Replies by a JSON document of `message`, and of `list` under `key`.
void fr__exchange_respond_json(fr__exchange *exchange, unsigned status, const char *message, const char *key,
                               const char *const *list, uint32_t count);

// The status of HTTP that stands for one of ours.
unsigned fr__exchange_http_status(fr_status status);

// Files of `size` bytes that are to come (bundle.h); NULL with the reason where they are not taken.
fr__exchange *fr__upload_begin(fr_server *server, uint64_t size, fr__exchange_refusal *refusal);

// Bytes of them; false when they are more than were announced, or there is no memory.
bool fr__upload_receive(fr__exchange *exchange, const void *bytes, size_t size, fr__exchange_refusal *refusal);

// Whether all have come.
bool fr__upload_is_complete(const fr__exchange *exchange);

// A model in another format, by the path /models/NUMBER.ENDING; NULL: there is none, or no memory.
fr__exchange *fr__download_begin(fr_server *server, const char *path);

#endif
