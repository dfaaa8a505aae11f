// Prototypes of VRML97: interfaces, IS, scopes, EXTERNPROTO.
#include "vrml_text.h"

static void instances(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "PROTO Thing [ field SFVec3f at 0 0 0 exposedField SFFloat wide 1 field MFNode more [ ] eventIn SFTime "
                "go eventOut SFTime gone ] { Transform { translation IS at children [ DEF inner " SHAPE
                " Group { children IS more } ] } Group { children " SHAPE " } }\n"
                "DEF a Thing { } DEF b Thing { at 5 0 0 more [ " SHAPE " DEF deep " SHAPE " ] } USE b");
    const fr_model_view *view = fr_model_get(model);
    // The first node of the body is what an instance is; the shape that says nothing of IS is one for all.
    assert_int_equal(view->placed_triangle_count, 7);
    assert_int_equal(view->warning_count, 0);
    assert_string_equal(view->nodes[0].name, "a");
    assert_null(view->nodes[0].transform);
    uint32_t b = find_node(model, "b");
    assert_true(view->nodes[b].transform[3] == 5.0);
    assert_int_equal(view->nodes[b + 1].mesh, view->nodes[1].mesh);
    assert_true(view->bounds.max.x == 6.0);
    fr_model_destroy(model);
}

static void is_goes_through_prototypes_in_prototypes(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "PROTO Inner [ field SFVec3f size 1 1 1 field SFNode look NULL ] { Shape { appearance Appearance { "
                "material IS look } geometry Box { size IS size } } }\n"
                "PROTO Outer [ field SFVec3f s 2 2 2 field SFNode look NULL ] { Group { children [ Inner { size IS s "
                "look IS look } Inner { } ] } }\n"
                "Outer { } Outer { s 4 4 4 look DEF green Material { diffuseColor 0 1 0 } }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 6);
    const double sizes[] = {2.0, 1.0, 4.0, 1.0};
    static const uint32_t shapes[] = {1, 2, 4, 5};
    for (int i = 0; i < 4; i++) {
        const fr_model_primitive *primitive = view->meshes[view->nodes[shapes[i]].mesh].primitive;
        assert_true(primitive->size[0] == sizes[i]);
    }
    assert_string_equal(view->materials[view->nodes[4].material].name, "green");
    assert_true(view->materials[view->nodes[1].material].is_unlit);
    assert_int_equal(view->warning_count, 0);
    fr_model_destroy(model);
}

static void names_of_a_body_are_its_own(void **state) {
    (void)state;
    const char *text =
        V2 "DEF x " SHAPE " PROTO P [ ] { Group { children [ DEF x Shape { geometry Box { } } USE x ] } }\n"
           "P { } USE x\nPROTO Q [ ] { Group { children USE x } } Q { }";
    fr_model *model = vrml(text);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 1 + 24 + 1);
    fr_model_destroy(model);
    warns(text, 4, 36, "USE of 'x', which no DEF has named");
    // A prototype inside of another is known there alone, and what is outside is known inside.
    assert_int_equal(vrml_triangles(V2 "PROTO A [ ] { " SHAPE
                                       " } PROTO B [ ] { PROTO C [ ] { A { } } Group { children [ A { } C { } "
                                       "] } } B { } C { }"),
                     2);
    // One that names itself does not know itself.
    warns(V2 "PROTO A [ ] { Group { children [ " SHAPE " A { } ] } } A { }", 2, 147, "the node A is not known");
}

static void wrong_prototypes(void **state) {
    (void)state;
    warns(V2 "PROTO A [ field SFFloat x 1 ] { Transform { translation IS x } } A { } " SHAPE, 2, 60, "different types");
    warns(V2 "PROTO A [ ] { Transform { translation IS x } } A { } " SHAPE, 2, 42, "has no field 'x'");
    warns(V2 "Transform { translation IS x } " SHAPE, 2, 28, "outside of a prototype");
    warns(V2 "PROTO A [ field SFOdd x 1 ] { Group { } }\n" SHAPE, 2, 23, "expected a type and a name");
    warns(V2 "PROTO A [ ] { } A { } A { y 5 } " SHAPE, 2, 27, "has no field 'y'");
    warns(V2 SHAPE " PROTO A [ field SFNode x Group {", 2, 146, "ends inside of a node");
    warns(V2 SHAPE " PROTO A [ ] {", 2, 127, "ends inside of a prototype");
    warns(V2 SHAPE " PROTO A { }", 2, 122, "of a prototype");
}

