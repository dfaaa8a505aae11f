// Objects: what is refused, what is kept, and what an id is worth after its object is gone.
#include "scene_sets.h"
#include "space/space.h"

static fr_object_def box_def(const scene *s, fr_part_def *part) {
    *part = fr_default_part_def();
    part->mesh = s->meshes[1];
    fr_object_def def = fr_default_object_def();
    def.parts = part;
    def.part_count = 1;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void refuse(fr_space *space, const fr_object_def *def, fr_status expected) {
    fr_object_id id;
    fr_error error = {0};
    assert_int_equal(fr_object_add(space, def, &id, &error), expected);
    assert_int_equal(error.status, expected);
    assert_true(error.message[0] != '\0');
    assert_int_equal(id.index1, 0);
    assert_int_equal(fr_space_object_count(space), 0);
    assert_int_equal(fr_space_object_places(space), 0);
}

static void bad_definitions_are_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_part_def part;
    fr_object_def good = box_def(&s, &part), def = good;
    def.part_count = 0;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    def.parts = NULL;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    def.flags = 1u << 20;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    def.pivot_local.y = NAN;
    refuse(s.space, &def, FR_ERROR_NOT_FINITE);
    def = good;
    def.pivot_local.y = 0x1p+301;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    def.pose.position.z = INFINITY;
    refuse(s.space, &def, FR_ERROR_NOT_FINITE);
    def = good;
    def.pose.rotation.w = 1.02;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    def.pose.scale = 0;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def.pose.scale = -1;
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def = good;
    part.pose.rotation.x = NAN;
    refuse(s.space, &def, FR_ERROR_NOT_FINITE);
    part = fr_default_part_def();
    refuse(s.space, &def, FR_ERROR_ARGUMENT);
    def.part_count = FR_SPACE_MAX_PARTS + 1;
    refuse(s.space, &def, FR_ERROR_LIMIT);
    scene_close(&s);

    fr_space_def space_def = fr_default_space_def();
    fr_space *space = NULL;
    space_def.origin.x = NAN;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_ERROR_NOT_FINITE);
    space_def.origin.x = 1e300;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_ERROR_ARGUMENT);
    assert_null(space);
    fr_space_destroy(NULL);
}

