// Adds the folder of a class to a library's folder, and removes one.
#include "library/class.h"
#include "library/folder.h"

#include "fureai/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, FILES_MAX = 4096, DEPTH_MAX = 8, COPY_BYTES = 8192 };

static fr_status refuse(fr_error *error, const char *path, int reason) {
    return fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(reason));
}

static bool is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

// ---------------------------------------------------------------------------------------------------------------
// Removing

// Empties and removes a folder below `at`; links are removed, not followed. Returns 0 or an errno.
static int remove_tree(int at, const char *name, int depth) {
    if (unlinkat(at, name, 0) == 0) { return 0; }
    if (errno != EISDIR && errno != EPERM) { return errno; }
    int folder = depth <= DEPTH_MAX + 1 ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *names = folder >= 0 ? fdopendir(folder) : NULL;
    if (names == NULL) {
        int reason = depth <= DEPTH_MAX + 1 ? errno : ELOOP;
        if (folder >= 0) { close(folder); }
        return reason;
    }
    int reason = 0;
    const struct dirent *entry;
    while (reason == 0 && (entry = readdir(names)) != NULL) {
        if (!is_dots(entry->d_name)) { reason = remove_tree(folder, entry->d_name, depth + 1); }
    }
    closedir(names);
    if (reason != 0) { return reason; }
    return unlinkat(at, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

// Whether a folder holds the file of a class.
static bool is_class(int root, const char *name) {
    char path[FR_CLASS_NAME_MAX_BYTES + 32];
    for (int kind = FR_CLASS_OBJECT; kind <= FR_CLASS_PERSON; kind++) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", name, fr__library_file_name((fr_class_kind)kind));
        if (fstatat(root, path, &about, AT_SYMLINK_NOFOLLOW) == 0) { return true; }
    }
    return false;
}

fr_status fr_library_remove(const char *folder, const char *name, fr_error *error) {
    FR_ASSERT(folder != NULL && name != NULL);
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) { return refuse(error, folder, errno); }
    fr_status status = FR_OK;
    char gone[FR_CLASS_NAME_MAX_BYTES + 32];
    if (!fr_class_name_is_right(name) || !is_class(root, name)) {
        status = fr_error_set(error, FR_ERROR_FILE, "there is no class '%s' in %s", name, folder);
    } else {
        // Out of every list at once, whatever happens to the rest.
        snprintf(gone, sizeof gone, ".gone-%ld-%s", (long)getpid(), name);
        int reason = renameat(root, name, root, gone) == 0 ? remove_tree(root, gone, 0) : errno;
        if (reason != 0) { status = refuse(error, name, reason); }
    }
    close(root);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Adding

// A path that grows and shrinks with the folder at hand.
typedef struct folder_path {
    size_t length;
    char text[PATH_BYTES];
} folder_path;

typedef struct copying {
    const fr_allocator *allocator;
    folder_path from, to;
    uint32_t files; // so far
    fr_error *error;
} copying;

static bool go_into(folder_path *path, const char *name) {
    size_t length = strlen(name);
    if (path->length + length + 2 > sizeof path->text) { return false; }
    path->text[path->length] = '/';
    memcpy(path->text + path->length + 1, name, length + 1);
    path->length += length + 1;
    return true;
}

static bool begin_path(folder_path *path, const char *text) {
    size_t length = strlen(text);
    if (length + 1 > sizeof path->text) { return false; }
    memcpy(path->text, text, length + 1);
    path->length = length;
    return true;
}

static void go_out(folder_path *path, size_t length) {
    path->length = length;
    path->text[length] = '\0';
}

static fr_status copy_bytes(copying *c, int in) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = c->to.text;
    def.allocator = fr_allocator_or_default(c->allocator);
    fr_output_file out;
    fr_status status = fr_output_file_open(&def, &out, c->error);
    if (status != FR_OK) { return status; }
    unsigned char bytes[COPY_BYTES];
    ssize_t part;
    do {
        part = read(in, bytes, sizeof bytes);
    } while ((part < 0 && errno == EINTR) || (part > 0 && fr_output_file_write(&out, bytes, (size_t)part)));
    if (part >= 0) { return fr_output_file_commit(&out, c->error); }
    status = refuse(c->error, c->from.text, errno);
    fr_output_file_discard(&out);
    return status;
}

static fr_status copy_file(copying *c) {
    if (c->files++ >= FILES_MAX) {
        return fr_error_set(c->error, FR_ERROR_LIMIT, "the folder has more than %d files", FILES_MAX);
    }
    int in = open(c->from.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0) { return refuse(c->error, c->from.text, errno); }
    fr_status status = copy_bytes(c, in);
    close(in);
    return status;
}

