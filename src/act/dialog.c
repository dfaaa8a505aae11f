// The dialog: one step after another, each with its prompt, the entries that it takes, and what comes next.
#include "act/dialog.h"

#include "fureai/act_director.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIALOG_COOKIE UINT32_C(0x646c6f67)
#define TICKET UINT64_C(1)

fr_dialog_def fr_default_dialog_def(void) {
    fr_dialog_def def;
    memset(&def, 0, sizeof def);
    def.max_ticks = 1000000;
    def.cookie = DIALOG_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Prompts

typedef struct dialog_prompt_row {
    const char *prompt;
    const char *title; // above the list; NULL: the step has none
    const char *none;  // said where the list is empty
} dialog_prompt_row;

static const dialog_prompt_row prompt_rows[] = {
    [FR__DIALOG_MENU] = {"what", "What is to be done? (a number or a name; 'back' begins again)", ""},
    [FR__DIALOG_PERSON] = {"person", "Who is to do it?", "there are no people who take commands here"},
    [FR__DIALOG_OBJECT] = {"object", "With which object?", "nothing here affords a motion"},
    [FR__DIALOG_MOTION] = {"motion", "What is to be done with it?", "it affords nothing now"},
    [FR__DIALOG_FUSE] = {"fuse another motion? (yes or no)", NULL, NULL},
    [FR__DIALOG_WANT] = {"what is to be so, as \"cup on table\"", NULL, NULL},
    [FR__DIALOG_CLASS] = {"class", "An object of which class?", "there are no classes here"},
    [FR__DIALOG_NAME] = {"name of the object", NULL, NULL},
    [FR__DIALOG_PLACE] = {"position x, y, z in metres", NULL, NULL},
    [FR__DIALOG_FACING] = {"facing in degrees (empty: 0)", NULL, NULL},
    [FR__DIALOG_TAUGHT] = {"class", "Which class is given a motion?", "there are no classes here"},
    [FR__DIALOG_TAUGHT_NAME] = {"name of the motion", NULL, NULL},
    [FR__DIALOG_SKILL] = {"skill of the person", "By which skill does a person do it?", ""},
    [FR__DIALOG_OBJECT_SKILL] = {"skill of the object", "And what does the object do?", ""},
    [FR__DIALOG_DATA] = {"clip in the folder of the class (empty: none)", NULL, NULL},
};

static const char *field_hint(const char *name) {
    static const char *const hints[][2] = {{"goal", "goal x, y, z in metres"},
                                           {"facing", "facing in degrees, 0 is +z"},
                                           {"frames", "frames (empty: as long as is natural)"},
                                           {"start", "start, frames after the first motion (empty: 0)"}};
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (strcmp(hints[i][0], name) == 0) { return hints[i][1]; }
    }
    return name;
}

