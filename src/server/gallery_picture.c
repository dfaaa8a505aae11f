// Pictures of the scenes that people may choose.
#include "server/gallery_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "/pictures/";

void fr__picture_address(const fr_scene_provider *provider, uint32_t entry, char out[FR__PICTURE_ADDRESS_BYTES]) {
    out[0] = '\0';
    if (provider->entries[entry].picture == NULL) { return; }
    snprintf(out, FR__PICTURE_ADDRESS_BYTES, "%s%lu.jpg", folder + 1, 1UL + entry);
}

const char *fr__picture_find(const fr_scene_provider *provider, const char *path) {
    const size_t length = sizeof folder - 1;
    if (strncmp(path, folder, length) != 0 || path[length] < '1' || path[length] > '9') { return NULL; }
    char *after;
    unsigned long number = strtoul(path + length, &after, 10);
    if (number > provider->entry_count || strcmp(after, ".jpg") != 0) { return NULL; }
    return provider->entries[number - 1].picture;
}
