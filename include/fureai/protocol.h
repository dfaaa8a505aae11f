// Fureai protocol: messages between a world and those who watch and handle it, to bytes and back. No sockets. Library
// libfureai-world.
//
// Every message is described once, in the tables below. From them come the structs, the codec, the reader and writer
// in TypeScript (viewer/src/protocol.ts) and the tables of docs/protocol.md.
//
// Bytes are little endian and packed. A frame is any number of messages after one another. A message is u16 type, u16
// zero, u32 payload bytes, payload. What is read is checked in full: sizes, counts against the bytes that are left,
// UTF-8, finite numbers, unit quaternions, ranges. Reading takes time and memory in proportion to the bytes. Any thread
// may read or write; one thread at a time uses one writer's array, arena, encoder, layer or mirror.
#ifndef FUREAI_PROTOCOL_H
#define FUREAI_PROTOCOL_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_PROTOCOL_VERSION 4u
#define FR_PROTOCOL_NAME "fureai-4"         // the WebSocket subprotocol
#define FR_PROTOCOL_HEADER_BYTES 8u         // of a message
#define FR_PROTOCOL_MAX_PAYLOAD (1u << 28)  // bytes; more is not written (FR_ERROR_LIMIT), and cut short to a reader
#define FR_PROTOCOL_MAX_PAIRS 65536u        // listed in one PAIRS
#define FR_PROTOCOL_MAX_CONTACTS 4096u      // listed in one CONTACTS
#define FR_PROTOCOL_MAX_FACE_TOUCHES 4096u  // listed in one FACE_TOUCHES
#define FR_PROTOCOL_PIECE_BYTES (64u << 10) // most payload of a piece of a mesh or of vertices

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
    F(TEXT, about, "one sentence")

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
    L(U8, kind, 16,                                                                                                    \
      "added, removed, touch begin, touch end, limit, state, held, released, corrected; of handling: contact, snap, "  \
      "slide, pull, loose, done, fitted, force")                                                                       \
    F(REF, a, "")                                                                                                      \
    F(REF, b, "zero where there is one object")                                                                        \
    F(U53, id, "of a touch: the same at its begin and end; else 0")                                                    \
    F(U53, tick, "ticks taken when it was told")                                                                       \
    F(F64, time, "seconds")                                                                                            \
    F(F64, value, "of a state or limit; metres when corrected; newtons of a force; freedoms after a snap; else 0")     \
    F(TEXT, state, "name of the state, else empty")                                                                    \
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
    L(U8, phase, 7, "1 began in this tick, 2 ended in it, 4 a point is told")                                          \
    F(U53, id, "the same at its begin and end, never used again")                                                      \
    F(F64, begin, "seconds; perhaps many ticks ago")                                                                   \
    F(F64, end, "seconds; the time of the state where it lasts")                                                       \
    F(VEC3, point, "in the world, where they first met in this tick; else zero")

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
    X(PART, fr_wire_part, part, "a part of an object")                                                                 \
    X(BODY, fr_wire_body, body, "where an object is")                                                                  \
    X(PAIR, fr_wire_pair, pair, "two faces that collide")                                                              \
    X(CONTACT, fr_wire_contact, contact, "where they do")                                                              \
    X(EVENT, fr_wire_event, event, "what happened")                                                                    \
    X(FACE_TOUCH, fr_wire_face_touch, face_touch, "from when to when two faces are in contact")                        \
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
    L(U32, wants, 127, "1 poses (always), 2 pairs, 4 contacts, 8 events, 16 stats, 32 draw, 64 face touches")          \
    F(TEXT, name, "of the person, for others to read")

#define FR_MESSAGE_WANTS_FIELDS(F, L, A) L(U32, wants, 127, "as in hello")

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
    F(TEXT, name, "of a demo of the gallery")

#define FR_MESSAGE_PING_FIELDS(F, L, A) F(U64, token, "given back in pong")

#define FR_MESSAGE_UNDO_FIELDS(F, L, A)                                                                                \
    F(U32, request, "")                                                                                                \
    L(U8, again, 1, "0 takes the last placement back, 1 does again what was taken back last")

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
    F(TEXT, current, "name of the one on stage")

