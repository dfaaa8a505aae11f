// viewer/src/protocol.ts: types of the messages, and functions that read and write them.
#include "text.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Names

// A name of the tables as TypeScript writes it: set_state as setState, or SetState with `is_type`.
typedef struct ts_name {
    char text[64];
} ts_name;

static ts_name name_of(const char *name, bool is_type) {
    ts_name made = {""};
    size_t length = 0;
    bool is_upper = is_type;
    for (; *name != '\0' && length + 1 < sizeof made.text; name++) {
        bool is_letter = *name >= 'a' && *name <= 'z';
        if (*name != '_') {
            made.text[length++] = (char)(is_upper && is_letter ? *name - 'a' + 'A' : *name);
            is_upper = false;
        } else {
            is_upper = true;
        }
    }
    return made;
}

// Structs of u32 alone come as one Uint32Array, many a frame, instead of as objects.
static bool is_packed(fr_protocol_kind kind) {
    const fr_protocol_struct *layout = fr_protocol_struct_of(kind);
    if (layout == NULL || kind == FR_KIND_REF) { return false; }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        if (field->kind != FR_KIND_U32 || field->is_array || field->is_limited) { return false; }
    }
    return true;
}

static size_t least_bytes(fr_protocol_kind kind) {
    switch (kind) {
    case FR_KIND_U8: return 1;
    case FR_KIND_U32:
    case FR_KIND_F32:
    case FR_KIND_TEXT: return 4;
    case FR_KIND_U64:
    case FR_KIND_U53:
    case FR_KIND_F64: return 8;
    default: break;
    }
    const fr_protocol_struct *layout = fr_protocol_struct_of(kind);
    size_t sum = 0;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        sum += layout->fields[i].is_array ? 4 : least_bytes(layout->fields[i].kind);
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// Types

static void print_type(FILE *out, const fr_protocol_field *field) {
    const fr_protocol_struct *layout = fr_protocol_struct_of(field->kind);
    if (layout != NULL && is_packed(field->kind)) {
        fputs("Uint32Array", out);
    } else if (layout != NULL) {
        fprintf(out, "Wire%s%s", name_of(layout->name, true).text, field->is_array ? "[]" : "");
    } else if (field->is_array) {
        const char *types[] = {[FR_KIND_U8] = "Uint8Array",
                               [FR_KIND_U32] = "Uint32Array",
                               [FR_KIND_F32] = "Float32Array",
                               [FR_KIND_F64] = "Float64Array"};
        fputs(types[field->kind], out);
    } else {
        fputs(field->kind == FR_KIND_TEXT ? "string" : field->kind == FR_KIND_U64 ? "bigint" : "number", out);
    }
}

static void print_field_types(FILE *out, const fr_protocol_struct *layout) {
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        fprintf(out, "    %s: ", name_of(field->name, false).text);
        print_type(out, field);
        fputs(";", out);
        if (is_packed(field->kind)) { fprintf(out, " // %s of them", fr_protocol_kind_name(field->kind)); }
        if (field->about[0] != '\0') { fprintf(out, "%s%s", is_packed(field->kind) ? ": " : " // ", field->about); }
        fputs("\n", out);
    }
}

static void print_packed(FILE *out, const fr_protocol_struct *layout) {
    fprintf(out, "\n// Where the fields of a %s are in an array of them: %s.\n", layout->name, layout->about);
    fprintf(out, "export const Wire%s = {\n", name_of(layout->name, true).text);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        fprintf(out, "    %s: %u, // %s\n", name_of(field->name, false).text, (unsigned)i, field->about);
    }
    fprintf(out, "    size: %u,\n} as const;\n", (unsigned)layout->field_count);
}

static void print_struct_types(FILE *out) {
    for (int kind = 0; kind < FR_KIND_COUNT; kind++) {
        const fr_protocol_struct *layout = fr_protocol_struct_of((fr_protocol_kind)kind);
        if (layout == NULL) { continue; }
        if (is_packed((fr_protocol_kind)kind)) {
            print_packed(out, layout);
            continue;
        }
        fprintf(out, "\n// %s\nexport interface Wire%s {\n", layout->about, name_of(layout->name, true).text);
        print_field_types(out, layout);
        fputs("}\n", out);
    }
}

static void print_message_types(FILE *out) {
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        fprintf(out, "\n// %s\nexport interface %sMessage {\n", message->layout.about,
                name_of(message->layout.name, true).text);
        fprintf(out, "    type: \"%s\";\n", name_of(message->layout.name, false).text);
        print_field_types(out, &message->layout);
        fputs("}\n", out);
    }
}

static void print_union(FILE *out, const char *name, fr_protocol_reader reader) {
    fprintf(out, "\nexport type %s =", name);
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        if (message->reader == reader) { fprintf(out, "\n    | %sMessage", name_of(message->layout.name, true).text); }
    }
    fputs(";\n", out);
}

