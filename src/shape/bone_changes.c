// Which bones changed in the frames of their parents: the job around its kernel.
#include "shape/bone_changes.h"

#include <string.h>

#define BONE_CHANGES_COOKIE 0x424f4e43u

fr_bone_changes_input fr_default_bone_changes_input(void) {
    fr_bone_changes_input input;
    memset(&input, 0, sizeof input);
    input.cookie = BONE_CHANGES_COOKIE;
    return input;
}

fr_status fr_bone_changes(const fr_bone_changes_input *input, fr_bone_changes_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    if (input->cookie != BONE_CHANGES_COOKIE) { return fr_error_set_cookie(error, "fr_default_bone_changes_input"); }
    if (input->bone_count > 0 && (input->bones == NULL || input->parents == NULL || output->groups == NULL)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "bones, parents and groups must be given");
    }
    output->is_changed = fr__bone_changes_kernel()->take(input, output->groups);
    return FR_OK;
}
