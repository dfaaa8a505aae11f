// Any bytes as text: characters are counted and repaired to text that is whole, whole numbers are read as by C, and the
// name that a mistyped one meant is near it.
#include "fureai/base.h"
#include "fureai/base_drawing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

// Characters of a text, one for each byte that belongs to none; whether all belong to one.
static size_t count_characters(const char *text, size_t size, bool *is_whole) {
    size_t count = 0;
    *is_whole = true;
    for (size_t at = 0; at < size; count++) {
        size_t length = fr_utf8_length(text + at, size - at);
        require(length <= 4 && length <= size - at);
        if (length == 0) { *is_whole = false; }
        at += length == 0 ? 1 : length;
    }
    return count;
}

static void check_repair(const char *text, size_t room) {
    char *out = malloc(room);
    require(out != NULL);
    bool is_whole;
    fr_utf8_repair(text, out, room);
    require(strlen(out) < room);
    size_t count = count_characters(out, strlen(out), &is_whole);
    require(is_whole && count <= fr_utf8_count(text));
    free(out);
}

static void check_whole(const char *text) {
    const char *at = text, *end = text + strlen(text);
    int64_t value = 0, limit = INT64_C(1) << 62;
    if (!fr_number_read_whole(&at, end, &value)) {
        require(at == text);
        return;
    }
    char *stop;
    long long expected = strtoll(text, &stop, 10);
    require(stop == at);
    require(value == (expected > limit ? limit : expected < -limit ? -limit : expected));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    text[size] = '\0';
    bool is_whole;
    require(fr_utf8_count(text) == count_characters(text, strlen(text), &is_whole));
    check_repair(text, 1 + size % 7);
    check_repair(text, 3 * size + 1);
    if (text[0] == '+' || text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) { check_whole(text); }

    fr_suggestion s = fr_suggestion_begin(text);
    fr_suggestion_offer(&s, "method");
    fr_suggestion_offer(&s, "margin");
    fr_suggestion_offer(&s, text);
    require(s.best == NULL || s.best_distance <= 3);
    free(text);
    return 0;
}
