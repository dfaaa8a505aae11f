// How walking looks: every joint stays near the measured means, heel first, arms against legs, pelvis against chest.
//
// The ground is the table of measured gait (406 strides of 28 people): its mean at the same speed over leg length, and
// its deviation over all strides. Two deviations are the bound (2.03 for the foot of a child, whose toes are
// long), 2.25 for the slowest walk, whose knee lands too bent: the stiff foot holds the ankle higher than measured.
// Phases begin where the stiff foot lands. What is measured here comes from postures alone.
#include "frame.h"
#include "fureai/human_figure.h"
#include "human/gait.h"
#include "walk_angles.h"
#include "walker.h"

#include <string.h>

#define MAX_FRAMES 600

// One steady stride of the right foot: angles in degrees of every frame.
typedef struct stride {
    int frames;
    double angles[FR__GAIT_CURVES][MAX_FRAMES];
    double heel[MAX_FRAMES], toe[MAX_FRAMES];
} stride;

static const struct {
    const char *name;
    int curve;
} curves[WALK_ANGLES] = {{"pelvis turn", FR__PELVIS_TURN},   {"pelvis roll", FR__PELVIS_ROLL},
                         {"chest turn", FR__CHEST_TURN},     {"hip", FR__HIP_FLEXION},
                         {"knee", FR__KNEE_FLEXION},         {"foot pitch", FR__FOOT_PITCH},
                         {"shoulder", FR__SHOULDER_FLEXION}, {"elbow", FR__ELBOW_FLEXION}};

static void measure(const walker *w, int i, stride *s) {
    double angles[WALK_ANGLES];
    walk_angles_of(w->skeleton, w->turns, w->poses, false, angles);
    for (int a = 0; a < WALK_ANGLES; a++) {
        s->angles[curves[a].curve][i] = angles[a];
    }
    s->heel[i] = w->points[0].y;
    s->toe[i] = w->points[1].y;
}

// Walks 12 m and takes the stride that begins with the fourth landing of the right heel.
static void take_stride(walker *w, stride *s) {
    fr_walk_goal goal = {fr_vec3_make(0.0, 0.0, 14.0 * fr_walk_set_get(w->set)->step), 0.0, true};
    walker_stand(w, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    assert_int_equal(fr_walk_go(w->walk, &goal, 1, 0, NULL), FR_OK);
    uint8_t before = FR_CONTACT_HEEL;
    int landings = 0;
    s->frames = 0;
    for (int i = 0; i < 3000 && landings < 5; i++) {
        walker_step(w);
        landings += w->posture.contact_right != 0 && before == 0 ? 1 : 0;
        before = w->posture.contact_right;
        if (landings == 4) { measure(w, s->frames++, s); }
        assert_true(s->frames < MAX_FRAMES);
    }
    assert_int_equal(landings, 5);
}

static double correlation(const double *a, const double *b, int count) {
    double sa = 0, sb = 0, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; i++) {
        sa += a[i] / count;
        sb += b[i] / count;
    }
    for (int i = 0; i < count; i++) {
        ab += (a[i] - sa) * (b[i] - sb);
        aa += (a[i] - sa) * (a[i] - sa);
        bb += (b[i] - sb) * (b[i] - sb);
    }
    return ab / sqrt(aa * bb);
}

// The measured mean and deviation of a curve at a phase.
static void expected(const fr__gait *gait, int curve, double phase, double *mean, double *deviation) {
    fr__gait_wave wave = fr__gait_wave_at(phase), table = fr__gait_wave_at(phase + gait->delay);
    double sum = 0.0;
    for (int k = 0; k < FR__GAIT_ORDERS; k++) {
        const fr__gait_term *term = &fr__gait_terms[curve][k];
        double a = term->a_sd * table.cosines[k], b = term->b_sd * table.sines[k];
        sum += a * a + b * b;
    }
    *mean = fr__gait_value(gait, (fr__gait_curve)curve, &wave);
    *deviation = sqrt(sum);
}

