// Fureai hand: direct manipulation of objects by hands: snapping, assembly, undo, and the events and sounds of it.
//
// The aid places what is held by the faces that meet; events report it in one stream, from which colours, sounds and
// logs are made; real objects that are tracked count too; parts find their mounting places in their order.
#ifndef FUREAI_HAND_H
#define FUREAI_HAND_H

#include "hand_sound.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Events of a hand
//
// All that happens to a handled object, in one stream. Colours, blinking, sound and vibration are made from it, and
// a log of it needs no device.

// A planar face of the held object and one of an object that stands, numbered as in fr_planar_faces of their parts.
typedef struct fr_aid_pair {
    uint32_t part, face; // of the held object
    fr_object_id other;
    uint32_t other_part, other_face;
} fr_aid_pair;

typedef enum fr_hand_kind {
    FR_HAND_CONTACT, // two faces met during the motion
    FR_HAND_SNAP,    // a face, edge, corner or axis is held from now on
    FR_HAND_SLIDE,   // it goes along what holds it
    FR_HAND_PULL,    // what holds it is about to come off: reported while `pull` is above one half
    FR_HAND_RELEASE, // a face came off
    FR_HAND_DONE,    // the hand let go
    FR_HAND_FITTED   // a part has come to its mounting place; reported once until it leaves it
} fr_hand_kind;

typedef enum fr_aid_cause {
    FR_AID_CAUSE_NONE,
    FR_AID_CAUSE_OVERLAP,  // the faces share no area any more
    FR_AID_CAUSE_DISTANCE, // pulled off
    FR_AID_CAUSE_GONE // the other object went away, was deformed, or turned so that both cannot be held; of an edge
                      // or corner: a face of those it goes with came off, or one more was taken
} fr_aid_cause;

// What holds: the faces of the source, and what snaps besides.
typedef enum fr_aid_kind {
    FR_AID_FACE,
    FR_AID_EDGE,   // an edge of a held face's outline lies on one of the other face's, both faces on one side of it
    FR_AID_VERTEX, // an end of that edge is at the end of the other
    FR_AID_AXIS    // a peg is in line with a hole
} fr_aid_kind;

typedef struct fr_hand_event {
    fr_hand_kind kind;
    fr_object_id object; // that is held
    fr_aid_pair pair;    // all zeros of SLIDE, PULL, DONE and FITTED
    fr_aid_cause cause;  // of RELEASE
    fr_aid_kind held;    // of SNAP and RELEASE
    uint32_t count;      // faces, edges, corners and axes held after it
    double speed;        // metres a second: of the approach, or of sliding; 0 in the first frame
    double area;         // shared: SNAP, SLIDE, PULL
    double pull;         // distance of the hand over the one at which it comes off, the largest of all held; 0 .. 1
    fr_vec3 point;       // where it happened, in the world: of the held face or object
    double time;         // seconds
} fr_hand_event;

// "contact", "snap" and so on, "none", "overlap" and so on, and "face", "edge", "vertex", "axis"; "unknown" for what is
// none of them.
FR_API const char *fr_hand_kind_name(fr_hand_kind kind);
FR_API const char *fr_aid_cause_name(fr_aid_cause cause);
FR_API const char *fr_aid_kind_name(fr_aid_kind kind);

#define FR_HAND_EVENT_BYTES 384 // room for any line of a log, with its end

// A log of events as a table with commas: the names of the columns, and one event as a line of them, both without a
// line's end. Objects are written by their index1. Empty are the columns of a pair where there is none, the cause of
// what is no RELEASE, what is held where it is neither that nor SNAP, and numbers that are not finite; the others read
// back as the same bits. Always terminated, and cut where `size` is too small; returns the length the whole line has.
FR_API const char *fr_hand_event_columns(void);
FR_API size_t fr_hand_event_text(const fr_hand_event *event, char *line, size_t size);

// ---------------------------------------------------------------------------------------------------------------
// Modes and colours of a hand

// What a hand is given: the modes of the source's experiments (1 .. 3), and those with sound.
typedef enum fr_aid_mode {
    FR_AID_MODE_NOTHING = 1,   // neither aid nor colour nor sound
    FR_AID_MODE_COLOR = 2,     // faces that collide change colour; nothing holds
    FR_AID_MODE_AID = 3,       // the aid; what it holds changes colour
    FR_AID_MODE_AID_SOUND = 4, // the aid; what it does is heard and not coloured
    FR_AID_MODE_AID_BOTH = 5,  // the aid, with colour and sound
    FR_AID_MODE_SOUND = 6      // faces that collide are heard; nothing holds
} fr_aid_mode;

