// The demonstration of the thesis: a room of twelve objects and a script, carried out to its end by what the objects'
// classes say (Ichiguchi 2000, table 5.1). The cup stays in the palm, the door follows the hand, the last posture sits.
#include "demo.h"
#include "folder.h"
#include "frame.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"

#include <math.h>

enum { MAX_FRAMES = 6000 };

// What happens in the scenario by its own events, and where the hand is then: at the switch of the television, at the
// cup, at the tap (places of the room's layout).
typedef struct moment {
    const char *name;
    fr_vec3 place;
    bool is_tip, is_left; // the tip of the index finger, else the middle of the grip; of which hand
    double near;          // metres at most
} moment;

static const moment moments[] = {{"press", {0.5, 0.95, 3.2}, true, false, 0.01},
                                 {"grasp", {2.5, 0.8, 4.0}, false, false, 0.09},
                                 {"turned", {4.55, 1.0, 1.2}, false, true, 0.05}};
static const char *const happens[] = {"press", "reached", "grasp", "turned", "drink", "seated"};
enum { MOMENTS = sizeof moments / sizeof moments[0], HAPPENS = sizeof happens / sizeof happens[0] };

typedef struct room_run {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_script *script;
    // What was seen.
    fr_pose in_palm; // the cup, when it was first taken
    bool is_taken;
    double palm_error; // metres or radians since
    double door_max, door_now;
    bool is_door_held;
    uint32_t door_holds; // how often a hand took it
    double door_apart;   // radians between the door and the hand that holds it, at most
    double door_drift;   // radians by which it moved in a frame in which no hand held it, at most
    double jump;         // largest change of a joint's angular velocity from one frame to the next, radians a second
    fr_quat turns[2][FR_LINK_COUNT];
    uint64_t frames;
    uint64_t hashes[MAX_FRAMES]; // of all that can be seen, frame by frame
    uint32_t counts[HAPPENS];    // of events
    double apart[MOMENTS];       // of the hand from its place when that happened first, metres
    double speeds[HAPPENS];      // of the body then, metres a second
    fr_vec3 place;               // of the body, in the last frame
    double slip;                 // metres that the palm went from where it met the cup until the hand had closed
    fr_vec3 met;                 // the palm then
    double nearest;              // what is left between two people beyond their radii, metres
} room_run;

