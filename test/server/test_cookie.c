// Definitions and inputs of room server that no fr_default_X made are refused.
#include "cookie.h"

#include "fureai/server.h"

#define CASES(X)                                                                                                       \
    X(client, fr_client_def, fr_default_client_def, fr_client_create(&given, COOKIE_OUT(fr_client), error))            \
    X(server, fr_server_def, fr_default_server_def, fr_server_create(&given, COOKIE_OUT(fr_server), error))            \
    X(served, fr_served_scene_def, fr_default_served_scene_def,                                                        \
      fr_served_scene_create(&given, &(fr_served_scene){0}, error))                                                    \
    X(clashes, fr_served_clashes_def, fr_default_served_clashes_def,                                                   \
      fr_served_clashes_create(&given, &(fr_served_scene){0}, error))

COOKIE_TABLE(CASES)

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_cookie_is_a_status)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
