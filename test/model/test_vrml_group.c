// Grouping nodes, files beside the model, appearance, sounds and notes of VRML97.
#include "vrml_text.h"

static fr_vec3 corner_of(const fr_model *model, const char *node, uint32_t vertex) {
    uint32_t index = find_node(model, node);
    double m[12];
    fr_model_node_matrix(model, index, m);
    const fr_model_view *view = fr_model_get(model);
    const float *p = view->meshes[view->nodes[index].mesh].positions_float + 3 * (size_t)vertex;
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    return fr_vec3_make(m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                        m[8] * x + m[9] * y + m[10] * z + m[11]);
}

static void is_at(fr_vec3 p, double x, double y, double z) {
    assert_true(fabs(p.x - x) < 1e-6 && fabs(p.y - y) < 1e-6 && fabs(p.z - z) < 1e-6);
}

static void transforms(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "Transform { translation 1 2 3 rotation 0 0 1 1.5707963 scale 2 3 4 center 1 0 0 children DEF a " SHAPE
                " } Transform { rotation 0 0 0 1 children DEF b " SHAPE " } Transform { scale 1 2 1 "
                "scaleOrientation 0 0 1 0.78539816 children DEF c " SHAPE " }");
    // (1, 0, 0) is the centre: only moved. (0, 0, 0) goes to -1 0 0, scaled -2 0 0, turned 0 -2 0, back and moved.
    is_at(corner_of(model, "a", 1), 2, 2, 3);
    is_at(corner_of(model, "a", 0), 2, 0, 3);
    is_at(corner_of(model, "a", 2), 2 - 3, 0, 3);
    is_at(corner_of(model, "b", 1), 1, 0, 0);
    // Stretched along the diagonal from x to -y; the turned y axis is (-1, 1) / sqrt 2.
    is_at(corner_of(model, "c", 1), 1.5, -0.5, 0);
    is_at(corner_of(model, "c", 2), -0.5, 1.5, 0);
    fr_model_destroy(model);

    model = vrml(V2 "Transform { children " SHAPE " }");
    assert_null(fr_model_get(model)->nodes[0].transform);
    fr_model_destroy(model);
    const char *flat = V2 "Transform { scale 1 0 1 children " SHAPE " }";
    says(flat, 2, 1, "a scale of 0");
    model = vrml(flat);
    assert_int_equal(fr_model_get(model)->nodes[1].flags, FR_MODEL_NO_COLLIDE);
    fr_model_destroy(model);
}

// The flags of the node of a name, and the triangles that can be touched.
static void has_flags(const char *text, const fr_model_read_input *options, const char *name, uint32_t flags) {
    fr_model *model = vrml_with(text, options);
    assert_int_equal(fr_model_get(model)->nodes[find_node(model, name)].flags, flags);
    fr_model_destroy(model);
}

static void choices(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    const char *text = V2 "Switch { whichChoice 1 choice [ DEF a " SHAPE " DEF b " SHAPE
                          " DEF c Group { children DEF d " SHAPE " } ] }";
    fr_model *model = vrml(text);
    assert_int_equal(fr_model_get(model)->node_count, 2);
    assert_int_equal(fr_model_get(model)->mesh_count, 1);
    assert_string_equal(fr_model_get(model)->nodes[1].name, "b");
    fr_model_destroy(model);
    options.has_all_choices = true;
    has_flags(text, &options, "a", FR_MODEL_HIDDEN);
    has_flags(text, &options, "b", 0);
    has_flags(text, &options, "d", FR_MODEL_HIDDEN);
    assert_int_equal(vrml_triangles(V2 "Switch { choice " SHAPE " }"), 0);
    assert_int_equal(vrml_triangles(V2 "Switch { whichChoice 5 choice " SHAPE " }"), 0);
    // What is not chosen may still be used elsewhere.
    assert_int_equal(vrml_triangles(V2 "Switch { choice DEF s " SHAPE " } USE s USE s"), 2);

    const char *levels = V2 "LOD { range [ 1 2 ] level [ DEF near " SHAPE " DEF far " SHAPE " ] }";
    options = vrml_options(NULL);
    has_flags(levels, &options, "near", 0);
    options.level = 7;
    has_flags(levels, &options, "far", 0);
    options.has_all_choices = true;
    has_flags(levels, &options, "near", FR_MODEL_HIDDEN);
}

