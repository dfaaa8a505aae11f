// The lexis and structure of VRML97: what is read whatever it looks like, and what is said of the rest.
#include "vrml_text.h"

static void headers(void **state) {
    (void)state;
    assert_int_equal(vrml_triangles(V2 SHAPE), 1);
    assert_int_equal(vrml_triangles("#VRML V2.0 utf8 CosmoWorlds V1.0\r\n" SHAPE), 1);
    assert_int_equal(vrml_triangles("\xef\xbb\xbf" V2 SHAPE), 1);
    assert_int_equal(vrml_triangles("#VRML V2.0 utf8\r" SHAPE), 1);
    assert_int_equal(vrml_triangles("#X3D V3.3 utf8\nPROFILE Immersive\nCOMPONENT NURBS:1\nMETA \"a\" \"b\"\n" SHAPE),
                     1);
    warns("# made by hand\nDEF a " SHAPE, 1, 1, "first line");
    assert_int_equal(vrml_triangles("#VRML V1.0 ascii\nSeparator { Cube { } }"), 12);
    assert_int_equal(vrml_triangles("#Inventor V2.1 ascii\nSeparator { Cube { } }"), 12);
    vrml_refused("#Inventor V2.1 binary\n", FR_ERROR_UNSUPPORTED, 1, 1, "binary Inventor");
    vrml_refused("solid\nfacet", FR_ERROR_SYNTAX, 1, 1, "first line");
    vrml_refused("", FR_ERROR_SYNTAX, 1, 1, "first line");
}

static void the_first_line_decides_the_format(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        fr_model_format format;
    } cases[] = {{V2, "x.obj", FR_MODEL_VRML},
                 {"#VRML V1.0 ascii\n", NULL, FR_MODEL_VRML_1},
                 {"#Inventor V2.1 ascii\n", "x", FR_MODEL_INVENTOR},
                 {"\xef\xbb\xbf#X3D V3.0 utf8\n", NULL, FR_MODEL_X3D_VRML},
                 {"<?xml version='1.0'?>\n<!DOCTYPE X3D>\n<X3D version='3.0'>", "x", FR_MODEL_X3D},
                 {"<X3D>", NULL, FR_MODEL_X3D},
                 {"<html>", NULL, FR_MODEL_AUTO},
                 {"Transform {", "x.WRL", FR_MODEL_VRML},
                 {"Transform {", "x.x3dv", FR_MODEL_X3D_VRML}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(fr_model_format_detect(cases[i].text, strlen(cases[i].text), cases[i].name), cases[i].format);
    }
    assert_int_equal(fr_model_format_of_name("a.wrz"), FR_MODEL_VRML);
    assert_int_equal(fr_model_format_of_name("a.wrl.gz"), FR_MODEL_VRML);
    assert_int_equal(fr_model_format_of_name("a.x3dz"), FR_MODEL_X3D);
}

static void white_space(void **state) {
    (void)state;
    assert_int_equal(vrml_triangles(V2 "Shape{geometry IndexedFaceSet{coord Coordinate{point[0,0,0 1\t0\r0,,0 1 0]}"
                                       "coordIndex[0,1,2]}}"),
                     1);
    assert_int_equal(vrml_triangles(V2 "Shape { # a comment with { [ \"\ngeometry # another\n" TRIANGLE " }# end"), 1);
    // One bare value stands for a list of one.
    fr_model *model = vrml(V2 "Group { children " SHAPE " }");
    assert_int_equal(fr_model_get(model)->node_count, 2);
    fr_model_destroy(model);
}

static void numbers(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "Shape { geometry IndexedFaceSet { coord Coordinate { point [ .5 5. 1e-7, -1.25E2 +3 0.1, "
                "0 0 1e-45 ] } coordIndex [ 0x0 +1 2.0 ] } }");
    const float *p = fr_model_get(model)->meshes[0].positions_float;
    const float expected[] = {.5f, 5.f, 1e-7f, -125.f, 3.f, .1f, 0.f, 0.f, 0.f};
    assert_memory_equal(p, expected, sizeof expected);
    assert_int_equal(fr_model_get(model)->face_count, 1);
    fr_model_destroy(model);
