// Words and numbers of a text with their places, for the readers of motion files.
#ifndef FUREAI_HUMAN_WORDS_H
#define FUREAI_HUMAN_WORDS_H

#include "fureai/math.h"

typedef struct fr__words {
    const char *at, *end;
    const char *line_begin;
    int line;
    fr_error *error;
} fr__words;

fr__words fr__words_begin(const char *text, size_t size, fr_error *error);

// Sets the error with the place and returns the status. `place` is on the present line.
fr_status fr__words_fail(const fr__words *w, fr_status status, const char *place, const char *text);

bool fr__words_is_space(char c);
void fr__words_skip(fr__words *w);

// Bytes of the next word, without moving on; a brace is a word by itself; 0 at the end.
size_t fr__words_peek(fr__words *w);

// Whether the next `length` bytes are this word, which is in small letters, in small or capital letters.
bool fr__words_is(const fr__words *w, size_t length, const char *word);

// Takes the next word where it is this one.
bool fr__words_take(fr__words *w, const char *word);

// The same; fails with the sentence where it is another.
fr_status fr__words_expect(fr__words *w, const char *word, const char *sentence);

// A finite number of at most 1e12, after which the word ends.
fr_status fr__words_number(fr__words *w, double *out);

#endif
