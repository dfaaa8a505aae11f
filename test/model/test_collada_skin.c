// Skins of Collada files: where the joints take the vertices, and what does not fit.
#include "failing.h"
#include "text_model.h"

#include <math.h>
#include <stdio.h>

// A strip of 6 positions, 2 units long; the upper of two joints is turned by a right angle. Each piece may be changed.
typedef struct pieces {
    const char *names, *binds, *weights, *counts, *indices, *skeleton;
} pieces;

static const pieces usual = {
    .names = "<Name_array id=\"ja\" count=\"2\">low high</Name_array>",
    .binds = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1",
    .weights = "1 0.5 0.25",
    .counts = "1 1 2 2 2 1",
    .indices = "0 0 0 0 0 1 1 1 1 1 0 1 1 2 1 2 1 0",
    .skeleton = "<skeleton>#lower</skeleton>",
};

#define GEOMETRY                                                                                                       \
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"sa\" count=\"18\">0 0 0 1 0 0 "   \
    "0 1 0 1 1 0 0 2 0 1 2 0</float_array><technique_common><accessor source=\"#sa\" count=\"6\" stride=\"3\"><param " \
    "name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source><vertices "              \
    "id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices><triangles count=\"4\"><input "                   \
    "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>5 4 3 3 4 2 3 2 1 1 2 0</p></triangles></mesh></geometry>"     \
    "</library_geometries>"
#define ACCESSOR(array, count, stride)                                                                                 \
    "<technique_common><accessor source=\"#" array "\" count=\"" count "\" stride=\"" stride                           \
    "\"><param name=\"ANY\"/></accessor></technique_common></source>"
#define CONTROLLER                                                                                                     \
    "<library_controllers><controller id=\"c\" name=\"arm\"><skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 0 0 "   \
    "0 0 1 0 0 0 0 1</bind_shape_matrix><source id=\"j\">%s" ACCESSOR(                                                 \
        "ja", "2", "1") "<source id=\"b\"><float_array "                                                               \
                        "id=\"ba\">%s</float_array>" ACCESSOR(                                                         \
                            "ba", "2", "16") "<source id=\"w\"><float_array "                                          \
                                             "id=\"wa\">%s</float_array>" ACCESSOR(                                    \
                                                 "wa", "3", "1") "<joints><input semantic=\"JOINT\" "                  \
                                                                 "source=\"#j\"/><input "                              \
                                                                 "semantic=\"INV_BIND_MATRIX\" "                       \
                                                                 "source=\"#b\"/></"                                   \
                                                                 "joints><vertex_weights "                             \
                                                                 "count=\"6\"><input semantic=\"JOINT\" "              \
                                                                 "source=\"#j\" offset=\"0\"/>"                        \
                                                                 "<input semantic=\"WEIGHT\" "                         \
                                                                 "source=\"#w\" "                                      \
                                                                 "offset=\"1\"/><vcount>%s</"                          \
                                                                 "vcount><v>%s</v></vertex_weights></"                 \
                                                                 "skin>"                                               \
                                                                 "</controller></library_controllers>"
#define SCENE                                                                                                          \
    "<library_visual_scenes><visual_scene id=\"vs\"><node id=\"strip\"><translate>7 7 7</translate>"                   \
    "<instance_controller url=\"#c\">%s</instance_controller></node><node id=\"lower\" sid=\"low\"><node "             \
    "id=\"upper\" sid=\"high\"><translate>0 1 0</translate><rotate>0 0 1 90</rotate></node></node></visual_scene>"     \
    "</library_visual_scenes><scene><instance_visual_scene url=\"#vs\"/></scene>"

static const char *text_of(const pieces *p) {
    static char text[6000];
    int length = snprintf(text, sizeof text, "<COLLADA version=\"1.4.1\">" GEOMETRY CONTROLLER SCENE "</COLLADA>",
                          p->names, p->binds, p->weights, p->counts, p->indices, p->skeleton);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return text;
}

static fr_status read_strip(const pieces *p, bool is_strict, fr_model **model, fr_error *error) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_COLLADA;
    options.is_strict = is_strict;
    const char *text = text_of(p);
    return read_bytes(text, strlen(text), &options, model, error);
}

// The node with the mesh.
static uint32_t mesh_node(const fr_model_view *view) {
    uint32_t node = 0;
    while (view->nodes[node].mesh == FR_NONE) {
        node++;
    }
    return node;
}

