// A matrix taken apart into what formats without matrices have.
#ifndef FUREAI_MODEL_DECOMPOSE_H
#define FUREAI_MODEL_DECOMPOSE_H

#include "model.h"

// A placement whose matrix is `matrix` but for rounding: its left part is a rotation times a symmetric stretch, which
// is a scale along turned axes (the polar form). A matrix without an inverse keeps its columns' lengths as scale.
fr_model_placement fr__decompose(const double matrix[12]);

#endif
