// Objects whose vertices follow bones: against fr_skin_vertices and against vertices that are set by hand.
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "scene_sets.h"
#include "tape.h"

// An object of one part with a skin.
typedef struct body {
    scene s;
    fr_object_id id;
    fr_skin *skin;
} body;

static void open_body(body *b, uint64_t seed, uint32_t flags, fr_skin_method method) {
    scene_open(&b->s, seed, 3, 0, NULL);
    fr_part_def part;
    fr_object_def def = test_mesh_object(b->s.meshes[2], &part);
    def.flags = flags;
    def.pose = scene_pose(&b->s);
    assert_int_equal(fr_object_add(b->s.space, &def, &b->id, NULL), FR_OK);
    b->skin = scene_skin(&b->s, b->s.meshes[2]);
    assert_int_equal(fr_object_set_skin(b->s.space, b->id, 0, b->skin, method, NULL), FR_OK);
}

static void close_body(body *b) {
    scene_validate(&b->s);
    fr_skin_release(b->skin);
    scene_close(&b->s);
}

static fr_vec3 *vertices_of(const body *b, const fr_pose *bones, fr_skin_method method) {
    fr_vec3 *out = malloc(fr_skin_get(b->skin)->vertex_count * sizeof *out);
    fr_arena *scratch = NULL;
    assert_int_equal(fr_arena_create(0, NULL, &scratch, NULL), FR_OK);
    fr_skin_input input = fr_default_skin_input();
    input.skin = b->skin;
    input.poses = bones;
    input.bone_count = SCENE_BONES;
    input.method = method;
    input.scratch = scratch;
    fr_skin_output output = {.vertices = out};
    assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
    fr_arena_destroy(scratch);
    return out;
}