static void bad_poses_change_nothing(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id id = scene_add(&s, false);
    scene_update(&s);
    fr_object_view before = *fr_object_get(s.space, id);
    fr_versions versions = fr_object_versions(s.space, id);
    fr_pose good = fr_pose_identity(), wrong[5];
    for (int i = 0; i < 5; i++) {
        wrong[i] = good;
    }
    wrong[0].position.x = NAN;
    wrong[1].rotation.w = 0.9;
    wrong[2].rotation.y = INFINITY;
    wrong[3].scale = 0;
    wrong[4].position.y = 0x1p+301;
    for (int i = 0; i < 5; i++) {
        fr_error error = {0};
        assert_int_not_equal(fr_object_set_pose(s.space, id, &wrong[i], &error), FR_OK);
        assert_true(error.message[0] != '\0');
        assert_int_not_equal(fr_object_set_next(s.space, id, &wrong[i], NULL), FR_OK);
        fr_motion motion = fr_motion_still(&before.pose);
        assert_int_not_equal(fr_object_set_motion(s.space, id, &motion, &wrong[i], NULL), FR_OK);
        motion.start = wrong[i];
        assert_int_not_equal(fr_object_set_motion(s.space, id, &motion, &good, NULL), FR_OK);
    }
    fr_motion elsewhere = fr_motion_still(&before.pose);
    elsewhere.start.position.x += 1e-9;
    assert_int_equal(fr_object_set_motion(s.space, id, &elsewhere, &good, NULL), FR_ERROR_ARGUMENT);
    elsewhere = fr_motion_still(&before.pose);
    elsewhere.turn.x = 0x1p+21;
    assert_int_equal(fr_object_set_motion(s.space, id, &elsewhere, &good, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_set_flags(s.space, id, 64, NULL), FR_ERROR_ARGUMENT);

    fr_vec3 *vertices = calloc(before.vertex_count, sizeof *vertices);
    assert_non_null(vertices);
    fr_status (*const setters[2])(fr_space *, fr_object_id, const fr_vec3 *, uint32_t,
                                  fr_error *) = {fr_object_set_vertices, fr_object_set_next_vertices};
    for (int i = 0; i < 2; i++) {
        vertices[1].z = 0;
        assert_int_equal(setters[i](s.space, id, vertices, before.vertex_count - 1, NULL), FR_ERROR_ARGUMENT);
        vertices[1].z = NAN;
        assert_int_equal(setters[i](s.space, id, vertices, before.vertex_count, NULL), FR_ERROR_NOT_FINITE);
        vertices[1].z = 0x1p+301;
        assert_int_equal(setters[i](s.space, id, vertices, before.vertex_count, NULL), FR_ERROR_ARGUMENT);
    }
    free(vertices);

    assert_true(fr_space_is_current(s.space));
    assert_memory_equal(fr_object_get(s.space, id), &before, sizeof before);
    fr_versions now = fr_object_versions(s.space, id);
    assert_memory_equal(&now, &versions, sizeof now);
    scene_close(&s);
}

// Every call returns FR_ERROR_STALE_ID for a stale id, in every build.
static void check_stale(scene *s, fr_object_id id) {
    fr_pose pose = fr_pose_identity();
    fr_motion motion = fr_motion_still(&pose);
    fr_vec3 corners[3];
    fr_bounds bounds;
    fr_object_distance distance;
    fr_versions versions = fr_object_versions(s->space, id), zeros = {0, 0, 0, 0};
    assert_false(fr_object_exists(s->space, id));
    assert_null(fr_object_get(s->space, id));
    assert_memory_equal(&versions, &zeros, sizeof versions);
    assert_int_equal(fr_object_remove(s->space, id, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_pose(s->space, id, &pose, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_next(s->space, id, &pose, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_motion(s->space, id, &motion, &pose, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_filter(s->space, id, (fr_filter){1, 1, 0}, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_flags(s->space, id, 0, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_vertices(s->space, id, corners, 3, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_next_vertices(s->space, id, corners, 3, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_corners(s->space, id, 0, corners, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_bounds(s->space, id, &bounds, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_face(s->space, id, 0), FR_NONE);
    assert_int_equal(fr_object_part_of_triangle(s->space, id, 0), FR_NONE);
    assert_null(fr_object_part(s->space, id, 0).mesh);
    assert_null(fr_object_attachment(s->space, id, 0, &versions));
    assert_int_equal(fr_object_attach(s->space, id, 0, NULL, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_distance(s->space, id, id, 1, &distance, NULL), FR_ERROR_STALE_ID);
}

static void stale_ids_are_reported(void **state) {
    (void)state;
    scene s, other;
    scene_open(&s, 1, 1, 0, NULL);
    scene_open(&other, 1, 1, 0, NULL);
    fr_object_id none = {0, 0, 0}, gone = scene_add(&s, true), foreign = scene_add(&other, true);
    assert_int_equal(gone.index1, 1);
    assert_int_equal(gone.generation, 0);
    assert_int_equal(fr_object_remove(s.space, gone, NULL), FR_OK);
    fr_object_id beyond = {9999, 0, gone.space}, again = {gone.index1, gone.generation + 1, gone.space};
    scene_update(&s);
    check_stale(&s, gone);
    check_stale(&s, none);
    check_stale(&s, foreign);
    check_stale(&s, beyond);
    check_stale(&s, again);

    // The place is used again, by another name.
    fr_object_id new_one = scene_add(&s, true);
    assert_true(fr_object_id_equal(new_one, again));
    scene_update(&s);
    check_stale(&s, gone);
    assert_true(fr_object_exists(s.space, new_one));
    scene_close(&s);
    scene_close(&other);
}

// A place whose generations are used up is left alone: no id is ever right twice.
static void generations_never_come_again(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id id = scene_add(&s, true);
    ((uint32_t *)s.space->object_places.generations.data)[0] = UINT32_MAX - 1;
    id.generation = UINT32_MAX - 1;
    assert_int_equal(fr_object_remove(s.space, id, NULL), FR_OK);
    fr_object_id next = scene_add(&s, true);
    assert_int_equal(next.index1, 2);
    assert_int_equal(fr_space_object_at(s.space, 0).index1, 0);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Truths

static void the_lowest_free_place_is_taken(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id ids[10];
    for (int i = 0; i < 10; i++) {
        ids[i] = scene_add(&s, true);
    }
    const int removed[] = {7, 2, 5};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_object_remove(s.space, ids[removed[i]], NULL), FR_OK);
    }
    assert_int_equal(fr_space_object_count(s.space), 7);
    assert_int_equal(fr_space_object_places(s.space), 10);
    assert_int_equal(scene_add(&s, true).index1, 3);
    assert_int_equal(scene_add(&s, true).index1, 6);
    assert_int_equal(scene_add(&s, true).index1, 8);
    assert_int_equal(scene_add(&s, true).index1, 11);
    scene_close(&s);
}

static void parts_count_their_triangles_on(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_part_def parts[3] = {fr_default_part_def(), fr_default_part_def(), fr_default_part_def()};
    const int meshes[3] = {1, 5, 0};
    for (int i = 0; i < 3; i++) {
        parts[i].mesh = s.meshes[meshes[i]];
        parts[i].pose.position.x = i;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 3;
    def.pose = fr_pose_make(fr_vec3_make(1, 2, 3), fr_quat_from_vector(fr_vec3_make(0.3, 0.2, 0.1)));
    def.user = &s;
    fr_object_id id;
    assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    const fr_object_view *view = fr_object_get(s.space, id);
    assert_int_equal(view->triangle_count, 12 + 5 + 24);
    assert_ptr_equal(view->user, &s);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        uint32_t part = fr_object_part_of_triangle(s.space, id, t);
        assert_int_equal(part, t < 12 ? 0 : t < 17 ? 1 : 2);
        fr_part_view p = fr_object_part(s.space, id, part);
        fr_vec3 corners[3], local[3];
        assert_int_equal(fr_object_corners(s.space, id, t, corners, NULL), FR_OK);
        fr_mesh_corners(p.mesh, t - p.first_triangle, local);
        for (int k = 0; k < 3; k++) {
            fr_vec3 world = fr_pose_apply(&view->pose, fr_pose_apply(&p.pose, local[k]));
            assert_true(fr_vec3_equal(world, corners[k]));
        }
        assert_int_equal(fr_object_face(s.space, id, t), fr_mesh_face(p.mesh, t - p.first_triangle));
    }
    fr_vec3 corners[3];
    assert_int_equal(fr_object_corners(s.space, id, 41, corners, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_face(s.space, id, 41), FR_NONE);
    assert_int_equal(fr_object_part_of_triangle(s.space, id, 41), FR_NONE);
    assert_null(fr_object_part(s.space, id, 3).mesh);
    scene_close(&s);
}

static void setters_move_and_commit_takes_the_step(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id id = scene_add(&s, true), other = scene_add(&s, true);
    fr_pose a = fr_pose_identity(), b = fr_pose_make(fr_vec3_make(1, 0, 0), fr_quat_from_vector(fr_vec3_make(0, 1, 0)));
    b.rotation.w *= 1.001; // made unit by the setter
    b.rotation.y *= 1.001;
    assert_int_equal(fr_object_set_pose(s.space, id, &a, NULL), FR_OK);
    assert_int_equal(fr_object_set_next(s.space, id, &b, NULL), FR_OK);
    const fr_object_view *view = fr_object_get(s.space, id);
    assert_true(view->is_moving && fr_vec3_equal(view->pose.position, a.position));
    assert_true(view->next.position.x == 1 && fabs(view->next.rotation.w - cos(0.5)) < 1e-9);
    fr_versions before = fr_object_versions(s.space, id), still = fr_object_versions(s.space, other);
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    view = fr_object_get(s.space, id);
    assert_true(!view->is_moving && view->pose.position.x == 1 && view->motion.travel.x == 0);
    assert_int_equal(fr_object_versions(s.space, id).pose, before.pose + 1);
    assert_int_equal(fr_object_versions(s.space, other).pose, still.pose);
    assert_false(fr_space_is_current(s.space));
    scene_update(&s);
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    assert_true(fr_space_is_current(s.space)); // nothing moved

    // A pose that is set ends the motion.
    assert_int_equal(fr_object_set_next(s.space, id, &a, NULL), FR_OK);
    assert_int_equal(fr_object_set_pose(s.space, id, &a, NULL), FR_OK);
    assert_false(fr_object_get(s.space, id)->is_moving);
    assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    scene_update(&s);
    scene_validate(&s);
    scene_close(&s);
}

static void versions_go_on_in_a_place_used_again(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id id = scene_add(&s, true);
    fr_versions first = fr_object_versions(s.space, id);
    assert_true(first.shape == 1 && first.vertices == 1 && first.pose == 1 && first.filter == 1);
    scene_deform(&s, id);
    assert_int_equal(fr_object_set_flags(s.space, id, FR_OBJECT_STATIC, NULL), FR_OK);
    assert_int_equal(fr_object_set_filter(s.space, id, (fr_filter){1, 1, 0}, NULL), FR_OK);
    fr_versions then = fr_object_versions(s.space, id);
    assert_true(then.shape == 1 && then.vertices == 2 && then.pose == 1 && then.filter == 3);
    assert_int_equal(fr_object_remove(s.space, id, NULL), FR_OK);
    fr_object_id next = scene_add(&s, true);
    assert_int_equal(next.index1, id.index1);
    fr_versions now = fr_object_versions(s.space, next);
    assert_true(now.shape == 2 && now.vertices == 3 && now.pose == 2 && now.filter == 4);
    scene_close(&s);
}

// An object far beyond the floats, one at the smallest scale, and one at the largest: no result is lost.
static void extreme_places_are_kept(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    const double positions[] = {0x1p+300, 1e40, -1e40, 0, 0}, scales[] = {1, 1, 1, 0x1p-100, 0x1p+100};
    for (int i = 0; i < 5; i++) {
        fr_object_id id = scene_add(&s, true);
        fr_pose pose = fr_pose_make(fr_vec3_make(positions[i], 0, 0), fr_quat_identity());
        pose.scale = scales[i];
        assert_int_equal(fr_object_set_pose(s.space, id, &pose, NULL), FR_OK);
        pose.position.y = 1e30;
        if (i == 1) { assert_int_equal(fr_object_set_next(s.space, id, &pose, NULL), FR_OK); }
    }
    scene_update(&s);
    scene_validate(&s);
    fr_ray ray = {{0, 0, 0}, {1, 0.25, 0.125}, INFINITY};
    fr_space_hit hit;
    assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_OK);
    scene_close(&s);
}

static void a_mesh_alone_is_an_object(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_pose there = fr_pose_make(fr_vec3_make(1, 2, 3), fr_quat_identity());
    fr_object_id id, other;
    assert_int_equal(fr_object_add_mesh(s.space, s.meshes[1], NULL, &id, NULL), FR_OK);
    assert_int_equal(fr_object_add_mesh(s.space, s.meshes[1], &there, &other, NULL), FR_OK);
    const fr_object_view *view = fr_object_get(s.space, id);
    assert_int_equal(view->part_count, 1);
    assert_int_equal(view->triangle_count, fr_mesh_get(s.meshes[1])->triangle_count);
    assert_true(view->pose.position.x == 0.0 && fr_object_get(s.space, other)->pose.position.z == 3.0);
    there.scale = -1.0;
    assert_int_equal(fr_object_add_mesh(s.space, s.meshes[1], &there, &id, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_add_mesh(s.space, NULL, NULL, &id, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_space_object_count(s.space), 2);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(bad_poses_change_nothing),
        cmocka_unit_test(a_mesh_alone_is_an_object),
        cmocka_unit_test(stale_ids_are_reported),
        cmocka_unit_test(generations_never_come_again),
        cmocka_unit_test(the_lowest_free_place_is_taken),
        cmocka_unit_test(parts_count_their_triangles_on),
        cmocka_unit_test(setters_move_and_commit_takes_the_step),
        cmocka_unit_test(versions_go_on_in_a_place_used_again),
        cmocka_unit_test(extreme_places_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
