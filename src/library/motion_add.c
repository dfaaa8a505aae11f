// Adds a motion to the file of a class in a library's folder: the class is read, written with the motion, read again
// and put in the place of the old file.
#include "library/class.h"
#include "library/folder.h"

#include "fureai/file.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static bool push_bytes(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// The text of the class with one motion more in its first state.
static fr_status write_class(const fr_class_view *view, const fr_class_motion *motion, const fr_allocator *allocator,
                             fr_byte_array *text, fr_error *error) {
    const fr_class_state *first = &view->states[0];
    size_t motion_count = (size_t)first->motion_count + 1;
    fr_class_motion *motions = fr_allocate(allocator, motion_count, sizeof *motions, _Alignof(fr_class_motion));
    fr_class_state *states = fr_allocate(allocator, view->state_count, sizeof *states, _Alignof(fr_class_state));
    fr_status status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a class");
    if (motions != NULL && states != NULL) {
        if (first->motion_count > 0) { memcpy(motions, first->motions, first->motion_count * sizeof *motions); }
        motions[motion_count - 1] = *motion;
        memcpy(states, view->states, view->state_count * sizeof *states);
        states[0].motions = motions;
        states[0].motion_count = (uint32_t)motion_count;
        fr_class_view changed = *view;
        changed.states = states;
        status = fr_class_write(&changed, push_bytes, text, allocator, error);
        if (status == FR_ERROR_FILE) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a class"); }
    }
    fr_deallocate(allocator, states, view->state_count, sizeof *states);
    fr_deallocate(allocator, motions, motion_count, sizeof *motions);
    return status;
}

// The new text must be a class, too.
static fr_status check_text(const fr_class_view *view, const fr_byte_array *text, const fr_allocator *allocator,
                            fr_error *error) {
    fr_class_read_input input = fr_default_class_read_input();
    input.name = view->name;
    input.kind = view->kind;
    input.allocator = *allocator;
    fr_class *c;
    fr_status status = fr_class_read(text->data, text->count, &input, &c, error);
    if (status == FR_OK) { fr_class_release(c); }
    return status;
}

static fr_status store(const char *folder, const fr_class_view *view, const fr_byte_array *text, fr_error *error) {
    char path[PATH_BYTES];
    int written = snprintf(path, sizeof path, "%s/%s/%s", folder, view->name, fr__library_file_name(view->kind));
    if (written < 0 || written >= PATH_BYTES) { return fr_error_set(error, FR_ERROR_LIMIT, "a path is too long"); }
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    fr_output_file file;
    fr_status status = fr_output_file_open(&def, &file, error);
    if (status != FR_OK) { return status; }
    (void)fr_output_file_write(&file, text->data, text->count);
    return fr_output_file_commit(&file, error);
}

fr_status fr_library_add_motion(const char *folder, const char *name, const fr_class_motion *motion,
                                const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(folder != NULL && name != NULL && motion != NULL);
    const fr_allocator mine = fr_allocator_or_default(allocator);
    fr_library *library;
    fr_class *c = NULL;
    fr_status status = fr_library_open(folder, &mine, &library, error);
    if (status != FR_OK) { return status; }
    status = fr_library_find(library, name, &c, error);
    fr_byte_array text = fr_byte_array_make(&mine);
    if (status == FR_OK) { status = write_class(fr_class_get(c), motion, &mine, &text, error); }
    if (status == FR_OK) { status = check_text(fr_class_get(c), &text, &mine, error); }
    if (status == FR_OK) { status = store(folder, fr_class_get(c), &text, error); }
    fr_byte_array_destroy(&text);
    fr_class_release(c);
    fr_library_destroy(library);
    return status;
}
