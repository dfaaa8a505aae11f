// The inside of a study.
#ifndef FUREAI_ACT_STUDY_PRIVATE_H
#define FUREAI_ACT_STUDY_PRIVATE_H

#include "act/director.h"

#include "fureai/act_study.h"

#define FR__STUDY_BEGINS 32u // of motions that are remembered of a person

// A motion began.
typedef struct fr__study_begin {
    uint64_t name; // hash; 0: none
    double time;
} fr__study_begin;

// What is remembered of a person between looks.
typedef struct fr__study_person {
    uint64_t ticket;    // of the command at hand
    const char *motion; // its name, as in rows
    fr__study_begin begins[FR__STUDY_BEGINS];
    uint32_t begin_count;  // of all; the newest are kept
    fr_work_angles anchor; // since `held` no angle is farther from these than half the span
    double held;
    bool has_anchor;
} fr__study_person;

FR_ARRAY_TYPE(fr__study_row_array, fr_study_row);
FR_ARRAY_TYPE(fr__study_person_array, fr__study_person);

struct fr_study {
    fr_study_def def;
    fr_allocator allocator;
    fr__study_row_array rows;
    fr__study_person_array people;
    fr_arena *names;
    uint64_t ticks; // from one look to the next
    uint64_t next;  // tick of the next look
};

#endif
