// The result about a scene whose poses are not known exactly: every pair that may collide, with its grade.
#ifndef FUREAI_TOOL_GRADED_H
#define FUREAI_TOOL_GRADED_H

#include "scene_file.h"

#include "fureai/collide.h"

typedef struct graded {
    fr_uncertain_output output;    // pairs in the order of those of the result it stands beside
    fr_object_uncertainty *errors; // of the scene's objects that have some, in their order
    fr_uncertain_input input;
    fr_collide *collide;
    fr_face_pair *pairs; // what takes the place of the arrays of the result about the poses as they are
    fr_contact *contacts;
    fr_object_pair *object_pairs;
} graded;

// Whether the pose of some object of a scene is not known exactly.
bool graded_is_needed(const fr_scene *scene);

// Queries what may collide at t_K or over step K, where `input` was about the poses as they are and gave `output`; then
// `output` holds all pairs that may collide: contacts as they were, and of those that are only possible where the faces
// first come within their separation. Release it on failure too.
fr_status graded_ask(graded *g, const scene_file *file, uint32_t k, const fr_collide_input *input, bool is_over_step,
                     fr_collide_output *output, fr_error *error);
void graded_release(graded *g);

const char *grade_name(fr_grade grade);

// What is reported about two objects, and about each object that may be off.
void graded_print_objects(tool *t, const graded *g, const fr_object_pair *pair);
void graded_print_budgets(tool *t, const graded *g, const scene_file *file);
void graded_write_objects(fr_json_writer *j, const graded *g, const fr_object_pair *pair);
void graded_write_pair(fr_json_writer *j, const graded *g, size_t index);
void graded_write_budgets(fr_json_writer *j, const graded *g, const scene_file *file);

#endif
