// The tables of docs/protocol.md.
#include "text.h"

static void print_fields(FILE *out, const fr_protocol_struct *layout) {
    fputs("| type | field | |\n| --- | --- | --- |\n", out);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        fprintf(out, "| %s%s | `%s` | %s", fr_protocol_kind_name(field->kind), field->is_array ? "[]" : "", field->name,
                field->about);
        const char *between = field->about[0] != '\0' ? "; " : "";
        if (field->is_limited) { fprintf(out, "%s0 .. %u", between, (unsigned)field->last); }
        if (field->multiple > 1) { fprintf(out, "%scount a multiple of %u", between, (unsigned)field->multiple); }
        fputs(" |\n", out);
    }
    fputs("\n", out);
}

// A sentence of what the tables say.
static void print_about(FILE *out, const char *about) {
    bool is_letter = about[0] >= 'a' && about[0] <= 'z';
    fprintf(out, "%c%s.\n\n", is_letter ? about[0] - 'a' + 'A' : about[0], about + 1);
}

static void print_messages(FILE *out, fr_protocol_reader reader) {
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        if (message->reader != reader) { continue; }
        fprintf(out, "#### %u `%s`\n\n", (unsigned)message->type, message->layout.name);
        print_about(out, message->layout.about);
        print_fields(out, &message->layout);
    }
}

void print_markdown(FILE *out) {
    fputs("### From a client to the server\n\n", out);
    print_messages(out, FR_READER_SERVER);
    fputs("### From the server to a client\n\n", out);
    print_messages(out, FR_READER_CLIENT);
    fputs("### Structs\n\n", out);
    for (int kind = 0; kind < FR_KIND_COUNT; kind++) {
        const fr_protocol_struct *layout = fr_protocol_struct_of((fr_protocol_kind)kind);
        if (layout == NULL) { continue; }
        fprintf(out, "#### `%s`\n\n", layout->name);
        print_about(out, layout->about);
        print_fields(out, layout);
    }
}
