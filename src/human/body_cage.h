// The coarse polygons of the left half of a body, each of which is cut into nine for the fine skin.
#ifndef FUREAI_HUMAN_BODY_CAGE_H
#define FUREAI_HUMAN_BODY_CAGE_H

#include "human/body_field.h"

enum { FR__CAGE_MAX_VERTICES = 480, FR__CAGE_MAX_FACES = 480 };

// What a polygon of the cage is part of, for clothes.
typedef enum fr__cloth {
    FR__CLOTH_SKIN,
    FR__CLOTH_HAIR,
    FR__CLOTH_EYE,      // the cage's polygon with the eye in its middle
    FR__CLOTH_FOREHEAD, // with hair above its lowest third
    FR__CLOTH_TEMPLE,   // with hair along its upper and its hind edge
    FR__CLOTH_BROW,     // with the brow at its lower edge
    FR__CLOTH_MOUTH,    // with the lips in its middle
    FR__CLOTH_SHIRT,
    FR__CLOTH_SLEEVE,      // of the upper arm
    FR__CLOTH_LONG_SLEEVE, // of the forearm
    FR__CLOTH_TROUSERS,
    FR__CLOTH_LONG_TROUSERS, // below the knee
    FR__CLOTH_SHOE,
    FR__CLOTH_SOLE
} fr__cloth;

typedef struct fr__cage_vertex {
    fr_vec3 point;
    uint32_t parts;
    double limb; // 0: it moves with the trunk, 1: with the arm, the leg or the head
} fr__cage_vertex;

typedef struct fr__cage_face {
    uint32_t corners[4]; // counter-clockwise seen from outside; the last is FR_NONE in a triangle
    fr__cloth cloth;
} fr__cage_face;

typedef struct fr__body_cage {
    fr__cage_vertex vertices[FR__CAGE_MAX_VERTICES];
    fr__cage_face faces[FR__CAGE_MAX_FACES];
    uint32_t vertex_count, face_count;
} fr__body_cage;

void fr__body_cage_make(const fr__body_joints *joints, fr__body_cage *cage);

#endif
