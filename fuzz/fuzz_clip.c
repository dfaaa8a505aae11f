// Any bytes as a clip file: refused at a place, or a clip that is written as text and as floats and read again.
#include "fureai/human_files.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static bool append(const char *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static fr_status read(const char *text, size_t size, fr_clip **clip, fr_error *error) {
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = text;
    input.size = size;
    return fr_ahmc_read(&input, clip, error);
}

static void check_clip(const fr_clip *clip, bool is_binary) {
    const fr_clip_view *view = fr_clip_get(clip);
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = view->link_count};
    for (uint32_t i = 0; i < view->frame_count; i += 1 + view->frame_count / 16) {
        require(fr_clip_frame(clip, i, &posture, NULL) == FR_OK);
        for (uint32_t k = 0; k < view->link_count; k++) {
            fr_quat q = turns[k];
            require(fabs((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z) - 1.0) < 1e-12);
        }
    }
    fr_array text = fr_array_make(1, NULL);
    require(fr_ahmc_write(clip, is_binary, append, &text, NULL) == FR_OK);
    fr_clip *back;
    require(read(text.data, text.count, &back, NULL) == FR_OK);
    require(fr_clip_get(back)->frame_count == view->frame_count);
    require(fr_clip_get(back)->link_count == view->link_count);
    require(strcmp(fr_clip_get(back)->name, view->name) == 0);
    fr_clip_release(back);
    fr_array_destroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *text = malloc(size + (size == 0));
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    fr_clip *clip;
    fr_error error = {0};
    fr_status status = read(text, size, &clip, &error);
    if (status == FR_OK) {
        check_clip(clip, size % 2 == 0);
    } else {
        require(clip == NULL && error.status == status);
        require(status != FR_ERROR_SYNTAX || (error.line >= 1 && error.column >= 1));
    }
    fr_clip_release(clip);
    free(text);
    return 0;
}
