// People of a world: their objects go where a performer's links go, lists follow one another, and what cannot be done
// is said.
#include "failing.h"
#include "frame.h"
#include "peopled.h"

#include "base/allocator.h"

#include <math.h>
#include <string.h>

#include <cmocka.h>

static fr_player *the_player; // of the world at hand

static void add_player(peopled *w, const fr_player_task *tasks, uint32_t count, bool is_loop) {
    fr_player_person person = {.person = person_def(w), .tasks = tasks, .task_count = count, .is_loop = is_loop};
    fr_player_def def = fr_default_player_def();
    def.world = w->world;
    def.people = &person;
    def.person_count = 1;
    fr_error error = {0};
    if (fr_player_create(&def, &the_player, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_actor actor = fr_player_actor(the_player);
    assert_int_equal(fr_cast_add(w->cast, &actor, NULL), FR_OK);
}

static fr_player_task walk_to(double x, double z, uint32_t list) {
    fr_player_task task = {.list = list, .skill = fr_skill_find("walk")};
    assert_non_null(task.skill);
    task.fields.given = FR_FIELD_GOAL;
    task.fields.goal = fr_pose_make(fr_vec3_make(x, 0.0, z), fr_quat_identity());
    return task;
}

static double pose_distance(const fr_pose *a, const fr_pose *b) {
    double dot = a->rotation.w * b->rotation.w + a->rotation.x * b->rotation.x + a->rotation.y * b->rotation.y +
                 a->rotation.z * b->rotation.z;
    return fmax(fr_vec3_distance(a->position, b->position), 1.0 - fabs(dot));
}

// ---------------------------------------------------------------------------------------------------------------

// A performer alone with the same tasks says where skin and pieces must be.
static void objects_follow_the_performer(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    const fr_player_task tasks[2] = {walk_to(2.0, 4.0, 0), walk_to(-1.0, 4.0, 1)};
    add_player(&w, tasks, 2, false);
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = w.skeleton;
    def.walk_set = w.set;
    fr_performer *alone;
    assert_int_equal(fr_performer_create(&def, &alone, NULL), FR_OK);
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(w.skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(w.set, fr_vec3_make(1.0, 0.0, 2.0), 0.5, &posture, NULL), FR_OK);
    assert_int_equal(fr_performer_put(alone, &posture, NULL), FR_OK);
    uint32_t list = 0;
    double travelled = 0.0;
    for (int k = 0; k < 900; k++) {
        if (fr_performer_get(alone).task_count == 0 && list < 2) {
            fr_task task = {.id = 1, .skill = tasks[list].skill, .fields = tasks[list].fields};
            assert_int_equal(fr_performer_begin(alone, &task, 1, NULL, NULL), FR_OK);
            list++;
        }
        fr_performer_output output;
        assert_int_equal(fr_performer_step(alone, NULL, &output, NULL), FR_OK);
        fr_vec3 before = bone_place(&w, 0);
        tick(&w);
        travelled += fr_vec3_distance(before, bone_place(&w, 0));
        fr_pose links[FR_LINK_COUNT];
        assert_int_equal(fr_posture_poses(w.skeleton, &output.posture, 1, links, NULL), FR_OK);
        for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
            assert_true(fr_vec3_distance(bone_place(&w, i), links[i].position) < 1e-12);
        }
        for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
            const fr_pose *pose = &fr_object_get(fr_world_space(w.world), w.proxies[i])->pose;
            assert_true(pose_distance(pose, &links[fr_figure_get(w.figure)->proxies[i].link]) < 1e-12);
        }
    }
    fr_performer_destroy(alone);
    assert_true(fr_player_get(the_player, 0).is_over);
    assert_string_equal(fr_player_get(the_player, 0).message, "");
    assert_int_equal(fr_player_get(the_player, 0).list, 1);
    fr_vec3 hip = bone_place(&w, 0);
    assert_true(hypot(hip.x + 1.0, hip.z - 4.0) < 1e-3);
    assert_true(travelled > 4.0);
    close_world(&w);
}

static uint32_t count_events(const peopled *w, const char *name) {
    const fr_snapshot *snapshot = fr_world_snapshot(w->world);
    uint32_t count = 0;
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind != FR_EVENT_NAMED || strcmp(event->name, name) != 0) { continue; }
        assert_true(fr_object_id_equal(event->a, w->skin));
        count++;
    }
    fr_snapshot_release(snapshot);
    return count;
}

// A task whose object is gone fails with a sentence, and the next list is done.
static void a_task_that_fails_is_left_out(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    fr_player_task tasks[2] = {walk_to(0.0, 1.0, 0), walk_to(1.0, 3.0, 1)};
    tasks[0].fields.given |= FR_FIELD_OBJECT;
    tasks[0].fields.object = w.thing;
    add_player(&w, tasks, 2, false);
    assert_int_equal(fr_object_remove(fr_world_space(w.world), w.thing, NULL), FR_OK);
    tick(&w);
    assert_int_equal(count_events(&w, FR_PLAYER_FAILED), 1);
    assert_string_equal(fr_player_get(the_player, 0).message, "the object of 'walk' is gone");
    for (int k = 0; k < 400; k++) {
        tick(&w);
        assert_int_equal(count_events(&w, FR_PLAYER_FAILED), 0);
    }
    fr_vec3 hip = bone_place(&w, 0);
    assert_true(hypot(hip.x - 1.0, hip.z - 3.0) < 1e-3);
    close_world(&w);
}

