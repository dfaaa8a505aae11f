#include "fureai/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LONGEST = 300 };

static void fill(unsigned char *bytes, size_t count, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    for (size_t i = 0; i < count; ++i) {
        bytes[i] = (unsigned char)fr_random_bits(&random);
    }
}

static void the_hash_does_not_depend_on_alignment(void **state) {
    (void)state;
    unsigned char bytes[LONGEST], shifted[LONGEST + 16];
    fill(bytes, LONGEST, 1);
    for (size_t count = 0; count <= LONGEST; ++count) {
        uint64_t hash = fr_hash(bytes, count, 5);
        for (size_t shift = 0; shift < 16; ++shift) {
            memcpy(shifted + shift, bytes, count);
            assert_true(fr_hash(shifted + shift, count, 5) == hash);
        }
    }
}

static void only_the_bytes_given_count(void **state) {
    (void)state;
    for (size_t count = 0; count <= LONGEST; ++count) {
        unsigned char *exact = malloc(count + 2);
        fill(exact, count + 2, 2);
        uint64_t hash = fr_hash(exact + 1, count, 0);
        exact[0] ^= 0xFF;
        exact[count + 1] ^= 0xFF;
        assert_true(fr_hash(exact + 1, count, 0) == hash);
        free(exact);
    }
}

static void an_empty_input_is_defined(void **state) {
    (void)state;
    assert_true(fr_hash(NULL, 0, 1) == fr_hash("x", 0, 1));
    assert_true(fr_hash(NULL, 0, 1) != fr_hash(NULL, 0, 2));
    assert_true(fr_hash(NULL, 0, 1) != 1);
}

static void pieces_are_chained_by_the_seed(void **state) {
    (void)state;
    unsigned char bytes[LONGEST];
    fill(bytes, LONGEST, 3);
    uint64_t first = fr_hash(bytes, 100, 0);
    uint64_t cut_at_100 = fr_hash(bytes + 100, 100, first);
    uint64_t cut_at_99 = fr_hash(bytes + 99, 101, fr_hash(bytes, 99, 0));
    assert_true(cut_at_100 == fr_hash(bytes + 100, 100, fr_hash(bytes, 100, 0)));
    assert_true(cut_at_100 != cut_at_99);
    assert_true(fr_hash(NULL, 0, first) != first);
}

static void zeros_at_the_end_count(void **state) {
    (void)state;
    static const unsigned char zeros[LONGEST] = {0};
    uint64_t seen[LONGEST];
    for (size_t count = 0; count < LONGEST; ++count) {
        seen[count] = fr_hash(zeros, count, 0);
        for (size_t i = 0; i < count; ++i) {
            assert_true(seen[i] != seen[count]);
        }
    }
}

// Flips every bit of many inputs of one length, and of the seed. Every bit of the hash must change in about half of the
// cases: over `trials` the count has a standard deviation of sqrt(trials) / 2, and 8 of them never happen by chance.
static void expect_avalanche(size_t count) {
    enum { TRIALS = 400 };
    unsigned char bytes[LONGEST];
    size_t bits = count * 8 + 64;
    for (size_t bit = 0; bit<bits; bit += count> 32 ? 7 : 1) {
        int changed[64] = {0};
        for (uint64_t trial = 0; trial < TRIALS; ++trial) {
            fill(bytes, count, trial * 1000 + count);
            uint64_t seed = trial * 0x9E3779B97F4A7C15u;
            uint64_t hash = fr_hash(bytes, count, seed);
            if (bit < count * 8) {
                bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
            } else {
                seed ^= (uint64_t)1 << (bit - count * 8);
            }
            uint64_t difference = hash ^ fr_hash(bytes, count, seed);
            for (int i = 0; i < 64; ++i) {
                changed[i] += (int)(difference >> i & 1);
            }
        }
        for (int i = 0; i < 64; ++i) {
            assert_true(changed[i] > TRIALS / 2 - 80 && changed[i] < TRIALS / 2 + 80);
        }
    }
}

static void flipping_a_bit_changes_half_of_the_hash(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 3, 4, 8, 12, 16, 24, 63, 64, 100};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        expect_avalanche(counts[i]);
    }
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void expect_all_different(uint64_t *hashes, size_t count) {
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t i = 1; i < count; ++i) {
        assert_true(hashes[i - 1] != hashes[i]);
    }
}

static void a_million_small_keys_do_not_collide(void **state) {
    (void)state;
    enum { KEYS = 1000000 };
    uint64_t *hashes = malloc(KEYS * sizeof *hashes);
    assert_non_null(hashes);
    for (uint32_t i = 0; i < KEYS; ++i) {
        hashes[i] = fr_hash(&i, sizeof i, 0);
    }
    expect_all_different(hashes, KEYS);
    for (uint32_t i = 0; i < KEYS; ++i) {
        uint32_t pair[4] = {i % 1000, i / 1000, 0, 0};
        hashes[i] = fr_hash(pair, sizeof pair, 0);
    }
    expect_all_different(hashes, KEYS);
    free(hashes);
}

