// A class of objects: counted, immutable, with what it affords.
#include "library/class.h"

#include <string.h>

fr_class *fr__class_make(const fr_allocator *allocator) {
    fr_allocator mine = fr_allocator_or_default(allocator);
    fr_class *c = fr_allocate(&mine, 1, sizeof *c, _Alignof(fr_class));
    if (c == NULL) { return NULL; }
    memset(c, 0, sizeof *c);
    c->allocator = mine;
    atomic_init(&c->references, 1u);
    if (fr_arena_create(0, &mine, &c->arena, NULL) == FR_OK) { return c; }
    fr_deallocate(&mine, c, 1, sizeof *c);
    return NULL;
}

// A shared class is const; only its reference count changes.
static fr_class *counted(const fr_class *c) {
    union {
        const fr_class *shared;
        fr_class *counted;
    } same = {c};
    return same.counted;
}

fr_class *fr_class_retain(const fr_class *c) {
    FR_ASSERT(c != NULL);
    fr_class *mine = counted(c);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_class_release(const fr_class *c) {
    if (c == NULL) { return; }
    fr_class *mine = counted(c);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }
    fr_allocator allocator = mine->allocator;
    fr_arena_destroy(mine->arena);
    fr_deallocate(&allocator, mine, 1, sizeof *mine);
}

const fr_class_view *fr_class_get(const fr_class *c) {
    FR_ASSERT(c != NULL);
    return &c->view;
}

bool fr_class_name_is_right(const char *name) {
    size_t size = strlen(name), at = 0;
    if (size == 0 || size > FR_CLASS_NAME_MAX_BYTES || name[0] == '.') { return false; }
    while (at < size) {
        size_t length = fr_utf8_length(name + at, size - at);
        unsigned char first = (unsigned char)name[at];
        if (length == 0 || first < 0x20 || first == 0x7f || first == '/') { return false; }
        at += length;
    }
    return true;
}

bool fr__class_path_is_inside(const char *path) {
    size_t size = strlen(path);
    if (size == 0 || size > FR_CLASS_PATH_MAX_BYTES || strchr(path, '\\') != NULL) { return false; }
    for (const char *step = path;; step++) {
        size_t length = strcspn(step, "/");
        bool is_dots = (length == 1 && step[0] == '.') || (length == 2 && step[0] == '.' && step[1] == '.');
        if (length == 0 || is_dots) { return false; }
        step += length;
        if (*step == '\0') { return true; }
    }
}

static bool has_word(const fr_class_motion *motion, const char *name) {
    for (uint32_t i = 0; i < motion->words.count; i++) {
        if (strcmp(motion->words.list[i], name) == 0) { return true; }
    }
    return false;
}

const fr_class_motion *fr_class_find_motion(const fr_class_state *state, const char *name) {
    for (uint32_t i = 0; i < state->motion_count; i++) {
        if (strcmp(state->motions[i].name, name) == 0) { return &state->motions[i]; }
    }
    for (uint32_t i = 0; i < state->motion_count; i++) {
        if (has_word(&state->motions[i], name)) { return &state->motions[i]; }
    }
    return NULL;
}

const char *fr_class_field_name(uint32_t index) {
    static const char *const names[] = {"goal", "facing", "posture", "frames", "start", "value", "point", "text"};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

// What follows a `*` is looked for at every place of the name from where the last one stood.
bool fr_class_pattern_matches(const char *pattern, const char *name) {
    FR_ASSERT(pattern != NULL && name != NULL);
    const char *star = NULL, *from = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}