#define FR_MESSAGE_MESH_FIELDS(F, L, A)                                                                                \
    F(U32, mesh, "the server's number for it, from 1")                                                                 \
    F(U32, vertex_count, "")                                                                                           \
    F(U32, triangle_count, "")                                                                                         \
    F(U32, face_count, "polygons of the file; 0: each triangle is its own, no mesh_faces follow")                      \
    F(U32, material, "of triangles without one of their own; 0: the object's colour")                                  \
    L(U8, look, 7, "what mesh_look tells of all triangles: 1 materials, 2 uvs, 4 colours; 0: none follows")

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
    A(U8, rgba, rgba_count, 12, "colour of each corner, in place of the material's")

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
    L(U32, flags, 15, "1 static, 2 sensor, 4 real, 8 self")                                                            \
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
    F(U32, sound, "which of those that were told of the object, from 0")                                               \
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
    F(U53, tested, "pairs given to the judge")                                                                         \
    F(U53, dropped, "states the receiver was too slow for")

#define FR_MESSAGE_LEASE_FIELDS(F, L, A)                                                                               \
    F(REF, object, "")                                                                                                 \
    F(U32, client, "who owns it; 0: nobody")                                                                           \
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
    F(U32, request, "what it answers")                                                                                 \
    L(U32, status, 255, "0 done, else what is wrong, a number of fr_status")                                           \
    F(TEXT, message, "what is wrong, for people")

#define FR_MESSAGE_ERROR_FIELDS(F, L, A)                                                                               \
    L(U32, status, 255, "a number of fr_status")                                                                       \
    F(TEXT, message, "for people; the connection is closed after it")

#define FR_MESSAGE_PONG_FIELDS(F, L, A) F(U64, token, "of the ping")

// X(number, NAME, name, who reads it, about)
#define FR_MESSAGE_TABLE(X)                                                                                            \
    X(1, HELLO, hello, SERVER, "the first message of a client")                                                        \
    X(2, WANTS, wants, SERVER, "what the client wants to be sent from now on")                                         \
    X(3, GRAB, grab, SERVER, "asks for the lease of an object")                                                        \
    X(4, MOVE, move, SERVER, "moves a leased object; not answered")                                                    \
    X(5, DROP, drop, SERVER, "gives a lease back")                                                                     \
    X(6, PLAY, play, SERVER, "lets time stand or go")                                                                  \
    X(7, RESUME, resume, SERVER, "gives an object back to what moves it by itself")                                    \
    X(8, SET_STATE, set_state, SERVER, "sets a state of an object")                                                    \
    X(9, OPEN, open, SERVER, "puts another scene on stage, for everybody")                                             \
    X(10, PING, ping, SERVER, "asks for a pong")                                                                       \
    X(11, UNDO, undo, SERVER, "takes back where an object was put, or puts it there again")                            \
    X(32, WELCOME, welcome, CLIENT, "answers hello")                                                                   \
    X(33, RESET, reset, CLIENT, "a new scene: forget meshes, objects, state and layers")                               \
    X(34, GALLERY, gallery, CLIENT, "the scenes to choose from")                                                       \
    X(35, MESH, mesh, CLIENT, "begins a mesh; it is whole when all its counts came")                                   \
    X(36, MESH_VERTICES, mesh_vertices, CLIENT, "a piece of a mesh")                                                   \
    X(37, MESH_TRIANGLES, mesh_triangles, CLIENT, "a piece of a mesh")                                                 \
    X(38, MESH_FACES, mesh_faces, CLIENT, "a piece of a mesh")                                                         \
    X(39, OBJECT, object, CLIENT, "an object that was added, or is told to one who came later")                        \
    X(40, GONE, gone, CLIENT, "an object was removed")                                                                 \
    X(41, VERTICES, vertices, CLIENT, "a piece of the vertices of a deformed object")                                  \
    X(42, STATE, state, CLIENT, "where objects are")                                                                   \
    X(43, PAIRS, pairs, CLIENT, "which faces collide")                                                                 \
    X(44, CONTACTS, contacts, CLIENT, "where they do")                                                                 \
    X(45, EVENTS, events, CLIENT, "what happened")                                                                     \
    X(46, STATS, stats, CLIENT, "what the tick took")                                                                  \
    X(47, LEASE, lease, CLIENT, "who handles an object")                                                               \
    X(48, DRAW, draw, CLIENT, "a layer drawn over the world")                                                          \
    X(49, REPLY, reply, CLIENT, "answers a request")                                                                   \
    X(50, ERROR, error, CLIENT, "the last message before the server closes")                                           \
    X(51, PONG, pong, CLIENT, "answers ping")                                                                          \
    X(52, FACE_TOUCHES, face_touches, CLIENT, "when contacts of faces began and ended")                                \
    X(53, SOUND, sound, CLIENT, "something that is heard from an object")                                              \
    X(54, MESH_LOOK, mesh_look, CLIENT, "a piece of how a mesh looks")                                                 \
    X(55, MATERIAL, material, CLIENT, "what surfaces look like")                                                       \
    X(56, PICTURE, picture, CLIENT, "a picture on surfaces")                                                           \
    X(57, SOUND_PLACE, sound_place, CLIENT, "where a sound of a model that moves is")

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
#define FR_C_PART fr_wire_part
#define FR_C_BODY fr_wire_body
#define FR_C_PAIR fr_wire_pair
#define FR_C_CONTACT fr_wire_contact
#define FR_C_EVENT fr_wire_event
#define FR_C_FACE_TOUCH fr_wire_face_touch
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

