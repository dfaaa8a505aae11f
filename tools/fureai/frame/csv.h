// Fields of a table with commas (RFC 4180).
#ifndef FUREAI_TOOL_CSV_H
#define FUREAI_TOOL_CSV_H

#include "output_file.h"

// A field in quotes, quotes inside doubled.
void csv_text(fr_output_file *file, const char *text);

// A comma, and a number so that it reads back as the same double; nothing behind the comma for what is not finite.
void csv_number(fr_output_file *file, double value);

#endif
