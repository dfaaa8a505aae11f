// Entries of a library: texts that describe classes, for lists and for the index.
#include "library/entry.h"

#include <stdio.h>
#include <string.h>

bool fr__library_table_make(const fr_allocator *allocator, fr__library_table *out) {
    *out = (fr__library_table){.slots = fr__library_slot_array_make(allocator)};
    return fr_arena_create(0, allocator, &out->texts, NULL) == FR_OK;
}

void fr__library_table_destroy(fr__library_table *table) {
    for (size_t i = 0; i < table->slots.count; i++) {
        fr_class_release(table->slots.data[i].found);
    }
    fr__library_slot_array_destroy(&table->slots);
    if (table->texts != NULL) { fr_arena_destroy(table->texts); }
    table->texts = NULL;
}

fr__library_slot *fr__library_table_push(fr__library_table *table) {
    fr__library_slot *slot = fr__library_slot_array_push(&table->slots, 1);
    if (slot != NULL) { *slot = (fr__library_slot){0}; }
    return slot;
}

// ---------------------------------------------------------------------------------------------------------------
// Texts. `good` is false once there was no memory.

typedef struct pen {
    fr_arena *texts;
    bool good;
} pen;

static char *take(pen *p, size_t bytes) {
    char *text = p->good ? fr_arena_alloc(p->texts, bytes, 1, 1) : NULL;
    if (text == NULL) { p->good = false; }
    return text;
}

static const char *copy(pen *p, const char *text) {
    if (text[0] == '\0') { return ""; }
    size_t bytes = strlen(text) + 1;
    char *made = take(p, bytes);
    if (made == NULL) { return ""; }
    memcpy(made, text, bytes);
    return made;
}

// Texts one after another with a character between them.
static const char *join(pen *p, const char *const *texts, size_t stride, uint32_t count, char between) {
    size_t bytes = 1;
    for (uint32_t i = 0; i < count; i++) {
        bytes += strlen(*(const char *const *)((const char *)texts + i * stride)) + 1;
    }
    char *made = count > 0 ? take(p, bytes) : NULL, *at = made;
    if (made == NULL) { return ""; }
    for (uint32_t i = 0; i < count; i++) {
        const char *text = *(const char *const *)((const char *)texts + i * stride);
        size_t length = strlen(text);
        if (i > 0) { *at++ = between; }
        memcpy(at, text, length);
        at += length;
    }
    *at = '\0';
    return made;
}

static const char *join_texts(pen *p, const fr_class_texts *texts) {
    return join(p, texts->list, sizeof *texts->list, texts->count, ',');
}

static const char *join_values(pen *p, const fr_class_values *values) {
    enum { NUMBER_BYTES = 32 };
    size_t bytes = 1;
    for (uint32_t i = 0; i < values->count; i++) {
        const fr_class_value *v = &values->list[i];
        bytes += strlen(v->key) + strlen(v->text) + 2 + NUMBER_BYTES * (size_t)v->count;
    }
    char *made = values->count > 0 ? take(p, bytes) : NULL, *at = made, *end = made + bytes;
    if (made == NULL) { return ""; }
    for (uint32_t i = 0; i < values->count; i++) {
        const fr_class_value *v = &values->list[i];
        at += snprintf(at, (size_t)(end - at), "%s%s=%s", i > 0 ? " " : "", v->key, v->text);
        for (uint32_t k = 0; k < v->count; k++) {
            at += snprintf(at, (size_t)(end - at), "%s%.9g", k > 0 ? "," : "", v->numbers[k]);
        }
    }
    return made;
}

// ---------------------------------------------------------------------------------------------------------------
// Entries

static fr_library_place copy_place(pen *p, const fr_library_place *place) {
    fr_library_place made = *place;
    made.name = copy(p, place->name);
    return made;
}

static fr_library_motion *take_motions(pen *p, uint32_t count) {
    fr_library_motion *motions =
        p->good ? fr_arena_alloc(p->texts, count, sizeof *motions, _Alignof(fr_library_motion)) : NULL;
    if (motions == NULL) { p->good = false; }
    return motions;
}

bool fr__library_entry_copy(fr__library_table *table, const fr_library_entry *from, fr_library_entry *out) {
    pen p = {table->texts, true};
    *out = *from;
    out->place = copy_place(&p, &from->place);
    out->title = copy(&p, from->title);
    out->shapes = copy(&p, from->shapes);
    out->textures = copy(&p, from->textures);
    out->message = copy(&p, from->message);
    fr_library_motion *motions = take_motions(&p, from->motion_count);
    out->motions = motions;
    for (uint32_t i = 0; p.good && i < from->motion_count; i++) {
        const fr_library_motion *m = &from->motions[i];
        motions[i] =
            (fr_library_motion){copy(&p, m->state), copy(&p, m->name),       copy(&p, m->human), copy(&p, m->object),
                                copy(&p, m->data),  copy(&p, m->parameters), m->fields};
    }
    return p.good;
}

static fr_library_motion describe_motion(pen *p, const char *state, const fr_class_motion *motion) {
    return (fr_library_motion){
        .state = state,
        .name = copy(p, motion->name),
        .human = join(p, &motion->skills[0].name, sizeof motion->skills[0], motion->skill_count,
                      motion->is_in_order ? ',' : '+'),
        .object = motion->object != NULL ? copy(p, motion->object->name) : "",
        .data = join_texts(p, &motion->data),
        .parameters = join_values(p, &motion->parameters),
        .fields = motion->fields,
    };
}

bool fr__library_entry_describe(fr__library_table *table, const fr_library_place *place, const fr_class_view *view,
                                fr_library_entry *out) {
    pen p = {table->texts, true};
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->state_count; i++) {
        count += view->states[i].motion_count;
    }
    *out = (fr_library_entry){.place = copy_place(&p, place),
                              .title = copy(&p, view->title),
                              .shapes = join_texts(&p, &view->shapes),
                              .textures = join_texts(&p, &view->textures),
                              .message = "",
                              .motion_count = count};
    fr_library_motion *motions = take_motions(&p, count);
    out->motions = motions;
    for (uint32_t i = 0; i < view->state_count; i++) {
        const char *state = copy(&p, view->states[i].name);
        for (uint32_t k = 0; p.good && k < view->states[i].motion_count; k++) {
            *motions++ = describe_motion(&p, state, &view->states[i].motions[k]);
        }
    }
    return p.good;
}

bool fr__library_entry_refuse(fr__library_table *table, const fr_library_place *place, const fr_error *why,
                              fr_library_entry *out) {
    pen p = {table->texts, true};
    char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
    fr_error_format(why, text, sizeof text);
    *out = (fr_library_entry){.place = copy_place(&p, place), .title = "", .shapes = "", .textures = ""};
    out->message = copy(&p, text);
    return p.good;
}