static void collision_and_billboards(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    const char *text = V2 "Collision { proxy DEF p " SHAPE " children [ DEF a " SHAPE " ] }";
    has_flags(text, &options, "p", FR_MODEL_PROXY);
    has_flags(text, &options, "a", FR_MODEL_NO_COLLIDE);
    text = V2 "Collision { collide FALSE proxy " SHAPE " children Group { children DEF a " SHAPE " } }";
    has_flags(text, &options, "a", FR_MODEL_NO_COLLIDE);
    assert_int_equal(vrml_triangles(text), 1);
    text = V2 "DEF z Billboard { axisOfRotation 0 0 0 children DEF a " SHAPE " }";
    has_flags(text, &options, "a", FR_MODEL_BILLBOARD | FR_MODEL_NO_COLLIDE);
    options.may_touch_billboards = true;
    has_flags(text, &options, "a", FR_MODEL_BILLBOARD);
    fr_model *model = vrml(text);
    assert_string_equal(fr_model_get(model)->notes[0].kind, "Billboard");
    assert_string_equal(fr_model_get(model)->notes[0].name, "z");
    assert_string_equal(fr_model_get(model)->notes[0].text, "axisOfRotation 0 0 0");
    fr_model_destroy(model);
}

static void inlines(void **state) {
    (void)state;
    vrml_file files[] = {{"part.wrl", V2 "DEF p " SHAPE "\nOdd { }"},
                         {"deep/a.wrl", V2 "Inline { url \"b.wrl\" } Inline { url \"../part.wrl\" }"},
                         {"deep/b.wrl", "DEF b " SHAPE},
                         {"self.wrl", V2 SHAPE " Inline { url \"self.wrl\" }"},
                         {"ping.wrl", V2 SHAPE " Inline { url \"pong.wrl\" }"},
                         {"pong.wrl", V2 SHAPE " Inline { url \"ping.wrl\" }"},
                         {"binary.iv", "#Inventor V2.1 binary\n"},
                         {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    options.name = "folder/main.wrl";
    const char *text =
        V2 "Inline { url [ \"none.wrl\" \"part.wrl\" ] } Transform { translation 1 0 0 children Inline { url "
           "\"part.wrl\" } }";
    fr_model *model = vrml_with(text, &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 5);
    assert_int_equal(view->mesh_count, 1); // read once
    assert_int_equal(view->placed_triangle_count, 2);
    assert_int_equal(view->warning_count, 2);
    assert_string_equal(view->warnings[0].message, "the file none.wrl cannot be read");
    assert_int_equal(view->warnings[0].line, 2);
    // A file of its own has its own name, lines and columns; the warning stands where it is named.
    assert_string_equal(view->warnings[1].message,
                        "part.wrl:3:1: the node Odd is not known; the nodes in it are shown as those of a Group");
    assert_int_equal(view->warnings[1].line, 2);
    assert_int_equal(view->warnings[1].column, 1);
    fr_model_destroy(model);
    options.is_strict = true;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_SYNTAX);
    assert_string_equal(error.path, "folder/part.wrl");
    assert_int_equal(error.line, 3);
    options.is_strict = false;

    model = vrml_with(V2 "Inline { url \"deep/a.wrl\" }", &options);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 2);
    fr_model_destroy(model);
    static const char *const rings[][2] = {{"self.wrl", "self.wrl:2:114: self.wrl would be read inside of itself"},
                                           {"ping.wrl", "pong.wrl:2:114: ping.wrl would be read inside of itself"}};
    for (int i = 0; i < 2; i++) {
        char ring[200];
        snprintf(ring, sizeof ring, "%s\n Inline { url \"%s\" }", V2, rings[i][0]);
        model = vrml_with(ring, &options);
        assert_string_equal(fr_model_get(model)->warnings[0].message, rings[i][1]);
        assert_int_equal(fr_model_get(model)->warnings[0].line, 3);
        assert_int_equal(fr_model_get(model)->warnings[0].column, 2);
        fr_model_destroy(model);
    }
    warns_with(V2 "Inline { url \"main.wrl\" }\n" SHAPE, options, 2, 1, "inside of itself");
    model = vrml_with(V2 "Inline { url \"binary.iv\" } " SHAPE, &options);
    assert_non_null(strstr(fr_model_get(model)->warnings[0].message, "binary Inventor"));
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 1);
    fr_model_destroy(model);
    // Without anyone to ask there are no files.
    model = vrml(V2 "Inline { url \"part.wrl\" }");
    assert_int_equal(fr_model_get(model)->node_count, 1);
    fr_model_destroy(model);
}

