// The nodes of VRML97 and those of X3D that go with geometry: one description for both front ends. A field has a name,
// a type, an access and the value it has where a file gives none. Fields that only the one or the other language has
// stand side by side: a file of either is read by the same table.
#include "vrml.h"

#include <string.h>

#define F(name, type, access, ...)                                                                                     \
    { {name, sizeof(name) - 1}, FR__##type, FR__##access, {__VA_ARGS__}, false, false }
#define P(name, type, access)                                                                                          \
    { {name, sizeof(name) - 1}, FR__##type, FR__##access, {0.0f}, true, false }
// A field that nodes of VRML97 have in X3D alone.
#define X(name, type, access, ...)                                                                                     \
    { {name, sizeof(name) - 1}, FR__##type, FR__##access, {__VA_ARGS__}, false, true }

// Fields that several nodes have.
#define KIDS                                                                                                           \
    F("addChildren", MFNODE, EVENT_IN, 0.0f), F("removeChildren", MFNODE, EVENT_IN, 0.0f),                             \
        F("children", MFNODE, EXPOSED, 0.0f)
#define BOUNDS F("bboxCenter", SFVEC3F, FIELD, 0.0f), F("bboxSize", SFVEC3F, FIELD, -1.0f, -1.0f, -1.0f)
#define X_BOUNDS X("bboxCenter", SFVEC3F, FIELD, 0.0f), X("bboxSize", SFVEC3F, FIELD, -1.0f, -1.0f, -1.0f)
#define URL F("url", MFSTRING, EXPOSED, 0.0f)
#define BINDING                                                                                                        \
    F("set_bind", SFBOOL, EVENT_IN, 0.0f), F("isBound", SFBOOL, EVENT_OUT, 0.0f), X("bindTime", SFTIME, EVENT_OUT, 0.0f)
#define LIGHT                                                                                                          \
    F("ambientIntensity", SFFLOAT, EXPOSED, 0.0f), F("color", SFCOLOR, EXPOSED, 1.0f, 1.0f, 1.0f),                     \
        F("intensity", SFFLOAT, EXPOSED, 1.0f), F("on", SFBOOL, EXPOSED, 1.0f), X("global", SFBOOL, EXPOSED, 0.0f)
#define PLAYING                                                                                                        \
    F("startTime", SFTIME, EXPOSED, 0.0f), F("stopTime", SFTIME, EXPOSED, 0.0f), F("loop", SFBOOL, EXPOSED, 0.0f),     \
        X("pauseTime", SFTIME, EXPOSED, 0.0f), X("resumeTime", SFTIME, EXPOSED, 0.0f),                                 \
        F("isActive", SFBOOL, EVENT_OUT, 0.0f), X("isPaused", SFBOOL, EVENT_OUT, 0.0f),                                \
        X("elapsedTime", SFTIME, EVENT_OUT, 0.0f)
#define CODED                                                                                                          \
    F("coord", SFNODE, EXPOSED, 0.0f), F("color", SFNODE, EXPOSED, 0.0f), F("normal", SFNODE, EXPOSED, 0.0f),          \
        F("texCoord", SFNODE, EXPOSED, 0.0f), X("attrib", MFNODE, EXPOSED, 0.0f),                                      \
        X("fogCoord", SFNODE, EXPOSED, 0.0f), F("ccw", SFBOOL, FIELD, 1.0f), F("solid", SFBOOL, FIELD, 1.0f),          \
        F("colorPerVertex", SFBOOL, FIELD, 1.0f), F("normalPerVertex", SFBOOL, FIELD, 1.0f)
#define MOVED                                                                                                          \
    F("center", SFVEC3F, EXPOSED, 0.0f), F("rotation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f),                   \
        F("scale", SFVEC3F, EXPOSED, 1.0f, 1.0f, 1.0f),                                                                \
        F("scaleOrientation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f), F("translation", SFVEC3F, EXPOSED, 0.0f)
#define DRAG                                                                                                           \
    F("autoOffset", SFBOOL, EXPOSED, 1.0f), F("enabled", SFBOOL, EXPOSED, 1.0f),                                       \
        X("description", SFSTRING, EXPOSED, 0.0f), F("isActive", SFBOOL, EVENT_OUT, 0.0f),                             \
        X("isOver", SFBOOL, EVENT_OUT, 0.0f), F("trackPoint_changed", SFVEC3F, EVENT_OUT, 0.0f)

static const fr__field anchor_fields[] = {KIDS, F("description", SFSTRING, EXPOSED, 0.0f),
                                          F("parameter", MFSTRING, EXPOSED, 0.0f), URL, BOUNDS};
static const fr__field appearance_fields[] = {
    F("material", SFNODE, EXPOSED, 0.0f),         F("texture", SFNODE, EXPOSED, 0.0f),
    F("textureTransform", SFNODE, EXPOSED, 0.0f), X("fillProperties", SFNODE, EXPOSED, 0.0f),
    X("lineProperties", SFNODE, EXPOSED, 0.0f),   X("shaders", MFNODE, EXPOSED, 0.0f),
    X("backMaterial", SFNODE, EXPOSED, 0.0f),     X("alphaMode", SFSTRING, EXPOSED, 0.0f),
    X("alphaCutoff", SFFLOAT, EXPOSED, 0.5f)};
static const fr__field audio_clip_fields[] = {F("description", SFSTRING, EXPOSED, 0.0f),
                                              F("pitch", SFFLOAT, EXPOSED, 1.0f),
                                              F("duration_changed", SFTIME, EVENT_OUT, 0.0f), URL, PLAYING};
static const fr__field background_fields[] = {
    F("groundAngle", MFFLOAT, EXPOSED, 0.0f),  F("groundColor", MFCOLOR, EXPOSED, 0.0f),
    F("backUrl", MFSTRING, EXPOSED, 0.0f),     F("bottomUrl", MFSTRING, EXPOSED, 0.0f),
    F("frontUrl", MFSTRING, EXPOSED, 0.0f),    F("leftUrl", MFSTRING, EXPOSED, 0.0f),
    F("rightUrl", MFSTRING, EXPOSED, 0.0f),    F("topUrl", MFSTRING, EXPOSED, 0.0f),
    F("skyAngle", MFFLOAT, EXPOSED, 0.0f),     F("skyColor", MFCOLOR, EXPOSED, 0.0f),
    X("transparency", SFFLOAT, EXPOSED, 0.0f), BINDING};
static const fr__field billboard_fields[] = {KIDS, F("axisOfRotation", SFVEC3F, EXPOSED, 0.0f, 1.0f, 0.0f), BOUNDS};
static const fr__field boolean_filter_fields[] = {
    F("set_boolean", SFBOOL, EVENT_IN, 0.0f), F("inputFalse", SFBOOL, EVENT_OUT, 0.0f),
    F("inputNegate", SFBOOL, EVENT_OUT, 0.0f), F("inputTrue", SFBOOL, EVENT_OUT, 0.0f)};
static const fr__field boolean_sequencer_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("next", SFBOOL, EVENT_IN, 0.0f),
    F("previous", SFBOOL, EVENT_IN, 0.0f),      F("key", MFFLOAT, EXPOSED, 0.0f),
    F("keyValue", MFBOOL, EXPOSED, 0.0f),       F("value_changed", SFBOOL, EVENT_OUT, 0.0f)};
static const fr__field boolean_toggle_fields[] = {F("set_boolean", SFBOOL, EVENT_IN, 0.0f),
                                                  F("toggle", SFBOOL, EXPOSED, 0.0f)};
static const fr__field boolean_trigger_fields[] = {F("set_triggerTime", SFTIME, EVENT_IN, 0.0f),
                                                   F("triggerTrue", SFBOOL, EVENT_OUT, 0.0f)};
static const fr__field box_fields[] = {F("size", SFVEC3F, FIELD, 2.0f, 2.0f, 2.0f), X("solid", SFBOOL, FIELD, 1.0f)};
static const fr__field cadassembly_fields[] = {KIDS, F("name", SFSTRING, EXPOSED, 0.0f), BOUNDS};
static const fr__field cadface_fields[] = {F("shape", SFNODE, EXPOSED, 0.0f), F("name", SFSTRING, EXPOSED, 0.0f),
                                           BOUNDS};
static const fr__field cadlayer_fields[] = {KIDS, F("name", SFSTRING, EXPOSED, 0.0f),
                                            F("visible", MFBOOL, EXPOSED, 0.0f)};
static const fr__field cadpart_fields[] = {KIDS, MOVED, F("name", SFSTRING, EXPOSED, 0.0f), BOUNDS};
static const fr__field collision_fields[] = {KIDS,
                                             F("collide", SFBOOL, EXPOSED, 1.0f),
                                             X("enabled", SFBOOL, EXPOSED, 1.0f),
                                             F("proxy", SFNODE, FIELD, 0.0f),
                                             F("collideTime", SFTIME, EVENT_OUT, 0.0f),
                                             X("isActive", SFBOOL, EVENT_OUT, 0.0f),
                                             BOUNDS};
static const fr__field color_fields[] = {F("color", MFCOLOR, EXPOSED, 0.0f)};
static const fr__field color_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFCOLOR, EXPOSED, 0.0f),
    F("value_changed", SFCOLOR, EVENT_OUT, 0.0f)};
