// A model as text, all of it.
#ifndef FUREAI_TOOL_MODEL_DUMP_H
#define FUREAI_TOOL_MODEL_DUMP_H

#include "tool.h"

#include "fureai/model.h"

// Prints nodes, meshes with every vertex, polygon and plane, materials, textures, clocks, tracks, sounds, notes and
// warnings, a line each, beginning with a word that says what it is.
void model_dump(tool *t, const fr_model *model);

#endif
