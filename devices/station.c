// A station: a device on the network, the tracker that places it, and the thread that moves it.
#include "fureai/devices.h"

#include <stdio.h>
#include <string.h>

#define STATION_COOKIE 0x53544154u
#define NAME_BYTES 128

struct fr_station {
    fr_allocator allocator;
    fr_haptic_loop *loop;    // NULL: there is no device
    fr_haptic_device device; // the loop's
    fr_udp_tracker *tracker;
};

fr_station_def fr_default_station_def(void) { return (fr_station_def){.seconds = 2.0, .cookie = STATION_COOKIE}; }

static double clock_seconds(void) { return 1e-9 * (double)fr_clock_ns(); }

// Opens "udp:ADDRESS:PORT[,string|arm]".
static fr_status open_device(const char *text, double seconds, fr_haptic_device *out, fr_error *error) {
    static const char *const kinds[] = {[FR_DEVICE_STRINGS] = "string", [FR_DEVICE_ARM] = "arm"};
    char name[NAME_BYTES], address[FR_UDP_ADDRESS_BYTES];
    uint16_t port;
    int written = snprintf(name, sizeof name, "%s", text);
    char *comma = strrchr(name, ',');
    if (comma != NULL) { *comma++ = '\0'; }
    bool is_kind = comma == NULL || strcmp(comma, kinds[0]) == 0 || strcmp(comma, kinds[1]) == 0;
    if (written < 0 || written >= NAME_BYTES || !is_kind || !fr_udp_parse_name(name, address, &port)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%.64s' is not udp:ADDRESS:PORT, nor with ,string or ,arm",
                            text);
    }
    fr_status status = fr_udp_host_open(address, port, seconds, out, error);
    if (status != FR_OK || comma == NULL || strcmp(comma, kinds[out->kind]) == 0) { return status; }
    out->close(out->user);
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the device at %s is of another kind: %s", name, kinds[out->kind]);
}

static void sense(fr_track_input *out, void *user) { fr_udp_tracker_sense(user, 0, out); }

static fr_status start(fr_station *s, const fr_station_def *def, fr_error *error) {
    fr_status status = FR_OK;
    if (def->sensor_port != 0) {
        fr_udp_tracker_def tracker = fr_default_udp_tracker_def();
        tracker.port = def->sensor_port;
        status = fr_udp_tracker_create(&tracker, &s->tracker, error);
    }
    if (status != FR_OK || def->device == NULL) { return status; }
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.allocator = s->allocator;
    status = open_device(def->device, def->seconds, &loop.device, error);
    if (status != FR_OK) { return status; }
    loop.haptic.force_max = loop.device.force_max;
    loop.track.mount.position = def->place;
    if (s->tracker != NULL) {
        loop.track.mount = fr_pose_identity();
        loop.sense = sense;
        loop.sense_user = s->tracker;
    }
    status = fr_haptic_loop_create(&loop, &s->loop, error);
    if (status != FR_OK) {
        loop.device.close(loop.device.user);
        return status;
    }
    s->device = loop.device;
    return fr_haptic_loop_start(s->loop, error);
}

fr_status fr_station_create(const fr_station_def *def, fr_station **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != STATION_COOKIE) { return fr_error_set_cookie(error, "fr_default_station_def"); }
    if (def->device == NULL && def->sensor_port == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a station has a device or a tracker");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_station *s = fr_allocate(&allocator, 1, sizeof *s, _Alignof(fr_station));
    if (s == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a station"); }
    *s = (fr_station){.allocator = allocator};
    fr_status status = start(s, def, error);
    if (status != FR_OK) {
        fr_station_destroy(s);
        return status;
    }
    *out = s;
    return FR_OK;
}

void fr_station_destroy(fr_station *s) {
    if (s == NULL) { return; }
    fr_haptic_loop_destroy(s->loop);
    fr_udp_tracker_destroy(s->tracker);
    fr_allocator allocator = s->allocator;
    fr_deallocate(&allocator, s, 1, sizeof *s);
}

fr_station_report fr_station_stop(fr_station *s) {
    FR_ASSERT(s != NULL);
    fr_station_report report = {0};
    if (s->loop != NULL) {
        fr_haptic_loop_stop(s->loop);
        report.device = fr_udp_host_counts(&s->device);
        report.loop = fr_haptic_loop_report(s->loop);
    }
    if (s->tracker != NULL) { report.tracker = fr_udp_tracker_counts(s->tracker); }
    return report;
}

fr_pen_device fr_station_pen(fr_station *s) {
    FR_ASSERT(s != NULL);
    return s->loop != NULL ? fr_haptic_loop_pen(s->loop) : (fr_pen_device){0};
}

// Without a device no loop steps the tracker: whoever reads does.
bool fr_station_read_sensor(uint32_t sensor, fr_sensor_pose *out, double *now, void *user) {
    fr_station *s = user;
    *now = clock_seconds();
    if (s->tracker == NULL) { return false; }
    if (s->loop == NULL) { fr_udp_tracker_step(s->tracker, *now); }
    return fr_udp_tracker_read(s->tracker, sensor, out);
}
