// Planning among cells as the command plan does it: the searches of room scene, and the sources' own.
#ifndef FUREAI_TOOL_PLAN_CELLS_H
#define FUREAI_TOOL_PLAN_CELLS_H

#include "scene_file.h"

// Plans as the scene's plans say: one path for each, of which `paths` has room. Anything but DONE: return it, there is
// nothing to free.
exit_status plan_cells_run(tool *t, const scene_file *file, fr_path *paths, fr_scene_cells_result *result);

#endif
