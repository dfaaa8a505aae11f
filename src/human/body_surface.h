// The skin of a body as arrays: vertices, polygons, weights; coarse and fine.
#ifndef FUREAI_HUMAN_BODY_SURFACE_H
#define FUREAI_HUMAN_BODY_SURFACE_H

#include "human/body_cage.h"

#include "fureai/human_links.h"

enum {
    FR__SURFACE_MAX_HALF = FR__CAGE_MAX_VERTICES + 8 * FR__CAGE_MAX_FACES, // fine vertices of one side
    FR__SURFACE_MAX_VERTICES = 2 * FR__SURFACE_MAX_HALF,
    FR__SURFACE_MAX_FACES = 2 * 9 * FR__CAGE_MAX_FACES,
    FR__SURFACE_CAGE_DEGREE = 12
};

typedef struct fr__surface_vertex {
    fr_vec3 point, normal;
    double limb;
    uint32_t parts;
    uint32_t twin;  // its mirror image; itself in the middle
    bool is_middle; // it lies in the plane between left and right
    bool is_coarse; // it is a vertex of the cage too
} fr__surface_vertex;

typedef struct fr__surface_face {
    uint32_t corners[4]; // the last is FR_NONE in a triangle
    uint32_t cage;       // the polygon of the cage that it is part of
    uint32_t piece;      // which of the nine pieces
} fr__surface_face;

// Both sides; the vertices of the cage come first on either side.
typedef struct fr__body_surface {
    fr__body_cage cage;
    fr__body_field field;
    fr__surface_vertex vertices[FR__SURFACE_MAX_VERTICES];
    fr__surface_face faces[FR__SURFACE_MAX_FACES];
    uint32_t vertex_count, half_count, face_count, half_face_count;
    uint32_t edge_ends[FR__CAGE_MAX_VERTICES][FR__SURFACE_CAGE_DEGREE];
    uint32_t edge_vertices[FR__CAGE_MAX_VERTICES][FR__SURFACE_CAGE_DEGREE];
    fr_vec3 sums[FR__SURFACE_MAX_VERTICES];
    uint32_t degrees[FR__SURFACE_MAX_VERTICES];
    float weights[FR__SURFACE_MAX_HALF][FR_LINK_COUNT]; // of the left side
    float spread[FR__SURFACE_MAX_HALF][FR_LINK_COUNT];
} fr__body_surface;

// The vertices and polygons in the posture of the joints.
void fr__body_surface_make(const fr__body_joints *joints, fr__body_surface *surface);

// How much of each link the vertices of the left side follow; after fr__body_surface_make.
void fr__body_surface_weigh(const fr__body_joints *joints, fr__body_surface *surface);

// The link on the other side of the body, itself in the middle.
uint32_t fr__link_twin(uint32_t link);

#endif
