// Reads clip files: the lines of the header in any order, then frames of words or of floats.
#include "ahmc.h"
#include "words.h"

#include <math.h>
#include <string.h>

#define AHMC_COOKIE 0x41484d43u
#define BODY_WEIGHTS 44u // 43 links and the place of the hip: what files of 15 links may have too

FR_ARRAY_TYPE(ahmc_number_array, double);

typedef struct ahmc_reader {
    fr__words words;
    fr_clip_def def;
    char name[FR_MAX_CLIP_NAME + 1];
    uint32_t seen; // bits of the keys that were there
    bool is_binary;
    ahmc_number_array times, weights; // of the keys of weights
    fr_vec3 *places;
    fr_quat *turns;
    uint8_t *contacts;
    float *key_weights;
} ahmc_reader;

// ---------------------------------------------------------------------------------------------------------------
// Header

static const char *const key_names[] = {"name", "class", "dir",    "face",   "stride",
                                        "join", "fps",   "frames", "length", "links"};
enum { KEY_NAME, KEY_CLASS, KEY_DIR, KEY_FACE, KEY_STRIDE, KEY_JOIN, KEY_FPS, KEY_FRAMES, KEY_LENGTH, KEY_LINKS, KEYS };

const char *const fr__ahmc_classes[FR_CLIP_CLASS_COUNT] = {"mocap",    "1step", "2step", "start",
                                                           "straight", "end",   "pose",  "wristpath"};
const char *const fr__ahmc_strides[3] = {"-", "normal", "small"};
const char *const fr__ahmc_feet[3] = {"-", "left", "right"};

// The index of the next word among names.
static fr_status read_word(fr__words *w, const char *const *names, uint32_t count, uint32_t *out) {
    size_t length = fr__words_peek(w);
    for (*out = 0; *out < count; (*out)++) {
        if (fr__words_is(w, length, names[*out])) {
            w->at += length;
            return FR_OK;
        }
    }
    return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "this word is none of those that may stand here");
}

static fr_status read_name(ahmc_reader *r) {
    fr__words *w = &r->words;
    while (w->at < w->end && (*w->at == ' ' || *w->at == '\t')) {
        w->at++;
    }
    const char *begin = w->at;
    while (w->at < w->end && *w->at != '\n' && *w->at != '\r') {
        w->at++;
    }
    size_t length = (size_t)(w->at - begin);
    if (length > FR_MAX_CLIP_NAME) { return fr__words_fail(w, FR_ERROR_LIMIT, begin, "the name is too long"); }
    memcpy(r->name, begin, length);
    return FR_OK;
}

static fr_status read_count(fr__words *w, uint32_t high, uint32_t *out) {
    double value;
    fr__words_skip(w);
    const char *begin = w->at;
    fr_status status = fr__words_number(w, &value);
    if (status != FR_OK) { return status; }
    if (!(value >= 1.0 && value <= high) || value != floor(value)) {
        return fr__words_fail(w, FR_ERROR_LIMIT, begin, "this count is not a whole number within its limits");
    }
    *out = (uint32_t)value;
    return FR_OK;
}

// "wkey time weights ..." to the end of the line.
static fr_status read_weights(ahmc_reader *r) {
    fr__words *w = &r->words;
    double *time = ahmc_number_array_push(&r->times, 1);
    if (time == NULL) { return fr_error_set(w->error, FR_ERROR_MEMORY, "no memory for a key of weights"); }
    fr_status status = fr__words_number(w, time);
    if (status != FR_OK) { return status; }
    if (r->times.count > FR_MAX_WEIGHT_KEYS) {
        return fr__words_fail(w, FR_ERROR_LIMIT, w->at, "a clip has at most 256 keys of weights");
    }
    size_t before = r->weights.count;
    for (;;) {
        while (w->at < w->end && (*w->at == ' ' || *w->at == '\t' || *w->at == '\r')) {
            w->at++;
        }
        if (w->at == w->end || *w->at == '\n') { break; }
        double *weight = ahmc_number_array_push(&r->weights, 1);
        if (weight == NULL) { return fr_error_set(w->error, FR_ERROR_MEMORY, "no memory for a key of weights"); }
        status = fr__words_number(w, weight);
        if (status != FR_OK) { return status; }
        if (r->weights.count - before > FR_MAX_LINKS + 1) {
            return fr__words_fail(w, FR_ERROR_LIMIT, w->at, "a key has at most 257 weights");
        }
    }
    bool is_alike = r->times.count == 1 || r->weights.count - before == before / (r->times.count - 1);
    if (!is_alike) { return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "this key has another number of weights"); }
    return FR_OK;
}

