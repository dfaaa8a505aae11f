// The command device run: a haptic device against a wall or the models of a scene, and the report of it.
#include "device_run.h"
#include "csv.h"
#include "scene_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FRAMES 60.0 // a second
#define USUAL_SECONDS 5.0
#define GREETING 2.0 // seconds to wait for a device on the network
#define SILENCE 1.0  // seconds without a device that end a run
#define FARTHEST 1e6 // metres, of a wall from the middle of the room

// All that runs; it stays where it is, since the loop's thread reads it.
typedef struct session {
    tool *tool;
    fr_simulated_pen *pen;
    fr_simulated_wander wander;
    fr_simulated_tracker *sensor;
    fr_udp_tracker *tracker; // in place of the simulated one
    fr_pose place;           // of the device in the room
    fr_haptic_loop *loop;
    fr_haptic_device device;
    bool is_network;
    scene_file scene; // of a scene
    bool has_scene;
    fr_felt_surface felt_surface;
    fr_output_file table;
    uint64_t frames, felt;
} session;

// ---------------------------------------------------------------------------------------------------------------
// The device

fr_status device_make_pen(const tool *t, double down, fr_simulated_wander *wander, fr_simulated_pen **out,
                          fr_error *error) {
    double reach = options_number(&t->options, "reach");
    *wander = (fr_simulated_wander){.centre = {0.0, -down * reach, 0.0},
                                    .reach = {reach, reach, reach},
                                    .seconds = 0.3,
                                    .seed = (uint64_t)options_int(&t->options, "seed")};
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.is_real_time = true;
    def.wish = fr_simulated_wander_wish;
    def.wish_user = wander;
    return fr_simulated_pen_create(&def, out, error);
}

static exit_status open_device(session *s) {
    tool *t = s->tool;
    const char *name = options_string(&t->options, "device");
    fr_error error = {0};
    char address[FR_UDP_ADDRESS_BYTES];
    uint16_t port;
    if (strcmp(name, "simulated") == 0) {
        double down = s->felt_surface.magnet > 0.0 ? 0.0 : 0.7; // a magnet is pulled as often as it is pushed
        if (device_make_pen(t, down, &s->wander, &s->pen, &error) != FR_OK) { return tool_failed(t, &error); }
        s->device = fr_simulated_pen_device(s->pen);
        return EXIT_STATUS_DONE;
    }
    if (!fr_udp_parse_name(name, address, &port)) {
        return tool_wrong_usage(t, "--device: '%s' is neither simulated nor udp:ADDRESS:PORT", name);
    }
    s->is_network = true;
    fr_status status = fr_udp_host_open(address, port, GREETING, &s->device, &error);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "--device: %s", error.message); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static void sense(fr_track_input *out, void *user) {
    session *s = user;
    if (s->tracker == NULL) {
        fr_simulated_tracker_tick(s->sensor, out->now, &s->place, out);
    } else {
        fr_udp_tracker_sense(s->tracker, 0, out);
    }
}

static fr_status make_loop(session *s, fr_error *error) {
    const options *o = &s->tool->options;
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.device = s->device;
    def.haptic.stiffness = options_number(o, "stiffness");
    def.haptic.force_max = s->device.force_max;
    if (options_given(o, "sensors")) {
        fr_udp_tracker_def tracker = fr_default_udp_tracker_def();
        tracker.port = (uint16_t)options_int(o, "sensors");
        fr_status status = fr_udp_tracker_create(&tracker, &s->tracker, error);
        if (status != FR_OK) { return status; }
        def.sense = sense;
        def.sense_user = s;
    } else if (options_flag(o, "tracker")) {
        fr_simulated_tracker_def sensor = fr_default_simulated_tracker_def();
        sensor.seed = (uint64_t)options_int(o, "seed");
        fr_status status = fr_simulated_tracker_create(&sensor, &s->sensor, error);
        if (status != FR_OK) { return status; }
        def.sense = sense;
        def.sense_user = s;
    } else {
        def.track.mount = s->place;
    }
    return fr_haptic_loop_create(&def, &s->loop, error);
}

// ---------------------------------------------------------------------------------------------------------------
// What is reported of a picture

static void write_row(session *s, double time, const fr_haptic_state *now) {
    if (!s->table.is_open) { return; }
    const double numbers[] = {now->tip.x,   now->tip.y,       now->tip.z,       now->force.x,     now->force.y,
                              now->force.z, now->delivered.x, now->delivered.y, now->delivered.z, now->energy};
    fr_output_file_print(&s->table, "%.6f", time);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        csv_number(&s->table, numbers[i]);
    }
    fr_output_file_print(&s->table, ",%u,%u\n", (unsigned)now->flags, (unsigned)now->track_flags);
}

