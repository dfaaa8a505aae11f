// How a scene's player is filled while the scene is built.
#ifndef FUREAI_SCENE_SCENE_PLAY_H
#define FUREAI_SCENE_SCENE_PLAY_H

#include "scene/scene.h"
#include "scene/scene_look.h"

// Forgets what the player had; no object of the scene moves by itself yet. False without memory.
bool fr__scene_player_begin(fr_scene_player *player, const fr_scene *scene);

// Takes a model, and a play of it, whose nodes `nodes` became the parts of objects, in this order, with the sounds that
// `files` has. *index is its number for fr__scene_player_assign, FR_NONE when no track moves any of them and nothing is
// heard: both are destroyed then, and when it fails.
fr_status fr__scene_player_take(fr_scene_player *player, fr_model *model, fr_model_play *play, const uint32_t *nodes,
                                uint32_t count, const fr_model_files *files, uint32_t *index);

// The looks of the scene's meshes, to be filled.
fr__scene_looks *fr__scene_player_looks(fr_scene_player *player);

// Says that an object of the scene is made of a model that was taken, and which one it became. False without memory.
bool fr__scene_player_assign(fr_scene_player *player, uint32_t object, fr_object_id id, uint32_t index);

// Whether the scene gives an object a colour, in place of its model's looks.
bool fr__scene_has_color(const fr_scene_object *object);

// The colour of the model that an object is made of; alpha 0: it has none of its own.
void fr__scene_player_set_color(fr_scene_player *player, uint32_t object, fr_color color);
fr_color fr__scene_player_color(const fr_scene_player *player, uint32_t object);

// Whether an object of the scene moves by itself.
bool fr__scene_player_moves(const fr_scene_player *player, uint32_t object);

// The mover of a world's objects that move by themselves, by the world's time; `user` is the player.
fr_status fr__scene_player_mover(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);

// Forgets all.
void fr__scene_player_clear(fr_scene_player *player);

#endif
