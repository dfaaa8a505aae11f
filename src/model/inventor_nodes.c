// The nodes of VRML 1.0 and of Inventor 2.1 that go with geometry: one description for both.
#include "inventor.h"

#include <string.h>

#define F(field, sort, ...)                                                                                            \
    {                                                                                                                  \
        .name = {field, sizeof(field) - 1}, .type = FR__##sort, .access = FR__FIELD, .initial = { __VA_ARGS__ }        \
    }
#define P(field, sort)                                                                                                 \
    { .name = {field, sizeof(field) - 1}, .type = FR__##sort, .access = FR__FIELD, .is_position = true }

// Fields that several nodes have.
#define KIDS F("children", MFNODE, 0.0f)
#define LIGHT F("on", SFBOOL, 1.0f), F("intensity", SFFLOAT, 1.0f), F("color", SFCOLOR, 1.0f, 1.0f, 1.0f)
#define CAMERA                                                                                                         \
    F("viewportMapping", SFENUM, 0.0f), F("position", SFVEC3F, 0.0f, 0.0f, 1.0f),                                      \
        F("orientation", SFROTATION, 0.0f, 0.0f, 1.0f, 0.0f), F("aspectRatio", SFFLOAT, 1.0f),                         \
        F("nearDistance", SFFLOAT, 1.0f), F("farDistance", SFFLOAT, 10.0f), F("focalDistance", SFFLOAT, 5.0f)
#define CACHING                                                                                                        \
    F("renderCaching", SFENUM, 0.0f), F("boundingBoxCaching", SFENUM, 0.0f), F("renderCulling", SFENUM, 0.0f),         \
        F("pickCulling", SFENUM, 0.0f)
#define INDICES                                                                                                        \
    F("vertexProperty", SFNODE, 0.0f), F("coordIndex", MFINT32, 0.0f), F("materialIndex", MFINT32, 0.0f),              \
        F("normalIndex", MFINT32, 0.0f), F("textureCoordIndex", MFINT32, 0.0f)
#define RUNS F("vertexProperty", SFNODE, 0.0f), F("startIndex", SFINT32, 0.0f)
#define TEXTS                                                                                                          \
    F("string", MFSTRING, 0.0f), F("spacing", SFFLOAT, 1.0f), F("justification", SFENUM, 0.0f),                        \
        F("width", MFFLOAT, 0.0f), F("parts", SFENUM, 0.0f)

static const fr__field array_fields[] = {KIDS,
                                         F("origin", SFENUM, 0.0f),
                                         F("numElements1", SFINT32, 1.0f),
                                         F("numElements2", SFINT32, 1.0f),
                                         F("numElements3", SFINT32, 1.0f),
                                         F("separation1", SFVEC3F, 1.0f, 0.0f, 0.0f),
                                         F("separation2", SFVEC3F, 0.0f, 1.0f, 0.0f),
                                         F("separation3", SFVEC3F, 0.0f, 0.0f, 1.0f)};
static const fr__field base_color_fields[] = {F("rgb", MFCOLOR, 0.0f)};
static const fr__field binding_fields[] = {F("value", SFENUM, 0.0f)};
static const fr__field blinker_fields[] = {KIDS, F("whichChild", SFINT32, 0.0f), F("speed", SFFLOAT, 1.0f),
                                           F("on", SFBOOL, 1.0f)};
static const fr__field complexity_fields[] = {F("type", SFENUM, 0.0f), F("value", SFFLOAT, 0.5f),
                                              F("textureQuality", SFFLOAT, 0.5f)};
static const fr__field cone_fields[] = {F("parts", SFENUM, 0.0f), F("bottomRadius", SFFLOAT, 1.0f),
                                        F("height", SFFLOAT, 2.0f)};
static const fr__field coordinate3_fields[] = {P("point", MFVEC3F)};
static const fr__field coordinate4_fields[] = {F("point", MFVEC4F, 0.0f)};
static const fr__field cube_fields[] = {F("width", SFFLOAT, 2.0f), F("height", SFFLOAT, 2.0f),
                                        F("depth", SFFLOAT, 2.0f)};
static const fr__field cylinder_fields[] = {F("parts", SFENUM, 0.0f), F("radius", SFFLOAT, 1.0f),
                                            F("height", SFFLOAT, 2.0f)};
static const fr__field directional_light_fields[] = {LIGHT, F("direction", SFVEC3F, 0.0f, 0.0f, -1.0f)};
static const fr__field draw_style_fields[] = {F("style", SFENUM, 0.0f), F("pointSize", SFFLOAT, 0.0f),
                                              F("lineWidth", SFFLOAT, 0.0f), F("linePattern", SFINT32, 65535.0f)};
static const fr__field environment_fields[] = {
    F("ambientIntensity", SFFLOAT, 0.2f), F("ambientColor", SFCOLOR, 1.0f, 1.0f, 1.0f),
    F("attenuation", SFVEC3F, 0.0f),      F("fogType", SFENUM, 0.0f),
    F("fogColor", SFCOLOR, 1.0f),         F("fogVisibility", SFFLOAT, 0.0f)};
static const fr__field face_set_fields[] = {RUNS, F("numVertices", MFINT32, 0.0f)};
static const fr__field file_fields[] = {F("name", SFSTRING, 0.0f)};
static const fr__field font_fields[] = {F("name", SFSTRING, 0.0f), F("size", SFFLOAT, 10.0f)};
static const fr__field font_style_fields[] = {F("size", SFFLOAT, 10.0f), F("family", SFENUM, 0.0f),
                                              F("style", SFENUM, 0.0f), F("name", SFSTRING, 0.0f)};
static const fr__field group_fields[] = {KIDS};
static const fr__field indexed_fields[] = {INDICES};
static const fr__field info_fields[] = {F("string", SFSTRING, 0.0f)};
static const fr__field label_fields[] = {F("label", SFSTRING, 0.0f)};
static const fr__field level_of_detail_fields[] = {KIDS, F("screenArea", MFFLOAT, 0.0f)};
static const fr__field light_model_fields[] = {F("model", SFENUM, 0.0f)};
static const fr__field locate_highlight_fields[] = {KIDS, F("mode", SFENUM, 0.0f), F("style", SFENUM, 0.0f),
                                                    F("color", SFCOLOR, 0.0f), CACHING};
static const fr__field lod_fields[] = {KIDS, F("range", MFFLOAT, 0.0f), F("center", SFVEC3F, 0.0f)};
static const fr__field marker_set_fields[] = {RUNS, F("numPoints", SFINT32, -1.0f), F("markerIndex", MFINT32, 0.0f)};
static const fr__field material_fields[] = {F("ambientColor", MFCOLOR, 0.2f, 0.2f, 0.2f),
                                            F("diffuseColor", MFCOLOR, 0.8f, 0.8f, 0.8f),
                                            F("specularColor", MFCOLOR, 0.0f),
                                            F("emissiveColor", MFCOLOR, 0.0f),
                                            F("shininess", MFFLOAT, 0.2f),
                                            F("transparency", MFFLOAT, 0.0f)};
static const fr__field matrix_transform_fields[] = {F("matrix", SFMATRIX4, 0.0f)};
static const fr__field multiple_copy_fields[] = {KIDS, F("matrix", MFMATRIX4, 0.0f)};
static const fr__field normal_fields[] = {F("vector", MFVEC3F, 0.0f)};
static const fr__field orthographic_camera_fields[] = {CAMERA, F("height", SFFLOAT, 2.0f)};
static const fr__field packed_color_fields[] = {F("orderedRGBA", MFINT32, 0.0f), F("rgba", MFINT32, 0.0f)};
static const fr__field perspective_camera_fields[] = {CAMERA, F("heightAngle", SFFLOAT, 0.785398f)};
static const fr__field pick_style_fields[] = {F("style", SFENUM, 0.0f)};
static const fr__field point_light_fields[] = {LIGHT, F("location", SFVEC3F, 0.0f, 0.0f, 1.0f)};
static const fr__field point_set_fields[] = {RUNS, F("numPoints", SFINT32, -1.0f)};
static const fr__field quad_mesh_fields[] = {RUNS, F("verticesPerRow", SFINT32, 1.0f),
                                             F("verticesPerColumn", SFINT32, 1.0f)};
static const fr__field reset_transform_fields[] = {F("whatToReset", SFENUM, 0.0f)};
static const fr__field rotation_fields[] = {F("rotation", SFROTATION, 0.0f, 0.0f, 1.0f, 0.0f)};
static const fr__field rotation_xyz_fields[] = {F("axis", SFENUM, 0.0f), F("angle", SFFLOAT, 0.0f)};
static const fr__field rotor_fields[] = {F("rotation", SFROTATION, 0.0f, 0.0f, 1.0f, 0.0f), F("speed", SFFLOAT, 1.0f),
                                         F("on", SFBOOL, 1.0f)};
static const fr__field scale_fields[] = {F("scaleFactor", SFVEC3F, 1.0f, 1.0f, 1.0f)};
static const fr__field selection_fields[] = {KIDS, F("policy", SFENUM, 0.0f), CACHING};
static const fr__field separator_fields[] = {KIDS, CACHING};
static const fr__field shape_hints_fields[] = {F("vertexOrdering", SFENUM, 0.0f), F("shapeType", SFENUM, 0.0f),
                                               F("faceType", SFENUM, 0.0f), F("creaseAngle", SFFLOAT, 0.0f)};
static const fr__field sphere_fields[] = {F("radius", SFFLOAT, 1.0f)};
static const fr__field spot_light_fields[] = {LIGHT, F("location", SFVEC3F, 0.0f, 0.0f, 1.0f),
                                              F("direction", SFVEC3F, 0.0f, 0.0f, -1.0f),
                                              F("dropOffRate", SFFLOAT, 0.0f), F("cutOffAngle", SFFLOAT, 0.785398f)};
static const fr__field switch_fields[] = {KIDS, F("whichChild", SFINT32, -1.0f)};
static const fr__field text_fields[] = {TEXTS};
static const fr__field texture2_fields[] = {F("filename", SFSTRING, 0.0f),
                                            F("image", SFIMAGE, 0.0f),
                                            F("wrapS", SFENUM, 0.0f),
                                            F("wrapT", SFENUM, 0.0f),
                                            F("model", SFENUM, 0.0f),
                                            F("blendColor", SFCOLOR, 0.0f),
                                            F("enableCompressedTexture", SFBOOL, 0.0f)};
static const fr__field texture2_transform_fields[] = {F("translation", SFVEC2F, 0.0f), F("rotation", SFFLOAT, 0.0f),
                                                      F("scaleFactor", SFVEC2F, 1.0f, 1.0f),
                                                      F("center", SFVEC2F, 0.0f)};
static const fr__field texture_coordinate2_fields[] = {F("point", MFVEC2F, 0.0f)};
static const fr__field transform_fields[] = {
    F("translation", SFVEC3F, 0.0f), F("rotation", SFROTATION, 0.0f, 0.0f, 1.0f, 0.0f),
    F("scaleFactor", SFVEC3F, 1.0f, 1.0f, 1.0f), F("scaleOrientation", SFROTATION, 0.0f, 0.0f, 1.0f, 0.0f),
    F("center", SFVEC3F, 0.0f)};
static const fr__field translation_fields[] = {F("translation", SFVEC3F, 0.0f)};
static const fr__field units_fields[] = {F("units", SFENUM, 0.0f)};
static const fr__field vertex_property_fields[] = {P("vertex", MFVEC3F),
                                                   F("normal", MFVEC3F, 0.0f),
                                                   F("texCoord", MFVEC2F, 0.0f),
                                                   F("orderedRGBA", MFINT32, 0.0f),
                                                   F("materialBinding", SFENUM, 0.0f),
                                                   F("normalBinding", SFENUM, 0.0f)};
static const fr__field www_anchor_fields[] = {KIDS, F("name", SFSTRING, 0.0f), F("description", SFSTRING, 0.0f),
                                              F("map", SFENUM, 0.0f), CACHING};
static const fr__field www_inline_fields[] = {F("name", SFSTRING, 0.0f), F("bboxSize", SFVEC3F, 0.0f),
                                              F("bboxCenter", SFVEC3F, 0.0f)};

// Read without looking at its fields: it has no effect on shapes.
#define NONE(node)                                                                                                     \
    { .name = node, .kind = FR__KIND_OTHER }

#define N(node, sort, list)                                                                                            \
    { .name = node, .kind = FR__##sort, .fields = list, .field_count = sizeof(list) / sizeof(list)[0] }

// In the order of strcmp.
static const fr__vtype types[] = {
    N("Annotation", INVENTOR_SEPARATOR, separator_fields),
    N("Array", INVENTOR_ARRAY, array_fields),
    N("AsciiText", INVENTOR_TEXT, text_fields),
    N("BaseColor", INVENTOR_COLOR, base_color_fields),
    N("Blinker", INVENTOR_SWITCH, blinker_fields),
    NONE("BumpMap"),
    NONE("BumpMapCoordinate"),
    NONE("BumpMapTransform"),
    NONE("Callback"),
    NONE("ClipPlane"),
    NONE("ColorIndex"),
    N("Complexity", KIND_OTHER, complexity_fields),
    N("Cone", INVENTOR_CONE, cone_fields),
    N("Coordinate3", INVENTOR_COORDINATE, coordinate3_fields),
    N("Coordinate4", INVENTOR_COORDINATE, coordinate4_fields),
    N("Cube", INVENTOR_CUBE, cube_fields),
    N("Cylinder", INVENTOR_CYLINDER, cylinder_fields),
    N("DirectionalLight", INVENTOR_NOTE, directional_light_fields),
    N("DrawStyle", INVENTOR_DRAW_STYLE, draw_style_fields),
    N("Environment", KIND_OTHER, environment_fields),
    NONE("EventCallback"),
    N("ExtSelection", INVENTOR_SEPARATOR, separator_fields),
    N("FaceSet", INVENTOR_FACE_RUNS, face_set_fields),
    N("File", INVENTOR_INLINE, file_fields),
    N("Font", KIND_OTHER, font_fields),
    N("FontStyle", KIND_OTHER, font_style_fields),
    N("Group", INVENTOR_GROUP, group_fields),
    NONE("Image"),
    N("IndexedFaceSet", INVENTOR_FACES, indexed_fields),
    N("IndexedLineSet", INVENTOR_LINES, indexed_fields),
    N("IndexedTriangleStripSet", INVENTOR_STRIPS, indexed_fields),
    N("Info", INVENTOR_NOTE, info_fields),
    N("LOD", INVENTOR_LOD, lod_fields),
    N("Label", KIND_OTHER, label_fields),
    N("LevelOfDetail", INVENTOR_LOD, level_of_detail_fields),
    N("LightModel", INVENTOR_LIGHT_MODEL, light_model_fields),
    N("LineSet", INVENTOR_LINE_RUNS, face_set_fields),
    N("LocateHighlight", INVENTOR_SEPARATOR, locate_highlight_fields),
    N("MarkerSet", INVENTOR_POINTS, marker_set_fields),
    N("Material", INVENTOR_MATERIAL, material_fields),
    N("MaterialBinding", INVENTOR_MATERIAL_BINDING, binding_fields),
    N("MatrixTransform", INVENTOR_MATRIX, matrix_transform_fields),
    N("MultipleCopy", INVENTOR_COPIES, multiple_copy_fields),
    N("Normal", INVENTOR_NORMAL, normal_fields),
    N("NormalBinding", INVENTOR_NORMAL_BINDING, binding_fields),
    N("OrthographicCamera", INVENTOR_NOTE, orthographic_camera_fields),
    N("PackedColor", INVENTOR_COLOR, packed_color_fields),
    N("PerspectiveCamera", INVENTOR_NOTE, perspective_camera_fields),
    N("PickStyle", KIND_OTHER, pick_style_fields),
    N("PointLight", INVENTOR_NOTE, point_light_fields),
    N("PointSet", INVENTOR_POINTS, point_set_fields),
    NONE("PolygonOffset"),
    N("QuadMesh", INVENTOR_QUAD_MESH, quad_mesh_fields),
    N("ResetTransform", INVENTOR_RESET, reset_transform_fields),
    N("Rotation", INVENTOR_TRANSFORM, rotation_fields),
    N("RotationXYZ", INVENTOR_ROTATION_XYZ, rotation_xyz_fields),
    N("Rotor", INVENTOR_TRANSFORM, rotor_fields),
    N("Scale", INVENTOR_TRANSFORM, scale_fields),
    N("Selection", INVENTOR_SEPARATOR, selection_fields),
    N("Separator", INVENTOR_SEPARATOR, separator_fields),
    N("ShapeHints", INVENTOR_HINTS, shape_hints_fields),
    N("Sphere", INVENTOR_SPHERE, sphere_fields),
    N("SpotLight", INVENTOR_NOTE, spot_light_fields),
    N("Switch", INVENTOR_SWITCH, switch_fields),
    N("Text2", INVENTOR_TEXT, text_fields),
    N("Text3", INVENTOR_TEXT, text_fields),
    N("Texture2", INVENTOR_TEXTURE, texture2_fields),
    N("Texture2Transform", INVENTOR_TEXTURE_TRANSFORM, texture2_transform_fields),
    NONE("Texture3"),
    NONE("Texture3Transform"),
    N("TextureCoordinate2", INVENTOR_UV, texture_coordinate2_fields),
    NONE("TextureCoordinate3"),
    N("TextureCoordinateBinding", KIND_OTHER, binding_fields),
    NONE("TextureCoordinateCube"),
    NONE("TextureCoordinateDefault"),
    NONE("TextureCoordinateEnvironment"),
    NONE("TextureCoordinatePlane"),
    N("Transform", INVENTOR_TRANSFORM, transform_fields),
    N("TransformSeparator", INVENTOR_TRANSFORM_SEPARATOR, group_fields),
    N("Translation", INVENTOR_TRANSFORM, translation_fields),
    N("TriangleStripSet", INVENTOR_STRIP_RUNS, face_set_fields),
    N("Units", INVENTOR_UNITS, units_fields),
    N("VertexProperty", INVENTOR_VERTEX_PROPERTY, vertex_property_fields),
    N("WWWAnchor", INVENTOR_SEPARATOR, www_anchor_fields),
    N("WWWInline", INVENTOR_INLINE, www_inline_fields),
};

const fr__vtype fr__inventor_unknown_type = N("", INVENTOR_GROUP, group_fields);

const fr__vtype *fr__inventor_type_find(fr__span name) {
    const fr__vtype *type = fr__vtype_find_in(types, sizeof types / sizeof types[0], name);
    // Some programs write the names of the classes.
    if (type != NULL || name.length < 3 || memcmp(name.begin, "So", 2) != 0) { return type; }
    return fr__vtype_find_in(types, sizeof types / sizeof types[0], (fr__span){name.begin + 2, name.length - 2});
}

// ---------------------------------------------------------------------------------------------------------------
// Words

bool fr__inventor_has_word(const fr__vnode *node, const char *field, const char *word, bool initial) {
    const fr__value *value = fr__value_find(node, field);
    if (value == NULL || value->storage != FR__STRINGS || value->count == 0) { return initial; }
    for (uint32_t i = 0; i < value->count; i++) {
        fr__span found = value->strings[i];
        if (found.length == strlen(word) && memcmp(found.begin, word, found.length) == 0) { return true; }
    }
    return false;
}

bool fr__inventor_is_ignored(const fr__vnode *node, const char *field) {
    uint32_t number = fr__field_find(node->type, (fr__span){field, strlen(field)});
    for (uint32_t i = node->value_count; number != FR_NONE && i-- > 0;) {
        if (node->values[i].field == number) { return node->values[i].is_redirect; }
    }
    return false;
}

fr__binding fr__inventor_binding(const fr__vnode *node, const char *field) {
    static const char *const words[] = {
        [FR__BIND_DEFAULT] = "DEFAULT",   [FR__BIND_OVERALL] = "OVERALL",
        [FR__BIND_PART] = "PER_PART",     [FR__BIND_PART_INDEXED] = "PER_PART_INDEXED",
        [FR__BIND_FACE] = "PER_FACE",     [FR__BIND_FACE_INDEXED] = "PER_FACE_INDEXED",
        [FR__BIND_VERTEX] = "PER_VERTEX", [FR__BIND_VERTEX_INDEXED] = "PER_VERTEX_INDEXED",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (fr__inventor_has_word(node, field, words[i], false)) { return (fr__binding)i; }
    }
    return FR__BIND_DEFAULT;
}
