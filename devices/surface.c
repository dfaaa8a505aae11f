// The surface that a pen feels: planes of the nearest faces, a wall, a magnet.
#include "fureai/devices.h"

#include <math.h>
#include <string.h>

#define HITS_MAX 256
#define SAME_INCLINATION 0.985 // cosine between two normals: about ten degrees

// A hand goes into a face by what the spring yields before the force ends: the face must still be found there.
#define REACH_INSIDE 0.02

static bool is_another(const fr_haptic_contact *c, fr_vec3 normal) {
    for (uint32_t i = 0; i < c->plane_count; i++) {
        if (fabs(fr_vec3_dot(c->planes[i].normal, normal)) > SAME_INCLINATION) { return false; }
    }
    return true;
}

// The id is the same for all faces of an object that lie in one plane: a side that was found on one of them holds on
// the next.
static uint32_t plane_id(const fr_touch_hit *hit) {
    double offset = fr_vec3_dot(hit->normal, hit->foot);
    const int64_t name[5] = {(int64_t)hit->object.index1, (int64_t)floor(1e4 * hit->normal.x + 0.5),
                             (int64_t)floor(1e4 * hit->normal.y + 0.5), (int64_t)floor(1e4 * hit->normal.z + 0.5),
                             (int64_t)floor(fmin(fmax(1e5 * offset, -1e15), 1e15) + 0.5)};
    return (uint32_t)fr_hash(name, sizeof name, 1) | 1u;
}

// The planes of the nearest faces, the nearest first, each of another inclination than those before.
static void choose_planes(const fr_touch_hit *hits, uint32_t count, double distance, fr_haptic_contact *c) {
    bool is_used[HITS_MAX] = {false};
    while (c->plane_count < FR_HAPTIC_PLANES) {
        uint32_t best = FR_NONE;
        for (uint32_t i = 0; i < count; i++) {
            if (is_used[i] || (best != FR_NONE && hits[i].distance >= hits[best].distance)) { continue; }
            if (!is_another(c, hits[i].normal)) {
                is_used[i] = true;
            } else {
                best = i;
            }
        }
        if (best == FR_NONE) { return; }
        is_used[best] = true;
        const fr_touch_hit *hit = &hits[best];
        c->planes[c->plane_count++] = (fr_haptic_plane){.id = plane_id(hit),
                                                        .normal = hit->normal,
                                                        .offset = fr_vec3_dot(hit->normal, hit->foot),
                                                        .side = 0, // where the tip is when the face comes near
                                                        .distance = distance};
    }
}

// A wall that holds what has touched it until it is pulled far enough.
static void hold_by_wall(fr_felt_surface *s, fr_vec3 tip, fr_haptic_contact *c) {
    double away = fr_vec3_dot(s->wall.normal, tip) - s->wall.offset;
    if (s->is_held && away > s->magnet) {
        s->is_held = false;
        s->releases++;
        s->release_distance_max = fmax(s->release_distance_max, away);
    } else if (!s->is_held && away <= 0.0) {
        s->is_held = true;
        s->snaps++;
    }
    c->has_hold = true;
    c->hold.count = s->is_held ? 1 : 0;
    c->hold.normals[0] = s->wall.normal;
    c->hold.thresholds[0] = s->magnet;
    c->hold.raw = fr_pose_make(tip, fr_quat_identity());
    c->hold.shown = fr_pose_make(fr_vec3_add_scaled(tip, -away, s->wall.normal), fr_quat_identity());
}

fr_status fr_felt_surface_contact(fr_felt_surface *s, fr_vec3 tip, fr_haptic_contact *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    if (s->magnet > 0.0) {
        hold_by_wall(s, tip, out);
        return FR_OK;
    }
    out->has_planes = true;
    if (s->space == NULL) {
        out->planes[out->plane_count++] = s->wall;
        return FR_OK;
    }
    fr_touch_hit hits[HITS_MAX];
    fr_touch_input in = fr_default_touch_input();
    in.space = s->space;
    in.origin_local = tip;
    in.distance = s->distance + REACH_INSIDE;
    in.hits = hits;
    in.capacity = HITS_MAX;
    uint32_t count;
    fr_status status = fr_touch_pairs(&in, &count, error);
    if (status == FR_OK) { choose_planes(hits, count < HITS_MAX ? count : HITS_MAX, s->distance, out); }
    return status;
}
