// Definitions and inputs of room actor that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/actor_remote.h"

#define CASES(X)                                                                                                       \
    X(cast, fr_cast_def, fr_default_cast_def, fr_cast_create(&given, COOKIE_OUT(fr_cast), error))                      \
    X(follower, fr_follower_def, fr_default_follower_def, fr_follower_create(&given, COOKIE_OUT(fr_follower), error))  \
    X(forecast, fr_forecast_def, fr_default_forecast_def, fr_forecast_create(&given, COOKIE_OUT(fr_forecast), error))  \
    X(hands, fr_hands_def, fr_default_hands_def, fr_hands_create(&given, COOKIE_OUT(fr_hands), error))                 \
    X(pilot, fr_pilot_def, fr_default_pilot_def, fr_pilot_create(&given, COOKIE_OUT(fr_pilot), error))                 \
    X(pen, fr_pen_def, fr_default_pen_def, fr_pen_create(&given, COOKIE_OUT(fr_pen), error))                           \
    X(remote, fr_remote_def, fr_default_remote_def, fr_remote_create(&given, COOKIE_OUT(fr_remote), error))            \
    X(seeker, fr_seeker_def, fr_default_seeker_def, fr_seeker_create(&given, COOKIE_OUT(fr_seeker), error))            \
    X(assembler, fr_assembler_def, fr_default_assembler_def,                                                           \
      fr_assembler_create(&given, COOKIE_OUT(fr_assembler), error))                                                    \
    X(octree_layer, fr_octree_layer_def, fr_default_octree_layer_def,                                                  \
      fr_octree_layer_create(&given, &(fr_actor){0}, error))                                                           \
    X(radar_layer, fr_radar_layer_def, fr_default_radar_layer_def, fr_radar_layer_create(&given, &(fr_actor){0}, error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
