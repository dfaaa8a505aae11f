// Fureai scene: the JSON file that says which objects there are and how they move, and the space or world made from it.
//
// Reads from bytes in memory and opens no file: models come through a callback. What is wrong in a file is reported at
// its own line and column. Library libfureai-world.
#ifndef FUREAI_SCENE_H
#define FUREAI_SCENE_H

#include "actor_person.h"
#include "human_task.h"
#include "model.h"
#include "sector.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// What a scene holds

// A scene. Immutable; any thread may read it.
typedef struct fr_scene fr_scene;

// Limits of the numbers in a file; those of a step and of names are the world's.
#define FR_SCENE_LENGTH_MAX 1e15 // metres, and metres a second
#define FR_SCENE_SCALE_MIN 1e-15
#define FR_SCENE_SCALE_MAX 1e15
#define FR_SCENE_STEPS_MAX 1000000000
#define FR_SCENE_ANGLE_MAX_DEG 1e7   // of a rotation
#define FR_SCENE_SPIN_MAX_DEG 1e9    // degrees a second
#define FR_SCENE_TIME_MAX 1e15       // seconds, of a path
#define FR_SCENE_LATENCY_MAX 1e9     // seconds
#define FR_SCENE_PATH_MAX_BYTES 1023 // of a model's path
#define FR_SCENE_TEXT_MAX_BYTES 1023 // of the text about a scene
#define FR_SCENE_MAX_JOINTS 65536
#define FR_SCENE_MAX_CHAIN 256       // joints one below the other
#define FR_SCENE_MAX_BOXES 65536     // of an object; runs of cells in its rows count as boxes
#define FR_SCENE_CLASS_MAX_MODELS 16 // of a class
#define FR_SCENE_DATA_MAX 64         // own data of an object
#define FR_SCENE_MAX_PLANS 64
#define FR_SCENE_MAX_SEEKS 16
#define FR_SCENE_MAX_FRAMED 1024 // objects that a view names
#define FR_SCENE_MAX_PEOPLE 4096
#define FR_SCENE_MAX_TASKS FR_PLAYER_MAX_TASKS // of a person
#define FR_SCENE_PERSON_PLACE_MAX 1e6          // metres
#define FR_SCENE_MAX_UNDO 65536
#define FR_SCENE_AHEAD_MIN 1e-6     // seconds
#define FR_SCENE_SEEK_MIN 1e-6      // metres, and metres a second
#define FR_SCENE_SENSOR_MAX 1000000 // number of a sensor of a tracker

// Where an object is at one time.
typedef struct fr_scene_sample {
    double time; // seconds
    fr_vec3 position;
    fr_quat rotation;
} fr_scene_sample;

// A state that an object begins with.
typedef struct fr_scene_state {
    const char *name;
    double value;
} fr_scene_state;

// What an object of a class has of its own beside its place: data that stands for the class's of the same key.
typedef struct fr_scene_datum {
    const char *key, *text;
} fr_scene_datum;

// A radar on an object, as of fr_radar_layer_def.
typedef struct fr_scene_radar {
    double range;      // metres; 0: there is none
    double width;      // metres
    fr_vec3 direction; // unit, in the object's frame
} fr_scene_radar;

typedef struct fr_scene_object {
    const char *name;            // not empty, no other object's
    const char *class_name;      // of its class; NULL: it has none
    const char *const *models;   // paths of the models of its class, as its provider has them; NULL where it has none
    uint32_t model_count;        //
    const fr_scene_datum *data;  // its own; NULL: none
    uint32_t data_count;         //
    const char *model;           // path of the model as the file has it; NULL when it is something else
    double unit;                 // metres a unit of the model; 0: as its file says, or metres
    fr_model_up up;              // axis of the model that points up
    bool is_guessed;             // what is not given of these is guessed (fr_model_read_input.may_guess)
    const char *shape;           // a name that fr_mesh_create_named takes; NULL when it is something else
    const fr_plan_box *boxes;    // its cells, of the first plan's world; NULL when it is something else
    uint32_t box_count;          //
    fr_vec3 cell_pivot;          // of an object of cells: its origin, in cells
    fr_pose pose;                // at time 0
    fr_vec3 pivot_local;         // what it turns about, in the model
    fr_vec3 velocity;            // of the pivot, metres a second
    fr_vec3 angular_velocity;    // rotation vector in the world, radians a second
    const fr_scene_sample *path; // where it is at times that grow, in place of velocities; NULL: none
    uint32_t path_count;
    bool is_static;               // never moves
    bool is_known;                // planners know how it moves from the start; else they see it when it does
    uint32_t flags;               // of fr_object_flags
    fr_filter filter;             // which objects may collide with it
    double position_error;        // metres: how well its pose is known (fr_uncertainty); 0: exactly
    double rotation_error;        // radians
    double latency;               // seconds since the pose was true
    uint32_t tracked;             // number of the tracker's sensor that it follows; FR_NONE: none
    double ahead;                 // seconds: what it will hit is foreseen (fr_forecast); 0: it is not
    uint32_t octree;              // depth of the octree that is drawn over it (fr_octree_layer_def); 0: none
    fr_scene_radar radar;         // what it sees by radar is drawn (fr_radar_layer_def); range 0: nothing
    fr_color color;               // default 200, 200, 200, 255
    const fr_scene_state *states; // NULL: none
    uint32_t state_count;
    uint32_t joint;   // index of the joint whose child it is; FR_NONE: none
    uint32_t person;  // index of the person whose skin or piece it is; FR_NONE: none
    uint32_t proxy;   // which rigid piece of the person; FR_NONE: the skin, or no person's
    int line, column; // where the file names its model or shape
} fr_scene_object;

