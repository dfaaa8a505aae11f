// How the files of a figure work together.
#ifndef FUREAI_HUMAN_FIGURE_INTERNAL_H
#define FUREAI_HUMAN_FIGURE_INTERNAL_H

#include "human/body_surface.h"

#include "fureai/human_figure.h"

enum { FR__FIGURE_INFLUENCES = 4, FR__PIECE_MAX_POINTS = 2 * FR__SURFACE_MAX_VERTICES };

// One vertex of the skin: where it is, and what it follows (by roles).
typedef struct fr__figure_vertex {
    fr_vec3 point;
    uint32_t roles[FR__FIGURE_INFLUENCES];
    float weights[FR__FIGURE_INFLUENCES];
} fr__figure_vertex;

// Memory to make a figure with.
typedef struct fr__figure_work {
    fr__body_surface surface;
    fr__figure_vertex vertices[FR__SURFACE_MAX_VERTICES];
    fr_vec3 warped[FR__SURFACE_MAX_VERTICES];
    uint32_t numbers[FR__SURFACE_MAX_VERTICES]; // of each vertex in the mesh; FR_NONE: it has none
    uint32_t mesh_vertices[FR__SURFACE_MAX_VERTICES];
    uint32_t triangles[4 * FR__SURFACE_MAX_FACES][3];
    fr_color colors[4 * FR__SURFACE_MAX_FACES];
    double positions[FR__SURFACE_MAX_VERTICES][3];
    uint32_t bones[FR__SURFACE_MAX_VERTICES][FR__FIGURE_INFLUENCES];
    float weights[FR__SURFACE_MAX_VERTICES][FR__FIGURE_INFLUENCES];
    double inverse_binds[FR_MAX_LINKS][12];
    fr_pose template_binds[FR_LINK_COUNT];      // of the body that the solid is made for
    fr_pose binds[FR_MAX_LINKS];                // of the skeleton, by link
    uint32_t vertex_count, triangle_count;      // of the mesh
    fr_vec3 piece_points[FR__PIECE_MAX_POINTS]; // that a rigid piece shall hold
    size_t piece_count;
} fr__figure_work;

// The posture in which a skin is made: arms and legs apart, fingers spread.
fr_status fr__figure_bind(const fr_skeleton *skeleton, fr_pose *poses, fr_error *error);

// Scales the body of the work to the skeleton; leaves the points in `warped`.
void fr__figure_warp(const fr_skeleton_view *skeleton, fr__figure_work *work);

// The triangles with their colours, and the vertices that they use, from `warped`.
void fr__figure_triangulate(const fr_figure_def *def, fr__figure_work *work);

// The rigid pieces; what was made stays in the view on failure.
fr_status fr__figure_add_proxies(fr__figure_work *work, const fr_allocator *allocator, fr_figure_view *view,
                                 fr_error *error);

#endif
