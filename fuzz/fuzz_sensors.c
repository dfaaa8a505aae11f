// Any bytes as a table of sensors: refused at a place, or a clip of unit turns whose soles are not below the ground.
#include "fureai/human_files.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_body_def body = fr_default_body_def();
    fr_sensors_input input = fr_default_sensors_input();
    fr_skeleton *skeleton;
    if (fr_skeleton_create_body(&body, &skeleton, NULL) != FR_OK) { return 0; }

    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *text = malloc(size + (size == 0));
    if (text != NULL && size > 0) { memcpy(text, data, size); }
    input.text = text;
    input.size = text != NULL ? size : 0;
    input.skeleton = skeleton;
    fr_clip *clip;
    fr_error error = {0};
    fr_status status = fr_sensors_read(&input, &clip, &error);
    require((status == FR_OK) == (clip != NULL));
    require(status != FR_ERROR_SYNTAX || (error.line >= 1 && error.column >= 1));
    if (clip != NULL) {
        fr_quat turns[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
        require(fr_clip_frame(clip, 0, &posture, NULL) == FR_OK);
        require(fr_posture_check(skeleton, &posture, NULL) == FR_OK);
        fr_clip_facts facts;
        require(fr_clip_measure(skeleton, clip, &facts, NULL) == FR_OK && facts.below < 1e-3);
    }
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    free(text);
    return 0;
}
