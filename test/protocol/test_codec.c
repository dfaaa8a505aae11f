// Each check of the codec, on the way out and on the way in: what a writer refuses a reader refuses too.
#include "protocol/codec.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void expect_refused(const fr_message *message, fr_status expected, const char *text) {
    fr_array out = fr_array_make(1, NULL);
    assert_non_null(fr_array_push(&out, 3));
    fr_error error = {0};
    assert_int_equal(fr_protocol_write(message, &out, &error), expected);
    assert_int_equal(out.count, 3);
    assert_string_equal(error.message, text);
    fr_array_destroy(&out);
}

// Writes a message, puts other bytes in at a place of its payload, and reads that.
static void expect_unread(const fr_message *message, size_t at, const void *bytes, size_t size, fr_status expected,
                          const char *text) {
    fr_array out = fr_array_make(1, NULL);
    sample_write(message, &out);
    assert_true(FR_PROTOCOL_HEADER_BYTES + at + size <= out.count);
    memcpy((unsigned char *)out.data + FR_PROTOCOL_HEADER_BYTES + at, bytes, size);
    fr_packet packet = {message->type, (uint32_t)(out.count - FR_PROTOCOL_HEADER_BYTES),
                        (unsigned char *)out.data + FR_PROTOCOL_HEADER_BYTES};
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    fr_message back = {.type = FR_MESSAGE_WANTS};
    fr_error error = {0};
    assert_int_equal(fr_protocol_read(&packet, arena, &back, &error), expected);
    assert_string_equal(error.message, text);
    assert_int_equal(back.type, FR_MESSAGE_WANTS);
    fr_arena_destroy(arena);
    fr_array_destroy(&out);
}

static fr_message set_state(double value, const char *name) {
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state = (fr_message_set_state){1, {2, 3}, name, value};
    return message;
}

static void numbers_are_finite(void **state) {
    (void)state;
    static const char text[] = "set_state.value: a number is not finite";
    fr_message message = set_state(INFINITY, "x");
    expect_refused(&message, FR_ERROR_NOT_FINITE, text);
    message = set_state(NAN, "x");
    expect_refused(&message, FR_ERROR_NOT_FINITE, text);
    message = set_state(0, "x");
    expect_unread(&message, 17, "\0\0\0\0\0\0\xF0\x7F", 8, FR_ERROR_NOT_FINITE, text);
    expect_unread(&message, 17, "\1\0\0\0\0\0\xF0\xFF", 8, FR_ERROR_NOT_FINITE, text);

    message = (fr_message){.type = FR_MESSAGE_STATS};
    expect_unread(&message, 8, "\0\0\x80\x7F", 4, FR_ERROR_NOT_FINITE, "stats.ms_movers: a number is not finite");
    message.as.stats.ms_total = -INFINITY;
    expect_refused(&message, FR_ERROR_NOT_FINITE, "stats.ms_total: a number is not finite");

    float xyz[] = {0, NAN, 0};
    message = (fr_message){.type = FR_MESSAGE_VERTICES};
    message.as.vertices = (fr_message_vertices){{1, 0}, 0, xyz, 3};
    expect_refused(&message, FR_ERROR_NOT_FINITE, "vertices.xyz: a number is not finite");
    xyz[1] = 0;
    expect_unread(&message, 24, "\0\0\xC0\x7F", 4, FR_ERROR_NOT_FINITE, "vertices.xyz: a number is not finite");
}

static void counts_are_below_two_to_the_53(void **state) {
    (void)state;
    static const char text[] = "stats.tested: a count is not below 2^53";
    fr_message message = {.type = FR_MESSAGE_STATS};
    message.as.stats.tested = UINT64_C(1) << 53;
    expect_refused(&message, FR_ERROR_LIMIT, text);
    message.as.stats.tested--;
    expect_unread(&message, 64, "\0\0\0\0\0\0\x20\0", 8, FR_ERROR_LIMIT, text);
}

static void numbers_keep_to_their_range(void **state) {
    (void)state;
    fr_message message = {.type = FR_MESSAGE_PLAY};
    message.as.play.mode = 4;
    expect_refused(&message, FR_ERROR_LIMIT, "play.mode: 4 is more than 3");
    message.as.play.mode = 3;
    expect_unread(&message, 4, "\xFF", 1, FR_ERROR_LIMIT, "play.mode: 255 is more than 3");
    message = (fr_message){.type = FR_MESSAGE_WANTS};
    message.as.wants.wants = 256;
    expect_refused(&message, FR_ERROR_LIMIT, "wants.wants: 256 is more than 255");
}

