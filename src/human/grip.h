// What the two grips share.
#ifndef FUREAI_HUMAN_GRIP_INTERNAL_H
#define FUREAI_HUMAN_GRIP_INTERNAL_H

#include "fureai/human_reach.h"

enum { FR__HAND_LINKS = 14 };

// By how much the thumb's base turns about the palm's axis, so that it bends across the palm towards the fingers.
fr_quat fr__thumb_towards_fingers(fr_side side);

#endif