static void what_is_no_skin_is_refused(void **state) {
    (void)state;
    body b;
    open_body(&b, 1, 0, FR_SKIN_LINEAR);
    fr_error error = {0};
    fr_space *space = b.s.space;
    assert_int_equal(fr_object_set_skin(space, b.id, 0, b.skin, FR_SKIN_LINEAR, &error), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_object_set_skin(space, b.id, 1, b.skin, FR_SKIN_LINEAR, &error), FR_ERROR_ARGUMENT);
    fr_part_def parts[2];
    fr_object_def def = test_mesh_object(b.s.meshes[0], &parts[0]);
    fr_object_id other;
    assert_int_equal(fr_object_add(space, &def, &other, NULL), FR_OK);
    assert_int_equal(fr_object_set_skin(space, other, 0, b.skin, FR_SKIN_LINEAR, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another mesh"));
    parts[1] = parts[0];
    parts[0].mesh = parts[1].mesh = b.s.meshes[2];
    parts[1].pose.position.x = 1.0;
    def.parts = parts;
    def.part_count = 2;
    assert_int_equal(fr_object_add(space, &def, &other, NULL), FR_OK);
    assert_int_equal(fr_object_set_skin(space, other, 1, b.skin, FR_SKIN_LINEAR, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "pose of its own"));
    assert_int_equal(fr_object_set_skin(space, other, 0, b.skin, (fr_skin_method)9, &error), FR_ERROR_ARGUMENT);

    fr_pose bones[SCENE_BONES];
    scene_bones(&b.s, bones);
    assert_int_equal(fr_object_set_bones(space, other, bones, SCENE_BONES, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_set_bones(space, b.id, bones, SCENE_BONES - 1, &error), FR_ERROR_ARGUMENT);
    bones[2].position.y = NAN;
    assert_int_equal(fr_object_set_next_bones(space, b.id, bones, SCENE_BONES, &error), FR_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "bone 2"));
    bones[2].position.y = 1e99;
    assert_int_equal(fr_object_set_bones(space, b.id, bones, SCENE_BONES, &error), FR_ERROR_ARGUMENT);
    bones[2] = fr_pose_identity();
    bones[1].rotation.w = 7.0;
    assert_int_not_equal(fr_object_set_bones(space, b.id, bones, SCENE_BONES, &error), FR_OK);
    assert_null(fr_object_get(space, b.id)->bones);
    fr_vec3 vertices[64] = {{0}};
    uint32_t count = fr_object_get(space, b.id)->vertex_count;
    assert_true(count <= 64);
    assert_int_equal(fr_object_set_vertices(space, b.id, vertices, count, &error), FR_ERROR_UNSUPPORTED);
    fr_object_id stale = other;
    assert_int_equal(fr_object_remove(space, other, NULL), FR_OK);
    assert_int_equal(fr_object_set_skin(space, stale, 0, b.skin, FR_SKIN_LINEAR, &error), FR_ERROR_STALE_ID);
    assert_int_equal(fr_object_set_bones(space, stale, bones, SCENE_BONES, &error), FR_ERROR_STALE_ID);
    scene_update(&b.s);
    close_body(&b);
}

// The same object twice, once with bones and once with the vertices that they come to: all that is derived is equal.
static void bones_do_what_their_vertices_do(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_count(40, 1000); seed++) {
        fr_skin_method method = seed % 2 == 0 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS;
        body b;
        open_body(&b, seed, 0, method);
        scene twin;
        scene_open(&twin, seed, 3, 0, NULL);
        fr_part_def part;
        fr_object_def def = test_mesh_object(b.s.meshes[2], &part);
        def.pose = fr_object_get(b.s.space, b.id)->pose;
        fr_object_id same;
        assert_int_equal(fr_object_add(twin.space, &def, &same, NULL), FR_OK);
        for (int step = 0; step < 6; step++) {
            fr_pose bones[SCENE_BONES], pose = scene_pose(&b.s);
            scene_bones(&b.s, bones);
            fr_vec3 *vertices = vertices_of(&b, bones, method);
            uint32_t count = fr_object_get(twin.space, same)->vertex_count;
            bool is_next = step % 3 != 0;
            assert_int_equal(fr_object_set_next(b.s.space, b.id, &pose, NULL), FR_OK);
            assert_int_equal(fr_object_set_next(twin.space, same, &pose, NULL), FR_OK);
            fr_status status = is_next ? fr_object_set_next_bones(b.s.space, b.id, bones, SCENE_BONES, NULL)
                                       : fr_object_set_bones(b.s.space, b.id, bones, SCENE_BONES, NULL);
            assert_int_equal(status, FR_OK);
            status = is_next ? fr_object_set_next_vertices(twin.space, same, vertices, count, NULL)
                             : fr_object_set_vertices(twin.space, same, vertices, count, NULL);
            assert_int_equal(status, FR_OK);
            free(vertices);
            if (step != 4) { // once a step is taken without an update
                scene_update(&b.s);
                scene_update(&twin);
                scene_validate(&b.s);
                fr_bounds own, other;
                assert_int_equal(fr_object_bounds(b.s.space, b.id, &own, NULL), FR_OK);
                assert_int_equal(fr_object_bounds(twin.space, same, &other, NULL), FR_OK);
                assert_memory_equal(&own, &other, sizeof own);
                const fr_object_view *has = fr_object_get(b.s.space, b.id), *wants = fr_object_get(twin.space, same);
                assert_memory_equal(has->vertices, wants->vertices, count * sizeof *has->vertices);
                assert_true((has->next_vertices != NULL) == is_next);
                if (is_next) { assert_memory_equal(has->next_vertices, wants->next_vertices, count * sizeof(fr_vec3)); }
            }
            assert_int_equal(fr_space_commit(b.s.space, NULL), FR_OK);
            assert_int_equal(fr_space_commit(twin.space, NULL), FR_OK);
            if (is_next) { assert_memory_equal(fr_object_get(b.s.space, b.id)->bones, bones, sizeof bones); }
        }
        scene_update(&b.s);
        scene_close(&twin);
        close_body(&b);
    }
}

static void expect_no_distance(const body *b) {
    fr_object_distance distance;
    fr_object_id other = fr_space_object_at(b->s.space, 0);
    assert_int_equal(fr_space_distance(b->s.space, b->id, other, INFINITY, &distance, NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_space_distance(b->s.space, other, b->id, INFINITY, &distance, NULL), FR_ERROR_UNSUPPORTED);
}

// The bounds of a ghost hold its vertices, which are not computed; touched again, it has them.
static void a_ghost_has_bounds_alone(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_count(40, 1000); seed++) {
        body b;
        open_body(&b, seed, FR_OBJECT_GHOST, FR_SKIN_LINEAR);
        fr_pose now[SCENE_BONES], next[SCENE_BONES];
        scene_bones(&b.s, now);
        scene_bones(&b.s, next);
        assert_int_equal(fr_object_set_bones(b.s.space, b.id, now, SCENE_BONES, NULL), FR_OK);
        assert_int_equal(fr_object_set_next_bones(b.s.space, b.id, next, SCENE_BONES, NULL), FR_OK);
        scene_update(&b.s);
        scene_validate(&b.s);
        const fr_object_view *view = fr_object_get(b.s.space, b.id);
        assert_true(view->vertices == NULL && view->next_vertices == NULL);
        fr_vec3 corners[3];
        assert_int_equal(fr_object_corners(b.s.space, b.id, 0, corners, NULL), FR_ERROR_UNSUPPORTED);
        expect_no_distance(&b);
        fr_bounds bounds;
        assert_int_equal(fr_object_bounds(b.s.space, b.id, &bounds, NULL), FR_OK);
        for (int k = 0; k < 2; k++) {
            fr_vec3 *vertices = vertices_of(&b, k == 0 ? now : next, FR_SKIN_LINEAR);
            for (uint32_t i = 0; i < view->vertex_count; i++) {
                assert_true(fr_bounds_contain_point(&bounds, fr_pose_apply(&view->pose, vertices[i])));
            }
            free(vertices);
        }
        assert_int_equal(fr_object_set_flags(b.s.space, b.id, 0, NULL), FR_OK);
        scene_update(&b.s);
        fr_vec3 *vertices = vertices_of(&b, now, FR_SKIN_LINEAR);
        assert_memory_equal(fr_object_get(b.s.space, b.id)->vertices, vertices, view->vertex_count * sizeof *vertices);
        free(vertices);
        assert_non_null(fr_object_get(b.s.space, b.id)->next_vertices);
        fr_object_distance distance;
        fr_object_id other = fr_space_object_at(b.s.space, 0);
        assert_int_equal(fr_space_distance(b.s.space, b.id, other, INFINITY, &distance, NULL), FR_OK);
        // A ghost again, it has trees of vertices that it no longer has.
        assert_int_equal(fr_object_set_flags(b.s.space, b.id, FR_OBJECT_GHOST, NULL), FR_OK);
        scene_update(&b.s);
        expect_no_distance(&b);
        close_body(&b);
    }
}

static void a_warm_step_takes_no_memory(void **state) {
    (void)state;
    body b;
    open_body(&b, 5, 0, FR_SKIN_DUAL_QUATERNIONS);
    uint64_t before = 0;
    for (int step = 0; step < 20; step++) {
        fr_pose bones[SCENE_BONES];
        scene_bones(&b.s, bones);
        if (step == 10) { before = test_heap_calls(); }
        assert_int_equal(fr_object_set_next_bones(b.s.space, b.id, bones, SCENE_BONES, NULL), FR_OK);
        assert_int_equal(fr_space_update(b.s.space, NULL, NULL), FR_OK);
        assert_int_equal(fr_space_commit(b.s.space, NULL), FR_OK);
    }
    assert_true(test_heap_calls() == before);
    scene_update(&b.s);
    close_body(&b);
}

// The vertices do not depend on the number of workers.
static void workers_share_the_bodies(void **state) {
    (void)state;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 4;
    fr_task_pool *pool = NULL;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    uint64_t hashes[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        scene s;
        scene_open(&s, 3, 3, 0, NULL);
        for (int i = 0; i < 40; i++) {
            fr_object_id id = scene_add(&s, true);
            scene_dress(&s, id);
            fr_pose bones[SCENE_BONES];
            scene_bones(&s, bones);
            uint32_t count = fr_object_get(s.space, id)->bone_count;
            (void)fr_object_set_next_bones(s.space, id, bones, count, NULL);
        }
        assert_int_equal(fr_space_update(s.space, k == 0 ? NULL : &tasks, NULL), FR_OK);
        scene_validate(&s);
        for (uint32_t i = 0; i < 40; i++) {
            const fr_object_view *view = fr_object_get(s.space, fr_space_object_at(s.space, i));
            if (view->next_vertices == NULL) { continue; }
            hashes[k] = fr_hash(view->next_vertices, view->vertex_count * sizeof(fr_vec3), hashes[k] + 1);
        }
        scene_close(&s);
    }
    assert_true(hashes[0] != 0 && hashes[0] == hashes[1]);
    fr_task_pool_destroy(pool);
}

static void ignore_bytes(const void *bytes, size_t size, void *context) { (void)bytes, (void)size, (void)context; }

static fr_status make_and_move(const fr_allocator *allocator, void *context) {
    scene *s = context;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_skin *skin = scene_skin(s, s->meshes[0]);
    fr_part_def part;
    fr_object_def object = test_mesh_object(s->meshes[0], &part);
    fr_object_id id;
    fr_pose bones[SCENE_BONES];
    scene_bones(s, bones);
    fr_status status = fr_space_create(&def, &space, NULL);
    if (status == FR_OK) { status = fr_space_record(space, ignore_bytes, NULL, NULL); }
    if (status == FR_OK) { status = fr_object_add(space, &object, &id, NULL); }
    if (status == FR_OK) { status = fr_object_set_skin(space, id, 0, skin, FR_SKIN_LINEAR, NULL); }
    if (status == FR_OK) { status = fr_object_set_next_bones(space, id, bones, SCENE_BONES, NULL); }
    if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
    if (space != NULL) { assert_true(status == FR_OK || fr_space_validate(space, NULL)); }
    fr_space_destroy(space);
    fr_skin_release(skin);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    assert_true(test_every_failure(make_and_move, &s) > 10);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_skin_is_refused), cmocka_unit_test(bones_do_what_their_vertices_do),
        cmocka_unit_test(a_ghost_has_bounds_alone),   cmocka_unit_test(a_warm_step_takes_no_memory),
        cmocka_unit_test(workers_share_the_bodies),   cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