static void prototypes_of_other_files(void **state) {
    (void)state;
    vrml_file files[] = {
        {"lib.wrl",
         V2 "PROTO First [ field SFVec3f b 1 1 1 field SFBool a TRUE ] { Shape { geometry Box { size IS b } } }\n"
            "PROTO Second [ ] { Transform { children [ First { b 9 9 9 } ] } }\n" SHAPE},
        {"again.wrl", V2 "EXTERNPROTO Second [ ] \"lib.wrl#Second\""},
        {"loop.wrl", V2 "EXTERNPROTO L [ ] \"loop.wrl#L\""},
        {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    fr_model *model = vrml_with(
        V2 "EXTERNPROTO X [ field SFBool a field SFVec3f b ] [ \"gone.wrl#X\" \"lib.wrl#First\" ]\nX { b 3 3 3 a "
           "FALSE } EXTERNPROTO Y [ ] \"lib.wrl\" Y { } EXTERNPROTO Second [ ] \"again.wrl#Second\" Second { }",
        &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 4);
    assert_true(view->meshes[view->nodes[0].mesh].primitive->size[0] == 3.0);
    assert_true(view->meshes[view->nodes[1].mesh].primitive->size[0] == 1.0);
    assert_true(view->meshes[view->nodes[3].mesh].primitive->size[0] == 9.0);
    assert_int_equal(view->warning_count, 1);
    fr_model_destroy(model);

    // Without its file an instance is nothing, and its fields are passed over by their types.
    const char *lost = V2 "EXTERNPROTO X [ field MFNode kids field SFString s ] \"gone.wrl\"\nX { kids [ DEF k " SHAPE
                          " ] s \"}\" } USE k";
    model = vrml_with(lost, &options);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 1);
    fr_model_destroy(model);
    warns_with(lost, options, 2, 1, "no file gives the prototype X");
    model = vrml_with(V2 "EXTERNPROTO L [ ] \"loop.wrl#L\" L { } " SHAPE, &options);
    assert_string_equal(fr_model_get(model)->warnings[0].message,
                        "loop.wrl:2:1: loop.wrl would be read inside of itself");
    fr_model_destroy(model);
}

static void instances_are_counted_before_they_are_made(void **state) {
    (void)state;
    // Each prototype holds ten of the one before: ten to the twelfth.
    char text[8192];
    int length = snprintf(text, sizeof text,
                          "%sPROTO P0 [ field SFFloat r 1 ] { Shape { geometry Sphere { radius IS r } } }\n", V2);
    for (int i = 1; i <= 12; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "PROTO P%d [ field SFFloat r 1 ] { Group { children [ ", i);
        for (int k = 0; k < 10; k++) {
            length += snprintf(text + length, sizeof text - (size_t)length, "P%d { r IS r } ", i - 1);
        }
        length += snprintf(text + length, sizeof text - (size_t)length, "] } }\n");
    }
    snprintf(text + length, sizeof text - (size_t)length, "P12 { }");
    fr_model_read_input options = vrml_options(NULL);
    options.limits.nodes = 100000;
    fr_probe *probe = fr_probe_create();
    options.allocator = fr_probe_allocator(probe);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 100000 nodes"));
    assert_true(fr_probe_get(probe).peak_bytes < 100000 * 1000);
    fr_probe_destroy(probe);

    // Nesting has its own limit.
    length = snprintf(text, sizeof text, "%sPROTO P0 [ ] { " SHAPE " }\n", V2);
    for (int i = 1; i <= 40; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "PROTO P%d [ ] { P%d { } }\n", i, i - 1);
    }
    snprintf(text + length, sizeof text - (size_t)length, "P40 { }");
    vrml_refused(text, FR_ERROR_LIMIT, 35, 17, "prototypes are nested deeper than 32");
    strcpy(text + length, "P20 { }");
    text[strstr(text, "PROTO P25") - text] = '\0';
    strcat(text, "P20 { }");
    assert_int_equal(vrml_triangles(text), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances),
        cmocka_unit_test(is_goes_through_prototypes_in_prototypes),
        cmocka_unit_test(names_of_a_body_are_its_own),
        cmocka_unit_test(wrong_prototypes),
        cmocka_unit_test(prototypes_of_other_files),
        cmocka_unit_test(instances_are_counted_before_they_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
