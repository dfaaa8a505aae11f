// Animations of a glTF file: one clock for each, a track for each channel that moves a node. What is interpolated in
// another way than linearly becomes more keys.
#include "gltf.h"

#include <math.h>
#include <string.h>

#define CURVE_STEPS 8 // pieces of a curve between two keys

static fr_status no_memory(fr__gltf *gltf) {
    return fr__cursor_fail(&gltf->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

typedef enum way { WAY_LINEAR, WAY_STEP, WAY_CURVE } way;

typedef struct motion {
    fr__gltf *gltf;
    const uint32_t *nodes; // the builder's for each of the document's
    fr_array times;        // float, of the sampler at hand
    fr_array values;       // float
    fr_array keys, out;    // float, as tracks have them
    double cycle;          // of the animation at hand
    uint32_t clock;
} motion;

// ---------------------------------------------------------------------------------------------------------------
// Clocks

static double number_of(const fr__json *json, uint32_t object, const char *key, double usual) {
    double value = usual;
    bool is_number = fr__json_number_of(json, fr__json_member(json, object, key), &value);
    return is_number && isfinite(value) ? value : usual;
}

static bool truth_of(const fr__json *json, uint32_t object, const char *key, bool usual) {
    uint32_t token = fr__json_member(json, object, key);
    return token != 0 ? *fr__json_text(json, token).begin == 't' : usual;
}

// Times of a sampler, which rise from 0.
static fr_status read_times(motion *m, uint32_t sampler) {
    uint32_t token = fr__json_member(&m->gltf->json, sampler, "input");
    FR__TRY(fr__gltf_floats(m->gltf, token, 1, &m->times));
    const float *times = m->times.data;
    for (size_t i = 0; i < m->times.count; i++) {
        if (times[i] >= (i > 0 ? times[i - 1] : 0.0f)) { continue; }
        return fr__gltf_fail(m->gltf, token, FR_ERROR_CORRUPT, "time %zu of an animation is before the one before it",
                             i);
    }
    return FR_OK;
}

// The last time of all samplers: how long the animation is.
static fr_status find_length(motion *m, uint32_t samplers, double *length) {
    const fr__json *json = &m->gltf->json;
    *length = 0.0;
    for (uint32_t s = fr__json_first(json, samplers); s != 0; s = fr__json_next(json, samplers, s)) {
        FR__TRY(read_times(m, s));
        double last = (double)((const float *)m->times.data)[m->times.count - 1];
        *length = last > *length ? last : *length;
    }
    return FR_OK;
}

// The clock of an animation: our own words where it has them, otherwise again and again over its length.
static fr_status add_clock(motion *m, uint32_t animation) {
    const fr__json *json = &m->gltf->json;
    uint32_t extras = fr__json_member(json, animation, "extras"), name = fr__json_member(json, animation, "name");
    double length = 0.0;
    FR__TRY(find_length(m, fr__json_member(json, animation, "samplers"), &length));
    m->cycle = number_of(json, extras, "cycle", length);
    if (!(m->cycle > 0.0)) { m->cycle = 1.0; }
    fr_model_clock clock = {.name = name != 0 ? fr__gltf_text(m->gltf, name) : "",
                            .cycle = m->cycle,
                            .start = number_of(json, extras, "start", 0.0),
                            .stop = number_of(json, extras, "stop", 0.0),
                            .loop = truth_of(json, extras, "loop", true),
                            .enabled = truth_of(json, extras, "enabled", true)};
    if (clock.name == NULL) { return no_memory(m->gltf); }
    m->clock = fr__builder_add(&m->gltf->reader->builder.clocks, &clock);
    return m->clock != FR_NONE ? FR_OK : no_memory(m->gltf);
}

// ---------------------------------------------------------------------------------------------------------------
// Keys

static fr_quat quat_of(const float *v) {
    fr_quat q = {.x = (double)v[0], .y = (double)v[1], .z = (double)v[2], .w = (double)v[3]};
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0.0)) { return (fr_quat){.w = 1.0}; }
    return (fr_quat){.x = q.x / length, .y = q.y / length, .z = q.z / length, .w = q.w / length};
}

// One more key; a rotation becomes axis and angle.
static fr_status push_key(motion *m, double time, const float *value, uint32_t width) {
    float *key = fr__push(&m->keys, 1), *out = fr__push(&m->out, width);
    if (key == NULL || out == NULL) { return no_memory(m->gltf); }
    *key = (float)(time / m->cycle);
    memcpy(out, value, width * sizeof *out);
    if (width < 4) { return FR_OK; }
    fr_vec3 turn = fr_quat_to_vector(quat_of(value));
    double angle = fr_vec3_length(turn);
    fr_vec3 axis = angle > 0.0 ? fr_vec3_scale(1.0 / angle, turn) : fr_vec3_make(0.0, 0.0, 1.0);
    out[0] = (float)axis.x;
    out[1] = (float)axis.y;
    out[2] = (float)axis.z;
    out[3] = (float)angle;
    return FR_OK;
}

