// The scenes that a server can show: one file, or every scene of a folder.
#ifndef FUREAI_TOOL_GALLERY_H
#define FUREAI_TOOL_GALLERY_H

#include "octree_layer.h"
#include "sweep_layer.h"
#include "tool.h"

#include "fureai/server.h"

typedef struct gallery_scene {
    char *path;
    char *name;  // of the file, without its ending
    char *title; // of the scene, else its name
    char *about;
} gallery_scene;

typedef struct gallery {
    tool *tool;
    fr_array scenes; // of gallery_scene, by name
    fr_array demos;  // of fr_demo, the same
    fr_theatre theatre;
    sweep_layer sweeps; // drawn in every scene that is shown
    octree_layers octrees;
} gallery;

// Reads what there is at a path. `first` is the name of the scene to begin with; NULL: the first by name. Scenes of a
// folder that cannot be read are left out with a note. Anything but DONE: return it, there is nothing to release.
exit_status gallery_read(tool *t, const char *path, const char *first, gallery *out);
void gallery_release(gallery *g);

#endif
