// Any bytes as JSON: refused at a place, or a document whose values can all be walked, decoded, named, and written
// again to a text that has the same values.
#include "fureai/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

// Text that grows.
static bool append(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static void write_key(fr_json_writer *writer, const fr_json *json, fr_json_value key) {
    char text[256];
    size_t length = fr_json_get_text(json, key).size;
    length = length < sizeof text ? fr_json_decode(json, key, text) : 0;
    text[length] = '\0';
    fr_json_write_key(writer, text);
}

// A value and all in it. The depth of the document is below the writer's.
static void copy_value(fr_json_writer *writer, const fr_json *json, fr_json_value value, char *scratch) {
    double number;
    bool truth, is_object = fr_json_is(json, value, FR_JSON_OBJECT);
    switch (fr_json_get_kind(json, value)) {
    case FR_JSON_STRING: fr_json_write_bytes(writer, scratch, fr_json_decode(json, value, scratch)); return;
    case FR_JSON_NULL: fr_json_write_null(writer); return;
    case FR_JSON_BOOL:
        require(fr_json_get_bool(json, value, &truth));
        fr_json_write_bool(writer, truth);
        return;
    case FR_JSON_NUMBER: fr_json_write_number(writer, fr_json_get_number(json, value, &number) ? number : 0.0); return;
    case FR_JSON_OBJECT:
    case FR_JSON_ARRAY: break;
    }
    uint32_t count = 0;
    is_object ? fr_json_write_object(writer) : fr_json_write_array(writer);
    for (fr_json_value v = fr_json_first(json, value); v != FR_JSON_NONE; v = fr_json_next(json, v), count++) {
        require(v > value);
        if (is_object) {
            require(fr_json_is(json, fr_json_key(v), FR_JSON_STRING));
            write_key(writer, json, fr_json_key(v));
        }
        copy_value(writer, json, v, scratch);
    }
    is_object ? fr_json_write_object_end(writer) : fr_json_write_array_end(writer);
    require(count == fr_json_count(json, value));
}

static void check_places(const fr_json *json) {
    fr_json_mark mark = {0};
    uint32_t count = fr_json_value_count(json), stride = 1 + count / 64;
    for (fr_json_value v = 0; v < count; v += stride) {
        int line, column;
        char path[64];
        fr_json_place(json, v, &mark, &line, &column);
        require(line >= 1 && column >= 1);
        size_t length = fr_json_path(json, v, path, sizeof path);
        require(strlen(path) <= length && strlen(path) < sizeof path);
    }
}

static void check_copy(const fr_json *json, size_t size) {
    char *scratch = malloc(size + 1);
    if (scratch == NULL) { return; }
    fr_array text = fr_array_make(1, NULL);
    fr_json_writer writer = fr_json_writer_make(append, &text, 64, NULL);
    writer.indent = (int)(size % 3);
    writer.line_depth = (int)(size % 5);
    copy_value(&writer, json, FR_JSON_ROOT, scratch);
    require(fr_json_writer_end(&writer));
    fr_json *again;
    require(fr_json_create(text.data, text.count, NULL, &again, NULL) == FR_OK);
    require(fr_json_value_count(again) == fr_json_value_count(json));
    for (fr_json_value v = 0; v < fr_json_value_count(json); v++) {
        require(fr_json_get_kind(again, v) == fr_json_get_kind(json, v));
        require(fr_json_count(again, v) == fr_json_count(json, v));
    }
    fr_json_destroy(again);
    fr_array_destroy(&text);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *text = malloc(size + (size == 0));
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    fr_json_def def = fr_default_json_def();
    fr_json *json;
    fr_error error = {0};
    fr_status status = fr_json_create(text, size, &def, &json, &error);
    if (status == FR_OK) {
        check_places(json);
        check_copy(json, size);
    } else {
        require(json == NULL && error.status == status && error.line >= 1 && error.column >= 1);
    }
    fr_json_destroy(json);
    def.has_unique_keys = true;
    require(fr_json_create(text, size, &def, &json, NULL) == status || status == FR_OK);
    fr_json_destroy(json);
    free(text);
    return 0;
}
