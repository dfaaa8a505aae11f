// A pen on four strings: where its tip is, and which tensions make a force there. Both are small least squares: the tip
// by Gauss-Newton, since its equations are round; the tensions by looking at every state that bounds can be in, since
// there are only 81 and the best of them is the result, not near it.
#include "fureai/haptic.h"

#include <math.h>
#include <string.h>

#define STRINGS_COOKIE 0x5354524eu
#define CAPABILITY_COOKIE 0x43415041u
#define MOST_STEPS 8
#define SMALL_STEP 1e-7 // metres
#define UNFIT 1e-3      // metres: a residual that home may better
#define RIDGE 1e-12     // keeps the equations of a tip solvable in the anchors' plane
#define FLAT 1e-9       // of the frame's size cubed: anchors in a plane
#define LAMBDA 1e-6     // weight of tensions beside that of forces
#define STATES 81       // three a string
#define KEPT 1e-3       // of the wanted force
#define FEELS 1e-4      // newtons: a force that is not felt
#define GIVEN 0.02      // of the wanted force, in the map
#define SEARCHES 14     // of a share: to less than a ten-thousandth
#define GOLDEN 0.6180339887498949

fr_strings fr_default_strings(void) {
    fr_strings s;
    memset(&s, 0, sizeof s);
    s.anchors[0] = fr_vec3_make(0.25, 0.25, 0.25);
    s.anchors[1] = fr_vec3_make(0.25, -0.25, -0.25);
    s.anchors[2] = fr_vec3_make(-0.25, 0.25, -0.25);
    s.anchors[3] = fr_vec3_make(-0.25, -0.25, 0.25);
    s.tension_min = 0.3;
    s.tension_max = 6.0;
    s.cookie = STRINGS_COOKIE;
    return s;
}

fr_capability_input fr_default_capability_input(void) {
    fr_capability_input input;
    memset(&input, 0, sizeof input);
    input.count[0] = input.count[1] = input.count[2] = 1;
    input.force = 2.0;
    input.directions = 200;
    input.cookie = CAPABILITY_COOKIE;
    return input;
}

static fr_status check_strings(const fr_strings *s, fr_error *error) {
    if (s->cookie != STRINGS_COOKIE) { return fr_error_set_cookie(error, "fr_default_strings"); }
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        if (!fr_vec3_is_finite(s->anchors[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "anchor %d is not finite", i);
        }
        for (int k = 0; k < i; k++) {
            if (fr_vec3_equal(s->anchors[i], s->anchors[k])) {
                return fr_error_set(error, FR_ERROR_ARGUMENT, "anchors %d and %d are at one place", k, i);
            }
        }
    }
    if (!fr_vec3_is_finite(s->home)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "home is not finite"); }
    if (!(s->tension_min >= 0.0) || !(s->tension_max > s->tension_min) || !isfinite(s->tension_max)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the tensions' limits are no range");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The tip

static fr_status check_lengths(const double lengths[FR_STRING_COUNT], fr_error *error) {
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        if (!isfinite(lengths[i])) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "length %d is not finite", i); }
        if (lengths[i] < 0.0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "length %d is below 0", i); }
    }
    return FR_OK;
}

// Solves m x = b by Cramer's rule; false where the determinant is 0.
static bool solve3(const fr_mat3 *m, fr_vec3 b, fr_vec3 *x) {
    fr_vec3 yz = fr_vec3_cross(m->row[1], m->row[2]);
    double d = fr_vec3_dot(m->row[0], yz);
    if (!(fabs(d) > 0.0)) { return false; }
    fr_vec3 zx = fr_vec3_cross(m->row[2], m->row[0]), xy = fr_vec3_cross(m->row[0], m->row[1]);
    fr_vec3 sum = fr_vec3_scale(b.x, yz);
    sum = fr_vec3_add_scaled(sum, b.y, zx);
    sum = fr_vec3_add_scaled(sum, b.z, xy);
    *x = fr_vec3_scale(1.0 / d, sum);
    return true;
}

static double residual_of(const fr_strings *s, const double *lengths, fr_vec3 tip) {
    double sum = 0.0;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double e = fr_vec3_distance(tip, s->anchors[i]) - lengths[i];
        sum += e * e;
    }
    return sqrt(sum);
}

