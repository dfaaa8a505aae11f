// Trackers over UDP: a sender of poses, and the receiver that knows the newest one of each sensor.
#define _GNU_SOURCE
#include "udp_endpoint.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define TRACKER_COOKIE 0x55445054u
#define DRIFT 1e-4 // seconds a second by which two clocks may drift apart

// ---------------------------------------------------------------------------------------------------------------
// The sender

struct fr_udp_sender {
    fr__udp_endpoint end;
};

fr_status fr_udp_sender_create(const char *address, uint16_t port, fr_udp_sender **out, fr_error *error) {
    FR_ASSERT(address != NULL && out != NULL);
    *out = NULL;
    struct sockaddr_in peer, own;
    fr_status status = fr__udp_parse_address(address, port, &peer, error);
    if (status != FR_OK) { return status; }
    memset(&own, 0, sizeof own);
    own.sin_family = AF_INET;
    fr_udp_sender *sender = fr_allocate(NULL, 1, sizeof *sender, _Alignof(fr_udp_sender));
    if (sender == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a sender of poses"); }
    status = fr__udp_open(&sender->end, &own, error);
    if (status != FR_OK) {
        fr_deallocate(NULL, sender, 1, sizeof *sender);
        return status;
    }
    sender->end.peer = peer;
    *out = sender;
    return FR_OK;
}

void fr_udp_sender_destroy(fr_udp_sender *sender) {
    if (sender == NULL) { return; }
    close(sender->end.socket);
    fr_deallocate(NULL, sender, 1, sizeof *sender);
}

fr_status fr_udp_sender_send(fr_udp_sender *sender, const fr_sensor_pose *pose, fr_error *error) {
    FR_ASSERT(sender != NULL && pose != NULL);
    fr__udp_packet packet, check;
    memset(&packet, 0, sizeof packet);
    packet.kind = FR__UDP_SENSOR;
    packet.sensor = *pose;
    bool is_time = pose->time >= 0.0 && pose->time < 1e9;
    packet.time_ns = is_time ? (uint64_t)(1e9 * pose->time) : 0;
    uint8_t bytes[FR__UDP_MAX_BYTES];
    size_t size = fr__udp_encode(&packet, bytes);
    if (!is_time || fr__udp_decode(bytes, size, &check) != FR_UDP_FINE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the pose is outside the protocol's limits");
    }
    fr_status status = fr__udp_send(&sender->end, &packet);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "the pose could not be sent");
}

