// Shapes by name: the thesis's spheres, and concave solids made by code in place of models that are not ours to copy.
#include "shape/piston_shape.h"
#include "shape/soup.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Shuttle: 11 rings of 24 points along z, nose at +z, fin up. 2 * 24 * 11 = 528 triangles.

enum { SHUTTLE_RINGS = 11, SHUTTLE_SLICES = 24, SHUTTLE_RIGHT = 0, SHUTTLE_FIN = 6, SHUTTLE_LEFT = 12 };

typedef struct shuttle_station {
    double z, body, wing, fin; // where along the axis; how far body, wing tips and fin reach from it
} shuttle_station;

static const shuttle_station shuttle_stations[SHUTTLE_RINGS] = {
    {0.94, 0.08, 0.08, 0.08},  {0.80, 0.14, 0.14, 0.14},  {0.60, 0.19, 0.19, 0.19},  {0.36, 0.21, 0.22, 0.21},
    {0.10, 0.22, 0.30, 0.22},  {-0.16, 0.22, 0.45, 0.22}, {-0.40, 0.22, 0.62, 0.23}, {-0.60, 0.22, 0.78, 0.34},
    {-0.76, 0.22, 0.84, 0.52}, {-0.88, 0.21, 0.84, 0.60}, {-1.00, 0.20, 0.30, 0.52},
};

static fr_vec3 shuttle_point(uint32_t ring, uint32_t slice, const void *context) {
    (void)context;
    const shuttle_station *station = &shuttle_stations[ring];
    double reach = station->body;
    if (slice == SHUTTLE_RIGHT || slice == SHUTTLE_LEFT) { reach = station->wing; }
    if (slice == SHUTTLE_FIN) { reach = station->fin; }
    double sine, cosine;
    fr_sincos(2.0 * FR_PI * (double)slice / SHUTTLE_SLICES, &sine, &cosine);
    // The belly is flat: the lower half is pressed up.
    double up = reach * sine;
    return fr_vec3_make(reach * cosine, up < 0.0 ? 0.6 * up : up, station->z);
}

