// Fureai act: objects that are added to a world while it runs, each of a class of a library, and removed again. Library
// libfureai-world.
#ifndef FUREAI_ACT_ADDITIONS_H
#define FUREAI_ACT_ADDITIONS_H

#include "act_director.h"

#ifdef __cplusplus
extern "C" {
#endif

// What was added to one world. One thread at a time, the same that owns the world.
typedef struct fr_additions fr_additions;

#define FR_ADDITIONS_MAX 100000u // objects that are there at a time

typedef struct fr_additions_def {
    fr_cast *cast;           // of the world; not read any more when the additions are destroyed
    fr_director *director;   // that knows the classes then; NULL, the default: none
    fr_library *library;     // of the classes; must outlive the additions. NULL, the default: nothing can be added
    fr_scene_player *player; // of the world's scene, to which looks are added; NULL, the default: added objects are
                             // shown in one colour
    uint64_t memory;         // of fr_scene_build_input
    fr_allocator allocator;  // default: the process default
    uint32_t cookie;         // set by fr_default_additions_def
} fr_additions_def;

FR_API fr_additions_def fr_default_additions_def(void);

// FR_ERROR_ARGUMENT for a definition without a cast or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_additions_create(const fr_additions_def *def, fr_additions **out, fr_error *error);

// Call it after the world is destroyed: objects point into it. NULL is ignored.
FR_API void fr_additions_destroy(fr_additions *additions);

// The table by which objects are added and removed, between ticks; it lives as long as the additions.
//
// `list` brings the library up to date and gives every class of objects that can be read, by name. `add` reads the
// class, with its models, and puts an object of it into the world, on the joint of its class where it has one:
// FR_ERROR_ARGUMENT for a class that is not there or a name that another object has, FR_ERROR_FILE without a library,
// FR_ERROR_LIMIT, and the errors of fr_class_read, fr_model_read and fr_scene_build. `remove` removes what was added:
// FR_ERROR_ARGUMENT for another object, FR_ERROR_BUSY while something holds it, with its name.
FR_API fr_scene_stock fr_additions_stock(fr_additions *additions);

#ifdef __cplusplus
}
#endif

#endif
