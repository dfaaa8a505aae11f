// What the reader of BVH keeps of a file's joints, private to the room.
#ifndef FUREAI_HUMAN_BVH_H
#define FUREAI_HUMAN_BVH_H

#include "fureai/human_files.h"

// Roles of joints by their names, FR_LINK_COUNT of them; FR_NO_LINK where no joint has that role.
void fr__bvh_roles(const char *const *names, uint32_t count, uint32_t roles[FR_LINK_COUNT]);

#endif
