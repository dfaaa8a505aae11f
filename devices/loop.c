// The force loop: a thousand times a second it reads a device, computes the force and writes it.
#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define LOOP_COOKIE 0x4c4f4f50u
#define CPU_WIDTH 5e-7
#define LATE_WIDTH 1e-6
#define PRIORITY 60
#define SAFE_FLAGS (FR_HAPTIC_FAULT | FR_HAPTIC_SLIPPED)

static const fr_vec3 zero = {0.0, 0.0, 0.0};

struct fr_haptic_loop {
    fr_haptic_loop_def def;
    fr_haptic *haptic;
    fr_track *track;
    fr_string_watch watch;
    bool has_tip, has_now;
    fr_vec3 tip; // of the last tick, in the device's frame
    double now;
    fr_vec3 force; // of the last tick
    fr_triple_buffer *contacts, *states;
    fr_haptic_report report;
    pthread_t thread;
    bool is_running;
    atomic_bool shall_stop;
};

fr_haptic_loop_def fr_default_haptic_loop_def(void) {
    return (fr_haptic_loop_def){.cookie = LOOP_COOKIE,
                                .haptic = fr_default_haptic_def(),
                                .track = fr_default_track_def(),
                                .watch = fr_default_string_watch(),
                                .pull = FR_PULL_SAME_DIRECTION,
                                .rate = 1000.0,
                                .may_be_real_time = true};
}

// ---------------------------------------------------------------------------------------------------------------
// Times

void fr__haptic_times_add(fr_haptic_times *times, double seconds) {
    double bucket = floor(seconds / times->width);
    times->count++;
    times->max = fmax(times->max, seconds);
    if (bucket >= (double)FR_HAPTIC_BUCKETS) {
        times->over++;
    } else {
        times->counts[bucket > 0.0 ? (size_t)bucket : 0]++;
    }
}