static fr_status read_value(ahmc_reader *r, uint32_t key) {
    fr__words *w = &r->words;
    uint32_t word = 0;
    double degrees = 0.0;
    fr_status status = FR_OK;
    switch (key) {
    case KEY_NAME: return read_name(r);
    case KEY_CLASS:
        status = read_word(w, fr__ahmc_classes, FR_CLIP_CLASS_COUNT, &word);
        r->def.clip_class = (fr_clip_class)word;
        return status;
    case KEY_DIR:
    case KEY_FACE:
        status = fr__words_number(w, &degrees);
        if (key == KEY_DIR) {
            r->def.direction = fr_radians(degrees);
        } else {
            r->def.facing = fr_radians(degrees);
        }
        return status;
    case KEY_STRIDE:
        status = read_word(w, fr__ahmc_strides, 3, &word);
        r->def.stride = (fr_stride)word;
        return status;
    case KEY_JOIN:
        status = read_word(w, fr__ahmc_feet, 3, &word);
        r->def.last_foot = (fr_foot)word;
        return status;
    case KEY_FPS: return fr__words_number(w, &r->def.frame_rate);
    case KEY_FRAMES: return read_count(w, FR_MAX_CLIP_FRAMES, &r->def.frame_count);
    case KEY_LENGTH: return fr__words_number(w, &r->def.length);
    default: return read_count(w, FR_MAX_LINKS, &r->def.link_count);
    }
}

static fr_status read_header(ahmc_reader *r) {
    fr__words *w = &r->words;
    double version = 0.0;
    fr_status status = fr__words_expect(w, "ahmc", "a clip file begins with AHMC");
    if (status == FR_OK) { status = fr__words_number(w, &version); }
    if (status == FR_OK && version != 1.0) {
        status = fr__words_fail(w, FR_ERROR_VERSION, w->at, "clip files of version 1 are read");
    }
    while (status == FR_OK && !fr__words_take(w, "data")) {
        if (fr__words_take(w, "wkey")) {
            status = read_weights(r);
            continue;
        }
        const char *begin = w->at;
        uint32_t key = 0;
        status = read_word(w, key_names, KEYS, &key);
        if (status != FR_OK) { return status; }
        if ((r->seen & 1u << key) != 0) { return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "this key is here twice"); }
        r->seen |= 1u << key;
        status = read_value(r, key);
    }
    if (status != FR_OK) { return status; }
    if ((r->seen & 1u << KEY_FRAMES) == 0) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the number of frames is missing in the header");
    }
    while (w->at < w->end && (*w->at == ' ' || *w->at == '\t')) {
        w->at++;
    }
    if (w->at < w->end && *w->at == 'b') {
        status = fr__words_expect(w, "binary", "\"data\" or \"data binary f32\" begins the frames");
        if (status == FR_OK) { status = fr__words_expect(w, "f32", "binary frames are f32"); }
        r->is_binary = true;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

static size_t frame_numbers(const ahmc_reader *r) { return 3 + 4 * (size_t)r->def.link_count + 2; }

static double float_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// Goes past the end of the header's last line, and checks that the floats fill the rest.
static fr_status begin_floats(ahmc_reader *r) {
    fr__words *w = &r->words;
    if (w->at < w->end && *w->at == '\r') { w->at++; }
    if (w->at == w->end || *w->at != '\n') { return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the line ends here"); }
    w->at++;
    size_t bytes = 4 * frame_numbers(r) * r->def.frame_count;
    if ((size_t)(w->end - w->at) == bytes) { return FR_OK; }
    return fr__words_fail(w, FR_ERROR_SYNTAX, w->at,
                          (size_t)(w->end - w->at) < bytes ? "the frames end early" : "there is more than the frames");
}

static fr_status read_frame(ahmc_reader *r, uint32_t frame, double *numbers) {
    fr__words *w = &r->words;
    size_t count = frame_numbers(r);
    for (size_t i = 0; i < count; i++) {
        if (r->is_binary) {
            numbers[i] = float_at(w->at);
            w->at += 4;
            continue;
        }
        fr_status status = fr__words_number(w, &numbers[i]);
        if (status != FR_OK) { return status; }
    }
    r->places[frame] = (fr_vec3){numbers[0], numbers[1], numbers[2]};
    for (size_t i = 0; i < r->def.link_count; i++) {
        const double *q = numbers + 3 + 4 * i;
        r->turns[frame * (size_t)r->def.link_count + i] = (fr_quat){q[0], q[1], q[2], q[3]};
    }
    for (size_t i = 0; i < 2; i++) {
        double bits = numbers[count - 2 + i];
        if (!(bits >= 0.0 && bits <= 3.0)) {
            return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "a contact is 0, 1, 2 or 3");
        }
        r->contacts[2 * (size_t)frame + i] = (uint8_t)bits;
    }
    return FR_OK;
}

// Weights of every key for the clip's links and its place; a file of 15 links may have those of all 43.
static fr_status take_weights(ahmc_reader *r) {
    if (r->times.count == 0) { return FR_OK; }
    size_t links = r->def.link_count, count = r->weights.count / r->times.count;
    if (count != links + 1 && !(count == BODY_WEIGHTS && links < BODY_WEIGHTS)) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at,
                              "a key has a weight a link and one for the place");
    }
    r->key_weights = fr_allocate(&r->def.allocator, r->times.count * (links + 1), sizeof(float), _Alignof(float));
    if (r->key_weights == NULL) { return fr_error_set(r->words.error, FR_ERROR_MEMORY, "no memory for weights"); }
    for (size_t i = 0; i < r->times.count; i++) {
        const double *from = r->weights.data + i * count;
        float *to = r->key_weights + i * (links + 1);
        for (size_t k = 0; k < links; k++) {
            to[k] = (float)from[k];
        }
        to[links] = (float)from[count - 1];
    }
    r->def.weight_key_count = (uint32_t)r->times.count;
    r->def.weight_times = r->times.data;
    r->def.weights = r->key_weights;
    return FR_OK;
}

