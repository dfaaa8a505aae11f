// What the files that read a scene share.
#ifndef FUREAI_SCENE_SCENE_READER_H
#define FUREAI_SCENE_SCENE_READER_H

#include "scene/scene.h"
#include "scene/scene_value.h"

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

// A class that an object named, and what it has for all its objects.
typedef struct fr__scene_class_note {
    const char *name;
    const char *const *models;
    uint32_t model_count;
    bool is_static, has_color, has_joint;
    fr_color color;
    fr_scene_joint joint;
    const fr_scene_frame *frames; // those with a class
    uint32_t frame_count;
    bool is_person;
    fr_body_def body;
    double speed, curves;
    uint32_t seed;
} fr__scene_class_note;

FR_ARRAY_TYPE(fr__scene_class_note_array, fr__scene_class_note);

// The joint that an object has of its class, unless the scene gives it another.
typedef struct fr__scene_class_joint {
    fr_scene_joint joint;
    fr_json_value token; // the object
} fr__scene_class_joint;

FR_ARRAY_TYPE(fr__scene_class_joint_array, fr__scene_class_joint);

typedef struct fr__scene_reader {
    fr_json_reader reader;
    fr_scene_classes provider;
    const fr_body_def *body;            // of fr_scene_read_input
    fr__scene_class_note_array classes; // sorted by name
    fr__scene_class_note class_now;     // of the object at hand, where it has one
    fr__scene_class_joint_array class_joints;
    fr_scene *scene;
    fr__name_place_array names;  // of each object, sorted by name once all are there
    fr__unplaced_array unplaced; // objects of cells that stand where their cells are
    bool has_plan;
    uint32_t max_objects;
} fr__scene_reader;

// Adds the objects that stand on the frames of the class of the object that was added last; `name` is its name's token.
bool fr__scene_add_frames(fr__scene_reader *r, fr_json_value name);

// The states of an object; none leaves all as it is.
bool fr__scene_read_states(fr__scene_reader *r, fr_json_value token, fr_scene_object *object);

// The unit of an object's model and its axis that points up, where the values are there.
bool fr__scene_read_frame(fr__scene_reader *r, fr_json_value unit, fr_json_value up, fr_scene_object *object);

// How many seconds ahead it is foreseen what an object will hit; none leaves it at 0.
bool fr__scene_read_surfaces(fr__scene_reader *r, fr_json_value token, double *out);
bool fr__scene_read_ahead(fr__scene_reader *r, fr_json_value token, double *out);

// What an object sees by radar; none leaves its range at 0.
bool fr__scene_read_radar(fr__scene_reader *r, fr_json_value token, fr_scene_radar *out);

// The name of an object that was read, as its index.
bool fr__scene_read_object_name(fr__scene_reader *r, fr_json_value token, const char *what, uint32_t *out);

// The cells of an object: boxes, or else rows.
bool fr__scene_read_cells(fr__scene_reader *r, fr_json_value boxes, fr_json_value rows, fr_scene_object *object);

// The planning problems among objects that were all read.
bool fr__scene_read_plans(fr__scene_reader *r, fr_json_value token);

// The touch session among objects that were all read.
bool fr__scene_read_touch(fr__scene_reader *r, fr_json_value token);

// Where the scene is looked at from, among objects that were all read, and its list once the scene is whole.
bool fr__scene_read_camera(fr__scene_reader *r, fr_json_value token);
void fr__scene_settle_camera(fr_scene *scene);

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

// The class of an object, and what is the object's own where it has one: called in this order.
bool fr__scene_read_class(fr__scene_reader *r, fr_json_value token, fr_scene_object *object);

// The person of a library that a person is: its measures, looks and speed; none leaves all as it is.
bool fr__scene_read_person_class(fr__scene_reader *r, fr_json_value token, fr_scene_person *person);

typedef struct fr__scene_own {
    fr_json_value object, value, value_deg, data;
    bool has_color;
} fr__scene_own;

bool fr__scene_read_own(fr__scene_reader *r, const fr__scene_own *own, fr_scene_object *object);

// Adds the joints of classes for objects that hang on no other.
bool fr__scene_add_class_joints(fr__scene_reader *r);

// Adds a joint to the scene, as that of its child; the token is where one too many is reported.
bool fr__scene_add_joint(fr__scene_reader *r, fr_json_value token, const fr_scene_joint *joint);

// The joints among objects that were all read.
bool fr__scene_read_joints(fr__scene_reader *r, fr_json_value token);

#endif