// What a client wants.
typedef enum fr_wants {
    FR_WANTS_POSES = 1, // always sent
    FR_WANTS_PAIRS = 2,
    FR_WANTS_CONTACTS = 4,
    FR_WANTS_EVENTS = 8,
    FR_WANTS_STATS = 16,
    FR_WANTS_DRAW = 32,
    FR_WANTS_FACE_TOUCHES = 64
} fr_wants;

typedef enum fr_play_mode { FR_PLAY_PAUSE, FR_PLAY_GO, FR_PLAY_STEP, FR_PLAY_RESTART } fr_play_mode;

// What is told of the triangles of a mesh, and how a material and a picture are shown.
typedef enum fr_look_flags { FR_LOOK_MATERIALS = 1, FR_LOOK_UVS = 2, FR_LOOK_COLORS = 4 } fr_look_flags;
typedef enum fr_material_flags { FR_MATERIAL_UNLIT = 1 } fr_material_flags;
typedef enum fr_picture_flags { FR_PICTURE_REPEATS_U = 1, FR_PICTURE_REPEATS_V = 2 } fr_picture_flags;

typedef enum fr_sound_flags { FR_SOUND_LOOP = 1, FR_SOUND_SPATIAL = 2 } fr_sound_flags;

// What a face touch does in the tick that tells it.
typedef enum fr_touch_phase { FR_PHASE_BEGAN = 1, FR_PHASE_ENDED = 2, FR_PHASE_POINT = 4 } fr_touch_phase;

typedef enum fr_state_flags { FR_STATE_PAUSED = 1, FR_STATE_PARTIAL = 2, FR_STATE_COMPLETE = 4 } fr_state_flags;

// ---------------------------------------------------------------------------------------------------------------
// The description as data, for what makes text of it and for the codec

typedef enum fr_protocol_kind {
    FR_KIND_U8,
    FR_KIND_U32,
    FR_KIND_U64,
    FR_KIND_U53,
    FR_KIND_F32,
    FR_KIND_F64,
    FR_KIND_TEXT,
#define FR_KIND_VALUE(KIND, type, name, about) FR_KIND_##KIND,
    FR_WIRE_TABLE(FR_KIND_VALUE)
#undef FR_KIND_VALUE
        FR_KIND_COUNT
} fr_protocol_kind;

typedef struct fr_protocol_field {
    const char *name;
    const char *about; // "" where the name says all
    fr_protocol_kind kind;
    bool is_array;
    bool is_limited;
    uint32_t last;       // the largest number, of one that is limited
    uint32_t multiple;   // what the count of an array is a multiple of
    size_t offset;       // in the C struct
    size_t count_offset; // of an array
} fr_protocol_field;

typedef struct fr_protocol_struct {
    const char *name; // "ref" .. "face_colors", "hello" .. "pong"
    const char *about;
    const fr_protocol_field *fields;
    uint32_t field_count;
    size_t c_bytes; // of the C struct
} fr_protocol_struct;

