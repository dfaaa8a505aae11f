// A scene file that a command is given, and the space made from it.
#ifndef FUREAI_TOOL_SCENE_FILE_H
#define FUREAI_TOOL_SCENE_FILE_H

#include "tool.h"

#include "fureai/act_plug_in.h"
#include "fureai/act_script.h"
#include "fureai/library.h"

typedef struct scene_file {
    fr_scene *scene;
    fr_space *space;
    fr_scene_player *player; // of the models that move by themselves
    fr_object_id *ids;       // of the scene's objects, in their order
} scene_file;

// Reads a scene and puts its objects where they are at t_K. Models are looked for beside the scene file; one that lies
// outside of its folder is not opened. Anything but DONE: return it, there is nothing to release.
exit_status scene_file_read(tool *t, const char *path, uint32_t k, scene_file *out);
void scene_file_release(scene_file *file);

// Reads a scene file without its models.
fr_status scene_file_parse(tool *t, const char *path, bool is_plain, fr_scene **out, fr_error *error);

// A scene that lives: a world with its objects at time 0, which it moves.
typedef struct scene_world {
    fr_scene *scene;
    fr_world *world;
    fr_scene_player *player;   // of the models that move by themselves
    fr_library_finder *finder; // of its classes
} scene_world;

// Reads a scene as scene_file_read does. On failure there is nothing to close.
fr_status scene_world_open(tool *t, const char *path, fr_sense sense, fr_want want, scene_world *out, fr_error *error);

// The same with people of other measures (fr_scene_read_input.body); NULL: their own.
fr_status scene_world_open_as(tool *t, const char *path, const fr_body_def *body, fr_sense sense, fr_want want,
                              scene_world *out, fr_error *error);
void scene_world_close(scene_world *shown);

// Reads a script. Destroy it.
fr_status script_file_read(tool *t, const char *path, fr_script **out, fr_error *error);

// The programs of --algorithms; NULL without it. Destroy them.
#define ALGORITHMS_OPTION                                                                                              \
    STRING_OPTION("algorithms", "FOLDER", NULL,                                                                        \
                  "Let the programs of this folder carry out the skills that have their names (docs/act_plug_in.md).")
fr_status plug_ins_open(const tool *t, fr_plug_ins **out, fr_error *error);

// The name of an object by the index that results give (index1 - 1).
const char *scene_file_name(const scene_file *file, uint32_t index);

#endif