// A point of the curve between two keys, each with the slope before it, its value and the slope after it.
static void curve_at(const float *from, const float *to, uint32_t width, double span, double s, float *value) {
    double s2 = s * s, s3 = s2 * s;
    for (uint32_t k = 0; k < width; k++) {
        double p0 = (double)from[width + k], m0 = span * (double)from[2 * width + k];
        double p1 = (double)to[width + k], m1 = span * (double)to[k];
        value[k] = (float)((2.0 * s3 - 3.0 * s2 + 1.0) * p0 + (s3 - 2.0 * s2 + s) * m0 + (3.0 * s2 - 2.0 * s3) * p1 +
                           (s3 - s2) * m1);
    }
}

static fr_status push_curve(motion *m, uint32_t width) {
    const float *times = m->times.data, *values = m->values.data;
    size_t count = m->times.count;
    FR__TRY(fr__gltf_count(m->gltf, 0, (uint64_t)CURVE_STEPS * count));
    for (size_t i = 0; i + 1 < count; i++) {
        const float *from = values + (size_t)3 * width * i;
        double begin = (double)times[i], span = (double)times[i + 1] - begin;
        for (int step = 0; step < CURVE_STEPS; step++) {
            float value[4] = {0};
            double s = (double)step / CURVE_STEPS;
            curve_at(from, from + (size_t)3 * width, width, span, s, value);
            FR__TRY(push_key(m, begin + s * span, value, width));
        }
    }
    return push_key(m, (double)times[count - 1], values + (size_t)3 * width * (count - 1) + width, width);
}