static void urls_stay_in_the_folder(void **state) {
    (void)state;
    static const struct {
        const char *url, *words;
    } refused[] = {{"http://example.org/a.wrl", "is not a file beside the model"},
                   {"file:///etc/passwd", "is not a file beside the model"},
                   {"C:/a.wrl", "is not a file beside the model"},
                   {"/etc/passwd", "absolute path"},
                   {"\\\\server\\share", "absolute path"},
                   {"../a.wrl", "leaves the model's folder"},
                   {"deep/../../a.wrl", "leaves the model's folder"},
                   {"%2e%2e/a.wrl", "leaves the model's folder"},
                   {"..\\\\a.wrl", "leaves the model's folder"},
                   {"a%00.wrl", "is no path"},
                   {"#name", "names no file"},
                   {".", "leaves the model's folder"}};
    vrml_file files[] = {{"a.wrl", V2 SHAPE}, {"deep/a b.wrl", V2 SHAPE}, {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "%sInline { url \"%s\" }", V2, refused[i].url);
        fr_model *model = vrml_with(text, &options);
        if (strstr(fr_model_get(model)->warnings[0].message, refused[i].words) == NULL) {
            fail_msg("%s: %s", refused[i].url, fr_model_get(model)->warnings[0].message);
        }
        fr_model_destroy(model);
    }
    static const char *const right[] = {"a.wrl",  "./a.wrl", "deep/../a.wrl",  "deep//a%20b.wrl",
                                        " a.wrl", "a.wrl#x", "deep\\\\a b.wrl"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "%sInline { url \"%s\" }", V2, right[i]);
        fr_model *model = vrml_with(text, &options);
        if (fr_model_get(model)->placed_triangle_count != 1) { fail_msg("%s is not found", right[i]); }
        fr_model_destroy(model);
    }
}

