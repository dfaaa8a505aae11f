// Messages of plug-ins to bytes and back: each is read as it was written, in lines and in binary frames, bit for bit;
// and what is none is refused.
#include "act/message.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fr_skeleton *make_body(void) {
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    return skeleton;
}

static void expect_equal_skeletons(const fr_skeleton *a, const fr_skeleton *b) {
    const fr_skeleton_view *x = fr_skeleton_get(a), *y = fr_skeleton_get(b);
    uint32_t n = x->link_count;
    assert_int_equal(n, y->link_count);
    assert_memory_equal(x->parents, y->parents, n * sizeof *x->parents);
    assert_memory_equal(x->offsets, y->offsets, n * sizeof *x->offsets);
    assert_memory_equal(x->rests, y->rests, n * sizeof *x->rests);
    assert_memory_equal(x->tips, y->tips, n * sizeof *x->tips);
    assert_memory_equal(x->masses, y->masses, n * sizeof *x->masses);
    assert_memory_equal(x->partners, y->partners, n * sizeof *x->partners);
    assert_memory_equal(x->roles, y->roles, FR_LINK_COUNT * sizeof *x->roles);
    for (uint32_t i = 0; i < n; i++) {
        assert_string_equal(x->names[i], y->names[i]);
        assert_int_equal(x->limits[i].kind, y->limits[i].kind);
        for (int k = 0; k < 3; k++) {
            // Zeros of an axis may change their sign when it is made unit again.
            assert_true(fr_vec3_distance(x->limits[i].axes[k], y->limits[i].axes[k]) == 0.0);
        }
        assert_memory_equal(x->limits[i].min, y->limits[i].min, sizeof x->limits[i].min);
        assert_memory_equal(x->limits[i].max, y->limits[i].max, sizeof x->limits[i].max);
    }
    for (uint32_t i = 0; i < FR_POINT_COUNT; i++) {
        assert_int_equal(x->points[i].link, y->points[i].link);
        assert_memory_equal(&x->points[i].offset, &y->points[i].offset, sizeof x->points[i].offset);
    }
}

static fr__plug_message find(const fr_byte_array *bytes, fr__plug_form form) {
    fr__plug_message message;
    assert_int_equal(fr__plug_find(bytes->data, bytes->count, form, &message, NULL), FR_OK);
    assert_int_equal(message.whole_bytes, bytes->count);
    return message;
}

// A task with every field but a clip, and what its fields point to.
typedef struct whole_task {
    fr__plug_task task;
    fr_quat turns[FR_LINK_COUNT], goal_turns[FR_LINK_COUNT];
    fr_posture goal;
    double weights[FR_LINK_COUNT + 1];
    fr_pose poses[2];
} whole_task;

static void make_task(whole_task *w, const fr_skeleton *skeleton) {
    static const fr_plug_in_object cup = {"cup1", "cup", {{1, 0, 0, 0}, {0, 0, 0}, 1}};
    static const fr_plug_in_parameter hand = {"hand", "left \"1\""};
    memset(w, 0, sizeof *w);
    w->goal = (fr_posture){.turns = w->goal_turns, .count = FR_LINK_COUNT};
    w->weights[0] = 0.1;
    w->weights[1] = 100.0;
    w->poses[0] = fr_pose_identity();
    w->poses[1] = fr_pose_make(fr_vec3_make(1, 2, 3), fr_quat_identity());
    w->task = (fr__plug_task){.human = "h1",
                              .skill = "walk",
                              .target = "cup1",
                              .data = "cup.ahmc",
                              .skeleton = skeleton,
                              .body = {.turns = w->turns, .count = FR_LINK_COUNT},
                              .rate = 59.94,
                              .person = UINT64_MAX,
                              .is_binary = true,
                              .objects = &cup,
                              .object_count = 1,
                              .parameters = &hand,
                              .parameter_count = 1};
    assert_int_equal(fr_posture_rest(skeleton, &w->task.body, NULL), FR_OK);
    assert_int_equal(fr_posture_rest(skeleton, &w->goal, NULL), FR_OK);
    w->task.body.place = fr_vec3_make(0.1, 1.0 / 3.0, -2e-17);
    w->task.body.contact_left = 3;
    w->task.fields = (fr_skill_fields){.given = (FR_FIELD_SPEED << 1) - 1 - FR_FIELD_CLIP,
                                       .target = w->poses[1],
                                       .goal = w->poses[1],
                                       .heading = 0.1,
                                       .side = FR_SIDE_LEFT,
                                       .posture = &w->goal,
                                       .weights = w->weights,
                                       .value = -1e-300,
                                       .poses = w->poses,
                                       .pose_count = 2,
                                       .word = "nod",
                                       .diameter = 0.07,
                                       .frames = 200,
                                       .speed = 1.25};
}

