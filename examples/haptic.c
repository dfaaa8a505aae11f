// A pen on four strings is pushed against a wall by a hand: where its tip is, the force at it a thousand times a
// second, and what the strings pull by.
#include "fureai/haptic.h"

#include <stdio.h>

#define DT 1e-3 // seconds

// Lengths as pulleys would count them, in steps of 0.1 mm.
static void measure(const fr_strings *strings, fr_vec3 tip, double lengths[FR_STRING_COUNT]) {
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double steps = fr_vec3_distance(tip, strings->anchors[i]) / 1e-4;
        lengths[i] = 1e-4 * (double)(long)(steps + 0.5);
    }
}

int main(void) {
    fr_error error;
    fr_strings strings = fr_default_strings();
    fr_haptic_def def = fr_default_haptic_def();
    fr_haptic *haptic = NULL;
    if (fr_haptic_create(&def, &haptic, &error) != FR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    fr_vec3 pen = {0.0, 0.01, 0.0}, velocity = {0.0, 0.0, 0.0};
    fr_strings_tip_output at = {.tip = pen};
    fr_string_watch watch = fr_default_string_watch();
    for (int tick = 0; tick <= 600; tick++) {
        double lengths[FR_STRING_COUNT];
        measure(&strings, pen, lengths);
        fr_vec3 last = at.tip;
        if (fr_strings_tip(&strings, lengths, &last, &at, &error) != FR_OK) { return 1; }

        // Sixty times a second the slower loop sends what is near: here the floor at height 0
        fr_haptic_input in = {.dt = DT, .tip = at.tip, .is_held = true};
        in.is_slipped = fr_strings_watch(&watch, at.residual, DT);
        in.has_planes = tick % 16 == 0;
        in.planes[in.plane_count++] = (fr_haptic_plane){.id = 1, .normal = {0.0, 1.0, 0.0}, .side = 1};
        fr_haptic_output out;
        fr_haptic_tick(haptic, &in, &out);
        fr_strings_pull_output pull;
        if (fr_strings_pull(&strings, at.tip, out.force, FR_PULL_SAME_DIRECTION, &pull, &error) != FR_OK) { return 1; }
        if (tick % 100 == 0) {
            printf("%.1f s: height %6.2f mm, force %.2f N, strings %.2f %.2f %.2f %.2f N\n", tick * DT, 1e3 * pen.y,
                   out.force.y, pull.tensions[0], pull.tensions[1], pull.tensions[2], pull.tensions[3]);
        }

        // The hand: 0.2 kg that wishes to be 15 mm below the floor
        fr_vec3 wish = {0.0, -0.015, 0.0};
        fr_vec3 force = fr_vec3_add(pull.force, fr_vec3_scale(150.0, fr_vec3_sub(wish, pen)));
        force = fr_vec3_add_scaled(force, -6.0, velocity);
        velocity = fr_vec3_add_scaled(velocity, DT / 0.2, force);
        pen = fr_vec3_add_scaled(pen, DT, velocity);
    }
    fr_haptic_destroy(haptic);
    return 0;
}
