// Links on both sides of a body that are mirrored to each other.
#ifndef FUREAI_HUMAN_PARTNERS_H
#define FUREAI_HUMAN_PARTNERS_H

#include "fureai/human.h"

// Checks the partners that a definition gives.
fr_status fr__partners_check(const fr_skeleton_def *def, fr_error *error);

// Finds partners of a checked definition without them: by the roles, else by the names.
void fr__partners_find(const fr_skeleton_def *def, uint32_t *partners);

#endif