bool fr_udp_sender_track(fr_udp_sender *sender, fr_simulated_tracker *tracker, uint32_t sensor, double now,
                         const fr_pose *truth) {
    FR_ASSERT(sender != NULL && tracker != NULL && truth != NULL);
    fr_track_input in;
    fr_simulated_tracker_tick(tracker, now, truth, &in);
    if (!in.has_sample) { return false; }
    const fr_simulated_tracker_def *def = fr_simulated_tracker_get_def(tracker);
    const fr_sensor_pose pose = {.sensor = sensor,
                                 .time = in.sample_time,
                                 .pose = in.sample,
                                 .position_error = fr_simulated_tracker_noise(def, in.sample.position),
                                 .rotation_error = fr_simulated_tracker_turn_noise(def, in.sample.position)};
    return fr_udp_sender_send(sender, &pose, NULL) == FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The receiver

typedef struct sensor_table {
    fr_sensor_pose sensors[FR_UDP_SENSORS_MAX];
    uint32_t count;
} sensor_table;

struct fr_udp_tracker {
    fr__udp_endpoint end;
    double patience;
    double heard;  // when the last packet of the sender came
    double sensed; // time of the last pose that fr_udp_tracker_sense gave
    double offset; // of our clock against the sender's, by the packet that came fastest
    uint16_t port;
    sensor_table table;
    fr_triple_buffer *tables; // for the other thread
};

fr_udp_tracker_def fr_default_udp_tracker_def(void) {
    return (fr_udp_tracker_def){.address = "127.0.0.1", .patience = 1.0, .cookie = TRACKER_COOKIE};
}

fr_status fr_udp_tracker_create(const fr_udp_tracker_def *def, fr_udp_tracker **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != TRACKER_COOKIE) { return fr_error_set_cookie(error, "fr_default_udp_tracker_def"); }
    struct sockaddr_in own;
    fr_status status = fr__udp_parse_address(def->address, def->port, &own, error);
    if (status != FR_OK) { return status; }
    fr_udp_tracker *tracker = fr_allocate(NULL, 1, sizeof *tracker, _Alignof(fr_udp_tracker));
    if (tracker == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a tracker"); }
    memset(tracker, 0, sizeof *tracker);
    tracker->patience = def->patience;
    status = fr_triple_buffer_create(sizeof(sensor_table), NULL, &tracker->tables, error);
    if (status == FR_OK) { status = fr__udp_open(&tracker->end, &own, error); }
    if (status != FR_OK) {
        if (tracker->tables != NULL) { fr_triple_buffer_destroy(tracker->tables); }
        fr_deallocate(NULL, tracker, 1, sizeof *tracker);
        return status;
    }
    socklen_t length = sizeof own;
    bool is_named = getsockname(tracker->end.socket, (struct sockaddr *)&own, &length) == 0;
    if (is_named) { tracker->port = ntohs(own.sin_port); }
    *out = tracker;
    return FR_OK;
}

void fr_udp_tracker_destroy(fr_udp_tracker *tracker) {
    if (tracker == NULL) { return; }
    close(tracker->end.socket);
    fr_triple_buffer_destroy(tracker->tables);
    fr_deallocate(NULL, tracker, 1, sizeof *tracker);
}

uint16_t fr_udp_tracker_port(const fr_udp_tracker *tracker) { return tracker->port; }
fr_udp_counts fr_udp_tracker_counts(const fr_udp_tracker *tracker) { return tracker->end.counts; }

// The index of a sensor; that of the next one where it is not there.
static uint32_t index_of(const sensor_table *table, uint32_t sensor) {
    uint32_t i = 0;
    while (i < table->count && table->sensors[i].sensor != sensor) {
        i++;
    }
    return i;
}

// A new sender has a clock of its own, and sensors of its own.
static void begin_sender(fr_udp_tracker *tracker, const struct sockaddr_in *from) {
    tracker->end.peer = *from;
    tracker->end.has_peer = true;
    tracker->end.has_heard = false;
    tracker->offset = INFINITY;
    tracker->table.count = 0;
}

// The pose in its sensor's place; false where there is none left.
static bool put_pose(fr_udp_tracker *tracker, const fr__udp_packet *packet, double now) {
    fr_sensor_pose pose = packet->sensor;
    tracker->offset = fmin(tracker->offset, now - pose.time);
    pose.time += tracker->offset;
    uint32_t index = index_of(&tracker->table, pose.sensor);
    if (index == FR_UDP_SENSORS_MAX) {
        tracker->end.counts.wrong[FR_UDP_WRONG_VALUE]++;
        return false;
    }
    tracker->table.count += index == tracker->table.count;
    tracker->table.sensors[index] = pose;
    return true;
}

void fr_udp_tracker_step(fr_udp_tracker *tracker, double now) {
    fr__udp_endpoint *e = &tracker->end;
    fr__udp_packet packet;
    struct sockaddr_in from;
    int looks = FR__UDP_AT_ONCE;
    bool has_new = false;
    double silent = now - tracker->heard;
    if (e->has_peer && silent > tracker->patience) { e->has_peer = false; }
    if (silent > FR_UDP_TRACKER_SILENCE) {
        e->has_heard = false;
        tracker->offset = INFINITY; // a sender that begins again may have another clock
    }
    while (fr__udp_receive(e, 1u << FR__UDP_SENSOR, &looks, &packet, &from)) {
        if (e->has_peer && !fr__udp_is_same(&from, &e->peer)) {
            e->counts.strangers++;
            continue;
        }
        if (!e->has_peer) { begin_sender(tracker, &from); }
        if (!fr__udp_take(e, &packet)) { continue; }
        has_new = put_pose(tracker, &packet, now) || has_new;
        // Our clock may go slower than the sender's: the fastest packet counts less as time goes by.
        if (tracker->heard > 0.0) { tracker->offset += DRIFT * fmin(fmax(now - tracker->heard, 0.0), 1.0); }
        tracker->heard = now;
    }
    if (!has_new) { return; }
    *(sensor_table *)fr_triple_buffer_write(tracker->tables) = tracker->table;
    fr_triple_buffer_publish(tracker->tables);
}

static bool get_from(const sensor_table *table, uint32_t sensor, fr_sensor_pose *out) {
    uint32_t index = index_of(table, sensor);
    if (index == table->count) { return false; }
    *out = table->sensors[index];
    return true;
}

bool fr_udp_tracker_get(const fr_udp_tracker *tracker, uint32_t sensor, fr_sensor_pose *out) {
    return get_from(&tracker->table, sensor, out);
}

void fr_udp_tracker_sense(fr_udp_tracker *tracker, uint32_t sensor, fr_track_input *out) {
    fr_udp_tracker_step(tracker, out->now);
    fr_sensor_pose pose;
    if (!fr_udp_tracker_get(tracker, sensor, &pose) || pose.time == tracker->sensed) { return; }
    tracker->sensed = pose.time;
    out->has_sample = true;
    out->sample_time = pose.time;
    out->sample = pose.pose;
}

bool fr_udp_tracker_read(fr_udp_tracker *tracker, uint32_t sensor, fr_sensor_pose *out) {
    return get_from(fr_triple_buffer_read(tracker->tables, NULL), sensor, out);
}
