// Clip files: out and in again as text and as floats, bad files, every cut.
#include "failing.h"

#include "bvh_text.h"
#include "random_posture.h"

#include <math.h>
#include <stdio.h>

static const char sample[] = "AHMC 1\n"
                             "name    start 030\n"
                             "class   start\n"
                             "dir     30\n"
                             "face    -15\n"
                             "stride  normal\n"
                             "join    right\n"
                             "fps     60\n"
                             "frames  2\n"
                             "length  0.775\n"
                             "links   1\n"
                             "wkey    0 1 2\n"
                             "wkey    1 0 0.5\n"
                             "data\n"
                             "0 0.9 0  1 0 0 0  3 0\n"
                             "0 0.9 0.5  0 0 1 0  0 2\n";

static fr_status read(const char *text, size_t size, fr_clip **clip, fr_error *error) {
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = text;
    input.size = size;
    return fr_ahmc_read(&input, clip, error);
}

static void reads_what_the_text_says(void **state) {
    (void)state;
    fr_clip *clip;
    fr_error error;
    assert_int_equal(read(sample, strlen(sample), &clip, &error), FR_OK);
    const fr_clip_view *view = fr_clip_get(clip);
    assert_string_equal(view->name, "start 030");
    assert_int_equal(view->clip_class, FR_CLIP_START);
    assert_near(fr_degrees(view->direction), 30.0, 1e-12);
    assert_near(fr_degrees(view->facing), -15.0, 1e-12);
    assert_int_equal(view->stride, FR_STRIDE_NORMAL);
    assert_int_equal(view->last_foot, FR_FOOT_RIGHT);
    assert_near(view->length, 0.775, 0.0);
    assert_int_equal(view->weight_key_count, 2);
    assert_near((double)view->weights[3], 0.5, 0.0);
    fr_quat turn;
    fr_posture posture = {.turns = &turn, .count = 1};
    assert_int_equal(fr_clip_frame(clip, 1, &posture, NULL), FR_OK);
    assert_near(posture.place.z, 0.5, 0.0);
    assert_near(turn.y, 1.0, 0.0);
    assert_int_equal(posture.contact_left, 0);
    assert_int_equal(posture.contact_right, 2);
    fr_clip_release(clip);
}

// A file of 15 links may carry the 44 weights of the whole body.
static void weights_of_the_whole_body_fit_15_links(void **state) {
    (void)state;
    char text[8192];
    int size = snprintf(text, sizeof text, "AHMC 1\nframes 1\nlinks 15\nwkey 0");
    for (int i = 0; i < 44; i++) {
        size += snprintf(text + size, sizeof text - (size_t)size, " %d", i);
    }
    size += snprintf(text + size, sizeof text - (size_t)size, "\ndata\n0 0 0");
    for (int i = 0; i < 15; i++) {
        size += snprintf(text + size, sizeof text - (size_t)size, " 1 0 0 0");
    }
    size += snprintf(text + size, sizeof text - (size_t)size, " 0 0\n");
    fr_clip *clip;
    fr_error error;
    assert_int_equal(read(text, (size_t)size, &clip, &error), FR_OK);
    assert_near((double)fr_clip_get(clip)->weights[14], 14.0, 0.0);
    assert_near((double)fr_clip_get(clip)->weights[15], 43.0, 0.0);
    fr_clip_release(clip);
}

