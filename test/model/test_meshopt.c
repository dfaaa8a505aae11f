// Streams of compressed buffer views: what an encoder of its own stores comes back, every other stream is refused or
// decoded without a step outside of its bytes, and filters follow their formulas.
#include "frame.h"
#include "meshopt_encode.h"
#include "text_model.h"

#include "model/meshopt.h"

// Decodes from and into blocks of exactly their size; the caller frees the result, NULL for a stream that is refused.
static unsigned char *decoded(const fr__meshopt_view *view, const fr_byte_array *stream) {
    if (fr__meshopt_check(view, stream->count) != NULL) { return NULL; }
    unsigned char *exact = malloc(stream->count), *out = malloc((size_t)(view->count * view->stride));
    assert_true(exact != NULL && out != NULL);
    memcpy(exact, stream->data, stream->count);
    bool is_valid = fr__meshopt_decode(view, exact, stream->count, out);
    free(exact);
    if (is_valid) { return out; }
    free(out);
    return NULL;
}

static bool is_refused(const fr__meshopt_view *view, const fr_byte_array *stream) {
    unsigned char *out = decoded(view, stream);
    free(out);
    return out == NULL;
}

// A stream that lacks a byte, has one too many or another header is refused.
static void refuses_changes(const fr__meshopt_view *view, fr_byte_array *stream) {
    stream->count--;
    assert_true(is_refused(view, stream));
    stream->count++;
    put_byte(stream, 0);
    assert_true(is_refused(view, stream));
    stream->count--;
    stream->data[0] ^= 0x40;
    assert_true(is_refused(view, stream));
    stream->data[0] ^= 0x40;
}

// ---------------------------------------------------------------------------------------------------------------
// The example of the extension's text

static void the_example_of_the_bitstream_is_decoded(void **state) {
    (void)state;
    static const unsigned char group[] = {0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5};
    static const int differences[16] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    fr_byte_array stream = fr_byte_array_make(NULL);
    put_byte(&stream, 0xa0);
    put_byte(&stream, 2); // the first group has 4 bits
    for (size_t i = 0; i < sizeof group; i++) {
        put_byte(&stream, group[i]);
    }
    for (int i = 0; i < 3 + 32; i++) {
        put_byte(&stream, 0); // three places without differences, and the tail
    }
    fr__meshopt_view view = {FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 16, 4};
    unsigned char *out = decoded(&view, &stream);
    assert_non_null(out);
    int value = 0;
    for (int i = 0; i < 16; i++) {
        value += differences[i];
        assert_int_equal(out[4 * i], value & 255);
        assert_int_equal(out[4 * i + 1] | out[4 * i + 2] | out[4 * i + 3], 0);
    }
    free(out);
    fr_byte_array_destroy(&stream);
}

// ---------------------------------------------------------------------------------------------------------------
// Streams at random

static void elements_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    fr_byte_array stream = fr_byte_array_make(NULL);
    for (uint64_t n = test_count(400, 20000); n > 0; n--) {
        size_t stride = 4 + 4 * (size_t)fr_random_below(&random, n % 8 == 0 ? 64 : 8);
        size_t count = 1 + (size_t)fr_random_below(&random, n % 8 == 0 ? 600 : 60);
        unsigned char *elements = malloc(count * stride);
        assert_non_null(elements);
        unsigned spread = 1u << fr_random_below(&random, 9);
        for (size_t i = 0; i < count * stride; i++) {
            unsigned before = i >= stride ? elements[i - stride] : 0;
            elements[i] = (unsigned char)(before + fr_random_below(&random, spread) - spread / 2);
        }
        for (int version = 0; version < 2; version++) {
            encode_attributes(elements, count, stride, version, &random, &stream);
            fr__meshopt_view view = {FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, count, stride};
            unsigned char *out = decoded(&view, &stream);
            assert_non_null(out);
            assert_memory_equal(out, elements, count * stride);
            free(out);
            refuses_changes(&view, &stream);
        }
        free(elements);
    }
    fr_byte_array_destroy(&stream);
}

static void check_indices(fr__meshopt_mode mode, const uint32_t *indices, size_t count, fr_byte_array *stream) {
    for (uint64_t stride = 2; stride <= 4; stride += 2) {
        fr__meshopt_view view = {mode, FR__MESHOPT_NO_FILTER, count, stride};
        unsigned char *out = decoded(&view, stream);
        assert_non_null(out);
        for (size_t i = 0; i < count; i++) {
            uint32_t mask = stride == 2 ? 0xffff : UINT32_MAX;
            assert_int_equal(load_little(out + i * stride, (int)stride), indices[i] & mask);
        }
        free(out);
        refuses_changes(&view, stream);
    }
}

