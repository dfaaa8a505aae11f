// Growable arrays of points and of boxes.
#ifndef FUREAI_MATH_POINT_ARRAY_H
#define FUREAI_MATH_POINT_ARRAY_H

#include "fureai/math.h"

FR_ARRAY_TYPE(fr__vec3_array, fr_vec3);
FR_ARRAY_TYPE(fr__bounds_array, fr_bounds);

#endif
