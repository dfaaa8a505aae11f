// Notes about clashes. { "fureai": 1, "notes": [ { "a": NAME, "b": NAME, "verdict": "accepted", "note": TEXT } ] }
#include "fureai/clash_notes.h"

#include <stddef.h>
#include <string.h>

enum { NOTES_VERSION = 1, MAX_DEPTH = 8 };

#define MAX_BYTES ((size_t)1 << 28)

FR_ARRAY_TYPE(note_array, fr_clash_note);

struct fr_clash_notes {
    note_array list; // sorted; their texts are ours
    fr_allocator allocator;
};

static const fr_json_word verdicts[] = {
    {"open", FR_CLASH_OPEN}, {"accepted", FR_CLASH_ACCEPTED}, {"ignored", FR_CLASH_IGNORED}, {NULL, 0}};

const char *fr_clash_verdict_name(fr_clash_verdict verdict) { return verdicts[verdict].name; }

// ---------------------------------------------------------------------------------------------------------------
// The list

static char *copy_text(const fr_clash_notes *notes, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = fr_allocate(&notes->allocator, size, 1, 1);
    if (copy != NULL) { memcpy(copy, text, size); }
    return copy;
}

static void free_text(const fr_clash_notes *notes, const char *text) {
    if (text != NULL) { fr_deallocate(&notes->allocator, (char *)(uintptr_t)text, strlen(text) + 1, 1); }
}

static void free_note(const fr_clash_notes *notes, const fr_clash_note *note) {
    free_text(notes, note->a);
    free_text(notes, note->b);
    free_text(notes, note->text);
}

static int compare(const fr_clash_note *note, const char *a, const char *b) {
    int order = strcmp(note->a, a);
    return order != 0 ? order : strcmp(note->b, b);
}

// The place of the first note that is not before two names, which are in order.
static size_t place_of(const fr_clash_notes *notes, const char *a, const char *b) {
    const fr_clash_note *list = notes->list.data;
    size_t low = 0, high = notes->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&list[middle], a, b) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const fr_clash_notes *notes, size_t place, const char *a, const char *b) {
    const fr_clash_note *list = notes->list.data;
    return place < notes->list.count && compare(&list[place], a, b) == 0;
}

static void put_in_order(const char **a, const char **b) {
    if (strcmp(*a, *b) <= 0) { return; }
    const char *first = *b;
    *b = *a;
    *a = first;
}

