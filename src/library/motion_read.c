// Reads what a class affords: states, motions and their skills.
#include "library/class_reader.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Skills

enum { SKILL_NAME, SKILL_START, SKILL_FRAMES, SKILL_DATA, SKILL_PARAMETERS, SKILL_KEYS };

#define FRAMES(name, member)                                                                                           \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_WHOLE, .offset = offsetof(fr_class_skill, member), .range = {                  \
            0.0,                                                                                                       \
            FR_CLASS_MAX_FRAME_COUNT                                                                                   \
        }                                                                                                              \
    }

static const fr_json_field skill_fields[SKILL_KEYS] = {
    [SKILL_NAME] = {.key = "skill",
                    .is_required = true,
                    .type = FR_JSON_AS_STRING,
                    .offset = offsetof(fr_class_skill, name),
                    .count = FR_CLASS_NAME_MAX_BYTES},
    [SKILL_START] = FRAMES("start", start),
    [SKILL_FRAMES] = FRAMES("frames", frames),
    [SKILL_DATA] = {.key = "data"},
    [SKILL_PARAMETERS] = {.key = "parameters"},
};

static bool read_skill(fr__class_reader *r, fr_json_value token, const char *what, fr_class_skill *out) {
    fr_json_value values[SKILL_KEYS];
    return fr_json_read_object(&r->reader, token, what, skill_fields, SKILL_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, skill_fields, SKILL_KEYS, out) &&
           (values[SKILL_DATA] == FR_JSON_NONE || fr__class_read_path(r, values[SKILL_DATA], "data", &out->data)) &&
           fr__class_read_values(r, values[SKILL_PARAMETERS], "parameters", &out->parameters);
}

// ---------------------------------------------------------------------------------------------------------------
// Motions

enum {
    MOTION_NAME,
    MOTION_WORDS,
    MOTION_HUMAN,
    MOTION_ORDER,
    MOTION_OBJECT,
    MOTION_DATA,
    MOTION_ASKS,
    MOTION_PARAMETERS,
    MOTION_KEYS
};

static const fr_json_field motion_fields[MOTION_KEYS] = {
    [MOTION_NAME] = {.key = "motion",
                     .is_required = true,
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(fr_class_motion, name),
                     .count = FR_CLASS_NAME_MAX_BYTES},
    [MOTION_WORDS] = {.key = "words"},
    [MOTION_HUMAN] = {.key = "human", .is_required = true},
    [MOTION_ORDER] = {.key = "in_order", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_class_motion, is_in_order)},
    [MOTION_OBJECT] = {.key = "object"},
    [MOTION_DATA] = {.key = "data"},
    [MOTION_ASKS] = {.key = "asks"},
    [MOTION_PARAMETERS] = {.key = "parameters"},
};

