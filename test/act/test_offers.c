// What surfaces of objects without a class let people do, through a director: it is listed, it differs with the body,
// it goes with what is moved, and it is done.
#include "directed_place.h"

#include <math.h>

enum { TEXT_BYTES = 1 << 12, TICKS_MAX = 4000 };

// A room of furniture whose classes the director does not know.
static void open_classless(place *p, const char *text, bool has_surfaces) {
    open_place(p, text, has_surfaces);
    const fr_scene_view *view = fr_scene_get(p->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        fr_object_id id = fr_world_find(p->world, view->objects[i].name);
        assert_int_equal(fr_director_set_class(p->director, id, NULL, NULL), FR_OK);
    }
    assert_int_equal(fr_cast_tick(p->cast, NULL, NULL), FR_OK);
}

static bool affords(const place *p, const char *object, const char *motion) {
    const fr_affordance *a;
    for (uint32_t i = 0; (a = fr_cast_affords(p->cast, find(p, object), i)) != NULL; i++) {
        if (strcmp(a->name, motion) == 0) { return true; }
    }
    return false;
}

// Carries a command out; "": it was done, else why not.
static const char *carry_out(const place *p, const fr_command *given) {
    static char why[sizeof(fr_error)];
    fr_command command = *given;
    command.ticket = 1;
    fr_error error = {0};
    why[0] = '\0';
    if (fr_cast_command(p->cast, &command, &error) != FR_OK) {
        snprintf(why, sizeof why, "%s", error.message);
        return why;
    }
    fr_command_end end;
    for (int i = 0; i < TICKS_MAX; i++) {
        assert_int_equal(fr_cast_tick(p->cast, NULL, NULL), FR_OK);
        if (!fr_cast_ended(p->cast, &end)) { continue; }
        if (end.status != FR_OK) { snprintf(why, sizeof why, "%s", end.message); }
        return why;
    }
    return "it is not over";
}

static const char *do_motion(const place *p, const char *motion, const char *object) {
    const fr_command command = {.name = motion, .object = find(p, object)};
    return carry_out(p, &command);
}

static const char *reach_goal(const place *p, const char *want) {
    const fr_command_parameter parameter = {FR_DIRECTOR_WANT, want};
    const fr_command command = {.name = FR_DIRECTOR_GOAL, .parameters = &parameter, .parameter_count = 1};
    return carry_out(p, &command);
}

static void expect(const char *why) {
    if (why[0] != '\0') { fail_msg("%s", why); }
}

static fr_bounds box_of(const place *p, const char *name) {
    fr_bounds box;
    assert_int_equal(fr_object_bounds(fr_world_space(p->world), find(p, name), &box, NULL), FR_OK);
    return box;
}

static bool lies_on(const place *p, const char *thing, const char *support) {
    fr_bounds a = box_of(p, thing), b = box_of(p, support);
    double x = 0.5 * ((double)a.min.x + (double)a.max.x), z = 0.5 * ((double)a.min.z + (double)a.max.z);
    bool is_over = x > (double)b.min.x && x < (double)b.max.x && z > (double)b.min.z && z < (double)b.max.z;
    return is_over && fabs((double)a.min.y - (double)b.max.y) < 0.006 && fr_cast_claim(p->cast, find(p, thing)) == NULL;
}

// The hips are over the seat, and lower than those of one who stands.
static bool sits_on(const place *p, const char *seat) {
    const fr_pose *links = fr_person_links(fr_director_get(p->director, 0).person);
    fr_vec3 hips = links[FR_LINK_HIP].position,
            at = fr_object_get(fr_world_space(p->world), find(p, seat))->pose.position;
    return hypot(hips.x - at.x, hips.z - at.z) < 0.3 && hips.y < 0.7 && hips.y > 0.4;
}