// ---------------------------------------------------------------------------------------------------------------
// Functions

static void print_read(FILE *out, const fr_protocol_field *field) {
    const fr_protocol_struct *layout = fr_protocol_struct_of(field->kind);
    if (strcmp(field->name, "version") == 0) {
        fputs("readVersion(reader)", out);
    } else if (layout != NULL && is_packed(field->kind)) {
        fprintf(out, "reader.packed(%u)", (unsigned)layout->field_count);
    } else if (layout != NULL && field->is_array) {
        fprintf(out, "reader.list(%zu, read%s)", least_bytes(field->kind), name_of(layout->name, true).text);
    } else if (layout != NULL) {
        fprintf(out, "read%s(reader)", name_of(layout->name, true).text);
    } else if (field->is_array) {
        fprintf(out, "reader.%ss(%u)", fr_protocol_kind_name(field->kind), (unsigned)field->multiple);
    } else if (field->is_limited) {
        fprintf(out, "reader.%s(%u)", fr_protocol_kind_name(field->kind), (unsigned)field->last);
    } else {
        fprintf(out, "reader.%s()", fr_protocol_kind_name(field->kind));
    }
}

static void print_write(FILE *out, const fr_protocol_field *field) {
    const fr_protocol_struct *layout = fr_protocol_struct_of(field->kind);
    ts_name name = name_of(field->name, false);
    if (layout != NULL && is_packed(field->kind)) {
        fprintf(out, "writer.packed(value.%s, %u)", name.text, (unsigned)layout->field_count);
    } else if (layout != NULL && field->is_array) {
        fprintf(out, "writer.list(value.%s, write%s)", name.text, name_of(layout->name, true).text);
    } else if (layout != NULL) {
        fprintf(out, "write%s(writer, value.%s)", name_of(layout->name, true).text, name.text);
    } else if (field->is_array) {
        fprintf(out, "writer.%ss(value.%s, %u)", fr_protocol_kind_name(field->kind), name.text,
                (unsigned)field->multiple);
    } else if (field->is_limited) {
        fprintf(out, "writer.%s(value.%s, %u)", fr_protocol_kind_name(field->kind), name.text, (unsigned)field->last);
    } else {
        fprintf(out, "writer.%s(value.%s)", fr_protocol_kind_name(field->kind), name.text);
    }
}

// A struct's or message's pair of functions. A message says its type first.
static void print_functions(FILE *out, const fr_protocol_struct *layout, bool is_message, bool is_checked) {
    ts_name name = name_of(layout->name, true);
    const char *before = is_message ? "" : "Wire", *after = is_message ? "Message" : "";
    fprintf(out, "\nfunction read%s%s(reader: Reader): %s%s%s {\n", name.text, after, before, name.text, after);
    fprintf(out, "    %s {\n", is_checked ? "const value =" : "return");
    if (is_message) { fprintf(out, "        type: \"%s\",\n", name_of(layout->name, false).text); }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        fprintf(out, "        %s: ", name_of(layout->fields[i].name, false).text);
        print_read(out, &layout->fields[i]);
        fputs(",\n", out);
    }
    fputs("    };\n", out);
    if (is_checked) { fprintf(out, "    check%s(value);\n    return value;\n", name.text); }
    fputs("}\n", out);

    fprintf(out, "\nfunction write%s%s(writer: Writer, value: %s%s%s): void {\n", name.text, after, before, name.text,
            after);
    if (is_checked) { fprintf(out, "    check%s(value);\n", name.text); }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        fputs("    ", out);
        print_write(out, &layout->fields[i]);
        fputs(";\n", out);
    }
    fputs("}\n", out);
}

static void print_all_functions(FILE *out) {
    for (int kind = 0; kind < FR_KIND_COUNT; kind++) {
        const fr_protocol_struct *layout = fr_protocol_struct_of((fr_protocol_kind)kind);
        if (layout == NULL || is_packed((fr_protocol_kind)kind)) { continue; }
        print_functions(out, layout, false, kind == FR_KIND_POSE || kind == FR_KIND_IMAGE);
    }
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        print_functions(out, &message->layout, true, false);
    }
}

// Reads one message for one side by its type.
static void print_decoder(FILE *out, const char *side, const char *result, fr_protocol_reader reader) {
    fprintf(out, "\nfunction readFor%s(type: number, reader: Reader): %s {\n    switch (type) {\n", side, result);
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        if (message->reader != reader) { continue; }
        fprintf(out, "        case %u:\n            return read%sMessage(reader);\n", (unsigned)message->type,
                name_of(message->layout.name, true).text);
    }
    fputs("        default:\n            throw new ProtocolError(`messages of type ${type} are not for this "
          "side`);\n    }\n}\n",
          out);
    fprintf(out,
            "\n// The messages of a frame that the %s reads. Throws a ProtocolError at the first that is wrong.\n"
            "export function decodeFor%s(bytes: Uint8Array): %s[] {\n"
            "    return decode(bytes, readFor%s);\n}\n",
            reader == FR_READER_CLIENT ? "client" : "server", side, result, side);
}

