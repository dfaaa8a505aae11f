// Writes clashes as an HTML page with its pictures inside.
#include "clash_picture.h"

#include "fureai/base_order.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURES_MOST = 50, PICTURE_WIDTH = 640, PICTURE_HEIGHT = 480 };

// Text as HTML has it, without control characters.
static void write_text(fr_output_file *file, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const char *entity = *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : NULL;
        if ((unsigned char)*c < 0x20 || *c == 0x7f) { entity = "?"; }
        fr_output_file_write(file, entity != NULL ? entity : c, entity != NULL ? strlen(entity) : 1);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures inside the page, in base 64

typedef struct base64 {
    fr_output_file *file;
    unsigned char rest[3]; // bytes that do not fill a group yet
    size_t count;
} base64;

static void write_group(base64 *b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)b->rest[0] << 16 | (uint32_t)b->rest[1] << 8 | b->rest[2];
    char text[4];
    for (size_t i = 0; i < 4; i++) {
        text[i] = i <= b->count ? digits[bits >> (18 - 6 * i) & 63] : '=';
    }
    fr_output_file_write(b->file, text, 4);
    memset(b->rest, 0, sizeof b->rest);
    b->count = 0;
}

static bool take_bytes(const void *bytes, size_t size, void *context) {
    base64 *b = context;
    for (size_t i = 0; i < size; i++) {
        b->rest[b->count++] = ((const unsigned char *)bytes)[i];
        if (b->count == 3) { write_group(b); }
    }
    return true;
}