static void appearance(void **state) {
    (void)state;
    vrml_file files[] = {{"wood.png", "x"}, {NULL, NULL}};
    fr_model_read_input options = vrml_options(files);
    fr_model *model = vrml_with(V2 "Shape { appearance Appearance { material DEF red Material { diffuseColor 1 0 0 "
                                   "transparency .5 } texture ImageTexture "
                                   "{ url [ \"gone.png\" \"wood.png\" ] repeatS FALSE } textureTransform "
                                   "TextureTransform { scale 2 3 translation 4 5 "
                                   "center 6 7 rotation 8 } } geometry DEF g " TRIANGLE " }\n"
                                   "Shape { geometry USE g }\nShape { appearance Appearance { material Material { } "
                                   "texture PixelTexture { image 2 1 3 "
                                   "0xFF0102 0x030405 } } geometry Box { } } Shape { appearance Appearance { material "
                                   "Material { } } geometry Box { } }",
                                &options);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->material_count, 4);
    assert_int_equal(view->texture_count, 2);
    const fr_model_material *red = &view->materials[view->nodes[0].material];
    assert_string_equal(red->name, "red");
    assert_true(red->diffuse[0] == 1.0f && red->diffuse[1] == 0.0f && red->transparency == 0.5f && !red->is_unlit);
    assert_true(red->ambient == 0.2f && red->shininess == 0.2f);
    const fr_model_texture *wood = &view->textures[red->texture];
    assert_string_equal(wood->path, "wood.png");
    assert_true(!wood->is_repeated_s && wood->is_repeated_t && wood->scale[1] == 3.0f && wood->translation[0] == 4.0f);
    assert_true(wood->center[1] == 7.0f && wood->rotation == 8.0f);
    // No material: white, without light.
    const fr_model_material *bare = &view->materials[view->nodes[1].material];
    assert_true(bare->is_unlit && bare->diffuse[0] == 1.0f && bare->texture == FR_NONE);
    // With a texture the geometry gets coordinates, without one it has none.
    assert_non_null(view->meshes[view->nodes[0].mesh].corner_uvs);
    assert_null(view->meshes[view->nodes[1].mesh].corner_uvs);
    const fr_model_texture *pixels = &view->textures[view->materials[view->nodes[2].material].texture];
    assert_int_equal(pixels->width, 2);
    assert_memory_equal(pixels->pixels, "\xff\x01\x02\x03\x04\x05", 6);
    fr_model_destroy(model);

    says(V2 "Shape { appearance Appearance { material Material { ambientIntensity 2.0 } } geometry " TRIANGLE " }", 2,
         70, "brought into");
    model = vrml_with(
        V2 "Shape { appearance Appearance { texture ImageTexture { url \"gone.png\" } } geometry " TRIANGLE " }",
        &options);
    assert_string_equal(fr_model_get(model)->warnings[0].message,
                        "ImageTexture has no file: 'gone.png' cannot be read");
    fr_model_destroy(model);
    vrml_refused(V2 "Shape { appearance Appearance { texture PixelTexture { image 99999 99999 1 0 } } }",
                 FR_ERROR_LIMIT, 2, 62, "pixels");
    // Equal materials are one, unless they have names.
    model = vrml(V2 "Shape { appearance Appearance { material Material { } } } Shape { appearance Appearance { "
                    "material Material "
                    "{ } } } Shape { appearance Appearance { material DEF m Material { } } }");
    assert_int_equal(fr_model_get(model)->material_count, 2);
    fr_model_destroy(model);
}

// Colours of one shape's polygons say nothing of another's.
static void a_shape_without_colours_has_none(void **state) {
    (void)state;
#define PAINTED(color)                                                                                                 \
    "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 ] " color   \
    " } }"
    fr_model *model = vrml(V2 PAINTED("") PAINTED("colorPerVertex FALSE color Color { color [ 1 0 0 ] }") PAINTED(""));
    const fr_model_view *view = fr_model_get(model);
    assert_null(view->meshes[0].face_colors);
    assert_int_equal(view->meshes[1].face_colors[0].r, 255);
    assert_null(view->meshes[2].face_colors);
    fr_model_destroy(model);
}

static void sounds_and_notes(void **state) {
    (void)state;
    fr_model *model = vrml(V2 "Transform { translation 1 0 0 children DEF bell Sound { location 0 1 0 minFront 2 "
                              "maxFront 20 spatialize FALSE "
                              "source AudioClip { url \"bell.wav\" loop TRUE description \"a bell\" startTime 3 } } }\n"
                              "DEF v Viewpoint { position 1 2 3 description \"front\" } DEF l PointLight { intensity "
                              ".5 } WorldInfo { title \"T\" }");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->sound_count, 1);
    const fr_model_sound *sound = &view->sounds[0];
    assert_string_equal(sound->path, "bell.wav");
    assert_string_equal(sound->description, "a bell");
    assert_string_equal(view->nodes[sound->node].name, "bell");
    assert_true(sound->location.y == 1.0 && sound->min_front == 2.0 && sound->max_front == 20.0 &&
                sound->min_back == 1.0);
    assert_true(sound->is_loop && !sound->is_spatial && sound->start == 3.0 && sound->pitch == 1.0);
    assert_int_equal(view->note_count, 3);
    assert_string_equal(view->notes[0].kind, "Viewpoint");
    assert_string_equal(view->notes[0].name, "v");
    assert_string_equal(view->notes[0].text, "front: position 1 2 3, orientation 0 0 1 0, fieldOfView 0.785398");
    assert_string_equal(view->notes[1].text, "location 0 0 0, color 1 1 1, intensity 0.5, on 1");
    assert_string_equal(view->notes[2].text, "T");
    fr_model_destroy(model);
}

