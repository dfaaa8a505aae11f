// A pen on four strings leans on a wall, a thousand ticks a second, worn by a person whom a tracker follows over UDP;
// both are simulated. Prints where the pen is and what it feels.
#include "fureai/devices.h"

#include <stdio.h>
#include <string.h>

static void sense(fr_track_input *out, void *tracker) { fr_udp_tracker_sense(tracker, 0, out); }

static bool make_tracker(fr_udp_tracker **tracker, fr_udp_sender **sender, fr_simulated_tracker **sensor) {
    fr_udp_tracker_def def = fr_default_udp_tracker_def();
    fr_simulated_tracker_def noise = fr_default_simulated_tracker_def();
    return fr_udp_tracker_create(&def, tracker, NULL) == FR_OK &&
           fr_udp_sender_create("127.0.0.1", fr_udp_tracker_port(*tracker), sender, NULL) == FR_OK &&
           fr_simulated_tracker_create(&noise, sensor, NULL) == FR_OK;
}

int main(void) {
    fr_udp_tracker *tracker = NULL;
    fr_udp_sender *sender = NULL;
    fr_simulated_tracker *sensor = NULL;
    if (!make_tracker(&tracker, &sender, &sensor)) { return 1; }
    fr_simulated_wander hand = {.centre = {0.0, 0.01, 0.0}, .seconds = 1.0}; // above the wall at first
    fr_simulated_pen_def pen_def = fr_default_simulated_pen_def();
    pen_def.wish = fr_simulated_wander_wish;
    pen_def.wish_user = &hand;
    fr_simulated_pen *pen;
    if (fr_simulated_pen_create(&pen_def, &pen, NULL) != FR_OK) { return 1; }
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.device = fr_simulated_pen_device(pen);
    def.sense = sense;
    def.sense_user = tracker;
    fr_haptic_loop *loop;
    if (fr_haptic_loop_create(&def, &loop, NULL) != FR_OK) { return 1; }

    // The person stands 0.2 m to the right; the wall is the floor of the room.
    fr_pose body = fr_pose_make(fr_vec3_make(0.2, 0.0, 0.0), fr_quat_identity());
    fr_haptic_contact wall;
    memset(&wall, 0, sizeof wall);
    wall.has_planes = true;
    wall.plane_count = 1;
    wall.planes[0] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .side = 1};
    for (int i = 0; i < 2000; i++) {
        double now = 1e-3 * i;
        if (i == 500) { hand.centre.y = -0.03; }
        if (i % 16 == 0) { fr_haptic_loop_send(loop, &wall); }
        fr_udp_sender_track(sender, sensor, 0, now, &body);
        fr_simulated_pen_advance(pen, 1e-3);
        fr_haptic_loop_step(loop, now);
    }
    fr_haptic_state state = fr_haptic_loop_state(loop);
    printf("the tip is %.2f m to the right, and the wall pushes it with %.0f N\n", state.tip.x, state.force.y);
    fr_haptic_loop_destroy(loop);
    fr_simulated_pen_destroy(pen);
    fr_simulated_tracker_destroy(sensor);
    fr_udp_sender_destroy(sender);
    fr_udp_tracker_destroy(tracker);
    return state.force.y > 1.0 && state.force.y <= 4.0 ? 0 : 1;
}
