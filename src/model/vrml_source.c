// The files of a model: its own, those that Inline, WWWInline and EXTERNPROTO name, and what is said about them.
#include "gzip.h"
#include "utf16.h"
#include "vrml_strict.h"
#include "xml.h"

#include <stdio.h>
#include <string.h>

#define HEAD_BYTES 256

// ---------------------------------------------------------------------------------------------------------------
// Messages

fr__source *fr__vrml_source_of(fr__vrml *vrml, const char *at) {
    const fr__cursor *now = &vrml->source->cursor;
    if (at >= now->begin && at <= now->end) { return vrml->source; }
    fr__source **sources = vrml->loaded.data;
    for (size_t i = 0; i < vrml->loaded.count; i++) {
        if (at >= sources[i]->cursor.begin && at <= sources[i]->cursor.end) { return sources[i]; }
    }
    return vrml->source;
}

static void warn(fr__vrml *vrml, const char *at, const char *text) {
    if (vrml->place != NULL) { at = vrml->place; }
    fr__reader *reader = vrml->reader;
    // Beyond those that are kept they are only counted, and need no place.
    if (reader->builder.warning_count >= FR_MODEL_MAX_WARNINGS || at == NULL) {
        fr__reader_warn(reader, NULL, "%s", text);
        return;
    }
    fr__source *source = fr__vrml_source_of(vrml, at), *first = vrml->loaded.data[0];
    fr__cursor own = reader->cursor;
    reader->cursor = first->cursor;
    if (source->parent == NULL) {
        fr__reader_warn(reader, at, "%s", text);
    } else {
        // The place in a file of its own stands in the text; the warning's is where the model's own file names it.
        fr__place place = fr__cursor_place(&source->cursor, at);
        const fr__source *named = source;
        while (named->parent->parent != NULL) {
            named = named->parent;
        }
        fr__reader_warn(reader, named->named_at, "%s:%d:%d: %s", source->path, place.line, place.column, text);
    }
    first->cursor.counted_at = reader->cursor.counted_at;
    first->cursor.counted_to = reader->cursor.counted_to;
    first->cursor.counted_line = reader->cursor.counted_line;
    reader->cursor = own;
}

static fr_status fail(fr__vrml *vrml, const char *at, fr_status status, const char *text) {
    if (vrml->place != NULL) { at = vrml->place; }
    fr__source *source = at != NULL ? fr__vrml_source_of(vrml, at) : vrml->source;
    vrml->is_file_error = source->parent != NULL;
    return fr__cursor_fail(&source->cursor, at, status, "%s", text);
}

#define FORMAT_MESSAGE(text)                                                                                           \
    char text[FR_ERROR_MESSAGE_BYTES];                                                                                 \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    vsnprintf(text, sizeof text, format, arguments);                                                                   \
    va_end(arguments)

void fr__vrml_warn(fr__vrml *vrml, const char *at, const char *format, ...) {
    FORMAT_MESSAGE(text);
    warn(vrml, at, text);
}

fr_status fr__vrml_problem(fr__vrml *vrml, const char *at, const char *format, ...) {
    FORMAT_MESSAGE(text);
    if (vrml->reader->input->is_strict) { return fail(vrml, at, FR_ERROR_SYNTAX, text); }
    warn(vrml, at, text);
    return FR_OK;
}

fr_status fr__vrml_fail(fr__vrml *vrml, const char *at, fr_status status, const char *format, ...) {
    FORMAT_MESSAGE(text);
    return fail(vrml, at, status, text);
}

fr_status fr__vrml_memory(fr__vrml *vrml) { return fail(vrml, NULL, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY)); }

fr_status fr__vrml_fail_building(fr__vrml *vrml, const char *at) {
    const fr__builder *builder = &vrml->reader->builder;
    if (builder->meter.is_stopped) { return fr__vrml_fail(vrml, NULL, FR_ERROR_STOPPED, FR__STOPPED_TEXT); }
    if (builder->over_what == NULL) { return fr__vrml_memory(vrml); }
    return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "more than %llu %s, the limit",
                         (unsigned long long)builder->over_limit, builder->over_what);
}

// ---------------------------------------------------------------------------------------------------------------
// The first line

static bool begins(const char *text, size_t size, const char *word) {
    size_t length = strlen(word);
    return size >= length && memcmp(text, word, length) == 0;
}

