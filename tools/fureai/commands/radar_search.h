// The command radar with --search: who is seen in a direction.
#ifndef FUREAI_TOOL_RADAR_SEARCH_H
#define FUREAI_TOOL_RADAR_SEARCH_H

#include "tool.h"

exit_status radar_search_run(tool *t);

#endif
