// The classes of a folder: listed, brought up to date, read when they are first wanted.
#include "library/library.h"

#include "library/class.h"
#include "library/detail.h"
#include "library/folder.h"

#include "fureai/base_order.h"

#include <stdio.h>
#include <string.h>

#define LIBRARY_COOKIE UINT32_C(0x6c696231)

enum {
    CLASSES_MAX = 100000,
    LOOKS = 1000 // of a poll
};

FR_ARRAY_TYPE(detail_array, fr_library_detail);
FR_ARRAY_TYPE(entry_pointer_array, const fr_library_entry *);
FR_ARRAY_TYPE(name_array, const char *);

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_library_def fr_default_library_def(void) {
    return (fr_library_def){.max_classes = CLASSES_MAX, .cookie = LIBRARY_COOKIE};
}

static void close_tables(const fr_library_files *files, const fr_library_index *index) {
    if (files->close != NULL) { files->close(files->user); }
    if (index->read != NULL && index->close != NULL) { index->close(index->user); }
}

fr_status fr_library_create(const fr_library_def *def, fr_library **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != LIBRARY_COOKIE) { return fr_error_set_cookie(error, "fr_default_library_def"); }
    if (def->files.list == NULL || def->files.look == NULL || def->files.load == NULL || def->files.unload == NULL ||
        def->files.stamp == NULL) {
        close_tables(&def->files, &def->index);
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a library needs the files of its folder");
    }
    fr_allocator mine = fr_allocator_or_default(&def->allocator);
    fr_library *library = fr_allocate(&mine, 1, sizeof *library, _Alignof(fr_library));
    if (library != NULL) {
        memset(library, 0, sizeof *library);
        library->files = def->files;
        library->index = def->index;
        library->max_classes = def->max_classes;
        library->allocator = mine;
        if (fr__library_table_make(&mine, &library->table)) {
            *out = library;
            return FR_OK;
        }
        fr_deallocate(&mine, library, 1, sizeof *library);
    }
    close_tables(&def->files, &def->index);
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a library");
}

fr_status fr_library_open(const char *folder, const fr_allocator *allocator, fr_library **out, fr_error *error) {
    FR_ASSERT(folder != NULL && out != NULL);
    *out = NULL;
    fr_library_def def = fr_default_library_def();
    def.allocator = fr_allocator_or_default(allocator);
    fr_status status = fr_library_folder(folder, allocator, &def.files, error);
    if (status != FR_OK) { return status; }
    char path[FR__LIBRARY_PATH_BYTES];
    int written = snprintf(path, sizeof path, "%s/%s", folder, FR_LIBRARY_INDEX_NAME);
    // Without an index everything works, more slowly.
    if (written > 0 && (size_t)written < sizeof path &&
        fr_library_sqlite_index(path, allocator, &def.index, error) == FR_ERROR_MEMORY) {
        def.files.close(def.files.user);
        return FR_ERROR_MEMORY;
    }
    status = fr_library_create(&def, out, error);
    if (status == FR_OK && strlen(folder) < sizeof(*out)->path) { memcpy((*out)->path, folder, strlen(folder) + 1); }
    return status;
}

const char *fr_library_path(const fr_library *library) { return library->path; }

void fr_library_destroy(fr_library *library) {
    if (library == NULL) { return; }
    close_tables(&library->files, &library->index);
    fr__library_table_destroy(&library->table);
    fr_class_release(library->placed);
    fr_allocator allocator = library->allocator;
    fr_deallocate(&allocator, library, 1, sizeof *library);
}

uint32_t fr_library_count(const fr_library *library) { return (uint32_t)library->table.slots.count; }

const fr_library_entry *fr_library_get(const fr_library *library, uint32_t index) {
    FR_ASSERT(index < library->table.slots.count);
    return &library->table.slots.data[index].entry;
}

// ---------------------------------------------------------------------------------------------------------------
// Order

static bool slot_is_before(const fr__library_slot *a, const fr__library_slot *b) {
    return strcmp(a->entry.place.name, b->entry.place.name) < 0;
}

FR_SORT_TYPE(sort_slots, fr__library_slot, slot_is_before);

static bool slot_is_before_name(const fr__library_slot *slot, const char *name) {
    return strcmp(slot->entry.place.name, name) < 0;
}

FR_SEARCH_TYPE(find_slot, fr__library_slot, const char *, slot_is_before_name);

