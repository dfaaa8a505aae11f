// The stream of elements of a compressed buffer view. Elements come in blocks; of a block the bytes at one place of all
// elements stand together, as differences to the element before, in groups of 16 whose bits vary.
#include "meshopt.h"

#include <string.h>

#define HEADER_0 0xa0
#define HEADER_1 0xa1
#define GROUP 16      // elements
#define MAX_BLOCK 256 // elements

// How the bytes at one place of a block are stored.
enum { BITS_FROM_0, BITS_FROM_1, ALL_ZERO, LITERAL };

// How four bytes of an element follow from those of the element before.
enum { BYTES, PAIRS, BITS };

typedef struct stream {
    const unsigned char *at, *end;
    bool has_controls; // version 1
} stream;

static size_t block_elements(size_t stride) {
    size_t count = 8192 / stride & ~(size_t)(GROUP - 1);
    return count < MAX_BLOCK ? count : MAX_BLOCK;
}

static size_t tail_bytes(size_t stride, bool has_controls) {
    size_t bytes = has_controls ? stride + stride / 4 : stride, min = has_controls ? 24 : 32;
    return bytes > min ? bytes : min;
}

uint64_t fr__meshopt_attributes_min(uint64_t count, uint64_t stride) {
    uint64_t block = block_elements((size_t)stride), blocks = (count + block - 1) / block;
    return 1 + blocks * (stride / 4) + tail_bytes((size_t)stride, true);
}

// ---------------------------------------------------------------------------------------------------------------
// Differences

// A group of 16 numbers of `bits` bits each, 0, 1, 2, 4 or 8. The largest number that has fewer than 8 bits stands for
// a whole byte, which follows the group.
static bool take_group(stream *s, int bits, unsigned char out[GROUP]) {
    size_t packed = (size_t)bits * GROUP / 8;
    if ((size_t)(s->end - s->at) < packed) { return false; }
    if (bits == 0 || bits == 8) {
        memset(out, 0, GROUP);
        memcpy(out, s->at, packed);
        s->at += packed;
        return true;
    }
    const unsigned char *from = s->at;
    int mask = (1 << bits) - 1;
    s->at += packed;
    for (int i = 0; i < GROUP; i++) {
        int bit = i * bits;
        // Single bits begin at the lowest one of a byte, others at the highest.
        int shift = bits == 1 ? bit % 8 : 8 - bits - bit % 8;
        int value = from[bit / 8] >> shift & mask;
        if (value == mask) {
            if (s->at == s->end) { return false; }
            value = *s->at++;
        }
        out[i] = (unsigned char)value;
    }
    return true;
}

// The differences of the bytes at one place of a block.
static bool take_differences(stream *s, int control, size_t count, unsigned char out[MAX_BLOCK]) {
    static const int bits[3][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {0, 2, 4, 8}};
    if (control == ALL_ZERO) {
        memset(out, 0, count);
        return true;
    }
    if (control == LITERAL) {
        if ((size_t)(s->end - s->at) < count) { return false; }
        memcpy(out, s->at, count);
        s->at += count;
        return true;
    }
    size_t groups = (count + GROUP - 1) / GROUP, header_bytes = (groups + 3) / 4;
    if ((size_t)(s->end - s->at) < header_bytes) { return false; }
    const unsigned char *header = s->at;
    s->at += header_bytes;
    const int *widths = bits[s->has_controls ? control : 2];
    for (size_t g = 0; g < groups; g++) {
        int width = widths[header[g / 4] >> g % 4 * 2 & 3];
        if (!take_group(s, width, out + g * GROUP)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

static uint32_t unzigzag(uint32_t v) { return (v & 1) != 0 ? ~(v >> 1) : v >> 1; }

// Whether a stream may have this mode of four bytes; the higher half of the byte turns their bits.
static bool is_mode(unsigned mode) { return (mode & 15) < BITS ? mode >> 4 == 0 : (mode & 15) == BITS; }

// Four bytes of all elements of a block, from their differences; `last` are those of the element before the first.
static void add_differences(unsigned char differences[4][MAX_BLOCK], unsigned mode, size_t count, size_t stride,
                            unsigned char last[4], unsigned char *out) {
    uint32_t value[4] = {last[0], last[1], last[2], last[3]};
    unsigned turn = mode >> 4;
    for (size_t i = 0; i < count; i++, out += stride) {
        const uint32_t d[4] = {differences[0][i], differences[1][i], differences[2][i], differences[3][i]};
        if ((mode & 15) == BYTES) {
            for (int k = 0; k < 4; k++) {
                value[k] = (value[k] + unzigzag(d[k])) & 255;
            }
        } else if ((mode & 15) == PAIRS) {
            for (int k = 0; k < 4; k += 2) {
                uint32_t pair = (value[k] | value[k + 1] << 8) + unzigzag(d[k] | d[k + 1] << 8);
                value[k] = pair & 255;
                value[k + 1] = pair >> 8 & 255;
            }
        } else {
            uint32_t all = d[0] | d[1] << 8 | d[2] << 16 | d[3] << 24;
            all = all >> turn | all << ((32 - turn) & 31);
            for (int k = 0; k < 4; k++) {
                value[k] ^= all >> 8 * k & 255;
            }
        }
        for (int k = 0; k < 4; k++) {
            out[k] = (unsigned char)value[k];
        }
    }
    for (int k = 0; k < 4; k++) {
        last[k] = (unsigned char)value[k];
    }
}

static bool take_block(stream *s, const unsigned char *modes, size_t count, size_t stride, unsigned char *last,
                       unsigned char *out) {
    unsigned char differences[4][MAX_BLOCK];
    const unsigned char *controls = s->at;
    if (s->has_controls) {
        if ((size_t)(s->end - s->at) < stride / 4) { return false; }
        s->at += stride / 4;
    }
    for (size_t k = 0; k < stride; k += 4) {
        for (size_t j = 0; j < 4; j++) {
            int control = s->has_controls ? controls[k / 4] >> 2 * j & 3 : BITS_FROM_0;
            if (!take_differences(s, control, count, differences[j])) { return false; }
        }
        add_differences(differences, s->has_controls ? modes[k / 4] : BYTES, count, stride, last + k, out + k);
    }
    return true;
}

bool fr__meshopt_attributes(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out) {
    unsigned char last[256];
    if (size < 1 || (bytes[0] != HEADER_0 && bytes[0] != HEADER_1)) { return false; }
    bool has_controls = bytes[0] == HEADER_1;
    size_t tail = tail_bytes(stride, has_controls);
    if (size < 1 + tail) { return false; }
    const unsigned char *end = bytes + size, *modes = end;
    if (has_controls) {
        modes = end - stride / 4;
        for (size_t i = 0; i < stride / 4; i++) {
            if (!is_mode(modes[i])) { return false; }
        }
    }
    memcpy(last, modes - stride, stride);
    stream s = {bytes + 1, end - tail, has_controls};
    size_t block = block_elements(stride);
    for (size_t first = 0; first < count; first += block) {
        size_t left = count - first;
        if (!take_block(&s, modes, left < block ? left : block, stride, last, out + first * stride)) { return false; }
    }
    return s.at == s.end;
}
