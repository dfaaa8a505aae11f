// The files of the viewer over HTTP.
#ifndef FUREAI_SERVER_WEB_H
#define FUREAI_SERVER_WEB_H

#include "server/exchange.h"
#include "server/web_path.h"

// A request that is being served. All zeros: none.
typedef struct fr__web_request {
    fr__web_file file;
    bool is_open;           // `file` is
    uint64_t left;          // bytes still to be sent
    fr_byte_array reply;    // in place of a file
    fr__exchange *exchange; // of models, while someone works for it; NULL: none
    struct lws *wsi;        // of that exchange
} fr__web_request;

// Responds to a request for a path, already unescaped. What it returns is what the callback of the sockets' library is
// to return: not 0 closes the connection.
int fr__web_respond(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path, size_t size);

// Sends the next bytes of a file.
int fr__web_write(struct lws *wsi, fr__web_request *request);
void fr__web_end(fr__web_request *request);

// Responds with bytes, which become the request's.
int fr__web_send(struct lws *wsi, fr__web_request *request, const fr__exchange_reply *reply);

// Responds with a status and a line of text, and closes the connection.
int fr__web_refuse(struct lws *wsi, unsigned status, const char *text);

// The value of a header; NULL where there is none, or it does not fit.
const char *fr__web_header(struct lws *wsi, int token, char *text, size_t size);

#endif
