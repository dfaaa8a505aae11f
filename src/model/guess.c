// Guesses the frame of a file whose format says neither unit nor up axis: from its size and from where such files come.
#include "model.h"

#define LARGEST_IN_METRES 10.0 // units: files of parts are in millimetres, scans and characters in metres
#define MILLIMETRE 0.001

// Whether files of a format leave their unit and up axis open.
static bool is_open_format(fr_model_format format) {
    switch (format) {
    case FR_MODEL_OBJ:
    case FR_MODEL_STL:
    case FR_MODEL_STL_ASCII:
    case FR_MODEL_PLY:
    case FR_MODEL_PLY_ASCII:
    case FR_MODEL_OFF:
    case FR_MODEL_DXF: return true;
    default: return false;
    }
}

// The longest side of the box about all vertices, as the file has them.
static double longest_side(const fr__builder *builder) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0.0;
    for (size_t i = 0; i < builder->positions.count; i++) {
        const void *at = fr__array_at(&builder->positions, i);
        for (int axis = 0; axis < 3; axis++) {
            double x = builder->is_double ? ((const double *)at)[axis] : (double)((const float *)at)[axis];
            low[axis] = fmin(low[axis], x);
            high[axis] = fmax(high[axis], x);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        side = fmax(side, high[axis] - low[axis]);
    }
    return side;
}

void fr__builder_guess_frame(fr__builder *builder, fr_model_format format, const fr_model_read_input *input) {
    if (!is_open_format(format)) { return; }
    if (input->unit == 0.0) {
        builder->unit = longest_side(builder) > LARGEST_IN_METRES ? MILLIMETRE : 1.0;
        builder->is_unit_guessed = true;
    }
    if (input->up == FR_MODEL_UP_AS_FILE) {
        bool is_drawn = format == FR_MODEL_STL || format == FR_MODEL_STL_ASCII || format == FR_MODEL_DXF;
        builder->up = is_drawn ? FR_MODEL_UP_Z : FR_MODEL_UP_Y;
        builder->is_up_guessed = true;
    }
}
