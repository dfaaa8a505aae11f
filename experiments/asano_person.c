// A simulated person at a simulated pen on strings. The person walks with the device, takes the model at plate A by the
// pen's button, brings it to plate B, and then looks, corrects and looks again. What is seen is the true shape: the tip
// of the model as it is shown, and how it is tilted, each with an error. What is felt is what the strings pull. A hand
// that is held up does not push on: where the tip is seen above the plate still, seen and felt disagree, and the person
// turns the model upright and tries again. Nothing here knows what is detected of the model: that comes through the
// world alone.
#include "asano_person.h"

#include "fureai/devices.h"

#include <string.h>

enum { SEEN = 20 }; // ticks that a look takes: 0.2 s

#define STEP 0.01 // seconds a tick of the world
#define TICK 1e-3 // of the device
#define NEAR 1e-3 // metres
#define HOLD 0.2  // seconds
#define WALK 4.0  // seconds from plate to plate

// Figures of people. Reaction: Keele and Posner 1968. Motions: Fitts 1954, with a stylus.
#define REACTION 0.25                   // seconds
#define FITTS_A 0.0128                  // seconds
#define FITTS_B 0.0947                  // seconds a bit
#define AMISS 0.1                       // of a motion's length, deviation of where it ends
#define SHARE 0.8                       // of what is seen to be wrong that a correction takes away
#define TREMOR 6e-4                     // metres of the wish; a third of it comes to the tip
#define TREMOR_TURN (0.1 * FR_PI / 180) // radians
#define ACROSS 5e-4                     // deviation of what is seen, metres
#define ALONG 8e-4                      // along the approach, which is seen by two eyes alone
#define FELT 0.3                        // newtons more than while it was carried

#define ABOVE 0.13     // metres over the plates that the device is worn
#define HEIGHT 0.105   // of the pen over a plate when it takes the model
#define LIFT 0.03      // metres that the model is lifted by
#define REACH_MAX 0.15 // metres that the hand reaches about the middle of the device
#define TALL 0.1       // metres of a model
#define WEIGHT 0.65    // newtons of a model, whatever its shape
#define GRAVITY 9.81
#define PLATE 0.25 // metres
#define THICK 0.02 // metres

static const fr_vec3 none = {0.0, 0.0, 0.0};

// ---------------------------------------------------------------------------------------------------------------
// Models

enum { SIDES_MAX = 400 };

fr_status asano_model(uint32_t polygons, double radius, fr_mesh **out, fr_error *error) {
    *out = NULL;
    uint32_t sides = polygons / 2;
    if (polygons == 0 || polygons % 8 != 0 || sides > SIDES_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "no model of so many polygons");
    }
    float positions[3 * (SIDES_MAX + 2)] = {0.0f, 0.0f, 0.0f, 0.0f, (float)TALL, 0.0f};
    uint32_t triangles[6 * SIDES_MAX];
    for (uint32_t i = 0; i < sides; i++) {
        float *v = &positions[3 * (i + 2)];
        v[0] = (float)(radius * cos(2.0 * FR_PI * i / sides));
        v[1] = (float)TALL;
        v[2] = (float)(radius * sin(2.0 * FR_PI * i / sides));
        uint32_t a = i + 2, b = (i + 1) % sides + 2;
        const uint32_t two[6] = {0, a, b, 1, b, a};
        memcpy(&triangles[6 * i], two, sizeof two);
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = sides + 2;
    def.triangles = triangles;
    def.triangle_count = polygons;
    return fr_mesh_create(&def, out, error);
}

fr_status asano_model_box(const fr_mesh *model, fr_mesh **out, fr_error *error) {
    fr_bounds b = fr_mesh_get(model)->bounds;
    float positions[24];
    for (int i = 0; i < 8; i++) {
        positions[3 * i] = (float)((i & 1) != 0 ? b.max.x : b.min.x);
        positions[3 * i + 1] = (float)((i & 2) != 0 ? b.max.y : b.min.y);
        positions[3 * i + 2] = (float)((i & 4) != 0 ? b.max.z : b.min.z);
    }
    static const uint32_t triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = 12;
    return fr_mesh_create(&def, out, error);
}

// A motion of the hand: where it wishes to be, in the device's frame, and how it turns the pen, as a rotation vector.
typedef struct motion {
    fr_vec3 from, to, turn_from, turn_to;
    double begin, seconds;
} motion;

typedef enum stage { REACHES, TAKES, CARRIES, PLACES } stage;