// False for what is no mode.
FR_API bool fr_aid_mode_has_aid(fr_aid_mode mode);
FR_API bool fr_aid_mode_has_color(fr_aid_mode mode);
FR_API bool fr_aid_mode_has_sound(fr_aid_mode mode);

// The colour of a held object, or of one face of it. Gray, always in a mode without colour; yellow while it collides in
// FR_AID_MODE_COLOR; with the aid green, cyan and magenta by `held_count`, the faces held or the place of this one
// among them from 1, 0 not held; blue when it is done. `pull` of the events, 0 for no tint, fades what is held to gray
// until it comes off at 1.
FR_API fr_color fr_hand_color(fr_aid_mode mode, uint32_t held_count, bool is_colliding, bool is_done, double pull);

// ---------------------------------------------------------------------------------------------------------------
// Sound of a hand
//
// Every event as a sound, live or into a file: an event that is added before its frame is rendered is heard at that
// frame. A seed and the same events give the same bytes on every machine, whatever the lengths that are rendered at
// once. The numbers of the sounds are in hand_sound.h.

#define FR_HAND_TONES 32        // at once; a new one takes the place of the oldest
#define FR_HAND_WAITING 128     // events that were added and whose time has not come
#define FR_HAND_RATE_MIN 32000  // so that the highest partial, 12 kHz, has room
#define FR_HAND_RATE_MAX 192000 //

typedef struct fr_hand_voice_def {
    fr_aid_mode mode; // silent in one without sound. With the aid contacts are not heard: what they come to is. Default
                      // FR_AID_MODE_AID_SOUND
    uint64_t seed;    // of the noise; default 1
    uint32_t rate;    // frames a second; default 48000
    double start;     // seconds: the time of the first frame, on the clock of the events; default 0
    double half_width; // metres, > 0: what happens at x = -this is heard on the left alone, at x = this on the right;
                       // default 0.5
    double volume;     // 0 .. 1 of full scale: what a sound of 0 dB reaches; default 0.5
    double hold;       // seconds, 0.001 .. 10, that sliding and pulling go on after their last event: more than the
                       // time between two frames of the hand; default 0.1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_hand_voice_def
} fr_hand_voice_def;

FR_API fr_hand_voice_def fr_default_hand_voice_def(void);

// The sound of one hand. One thread at a time.
typedef struct fr_hand_voice fr_hand_voice;

// Makes a silent voice. FR_ERROR_ARGUMENT for numbers outside their limits, FR_ERROR_MEMORY.
FR_API fr_status fr_hand_voice_create(const fr_hand_voice_def *def, fr_hand_voice **out, fr_error *error);
FR_API void fr_hand_voice_destroy(fr_hand_voice *voice); // NULL is ignored

// Adds an event, in any order of times; one whose time has passed begins with the next frame rendered. Returns false
// and changes nothing where a number of it is not finite, its kind is unknown, its mode is silent, or FR_HAND_WAITING
// events wait already. Allocates nothing.
FR_API bool fr_hand_voice_add(fr_hand_voice *voice, const fr_hand_event *event);

// Renders the next `frames` frames, left and right after one another; what is too loud is clipped. Allocates nothing.
FR_API void fr_hand_voice_render(fr_hand_voice *voice, int16_t *stereo, size_t frames);

// Whether all frames from now on are silent unless an event is added.
FR_API bool fr_hand_voice_is_silent(const fr_hand_voice *voice);

// The sound of an event, for synthesisers other than fr_hand_voice, which renders by these functions too. Pure.
//
// Whether a kind of event is heard in a mode.
FR_API bool fr_hand_is_heard(fr_aid_mode mode, fr_hand_kind kind);
// The level of a contact, snap or slide by its speed, metres a second: FR_HAND_SOUND_FAINTEST .. 1.
FR_API double fr_hand_sound_level(double speed);
// The frequency of a snap, hertz, by the shared area (square metres) and the number of faces held after it.
FR_API double fr_hand_snap_frequency(double area, uint32_t count);
// The centre of the band of noise of a slide, hertz; 0: silent, as it is slower than FR_HAND_SLIDE_SPEED.
FR_API double fr_hand_slide_frequency(double speed);
// Clicks a second while a face is pulled, by the part 0 .. 1 of the distance at which it comes off; 0: silent.
FR_API double fr_hand_pull_rate(double pull);

