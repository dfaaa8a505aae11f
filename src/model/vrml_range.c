// The values that VRML97 allows for the fields of its nodes (ISO/IEC 14772-1, clauses 5 and 6), for strict readings.
#include "vrml_strict.h"

#include <math.h>
#include <string.h>

#define QUARTER 1.5707963267948966
#define SLACK 1e-3 // angles are written with few digits

typedef struct field_range {
    const char *type, *field;
    double low, high;
    bool is_low_open; // the bound itself is outside
} field_range;

static const field_range ranges[] = {
    {"AudioClip", "pitch", 0.0, INFINITY, true},
    {"Background", "groundAngle", 0.0, QUARTER + SLACK, false},
    {"Background", "skyAngle", 0.0, 2.0 * QUARTER + SLACK, false},
    {"Box", "size", 0.0, INFINITY, true},
    {"Cone", "bottomRadius", 0.0, INFINITY, true},
    {"Cone", "height", 0.0, INFINITY, true},
    {"Cylinder", "height", 0.0, INFINITY, true},
    {"Cylinder", "radius", 0.0, INFINITY, true},
    {"CylinderSensor", "diskAngle", 0.0, QUARTER + SLACK, false},
    {"CylinderSensor", "maxAngle", -4.0 * QUARTER - SLACK, 4.0 * QUARTER + SLACK, false},
    {"CylinderSensor", "minAngle", -4.0 * QUARTER - SLACK, 4.0 * QUARTER + SLACK, false},
    {"DirectionalLight", "ambientIntensity", 0.0, 1.0, false},
    {"DirectionalLight", "intensity", 0.0, 1.0, false},
    {"ElevationGrid", "creaseAngle", 0.0, INFINITY, false},
    {"ElevationGrid", "xDimension", 0.0, INFINITY, false},
    {"ElevationGrid", "xSpacing", 0.0, INFINITY, true},
    {"ElevationGrid", "zDimension", 0.0, INFINITY, false},
    {"ElevationGrid", "zSpacing", 0.0, INFINITY, true},
    {"Extrusion", "creaseAngle", 0.0, INFINITY, false},
    {"Extrusion", "scale", 0.0, INFINITY, true},
    {"Fog", "visibilityRange", 0.0, INFINITY, false},
    {"FontStyle", "size", 0.0, INFINITY, true},
    {"FontStyle", "spacing", 0.0, INFINITY, false},
    {"IndexedFaceSet", "colorIndex", -1.0, INFINITY, false},
    {"IndexedFaceSet", "coordIndex", -1.0, INFINITY, false},
    {"IndexedFaceSet", "creaseAngle", 0.0, INFINITY, false},
    {"IndexedFaceSet", "normalIndex", -1.0, INFINITY, false},
    {"IndexedFaceSet", "texCoordIndex", -1.0, INFINITY, false},
    {"IndexedLineSet", "colorIndex", -1.0, INFINITY, false},
    {"IndexedLineSet", "coordIndex", -1.0, INFINITY, false},
    {"LOD", "range", 0.0, INFINITY, true},
    {"Material", "ambientIntensity", 0.0, 1.0, false},
    {"Material", "shininess", 0.0, 1.0, false},
    {"Material", "transparency", 0.0, 1.0, false},
    {"NavigationInfo", "avatarSize", 0.0, INFINITY, false},
    {"NavigationInfo", "speed", 0.0, INFINITY, false},
    {"NavigationInfo", "visibilityLimit", 0.0, INFINITY, false},
    {"PointLight", "ambientIntensity", 0.0, 1.0, false},
    {"PointLight", "attenuation", 0.0, INFINITY, false},
    {"PointLight", "intensity", 0.0, 1.0, false},
    {"PointLight", "radius", 0.0, INFINITY, false},
    {"ProximitySensor", "size", 0.0, INFINITY, false},
    {"Sound", "intensity", 0.0, 1.0, false},
    {"Sound", "maxBack", 0.0, INFINITY, false},
    {"Sound", "maxFront", 0.0, INFINITY, false},
    {"Sound", "minBack", 0.0, INFINITY, false},
    {"Sound", "minFront", 0.0, INFINITY, false},
    {"Sound", "priority", 0.0, 1.0, false},
    {"Sphere", "radius", 0.0, INFINITY, true},
    {"SpotLight", "ambientIntensity", 0.0, 1.0, false},
    {"SpotLight", "attenuation", 0.0, INFINITY, false},
    {"SpotLight", "beamWidth", 0.0, QUARTER + SLACK, true},
    {"SpotLight", "cutOffAngle", 0.0, QUARTER + SLACK, true},
    {"SpotLight", "intensity", 0.0, 1.0, false},
    {"SpotLight", "radius", 0.0, INFINITY, false},
    {"Switch", "whichChoice", -1.0, INFINITY, false},
    {"Text", "length", 0.0, INFINITY, false},
    {"Text", "maxExtent", 0.0, INFINITY, false},
    {"TimeSensor", "cycleInterval", 0.0, INFINITY, true},
    {"Transform", "scale", 0.0, INFINITY, true},
    {"Viewpoint", "fieldOfView", 0.0, 2.0 * QUARTER, true},
    {"VisibilitySensor", "size", 0.0, INFINITY, false},
};

