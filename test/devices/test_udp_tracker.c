// Trackers over the loopback: poses come as they were sent, by our clock, and what is late, doubled, of another
// version, of a second sender or no number is counted and left out. A worn device is placed in the room by them.
#define _GNU_SOURCE
#include "frame.h"

#include "udp_packet.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static fr_udp_tracker *listen_here(void) {
    fr_udp_tracker_def def = fr_default_udp_tracker_def();
    fr_udp_tracker *tracker;
    assert_int_equal(fr_udp_tracker_create(&def, &tracker, NULL), FR_OK);
    assert_true(fr_udp_tracker_port(tracker) != 0);
    return tracker;
}

static fr_sensor_pose pose_at(uint32_t sensor, double time, double x) {
    return (fr_sensor_pose){.sensor = sensor,
                            .time = time,
                            .pose = fr_pose_make(fr_vec3_make(x, 0.1, -0.2), fr_quat_identity()),
                            .position_error = 1e-3,
                            .rotation_error = 2e-3};
}

static void test_poses_come_by_our_clock(void **state) {
    (void)state;
    fr_udp_tracker *tracker = listen_here();
    fr_udp_sender *sender;
    assert_int_equal(fr_udp_sender_create("127.0.0.1", fr_udp_tracker_port(tracker), &sender, NULL), FR_OK);
    fr_sensor_pose got, other;
    assert_false(fr_udp_tracker_get(tracker, 7, &got) || fr_udp_tracker_read(tracker, 7, &got));
    // The sender's clock is 5000 s behind ours; packets take 2 to 4 ms.
    for (int i = 0; i < 50; i++) {
        double sent = 1.0 + 0.01 * i, now = 5000.0 + sent + 0.002 + 0.001 * (i % 3);
        fr_sensor_pose a = pose_at(7, sent, 0.01 * i), b = pose_at(9, sent, -0.01 * i);
        assert_int_equal(fr_udp_sender_send(sender, &a, NULL), FR_OK);
        assert_int_equal(fr_udp_sender_send(sender, &b, NULL), FR_OK);
        fr_udp_tracker_step(tracker, now);
        assert_true(fr_udp_tracker_get(tracker, 7, &got) && fr_udp_tracker_read(tracker, 9, &other));
        assert_true(got.pose.position.x == a.pose.position.x && other.pose.position.x == b.pose.position.x);
        assert_true(got.position_error == 1e-3 && got.rotation_error == 2e-3);
        assert_true(got.time <= now && now - got.time < 0.0025);
    }
    assert_int_equal(fr_udp_tracker_counts(tracker).taken, 100);
    // What cannot be sent is refused, and nothing goes out.
    fr_sensor_pose wrong = pose_at(7, 2.0, (double)NAN);
    assert_int_equal(fr_udp_sender_send(sender, &wrong, NULL), FR_ERROR_ARGUMENT);
    wrong = pose_at(7, -1.0, 0.0);
    assert_int_equal(fr_udp_sender_send(sender, &wrong, NULL), FR_ERROR_ARGUMENT);
    wrong = pose_at(7, 2.0, 0.0);
    wrong.position_error = -1.0;
    assert_int_equal(fr_udp_sender_send(sender, &wrong, NULL), FR_ERROR_ARGUMENT);
    fr_udp_tracker_step(tracker, 5002.0);
    assert_int_equal(fr_udp_tracker_counts(tracker).taken, 100);
    fr_udp_sender_destroy(sender);
    fr_udp_tracker_destroy(tracker);
}

static void send_bytes(int fd, const fr_udp_tracker *tracker, const uint8_t *bytes, size_t size) {
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons(fr_udp_tracker_port(tracker));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(sendto(fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to), (ssize_t)size);
}

static size_t packet_of(uint32_t sequence, double time, double x, uint8_t bytes[FR__UDP_MAX_BYTES]) {
    fr__udp_packet p;
    memset(&p, 0, sizeof p);
    p.kind = FR__UDP_SENSOR;
    p.sequence = sequence;
    p.time_ns = (uint64_t)(1e9 * time);
    p.sensor = pose_at(1, time, x);
    return fr__udp_encode(&p, bytes);
}