double fr_haptic_times_share(const fr_haptic_times *times, double share) {
    double wanted = share * (double)times->count, sum = 0.0;
    for (size_t i = 0; i < FR_HAPTIC_BUCKETS; i++) {
        sum += (double)times->counts[i];
        if (sum >= wanted) { return fmin((double)(i + 1) * times->width, times->max); }
    }
    return times->max;
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

// The tip in the device's frame; false where it is not known.
static bool find_tip(fr_haptic_loop *loop, const fr_device_reading *reading, double dt, fr_vec3 *tip) {
    const fr_haptic_device *device = &loop->def.device;
    if (device->kind == FR_DEVICE_ARM) {
        *tip = reading->tip;
        return fr_vec3_is_finite(reading->tip);
    }
    double lengths[FR_STRING_COUNT];
    fr_strings_tip_output found;
    fr_pulleys_lengths(&device->pulleys, reading->counts, lengths);
    if (fr_strings_tip(&device->strings, lengths, loop->has_tip ? &loop->tip : NULL, &found, NULL) != FR_OK) {
        return false;
    }
    *tip = found.tip;
    if (dt > 0.0) { fr_strings_watch(&loop->watch, found.residual, dt); }
    return true;
}

static fr_track_output follow_sensor(fr_haptic_loop *loop, double now) {
    fr_track_output out = {.sensor = fr_pose_identity(), .mount = loop->def.track.mount};
    if (loop->def.sense == NULL) { return out; }
    fr_track_input in;
    memset(&in, 0, sizeof in);
    in.now = now;
    in.sample = fr_pose_identity();
    loop->def.sense(&in, loop->def.sense_user);
    fr_track_tick(loop->track, &in, &out);
    return out;
}

static void take_contact(fr_haptic_loop *loop, fr_haptic_input *in) {
    bool is_new = false;
    const fr_haptic_contact *c = fr_triple_buffer_read(loop->contacts, &is_new);
    if (!is_new) { return; }
    in->has_planes = c->has_planes;
    memcpy(in->planes, c->planes, sizeof in->planes);
    in->plane_count = c->plane_count;
    in->has_hold = c->has_hold;
    in->hold = c->hold;
    in->load = c->load;
    in->has_pulse = c->has_pulse;
    in->pulse_from = c->pulse_from;
}

static bool is_turned(fr_quat q) { return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0; }

// The force as the device can give it. What is wrong lets go of everything; a hand that let go keeps its strings taut.
static void write_command(fr_haptic_loop *loop, fr_vec3 tip, const fr_quat *device_to_room, fr_haptic_state *state) {
    fr_device_command command;
    memset(&command, 0, sizeof command);
    command.is_safe = (state->flags & SAFE_FLAGS) != 0 || !loop->has_tip;
    fr_pose turn = fr_pose_make(zero, fr_quat_conjugate(*device_to_room));
    if (!command.is_safe) {
        command.force = fr_pose_turn(&turn, state->force);
        command.torque = fr_pose_turn(&turn, state->torque);
        state->delivered = state->force;
    }
    if (!command.is_safe && loop->def.device.kind == FR_DEVICE_STRINGS) {
        fr_strings_pull_output pull;
        fr_status status = fr_strings_pull(&loop->def.device.strings, tip, command.force, loop->def.pull, &pull, NULL);
        command.is_safe = status != FR_OK;
        state->delivered = zero;
        if (status == FR_OK) {
            memcpy(command.tensions, pull.tensions, sizeof command.tensions);
            fr_pose back = fr_pose_make(zero, *device_to_room);
            state->delivered = fr_pose_turn(&back, pull.force);
            loop->report.undelivered_max = fmax(loop->report.undelivered_max, pull.error);
        }
        command.force = command.torque = zero;
    }
    memcpy(state->tensions, command.tensions, sizeof state->tensions);
    if (loop->def.device.write(&command, loop->def.device.user) != FR_OK) { loop->report.unwritten++; }
}

static void record(fr_haptic_loop *loop, const fr_haptic_state *state, double dt) {
    fr_haptic_report *r = &loop->report;
    double size = fr_vec3_length(state->force), rise = size - fr_vec3_length(loop->force);
    r->ticks++;
    r->force_max = fmax(r->force_max, size);
    if (dt > 0.0) { r->rise_max = fmax(r->rise_max, rise / dt); }
    r->energy_max = fmax(r->energy_max, state->energy);
    for (uint32_t i = 0; i < sizeof r->flagged / sizeof r->flagged[0]; i++) {
        r->flagged[i] += state->flags >> i & 1u;
    }
    for (uint32_t i = 0; i < sizeof r->track_flagged / sizeof r->track_flagged[0]; i++) {
        r->track_flagged[i] += state->track_flags >> i & 1u;
    }
    r->lost += (state->status & FR_DEVICE_LOST) != 0;
    loop->force = state->force;
}

// The pose of hand and pen in the room, and what is wrong.
static fr_vec3 look(fr_haptic_loop *loop, double now, double dt, fr_haptic_state *state, fr_haptic_input *in,
                    fr_quat *device_to_room) {
    fr_device_reading reading;
    memset(&reading, 0, sizeof reading);
    fr_vec3 tip = loop->has_tip ? loop->tip : loop->def.device.strings.home;
    if (loop->def.device.read(&reading, loop->def.device.user) != FR_OK) { reading.status |= FR_DEVICE_LOST; }
    bool is_seen = (reading.status & FR_DEVICE_LOST) == 0 && find_tip(loop, &reading, dt, &tip);
    fr_track_output track = follow_sensor(loop, now);
    if (is_seen) {
        loop->tip = tip;
        loop->has_tip = true;
    }
    *device_to_room = fr_quat_multiply(track.sensor.rotation, track.mount.rotation);
    in->tip = fr_track_point(&track, tip);
    in->has_rotation = is_turned(reading.rotation);
    in->rotation = fr_quat_multiply(*device_to_room, reading.rotation);
    in->is_held = (reading.buttons & FR_DEVICE_BUTTON_HELD) != 0;
    in->is_fault = !is_seen || reading.status != 0 || (track.flags & FR_TRACK_LOST) != 0;
    in->is_slipped = loop->watch.is_alarm;
    state->tip = in->tip;
    state->rotation = in->has_rotation ? in->rotation : *device_to_room;
    state->buttons = reading.buttons;
    state->status = reading.status;
    state->track_flags = track.flags;
    return tip;
}

void fr_haptic_loop_step(fr_haptic_loop *loop, double now) {
    fr_haptic_state state;
    fr_haptic_input in;
    fr_haptic_output out;
    memset(&state, 0, sizeof state);
    memset(&in, 0, sizeof in);
    double dt = loop->has_now ? now - loop->now : 1.0 / loop->def.rate;
    fr_quat device_to_room;
    fr_vec3 tip = look(loop, now, dt, &state, &in, &device_to_room);
    in.dt = dt;
    take_contact(loop, &in);
    fr_haptic_tick(loop->haptic, &in, &out);
    state.force = out.force;
    state.torque = out.torque;
    state.proxy = out.proxy;
    state.flags = out.flags;
    state.energy = out.energy;
    write_command(loop, tip, &device_to_room, &state);
    record(loop, &state, dt);
    loop->now = now;
    loop->has_now = true;
    state.tick = loop->report.ticks;
    *(fr_haptic_state *)fr_triple_buffer_write(loop->states) = state;
    fr_triple_buffer_publish(loop->states);
}

// ---------------------------------------------------------------------------------------------------------------
// The thread

static double seconds_of(const struct timespec *t) { return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec; }

static void add_ns(struct timespec *t, int64_t ns) {
    int64_t sum = (int64_t)t->tv_nsec + ns;
    t->tv_sec += (time_t)(sum / 1000000000);
    t->tv_nsec = (long)(sum % 1000000000);
}

// Ticks are due at even times. One that comes so late that the next is due already gives those up.
static void *run(void *user) {
    fr_haptic_loop *loop = user;
    int64_t period = (int64_t)(1e9 / loop->def.rate);
    struct timespec due, now, before, after;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!atomic_load_explicit(&loop->shall_stop, memory_order_relaxed)) {
        add_ns(&due, period);
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) {}
        clock_gettime(CLOCK_MONOTONIC, &now);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        fr_haptic_loop_step(loop, seconds_of(&now));
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        double late = seconds_of(&now) - seconds_of(&due);
        fr__haptic_times_add(&loop->report.late, late);
        fr__haptic_times_add(&loop->report.cpu, seconds_of(&after) - seconds_of(&before));
        if (late > 1e-9 * (double)period) { due = now; }
    }
    return NULL;
}