static void indices_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    fr_byte_array stream = fr_byte_array_make(NULL);
    uint32_t indices[900];
    for (uint64_t n = test_count(300, 20000); n > 0; n--) {
        size_t count = 3 + (size_t)fr_random_below(&random, 297);
        for (size_t i = 0; i < count; i++) {
            indices[i] = (uint32_t)fr_random_below(&random, UINT64_C(1) << (1 + fr_random_below(&random, 29)));
        }
        encode_indices(indices, count, &random, &stream);
        check_indices(FR__MESHOPT_INDICES, indices, count, &stream);
        encode_triangles(count, &random, indices, &stream);
        check_indices(FR__MESHOPT_TRIANGLES, indices, 3 * count, &stream);
    }
    fr_byte_array_destroy(&stream);
}

// Changed bytes are refused or give something else, never a step outside: the sanitizer's build sees one.
static void changed_streams_stay_inside(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    fr_byte_array streams[3] = {fr_byte_array_make(NULL), fr_byte_array_make(NULL), fr_byte_array_make(NULL)};
    unsigned char elements[40 * 16] = {0};
    uint32_t indices[300];
    encode_attributes(elements, 40, 16, 1, &random, &streams[0]);
    encode_triangles(100, &random, indices, &streams[1]);
    encode_indices(indices, 300, &random, &streams[2]);
    const fr__meshopt_view views[3] = {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 40, 16},
                                       {FR__MESHOPT_TRIANGLES, FR__MESHOPT_NO_FILTER, 300, 4},
                                       {FR__MESHOPT_INDICES, FR__MESHOPT_NO_FILTER, 300, 4}};
    uint64_t refused = 0, count = test_count(20000, 1000000);
    for (uint64_t n = 0; n < count; n++) {
        fr_byte_array *stream = &streams[n % 3];
        size_t at = 1 + (size_t)fr_random_below(&random, stream->count - 1), whole = stream->count;
        unsigned char before = stream->data[at];
        stream->data[at] = (unsigned char)fr_random_bits(&random);
        if (n % 5 == 0) { stream->count = 1 + (size_t)fr_random_below(&random, whole - 1); }
        fr__meshopt_view view = views[n % 3];
        if (n % 7 == 0) { view.count += 3 * fr_random_below(&random, 20); }
        refused += is_refused(&view, stream);
        stream->count = whole;
        stream->data[at] = before;
    }
    assert_true(refused > count / 10 && refused < count);
    for (int i = 0; i < 3; i++) {
        fr_byte_array_destroy(&streams[i]);
    }
}

// A triangle may name no edge and no vertex that was not there before it.
static void what_was_not_remembered_is_refused(void **state) {
    (void)state;
    static const unsigned char codes[][2] = {{0x00, 0}, {0xe0, 0}, {0xfe, 0x10}, {0xfe, 0x01}, {0xf1, 0}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        fr_byte_array stream = fr_byte_array_make(NULL);
        put_byte(&stream, 0xe1);
        put_byte(&stream, codes[i][0]);
        if (codes[i][1] != 0) { put_byte(&stream, codes[i][1]); }
        for (int k = 0; k < 16; k++) {
            put_byte(&stream, k == 1 ? 0x21 : 0);
        }
        fr__meshopt_view view = {FR__MESHOPT_TRIANGLES, FR__MESHOPT_NO_FILTER, 3, 4};
        assert_true(is_refused(&view, &stream));
        // The same bytes are a stream where the first triangle is one of three new vertices.
        if (codes[i][1] == 0) { stream.data[1] = 0xf0; }
        if (codes[i][1] != 0) { stream.data[2] = 0; }
        assert_false(is_refused(&view, &stream));
        fr_byte_array_destroy(&stream);
    }
}

