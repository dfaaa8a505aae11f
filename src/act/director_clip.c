// Clips of classes: files in their folders, carried over to the body of who plays them.
#include "act/director.h"

#include "fureai/human_files.h"

#include <stdio.h>

// Clips are of the body that is made by default.
static fr_status carry_over(const fr_director *d, fr_clip *from, const fr_skeleton *skeleton, fr_clip **out,
                            fr_error *error) {
    fr_body_def def = fr_default_body_def();
    def.allocator = d->allocator;
    fr_skeleton *body;
    fr_status status = fr_skeleton_create_body(&def, &body, error);
    if (status != FR_OK) { return status; }
    fr_retarget_input input = fr_default_retarget_input();
    input.from = body;
    input.clip = from;
    input.to = skeleton;
    input.reference = FR_REFERENCE_REST;
    input.allocator = d->allocator;
    status = fr_retarget(&input, out, error);
    fr_skeleton_release(body);
    return status;
}

fr_status fr__director_load_clip(const fr_director *d, const char *class_name, const char *path,
                                 const fr__director_person *person, fr_clip **out, fr_error *error) {
    fr_performer_view performer = fr_performer_get(fr_person_performer(person->person));
    fr_made_clip made = fr_made_clip_find(path);
    if (made != FR_MADE_CLIP_COUNT && performer.walk_set != NULL) {
        return fr_clip_create_made(performer.walk_set, made, &d->allocator, out, error);
    }
    const fr_skeleton *skeleton = performer.skeleton;
    char whole[FR_CLASS_NAME_MAX_BYTES + FR_CLASS_PATH_MAX_BYTES + 2];
    (void)snprintf(whole, sizeof whole, "%s/%s", class_name, path);
    if (d->def.library == NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "there is no library to load %s from", whole);
    }
    fr_scene_classes classes = fr_library_classes(d->def.library);
    const void *bytes;
    size_t size;
    fr_status status = classes.load(whole, &bytes, &size, classes.context, error);
    if (status != FR_OK) { return status; }
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = bytes;
    input.size = size;
    input.allocator = d->allocator;
    fr_clip *clip;
    status = fr_ahmc_read(&input, &clip, error);
    classes.unload(bytes, size, classes.context);
    if (status != FR_OK) {
        if (error != NULL) { fr_error_locate(error, whole, error->line, error->column); }
        return status;
    }
    status = carry_over(d, clip, skeleton, out, error);
    fr_clip_release(clip);
    return status;
}