static const struct {
    const char *type, *field;
    const char *words[5];
} choices[] = {{"Fog", "fogType", {"LINEAR", "EXPONENTIAL"}},
               {"FontStyle", "justify", {"", "BEGIN", "END", "FIRST", "MIDDLE"}},
               {"FontStyle", "style", {"", "PLAIN", "BOLD", "ITALIC", "BOLDITALIC"}}};

static bool is_name(fr__span span, const char *name) {
    return strlen(name) == span.length && memcmp(name, span.begin, span.length) == 0;
}

static double number_at(const fr__value *value, size_t i) {
    switch (value->storage) {
    case FR__FLOATS: return (double)value->floats[i];
    case FR__DOUBLES: return value->doubles[i];
    default: return (double)value->wholes[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One value

static fr_status check_range(fr__vrml *vrml, const fr__vnode *node, const fr__field *field, const fr__value *value,
                             const field_range *range) {
    size_t count = (size_t)value->count * fr__field_kind_of(field->type)->width;
    for (size_t i = 0; i < count; i++) {
        double number = number_at(value, i);
        bool is_low = range->is_low_open ? number <= range->low : number < range->low;
        if (!is_low && number <= range->high) { continue; }
        return fr__vrml_problem(vrml, value->at, "%g is %s for '%.*s' of %s", number,
                                is_low ? "too small" : "too large", FR__SHOW(field->name), node->type->name);
    }
    return FR_OK;
}

// A box is that of a size, or none: -1 -1 -1.
static fr_status check_box(fr__vrml *vrml, const fr__value *value) {
    const float *size = value->floats;
    if (value->count == 0) { return FR_OK; }
    bool is_none = size[0] == -1.0f && size[1] == -1.0f && size[2] == -1.0f;
    if (is_none || (size[0] >= 0.0f && size[1] >= 0.0f && size[2] >= 0.0f)) { return FR_OK; }
    return fr__vrml_problem(vrml, value->at, "a bboxSize below 0 that is not -1 -1 -1");
}

static fr_status check_words(fr__vrml *vrml, const fr__vnode *node, const fr__field *field, const fr__value *value) {
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        bool is_meant = strcmp(choices[i].type, node->type->name) == 0 && is_name(field->name, choices[i].field);
        for (uint32_t k = 0; is_meant && k < value->count; k++) {
            bool is_right = false;
            for (int w = 0; w < 5 && choices[i].words[w] != NULL; w++) {
                is_right |= is_name(value->strings[k], choices[i].words[w]);
            }
            if (is_right) { continue; }
            return fr__vrml_problem(vrml, value->at, "\"%.*s\" is no %.*s of %s", FR__SHOW(value->strings[k]),
                                    FR__SHOW(field->name), node->type->name);
        }
    }
    return FR_OK;
}

static fr_status check_value(fr__vrml *vrml, const fr__vnode *node, const fr__value *value) {
    static const field_range color = {"", "", 0.0, 1.0, false};
    const fr__field *field = &node->type->fields[value->field];
    if (value->storage == FR__NODES) { return FR_OK; }
    if (value->storage == FR__STRINGS) { return check_words(vrml, node, field, value); }
    if (is_name(field->name, "bboxSize")) { return check_box(vrml, value); }
    if (field->type == FR__SFCOLOR || field->type == FR__MFCOLOR) {
        return check_range(vrml, node, field, value, &color);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        bool is_meant = strcmp(ranges[i].type, node->type->name) == 0 && is_name(field->name, ranges[i].field);
        if (is_meant) { return check_range(vrml, node, field, value, &ranges[i]); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Values that belong together

static fr_status check_order(fr__vrml *vrml, const fr__vnode *node, const char *field, bool may_stay) {
    const fr__value *value = fr__value_find(node, field);
    for (uint32_t i = 1; value != NULL && i < value->count; i++) {
        bool is_right = may_stay ? value->floats[i] >= value->floats[i - 1] : value->floats[i] > value->floats[i - 1];
        if (is_right) { continue; }
        return fr__vrml_problem(vrml, value->at, "'%s' of %s decreases from %g to %g", field, node->type->name,
                                (double)value->floats[i - 1], (double)value->floats[i]);
    }
    return FR_OK;
}

static uint32_t count_of(const fr__vnode *node, const char *field) {
    const fr__value *value = fr__value_find(node, field);
    return value != NULL ? value->count : 0;
}

static bool is_redirected(const fr__vnode *node, const char *field) {
    for (uint32_t i = 0; i < node->value_count; i++) {
        const fr__value *value = &node->values[i];
        if (value->is_redirect && is_name(node->type->fields[value->field].name, field)) { return true; }
    }
    return false;
}

// As many values as keys, or as many for each key.
static fr_status check_keys(fr__vrml *vrml, const fr__vnode *node) {
    FR__TRY(check_order(vrml, node, "key", true));
    if (is_redirected(node, "key") || is_redirected(node, "keyValue")) { return FR_OK; }
    uint32_t keys = count_of(node, "key"), values = count_of(node, "keyValue");
    bool is_list = strcmp(node->type->name, "CoordinateInterpolator") == 0;
    is_list = is_list || strcmp(node->type->name, "NormalInterpolator") == 0;
    bool is_right = is_list && keys > 0 ? values % keys == 0 : values == keys;
    if (is_right) { return FR_OK; }
    return fr__vrml_problem(vrml, node->at, "%s has %u keys and %u values", node->type->name, keys, values);
}

// One color more than angles; the sky has one where none is given.
static fr_status check_background(fr__vrml *vrml, const fr__vnode *node) {
    static const char *const fields[][2] = {{"skyAngle", "skyColor"}, {"groundAngle", "groundColor"}};
    for (int i = 0; i < 2; i++) {
        FR__TRY(check_order(vrml, node, fields[i][0], true));
        if (is_redirected(node, fields[i][0]) || is_redirected(node, fields[i][1])) { continue; }
        uint32_t angles = count_of(node, fields[i][0]), colors = count_of(node, fields[i][1]);
        if (i == 0 && fr__value_find(node, "skyColor") == NULL) { colors = 1; }
        if (colors == angles + 1 || (colors == 0 && angles == 0)) { continue; }
        return fr__vrml_problem(vrml, node->at, "Background has %u of %s and %u of %s", colors, fields[i][1], angles,
                                fields[i][0]);
    }
    return FR_OK;
}

fr_status fr__strict_values(fr__vrml *vrml, const fr__vnode *node) {
    if (!fr__strict(vrml)) { return FR_OK; }
    for (uint32_t i = 0; i < node->value_count; i++) {
        if (!node->values[i].is_redirect) { FR__TRY(check_value(vrml, node, &node->values[i])); }
    }
    if (node->type->kind == FR__KIND_INTERPOLATOR) { return check_keys(vrml, node); }
    if (strcmp(node->type->name, "Background") == 0) { return check_background(vrml, node); }
    return strcmp(node->type->name, "LOD") == 0 ? check_order(vrml, node, "range", false) : FR_OK;
}