static bool is_same_place(const fr_library_place *a, const fr_library_place *b) {
    return a->kind == b->kind && a->size == b->size && a->time == b->time;
}

// A list that grows, from a folder or an index, up to a bound.
typedef struct collecting {
    fr__library_table *table;
    uint32_t max_classes;
    fr_status status;
} collecting;

static bool take_place(const fr_library_place *place, void *context) {
    collecting *c = context;
    if (c->table->slots.count >= c->max_classes) {
        c->status = FR_ERROR_LIMIT;
        return false;
    }
    const fr_library_entry bare = {.place = *place, .title = "", .shapes = "", .textures = "", .message = ""};
    fr__library_slot *slot = fr__library_table_push(c->table);
    if (slot != NULL && fr__library_entry_copy(c->table, &bare, &slot->entry)) { return true; }
    c->status = FR_ERROR_MEMORY;
    return false;
}

static bool take_entry(const fr_library_entry *entry, void *context) {
    collecting *c = context;
    if (c->table->slots.count >= c->max_classes || !fr_class_name_is_right(entry->place.name)) {
        c->status = FR_ERROR_LIMIT;
        return false;
    }
    fr__library_slot *slot = fr__library_table_push(c->table);
    if (slot != NULL && fr__library_entry_copy(c->table, entry, &slot->entry)) { return true; }
    c->status = FR_ERROR_MEMORY;
    return false;
}

static fr_status fail_collecting(const fr_library *library, fr_status status, fr_error *error) {
    if (status == FR_ERROR_LIMIT) {
        return fr_error_set(error, status, "the library has more than %u classes", library->max_classes);
    }
    return fr_error_set(error, status, "no memory for the classes of a library");
}

// ---------------------------------------------------------------------------------------------------------------
// Refresh

static void note_index(fr_library_report *report, const fr_error *why) {
    report->index_status = why->status;
    snprintf(report->index_message, sizeof report->index_message, "%s", why->message);
}

// The index as it is, once; a list in which no row stands twice. What is wrong with it leaves an empty list.
static fr_status read_index(fr_library *library, fr_library_report *report, fr_error *error) {
    library->has_read_index = true;
    if (library->index.read == NULL) { return FR_OK; }
    fr__library_table read = {0};
    fr_error why = {0};
    collecting c = {&read, library->max_classes, FR_OK};
    fr_status status = FR_ERROR_MEMORY;
    if (fr__library_table_make(&library->allocator, &read)) {
        status = library->index.read(take_entry, &c, library->index.user, &why);
        if (c.status == FR_ERROR_MEMORY) { status = FR_ERROR_MEMORY; }
    }
    if (status == FR_OK && c.status == FR_OK) {
        sort_slots(read.slots.data, read.slots.count);
        fr__library_table before = library->table;
        library->table = read;
        read = before;
    } else if (status != FR_OK && status != FR_ERROR_MEMORY) {
        note_index(report, &why);
    }
    fr__library_table_destroy(&read);
    if (status != FR_ERROR_MEMORY) { return FR_OK; }
    library->has_read_index = false;
    return fail_collecting(library, status, error);
}

