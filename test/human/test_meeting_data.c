// Two people who meet, beside captured ones: how near their wrists come, for how long, how far apart the hips are then
// and how fast the palms go. CMU captures 18_01 with 19_01 (shaking hands), 22_13 with 23_13 (something is handed
// over).
#include "pair.h"

#include "fureai/human_files.h"

#include <stdio.h>
#include <stdlib.h>

#define UNIT (0.0254 / 0.45) // metres of a unit of these files
#define TOUCH 0.04           // metres over the least distance of the wrists, within which hands are together
enum { FRAMES_MAX = 1200, SKIPPED = 40 }; // the first frames go over from a T-pose

// The wrists and the hips of two people, frame by frame.
typedef struct course {
    uint32_t count;
    double rate;
    fr_vec3 wrists[FRAMES_MAX][2], hips[FRAMES_MAX][2];
} course;

typedef struct facts {
    double wrists;  // the least distance, metres
    double seconds; // that they are within TOUCH of it, in one stretch
    double hips;    // metres apart, at the least distance
    double height;  // of the wrists then, of the hips' height
    double peak;    // speed of the faster palm against its hips in the second and a half before, metres a second
} facts;

static char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    char *text = malloc(1u << 24);
    *size = text != NULL ? fread(text, 1, 1u << 24, file) : 0;
    fclose(file);
    return text;
}