static int start_thread(fr_haptic_loop *loop, bool is_real_time) {
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed != 0) { return failed; }
    if (is_real_time) {
        struct sched_param parameter = {.sched_priority = PRIORITY};
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &parameter);
    }
    failed = pthread_create(&loop->thread, &attributes, run, loop);
    pthread_attr_destroy(&attributes);
    return failed;
}

fr_status fr_haptic_loop_start(fr_haptic_loop *loop, fr_error *error) {
    if (loop->is_running) { return fr_error_set(error, FR_ERROR_BUSY, "the loop runs already"); }
    atomic_store(&loop->shall_stop, false);
    loop->has_now = false;
    int failed = loop->def.may_be_real_time ? start_thread(loop, true) : EPERM;
    loop->report.is_real_time = failed == 0;
    if (failed != 0) { failed = start_thread(loop, false); }
    if (failed != 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "no thread: %s", strerror(failed)); }
    loop->is_running = true;
    return FR_OK;
}

static void let_go(fr_haptic_loop *loop) {
    fr_device_command command;
    memset(&command, 0, sizeof command);
    command.is_safe = true;
    (void)loop->def.device.write(&command, loop->def.device.user); // a device that is gone lets go by itself
}

void fr_haptic_loop_stop(fr_haptic_loop *loop) {
    if (!loop->is_running) { return; }
    atomic_store(&loop->shall_stop, true);
    pthread_join(loop->thread, NULL);
    loop->is_running = false;
    let_go(loop);
}

