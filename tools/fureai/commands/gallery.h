// The scenes that a server can show: one file, or every scene of a folder.
#ifndef FUREAI_TOOL_GALLERY_H
#define FUREAI_TOOL_GALLERY_H

#include "assembly.h"
#include "tool.h"

#include "fureai/act_plug_in.h"
#include "fureai/act_script.h"
#include "fureai/devices.h"
#include "fureai/library.h"
#include "fureai/server.h"

typedef struct gallery_scene {
    char *path;
    char *name;  // of the file, without its ending
    char *title; // of the scene, else its name
    char *about;
    char *hint;
    char *picture; // path of its picture; NULL: it has none
    bool is_record;
} gallery_scene;

// A record that is open, and its bytes.
typedef struct gallery_record {
    fr_served_record *record; // NULL: none
    fr_input_file file;
} gallery_record;

enum { GALLERY_OCTREES_MAX = 16 };

typedef struct gallery {
    tool *tool;
    fr_array scenes;  // of gallery_scene, by name
    fr_array entries; // of fr_scene_entry, the same
    fr_scene_provider provider;
    double ahead;                                  // seconds: what turning objects will sweep is drawn; 0: nothing is
    fr_served_octree octrees[GALLERY_OCTREES_MAX]; // drawn in every scene that has their objects
    uint32_t octree_count;
    fr_import_files_input models;     // that are added to the first scene
    fr_station *station;              // of a person at a device; NULL: none
    fr_library_finder *finder;        // of the classes of the scene that is open; NULL: none
    fr_plug_ins *plug_ins;            // programs that are skills; NULL: none
    fr_script *script;                // what people do in every scene; NULL: what the scene says
    fr_script *own_scripts[2];        // of the scene that is shown, and of one before that may not be closed yet
    gallery_record records[2];        // the one that is shown, and one that is opened in its place
    bool is_clash;                    // the only scene is an assembly, with its clashes
    assembly parts;                   // of it
    const fr_served_clashes *clashes; // of it, while it is open; NULL: none
} gallery;

// Reads what there is at a path. `first` is the name of the scene to begin with; NULL: the first by name. Scenes of a
// folder that cannot be read are left out with a note. Anything but DONE: return it, there is nothing to release.
exit_status gallery_read(tool *t, const char *path, const char *first, gallery *out);

// Whether a file begins as a record of a world does (fr_world_record).
bool gallery_is_record(const char *path);

// The same of one or more records.
exit_status gallery_read_records(tool *t, char *const *paths, int count, const char *first, gallery *out);

// The same of an assembly: models whose clashes people look at and decide about.
exit_status gallery_read_clash(tool *t, char *const *paths, int count, assembly_frame frame, gallery *out);
void gallery_release(gallery *g);

#endif