fr_status fr__library_read_class(fr_library *library, const fr_library_place *place, fr_class **out, fr_error *error) {
    char path[FR__LIBRARY_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", place->name, fr__library_file_name(place->kind));
    const void *bytes;
    size_t size;
    *out = NULL;
    fr_status status = library->files.load(path, FR_CLASS_MAX_BYTES, &bytes, &size, library->files.user, error);
    if (status != FR_OK) { return status; }
    fr_class_read_input input = fr_default_class_read_input();
    input.name = place->name;
    input.path = path;
    input.kind = place->kind;
    input.allocator = library->allocator;
    status = fr_class_read(bytes, size, &input, out, error);
    library->files.unload(bytes, size, library->files.user);
    return status;
}

// What is new, changed or gone, with the rows that the index gets; their texts are in `texts`.
typedef struct difference {
    entry_pointer_array changed;
    detail_array details;
    name_array gone;
    fr_arena *texts;
} difference;

// Reads the file of a class that is new or changed. FR_ERROR_MEMORY alone is a failure.
static fr_status read_slot(fr_library *library, fr__library_table *table, fr__library_slot *slot, difference *d) {
    fr_error why = {0};
    fr_class *c;
    fr_library_entry entry;
    fr_status status = fr__library_read_class(library, &slot->entry.place, &c, &why);
    if (status == FR_ERROR_MEMORY) { return status; }
    fr_library_detail *detail = detail_array_push(&d->details, 1);
    bool good = status == FR_OK ? fr__library_entry_describe(table, &slot->entry.place, fr_class_get(c), &entry)
                                : fr__library_entry_refuse(table, &slot->entry.place, &why, &entry);
    good = good && detail != NULL;
    if (good) { *detail = (fr_library_detail){0}; }
    // Without an index nothing is read for it.
    bool has_index = library->index.read != NULL && library->index.write != NULL;
    if (good && status == FR_OK && has_index) {
        good = fr__library_detail_make(library, fr_class_get(c), d->texts, detail);
    }
    fr_class_release(c);
    if (good) { slot->entry = entry; }
    return good ? FR_OK : FR_ERROR_MEMORY;
}

static bool note_gone(difference *d, const char *name) {
    const char **place = name_array_push(&d->gone, 1);
    if (place != NULL) { *place = name; }
    return place != NULL;
}

static bool note_changed(difference *d, const fr_library_entry *entry) {
    const fr_library_entry **place = entry_pointer_array_push(&d->changed, 1);
    if (place != NULL) { *place = entry; }
    return place != NULL;
}

// Goes through the list as it was and as it is now, both sorted: what is the same is copied, what is not is read.
static fr_status compare(fr_library *library, fr__library_table *now, difference *d) {
    const fr__library_slot_array *before = &library->table.slots;
    size_t old = 0;
    for (size_t i = 0; i < now->slots.count; i++) {
        fr__library_slot *slot = &now->slots.data[i];
        const char *name = slot->entry.place.name;
        while (old < before->count && strcmp(before->data[old].entry.place.name, name) < 0) {
            if (!note_gone(d, before->data[old++].entry.place.name)) { return FR_ERROR_MEMORY; }
        }
        fr__library_slot *was = old < before->count ? &before->data[old] : NULL;
        if (was != NULL && strcmp(was->entry.place.name, name) != 0) { was = NULL; }
        if (was != NULL) { old++; }
        if (was != NULL && is_same_place(&was->entry.place, &slot->entry.place)) {
            if (!fr__library_entry_copy(now, &was->entry, &slot->entry)) { return FR_ERROR_MEMORY; }
            slot->found = was->found != NULL ? fr_class_retain(was->found) : NULL;
            continue;
        }
        if (read_slot(library, now, slot, d) != FR_OK || !note_changed(d, &slot->entry)) { return FR_ERROR_MEMORY; }
    }
    while (old < before->count) {
        if (!note_gone(d, before->data[old++].entry.place.name)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

// Whether the list of names, sizes and times is the one that the library has.
static bool is_unchanged(const fr_library *library, const fr__library_table *now) {
    const fr__library_slot_array *before = &library->table.slots;
    if (before->count != now->slots.count) { return false; }
    for (size_t i = 0; i < before->count; i++) {
        const fr_library_place *a = &before->data[i].entry.place, *b = &now->slots.data[i].entry.place;
        if (strcmp(a->name, b->name) != 0 || !is_same_place(a, b)) { return false; }
    }
    return true;
}

static void write_index(fr_library *library, const difference *d, fr_library_report *report) {
    const fr_library_change change = {d->changed.data, d->details.data, d->changed.count, d->gone.data, d->gone.count};
    fr_error why = {0};
    if (library->index.read == NULL || library->index.write == NULL) { return; }
    if (library->index.write(&change, library->index.user, &why) != FR_OK) { note_index(report, &why); }
}

static void count_classes(const fr_library *library, fr_library_report *report) {
    for (size_t i = 0; i < library->table.slots.count; i++) {
        const fr_library_entry *entry = &library->table.slots.data[i].entry;
        uint32_t *count = entry->message[0] != '\0'              ? &report->wrong
                          : entry->place.kind == FR_CLASS_OBJECT ? &report->objects
                                                                 : &report->people;
        (*count)++;
    }
}

// Puts the new list into the place of the old one, once everything that can fail is done.
static fr_status renew(fr_library *library, fr__library_table *now, fr_library_report *report, fr_error *error) {
    difference d = {entry_pointer_array_make(&library->allocator), detail_array_make(&library->allocator),
                    name_array_make(&library->allocator), NULL};
    bool has_room = entry_pointer_array_reserve(&d.changed, now->slots.count) &&
                    fr_arena_create(0, &library->allocator, &d.texts, NULL) == FR_OK;
    fr_status status = has_room ? compare(library, now, &d) : FR_ERROR_MEMORY;
    if (status == FR_OK) {
        report->read = (uint32_t)d.changed.count;
        report->gone = (uint32_t)d.gone.count;
        write_index(library, &d, report);
        fr__library_table before = library->table;
        library->table = *now;
        *now = before;
        library->next_look = 0;
    }
    entry_pointer_array_destroy(&d.changed);
    detail_array_destroy(&d.details);
    name_array_destroy(&d.gone);
    if (d.texts != NULL) { fr_arena_destroy(d.texts); }
    return status == FR_OK ? FR_OK : fail_collecting(library, status, error);
}

fr_status fr_library_refresh(fr_library *library, fr_library_report *report, fr_error *error) {
    FR_ASSERT(library != NULL);
    fr_library_report unasked;
    if (report == NULL) { report = &unasked; }
    memset(report, 0, sizeof *report);
    if (!library->has_read_index) {
        fr_status status = read_index(library, report, error);
        if (status != FR_OK) { return status; }
    }

    // Taken before the list: what is added while it is made changes the number once more.
    uint64_t stamp = library->files.stamp(library->files.user);
    fr__library_table now;
    collecting c = {&now, library->max_classes, FR_OK};
    bool has_table = fr__library_table_make(&library->allocator, &now);
    fr_status status = has_table ? library->files.list(take_place, &c, library->files.user, error) : FR_ERROR_MEMORY;
    if (!has_table) { fail_collecting(library, status, error); }
    if (status == FR_OK && c.status != FR_OK) { status = fail_collecting(library, c.status, error); }
    if (status == FR_OK) { sort_slots(now.slots.data, now.slots.count); }
    if (status == FR_OK && !is_unchanged(library, &now)) { status = renew(library, &now, report, error); }
    fr__library_table_destroy(&now);
    if (status != FR_OK) { return status; }
    library->stamp = stamp;
    count_classes(library, report);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Poll

static bool has_moved(const fr_library *library, const fr_library_entry *entry) {
    fr_library_place place;
    return library->files.look(entry->place.name, &place, library->files.user, NULL) != FR_OK ||
           !is_same_place(&place, &entry->place);
}

fr_status fr_library_poll(fr_library *library, bool *is_changed, fr_error *error) {
    FR_ASSERT(library != NULL);
    size_t count = library->table.slots.count, looks = count < LOOKS ? count : LOOKS;
    bool changed = library->stamp != library->files.stamp(library->files.user);
    if (is_changed != NULL) { *is_changed = false; }
    for (size_t i = 0; i < looks && !changed; i++) {
        changed = has_moved(library, &library->table.slots.data[(library->next_look + i) % count].entry);
    }
    if (count > 0) { library->next_look = (library->next_look + looks) % count; }
    if (!changed) { return FR_OK; }
    fr_library_report report;
    fr_status status = fr_library_refresh(library, &report, error);
    if (is_changed != NULL) { *is_changed = status == FR_OK && report.read + report.gone > 0; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Classes

static fr_status refuse_name(const fr_library *library, const char *name, fr_error *error) {
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (size_t i = 0; i < library->table.slots.count; i++) {
        fr_suggestion_offer(&suggestion, library->table.slots.data[i].entry.place.name);
    }
    if (suggestion.best == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no class '%s'", name); }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no class '%s'; did you mean '%s'?", name, suggestion.best);
}

fr_status fr_library_find(fr_library *library, const char *name, fr_class **out, fr_error *error) {
    FR_ASSERT(library != NULL && name != NULL && out != NULL);
    *out = NULL;
    fr_library_place place;
    if (library->files.look(name, &place, library->files.user, NULL) != FR_OK) {
        // Listed for the message alone, where it has not been.
        if (!library->has_read_index) { (void)fr_library_refresh(library, NULL, NULL); }
        return refuse_name(library, name, error);
    }
    fr__library_slot *slots = library->table.slots.data;
    size_t at = find_slot(slots, library->table.slots.count, name);
    bool is_listed = at < library->table.slots.count && strcmp(slots[at].entry.place.name, name) == 0 &&
                     is_same_place(&slots[at].entry.place, &place);
    if (is_listed && slots[at].found != NULL) {
        *out = fr_class_retain(slots[at].found);
        return FR_OK;
    }
    fr_status status = fr__library_read_class(library, &place, out, error);
    if (status == FR_OK && is_listed) { slots[at].found = fr_class_retain(*out); }
    return status;
}
