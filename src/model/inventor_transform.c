// The matrices of VRML 1.0 and Inventor: the Transform family, units, and the copies of arrays.
#include "inventor.h"
#include "model.h"

#include <math.h>
#include <string.h>

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

// Metres a unit; the first one holds where a file has none.
static const struct {
    const char *word;
    double metres;
} units[] = {{"METERS", 1.0},     {"CENTIMETERS", 0.01},     {"MILLIMETERS", 1e-3},     {"MICROMETERS", 1e-6},
             {"MICRONS", 1e-6},   {"NANOMETERS", 1e-9},      {"ANGSTROMS", 1e-10},      {"KILOMETERS", 1e3},
             {"FEET", 0.3048},    {"INCHES", 0.0254},        {"POINTS", 0.0254 / 72.0}, {"YARDS", 0.9144},
             {"MILES", 1609.344}, {"NAUTICAL_MILES", 1852.0}};

static fr_model_placement still(void) {
    return (fr_model_placement){
        .scale = fr_vec3_make(1.0, 1.0, 1.0), .rotation = fr_quat_identity(), .scale_orientation = fr_quat_identity()};
}

// Transform, Translation, Rotation, Scale: the fields that the node has.
static void set_placement(const fr__vnode *node, double matrix[12]) {
    fr_model_placement placement = still();
    placement.translation = fr__value_vec3(node, "translation");
    placement.center = fr__value_vec3(node, "center");
    if (fr__has_field(node, "rotation")) { placement.rotation = fr__value_turn(node, "rotation"); }
    if (fr__has_field(node, "scaleFactor")) { placement.scale = fr__value_vec3(node, "scaleFactor"); }
    if (fr__has_field(node, "scaleOrientation")) {
        placement.scale_orientation = fr__value_turn(node, "scaleOrientation");
    }
    fr_model_placement_matrix(&placement, matrix);
}

static void set_turn_about_axis(const fr__vnode *node, double matrix[12]) {
    fr_vec3 axis = fr_vec3_make(1.0, 0.0, 0.0);
    if (fr__inventor_has_word(node, "axis", "Y", false)) { axis = fr_vec3_make(0.0, 1.0, 0.0); }
    if (fr__inventor_has_word(node, "axis", "Z", false)) { axis = fr_vec3_make(0.0, 0.0, 1.0); }
    fr_model_placement placement = still();
    placement.rotation = fr_quat_from_axis_angle(axis, fr__value_double(node, "angle"));
    fr_model_placement_matrix(&placement, matrix);
}

// A matrix of the file multiplies rows from the left: its columns are our rows. False where its last column is not
// that of a transform.
static bool set_matrix(const float rows[16], double matrix[12]) {
    double w = (double)rows[15];
    bool is_affine = rows[3] == 0.0f && rows[7] == 0.0f && rows[11] == 0.0f && w != 0.0;
    if (w == 0.0) { w = 1.0; }
    for (int i = 0; i < 12; i++) {
        matrix[i] = (double)rows[4 * (i % 4) + i / 4] / w;
    }
    return is_affine;
}

static fr_status set_file_matrix(fr__inventor *inventor, const fr__vnode *node, double matrix[12]) {
    const fr__value *value = fr__value_find(node, "matrix");
    memcpy(matrix, identity, sizeof identity);
    if (value == NULL || value->count == 0) { return FR_OK; }
    if (set_matrix(value->floats, matrix)) { return FR_OK; }
    return fr__vrml_problem(inventor->vrml, value->at, "the last column of a matrix is not 0 0 0 1");
}

// From the unit that holds to that of the node.
static fr_status set_units(fr__inventor *inventor, const fr__vnode *node, double matrix[12]) {
    uint8_t unit = 0, count = (uint8_t)(sizeof units / sizeof units[0]);
    while (unit < count && !fr__inventor_has_word(node, "units", units[unit].word, unit == 0)) {
        unit++;
    }
    if (unit == count) { return fr__vrml_problem(inventor->vrml, node->at, "Units of a kind that is not known"); }
    double scale = units[unit].metres / units[inventor->state.unit].metres;
    inventor->state.unit = unit;
    matrix[0] = matrix[5] = matrix[10] = scale;
    return FR_OK;
}