fr_status fr_clash_notes_create(const fr_allocator *allocator, fr_clash_notes **out, fr_error *error) {
    fr_allocator own = fr_allocator_or_default(allocator);
    *out = fr_allocate(&own, 1, sizeof **out, _Alignof(fr_clash_notes));
    if (*out == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for notes"); }
    **out = (fr_clash_notes){.list = note_array_make(&own), .allocator = own};
    return FR_OK;
}

void fr_clash_notes_destroy(fr_clash_notes *notes) {
    if (notes == NULL) { return; }
    const fr_clash_note *list = notes->list.data;
    for (size_t i = 0; i < notes->list.count; i++) {
        free_note(notes, &list[i]);
    }
    note_array_destroy(&notes->list);
    fr_allocator allocator = notes->allocator;
    fr_deallocate(&allocator, notes, 1, sizeof *notes);
}

const fr_clash_note *fr_clash_notes_list(const fr_clash_notes *notes, uint32_t *count) {
    *count = (uint32_t)notes->list.count;
    return notes->list.data;
}

const fr_clash_note *fr_clash_notes_find(const fr_clash_notes *notes, const char *a, const char *b) {
    put_in_order(&a, &b);
    size_t place = place_of(notes, a, b);
    const fr_clash_note *list = notes->list.data;
    return is_at(notes, place, a, b) ? &list[place] : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Changing

static bool is_right(const char *text, size_t min_bytes, size_t max_bytes) {
    size_t size = strlen(text), at = 0;
    while (at < size) {
        size_t length = fr_utf8_length(text + at, size - at);
        if (length == 0 || (unsigned char)text[at] < 0x20 || text[at] == 0x7f) { return false; }
        at += length;
    }
    return size >= min_bytes && size <= max_bytes;
}

static void remove_at(fr_clash_notes *notes, size_t place) {
    fr_clash_note *list = notes->list.data;
    free_note(notes, &list[place]);
    memmove(list + place, list + place + 1, (notes->list.count - place - 1) * sizeof *list);
    notes->list.count--;
}

// Puts a note whose texts are ours at its place, or into that of the one there.
static bool put_at(fr_clash_notes *notes, size_t place, bool is_known, const fr_clash_note *note) {
    if (!is_known && note_array_push(&notes->list, 1) == NULL) { return false; }
    fr_clash_note *list = notes->list.data;
    if (is_known) {
        free_note(notes, &list[place]);
    } else {
        memmove(list + place + 1, list + place, (notes->list.count - 1 - place) * sizeof *list);
    }
    list[place] = *note;
    return true;
}

fr_status fr_clash_notes_set(fr_clash_notes *notes, const fr_clash_note *note, fr_error *error) {
    FR_ASSERT(notes != NULL && note != NULL && note->a != NULL && note->b != NULL);
    const char *a = note->a, *b = note->b, *text = note->text != NULL ? note->text : "";
    put_in_order(&a, &b);
    bool has_names = is_right(a, 1, FR_CLASH_NAME_MAX_BYTES) && is_right(b, 1, FR_CLASH_NAME_MAX_BYTES);
    if (!has_names || (uint32_t)note->verdict > FR_CLASH_IGNORED || !is_right(text, 0, FR_CLASH_TEXT_MAX_BYTES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "a note is about two names, and of at most %d bytes without control characters",
                            FR_CLASH_TEXT_MAX_BYTES);
    }
    size_t place = place_of(notes, a, b);
    bool is_known = is_at(notes, place, a, b);
    if (note->verdict == FR_CLASH_OPEN && text[0] == '\0') {
        if (is_known) { remove_at(notes, place); }
        return FR_OK;
    }
    if (!is_known && notes->list.count >= FR_CLASH_MAX_NOTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "there are %u notes already", FR_CLASH_MAX_NOTES);
    }
    fr_clash_note made = {copy_text(notes, a), copy_text(notes, b), note->verdict, copy_text(notes, text)};
    bool is_whole = made.a != NULL && made.b != NULL && made.text != NULL;
    if (is_whole && put_at(notes, place, is_known, &made)) { return FR_OK; }
    free_note(notes, &made);
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a note");
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

enum { NOTE_A, NOTE_B, NOTE_VERDICT, NOTE_TEXT, NOTE_KEYS };

static const fr_json_field note_fields[NOTE_KEYS] = {[NOTE_A] = {.key = "a",
                                                                 .is_required = true,
                                                                 .type = FR_JSON_AS_STRING,
                                                                 .offset = offsetof(fr_clash_note, a),
                                                                 .count = FR_CLASH_NAME_MAX_BYTES},
                                                     [NOTE_B] = {.key = "b",
                                                                 .is_required = true,
                                                                 .type = FR_JSON_AS_STRING,
                                                                 .offset = offsetof(fr_clash_note, b),
                                                                 .count = FR_CLASH_NAME_MAX_BYTES},
                                                     [NOTE_VERDICT] = {.key = "verdict",
                                                                       .is_required = true,
                                                                       .type = FR_JSON_AS_WORD,
                                                                       .offset = offsetof(fr_clash_note, verdict),
                                                                       .words = verdicts},
                                                     [NOTE_TEXT] = {.key = "note",
                                                                    .type = FR_JSON_AS_STRING,
                                                                    .offset = offsetof(fr_clash_note, text),
                                                                    .count = FR_CLASH_TEXT_MAX_BYTES}};

static bool read_note(fr_json_reader *r, fr_json_value value, fr_clash_notes *notes) {
    fr_json_value values[NOTE_KEYS];
    fr_clash_note note = {.text = ""};
    if (!fr_json_read_object(r, value, "a note", note_fields, NOTE_KEYS, values) ||
        !fr_json_read_fields(r, values, note_fields, NOTE_KEYS, &note)) {
        return false;
    }
    if (fr_clash_notes_find(notes, note.a, note.b) != NULL) {
        return fr_json_fail(r, value, FR_ERROR_ARGUMENT, "there is a note about these parts already");
    }
    fr_error error = {0};
    fr_status status = fr_clash_notes_set(notes, &note, &error);
    if (status == FR_ERROR_MEMORY) { return fr_json_fail_memory(r); }
    return status == FR_OK || fr_json_fail(r, value, status, "%s", error.message);
}

static bool read_notes(fr_json_reader *r, fr_clash_notes *notes) {
    static const fr_json_field fields[] = {{.key = "fureai", .is_required = true},
                                           {.key = "notes", .is_required = true}};
    const fr_json_range versions = {0.0, UINT32_MAX};
    fr_json_value values[2];
    uint32_t version = 0;
    if (!fr_json_read_object(r, FR_JSON_ROOT, "a file of notes", fields, 2, values) ||
        !fr_json_read_whole(r, values[0], "fureai", versions, &version)) {
        return false;
    }
    if (version != NOTES_VERSION) {
        return fr_json_fail(r, values[0], FR_ERROR_VERSION, "version %u is not known; this is version %d", version,
                            NOTES_VERSION);
    }
    if (!fr_json_read_array(r, values[1], "notes", 0, FR_CLASH_MAX_NOTES)) { return false; }
    for (fr_json_value value = fr_json_first(r->json, values[1]); value != FR_JSON_NONE;
         value = fr_json_next(r->json, value)) {
        if (!read_note(r, value, notes)) { return false; }
    }
    return true;
}

fr_status fr_clash_notes_read(const char *text, size_t size, const char *name, const fr_allocator *allocator,
                              fr_clash_notes **out, fr_error *error) {
    *out = NULL;
    fr_json_def def = fr_default_json_def();
    def.name = name;
    def.max_bytes = MAX_BYTES;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = fr_allocator_or_default(allocator);
    fr_json *json = NULL;
    fr_arena *strings = NULL;
    fr_clash_notes *notes = NULL;
    fr_status status = fr_json_create(text, size, &def, &json, error);
    if (status == FR_OK) { status = fr_clash_notes_create(allocator, &notes, error); }
    if (status == FR_OK) { status = fr_arena_create(0, allocator, &strings, error); }
    if (status == FR_OK) {
        fr_json_reader reader = fr_json_reader_make(json, strings, error);
        if (!read_notes(&reader, notes)) { status = reader.status; }
    }
    fr_arena_destroy(strings);
    fr_json_destroy(json);
    if (status == FR_OK) {
        *out = notes;
    } else {
        fr_clash_notes_destroy(notes);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

fr_status fr_clash_notes_write(const fr_clash_notes *notes, fr_json_write_fn *write, void *context, fr_error *error) {
    fr_json_writer w = fr_json_writer_make(write, context, 0, &notes->allocator);
    w.indent = 2;
    w.line_depth = 2;
    fr_json_write_object(&w);
    fr_json_write_uint_field(&w, "fureai", NOTES_VERSION);
    fr_json_write_key(&w, "notes");
    fr_json_write_array(&w);
    const fr_clash_note *list = notes->list.data;
    for (size_t i = 0; i < notes->list.count; i++) {
        fr_json_write_object(&w);
        fr_json_write_string_field(&w, "a", list[i].a);
        fr_json_write_string_field(&w, "b", list[i].b);
        fr_json_write_string_field(&w, "verdict", fr_clash_verdict_name(list[i].verdict));
        if (list[i].text[0] != '\0') { fr_json_write_string_field(&w, "note", list[i].text); }
        fr_json_write_object_end(&w);
    }
    fr_json_write_array_end(&w);
    fr_json_write_object_end(&w);
    return fr_json_writer_end(&w) ? FR_OK : fr_error_set(error, FR_ERROR_FILE, "the notes could not be written");
}
