// Words of clip files, private to the room.
#ifndef FUREAI_HUMAN_AHMC_H
#define FUREAI_HUMAN_AHMC_H

#include "fureai/human_files.h"

extern const char *const fr__ahmc_classes[FR_CLIP_CLASS_COUNT];
extern const char *const fr__ahmc_strides[3]; // by fr_stride
extern const char *const fr__ahmc_feet[3];    // by fr_foot

#endif
