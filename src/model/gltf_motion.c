// Animations of a glTF file: one clock for each, a track for each channel that moves a node. What is not
// interpolated linearly becomes more keys.
#include "gltf.h"

#include <math.h>
#include <string.h>

#define CURVE_STEPS 8 // pieces of a curve between two keys

typedef enum interpolation { LINEAR, STEP, CURVE } interpolation;

typedef struct gltf_motion {
    fr__gltf *gltf;
    fr_uint32_array samplers;     // values, of the animation at hand
    fr_float_array times, values; // of the sampler at hand
    fr_float_array keys, out;     // as tracks have them
    fr_float_array curve;         // a point of a curve
    double cycle;                 // of the animation at hand
    uint32_t clock;
} gltf_motion;

// ---------------------------------------------------------------------------------------------------------------
// Clocks

static double number_of(const fr_json *json, fr_json_value object, const char *key, double usual) {
    fr_json_get_number(json, fr_json_member(json, object, key), &usual);
    return usual;
}

static bool truth_of(const fr_json *json, fr_json_value object, const char *key, bool usual) {
    fr_json_get_bool(json, fr_json_member(json, object, key), &usual);
    return usual;
}

// Elements of an accessor, counted.
static fr_status read_floats(gltf_motion *m, fr_json_value value, uint32_t width, fr_float_array *out) {
    FR__TRY(fr__gltf_floats(m->gltf, value, width, false, out));
    FR__TRY(fr__gltf_check_finite(m->gltf, value, width, out));
    return fr__gltf_count(m->gltf, value, out->count / width);
}

// Times of a sampler, which rise from 0.
static fr_status read_times(gltf_motion *m, fr_json_value sampler) {
    fr_json_value value = fr_json_member(m->gltf->json, sampler, "input");
    FR__TRY(read_floats(m, value, 1, &m->times));
    const float *times = m->times.data;
    for (size_t i = 0; i < m->times.count; i++) {
        if (times[i] >= (i > 0 ? times[i - 1] : 0.0f)) { continue; }
        return fr__gltf_fail(m->gltf, value, FR_ERROR_CORRUPT, "time %zu of an animation is before the one before it",
                             i);
    }
    return FR_OK;
}

// The samplers of an animation, and the last time of all: how long the animation is.
static fr_status list_samplers(gltf_motion *m, fr_json_value array, double *length) {
    const fr_json *json = m->gltf->json;
    *length = 0.0;
    m->samplers.count = 0;
    if (!fr_json_is(json, array, FR_JSON_ARRAY)) { return FR_OK; }
    for (fr_json_value s = fr_json_first(json, array); s != FR_JSON_NONE; s = fr_json_next(json, s)) {
        uint32_t *place = fr_uint32_array_push(&m->samplers, 1);
        if (place == NULL) { return fr__gltf_no_memory(m->gltf); }
        *place = s;
        FR__TRY(read_times(m, s));
        double last = (double)m->times.data[m->times.count - 1];
        *length = last > *length ? last : *length;
    }
    return FR_OK;
}

// The clock of an animation: our own words where it has them, otherwise again and again over its length.
static fr_status add_clock(gltf_motion *m, fr_json_value animation) {
    const fr_json *json = m->gltf->json;
    fr_json_value extras = fr_json_member(json, animation, "extras");
    double length = 0.0;
    FR__TRY(list_samplers(m, fr_json_member(json, animation, "samplers"), &length));
    m->cycle = number_of(json, extras, "cycle", length);
    if (!(m->cycle > 0.0)) { m->cycle = 1.0; }
    fr_model_clock clock = {.name = fr__gltf_text(m->gltf, fr_json_member(json, animation, "name")),
                            .cycle = m->cycle,
                            .start = number_of(json, extras, "start", 0.0),
                            .stop = number_of(json, extras, "stop", 0.0),
                            .is_loop = truth_of(json, extras, "loop", true),
                            .is_enabled = truth_of(json, extras, "enabled", true)};
    if (clock.name == NULL) { return fr__gltf_no_memory(m->gltf); }
    m->clock = fr__model_clock_array_add(&m->gltf->reader->builder.clocks, &clock);
    return m->clock != FR_NONE ? FR_OK : fr__gltf_no_memory(m->gltf);
}

// ---------------------------------------------------------------------------------------------------------------
// Keys

static fr_quat quat_of(const double v[4]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(length > 0.0)) { return (fr_quat){.w = 1.0}; }
    return (fr_quat){.x = v[0] / length, .y = v[1] / length, .z = v[2] / length, .w = v[3] / length};
}

