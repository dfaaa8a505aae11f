// What clash --motion reports.
#ifndef FUREAI_TOOL_CLASH_MOTION_REPORT_H
#define FUREAI_TOOL_CLASH_MOTION_REPORT_H

#include "clash_report.h"

// Prints the clashes, writes the table when a path is given, and the document. A partial result has no table, and
// the status of a stopped command.
exit_status clash_motion_report(tool *t, fr_world *world, const fr_motion_clash_output *found, const char *table_path,
                                double ms);

#endif
