// Which format the bytes are in, and reading them.
#include "bytes.h"
#include "frm.h"
#include "gzip.h"
#include "model.h"
#include "utf16.h"
#include "xml.h"

#include <math.h>
#include <string.h>

#define READ_COOKIE UINT32_C(0x6d647231)
#define LOOK_BYTES 4096
#define MAX_INDICES (UINT64_C(0xffffffff) - 1)

static const struct {
    const char *name;
    const char *ending; // NULL where another format has it
    fr_status (*read)(fr__reader *reader);
} formats[FR_MODEL_FORMAT_COUNT] = {
    [FR_MODEL_AUTO] = {"auto", NULL, NULL},
    [FR_MODEL_OBJ] = {"obj", ".obj", fr__read_obj},
    [FR_MODEL_STL] = {"stl", ".stl", fr__read_stl_binary},
    [FR_MODEL_STL_ASCII] = {"stl-ascii", NULL, fr__read_stl_ascii},
    [FR_MODEL_PLY] = {"ply", ".ply", fr__read_ply},
    [FR_MODEL_PLY_ASCII] = {"ply-ascii", NULL, fr__read_ply},
    [FR_MODEL_OFF] = {"off", ".off", fr__read_off},
    [FR_MODEL_VRML] = {"vrml", ".wrl", fr__read_vrml},
    [FR_MODEL_VRML_1] = {"VRML 1.0", NULL, fr__read_vrml},
    [FR_MODEL_INVENTOR] = {"Inventor 2.x", ".iv", fr__read_vrml},
    [FR_MODEL_X3D] = {"x3d", ".x3d", fr__read_vrml},
    [FR_MODEL_X3D_VRML] = {"x3dv", ".x3dv", fr__read_vrml},
    [FR_MODEL_DXF] = {"dxf", ".dxf", fr__read_dxf},
    [FR_MODEL_GLTF] = {"gltf", ".gltf", fr__read_gltf},
    [FR_MODEL_GLB] = {"glb", ".glb", fr__read_glb},
    [FR_MODEL_COLLADA] = {"collada", ".dae", fr__read_collada},
    [FR_MODEL_FRM] = {"frm", ".frm", NULL},
};

const char *fr_model_format_name(fr_model_format format) {
    bool known = (unsigned)format < FR_MODEL_FORMAT_COUNT;
    return formats[known ? format : FR_MODEL_AUTO].name;
}

// Endings of gzip files, and others that mean the same.
static const struct {
    const char *ending;
    fr_model_format format;
} more_endings[] = {{".wrz", FR_MODEL_VRML},         {".wrl.gz", FR_MODEL_VRML},   {".vrml", FR_MODEL_VRML},
                    {".x3dz", FR_MODEL_X3D},         {".x3d.gz", FR_MODEL_X3D},    {".x3dvz", FR_MODEL_X3D_VRML},
                    {".x3dv.gz", FR_MODEL_X3D_VRML}, {".iv.gz", FR_MODEL_INVENTOR}};

static bool has_ending(const char *name, size_t length, const char *ending) {
    size_t count = strlen(ending);
    return length >= count && fr__span_is((fr__span){name + length - count, count}, ending);
}

fr_model_format fr_model_format_of_name(const char *name) {
    if (name == NULL) { return FR_MODEL_AUTO; }
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof more_endings / sizeof more_endings[0]; i++) {
        if (has_ending(name, length, more_endings[i].ending)) { return more_endings[i].format; }
    }
    for (int format = 0; format < FR_MODEL_FORMAT_COUNT; format++) {
        const char *ending = formats[format].ending;
        if (ending != NULL && has_ending(name, length, ending)) { return (fr_model_format)format; }
    }
    return FR_MODEL_AUTO;
}

// ---------------------------------------------------------------------------------------------------------------
// Detection

// The first word of text whose lines begin with # where they are comments.
static fr__span first_word(fr__cursor *cursor) {
    for (;;) {
        fr__skip_spaces(cursor);
        if (fr__cursor_at_end(cursor) || *cursor->at != '#') { return fr__take_word(cursor); }
        fr__skip_line(cursor);
    }
}

static bool is_one_of(fr__span word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (fr__span_is(word, words[i])) { return true; }
    }
    return false;
}

// Text and binary STL are distinguished by the size, which follows from a binary file's count of triangles: binary
// files that begin with "solid" are common. Where it does not fit, a text begins with "solid" and has no zero byte.
static fr_model_format detect_stl(const char *bytes, size_t size) {
    if (size >= 84 && size - 84 == (uint64_t)50 * fr__load_u32(bytes + 80, false)) { return FR_MODEL_STL; }
    size_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    fr__cursor cursor = fr__cursor_make(bytes, look, NULL, NULL, NULL);
    fr__skip_spaces(&cursor);
    static const char *const words[] = {"solid", "facet"};
    bool text = is_one_of(fr__take_word(&cursor), words, 2) && memchr(bytes, '\0', look) == NULL;
    return text ? FR_MODEL_STL_ASCII : FR_MODEL_AUTO;
}

