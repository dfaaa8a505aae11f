// ElevationGrid: vertices, quads, what stands at them, and grids that do not fit.
#include "made_part.h"

static const float heights[] = {0, 1, 0, 2, 3, 2}; // 3 columns, 2 rows

static fr__elevation_grid small_grid(void) {
    fr__elevation_grid grid = fr__default_elevation_grid();
    grid.x_dimension = 3;
    grid.z_dimension = 2;
    grid.x_spacing = 0.5;
    grid.z_spacing = 4.0;
    grid.heights = heights;
    grid.height_count = 6;
    return grid;
}

static void vertices_and_quads_are_in_order(void **state) {
    (void)state;
    made m;
    begin(&m);
    fr__elevation_grid grid = small_grid();
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->vertex_count, 6);
    assert_int_equal(mesh->face_count, 2);
    has_vertex(mesh, 1, 0.5, 1, 0);
    has_vertex(mesh, 5, 1.0, 2, 4);
    has_polygon(mesh, 0, (const uint32_t[]){0, 3, 4, 1}, 4);
    has_polygon(mesh, 1, (const uint32_t[]){1, 4, 5, 2}, 4);
    fr_bounds box = fr_model_get(m.model)->bounds;
    assert_true(box.min.x == 0.0 && box.max.x == 1.0 && box.min.y == 0.0 && box.max.y == 3.0 && box.max.z == 4.0);
    fr_mesh *cut = cut_mesh(&m);
    assert_int_equal(fr_mesh_get(cut)->triangle_count, 4);
    fr_mesh_release(cut);
    assert_int_equal(m.warning_count, 0);
    end(&m);
    // Clockwise: seen from below.
    begin(&m);
    grid.ccw = false;
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    has_polygon(finished(&m), 0, (const uint32_t[]){0, 1, 4, 3}, 4);
    end(&m);
}

static void a_level_grid_faces_up(void **state) {
    (void)state;
    const float level[16] = {0};
    made m;
    begin(&m);
    fr__elevation_grid grid = small_grid();
    grid.x_dimension = grid.z_dimension = 4;
    grid.heights = level;
    grid.height_count = 16;
    grid.crease_angle = 1.0;
    grid.wants_uvs = true;
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->face_count, 9);
    for (uint32_t k = 0; k < 36; k++) {
        assert_true(mesh->corner_normals[3 * k + 1] == 1.0f);
    }
    // The last quad's corner at the far end of the texture.
    assert_true(mesh->corner_uvs[2 * 34] == 1.0f && mesh->corner_uvs[2 * 34 + 1] == 1.0f);
    assert_true(fabs(mass_of(&m).area - 1.5 * 12.0) < 1e-9);
    end(&m);
}

static void colors_and_normals_stand_at_vertices_or_quads(void **state) {
    (void)state;
    const float colors[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1};
    const float normals[] = {0, 2, 0, 1, 0, 0};
    made m;
    begin(&m);
    fr__elevation_grid grid = small_grid();
    grid.colors.values = colors;
    grid.colors.count = 6;
    grid.normals.values = normals;
    grid.normals.count = 2;
    grid.normals.per_face = true;
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->corner_colors[1].r, 255); // vertex 3
    assert_int_equal(mesh->corner_colors[1].g, 255);
    assert_int_equal(mesh->corner_colors[1].b, 0);
    assert_true(mesh->corner_normals[1] == 1.0f && mesh->corner_normals[12] == 1.0f);
    end(&m);
    begin(&m);
    grid.colors.per_face = true;
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    mesh = finished(&m);
    assert_int_equal(mesh->face_colors[1].g, 255);
    assert_null(mesh->corner_colors);
    end(&m);
}

static void lists_that_are_too_short_are_not_taken(void **state) {
    (void)state;
    static const char node[] = "ElevationGrid", place[] = "color";
    const float colors[] = {1, 0, 0};
    made m;
    begin(&m);
    fr__elevation_grid grid = small_grid();
    grid.at = node;
    grid.colors.values = colors;
    grid.colors.count = 1;
    grid.colors.at = place;
    grid.z_dimension = 1000000000; // heights fill two rows
    assert_int_equal(fr__add_elevation_grid(&m.geometry, &grid), FR_OK);
    assert_int_equal(m.warning_count, 2);
    has_warning(&m, 0, node, "6 heights for a grid of 3 by 1000000000, 2 rows taken");
    has_warning(&m, 1, place, "1 colours for a grid that needs 6");
    const fr_model_mesh *mesh = finished(&m);
    assert_int_equal(mesh->face_count, 2);
    assert_null(mesh->corner_colors);
    end(&m);
}

static void grids_that_are_none_are_left_out(void **state) {
    (void)state;
    fr__elevation_grid grids[5];
    for (int i = 0; i < 5; i++) {
        grids[i] = small_grid();
    }
    grids[0].x_dimension = 1;
    grids[1].z_dimension = -3;
    grids[2].x_spacing = 0.0;
    grids[3].height_count = 5; // one row
    grids[4].heights = NULL;
    grids[4].height_count = 0;
    for (int i = 0; i < 5; i++) {
        made m;
        begin(&m);
        assert_int_equal(fr__add_elevation_grid(&m.geometry, &grids[i]), FR_OK);
        assert_int_equal(m.warning_count, 1);
        assert_int_equal(finished(&m)->face_count, 0);
        end(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_and_quads_are_in_order),
        cmocka_unit_test(a_level_grid_faces_up),
        cmocka_unit_test(colors_and_normals_stand_at_vertices_or_quads),
        cmocka_unit_test(lists_that_are_too_short_are_not_taken),
        cmocka_unit_test(grids_that_are_none_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
