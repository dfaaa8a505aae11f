// A model file that a command is given, or writes.
#ifndef FUREAI_TOOL_MODEL_FILE_H
#define FUREAI_TOOL_MODEL_FILE_H

#include "tool.h"

#include "fureai/model.h"

// Reads a model, with the files beside it that it refers to; one that lies outside of its folder is not opened.
// Anything but DONE: return it. Destroy the model.
exit_status model_file_read(tool *t, const char *path, fr_model **out);

// The same in a unit (metres a unit) and with an axis that points up; 0 and FR_MODEL_UP_AS_FILE: as the file says.
exit_status model_file_read_as(tool *t, const char *path, double unit, fr_model_up up, fr_model **out);

// The same as the options of MODEL_READ_OPTIONS ask.
exit_status model_file_read_by_options(tool *t, const char *path, fr_model **out);

// Rows for the table of a command that calls model_file_read_by_options.
#define MODEL_READ_OPTIONS                                                                                             \
    {.name = "strict",                                                                                                 \
     .kind = OPTION_FLAG,                                                                                              \
     .help = "Fail at the first thing that VRML97 forbids, or that would be repaired in VRML or X3D."},                \
        {.name = "all-choices", .kind = OPTION_FLAG, .help = "Keep what a Switch or an LOD does not take, hidden."},   \
        {.name = "lod",                                                                                                \
         .kind = OPTION_INT,                                                                                           \
         .metavar = "N",                                                                                               \
         .help = "The level of LOD nodes, 0 the finest; the last one where there are fewer.",                          \
         .low = 0,                                                                                                     \
         .high = 1000},                                                                                                \
        {.name = "unit",                                                                                               \
         .kind = OPTION_STRING,                                                                                        \
         .metavar = "UNIT",                                                                                            \
         .help = "What a unit of the file is: mm, cm, m, km, in, ft or a number of metres. Without it: metres, or "    \
                 "what the file says."},                                                                               \
        {.name = "verify", .kind = OPTION_FLAG, .help = "Compare the checksums of an intermediate file (.frm) too."},  \
    {                                                                                                                  \
        .name = "up", .kind = OPTION_CHOICE, .metavar = "AXIS",                                                        \
        .help = "The axis of the file that points up; it is turned to y. Without it: as it is, or what the file "      \
                "says.",                                                                                               \
        .choices = "x,y,z"                                                                                             \
    }

// Says on standard error what the reader passed over: the first ten, and how many more.
void model_file_note_warnings(tool *t, const char *path, const fr_model *model);

// Whether models are written in this format; FR_MODEL_AUTO is none.
bool model_file_is_written(fr_model_format format);

// Writes a model, whole or not at all. Anything but DONE: return it.
exit_status model_file_write(tool *t, const fr_model *model, fr_model_format format, const char *path);

// The same in a unit (0: metres) and with an axis that points up.
exit_status model_file_write_as(tool *t, const fr_model *model, fr_model_format format, double unit, fr_model_up up,
                                const char *path);

#endif
