// The dialogs of the command act.
#ifndef FUREAI_TOOL_ACT_TALK_H
#define FUREAI_TOOL_ACT_TALK_H

#include "tool.h"

// Lets a person at the terminal, or with `is_lines` a program at standard input, say what the people of a scene do.
exit_status act_talk(tool *t, bool is_lines);

#endif