#define POINTS(text)                                                                                                   \
    V2 "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]\ncoord Coordinate { point [ " text " ] } } }"
    warns(POINTS("nan 0 0 1 0 0 0 1 0"), 3, 28, "not a finite number");
    warns(POINTS("0 0 0 1 0 0 0 1 1e999"), 3, 44, "not a finite number");
    warns(POINTS("0 0 0 1 0 0 0 -inf 0"), 3, 42, "not a finite number");
    warns(POINTS("-1.#IND 0 0 1 0 0 0 1 0"), 3, 31, "not finite");
    warns(POINTS("0 0 0 1 0 0 0 1 0x"), 3, 45, "follows a number");
    warns(POINTS("0 0 0 1 0 0 0 1 0 7 7"), 3, 26, "the last Vec3f has 2 of 3 numbers");
    warns(POINTS("0 0 0 1 0 0 word 0 1 0"), 3, 40, "does not belong in a list of Vec3f");
    warns(V2 "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] }\ncoordIndex [ 0 1.5 2 "
             "1 ] } }",
          3, 16, "a whole number is expected");
#undef POINTS
}

static void doubles_where_they_are_wanted(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    options.precision = FR_MODEL_DOUBLE;
    fr_model *model =
        vrml_with(V2 "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0.1 0 0 1 0 0 0 1 0 ] } "
                     "coordIndex [ 0 1 2 ] } }",
                  &options);
    assert_null(fr_model_get(model)->meshes[0].positions_float);
    assert_true(fr_model_get(model)->meshes[0].positions_double[0] == 0.1);
    fr_model_destroy(model);
}

static void names(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "Group { children [ DEF _ Group { } DEF a-b+1 Group { } DEF \xc3\xa9t\xc3\xa9 Group { } USE _ ] }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 5);
    assert_string_equal(view->nodes[1].name, "_");
    assert_string_equal(view->nodes[2].name, "a-b+1");
    assert_string_equal(view->nodes[3].name, "\xc3\xa9t\xc3\xa9");
    assert_string_equal(view->nodes[4].name, "_");
    fr_model_destroy(model);

    // Exporters write these; they are warned of once.
    model = vrml(V2 "DEF -+x Group { } DEF box.1 Group { } DEF 2nd Group { } USE -+x");
    view = fr_model_get(model);
    assert_int_equal(view->node_count, 4);
    assert_string_equal(view->nodes[0].name, "-+x");
    assert_string_equal(view->nodes[3].name, "-+x");
    assert_int_equal(view->warning_count, 2); // and no polygon
    fr_model_destroy(model);
}

static void strings(void **state) {
    (void)state;
    fr_model *model = vrml(V2 "WorldInfo { title \"a \\\"b\\\" \\\\ # { c\nd\" info [ \"x\", \"y\" ] } " SHAPE);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->note_count, 1);
    assert_string_equal(view->notes[0].kind, "WorldInfo");
    assert_string_equal(view->notes[0].text, "a \"b\" \\ # { c\nd");
    fr_model_destroy(model);
    warns(V2 SHAPE "WorldInfo { title \"open", 2, 131, "a string is not closed");
}

static void booleans(void **state) {
    (void)state;
    fr_model *model = vrml(V2 "Collision { collide FALSE children DEF a " SHAPE " }");
    assert_int_equal(fr_model_get(model)->nodes[1].flags, FR_MODEL_NO_COLLIDE);
    fr_model_destroy(model);
    warns(V2 "Collision { collide false children " SHAPE " }", 2, 21, "in capitals");
    warns(V2 "Collision { collide 0 children " SHAPE " }", 2, 21, "TRUE or FALSE is expected");
    warns(V2 "Collision { collide maybe children " SHAPE " }", 2, 21, "expected SFBool");
}

