// Fureai protocol, the messages: what a world and its clients send to each other, described once.
//
// From these tables come the structs below, the codec, the reader and writer in TypeScript (viewer/src/protocol.ts) and
// the tables of docs/protocol.md. Included by fureai/protocol.h, which says how messages become bytes.
#ifndef FUREAI_PROTOCOL_MESSAGES_H
#define FUREAI_PROTOCOL_MESSAGES_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The description
//
//   F(KIND, name, about)                    a field
//   L(KIND, name, last, about)              a number of 0 .. last
//   A(KIND, name, count, multiple, about)   u32 count, then as many items; the count is a multiple of `multiple`
//
// Kinds of numbers: U8, U32, U64, U53 (eight bytes, below 2^53), F32 and F64 (finite). TEXT: u32 bytes, then UTF-8
// without a zero byte. Other kinds are the structs of FR_WIRE_TABLE.

#define FR_WIRE_REF_FIELDS(F, L, A)                                                                                    \
    F(U32, index1, "1 + the index of its place; 0: none")                                                              \
    F(U32, generation, "how often the place was used before")

#define FR_WIRE_VEC3_FIELDS(F, L, A)                                                                                   \
    F(F64, x, "metres")                                                                                                \
    F(F64, y, "metres, up")                                                                                            \
    F(F64, z, "metres")

#define FR_WIRE_QUAT_FIELDS(F, L, A)                                                                                   \
    F(F64, w, "the real part")                                                                                         \
    F(F64, x, "")                                                                                                      \
    F(F64, y, "")                                                                                                      \
    F(F64, z, "")

#define FR_WIRE_POSE_FIELDS(F, L, A)                                                                                   \
    F(QUAT, rotation, "of length 0.99 .. 1.01")                                                                        \
    F(VEC3, position, "up to 2^300")                                                                                   \
    F(F64, scale, "2^-100 .. 2^100")

#define FR_WIRE_COLOR_FIELDS(F, L, A)                                                                                  \
    F(U8, r, "red, sRGB")                                                                                              \
    F(U8, g, "green")                                                                                                  \
    F(U8, b, "blue")                                                                                                   \
    F(U8, a, "alpha, straight")

#define FR_WIRE_DEMO_FIELDS(F, L, A)                                                                                   \
    F(TEXT, name, "what it is opened by")                                                                              \
    F(TEXT, title, "for people")                                                                                       \
    F(TEXT, about, "what there is to see")                                                                             \
    F(TEXT, hint, "what to try with it; may be empty")                                                                 \
    F(TEXT, picture, "address of a picture of it, relative to the page; empty: there is none")

#define FR_WIRE_MODEL_FIELDS(F, L, A)                                                                                  \
    F(U32, number, "GET /models/NUMBER.glb, .stl or .obj gives it")                                                    \
    F(TEXT, name, "of its object")                                                                                     \
    F(TEXT, about, "how it was read")

#define FR_WIRE_RECORD_TOUCH_FIELDS(F, L, A)                                                                           \
    F(U53, id, "the same at its begin and end")                                                                        \
    L(U8, is_end, 1, "0 it begins, 1 it ends")                                                                         \
    F(F64, at, "ticks of the record, with the fraction of the step")                                                   \
    F(TEXT, a, "name of an object")                                                                                    \
    F(TEXT, b, "name of the other")

#define FR_WIRE_CLASH_FIELDS(F, L, A)                                                                                  \
    F(REF, a, "a part")                                                                                                \
    F(REF, b, "the other")                                                                                             \
    F(TEXT, name_a, "of part a, whole: that of its object may be cut")                                                 \
    F(TEXT, name_b, "of part b")                                                                                       \
    L(U8, kind, 5, "0 touching, 1 protrusion, 2 piercing, 3 enclosed, 4 duplicate, 5 clearance")                       \
    F(F64, depth, "metres; below 0: not known")                                                                        \
    F(U53, pairs, "pairs of triangles that share a point")                                                             \
    F(VEC3, min, "low corner of the box about where the parts meet, in the world")                                     \
    F(VEC3, max, "high corner")                                                                                        \
    L(U8, verdict, 2, "0 open, 1 accepted, 2 ignored")                                                                 \
    F(TEXT, note, "why, for people; may be empty")

#define FR_WIRE_PART_FIELDS(F, L, A)                                                                                   \
    F(U32, mesh, "number of its mesh")                                                                                 \
    F(POSE, pose, "of the part in the object")

#define FR_WIRE_BODY_FIELDS(F, L, A)                                                                                   \
    F(REF, object, "")                                                                                                 \
    L(U8, hold, 2, "0 free, 1 held, 2 placed by a person and let go")                                                  \
    F(POSE, pose, "in the world")

#define FR_WIRE_PAIR_FIELDS(F, L, A)                                                                                   \
    F(U32, a, "index1 of an object")                                                                                   \
    F(U32, b, "index1 of another, or of the same one")                                                                 \
    F(U32, triangle_a, "in object a, counted over its parts")                                                          \
    F(U32, triangle_b, "in object b")                                                                                  \
    F(U32, flags, "1 near, 4 coplanar, 8 touching, 16 start, 32 sensor, 64 real, 128 self")

#define FR_WIRE_CONTACT_FIELDS(F, L, A)                                                                                \
    F(U32, a, "index1 of an object")                                                                                   \
    F(U32, b, "index1 of another, or of the same one")                                                                 \
    F(VEC3, point, "in the world")                                                                                     \
    F(F32, normal_x, "unit, from a to b; zero where it is not defined")                                                \
    F(F32, normal_y, "")                                                                                               \
    F(F32, normal_z, "")                                                                                               \
    F(F32, distance, "metres, > 0 apart, < 0 overlap; 0 where it is not known")                                        \
    F(U32, flags, "as of a pair")

