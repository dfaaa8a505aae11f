// What tracks say at a time.
#include "model.h"

#include <math.h>
#include <string.h>

bool fr_model_clock_has_begun(const fr_model_clock *clock, double time) {
    return clock->enabled && clock->cycle > 0.0 && time >= clock->start;
}

double fr_model_clock_fraction(const fr_model_clock *clock, double time) {
    if (!fr_model_clock_has_begun(clock, time) || time == clock->start) { return 0.0; }
    if (clock->stop > clock->start && time > clock->stop) { time = clock->stop; }
    double turns = (time - clock->start) / clock->cycle;
    if (!clock->loop) { return turns < 1.0 ? turns : 1.0; }
    double fraction = turns - floor(turns);
    // The end of a cycle is its last key, not the first of the next.
    return fraction == 0.0 ? 1.0 : fraction;
}

// The short way from one turn to the other.
static void turn_between(const float *from, const float *to, double t, float *out) {
    fr_quat a =
        fr_quat_from_axis_angle(fr_vec3_make((double)from[0], (double)from[1], (double)from[2]), (double)from[3]);
    fr_quat b = fr_quat_from_axis_angle(fr_vec3_make((double)to[0], (double)to[1], (double)to[2]), (double)to[3]);
    fr_vec3 way = fr_quat_to_vector(fr_quat_multiply(b, fr_quat_conjugate(a)));
    fr_quat now = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(t, way)), a);
    fr_vec3 turn = fr_quat_to_vector(now);
    double angle = fr_vec3_length(turn);
    fr_vec3 axis = angle > 0.0 ? fr_vec3_scale(1.0 / angle, turn) : fr_vec3_make(0.0, 0.0, 1.0);
    out[0] = (float)axis.x;
    out[1] = (float)axis.y;
    out[2] = (float)axis.z;
    out[3] = (float)angle;
}

void fr_model_track_value(const fr_model_track *track, double fraction, float *values) {
    const float *keys = track->keys;
    uint32_t width = track->width, last = track->key_count - 1;
    // The last key that is not above the fraction.
    uint32_t low = 0, high = last;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if ((double)keys[middle] <= fraction) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    const float *from = track->values + (size_t)width * low;
    if (low == last || (double)keys[low] >= fraction) {
        memcpy(values, from, width * sizeof *values);
        return;
    }
    const float *to = from + width;
    double t = (fraction - (double)keys[low]) / ((double)keys[low + 1] - (double)keys[low]);
    if (track->kind == FR_MODEL_ROTATION || track->kind == FR_MODEL_SCALE_ORIENTATION) {
        turn_between(from, to, t, values);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        values[i] = (float)((double)from[i] + t * ((double)to[i] - (double)from[i]));
    }
}

static const fr_model_clock *clock_of(const fr_model *model, const fr_model_track *track) {
    return &model->view.clocks[track->clock];
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

// The node's placement at `time`; false where no track moves it.
static bool placement_at(const fr_model *model, uint32_t node, double time, fr_model_placement *out) {
    const fr_model_view *view = &model->view;
    bool is_moved = false;
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        if (track->kind >= FR_MODEL_COORDINATES || track->target != node) { continue; }
        if (!fr_model_clock_has_begun(clock_of(model, track), time)) { continue; }
        if (!is_moved) { *out = view->placements[view->nodes[node].placement]; }
        is_moved = true;
        float values[4] = {0};
        fr_model_track_value(track, fr_model_clock_fraction(clock_of(model, track), time), values);
        fr__set_placement(out, track->kind, values);
    }
    return is_moved;
}

void fr_model_transforms_at(const fr_model *model, double time, double *matrices) {
    const fr_model_view *view = &model->view;
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (uint32_t i = 0; i < view->node_count; i++) {
        const double *transform = view->nodes[i].transform != NULL ? view->nodes[i].transform : identity;
        memcpy(matrices + (size_t)12 * i, transform, sizeof identity);
    }
    // A node with several tracks is placed once for each: the last time with all of them.
    for (uint32_t i = 0; i < view->track_count; i++) {
        fr_model_placement placement;
        if (view->tracks[i].kind >= FR_MODEL_COORDINATES) { continue; }
        uint32_t node = view->tracks[i].target;
        if (placement_at(model, node, time, &placement)) {
            fr_model_placement_matrix(&placement, matrices + (size_t)12 * node);
        }
    }
}

bool fr_model_positions_at(const fr_model *model, uint32_t mesh, double time, float *positions) {
    const fr_model_view *view = &model->view;
    for (uint32_t i = view->track_count; i-- > 0;) {
        const fr_model_track *track = &view->tracks[i];
        if (track->kind != FR_MODEL_COORDINATES || track->target != mesh) { continue; }
        if (!fr_model_clock_has_begun(clock_of(model, track), time)) { continue; }
        fr_model_track_value(track, fr_model_clock_fraction(clock_of(model, track), time), positions);
        return true;
    }
    return false;
}