static void open_scene(room_run *s, const char *scene, const char *script, fr_plug_ins *plug_ins, bool is_forced) {
    memset(s, 0, sizeof *s);
    fr_error error = {0};
    if (fr_library_open(OBJECT_FOLDER, NULL, &s->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    const void *text = NULL;
    size_t size = 0;
    assert_int_equal(demo_load(scene, &text, &size, (void *)(uintptr_t)DEMO_FOLDER, NULL), FR_OK);
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(s->library);
    if (fr_scene_read(text, size, &reading, &s->scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    demo_unload(text, size, NULL);
    fr_world_def def = fr_scene_world_def(s->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &s->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(s->library);
    if (fr_scene_build_world(s->scene, &building, s->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(s->scene, s->world, NULL, &s->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = s->cast;
    directing.library = s->library;
    directing.plug_ins = plug_ins;
    directing.is_lockstep = true;
    directing.is_forced = is_forced;
    if (fr_director_create_for_scene(&directing, s->scene, &s->director, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(demo_load(script, &text, &size, (void *)(uintptr_t)PROJECT_FOLDER, NULL), FR_OK);
    if (fr_script_read(text, size, NULL, &s->script, &error) != FR_OK) { fail_msg("%s", error.message); }
    demo_unload(text, size, NULL);
}

static void open_room(room_run *s, fr_plug_ins *plug_ins, bool is_forced) {
    open_scene(s, "room.json", "examples/scenario.json", plug_ins, is_forced);
}

static void close_room(room_run *s) {
    fr_script_destroy(s->script);
    fr_cast_destroy(s->cast);
    fr_world_destroy(s->world);
    fr_scene_destroy(s->scene);
    fr_library_destroy(s->library);
}

static double angle_between(fr_quat a, fr_quat b) {
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a), b));
    return fr_vec3_length(turn);
}

// The change of velocity between the last three frames.
static void note_jump(room_run *s, const fr_quat *now) {
    for (uint32_t i = 0; i < FR_LINK_COUNT && s->frames >= 2; i++) {
        fr_quat before = fr_quat_multiply(fr_quat_conjugate(s->turns[0][i]), s->turns[1][i]);
        fr_quat after = fr_quat_multiply(fr_quat_conjugate(s->turns[1][i]), now[i]);
        fr_vec3 change = fr_vec3_sub(fr_quat_to_vector(after), fr_quat_to_vector(before));
        s->jump = fmax(s->jump, fr_vec3_length(change) / fr_world_step(s->world));
    }
    memcpy(s->turns[0], s->turns[1], sizeof s->turns[0]);
    memcpy(s->turns[1], now, sizeof s->turns[1]);
    s->frames++;
}

// Where all objects and bones are.
static uint64_t hash_of(const fr_space *space) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        const fr_object_view *view = fr_object_get(space, fr_space_object_at(space, i));
        if (view == NULL) { continue; }
        hash = fr_hash(&view->pose, sizeof view->pose, hash);
        if (view->bones != NULL) { hash = fr_hash(view->bones, view->bone_count * sizeof *view->bones, hash); }
    }
    return hash;
}

static double distance_at(const fr_person *person, const moment *m) {
    const fr_skeleton_view *body = fr_skeleton_get(fr_performer_get(fr_person_performer(person)).skeleton);
    const fr_pose *links = fr_person_links(person);
    const fr_link_point *grip = &body->points[m->is_left ? FR_POINT_LEFT_GRIP : FR_POINT_RIGHT_GRIP];
    uint32_t tip = m->is_left ? FR_LINK_LEFT_INDEX_3 : FR_LINK_RIGHT_INDEX_3;
    fr_vec3 at =
        m->is_tip ? fr_pose_apply(&links[tip], body->tips[tip]) : fr_pose_apply(&links[grip->link], grip->offset);
    return fr_vec3_distance(at, m->place);
}

static void note_events(room_run *s, const fr_person *person) {
    const fr_snapshot *seen = fr_world_snapshot(s->world);
    for (size_t i = 0; i < seen->event_count; i++) {
        for (int k = 0; k < HAPPENS; k++) {
            if (strcmp(seen->events[i].name, happens[k]) != 0) { continue; }
            if (s->counts[k]++ > 0) { continue; }
            fr_vec3 now = fr_person_links(person)[0].position;
            s->speeds[k] = hypot(now.x - s->place.x, now.z - s->place.z) / fr_world_step(s->world);
        }
        for (int k = 0; k < MOMENTS; k++) {
            if (s->apart[k] == 0.0 && strcmp(seen->events[i].name, moments[k].name) == 0) {
                s->apart[k] = distance_at(person, &moments[k]);
            }
        }
    }
    for (size_t i = 0; i < seen->event_count; i++) {
        if (!fr_object_id_equal(seen->events[i].b, fr_world_find(s->world, "door"))) { continue; }
        bool is_taken = strcmp(seen->events[i].name, "attached") == 0;
        if (is_taken || strcmp(seen->events[i].name, "released") == 0) { s->is_door_held = is_taken; }
        s->door_holds += is_taken;
    }
    fr_snapshot_release(seen);
    s->place = fr_person_links(person)[0].position;
}

// How far the palm slips on the cup from when it is there until the hand has closed.
static void look_at_palm(room_run *s, const fr_person *person) {
    fr_vec3 palm = fr_person_links(person)[FR_LINK_RIGHT_PALM].position;
    if (s->counts[1] == 0 || s->counts[2] > 0) { return; }
    if (fr_vec3_length_squared(s->met) == 0.0) { s->met = palm; }
    s->slip = fmax(s->slip, fr_vec3_distance(palm, s->met));
}

// The angle about the hinge at which the knob is next to the grip of a hand, as far as the hinge goes.
static double angle_of_hand(const fr_person *person, bool is_left, const fr_pose *door, double now) {
    const fr_skeleton_view *body = fr_skeleton_get(fr_performer_get(fr_person_performer(person)).skeleton);
    const fr_link_point *grip = &body->points[is_left ? FR_POINT_LEFT_GRIP : FR_POINT_RIGHT_GRIP];
    fr_vec3 at = fr_pose_apply(&fr_person_links(person)[grip->link], grip->offset);
    fr_vec3 knob = fr_pose_apply(door, fr_vec3_make(-0.73, 1.0, -0.084));
    double hand = atan2(-(at.z - door->position.z), at.x - door->position.x);
    double turn = remainder(hand - atan2(-(knob.z - door->position.z), knob.x - door->position.x), fr_radians(360.0));
    return fmin(fmax(now + turn, 0.0), fr_radians(90.0));
}

// While a hand holds the door it is where the hand is; else it stands still.
static void look_at_door(room_run *s, const fr_person *person, double value) {
    const fr_pose *door = &fr_object_get(fr_world_space(s->world), fr_world_find(s->world, "door"))->pose;
    double right = fabs(angle_of_hand(person, false, door, value) - value);
    double left = fabs(angle_of_hand(person, true, door, value) - value);
    if (s->is_door_held) { s->door_apart = fmax(s->door_apart, fmin(left, right)); }
    if (!s->is_door_held) { s->door_drift = fmax(s->door_drift, fabs(value - s->door_now)); }
    s->door_max = fmax(s->door_max, value);
    s->door_now = value;
}

static fr_status look(uint32_t over, void *user, fr_error *error) {
    (void)over, (void)error;
    room_run *s = user;
    const fr_space *space = fr_world_space(s->world);
    const fr_person *person = fr_director_get(s->director, 0).person;
    s->hashes[s->frames] = hash_of(space);
    note_events(s, person);
    look_at_palm(s, person);
    note_jump(s, fr_performer_get(fr_person_performer(person)).posture.turns);
    fr_object_id cup = fr_world_find(s->world, "cup"), door = fr_world_find(s->world, "door");
    const fr_claim *claim = fr_cast_claim(s->cast, cup);
    if (claim != NULL && s->counts[2] > 0) { // from the grasp on
        fr_pose back = fr_pose_inverse(&fr_person_links(person)[FR_LINK_RIGHT_PALM]);
        fr_pose now = fr_pose_compose(&back, &fr_object_get(space, cup)->pose);
        if (!s->is_taken) { s->in_palm = now; }
        s->is_taken = true;
        s->palm_error = fmax(s->palm_error, fr_vec3_distance(now.position, s->in_palm.position));
        s->palm_error = fmax(s->palm_error, angle_between(now.rotation, s->in_palm.rotation));
    }
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint == NULL || !fr_object_id_equal(joint->child, door)) { continue; }
        look_at_door(s, person, joint->value);
    }
    return FR_OK;
}

// Carries the script out; all of it is done.
static void run_room(room_run *s) {
    fr_script_run_input input = fr_default_script_run_input();
    input.script = s->script;
    input.cast = s->cast;
    input.max_ticks = MAX_FRAMES;
    input.after = look;
    input.user = s;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count; i++) {
        const fr_script_step *step = &fr_script_get(s->script)->steps[run.results[i].step];
        if (!run.results[i].is_done) { fail_msg("%s %s: %s", step->motion, step->object, run.results[i].reason); }
    }
    assert_true(run.result_count >= 11 && fr_script_get(s->script)->step_count >= 12); // fused ones are steps too
    fr_script_run_destroy(&run);
}

static room_run by_library, by_processes;

// What the program opens first, the room, names the scenario, and the scenario names the room.
static void the_room_and_the_scenario_name_each_other(void **state) {
    (void)state;
    static room_run s;
    open_room(&s, NULL, false);
    assert_string_equal(fr_scene_get(s.scene)->script, "../examples/scenario.json");
    assert_string_equal(fr_script_get(s.script)->scene, "../demos/room.json");
    static const char *const things[] = {"floor", "wall 1", "wall 2", "door", "tv",        "table",
                                         "cup",   "sink",   "chair",  "bed",  "bookshelf", "lamp"};
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        assert_non_null(fr_object_get(fr_world_space(s.world), fr_world_find(s.world, things[i])));
    }
    close_room(&s);
}

static void the_scenario_runs_to_its_end(void **state) {
    (void)state;
    room_run *s = &by_library;
    open_room(s, NULL, false);
    run_room(s);
    print_message("%llu frames; cup in the palm to %.1e; door to %.0f degrees, %.0f in the end; jump %.1f rad/s\n",
                  (unsigned long long)s->frames, s->palm_error, fr_degrees(s->door_max), fr_degrees(s->door_now),
                  s->jump);
    assert_true(s->is_taken && s->palm_error < 1e-6);
    assert_true(s->door_max > fr_radians(45.0) && s->door_now < s->door_max);
    print_message("the door: held %u times, %.1e rad from the hand that holds it, %.1e rad a frame by itself\n",
                  s->door_holds, s->door_apart, s->door_drift);
    assert_true(s->door_holds >= 3 && s->door_apart < 1e-9 && s->door_drift == 0.0);
    assert_true(s->jump <= 4.0); // of what is allowed at a transition
    for (int k = 0; k < MOMENTS; k++) {
        print_message("%s: the hand is %.1f mm from its place\n", moments[k].name, 1e3 * s->apart[k]);
    }
    for (int k = 0; k < HAPPENS; k++) {
        if (s->counts[k] == 0) { fail_msg("%s did not happen", happens[k]); }
    }
    for (int k = 0; k < MOMENTS; k++) {
        assert_true(s->apart[k] < moments[k].near);
    }
    // The cup is reached for and grasped by a body that walks on, and does not slip in the hand that closes.
    print_message("reached at %.2f m/s, grasped at %.2f m/s; the palm slips by %.2f mm\n", s->speeds[1], s->speeds[2],
                  1e3 * s->slip);
    assert_true(s->speeds[1] > 0.4 && s->speeds[2] > 0.4 && s->speeds[4] > 0.4);
    assert_true(s->slip < 0.002);
    // Seated: the hips a hand's breadth over the seat, which is 0.45 m high, and the thighs level.
    const fr_pose *links = fr_person_links(fr_director_get(s->director, 0).person);
    fr_vec3 hip = links[FR_LINK_RIGHT_THIGH].position, knee = links[FR_LINK_RIGHT_SHIN].position;
    assert_true(hip.y > 0.45 && hip.y < 0.62);
    assert_true(fabs(hip.y - knee.y) < 0.12);
    assert_true(hypot(hip.x - 1.3, hip.z - 4.5) < 0.35);
    close_room(s);
}

// Skills are programs of their own: the same bits in every frame.
static void processes_do_the_same_as_the_library(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    room_run *s = &by_processes;
    open_room(s, plug_ins, false);
    run_room(s);
    fr_plug_ins_state processes = fr_plug_ins_get(plug_ins);
    print_message("%llu processes started, %llu motions by one that waited\n", (unsigned long long)processes.started,
                  (unsigned long long)processes.reused);
    assert_int_equal(s->frames, by_library.frames);
    for (uint64_t i = 0; i < s->frames; i++) {
        if (s->hashes[i] != by_library.hashes[i]) { fail_msg("frame %llu differs", (unsigned long long)i); }
    }
    assert_true(processes.started >= 6 && processes.reused >= 5); // those that look at shapes are not among them
    close_room(s);
    fr_plug_ins_destroy(plug_ins);
}

// All of them, those too that look at shapes: they see none, and come to the end. The same bits in every frame as in
// the library where they see none either.
static void the_scenario_runs_by_processes_alone(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    open_room(&by_processes, plug_ins, true);
    run_room(&by_processes);
    assert_true(by_processes.is_taken && by_processes.palm_error < 1e-6);
    assert_true(fr_plug_ins_get(plug_ins).started >= 11);
    room_run *s = &by_library;
    open_room(s, NULL, true);
    run_room(s);
    assert_int_equal(s->frames, by_processes.frames);
    uint64_t hashes[2] = {0, 0};
    for (uint64_t i = 0; i < s->frames; i++) {
        if (s->hashes[i] != by_processes.hashes[i]) { fail_msg("frame %llu differs", (unsigned long long)i); }
        hashes[0] = fr_hash(&s->hashes[i], sizeof s->hashes[i], hashes[0]);
        hashes[1] = fr_hash(&by_processes.hashes[i], sizeof by_processes.hashes[i], hashes[1]);
    }
    print_message("%llu frames, by the library %016llx, by %llu processes %016llx\n", (unsigned long long)s->frames,
                  (unsigned long long)hashes[0], (unsigned long long)fr_plug_ins_get(plug_ins).started,
                  (unsigned long long)hashes[1]);
    assert_true(hashes[0] == hashes[1]);
    close_room(s);
    close_room(&by_processes);
    fr_plug_ins_destroy(plug_ins);
}

// Every pair of people, by brute force.
static fr_status look_at_all(uint32_t over, void *user, fr_error *error) {
    (void)over, (void)error;
    room_run *s = user;
    uint32_t count = fr_director_person_count(s->director);
    for (uint32_t a = 0; a < count; a++) {
        fr_director_state one = fr_director_get(s->director, a);
        fr_vec3 p = fr_person_links(one.person)[0].position;
        for (uint32_t b = a + 1; b < count; b++) {
            fr_director_state other = fr_director_get(s->director, b);
            fr_vec3 q = fr_person_links(other.person)[0].position;
            s->nearest = fmin(s->nearest, hypot(p.x - q.x, p.z - q.z) - one.radius - other.radius);
        }
    }
    return FR_OK;
}

static void ten_people_do_different_things(void **state) {
    (void)state;
    static room_run s;
    open_scene(&s, "ten_people.json", "demos/scripts/ten_people.json", NULL, false);
    s.nearest = HUGE_VAL;
    assert_int_equal(fr_director_person_count(s.director), 10);
    fr_script_run_input input = fr_default_script_run_input();
    input.script = s.script;
    input.cast = s.cast;
    input.max_ticks = 6000;
    input.after = look_at_all;
    input.user = &s;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count; i++) {
        const fr_script_step *step = &fr_script_get(s.script)->steps[run.results[i].step];
        if (!run.results[i].is_done) {
            fail_msg("%s: %s %s: %s", step->person, step->motion, step->object, run.results[i].reason);
        }
    }
    print_message("%u commands in %llu frames; %.0f mm between two people\n", (unsigned)run.result_count,
                  (unsigned long long)run.ticks, 1e3 * s.nearest);
    assert_true(s.nearest >= -0.02);
    const fr_claim *claim = fr_cast_claim(s.cast, fr_world_find(s.world, "cup"));
    assert_true(claim != NULL && strcmp(claim->name, "Mai") == 0);
    fr_script_run_destroy(&run);
    close_room(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_room_and_the_scenario_name_each_other), cmocka_unit_test(the_scenario_runs_to_its_end),
        cmocka_unit_test(processes_do_the_same_as_the_library), cmocka_unit_test(the_scenario_runs_by_processes_alone),
        cmocka_unit_test(ten_people_do_different_things)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
