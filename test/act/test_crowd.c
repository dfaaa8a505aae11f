// People who walk among things and one another: paths over the floor, who waits and who steps aside, what is refused.
#include "failing.h"
#include "heap_calls.h"
#include "peopled.h"

#include "act/director.h"

#include "fureai/act_director.h"

#include <math.h>
#include <stdio.h>

#define MAX_PEOPLE 40

// A hall with people and boxes. People have no objects of their own.
typedef struct hall {
    peopled w;
    fr_director *director;
    fr_object_id boxes[64];
    fr_bounds sizes[64]; // in the world, as they were put
    uint32_t box_count;
    fr_task_pool *pool;
    fr_tasks tasks;
    double nearest; // of two people: what is left beyond their radii
    double into;    // how far a middle was inside of a box
} hall;

static void open_hall(hall *h, int threads) {
    memset(h, 0, sizeof *h);
    h->w = shared;
    h->nearest = HUGE_VAL;
    h->into = -HUGE_VAL;
    fr_world_def def = fr_default_world_def();
    def.step = STEP;
    assert_int_equal(fr_world_create(&def, &h->w.world, NULL), FR_OK);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = h->w.world;
    assert_int_equal(fr_cast_create(&cast, &h->w.cast, NULL), FR_OK);
    fr_director_def director = fr_default_director_def();
    director.cast = h->w.cast;
    if (threads > 1) {
        fr_task_pool_def pool = fr_default_task_pool_def();
        pool.worker_count = threads;
        assert_int_equal(fr_task_pool_create(&pool, &h->pool, NULL), FR_OK);
        h->tasks = fr_task_pool_tasks(h->pool);
        director.tasks = &h->tasks;
    }
    assert_int_equal(fr_director_create(&director, &h->director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(h->director);
    assert_int_equal(fr_cast_add(h->w.cast, &actor, NULL), FR_OK);
}

static void close_hall(hall *h) {
    close_world(&h->w);
    fr_task_pool_destroy(h->pool);
}

// A box on the floor, from x, z of so much width and depth.
static fr_object_id add_box(hall *h, const char *name, double x, double z, double width, double depth) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(width, 1.2, depth), NULL, &mesh, NULL), FR_OK);
    fr_object_id id = add_mesh(h->w.world, mesh, fr_vec3_make(x + 0.5 * width, 0.6, z + 0.5 * depth), 0);
    fr_mesh_release(mesh);
    fr_label label = fr_default_label();
    label.name = name;
    assert_int_equal(fr_world_set_label(h->w.world, id, &label, NULL), FR_OK);
    h->sizes[h->box_count] = (fr_bounds){{x, 0.0, z}, {x + width, 1.2, z + depth}};
    h->boxes[h->box_count++] = id;
    return id;
}

static void add_person(hall *h, double x, double z, double heading) {
    char name[8];
    (void)snprintf(name, sizeof name, "p%u", (unsigned)fr_director_person_count(h->director));
    fr_person_def person = fr_default_person_def();
    person.name = name;
    person.skeleton = h->w.skeleton;
    person.walk_set = h->w.set;
    person.place = fr_vec3_make(x, 0.0, z);
    person.heading = heading;
    person.world = h->w.world;
    assert_int_equal(fr_director_add_person(h->director, &person, NULL), FR_OK);
}

