// What is drawn is what is sent.
#include "failing.h"
#include "heap_calls.h"
#include "sample.h"

#include <math.h>
#include <string.h>

static const fr_color red = {255, 0, 0, 255}, blue = {0, 0, 255, 128};
static const double points[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};

static fr_layer *make_layer(const fr_allocator *allocator) {
    fr_layer *layer = NULL;
    assert_int_equal(fr_layer_create(allocator, &layer, NULL), FR_OK);
    return layer;
}

// Draws something of every kind.
static void draw_all(fr_layer *layer) {
    fr_draw draw = fr_layer_draw(layer);
    fr_draw_lines(&draw, points, 1, red, 2);
    fr_draw_lines(&draw, points + 6, 2, red, 2);
    fr_draw_lines(&draw, points, 1, blue, 2);
    fr_draw_lines(&draw, points, 1, blue, 3);
    fr_draw_triangles(&draw, points, 2, red);
    fr_draw_points(&draw, points, 3, red, 4);
    fr_draw_points(&draw, points, 0, blue, 4);
    fr_draw_text(&draw, points + 1, "ここ", blue, 9);
    fr_wire_box box = {red, {0, 0, 0}, {1, 2, 3}, fr_pose_identity()};
    fr_layer_box(layer, &box);
    uint8_t rgba[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    fr_wire_image image = {"depth", 2, 1, rgba, 8, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    fr_layer_image(layer, &image);
    uint32_t triangles[] = {4, 5, 9};
    fr_wire_face_colors face_colors = {3, blue, triangles, 3};
    fr_layer_face_colors(layer, &face_colors);
    memset(rgba, 0, sizeof rgba);
    memset(triangles, 0, sizeof triangles);
}

static fr_message read_draw(const fr_array *bytes, fr_arena *arena) {
    fr_frame frame = {bytes->data, bytes->count, 0, FR_READER_CLIENT};
    fr_packet packet;
    fr_status status;
    fr_message message;
    assert_true(fr_frame_next(&frame, &packet, &status, NULL));
    assert_int_equal(packet.type, FR_MESSAGE_DRAW);
    assert_int_equal(fr_protocol_read(&packet, arena, &message, NULL), FR_OK);
    return message;
}

static void what_is_drawn_is_sent(void **state) {
    (void)state;
    fr_layer *layer = make_layer(NULL);
    fr_array out = fr_array_make(1, NULL);
    fr_arena *arena;
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    draw_all(layer);
    fr_layer_attach(layer, (fr_ref){4, 2});
    assert_int_equal(fr_layer_write(layer, 6, "radar", &out, NULL), FR_OK);
    fr_message message = read_draw(&out, arena);
    const fr_message_draw *draw = &message.as.draw;
    assert_int_equal(draw->layer, 6);
    assert_string_equal(draw->name, "radar");
    assert_true(draw->object.index1 == 4 && draw->object.generation == 2);

    // Strokes that look the same become one.
    assert_int_equal(draw->line_count, 3);
    assert_int_equal(draw->lines[0].point_count, 18);
    assert_memory_equal(draw->lines[0].points, points, 18 * sizeof points[0]);
    assert_true(draw->lines[0].width == 2 && draw->lines[1].width == 2 && draw->lines[2].width == 3);
    assert_memory_equal(&draw->lines[1].color, &blue, sizeof blue);
    assert_int_equal(draw->triangle_count, 1);
    assert_int_equal(draw->triangles[0].point_count, 18);
    assert_int_equal(draw->point_count, 1);
    assert_true(draw->points[0].point_count == 9 && draw->points[0].size == 4);
    assert_int_equal(draw->label_count, 1);
    assert_string_equal(draw->labels[0].text, "ここ");
    assert_true(draw->labels[0].point.x == 1 && draw->labels[0].point.z == 3 && draw->labels[0].size == 9);
    assert_int_equal(draw->box_count, 1);
    assert_true(draw->boxes[0].max.z == 3);
    assert_int_equal(draw->image_count, 1);
    assert_string_equal(draw->images[0].id, "depth");
    assert_true(draw->images[0].rgba_count == 8 && draw->images[0].rgba[7] == 8 && draw->images[0].up.y == 1);
    assert_int_equal(draw->face_color_count, 1);
    assert_true(draw->face_colors[0].object == 3 && draw->face_colors[0].triangle_count == 3 &&
                draw->face_colors[0].triangles[2] == 9);
    fr_arena_destroy(arena);
    fr_array_destroy(&out);
    fr_layer_destroy(layer);
}

static void a_layer_is_written_twice_and_cleared(void **state) {
    (void)state;
    fr_layer *layer = make_layer(NULL);
    fr_array first = fr_array_make(1, NULL), again = fr_array_make(1, NULL);
    draw_all(layer);
    fr_layer_attach(layer, (fr_ref){1, 0});
    assert_int_equal(fr_layer_write(layer, 1, "a", &first, NULL), FR_OK);
    assert_int_equal(fr_layer_write(layer, 1, "a", &again, NULL), FR_OK);
    assert_int_equal(first.count, again.count);
    assert_memory_equal(first.data, again.data, first.count);

    fr_layer_clear(layer);
    again.count = 0;
    assert_int_equal(fr_layer_write(layer, 1, "a", &again, NULL), FR_OK);
    assert_int_equal(again.count, FR_PROTOCOL_HEADER_BYTES + 4 + 5 + 8 + 7 * 4);
    static const unsigned char nothing[8];
    assert_memory_equal((const unsigned char *)again.data + FR_PROTOCOL_HEADER_BYTES + 9, nothing, sizeof nothing);
    fr_array_destroy(&first);
    fr_array_destroy(&again);
    fr_layer_destroy(layer);
}

static void what_no_viewer_takes_is_refused(void **state) {
    (void)state;
    fr_layer *layer = make_layer(NULL);
    fr_draw draw = fr_layer_draw(layer);
    fr_array out = fr_array_make(1, NULL);
    double wrong[6] = {0, 0, NAN, 0, 0, 0};
    fr_error error;
    fr_draw_lines(&draw, wrong, 1, red, 1);
    assert_int_equal(fr_layer_write(layer, 1, "a", &out, &error), FR_ERROR_NOT_FINITE);
    assert_string_equal(error.message, "draw.lines: a number is not finite");
    fr_layer_clear(layer);
    fr_draw_lines(&draw, points, 1, red, INFINITY);
    assert_int_equal(fr_layer_write(layer, 1, "a", &out, NULL), FR_ERROR_NOT_FINITE);
    fr_layer_clear(layer);
    fr_draw_text(&draw, points, "\xFF", red, 1);
    assert_int_equal(fr_layer_write(layer, 1, "a", &out, NULL), FR_ERROR_SYNTAX);
    fr_layer_clear(layer);
    fr_wire_image image = {.id = NULL, .width = 1, .height = 1};
    fr_layer_image(layer, &image);
    assert_int_equal(fr_layer_write(layer, 1, "a", &out, NULL), FR_ERROR_SYNTAX);
    fr_layer_clear(layer);
    assert_int_equal(out.count, 0);
    assert_int_equal(fr_layer_write(layer, 1, "a", &out, NULL), FR_OK);
    fr_array_destroy(&out);
    fr_layer_destroy(layer);
}

static fr_status draw_and_write(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_layer *layer = NULL;
    fr_array out = fr_array_make(1, allocator);
    fr_status status = fr_layer_create(allocator, &layer, NULL);
    if (status == FR_OK) {
        draw_all(layer);
        fr_error error = {0};
        status = fr_layer_write(layer, 1, "a", &out, &error);
        assert_int_equal(error.status, status);
    }
    fr_layer_destroy(layer);
    fr_array_destroy(&out);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(draw_and_write, NULL) > 10);
}

static void a_warm_layer_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_layer *layer = make_layer(&allocator);
    fr_array out = fr_array_make(1, &allocator);
    uint64_t before = 0;
    for (int round = 0; round < 4; round++) {
        out.count = 0;
        fr_layer_clear(layer);
        draw_all(layer);
        assert_int_equal(fr_layer_write(layer, 1, "a", &out, NULL), FR_OK);
        if (round == 1) { before = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), before);
    fr_array_destroy(&out);
    fr_layer_destroy(layer);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_drawn_is_sent),           cmocka_unit_test(a_layer_is_written_twice_and_cleared),
        cmocka_unit_test(what_no_viewer_takes_is_refused), cmocka_unit_test(every_failure_of_memory_is_survived),
        cmocka_unit_test(a_warm_layer_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