typedef struct person {
    const asano_trial *trial;
    asano_result *result;
    fr_random random;
    double now;
    stage stage;
    double next; // when the stage ends, or the person looks
    double walk; // when the walk began
    motion hand;
    fr_vec3 seen[SEEN];  // tips that were shown
    double up[SEEN];     // newtons upwards
    uint32_t seen_count; // so far
    double carried;      // newtons upwards while nothing was touched

    fr_simulated_tracker *sensor;
    fr_simulated_pen *device;
    fr_haptic_loop *loop;
    fr_world *world;
    fr_cast *cast;
    fr_pen *pen; // the cast's
    fr_object_id model;
} person;

asano_trial asano_default_trial(void) {
    return (asano_trial){.tilt_deg = 3.0, .upright_deg = 1.0, .is_filtered = true, .time_out = 180.0, .seed = 1};
}

static fr_vec3 noise(fr_random *random, double deviation) {
    fr_vec3 v;
    v.x = deviation * fr_random_normal(random);
    v.y = deviation * fr_random_normal(random);
    v.z = deviation * fr_random_normal(random);
    return v;
}

// ---------------------------------------------------------------------------------------------------------------
// The body and the hand

static double hand_time(const person *p) { return (p->now - p->hand.begin) / p->hand.seconds; }

static fr_vec3 wish(double time, void *user) {
    const person *p = user;
    fr_vec3 at = asano_reach(p->hand.from, p->hand.to, hand_time(p));
    at.x += TREMOR * sin(57.0 * time);
    at.y += TREMOR * sin(52.0 * time + 1.0);
    at.z += TREMOR * sin(61.0 * time + 2.0);
    return at;
}

static fr_quat turn(double time, void *user) {
    const person *p = user;
    fr_vec3 at = asano_reach(p->hand.turn_from, p->hand.turn_to, hand_time(p));
    at.x += TREMOR_TURN * sin(55.0 * time + 3.0);
    at.z += TREMOR_TURN * sin(59.0 * time + 4.0);
    return fr_quat_from_vector(at);
}

// The middles of plate A, where the model is at first, and of plate B.
static fr_vec3 start_of(const person *p) { return fr_vec3_make(-p->trial->place - PLATE, 0.0, 0.0); }
static fr_vec3 middle_of(const person *p) { return fr_vec3_make(p->trial->place, 0.0, 0.0); }

// The sensor is on who wears the device, and walks along.
static void sense(fr_track_input *out, void *user) {
    person *p = user;
    fr_vec3 a = start_of(p), b = middle_of(p);
    a.y = b.y = ABOVE;
    fr_pose body = fr_pose_identity();
    body.position = p->stage < CARRIES ? a : asano_reach(a, b, (p->now - p->walk) / WALK);
    fr_simulated_tracker_tick(p->sensor, out->now, &body, out);
}

// The hand begins to move from where it wishes to be now; the time is by Fitts. Returns that time.
static double move(person *p, fr_vec3 by, fr_vec3 turn_by) {
    motion *m = &p->hand;
    fr_vec3 from = asano_reach(m->from, m->to, hand_time(p)), to = fr_vec3_add(from, by);
    double far = fr_vec3_length(to);
    if (far > REACH_MAX) { to = fr_vec3_scale(REACH_MAX / far, to); }
    m->turn_from = asano_reach(m->turn_from, m->turn_to, hand_time(p));
    m->turn_to = fr_vec3_add(m->turn_from, turn_by);
    m->from = from;
    m->to = fr_vec3_add(to, noise(&p->random, AMISS * fr_vec3_length(by)));
    m->begin = p->now;
    m->seconds = FITTS_A + FITTS_B * log2(fr_vec3_length(by) / (2.0 * NEAR) + 1.0) + TICK;
    return m->seconds;
}

// ---------------------------------------------------------------------------------------------------------------
// What is seen and felt

static fr_pose shown_of(const person *p) { return fr_object_get(fr_world_space(p->world), p->model)->pose; }

static void notice(person *p) {
    fr_haptic_state s = fr_haptic_loop_state(p->loop);
    p->seen[p->seen_count % SEEN] = shown_of(p).position;
    p->up[p->seen_count++ % SEEN] = s.force.y;
    p->result->force_max = fmax(p->result->force_max, fr_vec3_length(s.force));
}

static double felt_up(const person *p) {
    double sum = 0.0;
    for (int i = 0; i < SEEN; i++) {
        sum += p->up[i];
    }
    return sum / SEEN;
}

