// Whether bytes are JSON text.
#ifndef FUREAI_SCENE_JSON_CHECK_H
#define FUREAI_SCENE_JSON_CHECK_H

#include "fureai/base.h"

#define FR__JSON_MAX_DEPTH 64

// Checks bytes, which may be anything, against the grammar of RFC 8259: UTF-8 well-formed, escaped surrogates in pairs,
// one object or array outermost, at most `max_depth` (1 .. FR__JSON_MAX_DEPTH) of them inside one another. O(size),
// allocates nothing. `token_count` gets how many values and keys there are. On failure (FR_ERROR_SYNTAX,
// FR_ERROR_LIMIT) *offset is the byte that does not fit.
fr_status fr__json_check(const char *text, size_t size, uint32_t max_depth, size_t *token_count, size_t *offset,
                         fr_error *error);

#endif
