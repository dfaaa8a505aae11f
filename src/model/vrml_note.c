// What a file says beside its geometry: sounds, viewpoints, lights, titles.
#include "vrml.h"

#include <stdio.h>
#include <string.h>

#define NOTE_BYTES 512

fr_status fr__vrml_sound(fr__vrml *vrml, const fr__vnode *node, uint32_t model_node) {
    const fr__vnode *clip = fr__value_node(node, "source");
    if (clip == NULL || clip->type->kind != FR__KIND_AUDIO) { return FR_OK; }
    fr_model_sound sound = {.node = model_node,
                            .description = "",
                            .location = fr__value_vec3(node, "location"),
                            .direction = fr__value_vec3(node, "direction"),
                            .intensity = fr__value_double(node, "intensity"),
                            .pitch = fr__value_double(clip, "pitch"),
                            .min_front = fr__value_double(node, "minFront"),
                            .max_front = fr__value_double(node, "maxFront"),
                            .min_back = fr__value_double(node, "minBack"),
                            .max_back = fr__value_double(node, "maxBack"),
                            .start = fr__value_double(clip, "startTime"),
                            .stop = fr__value_double(clip, "stopTime"),
                            .is_loop = fr__value_bool(clip, "loop"),
                            .is_spatial = fr__value_bool(node, "spatialize")};
    FR__TRY(fr__vrml_local_file(vrml, clip, &sound.path));
    if (sound.path == NULL) { return FR_OK; }
    fr__builder *builder = &vrml->reader->builder;
    sound.description = fr__builder_text(builder, fr__value_string(clip, "description"));
    bool is_kept = sound.description != NULL && fr__model_sound_array_add(&builder->sounds, &sound) != FR_NONE;
    return is_kept ? FR_OK : fr__vrml_memory(vrml);
}

// Appends "NAME n n n" of a field to a note.
static void append_field(const fr__vnode *node, const char *name, char *text, size_t *length) {
    uint32_t number = fr__field_find(node->type, (fr__span){name, strlen(name)});
    if (number == FR_NONE || *length + 200 > NOTE_BYTES) { return; }
    const fr__field_kind *kind = fr__field_kind_of(node->type->fields[number].type);
    if (kind->width > 4) { return; }
    float numbers[4];
    if (kind->storage == FR__FLOATS) {
        fr__value_floats(node, name, numbers, kind->width);
    } else {
        numbers[0] = fr__value_float(node, name);
    }
    *length += (size_t)snprintf(text + *length, NOTE_BYTES - *length, "%s%s", *length > 0 ? ", " : "", name);
    for (uint32_t i = 0; i < kind->width; i++) {
        char digits[FR_NUMBER_BYTES];
        size_t count = fr_number_write_float(numbers[i], digits);
        text[(*length)++] = ' ';
        memcpy(text + *length, digits, count);
        *length += count;
    }
}

fr_status fr__vrml_note(fr__vrml *vrml, const fr__vnode *node) {
    static const char *const noted[] = {"position", "location",  "direction", "orientation",   "fieldOfView",
                                        "color",    "intensity", "on",        "axisOfRotation"};
    char text[NOTE_BYTES];
    size_t length = 0;
    for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++) {
        append_field(node, noted[i], text, &length);
    }
    fr__span title = fr__value_string(node, fr__has_field(node, "title") ? "title" : "description");
    fr__builder *builder = &vrml->reader->builder;
    fr_model_note note = {.kind = node->type->name, .name = ""};
    if (node->name != NULL) { note.name = fr__builder_text(builder, (fr__span){node->name, strlen(node->name)}); }
    if (title.length == 0) {
        note.text = fr__builder_text(builder, (fr__span){text, length});
    } else {
        size_t gap = length > 0 ? 2 : 0;
        char *joined = fr__vrml_alloc(vrml, title.length + gap + length, 1, 1);
        if (joined == NULL) { return fr__vrml_memory(vrml); }
        memcpy(joined, title.begin, title.length);
        memcpy(joined + title.length, ": ", gap);
        memcpy(joined + title.length + gap, text, length);
        note.text = fr__builder_text(builder, (fr__span){joined, title.length + gap + length});
    }
    bool is_kept =
        note.name != NULL && note.text != NULL && fr__model_note_array_add(&builder->notes, &note) != FR_NONE;
    return is_kept ? FR_OK : fr__vrml_memory(vrml);
}
