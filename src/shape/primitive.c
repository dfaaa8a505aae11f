// Meshes of box, sphere, capsule, cylinder, cone and torus.
#include "shape/soup.h"

#define FULL_TURN (2.0 * FR_PI)

static bool is_size(double x) { return isfinite(x) && x > 0.0; }

static fr_status refuse(fr_error *error, const char *what) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s", what);
}

// ---------------------------------------------------------------------------------------------------------------
// Box

fr_status fr_mesh_create_box(fr_vec3 size, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(size.x) || !is_size(size.y) || !is_size(size.z)) {
        return refuse(error, "a box needs three finite sizes > 0");
    }
    fr__soup soup;
    fr_status status = fr__soup_take(8, 12, like, &soup, error);
    if (status != FR_OK) { return status; }

    // Corner i is on the high side of x, y, z where bit 0, 1, 2 of i is set.
    for (uint32_t i = 0; i < 8; i++) {
        fr__soup_add_point(&soup, fr_vec3_make((i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                               (i & 4 ? 0.5 : -0.5) * size.z));
    }
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 6; i++) {
        fr__soup_add_triangle(&soup, quads[i][0], quads[i][1], quads[i][2]);
        fr__soup_add_triangle(&soup, quads[i][0], quads[i][2], quads[i][3]);
    }
    return fr__soup_finish(&soup, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Round ones

// What the rings of round primitives are computed from.
typedef struct round_sizes {
    double radius, half_length;
    uint32_t stacks, slices;
} round_sizes;

static fr_vec3 on_circle(double radius, double height, uint32_t slice, uint32_t slices) {
    double sine, cosine;
    fr_sincos(FULL_TURN * (double)slice / (double)slices, &sine, &cosine);
    return fr_vec3_make(radius * cosine, radius * sine, height);
}

static fr_vec3 sphere_point(uint32_t ring, uint32_t slice, const void *context) {
    const round_sizes *sizes = context;
    double sine, cosine;
    fr_sincos(FR_PI * (double)(ring + 1) / (double)sizes->stacks, &sine, &cosine);
    return on_circle(sizes->radius * sine, sizes->radius * cosine, slice, sizes->slices);
}

fr_status fr_mesh_create_sphere(double radius, uint32_t stacks, uint32_t slices, fr_axis pole, const fr_mesh_def *like,
                                fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(radius)) { return refuse(error, "a sphere needs a finite radius > 0"); }
    if (stacks < 2 || slices < 3) { return refuse(error, "a sphere needs at least 2 stacks and 3 slices"); }
    round_sizes sizes = {radius, 0.0, stacks, slices};
    fr__spindle spindle = {.rings = stacks - 1, .slices = slices, .axis = pole, .point = sphere_point};
    spindle.first = fr_vec3_make(0.0, 0.0, radius);
    spindle.last = fr_vec3_make(0.0, 0.0, -radius);
    spindle.context = &sizes;
    return fr__spindle_create(&spindle, like, out, error);
}

// The sphere's rings with the equator twice, each half moved out by half the length.
static fr_vec3 capsule_point(uint32_t ring, uint32_t slice, const void *context) {
    const round_sizes *sizes = context;
    uint32_t half = sizes->stacks / 2;
    bool high = ring < half;
    fr_vec3 point = sphere_point(high ? ring : ring - 1, slice, context);
    if (ring == half - 1 || ring == half) { point.z = 0.0; }
    point.z += high ? sizes->half_length : -sizes->half_length;
    return point;
}

fr_status fr_mesh_create_capsule(double radius, double length, uint32_t stacks, uint32_t slices, fr_axis axis,
                                 const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(radius) || !is_size(length)) {
        return refuse(error, "a capsule needs a finite radius and length > 0");
    }
    if (stacks < 2 || stacks % 2 != 0 || slices < 3) {
        return refuse(error, "a capsule needs an even number of stacks and at least 3 slices");
    }
    round_sizes sizes = {radius, 0.5 * length, stacks, slices};
    fr__spindle spindle = {.rings = stacks, .slices = slices, .axis = axis, .point = capsule_point};
    spindle.first = fr_vec3_make(0.0, 0.0, 0.5 * length + radius);
    spindle.last = fr_vec3_make(0.0, 0.0, -0.5 * length - radius);
    spindle.context = &sizes;
    return fr__spindle_create(&spindle, like, out, error);
}