// Sound as a WAV file stores it.
typedef struct fr_wav {
    const int16_t *stereo; // left and right after one another; NULL for none
    uint64_t frames;
    uint32_t rate; // frames a second, 1 .. FR_HAND_RATE_MAX
} fr_wav;

#define FR_WAV_HEADER_BYTES 44
#define FR_WAV_MAX_FRAMES 0x3ffffff6u // (2^32 - 1 - 36) / 4: sizes in a WAV file have 32 bits

// The bytes of a file of so many frames: header and samples; 0 where it would be too long.
FR_API uint64_t fr_wav_bytes(uint64_t frames);

// The first FR_WAV_HEADER_BYTES of a file, for callers that write the samples in pieces; `stereo` is not read.
// FR_ERROR_ARGUMENT for a rate or a length outside the limits.
FR_API fr_status fr_wav_header(const fr_wav *sound, uint8_t bytes[FR_WAV_HEADER_BYTES], fr_error *error);

// A whole file into `size` bytes, at least fr_wav_bytes of them. FR_ERROR_ARGUMENT as above, and for too little room.
FR_API fr_status fr_wav_write(const fr_wav *sound, uint8_t *bytes, size_t size, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Aid: placing by faces
//
// Placing a block by hand is hard when nothing stops it. The aid shows the held object where faces that meet let it be:
// one face leaves 3 degrees of freedom, two leave 1, three leave none. RAW is the pose the hand wants, SHOWN the one
// after the aid. Faces are found among those that meet, so any polyhedra will do; a magnet that is pulled far enough
// lets go (Kitamura ch. 6).

#define FR_AID_FACES 3
#define FR_AID_EVENTS 24

// A face of the held object, in its own axes, and the plane it is held in.
typedef struct fr_aid_plane {
    fr_vec3 normal_local;   // of the held face, outwards, unit
    fr_vec3 centroid_local; // of the held face
    fr_vec3 normal;         // of the plane, outwards, unit, in the world
    double offset;          // the plane is normal . x = offset
} fr_aid_plane;

// What goes straight to the plane when the raw pose is tilted.
typedef enum fr_aid_pivot {
    FR_AID_PIVOT_CENTROID, // of the face
    FR_AID_PIVOT_REFERENCE // the object's origin: a raw tilt causes no motion in the plane
} fr_aid_pivot;

// The pose nearest to `raw` in the sense of the aid in which every held face lies in its plane, looking against it: the
// first one by the shortest turn, the second by a turn about the first normal; the rest is in the positions. A function
// of these alone; nothing accumulates. 0 .. FR_AID_FACES planes, whose normals are no multiples or sums of one another
// and enclose the same angles as the faces.
FR_API fr_pose fr_aid_project(const fr_pose *raw, const fr_aid_plane *planes, uint32_t count, fr_aid_pivot pivot);

// Numbers without limits of their own are 0 .. 1e9.
typedef struct fr_aid_def {
    double weight_normals;    // C_r; default 3
    double weight_approach;   // C_v; default 1
    double angle_min;         // between outward normals, radians, pi / 2 .. pi; default 120 degrees
    double overlap_threshold; // of the smaller face, 0 .. 1; default 0.05
    double hysteresis;        // taken above threshold + this, released at threshold - this; 0 .. 1, default 0.05
    double hold;              // k: released when pulled farther than magnet k sqrt(area); default 0.5
    double magnet;            // how strong all of it is: scales k, and the reach of what snaps from afar; 0: nothing
                              // holds and contact still stops, 2: twice as strong; 0 .. 100, default 1
    double turn_max;          // a second or third face may turn the object this far, 0 .. pi; default 10 degrees
    double pause;             // seconds before a released pair may be taken again; default 0.1
    double separation;        // metres its face must have moved by then; default 0.005
    double blend;             // seconds in which shown goes over to raw after a face came off; 0 .. 10, default 0: it
                              // jumps; 0.08 is pleasant
    double edge_reach;        // metres: edges and corners of held faces snap this near; times magnet; default 0: they
                              // do not; 0.005 is pleasant
    double axis_reach;        // metres: pegs and holes snap this near; times magnet; default 0: they do not
    double clearance;         // a hole is at most this many times as wide as its peg, 1 .. 10; default 1.15
    double friction;          // of what holds: the held face's centroid stays until the hand is farther from it in the
                              // plane than this times how deep it pushes in, and is dragged behind then; default 0
    double flat;              // metres: a face of a deformed object holds while its corners are within this of a
                              // plane, which is fitted in each frame; default 0.0005
    double skin;              // metres kept from every face, 1e-9 .. 1; default 1e-5
    fr_aid_pivot pivot;       // default the centroid
    bool may_release_inward;  // pushing far into a face releases too; default false
    bool is_as_printed;       // the distance rule uses the object's centroid, as the thesis prints it; default false
    fr_allocator allocator;   // default: the process default
    uint32_t cookie;          // set by fr_default_aid_def
} fr_aid_def;

FR_API fr_aid_def fr_default_aid_def(void);

// A face that is held, or what snapped besides. An edge, a corner: pair is that of the faces whose outlines they belong
// to, the plane stands across these, through the edge or across its end, looking inwards. An axis: `face` and
// `other_face` are axes as fr_aid_axes counts them, the plane is that of the mouth, or of the peg's end.
typedef struct fr_aid_held {
    fr_aid_kind kind;
    fr_aid_pair pair;
    fr_aid_plane plane; // where it is held: a skin before the other face
    double area;        // that the two share, and supports beside them in the plane; square metres
    double ratio;       // of their own area to the smaller face
    double distance;    // of the raw face from the plane, > 0 pulling; of a raw edge or corner from its place, of a raw
                        // end from the axis
    double threshold;   // the distance at which it comes off
    double support;     // area of the supports
} fr_aid_held;

typedef struct fr_aid_output {
    fr_pose shown;
    fr_aid_held held[FR_AID_FACES];
    uint32_t held_count;
    uint32_t freedom; // degrees of freedom left: 6, 3, 1, 0; along and about an axis 2, on a face there 1
    bool is_blocked;  // something that does not hold it is an obstacle: shown goes along it
    fr_hand_event events[FR_AID_EVENTS];
    uint32_t event_count;
    fr_object_id taken; // object of the other hand that was taken along (fr_aid_join); all zeros: none
    fr_pose taken_pose; // where it was taken to, for the caller to set
} fr_aid_output;

// A round place of a mesh: facets about one line, side by side, all at one distance from it.
typedef struct fr_aid_axis {
    fr_vec3 point;     // of the line, in the middle of its length
    fr_vec3 direction; // of the line, unit
    double length;     // of the facets along it
    double radius;     // of the corners, the mean
    double inner;      // min distance of a facet: what goes through a hole at any turn
    double outer;      // largest distance of a corner: the room that a peg needs
    double angle;      // that the facets cover, radians
    uint32_t facet_count;
    bool is_hole; // the facets look at the line; else a peg
} fr_aid_axis;

#define FR_AID_AXIS_FACETS 6

// The round places of a mesh with at least FR_AID_AXIS_FACETS facets over more than 200 degrees, by lowest triangle.
// The first `capacity` are written; `count` gets all. `allocator`, for memory while it works, may be NULL: the process
// default. FR_ERROR_MEMORY. O(n log n) for n triangles.
FR_API fr_status fr_aid_axes(const fr_mesh *mesh, const fr_allocator *allocator, fr_aid_axis *axes, uint32_t capacity,
                             uint32_t *count, fr_error *error);

// The aid of one hand. One thread at a time.
//
// With `edge_reach` an edge of a held face's outline that comes near one of the other face's outline, within 10 degrees
// of parallel, lines up with it, and its end with the other's end. With `axis_reach` a peg of either object that comes
// near the mouth of a hole of the other one, within 15 degrees, lines up with it and can be pushed in; the hole is
// wider by two skins at any turn. Both come off at 1.5 times the reach, and are taken only where the path to them is
// free. A face that is taken later goes before edges and corners; along an axis only faces across it hold.
typedef struct fr_aid fr_aid;

// FR_ERROR_ARGUMENT for a number outside its limits, FR_ERROR_MEMORY.
FR_API fr_status fr_aid_create(const fr_aid_def *def, fr_aid **out, fr_error *error);
FR_API void fr_aid_destroy(fr_aid *aid); // NULL is ignored; the aid it was joined with is alone then

// Takes hold of an object where it is; what was held is let go. FR_ERROR_STALE_ID, FR_ERROR_MEMORY;
// FR_ERROR_UNSUPPORTED for a deformed one. Nothing is held on failure.
FR_API fr_status fr_aid_grasp(fr_aid *aid, const fr_space *space, fr_object_id object, fr_error *error);

// One frame: where the hand wants the object (its scale as it was) and the time in seconds, which never goes back. The
// space is current and not changed: the caller gives the object its shown pose. Other objects count when they may meet
// it and are no sensors, at their poses. The path from one shown pose to the next is checked over its
// whole length: while the others stand, it never enters what it is clear of in the first frame. What was moved into
// it by up to 3 mm is stepped off first; only what is deeper in another already is let move freely. Faces that hold and
// have moved carry it first, without a check for other objects: between a lift and a ceiling it goes into one of
// them. Const on the space; allocates when it meets a mesh for the first time or a larger face than before.
// FR_ERROR_ARGUMENT when nothing is held or time goes back, FR_ERROR_STALE_ID, FR_ERROR_STALE_DATA,
// FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY; on failure what is shown and held stays but for what came off.
FR_API fr_status fr_aid_frame(fr_aid *aid, const fr_space *space, const fr_pose *raw, double time,
                              fr_aid_output *output, fr_error *error);

// The hand lets go: the object stays where it was shown, and nothing is held any more. `output`, which may be NULL,
// reports it.
FR_API void fr_aid_let_go(fr_aid *aid, fr_aid_output *output);

// ---------------------------------------------------------------------------------------------------------------
// Real objects
//
// A real thing among virtual ones is an object that a tracker follows (FR_OBJECT_REAL): its pose comes with an error,
// late, or not at all. The library never moves it; a virtual object may be held by its faces. While it stands it is
// smoothed, so that what lies on it does not tremble. While it is fast or not seen it holds nothing.

typedef struct fr_real_def {
    double position_error;  // deviation of one measurement, for each axis, metres; default 0.001
    double rotation_error;  // likewise, radians; default 0.3 degrees
    double radius;          // of the farthest point about the object's origin, metres; default 0.1
    double smoothing;       // time constant while it is slow, seconds; default 0.1
    double slow;            // metres a second of its farthest point, below which it is smoothed; default 0.005
    double fast;            // above which it holds nothing; default 0.1
    double lost;            // seconds without a measurement, after which it holds nothing; default 0.1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_real_def
} fr_real_def;

FR_API fr_real_def fr_default_real_def(void);

// The filter of one real object. Opaque; one thread at a time.
typedef struct fr_real fr_real;

// Creates the filter of an object that was not measured yet. It allocates once, here. FR_ERROR_ARGUMENT for a number
// outside its limits: none below 0, slow <= fast. FR_ERROR_MEMORY.
FR_API fr_status fr_real_create(const fr_real_def *def, fr_real **out, fr_error *error);
FR_API void fr_real_destroy(fr_real *real); // NULL is ignored

// How well measurements are from now on. FR_ERROR_ARGUMENT for errors outside the limits of the definition.
FR_API fr_status fr_real_set_errors(fr_real *real, double position_error, double rotation_error, fr_error *error);

// A measurement: the pose that was true at `time`, in seconds. FR_ERROR_ARGUMENT when it is not later than the one
// before or is no pose, FR_ERROR_NOT_FINITE; nothing is changed then. O(64 samples), allocates nothing.
FR_API fr_status fr_real_see(fr_real *real, const fr_pose *measured, double time, fr_error *error);

typedef struct fr_real_state {
    fr_pose pose;     // where it is taken to be; the identity before the first measurement
    double speed;     // of its farthest point, as far as half a second of measurements proves it: noise counts as none
    double age;       // seconds since the last measurement was true; infinite before the first
    double alignment; // how far its farthest point may be off, metres: e_p + 2 radius sin(e_r / 2), and what it has
                      // moved since; infinite before the first measurement
    bool is_slow;     // the pose is smoothed
    bool is_usable;   // it was seen of late and is not fast: it may hold
} fr_real_state;

// What is known of it at a time. At one that is NaN it is not usable, and its age and alignment are infinite.
FR_API fr_real_state fr_real_now(const fr_real *real, double time);

// Puts an object there and makes it real; a sensor as long as it is not usable, so that it holds and stops nothing.
// The caller updates the space. FR_ERROR_STALE_ID.
FR_API fr_status fr_real_put(const fr_real_state *state, fr_space *space, fr_object_id object, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Two hands

#define FR_HANDS_APART 0.001 // metres: between hands nearer than this there is no line

// The pose that two hands give to one object. `object` is its pose when the second hand took hold, `grasp` the poses of
// the hands at that time and `now` their poses at present. The object follows the middle between the hands, and the
// line between them by the shortest turn; it turns about that line by the mean of the hands' own turns about it. Its
// scale stays. Where the hands are nearer than FR_HANDS_APART, then or now, the object turns as the first hand does.
// Pure; fr_aid_frame takes the result as raw.
FR_API fr_pose fr_hands_pose(const fr_pose *object, const fr_pose grasp[2], const fr_pose now[2]);

// Two objects in two hands, an aid each: they take turns, and each decides against the other one's object where it
// stands now. Call fr_aid_frame of one, set the poses of its object and of what was taken along, update the space, then
// the same of the other. Joined, the one whose faces the other is held to leads: it takes the other along on its path,
// which is checked for both of them, and the other goes on from there. Neither goes into anything that stands, nor the
// two into one another; where the leader itself is carried or steps off, what it takes along is not checked. `b` may
// be NULL and is not `a`; each is joined with one at most: with the last. Both are used by one thread at a time.
FR_API void fr_aid_join(fr_aid *a, fr_aid *b);

// ---------------------------------------------------------------------------------------------------------------
// Undo

// An object that was put somewhere else.
typedef struct fr_placement {
    fr_object_id object;
    fr_pose before, after;
} fr_placement;

#define FR_UNDO_MAX (1u << 20)

// A history of placements. One thread at a time; allocates when it is created alone.
typedef struct fr_undo fr_undo;

// For up to `capacity` placements, 1 .. FR_UNDO_MAX, else FR_ERROR_ARGUMENT. `allocator` may be NULL: the process
// default. FR_ERROR_MEMORY.
FR_API fr_status fr_undo_create(uint32_t capacity, const fr_allocator *allocator, fr_undo **out, fr_error *error);
FR_API void fr_undo_destroy(fr_undo *undo); // NULL is ignored

// Stores a placement, unless both poses are equal. What was undone can no longer be redone; the oldest is dropped
// when there is no room. A pose that fr_pose_check refuses changes nothing.
FR_API fr_status fr_undo_remember(fr_undo *undo, const fr_placement *placement, fr_error *error);

// Undoes the last placement (its object belongs to `before` now), or redoes what was undone last (to
// `after`). False: there is none. Placements of objects that are gone are forgotten meanwhile. Whether the place is
// free now must be checked by the caller.
FR_API bool fr_undo_back(fr_undo *undo, const fr_space *space, fr_placement *out);
FR_API bool fr_undo_redo(fr_undo *undo, const fr_space *space, fr_placement *out);

// How many can be undone, and redone, counting those of objects that are gone.
FR_API uint32_t fr_undo_count(const fr_undo *undo);
FR_API uint32_t fr_undo_redo_count(const fr_undo *undo);

// ---------------------------------------------------------------------------------------------------------------
// Assembly: parts, their mounting places, and the order
//
// Every part has a place where it belongs, in the world or in another part. A hand that brings it within the tolerance
// of a place whose predecessors are fitted, with a free path for the rest, has fitted it: it jumps there, once, and
// stands. Until it is within the tolerance only the aid's faces place it. Disassembly goes in the reverse order.

#define FR_ASSEMBLY_MAX_PARTS 1024
#define FR_ASSEMBLY_NAME_BYTES 64
#define FR_ASSEMBLY_MAX_FOLD 360

// What an operating point must be in, or near, to take hold of a part.
typedef enum fr_assembly_mode {
    FR_ASSEMBLY_BY_BOX,     // its box in its own axes: small parts are easy to catch
    FR_ASSEMBLY_BY_POLYGONS // its surface, or its inside
} fr_assembly_mode;

typedef struct fr_assembly_part {
    const char *name;      // for messages; copied up to FR_ASSEMBLY_NAME_BYTES with its end; not empty
    fr_object_id object;   // no other part's
    fr_assembly_mode mode; // default by box
    double margin;         // metres, >= 0: caught this far outside too; default 0.01
    double slack;          // metres, >= 0: what is thinner by this all round must come through; default 1e-4
    fr_pose place;         // of the object when it is fitted; its scale is not read
    uint32_t relative_to;  // part whose place `place` counts from, and which goes before; default FR_NONE: the world
    double tolerance;      // metres, > 0, up to 10, that the middle of its box may be away; default 0.015
    double angle;          // radians, 0 .. pi, > 0, that it may be turned away; default 15 degrees
    fr_vec3 insertion; // direction it goes in at last, in the axes of the place; default 0: straight from where it is
    double reach;      // metres, 0 .. 10: it may be this much farther back against `insertion`, which it needs;
                       // default 0
    const uint32_t *after; // parts whose places must be filled before
    uint32_t after_count;  //
    uint32_t like;         // an earlier part equal to it: either may go to either's place; default FR_NONE
    fr_vec3 axis;          // of symmetry, in the part; default 0: none
    fr_vec3 center;        // a point of that axis, in the part; default 0
    uint32_t fold;         // looks the same turned by 1 / fold about the axis, up to FR_ASSEMBLY_MAX_FOLD; 0: by any
                           // angle; default 1
    fr_vec3 flip;          // across the axis through `center`: looks the same after half a turn about it; default 0
} fr_assembly_part;

FR_API fr_assembly_part fr_default_assembly_part(void);

typedef struct fr_assembly_def {
    const fr_assembly_part *parts; // all arrays are copied
    uint32_t part_count;           // 1 .. FR_ASSEMBLY_MAX_PARTS
    fr_allocator allocator;        // default: the process default
    uint32_t cookie;               // set by fr_default_assembly_def
} fr_assembly_def;

FR_API fr_assembly_def fr_default_assembly_def(void);

// The parts of one product. Place i is where part i belongs; an equal part may stand in it. One thread at a time.
typedef struct fr_assembly fr_assembly;

// Makes it; no part is fitted yet, wherever it is. The objects' meshes are retained; everything that is ever needed
// is allocated here. FR_ERROR_ARGUMENT with the part's name: a number outside its limits, an object that two parts
// have, an order that leads back to itself. FR_ERROR_STALE_ID, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY;
// FR_ERROR_UNSUPPORTED for a deformed object.
FR_API fr_status fr_assembly_create(const fr_assembly_def *def, const fr_space *space, fr_assembly **out,
                                    fr_error *error);
FR_API void fr_assembly_destroy(fr_assembly *assembly); // NULL is ignored

// The state of a part: plain data.
typedef struct fr_assembly_state {
    uint32_t place;  // that it stands in; FR_NONE: loose
    uint32_t left;   // place that it was taken from and has not left by twice the tolerance; FR_NONE: none
    fr_quat turn;    // of its symmetry, as it stands in its place
    fr_vec3 middle;  // of its box in the last frame
    double time;     // of the last frame; FR_UNKNOWN: none
    uint32_t fitted; // how often it was
} fr_assembly_state;

FR_API uint32_t fr_assembly_count(const fr_assembly *assembly);
FR_API uint32_t fr_assembly_fitted_count(const fr_assembly *assembly);

// What was given, with what the assembly keeps of it; `part` < count.
FR_API const fr_assembly_part *fr_assembly_get(const fr_assembly *assembly, uint32_t part);

// The part of an object, the part that stands in a place, a part that is fitted after this one and so holds it;
// FR_NONE: none.
FR_API uint32_t fr_assembly_part_of(const fr_assembly *assembly, fr_object_id object);
FR_API uint32_t fr_assembly_in_place(const fr_assembly *assembly, uint32_t place);
FR_API uint32_t fr_assembly_held_by(const fr_assembly *assembly, uint32_t part);

// All states, one a part, to read until the next call; and back again, as for undoing: FR_ERROR_ARGUMENT for states
// that cannot be, and nothing is changed.
FR_API const fr_assembly_state *fr_assembly_states(const fr_assembly *assembly);
FR_API fr_status fr_assembly_restore(fr_assembly *assembly, const fr_assembly_state *states, uint32_t count,
                                     fr_error *error);

// No part is fitted any more.
FR_API void fr_assembly_reset(fr_assembly *assembly);

typedef struct fr_assembly_find_output {
    uint32_t part;    // FR_NONE: no part is here
    uint32_t held_by; // part that prevents taking it: fitted after it; FR_NONE: it may be taken
    double distance;  // of the point from the middle of its box
} fr_assembly_find_output;

// Which part an operating point would take: of the parts it catches and that may be taken, the one whose middle is
// nearest; where none may be taken, the nearest of all. Parts whose object is gone are passed over. Const on the space,
// which is current, else FR_ERROR_STALE_DATA for parts by polygons; FR_ERROR_NOT_FINITE. Allocates nothing.
FR_API fr_status fr_assembly_find(const fr_assembly *assembly, const fr_space *space, fr_vec3 point,
                                  fr_assembly_find_output *out, fr_error *error);

// A hand takes a part: a fitted one is loose from now on. FR_ERROR_BUSY while one is fitted that comes after it; the
// message names it, and nothing is changed. FR_ERROR_ARGUMENT for a number that is no part.
FR_API fr_status fr_assembly_take(fr_assembly *assembly, uint32_t part, fr_error *error);

// A place as a part sees it.
typedef struct fr_assembly_measure_output {
    fr_pose pose;      // of the part's object there, by its symmetry the nearest to how it is turned
    fr_vec3 insertion; // direction it goes in at last, in the world, unit; zero: none is given
    double distance;   // metres from it, as the tolerance counts
    double turn;       // radians from it
} fr_assembly_measure_output;

// Where a place is for a part whose object is at `pose`, filled or not: from where the parts stand that it counts from.
// FR_ERROR_ARGUMENT for numbers that are no part and no place, FR_ERROR_STALE_ID; as of fr_pose_check for a pose that
// is none. Const on both, allocates nothing.
FR_API fr_status fr_assembly_measure(const fr_assembly *assembly, const fr_space *space, uint32_t part, uint32_t place,
                                     const fr_pose *pose, fr_assembly_measure_output *out, fr_error *error);

// The interference of a part at its object's pose, shrunk by its slack: the first object it meets, or lies in, or has
// inside; all zeros: nothing. FR_ERROR_ARGUMENT, FR_ERROR_STALE_ID, FR_ERROR_STALE_DATA. Allocates nothing.
FR_API fr_status fr_assembly_interference(const fr_assembly *assembly, const fr_space *space, uint32_t part,
                                          fr_object_id *with, fr_error *error);

typedef enum fr_assembly_result {
    FR_ASSEMBLY_AWAY,    // not within the tolerance of an empty place
    FR_ASSEMBLY_LEAVING, // was taken out and has not been away by twice the tolerance
    FR_ASSEMBLY_EARLY,   // at its place, but a predecessor is not fitted
    FR_ASSEMBLY_BLOCKED, // at its place, but something blocks its path
    FR_ASSEMBLY_FITTED   // it has come to its place
} fr_assembly_result;

typedef struct fr_assembly_output {
    fr_assembly_result result;
    uint32_t place;       // that it is nearest to, of the empty ones it suits; FR_NONE: none is empty
    fr_pose pose;         // of the object: in its place when FITTED, else as given
    fr_pose target;       // of the object in that place, by its symmetry the nearest to how it is turned
    double distance;      // metres from it, as the tolerance counts
    double turn;          // radians from it
    uint32_t missing;     // of EARLY: the place to be filled first; else FR_NONE
    fr_object_id blocker; // of BLOCKED
    fr_hand_event event;  // FR_HAND_FITTED, when has_event
    bool has_event;       //
} fr_assembly_output;

// One frame of a part in a hand: `pose` is where it is shown (its scale as it was), the time never goes back. The space
// is current and not changed. When FITTED the part counts as fitted at once, and giving its object the pose, making it
// static and opening the hand are the caller's. The path that is checked is a straight one to where the insertion
// begins, then along it, both thinner by the slack, among all that may meet it and are no sensors, where they stand.
// What is in something already was led there by a hand that nothing stops: for it the insertion alone is checked, from
// the tolerance and the reach before the place. A fitted part is FITTED without an event. Allocates nothing.
// FR_ERROR_STALE_DATA, FR_ERROR_STALE_ID, FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT.
FR_API fr_status fr_assembly_frame(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                                   double time, fr_assembly_output *output, fr_error *error);

// The hand lets go of a part: as a frame, but one that is LEAVING and still within the tolerance goes back to its place
// without an event.
FR_API fr_status fr_assembly_let_go(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                                    double time, fr_assembly_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