static void go(hall *h, uint32_t person, double x, double z) {
    char name[8];
    (void)snprintf(name, sizeof name, "p%u", (unsigned)person);
    fr_command command = {.name = "walk", .person = name, .given = FR_COMMAND_GOAL, .goal = {x, 0.0, z}};
    command.ticket = person + 1;
    fr_error error = {0};
    if (fr_cast_command(h->w.cast, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static fr_vec3 place(const hall *h, uint32_t person) {
    return fr_person_links(fr_director_get(h->director, person).person)[0].position;
}

// How deep a point is in a rectangle; below 0: how far outside.
static double depth_in(const fr_bounds *box, fr_vec3 p) {
    double x = fmin(p.x - box->min.x, box->max.x - p.x), z = fmin(p.z - box->min.z, box->max.z - p.z);
    if (x >= 0.0 && z >= 0.0) { return fmin(x, z); }
    return -hypot(fmin(x, 0.0), fmin(z, 0.0));
}

// Every pair in every tick, by brute force.
static void measure(hall *h) {
    uint32_t count = fr_director_person_count(h->director);
    for (uint32_t a = 0; a < count; a++) {
        fr_vec3 p = place(h, a);
        for (uint32_t b = a + 1; b < count; b++) {
            fr_vec3 q = place(h, b);
            double radii = fr_director_get(h->director, a).radius + fr_director_get(h->director, b).radius;
            h->nearest = fmin(h->nearest, hypot(p.x - q.x, p.z - q.z) - radii);
        }
        for (uint32_t i = 0; i < h->box_count; i++) {
            h->into = fmax(h->into, depth_in(&h->sizes[i], p));
        }
    }
}

// Ticks until all that was commanded is over; how many commands ended well, and the last reason.
static uint32_t run(hall *h, uint32_t commands, int max_ticks, char *reason, size_t size) {
    uint32_t over = 0, done = 0;
    if (size > 0) { reason[0] = '\0'; }
    for (int k = 0; k < max_ticks && over < commands; k++) {
        tick(&h->w);
        measure(h);
        fr_command_end end;
        while (fr_cast_ended(h->w.cast, &end)) {
            over++;
            done += end.status == FR_OK;
            if (end.status == FR_OK) { continue; }
            assert_true(end.message[0] != '\0');
            if (size > 0) { (void)snprintf(reason, size, "%s", end.message); }
        }
    }
    assert_int_equal(over, commands);
    assert_true(h->nearest >= -0.02);
    return done;
}

// ---------------------------------------------------------------------------------------------------------------

static void walks_go_round_what_stands(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_person(&h, 0.0, 0.0, 0.0);
    add_box(&h, "table", -1.0, 2.0, 2.0, 1.0);
    add_box(&h, "shelf", 1.6, 1.0, 0.4, 3.0); // 0.6 m beside the table
    go(&h, 0, 0.2, 5.0);
    assert_int_equal(run(&h, 1, 3000, NULL, 0), 1);
    assert_true(hypot(place(&h, 0).x - 0.2, place(&h, 0).z - 5.0) < 2e-3);
    assert_true(h.into < -0.10);
    close_hall(&h);
}

static void what_is_in_the_way_is_named(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_person(&h, 0.0, 0.0, 0.0);
    add_box(&h, "left wall", -4.0, 3.0, 3.6, 0.2);
    add_box(&h, "right wall", 0.4, 3.0, 3.6, 0.2);
    fr_object_id door = add_box(&h, "door", -0.4, 3.05, 0.8, 0.1);
    add_box(&h, "west", -4.2, 3.0, 0.2, 4.0);
    add_box(&h, "east", 4.0, 3.0, 0.2, 4.0);
    add_box(&h, "north", -4.2, 7.0, 8.4, 0.2);
    fr_joint joint = {0};
    joint.child = door;
    joint.kind = FR_JOINT_HINGE;
    fr_pose hinge = fr_pose_make(fr_vec3_make(-0.4, 0.6, 3.1), fr_quat_from_axis_angle((fr_vec3){1, 0, 0}, 1.5707963));
    joint.frame_parent = hinge;
    fr_pose pose = fr_object_get(fr_world_space(h.w.world), door)->pose, back = fr_pose_inverse(&pose);
    joint.frame_child = fr_pose_compose(&back, &hinge);
    joint.low = 0.0;
    joint.high = 1.5;
    fr_joint_id id;
    fr_error error = {0};
    if (fr_joint_add(fr_world_space(h.w.world), &joint, &id, &error) != FR_OK) { fail_msg("%s", error.message); }
    char reason[200];
    go(&h, 0, 1.0, 5.0); // behind the door
    assert_int_equal(run(&h, 1, 100, reason, sizeof reason), 0);
    assert_string_equal(reason, "door blocks the path");
    go(&h, 0, 2.0, 3.1); // in a wall
    assert_int_equal(run(&h, 1, 100, reason, sizeof reason), 0);
    assert_string_equal(reason, "right wall blocks the path");
    // The door is opened: the way is free.
    fr_pose open = pose;
    open.position = fr_vec3_make(-0.4, 0.6, 3.5);
    open.rotation = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, 1.5707963);
    assert_int_equal(fr_joint_remove(fr_world_space(h.w.world), id, NULL), FR_OK);
    assert_int_equal(fr_object_set_pose(fr_world_space(h.w.world), door, &open, NULL), FR_OK);
    h.sizes[2] = (fr_bounds){{-0.45, 0.0, 3.1}, {-0.35, 1.2, 3.9}};
    go(&h, 0, 1.0, 5.0);
    assert_int_equal(run(&h, 1, 3000, reason, sizeof reason), 1);
    close_hall(&h);
}

// A box is put into the way of who walks already.
static void walks_are_planned_again(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_person(&h, 0.0, 0.0, 0.0);
    fr_object_id box = add_box(&h, "box", 5.0, 4.0, 1.0, 0.6);
    go(&h, 0, 0.0, 8.0);
    for (int k = 0; k < 100; k++) {
        tick(&h.w);
    }
    fr_pose pose = fr_object_get(fr_world_space(h.w.world), box)->pose;
    pose.position.x = 0.0;
    assert_int_equal(fr_object_set_pose(fr_world_space(h.w.world), box, &pose, NULL), FR_OK);
    h.sizes[0] = (fr_bounds){{-0.5, 0.0, 4.0}, {0.5, 1.2, 4.6}};
    assert_int_equal(run(&h, 1, 3000, NULL, 0), 1);
    assert_true(hypot(place(&h, 0).x, place(&h, 0).z - 8.0) < 2e-3);
    assert_true(h.into < -0.05);
    close_hall(&h);
}

static void people_who_meet_head_on_arrive(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_person(&h, 0.0, 0.0, 0.0);
    add_person(&h, 0.0, 6.0, 3.14);
    add_person(&h, -3.0, 3.0, 1.5);
    add_person(&h, 3.0, 3.0, -1.5);
    go(&h, 0, 0.0, 6.0); // each to the place of the other
    go(&h, 1, 0.0, 0.0);
    go(&h, 2, 3.0, 3.0);
    go(&h, 3, -3.0, 3.0);
    assert_int_equal(run(&h, 4, 6000, NULL, 0), 4);
    assert_true(hypot(place(&h, 0).x, place(&h, 0).z - 6.0) < 2e-3);
    assert_true(hypot(place(&h, 3).x + 3.0, place(&h, 3).z - 3.0) < 2e-3);
    close_hall(&h);
}

// Three on each side of a gap for one go to the other side.
static void people_pass_a_door_one_after_another(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_box(&h, "left wall", -5.0, 3.0, 4.6, 0.2);
    add_box(&h, "right wall", 0.4, 3.0, 4.6, 0.2);
    add_box(&h, "west", -5.2, -2.0, 0.2, 10.0);
    add_box(&h, "east", 5.0, -2.0, 0.2, 10.0);
    add_box(&h, "south", -5.2, -2.2, 10.4, 0.2);
    add_box(&h, "north", -5.2, 8.0, 10.4, 0.2);
    for (uint32_t i = 0; i < 3; i++) {
        add_person(&h, -1.0 + (double)i, 1.0, 0.0);
        add_person(&h, -1.0 + (double)i, 5.0, 3.14);
    }
    for (uint32_t i = 0; i < 6; i++) {
        go(&h, i, -2.0 + 2.0 * (double)(i / 2), i % 2 == 0 ? 6.5 : -0.5);
    }
    assert_int_equal(run(&h, 6, 8000, NULL, 0), 6);
    assert_true(h.into < -0.05);
    close_hall(&h);
}

// Who has nothing to do steps aside: in a corridor for one, and from the goal of another.
static void idle_people_step_aside(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_box(&h, "west", -1.4, 1.0, 1.0, 4.0);
    add_box(&h, "east", 0.4, 1.0, 1.0, 4.0);
    add_box(&h, "far west", -8.0, -4.0, 0.2, 12.0);
    add_box(&h, "far east", 8.0, -4.0, 0.2, 12.0);
    add_person(&h, 0.0, 0.0, 0.0);
    add_person(&h, 0.0, 5.6, 0.0); // behind the corridor
    go(&h, 0, 0.0, 5.5);
    assert_int_equal(run(&h, 1, 6000, NULL, 0), 1);
    close_hall(&h);
}

// One search is made in a tick, by who has waited for it longest. Who has waited, and can walk straight by now, takes
// it from no other.
static void who_needs_no_search_waits_for_none(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_person(&h, 0.0, 0.0, 0.0);
    go(&h, 0, 0.0, 3.0);
    fr__director_walker *w = &h.director->people[0]->walker;
    w->is_searching = true; // as when a shelf stood there a tick ago
    w->waiting = 1;
    tick(&h.w);
    assert_false(w->is_searching);
    assert_int_equal(run(&h, 1, 2000, NULL, 0), 1);
    close_hall(&h);
}

// People on their walks take no memory.
static void walking_takes_no_memory(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 1);
    add_box(&h, "table", 3.0, 3.0, 2.0, 1.0);
    for (uint32_t i = 0; i < 6; i++) {
        add_person(&h, 0.0, (double)i, 1.57);
        go(&h, i, 12.0, (double)i + 0.2);
    }
    for (int k = 0; k < 200; k++) { // until all walk
        tick(&h.w);
    }
    uint64_t before = test_heap_calls();
    for (int k = 0; k < 120; k++) {
        tick(&h.w);
    }
    for (uint32_t i = 0; i < 6; i++) {
        assert_false(fr_director_get(h.director, i).is_waiting);
        assert_true(place(&h, i).x > 0.5 && place(&h, i).x < 11.5);
    }
    assert_int_equal(test_heap_calls() - before, 0);
    close_hall(&h);
}

// Ten people in a room with furniture, each with goals at random: all arrive or are refused, and nobody touches.
static uint64_t crowd(uint64_t seed, uint32_t people, uint32_t goals, int threads, uint32_t *arrived) {
    hall h;
    open_hall(&h, threads);
    add_box(&h, "west", -0.2, -0.2, 0.2, 8.4);
    add_box(&h, "east", 8.0, -0.2, 0.2, 8.4);
    add_box(&h, "south", 0.0, -0.2, 8.0, 0.2);
    add_box(&h, "north", 0.0, 8.0, 8.0, 0.2);
    add_box(&h, "table", 3.0, 3.0, 2.0, 1.0);
    add_box(&h, "shelf", 1.0, 5.5, 0.4, 1.6);
    add_box(&h, "desk", 5.8, 5.2, 1.4, 0.7);
    add_box(&h, "chair", 5.9, 1.4, 0.5, 0.5);
    fr_random random = fr_random_seed(seed);
    for (uint32_t i = 0; i < people; i++) {
        add_person(&h, 0.7 + 1.4 * (double)(i % 5), 0.7 + 1.3 * (double)(i / 5), 0.0);
    }
    uint32_t given = 0;
    for (uint32_t round = 0; round < goals; round++) {
        for (uint32_t i = 0; i < people; i++) {
            fr_vec3 goal = {0.0, 0.0, 0.0};
            double deep;
            do { // where a body has room
                goal.x = fr_random_between(&random, 0.4, 7.6);
                goal.z = fr_random_between(&random, 0.4, 7.6);
                deep = -1.0;
                for (uint32_t k = 0; k < h.box_count; k++) {
                    deep = fmax(deep, depth_in(&h.sizes[k], goal));
                }
            } while (deep > -0.3);
            go(&h, i, goal.x, goal.z);
            given++;
        }
    }
    char reason[200];
    *arrived = run(&h, given, 60 * 60 * 4, reason, sizeof reason);
    assert_true(h.into < -0.05);
    uint64_t hash = fr_director_hash(h.director);
    for (uint32_t i = 0; i < people; i++) {
        fr_vec3 p = place(&h, i);
        hash = fr_hash(&p, sizeof p, hash);
    }
    print_message("seed %u: %u of %u arrived, %.3f m left, last refusal: %s\n", (unsigned)seed, *arrived, given,
                  h.nearest, reason);
    close_hall(&h);
    return hash;
}

static void crowds_arrive(void **state) {
    (void)state;
    uint32_t seeds = test_is_long() ? 20 : 2;
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        uint32_t arrived;
        crowd(seed, 10, 3, 1, &arrived);
        assert_true(arrived >= 27); // the rest was refused with a reason
    }
}

