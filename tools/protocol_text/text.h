// What is made of the description of the protocol.
#ifndef PROTOCOL_TEXT_TEXT_H
#define PROTOCOL_TEXT_TEXT_H

#include "fureai/protocol.h"

#include <stdio.h>

// viewer/src/protocol.ts
void print_typescript(FILE *out);

// The tables of docs/protocol.md.
void print_markdown(FILE *out);

#endif