#define FR_WIRE_EVENT_FIELDS(F, L, A)                                                                                  \
    L(U8, kind, 17,                                                                                                    \
      "added, removed, touch begin, touch end, limit, state, held, released, corrected; of handling: contact, snap, "  \
      "slide, pull, loose, done, fitted, force; of an actor: named")                                                   \
    F(REF, a, "")                                                                                                      \
    F(REF, b, "zero where there is one object")                                                                        \
    F(U53, id, "of a touch: the same at its begin and end; else 0")                                                    \
    F(U53, tick, "ticks taken when it was reported")                                                                   \
    F(F64, time, "seconds")                                                                                            \
    F(F64, value, "of a state or limit; metres when corrected; newtons of a force; freedoms after a snap; else 0")     \
    F(F64, second, "the second number of a named event; of a state 1: it was removed; else 0")                         \
    F(TEXT, name, "of the state or of the named event, else empty")                                                    \
    F(F32, speed, "of handling: metres a second, of the approach or of sliding; as all below, else 0")                 \
    F(F32, area, "square metres that the faces share")                                                                 \
    F(F32, pull, "0 .. 1: at 1 it comes off")                                                                          \
    F(U32, count, "faces held after it")                                                                               \
    F(VEC3, point, "where it happened, in the world")

#define FR_WIRE_FACE_TOUCH_FIELDS(F, L, A)                                                                             \
    F(U32, a, "index1 of an object")                                                                                   \
    F(U32, b, "index1 of another, or of the same one")                                                                 \
    F(U32, triangle_a, "in object a, counted over its parts")                                                          \
    F(U32, triangle_b, "in object b")                                                                                  \
    F(U32, flags, "as of a pair; 0 where it is none of this tick")                                                     \
    L(U8, phase, 7, "1 began in this tick, 2 ended in it, 4 a point is given")                                         \
    F(U53, id, "the same at its begin and end, never used again")                                                      \
    F(F64, begin, "seconds; perhaps many ticks ago")                                                                   \
    F(F64, end, "seconds; the time of the state where it lasts")                                                       \
    F(VEC3, point, "in the world, where they first met in this tick; else zero")

#define FR_WIRE_PARAMETER_FIELDS(F, L, A)                                                                              \
    F(TEXT, key, "")                                                                                                   \
    F(TEXT, value, "")

#define FR_WIRE_MOTION_FIELDS(F, L, A)                                                                                 \
    F(TEXT, name, "of the motion, one that the object affords")                                                        \
    F(REF, object, "with which it is done; zero: none, or the one nearest to the point that affords it")               \
    L(U8, given, 7, "1 point, 2 goal, 4 facing")                                                                       \
    F(VEC3, point, "near the object")                                                                                  \
    F(VEC3, goal, "where the motion ends")                                                                             \
    F(F64, facing, "direction at the end: radians about +y from +z")                                                   \
    F(U32, frames, "of the motion; 0: as long as is natural")                                                          \
    F(U32, start, "frames after the beginning of the list")                                                            \
    A(PARAMETER, parameters, parameter_count, 1, "further fields; at most 32")

#define FR_WIRE_PROMPT_FIELDS(F, L, A)                                                                                 \
    F(TEXT, name, "goal, facing, frames, or the key of a parameter")                                                   \
    L(U8, is_needed, 1, "1: a command without it is refused")

#define FR_WIRE_AFFORDANCE_FIELDS(F, L, A)                                                                             \
    F(TEXT, name, "of the motion")                                                                                     \
    F(TEXT, about, "one sentence for people; may be empty")                                                            \
    A(PROMPT, fields, field_count, 1, "that it asks for")

#define FR_WIRE_PLACE_FIELDS(F, L, A)                                                                                  \
    F(REF, object, "")                                                                                                 \
    F(POSE, pose, "in the world; its scale is not read")

#define FR_WIRE_REFUSAL_FIELDS(F, L, A)                                                                                \
    F(REF, object, "")                                                                                                 \
    L(U32, status, 255, "a number of fr_status")                                                                       \
    F(TEXT, message, "why, for people")

#define FR_WIRE_STOCK_CLASS_FIELDS(F, L, A)                                                                            \
    F(TEXT, name, "what it is added by")                                                                               \
    F(TEXT, title, "for people; may be empty")                                                                         \
    F(TEXT, motions, "that it affords, with commas between")

#define FR_WIRE_PERSON_FIELDS(F, L, A)                                                                                 \
    F(TEXT, name, "by which commands name the person")                                                                 \
    F(REF, object, "that is shown; zero: none")                                                                        \
    F(TEXT, motion, "that is done now; empty: none")                                                                   \
    F(U32, doing, "request of the receiver's command that is done now; 0: none of the receiver's")                     \
    F(U32, waiting, "commands that come after it")                                                                     \
    F(VEC3, head, "where the head is")                                                                                 \
    F(VEC3, right, "where the right palm is")                                                                          \
    F(VEC3, left, "where the left palm is")

#define FR_WIRE_LINES_FIELDS(F, L, A)                                                                                  \
    F(COLOR, color, "")                                                                                                \
    F(F32, width, "pixels")                                                                                            \
    A(F64, points, point_count, 6, "two points a segment, in the world")

#define FR_WIRE_TRIANGLES_FIELDS(F, L, A)                                                                              \
    F(COLOR, color, "")                                                                                                \
    A(F64, points, point_count, 9, "three points a triangle, seen from both sides")

#define FR_WIRE_POINTS_FIELDS(F, L, A)                                                                                 \
    F(COLOR, color, "")                                                                                                \
    F(F32, size, "pixels")                                                                                             \
    A(F64, points, point_count, 3, "one point a dot")

#define FR_WIRE_BOX_FIELDS(F, L, A)                                                                                    \
    F(COLOR, color, "")                                                                                                \
    F(VEC3, min, "low corner in the frame of the pose")                                                                \
    F(VEC3, max, "high corner")                                                                                        \
    F(POSE, pose, "in the world")

#define FR_WIRE_LABEL_FIELDS(F, L, A)                                                                                  \
    F(COLOR, color, "")                                                                                                \
    F(F32, size, "height of a capital letter in pixels, about")                                                        \
    F(VEC3, point, "its lower left corner")                                                                            \
    F(TEXT, text, "")

#define FR_WIRE_IMAGE_FIELDS(F, L, A)                                                                                  \
    F(TEXT, id, "the same for an image that only changes")                                                             \
    F(U32, width, "pixels")                                                                                            \
    F(U32, height, "pixels")                                                                                           \
    A(U8, rgba, rgba_count, 4, "width * height pixels, the top row first")                                             \
    F(VEC3, corner, "lower left corner in the world")                                                                  \
    F(VEC3, right, "from it to the lower right one")                                                                   \
    F(VEC3, up, "from it to the upper left one")

