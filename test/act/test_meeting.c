// Two people who do something together: the demonstration to its end, with every body looked at over 1,000 times a
// second; refusals, which leave both as they were; one who breaks off; threads; memory.
#include "../human/pair.h"

#include "demo.h"
#include "failing.h"

#include "fureai/act.h"
#include "fureai/act_director.h"
#include "fureai/act_script.h"

#include <stdio.h>

enum { MAX_FRAMES = 3000, SLICES = 21 }; // at 50 frames a second

typedef struct hall {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_task_pool *pool;
    fr_tasks tasks;
    fr_cast *cast;
    fr_director *director;
    fr_script *script;
    // What was seen.
    fr_figure_proxy pieces[2][PAIR_PIECES];
    fr_posture before[2];
    fr_quat turns[2][2][FR_LINK_COUNT]; // of each person, in the two frames before
    fr_pose cup_before;
    uint32_t frames, near, clasped;
    double jump, jumps[2], depth, cup_depth, offset_error;
    char deepest[64];
    fr_pose offset;
    int holder;   // of the cup; -1: nobody
    int handed;   // how often it went from one to the other
    double apart; // of the hips, the least
    bool is_sampled;
    uint64_t hash;
} hall;

static void open_hall(hall *h, const char *text, size_t size, const char *library, int threads,
                      const fr_allocator *allocator) {
    memset(h, 0, sizeof *h);
    h->holder = -1;
    h->apart = h->depth = h->cup_depth = -INFINITY;
    h->apart = INFINITY;
    fr_error error = {0};
    if (fr_library_open(library, NULL, &h->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(h->library);
    if (fr_scene_read(text, size, &reading, &h->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world_def def = fr_scene_world_def(h->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &h->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(h->library);
    if (fr_scene_build_world(h->scene, &building, h->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(h->scene, h->world, NULL, &h->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = h->cast;
    directing.library = h->library;
    if (allocator != NULL) { directing.allocator = *allocator; }
    if (threads > 1) {
        fr_task_pool_def pool = fr_default_task_pool_def();
        pool.worker_count = threads;
        assert_int_equal(fr_task_pool_create(&pool, &h->pool, NULL), FR_OK);
        h->tasks = fr_task_pool_tasks(h->pool);
        directing.tasks = &h->tasks;
    }
    if (fr_director_create_for_scene(&directing, h->scene, &h->director, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
}

static void close_hall(hall *h) {
    fr_script_destroy(h->script);
    fr_cast_destroy(h->cast);
    fr_world_destroy(h->world);
    fr_task_pool_destroy(h->pool);
    fr_scene_destroy(h->scene);
    fr_library_destroy(h->library);
}

static const fr_person *person_of(const hall *h, uint32_t i) { return fr_director_get(h->director, i).person; }

static fr_performer_view view_of(const hall *h, uint32_t i) {
    return fr_performer_get(fr_person_performer(person_of(h, i)));
}

// ---------------------------------------------------------------------------------------------------------------
// What is seen in a tick

static fr_vec3 palm_middle(const hall *h, uint32_t i) {
    const fr_performer_view view = view_of(h, i);
    double thickness = 0.0;
    for (int k = 0; k < PAIR_PIECES; k++) {
        if (strcmp(h->pieces[i][k].name, "right_palm") != 0) { continue; }
        thickness = -fr_mesh_get(h->pieces[i][k].mesh)->bounds.min.y;
    }
    double along = fr_skeleton_get(view.skeleton)->points[FR_POINT_RIGHT_GRIP].offset.x;
    return fr_pose_apply(&fr_person_links(person_of(h, i))[FR_LINK_RIGHT_PALM], fr_vec3_make(along, -thickness, 0.0));
}

static void note_jump(hall *h, uint32_t i, const fr_quat *now) {
    for (uint32_t k = 0; k < FR_LINK_COUNT && h->frames >= 2; k++) {
        fr_quat a = fr_quat_multiply(fr_quat_conjugate(h->turns[i][0][k]), h->turns[i][1][k]);
        fr_quat b = fr_quat_multiply(fr_quat_conjugate(h->turns[i][1][k]), now[k]);
        double jump = fr_vec3_distance(fr_quat_to_vector(a), fr_quat_to_vector(b)) / fr_world_step(h->world);
        h->jump = fmax(h->jump, jump);
        h->jumps[i] = fmax(h->jumps[i], jump);
    }
    memcpy(h->turns[i][0], h->turns[i][1], sizeof h->turns[i][0]);
    memcpy(h->turns[i][1], now, sizeof h->turns[i][1]);
}

// Points of the cup's faces in the pieces of both hands.
static void look_at_cup(hall *h, const fr_pose *cup, const fr_pose *a, const fr_pose *b) {
    fr_object_id id = fr_world_find(h->world, "cup");
    const fr_figure_proxy shape = {"cup", 0, fr_object_part(fr_world_space(h->world), id, 0).mesh};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < PAIR_PIECES; k++) {
            const fr_figure_proxy *piece = &h->pieces[i][k];
            const fr_pose *pose = &(i == 0 ? a : b)[piece->link];
            fr_vec3 first, second;
            double balls = pair_ball(piece, pose, &first) + pair_ball(&shape, cup, &second);
            if (fr_vec3_distance(first, second) > balls) { continue; }
            double depth = pair_piece_depth(&shape, cup, piece, pose);
            if (depth > h->cup_depth) { snprintf(h->deepest, sizeof h->deepest, "%d %.40s", i, piece->name); }
            h->cup_depth = fmax(h->cup_depth, depth);
        }
    }
}

static void sample(hall *h, const fr_pose *cup) {
    pair p = {.depth = h->depth};
    for (int i = 0; i < 2; i++) {
        memcpy(p.bodies[i].pieces, h->pieces[i], sizeof h->pieces[i]);
    }
    for (int s = 1; s <= SLICES; s++) {
        fr_pose poses[2][FR_LINK_COUNT], now_cup = *cup;
        double t = (double)s / SLICES;
        for (uint32_t i = 0; i < 2; i++) {
            fr_quat turns[FR_LINK_COUNT];
            fr_posture now = {.turns = turns, .count = FR_LINK_COUNT}, to = view_of(h, i).posture;
            fr_posture from = h->before[i];
            from.turns = h->turns[i][1];
            assert_int_equal(fr_posture_slerp(&from, &to, t, &now, NULL), FR_OK);
            assert_int_equal(fr_posture_poses(view_of(h, i).skeleton, &now, 1, poses[i], NULL), FR_OK);
        }
        now_cup.position = fr_vec3_lerp(h->cup_before.position, cup->position, t);
        pair_look(&p, poses[0], poses[1]);
        if (h->handed > 0) { look_at_cup(h, &now_cup, poses[0], poses[1]); }
    }
    if (p.depth > h->depth) { memcpy(h->deepest, p.deepest, sizeof h->deepest); }
    h->depth = p.depth;
}

// The cup has at most one holder, and stands still in its palm.
static void note_cup(hall *h) {
    fr_object_id cup = fr_world_find(h->world, "cup");
    if (cup.index1 == 0) { return; }
    const fr_claim *claim = fr_cast_claim(h->cast, cup);
    int holder = -1;
    for (uint32_t i = 0; i < 2 && claim != NULL; i++) {
        if (strcmp(claim->name, fr_person_name(person_of(h, i))) == 0) { holder = (int)i; }
    }
    if (h->holder >= 0) { assert_true(holder >= 0); } // never in no hand
    fr_pose pose = fr_object_get(fr_world_space(h->world), cup)->pose;
    if (holder >= 0) {
        fr_pose back = fr_pose_inverse(&fr_person_links(person_of(h, (uint32_t)holder))[FR_LINK_RIGHT_PALM]);
        fr_pose offset = fr_pose_compose(&back, &pose);
        if (holder == h->holder) {
            h->offset_error = fmax(h->offset_error, fr_vec3_distance(offset.position, h->offset.position));
        }
        h->offset = offset;
    }
    h->handed += h->holder >= 0 && holder != h->holder;
    h->holder = holder;
}

static fr_status look(uint32_t over, void *user, fr_error *error) {
    (void)over, (void)error;
    hall *h = user;
    fr_object_id id = fr_world_find(h->world, "cup");
    fr_pose cup = id.index1 != 0 ? fr_object_get(fr_world_space(h->world), id)->pose : fr_pose_identity();
    note_cup(h);
    fr_vec3 a = fr_person_links(person_of(h, 0))[0].position, b = fr_person_links(person_of(h, 1))[0].position;
    double apart = hypot(a.x - b.x, a.z - b.z);
    h->apart = fmin(h->apart, apart);
    const char *motion = fr_director_get(h->director, 1).motion;
    bool is_at_it = strcmp(motion, "shake_hand") == 0 || strcmp(motion, "receive") == 0;
    double palms = fr_vec3_distance(palm_middle(h, 0), palm_middle(h, 1));
    if (h->is_sampled && h->frames > 0 && is_at_it && palms < 0.4) { sample(h, &cup); }
    bool is_near = palms < 0.020;
    h->near = is_near ? h->near + 1 : 0;
    h->clasped = h->near > h->clasped ? h->near : h->clasped;
    for (uint32_t i = 0; i < 2; i++) {
        h->before[i] = view_of(h, i).posture;
        note_jump(h, i, h->before[i].turns);
    }
    h->cup_before = cup;
    h->frames++;
    return FR_OK;
}

static void begin_looking(hall *h) {
    for (uint32_t i = 0; i < 2; i++) {
        pair_list_pieces(view_of(h, i).figure, h->pieces[i]);
    }
}

static void tick(hall *h, int count) {
    for (int i = 0; i < count; i++) {
        fr_error error = {0};
        if (fr_cast_tick(h->cast, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
        (void)look(0, h, NULL);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The demonstration

// The room of the demonstration, and a script of that name in a folder.
static void run_script(hall *h, const char *folder, int threads, bool is_sampled) {
    const void *text = NULL;
    size_t size = 0;
    assert_int_equal(demo_load("meeting.json", &text, &size, (void *)(uintptr_t)DEMO_FOLDER, NULL), FR_OK);
    open_hall(h, text, size, OBJECT_FOLDER, threads, NULL);
    demo_unload(text, size, NULL);
    h->is_sampled = is_sampled;
    begin_looking(h);
    assert_int_equal(demo_load("meeting.json", &text, &size, (void *)(uintptr_t)folder, NULL), FR_OK);
    fr_error error = {0};
    if (fr_script_read(text, size, NULL, &h->script, &error) != FR_OK) { fail_msg("%s", error.message); }
    demo_unload(text, size, NULL);
    fr_script_run_input input = fr_default_script_run_input();
    input.script = h->script;
    input.cast = h->cast;
    input.max_ticks = MAX_FRAMES;
    input.after = look;
    input.user = h;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count; i++) {
        const fr_script_step *step = &fr_script_get(h->script)->steps[run.results[i].step];
        if (!run.results[i].is_done) { fail_msg("%s %s: %s", step->motion, step->object, run.results[i].reason); }
    }
    fr_script_run_destroy(&run);
    h->hash = fr_director_hash(h->director);
}

static void two_people_greet_shake_hands_and_hand_over_a_cup(void **state) {
    (void)state;
    static hall h;
    run_script(&h, SCRIPT_FOLDER, 1, true);
    print_message("palms within 20 mm for %.2f s; deepest %.2f mm, in the cup %.2f mm (%s); jump %.2f rad/s; the cup "
                  "in its palm to %.1e m; hips %.2f m apart at least\n",
                  h.clasped * 0.02, 1e3 * h.depth, 1e3 * h.cup_depth, h.deepest, h.jump, h.offset_error, h.apart);
    assert_true(h.clasped * 0.02 >= 0.5);
    assert_true(h.depth <= 0.002 && h.cup_depth <= 0.002);
    assert_true(h.jump <= 4.0);
    assert_true(h.offset_error < 1e-6);
    assert_int_equal(h.handed, 1);
    assert_int_equal(h.holder, 1);
    close_hall(&h);
}

// The script of the examples: the cup goes to the other and comes back.
static void what_was_given_is_given_back(void **state) {
    (void)state;
    static hall h;
    run_script(&h, EXAMPLE_FOLDER, 1, true);
    print_message("palms within 20 mm for %.2f s; deepest %.2f mm, in the cup %.2f mm (%s); jump %.2f rad/s\n",
                  h.clasped * 0.02, 1e3 * h.depth, 1e3 * h.cup_depth, h.deepest, h.jump);
    assert_true(h.clasped * 0.02 >= 0.5);
    assert_true(h.depth <= 0.002 && h.cup_depth <= 0.002);
    assert_true(h.jump <= 4.0);
    assert_true(h.offset_error < 1e-6);
    assert_int_equal(h.handed, 2);
    assert_int_equal(h.holder, 0);
    close_hall(&h);
}

static void threads_do_the_same(void **state) {
    (void)state;
    static hall one, three;
    run_script(&one, SCRIPT_FOLDER, 1, false);
    run_script(&three, SCRIPT_FOLDER, 3, false);
    assert_int_equal(one.frames, three.frames);
    assert_true(one.hash == three.hash);
    close_hall(&one);
    close_hall(&three);
}

// ---------------------------------------------------------------------------------------------------------------
// Refusals

static const char room[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\","
                           "\"position\":[-3,-0.001,-3]},{\"name\":\"cup\",\"class\":\"cup\",\"position\":[2,1,2]}],"
                           "\"people\":[{\"name\":\"Ken\",\"class\":\"ken\",\"detail\":\"coarse\",\"position\":[-1,0,"
                           "0],\"heading_deg\":90},{\"name\":\"Hana\",\"class\":\"hana\",\"detail\":\"coarse\","
                           "\"position\":[0.4,0,0],\"heading_deg\":-90}]}";

static void open_room(hall *h) {
    open_hall(h, room, strlen(room), OBJECT_FOLDER, 1, NULL);
    begin_looking(h);
}

static void give(hall *h, const char *person, const char *motion, const char *object, uint64_t ticket) {
    fr_command command = {.name = motion, .person = person, .ticket = ticket};
    if (object != NULL) { command.object = fr_world_find(h->world, object); }
    fr_error error = {0};
    if (fr_cast_command(h->cast, &command, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// How a command ended.
static fr_command_end end_of(hall *h, uint64_t ticket, int ticks) {
    fr_command_end end = {.ticket = 0};
    for (int i = 0; i < ticks; i++) {
        while (fr_cast_ended(h->cast, &end)) {
            if (end.ticket == ticket) { return end; }
        }
        tick(h, 1);
    }
    fail_msg("the command %d does not end", (int)ticket);
    return end;
}

static void expect_refusal(hall *h, const char *motion, const char *object, const char *words) {
    fr_quat turns[2][FR_LINK_COUNT];
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(turns[i], view_of(h, i).posture.turns, sizeof turns[i]);
    }
    give(h, "Ken", motion, object, 5);
    fr_command_end end = end_of(h, 5, 10);
    assert_int_not_equal(end.status, FR_OK);
    if (strstr(end.message, words) == NULL) { fail_msg("%s", end.message); }
    for (uint32_t i = 0; i < 2; i++) {
        assert_memory_equal(turns[i], view_of(h, i).posture.turns, sizeof turns[i]); // both are as they were
        assert_string_equal(fr_director_get(h->director, i).motion, "");
    }
}

static void refusals_leave_both_undisturbed(void **state) {
    (void)state;
    static hall h;
    open_room(&h);
    tick(&h, 5);
    expect_refusal(&h, "shake_hand", "Ken", "takes two");
    expect_refusal(&h, "shake_hand", "cup", "no person");
    expect_refusal(&h, "hand_over", "Hana", "Ken holds nothing");
    expect_refusal(&h, "receive", "Hana", "Hana holds nothing");
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "shy";
    input.kind = FR_CLASS_PERSON;
    const char *shy = "{\"fureai\":1,\"extra\":{\"accepts\":false},\"affords\":[{\"motion\":\"shake_hand\",\"human\":"
                      "[{\"skill\":\"shake_hand\"}]}]}";
    fr_class *c = NULL;
    assert_int_equal(fr_class_read(shy, strlen(shy), &input, &c, NULL), FR_OK);
    fr_object_id hana = fr_world_find(h.world, "Hana");
    assert_int_equal(fr_director_set_class(h.director, hana, c, NULL), FR_OK);
    fr_class_release(c);
    expect_refusal(&h, "shake_hand", "Hana", "Hana refuses: it takes part in nothing");
    close_hall(&h);
}

// Who is busy refuses and goes on; who waits for it shakes its hand later.
static void who_is_busy_refuses(void **state) {
    (void)state;
    static hall h;
    open_room(&h);
    const fr_command_parameter bow = {"word", "bow"}, patience = {"patience", "6"};
    fr_command gesture = {.name = "gesture", .person = "Hana", .ticket = 1, .parameters = &bow, .parameter_count = 1};
    assert_int_equal(fr_cast_command(h.cast, &gesture, NULL), FR_OK);
    tick(&h, 5);
    give(&h, "Ken", "shake_hand", "Hana", 2);
    fr_command_end end = end_of(&h, 2, 5);
    assert_int_equal(end.status, FR_ERROR_BUSY);
    assert_non_null(strstr(end.message, "Hana refuses: it is busy with gesture"));
    assert_string_equal(fr_director_get(h.director, 1).motion, "gesture");
    fr_command later = {.name = "shake_hand",
                        .person = "Ken",
                        .object = fr_world_find(h.world, "Hana"),
                        .ticket = 3,
                        .parameters = &patience,
                        .parameter_count = 1};
    assert_int_equal(fr_cast_command(h.cast, &later, NULL), FR_OK);
    end = end_of(&h, 3, 1000);
    if (end.status != FR_OK) { fail_msg("%s", end.message); }
    assert_true(h.clasped * 0.02 >= 0.5);
    close_hall(&h);
}

// ---------------------------------------------------------------------------------------------------------------
// Breaking off

// Both are at it: in each other's hands for a while.
static void shake_for_a_while(hall *h) {
    give(h, "Ken", "shake_hand", "Hana", 1);
    for (int i = 0; i < 1000 && h->near < 10; i++) {
        tick(h, 1);
    }
    assert_true(h->near >= 10);
}

static void one_who_is_stopped_ends_it_for_both(void **state) {
    (void)state;
    for (int who = 0; who < 2; who++) {
        static hall h;
        open_room(&h);
        shake_for_a_while(&h);
        give(&h, who == 0 ? "Ken" : "Hana", FR_DIRECTOR_STOP, NULL, 0);
        tick(&h, 1);
        for (uint32_t i = 0; i < 2; i++) {
            assert_string_equal(fr_director_get(h.director, i).motion, "");
        }
        fr_command_end end = end_of(&h, 1, 2);
        assert_int_not_equal(end.status, FR_OK);
        const char *reason = fr_director_get(h.director, who == 0 ? 1 : 0).reason;
        assert_non_null(strstr(reason, who == 0 ? "Ken broke off" : "Hana broke off"));
        tick(&h, 60);
        assert_true(h.jump <= 4.0);
        give(&h, "Ken", "shake_hand", "Hana", 2); // and again
        end = end_of(&h, 2, 1500);
        if (end.status != FR_OK) { fail_msg("%s", end.message); }
        print_message("stopped: jump %.2f rad/s\n", h.jump);
        close_hall(&h);
    }
}

static void one_whom_a_program_takes_ends_it_for_both(void **state) {
    (void)state;
    static hall h;
    open_room(&h);
    shake_for_a_while(&h);
    fr_claim claim = {fr_world_find(h.world, "Hana"), FR_RANK_PROGRAM, 77, "robot"};
    assert_int_equal(fr_cast_grab(h.cast, &claim, NULL), FR_OK);
    fr_command_end end = end_of(&h, 1, 3);
    assert_non_null(strstr(end.message, "Hana broke off: robot moves Hana"));
    tick(&h, 60);
    assert_true(h.jumps[0] <= 4.0);
    give(&h, "Ken", "shake_hand", "Hana", 2);
    end = end_of(&h, 2, 5);
    assert_non_null(strstr(end.message, "its body is moved by robot"));
    close_hall(&h);
}

static void what_is_taken_away_ends_a_meeting(void **state) {
    (void)state;
    static hall h;
    open_room(&h);
    give(&h, "Ken", "shake_hand", "Hana", 1);
    tick(&h, 20);
    fr_object_id hana = fr_world_find(h.world, "Hana");
    assert_int_equal(fr_director_set_class(h.director, hana, NULL, NULL), FR_OK); // it affords nothing now
    fr_command_end end = end_of(&h, 1, 500);
    assert_int_not_equal(end.status, FR_OK);
    tick(&h, 5);
    assert_string_equal(fr_director_get(h.director, 1).motion, "");
    close_hall(&h);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static void memory_may_run_short(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 400; n += 23) {
        static hall h;
        fr_probe *probe = fr_probe_create();
        fr_allocator allocator = fr_probe_allocator(probe);
        open_hall(&h, room, strlen(room), OBJECT_FOLDER, 1, &allocator);
        give(&h, "Ken", "shake_hand", "Hana", 1);
        fr_probe_fail(probe, n, true);
        fr_status status = FR_OK;
        for (int i = 0; i < 3 && status == FR_OK; i++) {
            status = fr_cast_tick(h.cast, NULL, NULL);
        }
        assert_true(status == FR_OK || status == FR_ERROR_MEMORY);
        bool is_over = fr_probe_get(probe).allocations < n;
        fr_probe_fail(probe, 0, false);
        close_hall(&h);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
        if (is_over && status == FR_OK) { return; }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_people_greet_shake_hands_and_hand_over_a_cup),
        cmocka_unit_test(what_was_given_is_given_back),
        cmocka_unit_test(threads_do_the_same),
        cmocka_unit_test(refusals_leave_both_undisturbed),
        cmocka_unit_test(who_is_busy_refuses),
        cmocka_unit_test(one_who_is_stopped_ends_it_for_both),
        cmocka_unit_test(one_whom_a_program_takes_ends_it_for_both),
        cmocka_unit_test(what_is_taken_away_ends_a_meeting),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
