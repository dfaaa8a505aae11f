// Output files of the tool.
#include "output_file.h"

#include "interrupt.h"

static bool wants_stop(void *user) {
    (void)user;
    return interrupt_requested();
}

static const fr_control interrupt = {.stop = wants_stop};

fr_status output_file_open(fr_output_file *file, const char *path, fr_error *error) {
    fr_output_file_def def = fr_default_output_file_def();
    def.path = path;
    def.control = &interrupt;
    return fr_output_file_open(&def, file, error);
}

fr_output_file output_file_adopt(int descriptor) { return fr_output_file_adopt(descriptor, &interrupt); }