static void set_check(uint8_t *bytes, size_t size) {
    uint32_t check = fr__udp_check(bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(check >> 8 * i);
    }
}

static void test_bad_packets_are_counted_and_left_out(void **state) {
    (void)state;
    fr_udp_tracker *tracker = listen_here();
    int first = socket(AF_INET, SOCK_DGRAM, 0), second = socket(AF_INET, SOCK_DGRAM, 0);
    uint8_t bytes[FR__UDP_MAX_BYTES];
    size_t size = packet_of(10, 1.0, 0.5, bytes);
    send_bytes(first, tracker, bytes, size);
    fr_udp_tracker_step(tracker, 100.0);
    send_bytes(first, tracker, bytes, size);                            // doubled
    send_bytes(first, tracker, bytes, packet_of(9, 0.99, 0.4, bytes));  // late
    send_bytes(first, tracker, bytes, packet_of(11, 0.5, 0.4, bytes));  // of the past
    send_bytes(second, tracker, bytes, packet_of(12, 1.1, 0.4, bytes)); // a second sender
    size = packet_of(13, 1.2, 0.4, bytes);
    bytes[4] = 2; // another version
    set_check(bytes, size);
    send_bytes(first, tracker, bytes, size);
    size = packet_of(14, 1.3, (double)NAN, bytes);
    send_bytes(first, tracker, bytes, size);
    fr__udp_packet reading;
    memset(&reading, 0, sizeof reading);
    reading.kind = FR__UDP_READING;
    send_bytes(first, tracker, bytes, fr__udp_encode(&reading, bytes)); // not of a tracker
    fr_udp_tracker_step(tracker, 100.01);
    fr_udp_counts c = fr_udp_tracker_counts(tracker);
    assert_true(c.taken == 1 && c.old == 3 && c.strangers == 1 && c.wrong[FR_UDP_WRONG_VERSION] == 1);
    assert_true(c.wrong[FR_UDP_WRONG_VALUE] == 1 && c.wrong[FR_UDP_WRONG_KIND] == 1);
    fr_sensor_pose got;
    assert_true(fr_udp_tracker_get(tracker, 1, &got) && got.pose.position.x == 0.5);

    // One that begins again after a silence is taken; the second sender when the first is gone for a second.
    send_bytes(first, tracker, bytes, packet_of(1, 0.1, 0.6, bytes));
    fr_udp_tracker_step(tracker, 100.2);
    assert_true(fr_udp_tracker_get(tracker, 1, &got) && got.pose.position.x == 0.6);
    send_bytes(second, tracker, bytes, packet_of(1, 7.0, 0.7, bytes));
    fr_udp_tracker_step(tracker, 101.3);
    assert_true(fr_udp_tracker_get(tracker, 1, &got) && got.pose.position.x == 0.7);

    // More sensors than there are places
    fr_udp_tracker_destroy(tracker);
    tracker = listen_here();
    for (uint32_t i = 0; i < FR_UDP_SENSORS_MAX + 3; i++) {
        fr__udp_packet p;
        memset(&p, 0, sizeof p);
        p.kind = FR__UDP_SENSOR;
        p.sequence = i;
        p.sensor = pose_at(i, 0.0, 0.0);
        send_bytes(first, tracker, bytes, fr__udp_encode(&p, bytes));
        fr_udp_tracker_step(tracker, 1.0);
    }
    assert_int_equal(fr_udp_tracker_counts(tracker).wrong[FR_UDP_WRONG_VALUE], 3);
    close(first);
    close(second);
    fr_udp_tracker_destroy(tracker);
}

// ---------------------------------------------------------------------------------------------------------------
// A worn device

static void sense(fr_track_input *out, void *user) { fr_udp_tracker_sense(user, 0, out); }