static const char room[] =
    "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
    "{\"name\":\"seat\",\"class\":\"chair\",\"position\":[1.3,0,4.5],\"axis_angle_deg\":[0,1,0,90]},"
    "{\"name\":\"board\",\"class\":\"table\",\"position\":[2.55,0,4.5]},"
    "{\"name\":\"side board\",\"class\":\"table\",\"position\":[0.6,0,2.2]},"
    "{\"name\":\"thing\",\"class\":\"cup\",\"position\":[2.4,0.8,4.0]}],"
    "\"people\":[{\"name\":\"Mai\",\"stature\":%g,\"position\":[1.9,0,1],\"detail\":\"coarse\"}]}";

static void what_is_offered_depends_on_the_body(void **state) {
    (void)state;
    char text[TEXT_BYTES];
    place p;
    snprintf(text, sizeof text, room, 1.7);
    open_classless(&p, text, true);
    assert_true(affords(&p, "seat", "sit") && affords(&p, "board", "put") && affords(&p, "thing", "grasp"));
    assert_false(affords(&p, "board", "sit") || affords(&p, "thing", "sit") || affords(&p, "Mai", "grasp"));
    assert_null(fr_cast_affords(p.cast, find(&p, "floor"), 0));
    assert_string_equal(do_motion(&p, "sitt", "seat"), "'surfaces' affords no 'sitt'; did you mean 'sit'?");
    close_place(&p);
    open_classless(&p, text, false);
    assert_null(fr_cast_affords(p.cast, find(&p, "seat"), 0));
    close_place(&p);
    // A child of one metre.
    snprintf(text, sizeof text, room, 1.0);
    open_classless(&p, text, true);
    assert_false(affords(&p, "seat", "sit") || affords(&p, "board", "put"));
    close_place(&p);
}

static const char two_people[] =
    "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
    "{\"name\":\"seat\",\"class\":\"chair\",\"position\":[1.3,0,4.5],\"axis_angle_deg\":[0,1,0,90]},"
    "{\"name\":\"board\",\"class\":\"table\",\"position\":[2.55,0,4.5]},"
    "{\"name\":\"side board\",\"class\":\"table\",\"position\":[0.6,0,2.2]},"
    "{\"name\":\"thing\",\"class\":\"cup\",\"position\":[2.4,0.8,4.0]}],"
    "\"people\":[{\"name\":\"Ken\",\"stature\":1,\"position\":[-1.9,0,0],\"detail\":\"coarse\"},"
    "{\"name\":\"Mai\",\"stature\":1.7,\"position\":[1.9,0,1],\"detail\":\"coarse\"}]}";

// What the first of two people does not see in a thing the other does with it.
static void bodies_differ_in_one_room(void **state) {
    (void)state;
    place p;
    open_classless(&p, two_people, true);
    assert_false(affords(&p, "seat", "sit"));
    assert_null(fr_cast_affords(p.cast, find(&p, "side board"), 0));
    const fr_command sit = {.name = "sit", .object = find(&p, "seat"), .person = "Mai"};
    expect(carry_out(&p, &sit));
    const fr_command away = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.9, 0, 3}, .person = "Mai"};
    expect(carry_out(&p, &away));
    const fr_command grasp = {.name = "grasp", .object = find(&p, "thing"), .person = "Mai"};
    expect(carry_out(&p, &grasp));
    const fr_command put = {.name = "put", .object = find(&p, "side board"), .person = "Mai"};
    expect(carry_out(&p, &put));
    assert_true(lies_on(&p, "thing", "side board"));
    const fr_command wrong = {.name = "sit", .object = find(&p, "seat"), .person = "Ken"};
    assert_string_not_equal(carry_out(&p, &wrong), "");
    close_place(&p);
}

