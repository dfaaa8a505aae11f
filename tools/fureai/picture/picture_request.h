// The picture that a user may ask of a command.
#ifndef FUREAI_TOOL_PICTURE_REQUEST_H
#define FUREAI_TOOL_PICTURE_REQUEST_H

#include "picture.h"
#include "tool.h"

// Rows for the option table of a command that has something to show.
#define PICTURE_OPTIONS                                                                                                \
    {.name = "picture",                                                                                                \
     .kind = OPTION_STRING,                                                                                            \
     .metavar = "FILE",                                                                                                \
     .help = "Also draw the result, as SVG or PNG by the file's suffix.",                                              \
     .is_output = true},                                                                                               \
        {.name = "picture-size",                                                                                       \
         .kind = OPTION_STRING,                                                                                        \
         .metavar = "WxH",                                                                                             \
         .help = "Pixels of the picture, from 64 to 8192 a side.",                                                     \
         .fallback = "1200x900"},                                                                                      \
        {.name = "view",                                                                                               \
         .kind = OPTION_VECTOR,                                                                                        \
         .metavar = "X,Y,Z",                                                                                           \
         .help = "Look from this direction; Y is up.",                                                                 \
         .fallback = "4,3,6",                                                                                          \
         .components = 3},                                                                                             \
    {                                                                                                                  \
        .name = "perspective", .kind = OPTION_FLAG, .help = "Draw far things smaller."                                 \
    }

// Makes the picture that the options ask for; NULL in `out` when they ask for none, which picture_draw and
// picture_legend take. Call it before the work, so that a wrong option costs no time. Anything but DONE: return it.
exit_status picture_request_begin(tool *t, const char *title, picture **out);

// Writes and destroys the picture; NULL is ignored. Anything but DONE: return it.
exit_status picture_request_end(tool *t, picture *p);

#endif
