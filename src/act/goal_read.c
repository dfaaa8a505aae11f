// Reads the words of a goal: "cup on table and lid off, wrench held".
#include "act/pursuit.h"

#include "fureai/base_drawing.h"

#include <stdalign.h>
#include <string.h>

// A part of the text.
typedef struct word_span {
    const char *text;
    size_t size;
} word_span;

static word_span trim(word_span s) {
    while (s.size > 0 && s.text[0] == ' ') {
        s = (word_span){s.text + 1, s.size - 1};
    }
    while (s.size > 0 && s.text[s.size - 1] == ' ') {
        s.size--;
    }
    return s;
}

static bool equals(word_span s, const char *word) {
    return strlen(word) == s.size && memcmp(s.text, word, s.size) == 0;
}

// Where a word stands in a text by itself, from a place on; SIZE_MAX: nowhere.
static size_t find_word(word_span s, const char *word, size_t from) {
    size_t size = strlen(word);
    for (size_t i = from; i + size <= s.size; i++) {
        bool begins = i == 0 || s.text[i - 1] == ' ', ends = i + size == s.size || s.text[i + size] == ' ';
        if (begins && ends && memcmp(s.text + i, word, size) == 0) { return i; }
    }
    return SIZE_MAX;
}

static word_span part(word_span s, size_t from, size_t to) { return trim((word_span){s.text + from, to - from}); }

static const char *copy(fr_arena *arena, word_span s) {
    char *text = fr_arena_alloc(arena, s.size + 1, 1, 1);
    if (text == NULL) { return NULL; }
    memcpy(text, s.text, s.size);
    text[s.size] = '\0';
    return text;
}

typedef struct goal_reading {
    const fr_director *d;
    fr_arena *arena;
    fr__goal_want_array wants;
    fr_error *error;
} goal_reading;

static fr_status no_memory(const goal_reading *r) {
    return fr_error_set(r->error, FR_ERROR_MEMORY, "no memory for a goal");
}

static fr_object_id find_object(const goal_reading *r, word_span s) {
    const char *name = copy(r->arena, s);
    return name != NULL && s.size > 0 ? fr_world_find(r->d->world, name) : (fr_object_id){0, 0, 0};
}

static fr_status no_object(const goal_reading *r, word_span s) {
    const fr_space *space = fr_world_space(r->d->world);
    const char *name = copy(r->arena, s);
    if (name == NULL) { return no_memory(r); }
    if (s.size == 0) { return fr_error_set(r->error, FR_ERROR_ARGUMENT, "a goal needs the name of an object"); }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const char *label = id.index1 != 0 ? fr_world_label(r->d->world, id).name : "";
        if (label[0] != '\0') { fr_suggestion_offer(&suggestion, label); }
    }
    return fr_error_set(r->error, FR_ERROR_ARGUMENT,
                        suggestion.best != NULL ? "there is no object '%s'; did you mean '%s'?"
                                                : "there is no object '%s'",
                        name, suggestion.best);
}

