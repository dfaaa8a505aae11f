// The description as data.
#include "fureai/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void messages_are_found_by_number(void **state) {
    (void)state;
    const fr_protocol_message *message;
    size_t count = 0;
    for (; (message = fr_protocol_message_at(count)) != NULL; count++) {
        assert_ptr_equal(fr_protocol_message_of((uint32_t)message->type), message);
        assert_true(message->layout.c_bytes <= sizeof(fr_message) && message->layout.field_count > 0);
        assert_true(message->type > 0 && (uint32_t)message->type <= UINT16_MAX);
        // What a server reads has the low numbers.
        assert_int_equal(message->reader, message->type < 32 ? FR_READER_SERVER : FR_READER_CLIENT);
    }
    assert_int_equal(count, 73);
    assert_null(fr_protocol_message_of(0));
    assert_null(fr_protocol_message_of(17));
    assert_null(fr_protocol_message_of(0x10000 + FR_MESSAGE_PING));
    assert_string_equal(fr_protocol_message_of(FR_MESSAGE_SET_STATE)->layout.name, "set_state");
}

static void kinds_have_names(void **state) {
    (void)state;
    assert_string_equal(fr_protocol_kind_name(FR_KIND_U8), "u8");
    assert_string_equal(fr_protocol_kind_name(FR_KIND_TEXT), "text");
    assert_string_equal(fr_protocol_kind_name(FR_KIND_FACE_COLORS), "face_colors");
    assert_string_equal(fr_protocol_kind_name(FR_KIND_COUNT), "unknown");
    assert_null(fr_protocol_struct_of(FR_KIND_F64));
    for (int a = 0; a < FR_KIND_COUNT; a++) {
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(fr_protocol_kind_name((fr_protocol_kind)a),
                                    fr_protocol_kind_name((fr_protocol_kind)b));
        }
    }
}

// Fields lie in the structs one after another, and structs hold structs that come before them.
static void fields_are_in_order(void **state) {
    (void)state;
    for (int kind = 0; kind < FR_KIND_COUNT; kind++) {
        const fr_protocol_struct *layout = fr_protocol_struct_of((fr_protocol_kind)kind);
        if (layout == NULL) { continue; }
        for (uint32_t i = 0; i < layout->field_count; i++) {
            const fr_protocol_field *field = &layout->fields[i];
            assert_true((int)field->kind < kind && field->multiple > 0);
            assert_true(field->offset < layout->c_bytes);
            assert_true(i == 0 || field->offset > layout->fields[i - 1].offset);
            assert_true(!field->is_array || field->count_offset > field->offset);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_found_by_number),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(fields_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
