// The scratch memory of one who makes messages.
#ifndef FUREAI_PROTOCOL_ENCODER_H
#define FUREAI_PROTOCOL_ENCODER_H

#include "fureai/protocol.h"

struct fr_encoder {
    fr_allocator allocator;
    fr_array bodies;   // fr_wire_body
    fr_array pairs;    // fr_wire_pair
    fr_array contacts; // fr_wire_contact
    fr_array events;   // fr_wire_event
    fr_array touches;  // fr_wire_face_touch
    fr_array parts;    // fr_wire_part
    fr_array floats;   // float
    fr_array numbers;  // uint32_t
};

// Empties a scratch array and makes room for `count` elements; NULL, with the error set, when there is no memory.
void *fr__encoder_room(fr_array *scratch, size_t count, fr_error *error);

// The nearest float that is finite; 0 for what is not known.
float fr__finite_float(double value);

#endif
