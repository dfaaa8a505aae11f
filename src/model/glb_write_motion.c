// Writes tracks as animations of glTF: one for each clock, which stands in its extras, since the format has none. A
// node that turns about a centre becomes two: the first moves, the second brings the centre back.
#include "bytes.h"
#include "glb_write.h"

#include <math.h>

static const fr_model_placement *placement_of(const fr__glb_out *out, uint32_t node) {
    return &out->view->placements[out->view->nodes[node].placement];
}

static bool is_plain_kind(fr_model_track_kind kind) { return kind <= FR_MODEL_SCALE || kind == FR_MODEL_QUATERNION; }

// Whether glTF can have the parts of a placement: a scale along axes of its own alone, or the same along all.
static bool has_plain_parts(const fr_model_placement *p) {
    bool is_turned = p->scale_orientation.x != 0.0 || p->scale_orientation.y != 0.0 || p->scale_orientation.z != 0.0;
    return !is_turned || (p->scale.x == p->scale.y && p->scale.y == p->scale.z);
}

void fr__glb_find_moved(fr__glb_out *out) {
    const fr_model_view *view = out->view;
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        if (!is_plain_kind(track->kind) || out->node_ids[track->target] == FR_NONE) { continue; }
        out->is_moved[track->target] = has_plain_parts(placement_of(out, track->target));
    }
    // What moves by something else, too, stands still.
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        bool is_other = track->kind == FR_MODEL_CENTER || track->kind == FR_MODEL_SCALE_ORIENTATION;
        if (track->kind == FR_MODEL_SCALE && out->is_moved[track->target]) {
            fr_quat turn = placement_of(out, track->target)->scale_orientation;
            is_other = turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0;
        }
        if (is_other) { out->is_moved[track->target] = false; }
    }
}

bool fr__glb_has_center(const fr__glb_out *out, uint32_t node) {
    if (!out->is_moved[node]) { return false; }
    fr_vec3 center = placement_of(out, node)->center;
    return center.x != 0.0 || center.y != 0.0 || center.z != 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

static void put_vec3(fr__glb_out *out, const char *before, fr_vec3 v) {
    const float numbers[3] = {(float)v.x, (float)v.y, (float)v.z};
    fr__glb_put_floats(out, before, numbers, 3);
}

static void set_turn(fr_quat q, float turn[4]) {
    turn[0] = (float)q.x;
    turn[1] = (float)q.y;
    turn[2] = (float)q.z;
    turn[3] = (float)q.w;
}

void fr__glb_put_parts(fr__glb_out *out, uint32_t node) {
    const fr_model_placement *p = placement_of(out, node);
    float turn[4];
    set_turn(p->rotation, turn);
    put_vec3(out, ",\"translation\":", fr_vec3_add(p->translation, p->center));
    fr__glb_put_floats(out, ",\"rotation\":", turn, 4);
    put_vec3(out, ",\"scale\":", p->scale);
}

void fr__glb_put_center(fr__glb_out *out, uint32_t node) {
    put_vec3(out, ",\"translation\":", fr_vec3_negate(placement_of(out, node)->center));
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

static bool is_written(const fr__glb_out *out, const fr_model_track *track) {
    if (track->kind == FR_MODEL_WEIGHTS) {
        uint32_t mesh = out->view->nodes[track->target].mesh;
        return out->node_ids[track->target] != FR_NONE && out->mesh_ids[mesh] != FR_NONE;
    }
    return is_plain_kind(track->kind) && out->is_moved[track->target];
}

void fr__glb_put_track_views(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        if (!is_written(out, track)) { continue; }
        out->track_ids[i] = out->views;
        fr__glb_put_view(out, (uint64_t)4 * track->key_count, "}");
        fr__glb_put_view(out, (uint64_t)4 * track->key_count * track->width, "}");
    }
}

// The time of a key; those of glTF rise, where ours may stay for a jump. `before` is the time of the key before.
static float time_of(const fr__glb_out *out, const fr_model_track *track, uint32_t key, float before) {
    float time = (float)((double)track->keys[key] * out->view->clocks[track->clock].cycle);
    if (key == 0) { return time >= 0.0f ? time : 0.0f; }
    return time > before ? time : nextafterf(before, INFINITY);
}

void fr__glb_put_track_accessors(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->track_count && out->sink->status == FR_OK; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        if (out->track_ids[i] == FR_NONE) { continue; }
        float first = time_of(out, track, 0, 0.0f), last = first;
        for (uint32_t k = 1; k < track->key_count; k++) {
            last = time_of(out, track, k, last);
        }
        fr__glb_put_whole(out, out->track_ids[i] > 0 ? ",\n{\"bufferView\":" : "{\"bufferView\":", out->track_ids[i]);
        fr__glb_put_whole(out, ",\"componentType\":5126,\"type\":\"SCALAR\",\"count\":", track->key_count);
        fr__glb_put_floats(out, ",\"min\":", &first, 1);
        fr__glb_put_floats(out, ",\"max\":", &last, 1);
        fr__glb_put_whole(out, "},\n{\"bufferView\":", (uint64_t)out->track_ids[i] + 1);
        bool is_list = track->kind == FR_MODEL_WEIGHTS;
        fr__glb_put_whole(
            out, ",\"componentType\":5126,\"count\":", (uint64_t)track->key_count * (is_list ? track->width : 1));
        fr__glb_put(out, is_list             ? ",\"type\":\"SCALAR\"}"
                         : track->width == 4 ? ",\"type\":\"VEC4\"}"
                                             : ",\"type\":\"VEC3\"}");
    }
}

