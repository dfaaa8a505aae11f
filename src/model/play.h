// The inside of a model that is played.
#ifndef FUREAI_MODEL_PLAY_H
#define FUREAI_MODEL_PLAY_H

#include "model.h"

// A node that a track moves, or that stands below one.
typedef struct fr__moved_node {
    uint32_t parent; // index of the moved node above it; FR_NONE where what is above stands still
    uint32_t node;
    bool is_placed;               // a track moves it itself
    double above[12];             // from the parent's frame to the model's, where the parent stands still
    fr_model_placement placement; // at the time
    double matrix[12];            // to the model's frame, at the time
} fr__moved_node;

FR_ARRAY_TYPE(fr__moved_node_array, fr__moved_node);

// What follows bones and takes shapes; all is empty in a model without.
typedef struct fr__played_skins {
    fr_skin **skins;   // of each mesh that follows bones, NULL for others
    double *matrices;  // of the bones of one mesh
    double *shaped;    // positions of one mesh
    float *weights;    // of the shapes of one mesh, and what one track says of them
    fr_arena *scratch; // of the job
    size_t max_bones, max_vertices, max_targets;
} fr__played_skins;

// The bones that take along what moves.
typedef struct fr__played_bones {
    uint32_t *nodes;   // of each bone, in the order of the nodes
    uint32_t *parents; // of each bone: the nearest bone above it, FR_NONE where there is none
    fr_vec3 *centers;  // of each bone: where it is in the frame of its node
    uint32_t *places;  // of each node: its bone, FR_NONE where it is none
    uint32_t count;    // 0: vertices are played
} fr__played_bones;

struct fr_model_play {
    const fr_model *model;
    fr_allocator allocator;
    double *fractions;      // of each clock; below 0 where it has not begun
    uint32_t *slots;        // of each node: index of its moved node, FR_NONE where it stands still
    uint32_t *mesh_tracks;  // of each mesh: the track that moves its vertices, FR_NONE where none does
    uint32_t *node_weights; // of each node: the last track that sets weights of its mesh's shapes, FR_NONE likewise
    uint32_t *next_weights; // of each track: the one before it that does so for the same node
    float *positions;       // of one mesh
    fr__played_skins skins;
    fr__moved_node_array moved; // parents before children
    uint32_t max_vertices;
    fr__played_bones bones;
    bool is_set;
};

// Finds the bones that take along all parts that move, where there is a skin among these and poses say where the bones
// are. False without memory.
bool fr__play_find_bones(fr_model_play *play);
void fr__play_free_bones(fr_model_play *play);

// Whether the bones take a node along that is a part.
bool fr__play_is_boned(const fr_model_play *play, uint32_t node);

// The skin of a node that the bones take along, for a mesh of its vertices as they are before that.
fr_status fr__play_skin(const fr_model_play *play, uint32_t node, const fr_mesh *mesh, const fr_allocator *allocator,
                        fr_skin **out, fr_error *error);

#endif
