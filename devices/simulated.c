// A simulated string device with a hand that follows a wish.
#include "fureai/devices.h"

#include <math.h>
#include <string.h>

#define SUBSTEP 2e-4     // seconds
#define MOST_ADVANCE 0.1 // seconds by the clock at once: a process that slept does not catch up
#define RADIUS 0.01      // metres of a pulley
#define PEN_COOKIE 0x5350454eu

struct fr_simulated_pen {
    fr_simulated_pen_def def;
    fr_allocator allocator;
    double time;           // seconds since it was made
    uint64_t clock_ns;     // of the last advance by the clock
    fr_vec3 tip, velocity; // truly, in the device's frame
    fr_vec3 wish;          // as the hand follows it
    double commanded[FR_STRING_COUNT], tensions[FR_STRING_COUNT];
    double heard;                   // when the last command came
    double docked[FR_STRING_COUNT]; // lengths where the counters are 0
    double work, force_max;
    uint32_t buttons;
    uint64_t refused;
};

fr_simulated_pen_def fr_default_simulated_pen_def(void) {
    return (fr_simulated_pen_def){.cookie = PEN_COOKIE,
                                  .force_max = 4.0,
                                  .strings = fr_default_strings(),
                                  .quantum = 1e-4,
                                  .mass = 0.2,
                                  .grip = 150.0,
                                  .damping = 3.0,
                                  .wish_seconds = 0.05,
                                  .motor_seconds = 3e-4,
                                  .watchdog = 0.02,
                                  .slip_time = INFINITY,
                                  .loss_time = INFINITY};
}

fr_vec3 fr_simulated_wander_wish(double time, void *user) {
    const fr_simulated_wander *w = user;
    uint64_t turn = (uint64_t)fmax(0.0, time / w->seconds);
    fr_random random = fr_random_seed(fr_hash(&turn, sizeof turn, w->seed));
    fr_vec3 aim;
    aim.x = w->centre.x + fr_random_between(&random, -w->reach.x, w->reach.x);
    aim.y = w->centre.y + fr_random_between(&random, -w->reach.y, w->reach.y);
    aim.z = w->centre.z + fr_random_between(&random, -w->reach.z, w->reach.z);
    return aim;
}

// ---------------------------------------------------------------------------------------------------------------
// Strings and hand

static int64_t count_of(const fr_simulated_pen *s, int i) {
    double length = fr_vec3_distance(s->tip, s->def.strings.anchors[i]);
    if (i == 0 && s->time >= s->def.slip_time) { length += s->def.slip; }
    return (int64_t)floor((length - s->docked[i]) / s->def.quantum + 0.5);
}

static fr_status check_def(const fr_simulated_pen_def *def, fr_error *error) {
    const double above_zero[] = {def->quantum, def->mass, def->wish_seconds, def->motor_seconds, def->watchdog};
    for (size_t i = 0; i < sizeof above_zero / sizeof above_zero[0]; i++) {
        if (!(above_zero[i] > 0.0)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the simulated device is not above 0");
        }
    }
    if (!(def->grip >= 0.0 && def->damping >= 0.0 && isfinite(def->grip) && isfinite(def->damping))) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "grip or damping of the simulated hand is below 0 or no number");
    }
    if (!(def->force_max >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the force of the simulated device is below 0 or no number");
    }
    fr_strings_pull_output pull; // also checks the strings
    return fr_strings_pull(&def->strings, def->start, fr_vec3_make(0.0, 0.0, 0.0), FR_PULL_NEAREST, &pull, error);
}

fr_status fr_simulated_pen_create(const fr_simulated_pen_def *def, fr_simulated_pen **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != PEN_COOKIE) { return fr_error_set_cookie(error, "fr_default_simulated_pen_def"); }
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_simulated_pen *s = fr_allocate(&allocator, 1, sizeof *s, _Alignof(fr_simulated_pen));
    if (s == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a simulated pen"); }
    memset(s, 0, sizeof *s);
    s->def = *def;
    s->allocator = allocator;
    s->tip = s->wish = def->start;
    s->heard = -INFINITY;
    s->buttons = FR_DEVICE_BUTTON_HELD;
    s->clock_ns = fr_clock_ns();
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        s->docked[i] = fr_vec3_distance(s->tip, def->strings.anchors[i]);
    }
    *out = s;
    return FR_OK;
}

void fr_simulated_pen_destroy(fr_simulated_pen *s) {
    if (s == NULL) { return; }
    fr_allocator allocator = s->allocator;
    fr_deallocate(&allocator, s, 1, sizeof *s);
}

