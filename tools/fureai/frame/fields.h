// Several fields of a JSON object in one call, each written by the type of its value.
#ifndef FUREAI_TOOL_FIELDS_H
#define FUREAI_TOOL_FIELDS_H

#include "fureai/json.h"
#include "fureai/math.h"

// A field with the list of a vector's coordinates.
static inline void json_vec3_field(fr_json_writer *j, const char *key, fr_vec3 v) {
    const double numbers[3] = {v.x, v.y, v.z};
    fr_json_write_numbers_field(j, key, numbers, 3);
}

// One field. A comparison has the type int in C: cast it to bool.
#define JSON_FIELD(j, key, value)                                                                                      \
    _Generic((value), bool                                                                                             \
             : fr_json_write_bool_field, char *                                                                        \
             : fr_json_write_string_field, const char *                                                                \
             : fr_json_write_string_field, float                                                                       \
             : fr_json_write_number_field, double                                                                      \
             : fr_json_write_number_field, fr_vec3                                                                     \
             : json_vec3_field, int                                                                                    \
             : fr_json_write_int_field, long                                                                           \
             : fr_json_write_int_field, long long                                                                      \
             : fr_json_write_int_field, unsigned char                                                                  \
             : fr_json_write_uint_field, unsigned short                                                                \
             : fr_json_write_uint_field, unsigned                                                                      \
             : fr_json_write_uint_field, unsigned long                                                                 \
             : fr_json_write_uint_field, unsigned long long                                                            \
             : fr_json_write_uint_field)(j, key, value)

#define JSON_FIELDS_1(j, key, value) JSON_FIELD(j, key, value)
#define JSON_FIELDS_2(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_1(j, __VA_ARGS__)
#define JSON_FIELDS_3(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_2(j, __VA_ARGS__)
#define JSON_FIELDS_4(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_3(j, __VA_ARGS__)
#define JSON_FIELDS_5(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_4(j, __VA_ARGS__)
#define JSON_FIELDS_6(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_5(j, __VA_ARGS__)
#define JSON_FIELDS_7(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_6(j, __VA_ARGS__)
#define JSON_FIELDS_8(j, key, value, ...) JSON_FIELD(j, key, value), JSON_FIELDS_7(j, __VA_ARGS__)
#define JSON_FIELDS_PICK(a, b, c, d, e, f, g, h, i, k, l, m, n, o, p, q, picked, ...) picked

// Writes up to eight fields: json_fields(j, "name", text, "count", count, ...).
#define json_fields(j, ...)                                                                                            \
    JSON_FIELDS_PICK(__VA_ARGS__, JSON_FIELDS_8, 0, JSON_FIELDS_7, 0, JSON_FIELDS_6, 0, JSON_FIELDS_5, 0,              \
                     JSON_FIELDS_4, 0, JSON_FIELDS_3, 0, JSON_FIELDS_2, 0, JSON_FIELDS_1, 0)                           \
    (j, __VA_ARGS__)

#endif
