// A model of power loss for the store. What is done to the disk while stores are saved is recorded. Then, for every
// moment and for everything that a file system may lose of what was not synchronised yet, the disk is made again and
// the store is opened: it holds what was saved last, or what was being saved, and never less.
//
// The model: names (files made, renamed, removed) reach the disk at the latest when their folder is synchronised;
// before that each of them may have reached it or not. A renaming is done or not done; the new name leads to its file
// also where the old name was lost. Bytes reach the disk at the latest when their file is synchronised; before that the
// file may end anywhere, and each of its sectors may hold zeros.
#include "server/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_EVENTS = 256, MAX_FILES = 32, MAX_BYTES = 4096, SECTOR = 512, WRITE_BYTES = 200, SAVES = 8, FOLDER = -1 };

#define STORE "store.json"

// ---------------------------------------------------------------------------------------------------------------
// The recorder

typedef enum event_kind { MADE, WRITTEN, SYNCED, RENAMED, REMOVED, ACKNOWLEDGED } event_kind;

typedef struct event {
    event_kind kind;
    int file;              // made, written or synchronised; FOLDER: the names
    char from[64], to[64]; // of names
    char bytes[WRITE_BYTES];
    size_t size;
} event;

typedef struct journal {
    event events[MAX_EVENTS];
    size_t count;
    int files;               // made so far
    int of_descriptor[1024]; // file that is open there
} journal;

static journal recorded;

static event *add_event(journal *j, event_kind kind) {
    assert_true(j->count < MAX_EVENTS);
    event *e = &j->events[j->count++];
    *e = (event){.kind = kind};
    return e;
}

static int record_open(const char *path, fr_file_kind kind, unsigned mode, void *user) {
    journal *j = user;
    int descriptor = fr_system_file_ops().open(path, kind, mode, NULL);
    assert_in_range(descriptor, 0, 1023);
    if (kind == FR_FILE_FOLDER) {
        j->of_descriptor[descriptor] = FOLDER;
        return descriptor;
    }
    event *e = add_event(j, MADE);
    assert_true(j->files < MAX_FILES);
    e->file = j->of_descriptor[descriptor] = j->files++;
    snprintf(e->to, sizeof e->to, "%s", path);
    return descriptor;
}

static ptrdiff_t record_write(int file, const void *bytes, size_t size, void *user) {
    journal *j = user;
    event *e = add_event(j, WRITTEN);
    e->file = j->of_descriptor[file];
    e->size = size < WRITE_BYTES ? size : WRITE_BYTES;
    memcpy(e->bytes, bytes, e->size);
    return fr_system_file_ops().write(file, bytes, e->size, NULL);
}

static int record_sync(int file, void *user) {
    journal *j = user;
    add_event(j, SYNCED)->file = j->of_descriptor[file];
    return 0; // it is recorded, not waited for
}

static int record_close(int file, void *user) {
    (void)user;
    return fr_system_file_ops().close(file, NULL);
}

static int record_rename(const char *from, const char *to, void *user) {
    journal *j = user;
    event *e = add_event(j, RENAMED);
    e->file = j->files - 1; // the last that was made
    snprintf(e->from, sizeof e->from, "%s", from);
    snprintf(e->to, sizeof e->to, "%s", to);
    return fr_system_file_ops().rename(from, to, NULL);
}

