// Any bytes as notes about clashes: refused with a place, or notes that are written and read again as they are.
#include "fureai/clash_notes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static bool append(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 14) { return 0; }
    fr_clash_notes *notes, *again;
    fr_error error = {0};
    fr_status status = fr_clash_notes_read((const char *)data, size, NULL, NULL, &notes, &error);
    if (status != FR_OK) {
        require(notes == NULL && error.status == status && error.line >= 1 && error.column >= 1);
        return 0;
    }
    fr_byte_array text = fr_byte_array_make(NULL);
    require(fr_clash_notes_write(notes, append, &text, NULL) == FR_OK);
    require(fr_clash_notes_read((const char *)text.data, text.count, NULL, NULL, &again, NULL) == FR_OK);
    uint32_t count, same;
    const fr_clash_note *list = fr_clash_notes_list(notes, &count);
    (void)fr_clash_notes_list(again, &same);
    require(count == same);
    for (uint32_t i = 0; i < count; i++) {
        const fr_clash_note *note = fr_clash_notes_find(again, list[i].b, list[i].a);
        require(note != NULL && note->verdict == list[i].verdict && strcmp(note->text, list[i].text) == 0);
    }
    fr_clash_notes_destroy(again);
    fr_clash_notes_destroy(notes);
    fr_byte_array_destroy(&text);
    return 0;
}
