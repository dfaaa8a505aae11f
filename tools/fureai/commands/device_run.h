// The loop of a haptic device against a wall or the models of a scene, and its report.
#ifndef FUREAI_TOOL_DEVICE_RUN_H
#define FUREAI_TOOL_DEVICE_RUN_H

#include "tool.h"

#include "fureai/devices.h"

// fureai device run
exit_status device_run(tool *t);

// A simulated pen that goes on by the clock and wanders as --reach and --seed say, `down` of the reach below its home.
fr_status device_make_pen(const tool *t, double down, fr_simulated_wander *wander, fr_simulated_pen **out,
                          fr_error *error);

// What came over the network, as an object of the document.
void device_write_counts(fr_json_writer *j, const char *key, const fr_udp_counts *c);

// fureai device map
exit_status device_map(tool *t);

#endif
