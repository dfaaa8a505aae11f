// What a line says to a commander.
#ifndef FUREAI_ACT_COMMANDER_PRIVATE_H
#define FUREAI_ACT_COMMANDER_PRIVATE_H

#include "fureai/act_commander.h"

typedef enum fr__commander_line_verb {
    FR__LINE_COMMAND, // a command, waited for
    FR__LINE_OBJECTS,
    FR__LINE_PEOPLE,
    FR__LINE_AFFORDS,
    FR__LINE_CLASSES,
    FR__LINE_ADD,
    FR__LINE_REMOVE,
    FR__LINE_START, // a command, not waited for
    FR__LINE_WAIT,
    FR__LINE_RUN
} fr__commander_line_verb;

typedef struct fr__commander_line {
    fr__commander_line_verb verb;
    fr_script *script;      // of the command; NULL: none
    const char *object;     // "": not given, as the texts below
    const char *class_name; //
    const char *name;
    double position[3];
    double facing; // degrees
    bool has_position;
    uint32_t frames;
    fr_arena *strings; // of the texts
} fr__commander_line;

// Reads a line; free it with fr__commander_line_free, also after a failure. The error names the place.
fr_status fr__commander_line_read(const void *bytes, size_t size, const fr_allocator *allocator,
                                  fr__commander_line *out, fr_error *error);
void fr__commander_line_free(fr__commander_line *line);

#endif
