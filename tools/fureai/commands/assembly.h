// Models taken apart: every part a mesh where its file puts it, with a name of its own.
#ifndef FUREAI_TOOL_ASSEMBLY_H
#define FUREAI_TOOL_ASSEMBLY_H

#include "tool.h"

#include "fureai/clash.h"
#include "fureai/clash_notes.h"
#include "fureai/clash_stream.h"
#include "fureai/model.h"

typedef struct assembly {
    fr_array parts; // fr_clash_part
    fr_array
        names; // char *, one a part, each different: that of the part, with that of its file where there are several
    fr_array colors; // fr_color *, one a part where colours are read: one a triangle; NULL where its file gives none
    fr_array failed; // char *, the models that could not be read, where reading goes on
    fr_clash_notes *notes; // about its clashes; NULL: there are none

    // Where meshes are made when they are needed, in place of `parts`
    fr_array instances; // fr_clash_instance
    fr_array shapes;    // fr_clash_shape
    fr_array sources;   // assembly_source, one a model, in the order of the shapes
} assembly;

// A model whose meshes are made when they are needed.
typedef struct assembly_source {
    fr_model *model;
    fr_model_part_list *list;
    uint32_t first_shape;
    const char *path;
} assembly_source;

extern const fr_color assembly_grey; // of triangles without a colour in a part that has some

// How models are read; all zeros: as their files say.
typedef struct assembly_frame {
    double unit; // metres a unit
    fr_model_up up;
    bool has_colors;  // colours are read, too
    bool goes_on;     // of several models one that cannot be read is left out, unless none is left
    bool is_streamed; // meshes are made when they are needed: the models stay, and `parts` is empty
} assembly_frame;

// Reads models. Anything but DONE: return it, there is nothing to release.
exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly_frame frame, assembly *out);
void assembly_release(assembly *a);

// The colours of a part's triangles; NULL: its file gives none, or they are not read.
const fr_color *assembly_colors(const assembly *a, uint32_t part);

// Makes the mesh of a shape; `user` is the assembly. Any thread.
fr_clash_make_fn assembly_make;

const char *assembly_name(const assembly *a, uint32_t part);

// Reads notes about its clashes. Anything but DONE: return it.
exit_status assembly_read_notes(tool *t, const char *path, assembly *a);

// What was decided about a clash; open and without a text where there is no note.
fr_clash_note assembly_note(const assembly *a, const fr_clash *clash);

#endif
