// fureai: the command-line tool.
#include "commands.h"
#include "tool.h"

int main(int argc, char **argv) { return (int)tool_run(&commands, argc, argv); }
