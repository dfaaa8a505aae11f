// The shapes of VRML 1.0 and Inventor with their materials, normals and textures, against the same in VRML97.
#include "inventor_text.h"

#define POINTS "[ 0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1 ]"
#define FACES "coordIndex [ 0 1 2 3 -1 0 1 4 -1 ]"
#define RGB "[ 1 0 0, 0 1 0, 0 0 1, 1 1 0, 0 1 1, 1 0 1, 1 1 1 ]"

// A face set in VRML 1.0 after properties, and in VRML97 with fields.
static void faces_are(const char *properties, const char *old_fields, const char *material, const char *new_fields) {
    char old_text[2000], new_text[2000];
    snprintf(old_text, sizeof old_text,
             V1 "Separator { Coordinate3 { point " POINTS " } %s IndexedFaceSet { " FACES " %s } }", properties,
             old_fields);
    snprintf(new_text, sizeof new_text,
             V2 "Group { children Shape { appearance Appearance { material Material { %s } } geometry IndexedFaceSet { "
                "solid FALSE coord Coordinate { point " POINTS " } " FACES " %s } } }",
             material, new_fields);
    twins(old_text, new_text);
}

// ---------------------------------------------------------------------------------------------------------------
// Materials

static void materials_are_bound(void **state) {
    (void)state;
#define CREASE "creaseAngle 0.5 "
    static const struct {
        const char *binding, *old_fields, *new_fields;
    } cases[] = {
        {"DEFAULT", "materialIndex [ 3 2 ]", CREASE},
        {"OVERALL", "materialIndex [ 3 2 ]", CREASE},
        {"PER_PART", "materialIndex [ 3 2 ]", CREASE "colorPerVertex FALSE color Color { color " RGB " }"},
        {"PER_FACE", "", CREASE "colorPerVertex FALSE color Color { color " RGB " }"},
        {"PER_PART_INDEXED", "materialIndex [ 3 2 ]",
         CREASE "colorPerVertex FALSE colorIndex [ 3 2 ] color Color { color " RGB " }"},
        {"PER_FACE_INDEXED", "materialIndex [ 3 2 ]",
         CREASE "colorPerVertex FALSE colorIndex [ 3 2 ] color Color { color " RGB " }"},
        // Without indices of its own, in order.
        {"PER_FACE_INDEXED", "materialIndex -1", CREASE "colorPerVertex FALSE color Color { color " RGB " }"},
        {"PER_FACE_INDEXED", "", CREASE "colorPerVertex FALSE color Color { color " RGB " }"},
        {"PER_VERTEX", "", CREASE "colorIndex [ 0 1 2 3 -1 4 5 6 -1 ] color Color { color " RGB " }"},
        {"PER_VERTEX_INDEXED", "materialIndex [ 6 5 4 3 -1 2 1 0 -1 ]",
         CREASE "colorIndex [ 6 5 4 3 -1 2 1 0 -1 ] color Color { color " RGB " }"},
        // Without indices of its own, by those of the points.
        {"PER_VERTEX_INDEXED", "materialIndex [ -1 ]", CREASE "color Color { color " RGB " }"},
        {"PER_VERTEX_INDEXED", "", CREASE "color Color { color " RGB " }"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char properties[400];
        snprintf(properties, sizeof properties, "Material { diffuseColor " RGB " } MaterialBinding { value %s }",
                 cases[i].binding);
        faces_are(properties, cases[i].old_fields, "diffuseColor 1 0 0", cases[i].new_fields);
    }
    // One colour for all, whatever the binding.
    faces_are("Material { diffuseColor 0 1 0 } MaterialBinding { value PER_VERTEX }", "", "diffuseColor 0 1 0", CREASE);
    // The binding is a property as all others.
    faces_are("Material { diffuseColor " RGB " } Separator { MaterialBinding { value PER_FACE } }", "",
              "diffuseColor 1 0 0", CREASE);
    warns(V1 "Coordinate3 { point " POINTS " } Material { diffuseColor [ 1 0 0, 0 1 0 ] } MaterialBinding { value "
             "PER_VERTEX }\nIndexedFaceSet { " FACES " }",
          3, 29, "colours that are not there, grey taken: 5");
}

static void materials_have_their_numbers(void **state) {
    (void)state;
    fr_model *model =
        vrml(V1 "DEF wood Material { ambientColor 0.1 0.2 0.3 diffuseColor [ 0.5 0.25 0.25, 1 1 1 ] "
                "specularColor 0.1 0.2 0.3 emissiveColor 0.4 0.5 0.6 shininess [ 0.7 1 ] transparency 0.25 } "
                "Cube { } Separator { Material { emissiveColor 1 0 0 diffuseColor [ ] } Cube { } } Separator { "
                "Material { } Cube { } }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->material_count, 3);
    const fr_model_material *wood = &view->materials[0];
    assert_string_equal(wood->name, "wood");
    assert_true(wood->diffuse[0] == 0.5f && wood->diffuse[1] == 0.25f && wood->specular[2] == 0.3f);
    assert_true(wood->emissive[0] == 0.4f && wood->shininess == 0.7f && wood->transparency == 0.25f);
    assert_true(fabsf(wood->ambient - 0.6f) < 1e-6f);
    // A material whose light is in it.
    assert_true(view->materials[1].is_unlit && view->materials[1].diffuse[0] == 1.0f);
    assert_true(view->materials[2].diffuse[0] == 0.8f && view->materials[2].ambient == 0.2f);
    fr_model_destroy(model);
    warns(V1 "Material { diffuseColor 2 0 0 } Cube { }", 2, 25, "diffuseColor outside of 0 .. 1");

    model =
        vrml(IV "Material { shininess 0.5 } BaseColor { rgb 1 0 0 } Cube { } PackedColor { orderedRGBA 0x00ff0080 } "
                "Cube { } LightModel { model BASE_COLOR } Cube { }");
    view = fr_model_get(model);
    assert_int_equal(view->material_count, 3);
    assert_true(view->materials[0].diffuse[0] == 1.0f && view->materials[0].shininess == 0.5f);
    assert_true(view->materials[1].diffuse[1] == 1.0f && view->materials[1].diffuse[0] == 0.0f);
    assert_true(fabsf(view->materials[1].transparency - 127.0f / 255.0f) < 1e-6f);
    assert_true(view->materials[2].is_unlit && view->materials[2].diffuse[1] == 1.0f);
    fr_model_destroy(model);
}

static void parts_of_primitives_have_colours(void **state) {
    (void)state;
    fr_model *model =
        vrml(V1 "Material { diffuseColor " RGB " } MaterialBinding { value PER_PART } Cube { } Cylinder { } "
                "Cone { } Sphere { } Translation { translation 5 0 0 } Cube { } MaterialBinding { value "
                "PER_FACE } Cube { } Cone { }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 5); // equal cubes share one
    assert_null(view->meshes[3].face_colors);
    assert_null(view->meshes[4].face_colors); // a cone has no faces but parts
    // Front, back, left, right, top, bottom; each polygon has the colour of the side that its normal shows to.
    static const double normals[6][3] = {{0, 0, 1}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    static const uint8_t colors[6][3] = {{255, 0, 0},   {0, 255, 0},   {0, 0, 255},
                                         {255, 255, 0}, {0, 255, 255}, {255, 0, 255}};
    for (uint32_t face = 0; face < 6; face++) {
        const float *n = view->meshes[0].corner_normals + (size_t)3 * fr_model_face_begin(&view->meshes[0], face);
        int part = 0;
        while (part < 6 && !((double)n[0] == normals[part][0] && (double)n[1] == normals[part][1] &&
                             (double)n[2] == normals[part][2])) {
            part++;
        }
        assert_true(part < 6);
        assert_memory_equal(&view->meshes[0].face_colors[face], colors[part], 3);
    }
    const fr_model_mesh *cylinder = &view->meshes[1], *cone = &view->meshes[2];
    assert_memory_equal(&cylinder->face_colors[0], colors[0], 3);
    assert_memory_equal(&cylinder->face_colors[cylinder->face_count - 2], colors[1], 3);
    assert_memory_equal(&cylinder->face_colors[cylinder->face_count - 1], colors[2], 3);
    assert_memory_equal(&cone->face_colors[cone->face_count - 1], colors[1], 3);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Normals and hints

static void normals_are_bound(void **state) {
    (void)state;
#define VECTORS "[ 1 0 0, 0 1 0, 0 0 1, -1 0 0, 0 -1 0, 0 0 -1, 0.6 0.8 0 ]"
#define NORMAL "normal Normal { vector " VECTORS " } "
    static const struct {
        const char *binding, *old_fields, *new_fields;
    } cases[] = {
        {"", "", NORMAL},
        {"NormalBinding { }", "", NORMAL},
        {"NormalBinding { value DEFAULT }", "normalIndex [ 6 5 4 3 -1 2 1 0 -1 ]",
         NORMAL "normalIndex [ 6 5 4 3 -1 2 1 0 -1 ]"},
        {"NormalBinding { value PER_VERTEX_INDEXED }", "normalIndex -1", NORMAL},
        {"NormalBinding { value PER_VERTEX }", "normalIndex [ 6 5 ]", NORMAL "normalIndex [ 0 1 2 3 -1 4 5 6 -1 ]"},
        {"NormalBinding { value PER_FACE }", "", NORMAL "normalPerVertex FALSE"},
        {"NormalBinding { value PER_PART_INDEXED }", "normalIndex [ 3 1 ]",
         NORMAL "normalPerVertex FALSE normalIndex [ 3 1 ]"},
        {"NormalBinding { value PER_FACE_INDEXED }", "normalIndex [ 3 1 ]",
         NORMAL "normalPerVertex FALSE normalIndex [ 3 1 ]"},
        {"NormalBinding { value OVERALL }", "", NORMAL "normalPerVertex FALSE normalIndex [ 0 0 ]"},
        // Those that are too few are made by the crease angle.
        {"NormalBinding { value PER_VERTEX_INDEXED }", "normalIndex [ 6 5 4 7 -1 2 1 0 -1 ]", CREASE},
        {"Normal { vector [ 1 0 0 ] }", "", CREASE},
        {"Normal { vector [ ] }", "", CREASE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char properties[400];
        snprintf(properties, sizeof properties, "Normal { vector " VECTORS " } %s", cases[i].binding);
        faces_are(properties, cases[i].old_fields, "", cases[i].new_fields);
    }
}

static void hints_are_followed(void **state) {
    (void)state;
    faces_are("ShapeHints { creaseAngle 3.2 }", "", "", "creaseAngle 3.2");
    faces_are("ShapeHints { creaseAngle 0 }", "", "", "");
    faces_are("ShapeHints { vertexOrdering CLOCKWISE }", "", "", "ccw FALSE " CREASE);
    faces_are("ShapeHints { vertexOrdering COUNTERCLOCKWISE shapeType SOLID faceType CONVEX }", "", "",
              "solid TRUE " CREASE);
    faces_are("ShapeHints { shapeType SOLID }", "", "", CREASE); // without an order there is no back
    faces_are("ShapeHints { creaseAngle 3.2 vertexOrdering CLOCKWISE } ShapeHints { }", "", "", CREASE);
    faces_are("Separator { ShapeHints { vertexOrdering CLOCKWISE creaseAngle 3 } }", "", "", CREASE);
    // Inventor begins without smoothing.
    twins(IV "Coordinate3 { point " POINTS " } IndexedFaceSet { " FACES " }",
          V2 "Shape { appearance Appearance { material Material { } } geometry IndexedFaceSet { solid FALSE coord "
             "Coordinate { point " POINTS " } " FACES " } }");
}

// ---------------------------------------------------------------------------------------------------------------
// Textures

static void textures_are_laid_on(void **state) {
    (void)state;
#define PICTURE "image 2 1 3 0xff0000 0x00ff00"
#define UVS "[ 0 0, 1 0, 1 1, 0 1, 0.5 0.5 ]"
#define TEXTURED(fields, more)                                                                                         \
    V2 "Shape { appearance Appearance { material Material { } texture PixelTexture { " PICTURE " " more                \
       " } geometry IndexedFaceSet { solid FALSE creaseAngle 0.5 coord Coordinate { point " POINTS " } " FACES         \
       " " fields " } }"
#define OLD(properties, fields)                                                                                        \
    V1 "Coordinate3 { point " POINTS " } " properties " IndexedFaceSet { " FACES " " fields " }"
    twins(OLD("Texture2 { " PICTURE " wrapS CLAMP } TextureCoordinate2 { point " UVS " }", ""),
          TEXTURED("texCoord TextureCoordinate { point " UVS " }", "repeatS FALSE }"));
    twins(OLD("Texture2 { " PICTURE " } TextureCoordinate2 { point " UVS " }",
              "textureCoordIndex [ 4 3 2 1 -1 0 1 2 -1 ]"),
          TEXTURED("texCoord TextureCoordinate { point " UVS " } texCoordIndex [ 4 3 2 1 -1 0 1 2 -1 ]", "}"));
    // Over the box where there are no coordinates; none without a texture.
    twins(OLD("Texture2 { " PICTURE " }", ""), TEXTURED("", "}"));
    twins(OLD("TextureCoordinate2 { point " UVS " }", ""), V2
          "Shape { appearance Appearance { material Material { } } geometry IndexedFaceSet { solid FALSE creaseAngle "
          "0.5 coord Coordinate { point " POINTS " } " FACES " } }");
    // A translation goes back through the scale, and the centre is turned about.
    twins(OLD("Texture2 { " PICTURE " } Texture2Transform { translation 1 2 scaleFactor 2 4 center 3 5 }", ""),
          TEXTURED("", "} textureTransform TextureTransform { translation 0.5 0.5 scale 2 4 center -3 -5 }"));
    fr_model *model = vrml(V1 "Texture2 { filename \"wood.jpg\" } Cube { } Separator { Texture2 { } Sphere { } }");
    assert_int_equal(fr_model_get(model)->texture_count, 1);
    assert_string_equal(fr_model_get(model)->textures[0].path, "wood.jpg");
    assert_int_equal(fr_model_get(model)->materials[1].texture, FR_NONE);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

static void primitives_are_those_of_vrml97(void **state) {
    (void)state;
    static const char *const shapes[][2] = {
        {"Cube { }", "Box { }"},
        {"Cube { width 1 height 2 depth 3 }", "Box { size 1 2 3 }"},
        {"Sphere { }", "Sphere { }"},
        {"Sphere { radius 3 }", "Sphere { radius 3 }"},
        {"Cylinder { parts ALL }", "Cylinder { }"},
        {"Cylinder { radius 2 height 5 }", "Cylinder { radius 2 height 5 }"},
        {"Cone { bottomRadius 2 height 5 parts (SIDES | BOTTOM) }", "Cone { bottomRadius 2 height 5 }"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char old_text[300], new_text[300];
        snprintf(old_text, sizeof old_text, V1 "Material { diffuseColor 1 0 0 } %s", shapes[i][0]);
        snprintf(new_text, sizeof new_text,
                 V2 "Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } } geometry %s }",
                 shapes[i][1]);
        twins(old_text, new_text);
    }
    warns(V1 "Cube { width 0 } Sphere { }", 2, 1, "a size that is not above 0");
}

// The same as an IndexedFaceSet with the same polygons.
static void same_polygons(const char *properties, const char *set, const char *indexed) {
    char text[1000], twin[1000];
    snprintf(text, sizeof text, IV "%s %s", properties, set);
    snprintf(twin, sizeof twin, IV "%s %s", properties, indexed);
    fr_model *a = vrml(text), *b = vrml(twin);
    char *a_dump = dump_of(a), *b_dump = dump_of(b);
    assert_true(fr_model_get(a)->face_count > 0);
    if (strcmp(a_dump, b_dump) != 0) { fail_msg("%s\n---- is\n%s---- and not\n%s", text, a_dump, b_dump); }
    free(a_dump);
    free(b_dump);
    fr_model_destroy(a);
    fr_model_destroy(b);
}

static void sets_without_indices(void **state) {
    (void)state;
#define SIX "[ 0 0 0, 0 1 0, 1 0 0, 1 1 0, 2 0 0, 2 1 0 ]"
#define SIX_POINTS "Coordinate3 { point " SIX " }"
    same_polygons(SIX_POINTS, "FaceSet { numVertices [ 3 3 ] }", "IndexedFaceSet { coordIndex [ 0 1 2 -1 3 4 5 -1 ] }");
    same_polygons(SIX_POINTS, "FaceSet { startIndex 2 numVertices 3 }", "IndexedFaceSet { coordIndex [ 2 3 4 -1 ] }");
    same_polygons(SIX_POINTS, "FaceSet { startIndex 3 }", "IndexedFaceSet { coordIndex [ 3 4 5 -1 ] }");
    same_polygons(SIX_POINTS, "TriangleStripSet { numVertices [ 4 -1 ] startIndex 0 }",
                  "IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 ] }");
    same_polygons(SIX_POINTS, "TriangleStripSet { numVertices 5 }",
                  "IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 2 3 4 -1 ] }");
    same_polygons(SIX_POINTS, "IndexedTriangleStripSet { coordIndex [ 0 1 2 3 -1 5 4 3 ] }",
                  "IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 5 4 3 -1 ] }");
    same_polygons(SIX_POINTS, "QuadMesh { verticesPerRow 2 verticesPerColumn 3 }",
                  "IndexedFaceSet { coordIndex [ 0 2 3 1 -1 2 4 5 3 -1 ] }");

    // Colours by strip, triangle, row and vertex.
#define COLOURED(binding) SIX_POINTS " BaseColor { rgb " RGB " } MaterialBinding { value " binding " }"
    same_polygons(
        COLOURED("PER_PART"), "IndexedTriangleStripSet { coordIndex [ 0 1 2 3 -1 5 4 3 ] }",
        "MaterialBinding { value PER_FACE_INDEXED } IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 5 4 3 -1 ] "
        "materialIndex [ 0 0 1 ] }");
    same_polygons(
        COLOURED("PER_PART_INDEXED"),
        "IndexedTriangleStripSet { coordIndex [ 0 1 2 3 -1 5 4 3 ] materialIndex [ 5 2 ] }",
        "MaterialBinding { value PER_FACE_INDEXED } IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 5 4 3 -1 ] "
        "materialIndex [ 5 5 2 ] }");
    same_polygons(COLOURED("PER_FACE"), "TriangleStripSet { numVertices 5 }",
                  "IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 2 3 4 -1 ] }");
    same_polygons(COLOURED("PER_VERTEX"), "TriangleStripSet { startIndex 1 numVertices 4 }",
                  "MaterialBinding { value PER_VERTEX_INDEXED } IndexedFaceSet { coordIndex [ 1 2 3 -1 3 2 4 -1 ] "
                  "materialIndex [ 0 1 2 -1 2 1 3 -1 ] }");
    same_polygons(COLOURED("PER_VERTEX_INDEXED"),
                  "IndexedTriangleStripSet { coordIndex [ 0 1 2 3 -1 ] materialIndex [ 3 2 1 0 -1 ] }",
                  "IndexedFaceSet { coordIndex [ 0 1 2 -1 2 1 3 -1 ] materialIndex [ 3 2 1 -1 1 2 0 -1 ] }");
    same_polygons(COLOURED("PER_PART"), "QuadMesh { verticesPerRow 2 verticesPerColumn 3 }",
                  "MaterialBinding { value PER_FACE } IndexedFaceSet { coordIndex [ 0 2 3 1 -1 2 4 5 3 -1 ] }");
    same_polygons(
        COLOURED("PER_VERTEX"), "QuadMesh { verticesPerRow 2 verticesPerColumn 3 }",
        "MaterialBinding { value PER_VERTEX_INDEXED } IndexedFaceSet { coordIndex [ 0 2 3 1 -1 2 4 5 3 -1 ] }");
    warns(IV SIX_POINTS "\nFaceSet { numVertices [ 3 7 ] }", 3, 1, "asks for more points than there are");
    warns(IV SIX_POINTS "\nQuadMesh { verticesPerRow 3 verticesPerColumn 3 }", 3, 1, "asks for more points");
}

static void vertex_properties(void **state) {
    (void)state;
    same_polygons("",
                  "IndexedFaceSet { " FACES " vertexProperty VertexProperty { vertex " POINTS " normal " VECTORS
                  " normalBinding PER_FACE orderedRGBA [ 0xff0000ff 0x00ff00ff ] materialBinding PER_FACE } }",
                  "Coordinate3 { point " POINTS " } Normal { vector " VECTORS
                  " } NormalBinding { value PER_FACE } PackedColor { orderedRGBA [ 0xff0000ff 0x00ff00ff ] } "
                  "MaterialBinding { value PER_FACE } IndexedFaceSet { " FACES " }");
    // What it does not give is taken from the state, which it leaves as it was.
    same_polygons("Coordinate3 { point " POINTS " } BaseColor { rgb " RGB " }",
                  "IndexedFaceSet { " FACES " vertexProperty VertexProperty { normal " VECTORS
                  " } } IndexedFaceSet { " FACES " }",
                  "Normal { vector " VECTORS " } IndexedFaceSet { " FACES
                  " } Normal { vector [ ] } IndexedFaceSet { " FACES " }");
}

// Points are as wide as the caller wants them, whichever node gives them.
static void points_may_be_doubles(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    options.precision = FR_MODEL_DOUBLE;
    static const char *const texts[] = {
        V1 "Coordinate3 { point [ 0 0 0, 0.1 0 0, 0 0.1 0 ] } IndexedFaceSet { coordIndex [ 0 1 2 ] }",
        IV "FaceSet { vertexProperty VertexProperty { vertex [ 0 0 0, 0.1 0 0, 0 0.1 0 ] } }",
        IV "Coordinate4 { point [ 0 0 0 1, 0.5 0 0 1, 0 0.5 0 1 ] } FaceSet { }"};
    for (int i = 0; i < 3; i++) {
        fr_model *model = vrml_with(texts[i], &options);
        const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
        assert_null(mesh->positions_float);
        assert_true(mesh->positions_double[3] == (i < 2 ? 0.1 : 0.5));
        fr_model_destroy(model);
    }
}

static void points_with_weights(void **state) {
    (void)state;
    BOX(IV "Coordinate4 { point [ 0 0 0 1, 2 0 0 2, 0 4 0 0.5 ] } FaceSet { }", 1, 0, 0, 0, 1, 8, 0);
}

static void lines_and_points_are_counted(void **state) {
    (void)state;
    fr_model *model =
        vrml(IV SIX_POINTS " IndexedLineSet { coordIndex [ 0 1 -1 2 3 4 ] } LineSet { numVertices [ 2 2 2 ] } "
                           "PointSet { startIndex 1 numPoints 3 } PointSet { } LineSet { }");
    assert_int_equal(fr_model_get(model)->line_count, 6);
    assert_int_equal(fr_model_get(model)->point_count, 9);
    assert_int_equal(fr_model_get(model)->face_count, 0);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_are_bound),
        cmocka_unit_test(materials_have_their_numbers),
        cmocka_unit_test(parts_of_primitives_have_colours),
        cmocka_unit_test(normals_are_bound),
        cmocka_unit_test(hints_are_followed),
        cmocka_unit_test(textures_are_laid_on),
        cmocka_unit_test(primitives_are_those_of_vrml97),
        cmocka_unit_test(sets_without_indices),
        cmocka_unit_test(vertex_properties),
        cmocka_unit_test(points_may_be_doubles),
        cmocka_unit_test(points_with_weights),
        cmocka_unit_test(lines_and_points_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
