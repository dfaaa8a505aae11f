// Sensors mounted anyhow give the links back; a walk of planted feet comes out where it was.
#include "failing.h"

#include "bvh_text.h"
#include "random_posture.h"

#include <math.h>
#include <stdio.h>

static fr_skeleton *make_body(void) {
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    return skeleton;
}

// Any mounting, any posture: the turns of the links within 1e-12.
static void mounting_is_taken_out(void **state) {
    (void)state;
    fr_skeleton *body = make_body();
    const fr_skeleton_view *view = fr_skeleton_get(body);
    fr_random random = fr_random_seed(1);
    double worst = 0.0;
    for (uint32_t i = 0; i < test_count(500, 10000); i++) {
        fr_quat turns[FR_LINK_COUNT], found[FR_LINK_COUNT], upright[FR_BODY_LINK_COUNT], now[FR_BODY_LINK_COUNT];
        fr_pose poses[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT}, out = {.turns = found, .count = FR_LINK_COUNT};
        random_posture(&random, 1.0, &posture);
        assert_int_equal(fr_posture_poses(body, &posture, 1, poses, NULL), FR_OK);
        for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
            fr_quat mounting = random_turn(&random);
            upright[k] = fr_quat_multiply(view->uprights[k], mounting);
            now[k] = fr_quat_multiply(poses[k].rotation, mounting);
        }
        assert_int_equal(fr_posture_rest(body, &out, NULL), FR_OK);
        assert_int_equal(fr_sensors_correct(body, upright, now, &out, NULL), FR_OK);
        for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
            fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(turns[k], fr_quat_conjugate(found[k])));
            worst = fmax(worst, fr_vec3_length(off));
        }
    }
    assert_true(worst < 1e-12);
    fr_skeleton_release(body);
}

// Degrees of yaw, pitch and roll in axes with z up of an orientation in ours.
static void angles_of(fr_quat ours, double deg[3]) {
    fr_mat3 m = fr_quat_to_mat3(ours);
    const fr_vec3 rows[3] = {m.row[2], m.row[0], m.row[1]}; // x, y, z there are Z, X, Y here
    deg[0] = fr_degrees(atan2(rows[1].x, rows[0].x));
    deg[1] = fr_degrees(atan2(-rows[2].x, hypot(rows[0].x, rows[1].x)));
    deg[2] = fr_degrees(atan2(rows[2].y, rows[2].z));
}

// A table of a person who stands on the right foot and leans about it, the sensors mounted at random.
static void put_table(const fr_skeleton *body, uint32_t frames, bvh_text *text) {
    const fr_skeleton_view *view = fr_skeleton_get(body);
    fr_random random = fr_random_seed(5);
    fr_quat mounting[FR_BODY_LINK_COUNT], turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
        mounting[k] = random_turn(&random);
    }
    bvh_text_add("time,sensor,yaw,pitch,roll\n", 27, text);
    for (uint32_t i = 0; i < frames; i++) {
        assert_int_equal(fr_posture_rest(body, &posture, NULL), FR_OK);
        fr_quat bend = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, -0.01 * i);
        turns[FR_LINK_LEFT_THIGH] = fr_quat_multiply(view->rests[FR_LINK_LEFT_THIGH], bend);
        turns[FR_LINK_LEFT_SHIN] = fr_quat_conjugate(bend); // the left foot rises and stays level
        turns[FR_LINK_LEFT_FOREARM] = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, 0.02 * i);
        assert_int_equal(fr_posture_poses(body, &posture, 1, poses, NULL), FR_OK);
        for (uint32_t k = 0; k < FR_BODY_LINK_COUNT; k++) {
            double deg[3];
            char line[160];
            angles_of(fr_quat_multiply(poses[k].rotation, mounting[k]), deg);
            int size = k % 2 == 0 ? snprintf(line, sizeof line, "%.4f,%u,%.9f,%.9f,%.9f\n", i / 60.0, k, deg[0], deg[1],
                                             deg[2])
                                  : snprintf(line, sizeof line, "%.4f, %s, %.9f, %.9f, %.9f\r\n", i / 60.0,
                                             view->names[k], deg[0], deg[1], deg[2]);
            bvh_text_add(line, (size_t)size, text);
        }
    }
}

static fr_status read(const fr_skeleton *body, const char *text, size_t size, fr_clip **clip, fr_error *error) {
    fr_sensors_input input = fr_default_sensors_input();
    input.text = text;
    input.size = size;
    input.skeleton = body;
    return fr_sensors_read(&input, clip, error);
}

