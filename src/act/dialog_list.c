// Lists of the dialog: what can be chosen, shown with numbers, and what an entry means.
#include "act/dialog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fr__dialog_copy(fr__dialog_text *to, const char *from) {
    size_t length = strlen(from);
    if (length >= sizeof to->text) { length = sizeof to->text - 1; }
    memcpy(to->text, from, length);
    to->text[length] = '\0';
}

void fr__dialog_say(fr_dialog *d, const char *format, ...) {
    char text[FR_DIALOG_LINE_MAX_BYTES + 512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text) { length = (int)sizeof text - 1; }
    if (length > 0 && !d->def.write(text, (size_t)length, d->def.user)) { d->has_failed = true; }
}

// ---------------------------------------------------------------------------------------------------------------
// What there is

static bool add_name(fr_dialog *d, const char *name, const char *note) {
    fr__dialog_text *text = fr__dialog_texts_push(&d->names, 1);
    fr__dialog_text *beside = text != NULL ? fr__dialog_texts_push(&d->notes, 1) : NULL;
    d->is_short = beside == NULL;
    if (d->is_short) { return false; }
    fr__dialog_copy(text, name);
    fr__dialog_copy(beside, note != NULL ? note : "");
    return true;
}

static bool list_people(fr_dialog *d) {
    fr_cast_person person;
    bool right = true;
    for (uint32_t i = 0; right && fr_cast_get_person(d->def.cast, i, &person); i++) {
        right = add_name(d, person.name, "");
    }
    return right;
}

// Objects with which something can be done now.
static bool list_objects(fr_dialog *d) {
    const fr_space *space = fr_world_space(d->world);
    bool right = true;
    for (uint32_t i = 0; right && i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        if (object.index1 == 0 || fr_cast_affords(d->def.cast, object, 0) == NULL) { continue; }
        const char *name = fr_world_label(d->world, object).name;
        if (name[0] != '\0') { right = add_name(d, name, ""); }
    }
    return right;
}

static bool list_motions(fr_dialog *d) {
    fr_object_id object = d->motions[d->motion_count].command.object;
    const fr_affordance *affordance;
    bool right = true;
    for (uint32_t i = 0; right && (affordance = fr_cast_affords(d->def.cast, object, i)) != NULL; i++) {
        right = add_name(d, affordance->name, affordance->about);
    }
    return right;
}

static bool take_class(const fr_stock_entry *entry, void *context) {
    return add_name(context, entry->name, entry->motions);
}

static bool list_classes(fr_dialog *d) {
    fr_error why = {0};
    if (d->def.stock.list == NULL) { return true; }
    fr_status status = d->def.stock.list(take_class, d, d->def.stock.user, &why);
    if (status != FR_OK) { fr__dialog_say(d, "%s\n", why.message); }
    return status != FR_ERROR_MEMORY && !d->is_short;
}

static bool list_skills(fr_dialog *d) {
    bool right = true;
    for (uint32_t i = 0; right && i < fr_skill_count(); i++) {
        right = add_name(d, fr_skill_at(i)->name, fr_skill_at(i)->words);
    }
    return right;
}

static bool list_object_skills(fr_dialog *d) {
    bool right = add_name(d, "none", "the object stays as it is");
    for (uint32_t i = 0; right && i < fr_object_skill_count(); i++) {
        right = add_name(d, fr_object_skill_at(i)->name, fr_object_skill_at(i)->words);
    }
    return right;
}

bool fr__dialog_list(fr_dialog *d, fr__dialog_step step) {
    d->names.count = d->notes.count = 0;
    switch (step) {
    case FR__DIALOG_MENU:
        return add_name(d, "motion", "what a person is to do") && add_name(d, "goal", "what is to be so") &&
               add_name(d, "add", "an object") &&
               add_name(d, "teach", "a motion that a class of objects affords from now on") && add_name(d, "end", "");
    case FR__DIALOG_PERSON: return list_people(d);
    case FR__DIALOG_OBJECT: return list_objects(d);
    case FR__DIALOG_MOTION: return list_motions(d);
    case FR__DIALOG_CLASS:
    case FR__DIALOG_TAUGHT: return list_classes(d);
    case FR__DIALOG_SKILL: return list_skills(d);
    case FR__DIALOG_OBJECT_SKILL: return list_object_skills(d);
    default: return true;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Choosing

void fr__dialog_show(fr_dialog *d, const char *title) {
    fr__dialog_say(d, "%s\n", title);
    for (size_t i = 0; i < d->names.count && i < FR__DIALOG_MAX_SHOWN; i++) {
        const char *note = d->notes.data[i].text;
        fr__dialog_say(d, "  %zu. %s%s%s\n", i + 1, d->names.data[i].text, note[0] != '\0' ? ": " : "", note);
    }
    if (d->names.count > FR__DIALOG_MAX_SHOWN) {
        fr__dialog_say(d, "  and %zu more, by their names\n", d->names.count - FR__DIALOG_MAX_SHOWN);
    }
}

const char *fr__dialog_choose(fr_dialog *d, const char *entry) {
    char *end;
    unsigned long number = strtoul(entry, &end, 10);
    bool is_number = entry[0] >= '0' && entry[0] <= '9' && *end == '\0';
    fr_suggestion suggestion = fr_suggestion_begin(entry);
    for (size_t i = 0; i < d->names.count; i++) {
        if (strcmp(d->names.data[i].text, entry) == 0) { return d->names.data[i].text; }
        fr_suggestion_offer(&suggestion, d->names.data[i].text);
    }
    if (is_number && number >= 1 && number <= d->names.count) { return d->names.data[number - 1].text; }
    fr__dialog_say(d, "'%.80s' is none of them: type a name, or a number from 1 to %zu", entry, d->names.count);
    if (suggestion.best != NULL) { fr__dialog_say(d, "; did you mean '%s'?", suggestion.best); }
    fr__dialog_say(d, "\n");
    return NULL;
}
