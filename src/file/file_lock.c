// A lock between processes: a file beside another, with the system's lock on it.
#define _XOPEN_SOURCE 700 // ftruncate

#include "fureai/file.h"

#include "file/target_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct fr_file_lock {
    char *path; // of the lock
    int descriptor;
    fr_allocator allocator;
};

enum { MAX_TRIES = 100, NUMBER_BYTES = 32 };

// Whether the path still names the file that is open: the one before us may have removed it at its end.
static bool is_still_there(const char *path, int descriptor) {
    struct stat here, there;
    return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

// The locked descriptor, or a negative errno; -EWOULDBLOCK: another has the lock, whose process is then *holder, 0
// where that is not known.
static int lock_file(const char *path, long *holder) {
    *holder = 0;
    for (int i = 0; i < MAX_TRIES; i++) {
        int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0644);
        if (descriptor < 0) { return -errno; }
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            int number = errno;
            char text[NUMBER_BYTES] = "";
            if (read(descriptor, text, sizeof text - 1) > 0) { *holder = strtol(text, NULL, 10); }
            close(descriptor);
            return -number;
        }
        if (is_still_there(path, descriptor)) { return descriptor; }
        close(descriptor);
    }
    return -EWOULDBLOCK;
}

// For people, and for the message of those who come later; the lock holds without it.
static void write_holder(int descriptor) {
    char text[NUMBER_BYTES];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(descriptor, 0) != 0 || write(descriptor, text, (size_t)length) != length) { return; }
}

static fr_status fail(fr_error *error, const char *path, int number, long holder) {
    char who[NUMBER_BYTES + 16] = "another process";
    if (holder > 0) { snprintf(who, sizeof who, "process %ld", holder); }
    fr_status status = FR_ERROR_FILE;
    if (number == EWOULDBLOCK) {
        status = fr_error_set(error, FR_ERROR_BUSY, "%s uses it, as the lock beside it says (.lock)", who);
    } else if (number == ENOMEM) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory to lock it");
    } else {
        fr_error_set(error, status, "cannot lock: %s", strerror(number));
    }
    fr_error_locate(error, path, 0, 0);
    return status;
}

fr_status fr_file_lock_create(const char *path, const fr_allocator *allocator, fr_file_lock **out, fr_error *error) {
    FR_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_file_lock *lock = fr_allocate(&from, 1, sizeof *lock, _Alignof(fr_file_lock));
    if (lock == NULL) { return fail(error, path, ENOMEM, 0); }
    char *target = fr__target_path(path, &from);
    lock->path = target != NULL ? fr__path_join(target, strlen(target), ".lock", &from) : NULL;
    long holder = 0;
    lock->descriptor = lock->path != NULL ? lock_file(lock->path, &holder) : -errno;
    lock->allocator = from;
    fr__path_free(target, &from);
    if (lock->descriptor < 0) {
        fr_status status = fail(error, path, -lock->descriptor, holder);
        fr__path_free(lock->path, &from);
        fr_deallocate(&from, lock, 1, sizeof *lock);
        return status;
    }
    write_holder(lock->descriptor);
    *out = lock;
    return FR_OK;
}

void fr_file_lock_destroy(fr_file_lock *lock) {
    if (lock == NULL) { return; }
    // Removed while it is held: whoever opened it meanwhile finds that the path names another file, and tries again.
    (void)unlink(lock->path);
    close(lock->descriptor);
    fr_allocator allocator = lock->allocator;
    fr__path_free(lock->path, &allocator);
    fr_deallocate(&allocator, lock, 1, sizeof *lock);
}
