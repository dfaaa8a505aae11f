// Grasping: every solid of a hand has its radar. The hand rises until the first of them meets the ball; then the joints
// close one after another from the roots to the tips, each as far as the links beyond it may turn. What a joint cannot
// turn any more stops there, and the links beyond go on.
#include "radar_demo.h"

#include <math.h>
#include <stdio.h>

#define FINGERS 4
#define LINKS 3
#define SKIN 1e-3 // metres
#define RESOLUTION 32
#define STEPS 24 // samples of a turn

static const double link_length = 0.46, link_radius = 0.08;

typedef struct joint {
    fr_vec3 pivot, axis; // where it is now
} joint;

typedef struct hand {
    radar_demo *demo;
    fr_object_id ball, palm;
    fr_object_id links[FINGERS][LINKS];
    joint joints[FINGERS][LINKS];
    bool is_stopped[FINGERS][LINKS]; // that link met the ball
    double widest;                   // pixel of all looks that stopped a link
    int finger;                      // that closes; -1: the hand rises
} hand;

// The ball is an obstacle, and so are the other fingers; a finger's own links and the palm are joined with it.
static bool is_obstacle(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const hand *h = context;
    (void)space;
    (void)b;
    for (int i = 0; i < FINGERS * LINKS && h->finger >= 0; i++) {
        if (i / LINKS != h->finger && fr_object_id_equal(a, h->links[i / LINKS][i % LINKS])) { return true; }
    }
    return fr_object_id_equal(a, h->ball);
}

static fr_status add_ball(hand *h, const demo_look *look, fr_error *error) {
    fr_random random = fr_random_seed(look->seed);
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_named("sphere_960", NULL, &mesh, error);
    if (status != FR_OK) { return status; }
    // One call a line: in which order arguments are found is a compiler's own business
    double z = fr_random_between(&random, -0.05, 0.05), x = fr_random_between(&random, -0.05, 0.05);
    fr_pose pose = fr_pose_make(fr_vec3_make(x, 1.2, z), fr_quat_identity());
    pose.scale = fr_random_between(&random, 0.45, 0.55);
    demo_object like = {.name = "ball", .shape = "sphere_960", .color = {200, 70, 60, 255}};
    status = radar_demo_add(h->demo, mesh, &like, &pose, &h->ball, error);
    fr_mesh_release(mesh);
    return status;
}

// A link lies outwards from the palm when the hand is open.
static fr_status add_link(hand *h, const fr_mesh *mesh, int finger, int link, fr_error *error) {
    // Three fingers on one side, the thumb on the other.
    double side = finger < 3 ? 1.0 : -1.0, z = finger < 3 ? 0.36 * (finger - 1) : 0.0;
    double from = 0.78 + link * (link_length + 0.02);
    demo_object like = {.model = "models/finger.obj", .color = {220, 180, 150, 255}};
    snprintf(like.name, sizeof like.name, "finger %d link %d", finger + 1, link + 1);
    fr_pose pose = fr_pose_make(fr_vec3_make(side * (from + 0.5 * link_length), 0.0, z),
                                fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), -0.5 * FR_PI * side));
    h->joints[finger][link] = (joint){fr_vec3_make(side * from, 0.0, z), fr_vec3_make(0.0, 0.0, side)};
    return radar_demo_add(h->demo, mesh, &like, &pose, &h->links[finger][link], error);
}

static fr_status add_hand(hand *h, fr_error *error) {
    fr_mesh *palm = NULL, *link = NULL;
    fr_status status = fr_mesh_create_box(fr_vec3_make(1.2, 0.16, 1.1), NULL, &palm, error);
    if (status == FR_OK) {
        status =
            fr_mesh_create_capsule(link_radius, link_length - 2.0 * link_radius, 8, 16, FR_AXIS_Y, NULL, &link, error);
    }
    demo_object like = {.name = "palm", .model = "models/palm.obj", .color = {210, 165, 135, 255}};
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_identity());
    if (status == FR_OK) { status = radar_demo_add(h->demo, palm, &like, &pose, &h->palm, error); }
    for (int i = 0; i < FINGERS * LINKS && status == FR_OK; i++) {
        status = add_link(h, link, i / LINKS, i % LINKS, error);
    }
    fr_mesh_release(palm);
    fr_mesh_release(link);
    return status == FR_OK ? fr_space_update(h->demo->space, NULL, error) : status;
}

static fr_radar_input input_of(hand *h, fr_object_id mover) {
    fr_radar_input input = fr_default_radar_input();
    input.space = h->demo->space;
    input.mover = mover;
    input.look = FR_RADAR_REFINED;
    input.resolution = RESOLUTION;
    input.filter.accept = is_obstacle;
    input.filter.context = h;
    return input;
}

// Puts a solid where a turn about a joint, or a travel, takes it.
static fr_status carry(hand *h, fr_object_id id, const joint *about, double angle, fr_vec3 travel, fr_error *error) {
    fr_pose pose = fr_object_get(h->demo->space, id)->pose;
    fr_quat turn = fr_quat_from_axis_angle(about->axis, angle);
    fr_mat3 matrix = fr_quat_to_mat3(turn);
    pose.position = fr_vec3_add(about->pivot, fr_mat3_apply(matrix, fr_vec3_sub(pose.position, about->pivot)));
    pose.position = fr_vec3_add(pose.position, travel);
    pose.rotation = fr_quat_multiply(turn, pose.rotation);
    return radar_demo_put(h->demo, id, &pose, error);
}

