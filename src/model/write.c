// Writing a model: the choice of the format.
#include "sink.h"

#include <math.h>

#define WRITE_COOKIE UINT32_C(0x6d647731)

static void (*const writers[FR_MODEL_FORMAT_COUNT])(fr__sink *sink, const fr_model *model) = {
    [FR_MODEL_OBJ] = fr__write_obj,
    [FR_MODEL_STL] = fr__write_stl,
    [FR_MODEL_STL_ASCII] = fr__write_stl_ascii,
    [FR_MODEL_PLY] = fr__write_ply,
    [FR_MODEL_PLY_ASCII] = fr__write_ply_ascii,
    [FR_MODEL_OFF] = fr__write_off,
    [FR_MODEL_VRML] = fr__write_vrml,
    [FR_MODEL_GLB] = fr__write_glb,
    [FR_MODEL_FRM] = fr__write_frm,
};

fr_model_write_input fr_default_model_write_input(void) { return (fr_model_write_input){.cookie = WRITE_COOKIE}; }

fr_status fr_model_write(const fr_model *model, fr_model_format format, const fr_model_write_input *input,
                         fr_model_sink_fn *sink, void *context, fr_error *error) {
    if (input != NULL && input->cookie != WRITE_COOKIE) {
        return fr_error_set_cookie(error, "fr_default_model_write_input");
    }
    if (format <= FR_MODEL_AUTO || format >= FR_MODEL_FORMAT_COUNT || writers[format] == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no format with number %d to write", (int)format);
    }
    fr__sink out;
    out.take = sink;
    out.context = context;
    out.control = input != NULL ? input->control : NULL;
    out.meter = (fr__work_meter){.control = out.control};
    out.error = error;
    out.faces_done = 0;
    out.flushed = 0;
    out.sum = NULL;
    out.no_cooked = input != NULL && input->is_uncooked;
    out.status = FR_OK;
    out.used = 0;
    out.unit = input != NULL && input->unit != 0.0 ? input->unit : 1.0;
    out.up = input != NULL ? input->up : FR_MODEL_UP_AS_FILE;
    if (!isfinite(out.unit) || out.unit <= 0.0 || (unsigned)out.up > FR_MODEL_UP_Z) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a unit has more than 0 metres, and up is one of the axes");
    }
    out.has_frame = !fr__frame_is_own(out.unit, out.up);
    fr__frame_to_file(out.unit, out.up, out.frame);
    fr__sink_total(&out, model);
    if (out.status == FR_OK) { writers[format](&out, model); }
    return fr__sink_finish(&out);
}
