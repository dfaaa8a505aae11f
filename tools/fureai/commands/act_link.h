// The connection of the command act to a served world: the tool is built with sockets or without.
#ifndef FUREAI_TOOL_ACT_LINK_H
#define FUREAI_TOOL_ACT_LINK_H

#include "tool.h"

#include "fureai/act_replica.h"

typedef struct act_link act_link;

// Connects to the served world that the options name, until the people of the replica stand as there. *out is to be
// closed also where this fails. FR_ERROR_UNSUPPORTED: this build has no sockets.
fr_status act_link_open(tool *t, const fr_replica_def *replica, act_link **out, fr_error *error);

// After each tick: sends what people did, and takes in the newest state.
fr_status act_link_exchange(act_link *link, const fr_control *control, fr_error *error);

// Updates that were written so far.
uint64_t act_link_updates(const act_link *link);

// NULL is ignored.
void act_link_close(act_link *link);

#endif
