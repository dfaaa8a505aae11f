// A disk under SQLite whose n-th write or synchronisation fails, once or from then on; the rest is the system's.
#ifndef FUREAI_TEST_SERVER_FAILING_VFS_H
#define FUREAI_TEST_SERVER_FAILING_VFS_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

typedef enum vfs_op { VFS_WRITE, VFS_SYNC, VFS_OPS } vfs_op;

static struct {
    sqlite3_vfs table;
    sqlite3_vfs *real;
    atomic_int op;          // that fails
    atomic_int nth;         // of its kind, from 1; 0: none fails
    atomic_bool is_lasting; // from then on every one fails
    atomic_int code;        // of SQLite
    atomic_int counts[VFS_OPS];
    atomic_int failures;
    atomic_int sync_us; // that each synchronisation takes longer
} failing_vfs;

typedef struct failing_vfs_file {
    sqlite3_file base;
    sqlite3_file *real; // behind this struct
} failing_vfs_file;

static inline sqlite3_file *vfs_real(sqlite3_file *file) { return ((failing_vfs_file *)file)->real; }

static inline bool vfs_fails(vfs_op op) {
    int count = ++failing_vfs.counts[op];
    bool is_now = failing_vfs.nth != 0 && failing_vfs.op == (int)op && count == failing_vfs.nth;
    if (is_now || (failing_vfs.failures > 0 && failing_vfs.is_lasting)) {
        failing_vfs.failures++;
        return true;
    }
    return false;
}

static inline int vfs_close(sqlite3_file *f) { return vfs_real(f)->pMethods->xClose(vfs_real(f)); }
static inline int vfs_read(sqlite3_file *f, void *bytes, int size, sqlite3_int64 at) {
    return vfs_real(f)->pMethods->xRead(vfs_real(f), bytes, size, at);
}
static inline int vfs_write(sqlite3_file *f, const void *bytes, int size, sqlite3_int64 at) {
    if (vfs_fails(VFS_WRITE)) { return failing_vfs.code; }
    return vfs_real(f)->pMethods->xWrite(vfs_real(f), bytes, size, at);
}
static inline int vfs_truncate(sqlite3_file *f, sqlite3_int64 size) {
    return vfs_real(f)->pMethods->xTruncate(vfs_real(f), size);
}
// Nothing is put on the disk: tests cut no power.
static inline int vfs_sync(sqlite3_file *f, int flags) {
    (void)f;
    (void)flags;
    if (failing_vfs.sync_us > 0) { (void)failing_vfs.real->xSleep(failing_vfs.real, failing_vfs.sync_us); }
    return vfs_fails(VFS_SYNC) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}
static inline int vfs_size(sqlite3_file *f, sqlite3_int64 *size) {
    return vfs_real(f)->pMethods->xFileSize(vfs_real(f), size);
}
static inline int vfs_lock(sqlite3_file *f, int kind) { return vfs_real(f)->pMethods->xLock(vfs_real(f), kind); }
static inline int vfs_unlock(sqlite3_file *f, int kind) { return vfs_real(f)->pMethods->xUnlock(vfs_real(f), kind); }
static inline int vfs_check_lock(sqlite3_file *f, int *out) {
    return vfs_real(f)->pMethods->xCheckReservedLock(vfs_real(f), out);
}
static inline int vfs_control(sqlite3_file *f, int op, void *argument) {
    return vfs_real(f)->pMethods->xFileControl(vfs_real(f), op, argument);
}
static inline int vfs_sector(sqlite3_file *f) { return vfs_real(f)->pMethods->xSectorSize(vfs_real(f)); }
static inline int vfs_device(sqlite3_file *f) { return vfs_real(f)->pMethods->xDeviceCharacteristics(vfs_real(f)); }
static inline int vfs_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
    return vfs_real(f)->pMethods->xShmMap(vfs_real(f), page, size, extend, out);
}
static inline int vfs_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
    return vfs_real(f)->pMethods->xShmLock(vfs_real(f), offset, n, flags);
}
static inline void vfs_shm_barrier(sqlite3_file *f) { vfs_real(f)->pMethods->xShmBarrier(vfs_real(f)); }
static inline int vfs_shm_unmap(sqlite3_file *f, int remove) {
    return vfs_real(f)->pMethods->xShmUnmap(vfs_real(f), remove);
}

static const sqlite3_io_methods vfs_methods = {.iVersion = 2,
                                               .xClose = vfs_close,
                                               .xRead = vfs_read,
                                               .xWrite = vfs_write,
                                               .xTruncate = vfs_truncate,
                                               .xSync = vfs_sync,
                                               .xFileSize = vfs_size,
                                               .xLock = vfs_lock,
                                               .xUnlock = vfs_unlock,
                                               .xCheckReservedLock = vfs_check_lock,
                                               .xFileControl = vfs_control,
                                               .xSectorSize = vfs_sector,
                                               .xDeviceCharacteristics = vfs_device,
                                               .xShmMap = vfs_shm_map,
                                               .xShmLock = vfs_shm_lock,
                                               .xShmBarrier = vfs_shm_barrier,
                                               .xShmUnmap = vfs_shm_unmap};

static inline int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    failing_vfs_file *own = (failing_vfs_file *)file;
    own->real = (sqlite3_file *)(own + 1);
    own->base.pMethods = NULL;
    int code = failing_vfs.real->xOpen(failing_vfs.real, name, own->real, flags, out_flags);
    if (code == SQLITE_OK) { own->base.pMethods = &vfs_methods; }
    return code;
}

static inline int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
    (void)vfs;
    (void)is_synced;
    return failing_vfs.real->xDelete(failing_vfs.real, name, 0);
}

// Puts it under all connections that are opened from now on.
static inline void failing_vfs_begin(void) {
    if (failing_vfs.real == NULL) {
        failing_vfs.real = sqlite3_vfs_find(NULL);
        failing_vfs.table = *failing_vfs.real;
        failing_vfs.table.zName = "failing";
        failing_vfs.table.szOsFile = (int)sizeof(failing_vfs_file) + failing_vfs.real->szOsFile;
        failing_vfs.table.xOpen = vfs_open;
        failing_vfs.table.xDelete = vfs_delete;
        failing_vfs.table.pNext = NULL;
    }
    (void)sqlite3_vfs_register(&failing_vfs.table, 1);
    failing_vfs.nth = 0;
    failing_vfs.failures = 0;
    failing_vfs.is_lasting = false;
    failing_vfs.sync_us = 0;
    for (int i = 0; i < VFS_OPS; i++) {
        failing_vfs.counts[i] = 0;
    }
}

// The n-th operation from now on fails.
static inline void failing_vfs_fail(vfs_op op, int nth, int code, bool is_lasting) {
    failing_vfs.failures = 0;
    failing_vfs.counts[op] = 0;
    failing_vfs.op = (int)op;
    failing_vfs.code = code;
    failing_vfs.is_lasting = is_lasting;
    failing_vfs.nth = nth;
}

// It works again.
static inline void failing_vfs_mend(void) {
    failing_vfs.nth = 0;
    failing_vfs.is_lasting = false;
    failing_vfs.failures = 0;
}

#endif