// A walk to a place beside an object that moves ends beside it, in the object's frame when the walk began.
static void goals_are_in_the_frame_of_the_object(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    fr_player_task task = walk_to(0.5, -7.0, 0);
    task.fields.given |= FR_FIELD_OBJECT;
    task.fields.object = w.thing;
    add_player(&w, &task, 1, false);
    for (int k = 0; k < 400; k++) {
        tick(&w);
    }
    fr_vec3 hip = bone_place(&w, 0);
    assert_true(hypot(hip.x - 0.5, hip.z - 2.0) < 1e-3); // the ball stands at z = 9
    close_world(&w);
}

typedef struct spoiler {
    bool is_on;
} spoiler;

static fr_status spoil(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal, (void)wishes;
    const spoiler *s = user;
    return s->is_on ? fr_error_set(error, FR_ERROR_LIMIT, "spoiled") : FR_OK;
}

// A tick that another mover ends is taken again without a step being lost, and a scene begins again as it began.
static void ticks_are_taken_again(void **state) {
    (void)state;
    const fr_player_task tasks[2] = {walk_to(2.0, 4.0, 0), walk_to(1.0, 2.0, 1)};
    uint64_t hashes[3];
    for (int run = 0; run < 2; run++) {
        peopled w;
        open_world(&w);
        add_player(&w, tasks, 2, true);
        spoiler bad = {false};
        fr_corrector mover = {"spoiler", spoil, &bad};
        assert_int_equal(fr_world_add_mover(w.world, &mover, NULL), FR_OK);
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < 300; k++) {
                bad.is_on = run == 1 && k % 7 == 3;
                if (bad.is_on) { assert_int_not_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK); }
                bad.is_on = false;
                tick(&w);
            }
            const fr_pose *links = fr_person_links(fr_player_get(the_player, 0).person);
            uint64_t hash = fr_hash(links, FR_LINK_COUNT * sizeof *links, 1);
            if (run == 0 && pass == 0) { hashes[0] = hash; }
            assert_true(hash == hashes[0]);
            assert_int_equal(fr_world_set_tick(w.world, 0, NULL), FR_OK);
            assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
        }
        close_world(&w);
    }
}

static void bodies_are_not_grabbed(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    add_player(&w, NULL, 0, false);
    fr_claim claim = {.object = w.proxies[3], .rank = FR_RANK_PERSON, .holder = 1};
    fr_error error = {0};
    assert_int_equal(fr_cast_grab(w.cast, &claim, &error), FR_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "Hana moves by its own skills");
    claim.object = w.skin;
    assert_int_equal(fr_cast_grab(w.cast, &claim, NULL), FR_ERROR_UNSUPPORTED);
    claim.object = w.thing;
    assert_int_equal(fr_cast_grab(w.cast, &claim, NULL), FR_OK);
    close_world(&w);
}

static void definitions_are_checked(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    fr_person *person;
    fr_person_def def = person_def(&w);
    def.cookie = 0;
    assert_int_equal(fr_person_create(&def, &person, NULL), FR_ERROR_ARGUMENT);
    def = person_def(&w);
    def.world = NULL;
    assert_int_equal(fr_person_create(&def, &person, NULL), FR_ERROR_ARGUMENT);
    def = person_def(&w);
    def.heading = NAN;
    assert_int_equal(fr_person_create(&def, &person, NULL), FR_ERROR_NOT_FINITE);
    def = person_def(&w);
    def.skin = w.thing;
    assert_int_equal(fr_person_create(&def, &person, NULL), FR_ERROR_ARGUMENT);
    def = person_def(&w);
    def.skin.generation++;
    assert_int_equal(fr_person_create(&def, &person, NULL), FR_ERROR_STALE_ID);
    fr_player_task tasks[2] = {walk_to(0.0, 0.0, 1), walk_to(0.0, 0.0, 0)};
    fr_player_person people = {.person = person_def(&w), .tasks = tasks, .task_count = 2};
    fr_player_def player = fr_default_player_def();
    player.world = w.world;
    player.people = &people;
    player.person_count = 1;
    fr_player *made;
    assert_int_equal(fr_player_create(&player, &made, NULL), FR_ERROR_ARGUMENT);
    tasks[1].list = 1;
    tasks[1].skill = NULL;
    assert_int_equal(fr_player_create(&player, &made, NULL), FR_ERROR_ARGUMENT);
    player.person_count = FR_PLAYER_MAX_PEOPLE + 1;
    assert_int_equal(fr_player_create(&player, &made, NULL), FR_ERROR_LIMIT);
    player.cookie = 0;
    assert_int_equal(fr_player_create(&player, &made, NULL), FR_ERROR_ARGUMENT);
    close_world(&w);
}

