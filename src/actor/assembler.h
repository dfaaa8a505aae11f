// The inside of an assembler, which its files share.
#ifndef FUREAI_ACTOR_ASSEMBLER_H
#define FUREAI_ACTOR_ASSEMBLER_H

#include "actor/retained_parts.h"

#include "fureai/actor.h"

FR_ARRAY_TYPE(fr__assembler_record_array, fr_assembler_record);
FR_ARRAY_TYPE(fr__hand_event_array, fr_hand_event);

struct fr_assembler {
    fr_allocator allocator;
    fr_space *space;
    fr_assembly *assembly;
    const char *const *names;
    const fr_control *control; // checked in every frame
    fr_aid *aid;               // NULL: nothing stops the hand
    double time;               // seconds
    double tremor;             // metres
    fr_random random;          //
    fr_vec3 shake[2];          // of the hand now: metres, radians
    uint32_t held;             // part; FR_NONE: nothing
    fr__retained_parts body;   // of the held object
    fr_vec3 middle;            // of its box, in its own axes
    fr_pose wish;              // where the hand is, but for its tremor
    fr_pose shown;             //
    bool is_touching;          // something, without the aid
    fr_assembly_output last;
    fr__assembler_record_array records; // one a part
    fr_uint32_array order;              // parts as they were fitted; it has memory for all
    uint32_t misses;                    // times that a hand caught nothing
    fr__hand_event_array events;
};

// The record of a part.
fr_assembler_record *fr__assembler_record(const fr_assembler *a, uint32_t part);

// A place as a part sees it that is where it is now.
fr_status fr__assembler_target(const fr_assembler *a, uint32_t part, uint32_t place, fr_assembly_measure_output *out,
                               fr_error *error);

#endif
