// A simulated person who wears a simulated pen on strings and carries a model from plate A to plate B, in a world that
// ticks: in place of the subjects of Asano and others.
#ifndef FUREAI_EXPERIMENTS_ASANO_PERSON_H
#define FUREAI_EXPERIMENTS_ASANO_PERSON_H

#include "asano.h"

// A model of so many polygons: a cone of 10 cm that stands on its tip, the origin, with half of them in its base. The
// number is a multiple of 8, up to 800. And its box, as a mesh. The source prints neither shapes nor sizes.
fr_status asano_model(uint32_t polygons, double radius, fr_mesh **out, fr_error *error);
fr_status asano_model_box(const fr_mesh *model, fr_mesh **out, fr_error *error);

// One run of the task.
typedef struct asano_trial {
    const fr_mesh *touched; // what is detected of the model: itself, or its box
    double place;           // metres from the room's centre to both plates, on either side of it
    double tilt_deg;        // deviation of how a wrist holds what it carries, about each axis
    double upright_deg;     // deviation of a tilt that is seen
    bool is_filtered;       // what the tracker delivers
    double time_out;        // seconds
    uint64_t seed;
} asano_trial;

// The person of the table, at the room's centre.
asano_trial asano_default_trial(void);

typedef struct asano_result {
    double seconds;    // until the tip was within 1 mm for 0.2 s; the time-out: it never was
    bool is_done;      // within that
    double taken;      // seconds until the model was in the hand
    uint32_t looks;    // after the model was brought to plate B
    uint32_t held_up;  // of them those when it was felt that something holds the model up
    uint32_t retries;  // of those when the tip was seen to be above the plate still: the model was turned
    double force_max;  // newtons at the hand
    double energy_max; // joules, of the observer
} asano_result;

// Runs the task. Equal trials give equal results.
fr_status asano_person_run(const asano_trial *trial, asano_result *out, fr_error *error);

#endif
