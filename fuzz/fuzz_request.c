// Any text as the path, the host or the origin of a request: what is let through leads nowhere it should not.
#include "server/origin.h"
#include "server/web_path.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1024 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    char text[MOST_BYTES + 1];
    memcpy(text, data, size);
    text[size] = '\0';
    if (fr__web_path_check(text, size)) {
        require(text[0] == '/' && strlen(text) == size);
        require(strstr(text, "/.") == NULL && strstr(text, "//") == NULL && strchr(text, '\\') == NULL);
        (void)fr__web_path_type(text);
    }
    static const char *const allowed[] = {"https://example.org"};
    const fr__origins loopback = {"127.0.0.1", 8420, NULL, 0, false}, more = {"127.0.0.1", 8420, allowed, 1, false};
    if (fr__host_allowed(&loopback, text)) {
        require(strstr(text, "127.0.0.1:") == text || strncmp(text, "[::1]:", 6) == 0 || strlen(text) >= 10);
        require(strstr(text, "8420") != NULL && fr__host_allowed(&more, text));
    }
    if (fr__origin_allowed(&loopback, text, NULL)) {
        const char *host = strstr(text, "//");
        require(host != NULL && fr__host_allowed(&loopback, host + 2) && fr__origin_allowed(&more, text, NULL));
    }
    // Where all addresses are listened on, a number is ours only when it is the one that is spoken to.
    const fr__origins everywhere = {"0.0.0.0", 8420, NULL, 0, false};
    if (fr__origin_allowed(&everywhere, text, "192.0.2.1:8420") && !fr__origin_allowed(&loopback, text, NULL)) {
        require(strstr(text, "//192.0.2.1:8420") != NULL || strstr(text, "//0.0.0.0:8420") != NULL);
    }
    (void)fr__origin_check(text);
    return 0;
}