// The hand as a whole rises until one of its solids meets the ball.
static fr_status rise(hand *h, double *risen, fr_error *error) {
    *risen = 1.5;
    fr_radar_input input;
    for (int i = 0; i <= FINGERS * LINKS; i++) {
        input = input_of(h, i == 0 ? h->palm : h->links[(i - 1) / LINKS][(i - 1) % LINKS]);
        input.travel = fr_vec3_make(0.0, 1.5, 0.0);
        fr_radar_output output;
        fr_status status = fr_radar_move(h->demo->radar, &input, &output, error);
        if (status != FR_OK) { return status; }
        *risen = fmin(*risen, fmax(output.distance - SKIN, 0.0));
    }
    h->demo->time += 1.5;
    const joint still = {.axis = {0.0, 0.0, 1.0}};
    fr_vec3 travel = fr_vec3_make(0.0, *risen, 0.0);
    fr_status status = carry(h, h->palm, &still, 0.0, travel, error);
    for (int i = 0; i < FINGERS * LINKS && status == FR_OK; i++) {
        status = carry(h, h->links[i / LINKS][i % LINKS], &still, 0.0, travel, error);
        h->joints[i / LINKS][i % LINKS].pivot.y += *risen;
    }
    return status == FR_OK ? fr_space_update(h->demo->space, NULL, error) : status;
}

// Closes a joint as far as the links beyond it may turn.
static fr_status close_joint(hand *h, int finger, int link, fr_error *error) {
    const joint about = h->joints[finger][link];
    double angle = fr_radians(link == 0 ? 125.0 : 95.0);
    int first = -1;
    for (int k = link; k < LINKS && angle > 0.0; k++) {
        fr_radar_input input = input_of(h, h->links[finger][k]);
        input.pivot = about.pivot;
        input.axis = about.axis;
        input.angle = angle;
        fr_radar_output output;
        fr_status status = fr_radar_turn(h->demo->radar, &input, &output, error);
        if (status != FR_OK) { return status; }
        if (!output.is_hit) { continue; }
        // A skin between the two, measured where the link is farthest from the joint.
        double reach = (LINKS - link) * (link_length + 0.02);
        angle = fmin(angle, fmax(output.distance - SKIN / reach, 0.0));
        const fr_contact *c = &output.contact;
        bool is_ball = fr_object_id_equal(c->a, h->ball) || fr_object_id_equal(c->b, h->ball);
        first = is_ball ? k : -1;
        if (is_ball) { h->widest = fmax(h->widest, output.images.pixel); }
    }
    if (first >= 0) { h->is_stopped[finger][first] = true; }
    fr_status status = FR_OK;
    const fr_vec3 none = {0.0, 0.0, 0.0};
    double begin = h->demo->time;
    // In small turns, so that who looks at the samples sees an arc.
    for (int step = 1; step <= STEPS; step++) {
        h->demo->time = begin + step / (double)STEPS;
        for (int k = link; k < LINKS && status == FR_OK; k++) {
            status = carry(h, h->links[finger][k], &about, angle / STEPS, none, error);
        }
    }
    fr_mat3 matrix = fr_quat_to_mat3(fr_quat_from_axis_angle(about.axis, angle));
    for (int k = link; k < LINKS; k++) {
        fr_vec3 arm = fr_mat3_apply(matrix, fr_vec3_sub(h->joints[finger][k].pivot, about.pivot));
        h->joints[finger][k].pivot = fr_vec3_add(about.pivot, arm);
    }
    return status == FR_OK ? fr_space_update(h->demo->space, NULL, error) : status;
}

// The greatest distance from the ball of a link that stopped at it.
static fr_status measure(const hand *h, int *stopped, double *farthest, fr_error *error) {
    *stopped = 0;
    *farthest = 0.0;
    for (int i = 0; i < FINGERS * LINKS; i++) {
        if (!h->is_stopped[i / LINKS][i % LINKS]) { continue; }
        fr_object_distance near;
        fr_status status =
            fr_space_distance(h->demo->space, h->links[i / LINKS][i % LINKS], h->ball, INFINITY, &near, error);
        if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
        (*stopped)++;
        *farthest = fmax(*farthest, near.distance);
    }
    return FR_OK;
}

fr_status radar_demo_grasp(radar_demo *demo, const demo_look *look, fr_error *error) {
    fr_status status = radar_demo_open(demo, "A hand that grasps",
                                       "Every solid of the hand has a radar: it rises to the ball, and each joint "
                                       "closes until a link beyond it would meet it.",
                                       error);
    hand h = {.demo = demo, .finger = -1};
    double risen = 0.0;
    if (status == FR_OK) { status = add_ball(&h, look, error); }
    if (status == FR_OK) { status = add_hand(&h, error); }
    if (status == FR_OK) { status = rise(&h, &risen, error); }
    for (int link = 0; link < LINKS && status == FR_OK; link++) {
        double begin = demo->time;
        for (int finger = 0; finger < FINGERS && status == FR_OK; finger++) {
            demo->time = begin;
            h.finger = finger;
            status = close_joint(&h, finger, link, error);
        }
        demo->time = begin + 1.0;
    }
    int stopped = 0;
    double farthest = 0.0;
    if (status == FR_OK) { status = measure(&h, &stopped, &farthest, error); }
    if (status != FR_OK) { return status; }
    snprintf(demo->found, sizeof demo->found, "rose %.3g m; %d of %d links stopped at the ball, within %.2g m of it",
             risen, stopped, FINGERS * LINKS, farthest);
    radar_demo_add_figure(demo, "risen", risen);
    radar_demo_add_figure(demo, "stopped", stopped);
    radar_demo_add_figure(demo, "farthest", farthest);
    radar_demo_add_figure(demo, "pixel", h.widest);
    return FR_OK;
}
