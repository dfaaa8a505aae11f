// Parts of an assembly that meet.
#ifndef FUREAI_TOOL_CLASH_H
#define FUREAI_TOOL_CLASH_H

#include "assembly.h"
#include "contact_region.h"

#include "fureai/collide.h"

typedef enum clash_kind {
    CLASH_TOUCHING,    // their surfaces meet and neither enters the other by more than the tolerance
    CLASH_PENETRATING, // they enter one another
    CLASH_CONTAINED    // one lies inside the other
} clash_kind;

const char *clash_kind_name(clash_kind kind);

typedef struct clash {
    const assembly_part *a, *b; // in the order of the parts
    clash_kind kind;
    size_t pairs;          // of triangles that share a point
    double depth;          // the greatest distance from the surface of one closed part of a vertex of the other that is
                           // inside it; FR_UNKNOWN when there is no such vertex
    contact_region region; // where the surfaces meet
} clash;

typedef struct clash_list {
    clash *clashes;
    size_t count;
    fr_collide *asker;        // holds the answer
    fr_collide_output answer; // the pairs of triangles
} clash_list;

// Finds all clashes. Surfaces up to `tolerance` apart, and parts that enter one another by no more, touch. On failure
// there is nothing to release.
fr_status clash_find(const assembly *a, double tolerance, const fr_tasks *tasks, const fr_control *control,
                     clash_list *out, fr_error *error);
void clash_release(clash_list *list);

#endif
