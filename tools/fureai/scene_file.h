// A scene file that a command is given, and the space made from it.
#ifndef FUREAI_TOOL_SCENE_FILE_H
#define FUREAI_TOOL_SCENE_FILE_H

#include "tool.h"

#include "fureai/scene.h"

typedef struct scene_file {
    fr_scene *scene;
    fr_space *space;
    fr_object_id *ids; // of the scene's objects, in their order
} scene_file;

// Reads a scene and puts its objects where they are at t_K. Models are looked for beside the scene file; one that lies
// outside of its folder is not opened. Anything but DONE: return it, there is nothing to release.
exit_status scene_file_read(tool *t, const char *path, uint32_t k, scene_file *out);
void scene_file_release(scene_file *file);

// The name of an object by the index that answers give (index1 - 1).
const char *scene_file_name(const scene_file *file, uint32_t index);

#endif