#define FR_WIRE_FACE_COLORS_FIELDS(F, L, A)                                                                            \
    F(U32, object, "index1")                                                                                           \
    F(COLOR, color, "")                                                                                                \
    A(U32, triangles, triangle_count, 1, "in the object")

// X(KIND, C type, name, about), each after those it holds: what other headers have, and what comes of the description.
#define FR_WIRE_BASIC_TABLE(X)                                                                                         \
    X(REF, fr_ref, ref, "names an object")                                                                             \
    X(VEC3, fr_vec3, vec3, "a point or a direction")                                                                   \
    X(QUAT, fr_quat, quat, "a unit quaternion")                                                                        \
    X(POSE, fr_pose, pose, "where a thing is")                                                                         \
    X(COLOR, fr_color, color, "a colour")
#define FR_WIRE_STRUCT_TABLE(X)                                                                                        \
    X(DEMO, fr_wire_demo, demo, "a scene of the gallery")                                                              \
    X(MODEL, fr_wire_model, model, "a model that came from a file")                                                    \
    X(RECORD_TOUCH, fr_wire_record_touch, record_touch, "a touch of a record begins or ends")                          \
    X(CLASH, fr_wire_clash, clash, "two parts that meet, and what was decided about them")                             \
    X(PART, fr_wire_part, part, "a part of an object")                                                                 \
    X(BODY, fr_wire_body, body, "where an object is")                                                                  \
    X(PAIR, fr_wire_pair, pair, "two faces that collide")                                                              \
    X(CONTACT, fr_wire_contact, contact, "where they do")                                                              \
    X(EVENT, fr_wire_event, event, "what happened")                                                                    \
    X(FACE_TOUCH, fr_wire_face_touch, face_touch, "from when to when two faces are in contact")                        \
    X(PARAMETER, fr_wire_parameter, parameter, "a further field of a motion")                                          \
    X(MOTION, fr_wire_motion, motion, "what a person is to do")                                                        \
    X(PROMPT, fr_wire_prompt, prompt, "a field that a motion asks for")                                                \
    X(AFFORDANCE, fr_wire_affordance, affordance, "something that can be done with an object")                         \
    X(PLACE, fr_wire_place, place, "where an object is to be")                                                         \
    X(REFUSAL, fr_wire_refusal, refusal, "an object that was refused")                                                 \
    X(STOCK_CLASS, fr_wire_stock_class, stock_class, "a class of which objects can be added")                          \
    X(PERSON, fr_wire_person, person, "a person who carries out commands")                                             \
    X(LINES, fr_wire_lines, lines, "segments of one colour")                                                           \
    X(TRIANGLES, fr_wire_triangles, triangles, "triangles of one colour")                                              \
    X(POINTS, fr_wire_points, points, "dots of one colour")                                                            \
    X(BOX, fr_wire_box, box, "the edges of a box")                                                                     \
    X(LABEL, fr_wire_label, label, "a text that faces the eye")                                                        \
    X(IMAGE, fr_wire_image, image, "a picture on a parallelogram")                                                     \
    X(FACE_COLORS, fr_wire_face_colors, face_colors, "colour of some faces of an object")
#define FR_WIRE_TABLE(X) FR_WIRE_BASIC_TABLE(X) FR_WIRE_STRUCT_TABLE(X)

#define FR_MESSAGE_HELLO_FIELDS(F, L, A)                                                                               \
    F(U32, version, "of the protocol; first in every version")                                                         \
    L(U32, wants, 255,                                                                                                 \
      "1 poses (always), 2 pairs, 4 contacts, 8 events, 16 stats, 32 draw, 64 face touches, 128 moves")                \
    F(TEXT, name, "of the person, for others to read")

#define FR_MESSAGE_WANTS_FIELDS(F, L, A) L(U32, wants, 255, "as in hello")

#define FR_MESSAGE_GRAB_FIELDS(F, L, A)                                                                                \
    F(U32, request, "chosen by the client, given back in reply")                                                       \
    F(REF, object, "")

#define FR_MESSAGE_MOVE_FIELDS(F, L, A)                                                                                \
    F(REF, object, "whose lease the sender owns")                                                                      \
    F(U32, sequence, "one more each time; the newest counts")                                                          \
    F(POSE, raw, "where the hand wants it")

#define FR_MESSAGE_DROP_FIELDS(F, L, A) FR_MESSAGE_GRAB_FIELDS(F, L, A)

#define FR_MESSAGE_PLAY_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    L(U8, mode, 3, "0 pause, 1 play, 2 one step, 3 restart at time 0")

#define FR_MESSAGE_RESUME_FIELDS(F, L, A)                                                                              \
    F(U32, request, "")                                                                                                \
    F(REF, object, "to go on by itself; zero: all")

#define FR_MESSAGE_SET_STATE_FIELDS(F, L, A)                                                                           \
    F(U32, request, "")                                                                                                \
    F(REF, object, "")                                                                                                 \
    F(TEXT, name, "of the state")                                                                                      \
    F(F64, value, "")

#define FR_MESSAGE_OPEN_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    F(TEXT, name, "of a scene of the gallery")

#define FR_MESSAGE_PING_FIELDS(F, L, A) F(U64, token, "given back in pong")

#define FR_MESSAGE_UNDO_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    L(U8, again, 1, "0 undoes the last placement, 1 redoes what was undone last")

#define FR_MESSAGE_NEAR_FIELDS(F, L, A)                                                                                \
    F(VEC3, point, "where the client looks from, in the world")                                                        \
    F(F64, distance, "metres from it within which objects come with every state; 0, the default: all do")

#define FR_MESSAGE_COMMAND_FIELDS(F, L, A)                                                                             \
    F(U32, request, "comes back in the reply, and in ended")                                                           \
    F(TEXT, person, "name of the person who is to do it; empty: any")                                                  \
    A(MOTION, motions, motion_count, 1, "1 .. 16 that are done at the same time (fused)")

#define FR_MESSAGE_AFFORDS_FIELDS(F, L, A)                                                                             \
    F(U32, request, "")                                                                                                \
    F(REF, object, "")