static int record_remove(const char *path, void *user) {
    int result = fr_system_file_ops().remove(path, NULL);
    if (result == 0) { snprintf(add_event(user, REMOVED)->from, 64, "%s", path); }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Stores

// A store of a tick, some sectors long.
static fr_array make_store(uint64_t tick) {
    fr__store store = fr__store_make(NULL);
    store.scene = "room";
    store.tick = tick;
    for (uint64_t i = 0; i < 2 + 3 * (tick % 3); i++) {
        fr__store_object *object = fr__store_object_array_push(&store.objects, 1);
        assert_non_null(object);
        fr_pose pose = {fr_quat_identity(), {(double)tick / 3.0, (double)i / 7.0, 1e-300}, 1.0};
        *object = (fr__store_object){.name = "cup", .pose = pose};
    }
    fr_array text = fr_array_make(1, NULL);
    assert_true(fr__store_write(&store, &text));
    fr__store_free(&store);
    return text;
}

static fr_status save(uint64_t tick, const fr_file_ops *ops) {
    fr_array text = make_store(tick);
    fr_status status = fr__store_save(STORE, text.data, text.count, ops, NULL, NULL);
    fr_array_destroy(&text);
    return status;
}

// The tick of the store that is there, 0: none is; UINT64_MAX: it is refused.
static uint64_t opened_tick(void) {
    fr__store store;
    if (fr__store_load(STORE, NULL, &store, NULL) != FR_OK) { return UINT64_MAX; }
    uint64_t tick = store.scene != NULL ? store.tick : 0;
    fr__store_free(&store);
    return tick;
}

static void record_saves(void) {
    fr_file_ops ops = {record_open, record_write, record_sync, record_close, record_rename, record_remove, &recorded};
    for (uint64_t tick = 1; tick <= SAVES; tick++) {
        assert_int_equal(save(tick, &ops), FR_OK);
        add_event(&recorded, ACKNOWLEDGED);
    }
    assert_int_equal(opened_tick(), SAVES);
}

// ---------------------------------------------------------------------------------------------------------------
// Disks

// What a disk holds: a file under each of the names that are used; -1: none.
typedef struct disk {
    int store, temp;
} disk;

static int *place(disk *d, const char *name) { return strcmp(name, STORE) == 0 ? &d->store : &d->temp; }

static void apply(disk *d, const event *e) {
    if (e->kind == MADE) { *place(d, e->to) = e->file; }
    if (e->kind == RENAMED) {
        *place(d, e->to) = e->file;
        *place(d, e->from) = -1;
    }
    if (e->kind == REMOVED) { *place(d, e->from) = -1; }
}

static bool is_name_event(const event *e) { return e->kind == MADE || e->kind == RENAMED || e->kind == REMOVED; }

typedef struct search {
    const journal *j;
    size_t moment;  // events before it were done
    uint64_t saved; // tick that was acknowledged
    size_t disks, refused, lost;
    bool is_continued; // a store is saved on each disk
} search;

// The bytes of a file at the moment, and how many of them are on the disk for sure.
static size_t file_bytes(const search *s, int file, char bytes[MAX_BYTES], size_t *sure) {
    size_t size = 0;
    *sure = 0;
    for (size_t i = 0; i < s->moment; i++) {
        const event *e = &s->j->events[i];
        if (e->kind == WRITTEN && e->file == file) {
            assert_true(size + e->size <= MAX_BYTES);
            memcpy(bytes + size, e->bytes, e->size);
            size += e->size;
        }
        if (e->kind == SYNCED && e->file == file) { *sure = size; }
    }
    return size;
}

static void put_bytes(const char *name, const char *bytes, size_t size) {
    (void)unlink(name); // some file systems wait for the disk where a file is cut
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void judge(search *s) {
    uint64_t tick = opened_tick();
    s->disks++;
    if (tick == UINT64_MAX) {
        s->refused++;
    } else if (tick != s->saved && tick != s->saved + 1) {
        s->lost++;
    }
}

// Every end of the file, and every choice of sectors that hold zeros, of what is not sure.
static void try_contents(search *s, int file) {
    char bytes[MAX_BYTES], torn[MAX_BYTES];
    size_t sure, size = file_bytes(s, file, bytes, &sure);
    for (size_t end = sure;;) {
        size_t first = sure / SECTOR, sectors = (end + SECTOR - 1) / SECTOR - first;
        for (size_t mask = 0; mask < (size_t)1 << (end > sure ? sectors : 0); mask++) {
            memcpy(torn, bytes, end);
            for (size_t at = sure; at < end; at++) {
                if ((mask >> (at / SECTOR - first) & 1) != 0) { torn[at] = '\0'; }
            }
            put_bytes(STORE, torn, end);
            judge(s);
        }
        if (end == size) { break; }
        end = end + SECTOR / 2 < size ? end + SECTOR / 2 : size;
    }
}

static int sync_nothing(int file, void *user) {
    (void)file;
    (void)user;
    return 0;
}

// One choice of the names that reached the disk.
static void try_names(search *s, size_t first_unsure, size_t mask) {
    disk d = {-1, -1};
    size_t unsure = 0;
    for (size_t i = 0; i < s->moment; i++) {
        const event *e = &s->j->events[i];
        if (!is_name_event(e)) { continue; }
        if (i < first_unsure || (mask >> unsure++ & 1) != 0) { apply(&d, e); }
    }
    (void)unlink(STORE);
    (void)unlink(STORE ".new");
    if (d.temp >= 0) { put_bytes(STORE ".new", "{ torn", 6); }
    if (d.store >= 0) {
        try_contents(s, d.store);
    } else {
        judge(s);
    }
    if (!s->is_continued) { return; }
    fr_file_ops ops = fr_system_file_ops();
    ops.sync = sync_nothing; // this disk is lost no more
    assert_int_equal(save(99, &ops), FR_OK);
    assert_int_equal(opened_tick(), 99);
    assert_int_equal(access(STORE ".new", F_OK), -1);
}

static search try_all(const journal *j, bool is_continued) {
    search s = {.j = j, .is_continued = is_continued};
    for (s.moment = 0; s.moment <= j->count; s.moment++) {
        if (s.moment > 0 && j->events[s.moment - 1].kind == ACKNOWLEDGED) { s.saved++; }
        size_t first_unsure = 0, unsure = 0;
        for (size_t i = 0; i < s.moment; i++) {
            if (j->events[i].kind == SYNCED && j->events[i].file == FOLDER) {
                first_unsure = i;
                unsure = 0;
            }
            unsure += is_name_event(&j->events[i]) ? 1 : 0;
        }
        for (size_t mask = 0; mask < (size_t)1 << unsure; mask++) {
            try_names(&s, first_unsure, mask);
        }
    }
    return s;
}

static void no_loss_of_power_loses_a_store(void **state) {
    (void)state;
    search s = try_all(&recorded, true);
    print_message("%zu events, %zu disks\n", recorded.count, s.disks);
    assert_true(s.disks > 2 * recorded.count);
    assert_int_equal(s.refused, 0);
    assert_int_equal(s.lost, 0);
}

// A journal without some of its synchronisations: what a store would do that leaves them out.
static journal *without_sync(bool of_folder) {
    journal *j = calloc(1, sizeof *j);
    assert_non_null(j);
    for (size_t i = 0; i < recorded.count; i++) {
        const event *e = &recorded.events[i];
        if (e->kind != SYNCED || (e->file == FOLDER) != of_folder) { j->events[j->count++] = *e; }
    }
    return j;
}

// The model finds what a store does wrong that does not wait for its bytes, or for its name.
static void the_model_finds_what_is_left_out(void **state) {
    (void)state;
    journal *j = without_sync(false);
    assert_true(try_all(j, false).refused > 0);
    free(j);
    j = without_sync(true);
    j->count = j->count < 24 ? j->count : 24; // the choices of names double with each
    assert_true(try_all(j, false).lost > 0);
    free(j);
}

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-loss-XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) { return -1; }
    record_saves();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_loss_of_power_loses_a_store),
        cmocka_unit_test(the_model_finds_what_is_left_out),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
