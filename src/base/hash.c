// The hash in one paragraph: bytes are read as little-endian words of 64 bits, two at a time. A pair is mixed into a
// state by a 64 x 64 -> 128 bit multiplication whose halves are xored ("fold"): every bit of the product's middle
// depends on every bit below it, and folding brings the well mixed middle to both ends. From 64 bytes on four states
// run side by side, so that the processor overlaps their multiplications. The length is mixed in at the end, so that
// zeros at the end count.
#include "base/multiply.h"
#include "fureai/base.h"

#include <string.h>

// Numbers without a pattern: the fractional parts of the square roots of 2, 3, 5, 7 and 11, the lowest bit set.
static const uint64_t KEY[5] = {
    0x6A09E667F3BCC909u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u, 0x510E527FADE682D1u,
};

static uint64_t read_8(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t read_4(const unsigned char *bytes) {
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
}

// 0 .. 8 bytes as one word; texts of one length never give the same word. Reads overlap instead of looping.
static uint64_t read_up_to_8(const unsigned char *bytes, size_t count) {
    if (count == 8) { return read_8(bytes); }
    if (count >= 4) { return read_4(bytes) | read_4(bytes + count - 4) << 32; }
    if (count == 0) { return 0; }
    return (uint64_t)bytes[0] | (uint64_t)bytes[count / 2] << 8 | (uint64_t)bytes[count - 1] << 16;
}

static uint64_t fold(uint64_t a, uint64_t b) {
    fr__product product = fr__multiply(a, b);
    return product.low ^ product.high;
}

// The old state stays in by the outer xor: a factor that happens to be zero loses one pair of words, not the rest.
static uint64_t mix_16(uint64_t state, const unsigned char *bytes, uint64_t key) {
    return state ^ fold(read_8(bytes) ^ state, read_8(bytes + 8) ^ key);
}

// Mixes in `blocks` times 64 bytes.
static uint64_t mix_blocks(uint64_t state, const unsigned char *bytes, size_t blocks) {
    uint64_t a = state, b = state + KEY[1], c = state + KEY[2], d = state + KEY[3];
    for (size_t i = 0; i < blocks; ++i) {
        a = mix_16(a, bytes, KEY[0]);
        b = mix_16(b, bytes + 16, KEY[1]);
        c = mix_16(c, bytes + 32, KEY[2]);
        d = mix_16(d, bytes + 48, KEY[3]);
        bytes += 64;
    }
    return fold(a ^ KEY[4], b + KEY[0]) + fold(c ^ KEY[4], d + KEY[2]);
}

// Every bit of the result depends on every bit of x; no two x give the same result.
static uint64_t spread(uint64_t x) {
    x = (x ^ (x >> 32)) * KEY[3];
    x = (x ^ (x >> 29)) * KEY[1];
    return x ^ (x >> 32);
}

uint64_t fr_hash(const void *data, size_t bytes, uint64_t seed) {
    FR_ASSERT(data != NULL || bytes == 0);
    const unsigned char *at = data;
    uint64_t state = spread(seed + KEY[4]);
    size_t left = bytes;

    if (left >= 64) {
        size_t blocks = left / 64;
        state = mix_blocks(state, at, blocks);
        at += blocks * 64;
        left -= blocks * 64;
    }
    while (left >= 16) {
        state = mix_16(state, at, KEY[0]);
        at += 16;
        left -= 16;
    }

    if (left > 0) {
        size_t head = left < 8 ? left : 8;
        uint64_t first = read_up_to_8(at, head);
        uint64_t second = read_up_to_8(at + head, left - head);
        state ^= fold(first ^ state, second ^ KEY[2]);
    }
    return spread(state ^ (uint64_t)bytes * KEY[0]);
}
