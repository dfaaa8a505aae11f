// Model files that clients send over HTTP, and that they get back in other formats.
#ifndef FUREAI_SERVER_WEB_MODELS_H
#define FUREAI_SERVER_WEB_MODELS_H

#include "server/web.h"

// A POST to /models begins, as fr__web_respond: checks its length and who sends it.
int fr__web_upload_begin(fr_server *server, struct lws *wsi, fr__web_request *request, const char *host);

// Bytes of it, and their end. What they return is what the callback of the sockets' library is to return.
int fr__web_upload_receive(struct lws *wsi, fr__web_request *request, const void *bytes, size_t size);
int fr__web_upload_complete(struct lws *wsi, fr__web_request *request);

// A GET of /models/NUMBER.ENDING: a model in another format.
int fr__web_download_begin(fr_server *server, struct lws *wsi, fr__web_request *request, const char *path);

#endif
