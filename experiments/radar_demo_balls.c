// Balls that bounce about a room: in every frame each looks along its travel relative to the others, all go on to the
// earliest meeting, those who met rebound, and the rest of the frame follows, in at most eight rounds.
#include "radar_demo.h"

#include "fureai/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BALLS 100
#define ROUNDS 8
#define FRAME (1.0 / 30.0) // seconds
#define HALF 5.0           // of the room's edge, metres
#define SKIN 2e-4          // metres that stay between two balls that meet
#define MOST_CONTACTS (2 * BALLS)

typedef struct game {
    radar_demo *demo;
    fr_rebound_body bodies[BALLS]; // their objects are sorted by index
    fr_contact contacts[MOST_CONTACTS];
    uint32_t contact_count;
    uint32_t last_frame[BALLS]; // in which each met another
    uint32_t in_a_row[BALLS];   // frames one after another in which it did
    uint32_t longest;           // such row
    uint64_t meetings, looks, late_frames;
} game;

static fr_status add_walls(game *g, fr_error *error) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &mesh, error);
    for (int i = 0; i < 6 && status == FR_OK; i++) {
        demo_object like = {.shape = "box", .color = {205, 205, 200, 255}, .is_static = true};
        snprintf(like.name, sizeof like.name, "wall %d", i + 1);
        double off = (i % 2 == 0 ? 1.0 : -1.0) * 3.0 * HALF;
        fr_vec3 place = {i / 2 == 0 ? off : 0.0, i / 2 == 1 ? off : 0.0, i / 2 == 2 ? off : 0.0};
        fr_pose pose = fr_pose_make(place, fr_quat_identity());
        pose.scale = 4.0 * HALF;
        fr_object_id id;
        status = radar_demo_add(g->demo, mesh, &like, &pose, &id, error);
    }
    fr_mesh_release(mesh);
    return status;
}

// Balls on a grid, so that none begins in another.
static fr_status add_balls(game *g, const demo_look *look, fr_error *error) {
    fr_random random = fr_random_seed(look->seed);
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_named("sphere_168", NULL, &mesh, error);
    for (int i = 0; i < BALLS && status == FR_OK; i++) {
        demo_object like = {.shape = "sphere_168"};
        snprintf(like.name, sizeof like.name, "ball %d", i + 1);
        like.color = (fr_color){(uint8_t)(90 + 16 * (i % 10)), (uint8_t)(230 - 14 * (i / 10)), 140, 255};
        fr_vec3 place = fr_vec3_make(1.9 * (i % 5 - 2), 1.9 * (i / 5 % 5 - 2), 2.4 * (i / 25 - 1.5));
        fr_pose pose = fr_pose_make(place, fr_quat_identity());
        pose.scale = 0.5;
        fr_rebound_body *body = &g->bodies[i];
        *body = (fr_rebound_body){.inverse_mass = 1.0, .restitution = 1.0};
        // One call a line: in which order arguments are found is a compiler's own business
        body->velocity.z = fr_random_between(&random, -4, 4);
        body->velocity.y = fr_random_between(&random, -4, 4);
        body->velocity.x = fr_random_between(&random, -4, 4);
        body->center = place;
        status = radar_demo_add(g->demo, mesh, &like, &pose, &body->object, error);
    }
    fr_mesh_release(mesh);
    return status;
}

// Sets the travel of every ball over a span of seconds, which looks of the others read.
static fr_status set_travels(game *g, double span, fr_error *error) {
    fr_status status = FR_OK;
    for (int i = 0; i < BALLS && status == FR_OK; i++) {
        fr_object_id id = g->bodies[i].object;
        fr_motion motion = fr_motion_still(&fr_object_get(g->demo->space, id)->pose);
        motion.travel = fr_vec3_scale(span, g->bodies[i].velocity);
        fr_pose end = fr_motion_pose(&motion, 1.0);
        status = fr_object_set_motion(g->demo->space, id, &motion, &end, error);
    }
    return status == FR_OK ? fr_space_update(g->demo->space, NULL, error) : status;
}

static fr_status look_ahead(game *g, double span, double *earliest, fr_error *error) {
    fr_radar_input input = fr_default_radar_input();
    input.space = g->demo->space;
    input.look = FR_RADAR_EXACT;
    input.resolution = 10;
    *earliest = 1.0;
    g->contact_count = 0;
    for (int i = 0; i < BALLS; i++) {
        input.mover = g->bodies[i].object;
        input.travel = fr_vec3_scale(span, g->bodies[i].velocity);
        fr_radar_output output;
        fr_status status = fr_radar_meet(g->demo->radar, &input, &output, error);
        if (status != FR_OK) { return status; }
        g->looks++;
        if (!output.is_hit || g->contact_count == MOST_CONTACTS) { continue; }
        // A skin is left: at the speed at which the two come nearer.
        double speed = fmax(fabs(output.contact.approach), SKIN);
        *earliest = fmin(*earliest, fmax(output.distance - SKIN / speed, 0.0));
        g->contacts[g->contact_count++] = output.contact;
    }
    return FR_OK;
}

