// The clashes of a moving assembly as a command tells them.
#ifndef FUREAI_TOOL_CLASH_MOTION_REPORT_H
#define FUREAI_TOOL_CLASH_MOTION_REPORT_H

#include "clash_motion.h"

// Lines for a person, or the document; with a path also a table.
exit_status motion_clashes_tell(tool *t, const motion_clashes *clashes, const char *table_path, double ms);

#endif
