// What the files that read a scene share.
#ifndef FUREAI_SCENE_SCENE_READER_H
#define FUREAI_SCENE_SCENE_READER_H

#include "scene/scene.h"

#include "fureai/json.h"

// Where an object's name stands, to find objects by name and names that two objects have.
typedef struct fr__name_place {
    const char *name;
    fr_json_value value;
    uint32_t object;
} fr__name_place;

FR_ARRAY_TYPE(fr__name_place_array, fr__name_place);

// An object of cells whose pivot or position the file does not give.
typedef struct fr__unplaced {
    uint32_t object;
    bool needs_pivot, needs_position;
} fr__unplaced;

FR_ARRAY_TYPE(fr__unplaced_array, fr__unplaced);

typedef struct fr__scene_reader {
    fr_json_reader reader;
    fr_scene *scene;
    fr__name_place_array names;  // of each object, sorted by name once all are there
    fr__unplaced_array unplaced; // objects of cells that stand where their cells are
    bool has_plan;
} fr__scene_reader;

// Three numbers; none leaves `out` as it is.
bool fr__scene_read_vector(fr__scene_reader *r, fr_json_value token, const char *what, fr_json_range range,
                           fr_vec3 *out);

// A field of three numbers within +-high, to the vector `member` of a struct.
#define FR__SCENE_VECTOR(name, type_name, member, high)                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBERS, .offset = offsetof(type_name, member), .range = {-(high), high},      \
        .count = 3                                                                                                     \
    }

// The color of an object, and its states; none leaves all as it is.
bool fr__scene_read_color(fr__scene_reader *r, fr_json_value token, fr_color *out);
bool fr__scene_read_states(fr__scene_reader *r, fr_json_value token, fr_scene_object *object);

// How many seconds ahead it is foreseen what an object will hit; none leaves it at 0.
bool fr__scene_read_ahead(fr__scene_reader *r, fr_json_value token, double *out);

// The name of an object that was read, as its index.
bool fr__scene_read_object_name(fr__scene_reader *r, fr_json_value token, const char *what, uint32_t *out);

// The cells of an object: boxes, or else rows.
bool fr__scene_read_cells(fr__scene_reader *r, fr_json_value boxes, fr_json_value rows, fr_scene_object *object);

// The planning problems among objects that were all read.
bool fr__scene_read_plans(fr__scene_reader *r, fr_json_value token);

// The touch session among objects that were all read.
bool fr__scene_read_touch(fr__scene_reader *r, fr_json_value token);

// The objects that look for others, among objects that were all read.
bool fr__scene_read_seeks(fr__scene_reader *r, fr_json_value token);

// The people, with an object for the skin of each and for its rigid pieces; in all at most `max_objects`. They come
// behind the objects of the file.
bool fr__scene_read_people(fr__scene_reader *r, fr_json_value token, uint32_t max_objects);

// What the people do, among objects that were all read, and their lists once the scene is whole.
bool fr__scene_read_tasks(fr__scene_reader *r, fr_json_value people);
void fr__scene_settle_tasks(fr_scene *scene);

// A box of the object's origin, such as of a plan.
bool fr__scene_read_bounds(fr__scene_reader *r, fr_json_value token, fr_bounds *out);

// What hands are given.
bool fr__scene_read_aid(fr__scene_reader *r, fr_json_value token);

// The assembly among objects that were all read, and its lists once the scene is whole.
bool fr__scene_read_assembly(fr__scene_reader *r, fr_json_value token);
void fr__scene_settle_assembly(fr_scene *scene);

// The joints among objects that were all read.
bool fr__scene_read_joints(fr__scene_reader *r, fr_json_value token);

#endif
