// Serves the viewer's files over HTTP.
#include "server/web.h"

#include "server/arrival.h"
#include "server/gallery_picture.h"
#include "server/role.h"
#include "server/web_models.h"

#include <libwebsockets.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADERS_BYTES = 2048, PIECE_BYTES = 16 << 10, HOST_BYTES = 300, PATIENCE_SECONDS = 10 };

// What a page of ours may do: load its own files and speak to us, nothing else, and be shown in no other page.
#define POLICY                                                                                                         \
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "                                                       \
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "                                                   \
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

// What every response has; a page of another protocol reads which one the server speaks.
static void add_usual(header_writer *w) {
    add_header(w, "fureai-protocol:", FR_PROTOCOL_NAME);
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
    add_usual(&w);
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
    fr__exchange_leave(request->exchange);
    if (request->reply.data != NULL) { fr_byte_array_destroy(&request->reply); }
    *request = (fr__web_request){0};
}

// Waits until the client can take more; the time in which it must is counted from here.
static int wait_for_client(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE_SECONDS);
    (void)lws_callback_on_writable(wsi);
    return 0;
}

// The next bytes of what is sent. A file that became shorter since its length was sent cannot be sent whole: not more
// than 0 then.
static ssize_t next_piece(const fr__web_request *request, unsigned char *room) {
    size_t wanted = request->left < PIECE_BYTES ? (size_t)request->left : PIECE_BYTES;
    if (!request->is_open) {
        memcpy(room, request->reply.data + (request->reply.count - request->left), wanted);
        return (ssize_t)wanted;
    }
    ssize_t got;
    do {
        got = read(request->file.descriptor, room, wanted);
    } while (got < 0 && errno == EINTR);
    return got;
}

int fr__web_write(struct lws *wsi, fr__web_request *request) {
    unsigned char room[LWS_PRE + PIECE_BYTES];
    if (request->left == 0) { return 0; }
    do {
        ssize_t got = next_piece(request, room + LWS_PRE);
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

int fr__web_send(struct lws *wsi, fr__web_request *request, const fr__exchange_reply *reply) {
    char attachment[256];
    header_writer w;
    request->reply = reply->bytes;
    request->left = reply->bytes.count;
    begin_headers(&w, wsi, reply->status);
    add_header(&w, "content-type:", reply->type);
    add_header(&w, "cache-control:", "no-store");
    if (reply->name != NULL) {
        snprintf(attachment, sizeof attachment, "attachment; filename=\"%s\"", reply->name);
        add_header(&w, "content-disposition:", attachment);
    }
    add_usual(&w);
    if (!send_headers(&w, request->left)) { return -1; }
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
        add_usual(&w);
    }
    request->left = known ? 0 : request->file.size;
    if (!send_headers(&w, request->left)) { return -1; }
    if (known || is_head || request->left == 0) {
        fr__web_end(request);
        return complete(wsi);
    }
    return wait_for_client(wsi);
}

// A picture of the gallery, or a file of the viewer.
static bool open_file(const fr_server *server, const char *path, size_t size, fr__web_file *out) {
    if (!fr__web_path_check(path, size) || fr__web_path_type(path) == NULL) { return false; }
    const char *picture = fr__picture_find(&server->def.provider, path);
    if (picture != NULL) { return fr__web_file_open_path(picture, out); }
    return server->web_folder >= 0 && fr__web_file_open(server->web_folder, path, out);
}

// The role of who sends a request, by its header Authorization.
static fr_role role_of_request(fr_server *server, struct lws *wsi) {
    char header[FR__TOKEN_MAX_BYTES + 32];
    fr__peer *peer = fr__arrival_peer(server, wsi);
    if (server->def.token_path == NULL) { return FR_ROLE_DIRECT; }
    const char *text = fr__web_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, header, sizeof header);
    if (peer == NULL || text == NULL || strncmp(text, "Bearer ", 7) != 0) { return FR_ROLE_NONE; }
    const char *why;
    fr_role role = fr__role_find(server, peer, text + 7, &why);
    fr__secret_wipe(header, sizeof header);
    return role;
}

// Refuses who may not send or get models; 0: whoever asks may.
static int refuse_role(fr_server *server, struct lws *wsi, fr_role needed) {
    const fr__incoming *connection = fr__arrival_of(wsi);
    const char *wrong = NULL;
    unsigned status = HTTP_STATUS_FORBIDDEN;
    fr_role role = role_of_request(server, wsi);
    if (role == FR_ROLE_NONE) {
        wrong = "this needs a token that is known here";
        status = HTTP_STATUS_UNAUTHORIZED;
    } else if (role < needed) {
        wrong = "this is for those who direct";
    } else if (needed == FR_ROLE_DIRECT && server->def.is_locked) {
        wrong = "this server is locked";
    }
    if (wrong == NULL) { return 0; }
    server->stats.refused++;
    fr__server_note_refusal(server, connection != NULL ? connection->peer : UINT32_MAX, NULL, "models",
                            FR_ERROR_UNSUPPORTED, wrong);
    return fr__web_refuse(wsi, status, wrong);
}

int fr__web_respond(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path, size_t size) {
    char host[HOST_BYTES];
    fr__web_end(request);
    if (!fr__host_allowed(&server->origins, fr__web_header(wsi, WSI_TOKEN_HOST, host, sizeof host))) {
        server->stats.refused++;
        return fr__web_refuse(wsi, HTTP_STATUS_FORBIDDEN, "this host name is not served here");
    }
    if (server->def.is_edge && strncmp(path, "/models", 7) == 0) {
        server->stats.refused++;
        return fr__web_refuse(wsi, HTTP_STATUS_FORBIDDEN,
                              "this is an edge; files are sent to and fetched from its home server");
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 && strcmp(path, "/models") == 0) {
        int refused = refuse_role(server, wsi, FR_ROLE_DIRECT);
        return refused != 0 ? refused : fr__web_upload_begin(server, wsi, request, host);
    }
    bool is_head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!is_head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) {
        return fr__web_refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD are served");
    }
    if (!is_head && strncmp(path, "/models/", 8) == 0) {
        int refused = refuse_role(server, wsi, FR_ROLE_WATCH);
        return refused != 0 ? refused : fr__web_download_begin(server, wsi, request, path);
    }
    bool is_there = open_file(server, path, size, &request->file);
    if (!is_there) { return fr__web_refuse(wsi, HTTP_STATUS_NOT_FOUND, "there is no such file"); }
    request->is_open = true;
    return send_file(wsi, request, path, host, is_head);
}
