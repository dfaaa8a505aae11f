// Bodies whose bones movers move: sensed as their vertices would be, in snapshot, hash and record, refused without
// harm.
#include "failing.h"
#include "heap_calls.h"
#include "tape.h"
#include "worlds.h"

#include <math.h>

#define BONES 2

// A capsule along y whose upper half follows a second bone.
static fr_skin *make_arm(const fr_mesh *mesh) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    uint32_t *bones = calloc(BONES * (size_t)view->vertex_count, sizeof *bones);
    float *weights = calloc(BONES * (size_t)view->vertex_count, sizeof *weights);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        float height = view->positions_float[3 * i + 1], upper = fminf(fmaxf(2.0f * height + 0.5f, 0.0f), 1.0f);
        bones[BONES * i + 1] = 1;
        weights[BONES * i] = 1.0f - upper;
        weights[BONES * i + 1] = upper;
    }
    const uint32_t parents[BONES] = {FR_NONE, 0};
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = view->vertex_count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = def.bone_count = BONES;
    def.parents = parents;
    fr_skin *skin = NULL;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    free(bones);
    free(weights);
    return skin;
}

// A mover that bends the arm by a little more each tick, by bones or by vertices.
typedef struct bender {
    fr_object_id object;
    fr_skin *skin;
    bool is_by_vertices;
    uint32_t count; // of bones that it reports; 0: BONES
    double turn;    // NaN for a bone that is none
    fr_pose bones[BONES];
    fr_vec3 vertices[2048];
    fr_arena *scratch;
} bender;

static fr_status bend(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    bender *b = user;
    double angle = b->turn * (double)(proposal->tick + 1);
    b->bones[0] = fr_pose_identity();
    b->bones[1] = fr_pose_identity();
    b->bones[1].rotation = fr_quat_from_axis_angle(fr_vec3_make(0, 0, 1), angle);
    if (!b->is_by_vertices) {
        return fr_wishes_bones(wishes, b->object, b->bones, b->count != 0 ? b->count : BONES, error);
    }
    fr_skin_input input = fr_default_skin_input();
    input.skin = b->skin;
    input.poses = b->bones;
    input.bone_count = BONES;
    input.scratch = b->scratch;
    fr_skin_output output = {.vertices = b->vertices};
    assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
    return fr_wishes_deform(wishes, b->object, b->vertices, fr_skin_get(b->skin)->vertex_count, error);
}

typedef struct arm_world {
    fr_world *world;
    fr_mesh *arm, *box;
    bender b;
} arm_world;

static void open_arm(arm_world *a, bool is_by_vertices, uint32_t flags) {
    memset(a, 0, sizeof *a);
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    assert_int_equal(fr_world_create(&def, &a->world, NULL), FR_OK);
    a->arm = world_mesh("capsule");
    a->box = world_mesh("box");
    assert_true(fr_mesh_get(a->arm)->vertex_count <= 2048);
    a->b.skin = make_arm(a->arm);
    a->b.is_by_vertices = is_by_vertices;
    a->b.turn = 0.15;
    assert_int_equal(fr_arena_create(0, NULL, &a->b.scratch, NULL), FR_OK);
    a->b.object = world_add(a->world, a->arm, 0, 0, 0);
    (void)world_add(a->world, a->box, -1.2, 0.4, 0);
    fr_space *space = fr_world_space(a->world);
    assert_int_equal(fr_object_set_flags(space, a->b.object, flags, NULL), FR_OK);
    if (!is_by_vertices) {
        assert_int_equal(fr_object_set_skin(space, a->b.object, 0, a->b.skin, FR_SKIN_LINEAR, NULL), FR_OK);
    }
    fr_corrector mover = {"bend", bend, &a->b};
    assert_int_equal(fr_world_add_mover(a->world, &mover, NULL), FR_OK);
}

static void close_arm(arm_world *a) {
    fr_world_destroy(a->world);
    fr_skin_release(a->b.skin);
    fr_mesh_release(a->arm);
    fr_mesh_release(a->box);
    fr_arena_destroy(a->b.scratch);
}

// What is touched, and when, is what vertices that are set by hand touch.
static void bones_are_sensed_as_vertices_are(void **state) {
    (void)state;
    static arm_world a, twin;
    open_arm(&a, false, 0);
    open_arm(&twin, true, 0);
    size_t pairs = 0;
    for (int i = 0; i < 12; i++) {
        world_tick(a.world);
        world_tick(twin.world);
        const fr_snapshot *has = fr_world_snapshot(a.world), *wants = fr_world_snapshot(twin.world);
        const fr_snapshot_step *step = &has->step_result, *same = &wants->step_result;
        assert_int_equal(step->pair_count, same->pair_count);
        assert_int_equal(has->pair_count, wants->pair_count);
        if (step->pair_count > 0) {
            assert_memory_equal(step->pairs, same->pairs, step->pair_count * sizeof *step->pairs);
        }
        pairs += step->pair_count;
        assert_int_equal(has->objects[0].bone_count, BONES);
        assert_memory_equal(has->objects[0].bones, a.b.bones, sizeof a.b.bones);
        assert_true(has->objects[1].bone_count == 0 && has->objects[1].bones == NULL);
        fr_snapshot_release(has);
        fr_snapshot_release(wants);
    }
    assert_true(pairs > 10);
    close_arm(&a);
    close_arm(&twin);
}

