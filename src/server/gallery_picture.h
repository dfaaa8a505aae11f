// Pictures of the scenes that people may choose: /pictures/NUMBER.jpg, the number of the entry from 1.
#ifndef FUREAI_SERVER_GALLERY_PICTURE_H
#define FUREAI_SERVER_GALLERY_PICTURE_H

#include "fureai/server.h"

#define FR__PICTURE_ADDRESS_BYTES 32

// The address of an entry's picture, relative to the page; "" where it has none.
void fr__picture_address(const fr_scene_provider *provider, uint32_t entry, char out[FR__PICTURE_ADDRESS_BYTES]);

// The file that a path of a request names, as the entry has it; NULL where it is no picture of an entry.
const char *fr__picture_find(const fr_scene_provider *provider, const char *path);

#endif