static fr_clip *random_clip(fr_random *random, uint32_t links, uint32_t frames) {
    static fr_quat turns[60 * FR_MAX_LINKS];
    fr_vec3 places[60];
    uint8_t contacts[120];
    float weights[3 * (FR_MAX_LINKS + 1)];
    const double times[3] = {0.0, 0.25, 1.0};
    for (uint32_t i = 0; i < frames; i++) {
        places[i] = random_about(random, 5.0);
        contacts[2 * i] = (uint8_t)fr_random_below(random, 4);
        contacts[2 * i + 1] = (uint8_t)fr_random_below(random, 4);
    }
    for (uint32_t i = 0; i < frames * links; i++) {
        turns[i] = random_turn(random);
    }
    for (uint32_t i = 0; i < 3 * (links + 1); i++) {
        weights[i] = (float)fr_random_between(random, 0.0, 100.0);
    }
    fr_clip_def def = fr_default_clip_def();
    def.name = "walk";
    def.clip_class = FR_CLIP_END;
    def.direction = 0.5;
    def.stride = FR_STRIDE_SMALL;
    def.frame_count = frames;
    def.link_count = links;
    def.places = places;
    def.turns = turns;
    def.contacts = contacts;
    def.weight_key_count = 3;
    def.weight_times = times;
    def.weights = weights;
    fr_clip *clip;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

static void compare(const fr_clip *a, const fr_clip *b) {
    const fr_clip_view *x = fr_clip_get(a), *y = fr_clip_get(b);
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->clip_class, y->clip_class);
    assert_int_equal(x->stride, y->stride);
    assert_near(x->direction, y->direction, 1e-15);
    assert_int_equal(x->frame_count, y->frame_count);
    assert_int_equal(x->link_count, y->link_count);
    assert_memory_equal(x->weights, y->weights, 3 * (x->link_count + 1) * sizeof(float));
    static fr_quat a_turns[FR_MAX_LINKS], b_turns[FR_MAX_LINKS];
    fr_posture p = {.turns = a_turns, .count = x->link_count}, q = {.turns = b_turns, .count = x->link_count};
    for (uint32_t i = 0; i < x->frame_count; i++) {
        assert_int_equal(fr_clip_frame(a, i, &p, NULL), FR_OK);
        assert_int_equal(fr_clip_frame(b, i, &q, NULL), FR_OK);
        assert_true(fr_vec3_distance(p.place, q.place) < 2e-6);
        assert_int_equal(p.contact_left, q.contact_left);
        assert_int_equal(p.contact_right, q.contact_right);
        for (uint32_t k = 0; k < x->link_count; k++) {
            fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(a_turns[k], fr_quat_conjugate(b_turns[k])));
            assert_true(fr_vec3_length(off) < 4e-7);
        }
    }
}

static void out_and_in_again(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (uint32_t i = 0; i < test_count(20, 300); i++) {
        uint32_t links = i % 7 == 0 ? FR_MAX_LINKS : 1 + (uint32_t)fr_random_below(&random, 43);
        fr_clip *clip = random_clip(&random, links, 1 + (uint32_t)fr_random_below(&random, 60)), *back;
        for (int binary = 0; binary < 2; binary++) {
            bvh_text text = {0};
            fr_error error;
            assert_int_equal(fr_ahmc_write(clip, binary != 0, bvh_text_add, &text, NULL), FR_OK);
            if (read(text.bytes, text.size, &back, &error) != FR_OK) {
                fail_msg("%d:%d: %s", error.line, error.column, error.message);
            }
            compare(clip, back);
            fr_clip_release(back);

            // One byte less or more is an error in binary files.
            if (binary != 0) {
                assert_int_equal(read(text.bytes, text.size - 1, &back, &error), FR_ERROR_SYNTAX);
                bvh_text_add("x", 1, &text);
                assert_int_equal(read(text.bytes, text.size, &back, &error), FR_ERROR_SYNTAX);
            }
            bvh_text refused = {.fail_at = 1 + fr_random_below(&random, text.size - 2)};
            assert_int_equal(fr_ahmc_write(clip, binary != 0, bvh_text_add, &refused, &error), FR_ERROR_FILE);
            free(refused.bytes);
            free(text.bytes);
        }
        fr_clip_release(clip);
    }
}

