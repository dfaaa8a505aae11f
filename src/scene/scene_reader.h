// What the files that read a scene share.
#ifndef FUREAI_SCENE_SCENE_READER_H
#define FUREAI_SCENE_SCENE_READER_H

#include "scene/json_reader.h"
#include "scene/scene.h"

// Where an object's name stands, to find objects by name and names that two objects have.
typedef struct fr__name_place {
    const char *name;
    uint32_t token;
    uint32_t object;
} fr__name_place;

// An object of cells whose pivot or position the file does not give.
typedef struct fr__unplaced {
    uint32_t object;
    bool needs_pivot, needs_position;
} fr__unplaced;

typedef struct fr__scene_reader {
    fr__json_reader json;
    fr_scene *scene;
    fr_array names;    // fr__name_place of each object, sorted by name once all are there
    fr_array unplaced; // fr__unplaced: objects of cells that stand where their cells are
    bool has_plan;
} fr__scene_reader;

// Three numbers; none leaves `out` as it is.
bool fr__scene_read_vector(fr__scene_reader *r, uint32_t token, const char *what, fr__json_range range, fr_vec3 *out);

// How an object is shown, who meets it, how well its pose is known, and its states.
typedef struct fr__manner_tokens {
    uint32_t color, sensor, real, self, layers, mask, group, position_error, rotation_error, latency, states;
} fr__manner_tokens;

bool fr__scene_read_manner(fr__scene_reader *r, const fr__manner_tokens *tokens, fr_scene_object *object);

// A rotation in either form, or none, which leaves `out` as it is.
bool fr__scene_read_rotation(fr__scene_reader *r, uint32_t quaternion, uint32_t axis_angle, fr_quat *out);

// The name of an object that was read, as its index.
bool fr__scene_read_object_name(fr__scene_reader *r, uint32_t token, const char *what, uint32_t *out);

// The cells of an object: boxes, or else rows.
bool fr__scene_read_cells(fr__scene_reader *r, uint32_t boxes, uint32_t rows, fr_scene_object *object);

// The planning problems among objects that were all read.
bool fr__scene_read_plans(fr__scene_reader *r, uint32_t token);

// One of some words, as its value; none leaves `out` as it is.
typedef struct fr__scene_word {
    const char *name;
    int value;
} fr__scene_word;

bool fr__scene_read_word(fr__scene_reader *r, uint32_t token, const char *what, const fr__scene_word *words,
                         size_t count, int *out);

// The touch session among objects that were all read.
bool fr__scene_read_touch(fr__scene_reader *r, uint32_t token);

// What hands are given.
bool fr__scene_read_aid(fr__scene_reader *r, uint32_t token);

// The assembly among objects that were all read, and its lists once the scene is whole.
bool fr__scene_read_assembly(fr__scene_reader *r, uint32_t token);
void fr__scene_settle_assembly(fr_scene *scene);

// The joints among objects that were all read.
bool fr__scene_read_joints(fr__scene_reader *r, uint32_t token);

#endif
