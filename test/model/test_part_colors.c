// Colours of the triangles of a part: of corners, polygons and materials, in this order; grey and nothing are none.
#include "vrml_text.h"

static const fr_color fallback = {1, 2, 3, 4};

static bool is_color(fr_color c, int r, int g, int b, int a) { return c.r == r && c.g == g && c.b == b && c.a == a; }

static fr_model *read_obj(const char *text, vrml_file *files) {
    fr_model_read_input options = vrml_options(files);
    options.format = FR_MODEL_OBJ;
    return vrml_with(text, &options);
}

// Fills the colours of the first part, one a triangle of its mesh, and returns whether there are any.
static bool take_colors(const fr_model *model, fr_color *colors, uint32_t count) {
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 0, NULL, &mesh, NULL), FR_OK);
    assert_int_equal(fr_mesh_get(mesh)->triangle_count, count);
    fr_mesh_release(mesh);
    return fr_model_part_colors(model, 0, fallback, colors);
}

static void polygons_have_the_colours_of_their_materials(void **state) {
    (void)state;
    vrml_file files[] = {{"a.mtl", "newmtl red\nKd 1 0 0\nnewmtl glass\nKd 0 1 0.2\nd 0.2\n"}, {NULL, NULL}};
    // A square is two triangles; the last has no material.
    fr_model *model = read_obj("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 2 3 4\nusemtl red\nf 1 2 3 4\n"
                               "usemtl glass\nf 1 2 3\n",
                               files);
    fr_color colors[4];
    assert_true(take_colors(model, colors, 4));
    assert_true(is_color(colors[0], 1, 2, 3, 4));
    assert_true(is_color(colors[1], 255, 0, 0, 255) && is_color(colors[2], 255, 0, 0, 255));
    assert_true(is_color(colors[3], 0, 255, 51, 51));
    fr_model_destroy(model);
}

static void a_model_without_colours_has_the_fallback(void **state) {
    (void)state;
    vrml_file files[] = {{"a.mtl", "newmtl plain\nNs 3\n"}, {NULL, NULL}};
    static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n",
                                        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nusemtl plain\nf 1 2 3\n"};
    for (size_t i = 0; i < 2; i++) {
        fr_model *model = read_obj(texts[i], files);
        fr_color color;
        assert_false(take_colors(model, &color, 1));
        assert_true(is_color(color, 1, 2, 3, 4));
        fr_model_destroy(model);
    }
}

static void the_material_of_a_node_counts(void **state) {
    (void)state;
    fr_model *model = vrml("Shape { appearance Appearance { material Material { diffuseColor 0 0 1 } }"
                           " geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] }"
                           " coordIndex [0 1 2 -1] } }");
    fr_color color;
    uint32_t node = 0;
    while (fr_model_get(model)->nodes[node].mesh == FR_NONE) {
        node++;
    }
    assert_true(fr_model_part_colors(model, node, fallback, &color));
    assert_true(is_color(color, 0, 0, 255, 255));
    fr_model_destroy(model);
}

static void corners_and_polygons_come_before_materials(void **state) {
    (void)state;
    fr_model_material material = fr_default_model_material();
    material.diffuse[0] = 1.0f;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2};
    static const fr_color of_corners[] = {{0, 30, 90, 255}, {30, 60, 90, 255}, {60, 90, 90, 0}}, of_face = {9, 8, 7, 6};
    fr_model_mesh mesh = {.positions_float = positions, .vertex_count = 3, .face_count = 1, .corners = corners};
    fr_model_node node = fr_default_model_node();
    node.name = "";
    node.mesh = node.material = 0;
    for (int i = 0; i < 3; i++) {
        mesh.face_colors = i > 0 ? &of_face : NULL;
        mesh.corner_colors = i > 1 ? of_corners : NULL;
        fr_model_def def = fr_default_model_def();
        def.meshes = &mesh;
        def.mesh_count = 1;
        def.nodes = &node;
        def.node_count = 1;
        def.materials = &material;
        def.material_count = 1;
        fr_model *model;
        assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
        fr_color color;
        assert_true(fr_model_part_colors(model, 0, fallback, &color));
        assert_true(i == 0   ? is_color(color, 255, 204, 204, 255)
                    : i == 1 ? is_color(color, 9, 8, 7, 6)
                             : is_color(color, 30, 60, 90, 170));
        fr_model_destroy(model);
    }
}

static void an_unlit_material_has_the_colour_that_it_emits(void **state) {
    (void)state;
    fr_model_material material = fr_default_model_material();
    material.is_unlit = true;
    assert_true(is_color(fr_model_material_color(&material), 204, 204, 204, 255)); // it emits nothing
    material.emissive[1] = 0.5f;
    material.transparency = 1.0f;
    assert_true(is_color(fr_model_material_color(&material), 0, 128, 0, 0));
    material.is_unlit = false;
    assert_true(is_color(fr_model_material_color(&material), 204, 204, 204, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_have_the_colours_of_their_materials),
        cmocka_unit_test(a_model_without_colours_has_the_fallback),
        cmocka_unit_test(the_material_of_a_node_counts),
        cmocka_unit_test(corners_and_polygons_come_before_materials),
        cmocka_unit_test(an_unlit_material_has_the_colour_that_it_emits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