static fr_model_format detect_ply(const char *bytes, size_t size) {
    if (size < 4 || memcmp(bytes, "ply", 3) != 0 || !fr__is_space(bytes[3])) { return FR_MODEL_AUTO; }
    fr__cursor cursor = fr__cursor_make(bytes, size < LOOK_BYTES ? size : LOOK_BYTES, NULL, NULL, NULL);
    for (fr__skip_line(&cursor); !fr__cursor_at_end(&cursor); fr__skip_line(&cursor)) {
        fr__skip_blanks(&cursor);
        if (!fr__span_is(fr__take_word(&cursor), "format")) { continue; }
        fr__skip_blanks(&cursor);
        if (fr__span_is(fr__take_word(&cursor), "ascii")) { return FR_MODEL_PLY_ASCII; }
        break;
    }
    return FR_MODEL_PLY;
}

static bool is_off(const char *bytes, size_t size) {
    fr__cursor cursor = fr__cursor_make(bytes, size, NULL, NULL, NULL);
    fr__span word = first_word(&cursor);
    return word.length >= 3 && word.length <= 7 && fr__span_is((fr__span){word.begin + word.length - 3, 3}, "off");
}

// Text that begins with its first section, or the mark of a binary file.
static bool is_dxf(const char *bytes, size_t size) {
    if (size >= 18 && memcmp(bytes, "AutoCAD Binary DXF", 18) == 0) { return true; }
    fr__cursor cursor = fr__cursor_make(bytes, size, NULL, NULL, NULL);
    fr__skip_spaces(&cursor);
    if (!fr__span_is(fr__take_word(&cursor), "0")) { return false; }
    fr__skip_spaces(&cursor);
    return fr__span_is(fr__take_word(&cursor), "section");
}

static bool begins(const char *bytes, size_t size, const char *word) {
    return size >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

// The first line of VRML, Inventor and classic X3D. XML whose first element is X3D.
static fr_model_format detect_vrml(const char *bytes, size_t size) {
    if (begins(bytes, size, "\xef\xbb\xbf")) {
        bytes += 3;
        size -= 3;
    }
    if (begins(bytes, size, "#VRML V1.")) { return FR_MODEL_VRML_1; }
    if (begins(bytes, size, "#VRML V")) { return FR_MODEL_VRML; }
    if (begins(bytes, size, "#Inventor V")) { return FR_MODEL_INVENTOR; }
    if (begins(bytes, size, "#X3D V")) { return FR_MODEL_X3D_VRML; }
    fr__cursor cursor = fr__cursor_make(bytes, size, NULL, NULL, NULL);
    fr__skip_spaces(&cursor);
    if (fr__cursor_at_end(&cursor) || *cursor.at != '<') { return FR_MODEL_AUTO; }
    for (; fr__cursor_left(&cursor) >= 5; cursor.at++) {
        if (memcmp(cursor.at, "<X3D", 4) == 0 && (fr__is_space(cursor.at[4]) || cursor.at[4] == '>')) {
            return FR_MODEL_X3D;
        }
    }
    return FR_MODEL_AUTO;
}

// The same of text in UTF-16, by its first bytes; the reader of VRML refuses what is not XML.
static fr_model_format detect_utf16(const char *bytes, size_t size) {
    char text[LOOK_BYTES / 2 * 3 + 3];
    size_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    fr__utf16_output out = fr__utf16_decode(bytes, look, fr__utf16_find(bytes, size), text);
    fr_model_format format = detect_vrml(text, out.size);
    return format == FR_MODEL_AUTO || format == FR_MODEL_X3D ? format : FR_MODEL_VRML;
}

static fr_model_format detect_markup(const char *bytes, size_t size) {
    bool is_utf16 = fr__utf16_find(bytes, size) != FR__UTF16_NONE;
    return is_utf16 ? detect_utf16(bytes, size) : detect_vrml(bytes, size);
}

static bool is_vrml_family(fr_model_format format) { return format >= FR_MODEL_VRML && format <= FR_MODEL_X3D_VRML; }

// What a gzip file holds; nothing but VRML and X3D is read so. False without memory.
static bool detect_gzip(const void *bytes, size_t size, const char *name, const fr_allocator *allocator,
                        fr_model_format *out) {
    char text[LOOK_BYTES];
    size_t count;
    bool has_memory = fr__gunzip_peek(bytes, size, allocator, text, sizeof text, &count);
    fr_model_format format = detect_markup(text, count);
    if (format == FR_MODEL_AUTO) { format = fr_model_format_of_name(name); }
    *out = is_vrml_family(format) ? format : FR_MODEL_AUTO;
    return has_memory;
}

static bool is_obj(const char *bytes, size_t size) {
    static const char *const words[] = {"v", "vt", "vn", "f", "o", "g", "s", "mtllib", "usemtl"};
    fr__cursor cursor = fr__cursor_make(bytes, size, NULL, NULL, NULL);
    return is_one_of(first_word(&cursor), words, sizeof words / sizeof words[0]);
}

// The format of bytes that are no gzip file.
static fr_model_format detect_plain(const void *bytes, size_t size, const char *name) {
    if (size == 0) { return fr_model_format_of_name(name); }
    size_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    if (size >= 8 && memcmp(bytes, FR__FRM_MARK, 8) == 0) { return FR_MODEL_FRM; }
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) { return FR_MODEL_GLB; }
    const char *root = fr__xml_packed_root(bytes, size);
    if (root != NULL) { return strcmp(root, "COLLADA") == 0 ? FR_MODEL_COLLADA : FR_MODEL_X3D; }
    fr_model_format format = detect_markup(bytes, look);
    if (format == FR_MODEL_AUTO) { format = detect_ply(bytes, size); }
    if (format == FR_MODEL_AUTO) { format = detect_stl(bytes, size); }
    if (format == FR_MODEL_AUTO && is_off(bytes, look)) { format = FR_MODEL_OFF; }
    if (format == FR_MODEL_AUTO && is_dxf(bytes, look)) { format = FR_MODEL_DXF; }
    if (format == FR_MODEL_AUTO) { format = fr_model_format_of_name(name); }
    if (format == FR_MODEL_AUTO && is_obj(bytes, look)) { format = FR_MODEL_OBJ; }
    return format;
}

