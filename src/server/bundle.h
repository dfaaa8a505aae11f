// Files that a client sends in one request, and finds again by name.
#ifndef FUREAI_SERVER_BUNDLE_H
#define FUREAI_SERVER_BUNDLE_H

#include "fureai/base.h"

#define FR__BUNDLE_MAX_FILES 1024u
#define FR__BUNDLE_NAME_MAX_BYTES 512u

// In bytes, numbers with the lowest byte first: u32 flags, u32 count, then for each file u32 bytes of its name, u64 its
// size, the name and the bytes. Flags: 1, a model is shown although files are missing that it refers to.
#define FR__BUNDLE_WITHOUT_MISSING 1u

typedef struct fr__bundle_file {
    const char *name; // relative, with '/' between steps, ended by a zero
    const unsigned char *bytes;
    size_t size;
} fr__bundle_file;

typedef struct fr__bundle {
    uint32_t flags;
    uint32_t count;
    fr__bundle_file *files;
    fr_arena *arena; // of list and names
} fr__bundle;

// Divides bytes into files, which refer to them. FR_ERROR_CORRUPT for bytes that are no bundle, FR_ERROR_LIMIT beyond
// the limits above, FR_ERROR_ARGUMENT for a name that is empty, absolute, leads out of its folder or is no UTF-8,
// FR_ERROR_MEMORY. O(size of heads).
fr_status fr__bundle_read(const unsigned char *bytes, size_t size, const fr_allocator *allocator, fr__bundle *out,
                          fr_error *error);
void fr__bundle_free(fr__bundle *bundle);

// A file by its path; else the only one whose last step is the path's, as files are often chosen without their folders.
// NULL: none. O(count).
const fr__bundle_file *fr__bundle_find(const fr__bundle *bundle, const char *path);

#endif