static void print_encoder(FILE *out) {
    fputs("\nfunction writePayload(writer: Writer, message: Message): void {\n    switch (message.type) {\n", out);
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        fprintf(out, "        case \"%s\":\n            return write%sMessage(writer, message);\n",
                name_of(message->layout.name, false).text, name_of(message->layout.name, true).text);
    }
    fputs("    }\n}\n", out);
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static const char head[] = //
    "// Made by tools/protocol_text from include/fureai/protocol_messages.h, where messages are described; not edited "
    "by hand.\n"
    "import { ProtocolError, Reader, Writer } from \"./wire\";\n"
    "\n"
    "export { ProtocolError };\n";

static const char checks[] = //
    "\n// As fr_pose_check.\n"
    "function checkPose({ rotation, position, scale }: WirePose): void {\n"
    "    const { w, x, y, z } = rotation;\n"
    "    const squared = w * w + x * x + (y * y + z * z);\n"
    "    if (!(squared >= 0.99 * 0.99 && squared <= 1.01 * 1.01)) {\n"
    "        throw new ProtocolError(`a rotation's quaternion has length ${Math.sqrt(squared)} instead of 1`);\n"
    "    }\n"
    "    if (Math.max(Math.abs(position.x), Math.abs(position.y), Math.abs(position.z)) > 2 ** 300) {\n"
    "        throw new ProtocolError(\"a position is farther away than 2^300\");\n"
    "    }\n"
    "    if (!(scale >= 2 ** -100 && scale <= 2 ** 100)) {\n"
    "        throw new ProtocolError(`a scale is ${scale} instead of 2^-100 .. 2^100`);\n"
    "    }\n"
    "}\n"
    "\n"
    "function checkImage({ width, height, rgba }: WireImage): void {\n"
    "    if (width * height * 4 !== rgba.length) {\n"
    "        throw new ProtocolError(\"an image has not width * height pixels\");\n"
    "    }\n"
    "}\n"
    "\n"
    "// First in a greeting of every version; what follows may be another's.\n"
    "function readVersion(reader: Reader): number {\n"
    "    const version = reader.u32();\n"
    "    if (version !== PROTOCOL_VERSION) {\n"
    "        throw new ProtocolError(`version ${version} of the protocol instead of ${PROTOCOL_VERSION}`);\n"
    "    }\n"
    "    return version;\n"
    "}\n";

static const char tail[] = //
    "\nfunction decode<T>(bytes: Uint8Array, readMessage: (type: number, reader: Reader) => T): T[] {\n"
    "    const frame = new Reader(bytes);\n"
    "    const messages: T[] = [];\n"
    "    while (frame.left > 0) {\n"
    "        const type = frame.u16();\n"
    "        if (frame.u16() !== 0) {\n"
    "            throw new ProtocolError(\"a header whose third and fourth byte are not zero\");\n"
    "        }\n"
    "        const payload = new Reader(frame.take(frame.u32()));\n"
    "        messages.push(readMessage(type, payload));\n"
    "        payload.end();\n"
    "    }\n"
    "    return messages;\n"
    "}\n"
    "\n"
    "// One frame of the messages. Throws a ProtocolError for what no reader would take.\n"
    "export function encode(...messages: Message[]): Uint8Array<ArrayBuffer> {\n"
    "    const writer = new Writer();\n"
    "    for (const message of messages) {\n"
    "        const begun = writer.begin(MessageNumber[message.type]);\n"
    "        writePayload(writer, message);\n"
    "        writer.end(begun);\n"
    "    }\n"
    "    return writer.finish();\n"
    "}\n";

static void print_numbers(FILE *out) {
    fprintf(out, "\nexport const PROTOCOL_VERSION = %u;\nexport const PROTOCOL_NAME = \"%s\";\n", FR_PROTOCOL_VERSION,
            FR_PROTOCOL_NAME);
    fputs("\nexport const MessageNumber = {\n", out);
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        fprintf(out, "    %s: %u,\n", name_of(message->layout.name, false).text, (unsigned)message->type);
    }
    fputs("} as const;\n", out);
}

// Numbers that have names in C, under the same names here.
typedef struct named_number {
    const char *name;
    int value;
} named_number;

static void print_names(FILE *out, const char *name, const named_number *numbers, size_t count) {
    fprintf(out, "\nexport const %s = {\n", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    %s: %d,\n", numbers[i].name, numbers[i].value);
    }
    fputs("} as const;\n", out);
}

