// Limits of joints: their check when a skeleton is made.
#ifndef FUREAI_HUMAN_LIMIT_H
#define FUREAI_HUMAN_LIMIT_H

#include "fureai/human.h"

// Checks a limit and makes its axes unit. FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT.
fr_status fr__limit_check(fr_limit *limit, fr_error *error);

#endif