// A joint between two objects. `value` belongs to the poses that the file gives for time 0.
typedef struct fr_scene_joint {
    fr_joint_kind kind;
    uint32_t parent;  // index of an object; FR_NONE: the world
    uint32_t child;   // index of an object
    fr_vec3 position; // a point of the axis at time 0, in the world
    fr_vec3 axis;     // unit, at time 0, in the world
    double low, high; // radians, of a slider metres; infinite unless given
    double pitch;     // metres a radian
    double value;     // at time 0
} fr_scene_joint;

typedef enum fr_scene_plan_mode {
    FR_SCENE_PLAN_C, // every motion of the path is proven
    FR_SCENE_PLAN_K  // the source's planner
} fr_scene_plan_mode;

typedef enum fr_scene_plan_search {
    FR_SCENE_SEARCH_FACES, // mode c: among faces
    FR_SCENE_SEARCH_ASTAR, // mode c: among cells, planned again when something has moved
    FR_SCENE_SEARCH_RTA,   // mode c: step by step
    FR_SCENE_SEARCH_LRTA,
    FR_SCENE_SEARCH_DSTAR, // mode c: repaired when something has moved
    FR_SCENE_SEARCH_BEST,  // mode k
    FR_SCENE_SEARCH_HILL   // mode k
} fr_scene_plan_search;

// A planning problem: where an object is to go.
typedef struct fr_scene_plan {
    uint32_t robot;        // index of the object; where it stands in the scene does not count
    fr_pose start, goal;   // scale 1
    bool is_goal_turn_any; // the goal's rotation is free
    fr_bounds bounds;      // of the robot's origin, and of the world of cells, which is a cube of the longest side
    int dimension;         // 3, or 2: in a plane
    fr_path_plane plane;   // which; among cells always FR_PATH_PLANE_XY
    uint32_t depth;        // of the world of cells
    double alpha_deg;      // a step of turning
    fr_scene_plan_mode mode;
    fr_scene_plan_search search;
    fr_path_objective objective;
    double margin;     // metres
    double speed;      // of the robot, metres a second; 0: not set, one cell a step
    double turn_speed; // radians a second; 0: not set, a step of turning in one step
    uint32_t seed;
    double pmax;       // of the potential
    double attraction; // of the goal: C
    double threshold;  // of mode k
    double weight;     // of A*
    double turn_cost;  // cells a step of turning: wrot
    double field_cost; // of the potential: wpot
    fr_octree_rule rule;
    bool is_swept; // mode k: motions between nodes are tested too
} fr_scene_plan;

// A touch session: one object, moved along its path, touches the others.
typedef struct fr_scene_touch {
    uint32_t operated; // object, by its index
    fr_pen_settings settings;
} fr_scene_touch;

// An object that looks for another one by radar, goes there and touches it (fr_seeker).
typedef struct fr_scene_seek {
    uint32_t object, target; // by their indices
    double speed;            // metres a second
    double range;            // metres
    fr_bounds bounds;        // of the object's origin; empty: the default of fr_seeker_def
    uint32_t looks;          // of a tick
    uint32_t seed;
} fr_scene_seek;

// What of a person is touched.
typedef enum fr_scene_solid {
    FR_SCENE_SOLID_LINKS, // rigid pieces under the skin (fr_figure_proxy)
    FR_SCENE_SOLID_SKIN,  // the faces of the skin
    FR_SCENE_SOLID_NONE   // nothing
} fr_scene_solid;

// What a person of a scene does. Tasks of one list begin together; the next list follows when all of them are over.
typedef struct fr_scene_task {
    fr_task_text text;
    uint32_t list;
    uint32_t object;  // index of the object that the task is about; FR_NONE: none
    int line, column; // where the file has it
} fr_scene_task;

