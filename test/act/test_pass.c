// Taking things on a walk that goes on: a cup anywhere on a table that is walked past anyhow. It is taken without a
// stop and without going into anything (dense sampling), or refused with a sentence that is true.
#include "../human/furniture.h"
#include "frame.h"

#include "fureai/act.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TICKS = 1500 };

typedef struct room {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_object_id cup;
    fr_pose in_palm;
    bool is_taken;
    double palm_error; // metres or radians, since the hand had closed
    double depth;      // metres, of hand, arm and cup in anything
    double jump;       // radians a second
    double slowest;    // of the body while the palm is at the cup, metres a second
    double nearest[2]; // metres from a shoulder to the cup, at least: right, left
    fr_quat turns[2][FR_LINK_COUNT];
    fr_vec3 place;
    uint32_t frames;
    bool is_there; // the palm
} room;

typedef struct tally {
    uint32_t tried, taken, refused_far, refused;
    double depth, jump, palm_error, slowest, seconds;
} tally;

static void open_room(room *r, const char *text) {
    fr_error error = {0};
    fr_library *library = r->library;
    memset(r, 0, sizeof *r);
    r->library = library;
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(library);
    if (fr_scene_read(text, strlen(text), &reading, &r->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world_def def = fr_scene_world_def(r->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &r->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(library);
    assert_int_equal(fr_scene_build_world(r->scene, &building, r->world, NULL, NULL), FR_OK);
    assert_int_equal(fr_scene_cast(r->scene, r->world, NULL, &r->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = r->cast;
    directing.library = library;
    assert_int_equal(fr_director_create_for_scene(&directing, r->scene, &r->director, NULL), FR_OK);
    r->cup = fr_world_find(r->world, "cup");
    r->slowest = r->nearest[0] = r->nearest[1] = INFINITY;
}

static void close_room(room *r) {
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_scene_destroy(r->scene);
}

static bool is_met(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)b;
    const room *r = context;
    bool is_cup = fr_object_id_equal(a, r->cup);
    return !fr_person_has(fr_director_get(r->director, 0).person, a) && !(is_cup && r->is_there);
}

static bool is_no_cup(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const room *r = context;
    return !fr_object_id_equal(a, r->cup) && is_met(space, a, b, context);
}

// Fingers that hold the cup touch it; the rest of the room they do not, and nor does the cup.
static void measure_depth(room *r, const fr_pose *links) {
    const fr_space *space = fr_world_space(r->world);
    const fr_figure *figure = fr_performer_get(fr_person_performer(fr_director_get(r->director, 0).person)).figure;
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_met;
    filter.context = r;
    if (!fr_space_is_current(space)) { return; }
    r->depth = fmax(r->depth, depth_of_arm(space, figure, links, false, &filter));
    if (!r->is_taken) { return; }
    filter.accept = is_no_cup;
    for (uint32_t t = 0; t < fr_object_get(space, r->cup)->triangle_count; t++) {
        fr_vec3 c[3];
        assert_int_equal(fr_object_corners(space, r->cup, t, c, NULL), FR_OK);
        for (int k = 0; k < 3; k++) {
            r->depth = fmax(r->depth, depth_of_point(space, c[k], &filter));
        }
    }
}

static void measure_jump(room *r, const fr_quat *now) {
    for (uint32_t i = 0; i < FR_LINK_COUNT && r->frames >= 2; i++) {
        fr_vec3 before = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(r->turns[0][i]), r->turns[1][i]));
        fr_vec3 after = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(r->turns[1][i]), now[i]));
        r->jump = fmax(r->jump, fr_vec3_distance(after, before) / fr_world_step(r->world));
    }
    memcpy(r->turns[0], r->turns[1], sizeof r->turns[0]);
    memcpy(r->turns[1], now, sizeof r->turns[1]);
    r->frames++;
}

