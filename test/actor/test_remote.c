// Bodies that programs outside move: an update is taken whole, a body has one owner, objects are leased.
#include "failing.h"
#include "mesh_object.h"
#include "walking_body.h"

#include "fureai/actor_remote.h"

#include <math.h>
#include <string.h>

enum { BODIES = 2, BOXES = 4 };

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    fr_remote *remote;
    fr_object_id bodies[BODIES], boxes[BOXES], floor;
    fr_pose bones[WALKER_BONES];
} room;

static fr_status make(room *r, const fr_allocator *allocator, uint32_t silent_ticks) {
    *r = (room){0};
    fr_mesh *mesh = NULL;
    fr_skin *skin = NULL;
    fr_world_def def = fr_default_world_def();
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
    skin = walker_skin(mesh);
    fr_space *space = fr_world_space(r->world);
    walker_bones(0, 0, WALKER_JOINTS, r->bones);
    for (int i = 0; i < BODIES + BOXES + 1; i++) {
        fr_part_def part;
        fr_object_def object = test_mesh_object(mesh, &part);
        object.pose.position = fr_vec3_make(0.0, 0.0, 5.0 * i);
        object.flags = i == BODIES + BOXES ? FR_OBJECT_STATIC : 0;
        fr_object_id *id = i < BODIES ? &r->bodies[i] : (i < BODIES + BOXES ? &r->boxes[i - BODIES] : &r->floor);
        assert_int_equal(fr_object_add(space, &object, id, NULL), FR_OK);
        if (i < BODIES) {
            assert_int_equal(fr_object_set_skin(space, *id, 0, skin, FR_SKIN_LINEAR, NULL), FR_OK);
            assert_int_equal(fr_object_set_bones(space, *id, r->bones, WALKER_BONES, NULL), FR_OK);
        }
    }
    fr_mesh_release(mesh);
    fr_skin_release(skin);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = r->world;
    assert_int_equal(fr_cast_create(&cast, &r->cast, NULL), FR_OK);
    fr_remote_def remote = fr_default_remote_def();
    remote.cast = r->cast;
    remote.silent_ticks = silent_ticks;
    if (allocator != NULL) { remote.allocator = *allocator; }
    fr_status status = fr_remote_create(&remote, &r->remote, NULL);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_remote_actor(r->remote);
    assert_int_equal(fr_cast_add(r->cast, &actor, NULL), FR_OK);
    return FR_OK;
}

static void begin(room *r) { assert_int_equal(make(r, NULL, 300), FR_OK); }

static void end(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
}

static double x_of(const room *r, fr_object_id id) {
    return fr_object_get(fr_world_space(r->world), id)->pose.position.x;
}

static void tick(room *r) { assert_int_equal(fr_cast_tick(r->cast, NULL, NULL), FR_OK); }

// An update of a body with some boxes, all at x; -1: no box.
static fr_status update(room *r, uint64_t holder, int body, int first, int second, double x, fr_remote_output *output,
                        fr_error *error) {
    fr_remote_place places[2];
    uint32_t count = 0;
    if (first >= 0) { places[count++].object = r->boxes[first]; }
    if (second >= 0) { places[count++].object = r->boxes[second]; }
    for (uint32_t i = 0; i < count; i++) {
        places[i].pose = fr_pose_make(fr_vec3_make(x, 0.0, 50.0 + 10.0 * (double)i), fr_quat_identity());
    }
    fr_remote_input input = {.holder = holder,
                             .name = holder == 1 ? "Ann" : "Bob",
                             .body = r->bodies[body],
                             .pose = fr_pose_make(fr_vec3_make(x, 0.0, 5.0 * body), fr_quat_identity()),
                             .bones = r->bones,
                             .bone_count = WALKER_BONES,
                             .objects = places,
                             .object_count = count};
    return fr_remote_update(r->remote, &input, output, error);
}