// What is seen to be wrong: the mean of what was shown in the last fifth of a second, off by how well it can be seen.
static fr_vec3 look(person *p) {
    fr_vec3 sum = none, off = noise(&p->random, ACROSS);
    for (int i = 0; i < SEEN; i++) {
        sum = fr_vec3_add_scaled(sum, 1.0 / SEEN, p->seen[i]);
    }
    off.y *= ALONG / ACROSS;
    return fr_vec3_add(off, fr_vec3_sub(sum, middle_of(p)));
}

// How the model is seen to be tilted, as a rotation vector.
static fr_vec3 look_tilt(person *p) {
    fr_pose pose = shown_of(p);
    fr_vec3 up = fr_pose_turn(&pose, fr_vec3_make(0.0, 1.0, 0.0)),
            off = noise(&p->random, p->trial->upright_deg * FR_PI / 180.0);
    return fr_vec3_make(up.z + off.x, 0.0, -up.x + off.z);
}

// ---------------------------------------------------------------------------------------------------------------
// What the person does

static bool is_holding(const person *p) { return fr_object_id_equal(fr_pen_get(p->pen).held, p->model); }

static void correct(person *p) {
    fr_vec3 wrong = look(p), turn_by = none;
    bool is_held_up = felt_up(p) > p->carried + FELT;
    p->result->looks++;
    p->result->held_up += is_held_up ? 1u : 0u;
    if (is_held_up) {
        // What is felt holds the hand: it does not push on, and turns what stands above the plate still.
        bool is_above = wrong.y > NEAR;
        wrong.y = 0.0;
        if (is_above) {
            p->result->retries++;
            turn_by = fr_vec3_scale(-SHARE, look_tilt(p));
        }
    }
    fr_vec3 by = fr_vec3_scale(-SHARE, wrong);
    bool is_right = fr_vec3_length(wrong) < 0.5 * NEAR && fr_vec3_length(turn_by) == 0.0;
    p->next = p->now + REACTION + (is_right ? 0.0 : move(p, by, turn_by));
}

