// Reads rotations.
#include "fureai/json.h"

#define AXIS_MAX 1e15 // of each number of an axis

static bool read_quaternion(fr_json_reader *reader, fr_json_value value, fr_quat *out) {
    const fr_json_range range = {-1.01, 1.01};
    double numbers[4];
    if (!fr_json_read_numbers(reader, value, "rotation", range, 4, numbers)) { return false; }
    fr_quat q = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (fr_quat_normalize(&q, NULL) != FR_OK) {
        return fr_json_fail(reader, value, FR_ERROR_ARGUMENT,
                            "rotation must be a quaternion w, x, y, z of length 1, within 1 %%");
    }
    *out = q;
    return true;
}

static bool read_axis_angle(fr_json_reader *reader, fr_json_value value, fr_quat *out) {
    const fr_json_range range = {-AXIS_MAX, AXIS_MAX};
    double numbers[4];
    if (!fr_json_read_numbers(reader, value, "axis_angle_deg", range, 4, numbers)) { return false; }
    if (fabs(numbers[3]) > FR_JSON_ANGLE_MAX_DEG) {
        return fr_json_fail(reader, value, FR_ERROR_LIMIT, "the angle of axis_angle_deg must be from %g to %g",
                            -FR_JSON_ANGLE_MAX_DEG, FR_JSON_ANGLE_MAX_DEG);
    }
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = fr_vec3_unit(fr_vec3_make(numbers[0], numbers[1], numbers[2]), zero);
    if (fr_vec3_equal(axis, zero)) {
        return fr_json_fail(reader, value, FR_ERROR_ARGUMENT, "the axis of axis_angle_deg is zero");
    }
    *out = fr_quat_from_axis_angle(axis, fr_radians(numbers[3]));
    return true;
}

bool fr_json_read_rotation(fr_json_reader *reader, fr_json_value quaternion, fr_json_value axis_angle, fr_quat *out) {
    if (quaternion != FR_JSON_NONE && axis_angle != FR_JSON_NONE) {
        return fr_json_fail(reader, fr_json_key(axis_angle), FR_ERROR_SYNTAX, "rotation is given already");
    }
    if (quaternion != FR_JSON_NONE) { return read_quaternion(reader, quaternion, out); }
    return axis_angle == FR_JSON_NONE || read_axis_angle(reader, axis_angle, out);
}