static void look_at(const fr_body_def *body, double speed) {
    walker w = walker_make(body, speed);
    const fr_walk_set_view *view = fr_walk_set_get(w.set);
    static stride s;
    take_stride(&w, &s);
    fr__gait gait;
    fr__gait_init(&gait, view->leg, view->speed, FR__GAIT_DELAY);
    print_message("stature %.2f, %.2f m/s (s %.2f), jump %.2f:", body->stature, view->speed, gait.speed, w.jump);
    for (size_t c = 0; c < WALK_ANGLES; c++) {
        double worst = 0.0, worst_phase = 0.0;
        for (int i = 0; i < s.frames; i++) {
            double mean, deviation;
            expected(&gait, curves[c].curve, (double)i / s.frames, &mean, &deviation);
            double off = fabs(s.angles[curves[c].curve][i] - mean) / deviation;
            worst_phase = off > worst ? (double)i / s.frames : worst_phase;
            worst = off > worst ? off : worst;
        }
        print_message(" %s %.2f sd at %.2f,", curves[c].name, worst, worst_phase);
        assert_true(worst <= (gait.speed < 0.3 ? 2.25 : 2.05));
    }

    // Arms against legs and the chest against the pelvis; knees nearly straight in stance; heel first.
    double arms = correlation(s.angles[FR__SHOULDER_FLEXION], s.angles[FR__HIP_FLEXION], s.frames);
    double trunk = correlation(s.angles[FR__CHEST_TURN], s.angles[FR__PELVIS_TURN], s.frames);
    double straightest = 90.0, middle = s.angles[FR__KNEE_FLEXION][(3 * s.frames) / 10];
    for (int i = 0; i < (s.frames * 6) / 10; i++) {
        straightest = fmin(straightest, s.angles[FR__KNEE_FLEXION][i]);
    }
    print_message(
        " arm-leg %.2f, chest-pelvis %.2f, knee %.0f at best, %.0f in the middle of stance, foot %.0f at landing\n",
        arms, trunk, straightest, middle, s.angles[FR__FOOT_PITCH][0]);
    assert_true(w.jump < 4.0);
    assert_true(arms < -0.85);
    assert_true(trunk < -0.5);
    assert_true(straightest > 0.0 && straightest < 12.0);
    assert_true(middle < 25.0);
    assert_true(s.heel[0] < 0.01 * view->leg && s.toe[0] > 0.05 * view->leg);
    walker_destroy(&w);
}

static void walking_stays_near_the_measured_means(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    const double speeds[] = {0.8, 0.9, 1.0, 1.19, 1.4, 1.6, 1.75};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        look_at(&body, speeds[i]);
    }
    body.stature = 1.0;
    look_at(&body, 0.0);
    body.stature = 2.0;
    look_at(&body, 0.0);
}

// The smallest distance of two segments, by samples of the first.
static double segment_distance(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d) {
    double best = 10.0;
    fr_vec3 along = fr_vec3_sub(d, c);
    for (int i = 0; i <= 20; i++) {
        fr_vec3 p = fr_vec3_lerp(a, b, i / 20.0);
        double t = fmin(fmax(fr_vec3_dot(fr_vec3_sub(p, c), along) / fr_vec3_dot(along, along), 0.0), 1.0);
        best = fmin(best, fr_vec3_distance(p, fr_vec3_add_scaled(c, t, along)));
    }
    return best;
}

// How near the middles of both feet, of both shins, and of a foot and the other shin come to one another.
static void watch_legs(const walker *w, double nearest[3]) {
    fr_vec3 knees[2] = {w->poses[FR_LINK_RIGHT_SHIN].position, w->poses[FR_LINK_LEFT_SHIN].position};
    fr_vec3 ankles[2] = {w->poses[FR_LINK_RIGHT_FOOT].position, w->poses[FR_LINK_LEFT_FOOT].position};
    const fr_vec3 *p = w->points;
    nearest[0] = fmin(nearest[0], segment_distance(p[0], p[1], p[2], p[3]));
    nearest[1] = fmin(nearest[1], segment_distance(knees[0], ankles[0], knees[1], ankles[1]));
    nearest[2] = fmin(nearest[2], segment_distance(p[0], p[1], knees[1], ankles[1]));
    nearest[2] = fmin(nearest[2], segment_distance(p[2], p[3], knees[0], ankles[0]));
}

