// Names of the clips that are made by code.
#include "fureai/human_skill.h"

#include <string.h>

static const char *const names[FR_MADE_CLIP_COUNT] = {
    [FR_MADE_DOOR] = "door", [FR_MADE_SIT] = "sit", [FR_MADE_DRINK] = "drink", [FR_MADE_TAP] = "tap"};

fr_made_clip fr_made_clip_find(const char *name) {
    uint32_t i = 0;
    while (i < FR_MADE_CLIP_COUNT && strcmp(names[i], name) != 0) {
        i++;
    }
    return (fr_made_clip)i;
}
