// Opens the file of a request's path, below one folder.
#include "server/web_path.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_allowed_byte(unsigned char c) { return c >= 0x20 && c != 0x7f && c != '\\' && c != ':'; }

bool fr__web_path_check(const char *path, size_t size) {
    if (size == 0 || size > FR__WEB_PATH_MAX_BYTES || path[0] != '/') { return false; }
    if (size == 1) { return true; }
    for (size_t at = 0; at < size;) {
        size_t length = fr_utf8_length(path + at, size - at);
        if (length == 0 || !is_allowed_byte((unsigned char)path[at])) { return false; }
        bool begins_part = path[at] == '/';
        bool is_last = at + 1 == size;
        if (begins_part && (is_last || path[at + 1] == '/' || path[at + 1] == '.')) { return false; }
        at += length;
    }
    return true;
}

const char *fr__web_path_type(const char *path) {
    static const char *const types[][2] = {
        {".css", "text/css; charset=utf-8"},
        {".html", "text/html; charset=utf-8"},
        {".ico", "image/x-icon"},
        {".jpg", "image/jpeg"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".webmanifest", "application/manifest+json"},
        {".webp", "image/webp"},
        {".woff2", "font/woff2"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(dot, types[i][0]) == 0) { return types[i][1]; }
    }
    return strcmp(path, "/") == 0 ? "text/html; charset=utf-8" : NULL;
}

// Goes down folder by folder, so that a link anywhere on the path is met and refused.
static int open_below(int folder, const char *path) {
    char part[FR__WEB_PATH_MAX_BYTES + 1];
    int at = folder;
    for (;;) {
        const char *slash = strchr(path, '/');
        size_t length = slash != NULL ? (size_t)(slash - path) : strlen(path);
        memcpy(part, path, length);
        part[length] = '\0';
        int kind = slash != NULL ? O_DIRECTORY : O_NONBLOCK;
        int next = openat(at, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
        if (at != folder) { close(at); }
        if (next < 0 || slash == NULL) { return next; }
        at = next;
        path = slash + 1;
    }
}

// Takes an open file, which is closed where it is no plain one.
static bool take_file(int descriptor, fr__web_file *out) {
    struct stat about;
    *out = (fr__web_file){.descriptor = -1};
    if (descriptor < 0) { return false; }
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(descriptor);
        return false;
    }
    out->descriptor = descriptor;
    out->size = (uint64_t)about.st_size;
    snprintf(out->tag, sizeof out->tag, "\"%llx-%llx%08lx\"", (unsigned long long)about.st_size,
             (unsigned long long)about.st_mtim.tv_sec, (unsigned long)about.st_mtim.tv_nsec);
    return true;
}

bool fr__web_file_open(int folder, const char *path, fr__web_file *out) {
    return take_file(open_below(folder, strcmp(path, "/") == 0 ? "index.html" : path + 1), out);
}

bool fr__web_file_open_path(const char *path, fr__web_file *out) {
    return take_file(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), out);
}

void fr__web_file_close(fr__web_file *file) {
    if (file->descriptor >= 0) { close(file->descriptor); }
    file->descriptor = -1;
}
