// Which parameters a command may have: those that the skills of its motion read, by a table of keys and fields.
#include "act/director.h"

#include "fureai/base_drawing.h"

#include <string.h>

// What reads a parameter: skills that know one of these fields, or one of the others here.
typedef struct parameter_key {
    const char *key;
    uint32_t fields; // FR_FIELD_ bits
    bool is_tool;    // how a palm comes to a place: of ik_reach
    bool is_meeting; // of skills that take two people
    bool is_object;  // of the skill of the object
} parameter_key;

static const parameter_key KEYS[] = {
    {.key = "after", .is_object = true},
    {.key = "clip", .fields = FR_FIELD_CLIP},
    {.key = "diameter", .fields = FR_FIELD_DIAMETER, .is_tool = true},
    {.key = "facing_deg", .fields = FR_FIELD_HEADING},
    {.key = "frame", .fields = FR_FIELD_TARGET, .is_object = true, .is_tool = true},
    {.key = "goal", .fields = FR_FIELD_GOAL},
    {.key = "grasp", .is_tool = true},
    {.key = "hand", .fields = FR_FIELD_SIDE},
    {.key = "knob", .is_object = true},
    {.key = "lift", .is_tool = true},
    {.key = "patience", .is_meeting = true},
    {.key = "size", .is_object = true},
    {.key = "speed", .fields = FR_FIELD_SPEED},
    {.key = "spot", .is_tool = true},
    {.key = "text", .fields = FR_FIELD_POSES},
    {.key = "threshold", .is_object = true},
    {.key = "tool", .is_tool = true},
    {.key = "turn_deg", .is_tool = true},
    {.key = "value", .fields = FR_FIELD_VALUE},
    {.key = "word", .fields = FR_FIELD_WORD},
};

// Offers what may be given, until one is the key that is looked for.
typedef struct parameter_search {
    const char *key;
    fr_suggestion suggestion;
    bool is_found;
} parameter_search;

static void offer(parameter_search *s, const char *key) {
    s->is_found = s->is_found || strcmp(key, s->key) == 0;
    fr_suggestion_offer(&s->suggestion, key);
}

static void offer_values(parameter_search *s, const fr_class_values *values) {
    for (uint32_t i = 0; i < values->count; i++) {
        offer(s, values->list[i].key);
    }
}

static void offer_skill(parameter_search *s, const fr_skill *skill) {
    bool is_reach = strcmp(skill->name, "ik_reach") == 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        bool is_read = ((skill->needs | skill->takes) & KEYS[i].fields) != 0;
        is_read = is_read || (KEYS[i].is_tool && is_reach) || (KEYS[i].is_meeting && skill->partner != NULL);
        if (is_read) { offer(s, KEYS[i].key); }
    }
}

// Of a motion of a class also those that the class gives or asks for.
static void offer_motion(parameter_search *s, const fr_class_motion *motion) {
    offer_values(s, &motion->parameters);
    offer(s, "causes");
    offer(s, "from");
    const char *field;
    for (uint32_t bit = 0; (field = fr_class_field_name(bit)) != NULL; bit++) {
        if ((motion->fields >> bit & 1u) != 0) { offer(s, field); }
    }
    for (uint32_t i = 0; i < motion->skill_count; i++) {
        offer_values(s, &motion->skills[i].parameters);
        offer_skill(s, fr_skill_find(motion->skills[i].name));
    }
    if (motion->object == NULL) { return; }
    offer_values(s, &motion->object->parameters);
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (KEYS[i].is_object) { offer(s, KEYS[i].key); }
    }
}

static bool is_program(const fr_director *d, const char *name) {
    return d->def.plug_ins != NULL && fr_plug_ins_has(d->def.plug_ins, name);
}

// A program takes whatever is given, also one that carries out a skill of the tables.
static bool has_program(const fr_director *d, const fr_command *command, const fr_class_motion *motion) {
    if (motion == NULL) { return is_program(d, command->name) || fr_skill_find(command->name) == NULL; }
    bool has = motion->object != NULL &&
               (is_program(d, motion->object->name) || fr_object_skill_find(motion->object->name) == NULL);
    for (uint32_t i = 0; i < motion->skill_count && !has; i++) {
        has = is_program(d, motion->skills[i].name) || fr_skill_find(motion->skills[i].name) == NULL;
    }
    return has;
}

fr_status fr__director_check_parameters(const fr_director *d, const fr_command *command, const fr_class_motion *motion,
                                        fr_error *error) {
    if (command->parameter_count == 0 || has_program(d, command, motion)) { return FR_OK; }
    for (uint32_t i = 0; i < command->parameter_count; i++) {
        const char *key = command->parameters[i].key;
        parameter_search s = {.key = key, .suggestion = fr_suggestion_begin(key)};
        if (motion != NULL) { offer_motion(&s, motion); }
        if (motion == NULL) { offer_skill(&s, fr_skill_find(command->name)); }
        if (s.is_found) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            s.suggestion.best != NULL ? "'%s' has no parameter '%.64s'; did you mean '%s'?"
                                                      : "'%s' has no parameter '%.64s'",
                            command->name, key, s.suggestion.best);
    }
    return FR_OK;
}