static void expect_task(const whole_task *w, const fr__plug_task *back) {
    const fr__plug_task *task = &w->task;
    expect_equal_skeletons(task->skeleton, back->skeleton);
    assert_memory_equal(back->body.turns, w->turns, sizeof w->turns);
    assert_memory_equal(&back->body.place, &task->body.place, sizeof task->body.place);
    assert_int_equal(back->body.contact_left, 3);
    assert_int_equal(back->fields.given, task->fields.given);
    assert_memory_equal(&back->fields.goal, &task->fields.goal, sizeof(fr_pose));
    assert_memory_equal(back->fields.poses, w->poses, sizeof w->poses);
    assert_memory_equal(back->fields.weights, w->weights, sizeof w->weights);
    assert_memory_equal(back->fields.posture->turns, w->goal_turns, sizeof w->goal_turns);
    assert_true(back->fields.value == -1e-300 && back->fields.speed == 1.25 && back->fields.side == FR_SIDE_LEFT);
    assert_string_equal(back->fields.word, "nod");
    assert_true(back->rate == 59.94 && back->person == UINT64_MAX && back->is_binary);
    assert_string_equal(back->target, "cup1");
}

static void a_task_is_read_as_it_was_written(void **state) {
    (void)state;
    fr_skeleton *skeleton = make_body();
    whole_task w;
    make_task(&w, skeleton);
    for (int form = 0; form < 2; form++) {
        fr_byte_array bytes = fr_byte_array_make(NULL);
        fr_arena *arena;
        fr_json *json;
        fr__plug_kind kind;
        fr__plug_task back;
        fr_error error = {0};
        assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
        assert_int_equal(fr__plug_write_init(&w.task, (fr__plug_form)form, &bytes, NULL), FR_OK);
        fr__plug_message message = find(&bytes, (fr__plug_form)form);
        assert_int_equal(fr__plug_parse(&message, NULL, &json, &kind, &error), FR_OK);
        assert_int_equal(kind, FR__PLUG_INIT);
        if (fr__plug_read_init(json, NULL, arena, &back, &error) != FR_OK) { fail_msg("%s", error.message); }
        expect_task(&w, &back);
        fr_skeleton_release(back.skeleton);
        fr_json_destroy(json);
        fr_arena_destroy(arena);
        fr_byte_array_destroy(&bytes);
    }
    fr_skeleton_release(skeleton);
}