static void bad_files_say_where(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        fr_status status;
        int line;
        const char *says;
    } table[] = {
        {"AHMC 1", "AHMD 1", FR_ERROR_SYNTAX, 1, "begins with AHMC"},
        {"AHMC 1", "AHMC 2", FR_ERROR_VERSION, 1, "version 1"},
        {"class   start", "class   stop", FR_ERROR_SYNTAX, 3, "none of those"},
        {"dir     30", "dir     nan", FR_ERROR_SYNTAX, 4, "not finite"},
        {"face    -15", "dir     -15", FR_ERROR_SYNTAX, 5, "twice"},
        {"join    right", "joined  right", FR_ERROR_SYNTAX, 7, "none of those"},
        {"frames  2", "frames  2.5", FR_ERROR_LIMIT, 9, "whole number"},
        {"frames  2", "frames  9999999999", FR_ERROR_LIMIT, 9, "whole number"},
        {"frames  2", "frames  1000000", FR_ERROR_SYNTAX, 14, "end early"},
        {"frames  2\n", "\n", FR_ERROR_SYNTAX, 14, "frames is missing"},
        {"frames  2", "frames  1", FR_ERROR_SYNTAX, 16, "more than the frames"},
        {"links   1", "links   257", FR_ERROR_LIMIT, 11, "whole number"},
        {"wkey    1 0 0.5", "wkey    1 0", FR_ERROR_SYNTAX, 13, "another number"},
        {"links   1", "links   2", FR_ERROR_SYNTAX, 14, "a weight a link"},
        {"3 0\n", "4 0\n", FR_ERROR_SYNTAX, 15, "0, 1, 2 or 3"},
        {"3 0\n", "3\n", FR_ERROR_SYNTAX, 0, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[2048];
        const char *found = strstr(sample, table[i].from);
        assert_non_null(found);
        int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - sample), sample, table[i].to,
                            found + strlen(table[i].from));
        fr_clip *clip;
        fr_error error;
        fr_status status = read(text, (size_t)size, &clip, &error);
        bool is_place = table[i].line == 0 || error.line == table[i].line;
        if (status != table[i].status || !is_place || strstr(error.message, table[i].says) == NULL) {
            fail_msg("%s -> %s: status %d, %d:%d: %s", table[i].from, table[i].to, status, error.line, error.column,
                     error.message);
        }
        assert_null(clip);
    }

    // A turn that is no rotation is refused by the clip.
    char text[2048];
    const char *found = strstr(sample, "1 0 0 0");
    int size = snprintf(text, sizeof text, "%.*s2 0 0 0%s", (int)(found - sample), sample, found + 7);
    fr_clip *clip;
    assert_int_equal(read(text, (size_t)size, &clip, NULL), FR_ERROR_ARGUMENT);
}

static void cut_anywhere(void **state) {
    (void)state;
    for (size_t size = 0; size < strlen(sample); size++) {
        char *exact = malloc(size > 0 ? size : 1);
        memcpy(exact, sample, size);
        fr_clip *clip;
        fr_status status = read(exact, size, &clip, NULL);
        assert_int_equal(status == FR_OK, clip != NULL);
        fr_clip_release(clip);
        free(exact);
    }
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = sample;
    input.size = strlen(sample);
    input.allocator = *allocator;
    fr_clip *clip;
    fr_status status = fr_ahmc_read(&input, &clip, NULL);
    if (status == FR_OK) { test_note_number(fr_clip_get(clip)->frame_count); }
    fr_clip_release(clip);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 4);
    fr_ahmc_input input = {0};
    fr_clip *clip;
    assert_int_equal(fr_ahmc_read(&input, &clip, NULL), FR_ERROR_ARGUMENT);

    // A name that would break its line is not written.
    const fr_vec3 place = {0, 0, 0};
    const fr_quat turn = {1, 0, 0, 0};
    fr_clip_def def = fr_default_clip_def();
    def.name = "two\nlines";
    def.frame_count = def.link_count = 1;
    def.places = &place;
    def.turns = &turn;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    bvh_text text = {0};
    assert_int_equal(fr_ahmc_write(clip, false, bvh_text_add, &text, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(text.size, 0);
    fr_clip_release(clip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_the_text_says),
        cmocka_unit_test(weights_of_the_whole_body_fit_15_links),
        cmocka_unit_test(out_and_in_again),
        cmocka_unit_test(bad_files_say_where),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
