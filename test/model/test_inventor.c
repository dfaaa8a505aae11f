// VRML 1.0 and ascii Inventor: the state of properties, transforms, groups, files and the lexis.
#include "inventor_text.h"

#include <zlib.h>

static void formats_are_told_by_the_first_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        fr_model_format format;
    } cases[] = {{V1 "Cube { }", "VRML 1.0", FR_MODEL_VRML_1},
                 {IV "Cube { }", "Inventor 2.x", FR_MODEL_INVENTOR},
                 {"#Inventor V2.0 ascii\nCube { }", "Inventor 2.x", FR_MODEL_INVENTOR},
                 {V2 "Shape { geometry Box { } }", "vrml", FR_MODEL_VRML}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // Whichever of them is asked for, and by the bytes alone.
        const fr_model_format asked[] = {FR_MODEL_AUTO, FR_MODEL_VRML, FR_MODEL_VRML_1, FR_MODEL_INVENTOR};
        for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
            fr_model *model = read_text(cases[i].text, asked[k]);
            assert_int_equal(fr_model_get(model)->format, cases[i].format);
            assert_string_equal(fr_model_format_name(fr_model_get(model)->format), cases[i].name);
            assert_int_equal(fr_model_get(model)->placed_triangle_count, 12);
            fr_model_destroy(model);
        }
    }
    assert_int_equal(fr_model_format_of_name("a.iv"), FR_MODEL_INVENTOR);
    assert_int_equal(fr_model_format_of_name("a.iv.gz"), FR_MODEL_INVENTOR);
    vrml_refused("#Inventor V2.1 binary\n\0\0\0", FR_ERROR_UNSUPPORTED, 1, 1, "binary Inventor");

    // Gzip is seen by its first bytes.
    unsigned char packed[200];
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (unsigned char *)(uintptr_t)cases[0].text;
    stream.avail_in = (unsigned)strlen(cases[0].text);
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    fr_model *model;
    assert_int_equal(read_bytes(packed, stream.total_out, NULL, &model, NULL), FR_OK);
    assert_int_equal(fr_model_get(model)->format, FR_MODEL_VRML_1);
    fr_model_destroy(model);
    deflateEnd(&stream);
}

// ---------------------------------------------------------------------------------------------------------------
// Twins: the same scene in VRML97

#define POINTS "[ 0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1 ]"
#define FACES "[ 0 1 2 3 -1 0 1 4 -1 ]"