static void read_one(const char *name, int who, fr_link palm, course *c) {
    char path[512];
    size_t size = 0;
    char *text = read_all(test_shared_path(name, path, sizeof path), &size);
    if (text == NULL) { fail_msg("cannot read %s", path); }
    fr_bvh_input input = fr_default_bvh_input();
    input.text = text;
    input.size = size;
    input.unit = UNIT;
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_error error = {0};
    if (fr_bvh_read(&input, &skeleton, &clip, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    uint32_t count = fr_clip_get(clip)->frame_count;
    c->rate = fr_clip_get(clip)->frame_rate;
    c->count = count < c->count ? count : c->count;
    for (uint32_t i = 0; i < c->count; i++) {
        fr_quat turns[FR_MAX_LINKS];
        fr_pose poses[FR_MAX_LINKS];
        fr_posture posture = {.turns = turns, .count = view->link_count};
        assert_int_equal(fr_clip_frame(clip, i, &posture, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
        c->wrists[i][who] = poses[view->roles[palm]].position;
        c->hips[i][who] = poses[0].position;
    }
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    free(text);
}

static double level(fr_vec3 a, fr_vec3 b) { return hypot(a.x - b.x, a.z - b.z); }

static facts measure(const course *c, uint32_t first) {
    facts f = {.wrists = INFINITY};
    uint32_t at = first;
    for (uint32_t i = first; i < c->count; i++) {
        double apart = fr_vec3_distance(c->wrists[i][0], c->wrists[i][1]);
        if (apart >= f.wrists) { continue; }
        f.wrists = apart;
        at = i;
    }
    f.hips = level(c->hips[at][0], c->hips[at][1]);
    f.height = (c->wrists[at][0].y + c->wrists[at][1].y) / (c->hips[at][0].y + c->hips[at][1].y);
    uint32_t begin = at, end = at;
    while (begin > first && fr_vec3_distance(c->wrists[begin - 1][0], c->wrists[begin - 1][1]) < f.wrists + TOUCH) {
        begin--;
    }
    while (end + 1 < c->count && fr_vec3_distance(c->wrists[end + 1][0], c->wrists[end + 1][1]) < f.wrists + TOUCH) {
        end++;
    }
    f.seconds = (double)(end - begin) / c->rate;
    uint32_t lag = (uint32_t)(1.5 * c->rate), from = begin > first + lag ? begin - lag : first;
    for (uint32_t i = from + 1; i < end; i++) {
        for (int k = 0; k < 2; k++) {
            fr_vec3 a = fr_vec3_sub(c->wrists[i - 1][k], c->hips[i - 1][k]);
            fr_vec3 b = fr_vec3_sub(c->wrists[i][k], c->hips[i][k]);
            f.peak = fmax(f.peak, c->rate * fr_vec3_distance(a, b));
        }
    }
    return f;
}

static void print_facts(const char *what, const facts *f) {
    print_message(
        "%s: wrists %.2f m apart at least, within 4 cm of it for %.2f s, hips %.2f m apart, wrists at %.2f of "
        "the hips' height, palms at up to %.2f m/s\n",
        what, f->wrists, f->seconds, f->hips, f->height, f->peak);
}

static facts perform(fr_meeting_kind kind) {
    static pair p;
    static course c;
    memset(&p, 0, sizeof p);
    c.count = 0;
    c.rate = 60.0;
    const double statures[2] = {1.75, 1.75};
    const char *const skills[2][2] = {{"shake_hand", "shake_hand"}, {"hand_over", "receive"}};
    fr_meeting_input input = fr_default_meeting_input();
    fr_meeting_output found;
    input.kind = kind;
    for (int i = 0; i < 2; i++) {
        pair_open_body(&p.bodies[i], statures[i]);
        input.skeletons[i] = p.bodies[i].skeleton;
    }
    pair_stand(&p.bodies[0], fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    pair_stand(&p.bodies[1], fr_vec3_make(0.0, 0.0, fr_meeting_distance(&input)), FR_PI);
    for (int i = 0; i < 2; i++) {
        input.places[i] = p.bodies[i].poses[0].position;
    }
    assert_int_equal(fr_meeting_find(&input, &found, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        fr_task task = {.id = 1, .skill = fr_skill_find(skills[kind][i])};
        task.fields.given = FR_FIELD_TARGET | FR_FIELD_GOAL | FR_FIELD_SIDE | FR_FIELD_POSES;
        task.fields.target = p.bodies[1 - i].poses[0];
        task.fields.goal = found.goals[i];
        task.fields.side = FR_SIDE_RIGHT;
        task.fields.poses = &input.thing;
        task.fields.pose_count = 1;
        fr_error error = {0};
        if (fr_performer_begin(p.bodies[i].performer, &task, 1, NULL, &error) != FR_OK) {
            fail_msg("%s", error.message);
        }
    }
    while (fr_performer_get(p.bodies[0].performer).task_count > 0 && c.count < FRAMES_MAX) {
        pair_step(&p, false);
        for (int i = 0; i < 2; i++) {
            c.wrists[c.count][i] = p.bodies[i].poses[FR_LINK_RIGHT_PALM].position;
            c.hips[c.count][i] = p.bodies[i].poses[0].position;
        }
        c.count++;
    }
    pair_close(&p);
    return measure(&c, 0);
}

static void expect_between(const char *what, double made, double captured, double low, double high) {
    if (made >= low * captured && made <= high * captured) { return; }
    fail_msg("%s: %.2f made, %.2f captured", what, made, captured);
}

static void hands_are_shaken_as_captured(void **state) {
    (void)state;
    static course c;
    c.count = FRAMES_MAX;
    read_one("data/bvh-cmu/018/18_01.bvh", 0, FR_LINK_RIGHT_PALM, &c);
    read_one("data/bvh-cmu/019/19_01.bvh", 1, FR_LINK_RIGHT_PALM, &c);
    facts captured = measure(&c, SKIPPED), made = perform(FR_MEETING_SHAKE_HAND);
    print_facts("captured", &captured);
    print_facts("made", &made);
    expect_between("hips", made.hips, captured.hips, 0.75, 1.33);
    expect_between("height", made.height, captured.height, 0.8, 1.25);
    expect_between("seconds", made.seconds, captured.seconds, 0.6, 1.8);
    expect_between("peak", made.peak, captured.peak, 0.4, 2.0);
}

static void things_are_handed_over_as_captured(void **state) {
    (void)state;
    static course c;
    c.count = FRAMES_MAX;
    read_one("data/bvh-cmu/022/22_13.bvh", 0, FR_LINK_LEFT_PALM, &c);
    read_one("data/bvh-cmu/023/23_13.bvh", 1, FR_LINK_RIGHT_PALM, &c);
    facts captured = measure(&c, SKIPPED), made = perform(FR_MEETING_HAND_OVER);
    print_facts("captured", &captured);
    print_facts("made", &made);
    expect_between("hips", made.hips, captured.hips, 0.7, 1.33);
    expect_between("height", made.height, captured.height, 0.8, 1.25);
    expect_between("seconds", made.seconds, captured.seconds, 0.4, 3.0);
    expect_between("peak", made.peak, captured.peak, 0.4, 2.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_are_shaken_as_captured),
        cmocka_unit_test(things_are_handed_over_as_captured),
    };
    (void)test_shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
