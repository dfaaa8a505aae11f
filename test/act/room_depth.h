// How deep a body, and what it holds, is in the things of a room: brute force over all triangles near it, a thousand
// times a second. Nothing of room collide is called: pieces are hulls, and a triangle is cut by the planes of a hull.
#ifndef FUREAI_TEST_ACT_ROOM_DEPTH_H
#define FUREAI_TEST_ACT_ROOM_DEPTH_H

#include "directed_place.h"

#include <math.h>
#include <stdlib.h>

enum { DEPTH_PLANES_MAX = 256, DEPTH_CORNERS_MAX = DEPTH_PLANES_MAX + 8, DEPTH_STEPS = 20 };

// A convex piece in the frame of a link: all points with dot(normal, p) <= offset of each plane.
typedef struct depth_piece {
    uint32_t link; // FR_LINK_COUNT: the thing
    fr_bounds box;
    uint32_t plane_count;
    fr_vec3 normals[DEPTH_PLANES_MAX];
    double offsets[DEPTH_PLANES_MAX];
} depth_piece;

typedef struct depth_triangle {
    fr_vec3 corners[3];
    fr_bounds box;
    uint32_t object; // index1
} depth_triangle;

typedef struct room_depth {
    const place *place;
    depth_piece *pieces;
    uint32_t piece_count;
    depth_triangle *triangles; // of what stands
    uint32_t triangle_count, triangle_capacity;
    fr_object_id thing;
    fr_pose before[FR_LINK_COUNT + 1]; // the last: of the thing
    bool has_before;
    double deepest;        // metres, of all that was looked at
    fr_object_id in;       // the thing in which
    const char *what;      // piece of the body
    double time;           // seconds
    const char *names[64]; // of pieces
    uint64_t samples;
} room_depth;

static inline void take_piece(depth_piece *to, const fr_figure_proxy *from) {
    to->link = from->link;
    const fr_mesh_view *view = fr_mesh_get(from->mesh);
    to->box = view->bounds;
    to->plane_count = 0;
    for (uint32_t i = 0; i < view->triangle_count && to->plane_count < DEPTH_PLANES_MAX; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(from->mesh, i, c);
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        double length = fr_vec3_length(normal);
        if (!(length > 1e-14)) { continue; }
        normal = fr_vec3_scale(1.0 / length, normal);
        to->normals[to->plane_count] = normal;
        to->offsets[to->plane_count++] = fr_vec3_dot(normal, c[0]);
    }
}

// What is taken, as the planes that it touches in many directions: never less than its hull.
static inline void take_thing(room_depth *r, depth_piece *to) {
    const fr_space *space = fr_world_space(r->place->world);
    const fr_object_view *view = fr_object_get(space, r->thing);
    fr_pose pose = view->pose;
    pose.scale = 1.0;
    fr_pose back = fr_pose_inverse(&pose);
    to->link = FR_LINK_COUNT;
    to->box = fr_bounds_empty();
    to->plane_count = DEPTH_PLANES_MAX;
    for (uint32_t i = 0; i < DEPTH_PLANES_MAX; i++) { // the axes, then a spiral over the sphere
        double y = 1.0 - 2.0 * ((double)i + 0.5) / DEPTH_PLANES_MAX, s, c;
        fr_sincos(2.39996322972865332 * i, &s, &c);
        double radius = sqrt(1.0 - y * y), sign = i % 2 == 0 ? 1.0 : -1.0;
        to->normals[i] = i >= 6
                             ? fr_vec3_make(radius * c, y, radius * s)
                             : fr_vec3_make(i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0);
        to->offsets[i] = -INFINITY;
    }
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_vec3 corners[3];
        assert_int_equal(fr_object_corners(space, r->thing, t, corners, NULL), FR_OK);
        for (int k = 0; k < 3; k++) {
            fr_vec3 p = fr_pose_apply(&back, corners[k]);
            to->box = fr_bounds_with_point(&to->box, p);
            for (uint32_t i = 0; i < DEPTH_PLANES_MAX; i++) {
                to->offsets[i] = fmax(to->offsets[i], fr_vec3_dot(to->normals[i], p));
            }
        }
    }
}

