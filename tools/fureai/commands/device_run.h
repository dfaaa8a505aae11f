// The loop of a haptic device against a wall or the models of a scene, and its report.
#ifndef FUREAI_TOOL_DEVICE_RUN_H
#define FUREAI_TOOL_DEVICE_RUN_H

#include "tool.h"

// fureai device run
exit_status device_run(tool *t);

// fureai device simulate
exit_status device_simulate(tool *t);

// fureai device map
exit_status device_map(tool *t);

#endif