#define FR_MESSAGE_UPDATE_FIELDS(F, L, A)                                                                              \
    F(U32, sequence, "one more each time; comes back in refused")                                                      \
    F(REF, body, "that the sender moves; zero: the objects alone")                                                     \
    F(POSE, pose, "of the body, in the world; its scale is not read")                                                  \
    A(POSE, bones, bone_count, 1, "all of the body, in its frame; none: they stay. At most 1,024")                     \
    A(PLACE, objects, object_count, 1, "that the sender moves with the body; at most 64")

#define FR_MESSAGE_ADD_FIELDS(F, L, A)                                                                                 \
    F(U32, request, "")                                                                                                \
    F(TEXT, class_name, "of the object")                                                                               \
    F(TEXT, name, "of this one; no other object has it")                                                               \
    F(POSE, pose, "in the world")

#define FR_MESSAGE_KEEP_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    F(TEXT, name, "of the scene file, without folder and ending")

#define FR_MESSAGE_MODELS_FIELDS(F, L, A)                                                                              \
    L(U8, may, 3, "1 files may be sent (POST /models), 2 the models may be kept as a scene file")                      \
    F(U53, max_bytes, "of the files of one request")                                                                   \
    A(MODEL, models, model_count, 1, "of the scene that came from files")

#define FR_MESSAGE_REMOVE_FIELDS(F, L, A) FR_MESSAGE_GRAB_FIELDS(F, L, A)

#define FR_MESSAGE_STOCK_FIELDS(F, L, A)                                                                               \
    F(U32, request, "")                                                                                                \
    F(TEXT, wanted, "names, titles or motions that hold this text, in any case; empty: all")

#define FR_MESSAGE_PEOPLE_FIELDS(F, L, A) F(U32, request, "")

#define FR_MESSAGE_STAND_FIELDS(F, L, A)                                                                               \
    F(U32, request, "")                                                                                                \
    F(TEXT, class_name, "of the object")                                                                               \
    F(TEXT, name, "of this one; no other object has it")                                                               \
    F(VEC3, point, "of the floor: the lowest point of the object is at its height")                                    \
    F(F64, facing, "radians about +y: which direction its +z has")

#define FR_MESSAGE_PULL_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    F(TEXT, person, "name of one who does nothing else")                                                               \
    L(U8, part, 2, "0 head, 1 right palm, 2 left palm")                                                                \
    F(VEC3, point, "where it is to be; it comes as near as the joints let it")

#define FR_MESSAGE_POSTURE_FIELDS(F, L, A)                                                                             \
    F(U32, request, "")                                                                                                \
    F(TEXT, person, "")

#define FR_MESSAGE_SEEK_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    F(U53, tick, "of the record; beyond the last: the last")

#define FR_MESSAGE_SPEED_FIELDS(F, L, A)                                                                               \
    F(U32, request, "")                                                                                                \
    F(F64, speed, "seconds of the record a second, 0.01 .. 100")

#define FR_MESSAGE_RECORD_FIELDS(F, L, A)                                                                              \
    F(TEXT, name, "of the record")                                                                                     \
    F(U53, ticks, "that it has; the tick of a state says which is shown")                                              \
    F(U53, searched, "ticks of it in which touches were looked for so far")                                            \
    L(U8, is_full, 1, "1: it has more touches than are listed")                                                        \
    F(F64, speed, "seconds of it a second, while it is played")                                                        \
    F(TEXT, flaw, "why it ends where it does, or what is wrong with it, for people; empty: nothing is")

#define FR_MESSAGE_RECORD_TOUCHES_FIELDS(F, L, A)                                                                      \
    A(RECORD_TOUCH, touches, touch_count, 1, "that were found since the message before, in the order of ticks")

#define FR_MESSAGE_NOTE_CLASH_FIELDS(F, L, A)                                                                          \
    F(U32, request, "")                                                                                                \
    F(U32, clash, "number of the clash, from 0, in the order of the list")                                             \
    L(U8, verdict, 2, "0 open, 1 accepted, 2 ignored")                                                                 \
    F(TEXT, note, "why; at most 2,000 bytes without control characters")

#define FR_MESSAGE_CLASHES_FIELDS(F, L, A)                                                                             \
    L(U8, may_note, 1, "1: decisions are stored (note_clash)")                                                         \
    F(U32, first, "number of the first of these")                                                                      \
    F(U32, total, "clashes there are")                                                                                 \
    A(CLASH, clashes, clash_count, 1, "one after another; at most 256")

#define FR_MESSAGE_CLASH_NOTE_FIELDS(F, L, A)                                                                          \
    F(U32, clash, "its number")                                                                                        \
    L(U8, verdict, 2, "0 open, 1 accepted, 2 ignored")                                                                 \
    F(TEXT, note, "why; may be empty")

#define FR_MESSAGE_KEY_FIELDS(F, L, A) F(TEXT, token, "that people were given for this server; empty: none")

#define FR_MESSAGE_REMOVE_STATE_FIELDS(F, L, A)                                                                        \
    F(U32, request, "")                                                                                                \
    F(REF, object, "")                                                                                                 \
    F(TEXT, name, "of the state")

#define FR_MESSAGE_ROLE_FIELDS(F, L, A)                                                                                \
    L(U8, role, 3, "1 watches, 2 handles objects and people, 3 directs: time, scenes and files, too")                  \
    L(U8, is_locked, 1, "1: no client directs, adds or removes, whatever its role")

#define FR_MESSAGE_SERVICE_FIELDS(F, L, A)                                                                             \
    L(U8, is_read_only, 1, "1: nothing can be handled or changed now")                                                 \
    F(TEXT, message, "why, for people; empty: all is well again")

#define FR_MESSAGE_VIEW_FIELDS(F, L, A)                                                                                \
    L(U8, given, 1, "1: eye and target are; with objects only their direction counts")                                 \
    F(VEC3, eye, "in the world")                                                                                       \
    F(VEC3, target, "in the world")                                                                                    \
    A(REF, objects, object_count, 1, "that are to be seen whole")