static const fr__field color_rgba_fields[] = {F("color", MFCOLOR_ALPHA, EXPOSED, 0.0f)};
static const fr__field cone_fields[] = {F("bottomRadius", SFFLOAT, FIELD, 1.0f), F("height", SFFLOAT, FIELD, 2.0f),
                                        F("side", SFBOOL, FIELD, 1.0f), F("bottom", SFBOOL, FIELD, 1.0f),
                                        X("solid", SFBOOL, FIELD, 1.0f)};
static const fr__field coordinate_fields[] = {P("point", MFVEC3F, EXPOSED)};
static const fr__field coordinate_double_fields[] = {P("point", MFVEC3D, EXPOSED)};
static const fr__field coordinate_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFVEC3F, EXPOSED, 0.0f),
    F("value_changed", MFVEC3F, EVENT_OUT, 0.0f)};
static const fr__field coordinate_interpolator2_d_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFVEC2F, EXPOSED, 0.0f),
    F("value_changed", MFVEC2F, EVENT_OUT, 0.0f)};
static const fr__field cylinder_fields[] = {F("bottom", SFBOOL, FIELD, 1.0f),  F("height", SFFLOAT, FIELD, 2.0f),
                                            F("radius", SFFLOAT, FIELD, 1.0f), F("side", SFBOOL, FIELD, 1.0f),
                                            F("top", SFBOOL, FIELD, 1.0f),     X("solid", SFBOOL, FIELD, 1.0f)};
static const fr__field cylinder_sensor_fields[] = {DRAG,
                                                   F("diskAngle", SFFLOAT, EXPOSED, 0.262f),
                                                   F("maxAngle", SFFLOAT, EXPOSED, -1.0f),
                                                   F("minAngle", SFFLOAT, EXPOSED, 0.0f),
                                                   F("offset", SFFLOAT, EXPOSED, 0.0f),
                                                   X("axisRotation", SFROTATION, EXPOSED, 0.0f, 1.0f, 0.0f, 0.0f),
                                                   F("rotation_changed", SFROTATION, EVENT_OUT, 0.0f)};
static const fr__field directional_light_fields[] = {LIGHT, F("direction", SFVEC3F, EXPOSED, 0.0f, 0.0f, -1.0f)};
static const fr__field elevation_grid_fields[] = {F("set_height", MFFLOAT, EVENT_IN, 0.0f),
                                                  F("color", SFNODE, EXPOSED, 0.0f),
                                                  F("normal", SFNODE, EXPOSED, 0.0f),
                                                  F("texCoord", SFNODE, EXPOSED, 0.0f),
                                                  X("attrib", MFNODE, EXPOSED, 0.0f),
                                                  X("fogCoord", SFNODE, EXPOSED, 0.0f),
                                                  P("height", MFFLOAT, FIELD),
                                                  F("ccw", SFBOOL, FIELD, 1.0f),
                                                  F("colorPerVertex", SFBOOL, FIELD, 1.0f),
                                                  F("creaseAngle", SFFLOAT, FIELD, 0.0f),
                                                  F("normalPerVertex", SFBOOL, FIELD, 1.0f),
                                                  F("solid", SFBOOL, FIELD, 1.0f),
                                                  F("xDimension", SFINT32, FIELD, 0.0f),
                                                  F("xSpacing", SFFLOAT, FIELD, 1.0f),
                                                  F("zDimension", SFINT32, FIELD, 0.0f),
                                                  F("zSpacing", SFFLOAT, FIELD, 1.0f)};
