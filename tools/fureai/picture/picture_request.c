// The option --picture of commands.
#include "picture_request.h"

#include <string.h>

// "1200x900"
static bool read_size(const char *text, int *width, int *height) {
    int64_t sides[2];
    const char *end = text + strlen(text);
    if (!fr_number_read_whole(&text, end, &sides[0]) || *text++ != 'x') { return false; }
    if (!fr_number_read_whole(&text, end, &sides[1]) || text != end) { return false; }
    for (int i = 0; i < 2; ++i) {
        if (sides[i] < PICTURE_MIN_SIZE || sides[i] > PICTURE_MAX_SIZE) { return false; }
    }
    *width = (int)sides[0];
    *height = (int)sides[1];
    return true;
}

exit_status picture_request_begin(tool *t, const char *title, picture **out) {
    *out = NULL;
    const char *path = options_string(&t->options, "picture");
    if (path == NULL) { return EXIT_STATUS_DONE; }

    fr_error error = {0};
    picture_def def = picture_default_def();
    const char *size = options_string(&t->options, "picture-size");
    def.title = title;
    def.perspective = options_flag(&t->options, "perspective");
    options_vector(&t->options, "view", def.view, 3);
    if (!picture_path_is_known(path)) {
        return tool_wrong_usage(t, "--picture: '%s' ends in neither .svg nor .png", path);
    }
    if (!read_size(size, &def.width, &def.height)) {
        return tool_wrong_usage(t, "--picture-size: '%s' is not WxH with %d to %d pixels a side", size,
                                PICTURE_MIN_SIZE, PICTURE_MAX_SIZE);
    }
    if (picture_backend() == NULL) {
        fr_error_set(&error, FR_ERROR_UNSUPPORTED, "--picture: this build makes no pictures: cairo was missing");
        return tool_failed(t, &error);
    }
    fr_status status = picture_create(&def, out, &error);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "--view: %s", error.message); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

exit_status picture_request_end(tool *t, picture *p) {
    fr_error error = {0};
    if (p == NULL) { return EXIT_STATUS_DONE; }
    fr_status status = picture_write(p, options_string(&t->options, "picture"), &t->control, &error);
    picture_destroy(p);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}
