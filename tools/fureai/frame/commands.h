// The commands of fureai. A command is a file command_NAME.c and a line here; the list is alphabetical.
#ifndef FUREAI_TOOL_COMMANDS_H
#define FUREAI_TOOL_COMMANDS_H

#include "command.h"

// Commands that need libfureai-world, and its server, where those are there.
#ifdef FUREAI_TOOL_HAS_WORLD
#define IF_WORLD(X, name) X(name)
#else
#define IF_WORLD(X, name)
#endif
#ifdef FUREAI_TOOL_HAS_SERVER
#define IF_SERVER(X, name) X(name)
#else
#define IF_SERVER(X, name)
#endif

#define COMMANDS(X)                                                                                                    \
    IF_WORLD(X, act)                                                                                                   \
    IF_WORLD(X, assemble)                                                                                              \
    X(assist)                                                                                                          \
    X(clash)                                                                                                           \
    IF_WORLD(X, collide)                                                                                               \
    X(convert)                                                                                                         \
    IF_WORLD(X, device)                                                                                                \
    X(experiment)                                                                                                      \
    X(help)                                                                                                            \
    X(info)                                                                                                            \
    IF_SERVER(X, journal)                                                                                              \
    IF_WORLD(X, motion)                                                                                                \
    IF_WORLD(X, objects)                                                                                               \
    X(octree)                                                                                                          \
    IF_WORLD(X, plan)                                                                                                  \
    IF_WORLD(X, radar)                                                                                                 \
    X(replay)                                                                                                          \
    IF_WORLD(X, sector)                                                                                                \
    IF_SERVER(X, serve)                                                                                                \
    X(shape)                                                                                                           \
    IF_WORLD(X, surfaces)                                                                                              \
    IF_WORLD(X, sweep)                                                                                                 \
    IF_WORLD(X, touch)

#define COMMANDS_DECLARE(name) extern const command command_##name;
COMMANDS(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

// The table of the program.
extern const command_table commands;

#endif