static void unknown_nodes_and_fields_are_passed_over(void **state) {
    (void)state;
    const char *text = V2 "Strange { a [ { \"]\" } # ]\n ] b DEF x Group { } } " SHAPE;
    assert_int_equal(vrml_triangles(text), 1);
    warns(text, 2, 1, "the node Strange is not known");
    static const char *const values[] = {"1 2 -.3 4e5", "[ 1 [ 2 ] ]", "\"}\"",         "TRUE",   "NULL",
                                         "USE y",       "Box { }",     "DEF z Foo { }", "IS bar", ""};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char field[300];
        snprintf(field, sizeof field, "%sShape { odd %s geometry %s }", V2, values[i], TRIANGLE);
        assert_int_equal(vrml_triangles(field), 1);
        if (strcmp(values[i], "IS bar") != 0) { warns(field, 2, 9, "has no field 'odd'"); }
    }
    // What X3D allows everywhere is not worth a word.
    fr_model *model = vrml(V2 "Shape { metadata MetadataString { value [ \"a\" ] } geometry " TRIANGLE " }");
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    fr_model_destroy(model);
}

static void what_is_out_of_place_is_repaired(void **state) {
    (void)state;
    warns(V2 "}\n" SHAPE, 2, 1, "expected a node");
    warns(V2 "Group { children [ " SHAPE " }\n" SHAPE, 2, 133, "a list of nodes is not closed");
    warns(V2 "Group { children [ " SHAPE " ]\n", 3, 1, "the file ends inside of a node");
    warns(V2 "Shape { geometry }\n" SHAPE, 2, 18, "'geometry' has no node");
    warns(V2 "Group 5 " SHAPE, 2, 1, "no statement and no node");
    warns(V2 "USE nobody " SHAPE, 2, 5, "which no DEF has named");
    warns(V2 "DEF a Group { children [ USE a " SHAPE " ] }", 2, 30, "inside of itself");
    says(V2 "Shape { geometry " TRIANGLE " geometry\nIndexedFaceSet { coordIndex [ 0 1 2 \n} }", 3, 29,
         "a list is not closed");
    assert_int_equal(vrml_triangles(V2 "Group { children [ " SHAPE " } " SHAPE), 2);
}

static void define_and_use(void **state) {
    (void)state;
    // One mesh, four places; a later DEF of the name takes over.
    fr_model *model = vrml(V2 "DEF s " SHAPE " USE s Transform { translation 2 0 0 children [ USE s ] } DEF s Shape { "
                              "geometry Box { } } USE s");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 6);
    assert_int_equal(view->mesh_count, 2);
    assert_int_equal(view->triangle_count, 13);
    assert_int_equal(view->placed_triangle_count, 27);
    assert_int_equal(view->nodes[3].mesh, view->nodes[0].mesh);
    assert_int_equal(view->nodes[5].mesh, view->nodes[4].mesh);
    fr_model_destroy(model);

    // Geometry and coordinates are shared too.
    model = vrml(
        V2 "Shape { geometry DEF g " TRIANGLE " } Shape { geometry USE g } Shape { geometry IndexedFaceSet { "
           "coord DEF c Coordinate { point [ 0 0 0 1 0 0 0 1 0 5 5 5 ] } coordIndex [ 0 1 2 ] } } Shape { geometry "
           "IndexedFaceSet { coord USE c coordIndex [ 1 2 3 ] } }");
    view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 3);
    assert_int_equal(view->placed_triangle_count, 4);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers),
        cmocka_unit_test(the_first_line_decides_the_format),
        cmocka_unit_test(white_space),
        cmocka_unit_test(numbers),
        cmocka_unit_test(doubles_where_they_are_wanted),
        cmocka_unit_test(names),
        cmocka_unit_test(strings),
        cmocka_unit_test(booleans),
        cmocka_unit_test(unknown_nodes_and_fields_are_passed_over),
        cmocka_unit_test(what_is_out_of_place_is_repaired),
        cmocka_unit_test(define_and_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
