// Commands to a cast: their limits, the object that a point means, lists that are fused, and how they end.
#include "fureai/actor.h"

#include "mesh_object.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct porter {
    fr_object_id boxes[3]; // the first two afford "take"
    fr_command last;       // with copies of what it points to
    fr_command fused[FR_COMMAND_MAX_FUSED];
    uint32_t count;
    bool has_end;
} porter;

static fr_status take_command(const fr_command *command, void *user, fr_error *error) {
    porter *p = user;
    if (strcmp(command->name, "sing") == 0) { return FR_ERROR_UNSUPPORTED; }
    if (strcmp(command->name, "break") == 0) { return fr_error_set(error, FR_ERROR_BUSY, "the hands are full"); }
    p->last = *command;
    for (uint32_t i = 0; i < command->fused_count; i++) {
        p->fused[i] = command->fused[i];
    }
    p->count++;
    p->has_end = command->ticket != 0;
    return FR_OK;
}

static const fr_affordance *affords(fr_object_id object, uint32_t index, void *user) {
    static const fr_affordance_field fields[] = {{"goal", true}, {"frames", false}};
    static const fr_affordance motions[] = {{"take", "Takes it in the hand.", fields, 2}, {"put", NULL, fields, 1}};
    const porter *p = user;
    bool is_right = fr_object_id_equal(object, p->boxes[0]) || fr_object_id_equal(object, p->boxes[1]);
    return is_right && index < 2 ? &motions[index] : NULL;
}

static bool ended(fr_command_end *out, void *user) {
    porter *p = user;
    if (!p->has_end) { return false; }
    p->has_end = false;
    *out = (fr_command_end){.ticket = p->last.ticket, .status = FR_ERROR_STOPPED, .message = "the cup was taken away"};
    return true;
}

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    porter porter;
} room;

static void begin(room *r) {
    *r = (room){0};
    fr_world_def def = fr_default_world_def();
    fr_mesh *mesh;
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        fr_part_def part;
        fr_object_def object = test_mesh_object(mesh, &part);
        object.pose.position = fr_vec3_make(4.0 * i, 0.0, 0.0);
        assert_int_equal(fr_object_add(fr_world_space(r->world), &object, &r->porter.boxes[i], NULL), FR_OK);
    }
    fr_mesh_release(mesh);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = r->world;
    assert_int_equal(fr_cast_create(&cast, &r->cast, NULL), FR_OK);
    const fr_actor actor = {
        .name = "porter", .command = take_command, .affords = affords, .ended = ended, .user = &r->porter};
    assert_int_equal(fr_cast_add(r->cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_world_tick(r->world, NULL, NULL), FR_OK);
}

static void end(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
}

static void a_point_means_the_nearest_that_affords_it(void **state) {
    (void)state;
    room r;
    begin(&r);
    // The third box stands beside the point and affords nothing.
    const struct {
        double x;
        int box;
    } cases[] = {{-3.0, 0}, {1.9, 0}, {2.1, 1}, {4.0, 1}, {8.0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_command command = {.name = "take", .given = FR_COMMAND_POINT, .point = fr_vec3_make(cases[i].x, 0.2, 0.1)};
        assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_OK);
        assert_true(fr_object_id_equal(r.porter.last.object, r.porter.boxes[cases[i].box]));
    }
    // An object that is named goes before a point.
    fr_command command = {.name = "take", .object = r.porter.boxes[0], .given = FR_COMMAND_POINT};
    command.point.x = 4.0;
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_OK);
    assert_true(fr_object_id_equal(r.porter.last.object, r.porter.boxes[0]));
    fr_error error = {0};
    command = (fr_command){.name = "paint", .given = FR_COMMAND_POINT};
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_STALE_ID);
    assert_string_equal(error.message, "nothing here affords 'paint'");
    end(&r);
}