// One more key.
static fr_status push_key(gltf_motion *m, double time, const float *value, uint32_t width) {
    float *key = fr_float_array_push(&m->keys, 1), *out = fr_float_array_push(&m->out, width);
    if (key == NULL || out == NULL) { return fr__gltf_no_memory(m->gltf); }
    *key = (float)(time / m->cycle);
    memcpy(out, value, width * sizeof *out);
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

static fr_status push_curve(gltf_motion *m, uint32_t width) {
    const float *times = m->times.data, *values = m->values.data;
    size_t count = m->times.count;
    FR__TRY(fr__gltf_count(m->gltf, FR_JSON_ROOT, (uint64_t)CURVE_STEPS * count * width / 3));
    m->curve.count = 0;
    float *value = fr_float_array_push(&m->curve, width);
    if (value == NULL) { return fr__gltf_no_memory(m->gltf); }
    for (size_t i = 0; i + 1 < count; i++) {
        const float *from = values + (size_t)3 * width * i;
        double begin = (double)times[i], span = (double)times[i + 1] - begin;
        for (int step = 0; step < CURVE_STEPS; step++) {
            double s = (double)step / CURVE_STEPS;
            curve_at(from, from + (size_t)3 * width, width, span, s, value);
            FR__TRY(push_key(m, begin + s * span, value, width));
        }
    }
    return push_key(m, (double)times[count - 1], values + (size_t)3 * width * (count - 1) + width, width);
}

static fr_status push_keys(gltf_motion *m, uint32_t width, interpolation by) {
    const float *times = m->times.data, *values = m->values.data;
    m->keys.count = m->out.count = 0;
    if (by == CURVE) { return push_curve(m, width); }
    for (size_t i = 0; i < m->times.count; i++) {
        // A value that stays until the next key has another key there.
        if (by == STEP && i > 0) { FR__TRY(push_key(m, (double)times[i], values + (size_t)width * (i - 1), width)); }
        FR__TRY(push_key(m, (double)times[i], values + (size_t)width * i, width));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Channels

// Numbers of a node's transform, which were checked before, where it has them.
static void take_numbers(const fr_json *json, fr_json_value node, const char *key, size_t count, double *numbers) {
    fr_json_get_numbers(json, fr_json_member(json, node, key), count, numbers);
}

// The parts of a node's transform; made when first moved.
static fr_status place_node(gltf_motion *m, const fr__gltf_node *source) {
    fr__builder *builder = &m->gltf->reader->builder;
    const fr_json *json = m->gltf->json;
    fr_model_node *node = builder->nodes.data + source->placed;
    if (node->placement != FR_NONE) { return FR_OK; }
    double translation[3] = {0, 0, 0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    take_numbers(json, source->value, "translation", 3, translation);
    take_numbers(json, source->value, "rotation", 4, rotation);
    take_numbers(json, source->value, "scale", 3, scale);
    fr_model_placement placement = {.translation = {translation[0], translation[1], translation[2]},
                                    .scale = {scale[0], scale[1], scale[2]},
                                    .rotation = quat_of(rotation),
                                    .scale_orientation = {.w = 1.0}};
    node->placement = fr__model_placement_array_add(&builder->placements, &placement);
    return node->placement != FR_NONE ? FR_OK : fr__gltf_no_memory(m->gltf);
}

static fr_status add_track(gltf_motion *m, fr_model_track_kind kind, uint32_t target, uint32_t width) {
    fr__builder *builder = &m->gltf->reader->builder;
    size_t count = m->keys.count;
    float *numbers = fr__builder_alloc(builder, count * (1 + (size_t)width), sizeof(float), sizeof(float));
    if (numbers == NULL) { return fr__gltf_no_memory(m->gltf); }
    memcpy(numbers, m->keys.data, count * sizeof(float));
    memcpy(numbers + count, m->out.data, count * width * sizeof(float));
    fr_model_track track = {kind, target, m->clock, (uint32_t)count, width, numbers, numbers + count};
    return fr__model_track_array_add(&builder->tracks, &track) != FR_NONE ? FR_OK : fr__gltf_no_memory(m->gltf);
}

// The keys of a sampler, whose output has `width` numbers a key in elements of `element`.
static fr_status read_sampler(gltf_motion *m, fr_json_value sampler, uint32_t width, uint32_t element) {
    const fr_json *json = m->gltf->json;
    fr_json_value word = fr_json_member(json, sampler, "interpolation");
    fr_json_value output = fr_json_member(json, sampler, "output");
    interpolation by = fr_json_equals(json, word, "STEP")          ? STEP
                       : fr_json_equals(json, word, "CUBICSPLINE") ? CURVE
                                                                   : LINEAR;
    FR__TRY(read_times(m, sampler));
    FR__TRY(read_floats(m, output, element, &m->values));
    size_t needed = m->times.count * width * (by == CURVE ? 3 : 1);
    if (m->values.count != needed) {
        return fr__gltf_fail(m->gltf, output, FR_ERROR_CORRUPT, "%zu numbers for %zu times of an animation",
                             m->values.count, m->times.count);
    }
    return push_keys(m, width, by);
}

static uint32_t target_count(const fr__builder *builder, uint32_t part) {
    const fr_model_deform *deform = builder->parts.data[part].deform;
    return deform != NULL ? deform->target_count : 0;
}

// Weights of the shapes of a node's mesh: one track for each of its parts, which share the numbers.
static fr_status read_weights(gltf_motion *m, const fr__gltf_node *source, fr_json_value sampler) {
    fr__builder *builder = &m->gltf->reader->builder;
    const fr__gltf_mesh *mesh = source->mesh != FR_NONE ? &m->gltf->meshes.data[source->mesh] : NULL;
    if (source->placed == FR_NONE || mesh == NULL || mesh->primitive_count == 0) { return FR_OK; }
    const fr__gltf_primitive *primitives = m->gltf->primitives.data + mesh->first_primitive;
    uint32_t count = mesh->primitive_count, width = target_count(builder, primitives[0].part);
    if (width == 0) { return FR_OK; }
    FR__TRY(read_sampler(m, sampler, width, 1));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = count == 1 ? source->placed : source->placed + 1 + i;
        const fr_model_node *holder = builder->nodes.data + node;
        if (holder->mesh != primitives[i].part || target_count(builder, holder->mesh) != width) { continue; }
        if (i == 0) {
            FR__TRY(add_track(m, FR_MODEL_WEIGHTS, node, width));
            continue;
        }
        fr_model_track track = builder->tracks.data[builder->tracks.count - 1];
        track.target = node;
        if (fr__model_track_array_add(&builder->tracks, &track) == FR_NONE) { return fr__gltf_no_memory(m->gltf); }
    }
    return FR_OK;
}

static fr_status read_channel(gltf_motion *m, fr_json_value channel) {
    static const struct {
        const char *path;
        fr_model_track_kind kind;
        uint32_t width;
    } paths[] = {
        {"translation", FR_MODEL_TRANSLATION, 3}, {"rotation", FR_MODEL_QUATERNION, 4}, {"scale", FR_MODEL_SCALE, 3}};
    const fr_json *json = m->gltf->json;
    fr_json_value target = fr_json_member(json, channel, "target"), node = fr_json_member(json, target, "node");
    fr_json_value path = fr_json_member(json, target, "path");
    uint64_t number = 0, at = 0;
    if (node == FR_JSON_NONE) { return FR_OK; }
    FR__TRY(fr__gltf_index(m->gltf, node, FR__GLTF_NODES, "node", &number));
    if (!fr_json_get_whole(json, fr_json_member(json, channel, "sampler"), &at) || at >= m->samplers.count) {
        return fr__gltf_fail(m->gltf, channel, FR_ERROR_CORRUPT, "there is no sampler of this number");
    }
    const fr__gltf_node *source = &m->gltf->nodes.data[number];
    if (fr_json_equals(json, path, "weights")) { return read_weights(m, source, m->samplers.data[at]); }
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (!fr_json_equals(json, path, paths[i].path) || source->placed == FR_NONE) { continue; }
        if (fr_json_member(json, source->value, "matrix") != FR_JSON_NONE) {
            fr__reader_warn(m->gltf->reader, NULL, "an animation of a node with a matrix is passed over");
            return FR_OK;
        }
        FR__TRY(read_sampler(m, m->samplers.data[at], paths[i].width, paths[i].width));
        FR__TRY(place_node(m, source));
        return add_track(m, paths[i].kind, source->placed, paths[i].width);
    }
    return FR_OK;
}

static fr_status read_all(gltf_motion *m) {
    const fr_json *json = m->gltf->json;
    fr_json_value animations = fr_json_member(json, FR_JSON_ROOT, "animations");
    if (!fr_json_is(json, animations, FR_JSON_ARRAY)) { return FR_OK; }
    for (fr_json_value a = fr_json_first(json, animations); a != FR_JSON_NONE; a = fr_json_next(json, a)) {
        fr_json_value channels = fr_json_member(json, a, "channels");
        FR__TRY(add_clock(m, a));
        if (!fr_json_is(json, channels, FR_JSON_ARRAY)) { continue; }
        for (fr_json_value c = fr_json_first(json, channels); c != FR_JSON_NONE; c = fr_json_next(json, c)) {
            FR__TRY(read_channel(m, c));
        }
    }
    return FR_OK;
}

fr_status fr__gltf_read_motion(fr__gltf *gltf) {
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    gltf_motion m = {.gltf = gltf,
                     .samplers = fr_uint32_array_make(allocator),
                     .times = fr_float_array_make(allocator),
                     .values = fr_float_array_make(allocator),
                     .keys = fr_float_array_make(allocator),
                     .out = fr_float_array_make(allocator),
                     .curve = fr_float_array_make(allocator)};
    fr_status status = read_all(&m);
    fr_uint32_array_destroy(&m.samplers);
    fr_float_array_destroy(&m.times);
    fr_float_array_destroy(&m.values);
    fr_float_array_destroy(&m.keys);
    fr_float_array_destroy(&m.out);
    fr_float_array_destroy(&m.curve);
    return status;
}
