// The clashes of a served scene, as the server's files share them.
#ifndef FUREAI_SERVER_CLASHES_H
#define FUREAI_SERVER_CLASHES_H

#include "server/rate.h"

#include "fureai/server_clash.h"

struct fr_served_clashes {
    fr_clash_finder *finder; // holds what was found
    fr_clash_output found;
    fr_world *world;
    fr_object_id *objects; // of the parts
    const char **names;    // of the parts, in `texts`
    size_t part_count;
    fr_bounds *bounds; // of the parts, in the world
    uint64_t *notices; // CLASH_NOTE of each clash; 0: it is as it was when the list was published
    fr_arena *texts;
    fr_clash_notes *notes;
    const char *notes_path; // NULL: nothing can be decided
    const fr_file_ops *file_ops;
    fr__rate decisions; // each is written to the disk while all wait
    fr_allocator allocator;
};

// What was decided about a clash; open and without a text where there is no note.
fr_clash_note fr__served_clash_note(const fr_served_clashes *clashes, size_t clash);

// Decides about a clash, and writes the notes; where that fails all is as it was before.
fr_status fr__served_clash_decide(fr_served_clashes *clashes, size_t clash, fr_clash_verdict verdict, const char *text,
                                  fr_error *error);

#endif
