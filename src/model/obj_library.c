// Material libraries of an OBJ file (`mtllib`, .mtl files): the looks of the materials that `usemtl` names.
#include "file_path.h"
#include "obj.h"

#define MAX_LIBRARIES 100 // that are read for one file

// A library while it is read.
typedef struct library {
    fr__obj *obj;
    fr__cursor cursor;
    const char *path;
    const char *named_at;        // in the OBJ file
    fr_model_material *material; // at hand; NULL for one that the file does not use
} library;

// Notes what was passed over in a library, where the OBJ file names it.
static void warn(library *l, const char *at, const char *what) {
    fr__place place = fr__cursor_place(&l->cursor, at);
    fr__reader_warn(l->obj->reader, l->named_at, "%.60s:%d:%d: %s", l->path, place.line, place.column, what);
}

// Up to `count` numbers from 0 to 1, brought into it; false where one is none.
static bool take_fractions(library *l, int count, float *values) {
    for (int i = 0; i < count; i++) {
        double value = 0.0;
        fr__skip_blanks(&l->cursor);
        if (fr_number_read(&l->cursor.at, l->cursor.end, &value) != FR_NUMBER_OK) { return false; }
        values[i] = value > 0.0 ? (value < 1.0 ? (float)value : 1.0f) : 0.0f;
        // One number stands for three.
        fr__skip_blanks(&l->cursor);
        if (i == 0 && count == 3 && fr__cursor_at_line_end(&l->cursor)) {
            values[1] = values[2] = values[0];
            return true;
        }
    }
    return true;
}

static void take_color(library *l, const char *at, float color[3]) {
    float values[3];
    if (take_fractions(l, 3, values)) {
        memcpy(color, values, sizeof values);
    } else {
        warn(l, at, "a colour that is not three numbers is passed over");
    }
}

// `d` is how opaque a material is, `Tr` how transparent, `Ns` the exponent of its shine.
static void take_number(library *l, const char *at, char kind) {
    double value = 0.0;
    fr__skip_blanks(&l->cursor);
    if (fr_number_read(&l->cursor.at, l->cursor.end, &value) != FR_NUMBER_OK) {
        warn(l, at, "what is no number is passed over");
        return;
    }
    double part = kind == 's' ? value / 128.0 : value;
    float fraction = part > 0.0 ? (part < 1.0 ? (float)part : 1.0f) : 0.0f;
    if (kind == 's') {
        l->material->shininess = fraction;
    } else {
        l->material->transparency = kind == 'd' ? 1.0f - fraction : fraction;
    }
}

static void take_statement(library *l) {
    const char *at = l->cursor.at;
    fr__span word = fr__take_word(&l->cursor);
    if (fr__span_is(word, "newmtl")) {
        uint32_t number = fr__names_find(&l->obj->materials, fr__rest_of_line(&l->cursor));
        l->material = number != FR_NONE ? &l->obj->reader->builder.material_list.data[number] : NULL;
    }
    if (l->material == NULL) { return; }
    if (fr__span_is(word, "kd")) {
        take_color(l, at, l->material->diffuse);
    } else if (fr__span_is(word, "ks")) {
        take_color(l, at, l->material->specular);
    } else if (fr__span_is(word, "ke")) {
        take_color(l, at, l->material->emissive);
    } else if (fr__span_is(word, "ns")) {
        take_number(l, at, 's');
    } else if (fr__span_is(word, "d")) {
        take_number(l, at, 'd');
    } else if (fr__span_is(word, "tr")) {
        take_number(l, at, 't');
    }
}

static fr_status read_statements(library *l) {
    while (!fr__cursor_at_end(&l->cursor)) {
        FR__TRY(fr__cursor_check(&l->cursor));
        fr__skip_blanks(&l->cursor);
        if (!fr__cursor_at_line_end(&l->cursor) && *l->cursor.at != '#') { take_statement(l); }
        fr__skip_line(&l->cursor);
    }
    return FR_OK;
}

// Reads one library; *is_there says whether there is such a file. `path` has room for the name resolved.
static fr_status read_library(fr__obj *obj, fr__span name, char *path, bool *is_there, const char **why) {
    const fr_model_files *files = &obj->reader->input->files;
    const void *bytes = NULL;
    size_t size = 0;
    fr_error ignored;
    *why = fr__path_resolve("", name, path);
    *is_there =
        *why == NULL && files->load != NULL && files->load(path, &bytes, &size, files->context, &ignored) == FR_OK;
    if (!*is_there) { return FR_OK; }
    fr__reader *reader = obj->reader;
    fr_status status = FR_OK;
    if (size > reader->builder.limits.bytes) {
        fr__reader_warn(reader, name.begin, "the library %.60s is over the limit of bytes", path);
    } else {
        fr__budget_add_file(reader->budget, size);
        library l = {obj, fr__cursor_make(bytes, size, path, reader->cursor.control, reader->cursor.error), path,
                     name.begin, NULL};
        status = read_statements(&l);
    }
    if (files->unload != NULL) { files->unload(bytes, size, files->context); }
    return status;
}

// The libraries of one statement: the rest of its line where a file has that name, otherwise each word of it up to a
// comment.
static fr_status read_libraries(fr__obj *obj, fr__span names, char *path, size_t *left) {
    bool is_there = false;
    const char *why = NULL;
    FR__TRY(read_library(obj, names, path, &is_there, &why));
    if (is_there) {
        --*left;
        return FR_OK;
    }
    for (fr__span rest = names; rest.length > 0 && *rest.begin != '#' && *left > 0; --*left) {
        size_t length = 0, skipped = 0;
        while (length < rest.length && !fr__is_space(rest.begin[length])) {
            length++;
        }
        fr__span name = {rest.begin, length};
        // A name of one word was looked for already.
        if (length < names.length) { FR__TRY(read_library(obj, name, path, &is_there, &why)); }
        if (!is_there) {
            fr__reader_warn(obj->reader, name.begin, "the material library %.*s %s", (int)(length < 60 ? length : 60),
                            name.begin, why != NULL ? why : "is not there");
        }
        while (length + skipped < rest.length && fr__is_space(rest.begin[length + skipped])) {
            skipped++;
        }
        rest = (fr__span){rest.begin + length + skipped, rest.length - length - skipped};
    }
    return FR_OK;
}

fr_status fr__obj_read_libraries(fr__obj *obj) {
    fr_byte_array room = fr_byte_array_make(&obj->reader->builder.allocator);
    fr_status status = FR_OK;
    size_t left = MAX_LIBRARIES;
    for (uint32_t i = 0; i < obj->libraries.spans.count && status == FR_OK && left > 0; i++) {
        fr__span names = fr__names_get(&obj->libraries, i);
        room.count = 0;
        unsigned char *path = fr_byte_array_push(&room, fr__path_room("", names));
        status = path != NULL ? read_libraries(obj, names, (char *)path, &left)
                              : fr__reader_fail_building(obj->reader, NULL);
    }
    if (left == 0) { fr__reader_warn(obj->reader, NULL, "no more than %d material libraries are read", MAX_LIBRARIES); }
    fr_byte_array_destroy(&room);
    return status;
}
