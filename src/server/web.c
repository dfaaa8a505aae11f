// Serves the viewer's files over HTTP.
#include "server/web.h"

#include <libwebsockets.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADERS_BYTES = 2048, PIECE_BYTES = 16 << 10, HOST_BYTES = 300, PATIENCE_SECONDS = 10 };

// What a page of ours may do: load its own files and speak to us, nothing else, and be shown in no other page.
#define POLICY                                                                                                         \
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "            \
    "font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "             \
    "frame-ancestors 'none'; connect-src 'self' ws://%s wss://%s"

// ---------------------------------------------------------------------------------------------------------------
// Headers

typedef struct header_writer {
    struct lws *wsi;
    unsigned char room[LWS_PRE + HEADERS_BYTES];
    unsigned char *at;
    bool failed;
} header_writer;

static unsigned char *headers_end(header_writer *w) { return w->room + sizeof w->room; }

static void begin_headers(header_writer *w, struct lws *wsi, unsigned status) {
    w->wsi = wsi;
    w->at = w->room + LWS_PRE;
    w->failed = lws_add_http_header_status(wsi, status, &w->at, headers_end(w)) != 0;
}

// A header by its name with a colon.
static void add_header(header_writer *w, const char *name, const char *value) {
    w->failed =
        w->failed || lws_add_http_header_by_name(w->wsi, (const unsigned char *)name, (const unsigned char *)value,
                                                 (int)strlen(value), &w->at, headers_end(w)) != 0;
}

static void add_safety(header_writer *w) {
    add_header(w, "x-content-type-options:", "nosniff");
    add_header(w, "referrer-policy:", "no-referrer");
    add_header(w, "cross-origin-opener-policy:", "same-origin");
    add_header(w, "cross-origin-resource-policy:", "same-origin");
}

static bool send_headers(header_writer *w, uint64_t content_bytes) {
    w->failed = w->failed || lws_add_http_header_content_length(w->wsi, content_bytes, &w->at, headers_end(w)) != 0 ||
                lws_finalize_write_http_header(w->wsi, w->room + LWS_PRE, &w->at, headers_end(w)) != 0;
    return !w->failed;
}

const char *fr__web_header(struct lws *wsi, int token, char *text, size_t size) {
    enum lws_token_indexes index = (enum lws_token_indexes)token;
    if (lws_hdr_total_length(wsi, index) <= 0) { return NULL; }
    return lws_hdr_copy(wsi, text, (int)size, index) > 0 ? text : NULL;
}

int fr__web_refuse(struct lws *wsi, unsigned status, const char *text) {
    header_writer w;
    begin_headers(&w, wsi, status);
    add_header(&w, "content-type:", "text/plain; charset=utf-8");
    add_header(&w, "connection:", "close");
    if (status == HTTP_STATUS_METHOD_NOT_ALLOWED) { add_header(&w, "allow:", "GET, HEAD"); }
    add_safety(&w);
    if (!send_headers(&w, strlen(text) + 1)) { return -1; }
    unsigned char body[LWS_PRE + 256];
    int length = snprintf((char *)body + LWS_PRE, sizeof body - LWS_PRE, "%s\n", text);
    (void)lws_write(wsi, body + LWS_PRE, (size_t)length, LWS_WRITE_HTTP_FINAL);
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Ends a request; the connection may be used for another one.
static int complete(struct lws *wsi) { return lws_http_transaction_completed(wsi) != 0 ? -1 : 0; }

void fr__web_end(fr__web_request *request) {
    if (request->is_open) { fr__web_file_close(&request->file); }
    *request = (fr__web_request){0};
}

// Waits until the client can take more; the time in which it must is counted from here.
static int wait_for_client(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_SECONDS);
    (void)lws_callback_on_writable(wsi);
    return 0;
}

int fr__web_write(struct lws *wsi, fr__web_request *request) {
    unsigned char room[LWS_PRE + PIECE_BYTES];
    if (!request->is_open) { return 0; }
    do {
        size_t wanted = request->left < PIECE_BYTES ? (size_t)request->left : PIECE_BYTES;
        ssize_t got;
        do {
            got = read(request->file.descriptor, room + LWS_PRE, wanted);
        } while (got < 0 && errno == EINTR);
        // A file that became shorter since its length was sent cannot be sent whole.
        if (got <= 0) { return -1; }
        request->left -= (uint64_t)got;
        bool is_last = request->left == 0;
        if (lws_write(wsi, room + LWS_PRE, (size_t)got, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < got) {
            return -1;
        }
        if (is_last) {
            fr__web_end(request);
            return complete(wsi);
        }
    } while (lws_send_pipe_choked(wsi) == 0);
    return wait_for_client(wsi);
}

// Whether the client has the file already.
static bool is_known(struct lws *wsi, const char *tag) {
    char text[512];
    return fr__web_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, text, sizeof text) != NULL && strstr(text, tag) != NULL;
}

static int send_file(struct lws *wsi, fr__web_request *request, const char *path, const char *host, bool is_head) {
    char policy[sizeof POLICY + 2 * HOST_BYTES];
    bool known = is_known(wsi, request->file.tag);
    header_writer w;
    begin_headers(&w, wsi, known ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK);
    add_header(&w, "etag:", request->file.tag);
    add_header(&w, "cache-control:", "no-cache");
    if (!known) {
        add_header(&w, "content-type:", fr__web_path_type(path));
        snprintf(policy, sizeof policy, POLICY, host, host);
        add_header(&w, "content-security-policy:", policy);
        add_safety(&w);
    }
    request->left = known ? 0 : request->file.size;
    if (!send_headers(&w, request->left)) { return -1; }
    if (known || is_head || request->left == 0) {
        fr__web_end(request);
        return complete(wsi);
    }
    return wait_for_client(wsi);
}

int fr__web_respond(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path, size_t size) {
    char host[HOST_BYTES];
    fr__web_end(request);
    if (!fr__host_allowed(&server->origins, fr__web_header(wsi, WSI_TOKEN_HOST, host, sizeof host))) {
        server->stats.refused++;
        return fr__web_refuse(wsi, HTTP_STATUS_FORBIDDEN, "this host name is not served here");
    }
    bool is_head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!is_head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) {
        return fr__web_refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD are served");
    }
    bool is_there = server->web_folder >= 0 && fr__web_path_check(path, size) && fr__web_path_type(path) != NULL &&
                    fr__web_file_open(server->web_folder, path, &request->file);
    if (!is_there) { return fr__web_refuse(wsi, HTTP_STATUS_NOT_FOUND, "there is no such file"); }
    request->is_open = true;
    return send_file(wsi, request, path, host, is_head);
}