static fr_status read_frames(ahmc_reader *r) {
    fr__words *w = &r->words;
    const fr_allocator *allocator = &r->def.allocator;
    size_t frames = r->def.frame_count, links = r->def.link_count;
    fr_status status = FR_OK;
    if (r->is_binary) {
        status = begin_floats(r);
    } else if ((size_t)(w->end - w->at) / 2 < frames * frame_numbers(r)) {
        status = fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the frames end early");
    }
    if (status != FR_OK) { return status; }
    r->places = fr_allocate(allocator, frames, sizeof(fr_vec3), _Alignof(fr_vec3));
    r->turns = fr_allocate(allocator, frames * links, sizeof(fr_quat), _Alignof(fr_quat));
    r->contacts = fr_allocate(allocator, 2 * frames, 1, 1);
    if (r->places == NULL || r->turns == NULL || r->contacts == NULL) {
        return fr_error_set(w->error, FR_ERROR_MEMORY, "no memory for the frames of a clip");
    }
    double numbers[3 + 4 * FR_MAX_LINKS + 2];
    for (uint32_t i = 0; i < frames && status == FR_OK; i++) {
        status = read_frame(r, i, numbers);
    }
    if (status == FR_OK && !r->is_binary && fr__words_peek(w) > 0) {
        status = fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "there is more than the frames");
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_ahmc_input fr_default_ahmc_input(void) {
    return (fr_ahmc_input){.allocator = fr_default_allocator(), .cookie = AHMC_COOKIE};
}

fr_status fr_ahmc_read(const fr_ahmc_input *input, fr_clip **clip, fr_error *error) {
    *clip = NULL;
    if (input->cookie != AHMC_COOKIE) { return fr_error_set_cookie(error, "fr_default_ahmc_input"); }
    ahmc_reader r = {.words = fr__words_begin(input->text, input->size, error), .def = fr_default_clip_def()};
    r.def.allocator = input->allocator;
    r.def.link_count = 15;
    r.times = ahmc_number_array_make(&input->allocator);
    r.weights = ahmc_number_array_make(&input->allocator);
    fr_status status = read_header(&r);
    size_t frames = r.def.frame_count, links = r.def.link_count;
    if (status == FR_OK) { status = take_weights(&r); }
    if (status == FR_OK) { status = read_frames(&r); }
    if (status == FR_OK) {
        r.def.name = r.name;
        r.def.places = r.places;
        r.def.turns = r.turns;
        r.def.contacts = r.contacts;
        status = fr_clip_create(&r.def, clip, error);
    }
    fr_deallocate(&input->allocator, r.places, frames, sizeof(fr_vec3));
    fr_deallocate(&input->allocator, r.turns, frames * links, sizeof(fr_quat));
    fr_deallocate(&input->allocator, r.contacts, 2 * frames, 1);
    fr_deallocate(&input->allocator, r.key_weights, r.times.count * (links + 1), sizeof(float));
    ahmc_number_array_destroy(&r.times);
    ahmc_number_array_destroy(&r.weights);
    return status;
}
