// X3D in XML: the same nodes by another front end.
#include "x3d_text.h"

#include "failing.h"

static void nodes_and_fields(void **state) {
    (void)state;
    fr_model *model = x3d(
        HEAD
        "<Transform DEF='t' translation='1 2 3'><Shape><Appearance><Material diffuseColor='1 0 0'/></Appearance>" FACES
        "</Shape><Transform USE='t2'/></Transform>\n<Group><Shape DEF='s'><Box size='1 2 3' solid='false'/></Shape>"
        "<Shape USE='s'/></Group>\n<WorldInfo title='A &quot;title&quot;'/>" TAIL);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->format, FR_MODEL_X3D);
    assert_int_equal(view->node_count, 5);
    assert_true(view->nodes[0].transform[7] == 2.0);
    assert_string_equal(view->nodes[0].name, "t");
    assert_true(view->materials[view->nodes[1].material].diffuse[1] == 0.0f);
    assert_int_equal(view->nodes[3].mesh, view->nodes[4].mesh);
    assert_true(view->meshes[view->nodes[3].mesh].is_two_sided);
    assert_string_equal(view->notes[0].text, "A \"title\"");
    assert_int_equal(view->warning_count, 1);
    assert_int_equal(view->warnings[0].line, 3);
    assert_string_equal(view->warnings[0].message, "USE of 't2', which no DEF has named");
    fr_model_destroy(model);
}

static void containers(void **state) {
    (void)state;
    fr_model *model = x3d(
        HEAD
        "<Collision><Shape containerField='proxy' DEF='p'><Box/></Shape><Shape DEF='a'><Sphere/></Shape></Collision>"
        "<Switch whichChoice='1'><Shape DEF='b'/><Shape DEF='c'><Box/></Shape></Switch>"
        "<LOD><Shape DEF='d'><Box/></Shape><Shape DEF='e'/></LOD>"
        "<Shape><Box/><Coordinate point='0 0 0'/></Shape>" TAIL);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->nodes[find_node(model, "p")].flags, FR_MODEL_PROXY);
    assert_int_equal(view->nodes[find_node(model, "a")].flags, FR_MODEL_NO_COLLIDE);
    find_node(model, "c");
    find_node(model, "d");
    assert_int_equal(view->node_count, 8);
    assert_int_equal(view->warning_count, 1);
    assert_string_equal(view->warnings[0].message, "Coordinate does not belong in Shape");
    fr_model_destroy(model);
}

