// The description of the messages as data, made from the tables of the public header.
#include "fureai/protocol.h"

// For use in a function whose struct is called `layout`.
#define FIELD(field_kind, field_name, field_about)                                                                     \
    {.name = #field_name,                                                                                              \
     .about = field_about,                                                                                             \
     .kind = FR_KIND_##field_kind,                                                                                     \
     .multiple = 1,                                                                                                    \
     .offset = offsetof(layout, field_name)},
#define LIMITED(field_kind, field_name, field_last, field_about)                                                       \
    {.name = #field_name,                                                                                              \
     .about = field_about,                                                                                             \
     .kind = FR_KIND_##field_kind,                                                                                     \
     .is_limited = true,                                                                                               \
     .last = field_last,                                                                                               \
     .multiple = 1,                                                                                                    \
     .offset = offsetof(layout, field_name)},
#define ARRAY(field_kind, field_name, count_name, field_multiple, field_about)                                         \
    {.name = #field_name,                                                                                              \
     .about = field_about,                                                                                             \
     .kind = FR_KIND_##field_kind,                                                                                     \
     .is_array = true,                                                                                                 \
     .multiple = field_multiple,                                                                                       \
     .offset = offsetof(layout, field_name),                                                                           \
     .count_offset = offsetof(layout, count_name)},

#define STRUCT(KIND, type, struct_name, struct_about)                                                                  \
    static const fr_protocol_struct *struct_##struct_name(void) {                                                      \
        typedef type layout;                                                                                           \
        static const fr_protocol_field fields[] = {FR_WIRE_##KIND##_FIELDS(FIELD, LIMITED, ARRAY)};                    \
        static const fr_protocol_struct described = {.name = #struct_name,                                             \
                                                     .about = struct_about,                                            \
                                                     .fields = fields,                                                 \
                                                     .field_count = sizeof fields / sizeof fields[0],                  \
                                                     .c_bytes = sizeof(layout)};                                       \
        return &described;                                                                                             \
    }
FR_WIRE_TABLE(STRUCT)

#define MESSAGE(number, NAME, message_name, who_reads, message_about)                                                  \
    static const fr_protocol_message *message_##message_name(void) {                                                   \
        typedef fr_message_##message_name layout;                                                                      \
        static const fr_protocol_field fields[] = {FR_MESSAGE_##NAME##_FIELDS(FIELD, LIMITED, ARRAY)};                 \
        static const fr_protocol_message described = {.type = FR_MESSAGE_##NAME,                                       \
                                                      .reader = FR_READER_##who_reads,                                 \
                                                      .layout = {.name = #message_name,                                \
                                                                 .about = message_about,                               \
                                                                 .fields = fields,                                     \
                                                                 .field_count = sizeof fields / sizeof fields[0],      \
                                                                 .c_bytes = sizeof(layout)}};                          \
        return &described;                                                                                             \
    }
FR_MESSAGE_TABLE(MESSAGE)

const fr_protocol_struct *fr_protocol_struct_of(fr_protocol_kind kind) {
#define STRUCT_CASE(KIND, type, name, about)                                                                           \
    case FR_KIND_##KIND: return struct_##name();
    switch (kind) {
        FR_WIRE_TABLE(STRUCT_CASE)
    default: return NULL;
    }
#undef STRUCT_CASE
}

const fr_protocol_message *fr_protocol_message_at(size_t i) {
#define MESSAGE_FUNCTION(number, NAME, name, reader, about) message_##name,
    static const fr_protocol_message *(*const messages[])(void) = {FR_MESSAGE_TABLE(MESSAGE_FUNCTION)};
#undef MESSAGE_FUNCTION
    return i < sizeof messages / sizeof messages[0] ? messages[i]() : NULL;
}

const fr_protocol_message *fr_protocol_message_of(uint32_t type) {
#define MESSAGE_CASE(number, NAME, name, reader, about)                                                                \
    case number: return message_##name();
    switch (type) {
        FR_MESSAGE_TABLE(MESSAGE_CASE)
    default: return NULL;
    }
#undef MESSAGE_CASE
}

const char *fr_protocol_kind_name(fr_protocol_kind kind) {
    switch (kind) {
    case FR_KIND_U8: return "u8";
    case FR_KIND_U32: return "u32";
    case FR_KIND_U64: return "u64";
    case FR_KIND_U53: return "u53";
    case FR_KIND_F32: return "f32";
    case FR_KIND_F64: return "f64";
    case FR_KIND_TEXT: return "text";
    default: break;
    }
    const fr_protocol_struct *described = fr_protocol_struct_of(kind);
    return described != NULL ? described->name : "unknown";
}
