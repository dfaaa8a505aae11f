// How a scene's player is filled while the scene is built.
#ifndef FUREAI_SCENE_SCENE_PLAY_H
#define FUREAI_SCENE_SCENE_PLAY_H

#include "scene/scene.h"
#include "scene/scene_look.h"

// Forgets what the player had; no object of the scene moves by itself yet. `is_added`: it forgets nothing, and none of
// the scene's objects moves by itself. False without memory.
bool fr__scene_player_begin(fr_scene_player *player, const fr_scene *scene, bool is_added);

// Takes a model, and a play of it, whose nodes `nodes` became the parts of objects, in this order, with the sounds that
// `files` has. *index is its number for fr__scene_player_assign, FR_NONE when no track moves any of them and nothing is
// heard: both are destroyed then, and when it fails.
fr_status fr__scene_player_take(fr_scene_player *player, fr_model *model, fr_model_play *play, const uint32_t *nodes,
                                uint32_t count, const fr_model_files *files, uint32_t *index);

// The looks of the scene's meshes, to be filled.
fr__scene_looks *fr__scene_player_looks(fr_scene_player *player);

// Says that an object of the scene is made of a model that was taken (FR_NONE: of none), and which one it became. False
// without memory.
bool fr__scene_player_assign(fr_scene_player *player, const fr_scene_object *o, uint32_t object, fr_object_id id,
                             uint32_t index);

// Whether the scene gives an object a colour, in place of its model's looks.
bool fr__scene_has_color(const fr_scene_object *object);

// The colour of the model that an object is made of; alpha 0: it has none of its own.
void fr__scene_player_set_color(fr_scene_player *player, uint32_t object, fr_color color);
fr_color fr__scene_player_color(const fr_scene_player *player, uint32_t object);

// Whether an object of the scene moves by itself.
bool fr__scene_player_moves(const fr_scene_player *player, uint32_t object);

// The mover of a world's objects that move by themselves, by the world's time; `user` is the player.
fr_status fr__scene_player_mover(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);

// Says that the scene's objects are those of another scene, which has as many and of the same models.
void fr__scene_player_set_scene(fr_scene_player *player, const fr_scene *scene);

// Forgets all.
void fr__scene_player_clear(fr_scene_player *player);

// A model, whose folder is where the files are that it refers to.
typedef struct fr__scene_beside {
    const fr_scene_classes *files;
    const char *model; // its path
} fr__scene_beside;

// The files beside a model, for its reading; `beside` must live as long.
fr_model_files fr__scene_files_beside(fr__scene_beside *beside);

// What the model of an object is.
typedef struct fr__scene_source {
    fr_model_format format;
    double unit; // as it was read
    fr_model_up up;
    bool is_unit_guessed, is_up_guessed;
    bool has_looks; // colours of its own
    uint64_t triangle_count;
    fr_bounds bounds;
} fr__scene_source;

// What the objects of a scene are made of: a scene is built in two steps, the first of which may be on any thread.
typedef struct fr__scene_stock fr__scene_stock;

// Reads models and makes meshes, with the player of the input where it has one. `error` is not NULL; `input` must stay
// until the stock is built or destroyed. Fails as fr_scene_build.
fr_status fr__scene_stock_create(const fr_scene *scene, const fr_scene_build_input *input, fr__scene_stock **out,
                                 fr_error *error);

// Of each object; bounds are in the object's frame.
const fr__scene_source *fr__scene_stock_sources(const fr__scene_stock *stock);

// Adds the objects of a scene with the same models to a space, as fr_scene_build does; once.
fr_status fr__scene_stock_build(fr__scene_stock *stock, const fr_scene *scene, const fr_scene_build_input *input,
                                fr_space *space, fr_object_id *ids, fr_error *error);

// NULL is ignored.
void fr__scene_stock_destroy(fr__scene_stock *stock);

#endif
