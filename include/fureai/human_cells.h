// Fureai human, walking: steps that are cut out of captured motions, for the cells of a set of walks (data-driven
// locomotion). Each of the FR_WALK_CLIPS clips of a set is a cell; those that no capture fills stay made by code.
#ifndef FUREAI_HUMAN_CELLS_H
#define FUREAI_HUMAN_CELLS_H

#include "human_files.h"
#include "human_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

// Captured steps, and the best of each cell. One thread at a time; any thread may read one that does not change.
typedef struct fr_walk_cells fr_walk_cells;

typedef struct fr_walk_cells_def {
    const fr_skeleton *skeleton; // of the clips, with a hip as root, two legs and soles; retained
    double speed;                // of steady walking that is preferred, metres a second; 0, the default: the median
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_walk_cells_def
} fr_walk_cells_def;

FR_API fr_walk_cells_def fr_default_walk_cells_def(void);

// Makes cells without a clip. FR_ERROR_ARGUMENT for a skeleton that cannot walk or a speed below 0, FR_ERROR_MEMORY.
FR_API fr_status fr_walk_cells_create(const fr_walk_cells_def *def, fr_walk_cells **out, fr_error *error);
FR_API void fr_walk_cells_destroy(fr_walk_cells *cells); // NULL is ignored

// Cuts the steps out of a captured motion of the skeleton (fr_retarget): its feet are held (fr_clip_clean), it is cut
// where feet land and where the body stands, each piece is turned so that it begins at the origin facing +Z, mirrored
// where the wrong foot leads, and put into the cell of its direction, facing and stride. A piece is one or two steps
// from standing to standing, a start, a steady step or an end. `found` is how many pieces there were; 0 is no error.
// FR_ERROR_ARGUMENT for a clip of another number of links, FR_ERROR_MEMORY.
FR_API fr_status fr_walk_cells_add(fr_walk_cells *cells, const fr_clip *clip, uint32_t *found, fr_error *error);

typedef struct fr_walk_cells_view {
    double leg;                  // length of a leg with the height of the ankle, of the skeleton of the clips
    double speed;                // of the steady step; 0: there is none
    uint32_t filled;             // cells with a clip
    uint32_t piece_count;        // of all captures
    const fr_clip *const *clips; // FR_WALK_CLIPS of them, in the order of fr_walk_set_clip; NULL: none. Directions and
                                 // facings are as captured, within 15 degrees of the cell's
} fr_walk_cells_view;

// What cells hold, to read until the next call that changes them.
FR_API fr_walk_cells_view fr_walk_cells_get(const fr_walk_cells *cells);

// Writes the clips of the cells: a line "AHMW 1", a line "leg METRES", then for each a line "clip BYTES" and as many
// bytes of a clip file (fr_ahmc_write, floats). FR_ERROR_ARGUMENT where no cell is filled, FR_ERROR_FILE where `write`
// returned false, FR_ERROR_MEMORY.
FR_API fr_status fr_walk_cells_write(const fr_walk_cells *cells, fr_bytes_fn *write, void *context, fr_error *error);

typedef struct fr_walk_cells_input {
    const char *text;
    size_t size;            // bytes
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_walk_cells_input
} fr_walk_cells_input;

FR_API fr_walk_cells_input fr_default_walk_cells_input(void);

// Reads such a file; what it gives takes no more captures. FR_ERROR_SYNTAX with line and column (within a clip those of
// the clip) for what is no such file or a clip that is no piece of a walk, FR_ERROR_VERSION, FR_ERROR_LIMIT for more
// clips than cells or a cell twice, and the statuses of fr_ahmc_read. Memory at most 64 bytes a byte, and 64 KiB.
FR_API fr_status fr_walk_cells_read(const fr_walk_cells_input *input, fr_walk_cells **out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
