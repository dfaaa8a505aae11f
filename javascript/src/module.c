// Memory, errors and the version, for fureai.mjs.
#include "module.h"

#include <stdlib.h>

fr_error module_error;

fr_pose module_pose(const double *numbers) {
    return (fr_pose){.rotation = {numbers[3], numbers[4], numbers[5], numbers[6]},
                     .position = module_vec3(numbers),
                     .scale = numbers[7]};
}

EXPORT(fureai_alloc) void *fureai_alloc(size_t size) { return malloc(size > 0 ? size : 1); }
EXPORT(fureai_free) void fureai_free(void *pointer) { free(pointer); }

EXPORT(fureai_version) int fureai_version(void) {
    fr_version version = fr_get_version();
    return version.major * 1000000 + version.minor * 1000 + version.patch;
}

EXPORT(fureai_error_message) const char *fureai_error_message(void) { return module_error.message; }
EXPORT(fureai_error_path) const char *fureai_error_path(void) { return module_error.path; }
EXPORT(fureai_error_line) int fureai_error_line(void) { return module_error.line; }
EXPORT(fureai_error_column) int fureai_error_column(void) { return module_error.column; }
EXPORT(fureai_error_status) int fureai_error_status(void) { return (int)module_error.status; }
EXPORT(fureai_status_text) const char *fureai_status_text(int status) { return fr_status_text((fr_status)status); }