static fr_status create_shuttle(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__spindle spindle = {.rings = SHUTTLE_RINGS, .slices = SHUTTLE_SLICES, .axis = FR_AXIS_Z, .point = shuttle_point};
    spindle.first = fr_vec3_make(0.0, 0.0, 1.0);
    spindle.last = fr_vec3_make(0.0, 0.0, -0.92); // the engine bay is hollow
    return fr__spindle_create(&spindle, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Head: 35 rings of 26 points, flat crown and base, looking along +z. 2 * 26 * 34 + 2 * 24 = 1816 triangles.

enum { HEAD_RINGS = 35, HEAD_SLICES = 26, HEAD_LEVELS = 12 };

typedef struct head_level {
    double height, front, back, side; // half sizes of the cross-section at a height
} head_level;

static const head_level head_levels[HEAD_LEVELS] = {
    {1.00, 0.10, 0.10, 0.08},  {0.95, 0.30, 0.32, 0.26},  {0.80, 0.55, 0.60, 0.46},  {0.50, 0.68, 0.75, 0.58},
    {0.20, 0.66, 0.76, 0.60},  {-0.10, 0.62, 0.66, 0.55}, {-0.35, 0.58, 0.48, 0.45}, {-0.55, 0.50, 0.38, 0.34},
    {-0.62, 0.36, 0.36, 0.32}, {-0.75, 0.30, 0.36, 0.30}, {-0.90, 0.34, 0.40, 0.36}, {-1.00, 0.42, 0.46, 0.50},
};

// A smooth bump of height 1 and half width `width` about `middle`, by a polynomial.
static double bump(double x, double middle, double width) {
    double u = (x - middle) / width;
    double rest = 1.0 - u * u;
    return rest > 0.0 ? rest * rest : 0.0;
}

static head_level head_at(double height) {
    int i = 0;
    while (i + 2 < HEAD_LEVELS && height < head_levels[i + 1].height) {
        i++;
    }
    const head_level *high = &head_levels[i], *low = &head_levels[i + 1];
    double t = (high->height - height) / (high->height - low->height);
    head_level level = {height, high->front + t * (low->front - high->front), high->back + t * (low->back - high->back),
                        high->side + t * (low->side - high->side)};
    return level;
}

static fr_vec3 head_point(uint32_t ring, uint32_t slice, const void *context) {
    (void)context;
    head_level level = head_at(1.0 - 2.0 * (double)ring / (HEAD_RINGS - 1));
    double angle = 2.0 * FR_PI * (double)slice / HEAD_SLICES, sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    double aside = angle > FR_PI ? 2.0 * FR_PI - angle : angle; // from the direction of the face
    double forward = cosine > 0.0 ? level.front * cosine : level.back * cosine;
    forward += 0.22 * bump(aside, 0.0, 0.40) * bump(level.height, -0.05, 0.20); // nose
    forward -= 0.08 * bump(aside, 0.48, 0.30) * bump(level.height, 0.14, 0.14); // eye sockets
    forward += 0.06 * bump(aside, 0.0, 0.60) * bump(level.height, -0.32, 0.10); // lips
    return fr_vec3_make(forward, level.side * sine, level.height);
}

static fr_status create_head(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__spindle spindle = {.rings = HEAD_RINGS, .slices = HEAD_SLICES, .axis = FR_AXIS_Y, .point = head_point};
    spindle.end = FR__SPINDLE_FLAT;
    return fr__spindle_create(&spindle, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Chair: the surface of a set of cells between 4 planes on each axis, four legs, a seat and a back, facing +z

enum { CHAIR_PLANES = 4, CHAIR_CELLS = 3, CHAIR_VERTICES = 56, CHAIR_TRIANGLES = 108 };

static const double chair_planes[3][CHAIR_PLANES] = {
    {-0.22, -0.18, 0.18, 0.22}, {0.00, 0.42, 0.46, 0.90}, {-0.22, -0.18, 0.18, 0.22}};

static bool chair_fills(int x, int y, int z) {
    bool inside = x >= 0 && x < CHAIR_CELLS && y >= 0 && y < CHAIR_CELLS && z >= 0 && z < CHAIR_CELLS;
    if (!inside) { return false; }
    if (y == 0) {
        return x != 1 && z != 1; // legs
    }
    if (y == 1) {
        return true; // seat
    }
    return z == 0; // back
}

// The soup's vertex at a corner of the grid, added at its first use.
static uint32_t chair_vertex(fr__soup *soup, uint32_t *known, const int corner[3]) {
    uint32_t *index = &known[(corner[2] * CHAIR_PLANES + corner[1]) * CHAIR_PLANES + corner[0]];
    if (*index == FR_NONE) {
        *index = fr__soup_add_point(
            soup, fr_vec3_make(chair_planes[0][corner[0]], chair_planes[1][corner[1]], chair_planes[2][corner[2]]));
    }
    return *index;
}

// The face of a cell on one side of one axis, seen from outside.
static void add_chair_face(fr__soup *soup, uint32_t *known, const int cell[3], int axis, int side) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t corners[4];
    for (int i = 0; i < 4; i++) {
        int along_u = i == 1 || i == 2, along_v = i >= 2;
        int corner[3] = {cell[0], cell[1], cell[2]};
        corner[axis] += side;
        corner[side == 1 ? u : v] += along_u;
        corner[side == 1 ? v : u] += along_v;
        corners[i] = chair_vertex(soup, known, corner);
    }
    fr__soup_add_triangle(soup, corners[0], corners[1], corners[2]);
    fr__soup_add_triangle(soup, corners[0], corners[2], corners[3]);
}

static fr_status create_chair(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__soup soup;
    fr_status status = fr__soup_take(CHAIR_VERTICES, CHAIR_TRIANGLES, like, &soup, error);
    if (status != FR_OK) { return status; }
    uint32_t known[CHAIR_PLANES * CHAIR_PLANES * CHAIR_PLANES];
    memset(known, 0xff, sizeof known);

    for (int i = 0; i < CHAIR_CELLS * CHAIR_CELLS * CHAIR_CELLS; i++) {
        int cell[3] = {i % 3, i / 3 % 3, i / 9};
        if (!chair_fills(cell[0], cell[1], cell[2])) { continue; }
        for (int face = 0; face < 6; face++) {
            int beside[3] = {cell[0], cell[1], cell[2]};
            beside[face / 2] += face % 2 == 1 ? 1 : -1;
            if (!chair_fills(beside[0], beside[1], beside[2])) {
                add_chair_face(&soup, known, cell, face / 2, face % 2);
            }
        }
    }
    return fr__soup_finish(&soup, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The knot: a tube that goes twice around the y axis and three times around the ring of a torus

enum { KNOT_RINGS = 96, KNOT_SIDES = 10 };
static const double knot_radius = 0.32, knot_ring = 0.15, knot_tube = 0.055;

// A point of the middle line, and the torus's normal there.
static fr_vec3 knot_middle(double angle, fr_vec3 *normal) {
    double sine_2, cosine_2, sine_3, cosine_3;
    fr_sincos(2.0 * angle, &sine_2, &cosine_2);
    fr_sincos(3.0 * angle, &sine_3, &cosine_3);
    double reach = knot_radius + knot_ring * cosine_3;
    *normal = fr_vec3_make(cosine_3 * cosine_2, sine_3, cosine_3 * sine_2);
    return fr_vec3_make(reach * cosine_2, knot_ring * sine_3, reach * sine_2);
}

static fr_vec3 knot_tangent(double angle) {
    double sine_2, cosine_2, sine_3, cosine_3;
    fr_sincos(2.0 * angle, &sine_2, &cosine_2);
    fr_sincos(3.0 * angle, &sine_3, &cosine_3);
    double reach = knot_radius + knot_ring * cosine_3, drift = -3.0 * knot_ring * sine_3;
    return fr_vec3_make(drift * cosine_2 - 2.0 * reach * sine_2, 3.0 * knot_ring * cosine_3,
                        drift * sine_2 + 2.0 * reach * cosine_2);
}

static fr_status create_knot(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__soup soup;
    fr_status status = fr__soup_take(KNOT_RINGS * KNOT_SIDES, 2 * KNOT_RINGS * KNOT_SIDES, like, &soup, error);
    if (status != FR_OK) { return status; }
    const fr_vec3 up = {0.0, 1.0, 0.0};
    for (uint32_t ring = 0; ring < KNOT_RINGS; ring++) {
        double angle = 2.0 * FR_PI * ring / KNOT_RINGS;
        fr_vec3 normal, middle = knot_middle(angle, &normal);
        fr_vec3 along = fr_vec3_unit(knot_tangent(angle), up);
        fr_vec3 across = fr_vec3_unit(fr_vec3_cross(along, normal), up);
        fr_vec3 out_of = fr_vec3_cross(across, along);
        for (uint32_t side = 0; side < KNOT_SIDES; side++) {
            double sine, cosine;
            fr_sincos(2.0 * FR_PI * side / KNOT_SIDES, &sine, &cosine);
            fr_vec3 arm = fr_vec3_add(fr_vec3_scale(cosine, out_of), fr_vec3_scale(sine, across));
            (void)fr__soup_add_point(&soup, fr_vec3_add_scaled(middle, knot_tube, arm));
        }
    }
    for (uint32_t i = 0; i < KNOT_RINGS * KNOT_SIDES; i++) {
        uint32_t ring = i / KNOT_SIDES, side = i % KNOT_SIDES;
        uint32_t below = ring * KNOT_SIDES, above = (ring + 1) % KNOT_RINGS * KNOT_SIDES,
                 beside = (side + 1) % KNOT_SIDES;
        fr__soup_add_triangle(&soup, below + side, above + beside, above + side);
        fr__soup_add_triangle(&soup, below + side, below + beside, above + beside);
    }
    return fr__soup_finish(&soup, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The gear: a disc about the z axis with straight teeth

enum { GEAR_TEETH = 16 };

static fr_status create_gear(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    // Four corners a tooth: up the flank, along the top, down, along the foot. As parts of a tooth's angle; one
    // tooth points along x.
    static const double begins[4] = {-0.275, -0.125, 0.125, 0.275}, radii[4] = {0.41, 0.5, 0.5, 0.41};
    fr_vec2 corners[4 * GEAR_TEETH];
    for (int i = 0; i < 4 * GEAR_TEETH; i++) {
        double sine, cosine;
        fr_sincos(2.0 * FR_PI * (i / 4 + begins[i % 4]) / GEAR_TEETH, &sine, &cosine);
        corners[i] = (fr_vec2){radii[i % 4] * cosine, radii[i % 4] * sine};
    }
    return fr_mesh_create_extrusion(corners, 4 * GEAR_TEETH, 0.25, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The table of names

static fr_status create_box(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    return fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), like, out, error);
}

static fr_status create_capsule(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    return fr_mesh_create_capsule(0.5, 1.0, 16, 32, FR_AXIS_Y, like, out, error);
}

static fr_status create_cylinder(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    return fr_mesh_create_cylinder(0.5, 1.0, 32, FR_AXIS_Y, like, out, error);
}

static fr_status create_cone(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    return fr_mesh_create_cone(0.5, 1.0, 32, FR_AXIS_Y, like, out, error);
}

static fr_status create_torus(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    return fr_mesh_create_torus(0.35, 0.15, 32, 16, FR_AXIS_Y, like, out, error);
}

typedef struct named_shape {
    const char *name;
    uint32_t stacks; // of a sphere of the thesis; 0: made by `create`
    fr_status (*create)(const fr_mesh_def *like, fr_mesh **out, fr_error *error);
} named_shape;

#define SPHERE_PATTERN "sphere:STACKSxSLICES"

static const named_shape named_shapes[] = {
    {"box", 0, create_box},
    {"capsule", 0, create_capsule},
    {"chair", 0, create_chair},
    {"cone", 0, create_cone},
    {"cylinder", 0, create_cylinder},
    {"gear", 0, create_gear},
    {"head_1816", 0, create_head},
    {"knot_1920", 0, create_knot},
    {"piston", 0, fr__piston_create},
    {"piston_bolt", 0, fr__piston_bolt_create},
    {"piston_cap", 0, fr__piston_cap_create},
    {"piston_pin", 0, fr__piston_pin_create},
    {"piston_rod", 0, fr__piston_rod_create},
    {"shuttle_528", 0, create_shuttle},
    {"sphere_24", 3, NULL},
    {"sphere_48", 4, NULL},
    {"sphere_80", 5, NULL},
    {"sphere_168", 7, NULL},
    {"sphere_360", 10, NULL},
    {"sphere_528", 12, NULL},
    {"sphere_728", 14, NULL},
    {"sphere_960", 16, NULL},
    {"sphere_3968", 32, NULL},
    {SPHERE_PATTERN, 0, NULL},
    {"torus", 0, create_torus},
};

#define NAMED_SHAPE_COUNT (sizeof named_shapes / sizeof named_shapes[0])

const char *fr_mesh_name(size_t i) { return i < NAMED_SHAPE_COUNT ? named_shapes[i].name : NULL; }

// Digits up to `end`, at most 9 of them. False when there is anything else.
static bool read_count(const char *text, const char *end, uint32_t *out) {
    if (text == end || end - text > 9) { return false; }
    *out = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') { return false; }
        *out = 10 * *out + (uint32_t)(*text - '0');
    }
    return true;
}

// The counts of "sphere:16x32".
static bool read_sphere(const char *name, uint32_t *stacks, uint32_t *slices) {
    static const char prefix[] = "sphere:";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) { return false; }
    const char *counts = name + (sizeof prefix - 1), *cross = strchr(counts, 'x');
    return cross != NULL && read_count(counts, cross, stacks) && read_count(cross + 1, name + strlen(name), slices);
}

static fr_status unknown_name(const char *name, fr_error *error) {
    char names[FR_ERROR_MESSAGE_BYTES] = "";
    size_t used = 0;
    for (size_t i = 0; i < NAMED_SHAPE_COUNT && used < sizeof names; i++) {
        // Of the thesis's spheres the first alone, so that a message holds all the others
        if (named_shapes[i].stacks > 0 && named_shapes[i - 1].stacks > 0) { continue; }
        int length = snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ", named_shapes[i].name);
        used += (size_t)length;
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "no shape '%.40s'; known: %s", name, names);
}

fr_status fr_mesh_create_named(const char *name, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(name != NULL && out != NULL);
    *out = NULL;
    for (size_t i = 0; i < NAMED_SHAPE_COUNT; i++) {
        const named_shape *shape = &named_shapes[i];
        if (strcmp(shape->name, name) != 0) { continue; }
        if (shape->create != NULL) { return shape->create(like, out, error); }
        if (shape->stacks > 0) {
            return fr_mesh_create_sphere(1.0, shape->stacks, 2 * shape->stacks, FR_AXIS_Y, like, out, error);
        }
    }
    uint32_t stacks, slices;
    if (read_sphere(name, &stacks, &slices)) {
        return fr_mesh_create_sphere(1.0, stacks, slices, FR_AXIS_Y, like, out, error);
    }
    return unknown_name(name, error);
}
