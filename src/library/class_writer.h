// What the files that write a class share.
#ifndef FUREAI_LIBRARY_CLASS_WRITER_H
#define FUREAI_LIBRARY_CLASS_WRITER_H

#include "fureai/library.h"

// A joint under the key "joint".
void fr__class_write_joint(fr_json_writer *j, const fr_scene_joint *joint);

// What a state holds beside its name and motions.
void fr__class_write_state(fr_json_writer *j, const fr_class_view *view, const fr_class_state *state);

// The parts of a transition as values: `on` of one that has a trigger, `when`, `do`.
void fr__class_write_trigger(fr_json_writer *j, const fr_class_trigger *on);
void fr__class_write_guard(fr_json_writer *j, const fr_class_guard *g);
void fr__class_write_actions(fr_json_writer *j, const fr_class_transition *t);

#endif
