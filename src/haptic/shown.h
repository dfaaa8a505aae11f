// The second thing a hand can feel: a held object that is shown elsewhere than the hand has it.
#ifndef FUREAI_HAPTIC_SHOWN_PRIVATE_H
#define FUREAI_HAPTIC_SHOWN_PRIVATE_H

#include "haptic/state.h"

typedef struct fr__wrench {
    fr_vec3 force, torque;
} fr__wrench;

bool fr__haptic_is_hold(const fr_haptic_hold *hold);

// Spring and damper between where the hand has it and where it is shown, and where that is now.
fr__wrench fr__haptic_shown(const fr_haptic *h, const fr_haptic_hold *hold, const fr_haptic_input *in, fr_vec3 *place,
                            fr_quat *rotation);

#endif
