// Evaluates the measured curves of human walking.
#include "human/gait.h"

// The speed at which the means of the table are given.
static const double MIDDLE_SPEED = 0.40;

// A stiff foot leaves earlier, by 1.4 deviations within one person, than one whose toes roll.
static const double STIFF_STANCE = 0.018;

// Laws over all strides: stride length over leg length = 2.316 s^0.4534; stance = 0.626 - 0.1982 (s - 0.4).
static const double STRIDE_FACTOR = 2.3160, STRIDE_EXPONENT = 0.4534, STANCE = 0.6260, STANCE_SLOPE = -0.1982;

fr__gait_wave fr__gait_wave_at(double phase) {
    fr__gait_wave wave;
    double turn = phase - floor(phase), sine, cosine;
    fr_sincos(2.0 * FR_PI * turn, &sine, &cosine);
    wave.cosines[0] = 1.0;
    wave.sines[0] = 0.0;
    for (int k = 1; k < FR__GAIT_ORDERS; k++) {
        wave.cosines[k] = wave.cosines[k - 1] * cosine - wave.sines[k - 1] * sine;
        wave.sines[k] = wave.sines[k - 1] * cosine + wave.cosines[k - 1] * sine;
    }
    return wave;
}

// log(x) = e log 2 + 2 atanh((m - 1)/(m + 1)) for x = m 2^e, m in 1/sqrt 2 .. sqrt 2.
static double logarithm(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        exponent--;
    }
    double z = (m - 1.0) / (m + 1.0), square = z * z, power = z, sum = 0.0;
    for (int k = 1; k < 30; k += 2) {
        sum += power / (double)k;
        power *= square;
    }
    return (double)exponent * 0.69314718055994530942 + 2.0 * sum;
}

static double exponential(double x) {
    double whole = floor(x / 0.69314718055994530942 + 0.5);
    double rest = x - whole * 0.69314718055994530942, term = 1.0, sum = 1.0;
    for (int k = 1; k < 20; k++) {
        term *= rest / (double)k;
        sum += term;
    }
    return ldexp(sum, (int)whole);
}

double fr__gait_power(double base, double exponent) {
    FR_ASSERT(base >= 0x1p-20 && base <= 0x1p20);
    return exponential(exponent * logarithm(base));
}

void fr__gait_init(fr__gait *gait, double leg, double speed, double delay) {
    double s = speed / sqrt(FR__GRAVITY * leg);
    s = s < FR__GAIT_SPEED_MIN ? FR__GAIT_SPEED_MIN : (s > FR__GAIT_SPEED_MAX ? FR__GAIT_SPEED_MAX : s);
    gait->leg = leg;
    gait->speed = s;
    gait->stride = STRIDE_FACTOR * leg * fr__gait_power(s, STRIDE_EXPONENT);
    gait->period = gait->stride / (s * sqrt(FR__GRAVITY * leg));
    gait->stance = STANCE - STIFF_STANCE + STANCE_SLOPE * (s - MIDDLE_SPEED) - delay;
    gait->delay = delay;
    fr__gait_wave late = fr__gait_wave_at(delay);
    for (int curve = 0; curve < FR__GAIT_CURVES; curve++) {
        for (int k = 0; k < FR__GAIT_ORDERS; k++) {
            const fr__gait_term *term = &fr__gait_terms[curve][k];
            double a = term->a + term->a_slope * (s - MIDDLE_SPEED), b = term->b + term->b_slope * (s - MIDDLE_SPEED);
            gait->terms[curve][k][0] = a * late.cosines[k] + b * late.sines[k];
            gait->terms[curve][k][1] = b * late.cosines[k] - a * late.sines[k];
        }
    }
}

double fr__gait_value(const fr__gait *gait, fr__gait_curve curve, const fr__gait_wave *wave) {
    double sum = gait->terms[curve][0][0];
    for (int k = 1; k < FR__GAIT_ORDERS; k++) {
        sum += gait->terms[curve][k][0] * wave->cosines[k] + gait->terms[curve][k][1] * wave->sines[k];
    }
    return sum;
}

double fr__gait_at(const fr__gait *gait, fr__gait_curve curve, double phase) {
    fr__gait_wave wave = fr__gait_wave_at(phase);
    return fr__gait_value(gait, curve, &wave);
}
