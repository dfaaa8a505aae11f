// Captures that others made: every joint of every tenth frame where a second, naive reader puts it, and out and in
// again.
#include "frame.h"

#include "bvh_text.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// The naive reader: recursive, strtod, matrices

typedef struct naive {
    char *at;
    int parents[300], channels[300], kinds[300][6], count;
    char names[300][64];
    double offsets[300][3];
} naive;

static char *word(naive *n) {
    static char text[64];
    int size = 0;
    while (*n->at == ' ' || *n->at == '\t' || *n->at == '\r' || *n->at == '\n') {
        n->at++;
    }
    while (*n->at > ' ' && size < 63) {
        text[size++] = *n->at++;
    }
    text[size] = '\0';
    return text;
}

static void naive_joint(naive *n, int parent) {
    int me = n->count++;
    n->parents[me] = parent;
    strcpy(n->names[me], word(n));
    word(n);
    for (char *w = word(n); strcmp(w, "}") != 0; w = word(n)) {
        if (strcmp(w, "OFFSET") == 0) {
            for (int i = 0; i < 3; i++) {
                n->offsets[me][i] = strtod(n->at, &n->at);
            }
        } else if (strcmp(w, "CHANNELS") == 0) {
            n->channels[me] = (int)strtol(n->at, &n->at, 10);
            for (int i = 0; i < n->channels[me]; i++) {
                const char *kind = word(n);
                n->kinds[me][i] = (kind[0] - 'X') + (kind[1] == 'r' ? 3 : 0);
            }
        } else if (strcmp(w, "JOINT") == 0) {
            naive_joint(n, me);
        } else {
            for (int i = 0; i < 7; i++) {
                word(n);
            } // End Site { OFFSET x y z }
        }
    }
}

typedef struct naive_pose {
    double m[3][3], p[3];
} naive_pose;

static void turn_matrix(double m[3][3], int axis, double angle_deg) {
    double a = angle_deg * FR_PI / 180.0, t[3][3] = {{0}}, out[3][3];
    int i = (axis + 1) % 3, k = (axis + 2) % 3;
    t[axis][axis] = 1.0;
    t[i][i] = t[k][k] = cos(a);
    t[i][k] = -sin(a);
    t[k][i] = sin(a);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] = m[r][0] * t[0][c] + m[r][1] * t[1][c] + m[r][2] * t[2][c];
        }
    }
    memcpy(m, out, sizeof out);
}

