// What the files that read a class share.
#ifndef FUREAI_LIBRARY_CLASS_READER_H
#define FUREAI_LIBRARY_CLASS_READER_H

#include "library/class.h"
#include "scene/scene_value.h"

typedef struct fr__class_reader {
    fr_json_reader reader;
    fr_class *c;
    const char **references; // of the class; NULL: none yet
} fr__class_reader;

// Zeroed memory of the class; NULL, with the failure reported, when there is none.
void *fr__class_take(fr__class_reader *r, size_t count, size_t size);

// What the texts of a list are.
typedef struct fr__class_text_kind {
    const char *what;
    size_t low, high; // how many
    size_t max_bytes; // of each; that of paths is the class's
    bool is_path;
} fr__class_text_kind;

// Each leaves `out` as it is where there is no value.
bool fr__class_read_texts(fr__class_reader *r, fr_json_value token, const fr__class_text_kind *kind,
                          fr_class_texts *out);
bool fr__class_read_values(fr__class_reader *r, fr_json_value token, const char *what, fr_class_values *out);

// A file of the folder, by its path.
bool fr__class_read_path(fr__class_reader *r, fr_json_value token, const char *what, const char **out);

// The states of the class: 'states', or 'affords' for the only one, not both; without either it affords nothing.
bool fr__class_read_states(fr__class_reader *r, fr_json_value affords, fr_json_value states);

// What a state holds beside its name and motions; the names of all states are in the class already.
typedef struct fr__class_state_values {
    fr_json_value constraint, looks, transitions;
} fr__class_state_values;

bool fr__class_read_state(fr__class_reader *r, const fr__class_state_values *values, fr_class_state *out);

// Other objects by a name, which joins the references of the class.
bool fr__class_read_reference(fr__class_reader *r, fr_json_value token, const char *what, fr_class_reference *out);

// A place: the name of an object, or an object with `object` and `frame`.
bool fr__class_read_place(fr__class_reader *r, fr_json_value token, const char *what, fr_class_place *out);

// The guard of a transition.
bool fr__class_read_guard(fr__class_reader *r, fr_json_value token, fr_class_guard *out);

// Line and column of a value.
void fr__class_locate(fr__class_reader *r, fr_json_value token, int *line, int *column);

#endif
