// Deforming objects over a step: vertices that go straight, against brute force and against the places in between.
#include "collide/moving_scenes.h"
#include "frame.h"

typedef struct soft {
    fr_space *space;
    fr_object_id ids[2];
    uint32_t vertex_count;
    fr_vec3 now[2][400], next[2][400];
} soft;

// Two balls whose vertices go along smooth random fields, squashing each other; one may turn and travel besides.
static void make_soft(soft *s, uint64_t seed, uint32_t stacks, bool self) {
    fr_random r = fr_random_seed(seed);
    fr_space_def def = fr_default_space_def();
    fr_vec3 offset = seed % 5 == 4 ? scene_point(&r, 1e6) : fr_vec3_make(0.0, 0.0, 0.0);
    def.origin = offset;
    assert_int_equal(fr_space_create(&def, &s->space, NULL), FR_OK);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, stacks, 2 * stacks, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    s->vertex_count = view->vertex_count;
    assert_true(s->vertex_count <= 400);
    for (int k = 0; k < 2; k++) {
        fr_part_def part;
        fr_object_def object = test_mesh_object(mesh, &part);
        if (seed % 3 == 0) { part.pose = scene_random_pose(&r, 0.2, fr_vec3_make(0.0, 0.0, 0.0)); }
        object.pose.position = fr_vec3_add(offset, fr_vec3_make(1.9 * k, 0.3 * k, 0.0));
        object.flags = self ? FR_OBJECT_SELF : 0;
        assert_int_equal(fr_object_add(s->space, &object, &s->ids[k], NULL), FR_OK);
        fr_vec3 field[2] = {scene_point(&r, 0.3)};
        field[1] = scene_point(&r, 0.5);
        for (uint32_t i = 0; i < s->vertex_count; i++) {
            fr_vec3 v = {(double)view->positions_float[3 * i], (double)view->positions_float[3 * i + 1],
                         (double)view->positions_float[3 * i + 2]};
            fr_vec3 bump = scene_point(&r, 0.05);
            s->now[k][i] = seed % 2 == 0 ? v : fr_vec3_add(v, bump);
            s->next[k][i] = fr_vec3_add(fr_vec3_add_scaled(v, v.x, field[0]), fr_vec3_add(field[1], bump));
        }
        if (seed % 2 == 1) {
            assert_int_equal(fr_object_set_vertices(s->space, s->ids[k], s->now[k], s->vertex_count, NULL), FR_OK);
        }
        assert_int_equal(fr_object_set_next_vertices(s->space, s->ids[k], s->next[k], s->vertex_count, NULL), FR_OK);
        if (k == 1 && seed % 4 >= 2) {
            fr_pose next = object.pose;
            next.position = fr_vec3_add(next.position, scene_point(&r, 0.5));
            next.rotation = fr_quat_from_vector(scene_point(&r, 0.8));
            assert_int_equal(fr_object_set_next(s->space, s->ids[k], &next, NULL), FR_OK);
        }
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    fr_error error;
    if (!fr_space_validate(s->space, &error)) { fail_msg("%s", error.message); }
}

static void methods_agree_on_soft_balls(void **state) {
    (void)state;
    static soft s;
    uint64_t count = test_count(16, 2000);
    for (uint64_t seed = 0; seed < count; seed++) {
        make_soft(&s, seed, 6, seed % 8 == 7);
        fr_collide *askers[3];
        fr_collide_output out[3];
        static const fr_collide_method methods[3] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE};
        for (int i = 0; i < 3; i++) {
            askers[i] = scene_asker();
            fr_collide_input input = scene_question(s.space, methods[i]);
            input.want = FR_WANT_CONTACTS;
            input.set = (fr_contact_set)(seed / 2 % 2);
            out[i] = scene_ask_step(askers[i], &input);
            scene_check_order(&out[i]);
            if (i > 0) { scene_check_equal(&out[i], &out[0], "soft", seed); }
        }
        for (int i = 0; i < 3; i++) {
            fr_collide_destroy(askers[i]);
        }
        fr_space_destroy(s.space);
    }
}

