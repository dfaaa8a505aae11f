// The commands of fureai. A command is a file command_NAME.c and a line here; the list is alphabetical.
#ifndef FUREAI_TOOL_COMMANDS_H
#define FUREAI_TOOL_COMMANDS_H

#include "command.h"

// Those that need libfureai-world, where it is there.
#ifdef FUREAI_TOOL_HAS_WORLD
#define COMMANDS_OF_PARTS(X) X(assemble)
#define COMMANDS_OF_SCENES(X) X(collide)
#define COMMANDS_OF_DEVICES(X) X(device)
#define COMMANDS_OF_SIGHTS(X) X(plan) X(radar)
#define COMMANDS_OF_SECTORS(X) X(sector)
#define COMMANDS_OF_WORLDS(X) X(sweep) X(touch)
#else
#define COMMANDS_OF_PARTS(X)
#define COMMANDS_OF_SCENES(X)
#define COMMANDS_OF_DEVICES(X)
#define COMMANDS_OF_SIGHTS(X)
#define COMMANDS_OF_SECTORS(X)
#define COMMANDS_OF_WORLDS(X)
#endif

// Those that need the server, where it is there.
#ifdef FUREAI_TOOL_HAS_SERVER
#define COMMANDS_OF_SERVER(X) X(serve)
#else
#define COMMANDS_OF_SERVER(X)
#endif

#define COMMANDS(X)                                                                                                    \
    COMMANDS_OF_PARTS(X)                                                                                               \
    X(assist)                                                                                                          \
    X(clash)                                                                                                           \
    COMMANDS_OF_SCENES(X)                                                                                              \
    X(convert)                                                                                                         \
    COMMANDS_OF_DEVICES(X)                                                                                             \
    X(experiment)                                                                                                      \
    X(help)                                                                                                            \
    X(info)                                                                                                            \
    X(octree)                                                                                                          \
    COMMANDS_OF_SIGHTS(X) X(replay) COMMANDS_OF_SECTORS(X) COMMANDS_OF_SERVER(X) X(shape) COMMANDS_OF_WORLDS(X)

#define COMMANDS_DECLARE(name) extern const command command_##name;
COMMANDS(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

// The table of the program.
extern const command_table commands;

#endif