static const fr__field extrusion_fields[] = {F("set_crossSection", MFVEC2F, EVENT_IN, 0.0f),
                                             F("set_orientation", MFROTATION, EVENT_IN, 0.0f),
                                             F("set_scale", MFVEC2F, EVENT_IN, 0.0f),
                                             F("set_spine", MFVEC3F, EVENT_IN, 0.0f),
                                             F("beginCap", SFBOOL, FIELD, 1.0f),
                                             F("ccw", SFBOOL, FIELD, 1.0f),
                                             F("convex", SFBOOL, FIELD, 1.0f),
                                             F("creaseAngle", SFFLOAT, FIELD, 0.0f),
                                             F("crossSection", MFVEC2F, FIELD, 0.0f),
                                             F("endCap", SFBOOL, FIELD, 1.0f),
                                             F("orientation", MFROTATION, FIELD, 0.0f),
                                             F("scale", MFVEC2F, FIELD, 0.0f),
                                             F("solid", SFBOOL, FIELD, 1.0f),
                                             F("spine", MFVEC3F, FIELD, 0.0f)};
static const fr__field fill_properties_fields[] = {
    F("filled", SFBOOL, EXPOSED, 1.0f), F("hatchColor", SFCOLOR, EXPOSED, 1.0f, 1.0f, 1.0f),
    F("hatched", SFBOOL, EXPOSED, 1.0f), F("hatchStyle", SFINT32, EXPOSED, 1.0f)};
static const fr__field fog_fields[] = {F("color", SFCOLOR, EXPOSED, 1.0f, 1.0f, 1.0f),
                                       F("fogType", SFSTRING, EXPOSED, 0.0f),
                                       F("visibilityRange", SFFLOAT, EXPOSED, 0.0f), BINDING};
static const fr__field font_style_fields[] = {
    F("family", MFSTRING, FIELD, 0.0f),   F("horizontal", SFBOOL, FIELD, 1.0f),  F("justify", MFSTRING, FIELD, 0.0f),
    F("language", SFSTRING, FIELD, 0.0f), F("leftToRight", SFBOOL, FIELD, 1.0f), F("size", SFFLOAT, FIELD, 1.0f),
    F("spacing", SFFLOAT, FIELD, 1.0f),   F("style", SFSTRING, FIELD, 0.0f),     F("topToBottom", SFBOOL, FIELD, 1.0f)};
static const fr__field group_fields[] = {KIDS, BOUNDS};
// H-Anim (ISO/IEC 19774), of its versions 1 and 2 side by side.
#define BODY                                                                                                           \
    F("name", SFSTRING, EXPOSED, 0.0f), F("bboxDisplay", SFBOOL, EXPOSED, 0.0f), F("visible", SFBOOL, EXPOSED, 1.0f)
static const fr__field hanim_displacer_fields[] = {
    F("coordIndex", MFINT32, EXPOSED, 0.0f), F("displacements", MFVEC3F, EXPOSED, 0.0f),
    F("name", SFSTRING, EXPOSED, 0.0f), F("weight", SFFLOAT, EXPOSED, 0.0f)};
static const fr__field hanim_humanoid_fields[] = {MOVED,
                                                  BODY,
                                                  BOUNDS,
                                                  F("skeleton", MFNODE, EXPOSED, 0.0f),
                                                  F("skin", MFNODE, EXPOSED, 0.0f),
                                                  F("skinCoord", SFNODE, EXPOSED, 0.0f),
                                                  F("skinNormal", SFNODE, EXPOSED, 0.0f),
                                                  F("skinBindingCoords", SFNODE, EXPOSED, 0.0f),
                                                  F("skinBindingNormals", SFNODE, EXPOSED, 0.0f),
                                                  F("viewpoints", MFNODE, EXPOSED, 0.0f),
                                                  F("joints", MFNODE, EXPOSED, 0.0f),
                                                  F("segments", MFNODE, EXPOSED, 0.0f),
                                                  F("sites", MFNODE, EXPOSED, 0.0f),
                                                  F("motions", MFNODE, EXPOSED, 0.0f),
                                                  F("motionsEnabled", MFBOOL, EXPOSED, 0.0f),
                                                  F("jointBindingPositions", MFVEC3F, EXPOSED, 0.0f),
                                                  F("jointBindingRotations", MFROTATION, EXPOSED, 0.0f),
                                                  F("jointBindingScales", MFVEC3F, EXPOSED, 0.0f),
                                                  F("skeletalConfiguration", SFSTRING, EXPOSED, 0.0f),
                                                  F("loa", SFINT32, EXPOSED, -1.0f),
                                                  F("info", MFSTRING, EXPOSED, 0.0f),
                                                  F("version", SFSTRING, EXPOSED, 0.0f)};
static const fr__field hanim_joint_fields[] = {KIDS,
                                               MOVED,
                                               BODY,
                                               BOUNDS,
                                               F("displacers", MFNODE, EXPOSED, 0.0f),
                                               F("limitOrientation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f),
                                               F("llimit", MFFLOAT, EXPOSED, 0.0f),
                                               F("ulimit", MFFLOAT, EXPOSED, 0.0f),
                                               F("stiffness", MFFLOAT, EXPOSED, 0.0f),
                                               F("skinCoordIndex", MFINT32, EXPOSED, 0.0f),
                                               F("skinCoordWeight", MFFLOAT, EXPOSED, 0.0f)};
static const fr__field hanim_segment_fields[] = {KIDS,
                                                 BODY,
                                                 BOUNDS,
                                                 F("centerOfMass", SFVEC3F, EXPOSED, 0.0f),
                                                 F("coord", SFNODE, EXPOSED, 0.0f),
                                                 F("displacers", MFNODE, EXPOSED, 0.0f),
                                                 F("mass", SFFLOAT, EXPOSED, 0.0f),
                                                 F("momentsOfInertia", MFFLOAT, EXPOSED, 0.0f)};
static const fr__field hanim_site_fields[] = {KIDS, MOVED, BODY, BOUNDS};
static const fr__field image_texture_fields[] = {URL, F("repeatS", SFBOOL, FIELD, 1.0f),
                                                 F("repeatT", SFBOOL, FIELD, 1.0f),
                                                 X("textureProperties", SFNODE, FIELD, 0.0f)};
static const fr__field indexed_face_set_fields[] = {CODED,
                                                    F("coordIndex", MFINT32, FIELD, 0.0f),
                                                    F("colorIndex", MFINT32, FIELD, 0.0f),
                                                    F("normalIndex", MFINT32, FIELD, 0.0f),
                                                    F("texCoordIndex", MFINT32, FIELD, 0.0f),
                                                    F("convex", SFBOOL, FIELD, 1.0f),
                                                    F("creaseAngle", SFFLOAT, FIELD, 0.0f),
                                                    F("set_colorIndex", MFINT32, EVENT_IN, 0.0f),
                                                    F("set_coordIndex", MFINT32, EVENT_IN, 0.0f),
                                                    F("set_normalIndex", MFINT32, EVENT_IN, 0.0f),
                                                    F("set_texCoordIndex", MFINT32, EVENT_IN, 0.0f)};
static const fr__field indexed_line_set_fields[] = {
    F("coord", SFNODE, EXPOSED, 0.0f),           F("color", SFNODE, EXPOSED, 0.0f),
    X("attrib", MFNODE, EXPOSED, 0.0f),          X("fogCoord", SFNODE, EXPOSED, 0.0f),
    F("coordIndex", MFINT32, FIELD, 0.0f),       F("colorIndex", MFINT32, FIELD, 0.0f),
    F("colorPerVertex", SFBOOL, FIELD, 1.0f),    F("set_colorIndex", MFINT32, EVENT_IN, 0.0f),
    F("set_coordIndex", MFINT32, EVENT_IN, 0.0f)};
static const fr__field indexed_quad_set_fields[] = {CODED, F("index", MFINT32, FIELD, 0.0f),
                                                    F("set_index", MFINT32, EVENT_IN, 0.0f)};
static const fr__field indexed_triangle_fan_set_fields[] = {CODED, F("index", MFINT32, FIELD, 0.0f),
                                                            F("set_index", MFINT32, EVENT_IN, 0.0f)};
static const fr__field indexed_triangle_set_fields[] = {CODED, F("index", MFINT32, FIELD, 0.0f),
                                                        F("set_index", MFINT32, EVENT_IN, 0.0f)};
static const fr__field indexed_triangle_strip_set_fields[] = {CODED, F("index", MFINT32, FIELD, 0.0f),
                                                              F("set_index", MFINT32, EVENT_IN, 0.0f)};
static const fr__field inline_fields[] = {URL, X("load", SFBOOL, EXPOSED, 1.0f), BOUNDS};
static const fr__field integer_sequencer_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("next", SFBOOL, EVENT_IN, 0.0f),
    F("previous", SFBOOL, EVENT_IN, 0.0f),      F("key", MFFLOAT, EXPOSED, 0.0f),
    F("keyValue", MFINT32, EXPOSED, 0.0f),      F("value_changed", SFINT32, EVENT_OUT, 0.0f)};
