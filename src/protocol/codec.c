// Structs to bytes and back by their description.
#include "protocol/codec.h"

#include "protocol/little.h"

#include <string.h>

static fr_status wrong(const fr__wire *wire, fr_status status, const char *what) {
    return fr_error_set(wire->error, status, "%s.%s: %s", wire->message, wire->field, what);
}

static fr_status cut_short(const fr__wire *wire) { return wrong(wire, FR_ERROR_SYNTAX, "the message ends inside it"); }
static fr_status no_memory(const fr__wire *wire) { return wrong(wire, FR_ERROR_MEMORY, "no memory for it"); }

// ---------------------------------------------------------------------------------------------------------------
// Numbers

// Bytes of a number in the message, which are its bytes in C too; 0 for other kinds.
static size_t number_bytes(fr_protocol_kind kind) {
    switch (kind) {
    case FR_KIND_U8: return 1;
    case FR_KIND_U32:
    case FR_KIND_F32: return 4;
    case FR_KIND_U64:
    case FR_KIND_U53:
    case FR_KIND_F64: return 8;
    default: return 0;
    }
}

// The bits of a number in C, and back.
static uint64_t load_bits(const void *number, size_t size) {
    if (size == 1) { return *(const unsigned char *)number; }
    if (size == 4) {
        uint32_t bits;
        memcpy(&bits, number, sizeof bits);
        return bits;
    }
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

static void store_bits(void *number, uint64_t bits, size_t size) {
    if (size == 1) {
        *(unsigned char *)number = (unsigned char)bits;
    } else if (size == 4) {
        uint32_t low = (uint32_t)bits;
        memcpy(number, &low, sizeof low);
    } else {
        memcpy(number, &bits, sizeof bits);
    }
}

// Whether bits are a valid number of a kind.
static bool fits_kind(fr_protocol_kind kind, uint64_t bits) {
    switch (kind) {
    case FR_KIND_F32: return (bits & 0x7F800000u) != 0x7F800000u;
    case FR_KIND_F64: return (bits & 0x7FF0000000000000u) != 0x7FF0000000000000u;
    case FR_KIND_U53: return bits >> 53 == 0;
    default: return true;
    }
}

static fr_status misfit(const fr__wire *wire, fr_protocol_kind kind) {
    if (kind == FR_KIND_U53) { return wrong(wire, FR_ERROR_LIMIT, "a count is not below 2^53"); }
    return wrong(wire, FR_ERROR_NOT_FINITE, "a number is not finite");
}

// `count` numbers of one kind and one size, which the compiler knows where this is inlined.
static inline bool code_numbers(fr__wire *wire, fr_protocol_kind kind, size_t size, unsigned char *numbers,
                                unsigned char *bytes, size_t count) {
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = wire->is_reader ? fr__get_little(bytes + i * size, size) : load_bits(numbers + i * size, size);
        fits = fits && fits_kind(kind, bits);
        if (wire->is_reader) {
            store_bits(numbers + i * size, bits, size);
        } else {
            fr__put_little(bytes + i * size, bits, size);
        }
    }
    return fits;
}

// `count` numbers in C, to or from the next bytes.
static fr_status code_run(fr__wire *wire, fr_protocol_kind kind, void *numbers, size_t count) {
    size_t size = number_bytes(kind);
    unsigned char *bytes;
    if (wire->is_reader) {
        if ((size_t)(wire->end - wire->at) / size < count) { return cut_short(wire); }
        bytes = (unsigned char *)(uintptr_t)wire->at;
        wire->at += count * size;
    } else {
        bytes = fr_array_push(wire->out, count * size);
        if (bytes == NULL) { return no_memory(wire); }
    }

    bool fits = true;
    switch (kind) {
    case FR_KIND_U8: // bytes are the same everywhere
        if (count > 0) { memcpy(wire->is_reader ? numbers : bytes, wire->is_reader ? bytes : numbers, count); }
        break;
    case FR_KIND_U32: fits = code_numbers(wire, FR_KIND_U32, 4, numbers, bytes, count); break;
    case FR_KIND_F32: fits = code_numbers(wire, FR_KIND_F32, 4, numbers, bytes, count); break;
    case FR_KIND_U64: fits = code_numbers(wire, FR_KIND_U64, 8, numbers, bytes, count); break;
    case FR_KIND_U53: fits = code_numbers(wire, FR_KIND_U53, 8, numbers, bytes, count); break;
    default: fits = code_numbers(wire, FR_KIND_F64, 8, numbers, bytes, count); break;
    }
    return fits ? FR_OK : misfit(wire, kind);
}

