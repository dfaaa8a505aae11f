// The source's planner for worlds that stand still: best first over white leaves, moving before turning (Kitamura
// 4.3.5).
#ifndef FUREAI_PLAN_FAITHFUL_LEAF_SEARCH_H
#define FUREAI_PLAN_FAITHFUL_LEAF_SEARCH_H

#include "plan/faithful/leaf_space.h"

#ifdef __cplusplus
extern "C" {
#endif

// A leaf that was explored, as the source's pictures show it.
typedef struct fr_leaf_visit {
    fr_cell leaf;
    fr_vec3 turn_deg;
} fr_leaf_visit;

FR_ARRAY_TYPE(fr_leaf_visit_array, fr_leaf_visit);

typedef struct fr_leaf_result {
    fr_cell_path path;    // through the middles of leaves and of the faces they share, start and goal at its ends
    uint32_t nodes;       // leaves on the path, each counted once a visit
    uint32_t leaf_count;  // white leaves there are
    uint32_t turns_tried; // turns that the search was started again with
    uint64_t sweeps;      // motions looked at between states
    fr_leaf_visit_array visited; // in the order of the search
} fr_leaf_result;

// FR_ERROR_ARGUMENT where the start is not in a white leaf, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. The path says
// is_checked nowhere: with is_swept it was sampled. Free the result.
fr_status fr_leaf_search_run(const fr_leaf_input *input, fr_leaf_result *out, fr_error *error);
void fr_leaf_result_free(fr_leaf_result *result);

#ifdef __cplusplus
}
#endif

#endif
