// The loop of a thousand ticks a second: reads a device and its tracker, ticks, writes. What is touched comes from the
// slower thread that draws, and where the pen is goes back to it; neither thread ever waits for the other.
#ifndef FUREAI_DEVICES_LOOP_H
#define FUREAI_DEVICES_LOOP_H

#include "fureai/haptic.h"

// A tracker as the loop sees it: fills sample, sample_time and has_sample of `out`, whose `now` is set, by the clock of
// `now`. Called from the loop's thread; does not wait.
typedef void haptic_sense_fn(fr_track_input *out, void *user);

typedef struct haptic_loop_def {
    fr_haptic_device device; // used by the loop alone until it is destroyed, which closes it
    fr_haptic_def haptic;    // force_max is lowered to what the device can do
    fr_track_def track;
    haptic_sense_fn *sense; // default NULL: the device stands where its mount says
    void *sense_user;
    fr_string_watch watch;
    fr_pull_mode pull;      // default FR_PULL_SAME_DIRECTION
    double rate;            // hertz, 10 .. 10000; default 1000
    bool wants_real_time;   // asks for a real-time schedule, and goes on without where it may not; default true
    fr_allocator allocator; // default: the process default
} haptic_loop_def;

haptic_loop_def haptic_loop_default_def(void);

// What the drawing thread knows of what is touched.
typedef struct haptic_contact {
    bool has_planes;
    fr_haptic_plane planes[FR_HAPTIC_PLANES];
    uint32_t plane_count;
    bool has_hold;
    fr_haptic_hold hold;
    bool has_pulse;
    fr_vec3 pulse_from;
} haptic_contact;

// What the loop publishes for the drawing thread.
typedef struct haptic_state {
    uint64_t tick;    // from 1; 0 before the first
    fr_vec3 tip;      // in the room
    fr_quat rotation; // of the pen in the room
    uint32_t buttons; // of FR_DEVICE_BUTTON_
    fr_vec3 force, torque;
    fr_vec3 proxy;
    double tensions[FR_STRING_COUNT];
    fr_vec3 delivered;    // what the strings give of the force; an arm's: the force
    uint32_t flags;       // of fr_haptic_flags
    uint32_t track_flags; // of fr_track_flags
    uint32_t status;      // of fr_device_status
    double energy;        // joules, of the observer
} haptic_state;

#define HAPTIC_BUCKETS 4096

// Times in buckets of equal width.
typedef struct haptic_times {
    double width; // seconds
    uint64_t counts[HAPTIC_BUCKETS];
    uint64_t count, over; // all, and those beyond the last bucket
    double most;
} haptic_times;

void haptic_times_add(haptic_times *times, double seconds);

// The time that a share (0 .. 1) of all did not exceed, rounded up to a bucket; `most` beyond them.
double haptic_times_share(const haptic_times *times, double share);

typedef struct haptic_report {
    uint64_t ticks;
    uint64_t flagged[10];      // ticks with each flag of fr_haptic_flags, by its bit
    uint64_t track_flagged[6]; // the same of fr_track_flags
    uint64_t lost;             // ticks without a device
    uint64_t unwritten;        // commands that the device did not take
    double force_most;         // newtons
    double rise_most;          // newtons a second, between two ticks
    double energy_most;        // joules, of the observer
    double undelivered_most;   // newtons that strings could not give
    bool is_real_time;         // whether the thread has a real-time schedule
    haptic_times cpu;          // seconds of the processor a tick
    haptic_times late;         // seconds from when a tick was due to when it began
} haptic_report;

typedef struct haptic_loop haptic_loop;

// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY; then the device is the caller's still.
fr_status haptic_loop_create(const haptic_loop_def *def, haptic_loop **out, fr_error *error);

// Stops it, lets the device go and closes it. NULL is ignored.
void haptic_loop_destroy(haptic_loop *loop);

// Starts the thread. FR_ERROR_BUSY while it runs, FR_ERROR_SYSTEM when it cannot be.
fr_status haptic_loop_start(haptic_loop *loop, fr_error *error);

// Ends the thread, the device let go. Nothing where it does not run.
void haptic_loop_stop(haptic_loop *loop);

// One tick at a time of a clock that the caller keeps. While the thread does not run.
void haptic_loop_step(haptic_loop *loop, double now);

// What is touched from now on, in place of what the loop has not taken yet; a pulse once. From one thread.
void haptic_loop_send(haptic_loop *loop, const haptic_contact *contact);

// The newest state. From one thread.
haptic_state haptic_loop_state(haptic_loop *loop);

// What the loop did since it was made. While the thread does not run.
const haptic_report *haptic_loop_report(const haptic_loop *loop);

#endif
