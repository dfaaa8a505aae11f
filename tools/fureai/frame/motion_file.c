// Motions that commands write: BVH and clip files.
#include "motion_file.h"

#include "output_file.h"

bool motion_file_is_written(tool *t, const char *path, exit_status *wrong) {
    if (path_ends_with(path, ".bvh") || path_ends_with(path, ".ahmc") || path_ends_with(path, ".glb")) { return true; }
    *wrong = tool_wrong_usage(t, "%s ends neither in .bvh nor in .ahmc or .glb", path);
    return false;
}

static bool put(const char *bytes, size_t size, void *context) { return fr_output_file_write(context, bytes, size); }

static fr_status end_file(fr_output_file *file, fr_status status, fr_error *error) {
    if (status == FR_OK) { return fr_output_file_commit(file, error); }
    fr_output_file_discard(file);
    return status;
}

fr_status motion_file_write(const fr_skeleton *skeleton, const fr_clip *clip, bool is_text, const char *path,
                            fr_error *error) {
    fr_output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    status = path_ends_with(path, ".bvh") ? fr_bvh_write(skeleton, clip, 100.0, put, &file, error)
                                          : fr_ahmc_write(clip, !is_text, put, &file, error);
    return end_file(&file, status, error);
}

fr_status motion_file_write_cells(const fr_walk_cells *cells, const char *path, fr_error *error) {
    fr_output_file file;
    fr_status status = output_file_open(&file, path, error);
    return status == FR_OK ? end_file(&file, fr_walk_cells_write(cells, put, &file, error), error) : status;
}
