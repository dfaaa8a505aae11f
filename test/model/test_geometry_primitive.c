// Box, Sphere, Cylinder, Cone: their vertices, polygons, bounds and volumes.
#include "made_part.h"

#include "failing.h"

#define PI 3.14159265358979323846
#define MAX_CORNERS 256

static fr__primitive_node node_of(fr_model_primitive_kind kind, double a, double b, double c) {
    fr_model_primitive primitive = {
        .kind = kind, .has_side = true, .has_top = true, .has_bottom = true, .size = {a, b, c}};
    return (fr__primitive_node){.primitive = primitive, .solid = true};
}

static const fr_model_mesh *make(made *m, const fr__primitive_node *node) {
    uint32_t part;
    begin(m);
    assert_int_equal(fr__add_primitive(&m->geometry, node, &part), FR_OK);
    assert_int_equal(part, 0);
    return finished(m);
}

static void is_bounded(const made *m, double x, double y, double z) {
    fr_bounds box = fr_model_get(m->model)->bounds;
    assert_true(fabs(box.max.x - x) < 1e-6 && fabs(box.max.y - y) < 1e-6 && fabs(box.max.z - z) < 1e-6);
    assert_true(fabs(box.min.x + x) < 1e-6 && fabs(box.min.y + y) < 1e-6 && fabs(box.min.z + z) < 1e-6);
}

// Corner normals are unit and on the outer side of their polygon.
static void normals_point_out(const fr_model_mesh *mesh) {
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t first = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
        fr_vec3 p[MAX_CORNERS];
        for (uint32_t k = first; k < end; k++) {
            const float *at = mesh->positions_float + (size_t)3 * mesh->corners[k];
            p[k - first] = fr_vec3_make((double)at[0], (double)at[1], (double)at[2]);
        }
        fr_vec3 area = fr_polygon_area_vector(p, end - first);
        for (uint32_t k = first; k < end; k++) {
            const float *n = mesh->corner_normals + (size_t)3 * k;
            fr_vec3 normal = fr_vec3_make((double)n[0], (double)n[1], (double)n[2]);
            assert_true(fabs(fr_vec3_length(normal) - 1.0) < 1e-6);
            assert_true(fr_vec3_dot(normal, area) > 0.6 * fr_vec3_length(area));
        }
    }
}

static void a_box_has_six_sides(void **state) {
    (void)state;
    made m;
    fr__primitive_node node = node_of(FR_MODEL_BOX, 2, 4, 6);
    node.wants_uvs = true;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, 8);
    assert_int_equal(mesh->face_count, 6);
    has_vertex(mesh, 0, -1, -2, -3);
    has_vertex(mesh, 6, -1, 2, 3);
    has_polygon(mesh, 0, (const uint32_t[]){4, 5, 7, 6}, 4);
    is_bounded(&m, 1, 2, 3);
    assert_true(is_closed(&m));
    assert_true(fabs(mass_of(&m).volume - 48.0) < 1e-9);
    assert_true(fabs(mass_of(&m).area - 88.0) < 1e-9);
    normals_point_out(mesh);
    assert_int_equal(mesh->primitive->kind, FR_MODEL_BOX);
    assert_true(mesh->primitive->size[2] == 6.0);
    const float uvs[] = {0, 0, 1, 0, 1, 1, 0, 1};
    assert_memory_equal(mesh->corner_uvs, uvs, sizeof uvs);
    end(&m);
}

static void facets_follow_the_tolerance(void **state) {
    (void)state;
    const struct {
        double radius, unit, tolerance;
        uint32_t facets;
    } cases[] = {
        {1.0, 1.0, 0.0, 71},      // r / 1000, 1 mm
        {1.0, 1.0, 0.001, 71},    //
        {0.01, 1.0, 0.0, 23},     // 0.1 mm
        {10.0, 0.001, 0.0, 23},   // the same in a file of millimetres
        {1000.0, 1.0, 1e-9, 256}, // no more
        {0.0001, 1.0, 0.0, 12},   // no fewer
        {1.0, 1.0, 5.0, 12},      //
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made m;
        uint32_t part;
        begin(&m);
        m.geometry.unit = cases[i].unit;
        m.geometry.tolerance = cases[i].tolerance;
        fr__primitive_node node = node_of(FR_MODEL_CYLINDER, cases[i].radius, 1, 0);
        assert_int_equal(fr__add_primitive(&m.geometry, &node, &part), FR_OK);
        assert_int_equal(finished(&m)->vertex_count, 2 * cases[i].facets);
        end(&m);
    }
}

