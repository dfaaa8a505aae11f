// Any bytes from a server, in pieces of any size: a client reads messages within its limit or a status with a sentence,
// the same for every cut, within memory that the limit bounds. Any text as the address of a server.
#include "server/url.h"
#include "server/websocket.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 4096 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

typedef struct result {
    fr_status status;
    uint64_t hash; // of the events
    uint32_t events;
    uint16_t close_code;
} result;

// Feeds the bytes in pieces of `piece` and takes what comes; the handshake is done already where `is_open`.
static result read_all(const uint8_t *data, size_t size, size_t piece, bool is_open) {
    fr_probe *probe = fr_probe_create();
    require(probe != NULL);
    fr_probe_bound(probe, 4 * size + 8 * LIMIT + (1u << 16));
    fr_allocator allocator = fr_probe_allocator(probe);
    fr__websocket websocket = fr__websocket_make(LIMIT, &allocator);
    fr_byte_array out = fr_byte_array_make(&allocator);
    static const unsigned char key[FR__WEBSOCKET_KEY_BYTES] = {1, 2, 3};
    require(fr__websocket_greet(&websocket, "a:1", key, &out, NULL) == FR_OK);
    websocket.is_open = is_open;
    result r = {0};
    fr_error error = {0};
    for (size_t at = 0; at < size && r.status == FR_OK; at += piece) {
        r.status = fr__websocket_receive(&websocket, data + at, size - at < piece ? size - at : piece, &error);
        require(r.status == FR_OK);
        fr__websocket_event event = {.kind = FR__WEBSOCKET_PONG};
        while (r.status == FR_OK && event.kind != FR__WEBSOCKET_NOTHING && event.kind != FR__WEBSOCKET_CLOSED) {
            r.status = fr__websocket_next(&websocket, &event, &error);
            if (r.status != FR_OK) { break; }
            require(event.size <= LIMIT);
            r.events += event.kind != FR__WEBSOCKET_NOTHING;
            if (event.size > 0) { r.hash = fr_hash(event.bytes, event.size, r.hash + event.kind); }
        }
        if (event.kind == FR__WEBSOCKET_CLOSED) { break; }
    }
    require(r.status == FR_OK || (error.message[0] != '\0' && r.status != FR_ERROR_MEMORY));
    r.close_code = websocket.close_code;
    fr__websocket_free(&websocket);
    fr_byte_array_destroy(&out);
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
    return r;
}

static void read_url(const uint8_t *data, size_t size) {
    char text[300];
    if (size >= sizeof text) { return; }
    memcpy(text, data, size);
    text[size] = '\0';
    fr__url url;
    fr_error error = {0};
    if (fr__url_read(text, 8420, &url, &error) != FR_OK) {
        require(error.message[0] != '\0');
        return;
    }
    require(url.port != 0 && url.host[0] != '\0' && strpbrk(url.host_port, " \r\n/@") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1u << 16) { return 0; }
    for (int is_open = 0; is_open < 2; is_open++) {
        result whole = read_all(data, size, size > 0 ? size : 1, is_open != 0);
        result cut = read_all(data, size, 1 + size / 7, is_open != 0);
        result bytes = size <= 2048 ? read_all(data, size, 1, is_open != 0) : cut;
        require(whole.hash == cut.hash && whole.status == cut.status && whole.close_code == cut.close_code);
        require(whole.hash == bytes.hash && whole.status == bytes.status && whole.events == bytes.events);
    }
    read_url(data, size);
    return 0;
}