#define FR_MESSAGE_AID_FIELDS(F, L, A)                                                                                 \
    L(U8, mode, 6, "fr_aid_mode, unless a state of the object says otherwise")                                         \
    F(F64, magnet, "as of fr_aid_def, with all below")                                                                 \
    F(F64, blend, "seconds")                                                                                           \
    F(F64, edges, "metres: edge_reach")                                                                                \
    F(F64, axes, "metres: axis_reach")

#define FR_MESSAGE_MOVED_FIELDS(F, L, A)                                                                               \
    F(REF, object, "whose lease the receiver owns")                                                                    \
    F(U32, move, "sequence of its newest move that counted")                                                           \
    F(U53, sequence, "of the first snapshot in which it counted")

#define FR_MESSAGE_WELCOME_FIELDS(F, L, A)                                                                             \
    F(U32, version, "of the protocol; first in every version")                                                         \
    F(U32, client, "the receiver's number, from 1")                                                                    \
    F(F64, step, "seconds a tick")                                                                                     \
    F(TEXT, server, "its name and version")                                                                            \
    F(TEXT, scene, "title")                                                                                            \
    F(U32, max_message_bytes, "that the server takes in one frame")

#define FR_MESSAGE_RESET_FIELDS(F, L, A)                                                                               \
    F(F64, step, "seconds a tick")                                                                                     \
    F(TEXT, scene, "title of the new one")

#define FR_MESSAGE_GALLERY_FIELDS(F, L, A)                                                                             \
    A(DEMO, demos, demo_count, 1, "")                                                                                  \
    F(TEXT, current, "name of the one that is open")

#define FR_MESSAGE_MESH_FIELDS(F, L, A)                                                                                \
    F(U32, mesh, "the server's number for it, from 1")                                                                 \
    F(U32, vertex_count, "")                                                                                           \
    F(U32, triangle_count, "")                                                                                         \
    F(U32, face_count, "polygons of the file; 0: each triangle is its own, no mesh_faces follow")                      \
    F(U32, material, "of triangles without one of their own; 0: the object's colour")                                  \
    L(U8, look, 15, "what mesh_look holds for all triangles: 1 materials, 2 uvs, 4 colours, 8 normals; 0: none")       \
    F(U32, bone_count, "of its skin; 0: it has none, no mesh_bones and mesh_weights follow")                           \
    F(U32, influence_count, "bones that a vertex follows, 0 .. 8")                                                     \
    L(U8, blend, 1, "of these: 0 linear, 1 dual quaternions")

#define FR_MESSAGE_MESH_VERTICES_FIELDS(F, L, A)                                                                       \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "vertex; no more than were sent before")                                                             \
    A(F32, xyz, xyz_count, 3, "three a vertex")

#define FR_MESSAGE_MESH_TRIANGLES_FIELDS(F, L, A)                                                                      \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "triangle; no more than were sent before")                                                           \
    A(U32, corners, corner_count, 3, "three vertices a triangle")

#define FR_MESSAGE_MESH_FACES_FIELDS(F, L, A)                                                                          \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "triangle; no more than were sent before")                                                           \
    A(U32, faces, face_count, 1, "the polygon of each triangle")

#define FR_MESSAGE_MESH_LOOK_FIELDS(F, L, A)                                                                           \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "triangle; no more than were sent before")                                                           \
    A(U32, materials, material_count, 1, "of each triangle; 0: the mesh's")                                            \
    A(F32, uvs, uv_count, 6, "u to the right and v up at each corner, 0 .. 1 over a picture")                          \
    A(U8, rgba, rgba_count, 12, "colour of each corner, in place of the material's")                                   \
    A(U32, normals, normal_count, 3, "at each corner, on an octahedron: u, v as 16 bits; 0x80008000: none")

#define FR_MESSAGE_MESH_BONES_FIELDS(F, L, A)                                                                          \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "bone; no more than were sent before")                                                               \
    A(U32, parents, parent_count, 1, "of each bone; 2^32 - 1: none")                                                   \
    A(F32, inverse_binds, number_count, 12, "of each bone, 3 rows of 4: from the mesh's frame to the bone's")

#define FR_MESSAGE_MESH_WEIGHTS_FIELDS(F, L, A)                                                                        \
    F(U32, mesh, "")                                                                                                   \
    F(U32, first, "influence; no more than were sent before. A vertex has influence_count, one after another")         \
    A(U32, bones, bone_count, 1, "of each influence")                                                                  \
    A(F32, weights, weight_count, 1, "of each; those of a vertex sum to 1")

#define FR_MESSAGE_BONES_FIELDS(F, L, A)                                                                               \
    F(U53, sequence, "of the snapshot, whose state came before")                                                       \
    A(U8, data, byte_count, 1, "bodies in the order of index1: see below")

#define FR_MESSAGE_MATERIAL_FIELDS(F, L, A)                                                                            \
    F(U32, material, "the server's number for it, from 1")                                                             \
    F(COLOR, color, "with how opaque it is; a picture is multiplied with it")                                          \
    F(COLOR, glow, "light that it gives by itself; its alpha is not looked at")                                        \
    L(U8, flags, 1, "1 unlit: shown in its colour, without light")                                                     \
    F(U32, picture, "number of its picture; 0: none")

#define FR_MESSAGE_PICTURE_FIELDS(F, L, A)                                                                             \
    F(U32, picture, "the server's number for it, from 1")                                                              \
    F(U32, width, "pixels; 0: the bytes are a file")                                                                   \
    F(U32, height, "pixels")                                                                                           \
    L(U8, flags, 3, "beyond 0 .. 1 it repeats: 1 along u, 2 along v")                                                  \
    A(U8, bytes, byte_count, 1, "a picture file, or width * height pixels rgba, the top row first; at most 2^22")

#define FR_MESSAGE_OBJECT_FIELDS(F, L, A)                                                                              \
    F(REF, object, "")                                                                                                 \
    F(TEXT, name, "empty where it has none")                                                                           \
    F(COLOR, color, "")                                                                                                \
    L(U32, flags, 63, "1 static, 2 sensor, 4 real, 8 self, 16 ghost: never touched, 32 proxy: never shown")            \
    L(U8, is_plain, 1, "1: shown in its colour alone, whatever its meshes look like")                                  \
    A(PART, parts, part_count, 1, "their triangles and vertices count one after another")                              \
    F(POSE, pose, "in the world")

