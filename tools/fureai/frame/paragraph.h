// Prose, wrapped.
#ifndef FUREAI_TOOL_PARAGRAPH_H
#define FUREAI_TOOL_PARAGRAPH_H

#include "output_file.h"

// Writes text in lines of at most `columns` that begin with `indent` blanks. A single newline in the text is a blank,
// an empty line ends a paragraph, a line that begins with a blank is written as it is. A word that is longer than a
// line stands alone and whole.
void paragraph_write(fr_output_file *out, const char *text, int indent, int columns);

// Writes "  name    text", the text in its own column, beginning on the next line when the name is too long.
void paragraph_write_entry(fr_output_file *out, const char *name, const char *text, int indent, int name_columns,
                           int columns);

#endif