// fr_person_create and fr_player_create, whose people walk.
static fr_status make_player(const fr_allocator *allocator, void *context) {
    const peopled *w = context;
    const fr_player_task task = walk_to(1.0, 3.0, 0);
    fr_player_person person = {.person = person_def(w), .tasks = &task, .task_count = 1};
    person.person.allocator = *allocator;
    fr_player_def def = fr_default_player_def();
    def.world = w->world;
    def.people = &person;
    def.person_count = 1;
    def.allocator = *allocator;
    fr_player *player;
    fr_status status = fr_player_create(&def, &player, NULL);
    if (status != FR_OK) { return status; }
    const fr_pose *links = fr_person_links(fr_player_get(player, 0).person);
    test_note(links, FR_LINK_COUNT * sizeof *links);
    fr_player_destroy(player);
    return FR_OK;
}

static fr_status move_person(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_person *person = user;
    const double numbers[2] = {1.0, 2.0};
    const fr_object_id none = {0, 0, 0};
    fr_status status = FR_OK;
    if (fr_person_begin_tick(person, proposal->tick)) {
        status = fr_person_add_event(person, "moved", none, numbers, error);
        if (status == FR_OK) { status = fr_person_step(person, wishes, error); }
    }
    return status == FR_OK ? fr_person_wish(person, wishes, error) : status;
}

// A person of its own mover in a tick, and put back: fr_person_create, fr_person_begin,
// fr_person_add, fr_person_step.
static fr_status make_person(const fr_allocator *allocator, void *context) {
    const peopled *w = context;
    fr_person_def def = person_def(w);
    def.allocator = *allocator;
    fr_person *person;
    fr_status status = fr_person_create(&def, &person, NULL);
    if (status != FR_OK) { return status; }
    fr_person_task task = {.task = {.id = 1, .skill = fr_skill_find("walk")}};
    const fr_pose ahead = fr_pose_make(fr_vec3_make(0.0, 0.0, 1.0), fr_quat_identity());
    task.task.fields = (fr_skill_fields){.given = FR_FIELD_GOAL | FR_FIELD_POSES | FR_FIELD_OBJECT, .goal = ahead};
    task.task.fields.poses = &ahead;
    task.task.fields.pose_count = 1;
    task.task.fields.object = w->thing;
    status = fr_person_begin(person, &task, 1, NULL, NULL);
    fr_person_task look = {.task = {.id = 2, .skill = fr_skill_find("look_at")}};
    look.task.fields = (fr_skill_fields){.given = FR_FIELD_OBJECT, .object = w->thing};
    if (status == FR_OK) { status = fr_person_add(person, &look, 1, NULL, NULL); }
    const fr_corrector mover = {"person", move_person, person};
    assert_int_equal(fr_world_add_mover(w->world, &mover, NULL), FR_OK);
    if (status == FR_OK) { status = fr_world_tick(w->world, NULL, NULL); }
    assert_int_equal(fr_world_remove_corrector(w->world, move_person, person, NULL), FR_OK);
    if (status == FR_OK) { status = fr_person_restart(person, NULL); }
    fr_posture posture = fr_performer_get(fr_person_performer(person)).posture;
    if (status == FR_OK) { status = fr_person_put(person, &posture, NULL); }
    if (status == FR_OK) { test_note(fr_person_links(person), FR_LINK_COUNT * sizeof(fr_pose)); }
    fr_person_destroy(person);
    return status;
}

// A player of a cast that takes a tick.
static fr_status make_cast(const fr_allocator *allocator, void *context) {
    peopled w = *(const peopled *)context;
    fr_cast_def def = fr_default_cast_def();
    def.world = w.world;
    def.allocator = *allocator;
    fr_status status = fr_cast_create(&def, &w.cast, NULL);
    if (status != FR_OK) { return status; }
    const fr_player_task task = walk_to(1.0, 3.0, 0);
    fr_player_person person = {.person = person_def(&w), .tasks = &task, .task_count = 1};
    person.person.allocator = *allocator;
    fr_player_def player = fr_default_player_def();
    player.world = w.world;
    player.people = &person;
    player.person_count = 1;
    player.allocator = *allocator;
    status = fr_player_create(&player, &the_player, NULL);
    if (status == FR_OK) {
        const fr_actor actor = fr_player_actor(the_player);
        status = fr_cast_add(w.cast, &actor, NULL);
        if (status != FR_OK) { fr_player_destroy(the_player); }
    }
    for (int k = 0; k < 3 && status == FR_OK; k++) {
        status = fr_cast_tick(w.cast, NULL, NULL);
    }
    fr_cast_destroy(w.cast);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    test_every_failure(make_player, &w);
    test_every_failure(make_person, &w);
    test_every_failure(make_cast, &w);
    close_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_follow_the_performer),
        cmocka_unit_test(a_task_that_fails_is_left_out),
        cmocka_unit_test(goals_are_in_the_frame_of_the_object),
        cmocka_unit_test(ticks_are_taken_again),
        cmocka_unit_test(bodies_are_not_grabbed),
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}
