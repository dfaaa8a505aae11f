// The figure of a body: its skin with clothes, and rigid pieces under it that are touched in its place.
#ifndef FUREAI_HUMAN_FIGURE_H
#define FUREAI_HUMAN_FIGURE_H

#include "human.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// How fine the skin is.
typedef enum fr_figure_detail {
    FR_FIGURE_COARSE, // 1,320 triangles, about as many as the bodies of Ichiguchi 2000 (1,301)
    FR_FIGURE_FINE    // 11,880 triangles: each polygon of the coarse one in nine
} fr_figure_detail;

// The skin, the clothes and the rigid pieces of a body. Immutable and counted; any thread may read it.
typedef struct fr_figure fr_figure;

typedef struct fr_figure_def {
    const fr_skeleton *skeleton; // retained; it has a link for each of the FR_LINK_COUNT roles
    fr_figure_detail detail;     // default FR_FIGURE_FINE
    double curves;               // 0: a flat chest .. 1: breasts; default 0
    uint64_t seed;               // of the colours of skin, hair and clothes and of what is worn; default 0
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_figure_def
} fr_figure_def;

FR_API fr_figure_def fr_default_figure_def(void);

// Makes the figure of a body: a closed skin without holes or crossings, faces outwards, with the volume of the
// skeleton's mass (970 kg a cubic metre; by the lengths where it has none), scaled to the skeleton's lengths. The same
// bits on every machine. About 0.1 s and 5.5 MB of memory while it works. FR_ERROR_ARGUMENT for a skeleton that lacks a
// role (which), whose links have no length, or curves out of range; FR_ERROR_NOT_FINITE for lengths beyond the floats'
// range; FR_ERROR_MEMORY. It is released by fr_figure_release.
FR_API fr_status fr_figure_create(const fr_figure_def *def, fr_figure **out, fr_error *error);

// Counts one more user of the figure, or one fewer; the last release frees it. Any thread. NULL may be released.
FR_API fr_figure *fr_figure_retain(const fr_figure *figure);
FR_API void fr_figure_release(const fr_figure *figure);

#define FR_FIGURE_PROXY_COUNT 19u
#define FR_FIGURE_PHALANX_COUNT 28u // 14 a hand

// A rigid piece under the skin (proxy): the convex hull of the skin around a link, up to 64 corners. A hand has three:
// palm, mitten (four fingers, from straight to curled) and thumb.
typedef struct fr_figure_proxy {
    const char *name;    // of the link; "left_mitten" and the like for what stands for several
    uint32_t link;       // of the skeleton, that it is fixed to
    const fr_mesh *mesh; // in the link's frame; closed, convex
} fr_figure_proxy;

// The name of a proxy of a body of 43 links and the link that it is fixed to, by its index below FR_FIGURE_PROXY_COUNT:
// what a figure of it will have.
FR_API const char *fr_figure_proxy_name(uint32_t index);
FR_API fr_link fr_figure_proxy_link(uint32_t index);

// What a figure holds, to read while it lives; who wants mesh or skin longer retains it.
typedef struct fr_figure_view {
    const fr_skeleton *skeleton;
    const fr_mesh *mesh;      // the skin as it was bound: arms and legs apart, standing on y = 0 above the origin
    const fr_skin *skin;      // with the mesh; its bones are the skeleton's links, up to 4 a vertex
    const fr_pose *binds;     // of each link when the skin was bound
    const fr_color *colors;   // of each triangle
    const uint32_t *mirrored; // of each vertex: the one on the other side of the body, itself in the middle
    fr_figure_proxy proxies[FR_FIGURE_PROXY_COUNT];
    fr_figure_proxy phalanxes[FR_FIGURE_PHALANX_COUNT]; // the hull of each finger link, from FR_LINK_RIGHT_THUMB_1 on:
                                                        // finer pieces for what mitten and thumb stand for
    size_t bytes;                                       // of colours and binds; mesh, skin and proxies not counted
} fr_figure_view;

FR_API const fr_figure_view *fr_figure_get(const fr_figure *figure);

#ifdef __cplusplus
}
#endif

#endif
