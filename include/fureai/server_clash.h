// Fureai server: assemblies as served scenes, for clash review. People see which parts meet, decide about each clash,
// and what they decide is stored in a file of notes (clash_notes.h). Library libfureai-world.
#ifndef FUREAI_SERVER_CLASH_H
#define FUREAI_SERVER_CLASH_H

#include "clash.h"
#include "clash_notes.h"
#include "file.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr_served_scene;

// The clashes of a served scene, and what was decided about them.
typedef struct fr_served_clashes fr_served_clashes;

typedef struct fr_served_clashes_def {
    const fr_clash_part *parts;  // each becomes an object that stands still
    const char *const *names;    // of the parts, each different, as notes name them; copied
    size_t part_count;           // up to FR_SPACE_MAX_OBJECTS
    double tolerance;            // as of fr_clash_input
    const char *title;           // for people; must outlive the scene
    const char *notes_path;      // file that decisions are read from, where it is there, and written to with each; must
                                 // outlive the scene. NULL, the default: nothing can be decided
    const fr_file_ops *file_ops; // that write the notes; NULL, the default: the system's
    const fr_tasks *tasks;       // of the search for clashes; may be NULL
    const fr_control *control;   // may stop it; may be NULL
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_served_clashes_def
} fr_served_clashes_def;

FR_API fr_served_clashes_def fr_default_served_clashes_def(void);

// Makes the scene of an assembly, for the `open` of a provider: finds its clashes and reads the notes about them. The
// statuses of fr_clash_find, fr_clash_notes_read and fr_object_add, and FR_ERROR_FILE.
FR_API fr_status fr_served_clashes_create(const fr_served_clashes_def *def, struct fr_served_scene *out,
                                          fr_error *error);

// Destroys such a scene, for the `close` of a provider.
FR_API void fr_served_clashes_destroy(struct fr_served_scene *scene);

// How many clashes there are, and how many of these are open.
FR_API size_t fr_served_clashes_count(const fr_served_clashes *clashes, size_t *open_count);

#ifdef __cplusplus
}
#endif

#endif