static fr_status code_number(fr__wire *wire, const fr_protocol_field *field, void *number) {
    fr_status status = code_run(wire, field->kind, number, 1);
    if (status != FR_OK || !field->is_limited) { return status; }
    uint64_t value = load_bits(number, number_bytes(field->kind));
    if (value > field->last) {
        return fr_error_set(wire->error, FR_ERROR_LIMIT, "%s.%s: %llu is more than %u", wire->message, wire->field,
                            (unsigned long long)value, (unsigned)field->last);
    }
    return FR_OK;
}

fr__wire_run fr__wire_run_of(fr_protocol_kind kind) {
    switch (kind) {
    case FR_KIND_REF: return (fr__wire_run){FR_KIND_U32, 2};
    case FR_KIND_VEC3: return (fr__wire_run){FR_KIND_F64, 3};
    case FR_KIND_QUAT: return (fr__wire_run){FR_KIND_F64, 4};
    case FR_KIND_POSE: return (fr__wire_run){FR_KIND_F64, 8};
    case FR_KIND_COLOR: return (fr__wire_run){FR_KIND_U8, 4};
    case FR_KIND_PAIR: return (fr__wire_run){FR_KIND_U32, 5};
    default: return (fr__wire_run){FR_KIND_U8, 0};
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Text

static bool is_text(const char *text, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t length = text[at] == '\0' ? 0 : fr_utf8_length(text + at, size - at);
        if (length == 0) { return false; }
        at += length;
    }
    return true;
}

static fr_status read_text(fr__wire *wire, const char **text) {
    uint32_t size;
    fr_status status = code_run(wire, FR_KIND_U32, &size, 1);
    if (status != FR_OK) { return status; }
    if ((size_t)(wire->end - wire->at) < size) { return cut_short(wire); }
    const char *bytes = (const char *)wire->at;
    if (!is_text(bytes, size)) { return wrong(wire, FR_ERROR_SYNTAX, "a text is not UTF-8"); }
    wire->at += size;

    *text = "";
    if (size == 0) { return FR_OK; }
    char *copy = fr_arena_alloc(wire->arena, (size_t)size + 1, 1, 1);
    if (copy == NULL) { return no_memory(wire); }
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    *text = copy;
    return FR_OK;
}

static fr_status write_text(fr__wire *wire, const char *text) {
    size_t length = text != NULL ? strlen(text) : 0;
    if (length > FR_PROTOCOL_MAX_PAYLOAD) { return wrong(wire, FR_ERROR_LIMIT, "a text is too long"); }
    if (!is_text(text, length)) { return wrong(wire, FR_ERROR_SYNTAX, "a text is not UTF-8"); }
    uint32_t size = (uint32_t)length;
    fr_status status = code_run(wire, FR_KIND_U32, &size, 1);
    if (status != FR_OK || size == 0) { return status; }
    void *bytes = fr_array_push(wire->out, size);
    if (bytes == NULL) { return no_memory(wire); }
    memcpy(bytes, text, size);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Arrays

// The smallest size of a value of a kind in a message; never 0.
static size_t min_bytes(fr_protocol_kind kind) {
    const fr_protocol_struct *described = fr_protocol_struct_of(kind);
    if (described == NULL) { return kind == FR_KIND_TEXT ? 4 : number_bytes(kind); }
    size_t sum = 0;
    for (uint32_t i = 0; i < described->field_count; i++) {
        const fr_protocol_field *field = &described->fields[i];
        sum += field->is_array ? 4 : min_bytes(field->kind);
    }
    return sum;
}

static fr_status check_pose(const fr__wire *wire, const fr_pose *checked) {
    fr_pose pose = *checked;
    fr_error error;
    fr_status status = fr_pose_check(&pose, &error);
    return status == FR_OK ? FR_OK : wrong(wire, status, error.message);
}

static fr_status code_items(fr__wire *wire, const fr_protocol_field *field, unsigned char *items, uint32_t count) {
    fr__wire_run run = fr__wire_run_of(field->kind);
    const fr_protocol_struct *described = fr_protocol_struct_of(field->kind);
    if (run.count > 0) {
        fr_status status = code_run(wire, run.kind, items, run.count * (size_t)count);
        for (uint32_t i = 0; field->kind == FR_KIND_POSE && i < count && status == FR_OK; i++) {
            status = check_pose(wire, (const fr_pose *)(const void *)(items + i * sizeof(fr_pose)));
        }
        return status;
    }
    if (described == NULL) { return code_run(wire, field->kind, items, count); }
    for (uint32_t i = 0; i < count; i++) {
        fr_status status = fr__wire_struct(wire, described, items + i * described->c_bytes, false);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_status code_array(fr__wire *wire, const fr_protocol_field *field, void *pointer, uint32_t *count) {
    fr_status status = code_run(wire, FR_KIND_U32, count, 1);
    if (status != FR_OK) { return status; }
    if (*count % field->multiple != 0) {
        return fr_error_set(wire->error, FR_ERROR_SYNTAX, "%s.%s: a count of %u is no multiple of %u", wire->message,
                            wire->field, (unsigned)*count, (unsigned)field->multiple);
    }

    // The pointer's type is that of the items; all pointers to objects look the same here.
    unsigned char *items = NULL;
    if (!wire->is_reader) {
        if (*count > FR_PROTOCOL_MAX_PAYLOAD / min_bytes(field->kind)) {
            return wrong(wire, FR_ERROR_LIMIT, "it does not fit a message");
        }
        memcpy(&items, pointer, sizeof items);
        return code_items(wire, field, items, *count);
    }
    if ((size_t)(wire->end - wire->at) / min_bytes(field->kind) < *count) { return cut_short(wire); }
    if (*count > 0) {
        const fr_protocol_struct *described = fr_protocol_struct_of(field->kind);
        size_t size = described != NULL ? described->c_bytes : number_bytes(field->kind);
        items = fr_arena_alloc(wire->arena, *count, size, 16);
        if (items == NULL) { return no_memory(wire); }
    }
    memcpy(pointer, &items, sizeof items);
    return code_items(wire, field, items, *count);
}

// ---------------------------------------------------------------------------------------------------------------
// Structs

// The checks that single fields cannot make.
static fr_status check_image(const fr__wire *wire, const fr_wire_image *image) {
    bool fits = (uint64_t)image->width * image->height <= UINT32_MAX / 4 &&
                image->width * image->height * 4 == image->rgba_count;
    return fits ? FR_OK : wrong(wire, FR_ERROR_SYNTAX, "an image has not width * height pixels");
}

static fr_status code_field(fr__wire *wire, const fr_protocol_field *field, void *thing) {
    unsigned char *place = (unsigned char *)thing + field->offset;
    if (field->is_array) {
        return code_array(wire, field, place, (uint32_t *)(void *)((unsigned char *)thing + field->count_offset));
    }
    if (field->kind == FR_KIND_TEXT) {
        const char **text = (const char **)(void *)place;
        return wire->is_reader ? read_text(wire, text) : write_text(wire, *text);
    }
    fr__wire_run run = fr__wire_run_of(field->kind);
    if (run.count == 0) { return code_number(wire, field, place); }
    fr_status status = code_run(wire, run.kind, place, run.count);
    if (status != FR_OK || field->kind != FR_KIND_POSE) { return status; }
    return check_pose(wire, (const fr_pose *)(const void *)place);
}

fr_status fr__wire_struct(fr__wire *wire, const fr_protocol_struct *described, void *thing, bool is_message) {
    for (uint32_t i = 0; i < described->field_count; i++) {
        const fr_protocol_field *field = &described->fields[i];
        if (is_message) { wire->field = field->name; }
        fr_status status = code_field(wire, field, thing);
        if (status != FR_OK) { return status; }
    }
    return described == fr_protocol_struct_of(FR_KIND_IMAGE) ? check_image(wire, thing) : FR_OK;
}
