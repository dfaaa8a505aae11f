// Asano and others: a pen, plates and the cost of finding what it touches; a scripted operator in place of subjects.
#ifndef FUREAI_EXPERIMENTS_ASANO_H
#define FUREAI_EXPERIMENTS_ASANO_H

#include "experiment.h"

#include "fureai/touch.h"

#define ASANO_MODELS 7

// Polygons of the seven models.
extern const uint32_t asano_polygons[ASANO_MODELS];

// A plate of 0.3 m about the origin, curved like a saddle, as high as 2 cm at its sides and 0 in its middle: its box is
// nowhere near its middle. Triangles are polygons; 16, 32, 64, 128, 256, 512, 800, 10^4, 10^5 or 10^6 of them.
fr_status asano_plate(uint32_t polygons, fr_mesh **out, fr_error *error);

#define ASANO_PLATE_HEIGHT 0.02

// From a to b in unit time with the least jerk.
fr_vec3 asano_reach(fr_vec3 a, fr_vec3 b, double t);

// A space with plates, at these places. Destroy it in any case.
fr_status asano_space(const fr_mesh *mesh, const fr_vec3 *places, uint32_t count, fr_space **out, fr_error *error);

extern const experiment experiment_asano_6;
extern const experiment experiment_asano_table_2;

#endif
