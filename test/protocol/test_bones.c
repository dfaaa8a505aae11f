// Bodies with bones in messages: turns in 48 bits, skins in pieces, bones of what changed alone, in mirrors of one who
// watched from the beginning and of one who came last.
#include "failing.h"
#include "mesh_object.h"
#include "sample.h"
#include "walking_body.h"

#include "protocol/bones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BONES WALKER_BONES
#define HEAD 20 // bytes of a message of bones before the first body

static double angle_between(fr_quat a, fr_quat b) {
    fr_quat d = fr_quat_multiply(fr_quat_conjugate(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static fr_quat random_turn(fr_random *random) {
    double n[4], length = 0.0;
    while (length < 0.1) {
        length = 0.0;
        for (int i = 0; i < 4; i++) {
            n[i] = fr_random_between(random, -1, 1);
            length += n[i] * n[i];
        }
    }
    length = sqrt(length);
    return (fr_quat){n[0] / length, n[1] / length, n[2] / length, n[3] / length};
}

// Random ones, and the worst places: where several numbers are as large as the largest.
static void turns_are_right_within_a_tenth_of_a_milliradian(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    double worst = 0.0;
    for (int i = 0; i < 400000; i++) {
        fr_quat q = random_turn(&random);
        if (i % 4 == 1) { q = fr_quat_from_vector(fr_vec3_scale(0.01, fr_vec3_make(q.x, q.y, q.z))); }
        if (i % 4 == 2) {
            double s = 1e-4, a = 0.5 + s * q.w, b = 0.5 + s * q.x, c = -0.5 + s * q.y, d = 0.5 + s * q.z;
            double length = sqrt(a * a + b * b + c * c + d * d);
            q = (fr_quat){a / length, b / length, c / length, d / length};
        }
        uint64_t packed = fr_protocol_pack_turn(q);
        assert_true(packed < UINT64_C(1) << 48);
        fr_quat back = fr_protocol_unpack_turn(packed);
        assert_true(angle_between(back, fr_protocol_unpack_turn(fr_protocol_pack_turn(back))) < 1e-7);
        worst = fmax(worst, angle_between(q, back));
    }
    print_message("largest error of a turn: %.3g rad\n", worst);
    assert_true(worst > 1e-5 && worst < 1e-4);
    for (int axis = 0; axis < 3; axis++) {
        fr_vec3 about = {axis == 0, axis == 1, axis == 2};
        for (int quarter = 0; quarter < 4; quarter++) {
            fr_quat q = fr_quat_from_axis_angle(about, 0.5 * FR_PI * quarter);
            assert_true(angle_between(q, fr_protocol_unpack_turn(fr_protocol_pack_turn(q))) < 1e-12);
        }
    }
    // Any 48 bits are a turn.
    for (int i = 0; i < 1000; i++) {
        fr_quat q = fr_protocol_unpack_turn(fr_random_bits(&random) >> 16);
        assert_true(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-12);
    }
}

// A chain in any order, a cycle and a parent that is none: bounded, and what hangs together is together.
static void bones_hang_together_in_any_order(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    for (int round = 0; round < 200; round++) {
        uint32_t parents[BONES], stack[BONES];
        fr_pose local[BONES], placed[BONES];
        for (uint32_t i = 0; i < BONES; i++) {
            parents[i] = round % 2 == 0 ? (uint32_t)fr_random_below(&random, BONES + 2) : i + 1;
            local[i] = fr_pose_make(fr_vec3_make(0, 0.1, 0), random_turn(&random));
        }
        fr__bones_place(parents, local, BONES, stack, placed);
        for (uint32_t i = 0; i < BONES; i++) {
            assert_true(placed[i].scale == 1.0);
            if (round % 2 == 0 || parents[i] >= BONES) { continue; }
            fr_pose above = fr_pose_inverse(&placed[parents[i]]), back = fr_pose_compose(&above, &placed[i]);
            assert_true(angle_between(back.rotation, local[i].rotation) < 1e-6);
            assert_true(fr_vec3_distance(back.position, local[i].position) < 1e-12);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A served body

typedef struct body {
    fr_world *world;
    fr_object_id id;
    fr_mesh *mesh;
    fr_skin *skin;
    fr_random random;
    fr_pose bones[BONES];
    uint32_t moving; // bones that turn in each tick
    bool is_still;
    fr_encoder *encoder;
    fr_array bytes;
} body;

// Turns `moving` joints a little and places all bones; the body itself goes on.
static fr_status walk(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    body *b = user;
    if (b->is_still) { return FR_OK; }
    static fr_pose local[BONES];
    uint32_t stack[BONES];
    for (uint32_t i = 0; i < BONES; i++) {
        if (proposal->tick == 0) { local[i] = fr_pose_make(fr_vec3_make(0, 0.1 + 0.01 * i, 0), fr_quat_identity()); }
        if (i < b->moving) { local[i].rotation = random_turn(&b->random); }
    }
    fr__bones_place(fr_skin_get(b->skin)->parents, local, BONES, stack, b->bones);
    fr_wish wish = {.object = b->id, .kind = FR_WISH_NEXT, .pose = fr_object_get(proposal->space, b->id)->pose};
    wish.pose.position.x += 0.013;
    wish.pose.rotation = random_turn(&b->random);
    fr_status status = fr_wishes_add(wishes, &wish, error);
    return status == FR_OK ? fr_wishes_bones(wishes, b->id, b->bones, BONES, error) : status;
}

static void open_body(body *b, uint32_t moving) {
    memset(b, 0, sizeof *b);
    fr_world_def def = fr_default_world_def();
    assert_int_equal(fr_world_create(&def, &b->world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere_360", NULL, &b->mesh, NULL), FR_OK);
    b->skin = walker_skin(b->mesh);
    fr_part_def part;
    fr_object_def object = test_mesh_object(b->mesh, &part);
    object.flags = FR_OBJECT_GHOST;
    fr_space *space = fr_world_space(b->world);
    assert_int_equal(fr_object_add(space, &object, &b->id, NULL), FR_OK);
    assert_int_equal(fr_object_set_skin(space, b->id, 0, b->skin, FR_SKIN_LINEAR, NULL), FR_OK);
    b->random = fr_random_seed(7);
    b->moving = moving;
    fr_corrector mover = {"walk", walk, b};
    assert_int_equal(fr_world_add_mover(b->world, &mover, NULL), FR_OK);
    assert_int_equal(fr_encoder_create(NULL, &b->encoder, NULL), FR_OK);
    b->bytes = fr_array_make(1, NULL);
}

static void close_body(body *b) {
    fr_world_destroy(b->world);
    fr_skin_release(b->skin);
    fr_mesh_release(b->mesh);
    fr_encoder_destroy(b->encoder);
    fr_array_destroy(&b->bytes);
}

static fr_mirror *make_mirror(void) {
    fr_mirror_def def = fr_default_mirror_def();
    fr_mirror *mirror;
    assert_int_equal(fr_mirror_create(&def, &mirror, NULL), FR_OK);
    return mirror;
}

static uint32_t number_one(const fr_mesh *mesh, const fr_skin *skin, void *user) {
    (void)mesh, (void)skin, (void)user;
    return 1;
}

static void feed(fr_mirror *mirror, body *b) {
    fr_error error = {0};
    if (fr_mirror_feed(mirror, b->bytes.data, b->bytes.count, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static void introduce(fr_mirror *mirror, body *b) {
    b->bytes.count = 0;
    fr_mesh_transfer mesh = {.mesh = b->mesh, .number = 1, .skin = b->skin};
    while (!fr_mesh_transfer_is_done(&mesh)) {
        assert_int_equal(fr_protocol_encode_mesh_piece(b->encoder, &mesh, &b->bytes, NULL), FR_OK);
    }
    fr_protocol_object object = {.space = fr_world_space(b->world), .id = b->id, .mesh_number = number_one};
    assert_int_equal(fr_protocol_encode_object(b->encoder, &object, &b->bytes, NULL), FR_OK);
    feed(mirror, b);
}

static size_t send(fr_mirror *mirror, body *b, const fr_snapshot *now, const fr_snapshot *before) {
    b->bytes.count = 0;
    assert_int_equal(fr_protocol_encode_state(b->encoder, now, before, &b->bytes, NULL), FR_OK);
    size_t state = b->bytes.count;
    assert_int_equal(fr_protocol_encode_bones(b->encoder, fr_world_space(b->world), now, before, &b->bytes, NULL),
                     FR_OK);
    feed(mirror, b);
    return b->bytes.count - state;
}

static void mirrors_have_the_bones(void **state) {
    (void)state;
    static body b;
    open_body(&b, 15);
    fr_mirror *first = make_mirror(), *last = make_mirror();
    introduce(first, &b);
    const fr_mirror_mesh *mesh = fr_mirror_mesh_of(first, 1);
    assert_true(mesh->is_whole && mesh->bone_count == BONES && mesh->influence_count == 4);
    assert_memory_equal(mesh->parents, fr_skin_get(b.skin)->parents, BONES * sizeof *mesh->parents);
    const fr_snapshot *before = NULL;
    size_t most = 0;
    for (int tick = 0; tick < 20; tick++) {
        assert_int_equal(fr_world_tick(b.world, NULL, NULL), FR_OK);
        const fr_snapshot *now = fr_world_snapshot(b.world);
        size_t bytes = send(first, &b, now, before);
        if (before != NULL && bytes > most) { most = bytes; }
        const fr_mirror_object *object = fr_mirror_object_of(first, b.id.index1);
        assert_int_equal(object->bone_count, BONES);
        assert_true(fr_vec3_equal(object->pose.position, now->objects[0].pose.position));
        assert_true(angle_between(object->pose.rotation, now->objects[0].pose.rotation) < 1e-4);
        for (uint32_t i = 0; i < BONES; i++) { // up to six joints above one another
            assert_true(angle_between(object->bones[i].rotation, now->objects[0].bones[i].rotation) < 6e-4);
            assert_true(fr_vec3_distance(object->bones[i].position, now->objects[0].bones[i].position) < 1e-3);
        }
        fr_snapshot_release(before);
        before = now;
    }
    print_message("15 of %d joints and the place: at most %zu bytes with the head of the message\n", BONES, most);
    assert_true(most <= HEAD + 130);
    introduce(last, &b);
    (void)send(last, &b, before, NULL);
    assert_true(fr_mirror_hash(first) == fr_mirror_hash(last));

    // What stands is not sent again.
    b.is_still = true;
    assert_int_equal(fr_world_tick(b.world, NULL, NULL), FR_OK);
    const fr_snapshot *now = fr_world_snapshot(b.world);
    assert_int_equal(send(first, &b, now, before), 0);
    fr_snapshot_release(before);
    fr_snapshot_release(now);
    fr_mirror_destroy(first);
    fr_mirror_destroy(last);
    close_body(&b);
}

static void all_joints_are_at_most_300_bytes(void **state) {
    (void)state;
    static body b;
    open_body(&b, BONES);
    fr_mirror *mirror = make_mirror();
    introduce(mirror, &b);
    const fr_snapshot *snapshots[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fr_world_tick(b.world, NULL, NULL), FR_OK);
        snapshots[i] = fr_world_snapshot(b.world);
    }
    (void)send(mirror, &b, snapshots[0], NULL);
    size_t bytes = send(mirror, &b, snapshots[1], snapshots[0]);
    print_message("%d joints and the place: %zu bytes with the head of the message\n", BONES, bytes);
    assert_true(bytes <= HEAD + 300);
    fr_snapshot_release(snapshots[0]);
    fr_snapshot_release(snapshots[1]);
    fr_mirror_destroy(mirror);
    close_body(&b);
}

// Spoilt bytes of bones are a status or passed over, and change nothing that they do not name.
static void spoilt_bones_do_no_harm(void **state) {
    (void)state;
    static body b;
    open_body(&b, 15);
    fr_mirror *mirror = make_mirror();
    introduce(mirror, &b);
    assert_int_equal(fr_world_tick(b.world, NULL, NULL), FR_OK);
    const fr_snapshot *now = fr_world_snapshot(b.world);
    (void)send(mirror, &b, now, NULL);
    fr_random random = fr_random_seed(4);
    fr_array copy = fr_array_make(1, NULL);
    unsigned char *bytes = fr_array_push(&copy, b.bytes.count);
    for (int i = 0; i < 3000; i++) {
        memcpy(bytes, b.bytes.data, b.bytes.count);
        for (uint64_t k = fr_random_below(&random, 4); k < 4; k++) {
            bytes[fr_random_below(&random, b.bytes.count)] = (unsigned char)fr_random_bits(&random);
        }
        (void)fr_mirror_feed(mirror, bytes, b.bytes.count, NULL);
        const fr_mirror_object *object = fr_mirror_object_of(mirror, b.id.index1);
        for (uint32_t k = 0; object != NULL && k < object->bone_count; k++) {
            assert_true(object->bones[k].scale > 0.0);
        }
    }
    // The first bones of an object must be all of them.
    fr_mirror *fresh = make_mirror();
    introduce(fresh, &b);
    unsigned char root[32] = {1, [25] = 6}; // body 1 at the origin, with its turn alone
    fr_message message = {.type = FR_MESSAGE_BONES};
    message.as.bones = (fr_message_bones){1, root, sizeof root};
    b.bytes.count = 0;
    sample_write(&message, &b.bytes);
    feed(fresh, &b);
    assert_null(fr_mirror_object_of(fresh, b.id.index1)->bones);
    root[25] = 5;
    message.as.bones.byte_count = 31;
    b.bytes.count = 0;
    sample_write(&message, &b.bytes);
    assert_int_equal(fr_mirror_feed(fresh, b.bytes.data, b.bytes.count, NULL), FR_ERROR_CORRUPT);
    fr_array_destroy(&copy);
    fr_snapshot_release(now);
    fr_mirror_destroy(mirror);
    fr_mirror_destroy(fresh);
    close_body(&b);
}

// What is encoded of a body, and what a mirror makes of it.
static fr_status encode_and_feed(const fr_allocator *allocator, void *context) {
    body *b = context;
    const fr_snapshot *now = fr_world_snapshot(b->world);
    fr_encoder *encoder = NULL;
    fr_mirror *mirror = NULL;
    fr_mirror_def def = fr_default_mirror_def();
    def.allocator = *allocator;
    fr_array out = fr_array_make(1, allocator);
    fr_mesh_transfer mesh = {.mesh = b->mesh, .number = 1, .skin = b->skin};
    fr_protocol_object object = {.space = fr_world_space(b->world), .id = b->id, .mesh_number = number_one};
    fr_status status = fr_encoder_create(allocator, &encoder, NULL);
    if (status == FR_OK) { status = fr_mirror_create(&def, &mirror, NULL); }
    while (status == FR_OK && !fr_mesh_transfer_is_done(&mesh)) {
        status = fr_protocol_encode_mesh_piece(encoder, &mesh, &out, NULL);
    }
    if (status == FR_OK) { status = fr_protocol_encode_object(encoder, &object, &out, NULL); }
    if (status == FR_OK) { status = fr_protocol_encode_state(encoder, now, NULL, &out, NULL); }
    if (status == FR_OK) { status = fr_protocol_encode_bones(encoder, object.space, now, NULL, &out, NULL); }
    if (status == FR_OK) { status = fr_mirror_feed(mirror, out.data, out.count, NULL); }
    if (status == FR_OK) { test_note_number(fr_mirror_hash(mirror)); }
    fr_array_destroy(&out);
    fr_mirror_destroy(mirror);
    fr_encoder_destroy(encoder);
    fr_snapshot_release(now);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    static body b;
    open_body(&b, 15);
    assert_int_equal(fr_world_tick(b.world, NULL, NULL), FR_OK);
    assert_true(test_every_failure(encode_and_feed, &b) > 10);
    close_body(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_right_within_a_tenth_of_a_milliradian),
        cmocka_unit_test(bones_hang_together_in_any_order),
        cmocka_unit_test(mirrors_have_the_bones),
        cmocka_unit_test(all_joints_are_at_most_300_bytes),
        cmocka_unit_test(spoilt_bones_do_no_harm),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