// A picture of all clashes, or of the one that is given; nothing where this build makes no pictures.
static exit_status write_picture(tool *t, fr_output_file *file, const assembly *a, const fr_clash_output *found,
                                 const fr_clash *c) {
    if (picture_backend() == NULL) { return EXIT_STATUS_DONE; }
    picture_def def = picture_default_def();
    def.width = PICTURE_WIDTH;
    def.height = PICTURE_HEIGHT;
    picture *p = NULL;
    fr_error error = {0};
    if (picture_create(&def, &p, &error) != FR_OK) { return tool_failed(t, &error); }
    exit_status status = c != NULL ? clash_draw_one(t, p, a, found, c) : clash_draw(t, p, a, found);
    if (status == EXIT_STATUS_DONE) {
        fr_output_file_print(file, "<img width=%d height=%d alt=\"", PICTURE_WIDTH, PICTURE_HEIGHT);
        write_text(file, c != NULL ? assembly_name(a, c->a) : "all parts");
        if (c != NULL) {
            fr_output_file_print(file, " and ");
            write_text(file, assembly_name(a, c->b));
        }
        fr_output_file_print(file, "\" src=\"data:image/png;base64,");
        base64 coded = {.file = file};
        picture_sink sink = {take_bytes, &coded};
        if (picture_give(p, &sink, &t->control, &error) != FR_OK) { status = tool_failed(t, &error); }
        if (coded.count > 0) { write_group(&coded); }
        fr_output_file_print(file, "\">\n");
    }
    picture_destroy(p);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The page

typedef const fr_clash *clash_ref;

// The deeper first; those without a depth behind those with one, then as they were found.
static bool is_before(const clash_ref *a, const clash_ref *b) {
    double deep_a = fr_is_unknown((*a)->depth) ? -1.0 : (*a)->depth;
    double deep_b = fr_is_unknown((*b)->depth) ? -1.0 : (*b)->depth;
    return deep_a != deep_b ? deep_a > deep_b : *a < *b;
}
FR_SORT_TYPE(sort_clashes, clash_ref, is_before);

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Clashes</title>\n<style>\n"
    ":root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }\n"
    "body { max-width: 1000px; margin: 24px auto; padding: 0 16px; }\n"
    "table { border-collapse: collapse; width: 100%; }\n"
    "th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid #8885; text-align: left; overflow-wrap: anywhere; }\n"
    "td.number, th.number { text-align: right; }\n"
    "td.accepted { color: #0a7; } td.ignored { color: #888; }\n"
    "img { max-width: 100%; height: auto; border: 1px solid #8885; }\n"
    "@media print { h2 { break-before: page; } }\n</style>\n";

static void write_row(fr_output_file *file, const assembly *a, const fr_clash *c, size_t number, bool has_picture) {
    fr_output_file_print(file, "<tr><td>");
    if (has_picture) { fr_output_file_print(file, "<a href=\"#c%zu\">", number); }
    fr_output_file_print(file, "%zu%s</td><td>", number, has_picture ? "</a>" : "");
    write_text(file, assembly_name(a, c->a));
    fr_output_file_print(file, "</td><td>");
    write_text(file, assembly_name(a, c->b));
    fr_output_file_print(file, "</td><td>%s</td><td class=number>%zu</td><td class=number>",
                         fr_clash_kind_name(c->kind), c->shared_count);
    if (!fr_is_unknown(c->depth) && c->depth < 1e-9) {
        fr_output_file_print(file, "below 1 nm");
    } else if (!fr_is_unknown(c->depth)) {
        fr_output_file_print(file, "%.4g mm", c->depth * 1000.0);
    }
    fr_output_file_print(file, "</td>");
    if (a->notes != NULL) {
        fr_clash_note note = assembly_note(a, c);
        fr_output_file_print(file, "<td class=%s>%s%s", fr_clash_verdict_name(note.verdict),
                             fr_clash_verdict_name(note.verdict), note.text[0] != '\0' ? ": " : "");
        write_text(file, note.text);
        fr_output_file_print(file, "</td>");
    }
    fr_output_file_print(file, "</tr>\n");
}

static void write_table(fr_output_file *file, const assembly *a, const clash_ref *order, size_t count) {
    fr_output_file_print(file,
                         "<h1>Clashes</h1>\n<p>%zu of %zu parts. The depth is that of the deepest vertex of one "
                         "part inside the other.</p>\n<table>\n<tr><th>#<th>part<th>part<th>kind"
                         "<th class=number>pairs of faces<th class=number>depth%s</tr>\n",
                         count, a->parts.count, a->notes != NULL ? "<th>decision" : "");
    for (size_t i = 0; i < count; i++) {
        write_row(file, a, order[i], i + 1, i < PICTURES_MOST);
    }
    fr_output_file_print(file, "</table>\n");
    if (picture_backend() == NULL) {
        fr_output_file_print(file, "<p>There are no pictures: this program was built without cairo.</p>\n");
    } else if (count > PICTURES_MOST) {
        fr_output_file_print(file, "<p>Pictures of the first %d.</p>\n", PICTURES_MOST);
    }
}

static exit_status write_page(tool *t, fr_output_file *file, const assembly *a, const fr_clash_output *found,
                              const clash_ref *order) {
    fr_output_file_write(file, head, sizeof head - 1);
    write_table(file, a, order, found->count);
    exit_status status = write_picture(t, file, a, found, NULL);
    for (size_t i = 0; status == EXIT_STATUS_DONE && i < found->count && i < PICTURES_MOST; i++) {
        fr_output_file_print(file, "<h2 id=\"c%zu\">%zu. ", i + 1, i + 1);
        write_text(file, assembly_name(a, order[i]->a));
        fr_output_file_print(file, " and ");
        write_text(file, assembly_name(a, order[i]->b));
        fr_output_file_print(file, ": %s</h2>\n", fr_clash_kind_name(order[i]->kind));
        status = write_picture(t, file, a, found, order[i]);
    }
    fr_output_file_print(file, "</html>\n");
    return status;
}

exit_status clash_page_write(tool *t, const char *path, const assembly *a, const fr_clash_output *found) {
    fr_error error = {0};
    fr_output_file file;
    clash_ref *order = malloc((found->count + 1) * sizeof *order);
    if (order == NULL) {
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory for the page");
        return tool_failed(t, &error);
    }
    for (size_t i = 0; i < found->count; i++) {
        order[i] = &found->clashes[i];
    }
    sort_clashes(order, found->count);
    exit_status status = EXIT_STATUS_DONE;
    if (output_file_open(&file, path, &error) != FR_OK) {
        status = tool_failed(t, &error);
    } else {
        status = write_page(t, &file, a, found, order);
        if (status != EXIT_STATUS_DONE) {
            fr_output_file_discard(&file);
        } else if (fr_output_file_commit(&file, &error) != FR_OK) {
            status = tool_failed(t, &error);
        }
    }
    free(order);
    return status;
}