static void a_table_becomes_a_clip(void **state) {
    (void)state;
    fr_skeleton *body = make_body();
    bvh_text text = {0};
    put_table(body, 40, &text);
    fr_clip *clip;
    fr_error error = {0};
    if (read(body, text.bytes, text.size, &clip, &error) != FR_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    assert_int_equal(fr_clip_get(clip)->frame_count, 40);
    assert_near(fr_clip_get(clip)->frame_rate, 60.0, 1e-2);
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    const fr_skeleton_view *view = fr_skeleton_get(body);
    for (uint32_t i = 0; i < 40; i++) {
        assert_int_equal(fr_clip_frame(clip, i, &posture, NULL), FR_OK);

        // The right foot stands, so the hip stays where it rests.
        assert_near(posture.place.y, view->offsets[0].y, 1e-5);
        assert_near(posture.place.z, 0.0, 1e-5);
        double angle = fr_vec3_length(fr_quat_to_vector(turns[FR_LINK_LEFT_FOREARM]));
        assert_near(angle, 0.02 * i, 1e-6);
    }
    fr_clip_release(clip);
    free(text.bytes);
    fr_skeleton_release(body);
}

static void bad_tables_say_where(void **state) {
    (void)state;
    fr_skeleton *body = make_body();
    static const struct {
        const char *text;
        int line;
        const char *says;
    } table[] = {
        {"", 1, "no line"},
        {"0,hip,1,2\n", 1, "number"},
        {"0,hip,1,2,nan\n", 1, "number"},
        {"0,hip,1,2,3,4\n", 1, "goes on"},
        {"0,tail,1,2,3\n", 1, "named as its link"},
        {"0,15,1,2,3\n", 1, "named as its link"},
        {"0,hip,1,2,3\n0,0,1,2,3\n", 2, "twice"},
        {"0,hip,1,2,3\n1,hip,1,2,3\n", 2, "missing"},
        {"t,s,y,p,r\n0,hip,1,2,3\n", 3, "missing at the last"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        fr_clip *clip;
        fr_error error = {0};
        fr_status status = read(body, table[i].text, strlen(table[i].text), &clip, &error);
        if (status != FR_ERROR_SYNTAX || error.line != table[i].line || strstr(error.message, table[i].says) == NULL) {
            fail_msg("%s: status %d, %d:%d: %s", table[i].text, status, error.line, error.column, error.message);
        }
        assert_null(clip);
    }

    // Cut anywhere, and times that do not rise by equal steps.
    bvh_text text = {0};
    put_table(body, 4, &text);
    for (size_t size = 0; size < text.size; size += 7) {
        char *exact = malloc(size > 0 ? size : 1);
        memcpy(exact, text.bytes, size);
        fr_clip *clip;
        fr_status status = read(body, exact, size, &clip, NULL);
        assert_int_equal(status == FR_OK, clip != NULL);
        fr_clip_release(clip);
        free(exact);
    }
    for (size_t i = 0; i + 6 < text.size; i++) {
        if (memcmp(text.bytes + i, "0.0500", 6) == 0) { memcpy(text.bytes + i, "0.0900", 6); }
    }
    fr_clip *clip;
    fr_error error;
    assert_int_equal(read(body, text.bytes, text.size, &clip, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "equal steps"));
    free(text.bytes);

    fr_sensors_input input = {0};
    assert_int_equal(fr_sensors_read(&input, &clip, &error), FR_ERROR_ARGUMENT);
    input = fr_default_sensors_input();
    assert_int_equal(fr_sensors_read(&input, &clip, &error), FR_ERROR_ARGUMENT);
    fr_skeleton_release(body);
}

typedef struct made {
    fr_skeleton *body;
    bvh_text text;
} made;

static fr_status make(const fr_allocator *allocator, void *context) {
    const made *m = context;
    fr_sensors_input input = fr_default_sensors_input();
    input.text = m->text.bytes;
    input.size = m->text.size;
    input.skeleton = m->body;
    input.allocator = *allocator;
    fr_clip *clip;
    fr_status status = fr_sensors_read(&input, &clip, NULL);
    if (status == FR_OK) { test_note_number(fr_clip_get(clip)->frame_count); }
    fr_clip_release(clip);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    made m = {.body = make_body()};
    put_table(m.body, 10, &m.text);
    assert_true(test_every_failure(make, &m) >= 5);
    free(m.text.bytes);
    fr_skeleton_release(m.body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mounting_is_taken_out),
        cmocka_unit_test(a_table_becomes_a_clip),
        cmocka_unit_test(bad_tables_say_where),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
