// Any bytes as the store of a server: refused with a line, or a store that is written and read again to the same text.
#include "server/store.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    fr__store store, again;
    fr_error error = {0};
    if (fr__store_read((const char *)data, size, "store", NULL, &store, &error) != FR_OK) {
        require(error.line >= 1 && error.message[0] != '\0');
        return 0;
    }
    const fr__store_object *objects = store.objects.data;
    for (size_t i = 0; i < store.objects.count; i++) {
        fr_pose pose = objects[i].pose;
        require(fr_pose_check(&pose, NULL) == FR_OK && objects[i].state_count <= FR_WORLD_MAX_STATES);
    }
    fr_array text = fr_array_make(1, NULL), text_again = fr_array_make(1, NULL);
    require(fr__store_write(&store, &text));
    require(fr__store_read(text.data, text.count, "store", NULL, &again, &error) == FR_OK);
    require(again.objects.count == store.objects.count && fr__store_write(&again, &text_again));
    require(text.count == text_again.count && memcmp(text.data, text_again.data, text.count) == 0);
    fr_array_destroy(&text);
    fr_array_destroy(&text_again);
    fr__store_free(&store);
    fr__store_free(&again);
    return 0;
}