static void measure_cup(room *r, const fr_pose *links, const fr_snapshot *seen) {
    fr_vec3 cup = fr_object_get(fr_world_space(r->world), r->cup)->pose.position;
    bool is_grasped = false;
    for (size_t i = 0; i < seen->event_count; i++) {
        r->is_there = r->is_there || strcmp(seen->events[i].name, "reached") == 0;
        is_grasped = is_grasped || strcmp(seen->events[i].name, "grasp") == 0;
    }
    fr_vec3 now = links[0].position;
    double speed = hypot(now.x - r->place.x, now.z - r->place.z) / fr_world_step(r->world);
    if (r->is_there && !r->is_taken) { r->slowest = fmin(r->slowest, speed); }
    r->place = now;
    fr_pose back = fr_pose_inverse(&links[FR_LINK_RIGHT_PALM]);
    fr_pose held = fr_pose_compose(&back, &fr_object_get(fr_world_space(r->world), r->cup)->pose);
    if (!r->is_taken && is_grasped) {
        r->in_palm = held;
        r->is_taken = true;
    }
    if (!r->is_taken) {
        r->nearest[0] = fmin(r->nearest[0], fr_vec3_distance(links[FR_LINK_RIGHT_UPPER_ARM].position, cup));
        r->nearest[1] = fmin(r->nearest[1], fr_vec3_distance(links[FR_LINK_LEFT_UPPER_ARM].position, cup));
        return;
    }
    r->palm_error = fmax(r->palm_error, fr_vec3_distance(held.position, r->in_palm.position));
    fr_quat apart = fr_quat_multiply(fr_quat_conjugate(held.rotation), r->in_palm.rotation);
    r->palm_error = fmax(r->palm_error, fr_vec3_length(fr_quat_to_vector(apart)));
}