static void geometry_may_stand_without_a_shape(void **state) {
    (void)state;
    const char *text = V2 "Transform { translation 0 8 0\n  children [ Box { } DEF b Sphere { } ] }\nUSE b\n"
                          "Shape { appearance Appearance { material DEF m Material { } } geometry USE b }\n"
                          "IndexedLineSet { } Text { }";
    fr_model_read_input options = vrml_options(NULL);
    says_with(text, options, 3, 14, "Box without a Shape");
    fr_model *model = vrml(text);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 2);
    assert_int_equal(view->node_count, 5);
    assert_int_equal(view->warning_count, 2);
    assert_string_equal(view->nodes[2].name, "b");
    assert_true(view->nodes[2].mesh == view->nodes[3].mesh && view->nodes[3].mesh == view->nodes[4].mesh);
    assert_true(view->nodes[1].material == FR_NONE && view->nodes[2].material == FR_NONE);
    assert_int_equal(view->nodes[4].material, 0);
    assert_true(view->bounds.max.y == 9.0 && view->bounds.min.y == -1.0);
    fr_model_destroy(model);
}

// The sides of an open cylinder of radius 1 are its facets.
static uint32_t facets(double tolerance) {
    fr_model_read_input options = vrml_options(NULL);
    options.facet_tolerance = tolerance;
    fr_model *model = vrml_with(V2 "Shape { geometry Cylinder { top FALSE bottom FALSE } }", &options);
    uint32_t count = fr_model_get(model)->meshes[0].face_count;
    fr_model_destroy(model);
    return count;
}

static void curves_have_as_many_facets_as_are_wanted(void **state) {
    (void)state;
    const double tolerances[] = {0.0, 0.02, 0.005};
    for (size_t i = 0; i < 3; i++) {
        double tolerance = tolerances[i] > 0.0 ? tolerances[i] : 0.001; // a thousandth of the radius
        uint32_t count = facets(tolerances[i]);
        assert_true(1.0 - cos(FR_PI / count) <= tolerance && 1.0 - cos(FR_PI / (count - 1)) > tolerance);
    }
    assert_int_equal(facets(1e-9), 256);
    assert_int_equal(facets(10.0), 12);
}

static void lines_and_points_are_counted(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "Shape { geometry IndexedLineSet { coord DEF c Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ "
                "0 1 -1 1 2 -1 2 0 ] } } Shape { geometry DEF p PointSet { coord USE c } } Shape { geometry USE p }");
    assert_int_equal(fr_model_get(model)->line_count, 3);
    assert_int_equal(fr_model_get(model)->point_count, 3);
    assert_int_equal(fr_model_get(model)->mesh_count, 0);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms),
        cmocka_unit_test(choices),
        cmocka_unit_test(collision_and_billboards),
        cmocka_unit_test(inlines),
        cmocka_unit_test(urls_stay_in_the_folder),
        cmocka_unit_test(appearance),
        cmocka_unit_test(a_shape_without_colours_has_none),
        cmocka_unit_test(sounds_and_notes),
        cmocka_unit_test(geometry_may_stand_without_a_shape),
        cmocka_unit_test(curves_have_as_many_facets_as_are_wanted),
        cmocka_unit_test(lines_and_points_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
