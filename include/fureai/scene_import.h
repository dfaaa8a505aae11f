// Fureai scene import: model files that become objects of a world, side by side or as they are placed, in a unit and
// with an up axis that are given, said by the file or guessed. It opens no file: bytes come through a callback.
#ifndef FUREAI_SCENE_IMPORT_H
#define FUREAI_SCENE_IMPORT_H

#include "json.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_IMPORT_MAX_MODELS 256u

// Models that were read together and are ready to become objects.
typedef struct fr_scene_import fr_scene_import;

// Takes the name of a file that a model refers to and `load` does not have.
typedef void fr_import_missing_fn(const char *path, void *context);

typedef struct fr_scene_import_def {
    const char *const *paths;       // of the models, as `load` takes them; none twice
    uint32_t path_count;            // 1 .. FR_IMPORT_MAX_MODELS
    double unit;                    // metres a unit of all of them; 0, the default: as the file says, else guessed
    fr_model_up up;                 // axis that points up in all of them; default: as the file says, else guessed
    bool is_in_place;               // they stay where their files have them; default false: side by side on the ground
    fr_scene_load_fn *load;         // of models, and of files that they refer to, in the folder of the model
    fr_scene_unload_fn *unload;     // may be NULL
    fr_import_missing_fn *missing;  // may be NULL
    void (*release)(void *context); // called when the import is destroyed; may be NULL
    void *context;                  // given to the four
    uint64_t memory;                // as of fr_scene_build_input
    const fr_tasks *tasks;          // build trees; may be NULL
    const fr_control *control;      // may stop the reading; may be NULL
    fr_allocator allocator;         // default: the process default
    uint32_t cookie;                // set by fr_default_scene_import_def
} fr_scene_import_def;

FR_API fr_scene_import_def fr_default_scene_import_def(void);

// Reads the models and makes their meshes. Texts of the definition and the context must live as long as the import;
// `release` ends that, also when the call fails. Any thread. Fails as fr_scene_build does, with the path of the model.
FR_API fr_status fr_scene_import_create(const fr_scene_import_def *def, fr_scene_import **out, fr_error *error);

// NULL is ignored. A world that it was added to must not be ticked any more.
FR_API void fr_scene_import_destroy(fr_scene_import *import);

// A model that was read.
typedef struct fr_imported_model {
    const char *path;
    fr_model_format format;
    double unit;                         // metres
    fr_model_up up;                      // FR_MODEL_UP_AS_FILE: the file's own, which is y
    bool is_unit_guessed, is_up_guessed; // neither said nor given
    bool has_looks;                      // colours of its own, else it gets one of a palette
    uint64_t triangle_count;
    fr_bounds bounds; // metres, y up
    const char *name; // of its object; "" until it was added
} fr_imported_model;

FR_API const fr_imported_model *fr_scene_import_models(const fr_scene_import *import, uint32_t *count);

// The files that were loaded, models and what they refer to, each once: NULL for an `index` beyond the last.
FR_API const char *fr_scene_import_file(const fr_scene_import *import, uint32_t index);

// Loads one of them again, and gives it back; one thread at a time. As the definition's load and unload.
FR_API fr_status fr_scene_import_load(const fr_scene_import *import, const char *path, const void **bytes, size_t *size,
                                      fr_error *error);
FR_API void fr_scene_import_unload(const fr_scene_import *import, const void *bytes, size_t size);

// Reads a model again, as it was read, for writing it in another format. `control` may be NULL.
FR_API fr_status fr_scene_import_model(const fr_scene_import *import, uint32_t index, const fr_control *control,
                                       fr_model **out, fr_error *error);

// Bytes of the text of fr_imported_model_text, with the zero at its end.
#define FR_IMPORTED_TEXT_BYTES 256

// One sentence about a model for people: "bracket.stl: 24.0 x 10.0 x 8.0 mm, 1,224 triangles; unit mm guessed, z up
// guessed".
FR_API void fr_imported_model_text(const fr_imported_model *model, char text[FR_IMPORTED_TEXT_BYTES]);

// Adds the models to a world as objects, named as their files, with a number where a name is taken: beside what stands
// there and may move, or where their files have them. `player`, of that world's scene, takes over their looks; it and
// the world must be destroyed before the import. Between ticks. FR_ERROR_LIMIT where the world is full,
// FR_ERROR_MEMORY; nothing is added then. Once.
FR_API fr_status fr_scene_import_add(fr_scene_import *import, fr_world *world, fr_scene_player *player,
                                     fr_error *error);

// Puts the objects where they were added.
FR_API fr_status fr_scene_import_restart(const fr_scene_import *import, fr_world *world, fr_error *error);

typedef struct fr_import_write_input {
    fr_scene_import *const *imports; // all of them added
    uint32_t import_count;
    fr_world *world;            // that they were added to: objects are written where they are now
    const char *const *folders; // of each import: put before the paths of its models
    const char *title;
} fr_import_write_input;

// Writes a scene file (docs/scene.md) with the objects of imports. FR_ERROR_FILE when the sink ends it.
FR_API fr_status fr_scene_import_write(const fr_import_write_input *input, fr_json_write_fn *write, void *context,
                                       fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