// The normal of the plane that all anchors lie in, unit; zero where they lie in none, or on a line.
static fr_vec3 flat_normal(const fr_strings *s) {
    fr_vec3 zero = fr_vec3_make(0.0, 0.0, 0.0);
    fr_vec3 a = fr_vec3_sub(s->anchors[1], s->anchors[0]), b = fr_vec3_sub(s->anchors[2], s->anchors[0]);
    fr_vec3 c = fr_vec3_sub(s->anchors[3], s->anchors[0]);
    double size = fmax(fmax(fr_vec3_length(a), fr_vec3_length(b)), fr_vec3_length(c));
    if (fabs(fr_vec3_dot(fr_vec3_cross(a, b), c)) > FLAT * size * size * size) { return zero; }
    fr_vec3 n = fr_vec3_cross(a, b), other = fr_vec3_cross(a, c);
    if (fr_vec3_length_squared(other) > fr_vec3_length_squared(n)) { n = other; }
    other = fr_vec3_cross(b, c);
    if (fr_vec3_length_squared(other) > fr_vec3_length_squared(n)) { n = other; }
    return fr_vec3_unit(n, zero);
}

// Anchors in a plane cannot distinguish its sides: the tip is where home is.
static fr_vec3 on_home_side(const fr_strings *s, fr_vec3 normal, fr_vec3 tip) {
    double here = fr_vec3_dot(normal, fr_vec3_sub(tip, s->anchors[0]));
    double home = fr_vec3_dot(normal, fr_vec3_sub(s->home, s->anchors[0]));
    return here * home < 0.0 ? fr_vec3_add_scaled(tip, -2.0 * here, normal) : tip;
}

// One step of Gauss-Newton.
static fr_vec3 step_of(const fr_strings *s, const double *lengths, fr_vec3 tip) {
    fr_mat3 m = {{fr_vec3_make(RIDGE, 0.0, 0.0), fr_vec3_make(0.0, RIDGE, 0.0), fr_vec3_make(0.0, 0.0, RIDGE)}};
    fr_vec3 right = fr_vec3_make(0.0, 0.0, 0.0), step = right;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        fr_vec3 from_anchor = fr_vec3_sub(tip, s->anchors[i]);
        fr_vec3 u = fr_vec3_unit(from_anchor, fr_vec3_make(0.0, 0.0, 0.0));
        m.row[0] = fr_vec3_add_scaled(m.row[0], u.x, u);
        m.row[1] = fr_vec3_add_scaled(m.row[1], u.y, u);
        m.row[2] = fr_vec3_add_scaled(m.row[2], u.z, u);
        right = fr_vec3_add_scaled(right, lengths[i] - fr_vec3_length(from_anchor), u);
    }
    (void)solve3(&m, right, &step);
    return step;
}

// Searches from a start. No step is longer than the frame is wide: near the anchors' plane the equations ask for more.
static void search_tip(const fr_strings *s, const double *lengths, fr_vec3 start, fr_strings_tip_output *out) {
    double longest = 0.0;
    for (int i = 1; i < FR_STRING_COUNT; i++) {
        longest = fmax(longest, fr_vec3_distance(s->anchors[0], s->anchors[i]));
    }
    fr_vec3 normal = flat_normal(s), tip = on_home_side(s, normal, start);
    out->is_settled = false;
    for (int i = 0; i < MOST_STEPS && !out->is_settled; i++) {
        fr_vec3 step = step_of(s, lengths, tip);
        double travel = fr_vec3_length(step);
        if (travel > longest) { step = fr_vec3_scale(longest / travel, step); }
        tip = on_home_side(s, normal, fr_vec3_add(tip, step));
        out->is_settled = travel < SMALL_STEP;
        out->iterations++;
    }
    out->tip = tip;
    out->residual = residual_of(s, lengths, tip);
}

