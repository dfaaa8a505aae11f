// The proxies of parts: which there are, their boxes, and the trees over them.
#ifndef FUREAI_SPACE_BROAD_PHASE_H
#define FUREAI_SPACE_BROAD_PHASE_H

#include "space/space.h"

// Collects the parts of all objects into their sets from scratch. Fills in the boxes of parts that did not change.
fr_status fr__proxies_collect(fr_space *space, fr_error *error);

// Copies an object's boxes, filter and flags into its proxies. Different objects may be refreshed at once.
void fr__proxies_refresh(fr_space *space, uint32_t index);

// Brings the trees of the changed sets up to date.
fr_status fr__proxies_update_trees(fr_space *space, const fr_tasks *tasks, fr_error *error);

static inline const fr__proxy *fr__set_proxies(const fr__proxy_set *set) { return set->proxies.data; }
static inline const fr_box *fr__set_boxes(const fr__proxy_set *set) { return set->boxes.data; }

#endif
