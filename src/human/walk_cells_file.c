// Captured steps as bytes: a short header, then clip files one after another.
#include "human/walk_cells.h"
#include "human/words.h"

#include <stdio.h>
#include <string.h>

#define CELLS_INPUT_COOKIE 0x43454c46u

// ---------------------------------------------------------------------------------------------------------------
// Writing

static bool append(const char *bytes, size_t size, void *context) {
    unsigned char *to = fr_byte_array_push(context, size);
    if (to != NULL) { memcpy(to, bytes, size); }
    return to != NULL;
}

static fr_status write_clip(const fr_clip *clip, fr_byte_array *bytes, fr_bytes_fn *write, void *context,
                            fr_error *error) {
    char line[32];
    bytes->count = 0;
    fr_status status = fr_ahmc_write(clip, true, append, bytes, NULL);
    if (status != FR_OK) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the bytes of a step"); }
    int length = snprintf(line, sizeof line, "clip %zu\n", bytes->count);
    bool is_written = write(line, (size_t)length, context) && write((const char *)bytes->data, bytes->count, context) &&
                      write("\n", 1, context);
    return is_written ? FR_OK : fr_error_set(error, FR_ERROR_FILE, "the steps could not be written");
}

fr_status fr_walk_cells_write(const fr_walk_cells *cells, fr_bytes_fn *write, void *context, fr_error *error) {
    FR_ASSERT(cells != NULL && write != NULL);
    if (cells->filled == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no step to write"); }
    char line[64], number[FR_NUMBER_BYTES];
    int length = snprintf(line, sizeof line, "AHMW 1\nleg %.*s\n", (int)fr_number_write(cells->leg, number), number);
    if (!write(line, (size_t)length, context)) {
        return fr_error_set(error, FR_ERROR_FILE, "the steps could not be written");
    }
    fr_byte_array bytes = fr_byte_array_make(&cells->allocator);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < FR_WALK_CLIPS && status == FR_OK; i++) {
        if (cells->clips[i] != NULL) { status = write_clip(cells->clips[i], &bytes, write, context, error); }
    }
    fr_byte_array_destroy(&bytes);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

fr_walk_cells_input fr_default_walk_cells_input(void) { return (fr_walk_cells_input){.cookie = CELLS_INPUT_COOKIE}; }

static fr_status read_header(fr__words *w, fr_walk_cells *cells) {
    double version, leg;
    fr_status status = fr__words_expect(w, "ahmw", "a file of captured steps begins with AHMW");
    if (status == FR_OK) { status = fr__words_number(w, &version); }
    if (status == FR_OK && version != 1.0) {
        return fr__words_fail(w, FR_ERROR_VERSION, w->at, "this version of the file is not read");
    }
    if (status == FR_OK) { status = fr__words_expect(w, "leg", "the length of a leg stands here"); }
    if (status == FR_OK) { status = fr__words_number(w, &leg); }
    if (status == FR_OK && !(leg >= 0.05 && leg <= 100.0)) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "a leg is 0.05 to 100 metres long");
    }
    if (status == FR_OK) { cells->leg = leg; }
    return status;
}

// The bytes of a clip begin after the line that counts them.
static fr_status read_size(fr__words *w, size_t *size) {
    double count;
    fr_status status = fr__words_expect(w, "clip", "a clip begins with its size");
    if (status == FR_OK) { status = fr__words_number(w, &count); }
    if (status != FR_OK) { return status; }
    if (w->at == w->end || *w->at != '\n') {
        return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the line ends after the size of a clip");
    }
    w->at++;
    w->line++;
    w->line_begin = w->at;
    if (!(count >= 1.0 && count <= (double)(w->end - w->at)) || count != (double)(size_t)count) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the file does not hold as many bytes of a clip");
    }
    *size = (size_t)count;
    return FR_OK;
}

static fr_status read_clip(fr__words *w, fr_walk_cells *cells) {
    size_t size = 0;
    fr_status status = read_size(w, &size);
    if (status != FR_OK) { return status; }
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = w->at;
    input.size = size;
    input.allocator = cells->allocator;
    fr_clip *clip = NULL;
    status = fr_ahmc_read(&input, &clip, w->error);
    if (status != FR_OK) {
        if (w->error != NULL) { fr_error_locate(w->error, NULL, w->line + w->error->line - 1, w->error->column); }
        return status;
    }
    const fr_clip_view *view = fr_clip_get(clip);
    uint32_t cell = fr__walk_cell_of(view);
    bool is_piece = cell != FR__NO_CELL && view->frame_count >= 2 && view->frame_count <= FR__CELL_MAX_FRAMES;
    fr__cell_piece *piece = NULL;
    if (!is_piece) {
        status = fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "this clip is no piece of a walk");
    } else if (cells->clips[cell] != NULL) {
        status = fr__words_fail(w, FR_ERROR_LIMIT, w->at, "two clips of the same kind");
    } else if ((piece = fr__cell_piece_array_push(&cells->pieces, 1)) == NULL) {
        status = fr_error_set(w->error, FR_ERROR_MEMORY, "no memory for captured steps");
    }
    if (status != FR_OK) {
        fr_clip_release(clip);
        return status;
    }
    *piece = (fr__cell_piece){.cell = cell, .clip = clip};
    cells->clips[cell] = clip;
    cells->filled++;
    // Bytes of floats may look like line breaks; the lines after them are counted from here.
    w->at += size;
    w->line_begin = w->at;
    return FR_OK;
}

fr_status fr_walk_cells_read(const fr_walk_cells_input *input, fr_walk_cells **out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    *out = NULL;
    if (input->cookie != CELLS_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_walk_cells_input"); }
    fr_allocator allocator = fr_allocator_or_default(&input->allocator);
    fr_walk_cells *cells = fr_allocate(&allocator, 1, sizeof *cells, _Alignof(fr_walk_cells));
    if (cells == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for captured steps"); }
    *cells = (fr_walk_cells){.allocator = allocator, .pieces = fr__cell_piece_array_make(&allocator)};
    fr__words words = fr__words_begin(input->text, input->size, error);
    fr_status status = read_header(&words, cells);
    while (status == FR_OK && fr__words_peek(&words) > 0) {
        status = read_clip(&words, cells);
    }
    if (status == FR_OK && cells->filled == 0) {
        status = fr__words_fail(&words, FR_ERROR_SYNTAX, words.at, "there is no clip in the file");
    }
    if (status == FR_OK) {
        *out = cells;
    } else {
        fr_walk_cells_destroy(cells);
    }
    return status;
}