static const fr__field integer_trigger_fields[] = {F("set_boolean", SFBOOL, EVENT_IN, 0.0f),
                                                   F("integerKey", SFINT32, EXPOSED, -1.0f),
                                                   F("triggerValue", SFINT32, EVENT_OUT, 0.0f)};
static const fr__field key_sensor_fields[] = {
    F("enabled", SFBOOL, EXPOSED, 1.0f), F("isActive", SFBOOL, EVENT_OUT, 0.0f),
    F("keyPress", SFSTRING, EVENT_OUT, 0.0f), F("keyRelease", SFSTRING, EVENT_OUT, 0.0f)};
static const fr__field lod_fields[] = {
    X("addChildren", MFNODE, EVENT_IN, 0.0f),   X("removeChildren", MFNODE, EVENT_IN, 0.0f),
    F("level", MFNODE, EXPOSED, 0.0f),          X("children", MFNODE, EXPOSED, 0.0f),
    F("center", SFVEC3F, FIELD, 0.0f),          F("range", MFFLOAT, FIELD, 0.0f),
    X("forceTransitions", SFBOOL, FIELD, 0.0f), X_BOUNDS};
static const fr__field line_properties_fields[] = {F("applied", SFBOOL, EXPOSED, 1.0f),
                                                   F("linetype", SFINT32, EXPOSED, 1.0f),
                                                   F("linewidthScaleFactor", SFFLOAT, EXPOSED, 0.0f)};
static const fr__field line_set_fields[] = {F("coord", SFNODE, EXPOSED, 0.0f), F("color", SFNODE, EXPOSED, 0.0f),
                                            F("attrib", MFNODE, EXPOSED, 0.0f), F("fogCoord", SFNODE, EXPOSED, 0.0f),
                                            F("vertexCount", MFINT32, EXPOSED, 0.0f)};
static const fr__field load_sensor_fields[] = {
    F("enabled", SFBOOL, EXPOSED, 1.0f),    F("timeOut", SFTIME, EXPOSED, 0.0f),
    F("watchList", MFNODE, EXPOSED, 0.0f),  F("isActive", SFBOOL, EVENT_OUT, 0.0f),
    F("isLoaded", SFBOOL, EVENT_OUT, 0.0f), F("loadTime", SFTIME, EVENT_OUT, 0.0f),
    F("progress", SFFLOAT, EVENT_OUT, 0.0f)};
static const fr__field material_fields[] = {
    F("ambientIntensity", SFFLOAT, EXPOSED, 0.2f), F("diffuseColor", SFCOLOR, EXPOSED, 0.8f, 0.8f, 0.8f),
    F("emissiveColor", SFCOLOR, EXPOSED, 0.0f),    F("shininess", SFFLOAT, EXPOSED, 0.2f),
    F("specularColor", SFCOLOR, EXPOSED, 0.0f),    F("transparency", SFFLOAT, EXPOSED, 0.0f)};
static const fr__field metadata_boolean_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFBOOL, EXPOSED, 0.0f)};
static const fr__field metadata_double_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFDOUBLE, EXPOSED, 0.0f)};
static const fr__field metadata_float_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFFLOAT, EXPOSED, 0.0f)};
static const fr__field metadata_integer_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFINT32, EXPOSED, 0.0f)};
static const fr__field metadata_set_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFNODE, EXPOSED, 0.0f)};
static const fr__field metadata_string_fields[] = {
    F("name", SFSTRING, EXPOSED, 0.0f), F("reference", SFSTRING, EXPOSED, 0.0f), F("value", MFSTRING, EXPOSED, 0.0f)};
static const fr__field movie_texture_fields[] = {URL,
                                                 F("speed", SFFLOAT, EXPOSED, 1.0f),
                                                 X("description", SFSTRING, EXPOSED, 0.0f),
                                                 F("repeatS", SFBOOL, FIELD, 1.0f),
                                                 F("repeatT", SFBOOL, FIELD, 1.0f),
                                                 F("duration_changed", SFTIME, EVENT_OUT, 0.0f),
                                                 PLAYING};
static const fr__field multi_texture_fields[] = {
    F("alpha", SFFLOAT, EXPOSED, 1.0f),     F("color", SFCOLOR, EXPOSED, 1.0f, 1.0f, 1.0f),
    F("function", MFSTRING, EXPOSED, 0.0f), F("mode", MFSTRING, EXPOSED, 0.0f),
    F("source", MFSTRING, EXPOSED, 0.0f),   F("texture", MFNODE, EXPOSED, 0.0f)};
