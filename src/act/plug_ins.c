// The plug-ins of a folder: their processes, those that wait and those that end.
#include "act/plug_in.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLUG_INS_COOKIE 0x504C4753u
#define STOP_NS UINT64_C(100000000) // that a process has to end by itself

fr_plug_ins_def fr_default_plug_ins_def(void) {
    return (fr_plug_ins_def){.max_processes = 64,
                             .max_warm = 16,
                             .step_seconds = 0.1,
                             .ready_seconds = 5.0,
                             .cpu_seconds = 3600,
                             .memory_bytes = UINT64_C(1) << 30,
                             .files = 32,
                             .cookie = PLUG_INS_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_plug_ins_def *def, fr_error *error) {
    if (def->cookie != PLUG_INS_COOKIE) { return fr_error_set_cookie(error, "fr_default_plug_ins_def"); }
    bool is_right = def->folder != NULL && def->max_processes >= 1 && def->max_processes <= FR_PLUG_IN_MAX_PROCESSES &&
                    def->step_seconds > 0.0 && def->step_seconds <= 60.0 && def->ready_seconds > 0.0 &&
                    def->ready_seconds <= 600.0 && def->cpu_seconds >= 1 && def->memory_bytes >= 1u << 20 &&
                    def->files >= 8;
    if (is_right) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "plug-ins need a folder and limits within their ranges");
}

