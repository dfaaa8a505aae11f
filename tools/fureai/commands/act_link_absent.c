// Stands for the connection to a served world where the tool is built without sockets.
#include "act_link.h"

fr_status act_link_open(tool *t, const fr_replica_def *replica, act_link **out, fr_error *error) {
    (void)t;
    (void)replica;
    *out = NULL;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no sockets: act cannot connect");
}

fr_status act_link_exchange(act_link *link, const fr_control *control, fr_error *error) {
    (void)link;
    (void)control;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no sockets");
}

uint64_t act_link_updates(const act_link *link) {
    (void)link;
    return 0;
}

void act_link_close(act_link *link) { (void)link; }