static const fr__field multi_texture_coordinate_fields[] = {F("texCoord", MFNODE, EXPOSED, 0.0f)};
static const fr__field multi_texture_transform_fields[] = {F("textureTransform", MFNODE, EXPOSED, 0.0f)};
static const fr__field navigation_info_fields[] = {F("avatarSize", MFFLOAT, EXPOSED, 0.0f),
                                                   F("headlight", SFBOOL, EXPOSED, 1.0f),
                                                   F("speed", SFFLOAT, EXPOSED, 1.0f),
                                                   F("type", MFSTRING, EXPOSED, 0.0f),
                                                   X("transitionType", MFSTRING, EXPOSED, 0.0f),
                                                   X("transitionTime", SFTIME, EXPOSED, 0.0f),
                                                   F("visibilityLimit", SFFLOAT, EXPOSED, 0.0f),
                                                   X("transitionComplete", SFBOOL, EVENT_OUT, 0.0f),
                                                   BINDING};
static const fr__field normal_fields[] = {F("vector", MFVEC3F, EXPOSED, 0.0f)};
static const fr__field normal_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFVEC3F, EXPOSED, 0.0f),
    F("value_changed", MFVEC3F, EVENT_OUT, 0.0f)};
static const fr__field orientation_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f),
    F("keyValue", MFROTATION, EXPOSED, 0.0f), F("value_changed", SFROTATION, EVENT_OUT, 0.0f)};
static const fr__field ortho_viewpoint_fields[] = {F("description", SFSTRING, EXPOSED, 0.0f),
                                                   F("position", SFVEC3F, EXPOSED, 0.0f, 0.0f, 10.0f),
                                                   F("orientation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f),
                                                   F("centerOfRotation", SFVEC3F, EXPOSED, 0.0f),
                                                   F("fieldOfView", MFFLOAT, EXPOSED, 0.0f),
                                                   F("jump", SFBOOL, EXPOSED, 1.0f),
                                                   F("retainUserOffsets", SFBOOL, EXPOSED, 0.0f),
                                                   BINDING};
static const fr__field pixel_texture_fields[] = {F("image", SFIMAGE, EXPOSED, 0.0f), F("repeatS", SFBOOL, FIELD, 1.0f),
                                                 F("repeatT", SFBOOL, FIELD, 1.0f),
                                                 X("textureProperties", SFNODE, FIELD, 0.0f)};
static const fr__field plane_sensor_fields[] = {DRAG,
                                                X("axisRotation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f),
                                                F("maxPosition", SFVEC2F, EXPOSED, -1.0f, -1.0f),
                                                F("minPosition", SFVEC2F, EXPOSED, 0.0f),
                                                F("offset", SFVEC3F, EXPOSED, 0.0f),
                                                F("translation_changed", SFVEC3F, EVENT_OUT, 0.0f)};
static const fr__field point_light_fields[] = {LIGHT, F("attenuation", SFVEC3F, EXPOSED, 1.0f, 0.0f, 0.0f),
                                               F("location", SFVEC3F, EXPOSED, 0.0f),
                                               F("radius", SFFLOAT, EXPOSED, 100.0f)};
static const fr__field point_set_fields[] = {F("coord", SFNODE, EXPOSED, 0.0f), F("color", SFNODE, EXPOSED, 0.0f),
                                             X("attrib", MFNODE, EXPOSED, 0.0f), X("fogCoord", SFNODE, EXPOSED, 0.0f)};
static const fr__field position_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFVEC3F, EXPOSED, 0.0f),
    F("value_changed", SFVEC3F, EVENT_OUT, 0.0f)};
static const fr__field position_interpolator2_d_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFVEC2F, EXPOSED, 0.0f),
    F("value_changed", SFVEC2F, EVENT_OUT, 0.0f)};
static const fr__field proximity_sensor_fields[] = {F("center", SFVEC3F, EXPOSED, 0.0f),
                                                    F("size", SFVEC3F, EXPOSED, 0.0f),
                                                    F("enabled", SFBOOL, EXPOSED, 1.0f),
                                                    F("isActive", SFBOOL, EVENT_OUT, 0.0f),
                                                    F("position_changed", SFVEC3F, EVENT_OUT, 0.0f),
                                                    F("orientation_changed", SFROTATION, EVENT_OUT, 0.0f),
                                                    X("centerOfRotation_changed", SFVEC3F, EVENT_OUT, 0.0f),
                                                    F("enterTime", SFTIME, EVENT_OUT, 0.0f),
                                                    F("exitTime", SFTIME, EVENT_OUT, 0.0f)};
static const fr__field quad_set_fields[] = {CODED};
static const fr__field scalar_interpolator_fields[] = {
    F("set_fraction", SFFLOAT, EVENT_IN, 0.0f), F("key", MFFLOAT, EXPOSED, 0.0f), F("keyValue", MFFLOAT, EXPOSED, 0.0f),
    F("value_changed", SFFLOAT, EVENT_OUT, 0.0f)};
static const fr__field script_fields[] = {URL, F("directOutput", SFBOOL, FIELD, 0.0f),
                                          F("mustEvaluate", SFBOOL, FIELD, 0.0f),
                                          F("nodes of its fields", MFNODE, FIELD, 0.0f)};
static const fr__field shape_fields[] = {F("appearance", SFNODE, EXPOSED, 0.0f), F("geometry", SFNODE, EXPOSED, 0.0f),
                                         X_BOUNDS};
static const fr__field sound_fields[] = {F("direction", SFVEC3F, EXPOSED, 0.0f, 0.0f, 1.0f),
                                         F("intensity", SFFLOAT, EXPOSED, 1.0f),
                                         F("location", SFVEC3F, EXPOSED, 0.0f),
                                         F("maxBack", SFFLOAT, EXPOSED, 10.0f),
                                         F("maxFront", SFFLOAT, EXPOSED, 10.0f),
                                         F("minBack", SFFLOAT, EXPOSED, 1.0f),
                                         F("minFront", SFFLOAT, EXPOSED, 1.0f),
                                         F("priority", SFFLOAT, EXPOSED, 0.0f),
                                         F("source", SFNODE, EXPOSED, 0.0f),
                                         F("spatialize", SFBOOL, FIELD, 1.0f)};
static const fr__field sphere_fields[] = {F("radius", SFFLOAT, FIELD, 1.0f), X("solid", SFBOOL, FIELD, 1.0f)};
static const fr__field sphere_sensor_fields[] = {DRAG, F("offset", SFROTATION, EXPOSED, 0.0f, 1.0f, 0.0f, 0.0f),
                                                 F("rotation_changed", SFROTATION, EVENT_OUT, 0.0f)};