static inline void add_triangles(room_depth *r, fr_object_id id) {
    const fr_space *space = fr_world_space(r->place->world);
    const fr_object_view *view = fr_object_get(space, id);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        if (r->triangle_count == r->triangle_capacity) {
            r->triangle_capacity = r->triangle_capacity > 0 ? 2 * r->triangle_capacity : 1024;
            r->triangles = realloc(r->triangles, r->triangle_capacity * sizeof *r->triangles);
            assert_non_null(r->triangles);
        }
        depth_triangle *to = &r->triangles[r->triangle_count++];
        assert_int_equal(fr_object_corners(space, id, t, to->corners, NULL), FR_OK);
        to->object = id.index1;
        to->box = fr_bounds_empty();
        for (int k = 0; k < 3; k++) {
            to->box = fr_bounds_with_point(&to->box, to->corners[k]);
        }
    }
}

// Of all objects that are no part of the body, but the thing that will be taken and the floor.
static inline void begin_depth(room_depth *r, const place *p, const char *thing) {
    *r = (room_depth){.place = p, .thing = find(p, thing)};
    const fr_space *space = fr_world_space(p->world);
    const fr_figure_view *figure =
        fr_figure_get(fr_performer_get(fr_person_performer(fr_director_get(p->director, 0).person)).figure);
    uint32_t count = FR_FIGURE_PROXY_COUNT + FR_FIGURE_PHALANX_COUNT;
    r->pieces = calloc(count + 1, sizeof *r->pieces);
    assert_non_null(r->pieces);
    r->names[0] = thing;
    take_thing(r, &r->pieces[r->piece_count++]);
    for (uint32_t i = 0; i < count; i++) {
        const fr_figure_proxy *from =
            i < FR_FIGURE_PROXY_COUNT ? &figure->proxies[i] : &figure->phalanxes[i - FR_FIGURE_PROXY_COUNT];
        // Mittens and thumbs stand for what the phalanges are.
        if (i < FR_FIGURE_PROXY_COUNT &&
            (strstr(from->name, "mitten") != NULL || strstr(from->name, "thumb") != NULL)) {
            continue;
        }
        r->names[r->piece_count] = from->name;
        take_piece(&r->pieces[r->piece_count++], from);
    }
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (view == NULL || view->bone_count > 0 || (view->flags & (FR_OBJECT_PROXY | FR_OBJECT_GHOST)) != 0 ||
            fr_object_id_equal(id, r->thing) || fr_object_id_equal(id, find(p, "floor"))) {
            continue;
        }
        add_triangles(r, id);
    }
}

static inline void end_depth(room_depth *r) {
    free(r->pieces);
    free(r->triangles);
}

// Whether a triangle, in the frame of a piece, has a point that is deeper in it than a depth: it is cut by each plane
// that lies so far behind one of the piece.
static inline bool is_deeper_than(const depth_piece *piece, const fr_vec3 corners[3], double depth) {
    fr_vec3 polygon[2][DEPTH_CORNERS_MAX];
    uint32_t count = 3, now = 0;
    memcpy(polygon[0], corners, 3 * sizeof *corners);
    for (uint32_t i = 0; i < piece->plane_count && count > 0; i++) {
        const fr_vec3 *from = polygon[now];
        fr_vec3 *to = polygon[1 - now];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < count; k++) {
            fr_vec3 a = from[k], b = from[(k + 1) % count];
            double high = piece->offsets[i] - depth, x = fr_vec3_dot(piece->normals[i], a) - high;
            double y = fr_vec3_dot(piece->normals[i], b) - high;
            if (x <= 0.0) { to[kept++] = a; }
            if ((x < 0.0 && y > 0.0) || (x > 0.0 && y < 0.0)) { to[kept++] = fr_vec3_lerp(a, b, x / (x - y)); }
        }
        now = 1 - now;
        count = kept;
    }
    return count > 0;
}