// VRML 1.0 and Inventor, whose files say in the first line whether they are text.
static fr_status accept_inventor(fr__vrml *vrml, fr__source *source, bool is_vrml1) {
    const fr__cursor *cursor = &source->cursor;
    source->is_inventor = true;
    source->is_vrml1 = is_vrml1;
    for (const char *at = cursor->at; at < cursor->end && !fr__is_line_end(*at); at++) {
        if (begins(at, (size_t)(cursor->end - at), "binary")) {
            return fr__vrml_fail(vrml, cursor->begin, FR_ERROR_UNSUPPORTED,
                                 "this is a binary Inventor file; only those in ascii are read: convert it first");
        }
    }
    return FR_OK;
}

// A file without a header is read where it begins as one could.
static fr_status accept_headless(fr__vrml *vrml, fr__source *source) {
    fr__cursor cursor = source->cursor, *before = vrml->cursor;
    vrml->cursor = &cursor;
    fr__vrml_gap(&cursor);
    fr__span word = fr__vrml_name(vrml);
    vrml->cursor = before;
    bool is_statement = fr__span_is(word, "DEF") || fr__span_is(word, "PROTO") || fr__span_is(word, "EXTERNPROTO") ||
                        fr__vtype_find(word) != NULL;
    if (fr__cursor_at_end(&cursor) || !is_statement) {
        return fr__vrml_fail(vrml, source->cursor.begin, FR_ERROR_SYNTAX, "the first line is not '#VRML V2.0 utf8'");
    }
    return fr__vrml_problem(vrml, source->cursor.begin, "the first line is not '#VRML V2.0 utf8'");
}

static fr_status check_header(fr__vrml *vrml, fr__source *source) {
    fr__cursor *cursor = &source->cursor;
    if (begins(cursor->at, fr__cursor_left(cursor), "\xef\xbb\xbf")) { cursor->at += 3; }
    const char *text = cursor->at;
    if (fr__xml_is_packed(text, fr__cursor_left(cursor))) {
        source->is_xml = true;
        source->is_x3d = true;
        return FR_OK;
    }
    size_t size = fr__cursor_left(cursor) < HEAD_BYTES ? fr__cursor_left(cursor) : HEAD_BYTES;
    if (begins(text, size, "#VRML V2.0")) { return FR_OK; }
    if (begins(text, size, "#VRML V1.")) { return accept_inventor(vrml, source, true); }
    if (begins(text, size, "#Inventor V")) { return accept_inventor(vrml, source, false); }
    if (begins(text, size, "#X3D V")) {
        source->is_x3d = true;
        return FR_OK;
    }
    size_t start = 0;
    while (start < size && fr__is_space(text[start])) {
        start++;
    }
    if (start < size && text[start] == '<') {
        source->is_xml = true;
        source->is_x3d = true;
        return FR_OK;
    }
    if (begins(text, size, "#VRML")) { return fr__vrml_problem(vrml, text, "the first line is not '#VRML V2.0 utf8'"); }
    return accept_headless(vrml, source);
}

// ---------------------------------------------------------------------------------------------------------------
// Opening

static fr_status inflate_source(fr__vrml *vrml, fr__source *source) {
    fr__builder *builder = &vrml->reader->builder;
    fr_byte_array text = fr_byte_array_make(&builder->allocator);
    const char *message;
    fr__cursor *cursor = &source->cursor;
    fr_status status = fr__gunzip(cursor->begin, (size_t)(cursor->end - cursor->begin), &builder->limits,
                                  &builder->meter, &text, &message);
    bool is_kept = status == FR_OK || (status == FR_ERROR_CORRUPT && text.count > 0);
    if (status == FR_ERROR_CORRUPT && is_kept) { status = fr__vrml_problem(vrml, cursor->begin, "%s", message); }
    if (status != FR_OK || !is_kept) {
        fr_byte_array_destroy(&text);
        if (status == FR_ERROR_SYNTAX) { status = FR_ERROR_CORRUPT; }
        return fr__vrml_fail(vrml, NULL, status, "%s", message);
    }
    source->inflated = text.data;
    source->inflated_capacity = text.capacity;
    *cursor = fr__cursor_make(text.data, text.count, cursor->name, cursor->control, cursor->error);
    return FR_OK;
}

