// A colour for faces that collide, far from the colours of what they belong to.
#ifndef FUREAI_TOOL_CONTRAST_H
#define FUREAI_TOOL_CONTRAST_H

#include "fureai/base.h"

#define CONTRAST_COLORS 4

// How near each of the colours to choose from comes to those that were added.
typedef struct contrast {
    int nearest[CONTRAST_COLORS]; // squared
} contrast;

contrast contrast_begin(void);
void contrast_add(contrast *c, fr_color color);

// The first of the colours that is far from all that were added, else the farthest; red comes first.
fr_color contrast_choose(const contrast *c);

#endif