fr_status fr_strings_tip(const fr_strings *strings, const double lengths[FR_STRING_COUNT], const fr_vec3 *last,
                         fr_strings_tip_output *out, fr_error *error) {
    FR_ASSERT(strings != NULL && lengths != NULL && out != NULL);
    fr_vec3 start = last != NULL ? *last : strings->home; // may lie in `out`
    memset(out, 0, sizeof *out);
    fr_status status = check_strings(strings, error);
    if (status == FR_OK) { status = check_lengths(lengths, error); }
    if (status != FR_OK) { return status; }
    if (!fr_vec3_is_finite(start)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the last tip is not finite"); }
    search_tip(strings, lengths, start, out);
    // In the anchors' plane the search may stand still where nothing fits
    if ((!out->is_settled || out->residual > UNFIT) && last != NULL) {
        fr_strings_tip_output from_home = {.iterations = out->iterations};
        search_tip(strings, lengths, strings->home, &from_home);
        if (from_home.residual < out->residual || !fr_vec3_is_finite(out->tip)) { *out = from_home; }
    }
    if (!fr_vec3_is_finite(out->tip) || !isfinite(out->residual)) {
        memset(out, 0, sizeof *out);
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the lengths are too large to be reckoned with");
    }
    return FR_OK;
}

fr_string_watch fr_default_string_watch(void) { return (fr_string_watch){.limit = 8e-4, .seconds = 0.05}; }

bool fr_strings_watch(fr_string_watch *watch, double residual, double dt) {
    FR_ASSERT(watch != NULL);
    bool is_number = isfinite(residual) && isfinite(dt);
    watch->above = residual > watch->limit && is_number ? watch->above + fmax(dt, 0.0) : 0.0;
    if (!is_number || watch->above >= watch->seconds) { watch->is_alarm = true; }
    return watch->is_alarm;
}

// ---------------------------------------------------------------------------------------------------------------
// Tensions

// What one tip asks of every force: the directions of the strings and their products.
typedef struct pulling {
    fr_vec3 along[FR_STRING_COUNT]; // from the tip to the anchors, unit
    double gram[FR_STRING_COUNT][FR_STRING_COUNT];
    double low, high;
} pulling;

static bool pulling_make(const fr_strings *s, fr_vec3 tip, pulling *p) {
    p->low = s->tension_min;
    p->high = s->tension_max;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        fr_vec3 to_anchor = fr_vec3_sub(s->anchors[i], tip);
        if (fr_vec3_length_squared(to_anchor) == 0.0) { return false; }
        p->along[i] = fr_vec3_unit(to_anchor, to_anchor);
        for (int k = 0; k <= i; k++) {
            p->gram[i][k] = p->gram[k][i] = fr_vec3_dot(p->along[i], p->along[k]);
        }
    }
    return true;
}

// Solves the n equations a x = b, symmetric and positive, in place by Gauss.
static void solve_small(double a[FR_STRING_COUNT][FR_STRING_COUNT], double b[FR_STRING_COUNT], int n) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            b[i] -= a[i][j] * b[j];
        }
        b[i] /= a[i][i];
    }
}

// The tensions of one state, a number of base 3 with a digit a string: 0 low, 1 high, 2 free. False where a free one
// leaves its limits.
static bool state_tensions(const pulling *p, const double reach[FR_STRING_COUNT], int state,
                           double t[FR_STRING_COUNT]) {
    int open[FR_STRING_COUNT], n = 0;
    for (int i = 0; i < FR_STRING_COUNT; i++, state /= 3) {
        t[i] = state % 3 == 0 ? p->low : p->high;
        if (state % 3 == 2) {
            open[n++] = i;
            t[i] = 0.0;
        }
    }
    double a[FR_STRING_COUNT][FR_STRING_COUNT], b[FR_STRING_COUNT];
    for (int i = 0; i < n; i++) {
        b[i] = reach[open[i]] + LAMBDA * p->low;
        for (int k = 0; k < FR_STRING_COUNT; k++) {
            b[i] -= p->gram[open[i]][k] * t[k];
        }
        for (int k = 0; k < n; k++) {
            a[i][k] = p->gram[open[i]][open[k]] + (i == k ? LAMBDA : 0.0);
        }
    }
    solve_small(a, b, n);
    for (int i = 0; i < n; i++) {
        if (!(b[i] >= p->low && b[i] <= p->high)) { return false; }
        t[open[i]] = b[i];
    }
    return true;
}

static fr_vec3 force_of(const pulling *p, const double t[FR_STRING_COUNT]) {
    fr_vec3 sum = fr_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        sum = fr_vec3_add_scaled(sum, t[i], p->along[i]);
    }
    return sum;
}

// The best of all states; returns how far the force is from the aim.
static double best_tensions(const pulling *p, fr_vec3 aim, double best[FR_STRING_COUNT]) {
    double reach[FR_STRING_COUNT], least = INFINITY, distance = INFINITY;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        best[i] = p->low; // unless the aim is so large that no state has a distance
        reach[i] = fr_vec3_dot(p->along[i], aim);
    }
    for (int state = 0; state < STATES; state++) {
        double t[FR_STRING_COUNT];
        if (!state_tensions(p, reach, state, t)) { continue; }
        double square = fr_vec3_length_squared(fr_vec3_sub(force_of(p, t), aim)), value = square;
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            value += LAMBDA * (t[i] - p->low) * (t[i] - p->low);
        }
        if (value < least) {
            least = value;
            distance = sqrt(square);
            memcpy(best, t, sizeof t);
        }
    }
    return distance;
}