static fr_status copy_tree(copying *c, int depth);

// Copies the file or folder `name` of the folder at hand.
static fr_status copy_entry(copying *c, const char *name, int depth) {
    size_t from = c->from.length, to = c->to.length;
    struct stat about;
    fr_status status = FR_OK;
    if (!go_into(&c->from, name) || !go_into(&c->to, name)) {
        status = fr_error_set(c->error, FR_ERROR_LIMIT, "a path has more than %d bytes", PATH_BYTES - 1);
    } else if (lstat(c->from.text, &about) != 0) {
        status = refuse(c->error, c->from.text, errno);
    } else if (S_ISDIR(about.st_mode)) {
        status = copy_tree(c, depth + 1);
    } else if (S_ISREG(about.st_mode)) {
        status = copy_file(c);
    } else {
        status = fr_error_set(c->error, FR_ERROR_FILE, "%s: it is neither a plain file nor a folder", c->from.text);
    }
    go_out(&c->from, from);
    go_out(&c->to, to);
    return status;
}

static fr_status copy_tree(copying *c, int depth) {
    if (depth > DEPTH_MAX) {
        return fr_error_set(c->error, FR_ERROR_LIMIT, "%s: folders are more than %d deep", c->from.text, DEPTH_MAX);
    }
    DIR *names = opendir(c->from.text);
    if (names == NULL) { return refuse(c->error, c->from.text, errno); }
    fr_status status = mkdir(c->to.text, 0777) == 0 ? FR_OK : refuse(c->error, c->to.text, errno);
    const struct dirent *entry;
    while (status == FR_OK && (entry = readdir(names)) != NULL) {
        if (entry->d_name[0] != '.') { status = copy_entry(c, entry->d_name, depth); }
    }
    closedir(names);
    return status;
}

// The name of a class by the last step of a path.
static fr_status name_of(const char *source, char out[FR_CLASS_NAME_MAX_BYTES + 1], size_t *folder, fr_error *error) {
    size_t end = strlen(source);
    while (end > 1 && source[end - 1] == '/') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && source[begin - 1] != '/') {
        begin--;
    }
    size_t length = end - begin;
    if (length <= FR_CLASS_NAME_MAX_BYTES) {
        memcpy(out, source + begin, length);
        out[length] = '\0';
        *folder = begin;
        if (fr_class_name_is_right(out)) { return FR_OK; }
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s: its last step is no name of a class", source);
}

// Reads the class where it lies, so that no wrong one is added.
static fr_status check_source(const char *source, size_t folder, const char *name, const fr_allocator *allocator,
                              fr_error *error) {
    char path[PATH_BYTES] = ".";
    if (folder >= sizeof path) { return fr_error_set(error, FR_ERROR_LIMIT, "the path is too long"); }
    if (folder > 0) {
        memcpy(path, source, folder);
        path[folder] = '\0';
    }
    fr_library_def def = fr_default_library_def();
    def.allocator = fr_allocator_or_default(allocator);
    fr_library *library;
    fr_status status = fr_library_folder(path, allocator, &def.files, error);
    if (status == FR_OK) { status = fr_library_create(&def, &library, error); }
    if (status != FR_OK) { return status; }
    status = fr_library_check(library, name, NULL, error);
    fr_library_destroy(library);
    return status;
}

fr_status fr_library_add(const char *folder, const char *source, const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(folder != NULL && source != NULL);
    char name[FR_CLASS_NAME_MAX_BYTES + 1], hidden[FR_CLASS_NAME_MAX_BYTES + 32];
    size_t before = 0;
    fr_status status = name_of(source, name, &before, error);
    if (status == FR_OK) { status = check_source(source, before, name, allocator, error); }
    if (status != FR_OK) { return status; }
    folder_path target = {0};
    copying c = {.allocator = allocator, .error = error};
    snprintf(hidden, sizeof hidden, ".new-%ld-%s", (long)getpid(), name);
    bool fits = begin_path(&c.from, source) && begin_path(&c.to, folder) && go_into(&c.to, hidden) &&
                begin_path(&target, folder) && go_into(&target, name);
    if (!fits) { return fr_error_set(error, FR_ERROR_LIMIT, "a path has more than %d bytes", PATH_BYTES - 1); }
    struct stat about;
    if (lstat(target.text, &about) == 0) {
        return fr_error_set(error, FR_ERROR_FILE, "%s: it is there already", target.text);
    }
    status = copy_tree(&c, 0);
    if (status == FR_OK && rename(c.to.text, target.text) != 0) { status = refuse(error, target.text, errno); }
    if (status != FR_OK) { (void)remove_tree(AT_FDCWD, c.to.text, 0); }
    return status;
}
