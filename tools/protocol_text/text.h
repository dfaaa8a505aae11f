// Texts that are made of the tables of the library.
#ifndef PROTOCOL_TEXT_TEXT_H
#define PROTOCOL_TEXT_TEXT_H

#include "fureai/protocol.h"

#include <stdio.h>

// viewer/src/protocol.ts
void print_typescript(FILE *out);

// The tables of docs/protocol.md.
void print_markdown(FILE *out);

// viewer/src/hand_table.ts
void print_hand(FILE *out);

// viewer/test/hand_cases.ts
void print_hand_cases(FILE *out);

// viewer/test/measure_cases.ts
void print_measure_cases(FILE *out);

// viewer/test/section_cases.ts
void print_section_cases(FILE *out);

// viewer/test/direction_cases.ts
void print_direction_cases(FILE *out);

// A number that reads back as the same bits.
void print_number(FILE *out, double value);

#endif