#define FR_MESSAGE_SOUND_FIELDS(F, L, A)                                                                               \
    F(REF, object, "it is heard from; it ends with the object")                                                        \
    F(VEC3, point, "where it is, in the object")                                                                       \
    F(F32, intensity, "0 .. 1")                                                                                        \
    F(F32, near, "metres: full loudness within")                                                                       \
    F(F32, far, "metres: silence beyond")                                                                              \
    F(F32, pitch, "how fast it is played; 1: as it was recorded")                                                      \
    F(F64, start, "seconds of the world")                                                                              \
    F(F64, stop, "seconds; not above start: it is played to its end, or for ever")                                     \
    L(U8, flags, 3, "1 again and again, 2 from its place, else everywhere alike")                                      \
    A(U8, file, file_bytes, 1, "a sound file, such as WAV; at most 2^22 bytes")

#define FR_MESSAGE_SOUND_PLACE_FIELDS(F, L, A)                                                                         \
    F(REF, object, "")                                                                                                 \
    F(U32, sound, "which of the sounds of the object, from 0")                                                         \
    F(VEC3, point, "where it is now, in the object")

#define FR_MESSAGE_GONE_FIELDS(F, L, A) F(REF, object, "")

#define FR_MESSAGE_VERTICES_FIELDS(F, L, A)                                                                            \
    F(REF, object, "")                                                                                                 \
    F(U32, first, "vertex of the object; no more than were sent before")                                               \
    A(F32, xyz, xyz_count, 3, "three a vertex, in the frame of its part")

#define FR_MESSAGE_STATE_FIELDS(F, L, A)                                                                               \
    F(U53, sequence, "of the snapshot; never goes back but by reset")                                                  \
    F(U53, since, "the snapshot whose changes are listed; 0 when complete")                                            \
    F(U53, tick, "")                                                                                                   \
    F(F64, time, "seconds")                                                                                            \
    L(U8, flags, 7, "1 paused, 2 partial sensing, 4 complete: objects that are not listed are gone")                   \
    A(BODY, bodies, body_count, 1, "sorted by index1")

#define FR_MESSAGE_PAIRS_FIELDS(F, L, A)                                                                               \
    F(U53, sequence, "of the snapshot")                                                                                \
    F(U32, total, "pairs there are; more than are listed when they are too many")                                      \
    A(PAIR, pairs, pair_count, 1, "all of the snapshot, sorted; at most 65,536")

#define FR_MESSAGE_CONTACTS_FIELDS(F, L, A)                                                                            \
    F(U53, sequence, "of the snapshot")                                                                                \
    F(U32, total, "contacts there are")                                                                                \
    A(CONTACT, contacts, contact_count, 1, "at most 4,096, spread evenly over all")

#define FR_MESSAGE_FACE_TOUCHES_FIELDS(F, L, A)                                                                        \
    F(U53, sequence, "of the snapshot")                                                                                \
    F(U32, total, "that began or ended in the tick")                                                                   \
    A(FACE_TOUCH, face_touches, face_touch_count, 1, "of these at most 4,096, spread evenly over all, sorted by places")

#define FR_MESSAGE_EVENTS_FIELDS(F, L, A) A(EVENT, events, event_count, 1, "in order")

#define FR_MESSAGE_STATS_FIELDS(F, L, A)                                                                               \
    F(U53, sequence, "of the snapshot")                                                                                \
    F(F32, ms_movers, "milliseconds of the stages of the tick")                                                        \
    F(F32, ms_correctors, "")                                                                                          \
    F(F32, ms_joints, "")                                                                                              \
    F(F32, ms_update, "")                                                                                              \
    F(F32, ms_collide, "")                                                                                             \
    F(F32, ms_events, "")                                                                                              \
    F(F32, ms_snapshot, "")                                                                                            \
    F(F32, ms_total, "")                                                                                               \
    F(F32, ms_encode, "making messages of the tick before")                                                            \
    F(U32, clients, "connected")                                                                                       \
    F(U53, object_pairs, "pairs of parts whose boxes overlap")                                                         \
    F(U53, candidates, "pairs of triangles listed")                                                                    \
    F(U53, tested, "pairs given to the exact test")                                                                    \
    F(U53, dropped, "states the receiver was too slow for")

#define FR_MESSAGE_LEASE_FIELDS(F, L, A)                                                                               \
    F(REF, object, "")                                                                                                 \
    F(U32, client, "its owner; 0: none")                                                                               \
    F(TEXT, name, "of the owner")

#define FR_MESSAGE_DRAW_FIELDS(F, L, A)                                                                                \
    F(U32, layer, "number; what it held before is replaced")                                                           \
    F(TEXT, name, "for people; a layer without items is removed")                                                      \
    F(REF, object, "whose frame all places are in, so that the layer goes with it; zero: the world")                   \
    A(LINES, lines, line_count, 1, "")                                                                                 \
    A(TRIANGLES, triangles, triangle_count, 1, "")                                                                     \
    A(POINTS, points, point_count, 1, "")                                                                              \
    A(BOX, boxes, box_count, 1, "")                                                                                    \
    A(LABEL, labels, label_count, 1, "")                                                                               \
    A(IMAGE, images, image_count, 1, "")                                                                               \
    A(FACE_COLORS, face_colors, face_color_count, 1, "")

#define FR_MESSAGE_REPLY_FIELDS(F, L, A)                                                                               \
    F(U32, request, "the request that it replies to")                                                                  \
    L(U32, status, 255, "0 done, else what is wrong, a number of fr_status")                                           \
    F(TEXT, message, "what is wrong, for people")

#define FR_MESSAGE_AFFORDANCES_FIELDS(F, L, A)                                                                         \
    F(U32, request, "")                                                                                                \
    F(REF, object, "")                                                                                                 \
    A(AFFORDANCE, affordances, affordance_count, 1, "what can be done with it now; at most 256")

#define FR_MESSAGE_ENDED_FIELDS(F, L, A)                                                                               \
    F(U32, request, "the command that ended")                                                                          \
    L(U32, status, 255, "0 done, else a number of fr_status")                                                          \
    F(TEXT, message, "why it ended, for people; empty where it was done")

