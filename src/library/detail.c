// What the index holds of a class beside its list: its clips, the links of a person's body, transitions of its states.
#include "library/detail.h"

#include "fureai/human_files.h"
#include "library/class_writer.h"

#include <stdio.h>
#include <string.h>

// The rows of one class while they are made.
typedef struct detail_making {
    fr_library *library;
    const fr_class_view *view;
    fr_arena *arena;
    fr_library_clip *clips;
    uint32_t count;
    bool good; // false once there was no memory
} detail_making;

static const char *copy(detail_making *m, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *made = m->good ? fr_arena_alloc(m->arena, bytes, 1, 1) : NULL;
    if (made == NULL) {
        m->good = false;
        return "";
    }
    memcpy(made, text, bytes);
    return made;
}

// ---------------------------------------------------------------------------------------------------------------
// Clips

static bool is_clip(const char *file) {
    size_t length = strlen(file);
    return length >= 5 && strcmp(file + length - 5, ".ahmc") == 0;
}

static bool is_known(const detail_making *m, const char *file) {
    bool is_found = false;
    for (uint32_t i = 0; i < m->count; i++) {
        is_found = is_found || strcmp(m->clips[i].path, file) == 0;
    }
    return is_found;
}

// A clip that cannot be read has no row: fr_library_check says what is wrong with it.
static void add_clip(detail_making *m, const char *file) {
    char path[FR_CLASS_NAME_MAX_BYTES + FR_CLASS_PATH_MAX_BYTES + 2];
    if (!m->good || file == NULL || !is_clip(file) || is_known(m, file)) { return; }
    (void)snprintf(path, sizeof path, "%s/%s", m->view->name, file);
    const fr_library_files *files = &m->library->files;
    fr_ahmc_input input = fr_default_ahmc_input();
    const void *bytes;
    fr_clip *clip;
    if (files->load(path, FR__LIBRARY_MODEL_MAX_BYTES, &bytes, &input.size, files->user, NULL) != FR_OK) { return; }
    input.text = bytes;
    input.allocator = m->library->allocator;
    fr_status status = fr_ahmc_read(&input, &clip, NULL);
    files->unload(bytes, input.size, files->user);
    m->good = status != FR_ERROR_MEMORY;
    if (status != FR_OK) { return; }
    const fr_clip_view *view = fr_clip_get(clip);
    fr_library_clip *row = &m->clips[m->count++];
    *row = (fr_library_clip){.path = copy(m, file),
                             .name = copy(m, view->name),
                             .clip_class = view->clip_class,
                             .direction = view->direction,
                             .facing = view->facing,
                             .stride = view->stride,
                             .last_foot = view->last_foot,
                             .frame_rate = view->frame_rate,
                             .frame_count = view->frame_count,
                             .length = view->length};
    fr_clip_release(clip);
}

// Calls a function for every file of data that the class names, the same ones several times.
static uint32_t each_data(detail_making *m, void (*visit)(detail_making *m, const char *file)) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->view->state_count; i++) {
        const fr_class_state *state = &m->view->states[i];
        for (uint32_t k = 0; k < state->motion_count; k++) {
            const fr_class_motion *motion = &state->motions[k];
            count += motion->data.count + motion->skill_count + 1;
            if (visit == NULL) { continue; }
            for (uint32_t n = 0; n < motion->data.count; n++) {
                visit(m, motion->data.list[n]);
            }
            for (uint32_t n = 0; n < motion->skill_count; n++) {
                visit(m, motion->skills[n].data);
            }
            visit(m, motion->object != NULL ? motion->object->data : NULL);
        }
    }
    return count;
}

static void make_clips(detail_making *m, fr_library_detail *out) {
    uint32_t most = each_data(m, NULL);
    m->clips = fr_arena_alloc(m->arena, most, sizeof *m->clips, _Alignof(fr_library_clip));
    m->good = m->clips != NULL || most == 0;
    if (m->good) { (void)each_data(m, add_clip); }
    out->clips = m->clips;
    out->clip_count = m->count;
}

// ---------------------------------------------------------------------------------------------------------------
// Links