static void go_and_watch(walker *w, double ahead, double heading, double nearest[3]) {
    fr_walk_goal goal = {fr_vec3_make(0.0, 0.0, ahead), heading, true};
    walker_stand(w, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    assert_int_equal(fr_walk_go(w->walk, &goal, 1, 0, NULL), FR_OK);
    while (fr_walk_get(w->walk).is_walking) {
        walker_step(w);
        watch_legs(w, nearest);
    }
}

// A body that turns keeps its legs apart: on the spot by any angle, and where it turns before and after a walk. Feet
// are 0.09 m wide, and 0.094 m apart in steady walking.
static void turning_legs_stay_apart(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    double spot[3] = {10.0, 10.0, 10.0}, walk[3] = {10.0, 10.0, 10.0};
    for (int degrees = -180; degrees <= 180; degrees += 5) {
        go_and_watch(&w, 0.0, fr_radians(degrees), spot);
    }
    for (int degrees = -180; degrees <= 180; degrees += 60) {
        go_and_watch(&w, 4.0, fr_radians(degrees), walk);
        go_and_watch(&w, -4.0, fr_radians(degrees), walk);
    }
    print_message("on the spot feet %.3f, shins %.3f, foot and shin %.3f m apart; with a walk %.3f, %.3f, %.3f\n",
                  spot[0], spot[1], spot[2], walk[0], walk[1], walk[2]);
    assert_true(spot[0] > 0.08 && spot[1] > 0.14 && spot[2] > 0.12);
    assert_true(walk[0] > 0.02 && walk[1] > 0.04 && walk[2] > 0.02);
    walker_destroy(&w);
}

// The pieces of a body below the knees, and points of their surfaces.
typedef struct leg_piece {
    uint32_t link;
    const fr_mesh *mesh;
    fr_vec3 points[1024];
    size_t count;
} leg_piece;

static leg_piece pieces[2][2]; // left and right: foot, shin

static void find_pieces(const fr_figure *figure) {
    static const fr_link links[2][2] = {{FR_LINK_LEFT_FOOT, FR_LINK_LEFT_SHIN},
                                        {FR_LINK_RIGHT_FOOT, FR_LINK_RIGHT_SHIN}};
    const fr_figure_view *view = fr_figure_get(figure);
    for (int k = 0; k < 4; k++) {
        leg_piece *piece = &pieces[k / 2][k % 2];
        piece->link = (uint32_t)links[k / 2][k % 2];
        piece->count = 0;
        for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
            if (view->proxies[i].link == piece->link) { piece->mesh = view->proxies[i].mesh; }
        }
        for (uint32_t i = 0; i < fr_mesh_get(piece->mesh)->triangle_count; i++) {
            fr_vec3 c[3];
            fr_mesh_corners(piece->mesh, i, c);
            fr_vec3 middle = fr_vec3_scale(1.0 / 3.0, fr_vec3_add(c[0], fr_vec3_add(c[1], c[2])));
            const fr_vec3 points[4] = {c[0], c[1], c[2], middle};
            assert_true(piece->count + 4 <= sizeof piece->points / sizeof piece->points[0]);
            memcpy(&piece->points[piece->count], points, sizeof points);
            piece->count += 4;
        }
    }
}

// How deep points of one piece are in another one.
static double piece_depth(const walker *w, const leg_piece *a, const leg_piece *b) {
    fr_pose back = fr_pose_inverse(&w->poses[b->link]);
    const fr_bounds *bounds = &fr_mesh_get(b->mesh)->bounds;
    double depth = 0.0;
    for (size_t i = 0; i < a->count; i++) {
        fr_vec3 at = fr_pose_apply(&w->poses[a->link], a->points[i]);
        at = fr_pose_apply(&back, at);
        if (!fr_bounds_contain_point(bounds, at) || !fr_mesh_contains(b->mesh, at)) { continue; }
        depth = fmax(depth, fabs(fr_mesh_closest(b->mesh, at, INFINITY).distance));
    }
    return depth;
}

static double legs_depth(const walker *w) {
    double depth = 0.0;
    for (int k = 0; k < 4; k++) {
        depth = fmax(depth, piece_depth(w, &pieces[0][k / 2], &pieces[1][k % 2]));
        depth = fmax(depth, piece_depth(w, &pieces[1][k / 2], &pieces[0][k % 2]));
    }
    return depth;
}