#define FR_MESSAGE_REFUSED_FIELDS(F, L, A)                                                                             \
    F(U32, sequence, "of the update")                                                                                  \
    A(REFUSAL, refusals, refusal_count, 1, "those objects alone; the body among them: all of the update")

#define FR_MESSAGE_STOCK_LIST_FIELDS(F, L, A)                                                                          \
    F(U32, request, "")                                                                                                \
    F(U32, total, "classes that were found; more than are listed when they are too many")                              \
    A(STOCK_CLASS, classes, class_count, 1, "by their names; at most 256")

#define FR_MESSAGE_PEOPLE_LIST_FIELDS(F, L, A)                                                                         \
    F(U32, request, "")                                                                                                \
    F(U32, total, "people there are; more than are listed when they are too many")                                     \
    A(PERSON, people, person_count, 1, "at most 256")

#define FR_MESSAGE_POSTURE_FILE_FIELDS(F, L, A)                                                                        \
    F(U32, request, "")                                                                                                \
    F(TEXT, person, "")                                                                                                \
    F(TEXT, text, "a clip file (.ahmc) of one frame")

#define FR_MESSAGE_ERROR_FIELDS(F, L, A)                                                                               \
    L(U32, status, 255, "a number of fr_status")                                                                       \
    F(TEXT, message, "for people; the connection is closed after it")

#define FR_MESSAGE_PONG_FIELDS(F, L, A) F(U64, token, "of the ping")

// X(number, NAME, name, reading side, about)
#define FR_MESSAGE_TABLE(X)                                                                                            \
    X(1, HELLO, hello, SERVER, "the first message of a client")                                                        \
    X(2, WANTS, wants, SERVER, "what the client wants to be sent from now on")                                         \
    X(3, GRAB, grab, SERVER, "asks for the lease of an object")                                                        \
    X(4, MOVE, move, SERVER, "moves a leased object; gets no reply")                                                   \
    X(5, DROP, drop, SERVER, "gives a lease back")                                                                     \
    X(6, PLAY, play, SERVER, "lets time stand or go")                                                                  \
    X(7, RESUME, resume, SERVER, "gives an object back to what moves it by itself")                                    \
    X(8, SET_STATE, set_state, SERVER, "sets a state of an object")                                                    \
    X(9, OPEN, open, SERVER, "opens another scene, for every client")                                                  \
    X(10, PING, ping, SERVER, "asks for a pong")                                                                       \
    X(11, UNDO, undo, SERVER, "takes back where an object was put, or puts it there again")                            \
    X(12, NEAR, near, SERVER, "asks for fewer states of what is far; gets no reply")                                   \
    X(13, COMMAND, command, SERVER, "has a person do something")                                                       \
    X(14, AFFORDS, affords, SERVER, "asks what can be done with an object")                                            \
    X(15, UPDATE, update, SERVER, "moves a body and its objects; gets a refused or no reply")                          \
    X(16, ADD, add, SERVER, "adds an object of a class")                                                               \
    X(19, KEEP, keep, SERVER, "stores the models that came from files as a scene file")                                \
    X(20, PULL, pull, SERVER, "bends a person who does nothing else: a palm or the head goes to a point")              \
    X(21, POSTURE, posture, SERVER, "asks for the posture of a person as a file")                                      \
    X(22, STAND, stand, SERVER, "adds an object of a class that stands on a point")                                    \
    X(23, PEOPLE, people, SERVER, "asks who carries out commands, and what they do")                                   \
    X(24, REMOVE, remove, SERVER, "removes an object that was added")                                                  \
    X(25, STOCK, stock, SERVER, "asks of which classes objects can be added")                                          \
    X(26, SEEK, seek, SERVER, "shows another tick of a record, for every client")                                      \
    X(27, SPEED, speed, SERVER, "plays a record faster or slower, for every client")                                   \
    X(28, KEY, key, SERVER, "shows a token, right behind hello")                                                       \
    X(29, REMOVE_STATE, remove_state, SERVER, "removes a state of an object")                                          \
    X(30, NOTE_CLASH, note_clash, SERVER, "decides about a clash, for every client")                                   \
    X(32, WELCOME, welcome, CLIENT, "the reply to hello")                                                              \
    X(33, RESET, reset, CLIENT, "a new scene: forget meshes, objects, state and layers")                               \
    X(34, GALLERY, gallery, CLIENT, "the scenes to choose from")                                                       \
    X(35, MESH, mesh, CLIENT, "begins a mesh; it is whole when all its counts came")                                   \
    X(36, MESH_VERTICES, mesh_vertices, CLIENT, "a piece of a mesh")                                                   \
    X(37, MESH_TRIANGLES, mesh_triangles, CLIENT, "a piece of a mesh")                                                 \
    X(38, MESH_FACES, mesh_faces, CLIENT, "a piece of a mesh")                                                         \
    X(39, OBJECT, object, CLIENT, "an object that was added, or was there before the client")                          \
    X(40, GONE, gone, CLIENT, "an object was removed")                                                                 \
    X(41, VERTICES, vertices, CLIENT, "a piece of the vertices of a deformed object")                                  \
    X(42, STATE, state, CLIENT, "where objects are")                                                                   \
    X(43, PAIRS, pairs, CLIENT, "which faces collide")                                                                 \
    X(44, CONTACTS, contacts, CLIENT, "where they do")                                                                 \
    X(45, EVENTS, events, CLIENT, "what happened")                                                                     \
    X(46, STATS, stats, CLIENT, "what the tick took")                                                                  \
    X(47, LEASE, lease, CLIENT, "the client that handles an object")                                                   \
    X(48, DRAW, draw, CLIENT, "a layer drawn over the world")                                                          \
    X(49, REPLY, reply, CLIENT, "the reply to a request")                                                              \
    X(50, ERROR, error, CLIENT, "the last message before the server closes")                                           \
    X(51, PONG, pong, CLIENT, "the reply to ping")                                                                     \
    X(52, FACE_TOUCHES, face_touches, CLIENT, "when contacts of faces began and ended")                                \
    X(53, SOUND, sound, CLIENT, "something that is heard from an object")                                              \
    X(54, MESH_LOOK, mesh_look, CLIENT, "a piece of how a mesh looks")                                                 \
    X(55, MATERIAL, material, CLIENT, "what surfaces look like")                                                       \
    X(56, PICTURE, picture, CLIENT, "a picture on surfaces")                                                           \
    X(57, SOUND_PLACE, sound_place, CLIENT, "where a sound of a model that moves is")                                  \
    X(58, MESH_BONES, mesh_bones, CLIENT, "a piece of the skeleton of a mesh")                                         \
    X(59, MESH_WEIGHTS, mesh_weights, CLIENT, "a piece of the skin of a mesh")                                         \
    X(60, BONES, bones, CLIENT, "where the bones of bodies are")                                                       \
    X(61, AFFORDANCES, affordances, CLIENT, "the reply to affords")                                                    \
    X(62, ENDED, ended, CLIENT, "a command that was accepted is over")                                                 \
    X(63, REFUSED, refused, CLIENT, "objects of an update that another has, or that cannot be moved")                  \
    X(66, MODELS, models, CLIENT, "the models of the scene that came from files")                                      \
    X(67, STOCK_LIST, stock_list, CLIENT, "the reply to stock")                                                        \
    X(68, PEOPLE_LIST, people_list, CLIENT, "the reply to people")                                                     \
    X(69, POSTURE_FILE, posture_file, CLIENT, "the reply to posture")                                                  \
    X(70, VIEW, view, CLIENT, "where the scene is looked at from")                                                     \
    X(71, RECORD, record, CLIENT, "the scene is a record, which people go through")                                    \
    X(72, RECORD_TOUCHES, record_touches, CLIENT, "when objects of a record touch")                                    \
    X(73, ROLE, role, CLIENT, "the reply to key: what the client may do")                                              \
    X(74, CLASHES, clashes, CLIENT, "a piece of the list of clashes of the scene")                                     \
    X(75, CLASH_NOTE, clash_note, CLIENT, "what was decided about a clash")                                            \
    X(76, SERVICE, service, CLIENT, "whether the home server of an edge is there")                                     \
    X(77, AID, aid, CLIENT, "how a hand that took something is helped; modes without the aid: nothing stops it")       \
    X(78, MOVED, moved, CLIENT, "which move of the receiver a snapshot has")