static void sparse_keys_do_not_collide(void **state) {
    (void)state;
    // All keys of 96 bytes with one or two bits set.
    enum { BITS = 96 * 8, KEYS = BITS * (BITS - 1) / 2 + BITS };
    uint64_t *hashes = malloc(KEYS * sizeof *hashes);
    assert_non_null(hashes);
    size_t count = 0;
    for (unsigned i = 0; i < BITS; ++i) {
        for (unsigned j = 0; j <= i; ++j) {
            unsigned char key[96] = {0};
            key[i / 8] = (unsigned char)(1u << i % 8);
            key[j / 8] = (unsigned char)(key[j / 8] | 1u << j % 8);
            hashes[count++] = fr_hash(key, sizeof key, 0);
        }
    }
    assert_int_equal(count, KEYS);
    expect_all_different(hashes, count);
    free(hashes);
}

static void tables_fill_evenly(void **state) {
    (void)state;
    enum { CELLS = 1024, KEYS = CELLS * 100 };
    unsigned low[CELLS] = {0}, high[CELLS] = {0};
    for (uint64_t i = 0; i < KEYS; ++i) {
        uint64_t hash = fr_hash(&i, sizeof i, 0);
        low[hash % CELLS]++;
        high[hash >> 54]++;
    }
    for (int i = 0; i < CELLS; ++i) {
        assert_true(low[i] > 40 && low[i] < 170);
        assert_true(high[i] > 40 && high[i] < 170);
    }
}

static void hashes_are_the_same_everywhere(void **state) {
    (void)state;
    unsigned char bytes[LONGEST];
    for (size_t i = 0; i < LONGEST; ++i) {
        bytes[i] = (unsigned char)(i * 7 + 1);
    }
    static const struct {
        size_t count;
        uint64_t seed_0;
        uint64_t seed_ones;
    } golden[] = {
        {0, 0xA08A5B4E78506476u, 0x64C623E2F2B3CD7Bu},   {1, 0xED42C8D153152FEEu, 0xDAC23AE055E184C9u},
        {2, 0xCE08D62CF657F250u, 0xE80BA2C4D62ACEB0u},   {3, 0x85A4F77363596879u, 0x42AD574B5A510D36u},
        {4, 0xB87E2DA0B7D506F7u, 0x8608DC94C844A8D8u},   {7, 0x34C88DC6110904BFu, 0xE394F548D0E05584u},
        {8, 0x47F757039BCC5B87u, 0xC69A18B3B673B555u},   {9, 0xD5E1E0344ED97934u, 0xACF0BFAF353B4BF8u},
        {15, 0x51B506323507CBDBu, 0xCC5D2BB38A64A914u},  {16, 0xFE3117F3E5060602u, 0xABBAE3F8A92F6CF0u},
        {17, 0x1271AD90E27055E7u, 0x7C2A17D05CACB431u},  {31, 0x5E5DA3D30B4A8756u, 0xF91EACF21345A121u},
        {32, 0x3E7DF3D5B20301F8u, 0x22B6A0DF35BF27BBu},  {63, 0xD24F787E351D598Eu, 0x44C0786B1D1D2620u},
        {64, 0x1B963187B2ACEAA3u, 0xFE8DA340269AC6ACu},  {65, 0xBF6722EF999F63D8u, 0xFF78C9F007026D53u},
        {127, 0x7C7DAA26901D6E42u, 0x455AB7A16812E7ECu}, {128, 0xE81C89DD95DE9B2Fu, 0x226F3969E0C02ED2u},
        {300, 0xB4650A1075963DB5u, 0xD5560D7159E57402u},
    };
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; ++i) {
        assert_true(fr_hash(bytes, golden[i].count, 0) == golden[i].seed_0);
        assert_true(fr_hash(bytes, golden[i].count, UINT64_MAX) == golden[i].seed_ones);
    }
    uint64_t all = 0;
    for (size_t count = 0; count <= LONGEST; ++count) {
        all = fr_hash(bytes, count, all);
    }
    assert_true(all == 0xA0C846FB89444CB1u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_does_not_depend_on_alignment),
        cmocka_unit_test(only_the_bytes_given_count),
        cmocka_unit_test(an_empty_input_is_defined),
        cmocka_unit_test(pieces_are_chained_by_the_seed),
        cmocka_unit_test(zeros_at_the_end_count),
        cmocka_unit_test(flipping_a_bit_changes_half_of_the_hash),
        cmocka_unit_test(a_million_small_keys_do_not_collide),
        cmocka_unit_test(sparse_keys_do_not_collide),
        cmocka_unit_test(tables_fill_evenly),
        cmocka_unit_test(hashes_are_the_same_everywhere),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