static const fr__field spot_light_fields[] = {LIGHT,
                                              F("attenuation", SFVEC3F, EXPOSED, 1.0f, 0.0f, 0.0f),
                                              F("beamWidth", SFFLOAT, EXPOSED, 1.570796f),
                                              F("cutOffAngle", SFFLOAT, EXPOSED, 0.785398f),
                                              F("direction", SFVEC3F, EXPOSED, 0.0f, 0.0f, -1.0f),
                                              F("location", SFVEC3F, EXPOSED, 0.0f),
                                              F("radius", SFFLOAT, EXPOSED, 100.0f)};
static const fr__field static_group_fields[] = {F("children", MFNODE, FIELD, 0.0f), BOUNDS};
static const fr__field string_sensor_fields[] = {
    F("deletionAllowed", SFBOOL, EXPOSED, 1.0f), F("enabled", SFBOOL, EXPOSED, 1.0f),
    F("enteredText", SFSTRING, EVENT_OUT, 0.0f), F("finalText", SFSTRING, EVENT_OUT, 0.0f),
    F("isActive", SFBOOL, EVENT_OUT, 0.0f)};
static const fr__field switch_fields[] = {
    X("addChildren", MFNODE, EVENT_IN, 0.0f),  X("removeChildren", MFNODE, EVENT_IN, 0.0f),
    F("choice", MFNODE, EXPOSED, 0.0f),        X("children", MFNODE, EXPOSED, 0.0f),
    F("whichChoice", SFINT32, EXPOSED, -1.0f), X_BOUNDS};
static const fr__field text_fields[] = {
    F("string", MFSTRING, EXPOSED, 0.0f),  F("fontStyle", SFNODE, EXPOSED, 0.0f),
    F("length", MFFLOAT, EXPOSED, 0.0f),   F("maxExtent", SFFLOAT, EXPOSED, 0.0f),
    X("solid", SFBOOL, FIELD, 0.0f),       X("lineBounds", MFVEC2F, EVENT_OUT, 0.0f),
    X("origin", SFVEC3F, EVENT_OUT, 0.0f), X("textBounds", SFVEC2F, EVENT_OUT, 0.0f)};
static const fr__field texture_background_fields[] = {
    F("groundAngle", MFFLOAT, EXPOSED, 0.0f),  F("groundColor", MFCOLOR, EXPOSED, 0.0f),
    F("backTexture", SFNODE, EXPOSED, 0.0f),   F("bottomTexture", SFNODE, EXPOSED, 0.0f),
    F("frontTexture", SFNODE, EXPOSED, 0.0f),  F("leftTexture", SFNODE, EXPOSED, 0.0f),
    F("rightTexture", SFNODE, EXPOSED, 0.0f),  F("topTexture", SFNODE, EXPOSED, 0.0f),
    F("skyAngle", MFFLOAT, EXPOSED, 0.0f),     F("skyColor", MFCOLOR, EXPOSED, 0.0f),
    F("transparency", SFFLOAT, EXPOSED, 0.0f), BINDING};
static const fr__field texture_coordinate_fields[] = {F("point", MFVEC2F, EXPOSED, 0.0f)};
static const fr__field texture_coordinate_generator_fields[] = {F("mode", SFSTRING, EXPOSED, 0.0f),
                                                                F("parameter", MFFLOAT, EXPOSED, 0.0f)};
static const fr__field texture_transform_fields[] = {
    F("center", SFVEC2F, EXPOSED, 0.0f), F("rotation", SFFLOAT, EXPOSED, 0.0f),
    F("scale", SFVEC2F, EXPOSED, 1.0f, 1.0f), F("translation", SFVEC2F, EXPOSED, 0.0f)};
static const fr__field time_sensor_fields[] = {
    F("cycleInterval", SFTIME, EXPOSED, 1.0f), F("enabled", SFBOOL, EXPOSED, 1.0f),
    F("cycleTime", SFTIME, EVENT_OUT, 0.0f),   F("fraction_changed", SFFLOAT, EVENT_OUT, 0.0f),
    F("time", SFTIME, EVENT_OUT, 0.0f),        PLAYING};
static const fr__field time_trigger_fields[] = {F("set_boolean", SFBOOL, EVENT_IN, 0.0f),
                                                F("triggerTime", SFTIME, EVENT_OUT, 0.0f)};
static const fr__field touch_sensor_fields[] = {F("enabled", SFBOOL, EXPOSED, 1.0f),
                                                X("description", SFSTRING, EXPOSED, 0.0f),
                                                F("hitNormal_changed", SFVEC3F, EVENT_OUT, 0.0f),
                                                F("hitPoint_changed", SFVEC3F, EVENT_OUT, 0.0f),
                                                F("hitTexCoord_changed", SFVEC2F, EVENT_OUT, 0.0f),
                                                F("isActive", SFBOOL, EVENT_OUT, 0.0f),
                                                F("isOver", SFBOOL, EVENT_OUT, 0.0f),
                                                F("touchTime", SFTIME, EVENT_OUT, 0.0f)};
static const fr__field transform_fields[] = {KIDS, MOVED, BOUNDS};
static const fr__field triangle_fan_set_fields[] = {CODED, F("fanCount", MFINT32, EXPOSED, 0.0f),
                                                    F("set_fanCount", MFINT32, EVENT_IN, 0.0f)};
static const fr__field triangle_set_fields[] = {CODED};
static const fr__field triangle_strip_set_fields[] = {CODED, F("stripCount", MFINT32, EXPOSED, 0.0f),
                                                      F("set_stripCount", MFINT32, EVENT_IN, 0.0f)};
static const fr__field two_sided_material_fields[] = {F("ambientIntensity", SFFLOAT, EXPOSED, 0.2f),
                                                      F("backAmbientIntensity", SFFLOAT, EXPOSED, 0.2f),
                                                      F("backDiffuseColor", SFCOLOR, EXPOSED, 0.8f, 0.8f, 0.8f),
                                                      F("backEmissiveColor", SFCOLOR, EXPOSED, 0.0f),
                                                      F("backShininess", SFFLOAT, EXPOSED, 0.2f),
                                                      F("backSpecularColor", SFCOLOR, EXPOSED, 0.0f),
                                                      F("backTransparency", SFFLOAT, EXPOSED, 0.0f),
                                                      F("diffuseColor", SFCOLOR, EXPOSED, 0.8f, 0.8f, 0.8f),
                                                      F("emissiveColor", SFCOLOR, EXPOSED, 0.0f),
                                                      F("separateBackColor", SFBOOL, EXPOSED, 0.0f),
                                                      F("shininess", SFFLOAT, EXPOSED, 0.2f),
                                                      F("specularColor", SFCOLOR, EXPOSED, 0.0f),
                                                      F("transparency", SFFLOAT, EXPOSED, 0.0f)};