// Who reads a message.
typedef enum fr_protocol_reader { FR_READER_SERVER, FR_READER_CLIENT } fr_protocol_reader;

typedef struct fr_protocol_message {
    fr_message_type type;
    fr_protocol_reader reader;
    fr_protocol_struct layout;
} fr_protocol_message;

// "u8" .. "text", or the name of the struct.
FR_API const char *fr_protocol_kind_name(fr_protocol_kind kind);

// A struct by its kind; NULL for a kind that is none.
FR_API const fr_protocol_struct *fr_protocol_struct_of(fr_protocol_kind kind);

// The i-th message of the table; NULL beyond the last.
FR_API const fr_protocol_message *fr_protocol_message_at(size_t i);

// A message by its type; NULL for a number that is none.
FR_API const fr_protocol_message *fr_protocol_message_of(uint32_t type);

// ---------------------------------------------------------------------------------------------------------------
// Writing and reading

// Appends a message to `out`, an array of bytes (element_bytes 1). Checked as a reader checks it, so what was written
// can be read: FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT, FR_ERROR_SYNTAX (text that is no UTF-8),
// FR_ERROR_MEMORY, with nothing appended. Allocates only where `out` must grow.
FR_API fr_status fr_protocol_write(const fr_message *message, fr_array *out, fr_error *error);

// A message that was found but not read.
typedef struct fr_packet {
    fr_message_type type;
    uint32_t payload_bytes;
    const void *payload; // into the frame, at no particular alignment
} fr_packet;

// Walks over the messages of a frame: { bytes, size, 0, who reads }.
typedef struct fr_frame {
    const void *bytes;
    size_t size;
    size_t at;                 // bytes passed so far
    fr_protocol_reader reader; // messages for the other one are refused
} fr_frame;

// The next message. False at the end, with *status FR_OK, and at what is none: FR_ERROR_SYNTAX when it is cut short or
// begins wrongly, FR_ERROR_UNSUPPORTED for an unknown type or one for the other side. The frame stays there then.
FR_API bool fr_frame_next(fr_frame *frame, fr_packet *packet, fr_status *status, fr_error *error);

