// Messages to bytes and back.
#include "failing.h"
#include "heap_calls.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static fr_arena *make_arena(void) {
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    return arena;
}

// Reads the one message of some bytes for its own side.
static fr_status read_one(const void *bytes, size_t size, fr_arena *arena, fr_message *out, fr_error *error) {
    const unsigned char *header = bytes;
    const fr_protocol_message *described =
        size >= 2 ? fr_protocol_message_of((uint32_t)(header[0] | header[1] << 8)) : NULL;
    fr_frame frame = {bytes, size, 0, described != NULL ? described->reader : FR_READER_SERVER};
    fr_packet packet;
    fr_status status;
    if (!fr_frame_next(&frame, &packet, &status, error)) { return status == FR_OK ? FR_ERROR_SYNTAX : status; }
    status = fr_protocol_read(&packet, arena, out, error);
    return status == FR_OK && frame.at != size ? FR_ERROR_SYNTAX : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void bytes_are_little_endian_and_packed(void **state) {
    (void)state;
    fr_message message = {.type = FR_MESSAGE_SET_STATE};
    message.as.set_state = (fr_message_set_state){0x01020304u, {5, 6}, "op", 1.5};
    static const unsigned char expected[] = {8, 0, 0, 0, 26, 0, 0,    0,                                     //
                                             4, 3, 2, 1, 5,  0, 0,    0,   6, 0, 0, 0, 2, 0, 0, 0, 'o', 'p', //
                                             0, 0, 0, 0, 0,  0, 0xF8, 0x3F};
    fr_array out = fr_array_make(1, NULL);
    sample_write(&message, &out);
    assert_int_equal(out.count, sizeof expected);
    assert_memory_equal(out.data, expected, sizeof expected);
    fr_array_destroy(&out);
}

static void null_texts_are_written_empty(void **state) {
    (void)state;
    fr_message message = {.type = FR_MESSAGE_HELLO};
    message.as.hello.version = FR_PROTOCOL_VERSION;
    fr_array out = fr_array_make(1, NULL);
    sample_write(&message, &out);
    fr_arena *arena = make_arena();
    fr_message back;
    assert_int_equal(read_one(out.data, out.count, arena, &back, NULL), FR_OK);
    assert_string_equal(back.as.hello.name, "");
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
}

static void what_is_read_is_what_was_written(void **state) {
    (void)state;
    static const fr_wire_part parts[] = {{3, {{1, 0, 0, 0}, {1, 2, 3}, 2}}, {4, {{0, 1, 0, 0}, {0, 0, 0}, 1}}};
    fr_message message = {.type = FR_MESSAGE_OBJECT};
    message.as.object = (fr_message_object){.object = {7, 9},
                                            .name = "机",
                                            .color = {1, 2, 3, 4},
                                            .flags = 5,
                                            .parts = parts,
                                            .part_count = 2,
                                            .pose = fr_pose_identity()};
    fr_array out = fr_array_make(1, NULL);
    sample_write(&message, &out);
    fr_arena *arena = make_arena();
    fr_message back;
    assert_int_equal(read_one(out.data, out.count, arena, &back, NULL), FR_OK);
    const fr_message_object *object = &back.as.object;
    assert_int_equal(back.type, FR_MESSAGE_OBJECT);
    assert_true(object->object.index1 == 7 && object->object.generation == 9 && object->flags == 5);
    assert_string_equal(object->name, "机");
    assert_memory_equal(&object->color, &message.as.object.color, sizeof object->color);
    assert_int_equal(object->part_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(object->parts[i].mesh, parts[i].mesh);
        assert_memory_equal(&object->parts[i].pose, &parts[i].pose, sizeof parts[i].pose);
    }
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
}

// Reading what was written and writing it again gives the same bytes: every type, many values.
static void every_message_round_trips(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    fr_arena *arena = make_arena();
    fr_array first = fr_array_make(1, NULL), again = fr_array_make(1, NULL);
    const fr_protocol_message *described;
    for (size_t i = 0; (described = fr_protocol_message_at(i)) != NULL; i++) {
        for (int trial = 0; trial < 100; trial++) {
            fr_arena_reset(arena);
            first.count = again.count = 0;
            fr_message message = sample_message(described, &random, arena), back;
            sample_write(&message, &first);
            assert_int_equal(read_one(first.data, first.count, arena, &back, NULL), FR_OK);
            assert_int_equal(back.type, described->type);
            sample_write(&back, &again);
            assert_int_equal(first.count, again.count);
            assert_memory_equal(first.data, again.data, first.count);
        }
    }
    fr_array_destroy(&first);
    fr_array_destroy(&again);
    fr_arena_destroy(arena);
}

static void a_frame_holds_messages_one_after_another(void **state) {
    (void)state;
    fr_array out = fr_array_make(1, NULL);
    for (uint64_t token = 0; token < 3; token++) {
        fr_message ping = {.type = FR_MESSAGE_PING};
        ping.as.ping.token = token;
        sample_write(&ping, &out);
    }
    fr_frame frame = {out.data, out.count, 0, FR_READER_SERVER};
    fr_packet packet;
    fr_status status;
    fr_message message;
    for (uint64_t token = 0; token < 3; token++) {
        assert_true(fr_frame_next(&frame, &packet, &status, NULL));
        assert_int_equal(packet.payload_bytes, 8);
        assert_int_equal(fr_protocol_read(&packet, NULL, &message, NULL), FR_OK);
        assert_true(message.as.ping.token == token);
    }
    assert_false(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(status, FR_OK);
    fr_array_destroy(&out);
}

// ---------------------------------------------------------------------------------------------------------------
// What is refused

static void headers_are_checked(void **state) {
    (void)state;
    static const struct {
        unsigned char bytes[12];
        size_t size;
        fr_status status;
    } cases[] = {
        {{10, 0, 0, 0, 8, 0, 0}, 7, FR_ERROR_SYNTAX},              // ends in the header
        {{10, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3}, 11, FR_ERROR_SYNTAX}, // ends in the payload
        {{10, 0, 1, 0, 0, 0, 0, 0}, 8, FR_ERROR_SYNTAX},           // not zero
        {{10, 0, 0, 1, 0, 0, 0, 0}, 8, FR_ERROR_SYNTAX},
        {{10, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}, 8, FR_ERROR_SYNTAX}, // announces too much
        {{0, 0, 0, 0, 0, 0, 0, 0}, 8, FR_ERROR_UNSUPPORTED},
        {{31, 0, 0, 0, 0, 0, 0, 0}, 8, FR_ERROR_UNSUPPORTED},
        {{10, 1, 0, 0, 0, 0, 0, 0}, 8, FR_ERROR_UNSUPPORTED},
        {{51, 0, 0, 0, 0, 0, 0, 0}, 8, FR_ERROR_UNSUPPORTED}, // a pong, which clients read
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_frame frame = {cases[i].bytes, cases[i].size, 0, FR_READER_SERVER};
        fr_packet packet;
        fr_status status;
        fr_error error = {0};
        assert_false(fr_frame_next(&frame, &packet, &status, &error));
        assert_int_equal(status, cases[i].status);
        assert_int_equal(error.status, cases[i].status);
        assert_int_equal(frame.at, 0);
    }
}

static void a_message_cut_at_any_byte_is_refused(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    fr_arena *arena = make_arena(), *reading = make_arena();
    fr_array out = fr_array_make(1, NULL);
    const fr_protocol_message *described;
    fr_message as_it_was;
    memset(&as_it_was, 0x5a, sizeof as_it_was);
    for (size_t i = 0; (described = fr_protocol_message_at(i)) != NULL; i++) {
        out.count = 0;
        fr_message message = sample_message(described, &random, arena), back;
        memcpy(&back, &as_it_was, sizeof back);
        sample_write(&message, &out);
        for (size_t size = 0; size < out.count; size++) {
            // A copy of the right size, so that a reader that goes on is caught.
            unsigned char *cut = malloc(size + 1);
            assert_non_null(cut);
            memcpy(cut, out.data, size);
            fr_arena_reset(reading);
            assert_int_not_equal(read_one(cut, size, reading, &back, NULL), FR_OK);

            // The same with a header that says so.
            if (size >= FR_PROTOCOL_HEADER_BYTES) {
                size_t payload = size - FR_PROTOCOL_HEADER_BYTES;
                fr_packet packet = {described->type, (uint32_t)payload, cut + FR_PROTOCOL_HEADER_BYTES};
                fr_arena_reset(reading);
                assert_int_equal(fr_protocol_read(&packet, reading, &back, NULL), FR_ERROR_SYNTAX);
            }
            assert_memory_equal(&back, &as_it_was, sizeof back);
            free(cut);
        }
    }
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
    fr_arena_destroy(reading);
}

static void bytes_too_many_are_refused(void **state) {
    (void)state;
    unsigned char payload[9] = {0};
    fr_packet packet = {FR_MESSAGE_PING, 9, payload};
    fr_message message = {.type = FR_MESSAGE_WANTS};
    fr_error error;
    assert_int_equal(fr_protocol_read(&packet, NULL, &message, &error), FR_ERROR_SYNTAX);
    assert_string_equal(error.message, "ping: 1 bytes too many");
    assert_int_equal(message.type, FR_MESSAGE_WANTS);
}

static void other_versions_are_refused(void **state) {
    (void)state;
    static const unsigned char payload[] = {1, 0, 0, 0, 99, 99, 99};
    fr_message message;
    fr_error error;
    for (int i = 0; i < 2; i++) {
        fr_packet packet = {i == 0 ? FR_MESSAGE_HELLO : FR_MESSAGE_WELCOME, sizeof payload, payload};
        assert_int_equal(fr_protocol_read(&packet, NULL, &message, &error), FR_ERROR_VERSION);
        assert_string_equal(error.message, "version 1 of the protocol instead of 6");
    }
}

static void types_that_are_none_are_refused(void **state) {
    (void)state;
    fr_message message = {.type = (fr_message_type)99};
    fr_array out = fr_array_make(1, NULL);
    assert_int_equal(fr_protocol_write(&message, &out, NULL), FR_ERROR_ARGUMENT);
    fr_packet packet = {(fr_message_type)99, 0, ""};
    assert_int_equal(fr_protocol_read(&packet, NULL, &message, NULL), FR_ERROR_ARGUMENT);
    fr_array_destroy(&out);
}

// ---------------------------------------------------------------------------------------------------------------
// Random bytes

// Whatever is read can be written, and gives the bytes it came from: every content has one encoding.
static void spoilt_messages_are_refused_or_say_what_they_say(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    fr_arena *arena = make_arena();
    fr_array out = fr_array_make(1, NULL), again = fr_array_make(1, NULL);
    const fr_protocol_message *described;
    uint32_t taken = 0, refused = 0;
    for (size_t i = 0; (described = fr_protocol_message_at(i)) != NULL; i++) {
        for (int trial = 0; trial < 400; trial++) {
            fr_arena_reset(arena);
            out.count = again.count = 0;
            fr_message message = sample_message(described, &random, arena), back;
            sample_write(&message, &out);
            unsigned char *bytes = out.data;
            for (uint64_t k = 1 + fr_random_below(&random, 3); k > 0; k--) {
                bytes[fr_random_below(&random, out.count)] = (unsigned char)fr_random_bits(&random);
            }
            fr_error error = {0};
            if (read_one(bytes, out.count, arena, &back, &error) != FR_OK) {
                refused++;
                continue;
            }
            sample_write(&back, &again);
            assert_int_equal(again.count, out.count);
            assert_memory_equal(again.data, out.data, out.count);
            taken++;
        }
    }
    assert_true(taken > 1000 && refused > 1000);
    fr_array_destroy(&out);
    fr_array_destroy(&again);
    fr_arena_destroy(arena);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static void reading_takes_memory_by_the_bytes(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_random random = fr_random_seed(8);
    fr_arena *arena = make_arena(), *reading;
    assert_int_equal(fr_arena_create(0, &allocator, &reading, NULL), FR_OK);
    fr_array out = fr_array_make(1, NULL);
    const fr_protocol_message *described;
    for (size_t i = 0; (described = fr_protocol_message_at(i)) != NULL; i++) {
        for (int trial = 0; trial < 50; trial++) {
            fr_arena_reset(arena);
            fr_arena_reset(reading);
            out.count = 0;
            fr_message message = sample_message(described, &random, arena), back;
            sample_write(&message, &out);
            assert_int_equal(read_one(out.data, out.count, reading, &back, NULL), FR_OK);
            assert_true(fr_arena_used(reading) <= 8 * out.count);
        }
    }

    // Counts that announce more than is there take nothing.
    fr_arena_reset(reading);
    static const unsigned char pairs[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0};
    fr_packet packet = {FR_MESSAGE_PAIRS, sizeof pairs, pairs};
    fr_message back;
    assert_int_equal(fr_protocol_read(&packet, reading, &back, NULL), FR_ERROR_SYNTAX);
    assert_int_equal(fr_arena_used(reading), 0);
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
    fr_arena_destroy(reading);
    fr_probe_destroy(probe);
}

static void warm_writers_and_readers_allocate_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_random random = fr_random_seed(9);
    fr_arena *arena = make_arena(), *reading;
    assert_int_equal(fr_arena_create(0, &allocator, &reading, NULL), FR_OK);
    fr_array out = fr_array_make(1, &allocator);
    fr_message message = sample_message(fr_protocol_message_of(FR_MESSAGE_DRAW), &random, arena), back;
    uint64_t before = 0;
    for (int round = 0; round < 4; round++) {
        out.count = 0;
        fr_arena_reset(reading);
        sample_write(&message, &out);
        assert_int_equal(read_one(out.data, out.count, reading, &back, NULL), FR_OK);
        if (round == 1) { before = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), before);
    fr_array_destroy(&out);
    fr_arena_destroy(arena);
    fr_arena_destroy(reading);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

static fr_status write_and_read(const fr_allocator *allocator, void *context) {
    const fr_message *message = context;
    fr_array out = fr_array_make(1, allocator);
    fr_arena *reading = NULL;
    fr_error error = {0};
    fr_status status = fr_protocol_write(message, &out, &error);
    if (status != FR_OK) {
        assert_int_equal(out.count, 0);
        assert_int_equal(error.status, status);
    }
    if (status == FR_OK) { status = fr_arena_create(0, allocator, &reading, NULL); }
    fr_message back;
    if (status == FR_OK) { status = read_one(out.data, out.count, reading, &back, &error); }
    fr_arena_destroy(reading);
    fr_array_destroy(&out);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_random random = fr_random_seed(10);
    fr_arena *arena = make_arena();
    fr_message message = sample_message(fr_protocol_message_of(FR_MESSAGE_DRAW), &random, arena);
    assert_true(test_every_failure(write_and_read, &message) > 4);
    message = sample_message(fr_protocol_message_of(FR_MESSAGE_GALLERY), &random, arena);
    assert_true(test_every_failure(write_and_read, &message) > 2);
    fr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_little_endian_and_packed),
        cmocka_unit_test(null_texts_are_written_empty),
        cmocka_unit_test(what_is_read_is_what_was_written),
        cmocka_unit_test(every_message_round_trips),
        cmocka_unit_test(a_frame_holds_messages_one_after_another),
        cmocka_unit_test(headers_are_checked),
        cmocka_unit_test(a_message_cut_at_any_byte_is_refused),
        cmocka_unit_test(bytes_too_many_are_refused),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(types_that_are_none_are_refused),
        cmocka_unit_test(spoilt_messages_are_refused_or_say_what_they_say),
        cmocka_unit_test(reading_takes_memory_by_the_bytes),
        cmocka_unit_test(warm_writers_and_readers_allocate_nothing),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
