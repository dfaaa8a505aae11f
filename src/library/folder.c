// A library's folder in the file system. Nothing outside of the folder of a class is opened.
#include "library/folder.h"

#include "library/class.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PENDING_MAX = 256,           // folders without a file that are looked at again
    FRESH_NS = 100 * 1000 * 1000 // a change nearer than this may be followed by one that leaves the same time
};

// A folder without a file, which may be about to be copied.
typedef struct pending_name {
    char text[FR_CLASS_NAME_MAX_BYTES + 1];
} pending_name;

FR_ARRAY_TYPE(pending_array, pending_name);

typedef struct folder {
    int descriptor;
    pending_array pending;
    fr_allocator allocator;
} folder;

static const char *const file_names[] = {[FR_CLASS_OBJECT] = "object.json", [FR_CLASS_PERSON] = "person.json"};

const char *fr__library_file_name(fr_class_kind kind) { return file_names[kind]; }

static fr_status refuse(fr_error *error, const char *path, int reason) {
    return fr_error_set(error, FR_ERROR_FILE, "%s: %s", path, strerror(reason));
}

static int64_t time_of(const struct stat *about) {
    return (int64_t)about->st_mtim.tv_sec * 1000000000 + (int64_t)about->st_mtim.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

// Whether the folder `name` is a class.
static bool look_at(int root, const char *name, fr_library_place *out) {
    char path[FR_CLASS_NAME_MAX_BYTES + 32];
    size_t length = strlen(name);
    if (length > FR_CLASS_NAME_MAX_BYTES) { return false; }
    memcpy(path, name, length);
    path[length] = '/';
    for (int kind = FR_CLASS_OBJECT; kind <= FR_CLASS_PERSON; kind++) {
        struct stat about;
        memcpy(path + length + 1, file_names[kind], strlen(file_names[kind]) + 1);
        if (fstatat(root, path, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode)) { continue; }
        *out = (fr_library_place){name, (fr_class_kind)kind, (uint64_t)about.st_size, time_of(&about)};
        return true;
    }
    return false;
}

static fr_status look(const char *name, fr_library_place *out, void *user, fr_error *error) {
    const folder *f = user;
    if (fr_class_name_is_right(name) && look_at(f->descriptor, name, out)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "there is no class '%s'", name);
}

// Notes a folder that has no file yet; one too many is seen at the next listing. False when there is no memory.
static bool note_pending(folder *f, const char *name) {
    struct stat about;
    if (f->pending.count >= PENDING_MAX || fstatat(f->descriptor, name, &about, 0) != 0 || !S_ISDIR(about.st_mode)) {
        return true;
    }
    pending_name *place = pending_array_push(&f->pending, 1);
    if (place != NULL) { memcpy(place->text, name, strlen(name) + 1); }
    return place != NULL;
}

static fr_status list(fr_library_place_fn *take, void *context, void *user, fr_error *error) {
    folder *f = user;
    int copy = openat(f->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = copy >= 0 ? fdopendir(copy) : NULL;
    if (names == NULL) {
        int reason = errno;
        if (copy >= 0) { close(copy); }
        return refuse(error, "the library's folder", reason);
    }
    f->pending.count = 0;
    const struct dirent *entry;
    fr_status status = FR_OK;
    bool goes_on = true;
    while (goes_on && status == FR_OK && (entry = readdir(names)) != NULL) {
        fr_library_place place;
        if (!fr_class_name_is_right(entry->d_name)) { continue; }
        if (look_at(f->descriptor, entry->d_name, &place)) {
            goes_on = take(&place, context);
        } else if (!note_pending(f, entry->d_name)) {
            status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the list of a library");
        }
    }
    closedir(names);
    return status;
}

// The time of the folder, which every added or removed name changes, and whether a folder has got its file. A time so
// fresh that a further change might not alter it gives another number each time.
static uint64_t stamp(void *user) {
    const folder *f = user;
    struct stat about;
    struct timespec now;
    if (fstat(f->descriptor, &about) != 0) { return 0; }
    uint64_t numbers[3] = {(uint64_t)time_of(&about), 0, 0};
    if (clock_gettime(CLOCK_REALTIME, &now) == 0) {
        int64_t since = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - time_of(&about);
        if (since < FRESH_NS) { numbers[1] = (uint64_t)since + 1; }
    }
    for (size_t i = 0; i < f->pending.count; i++) {
        fr_library_place place;
        if (look_at(f->descriptor, f->pending.data[i].text, &place)) { numbers[2]++; }
    }
    return fr_hash(numbers, sizeof numbers, 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Opens a file by its path, step by step; the first step, the folder of a class, may be a link, no other may. Returns
// a descriptor, or the negative errno.
static int open_inside(int root, const char *path) {
    int at = root;
    for (const char *step = path;;) {
        char name[FR__STEP_BYTES];
        size_t length = strcspn(step, "/");
        if (length >= sizeof name) { errno = ENAMETOOLONG; }
        bool is_last = step[length] == '\0';
        int flags = O_RDONLY | O_CLOEXEC | (is_last ? O_NONBLOCK : O_DIRECTORY) | (at != root ? O_NOFOLLOW : 0);
        memcpy(name, step, length < sizeof name ? length : 0);
        name[length < sizeof name ? length : 0] = '\0';
        int next = length < sizeof name ? openat(at, name, flags) : -1;
        int reason = errno;
        if (at != root) { close(at); }
        if (next < 0) { return -reason; }
        if (is_last) { return next; }
        at = next;
        step += length + 1;
    }
}

// Reads a whole file of `size` bytes that may have changed meanwhile. False with errno set.
static bool read_all(int file, unsigned char *bytes, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        ssize_t part = read(file, bytes + *got, size - *got);
        if (part < 0 && errno == EINTR) { continue; }
        if (part < 0) { return false; }
        if (part == 0) { break; }
        *got += (size_t)part;
    }
    return true;
}

// What is loaded has its own size before it, by which it is freed.
typedef struct loaded {
    size_t capacity;
    max_align_t bytes[];
} loaded;

static fr_status load(const char *path, size_t limit, const void **bytes, size_t *size, void *user, fr_error *error) {
    folder *f = user;
    if (!fr__class_path_is_inside(path)) {
        return fr_error_set(error, FR_ERROR_FILE, "'%s' lies outside of the folder of its class", path);
    }
    int file = open_inside(f->descriptor, path);
    if (file < 0) { return refuse(error, path, -file); }
    struct stat about;
    fr_status status = FR_OK;
    loaded *place = NULL;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        status = fr_error_set(error, FR_ERROR_FILE, "%s: it is no plain file", path);
    } else if ((uint64_t)about.st_size > limit) {
        status = fr_error_set(error, FR_ERROR_LIMIT, "%s: it has more than %zu bytes", path, limit);
    } else {
        size_t capacity = (size_t)about.st_size;
        place = fr_allocate(&f->allocator, 1, sizeof *place + capacity + 1, _Alignof(loaded));
        if (place == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "%s: no memory", path); }
        if (place != NULL) { place->capacity = capacity; }
    }
    if (status == FR_OK && !read_all(file, (unsigned char *)place->bytes, place->capacity, size)) {
        status = refuse(error, path, errno);
        fr_deallocate(&f->allocator, place, 1, sizeof *place + place->capacity + 1);
    }
    close(file);
    if (status == FR_OK) { *bytes = place->bytes; }
    return status;
}

static void unload(const void *bytes, size_t size, void *user) {
    (void)size;
    folder *f = user;
    union {
        const void *shared;
        char *mine;
    } same = {bytes};
    loaded *place = (loaded *)(void *)(same.mine - offsetof(loaded, bytes));
    fr_deallocate(&f->allocator, place, 1, sizeof *place + place->capacity + 1);
}

static void close_folder(void *user) {
    folder *f = user;
    close(f->descriptor);
    pending_array_destroy(&f->pending);
    fr_allocator allocator = f->allocator;
    fr_deallocate(&allocator, f, 1, sizeof *f);
}

fr_status fr_library_folder(const char *path, const fr_allocator *allocator, fr_library_files *out, fr_error *error) {
    FR_ASSERT(path != NULL && out != NULL);
    *out = (fr_library_files){0};
    fr_allocator mine = fr_allocator_or_default(allocator);
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) { return refuse(error, path, errno); }
    folder *f = fr_allocate(&mine, 1, sizeof *f, _Alignof(folder));
    if (f == NULL) {
        close(descriptor);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a library");
    }
    *f = (folder){.descriptor = descriptor, .pending = pending_array_make(&mine), .allocator = mine};
    *out = (fr_library_files){list, look, stamp, load, unload, close_folder, f};
    return FR_OK;
}
