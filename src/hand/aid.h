// What the files of the manipulation aid share: the planar faces of meshes, a face in the world, and the state.
#ifndef FUREAI_HAND_AID_H
#define FUREAI_HAND_AID_H

#include "collide/move.h"
#include "fureai/hand.h"

#define FR__AID_CONTACTS 256 // of one motion
#define FR__AID_PAIRS 64     // of planar faces that meet in one motion
#define FR__AID_DROPS 32     // pairs that may not be taken again at once
#define FR__AID_SHARED 8     // areas that are remembered within a frame
#define FR__AID_BORDERS 64   // edges of an outline
#define FR__AID_SNAPS 2      // besides at least one face, or an axis

// The planar faces of a mesh, found when it is first met.
typedef struct fr__aid_shape {
    const fr_mesh *mesh; // retained
    fr_planar_faces *planar;
} fr__aid_shape;

// A planar face at a pose: of the held object, or of one that stands. Valid until the space changes.
typedef struct fr__aid_face {
    fr_vec3 normal;   // unit
    fr_vec3 centroid; // of its area
    double area;
    double height; // of what sticks out of its plane, where it is not quite flat
    const fr_mesh *mesh;
    const fr_planar_faces *planar;
    uint32_t face;           // of `planar`
    const fr_vec3 *vertices; // of a deformed part, in place of the mesh's; else NULL
    fr_pose part, pose;      // of the part in the object, and of the object
} fr__aid_face;

// An edge of an outline in the plane, from left to right.
typedef struct fr__aid_edge {
    fr_vec2 from, to;
    double slope;
    double sign; // -1 where the outline runs in this direction, 1 where it runs against it
} fr__aid_edge;

// What a pair shared at a pose in this frame.
typedef struct fr__aid_shared {
    fr_aid_pair pair;
    fr_pose pose;
    double area, ratio;
} fr__aid_shared;

typedef struct fr__aid_drop {
    fr_aid_pair pair;
    double time;
    fr_vec3 place; // of the raw face's centroid
    bool is_used;
} fr__aid_drop;

// An edge of an outline, in the axes of its part: from corner to corner, straight.
typedef struct fr__aid_border {
    fr_vec3 ends[2];
    fr_vec3 outward; // in the plane of its face, unit
} fr__aid_border;

// The longest edges of one face's outline.
typedef struct fr__aid_borders {
    const fr_mesh *mesh; // NULL: not used
    uint32_t face;
    uint32_t count;
    fr__aid_border edges[FR__AID_BORDERS];
} fr__aid_borders;

// The round places of a mesh, found when it is first met.
typedef struct fr__aid_rounds {
    const fr_mesh *mesh; // retained
    fr_aid_axis *axes;
    uint32_t count;
} fr__aid_rounds;

// What snapped besides faces: what is held, and where it belongs, in the axes of the other object.
typedef struct fr__aid_snap {
    fr_aid_held held;
    fr_vec3 place;     // where the held point belongs: on the edge, at the corner, in the mouth
    fr_vec3 outward;   // what the plane looks against, unit
    fr_vec3 ends[2];   // of an edge, in the held object
    fr_vec3 others[2]; // of the edge it lies on, in the other object
} fr__aid_snap;

struct fr_aid {
    fr_aid_def def;
    fr_object_id held; // all zeros: nothing is held
    fr_part_def *parts;
    uint32_t part_count;
    fr_vec3 center_local;                  // of the held object's volume
    double radius;                         // of the held object about it, in the world
    fr__move_memory memory;                // of one query
    fr__near_list *near;                   // of what has many triangles; NULL: none
    fr_array shapes;                       // fr__aid_shape
    fr_array corners[2];                   // fr_vec3: of the held face, of the standing one
    fr_array edges[2];                     // fr__aid_edge: likewise
    fr_array live[2];                      // uint32_t: likewise
    fr__aid_shared shared[FR__AID_SHARED]; // areas of this frame
    uint32_t shared_count;
    fr_contact contacts[FR__AID_CONTACTS];
    uint32_t contact_count;
    fr_aid_pair pairs[FR__AID_PAIRS]; // of the planar faces in contact, each once
    uint32_t pair_count;
    fr_aid_pair reported[FR__AID_PAIRS]; // contacts of the frame before
    uint32_t reported_count;
    fr_aid_held faces[FR_AID_FACES];
    uint32_t face_count;
    fr__aid_drop drops[FR__AID_DROPS];
    uint32_t drop_next;
    fr_pose shown;
    double time; // of the last frame
    bool has_time;
    bool was_blocked;     // in the last frame
    bool is_blending;     // a face came off, and shown moves towards raw
    double blend_time;    // of the frame before it came off
    fr_vec3 blend_shift;  // from raw to shown then
    fr_quat blend_turn;   // likewise
    fr_vec3 stuck_local;  // where the first face's centroid was shown, in the axes of what holds it
    uint32_t stuck_count; // faces that were held then
    fr_pose near_pose;    // where something was nearer than a margin allows
    uint32_t near_level;  // the margin of queries there
    fr__aid_snap snaps[FR__AID_SNAPS];
    uint32_t snap_count;
    uint32_t snap_faces; // that were held when they were taken: edges and corners go with these
    fr__aid_borders borders[2 * FR_AID_FACES];
    uint32_t border_next;
    fr_array rounds;          // fr__aid_rounds
    fr_aid *partner;          // of the other hand; NULL: none
    bool is_follower_stopped; // the contact at hand is one of what goes along
};

