// What those share who give the commands of a script.
#ifndef FUREAI_ACT_SCRIPT_PRIVATE_H
#define FUREAI_ACT_SCRIPT_PRIVATE_H

#include "fureai/act_script.h"

// Gives the command that begins at a step, with what is fused with it, to a cast. FR_ERROR_ARGUMENT where an object is
// not there, and the statuses of fr_cast_command.
fr_status fr__script_give(const fr_script_view *script, uint32_t step, uint64_t ticket, fr_cast *cast, fr_error *error);

// Reads one command of a JSON document as a script of it alone; destroy it. The errors of fr_script_read.
fr_status fr__script_read_command(const fr_json *json, fr_json_value token, const fr_allocator *allocator,
                                  fr_script **out, fr_error *error);

#endif
