// Trees of deformed parts, for the update.
#ifndef FUREAI_SPACE_REFIT_H
#define FUREAI_SPACE_REFIT_H

#include "space/space.h"

// Marks the trees of the changed objects whose vertices are new as stale, so that the first query that meets an object
// refits them. Trees that must be built, or are so large that the workers of `tasks` share one, are brought up to date
// at once. FR_ERROR_MEMORY: another update does the rest.
fr_status fr__trees_update(fr_space *space, const fr_tasks *tasks, fr_error *error);

// Releases the scratch memory of refits.
void fr__refit_free(fr_space *space);

#endif