static void is_at(fr_vec3 p, double x, double y) {
    if (fr_vec3_distance(p, fr_vec3_make(x, y, 0.0)) > 1e-6) { fail_msg("%g %g %g, not %g %g", p.x, p.y, p.z, x, y); }
}

// Vertices are numbered by their first use: 5 4 3 2 1 0.
static void is_bent(const pieces *p) {
    fr_model *model;
    fr_error error = {0};
    if (read_strip(p, true, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_model_view *view = fr_model_get(model);
    uint32_t node = mesh_node(view);
    assert_int_equal(view->skin_count, 1);
    assert_string_equal(view->skins[0].name, "arm");
    assert_string_equal(view->nodes[view->skins[0].nodes[1]].name, "upper");
    assert_int_equal(view->nodes[node].skin, 0);
    fr_model_play *play;
    fr_vec3 v[6];
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, 0.0);
    fr_model_play_vertices(play, node, v);
    is_at(v[0], -1.0, 2.0);
    is_at(v[1], -1.0, 1.0);
    is_at(v[2], 0.5, 1.5);
    is_at(v[3], 0.0, 1.0);
    is_at(v[4], 1.0, 0.0);
    is_at(v[5], 0.0, 0.0);
    assert_true(fabs(view->bounds.min.x + 1.0) < 1e-6 && fabs(view->bounds.max.y - 2.0) < 1e-6);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static void vertices_follow_their_joints(void **state) {
    (void)state;
    is_bent(&usual);
    // Joints by their ids; without a node to look in; a joint that stands for the geometry has no say.
    pieces other = usual;
    other.names = "<IDREF_array id=\"ja\" count=\"2\">lower upper</IDREF_array>";
    is_bent(&other);
    other = usual;
    other.skeleton = "";
    is_bent(&other);
    other = usual;
    other.counts = "2 1 2 2 2 1";
    other.indices = "0 0 -1 0 0 0 0 1 1 1 1 1 0 1 1 2 1 2 1 0";
    is_bent(&other);
}

// Strict reading refuses it; otherwise the geometry stands as it lies.
static void does_not_fit(const pieces *p) {
    fr_model *model;
    fr_error error = {0};
    assert_int_not_equal(read_strip(p, true, &model, &error), FR_OK);
    assert_int_equal(read_strip(p, false, &model, &error), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_true(view->warning_count >= 1);
    assert_int_equal(view->nodes[mesh_node(view)].skin, FR_NONE);
    assert_true(view->bounds.min.x == 7.0);
    fr_model_destroy(model);
}

static void skins_that_do_not_fit(void **state) {
    (void)state;
    static const struct {
        size_t member;
        const char *text;
    } changes[] = {
        {offsetof(pieces, names), "<Name_array id=\"ja\">low none</Name_array>"},
        {offsetof(pieces, names), "<Name_array id=\"ja\">low</Name_array>"},
        {offsetof(pieces, names), "<Name_array id=\"ja\"></Name_array>"},
        {offsetof(pieces, names), ""},
        {offsetof(pieces, binds), "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"},
        {offsetof(pieces, binds), "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 0 0 -1 0 0 1 0 0 0 0 1"},
        {offsetof(pieces, weights), "1 -0.5 0.25"},
        {offsetof(pieces, weights), "1"},
        {offsetof(pieces, counts), "1 1 2 2 2"},
        {offsetof(pieces, counts), "1 1 2 2 2 9"},
        {offsetof(pieces, counts), "1 1 2 2 2147483647 2147483647"},
        {offsetof(pieces, counts), "one"},
        {offsetof(pieces, indices), "0 0 0 0 0 1 1 1 1 1 0 1 1 2 1 2 2 0"},
        {offsetof(pieces, indices), "0 0 0 0 0 1 1 1 1 1 0 1 1 2 1 2 1 3"},
        {offsetof(pieces, indices), ""},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        pieces p = usual;
        memcpy((char *)&p + changes[i].member, &changes[i].text, sizeof changes[i].text);
        does_not_fit(&p);
    }
}

static fr_status read_once(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_COLLADA;
    options.allocator = *allocator;
    const char *text = text_of(&usual);
    fr_model *model = NULL;
    fr_error error;
    fr_status status = fr_model_read(text, strlen(text), &options, &model, &error);
    fr_model_destroy(model);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    test_every_failure(read_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_follow_their_joints),
        cmocka_unit_test(skins_that_do_not_fit),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
