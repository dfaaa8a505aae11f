// Search and contact: a radar of long range is turned until it sees something; whoever the pixel shows is approached
// and touched.
#include "radar_demo.h"

#include <math.h>
#include <stdio.h>

#define RANGE 12.0 // metres that the radar sees
#define WIDTH 1.0
#define SKIN 1e-3 // metres that are left between probe and target

static fr_status add_named(radar_demo *demo, const char *name, const char *shape, fr_color color, fr_vec3 place,
                           double turn_deg, double scale, fr_object_id *id, fr_error *error) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_named(shape, NULL, &mesh, error);
    if (status != FR_OK) { return status; }
    demo_object like = {.shape = shape, .color = color};
    snprintf(like.name, sizeof like.name, "%s", name);
    fr_pose pose = fr_pose_make(place, fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(turn_deg)));
    pose.scale = scale;
    status = radar_demo_add(demo, mesh, &like, &pose, id, error);
    fr_mesh_release(mesh);
    return status;
}

// Things that stand about the probe, all but one out of the radar's range.
static fr_status set_stage(radar_demo *demo, const demo_look *look, fr_object_id *probe, fr_object_id *target,
                           fr_error *error) {
    fr_random random = fr_random_seed(look->seed);
    double angle = fr_random_between(&random, 60.0, 330.0), far = fr_random_between(&random, 6.0, 10.0);
    double sine, cosine;
    fr_sincos(fr_radians(angle), &sine, &cosine);
    fr_object_id others[3];
    fr_status status = add_named(demo, "probe", "sphere_168", (fr_color){220, 120, 40, 255}, fr_vec3_make(0, 0, 0), 0.0,
                                 0.3, probe, error);
    if (status == FR_OK) {
        status = add_named(demo, "chair", "chair", (fr_color){90, 150, 90, 255},
                           fr_vec3_make(far * cosine, -0.4, -far * sine), 30.0, 1.0, target, error);
    }
    static const char *const shapes[3] = {"knot_1920", "torus", "gear"};
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        fr_sincos(fr_radians(angle + 90.0 * (i + 1)), &sine, &cosine);
        status = add_named(demo, shapes[i], shapes[i], (fr_color){140, 140, 170, 255},
                           fr_vec3_make(1.5 * RANGE * cosine, 0.0, -1.5 * RANGE * sine), 0.0, 1.0, &others[i], error);
    }
    return status == FR_OK ? fr_space_update(demo->space, NULL, error) : status;
}

// Turns the radar by steps that leave no gap up to its range, until it sees something.
static fr_status turn_until_seen(radar_demo *demo, fr_object_id probe, fr_radar_search_output *seen, double *angle,
                                 int *looks, fr_error *error) {
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = demo->space;
    input.width = input.height = WIDTH;
    input.depth = RANGE;
    input.resolution = 16;
    input.filter.ignore = probe;
    int steps = (int)ceil(2.0 * FR_PI / (WIDTH / RANGE));
    fr_pose pose = fr_object_get(demo->space, probe)->pose;
    for (*looks = 1; *looks <= steps; (*looks)++) {
        double sine, cosine;
        *angle = 2.0 * FR_PI * (*looks - 1) / steps;
        fr_sincos(*angle, &sine, &cosine);
        input.direction = fr_vec3_make(cosine, 0.0, -sine);
        fr_status status = fr_radar_search(demo->radar, &input, seen, error);
        if (status != FR_OK) { return status; }
        pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), *angle);
        demo->time += 0.05;
        status = radar_demo_put(demo, probe, &pose, error);
        if (status == FR_OK) { status = fr_space_update(demo->space, NULL, error); }
        if (status != FR_OK || seen->is_hit) { return status; }
    }
    return FR_OK;
}

// Goes towards the place that was seen until it is met.
static fr_status approach(radar_demo *demo, fr_object_id probe, fr_vec3 place, fr_radar_output *met, fr_error *error) {
    fr_pose pose = fr_object_get(demo->space, probe)->pose;
    fr_radar_input input = fr_default_radar_input();
    input.space = demo->space;
    input.mover = probe;
    input.travel = fr_vec3_sub(place, pose.position);
    input.look = FR_RADAR_EXACT;
    fr_status status = fr_radar_move(demo->radar, &input, met, error);
    if (status != FR_OK) { return status; }
    double length = fr_vec3_length(input.travel), free_travel = fmax(met->distance - SKIN, 0.0);
    pose.position = fr_vec3_add_scaled(pose.position, free_travel / length, input.travel);
    demo->time += free_travel / 2.0;
    status = radar_demo_put(demo, probe, &pose, error);
    return status == FR_OK ? fr_space_update(demo->space, NULL, error) : status;
}

fr_status radar_demo_search(radar_demo *demo, const demo_look *look, fr_error *error) {
    fr_status status = radar_demo_open(demo, "Search and contact",
                                       "A radar of long range turns until it sees something within it; the probe goes "
                                       "there and touches it.",
                                       error);
    fr_object_id probe, target;
    if (status == FR_OK) { status = set_stage(demo, look, &probe, &target, error); }
    fr_radar_search_output seen = {0};
    double angle = 0.0;
    int looks = 0;
    if (status == FR_OK) { status = turn_until_seen(demo, probe, &seen, &angle, &looks, error); }
    if (status != FR_OK) { return status; }
    if (!seen.is_hit) {
        snprintf(demo->found, sizeof demo->found, "nothing is within %g m", RANGE);
        return FR_OK;
    }
    fr_radar_sight sight = seen.sights[0];
    fr_radar_output met;
    status = approach(demo, probe, sight.point, &met, error);
    if (status != FR_OK) { return status; }
    const fr_contact *c = &met.contact;
    fr_object_id other = fr_object_id_equal(c->a, probe) ? c->b : c->a;
    bool is_right = met.is_hit && fr_object_id_equal(other, sight.object);
    snprintf(demo->found, sizeof demo->found, "saw %s after %d looks, %.3g m away, and %s it",
             radar_demo_object(demo, sight.object)->name, looks, sight.distance, is_right ? "touches" : "misses");
    radar_demo_add_figure(demo, "looks", looks);
    radar_demo_add_figure(demo, "angle_deg", fr_degrees(angle));
    radar_demo_add_figure(demo, "distance", sight.distance);
    radar_demo_add_figure(demo, "object", sight.object.index1 - 1);
    radar_demo_add_figure(demo, "touches", is_right ? 1.0 : 0.0);
    return FR_OK;
}