// A person of a scene (virtual human). Its skin is an object in the person's name, at its place on the ground; where
// its links are solid, the FR_FIGURE_PROXY_COUNT objects behind that one are its rigid pieces, named as in "Hana
// left_palm". They stand upright until something moves them.
typedef struct fr_scene_person {
    const char *name;
    const char *class_name; // of the person of a library that it is; NULL: none
    uint32_t object;        // index of its skin
    fr_body_def body;       // its measures
    fr_figure_detail detail;
    double curves;  // of fr_figure_def
    uint32_t seed;  // of its looks, and which person it is (fr_walk_def)
    fr_vec3 place;  // on the ground, at time 0
    double heading; // about +Y from +Z, radians
    fr_scene_solid solid;
    double speed;   // of its walks, metres a second; 0: a natural one
    double variety; // how much its strides differ (fr_walk_def)
    const fr_scene_task *tasks;
    uint32_t task_count;
    bool is_loop; // after the last list comes the first again
} fr_scene_person;

// A part of the scene's assembly: where an object belongs.
typedef struct fr_scene_fit {
    uint32_t object;       // index of the object
    fr_assembly_part part; // its name is the object's; its object is all zeros
} fr_scene_fit;

// Where a scene is looked at from, for whoever draws it.
typedef struct fr_scene_camera {
    bool has_eye;            // eye and target are given: the eye is there, or, with objects, in that direction
    fr_vec3 eye, target;     // in the world
    const uint32_t *objects; // indices of those that are to be seen whole; NULL: none is named
    uint32_t object_count;
} fr_scene_camera;

// What a scene holds, to read while it lives.
typedef struct fr_scene_view {
    const char *name;    // of the file, as given to fr_scene_read; "" where none was
    double step;         // seconds; t_K is K times it
    uint32_t steps;      // step K goes from t_K to t_K+1, 0 <= K < steps
    bool is_loop;        // after the last step comes the first again
    const char *title;   // for people; "" where the file has none
    const char *about;   // what there is to see; "" where the file has none
    const char *hint;    // what to try with it, the key `try`; "" where the file has none
    const char *library; // folder of its classes; "" where the file has none
    const char *script; // file of what its people do by themselves (act_script.h), relative to it; "" where it has none
    const fr_scene_object *objects;
    uint32_t object_count;
    const fr_scene_joint *joints;
    uint32_t joint_count;
    const fr_scene_plan *plans;
    uint32_t plan_count;
    const fr_hands_settings *aid;  // NULL: the scene sets no aid
    const fr_scene_touch *touch;   // NULL: none
    const fr_scene_camera *camera; // NULL: it says nothing of how it is looked at
    const fr_scene_seek *seeks;    // objects that look for others
    uint32_t seek_count;
    const fr_scene_person *people;
    uint32_t person_count;
    const fr_scene_fit *fits; // parts of its assembly, as fr_assembly counts them
    uint32_t fit_count;       // 0: it has none
    double surfaces;          // stature of the body for which what faces offer is drawn (fr_surface_layer_create),
                              // metres; 0: it is not
} fr_scene_view;

FR_API const fr_scene_view *fr_scene_get(const fr_scene *scene);

// NULL is ignored.
FR_API void fr_scene_destroy(fr_scene *scene);

// ---------------------------------------------------------------------------------------------------------------
// Classes of objects

// Gives the bytes of a model, which must stay until `unload`. `path` is what the file says; whether it may be opened is
// the callback's to decide. On failure it fills `error` and returns its status.
typedef fr_status fr_scene_load_fn(const char *path, const void **bytes, size_t *size, void *context, fr_error *error);
typedef void fr_scene_unload_fn(const void *bytes, size_t size, void *context);

// A place on the surface of an object, and what stands there.
typedef struct fr_scene_frame {
    const char *name;
    fr_pose pose;           // origin on the surface, z outward; scale 1
    const char *class_name; // of the object that stands there; NULL: none
} fr_scene_frame;

// What a scene takes of a class of objects (docs/library.md).
typedef struct fr_scene_class {
    const char *const *models;    // paths that `load` of the classes takes; stay until the next call
    uint32_t model_count;         // 1 .. FR_SCENE_CLASS_MAX_MODELS of a class of objects
    bool is_static;               // its objects never move
    bool has_color;               // of its own, else that of the models
    fr_color color;               //
    const fr_scene_joint *joint;  // what it hangs on, in its own axes; parent and child are not read. NULL: none
    const fr_scene_frame *frames; // of which those with a class become objects of the scene, named for the object and
                                  // the frame: "panel lever 3". Their own frames bring none. Stay until the next call
    uint32_t frame_count;
    bool is_person;       // it is a person: what follows is read, and what stands above is not
    fr_body_def body;     // measures; the allocator is not read
    double speed, curves; // as of fr_scene_person; speed 0: a natural one
    uint32_t seed;
} fr_scene_class;

// Finds a class by its name. `library` is the folder that the scene names, "" where it names none.
typedef fr_status fr_scene_class_fn(const char *library, const char *name, fr_scene_class *out, void *context,
                                    fr_error *error);

