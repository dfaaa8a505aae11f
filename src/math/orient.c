// Exact predicates. Three stages, each only where the one before could not decide:
//   1. doubles with an error bound (orient_filter.h);
//   2. differences as exact pairs, the determinant in pairs of doubles, with an error bound near 2^-100 (3-D only);
//   3. expansions: sums of doubles that are exact.
//
// An expansion is a list of doubles whose exact sum is its value, in order of growing magnitude and without common bits
// (nonoverlapping), so that the last one, being larger than all others together, has the sign of the whole. Zeros are
// dropped; the empty list is zero. The sums below are exact whatever the order, since two_sum always is; that results
// are again nonoverlapping is shown in J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates" (1997), for the sum of two lists in linear time and for a list times a double.
//
// Range: as orient_filter.h shows, all numbers met are multiples of 2^-1056 (3-D) or 2^-1064 (2-D). The low part of a
// product, and the products of the halves it is made of, are too, so that none is lost to underflow. Splitting needs
// factors below 2^996; here they are below 2^664.
#include "math/orient_filter.h"

#include "math/expansion.h"

// ---------------------------------------------------------------------------------------------------------------
// Expansions

// Appends x unless it is zero.
static inline int append(double *list, int count, double x) {
    list[count] = x;
    return count + (x != 0.0);
}

// A sum that grows by parts of growing magnitude. `total` holds the sum so far and `carry` its rounding error; the next
// part takes the carry along first, which lets what is final leave at the low end, into `list`.
typedef struct growing_sum {
    double total, carry, *list;
    int count;
} growing_sum;

static inline void grow(growing_sum *sum, double part) {
    fr__pair lifted = fr__two_sum(part, sum->carry);
    fr__pair grown = fr__two_sum(sum->total, lifted.high);
    sum->count = append(sum->list, sum->count, lifted.low);
    sum->total = grown.high;
    sum->carry = grown.low;
}

// list = a + b; room for a_count + b_count. Returns its count. `list` is neither a nor b.
static int add_expansions(const double *a, int a_count, const double *b, int b_count, double *list) {
    growing_sum sum = {0.0, 0.0, list, 0};
    int i = 0, j = 0;
    while (i < a_count && j < b_count) {
        // Which is smaller is as good as random: selected rather than branched on.
        int take_a = fabs(a[i]) < fabs(b[j]);
        grow(&sum, *(take_a ? &a[i] : &b[j]));
        i += take_a;
        j += 1 - take_a;
    }
    for (; i < a_count; i++) {
        grow(&sum, a[i]);
    }
    for (; j < b_count; j++) {
        grow(&sum, b[j]);
    }

    // The first part leaves nothing and the second at most a carry, so both still fit.
    int count = append(list, sum.count, sum.carry);
    return append(list, count, sum.total);
}

// product = factor a; room for 2 a_count. Returns its count.
static int scale_expansion(const double *a, int a_count, double factor, double *product) {
    if (a_count == 0 || factor == 0.0) { return 0; }
    fr__pair halves = fr__split(factor);
    fr__pair first = fr__two_product_split(a[0], factor, halves);
    int count = append(product, 0, first.low);
    double total = first.high;
    for (int i = 1; i < a_count; i++) {
        fr__pair part = fr__two_product_split(a[i], factor, halves);
        fr__pair low = fr__two_sum(total, part.low);
        fr__pair high = fr__two_sum(part.high, low.high);
        count = append(product, count, low.low);
        count = append(product, count, high.low);
        total = high.high;
    }
    return append(product, count, total);
}

// product = a (factor.high + factor.low) for a of at most 16 parts; room for 4 a_count.
static int multiply_by_pair(const double *a, int a_count, fr__pair factor, double *product) {
    double by_low[32], by_high[32];
    int low_count = scale_expansion(a, a_count, factor.low, by_low);
    int high_count = scale_expansion(a, a_count, factor.high, by_high);
    return add_expansions(by_low, low_count, by_high, high_count, product);
}

// minor = a d - b c, up to 16 parts.
static int exact_minor(fr__pair a, fr__pair b, fr__pair c, fr__pair d, double minor[16]) {
    double a_parts[2], b_parts[2], left[8], right[8];
    int a_count = append(a_parts, append(a_parts, 0, a.low), a.high);
    int b_count = append(b_parts, append(b_parts, 0, -b.low), -b.high);
    int left_count = multiply_by_pair(a_parts, a_count, d, left);
    int right_count = multiply_by_pair(b_parts, b_count, c, right);
    return add_expansions(left, left_count, right, right_count, minor);
}

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static int sign_of_expansion(const double *list, int count) { return count == 0 ? 0 : sign_of(list[count - 1]); }

// ---------------------------------------------------------------------------------------------------------------
// Orientation in the plane

// Whether no coordinate is too large, or NaN: what overflows has no expansion.
static bool is_moderate(fr_vec2 a) { return fabs(a.x) <= FR_ORIENT_MAX && fabs(a.y) <= FR_ORIENT_MAX; }

