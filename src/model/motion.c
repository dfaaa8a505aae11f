// What tracks say at a time.
#include "model.h"

#include <math.h>
#include <string.h>

bool fr_model_clock_has_begun(const fr_model_clock *clock, double time) {
    return clock->is_enabled && clock->cycle > 0.0 && time >= clock->start;
}

double fr_model_clock_fraction(const fr_model_clock *clock, double time) {
    if (!fr_model_clock_has_begun(clock, time) || time == clock->start) { return 0.0; }
    if (clock->stop > clock->start && time > clock->stop) { time = clock->stop; }
    double turns = (time - clock->start) / clock->cycle;
    if (!clock->is_loop) { return turns < 1.0 ? turns : 1.0; }
    double fraction = turns - floor(turns);
    // The end of a cycle is its last key, not the first of the next.
    return fraction == 0.0 ? 1.0 : fraction;
}

// By the smaller angle from one turn to the other.
static void turn_between(const float *from, const float *to, double t, float *out) {
    fr_quat a =
        fr_quat_from_axis_angle(fr_vec3_make((double)from[0], (double)from[1], (double)from[2]), (double)from[3]);
    fr_quat b = fr_quat_from_axis_angle(fr_vec3_make((double)to[0], (double)to[1], (double)to[2]), (double)to[3]);
    fr_vec3 change = fr_quat_to_vector(fr_quat_multiply(b, fr_quat_conjugate(a)));
    fr_quat now = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(t, change)), a);
    fr_vec3 turn = fr_quat_to_vector(now);
    double angle = fr_vec3_length(turn);
    fr_vec3 axis = angle > 0.0 ? fr_vec3_scale(1.0 / angle, turn) : fr_vec3_make(0.0, 0.0, 1.0);
    out[0] = (float)axis.x;
    out[1] = (float)axis.y;
    out[2] = (float)axis.z;
    out[3] = (float)angle;
}

static fr_quat quat_of(const float *v) {
    fr_quat q = {.x = (double)v[0], .y = (double)v[1], .z = (double)v[2], .w = (double)v[3]};
    double length = sqrt((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w));
    if (!(length > 0.0)) { return fr_quat_identity(); }
    return (fr_quat){.x = q.x / length, .y = q.y / length, .z = q.z / length, .w = q.w / length};
}

// The last key that is not above the fraction, and how far the fraction is from it to the next: 0 at a key and beyond
// the last.
static uint32_t find_key(const fr_model_track *track, double fraction, double *t) {
    const float *keys = track->keys;
    uint32_t last = track->key_count - 1;
    uint32_t low = 0, high = last;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if ((double)keys[middle] <= fraction) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    bool is_key = low == last || (double)keys[low] >= fraction;
    *t = is_key ? 0.0 : (fraction - (double)keys[low]) / ((double)keys[low + 1] - (double)keys[low]);
    return low;
}

fr_quat fr__track_turn(const fr_model_track *track, double fraction) {
    double t = 0.0;
    const float *from = track->values + (size_t)4 * find_key(track, fraction, &t);
    fr_quat a = quat_of(from);
    if (t == 0.0) { return a; }
    fr_vec3 change = fr_quat_to_vector(fr_quat_multiply(quat_of(from + 4), fr_quat_conjugate(a)));
    return fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(t, change)), a);
}

void fr_model_track_value(const fr_model_track *track, double fraction, float *values) {
    uint32_t width = track->width;
    double t = 0.0;
    const float *from = track->values + (size_t)width * find_key(track, fraction, &t);
    if (t == 0.0) {
        memcpy(values, from, width * sizeof *values);
        return;
    }
    const float *to = from + width;
    if (track->kind == FR_MODEL_QUATERNION) {
        fr_quat q = fr__track_turn(track, fraction);
        const float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        memcpy(values, turn, sizeof turn);
        return;
    }
    if (track->kind == FR_MODEL_ROTATION || track->kind == FR_MODEL_SCALE_ORIENTATION) {
        turn_between(from, to, t, values);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        values[i] = (float)((double)from[i] + t * ((double)to[i] - (double)from[i]));
    }
}

void fr__set_placement(fr_model_placement *placement, fr_model_track_kind kind, const float *v) {
    fr_vec3 vector = fr_vec3_make((double)v[0], (double)v[1], (double)v[2]);
    switch (kind) {
    case FR_MODEL_TRANSLATION: placement->translation = vector; break;
    case FR_MODEL_ROTATION: placement->rotation = fr_quat_from_axis_angle(vector, (double)v[3]); break;
    case FR_MODEL_SCALE: placement->scale = vector; break;
    case FR_MODEL_CENTER: placement->center = vector; break;
    case FR_MODEL_SCALE_ORIENTATION:
        placement->scale_orientation = fr_quat_from_axis_angle(vector, (double)v[3]);
        break;
    default: break;
    }
}