// Where classes come from: room library fills it (fr_library_classes).
typedef struct fr_scene_classes {
    fr_scene_class_fn *find; // NULL: a scene with classes is refused
    fr_scene_load_fn *load;  // files of classes
    fr_scene_unload_fn *unload;
    void *context; // given to all of them
} fr_scene_classes;

// ---------------------------------------------------------------------------------------------------------------
// Reading

typedef struct fr_scene_read_input {
    const char *name;         // of the file, for messages; may be NULL
    size_t max_bytes;         // of the file; default 2^28, at most 2^30
    uint32_t max_objects;     // default 10^6
    fr_scene_classes classes; // where `class` is looked up; default: nowhere
    const fr_body_def *body;  // measures of the people that have no tasks of their own, in place of those of the file
                              // and of classes, checked by fr_skeleton_create_body; NULL, the default: their own
    fr_allocator allocator;   // default: the process default
    uint32_t cookie;          // set by fr_default_scene_read_input
} fr_scene_read_input;

FR_API fr_scene_read_input fr_default_scene_read_input(void);

// Reads a scene (docs/schema/scene.schema.json) from `size` bytes, which may be anything and are not kept. O(size);
// memory is at most 64 bytes a byte of the file, 64 KiB, 16 KiB a person and 1 KiB an object that a class brings.
// `input` may be NULL for the defaults.
//
// On failure *out is NULL and `error` names the place of the first thing that is wrong: text that is no JSON, a key
// that is unknown, missing or there twice, a value of the wrong kind or outside its limits, a rotation that is not near
// unit, a name that another object has, times of a path that do not grow, a motion that leaves the limits before the
// last step, a joint of an object that is not there, static, on another joint or its own ancestor, limits that do not
// hold the value, a class that is not found, an assembly whose order leads back to itself. FR_ERROR_VERSION for a file
// of another version than 1.
FR_API fr_status fr_scene_read(const void *bytes, size_t size, const fr_scene_read_input *input, fr_scene **out,
                               fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Poses

// The edge of a cell of the first plan, metres; 1 where there is none.
FR_API double fr_scene_cell_edge(const fr_scene *scene);

// The time of a step: step * K.
FR_API double fr_scene_time(const fr_scene *scene, uint32_t k);

// Where an object is at t_K, computed from time 0 in one go; 0 <= k <= steps. On a path it goes from sample to sample
// by fr_motion_between, and stays at the first before it and at the last behind it.
FR_API fr_pose fr_scene_pose(const fr_scene *scene, uint32_t object, uint32_t k);

// The motion of an object in step K, 0 <= k < steps: from its pose at t_K, by its velocities or, on a path, by
// fr_motion_between to its pose at t_K+1.
FR_API fr_motion fr_scene_motion(const fr_scene *scene, uint32_t object, uint32_t k);

// ---------------------------------------------------------------------------------------------------------------
// Building a space

// Plays the models of a scene that have tracks: their objects' vertices go where nodes and coordinates are moved to.
// Knows what is heard from them. One thread at a time.
typedef struct fr_scene_player fr_scene_player;

typedef struct fr_scene_build_input {
    uint32_t k;                 // the objects are put where they are at t_K; default 0
    fr_scene_load_fn *load;     // may be NULL when no object has a model
    fr_scene_unload_fn *unload; // called once for each load that succeeded; may be NULL
    void *context;              // given to both
    fr_scene_classes classes;   // where files of classes are loaded from; default: nowhere
    bool is_double;             // meshes keep double positions; default false
    bool is_welded;             // vertices of STL models at one place become one, so that viewers get fewer bytes;
                                // default false
    fr_scene_player *player;    // keeps the models that move by themselves; NULL, the default: they stand as the files
                                // have them
    bool is_added;              // the objects are added to those that the player holds, which it keeps, in a world
                                // that runs: none of them moves by itself. Default false: the player holds what is
                                // built alone
    uint64_t memory;            // bytes that the reading of one model may hold at once; default 0: as many as
                                // fr_default_model_read_input gives
    const fr_tasks *tasks;      // who builds trees; may be NULL
    const fr_control *control;  // may be NULL
    fr_allocator allocator;     // of meshes and of scratch memory; default: the process default
    uint32_t cookie;            // set by fr_default_scene_build_input
} fr_scene_build_input;

FR_API fr_scene_build_input fr_default_scene_build_input(void);

// Adds the scene's objects to a space, still, and its joints; writes their ids, in the scene's order, to `ids` of
// object_count.
// Each model is loaded once for all its users; its nodes with polygons that can be touched become the parts of its
// objects, as of fr_model_parts: those that differ in their shift alone share a mesh. A file that a model refers to is
// loaded by its path from the scene, in the model's folder. The user pointer of an object is its fr_scene_object. On
// failure no object is added, and `error` names the place in the scene, or in the model when its bytes are wrong.
FR_API fr_status fr_scene_build(const fr_scene *scene, const fr_scene_build_input *input, fr_space *space,
                                fr_object_id *ids, fr_error *error);

// Puts the objects where they are at t_K, still; 0 <= k <= steps. Joints are not looked at, nor in fr_scene_move: they
// carry in worlds.
FR_API fr_status fr_scene_place(const fr_scene *scene, uint32_t k, fr_space *space, const fr_object_id *ids,
                                fr_error *error);

// Puts the objects where they are at t_K and sets their motion to t_K+1; 0 <= k < steps. What does not move stays
// still.
FR_API fr_status fr_scene_move(const fr_scene *scene, uint32_t k, fr_space *space, const fr_object_id *ids,
                               fr_error *error);

// Writes the errors of the poses of the scene's objects, those that have some in their order, with speeds of step K
// where there is latency, to `out` of object_count; returns how many.
FR_API uint32_t fr_scene_uncertainties(const fr_scene *scene, const fr_object_id *ids, uint32_t k,
                                       fr_object_uncertainty *out);

// The scene's assembly among its objects in a space (fr_assembly_create); `ids` are those of fr_scene_build or
// fr_scene_build_world. `allocator` may be NULL. FR_ERROR_ARGUMENT where the scene has none; errors of creation.
FR_API fr_status fr_scene_build_assembly(const fr_scene *scene, const fr_space *space, const fr_object_id *ids,
                                         const fr_allocator *allocator, fr_assembly **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Models that move by themselves

// An empty player, for fr_scene_build_input; it holds what is built last. `allocator` may be NULL. FR_ERROR_MEMORY.
FR_API fr_status fr_scene_player_create(const fr_allocator *allocator, fr_scene_player **out, fr_error *error);

// The world or space that was built with it must not be ticked or played any more. NULL is ignored.
FR_API void fr_scene_player_destroy(fr_scene_player *player);

// Puts the vertices of the objects where they are at `time`, as after fr_scene_place and fr_scene_restart_world.
// FR_ERROR_MEMORY; FR_ERROR_LIMIT for a model that grows beyond FR_LENGTH_MAX.
FR_API fr_status fr_scene_player_place(fr_scene_player *player, fr_space *space, double time, fr_error *error);

// The same for the end of the step, `time`, as after fr_scene_move.
FR_API fr_status fr_scene_player_move(fr_scene_player *player, fr_space *space, double time, fr_error *error);

// What is heard from the scene's objects, in their order; valid until the player holds another scene or is destroyed.
// Sounds whose file cannot be loaded, or is too large, are left out. Those of nodes that move are where they were at
// the time that the player last placed or moved its models to.
FR_API const fr_sound *fr_scene_player_sounds(const fr_scene_player *player, uint32_t *count);

// How the meshes of the scene's models look, and which objects the scene shows in a colour of its own; valid until the
// player holds another scene or is destroyed. Pictures that cannot be loaded, are no PNG, JPEG, GIF or WebP, or are too
// large (FR_PICTURE_MAX_BYTES each, 2^26 bytes in all) are left out. Tracks of colours are not played.
FR_API const fr_looks *fr_scene_player_looks(fr_scene_player *player);

// ---------------------------------------------------------------------------------------------------------------
// Building a world

// Adds the scene's objects to a world as fr_scene_build does (`ids` may be NULL), with labels and states, and a mover:
// in the tick after K ticks they go from t_K to t_K+1, and behind the last step they stay. In a loop K counts from 0
// again: an object that is not back where it began jumps to t_1 then. Where the input has a player, a second mover
// plays its models by the world's time; in what people hold they go on. Scene and player must live as long as the
// world. FR_ERROR_ARGUMENT when the world's step is not the scene's, FR_ERROR_LIMIT when it takes no further mover. On
// failure nothing is added.
FR_API fr_status fr_scene_build_world(const fr_scene *scene, const fr_scene_build_input *options, fr_world *world,
                                      fr_object_id *ids, fr_error *error);

// The definition of a world for the scene: the default one with the scene's step, which senses whole steps with
// intervals (FR_SENSE_CONTINUOUS, FR_WANT_INTERVALS), so that nothing between two frames is missed.
FR_API fr_world_def fr_scene_world_def(const fr_scene *scene);

// Makes the cast of a scene whose objects are in a world: the pilot of its first plan, the pen of its touch session,
// and hands where it has an aid or an assembly, in this order; a scene may have none of them. `def` may be NULL for the
// defaults; its world is not read. The scene must live as long as the cast. FR_ERROR_STALE_ID when an object of them is
// not in the world, and the statuses of what is created; nothing is left behind on failure.
FR_API fr_status fr_scene_cast(const fr_scene *scene, fr_world *world, const fr_cast_def *def, fr_cast **out,
                               fr_error *error);

// Gives each person of the scene that has no task of its own, as the definition of an fr_person in the world that has
// the scene's objects, to `take`: for those who direct people. The definition and what it points to are valid during
// that call. A walk set is made for each body that differs in measures or speed. `allocator` may be NULL. Statuses of
// `take`, FR_ERROR_MEMORY.
typedef fr_status fr_scene_person_fn(const fr_person_def *def, void *user, fr_error *error);
FR_API fr_status fr_scene_people(const fr_scene *scene, fr_world *world, fr_scene_person_fn *take, void *user,
                                 const fr_allocator *allocator, fr_error *error);

// Adds a follower to a cast for each object of the scene that is `tracked`: `read` gives the poses, with `user`.
// `allocator` may be NULL. The statuses of fr_follower_create and fr_cast_add; those that were added stay.
FR_API fr_status fr_scene_add_followers(const fr_scene *scene, fr_cast *cast, fr_sensor_read_fn *read, void *user,
                                        const fr_allocator *allocator, fr_error *error);

// Begins again: the world's tick is 0, the scene's objects are where they are at time 0, free, with the joints' values
// and the states they began with. Other objects stay as they are.
FR_API fr_status fr_scene_restart_world(const fr_scene *scene, fr_world *world, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// What can be added to a world that runs

// An object that is to be added.
typedef struct fr_scene_addition {
    const char *class_name; // not empty
    const char *name;       // not empty; no object of the world has it
    fr_pose pose;           // in the world
    bool is_standing;       // the lowest point of it is at the height of its place, unless it hangs on a joint
} fr_scene_addition;

// A class of which objects can be added; to read until the call returns.
typedef struct fr_stock_entry {
    const char *name, *title;
    const char *motions; // that it affords, with commas between
} fr_stock_entry;

// Takes an entry of a list; false ends the list.
typedef bool fr_stock_fn(const fr_stock_entry *entry, void *context);

// Where objects come from that are added between ticks, as a table: room act fills it (fr_additions_stock).
typedef struct fr_scene_stock {
    fr_status (*list)(fr_stock_fn *take, void *context, void *user, fr_error *error); // as the folders are now
    fr_status (*add)(const fr_scene_addition *addition, void *user, fr_error *error); // NULL: nothing is added
    fr_status (*remove)(fr_object_id object, void *user, fr_error *error);            // one that was added
    void *user;                                                                       // given to all of them
} fr_scene_stock;

// ---------------------------------------------------------------------------------------------------------------
// Sector files: sectors and queries about them (docs/sector.md)

typedef struct fr_sector_file fr_sector_file;

#define FR_SECTOR_FILE_MAX_SECTORS 4096
#define FR_SECTOR_FILE_MAX_QUERIES 100000

// Where a sector comes from.
typedef enum fr_sector_build {
    FR_SECTOR_GIVEN,        // by its sizes
    FR_SECTOR_THESIS,       // of a swung box, as the source builds it
    FR_SECTOR_CONSERVATIVE, // of a box in any pose under a screw; the default
    FR_SECTOR_EXACT         // the exact sweep of a swung box
} fr_sector_build;

typedef struct fr_sector_entry {
    const char *name; // no other sector's
    fr_sector_build build;
    fr_sector sector;    // checked; of a box the conservative one
    fr_oriented_box box; // at the start; of a given one all zeros
    fr_screw screw;      // how it turns
    fr_swing swing;      // with THESIS and EXACT, which need one
} fr_sector_entry;

typedef enum fr_sector_query_shape {
    FR_SECTOR_QUERY_POINT,
    FR_SECTOR_QUERY_SPHERE,
    FR_SECTOR_QUERY_CAPSULE,
    FR_SECTOR_QUERY_BOX,
    FR_SECTOR_QUERY_TRIANGLE,
    FR_SECTOR_QUERY_SECTOR
} fr_sector_query_shape;

typedef struct fr_sector_query {
    uint32_t sector; // index
    fr_sector_query_shape shape;
    fr_vec3 points[3]; // of a point or sphere the first, of a capsule two
    double radius;     // of a sphere or capsule
    fr_oriented_box box;
    uint32_t other; // the other sector's index
} fr_sector_query;

// What the file holds, to read while it lives.
typedef struct fr_sector_file_view {
    const fr_sector_entry *sectors;
    uint32_t sector_count;
    const fr_sector_query *queries;
    uint32_t query_count;
} fr_sector_file_view;

// Reads a sector file (docs/schema/sector.schema.json) as fr_scene_read reads a scene, but in O(size + sectors * names
// of sectors); FR_ERROR_LIMIT beyond FR_SECTOR_FILE_MAX_SECTORS or _QUERIES. Of the input max_objects is not read.
// What the schema cannot say is checked too: that names are there once, that sectors are right, that a box to be built
// by the source's method or exactly swings.
FR_API fr_status fr_sector_file_read(const void *bytes, size_t size, const fr_scene_read_input *input,
                                     fr_sector_file **out, fr_error *error);
FR_API const fr_sector_file_view *fr_sector_file_get(const fr_sector_file *file);

// NULL is ignored.
FR_API void fr_sector_file_destroy(fr_sector_file *file);

// Draws the box of an entry where it starts and where it ends; nothing for a sector that is given.
FR_API void fr_sector_entry_draw_box(const fr_sector_entry *entry, const fr_draw *draw, fr_color color);

// Draws the shape of a query as lines; nothing for a sector, which fr_sector_draw draws.
FR_API void fr_sector_query_draw(const fr_sector_query *query, const fr_draw *draw, fr_color color);

// ---------------------------------------------------------------------------------------------------------------
// Planning among cells

// A scene's plan as a world of cells: what stands in it, the robot's cells, and places in cells for poses in metres.
typedef struct fr_scene_cells fr_scene_cells;

typedef struct fr_scene_cells_input {
    const fr_scene *scene;
    const fr_space *space;   // built from it
    const fr_object_id *ids; // of its objects there
    uint32_t plan;           // which plan of the scene; default 0
    fr_allocator allocator;  // default: the process default
    uint32_t cookie;         // set by fr_default_scene_cells_input
} fr_scene_cells_input;

FR_API fr_scene_cells_input fr_default_scene_cells_input(void);

// Makes the world of a plan with the objects at t_0. Scene, space and ids must live as long. FR_ERROR_ARGUMENT for an
// input without them or a plan that is not there; FR_ERROR_UNSUPPORTED for a model as robot in the plane;
// FR_ERROR_LIMIT for a robot that is larger than the world; FR_ERROR_MEMORY.
FR_API fr_status fr_scene_cells_create(const fr_scene_cells_input *input, fr_scene_cells **out, fr_error *error);
FR_API void fr_scene_cells_destroy(fr_scene_cells *cells);

// The world and the robot's cells; they live as long as the cells.
FR_API fr_plan_world *fr_scene_cells_world(const fr_scene_cells *cells);
FR_API fr_plan_shape fr_scene_cells_robot(const fr_scene_cells *cells);

// Between poses in metres and places in cells.
FR_API fr_plan_place fr_scene_cells_place(const fr_scene_cells *cells, const fr_pose *pose);
FR_API fr_pose fr_scene_cells_pose(const fr_scene_cells *cells, const fr_plan_place *place);

// Puts every object where it is observed at t_K, when t_K-1 was observed before.
FR_API fr_status fr_scene_cells_observe(fr_scene_cells *cells, uint32_t k, fr_error *error);

// Whether any object but the robots moves.
FR_API bool fr_scene_cells_is_moving(const fr_scene_cells *cells);

// What is known of a search beside its path.
typedef struct fr_scene_cells_result {
    bool is_exhausted;  // not found: nothing was left to search at this resolution
    uint32_t ticks;     // of worlds that change
    uint32_t waits;     // of them
    uint32_t max_ticks; // it would have ended after: the scene's steps where objects move, and 100,000 more
    double robot_ms;    // making the robot's masks, which depend on it alone
    uint64_t expanded, tested;
} fr_scene_cells_result;

// Searches as the plan says: over a world that stands, or tick by tick where objects move, what the scene holds at t_K
// being what is observed at tick K. Destroy the path. `tasks` and `control` may be NULL. FR_ERROR_UNSUPPORTED for a
// search of the sources' own (best, hill); errors of planning.
FR_API fr_status fr_scene_cells_find(fr_scene_cells *cells, const fr_tasks *tasks, const fr_control *control,
                                     fr_path *out, fr_scene_cells_result *result, fr_error *error);

// The same for all robots of the scene at once, tick by tick, among obstacles that stand: a path for each plan. `first`
// is of plan 0, `paths` has room for plan_count; destroy each with fr_path_destroy.
FR_API fr_status fr_scene_cells_find_team(fr_scene_cells *first, const fr_tasks *tasks, const fr_control *control,
                                          fr_path *paths, fr_scene_cells_result *result, fr_error *error);

// States of cells as a path in metres, with its length and turning; nothing unless out->is_found. Destroy it.
FR_API fr_status fr_scene_cells_path(const fr_scene_cells *cells, const fr_plan_state *states, uint32_t count,
                                     fr_path *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// OMPL.app's files: problems (.cfg) and paths (.path) of a rigid body among others

typedef struct fr_ompl_problem {
    char name[FR_WORLD_NAME_MAX_BYTES + 1];  // "" where the file has none
    char robot[FR_SCENE_PATH_MAX_BYTES + 1]; // paths of the models, relative to the file
    char world[FR_SCENE_PATH_MAX_BYTES + 1];
    int robot_line, world_line; // where the file names them
    int dimension;              // 3, or 2: x, y and a turn about z
    fr_pose start, goal;        // of the robot's fr_ompl_mean, not of its origin
    bool has_bounds;            // else the world's own are meant
    fr_bounds bounds;           // of that mean
} fr_ompl_problem;

// Reads the [problem] of a .cfg; other sections and keys are passed over. FR_ERROR_SYNTAX with line and column, for a
// value that is missing too; FR_ERROR_LIMIT; FR_ERROR_UNSUPPORTED for a problem with `control`. `name` of the file may
// be NULL.
FR_API fr_status fr_ompl_read_problem(const void *bytes, size_t size, const char *name, fr_ompl_problem *out,
                                      fr_error *error);

typedef struct fr_ompl_path {
    fr_pose *states; // as those of a problem
    double *times;   // of the states, seconds, where a time stands before each row; else NULL
    uint32_t state_count;
    int dimension; // 3: rows of x y z qx qy qz qw; 2: of x y yaw
    fr_allocator allocator;
} fr_ompl_path;

// Reads a path; destroy it with fr_ompl_path_destroy. `allocator` and `name` may be NULL. Errors as of a problem, and
// FR_ERROR_MEMORY.
FR_API fr_status fr_ompl_read_path(const void *bytes, size_t size, const char *name, const fr_allocator *allocator,
                                   fr_ompl_path *out, fr_error *error);
FR_API void fr_ompl_path_destroy(fr_ompl_path *path); // NULL is ignored

// The point of a body that a state places, in the model's frame: the mean of its corners, where a position counts once
// in each part for each different normal that meets there: the file's normals, or the polygons' own where it has none.
// The ends of lines count as parts of their own, as they do for OMPL.app. `allocator` may be NULL. FR_ERROR_MEMORY.
FR_API fr_status fr_ompl_mean(const fr_model *model, const fr_allocator *allocator, fr_vec3 *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Problems of path planning

// A problem made ready for fr_plan_path: the body's parts, the space it moves in, and the input of the search.
typedef struct fr_path_problem fr_path_problem;

// The problem of a scene's plan: the robot's parts, moving in the space from which it is left out. Objects that move
// and are `known` are obstacles of its input. `space` was built from the scene with these `ids` and must live as long.
// `allocator` may be NULL. FR_ERROR_ARGUMENT for a plan that is not there, FR_ERROR_STALE_ID for a robot that is not in
// the space, FR_ERROR_LIMIT for objects that turn too often, FR_ERROR_MEMORY.
FR_API fr_status fr_scene_path_problem(const fr_scene *scene, const fr_space *space, const fr_object_id *ids,
                                       uint32_t plan, const fr_allocator *allocator, fr_path_problem **out,
                                       fr_error *error);

// The problem of OMPL: both models are loaded as `options` say, the world becomes an object of a space of its own.
// Errors of loading and reading, with the place in the file `name` that names the model; FR_ERROR_MEMORY.
FR_API fr_status fr_ompl_path_problem(const fr_ompl_problem *file, const char *name,
                                      const fr_scene_build_input *options, fr_path_problem **out, fr_error *error);
FR_API void fr_path_problem_destroy(fr_path_problem *problem);

// The input of the search; copy it to change it. It lives as long as the problem.
FR_API const fr_path_input *fr_path_problem_input(const fr_path_problem *problem);

// How all objects move, those that are known first: what a path in time is checked against. They live as long as the
// problem.
FR_API const fr_path_obstacle *fr_path_problem_motions(const fr_path_problem *problem, uint32_t *count);

// What is known of a search among the faces of a scene beside its path.
typedef struct fr_path_run {
    bool is_driven;   // motions were seen, not known: the body went tick by tick, and the path is where it went
    bool is_overrun;  // something ran into it; the path is not proven then
    uint32_t ticks;   // it took
    uint64_t replans; // searches while it went
} fr_path_run;

// Whether an object has a motion that the planners of a scene do not know, so that they take it where it is at time 0:
// its model moves by itself, or it hangs by joints on something that moves. `player` was given to the building of
// the scene, or is NULL. O(joints it hangs by). `object` < object_count.
FR_API bool fr_scene_is_taken_at_start(const fr_scene *scene, const fr_scene_player *player, uint32_t object);

// Searches as the plan of a scene says: for a whole path in time where all that moves is known (or nothing moves), else
// tick by tick (fr_path_agent), what the scene does in step K being what is seen at tick K. `query` is the problem's
// input, perhaps changed; `space` and `ids` are those it was made with; the space is put back to time 0. Destroy the
// path. Its is_checked is that of fr_plan_check_timed_path against all motions. max_moves bounds the motion checks of
// all searches of a drive; one that does not get there is followed by a search that knows all motions, whose `outcome`
// counts unless it finds a path. Statuses of planning.
FR_API fr_status fr_scene_find_path(const fr_scene *scene, const fr_path_problem *problem, const fr_path_input *query,
                                    fr_space *space, const fr_object_id *ids, fr_path *out, fr_path_run *run,
                                    fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
