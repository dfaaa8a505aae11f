// What the files that write VRML97 share.
#ifndef FUREAI_MODEL_VRML_WRITE_H
#define FUREAI_MODEL_VRML_WRITE_H

#include "names.h"
#include "outline.h"
#include "sink.h"

typedef struct fr__vrml_out {
    fr__sink *sink;
    const fr_model *model;
    fr__outline outline;
    bool *mesh_done, *material_done;            // written before
    bool *node_moved, *mesh_moved, *look_moved; // by a track that is written
    uint32_t *first_sound, *next_sound;         // of each node and each sound; FR_NONE after the last
    fr__names names;                            // all that are written, where there are tracks
    fr_uint32_array name_counts;                // uint32_t, how often each is
    fr_arena *arena;                            // their letters
    void *flags, *links;                        // memory of the above
} fr__vrml_out;

// Memory, and what tracks and sounds belong to. False when there is none; free it all the same.
bool fr__vrml_out_make(fr__sink *sink, const fr_model *model, fr__vrml_out *out);
void fr__vrml_out_free(fr__vrml_out *out);

// A name as VRML has them, with what `before` says in front ("DEF "); nothing where it is "". One that routes go to is
// distinguished from all others: by its own name where no other has it, by `kind` and its number otherwise.
void fr__vrml_put_name(fr__vrml_out *out, const char *before, const char *name);
void fr__vrml_put_own_name(fr__vrml_out *out, const char *before, const char *name, const char *kind, uint32_t number);

void fr__vrml_put_quoted(fr__sink *sink, const char *text);
void fr__vrml_put_numbers(fr__sink *sink, const char *word, const double *numbers, int count);
void fr__vrml_put_floats(fr__sink *sink, const float *numbers, int count, const char *after);
void fr__vrml_put_numbered(fr__sink *sink, const char *word, uint32_t number);

// A Sound with its AudioClip.
void fr__vrml_put_sound(fr__sink *sink, const fr_model_sound *sound);

// Clocks, interpolators and routes of all tracks whose target was written.
void fr__vrml_put_motion(fr__vrml_out *out);

#endif
