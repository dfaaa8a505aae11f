// The file that a path leads to, behind its links, and what lies beside it.
#define _XOPEN_SOURCE 700 // readlink

#include "file/target_path.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINKS = 40, LINK_BYTES = 4096 };

char *fr__path_join(const char *first, size_t first_bytes, const char *second, const fr_allocator *allocator) {
    size_t second_bytes = strlen(second);
    char *path = fr_allocate(allocator, first_bytes + second_bytes + 1, 1, 1);
    if (path == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(path, first, first_bytes);
    memcpy(path + first_bytes, second, second_bytes + 1);
    return path;
}

void fr__path_free(char *path, const fr_allocator *allocator) {
    if (path != NULL) { fr_deallocate(allocator, path, strlen(path) + 1, 1); }
}

// Bytes of the folder of a path, with its slash; 0 where it names none.
static size_t folder_bytes(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

char *fr__path_beside(const char *path, const char *name, const fr_allocator *allocator) {
    size_t bytes = folder_bytes(path);
    if (name[0] == '\0' && bytes == 0) { return fr__path_join(".", 1, "", allocator); }
    return fr__path_join(path, bytes, name, allocator);
}

char *fr__target_path(const char *path, const fr_allocator *allocator) {
    char *at = fr__path_join(path, strlen(path), "", allocator);
    for (int i = 0; at != NULL && i < MAX_LINKS; i++) {
        char link[LINK_BYTES];
        ssize_t length = readlink(at, link, sizeof link - 1);
        // Neither what is no link nor what is not there can be followed.
        if (length < 0) { return at; }
        link[length] = '\0';
        char *next = fr__path_join(at, link[0] == '/' ? 0 : folder_bytes(at), link, allocator);
        fr__path_free(at, allocator);
        at = next;
    }
    if (at != NULL) {
        fr__path_free(at, allocator);
        errno = ELOOP;
    }
    return NULL;
}
