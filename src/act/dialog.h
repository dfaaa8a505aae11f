// The inside of the dialog.
#ifndef FUREAI_ACT_DIALOG_PRIVATE_H
#define FUREAI_ACT_DIALOG_PRIVATE_H

#include "fureai/act_dialog.h"

#define FR__DIALOG_TEXT_BYTES 256u
#define FR__DIALOG_MAX_FIELDS 8u
#define FR__DIALOG_MAX_SHOWN 60u // names of a list; the others can be typed

typedef enum fr__dialog_step {
    FR__DIALOG_MENU,
    FR__DIALOG_PERSON,
    FR__DIALOG_OBJECT,
    FR__DIALOG_MOTION,
    FR__DIALOG_FIELD,
    FR__DIALOG_FUSE,
    FR__DIALOG_WANT,  // of a goal
    FR__DIALOG_CLASS, // of an object that is added
    FR__DIALOG_NAME,
    FR__DIALOG_PLACE,
    FR__DIALOG_FACING,
    FR__DIALOG_TAUGHT, // the class that is given a motion
    FR__DIALOG_TAUGHT_NAME,
    FR__DIALOG_SKILL,
    FR__DIALOG_OBJECT_SKILL,
    FR__DIALOG_DATA
} fr__dialog_step;

typedef struct fr__dialog_text {
    char text[FR__DIALOG_TEXT_BYTES];
} fr__dialog_text;

FR_ARRAY_TYPE(fr__dialog_texts, fr__dialog_text);

typedef struct fr__dialog_field {
    fr__dialog_text name;
    bool is_needed;
} fr__dialog_field;

// A motion that was entered.
typedef struct fr__dialog_motion {
    fr__dialog_text name;
    fr_command command; // without texts
    fr__dialog_text keys[FR__DIALOG_MAX_FIELDS], values[FR__DIALOG_MAX_FIELDS];
    uint32_t parameter_count;
} fr__dialog_motion;

struct fr_dialog {
    fr_dialog_def def;
    fr_allocator allocator;
    fr_world *world;
    fr__dialog_step step;
    char prompt[64];
    fr__dialog_texts names, notes; // to choose from, and a sentence to each
    bool is_short;                 // there was no memory for a name
    bool has_failed;               // some text could not be shown
    // What was entered.
    fr__dialog_text person;
    fr__dialog_motion motions[FR_COMMAND_MAX_FUSED];
    uint32_t motion_count; // whole ones; the next is being entered
    fr__dialog_field fields[FR__DIALOG_MAX_FIELDS + 2];
    uint32_t field_count, field;
    fr__dialog_text class_name, object_name, skill, object_skill;
    fr_vec3 place;
};

// Shows text.
void fr__dialog_say(fr_dialog *d, const char *format, ...) FR_PRINTF(2, 3);

// Fills `names` and `notes` with what the step chooses from. False: there is no memory.
bool fr__dialog_list(fr_dialog *d, fr__dialog_step step);

// Shows the list with numbers.
void fr__dialog_show(fr_dialog *d, const char *title);

// The name that an entry means, by its number or itself; NULL, after saying what is allowed: none.
const char *fr__dialog_choose(fr_dialog *d, const char *entry);

// Copies a text, cut where it is too long.
void fr__dialog_copy(fr__dialog_text *to, const char *from);

#endif