static fr_vec3 force_of(const fr_simulated_pen *s) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        fr_vec3 to = fr_vec3_sub(s->def.strings.anchors[i], s->tip);
        sum = fr_vec3_add_scaled(sum, s->tensions[i], fr_vec3_unit(to, fr_vec3_make(0.0, 0.0, 0.0)));
    }
    return sum;
}

static void substep(fr_simulated_pen *s, double dt) {
    const fr_simulated_pen_def *d = &s->def;
    bool lets_go = s->time - s->heard > d->watchdog;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double aim = lets_go ? 0.0 : s->commanded[i];
        s->tensions[i] += (aim - s->tensions[i]) * dt / (d->motor_seconds + dt);
    }
    if (d->wish != NULL) {
        fr_vec3 aim = d->wish(s->time, d->wish_user);
        s->wish = fr_vec3_lerp(s->wish, aim, dt / (d->wish_seconds + dt));
    }
    fr_vec3 force = force_of(s), hand = fr_vec3_scale(d->grip, fr_vec3_sub(s->wish, s->tip));
    hand = fr_vec3_add_scaled(hand, -d->damping, s->velocity);
    s->velocity = fr_vec3_add_scaled(s->velocity, dt / d->mass, fr_vec3_add(force, hand));
    fr_vec3 travel = fr_vec3_scale(dt, s->velocity);
    s->work += fr_vec3_dot(force, travel);
    s->force_max = fmax(s->force_max, fr_vec3_length(force));
    s->tip = fr_vec3_add(s->tip, travel);
    s->time += dt;
}

void fr_simulated_pen_advance(fr_simulated_pen *s, double seconds) {
    uint64_t steps = (uint64_t)ceil(seconds / SUBSTEP - 1e-9);
    for (uint64_t i = 0; i < steps; i++) {
        substep(s, seconds / (double)steps);
    }
}

void fr_simulated_pen_press(fr_simulated_pen *s, uint32_t buttons) { s->buttons = buttons; }

fr_simulated_pen_state fr_simulated_pen_get(const fr_simulated_pen *s) {
    fr_simulated_pen_state state = {.time = s->time,
                                    .tip = s->tip,
                                    .velocity = s->velocity,
                                    .force = force_of(s),
                                    .work = s->work,
                                    .force_max = s->force_max,
                                    .refused = s->refused};
    memcpy(state.commanded, s->commanded, sizeof state.commanded);
    memcpy(state.tensions, s->tensions, sizeof state.tensions);
    return state;
}

// ---------------------------------------------------------------------------------------------------------------
// As a device

static bool is_silent(const fr_simulated_pen *s) {
    return s->time >= s->def.loss_time && s->time < s->def.loss_time + s->def.loss_seconds;
}

static fr_status read_device(fr_device_reading *out, void *user) {
    fr_simulated_pen *s = user;
    memset(out, 0, sizeof *out);
    if (s->def.is_real_time) {
        uint64_t now = fr_clock_ns();
        double seconds = 1e-9 * (double)(now - s->clock_ns);
        fr_simulated_pen_advance(s, fmin(seconds, MOST_ADVANCE));
        s->clock_ns = now;
    }
    if (is_silent(s)) { return FR_ERROR_SYSTEM; }
    out->time_ns = (uint64_t)(1e9 * s->time);
    out->buttons = s->buttons;
    if (s->def.turn != NULL) { out->rotation = s->def.turn(s->time, s->def.wish_user); }
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        out->counts[i] = count_of(s, i);
    }
    return FR_OK;
}

static fr_status write_device(const fr_device_command *command, void *user) {
    fr_simulated_pen *s = user;
    if (is_silent(s)) { return FR_ERROR_SYSTEM; }
    for (int i = 0; i < FR_STRING_COUNT && !command->is_safe; i++) {
        if (!(command->tensions[i] >= 0.0 && command->tensions[i] <= s->def.strings.tension_max + 1e-9)) {
            s->refused++;
            return FR_ERROR_ARGUMENT;
        }
    }
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        s->commanded[i] = command->is_safe ? 0.0 : command->tensions[i];
    }
    s->heard = s->time;
    return FR_OK;
}

fr_haptic_device fr_simulated_pen_device(fr_simulated_pen *s) {
    fr_haptic_device device = {.kind = FR_DEVICE_STRINGS,
                               .strings = s->def.strings,
                               .force_max = s->def.force_max,
                               .read = read_device,
                               .write = write_device,
                               .user = s};
    device.pulleys.radius = RADIUS;
    device.pulleys.per_turn = 2.0 * FR_PI * RADIUS / s->def.quantum;
    const int64_t none[FR_STRING_COUNT] = {0, 0, 0, 0};
    // The dock is where the pen began: fr_simulated_pen_create has checked it
    (void)fr_pulleys_dock(&device.strings, s->def.start, none, &device.pulleys, NULL);
    return device;
}
