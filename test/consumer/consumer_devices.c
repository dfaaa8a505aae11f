// A pen on strings that does not exist leans on a wall through libfureai-devices, as a foreign program would make it.
#include "fureai/devices.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    fr_simulated_wander down = {.centre = {0.0, -0.03, 0.0}, .seconds = 1.0};
    fr_simulated_pen_def pen_def = fr_default_simulated_pen_def();
    pen_def.wish = fr_simulated_wander_wish;
    pen_def.wish_user = &down;
    fr_simulated_pen *pen;
    if (fr_simulated_pen_create(&pen_def, &pen, NULL) != FR_OK) { return 1; }
    fr_haptic_loop_def def = fr_default_haptic_loop_def();
    def.device = fr_simulated_pen_device(pen);
    fr_haptic_loop *loop;
    if (fr_haptic_loop_create(&def, &loop, NULL) != FR_OK) { return 1; }
    fr_haptic_contact wall;
    memset(&wall, 0, sizeof wall);
    wall.has_planes = true;
    wall.plane_count = 1;
    wall.planes[0] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .side = 1};
    for (int i = 0; i < 1000; i++) {
        if (i % 16 == 0) { fr_haptic_loop_send(loop, &wall); }
        fr_simulated_pen_advance(pen, 1e-3);
        fr_haptic_loop_step(loop, 1e-3 * i);
    }
    double force = fr_haptic_loop_state(loop).force.y;
    printf("consumer: a wall pushes back with %.1f N\n", force);
    fr_haptic_loop_destroy(loop);
    fr_simulated_pen_destroy(pen);
    return force > 1.0 && force <= 4.0 ? 0 : 1;
}