// False, and the format that the name gives, without memory.
static bool detect(const void *bytes, size_t size, const char *name, const fr_allocator *allocator,
                   fr_model_format *out) {
    if (fr__is_gzip(bytes, size)) { return detect_gzip(bytes, size, name, allocator, out); }
    *out = detect_plain(bytes, size, name);
    return true;
}

fr_model_format fr_model_format_detect(const void *bytes, size_t size, const char *name) {
    fr_allocator allocator = fr_default_allocator();
    fr_model_format format;
    (void)detect(bytes, size, name, &allocator, &format);
    return format;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

fr_model_read_input fr_default_model_read_input(void) {
    return (fr_model_read_input){.limits = {.memory = UINT64_C(1) << 28,
                                            .memory_a_byte = 4000,
                                            .bytes = UINT64_C(1) << 31,
                                            .vertices = UINT64_C(1) << 28,
                                            .faces = UINT64_C(1) << 27,
                                            .corners = UINT64_C(1) << 30,
                                            .polygon_corners = UINT64_C(1) << 16,
                                            .nodes = 10000000,
                                            .inflated_bytes = UINT64_C(1) << 30,
                                            .inflation = 200,
                                            .placed_vertices = 50000000,
                                            .placed_triangles = 100000000,
                                            .elements = 50000000,
                                            .string_bytes = UINT64_C(1) << 20,
                                            .pixels = UINT64_C(64) << 20,
                                            .nesting = 128,
                                            .proto_nesting = 32,
                                            .inline_nesting = 8},
                                 .cookie = READ_COOKIE};
}

static uint64_t min_of(uint64_t value, uint64_t limit) { return value < limit ? value : limit; }

// The format to read as. For STL and PLY the bytes say themselves whether they are text, and for VRML which it is.
// False without memory.
static bool find_format(const void *bytes, size_t size, const fr_model_read_input *input, const fr_allocator *allocator,
                        fr_model_format *out) {
    fr_model_format wanted = input->format, found = FR_MODEL_AUTO;
    *out = wanted;
    if (wanted == FR_MODEL_AUTO) { return detect(bytes, size, input->name, allocator, out); }
    if (size == 0) { return true; }
    if (wanted == FR_MODEL_STL || wanted == FR_MODEL_STL_ASCII) { found = detect_stl(bytes, size); }
    if (wanted == FR_MODEL_PLY || wanted == FR_MODEL_PLY_ASCII) { found = detect_ply(bytes, size); }
    if (is_vrml_family(wanted)) {
        if (!detect(bytes, size, NULL, allocator, &found)) { return false; }
        if (!is_vrml_family(found)) { found = FR_MODEL_AUTO; }
    }
    if (found != FR_MODEL_AUTO) { *out = found; }
    return true;
}

// Looks at the input and makes the reader.
static fr_status begin_reading(fr__reader *reader, const void *bytes, size_t size, const fr_model_read_input *input,
                               fr_error *error) {
    if (!isfinite(input->unit) || input->unit < 0.0 || (unsigned)input->up > FR_MODEL_UP_Z) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a unit has more than 0 metres, and up is one of the axes");
    }
    fr_model_limits limits = input->limits;
    limits.vertices = min_of(limits.vertices, MAX_INDICES);
    limits.faces = min_of(limits.faces, MAX_INDICES);
    limits.corners = min_of(limits.corners, MAX_INDICES);
    limits.nodes = min_of(limits.nodes, MAX_INDICES);

    *reader = (fr__reader){.cursor = fr__cursor_make(bytes, size, input->name, input->control, error),
                           .precision = input->precision,
                           .input = input};
    if (size > limits.bytes) {
        return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_LIMIT, "the file has %llu bytes, the limit is %llu",
                               (unsigned long long)size, (unsigned long long)limits.bytes);
    }
    reader->budget = fr__budget_create(&limits, &input->allocator);
    if (reader->budget == NULL) {
        return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    fr__budget_add_file(reader->budget, size);
    fr_allocator allocator = fr__budget_allocator(reader->budget);
    reader->builder = fr__builder_make(&limits, &allocator);
    reader->builder.meter.control = input->control;
    return FR_OK;
}