static const fr__field unlit_material_fields[] = {F("emissiveColor", SFCOLOR, EXPOSED, 1.0f, 1.0f, 1.0f),
                                                  F("transparency", SFFLOAT, EXPOSED, 0.0f)};
static const fr__field viewpoint_fields[] = {F("description", SFSTRING, FIELD, 0.0f),
                                             F("fieldOfView", SFFLOAT, EXPOSED, 0.785398f),
                                             F("jump", SFBOOL, EXPOSED, 1.0f),
                                             F("orientation", SFROTATION, EXPOSED, 0.0f, 0.0f, 1.0f, 0.0f),
                                             F("position", SFVEC3F, EXPOSED, 0.0f, 0.0f, 10.0f),
                                             X("centerOfRotation", SFVEC3F, EXPOSED, 0.0f),
                                             X("retainUserOffsets", SFBOOL, EXPOSED, 0.0f),
                                             F("bindTime", SFTIME, EVENT_OUT, 0.0f),
                                             BINDING};
static const fr__field viewpoint_group_fields[] = {KIDS,
                                                   F("center", SFVEC3F, EXPOSED, 0.0f),
                                                   F("description", SFSTRING, EXPOSED, 0.0f),
                                                   F("displayed", SFBOOL, EXPOSED, 1.0f),
                                                   F("retainUserOffsets", SFBOOL, EXPOSED, 0.0f),
                                                   F("size", SFVEC3F, EXPOSED, 0.0f)};
static const fr__field visibility_sensor_fields[] = {
    F("center", SFVEC3F, EXPOSED, 0.0f),    F("enabled", SFBOOL, EXPOSED, 1.0f),
    F("size", SFVEC3F, EXPOSED, 0.0f),      F("enterTime", SFTIME, EVENT_OUT, 0.0f),
    F("exitTime", SFTIME, EVENT_OUT, 0.0f), F("isActive", SFBOOL, EVENT_OUT, 0.0f)};
static const fr__field world_info_fields[] = {F("info", MFSTRING, FIELD, 0.0f), F("title", SFSTRING, FIELD, 0.0f)};