static void steps_and_frames_keep_their_bits(void **state) {
    (void)state;
    fr_skeleton *skeleton = make_body();
    fr_quat turns[FR_LINK_COUNT], back_turns[FR_LINK_COUNT];
    double weights[FR_LINK_COUNT + 1] = {0.1, 1e-3}, back_weights[FR_LINK_COUNT + 1];
    fr_posture body = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(skeleton, &body, NULL), FR_OK);
    body.place = fr_vec3_make(1.0 / 3.0, -0.0, 5e-324);
    body.contact_right = 1;
    for (int form = 0; form < 2; form++) {
        for (uint32_t events = 0; events < 3; events++) {
            fr_byte_array bytes = fr_byte_array_make(NULL);
            fr__plug_step step = {.frame = 77, .body = body, .target = fr_pose_identity()}, step_back;
            step.target.position.x = 0.1;
            assert_int_equal(fr__plug_write_step(&step, (fr__plug_form)form, &bytes, NULL), FR_OK);
            fr__plug_message message = find(&bytes, (fr__plug_form)form);
            fr_json *json = NULL;
            fr__plug_kind kind;
            if (message.is_text) { assert_int_equal(fr__plug_parse(&message, NULL, &json, &kind, NULL), FR_OK); }
            assert_int_equal(message.is_text, form == 0);
            step_back.body = (fr_posture){.turns = back_turns, .count = FR_LINK_COUNT};
            assert_int_equal(fr__plug_read_step(&message, json, &step_back, NULL), FR_OK);
            assert_int_equal(step_back.frame, 77);
            assert_memory_equal(back_turns, turns, sizeof turns);
            assert_memory_equal(&step_back.target, &step.target, sizeof step.target);
            assert_memory_equal(&step_back.body.place, &body.place, sizeof body.place);
            fr_json_destroy(json);

            fr__plug_frame frame = {.frame = 78, .posture = body, .weights = weights, .is_done = true},
                           frame_back = {0};
            frame.event_count = events;
            for (uint32_t i = 0; i < events; i++) {
                frame.events[i] = (fr__plug_event){"grasp", i == 0, {0.5, -1.0}};
            }
            bytes.count = 0;
            assert_int_equal(fr__plug_write_frame(&frame, "cup1", (fr__plug_form)form, &bytes, NULL), FR_OK);
            message = find(&bytes, (fr__plug_form)form);
            json = NULL;
            if (message.is_text) { assert_int_equal(fr__plug_parse(&message, NULL, &json, &kind, NULL), FR_OK); }
            frame_back.posture = (fr_posture){.turns = back_turns, .count = FR_LINK_COUNT};
            frame_back.weights = back_weights;
            assert_int_equal(fr__plug_read_frame(&message, json, "cup1", NULL, &frame_back, NULL), FR_OK);
            assert_true(frame_back.frame == 78 && frame_back.is_done && frame_back.event_count == events);
            assert_memory_equal(back_weights, weights, sizeof weights);
            assert_int_equal(frame_back.posture.contact_right, 1);
            if (events > 0) { assert_true(frame_back.events[0].is_target && frame_back.events[0].numbers[1] == -1.0); }
            if (events > 1) { assert_false(frame_back.events[1].is_target); }
            fr_json_destroy(json);
            fr_byte_array_destroy(&bytes);
        }
    }
    fr_skeleton_release(skeleton);
}

// What is no frame is refused with a sentence.
static void what_is_no_frame_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "{\"t\":\"frame\"}",
        "{\"t\":\"frame\",\"k\":-1}",
        "{\"t\":\"frame\",\"k\":1.5}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"w\":[1]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"w\":[1,-1]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[0,0,0,0],\"w\":[1,1]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,1e300,0],\"q\":[1,0,0,0],\"w\":[1,1]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"c\":[9,0],\"w\":[1,1]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"w\":[1,1],\"events\":[{}]}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"w\":[1,1],\"events\":7}",
        "{\"t\":\"frame\",\"k\":1,\"hip\":[0,0,0],\"q\":[1,0,0,0],\"w\":[1,1],\"events\":[1,2,3,4,5,6,7,8,9]}",
    };
    fr_quat turn;
    double weights[2];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fr__plug_message message = {(const unsigned char *)texts[i], strlen(texts[i]), strlen(texts[i]), true};
        fr_json *json = NULL;
        fr__plug_kind kind;
        fr_error error = {0};
        fr__plug_frame frame = {.posture = {.turns = &turn, .count = 1}, .weights = weights};
        fr_status status = fr__plug_parse(&message, NULL, &json, &kind, &error);
        if (status == FR_OK) { status = fr__plug_read_frame(&message, json, "", NULL, &frame, &error); }
        if (status == FR_OK || error.message[0] == '\0') { fail_msg("case %zu is taken", i); }
        fr_json_destroy(json);
    }
    fr__plug_message message;
    const unsigned char large[] = {0xff, 0xff, 0xff, 0x7f, 0};
    assert_int_equal(fr__plug_find(large, sizeof large, FR__PLUG_FRAMES, &message, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr__plug_find(large, 3, FR__PLUG_FRAMES, &message, NULL), FR_OK);
    assert_int_equal(message.whole_bytes, 0);
    const unsigned char cut[] = {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(fr__plug_find(cut, sizeof cut, FR__PLUG_FRAMES, &message, NULL), FR_OK);
    fr__plug_frame frame = {.posture = {.turns = &turn, .count = 1}, .weights = weights};
    assert_int_equal(fr__plug_read_frame(&message, NULL, "", NULL, &frame, NULL), FR_ERROR_SYNTAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_read_as_it_was_written),
        cmocka_unit_test(steps_and_frames_keep_their_bits),
        cmocka_unit_test(what_is_no_frame_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
