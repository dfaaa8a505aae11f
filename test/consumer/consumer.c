// Calls one function of each room of core, as a foreign program would.
#include "fureai/fureai.h"

#include <stdio.h>

int main(void) {
    fr_version version = fr_get_version();
    if (version.major != FR_VERSION_MAJOR || version.minor != FR_VERSION_MINOR) { return 1; }

    fr_pose pose = fr_pose_make(fr_vec3_make(1.0, 2.0, 3.0), fr_quat_identity());
    fr_vec3 point = fr_pose_apply(&pose, fr_vec3_make(1.0, 0.0, 0.0));
    printf("consumer: Fureai %d.%d.%d moves a point to %g %g %g\n", version.major, version.minor, version.patch,
           point.x, point.y, point.z);
    return point.x == 2.0 && point.y == 2.0 && point.z == 3.0 ? 0 : 1;
}
