// Keeps the legs of a part of a walk apart: its prints and the paths of its feet.
#ifndef FUREAI_HUMAN_WALK_APART_H
#define FUREAI_HUMAN_WALK_APART_H

#include "human/walk_part.h"

// Shifts prints within a part, and sets how its feet go aside as they swing, so that feet and shins do not meet. Prints
// on which the part begins and ends stay. Returns how much nearer to one another legs come than they should, metres: 0
// or less where they are apart.
double fr__walk_part_keep_apart(const fr_walk_set *set, fr__walk_part *part);

#endif
