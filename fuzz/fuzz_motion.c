// Any bytes as a motion, a point and two times: a motion that passes the check keeps its promises.
#include "fureai/math.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    fr_motion motion;
    fr_vec3 point_local;
    double t0, t1;
} input;

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in;
    memset(&in, 0, sizeof in);
    memcpy(&in, data, size < sizeof in ? size : sizeof in);

    fr_error error;
    fr_motion before = in.motion;
    fr_status status = fr_motion_check(&in.motion, &error);
    if (status != FR_OK) {
        require(error.status == status && error.message[0] != '\0');
        require(memcmp(&before, &in.motion, sizeof before) == 0);
        return 0;
    }

    // A motion that was accepted is accepted again, unchanged.
    before = in.motion;
    require(fr_motion_check(&in.motion, NULL) == FR_OK);
    require(memcmp(&before, &in.motion, sizeof before) == 0);

    // The path between two times stays in its bounds, up to what the place at one moment is rounded by.
    bool ordered = in.t0 >= 0.0 && in.t0 <= in.t1 && in.t1 <= 1.0;
    if (!ordered || !fr_vec3_is_finite(in.point_local)) { return 0; }
    fr_bounds bounds = fr_motion_path_bounds(&in.motion, in.point_local, in.t0, in.t1);
    for (int i = 0; i <= 4; ++i) {
        double t = in.t0 + (in.t1 - in.t0) * (i / 4.0);
        fr_vec3 place = fr_motion_point(&in.motion, in.point_local, t);
        if (!fr_vec3_is_finite(place)) { continue; }
        double turn = fr_vec3_largest(in.motion.turn);
        double reach =
            fr_vec3_largest(place) + fr_vec3_largest(in.motion.start.position) + fr_vec3_largest(in.motion.travel) +
            in.motion.start.scale * (fr_vec3_largest(in.point_local) + fr_vec3_largest(in.motion.pivot_local));
        fr_bounds grown = fr_bounds_grow(&bounds, 64.0 * 0x1p-53 * (1.0 + turn) * reach + 1e-300);
        require(fr_bounds_contain_point(&grown, place));
    }
    return 0;
}
