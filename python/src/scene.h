// A world, with the scene file that it was made from where there is one: what World and Server hold.
#ifndef FUREAI_PYTHON_SCENE_H
#define FUREAI_PYTHON_SCENE_H

#include "module.h"

#include "fureai/library.h"
#include "fureai/scene.h"

FR_ARRAY_TYPE(wish_array, fr_wish);

typedef struct scene_world {
    fr_library_finder *finder;
    fr_scene *scene; // NULL: the world was made empty
    fr_scene_player *player;
    fr_world *world;
    fr_cast *cast;         // of the scene; NULL: none
    wish_array wishes;     // of the next tick
    uint64_t ticket_count; // commands given so far
    uint32_t user_count;   // objects of Python that hold it
    PyObject *space_view;  // the Space that shows the world's, borrowed; NULL: none
} scene_world;

// How a scene file is opened.
typedef struct scene_input {
    fr_world_def def; // sense and want are read
    const char *path;
    const char *objects;       // folder of classes; NULL: that of the package
    const fr_control *control; // may be NULL
} scene_input;

// Reads a scene file and builds its world, without the GIL; nothing is left behind on failure.
fr_status scene_world_open(const scene_input *input, scene_world *out, fr_error *error);

// Destroys what it holds.
void scene_world_close(scene_world *scene);

// Adds a director for the people of its scene to its cast.
fr_status scene_world_direct(scene_world *scene, fr_error *error);

// The scene of a World, for a call that does not release the GIL; NULL with an exception.
scene_world *world_scene(PyObject *self, bool may_change);

// Holds a World and its Space for a call that changes both; NULL with an exception.
scene_world *world_hold(call *c, PyObject *self);

// Methods of World that are about people.
PyObject *world_command(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *world_ended(PyObject *self, PyObject *unused);
PyObject *world_affords(PyObject *self, PyObject *object);
PyObject *world_people(PyObject *self, void *unused);
PyObject *world_carry_out(PyObject *self, PyObject *args, PyObject *keywords);

// Names of senses and of what is wanted, for options.
extern const char *const sense_names[], *const want_names[];

#endif
