// The result about uncertain poses merged into the one about the poses as they are.
#include "fureai/collide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ROOM 512

// Boxes of edge 1: b is 0.25 from a and known within 0.5; c overlaps a and is known exactly; d is inside a.
typedef struct boxes {
    fr_space *space;
    fr_object_id ids[4];
    fr_collide *plain, *graded;
    fr_object_uncertainty error;
    fr_uncertain_input input;
    fr_uncertain_output uncertain;
    fr_collide_output output;
} boxes;

static fr_object_id add(fr_space *space, double x, double y, double scale) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("box", NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = fr_vec3_make(x, y, 0.0625);
    def.pose.scale = scale;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static void ask(boxes *b, bool is_over_step) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &b->space, NULL), FR_OK);
    b->ids[0] = add(b->space, 0.0, 0.0, 1.0);
    b->ids[1] = add(b->space, 1.25, 0.0, 1.0);
    b->ids[2] = add(b->space, 0.0625, 0.75, 1.0);
    b->ids[3] = add(b->space, 0.0, -0.125, 0.125);
    assert_int_equal(fr_space_update(b->space, NULL, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &b->plain, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &b->graded, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = b->space;
    input.want = FR_WANT_CONTACTS;
    input.is_containment_wanted = true;
    fr_status status = is_over_step ? fr_collide_continuous(b->plain, &input, &b->output, NULL)
                                    : fr_collide_static(b->plain, &input, &b->output, NULL);
    assert_int_equal(status, FR_OK);
    b->error = (fr_object_uncertainty){.id = b->ids[1], .uncertainty = {.position_error = 0.5}};
    b->input = fr_default_uncertain_input();
    b->input.query = input;
    b->input.is_over_step = is_over_step;
    b->input.uncertainties = &b->error;
    b->input.uncertainty_count = 1;
    assert_int_equal(fr_collide_uncertain(b->graded, &b->input, &b->uncertain, NULL), FR_OK);
}

static void check(bool is_over_step) {
    boxes b = {0};
    ask(&b, is_over_step);
    static fr_face_pair pairs[ROOM];
    static fr_contact contacts[ROOM];
    fr_object_pair objects[16];
    const fr_collide_output before = b.output;
    size_t possible = 0;
    assert_true(before.pair_count > 0 && b.uncertain.pair_count > before.pair_count && b.uncertain.pair_count <= ROOM);
    const fr_uncertain_merge merge = {&b.input, &b.uncertain, pairs, contacts, objects};
    fr_collide_merge_uncertain(&merge, &b.output);
    assert_int_equal(b.output.pair_count, b.uncertain.pair_count);
    for (size_t i = 0, k = 0; i < b.output.pair_count; i++) {
        const fr_face_pair *pair = &b.output.pairs[i];
        const fr_contact *contact = &b.output.contacts[i];
        assert_true(contact->triangle_a == pair->triangle_a && contact->triangle_b == pair->triangle_b);
        if (pair->a == 0 && pair->b == 1) {
            possible++;
            assert_true(contact->distance >= 0.25 - 1e-9 && contact->distance <= 0.5 + 1e-5);
            assert_true(fr_object_id_equal(contact->a, b.ids[0]) && fr_object_id_equal(contact->b, b.ids[1]));
        } else if (pair->a != 1 && pair->b != 1) {
            assert_true(contact->distance == before.contacts[k].distance);
            k++;
        }
    }
    assert_true(possible > 0);

    // Near: 0 and 1; crossing: 0 and 2; inside: 0 and 3.
    const fr_relation relations[] = {FR_RELATION_NEAR, FR_RELATION_CROSSING, FR_RELATION_B_INSIDE};
    size_t seen = 0;
    for (size_t i = 0; i < b.output.object_pair_count; i++) {
        const fr_object_pair *pair = &b.output.object_pairs[i];
        if (pair->a != 0) { continue; }
        assert_int_equal(pair->relation, relations[pair->b - 1]);
        assert_true(pair->b != 3 || pair->count == 0);
        seen++;
    }
    assert_int_equal(seen, 3);
    fr_collide_destroy(b.plain);
    fr_collide_destroy(b.graded);
    fr_space_destroy(b.space);
}

static void all_that_may_collide_is_merged_at_an_instant(void **state) {
    (void)state;
    check(false);
}

static void all_that_may_collide_is_merged_over_a_step(void **state) {
    (void)state;
    check(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_may_collide_is_merged_at_an_instant),
        cmocka_unit_test(all_that_may_collide_is_merged_over_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
