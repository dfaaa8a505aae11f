// The history of placements, against a plain list.
#include "failing.h"
#include "frame.h"
#include "hands.h"

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define OBJECTS 5

typedef struct room {
    fr_space *space;
    fr_mesh *mesh;
    fr_object_id objects[OBJECTS];
} room;

static fr_object_id add_object(room *r) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(r->mesh, &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(r->space, &def, &id, NULL), FR_OK);
    return id;
}

static void open_room(room *r) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &r->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &r->mesh, NULL), FR_OK);
    for (int i = 0; i < OBJECTS; i++) {
        r->objects[i] = add_object(r);
    }
}

static void close_room(room *r) {
    fr_space_destroy(r->space);
    fr_mesh_release(r->mesh);
}

// From x = from to x = to.
static fr_placement slid(fr_object_id object, double from, double to) {
    fr_placement p = {.object = object, .before = fr_pose_identity(), .after = fr_pose_identity()};
    p.before.position.x = from;
    p.after.position.x = to;
    return p;
}

static void remember(fr_undo *undo, fr_object_id object, double from, double to) {
    fr_placement p = slid(object, from, to);
    assert_int_equal(fr_undo_remember(undo, &p, NULL), FR_OK);
}

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    fr_undo *undo;
    assert_int_equal(fr_undo_create(0, NULL, &undo, NULL), FR_ERROR_ARGUMENT);
    assert_null(undo);
    assert_int_equal(fr_undo_create(FR_UNDO_MAX + 1, NULL, &undo, NULL), FR_ERROR_ARGUMENT);
    fr_undo_destroy(NULL);

    room r;
    open_room(&r);
    assert_int_equal(fr_undo_create(3, NULL, &undo, NULL), FR_OK);
    fr_placement p = slid(r.objects[0], 0.0, NAN), out;
    assert_int_equal(fr_undo_remember(undo, &p, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_undo_count(undo), 0);
    assert_false(fr_undo_back(undo, r.space, &out));
    assert_false(fr_undo_redo(undo, r.space, &out));
    fr_undo_destroy(undo);
    close_room(&r);
}

static void test_back_and_again(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_undo *undo;
    fr_placement out;
    assert_int_equal(fr_undo_create(8, NULL, &undo, NULL), FR_OK);
    remember(undo, r.objects[0], 0.0, 1.0);
    remember(undo, r.objects[1], 0.0, 2.0);
    remember(undo, r.objects[0], 1.0, 3.0);
    remember(undo, r.objects[0], 3.0, 3.0); // nothing was moved
    assert_int_equal(fr_undo_count(undo), 3);
    assert_true(fr_undo_back(undo, r.space, &out));
    assert_true(fr_object_id_equal(out.object, r.objects[0]));
    assert_true(out.before.position.x == 1.0);
    assert_true(fr_undo_back(undo, r.space, &out));
    assert_true(fr_object_id_equal(out.object, r.objects[1]));
    assert_int_equal(fr_undo_redo_count(undo), 2);
    assert_true(fr_undo_redo(undo, r.space, &out));
    assert_true(fr_object_id_equal(out.object, r.objects[1]) && out.after.position.x == 2.0);
    // Something new: what was taken back is gone
    remember(undo, r.objects[2], 0.0, 5.0);
    assert_int_equal(fr_undo_redo_count(undo), 0);
    assert_false(fr_undo_redo(undo, r.space, &out));
    assert_int_equal(fr_undo_count(undo), 3);
    fr_undo_destroy(undo);
    close_room(&r);
}

static void test_the_oldest_goes_where_there_is_no_room(void **state) {
    (void)state;
    room r;
    open_room(&r);
    fr_undo *undo;
    fr_placement out;
    assert_int_equal(fr_undo_create(4, NULL, &undo, NULL), FR_OK);
    for (int i = 0; i < 10; i++) {
        remember(undo, r.objects[0], i, i + 1);
    }
    assert_int_equal(fr_undo_count(undo), 4);
    for (int i = 9; i >= 6; i--) {
        assert_true(fr_undo_back(undo, r.space, &out));
        assert_true(out.before.position.x == (double)i);
    }
    assert_false(fr_undo_back(undo, r.space, &out));
    fr_undo_destroy(undo);
    close_room(&r);
}

// What a history should be: a list that grows without limit, of which the last `capacity` count.
typedef struct plain {
    fr_placement list[4096];
    uint32_t count, done;
} plain;

static bool plain_step(plain *p, const room *r, bool is_back, fr_placement *out) {
    for (;;) {
        if (is_back ? p->done == 0 : p->done == p->count) { return false; }
        uint32_t i = is_back ? p->done - 1 : p->done;
        *out = p->list[i];
        if (fr_object_exists(r->space, out->object)) {
            p->done = is_back ? p->done - 1 : p->done + 1;
            return true;
        }
        memmove(&p->list[i], &p->list[i + 1], (p->count - i - 1) * sizeof p->list[0]);
        p->count--;
        if (is_back) { p->done--; }
    }
}

static void plain_remember(plain *p, const fr_placement *placement, uint32_t capacity) {
    p->count = p->done;
    p->list[p->count++] = *placement;
    if (p->count > capacity) { memmove(&p->list[0], &p->list[1], --p->count * sizeof p->list[0]); }
    p->done = p->count;
}

static void test_random_histories_equal_a_plain_list(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    uint64_t cases = test_count(40, 400);
    for (uint64_t c = 0; c < cases; c++) {
        room r;
        open_room(&r);
        uint32_t capacity = 1 + (uint32_t)fr_random_below(&random, 12);
        fr_undo *undo;
        plain p = {.count = 0, .done = 0};
        assert_int_equal(fr_undo_create(capacity, NULL, &undo, NULL), FR_OK);
        for (int step = 0; step < 200; step++) {
            uint64_t what = fr_random_below(&random, 20);
            uint64_t i = fr_random_below(&random, OBJECTS);
            fr_placement one, other;
            if (what == 0) {
                assert_int_equal(fr_object_remove(r.space, r.objects[i], NULL), FR_OK);
                r.objects[i] = add_object(&r);
            } else if (what < 8) {
                one = slid(r.objects[i], step, step + 1);
                assert_int_equal(fr_undo_remember(undo, &one, NULL), FR_OK);
                plain_remember(&p, &one, capacity);
            } else {
                bool is_back = what < 15;
                bool was = is_back ? fr_undo_back(undo, r.space, &one) : fr_undo_redo(undo, r.space, &one);
                assert_true(was == plain_step(&p, &r, is_back, &other));
                if (was) { assert_memory_equal(&one, &other, sizeof one); }
            }
            assert_int_equal(fr_undo_count(undo), p.done);
            assert_int_equal(fr_undo_redo_count(undo), p.count - p.done);
        }
        fr_undo_destroy(undo);
        close_room(&r);
    }
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_undo *undo;
    fr_status status = fr_undo_create(16, allocator, &undo, NULL);
    fr_undo_destroy(undo);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    assert_int_equal(test_every_failure(make, NULL), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_input_is_refused),
        cmocka_unit_test(test_back_and_again),
        cmocka_unit_test(test_the_oldest_goes_where_there_is_no_room),
        cmocka_unit_test(test_random_histories_equal_a_plain_list),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