static void transforms_are_those_of_vrml97(void **state) {
    (void)state;
    twins(V1 "DEF a Separator { Transform { translation 1 2 3 rotation 0 1 0 0.7 scaleFactor 2 1 3 scaleOrientation "
             "1 1 0 0.3 center 0 0 5 } Cube { width 1 height 2 depth 3 } }",
          V2 "DEF a Transform { translation 1 2 3 rotation 0 1 0 0.7 scale 2 1 3 scaleOrientation 1 1 0 0.3 center 0 "
             "0 5 children Shape { appearance Appearance { material Material { } } geometry Box { size 1 2 3 } } }");
    static const char *const parts[][2] = {{"Translation { translation 1 -2 3 }", "translation 1 -2 3"},
                                           {"Rotation { rotation 1 2 3 0.7 }", "rotation 1 2 3 0.7"},
                                           {"Scale { scaleFactor 1 2 3 }", "scale 1 2 3"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char old_text[400], new_text[400];
        snprintf(old_text, sizeof old_text, V1 "Separator { %s DEF s Sphere { radius 3 } }", parts[i][0]);
        snprintf(new_text, sizeof new_text,
                 V2 "Transform { %s children DEF s Shape { appearance Appearance { material Material { } } geometry "
                    "Sphere { radius 3 } } }",
                 parts[i][1]);
        twins(old_text, new_text);
    }
}

// Each begins where the one before ended; a Separator puts all back, a Group nothing, a TransformSeparator the place.
static void transforms_add_up_and_are_put_back(void **state) {
    (void)state;
#define ONE "Cube { width 2 height 2 depth 2 } "
    BOX(V1 "Translation { translation 1 0 0 } Scale { scaleFactor 2 2 2 } Translation { translation 1 0 0 } " ONE, 12,
        1, -2, -2, 5, 2, 2);
    BOX(V1 "Separator { Translation { translation 9 0 0 } } " ONE, 12, -1, -1, -1, 1, 1, 1);
    BOX(V1 "Group { Translation { translation 9 0 0 } } " ONE, 12, 8, -1, -1, 10, 1, 1);
    BOX(V1 "TransformSeparator { Translation { translation 9 0 0 } } " ONE, 12, -1, -1, -1, 1, 1, 1);
    BOX(V1 "DEF g Group { Translation { translation 9 0 0 } } USE g USE g " ONE, 12, 26, -1, -1, 28, 1, 1);
    BOX(V1 "DEF g Group { " ONE "Translation { translation 9 0 0 } } USE g USE g", 36, -1, -1, -1, 19, 1, 1);
    // Rows of a matrix from the left: the last row is the translation.
    BOX(V1 "MatrixTransform { matrix 0 2 0 0 -1 0 0 0 0 0 1 0 5 6 7 1 } " ONE, 12, 4, 4, 6, 6, 8, 8);
    BOX(IV "RotationXYZ { axis Z angle 1.5707963 } Translation { translation 5 0 0 } " ONE, 12, -1, 4, -1, 1, 6, 1);
    BOX(IV "Translation { translation 5 0 0 } Separator { ResetTransform { } " ONE "} ", 12, -1, -1, -1, 1, 1, 1);
    BOX(IV "Translation { translation 5 0 0 } Group { Translation { translation 0 1 0 } ResetTransform { } } " ONE, 12,
        -1, -1, -1, 1, 1, 1);
    BOX(IV "Units { units INCHES } Units { units CENTIMETERS } Translation { translation 100 0 0 } " ONE, 12, 0.99,
        -0.01, -0.01, 1.01, 0.01, 0.01);
    BOX(IV "Array { numElements1 3 separation1 4 0 0 numElements2 2 separation2 0 0 3 origin CENTER " ONE "}", 72, -5,
        -1, -2.5, 5, 1, 2.5);
    BOX(IV "MultipleCopy { matrix [ 1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1, 1 0 0 0 0 1 0 0 0 0 1 0 0 5 0 1 ] " ONE "}", 24,
        -1, -1, -1, 6, 6, 1);
    // A Switch in a copy takes the child of its number.
    BOX(IV "Array { numElements1 3 separation1 10 0 0 Switch { whichChild -2 Cube { } Cube { width 4 } Cube { width 6 "
           "} } }",
        36, -1, -1, -1, 23, 1, 1);
    assert_int_equal(
        vrml_triangles(IV "Array { numElements1 0 Cube { } } MultipleCopy { matrix [ ] Cube { } } Cube { }"), 12);
    warns(V1 "Scale { scaleFactor 1 0 1 } " ONE, 2, 1, "a scale of 0");
    warns(V1 "MatrixTransform { matrix 1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1 } " ONE, 2, 26, "last column");
    warns(V1
          "DEF g Group { Scale { scaleFactor 1e30 1 1 } } USE g USE g USE g USE g USE g USE g USE g USE g USE g USE g "
          "USE g " ONE,
          2, 7, "not finite");
}

static void trees_have_the_names_of_the_file(void **state) {
    (void)state;
    twins(V1 "DEF room Separator { DEF table Separator { Translation { translation 1 0 0 } DEF top Cube { } DEF leg "
             "Cylinder { } } Separator { Translation { translation 3 0 0 } Separator { Cone { } } } }",
#define A "appearance Appearance { material Material { } } geometry "
          V2 "DEF room Group { children [ DEF table Transform { translation 1 0 0 children [ DEF top Shape { " A
             "Box { } } DEF leg Shape { " A
             "Cylinder { } } ] } Transform { translation 3 0 0 children Group { children "
             "Shape { " A "Cone { } } } } ] }");
    // Names that Inventor makes up say nothing.
    fr_model *model = vrml(IV "DEF +0 Separator { DEF lamp+12 Cube { } DEF a+b Cube { } } USE +0");
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 48);
    assert_string_equal(fr_model_get(model)->nodes[0].name, "");
    find_node(model, "lamp");
    find_node(model, "a+b");
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Groups

static void choices(void **state) {
    (void)state;
    static const struct {
        int child;
        uint64_t triangles;
    } cases[] = {{-1, 0}, {-3, 36}, {0, 12}, {2, 12}, {3, 0}, {-2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, V1 "Switch { whichChild %d Cube { } Cube { } Cube { } }", cases[i].child);
        assert_int_equal(vrml_triangles(text), cases[i].triangles);
    }
    assert_int_equal(vrml_triangles(V1 "Switch { Cube { } }"), 0);
    assert_int_equal(vrml_triangles(IV "Switch { whichChild 0 Switch { whichChild -2 Cube { } Cube { } } }"), 12);
    // A property of the child that is taken holds on.
    BOX(V1 "Switch { whichChild 1 Translation { translation 5 0 0 } Translation { translation 0 5 0 } } " ONE, 12, -1,
        4, -1, 1, 6, 1);
    BOX(V1 "LOD { range [ 10 ] Cube { } Sphere { } }", 12, -1, -1, -1, 1, 1, 1);
    fr_model_read_input options = vrml_options(NULL);
    options.level = 1;
    const char *levels = V1 "LOD { Cube { } Cube { width 8 } Sphere { } }";
    fr_model *model = vrml_with(levels, &options);
    assert_true(fr_model_get(model)->bounds.max.x == 4.0);
    fr_model_destroy(model);

    // The others too, hidden.
    options = vrml_options(NULL);
    options.has_all_choices = true;
    model = vrml_with(V1 "Switch { whichChild 1 DEF a Cube { } DEF b Cube { } Translation { } DEF c Separator { "
                         "Translation { translation 9 0 0 } Cube { } } }",
                      &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->nodes[find_node(model, "a")].flags, FR_MODEL_HIDDEN);
    assert_int_equal(view->nodes[find_node(model, "b")].flags, 0);
    assert_int_equal(view->nodes[find_node(model, "c")].flags, FR_MODEL_HIDDEN);
    assert_true(view->bounds.max.x == 1.0);
    fr_model_destroy(model);
}

// One mesh where a shape is seen under the same state; where its looks differ, its mesh is still the same.
static void use_shares_what_is_the_same(void **state) {
    (void)state;
    fr_model *model =
        vrml(V1 "Coordinate3 { point " POINTS " } DEF s Separator { DEF f IndexedFaceSet { coordIndex " FACES
                " } } Translation { translation 5 0 0 } USE s Material { diffuseColor 1 0 0 } USE s Separator { "
                "Coordinate3 { point [ 0 0 0, 2 0 0, 2 2 0, 0 2 0, 0 0 2 ] } USE s } USE f");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->mesh_count, 2);
    assert_int_equal(view->placed_triangle_count, 15);
    assert_int_equal(view->material_count, 2);
    assert_true(view->bounds.max.x == 7.0);
    fr_model_destroy(model);
}

