// Parts of a model on workers: the same parts, in the same order, with the same bits, for any number of workers; what
// ends the call ends it.
#include "failing.h"
#include "fureai/model.h"

#include <string.h>

enum { PARTS = 600, MESHES = 300 }; // more than two batches; each mesh twice, the second time moved

// A model of triangles whose numbers say which they are.
static fr_model *make_model(void) {
    static float positions[MESHES][9];
    static const uint32_t corners[3] = {0, 1, 2};
    static fr_model_mesh meshes[MESHES];
    static fr_model_node nodes[PARTS];
    static const double moved[12] = {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < MESHES; i++) {
        const float own[9] = {(float)i, 0, 0, (float)i + 1, 0, 0, (float)i, 1, 0};
        memcpy(positions[i], own, sizeof own);
        meshes[i] = (fr_model_mesh){.positions_float = positions[i], .vertex_count = 3, .face_count = 1};
        meshes[i].corners = corners;
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        nodes[i] = fr_default_model_node();
        nodes[i].mesh = i % MESHES;
        nodes[i].transform = i < MESHES ? NULL : moved;
    }
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = PARTS;
    def.meshes = meshes;
    def.mesh_count = MESHES;
    fr_model *model = NULL;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    return model;
}

typedef struct taken {
    const fr_mesh *meshes[PARTS];
    uint32_t count, end; // the call ends with an error at `end`
} taken;

static fr_status take(const fr_model_part *part, void *context, fr_error *error) {
    taken *t = context;
    fr_vec3 c[3];
    fr_mesh_corners(part->mesh, 0, c);
    assert_int_equal(part->node, t->count);
    assert_true(c[0].x == (double)(part->node % MESHES));
    assert_true(part->pose.position.x == (part->node < MESHES ? 0.0 : 5.0));
    t->meshes[t->count++] = part->mesh;
    if (part->node >= MESHES) { assert_ptr_equal(part->mesh, t->meshes[part->node - MESHES]); }
    fr_mesh_release(part->mesh); // the model's list has one until the end
    return t->count == t->end ? fr_error_set(error, FR_ERROR_LIMIT, "enough") : FR_OK;
}

static void workers_make_no_difference(void **state) {
    (void)state;
    fr_model *model = make_model();
    for (int workers = 1; workers <= 8; workers *= 2) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = workers;
        fr_task_pool *pool;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        fr_model_mesh_input input = fr_default_model_mesh_input();
        input.tasks = &tasks;
        taken t = {.end = PARTS + 1};
        assert_int_equal(fr_model_parts(model, &input, take, &t, NULL), FR_OK);
        assert_int_equal(t.count, PARTS);
        t = (taken){.end = 270};
        fr_error error = {0};
        assert_int_equal(fr_model_parts(model, &input, take, &t, &error), FR_ERROR_LIMIT);
        assert_int_equal(t.count, 270);
        assert_string_equal(error.message, "enough");
        fr_task_pool_destroy(pool);
    }
    fr_model_destroy(model);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void it_can_be_stopped(void **state) {
    (void)state;
    fr_model *model = make_model();
    fr_status status = FR_ERROR_STOPPED;
    for (int calls = 0; status == FR_ERROR_STOPPED; calls = 2 * calls + 1) {
        int left = calls;
        const fr_control control = {.stop = stop_after, .user = &left};
        fr_model_mesh_input input = fr_default_model_mesh_input();
        input.control = &control;
        taken t = {.end = PARTS + 1};
        status = fr_model_parts(model, &input, take, &t, NULL);
    }
    assert_int_equal(status, FR_OK);
    fr_model_destroy(model);
}

static fr_status take_all(const fr_allocator *allocator, void *context) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = *allocator;
    taken t = {.end = PARTS + 1};
    return fr_model_parts(context, &input, take, &t, NULL);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fr_model *model = make_model();
    assert_true(test_every_failure(take_all, model) > 20);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts without their meshes

// A list beside the parts that are made at once.
typedef struct listed {
    const fr_model_part_list *list;
    uint32_t count;
    const fr_mesh *meshes[PARTS]; // of the shapes, as fr_model_parts has them
} listed;

static bool is_in(const fr_bounds *outer, fr_vec3 p) { return fr_bounds_contain_point(outer, p); }