// The corners of a triangle of an object at t.
static void corners_at(const soft *s, int k, uint32_t triangle, double t, fr_vec3 out[3]) {
    const fr_object_view *view = fr_object_get(s->space, s->ids[k]);
    fr_part_view part = fr_object_part(s->space, s->ids[k], 0);
    const uint32_t *corners = fr_mesh_get(part.mesh)->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++) {
        fr_vec3 from = fr_pose_apply(&part.pose, view->vertices[corners[c]]);
        fr_vec3 to = fr_pose_apply(&part.pose, view->next_vertices[corners[c]]);
        out[c] = fr_vec3_lerp(fr_pose_apply(&view->pose, from), fr_pose_apply(&view->next, to), t);
    }
}

static void soft_balls_miss_nothing(void **state) {
    (void)state;
    static soft s;
    uint64_t count = test_count(6, 300);
    for (uint64_t seed = 0; seed < count; seed++) {
        make_soft(&s, 1000 + seed, 4, false);
        fr_collide *asker = scene_asker();
        fr_collide_input input = scene_question(s.space, FR_COLLIDE_TREE);
        fr_collide_output step = scene_ask_step(asker, &input);
        uint32_t triangles = fr_object_get(s.space, s.ids[0])->triangle_count;
        for (int k = 0; k <= 16; k++) {
            double t = k / 16.0;
            for (uint32_t i = 0; i < triangles * triangles; i++) {
                fr_vec3 a[3], b[3];
                corners_at(&s, 0, i / triangles, t, a);
                corners_at(&s, 1, i % triangles, t, b);
                if (!fr_triangle_overlap(a, b)) { continue; }
                fr_face_pair wanted = {0, 1, i / triangles, i % triangles, 0.0f, 0};
                const fr_face_pair *found = scene_find_pair(&step, &wanted);
                if (found == NULL || (double)found->time > t) { fail_msg("%llu at %g", (unsigned long long)seed, t); }
            }
        }
        fr_collide_destroy(asker);
        fr_space_destroy(s.space);
    }
}

static void commits_take_the_vertices_over(void **state) {
    (void)state;
    static soft s;
    make_soft(&s, 2, 5, false);
    fr_versions before = fr_object_versions(s.space, s.ids[1]);
    assert_non_null(fr_object_get(s.space, s.ids[1])->next_vertices);
    fr_pose next = fr_object_get(s.space, s.ids[1])->next;
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    const fr_object_view *view = fr_object_get(s.space, s.ids[1]);
    assert_true(view->next_vertices == NULL && !view->is_moving);
    assert_memory_equal(&view->pose, &next, sizeof next);
    assert_memory_equal(view->vertices, s.next[1], s.vertex_count * sizeof(fr_vec3));
    assert_true(fr_object_versions(s.space, s.ids[1]).vertices > before.vertices);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);

    // Set again and taken back: still.
    assert_int_equal(fr_object_set_next_vertices(s.space, s.ids[1], s.now[1], s.vertex_count, NULL), FR_OK);
    assert_int_equal(fr_object_set_pose(s.space, s.ids[1], &next, NULL), FR_OK);
    assert_true(fr_object_get(s.space, s.ids[1])->next_vertices == NULL);
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    assert_memory_equal(fr_object_get(s.space, s.ids[1])->vertices, s.next[1], s.vertex_count * sizeof(fr_vec3));
    fr_error error;
    assert_int_equal(fr_object_set_next_vertices(s.space, s.ids[1], s.now[1], s.vertex_count - 1, &error),
                     FR_ERROR_ARGUMENT);
    s.now[1][3].y = (double)NAN;
    assert_int_equal(fr_object_set_next_vertices(s.space, s.ids[1], s.now[1], s.vertex_count, &error),
                     FR_ERROR_NOT_FINITE);
    assert_true(fr_object_get(s.space, s.ids[1])->next_vertices == NULL);
    fr_space_destroy(s.space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_on_soft_balls),
        cmocka_unit_test(soft_balls_miss_nothing),
        cmocka_unit_test(commits_take_the_vertices_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
