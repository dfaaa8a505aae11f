// What a model holds beside its counts, for people and as JSON.
#ifndef FUREAI_TOOL_MODEL_REPORT_H
#define FUREAI_TOOL_MODEL_REPORT_H

#include "tool.h"

#include "fureai/model.h"

// The tree with its instances, then materials, textures, tracks, sounds and notes.
void model_report_print(tool *t, const fr_model_view *view);

// The same as fields of the object that is being written. Both leave nodes out once the control says stop.
void model_report_write(fr_json_writer *j, const fr_model_view *view, const fr_control *control);

// What counts as one model, as --split says: "shape", each node with polygons; "def", each node with a name, with all
// that is below it and has none; "root", each node at the top. Prints each with its bounds, and adds the field
// "models". False when there is no memory.
bool model_report_split(tool *t, fr_json_writer *j, const fr_model *model, const char *how);

#endif