static void threads_give_the_same_crowd(void **state) {
    (void)state;
    uint32_t arrived;
    uint64_t one = crowd(7, 10, 1, 1, &arrived), three = crowd(7, 10, 1, 3, &arrived);
    assert_true(one == three);
}

// Two dozen who set out in one tick, more than are tried in one; the state after some ticks.
static uint64_t set_out(int threads) {
    hall h;
    open_hall(&h, threads);
    add_box(&h, "table", 10.0, 3.0, 2.0, 1.0);
    for (uint32_t i = 0; i < 24; i++) {
        add_person(&h, (double)i, 0.0, 0.0);
    }
    for (uint32_t i = 0; i < 24; i++) {
        go(&h, i, (double)i + (i % 2 == 0 ? 0.9 : -0.9), 6.0);
    }
    uint64_t hash = 0;
    for (int k = 0; k < 120; k++) {
        tick(&h.w);
        uint64_t now = fr_director_hash(h.director);
        hash = fr_hash(&now, sizeof now, hash);
    }
    uint32_t walking = 0;
    for (uint32_t i = 0; i < 24; i++) {
        walking += place(&h, i).z > 0.05;
    }
    assert_true(walking > 16); // of eight that are tried in a tick
    close_hall(&h);
    return hash;
}

static void threads_give_the_same_walks_tried_ahead(void **state) {
    (void)state;
    uint64_t one = set_out(1);
    assert_true(one == set_out(2));
    assert_true(one == set_out(8));
}

