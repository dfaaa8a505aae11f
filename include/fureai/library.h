// Fureai library: classes of objects that say what people can do with them (affordances, smart objects), and people. A
// class is a folder with `object.json` or `person.json`, models and clips; the folders are the truth, an index (SQLite)
// makes listing fast. Library libfureai-world.
//
// Files are read from bytes in memory, and folders through callbacks; those of the system are given. What is wrong in a
// file is reported at its own line and column.
#ifndef FUREAI_LIBRARY_H
#define FUREAI_LIBRARY_H

#include "human.h"
#include "json.h"
#include "library_state.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// What a class holds

// A class of objects or a person. Immutable and counted; any thread may read it.
typedef struct fr_class fr_class;

#define FR_CLASS_NAME_MAX_BYTES 127  // of a class, which is the name of its folder, of a motion, state, frame or key
#define FR_CLASS_TEXT_MAX_BYTES 1023 // of what is written for people, and of a value
#define FR_CLASS_PATH_MAX_BYTES 255  // of a file in the folder
#define FR_CLASS_MAX_BYTES ((size_t)1 << 18) // of object.json and person.json
#define FR_CLASS_MAX_SHAPES FR_SCENE_CLASS_MAX_MODELS
#define FR_CLASS_MAX_FILES 64 // textures, or clips of a motion
#define FR_CLASS_MAX_FRAMES 4096
#define FR_CLASS_MAX_STATES 64           // whose names have at most FR_WORLD_STATE_NAME_MAX_BYTES
#define FR_CLASS_MAX_MOTIONS 128         // of a state
#define FR_CLASS_MAX_SKILLS 16           // of a motion
#define FR_CLASS_MAX_WORDS 32            // of a motion
#define FR_CLASS_MAX_VALUES 128          // of a map of parameters or free keys
#define FR_CLASS_MAX_NUMBERS 64          // of a value
#define FR_CLASS_MAX_FRAME_COUNT 1000000 // start and length of a skill, in frames of time
#define FR_CLASS_MASS_MAX 1e9            // kilograms
#define FR_CLASS_SPEED_MAX 10.0          // metres a second, of a person

typedef enum fr_class_kind {
    FR_CLASS_OBJECT, // object.json
    FR_CLASS_PERSON  // person.json
} fr_class_kind;

typedef enum fr_class_value_kind {
    FR_CLASS_TEXT,   // `text`
    FR_CLASS_NUMBER, // numbers[0]
    FR_CLASS_FLAG,   // numbers[0] is 0 or 1
    FR_CLASS_NUMBERS // `count` of them
} fr_class_value_kind;

// A parameter or a free key.
typedef struct fr_class_value {
    const char *key;
    fr_class_value_kind kind;
    const char *text;      // "" unless a text
    const double *numbers; // NULL for a text
    uint32_t count;
} fr_class_value;

typedef struct fr_class_values {
    const fr_class_value *list; // each key once
    uint32_t count;
} fr_class_values;

// A list of texts: words, or paths of files in the folder.
typedef struct fr_class_texts {
    const char *const *list;
    uint32_t count;
} fr_class_texts;

// Where a palm holds an object.
typedef struct fr_class_grip {
    fr_pose pose;    // of the palm, in the object's axes; scale 1
    double diameter; // metres, of what the fingers go round; 0: not given
} fr_class_grip;

// Where a person sits.
typedef struct fr_class_seat {
    fr_vec3 position; // in the object's axes
    double facing;    // radians about +Y from +Z
} fr_class_seat;

// A place on the surface of an object: a key, a button, a switch.
typedef fr_scene_frame fr_class_frame;

// A skill (motion algorithm) of a person or of an object, with what it is given.
typedef struct fr_class_skill {
    const char *name;
    uint32_t start;   // frames after the motion's first; of a motion in order: after the skill before it
    uint32_t frames;  // 0: as many as the command says
    const char *data; // a clip in the folder; NULL: none
    fr_class_values parameters;
} fr_class_skill;