#define PRINT_NAMES(name, ...)                                                                                         \
    do {                                                                                                               \
        const named_number numbers[] = {__VA_ARGS__};                                                                  \
        print_names(out, name, numbers, sizeof numbers / sizeof numbers[0]);                                           \
    } while (0)

static void print_all_names(FILE *out) {
    PRINT_NAMES("Wants", {"poses", FR_WANTS_POSES}, {"pairs", FR_WANTS_PAIRS}, {"contacts", FR_WANTS_CONTACTS},
                {"events", FR_WANTS_EVENTS}, {"stats", FR_WANTS_STATS}, {"draw", FR_WANTS_DRAW},
                {"faceTouches", FR_WANTS_FACE_TOUCHES}, {"moves", FR_WANTS_MOVES});
    PRINT_NAMES("TouchPhase", {"began", FR_PHASE_BEGAN}, {"ended", FR_PHASE_ENDED}, {"point", FR_PHASE_POINT});
    PRINT_NAMES("LookFlags", {"materials", FR_LOOK_MATERIALS}, {"uvs", FR_LOOK_UVS}, {"colors", FR_LOOK_COLORS},
                {"normals", FR_LOOK_NORMALS});
    PRINT_NAMES("MaterialFlags", {"unlit", FR_MATERIAL_UNLIT});
    PRINT_NAMES("PictureFlags", {"repeatsU", FR_PICTURE_REPEATS_U}, {"repeatsV", FR_PICTURE_REPEATS_V});
    PRINT_NAMES("SoundFlags", {"loop", FR_SOUND_LOOP}, {"spatial", FR_SOUND_SPATIAL});
    PRINT_NAMES("PlayMode", {"pause", FR_PLAY_PAUSE}, {"play", FR_PLAY_GO}, {"step", FR_PLAY_STEP},
                {"restart", FR_PLAY_RESTART});
    PRINT_NAMES("StateFlags", {"paused", FR_STATE_PAUSED}, {"partial", FR_STATE_PARTIAL},
                {"complete", FR_STATE_COMPLETE});
    PRINT_NAMES("ObjectFlags", {"static", FR_OBJECT_STATIC}, {"sensor", FR_OBJECT_SENSOR}, {"real", FR_OBJECT_REAL},
                {"self", FR_OBJECT_SELF}, {"ghost", FR_OBJECT_GHOST}, {"proxy", FR_OBJECT_PROXY});
    PRINT_NAMES("PairFlags", {"near", FR_CONTACT_NEAR}, {"capped", FR_CONTACT_CAPPED},
                {"coplanar", FR_CONTACT_COPLANAR}, {"touching", FR_CONTACT_TOUCHING}, {"start", FR_CONTACT_START},
                {"sensor", FR_CONTACT_SENSOR}, {"real", FR_CONTACT_REAL}, {"self", FR_CONTACT_SELF});
    PRINT_NAMES("Hold", {"free", FR_HOLD_FREE}, {"held", FR_HOLD_HELD}, {"placed", FR_HOLD_PLACED});
    PRINT_NAMES("EventKind", {"added", FR_EVENT_ADDED}, {"removed", FR_EVENT_REMOVED},
                {"touchBegin", FR_EVENT_TOUCH_BEGIN}, {"touchEnd", FR_EVENT_TOUCH_END}, {"limit", FR_EVENT_LIMIT},
                {"state", FR_EVENT_STATE}, {"held", FR_EVENT_HELD}, {"released", FR_EVENT_RELEASED},
                {"corrected", FR_EVENT_CORRECTED}, {"contact", FR_EVENT_CONTACT}, {"snap", FR_EVENT_SNAP},
                {"slide", FR_EVENT_SLIDE}, {"pull", FR_EVENT_PULL}, {"loose", FR_EVENT_LOOSE}, {"done", FR_EVENT_DONE},
                {"fitted", FR_EVENT_FITTED}, {"force", FR_EVENT_FORCE}, {"named", FR_EVENT_NAMED});
}

void print_typescript(FILE *out) {
    fputs(head, out);
    print_numbers(out);
    print_all_names(out);
    print_struct_types(out);
    print_message_types(out);
    print_union(out, "ClientMessage", FR_READER_SERVER);
    print_union(out, "ServerMessage", FR_READER_CLIENT);
    fputs("\nexport type Message = ClientMessage | ServerMessage;\n", out);
    fputs(checks, out);
    print_all_functions(out);
    print_decoder(out, "Server", "ClientMessage", FR_READER_SERVER);
    print_decoder(out, "Client", "ServerMessage", FR_READER_CLIENT);
    print_encoder(out);
    fputs(tail, out);
}
