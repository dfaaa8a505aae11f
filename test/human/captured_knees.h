// Knees of ten captured walks, degrees between thigh and shin: what the files say, without the library.
//
// Made by test/human/captured_knees.py.
#ifndef FUREAI_TEST_CAPTURED_KNEES_H
#define FUREAI_TEST_CAPTURED_KNEES_H

// Right, then left.
typedef struct captured_knee {
    const char *walk;
    double least[2], largest[2];
    int straight[2]; // frames in which the knee is straight to 0.01 degrees
} captured_knee;

// clang-format off
static const captured_knee captured_knees[10] = {
    {"002/02_01", {8.98, 8.56}, {73.40, 73.46}, {0, 0}},
    {"007/07_01", {0.00, 0.00}, {69.95, 72.47}, {32, 48}},
    {"007/07_02", {0.00, 0.00}, {72.36, 72.99}, {25, 59}},
    {"007/07_03", {0.00, 0.00}, {70.64, 70.03}, {44, 48}},
    {"008/08_01", {14.27, 0.00}, {75.48, 72.44}, {0, 26}},
    {"008/08_03", {13.83, 0.00}, {74.66, 68.60}, {0, 33}},
    {"035/35_01", {13.27, 11.32}, {78.56, 71.11}, {0, 0}},
    {"039/39_01", {15.42, 9.66}, {77.54, 74.84}, {0, 0}},
    {"039/39_02", {15.91, 7.12}, {77.02, 76.20}, {0, 0}},
    {"104/104_02", {0.00, 0.00}, {72.97, 71.65}, {156, 119}},
};
// clang-format on

#endif