// Reads a message; texts and arrays are copied into `arena`, at most 8 bytes for each byte of the payload. FR_ERROR_*
// SYNTAX, NOT_FINITE, ARGUMENT, LIMIT (a number out of its range), MEMORY; FR_ERROR_VERSION for a hello or welcome of
// another version, whatever else it holds. On failure *out is unchanged; the arena may hold some of it.
FR_API fr_status fr_protocol_read(const fr_packet *packet, fr_arena *arena, fr_message *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Messages of a world
//
// Each call appends messages to `out`, an array of bytes, or fails as fr_protocol_write and leaves it as it was. A warm
// call, for no more than an encoder did before, allocates only where `out` must grow.

// Scratch memory of one who makes messages.
typedef struct fr_encoder fr_encoder;

FR_API fr_status fr_encoder_create(const fr_allocator *allocator, fr_encoder **out);
FR_API void fr_encoder_destroy(fr_encoder *encoder);

static inline fr_ref fr_ref_of(fr_object_id id) {
    fr_ref ref = {id.index1, id.generation};
    return ref;
}

// STATE: the objects whose pose, hold or place changed since `previous`, an earlier snapshot of the same world; NULL:
// all, complete.
FR_API fr_status fr_protocol_encode_state(fr_encoder *encoder, const fr_snapshot *snapshot, const fr_snapshot *previous,
                                          fr_array *out, fr_error *error);

// PAIRS, CONTACTS and EVENTS of a snapshot, empty ones too. What is over FR_PROTOCOL_MAX_PAIRS is left out at the end;
// of more than FR_PROTOCOL_MAX_CONTACTS every n-th is told. Numbers too large for a float become the largest.
FR_API fr_status fr_protocol_encode_pairs(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                          fr_error *error);
FR_API fr_status fr_protocol_encode_contacts(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                             fr_error *error);
FR_API fr_status fr_protocol_encode_events(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                           fr_error *error);

// FACE_TOUCHES: those of a snapshot that began or ended in its tick; nothing where there is none. Of more than
// FR_PROTOCOL_MAX_FACE_TOUCHES every n-th is told.
FR_API fr_status fr_protocol_encode_face_touches(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                                 fr_error *error);

// What the server adds to the statistics of a tick.
typedef struct fr_protocol_service {
    double ms_encode;
    uint32_t clients;
    uint64_t dropped;
} fr_protocol_service;

FR_API fr_status fr_protocol_encode_stats(const fr_snapshot *snapshot, const fr_protocol_service *service,
                                          fr_array *out, fr_error *error);

// An object to be told.
typedef struct fr_protocol_object {
    const fr_space *space;
    fr_object_id id;
    const char *name; // may be NULL
    fr_color color;
    bool is_plain;                                            // shown in its colour alone
    uint32_t (*mesh_number)(const fr_mesh *mesh, void *user); // the server's number of a mesh, from 1
    void *user;
} fr_protocol_object;

// OBJECT, at its pose in the space now. FR_ERROR_STALE_ID.
FR_API fr_status fr_protocol_encode_object(fr_encoder *encoder, const fr_protocol_object *object, fr_array *out,
                                           fr_error *error);

// VERTICES of an object that was given vertices of its own, in pieces; nothing for another. FR_ERROR_STALE_ID.
FR_API fr_status fr_protocol_encode_vertices(fr_encoder *encoder, const fr_space *space, fr_object_id id, fr_array *out,
                                             fr_error *error);

// How far a mesh was told: { mesh, its number } at the beginning.
typedef struct fr_mesh_telling {
    const fr_mesh *mesh;
    uint32_t number;          // from 1
    const fr_mesh_look *look; // NULL: none. Materials are told by their index, from 1
    uint32_t stage;           // 0 MESH, 1 MESH_VERTICES, 2 MESH_TRIANGLES, 3 MESH_FACES, 4 MESH_LOOK, 5 all was told
    uint32_t at;              // vertices or triangles of the stage that were told
} fr_mesh_telling;

// MATERIAL and PICTURE under a number. FR_ERROR_LIMIT for a picture that is too large.
FR_API fr_status fr_protocol_encode_material(const fr_material *material, uint32_t number, fr_array *out,
                                             fr_error *error);
FR_API fr_status fr_protocol_encode_picture(const fr_picture *picture, uint32_t number, fr_array *out, fr_error *error);

// SOUND. FR_ERROR_LIMIT for a file that is too large.
FR_API fr_status fr_protocol_encode_sound(const fr_sound *sound, fr_array *out, fr_error *error);

// One message of a mesh: the next piece, of at most FR_PROTOCOL_PIECE_BYTES. Call it until fr_mesh_telling_is_done.
FR_API fr_status fr_protocol_encode_mesh_piece(fr_encoder *encoder, fr_mesh_telling *telling, fr_array *out,
                                               fr_error *error);
static inline bool fr_mesh_telling_is_done(const fr_mesh_telling *telling) { return telling->stage == 5; }

// ---------------------------------------------------------------------------------------------------------------
// A layer drawn over the world: what is drawn is kept, then written as DRAW

typedef struct fr_layer fr_layer;

FR_API fr_status fr_layer_create(const fr_allocator *allocator, fr_layer **out);
FR_API void fr_layer_destroy(fr_layer *layer);

// Says that all is drawn in the frame of an object, until the layer is cleared; zero, as at first: in the world.
FR_API void fr_layer_attach(fr_layer *layer, fr_ref object);

// Forgets what was drawn, and what went wrong. Its memory is kept: drawing no more than ever before allocates nothing.
FR_API void fr_layer_clear(fr_layer *layer);

// Draws into the layer; valid while it lives. Strokes of one colour and width after one another become one item.
FR_API fr_draw fr_layer_draw(fr_layer *layer);

// What fr_draw does not have. All is copied. An image has width * height pixels of 4 bytes, the top row first.
FR_API void fr_layer_box(fr_layer *layer, const fr_wire_box *box);
FR_API void fr_layer_image(fr_layer *layer, const fr_wire_image *image);
FR_API void fr_layer_face_colors(fr_layer *layer, const fr_wire_face_colors *face_colors);

// Writes it under a number and a name. FR_ERROR_MEMORY, also of an earlier call that drew; FR_ERROR_NOT_FINITE and the
// others of fr_protocol_write for what was drawn, with nothing written. A layer into which nothing was drawn is written
// too, and removes the one of this number from the viewers.
FR_API fr_status fr_layer_write(fr_layer *layer, uint32_t number, const char *name, fr_array *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The mirror: what a client knows of the world, fed by bytes from the server
//
// Any bytes are safe: what contradicts itself or the format is a status, and memory is bounded by what was received,
// whatever it announces. What names an object or a mesh that is not known is passed over.

typedef struct fr_mirror fr_mirror;

// Called after each message was taken in, in order; replies, pongs, errors and events are seen here. The message lives
// until it returns. Must not feed the mirror.
typedef void fr_mirror_fn(const fr_mirror *mirror, const fr_message *message, void *user);

typedef struct fr_mirror_def {
    fr_mirror_fn *told; // may be NULL
    void *user;
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_mirror_def
} fr_mirror_def;

FR_API fr_mirror_def fr_default_mirror_def(void);
FR_API fr_status fr_mirror_create(const fr_mirror_def *def, fr_mirror **out, fr_error *error);
FR_API void fr_mirror_destroy(fr_mirror *mirror);

// Takes in the messages of a frame, in order, up to the first that is wrong: the statuses of fr_frame_next and
// fr_protocol_read, and FR_ERROR_CORRUPT for what contradicts itself or what came before. The mirror is whole
// afterwards and holds nothing of that message; a client closes the connection then.
FR_API fr_status fr_mirror_feed(fr_mirror *mirror, const void *bytes, size_t size, fr_error *error);

typedef struct fr_mirror_mesh {
    uint32_t number;
    uint32_t vertex_count, triangle_count, face_count; // as announced
    const float *positions;                            // 3 a vertex, as far as they came
    const uint32_t *triangles;                         // 3 a triangle, as far as they came; each < vertex_count
    const uint32_t *faces;                             // one a triangle, as far as they came; each < face_count
    bool is_whole;                                     // all came
} fr_mirror_mesh;

typedef struct fr_mirror_object {
    fr_ref ref;
    const char *name;
    fr_color color;
    uint32_t flags; // of fr_object_flags
    bool is_plain;  // shown in its colour alone
    fr_hold hold;
    fr_pose pose;
    const fr_wire_part *parts;
    uint32_t part_count;
    const float *vertices;  // 3 a vertex, of a deformed one, as far as they came; NULL: the meshes' own
    uint32_t vertex_count;  // vertices that came
    uint32_t lease_client;  // who handles it; 0: nobody
    const char *lease_name; // "" where nobody does
} fr_mirror_object;

// All that is known, to read until the mirror is fed. Before a message of a kind came, zeros.
typedef struct fr_mirror_view {
    fr_message_welcome welcome;
    fr_message_reset scene; // step and title: of welcome or the last reset
    fr_message_gallery gallery;
    bool has_state; // a complete state came since the beginning or the last reset
    uint64_t sequence, tick;
    double time;
    uint32_t state_flags;                   // of fr_state_flags, of the last state
    const fr_mirror_mesh *const *meshes;    // sorted by number
    const fr_mirror_object *const *objects; // sorted by index1
    const fr_message_draw *const *layers;   // sorted by layer
    uint32_t mesh_count, object_count, layer_count;
    fr_message_pairs pairs;
    fr_message_contacts contacts;
    fr_message_events events;             // of the last message of events
    fr_message_face_touches face_touches; // of the last one of these
    fr_message_stats stats;
} fr_mirror_view;

FR_API const fr_mirror_view *fr_mirror_get(const fr_mirror *mirror);

// By number, by place, by name (the first by place; O(objects)); NULL where there is none.
FR_API const fr_mirror_mesh *fr_mirror_mesh_of(const fr_mirror *mirror, uint32_t number);
FR_API const fr_mirror_object *fr_mirror_object_of(const fr_mirror *mirror, uint32_t index1);
FR_API const fr_mirror_object *fr_mirror_find(const fr_mirror *mirror, const char *name);

// A hash of the objects, with their poses, holds and vertices, and of the meshes they are made of: mirrors that show
// the same world have equal numbers.
FR_API uint64_t fr_mirror_hash(const fr_mirror *mirror);

#ifdef __cplusplus
}
#endif

#endif
