// What is done for one HTTP request about models: files that were sent are read, or a model is written.
#ifndef FUREAI_SERVER_EXCHANGE_H
#define FUREAI_SERVER_EXCHANGE_H

#include "server/upload.h"

// The first member of what works for a request. The request and the job both refer to it until one of them ends.
typedef struct fr__exchange {
    fr__job job;
    fr_server *server;
    struct lws *wsi;                                // NULL: the client has gone
    fr__web_request *request;                       // likewise
    bool is_at_work;                                // the job is among the server's, and frees it at its end
    void (*discard)(struct fr__exchange *exchange); // frees it where the job never began
    fr_status status;
    fr_error error;
} fr__exchange;

// Puts the job in; refuses the request where too many wait.
int fr__exchange_start(fr__exchange *exchange);

// Sends a reply to the request, where someone waits: a JSON document of `message`, and of `list` under `key`.
void fr__exchange_reply(fr__exchange *exchange, unsigned status, const char *message, const char *key,
                        const char *const *list, uint32_t count);

// The status of HTTP that stands for one of ours.
unsigned fr__exchange_http_status(fr_status status);

#endif
