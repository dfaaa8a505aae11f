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
    warns(V2 "Transform { translation IS x } " SHAPE, 2, 28, "outside of a prototype's body");
    warns(V2 "PROTO A [ field SFOdd x 1 ] { Group { } }\n" SHAPE, 2, 23, "expected a type and a name");
    warns(V2 "PROTO A [ ] { Group { } } A { } A { y 5 } " SHAPE, 2, 37, "has no field 'y'");
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
    says_with(lost, options, 2, 1, "no file gives the prototype X");
    model = vrml_with(V2 "EXTERNPROTO L [ ] \"loop.wrl#L\" L { } " SHAPE, &options);
    assert_string_equal(fr_model_get(model)->warnings[0].message,
                        "loop.wrl:2:1: loop.wrl would be read inside of itself");
    fr_model_destroy(model);
}

static double only_box(const char *text, vrml_file *files) {
    fr_model_read_input options = vrml_options(files);
    fr_model *model = vrml_with(text, &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 1);
    double size = view->meshes[0].primitive->size[0];
    fr_model_destroy(model);
    return size;
}

// ISO/IEC 14772-1, 4.9.2: without a name it is the first PROTO of the file; statements EXTERNPROTO do not count.
static void without_a_name_it_is_the_first_proto(void **state) {
    (void)state;
    vrml_file files[] = {
        {"other.wrl", V2 "PROTO Other [ ] { Shape { geometry Box { size 9 9 9 } } }"},
        {"lib.wrl",
         V2 "EXTERNPROTO Other [ ] \"other.wrl\"\nPROTO First [ ] { Shape { geometry Box { size 2 2 2 } } }\n"
            "PROTO Second [ ] { Shape { geometry Box { size 3 3 3 } } }"},
        // Second is met before First is declared, by a use that finds nothing.
        {"used.wrl", V2 "EXTERNPROTO Other [ ] \"other.wrl\" Second { } First { }\n"
                        "PROTO First [ ] { Shape { geometry Box { size 2 2 2 } } }\n"
                        "PROTO Second [ ] { Shape { geometry Box { size 3 3 3 } } }"},
        {"inner.wrl", V2 "PROTO First [ ] { PROTO Inner [ ] { Shape { geometry Box { size 7 7 7 } } } Shape { geometry "
                         "Box { size 2 2 2 } } }"},
        {"none.wrl", V2 "EXTERNPROTO Other [ ] \"other.wrl\""},
        {NULL, NULL}};
    assert_true(only_box(V2 "EXTERNPROTO X [ ] \"lib.wrl\" X { }", files) == 2.0);
    assert_true(only_box(V2 "EXTERNPROTO X [ ] \"lib.wrl#Other\" X { }", files) == 9.0);
    assert_true(only_box(V2 "EXTERNPROTO X [ ] \"lib.wrl#Second\" X { }", files) == 3.0);
    assert_true(only_box(V2 "EXTERNPROTO X [ ] \"used.wrl\" X { }", files) == 2.0);
    assert_true(only_box(V2 "EXTERNPROTO X [ ] \"inner.wrl\" X { }", files) == 2.0);
    fr_model_read_input options = vrml_options(files);
    says_with(V2 "EXTERNPROTO X [ ] \"none.wrl\" X { } " SHAPE, options, 2, 1, "no file gives the prototype X");
}

