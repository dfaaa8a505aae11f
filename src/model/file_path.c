// Paths that files name, resolved inside the model's folder.
#include "file_path.h"

// Writes the url's path with escapes replaced and slashes turned round, which Windows programs write; false where it
// has bytes that no path should have.
static bool decode(fr__span url, char *text, size_t *length) {
    size_t count = 0;
    for (size_t i = 0; i < url.length && url.begin[i] != '#' && url.begin[i] != '?'; i++) {
        char c = url.begin[i];
        if (c == '%' && i + 2 < url.length && fr__hex_digit(url.begin[i + 1]) >= 0 &&
            fr__hex_digit(url.begin[i + 2]) >= 0) {
            c = (char)(fr__hex_digit(url.begin[i + 1]) * 16 + fr__hex_digit(url.begin[i + 2]));
            i += 2;
        }
        if ((unsigned char)c < ' ' || c == '\x7f') { return false; }
        text[count++] = c == '\\' ? '/' : c;
    }
    *length = count;
    return true;
}

// Appends a path to `text`, name by name; false where it leaves the folder.
static bool append(char *text, size_t *length, const char *path, size_t path_length) {
    for (size_t i = 0; i < path_length;) {
        size_t end = i;
        while (end < path_length && path[end] != '/') {
            end++;
        }
        size_t count = end - i;
        if (count == 2 && path[i] == '.' && path[i + 1] == '.') {
            if (*length == 0) { return false; }
            while (*length > 0 && text[--*length] != '/') {}
        } else if (count > 0 && !(count == 1 && path[i] == '.')) {
            if (*length > 0) { text[(*length)++] = '/'; }
            memcpy(text + *length, path + i, count);
            *length += count;
        }
        i = end + 1;
    }
    return true;
}

// "http:", "C:", "data:": letters and a colon before any slash.
static bool has_scheme(const char *text, size_t length) {
    for (size_t i = 0; i < length && text[i] != '/'; i++) {
        if (text[i] == ':') { return true; }
    }
    return false;
}

const char *fr__path_resolve(const char *base, fr__span url, char *path) {
    while (url.length > 0 && fr__is_space(*url.begin)) {
        url.begin++;
        url.length--;
    }
    size_t base_length = strlen(base), length = 0, count = 0;
    while (base_length > 0 && base[base_length - 1] != '/') {
        base_length--;
    }
    char *decoded = path + base_length + url.length + 2; // behind the longest result
    if (!decode(url, decoded, &length)) { return "is no path"; }
    if (has_scheme(decoded, length)) { return "is not a file beside the model"; }
    if (length == 0) { return "names no file"; }
    if (decoded[0] == '/') { return "is an absolute path"; }
    if (!append(path, &count, base, base_length) || !append(path, &count, decoded, length) || count == 0) {
        return "leaves the model's folder";
    }
    path[count] = '\0';
    return NULL;
}
