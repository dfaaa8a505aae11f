// Fureai file: files that are read whole, files that are written whole or not at all (atomic replacement), and files
// that lock others out. Every byte that these libraries and the tool put on a disk goes through it. Library
// libfureai-model; POSIX.
#ifndef FUREAI_FILE_H
#define FUREAI_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Operations: what the system does to a disk, as a table, so that a test can make each of them fail

// What is opened.
typedef enum fr_file_kind {
    FR_FILE_NEW,    // a plain file to write, which must not be there yet; no link is followed
    FR_FILE_DEVICE, // a device or pipe that is there, to write
    FR_FILE_FOLDER  // a folder, to synchronise it
} fr_file_kind;

// Each returns 0 or more, or the negative errno of its failure. Descriptors are the system's.
typedef struct fr_file_ops {
    // The descriptor. A new file gets the permissions `mode`, less those that the process masks.
    int (*open)(const char *path, fr_file_kind kind, unsigned mode, void *user);
    // The bytes that were taken, which may be fewer than `size`.
    ptrdiff_t (*write)(int file, const void *bytes, size_t size, void *user);
    // Returns when what was written, or the names in a folder, are on the disk.
    int (*sync)(int file, void *user);
    // Closes the descriptor also when it fails.
    int (*close)(int file, void *user);
    int (*rename)(const char *from, const char *to, void *user);
    int (*remove)(const char *path, void *user);
    void *user; // given to all of them
} fr_file_ops;

// Those of the system.
FR_API fr_file_ops fr_system_file_ops(void);

// ---------------------------------------------------------------------------------------------------------------
// Output

// A file that is written. All zeros is a closed one. `error` is for the caller to read, all else is the file's.
typedef struct fr_output_file {
    bool is_open;
    bool is_adopted;  // the descriptor stays the caller's
    bool is_terminal; // whole lines are written at once
    int descriptor;
    int error;             // errno of the first failure, also after the end; 0: none
    char *name;            // as the caller named it; NULL where adopted
    char *target;          // the file that will appear: `name`, behind its links
    char *temp;            // what is written until the commit; NULL where the bytes go straight to the target
    unsigned char *buffer; // bytes that were not handed to the system yet
    size_t buffered;
    fr_file_ops ops;
    const fr_control *control; // as of the definition
    fr_allocator allocator;
} fr_output_file;

typedef struct fr_output_file_def {
    const char *path;          // not NULL
    bool is_sole_writer;       // no other process writes this file, as an fr_file_lock says: the temporary file is then
                               // called PATH.new, and one that a crash left behind is replaced. Default false
    const fr_file_ops *ops;    // NULL, the default: the system's
    const fr_control *control; // a write that a signal interrupts goes on unless this says stop; NULL, the default: it
                               // goes on. It must live until the end
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_output_file_def
} fr_output_file_def;

FR_API fr_output_file_def fr_default_output_file_def(void);

// Opens a file for writing. The bytes go to a temporary file in the folder of the target, which takes the target's name
// at the commit: what stood there before stands there until the new bytes are on the disk. Links stay links; their
// target is replaced, or made. A file that is there keeps its permissions, and its owner where the system lets us. A
// device or a pipe is written straight, and /dev/stdout, /dev/stderr and /dev/fd/N are the descriptors of those
// names. FR_ERROR_FILE with the path and the reason, also for a file that may not be written; FR_ERROR_STOPPED,
// FR_ERROR_MEMORY. *out is closed on failure.
FR_API fr_status fr_output_file_open(const fr_output_file_def *def, fr_output_file *out, fr_error *error);

// An output over a descriptor that stays the caller's, such as standard output. `control` as in the definition.
FR_API fr_output_file fr_output_file_adopt(int descriptor, const fr_control *control);

// Write bytes, or printf-style text; false once any write has failed. Up to 64 KiB are held back.
FR_API bool fr_output_file_write(fr_output_file *file, const void *bytes, size_t size);
FR_API bool fr_output_file_print(fr_output_file *file, const char *format, ...) FR_PRINTF(2, 3);
FR_API bool fr_output_file_vprint(fr_output_file *file, const char *format, va_list arguments) FR_PRINTF(2, 0);

// Hands the system what is held back; false once any write has failed.
FR_API bool fr_output_file_flush(fr_output_file *file);

