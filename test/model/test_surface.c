// Whether what a model shows is closed, and its volume, without a mesh of it all: compared with the topology and mass
// of the whole mesh, bit for bit.
#include "vrml_text.h"

#include "failing.h"
#include "frame.h"

#include <time.h>

// What the whole mesh says.
static fr_model_surface_output by_whole_mesh(const fr_model *model) {
    fr_model_surface_output found = {.is_closed = false};
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.use = FR_MODEL_TO_SHOW;
    fr_mesh *mesh;
    if (fr_model_whole_mesh(model, &input, &mesh, NULL) != FR_OK) { return found; }
    fr_topology_def def = fr_default_topology_def();
    def.is_welded = true;
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
    found.is_closed = topology->is_closed;
    if (found.is_closed) { found.volume = fr_mesh_mass(mesh).volume; }
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
    return found;
}

// Reads a text and compares; true where it is closed.
static bool compare(const char *text) {
    fr_model *model = vrml(text);
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.use = FR_MODEL_TO_SHOW;
    fr_model_surface_output found, wanted = by_whole_mesh(model);
    assert_int_equal(fr_model_surface(model, &input, &found, NULL), FR_OK);
    if (found.is_closed != wanted.is_closed || memcmp(&found.volume, &wanted.volume, sizeof found.volume) != 0) {
        fail_msg("%s\nclosed %d, volume %.17g, not %d, %.17g", text, found.is_closed, found.volume, wanted.is_closed,
                 wanted.volume);
    }
    fr_model_destroy(model);
    return found.is_closed;
}

#define BOX "Shape { geometry Box { } }"
// A box of edge 2 without its side at +x, and that side.
#define POINTS "coord Coordinate { point [ -1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1 ] }"
#define OPEN_BOX                                                                                                       \
    "Shape { geometry IndexedFaceSet { " POINTS                                                                        \
    " coordIndex [ 0 3 2 1 -1 4 5 6 7 -1 0 1 5 4 -1 3 7 6 2 -1 0 4 7 3 ] } }"
#define LID "Shape { geometry IndexedFaceSet { " POINTS " coordIndex [ 1 2 6 5 ] } }"

static void simple_truths(void **state) {
    (void)state;
    assert_false(compare(V2));
    assert_false(compare(V2 "Shape { geometry IndexedLineSet { } }"));
    assert_true(compare(V2 BOX));
    assert_false(compare(V2 OPEN_BOX));
    assert_true(compare(V2 OPEN_BOX LID));
    assert_false(compare(V2 OPEN_BOX LID LID));
    assert_false(compare(V2 "DEF b " BOX " USE b"));
    // Apart, touching at a corner, along an edge, and with a face.
    assert_true(compare(V2 "DEF b " BOX " Transform { translation 3 0 0 children USE b }"));
    assert_true(compare(V2 "DEF b " BOX " Transform { translation 2 2 2 children USE b }"));
    assert_false(compare(V2 "DEF b " BOX " Transform { translation 2 2 0 children USE b }"));
    assert_false(compare(V2 "DEF b " BOX " Transform { translation 2 0 0 children USE b }"));
    // One in another, mirrored, and a lid that is mirrored away from its box.
    assert_true(compare(V2 "DEF b " BOX " Transform { scale .5 .5 .5 children USE b }"));
    assert_true(compare(V2 "DEF b " BOX " Transform { translation 5 0 0 scale -1 1 1 children USE b }"));
    assert_false(compare(V2 OPEN_BOX " Transform { scale 1 -1 1 children " LID " }"
                                     " Transform { scale -1 1 1 children " LID " }"));
    assert_true(compare(V2 OPEN_BOX " Transform { scale 1 -1 1 children " LID " }"));
    // Far away floats join the vertices of something small: a box becomes flat, or a point.
    (void)compare(V2 "DEF b Shape { geometry Sphere { } } Transform { translation 1e6 0 0 scale .01 .01 .01 "
                     "children USE b } Transform { translation 9 0 0 children USE b }");
    (void)compare(
        V2 "DEF b Shape { geometry Sphere { } } Transform { translation 1e6 1e6 0 scale .1 .1 .1 children USE b }");
    // What is not shown does not count.
    assert_true(compare(V2 BOX "Collision { proxy " LID " }"));
}

static uint32_t pick(fr_random *random, uint32_t count) { return (uint32_t)fr_random_below(random, count); }