static fr_status find_paths(fr_plug_ins *owner, fr_error *error) {
    struct stat info;
    const fr_plug_ins_def *def = &owner->def;
    int length = snprintf(owner->folder, sizeof owner->folder, "%s", def->folder);
    if (length < 0 || (size_t)length >= sizeof owner->folder - FR_PLUG_IN_NAME_MAX_BYTES - 2 ||
        stat(owner->folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return fr_error_set(error, FR_ERROR_FILE, "there is no folder of plug-ins %.128s", def->folder);
    }
    if (def->launcher == NULL) {
        if (fr__launcher_find(owner->launcher, sizeof owner->launcher)) { return FR_OK; }
        return fr_error_set(error, FR_ERROR_FILE, "the launcher of plug-ins, fureai-launch, is not found");
    }
    length = snprintf(owner->launcher, sizeof owner->launcher, "%s", def->launcher);
    if (length >= 0 && (size_t)length < sizeof owner->launcher && access(owner->launcher, X_OK) == 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "there is no launcher %.128s", def->launcher);
}

fr_status fr_plug_ins_create(const fr_plug_ins_def *def, fr_plug_ins **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_plug_ins *owner = fr_allocate(&allocator, 1, sizeof *owner, _Alignof(fr_plug_ins));
    if (owner == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for plug-ins"); }
    memset(owner, 0, sizeof *owner);
    owner->def = *def;
    owner->allocator = allocator;
    status = find_paths(owner, error);
    if (status != FR_OK) {
        fr_deallocate(&allocator, owner, 1, sizeof *owner);
        return status;
    }
    *out = owner;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Ending processes

static void free_process(fr_plug_ins *owner, fr__plug_process *p) {
    fr_byte_array_destroy(&p->inbox);
    fr_byte_array_destroy(&p->outbox);
    fr_skeleton_release(p->skeleton);
    fr_deallocate(&owner->allocator, p, 1, sizeof *p);
    owner->process_count--;
}

// Has a process end by itself within STOP_NS, or at once.
static void begin_end(fr_plug_ins *owner, fr__plug_process *p, bool is_stopped) {
    p->end_ns = fr_clock_ns() + (is_stopped ? STOP_NS : 0);
    if (is_stopped && p->process.in >= 0) {
        if (fr__plug_write_stop(p->form, &p->outbox, NULL) == FR_OK) {
            (void)fr__process_write(&p->process, p->outbox.data + p->sent, p->outbox.count - p->sent);
        }
    } else {
        (void)fr__process_kill(&p->process);
    }
    p->next = owner->ending;
    owner->ending = p;
}

void fr_plug_ins_sweep(fr_plug_ins *owner) {
    FR_ASSERT(owner != NULL);
    uint64_t now = fr_clock_ns();
    for (fr__plug_process **at = &owner->ending; *at != NULL;) {
        fr__plug_process *p = *at;
        fr__process_log(&p->process, p->name);
        bool is_over = fr__process_reap(&p->process, NULL) || (now >= p->end_ns && fr__process_kill(&p->process));
        if (!is_over) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        (void)fr__process_kill(&p->process);
        free_process(owner, p);
    }
}

void fr__plug_process_give(fr_plug_ins *owner, fr__plug_process *p, fr__plug_leave leave) {
    if (leave == FR__PLUG_KEEP && owner->def.max_warm > 0) {
        p->is_reused = true;
        p->next = owner->warm;
        owner->warm = p;
        owner->warm_count++;
        p = NULL;
        // The one that waits longest goes where there are too many.
        if (owner->warm_count > owner->def.max_warm) {
            fr__plug_process **last = &owner->warm;
            while ((*last)->next != NULL) {
                last = &(*last)->next;
            }
            p = *last;
            *last = NULL;
            owner->warm_count--;
        }
    }
    if (p != NULL) { begin_end(owner, p, leave != FR__PLUG_KILL); }
    fr_plug_ins_sweep(owner);
}

void fr_plug_ins_destroy(fr_plug_ins *owner) {
    if (owner == NULL) { return; }
    while (owner->warm != NULL) {
        fr__plug_process *p = owner->warm;
        owner->warm = p->next;
        begin_end(owner, p, true);
    }
    fr_plug_ins_sweep(owner);
    while (owner->ending != NULL) {
        struct fr__process none = {.in = -1, .out = -1, .log = -1};
        fr__process_wait(&none, FR__PROCESS_NOTHING, 1000000);
        fr_plug_ins_sweep(owner);
    }
    fr_allocator allocator = owner->allocator;
    fr_deallocate(&allocator, owner, 1, sizeof *owner);
}

fr_plug_ins_state fr_plug_ins_get(const fr_plug_ins *owner) {
    FR_ASSERT(owner != NULL);
    return (fr_plug_ins_state){owner->process_count, owner->warm_count, owner->started, owner->reused};
}

// ---------------------------------------------------------------------------------------------------------------
// Taking processes

// A name that leads nowhere but into the folder.
static bool is_name(const char *name) {
    size_t size = name != NULL ? strlen(name) : 0;
    if (size == 0 || size > FR_PLUG_IN_NAME_MAX_BYTES || name[0] == '.') { return false; }
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == size;
}

// Where a program is, and which file that is; false: there is none.
static bool find_program(const fr_plug_ins *owner, const char *name, char *path, size_t size, struct stat *info) {
    int length = snprintf(path, size, "%s/%s", owner->folder, name);
    return length > 0 && (size_t)length < size && stat(path, info) == 0;
}

bool fr_plug_ins_has(const fr_plug_ins *owner, const char *name) {
    FR_ASSERT(owner != NULL);
    char path[sizeof owner->folder + FR_PLUG_IN_NAME_MAX_BYTES + 2];
    struct stat info;
    return is_name(name) && find_program(owner, name, path, sizeof path, &info) && !S_ISDIR(info.st_mode);
}

// Which version of a program a file is.
static uint64_t version_of(const struct stat *info) {
    const int64_t parts[4] = {(int64_t)info->st_ino, (int64_t)info->st_size, (int64_t)info->st_mtim.tv_sec,
                              (int64_t)info->st_mtim.tv_nsec};
    return fr_hash(parts, sizeof parts, 0);
}

// A process that waits, of the program as it is now.
static fr__plug_process *take_warm(fr_plug_ins *owner, const char *name, uint64_t version) {
    for (fr__plug_process **at = &owner->warm; *at != NULL; at = &(*at)->next) {
        fr__plug_process *p = *at;
        if (strcmp(p->name, name) != 0) { continue; }
        *at = p->next;
        owner->warm_count--;
        // One that has died while it waited is no use, nor one whose file is another now.
        bool is_dead = fr__process_reap(&p->process, NULL);
        if (is_dead || p->version != version) {
            begin_end(owner, p, !is_dead);
            return NULL;
        }
        return p;
    }
    return NULL;
}

static fr_status start(fr_plug_ins *owner, const char *name, const char *path, const struct stat *info,
                       fr__plug_process **out, fr_error *error) {
    if (!S_ISREG(info->st_mode) || access(path, X_OK) != 0) {
        return fr_error_set(error, FR_ERROR_FILE, "plug-in %s: it is not executable", name);
    }
    fr__plug_process *p = fr_allocate(&owner->allocator, 1, sizeof *p, _Alignof(fr__plug_process));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plug-in"); }
    memset(p, 0, sizeof *p);
    memcpy(p->name, name, strlen(name) + 1);
    p->version = version_of(info);
    p->inbox = fr_byte_array_make(&owner->allocator);
    p->outbox = fr_byte_array_make(&owner->allocator);
    const fr__process_limits limits = {owner->def.cpu_seconds, owner->def.memory_bytes, owner->def.files};
    fr_status status = fr__process_start(owner->launcher, path, &limits, &p->process, error);
    owner->process_count++;
    if (status != FR_OK) {
        free_process(owner, p);
        return status;
    }
    owner->started++;
    *out = p;
    return FR_OK;
}

fr_status fr__plug_process_take(fr_plug_ins *owner, const char *name, fr__plug_process **out, fr_error *error) {
    fr_plug_ins_sweep(owner);
    if (!is_name(name)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a plug-in has a name of 1 .. %u letters, digits, _ - and .",
                            FR_PLUG_IN_NAME_MAX_BYTES);
    }
    char path[sizeof owner->folder + FR_PLUG_IN_NAME_MAX_BYTES + 2];
    struct stat info;
    if (!find_program(owner, name, path, sizeof path, &info)) {
        return fr_error_set(error, FR_ERROR_FILE, "there is no plug-in %s", name);
    }
    *out = take_warm(owner, name, version_of(&info));
    if (*out != NULL) {
        owner->reused++;
        return FR_OK;
    }
    // A process that only waits makes room for one that is wanted.
    if (owner->process_count >= owner->def.max_processes && owner->warm != NULL) {
        fr__plug_process *p = owner->warm;
        owner->warm = p->next;
        owner->warm_count--;
        begin_end(owner, p, false);
        fr_plug_ins_sweep(owner);
    }
    if (owner->process_count >= owner->def.max_processes) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u processes of plug-ins run already", owner->process_count);
    }
    return start(owner, name, path, &info, out, error);
}
