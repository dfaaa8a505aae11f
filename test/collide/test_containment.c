// Which of two objects is inside the other.
#include "collide/scenes.h"
#include "frame.h"

typedef struct nest {
    fr_space *space;
    fr_collide *collide;
    fr_object_id outer, inner;
} nest;

static fr_mesh *ball(double radius, bool open, bool turned) {
    fr_mesh *closed;
    assert_int_equal(fr_mesh_create_sphere(radius, 7, 14, FR_AXIS_Y, NULL, &closed, NULL), FR_OK);
    static scene_soup soup;
    scene_take_mesh(closed, &soup);
    fr_mesh_release(closed);
    if (open) { soup.triangle_count -= 30; }
    for (uint32_t t = 0; turned && t < soup.triangle_count; t++) {
        uint32_t swapped = soup.triangles[3 * t];
        soup.triangles[3 * t] = soup.triangles[3 * t + 1];
        soup.triangles[3 * t + 1] = swapped;
    }
    return scene_mesh_of(&soup, &scene_as_it_is, true);
}

static fr_object_id add(fr_space *space, const fr_mesh *mesh, fr_vec3 position) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    part.pose = fr_pose_make(fr_vec3_make(0.5, 0.0, 0.0), fr_quat_from_vector(fr_vec3_make(0.1, 0.7, 0.2)));
    def.pose = fr_pose_make(position, fr_quat_from_vector(fr_vec3_make(1.0, 0.2, 0.0)));
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    return id;
}

static nest make(bool open, bool turned, double inner_radius, fr_vec3 at) {
    nest n;
    n.space = scene_space();
    fr_mesh *outer = ball(2.0, open, turned), *inner = ball(inner_radius, false, false);
    n.outer = add(n.space, outer, fr_vec3_make(0.0, 0.0, 0.0));
    n.inner = add(n.space, inner, at);
    fr_mesh_release(outer);
    fr_mesh_release(inner);
    n.collide = scene_asker();
    return n;
}

static fr_collide_output ask(nest *n, bool find) {
    assert_int_equal(fr_space_update(n->space, NULL, NULL), FR_OK);
    fr_collide_input input = scene_question(n->space, FR_COLLIDE_AUTO);
    input.is_containment_wanted = find;
    return scene_ask(n->collide, &input);
}

static void end(nest *n) {
    fr_collide_destroy(n->collide);
    fr_space_destroy(n->space);
}

static void a_small_ball_is_inside_a_large_one(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        nest n = make(false, turned == 1, 0.5, fr_vec3_make(0.3, 0.2, 0.1));
        fr_collide_output out = ask(&n, true);
        assert_int_equal(out.pair_count, 0);
        assert_int_equal(out.object_pair_count, 1);
        assert_int_equal(out.object_pairs[0].relation, FR_RELATION_B_INSIDE);
        assert_int_equal(ask(&n, false).object_pair_count, 0);
        end(&n);
    }
}

static void outside_and_crossing_are_not_inside(void **state) {
    (void)state;
    nest n = make(false, false, 0.5, fr_vec3_make(1.9, 1.9, 1.9));
    assert_int_equal(ask(&n, true).object_pair_count, 0);
    end(&n);
    n = make(false, false, 0.5, fr_vec3_make(2.0, 0.0, 0.0));
    fr_collide_output out = ask(&n, true);
    assert_int_equal(out.object_pairs[0].relation, FR_RELATION_CROSSING);
    end(&n);
}

static void nothing_is_inside_an_open_mesh(void **state) {
    (void)state;
    nest n = make(true, false, 0.5, fr_vec3_make(0.1, 0.0, 0.0));
    assert_int_equal(ask(&n, true).object_pair_count, 0);
    end(&n);
}

static void a_deformed_ball_holds_another(void **state) {
    (void)state;
    nest n = make(false, false, 0.5, fr_vec3_make(0.0, 1.0, 0.0));
    fr_part_view part = fr_object_part(n.space, n.outer, 0);
    const fr_mesh_view *view = fr_mesh_get(part.mesh);
    static fr_vec3 vertices[1000];
    for (uint32_t i = 0; i < view->vertex_count; i++) { // so flat that the other one is outside, then thick again
        fr_vec3 v = {view->positions_double[3 * i], view->positions_double[3 * i + 1],
                     view->positions_double[3 * i + 2]};
        vertices[i] = fr_vec3_scale(0.1, v);
    }
    assert_int_equal(fr_object_set_vertices(n.space, n.outer, vertices, view->vertex_count, NULL), FR_OK);
    assert_int_equal(ask(&n, true).object_pair_count, 0);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        vertices[i] = fr_vec3_scale(12.0, vertices[i]);
    }
    assert_int_equal(fr_object_set_vertices(n.space, n.outer, vertices, view->vertex_count, NULL), FR_OK);
    fr_collide_output out = ask(&n, true);
    assert_int_equal(out.object_pair_count, 1);
    assert_int_equal(out.object_pairs[0].relation, FR_RELATION_B_INSIDE);
    end(&n);
}

// A box that touches the inside of another one's wall.
static void touching_from_within_is_inside(void **state) {
    (void)state;
    fr_space *space = scene_space();
    for (int i = 0; i < 2; i++) {
        fr_mesh *mesh;
        double edge = i == 0 ? 1.0 : 4.0;
        assert_int_equal(fr_mesh_create_box(fr_vec3_make(edge, edge, edge), NULL, &mesh, NULL), FR_OK);
        scene_add_at(space, mesh, fr_vec3_make(i == 0 ? 1.5 : 0.0, 0.0, 0.0), 0);
        fr_mesh_release(mesh);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_collide *collide = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    fr_collide_output out = scene_ask(collide, &input);
    assert_true(out.pair_count > 0);
    assert_int_equal(out.object_pairs[0].relation, FR_RELATION_A_INSIDE); // wanted or not: their faces share points
    input.is_containment_wanted = true;
    out = scene_ask(collide, &input);
    assert_int_equal(out.object_pairs[0].relation, FR_RELATION_A_INSIDE);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_ball_is_inside_a_large_one), cmocka_unit_test(outside_and_crossing_are_not_inside),
        cmocka_unit_test(nothing_is_inside_an_open_mesh),     cmocka_unit_test(a_deformed_ball_holds_another),
        cmocka_unit_test(touching_from_within_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
