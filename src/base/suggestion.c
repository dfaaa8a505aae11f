// The known word nearest to a misspelt one, for messages ("did you mean").
#include "fureai/base.h"

#include <string.h>

enum { NAME_MOST = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t name_length(const char *name) { return least(strlen(name), NAME_MOST); }

// Optimal string alignment, row by row; `rows` are the distances of the last two prefixes of `a` and of this one.
static size_t distance_of(const char *a, const char *b) {
    size_t rows[3][NAME_MOST + 1];
    size_t *before_last = rows[0];
    size_t *last = rows[1];
    size_t *now = rows[2];
    size_t a_length = name_length(a);
    size_t b_length = name_length(b);

    for (size_t j = 0; j <= b_length; ++j) {
        before_last[j] = last[j] = j;
    }
    for (size_t i = 1; i <= a_length; ++i) {
        now[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            size_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(replace, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before_last[j - 2] + 1);
            }
        }
        size_t *spare = before_last;
        before_last = last;
        last = now;
        now = spare;
    }
    return last[b_length];
}

fr_suggestion fr_suggestion_begin(const char *typed) {
    return (fr_suggestion){.typed = typed, .best_distance = (size_t)-1};
}

void fr_suggestion_offer(fr_suggestion *s, const char *name) {
    size_t typed_length = name_length(s->typed);
    size_t distance = distance_of(s->typed, name);
    size_t near_enough = typed_length < 4 ? 1 : least(1 + typed_length / 4, 3);
    if (typed_length >= 2 && strncmp(s->typed, name, typed_length) == 0) { distance = least(distance, 1); }
    if (distance <= near_enough && distance < s->best_distance) {
        s->best = name;
        s->best_distance = distance;
    }
}
