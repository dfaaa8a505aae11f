// The demonstration of the thesis: a room of twelve objects and a script, carried out to its end by what the objects'
// classes say (Ichiguchi 2000, table 5.1). The cup stays in the palm, the door follows the hand, the last posture sits.
#include "demo.h"
#include "frame.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"

#include <math.h>

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
    double jump; // largest change of a joint's angular velocity from one frame to the next, radians a second
    fr_quat turns[2][FR_LINK_COUNT];
    uint64_t frames;
} room_run;

static void open_room(room_run *s) {
    memset(s, 0, sizeof *s);
    fr_error error = {0};
    if (fr_library_open(OBJECT_FOLDER, NULL, &s->library, &error) != FR_OK) { fail_msg("%s", error.message); }
    const void *text = NULL;
    size_t size = 0;
    assert_int_equal(demo_load("room.json", &text, &size, (void *)(uintptr_t)DEMO_FOLDER, NULL), FR_OK);
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
    if (fr_director_create_for_scene(&directing, s->scene, &s->director, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(demo_load("scenario.json", &text, &size, (void *)(uintptr_t)EXAMPLE_FOLDER, NULL), FR_OK);
    if (fr_script_read(text, size, NULL, &s->script, &error) != FR_OK) { fail_msg("%s", error.message); }
    demo_unload(text, size, NULL);
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

static fr_status look(uint32_t over, void *user, fr_error *error) {
    (void)over, (void)error;
    room_run *s = user;
    const fr_space *space = fr_world_space(s->world);
    const fr_person *person = fr_director_get(s->director, 0).person;
    note_jump(s, fr_performer_get(fr_person_performer(person)).posture.turns);
    fr_object_id cup = fr_world_find(s->world, "cup"), door = fr_world_find(s->world, "door");
    const fr_claim *claim = fr_cast_claim(s->cast, cup);
    if (claim != NULL) {
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
        s->door_now = joint->value;
        s->door_max = fmax(s->door_max, joint->value);
    }
    return FR_OK;
}

static void the_scenario_runs_to_its_end(void **state) {
    (void)state;
    room_run s;
    open_room(&s);
    fr_script_run_input input = fr_default_script_run_input();
    input.script = s.script;
    input.cast = s.cast;
    input.max_ticks = 6000;
    input.after = look;
    input.user = &s;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count; i++) {
        const fr_script_step *step = &fr_script_get(s.script)->steps[run.results[i].step];
        if (!run.results[i].is_done) { fail_msg("%s %s: %s", step->motion, step->object, run.results[i].reason); }
    }
    print_message("%llu frames; cup in the palm to %.1e; door to %.0f degrees, %.0f in the end; jump %.1f rad/s\n",
                  (unsigned long long)run.ticks, s.palm_error, fr_degrees(s.door_max), fr_degrees(s.door_now), s.jump);
    assert_true(run.result_count >= 12);
    assert_true(s.is_taken && s.palm_error < 1e-6);
    assert_true(s.door_max > fr_radians(45.0) && s.door_now < s.door_max);
    assert_true(s.jump <= 4.0); // of what is allowed at a transition
    // Seated: the hips a hand's breadth over the seat, which is 0.45 m high, and the thighs level.
    const fr_pose *links = fr_person_links(fr_director_get(s.director, 0).person);
    fr_vec3 hip = links[FR_LINK_RIGHT_THIGH].position, knee = links[FR_LINK_RIGHT_SHIN].position;
    assert_true(hip.y > 0.45 && hip.y < 0.62);
    assert_true(fabs(hip.y - knee.y) < 0.12);
    assert_true(hypot(hip.x - 1.3, hip.z - 4.5) < 0.35);
    fr_script_run_destroy(&run);
    close_room(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_scenario_runs_to_its_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