static fr_vec3 cylinder_point(uint32_t ring, uint32_t slice, const void *context) {
    const round_sizes *sizes = context;
    double height = ring + 1 < sizes->stacks ? sizes->half_length : -sizes->half_length;
    return on_circle(sizes->radius, height, slice, sizes->slices);
}

// A cylinder is a spindle of two rings; a cone is its lower ring alone.
static fr_status create_straight(double radius, double length, uint32_t rings, uint32_t slices, fr_axis axis,
                                 const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    round_sizes sizes = {radius, 0.5 * length, rings, slices};
    fr__spindle spindle = {.rings = rings, .slices = slices, .axis = axis, .point = cylinder_point};
    spindle.first = fr_vec3_make(0.0, 0.0, 0.5 * length);
    spindle.last = fr_vec3_make(0.0, 0.0, -0.5 * length);
    spindle.context = &sizes;
    return fr__spindle_create(&spindle, like, out, error);
}

fr_status fr_mesh_create_cylinder(double radius, double length, uint32_t slices, fr_axis axis, const fr_mesh_def *like,
                                  fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(radius) || !is_size(length)) {
        return refuse(error, "a cylinder needs a finite radius and length > 0");
    }
    if (slices < 3) { return refuse(error, "a cylinder needs at least 3 slices"); }
    return create_straight(radius, length, 2, slices, axis, like, out, error);
}

fr_status fr_mesh_create_cone(double radius, double length, uint32_t slices, fr_axis axis, const fr_mesh_def *like,
                              fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(radius) || !is_size(length)) { return refuse(error, "a cone needs a finite radius and length > 0"); }
    if (slices < 3) { return refuse(error, "a cone needs at least 3 slices"); }
    return create_straight(radius, length, 1, slices, axis, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Torus

static fr_vec3 torus_point(double radius, double tube, double around, double across, fr_axis axis) {
    double sine, cosine, tube_sine, tube_cosine;
    fr_sincos(around, &sine, &cosine);
    fr_sincos(across, &tube_sine, &tube_cosine);
    double reach = radius + tube * tube_cosine;
    return fr__turn_to_axis(fr_vec3_make(reach * cosine, reach * sine, tube * tube_sine), axis);
}

fr_status fr_mesh_create_torus(double radius, double tube, uint32_t slices, uint32_t sides, fr_axis axis,
                               const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (!is_size(radius) || !is_size(tube) || tube >= radius) {
        return refuse(error, "a torus needs a finite radius and a tube between 0 and the radius");
    }
    if (slices < 3 || sides < 3) { return refuse(error, "a torus needs at least 3 slices and 3 sides"); }
    uint64_t count = (uint64_t)slices * sides;
    fr__soup soup;
    fr_status status = fr__soup_take(count, 2 * count, like, &soup, error);
    if (status != FR_OK) { return status; }

    for (uint32_t i = 0; i < slices; i++) {
        for (uint32_t j = 0; j < sides; j++) {
            double around = FULL_TURN * (double)i / (double)slices, across = FULL_TURN * (double)j / (double)sides;
            fr__soup_add_point(&soup, torus_point(radius, tube, around, across, axis));
        }
    }
    for (uint32_t i = 0; i < slices; i++) {
        uint32_t here = i * sides, beyond = (i + 1) % slices * sides;
        for (uint32_t j = 0; j < sides; j++) {
            uint32_t k = (j + 1) % sides;
            fr__soup_add_triangle(&soup, here + j, beyond + j, beyond + k);
            fr__soup_add_triangle(&soup, here + j, beyond + k, here + k);
        }
    }
    return fr__soup_finish(&soup, like, out, error);
}
