// How a part goes over the step: the path of its triangles for the judge, and what culls need to know about it.
#ifndef FUREAI_COLLIDE_COURSE_H
#define FUREAI_COLLIDE_COURSE_H

#include "collide/side.h"
#include "math/arm.h"
#include "shape/triangle_time.h"
#include "space/space.h"

typedef struct fr__course {
    const fr_motion *motion;     // the object's; NULL: it stays where it is, or its vertices go straight
    const fr_vec3 *end_vertices; // of the part, where they go straight; NULL: they go with the object
    fr__guide guide;             // of the motion, for the judge
    fr__frame end;               // the object at its next pose

    // What culls use, all in the world and rounded. A point of the part that is at x when t = 0 is at
    // c + t travel + Rot(t turn)(x - c) at t.
    fr_pose start, end_pose; // object and part in one, at the pose and at the next one
    fr_vec3 pivot, travel, turn;
    fr__axis axis;    // of the turn
    fr_vec3 ball;     // at t = 0 every world corner is within `radius` of it
    double radius;    //
    double arm;       // of the ball's centre about the pivot
    double reach;     // no coordinate of a corner, of the pivot or of its end is larger
    double rounding;  // more than poses, paths and the judge are off: 2^-38 of the reach, 2^-39 of arms and turns
    double end_gap;   // how far a corner at the next pose may be from where its path ends
    double face_size; // of a face, about
} fr__course;

// Of a side, which stands at its object's pose; `view` says how the object moves. Where vertices go straight the part
// counts as still for culls: its tree holds both ends.
void fr__course_make(const fr_object_view *view, const fr__side *side, fr__course *out);

// How far a point of a ball at one pose can be from the same point at the other, at most.
double fr__pose_gap(const fr_pose *a, const fr_pose *b, fr_vec3 center_local, double radius_local);

// Object and part in one pose at t.
fr_pose fr__course_pose(const fr__course *course, double t);

// Where the ball's centre is at t.
fr_vec3 fr__course_ball(const fr__course *course, double t);

// The path of a triangle of the side: what the judge looks at. Of one that goes with its object the corners at
// the end are set only `with_ends`: a judge that looks no farther than some earlier time does not need them.
static inline void fr__course_path_until(const fr__course *course, const fr__side *side, uint32_t triangle,
                                         bool with_ends, fr_triangle_path *out) {
    const uint32_t *t = side->triangles + 3 * (size_t)triangle;
    out->motion = course->motion;
    for (int k = 0; k < 3; k++) {
        fr_vec3 v = fr__side_position(side, t[k]);
        if (!side->part_is_identity) { v = fr__frame_apply(&side->part_frame, v); }
        out->start[k] = fr__frame_apply(&side->object_frame, v);
        if (course->end_vertices != NULL) {
            out->end[k] = fr__frame_apply(&course->end, fr__frame_apply(&side->part_frame, course->end_vertices[t[k]]));
        } else {
            out->end[k] = course->motion != NULL && with_ends ? fr__frame_apply(&course->end, v) : out->start[k];
        }
    }
}

static inline void fr__course_path(const fr__course *course, const fr__side *side, uint32_t triangle,
                                   fr_triangle_path *out) {
    fr__course_path_until(course, side, triangle, true, out);
}

// The corners of a triangle of the side at t, rounded; at t = 1 those of the next pose.
void fr__course_corners(const fr__course *course, const fr__side *side, uint32_t triangle, double t,
                        fr_vec3 corners[3]);

// How fast a point that goes with the part is at t, in metres a step.
fr_vec3 fr__course_velocity(const fr__course *course, fr_vec3 point, double t);

#endif
