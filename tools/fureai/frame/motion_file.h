// A motion of people that a command writes.
#ifndef FUREAI_TOOL_MOTION_FILE_H
#define FUREAI_TOOL_MOTION_FILE_H

#include "tool.h"

#include "fureai/human_cells.h"

// Whether motions are written by the ending of a path: .bvh, .ahmc or .glb. Anything else is a wrong usage.
bool motion_file_is_written(tool *t, const char *path, exit_status *wrong);

// Writes a clip of a skeleton, whole or not at all: BVH in centimetres, else a clip file, as text or with floats.
fr_status motion_file_write(const fr_skeleton *skeleton, const fr_clip *clip, bool is_text, const char *path,
                            fr_error *error);

// Writes the captured steps of cells, whole or not at all.
fr_status motion_file_write_cells(const fr_walk_cells *cells, const char *path, fr_error *error);

#endif
