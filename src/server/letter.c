#include "server/letter.h"

#include <string.h>

fr__letter fr__letter_make(const fr_allocator *allocator) { return (fr__letter){.bytes = fr_array_make(1, allocator)}; }

void fr__letter_free(fr__letter *letter) { fr_array_free(&letter->bytes); }

bool fr__letter_begin(fr__letter *letter) {
    if (letter->bytes.count >= FR__LETTER_HEAD) { return true; }
    void *room = fr_array_push(&letter->bytes, FR__LETTER_HEAD);
    if (room == NULL) { return false; }
    memset(room, 0, FR__LETTER_HEAD);
    return true;
}

bool fr__letter_add(fr__letter *letter, const fr_message *message) {
    fr_error error = {0};
    if (!fr__letter_begin(letter)) { return false; }
    if (fr_protocol_write(message, &letter->bytes, &error) == FR_OK) { return true; }
    fr_log(FR_LOG_WARNING, "server: a message of type %d cannot be written: %s", (int)message->type, error.message);
    return false;
}

bool fr__letter_append(fr__letter *letter, const void *bytes, size_t size) {
    if (!fr__letter_begin(letter)) { return false; }
    void *room = fr_array_push(&letter->bytes, size);
    if (room == NULL) { return false; }
    if (size > 0) { memcpy(room, bytes, size); }
    return true;
}
