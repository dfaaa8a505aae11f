// Any bytes as BVH: refused at a place, or a skeleton and a clip of unit turns that are written and read again alike.
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

static fr_status read(const char *text, size_t size, double unit, fr_skeleton **skeleton, fr_clip **clip,
                      fr_bvh_facts *facts, fr_error *error) {
    fr_bvh_input input = fr_default_bvh_input();
    input.text = text;
    input.size = size;
    input.unit = unit;
    return fr_bvh_read(&input, skeleton, clip, facts, error);
}

static void check_frames(const fr_clip *clip) {
    fr_quat turns[FR_MAX_LINKS];
    const fr_clip_view *view = fr_clip_get(clip);
    fr_posture posture = {.turns = turns, .count = view->link_count};
    uint32_t stride = 1 + view->frame_count / 16;
    for (uint32_t i = 0; i < view->frame_count; i += stride) {
        require(fr_clip_frame(clip, i, &posture, NULL) == FR_OK);
        for (uint32_t k = 0; k < view->link_count; k++) {
            fr_quat q = turns[k];
            require(fabs((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z) - 1.0) < 1e-12);
        }
        require(fr_vec3_is_finite(posture.place));
    }
}

static void check_again(const fr_skeleton *skeleton, const fr_clip *clip) {
    fr_array text = fr_array_make(1, NULL);
    require(fr_bvh_write(skeleton, clip, 1.0, append, &text, NULL) == FR_OK);
    fr_skeleton *other;
    fr_clip *back;
    fr_error error = {0};
    fr_status status = read(text.data, text.count, 1.0, &other, &back, NULL, &error);

    // Places of a file in a large unit may be beyond what a file may hold.
    if (status == FR_OK) {
        require(fr_clip_get(back)->frame_count == fr_clip_get(clip)->frame_count);
        require(fr_skeleton_get(other)->link_count == fr_skeleton_get(skeleton)->link_count);
    } else {
        require(strstr(error.message, "too large") != NULL || strstr(error.message, "lasts") != NULL);
    }
    fr_clip_release(back);
    fr_skeleton_release(other);
    fr_array_destroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *text = malloc(size + (size == 0));
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts facts;
    fr_error error = {0};
    fr_status status = read(text, size, 0.0, &skeleton, &clip, &facts, &error);
    if (status == FR_OK) {
        require(facts.joint_count == fr_skeleton_get(skeleton)->link_count);
        check_frames(clip);
        check_again(skeleton, clip);
    } else {
        require(skeleton == NULL && clip == NULL && error.status == status);
        require(status != FR_ERROR_SYNTAX || (error.line >= 1 && error.column >= 1));
    }
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    free(text);
    return 0;
}
