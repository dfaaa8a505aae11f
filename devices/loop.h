// What tests see of the inside of the loop.
#ifndef FUREAI_DEVICES_LOOP_H
#define FUREAI_DEVICES_LOOP_H

#include "fureai/devices.h"

void fr__haptic_times_add(fr_haptic_times *times, double seconds);

#endif
