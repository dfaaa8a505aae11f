// The command radar with --demo: plays a demonstration, reports what came out, draws it and writes it as a scene.
#ifndef FUREAI_TOOL_RADAR_PLAY_H
#define FUREAI_TOOL_RADAR_PLAY_H

#include "tool.h"

exit_status radar_play_run(tool *t);

#endif