static void free_text(fr__vrml *vrml, fr__source *source) {
    if (source->inflated == NULL) { return; }
    fr_deallocate(&vrml->reader->builder.allocator, source->inflated, source->inflated_capacity, 1);
    source->inflated = NULL;
}

// Makes UTF-8 of UTF-16, so that places in the text are lines and columns as in any other file.
static fr_status decode_source(fr__vrml *vrml, fr__source *source, fr__utf16 order) {
    fr__cursor *cursor = &source->cursor;
    size_t size = (size_t)(cursor->end - cursor->begin), bound = fr__utf16_bound(size);
    char *text = fr_allocate(&vrml->reader->builder.allocator, bound, 1, 1);
    if (text == NULL) { return fr__vrml_memory(vrml); }
    fr__utf16_output out = fr__utf16_decode(cursor->begin, size, order, text);
    free_text(vrml, source);
    source->inflated = text;
    source->inflated_capacity = bound;
    source->is_utf16 = true;
    *cursor = fr__cursor_make(text, out.size, cursor->name, cursor->control, cursor->error);
    if (!out.has_bad) { return FR_OK; }
    return fr__vrml_problem(vrml, text + out.bad_at, "bytes that are no character in UTF-16");
}

fr_status fr__source_prepare(fr__vrml *vrml, fr__source *source) {
    const fr__cursor *cursor = &source->cursor;
    if (fr__is_gzip(cursor->begin, (size_t)(cursor->end - cursor->begin))) { FR__TRY(inflate_source(vrml, source)); }
    fr__utf16 order = fr__utf16_find(cursor->begin, (size_t)(cursor->end - cursor->begin));
    if (order != FR__UTF16_NONE) { FR__TRY(decode_source(vrml, source, order)); }
    const char *text = cursor->at;
    while (text < cursor->end && fr__is_space(*text)) {
        text++;
    }
    if (source->is_utf16 && (text == cursor->end || *text != '<')) {
        return fr__vrml_fail(vrml, cursor->begin, FR_ERROR_UNSUPPORTED,
                             "the text is UTF-16, and VRML is UTF-8; convert it first");
    }
    return check_header(vrml, source);
}

static fr_status read_prepared(fr__vrml *vrml, fr__source *source) {
    FR__TRY(fr__source_prepare(vrml, source));
    FR__TRY(fr__strict_header(vrml, source));
    FR__TRY(fr__vrml_begin_file(vrml, source));
    FR__TRY(source->is_xml        ? fr__x3d_parse(vrml)
            : source->is_inventor ? fr__inventor_parse(vrml)
                                  : fr__vrml_parse(vrml));
    FR__TRY(fr__vrml_end_file(vrml));
    if (source->is_inventor) {
        source->inventor_roots = source->roots;
        source->inventor_root_count = source->root_count;
        source->roots = NULL;
        source->root_count = 0;
    }
    source->is_read = true;
    return FR_OK;
}

fr_status fr__source_read(fr__vrml *vrml, fr__source *source) {
    fr__source *outer = vrml->source;
    fr__cursor *cursor = vrml->cursor;
    fr__scope *scope = vrml->scope;
    fr__proto *protos = vrml->protos_open;
    const char *place = vrml->place;
    uint32_t depth = vrml->depth;
    vrml->source = source;
    vrml->cursor = &source->cursor;
    vrml->scope = NULL;
    vrml->protos_open = NULL;
    vrml->place = NULL;
    vrml->depth = 0;
    size_t frames = vrml->frames.count, values = vrml->values.count, items = vrml->items.count;
    fr_status status = read_prepared(vrml, source);
    bool is_wrong = status == FR_ERROR_SYNTAX || status == FR_ERROR_CORRUPT || status == FR_ERROR_UNSUPPORTED;
    bool is_left_out = is_wrong && outer != NULL && !vrml->reader->input->is_strict;
    if (status != FR_OK && !is_left_out) { return status; }
    if (is_left_out) {
        fr__vrml_warn(vrml, source->cursor.begin, "the file is left out: %s", vrml->file_error.message);
        source->is_missing = true;
        source->scope = NULL;
        source->root_count = 0;
        vrml->frames.count = frames;
        vrml->values.count = values;
        vrml->items.count = items;
    }
    vrml->source = outer;
    vrml->cursor = cursor;
    vrml->scope = scope;
    vrml->protos_open = protos;
    vrml->place = place;
    vrml->depth = depth;
    return FR_OK;
}

