// Any bytes as the files that a client sends: refused, or files inside of them with names that stay in their folder.
#include "server/bundle.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr__bundle bundle;
    fr_error error = {0};
    if (fr__bundle_read(data, size, NULL, &bundle, &error) != FR_OK) {
        require(error.message[0] != '\0' && bundle.arena == NULL);
        return 0;
    }
    size_t sum = 8;
    for (uint32_t i = 0; i < bundle.count; i++) {
        const fr__bundle_file *file = &bundle.files[i];
        require(file->bytes >= data && file->bytes + file->size <= data + size);
        require(file->name[0] != '/' && file->name[0] != '.' && strstr(file->name, "/.") == NULL);
        sum += 12 + strlen(file->name) + file->size;
        require(fr__bundle_find(&bundle, file->name) != NULL);
    }
    require(sum == size);
    fr__bundle_free(&bundle);
    return 0;
}
