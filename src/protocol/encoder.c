// The scratch memory of an encoder, and the floats of messages.
#include "protocol/encoder.h"

#include <float.h>

fr_status fr_encoder_create(const fr_allocator *allocator, fr_encoder **out, fr_error *error) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_encoder *encoder = fr_allocate(&kept, 1, sizeof *encoder, _Alignof(fr_encoder));
    if (encoder == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an encoder"); }
    encoder->allocator = kept;
    encoder->bodies = fr__wire_body_array_make(&kept);
    encoder->pairs = fr__wire_pair_array_make(&kept);
    encoder->contacts = fr__wire_contact_array_make(&kept);
    encoder->events = fr__wire_event_array_make(&kept);
    encoder->touches = fr__wire_face_touch_array_make(&kept);
    encoder->parts = fr__wire_part_array_make(&kept);
    encoder->bytes = fr_byte_array_make(&kept);
    encoder->book = fr__book_make(&kept);
    encoder->floats = fr_float_array_make(&kept);
    encoder->numbers = fr_uint32_array_make(&kept);
    *out = encoder;
    return FR_OK;
}

void fr_encoder_destroy(fr_encoder *encoder) {
    if (encoder == NULL) { return; }
    fr__wire_body_array_destroy(&encoder->bodies);
    fr__wire_pair_array_destroy(&encoder->pairs);
    fr__wire_contact_array_destroy(&encoder->contacts);
    fr__wire_event_array_destroy(&encoder->events);
    fr__wire_face_touch_array_destroy(&encoder->touches);
    fr__wire_part_array_destroy(&encoder->parts);
    fr_byte_array_destroy(&encoder->bytes);
    fr__book_free(&encoder->book);
    fr_float_array_destroy(&encoder->floats);
    fr_uint32_array_destroy(&encoder->numbers);
    fr_allocator kept = encoder->allocator;
    fr_deallocate(&kept, encoder, 1, sizeof *encoder);
}

fr_status fr__encoder_no_room(size_t count, fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message of %zu items", count);
}

float fr__finite_float(double value) {
    if (value > FLT_MAX) { return FLT_MAX; }
    if (value < -FLT_MAX) { return -FLT_MAX; }
    return fr_is_unknown(value) ? 0.0f : (float)value;
}