// What one frame needs at hand.
typedef struct fr__aid_frame {
    fr_aid *aid;
    const fr_space *space;
    fr_pose raw;
    fr_pose from; // shown in the frame before
    fr_pose to;   // where the faces that are held let it be
    double time;
    fr_aid_output *output;
} fr__aid_frame;

bool fr__aid_same_pose(const fr_pose *a, const fr_pose *b); // their scales are not looked at
bool fr__aid_same(const fr_aid_pair *a, const fr_aid_pair *b);
fr_status fr__aid_planar(fr_aid *aid, const fr_mesh *mesh, const fr_planar_faces **out, fr_error *error);
void fr__aid_shapes_free(fr_aid *aid);

// The held face of a pair at a pose of the held object, and the other one where it stands. False when one of them is
// not there any more, or is deformed and not flat.
bool fr__aid_faces_of(fr_aid *aid, const fr_space *space, const fr_aid_pair *pair, const fr_pose *pose,
                      fr__aid_face *held, fr__aid_face *other);

// The plane that a pair holds to; the skin included.
fr_aid_plane fr__aid_plane_of(fr_aid *aid, const fr_aid_pair *pair, const fr__aid_face *other);
fr_vec3 fr__aid_centroid_local(const fr_aid *aid, const fr_aid_pair *pair);

// What raw is taken for, and where the faces that are held let it be.
fr_pose fr__aid_hand(const fr__aid_frame *frame);
fr_pose fr__aid_goal(const fr__aid_frame *frame);

// With friction: notes where what is shown sticks.
void fr__aid_stick(fr__aid_frame *frame);

// A face came off in this frame: shown goes over to raw from where it was.
void fr__aid_begin_blend(fr__aid_frame *frame);

// The distance at which a face that shares an area comes off.
double fr__aid_threshold(const fr_aid *aid, double area);

// What two faces share, seen along the normal of b: by their outlines, or where these are not sound, by triangles.
double fr__aid_shared_area(fr_aid *aid, const fr__aid_face *a, const fr__aid_face *b);
bool fr__aid_outline_overlap(fr_aid *aid, const fr__aid_face *a, const fr__aid_face *b, double *area);

// The area that two sets of triangles share, seen along `normal` (unit). The triangles of one set must not overlap; any
// outline and holes are right then. 3 corners a triangle. O(a_count b_count) at worst.
double fr__aid_overlap(const fr_vec3 *a, uint32_t a_count, const fr_vec3 *b, uint32_t b_count, fr_vec3 normal);

// How much a standing face of normal n draws a face of normal m that goes along `velocity`: the angle between the
// normals times weight_normals, and that between velocity and n times weight_approach, both in degrees (6.1).
double fr__aid_attraction(fr_vec3 m, fr_vec3 n, fr_vec3 velocity, double weight_normals, double weight_approach);

// Overlap of a pair at a pose, once a frame.
double fr__aid_area(fr_aid *aid, const fr_space *space, const fr_aid_pair *pair, const fr_pose *pose, double *ratio);

// Whether all held faces lie in their planes at a pose.
bool fr__aid_is_laid(const fr_aid *aid, const fr_pose *pose);

// Whether the face that was taken last lies in its plane at a pose, and on enough of the other.
bool fr__aid_is_held(fr__aid_frame *frame, const fr_pose *pose);

// Takes back the face that was taken last in this frame: it cannot be laid flat where it would hold.
void fr__aid_take_back(fr__aid_frame *frame);

