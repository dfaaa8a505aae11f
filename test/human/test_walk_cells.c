// Steps cut out of captures: walks of our own skill as captures, the set of walks that comes of them, files, bad input.
#include "cell_walk.h"
#include "failing.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 2000 };

// ---------------------------------------------------------------------------------------------------------------
// Captures that are made

// A walk of a body as a capture: it stands, walks to a goal and stands.
static fr_clip *capture(walker *w, double direction, double length, double facing) {
    static fr_vec3 places[MAX_FRAMES];
    static fr_quat turns[MAX_FRAMES][FR_LINK_COUNT];
    fr_walk_goal goal = {fr_vec3_make(length * sin(direction), 0.0, length * cos(direction)), direction + facing, true};
    uint32_t count = 0;
    walker_stand(w, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    for (int i = 0; i < 30; i++, count++) {
        places[count] = w->posture.place;
        memcpy(turns[count], w->turns, sizeof turns[0]);
    }
    assert_int_equal(fr_walk_go(w->walk, &goal, 1, 0, NULL), FR_OK);
    for (int still = 0; still < 30 && count < MAX_FRAMES; count++) {
        walker_step(w);
        still += !fr_walk_get(w->walk).is_walking;
        places[count] = w->posture.place;
        memcpy(turns[count], w->turns, sizeof turns[0]);
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = count;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = turns[0];
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

static fr_walk_cells *make_cells(const fr_skeleton *skeleton) {
    fr_walk_cells_def def = fr_default_walk_cells_def();
    def.skeleton = skeleton;
    fr_walk_cells *cells = NULL;
    assert_int_equal(fr_walk_cells_create(&def, &cells, NULL), FR_OK);
    return cells;
}

static void add_capture(walker *w, fr_walk_cells *cells, double direction_deg, double length, double facing_deg) {
    fr_clip *clip = capture(w, fr_radians(direction_deg), length, fr_radians(facing_deg));
    assert_int_equal(fr_walk_cells_add(cells, clip, NULL, NULL), FR_OK);
    fr_clip_release(clip);
}

// The clip of a class whose direction and facing are within 15 degrees of these; NULL for none.
static const fr_clip_view *find(const fr_walk_cells *cells, fr_clip_class c, double direction_deg, double facing_deg) {
    fr_walk_cells_view view = fr_walk_cells_get(cells);
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        if (view.clips[i] == NULL) { continue; }
        const fr_clip_view *clip = fr_clip_get(view.clips[i]);
        double d = fabs(remainder(fr_degrees(clip->direction) - direction_deg, 360.0));
        double f = fabs(remainder(fr_degrees(clip->facing) - facing_deg, 360.0));
        if (clip->clip_class == c && d < 15.0 && f < 15.0) { return clip; }
    }
    return NULL;
}

// What was walked is found again: a start, steady steps and an end, or one or two steps, mirrored to the cells' side.
static void walks_are_cut_into_their_pieces(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_walk_cells *cells = make_cells(w.skeleton);
    add_capture(&w, cells, 0.0, 6.0, 0.0);
    fr_walk_cells_view view = fr_walk_cells_get(cells);
    print_message("a walk of 6 m: %u pieces, %u cells, %.3f m/s of %.3f\n", view.piece_count, view.filled, view.speed,
                  fr_walk_set_get(w.set)->speed);
    assert_true(view.piece_count >= 7 && view.filled == 3);
    assert_true(fabs(view.speed / fr_walk_set_get(w.set)->speed - 1.0) < 0.1);
    assert_non_null(find(cells, FR_CLIP_START, 0.0, 0.0));
    assert_non_null(find(cells, FR_CLIP_STRAIGHT, 0.0, 0.0));
    assert_non_null(find(cells, FR_CLIP_END, 0.0, 0.0));
    add_capture(&w, cells, 60.0, 5.0, 60.0);
    assert_non_null(find(cells, FR_CLIP_START, 60.0, 0.0));
    assert_non_null(find(cells, FR_CLIP_END, 0.0, 60.0));
    add_capture(&w, cells, -30.0, 5.0, -30.0); // mirrored
    assert_non_null(find(cells, FR_CLIP_START, 30.0, 0.0));
    assert_non_null(find(cells, FR_CLIP_END, 0.0, 30.0));
    add_capture(&w, cells, 0.0, 0.5, 30.0);
    assert_non_null(find(cells, FR_CLIP_ONE_STEP, 0.0, 30.0));
    add_capture(&w, cells, 30.0, 0.9, -30.0);
    assert_non_null(find(cells, FR_CLIP_TWO_STEPS, 30.0, -30.0));
    fr_walk_cells_destroy(cells);
    walker_destroy(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// Sets of captured steps

static void walks_of_captured_steps_end_where_they_should(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_walk_cells *cells = make_cells(w.skeleton);
    add_capture(&w, cells, 0.0, 6.0, 0.0);
    add_capture(&w, cells, 90.0, 4.0, 30.0);
    add_capture(&w, cells, 30.0, 1.0, 0.0);
    add_capture(&w, cells, 0.0, 0.5, 0.0);
    walk_figures adult = walk_about(cells, &body, 100);
    check_walks(&adult, "captured steps of our own walk");
    body.stature = 1.1;
    walk_figures child = walk_about(cells, &body, 40);
    check_walks(&child, "the same by a child");
    fr_walk_cells_destroy(cells);
    walker_destroy(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static bool append(const char *bytes, size_t size, void *context) {
    unsigned char *to = fr_byte_array_push(context, size);
    if (to != NULL) { memcpy(to, bytes, size); }
    return to != NULL;
}

static bool refuse(const char *bytes, size_t size, void *context) {
    (void)bytes, (void)size, (void)context;
    return false;
}

static fr_status read_text(const char *text, size_t size, fr_walk_cells **out, fr_error *error) {
    fr_walk_cells_input input = fr_default_walk_cells_input();
    input.text = text;
    input.size = size;
    return fr_walk_cells_read(&input, out, error);
}

static fr_walk_set *make_set(const fr_walk_cells *cells, const fr_skeleton *skeleton) {
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeleton;
    def.cells = cells;
    fr_walk_set *set = NULL;
    assert_int_equal(fr_walk_set_create(&def, &set, NULL), FR_OK);
    return set;
}

// The largest angle between links of two sets, in the middle of their clips.
static double sets_apart(const fr_walk_cells *a, const fr_walk_cells *b, const fr_skeleton *skeleton) {
    fr_walk_set *sets[2] = {make_set(a, skeleton), make_set(b, skeleton)};
    double worst = 0.0;
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr_quat turns[2][FR_LINK_COUNT];
        for (int k = 0; k < 2; k++) {
            fr_clip *clip = NULL;
            fr_posture posture = {.turns = turns[k], .count = FR_LINK_COUNT};
            assert_int_equal(fr_walk_set_clip(sets[k], i, NULL, &clip, NULL), FR_OK);
            assert_int_equal(fr_clip_frame(clip, fr_clip_get(clip)->frame_count / 2, &posture, NULL), FR_OK);
            fr_clip_release(clip);
        }
        for (uint32_t link = 0; link < FR_BODY_LINK_COUNT; link++) {
            worst = fmax(worst, walker_angle(turns[0][link], turns[1][link]));
        }
    }
    fr_walk_set_release(sets[0]);
    fr_walk_set_release(sets[1]);
    return worst;
}

static void files_give_the_same_set_again(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_walk_cells *cells = make_cells(w.skeleton), *again = NULL;
    fr_byte_array bytes = fr_byte_array_make(NULL);
    assert_int_equal(fr_walk_cells_write(cells, append, &bytes, NULL), FR_ERROR_ARGUMENT); // nothing in it
    add_capture(&w, cells, 30.0, 5.0, 0.0);
    assert_int_equal(fr_walk_cells_write(cells, refuse, NULL, NULL), FR_ERROR_FILE);
    assert_int_equal(fr_walk_cells_write(cells, append, &bytes, NULL), FR_OK);
    fr_error error = {0};
    if (read_text((const char *)bytes.data, bytes.count, &again, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_walk_cells_get(again).filled, fr_walk_cells_get(cells).filled);
    assert_true(sets_apart(again, cells, w.skeleton) < 1e-5);
    assert_true(sets_apart(again, NULL, w.skeleton) > 1e-2);
    fr_clip *clip = capture(&w, 0.0, 2.0, 0.0);
    assert_int_equal(fr_walk_cells_add(again, clip, NULL, NULL), FR_ERROR_ARGUMENT);
    fr_clip_release(clip);
    fr_walk_cells_destroy(again);
    // Cut anywhere it is refused.
    for (size_t size = 0; size < bytes.count; size += 1 + bytes.count / 300) {
        assert_int_not_equal(read_text((const char *)bytes.data, size, &again, &error), FR_OK);
        assert_null(again);
    }
    // Twice the same cell.
    size_t count = bytes.count, header = (size_t)((char *)memchr(bytes.data, 'c', count) - (char *)bytes.data);
    unsigned char *more = fr_byte_array_push(&bytes, count - header);
    memcpy(more, bytes.data + header, count - header);
    assert_int_equal(read_text((const char *)bytes.data, bytes.count, &again, &error), FR_ERROR_LIMIT);
    fr_byte_array_destroy(&bytes);
    fr_walk_cells_destroy(cells);
    walker_destroy(&w);
}

static void what_is_no_such_file_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_status status;
        int line;
    } files[] = {{"", FR_ERROR_SYNTAX, 1},
                 {"AHMC 1\n", FR_ERROR_SYNTAX, 1},
                 {"AHMW 2\nleg 1\n", FR_ERROR_VERSION, 1},
                 {"AHMW 1\nleg 0\n", FR_ERROR_SYNTAX, 2},
                 {"AHMW 1\nleg nan\n", FR_ERROR_SYNTAX, 2},
                 {"AHMW 1\nleg 0.9\n", FR_ERROR_SYNTAX, 3},
                 {"AHMW 1\nleg 0.9\nclip 1e9\nAHMC 1\n", FR_ERROR_SYNTAX, 4},
                 {"AHMW 1\nleg 0.9\nclip -1\nAHMC 1\n", FR_ERROR_SYNTAX, 4},
                 {"AHMW 1\nleg 0.9\nclip 7.5\nAHMC 1\n12", FR_ERROR_SYNTAX, 4},
                 {"AHMW 1\nleg 0.9\nclip 7\nAHMX 1\n", FR_ERROR_SYNTAX, 4}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        fr_walk_cells *cells = NULL;
        fr_error error = {0};
        assert_int_equal(read_text(files[i].text, strlen(files[i].text), &cells, &error), files[i].status);
        if (error.line != files[i].line) { fail_msg("%s: line %d", files[i].text, error.line); }
        assert_null(cells);
    }
}

// A whole walk as a clip begins and ends standing, and goes where it should.
static void walks_are_recorded(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_walk_goal goals[2] = {{{0, 0, 3}, 0, false}, {{1, 0, 5}, fr_radians(90), true}};
    fr_clip *clip = NULL;
    assert_int_equal(fr_walk_set_record(w.set, goals, 2, NULL, &clip, NULL), FR_OK);
    const fr_clip_view *view = fr_clip_get(clip);
    fr_posture posture = {.turns = w.turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_clip_frame(clip, 0, &posture, NULL), FR_OK);
    assert_true(hypot(posture.place.x, posture.place.z) < 0.05 && posture.contact_left == 3);
    assert_int_equal(fr_clip_frame(clip, view->frame_count - 1, &posture, NULL), FR_OK);
    assert_true(hypot(posture.place.x - 1.0, posture.place.z - 5.0) < 1e-3 && posture.contact_left == 3);
    fr_clip_facts facts;
    assert_int_equal(fr_clip_measure(w.skeleton, clip, &facts, NULL), FR_OK);
    assert_true(facts.slide_max < 1e-3 && facts.contact_count > 8);
    fr_clip_release(clip);
    assert_int_equal(fr_walk_set_record(w.set, goals, 0, NULL, &clip, NULL), FR_ERROR_ARGUMENT);
    assert_null(clip);
    walker_destroy(&w);
}

// ---------------------------------------------------------------------------------------------------------------
// Bad definitions and memory

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_walk_cells *cells = NULL;
    fr_walk_cells_def def = fr_default_walk_cells_def();
    assert_int_equal(fr_walk_cells_create(&def, &cells, NULL), FR_ERROR_ARGUMENT);
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&body, &skeleton, NULL), FR_OK);
    def.skeleton = skeleton;
    def.speed = NAN;
    assert_int_equal(fr_walk_cells_create(&def, &cells, NULL), FR_ERROR_ARGUMENT);
    def.speed = 0.0;
    def.cookie = 0;
    assert_int_equal(fr_walk_cells_create(&def, &cells, NULL), FR_ERROR_ARGUMENT);
    assert_null(cells);
    fr_walk_cells_destroy(NULL);
    // A body that only stands, or hangs in the air, has no steps.
    cells = make_cells(skeleton);
    fr_quat turns[2 * FR_LINK_COUNT];
    fr_vec3 places[2] = {{0.0, 0.9, 0.0}, {1.0, 5.0, 1e6}};
    for (int i = 0; i < 2; i++) {
        fr_posture posture = {.turns = turns + i * FR_LINK_COUNT, .count = FR_LINK_COUNT};
        assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    }
    fr_clip_def clip_def = fr_default_clip_def();
    clip_def.frame_count = 2;
    clip_def.link_count = FR_LINK_COUNT;
    clip_def.places = places;
    clip_def.turns = turns;
    fr_clip *clip = NULL;
    uint32_t found = 7;
    assert_int_equal(fr_clip_create(&clip_def, &clip, NULL), FR_OK);
    assert_int_equal(fr_walk_cells_add(cells, clip, &found, NULL), FR_OK);
    assert_int_equal(found, 0);
    fr_clip_release(clip);
    fr_walk_cells_destroy(cells);
    fr_skeleton_release(skeleton);
}

typedef struct cell_making {
    const fr_skeleton *skeleton;
    const fr_clip *clip;
} cell_making;

static fr_status make_all(const fr_allocator *allocator, void *context) {
    const cell_making *m = context;
    fr_walk_cells_def def = fr_default_walk_cells_def();
    def.skeleton = m->skeleton;
    def.allocator = *allocator;
    fr_walk_cells *cells = NULL, *again = NULL;
    fr_byte_array bytes = fr_byte_array_make(NULL);
    fr_status status = fr_walk_cells_create(&def, &cells, NULL);
    if (status == FR_OK) { status = fr_walk_cells_add(cells, m->clip, NULL, NULL); }
    if (status == FR_OK) { status = fr_walk_cells_write(cells, append, &bytes, NULL); }
    if (status == FR_OK) {
        fr_walk_cells_input input = fr_default_walk_cells_input();
        input.text = (const char *)bytes.data;
        input.size = bytes.count;
        input.allocator = *allocator;
        status = fr_walk_cells_read(&input, &again, NULL);
    }
    if (status == FR_OK) { test_note_number(fr_walk_cells_get(again).filled); }
    fr_byte_array_destroy(&bytes);
    fr_walk_cells_destroy(again);
    fr_walk_cells_destroy(cells);
    return status;
}

static fr_status make_record(const fr_allocator *allocator, void *context) {
    fr_walk_goal goal = {{0, 0, 1}, 0, false};
    fr_clip *clip = NULL;
    fr_status status = fr_walk_set_record(context, &goal, 1, allocator, &clip, NULL);
    if (status == FR_OK) { test_note_number(fr_clip_get(clip)->frame_count); }
    fr_clip_release(clip);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_clip *clip = capture(&w, 0.0, 3.0, 0.0);
    cell_making making = {w.skeleton, clip};
    assert_true(test_every_failure(make_all, &making) >= 8);
    assert_true(test_every_failure(make_record, w.set) >= 4);
    fr_clip_release(clip);
    walker_destroy(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_cut_into_their_pieces),
        cmocka_unit_test(walks_of_captured_steps_end_where_they_should),
        cmocka_unit_test(files_give_the_same_set_again),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(walks_are_recorded),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