static void prototypes(void **state) {
    (void)state;
    fr_model *model = x3d(
        HEAD
        "<ProtoDeclare name='P'><ProtoInterface><field name='size' type='SFVec3f' accessType='initializeOnly' value='1 "
        "1 1'/>"
        "<field name='kids' type='MFNode' accessType='inputOutput'><Shape><Box/></Shape><Shape><Box/></Shape></field>"
        "<field name='go' type='SFVec3f' accessType='inputOnly'/></ProtoInterface><ProtoBody><Transform><IS><connect "
        "nodeField='scale' protoField='size'/><connect nodeField='set_translation' "
        "protoField='go'/></IS><Group><IS><connect "
        "nodeField='children' protoField='kids'/></IS></Group></Transform></ProtoBody></ProtoDeclare>\n"
        "<ProtoInstance name='P' DEF='a'/><ProtoInstance name='P' DEF='b'><fieldValue name='size' value='2 2 2'/>"
        "<fieldValue name='kids'><Shape><Box/></Shape></fieldValue></ProtoInstance><ProtoInstance USE='b'/>\n"
        "<TimeSensor DEF='t' loop='true'/><PositionInterpolator DEF='i' key='0 1' keyValue='0 0 0 1 1 1'/>"
        "<ROUTE fromNode='t' fromField='fraction_changed' toNode='i' toField='set_fraction'/>"
        "<ROUTE fromNode='i' fromField='value_changed' toNode='b' toField='go'/>" TAIL);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->placed_triangle_count, 12 * 4);
    assert_int_equal(view->track_count, 2);
    uint32_t b = find_node(model, "b");
    assert_true(view->nodes[b].transform[0] == 2.0);
    assert_string_equal(view->nodes[view->tracks[0].target].name, "b");
    fr_model_destroy(model);

    // From a file of either kind.
    vrml_file files[] = {
        {"lib.x3d", HEAD "<ProtoDeclare name='Q'><ProtoBody>" XSHAPE "</ProtoBody></ProtoDeclare>" TAIL},
        {"lib.wrl", V2 "PROTO R [ ] { " SHAPE " }"},
        {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    model = vrml_with(HEAD "<ExternProtoDeclare name='Q' url='\"gone.x3d#Q\" \"lib.x3d#Q\"'/><ExternProtoDeclare "
                           "name='R' url='lib.wrl#R'/>"
                           "<ProtoInstance name='Q'/><ProtoInstance name='R'/><Inline url='\"lib.wrl\"'/>" TAIL,
                      &options);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 2);
    fr_model_destroy(model);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    warns(HEAD "<Odd><Shape/></Odd>" XSHAPE TAIL, 3, 1, "the node Odd is not known");
    warns(HEAD "\n <Shape odd='1'>" FACES "</Shape>" TAIL, 4, 2, "Shape has no field 'odd'");
    warns(HEAD "<Transform translation='1 2'>" XSHAPE "</Transform>" TAIL, 3, 1, "expected SFVec3f");
    warns(HEAD "<Transform translation='1 2 3 4'>" XSHAPE "</Transform>" TAIL, 3, 1, "what follows the value");
    warns(HEAD "<Transform translation='1 2 nan'>" XSHAPE "</Transform>" TAIL, 3, 1, "not a finite number");
    warns(HEAD "<ProtoInstance name='P'/>" XSHAPE TAIL, 3, 1, "the node P is not known");
    warns(HEAD "<ProtoDeclare/>" XSHAPE TAIL, 3, 1, "without a name");
    warns(HEAD "<field name='a'/>" XSHAPE TAIL, 3, 1, "a field without type");
    warns(HEAD "<Group><IS><connect nodeField='odd' protoField='x'/></IS></Group>" XSHAPE TAIL, 3, 12,
          "has no field 'odd'");
    warns(HEAD XSHAPE "<ROUTE fromNode='a' fromField='b' toNode='c' toField='d'/>" TAIL, 3, 112, "one has no DEF");
}

// The sets of X3D that VRML97 does not have.
static void sets_of_triangles_and_quads(void **state) {
    (void)state;
    static const struct {
        const char *node;
        uint64_t triangles;
    } cases[] = {
        {"<TriangleSet><Coordinate point='0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1'/></TriangleSet>", 2},
        {"<IndexedTriangleSet index='0 1 2 0 2 3'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></IndexedTriangleSet>",
         2},
        {"<TriangleStripSet stripCount='4'><Coordinate point='0 0 0 1 0 0 0 1 0 1 1 0'/></TriangleStripSet>", 2},
        {"<IndexedTriangleStripSet index='0 1 2 3 -1'><Coordinate point='0 0 0 1 0 0 0 1 0 1 1 "
         "0'/></IndexedTriangleStripSet>",
         2},
        {"<TriangleFanSet fanCount='4'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></TriangleFanSet>", 2},
        {"<IndexedTriangleFanSet index='0 1 2 3 -1'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 "
         "0'/></IndexedTriangleFanSet>",
         2},
        {"<QuadSet><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></QuadSet>", 2},
        {"<IndexedQuadSet index='0 1 2 3'><CoordinateDouble point='0 0 0 1 0 0 1 1 0 0 1 0'/></IndexedQuadSet>", 2},
        {"<IndexedFaceSet coordIndex='0 1 2 3'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/><ColorRGBA color='1 0 0 .5 "
         "1 0 0 1 1 0 0 1 1 0 "
         "0 1'/></IndexedFaceSet>",
         2},
        {"<LineSet vertexCount='2 2'><Coordinate point='0 0 0 1 0 0 1 1 0 0 1 0'/></LineSet>", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD "<Shape>%s</Shape>" TAIL, cases[i].node);
        fr_model *model = x3d(text);
        const fr_model_view *view = fr_model_get(model);
        if (view->placed_triangle_count != cases[i].triangles || view->warning_count != (cases[i].triangles == 0)) {
            fail_msg("%s: %s", cases[i].node, view->warning_count > 0 ? view->warnings[0].message : "");
        }
        fr_model_destroy(model);
    }
}

