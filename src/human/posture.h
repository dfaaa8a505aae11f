// What calls on postures share.
#ifndef FUREAI_HUMAN_POSTURE_H
#define FUREAI_HUMAN_POSTURE_H

#include "fureai/human.h"

// FR_ERROR_ARGUMENT with a sentence when a posture has no turns or another number of links.
fr_status fr__posture_check_count(const fr_posture *posture, uint32_t link_count, fr_error *error);

#endif