// What a person must give before a motion begins, as bits.
typedef enum fr_class_field {
    FR_CLASS_ASKS_GOAL = 1,    // a point in the world
    FR_CLASS_ASKS_FACING = 2,  // an angle about +Y
    FR_CLASS_ASKS_POSTURE = 4, // a file with a posture
    FR_CLASS_ASKS_FRAMES = 8,  // how long it takes
    FR_CLASS_ASKS_START = 16,  // when it begins among fused motions
    FR_CLASS_ASKS_VALUE = 32,  // of the joint
    FR_CLASS_ASKS_POINT = 64,  // u, v on a panel
    FR_CLASS_ASKS_TEXT = 128   // what is typed
} fr_class_field;

// The word of a field, such as "goal", in the order of the bits; NULL for an index beyond the last.
FR_API const char *fr_class_field_name(uint32_t index);

// A motion that an object affords.
typedef struct fr_class_motion {
    const char *name;             // no other's in the state
    fr_class_texts words;         // other names that a person may type
    const fr_class_skill *skills; // of the person; at least one
    uint32_t skill_count;
    bool is_in_order;             // the skills follow one another; else they are fused
    const fr_class_skill *object; // the object's own skill; NULL: none
    fr_class_texts data;          // clips
    uint32_t fields;              // of fr_class_field
    fr_class_values parameters;   // of all skills
} fr_class_motion;

// A state of an object and what it affords then.
typedef struct fr_class_state {
    const char *name; // "" for the only state of a class that names none
    const fr_class_motion *motions;
    uint32_t motion_count;
    const fr_class_constraint *constraint; // NULL: FR_CONSTRAINT_NONE
    const fr_class_looks *looks;           // NULL: those of the class
    const fr_class_transition *transitions;
    uint32_t transition_count;
    int line, column; // where the file has it
} fr_class_state;

// What a class holds, to read while it lives. Lengths are metres, angles radians; Y is up.
typedef struct fr_class_view {
    const char *name; // of the folder
    fr_class_kind kind;
    const char *title, *about; // for people; "" where the file has none
    fr_class_texts shapes;     // models, at least one of an object
    fr_class_texts textures;
    bool has_color;
    fr_color color;
    fr_vec3 size;                // zeros: not given
    double mass;                 // kilograms; 0: not given
    bool is_static;              // an object that never moves
    const fr_class_grip *grip;   // NULL: none
    const fr_class_seat *seat;   // NULL: none
    const fr_scene_joint *joint; // in the object's axes, without objects; NULL: none
    const fr_class_frame *frames;
    uint32_t frame_count;
    fr_class_values extra; // free keys
    const fr_class_state *states;
    uint32_t state_count;      // at least 1
    fr_class_texts references; // names of other objects in its states, each once
    fr_body_def body;          // of a person; its allocator is the default
    double speed;              // of a person, metres a second; 0: not given
    double curves;             // of a person, as of fr_figure_def
    uint32_t seed;             // of a person: looks and variety
    size_t bytes;              // of memory that the class takes
} fr_class_view;

FR_API const fr_class_view *fr_class_get(const fr_class *c);
FR_API fr_class *fr_class_retain(const fr_class *c);
FR_API void fr_class_release(const fr_class *c); // NULL is ignored

// ---------------------------------------------------------------------------------------------------------------
// Files of classes

typedef struct fr_class_read_input {
    const char *name;       // of the class; default "object"
    const char *path;       // of the file, for messages; may be NULL
    fr_class_kind kind;     // default FR_CLASS_OBJECT
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_class_read_input
} fr_class_read_input;

FR_API fr_class_read_input fr_default_class_read_input(void);

// Whether a text can be the name of a class: UTF-8 of 1 .. FR_CLASS_NAME_MAX_BYTES bytes without control characters and
// slashes, whose first character is no dot.
FR_API bool fr_class_name_is_right(const char *name);

// Reads a class (docs/schema/object.schema.json, person.schema.json) from `size` bytes, which may be anything and are
// not kept. `input` may be NULL. O(size + motions^2 of a state); memory at most 64 bytes a byte of the file, and 64
// KiB. Release it. On failure *out is NULL and `error` names the place of the first thing that is wrong: text that is
// no JSON, a key that is unknown, missing or there twice, a value of the wrong kind or outside its limits, a file that
// is not in the folder, a name that is there twice. FR_ERROR_VERSION for a file of another version than 1;
// FR_ERROR_LIMIT above FR_CLASS_MAX_BYTES; FR_ERROR_ARGUMENT for a name that is not right.
FR_API fr_status fr_class_read(const void *bytes, size_t size, const fr_class_read_input *input, fr_class **out,
                               fr_error *error);

