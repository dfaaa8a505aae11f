// Bones in messages: how a turn is packed, and how bones hang together.
#ifndef FUREAI_PROTOCOL_BONES_H
#define FUREAI_PROTOCOL_BONES_H

#include "fureai/protocol.h"
#include "protocol/little.h"

#include <string.h>

#define FR__TURN_BYTES 6u   // of a packed turn
#define FR__PLACE_BYTES 16u // of a position and a scale, four floats

#define FR__TURNS_AT_ONCE 32u

// Turns that are packed together: the bits of w, x, y and z of all, as floats.
typedef struct fr__turns {
    uint32_t number[4][FR__TURNS_AT_ONCE];
    size_t count; // FR__TURNS_AT_ONCE or fewer
} fr__turns;

static inline void fr__add_turn(fr__turns *turns, float w, float x, float y, float z) {
    const float numbers[4] = {w, x, y, z};
    for (int k = 0; k < 4; k++) {
        memcpy(&turns->number[k][turns->count], &numbers[k], sizeof numbers[k]);
    }
    turns->count++;
}

// fr_protocol_pack_turn of each; there are none afterwards.
void fr__pack_turns(fr__turns *turns, uint64_t packed[FR__TURNS_AT_ONCE]);

// Bones in the object's frame from bones in their parents' frames; a parent out of range, and a cycle, is taken as
// none. `stack` has room for `count` numbers.
void fr__bones_place(const uint32_t *parents, const fr_pose *local, uint32_t count, uint32_t *stack, fr_pose *out);

// Whole numbers in groups of 7 bits, the lowest first; the top bit of a byte says that more follow.
static inline size_t fr__put_whole(uint32_t value, unsigned char *out) {
    size_t count = 0;
    while (value >= 128) {
        out[count++] = (unsigned char)(value | 128u);
        value >>= 7;
    }
    out[count++] = (unsigned char)value;
    return count;
}

static inline uint32_t fr__mask_bytes(uint32_t bone_count) { return (bone_count + 7) / 8; }

#endif