// The two languages say the same.
static void twins(void **state) {
    (void)state;
    fr_model *a = vrml(V2 "DEF t Transform { rotation 0 1 0 1 children [ Shape { appearance Appearance { material "
                          "Material { transparency .5 } } "
                          "geometry Cone { height 3 side FALSE } } " SHAPE " ] }");
    fr_model *b = x3d(HEAD "<Transform DEF='t' rotation='0 1 0 1'><Shape><Appearance><Material "
                           "transparency='.5'/></Appearance><Cone height='3' "
                           "side='false'/></Shape>" XSHAPE "</Transform>" TAIL);
    const fr_model_view *va = fr_model_get(a), *vb = fr_model_get(b);
    assert_int_equal(va->node_count, vb->node_count);
    assert_int_equal(va->vertex_count, vb->vertex_count);
    assert_memory_equal(&va->bounds, &vb->bounds, sizeof va->bounds);
    assert_memory_equal(va->nodes[0].transform, vb->nodes[0].transform, 12 * sizeof(double));
    assert_true(va->materials[0].transparency == vb->materials[0].transparency);
    fr_model_destroy(a);
    fr_model_destroy(b);
}

// What expat takes is the caller's memory too: it is counted, given back, and may be missing.
// Names that a file only uses are those of attributes, which are gone with their element.
static void names_that_are_only_used(void **state) {
    (void)state;
    char text[60000];
    int length =
        snprintf(text, sizeof text, "%s<ProtoDeclare name='P'><ProtoBody>" XSHAPE "</ProtoBody></ProtoDeclare>", HEAD);
    for (int i = 0; i < 300; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "<Shape USE='lost%04d'/><Odd%d/><Group DEF='g%d' bboxSize='%0*d 1 1'/>"
                           "<ROUTE fromNode='g%d' fromField='children' toNode='late%04d' toField='children'/>\n",
                           i, i, i, 1 + i % 50, 1, i, i);
    }
    snprintf(text + length, sizeof text - (size_t)length, "<ProtoInstance name='P'/>" TAIL);
    fr_model *model = x3d(text);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 1);
    assert_int_equal(fr_model_get(model)->warning_count, 900);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// UTF-16

// The text in UTF-16, of UTF-8 without characters of more than three bytes; free it.
static char *utf16_of(const char *text, bool is_big, bool has_mark, size_t *size) {
    char *bytes = malloc(2 * strlen(text) + 2);
    assert_non_null(bytes);
    *size = 0;
    for (const unsigned char *at = (const unsigned char *)(has_mark ? "\xef\xbb\xbf" : text); *at != '\0';) {
        unsigned code = *at++;
        if (code >= 0xe0) {
            code = (code & 0xf) << 12 | (at[0] & 0x3fu) << 6 | (at[1] & 0x3fu);
            at += 2;
        } else if (code >= 0xc0) {
            code = (code & 0x1f) << 6 | (*at++ & 0x3fu);
        }
        bytes[(*size)++] = (char)(is_big ? code >> 8 : code & 0xff);
        bytes[(*size)++] = (char)(is_big ? code & 0xff : code >> 8);
        if (has_mark && *at == '\0') {
            has_mark = false;
            at = (const unsigned char *)text;
        }
    }
    return bytes;
}

static fr_status read_utf16(const char *text, bool is_big, bool has_mark, bool is_strict, fr_model **model,
                            fr_error *error) {
    fr_model_read_input options = fr_default_model_read_input();
    options.is_strict = is_strict;
    size_t size;
    char *bytes = utf16_of(text, is_big, has_mark, &size);
    fr_status status = read_bytes(bytes, size, &options, model, error);
    free(bytes);
    return status;
}

#define BODY16                                                                                                         \
    "<X3D><Scene>\n<WorldInfo title='caf\xc3\xa9 \xe3\x81\xb5\xe3\x82\x8c'/>" XSHAPE "\n<Box solid='maybe'/>" TAIL

