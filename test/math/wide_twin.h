// Every function of math/wide.h on one input, compiled once for each way the header can be compiled.
#ifndef FUREAI_TEST_WIDE_TWIN_H
#define FUREAI_TEST_WIDE_TWIN_H

typedef struct wide_input {
    float fa[8], fb[8];
    double da[4], db[4];
    float points_as_floats[12];
    int first; // 0 .. 8
} wide_input;

enum { FLOAT_RESULTS = 17, DOUBLE_RESULTS = 30, MASK_RESULTS = 18 };

typedef struct wide_output {
    float f[FLOAT_RESULTS][8];
    double d[DOUBLE_RESULTS][4];
    int m[MASK_RESULTS];
} wide_output;

typedef void wide_twin_fn(const wide_input *in, wide_output *out);

wide_twin_fn wide_twin_baseline, wide_twin_avx2, wide_twin_plain;

#endif