static fr_status add(goal_reading *r, fr__goal_want want) {
    if (r->wants.count == FR_GOAL_MAX_CONDITIONS) {
        return fr_error_set(r->error, FR_ERROR_LIMIT, "a goal has at most %u conditions", FR_GOAL_MAX_CONDITIONS);
    }
    fr__goal_want *place = fr__goal_want_array_push(&r->wants, 1);
    if (place == NULL) { return no_memory(r); }
    *place = want;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// One condition

// The state of that name of an object; NULL: its class has none.
static const char *find_state(const goal_reading *r, fr_object_id object, word_span s) {
    const fr_class *c = fr__director_class(r->d, object);
    const fr_class_view *view = c != NULL ? fr_class_get(c) : NULL;
    for (uint32_t i = 0; view != NULL && i < view->state_count; i++) {
        if (view->states[i].name[0] != '\0' && equals(s, view->states[i].name)) { return copy(r->arena, s); }
    }
    return NULL;
}

static fr_status no_state(const goal_reading *r, fr_object_id object, word_span s) {
    const fr_class *c = fr__director_class(r->d, object);
    const fr_class_view *view = c != NULL ? fr_class_get(c) : NULL;
    const char *name = fr_world_label(r->d->world, object).name, *typed = copy(r->arena, s);
    if (typed == NULL) { return no_memory(r); }
    if (s.size == 0) {
        return fr_error_set(r->error, FR_ERROR_ARGUMENT, "what is to be so of '%s'? A state, held, or on something",
                            name);
    }
    if (view == NULL || view->states[0].name[0] == '\0') {
        return fr_error_set(r->error, FR_ERROR_ARGUMENT, "'%s' is in no states; it may be held, or on something", name);
    }
    fr_suggestion suggestion = fr_suggestion_begin(typed);
    for (uint32_t i = 0; i < view->state_count; i++) {
        fr_suggestion_offer(&suggestion, view->states[i].name);
    }
    return fr_error_set(r->error, FR_ERROR_ARGUMENT,
                        suggestion.best != NULL ? "'%s' has no state '%s'; did you mean '%s'?"
                                                : "'%s' has no state '%s'",
                        name, typed, suggestion.best);
}

// "held", "on X" or a state, of an object. *is_known is false where it is none of them.
static fr_status read_predicate(goal_reading *r, fr_object_id object, word_span s, bool *is_known) {
    fr__goal_want want = {.object = object, .is_held = equals(s, "held")};
    size_t on = find_word(s, "on", 0);
    if (!want.is_held) { want.state = find_state(r, object, s); }
    if (!want.is_held && want.state == NULL && on == 0) { want.on = find_object(r, part(s, 2, s.size)); }
    *is_known = want.is_held || want.state != NULL || want.on.index1 != 0;
    return *is_known ? add(r, want) : FR_OK;
}

// The object is the longest name with which the text begins; `*` stands for any text.
static fr_status read_condition(goal_reading *r, word_span s) {
    size_t best = 0;
    bool is_known = false;
    fr_object_id object = {0, 0, 0};
    for (size_t i = s.size; i > 0; i--) {
        if (i != s.size && s.text[i] != ' ') { continue; }
        fr_object_id found = find_object(r, part(s, 0, i));
        if (found.index1 == 0) { continue; }
        if (best == 0) { object = found; }
        best = best == 0 ? i : best;
        word_span rest = part(s, i, s.size);
        if (find_word(rest, "is", 0) == 0) { rest = part(rest, 2, rest.size); }
        fr_status status = read_predicate(r, found, rest, &is_known);
        if (status != FR_OK || is_known) { return status; }
    }
    size_t on = find_word(s, "on", 0);
    if (best == 0) {
        size_t blank = find_word(s, "is", 0);
        if (blank == SIZE_MAX) { blank = on; }
        for (size_t i = s.size; i-- > 0 && blank == SIZE_MAX;) {
            if (s.text[i] == ' ') { blank = i; }
        }
        return no_object(r, part(s, 0, blank == SIZE_MAX ? s.size : blank));
    }
    word_span rest = part(s, best, s.size);
    if (find_word(rest, "is", 0) == 0) { rest = part(rest, 2, rest.size); }
    if (find_word(rest, "on", 0) == 0 && rest.size > 2) { return no_object(r, part(rest, 2, rest.size)); }
    return no_state(r, object, rest);
}

// The same for all objects of a pattern.
static fr_status read_conditions(goal_reading *r, word_span s) {
    const fr_space *space = fr_world_space(r->d->world);
    size_t blank = 0;
    while (blank < s.size && s.text[blank] != ' ') {
        blank++;
    }
    word_span first = part(s, 0, blank), rest = part(s, blank, s.size);
    if (memchr(first.text, '*', first.size) == NULL) { return read_condition(r, s); }
    const char *pattern = copy(r->arena, first);
    fr_status status = pattern != NULL ? FR_OK : no_memory(r);
    size_t before = r->wants.count;
    if (find_word(rest, "is", 0) == 0) { rest = part(rest, 2, rest.size); }
    for (uint32_t i = 0; i < fr_space_object_places(space) && status == FR_OK; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const char *label = id.index1 != 0 ? fr_world_label(r->d->world, id).name : "";
        bool is_known = true;
        if (label[0] == '\0' || !fr_class_pattern_matches(pattern, label)) { continue; }
        status = read_predicate(r, id, rest, &is_known);
        if (status == FR_OK && !is_known) { status = no_state(r, id, rest); }
    }
    return status == FR_OK && r->wants.count == before ? no_object(r, first) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

fr_status fr__goal_read(const fr_director *d, const char *text, fr_arena *arena, const fr__goal_want **out,
                        uint32_t *count, fr_error *error) {
    goal_reading r = {.d = d, .arena = arena, .error = error};
    r.wants = fr__goal_want_array_make(&d->allocator);
    word_span rest = trim((word_span){text, strlen(text)});
    fr_status status = FR_OK;
    do {
        const char *comma = memchr(rest.text, ',', rest.size);
        size_t end = comma != NULL ? (size_t)(comma - rest.text) : rest.size, skipped = comma != NULL ? 1 : 0;
        size_t word = find_word((word_span){rest.text, end}, "and", 0);
        if (word != SIZE_MAX) {
            end = word;
            skipped = 3;
        }
        status = read_conditions(&r, part(rest, 0, end));
        bool goes_on = skipped > 0;
        rest = part(rest, end + skipped, rest.size);
        if (!goes_on) { break; }
    } while (status == FR_OK);
    *count = (uint32_t)r.wants.count;
    fr__goal_want *list = fr_arena_alloc(arena, r.wants.count + 1, sizeof *list, alignof(fr__goal_want));
    if (list != NULL && *count > 0) { memcpy(list, r.wants.data, *count * sizeof *list); }
    *out = list;
    fr__goal_want_array_destroy(&r.wants);
    return status == FR_OK && list == NULL ? fr_error_set(error, FR_ERROR_MEMORY, "no memory for a goal") : status;
}