static walker make_legs(fr_figure **figure) {
    fr_body_def body = fr_default_body_def();
    walker w = walker_make(&body, 0.0);
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = w.skeleton;
    def.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&def, figure, NULL), FR_OK);
    find_pieces(*figure);
    return w;
}

// How deep feet and shins are in one another at most on a walk from standing at the origin with heading 0.
static double walk_depth(walker *w, double length, double towards, double heading) {
    fr_walk_goal goal = {fr_vec3_make(length * sin(towards), 0.0, length * cos(towards)), heading, true};
    walker_stand(w, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    assert_int_equal(fr_walk_go(w->walk, &goal, 1, 0, NULL), FR_OK);
    double depth = 0.0;
    while (fr_walk_get(w->walk).is_walking) {
        walker_step(w);
        if (w->frames % 3 == 0) { depth = fmax(depth, legs_depth(w)); }
    }
    return depth;
}

// Walks of 0.02 to 1.3 m in any direction with any turn, and longer ones: feet and shins do not go through one another.
static void feet_do_not_meet(void **state) {
    (void)state;
    fr_figure *figure = NULL;
    walker w = make_legs(&figure);
    fr_random random = fr_random_seed(10);
    uint64_t count = test_count(80, 3000), met = 0;
    double worst = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        double longest = i % 4 == 0 ? 5.0 : 1.3, length = fr_random_between(&random, 0.02, longest);
        double towards = fr_random_between(&random, -FR_PI, FR_PI);
        double heading = fr_random_between(&random, -FR_PI, FR_PI), depth = walk_depth(&w, length, towards, heading);
        met += depth > 1e-3 ? 1 : 0;
        worst = fmax(worst, depth);
        if (depth > 1e-3 && getenv("FUREAI_SHOW") != NULL) {
            print_message("%llu: %.2f m towards %.0f, turn %.0f degrees: %.1f mm\n", (unsigned long long)i, length,
                          fr_degrees(towards), fr_degrees(heading), 1e3 * depth);
        }
    }
    print_message("%llu walks: feet or shins meet in %llu, by %.1f mm at most\n", (unsigned long long)count,
                  (unsigned long long)met, 1e3 * worst);
    assert_true(worst < 0.002 && met <= count / 1000);
    fr_figure_release(figure);
    walker_destroy(&w);
}

// Goes on walks, each of metres, degrees towards which and degrees of the turn: feet and shins stay apart.
static void check_walks(const double walks[][3], int count) {
    fr_figure *figure = NULL;
    walker w = make_legs(&figure);
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        double depth = walk_depth(&w, walks[i][0], fr_radians(walks[i][1]), fr_radians(walks[i][2]));
        print_message("%.2f m towards %.0f, turn %.0f degrees: %.1f mm\n", walks[i][0], walks[i][1], walks[i][2],
                      1e3 * depth);
        worst = fmax(worst, depth);
    }
    assert_true(worst < 1e-3);
    fr_figure_release(figure);
    walker_destroy(&w);
}

// Walks on which a foot lands clear of the other one, which then would land on it.
static void a_foot_does_not_land_on_the_other(void **state) {
    (void)state;
    static const double walks[5][3] = {
        {0.50, 167, 29}, {0.50, -24, 16}, {0.53, -38, -10}, {0.15, 14, 121}, {0.42, 155, 11}};
    check_walks(walks, 5);
}

// Walks whose prints would have a shin go through the other one: a first step across the other leg, a foot that passes
// one which has turned, and a small step whose feet would stand on one another.
static void prints_leave_room_for_the_shins(void **state) {
    (void)state;
    static const double walks[8][3] = {{0.879, -36.2, 1.0},   {0.845, -29.7, 8.0},  {1.182, -14.7, 60.3},
                                       {0.887, 43.2, 34.7},   {0.700, 172.2, 63.6}, {4.673, 76.4, -103.7},
                                       {1.978, -136.5, 55.4}, {0.062, 105.5, -58.9}};
    check_walks(walks, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walking_stays_near_the_measured_means),
        cmocka_unit_test(turning_legs_stay_apart),
        cmocka_unit_test(feet_do_not_meet),
        cmocka_unit_test(a_foot_does_not_land_on_the_other),
        cmocka_unit_test(prints_leave_room_for_the_shins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