static fr_status push_keys(motion *m, uint32_t width, way by) {
    const float *times = m->times.data, *values = m->values.data;
    m->keys.count = m->out.count = 0;
    if (by == WAY_CURVE) { return push_curve(m, width); }
    for (size_t i = 0; i < m->times.count; i++) {
        // A value that stays until the next key has another key there.
        if (by == WAY_STEP && i > 0) {
            FR__TRY(push_key(m, (double)times[i], values + (size_t)width * (i - 1), width));
        }
        FR__TRY(push_key(m, (double)times[i], values + (size_t)width * i, width));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Channels

static fr_vec3 vector_of(const fr__json *json, uint32_t node, const char *key, double usual) {
    uint32_t array = fr__json_member(json, node, key), item = fr__json_first(json, array);
    double v[3] = {usual, usual, usual};
    for (int i = 0; i < 3 && item != 0; i++, item = fr__json_next(json, array, item)) {
        fr__json_number_of(json, item, &v[i]);
    }
    return fr_vec3_make(v[0], v[1], v[2]);
}

// The parts of a node's transform, which were checked before; made when first moved.
static fr_status place_node(motion *m, uint64_t number, uint32_t index) {
    fr__builder *builder = &m->gltf->reader->builder;
    const fr__json *json = &m->gltf->json;
    uint32_t token = fr__gltf_item(m->gltf, FR__GLTF_NODES, number);
    fr_model_node *node = (fr_model_node *)builder->nodes.data + index;
    if (node->placement != FR_NONE) { return FR_OK; }
    uint32_t array = fr__json_member(json, token, "rotation"), item = fr__json_first(json, array);
    float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int i = 0; i < 4 && item != 0; i++, item = fr__json_next(json, array, item)) {
        double value = 0.0;
        if (fr__json_number_of(json, item, &value)) { turn[i] = (float)value; }
    }
    fr_model_placement placement = {.translation = vector_of(json, token, "translation", 0.0),
                                    .scale = vector_of(json, token, "scale", 1.0),
                                    .rotation = quat_of(turn),
                                    .scale_orientation = {.w = 1.0}};
    node->placement = fr__builder_add(&builder->placements, &placement);
    return node->placement != FR_NONE ? FR_OK : no_memory(m->gltf);
}

static fr_status add_track(motion *m, fr_model_track_kind kind, uint32_t target, uint32_t width) {
    fr__builder *builder = &m->gltf->reader->builder;
    size_t count = m->keys.count;
    float *numbers = fr__builder_alloc(builder, count * (1 + (size_t)width), sizeof(float), sizeof(float));
    if (numbers == NULL) { return no_memory(m->gltf); }
    memcpy(numbers, m->keys.data, count * sizeof(float));
    memcpy(numbers + count, m->out.data, count * width * sizeof(float));
    fr_model_track track = {kind, target, m->clock, (uint32_t)count, width, numbers, numbers + count};
    return fr__builder_add(&builder->tracks, &track) != FR_NONE ? FR_OK : no_memory(m->gltf);
}

static fr_status read_sampler(motion *m, uint32_t sampler, uint32_t width) {
    const fr__json *json = &m->gltf->json;
    uint32_t word = fr__json_member(json, sampler, "interpolation"), output = fr__json_member(json, sampler, "output");
    way by = fr__json_is(json, word, "STEP")          ? WAY_STEP
             : fr__json_is(json, word, "CUBICSPLINE") ? WAY_CURVE
                                                      : WAY_LINEAR;
    FR__TRY(read_times(m, sampler));
    FR__TRY(fr__gltf_floats(m->gltf, output, width, &m->values));
    size_t needed = m->times.count * width * (by == WAY_CURVE ? 3 : 1);
    if (m->values.count != needed) {
        return fr__gltf_fail(m->gltf, output, FR_ERROR_CORRUPT, "%zu numbers for %zu times of an animation",
                             m->values.count, m->times.count);
    }
    return push_keys(m, width, by);
}

// The sampler of a number; 0 where there is none.
static uint32_t sampler_at(const fr__json *json, uint32_t samplers, uint64_t number) {
    uint32_t item = fr__json_first(json, samplers);
    for (; item != 0 && number > 0; number--) {
        item = fr__json_next(json, samplers, item);
    }
    return item;
}

static fr_status read_channel(motion *m, uint32_t samplers, uint32_t channel) {
    static const struct {
        const char *path;
        fr_model_track_kind kind;
        uint32_t width;
    } paths[] = {
        {"translation", FR_MODEL_TRANSLATION, 3}, {"rotation", FR_MODEL_ROTATION, 4}, {"scale", FR_MODEL_SCALE, 3}};
    const fr__json *json = &m->gltf->json;
    uint32_t target = fr__json_member(json, channel, "target"), node = fr__json_member(json, target, "node");
    uint32_t sampler = fr__json_member(json, channel, "sampler"), path = fr__json_member(json, target, "path");
    uint64_t number = 0, at = 0;
    if (node == 0) { return FR_OK; }
    FR__TRY(fr__gltf_index(m->gltf, node, FR__GLTF_NODES, "node", &number));
    uint32_t found = fr__json_whole_of(json, sampler, &at) ? sampler_at(json, samplers, at) : 0;
    if (found == 0) { return fr__gltf_fail(m->gltf, channel, FR_ERROR_CORRUPT, "there is no sampler of this number"); }
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (!fr__json_is(json, path, paths[i].path) || m->nodes[number] == FR_NONE) { continue; }
        if (fr__json_member(json, fr__gltf_item(m->gltf, FR__GLTF_NODES, number), "matrix") != 0) {
            fr__reader_warn(m->gltf->reader, NULL, "an animation of a node with a matrix is passed over");
            return FR_OK;
        }
        FR__TRY(read_sampler(m, found, paths[i].width));
        FR__TRY(place_node(m, number, m->nodes[number]));
        return add_track(m, paths[i].kind, m->nodes[number], paths[i].width);
    }
    return FR_OK;
}

static fr_status read_all(motion *m) {
    const fr__json *json = &m->gltf->json;
    uint32_t animations = fr__json_top(json, "animations");
    for (uint32_t a = fr__json_first(json, animations); a != 0; a = fr__json_next(json, animations, a)) {
        uint32_t channels = fr__json_member(json, a, "channels"), samplers = fr__json_member(json, a, "samplers");
        // A channel looks for its sampler from the first on.
        FR__TRY(fr__gltf_count(m->gltf, a,
                               (uint64_t)fr__json_count(json, channels) * fr__json_count(json, samplers) / 1024));
        FR__TRY(add_clock(m, a));
        for (uint32_t c = fr__json_first(json, channels); c != 0; c = fr__json_next(json, channels, c)) {
            FR__TRY(read_channel(m, samplers, c));
        }
    }
    return FR_OK;
}

fr_status fr__gltf_read_motion(fr__gltf *gltf, const uint32_t *nodes) {
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    motion m = {.gltf = gltf,
                .nodes = nodes,
                .times = fr_array_make(sizeof(float), allocator),
                .values = fr_array_make(sizeof(float), allocator),
                .keys = fr_array_make(sizeof(float), allocator),
                .out = fr_array_make(sizeof(float), allocator)};
    fr_status status = read_all(&m);
    fr_array_free(&m.times);
    fr_array_free(&m.values);
    fr_array_free(&m.keys);
    fr_array_free(&m.out);
    return status;
}