// Ends the writing and closes the file in any case. FR_OK: the bytes and the name are on the disk, where the disk can
// promise that. Else the file at the path is, byte for byte, the old one or, when only its folder could not be
// synchronised, the new one, and no temporary file is left. FR_ERROR_FILE with the path and the reason;
// FR_ERROR_STOPPED when the control ended a write.
FR_API fr_status fr_output_file_commit(fr_output_file *file, fr_error *error);

// Drops what was written; the file at the path stays. A closed file is ignored, so a cleanup may always call it.
FR_API void fr_output_file_discard(fr_output_file *file);

// ---------------------------------------------------------------------------------------------------------------
// Input

// The bytes of a file. All zeros is an empty one.
typedef struct fr_input_file {
    char *data;      // `size` bytes and a terminating zero after them; NULL where nothing was read
    size_t size;     // bytes of the file
    size_t capacity; // bytes that `data` has room for
    fr_allocator allocator;
} fr_input_file;

typedef struct fr_input_file_def {
    const char *path;          // not NULL
    bool is_plain;             // only a plain file is read, as for a name that stands in another file. Default false:
                               // devices too, and the pipes that a shell makes, as /dev/stdin and <(...)
    size_t limit;              // bytes; default 4 GiB
    const fr_control *control; // may stop it; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_input_file_def
} fr_input_file_def;

FR_API fr_input_file_def fr_default_input_file_def(void);

// Reads a file whole. Nothing is waited for but what comes through a shell's pipe: any other pipe, and a folder, is
// FR_ERROR_FILE at once. FR_ERROR_FILE with the path and the reason when it cannot be opened or read, FR_ERROR_LIMIT,
// FR_ERROR_MEMORY, FR_ERROR_STOPPED; *out is empty then. Destroy it.
FR_API fr_status fr_input_file_read(const fr_input_file_def *def, fr_input_file *out, fr_error *error);

// Gives the memory back; the file is empty then.
FR_API void fr_input_file_destroy(fr_input_file *file);

// The folder of a file, whose files are read by their paths from it, and none outside of it: what a scene or a model
// refers to. Its two functions have the forms that fr_model_files and the readers of scenes ask for.
typedef struct fr_file_folder fr_file_folder;

typedef struct fr_file_folder_def {
    const char *path; // of the file; the folder is the one that it is in. Not NULL
    const char *what; // what lies in the folder, for messages; default "file"
    const char *of;   // whose folder it is, for messages; default "file"
    // Anything but FR_OK, with the reason: the file at this path is not read. NULL, the default: all are.
    fr_status (*check)(const char *path, void *user, fr_error *error);
    void *user;                // given to `check`
    size_t limit;              // bytes of a file; default 4 GiB
    const fr_control *control; // may stop the reading; may be NULL. It must live as long as the folder
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_file_folder_def
} fr_file_folder_def;

FR_API fr_file_folder_def fr_default_file_folder_def(void);

// FR_ERROR_FILE when there is no such folder; FR_ERROR_MEMORY. The texts are copied, but for `what` and `of`.
FR_API fr_status fr_file_folder_create(const fr_file_folder_def *def, fr_file_folder **out, fr_error *error);
FR_API void fr_file_folder_destroy(fr_file_folder *folder);

// The bytes of a file by its path from the folder, which is the context. FR_ERROR_FILE with the reason when it cannot
// be read, and when it lies outside: an absolute path, one with too many "..", a link that leads out. Several may be
// loaded at once; each is given back by fr_file_folder_unload, or with the folder.
FR_API fr_status fr_file_folder_load(const char *path, const void **bytes, size_t *size, void *context,
                                     fr_error *error);
FR_API void fr_file_folder_unload(const void *bytes, size_t size, void *context);

// ---------------------------------------------------------------------------------------------------------------
// Locks

// A file beside another, PATH.lock, that keeps other processes, and other locks of this one, from it. The system
// releases it when the process ends in whatever manner, so a lock is never stale.
typedef struct fr_file_lock fr_file_lock;

// Locks `path`, behind its links; the file itself need not be there. FR_ERROR_BUSY, with the process that has it where
// that is known, FR_ERROR_FILE, both with the path; FR_ERROR_MEMORY. `allocator` may be NULL.
FR_API fr_status fr_file_lock_create(const char *path, const fr_allocator *allocator, fr_file_lock **out,
                                     fr_error *error);

// Unlocks, and removes PATH.lock.
FR_API void fr_file_lock_destroy(fr_file_lock *lock);

#ifdef __cplusplus
}
#endif

#endif