static fr_pose body_at(double now) {
    return fr_pose_make(fr_vec3_make(0.3 + 0.1 * now, 1.2, 0.0), fr_quat_from_vector(fr_vec3_make(0.0, 0.2, 0.0)));
}

static void test_a_worn_device_is_placed_in_the_room(void **state) {
    (void)state;
    fr_udp_tracker *tracker = listen_here();
    fr_udp_sender *sender;
    assert_int_equal(fr_udp_sender_create("127.0.0.1", fr_udp_tracker_port(tracker), &sender, NULL), FR_OK);
    fr_simulated_tracker_def noise = fr_default_simulated_tracker_def();
    fr_simulated_tracker *sensor;
    assert_int_equal(fr_simulated_tracker_create(&noise, &sensor, NULL), FR_OK);
    fr_simulated_pen_def pen_def = fr_default_simulated_pen_def();
    fr_simulated_pen *pen;
    assert_int_equal(fr_simulated_pen_create(&pen_def, &pen, NULL), FR_OK);
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.device = fr_simulated_pen_device(pen);
    def.sense = sense;
    def.sense_user = tracker;
    fr_haptic_loop *loop;
    assert_int_equal(fr_haptic_loop_create(&def, &loop, NULL), FR_OK);
    double worst = 0.0;
    for (int i = 0; i < 3000; i++) {
        double now = 1e-3 * i;
        fr_pose truth = body_at(now);
        fr_udp_sender_track(sender, sensor, 0, now, &truth);
        fr_simulated_pen_advance(pen, 1e-3);
        fr_haptic_loop_step(loop, now);
        fr_haptic_state felt = fr_haptic_loop_state(loop);
        if (i < 1000) { continue; }
        assert_int_equal(felt.track_flags & FR_TRACK_LOST, 0);
        fr_vec3 tip = fr_pose_apply(&truth, fr_simulated_pen_get(pen).tip);
        worst = fmax(worst, fr_vec3_distance(felt.tip, tip));
    }
    print_message("the worn pen is off by %.1f mm at most\n", 1e3 * worst);
    assert_true(worst < 0.015); // 1.2 m from the centre the sensor is off by 3.4 mm along each axis
    // The tracker falls silent: the pose is lost, and no force is left.
    for (int i = 3000; i < 3200; i++) {
        fr_simulated_pen_advance(pen, 1e-3);
        fr_haptic_loop_step(loop, 1e-3 * i);
    }
    assert_true((fr_haptic_loop_state(loop).track_flags & FR_TRACK_LOST) != 0);
    assert_true((fr_haptic_loop_state(loop).flags & FR_HAPTIC_FAULT) != 0);
    fr_haptic_loop_destroy(loop);
    fr_simulated_pen_destroy(pen);
    fr_simulated_tracker_destroy(sensor);
    fr_udp_sender_destroy(sender);
    fr_udp_tracker_destroy(tracker);
}

static void test_wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_udp_tracker_def def = fr_default_udp_tracker_def();
    fr_udp_tracker *tracker, *second;
    fr_udp_sender *sender;
    fr_error error;
    def.address = "localhost";
    assert_int_equal(fr_udp_tracker_create(&def, &tracker, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_udp_sender_create("nowhere", 1, &sender, &error), FR_ERROR_ARGUMENT);
    def = fr_default_udp_tracker_def();
    def.cookie = 0;
    assert_int_equal(fr_udp_tracker_create(&def, &tracker, &error), FR_ERROR_ARGUMENT);
    tracker = listen_here();
    def = fr_default_udp_tracker_def();
    def.port = fr_udp_tracker_port(tracker);
    assert_int_equal(fr_udp_tracker_create(&def, &second, &error), FR_ERROR_SYSTEM);
    fr_udp_tracker_destroy(tracker);
    fr_udp_tracker_destroy(NULL);
    fr_udp_sender_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_come_by_our_clock),
        cmocka_unit_test(test_bad_packets_are_counted_and_left_out),
        cmocka_unit_test(test_a_worn_device_is_placed_in_the_room),
        cmocka_unit_test(test_wrong_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
