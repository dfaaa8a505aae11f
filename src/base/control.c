// How a long call asks its caller whether to stop, and reports progress.
#include "fureai/base.h"

bool fr_control_is_stopped(const fr_control *control) {
    return control != NULL && control->stop != NULL && control->stop(control->user);
}

void fr_control_progress(const fr_control *control, double fraction, const char *stage) {
    if (control == NULL || control->progress == NULL) { return; }

    // Written so that a quotient of zeros, which is not a number, counts as no progress.
    double reported = fraction > 0.0 ? fraction : 0.0;
    control->progress(reported < 1.0 ? reported : 1.0, stage, control->user);
}