int fr__orient2d_exact(fr_vec2 a, fr_vec2 b, fr_vec2 c) {
    if (!is_moderate(a) || !is_moderate(b) || !is_moderate(c)) { return 0; }

    double determinant[16];
    int count = exact_minor(fr__two_difference(b.x, a.x), fr__two_difference(b.y, a.y), fr__two_difference(c.x, a.x),
                            fr__two_difference(c.y, a.y), determinant);
    return sign_of_expansion(determinant, count);
}

int fr_orient2d(fr_vec2 a, fr_vec2 b, fr_vec2 c) {
    int sign = fr__orient2d_filter(a, b, c);
    return sign != 0 ? sign : fr__orient2d_exact(a, b, c);
}

// ---------------------------------------------------------------------------------------------------------------
// Orientation in space

static bool is_moderate_in_space(fr_vec3 a) {
    return fabs(a.x) <= FR_ORIENT_MAX && fabs(a.y) <= FR_ORIENT_MAX && fabs(a.z) <= FR_ORIENT_MAX;
}

// A vector of exact differences.
typedef struct wide_vector {
    fr__pair x, y, z;
} wide_vector;

static wide_vector wide_difference(fr_vec3 a, fr_vec3 b) {
    wide_vector difference = {fr__two_difference(a.x, b.x), fr__two_difference(a.y, b.y), fr__two_difference(a.z, b.z)};
    return difference;
}

static fr__pair pair_multiply(fr__pair a, fr__pair b) {
    fr__pair product = fr__two_product(a.high, b.high);
    return fr__fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static fr__pair pair_add(fr__pair a, fr__pair b) {
    fr__pair sum = fr__two_sum(a.high, b.high);
    return fr__fast_two_sum(sum.high, sum.low + (a.low + b.low));
}

// a d - b c
static fr__pair pair_minor(fr__pair a, fr__pair b, fr__pair c, fr__pair d) {
    fr__pair right = pair_multiply(b, c);
    right.high = -right.high;
    right.low = -right.low;
    return pair_add(pair_multiply(a, d), right);
}

// Stage 2: the sign, or 0 where pairs of doubles cannot decide.
//
// With e = 2^-53, pair_multiply errs by less than 8 e^2 |a b| (the product of the low parts left out, and the rounding
// of numbers of the size e |a b|) and pair_add by less than 4 e^2 (|a| + |b|). A product of the determinant goes
// through two multiplications and three additions: less than 28 e^2 P, and 64 e^2 = 2^-100 covers the difference
// between P and the permanent of the high parts. All roundings are multiples of 2^-1056: where P < 2^-956, which would
// take the bound below that, there are none.
static int pair_orientation(const wide_vector *u, const wide_vector *v, const wide_vector *w) {
    fr__pair x = pair_multiply(pair_minor(u->y, u->z, v->y, v->z), w->x);
    fr__pair y = pair_multiply(pair_minor(u->z, u->x, v->z, v->x), w->y);
    fr__pair z = pair_multiply(pair_minor(u->x, u->y, v->x, v->y), w->z);
    fr__pair determinant = pair_add(pair_add(x, y), z);

    double size_x = fabs(u->y.high * v->z.high) + fabs(u->z.high * v->y.high);
    double size_y = fabs(u->z.high * v->x.high) + fabs(u->x.high * v->z.high);
    double size_z = fabs(u->x.high * v->y.high) + fabs(u->y.high * v->x.high);
    double permanent = (size_x * fabs(w->x.high) + size_y * fabs(w->y.high)) + size_z * fabs(w->z.high);
    return fr__sign_beyond(determinant.high, 0x1p-100 * permanent);
}

// Stage 3: (u x v) . w in expansions. Parts that are zero cost nothing, so differences that are exact (the usual case)
// make the 192 parts there could be 24 at most.
static int expansion_orientation(const wide_vector *u, const wide_vector *v, const wide_vector *w) {
    double minor[16], x[64], y[64], z[64], xy[128], determinant[192];
    int minor_count = exact_minor(u->y, u->z, v->y, v->z, minor);
    int x_count = multiply_by_pair(minor, minor_count, w->x, x);
    minor_count = exact_minor(u->z, u->x, v->z, v->x, minor);
    int y_count = multiply_by_pair(minor, minor_count, w->y, y);
    minor_count = exact_minor(u->x, u->y, v->x, v->y, minor);
    int z_count = multiply_by_pair(minor, minor_count, w->z, z);

    int xy_count = add_expansions(x, x_count, y, y_count, xy);
    int count = add_expansions(xy, xy_count, z, z_count, determinant);
    return sign_of_expansion(determinant, count);
}

int fr__orient3d_exact(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d) {
    bool moderate = is_moderate_in_space(a) && is_moderate_in_space(b) && is_moderate_in_space(c);
    if (!moderate || !is_moderate_in_space(d)) { return 0; }

    // Shared vertices are what a mesh asks about most.
    if (fr_vec3_equal(a, d) || fr_vec3_equal(b, d) || fr_vec3_equal(c, d)) { return 0; }

    wide_vector u = wide_difference(b, a), v = wide_difference(c, a), w = wide_difference(d, a);
    int sign = pair_orientation(&u, &v, &w);
    return sign != 0 ? sign : expansion_orientation(&u, &v, &w);
}

int fr_orient3d(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d) {
    int sign = fr__orient3d_filter(a, b, c, d);
    return sign != 0 ? sign : fr__orient3d_exact(a, b, c, d);
}