static void go_on(person *p) {
    if (p->now < p->next) { return; }
    switch (p->stage) {
    case REACHES: // for the top of the model
        p->next = p->now + REACTION + move(p, fr_vec3_make(0.0, HEIGHT - ABOVE - p->hand.to.y, 0.0), none);
        p->stage = TAKES;
        break;
    case TAKES:
        if (!is_holding(p)) {
            // Not yet: the button is pressed, and once more where it took nothing.
            bool is_pressed = (fr_haptic_loop_state(p->loop).buttons & FR_DEVICE_BUTTON_GRASP) != 0;
            fr_simulated_pen_press(p->device, FR_DEVICE_BUTTON_HELD | (is_pressed ? 0u : FR_DEVICE_BUTTON_GRASP));
            p->next = p->now + REACTION;
            break;
        }
        p->result->taken = p->walk = p->now;
        p->stage = CARRIES;
        fr_vec3 tilt = noise(&p->random, p->trial->tilt_deg * FR_PI / 180.0);
        (void)move(p, fr_vec3_make(0.0, LIFT, 0.0), tilt);
        p->next = p->now + WALK;
        break;
    case CARRIES:
        p->carried = felt_up(p);
        p->stage = PLACES;
        correct(p);
        break;
    case PLACES: correct(p); break;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The world

static fr_status add_plate(fr_space *space, fr_vec3 place, fr_error *error) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_box(fr_vec3_make(PLATE, THICK, PLATE), NULL, &mesh, error);
    if (status != FR_OK) { return status; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    object.pose.position = fr_vec3_make(place.x, place.y - 0.5 * THICK, place.z);
    object.flags = FR_OBJECT_STATIC;
    fr_object_id id;
    status = fr_object_add(space, &object, &id, error);
    fr_mesh_release(mesh);
    return status;
}

static fr_status add_model(person *p, fr_error *error) {
    fr_part_def part = fr_default_part_def();
    part.mesh = p->trial->touched;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    object.pose.position = start_of(p);
    object.pose.position.y = NEAR;
    return fr_object_add(fr_world_space(p->world), &object, &p->model, error);
}

static fr_status add_actors(person *p, fr_error *error) {
    fr_cast_def cast = fr_default_cast_def();
    cast.world = p->world;
    fr_status status = fr_cast_create(&cast, &p->cast, error);
    if (status != FR_OK) { return status; }
    fr_hands_def def = fr_default_hands_def();
    def.world = p->world;
    def.settings.magnet = 0.0; // contact stops, and nothing snaps
    fr_hands *hands;
    status = fr_hands_create(&def, &hands, error);
    if (status != FR_OK) { return status; }
    fr_actor actor = fr_hands_actor(hands);
    status = fr_cast_add(p->cast, &actor, error);
    if (status != FR_OK) {
        fr_hands_destroy(hands);
        return status;
    }
    fr_pen_def pen = fr_default_pen_def();
    pen.device = fr_haptic_loop_pen(p->loop);
    pen.cast = p->cast;
    pen.density = WEIGHT / (GRAVITY * fr_mesh_mass(p->trial->touched).volume);
    status = fr_pen_create(&pen, &p->pen, error);
    if (status != FR_OK) { return status; }
    actor = fr_pen_actor(p->pen);
    status = fr_cast_add(p->cast, &actor, error);
    if (status != FR_OK) { fr_pen_destroy(p->pen); }
    return status;
}

static fr_status open_world(person *p, fr_error *error) {
    fr_world_def def = fr_default_world_def();
    def.step = STEP;
    fr_status status = fr_world_create(&def, &p->world, error);
    if (status != FR_OK) { return status; }
    fr_space *space = fr_world_space(p->world);
    status = add_plate(space, start_of(p), error);
    if (status == FR_OK) { status = add_plate(space, middle_of(p), error); }
    if (status == FR_OK) { status = add_model(p, error); }
    return status == FR_OK ? add_actors(p, error) : status;
}

static fr_status open_device(person *p, fr_error *error) {
    fr_simulated_tracker_def tracker = fr_default_simulated_tracker_def();
    tracker.seed = p->trial->seed;
    fr_simulated_pen_def pen = fr_default_simulated_pen_def();
    pen.wish = wish;
    pen.turn = turn;
    pen.wish_user = p;
    fr_status status = fr_simulated_tracker_create(&tracker, &p->sensor, error);
    if (status == FR_OK) { status = fr_simulated_pen_create(&pen, &p->device, error); }
    if (status != FR_OK) { return status; }
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.device = fr_simulated_pen_device(p->device);
    loop.pull = FR_PULL_NEAREST;
    loop.sense = sense;
    loop.sense_user = p;
    if (!p->trial->is_filtered) {
        loop.track.cutoff = loop.track.velocity_cutoff = FR_TRACK_CUTOFF_MAX;
        loop.track.ahead = 0.0;
    }
    return fr_haptic_loop_create(&loop, &p->loop, error);
}

static void close_person(person *p) {
    fr_cast_destroy(p->cast);
    fr_world_destroy(p->world);
    fr_haptic_loop_destroy(p->loop);
    fr_simulated_pen_destroy(p->device);
    fr_simulated_tracker_destroy(p->sensor);
}

static fr_status tick(person *p, fr_error *error) {
    for (int i = 0; i < (int)(STEP / TICK + 0.5); i++) {
        p->now += TICK;
        fr_simulated_pen_advance(p->device, TICK);
        fr_haptic_loop_step(p->loop, p->now);
    }
    fr_status status = fr_cast_tick(p->cast, NULL, error);
    if (status != FR_OK) { return status; }
    notice(p);
    go_on(p);
    return FR_OK;
}

fr_status asano_person_run(const asano_trial *trial, asano_result *out, fr_error *error) {
    person p = {
        .trial = trial, .result = out, .random = fr_random_seed(trial->seed ^ 0x9e3779b97f4a7c15u), .next = 0.5};
    p.hand.seconds = 1.0;
    *out = (asano_result){.seconds = trial->time_out};
    fr_status status = open_device(&p, error);
    if (status == FR_OK) { status = open_world(&p, error); }
    double near_since = trial->time_out;
    while (status == FR_OK && p.now < trial->time_out && !out->is_done) {
        status = tick(&p, error);
        bool is_near = fr_vec3_distance(shown_of(&p).position, middle_of(&p)) <= NEAR;
        near_since = is_near ? fmin(near_since, p.now) : trial->time_out;
        out->is_done = is_near && p.now - near_since >= HOLD;
    }
    if (status == FR_OK && out->is_done) { out->seconds = p.now; }
    if (p.loop != NULL) { out->energy_max = fr_haptic_loop_report(p.loop)->energy_max; }
    close_person(&p);
    return status;
}
