// Joints that go through their ranges, one after another, while all else of a world stands still.
#ifndef FR_CLASH_JOINT_DRIVE_H
#define FR_CLASH_JOINT_DRIVE_H

#include "fureai/clash.h"

FR_ARRAY_TYPE(fr__joint_drive_array, fr_joint_drive);

// Lists the drives of a world's joints, `steps` ticks for a range; the ticks of all, or 0 where no joint has a range.
// FR_ERROR_MEMORY.
fr_status fr__joint_drives_list(const fr_world *world, uint64_t steps, fr__joint_drive_array *out, uint64_t *ticks,
                                fr_error *error);

// A mover for these drives, added after all others; `user` is the array.
fr_propose_fn fr__joint_drives_propose;

#endif
