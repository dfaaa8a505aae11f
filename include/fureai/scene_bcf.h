// Fureai scene: clashes as issues of the BIM collaboration format (BCF 3.0), which programs for planning buildings and
// plants read and write. Library libfureai-world.
#ifndef FUREAI_SCENE_BCF_H
#define FUREAI_SCENE_BCF_H

#include "clash.h"
#include "clash_notes.h"
#include "file_zip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_bcf_input {
    const fr_clash_output *found;
    const fr_clash_part *parts;  // that were compared
    const char *const *names;    // of the parts, each different
    const fr_clash_notes *notes; // what was decided; NULL, the default: nothing was
    const char *author;          // default "fureai"
    const char *date;            // of the issues, as "2026-01-31T12:00:00Z"; the default is 1980-01-01
    bool is_grouped;             // an issue a group of like clashes, by its first one; default one a clash
    const fr_control *control;   // may be NULL
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_bcf_input
} fr_bcf_input;

FR_API fr_bcf_input fr_default_bcf_input(void);

// Writes a .bcfzip file. Each issue (topic) has a title, the names, kind, depth and distance, its decision as status
// and comment, and a viewpoint: a camera that looks at the place, with both parts selected by name. Points are metres
// with z up, as the format has them: (x, -z, y) of ours. The number (GUID) of an issue follows from the names of its
// parts alone, so that it stays when the models change. Equal inputs make equal bytes. FR_ERROR_LIMIT for more than
// 32,000 issues, FR_ERROR_STOPPED, FR_ERROR_FILE when the sink ends it, FR_ERROR_MEMORY.
FR_API fr_status fr_bcf_write(const fr_bcf_input *input, fr_zip_sink_fn *sink, void *context, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