static void what_is_offered_is_done(void **state) {
    (void)state;
    char text[TEXT_BYTES];
    place p;
    snprintf(text, sizeof text, room, 1.7);
    open_classless(&p, text, true);
    expect(do_motion(&p, "sit", "seat"));
    assert_true(sits_on(&p, "seat"));
    const fr_command away = {.name = "walk", .given = FR_COMMAND_GOAL, .goal = {1.9, 0, 3}};
    expect(carry_out(&p, &away));
    expect(do_motion(&p, "grasp", "thing"));
    expect(do_motion(&p, "put", "side board"));
    assert_true(lies_on(&p, "thing", "side board"));
    expect(carry_out(&p, &away));
    // The seat is somewhere else now.
    fr_pose pose = fr_object_get(fr_world_space(p.world), find(&p, "seat"))->pose;
    pose.position = fr_vec3_make(3.5, 0.0, 2.0);
    assert_int_equal(fr_object_set_pose(fr_world_space(p.world), find(&p, "seat"), &pose, NULL), FR_OK);
    expect(do_motion(&p, "sit", "seat"));
    assert_true(sits_on(&p, "seat"));
    // One that is gone affords nothing.
    expect(carry_out(&p, &away));
    fr_object_id gone = find(&p, "thing");
    fr_object_remove(fr_world_space(p.world), gone, NULL);
    assert_null(fr_cast_affords(p.cast, gone, 0));
    close_place(&p);
}

// Tables stand nearly along the walls.
static double turn(fr_random *r) { return 90.0 * (double)fr_random_below(r, 4) + fr_random_between(r, -8.0, 8.0); }

// Rooms by chance: enter, sit, take the thing, put it on the other table.
static void unknown_rooms_are_lived_in(void **state) {
    (void)state;
    int count = (int)test_count(1, 100), done[3] = {0};
    for (int i = 0; i < count; i++) {
        fr_random r = fr_random_seed((uint64_t)i + 1);
        double s, c, angle = turn(&r), along = fr_random_between(&r, -0.5, 0.5);
        double across = fr_random_between(&r, 0.15, 0.28), x = fr_random_between(&r, -2.5, -1.2);
        double z = fr_random_between(&r, 2.0, 3.5);
        char text[TEXT_BYTES];
        fr_sincos(fr_radians(angle), &s, &c);
        snprintf(text, sizeof text,
                 "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
                 "{\"name\":\"seat\",\"class\":\"chair\",\"position\":[%g,0,%g],\"axis_angle_deg\":[0,1,0,%g]},"
                 "{\"name\":\"board\",\"class\":\"table\",\"position\":[%g,0,%g],\"axis_angle_deg\":[0,1,0,%g]},"
                 "{\"name\":\"side board\",\"class\":\"table\",\"position\":[%g,0,%g],\"axis_angle_deg\":[0,1,0,%g]},"
                 "{\"name\":\"thing\",\"class\":\"cup\",\"position\":[%g,0.8,%g],\"axis_angle_deg\":[0,1,0,%g]}],"
                 "\"people\":[{\"name\":\"Mai\",\"position\":[%g,0,-2],\"detail\":\"coarse\"}]}",
                 fr_random_between(&r, -0.3, 0.3), fr_random_between(&r, 0.5, 3.5), fr_random_between(&r, -180, 180), x,
                 z, angle, fr_random_between(&r, 1.2, 2.5), fr_random_between(&r, 2.0, 3.5), turn(&r),
                 x + across * c + along * s, z - across * s + along * c, fr_random_between(&r, -180, 180),
                 fr_random_between(&r, -1, 1));
        place p;
        open_classless(&p, text, true);
        const char *why = do_motion(&p, "sit", "seat");
        if (why[0] != '\0') { print_message("room %d, sit: %s\n", i, why); }
        if (why[0] == '\0') { assert_true(sits_on(&p, "seat")); }
        done[0] += why[0] == '\0';
        why = reach_goal(&p, "thing held");
        if (why[0] != '\0') { print_message("room %d, take: %s\n", i, why); }
        done[1] += why[0] == '\0';
        why = reach_goal(&p, "thing on side board");
        if (why[0] != '\0') { print_message("room %d, put: %s\n", i, why); }
        if (why[0] == '\0') { assert_true(lies_on(&p, "thing", "side board")); }
        done[2] += why[0] == '\0';
        close_place(&p);
    }
    print_message("of %d rooms: sat in %d, taken in %d, put in %d\n", count, done[0], done[1], done[2]);
    assert_true(10 * (done[0] + done[1] + done[2]) >= 3 * 8 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_offered_depends_on_the_body),
        cmocka_unit_test(bodies_differ_in_one_room),
        cmocka_unit_test(what_is_offered_is_done),
        cmocka_unit_test(unknown_rooms_are_lived_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