static void an_update_is_taken_whole(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_remote_output output;
    walker_bones(0, 7, WALKER_JOINTS, r.bones);
    assert_int_equal(update(&r, 1, 0, 0, 1, 3.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 0);
    assert_true(x_of(&r, r.bodies[0]) == 0.0);
    tick(&r);
    assert_true(x_of(&r, r.bodies[0]) == 3.0 && x_of(&r, r.boxes[0]) == 3.0 && x_of(&r, r.boxes[1]) == 3.0);
    const fr_object_view *view = fr_object_get(fr_world_space(r.world), r.bodies[0]);
    for (int i = 0; i < WALKER_BONES; i++) {
        assert_true(fr_vec3_distance(view->bones[i].position, r.bones[i].position) < 1e-12);
    }
    // Of two between ticks the newest counts.
    assert_int_equal(update(&r, 1, 0, 0, 1, 4.0, &output, NULL), FR_OK);
    assert_int_equal(update(&r, 1, 0, 0, 1, 5.0, &output, NULL), FR_OK);
    tick(&r);
    assert_true(x_of(&r, r.bodies[0]) == 5.0 && x_of(&r, r.boxes[1]) == 5.0);
    fr_remote_state now = fr_remote_get(r.remote);
    assert_int_equal(now.bodies, 1);
    assert_int_equal(now.leases, 2);
    assert_int_equal(now.updates, 3);
    end(&r);
}

// What an update leaves out stays where the update before it put it, also where no tick came between.
static void nothing_is_lost_that_is_let_go(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    room r;
    assert_int_equal(make(&r, &allocator, 1000), FR_OK);
    fr_remote_output output;
    assert_int_equal(update(&r, 1, 0, 0, 1, 3.0, &output, NULL), FR_OK);
    assert_int_equal(update(&r, 1, 0, 0, -1, 4.0, &output, NULL), FR_OK);
    tick(&r);
    assert_true(x_of(&r, r.bodies[0]) == 4.0 && x_of(&r, r.boxes[0]) == 4.0 && x_of(&r, r.boxes[1]) == 3.0);
    // Another takes it in the same tick: its place is the later one.
    assert_int_equal(update(&r, 1, 0, -1, -1, 6.0, &output, NULL), FR_OK);
    assert_int_equal(update(&r, 2, 1, 0, -1, 7.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 0);
    tick(&r);
    assert_true(x_of(&r, r.boxes[0]) == 7.0);
    // While time stands nothing moves and nothing is forgotten, however often it is taken and let go.
    fr_tick_input paused = fr_default_tick_input();
    paused.is_paused = true;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(update(&r, 1, 0, 2, -1, 8.0 + i, &output, NULL), FR_OK);
        assert_int_equal(update(&r, 1, 0, -1, -1, 8.5 + i, &output, NULL), FR_OK);
        assert_int_equal(fr_cast_tick(r.cast, &paused, NULL), FR_OK);
    }
    assert_true(x_of(&r, r.boxes[2]) == 0.0);
    assert_true(fr_probe_get(probe).live_bytes < 65536);
    fr_remote_leave(r.remote, 1);
    tick(&r);
    assert_true(x_of(&r, r.boxes[2]) == 207.0 && x_of(&r, r.bodies[0]) == 207.5);
    tick(&r);
    assert_true(x_of(&r, r.boxes[2]) == 207.0);
    end(&r);
    fr_probe_destroy(probe);
}

static void a_body_and_an_object_have_one_owner(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_remote_output output;
    fr_error error = {0};
    assert_int_equal(update(&r, 1, 0, 0, -1, 3.0, &output, NULL), FR_OK);
    assert_int_equal(update(&r, 2, 0, 1, -1, 4.0, &output, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "Ann holds it");
    assert_null(fr_cast_claim(r.cast, r.boxes[1]));
    // The object that another has is refused, and it alone.
    assert_int_equal(update(&r, 2, 1, 0, 1, 4.0, &output, &error), FR_OK);
    assert_int_equal(output.refusal_count, 1);
    assert_true(fr_object_id_equal(output.refusals[0].object, r.boxes[0]));
    assert_int_equal(output.refusals[0].status, FR_ERROR_BUSY);
    assert_string_equal(output.refusals[0].reason, "Ann holds it");
    tick(&r);
    assert_true(x_of(&r, r.boxes[0]) == 3.0 && x_of(&r, r.boxes[1]) == 4.0 && x_of(&r, r.bodies[1]) == 4.0);
    assert_int_equal(fr_cast_claim(r.cast, r.boxes[0])->rank, FR_RANK_PROGRAM);
    // A person goes before a program, and the object is the person's until it is let go.
    const fr_claim person = {r.boxes[0], FR_RANK_PERSON, 9, "Eve"};
    fr_pose hand = fr_pose_make(fr_vec3_make(100.0, 0.0, 0.0), fr_quat_identity());
    assert_int_equal(fr_cast_grab(r.cast, &person, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r.world, r.boxes[0], &hand, NULL), FR_OK);
    tick(&r);
    assert_int_equal(update(&r, 1, 0, 0, -1, 5.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 1);
    assert_string_equal(output.refusals[0].reason, "Eve holds it");
    tick(&r);
    assert_true(x_of(&r, r.boxes[0]) == 100.0 && x_of(&r, r.bodies[0]) == 5.0);
    assert_int_equal(fr_world_let_go(r.world, r.boxes[0], NULL), FR_OK);
    assert_int_equal(fr_cast_let_go(r.cast, r.boxes[0], 9, NULL), FR_OK);
    tick(&r);
    assert_int_equal(update(&r, 1, 0, 0, -1, 6.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 0);
    tick(&r);
    assert_true(x_of(&r, r.boxes[0]) == 6.0);
    // One that leaves leaves all.
    fr_remote_leave(r.remote, 1);
    assert_null(fr_cast_claim(r.cast, r.bodies[0]));
    assert_int_equal(update(&r, 2, 0, 0, -1, 7.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 0);
    tick(&r);
    assert_true(x_of(&r, r.bodies[0]) == 7.0 && x_of(&r, r.boxes[0]) == 7.0);
    end(&r);
}

// A program that leaves right after an update: its body comes with its bones.
static void the_last_update_is_taken_whole(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_remote_output output;
    const fr_object_view *view = fr_object_get(fr_world_space(r.world), r.bodies[0]);
    for (uint64_t i = 0; i < 4; i++) {
        walker_bones(0, 7 + i, WALKER_JOINTS, r.bones);
        assert_int_equal(update(&r, 1, 0, 0, -1, 3.0 + (double)i, &output, NULL), FR_OK);
        fr_remote_leave(r.remote, 1);
        assert_int_equal(fr_remote_get(r.remote).bodies, 0);
        // Another may take the body, and the object, before the tick.
        if (i == 2) { assert_int_equal(update(&r, 2, 0, -1, -1, 9.0, &output, NULL), FR_OK); }
        if (i == 3) { assert_int_equal(update(&r, 2, 1, 0, -1, 10.0, &output, NULL), FR_OK); }
        assert_int_equal(output.refusal_count, 0);
        tick(&r);
        assert_true(x_of(&r, r.boxes[0]) == (i == 3 ? 10.0 : 3.0 + (double)i));
        assert_true(x_of(&r, r.bodies[0]) == (i == 2 ? 9.0 : 3.0 + (double)i));
        for (int k = 0; k < WALKER_BONES; k++) {
            assert_true(fr_vec3_distance(view->bones[k].position, r.bones[k].position) < 1e-12);
        }
        if (i == 2) { fr_remote_leave(r.remote, 2); }
    }
    end(&r);
}

static void silence_ends_a_lease(void **state) {
    (void)state;
    room r;
    assert_int_equal(make(&r, NULL, 3), FR_OK);
    fr_remote_output output;
    assert_int_equal(update(&r, 1, 0, 0, -1, 3.0, &output, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        tick(&r);
        assert_int_equal(update(&r, 2, 0, 0, -1, 4.0, &output, NULL), FR_ERROR_BUSY);
    }
    tick(&r);
    assert_int_equal(fr_remote_get(r.remote).bodies, 0);
    assert_int_equal(update(&r, 2, 0, 0, -1, 4.0, &output, NULL), FR_OK);
    assert_int_equal(output.refusal_count, 0);
    // The scene begins again: nothing is held.
    assert_int_equal(fr_cast_begin(r.cast, NULL), FR_OK);
    assert_int_equal(fr_remote_get(r.remote).bodies, 0);
    assert_int_equal(update(&r, 1, 0, 0, -1, 5.0, &output, NULL), FR_OK);
    end(&r);
}

static void what_cannot_be_moved_is_refused(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_remote_output output;
    fr_error error = {0};
    fr_pose bones[WALKER_BONES];
    memcpy(bones, r.bones, sizeof bones);
    fr_remote_place places[3] = {
        {r.floor, fr_pose_identity()}, {r.boxes[0], fr_pose_identity()}, {{99, 0, 0}, fr_pose_identity()}};
    fr_remote_input input = {.holder = 1, .body = r.bodies[0], .pose = fr_pose_identity(), .bones = bones};
    input.bone_count = WALKER_BONES;
    input.objects = places;
    input.object_count = 3;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_OK);
    assert_int_equal(output.refusal_count, 2);
    assert_int_equal(output.refusals[0].status, FR_ERROR_UNSUPPORTED);
    assert_int_equal(output.refusals[1].status, FR_ERROR_STALE_ID);
    input.object_count = 2;
    places[1].pose.position.y = NAN;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_OK);
    assert_int_equal(output.refusal_count, 2);
    assert_int_equal(output.refusals[1].status, FR_ERROR_NOT_FINITE);
    tick(&r);
    // What refuses all.
    input.object_count = 0;
    input.bone_count--;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_ARGUMENT);
    input.bone_count++;
    bones[5].rotation.w = INFINITY;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_NOT_FINITE);
    bones[5] = r.bones[5];
    input.pose.position.x = 1e300;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_ARGUMENT);
    input.pose = fr_pose_identity();
    input.holder = 0;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_ARGUMENT);
    input.holder = 1;
    input.body = r.floor;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_UNSUPPORTED);
    input.body = (fr_object_id){77, 0, r.floor.space};
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_STALE_ID);
    input.body = r.bodies[0];
    places[1] = places[0] = (fr_remote_place){r.boxes[0], fr_pose_identity()};
    input.object_count = 2;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_ARGUMENT);
    input.object_count = FR_REMOTE_MAX_OBJECTS + 1;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, &error), FR_ERROR_LIMIT);
    // A body that goes between an update and the tick.
    assert_int_equal(update(&r, 1, 0, 0, -1, 2.0, &output, NULL), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.bodies[0], NULL), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.boxes[0], NULL), FR_OK);
    tick(&r);
    tick(&r);
    end(&r);
}

