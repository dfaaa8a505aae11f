// Looks ahead along a walk: whether the rigid pieces of the body stay clear of the objects of a space, and how the walk
// goes round obstacles.
#ifndef FUREAI_HUMAN_WALK_LOOK_H
#define FUREAI_HUMAN_WALK_LOOK_H

#include "human/skill.h"
#include "human/walk_plan.h"

// Plans the walk of a skill to one goal (or, with `may_bend` false, through the given ones alone), `steady` times as
// fast as the set: straight where that is clear, else past a few points round obstacles. Where nothing is
// clear it refuses with the first obstacle of the straight walk, and the walk goes on as before. Without a space, a
// figure, or with a path that the caller has planned, nothing is looked at.
fr_status fr__walk_look_go(const fr_skill_input *input, const fr_walk_goal *goals, size_t count, bool may_bend,
                           double steady, fr_error *error);

#endif
