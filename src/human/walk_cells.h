// The private structure of captured steps.
#ifndef FUREAI_HUMAN_WALK_CELLS_H
#define FUREAI_HUMAN_WALK_CELLS_H

#include "fureai/human_cells.h"
#include "human/walk_set.h"

#define FR__CELL_MAX_FRAMES 4096u
#define FR__NO_CELL UINT32_MAX

// A piece of a capture that fills a cell.
typedef struct fr__cell_piece {
    uint32_t cell;
    fr_clip *clip;
    double speed; // metres a second where it is steady; 0: nowhere
    double off;   // how far from the middle of its cell, 0 or more
} fr__cell_piece;

FR_ARRAY_TYPE(fr__cell_piece_array, fr__cell_piece);

struct fr_walk_cells {
    fr_allocator allocator;
    fr_skeleton *skeleton; // NULL: read from a file
    fr__walk_body body;
    double speed; // that is preferred; 0: the median
    double leg;
    fr__cell_piece_array pieces;
    const fr_clip *clips[FR_WALK_CLIPS];
    uint32_t filled;
};

// Cuts a cleaned clip and adds the pieces. FR_ERROR_MEMORY.
fr_status fr__walk_cut(fr_walk_cells *cells, const fr_clip *clip, fr_error *error);

// The cell of a clip by its class, direction, facing, stride and last foot; FR__NO_CELL for none.
uint32_t fr__walk_cell_of(const fr_clip_view *clip);

// Chooses the best piece of each cell.
void fr__walk_cells_choose(fr_walk_cells *cells);

// Length, contacts and heading of the clip of a set by the captured one of its cell. FR_ERROR_ARGUMENT for one that
// cannot be walked.
fr_status fr__walk_set_take_cell(fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, fr_error *error);

// Sets from where to where the captured clip goes, once the straight step of the set is made. FR_ERROR_ARGUMENT for one
// that goes nowhere, or too far.
fr_status fr__walk_set_cell_travel(fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, fr_error *error);

// The figure of a captured clip at a frame of the clip of the set, where it begins at the origin.
void fr__walk_cell_figure(const fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, double frame,
                          fr__walk_figure *figure);

// Gives each contact of a clip that begins and ends with these figures one print, and holds the feet on them. Soles
// that are nearly flat become so where the clip is a captured one.
void fr__walk_set_plant(fr_walk_set *set, uint32_t index, const fr__walk_figure *first, const fr__walk_figure *last,
                        bool is_captured);

#endif
