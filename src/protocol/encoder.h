// The scratch memory of an encoder of messages.
#ifndef FUREAI_PROTOCOL_ENCODER_H
#define FUREAI_PROTOCOL_ENCODER_H

#include "protocol/book.h"

FR_ARRAY_TYPE(fr__wire_body_array, fr_wire_body);
FR_ARRAY_TYPE(fr__wire_pair_array, fr_wire_pair);
FR_ARRAY_TYPE(fr__wire_contact_array, fr_wire_contact);
FR_ARRAY_TYPE(fr__wire_event_array, fr_wire_event);
FR_ARRAY_TYPE(fr__wire_face_touch_array, fr_wire_face_touch);
FR_ARRAY_TYPE(fr__wire_part_array, fr_wire_part);

struct fr_encoder {
    fr_allocator allocator;
    fr__wire_body_array bodies;
    fr__wire_pair_array pairs;
    fr__wire_contact_array contacts;
    fr__wire_event_array events;
    fr__wire_face_touch_array touches;
    fr__wire_part_array parts;
    fr_byte_array bytes; // of the bones
    fr__book book;
    fr_float_array floats;
    fr_uint32_array numbers;
};

// Sets the error that there is no memory for the `count` items of a message.
fr_status fr__encoder_no_room(size_t count, fr_error *error);

// Appends STATE with these bodies; complete where `previous` is NULL.
fr_status fr__write_state(const fr_snapshot *snapshot, const fr_snapshot *previous, const fr_wire_body *bodies,
                          uint32_t count, fr_array *out, fr_error *error);

// The nearest finite float; 0 for an unknown value.
float fr__finite_float(double value);

#endif
