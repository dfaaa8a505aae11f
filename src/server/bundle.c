// Reads the files that a client sends in one request.
#include "server/bundle.h"

#include <string.h>

// What is left to be read.
typedef struct bundle_cursor {
    const unsigned char *at;
    size_t left;
} bundle_cursor;

// A number of some bytes, the lowest first; false where they are not there.
static bool take_number(bundle_cursor *cursor, size_t bytes, uint64_t *out) {
    if (cursor->left < bytes) { return false; }
    *out = 0;
    for (size_t i = 0; i < bytes; i++) {
        *out |= (uint64_t)cursor->at[i] << (8 * i);
    }
    cursor->at += bytes;
    cursor->left -= bytes;
    return true;
}

// Whether a name is a relative path of whole characters that stays where it begins.
static bool is_right_name(const char *name, size_t size) {
    bool is_step_begin = true;
    for (size_t at = 0; at < size;) {
        size_t length = fr_utf8_length(name + at, size - at);
        unsigned char c = (unsigned char)name[at];
        if (length == 0 || c < 0x20 || c == 0x7f || c == '\\') { return false; }
        // No step is empty, and none begins with a dot: ".", ".." and hidden files.
        if (is_step_begin && (c == '/' || c == '.')) { return false; }
        is_step_begin = c == '/';
        at += length;
    }
    return size > 0 && !is_step_begin;
}

static fr_status fail_corrupt(fr_error *error) {
    return fr_error_set(error, FR_ERROR_CORRUPT, "the files did not arrive as they were sent");
}

static fr_status take_file(bundle_cursor *cursor, fr_arena *arena, fr__bundle_file *out, fr_error *error) {
    uint64_t name_bytes, size;
    if (!take_number(cursor, 4, &name_bytes) || !take_number(cursor, 8, &size)) { return fail_corrupt(error); }
    if (name_bytes > FR__BUNDLE_NAME_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the name of a file has more than %u bytes",
                            FR__BUNDLE_NAME_MAX_BYTES);
    }
    if (cursor->left < name_bytes || cursor->left - name_bytes < size) { return fail_corrupt(error); }
    char *name = fr_arena_alloc(arena, (size_t)name_bytes + 1, 1, 1);
    if (name == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for files"); }
    memcpy(name, cursor->at, (size_t)name_bytes);
    name[name_bytes] = '\0';
    if (!is_right_name(name, (size_t)name_bytes)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of a file cannot be used here");
    }
    *out = (fr__bundle_file){name, cursor->at + name_bytes, (size_t)size};
    cursor->at += name_bytes + size;
    cursor->left -= (size_t)(name_bytes + size);
    return FR_OK;
}

fr_status fr__bundle_read(const unsigned char *bytes, size_t size, const fr_allocator *allocator, fr__bundle *out,
                          fr_error *error) {
    bundle_cursor cursor = {bytes, size};
    uint64_t flags, count;
    *out = (fr__bundle){0};
    if (!take_number(&cursor, 4, &flags) || !take_number(&cursor, 4, &count)) { return fail_corrupt(error); }
    if (count > FR__BUNDLE_MAX_FILES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "more than %u files at once", FR__BUNDLE_MAX_FILES);
    }
    fr_status status = fr_arena_create(0, allocator, &out->arena, error);
    if (status != FR_OK) { return status; }
    out->flags = (uint32_t)flags;
    out->files = fr_arena_alloc(out->arena, (size_t)count + 1, sizeof *out->files, _Alignof(fr__bundle_file));
    if (out->files == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for files"); }
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = take_file(&cursor, out->arena, &out->files[i], error);
        out->count += status == FR_OK;
    }
    if (status == FR_OK && (cursor.left > 0 || count == 0)) { status = fail_corrupt(error); }
    if (status != FR_OK) { fr__bundle_free(out); }
    return status;
}

void fr__bundle_free(fr__bundle *bundle) {
    if (bundle->arena != NULL) { fr_arena_destroy(bundle->arena); }
    *bundle = (fr__bundle){0};
}

static const char *last_step(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const fr__bundle_file *fr__bundle_find(const fr__bundle *bundle, const char *path) {
    const fr__bundle_file *only = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < bundle->count; i++) {
        const fr__bundle_file *file = &bundle->files[i];
        if (strcmp(file->name, path) == 0) { return file; }
        if (strcmp(last_step(file->name), last_step(path)) != 0) { continue; }
        only = file;
        count++;
    }
    return count == 1 ? only : NULL;
}