// Adds the pairs of planar faces of the contacts at hand, each once.
fr_status fr__aid_collect(fr_aid *aid, const fr_space *space, fr_error *error);

// Takes the best of the pairs at hand as one more face; whether there was one.
bool fr__aid_choose(fr__aid_frame *frame);

// Drops the faces that fail, the worst first, and sets `to`.
void fr__aid_release_failing(fr__aid_frame *frame);

// Adds the areas of what stands beside the other faces in one plane with them.
fr_status fr__aid_support(fr__aid_frame *frame, const fr_pose *pose, fr_error *error);

// Goes from `from` towards `to` as far as nothing blocks it; where it ends is `reached`. Leaves the pairs that
// stopped it at hand.
fr_status fr__aid_travel(fr__aid_frame *frame, fr_pose *reached, bool *is_blocked, fr_error *error);

// What blocks it was not taken: goes on along it from where it came to, as far as that is free.
fr_status fr__aid_slide(fr__aid_frame *frame, fr_pose *reached, fr_error *error);

// The objects whose bounds are within two skins and `margin` of those of the held object at a pose; the first
// `capacity` met.
fr_status fr__aid_near(fr__aid_frame *frame, const fr_pose *pose, double margin, fr_object_id *ids, uint32_t capacity,
                       uint32_t *count, fr_error *error);

// How much of the straight displacement from one pose to another is free; 0 where it begins in something.
fr_status fr__aid_free(fr__aid_frame *frame, const fr_pose *from, const fr_pose *to, fr_pose *reached, double *part,
                       fr_error *error);

// What snaps besides faces (aid_snap.c). Where all that is held lets a hand be; the first `snaps` of them count.
fr_pose fr__aid_lay(const fr__aid_frame *frame, const fr_pose *hand, uint32_t snaps);
bool fr__aid_has_axis(const fr_aid *aid);
bool fr__aid_is_beside_axis(const fr_aid *aid, const fr_aid_plane *plane); // a face that cannot hold along the axis
const fr_aid_held *fr__aid_held_at(const fr_aid *aid, uint32_t index);     // faces first, then snaps
void fr__aid_refresh_snaps(fr__aid_frame *frame);                          // where they belong now
void fr__aid_keep_snaps(fr__aid_frame *frame);                             // drops what fails, and sets `to`
fr_status fr__aid_take_snaps(fr__aid_frame *frame, fr_pose *reached, fr_error *error);
void fr__aid_snaps_free(fr_aid *aid);

// The best edge or corner to take, at most the reach away (aid_edge.c); whether there is one. And whether one that is
// held still holds.
bool fr__aid_find_edge(fr__aid_frame *frame, fr__aid_snap *out);
bool fr__aid_edge_holds(fr__aid_frame *frame, uint32_t index);

// The same of pegs and holes (aid_axis.c), the pose of a hand on the axis, and the path there.
fr_status fr__aid_find_axis(fr__aid_frame *frame, fr__aid_snap *out, bool *is_found, fr_error *error);
bool fr__aid_axis_holds(fr__aid_frame *frame);
fr_pose fr__aid_on_axis(const fr__aid_frame *frame, const fr_pose *hand);
void fr__aid_carry_on_axis(fr__aid_frame *frame, const fr_aid_plane *was);
fr_status fr__aid_go_to_axis(fr__aid_frame *frame, fr_pose *reached, bool *is_there, fr_error *error);
void fr__aid_rounds_free(fr_aid *aid);

// The other hand's aid while its object is held to this one's (aid_partner.c), else NULL; the displacement that it
// takes part in; and that it went.
fr_aid *fr__aid_follower(const fr_aid *aid);
bool fr__aid_follower_motion(const fr_aid *aid, const fr_motion *motion, fr_motion *out);
void fr__aid_take_along(fr_aid *aid, const fr_pose *reached, fr_aid_output *output);

// One more event; the last one again where there is no room.
fr_hand_event *fr__aid_add_event(fr_aid_output *output, fr_hand_kind kind, const fr_aid_pair *pair, double speed,
                                 double area);

// Reports the pairs that meet now and did not in the frame before.
void fr__aid_report_contacts(fr__aid_frame *frame);
void fr__aid_report_slide(fr__aid_frame *frame, const fr_pose *reached);
void fr__aid_report_pull(fr__aid_frame *frame, const fr_pose *reached);

// Who, when, where and how near to coming off, in all events of a frame that has ended.
void fr__aid_fill_events(const fr_aid *aid, fr_aid_output *output);

#endif