static void a_list_is_given_whole(void **state) {
    (void)state;
    room r;
    begin(&r);
    const fr_command_parameter hand = {"hand", "left"};
    fr_command others[2] = {{.name = "put", .given = FR_COMMAND_POINT, .point = {4.2, 0, 0}, .start = 60, .frames = 80},
                            {.name = "nod", .parameters = &hand, .parameter_count = 1}};
    fr_command command = {.name = "walk",
                          .person = "h1",
                          .given = FR_COMMAND_GOAL | FR_COMMAND_FACING,
                          .goal = {1, 0, 2},
                          .facing = 1.5,
                          .fused = others,
                          .fused_count = 2,
                          .ticket = 77};
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_OK);
    assert_int_equal(r.porter.last.fused_count, 2);
    assert_true(fr_object_id_equal(r.porter.fused[0].object, r.porter.boxes[1]));
    assert_string_equal(r.porter.fused[1].parameters[0].value, "left");
    assert_true(r.porter.last.facing == 1.5 && r.porter.last.goal.z == 2.0);
    fr_command_end over;
    assert_true(fr_cast_ended(r.cast, &over));
    assert_int_equal(over.ticket, 77);
    assert_string_equal(over.message, "the cup was taken away");
    assert_false(fr_cast_ended(r.cast, &over));

    // One that is wrong refuses all.
    uint32_t count = r.porter.count;
    others[1].name = "";
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_ERROR_ARGUMENT);
    others[1].name = "nod";
    others[0].point.x = NAN;
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_ERROR_NOT_FINITE);
    others[0].given = 0; // it is not read then
    assert_int_equal(fr_cast_command(r.cast, &command, NULL), FR_OK);
    assert_int_equal(r.porter.count, count + 1);
    end(&r);
}

static void what_is_outside_its_limits_is_refused(void **state) {
    (void)state;
    room r;
    begin(&r);
    fr_error error = {0};
    fr_command many[FR_COMMAND_MAX_FUSED];
    for (uint32_t i = 0; i < FR_COMMAND_MAX_FUSED; i++) {
        many[i] = (fr_command){.name = "nod"};
    }
    fr_command command = {.name = "nod", .fused = many, .fused_count = FR_COMMAND_MAX_FUSED};
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_ARGUMENT);
    command.fused_count--;
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_OK);
    const fr_command wrong[] = {{.name = "nod", .given = 8},
                                {.name = "nod", .frames = FR_COMMAND_MAX_FRAMES + 1},
                                {.name = "nod", .start = UINT32_MAX},
                                {.name = "nod", .parameter_count = FR_COMMAND_MAX_PARAMETERS + 1},
                                {.name = "nod", .given = FR_COMMAND_GOAL, .goal = {1e300, 0, 0}}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(fr_cast_command(r.cast, &wrong[i], &error), FR_ERROR_ARGUMENT);
    }
    const fr_command infinite[] = {{.name = "nod", .given = FR_COMMAND_GOAL, .goal = {0, INFINITY, 0}},
                                   {.name = "nod", .given = FR_COMMAND_FACING, .facing = NAN}};
    for (size_t i = 0; i < sizeof infinite / sizeof infinite[0]; i++) {
        assert_int_equal(fr_cast_command(r.cast, &infinite[i], &error), FR_ERROR_NOT_FINITE);
    }
    command = (fr_command){.name = "break"};
    assert_int_equal(fr_cast_command(r.cast, &command, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "the hands are full");
    end(&r);
}

static void affordances_have_their_fields(void **state) {
    (void)state;
    room r;
    begin(&r);
    const fr_affordance *take = fr_cast_affords(r.cast, r.porter.boxes[0], 0);
    assert_string_equal(take->about, "Takes it in the hand.");
    assert_int_equal(take->field_count, 2);
    assert_true(take->fields[0].is_needed && !take->fields[1].is_needed);
    assert_string_equal(fr_cast_affords(r.cast, r.porter.boxes[1], 1)->name, "put");
    assert_null(fr_cast_affords(r.cast, r.porter.boxes[1], 2));
    assert_null(fr_cast_affords(r.cast, r.porter.boxes[2], 0));
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_means_the_nearest_that_affords_it),
        cmocka_unit_test(a_list_is_given_whole),
        cmocka_unit_test(what_is_outside_its_limits_is_refused),
        cmocka_unit_test(affordances_have_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
