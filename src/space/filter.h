// Which parts a query is about.
#ifndef FUREAI_SPACE_FILTER_H
#define FUREAI_SPACE_FILTER_H

#include "space/space.h"

// Whether a query with this filter (NULL: all) is about a part. Calls the filter's function last.
bool fr__query_accepts(const fr_space *space, const fr_query_filter *filter, const fr__proxy *proxy);

// The same for an object. False for a stale id.
bool fr__query_accepts_object(const fr_space *space, const fr_query_filter *filter, fr_object_id id);

// Begins and, where it began well, ends a query that may call the filter's function.
// FR_ERROR_STALE_DATA on a space that is not current, FR_ERROR_STALE_ID for a stale `as_object`.
fr_status fr__query_begin(const fr_space *space, const fr_query_filter *filter, fr_error *error);

// The same for a query that reads no derived data of changed objects: it passes over them in the sets, and looks at
// each of `changed` by itself. FR_ERROR_STALE_DATA only where parts came, went or changed their set.
fr_status fr__query_begin_stale(const fr_space *space, const fr_query_filter *filter, fr_error *error);
void fr__query_end(const fr_space *space, const fr_query_filter *filter);

#endif
