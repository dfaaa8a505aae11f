// Models taken apart: every part a mesh where its file puts it, with a name of its own.
#ifndef FUREAI_TOOL_ASSEMBLY_H
#define FUREAI_TOOL_ASSEMBLY_H

#include "tool.h"

#include "fureai/clash.h"
#include "fureai/clash_notes.h"
#include "fureai/model.h"

typedef struct assembly {
    fr_array parts; // fr_clash_part
    fr_array
        names; // char *, one a part, each different: that of the part, with that of its file where there are several
    fr_array colors; // fr_color *, one a part where colours are read: one a triangle; NULL where its file gives none
    fr_clash_notes *notes; // about its clashes; NULL: there are none
} assembly;

extern const fr_color assembly_grey; // of triangles without a colour in a part that has some

// How models are read; all zeros: as their files say.
typedef struct assembly_frame {
    double unit; // metres a unit
    fr_model_up up;
    bool has_colors; // colours are read, too
} assembly_frame;

// Reads models. Anything but DONE: return it, there is nothing to release.
exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly_frame frame, assembly *out);
void assembly_release(assembly *a);

// The colours of a part's triangles; NULL: its file gives none, or they are not read.
const fr_color *assembly_colors(const assembly *a, uint32_t part);

const char *assembly_name(const assembly *a, uint32_t part);

// Reads notes about its clashes. Anything but DONE: return it.
exit_status assembly_read_notes(tool *t, const char *path, assembly *a);

// What was decided about a clash; open and without a text where there is no note.
fr_clash_note assembly_note(const assembly *a, const fr_clash *clash);

#endif