// Pictures until the time is over or it is stopped. FR_ERROR_SYSTEM where the device is gone.
static fr_status play(session *s, double seconds, bool *was_stopped, fr_error *error) {
    uint64_t begin = fr_clock_ns();
    double heard = 0.0; // when the device was last there
    for (;;) {
        double time = 1e-3 * fr_clock_ms_since(begin);
        if (time >= seconds) { return FR_OK; }
        if (fr_control_is_stopped(&s->tool->control)) {
            *was_stopped = true;
            return FR_OK;
        }
        fr_haptic_state now = fr_haptic_loop_state(s->loop);
        if ((now.status & FR_DEVICE_LOST) == 0) { heard = time; }
        if (time - heard > SILENCE) {
            return fr_error_set(error, FR_ERROR_SYSTEM, "the device fell silent after %.1f s", heard);
        }
        fr_haptic_contact contact;
        fr_status status = fr_felt_surface_contact(&s->felt_surface, now.tip, &contact, error);
        if (status != FR_OK) { return status; }
        fr_haptic_loop_send(s->loop, &contact);
        s->frames++;
        s->felt += fr_vec3_length(now.force) > 0.05;
        write_row(s, time, &now);
        fr_control_progress(&s->tool->control, time / seconds, "feeling");
        struct timespec pause = {0, (long)(1e9 / FRAMES)};
        nanosleep(&pause, NULL);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static void write_times(fr_json_writer *j, const char *key, const fr_haptic_times *times) {
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    json_fields(j, "median", 1e6 * fr_haptic_times_share(times, 0.5), "p99_9",
                1e6 * fr_haptic_times_share(times, 0.999), "most", 1e6 * times->max);
    fr_json_write_object_end(j);
}

static const char *const flag_names[] = {"fault",     "released", "slipped", "stale",   "clock",
                                         "no_number", "jumped",   "rising",  "clamped", "passive"};
static const char *const track_names[] = {"lost", "old", "jumped", "clock", "no_number", "started"};

static void write_counts(fr_json_writer *j, const char *key, const char *const *names, const uint64_t *counts,
                         size_t count) {
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    for (size_t i = 0; i < count; i++) {
        fr_json_write_uint_field(j, names[i], counts[i]);
    }
    fr_json_write_object_end(j);
}

void device_write_counts(fr_json_writer *j, const char *key, const fr_udp_counts *c) {
    uint64_t wrong = 0;
    for (size_t i = 0; i < sizeof c->wrong / sizeof c->wrong[0]; i++) {
        wrong += c->wrong[i];
    }
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    json_fields(j, "sent", c->sent, "taken", c->taken, "old", c->old, "strangers", c->strangers, "wrong", wrong);
    fr_json_write_object_end(j);
}

static void write_document(const session *s, fr_json_writer *j, const fr_haptic_report *r, double seconds) {
    fr_json_write_object(j);
    json_fields(j, "device", options_string(&s->tool->options, "device"), "seconds", seconds, "ticks", r->ticks,
                "real_time", r->is_real_time, "frames", s->frames, "frames_felt", s->felt, "force_most", r->force_max,
                "rise_most", r->rise_max);
    json_fields(j, "undelivered_most", r->undelivered_max, "energy_most", r->energy_max);
    if (s->felt_surface.magnet > 0.0) {
        json_fields(j, "snaps", s->felt_surface.snaps, "releases", s->felt_surface.releases, "released_at_most",
                    s->felt_surface.release_distance_max);
    }
    write_times(j, "cpu_us", &r->cpu);
    write_times(j, "late_us", &r->late);
    write_counts(j, "flags", flag_names, r->flagged, sizeof flag_names / sizeof flag_names[0]);
    write_counts(j, "track_flags", track_names, r->track_flagged, sizeof track_names / sizeof track_names[0]);
    json_fields(j, "lost", r->lost, "unwritten", r->unwritten);
    if (s->is_network) {
        fr_udp_counts counts = fr_udp_host_counts(&s->device);
        device_write_counts(j, "network", &counts);
    }
    fr_json_write_object_end(j);
}

static void print_report(session *s, const fr_haptic_report *r, double seconds) {
    tool *t = s->tool;
    tool_print(t, "%.1f s, %llu ticks, %s schedule\n", seconds, (unsigned long long)r->ticks,
               r->is_real_time ? "real-time" : "ordinary");
    tool_print(t, "force: %.2f N at most, rising by %.0f N/s at most, felt in %llu of %llu pictures\n", r->force_max,
               r->rise_max, (unsigned long long)s->felt, (unsigned long long)s->frames);
    tool_print(t, "strings: %.2f N at most could not be given\n", r->undelivered_max);
    tool_print(t, "energy: %.3f mJ made at most, as the observer saw it\n", 1e3 * fmax(0.0, r->energy_max));
    tool_print(t, "a tick: %.1f us of the processor in the middle, %.1f us at 99.9 %%, %.1f us at most\n",
               1e6 * fr_haptic_times_share(&r->cpu, 0.5), 1e6 * fr_haptic_times_share(&r->cpu, 0.999),
               1e6 * r->cpu.max);
    tool_print(t, "late by: %.1f us in the middle, %.1f us at 99.9 %%, %.1f us at most\n",
               1e6 * fr_haptic_times_share(&r->late, 0.5), 1e6 * fr_haptic_times_share(&r->late, 0.999),
               1e6 * r->late.max);
    if (s->felt_surface.magnet > 0.0) {
        tool_print(t, "magnet: held %u times, came off %u times, %.1f mm away at most\n",
                   (unsigned)s->felt_surface.snaps, (unsigned)s->felt_surface.releases,
                   1e3 * s->felt_surface.release_distance_max);
    }
    for (uint32_t i = 0; i < sizeof r->flagged / sizeof r->flagged[0]; i++) {
        if (r->flagged[i] == 0) { continue; }
        tool_print(t, "%llu ticks: %s\n", (unsigned long long)r->flagged[i], fr_haptic_flags_text(1u << i));
    }
    for (uint32_t i = 0; i < sizeof r->track_flagged / sizeof r->track_flagged[0]; i++) {
        if (r->track_flagged[i] == 0) { continue; }
        tool_print(t, "%llu ticks: %s\n", (unsigned long long)r->track_flagged[i], fr_track_flags_text(1u << i));
    }
    if (!s->is_network) { return; }
    fr_udp_counts c = fr_udp_host_counts(&s->device);
    tool_print(t, "network: %llu packets taken, %llu old, %llu of strangers\n", (unsigned long long)c.taken,
               (unsigned long long)c.old, (unsigned long long)c.strangers);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status prepare(session *s) {
    tool *t = s->tool;
    const options *o = &t->options;
    double numbers[4] = {0.0, 1.0, 0.0, 0.0}, place[3] = {0.0, 0.0, 0.0};
    fr_error error = {0};
    options_vector(o, "wall", numbers, 4);
    options_vector(o, "place", place, 3);
    s->place = fr_pose_make(fr_vec3_make(place[0], place[1], place[2]), fr_quat_identity());
    fr_vec3 normal = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    if (!(fr_vec3_length(normal) > 0.0)) { return tool_wrong_usage(t, "--wall: the normal is zero"); }
    s->felt_surface.distance = options_number(o, "distance");
    s->felt_surface.magnet = options_given(o, "magnet") ? options_number(o, "magnet") : 0.0;
    double length = fr_vec3_length(normal);
    if (!(fabs(numbers[3]) <= FARTHEST * length)) {
        return tool_wrong_usage(t, "--wall: the plane is more than %g m away", FARTHEST);
    }
    s->felt_surface.wall = (fr_haptic_plane){.id = 1,
                                             .normal = fr_vec3_unit(normal, normal),
                                             .offset = numbers[3] / length,
                                             .side = 1,
                                             .distance = s->felt_surface.distance};
    if (t->argument_count > 1) {
        exit_status status = scene_file_read(t, t->arguments[1], 0, &s->scene);
        if (status != EXIT_STATUS_DONE) { return status; }
        s->has_scene = true;
        s->felt_surface.space = s->scene.space;
    }
    const char *path = options_string(o, "csv");
    if (path != NULL) {
        if (output_file_open(&s->table, path, &error) != FR_OK) { return tool_failed(t, &error); }
        fr_output_file_print(&s->table, "time,tip_x,tip_y,tip_z,force_x,force_y,force_z,delivered_x,delivered_y,"
                                        "delivered_z,energy,flags,track_flags\n");
    }
    return open_device(s);
}

static exit_status feel(session *s) {
    tool *t = s->tool;
    fr_error error = {0};
    double seconds = options_given(&t->options, "seconds") ? options_number(&t->options, "seconds") : USUAL_SECONDS;
    fr_status status = make_loop(s, &error);
    if (status != FR_OK) {
        if (s->device.close != NULL) { s->device.close(s->device.user); }
        return tool_failed(t, &error);
    }
    bool was_stopped = false;
    uint64_t begin = fr_clock_ns();
    status = fr_haptic_loop_start(s->loop, &error);
    if (status == FR_OK) { status = play(s, seconds, &was_stopped, &error); }
    seconds = 1e-3 * fr_clock_ms_since(begin);
    fr_haptic_loop_stop(s->loop);
    if (status == FR_OK && s->table.is_open) { status = fr_output_file_commit(&s->table, &error); }
    if (status != FR_OK) { return tool_failed(t, &error); }
    const fr_haptic_report *report = fr_haptic_loop_report(s->loop);
    print_report(s, report, seconds);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(s, j, report, seconds); }
    return was_stopped ? tool_stopped(t) : EXIT_STATUS_DONE;
}

exit_status device_run(tool *t) {
    session s;
    memset(&s, 0, sizeof s);
    s.tool = t;
    exit_status status = prepare(&s);
    if (status == EXIT_STATUS_DONE) { status = feel(&s); }
    fr_haptic_loop_destroy(s.loop);
    fr_simulated_pen_destroy(s.pen);
    fr_simulated_tracker_destroy(s.sensor);
    fr_udp_tracker_destroy(s.tracker);
    fr_output_file_discard(&s.table);
    if (s.has_scene) { scene_file_release(&s.scene); }
    return status;
}