static void views_are_checked(void **state) {
    (void)state;
    static const struct {
        fr__meshopt_view view;
        size_t size;
        const char *words;
    } cases[] = {
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 0, 4}, 999, "elements"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, UINT64_MAX, 4}, 999, "elements"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 1, 0}, 999, "multiple of 4"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 1, 260}, 999, "multiple of 4"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 1, 6}, 999, "multiple of 4"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_OCTAHEDRAL, 1, 12}, 999, "filter"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_QUATERNION, 1, 4}, 999, "filter"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_COLOR, 1, 16}, 999, "filter"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_NO_FILTER, 1000000, 4}, 999, "shorter"},
        {{FR__MESHOPT_ATTRIBUTES, FR__MESHOPT_EXPONENTIAL, 1, 12}, 999, NULL},
        {{FR__MESHOPT_TRIANGLES, FR__MESHOPT_NO_FILTER, 4, 4}, 999, "whole triangles"},
        {{FR__MESHOPT_TRIANGLES, FR__MESHOPT_NO_FILTER, 3, 3}, 999, "2 or 4"},
        {{FR__MESHOPT_TRIANGLES, FR__MESHOPT_COLOR, 3, 4}, 999, "no filter"},
        {{FR__MESHOPT_TRIANGLES, FR__MESHOPT_NO_FILTER, 3000, 4}, 999, "shorter"},
        {{FR__MESHOPT_INDICES, FR__MESHOPT_NO_FILTER, 995, 4}, 999, "shorter"},
        {{FR__MESHOPT_INDICES, FR__MESHOPT_NO_FILTER, 994, 2}, 999, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *wrong = fr__meshopt_check(&cases[i].view, cases[i].size);
        assert_int_equal(wrong == NULL, cases[i].words == NULL);
        if (wrong != NULL && strstr(wrong, cases[i].words) == NULL) { fail_msg("'%s'", wrong); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Filters

static int load_signed(const unsigned char *at, size_t bytes) {
    int value = (int)load_little(at, (int)bytes);
    return value >= 1 << (8 * bytes - 1) ? value - (1 << 8 * bytes) : value;
}

static void store_little(unsigned char *at, size_t bytes, int value) {
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (unsigned char)((unsigned)value >> 8 * i);
    }
}

// Unit vectors on an octahedron: folded out in doubles they are what the filter gives, to its last digit.
static void unit_vectors_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    for (int n = 0; n < 5000; n++) {
        size_t bytes = n % 2 == 0 ? 1 : 2;
        unsigned char element[8];
        int one = (1 << (n % 2 == 0 ? 7 : 3 + n % 13)) - 1, max = (1 << (8 * bytes - 1)) - 1;
        double v[3], length = 0.0, sum = 0.0;
        for (int k = 0; k < 3; k++) {
            v[k] = fr_random_between(&random, -1.0, 1.0);
            sum += fabs(v[k]);
        }
        double x = v[0] / sum, y = v[1] / sum;
        double u = v[2] < 0.0 ? (1.0 - fabs(y)) * (x < 0.0 ? -1.0 : 1.0) : x;
        double w = v[2] < 0.0 ? (1.0 - fabs(x)) * (y < 0.0 ? -1.0 : 1.0) : y;
        int stored[4] = {(int)lround(u * one), (int)lround(w * one), one, -n % 100};
        for (size_t k = 0; k < 4; k++) {
            store_little(element + k * bytes, bytes, stored[k]);
        }
        fr__meshopt_unfilter(FR__MESHOPT_OCTAHEDRAL, 1, 4 * bytes, element);
        // The vector of the stored numbers, by the way back.
        double a = (double)stored[0] / one, b = (double)stored[1] / one, c = 1.0 - fabs(a) - fabs(b);
        double p = c < 0.0 ? (1.0 - fabs(b)) * (a < 0.0 ? -1.0 : 1.0) : a;
        double q = c < 0.0 ? (1.0 - fabs(a)) * (b < 0.0 ? -1.0 : 1.0) : b;
        const double back[3] = {p, q, c};
        length = sqrt(p * p + q * q + c * c);
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabs(load_signed(element + k * bytes, bytes) - back[k] / length * max) < 0.51);
            assert_true(fabs(v[k] / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - back[k] / length) < 2.0 / one);
        }
        assert_int_equal(load_signed(element + 3 * bytes, bytes), stored[3]);
    }
}