// Only those who meet in the moment that all go on to rebound.
static void keep_first(game *g) {
    double first = INFINITY;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->contact_count; i++) {
        first = fmin(first, g->contacts[i].time);
    }
    for (uint32_t i = 0; i < g->contact_count; i++) {
        if (g->contacts[i].time <= first + 1e-9) { g->contacts[kept++] = g->contacts[i]; }
    }
    g->contact_count = kept;
}

static fr_status go_on(game *g, double span, fr_error *error) {
    fr_status status = FR_OK;
    for (int i = 0; i < BALLS && status == FR_OK; i++) {
        fr_rebound_body *body = &g->bodies[i];
        fr_pose pose = fr_object_get(g->demo->space, body->object)->pose;
        pose.position = fr_vec3_add_scaled(pose.position, span, body->velocity);
        body->center = pose.position;
        status = fr_object_set_pose(g->demo->space, body->object, &pose, error);
    }
    return status;
}

static fr_status mark(game *g, fr_object_id id, fr_error *error) {
    fr_pose pose = fr_object_get(g->demo->space, id)->pose;
    return radar_demo_put(g->demo, id, &pose, error);
}

static fr_status rebound(game *g, uint32_t frame, fr_error *error) {
    fr_rebound_input input = fr_default_rebound_input();
    input.bodies = g->bodies;
    input.body_count = BALLS;
    input.contacts = g->contacts;
    input.contact_count = g->contact_count;
    fr_rebound_output output;
    fr_status status = fr_touch_rebound(&input, &output, error);
    for (uint32_t i = 0; i < 2 * g->contact_count && status == FR_OK; i++) {
        fr_object_id id = i % 2 == 0 ? g->contacts[i / 2].a : g->contacts[i / 2].b;
        for (uint32_t k = 0; k < BALLS && status == FR_OK; k++) {
            if (!fr_object_id_equal(g->bodies[k].object, id)) { continue; }
            bool goes_on = g->last_frame[k] + 1 == frame;
            if (g->last_frame[k] != frame) { g->in_a_row[k] = goes_on ? g->in_a_row[k] + 1 : 1; }
            g->longest = g->in_a_row[k] > g->longest ? g->in_a_row[k] : g->longest;
            g->last_frame[k] = frame;
            status = mark(g, id, error);
        }
    }
    return status;
}

static fr_status play_frame(game *g, uint32_t frame, fr_error *error) {
    double left = FRAME;
    fr_status status = FR_OK;
    for (int round = 0; round < ROUNDS && left > 0.0 && status == FR_OK; round++) {
        double earliest;
        status = set_travels(g, left, error);
        if (status == FR_OK) { status = look_ahead(g, left, &earliest, error); }
        if (status != FR_OK) { return status; }
        status = go_on(g, earliest * left, error);
        g->demo->time += earliest * left;
        left -= earliest * left;
        if (g->contact_count == 0 || status != FR_OK) { return status; }
        keep_first(g);
        g->meetings++;
        status = rebound(g, frame, error);
    }
    g->late_frames += left > 0.0 ? 1 : 0;
    return status;
}

static double energy_of(const game *g) {
    double sum = 0.0;
    for (int i = 0; i < BALLS; i++) {
        sum += 0.5 * fr_vec3_dot(g->bodies[i].velocity, g->bodies[i].velocity);
    }
    return sum;
}

fr_status radar_demo_balls(radar_demo *demo, const demo_look *look, fr_error *error) {
    fr_status status =
        radar_demo_open(demo, "Balls that look ahead",
                        "A hundred balls bounce about a room; each sees the next meeting coming.", error);
    game g = {.demo = demo};
    if (status == FR_OK) { status = add_balls(&g, look, error); }
    if (status == FR_OK) { status = add_walls(&g, error); }
    double before = energy_of(&g);
    uint32_t frames = look->frames > 0 ? look->frames : 200;
    for (uint32_t frame = 2; frame < frames + 2 && status == FR_OK; frame++) {
        fr_control_progress(look->control, (double)(frame - 2) / frames, "bouncing");
        if (fr_control_is_stopped(look->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        status = play_frame(&g, frame, error);
        if (status == FR_OK && look->seen != NULL) {
            status = fr_space_update(demo->space, NULL, error);
            if (status == FR_OK) { look->seen(demo, frame - 2, look->user); }
        }
    }
    for (int i = 0; i < BALLS && status == FR_OK; i++) {
        status = mark(&g, g.bodies[i].object, error);
    }
    if (status == FR_OK) { status = fr_space_update(demo->space, NULL, error); }
    if (status != FR_OK) { return status; }
    snprintf(demo->found, sizeof demo->found,
             "%d balls, %u frames: %llu meetings in %llu looks; the energy changed by %.2g of itself", BALLS, frames,
             (unsigned long long)g.meetings, (unsigned long long)g.looks, fabs(energy_of(&g) / before - 1.0));
    radar_demo_add_figure(demo, "frames", frames);
    radar_demo_add_figure(demo, "meetings", (double)g.meetings);
    radar_demo_add_figure(demo, "looks", (double)g.looks);
    radar_demo_add_figure(demo, "longest_row", g.longest);
    radar_demo_add_figure(demo, "late_frames", (double)g.late_frames);
    radar_demo_add_figure(demo, "energy_change", energy_of(&g) / before - 1.0);
    return FR_OK;
}
