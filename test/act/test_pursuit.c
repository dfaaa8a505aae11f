// Goals as commands, carried out by people in a world: words and what is refused, chains that are performed and looked
// at by other means than the search, objects that are moved on the way, and what stands in the way.
#include "directed_place.h"

#include <math.h>

enum { TEXT_BYTES = 1 << 13, TICKS_MAX = 6000 };

static void open_ticked(place *p, const char *text) {
    open_place(p, text, false);
    assert_int_equal(fr_cast_tick(p->cast, NULL, NULL), FR_OK);
}

static fr_status command(const place *p, const char *want, uint64_t ticket, fr_error *error) {
    const fr_command_parameter parameter = {FR_DIRECTOR_WANT, want};
    const fr_command c = {.name = FR_DIRECTOR_GOAL, .parameters = &parameter, .parameter_count = 1, .ticket = ticket};
    return fr_cast_command(p->cast, &c, error);
}

// Called after each tick of a goal.
typedef void during_fn(place *p, int tick, void *context);

// Gives a goal and ticks until it is over; how it ended.
static fr_command_end pursue(place *p, const char *want, during_fn *during, void *context) {
    fr_error error = {0};
    fr_command_end end = {0};
    if (command(p, want, 7, &error) != FR_OK) { fail_msg("%s: %s", want, error.message); }
    for (int i = 0; i < TICKS_MAX; i++) {
        assert_int_equal(fr_cast_tick(p->cast, NULL, NULL), FR_OK);
        if (during != NULL) { during(p, i, context); }
        if (!fr_cast_ended(p->cast, &end)) { continue; }
        assert_int_equal(end.ticket, 7);
        assert_false(fr_cast_ended(p->cast, &end));
        return end;
    }
    fail_msg("%s is not over", want);
    return end;
}

static void expect_done(place *p, const char *want) {
    fr_command_end end = pursue(p, want, NULL, NULL);
    if (end.status != FR_OK) { fail_msg("%s: %s", want, end.message); }
}

// ---------------------------------------------------------------------------------------------------------------
// What is so, by the shapes

static fr_bounds box_of(const place *p, const char *name) {
    fr_bounds box;
    assert_int_equal(fr_object_bounds(fr_world_space(p->world), find(p, name), &box, NULL), FR_OK);
    return box;
}

// Its lowest point is at the height of the other's top, over it, and no hand has it.
static bool lies_on(const place *p, const char *thing, const char *support) {
    fr_bounds a = box_of(p, thing), b = box_of(p, support);
    double x = 0.5 * ((double)a.min.x + (double)a.max.x), z = 0.5 * ((double)a.min.z + (double)a.max.z);
    bool is_over = x > (double)b.min.x && x < (double)b.max.x && z > (double)b.min.z && z < (double)b.max.z;
    return is_over && fabs((double)a.min.y - (double)b.max.y) < 0.006 && fr_cast_claim(p->cast, find(p, thing)) == NULL;
}

static bool is_carried(const place *p, const char *thing) {
    const fr_claim *claim = fr_cast_claim(p->cast, find(p, thing));
    fr_cast_person person;
    if (claim == NULL || !fr_cast_get_person(p->cast, 0, &person)) { return false; }
    fr_vec3 at = fr_object_get(fr_world_space(p->world), find(p, thing))->pose.position;
    return fmin(fr_vec3_distance(at, person.palms[0]), fr_vec3_distance(at, person.palms[1])) < 0.2;
}

