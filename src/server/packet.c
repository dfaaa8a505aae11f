// Bytes to be sent as one message of a WebSocket.
#include "server/packet.h"

#include <string.h>

fr__packet fr__packet_make(const fr_allocator *allocator) { return (fr__packet){.bytes = fr_array_make(1, allocator)}; }

void fr__packet_free(fr__packet *packet) { fr_array_destroy(&packet->bytes); }

bool fr__packet_begin(fr__packet *packet) {
    if (packet->bytes.count >= FR__PACKET_HEAD) { return true; }
    void *room = fr_array_push(&packet->bytes, FR__PACKET_HEAD);
    if (room == NULL) { return false; }
    memset(room, 0, FR__PACKET_HEAD);
    return true;
}

bool fr__packet_add(fr__packet *packet, const fr_message *message) {
    fr_error error = {0};
    if (!fr__packet_begin(packet)) { return false; }
    if (fr_protocol_write(message, &packet->bytes, &error) == FR_OK) { return true; }
    fr_log(FR_LOG_WARNING, "server: a message of type %d cannot be written: %s", (int)message->type, error.message);
    return false;
}

bool fr__packet_append(fr__packet *packet, const void *bytes, size_t size) {
    if (!fr__packet_begin(packet)) { return false; }
    void *room = fr_array_push(&packet->bytes, size);
    if (room == NULL) { return false; }
    if (size > 0) { memcpy(room, bytes, size); }
    return true;
}