// The model, where there is one, takes the budget over, whose allocator its memory goes back to.
static fr_status end_reading(fr__reader *reader, fr_status status, fr_model *model) {
    fr__builder_free(&reader->builder);
    if (status == FR_OK) {
        fr__budget_close(reader->budget);
        model->budget = reader->budget;
        model->store.meter = (fr__work_meter){.control = NULL};
        fr_control_progress(reader->input->control, 1.0, "reading");
        return FR_OK;
    }
    if (status == FR_ERROR_MEMORY && reader->budget->has_refused) {
        const fr__cursor *cursor = &reader->cursor;
        const char *at = cursor->at > cursor->begin && cursor->at < cursor->end ? cursor->at : NULL;
        char text[FR_ERROR_MESSAGE_BYTES];
        status = fr__cursor_fail(&reader->cursor, at, FR_ERROR_LIMIT, "%s", fr__reader_memory_text(reader, text));
    }
    fr__budget_destroy(reader->budget);
    return status;
}

// Reads with a reader that has begun.
static fr_status read_as(fr__reader *reader, fr_model_format format, fr_model **out) {
    const fr_model_read_input *input = reader->input;
    if (format <= FR_MODEL_AUTO || format >= FR_MODEL_FORMAT_COUNT ||
        (formats[format].read == NULL && format != FR_MODEL_FRM)) {
        return fr__cursor_fail(
            &reader->cursor, NULL, FR_ERROR_UNSUPPORTED,
            "this is none of the formats that are read: OBJ, STL, PLY, OFF, VRML, Inventor, X3D, DXF, "
            "glTF, Collada, frm");
    }
    if (format == FR_MODEL_FRM) { return fr__read_frm(reader, false, out); }
    FR__TRY(formats[format].read(reader));
    if (input->may_guess) { fr__builder_guess_frame(&reader->builder, format, input); }
    if (!fr__builder_apply_frame(&reader->builder, input->unit, input->up)) {
        return fr__reader_fail_building(reader, NULL);
    }
    fr_status status = fr__builder_finish(&reader->builder, format, out);
    if (status == FR_OK) { return FR_OK; }
    return fr__cursor_fail(&reader->cursor, NULL, status, "%s",
                           status == FR_ERROR_STOPPED ? FR__STOPPED_TEXT : fr_status_text(status));
}

fr_status fr_model_read(const void *bytes, size_t size, const fr_model_read_input *input, fr_model **out,
                        fr_error *error) {
    fr_model_read_input defaults = fr_default_model_read_input();
    if (input == NULL) { input = &defaults; }
    *out = NULL;
    if (input->cookie != READ_COOKIE) { return fr_error_set_cookie(error, "fr_default_model_read_input"); }
    fr__reader reader;
    FR__TRY(begin_reading(&reader, bytes, size, input, error));
    fr_model_format format;
    fr_status status = find_format(bytes, size, input, &reader.builder.allocator, &format)
                           ? read_as(&reader, format, out)
                           : fr__reader_fail_building(&reader, NULL);
    return end_reading(&reader, status, *out);
}

fr_status fr_model_map(const void *bytes, size_t size, const fr_model_read_input *input, fr_model **out,
                       fr_error *error) {
    fr_model_read_input defaults = fr_default_model_read_input();
    if (input == NULL) { input = &defaults; }
    FR_ASSERT((uintptr_t)bytes % FR__FRM_ALIGN == 0);
    *out = NULL;
    if (input->cookie != READ_COOKIE) { return fr_error_set_cookie(error, "fr_default_model_read_input"); }
    fr__reader reader;
    FR__TRY(begin_reading(&reader, bytes, size, input, error));
    fr_status status = fr__read_frm(&reader, true, out);
    return end_reading(&reader, status, *out);
}