// Writes the file of a class, which reads back as the same one. `write` takes the bytes. FR_ERROR_FILE where it refuses
// some. `allocator` may be NULL.
FR_API fr_status fr_class_write(const fr_class_view *view, fr_json_write_fn *write, void *context,
                                const fr_allocator *allocator, fr_error *error);

// The motion of a class in a state by its name or by one of its words; NULL: it affords none of that name.
FR_API const fr_class_motion *fr_class_find_motion(const fr_class_state *state, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Where classes lie

// The file of a class, as a folder lists it.
typedef struct fr_library_place {
    const char *name; // of the class; fr_class_name_is_right
    fr_class_kind kind;
    uint64_t size; // bytes of object.json or person.json
    int64_t time;  // when it was changed, nanoseconds since 1970
} fr_library_place;

// Takes a place of a list; false ends the list.
typedef bool fr_library_place_fn(const fr_library_place *place, void *context);

// The folder of a library, as a table. Paths begin with the name of a class: "cup/object.json".
typedef struct fr_library_files {
    // Gives every class of the folder to `take`, in any order.
    fr_status (*list)(fr_library_place_fn *take, void *context, void *user, fr_error *error);
    // The place of one class, the name being the caller's; FR_ERROR_FILE where it is not there.
    fr_status (*look)(const char *name, fr_library_place *out, void *user, fr_error *error);
    // A number that is another one when classes were added or removed since.
    uint64_t (*stamp)(void *user);
    // The bytes of a file, at most `limit` of them, which stay until `unload`.
    fr_status (*load)(const char *path, size_t limit, const void **bytes, size_t *size, void *user, fr_error *error);
    void (*unload)(const void *bytes, size_t size, void *user);
    void (*close)(void *user); // may be NULL
    void *user;                // given to all of them
} fr_library_files;

// A folder of the file system: each folder in it with object.json or person.json is a class; names that begin with a
// dot are passed over. Links inside of the folder of a class are not followed. Close it, or give it to a library.
// `allocator` may be NULL. FR_ERROR_FILE where there is no such folder, FR_ERROR_MEMORY.
FR_API fr_status fr_library_folder(const char *path, const fr_allocator *allocator, fr_library_files *out,
                                   fr_error *error);

// Copies the folder of a class into a library's folder, whole or not at all; its name is that of the last step of
// `source`. At most 4,096 plain files, 8 folders deep. FR_ERROR_FILE where a class of that name is there already or
// a file cannot be read or written; the errors of fr_class_read. `allocator` may be NULL.
FR_API fr_status fr_library_add(const char *folder, const char *source, const fr_allocator *allocator, fr_error *error);

// Removes the folder of a class from a library's folder. FR_ERROR_FILE where there is no such class.
FR_API fr_status fr_library_remove(const char *folder, const char *name, fr_error *error);

// Adds a motion to the first state of a class of a library's folder: its file is written again, whole or not at all.
// FR_ERROR_ARGUMENT where there is no such class, the errors of fr_class_read for what the class is then (a name that
// another motion has, a file that is not in the folder), FR_ERROR_FILE. `allocator` may be NULL.
FR_API fr_status fr_library_add_motion(const char *folder, const char *name, const fr_class_motion *motion,
                                       const fr_allocator *allocator, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Index

// A motion of a class as lists and the index have it.
typedef struct fr_library_motion {
    const char *state, *name;
    const char *human;      // skills of the person: "walk+slerp" fused, "walk,slerp" in order
    const char *object;     // skill of the object; "": none
    const char *data;       // clips with commas between
    const char *parameters; // "key=value" with blanks between
    uint32_t fields;        // of fr_class_field
} fr_library_motion;

// What a library knows of a class without reading it.
typedef struct fr_library_entry {
    fr_library_place place;
    const char *title;             // "" where the file has none
    const char *shapes, *textures; // with commas between
    const char *message;           // what is wrong with its file, and where; "": nothing
    const fr_library_motion *motions;
    uint32_t motion_count;
} fr_library_entry;

// A clip that a class names, as the index has it: fr_clip_view without its frames.
typedef struct fr_library_clip {
    const char *path; // in the folder of the class
    const char *name;
    fr_clip_class clip_class;
    double direction, facing; // radians
    fr_stride stride;
    fr_foot last_foot;
    double frame_rate;
    uint32_t frame_count;
    double length; // metres
} fr_library_clip;

// A link of a person's body, as the index has it.
typedef struct fr_library_link {
    const char *name;
    uint32_t parent; // FR_NO_LINK of the root
    double length;   // of the bone, metres
    double mass;     // kilograms
    fr_vec3 offset;  // in the parent's frame
    fr_quat rest;    // likewise
} fr_library_link;

// A transition between states of a class, as the index has it. Event, guard and action are JSON, as the class's file
// has them: `on`, `when` and `do`.
typedef struct fr_library_transition {
    const char *from, *to; // names of states
    const char *event;     // "": in every tick
    const char *guard;     // "": none
    const char *action;    // an array; "": none
} fr_library_transition;

// What an index holds of a class beside what lists need. It is written, for those who query the index itself, and not
// read back. Clips are as they were when the class was read; those that cannot be read are left out.
typedef struct fr_library_detail {
    const fr_library_clip *clips; // each path once
    uint32_t clip_count;
    const fr_library_link *links; // of a person
    uint32_t link_count;
    const fr_library_transition *transitions; // in the order of the file
    uint32_t transition_count;
} fr_library_detail;

// Takes a row of an index; false ends the reading.
typedef bool fr_library_entry_fn(const fr_library_entry *entry, void *context);

// What changed since the index was written.
typedef struct fr_library_change {
    const fr_library_entry *const *changed; // new ones, and those that take the place of the row of the same name
    const fr_library_detail *details;       // one for each of `changed`
    size_t changed_count;
    const char *const *gone;
    size_t gone_count;
} fr_library_change;

// An index, as a table: an adapter fills it. It may be empty, old or wrong; the folders are the truth.
typedef struct fr_library_index {
    // Gives every row to `take`.
    fr_status (*read)(fr_library_entry_fn *take, void *context, void *user, fr_error *error);
    // Writes what changed, all or nothing.
    fr_status (*write)(const fr_library_change *change, void *user, fr_error *error);
    void (*close)(void *user); // may be NULL
    void *user;                // given to all of them
} fr_library_index;

// The index in an SQLite file (opened in WAL, at `path`). A file that is corrupt or of another version is made from
// scratch. FR_ERROR_UNSUPPORTED where this library was built without SQLite. Calls of the table fail with FR_ERROR_BUSY
// while another process has locked it, and FR_ERROR_FILE. Close it, or give it to a library. `allocator` may be NULL.
FR_API fr_status fr_library_sqlite_index(const char *path, const fr_allocator *allocator, fr_library_index *out,
                                         fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Library

// The classes of a folder. One thread at a time; the classes that it gives may be read by any.
typedef struct fr_library fr_library;

#define FR_LIBRARY_INDEX_NAME ".fureai-index.sqlite"

typedef struct fr_library_def {
    fr_library_files files; // the library's from now on, also when the creation fails
    fr_library_index index; // likewise; without `read`, the default, there is none
    uint32_t max_classes;   // default 100,000
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_library_def
} fr_library_def;

FR_API fr_library_def fr_default_library_def(void);

// Makes a library, empty until fr_library_refresh. FR_ERROR_ARGUMENT without files, FR_ERROR_MEMORY.
FR_API fr_status fr_library_create(const fr_library_def *def, fr_library **out, fr_error *error);

// A library of a folder of the file system, with the index FR_LIBRARY_INDEX_NAME in it where there is SQLite.
// `allocator` may be NULL. The errors of fr_library_folder.
FR_API fr_status fr_library_open(const char *folder, const fr_allocator *allocator, fr_library **out, fr_error *error);
FR_API void fr_library_destroy(fr_library *library); // NULL is ignored

// The folder that fr_library_open opened; "" for any other library, and for a path of 4,096 bytes or more.
FR_API const char *fr_library_path(const fr_library *library);

// What a refresh found.
typedef struct fr_library_report {
    uint32_t objects, people, wrong;            // classes now; `wrong` ones are in neither count
    uint32_t read;                              // files that were new or changed
    uint32_t gone;                              // classes that are no more
    fr_status index_status;                     // of the index: FR_OK also where there is none
    char index_message[FR_ERROR_MESSAGE_BYTES]; // why it was not used
} fr_library_report;

// Brings the list of classes up to date: files whose name, size or time changed are read, the index is written. A file
// that is wrong is listed with its message, and all others work; an index that fails is gone without. Entries of
// before are invalid afterwards where something changed; classes stay. `report` may be NULL. O(classes log classes).
// FR_ERROR_LIMIT beyond max_classes, errors of listing, FR_ERROR_MEMORY; then the library is as it was.
FR_API fr_status fr_library_refresh(fr_library *library, fr_library_report *report, fr_error *error);

// Looks whether something changed, and refreshes only then. It sees a class that was added or removed, or whose file
// was wrong, at once, and any other change within 10 calls for 10,000 classes. Call it ten times a second or so. Takes
// 1,000 looks at most. `is_changed` may be NULL. The errors of fr_library_refresh.
FR_API fr_status fr_library_poll(fr_library *library, bool *is_changed, fr_error *error);

// The classes in the order of their names, wrong ones among them; valid until one is added, changed or removed.
FR_API uint32_t fr_library_count(const fr_library *library);
FR_API const fr_library_entry *fr_library_get(const fr_library *library, uint32_t index);

// The class of a name as its file is now: read when it is first wanted and when the file has changed. Release it.
// FR_ERROR_ARGUMENT, with the name that may have been meant, where there is none; the errors of fr_class_read.
FR_API fr_status fr_library_find(fr_library *library, const char *name, fr_class **out, fr_error *error);

// Checks a class with all that it names: models can be read, clips (.ahmc) too, textures are there; each of its states
// is reached by transitions from the first, and the states, frames and classes that it names of other objects are those
// of some class of the library. The first thing that is wrong is the error. `control` may be NULL.
FR_API fr_status fr_library_check(fr_library *library, const char *name, const fr_control *control, fr_error *error);

// Where scenes look up classes (fr_scene_read_input, fr_scene_build_input): this library, whatever folder a scene
// names. It must live as long as the calls that get the table.
FR_API fr_scene_classes fr_library_classes(fr_library *library);

// ---------------------------------------------------------------------------------------------------------------
// The library of a scene file

// Opens the library that a scene's classes are in when the first class is looked up. One thread at a time.
typedef struct fr_library_finder fr_library_finder;

typedef struct fr_library_finder_def {
    const char *scene;      // path of the scene file, from whose folder the scene's `library` counts; NULL: the working
                            // folder
    const char *folder;     // the library of every scene, whatever it names; NULL, the default: none
    const char *fallback;   // that of scenes that name none; NULL, the default: none
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_library_finder_def
} fr_library_finder_def;

FR_API fr_library_finder_def fr_default_library_finder_def(void);

// Makes a finder; the texts are copied. FR_ERROR_MEMORY.
FR_API fr_status fr_library_finder_create(const fr_library_finder_def *def, fr_library_finder **out, fr_error *error);
FR_API void fr_library_finder_destroy(fr_library_finder *finder); // NULL is ignored

// Opens the library now, for a scene that names the folder `named` ("": none); the one that is open stays.
// FR_ERROR_FILE where there is no library, FR_ERROR_ARGUMENT for a folder that the scene may not name, FR_ERROR_MEMORY.
FR_API fr_status fr_library_finder_open(fr_library_finder *finder, const char *named, fr_error *error);

// Where the library lies that was opened; "": none was.
FR_API const char *fr_library_finder_folder(const fr_library_finder *finder);

// The library that was opened; the finder's. NULL: none was, and no class was looked up yet.
FR_API fr_library *fr_library_finder_library(const fr_library_finder *finder);

// For fr_scene_read and then for the building of that scene. A scene may name a folder by a relative path only.
FR_API fr_scene_classes fr_library_finder_classes(fr_library_finder *finder);

#ifdef __cplusplus
}
#endif

#endif