static void naive_frame(naive *n, naive_pose *poses) {
    for (int j = 0; j < n->count; j++) {
        double own[3] = {n->offsets[j][0], n->offsets[j][1], n->offsets[j][2]};
        double turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < n->channels[j]; i++) {
            double value = strtod(n->at, &n->at);
            if (n->kinds[j][i] < 3) {
                own[n->kinds[j][i]] = value;
            } else {
                turn_matrix(turn, n->kinds[j][i] - 3, value);
            }
        }
        const naive_pose *up = j > 0 ? &poses[n->parents[j]] : NULL;
        for (int r = 0; r < 3; r++) {
            poses[j].p[r] = up ? up->p[r] + up->m[r][0] * own[0] + up->m[r][1] * own[1] + up->m[r][2] * own[2] : own[r];
            for (int c = 0; c < 3; c++) {
                poses[j].m[r][c] =
                    up ? up->m[r][0] * turn[0][c] + up->m[r][1] * turn[1][c] + up->m[r][2] * turn[2][c] : turn[r][c];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static double worst_against_naive(char *text, const fr_skeleton *skeleton, const fr_clip *clip, double unit) {
    static naive n;
    static naive_pose wanted[300];
    static fr_quat turns[FR_MAX_LINKS];
    static fr_pose poses[FR_MAX_LINKS];
    memset(&n, 0, sizeof n);
    n.at = text;
    word(&n);
    word(&n);
    naive_joint(&n, -1);
    assert_int_equal(n.count, fr_skeleton_get(skeleton)->link_count);
    for (int i = 0; i < 6; i++) {
        word(&n);
    } // MOTION Frames: n Frame Time: t
    fr_posture posture = {.turns = turns, .count = (uint32_t)n.count};
    double worst = 0.0;
    for (uint32_t frame = 0; frame < fr_clip_get(clip)->frame_count; frame++) {
        naive_frame(&n, wanted);
        if (frame % 10 != 0) { continue; }
        assert_int_equal(fr_clip_frame(clip, frame, &posture, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
        for (int j = 0; j < n.count; j++) {
            const double p[3] = {poses[j].position.x, poses[j].position.y, poses[j].position.z};
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fabs(p[k] - unit * wanted[j].p[k]));
            }
        }
    }
    return worst;
}

// Written and read again: the largest difference of a turn, in degrees.
static double worst_again(const fr_skeleton *skeleton, const fr_clip *clip) {
    bvh_text text = {0};
    assert_int_equal(fr_bvh_write(skeleton, clip, 1.0, bvh_text_add, &text, NULL), FR_OK);
    fr_skeleton *other;
    fr_clip *back;
    assert_int_equal(bvh_text_read(text.bytes, text.size, 1.0, &other, &back, NULL, NULL), FR_OK);
    static fr_quat a_turns[FR_MAX_LINKS], b_turns[FR_MAX_LINKS];
    uint32_t links = fr_skeleton_get(skeleton)->link_count, places[FR_MAX_LINKS];
    for (uint32_t i = 0; i < links; i++) {
        const char *name = fr_skeleton_get(skeleton)->names[i];
        places[i] = fr_skeleton_find(other, name, strlen(name));
        assert_true(places[i] != FR_NO_LINK);
    }
    fr_posture a = {.turns = a_turns, .count = links}, b = {.turns = b_turns, .count = links};
    double worst = 0.0;
    for (uint32_t frame = 0; frame < fr_clip_get(clip)->frame_count; frame++) {
        assert_int_equal(fr_clip_frame(clip, frame, &a, NULL), FR_OK);
        assert_int_equal(fr_clip_frame(back, frame, &b, NULL), FR_OK);
        assert_true(fr_vec3_distance(a.place, b.place) < 1e-6);
        for (uint32_t i = 0; i < links; i++) {
            fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(a_turns[i], fr_quat_conjugate(b_turns[places[i]])));
            worst = fmax(worst, fr_degrees(fr_vec3_length(off)));
        }
    }
    fr_clip_release(back);
    fr_skeleton_release(other);
    free(text.bytes);
    return worst;
}

// ---------------------------------------------------------------------------------------------------------------
// Carried over to bodies of ours

static fr_vec3 between(const fr_pose *poses, uint32_t from, uint32_t to) {
    return fr_vec3_unit(fr_vec3_sub(poses[to].position, poses[from].position), (fr_vec3){0, 0, 0});
}

// The largest angle in degrees between bones of arms and legs as captured and as carried over.
static double worst_direction(const fr_skeleton *skeleton, const fr_clip *clip, const fr_skeleton *body,
                              const fr_clip *moved) {
    static const fr_link bones[8] = {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM, FR_LINK_LEFT_UPPER_ARM,
                                     FR_LINK_LEFT_FOREARM,    FR_LINK_RIGHT_THIGH,   FR_LINK_RIGHT_SHIN,
                                     FR_LINK_LEFT_THIGH,      FR_LINK_LEFT_SHIN};
    static fr_quat a_turns[FR_MAX_LINKS], b_turns[FR_MAX_LINKS];
    static fr_pose a_poses[FR_MAX_LINKS], b_poses[FR_MAX_LINKS];
    const uint32_t *roles = fr_skeleton_get(skeleton)->roles;
    fr_posture a = {.turns = a_turns, .count = fr_skeleton_get(skeleton)->link_count};
    fr_posture b = {.turns = b_turns, .count = FR_LINK_COUNT};
    uint32_t left_out = fr_clip_get(clip)->frame_count - fr_clip_get(moved)->frame_count;
    double worst = 0.0;
    for (uint32_t frame = 0; frame < fr_clip_get(moved)->frame_count; frame += 7) {
        assert_int_equal(fr_clip_frame(clip, frame + left_out, &a, NULL), FR_OK);
        assert_int_equal(fr_clip_frame(moved, frame, &b, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &a, 1, a_poses, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(body, &b, 1, b_poses, NULL), FR_OK);
        for (int i = 0; i < 8; i++) {
            fr_vec3 wanted = between(a_poses, roles[bones[i]], roles[bones[i] + 1]);
            fr_vec3 found = between(b_poses, bones[i], bones[i] + 1);
            double angle = asin(fmin(1.0, fr_vec3_length(fr_vec3_cross(wanted, found))));
            worst = fmax(worst, fr_vec3_dot(wanted, found) > 0.0 ? fr_degrees(angle) : 180.0);
        }
    }
    return worst;
}

static uint32_t standing_clips;

static void try_bodies(const char *path, const fr_skeleton *skeleton, const fr_clip *clip, double *direction,
                       double *slide) {
    static const double statures[2] = {1.0, 1.7};
    for (int i = 0; i < 2; i++) {
        fr_body_def def = fr_default_body_def();
        def.stature = statures[i];
        fr_skeleton *body;
        fr_clip *moved, *clean;
        fr_clip_facts facts;
        assert_int_equal(fr_skeleton_create_body(&def, &body, NULL), FR_OK);
        fr_retarget_input input = fr_default_retarget_input();
        input.from = skeleton;
        input.clip = clip;
        input.to = body;
        fr_error error;
        if (fr_retarget(&input, &moved, &error) != FR_OK) { fail_msg("%s: %s", path, error.message); }
        *direction = fmax(*direction, worst_direction(skeleton, clip, body, moved));
        fr_clean_input cleaning = fr_default_clean_input();
        cleaning.skeleton = body;
        cleaning.clip = moved;
        assert_int_equal(fr_clip_clean(&cleaning, &clean, NULL), FR_OK);
        assert_int_equal(fr_clip_measure(body, clean, &facts, NULL), FR_OK);
        standing_clips += facts.contact_count > 0;
        *slide = fmax(*slide, facts.slide_max);
        assert_true(facts.below < 1e-5);
        assert_true(worst_again(body, clean) < 1e-4);
        fr_clip_release(moved);
        fr_clip_release(clean);
        fr_skeleton_release(body);
    }
}

typedef struct found {
    uint32_t files;
    double worst, again, direction, slide;
} found;

static void try_file(const char *path, found *f) {
    size_t size;
    char *text = read_whole(path, &size);
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts facts;
    fr_error error;
    if (bvh_text_read(text, size, 0.0, &skeleton, &clip, &facts, &error) != FR_OK) {
        fail_msg("%s:%d:%d: %s", path, error.line, error.column, error.message);
    }
    assert_true(facts.height > 0.9 && facts.height < 2.5);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (uint32_t role = 0; role < FR_BODY_LINK_COUNT; role++) {
        if (view->roles[role] == FR_NO_LINK) { fail_msg("%s: no joint has role %u", path, role); }
    }
    f->worst = fmax(f->worst, worst_against_naive(text, skeleton, clip, facts.unit));
    f->again = fmax(f->again, worst_again(skeleton, clip));
    try_bodies(path, skeleton, clip, &f->direction, &f->slide);
    f->files++;
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    free(text);
}

static void every_capture_is_read(void **state) {
    (void)state;
    char folder[1024], path[2048];
    found f = {0};
    test_shared_path("data/bvh-cmu", folder, sizeof folder);
    DIR *subjects = opendir(folder);
    assert_non_null(subjects);
    for (struct dirent *subject = readdir(subjects); subject != NULL; subject = readdir(subjects)) {
        if (subject->d_name[0] < '0' || subject->d_name[0] > '9') { continue; }
        snprintf(path, sizeof path, "%s/%s", folder, subject->d_name);
        DIR *takes = opendir(path);
        assert_non_null(takes);
        for (struct dirent *take = readdir(takes); take != NULL; take = readdir(takes)) {
            if (strstr(take->d_name, ".bvh") == NULL) { continue; }
            snprintf(path, sizeof path, "%s/%s/%s", folder, subject->d_name, take->d_name);
            try_file(path, &f);
        }
        closedir(takes);
    }
    closedir(subjects);
    try_file(test_shared_path("data/bvh-other/examples/models/bvh/pirouette.bvh", path, sizeof path), &f);
    print_message("%u captures: joints within %.1e m of the naive reader, out and in again %.1e degrees\n", f.files,
                  f.worst, f.again);
    print_message("carried over to 1.0 and 1.7 m: bones within %.1e degrees, slide at most %.4f mm, %u of %u stand\n",
                  f.direction, 1000.0 * f.slide, standing_clips, 2 * f.files);
    assert_int_equal(f.files, 31);
    assert_true(f.worst < 1e-5);
    assert_true(f.again < 1e-4);
    assert_true(f.direction < 1e-4);
    assert_true(f.slide < 0.005);
    assert_true(standing_clips >= 2 * f.files - 2); // but for one run
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_capture_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
