// Looks at one place of a space: is it free for a body, does something bear it, where is the ground.
#include "human/surface.h"

#include <math.h>

static const double BEARING = 0.025;                 // metres that a bearing face may be off the plane; ours
static const int BEARING_RAYS = 5, BEARING_MIN = 20; // a side, and of their square: slats bear too; ours

fr_quat fr__heading_turn(double heading) { return fr_quat_from_vector(fr_vec3_make(0.0, heading, 0.0)); }

double fr__heading_of(fr_vec3 direction) { return fr_atan2(direction.x, direction.z); }

static void note(fr__surface_look *look, fr_status status) {
    if (look->status == FR_OK) { look->status = status; }
}

// Whether rays from five points of a plate meet something: most of what is in its path is found so, in less time.
static bool is_struck(fr__surface_look *look, fr__plate plate, const fr_pose *pose, fr_vec3 direction, double length) {
    for (int i = 0; i < 5; i++) {
        fr_vec3 corner = {0.0, 0.0, 0.0};
        if (i > 0) {
            const double *p = fr_mesh_get(look->rules->plates[plate])->positions_double + 3 * (i - 1);
            corner = fr_vec3_scale(0.98, fr_vec3_make(p[0], p[1], p[2]));
        }
        fr_ray line = {fr_pose_apply(pose, corner), direction, length};
        bool is_hit = false;
        note(look, fr_space_ray_any(look->space, &line, look->filter, &is_hit, NULL));
        if (is_hit) { return true; }
    }
    return false;
}

bool fr__look_sweep(fr__surface_look *look, fr__plate plate, fr_vec3 from, fr_quat turn, fr_vec3 direction,
                    double length) {
    fr_pose pose = fr_pose_make(from, turn);
    if (is_struck(look, plate, &pose, direction, length)) { return false; }
    fr_part_def part = fr_default_part_def();
    part.mesh = look->rules->plates[plate];
    fr_move_input input = fr_default_move_input();
    input.space = look->space;
    input.parts = &part;
    input.part_count = 1;
    input.motion = fr_motion_still(&pose);
    input.motion.travel = fr_vec3_scale(length, direction);
    input.filter = look->filter;
    fr_move_output output = {0};
    note(look, fr_collide_move(&input, &output, NULL));
    return !output.is_hit;
}

static fr_space_hit ray(fr__surface_look *look, fr_vec3 from, fr_vec3 direction, double limit) {
    fr_ray line = {from, direction, limit};
    fr_space_hit hit = {0};
    note(look, fr_space_ray(look->space, &line, look->filter, &hit, NULL));
    return hit;
}

fr_space_hit fr__look_ray(fr__surface_look *look, fr_vec3 from, fr_vec3 direction, double limit) {
    return ray(look, from, direction, limit);
}

double fr__look_ground(fr__surface_look *look, fr_vec3 from, double depth) {
    fr_space_hit hit = ray(look, from, fr_vec3_make(0.0, -1.0, 0.0), depth);
    if (hit.object.index1 != 0) { return fabs(hit.normal.y) >= FR__SURFACE_LEVEL ? hit.point.y : -INFINITY; }
    return from.y >= look->ground && from.y - depth <= look->ground ? look->ground : -INFINITY;
}

bool fr__look_stand(fr__surface_look *look, fr_vec3 place, double heading) {
    double lift = look->rules->lift, height = look->rules->body.stature - lift;
    fr_vec3 from = {place.x, place.y + lift, place.z};
    return fr__look_sweep(look, FR__PLATE_STAND, from, fr__heading_turn(heading), fr_vec3_make(0.0, 1.0, 0.0), height);
}

bool fr__look_support(fr__surface_look *look, fr_vec3 at, fr_vec3 along, fr_vec3 across, const double half[2]) {
    int met = 0, missed = 0;
    for (int i = 0; i < BEARING_RAYS; i++) {
        for (int k = 0; k < BEARING_RAYS; k++) {
            double u = half[0] * (0.45 * i - 0.9), v = half[1] * (0.45 * k - 0.9);
            fr_vec3 from = fr_vec3_add_scaled(fr_vec3_add_scaled(at, u, along), v, across);
            from.y += BEARING;
            fr_space_hit hit = ray(look, from, fr_vec3_make(0.0, -1.0, 0.0), 2.0 * BEARING);
            if (hit.object.index1 != 0) {
                met++;
            } else if (++missed > BEARING_RAYS * BEARING_RAYS - BEARING_MIN) {
                return false;
            }
        }
    }
    return met >= BEARING_MIN;
}

bool fr__look_inside(fr__surface_look *look, fr_vec3 point) {
    fr_space_closest closest = {0};
    note(look, fr_space_closest_point(look->space, point, 1e-6, true, look->filter, &closest, NULL));
    return closest.object.index1 != 0 && closest.distance < 0.0;
}
