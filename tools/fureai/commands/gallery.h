// The scenes that a server can show: one file, or every scene of a folder.
#ifndef FUREAI_TOOL_GALLERY_H
#define FUREAI_TOOL_GALLERY_H

#include "tool.h"

#include "fureai/act_script.h"
#include "fureai/devices.h"
#include "fureai/library.h"
#include "fureai/server.h"

typedef struct gallery_scene {
    char *path;
    char *name;  // of the file, without its ending
    char *title; // of the scene, else its name
    char *about;
} gallery_scene;

enum { GALLERY_OCTREES_MAX = 16 };

// Octrees that are drawn in every scene that has their objects.
typedef struct gallery_octrees {
    fr_served_octree list[GALLERY_OCTREES_MAX];
    uint32_t count;
} gallery_octrees;

typedef struct gallery {
    tool *tool;
    fr_array scenes;  // of gallery_scene, by name
    fr_array entries; // of fr_scene_entry, the same
    fr_scene_provider provider;
    double ahead; // seconds: what turning objects will sweep is drawn; 0: nothing is
    gallery_octrees octrees;
    fr_station *station;       // of a person at a device; NULL: none
    fr_library_finder *finder; // of the classes of the scene that is open; NULL: none
    fr_script *script;         // what people do in every scene; NULL: nothing
} gallery;

// Reads what there is at a path. `first` is the name of the scene to begin with; NULL: the first by name. Scenes of a
// folder that cannot be read are left out with a note. Anything but DONE: return it, there is nothing to release.
exit_status gallery_read(tool *t, const char *path, const char *first, gallery *out);
void gallery_release(gallery *g);

// Reads NAME:DEPTH, several with commas between; NULL: none. False when it is not that.
bool gallery_read_octrees(const char *text, gallery_octrees *out);

#endif
