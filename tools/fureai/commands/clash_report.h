// What clash reports of any clash, at rest or in motion.
#ifndef FUREAI_TOOL_CLASH_REPORT_H
#define FUREAI_TOOL_CLASH_REPORT_H

#include "tool.h"

#include "fureai/clash.h"

// Raises *columns to the width of a name.
void clash_widen(int *columns, const char *name);

// Prints a name, filled up to so many columns and two more.
void clash_print_name(tool *t, const char *name, int columns);

// Writes a list of lines, each a list of points.
void clash_write_region(fr_json_writer *j, const fr_contact_region *region);

// Prints the clashes, writes the table when a path is given, and the document. A partial result has no table, and
// the status of a stopped command.
exit_status clash_motion_report(tool *t, fr_world *world, const fr_motion_clash_output *found, const char *table_path,
                                double ms);

#endif