typedef struct short_hall {
    peopled w;
    fr_tasks tasks;
} short_hall;

static fr_status add_walkers(const short_hall *s, fr_director *director, const fr_allocator *allocator) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < 3 && status == FR_OK; i++) {
        const char *const names[] = {"p0", "p1", "p2"};
        fr_person_def person = fr_default_person_def();
        person.name = names[i];
        person.skeleton = s->w.skeleton;
        person.walk_set = s->w.set;
        person.place = fr_vec3_make(2.0 * i, 0.0, 0.0);
        person.world = s->w.world;
        person.allocator = *allocator;
        status = fr_director_add_person(director, &person, NULL);
        fr_command command = {.name = "walk", .person = names[i], .given = FR_COMMAND_GOAL, .ticket = i + 1};
        command.goal = fr_vec3_make(2.0 * i, 0.0, 3.0);
        if (status == FR_OK) { status = fr_cast_command(s->w.cast, &command, NULL); }
    }
    return status;
}

// Three who set out, tried ahead on two threads.
static fr_status make_walkers(const fr_allocator *allocator, void *context) {
    short_hall s = *(const short_hall *)context;
    fr_world_def world = fr_default_world_def();
    world.step = STEP;
    assert_int_equal(fr_world_create(&world, &s.w.world, NULL), FR_OK);
    fr_cast_def cast = fr_default_cast_def();
    cast.world = s.w.world;
    cast.allocator = *allocator;
    fr_status status = fr_cast_create(&cast, &s.w.cast, NULL);
    fr_director_def def = fr_default_director_def();
    def.cast = s.w.cast;
    def.allocator = *allocator;
    def.tasks = &s.tasks;
    fr_director *director = NULL;
    if (status == FR_OK) { status = fr_director_create(&def, &director, NULL); }
    if (status == FR_OK) {
        const fr_actor actor = fr_director_actor(director);
        status = fr_cast_add(s.w.cast, &actor, NULL);
        if (status != FR_OK) { fr_director_destroy(director); }
    }
    if (status == FR_OK) { status = add_walkers(&s, director, allocator); }
    for (int k = 0; k < 3 && status == FR_OK; k++) {
        status = fr_cast_tick(s.w.cast, NULL, NULL);
        fr_command_end end;
        while (status == FR_OK && fr_cast_ended(s.w.cast, &end)) {
            status = end.status;
        }
    }
    if (status == FR_OK) { test_note_number(fr_director_hash(director)); }
    fr_cast_destroy(s.w.cast);
    fr_world_destroy(s.w.world);
    return status;
}

static void walks_are_tried_ahead_with_little_memory(void **state) {
    (void)state;
    hall h;
    open_hall(&h, 2);
    short_hall s = {h.w, h.tasks};
    test_every_failure(make_walkers, &s);
    close_hall(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_go_round_what_stands),
        cmocka_unit_test(what_is_in_the_way_is_named),
        cmocka_unit_test(walks_are_planned_again),
        cmocka_unit_test(people_who_meet_head_on_arrive),
        cmocka_unit_test(people_pass_a_door_one_after_another),
        cmocka_unit_test(idle_people_step_aside),
        cmocka_unit_test(who_needs_no_search_waits_for_none),
        cmocka_unit_test(walking_takes_no_memory),
        cmocka_unit_test(crowds_arrive),
        cmocka_unit_test(threads_give_the_same_crowd),
        cmocka_unit_test(threads_give_the_same_walks_tried_ahead),
        cmocka_unit_test(walks_are_tried_ahead_with_little_memory),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}
