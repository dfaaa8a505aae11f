#include "shape/meeting.h"

bool fr_vertex_face_time(const fr_triangle_path *vertex, const fr_triangle_path *face, const fr_time_options *options,
                         fr_time_result *out) {
    fr__guide guide_vertex = fr__guide_of(vertex->motion), guide_face = fr__guide_of(face->motion);
    fr__chase chase;
    fr__arrival at;
    fr__chase_make(&chase, &guide_vertex, vertex, 1, &guide_face, face, 3, options);
    fr__chase_run(&chase, options->begin, options->end, options->cap, &at);
    if (out != NULL) { fr__meeting_answer(&chase, &at, out); }
    return at.hit;
}