static void there_are_so_many_bodies_and_no_more(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_remote_output output;
    fr_remote_input input = {.holder = 1, .pose = fr_pose_identity()};
    // Updates without a body count as one.
    for (uint64_t i = 1; i <= FR_REMOTE_MAX_ALL_BODIES; i++) {
        input.holder = i;
        assert_int_equal(fr_remote_update(r.remote, &input, &output, NULL), FR_OK);
    }
    input.holder++;
    assert_int_equal(fr_remote_update(r.remote, &input, &output, NULL), FR_ERROR_LIMIT);
    fr_remote_leave(r.remote, 5);
    assert_int_equal(fr_remote_update(r.remote, &input, &output, NULL), FR_OK);
    end(&r);
}

static fr_status use(const fr_allocator *allocator, void *context) {
    (void)context;
    room r;
    fr_status status = make(&r, allocator, 300);
    fr_remote_output output;
    for (int i = 0; i < 4 && status == FR_OK; i++) {
        status = update(&r, 1, 0, i % 2 == 0 ? 0 : -1, 1, i, &output, NULL);
        if (status == FR_OK) { tick(&r); }
        if (i == 2) { fr_remote_leave(r.remote, 1); }
    }
    end(&r);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    test_every_failure(use, NULL);
    test_every_bound(use, NULL, true);
}

static void a_warm_update_takes_no_memory(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    room r;
    assert_int_equal(make(&r, &allocator, 300), FR_OK);
    fr_remote_output output;
    uint64_t before = 0;
    for (int i = 0; i < 50; i++) {
        if (i == 10) { before = fr_probe_get(probe).allocations; }
        assert_int_equal(update(&r, 1, 0, i % 2 == 0 ? 0 : -1, i % 3 == 0 ? 1 : -1, i, &output, NULL), FR_OK);
        tick(&r);
    }
    assert_int_equal(fr_probe_get(probe).allocations, before);
    end(&r);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_update_is_taken_whole),
        cmocka_unit_test(nothing_is_lost_that_is_let_go),
        cmocka_unit_test(a_body_and_an_object_have_one_owner),
        cmocka_unit_test(the_last_update_is_taken_whole),
        cmocka_unit_test(silence_ends_a_lease),
        cmocka_unit_test(what_cannot_be_moved_is_refused),
        cmocka_unit_test(there_are_so_many_bodies_and_no_more),
        cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(a_warm_update_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
