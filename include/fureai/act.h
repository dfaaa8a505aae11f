// Fureai act: people who act in a world (motion synthesis): the director, scripts, plug-ins and replicas. Includes
// every header of the room. Library libfureai-world.
#ifndef FUREAI_ACT_H
#define FUREAI_ACT_H

#include "act_additions.h"
#include "act_commander.h"
#include "act_dialog.h"
#include "act_director.h"
#include "act_goal.h"
#include "act_mechanism.h"
#include "act_plug_in.h"
#include "act_replica.h"
#include "act_script.h"
#include "act_study.h"

#endif