// ---------------------------------------------------------------------------------------------------------------
// Making one, and the other thread's side

static fr_status prepare(fr_haptic_loop *loop, fr_error *error) {
    fr_haptic_loop_def *d = &loop->def;
    if (!(d->rate >= 10.0 && d->rate <= 10000.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the rate is not 10 .. 10000 Hz");
    }
    if (d->device.read == NULL || d->device.write == NULL || !(d->device.force_max >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the device cannot be read, written or has no greatest force");
    }
    d->haptic.force_max = fmin(d->haptic.force_max, d->device.force_max);
    d->haptic.allocator = d->track.allocator = d->allocator;
    fr_status status = fr_haptic_create(&d->haptic, &loop->haptic, error);
    if (status == FR_OK) { status = fr_track_create(&d->track, &loop->track, error); }
    if (status != FR_OK) { return status; }
    status = fr_triple_buffer_create(sizeof(fr_haptic_contact), &d->allocator, &loop->contacts, error);
    if (status == FR_OK) {
        status = fr_triple_buffer_create(sizeof(fr_haptic_state), &d->allocator, &loop->states, error);
    }
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "no memory for the loop");
}

fr_status fr_haptic_loop_create(const fr_haptic_loop_def *def, fr_haptic_loop **out, fr_error *error) {
    *out = NULL;
    if (def->cookie != LOOP_COOKIE) { return fr_error_set_cookie(error, "fr_default_haptic_loop_def"); }
    fr_haptic_loop *loop = fr_allocate(&def->allocator, 1, sizeof *loop, _Alignof(fr_haptic_loop));
    if (loop == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the loop"); }
    memset(loop, 0, sizeof *loop);
    loop->def = *def;
    loop->watch = def->watch;
    loop->report.cpu.width = CPU_WIDTH;
    loop->report.late.width = LATE_WIDTH;
    atomic_init(&loop->shall_stop, false);
    fr_status status = prepare(loop, error);
    if (status != FR_OK) {
        loop->def.device.close = NULL;
        loop->def.device.write = NULL;
        fr_haptic_loop_destroy(loop);
        return status;
    }
    *out = loop;
    return FR_OK;
}

void fr_haptic_loop_destroy(fr_haptic_loop *loop) {
    if (loop == NULL) { return; }
    fr_haptic_loop_stop(loop);
    if (loop->def.device.write != NULL) { let_go(loop); }
    if (loop->def.device.close != NULL) { loop->def.device.close(loop->def.device.user); }
    if (loop->contacts != NULL) { fr_triple_buffer_destroy(loop->contacts); }
    if (loop->states != NULL) { fr_triple_buffer_destroy(loop->states); }
    fr_haptic_destroy(loop->haptic);
    fr_track_destroy(loop->track);
    fr_allocator allocator = loop->def.allocator;
    fr_deallocate(&allocator, loop, 1, sizeof *loop);
}

void fr_haptic_loop_send(fr_haptic_loop *loop, const fr_haptic_contact *contact) {
    *(fr_haptic_contact *)fr_triple_buffer_write(loop->contacts) = *contact;
    fr_triple_buffer_publish(loop->contacts);
}

fr_haptic_state fr_haptic_loop_state(fr_haptic_loop *loop) {
    return *(const fr_haptic_state *)fr_triple_buffer_read(loop->states, NULL);
}

static fr_haptic_state read_loop(void *user) { return fr_haptic_loop_state(user); }

static void send_to_loop(const fr_haptic_contact *contact, void *user) { fr_haptic_loop_send(user, contact); }

fr_pen_device fr_haptic_loop_pen(fr_haptic_loop *loop) {
    return (fr_pen_device){.read = read_loop, .send = send_to_loop, .user = loop};
}

const fr_haptic_report *fr_haptic_loop_report(const fr_haptic_loop *loop) { return &loop->report; }