// What messages call a file: its path from where the model's own name starts.
static const char *name_of(fr__vrml *vrml, const char *path) {
    const char *model = vrml->reader->input->name;
    const char *slash = model != NULL ? strrchr(model, '/') : NULL;
    size_t folder = slash != NULL ? (size_t)(slash - model) + 1 : 0, length = strlen(path);
    char *name = fr__vrml_alloc(vrml, folder + length + 1, 1, 1);
    if (name == NULL) { return NULL; }
    if (folder > 0) { memcpy(name, model, folder); }
    memcpy(name + folder, path, length + 1);
    return name;
}

static fr_status add_source(fr__vrml *vrml, const char *path, const char *at, fr__source *parent, fr__source **out) {
    const fr_model_files *files = &vrml->reader->input->files;
    const void *bytes = NULL;
    size_t size = 0;
    fr_error error = {.status = FR_OK};
    fr__source *source = fr__vrml_alloc(vrml, 1, sizeof *source, _Alignof(fr__source));
    const char *name = name_of(vrml, path);
    fr__source **place = fr__source_pointer_array_push(&vrml->sources, 1);
    if (source == NULL || name == NULL || place == NULL) {
        vrml->sources.count -= place != NULL;
        return fr__vrml_memory(vrml);
    }
    *source = (fr__source){.path = path, .name = name, .named_at = at, .parent = parent, .depth = parent->depth + 1};
    *place = source;
    *out = source;
    fr__cursor *outer = &vrml->reader->cursor;
    source->cursor = fr__cursor_make("", 0, name, outer->control, &vrml->file_error);
    source->is_missing = files->load == NULL || files->load(path, &bytes, &size, files->context, &error) != FR_OK;
    if (source->is_missing) { return FR_OK; }
    source->bytes = bytes;
    source->size = size;
    fr__budget_add_file(vrml->reader->budget, size);
    place = fr__source_pointer_array_push(&vrml->loaded, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = source;
    source->cursor = fr__cursor_make(bytes, size, name, outer->control, &vrml->file_error);
    uint64_t limit = vrml->reader->builder.limits.bytes;
    if (size <= limit) { return FR_OK; }
    return fr__vrml_fail(vrml, NULL, FR_ERROR_LIMIT, "%s has %llu bytes, the limit is %llu", path,
                         (unsigned long long)size, (unsigned long long)limit);
}

fr_status fr__source_open(fr__vrml *vrml, fr__span url, const char *at, fr__source **source) {
    vrml->names++;
    *source = NULL;
    fr__source *parent = fr__vrml_source_of(vrml, at);
    const char *why, *path = fr__url_resolve(vrml, parent->path, url, &why);
    if (path == NULL && why == NULL) { return fr__vrml_memory(vrml); }
    if (path == NULL) {
        fr__vrml_warn(vrml, at, "'%.*s' %s and is not read", FR__SHOW(url), why);
        return FR_OK;
    }
    for (const fr__source *above = parent; above != NULL; above = above->parent) {
        if (strcmp(above->path, path) == 0) {
            return fr__vrml_problem(vrml, at, "%.60s would be read inside of itself", path);
        }
    }
    uint32_t limit = vrml->reader->builder.limits.inline_nesting;
    if (parent->depth >= limit) {
        return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "files are nested deeper than %u, the limit", limit);
    }
    bool is_new;
    uint32_t number = fr__vrml_find_key(vrml, &vrml->source_keys, path, strlen(path), &is_new);
    if (number == FR_NONE) { return fr__vrml_memory(vrml); }
    if (is_new) {
        FR__TRY(add_source(vrml, path, at, parent, source));
    } else {
        *source = vrml->sources.data[number];
    }
    if (!(*source)->is_missing) { return FR_OK; }
    *source = NULL;
    fr__vrml_warn(vrml, at, "the file %.80s cannot be read", path);
    return FR_OK;
}

void fr__source_close(fr__vrml *vrml, fr__source *source) {
    const fr_model_files *files = &vrml->reader->input->files;
    free_text(vrml, source);
    if (source->bytes != NULL && files->unload != NULL) { files->unload(source->bytes, source->size, files->context); }
}
