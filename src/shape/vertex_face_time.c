// The time at which a moving vertex and a moving face first meet.
#include "shape/meeting.h"

bool fr_vertex_face_time(const fr_triangle_path *vertex, const fr_triangle_path *face, const fr_time_input *input,
                         fr_time_output *out) {
    fr__guide guide_vertex = fr__guide_of(vertex->motion), guide_face = fr__guide_of(face->motion);
    fr__moving_pair pair;
    fr__arrival at;
    fr__moving_pair_make(&pair, &guide_vertex, vertex, 1, &guide_face, face, 3, input);
    fr__advance_run(&pair, input->begin, input->end, input->cap, &at);
    if (out != NULL) { fr__meeting_result(&pair, &at, out); }
    return at.hit;
}
