// Lists of polygons of a Collada file: counts are those that are there, and only the columns that are needed stay.
#include "collada.h"

#include <stdio.h>
#include <string.h>

void fr__dae_put(fr__dae *dae, fr_array *to, const char *text) {
    size_t length = strlen(text);
    void *place = fr_array_push(to, length);
    if (place == NULL) {
        fr__dae_fail(dae, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
        return;
    }
    memcpy(place, text, length);
}

void fr__dae_put_escaped(fr__dae *dae, fr_array *to, const char *text) {
    for (; *text != '\0'; text++) {
        const char one[2] = {*text, '\0'};
        const char *escaped = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : one;
        fr__dae_put(dae, to, (unsigned char)*text < ' ' ? " " : escaped);
    }
}

void fr__dae_put_number(fr__dae *dae, fr_array *to, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    fr__dae_put(dae, to, text);
}

// Polygons or lines that the list comes to; 0 where its numbers do not fit.
static uint64_t count_list(const fr__dae *dae, uint64_t corners) {
    const uint32_t *counts = dae->counts.data;
    uint64_t sum = 0;
    if (strcmp(dae->list_name, "triangles") == 0) { return corners % 3 == 0 ? corners / 3 : 0; }
    if (strcmp(dae->list_name, "lines") == 0) { return corners % 2 == 0 ? corners / 2 : 0; }
    if (strcmp(dae->list_name, "polylist") != 0) { return dae->index_ends.count; }
    for (size_t i = 0; i < dae->counts.count; i++) {
        if (counts[i] == 0) { return 0; }
        sum += counts[i];
    }
    return sum == corners ? dae->counts.count : 0;
}

static void put_indices(fr__dae *dae) {
    const uint32_t *indices = dae->indices.data, *ends = dae->index_ends.data;
    size_t at = 0;
    for (size_t p = 0; p < dae->index_ends.count; p++) {
        fr__dae_put(dae, &dae->out, "<p>");
        for (; at + dae->stride <= ends[p] && dae->status == FR_OK; at += dae->stride) {
            for (uint32_t k = 0; k < dae->column_count; k++) {
                fr__dae_put_number(dae, &dae->out, indices[at + dae->columns[k]]);
                fr__dae_put(dae, &dae->out, " ");
            }
        }
        fr__dae_put(dae, &dae->out, "</p>");
    }
}

// Whether each <p> has whole corners; lists of single polygons have at least 2 or 3 in each.
static bool are_whole(const fr__dae *dae) {
    const uint32_t *ends = dae->index_ends.data;
    bool is_one_each = strcmp(dae->list_name, "polygons") == 0 || strcmp(dae->list_name, "trifans") == 0 ||
                       strcmp(dae->list_name, "tristrips") == 0;
    uint64_t least = is_one_each ? 3 : strcmp(dae->list_name, "linestrips") == 0 ? 2 : 1;
    for (size_t p = 0; p < dae->index_ends.count; p++) {
        uint32_t count = ends[p] - (p > 0 ? ends[p - 1] : 0);
        if (count % dae->stride != 0 || count / dae->stride < least) { return false; }
    }
    return is_one_each || strcmp(dae->list_name, "linestrips") == 0 || dae->index_ends.count == 1;
}

// Whether every number points to something: assimp would give up in the middle, and lose memory.
static bool are_inside(const fr__dae *dae) {
    const uint32_t *indices = dae->indices.data;
    for (size_t at = 0; at + dae->stride <= dae->indices.count; at += dae->stride) {
        for (uint32_t k = 0; k < dae->column_count; k++) {
            if (indices[at + dae->columns[k]] >= dae->limits[k]) { return false; }
        }
    }
    return true;
}

void fr__dae_end_list(fr__dae *dae) {
    uint64_t count = 0;
    if (dae->column_count > 0 && are_whole(dae) && are_inside(dae)) {
        count = count_list(dae, dae->indices.count / dae->stride);
    }
    if (count == 0) {
        if (dae->indices.count > 0) {
            fr__reader_warn(dae->reader, NULL, "a list of %s whose numbers do not fit is passed over", dae->list_name);
        }
        return;
    }
    fr__dae_put(dae, &dae->out, "<");
    fr__dae_put(dae, &dae->out, dae->list_name);
    fr__dae_put(dae, &dae->out, " count=\"");
    fr__dae_put_number(dae, &dae->out, count);
    if (dae->symbol[0] != '\0') {
        fr__dae_put(dae, &dae->out, "\" material=\"");
        fr__dae_put_escaped(dae, &dae->out, dae->symbol);
    }
    fr__dae_put(dae, &dae->out, "\">");
    fr__dae_put(dae, &dae->list_text, "");
    void *place = fr_array_push(&dae->out, dae->list_text.count);
    if (place != NULL) { memcpy(place, dae->list_text.data, dae->list_text.count); }
    if (strcmp(dae->list_name, "polylist") == 0) {
        const uint32_t *counts = dae->counts.data;
        fr__dae_put(dae, &dae->out, "<vcount>");
        for (size_t i = 0; i < dae->counts.count && dae->status == FR_OK; i++) {
            fr__dae_put_number(dae, &dae->out, counts[i]);
            fr__dae_put(dae, &dae->out, " ");
        }
        fr__dae_put(dae, &dae->out, "</vcount>");
    }
    put_indices(dae);
    fr__dae_put(dae, &dae->out, "</");
    fr__dae_put(dae, &dae->out, dae->list_name);
    fr__dae_put(dae, &dae->out, ">\n");
}