static bool read_human(fr__class_reader *r, fr_json_value token, fr_class_motion *out) {
    if (!fr_json_read_array(&r->reader, token, "human", 1, FR_CLASS_MAX_SKILLS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_skill *skills = fr__class_take(r, count, sizeof *skills);
    if (skills == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_skill(r, value, "a skill of the person", &skills[i])) { return false; }
    }
    out->skills = skills;
    out->skill_count = count;
    return true;
}

static bool read_object_skill(fr__class_reader *r, fr_json_value token, fr_class_motion *out) {
    if (token == FR_JSON_NONE) { return true; }
    fr_class_skill *skill = fr__class_take(r, 1, sizeof *skill);
    if (skill == NULL || !read_skill(r, token, "the skill of the object", skill)) { return false; }
    out->object = skill;
    return true;
}

// The index is that of fr_class_field_name.
static bool read_asks(fr__class_reader *r, fr_json_value token, uint32_t *out) {
    enum { FIELDS_MAX = 32 };
    fr_json_word words[FIELDS_MAX + 1];
    uint32_t count = 0;
    if (token == FR_JSON_NONE) { return true; }
    while (count < FIELDS_MAX && (words[count].name = fr_class_field_name(count)) != NULL) {
        words[count].value = (int)count;
        count++;
    }
    words[count].name = NULL;
    if (!fr_json_read_array(&r->reader, token, "asks", 0, count)) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (; value != FR_JSON_NONE; value = fr_json_next(r->reader.json, value)) {
        int field;
        if (!fr_json_read_word(&r->reader, value, "asks", words, &field)) { return false; }
        uint32_t bit = UINT32_C(1) << field;
        if ((*out & bit) != 0) {
            return fr_json_fail(&r->reader, value, FR_ERROR_SYNTAX, "'%s' stands here already", words[field].name);
        }
        *out |= bit;
    }
    return true;
}

static bool read_motion(fr__class_reader *r, fr_json_value token, fr_class_motion *out) {
    static const fr__class_text_kind words = {
        .what = "words", .high = FR_CLASS_MAX_WORDS, .max_bytes = FR_CLASS_NAME_MAX_BYTES};
    static const fr__class_text_kind clips = {.what = "data", .high = FR_CLASS_MAX_FILES, .is_path = true};
    fr_json_value values[MOTION_KEYS];
    return fr_json_read_object(&r->reader, token, "a motion", motion_fields, MOTION_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, motion_fields, MOTION_KEYS, out) &&
           fr__class_read_texts(r, values[MOTION_WORDS], &words, &out->words) &&
           read_human(r, values[MOTION_HUMAN], out) && read_object_skill(r, values[MOTION_OBJECT], out) &&
           fr__class_read_texts(r, values[MOTION_DATA], &clips, &out->data) &&
           read_asks(r, values[MOTION_ASKS], &out->fields) &&
           fr__class_read_values(r, values[MOTION_PARAMETERS], "parameters", &out->parameters);
}

static bool read_motions(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    if (!fr_json_read_array(&r->reader, token, "affords", 0, FR_CLASS_MAX_MOTIONS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_motion *motions = fr__class_take(r, count, sizeof *motions);
    if (motions == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_motion(r, value, &motions[i])) { return false; }
        for (uint32_t before = 0; before < i; before++) {
            if (strcmp(motions[before].name, motions[i].name) != 0) { continue; }
            return fr_json_fail(&r->reader, value, FR_ERROR_ARGUMENT, "the motion '%s' is there twice",
                                motions[i].name);
        }
    }
    out->motions = motions;
    out->motion_count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// States

enum { STATE_NAME, STATE_AFFORDS, STATE_CONSTRAINT, STATE_LOOKS, STATE_TRANSITIONS, STATE_KEYS };

static const fr_json_field state_fields[STATE_KEYS] = {
    [STATE_NAME] = {.key = "name",
                    .is_required = true,
                    .type = FR_JSON_AS_STRING,
                    .offset = offsetof(fr_class_state, name),
                    .count = FR_WORLD_STATE_NAME_MAX_BYTES},
    [STATE_AFFORDS] = {.key = "affords", .is_required = true},
    [STATE_CONSTRAINT] = {.key = "constraint"},
    [STATE_LOOKS] = {.key = "looks"},
    [STATE_TRANSITIONS] = {.key = "transitions"},
};

// The names of all states are read first: transitions lead to any of them.
static bool read_state_name(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    fr_json_value values[STATE_KEYS];
    fr__class_locate(r, token, &out->line, &out->column);
    return fr_json_read_object(&r->reader, token, "a state", state_fields, STATE_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, state_fields, STATE_KEYS, out);
}

static bool read_state(fr__class_reader *r, fr_json_value token, fr_class_state *out) {
    fr_json_value values[STATE_KEYS];
    if (!fr_json_read_object(&r->reader, token, "a state", state_fields, STATE_KEYS, values)) { return false; }
    for (uint32_t i = STATE_CONSTRAINT; r->c->view.kind == FR_CLASS_PERSON && i < STATE_KEYS; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "a state of a person has no '%s'",
                            state_fields[i].key);
    }
    const fr__class_state_values more = {values[STATE_CONSTRAINT], values[STATE_LOOKS], values[STATE_TRANSITIONS]};
    return read_motions(r, values[STATE_AFFORDS], out) && fr__class_read_state(r, &more, out);
}

bool fr__class_read_states(fr__class_reader *r, fr_json_value affords, fr_json_value states) {
    bool is_named = states != FR_JSON_NONE;
    if (is_named && affords != FR_JSON_NONE) {
        return fr_json_fail(&r->reader, fr_json_key(states > affords ? states : affords), FR_ERROR_SYNTAX,
                            "a class has 'affords' or 'states', not both");
    }
    if (is_named && !fr_json_read_array(&r->reader, states, "states", 1, FR_CLASS_MAX_STATES)) { return false; }
    uint32_t count = is_named ? fr_json_count(r->reader.json, states) : 1;
    fr_class_state *list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    r->c->view.states = list;
    r->c->view.state_count = count;
    list[0].name = "";
    if (!is_named) { return affords == FR_JSON_NONE || read_motions(r, affords, &list[0]); }
    fr_json_value value = fr_json_first(r->reader.json, states);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_state_name(r, value, &list[i])) { return false; }
        for (uint32_t before = 0; before < i; before++) {
            if (strcmp(list[before].name, list[i].name) != 0) { continue; }
            return fr_json_fail(&r->reader, value, FR_ERROR_ARGUMENT, "the state '%s' is there twice", list[i].name);
        }
    }
    value = fr_json_first(r->reader.json, states);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (!read_state(r, value, &list[i])) { return false; }
    }
    return true;
}
