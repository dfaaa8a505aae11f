// Any bytes as a script: it is refused, or every step is within its limits and what it points to can be read.
#include "fureai/act_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(bool is_right) {
    if (!is_right) { abort(); }
}

static void check_step(const fr_script_step *step, uint32_t left) {
    require(strlen(step->person) <= FR_SCRIPT_NAME_MAX_BYTES && strlen(step->object) <= FR_SCRIPT_NAME_MAX_BYTES);
    require(step->motion[0] != '\0' && strlen(step->motion) <= FR_SCRIPT_NAME_MAX_BYTES);
    require(step->fused_count < FR_COMMAND_MAX_FUSED && step->fused_count <= left);
    require(step->command.parameter_count <= FR_COMMAND_MAX_PARAMETERS);
    require(fr_vec3_is_finite(step->command.goal) && isfinite(step->command.facing));
    for (uint32_t i = 0; i < step->command.parameter_count; i++) {
        require(step->command.parameters[i].key[0] != '\0' && strlen(step->command.parameters[i].value) < 1100);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_script *script;
    fr_error error = {0};
    if (fr_script_read(data, size, NULL, &script, &error) != FR_OK) {
        require(script == NULL && error.message[0] != '\0');
        return 0;
    }
    const fr_script_view *view = fr_script_get(script);
    uint32_t next = 0;
    for (uint32_t i = 0; i < view->step_count; i++) {
        check_step(&view->steps[i], view->step_count - 1 - i);
        if (i == next) {
            next += 1 + view->steps[i].fused_count;
        } else {
            require(view->steps[i].fused_count == 0 && view->steps[i].person[0] == '\0');
        }
    }
    fr_script_destroy(script);
    return 0;
}