static void rotations_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    for (int n = 0; n < 5000; n++) {
        double q[4], length = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = fr_random_between(&random, -1.0, 1.0);
            length += q[k] * q[k];
        }
        int largest = 0, one = (1 << (3 + n % 13)) - 1;
        for (int k = 0; k < 4; k++) {
            q[k] /= sqrt(length);
            if (fabs(q[k]) > fabs(q[largest])) { largest = k; }
        }
        double sign = q[largest] < 0.0 ? -1.0 : 1.0;
        unsigned char element[8];
        for (int k = 0; k < 3; k++) {
            store_little(element + 2 * k, 2, (int)lround(sign * q[(largest + 1 + k) % 4] * sqrt(2.0) * one));
        }
        store_little(element + 6, 2, (one & ~3) | largest);
        fr__meshopt_unfilter(FR__MESHOPT_QUATERNION, 1, 8, element);
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(load_signed(element + 2 * k, 2) / 32767.0 - sign * q[k]) < 1.5 / one + 1e-4);
        }
    }
}

static void floats_come_back(void **state) {
    (void)state;
    static const float values[] = {0.0f, 1.0f, -1.0f, 3.25f, -1e-20f, 1e20f, 8388607.0f, -8388608.0f, 0.1f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        int exponent = 0;
        double mantissa = frexp((double)values[i], &exponent);
        // 24 bits with the sign: the last of a float's bits may go, where it is there.
        int whole = (int)(mantissa * 8388608.0);
        unsigned char element[8];
        store_little(element, 4, (int)((uint32_t)(exponent - 23) << 24 | ((uint32_t)whole & 0xffffff)));
        memcpy(element + 4, element, 4);
        fr__meshopt_unfilter(FR__MESHOPT_EXPONENTIAL, 1, 8, element);
        float out[2];
        memcpy(out, element, sizeof out);
        assert_true(out[0] == (float)ldexp(whole, exponent - 23) && out[1] == out[0]);
        assert_true(fabs((double)out[0] - (double)values[i]) <= fabs((double)values[i]) / 4194304.0);
    }
}

static void colors_come_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    for (int n = 0; n < 5000; n++) {
        size_t bytes = n % 2 == 0 ? 1 : 2;
        int bits = n % 2 == 0 ? 8 : 2 + n % 15, max = (1 << bits) - 1, full = bytes == 1 ? 255 : 65535, color[4];
        for (int k = 0; k < 4; k++) {
            color[k] = (int)fr_random_below(&random, (uint64_t)max + 1);
        }
        // Chrominance halves the differences, so that they are even here.
        color[2] = (color[2] & ~1) | (color[0] & 1);
        int co = (color[0] - color[2]) / 2, between = color[2] + co;
        color[1] = (color[1] & ~1) | (between & 1);
        int cg = (color[1] - between) / 2, luma = between + cg, alpha = color[3] / 2;
        unsigned char element[8];
        const int stored[4] = {luma, co, cg, alpha | 1 << (bits - 1)};
        for (size_t k = 0; k < 4; k++) {
            store_little(element + k * bytes, bytes, stored[k]);
        }
        fr__meshopt_unfilter(FR__MESHOPT_COLOR, 1, 4 * bytes, element);
        const int wanted[4] = {color[0], color[1], color[2], alpha * 2 + alpha % 2};
        for (size_t k = 0; k < 4; k++) {
            double value = (double)load_little(element + k * bytes, (int)bytes);
            assert_true(fabs(value - (double)wanted[k] * full / max) < 0.51);
        }
    }
}

// Numbers that the extension leaves open give something, without a fault.
static void any_bytes_pass_the_filters(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    for (int n = 0; n < 20000; n++) {
        unsigned char element[8];
        for (int k = 0; k < 8; k++) {
            element[k] = (unsigned char)(n % 3 == 0 ? (uint64_t)(n % 2) * 255 : fr_random_bits(&random));
        }
        int filter = 1 + n % 4;
        size_t stride = filter == FR__MESHOPT_QUATERNION || n % 8 < 4 ? 8 : 4;
        fr__meshopt_unfilter((fr__meshopt_filter)filter, 1, stride, element);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_bitstream_is_decoded),
        cmocka_unit_test(views_are_checked),
        cmocka_unit_test(elements_come_back),
        cmocka_unit_test(indices_come_back),
        cmocka_unit_test(what_was_not_remembered_is_refused),
        cmocka_unit_test(changed_streams_stay_inside),
        cmocka_unit_test(unit_vectors_come_back),
        cmocka_unit_test(rotations_come_back),
        cmocka_unit_test(floats_come_back),
        cmocka_unit_test(colors_come_back),
        cmocka_unit_test(any_bytes_pass_the_filters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
