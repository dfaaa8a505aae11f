// The solid that a body's skin is drawn over: a smooth union of tubes and ellipsoids around the bones of its left side.
#ifndef FUREAI_HUMAN_BODY_FIELD_H
#define FUREAI_HUMAN_BODY_FIELD_H

#include "fureai/math.h"

// The parts of a body that a piece of the solid may shape; a vertex has one or several.
enum {
    FR__PART_TRUNK = 1u,
    FR__PART_HEAD = 2u,
    FR__PART_ARM = 4u,
    FR__PART_LEG = 8u,
    FR__PART_FOOT = 16u,
    FR__PART_PALM = 32u,
    FR__PART_THUMB = 64u,
    FR__PART_INDEX = 128u // the other three fingers are the next bits
};

enum { FR__FINGER_COUNT = 5, FR__FINGER_JOINTS = 4 };

// Where the joints of the left side are in the posture that the skin is made in: a person who faces +Z, whose arm and
// leg are straight and lie in the plane of the shoulders.
typedef struct fr__body_joints {
    fr_vec3 shoulder, elbow, wrist;
    fr_vec3 thigh, knee, ankle;
    fr_vec3 fingers[FR__FINGER_COUNT][FR__FINGER_JOINTS]; // thumb first: root, joints, tip; the thumb has one fewer
    double curves;                                        // 0: a flat chest; 1: breasts
} fr__body_joints;

// The half sizes of a cross-section in four directions, at one place along a tube.
typedef struct fr__tube_section {
    double at; // along the tube: a fraction of its first bone, or 1 and a fraction of its second
    double outer, inner, front, back;
} fr__tube_section;

typedef struct fr__tube {
    fr_vec3 from, axis, outer, front; // unit axes, perpendicular
    double length, bend;              // of the whole, and of its first bone
    const fr__tube_section *sections;
    int section_count;
    double squareness; // 0: elliptic sections; 1: nearly rectangular ones
    double blend;      // over which distance it flows into the others
    uint32_t parts;    // that it shapes
} fr__tube;

typedef struct fr__ellipsoid {
    fr_vec3 center, radii, outer, up, front; // unit axes, perpendicular
    double blend;
    uint32_t parts;
} fr__ellipsoid;

enum { FR__MAX_TUBES = 24, FR__MAX_ELLIPSOIDS = 24 };

typedef struct fr__body_field {
    fr__tube tubes[FR__MAX_TUBES];
    fr__ellipsoid ellipsoids[FR__MAX_ELLIPSOIDS];
    int tube_count, ellipsoid_count;
    double ground; // height of the sole
} fr__body_field;

void fr__body_field_make(const fr__body_joints *joints, fr__body_field *field);

// About how far a point is outside (> 0) or inside the solid as it shapes the given parts.
double fr__body_field_at(const fr__body_field *field, uint32_t parts, fr_vec3 point);

// About the nearest point of the surface, found in up to `steps` steps; `normal` is the unit direction out of the
// solid.
fr_vec3 fr__body_field_project(const fr__body_field *field, uint32_t parts, fr_vec3 point, int steps, fr_vec3 *normal);

#endif