static void texts_are_utf8_without_a_zero(void **state) {
    (void)state;
    static const char text[] = "set_state.name: a text is not UTF-8";
    fr_message message = set_state(0, "a\xFF");
    expect_refused(&message, FR_ERROR_SYNTAX, text);
    message = set_state(0, "\xC0\x80");
    expect_refused(&message, FR_ERROR_SYNTAX, text);
    message = set_state(0, "abc");
    expect_unread(&message, 16, "\0", 1, FR_ERROR_SYNTAX, text);
    expect_unread(&message, 18, "\xE3", 1, FR_ERROR_SYNTAX, text);
    expect_unread(&message, 16, "\xED\xA0\x80", 3, FR_ERROR_SYNTAX, text);
    expect_unread(&message, 12, "\xFF\xFF\xFF\xFF", 4, FR_ERROR_SYNTAX, "set_state.name: the message ends inside it");
}

static void counts_are_multiples_and_there(void **state) {
    (void)state;
    float xyz[6] = {0};
    fr_message message = {.type = FR_MESSAGE_MESH_VERTICES};
    message.as.mesh_vertices = (fr_message_mesh_vertices){1, 0, xyz, 4};
    expect_refused(&message, FR_ERROR_SYNTAX, "mesh_vertices.xyz: a count of 4 is no multiple of 3");
    message.as.mesh_vertices.xyz_count = 6;
    expect_unread(&message, 8, "\7", 1, FR_ERROR_SYNTAX, "mesh_vertices.xyz: a count of 7 is no multiple of 3");
    expect_unread(&message, 8, "\x09", 1, FR_ERROR_SYNTAX, "mesh_vertices.xyz: the message ends inside it");
    expect_unread(&message, 8, "\xFF\xFF\xFF\xFF", 4, FR_ERROR_SYNTAX, "mesh_vertices.xyz: the message ends inside it");
    expect_unread(&message, 8, "\3", 1, FR_ERROR_SYNTAX, "mesh_vertices: 12 bytes too many");
}

static fr_message move(fr_pose raw) {
    fr_message message = {.type = FR_MESSAGE_MOVE};
    message.as.move = (fr_message_move){{1, 0}, 1, raw};
    return message;
}

static void poses_are_those_that_fr_pose_check_takes(void **state) {
    (void)state;
    fr_pose pose = fr_pose_identity();
    pose.rotation.w = 1.02;
    fr_message message = move(pose);
    expect_refused(&message, FR_ERROR_ARGUMENT, "move.raw: a rotation's quaternion has length 1.02 instead of 1");
    pose = fr_pose_identity();
    pose.scale = 0;
    message = move(pose);
    expect_refused(&message, FR_ERROR_ARGUMENT, "move.raw: a scale is 0 instead of 2^-100 .. 2^100");
    pose = fr_pose_identity();
    pose.position.y = 0x1p+301;
    message = move(pose);
    expect_refused(&message, FR_ERROR_ARGUMENT, "move.raw: a position is farther away than 2^300");

    message = move(fr_pose_identity());
    expect_unread(&message, 12, "\0\0\0\0\0\0\0\0", 8, FR_ERROR_ARGUMENT,
                  "move.raw: a rotation's quaternion has length 0 instead of 1");
    expect_unread(&message, 20, "\0\0\0\0\0\0\xF8\x7F", 8, FR_ERROR_NOT_FINITE, "move.raw: a number is not finite");
}

// In an array each is checked.
static void poses_in_an_array_are_checked_too(void **state) {
    (void)state;
    fr_pose bones[3] = {fr_pose_identity(), fr_pose_identity(), fr_pose_identity()};
    fr_message message = {.type = FR_MESSAGE_UPDATE};
    message.as.update = (fr_message_update){.pose = fr_pose_identity(), .bones = bones, .bone_count = 3};
    // Sequence, body, pose and count come before the bones.
    expect_unread(&message, 4 + 8 + 64 + 4 + 128, "\0\0\0\0\0\0\0\0", 8, FR_ERROR_ARGUMENT,
                  "update.bones: a rotation's quaternion has length 0 instead of 1");
    bones[1].rotation.w = 0.5;
    expect_refused(&message, FR_ERROR_ARGUMENT, "update.bones: a rotation's quaternion has length 0.5 instead of 1");
}

// The bits of a pose come through as they are: whoever uses it makes it unit.
static void poses_keep_their_bits(void **state) {
    (void)state;
    fr_pose pose = {{1.004, 0, -0.0, 0.001}, {1, -0.0, 3}, 1};
    fr_message message = move(pose), back;
    fr_array out = fr_array_make(1, NULL);
    sample_write(&message, &out);
    fr_packet packet = {FR_MESSAGE_MOVE, (uint32_t)out.count - 8, (unsigned char *)out.data + 8};
    assert_int_equal(fr_protocol_read(&packet, NULL, &back, NULL), FR_OK);
    assert_memory_equal(&back.as.move.raw, &pose, sizeof pose);
    fr_array_destroy(&out);
}

