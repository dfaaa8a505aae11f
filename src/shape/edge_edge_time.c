// The time at which two moving edges first meet.
#include "shape/meeting.h"

bool fr_edge_edge_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *input,
                       fr_time_output *out) {
    fr__guide guide_a = fr__guide_of(a->motion), guide_b = fr__guide_of(b->motion);
    fr__moving_pair pair;
    fr__arrival at;
    fr__moving_pair_make(&pair, &guide_a, a, 2, &guide_b, b, 2, input);
    fr__advance_run(&pair, input->begin, input->end, input->cap, &at);
    if (out != NULL) { fr__meeting_result(&pair, &at, out); }
    return at.hit;
}