static void text_in_utf16(void **state) {
    (void)state;
    // The XML says UTF-16, as it must, or says nothing; some say what their text was before.
    static const char *const heads[] = {"<?xml version='1.0' encoding='UTF-16'?>\n", "",
                                        "<?xml version='1.0' encoding='utf-8'?>\n",
                                        "<?xml version='1.0' encoding='ISO-8859-1'?>\n"};
    for (int i = 0; i < 16; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s" BODY16, heads[i / 4]);
        fr_model *model;
        fr_error error;
        if (read_utf16(text, (i & 1) != 0, (i & 2) != 0, false, &model, &error) != FR_OK) {
            fail_msg("%d: %d:%d: %s", i, error.line, error.column, error.message);
        }
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->format, FR_MODEL_X3D);
        assert_int_equal(view->placed_triangle_count, 1 + 12);
        assert_string_equal(view->notes[0].text, "caf\xc3\xa9 \xe3\x81\xb5\xe3\x82\x8c");
        // Lines and columns are those of the text.
        assert_int_equal(view->warnings[0].line, heads[i / 4][0] != '\0' ? 4 : 3);
        assert_int_equal(view->warnings[0].column, 1);
        fr_model_destroy(model);
    }
}

static void what_is_wrong_with_utf16(void **state) {
    (void)state;
    // VRML97 and classic X3D are UTF-8.
    static const char *const texts[] = {V2 SHAPE, "#X3D V3.0 utf8\nPROFILE Immersive\n" SHAPE,
                                        "#VRML V1.0 ascii\nCube {}"};
    fr_model *model;
    fr_error error;
    for (int i = 0; i < 12; i++) {
        fr_status status = read_utf16(texts[i / 4], (i & 1) != 0, (i & 2) != 0, false, &model, &error);
        assert_int_equal(status, FR_ERROR_UNSUPPORTED);
        assert_string_equal(error.message, "the text is UTF-16, and VRML is UTF-8; convert it first");
        assert_int_equal(error.line, 1);
    }
    // A half of a pair alone, an odd byte at the end.
    static const char pair[] =
        "\xff\xfe<\0X\0003\0D\0>\0<\0a\0 \0b\0=\0'\0\x3d\xd8\x00\xde'\0/\0>\0<\0/\0X\0003\0D\0>\0";
    static const char half[] = "\xff\xfe<\0X\0003\0D\0>\0<\0a\0 \0b\0=\0'\0\x3d\xd8'\0/\0>\0<\0/\0X\0003\0D\0>\0";
    static const struct {
        const char *bytes;
        size_t size;
        uint64_t bad;
    } cases[] = {{pair, sizeof pair - 1, 0}, {half, sizeof half - 1, 1}, {pair, sizeof pair, 1}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(read_bytes(cases[i].bytes, cases[i].size, NULL, &model, &error), FR_OK);
        uint64_t bad = 0;
        for (uint32_t k = 0; k < fr_model_get(model)->listed_warning_count; k++) {
            bad += strcmp(fr_model_get(model)->warnings[k].message, "bytes that are no character in UTF-16") == 0;
        }
        assert_int_equal(bad, cases[i].bad);
        fr_model_destroy(model);
    }
}

static fr_status make_utf16(const fr_allocator *allocator, void *context) {
    (void)context;
    size_t size;
    char *bytes = utf16_of(HEAD XSHAPE TAIL, true, true, &size);
    fr_model_read_input options = fr_default_model_read_input();
    options.allocator = *allocator;
    fr_model *model;
    fr_status status = fr_model_read(bytes, size, &options, &model, NULL);
    fr_model_destroy(model);
    free(bytes);
    return status;
}

static void every_failure_in_utf16_is_survived(void **state) {
    (void)state;
    test_every_failure(make_utf16, NULL);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    const char *text =
        "<X3D><Scene><Inline url='\"b.x3d\"'/><Transform translation='1 2 3'><Shape><Box/></Shape></Transform>"
        "</Scene></X3D>";
    vrml_file files[] = {{"b.x3d", "<X3D><Scene><Shape><Box size='1 1 1'/></Shape></Scene></X3D>"}, {NULL, NULL}};
    bounded_read read = {text, strlen(text), vrml_options(files)};
    read.options.format = FR_MODEL_X3D;
    // Expat alone takes a dozen blocks for a parser, and there are two.
    assert_true(test_every_failure(read_bounded, &read) >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_fields),
        cmocka_unit_test(containers),
        cmocka_unit_test(prototypes),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(sets_of_triangles_and_quads),
        cmocka_unit_test(twins),
        cmocka_unit_test(names_that_are_only_used),
        cmocka_unit_test(text_in_utf16),
        cmocka_unit_test(what_is_wrong_with_utf16),
        cmocka_unit_test(every_failure_in_utf16_is_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