// ---------------------------------------------------------------------------------------------------------------
// What comes of it in C: fr_ref, fr_wire_NAME, fr_message_NAME, with the fields of the tables. A text is const char *,
// ended by a zero; NULL is written as an empty one. An array is a pointer and its count.

typedef struct fr_ref {
    uint32_t index1, generation; // as of fr_object_id
} fr_ref;

#define FR_C_U8 uint8_t
#define FR_C_U32 uint32_t
#define FR_C_U64 uint64_t
#define FR_C_U53 uint64_t
#define FR_C_F32 float
#define FR_C_F64 double
#define FR_C_TEXT const char *
#define FR_C_REF fr_ref
#define FR_C_VEC3 fr_vec3
#define FR_C_QUAT fr_quat
#define FR_C_POSE fr_pose
#define FR_C_COLOR fr_color
#define FR_C_DEMO fr_wire_demo
#define FR_C_MODEL fr_wire_model
#define FR_C_RECORD_TOUCH fr_wire_record_touch
#define FR_C_CLASH fr_wire_clash
#define FR_C_PART fr_wire_part
#define FR_C_BODY fr_wire_body
#define FR_C_PAIR fr_wire_pair
#define FR_C_CONTACT fr_wire_contact
#define FR_C_EVENT fr_wire_event
#define FR_C_FACE_TOUCH fr_wire_face_touch
#define FR_C_PARAMETER fr_wire_parameter
#define FR_C_MOTION fr_wire_motion
#define FR_C_PROMPT fr_wire_prompt
#define FR_C_AFFORDANCE fr_wire_affordance
#define FR_C_PLACE fr_wire_place
#define FR_C_REFUSAL fr_wire_refusal
#define FR_C_STOCK_CLASS fr_wire_stock_class
#define FR_C_PERSON fr_wire_person
#define FR_C_LINES fr_wire_lines
#define FR_C_TRIANGLES fr_wire_triangles
#define FR_C_POINTS fr_wire_points
#define FR_C_BOX fr_wire_box
#define FR_C_LABEL fr_wire_label
#define FR_C_IMAGE fr_wire_image
#define FR_C_FACE_COLORS fr_wire_face_colors

#define FR_C_FIELD(kind, name, about) FR_C_##kind name;
#define FR_C_LIMITED(kind, name, last, about) FR_C_##kind name;
#define FR_C_ARRAY(kind, name, count, multiple, about)                                                                 \
    const FR_C_##kind *name;                                                                                           \
    uint32_t count;
#define FR_C_STRUCT(type, fields)                                                                                      \
    typedef struct type {                                                                                              \
        fields(FR_C_FIELD, FR_C_LIMITED, FR_C_ARRAY)                                                                   \
    } type;

#define FR_C_WIRE(KIND, type, name, about) FR_C_STRUCT(type, FR_WIRE_##KIND##_FIELDS)
FR_WIRE_STRUCT_TABLE(FR_C_WIRE)
#undef FR_C_WIRE

#define FR_C_MESSAGE(number, NAME, name, reader, about) FR_C_STRUCT(fr_message_##name, FR_MESSAGE_##NAME##_FIELDS)
FR_MESSAGE_TABLE(FR_C_MESSAGE)
#undef FR_C_MESSAGE

// FR_MESSAGE_HELLO = 1 and so on.
typedef enum fr_message_type {
#define FR_MESSAGE_VALUE(number, NAME, name, reader, about) FR_MESSAGE_##NAME = number,
    FR_MESSAGE_TABLE(FR_MESSAGE_VALUE)
#undef FR_MESSAGE_VALUE
} fr_message_type;

// Any message: `type` says which member of `as` it is.
typedef struct fr_message {
    fr_message_type type;
    union {
#define FR_MESSAGE_MEMBER(number, NAME, name, reader, about) fr_message_##name name;
        FR_MESSAGE_TABLE(FR_MESSAGE_MEMBER)
#undef FR_MESSAGE_MEMBER
    } as;
} fr_message;

#ifdef __cplusplus
}
#endif

#endif
