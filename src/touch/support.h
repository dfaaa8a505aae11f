// What carries a body: of faces that lie flat on one another the whole of what they share, not one place of each pair.
#ifndef FUREAI_TOUCH_SUPPORT_H
#define FUREAI_TOUCH_SUPPORT_H

#include "fureai/touch.h"

typedef struct fr__support_input {
    const fr_space *space;
    const fr_part_def *parts; // of the body
    uint32_t part_count;
    fr_pose pose;               // of the body
    double near;                // metres: what is this near carries
    const fr_contact *contacts; // of the body, a, with what stands, b
    uint32_t contact_count;
} fr__support_input;

// The contacts with the corners of what the faces share in place of their points, and of all that have one normal the
// outermost, whose hull is what carries: a body whose centre is over it does not turn. Writes up to `capacity` and
// returns how many; those without a normal are left out. O(contacts).
uint32_t fr__support_find(const fr__support_input *input, fr_contact *out, uint32_t capacity);

#endif