static fr_status ask(fr_dialog *d, fr__dialog_step step, fr_error *error) {
    const dialog_prompt_row *row = &prompt_rows[step];
    bool is_listed = fr__dialog_list(d, step);
    if (!is_listed) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a list"); }
    if (row->title != NULL && d->names.count == 0) {
        fr__dialog_say(d, "%s\n", row->none);
        return ask(d, FR__DIALOG_MENU, error);
    }
    if (step == FR__DIALOG_MENU) { d->motion_count = 0; }
    d->step = step;
    if (row->title != NULL) { fr__dialog_show(d, row->title); }
    const char *prompt = step == FR__DIALOG_FIELD ? field_hint(d->fields[d->field].name.text) : row->prompt;
    snprintf(d->prompt, sizeof d->prompt, "%.60s> ", prompt);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

// So many numbers with commas or blanks between; says what is allowed where they are none.
static bool read_numbers(fr_dialog *d, const char *text, int count, double low, double high, double *out) {
    const char *at = text;
    bool right = true;
    for (int i = 0; i < count && right; i++) {
        char *end;
        out[i] = strtod(at, &end);
        right = end != at && isfinite(out[i]) && out[i] >= low && out[i] <= high;
        at = end + strspn(end, " \t,;");
    }
    if (right && *at == '\0') { return true; }
    fr__dialog_say(d, "that is %s from %g to %g\n", count == 1 ? "one number" : "three numbers with commas between,",
                   low, high);
    return false;
}

static bool read_frames(fr_dialog *d, const char *text, uint32_t *out) {
    double number;
    if (!read_numbers(d, text, 1, 0.0, FR_COMMAND_MAX_FRAMES, &number)) { return false; }
    if (number == floor(number)) {
        *out = (uint32_t)number;
        return true;
    }
    fr__dialog_say(d, "frames are a whole number\n");
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// A motion

// Frames are always prompted for, and the start of every motion but the first.
static void begin_fields(fr_dialog *d, const fr_affordance *affordance) {
    bool has_frames = false, has_start = false;
    d->field_count = d->field = 0;
    for (uint32_t i = 0; i < affordance->field_count && i < FR__DIALOG_MAX_FIELDS; i++) {
        const fr_affordance_field *from = &affordance->fields[i];
        bool is_start = strcmp(from->name, "start") == 0;
        has_frames = has_frames || strcmp(from->name, "frames") == 0;
        if (is_start && d->motion_count == 0) { continue; }
        has_start = has_start || is_start;
        fr__dialog_field *to = &d->fields[d->field_count++];
        fr__dialog_copy(&to->name, from->name);
        to->is_needed = from->is_needed;
    }
    const char *more[2] = {has_frames ? NULL : "frames", has_start || d->motion_count == 0 ? NULL : "start"};
    for (int i = 0; i < 2; i++) {
        if (more[i] == NULL) { continue; }
        fr__dialog_copy(&d->fields[d->field_count].name, more[i]);
        d->fields[d->field_count++].is_needed = false;
    }
}

static fr_status choose_motion(fr_dialog *d, const char *entry, fr_error *error) {
    const char *name = fr__dialog_choose(d, entry);
    fr__dialog_motion *motion = &d->motions[d->motion_count];
    if (name == NULL) { return FR_OK; }
    const fr_affordance *affordance = NULL;
    for (uint32_t i = 0; (affordance = fr_cast_affords(d->def.cast, motion->command.object, i)) != NULL; i++) {
        if (strcmp(affordance->name, name) == 0) { break; }
    }
    if (affordance == NULL) {
        fr__dialog_say(d, "it does not afford that any more\n");
        return ask(d, FR__DIALOG_MOTION, error);
    }
    fr__dialog_copy(&motion->name, name);
    begin_fields(d, affordance);
    return ask(d, d->field_count > 0 ? FR__DIALOG_FIELD : FR__DIALOG_FUSE, error);
}

static bool take_field(fr_dialog *d, const char *name, const char *entry) {
    fr__dialog_motion *motion = &d->motions[d->motion_count];
    double numbers[3];
    if (strcmp(name, "goal") == 0) {
        if (!read_numbers(d, entry, 3, -1e6, 1e6, numbers)) { return false; }
        motion->command.goal = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
        motion->command.given |= FR_COMMAND_GOAL;
    } else if (strcmp(name, "facing") == 0) {
        if (!read_numbers(d, entry, 1, -360.0, 360.0, numbers)) { return false; }
        motion->command.facing = fr_radians(numbers[0]);
        motion->command.given |= FR_COMMAND_FACING;
    } else if (strcmp(name, "frames") == 0) {
        return read_frames(d, entry, &motion->command.frames);
    } else if (strcmp(name, "start") == 0) {
        return read_frames(d, entry, &motion->command.start);
    } else {
        fr__dialog_copy(&motion->keys[motion->parameter_count], name);
        fr__dialog_copy(&motion->values[motion->parameter_count++], entry);
    }
    return true;
}

static fr_status enter_field(fr_dialog *d, const char *entry, fr_error *error) {
    const fr__dialog_field *field = &d->fields[d->field];
    if (entry[0] == '\0' && field->is_needed) {
        fr__dialog_say(d, "it is needed\n");
        return FR_OK;
    }
    if (entry[0] != '\0' && !take_field(d, field->name.text, entry)) { return FR_OK; }
    d->field++;
    return ask(d, d->field < d->field_count ? FR__DIALOG_FIELD : FR__DIALOG_FUSE, error);
}

static fr_status choose_object(fr_dialog *d, const char *entry, fr_error *error) {
    const char *name = fr__dialog_choose(d, entry);
    if (name == NULL) { return FR_OK; }
    fr__dialog_motion *motion = &d->motions[d->motion_count];
    memset(motion, 0, sizeof *motion);
    motion->command.object = fr_world_find(d->world, name);
    return ask(d, FR__DIALOG_MOTION, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Go

static fr_status wait(fr_dialog *d, fr_error *error) {
    uint64_t begin = fr_world_tick_count(d->world);
    fr_command_end end = {0};
    for (uint64_t i = 0; i < d->def.max_ticks; i++) {
        fr_status status = fr_cast_tick(d->def.cast, d->def.tick, error);
        if (status != FR_OK) { return status; }
        while (fr_cast_ended(d->def.cast, &end)) {
            if (end.ticket != TICKET) { continue; }
            unsigned long long frames = (unsigned long long)(fr_world_tick_count(d->world) - begin);
            fr__dialog_say(d, end.status == FR_OK ? "done in %llu frames\n" : "ended after %llu frames: %s\n", frames,
                           end.message);
            return FR_OK;
        }
    }
    fr__dialog_say(d, "it was not over in time\n");
    return FR_OK;
}

// Gives a command and says how it ended.
static fr_status give(fr_dialog *d, const fr_command *command, fr_error *error) {
    fr_error why = {0};
    fr_status status = fr_cast_command(d->def.cast, command, &why);
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status != FR_OK) {
        fr__dialog_say(d, "refused: %s\n", why.message);
    } else if ((status = wait(d, error)) != FR_OK) {
        return status;
    }
    return ask(d, FR__DIALOG_MENU, error);
}

static fr_status enter_want(fr_dialog *d, const char *entry, fr_error *error) {
    const fr_command_parameter want = {FR_DIRECTOR_WANT, entry};
    const fr_command command = {.name = FR_DIRECTOR_GOAL, .parameters = &want, .parameter_count = 1, .ticket = TICKET};
    return give(d, &command, error);
}

static fr_status go(fr_dialog *d, fr_error *error) {
    fr_command commands[FR_COMMAND_MAX_FUSED];
    fr_command_parameter parameters[FR_COMMAND_MAX_FUSED][FR__DIALOG_MAX_FIELDS];
    for (uint32_t i = 0; i < d->motion_count; i++) {
        const fr__dialog_motion *motion = &d->motions[i];
        commands[i] = motion->command;
        commands[i].name = motion->name.text;
        commands[i].parameters = parameters[i];
        commands[i].parameter_count = motion->parameter_count;
        for (uint32_t k = 0; k < motion->parameter_count; k++) {
            parameters[i][k] = (fr_command_parameter){motion->keys[k].text, motion->values[k].text};
        }
    }
    commands[0].person = d->person.text;
    commands[0].fused = commands + 1;
    commands[0].fused_count = d->motion_count - 1;
    commands[0].ticket = TICKET;
    return give(d, &commands[0], error);
}

static fr_status enter_fuse(fr_dialog *d, const char *entry, fr_error *error) {
    bool is_yes = strcmp(entry, "yes") == 0 || strcmp(entry, "y") == 0;
    bool is_no = strcmp(entry, "no") == 0 || strcmp(entry, "n") == 0 || entry[0] == '\0';
    if (!is_yes && !is_no) {
        fr__dialog_say(d, "type yes or no\n");
        return FR_OK;
    }
    d->motion_count++;
    if (is_yes && d->motion_count < FR_COMMAND_MAX_FUSED) { return ask(d, FR__DIALOG_OBJECT, error); }
    if (is_yes) { fr__dialog_say(d, "at most %u motions are fused\n", FR_COMMAND_MAX_FUSED); }
    return go(d, error);
}

// ---------------------------------------------------------------------------------------------------------------
// An object

static fr_status enter_name(fr_dialog *d, const char *entry, fr_error *error) {
    if (entry[0] == '\0' || fr_world_find(d->world, entry).index1 != 0) {
        fr__dialog_say(d, entry[0] == '\0' ? "it needs a name\n" : "there is an object '%s' already\n", entry);
        return FR_OK;
    }
    fr__dialog_copy(&d->object_name, entry);
    return ask(d, FR__DIALOG_PLACE, error);
}

static fr_status enter_place(fr_dialog *d, const char *entry, fr_error *error) {
    double numbers[3];
    if (!read_numbers(d, entry, 3, -1e6, 1e6, numbers)) { return FR_OK; }
    d->place = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    return ask(d, FR__DIALOG_FACING, error);
}

static fr_status enter_facing(fr_dialog *d, const char *entry, fr_error *error) {
    const fr_vec3 up = {0.0, 1.0, 0.0};
    double degrees = 0.0;
    if (entry[0] != '\0' && !read_numbers(d, entry, 1, -360.0, 360.0, &degrees)) { return FR_OK; }
    const fr_pose pose = fr_pose_make(d->place, fr_quat_from_axis_angle(up, fr_radians(degrees)));
    const fr_scene_addition addition = {d->class_name.text, d->object_name.text, pose, false};
    fr_error why = {0};
    fr_status status = d->def.stock.add(&addition, d->def.stock.user, &why);
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    fr__dialog_say(d, status == FR_OK ? "%s is there\n" : "refused: %s\n",
                   status == FR_OK ? d->object_name.text : why.message);
    return ask(d, FR__DIALOG_MENU, error);
}

// ---------------------------------------------------------------------------------------------------------------
// A motion of a class

static fr_status teach(fr_dialog *d, const char *data, fr_error *error) {
    const char *clips[1] = {data};
    const fr_class_skill skill = {.name = d->skill.text};
    const fr_class_skill object = {.name = d->object_skill.text};
    fr_class_motion motion = {.name = d->object_name.text, .skills = &skill, .skill_count = 1};
    motion.fields = FR_CLASS_ASKS_FRAMES;
    const fr_skill *known = fr_skill_find(skill.name);
    if (known != NULL && (known->needs & FR_FIELD_GOAL) != 0) { motion.fields |= FR_CLASS_ASKS_GOAL; }
    if (known != NULL && (known->needs & FR_FIELD_HEADING) != 0) { motion.fields |= FR_CLASS_ASKS_FACING; }
    if (strcmp(object.name, "none") != 0) { motion.object = &object; }
    if (data[0] != '\0') { motion.data = (fr_class_texts){clips, 1}; }
    fr_error why = {0};
    fr_status status = fr_library_add_motion(d->def.folder, d->class_name.text, &motion, &d->allocator, &why);
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status == FR_OK) {
        fr__dialog_say(d, "objects of the class '%s' that are added from now on afford '%s'\n", d->class_name.text,
                       motion.name);
    } else {
        fr__dialog_say(d, "refused: %s\n", why.message);
    }
    return ask(d, FR__DIALOG_MENU, error);
}

// ---------------------------------------------------------------------------------------------------------------
// An entry

static fr_status choose_menu(fr_dialog *d, const char *entry, fr_error *error) {
    const char *name = fr__dialog_choose(d, entry);
    if (name == NULL) { return FR_OK; }
    if (strcmp(name, "end") == 0) { return fr_error_set(error, FR_ERROR_STOPPED, "the dialog was ended"); }
    if (strcmp(name, "goal") == 0) { return ask(d, FR__DIALOG_WANT, error); }
    if (strcmp(name, "motion") == 0) {
        if (!fr__dialog_list(d, FR__DIALOG_PERSON)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory"); }
        fr__dialog_copy(&d->person, d->names.count == 1 ? d->names.data[0].text : "");
        return ask(d, d->names.count == 1 ? FR__DIALOG_OBJECT : FR__DIALOG_PERSON, error);
    }
    bool is_add = strcmp(name, "add") == 0;
    bool is_possible = is_add ? d->def.stock.add != NULL : d->def.folder != NULL && d->def.folder[0] != '\0';
    if (!is_possible) {
        fr__dialog_say(d, "there is no library of objects here\n");
        return ask(d, FR__DIALOG_MENU, error);
    }
    return ask(d, is_add ? FR__DIALOG_CLASS : FR__DIALOG_TAUGHT, error);
}

// A choice whose name is kept, and then the next step.
static fr_status keep_choice(fr_dialog *d, const char *entry, fr__dialog_text *to, fr__dialog_step next,
                             fr_error *error) {
    const char *name = fr__dialog_choose(d, entry);
    if (name == NULL) { return FR_OK; }
    fr__dialog_copy(to, name);
    return ask(d, next, error);
}

static fr_status take_entry(fr_dialog *d, const char *entry, fr_error *error) {
    switch (d->step) {
    case FR__DIALOG_MENU: return choose_menu(d, entry, error);
    case FR__DIALOG_PERSON: return keep_choice(d, entry, &d->person, FR__DIALOG_OBJECT, error);
    case FR__DIALOG_OBJECT: return choose_object(d, entry, error);
    case FR__DIALOG_MOTION: return choose_motion(d, entry, error);
    case FR__DIALOG_FIELD: return enter_field(d, entry, error);
    case FR__DIALOG_FUSE: return enter_fuse(d, entry, error);
    case FR__DIALOG_WANT: return enter_want(d, entry, error);
    case FR__DIALOG_CLASS: return keep_choice(d, entry, &d->class_name, FR__DIALOG_NAME, error);
    case FR__DIALOG_NAME: return enter_name(d, entry, error);
    case FR__DIALOG_PLACE: return enter_place(d, entry, error);
    case FR__DIALOG_FACING: return enter_facing(d, entry, error);
    case FR__DIALOG_TAUGHT: return keep_choice(d, entry, &d->class_name, FR__DIALOG_TAUGHT_NAME, error);
    case FR__DIALOG_TAUGHT_NAME:
        if (entry[0] == '\0') {
            fr__dialog_say(d, "it needs a name\n");
            return FR_OK;
        }
        fr__dialog_copy(&d->object_name, entry);
        return ask(d, FR__DIALOG_SKILL, error);
    case FR__DIALOG_SKILL: return keep_choice(d, entry, &d->skill, FR__DIALOG_OBJECT_SKILL, error);
    case FR__DIALOG_OBJECT_SKILL: return keep_choice(d, entry, &d->object_skill, FR__DIALOG_DATA, error);
    default: return teach(d, entry, error);
    }
}

// The entry without blanks about it; false where it cannot be one.
static bool read_entry(const char *text, size_t size, char out[FR_DIALOG_LINE_MAX_BYTES + 1]) {
    while (size > 0 && strchr(" \t\r", text[0]) != NULL && text[0] != '\0') {
        text++;
        size--;
    }
    while (size > 0 && strchr(" \t\r", text[size - 1]) != NULL && text[size - 1] != '\0') {
        size--;
    }
    bool right = size <= FR_DIALOG_LINE_MAX_BYTES;
    for (size_t at = 0; right && at < size;) {
        size_t length = fr_utf8_length(text + at, size - at);
        right = length > 0 && (unsigned char)text[at] >= 0x20 && text[at] != 0x7f;
        at += length;
    }
    if (!right) { return false; }
    if (size > 0) { memcpy(out, text, size); }
    out[size] = '\0';
    return true;
}

fr_status fr_dialog_enter(fr_dialog *dialog, const char *text, size_t size, fr_error *error) {
    FR_ASSERT(dialog != NULL && (text != NULL || size == 0));
    char entry[FR_DIALOG_LINE_MAX_BYTES + 1];
    fr_status status = FR_OK;
    if (!read_entry(text, size, entry)) {
        fr__dialog_say(dialog, "an entry is a line of UTF-8 of at most %u bytes without control characters\n",
                       FR_DIALOG_LINE_MAX_BYTES);
    } else if (strcmp(entry, "end") == 0) {
        status = fr_error_set(error, FR_ERROR_STOPPED, "the dialog was ended");
    } else if (strcmp(entry, "back") == 0) {
        status = ask(dialog, FR__DIALOG_MENU, error);
    } else {
        status = take_entry(dialog, entry, error);
    }
    if (status == FR_OK && dialog->has_failed) {
        status = fr_error_set(error, FR_ERROR_FILE, "the dialog could not be shown");
    }
    return status;
}

const char *fr_dialog_prompt(const fr_dialog *dialog) { return dialog->prompt; }

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_status fr_dialog_create(const fr_dialog_def *def, fr_dialog **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != DIALOG_COOKIE) { return fr_error_set_cookie(error, "fr_default_dialog_def"); }
    if (def->cast == NULL || def->write == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a dialog needs a cast and where text goes");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_dialog *d = fr_allocate(&allocator, 1, sizeof *d, alignof(fr_dialog));
    if (d == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a dialog"); }
    memset(d, 0, sizeof *d);
    d->def = *def;
    d->allocator = allocator;
    d->world = fr_cast_world(def->cast);
    d->names = fr__dialog_texts_make(&allocator);
    d->notes = fr__dialog_texts_make(&allocator);
    fr_status status = ask(d, FR__DIALOG_MENU, error);
    if (status != FR_OK) {
        fr_dialog_destroy(d);
        return status;
    }
    *out = d;
    return FR_OK;
}

void fr_dialog_destroy(fr_dialog *dialog) {
    if (dialog == NULL) { return; }
    fr__dialog_texts_destroy(&dialog->names);
    fr__dialog_texts_destroy(&dialog->notes);
    fr_allocator allocator = dialog->allocator;
    fr_deallocate(&allocator, dialog, 1, sizeof *dialog);
}
