// Fureai act: people who act in a world (motion synthesis): the director, scripts, and plug-ins. Includes every header
// of the room. Library libfureai-world.
#ifndef FUREAI_ACT_H
#define FUREAI_ACT_H

#include "act_director.h"
#include "act_plug_in.h"
#include "act_script.h"

#endif