static inline fr_bounds box_at(const fr_bounds *box, const fr_pose *pose) {
    fr_bounds out = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {i & 1 ? (double)box->max.x : (double)box->min.x,
                          i & 2 ? (double)box->max.y : (double)box->min.y,
                          i & 4 ? (double)box->max.z : (double)box->min.z};
        out = fr_bounds_with_point(&out, fr_pose_apply(pose, corner));
    }
    return out;
}

static inline bool boxes_meet(const fr_bounds *a, const fr_bounds *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static inline void look_at_pose(room_depth *r, uint32_t index, const fr_pose *pose, const uint32_t *near,
                                uint32_t count, double time) {
    const depth_piece *piece = &r->pieces[index];
    fr_bounds box = box_at(&piece->box, pose);
    fr_pose back = fr_pose_inverse(pose);
    r->samples++;
    for (uint32_t i = 0; i < count; i++) {
        const depth_triangle *t = &r->triangles[near[i]];
        if (!boxes_meet(&box, &t->box)) { continue; }
        fr_vec3 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = fr_pose_apply(&back, t->corners[k]);
        }
        double low = fmax(r->deepest, 2e-4), high = 0.5;
        if (!is_deeper_than(piece, corners, low)) { continue; }
        while (high - low > 1e-5) {
            double middle = 0.5 * (low + high);
            if (is_deeper_than(piece, corners, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        r->deepest = low;
        r->time = time;
        r->what = r->names[index];
        const fr_space *space = fr_world_space(r->place->world);
        for (uint32_t k = 0; k < fr_space_object_places(space); k++) {
            fr_object_id id = fr_space_object_at(space, k);
            if (id.index1 == t->object) { r->in = id; }
        }
    }
}

// After a tick: all that the body has done in it.
static inline void look_at_tick(room_depth *r, double time) {
    enum { NEAR_MAX = 1 << 14 };
    static uint32_t near[NEAR_MAX];
    fr_pose links[FR_LINK_COUNT + 1];
    memcpy(links, fr_person_links(fr_director_get(r->place->director, 0).person), FR_LINK_COUNT * sizeof *links);
    links[FR_LINK_COUNT] = fr_object_get(fr_world_space(r->place->world), r->thing)->pose;
    links[FR_LINK_COUNT].scale = 1.0;
    for (uint32_t p = 0; p < r->piece_count && r->has_before; p++) {
        const depth_piece *piece = &r->pieces[p];
        const fr_pose *from = &r->before[piece->link], *to = &links[piece->link];
        fr_bounds a = box_at(&piece->box, from), b = box_at(&piece->box, to);
        fr_bounds box = fr_bounds_union(&a, &b);
        double more = 0.02; // a turn takes corners out of both boxes
        box.min.x -= more, box.min.y -= more, box.min.z -= more;
        box.max.x += more, box.max.y += more, box.max.z += more;
        uint32_t count = 0;
        for (uint32_t t = 0; t < r->triangle_count; t++) {
            if (boxes_meet(&box, &r->triangles[t].box) && count < NEAR_MAX) { near[count++] = t; }
        }
        fr_motion motion = fr_motion_between(from, to, fr_vec3_make(0.0, 0.0, 0.0));
        for (int i = 1; i <= DEPTH_STEPS && count > 0; i++) {
            fr_pose pose = i == DEPTH_STEPS ? *to : fr_motion_pose(&motion, (double)i / DEPTH_STEPS);
            look_at_pose(r, p, &pose, near, count, time);
        }
    }
    memcpy(r->before, links, sizeof r->before);
    r->has_before = true;
}

#endif
