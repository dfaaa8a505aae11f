// The DF code: a tree written depth first, as letters or in 2 bits each.
#include "octree/octree.h"

// The letters by colour.
static const char letters[] = "WB(";

// ---------------------------------------------------------------------------------------------------------------
// Writing

typedef struct code_writer {
    const fr_octree *tree;
    char *text;     // one of the two
    uint8_t *bytes; // filled with zeros before
    size_t room;    // letters that fit
    size_t count;   // letters so far
} code_writer;

static void write_cell(code_writer *w, uint32_t level, uint32_t index) {
    fr_cell_color color = fr__octree_node(w->tree, level, index);
    if (w->count < w->room) {
        if (w->text != NULL) {
            w->text[w->count] = letters[color];
        } else {
            w->bytes[w->count / 4] |= (uint8_t)((uint32_t)color << 2 * (w->count % 4));
        }
    }
    w->count++;
    if (color != FR_CELL_GRAY) { return; }
    for (uint32_t c = 0; c < fr__octree_children(w->tree); c++) {
        write_cell(w, level - 1, (index << w->tree->dimension) + c);
    }
}

size_t fr_octree_write_code(const fr_octree *t, char *text, size_t size) {
    code_writer w = {t, text, NULL, text != NULL ? size : 0, 0};
    write_cell(&w, t->def.depth, 0);
    return w.count;
}

size_t fr_octree_write_packed(const fr_octree *t, uint8_t *bytes, size_t size) {
    code_writer w = {t, NULL, bytes, bytes != NULL ? 4 * size : 0, 0};
    for (size_t i = 0; i < size && bytes != NULL; i++) {
        bytes[i] = 0;
    }
    write_cell(&w, t->def.depth, 0);
    return (w.count + 3) / 4;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

typedef struct code_reader {
    fr_octree *tree;
    const char *text; // one of the two
    const uint8_t *bytes;
    size_t size, at; // in letters
    int line, column;
    fr_error *error;
    fr_status status;
} code_reader;

static bool refuse(code_reader *r, fr_status status, const char *what) {
    if (r->status == FR_OK) {
        r->status = fr_error_set(r->error, status, "%s", what);
        if (r->text != NULL) {
            fr_error_locate(r->error, NULL, r->line, r->column);
        } else {
            fr_error_locate(r->error, NULL, 0, 0);
        }
    }
    return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void skip_blanks(code_reader *r) {
    while (r->text != NULL && r->at < r->size && is_blank(r->text[r->at])) {
        r->column = r->text[r->at] == '\n' ? 1 : r->column + 1;
        r->line += r->text[r->at] == '\n';
        r->at++;
    }
}

// The next letter as a colour.
static bool next_color(code_reader *r, fr_cell_color *out) {
    skip_blanks(r);
    if (r->at >= r->size) { return refuse(r, FR_ERROR_SYNTAX, "the code ends before the tree is complete"); }
    uint32_t color = 3;
    if (r->text != NULL) {
        for (uint32_t k = 0; k < 3; k++) {
            if (r->text[r->at] == letters[k]) { color = k; }
        }
        if (color == 3) { return refuse(r, FR_ERROR_SYNTAX, "a letter of the code is none of ( B W"); }
    } else {
        color = (unsigned)r->bytes[r->at / 4] >> 2 * (r->at % 4) & 3u;
        if (color == 3) { return refuse(r, FR_ERROR_SYNTAX, "two bits of the code are 11"); }
    }
    r->at++;
    r->column++;
    *out = (fr_cell_color)color;
    return true;
}

static bool read_cell(code_reader *r, uint32_t level, uint32_t index) {
    fr_cell_color color = FR_CELL_WHITE;
    if (!next_color(r, &color)) { return false; }
    if (color != FR_CELL_GRAY) {
        fr__octree_set(r->tree, level, index, color);
        return true;
    }
    if (level == 0) {
        r->column--;
        return refuse(r, FR_ERROR_LIMIT, "the code is deeper than the tree that is wanted");
    }
    if (level == r->tree->word_level) { r->tree->words[index] = 0; }
    for (uint32_t c = 0; c < fr__octree_children(r->tree); c++) {
        if (!read_cell(r, level - 1, (index << r->tree->dimension) + c)) { return false; }
    }
    fr__octree_close(r->tree, level, index);
    return true;
}

// Nothing may follow: in letters blanks alone, in bits zeros that fill the last byte.
static bool check_end(code_reader *r) {
    if (r->text != NULL) {
        skip_blanks(r);
        return r->at == r->size || refuse(r, FR_ERROR_SYNTAX, "the code goes on after the tree is complete");
    }
    if (r->size - r->at >= 4) { return refuse(r, FR_ERROR_SYNTAX, "the code goes on after the tree is complete"); }
    for (; r->at < r->size; r->at++) {
        if (((unsigned)r->bytes[r->at / 4] >> 2 * (r->at % 4) & 3u) != 0) {
            return refuse(r, FR_ERROR_SYNTAX, "the last byte of the code is not filled with zeros");
        }
    }
    return true;
}

static fr_status read_code(const fr_octree_def *def, code_reader *r, fr_octree **out, fr_error *error) {
    fr_status status = fr_octree_create(def, out, error);
    if (status != FR_OK) { return status; }
    r->tree = *out;
    r->error = error;
    r->status = FR_OK;
    if (!read_cell(r, def->depth, 0) || !check_end(r)) {
        fr_octree_destroy(*out);
        *out = NULL;
    }
    return r->status;
}

fr_status fr_octree_read_code(const fr_octree_def *def, const char *text, size_t size, fr_octree **out,
                              fr_error *error) {
    code_reader r = {.text = text != NULL ? text : "", .size = text != NULL ? size : 0, .line = 1, .column = 1};
    return read_code(def, &r, out, error);
}

fr_status fr_octree_read_packed(const fr_octree_def *def, const uint8_t *bytes, size_t size, fr_octree **out,
                                fr_error *error) {
    code_reader r = {.bytes = bytes, .size = bytes != NULL && size < SIZE_MAX / 4 ? 4 * size : 0};
    return read_code(def, &r, out, error);
}