// The greatest share of a force that is given within `near`. What can be given is convex, so the distance to it is a
// convex function of the share: its least is searched by golden section, then the last share that is still near.
static bool greatest_share(const pulling *p, fr_vec3 force, double near, double *share) {
    double t[FR_STRING_COUNT];
    double low = 0.0, high = 1.0;
    if (best_tensions(p, fr_vec3_scale(0.0, force), t) > near) {
        double left = 0.0, right = 1.0, found = -1.0;
        for (int i = 0; i < SEARCHES && found < 0.0; i++) {
            double a = right - GOLDEN * (right - left), b = left + GOLDEN * (right - left);
            double at_a = best_tensions(p, fr_vec3_scale(a, force), t);
            double at_b = best_tensions(p, fr_vec3_scale(b, force), t);
            found = at_b <= near ? b : (at_a <= near ? a : -1.0);
            if (at_a < at_b) {
                right = b;
            } else {
                left = a;
            }
        }
        if (found < 0.0) { return false; }
        low = found;
    }
    for (int i = 0; i < SEARCHES; i++) {
        double middle = 0.5 * (low + high);
        if (best_tensions(p, fr_vec3_scale(middle, force), t) <= near) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *share = low;
    return true;
}

fr_status fr_strings_pull(const fr_strings *strings, fr_vec3 tip, fr_vec3 force, fr_pull_mode mode,
                          fr_strings_pull_output *out, fr_error *error) {
    FR_ASSERT(strings != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_status status = check_strings(strings, error);
    if (status != FR_OK) { return status; }
    if (!fr_vec3_is_finite(tip) || !fr_vec3_is_finite(force)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "tip or force is not finite");
    }
    if (mode != FR_PULL_NEAREST && mode != FR_PULL_SAME_DIRECTION) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no such mode of pulling");
    }
    pulling p;
    if (!pulling_make(strings, tip, &p)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the tip is in an eyelet"); }
    double near = fmin(fmax(KEPT * fr_vec3_length(force), FEELS), 1e300); // below what no state reaches
    out->share = 1.0;
    out->is_reached = best_tensions(&p, force, out->tensions) <= near;
    if (!out->is_reached && mode == FR_PULL_SAME_DIRECTION && greatest_share(&p, force, near, &out->share)) {
        (void)best_tensions(&p, fr_vec3_scale(out->share, force), out->tensions);
        out->is_reached = true;
    }
    out->force = force_of(&p, out->tensions);
    out->error = fr_vec3_distance(out->force, force);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The map

// Direction i of n on a spiral from pole to pole, each with as much of the sphere as every other.
static fr_vec3 direction_of(uint32_t i, uint32_t n) {
    double z = 1.0 - (2.0 * (double)i + 1.0) / (double)n;
    double turns = GOLDEN * (double)i, sine, cosine;
    fr_sincos(2.0 * FR_PI * (turns - floor(turns)), &sine, &cosine);
    double r = sqrt(fmax(0.0, 1.0 - z * z));
    return fr_vec3_make(r * cosine, r * sine, z);
}

static float share_at(const fr_capability_input *in, fr_vec3 tip) {
    pulling p;
    if (!pulling_make(in->strings, tip, &p)) { return 0.0f; }
    uint32_t given = 0;
    for (uint32_t i = 0; i < in->directions; i++) {
        double t[FR_STRING_COUNT];
        fr_vec3 force = fr_vec3_scale(in->force, direction_of(i, in->directions));
        given += best_tensions(&p, force, t) <= GIVEN * in->force;
    }
    return (float)given / (float)in->directions;
}

fr_status fr_strings_capability(const fr_capability_input *input, float *shares, fr_error *error) {
    FR_ASSERT(input != NULL && shares != NULL);
    if (input->cookie != CAPABILITY_COOKIE) { return fr_error_set_cookie(error, "fr_default_capability_input"); }
    if (input->strings == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there are no strings"); }
    fr_status status = check_strings(input->strings, error);
    if (status != FR_OK) { return status; }
    const fr_bounds *b = &input->bounds;
    if (!fr_vec3_is_finite(b->min) || !fr_vec3_is_finite(b->max)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the bounds are not finite");
    }
    bool is_right =
        input->force > 0.0 && isfinite(input->force) && input->directions >= 1 && input->directions <= 65536;
    for (int i = 0; i < 3; i++) {
        is_right = is_right && input->count[i] >= 1 && input->count[i] <= 1024;
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "force, directions or counts are outside limits"); }
    size_t width = input->count[0], rows = (size_t)input->count[1] * input->count[2];
    for (size_t row = 0; row < rows; row++) {
        if (fr_control_is_stopped(input->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        for (size_t i = row * width; i < (row + 1) * width; i++) {
            shares[i] = share_at(input, fr_capability_tip(input, i));
        }
        fr_control_progress(input->control, ((double)row + 1.0) / (double)rows, "tips");
    }
    return FR_OK;
}