// Carries a command out to its end.
static fr_command_end carry_out(room *r, const fr_command *command) {
    fr_error error = {0};
    if (fr_cast_command(r->cast, command, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_command_end end = {0};
    for (int i = 0; i < MAX_TICKS && end.ticket == 0; i++) {
        assert_int_equal(fr_cast_tick(r->cast, NULL, NULL), FR_OK);
        const fr_person *who = fr_director_get(r->director, 0).person;
        const fr_pose *links = fr_person_links(who);
        const fr_snapshot *seen = fr_world_snapshot(r->world);
        measure_cup(r, links, seen);
        fr_snapshot_release(seen);
        measure_jump(r, fr_performer_get(fr_person_performer(who)).posture.turns);
        if (fr_vec3_distance(links[FR_LINK_RIGHT_PALM].position,
                             fr_object_get(fr_world_space(r->world), r->cup)->pose.position) < 0.5) {
            measure_depth(r, links);
        }
        while (end.ticket == 0 && fr_cast_ended(r->cast, &end)) {}
    }
    return end;
}

static fr_library *library;

static int open_library(void **state) {
    (void)state;
    return fr_library_open(OBJECT_FOLDER, NULL, &library, NULL) == FR_OK ? 0 : 1;
}

static int close_library(void **state) {
    (void)state;
    fr_library_destroy(library);
    return 0;
}

// A table, a cup near its edge that is turned anyhow, and a walk along that edge.
static fr_command_end walk_past(room *r, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    double along = fr_random_between(&random, -0.3, 0.3), in = fr_random_between(&random, 0.05, 0.15);
    double turn = fr_random_between(&random, -180.0, 180.0), beside = fr_random_between(&random, 0.28, 0.4);
    double from = fr_random_between(&random, -1.8, -1.0), to = fr_random_between(&random, 0.8, 1.6);
    char text[1024], speed[32];
    snprintf(
        text, sizeof text,
        "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\",\"position\":[0,-0.001,0]},"
        "{\"name\":\"table\",\"class\":\"table\",\"position\":[0,0,0],\"axis_angle_deg\":[0,1,0,90]},"
        "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[%.4f,0.8,%.4f],\"axis_angle_deg\":[0,1,0,%.2f]}],"
        "\"people\":[{\"name\":\"Mai\",\"stature\":1.62,\"seed\":%u,\"position\":[%.4f,0,%.4f],\"heading_deg\":90}]}",
        along, -0.35 + in, turn, (unsigned)seed, from, -0.35 - beside);
    snprintf(speed, sizeof speed, "%.3f", fr_random_between(&random, 0.5, 0.9));
    r->library = library;
    open_room(r, text);
    const fr_command_parameter own = {"speed", speed};
    const fr_command fused[3] = {
        {.name = "reach", .object = r->cup}, {.name = "take", .object = r->cup}, {.name = "carry", .object = r->cup}};
    const fr_command walk = {.name = "walk",
                             .person = "Mai",
                             .ticket = 1,
                             .given = FR_COMMAND_GOAL | FR_COMMAND_FACING,
                             .goal = fr_vec3_make(to, 0, -0.35 - beside),
                             .facing = fr_radians(90.0),
                             .parameters = &own,
                             .parameter_count = 1,
                             .fused = fused,
                             .fused_count = 3};
    return carry_out(r, &walk);
}

static void note_walk(uint64_t seed, const room *r, const fr_command_end *end, tally *t) {
    t->tried++;
    assert_int_equal(end->ticket, 1);
    if (end->status == FR_OK) {
        bool is_right = r->is_taken && r->palm_error < 1e-6 && r->depth <= 0.002 && r->jump <= 4.0 && r->slowest > 0.1;
        if (!is_right) {
            fail_msg("walk %u: taken %d, %.1e in the palm, %.2f mm deep, jump %.2f rad/s, %.2f m/s", (unsigned)seed,
                     r->is_taken, r->palm_error, 1e3 * r->depth, r->jump, r->slowest);
        }
        t->taken++;
        t->depth = fmax(t->depth, r->depth);
        t->jump = fmax(t->jump, r->jump);
        t->palm_error = fmax(t->palm_error, r->palm_error);
        t->slowest = fmin(t->slowest, r->slowest);
        return;
    }
    // Refused before the first step: nothing has moved.
    if (end->message[0] == '\0' || r->is_taken || r->frames > 2) {
        fail_msg("walk %u: '%s' after %u frames", (unsigned)seed, end->message, (unsigned)r->frames);
    }
    t->refused++;
    t->refused_far += strstr(end->message, "nearer") != NULL;
}

static void test_cups_are_taken_on_the_way(void **state) {
    (void)state;
    tally t = {.slowest = INFINITY};
    uint64_t count = test_count(16, 1000);
    for (uint64_t i = 0; i < count; i++) {
        if (!test_is_in_part(i, count)) { continue; }
        room r = {0};
        fr_command_end end = walk_past(&r, 1000 + i);
        if (end.status != FR_OK) { print_message("%u: %s\n", (unsigned)(1000 + i), end.message); }
        note_walk(1000 + i, &r, &end, &t);
        close_room(&r);
    }
    print_message("%u of %u taken, %u refused; %.2f mm deep, jump %.2f rad/s, %.1e in the palm, %.2f m/s at least\n",
                  t.taken, t.tried, t.refused, 1e3 * t.depth, t.jump, t.palm_error, t.slowest);
    assert_true(6 * t.taken >= t.tried); // measured: 50 of 160; the rest is refused before the first step
}

// What is said of a walk that never comes near is how far it stays away.
static void test_a_walk_that_stays_away_is_refused(void **state) {
    (void)state;
    room r = {.library = library};
    open_room(&r, "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
                  "{\"name\":\"cup\",\"class\":\"cup\",\"position\":[0,0.8,3]}],"
                  "\"people\":[{\"name\":\"Mai\",\"position\":[-1,0,0],\"heading_deg\":90}]}");
    const fr_command reach = {.name = "reach", .object = r.cup};
    const fr_command walk = {.name = "walk",
                             .person = "Mai",
                             .ticket = 1,
                             .given = FR_COMMAND_GOAL,
                             .goal = fr_vec3_make(1, 0, 0),
                             .fused = &reach,
                             .fused_count = 1};
    fr_command_end end = carry_out(&r, &walk);
    assert_int_equal(end.status, FR_ERROR_ARGUMENT);
    assert_non_null(strstr(end.message, "the hand comes no nearer to 'cup' than 2."));
    assert_true(r.frames <= 2);
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cups_are_taken_on_the_way),
                                       cmocka_unit_test(test_a_walk_that_stays_away_is_refused)};
    return cmocka_run_group_tests(tests, open_library, close_library);
}