#define N(name, kind, container, fields)                                                                               \
    { name, FR__KIND_##kind, container, fields, sizeof(fields) / sizeof(fields)[0], NULL, false }
// A node that only X3D has.
#define XN(name, kind, container, fields)                                                                              \
    { name, FR__KIND_##kind, container, fields, sizeof(fields) / sizeof(fields)[0], NULL, true }

// By name.
static const fr__vtype types[] = {
    N("Anchor", GROUP, "children", anchor_fields),
    N("Appearance", APPEARANCE, "appearance", appearance_fields),
    N("AudioClip", AUDIO, "source", audio_clip_fields),
    N("Background", OTHER, "children", background_fields),
    N("Billboard", BILLBOARD, "children", billboard_fields),
    XN("BooleanFilter", OTHER, "children", boolean_filter_fields),
    XN("BooleanSequencer", OTHER, "children", boolean_sequencer_fields),
    XN("BooleanToggle", OTHER, "children", boolean_toggle_fields),
    XN("BooleanTrigger", OTHER, "children", boolean_trigger_fields),
    N("Box", BOX, "geometry", box_fields),
    XN("CADAssembly", GROUP, "children", cadassembly_fields),
    XN("CADFace", GROUP, "children", cadface_fields),
    XN("CADLayer", GROUP, "children", cadlayer_fields),
    XN("CADPart", TRANSFORM, "children", cadpart_fields),
    N("Collision", COLLISION, "children", collision_fields),
    N("Color", OTHER, "color", color_fields),
    N("ColorInterpolator", INTERPOLATOR, "children", color_interpolator_fields),
    XN("ColorRGBA", OTHER, "color", color_rgba_fields),
    N("Cone", CONE, "geometry", cone_fields),
    N("Coordinate", COORDINATE, "coord", coordinate_fields),
    XN("CoordinateDouble", COORDINATE, "coord", coordinate_double_fields),
    N("CoordinateInterpolator", INTERPOLATOR, "children", coordinate_interpolator_fields),
    XN("CoordinateInterpolator2D", OTHER, "children", coordinate_interpolator2_d_fields),
    N("Cylinder", CYLINDER, "geometry", cylinder_fields),
    N("CylinderSensor", OTHER, "children", cylinder_sensor_fields),
    N("DirectionalLight", NOTE, "children", directional_light_fields),
    N("ElevationGrid", ELEVATION_GRID, "geometry", elevation_grid_fields),
    N("Extrusion", EXTRUSION, "geometry", extrusion_fields),
    XN("FillProperties", OTHER, "fillProperties", fill_properties_fields),
    N("Fog", OTHER, "children", fog_fields),
    N("FontStyle", OTHER, "fontStyle", font_style_fields),
    N("Group", GROUP, "children", group_fields),
    XN("HAnimDisplacer", OTHER, "displacers", hanim_displacer_fields),
    XN("HAnimHumanoid", HUMANOID, "children", hanim_humanoid_fields),
    XN("HAnimJoint", TRANSFORM, "children", hanim_joint_fields),
    XN("HAnimSegment", GROUP, "children", hanim_segment_fields),
    XN("HAnimSite", TRANSFORM, "children", hanim_site_fields),
    N("ImageTexture", IMAGE_TEXTURE, "texture", image_texture_fields),
    N("IndexedFaceSet", FACES, "geometry", indexed_face_set_fields),
    N("IndexedLineSet", LINES, "geometry", indexed_line_set_fields),
    XN("IndexedQuadSet", QUADS, "geometry", indexed_quad_set_fields),
    XN("IndexedTriangleFanSet", FANS, "geometry", indexed_triangle_fan_set_fields),
    XN("IndexedTriangleSet", TRIANGLES, "geometry", indexed_triangle_set_fields),
    XN("IndexedTriangleStripSet", STRIPS, "geometry", indexed_triangle_strip_set_fields),
    N("Inline", INLINE, "children", inline_fields),
    XN("IntegerSequencer", OTHER, "children", integer_sequencer_fields),
    XN("IntegerTrigger", OTHER, "children", integer_trigger_fields),
    XN("KeySensor", OTHER, "children", key_sensor_fields),
    N("LOD", LOD, "children", lod_fields),
    XN("LineProperties", OTHER, "lineProperties", line_properties_fields),
    XN("LineSet", LINES, "geometry", line_set_fields),
    XN("LoadSensor", OTHER, "children", load_sensor_fields),
    N("Material", MATERIAL, "material", material_fields),
    XN("MetadataBoolean", OTHER, "metadata", metadata_boolean_fields),
    XN("MetadataDouble", OTHER, "metadata", metadata_double_fields),
    XN("MetadataFloat", OTHER, "metadata", metadata_float_fields),
    XN("MetadataInteger", OTHER, "metadata", metadata_integer_fields),
    XN("MetadataSet", OTHER, "metadata", metadata_set_fields),
    XN("MetadataString", OTHER, "metadata", metadata_string_fields),
    N("MovieTexture", TEXTURE, "texture", movie_texture_fields),
    XN("MultiTexture", TEXTURE, "texture", multi_texture_fields),
    XN("MultiTextureCoordinate", OTHER, "texCoord", multi_texture_coordinate_fields),
    XN("MultiTextureTransform", OTHER, "textureTransform", multi_texture_transform_fields),
    N("NavigationInfo", OTHER, "children", navigation_info_fields),
    N("Normal", OTHER, "normal", normal_fields),
    N("NormalInterpolator", INTERPOLATOR, "children", normal_interpolator_fields),
    N("OrientationInterpolator", INTERPOLATOR, "children", orientation_interpolator_fields),
    XN("OrthoViewpoint", NOTE, "children", ortho_viewpoint_fields),
    N("PixelTexture", PIXEL_TEXTURE, "texture", pixel_texture_fields),
    N("PlaneSensor", OTHER, "children", plane_sensor_fields),
    N("PointLight", NOTE, "children", point_light_fields),
    N("PointSet", POINTS, "geometry", point_set_fields),
    N("PositionInterpolator", INTERPOLATOR, "children", position_interpolator_fields),
    XN("PositionInterpolator2D", OTHER, "children", position_interpolator2_d_fields),
    N("ProximitySensor", OTHER, "children", proximity_sensor_fields),
    XN("QuadSet", QUADS, "geometry", quad_set_fields),
    N("ScalarInterpolator", INTERPOLATOR, "children", scalar_interpolator_fields),
    N("Script", SCRIPT, "children", script_fields),
    N("Shape", SHAPE, "children", shape_fields),
    N("Sound", SOUND, "children", sound_fields),
    N("Sphere", SPHERE, "geometry", sphere_fields),
    N("SphereSensor", OTHER, "children", sphere_sensor_fields),
    N("SpotLight", NOTE, "children", spot_light_fields),
    XN("StaticGroup", GROUP, "children", static_group_fields),
    XN("StringSensor", OTHER, "children", string_sensor_fields),
    N("Switch", SWITCH, "children", switch_fields),
    N("Text", OTHER, "geometry", text_fields),
    XN("TextureBackground", OTHER, "children", texture_background_fields),
    N("TextureCoordinate", OTHER, "texCoord", texture_coordinate_fields),
    XN("TextureCoordinateGenerator", OTHER, "texCoord", texture_coordinate_generator_fields),
    N("TextureTransform", OTHER, "textureTransform", texture_transform_fields),
    N("TimeSensor", CLOCK, "children", time_sensor_fields),
    XN("TimeTrigger", OTHER, "children", time_trigger_fields),
    N("TouchSensor", OTHER, "children", touch_sensor_fields),
    N("Transform", TRANSFORM, "children", transform_fields),
    XN("TriangleFanSet", FANS, "geometry", triangle_fan_set_fields),
    XN("TriangleSet", TRIANGLES, "geometry", triangle_set_fields),
    XN("TriangleStripSet", STRIPS, "geometry", triangle_strip_set_fields),
    XN("TwoSidedMaterial", MATERIAL, "material", two_sided_material_fields),
    XN("UnlitMaterial", MATERIAL, "material", unlit_material_fields),
    N("Viewpoint", NOTE, "children", viewpoint_fields),
    XN("ViewpointGroup", GROUP, "children", viewpoint_group_fields),
    N("VisibilitySensor", OTHER, "children", visibility_sensor_fields),
    N("WorldInfo", NOTE, "children", world_info_fields),
};

static const fr__field unknown_fields[] = {F("children", MFNODE, EXPOSED, 0.0f),
                                           F("nodes of its fields", MFNODE, EXPOSED, 0.0f)};
const fr__vtype fr__unknown_type = {
    "a node that is not known", FR__KIND_UNKNOWN, "children", unknown_fields, 2, NULL, false};

const fr__vtype *fr__vtype_find_in(const fr__vtype *sorted, size_t count, fr__span name) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        // A name from a string may have any bytes, a zero too.
        size_t length = strlen(sorted[middle].name);
        int order = memcmp(sorted[middle].name, name.begin, length < name.length ? length : name.length);
        if (order == 0) { order = (length > name.length) - (length < name.length); }
        if (order == 0) { return &sorted[middle]; }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const fr__vtype *fr__vtype_find(fr__span name) {
    return fr__vtype_find_in(types, sizeof types / sizeof types[0], name);
}

uint32_t fr__field_find(const fr__vtype *type, fr__span name) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        fr__span other = type->fields[i].name;
        if (other.length == name.length && memcmp(other.begin, name.begin, name.length) == 0) { return i; }
    }
    return FR_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Types of fields

static const fr__field_kind kinds[] = {
#define FR__FIELD_KIND(name, text, storage, width) {text, storage, width},
    FR__FIELD_TYPES(FR__FIELD_KIND)
#undef FR__FIELD_KIND
};

const fr__field_kind *fr__field_kind_of(fr__field_type type) { return &kinds[(unsigned)type / 2]; }

fr__field_type fr__field_type_find(fr__span name) {
    if (name.length < 3 || name.begin[1] != 'F') { return FR__FIELD_TYPE_COUNT; }
    fr__span rest = {name.begin + 2, name.length - 2};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strlen(kinds[i].name) != rest.length || memcmp(kinds[i].name, rest.begin, rest.length) != 0) { continue; }
        if (name.begin[0] == 'S') { return (fr__field_type)(2 * i); }
        if (name.begin[0] == 'M') { return (fr__field_type)(2 * i + 1); }
    }
    return FR__FIELD_TYPE_COUNT;
}

bool fr__access_find(fr__span name, fr__access *access) {
    static const struct {
        const char *name;
        fr__access access;
    } words[] = {{"field", FR__FIELD},        {"exposedField", FR__EXPOSED}, {"eventIn", FR__EVENT_IN},
                 {"eventOut", FR__EVENT_OUT}, {"initializeOnly", FR__FIELD}, {"inputOutput", FR__EXPOSED},
                 {"inputOnly", FR__EVENT_IN}, {"outputOnly", FR__EVENT_OUT}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].name) == name.length && memcmp(words[i].name, name.begin, name.length) == 0) {
            *access = words[i].access;
            return true;
        }
    }
    return false;
}