fr_status fr__inventor_matrix(fr__inventor *inventor, const fr__vnode *node, double matrix[12], bool *is_moved) {
    memcpy(matrix, identity, sizeof identity);
    switch (node->type->kind) {
    case FR__INVENTOR_ROTATION_XYZ: set_turn_about_axis(node, matrix); break;
    case FR__INVENTOR_MATRIX: FR__TRY(set_file_matrix(inventor, node, matrix)); break;
    case FR__INVENTOR_UNITS: FR__TRY(set_units(inventor, node, matrix)); break;
    default: set_placement(node, matrix); break;
    }
    *is_moved = memcmp(matrix, identity, sizeof identity) != 0;
    if (fr__matrix_determinant(matrix) != 0.0) { return FR_OK; }
    return fr__vrml_problem(inventor->vrml, node->at, "a scale of 0: what stands in it is shown and not touched");
}

bool fr__inventor_invert(const double matrix[12], double inverse[12]) {
    fr_vec3 a = {matrix[0], matrix[4], matrix[8]}, b = {matrix[1], matrix[5], matrix[9]};
    fr_vec3 c = {matrix[2], matrix[6], matrix[10]}, shift = {matrix[3], matrix[7], matrix[11]};
    double determinant = fr__matrix_determinant(matrix);
    if (!(fabs(determinant) > 0.0) || !isfinite(determinant)) { return false; }
    const fr_vec3 rows[3] = {fr_vec3_cross(b, c), fr_vec3_cross(c, a), fr_vec3_cross(a, b)};
    for (int i = 0; i < 3; i++) {
        fr_vec3 row = fr_vec3_scale(1.0 / determinant, rows[i]);
        inverse[4 * i] = row.x;
        inverse[4 * i + 1] = row.y;
        inverse[4 * i + 2] = row.z;
        inverse[4 * i + 3] = -fr_vec3_dot(row, shift);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Copies

// How many copies an Array has along one of its directions.
static uint64_t count_along(const fr__vnode *node, int direction) {
    static const char *const fields[3] = {"numElements1", "numElements2", "numElements3"};
    int32_t count = fr__value_whole(node, fields[direction]);
    return count > 0 ? (uint64_t)count : 0;
}

uint64_t fr__inventor_copy_count(const fr__vnode *node) {
    if (node->type->kind == FR__INVENTOR_COPIES) {
        const fr__value *matrices = fr__value_find(node, "matrix");
        return matrices != NULL ? matrices->count : 1;
    }
    uint64_t count = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t along = count_along(node, i);
        // Saturated: over any limit.
        count = along > 0 && count > UINT64_MAX / along ? UINT64_MAX : count * along;
    }
    return count;
}

void fr__inventor_copy_matrix(const fr__vnode *node, uint64_t copy, double matrix[12]) {
    static const char *const fields[3] = {"separation1", "separation2", "separation3"};
    memcpy(matrix, identity, sizeof identity);
    if (node->type->kind == FR__INVENTOR_COPIES) {
        const fr__value *matrices = fr__value_find(node, "matrix");
        if (matrices != NULL) { set_matrix(matrices->floats + 16 * copy, matrix); }
        return;
    }
    double from_first = fr__inventor_has_word(node, "origin", "CENTER", false) ? 0.5 : 0.0;
    if (fr__inventor_has_word(node, "origin", "LAST", false)) { from_first = 1.0; }
    fr_vec3 shift = fr_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        uint64_t count = count_along(node, i);
        double steps = (double)(copy % count) - from_first * (double)(count - 1);
        shift = fr_vec3_add(shift, fr_vec3_scale(steps, fr__value_vec3(node, fields[i])));
        copy /= count;
    }
    matrix[3] = shift.x;
    matrix[7] = shift.y;
    matrix[11] = shift.z;
}