static bool is_in(const place *p, const char *name, const char *state) {
    return fr_world_state(p->world, find(p, name), state) == 1.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Rooms

static const char simple_room[] =
    "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
    "{\"name\":\"table\",\"class\":\"table\",\"position\":[2.5,0,2.5]},"
    "{\"name\":\"other table\",\"class\":\"table\",\"position\":[4.5,0,3.5],\"axis_angle_deg\":[0,1,0,90]},"
    "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[2.4,0.8,2.1]}],"
    "\"people\":[{\"name\":\"Mai\",\"position\":[1,0,1],\"detail\":\"coarse\"}]}";

static void expect_refused(const place *p, const char *want, const char *words) {
    fr_error error = {0};
    assert_int_not_equal(command(p, want, 1, &error), FR_OK);
    if (strcmp(error.message, words) != 0) { fail_msg("%s: %s", want, error.message); }
}

static void words_are_read_or_refused(void **state) {
    (void)state;
    place p;
    open_ticked(&p, simple_room);
    expect_refused(&p, "cpu on table", "there is no object 'cpu'; did you mean 'cup'?");
    expect_refused(&p, "cup on tabel", "there is no object 'tabel'; did you mean 'table'?");
    expect_refused(&p, "cup", "what is to be so of 'cup'? A state, held, or on something");
    expect_refused(&p, "cup open", "'cup' is in no states; it may be held, or on something");
    expect_refused(&p, "", "a goal needs the name of an object");
    expect_refused(&p, "cup held and", "a goal needs the name of an object");
    expect_refused(&p, "nut* off", "there is no object 'nut*'");
    const fr_command bare = {.name = FR_DIRECTOR_GOAL};
    fr_error error = {0};
    assert_int_equal(fr_cast_command(p.cast, &bare, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, "'goal' needs 'want', as in \"cup on table\"");
    const fr_command_parameter parameters[2] = {{FR_DIRECTOR_WANT, "cup held"}, {"hand", "left"}};
    const fr_command more = {.name = FR_DIRECTOR_GOAL, .parameters = parameters, .parameter_count = 2};
    assert_int_equal(fr_cast_command(p.cast, &more, &error), FR_ERROR_ARGUMENT);
    const fr_command fused = {
        .name = FR_DIRECTOR_GOAL, .parameters = parameters, .parameter_count = 1, .fused = &bare, .fused_count = 1};
    assert_int_equal(fr_cast_command(p.cast, &fused, &error), FR_ERROR_ARGUMENT);
    // Names with blanks, `is`, commas and patterns; what is so already needs no motion.
    assert_int_equal(command(&p, "  cup  is on table ,c* on table and cup on table", 3, &error), FR_OK);
    assert_int_equal(fr_cast_tick(p.cast, NULL, NULL), FR_OK);
    fr_command_end end = {0};
    assert_true(fr_cast_ended(p.cast, &end));
    assert_int_equal(end.status, FR_OK);
    char many[TEXT_BYTES] = "cup held";
    for (uint32_t i = 0; i < FR_GOAL_MAX_CONDITIONS; i++) {
        strcat(many, ",cup held");
    }
    assert_int_equal(command(&p, many, 1, &error), FR_ERROR_LIMIT);
    close_place(&p);
}

static void a_cup_is_taken_and_put_on_another_table(void **state) {
    (void)state;
    place p;
    open_ticked(&p, simple_room);
    assert_true(lies_on(&p, "cup", "table"));
    expect_done(&p, "cup held");
    assert_true(is_carried(&p, "cup") && !lies_on(&p, "cup", "table"));
    expect_done(&p, "cup on other table");
    assert_true(lies_on(&p, "cup", "other table"));
    assert_int_equal(fr_director_get(p.director, 0).done, 2);
    fr_command_end end = pursue(&p, "cup on floor", NULL, NULL);
    assert_int_equal(end.status, FR_ERROR_ARGUMENT);
    assert_non_null(strstr(end.message, "nothing brings 'cup' onto 'floor'"));
    end = pursue(&p, "table on other table", NULL, NULL);
    assert_int_equal(end.status, FR_ERROR_ARGUMENT);
    close_place(&p);
}

static int palm_of(const place *p, const char *thing) {
    fr_cast_person person;
    assert_true(fr_cast_get_person(p->cast, 0, &person));
    fr_vec3 at = fr_object_get(fr_world_space(p->world), find(p, thing))->pose.position;
    return fr_vec3_distance(at, person.palms[0]) < fr_vec3_distance(at, person.palms[1]) ? 0 : 1;
}

// Of what the hand has nothing is known, and yet it is full.
static void a_second_thing_goes_to_the_other_hand(void **state) {
    (void)state;
    static const char room[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
                               "{\"name\":\"table\",\"class\":\"table\",\"position\":[2.5,0,2.5]},"
                               "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[2.4,0.8,2.2]},"
                               "{\"name\":\"other cup\",\"class\":\"cup\",\"position\":[2.8,0.8,2.2]}],"
                               "\"people\":[{\"name\":\"Mai\",\"position\":[1,0,1],\"detail\":\"coarse\"}]}";
    place p;
    open_ticked(&p, room);
    expect_done(&p, "cup held");
    assert_int_equal(fr_director_set_class(p.director, find(&p, "cup"), NULL, NULL), FR_OK);
    expect_done(&p, "other cup held");
    assert_true(is_carried(&p, "cup") && is_carried(&p, "other cup"));
    assert_int_not_equal(palm_of(&p, "cup"), palm_of(&p, "other cup"));
    close_place(&p);
}

// A joint is moved to a value that the class only asks for.
static void a_lever_is_set(void **state) {
    (void)state;
    static const char room[] =
        "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
        "{\"name\":\"lever\",\"class\":\"lever\",\"position\":[0,1.1,1],\"axis_angle_deg\":[0,1,0,180]}],"
        "\"people\":[{\"name\":\"Mai\",\"position\":[0.5,0,-1],\"detail\":\"coarse\"}]}";
    static const char lever[] =
        "{\"fureai\":1,\"shapes\":[\"lever.obj\"],\"frames\":[{\"name\":\"grip\",\"position\":[0,0,0.14]}],"
        "\"states\":[{\"name\":\"rest\",\"affords\":[{\"motion\":\"slide\",\"human\":[{\"skill\":\"slide\"}],"
        "\"object\":{\"skill\":\"lever\",\"parameters\":{\"threshold\":0.07,\"knob\":\"grip\"}},"
        "\"asks\":[\"value\"],\"parameters\":{\"frame\":\"grip\"}}],"
        "\"transitions\":[{\"when\":{\"value\":\"at_least\",\"than\":0.4},\"to\":\"set\"}]},"
        "{\"name\":\"set\",\"affords\":[{\"motion\":\"look\",\"human\":[{\"skill\":\"look_at\"}]}]}]}";
    place p;
    open_ticked(&p, room);
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "switch";
    fr_class *c;
    fr_error error = {0};
    if (fr_class_read(lever, sizeof lever - 1, &input, &c, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_director_set_class(p.director, find(&p, "lever"), c, NULL), FR_OK);
    fr_class_release(c);
    expect_done(&p, "lever set");
    assert_true(is_in(&p, "lever", "set"));
    close_place(&p);
}

// What shall be put on a free spot is put nowhere else.
static void without_a_free_spot_nothing_is_put(void **state) {
    (void)state;
    place p;
    open_ticked(&p, simple_room);
    expect_done(&p, "cup held");
    fr_pose pose = fr_object_get(fr_world_space(p.world), find(&p, "table"))->pose; // a slope has none
    pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(10.0));
    assert_int_equal(fr_object_set_pose(fr_world_space(p.world), find(&p, "table"), &pose, NULL), FR_OK);
    const fr_command put = {.name = "put", .object = find(&p, "table"), .ticket = 5};
    fr_error error = {0};
    if (fr_cast_command(p.cast, &put, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_command_end end = {0};
    for (int i = 0; i < TICKS_MAX && !fr_cast_ended(p.cast, &end); i++) {
        assert_int_equal(fr_cast_tick(p.cast, NULL, NULL), FR_OK);
    }
    assert_string_equal(end.message, "no spot of 'table' is free within reach");
    assert_true(is_carried(&p, "cup"));
    close_place(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// The world changes on the way

typedef struct mover {
    int at, count; // tick; times that it was moved
    fr_vec3 to;
    bool waits; // until a hand has it
} mover;

static void move_cup(place *p, int tick, void *context) {
    mover *m = context;
    bool is_held = fr_cast_claim(p->cast, find(p, "cup")) != NULL;
    if (tick < m->at || m->count > 0 || is_held) { return; }
    fr_pose pose = fr_object_get(fr_world_space(p->world), find(p, "cup"))->pose;
    pose.position = m->to;
    assert_int_equal(fr_object_set_pose(fr_world_space(p->world), find(p, "cup"), &pose, NULL), FR_OK);
    m->count++;
}

static void what_was_moved_away_is_followed(void **state) {
    (void)state;
    int count = (int)test_count(2, 20), moved = 0;
    for (int i = 0; i < count; i++) {
        place p;
        open_ticked(&p, simple_room);
        // Before the walk begins, while it lasts, and shortly before the hand is there.
        mover m = {.at = 1 + 60 * i / (count / 4 + 1), .to = {4.3 + 0.05 * (i % 8), 0.8, 3.15}};
        fr_command_end end = pursue(&p, "cup on other table and cup on table", NULL, NULL);
        assert_int_equal(end.status, FR_ERROR_ARGUMENT); // on two things at once
        end = pursue(&p, "cup held", move_cup, &m);
        if (end.status != FR_OK) { fail_msg("%d: %s", i, end.message); }
        moved += m.count; // a hand may have it already
        assert_true(is_carried(&p, "cup"));
        close_place(&p);
    }
    assert_true(2 * moved >= count);
}

// ---------------------------------------------------------------------------------------------------------------
// What stands in the way

static void what_stands_in_the_way_ends_the_goal(void **state) {
    (void)state;
    // The cup is behind walls and a door that is no one's to open here.
    static const char closed_room[] =
        "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
        "{\"name\":\"left wall\",\"shape\":\"box\",\"position\":[1,1,3],\"scale\":2},"
        "{\"name\":\"table\",\"class\":\"table\",\"position\":[4,0,3]},"
        "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[4,0.8,3]},"
        "%s],\"people\":[{\"name\":\"Mai\",\"position\":[-2,0,1],\"detail\":\"coarse\"}]}";
    char walls[TEXT_BYTES / 2] = "", text[TEXT_BYTES];
    size_t size = 0;
    for (int i = 0; i < 4; i++) { // a ring of boxes of 2 m about the table
        for (int k = -1; k <= 2; k++) {
            double x = i < 2    ? 4.0 + 2.0 * k - 1.0
                       : i == 2 ? 1.0
                                : 7.0,
                   z = i == 0   ? 0.0
                       : i == 1 ? 6.0
                                : 2.0 * k + 2.0;
            size += (size_t)snprintf(walls + size, sizeof walls - size,
                                     "%s{\"name\":\"wall %d%c\",\"shape\":\"box\",\"scale\":2,\"position\":[%g,1,%g]}",
                                     size > 0 ? "," : "", i, 'a' + k + 1, x, z);
        }
    }
    snprintf(text, sizeof text, closed_room, walls);
    place p;
    open_ticked(&p, text);
    fr_command_end end = pursue(&p, "cup held", NULL, NULL);
    assert_int_equal(end.status, FR_ERROR_ARGUMENT);
    if (strstr(end.message, "blocks the path") == NULL || strstr(end.message, "'pick up' cannot be done") == NULL) {
        fail_msg("%s", end.message);
    }
    // `stop` ends it, and the next command is taken.
    fr_error error = {0};
    assert_int_equal(command(&p, "cup held", 9, &error), FR_OK);
    const fr_command stop = {.name = FR_DIRECTOR_STOP, .person = "Mai"};
    assert_int_equal(fr_cast_command(p.cast, &stop, NULL), FR_OK);
    assert_int_equal(fr_cast_tick(p.cast, NULL, NULL), FR_OK);
    assert_true(fr_cast_ended(p.cast, &end));
    assert_int_equal(end.status, FR_ERROR_STOPPED);
    close_place(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// A workshop

static const char workshop[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
                               "{\"name\":\"machine\",\"class\":\"machine\",\"position\":[0,0,1]},"
                               "{\"name\":\"cover\",\"class\":\"cover\",\"position\":[0,0.85,1]},"
                               "{\"name\":\"nut1\",\"class\":\"nut\",\"position\":[0.13,0.869,1.11]%s},"
                               "{\"name\":\"nut2\",\"class\":\"nut\",\"position\":[0.13,0.869,0.89]%s},"
                               "{\"name\":\"nut3\",\"class\":\"nut\",\"position\":[-0.13,0.869,0.89]%s},"
                               "{\"name\":\"nut4\",\"class\":\"nut\",\"position\":[-0.13,0.869,1.11]%s},"
                               "{\"name\":\"wrench\",\"class\":\"wrench\",\"position\":[0.05,0.906,0.83]}],"
                               "\"people\":[{\"name\":\"Aya\",\"position\":[%g,0,%g],\"detail\":\"coarse\"}]}";

// Nuts that are off already, by bits; where the person is.
static void open_workshop(place *p, unsigned off, double x, double z) {
    char text[TEXT_BYTES];
    const char *states[4];
    for (int i = 0; i < 4; i++) {
        states[i] = (off >> i & 1u) != 0 ? ",\"states\":{\"off\":1}" : "";
    }
    snprintf(text, sizeof text, workshop, states[0], states[1], states[2], states[3], x, z);
    open_ticked(p, text);
}

static int count_off(const place *p) {
    int count = 0;
    for (int i = 1; i <= 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "nut%d", i);
        count += is_in(p, name, "off") || is_in(p, name, "on_cover");
    }
    return count;
}

static void force_nut(place *p, int tick, void *context) {
    int *at = context;
    if (tick != *at) { return; }
    assert_int_equal(fr_world_set_state(p->world, find(p, "nut1"), "off", 1.0, NULL), FR_OK);
}

// From any place, and with any nuts off already, a cover comes off: nuts before it, and by the wrench.
static void covers_come_off(void **state) {
    (void)state;
    fr_random random = fr_random_seed(29);
    int count = (int)test_count(2, 12), done = 0;
    for (int i = 0; i < count; i++) {
        unsigned off = i == 0 ? 0xe : (unsigned)fr_random_below(&random, 16);
        place p;
        open_workshop(&p, off, fr_random_between(&random, -1.5, 1.5), fr_random_between(&random, -1.0, 0.3));
        fr_command_end end = pursue(&p, "cover in_hand", NULL, NULL);
        if (end.status == FR_OK) {
            assert_true(is_in(&p, "cover", "in_hand"));
            assert_int_equal(count_off(&p), 4);
            assert_true(box_of(&p, "cover").min.y > 0.9F);
            done++;
        } else {
            print_message("%x: %s\n", off, end.message);
            assert_true(strlen(end.message) > 0 && !is_in(&p, "cover", "in_hand"));
        }
        close_place(&p);
    }
    print_message("%d of %d covers\n", done, count);
    assert_true(10 * done >= 9 * count);
    // A nut that another takes off meanwhile is turned no more.
    place p;
    open_workshop(&p, 0xe, 0.05, 0.42);
    int at = 150;
    fr_command_end end = pursue(&p, "cover in_hand", force_nut, &at);
    if (end.status != FR_OK) { fail_msg("%s", end.message); }
    assert_true(is_in(&p, "cover", "in_hand"));
    close_place(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Goals by chance

static void put_room(char text[TEXT_BYTES], fr_random *r, int goal) {
    double x[2], z[2];
    x[0] = fr_random_between(r, -2.5, -1.2);
    z[0] = fr_random_between(r, 1.5, 3.0);
    x[1] = fr_random_between(r, 1.2, 2.5);
    z[1] = fr_random_between(r, 1.5, 3.0);
    // The cup stands within 0.2 m of a long edge.
    int on = goal % 2;
    double angle[2] = {fr_random_between(r, -180, 180), fr_random_between(r, -180, 180)};
    double s, c, along = fr_random_between(r, -0.5, 0.5), across = fr_random_between(r, 0.12, 0.28);
    across *= fr_random_below(r, 2) == 0 ? 1.0 : -1.0;
    fr_sincos(fr_radians(angle[on]), &s, &c);
    snprintf(text, TEXT_BYTES,
             "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
             "{\"name\":\"table 0\",\"class\":\"table\",\"position\":[%g,0,%g],\"axis_angle_deg\":[0,1,0,%g]},"
             "{\"name\":\"table 1\",\"class\":\"table\",\"position\":[%g,0,%g],\"axis_angle_deg\":[0,1,0,%g]},"
             "{\"name\":\"chair\",\"class\":\"chair\",\"position\":[0,0,2],\"axis_angle_deg\":[0,1,0,%g]},"
             "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[%g,0.8,%g],\"axis_angle_deg\":[0,1,0,%g]}],"
             "\"people\":[{\"name\":\"Mai\",\"position\":[%g,0,%g],\"heading_deg\":%g,\"detail\":\"coarse\"}]}",
             x[0], z[0], angle[0], x[1], z[1], angle[1], fr_random_between(r, -180, 180),
             x[on] + across * c + along * s, z[on] - across * s + along * c, fr_random_between(r, -180, 180),
             fr_random_between(r, -1, 1), fr_random_between(r, -1.5, 0), fr_random_between(r, -180, 180));
}

// A cup somewhere on one of two tables; it is to be on the other one, held, or on something that is no support.
static void goals_are_reached_or_refused(void **state) {
    (void)state;
    static const char *const wants[] = {"cup on table 1", "cup on table 0", "cup held",
                                        "cup held and chair on table 0"};
    int count = (int)test_count(5, 200), done = 0, refused = 0, missed = 0;
    for (int i = 0; i < count; i++) {
        fr_random random = fr_random_seed((uint64_t)i + 1);
        char text[TEXT_BYTES];
        place p;
        int goal = i % 5 == 4 ? 3 : i % 3;
        put_room(text, &random, goal);
        open_ticked(&p, text);
        fr_command_end end = pursue(&p, wants[goal], NULL, NULL);
        if (goal == 3) {
            assert_int_equal(end.status, FR_ERROR_ARGUMENT);
            refused++;
        } else if (end.status == FR_OK) {
            bool is_so = goal == 2 ? is_carried(&p, "cup") : lies_on(&p, "cup", wants[goal] + 7);
            if (!is_so) { fail_msg("%d: '%s' is not so", i, wants[goal]); }
            done++;
        } else {
            print_message("%d: %s\n", i, end.message);
            assert_true(strlen(end.message) > 0);
            missed++;
        }
        close_place(&p);
    }
    print_message("%d reached, %d proven impossible, %d given up\n", done, refused, missed);
    assert_true(20 * missed <= count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_read_or_refused),
        cmocka_unit_test(a_cup_is_taken_and_put_on_another_table),
        cmocka_unit_test(a_second_thing_goes_to_the_other_hand),
        cmocka_unit_test(a_lever_is_set),
        cmocka_unit_test(without_a_free_spot_nothing_is_put),
        cmocka_unit_test(what_was_moved_away_is_followed),
        cmocka_unit_test(what_stands_in_the_way_ends_the_goal),
        cmocka_unit_test(covers_come_off),
        cmocka_unit_test(goals_are_reached_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