// Boxes, spheres, open boxes and lids in USE of USE, on a grid so that many touch and some coincide.
static void random_models_as_the_whole_mesh(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    uint32_t count = (uint32_t)test_count(300, 20000), closed = 0;
    for (uint32_t i = 0; i < count; i++) {
        static const char *const shapes[] = {BOX, "Shape { geometry Sphere { radius .4 } }", OPEN_BOX, LID,
                                             "Group { children [ " OPEN_BOX LID " ] }"};
        char text[20000];
        int length = snprintf(text, sizeof text, "%sSwitch { choice [ DEF s0 %s DEF s1 %s ] }\n", V2,
                              shapes[pick(&random, 5)], shapes[pick(&random, 5)]);
        uint32_t levels = 1 + pick(&random, 3), spread = 2 + pick(&random, 9);
        for (uint32_t k = 0; k <= levels; k++) {
            length +=
                snprintf(text + length, sizeof text - (size_t)length,
                         k < levels ? "Switch { choice DEF s%u Group { children [ " : "Group { children [ ", k + 2);
            for (uint32_t n = 1 + pick(&random, 4); n > 0; n--) {
                uint32_t from = pick(&random, k + 2);
                length +=
                    snprintf(text + length, sizeof text - (size_t)length,
                             "Transform { translation %u %u 0 scale %d 1 1 rotation 0 0 1 %g children USE s%u }\n",
                             2 * pick(&random, spread), 2 * pick(&random, spread), pick(&random, 4) == 0 ? -1 : 1,
                             pick(&random, 8) == 0 ? 0.3 : 0.0, from);
            }
            length += snprintf(text + length, sizeof text - (size_t)length, k < levels ? "] } }\n" : "] }\n");
        }
        closed += compare(text);
    }
    printf("%u of %u are closed\n", closed, count);
    assert_true(closed > count / 20 && closed < count);
}

// A short file of very many instances: the memory of its nodes, not of its triangles.
static void instances_take_no_memory(void **state) {
    (void)state;
    char text[8000];
    static const char *const axes[] = {"%d 0 0", "0 %d 0", "0 0 %d"};
    int length = snprintf(text, sizeof text, "%sSwitch { choice [ DEF s0 Shape { geometry Sphere { } }\n", V2);
    for (int k = 1; k <= 3; k++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s DEF s%d Group { children [\n",
                           k == 3 ? "] }" : "", k);
        for (int n = 0; n < 10; n++) {
            char at[40];
            snprintf(at, sizeof at, axes[k - 1], 3 * n);
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "Transform { translation %s children USE s%d }\n", at, k - 1);
        }
        length += snprintf(text + length, sizeof text - (size_t)length, "] }\n");
    }
    fr_model *model = vrml(text);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 1000 * fr_model_get(model)->triangle_count);
    fr_probe *probe = fr_probe_create();
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = fr_probe_allocator(probe);
    fr_model_surface_output found;
    assert_int_equal(fr_model_surface(model, &input, &found, NULL), FR_OK);
    assert_true(found.is_closed);
    assert_true(fabs(found.volume / (1000.0 * 4.18879) - 1.0) < 0.02);
    assert_true(fr_probe_get(probe).peak_bytes < 1000000);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
    fr_model_destroy(model);
}

// Boxes in two to the n places that lie over one another.
static void write_pile(char *text, size_t bytes, int levels) {
    int length = snprintf(text, bytes, "%sSwitch { choice [ DEF s0 " BOX "\n", V2);
    for (int k = 1; k <= levels; k++) {
        double step = 0.01 * (1 << k) / 64;
        length +=
            snprintf(text + length, bytes - (size_t)length,
                     "DEF s%d Group { children [ USE s%d Transform { translation %g 0 %g children USE s%d } ] }\n", k,
                     k - 1, k % 2 == 0 ? step : 0.0, k % 2 == 1 ? step : 0.0, k - 1);
    }
    snprintf(text + length, bytes - (size_t)length, "] } USE s%d", levels);
}

// Very many nodes at one place are not compared two by two, which would take minutes.
static void many_nodes_at_one_place(void **state) {
    (void)state;
    char text[8000];
    write_pile(text, sizeof text, 9);
    (void)compare(text);
    write_pile(text, sizeof text, 16);
    fr_model *model = vrml(text);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, UINT64_C(12) << 16);
    fr_model_surface_output found;
    clock_t begin = clock();
    assert_int_equal(fr_model_surface(model, NULL, &found, NULL), FR_OK);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 30.0);
    fr_model_destroy(model);
}

static fr_status find_surface(const fr_allocator *allocator, void *context) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = *allocator;
    fr_model_surface_output found;
    return fr_model_surface(context, &input, &found, NULL);
}

static void failures(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "DEF b " BOX " Transform { translation 2 2 2 children USE b } Transform { translation 9 0 0 "
                "children " BOX " }");
    test_every_failure(find_surface, model);
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.cookie = 0;
    fr_model_surface_output found;
    assert_int_equal(fr_model_surface(model, &input, &found, NULL), FR_ERROR_ARGUMENT);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_truths),
        cmocka_unit_test(random_models_as_the_whole_mesh),
        cmocka_unit_test(instances_take_no_memory),
        cmocka_unit_test(many_nodes_at_one_place),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