static void a_sphere_lies_just_inside(void **state) {
    (void)state;
    made m;
    fr__primitive_node node = node_of(FR_MODEL_SPHERE, 2, 0, 0);
    node.wants_uvs = true;
    const fr_model_mesh *mesh = make(&m, &node);
    enum { AROUND = 71, RINGS = 36 };
    assert_int_equal(mesh->vertex_count, AROUND * (RINGS - 1) + 2);
    assert_int_equal(mesh->face_count, AROUND * RINGS);
    assert_int_equal(fr_model_get(m.model)->triangle_count, 2 * AROUND * (RINGS - 1));
    has_vertex(mesh, 0, 0, -2, 0);
    has_vertex(mesh, AROUND * (RINGS - 1) + 1, 0, 2, 0);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->positions_float + (size_t)3 * v;
        assert_true(fabs(sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])) - 2.0) < 1e-6);
    }
    assert_true(is_closed(&m));
    double volume = mass_of(&m).volume, exact = 4.0 / 3.0 * PI * 8.0;
    assert_true(volume < exact && volume > 0.995 * exact);
    normals_point_out(mesh);
    // The seam is at the back: the first column begins at -z.
    assert_true(mesh->corner_uvs[2 * fr_model_face_begin(mesh, AROUND)] == 0.0f);
    has_vertex(mesh, 1, 0, -2 * cos(PI / RINGS), -2 * sin(PI / RINGS));
    end(&m);
}

static double ring_area(uint32_t facets, double radius) {
    return 0.5 * (double)facets * radius * radius * sin(2.0 * PI / (double)facets);
}

static void a_cylinder_is_a_prism(void **state) {
    (void)state;
    made m;
    fr__primitive_node node = node_of(FR_MODEL_CYLINDER, 1, 3, 0);
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, 142);
    assert_int_equal(mesh->face_count, 73);
    assert_int_equal(fr_model_face_end(mesh, 71) - fr_model_face_begin(mesh, 71), 71); // the top is one polygon
    assert_true(is_closed(&m));
    assert_true(fabs(mass_of(&m).volume - 3.0 * ring_area(71, 1.0)) < 1e-5);
    assert_true(fabs(fr_model_get(m.model)->bounds.max.y - 1.5) < 1e-6);
    normals_point_out(mesh);
    end(&m);
}

static void a_cone_is_a_pyramid(void **state) {
    (void)state;
    made m;
    fr__primitive_node node = node_of(FR_MODEL_CONE, 1, 3, 0);
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->vertex_count, 72);
    assert_int_equal(mesh->face_count, 72);
    has_vertex(mesh, 71, 0, 1.5, 0);
    assert_true(is_closed(&m));
    assert_true(fabs(mass_of(&m).volume - ring_area(71, 1.0)) < 1e-5);
    normals_point_out(mesh);
    end(&m);
}

static void sides_and_ends_can_be_missing(void **state) {
    (void)state;
    made m;
    fr__primitive_node node = node_of(FR_MODEL_CYLINDER, 1, 3, 0);
    node.primitive.has_side = false;
    assert_int_equal(make(&m, &node)->face_count, 2);
    end(&m);
    node.primitive.has_top = false;
    const fr_model_mesh *mesh = make(&m, &node);
    assert_int_equal(mesh->face_count, 1);
    assert_false(mesh->primitive->has_top);
    assert_true(mesh->corner_normals[1] == -1.0f); // the bottom
    end(&m);
    node = node_of(FR_MODEL_CONE, 1, 3, 0);
    node.primitive.has_bottom = false;
    assert_int_equal(make(&m, &node)->face_count, 71);
    end(&m);
}

