// The first program: a door swings half round in one step of time. Looking at the two ends of the step alone misses
// what its handle sweeps over in between; the bounds of the handle's path do not.
#include "fureai/fureai.h"

#include <math.h>
#include <stdio.h>

// Rounded to centimetres, without the minus sign of a rounded zero.
static double shown(double metres) { return floor(metres * 100.0 + 0.5) / 100.0; }

static void print_bounds(const char *label, fr_bounds bounds) {
    printf("  %-17s x %5.2f .. %4.2f   z %5.2f .. %4.2f\n", label, shown(bounds.min.x), shown(bounds.max.x),
           shown(bounds.min.z), shown(bounds.max.z));
}

int main(void) {
    fr_version version = fr_get_version();
    printf("Fureai %d.%d.%d\n", version.major, version.minor, version.patch);

    // The door hangs on the axis y through its origin. Its handle is 0.9 m away from the hinge, 1 m above the floor.
    fr_pose closed = fr_pose_identity();
    fr_vec3 hinge_local = {0.0, 0.0, 0.0};
    fr_vec3 handle_local = {0.9, 1.0, 0.0};
    fr_vec3 no_velocity = {0.0, 0.0, 0.0};
    fr_vec3 angular_velocity = {0.0, fr_radians(180.0), 0.0};
    fr_motion swing = fr_motion_from_velocity(&closed, hinge_local, no_velocity, angular_velocity, 1.0);

    printf("\nA door swings by 180 degrees in one step. Its handle is at\n");
    fr_bounds ends = fr_bounds_empty();
    for (int i = 0; i <= 4; ++i) {
        double t = i / 4.0;
        fr_vec3 handle = fr_motion_point(&swing, handle_local, t);
        printf("  t = %4.2f          x %5.2f         y %4.2f   z %5.2f\n", t, shown(handle.x), shown(handle.y),
               shown(handle.z));
        if (i == 0 || i == 4) { ends = fr_bounds_with_point(&ends, handle); }
    }

    fr_bounds path = fr_motion_path_bounds(&swing, handle_local, 0.0, 1.0);
    printf("\nThe upright box that holds it\n");
    print_bounds("at both ends", ends);
    print_bounds("on the whole path", path);

    // A cup stands where the handle passes in the middle of the step.
    fr_vec3 cup = {0.0, 1.0, -0.9};
    bool seen_at_ends = fr_bounds_contain_point(&ends, cup);
    bool seen_on_path = fr_bounds_contain_point(&path, cup);
    printf("\nA cup stands at x %.2f, z %.2f. Both ends of the step %s it; the whole path %s it.\n", cup.x, cup.z,
           seen_at_ends ? "show" : "miss", seen_on_path ? "shows" : "misses");
    return !seen_at_ends && seen_on_path ? 0 : 1;
}
