// Any bytes as object.json or person.json: refused with a place, or a class that keeps its bounds and reads back as
// written.
#include "fureai/library.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 14, WRITTEN_BYTES = 1 << 20 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

typedef struct written {
    char *text;
    size_t size;
} written;

static bool take(const void *bytes, size_t size, void *context) {
    written *w = context;
    require(w->size + size < WRITTEN_BYTES);
    memcpy(w->text + w->size, bytes, size);
    w->size += size;
    return true;
}

static void check_texts(const fr_class_texts *texts, size_t max_count, size_t max_bytes) {
    require(texts->count <= max_count);
    for (uint32_t i = 0; i < texts->count; i++) {
        size_t bytes = strlen(texts->list[i]);
        require(bytes >= 1 && bytes <= max_bytes);
    }
}

static void check_values(const fr_class_values *values) {
    require(values->count <= FR_CLASS_MAX_VALUES);
    for (uint32_t i = 0; i < values->count; i++) {
        require(values->list[i].key[0] != '\0' && values->list[i].count <= FR_CLASS_MAX_NUMBERS);
    }
}

static void check_motion(const fr_class_state *state, const fr_class_motion *m) {
    require(m->skill_count >= 1 && m->skill_count <= FR_CLASS_MAX_SKILLS && m->fields < 256);
    require(fr_class_find_motion(state, m->name) == m);
    check_texts(&m->words, FR_CLASS_MAX_WORDS, FR_CLASS_NAME_MAX_BYTES);
    check_texts(&m->data, FR_CLASS_MAX_FILES, FR_CLASS_PATH_MAX_BYTES);
    check_values(&m->parameters);
    for (uint32_t i = 0; i < m->skill_count; i++) {
        check_values(&m->skills[i].parameters);
    }
}

static void check_reference(const fr_class_view *v, const fr_class_reference *reference) {
    require((reference->pattern == NULL) == (reference->index == FR_NONE));
    require(reference->pattern == NULL || v->references.list[reference->index] == reference->pattern);
}

static void check_guard(const fr_class_view *v, const fr_class_guard *g) {
    require(g->line >= 1 && g->column >= 1 && g->count <= FR_CLASS_MAX_GUARDS);
    require((g->kind == FR_GUARD_NOT) <= (g->count == 1));
    check_reference(v, &g->a.object);
    check_reference(v, &g->b.object);
    for (uint32_t i = 0; i < g->count; i++) {
        check_guard(v, &g->list[i]);
    }
}

static void check_state(const fr_class_view *v, const fr_class_state *state) {
    require(strlen(state->name) <= FR_WORLD_STATE_NAME_MAX_BYTES);
    require(state->transition_count <= FR_CLASS_MAX_TRANSITIONS && v->references.count <= FR_CLASS_MAX_REFERENCES);
    require(state->constraint == NULL || (!v->is_static && v->joint == NULL && v->kind == FR_CLASS_OBJECT));
    for (uint32_t i = 0; i < state->transition_count; i++) {
        const fr_class_transition *t = &state->transitions[i];
        require(t->to < v->state_count && t->action_count <= FR_CLASS_MAX_ACTIONS);
        check_reference(v, &t->trigger.object);
        if (t->guard != NULL) { check_guard(v, t->guard); }
    }
}

static void check(const fr_class_view *v) {
    require(v->state_count >= 1 && v->state_count <= FR_CLASS_MAX_STATES && v->frame_count <= FR_CLASS_MAX_FRAMES);
    require(v->kind == FR_CLASS_PERSON || v->shapes.count >= 1);
    check_texts(&v->shapes, FR_CLASS_MAX_SHAPES, FR_CLASS_PATH_MAX_BYTES);
    check_values(&v->extra);
    for (uint32_t i = 0; i < v->frame_count; i++) {
        fr_pose pose = v->frames[i].pose;
        require(fr_pose_check(&pose, NULL) == FR_OK);
    }
    for (uint32_t i = 0; i < v->state_count; i++) {
        check_state(v, &v->states[i]);
        for (uint32_t k = 0; k < v->states[i].motion_count; k++) {
            check_motion(&v->states[i], &v->states[i].motions[k]);
        }
    }
    require(v->joint == NULL || (v->joint->low <= v->joint->high && !v->is_static));
}

static void try(const uint8_t *data, size_t size, fr_class_kind kind) {
    fr_class_read_input input = fr_default_class_read_input();
    input.kind = kind;
    fr_class *c;
    fr_error error = {0};
    fr_status status = fr_class_read(data, size, &input, &c, &error);
    if (status != FR_OK) {
        require(c == NULL && error.status == status && error.line >= 1 && error.column >= 1);
        require(error.message[0] != '\0');
        return;
    }
    check(fr_class_get(c));
    require(fr_class_get(c)->bytes <= 64 * size + 65536);
    written w = {malloc(WRITTEN_BYTES), 0};
    require(w.text != NULL && fr_class_write(fr_class_get(c), take, &w, NULL, NULL) == FR_OK);
    fr_class *again;
    require(fr_class_read(w.text, w.size, &input, &again, NULL) == FR_OK);
    require(fr_class_get(again)->state_count == fr_class_get(c)->state_count);
    free(w.text);
    fr_class_release(again);
    fr_class_release(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) { return 0; }
    try(data, size, FR_CLASS_OBJECT);
    try(data, size, FR_CLASS_PERSON);
    return 0;
}
