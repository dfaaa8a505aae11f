// What a hand has come to: order, errors, contacts, interference; its log, its sound, its picture.
#ifndef FUREAI_TOOL_ASSEMBLER_REPORT_H
#define FUREAI_TOOL_ASSEMBLER_REPORT_H

#include "picture.h"
#include "scene_file.h"

#include "fureai/actor.h"

// A scene and the hand that puts its parts together.
typedef struct assembler {
    scene_file file;
    const char **names; // of the parts
    fr_assembler *hand;
} assembler;

// Reads a scene that has an assembly; space, assembly, names and control of the definition are set. Anything but DONE:
// return it, there is nothing to close.
exit_status assembler_open(tool *t, const char *path, fr_assembler_def *def, assembler *out);
void assembler_close(assembler *a);

// How the parts stand in the end.
typedef struct assembler_end {
    fr_object_id *with; // what each part is in, deeper than its slack; all zeros: nothing
    uint32_t count;     // of the parts that are in something
    size_t pairs;       // of faces that share a point
} assembler_end;

fr_status assembler_end_make(tool *t, const assembler *a, assembler_end *out, fr_error *error);
void assembler_end_free(assembler_end *end);

// Prints the report or writes the document.
void assembler_report(tool *t, const assembler *a, const assembler_end *end);

// The events as a table, and as a sound; each into an open file.
void assembler_log(const assembler *a, output_file *file);
fr_status assembler_sound(const tool *t, const assembler *a, uint64_t seed, output_file *file, fr_error *error);

// The parts as they stand now, and faintly as they lay before.
void assembler_draw(const assembler *a, picture *image);

#endif