static void sizes_that_are_none_are_warned_of(void **state) {
    (void)state;
    static const char place[] = "Sphere";
    const fr__primitive_node nodes[] = {node_of(FR_MODEL_SPHERE, 0, 0, 0), node_of(FR_MODEL_BOX, 1, -1, 1),
                                        node_of(FR_MODEL_CONE, 1, 0, 0), node_of(FR_MODEL_CYLINDER, INFINITY, 1, 0)};
    for (size_t i = 0; i < 4; i++) {
        made m;
        fr__primitive_node node = nodes[i];
        node.at = place;
        assert_int_equal(make(&m, &node)->face_count, 0);
        assert_int_equal(m.warning_count, 1);
        has_warning(&m, 0, place, "not above 0");
        end(&m);
    }
}

static void equal_ones_share_a_part(void **state) {
    (void)state;
    made m;
    uint32_t part;
    begin(&m);
    fr__primitive_node a = node_of(FR_MODEL_SPHERE, 1, 0, 0), b = node_of(FR_MODEL_SPHERE, 2, 0, 0), c = a;
    c.solid = false;
    for (int round = 0; round < 3; round++) {
        assert_int_equal(fr__add_primitive(&m.geometry, &a, &part), FR_OK);
        assert_int_equal(part, 0);
        assert_int_equal(fr__add_primitive(&m.geometry, &b, &part), FR_OK);
        assert_int_equal(part, 1);
    }
    assert_int_equal(fr__add_primitive(&m.geometry, &c, &part), FR_OK);
    assert_int_equal(part, 2);
    assert_true(finished(&m)[2].is_two_sided);
    end(&m);
}

static void very_many_are_cut_coarsely(void **state) {
    (void)state;
    made m;
    uint32_t part;
    begin(&m);
    m.geometry.primitive_points = ((size_t)1 << 21) - 10;
    fr__primitive_node node = node_of(FR_MODEL_SPHERE, 1, 0, 0);
    assert_int_equal(fr__add_primitive(&m.geometry, &node, &part), FR_OK);
    assert_int_equal(m.warning_count, 1);
    has_warning(&m, 0, NULL, "12 facets");
    node.primitive.size[0] = 2.0;
    assert_int_equal(fr__add_primitive(&m.geometry, &node, &part), FR_OK);
    assert_int_equal(m.warning_count, 1);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh[0].vertex_count, 71 * 35 + 2);
    assert_int_equal(mesh[1].vertex_count, 12 * 5 + 2);
    assert_null(mesh[1].corner_normals);
    end(&m);
}

static fr_status make_both(const fr_allocator *allocator, void *context) {
    (void)context;
    made m;
    uint32_t part;
    fr_status status = begin_with(&m, allocator);
    bool is_begun = status == FR_OK;
    m.geometry.tolerance = 1.0;
    fr__primitive_node sphere = node_of(FR_MODEL_SPHERE, 1, 0, 0), cone = node_of(FR_MODEL_CONE, 1, 2, 0);
    if (status == FR_OK) { status = fr__add_primitive(&m.geometry, &sphere, &part); }
    if (status == FR_OK) { status = fr__add_primitive(&m.geometry, &cone, &part); }
    if (is_begun) { fr__geometry_destroy(&m.geometry); }
    fr__builder_free(&m.builder);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_both, NULL) > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_six_sides),
        cmocka_unit_test(facets_follow_the_tolerance),
        cmocka_unit_test(a_sphere_lies_just_inside),
        cmocka_unit_test(a_cylinder_is_a_prism),
        cmocka_unit_test(a_cone_is_a_pyramid),
        cmocka_unit_test(sides_and_ends_can_be_missing),
        cmocka_unit_test(sizes_that_are_none_are_warned_of),
        cmocka_unit_test(equal_ones_share_a_part),
        cmocka_unit_test(very_many_are_cut_coarsely),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
