// Varies walking between people and between strides, by the measured deviations.
#include "human/walk_variety.h"

// Deviation of the rates of people from their mean: chosen, not measured.
static const double RATE_DEVIATION = 0.04;

static const fr__gait_curve CURVES[FR__VARIED_CURVES] = {
    FR__CHEST_TURN,     FR__CHEST_TILT,    FR__CHEST_ROLL,       FR__HEAD_TURN,
    FR__HEAD_TILT,      FR__HEAD_ROLL,     FR__SHOULDER_FLEXION, FR__SHOULDER_ABDUCTION,
    FR__SHOULDER_TWIST, FR__ELBOW_FLEXION, FR__FOREARM_TWIST,    FR__WRIST_FLEXION};

// The first of the curves that are of an arm.
enum { FIRST_OF_ARM = 6 };

// A normal deviate within two deviations.
static double deviate(fr_random *random) {
    double x = fr_random_normal(random);
    return x < -2.0 ? -2.0 : (x > 2.0 ? 2.0 : x);
}

static void draw(fr__walk_variety *variety, bool is_person, fr__walk_deviates *out) {
    for (int c = 0; c < FR__VARIED_CURVES; c++) {
        for (int k = 0; k < FR__GAIT_ORDERS; k++) {
            const fr__gait_term *term = &fr__gait_terms[CURVES[c]][k];

            // The constant term holds what was not identifiable of each person too: half of it is taken.
            double scale = variety->scale * (k == 0 ? 0.5 : 1.0);
            out->terms[c][k][0] = scale * deviate(&variety->random) * (is_person ? term->a_between : term->a_within);
            out->terms[c][k][1] = scale * deviate(&variety->random) * (is_person ? term->b_between : term->b_within);
        }
    }
}

void fr__walk_variety_init(fr__walk_variety *variety, uint64_t person, double scale) {
    variety->scale = scale;
    variety->random = fr_random_seed(person);
    variety->steps = 0;
    variety->rate = 1.0 + scale * RATE_DEVIATION * deviate(&variety->random);
    draw(variety, true, &variety->person);
    draw(variety, false, &variety->last);
    draw(variety, false, &variety->next);
}

void fr__walk_variety_step(fr__walk_variety *variety) {
    variety->last = variety->next;
    draw(variety, false, &variety->next);
    variety->steps++;
}

// A varied curve at a phase, radians.
static double difference(const fr__walk_variety *v, int curve, const fr__gait_wave *wave, double part) {
    double sum = 0.0;
    for (int k = 0; k < FR__GAIT_ORDERS; k++) {
        for (int i = 0; i < 2; i++) {
            double last = v->last.terms[curve][k][i], next = v->next.terms[curve][k][i];
            double term = v->person.terms[curve][k][i] + last + part * (next - last);
            sum += term * (i == 0 ? wave->cosines[k] : wave->sines[k]);
        }
    }
    return fr_radians(sum);
}

static void turn_by(fr_quat *q, double share, double x, double y, double z) {
    *q = fr_quat_multiply(*q, fr_quat_from_vector(fr_vec3_make(share * x, share * y, share * z)));
}

void fr__walk_variety_apply(const fr__walk_variety *variety, const fr__walk_part *part, double frame,
                            fr__walk_figure *figure) {
    fr_clip_class clip_class = part->clip.clip_class;
    bool is_start = clip_class == FR_CLIP_START, is_end = clip_class == FR_CLIP_END;
    if (variety->scale <= 0.0 || !(is_start || is_end || clip_class == FR_CLIP_STRAIGHT)) { return; }

    // Stage 1: how much of walking there is, and its phase: starts end and ends begin with a landing.
    double last = (double)(part->clip.frame_count - 1), part_done = frame / last;
    double share = is_start ? fr__ease(part_done) : (is_end ? 1.0 - fr__ease(part_done) : 1.0);
    double phase = is_start ? part_done - 1.0 : (is_end ? part_done : 0.5 * part_done);
    bool is_left =
        is_end ? part->clip.contacts[FR__RIGHT][0].end < part->clip.contacts[FR__LEFT][0].end : part->is_mirrored;
    phase += is_left ? 0.5 : 0.0;

    // Stage 2: the trunk, then the arms at the phases of their own sides.
    double v[FR__VARIED_CURVES], blend = fr__ease(part_done);
    fr__gait_wave wave = fr__gait_wave_at(phase);
    for (int i = 0; i < FIRST_OF_ARM; i++) {
        v[i] = difference(variety, i, &wave, blend);
    }
    turn_by(&figure->turns[FR__FIGURE_CHEST], share, v[1], v[0], v[2]);
    turn_by(&figure->turns[FR__FIGURE_HEAD], share, 0.5 * v[4] - v[1], 0.5 * v[3] - v[0], 0.5 * v[5] - v[2]);
    for (int side = 0; side < 2; side++) {
        double e = side == FR__LEFT ? 1.0 : -1.0;
        wave = fr__gait_wave_at(phase - (side == FR__LEFT ? 0.5 : 0.0));
        for (int i = FIRST_OF_ARM; i < FR__VARIED_CURVES; i++) {
            v[i] = difference(variety, i, &wave, blend);
        }
        turn_by(&figure->turns[FR__FIGURE_UPPER_ARM + side], share, -v[6], -e * v[8], e * v[7]);
        turn_by(&figure->turns[FR__FIGURE_FOREARM + side], share, -v[9], 0.0, 0.0);
        turn_by(&figure->turns[FR__FIGURE_PALM + side], share, 0.0, -e * v[10], -e * v[11]);
    }
}
