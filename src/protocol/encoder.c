#include "protocol/encoder.h"

#include <float.h>

fr_status fr_encoder_create(const fr_allocator *allocator, fr_encoder **out) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_encoder *encoder = fr_allocate(&kept, 1, sizeof *encoder, _Alignof(fr_encoder));
    if (encoder == NULL) { return FR_ERROR_MEMORY; }
    encoder->allocator = kept;
    encoder->bodies = fr_array_make(sizeof(fr_wire_body), &kept);
    encoder->pairs = fr_array_make(sizeof(fr_wire_pair), &kept);
    encoder->contacts = fr_array_make(sizeof(fr_wire_contact), &kept);
    encoder->events = fr_array_make(sizeof(fr_wire_event), &kept);
    encoder->touches = fr_array_make(sizeof(fr_wire_face_touch), &kept);
    encoder->parts = fr_array_make(sizeof(fr_wire_part), &kept);
    encoder->floats = fr_array_make(sizeof(float), &kept);
    encoder->numbers = fr_array_make(sizeof(uint32_t), &kept);
    *out = encoder;
    return FR_OK;
}

void fr_encoder_destroy(fr_encoder *encoder) {
    if (encoder == NULL) { return; }
    fr_array_free(&encoder->bodies);
    fr_array_free(&encoder->pairs);
    fr_array_free(&encoder->contacts);
    fr_array_free(&encoder->events);
    fr_array_free(&encoder->touches);
    fr_array_free(&encoder->parts);
    fr_array_free(&encoder->floats);
    fr_array_free(&encoder->numbers);
    fr_allocator kept = encoder->allocator;
    fr_release(&kept, encoder, 1, sizeof *encoder);
}

void *fr__encoder_room(fr_array *scratch, size_t count, fr_error *error) {
    scratch->count = 0;
    void *room = fr_array_push(scratch, count);
    if (room == NULL) { fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message of %zu items", count); }
    return room;
}

float fr__finite_float(double value) {
    if (value > FLT_MAX) { return FLT_MAX; }
    if (value < -FLT_MAX) { return -FLT_MAX; }
    return fr_is_unknown(value) ? 0.0f : (float)value;
}
