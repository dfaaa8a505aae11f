// What the files of the state machines share.
#ifndef FUREAI_LIBRARY_MACHINE_PRIVATE_H
#define FUREAI_LIBRARY_MACHINE_PRIVATE_H

#include "fureai/library_machine.h"

// What changes of an object during an evaluation.
typedef struct fr__machine_now {
    uint32_t state;
    double seconds, value, low, high;
    const fr_class_constraint *constraint;
} fr__machine_now;

// An evaluation. Its memory is the arena's.
typedef struct fr__machines {
    const fr_machines_input *input;
    fr__machine_now *now;    // of each object; NULL: as the input has it
    uint32_t *heads, *nodes; // of the events of each object; NULL: there are none
    fr_machine_step *steps;
    uint32_t step_count, step_capacity;
    uint32_t changes_first, changes_end; // steps of the pass before
    uint32_t pass;
} fr__machines;

bool fr__machines_holds(const fr__machines *m, uint32_t object, const fr_class_guard *guard);

#endif
