// Fureai: real-time interaction among 3-D objects and the people who handle them. Includes every room of the core
// library.
#ifndef FUREAI_FUREAI_H
#define FUREAI_FUREAI_H

#include "actor.h"
#include "actor_person.h"
#include "actor_remote.h"
#include "base.h"
#include "base_drawing.h"
#include "clash.h"
#include "clash_notes.h"
#include "collide.h"
#include "hand.h"
#include "haptic.h"
#include "human.h"
#include "human_cells.h"
#include "human_figure.h"
#include "human_files.h"
#include "human_fusion.h"
#include "human_object.h"
#include "human_reach.h"
#include "human_skill.h"
#include "human_task.h"
#include "human_walk.h"
#include "json.h"
#include "math.h"
#include "octree.h"
#include "plan.h"
#include "radar.h"
#include "sector.h"
#include "shape.h"
#include "space.h"
#include "touch.h"
#include "world.h"
#include "world_player.h"
#include "world_state.h"

#endif
