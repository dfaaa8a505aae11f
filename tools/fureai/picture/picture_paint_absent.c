// Stands for picture_paint_cairo.c where cairo is missing.
#include "picture.h"
#include "picture_paint.h"

const char *picture_backend(void) { return NULL; }

fr_status picture_paint(const picture_sheet *sheet, const picture_sink *sink, const fr_control *control,
                        fr_error *error) {
    (void)sheet;
    (void)sink;
    (void)control;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build makes no pictures: cairo was missing");
}