// A body that cannot be made has none: fr_library_check says why.
static void make_links(detail_making *m, fr_library_detail *out) {
    fr_body_def def = m->view->body;
    def.allocator = m->library->allocator;
    fr_skeleton *skeleton;
    fr_status status = m->good ? fr_skeleton_create_body(&def, &skeleton, NULL) : FR_ERROR_MEMORY;
    m->good = status != FR_ERROR_MEMORY;
    if (status != FR_OK) { return; }
    const fr_skeleton_view *body = fr_skeleton_get(skeleton);
    fr_library_link *links = fr_arena_alloc(m->arena, body->link_count, sizeof *links, _Alignof(fr_library_link));
    m->good = links != NULL;
    for (uint32_t i = 0; m->good && i < body->link_count; i++) {
        links[i] = (fr_library_link){.name = copy(m, body->names[i]),
                                     .parent = body->parents[i],
                                     .length = fr_vec3_length(body->tips[i]),
                                     .mass = body->masses[i],
                                     .offset = body->offsets[i],
                                     .rest = body->rests[i]};
    }
    out->links = links;
    out->link_count = m->good ? body->link_count : 0;
    fr_skeleton_release(skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

static bool take_bytes(const void *bytes, size_t size, void *context) {
    fr_byte_array *text = context;
    unsigned char *place = fr_byte_array_push(text, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

typedef enum transition_part { PART_EVENT, PART_GUARD, PART_ACTION } transition_part;

// A part of a transition as JSON; "" for what it has not.
static const char *write_part(detail_making *m, const fr_class_transition *t, transition_part part) {
    bool has = part == PART_EVENT   ? t->trigger.kind != FR_TRIGGER_ALWAYS
               : part == PART_GUARD ? t->guard != NULL
                                    : t->action_count > 0;
    if (!has || !m->good) { return ""; }
    fr_byte_array text = fr_byte_array_make(&m->library->allocator);
    fr_json_writer j = fr_json_writer_make(take_bytes, &text, 0, &m->library->allocator);
    switch (part) {
    case PART_EVENT: fr__class_write_trigger(&j, &t->trigger); break;
    case PART_GUARD: fr__class_write_guard(&j, t->guard); break;
    case PART_ACTION: fr__class_write_actions(&j, t); break;
    }
    m->good = fr_json_writer_end(&j) && text.count > 0;
    const char *made = "";
    if (m->good) {
        text.data[text.count - 1] = '\0'; // in place of the newline that ends a document
        made = copy(m, (const char *)text.data);
    }
    fr_byte_array_destroy(&text);
    return made;
}

static void make_transitions(detail_making *m, fr_library_detail *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->view->state_count; i++) {
        count += m->view->states[i].transition_count;
    }
    if (count == 0 || !m->good) { return; }
    fr_library_transition *rows = fr_arena_alloc(m->arena, count, sizeof *rows, _Alignof(fr_library_transition));
    m->good = rows != NULL;
    uint32_t made = 0;
    for (uint32_t i = 0; m->good && i < m->view->state_count; i++) {
        const fr_class_state *state = &m->view->states[i];
        for (uint32_t k = 0; m->good && k < state->transition_count; k++) {
            const fr_class_transition *t = &state->transitions[k];
            rows[made++] = (fr_library_transition){.from = copy(m, state->name),
                                                   .to = copy(m, m->view->states[t->to].name),
                                                   .event = write_part(m, t, PART_EVENT),
                                                   .guard = write_part(m, t, PART_GUARD),
                                                   .action = write_part(m, t, PART_ACTION)};
        }
    }
    out->transitions = rows;
    out->transition_count = made;
}

bool fr__library_detail_make(fr_library *library, const fr_class_view *view, fr_arena *arena, fr_library_detail *out) {
    detail_making m = {.library = library, .view = view, .arena = arena, .good = true};
    memset(out, 0, sizeof *out);
    make_clips(&m, out);
    if (view->kind == FR_CLASS_PERSON) { make_links(&m, out); }
    make_transitions(&m, out);
    return m.good;
}
