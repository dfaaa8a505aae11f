// The check of the states of a class.
#ifndef FUREAI_LIBRARY_STATE_CHECK_H
#define FUREAI_LIBRARY_STATE_CHECK_H

#include "fureai/library.h"

// Whether all states of a class can be reached, and what they say of others can be; else the first that is wrong is the
// error, with its place in the file.
fr_status fr__library_check_states(fr_library *library, const fr_class_view *view, fr_error *error);

#endif