static void images_have_all_their_pixels(void **state) {
    (void)state;
    static const char text[] = "draw.images: an image has not width * height pixels";
    static const uint8_t pixels[24] = {0};
    fr_wire_image image = {.id = "x", .width = 3, .height = 2, .rgba = pixels, .rgba_count = 20};
    fr_message message = {.type = FR_MESSAGE_DRAW};
    message.as.draw.images = &image;
    message.as.draw.image_count = 1;
    expect_refused(&message, FR_ERROR_SYNTAX, text);
    image.width = image.height = 0x80000002u; // whose product is 4 in 32 bits
    image.rgba_count = 16;
    expect_refused(&message, FR_ERROR_SYNTAX, text);
    image.width = 3;
    image.height = 2;
    image.rgba_count = 24;
    expect_unread(&message, 4 + 4 + 8 + 5 * 4 + 4 + 5, "\4", 1, FR_ERROR_SYNTAX, text);
}

static void messages_have_a_largest_size(void **state) {
    (void)state;
    static const uint8_t pixel[4] = {0};
    fr_wire_image image = {.width = 1u << 14, .height = (1u << 12) + 1, .rgba = pixel};
    image.rgba_count = 4 * image.width * image.height; // so many that none is looked at
    fr_message message = {.type = FR_MESSAGE_DRAW};
    message.as.draw.images = &image;
    message.as.draw.image_count = 1;
    expect_refused(&message, FR_ERROR_LIMIT, "draw.images: it does not fit a message");
}

// Counts the numbers of a struct that is a run of them; false where it is none.
static bool count_run(const fr_protocol_struct *layout, fr_protocol_kind *kind, size_t *count, size_t *bytes) {
    static const size_t sizes[] = {1, 4, 8, 8, 4, 8};
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const fr_protocol_field *field = &layout->fields[i];
        const fr_protocol_struct *inner = fr_protocol_struct_of(field->kind);
        if (field->is_array || field->is_limited || field->kind == FR_KIND_TEXT) { return false; }
        if (inner != NULL) {
            if (!count_run(inner, kind, count, bytes)) { return false; }
            continue;
        }
        if (*count > 0 && field->kind != *kind) { return false; }
        *kind = field->kind;
        *count += 1;
        *bytes += sizes[field->kind];
    }
    return true;
}

// The list of runs is that of the description, and a struct that is a field by itself is a run.
static void runs_are_those_of_the_description(void **state) {
    (void)state;
    for (int i = 0; i < FR_KIND_COUNT; i++) {
        const fr_protocol_struct *layout = fr_protocol_struct_of((fr_protocol_kind)i);
        fr__wire_run run = fr__wire_run_of((fr_protocol_kind)i);
        fr_protocol_kind kind = FR_KIND_U8;
        size_t count = 0, bytes = 0;
        if (layout == NULL || !count_run(layout, &kind, &count, &bytes)) { count = 0; }
        assert_int_equal(run.count, count);
        if (count > 0) { assert_true(run.kind == kind && layout->c_bytes == bytes); }
        for (uint32_t k = 0; layout != NULL && k < layout->field_count; k++) {
            const fr_protocol_field *field = &layout->fields[k];
            bool is_alone = !field->is_array && fr_protocol_struct_of(field->kind) != NULL;
            assert_true(!is_alone || fr__wire_run_of(field->kind).count > 0);
        }
    }
    const fr_protocol_message *message;
    for (size_t i = 0; (message = fr_protocol_message_at(i)) != NULL; i++) {
        for (uint32_t k = 0; k < message->layout.field_count; k++) {
            const fr_protocol_field *field = &message->layout.fields[k];
            bool is_alone = !field->is_array && fr_protocol_struct_of(field->kind) != NULL;
            assert_true(!is_alone || fr__wire_run_of(field->kind).count > 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_those_of_the_description),
        cmocka_unit_test(numbers_are_finite),
        cmocka_unit_test(counts_are_below_two_to_the_53),
        cmocka_unit_test(numbers_keep_to_their_range),
        cmocka_unit_test(texts_are_utf8_without_a_zero),
        cmocka_unit_test(counts_are_multiples_and_there),
        cmocka_unit_test(poses_are_those_that_fr_pose_check_takes),
        cmocka_unit_test(poses_in_an_array_are_checked_too),
        cmocka_unit_test(poses_keep_their_bits),
        cmocka_unit_test(images_have_all_their_pixels),
        cmocka_unit_test(messages_have_a_largest_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