static fr_status compare(const fr_model_part *part, void *context, fr_error *error) {
    listed *l = context;
    const fr_model_part_list_view *view = fr_model_part_list_get(l->list);
    assert_true(l->count < view->part_count);
    const fr_model_listed_part *other = &view->parts[l->count++];
    assert_int_equal(other->node, part->node);
    assert_memory_equal(&other->pose, &part->pose, sizeof part->pose);
    const fr_model_shape *shape = &view->shapes[other->shape];
    const fr_mesh_view *expected = fr_mesh_get(part->mesh);
    assert_int_equal(shape->triangle_count, expected->triangle_count);
    // One shape where there is one mesh.
    if (l->meshes[other->shape] == NULL) { l->meshes[other->shape] = part->mesh; }
    assert_ptr_equal(l->meshes[other->shape], part->mesh);
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_model_part_list_make(l->list, other->shape, NULL, &mesh, error), FR_OK);
    assert_int_equal(fr_mesh_get(mesh)->triangle_count, expected->triangle_count);
    for (uint32_t i = 0; i < expected->triangle_count; i++) {
        fr_vec3 a[3], b[3];
        fr_mesh_corners(part->mesh, i, a);
        fr_mesh_corners(mesh, i, b);
        assert_memory_equal(a, b, sizeof a);
        assert_true(is_in(&shape->bounds, a[0]) && is_in(&shape->bounds, a[1]) && is_in(&shape->bounds, a[2]));
    }
    fr_mesh_release(mesh);
    fr_mesh_release(part->mesh);
    return FR_OK;
}

static void compare_list(const fr_model *model, bool is_double) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_double = is_double;
    fr_model_part_list *list;
    assert_int_equal(fr_model_part_list_create(model, &input, &list, NULL), FR_OK);
    listed l = {.list = list};
    assert_int_equal(fr_model_parts(model, &input, compare, &l, NULL), FR_OK);
    assert_int_equal(l.count, fr_model_part_list_get(list)->part_count);
    assert_true(l.count > 0);
    fr_model_part_list_destroy(list);
}

// Turned, scaled, mirrored and moved nodes of meshes with polygons.
static fr_model *make_placed_model(void) {
    static const float positions[15] = {0.1f, 0, 0, 1.7f, 0.3f, 0, 1.1f, 1.3f, 0.7f, 0, 1, 0.1f, -0.3f, 0.5f, 0.2f};
    static const uint32_t corners[8] = {0, 1, 2, 3, 4, 0, 2, 4}, starts[3] = {0, 5, 8};
    static const fr_model_mesh mesh = {
        .positions_float = positions, .vertex_count = 5, .corners = corners, .face_starts = starts, .face_count = 2};
    static const double transforms[3][12] = {{0.6, -0.8, 0, 1e6 + 0.1, 0.8, 0.6, 0, 2, 0, 0, 1, 3},
                                             {-1.1, 0, 0, 0.3, 0, 1.3, 0, 0, 0, 0, 0.7, 1e-3},
                                             {0.6, -0.8, 0, 5, 0.8, 0.6, 0, 2, 0, 0, 1, 3}};
    static fr_model_node nodes[5];
    for (uint32_t i = 0; i < 5; i++) {
        nodes[i] = fr_default_model_node();
        nodes[i].mesh = 0;
        nodes[i].transform = i < 3 ? transforms[i] : NULL;
        if (i == 4) { nodes[i].flags = FR_MODEL_NO_COLLIDE; }
    }
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 5;
    def.meshes = &mesh;
    def.mesh_count = 1;
    fr_model *model = NULL;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    return model;
}

static void listed_parts_are_those_made_at_once(void **state) {
    (void)state;
    fr_model *models[2] = {make_model(), make_placed_model()};
    for (int i = 0; i < 4; i++) {
        compare_list(models[i / 2], i % 2 == 1);
    }
    fr_model_part_list *list;
    assert_int_equal(fr_model_part_list_create(models[1], NULL, &list, NULL), FR_OK);
    assert_int_equal(fr_model_part_list_get(list)->part_count, 4);
    assert_int_equal(fr_model_part_list_get(list)->shape_count, 3); // two nodes differ in their shift alone
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_list_make(list, 3, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    fr_model_part_list_destroy(list);
    fr_model_part_list_destroy(NULL);
    fr_model_mesh_input input = {0};
    assert_int_equal(fr_model_part_list_create(models[1], &input, &list, NULL), FR_ERROR_ARGUMENT);
    fr_model_destroy(models[0]);
    fr_model_destroy(models[1]);
}

static fr_status list_all(const fr_allocator *allocator, void *context) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = *allocator;
    fr_model_part_list *list;
    fr_status status = fr_model_part_list_create(context, &input, &list, NULL);
    if (status != FR_OK) { return status; }
    fr_mesh *mesh;
    status = fr_model_part_list_make(list, 1, NULL, &mesh, NULL);
    if (status == FR_OK) { fr_mesh_release(mesh); }
    fr_model_part_list_destroy(list);
    return status;
}

static void every_allocation_of_a_list_may_fail(void **state) {
    (void)state;
    fr_model *model = make_placed_model();
    assert_true(test_every_failure(list_all, model) > 5);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_parts_are_those_made_at_once), cmocka_unit_test(every_allocation_of_a_list_may_fail),
        cmocka_unit_test(workers_make_no_difference),          cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
