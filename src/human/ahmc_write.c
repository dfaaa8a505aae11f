// Writes clip files.
#include "ahmc.h"
#include "byte_writer.h"

#include <string.h>

static void put_floats(fr__byte_writer *w, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float value = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8), (unsigned char)(bits >> 16),
                                  (unsigned char)(bits >> 24)};
        fr__byte_writer_put(w, bytes, 4);
    }
}

static void put_key(fr__byte_writer *w, const char *key, const char *value) {
    fr__byte_writer_text(w, key);
    fr__byte_writer_text(w, " ");
    fr__byte_writer_text(w, value);
    fr__byte_writer_text(w, "\n");
}

static void put_number_key(fr__byte_writer *w, const char *key, double value) {
    fr__byte_writer_text(w, key);
    fr__byte_writer_number(w, value);
    fr__byte_writer_text(w, "\n");
}

static void put_header(fr__byte_writer *w, const fr_clip_view *clip, bool is_binary) {
    fr__byte_writer_text(w, "AHMC 1\n");
    put_key(w, "name", clip->name);
    put_key(w, "class", fr__ahmc_classes[clip->clip_class]);
    put_number_key(w, "dir", fr_degrees(clip->direction));
    put_number_key(w, "face", fr_degrees(clip->facing));
    put_key(w, "stride", fr__ahmc_strides[clip->stride]);
    put_key(w, "join", fr__ahmc_feet[clip->last_foot]);
    put_number_key(w, "fps", clip->frame_rate);
    put_number_key(w, "frames", clip->frame_count);
    put_number_key(w, "length", clip->length);
    put_number_key(w, "links", clip->link_count);
    for (uint32_t i = 0; i < clip->weight_key_count; i++) {
        fr__byte_writer_text(w, "wkey");
        fr__byte_writer_number(w, clip->weight_times[i]);
        for (uint32_t k = 0; k <= clip->link_count; k++) {
            fr__byte_writer_float(w, (double)clip->weights[(size_t)i * (clip->link_count + 1) + k]);
        }
        fr__byte_writer_text(w, "\n");
    }
    fr__byte_writer_text(w, is_binary ? "data binary f32\n" : "data\n");
}

fr_status fr_ahmc_write(const fr_clip *clip, bool is_binary, fr_bytes_fn *write, void *context, fr_error *error) {
    const fr_clip_view *view = fr_clip_get(clip);
    if (strpbrk(view->name, "\n\r") != NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of the clip holds a line break");
    }
    fr__byte_writer w;
    fr__byte_writer_begin(&w, write, context);
    put_header(&w, view, is_binary);
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = view->link_count};
    for (uint32_t frame = 0; frame < view->frame_count && !w.has_failed; frame++) {
        fr_status status = fr_clip_frame(clip, frame, &posture, error);
        if (status != FR_OK) { return status; }
        double numbers[3 + 4 * FR_MAX_LINKS + 2];
        size_t count = 0;
        numbers[count++] = posture.place.x;
        numbers[count++] = posture.place.y;
        numbers[count++] = posture.place.z;
        for (uint32_t i = 0; i < view->link_count; i++) {
            numbers[count++] = turns[i].w;
            numbers[count++] = turns[i].x;
            numbers[count++] = turns[i].y;
            numbers[count++] = turns[i].z;
        }
        numbers[count++] = posture.contact_left;
        numbers[count++] = posture.contact_right;
        if (is_binary) {
            put_floats(&w, numbers, count);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            fr__byte_writer_float(&w, numbers[i]);
        }
        fr__byte_writer_text(&w, "\n");
    }
    return fr__byte_writer_end(&w, error);
}