static void invisible_shapes_are_left_out(void **state) {
    (void)state;
    BOX(IV "Separator { DrawStyle { style INVISIBLE } Cube { width 9 } } DrawStyle { style LINES } Cube { }", 12, -1,
        -1, -1, 1, 1, 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static void files_of_both_languages(void **state) {
    (void)state;
    vrml_file files[] = {{"old.wrl", V1 "DEF o Cube { }\nOdd { }"},
                         {"new.wrl", V2 "DEF n Shape { geometry Box { } }"},
                         {"red.wrl", V1 "Translation { translation 1 0 0 } Cube { } Material { diffuseColor 0 0 1 }"},
                         {"deep/a.iv", IV "File { name \"../old.wrl\" } Translation { translation 0 9 0 } File { name "
                                          "../new.wrl }"},
                         {"self.wrl", V1 "Cube { }\nWWWInline { name \"self.wrl\" }"},
                         {"ping.wrl", V1 "Cube { } WWWInline { name \"pong.wrl\" }"},
                         {"pong.wrl", V2 "Inline { url \"ping.wrl\" } " SHAPE},
                         {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    options.name = "folder/main.wrl";
    fr_model *model = vrml_with(V1 "Separator {\n DEF w WWWInline { name \"old.wrl\" bboxSize 1 1 1 } }", &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->placed_triangle_count, 12);
    find_node(model, "w");
    find_node(model, "o");
    assert_int_equal(view->warning_count, 1);
    assert_string_equal(view->warnings[0].message,
                        "old.wrl:3:1: the node Odd is not known; the nodes in it are shown as those of a Group");
    assert_int_equal(view->warnings[0].line, 3);
    assert_int_equal(view->warnings[0].column, 8);
    fr_model_destroy(model);

    // VRML97 in VRML 1.0 and the other way round; a file sees the state and leaves none.
    model = vrml_with(V2 "Transform { translation 5 0 0 children Inline { url \"deep/a.iv\" } }", &options);
    view = fr_model_get(model);
    assert_int_equal(view->placed_triangle_count, 24);
    assert_true(view->bounds.min.x == 4.0 && view->bounds.max.y == 10.0);
    fr_model_destroy(model);
    model =
        vrml_with(V1 "Material { diffuseColor 1 0 0 } WWWInline { name \"red.wrl\" } Translation { translation 0 7 0 "
                     "} WWWInline { name \"red.wrl\" } DEF c Cube { }",
                  &options);
    view = fr_model_get(model);
    assert_int_equal(view->placed_triangle_count, 36);
    assert_int_equal(view->mesh_count, 1);
    assert_int_equal(view->material_count, 1);
    assert_true(view->materials[0].diffuse[0] == 1.0f && view->bounds.min.x == -1.0 && view->bounds.max.x == 2.0);
    fr_model_destroy(model);

    static const char *const rings[][2] = {{"self.wrl", "self.wrl:3:1: self.wrl would be read inside of itself"},
                                           {"ping.wrl", "pong.wrl:2:1: ping.wrl would be read inside of itself"}};
    for (int i = 0; i < 2; i++) {
        char ring[200];
        snprintf(ring, sizeof ring, V1 "\n WWWInline { name \"%s\" }", rings[i][0]);
        model = vrml_with(ring, &options);
        assert_string_equal(fr_model_get(model)->warnings[0].message, rings[i][1]);
        assert_int_equal(fr_model_get(model)->placed_triangle_count, i == 0 ? 12 : 13);
        fr_model_destroy(model);
    }
    warns_with(V1 "WWWInline { name \"main.wrl\" }\nCube { }", options, 2, 1, "inside of itself");
    model = vrml_with(V1 "WWWInline { name \"none.wrl\" } WWWInline { name \"http://a/b.wrl\" } WWWInline { name "
                         "\"../../x\" } WWWInline { }",
                      &options);
    assert_int_equal(fr_model_get(model)->warning_count, 4); // and that there is no polygon
    fr_model_destroy(model);
}

static void notes_are_kept_once(void **state) {
    (void)state;
    fr_model *model = vrml(IV "DEF view PerspectiveCamera { position 1 2 3 heightAngle 0.5 } DEF i Info { string \"by "
                              "hand\" } USE i PointLight { location 4 5 6 } Separator { USE i Cube { } }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->note_count, 3);
    assert_string_equal(view->notes[0].kind, "Viewpoint");
    assert_string_equal(view->notes[0].name, "view");
    assert_string_equal(view->notes[0].text, "position 1 2 3, orientation 0 0 1 0, fieldOfView 0.5");
    assert_string_equal(view->notes[1].text, "by hand");
    assert_non_null(strstr(view->notes[2].text, "location 4 5 6"));
    assert_int_equal(view->node_count, 2);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Lexis

static void extensions_are_stepped_over(void **state) {
    (void)state;
    // The nodes that a node holds which is not known are read, whatever its fields are.
    warns(V1 "Cube { }\n Odd { fields [ SFFloat a, MFString b, SFEnum c ] a 1 b [ \"x {\" ] c ONE\n Cube { } }", 3, 2,
          "Odd is not known");
    assert_int_equal(vrml_triangles(V1 "Odd { fields [ SFNode a, SFBitMask c ] c (ONE | TWO) d 1 2 3 a Cube { } "
                                       "Even { Separator { DEF c Cube { } } } USE c e ONE f [ 1 { } ] } Cube { }"),
                     48);
    // One that says what it is like is taken for that, without a word.
    fr_model *model =
        vrml(V1 "Block { fields [ SFFloat width ] isA [ \"Brick\" \"Cube\" ] width 8 } Room { fields [ "
                "MFString isA ] isA [ \"Separator\" ] Translation { translation 0 5 0 } Cube { } } Cube { }");
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 36);
    assert_true(fr_model_get(model)->bounds.max.x == 4.0 && fr_model_get(model)->bounds.min.y == -1.0);
    fr_model_destroy(model);
    warns(V1 "Cube { }\nCube { colour 1 0 0 width 4 }", 3, 8, "Cube has no field 'colour'");
    warns(V1 "Cube { }\nCube { width 4 Cube { } }", 3, 16, "Cube is no group");
    BOX(V1 "Cube { colour 1 0 0 mode FAST width 4 }", 12, -2, -1, -1, 2, 1, 1);
}

static void inventor_spells_more(void **state) {
    (void)state;
    // Connections are passed over with a warning; a field that is not in use has its default.
    fr_model *model =
        vrml(IV "Cube { width 4 ~ height = Calculator { a 1 expression \"oa=a\" } . oa depth 6 = USE c.x }");
    assert_int_equal(fr_model_get(model)->warning_count, 2);
    assert_true(fr_model_get(model)->bounds.max.x == 1.0 && fr_model_get(model)->bounds.max.z == 3.0);
    fr_model_destroy(model);
    BOX(IV "Translation { translation 5 0 0 ~ } Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0 ] } Coordinate3 { point [ 7 "
           "7 7 ] "
           "~ } FaceSet { } ResetTransform { whatToReset ~ }",
        1, 0, 0, 0, 1, 1, 0);
    model = vrml(
        IV "Material { diffuseColor 1 0 0 } Material { diffuseColor 0 1 0 ~ shininess 0.5 } BaseColor { rgb 0 0 1 ~ "
           "} Cube { } Group { NULL SoSphere { } }");
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->mesh_count, 2);
    assert_true(fr_model_get(model)->materials[0].diffuse[0] == 1.0f);
    assert_true(fr_model_get(model)->materials[0].shininess == 0.5f);
    fr_model_destroy(model);
    model =
        vrml(IV "Separator { renderCaching OFF renderCulling AUTO Translation { translation = DEF e Engine { } . out } "
                "Complexity { value 0.2 type OBJECT_SPACE } Cube { } }");
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 12);
    fr_model_destroy(model);
    // Parts in parentheses, and strings without quotes.
    model = vrml(IV "Cylinder { parts (SIDES | TOP) } Info { string hand.made } Cone { parts SIDES }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_true(view->meshes[0].primitive->has_side && view->meshes[0].primitive->has_top);
    assert_false(view->meshes[0].primitive->has_bottom);
    assert_true(view->meshes[0].is_two_sided);
    assert_true(view->meshes[1].primitive->has_side && !view->meshes[1].primitive->has_bottom);
    assert_string_equal(view->notes[0].text, "hand.made");
    fr_model_destroy(model);
}

static void what_is_wrong_has_its_place(void **state) {
    (void)state;
    warns(V1 "Cube { }\nSeparator { USE none }", 3, 17, "USE of 'none', which no DEF has named");
    warns(V1 "DEF a Separator { Cube { } USE a }", 2, 32, "USE of 'a' inside of itself");
    warns(V1 "Cube { }\nCube { width }", 3, 14, "expected SFFloat");
    warns(V1 "Cube { }\nCylinder { parts (SIDES | TOP }", 3, 18, "a parenthesis is not closed");
    warns(V1 "Separator { Cube { ", 2, 20, "the file ends inside of a node");
    warns(V1 "Cube { width nan }", 2, 14, "'nan' is not a finite number; 0 is taken");
    warns(V1 "Cube { } }", 2, 10, "expected a node, found '}'");
    warns(V1 "Cube { } MaterialBinding { value SOMEHOW }", 2, 10, "MaterialBinding of a kind that is not known");
    warns(V1 "Coordinate3 { point " POINTS " }\nIndexedFaceSet { coordIndex [ 0 1 2 -1 0 1 9 -1 3 3 4 -1 0 1 1 ] }", 3,
          29, "polygons left out whose index has no point: 1, the first at polygon 1");
    // The last -1 may be missing; polygons that are left out keep their numbers.
    fr_model *model =
        vrml(V1 "Coordinate3 { point " POINTS " }\nIndexedFaceSet { coordIndex [ 0 1 9 -1 0 1 2 -1 0 1 1 -1 0 1 4 ] }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->meshes[0].face_count, 2);
    assert_int_equal(view->meshes[0].face_ids[0], 1);
    assert_int_equal(view->meshes[0].face_ids[1], 3);
    fr_model_destroy(model);
    model = vrml(V1 "AsciiText { string [ \"a\", \"b\" ] justification CENTER } Cube { }");
    assert_non_null(strstr(fr_model_get(model)->warnings[0].message, "AsciiText is passed over"));
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_told_by_the_first_line),
        cmocka_unit_test(transforms_are_those_of_vrml97),
        cmocka_unit_test(transforms_add_up_and_are_put_back),
        cmocka_unit_test(trees_have_the_names_of_the_file),
        cmocka_unit_test(choices),
        cmocka_unit_test(use_shares_what_is_the_same),
        cmocka_unit_test(invisible_shapes_are_left_out),
        cmocka_unit_test(files_of_both_languages),
        cmocka_unit_test(notes_are_kept_once),
        cmocka_unit_test(extensions_are_stepped_over),
        cmocka_unit_test(inventor_spells_more),
        cmocka_unit_test(what_is_wrong_has_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