static void put_value(fr__glb_out *out, const fr_model_track *track, const float *value) {
    if (track->kind == FR_MODEL_QUATERNION || track->kind == FR_MODEL_WEIGHTS) {
        for (uint32_t k = 0; k < track->width; k++) {
            fr__store_float(fr__sink_room(out->sink, 4), value[k]);
        }
        return;
    }
    fr_vec3 v = fr_vec3_make((double)value[0], (double)value[1], (double)value[2]);
    float numbers[4];
    if (track->kind == FR_MODEL_ROTATION) {
        set_turn(fr_quat_from_axis_angle(v, (double)value[3]), numbers);
    } else {
        if (track->kind == FR_MODEL_TRANSLATION) { v = fr_vec3_add(v, placement_of(out, track->target)->center); }
        numbers[0] = (float)v.x;
        numbers[1] = (float)v.y;
        numbers[2] = (float)v.z;
    }
    for (uint32_t k = 0; k < track->width; k++) {
        fr__store_float(fr__sink_room(out->sink, 4), numbers[k]);
    }
}

void fr__glb_put_track_bytes(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->track_count && out->sink->status == FR_OK; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        if (out->track_ids[i] == FR_NONE) { continue; }
        float time = 0.0f;
        for (uint32_t k = 0; k < track->key_count; k++) {
            time = time_of(out, track, k, time);
            fr__store_float(fr__sink_room(out->sink, 4), time);
        }
        for (uint32_t k = 0; k < track->key_count; k++) {
            put_value(out, track, track->values + (size_t)track->width * k);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Animations

static void put_samplers(fr__glb_out *out, uint32_t clock) {
    const char *before = "{\"input\":";
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        if (out->view->tracks[i].clock != clock || out->track_ids[i] == FR_NONE) { continue; }
        fr__glb_put_whole(out, before, out->track_ids[i]);
        fr__glb_put_whole(out, ",\"output\":", (uint64_t)out->track_ids[i] + 1);
        fr__glb_put(out, "}");
        before = ",{\"input\":";
    }
}

static void put_channels(fr__glb_out *out, uint32_t clock) {
    static const char *const paths[] = {[FR_MODEL_TRANSLATION] = "translation",
                                        [FR_MODEL_ROTATION] = "rotation",
                                        [FR_MODEL_SCALE] = "scale",
                                        [FR_MODEL_QUATERNION] = "rotation",
                                        [FR_MODEL_WEIGHTS] = "weights"};
    uint32_t sampler = 0;
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        const fr_model_track *track = &out->view->tracks[i];
        if (track->clock != clock || out->track_ids[i] == FR_NONE) { continue; }
        fr__glb_put_whole(out, sampler > 0 ? ",{\"sampler\":" : "{\"sampler\":", sampler);
        // A mesh stands in the node below where that brings a centre back.
        uint32_t node = out->node_ids[track->target], inner = out->inner_ids[track->target];
        bool is_inner = track->kind == FR_MODEL_WEIGHTS && inner != FR_NONE;
        fr__glb_put_whole(out, ",\"target\":{\"node\":", is_inner ? inner : node);
        fr__glb_put_string(out, ",\"path\":", paths[track->kind]);
        fr__glb_put(out, "}}");
        sampler++;
    }
}

static void put_clock(fr__glb_out *out, const fr_model_clock *clock) {
    const struct {
        const char *before;
        double value;
    } numbers[] = {
        {"],\"extras\":{\"cycle\":", clock->cycle}, {",\"start\":", clock->start}, {",\"stop\":", clock->stop}};
    for (int i = 0; i < 3; i++) {
        fr__glb_put(out, numbers[i].before);
        fr__sink_double(out->sink, numbers[i].value);
    }
    fr__glb_put(out, clock->is_loop ? ",\"loop\":true" : ",\"loop\":false");
    fr__glb_put(out, clock->is_enabled ? ",\"enabled\":true}}" : ",\"enabled\":false}}");
}

static bool has_track(const fr__glb_out *out, uint32_t clock) {
    for (uint32_t i = 0; i < out->view->track_count; i++) {
        if (out->view->tracks[i].clock == clock && out->track_ids[i] != FR_NONE) { return true; }
    }
    return false;
}

void fr__glb_put_animations(fr__glb_out *out) {
    const char *before = ",\n\"animations\":[{\"name\":";
    for (uint32_t c = 0; c < out->view->clock_count; c++) {
        if (!has_track(out, c)) { continue; }
        fr__glb_put_string(out, before, out->view->clocks[c].name);
        fr__glb_put(out, ",\"samplers\":[");
        put_samplers(out, c);
        fr__glb_put(out, "],\"channels\":[");
        put_channels(out, c);
        put_clock(out, &out->view->clocks[c]);
        before = ",\n{\"name\":";
    }
    if (before[1] == '\n' && before[2] == '{') { fr__glb_put(out, "]"); }
}
