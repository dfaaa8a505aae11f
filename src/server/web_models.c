// Models over HTTP: what comes by POST, and what is fetched by GET.
#include "server/web_models.h"

#include "server/exchange.h"

#include <libwebsockets.h>

#include <stdlib.h>

static void respond(fr__exchange *exchange, const fr__exchange_reply *reply) {
    fr__web_request *request = exchange->requester;
    request->exchange = NULL;
    // What cannot be sent ends the connection at its next wake.
    if (fr__web_send(request->wsi, request, reply) != 0) { lws_set_timeout(request->wsi, PENDING_TIMEOUT_USER_OK, 1); }
}

static void take_up(fr__web_request *request, struct lws *wsi, fr__exchange *exchange) {
    exchange->respond = respond;
    exchange->requester = request;
    request->exchange = exchange;
    request->wsi = wsi;
}

static int start(fr__web_request *request) {
    fr__exchange_refusal refusal;
    if (!fr__exchange_start(request->exchange, &refusal)) {
        return fr__web_refuse(request->wsi, refusal.status, refusal.reason);
    }
    lws_set_timeout(request->wsi, NO_PENDING_TIMEOUT, 0);
    return 0;
}

int fr__web_upload_begin(fr_server *server, struct lws *wsi, fr__web_request *request, const char *host) {
    char origin[512], text[32];
    bool has_origin = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
    const char *from = fr__web_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    if (has_origin && (from == NULL || !fr__origin_allowed(&server->origins, from, host))) {
        server->stats.refused++;
        return fr__web_refuse(wsi, FR__HTTP_FORBIDDEN, "this origin is not allowed");
    }
    const char *length = fr__web_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text);
    fr__exchange_refusal refusal;
    fr__exchange *exchange = fr__upload_begin(server, length != NULL ? strtoull(length, NULL, 10) : 0, &refusal);
    if (exchange == NULL) { return fr__web_refuse(wsi, refusal.status, refusal.reason); }
    take_up(request, wsi, exchange);
    return 0;
}

int fr__web_upload_receive(struct lws *wsi, fr__web_request *request, const void *bytes, size_t size) {
    fr__exchange_refusal refusal;
    if (request->exchange == NULL) { return -1; }
    if (fr__upload_receive(request->exchange, bytes, size, &refusal)) { return 0; }
    return refusal.reason != NULL ? fr__web_refuse(wsi, refusal.status, refusal.reason) : -1;
}

int fr__web_upload_complete(struct lws *wsi, fr__web_request *request) {
    (void)wsi;
    if (request->exchange == NULL || !fr__upload_is_complete(request->exchange)) { return -1; }
    return start(request);
}

int fr__web_download_begin(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path) {
    fr__exchange *exchange = fr__download_begin(server, path);
    if (exchange == NULL) { return fr__web_refuse(wsi, FR__HTTP_NOT_FOUND, "there is no such model"); }
    take_up(request, wsi, exchange);
    return start(request);
}