static void a_ghost_passes_through_and_is_in_the_snapshot(void **state) {
    (void)state;
    static arm_world a;
    open_arm(&a, false, FR_OBJECT_GHOST);
    for (int i = 0; i < 12; i++) {
        world_tick(a.world);
    }
    const fr_snapshot *snapshot = fr_world_snapshot(a.world);
    assert_true(snapshot->touch_count == 0 && snapshot->objects[0].bone_count == BONES);
    assert_memory_equal(snapshot->objects[0].bones, a.b.bones, sizeof a.b.bones);
    fr_snapshot other = *snapshot;
    fr_snapshot_object objects[2] = {snapshot->objects[0], snapshot->objects[1]};
    fr_pose bones[BONES] = {a.b.bones[0], a.b.bones[1]};
    other.objects = objects;
    objects[0].bones = bones;
    assert_true(fr_snapshot_hash(&other) == fr_snapshot_hash(snapshot));
    bones[1].position.z = 1e-300;
    assert_true(fr_snapshot_hash(&other) != fr_snapshot_hash(snapshot));
    fr_snapshot_release(snapshot);
    assert_null(fr_object_get(fr_world_space(a.world), a.b.object)->vertices);
    close_arm(&a);
}

static bool count_ticks(fr_world *world, void *context) {
    (void)world;
    ++*(int *)context;
    return true;
}

// A record from the beginning, and one from the middle on, holds bones and no vertices.
static void records_hold_bones(void **state) {
    (void)state;
    for (int before = 0; before < 8; before += 7) {
        static arm_world a;
        open_arm(&a, false, 0);
        for (int i = 0; i < before; i++) {
            world_tick(a.world);
        }
        tape record = {0};
        assert_int_equal(fr_world_record(a.world, tape_keep, &record, NULL), FR_OK);
        size_t begins = record.size;
        for (int i = 0; i < 12; i++) {
            world_tick(a.world);
        }
        assert_true(record.size - begins < 12 * 1000);
        fr_world *again = world_open(NULL);
        fr_error error = {0};
        int ticks = 0;
        fr_replay_input input = {.ticked = count_ticks, .context = &ticks};
        if (fr_world_replay(again, record.bytes, record.size, &input, &error) != FR_OK) {
            fail_msg("%s", error.message);
        }
        assert_int_equal(ticks, 12);
        assert_true(world_hash(again) == world_hash(a.world));
        fr_world_destroy(again);

        fr_random random = fr_random_seed(3);
        for (int i = 0; i < 200; i++) {
            size_t at = (size_t)fr_random_below(&random, (uint32_t)record.size);
            unsigned char *byte = record.bytes + at, was = *byte;
            *byte ^= (unsigned char)(1u << fr_random_below(&random, 8));
            fr_world *hurt = world_open(NULL);
            (void)fr_world_replay(hurt, record.bytes, i % 2 == 0 ? record.size : at, NULL, NULL);
            assert_true(fr_space_validate(fr_world_space(hurt), NULL));
            fr_world_destroy(hurt);
            *byte = was;
        }
        free(record.bytes);
        close_arm(&a);
    }
}

// A tick that fails leaves the bones as they were, and the next one goes on.
static void wrong_bones_end_the_tick(void **state) {
    (void)state;
    static arm_world a;
    open_arm(&a, false, 0);
    world_tick(a.world);
    fr_pose before[BONES];
    memcpy(before, fr_object_get(fr_world_space(a.world), a.b.object)->bones, sizeof before);
    fr_error error = {0};
    a.b.count = BONES + 1;
    assert_int_equal(fr_world_tick(a.world, NULL, &error), FR_ERROR_ARGUMENT);
    a.b.count = 0;
    a.b.turn = NAN;
    assert_int_not_equal(fr_world_tick(a.world, NULL, &error), FR_OK);
    const fr_object_view *view = fr_object_get(fr_world_space(a.world), a.b.object);
    assert_true(view->next_bones == NULL);
    assert_memory_equal(view->bones, before, sizeof before);
    a.b.turn = 0.15;
    fr_object_id right = a.b.object;
    a.b.object.generation++;
    assert_int_equal(fr_world_tick(a.world, NULL, &error), FR_ERROR_STALE_ID);
    a.b.object = right;
    world_tick(a.world);
    close_arm(&a);
}

static void a_warm_tick_takes_no_memory(void **state) {
    (void)state;
    static arm_world a;
    open_arm(&a, false, 0);
    a.b.turn = 0.001;
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        if (i == 20) { before = test_heap_calls(); }
        world_tick(a.world);
    }
    assert_true(test_heap_calls() == before);
    close_arm(&a);
}

// A world of one arm whose bones a mover moves; a tick that failed can be taken again.
static fr_status bend_once(const fr_allocator *allocator, void *context) {
    const arm_world *a = context;
    bender b = {.skin = a->b.skin, .turn = 0.1};
    fr_world *world;
    fr_status status = world_try(allocator, a->arm, &world, &b.object);
    if (status == FR_OK) {
        status = fr_object_set_skin(fr_world_space(world), b.object, 0, b.skin, FR_SKIN_LINEAR, NULL);
    }
    const fr_corrector mover = {"bend", bend, &b};
    if (status == FR_OK) { status = fr_world_add_mover(world, &mover, NULL); }
    if (status == FR_OK) {
        status = fr_world_tick(world, NULL, NULL);
        if (status != FR_OK) {
            test_lift(allocator);
            assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
        }
    }
    fr_world_destroy(world);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    static arm_world a;
    open_arm(&a, false, 0);
    assert_true(test_every_failure(bend_once, &a) > 5);
    close_arm(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_sensed_as_vertices_are),
        cmocka_unit_test(a_ghost_passes_through_and_is_in_the_snapshot),
        cmocka_unit_test(records_hold_bones),
        cmocka_unit_test(wrong_bones_end_the_tick),
        cmocka_unit_test(a_warm_tick_takes_no_memory),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
