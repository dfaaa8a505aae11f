// Messages that the viewer's tests read and write again, bit for bit: viewer/test/messages/. Run with --write after the
// description was changed.
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { SEED = 20, EACH = 3 };

// ---------------------------------------------------------------------------------------------------------------
// JSON of a message, as TypeScript has it: names in its way, u64 as text, all arrays of numbers alike

static void put(fr_array *json, const char *text, size_t size) {
    char *place = fr_array_push(json, size);
    assert_non_null(place);
    memcpy(place, text, size);
}

static void put_text(fr_array *json, const char *text) { put(json, text, strlen(text)); }

static void put_quoted(fr_array *json, const char *text) {
    put_text(json, "\"");
    for (; *text != '\0'; text++) {
        char escape[8];
        if (*text == '"' || *text == '\\') {
            snprintf(escape, sizeof escape, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text);
        } else {
            snprintf(escape, sizeof escape, "%c", *text);
        }
        put_text(json, escape);
    }
    put_text(json, "\"");
}

// set_state as setState.
static void put_name(fr_array *json, const char *name) {
    put_text(json, "\"");
    for (; *name != '\0'; name++) {
        char letter = name[0] == '_' ? (char)(*++name - 'a' + 'A') : *name;
        put(json, &letter, 1);
    }
    put_text(json, "\"");
}

static void put_number(fr_array *json, double value) {
    char text[FR_NUMBER_BYTES];
    if (value == 0 && 1 / value < 0) {
        put_text(json, "-0");
    } else {
        put(json, text, fr_number_write(value, text));
    }
}

static void put_whole(fr_array *json, uint64_t value) {
    char text[FR_NUMBER_BYTES];
    put(json, text, fr_number_write_whole(value, text));
}

static void put_value(fr_array *json, fr_protocol_kind kind, const void *place) {
    switch (kind) {
    case FR_KIND_U8: put_whole(json, *(const uint8_t *)place); break;
    case FR_KIND_U32: put_whole(json, *(const uint32_t *)place); break;
    case FR_KIND_U53: put_whole(json, *(const uint64_t *)place); break;
    case FR_KIND_U64:
        put_text(json, "\"");
        put_whole(json, *(const uint64_t *)place);
        put_text(json, "\"");
        break;
    case FR_KIND_F32: put_number(json, (double)*(const float *)place); break;
    case FR_KIND_F64: put_number(json, *(const double *)place); break;
    default: put_quoted(json, *(const char *const *)place); break;
    }
}

static void put_struct(fr_array *json, const fr_protocol_struct *layout, const unsigned char *thing, const char *type);

static void put_array(fr_array *json, const fr_protocol_field *field, const unsigned char *items, uint32_t count) {
    static const size_t sizes[] = {1, 4, 8, 8, 4, 8, sizeof(char *)};
    const fr_protocol_struct *inner = fr_protocol_struct_of(field->kind);
    size_t size = inner != NULL ? inner->c_bytes : sizes[field->kind];
    put_text(json, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) { put_text(json, ","); }
        const unsigned char *item = items + i * size;
        if (field->kind == FR_KIND_PAIR) { // flat in TypeScript
            for (uint32_t k = 0; k < inner->field_count; k++) {
                if (k > 0) { put_text(json, ","); }
                put_value(json, FR_KIND_U32, item + inner->fields[k].offset);
            }
        } else if (inner != NULL) {
            put_struct(json, inner, item, NULL);
        } else {
            put_value(json, field->kind, item);
        }
    }
    put_text(json, "]");
}

static void put_struct(fr_array *json, const fr_protocol_struct *layout, const unsigned char *thing, const char *type) {
    put_text(json, "{");
    if (type != NULL) {
        put_text(json, "\"type\":");
        put_name(json, type);
    }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        const unsigned char *place = thing + field->offset;
        const fr_protocol_struct *inner = fr_protocol_struct_of(field->kind);
        if (i > 0 || type != NULL) { put_text(json, ","); }
        put_name(json, field->name);
        put_text(json, ":");
        if (field->is_array) {
            const unsigned char *items;
            uint32_t count;
            memcpy(&items, place, sizeof items);
            memcpy(&count, thing + field->count_offset, sizeof count);
            put_array(json, field, items, count);
        } else if (inner != NULL) {
            put_struct(json, inner, place, NULL);
        } else {
            put_value(json, field->kind, place);
        }
    }
    put_text(json, "}");
}

// ---------------------------------------------------------------------------------------------------------------
// The files

typedef struct fixture {
    fr_array bytes[2]; // by reader
    fr_array json;
} fixture;

static fixture make_fixture(void) {
    fixture f = {{fr_array_make(1, NULL), fr_array_make(1, NULL)}, fr_array_make(1, NULL)};
    static const char *names[2] = {"{\"toServer\":[\n", "],\n\"toClient\":[\n"};
    fr_random random = fr_random_seed(SEED);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    for (int reader = 0; reader < 2; reader++) {
        put_text(&f.json, names[reader]);
        bool is_first = true;
        const fr_protocol_message *described;
        for (size_t i = 0; (described = fr_protocol_message_at(i)) != NULL; i++) {
            for (int k = 0; k < EACH && (int)described->reader == reader; k++) {
                fr_arena_reset(arena);
                fr_message message = sample_message(described, &random, arena);
                sample_write(&message, &f.bytes[reader]);
                if (!is_first) { put_text(&f.json, ",\n"); }
                is_first = false;
                put_struct(&f.json, &described->layout, (const unsigned char *)&message.as, described->layout.name);
            }
        }
    }
    put_text(&f.json, "]}\n");
    fr_arena_destroy(arena);
    return f;
}

static void free_fixture(fixture *f) {
    fr_array_destroy(&f->bytes[0]);
    fr_array_destroy(&f->bytes[1]);
    fr_array_destroy(&f->json);
}

static const char *const paths[3] = {FIXTURE_FOLDER "/to_server.bin", FIXTURE_FOLDER "/to_client.bin",
                                     FIXTURE_FOLDER "/messages.json"};

static int write_fixture(void) {
    fixture f = make_fixture();
    const fr_array *contents[3] = {&f.bytes[0], &f.bytes[1], &f.json};
    int result = 0;
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(paths[i], "wb");
        if (file == NULL || fwrite(contents[i]->data, 1, contents[i]->count, file) != contents[i]->count) {
            result = 1;
        }
        if (file != NULL && fclose(file) != 0) { result = 1; }
    }
    free_fixture(&f);
    return result;
}

static void the_viewer_has_the_messages_of_this_description(void **state) {
    (void)state;
    fixture f = make_fixture();
    const fr_array *contents[3] = {&f.bytes[0], &f.bytes[1], &f.json};
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(paths[i], "rb");
        assert_non_null(file);
        fr_array found = fr_array_make(1, NULL);
        char *place = fr_array_push(&found, contents[i]->count + 1);
        assert_non_null(place);
        size_t size = fread(place, 1, contents[i]->count + 1, file);
        fclose(file);
        assert_int_equal(size, contents[i]->count);
        assert_memory_equal(place, contents[i]->data, size);
        fr_array_destroy(&found);
    }
    free_fixture(&f);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--write") == 0) { return write_fixture(); }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_viewer_has_the_messages_of_this_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