static void files_that_name_each_other_end(void **state) {
    (void)state;
    vrml_file files[] = {
        {"two.wrl", V2 "PROTO A [ ] { " SHAPE " }\nEXTERNPROTO B [ ] \"three.wrl#B\"\nPROTO C [ ] { Group { children [ "
                       "B { } " SHAPE " ] } }"},
        {"three.wrl", V2 "EXTERNPROTO C [ ] \"two.wrl#C\"\nPROTO B [ ] { Group { children [ C { } " SHAPE " ] } }"},
        {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    const char *text = V2 "EXTERNPROTO A [ ] \"two.wrl#A\"\nA { }\nEXTERNPROTO B [ ] \"three.wrl#B\"\nB { }";
    fr_model *model = vrml_with(text, &options);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 3);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_non_null(strstr(fr_model_get(model)->warnings[0].message, "the prototype B stands in itself"));
    fr_model_destroy(model);
}

// Nodes of an interface that routes of the body name: they are no nodes of the body.
static void routes_of_nodes_of_the_interface(void **state) {
    (void)state;
    assert_int_equal(vrml_triangles(V2 "PROTO P [ field SFNode n DEF t Transform { children " SHAPE " } ] { Group { "
                                       "children IS n } ROUTE t.translation_changed TO t.set_center } P { }"),
                     0);
    assert_int_equal(vrml_triangles(V2 "PROTO P [ field MFNode n DEF t Transform { children " SHAPE
                                       " } ] { DEF g Group "
                                       "{ children IS n } ROUTE t.translation_changed TO t.set_center } P { } P { }"),
                     2);
    warns(V2 "PROTO A [ field SFFloat r 2 ] { PROTO B [ field SFNode n Sphere { radius IS r } ] { " SHAPE
             " } B { } } A { }",
          2, 77, "outside of a prototype's body");
}

// Each prototype holds `width` instances of the one before, to which it passes its field on.
static int write_tower(char *text, size_t bytes, int levels, int width) {
    int length =
        snprintf(text, bytes, "%sPROTO P0 [ field SFFloat r 1 ] { Shape { geometry Sphere { radius IS r } } }\n", V2);
    for (int i = 1; i <= levels; i++) {
        length +=
            snprintf(text + length, bytes - (size_t)length, "PROTO P%d [ field SFFloat r 1 ] { Group { children [ ", i);
        for (int k = 0; k < width; k++) {
            length += snprintf(text + length, bytes - (size_t)length, "P%d { r IS r } ", i - 1);
        }
        length += snprintf(text + length, bytes - (size_t)length, "] } }\n");
    }
    return length;
}

// What a tower takes at once, with an instance of its top or without. It is refused where it is instanced.
static uint64_t peak_of_tower(int levels, int width, bool has_instance) {
    char text[16384];
    int length = write_tower(text, sizeof text, levels, width);
    if (has_instance) { snprintf(text + length, sizeof text - (size_t)length, "P%d { r 2 }", levels); }
    fr_model_read_input options = vrml_options(NULL);
    fr_probe *probe = fr_probe_create();
    fr_probe_bound(probe, 1000000);
    options.allocator = fr_probe_allocator(probe);
    fr_model *model;
    fr_error error = {.status = FR_OK};
    fr_status status = read_bytes(text, strlen(text), &options, &model, &error);
    if (has_instance) {
        assert_int_equal(status, FR_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "more than 10000000 nodes"));
        assert_int_equal(error.line, levels + 3);
        assert_int_equal(error.column, 1);
    } else {
        assert_int_equal(status, FR_OK);
        fr_model_destroy(model);
    }
    uint64_t peak = fr_probe_get(probe).peak_bytes;
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    return peak;
}

static void instances_are_counted_before_they_are_made(void **state) {
    (void)state;
    // 2^30, 10^12 and 2^24 spheres: no more memory than the declarations take, at the reader's own limit.
    static const int towers[][2] = {{30, 2}, {12, 10}, {24, 2}};
    for (int i = 0; i < 3; i++) {
        uint64_t declared = peak_of_tower(towers[i][0], towers[i][1], false);
        uint64_t refused = peak_of_tower(towers[i][0], towers[i][1], true);
        assert_true(declared < 300000 && refused < 300000);
    }
    // What is within the limit is made: 2^10.
    char text[16384];
    int length = write_tower(text, sizeof text, 10, 2);
    snprintf(text + length, sizeof text - (size_t)length, "P10 { r 2 }");
    fr_model *model = vrml(text);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 2047);
    assert_int_equal(view->mesh_count, 1);
    assert_true(view->meshes[0].primitive->size[0] == 2.0);
    fr_model_destroy(model);

    // Nesting has its own limit, which is reported at the instance.
    length = snprintf(text, sizeof text, "%sPROTO P0 [ ] { " SHAPE " }\n", V2);
    for (int i = 1; i <= 40; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "PROTO P%d [ ] { P%d { } }\n", i, i - 1);
    }
    strcpy(text + length, "P31 { }");
    assert_int_equal(vrml_triangles(text), 1);
    strcpy(text + length, "P20 { } P32 { }");
    vrml_refused(text, FR_ERROR_LIMIT, 43, 9, "prototypes are nested deeper than 32");
    strcpy(text + length, "P40 { }");
    vrml_refused(text, FR_ERROR_LIMIT, 43, 1, "prototypes are nested deeper than 32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances),
        cmocka_unit_test(is_goes_through_prototypes_in_prototypes),
        cmocka_unit_test(names_of_a_body_are_its_own),
        cmocka_unit_test(wrong_prototypes),
        cmocka_unit_test(prototypes_of_other_files),
        cmocka_unit_test(without_a_name_it_is_the_first_proto),
        cmocka_unit_test(files_that_name_each_other_end),
        cmocka_unit_test(routes_of_nodes_of_the_interface),
        cmocka_unit_test(instances_are_counted_before_they_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
