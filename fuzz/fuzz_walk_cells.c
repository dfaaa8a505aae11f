// Any bytes as a file of captured steps: refused at a place, or steps that are written and read again, and that a set
// of walks takes or refuses.
#include "fureai/human_cells.h"

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

static fr_status read(const char *text, size_t size, fr_walk_cells **cells, fr_error *error) {
    fr_walk_cells_input input = fr_default_walk_cells_input();
    input.text = text;
    input.size = size;
    return fr_walk_cells_read(&input, cells, error);
}

// A walk by these steps, few frames a second.
static void walk(const fr_walk_cells *cells) {
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    fr_walk_set *set = NULL;
    fr_clip *clip = NULL;
    require(fr_skeleton_create_body(&body, &skeleton, NULL) == FR_OK);
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    def.frame_rate = FR_WALK_MIN_RATE;
    def.cells = cells;
    const fr_walk_goal goals[] = {{{0.0, 0.0, 3.0}, 0.0, false}, {{0.4, 0.0, 3.0}, 1.0, true}};
    if (fr_walk_set_create(&def, &set, NULL) == FR_OK) { (void)fr_walk_set_record(set, goals, 2, NULL, &clip, NULL); }
    fr_clip_release(clip);
    fr_walk_set_release(set);
    fr_skeleton_release(skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy without a byte to spare, so that a read beyond the end is seen.
    char *text = malloc(size + (size == 0));
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    fr_walk_cells *cells = NULL, *again = NULL;
    fr_error error = {0};
    fr_status status = read(text, size, &cells, &error);
    if (status == FR_OK) {
        fr_array bytes = fr_array_make(1, NULL);
        require(fr_walk_cells_write(cells, append, &bytes, NULL) == FR_OK);
        require(read(bytes.data, bytes.count, &again, NULL) == FR_OK);
        require(fr_walk_cells_get(again).filled == fr_walk_cells_get(cells).filled);
        fr_array_destroy(&bytes);
        walk(cells);
    } else {
        require(cells == NULL && error.status == status);
        require(status != FR_ERROR_SYNTAX || (error.line >= 1 && error.column >= 1));
    }
    fr_walk_cells_destroy(again);
    fr_walk_cells_destroy(cells);
    free(text);
    return 0;
}
