// Sorts of plain numbers.
#include "fureai/base_order.h"

static bool uint32_is_before(const uint32_t *a, const uint32_t *b) { return *a < *b; }
static bool uint64_is_before(const uint64_t *a, const uint64_t *b) { return *a < *b; }
static bool double_is_before(const double *a, const double *b) { return *a < *b; }

FR_SORT_TYPE(sort_uint32, uint32_t, uint32_is_before);
FR_SORT_TYPE(sort_uint64, uint64_t, uint64_is_before);
FR_SORT_TYPE(sort_double, double, double_is_before);

void fr_sort_uint32(uint32_t *numbers, size_t count) { sort_uint32(numbers, count); }
void fr_sort_uint64(uint64_t *numbers, size_t count) { sort_uint64(numbers, count); }
void fr_sort_double(double *numbers, size_t count) { sort_double(numbers, count); }
